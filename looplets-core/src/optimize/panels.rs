//! Panels: what a tile of columns reads of a matrix is copied once for all rows, each row of it behind the other.
//!
//! Of a matrix with long rows a few columns are in as many pages as it has rows, and where rows are as long as a power of two
//! they have the same few places in the nearest cache. So many are not found there again for the next rows
//! of the result. A copy of a few columns is as long as these are, and costs one reading of the matrix in all.
//! Where there are few rows of either it is not worth making, and the same code reads the matrix itself.

use super::positions::{minus, wrapping};
use super::tile::another;
use super::tiles::Nest;
use crate::cin::*;
use crate::index::difference;
use crate::kernel::{Kernel, Ty, VarKind};
use crate::kir::Kir;
use crate::runtime::Runtime;

/// How many rows a matrix has that is worth a copy, and how many read it.
const WORTH: i128 = 32;

/// A loop between that over rows and that over columns.
#[derive(Clone)]
pub(super) struct Between {
    pub var: VarId,
    pub lo: Expr,
    pub hi: Expr,
}

impl Between {
    /// All loops in `body` but that over `index`, outermost first.
    pub(super) fn all(body: &[Kir], index: VarId) -> Vec<Between> {
        let mut all = Vec::new();
        body.iter().for_each(|k| {
            k.walk(&mut |k| match k {
                Kir::For { var, lo, hi, .. } if *var != index => {
                    all.push(Between { var: *var, lo: lo.clone(), hi: hi.clone() });
                }
                _ => {}
            });
        });
        all
    }
}

/// The columns of a matrix that a tile reads.
pub(super) struct Panel {
    array: ArrayId,
    /// Where the element of column 0 is, as it is written.
    base: Expr,
    /// The same of the first row, and how far it is to the next one.
    first: Expr,
    step: Expr,
    /// The loop over the rows.
    rows: Between,
}

impl Panel {
    /// That of the element `e`, if one loop goes along its rows, which lie at the same distance from each other.
    pub(super) fn of(
        kernel: &Kernel,
        e: &Expr,
        nest: &Nest<'_>,
        loops: &[Between],
        expanded: &dyn Fn(&Expr) -> Expr,
    ) -> Option<Panel> {
        let (Expr::Load(array, at), [rows]) = (e, loops) else { return None };
        let base = difference(at, &Expr::Var(nest.index));
        let whole = expanded(&base);
        let next = whole.map(&mut replace_var(rows.var, &Expr::Var(rows.var).plus(1)));
        let step = minus(&next, &whole)?;
        let (lo, hi) = (expanded(&rows.lo), expanded(&rows.hi));
        let first = whole.map(&mut replace_var(rows.var, &lo));
        let first = minus(&first, &Expr::int(0))?;
        let fixed = [&step, &first, &lo, &hi].iter().all(|e| nest.fixed(kernel, e));
        let elem = &kernel.arrays[array.0 as usize].elem;
        let number = matches!(elem, Ty::Named(name) if crate::types::primitive(name));
        let rows = Between { var: rows.var, lo, hi };
        (fixed && number && step != Expr::int(0)).then_some(Panel {
            array: *array,
            base,
            first,
            step,
            rows,
        })
    }

    /// What is the same for all tiles of `width` columns, where `readers` rows read each: into `code`.
    pub(super) fn packed(
        &self,
        kernel: &mut Kernel,
        readers: &Expr,
        width: usize,
        code: &mut Vec<Kir>,
    ) -> Packed<'_> {
        let buffer = another(kernel, self.array, "copy");
        code.push(kernel.statement(Runtime::Declare, vec![Expr::Array(buffer)]));
        let count = difference(&self.rows.hi, &self.rows.lo);
        let many = |e: &Expr| Expr::call(Op::Le, [Expr::int(WORTH), e.clone()]);
        let worth = Expr::call(Op::And, [many(readers), many(&count)]);
        let args = vec![Expr::Array(buffer), worth, count];
        let room = kernel.call(Runtime::PanelRoom { width }, args, Ty::Bool);
        let made = kernel.var("packed", VarKind::Local, Ty::Bool);
        code.push(Kir::Let { var: made, mutable: false, value: room });
        let step = kernel.var("step", VarKind::Local, Ty::Index);
        let widths = [Expr::Var(made), Expr::int(width as i128), self.step.clone()];
        code.push(Kir::Let { var: step, mutable: false, value: Expr::call(Op::IfElse, widths) });
        Packed { of: self, buffer, made, step, width }
    }
}

/// Where panels are copied to, if they are.
pub(super) struct Packed<'a> {
    of: &'a Panel,
    buffer: ArrayId,
    /// Whether they are.
    made: VarId,
    /// How far it is from one row to the next.
    step: VarId,
    width: usize,
}

impl Packed<'_> {
    /// Makes that of the columns from `at` on: by `code`.
    pub(super) fn copied(&self, kernel: &mut Kernel, at: VarId, code: &mut Vec<Kir>) -> Copied {
        let panel = another(kernel, self.of.array, "panel");
        let Panel { first, step, rows, .. } = self.of;
        let from = Expr::call(Op::Add, [Expr::Var(at), first.clone()]);
        let count = difference(&rows.hi, &rows.lo);
        let made = Expr::Var(self.made);
        let arrays = [panel, self.buffer, self.of.array].map(Expr::Array);
        let args = [made.clone(), from.clone(), step.clone(), count];
        let all = arrays.into_iter().chain(args).collect();
        // Of that type, what it is told stays a coordinate.
        let copy = kernel.call(Runtime::Panel { width: self.width }, all, Ty::Index);
        let Expr::Raw(copy) = copy else { unreachable!("a call is opaque") };
        code.push(Kir::Code(copy));
        let before = wrapping(&Expr::call(Op::Mul, [Expr::Var(self.step), rows.lo.clone()]));
        let value = Expr::call(Op::IfElse, [made, Expr::int(0), from]);
        let value = match rows.lo {
            Expr::Lit(Lit::Int(0)) => value,
            _ => Expr::call(Op::Sub, [value, before]),
        };
        let start = kernel.var("start", VarKind::Local, Ty::Index);
        code.push(Kir::Let { var: start, mutable: false, value });
        let of = (self.of.array, self.of.base.clone());
        Copied { of, panel, start, step: self.step, row: rows.var }
    }
}

/// A panel.
pub(super) struct Copied {
    /// What it is a copy of, and where the element of column 0 is there.
    of: (ArrayId, Expr),
    panel: ArrayId,
    /// Where row 0 would begin, and how far it is to the next.
    start: VarId,
    step: VarId,
    /// The loop over rows.
    row: VarId,
}

impl Copied {
    /// Where the element `e` of the column `index`, which is the column `n` of the panel, is in it.
    pub(super) fn place(&self, e: &Expr, index: VarId, n: VarId) -> Option<Expr> {
        let Expr::Load(array, at) = e else { return None };
        let same = (*array, difference(at, &Expr::Var(index))) == self.of;
        let row = wrapping(&Expr::call(Op::Mul, [Expr::Var(self.step), Expr::Var(self.row)]));
        let start = Expr::call(Op::Add, [Expr::Var(self.start), row]);
        let at = Expr::call(Op::Add, [start, Expr::Var(n)]);
        same.then(|| Expr::Load(self.panel, Box::new(at)))
    }
}
