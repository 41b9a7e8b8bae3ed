//! Rows that are copied from one dense tensor to another, whole, in parts and in any order: element by element what loops by hand
//! copy, whatever the type and the number of columns.

// What these kernels cost and start at is on purpose.
#![allow(deprecated)]

mod bitwise;

use looplets::prelude::*;
use std::panic::catch_unwind;

level! { type Dense3 = Tensor<Dense<Dense<Dense<Element<i16>>>>>; }

finch! {
    fn gathered(p: &[usize], d: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] = d[p[i], j] }
    fn gathered_single(p: &[usize], d: &DenseMat<f32>) -> (c: DenseMat<f32>) { c[i, j] = d[p[i], j] }
    fn gathered_bytes(p: &[usize], d: &DenseMat<u8>) -> (c: DenseMat<u8>) { c[i, j] = d[p[i], j] }
    fn into_old(d: &DenseMat<f64>, c: &mut DenseMat<f64>) { for i, j { c[i, j] = d[i, j] } }
    fn scattered(p: &[usize], d: &DenseMat<f64>, c: &mut DenseMat<f64>) { for i, j { c[p[i], j] = d[i, j] } }
    fn part(d: &DenseMat<f64>, c: &mut DenseMat<f64>) { for i in 1..3, j in 2..5 { c[i - 1, j + 1] = d[i, j] } }
    fn windowed(d: &DenseMat<f64>, c: &mut DenseMat<f64>, lo: usize) { for i in 0..4, j in 0..3 { c[i, j] = d[i, j + $(lo)] } }
    fn shared(p: &[usize], d: &DenseMat<f64>) -> (c: DenseMat<f64>) { parallel for i, j { c[i, j] = d[p[i], j] } }
    fn twice(d: &DenseMat<f64>) -> (c: DenseMat<f64>, e: DenseMat<f64>) { for i, j { c[i, j] = d[i, j]; e[i, j] = d[i, j] } }
    fn planes(p: &[usize], d: &Dense3) -> (c: Dense3) { c[i, j, k] = d[p[i], j, k] }
    fn of_one_row(d: &DenseMat<f64>, x: &DenseVec<f64>) -> (c: DenseMat<f64>) { for i, j { c[i, j] = d[i, j]; c[i, j] = x[j] } }
}

fn dense(shape: [usize; 2], of: &[f64]) -> DenseMat<f64> {
    Tensor::from_dense(shape, of).expect("a matrix")
}

const COLUMNS: [usize; 12] = [0, 1, 2, 3, 5, 7, 8, 9, 16, 31, 32, 100];

#[test]
fn rows_in_any_order() {
    for n in COLUMNS {
        for rows in [0, 1, 4] {
            let of = bitwise::values(rows * n, n, 5);
            let d = dense([rows, n], &of);
            let p: Vec<usize> = (0..if rows == 0 { 0 } else { 9 }).map(|i| i * 3 % rows).collect();
            let expected: Vec<f64> =
                p.iter().flat_map(|i| &of[i * n..(i + 1) * n]).copied().collect();
            bitwise::same(&gathered(&p, &d).to_dense(), &expected, (rows, n));
            bitwise::same(&shared(&p, &d).to_dense(), &expected, (rows, n));
            let single: Vec<f32> = of.iter().map(|x| *x as f32).collect();
            let found = gathered_single(&p, &Tensor::from_dense([rows, n], &single).unwrap());
            let found: Vec<u32> = found.to_dense().iter().map(|x| x.to_bits()).collect();
            let of_p = p.iter().flat_map(|i| &single[i * n..(i + 1) * n]);
            assert_eq!(found, of_p.map(|x| x.to_bits()).collect::<Vec<_>>());
            let bytes: Vec<u8> = (0..rows * n).map(|k| (k * 37) as u8).collect();
            let found = gathered_bytes(&p, &Tensor::from_dense([rows, n], &bytes).unwrap());
            let of_p = p.iter().flat_map(|i| &bytes[i * n..(i + 1) * n]);
            assert_eq!(found.to_dense(), of_p.copied().collect::<Vec<_>>());
            let deep: Vec<i16> = (0..rows * 2 * n).map(|k| k as i16 - 9).collect();
            let found = planes(&p, &Tensor::from_dense([rows, 2, n], &deep).unwrap());
            let of_p = p.iter().flat_map(|i| &deep[i * 2 * n..(i + 1) * 2 * n]);
            assert_eq!(found.to_dense(), of_p.copied().collect::<Vec<_>>());
        }
    }
}

#[test]
fn rows_where_others_were() {
    for n in COLUMNS {
        let (of, old) = (bitwise::values(4 * n, 1, 5), bitwise::values(4 * n, 2, 5));
        let (d, mut c) = (dense([4, n], &of), dense([4, n], &old));
        into_old(&d, &mut c);
        bitwise::same(&c.to_dense(), &of, n);
        let (p, mut c, mut expected) = ([2, 0, 2, 3], dense([4, n], &old), old.clone());
        scattered(&p, &d, &mut c);
        for (i, to) in p.into_iter().enumerate() {
            expected[to * n..(to + 1) * n].copy_from_slice(&of[i * n..(i + 1) * n]);
        }
        bitwise::same(&c.to_dense(), &expected, n);
        let (c, e) = twice(&d);
        bitwise::same(&c.to_dense(), &of, n);
        bitwise::same(&e.to_dense(), &of, n);
        let x: DenseVec<f64> = Tensor::from_dense([n], &old[..n]).unwrap();
        bitwise::same(&of_one_row(&d, &x).to_dense(), &old[..n].repeat(4), n);
    }
}

#[test]
fn parts_of_rows() {
    let (of, old) = (bitwise::values(4 * 7, 1, 5), bitwise::values(4 * 7, 2, 5));
    let (d, mut c, mut expected) = (dense([4, 7], &of), dense([4, 7], &old), old.clone());
    part(&d, &mut c);
    (1..3).for_each(|i| (2..5).for_each(|j| expected[(i - 1) * 7 + j + 1] = of[i * 7 + j]));
    bitwise::same(&c.to_dense(), &expected, "a part");
    for lo in 0..=4 {
        let (mut c, mut expected) = (dense([4, 7], &old), old.clone());
        windowed(&d, &mut c, lo);
        (0..4).for_each(|i| (0..3).for_each(|j| expected[i * 7 + j] = of[i * 7 + j + lo]));
        bitwise::same(&c.to_dense(), &expected, lo);
    }
    let mut c = dense([4, 7], &old);
    assert!(catch_unwind(move || windowed(&d, &mut c, 5)).is_err());
}

#[test]
fn rows_that_are_not_there_are_errors() {
    let d = dense([3, 4], &[1.0; 12]);
    assert!(catch_unwind(|| gathered(&[0, 3], &d)).is_err());
    assert!(catch_unwind(|| gathered(&[usize::MAX], &d)).is_err());
    assert_eq!(gathered(&[5, 6], &dense([3, 0], &[])).shape(), [2, 0]);
}
