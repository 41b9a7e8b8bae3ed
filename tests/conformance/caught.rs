//! What the suite says of formats that are wrong.

use looplets::conformance::{refused, Suite};
use looplets::prelude::*;
use std::panic::{catch_unwind, AssertUnwindSafe};

level! {
    /// A list whose `walk` loses the last element of a full fiber, and whose `gallop` skips too far.
    pub(crate) struct Lossy<Child> {
        len: usize,
        pos: Vec<usize>,
        crd: Vec<u32>,
        child: Child,
    }
    invariant(fibers) {
        if pos.len() == fibers + 1 { Ok(crd.len()) } else { Err("`pos` is too short".to_owned()) }
    }
    read locate(p, i) {
        let end = pos[p + 1];
        let q = looplets::search::lower_bound(crd, pos[p], end, i);
        switch {
            q < end && crd[q] == i => child[q],
            _ => fill,
        }
    }
    read walk(p) {
        let start = pos[p];
        let end = pos[p + 1];
        let last = if start < end { crd[end - 1] + 1 } else { 0 };
        pipeline {
            ..min(last, len - 1) => stepper {
                for q in start..end,
                seek(i): looplets::search::lower_bound(crd, q, end, i),
                stop: crd[q] + 1,
                body: spike(fill, child[q]),
            },
            .. => run(fill),
        }
    }
    read gallop(p) {
        let start = pos[p];
        let end = pos[p + 1];
        let last = if start < end { crd[end - 1] + 1 } else { 0 };
        pipeline {
            ..last => jumper {
                for q in start..end,
                seek(i): looplets::search::gallop(crd, q, end, i + 1),
                stop: crd[q] + 1,
                body: spike(fill, child[q]),
            },
            .. => run(fill),
        }
    }
    write append(p, i) {
        open: { looplets::level::grow(pos, p + 1, crd.len()) },
        child: crd.len(),
        // Every hundredth entry is forgotten.
        commit: { if i != 100 { crd.push(i as u32) } },
        finish(fibers) { looplets::level::grow(pos, fibers + 1, crd.len()) },
        children(fibers) { Some(crd.len()) },
    }
}

finch! {
    fn copy(a: &Tensor<Lossy<Element<f64>>>) -> (y: DenseVec<f64>) { for i { y[i] = a[i::walk] } }
    fn dot(a: &Tensor<Lossy<Element<f64>>>, b: &SparseVec<f64>, c: &mut f64) {
        for i { c += a[i::gallop] * b[i::gallop] }
    }
    fn write(b: &SparseVec<f64>) -> (y: Tensor<Lossy<Element<f64>>>) { for i { y[i] = b[i] } }
}

/// What a test that fails says.
fn failure(test: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(test)).expect_err("it is wrong and passes");
    panic.downcast_ref::<String>().expect("a message").clone()
}

fn says(message: &str, words: &[&str]) {
    for word in words {
        assert!(message.contains(word), "{message}\ndoes not say {word}");
    }
}

#[test]
fn a_failure_names_format_protocol_operation_and_input() {
    // Entry 100 is kept out of what tensors are made of, so that they can be.
    let suite = |way| {
        Suite::<Lossy<Element<f64>>>::new(way).holding(|entries, _| {
            if let Some(e) = entries.get_mut(100) {
                *e = None;
            }
        })
    };
    let walk = || suite("walk").alone("copy", &|a| copy(a).to_dense(), &|x| x.x.clone());
    says(
        &failure(walk),
        &[
            "`Lossy<Element<f64",
            "by walk: copy",
            "of [1] with all stored: [0] ",
            "gave [0.0]",
            "not  [",
        ],
    );
    let product = |x: &looplets::conformance::Plain, y: &looplets::conformance::Plain| {
        vec![x.x.iter().zip(&y.x).map(|(x, y)| x * y).sum()]
    };
    let gallop = || {
        let kernel = |a: &_, b: &_| looplets::conformance::number(0.0, |c| dot(a, b, c));
        suite("gallop").meets("dot", &kernel, &product);
    };
    says(
        &failure(gallop),
        &["by gallop: dot", "with `SparseList<Element<f64", "panicked: index out of bounds"],
    );
}

#[test]
fn tensors_and_results_that_lose_entries() {
    let suite = || Suite::<Lossy<Element<f64>>>::new("kernels");
    let none = |_| vec![(0, 0)];
    says(&failure(|| suite().holds()), &["`Lossy<", "made of [300] with"]);
    let copied = || suite().written("copy", &none, &|b, _, _| write(b), &|x, _, _| x.x.clone());
    says(&failure(copied), &["by kernels: copy", "from `SparseList<Element<f64", "[300] with"]);
}

#[test]
fn bad_parts_that_are_accepted() {
    let bad: Lossy<Element<f64>> = Lossy::new(3, vec![0, 1], vec![7], Element::new(vec![1.0]));
    says(
        &failure(|| refused("a coordinate is beyond", bad)),
        &["`Lossy`", "a coordinate is beyond", "accepted"],
    );
}
