//! Levels that store what nobody wrote, over a leaf that has no value for it: all of it would be `true`.

use looplets::prelude::*;

level! { type Lists = Tensor<Dense<SparseList<Pattern>>>; }

finch! {
    fn runs(a: &Tensor<SparseList<Pattern>>) -> (c: Tensor<RunList<Pattern>>) { c[i] = a[i] }
}
finch! {
    fn runs_of_rows(a: &Lists) -> (c: Tensor<Dense<RunList<Pattern>>>) { c[i, j] = a[i, j] }
}
finch! {
    fn reduced(a: &DenseMat<f64>) -> (c: Tensor<RunList<Pattern>>) { c[i] ||= a[i, j] > 0 }
}
finch! {
    fn dense(a: &Lists) -> (c: Tensor<Dense<Dense<Pattern>>>) { c[i, j] = a[i, j] }
}
finch! {
    fn symmetric(a: &Lists) -> (c: Tensor<Dense<Symmetric<Pattern>>>) {
        for i, j { if j <= i { c[i, j] = a[i, j] } }
    }
}
finch! {
    fn triangular(a: &Lists) -> (c: Tensor<Dense<LowerTriangular<Pattern>>>) {
        for i, j { if j <= i { c[i, j] = a[i, j] } }
    }
}
finch! {
    fn below_the_diagonal(a: &Lists) -> (c: Tensor<Dense<StrictLowerTriangular<Pattern>>>) {
        for i, j { if j < i { c[i, j] = a[i, j] } }
    }
}
finch! {
    fn above_the_diagonal(a: &Lists) -> (c: Tensor<Dense<StrictUpperTriangular<Pattern>>>) {
        for i, j { if i < j { c[i, j] ||= a[i, j] } }
    }
}

level! {
    /// Fills the gap in front of an entry, and does not say so.
    pub struct Filled<Child> {
        len: usize,
        pos: Vec<usize>,
        child: Child,
    }
    invariant(fibers) {
        let ends = pos.windows(2).all(|w| w[0] <= w[1] && w[1] - w[0] <= len);
        if pos.len() == fibers + 1 && ends { Ok(pos[fibers]) } else { Err("not cut".to_string()) }
    }
    read walk(p) {
        let first = pos[p];
        let n = pos[p + 1] - first;
        pipeline {
            ..n => lookup(|i| child[first + i]),
            .. => run(fill),
        }
    }
    write append(p, i) {
        open: {
            pos.truncate(p + 1);
            looplets::level::grow(pos, p + 1, pos.last().copied().unwrap_or(0))
        },
        child: pos[p] + i,
        commit: {
            let end = pos[p] + i + 1;
            pos.truncate(p + 1);
            pos.push(end);
        },
        finish(fibers) { looplets::level::grow(pos, fibers + 1, pos.last().copied().unwrap_or(0)) },
        children(fibers) { Some(pos.last().copied().unwrap_or(0)) },
    }
}

finch! {
    fn of_a_stranger(a: &Tensor<SparseList<Pattern>>) -> (c: Tensor<Filled<Pattern>>) { c[i] = a[i] }
}

fn main() {}
