//! `Headed` by the suite, and kernels of its own.

use looplets::prelude::*;
use tiles::{Headed, HeadedRows};

fn leaf(n: usize) -> Element<f64> {
    Element::new(vec![2.0; n])
}

conformance! {
    mod headed: Headed;
    read walk, gallop, locate;
    also follow, lead;
    write append;
    coordinates u8, u64;
    refuse {
        "the head is missing": Headed::new(20, vec![0, 1], vec![17], leaf(1)),
        "the tail begins in the head": Headed::new(20, vec![0, 1], vec![15], leaf(17)),
        "a coordinate is beyond the size": Headed::new(20, vec![0, 1], vec![20], leaf(17)),
        "coordinates descend": Headed::new(20, vec![0, 2], vec![19, 18], leaf(18)),
        "entries are left over": Headed::new(20, vec![0, 1], vec![18, 19], leaf(18)),
        "the tail of a short fiber is not empty": Headed::new(3, vec![0, 1], vec![17], leaf(4)),
    }
}

finch! {
    fn product(a: &HeadedRows<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j] * x[j] }
    }
    fn scaled(a: &HeadedRows<f64>, b: &Csr<f64>) -> (c: HeadedRows<f64>) {
        for i, j { c[i, j] = a[i, j::gallop] * b[i, j::gallop] }
    }
}

#[test]
fn rows() {
    for cols in [0, 5, 16, 17, 40] {
        let x: Vec<f64> = (0..3 * cols).map(|k| if k % 3 == 1 { k as f64 } else { 0.0 }).collect();
        let y: Vec<f64> =
            (0..3 * cols).map(|k| if k % 4 < 2 { 1.0 + k as f64 } else { 0.0 }).collect();
        let a: HeadedRows<f64> = Tensor::from_dense([3, cols], &x).unwrap();
        let b: Csr<f64> = Tensor::from_dense([3, cols], &y).unwrap();
        let ones = Tensor::from_dense([cols], &vec![1.0; cols]).unwrap();
        let sums: Vec<f64> = (0..3).map(|i| x[i * cols..][..cols].iter().sum()).collect();
        assert_eq!(product(&a, &ones).to_dense(), sums);
        let products: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x * y).collect();
        assert_eq!(scaled(&a, &b).to_dense(), products);
        assert_eq!(
            a.stored(),
            3 * cols.min(16)
                + x.iter().enumerate().filter(|(k, v)| k % cols >= 16 && **v != 0.0).count()
        );
    }
}
