//! Register tiles: where a loop adds rows to one row of a result, a tile of that row is held in registers throughout the
//! loop, and the loop runs once for each tile. LLVM may not hold it, for want of aliasing facts, and would not know that
//! the inner loop is worth taking apart.
//!
//! `c[i, j] += a[i, k] * d[k, j]` reads and writes the row `c[i, _]` once for each `k`. By hand one would take as many
//! columns as fit into registers (Goto and van de Geijn, *Anatomy of High-Performance Matrix Multiplication*, 2008,
//! section 4), read all `k` for these, and go on to the next. Each element is reduced into in the order it was before.
//!
//! The loop is taken as it is if it does nothing else and comes to the inner loop in each iteration, so that walking
//! once more for each tile costs less than what is saved.

use super::first_reduction::fill_of_rows;
use super::jam::Rows;
use super::lanes::gathers;
use super::mentions;
use super::promote::Whole;
use crate::cin::*;
use crate::index::difference;
use crate::kernel::{Array, Binding, Kernel, Level, Ty, VarKind};
use crate::kir::{map_code, Kir};
use crate::opaque::Opaque;
use crate::runtime::Runtime;
use crate::types::bytes;
use std::collections::HashSet;

/// Bytes of the widest tile: eight registers of 32 bytes, which is half of those that x86-64-v3 has. Of registers of 16 bytes it
/// takes all, and is as fast as one of half the width.
pub(super) const WIDEST: usize = 256;

/// Elements of a tile at most.
const MOST: usize = 32;

/// Steps of a loop along rows that lie one behind the other: of more, a tile of each is in so many pages that looking them
/// up takes longer than the tile saves, and reading whole rows is what processors foresee.
pub(super) const NEIGHBORS: i128 = 1024;

/// Loops of more statements are not repeated.
const LONGEST: usize = 32;

pub(super) fn tiles(kernel: &mut Kernel, code: Vec<Kir>) -> Vec<Kir> {
    if kernel.steps.is_some() {
        // Steps are counted one by one, and what else the program asks for is not looked at.
        kernel.tiled = true;
        return code;
    }
    let all = Whole::of(&code);
    within(kernel, code, &all, &mut Some(Vec::new()))
}

/// `around`: the indices of the loops around, if these are all that runs code several times.
fn within(
    kernel: &mut Kernel,
    code: Vec<Kir>,
    all: &Whole,
    around: &mut Option<Vec<VarId>>,
) -> Vec<Kir> {
    let mut out = Vec::new();
    for mut k in code {
        let row = row(kernel, &k);
        kernel.tiled |= row.is_some();
        if let Some(mut row) = row.filter(|_| kernel.tile != Some(1)) {
            let of = kernel.arrays[row.array.0 as usize].tensor;
            let fill = around.as_ref().and_then(|all| fill_of_rows(kernel, of, all, row.index));
            row.new = fill.is_some() && all.all_in(&k, row.array);
            kernel.vectors = true;
            out.extend(in_tiles(kernel, &k, &row));
            continue;
        }
        let rows = Rows::of(kernel, &k);
        kernel.tiled |= rows.is_some();
        if let Some(rows) = rows.filter(|_| kernel.tile != Some(1)) {
            let of = kernel.arrays[rows.array.0 as usize].tensor;
            let mut own = around.clone().unwrap_or_default();
            own.push(rows.outer);
            let known = around.is_some() && all.all_in(&k, rows.array);
            let new = known && fill_of_rows(kernel, of, &own, rows.index).is_some();
            kernel.vectors = true;
            out.extend(rows.together(kernel, &mut k, new));
        }
        let outside = around.clone();
        match &k {
            Kir::For { var, .. } => around.iter_mut().for_each(|all| all.push(*var)),
            Kir::While { .. } | Kir::Parallel(_) => *around = None,
            _ => {}
        }
        for block in k.blocks_mut() {
            *block = within(kernel, std::mem::take(block), all, around);
        }
        *around = outside;
        out.push(k);
    }
    out
}

/// What a loop reduces into by the one loop in it that has none.
pub(super) struct Nest<'a> {
    pub array: ArrayId,
    /// The index of the inner loop.
    pub index: VarId,
    /// First, and one past the last.
    pub range: [&'a Expr; 2],
    /// Where the element of index 0 is.
    pub base: Expr,
    /// Bytes of an element.
    pub bytes: usize,
    /// What changes in the loop.
    changing: HashSet<VarId>,
}

impl<'a> Nest<'a> {
    /// That of the loop `k`, if it does nothing else, and may be repeated.
    pub(super) fn of(kernel: &Kernel, k: &'a Kir) -> Option<Self> {
        let Kir::For { body, .. } = k else { return None };
        let (index, lo, hi, inner) = inner(kernel, body)?;
        let (last, lets) = inner.split_last()?;
        let Kir::Store { target: Expr::Load(array, at), op: Some(_), value } = last else {
            return None;
        };
        let bytes = match &kernel.arrays[array.0 as usize].elem {
            Ty::Named(name) => bytes(name)?,
            _ => return None,
        };
        let base = difference(at, &Expr::Var(index));
        let (mut changing, mut statements, mut repeats) = (HashSet::new(), 0, true);
        k.walk(&mut |k| {
            changing.extend(k.sets());
            statements += 1;
            repeats &= k.exprs().iter().all(|e| repeatable(kernel, e));
        });
        let reads = |e: &Expr| mentions(kernel, e, *array);
        let plain = lets.iter().all(|k| match k {
            Kir::Let { mutable: false, value, .. } => !reads(value),
            Kir::Comment(_) => true,
            _ => false,
        });
        let fits = statements <= LONGEST && repeats && plain && !reads(value);
        fits.then(|| Nest { array: *array, index, range: [lo, hi], base, bytes, changing })
    }

    /// Whether `e` is the same throughout the loop, and reads no memory.
    pub(super) fn fixed(&self, kernel: &Kernel, e: &Expr) -> bool {
        let mut plain = true;
        e.walk(&mut |e| plain &= matches!(e, Expr::Var(_) | Expr::Lit(_) | Expr::Call(..)));
        plain && !kernel.depends(e).iter().any(|v| self.changing.contains(v))
    }
}

/// What a loop reduces into.
struct Row {
    array: ArrayId,
    /// The index of the inner loop.
    index: VarId,
    /// First, and one past the last.
    range: [Expr; 2],
    /// Where the element of index 0 is.
    base: Expr,
    /// Bytes of an element.
    bytes: usize,
    /// Whether its elements are at their fill before the loop.
    new: bool,
}

/// The row that each iteration of the loop `k` adds to, which does nothing else.
fn row(kernel: &Kernel, k: &Kir) -> Option<Row> {
    let nest = Nest::of(kernel, k)?;
    let [lo, hi] = nest.range;
    let fits = [&nest.base, lo, hi].iter().all(|e| nest.fixed(kernel, e));
    let Nest { array, index, range, base, bytes, .. } = nest;
    fits.then(|| Row { array, index, range: range.map(Expr::clone), base, bytes, new: false })
}

/// Whether `e` is arithmetic: functions may say something else when they are asked in another order, and searches are not
/// to be made once more for each tile.
pub(super) fn repeatable(kernel: &Kernel, e: &Expr) -> bool {
    let mut all = true;
    e.walk(&mut |e| {
        all &= match e {
            Expr::Call(op, _) => !matches!(op, Op::Function(_)),
            Expr::Raw(r) => matches!(kernel.raws[r.0 as usize].code, Opaque::Runtime(_)),
            _ => true,
        }
    });
    all
}

/// The one loop in `body` that has none in it, if it runs in each iteration of those around, and nothing else is done. Or
/// where a flag is set: flags say of rows that are there in any case whether they are stored, and most are.
fn inner<'a>(kernel: &Kernel, body: &'a [Kir]) -> Option<(VarId, &'a Expr, &'a Expr, &'a [Kir])> {
    let mut found = None;
    for k in body {
        let inside = match k {
            Kir::Let { mutable: false, .. } | Kir::Comment(_) => continue,
            Kir::Block(code) => inner(kernel, code),
            Kir::If { cond, then, otherwise } if otherwise.is_empty() && flagged(kernel, cond) => {
                inner(kernel, then)
            }
            Kir::For { var, lo, hi, body } => {
                let loops = |k: &Kir| matches!(k, Kir::For { .. } | Kir::Block(_) | Kir::If { .. });
                match body.iter().any(loops) {
                    true => inner(kernel, body),
                    false => Some((*var, lo, hi, &body[..])),
                }
            }
            _ => None,
        };
        if inside.is_none() || found.is_some() {
            return None;
        }
        found = inside;
    }
    found
}

/// Whether `cond` is the flag of a child that is there whether or not it is stored.
fn flagged(kernel: &Kernel, cond: &Expr) -> bool {
    let Expr::Call(Op::Ne, args) = cond else { return false };
    let [Expr::Load(array, _), Expr::Lit(Lit::Int(0) | Lit::Bool(false))] = &args[..] else {
        return false;
    };
    let of = kernel.tensor(kernel.arrays[array.0 as usize].tensor);
    let has = |l: &&Level| l.fields.iter().any(|(_, b)| *b == Binding::Array(*array));
    let level = of.levels.iter().find(has).map(|l| l.format.level());
    level.is_some_and(|level| level.one_child_each() && level.leaves_out())
}

/// The loop `k` for each tile of `row`.
fn in_tiles(kernel: &mut Kernel, k: &Kir, row: &Row) -> Vec<Kir> {
    let Kir::For { lo, hi, .. } = k else { unreachable!("a loop that adds rows") };
    let runs = Expr::call(Op::Lt, [lo.clone(), hi.clone()]);
    let few = Expr::call(Op::Le, [difference(hi, lo), Expr::int(NEIGHBORS)]);
    let name = kernel.info(row.index).name.clone();
    let at = kernel.var(&format!("{name}_tile"), VarKind::State, Ty::Index);
    let [first, end] = row.range.clone();
    let mut then = vec![Kir::Let { var: at, mutable: true, value: first.clone() }];
    let mut rest = Vec::new();
    for (n, count) in widths(row, most(kernel, MOST)).into_iter().enumerate() {
        let out = if n == 0 { &mut then } else { &mut rest };
        let back = (row.new && count > 1).then(|| back(at, count, [&first, &end]));
        let tiles = tile(kernel, k, row, (at, count), &end, back.clone());
        out.extend(match back.filter(|_| n > 0) {
            Some((several, back)) => {
                vec![Kir::If { cond: several, then: vec![back, tiles], otherwise: Vec::new() }]
            }
            None => vec![tiles],
        });
    }
    if !rest.is_empty() {
        // Most rows have nothing left of the widest tiles, and need not be asked of each width.
        let left = Expr::call(Op::Lt, [Expr::Var(at), end]);
        then.push(Kir::If { cond: left, then: rest, otherwise: Vec::new() });
    }
    vec![match gathers(kernel, std::slice::from_ref(k)) {
        true => Kir::If { cond: runs, then, otherwise: Vec::new() },
        false => {
            Kir::If { cond: Expr::call(Op::And, [runs, few]), then, otherwise: vec![k.clone()] }
        }
    }]
}

/// Whether what is left of a row from `at` on is more than half a tile of `count` elements; and code that, if it is less than a whole
/// tile, moves `at` back so that one tile ends with the row, where smaller ones would be several. The elements that this tile has in common with
/// the one before come out the same, where each starts anew.
fn back(at: VarId, count: usize, [first, end]: [&Expr; 2]) -> (Expr, Kir) {
    let count = count as i128;
    let several = Expr::call(Op::Lt, [Expr::Var(at).plus(count / 2), end.clone()]);
    let conditions = [
        Expr::call(Op::Lt, [end.clone(), Expr::Var(at).plus(count)]),
        Expr::call(Op::Le, [first.plus(count), end.clone()]),
    ];
    let then = vec![Kir::Set { var: at, value: end.plus(-count) }];
    (several, Kir::If { cond: Expr::call(Op::And, conditions), then, otherwise: Vec::new() })
}

/// How many elements a tile has at most, of which `usual` are used where the program says nothing: a power of two.
pub(super) fn most(kernel: &Kernel, usual: usize) -> usize {
    kernel.tile.map_or(usual, |n| usual.min(n))
}

/// How many elements tiles have, one after the other.
fn widths(row: &Row, most: usize) -> Vec<usize> {
    let widest = (WIDEST / row.bytes).clamp(1, most);
    if let [Expr::Lit(Lit::Int(lo)), Expr::Lit(Lit::Int(hi))] = &row.range {
        match usize::try_from(hi - lo) {
            Ok(all) if (1..=widest).contains(&all) => return vec![all],
            _ => {}
        }
    }
    // What is left of a width is at most one tile of the next, and so on.
    let mut all = vec![widest];
    while let Some(width) = all.last().filter(|width| **width > 1) {
        all.push(width / 2);
    }
    all
}

/// The loop over tiles of `count` elements from `at` on; behind each, `back` may move that.
fn tile(
    kernel: &mut Kernel,
    k: &Kir,
    row: &Row,
    (at, count): (VarId, usize),
    end: &Expr,
    back: Option<(Expr, Kir)>,
) -> Kir {
    let (held, mut body) = on_stack(kernel, row.array, count);
    let n = kernel.var("n", VarKind::Index, Ty::Index);
    let many = Expr::int(count as i128);
    let add = |a: Expr, b: Expr| Expr::call(Op::Add, [a, b]);
    let start = add(Expr::Var(at), row.base.clone());
    let place = Expr::Load(row.array, Box::new(add(start.clone(), Expr::Var(n))));
    let mine = Expr::Load(held, Box::new(Expr::Var(n)));
    let each = |target: &Expr, value: &Expr| Kir::For {
        var: n,
        lo: Expr::int(0),
        hi: many.clone(),
        body: vec![Kir::Store { target: target.clone(), op: None, value: value.clone() }],
    };
    body.extend((!row.new).then(|| each(&mine, &place)));
    let in_order = in_order(kernel, row.array);
    let mut inside = k.clone();
    step(&mut inside, row.index, &mut |code| {
        let value = add(Expr::Var(at), Expr::Var(n));
        let mut own = vec![Kir::Let { var: row.index, mutable: false, value }];
        own.extend(map_code(&std::mem::take(code), &mut |e| neighbor(kernel, e, row.index, at, n)));
        if let Some(Kir::Store { target, .. }) = own.last_mut() {
            *target = mine.clone();
        }
        let each = Kir::For { var: n, lo: Expr::int(0), hi: many.clone(), body: own };
        match &in_order {
            Some(k) => Kir::Block(vec![each, k.clone()]),
            None => each,
        }
    });
    body.push(inside);
    body.push(each(&place, &mine));
    body.push(Kir::Set { var: at, value: add(Expr::Var(at), many.clone()) });
    body.extend(back.map(|(several, back)| Kir::If {
        cond: several,
        then: vec![back],
        otherwise: Vec::new(),
    }));
    // What no iteration comes to need not be there.
    let length = length(kernel, row.array);
    let conditions = [
        Expr::call(Op::Le, [Expr::Var(at).plus(count as i128), end.clone()]),
        Expr::call(Op::Le, [Expr::int(0), start.clone()]),
        Expr::call(Op::Le, [start.plus(count as i128), length]),
    ];
    Kir::While { cond: Expr::call(Op::And, conditions), body }
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
