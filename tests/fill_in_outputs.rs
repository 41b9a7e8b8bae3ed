//! Outputs do not store fill that a kernel computes: no runs of it, and no fibers that are all fill.

use looplets::prelude::*;

finch! {
    fn interval(a: &Tensor<SparseInterval<Element<f64>>>) -> (z: Tensor<SparseInterval<Element<f64>>>) {
        for i { z[i] = 2 * a[i] }
    }
    fn interval_above(a: &Tensor<SparseInterval<Element<f64>>>)
        -> (z: Tensor<SparseInterval<Element<f64, One>>>) {
        for i { z[i] = 2 * a[i] + 1 }
    }
    fn rows(a: &Csr<f64>) -> (z: Tensor<SparseList<SparseRunList<Element<f64>>>>) {
        for i, j { z[i, j] = -a[i, j] }
    }
    fn product(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (z: Tensor<SparseRunList<Element<f64>>>) {
        for i { z[i] = a[i] * b[i] }
    }
    fn halves(a: &Tensor<RunList<Element<f64>>>, m: &SparseVec<f64>)
        -> (z: Tensor<SparseRunList<Element<f64>>>) {
        for i { z[i] = abs(a[i]) / 2 * m[i] }
    }
    fn packed(a: &SparseVec<i64>) -> (z: Tensor<PackBits<Element<i64>>>) {
        for i { z[i] = a[i] * a[i] }
    }
}

#[test]
fn computed_fill_is_not_stored() {
    let dense = [0.0, 0.0, 5.0, 5.0, 0.0, 0.0, 3.0, 0.0];
    let s: SparseVec<f64> = Tensor::from_dense([8], &dense).unwrap();
    let z = product(&s, &s);
    assert_eq!(z.to_dense(), dense.map(|x| x * x));
    assert_eq!(z.stored(), 2);
    let a = Tensor::from_dense([8], &dense).unwrap();
    let z = halves(&a, &s);
    assert_eq!(z.to_dense(), dense.map(|x| x * x / 2.0));
    assert_eq!(z.stored(), 2);
    let z = packed(&Tensor::from_dense([8], &dense.map(|x| x as i64)).unwrap());
    assert_eq!(z.to_dense(), dense.map(|x| (x * x) as i64));
}

#[test]
fn rows_of_computed_fill_are_left_out() {
    let mut dense = vec![0.0; 400];
    dense[9] = 1.0;
    let z = rows(&Tensor::from_dense([100, 4], &dense).unwrap());
    assert_eq!(z.to_dense(), dense.iter().map(|x| -x).collect::<Vec<f64>>());
    assert_eq!(z.stored(), 1);
}

#[test]
fn an_interval_can_be_computed() {
    for dense in [[0.0, 5.0, 5.0, 0.0], [5.0, 5.0, 5.0, 5.0], [0.0; 4], [0.0, 0.0, 0.0, 1.0]] {
        let a = Tensor::from_dense([4], &dense).unwrap();
        assert_eq!(interval(&a).to_dense(), dense.map(|x| 2.0 * x));
        assert_eq!(interval_above(&a).to_dense(), dense.map(|x| 2.0 * x + 1.0));
    }
}
