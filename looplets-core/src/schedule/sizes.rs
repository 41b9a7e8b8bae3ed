//! Dimensions that one index runs over have one size: each is called after the first operand that has it, whichever loop comes first.
//! So costs of different ways are of the same sizes.

use super::cost::{Atom, Cost};
use super::visit::{accesses, exprs};
use crate::ast::{Expr, Stmt};
use std::collections::HashMap;

/// A dimension of a tensor.
type Dim = (String, usize);

/// The sizes of the dimensions in `stmts` that `inputs`, or what is of one size with these, have.
pub fn sizes(stmts: &[Stmt], inputs: &[String]) -> HashMap<Dim, Cost> {
    let mut found = Found::default();
    stmts.iter().for_each(|stmt| found.stmt(stmt, &mut HashMap::new()));
    let place = |dim: &Dim| inputs.iter().position(|name| *name == dim.0).map(|n| (n, dim.1));
    let mut out = HashMap::new();
    for class in &found.classes {
        let Some(first) = class.iter().filter(|dim| place(dim).is_some()).min_by_key(|d| place(d))
        else {
            continue;
        };
        let (tensor, dim) = first.clone();
        let index = found.called[first].clone();
        let size = Cost::atom(Atom::Len { tensor, dim, index });
        class.iter().for_each(|dim| drop(out.insert(dim.clone(), size.clone())));
    }
    out
}

/// Dimensions that are of one size, by class.
#[derive(Default)]
struct Found {
    /// Empty where it has become part of another.
    classes: Vec<Vec<Dim>>,
    class_of: HashMap<Dim, usize>,
    /// The first index over each dimension.
    called: HashMap<Dim, String>,
    /// How often each workspace is declared; those of one name that there are several of have sizes of their own.
    declared: HashMap<String, usize>,
}

impl Found {
    /// Notes what `stmt` reads and writes; `loops` are those around, each with what it has run over first.
    fn stmt(&mut self, stmt: &Stmt, loops: &mut HashMap<String, Option<Dim>>) {
        match stmt {
            Stmt::For { indices, extent, body, .. } => {
                let mut within = loops.clone();
                for i in indices {
                    match extent {
                        // It may run over a part.
                        Some(_) => within.remove(&i.to_string()),
                        None => within.insert(i.to_string(), None),
                    };
                }
                body.stmts.iter().for_each(|stmt| self.stmt(stmt, &mut within));
                within.retain(|i, _| !indices.iter().any(|own| own == i));
                loops.extend(within);
            }
            Stmt::Workspace { name, .. } => {
                *self.declared.entry(name.to_string()).or_default() += 1;
            }
            Stmt::Block(_) | Stmt::If { .. } | Stmt::Where { .. } => {
                if let Stmt::If { cond, .. } = stmt {
                    self.expr(cond, loops);
                }
                crate::ast::visit::blocks(stmt, &mut |block| {
                    block.stmts.iter().for_each(|stmt| self.stmt(stmt, loops));
                });
            }
            _ => exprs(stmt, &mut |e| self.expr(e, loops)),
        }
    }

    fn expr(&mut self, e: &Expr, loops: &mut HashMap<String, Option<Dim>>) {
        let mut found: Vec<(Dim, String)> = Vec::new();
        accesses(e, &mut |tensor, dim, index| {
            if let Expr::Name(i) = index {
                found.push(((tensor.to_owned(), dim), i.to_string()));
            }
        });
        for (dim, i) in found {
            let several = self.declared.get(&dim.0).is_some_and(|n| *n > 1);
            let Some(first) = loops.get(&i).filter(|_| !several).cloned() else { continue };
            self.called.entry(dim.clone()).or_insert(i.clone());
            match first {
                Some(first) => self.unite(&first, &dim),
                None => {
                    self.class(&dim);
                    loops.insert(i, Some(dim));
                }
            }
        }
    }

    fn class(&mut self, dim: &Dim) -> usize {
        *self.class_of.entry(dim.clone()).or_insert_with(|| {
            self.classes.push(vec![dim.clone()]);
            self.classes.len() - 1
        })
    }

    fn unite(&mut self, a: &Dim, b: &Dim) {
        let (a, b) = (self.class(a), self.class(b));
        if a == b {
            return;
        }
        let moved = std::mem::take(&mut self.classes[b]);
        for dim in &moved {
            self.class_of.insert(dim.clone(), a);
        }
        self.classes[a].extend(moved);
    }
}
