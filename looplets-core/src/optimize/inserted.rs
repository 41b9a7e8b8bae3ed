//! Makes room once for the entries that a stretch of code inserts into one fiber, each of which it looks for first: those that are new
//! are put where there is room, and those that are found are stored to.
//!
//! A row of a product of sparse matrices (Gustavson, 1978) has no more entries than the rows that it is made of, and none twice. Asked for
//! room one by one, the ends of its vectors are in memory in each step; by hand they would be counted before.

use super::abreast::renamed_in;
use super::append::{put_for_store, Pass};
use super::guards::any;
use crate::cin::*;
use crate::decl::Write;
use crate::kernel::*;
use crate::kir::{Begin, Each, Kir};
use crate::runtime::Runtime;
use crate::types::primitive;
use std::collections::HashMap;

impl Pass<'_> {
    /// Whether `code` looks for the entries that it makes.
    pub(super) fn looks_for(&self, code: &[Kir]) -> bool {
        any(code, &|k| matches!(k, Kir::Begin(b) if b.of == self.of && b.found.is_some()))
    }

    /// Whether the entries of `code` are all of one fiber, that which was opened last.
    pub(super) fn one_fiber(&self, code: &[Kir]) -> bool {
        let level = &self.kernel.tensor(self.of.0).levels[self.of.1].format;
        level.level().write.as_ref().is_some_and(Write::opens_in_order)
            && !any(code, &|k| self.opens(k))
    }

    /// Code that borrows the arrays by which `code` finds entries as slices: LLVM would look up in memory where a vector begins for each
    /// element that it stores elsewhere.
    pub(super) fn borrowed(&mut self, code: &[Kir]) -> Vec<Kir> {
        let put = |a: &ArrayId| {
            any(code, &|k| matches!(k, Kir::Room { arrays, .. } if arrays.contains(a)))
        };
        let fields = &self.kernel.tensor(self.of.0).levels[self.of.1].fields;
        let arrays: Vec<ArrayId> = fields
            .iter()
            .filter_map(|(_, b)| match b {
                Binding::Array(a) if !put(a) => Some(*a),
                _ => None,
            })
            .collect();
        let slice =
            |a| self.kernel.statement(Runtime::Slice { reborrowed: true }, vec![Expr::Array(a)]);
        arrays.into_iter().map(slice).collect()
    }

    /// How many coordinates a fiber has.
    pub(super) fn coordinates(&self) -> Expr {
        Expr::Var(self.kernel.tensor(self.of.0).lens[self.of.1])
    }

    /// Has `code` put entries that are new, and store to those that are found; gives the variable that holds how many there were before,
    /// and its value. `None` if an entry is more than one store.
    pub(super) fn insert(
        &mut self,
        code: &mut Vec<Kir>,
        count: VarId,
        arrays: &mut Vec<ArrayId>,
    ) -> Option<(VarId, Expr)> {
        let mut from = None;
        self.insert_all(code, count, arrays, &mut from)?;
        let (from, value) = from?;
        let known = !self.kernel.depends(&value).iter().any(|v| self.unknown.contains(v));
        known.then_some((from, value))
    }

    fn insert_all(
        &mut self,
        code: &mut Vec<Kir>,
        count: VarId,
        arrays: &mut Vec<ArrayId>,
        from: &mut Option<(VarId, Expr)>,
    ) -> Option<()> {
        let mut at = 0;
        while at < code.len() {
            let begin = match &code[at] {
                Kir::Begin(b) if b.of == self.of => b.clone(),
                k if self.commits(k) => return None,
                _ => {
                    let blocks = code[at].blocks_mut();
                    for block in blocks {
                        self.insert_all(block, count, arrays, from)?;
                    }
                    at += 1;
                    continue;
                }
            };
            let end = at + code[at..].iter().position(|k| self.commits(k))?;
            let Kir::Commit(commit) = &code[end] else { unreachable!("a commit") };
            let each = commit.each.clone().filter(|each| each.run.is_none())?;
            let entry = self.one(&begin, code[at + 1..end].to_vec(), each, count, arrays, from)?;
            let length = entry.len();
            code.splice(at..=end, entry);
            at += length;
        }
        Some(())
    }

    /// The entry that `begin` begins, of which `code` makes `each`.
    fn one(
        &mut self,
        begin: &Begin,
        mut code: Vec<Kir>,
        each: Each,
        count: VarId,
        arrays: &mut Vec<ArrayId>,
        from: &mut Option<(VarId, Expr)>,
    ) -> Option<Vec<Kir>> {
        let (found, None, []) = (begin.found?, begin.written, &begin.open[..]) else { return None };
        let Each { elements, values, note: Some((q, note)), .. } = each else { return None };
        if arrays.is_empty() {
            arrays.extend(elements.iter().map(|(a, _)| *a).chain(values));
        }
        // New entries come behind those that there were.
        let name = self.kernel.tensor(self.of.0).name.clone();
        let (_, position) = from.get_or_insert_with(|| {
            let first = self.kernel.var(&format!("{name}_from"), VarKind::Local, Ty::Index);
            (first, begin.position.clone())
        });
        let same = *position == begin.position;
        // An entry is made by definitions and one store, which is the last.
        let store = values.map(|_| code.pop());
        let defines = |k: &Kir| matches!(k, Kir::Let { mutable: false, .. } | Kir::Comment(_));
        if !same || !code.iter().all(defines) {
            return None;
        }
        let (mut then, mut otherwise) = (Vec::new(), Vec::new());
        if let (Some(array), Some(store)) = (values, store) {
            let mut made = vec![store?];
            let Kir::Store { target, op, mut value } = made[0].clone() else { return None };
            let place = Expr::Load(array, Box::new(Expr::Var(begin.at)));
            if target != place || self.kernel.mentions(&value, array) {
                return None;
            }
            // Both branches store the same value: it is computed once, in front of them.
            let ty = self.kernel.arrays[array.0 as usize].elem.clone();
            let alike = |op: &Op| matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Min | Op::Max);
            let number = matches!(&ty, Ty::Named(name) if primitive(name));
            if number
                && op.as_ref().is_none_or(alike)
                && !matches!(value, Expr::Var(_) | Expr::Lit(_))
            {
                let term = self.kernel.var("term", VarKind::Local, ty);
                code.push(Kir::Let { var: term, mutable: false, value });
                value = Expr::Var(term);
                made = vec![Kir::Store { target, op: op.clone(), value: value.clone() }];
            }
            let found = Expr::Load(array, Box::new(Expr::Var(found)));
            otherwise.push(Kir::Store { target: found, op, value });
            let fill = self.kernel.tensor(self.of.0).fill.clone();
            if !put_for_store(&mut made, &place, &fill, Expr::Var(count)) {
                return None;
            }
            then.extend(made);
        }
        let own = elements.into_iter();
        then.extend(own.map(|(array, value)| Kir::Put { array, at: Expr::Var(count), value }));
        for k in note {
            let Kir::Code(raw) = k else { return None };
            let renamed = renamed_in(self.kernel, &Expr::Raw(raw), &HashMap::from([(q, count)]));
            let Expr::Raw(raw) = renamed else { unreachable!("code is opaque") };
            then.push(Kir::Code(raw));
        }
        then.push(Kir::Set { var: count, value: Expr::Var(count).plus(1) });
        let is_new = Expr::call(Op::Lt, [Expr::Var(found), Expr::int(0)]);
        code.push(Kir::If { cond: is_new, then, otherwise });
        let depends =
            |k: &Kir| k.exprs().into_iter().any(|e| self.kernel.depends(e).contains(&begin.at));
        (!any(&code, &depends)).then_some(code)
    }
}
