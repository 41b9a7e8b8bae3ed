//! What methods of tensors that move their entries refuse, and in which words: they name the method, sizes and
//! dimensions.

use looplets::prelude::*;
use std::fmt::Debug;
use std::ops::Bound;

type V<E> = SparseList<E>;
type M<E> = Dense<SparseList<E>>;
type F = Element<f64>;
type Cube<E> = SparseList<Dense<RunList<E>>>;

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
