//! Where an access reads and writes: coordinates, and what windows, `offset` and `permit` make of them.

use super::{Eval, Result, Source, Stop, Traced};
use crate::value::Val;
use looplets_core::cin::*;
use looplets_core::kernel::*;

/// Where an index leads.
enum Coordinate {
    Inside(usize),
    Missing,
    /// Outside, where a condition around it says that nobody asks.
    Fill,
}

impl Eval<'_> {
    /// What an access reads.
    pub(super) fn read(&mut self, access: &Access) -> Result<Traced> {
        let kernel = self.kernel;
        let id = access.tensor;
        let removal = kernel.removals.iter().find(|r| r.stored == id);
        let of = removal.map_or(id, |removal| self.removed_from(removal));
        let tensor = kernel.tensor(of);
        if self.at_fill {
            return Ok(Traced::known(self.fill(of)?));
        }
        let mut at = Vec::new();
        for (dim, index) in access.indices.iter().enumerate() {
            match self.coordinate(index, of, dim)? {
                Coordinate::Inside(i) => at.push(i),
                Coordinate::Missing => return Ok(Traced::known(Val::Missing)),
                Coordinate::Fill => return Ok(Traced::known(self.fill(of)?)),
            }
        }
        let dense = self.elements(of)?;
        let place = dense.place(&at);
        let (stored, val) = (dense.stored[place], dense.data[place].clone());
        if removal.is_some() {
            return Ok(Traced::known(Val::Bool(stored)));
        }
        // Of a leaf without values, that it is stored is all there is to know.
        let valued = tensor.levels.last().is_some_and(|leaf| !leaf.fields.is_empty());
        let known = !stored || !valued;
        Ok(Traced { val, from: if known { Source::Known } else { Source::Data } })
    }

    /// Where an access writes; nowhere if an index is missing.
    pub(super) fn place(&mut self, access: &Access) -> Result<Option<usize>> {
        let mut at = Vec::new();
        for (dim, index) in access.indices.iter().enumerate() {
            match self.coordinate(index, access.tensor, dim)? {
                Coordinate::Inside(i) => at.push(i),
                Coordinate::Missing | Coordinate::Fill => return Ok(None),
            }
        }
        Ok(Some(self.elements(access.tensor)?.place(&at)))
    }

    /// Writes the mirror image of an element of a symmetric matrix.
    pub(super) fn mirror(&mut self, access: &Access, place: usize, val: Val) -> Result<()> {
        let tensor = self.kernel.tensor(access.tensor);
        let rank = tensor.lens.len();
        let symmetric = |l: &Level| l.format.level().name == "Symmetric";
        if rank < 2 || !tensor.levels.get(rank - 1).is_some_and(symmetric) {
            return Ok(());
        }
        let dense = self.elements(access.tensor)?;
        let n = dense.shape[rank - 1];
        let (base, own) = (place - place % (n * n), place % (n * n));
        dense.data[base + own % n * n + own / n] = val;
        Ok(())
    }

    fn coordinate(&mut self, index: &Index, of: TensorId, dim: usize) -> Result<Coordinate> {
        let kernel = self.kernel;
        let e = match &index.kind {
            IndexKind::Affine(v, _) | IndexKind::Digit(v, _) => index.coordinate(&Expr::Var(*v)),
            IndexKind::Opaque(e) => e.clone(),
        };
        let c = match self.eval(&e)?.val {
            Val::Missing => return Ok(Coordinate::Missing),
            val => val.int(),
        };
        let tensor = kernel.tensor(of);
        let len = Expr::Var(tensor.lens[dim]);
        let mut asked = true;
        for e in &index.view.only {
            asked &= self.eval(e)?.val.truth();
        }
        let outside = |lo: i128, hi: i128| -> Result<Coordinate> {
            if !asked {
                return Ok(Coordinate::Fill);
            }
            let name = &tensor.name;
            let message =
                format!("index {c} is outside of {lo}..{hi}, dimension {dim} of `{name}`");
            Err(Stop { message, at: Some(index.span.0) })
        };
        for (part, what) in &index.view.clips {
            let Some((lo, hi)) = part.bounds(&len) else { continue };
            let (lo, hi) = (self.eval(&lo)?.val.int(), self.eval(&hi)?.val.int());
            if c < lo || c >= hi {
                return match what {
                    Outside::Missing => Ok(Coordinate::Missing),
                    Outside::Fill => Ok(Coordinate::Fill),
                    Outside::Refused => outside(lo, hi),
                };
            }
        }
        if let Some((lo, hi)) = index.view.part.bounds(&len) {
            let (lo, hi) = (self.eval(&lo)?.val.int(), self.eval(&hi)?.val.int());
            if c < lo || c >= hi {
                return outside(lo, hi);
            }
        }
        let size = self.eval(&len)?.val.int();
        if c < 0 || c >= size {
            return outside(0, size);
        }
        Ok(Coordinate::Inside(c as usize))
    }
}
