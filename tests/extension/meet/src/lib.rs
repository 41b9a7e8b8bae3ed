//! Formats of two crates that know nothing of each other, and built-in ones, in one kernel.

#![deny(warnings, unreachable_pub, rust_2018_idioms)]

use blocks::BlockList as Vbl;
use spans::{Intervals, Strided};
use sparse::{finch, level, Dense, DenseVec, Element, SparseList, Tensor};

/// A format, a level and aliases that live in a module of this crate and are not exported.
pub mod local {
    use sparse::level;

    level! {
        /// One stored entry per fiber: a private structure of one program.
        pub(crate) struct One<Child> {
            len: usize,
            at: Vec<usize>,
            child: Child,
        }
        invariant(fibers) {
            match at.iter().position(|&i| i >= len) {
                None if at.len() == fibers => Ok(fibers),
                None => Err(format!("{} entries for {fibers} fibers", at.len())),
                Some(p) => Err(format!("the entry of fiber {p} is at {}", at[p])),
            }
        }
        read walk(p) {
            let i = at[p];
            pipeline {
                ..i + 1 => spike(fill, child[p]),
                .. => run(fill),
            }
        }
    }

    level! {
        /// An alias through this module's own level.
        pub(crate) type Selection = sparse::Tensor<sparse::Dense<crate::local::One<sparse::Pattern>>>;
    }
}

use local::Selection;

level! {
    /// An alias of an alias of another crate, with a default of its own.
    pub(crate) type Narrow<T = f64> = blocks::Blocked<T, u8>;
}

finch! {
    /// Both outside formats and a built-in over one index.
    pub fn three(
        a: &Tensor<Vbl<Element<f64>>>,
        b: &Tensor<Intervals<Element<f64>>>,
        c: &Tensor<SparseList<Element<f64>>>,
        out: &mut f64,
    ) {
        for i { out += a[i] * b[i] * c[i] }
    }
    /// A union instead of an intersection.
    pub fn three_sum(
        a: &Tensor<Vbl<Element<f64>>>,
        b: &Tensor<Intervals<Element<f64>>>,
        c: &Tensor<SparseList<Element<f64>>>,
    ) -> (y: DenseVec<f64>) {
        for i { y[i] = a[i] + 2.0 * b[i] + 3.0 * c[i] }
    }
    /// Leader and follower of different crates.
    pub fn three_led(
        a: &Tensor<Vbl<Element<f64>>>,
        b: &Tensor<Strided<Element<f64>>>,
        c: &Tensor<SparseList<Element<f64>>>,
        out: &mut f64,
    ) {
        for i { out += a[i::gallop] * b[i::follow] * c[i::gallop] }
    }
    /// The same with random access.
    pub fn three_located(
        a: &Tensor<Vbl<Element<f64>>>,
        b: &Tensor<Strided<Element<f64>>>,
        c: &Tensor<SparseList<Element<f64>>>,
        out: &mut f64,
    ) {
        for i { out += a[i::locate] * b[i::locate] * c[i] }
    }
}

finch! {
    /// Matrix times vector with a full path, an alias and a written outside format.
    pub fn by_full_path(
        a: &::sparse::Tensor<::sparse::Dense<blocks::BlockList<::sparse::Element<f64>, u16>>>,
        x: &sparse::DenseVec<f64>,
    ) -> (y: Tensor<blocks::formats::BlockList<Element<f64>>>) {
        for i { { y[i] = t } where { for j { t += a[i, j] * x[j] } } }
    }
    /// By aliases of another crate: one with an argument, one with defaults only.
    pub fn by_alias(a: &blocks::Vbr<f64>, b: &blocks::Blocked, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += (a[i, j] + b[i, j]) * x[j] }
    }
    /// By an alias of an alias, renamed through a module.
    pub fn by_module(
        a: &crate::Narrow,
        b: &Tensor<Dense<blocks::formats::Blk<Element<f64>>>>,
    ) -> (c: Tensor<Dense<Vbl<Element<f64>>>>) {
        for i, j { c[i, j] = a[i, j] + b[i, j] }
    }
    /// Levels of both crates in one tensor, in both orders.
    pub fn nested(
        a: &Tensor<Vbl<Intervals<Element<i64>>>>,
        b: &Tensor<Intervals<Vbl<Element<i64>>>>,
    ) -> (c: Tensor<Dense<Dense<Element<i64>>>>) {
        for i, j { c[i, j] = a[i, j] - b[i, j] }
    }
    /// Copies from each to each other.
    pub fn recast(
        a: &Tensor<Vbl<Intervals<Element<i64>>>>,
    ) -> (b: Tensor<Intervals<Vbl<Element<i64>>>>) {
        for i, j { b[i, j] = a[i, j] }
    }
}

finch! {
    pub(crate) fn select(s: &Selection, a: &blocks::Vbr<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += ifelse(s[i, j], a[i, j], 0.0) }
    }
}

/// The private format, used from outside the crate by way of functions only.
pub fn diagonal(n: usize, a: &blocks::Vbr<f64>) -> Vec<f64> {
    let one = local::One::new(n, (0..n).collect(), sparse::Pattern::new());
    let s: Selection = Tensor::from_parts(Dense::new(n, one)).expect("the diagonal is inside");
    select(&s, a).to_dense()
}
