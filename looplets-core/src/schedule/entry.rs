//! Several assignments to one entry of a result that takes its entries from one assignment, within written loops: they go
//! into a scalar, which is appended.
//!
//! `for i { y[i] += a[i]; if z[i] > 0 { y[i] += b[i] } }` becomes `for i { let mut t: f64; t += a[i]; if z[i] > 0 { t += b[i] } y[i] = t }`.
//! One of them has no condition: else the scalar would be appended where none was made.

use super::branches::same;
use crate::ast::visit::{all_exprs, blocks, own_exprs, visit_expr};
use crate::ast::{Block, Expr, Program, Stmt};
use crate::cin::{self, Lit, Op};
use crate::fills::identity;
use crate::formats::{fill_literal, Chain};
use crate::types::Ty;
use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::HashSet;

/// Has assignments to one entry of the result `name`, of the format `chain`, go through a scalar.
pub fn gather(program: &mut Program, name: &Ident, chain: &Chain) {
    let fill = chain.fill.as_ref().and_then(|f| fill_literal(f, chain.value.to_string() == "bool"));
    let (Some(fill), Ok(ty)) = (fill, syn::parse2(chain.value.clone())) else { return };
    // In a strict kernel each value would be added to a scalar that is 0.0 first, which makes 0.0 of -0.0.
    if fill == Lit::Missing || program.strict {
        return;
    }
    let mut names = HashSet::new();
    names.extend(program.params.iter().map(|p| p.name.to_string()));
    names.extend(program.outputs.iter().map(|o| o.name.to_string()));
    program.body.stmts.iter().for_each(|s| named(s, &mut names));
    let mut scalar = format!("{name}_entry");
    while names.contains(&scalar) {
        scalar.push('_');
    }
    let scalar = Ident::new(scalar.trim_start_matches("r#"), name.span());
    Entry { name, ty, fill, scalar }.within(&mut program.body, &mut Vec::new());
}

/// The names that `stmt` and what is in it declare or read.
fn named(stmt: &Stmt, names: &mut HashSet<String>) {
    match stmt {
        Stmt::Let { name, .. } | Stmt::Workspace { name, .. } => {
            names.insert(name.to_string());
        }
        Stmt::For { indices, .. } => names.extend(indices.iter().map(Ident::to_string)),
        _ => {}
    }
    own_exprs(stmt, &mut |e| {
        if let Expr::Name(name) | Expr::Access { name, .. } = e {
            names.insert(name.to_string());
        }
    });
    blocks(stmt, &mut |b| b.stmts.iter().for_each(|s| named(s, names)));
}

/// What is looked for.
struct Entry<'a> {
    /// The result.
    name: &'a Ident,
    /// The type of its values.
    ty: syn::Type,
    fill: Lit,
    /// What the assignments go into.
    scalar: Ident,
}

/// The assignments to the result in one loop.
#[derive(Default)]
struct Found {
    targets: Vec<Expr>,
    ops: Vec<Option<Op>>,
    /// Whether the result is read, written in another way, or in a place where a scalar cannot be.
    otherwise: bool,
}

impl Entry<'_> {
    /// Looks for loops in whose iterations an entry is, in `block`, which stands in loops over `open`.
    fn within(&self, block: &mut Block, open: &mut Vec<String>) {
        for stmt in &mut block.stmts {
            match stmt {
                Stmt::For { indices, body, .. } => {
                    let around = open.len();
                    open.extend(indices.iter().map(Ident::to_string));
                    match self.target(body, open) {
                        Some(target) => self.through(body, target),
                        None => self.within(body, open),
                    }
                    open.truncate(around);
                }
                Stmt::Block(body) => self.within(body, open),
                Stmt::If { then, otherwise, .. } => {
                    self.within(then, open);
                    otherwise.iter_mut().for_each(|b| self.within(b, open));
                }
                _ => {}
            }
        }
    }

    /// The entry that `body`, in loops over `open`, assigns to several times, if each iteration has an entry of its own.
    fn target(&self, body: &Block, open: &[String]) -> Option<Expr> {
        let mut found = Found::default();
        body.stmts.iter().for_each(|s| self.find(s, &mut found));
        let (first, rest) = found.targets.split_first()?;
        let alone = body.stmts.iter().any(|s| self.alone(s));
        let number = match &self.fill {
            Lit::Bool(b) => Lit::Int(i128::from(*b)),
            fill => fill.clone(),
        };
        let of = Ty::of(&self.ty.to_token_stream());
        let keeps = |op: &Op| match identity(op, &of) {
            Some(cin::Expr::Lit(Lit::Bool(b))) => number == Lit::Int(i128::from(b)),
            Some(cin::Expr::Lit(lit)) => number == lit,
            _ => false,
        };
        // Operators whose identity is the fill leave the scalar at fill where no operand stores anything. The first statement
        // may be `=`.
        let writes = |s: &&Stmt| {
            let mut found = Found::default();
            self.find(s, &mut found);
            !found.targets.is_empty()
        };
        let one = body.stmts.iter().find(writes);
        let first_assigns = one.is_some_and(|s| self.assigned(s).is_some());
        let all_keep = found.ops.iter().enumerate().all(|(n, op)| match op {
            Some(op) => keeps(op),
            None => n == 0 && first_assigns,
        });
        if !all_keep {
            return None;
        }
        if found.otherwise || !alone || rest.is_empty() || !rest.iter().all(|t| same(first, t)) {
            return None;
        }
        let Expr::Access { indices, .. } = first else { return None };
        let own: Option<Vec<String>> = indices
            .iter()
            .map(|i| match &i.expr {
                Expr::Name(name) => Some(name.to_string()),
                _ => None,
            })
            .collect();
        let own = own?;
        let each = open.iter().all(|i| own.contains(i)) && own.iter().all(|i| open.contains(i));
        each.then(|| first.clone())
    }

    /// The entry that `stmt` assigns to.
    fn assigned<'e>(&self, stmt: &'e Stmt) -> Option<&'e Expr> {
        let Stmt::Assign { target: target @ Expr::Access { name, .. }, .. } = stmt else {
            return None;
        };
        (name == self.name).then_some(target)
    }

    /// Whether `stmt` assigns to the result without a condition.
    fn alone(&self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::For { body, .. } | Stmt::Block(body) => body.stmts.iter().any(|s| self.alone(s)),
            _ => self.assigned(stmt).is_some(),
        }
    }

    /// Whether `e` names the result.
    fn names(&self, e: &Expr) -> bool {
        let mut found = false;
        visit_expr(e, &mut |e| {
            found |= matches!(e, Expr::Access { name, .. } | Expr::Name(name) if name == self.name);
        });
        found
    }

    fn find(&self, stmt: &Stmt, found: &mut Found) {
        match stmt {
            Stmt::Assign { target, op, value, .. } => {
                match self.assigned(stmt) {
                    Some(target) => {
                        found.targets.push(target.clone());
                        found.ops.push(op.as_ref().map(|op| op.op.clone()));
                    }
                    None => found.otherwise |= self.names(target),
                }
                found.otherwise |= self.names(value);
            }
            // A producer writes tensors of its own, and threads write parts of their own: no scalar holds either.
            Stmt::Where { .. } | Stmt::For { parallel: Some(_), .. } => {
                all_exprs(stmt, &mut |e| found.otherwise |= self.names(e));
            }
            Stmt::Pass(_) => found.otherwise = true,
            _ => {
                own_exprs(stmt, &mut |e| found.otherwise |= self.names(e));
                blocks(stmt, &mut |b| b.stmts.iter().for_each(|s| self.find(s, found)));
            }
        }
    }

    /// Has the assignments in `body` go through the scalar.
    fn through(&self, body: &mut Block, target: Expr) {
        body.stmts.iter_mut().for_each(|s| self.replace(s));
        let (span, scalar) = (target.span(), || Expr::Name(self.scalar.clone()));
        // A scalar that the first statement assigns need not start at the fill.
        let starts = |s: &Stmt| matches!(s, Stmt::Assign { target: Expr::Name(n), op: None, .. } if *n == self.scalar);
        let says = body.stmts.iter().any(starts);
        let assign = |target, value| Stmt::Assign { target, op: None, value, span };
        let mut first = vec![Stmt::Workspace {
            name: self.scalar.clone(),
            ty: self.ty.clone(),
            dims: None,
            of: None,
        }];
        if !says && !matches!(&self.fill, Lit::Int(0) | Lit::Bool(false)) {
            first.push(assign(scalar(), Expr::Lit(self.fill.clone(), None, span)));
        }
        body.stmts.splice(0..0, first);
        body.stmts.push(assign(target, scalar()));
    }

    fn replace(&self, stmt: &mut Stmt) {
        match stmt {
            Stmt::Assign { target, .. } => {
                if matches!(target, Expr::Access { name, .. } if name == self.name) {
                    *target = Expr::Name(self.scalar.clone());
                }
            }
            Stmt::For { body, .. } | Stmt::Block(body) => {
                body.stmts.iter_mut().for_each(|s| self.replace(s));
            }
            Stmt::If { then, otherwise, .. } => {
                let all =
                    then.stmts.iter_mut().chain(otherwise.iter_mut().flat_map(|b| &mut b.stmts));
                all.for_each(|s| self.replace(s));
            }
            _ => {}
        }
    }
}
