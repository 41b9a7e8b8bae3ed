//! Verifies what [`crate::kir::Parallel`] promises of parallel regions, in debug builds of the compiler: rustc
//! would not notice a region that runs its chunks twice.

use crate::cin::*;
use crate::kernel::*;
use crate::kir::{Kir, Parallel, Piece};
use crate::locals::tensors as locals;
use crate::opaque::Opaque;
use crate::runtime::Runtime;
use std::collections::{BTreeMap, BTreeSet};

/// What code says of the indices of loops.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Bindings {
    /// Each is bound, as lowering leaves them.
    All,
    /// Those that nothing reads are not: what runs once for each value of one cannot be told.
    Read,
}

/// Verifies `code` in debug builds.
///
/// # Panics
/// If its parallel regions are not what they promise to be.
pub(crate) fn verify(kernel: &Kernel, code: &[Kir], bindings: Bindings) {
    if cfg!(debug_assertions) {
        if let Err(why) = check(kernel, code, bindings) {
            unreachable!("the code of a kernel is wrong: {why}");
        }
    }
}

fn check(kernel: &Kernel, code: &[Kir], bindings: Bindings) -> Result<(), String> {
    let mut loops = BTreeMap::new();
    parallel_loops(&kernel.body, None, &mut loops);
    let check = Check { kernel, bindings, loops };
    check.block(code, &mut Vec::new(), &mut BTreeSet::new())
}

/// A parallel loop of the program.
struct Loop {
    /// The index of the loop around it.
    around: Option<VarId>,
    /// Tensors whose life is within its body.
    local: Vec<TensorId>,
}

fn parallel_loops(s: &Stmt, around: Option<VarId>, out: &mut BTreeMap<VarId, Loop>) {
    let mut around = around;
    if let Stmt::Loop { index, parallel, body, .. } = s {
        if *parallel {
            out.insert(*index, Loop { around, local: locals(body) });
        }
        around = Some(*index);
    }
    s.children().into_iter().for_each(|s| parallel_loops(s, around, out));
}

struct Check<'a> {
    kernel: &'a Kernel,
    bindings: Bindings,
    loops: BTreeMap<VarId, Loop>,
}

/// What the code of a region may write.
struct Inside<'a> {
    region: &'a Parallel,
    /// Tensors that a chunk has for itself.
    tensors: BTreeSet<TensorId>,
    /// Arrays that a chunk has copies of.
    arrays: BTreeSet<ArrayId>,
    /// Variables that are defined in it.
    vars: BTreeSet<VarId>,
}

impl Check<'_> {
    /// `ran` has the loops that have been run since the loop around them began an iteration.
    fn block<'k>(
        &self,
        code: &'k [Kir],
        inside: &mut Vec<Inside<'k>>,
        ran: &mut BTreeSet<VarId>,
    ) -> Result<(), String> {
        for k in code {
            self.statement(k, inside, ran)?;
        }
        Ok(())
    }

    fn statement<'k>(
        &self,
        k: &'k Kir,
        inside: &mut Vec<Inside<'k>>,
        ran: &mut BTreeSet<VarId>,
    ) -> Result<(), String> {
        self.writes(k, inside)?;
        if let Kir::Let { var, .. } | Kir::For { var, .. } = k {
            ran.retain(|index| self.loops.get(index).is_none_or(|l| l.around != Some(*var)));
        }
        if let Kir::If { then, otherwise, .. } = k {
            // One of the branches is taken.
            let mut other = ran.clone();
            self.block(then, inside, ran)?;
            self.block(otherwise, inside, &mut other)?;
            ran.append(&mut other);
            return Ok(());
        }
        if let Kir::Parallel(p) = k {
            return self.region(p, inside, ran);
        }
        k.blocks().into_iter().try_for_each(|block| self.block(block, inside, ran))
    }

    fn region<'k>(
        &self,
        p: &'k Parallel,
        inside: &mut Vec<Inside<'k>>,
        ran: &mut BTreeSet<VarId>,
    ) -> Result<(), String> {
        let name = self.kernel.called(p.index);
        let Some(of) = self.loops.get(&p.index) else {
            return Err(format!("a parallel region over `{name}`, which no parallel loop binds"));
        };
        if inside.iter().any(|outer| outer.region.index == p.index) {
            return Err(format!("a parallel region over `{name}` within one over `{name}`"));
        }
        if !ran.insert(p.index) && self.bindings == Bindings::All {
            return Err(format!("one run of the loop over `{name}` is two parallel regions"));
        }
        let mut own = Inside {
            region: p,
            tensors: of.local.iter().copied().collect(),
            arrays: BTreeSet::new(),
            vars: BTreeSet::from([p.from, p.to]),
        };
        for piece in &p.pieces {
            let whole = match piece {
                Piece::Part { whole, part } | Piece::Made { whole, part, .. } => {
                    own.tensors.insert(*part);
                    self.kernel.arrays_of(*whole)
                }
                Piece::Copy { array, .. } => {
                    own.arrays.insert(*array);
                    vec![*array]
                }
                Piece::Scalar { var, .. } => {
                    self.may_set(*var, inside)?;
                    continue;
                }
            };
            whole.into_iter().try_for_each(|array| self.may_write(array, inside))?;
        }
        inside.push(own);
        self.block(&p.body, inside, ran)?;
        inside.pop();
        Ok(())
    }

    /// Whether `k` writes only what the regions around it have for themselves.
    fn writes(&self, k: &Kir, inside: &mut [Inside<'_>]) -> Result<(), String> {
        let Some(own) = inside.last_mut() else { return Ok(()) };
        match k {
            Kir::Let { var, .. } | Kir::For { var, .. } => {
                own.vars.insert(*var);
                Ok(())
            }
            Kir::Set { var, .. } | Kir::Store { target: Expr::Var(var), .. } => {
                self.may_set(*var, inside)
            }
            Kir::Store { target: Expr::Load(array, _), .. } | Kir::Put { array, .. } => {
                self.may_write(*array, inside)
            }
            Kir::CopyRow(row) => self.may_write(row.to.0, inside),
            Kir::PutRun(run) => {
                self.may_set(run.count, inside)?;
                run.elements().try_for_each(|(array, _)| self.may_write(*array, inside))
            }
            Kir::Begin(b) => {
                own.vars.insert(b.at);
                Ok(())
            }
            Kir::Room { arrays, count, .. } => {
                own.vars.insert(*count);
                arrays.iter().try_for_each(|array| self.may_write(*array, inside))
            }
            Kir::Filled { arrays, .. } => {
                arrays.iter().try_for_each(|array| self.may_write(*array, inside))
            }
            Kir::Code(r) => {
                let raw = &self.kernel.raws[r.0 as usize];
                if let (Opaque::Runtime(Runtime::OnStack { .. }), [(_, Expr::Array(array))]) =
                    (&raw.code, &raw.names[..])
                {
                    own.arrays.insert(*array);
                }
                Ok(())
            }
            Kir::GiveBack(g) => {
                g.arrays.iter().try_for_each(|array| self.may_write(*array, inside))
            }
            _ => Ok(()),
        }
    }

    /// `var` is defined in the innermost region, if there is one.
    fn may_set(&self, var: VarId, inside: &[Inside<'_>]) -> Result<(), String> {
        match inside.last() {
            Some(own) if !own.vars.contains(&var) => {
                Err(self.shared(&self.kernel.info(var).name, own))
            }
            _ => Ok(()),
        }
    }

    /// `array` is the innermost region's own, if there is one.
    fn may_write(&self, array: ArrayId, inside: &[Inside<'_>]) -> Result<(), String> {
        let info = &self.kernel.arrays[array.0 as usize];
        match inside.last() {
            Some(own) if !own.tensors.contains(&info.tensor) && !own.arrays.contains(&array) => {
                Err(self.shared(&info.name, own))
            }
            _ => Ok(()),
        }
    }

    fn shared(&self, what: &str, own: &Inside<'_>) -> String {
        let index = self.kernel.called(own.region.index);
        format!("chunks of the loop over `{index}` share `{what}`, and write it")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::Form;

    /// `for k { parallel for i { s += .. } }`, and its names.
    fn kernel() -> (Kernel, [VarId; 5]) {
        let mut kernel = Kernel::new(proc_macro2::TokenStream::new(), true, Form::Inline);
        let [k, i, from, to] =
            ["k", "i", "from", "to"].map(|name| kernel.var(name, VarKind::Index, Ty::Index));
        let s = kernel.var("s", VarKind::Scalar, Ty::Index);
        let nest = |index, parallel, body| Stmt::Loop {
            index,
            parallel,
            lo: Expr::int(0),
            hi: Expr::int(9),
            body: Box::new(body),
        };
        let add = Stmt::Assign { target: Expr::Var(s), op: Some(Op::Add), value: Expr::Var(i) };
        kernel.body = nest(k, false, nest(i, true, add));
        (kernel, [k, i, from, to, s])
    }

    fn region(index: VarId, [from, to]: [VarId; 2], pieces: Vec<Piece>, body: Vec<Kir>) -> Kir {
        let (lo, hi) = (Expr::int(0), Expr::int(9));
        Kir::Parallel(Box::new(Parallel {
            index,
            from,
            to,
            lo,
            hi,
            work: Vec::new(),
            weight: 1,
            pieces,
            body,
        }))
    }

    fn each(var: VarId, body: Vec<Kir>) -> Kir {
        Kir::For { var, lo: Expr::int(0), hi: Expr::int(9), body }
    }

    fn said(kernel: &Kernel, code: &[Kir], bindings: Bindings) -> String {
        check(kernel, code, bindings).err().unwrap_or_default()
    }

    #[test]
    fn a_region_is_not_within_its_own() {
        let (kernel, [k, i, from, to, _]) = kernel();
        let chunks = [from, to];
        let inner = region(i, chunks, Vec::new(), Vec::new());
        let code = each(k, vec![region(i, chunks, Vec::new(), vec![each(i, vec![inner])])]);
        let said = said(&kernel, &[code], Bindings::All);
        assert_eq!(said, "a parallel region over `i` within one over `i`");
    }

    #[test]
    fn a_run_is_one_region() {
        let (kernel, [k, i, from, to, _]) = kernel();
        let one = region(i, [from, to], Vec::new(), Vec::new());
        let two = [each(k, vec![one.clone(), one.clone()])];
        let said = |code: &[Kir], bindings| said(&kernel, code, bindings);
        assert_eq!(
            said(&two, Bindings::All),
            "one run of the loop over `i` is two parallel regions"
        );
        assert_eq!(said(&two, Bindings::Read), "");
        // Another run, or another path.
        assert_eq!(
            said(&[each(k, vec![one.clone()]), each(k, vec![one.clone()])], Bindings::All),
            ""
        );
        let either = Kir::If {
            cond: Expr::bool(true),
            then: vec![one.clone()],
            otherwise: vec![one.clone()],
        };
        assert_eq!(said(&[each(k, vec![either.clone()])], Bindings::All), "");
        assert!(!said(&[each(k, vec![either, one])], Bindings::All).is_empty());
    }

    #[test]
    fn what_is_written_is_of_the_chunk() {
        let (kernel, [k, i, from, to, s]) = kernel();
        let add = Kir::Store { target: Expr::Var(s), op: Some(Op::Add), value: Expr::Var(i) };
        let code = |first: Vec<Kir>| {
            let body = first.into_iter().chain([each(i, vec![add.clone()])]).collect();
            [each(k, vec![region(i, [from, to], Vec::new(), body)])]
        };
        assert_eq!(
            said(&kernel, &code(Vec::new()), Bindings::All),
            "chunks of the loop over `i` share `s`, and write it"
        );
        let own = Kir::Let { var: s, mutable: true, value: Expr::int(0) };
        assert_eq!(said(&kernel, &code(vec![own]), Bindings::All), "");
    }
}
