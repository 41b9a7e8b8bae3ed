//! Unroll and jam: where each iteration of a loop reduces into a row of its own, and all of them read the same rows, a tile of
//! several rows is held in registers, so that each element that is read serves all of these.
//!
//! A row of `c[i, j] += a[i, k] * b[k, j]` by itself ([`super::tiles`]) reads all of `b`. Four of them at once read it once,
//! and two registers of each row are as many sums as the additions of one take. The loop over tiles of columns is
//! the outer one, so that what is read of `b` stays in the nearest caches for all rows (Goto and van de Geijn,
//! *Anatomy of High-Performance Matrix Multiplication*, 2008); [`super::panels`] says what is copied of it. Each element
//! is reduced into in the order it was before.
//!
//! What is left of columns is taken with columns that were there before, which are computed again and the same if rows
//! are new, and else left as they are. What is left of rows is left to the loop as it was.

use super::abreast::{fresh, named, renamed};
use super::panels::{Between, Packed, Panel};
use super::positions::{expanded, lets, minus, plain, wrapping};
use super::tile::{in_order, length, neighbor, on_stack};
use super::tiles::{most, Nest, NEIGHBORS, WIDEST};
use crate::cin::*;
use crate::index::difference;
use crate::kernel::{Kernel, Ty, VarKind};
use crate::kir::{map_code, Kir};
use crate::prove::Affine;
use std::collections::HashMap;

/// How many rows. With two registers of 32 bytes each they are half of those that x86-64-v3 has; the other half is for
/// what is read, and products.
const ROWS: usize = 4;

/// Elements of a row in a tile at most.
const MOST: usize = 16;

/// A loop of which each iteration reduces into a row.
pub(super) struct Rows {
    pub array: ArrayId,
    /// The index of the loop, and that of the inner one.
    pub outer: VarId,
    pub index: VarId,
    /// First, and one past the last, of both.
    rows: [Expr; 2],
    columns: [Expr; 2],
    /// Where the element of index 0 is, and how far it is from that of the next row.
    base: Expr,
    stride: Expr,
    /// How many elements of a row there are in a tile.
    count: usize,
    /// What is another in each row.
    own: Vec<VarId>,
    /// The outermost of the loops between the two.
    between: Between,
    /// What is copied for each tile.
    panel: Option<Panel>,
}

impl Rows {
    /// Those of the loop `k`, which does nothing else.
    pub(super) fn of(kernel: &Kernel, k: &Kir) -> Option<Self> {
        let Kir::For { var: outer, lo, hi, body } = k else { return None };
        let nest = Nest::of(kernel, k)?;
        let lets = lets(k)?;
        let base = expanded(&nest.base, &lets);
        let next = base.map(&mut replace_var(*outer, &Expr::Var(*outer).plus(1)));
        let stride = minus(&next, &base)?;
        let [first, end] = nest.range;
        let start = base.map(&mut replace_var(*outer, &Expr::int(0)));
        let fixed = [&stride, &start, first, end].iter().all(|e| nest.fixed(kernel, e));
        let own = own(kernel, body, *outer);
        let varies = |e: &Expr| kernel.depends(e).iter().any(|v| own.contains(v));
        let loops = Between::all(body, nest.index);
        let mut same = loops.iter().all(|l| !varies(&l.lo) && !varies(&l.hi));
        k.walk(&mut |k| same &= !matches!(k, Kir::If { cond, .. } if varies(cond)));
        let between = loops.first().filter(|_| fixed && same)?.clone();
        let widest = (WIDEST / ROWS / nest.bytes).clamp(1, most(kernel, MOST));
        let count = match minus(end, first)? {
            Expr::Lit(Lit::Int(all)) => widest.min(usize::try_from(all).ok()?),
            _ => widest,
        };
        // One that all rows read, of each column another.
        let (mut shared, mut panel) = (false, None);
        k.walk(&mut |k| {
            for e in k.exprs() {
                e.walk(&mut |e| {
                    let beside = kernel.depends(e).contains(&nest.index) && !varies(e);
                    if matches!(e, Expr::Load(..)) && beside {
                        shared = true;
                        let found = || Panel::of(kernel, e, &nest, &loops, &|e| expanded(e, &lets));
                        panel = panel.take().or_else(found);
                    }
                });
            }
        });
        (shared && count > 1).then(|| Rows {
            array: nest.array,
            outer: *outer,
            index: nest.index,
            rows: [lo.clone(), hi.clone()],
            columns: [first.clone(), end.clone()],
            base,
            stride,
            count,
            own,
            between,
            panel,
        })
    }

    /// The loop `k` over several rows at a time, before `k` itself, of which what is left stays. `new`: rows are at their
    /// fill before the loop.
    pub(super) fn together(&self, kernel: &mut Kernel, k: &mut Kir, new: bool) -> Vec<Kir> {
        let row = self.state(kernel, self.outer, "tile");
        let [lo, _] = self.rows.clone();
        let cond = self.fits(kernel);
        let mut then = Vec::new();
        let packed = self.panel.as_ref().map(|panel| {
            let [lo, hi] = &self.rows;
            panel.packed(kernel, &difference(hi, lo), self.count, &mut then)
        });
        // Whole numbers that are computed once more from what they come to might overflow.
        let elem = &kernel.arrays[self.array.0 as usize].elem;
        match new || elem.is_float() {
            true => then.extend(self.overlapping(kernel, k, row, packed.as_ref(), new)),
            false => then.extend(self.shorter(kernel, k, row, packed.as_ref())),
        }
        if let Kir::For { lo, .. } = k {
            *lo = Expr::Var(row);
        }
        vec![
            Kir::Let { var: row, mutable: true, value: lo },
            Kir::If { cond, then, otherwise: Vec::new() },
        ]
    }

    fn state(&self, kernel: &mut Kernel, of: VarId, what: &str) -> VarId {
        let name = kernel.info(of).name.clone();
        kernel.var(&format!("{name}_{what}"), VarKind::State, Ty::Index)
    }

    /// Whether there is a tile, all elements are there, and no two rows have one in common.
    fn fits(&self, kernel: &mut Kernel) -> Expr {
        let ([lo, hi], [first, end]) = (&self.rows, &self.columns);
        let le = |a: Expr, b: Expr| Expr::call(Op::Le, [a, b]);
        let place = |row: &Expr, column: &Expr| {
            let base = self.base.map(&mut replace_var(self.outer, row));
            wrapping(&Affine::expanded(&plain(&add(base, column.clone()))).to_expr())
        };
        let mut all = vec![
            le(lo.plus(ROWS as i128), hi.clone()),
            le(first.plus(self.count as i128), end.clone()),
            le(difference(end, first), self.stride.clone()),
            le(Expr::int(0), place(lo, first)),
            le(place(&hi.plus(-1), end), length(kernel, self.array)),
        ];
        if self.panel.is_none() {
            let steps = difference(&self.between.hi, &self.between.lo);
            all.push(le(steps, Expr::int(NEIGHBORS)));
        }
        all.retain(|e| !holds(e));
        Expr::call(Op::And, all)
    }

    /// Tiles of all columns, the last of which ends with them, and may begin among those of the last but one.
    fn overlapping(
        &self,
        kernel: &mut Kernel,
        k: &Kir,
        row: VarId,
        packed: Option<&Packed<'_>>,
        new: bool,
    ) -> Vec<Kir> {
        let [first, end] = self.columns.clone();
        let from = self.state(kernel, self.index, "from");
        let at = self.state(kernel, self.index, "tile");
        let last = difference(&end, &Expr::int(self.count as i128));
        let value = Expr::call(Op::Min, [Expr::Var(from), last]);
        let mut body = vec![Kir::Let { var: at, mutable: false, value }];
        let done = (!new).then(|| {
            let done = kernel.var("done", VarKind::Local, Ty::Index);
            let value = Expr::call(Op::Sub, [Expr::Var(from), Expr::Var(at)]);
            body.push(Kir::Let { var: done, mutable: false, value });
            done
        });
        let fill = Fill { new, done };
        body.extend(self.column(kernel, k, [row, at], self.count, packed, &fill));
        let value = Expr::Var(from).plus(self.count as i128);
        body.push(Kir::Set { var: from, value });
        let cond = Expr::call(Op::Lt, [Expr::Var(from), end]);
        vec![Kir::Let { var: from, mutable: true, value: first }, Kir::While { cond, body }]
    }

    /// Tiles of all columns, of which those at the end have fewer.
    fn shorter(
        &self,
        kernel: &mut Kernel,
        k: &Kir,
        row: VarId,
        packed: Option<&Packed<'_>>,
    ) -> Vec<Kir> {
        let [first, end] = self.columns.clone();
        let at = self.state(kernel, self.index, "tile");
        let mut out = vec![Kir::Let { var: at, mutable: true, value: first }];
        let mut count = self.count;
        while count > 0 {
            let fill = Fill { new: false, done: None };
            let packed = packed.filter(|_| count == self.count);
            let mut body = self.column(kernel, k, [row, at], count, packed, &fill);
            let value = Expr::Var(at).plus(count as i128);
            body.push(Kir::Set { var: at, value: value.clone() });
            let cond = Expr::call(Op::Le, [value, end.clone()]);
            out.push(Kir::While { cond, body });
            count /= 2;
        }
        out
    }

    /// The tiles of `count` columns from `at` on, of all rows.
    fn column(
        &self,
        kernel: &mut Kernel,
        k: &Kir,
        [row, at]: [VarId; 2],
        count: usize,
        packed: Option<&Packed<'_>>,
        fill: &Fill,
    ) -> Vec<Kir> {
        let ([lo, hi], Kir::For { body, .. }) = (self.rows.clone(), k) else {
            unreachable!("a loop over rows")
        };
        let mut out = Vec::new();
        let copied = packed.map(|packed| packed.copied(kernel, at, &mut out));
        let n = kernel.var("n", VarKind::Index, Ty::Index);
        let tile = Tile { n, at, count, copied };
        let names: Vec<HashMap<VarId, VarId>> = (0..ROWS)
            .map(|r| if r == 0 { HashMap::new() } else { fresh(kernel, &self.own) })
            .collect();
        let (mut inside, mut behind, mut held) = (Vec::new(), Vec::new(), Vec::new());
        for r in 0..ROWS {
            let (array, made) = on_stack(kernel, self.array, count);
            inside.extend(made);
            let of = Expr::Var(row).plus(r as i128);
            let start = add(Expr::Var(at), self.base.map(&mut replace_var(self.outer, &of)));
            let place = Expr::Load(self.array, Box::new(add(start, Expr::Var(n))));
            let mine = Expr::Load(array, Box::new(Expr::Var(n)));
            let store =
                |target: &Expr, value| Kir::Store { target: target.clone(), op: None, value };
            if !fill.new {
                inside.push(tile.each(vec![store(&mine, place.clone())]));
            }
            let value = match fill.done {
                None => tile.each(vec![store(&place, mine.clone())]),
                Some(done) => {
                    let old = kernel.var("old", VarKind::Local, elem(kernel, self.array));
                    let own = kernel.var("own", VarKind::Local, elem(kernel, self.array));
                    let before = Expr::call(Op::Lt, [Expr::Var(n), Expr::Var(done)]);
                    let value = Expr::call(Op::IfElse, [before, Expr::Var(old), Expr::Var(own)]);
                    tile.each(vec![
                        Kir::Let { var: old, mutable: false, value: place.clone() },
                        Kir::Let { var: own, mutable: false, value: mine.clone() },
                        store(&place, value),
                    ])
                }
            };
            behind.push(value);
            held.push(mine);
        }
        for (r, names) in names.iter().enumerate() {
            let value = Expr::Var(row).plus(r as i128);
            inside.push(Kir::Let { var: named(names, self.outer), mutable: false, value });
        }
        inside.extend(self.jammed(kernel, body, &names, &held, &tile));
        inside.extend(behind);
        let next = Expr::Var(row).plus(ROWS as i128);
        inside.push(Kir::Set { var: row, value: next.clone() });
        out.push(Kir::Set { var: row, value: lo });
        out.push(Kir::While { cond: Expr::call(Op::Le, [next, hi]), body: inside });
        out
    }

    /// `code` for several rows at once, into what is `held` of them.
    fn jammed(
        &self,
        kernel: &mut Kernel,
        code: &[Kir],
        names: &[HashMap<VarId, VarId>],
        held: &[Expr],
        tile: &Tile,
    ) -> Vec<Kir> {
        let mut out = Vec::new();
        for k in code {
            match k {
                Kir::Let { var, .. } if self.own.contains(var) => {
                    names.iter().for_each(|names| out.push(renamed(kernel, k, names)));
                }
                Kir::For { var, body, .. } if *var == self.index => {
                    for (names, held) in names.iter().zip(held) {
                        let value = add(Expr::Var(tile.at), Expr::Var(tile.n));
                        let mut own = vec![Kir::Let { var: *var, mutable: false, value }];
                        let body: Vec<Kir> =
                            body.iter().map(|k| renamed(kernel, k, names)).collect();
                        own.extend(map_code(&body, &mut |e| tile.place(kernel, e, *var)));
                        if let Some(Kir::Store { target, .. }) = own.last_mut() {
                            *target = held.clone();
                        }
                        out.push(tile.each(own));
                    }
                    out.extend(in_order(kernel, self.array));
                }
                k => {
                    let mut k = k.clone();
                    for block in k.blocks_mut() {
                        *block = self.jammed(kernel, block, names, held, tile);
                    }
                    out.push(k);
                }
            }
        }
        out
    }
}

/// What elements are before the loop, and of the first how many are to stay.
struct Fill {
    new: bool,
    done: Option<VarId>,
}

/// A tile of columns.
struct Tile {
    /// Which of them.
    n: VarId,
    /// The first.
    at: VarId,
    count: usize,
    copied: Option<super::panels::Copied>,
}

impl Tile {
    /// `body` for each column.
    fn each(&self, body: Vec<Kir>) -> Kir {
        Kir::For { var: self.n, lo: Expr::int(0), hi: Expr::int(self.count as i128), body }
    }

    /// Where the element `e` of the column `index` is.
    fn place(&self, kernel: &Kernel, e: &Expr, index: VarId) -> Option<Expr> {
        let copied = self.copied.as_ref().and_then(|copied| copied.place(e, index, self.n));
        copied.or_else(|| neighbor(kernel, e, index, self.at, self.n))
    }
}

fn elem(kernel: &Kernel, array: ArrayId) -> Ty {
    kernel.arrays[array.0 as usize].elem.clone()
}

fn add(a: Expr, b: Expr) -> Expr {
    Expr::call(Op::Add, [a, b])
}

/// Whether `e` compares numbers, and holds.
fn holds(e: &Expr) -> bool {
    let Expr::Call(Op::Le, args) = e else { return false };
    matches!(args[..], [Expr::Lit(Lit::Int(a)), Expr::Lit(Lit::Int(b))] if a <= b)
}

/// What is another in each iteration of a loop over `index`, of the locals of its `body`.
fn own(kernel: &Kernel, body: &[Kir], index: VarId) -> Vec<VarId> {
    let mut own = vec![index];
    loop {
        let before = own.len();
        let mut each = |k: &Kir| {
            let Kir::Let { var, value, .. } = k else { return };
            if !own.contains(var) && kernel.depends(value).iter().any(|v| own.contains(v)) {
                own.push(*var);
            }
        };
        body.iter().for_each(|k| k.walk(&mut |k| each(k)));
        if own.len() == before {
            return own;
        }
    }
}
