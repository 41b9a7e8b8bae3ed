//! A skip list: a structure that is read by a cursor of its own type, in safe code.

#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unreachable_pub, clippy::all)]

mod cursor;
mod lanes;

// Declarations travel to crates that may call `looplets` something else.
#[doc(hidden)]
pub use looplets;

pub use cursor::Cursor;
pub use lanes::{end, find, insert, invariant, Lanes, Node, LANES};

use looplets::{level, Index};

level! {
    /// Entries that are linked in order, some of them by faster lanes as well (Pugh, *Skip lists*, CACM 1990).
    ///
    /// ```text
    /// lane 1   head ──────────────► 4 ─────────► .
    /// lane 0   head ──► 1 ────────► 4 ──► 6 ───► .
    ///                   q = 1       q = 0  q = 2      in the order in which they came
    /// ```
    ///
    /// Entry `q` is `node[q]`, its child is at position `q`; `head[p]` has the first entry of fiber `p` in each
    /// lane. Which lanes an entry is in follows from `q`. Invariant: the entries of each fiber ascend strictly
    /// and are below `len`; each entry is linked once in each of its lanes, in order, and nowhere else.
    ///
    /// Looplets: a pipeline of a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of spikes, whose state
    /// is a [`Cursor`], then a run. Costs: a step of `walk` is constant; `gallop` is logarithmic in what it
    /// skips, `locate` and an insertion in the entries of the fiber. Written in any order.
    pub struct SkipList<Child, Ix: Index = u32> {
        len: usize,
        head: Vec<crate::Lanes>,
        node: Vec<crate::Node<Ix>>,
        child: Child,
    }
    invariant(fibers) { crate::invariant(len, fibers, head, node) }
    read walk, follow | gallop, lead(p) {
        let last = crate::end(head, node, p);
        let mut at: crate::Cursor = crate::Cursor::new();
        at.begin(head, p);
        pipeline {
            ..last => stepper {
                while at.more(),
                seek(i): { at.seek(head, node, i); },
                stop: at.coordinate(node) + 1,
                body: spike(fill, child[at.position()]),
                next: { at.advance(node); },
            },
            .. => run(fill),
        }
    }
    read locate(p, i) {
        let q = crate::find(head, node, p, i);
        switch {
            q >= 0 => child[q],
            _ => fill,
        }
    }
    write insert(p, i) {
        find: crate::find(head, node, p, i),
        child: node.len(),
        commit: { crate::insert(head, node, p, i) },
        sort(fibers) { crate::looplets::level::grow(head, fibers, crate::Lanes::NONE) },
        finish(fibers) { crate::looplets::level::grow(head, fibers, crate::Lanes::NONE) },
        children(fibers) { Some(node.len()) },
    }
}

level! {
    /// A skip list as a vector.
    pub type SkipVec<T> = crate::looplets::Tensor<crate::SkipList<crate::looplets::Element<T>>>;
}

level! {
    /// A matrix with a skip list a row.
    pub type SkipRows<T> = looplets::Tensor<crate::looplets::Dense<crate::SkipList<crate::looplets::Element<T>>>>;
}
