//! Register tiles: where a loop adds rows to one row of a result, a tile of that row is held in registers throughout the
//! loop, and the loop runs once for each tile. LLVM may not hold it, for want of aliasing facts, and would not know that
//! the inner loop is worth taking apart.
//!
//! `c[i, j] += a[i, k] * d[k, j]` reads and writes the row `c[i, _]` once for each `k`. By hand one would take as many
//! columns as fit into registers (Goto and van de Geijn, *Anatomy of High-Performance Matrix Multiplication*, 2008,
//! section 4), read all `k` for these, and go on to the next. Each element is reduced into in the order it was before.
//! Rows that are narrower than half of the widest tile, of which no width is known, are two tiles of one width that may
//! have elements in common, so that the loop runs once.
//!
//! The loop is taken as it is if it does nothing else and comes to the inner loop in each iteration, so that walking
//! once more for each tile costs less than what is saved.

use super::first_reduction::fill_of_rows;
use super::jam::Rows;
use super::lanes::gathers;
use super::promote::Whole;
use super::tile::{pair, tile};
use crate::cin::*;
use crate::index::difference;
use crate::kernel::{Binding, Kernel, Level, Ty, VarKind};
use crate::kir::Kir;
use crate::types::bytes;
use std::collections::HashSet;

/// Bytes of the widest tile: eight registers of 32 bytes, which is half of those that x86-64-v3 has. Of registers of 16 bytes it
/// takes all, and is as fast as one of half the width.
pub(super) const WIDEST: usize = 256;

/// Elements of a tile at most.
const MOST: usize = 32;

/// The narrowest tile of a row that is wider than half of the widest tile is this part of that.
const SMALLEST: usize = 4;

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
        let reads = |e: &Expr| kernel.mentions(e, *array);
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
        kernel.is_of_scalars(e) && !kernel.depends(e).iter().any(|v| self.changing.contains(v))
    }
}

/// What a loop reduces into.
pub(super) struct Row {
    pub(super) array: ArrayId,
    /// The index of the inner loop.
    pub(super) index: VarId,
    /// First, and one past the last.
    pub(super) range: [Expr; 2],
    /// Where the element of index 0 is.
    pub(super) base: Expr,
    /// Bytes of an element.
    bytes: usize,
    /// Whether its elements are at their fill before the loop.
    pub(super) new: bool,
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
    let effects = kernel.effects(e);
    !effects.calls && !effects.opaque
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
    let [first, end] = row.range.clone();
    let all = widths(row, most(kernel, MOST));
    let then = match (row.new, &all[..]) {
        // A row is at least half as wide as the widest tile, or else one or two tiles of one width.
        (true, [widest, _, ..]) => {
            let least = widest / SMALLEST;
            let wide = all.iter().copied().filter(|width| *width >= least.max(2)).collect();
            let wide = one_by_one(kernel, k, row, wide);
            let narrow = narrow(kernel, k, row, widest / 4);
            let is_wide = Expr::call(Op::Lt, [first.plus((widest / 2) as i128), end]);
            vec![Kir::If { cond: is_wide, then: wide, otherwise: narrow }]
        }
        _ => one_by_one(kernel, k, row, all),
    };
    let otherwise = match gathers(kernel, std::slice::from_ref(k)) {
        true => Vec::new(),
        false => vec![k.clone()],
    };
    let cond = if otherwise.is_empty() { runs } else { Expr::call(Op::And, [runs, few]) };
    vec![Kir::If { cond, then, otherwise }]
}

/// The loop `k` for each tile of `row`, of `widths` elements: as many as fit of the first one, then of the next.
fn one_by_one(kernel: &mut Kernel, k: &Kir, row: &Row, widths: Vec<usize>) -> Vec<Kir> {
    let [first, end] = row.range.clone();
    let name = kernel.info(row.index).name.clone();
    let at = kernel.var(&format!("{name}_tile"), VarKind::State, Ty::Index);
    let least = widths.last().copied().unwrap_or(1);
    let mut then = vec![Kir::Let { var: at, mutable: true, value: first.clone() }];
    let mut rest = Vec::new();
    for (n, count) in widths.into_iter().enumerate() {
        let out = if n == 0 { &mut then } else { &mut rest };
        let worth = if count == least { 0 } else { count / 2 };
        let back = (row.new && count > 1).then(|| back(at, (count, worth), [&first, &end]));
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
    then
}

/// The loop `k` once for all of a `row` of at most `2 * widest` elements: one tile of one element, or two tiles at once of a width
/// that is at least half of the row, the first from its beginning on and the other up to its end.
///
/// Tiles one after the other would be two loops of seven columns, for four and for three of them.
fn narrow(kernel: &mut Kernel, k: &Kir, row: &Row, widest: usize) -> Vec<Kir> {
    let [first, end] = row.range.clone();
    let is_one = |cond: Expr, then, otherwise| vec![Kir::If { cond, then, otherwise }];
    let name = kernel.info(row.index).name.clone();
    let at = kernel.var(&format!("{name}_tile"), VarKind::State, Ty::Index);
    let mut code = vec![
        Kir::Let { var: at, mutable: true, value: first.clone() },
        tile(kernel, k, row, (at, 1), &end, None),
    ];
    let mut width = 1;
    let mut wider = Vec::new();
    while width <= widest {
        wider.push((width, pair(kernel, k, row, width)));
        width *= 2;
    }
    let mut otherwise = Vec::new();
    for (width, pair) in wider.into_iter().rev() {
        let fits = Expr::call(Op::Le, [end.clone(), first.plus(2 * width as i128)]);
        otherwise = match otherwise.is_empty() {
            true => pair,
            false => is_one(fits, pair, otherwise),
        };
    }
    if !otherwise.is_empty() {
        code = is_one(Expr::call(Op::Le, [end, first.plus(1)]), code, otherwise);
    }
    code
}

/// Whether more than `worth` elements of a row are left from `at` on; and code that, if they are less than a tile of `count`,
/// moves `at` back so that one tile ends with the row, where smaller ones would be several. The elements that this tile has in common with
/// the one before come out the same, where each starts anew.
fn back(at: VarId, (count, worth): (usize, usize), [first, end]: [&Expr; 2]) -> (Expr, Kir) {
    let (count, worth) = (count as i128, worth as i128);
    let several = Expr::call(Op::Lt, [Expr::Var(at).plus(worth), end.clone()]);
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
