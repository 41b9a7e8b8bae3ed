//! What a well-formed program must satisfy beyond its syntax: loop orders that the formats can
//! serve, protocols that exist, outputs that are written, no tensor read and written at once.

use super::Resolver;
use crate::cin::*;
use crate::kernel::*;
use std::collections::BTreeMap;
use std::collections::BTreeSet;

impl Resolver<'_> {
    /// Protocols and loop orders, access by access.
    pub fn check_accesses(&mut self) {
        for k in 0..self.kernel.accesses.len() {
            let access = self.kernel.accesses[k].clone();
            let loops = self.loops_of.get(&AccessId(k as u32)).cloned().unwrap_or_default();
            if access.write {
                self.check_write(&access, &loops);
            } else {
                self.check_read(&access, &loops);
            }
        }
        self.check_single_appends();
    }

    fn check_read(&mut self, access: &Access, loops: &[VarId]) {
        let tensor = self.kernel.tensor(access.tensor).clone();
        let mut deepest = None::<usize>;
        for (depth, index) in access.indices.iter().enumerate() {
            let decl = tensor.levels[depth].format.level();
            let at = match &index.kind {
                IndexKind::Affine(v, _) => loops.iter().position(|l| l == v),
                IndexKind::Opaque(_) => None,
            };
            let in_order = at.is_some_and(|a| deepest.is_none_or(|d| a > d));
            let default = &decl.reads[0];
            let chosen = match &index.protocol {
                Some(name) => match decl.read(name) {
                    Some(read) => read,
                    None => {
                        self.errors.error(index.span.0, format!(
                            "`{}` (dimension {depth} of `{}`) has no protocol `{name}`: it has {}", decl.name, tensor.name, decl.protocols()));
                        continue;
                    }
                },
                None if in_order => default,
                None => decl.read("locate").unwrap_or(default),
            };
            let implied = index.protocol.is_none();
            match (&index.kind, in_order) {
                (IndexKind::Opaque(_), _) if !chosen.is_locate() => {
                    self.errors.error(index.span.0, format!(
                        "a computed index is random access, but `{}` (dimension {depth} of `{}`) is read by {} here: it needs `locate`", decl.name, tensor.name, decl.protocols()));
                }
                (IndexKind::Affine(v, _), false)
                    if !chosen.is_locate() || (implied && !default.is_locate()) =>
                {
                    let outer = self.kernel.called(*v);
                    let inner = deepest.map_or_else(String::new, |d| self.kernel.called(loops[d]));
                    let advice = if decl.read("locate").is_some() {
                        format!(", or read it through `{outer}::locate`")
                    } else {
                        String::new()
                    };
                    self.errors.error(index.span.0, format!(
                        "dimension {depth} of `{}` is stored inside dimension {}, but `{outer}` loops outside `{inner}`: swap the loops{advice}", tensor.name, depth - 1));
                }
                _ => {}
            }
            if let Some(a) = at {
                deepest = Some(deepest.map_or(a, |d| d.max(a)));
            }
        }
    }

    fn check_write(&mut self, access: &Access, loops: &[VarId]) {
        let tensor = self.kernel.tensor(access.tensor).clone();
        let name = tensor.name.clone();
        if tensor.role == Role::Input {
            self.errors.error(access.span.0, format!("`{name}` is an input and cannot be written: declare it `&mut` or make it an output"));
            return;
        }
        let born = self.born[&access.tensor].min(loops.len());
        let around = &loops[born..];
        let mut last_append = None;
        for (depth, index) in access.indices.iter().enumerate() {
            let decl = tensor.levels[depth].format.level();
            if let Some(p) = &index.protocol {
                self.errors.error(
                    index.span.0,
                    format!("a written access takes no protocol: write it without `::{p}`"),
                );
            }
            match &decl.write {
                None => {
                    self.errors.error(access.span.0, format!("`{}` (dimension {depth} of `{name}`) cannot be written by a kernel: choose an output format that can, such as `Dense` or `SparseList`", decl.name));
                    return;
                }
                Some(w) if w.name == "append" => {
                    if tensor.role == Role::InOut {
                        self.errors.error(access.span.0, format!("`{}` (dimension {depth} of `{name}`) is appended to in order and cannot be updated in place: make `{name}` an output", decl.name));
                        return;
                    }
                    last_append = Some(depth);
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
        let Some(last) = last_append else { return };
        for (depth, index) in access.indices[..=last].iter().enumerate() {
            let decl = &tensor.levels[depth].format.level().name;
            match &index.kind {
                IndexKind::Opaque(_) => {
                    self.errors.error(index.span.0, format!("dimension {depth} of `{name}` must be written in order (`{decl}` below or at it is appended to): a computed index writes anywhere; write into a `Dense` workspace first"));
                    return;
                }
                IndexKind::Affine(v, _) => {
                    if around.get(depth) != Some(v) {
                        let order: Vec<String> = access.indices[..=last]
                            .iter()
                            .filter_map(|i| match &i.kind {
                                IndexKind::Affine(v, _) => Some(self.kernel.called(*v)),
                                IndexKind::Opaque(_) => None,
                            })
                            .collect();
                        let have: Vec<String> =
                            around.iter().map(|v| self.kernel.called(*v)).collect();
                        self.errors.error(index.span.0, format!(
                            "`{name}` is appended to in order, so its loops must be the outermost, `for {}`, but they are `for {}`: reorder the loops, or gather into a `Dense` workspace with `where`", order.join(", "), have.join(", ")));
                        return;
                    }
                }
            }
        }
    }

    /// A level that is appended to takes its entries from one assignment.
    fn check_single_appends(&mut self) {
        let mut seen: BTreeMap<TensorId, usize> = BTreeMap::new();
        for access in self.kernel.accesses.clone() {
            if !access.write || !self.kernel.appended(access.tensor) {
                continue;
            }
            let count = seen.entry(access.tensor).or_default();
            *count += 1;
            if *count == 2 {
                let name = self.kernel.tensor(access.tensor).name.clone();
                self.errors.error(access.span.0, format!(
                    "`{name}` is appended to in order and takes its entries from one assignment: combine the values into one expression (`ifelse(c, a, b)`), or gather into a `Dense` workspace with `where`"));
            }
        }
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
                    self.errors.error(ident.span(), format!("the output `{ident}` is never written: assign to it, or pass it by value"));
                }
            }
        }
    }

    /// No loop nest and no assignment reads what it writes.
    pub fn check_groups(&mut self) {
        let body = self.kernel.body.clone();
        let mut found = Vec::new();
        self.group(&body, &mut found);
        for (span, name) in found {
            self.errors.error(span, format!(
                "`{name}` is read and written in one statement group: compute into another result first, or use a reduction such as `+=`"));
        }
    }

    fn group(&self, stmt: &Stmt, found: &mut Vec<(proc_macro2::Span, String)>) -> Uses {
        let mut uses = Uses::default();
        match stmt {
            Stmt::Assign { target, value, .. } => {
                self.reads(value, &mut uses);
                if let Some(name) = self.name_of(target) {
                    uses.writes.insert(name);
                }
                if let Expr::Access(a) = target {
                    for index in &self.kernel.get(*a).indices {
                        if let IndexKind::Opaque(e) = &index.kind {
                            self.reads(e, &mut uses);
                        }
                    }
                }
                self.conflict(&uses, found);
            }
            Stmt::Loop { body, .. } => {
                uses = self.group(body, found);
                self.conflict(&uses, found);
            }
            Stmt::Sieve { cond, then, otherwise } => {
                self.reads(cond, &mut uses);
                uses.add(self.group(then, found));
                uses.add(self.group(otherwise, found));
            }
            Stmt::Seq(all) => all.iter().for_each(|s| uses.add(self.group(s, found))),
            Stmt::Where { consumer, producer, local } => {
                uses.add(self.group(producer, found));
                uses.add(self.group(consumer, found));
                for t in local {
                    uses.remove(&self.kernel.tensor(*t).name.to_string());
                }
            }
            Stmt::Let { var, value, body } => {
                self.reads(value, &mut uses);
                uses.add(self.group(body, found));
                uses.remove(&self.kernel.info(*var).name);
            }
            Stmt::Pass => {}
        }
        uses
    }

    fn conflict(&self, uses: &Uses, found: &mut Vec<(proc_macro2::Span, String)>) {
        for (name, span) in &uses.reads {
            if uses.writes.contains(name) && !found.iter().any(|(_, n)| n == name) {
                found.push((*span, name.clone()));
            }
        }
    }

    fn name_of(&self, target: &Expr) -> Option<String> {
        match target {
            Expr::Access(a) => {
                Some(self.kernel.tensor(self.kernel.get(*a).tensor).name.to_string())
            }
            Expr::Var(v) => Some(self.kernel.info(*v).name.clone()),
            _ => None,
        }
    }

    fn reads(&self, e: &Expr, uses: &mut Uses) {
        e.walk(&mut |x| match x {
            Expr::Access(a) => {
                let access = self.kernel.get(*a);
                let name = &self.kernel.tensor(access.tensor).name;
                uses.reads.entry(name.to_string()).or_insert(access.span.0);
                for index in &access.indices {
                    if let IndexKind::Opaque(e) = &index.kind {
                        self.reads(e, uses);
                    }
                }
            }
            Expr::Var(v) => {
                let info = self.kernel.info(*v);
                if let (VarKind::Scalar, Some(ident)) = (info.kind, &info.ident) {
                    uses.reads.entry(info.name.clone()).or_insert(ident.span());
                }
            }
            Expr::Raw(r) => {
                for (_, e) in &self.kernel.raws[r.0 as usize].names {
                    self.reads(e, uses);
                }
            }
            _ => {}
        });
    }
}

/// Names read and written by a statement.
#[derive(Default)]
struct Uses {
    reads: BTreeMap<String, proc_macro2::Span>,
    writes: BTreeSet<String>,
}

impl Uses {
    fn add(&mut self, other: Uses) {
        self.writes.extend(other.writes);
        for (name, span) in other.reads {
            self.reads.entry(name).or_insert(span);
        }
    }
    fn remove(&mut self, name: &str) {
        self.reads.remove(name);
        self.writes.remove(name);
    }
}

impl Kernel {
    /// Whether some level of the tensor is written by appending.
    pub fn appended(&self, id: TensorId) -> bool {
        self.tensor(id)
            .levels
            .iter()
            .any(|l| l.format.level().write.as_ref().is_some_and(|w| w.name == "append"))
    }
}
