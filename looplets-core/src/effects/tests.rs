//! What each kind of term and statement is said to do.

use super::Effects;
use crate::ast::Form;
use crate::cin::*;
use crate::kernel::{Array, Kernel, Raw, Ty, VarKind};
use crate::kir::{CopyRow, GiveBack, Kir, PutRun};
use crate::opaque::Opaque;
use crate::runtime::Runtime;
use quote::{format_ident, quote};

const OF: (TensorId, usize) = (TensorId(0), 0);
/// Arrays of numbers; the second is not trusted.
const A: ArrayId = ArrayId(0);
const B: ArrayId = ArrayId(1);
const REALS: ArrayId = ArrayId(2);

struct Ids {
    kernel: Kernel,
    i: VarId,
    s: VarId,
}

fn ids() -> Ids {
    let mut kernel = Kernel::new(quote!(krate), true, Form::Inline);
    for (name, ty, trusted) in [("a", "i32", true), ("b", "i32", false), ("reals", "f64", true)] {
        let (name, elem, elem_tokens) = (name.to_owned(), Ty::named(ty), quote!(ty));
        kernel.arrays.push(Array { name, elem, elem_tokens, trusted, tensor: TensorId(0) });
    }
    let i = kernel.var("i", VarKind::Index, Ty::Index);
    let s = kernel.var("s", VarKind::Scalar, Ty::named("i32"));
    Ids { kernel, i, s }
}

impl Ids {
    fn load(&self, array: ArrayId) -> Expr {
        Expr::Load(array, Box::new(Expr::Var(self.i)))
    }
    fn raw(&mut self, code: Opaque, names: Vec<Expr>, effect: bool) -> Expr {
        let names = names.into_iter().enumerate().map(|(n, e)| (format_ident!("x{n}"), e));
        let raw = Raw { code, names: names.collect(), ty: Ty::Unknown, effect };
        self.kernel.opaque(raw)
    }
    fn code(&self, k: Kir) -> Effects {
        self.kernel.effects_of_code(&[k])
    }
}

#[test]
fn an_element_of_an_array_that_nothing_vouches_for_may_be_refused() {
    let ids = ids();
    let of = |array| ids.kernel.effects(&ids.load(array));
    assert!(of(A).is_harmless());
    assert!(of(B).refuses && of(B).is_pure());
    assert_eq!(of(A).reads.vars, [ids.i].into());
    assert_eq!(of(A).reads.arrays, [A].into());
}

#[test]
fn arithmetic_traps_by_its_type() {
    let ids = ids();
    let sum = |array| {
        let e = Expr::call(Op::Add, [ids.load(array), Expr::int(1)]);
        ids.kernel.effects(&e)
    };
    assert!(sum(A).traps && sum(A).is_pure() && !sum(A).is_harmless());
    assert!(sum(REALS).is_harmless());
    // A position is far from what its type holds; but it may divide by 0.
    let place = |op| ids.kernel.effects(&Expr::call(op, [Expr::Var(ids.i), Expr::int(3)]));
    assert!(place(Op::Mul).is_harmless());
    assert!(place(Op::Div).traps);
}

#[test]
fn methods_trap_by_what_they_are_called_on() {
    let ids = ids();
    let method = |name: &str, array| {
        let op = Op::written(name, 1).expect("a method");
        ids.kernel.effects(&Expr::call(op, [ids.load(array)]))
    };
    // What is given does not say it: one gives a condition, the other a number.
    assert!(method("is_nan", REALS).is_harmless() && method("sqrt", REALS).is_harmless());
    assert!(method("ilog2", A).traps && method("abs", A).traps);
}

#[test]
fn what_opaque_code_names_is_read_and_if_it_has_an_effect_is_written() {
    let mut ids = ids();
    let element = ids.load(A);
    let rust = ids.raw(Opaque::Rust(quote!(x0 + x1)), vec![element, Expr::Var(ids.s)], false);
    let effects = ids.kernel.effects(&rust);
    assert!(effects.opaque && effects.traps && !effects.is_pure());
    assert_eq!(effects.reads.vars, [ids.i, ids.s].into());
    assert!(ids.kernel.mentions(&rust, A) && !ids.kernel.mentions(&rust, B));
    assert_eq!(ids.kernel.depends(&rust), vec![ids.i, ids.s]);

    let pushes = ids.raw(Opaque::Runtime(Runtime::Clear), vec![Expr::Array(B)], true);
    let effects = ids.kernel.effects(&pushes);
    assert_eq!(effects.writes.arrays, [B].into());
    assert!(!effects.is_pure());

    // As a statement it changes what it names in any case.
    let clear = ids.kernel.statement(Runtime::Clear, vec![Expr::Array(A)]);
    assert!(ids.kernel.writes(&clear, A) && ids.code(clear).opaque);
}

#[test]
fn what_the_run_time_library_may_refuse_is_said() {
    let mut ids = ids();
    let check = Runtime::CheckIndex { tensor: TensorId(0), dim: 0 };
    let checked = ids.raw(Opaque::Runtime(check), vec![Expr::Var(ids.i)], false);
    assert!(ids.kernel.effects(&checked).refuses);
    let length = ids.raw(Opaque::Runtime(Runtime::Length), vec![Expr::Array(A)], false);
    assert!(ids.kernel.effects(&length).is_harmless());
}

#[test]
fn an_update_writes_its_target_and_reads_its_value() {
    let ids = ids();
    let (target, value) = (ids.load(A), ids.load(B));
    let update = |op| Kir::Store { target: target.clone(), op, value: value.clone() };
    let effects = ids.code(update(Some(Op::Add)));
    assert_eq!((effects.reads.arrays, effects.writes.arrays), ([B].into(), [A].into()));
    assert!(effects.traps);
    assert!(!ids.code(update(Some(Op::Min))).traps && !ids.code(update(None)).traps);
    // The position of the element is read.
    assert!(ids.code(update(None)).reads.vars.contains(&ids.i));
    let sum = Kir::Store { target: Expr::Var(ids.s), op: Some(Op::Add), value };
    assert!(!ids.code(sum.clone()).reads.vars.contains(&ids.s));
    assert!(ids.code(sum).writes.vars.contains(&ids.s));
}

#[test]
fn statements_on_arrays_write_these() {
    let ids = ids();
    let (at, value) = (Expr::Var(ids.s), Expr::int(0));
    let (i, s) = (ids.i, ids.s);
    let writes = |k: Kir| ids.code(k).writes.arrays;
    assert_eq!(writes(Kir::Put { array: A, at: at.clone(), value: value.clone() }), [A].into());
    let back = GiveBack { of: OF, at: at.clone(), arrays: vec![A, B] };
    assert_eq!(writes(Kir::GiveBack(Box::new(back))), [A, B].into());
    let run = PutRun {
        count: s,
        joined: Expr::bool(false),
        begins: vec![(A, value.clone())],
        others: vec![(B, value.clone())],
    };
    assert_eq!(writes(Kir::PutRun(Box::new(run))), [A, B].into());
    let room = |arrays| Kir::Room { of: OF, arrays, capacity: i, count: s, first: value.clone() };
    assert_eq!(writes(room(vec![B])), [B].into());
    assert_eq!(writes(Kir::Filled { arrays: vec![B], count: s }), [B].into());
    let inside = vec![Kir::Put { array: A, at: at.clone(), value: value.clone() }];
    let made = Kir::Written { of: OF, array: A, count: s, body: inside };
    assert_eq!(writes(made), [A].into());
    let copy = CopyRow { to: (A, at.clone()), from: (B, at), count: value.clone() };
    let effects = ids.code(Kir::CopyRow(Box::new(copy)));
    assert_eq!((effects.reads.arrays, effects.writes.arrays), ([B].into(), [A].into()));
}

#[test]
fn what_is_within_a_block_is_done_by_it() {
    let ids = ids();
    let put = Kir::Put { array: A, at: Expr::Var(ids.s), value: Expr::int(0) };
    let branch = Kir::If { cond: Expr::bool(true), then: vec![put], otherwise: Vec::new() };
    let left = vec![branch, Kir::Break(0)];
    let all = ids.code(Kir::While { cond: Expr::Var(ids.i), body: left });
    assert!(all.leaves && all.writes.arrays.contains(&A) && all.reads.vars.contains(&ids.i));
}
