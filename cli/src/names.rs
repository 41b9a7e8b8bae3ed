//! The names of a program that has no header: which are read, which are written, and which are its own.

use looplets_core::ast::visit::{blocks, visit_expr};
use looplets_core::ast::{Block, Expr, Program, Stmt};
use proc_macro2::Ident;
use std::collections::BTreeSet;

/// The names that a program has from outside.
#[derive(Default)]
pub struct Names {
    /// Each where it is met first, and whether it has brackets.
    met: Vec<(Ident, bool)>,
    read: BTreeSet<String>,
    written: BTreeSet<String>,
    /// Workspaces, definitions and loop indices.
    own: BTreeSet<String>,
    /// What stands between brackets: the indices of loops that are left out, among others.
    indices: BTreeSet<String>,
    /// What says how far loops run, and how large workspaces are.
    extents: BTreeSet<String>,
}

impl Names {
    /// The names of `programs`.
    pub fn of(programs: &[Program]) -> Names {
        let mut names = Names::default();
        programs.iter().for_each(|p| names.block(&p.body));
        let Names { met, own, .. } = &mut names;
        met.retain(|(name, _)| !own.contains(&name.to_string()));
        names
    }

    /// Each name, and whether it has brackets.
    pub fn all(&self) -> impl Iterator<Item = &(Ident, bool)> {
        self.met.iter()
    }

    /// Whether its value is asked for.
    pub fn is_read(&self, name: &Ident) -> bool {
        self.read.contains(&name.to_string())
    }

    /// Whether it is a part of the extent of a loop, or of the sizes of a workspace.
    pub fn is_extent(&self, name: &Ident) -> bool {
        self.extents.contains(&name.to_string())
    }

    /// Whether it stands between brackets, or is a constant of Rust, as a name of capitals.
    pub fn is_index(&self, name: &Ident) -> bool {
        let name = name.to_string();
        let capital = name.trim_start_matches('_').starts_with(|c: char| c.is_uppercase());
        capital || self.indices.contains(&name)
    }

    /// Whether it is assigned to.
    pub fn is_written(&self, name: &Ident) -> bool {
        self.written.contains(&name.to_string())
    }

    fn block(&mut self, block: &Block) {
        block.stmts.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::For { indices, extent, .. } => {
                self.own.extend(indices.iter().map(ToString::to_string));
                extent.iter().for_each(|(lo, hi)| {
                    self.extent(lo);
                    self.extent(hi);
                });
            }
            Stmt::Assign { target, value, .. } => {
                self.reads(value);
                self.target(target);
            }
            Stmt::Remove { target, .. } => {
                self.reads(target);
                self.target(target);
            }
            Stmt::If { cond, .. } => self.reads(cond),
            Stmt::Let { name, value } => {
                self.own.insert(name.to_string());
                self.reads(value);
            }
            Stmt::Workspace { name, dims, .. } => {
                self.own.insert(name.to_string());
                dims.iter().flatten().for_each(|d| self.extent(d));
            }
            Stmt::Pass(names) => {
                self.written.extend(names.iter().map(ToString::to_string));
                names.iter().for_each(|name| self.meet(name, true));
            }
            Stmt::Where { .. } | Stmt::Block(_) => {}
        }
        blocks(stmt, &mut |b| self.block(b));
    }

    /// What is assigned to; its indices are read.
    fn target(&mut self, target: &Expr) {
        match target {
            Expr::Access { name, indices, .. } => {
                self.written.insert(name.to_string());
                self.meet(name, true);
                indices.iter().for_each(|i| {
                    self.index(&i.expr);
                    self.reads(&i.expr);
                });
            }
            Expr::Name(name) => {
                self.written.insert(name.to_string());
                self.meet(name, false);
            }
            other => self.reads(other),
        }
    }

    fn reads(&mut self, e: &Expr) {
        visit_expr(e, &mut |e| match e {
            Expr::Access { name, indices, .. } => {
                self.read.insert(name.to_string());
                indices.iter().for_each(|i| self.index(&i.expr));
                if name != "permit" {
                    self.meet(name, true);
                }
            }
            Expr::Name(name) => {
                self.read.insert(name.to_string());
                self.meet(name, false);
            }
            _ => {}
        });
    }

    fn index(&mut self, e: &Expr) {
        visit_expr(e, &mut |e| {
            if let Expr::Name(name) = e {
                self.indices.insert(name.to_string());
            }
        });
    }

    fn extent(&mut self, e: &Expr) {
        visit_expr(e, &mut |e| {
            if let Expr::Name(name) = e {
                self.extents.insert(name.to_string());
            }
        });
        self.reads(e);
    }

    fn meet(&mut self, name: &Ident, brackets: bool) {
        match self.met.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known |= brackets,
            None => self.met.push((name.clone(), brackets)),
        }
    }
}
