//! The kernels that read a format whose entries are in no order: it is the one sparse operand of each loop, and where it
//! stores nothing there is nothing to do.

/// What is read by `scan`: vectors.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_vectors_scanned {
    () => {
        $crate::finch! {
            fn copy(a: &TestedVec) -> (y: DenseVec<f64>) { for i { y[i] = a[i::scan] } }
            fn total(a: &TestedVec, c: &mut f64) { for i { c += a[i::scan] } }
            fn default(a: &TestedVec, c: &mut f64) { for i { c += a[i] * a[i::locate] } }
            fn part(a: &TestedVec, lo: i64, hi: i64, c: &mut f64) { for i in lo..hi { c += a[i::scan] } }
            fn dot(a: &TestedVec, b: &SparseVec<f64>, c: &mut f64) { for i { c += a[i::scan] * b[i::locate] } }
            fn dense(a: &TestedVec, b: &DenseVec<f64>, c: &mut f64) { for i { c += b[i] * a[i::scan] } }
            fn scattered(a: &TestedVec, b: &DenseVec<f64>) -> (y: Tensor<Hash<Element<f64>>>) {
                for i { y[i] = b[i] * a[i::scan] }
            }
            fn itself(a: &TestedVec, b: &TestedVec) -> (y: DenseVec<f64>) { for i { y[i] = a[i::scan] * b[i::locate] } }
            fn several(a: &TestedVec, b: &DenseVec<f64>, c: &mut f64, d: &mut f64) {
                for i { c += a[i::scan]; d += a[i::scan] * a[i::scan] * b[i] }
            }
            fn window(a: &TestedVec, lo: i64, hi: i64) -> (y: DenseVec<f64>) {
                for k { y[k] = a[window(lo, hi)[k]::scan] }
            }
            fn padded(a: &TestedVec, lo: i64, hi: i64) -> (y: DenseVec<f64>[hi]) {
                for k in 0..hi { y[k] = coalesce(a[permit[offset(lo)[k]]::scan], 9) }
            }
            fn below(a: &TestedVec, lo: i64, hi: i64, c: &mut f64) {
                for i { if i < hi && i != lo { c += a[i::scan] } }
            }
        }

        #[test]
        fn elements() {
            let suite = suite("scan");
            suite.copied("copied to `Dense`", &|a| copy(a).to_dense());
            let sum = |x: &Plain| vec![x.x.iter().sum()];
            suite.alone("sum", &|a| number(0.0, |c| total(a, c)), &sum);
            let squares = |x: &Plain| vec![x.x.iter().map(|x| x * x).sum()];
            suite.alone("sum of squares", &|a| number(0.0, |c| default(a, c)), &squares);
        }

        #[test]
        fn others() {
            let suite = suite("scan");
            let products = |x: &Plain, y: &Plain| zip(x, y, |x, y| x * y);
            let product = |x: &Plain, y: &Plain| vec![zip(x, y, |x, y| x * y).iter().sum()];
            suite.meets("dot product by locate", &|a, b| number(0.0, |c| dot(a, b, c)), &product);
            suite.meets("dot product", &|a, b| number(0.0, |c| dense(a, b, c)), &product);
            suite.meets("product in a table", &|a, b| scattered(a, b).to_dense(), &products);
            suite.itself("product", &|a, b| itself(a, b).to_dense(), &products);
            let sums = |x: &Plain, y: &Plain| {
                vec![x.x.iter().sum(), zip(x, y, |x, y| x * x * y).iter().sum()]
            };
            let both = |a: &Tensor<_>, b: &DenseVec<f64>| {
                let (mut c, mut d) = (0.0, 0.0);
                several(a, b, &mut c, &mut d);
                vec![c, d]
            };
            suite.meets("two sums", &both, &sums);
        }

        #[test]
        fn modifiers() {
            let suite = suite("scan");
            let slice = |x: &Plain, lo: i64, hi: i64| x.x[lo as usize..hi as usize].to_vec();
            let total = |x: &Plain, lo: i64, hi: i64| vec![slice(x, lo, hi).iter().sum()];
            suite.moved("sum of a part", &parts, &|a, lo, hi| number(0.0, |c| part(a, lo, hi, c)), &total);
            suite.moved("window", &parts, &|a, lo, hi| window(a, lo, hi).to_dense(), &slice);
            let at = |x: &Plain, k: i64| usize::try_from(k).ok().and_then(|k| x.x.get(k).copied());
            let outside = |x: &Plain, d: i64, n: i64| {
                (0..n).map(|k| at(x, k - d).unwrap_or(9.0)).collect()
            };
            suite.moved("moved, with 9 outside", &shifts, &|a, d, n| padded(a, d, n).to_dense(), &outside);
            let masked = |x: &Plain, lo: i64, hi: i64| {
                let kept = x.x.iter().zip(0..).filter(|(_, i)| *i < hi && *i != lo);
                vec![kept.map(|(x, _)| x).sum::<f64>()]
            };
            suite.moved("masked", &parts, &|a, lo, hi| number(0.0, |c| below(a, lo, hi, c)), &masked);
        }
    };
}

/// What is read by `scan`: the rows of a matrix.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_rows_scanned {
    () => {
        $crate::finch! {
            fn times(a: &TestedRows, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
                for i, j { y[i] += a[i, j::scan] * x[j] }
            }
            fn dot(a: &TestedRows, b: &Csr<f64>, c: &mut f64) { for i, j { c += a[i, j::scan] * b[i, j::locate] } }
            fn columns(a: &TestedRows, b: &DenseMat<f64>) -> (y: DenseVec<f64>) {
                for i, j { y[j] += a[i, j::scan] * b[i, j] }
            }
            fn turned(a: &TestedRows) -> (y: DenseMat<f64>) { for i, j { y[j, i] = a[i, j::scan] } }
            fn lower(a: &TestedRows, c: &mut f64) { for i, j { if j < i { c += a[i, j::scan] } } }
        }

        #[test]
        fn rows() {
            let suite = suite("scan");
            let product = |x: &Plain, y: &Plain| vec![zip(x, y, |x, y| x * y).iter().sum()];
            suite.meets("dot product", &|a, b| number(0.0, |c| dot(a, b, c)), &product);
            suite.meets("matrix times vector", &|a, b| times(a, b).to_dense(), &|x, y| {
                if x.cols == 0 {
                    return vec![0.0; x.rows];
                }
                x.x.chunks(x.cols).map(|row| row.iter().zip(&y.x).map(|(x, y)| x * y).sum()).collect()
            });
            suite.meets("sums of columns of a product", &|a, b| columns(a, b).to_dense(), &|x, y| {
                let mut sums = vec![0.0; x.cols];
                for (k, (x, y)) in x.x.iter().zip(&y.x).enumerate() {
                    let j = k % sums.len();
                    sums[j] += x * y;
                }
                sums
            });
            suite.alone("transposed", &|a| turned(a).to_dense(), &|x| {
                let cell = |k: usize| x.x[k % x.rows * x.cols + k / x.rows];
                (0..x.x.len()).map(cell).collect()
            });
            suite.alone("below the diagonal", &|a| number(0.0, |c| lower(a, c)), &|x| {
                let kept = x.x.iter().enumerate().filter(|(k, _)| k % x.cols < k / x.cols);
                vec![kept.map(|(_, x)| x).sum()]
            });
        }
    };
}

/// What is read by `scan`: vectors whose fill is one.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_filled_scanned {
    () => {
        $crate::finch! {
            fn more(a: &TestedOnes) -> (y: DenseVec<f64>) { for i { y[i] = a[i::scan] - 1 } }
        }

        #[test]
        fn fill_of_one() {
            let less = |x: &Plain| x.x.iter().map(|x| x - 1.0).collect();
            suite("scan").alone("with fill 1, less 1", &|a| more(a).to_dense(), &less);
        }
    };
}

/// What is read by `scan`: sets, that is, vectors over a leaf without values.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_set_scanned {
    () => {
        $crate::finch! {
            fn count(a: &TestedSet, c: &mut f64) { for i { c += a[i::scan] } }
            fn choose(a: &TestedSet, b: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { if a[i::scan] { y[i] = b[i] } } }
            fn any(a: &TestedSet, b: &DenseVec<f64>, c: &mut f64) {
                let mut found: bool;
                for i { found ||= a[i::scan] && b[i] > 1 }
                c = ifelse(found, 1, 0);
            }
        }

        #[test]
        fn set() {
            let suite = suite("scan");
            suite.alone("number of members", &|a| number(0.0, |c| count(a, c)), &|x| {
                vec![x.x.iter().sum()]
            });
            suite.meets("chosen by membership", &|a, b| choose(a, b).to_dense(), &|x, y| {
                zip(x, y, |x, y| if x == 1.0 { y } else { 0.0 })
            });
            suite.meets("any", &|a, b| number(0.0, |c| any(a, b, c)), &|x, y| {
                let found = x.x.iter().zip(&y.x).any(|(x, y)| *x == 1.0 && *y > 1.0);
                vec![f64::from(u8::from(found))]
            });
        }
    };
}

/// What is read by `scan` of vectors with another type of coordinates.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_brief_scanned {
    ($Tested:ident) => {
        $crate::finch! {
            fn copy(a: &$Tested) -> (y: DenseVec<f64>) { for i { y[i] = a[i::scan] } }
            fn dot(a: &$Tested, b: &SparseVec<f64>, c: &mut f64) { for i { c += a[i::scan] * b[i::locate] } }
        }

        #[test]
        fn brief() {
            let suite = suite("scan");
            suite.copied("copied to `Dense`", &|a| copy(a).to_dense());
            let product = |x: &Plain, y: &Plain| vec![zip(x, y, |x, y| x * y).iter().sum()];
            suite.meets("dot product", &|a, b| number(0.0, |c| dot(a, b, c)), &product);
        }
    };
}
