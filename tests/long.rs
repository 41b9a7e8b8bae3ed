//! Kernels that are so long that rustc is given them in pieces: the same results, through whatever stands between
//! pieces and in them.

use looplets::prelude::*;

/// Calls `$then` with numbers enough for a kernel of as many loops to be cut.
macro_rules! many {
    ($then:ident) => {
        $then! {
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36
            37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69
            70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99
        }
    };
}

const COUNT: usize = 100;

fn seventh(k: i64) -> i64 {
    i64::from(k == 7)
}

macro_rules! kernels {
    ($($k:literal)*) => {
        finch! {
            /// Sums, of which each piece adds to what it finds; what is defined in front is read in all.
            pub fn sums(a: &DenseVec<f64>, x: &SparseVec<f64>, c: &mut f64, last: &mut f64) {
                let scale = a[1] + 1.5;
                $( for i { c += $k * scale * a[i] * x[i] } last = scale + $k; )*
            }

            /// Elements, inputs whose sizes are checked, and loops that end early.
            pub fn elements(a: &Csr<f64>, x: &DenseVec<f64>, any: &mut bool) -> (y: DenseVec<f64>) {
                $(
                    for i, j { y[i] += ($k - 2) * a[i, j] * x[j] }
                    for i { let twice = x[i] + x[i]; any ||= twice > $k }
                )*
            }

            /// What is in no piece: code of the program's, a workspace, and entries that are appended.
            pub fn others(x: &SparseVec<i64>, n: usize, seen: &mut i64) -> (y: SparseVec<i64>) {
                let mut w: Tensor<Dense<Element<i64>>>[n];
                let mut total: i64;
                $( for i { total += $k * x[i] } seen += seventh($k); for i { w[i] += $k * x[i] } )*
                for i { y[i] = (x[i] != 0) * (total - w[i]) }
            }
        }
        const ELEMENTS: &str = explain! {
            pub fn elements(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
                $( for i, j { y[i] += ($k - 2) * a[i, j] * x[j] } )*
            }
        };
    };
}
many!(kernels);

const X: [f64; 5] = [0.0, 3.0, 0.0, 0.0, -0.5];

#[test]
fn pieces_add_to_one_sum() {
    let a = [0.5, 2.0, -1.0, 4.0, 8.0];
    let (dense, sparse) = (DenseVec::from_dense([5], &a), SparseVec::from_dense([5], &X));
    let (mut c, mut last) = (100.0, 0.0);
    sums(&dense.unwrap(), &sparse.unwrap(), &mut c, &mut last);
    let product: f64 = a.iter().zip(&X).map(|(a, x)| a * x).sum();
    let all: f64 = (0..COUNT).map(|k| k as f64 * 3.5 * product).sum();
    assert_eq!((c, last), (100.0 + all, 3.5 + (COUNT - 1) as f64));
}

#[test]
fn pieces_write_to_one_tensor() {
    let triplets = [([0, 1], 2.0), ([0, 4], -1.0), ([2, 0], 0.5), ([2, 4], 4.0), ([4, 1], 8.0)];
    let a = Csr::from_triplets([5, 5], triplets, Refuse).unwrap();
    let x = DenseVec::from_dense([5], &X).unwrap();
    let mut any = false;
    let y = elements(&a, &x, &mut any);
    let mut wanted = [0.0; 5];
    for ([i, j], value) in triplets {
        wanted[i] += (0..COUNT).map(|k| (k as f64 - 2.0) * value * X[j]).sum::<f64>();
    }
    assert_eq!(y, DenseVec::from_dense([5], &wanted).unwrap());
    assert!(any);
    let nothing = DenseVec::from_dense([5], &[-1.0; 5]).unwrap();
    let mut any = false;
    elements(&a, &nothing, &mut any);
    assert!(!any);
}

#[test]
fn what_is_in_no_piece_stands_between_them() {
    let x = [0, 5, 0, -2, 0];
    let mut seen = 0;
    let y = others(&SparseVec::from_dense([5], &x).unwrap(), 5, &mut seen);
    let all: i64 = (0..COUNT as i64).sum();
    let wanted = x.map(|value| i64::from(value != 0) * (3 * all - value * all));
    assert_eq!((y, seen), (SparseVec::from_dense([5], &wanted).unwrap(), 1));
}

#[test]
fn people_are_shown_no_pieces() {
    let (readable, tokens) = ELEMENTS.split_once("== tokens").unwrap();
    assert!(!readable.contains("(||") && tokens.contains("(||"));
}
