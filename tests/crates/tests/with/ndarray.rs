//! Dense tensors and the arrays of ndarray: nothing is copied where the elements lie in the order of rows.

use looplets::prelude::*;
use looplets::Error;
use ndarray::{
    array, s, Array, Array1, Array2, Array3, ArrayD, ArrayView2, ArrayViewMut2, Axis, Ix3,
    ShapeBuilder,
};

const HOSTILE: [f64; 6] = [-0.0, f64::NAN, f64::INFINITY, 5e-324, f64::MAX, 1.0 / 3.0];

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|v| v.to_bits()).collect()
}

type Cube<T> = Tensor<Dense<Dense<Dense<Element<T>>>>>;

#[test]
fn vectors_move_both_ways() {
    let x = Array1::from(HOSTILE.to_vec());
    let at = x.as_ptr();
    let x: DenseVec<f64> = x.into();
    assert_eq!(x.values().expect("values").as_ptr(), at);
    assert_eq!(bits(x.values().expect("values")), bits(&HOSTILE));
    let x = Array1::try_from(x).expect("an array");
    assert_eq!((x.as_ptr(), x.len()), (at, 6));
}

#[test]
fn matrices_and_cubes_move_both_ways() {
    let a = Array2::from_shape_vec((2, 3), HOSTILE.to_vec()).expect("an array");
    let at = a.as_ptr();
    let a: DenseMat<f64> = a.into();
    assert_eq!((a.shape(), a.values().expect("values").as_ptr()), (vec![2, 3], at));
    assert_eq!(Array2::try_from(a).expect("an array").as_ptr(), at);

    let a = Array3::from_shape_fn((2, 3, 4), |(i, j, k)| (100 * i + 10 * j + k) as i32);
    let at = a.as_ptr();
    let t: Cube<i32> = a.clone().into();
    assert_ne!(t.values().expect("values").as_ptr(), at, "a clone is another array");
    assert_eq!(t.get([1, 2, 3]), Some(123));
    assert_eq!(Array3::try_from(t).expect("an array"), a);
}

#[test]
fn other_layouts_are_copied_in_the_order_of_coordinates() {
    let a = array![[1, 2, 3], [4, 5, 6]];
    let turned: DenseMat<i32> = a.clone().reversed_axes().into();
    assert_eq!((turned.shape(), turned.to_dense()), (vec![3, 2], vec![1, 4, 2, 5, 3, 6]));
    let columns = Array2::from_shape_vec((2, 3).f(), vec![1, 4, 2, 5, 3, 6]).expect("an array");
    assert_eq!(DenseMat::<i32>::from(columns).to_dense(), [1, 2, 3, 4, 5, 6]);
    let mut reversed = a.clone();
    reversed.invert_axis(Axis(1));
    assert_eq!(DenseMat::<i32>::from(reversed).to_dense(), [3, 2, 1, 6, 5, 4]);
    // Parts: some lie in order, from an offset on.
    let all = Array2::from_shape_fn((5, 4), |(i, j)| 10 * i + j);
    for (rows, cols) in
        [(1..3, 0..4), (2..5, 1..3), (4..5, 1..4), (2..2, 0..4), (1..4, 3..3), (3..4, 2..3)]
    {
        let part = all.clone().slice_move(s![rows, cols]);
        let want: Vec<usize> = part.iter().copied().collect();
        let t: DenseMat<usize> = part.clone().into();
        assert_eq!((t.shape(), t.to_dense()), (part.shape().to_vec(), want));
    }
    let every_other = all.slice_move(s![..;2, ..;-1]);
    let t: DenseMat<usize> = every_other.clone().into();
    assert_eq!(Array2::try_from(t).expect("an array"), every_other);
}

#[test]
fn arrays_of_any_number_of_dimensions() {
    let a = ArrayD::from_shape_vec(vec![2, 3], vec![1, 2, 3, 4, 5, 6]).expect("an array");
    let at = a.as_ptr();
    let t = DenseMat::<i32>::try_from(a.clone()).expect("two dimensions");
    assert_eq!(t.to_dense(), [1, 2, 3, 4, 5, 6]);
    assert_eq!(
        Cube::<i32>::try_from(a.clone()).unwrap_err(),
        Error::Rank { expected: 3, found: 2 }
    );
    let t = DenseMat::<i32>::try_from(a).expect("two dimensions");
    assert_eq!(t.values().expect("values").as_ptr(), at);
    let six = Array::from_elem((1, 2, 1, 2, 1, 2), 0.5);
    type Six = Tensor<Dense<Dense<Dense<Dense<Dense<Dense<Element<f64>>>>>>>>;
    let t: Six = six.clone().into();
    assert_eq!(Array::<f64, ndarray::Ix6>::try_from(t).expect("an array"), six);
}

#[test]
fn empty_sizes() {
    for shape in [(0, 0), (0, 5), (5, 0), (1, 1)] {
        let a = Array2::from_elem(shape, 2.5);
        let t: DenseMat<f64> = a.clone().into();
        assert_eq!(t.shape(), [shape.0, shape.1]);
        assert_eq!(Array2::try_from(t).expect("an array"), a);
    }
    let far: Cube<f64> = Tensor::new([0, 1 << 40, 1 << 40]).expect("no elements");
    assert_eq!(
        Array::<f64, Ix3>::try_from(far).unwrap_err(),
        Error::TooLarge { shape: vec![0, 1 << 40, 1 << 40] }
    );
}

#[test]
fn views_show_the_same_values() {
    let mut a: DenseMat<f64> = Tensor::from_dense([2, 3], &HOSTILE).expect("a matrix");
    let at = a.values().expect("values").as_ptr();
    let view = ArrayView2::try_from(&a).expect("a view");
    assert_eq!((view.as_ptr(), view.shape()), (at, &[2, 3][..]));
    ArrayViewMut2::try_from(&mut a).expect("a view").column_mut(1).fill(7.0);
    assert_eq!((a.get([0, 1]), a.get([1, 1])), (Some(7.0), Some(7.0)));
}

finch! {
    fn matrix_product(a: &Csr<f64>, b: &DenseMat<f64>) -> (c: DenseMat<f64>) {
        for i, k, j { c[i, j] += a[i, k] * b[k, j] }
    }
}

#[test]
fn a_product_is_that_of_ndarray() {
    let a = Array2::from_shape_fn((7, 5), |(i, j)| ((i * 3 + j * 7) % 4) as f64 * 0.5);
    let b = Array2::from_shape_fn((5, 6), |(i, j)| ((i * 5 + j) % 7) as f64 - 2.25);
    let sparse: Csr<f64> = DenseMat::<f64>::from(a.clone()).convert().expect("a matrix");
    let c = matrix_product(&sparse, &b.clone().into());
    assert_eq!(Array2::try_from(c).expect("an array"), a.dot(&b));
}
