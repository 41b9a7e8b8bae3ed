//! Methods of tensors that move their entries, one by one: what stays stored, what costs nothing, what they take.

use looplets::prelude::*;
use std::ops::Bound;

type M<E> = Dense<SparseList<E>>;
type F = Element<f64>;

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
    refused(rows.permute([1, 0]), "1000000000000000x2");
    refused(Tensor::stack(1, [&long]), "1000000000000000x1");
}

#[test]
fn more_elements_may_be_stored_than_64_bits_count() {
    let n = 1 << 61;
    let full =
        SparseRunList::new(n, vec![0, 1], vec![0], vec![n as u64 - 1], Element::new(vec![4.0]));
    let full = Long::from_parts(full).unwrap();
    let rows: Wide = Tensor::stack(0, vec![&full; 16]).unwrap();
    assert_eq!(rows.permute::<SparseList<SparseRunList<F, u64>, u64>>([0, 1]).unwrap(), rows);
    assert_eq!(rows.convert::<RunList<RunList<F, u64>>>().unwrap().stored(), 16);
    let part: Wide = rows.slice((Span::new(.., -3), 1..n - 1)).unwrap();
    assert_eq!((part.shape(), part.stored()), (vec![6, n - 2], 6));
    let halves: Wide = rows.reshape([32, n / 2]).unwrap();
    assert_eq!(halves.stored(), 32);
    let error = Wide::concat(1, [&rows, &rows]).unwrap_err();
    assert!(error
        .to_string()
        .ends_with("come to 4611686018427387904, more than a dimension can have"));
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

/// Entries as they are after `f` of their coordinates, in order.
fn moved(all: &[(Vec<usize>, f64)], f: impl Fn(&[usize]) -> Vec<usize>) -> Vec<(Vec<usize>, f64)> {
    let mut all: Vec<_> = all.iter().map(|(coords, value)| (f(coords), *value)).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

#[test]
fn few_entries_in_large_dimensions_are_sorted_too() {
    let n = 1 << 40;
    let mut seed = 7u64;
    let mut draw = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        // Many are alike in some dimensions.
        (seed >> 33) as usize % 5 * (n / 5)
    };
    let triplets: Vec<_> = (0..60).map(|k| ([draw(), draw(), draw()], k as f64)).collect();
    let a: Tensor<Singletons> = Tensor::from_triplets([n; 3], triplets, Last).unwrap();
    let all = a.triplets();
    for axes in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let t = a.permute::<Singletons>(axes).unwrap();
        assert_eq!(t.triplets(), moved(&all, |at| axes.map(|axis| at[axis]).to_vec()), "{axes:?}");
    }
    for reversed in 0..8 {
        let back = |d: usize| reversed >> d & 1 == 1;
        let spans = [0, 1, 2].map(|d| Span::new(.., if back(d) { -1 } else { 1 }));
        let place = |(d, &c): (usize, &usize)| if back(d) { n - 1 - c } else { c };
        let s = a.slice::<Singletons>(spans).unwrap();
        assert_eq!(s.triplets(), moved(&all, |at| at.iter().enumerate().map(place).collect()));
    }
    for axis in 0..3 {
        let c = Tensor::<Singletons>::concat(axis, [&a, &a]).unwrap();
        let mut twice = all.clone();
        twice.extend(all.iter().map(|(at, value)| {
            let mut at = at.clone();
            at[axis] += n;
            (at, *value)
        }));
        assert_eq!(c.triplets(), moved(&twice, <[usize]>::to_vec), "along {axis}");
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Word(&'static str);
#[derive(Clone, Debug, PartialEq)]
struct Nothing;
impl Fill<Word> for Nothing {
    const VALUE: Word = Word("");
}
#[derive(Clone, Debug, PartialEq)]
struct Dash;
impl Fill<Word> for Dash {
    const VALUE: Word = Word("-");
}

#[test]
fn values_of_ones_own() {
    type W<F> = M<Element<Word, F>>;
    let words = ["a", "", "b", "c", "", ""].map(Word);
    let a: Tensor<W<Nothing>> = Tensor::from_dense([2, 3], &words).unwrap();
    let t: Tensor<W<Nothing>> = a.permute([1, 0]).unwrap();
    assert_eq!(t.to_dense(), ["a", "c", "", "", "b", ""].map(Word));
    assert_eq!(
        a.permute::<W<Dash>>([1, 0]).unwrap_err().to_string(),
        "`permute` of 2x3 to (1, 0): the fill of the tensor is not that of the result; `convert` changes fills"
    );
}

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
    assert_eq!(got(&a, [2..=3]), [2, 3]);
    assert_eq!(got(&a, &[2..=3]), [2, 3]);
    assert_eq!(got(&a, &[2..=3][..]), [2, 3]);
    assert_eq!(got(&a, vec![Span::new(2..4, -1)]), [3, 2]);
    assert_eq!(got(&a, ((Bound::Excluded(2), Bound::Unbounded),)), [3, 4]);
    assert_eq!(got(&a, Span::new(1.., 3)), [1, 4]);
    assert_eq!(got(&a, Span::new(..=3, -3)), [3, 0]);
}
