//! What the verifier accepts, and what it says of code that is wrong.

use super::*;
use crate::ast::Form;
use crate::kernel::{Array, Ty, VarKind};
use crate::kir::{Commit, CopyRow, GiveBack};

const ROW: (TensorId, usize) = (TensorId(0), 0);
const ENTRY: (TensorId, usize) = (TensorId(0), 1);
const VALUES: ArrayId = ArrayId(0);
const CRD: ArrayId = ArrayId(1);

struct Ids {
    kernel: Kernel,
    row: VarId,
    at: VarId,
    flag: VarId,
    count: VarId,
    capacity: VarId,
    i: VarId,
}

fn ids() -> Ids {
    let mut kernel = Kernel::new(quote::quote!(krate), true, Form::Inline);
    for (name, elem) in [("val", Ty::named("f64")), ("crd", Ty::Index)] {
        let elem_tokens = quote::quote!(u32);
        let (name, tensor) = (name.to_owned(), TensorId(0));
        kernel.arrays.push(Array { name, elem, elem_tokens, trusted: true, tensor });
    }
    let mut var = |name: &str| kernel.var(name, VarKind::Local, Ty::Index);
    let [row, at, flag, count, capacity, i] =
        ["row", "at", "flag", "count", "capacity", "i"].map(&mut var);
    Ids { kernel, row, at, flag, count, capacity, i }
}

impl Ids {
    fn begin(&self, of: (TensorId, usize), at: VarId, written: Option<VarId>) -> Kir {
        let (room, open) = (Vec::new(), Vec::new());
        Kir::Begin(Box::new(Begin {
            of,
            at,
            position: Expr::int(0),
            found: None,
            room,
            open,
            written,
        }))
    }
    fn commit(&self, of: (TensorId, usize)) -> Kir {
        Kir::Commit(Box::new(Commit { of, code: Vec::new(), each: None, shared: Vec::new() }))
    }
    fn back(&self) -> Kir {
        Kir::GiveBack(Box::new(GiveBack {
            of: ENTRY,
            at: Expr::Var(self.at),
            arrays: vec![VALUES],
        }))
    }
    fn store(&self) -> Kir {
        let target = Expr::Load(VALUES, Box::new(Expr::Var(self.at)));
        Kir::Store { target, op: None, value: Expr::int(1) }
    }
    fn raise(&self) -> Kir {
        Kir::Set { var: self.flag, value: Expr::bool(true) }
    }
    fn when(&self, then: Vec<Kir>, otherwise: Vec<Kir>) -> Kir {
        Kir::If { cond: Expr::Var(self.i), then, otherwise }
    }
    fn each(&self, body: Vec<Kir>) -> Kir {
        Kir::For { var: self.i, lo: Expr::int(0), hi: Expr::int(9), body }
    }
    fn room(&self) -> Kir {
        let arrays = vec![VALUES, CRD];
        Kir::Room {
            of: ENTRY,
            arrays,
            capacity: self.capacity,
            count: self.count,
            first: Expr::int(0),
        }
    }
    fn put(&self, array: ArrayId) -> Kir {
        Kir::Put { array, at: Expr::Var(self.count), value: Expr::int(1) }
    }
    fn step(&self) -> Kir {
        Kir::Set { var: self.count, value: Expr::Var(self.count).plus(1) }
    }
    fn filled(&self) -> Kir {
        Kir::Filled { arrays: vec![VALUES, CRD], count: self.count }
    }
    #[track_caller]
    fn holds(&self, code: Vec<Kir>) {
        assert_eq!(check(&self.kernel, &code, true), Ok(()));
    }
    #[track_caller]
    fn fails(&self, code: Vec<Kir>, why: &str) {
        let found = check(&self.kernel, &code, true).expect_err("it is wrong");
        assert!(found.contains(why), "{found}");
    }
}

#[test]
fn an_entry_ends_once_on_every_path() {
    let x = ids();
    let begin = || x.begin(ENTRY, x.at, None);
    x.holds(vec![x.each(vec![begin(), x.store(), x.commit(ENTRY)])]);
    x.holds(vec![x.when(vec![begin(), x.store(), x.commit(ENTRY)], vec![])]);
    x.fails(vec![begin(), x.store()], "at the end, the entry at is open");
    x.fails(vec![begin(), x.commit(ENTRY), x.commit(ENTRY)], "not open");
    x.fails(vec![begin(), x.when(vec![x.commit(ENTRY)], vec![])], "the sides of a branch differ");
    x.fails(vec![x.each(vec![begin()])], "an iteration does not end as it begins");
    x.fails(vec![begin(), x.each(vec![x.commit(ENTRY)])], "an iteration does not end");
    x.fails(vec![begin(), begin()], "is begun within another");
    x.fails(vec![begin(), x.commit(ENTRY), x.store()], "at is spoken of outside of its entry");
}

#[test]
fn entries_below_end_first() {
    let x = ids();
    let (row, entry) = (|| x.begin(ROW, x.row, None), || x.begin(ENTRY, x.at, None));
    x.holds(vec![row(), x.each(vec![entry(), x.commit(ENTRY)]), x.commit(ROW)]);
    x.fails(vec![row(), entry(), x.commit(ROW)], "ends before one below it");
    x.fails(vec![entry(), row()], "is begun within another");
}

#[test]
fn what_is_written_is_said() {
    let x = ids();
    let begin = || x.begin(ENTRY, x.at, Some(x.flag));
    let end = || x.when(vec![x.commit(ENTRY)], vec![x.back()]);
    x.holds(vec![begin(), x.each(vec![x.when(vec![x.store(), x.raise()], vec![])]), end()]);
    x.fails(vec![begin(), x.store(), end()], "written and does not say so");
    x.fails(vec![begin(), x.each(vec![x.store()]), x.raise(), end()], "does not end as it begins");
    x.fails(vec![x.begin(ENTRY, x.at, None), x.store(), x.back()], "always written is given back");
    // A number of a level that the entry has is none of its values.
    let at = Expr::Load(CRD, Box::new(Expr::Var(x.at)));
    let number = || Kir::Store { target: at.clone(), op: None, value: Expr::int(1) };
    x.holds(vec![begin(), x.when(vec![number()], vec![]), end()]);
}

#[test]
fn an_exit_leaves_no_entry_open() {
    let x = ids();
    let begin = || x.begin(ENTRY, x.at, None);
    let left = |body| Kir::Labeled(1, body);
    let out = || x.when(vec![Kir::Break(1)], vec![]);
    x.holds(vec![begin(), left(vec![x.each(vec![x.store(), out()])]), x.commit(ENTRY)]);
    x.fails(vec![left(vec![begin(), out(), x.commit(ENTRY)])], "left in another way");
}

#[test]
fn each_array_gets_an_element_for_each_count() {
    let x = ids();
    let entry = || vec![x.put(CRD), x.put(VALUES), x.step()];
    x.holds(vec![x.room(), x.each(vec![x.when(entry(), vec![])]), x.filled()]);
    x.fails(vec![x.room(), x.put(CRD), x.step(), x.filled()], "not in each of the arrays");
    x.fails(vec![x.room(), x.put(CRD), x.put(CRD)], "no room, or twice");
    x.fails(vec![x.put(CRD)], "no room, or twice");
    // Several elements may be counted at once.
    let put = |array, n| Kir::Put { array, at: Expr::Var(x.count).plus(n), value: Expr::int(1) };
    let step = |n| Kir::Set { var: x.count, value: Expr::Var(x.count).plus(n) };
    let two = |first, second, n| {
        let puts = [put(CRD, 0), put(CRD, first), put(VALUES, 0), put(VALUES, second)];
        [vec![x.room()], puts.to_vec(), vec![step(n), x.filled()]].concat()
    };
    x.holds(two(1, 1, 2));
    x.fails(two(2, 1, 2), "no room, or twice");
    x.fails(two(1, 0, 2), "no room, or twice");
    x.fails(two(1, 1, 1), "not in each of the arrays");
    x.fails(two(1, 1, 3), "not in each of the arrays");
    x.fails(vec![x.room(), x.each(vec![x.put(CRD)])], "does not end as it begins");
    x.fails(vec![x.room(), x.put(CRD), x.put(VALUES), x.filled()], "other arrays are taken up");
    x.fails(vec![x.room()], "counts room");
    x.fails(vec![x.room(), x.begin(ENTRY, x.at, None)], "where elements are put");
    x.fails(vec![x.room(), x.store()], "is spoken of while");
}

#[test]
fn nothing_is_done_with_what_is_written_but_to_put_it() {
    let x = ids();
    let all = |body| Kir::Written { of: ENTRY, array: VALUES, count: x.capacity, body };
    let put = || Kir::Put { array: VALUES, at: Expr::Var(x.i), value: Expr::int(1) };
    x.holds(vec![all(vec![x.each(vec![put()])])]);
    x.fails(vec![all(vec![x.each(vec![x.store()])])], "is spoken of while");
    x.fails(vec![all(vec![all(vec![put()])])], "where others are");
    x.fails(vec![x.room(), all(vec![put()])], "where others are");
    x.fails(vec![put()], "no room, or twice");
}

#[test]
fn rows_are_copied_from_what_is_whole_to_what_is() {
    let x = ids();
    let copy = |to, from| {
        let (to, from) = ((to, Expr::Var(x.i)), (from, Expr::int(0)));
        Kir::CopyRow(Box::new(CopyRow { to, from, count: Expr::int(3) }))
    };
    let all = |body| Kir::Written { of: ENTRY, array: VALUES, count: x.capacity, body };
    x.holds(vec![x.each(vec![copy(VALUES, CRD)])]);
    x.holds(vec![all(vec![x.each(vec![copy(VALUES, CRD)])])]);
    x.fails(vec![copy(VALUES, VALUES)], "within an array");
    x.fails(vec![all(vec![copy(CRD, VALUES)])], "while others are put");
    x.fails(vec![x.room(), copy(VALUES, CRD), x.filled()], "put one by one");
}
