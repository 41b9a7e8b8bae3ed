//! Statements: scopes of indices, scalars and workspaces.

use super::{Meaning, Resolver};
use crate::ast;
use crate::cin::*;
use crate::kernel::*;
use proc_macro2::Ident;
use std::collections::HashSet;

impl Resolver<'_> {
    pub fn block(&mut self, block: &ast::Block) -> Stmt {
        let mark = self.scope.len();
        let stmt = self.stmts(&block.stmts);
        self.scope.truncate(mark);
        stmt
    }

    /// Statements in order; a definition holds to the end of its block.
    fn stmts(&mut self, stmts: &[ast::Stmt]) -> Stmt {
        let mut out = Vec::new();
        for (k, stmt) in stmts.iter().enumerate() {
            match stmt {
                ast::Stmt::Let { name, value } => {
                    let value = self.expr(value);
                    if let Expr::Lit(lit) = value {
                        self.literals.push(lit);
                        let meaning = Meaning::Literal(self.literals.len() - 1);
                        self.scope.push((name.to_string(), meaning));
                        continue;
                    }
                    let ty = self.kernel.type_of(&value).unwrap_or(Ty::Unknown);
                    let var = self.declare_var(name, VarKind::Let, ty);
                    let body = Box::new(self.stmts(&stmts[k + 1..]));
                    out.push(Stmt::Let { var, value, body });
                    break;
                }
                ast::Stmt::Workspace { name, ty, dims } => {
                    let rest = &stmts[k + 1..];
                    let mut used = HashSet::new();
                    rest.iter().for_each(|s| accessed_stmt(s, &mut used));
                    if used.contains(&name.to_string()) {
                        let Some(id) = self.declare_tensor(name, ty, Role::Workspace) else {
                            break;
                        };
                        if let Some(dims) = dims {
                            self.sizes(id, dims, name.span());
                        }
                        let consumer = Box::new(self.stmts(rest));
                        out.push(Stmt::Where {
                            consumer,
                            producer: Box::new(Stmt::Pass),
                            local: vec![id],
                        });
                    } else {
                        let var = self.declare_scalar(name, VarKind::Scalar, ty);
                        let value = self.kernel.raw(
                            quote::quote!(::core::default::Default::default()),
                            Vec::new(),
                            Ty::Unknown,
                        );
                        let body = Box::new(self.stmts(rest));
                        out.push(Stmt::Let { var, value, body });
                    }
                    break;
                }
                other => out.push(self.stmt(other)),
            }
        }
        if out.len() == 1 {
            out.remove(0)
        } else {
            Stmt::Seq(out)
        }
    }

    fn stmt(&mut self, stmt: &ast::Stmt) -> Stmt {
        match stmt {
            ast::Stmt::For { indices, extent, body } => self.nest(indices, extent.as_ref(), body),
            ast::Stmt::Assign { target, op, value, span } => {
                self.assign(target, op.as_ref(), value, *span)
            }
            ast::Stmt::If { cond, then, otherwise } => {
                let cond = self.expr(cond);
                let then = Box::new(self.block(then));
                let otherwise = Box::new(otherwise.as_ref().map_or(Stmt::Pass, |b| self.block(b)));
                Stmt::Sieve { cond, then, otherwise }
            }
            ast::Stmt::Where { consumer, producer } => {
                let mark = self.scope.len();
                let scalars = self.implicit_scalars(producer);
                let producer = Box::new(self.block(producer));
                let consumer = Box::new(self.block(consumer));
                self.scope.truncate(mark);
                let stmt = Stmt::Where { consumer, producer, local: Vec::new() };
                scalars.into_iter().rev().fold(stmt, |body, (var, value)| Stmt::Let {
                    var,
                    value,
                    body: Box::new(body),
                })
            }
            ast::Stmt::Pass(names) => {
                for name in names {
                    match self.lookup(name) {
                        Some(_) => {
                            self.written.insert(name.to_string());
                        }
                        None => self.errors.error(
                            name.span(),
                            format!("unknown result `{name}`: `pass` names outputs of the header"),
                        ),
                    }
                }
                Stmt::Pass
            }
            ast::Stmt::Block(block) => self.block(block),
            ast::Stmt::Let { .. } | ast::Stmt::Workspace { .. } => unreachable!("taken by `stmts`"),
        }
    }

    /// Scalars that the producer of a `where` writes without a declaration: local, starting at zero.
    fn implicit_scalars(&mut self, producer: &ast::Block) -> Vec<(VarId, Expr)> {
        let mut names: Vec<Ident> = Vec::new();
        scalar_targets(producer, &mut names);
        let mut out = Vec::new();
        for name in names {
            if self.lookup(&name).is_none() {
                let var = self.declare_var(&name, VarKind::Scalar, Ty::Unknown);
                let value = self.kernel.raw(
                    quote::quote!(::core::default::Default::default()),
                    Vec::new(),
                    Ty::Unknown,
                );
                out.push((var, value));
            }
        }
        out
    }

    fn nest(
        &mut self,
        indices: &[Ident],
        extent: Option<&(ast::Expr, ast::Expr)>,
        body: &ast::Block,
    ) -> Stmt {
        let (scope, loops) = (self.scope.len(), self.loops.len());
        let mut vars = Vec::new();
        for index in indices {
            if let Some(meaning) = self.lookup(index) {
                let what = match meaning {
                    Meaning::Tensor(_) => "a tensor",
                    Meaning::Var(v) if self.kernel.info(v).kind == VarKind::Index => {
                        "bound by a loop around this one"
                    }
                    Meaning::Var(_) | Meaning::Literal(_) => "a scalar",
                };
                self.errors.error(
                    index.span(),
                    format!(
                        "index `{index}` is bound twice: `{index}` is already {what}; rename one"
                    ),
                );
            }
            let explicit = extent.map(|(lo, hi)| (self.index_expr(lo), self.index_expr(hi)));
            let var = self.declare_var(index, VarKind::Index, Ty::Index);
            self.bound_at.insert(var, index.span());
            if let Some(range) = explicit {
                self.extents.insert(var, range);
            }
            self.loops.push(var);
            vars.push(var);
        }
        let mut stmt = self.block(body);
        self.scope.truncate(scope);
        self.loops.truncate(loops);
        for index in vars.into_iter().rev() {
            let (lo, hi) =
                self.extents.get(&index).cloned().unwrap_or((Expr::int(0), Expr::int(0)));
            stmt = Stmt::Loop { index, lo, hi, body: Box::new(stmt) };
        }
        stmt
    }

    fn assign(
        &mut self,
        target: &ast::Expr,
        op: Option<&ast::OpRef>,
        value: &ast::Expr,
        span: proc_macro2::Span,
    ) -> Stmt {
        let value = self.expr(value);
        let op = match op {
            Some(op) => match self.operator(op, 2) {
                Some(op) => Some(op),
                None => return Stmt::Pass,
            },
            None => None,
        };
        let target = match target {
            ast::Expr::Name(name) => {
                self.written.insert(name.to_string());
                match self.lookup(name) {
                    Some(Meaning::Var(v)) if self.kernel.info(v).kind == VarKind::Scalar => {
                        if self.kernel.info(v).ty == Ty::Unknown {
                            let ty = self.kernel.type_of(&value).unwrap_or(Ty::Unknown);
                            self.kernel.vars[v.0 as usize].ty = ty;
                        }
                        Expr::Var(v)
                    }
                    Some(Meaning::Tensor(t)) => {
                        let rank = self.kernel.tensor(t).lens.len();
                        self.errors.error(name.span(), format!("`{name}` is a tensor of {rank} dimensions: give its indices, `{name}[..]`"));
                        return Stmt::Pass;
                    }
                    Some(Meaning::Var(_) | Meaning::Literal(_)) => {
                        self.errors.error(name.span(), format!("`{name}` cannot be assigned: declare it `mut` (`{name}: &mut T` in a function, `mut {name}: T` inline)"));
                        return Stmt::Pass;
                    }
                    None => {
                        self.errors.error(name.span(), format!("unknown scalar `{name}`: declare it in the header, or with `let mut {name}: T;`"));
                        return Stmt::Pass;
                    }
                }
            }
            ast::Expr::Access { name, indices, span } => {
                self.written.insert(name.to_string());
                match self.access(name, indices, *span, true) {
                    Some(t) => t,
                    None => return Stmt::Pass,
                }
            }
            _ => {
                self.errors.error(span, "only a scalar `c` or an access `A[i, j]` can be assigned");
                return Stmt::Pass;
            }
        };
        if let Some(op) = &op {
            let types = [self.kernel.type_of(&target), self.kernel.type_of(&value)];
            self.kernel.seen(op.name(), &types);
        }
        Stmt::Assign { target, op, value }
    }
}

/// Names used with brackets anywhere in `block`.
pub fn accessed(block: &ast::Block) -> HashSet<String> {
    let mut out = HashSet::new();
    block.stmts.iter().for_each(|s| accessed_stmt(s, &mut out));
    out
}

fn accessed_stmt(stmt: &ast::Stmt, out: &mut HashSet<String>) {
    visit(stmt, &mut |e| {
        if let ast::Expr::Access { name, .. } = e {
            out.insert(name.to_string());
        }
    });
}

/// Names that `pass` keeps.
pub fn passed(block: &ast::Block) -> HashSet<String> {
    let mut out = HashSet::new();
    for stmt in &block.stmts {
        if let ast::Stmt::Pass(names) = stmt {
            out.extend(names.iter().map(Ident::to_string));
        }
        blocks(stmt, &mut |b| out.extend(passed(b)));
    }
    out
}

/// Workspaces declared with a format, for [`super::format_types`].
pub fn workspaces(block: &ast::Block, add: &mut dyn FnMut(&Ident, &syn::Type)) {
    for stmt in &block.stmts {
        match stmt {
            ast::Stmt::Workspace { name, ty, .. } => add(name, ty),
            other => blocks(other, &mut |b| workspaces(b, add)),
        }
    }
}

fn scalar_targets(block: &ast::Block, out: &mut Vec<Ident>) {
    for stmt in &block.stmts {
        if let ast::Stmt::Assign { target: ast::Expr::Name(name), .. } = stmt {
            if !out.contains(name) {
                out.push(name.clone());
            }
        }
        blocks(stmt, &mut |b| scalar_targets(b, out));
    }
}

fn blocks(stmt: &ast::Stmt, f: &mut dyn FnMut(&ast::Block)) {
    match stmt {
        ast::Stmt::For { body, .. } | ast::Stmt::Block(body) => f(body),
        ast::Stmt::If { then, otherwise, .. } => {
            f(then);
            otherwise.iter().for_each(f);
        }
        ast::Stmt::Where { consumer, producer } => {
            f(producer);
            f(consumer);
        }
        _ => {}
    }
}

fn visit(stmt: &ast::Stmt, f: &mut dyn FnMut(&ast::Expr)) {
    match stmt {
        ast::Stmt::For { extent: Some((lo, hi)), .. } => {
            visit_expr(lo, f);
            visit_expr(hi, f);
        }
        ast::Stmt::Assign { target, value, .. } => {
            visit_expr(target, f);
            visit_expr(value, f);
        }
        ast::Stmt::If { cond, .. } => visit_expr(cond, f),
        ast::Stmt::Let { value, .. } => visit_expr(value, f),
        ast::Stmt::Workspace { dims, .. } => dims.iter().flatten().for_each(|d| visit_expr(d, f)),
        _ => {}
    }
    blocks(stmt, &mut |b| b.stmts.iter().for_each(|s| visit(s, f)));
}

fn visit_expr(e: &ast::Expr, f: &mut dyn FnMut(&ast::Expr)) {
    f(e);
    match e {
        ast::Expr::Access { indices, .. } => indices.iter().for_each(|i| visit_expr(&i.expr, f)),
        ast::Expr::Call { args, .. } => args.iter().for_each(|a| visit_expr(a, f)),
        _ => {}
    }
}
