//! The kernels that write a format, and the values that it must then hold.

/// What kernels write: vectors, sets of entries, and rows of matrices.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_written {
    () => {
        $crate::finch! {
            fn copy(b: &SparseVec<f64>) -> (y: TestedVec) { for i { y[i] = b[i] } }
            fn kept(b: &DenseVec<f64>) -> (y: TestedVec) { for i { if b[i] != 0 { y[i] = b[i] } } }
            fn masked(b: &SparseVec<f64>, lo: i64, hi: i64) -> (y: TestedVec) {
                for i { if lo <= i && i < hi { y[i] = b[i] } }
            }
            fn part(b: &SparseVec<f64>, n: i64, lo: i64, hi: i64) -> (y: TestedVec[n]) {
                for i in lo..hi { y[i] = b[i] }
            }
            fn again(a: &TestedVec) -> (y: TestedVec) { for i { y[i] = a[i] } }
            fn rows(b: &Csr<f64>) -> (y: TestedRows) { for i, j { y[i, j] = b[i, j] } }
            fn from_lists(a: &TestedLists) -> (y: DenseMat<f64>) { for i, j { y[i, j] = a[i, j] } }
            fn listed(b: &Dcsr<f64>) -> (y: TestedLists) { for i, j { y[i, j] = b[i, j] } }
        }

        #[test]
        fn written_vectors() {
            let suite = vectors("kernels that write it");
            suite.copies("copy", &|b| copy(b));
            suite.written("copy of what is not 0", &once, &|b, _, _| kept(b), &|x, _, _| {
                x.x.clone()
            });
            let inside = |x: &Plain, lo: i64, hi: i64| {
                let keep = |(x, i): (&f64, i64)| if (lo..hi).contains(&i) { *x } else { 0.0 };
                x.x.iter().zip(0..).map(keep).collect()
            };
            suite.written("masked copy", &parts, &|b, lo, hi| masked(b, lo, hi), &inside);
            let cut = |b: &SparseVec<f64>, lo, hi| part(b, b.shape()[0] as i64, lo, hi);
            suite.written("copy of a part", &parts, &cut, &inside);
            suite.copied("copy from itself", &|a| again(a).to_dense());
        }

        #[test]
        fn written_rows() {
            let suite = rows_of("kernels that write rows of it");
            suite.copies("copy", &|b| rows(b));
            let suite = holding::<SparseList<Vector>>("kernels that write a list of rows of it");
            suite.copies("copy", &|b| listed(b));
            suite.copied("copied to `Dense`", &|a| from_lists(a).to_dense());
        }
    };
}

/// What kernels write of any format that holds any entries.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_written_any {
    ([$any:expr]) => {};
    ([]) => {
        $crate::finch! {
            #![dense]
            fn every(b: &DenseVec<f64>) -> (y: TestedVec) { for i { y[i] = b[i] } }
            fn runs(b: &RunVec) -> (y: TestedVec) { for i { y[i] = b[i] } }
            fn over(b: &Csr<f64>) -> (y: TestedOver) { for i, j { y[i, j] = b[i, j] } }
            fn from_over(a: &TestedOver) -> (y: DenseMat<f64>) { for i, j { y[i, j] = a[i, j] } }
        }

        #[test]
        fn any_entries() {
            let suite = vectors("kernels that write it");
            suite.copies("copy of all", &|b| every(b));
            suite.copies("copy of runs", &|b| runs(b));
        }

        #[test]
        fn over_lists() {
            let suite = $crate::conformance::Suite::<Under<Lower<Element<f64>>>>::new(
                "kernels that write it over another level",
            );
            suite.holds();
            suite.copies("copy", &|b| over(b));
            suite.copied("copied to `Dense`", &|a| from_over(a).to_dense());
        }
    };
}

/// What kernels write of a sum with what they read of the same format, unless its entries are in no order.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_written_sum {
    ([$any:expr] $ps:tt) => {};
    ([] [scan $($p:ident)*]) => {};
    ([] $ps:tt) => {
        $crate::finch! {
            fn sum(a: &TestedVec, b: &SparseVec<f64>) -> (y: TestedVec) { for i { y[i] = a[i] + b[i] } }
        }

        #[test]
        fn sum_of_entries() {
            let suite = vectors("kernels that write it");
            suite.meets("sum", &|a, b| sum(a, b).to_dense(), &|x, y| zip(x, y, |x, y| x + y));
        }
    };
}

/// What only formats that are written in any order can be.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_scattered {
    (append $any:tt) => {};
    ($order:ident [$any:expr]) => {};
    ($order:ident []) => {
        $crate::finch! {
            #![dense]
            fn scatter(b: &DenseVec<f64>, n: i64, last: i64) -> (y: TestedVec[n]) { for k { y[last - k] = b[k] } }
        }

        #[test]
        fn scattered() {
            let suite = vectors("kernels that write it in any order");
            let backwards = |b: &DenseVec<f64>| {
                let n = b.shape()[0] as i64;
                scatter(b, n, n - 1)
            };
            let reversed = |x: &Plain, _, _| x.x.iter().rev().copied().collect();
            suite.written("reversed copy", &once, &|b, _, _| backwards(b), &reversed);
        }
    };
}

/// What kernels write of a level below another.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_below {
    ($order:ident) => {
        mod written {
            use super::{rows as suite, tested::*};
            $crate::finch! {
                fn rows(b: &Csr<f64>) -> (y: TestedRows) { for i, j { y[i, j] = b[i, j] } }
                fn twice(a: &TestedRows) -> (y: TestedRows) { for i, j { y[i, j] = 2 * a[i, j] } }
            }

            #[test]
            fn written_rows() {
                let suite = suite("kernels that write rows of it");
                suite.copies("copy", &|b| rows(b));
                let twofold = |x: &Plain| x.x.iter().map(|x| 2.0 * x).collect();
                suite.alone("twice itself", &|a| twice(a).to_dense(), &twofold);
            }
        }
    };
}
