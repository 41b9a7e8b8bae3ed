//! Results that are stored by columns and made in parts by parallel loops over columns: of many chunks and of one, of levels that are joined
//! and of those that are assembled again.

mod bitwise;

use bitwise::{same, values};
use looplets::prelude::*;

finch! {
    fn list(a: &Csc<f64>) -> (c: Csc<f64>) { parallel for j { for i { c[i, j] = a[i, j] * 2 } } }
    fn runs(a: &Csc<f64>) -> (c: ByColumns<Dense<RunList<Element<f64>>>>) { parallel for j { for i { c[i, j] = a[i, j] * 2 } } }
    fn dense(a: &Csc<f64>) -> (c: ByColumns<Dense<Dense<Element<f64>>>>) { parallel for j { for i { c[i, j] = a[i, j] * 2 } } }
    fn few(a: &Csc<f64>) -> (c: ByColumns<SparseList<SparseList<Element<f64>>>>) { parallel for j { for i { c[i, j] = a[i, j] * 2 } } }
    fn tree(a: &Csc<f64>) -> (c: ByColumns<Dense<Bst<Element<f64>>>>) { parallel for j { for i { c[i, j] = a[i, j] * 2 } } }
    fn upper(a: &Csc<f64>, n: usize, m: usize) -> (c: Csc<f64>[n, m]) { parallel for j { for i in 0..j { c[i, j] = a[i, j] * 2 } } }
}

#[test]
fn parts_are_joined_by_columns() {
    for worth in [1, 1 << 17] {
        looplets::rt::parallel::worth(worth);
        for (seed, [n, m]) in
            [[0, 0], [3, 0], [0, 4], [1, 1], [3, 70], [70, 3], [20, 33]].into_iter().enumerate()
        {
            let of = values(n * m, seed, 9);
            let stored = |k: &usize| (k * 7919 + seed) % 5 < 2;
            let entries: Vec<([usize; 2], f64)> =
                (0..n * m).filter(stored).map(|k| ([k / m, k % m], of[k])).collect();
            let a: Csc<f64> =
                Csc::from_triplets([n, m], entries.iter().copied(), Refuse).expect("a matrix");
            let mut expected = vec![0.0; n * m];
            let mut above = vec![0.0; n * m];
            for ([i, j], x) in &entries {
                expected[i * m + j] = x * 2.0;
                if i < j {
                    above[i * m + j] = x * 2.0;
                }
            }
            same(&list(&a).to_dense(), &expected, (n, m));
            same(&runs(&a).to_dense(), &expected, (n, m));
            same(&dense(&a).to_dense(), &expected, (n, m));
            same(&few(&a).to_dense(), &expected, (n, m));
            same(&tree(&a).to_dense(), &expected, (n, m));
            if m <= n + 1 {
                same(&upper(&a, n, m).to_dense(), &above, (n, m));
            }
        }
    }
}
