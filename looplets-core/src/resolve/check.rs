//! What a well-formed program must satisfy beyond its syntax: loop orders that the formats can
//! serve, protocols that exist, outputs that are written.

use super::Resolver;
use crate::ast::Passing;
use crate::cin::*;
use crate::decl::{Order, Write};
use crate::diagnostics::text;
use crate::kernel::*;
use std::collections::BTreeMap;

impl Resolver<'_> {
    /// Protocols and loop orders, access by access.
    pub fn check_accesses(&mut self) {
        for k in 0..self.kernel.accesses.len() {
            let access = self.kernel.accesses[k].clone();
            let loops = self.loops_of.get(&AccessId(k as u32)).cloned().unwrap_or_default();
            if access.write {
                self.check_write(&access, &loops);
                self.check_update(AccessId(k as u32), &access, &loops);
            } else {
                self.check_read(&access, &loops);
            }
        }
        self.check_single_appends();
        for t in 0..self.kernel.tensors.len() {
            let id = TensorId(t as u32);
            let once = self.written_once(id) || self.written_in_one_branch(id);
            self.kernel.tensors[t].written_once = once;
            let reduced = self.only_reduced(TensorId(t as u32));
            self.kernel.tensors[t].only_reduced = reduced;
            if let Some(first) = self.first_written(id) {
                self.kernel.accesses[first.0 as usize].first = true;
            }
        }
        let body = self.kernel.body.clone();
        self.check_marks(&body);
    }

    /// An entry of a leaf without values, once stored, stays: it can neither be assigned `false` later, nor be reduced to it.
    fn check_marks(&mut self, s: &Stmt) {
        let mut found = Vec::new();
        s.assignments(&mut |target, op| {
            // What is true stays so by these.
            let keeps = matches!(op, Some(Op::Or | Op::BitOr | Op::Max | Op::Choose));
            if let (Expr::Access(a), false) = (target, keeps) {
                found.push((*a, op.is_some()));
            }
        });
        for (id, reduced) in found {
            let access = self.kernel.get(id).clone();
            let tensor = self.kernel.tensor(access.tensor);
            let leaf = tensor.levels.last().expect("a leaf").format.level();
            if self.marks(access.tensor) && !tensor.written_once {
                let (name, leaf) = (tensor.name.to_string(), leaf.name.to_string());
                let may = match reduced {
                    true => "may be reduced to what is not stored",
                    false => "may be assigned more than once",
                };
                self.errors.error(access.span.0, format!(
                    "`{name}` {may} here, and the leaf `{leaf}` cannot take back that an entry is stored: reduce, `{name}[..] ||= ..`, or choose a leaf that has values"));
            }
        }
    }

    /// Whether the tensor starts at its fill here and one assignment reaches each element once at
    /// most: every loop since its birth drives one of its dimensions. Loops that are left out have no order, so that what is gathered
    /// in them may be thought to be written at first where nothing is stored.
    fn written_once(&self, id: TensorId) -> bool {
        let mut writes = self.writes_of(id);
        let (Some((k, access)), None) = (writes.next(), writes.next()) else { return false };
        let Some(loops) = self.loops_of.get(&k) else { return false };
        let born = self.born[&id].min(loops.len());
        let tensor = self.kernel.tensor(id);
        let gathered = tensor.of.is_some() && !tensor.sizes.is_empty();
        if gathered
            && loops[born..].iter().all(|l| self.left_out.contains(l))
            && self.only_assigned(id)
        {
            return true;
        }
        self.reaches_once(id, access, loops)
    }

    /// The same of several assignments to one element, each in a branch of its own of a condition.
    fn written_in_one_branch(&self, id: TensorId) -> bool {
        let alike = |a: &Access, b: &Access| {
            let same = |(a, b): (&Index, &Index)| a.kind == b.kind && a.view == b.view;
            a.indices.iter().zip(&b.indices).all(same)
        };
        let Some((_, first)) = self.writes_of(id).next() else { return false };
        self.only_assigned(id)
            && self.assigned_at_most(&self.kernel.body, id) == 1
            && self.writes_of(id).all(|(k, access)| {
                let loops = self.loops_of.get(&k);
                alike(first, access) && loops.is_some_and(|l| self.reaches_once(id, access, l))
            })
    }

    pub(super) fn writes_of(&self, id: TensorId) -> impl Iterator<Item = (AccessId, &Access)> {
        let all = self.kernel.accesses.iter().enumerate();
        all.filter(move |(_, a)| a.tensor == id && a.write).map(|(k, a)| (AccessId(k as u32), a))
    }

    /// Whether `access`, in these loops, writes to each element of the tensor `id`, which is made here, once at most.
    pub(super) fn reaches_once(&self, id: TensorId, access: &Access, loops: &[VarId]) -> bool {
        let created = matches!(self.kernel.tensor(id).role, Role::Output | Role::Workspace);
        let driven = |l: &VarId| {
            let by = |i: &Index| matches!(&i.kind, IndexKind::Affine(v, _) if v == l);
            access.indices.iter().any(by)
        };
        let apart = |i: &Index| match &i.kind {
            // An index that another loop moves may take two iterations to one element.
            IndexKind::Affine(_, shift) => self.kernel.fixed(shift),
            IndexKind::Opaque(_) => true,
            IndexKind::Digit(..) => false,
        };
        let born = self.born[&id].min(loops.len());
        created && loops[born..].iter().all(driven) && access.indices.iter().all(apart)
    }

    /// How many assignments to the tensor `id` are made at most on one way through `s`, of which loops run once.
    fn assigned_at_most(&self, s: &Stmt, id: TensorId) -> usize {
        let all = s.children().into_iter().map(|s| self.assigned_at_most(s, id));
        match s {
            Stmt::Assign { target: Expr::Access(a), .. } => {
                usize::from(self.kernel.get(*a).tensor == id)
            }
            Stmt::Sieve { .. } => all.max().unwrap_or(0),
            _ => all.sum(),
        }
    }

    /// Whether the leaf of the tensor `id` has no values: what is stored is `true`.
    fn marks(&self, id: TensorId) -> bool {
        let leaf = self.kernel.tensor(id).levels.last().map(|leaf| leaf.format.level());
        leaf.and_then(|level| level.write.as_ref()).is_some_and(|w| w.place.is_none())
    }

    /// How entries of `tensor`, written within the loops `around`, come to be gathered.
    fn gathers(&self, around: &[VarId], tensor: &Tensor) -> String {
        let name = &tensor.name;
        if tensor.role != Role::Output {
            return format!("declare `{name}` in a format that takes entries in any order");
        }
        let left_out = around.iter().all(|l| self.left_out.contains(l));
        let writes = |a: &&Access| a.write && self.kernel.tensor(a.tensor).name == *name;
        let several = self.kernel.accesses.iter().filter(writes).count() > 1;
        if several || tensor.lens.len() > crate::schedule::MOST_GATHERED {
            return "gather it in a format that takes entries in any order, by one statement"
                .to_owned();
        }
        let loops = if left_out { "" } else { "leave the loops of this statement out and " };
        format!("{loops}give the sizes of `{name}` in the header, and entries are gathered and put in order")
    }

    /// Whether no operator reduces into the tensor.
    fn only_assigned(&self, id: TensorId) -> bool {
        let mut assigned = true;
        self.kernel.body.assignments(&mut |target, op| {
            let own = matches!(target, Expr::Access(a) if self.kernel.get(*a).tensor == id);
            assigned &= !own || op.is_none();
        });
        assigned
    }

    /// Whether the tensor starts at its fill, and is only reduced into, by one operator of which what has been there once makes no
    /// difference again. Of floats the sign of a zero may be that of either.
    fn only_reduced(&self, id: TensorId) -> bool {
        let tensor = self.kernel.tensor(id);
        let created = matches!(tensor.role, Role::Output | Role::Workspace);
        let mut ops: Vec<Option<Op>> = Vec::new();
        self.kernel.body.assignments(&mut |target, op| {
            if matches!(target, Expr::Access(a) if self.kernel.get(*a).tensor == id) {
                ops.push(op.cloned());
            }
        });
        let [Some(op), rest @ ..] = &ops[..] else { return false };
        let declared = |name| self.kernel.idempotent.contains(name);
        let stays = op.is_idempotent() || op.key().is_some_and(declared);
        created && stays && !self.kernel.strict && rest.iter().all(|o| o.as_ref() == Some(op))
    }

    fn check_read(&mut self, access: &Access, loops: &[VarId]) {
        let tensor = self.kernel.tensor(access.tensor).clone();
        let mut deepest = None::<usize>;
        for (depth, index) in access.indices.iter().enumerate() {
            let decl = tensor.levels[depth].format.level();
            let at = match &index.kind {
                IndexKind::Affine(v, _) | IndexKind::Digit(v, _) => {
                    loops.iter().position(|l| l == v)
                }
                IndexKind::Opaque(_) => None,
            };
            // Digits of one index follow each other.
            let digit = matches!(index.kind, IndexKind::Digit(..));
            let in_order = digit || at.is_some_and(|a| deepest.is_none_or(|d| a > d));
            let default = &decl.reads[0];
            let chosen = match &index.protocol {
                Some(name) => {
                    match decl.read(name) {
                        Some(read) => read,
                        None => {
                            self.errors.error(index.span.0, format!(
                            "`{}` (dimension {} of `{}`) has no protocol `{name}`: it has {}", decl.name, tensor.dimension(depth), tensor.name, decl.protocols()));
                            continue;
                        }
                    }
                }
                None if in_order => default,
                None => decl.read("locate").unwrap_or(default),
            };
            let implied = index.protocol.is_none();
            match (&index.kind, in_order) {
                (IndexKind::Opaque(_), _) if !chosen.is_locate() => {
                    let why = if let (Some(p), Some(_)) = (&index.protocol, decl.read("locate")) {
                        format!("write it without `::{p}`")
                    } else {
                        format!(
                            "`{}` (dimension {} of `{}`) has no `locate`, only {}",
                            decl.name,
                            tensor.dimension(depth),
                            tensor.name,
                            decl.protocols()
                        )
                    };
                    let message = format!("a computed index is random access: {why}");
                    self.errors.error(index.span.0, message);
                }
                (IndexKind::Affine(v, _), false)
                    if !(self.rebound.contains(v)
                        || implied && chosen.is_locate() && diagonal(access, depth, *v))
                        && (!chosen.is_locate() || (implied && !default.is_locate())) =>
                {
                    if let Some(message) = self.out_of_order(access, depth, *v, loops) {
                        self.errors.error(index.span.0, message);
                    }
                }
                _ => {}
            }
            if let Some(a) = at {
                deepest = Some(deepest.map_or(a, |d| d.max(a)));
            }
        }
    }

    /// Why dimension `depth` cannot be read along `index`: an earlier dimension is read in the same
    /// loop or in one inside it.
    fn out_of_order(
        &self,
        access: &Access,
        depth: usize,
        index: VarId,
        loops: &[VarId],
    ) -> Option<String> {
        let tensor = self.kernel.tensor(access.tensor);
        let name = &tensor.name;
        let locate = tensor.levels[depth].format.level().read("locate").is_some();
        let at = |v: &VarId| loops.iter().position(|l| l == v);
        let mut inside = Vec::new();
        for (dim, i) in access.indices[..depth].iter().enumerate() {
            let IndexKind::Affine(v, _) = &i.kind else { continue };
            if self.rebound.contains(v) {
                return None;
            }
            let called = self.kernel.called(*v);
            if *v == index {
                let dimension = tensor.dimension(depth);
                let advice = if locate {
                    format!("read dimension {dimension} by random access, `{called}::locate`")
                } else {
                    let level = &tensor.levels[depth].format.level().name;
                    format!(
                        "`{level}` has no `locate`, so a second loop must read dimension {dimension}"
                    )
                };
                return Some(format!(
                    "both dimensions {} and {dimension} of `{name}` are read along `{called}`: {advice}",
                    tensor.dimension(dim)
                ));
            }
            if at(v) > at(&index) {
                inside.push(called);
            }
        }
        let outer = self.kernel.called(index);
        let levels: Vec<String> = tensor.levels[..=depth]
            .iter()
            .map(|l| format!("`{}`", l.format.level().name))
            .collect();
        let inner: Vec<String> = inside.iter().map(|v| format!("`{v}`")).collect();
        inside.push(outer.clone());
        let bare = super::bare::without_loops(&self.bare, &name.to_string());
        // It is looked up for each iteration of all loops.
        let advice = match locate && bare.is_none() {
            true => format!(", or read it through `{outer}::locate`"),
            false => String::new(),
        };
        let out = match bare {
            Some(stmt) => {
                format!("leave the loops out, `{stmt}`, which are made in an order that fits; or ")
            }
            None => String::new(),
        };
        let first = match tensor.chain.by_columns {
            true => "the last dimension first",
            false => "dimension 0 first",
        };
        (!inner.is_empty()).then(|| {
            format!(
                "`{name}` is stored by {first} ({}), but `{outer}` loops outside {}: {out}nest the loops `for {}`{advice}",
                levels.join(", then "), inner.join(" and "), inside.join(", "))
        })
    }

    /// Entries that are stored in order go on after the last one; what is there is not found again.
    fn check_update(&mut self, id: AccessId, access: &Access, loops: &[VarId]) {
        let tensor = self.kernel.tensor(access.tensor);
        let level = tensor
            .levels
            .iter()
            .map(|l| l.format.level())
            .find(|l| l.write.as_ref().is_some_and(|w| w.order == Order::Append));
        let (Role::InOut, Some(level)) = (tensor.role, level) else { return };
        let along = self.kernel.depends(&Expr::Access(id));
        // What other loops add to one entry is the reduction of a new one.
        if !loops.iter().all(|v| along.contains(v)) {
            return;
        }
        let mut by = None;
        self.kernel.body.assignments(&mut |target, op| {
            if *target == Expr::Access(id) {
                by = op.map(|op| crate::decl::identity::shown(&op.name()));
            }
        });
        if let Some(op) = by {
            let (name, level) = (tensor.name.clone(), level.name.clone());
            self.errors.error(access.span.0, format!("`{level}` is appended to in order, so that `{name}` goes on after its last entry and `{op}` finds none to update: assign with `=`, make `{name}` an output that another tensor is added into, or choose a format that is written in any order, by `write insert` or `write locate`"));
        }
    }

    fn check_write(&mut self, access: &Access, loops: &[VarId]) {
        let tensor = self.kernel.tensor(access.tensor).clone();
        let name = tensor.name.clone();
        if tensor.role == Role::Input {
            self.errors.error(access.span.0, format!("`{name}` is an input and cannot be written: declare it `{}`, or make it an output", self.mutable(&name, &text(&tensor.ty))));
            return;
        }
        let born = self.born[&access.tensor].min(loops.len());
        let around = &loops[born..];
        let mut last_append = None;
        for (depth, index) in access.indices.iter().enumerate() {
            let decl = tensor.levels[depth].format.level();
            let dimension = tensor.dimension(depth);
            if let Some(p) = &index.protocol {
                self.errors.error(
                    index.span.0,
                    format!("a written access takes no protocol: write it without `::{p}`"),
                );
            }
            if decl.write.as_ref().is_some_and(|w| w.moves.is_some()) {
                let below = tensor.levels[depth + 1..].iter().map(|l| l.format.level());
                let mut below = below.skip_while(|l| l.swap.is_none() && l.has_children_alone());
                if let Some(fixed) = below.next().filter(|l| l.swap.is_none()) {
                    self.errors.error(access.span.0, format!("entries of `{}` (dimension {dimension} of `{name}`) move as others come, and those of `{}` below it cannot: choose a level that says `swap(a, b) {{ .. }}`, or make the tensor by `Tensor::from_parts`", decl.name, fixed.name));
                    return;
                }
            }
            match &decl.write {
                None => {
                    self.errors.error(access.span.0, format!("`{}` (dimension {dimension} of `{name}`) cannot be written by a kernel, since its declaration has no `write`: choose an output format whose levels have one", decl.name));
                    return;
                }
                Some(w) if w.order == Order::Append || w.opens_in_order() => {
                    let first = &tensor.levels[0].format.level().write;
                    let thaws = first.as_ref().is_some_and(|w| w.thaw.is_some());
                    if tensor.role == Role::InOut && !thaws {
                        // What is assigned makes entries, unless the loops go through those that are there.
                        let stored = match self.only_assigned(access.tensor) {
                            true => format!("; entries that are there are changed where the loops read them as well, as under `if {name}[..] != 0`"),
                            false => String::new(),
                        };
                        self.errors.error(access.span.0, format!("`{}` (dimension {dimension} of `{name}`) is written in order and cannot be updated in place: make `{name}` an output, which is made anew, or choose a format that is written in any order, by `write insert` or `write locate`{stored}", decl.name));
                        return;
                    }
                    // Where entries may come in any order, the fibers may not.
                    let last = depth.checked_sub(usize::from(w.opens_in_order()));
                    last_append = last.map(|last| (last, depth)).or(last_append);
                }
                Some(_) => {}
            }
        }
        let leaf = tensor.levels.last().expect("a leaf").format.level();
        if leaf.write.is_none() {
            self.errors.error(
                access.span.0,
                format!("the leaf `{}` of `{name}` cannot be written by a kernel", leaf.name),
            );
            return;
        }
        let place = leaf.write.as_ref().is_some_and(|w| w.place.is_some());
        // What is stored that nobody wrote has its fill for a value, and here there is none.
        let last =
            access.indices.len().checked_sub(1).map(|depth| tensor.levels[depth].format.level());
        let fills = last.filter(|level| level.write.as_ref().is_some_and(|w| !w.exact));
        if let (false, Some(level)) = (place, fills) {
            let level = &level.name;
            self.errors.error(access.span.0, format!(
                "`{level}` may store coordinates that nobody writes, and the leaf `{}` of `{name}` has no value for them: choose a leaf that has values, or a level whose declaration says by `exact` that it stores what is written alone", leaf.name));
            return;
        }
        let Some((last, by)) = last_append else { return };
        let decl = &tensor.levels[by].format.level().name;
        let ordered = match last == by {
            true => format!("`{name}` is appended to in order"),
            false => format!("the fibers of `{name}` are written in order"),
        };
        for (depth, index) in access.indices[..=last].iter().enumerate() {
            match &index.kind {
                IndexKind::Opaque(_) | IndexKind::Digit(..) => {
                    let left_out = around.iter().all(|l| self.left_out.contains(l));
                    if left_out
                        && tensor.role == Role::Output
                        && tensor.sizes.is_empty()
                        && !self.errors.is_empty()
                    {
                        // That its size is not known is said already, and is the cure of this as well.
                        return;
                    }
                    let cure = self.gathers(around, &tensor);
                    let dimension = tensor.dimension(depth);
                    self.errors.error(index.span.0, format!("dimension {dimension} of `{name}` must be written in order, as `{decl}` asks for: a computed index writes anywhere; {cure}, or write into a workspace first that takes them in any order"));
                    return;
                }
                IndexKind::Affine(v, _) => {
                    if self.rebound.contains(v) {
                        return;
                    }
                    if around.get(depth) != Some(v) {
                        let order: Vec<String> = access.indices[..=last]
                            .iter()
                            .filter_map(|i| i.kind.loop_of())
                            .map(|v| self.kernel.called(v))
                            .collect();
                        let have: Vec<String> =
                            around.iter().map(|v| self.kernel.called(*v)).collect();
                        if tensor.role == Role::Workspace {
                            let why = match &have[..] {
                                [] => format!(
                                    "and `{}` is the index of a loop around it",
                                    self.kernel.called(*v)
                                ),
                                have => format!("but comes in that of `for {}`", have.join(", ")),
                            };
                            self.errors.error(index.span.0, format!(
                                "{ordered}, {why}: declare `{name}` in a format that takes entries in any order, a table or a tree instead of a list"));
                            return;
                        }
                        if (1..order.len()).any(|k| order[..k].contains(&order[k])) {
                            let (i, cure) = (self.kernel.called(*v), self.gathers(around, &tensor));
                            self.errors.error(index.span.0, format!("{ordered}, by a loop for each dimension, and `{i}` stands for two: {cure}, or write loops over both under a condition, `if i == j {{ .. }}`"));
                            return;
                        }
                        let cure = match super::bare::without_loops(&self.bare, &name.to_string()) {
                            Some(stmt) => format!("leave the loops out, `{stmt}`, which are made in an order that fits"),
                            None => "reorder the loops".to_owned(),
                        };
                        self.errors.error(index.span.0, format!(
                            "{ordered}, so its loops must be the outermost, `for {}`, but they are `for {}`: {cure}, or gather with `where` into a workspace that takes entries in any order", order.join(", "), have.join(", ")));
                        return;
                    }
                }
            }
        }
    }

    /// A level that is appended to takes its entries from one assignment.
    fn check_single_appends(&mut self) {
        let mut seen: BTreeMap<TensorId, usize> = BTreeMap::new();
        let mut fibers: BTreeMap<TensorId, Vec<IndexKind>> = BTreeMap::new();
        for access in self.kernel.accesses.clone() {
            if !access.write {
                continue;
            }
            let above = self.above_unordered(&access);
            if fibers.entry(access.tensor).or_insert_with(|| above.clone()) != &above {
                let name = &self.kernel.tensor(access.tensor).name;
                self.errors.error(access.span.0, format!(
                    "the fibers of `{name}` are written in order, and it is written in other loops already: assign to it in the same `for`, or gather into a workspace with `where`"));
            }
            if !self.kernel.appended(access.tensor) {
                continue;
            }
            let count = seen.entry(access.tensor).or_default();
            *count += 1;
            if *count == 2 {
                let name = self.kernel.tensor(access.tensor).name.clone();
                self.errors.error(access.span.0, format!(
                    "`{name}` is appended to in order and takes its entries from one assignment: combine the values into one expression (`ifelse(c, a, b)`), or gather with `where` into a workspace that takes entries in any order"));
            }
        }
    }

    /// The indices that name a fiber of the last level whose fibers are opened in order.
    fn above_unordered(&self, access: &Access) -> Vec<IndexKind> {
        let levels = &self.kernel.tensor(access.tensor).levels[..access.indices.len()];
        let last = levels.iter().rposition(|l| {
            l.format.level().write.as_ref().is_some_and(crate::decl::Write::opens_in_order)
        });
        let named = &access.indices[..last.unwrap_or(0)];
        named.iter().map(|i| i.kind.clone()).collect()
    }

    /// Outputs, updated tensors and `mut` scalars that nothing writes.
    pub fn check_written(&mut self) {
        for t in self.kernel.tensors.clone() {
            if matches!(t.role, Role::Output | Role::InOut)
                && !self.written.contains(&t.name.to_string())
            {
                let advice = if t.role == Role::Output {
                    "assign to it, or remove it"
                } else {
                    "assign to it, or pass it as an input"
                };
                self.errors.error(
                    t.name.span(),
                    format!("the output `{}` is never written: {advice}", t.name),
                );
            }
        }
        for v in self.kernel.vars.clone() {
            if let (VarKind::Scalar, Some(ident)) = (v.kind, &v.ident) {
                if !self.written.contains(&ident.to_string()) {
                    let param = self.kernel.params.iter().find(|p| p.0 == *ident);
                    let (what, advice) = match param.map(|p| p.1) {
                        Some(Passing::Made) => ("output", "or leave it out"),
                        Some(_) => ("output", "or pass it by value"),
                        None => ("local", "or leave it out"),
                    };
                    self.errors.error(
                        ident.span(),
                        format!("the {what} `{ident}` is never written: assign to it, {advice}"),
                    );
                }
            }
        }
    }
}

/// Whether a dimension before `depth` has fixed `v`: one coordinate of this one is read there.
fn diagonal(access: &Access, depth: usize, v: VarId) -> bool {
    let along = |i: &Index| matches!(&i.kind, IndexKind::Affine(w, _) if *w == v);
    access.indices[..depth].iter().any(along)
}

impl Kernel {
    /// Whether some level of the tensor is written by appending.
    pub fn appended(&self, id: TensorId) -> bool {
        self.written_by(id, |w| w.order == Order::Append)
    }
    /// Whether its innermost level is: elements then come in order, and none comes twice but while it is open.
    pub fn appended_last(&self, id: TensorId) -> bool {
        let levels = &self.tensor(id).levels;
        let innermost = levels.len().checked_sub(2).map(|k| levels[k].format.level());
        let write = innermost.and_then(|decl| decl.write.as_ref());
        write.is_some_and(|w| w.order == Order::Append)
    }
    /// Whether what was written of the tensor can be read only once its fibers have an end.
    pub fn fibers_in_order(&self, id: TensorId) -> bool {
        self.written_by(id, |w| w.order == Order::Append || w.opens_in_order())
    }
    /// Whether arrays of the tensor get longer while it is written.
    pub fn growing(&self, id: TensorId) -> bool {
        self.written_by(id, |w| w.order != Order::Locate)
    }
    /// Whether entries of the tensor are put in order once they are written.
    pub fn sorted_late(&self, id: TensorId) -> bool {
        self.written_by(id, |w| w.order != Order::Locate || w.sort.is_some())
    }
    /// Whether the tensor is updated in place by more than the values of a dense array: its arrays are taken out of it,
    /// and it is put together again at the end.
    pub fn restructured(&self, id: TensorId) -> bool {
        let entered = |w: &Write| w.order != Order::Locate || w.commit.is_some();
        self.tensor(id).role == Role::InOut
            && (self.in_place.contains(&id) || self.written_by(id, entered))
    }
    fn written_by(&self, id: TensorId, f: impl Fn(&Write) -> bool) -> bool {
        let levels = &self.tensor(id).levels;
        levels.iter().any(|l| l.format.level().write.as_ref().is_some_and(&f))
    }
}
