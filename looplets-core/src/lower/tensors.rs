//! Creating and finishing the tensors that a kernel writes.

use super::{Lower, Outside, Written};
use crate::cin::*;
use crate::decl::{Clause, Write};
use crate::kernel::*;
use crate::kir::Kir;
use crate::runtime::Runtime;
use crate::unfurl;

impl Lower<'_> {
    /// Code that creates the arrays of a workspace, at fill. In a loop they are those of the execution
    /// before, if the sizes are: they are made outside of all loops and cleared.
    pub fn create(&mut self, id: TensorId) -> Vec<Kir> {
        let mut code = Vec::new();
        let tensor = self.kernel.tensor(id).clone();
        self.wrote(Written::Tensor(id));
        if let Some(made) = self.kernel.on_stack(id) {
            code.push(made);
            code.extend(self.kernel.borrow_code(id));
            return code;
        }
        let sized = tensor.sizes.iter().all(|size| self.kernel.fixed(size));
        let reused = self.loops > 0 && sized;
        if reused && !self.outside.iter().any(|(t, _)| *t == id) {
            let made = self.kernel.declare_code(id);
            self.outside.push((id, made));
            self.made.remove(&id);
        }
        for (len, size) in tensor.lens.iter().zip(&tensor.sizes) {
            if self.kernel.fixed(size) {
                continue;
            }
            let value = self.kernel.call(
                Runtime::Size,
                vec![Expr::call(Op::Index, [size.clone()])],
                Ty::Index,
            );
            code.push(Kir::Let { var: *len, mutable: false, value });
            if matches!(size, Expr::Var(_) | Expr::Lit(_)) {
                self.assume(&Expr::call(Op::Le, [size.clone(), Expr::Var(*len)]));
            }
        }
        match reused {
            true => {
                match unfurl::clear(self.kernel, id) {
                    // It takes nothing away, so arrays are made as long as they are once.
                    Some(cleared) => {
                        let made = self.made(id);
                        let mut then = self.kernel.lengthen_code(id);
                        then.push(Kir::Set { var: made, value: Expr::Lit(Lit::Bool(true)) });
                        let cond = Expr::call(Op::Not, [Expr::Var(made)]);
                        code.extend([cleared, Kir::If { cond, then, otherwise: Vec::new() }]);
                    }
                    None => {
                        code.extend(self.kernel.clear_code(id));
                        code.extend(self.kernel.lengthen_code(id));
                    }
                }
                code.extend(self.kernel.begin_code(id));
            }
            false => code.extend(self.kernel.create_code(id)),
        }
        if self.kernel.sorted_late(id) {
            self.unsorted.push((id, self.loops));
        }
        if !self.kernel.growing(id) {
            code.extend(self.kernel.borrow_code(id));
        }
        code
    }

    /// The flag whether the arrays of a workspace that is made outside of all loops are as long as they are.
    fn made(&mut self, id: TensorId) -> VarId {
        if let Some(made) = self.made.get(&id) {
            return *made;
        }
        let name = format!("{}_made", self.kernel.tensor(id).name);
        let made = self.kernel.var(&name, VarKind::State, Ty::Bool);
        let value = Expr::Lit(Lit::Bool(false));
        for (_, code) in self.outside.iter_mut().filter(|(of, _)| *of == id) {
            code.push(Kir::Let { var: made, mutable: true, value: value.clone() });
        }
        self.made.insert(id, made);
        made
    }

    /// `code` behind the workspaces that were made outside of it.
    pub fn with_outside(&mut self, known: Outside, code: Vec<Kir>) -> Vec<Kir> {
        let made = std::mem::replace(&mut self.outside, known);
        made.into_iter().flat_map(|(_, made)| made).chain(code).collect()
    }

    /// Code that ends the assembly of the tensors that `s` reads but does not write, so that they
    /// are whole. Ending it twice does no harm, ending it inside a loop that appends would.
    pub fn finish_read(&mut self, s: &Stmt) -> Vec<Kir> {
        let here: Vec<TensorId> = self
            .unsorted
            .iter()
            .filter(|(_, loops)| *loops == self.loops)
            .map(|(t, _)| *t)
            .collect();
        if here.is_empty() {
            return Vec::new();
        }
        let mut written = Vec::new();
        s.assignments(&mut |target, _| {
            if let Expr::Access(a) = target {
                written.push(self.kernel.get(*a).tensor);
            }
        });
        // What is only looked up at random needs no order.
        let read = |l: &Self, t: &TensorId, accesses: &[AccessId]| {
            let ordered = l.kernel.fibers_in_order(*t);
            accesses.iter().map(|a| l.kernel.get(*a)).any(|access| {
                access.tensor == *t && !access.write && (ordered || !l.located_only(access))
            })
        };
        let accesses = self.accesses(s);
        // A definition or a condition is read before what stands below it is written.
        let first = match s {
            Stmt::Let { value: e, .. } | Stmt::Sieve { cond: e, .. } => self.accesses_of(e),
            _ => Vec::new(),
        };
        let mut code = Vec::new();
        for t in here {
            let before = !written.contains(&t) && read(self, &t, &accesses);
            if before || read(self, &t, &first) {
                code.extend(match self.kernel.growing(t) {
                    true => self.kernel.readable_code(t),
                    // Its arrays are as long as they are to be.
                    false => self.kernel.sort_code(t),
                });
            }
        }
        code
    }
}

impl Lower<'_> {
    /// Whether every dimension of an access is read at random.
    fn located_only(&self, access: &Access) -> bool {
        let levels = &self.kernel.tensor(access.tensor).levels[access.level..];
        access.indices.iter().zip(levels).all(|(index, level)| {
            let decl = level.format.level();
            let first = || decl.reads[0].names[0].to_string();
            let protocol = index.protocol.clone().unwrap_or_else(first);
            let located = decl.read(&protocol).is_some_and(|r| r.is_locate());
            located || matches!(index.kind, IndexKind::Opaque(_))
        })
    }
}

impl Kernel {
    /// Arrays of a tensor the kernel creates, empty, then its root opened.
    pub fn create_code(&mut self, id: TensorId) -> Vec<Kir> {
        let mut code = self.declare_code(id);
        code.extend(self.prepare_code(id));
        code
    }

    /// A small workspace of dense levels and known sizes as an array that LLVM can keep in registers.
    fn on_stack(&mut self, id: TensorId) -> Option<Kir> {
        const MOST: i128 = 64;
        let tensor = self.tensor(id).clone();
        let (leaf, levels) = tensor.levels.split_last()?;
        let plain = |l: &Level| {
            let arrays = l.fields.iter().any(|(_, b)| matches!(b, Binding::Array(_)));
            l.format.level().joins_by_size() && l.format.level().one_child_each() && !arrays
        };
        let place = leaf.format.level().write.as_ref()?.place.is_some();
        let [(_, Binding::Array(array))] = leaf.fields[..] else { return None };
        if levels.is_empty()
            || tensor.sizes.len() != levels.len()
            || !levels.iter().all(plain)
            || !place
        {
            return None;
        }
        let mut count = 1;
        for size in &tensor.sizes {
            match size {
                Expr::Lit(Lit::Int(n)) if (0..=MOST).contains(n) => count *= n,
                _ => return None,
            }
        }
        if count > MOST {
            return None;
        }
        let made = Runtime::OnStack { of: id, count: count as usize };
        Some(self.statement(made, vec![Expr::Array(array)]))
    }

    /// Code that makes the arrays of a tensor as long as they are at fill.
    pub fn prepare_code(&mut self, id: TensorId) -> Vec<Kir> {
        let mut code = self.lengthen_code(id);
        code.extend(self.begin_code(id));
        code
    }

    /// The part of it that does nothing where they are.
    fn lengthen_code(&mut self, id: TensorId) -> Vec<Kir> {
        let mut code = self.fitting(id);
        code.extend(unfurl::reserve(self, id, 0, &Expr::int(1)));
        code
    }

    /// The part of it that begins what is assembled.
    fn begin_code(&mut self, id: TensorId) -> Vec<Kir> {
        let mut code: Vec<Kir> = unfurl::start(self, id).into_iter().collect();
        code.extend(unfurl::open(self, id, 0, &Expr::int(0)));
        code
    }

    /// Code that borrows the arrays of a tensor as slices: they do not change their length again.
    pub fn borrow_code(&mut self, id: TensorId) -> Vec<Kir> {
        // What is committed to borrows the slice once more.
        let committed =
            |l: &Level| l.format.level().write.as_ref().is_some_and(|w| w.commit.is_some());
        let reborrowed = self.tensor(id).levels.iter().any(committed);
        let arrays = self.arrays_of(id);
        let slice = |a| self.statement(Runtime::Slice { reborrowed }, vec![Expr::Array(a)]);
        arrays.into_iter().map(slice).collect()
    }

    /// Code that takes out of a tensor what is in it: as its level says, else by starting anew.
    pub fn clear_code(&mut self, id: TensorId) -> Vec<Kir> {
        if let Some(code) = unfurl::clear(self, id) {
            return vec![code];
        }
        let arrays = self.arrays_of(id);
        let clear = |a| self.statement(Runtime::Clear, vec![Expr::Array(a)]);
        arrays.into_iter().map(clear).collect()
    }

    /// Arrays of a tensor the kernel creates, empty.
    pub fn declare_code(&mut self, id: TensorId) -> Vec<Kir> {
        let mut code = Vec::new();
        let mut arrays: Vec<_> = self.arrays_of(id);
        if self.reused.contains(&id) {
            // They are there, emptied, from the entry of the kernel on.
            arrays.clear();
        }
        for array in arrays {
            code.push(self.statement(Runtime::Declare, vec![Expr::Array(array)]));
        }
        // Other numbers of a level start at zero, as in a level without fibers.
        let levels = self.tensor(id).levels.clone();
        for (_, binding) in levels.iter().flat_map(|l| &l.fields) {
            if let Binding::Scalar(v) = binding {
                if !self.tensor(id).lens.contains(v) {
                    code.push(Kir::Let { var: *v, mutable: false, value: Expr::int(0) });
                }
            }
        }
        code
    }

    /// Checks that the sizes of a tensor fit its coordinate types.
    fn fitting(&mut self, id: TensorId) -> Vec<Kir> {
        let mut code = Vec::new();
        let (levels, lens) = (self.tensor(id).levels.clone(), self.tensor(id).lens.clone());
        for (n, (level, len)) in levels.iter().zip(lens).enumerate() {
            for param in &level.format.level().params {
                if !level.format.level().counts_coordinates(param) {
                    continue;
                }
                let named = |(name, _): &(_, _)| *name == param.name;
                let Some(argument) = level.format.args.iter().position(named) else { continue };
                let size = Expr::call(Op::Index, [Expr::Var(len)]);
                code.push(self.statement(Runtime::Fits { of: (id, n), argument }, vec![size]));
            }
        }
        code
    }

    /// Code that ends the assembly of an output, level by level.
    pub fn finish_code(&mut self, id: TensorId) -> Vec<Kir> {
        let mut code = self.link_code(id);
        code.extend(self.level_by_level(id, |scope, write, count| {
            let mut code = sort(scope, write, count);
            code.extend(finish(scope, write, count));
            code
        }));
        code
    }

    /// Code that links what was appended to levels that are made of nodes, the innermost first: what follows the entries
    /// of a level is then whole.
    fn link_code(&mut self, id: TensorId) -> Vec<Kir> {
        let linked = |l: &Level| l.format.level().write.as_ref().is_some_and(|w| w.link.is_some());
        let Some(last) = self.tensor(id).levels.iter().rposition(linked) else {
            return Vec::new();
        };
        let mut counts = Vec::new();
        let mut code = self.level_by_level(id, |_, _, count| {
            counts.push(count.clone());
            Vec::new()
        });
        for level in (0..=last).rev() {
            code.extend(unfurl::link(self, id, level, &counts[level]));
        }
        code
    }

    /// Code that makes what was written so far whole: levels that say how to be read are not finished.
    fn readable_code(&mut self, id: TensorId) -> Vec<Kir> {
        self.level_by_level(id, |scope, write, count| match write.sort {
            Some(_) => sort(scope, write, count),
            None => finish(scope, write, count),
        })
    }

    /// Code that puts the entries of a tensor in order.
    fn sort_code(&mut self, id: TensorId) -> Vec<Kir> {
        self.level_by_level(id, sort)
    }

    /// What `code` gives for each level, and for how many fibers it has by then.
    fn level_by_level(
        &mut self,
        id: TensorId,
        mut code: impl FnMut(&mut unfurl::Scope<'_>, &Write, &Expr) -> Vec<Kir>,
    ) -> Vec<Kir> {
        let mut all = Vec::new();
        let mut count = Expr::int(1);
        let depth = self.tensor(id).levels.len();
        let name = self.tensor(id).name.to_string();
        for level in 0..depth {
            let format = self.tensor(id).levels[level].format.clone();
            let Some(write) = &format.level().write else { break };
            all.extend(code(&mut unfurl::Scope::new(self, id, level), write, &count));
            if let Some((fibers, children)) = &write.children {
                let mut scope = unfurl::Scope::new(self, id, level);
                scope.bind(fibers, count.clone());
                let value = scope.write_count(children);
                let var = self.var(&format!("{name}{level}_children"), VarKind::Local, Ty::Index);
                all.push(Kir::Let { var, mutable: false, value });
                count = Expr::Var(var);
            }
        }
        all
    }
}

/// Code that puts the entries of a level of `count` fibers in order.
fn sort(scope: &mut unfurl::Scope<'_>, write: &Write, count: &Expr) -> Vec<Kir> {
    let Some((fibers, sort)) = &write.sort else { return Vec::new() };
    scope.bind(fibers, count.clone());
    vec![scope.write_growth(Clause::Sort, sort)]
}

/// Code that ends the assembly of a level of `count` fibers.
fn finish(scope: &mut unfurl::Scope<'_>, write: &Write, count: &Expr) -> Vec<Kir> {
    let (clause, (fibers, last)) = match (&write.finish, &write.reserve) {
        (Some(finish), _) => (Clause::Finish, finish),
        (None, Some(reserve)) => (Clause::Reserve, reserve),
        (None, None) => return Vec::new(),
    };
    scope.bind(fibers, count.clone());
    vec![scope.write_growth(clause, last)]
}
