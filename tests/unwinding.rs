//! What is left where a kernel does not come to its end: nothing leaks, nothing aborts, tensors stay valid.

use looplets::prelude::*;
use std::cell::Cell;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::rc::Rc;

/// A value with something to drop.
#[derive(Clone, PartialEq, Debug)]
struct Held(Option<Rc<()>>);

fill! {
    /// Nothing is held.
    fill Nothing = nothing;
}
impl Fill<Held> for Nothing {
    const VALUE: Held = Held(None);
}

thread_local! {
    /// After how many calls `passed` panics.
    static LEFT: Cell<usize> = const { Cell::new(0) };
    /// How the assembly of a `Fickle` ends.
    static ENDS: Cell<Ends> = const { Cell::new(Ends::Well) };
}

fn passed(held: Held) -> Held {
    LEFT.set(LEFT.get().checked_sub(1).expect("this often and no more"));
    held
}

level! { type Set = Tensor<SparseList<Pattern>>; }
level! { type Holding = Tensor<SparseList<Element<Held, Nothing>>>; }
level! { type All = Tensor<Dense<Element<Held, Nothing>>>; }
level! { type Some = Tensor<Dense<Element<bool>>>; }

finch! { fn listed(p: &Set, a: &All) -> (y: Holding) { for i { if p[i] { y[i] = passed(a[i]) } } } }
finch! { fn filtered(p: &Some, a: &All) -> (y: Holding) { for i { if p[i] { y[i] = passed(a[i]) } } } }
finch! { fn both(p: &Set, q: &Set, a: &All) -> (y: Holding) {
    for i { if p[i] || q[i] { y[i] = passed(a[i]) } }
} }

level! { type Mask = Tensor<Dense<SparseList<Pattern>>>; }
level! { type HoldingRows = Tensor<Dense<UnorderedList<Element<Held, Nothing>>>>; }

finch! { fn inserted(p: &Mask, q: &Mask, a: &All) -> (y: HoldingRows) {
    for i, k, j { if p[i, k] { if q[k, j] { y[i, j] = passed(a[j]) } } }
} }

#[test]
fn what_was_inserted_when_an_operator_panics_is_dropped() {
    let one = Rc::new(());
    let n = 9;
    let a: All = Tensor::from_dense([n], &vec![Held(Some(one.clone())); n]).unwrap();
    let mask = |step: usize| -> Mask {
        let all: Vec<bool> = (0..n * n).map(|k| k % step != 0).collect();
        Tensor::from_dense([n, n], &all).unwrap()
    };
    let (p, q) = (mask(3), mask(5));
    let before = Rc::strong_count(&one);
    for calls in [0, 1, 5, 30, 200, n * n * n] {
        LEFT.set(calls);
        let made = catch_unwind(AssertUnwindSafe(|| inserted(&p, &q, &a)));
        if let Ok(y) = &made {
            assert_eq!(Rc::strong_count(&one) - before, y.stored());
        }
        drop(made);
        assert_eq!(Rc::strong_count(&one), before, "after {calls} calls");
    }
}

#[test]
fn what_was_put_when_an_operator_panics_is_dropped() {
    let one = Rc::new(());
    let n = 40;
    let a: All = Tensor::from_dense([n], &vec![Held(Some(one.clone())); n]).unwrap();
    let p: Set = Tensor::from_dense([n], &(0..n).map(|i| i % 3 != 0).collect::<Vec<_>>()).unwrap();
    let q: Set = Tensor::from_dense([n], &(0..n).map(|i| i % 5 != 0).collect::<Vec<_>>()).unwrap();
    let some: Some = Tensor::from_dense([n], &p.to_dense()).unwrap();
    let before = Rc::strong_count(&one);
    let run = |calls: usize, kernel: &dyn Fn() -> Holding| {
        LEFT.set(calls);
        let made = catch_unwind(AssertUnwindSafe(kernel));
        drop(made);
        assert_eq!(Rc::strong_count(&one), before, "after {calls} calls");
    };
    for calls in [0, 1, 2, 7, n] {
        run(calls, &|| listed(&p, &a));
        run(calls, &|| filtered(&some, &a));
        run(calls, &|| both(&p, &q, &a));
    }
}

/// How something ends.
#[derive(Clone, Copy, PartialEq)]
enum Ends {
    Well,
    Refused,
    Panicking,
}

fn finished(pos: &mut Vec<usize>, fibers: usize, count: usize) -> Result<(), String> {
    match ENDS.get() {
        Ends::Well => looplets::levels::end_fibers(pos, fibers, count),
        Ends::Refused => Err("it does not end".to_owned()),
        Ends::Panicking => panic!("it ends badly"),
    }
}

level! {
    /// A list whose author vouches for nothing.
    pub struct Fickle<Child, Ix: Index = u32> {
        len: usize,
        pos: Vec<usize>,
        crd: Vec<Ix>,
        child: Child,
    }
    invariant(fibers) { looplets::levels::sparse_list_invariant(len, fibers, pos, crd) }
    read walk(p) {
        let start = pos[p];
        let end = pos[p + 1];
        let last = if start < end { crd[end - 1] + 1 } else { 0 };
        pipeline {
            ..last => stepper {
                for q in start..end,
                seek(i): looplets::search::lower_bound(crd, q, end, i),
                stop: crd[q] + 1,
                body: spike(fill, child[q]),
            },
            .. => run(fill),
        }
    }
    write append(p, i) {
        open: { looplets::levels::begin_fiber(pos, p, crd.len()) },
        each { crd: Ix::from_i64(i as i64) },
        thaw: {
            pos.truncate(1);
            crd.last().map_or(0, |c| c.to_i64() as usize + 1)
        },
        finish(fibers) { crate::finished(pos, fibers, crd.len()) },
    }
}
level! { type Changed = Tensor<Fickle<Element<f64>>>; }

fn changes(x: f64, ends: Ends, goes_on: bool) -> f64 {
    ENDS.set(ends);
    assert!(goes_on, "an operator that panics");
    x
}

finch! { fn more(a: &DenseVec<f64>, y: &mut Changed, d: usize, ends: Ends, on: bool) {
    for i { y[i + d] = changes(a[i], $(ends), $(on)) }
} }
finch! { fn checked(a: &DenseVec<f64>, y: &mut Changed, d: usize, ends: Ends, on: bool) -> Result<(), Error> {
    for i { y[i + d] = changes(a[i], $(ends), $(on)) }
} }

#[test]
fn a_level_that_refuses_to_end_leaves_a_tensor_without_elements() {
    let a: DenseVec<f64> = Tensor::from_dense([2], &[0.25, f64::NAN]).unwrap();
    for ends in [Ends::Well, Ends::Refused, Ends::Panicking] {
        for on in [true, false] {
            for fallible in [false, true] {
                ENDS.set(Ends::Well);
                let mut y: Changed = Tensor::from_dense([4], &[1.0, 0.0, 0.0, 0.0]).unwrap();
                let ended = catch_unwind(AssertUnwindSafe(|| match fallible {
                    true => checked(&a, &mut y, 2, ends, on).map_err(|e| e.to_string()),
                    false => {
                        more(&a, &mut y, 2, ends, on);
                        Ok(())
                    }
                }));
                ENDS.set(Ends::Well);
                let well = ends == Ends::Well && on;
                assert_eq!(matches!(ended, Ok(Ok(()))), well);
                if fallible && ends == Ends::Refused && on {
                    assert!(ended.unwrap().unwrap_err().contains("it does not end"));
                }
                let shape = if ends == Ends::Well { vec![4] } else { vec![0] };
                assert_eq!(y.shape(), shape);
                assert_eq!(y.stored(), if well { 3 } else { 0 });
            }
        }
    }
}
