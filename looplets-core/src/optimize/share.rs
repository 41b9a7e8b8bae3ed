//! Where each entry of a range has the coordinates of those around it, these are put beside it, and nothing is left
//! to be done where the range ends.
//!
//! A `Coo` that is written row by row would else be told at the end of each row how many entries it got. By hand one
//! pushes both coordinates of each entry.

use super::append::Pass;
use super::guards::any;
use crate::cin::*;
use crate::kir::{Commit, Kir};

impl Pass<'_> {
    /// Has the elements that entries around those of `code` share put with each of these, as far out as `code` has
    /// all of such an entry and the level says so.
    pub(super) fn share(&mut self, code: &mut Vec<Kir>, count: VarId, arrays: &mut Vec<ArrayId>) {
        let (tensor, level) = self.of;
        for level in (0..level).rev() {
            let mut shared = code.clone();
            let mut own = Vec::new();
            let of = (tensor, level);
            let told = |k: &Kir| match k {
                Kir::Begin(b) => b.of == of,
                Kir::Commit(c) => c.of == of,
                Kir::GiveBack(g) => g.of == of,
                _ => false,
            };
            let all = self.beside(&mut shared, of, count, &mut own);
            if all.is_none() || own.is_empty() || any(&shared, &told) {
                return;
            }
            *code = shared;
            arrays.extend(own);
        }
    }

    /// `None` if an entry of `of` does not end in the block in which it begins, or is more than shared elements.
    fn beside(
        &self,
        code: &mut Vec<Kir>,
        of: (TensorId, usize),
        count: VarId,
        arrays: &mut Vec<ArrayId>,
    ) -> Option<()> {
        let mut n = 0;
        while n < code.len() {
            let Kir::Begin(begin) = &code[n] else {
                code[n]
                    .blocks_mut()
                    .into_iter()
                    .try_for_each(|b| self.beside(b, of, count, arrays))?;
                n += 1;
                continue;
            };
            if begin.of != of {
                n += 1;
                continue;
            }
            let begin = begin.clone();
            let end = n + code[n..].iter().position(|k| ending(k, of).is_some())?;
            let (commit, behind) = ending(&code[end], of)?;
            let elements = commit.shared.clone();
            let own: Vec<VarId> = begin.written.into_iter().chain([begin.at]).collect();
            let of_entry = |e: &Expr| self.kernel.depends(e).iter().any(|v| own.contains(v));
            let opens = !begin.room.is_empty() || !begin.open.is_empty();
            if opens || elements.is_empty() || elements.iter().any(|(_, e)| of_entry(e)) {
                return None;
            }
            for (array, _) in &elements {
                if !arrays.contains(array) {
                    arrays.push(*array);
                }
            }
            let flag = begin.written.filter(|_| behind.is_empty());
            let mut inner = code[n + 1..end].to_vec();
            let uses = |k: &Kir| {
                let raw = if let Kir::Code(r) = k { Some(Expr::Raw(*r)) } else { None };
                k.exprs().into_iter().chain(&raw).any(of_entry)
            };
            if any(&inner, &uses) {
                return None;
            }
            inner.retain(|k| k.sets().is_none_or(|var| Some(var) != flag));
            put_beside(&mut inner, count, &elements, flag);
            let behind = match begin.written.filter(|_| !behind.is_empty()) {
                Some(flag) => {
                    let (cond, otherwise) = (Expr::Var(flag), Vec::new());
                    vec![Kir::If { cond, then: behind, otherwise }]
                }
                None => behind,
            };
            inner.extend(behind);
            let declares =
                |k: &Kir| flag.is_some() && matches!(k, Kir::Let { .. }) && k.sets() == flag;
            let from = if n > 0 && declares(&code[n - 1]) { n - 1 } else { n };
            let next = from + inner.len();
            code.splice(from..=end, inner);
            n = next;
        }
        Some(())
    }
}

/// The commit of an entry of `of` that `k` is, or decides about, and what is done behind it where it is committed.
fn ending(k: &Kir, of: (TensorId, usize)) -> Option<(&Commit, Vec<Kir>)> {
    match k {
        Kir::Commit(c) if c.of == of => Some((c, Vec::new())),
        Kir::If { then, otherwise, .. } => match (&then[..], &otherwise[..]) {
            ([Kir::Commit(c), behind @ ..], [Kir::GiveBack(_)]) if c.of == of => {
                Some((c, behind.to_vec()))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Puts `elements` wherever an entry is counted, and says no more in `flag` that there is one.
fn put_beside(
    code: &mut Vec<Kir>,
    count: VarId,
    elements: &[(ArrayId, Expr)],
    flag: Option<VarId>,
) {
    code.retain(|k| !matches!(k, Kir::Set { var, .. } if Some(*var) == flag));
    let mut n = 0;
    while n < code.len() {
        if matches!(&code[n], Kir::Set { var, .. } if *var == count) {
            let put = |(array, value): &(ArrayId, Expr)| {
                let (array, value) = (*array, value.clone());
                Kir::Put { array, at: Expr::Var(count), value }
            };
            code.splice(n..n, elements.iter().map(put));
            n += elements.len();
        } else {
            for block in code[n].blocks_mut() {
                put_beside(block, count, elements, flag);
            }
        }
        n += 1;
    }
}
