//! Methods of tensors that move their entries, one by one: what stays stored, what costs nothing, what they take
//! and what they refuse in which words.

use looplets::prelude::*;
use std::fmt::Debug;
use std::ops::Bound;

type V<E> = SparseList<E>;
type M<E> = Dense<SparseList<E>>;
type F = Element<f64>;
type Cube<E> = SparseList<Dense<RunList<E>>>;

#[test]
fn formats_that_hold_some_tensors_only() {
    let half: SymMat<f64> =
        Tensor::from_triplets([3, 3], [([1, 0], 2.0), ([2, 2], -0.0)], Refuse).unwrap();
    let turned: SymMat<f64> = half.permute([1, 0]).unwrap();
    assert_eq!(turned, half);
    let part: Csr<f64> = half.slice((..2, ..2)).unwrap();
    assert_eq!(part.to_dense(), [0.0, 2.0, 2.0, 0.0]);
    let back: SymMat<f64> = half.slice((Span::new(.., -1), Span::new(.., -1))).unwrap();
    assert_eq!(back.to_dense(), [-0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 2.0, 0.0]);
    let refused = half.slice::<Dense<Symmetric<F>>>((Span::new(.., -1), ..)).unwrap_err();
    assert!(matches!(refused, Error::Unstorable { .. }), "{refused}");
    let refused = half.reshape::<SparsePoint<F>>([9]).unwrap_err();
    assert!(matches!(refused, Error::Unstorable { .. }), "{refused}");
    let lower: Tensor<Dense<LowerTriangular<F>>> = half.slice((..1, ..1)).unwrap();
    let upper: Tensor<Dense<UpperTriangular<F>>> = lower.permute([1, 0]).unwrap();
    assert_eq!(upper.to_dense(), [0.0]);
}

#[test]
fn stored_fills_are_kept_as_conversion_keeps_them() {
    let zeros = [([0, 1], 0.0), ([1, 0], 3.0), ([1, 2], 0.0)];
    let a: Csr<f64> = Tensor::from_triplets([2, 3], zeros, Refuse).unwrap();
    let stored = |t: &Csr<f64>| t.triplets().into_iter().map(|(c, _)| c).collect::<Vec<_>>();
    assert_eq!(
        stored(&a.permute::<Hash<Hash<F>>>([1, 0]).unwrap().convert().unwrap()),
        [[0, 1], [1, 0], [2, 1]]
    );
    assert_eq!(stored(&a.reshape([3, 2]).unwrap()), [[0, 1], [1, 1], [2, 1]]);
    assert_eq!(stored(&a.slice((Span::new(.., -1), 1..)).unwrap()), [[0, 1], [1, 0]]);
    assert_eq!(stored(&Tensor::concat(1, (&a, &a)).unwrap()).len(), 6);
    let d: DenseMat<f64> = a.convert().unwrap();
    // Of the dense one nothing tells which fills were stored.
    assert_eq!(stored(&Tensor::concat(0, (&a, &d)).unwrap()), [[0, 1], [1, 0], [1, 2], [3, 0]]);
    assert_eq!(d.slice::<M<F>>((.., ..2)).unwrap().stored(), 1);
}

type Long = Tensor<SparseRunList<F, u64>>;
type Wide = Tensor<SparseList<SparseRunList<F, u64>, u64>>;

#[test]
fn runs_are_moved_as_they_are() {
    let n = 1_000_000_000_000_000;
    let long = Long::from_parts(SparseRunList::new(
        n,
        vec![0, 2],
        vec![10, n as u64 / 2],
        vec![n as u64 / 4 - 1, n as u64 - 1],
        Element::new(vec![2.5, -1.0]),
    ))
    .unwrap();
    let back: Long = long.slice(Span::new(5.., -7)).unwrap();
    assert_eq!((back.stored(), back.shape()), (2, vec![(n - 5).div_ceil(7)]));
    assert_eq!((back.get([0]), back.get([n / 14 - 10])), (Some(-1.0), Some(-1.0)));
    assert_eq!((back.get([n / 7 - 10]), back.get([n / 7])), (Some(2.5), Some(0.0)));
    let wide: Wide = long.reshape([8, n / 8]).unwrap();
    assert_eq!(wide.stored(), 6);
    assert_eq!(wide.get([0, 10]), Some(2.5));
    let again: Long = wide.reshape([n]).unwrap();
    assert_eq!(again, long);
    let twice: Long = Tensor::concat(0, (&long, &back, long.clone())).unwrap();
    assert_eq!(twice.stored(), 5, "a run goes on in the next tensor");
    let rows: Wide = Tensor::stack(0, [&long, &long]).unwrap();
    assert_eq!(rows.stored(), 4);
    let swapped: Wide = rows.permute([0, 1]).unwrap();
    assert_eq!(swapped, rows);
    // What would have to be taken apart is refused, if there is no memory for it.
    let refused = |made: Result<Wide, Error>, shape: &str| {
        let text = format!("a tensor of shape {shape} has too many elements");
        assert_eq!(made.unwrap_err().to_string(), text);
    };
    refused(long.reshape([n, 1]), "1000000000000000x1");
    refused(rows.permute([1, 0]), "2x1000000000000000");
    refused(Tensor::stack(1, [&long]), "1000000000000000");
}

#[test]
fn sizes_that_no_array_has() {
    type Far = Tensor<Coo<Singleton<F, u64>, u64>>;
    type Farther = Tensor<Coo<Singleton<Singleton<F, u64>, u64>, u64>>;
    let n = 1 << 60;
    let a: Far = Tensor::from_triplets(
        [n, n],
        [([0, 5], 1.0), ([7, n - 1], 2.0), ([n - 1, 3], 3.0)],
        Refuse,
    )
    .unwrap();
    let b: Far = a.reshape([n / 2, 2 * n]).unwrap();
    let want = [([0, 5], 1.0), ([3, 2 * n - 1], 2.0), ([n / 2 - 1, n + 3], 3.0)];
    assert_eq!(b, Tensor::from_triplets([n / 2, 2 * n], want, Refuse).unwrap());
    assert_eq!(b.reshape::<Coo<Singleton<F, u64>, u64>>([n, n]).unwrap(), a);
    let t: Far = a.permute([1, 0]).unwrap();
    assert_eq!(t.triplets(), [(vec![3, n - 1], 3.0), (vec![5, 0], 1.0), (vec![n - 1, 7], 2.0)]);
    let s: Far = a.slice((Span::new(7.., -1), Span::new(.., 2))).unwrap();
    assert_eq!(s.triplets(), [] as [(Vec<usize>, f64); 0]);
    let s: Far = a.slice((Span::new(7.., -1), Span::new(1.., 2))).unwrap();
    assert_eq!(s.triplets(), [(vec![0, 1], 3.0), (vec![n - 8, n / 2 - 1], 2.0)]);
    let cube: Farther = Tensor::stack(1, (&a, &t)).unwrap();
    assert_eq!(cube.shape(), [n, 2, n]);
    assert_eq!(cube.get([7, 0, n - 1]), Some(2.0));
    let e = Farther::new([n, n, n]).unwrap().reshape::<Singletons>([n, n, n]).unwrap_err();
    let s = n.to_string();
    assert_eq!(
        e.to_string(),
        format!("`reshape` of {s}x{s}x{s} to {s}x{s}x{s}: more elements than 128 bits can count")
    );
    let e = a.reshape::<Coo<Singleton<F, u64>, u64>>([1 << 57, 1 << 63]).unwrap_err();
    assert_eq!(
        e.to_string(),
        "a tensor of shape 144115188075855872x9223372036854775808 has too many elements"
    );
    let e = Far::concat(0, [&a, &a, &a]).unwrap_err();
    assert_eq!(
        e.to_string(),
        "`concat` along dimension 0: the sizes come to 3458764513820540928, more than a dimension can have"
    );
    let e = a.reshape::<M<F>>([1 << 59, 1 << 61]).unwrap_err();
    assert!(e.to_string().starts_with("`Dense` cannot store this tensor of shape 57646"), "{e}");
}

type Singletons = Coo<Singleton<Singleton<F, u64>, u64>, u64>;

#[test]
fn operands_of_any_formats() {
    let a: SparseVec<f64> = Tensor::from_dense([2], &[1.5, 0.0]).unwrap();
    let b: DenseVec<f64> = Tensor::from_dense([1], &[f64::INFINITY]).unwrap();
    let c: Tensor<RunList<F>> = Tensor::from_dense([3], &[4.0; 3]).unwrap();
    let want = [1.5, 0.0, f64::INFINITY, 4.0, 4.0, 4.0];
    let all: DenseVec<f64> = Tensor::concat(0, (&a, &b, &c)).unwrap();
    assert_eq!(all.to_dense(), want);
    let list: Vec<&dyn Operand<Value = f64>> = vec![&a, &b, &c];
    assert_eq!(DenseVec::<f64>::concat(0, &list).unwrap(), all);
    assert_eq!(DenseVec::<f64>::concat(0, &list[..]).unwrap(), all);
    assert_eq!(DenseVec::<f64>::concat(0, (a.clone(), list[1], &c)).unwrap(), all);
    let owned: Vec<SparseVec<f64>> = vec![a.clone(), a.clone()];
    assert_eq!(SparseVec::<f64>::concat(0, &owned[..1]).unwrap(), a);
    let rows: Csr<f64> = Tensor::stack(0, &owned).unwrap();
    assert_eq!(rows.to_dense(), [1.5, 0.0, 1.5, 0.0]);
    // Scalars make a vector, and a vector of one element is a scalar.
    let s: Tensor<F> = b.reshape([]).unwrap();
    let two: SparseVec<f64> = Tensor::stack(0, [&s, &s]).unwrap();
    assert_eq!(two.to_dense(), [f64::INFINITY; 2]);
    assert_eq!(s.slice::<F>(()).unwrap(), s);
    assert_eq!(s.permute::<F>([]).unwrap(), s);
}

#[test]
fn ranges_of_every_kind() {
    let a: DenseVec<usize> = Tensor::from_dense([5], &[0, 1, 2, 3, 4]).unwrap();
    fn got(a: &DenseVec<usize>, spans: impl Spans) -> Vec<usize> {
        a.slice::<Dense<Element<usize>>>(spans).unwrap().to_dense()
    }
    assert_eq!(got(&a, 1..3), [1, 2]);
    assert_eq!(got(&a, 1..=3), [1, 2, 3]);
    assert_eq!(got(&a, 3..), [3, 4]);
    assert_eq!(got(&a, ..2), [0, 1]);
    assert_eq!(got(&a, ..=2), [0, 1, 2]);
    assert_eq!(got(&a, ..), [0, 1, 2, 3, 4]);
    assert_eq!(got(&a, 5..), []);
    assert_eq!(got(&a, [2..4]), [2, 3]);
    assert_eq!(got(&a, &[2..4]), [2, 3]);
    assert_eq!(got(&a, &[2..4][..]), [2, 3]);
    assert_eq!(got(&a, vec![Span::new(2..4, -1)]), [3, 2]);
    assert_eq!(got(&a, ((Bound::Excluded(2), Bound::Unbounded),)), [3, 4]);
    assert_eq!(got(&a, Span::new(1.., 3)), [1, 4]);
    assert_eq!(got(&a, Span::new(..=3, -3)), [3, 0]);
}

/// The text of an error.
fn text<L: Level<Value: Debug>>(made: Result<Tensor<L>, Error>) -> String {
    made.expect_err("refused").to_string()
}

#[test]
fn what_is_refused_of_orders() {
    let a = Csr::<f64>::new([2, 3]).unwrap();
    let said = |axes: &[usize]| text(a.permute::<M<F>>(axes));
    assert_eq!(said(&[0]), "`permute` of 2x3 to (0): 1 dimension given for 2");
    assert_eq!(said(&[]), "`permute` of 2x3 to (): 0 dimensions given for 2");
    assert_eq!(said(&[0, 1, 2]), "`permute` of 2x3 to (0, 1, 2): 3 dimensions given for 2");
    assert_eq!(said(&[2, 0]), "`permute` of 2x3 to (2, 0): there is no dimension 2");
    assert_eq!(
        said(&[0, usize::MAX]),
        format!("`permute` of 2x3 to (0, {0}): there is no dimension {0}", usize::MAX)
    );
    assert_eq!(said(&[0, 0]), "`permute` of 2x3 to (0, 0): dimension 0 is given twice");
    assert_eq!(
        text(a.permute::<V<F>>([1, 0])),
        "`permute` of 2x3 to (1, 0): the result has 2 dimensions, and its format `SparseList<Element<f64>>` has 1"
    );
    assert_eq!(
        text(a.permute::<M<Element<f64, Inf>>>([1, 0])),
        "`permute` of 2x3 to (1, 0): the fill of the tensor is 0.0, and that of the result inf; `convert` changes fills"
    );
}

#[test]
fn what_is_refused_of_shapes() {
    let a = Csr::<f64>::new([2, 3]).unwrap();
    assert_eq!(text(a.reshape::<M<F>>([4, 2])), "`reshape` of 2x3 to 4x2: 6 elements cannot be 8");
    assert_eq!(text(a.reshape::<M<F>>([6, 0])), "`reshape` of 2x3 to 6x0: 6 elements cannot be 0");
    assert_eq!(text(a.reshape::<F>([])), "`reshape` of 2x3 to (): 6 elements cannot be 1");
    assert_eq!(
        text(a.reshape::<M<F>>([6])),
        "`reshape` of 2x3 to 6: the result has 1 dimension, and its format `Dense<SparseList<Element<f64>>>` has 2"
    );
    let huge = usize::MAX;
    assert_eq!(
        text(a.reshape::<Cube<F>>([huge; 3])),
        format!("`reshape` of 2x3 to {huge}x{huge}x{huge}: more elements than 128 bits can count")
    );
    let none = Csr::<f64>::new([0, 3]).unwrap();
    assert_eq!(
        text(none.reshape::<M<F>>([0, huge])),
        format!("a tensor of shape 0x{huge} has too many elements")
    );
    assert_eq!(none.reshape::<M<F>>([7, 0]).unwrap().shape(), [7, 0]);
    assert_eq!(
        text(a.reshape::<V<Element<f64, NaN>>>([6])),
        "`reshape` of 2x3 to 6: the fill of the tensor is 0.0, and that of the result NaN; `convert` changes fills"
    );
}

#[test]
fn what_is_refused_of_ranges() {
    let a = Csr::<f64>::new([2, 3]).unwrap();
    fn said(a: &Csr<f64>, spans: impl Spans) -> String {
        text(a.slice::<M<F>>(spans))
    }
    let no_part = |range: &str, d: usize, n: usize| {
        format!("`slice` of 2x3 in dimension {d}: {range} is no part of a dimension of size {n}")
    };
    assert_eq!(said(&a, ..), "`slice` of 2x3: 1 range given for 2 dimensions");
    assert_eq!(said(&a, ()), "`slice` of 2x3: 0 ranges given for 2 dimensions");
    assert_eq!(said(&a, (.., .., ..)), "`slice` of 2x3: 3 ranges given for 2 dimensions");
    assert_eq!(said(&a, (.., 1..4)), no_part("1..4", 1, 3));
    assert_eq!(said(&a, (3.., ..)), no_part("3..", 0, 2));
    assert_eq!(said(&a, (..=2, ..)), no_part("..=2", 0, 2));
    #[allow(clippy::reversed_empty_ranges)]
    let backwards = 2..1;
    assert_eq!(said(&a, (.., backwards)), no_part("2..1", 1, 3));
    assert_eq!(said(&a, (.., ..=usize::MAX)), no_part(&format!("..={}", usize::MAX), 1, 3));
    let beyond = (Bound::Excluded(usize::MAX), Bound::<usize>::Unbounded);
    assert_eq!(said(&a, (.., beyond)), no_part("18446744073709551616..", 1, 3));
    assert_eq!(said(&a, (Span::new(0..3, -2), ..)), no_part("0..3 by -2", 0, 2));
    assert_eq!(
        said(&a, (.., Span::new(1..2, 0))),
        "`slice` of 2x3 in dimension 1: 1..2 by 0 has step 0"
    );
    assert_eq!(
        text(a.slice::<V<F>>((.., 1..2))),
        "`slice` of 2x3: the result has 2 dimensions, and its format `SparseList<Element<f64>>` has 1"
    );
    assert_eq!(
        text(a.slice::<M<Element<f64, One>>>((.., ..))),
        "`slice` of 2x3: the fill of the tensor is 0.0, and that of the result 1.0; `convert` changes fills"
    );
}

#[test]
fn what_is_refused_of_operands() {
    let new = |shape: [usize; 2]| Csr::<f64>::new(shape).unwrap();
    let (a, b, x) = (new([2, 3]), new([2, 4]), SparseVec::<f64>::new([3]).unwrap());
    let none: [&Csr<f64>; 0] = [];
    type C = Tensor<M<F>>;
    assert_eq!(text(C::concat(0, none)), "`concat` along dimension 0: no tensors are given");
    assert_eq!(
        text(C::concat(2, [&a])),
        "`concat` along dimension 2: the tensors have 2 dimensions"
    );
    assert_eq!(
        text(C::concat(0, [&a, &a, &b])),
        "`concat` along dimension 0: tensor 2 has shape 2x4, and tensor 0 has 2x3"
    );
    assert_eq!(C::concat(1, [&a, &b]).unwrap().shape(), [2, 7]);
    assert_eq!(
        text(C::concat(0, (&a, &x))),
        "`concat` along dimension 0: tensor 1 has shape 3, and tensor 0 has 2x3"
    );
    assert_eq!(
        text(C::concat(0, [&x])),
        "`concat` along dimension 0: the result has 1 dimension, and its format `Dense<SparseList<Element<f64>>>` has 2"
    );
    let e = Tensor::<M<Element<f64, Inf>>>::new([2, 3]).unwrap();
    assert_eq!(
        text(C::concat(0, (&a, &e))),
        "`concat` along dimension 0: the fill of tensor 1 is inf, and that of the result 0.0; `convert` changes fills"
    );
    let s = Tensor::<F>::new([]).unwrap();
    assert_eq!(
        text(Tensor::<F>::concat(0, [&s])),
        "`concat` along dimension 0: the tensors have 0 dimensions"
    );
    type D = Tensor<Cube<F>>;
    assert_eq!(text(D::stack(0, none)), "`stack` along dimension 0: no tensors are given");
    assert_eq!(text(D::stack(3, [&a])), "`stack` along dimension 3: the result has 3 dimensions");
    assert_eq!(
        text(D::stack(usize::MAX, [&a])),
        format!("`stack` along dimension {}: the result has 3 dimensions", usize::MAX)
    );
    assert_eq!(
        text(D::stack(2, [&a, &b])),
        "`stack` along dimension 2: tensor 1 has shape 2x4, and tensor 0 has 2x3"
    );
    assert!(text(C::stack(0, [&a]))
        .starts_with("`stack` along dimension 0: the result has 3 dimensions, and its format"));
    assert!(text(D::stack(0, [&e]))
        .starts_with("`stack` along dimension 0: the fill of tensor 0 is inf"));
}
