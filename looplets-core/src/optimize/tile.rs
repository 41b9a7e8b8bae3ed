//! A loop with one tile of a row in registers, or with two of them at once.

use super::tiles::Row;
use crate::cin::*;
use crate::index::difference;
use crate::kernel::{Array, Kernel, Ty, VarKind};
use crate::kir::{map_code, Kir};
use crate::runtime::Runtime;

/// The loop over tiles of `count` elements from `at` on; behind each, `back` may move that.
pub(super) fn tile(
    kernel: &mut Kernel,
    k: &Kir,
    row: &Row,
    (at, count): (VarId, usize),
    end: &Expr,
    back: Option<(Expr, Kir)>,
) -> Kir {
    let mut body = held(kernel, k, row, &[at], count);
    let many = Expr::int(count as i128);
    body.push(Kir::Set { var: at, value: Expr::call(Op::Add, [Expr::Var(at), many]) });
    body.extend(back.map(|(several, back)| Kir::If {
        cond: several,
        then: vec![back],
        otherwise: Vec::new(),
    }));
    let start = Expr::call(Op::Add, [Expr::Var(at), row.base.clone()]);
    let fits = Expr::call(Op::Le, [Expr::Var(at).plus(count as i128), end.clone()]);
    let end = start.plus(count as i128);
    Kir::While { cond: there(kernel, row, vec![fits], [start, end]), body }
}

/// The loop over two tiles of `count` elements at once, the first and the last ones of the row.
pub(super) fn pair(kernel: &mut Kernel, k: &Kir, row: &Row, count: usize) -> Vec<Kir> {
    let [first, end] = row.range.clone();
    let name = kernel.info(row.index).name.clone();
    let mut local = |name: String| kernel.var(&name, VarKind::Local, Ty::Index);
    let at = [local(format!("{name}_first")), local(format!("{name}_last"))];
    let values = [first.clone(), end.plus(-(count as i128))];
    let mut code: Vec<Kir> = at
        .into_iter()
        .zip(values)
        .map(|(var, value)| Kir::Let { var, mutable: false, value })
        .collect();
    let place = |at: Expr| Expr::call(Op::Add, [at, row.base.clone()]);
    let cond = there(kernel, row, Vec::new(), [place(first), place(end)]);
    let then = held(kernel, k, row, &at, count);
    code.push(Kir::If { cond, then, otherwise: Vec::new() });
    code
}

/// Whether `conditions` hold and the elements `start..end` of the array are there: those that no iteration comes to need not be.
fn there(
    kernel: &mut Kernel,
    row: &Row,
    mut conditions: Vec<Expr>,
    [start, end]: [Expr; 2],
) -> Expr {
    conditions.push(Expr::call(Op::Le, [Expr::int(0), start]));
    conditions.push(Expr::call(Op::Le, [end, length(kernel, row.array)]));
    Expr::call(Op::And, conditions)
}

/// The loop `k` for tiles of `count` elements, one from each of `all` on, which are held in registers throughout it.
fn held(kernel: &mut Kernel, k: &Kir, row: &Row, all: &[VarId], count: usize) -> Vec<Kir> {
    let add = |a: Expr, b: Expr| Expr::call(Op::Add, [a, b]);
    let many = Expr::int(count as i128);
    let (mut before, mut behind, mut tiles) = (Vec::new(), Vec::new(), Vec::new());
    for at in all {
        let (held, made) = on_stack(kernel, row.array, count);
        let n = kernel.var("n", VarKind::Index, Ty::Index);
        let start = add(Expr::Var(*at), row.base.clone());
        let place = Expr::Load(row.array, Box::new(add(start, Expr::Var(n))));
        let mine = Expr::Load(held, Box::new(Expr::Var(n)));
        let each = |target: &Expr, value: &Expr| Kir::For {
            var: n,
            lo: Expr::int(0),
            hi: many.clone(),
            body: vec![Kir::Store { target: target.clone(), op: None, value: value.clone() }],
        };
        before.extend(made);
        before.extend((!row.new).then(|| each(&mine, &place)));
        behind.push(each(&place, &mine));
        tiles.push((*at, n, mine));
    }
    let in_order = in_order(kernel, row.array);
    let mut inside = k.clone();
    step(&mut inside, row.index, &mut |code| {
        let code = std::mem::take(code);
        let tile = |(at, n, mine): &(VarId, VarId, Expr)| {
            let value = add(Expr::Var(*at), Expr::Var(*n));
            let mut own = vec![Kir::Let { var: row.index, mutable: false, value }];
            own.extend(map_code(&code, &mut |e| neighbor(kernel, e, row.index, *at, *n)));
            if let Some(Kir::Store { target, .. }) = own.last_mut() {
                *target = mine.clone();
            }
            Kir::For { var: *n, lo: Expr::int(0), hi: many.clone(), body: own }
        };
        let mut code: Vec<Kir> = tiles.iter().map(tile).chain(in_order.clone()).collect();
        match code.len() {
            1 => code.remove(0),
            _ => Kir::Block(code),
        }
    });
    before.push(inside);
    before.extend(behind);
    before
}

/// An array of `count` elements like those of `of`, at their fill, and what defines it.
pub(super) fn on_stack(kernel: &mut Kernel, of: ArrayId, count: usize) -> (ArrayId, Vec<Kir>) {
    let held = another(kernel, of, "tile");
    kernel.arrays[held.0 as usize].trusted = !kernel.safe;
    let made = Runtime::OnStack { of: kernel.arrays[of.0 as usize].tensor, count };
    let code = vec![
        kernel.statement(made, vec![Expr::Array(held)]),
        kernel.statement(Runtime::Slice { reborrowed: false }, vec![Expr::Array(held)]),
    ];
    (held, code)
}

/// What keeps LLVM from taking a loop that reduces into a tile like `of` by several iterations, if it might.
pub(super) fn in_order(kernel: &mut Kernel, of: ArrayId) -> Option<Kir> {
    let float = kernel.arrays[of.0 as usize].elem.is_float();
    (!float).then(|| kernel.statement(Runtime::InOrder, Vec::new()))
}

/// A name for an array with elements like those of `of`, which is known as much of.
pub(super) fn another(kernel: &mut Kernel, of: ArrayId, what: &str) -> ArrayId {
    let info = kernel.arrays[of.0 as usize].clone();
    let name = kernel.unique_name(&format!("{}_{what}", info.name));
    kernel.arrays.push(Array { name, ..info });
    ArrayId(kernel.arrays.len() as u32 - 1)
}

/// How many elements `array` has.
pub(super) fn length(kernel: &mut Kernel, array: ArrayId) -> Expr {
    let length = kernel.call(Runtime::Length, vec![Expr::Array(array)], Ty::Named("usize".into()));
    Expr::call(Op::Index, [length])
}

/// An element beside the one of index 0, with the number within the tile added last: what is before that is one address for
/// all of the tile.
pub(super) fn neighbor(
    kernel: &Kernel,
    e: &Expr,
    index: VarId,
    at: VarId,
    n: VarId,
) -> Option<Expr> {
    let Expr::Load(array, position) = e else { return None };
    let base = difference(position, &Expr::Var(index));
    let add = |a: Expr, b: Expr| Expr::call(Op::Add, [a, b]);
    let beside = !kernel.depends(&base).contains(&index);
    let position = add(add(Expr::Var(at), base), Expr::Var(n));
    beside.then(|| Expr::Load(*array, Box::new(position)))
}

/// Puts what `by` makes of its body in place of the loop over `index`.
fn step(k: &mut Kir, index: VarId, by: &mut dyn FnMut(&mut Vec<Kir>) -> Kir) {
    if let Kir::For { var, body, .. } = k {
        if *var == index {
            *k = by(body);
            return;
        }
    }
    k.blocks_mut().into_iter().flatten().for_each(|k| step(k, index, by));
}
