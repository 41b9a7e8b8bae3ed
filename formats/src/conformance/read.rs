//! The kernels that read a format, and the plain Rust they are compared with. They are a macro because
//! `finch!` compiles for formats that it is shown by name.

/// What is read by one protocol: vectors.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_vectors {
    (scan) => { $crate::__conformance_vectors_scanned! {} };
    ($p:ident) => {
        $crate::finch! {
            fn copy(a: &TestedVec) -> (y: DenseVec<f64>) { for i { y[i] = a[i::$p] } }
            // What a format stores may be all there is.
            #[allow(deprecated)]
            fn list(a: &TestedVec) -> (y: SparseVec<f64>) { for i { y[i] = a[i::$p] } }
            // What a format does not store is to take part.
            #[allow(deprecated)]
            fn least(a: &TestedVec, c: &mut f64) { for i { c <<min>>= a[i::$p] } }
            fn part(a: &TestedVec, lo: i64, hi: i64, c: &mut f64) { for i in lo..hi { c += a[i::$p] } }
            fn dot(a: &TestedVec, b: &SparseVec<f64>, c: &mut f64) { for i { c += a[i::$p] * b[i] } }
            fn gallop(a: &TestedVec, b: &SparseVec<f64>, c: &mut f64) {
                for i { c += a[i::$p] * b[i::gallop] }
            }
            fn sum(a: &TestedVec, b: &SparseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = b[i] + a[i::$p] } }
            fn runs(a: &TestedVec, b: &RunVec) -> (y: DenseVec<f64>) { for i { y[i] = a[i::$p] * b[i] } }
            fn runs_sum(a: &TestedVec, b: &RunVec, c: &mut f64) { for i { c += b[i] + 2 * a[i::$p] } }
            fn band(a: &TestedVec, b: &BandVec) -> (y: DenseVec<f64>) { for i { y[i] = b[i] - a[i::$p] } }
            fn dense(a: &TestedVec, b: &DenseVec<f64>, c: &mut f64) { for i { c += b[i] * a[i::$p] } }
            fn twice(a: &TestedVec, b: &TestedVec, c: &mut f64) { for i { c += a[i::$p] * b[i::$p] } }
            fn both(a: &TestedVec, b: &TestedVec) -> (y: DenseVec<f64>) { for i { y[i] = a[i::$p] - 2 * b[i::$p] } }
            fn window(a: &TestedVec, lo: i64, hi: i64) -> (y: DenseVec<f64>) {
                for k { y[k] = a[window(lo, hi)[k]::$p] }
            }
            fn padded(a: &TestedVec, lo: i64, hi: i64) -> (y: DenseVec<f64>[hi]) {
                for k in 0..hi { y[k] = coalesce(a[permit[offset(lo)[k]]::$p], 9) }
            }
            fn stride(a: &TestedVec, lo: i64, hi: i64, c: &mut f64) {
                for k in lo..hi { c += a[(2 * k + 1)::$p] }
            }
            fn below(a: &TestedVec, lo: i64, hi: i64, c: &mut f64) {
                for i { if i < hi && i != lo { c += a[i::$p] } }
            }
        }

        #[test]
        fn elements() {
            let suite = suite(stringify!($p));
            suite.copied("copied to `Dense`", &|a| copy(a).to_dense());
            suite.copied("copied to `SparseList`", &|a| list(a).to_dense());
            let minimum = |x: &Plain| x.x.iter().copied().fold(9.0, f64::min);
            suite.alone("least element", &|a| number(9.0, |c| least(a, c)), &|x| vec![minimum(x)]);
        }

        #[test]
        fn lists() {
            let suite = suite(stringify!($p));
            let product = |x: &Plain, y: &Plain| vec![zip(x, y, |x, y| x * y).iter().sum()];
            suite.meets("dot product by walk", &|a, b| number(0.0, |c| dot(a, b, c)), &product);
            suite.meets("dot product by gallop", &|a, b| number(0.0, |c| gallop(a, b, c)), &product);
            suite.meets("sum", &|a, b| sum(a, b).to_dense(), &|x, y| zip(x, y, |x, y| x + y));
            let product = |x: &Plain, y: &Plain| vec![zip(x, y, |x, y| x * y).iter().sum()];
            suite.itself("dot product", &|a, b| number(0.0, |c| twice(a, b, c)), &product);
            suite.itself("difference", &|a, b| both(a, b).to_dense(), &|x, y| zip(x, y, |x, y| x - 2.0 * y));
        }

        #[test]
        fn others() {
            let suite = suite(stringify!($p));
            let product = |x: &Plain, y: &Plain| vec![zip(x, y, |x, y| x * y).iter().sum()];
            suite.meets("product", &|a, b| runs(a, b).to_dense(), &|x, y| zip(x, y, |x, y| x * y));
            let twice = |x: &Plain, y: &Plain| vec![zip(x, y, |x, y| 2.0 * x + y).iter().sum()];
            suite.meets("sum of sums", &|a, b| number(0.0, |c| runs_sum(a, b, c)), &twice);
            suite.meets("difference", &|a, b| band(a, b).to_dense(), &|x, y| zip(x, y, |x, y| y - x));
            suite.meets("dot product", &|a, b| number(0.0, |c| dense(a, b, c)), &product);
        }

        #[test]
        fn modifiers() {
            let suite = suite(stringify!($p));
            let slice = |x: &Plain, lo: i64, hi: i64| x.x[lo as usize..hi as usize].to_vec();
            let total = |x: &Plain, lo: i64, hi: i64| vec![slice(x, lo, hi).iter().sum()];
            suite.moved("sum of a part", &parts, &|a, lo, hi| number(0.0, |c| part(a, lo, hi, c)), &total);
            suite.moved("window", &parts, &|a, lo, hi| window(a, lo, hi).to_dense(), &slice);
            let at = |x: &Plain, k: i64| usize::try_from(k).ok().and_then(|k| x.x.get(k).copied());
            let outside = |x: &Plain, d: i64, n: i64| {
                (0..n).map(|k| at(x, k - d).unwrap_or(9.0)).collect()
            };
            suite.moved("moved, with 9 outside", &shifts, &|a, d, n| padded(a, d, n).to_dense(), &outside);
            let halves = |n: i64| vec![(0, n / 2), (n / 5, n / 3), (n / 4, n / 4)];
            let odd = |x: &Plain, lo: i64, hi: i64| {
                vec![(lo..hi).map(|k| x.x[2 * k as usize + 1]).sum::<f64>()]
            };
            suite.moved("every other", &halves, &|a, lo, hi| number(0.0, |c| stride(a, lo, hi, c)), &odd);
            let masked = |x: &Plain, lo: i64, hi: i64| {
                let kept = x.x.iter().zip(0..).filter(|(_, i)| *i < hi && *i != lo);
                vec![kept.map(|(x, _)| x).sum::<f64>()]
            };
            suite.moved("masked", &parts, &|a, lo, hi| number(0.0, |c| below(a, lo, hi, c)), &masked);
        }
    };
}

/// What is read by one protocol: the rows of a matrix.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_rows {
    (scan) => { $crate::__conformance_rows_scanned! {} };
    ($p:ident) => {
        $crate::finch! {
            fn times(a: &TestedRows, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
                for i, j { y[i] += a[i, j::$p] * x[j] }
            }
            fn dot(a: &TestedRows, b: &Csr<f64>, c: &mut f64) { for i, j { c += a[i, j::$p] * b[i, j] } }
            fn sum(a: &TestedRows, b: &Csr<f64>) -> (y: DenseMat<f64>) { for i, j { y[i, j] = b[i, j] + a[i, j::$p] } }
            fn columns(a: &TestedRows, b: &RunRows) -> (y: DenseVec<f64>) { for i, j { y[j] += a[i, j::$p] * b[i, j] } }
            fn lower(a: &TestedRows, c: &mut f64) { for i, j { if j < i { c += a[i, j::$p] } } }
        }

        #[test]
        fn rows() {
            let suite = suite(stringify!($p));
            let product = |x: &Plain, y: &Plain| vec![zip(x, y, |x, y| x * y).iter().sum()];
            suite.meets("dot product", &|a, b| number(0.0, |c| dot(a, b, c)), &product);
            suite.meets("sum", &|a, b| sum(a, b).to_dense(), &|x, y| zip(x, y, |x, y| x + y));
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
            suite.alone("below the diagonal", &|a| number(0.0, |c| lower(a, c)), &|x| {
                let kept = x.x.iter().enumerate().filter(|(k, _)| k % x.cols < k / x.cols);
                vec![kept.map(|(_, x)| x).sum()]
            });
        }
    };
}

/// What is read by one protocol: vectors whose fill is one.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_filled {
    (scan) => { $crate::__conformance_filled_scanned! {} };
    ($p:ident) => {
        $crate::finch! {
            fn dot(a: &TestedOnes, b: &SparseVec<f64>, c: &mut f64) { for i { c += a[i::$p] * b[i] } }
            fn sum(a: &TestedOnes, b: &RunVec) -> (y: DenseVec<f64>) { for i { y[i] = b[i] + a[i::$p] } }
        }

        #[test]
        fn fill_of_one() {
            let suite = suite(stringify!($p));
            let product = |x: &Plain, y: &Plain| vec![zip(x, y, |x, y| x * y).iter().sum()];
            suite.meets("with fill 1, dot product", &|a, b| number(0.0, |c| dot(a, b, c)), &product);
            let sums = |x: &Plain, y: &Plain| zip(x, y, |x, y| x + y);
            suite.meets("with fill 1, sum", &|a, b| sum(a, b).to_dense(), &sums);
        }
    };
}

/// What is read by one protocol: sets, that is, vectors over a leaf without values.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_set {
    (scan) => {
        $crate::__conformance_set_scanned! {}
    };
    ($p:ident) => {
        $crate::finch! {
            fn count(a: &TestedSet, c: &mut f64) { for i { c += a[i::$p] } }
            fn choose(a: &TestedSet, b: &SparseVec<f64>) -> (y: DenseVec<f64>) {
                for i { y[i] = ifelse(a[i::$p], b[i], 7) }
            }
        }

        #[test]
        fn set() {
            let suite = suite(stringify!($p));
            suite.alone("number of members", &|a| number(0.0, |c| count(a, c)), &|x| {
                vec![x.x.iter().sum()]
            });
            suite.meets("chosen by membership", &|a, b| choose(a, b).to_dense(), &|x, y| {
                zip(x, y, |x, y| if x == 1.0 { y } else { 7.0 })
            });
        }
    };
}

/// What is read of vectors by a protocol that is like another, or with another type of coordinates.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_brief {
    (scan $Tested:ident) => {
        $crate::__conformance_brief_scanned! { $Tested }
    };
    ($p:ident $Tested:ident) => {
        $crate::finch! {
            fn copy(a: &$Tested) -> (y: DenseVec<f64>) { for i { y[i] = a[i::$p] } }
            fn dot(a: &$Tested, b: &SparseVec<f64>, c: &mut f64) { for i { c += a[i::$p] * b[i] } }
        }

        #[test]
        fn brief() {
            let suite = suite(stringify!($p));
            suite.copied("copied to `Dense`", &|a| copy(a).to_dense());
            let product = |x: &Plain, y: &Plain| vec![zip(x, y, |x, y| x * y).iter().sum()];
            suite.meets("dot product", &|a, b| number(0.0, |c| dot(a, b, c)), &product);
        }
    };
}
