//! Levels that stand below the rows of square matrices.

use looplets::prelude::*;

fn leaf(n: usize) -> Element<f64> {
    Element::new(vec![2.0; n])
}

/// Leaves the entries of the coordinates for which `keep` is true.
fn keep(entries: &mut [Option<f64>], cols: usize, keep: fn(usize, usize) -> bool) {
    for (k, e) in entries.iter_mut().enumerate() {
        if !keep(k / cols, k % cols) {
            *e = None;
        }
    }
}

/// Copies the entries below the diagonal to those above.
fn mirror(entries: &mut [Option<f64>], cols: usize) {
    for k in 0..entries.len() {
        let (i, j) = (k / cols, k % cols);
        entries[k] = entries[i.max(j) * cols + i.min(j)];
    }
}

conformance! {
    mod lower: LowerTriangular in square matrices;
    read walk, locate;
    also follow;
    write locate;
    holds |entries, cols| keep(entries, cols, |i, j| j <= i);
    refuse {
        "the last row is missing": Dense::new(2, LowerTriangular::new(3, leaf(3))),
        "values are missing": Dense::new(3, LowerTriangular::new(3, leaf(5))),
    }
}

conformance! {
    mod strict_lower: StrictLowerTriangular in square matrices;
    read walk, locate;
    write insert;
    holds |entries, cols| keep(entries, cols, |i, j| j < i);
    refuse {
        "values are left over": Dense::new(3, StrictLowerTriangular::new(3, leaf(6))),
    }
}

conformance! {
    mod upper: UpperTriangular in square matrices;
    read walk, locate;
    write locate;
    holds |entries, cols| keep(entries, cols, |i, j| i <= j);
    refuse {
        "values are missing": Dense::new(3, UpperTriangular::new(3, leaf(5))),
    }
}

conformance! {
    mod strict_upper: StrictUpperTriangular in square matrices;
    read walk, locate;
    write insert;
    holds |entries, cols| keep(entries, cols, |i, j| i < j);
    refuse {
        "values are left over": Dense::new(3, StrictUpperTriangular::new(3, leaf(6))),
    }
}

conformance! {
    mod symmetric: Symmetric in square matrices;
    read walk, locate;
    also follow;
    holds mirror;
    refuse {
        "values are missing": Dense::new(3, Symmetric::new(3, leaf(5))),
    }
}
