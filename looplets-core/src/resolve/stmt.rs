//! Statements: scopes of indices, scalars and workspaces.

use super::literals::Literal;
use super::names::{accessed_stmt, scalar_targets, workspaces};
use super::{Meaning, Resolver};
use crate::ast;
use crate::cin::*;
use crate::formats::is_primitive;
use crate::kernel::*;
use crate::ops::Typing;
use crate::runtime::Runtime;
use proc_macro2::Ident;
use std::collections::HashSet;

/// The most subterms of a definition, of which only those that are of literals alone have many: they double
/// with each that is made of another twice.
const MOST_OF_A_DEFINITION: usize = 4_000;

impl<'a> Resolver<'a> {
    pub fn block(&mut self, block: &'a ast::Block) -> Stmt {
        let mark = self.scope.len();
        let stmt = self.stmts(&block.stmts);
        self.scope.truncate(mark);
        stmt
    }

    /// Statements in order; a definition holds to the end of its block.
    fn stmts(&mut self, stmts: &'a [ast::Stmt]) -> Stmt {
        let mut out = Vec::new();
        for (k, stmt) in stmts.iter().enumerate() {
            match stmt {
                ast::Stmt::Let { name, value: e } => {
                    let mut value = self.knowing_taken(e, |r| r.expr(e));
                    if value.is_larger(MOST_OF_A_DEFINITION) {
                        // Literals take their type where they are used, and so are copied there.
                        let message = format!("`{name}` comes to more than {MOST_OF_A_DEFINITION} literals and operators, which are put where it is used: give one of them a type, as in `1f64`");
                        self.errors.error(name.span(), message);
                        value = self.kernel.raw(quote::quote!(0), Vec::new(), Ty::Unknown);
                    }
                    let own = self.kernel.type_of(&value);
                    if matches!(value, Expr::Lit(_)) || own.is_none() {
                        let mut parts = Vec::new();
                        let value = self.untyped(&name.to_string(), value, &mut parts);
                        let float = self.fraction(e);
                        self.literals.push(Literal { value, float });
                        let meaning = Meaning::Literal(self.literals.len() - 1);
                        self.scope.push((name.to_string(), meaning));
                        if parts.is_empty() {
                            continue;
                        }
                        let rest = self.stmts(&stmts[k + 1..]);
                        out.push(parts.into_iter().rev().fold(rest, |body, (var, value)| {
                            Stmt::Let { var, value, body: Box::new(body) }
                        }));
                        break;
                    }
                    let ty = self.kernel.type_of(&value).unwrap_or(Ty::Unknown);
                    let constant = self.literals_of(&value);
                    let var = self.declare_var(name, VarKind::Let, ty);
                    self.constants.extend(constant.map(|c| (var, c)));
                    self.let_depth.insert(var, self.loops.len());
                    self.definitions.insert(var, e);
                    if self.kernel.may_be_missing(&value) {
                        self.kernel.absent.insert(var);
                    }
                    let body = Box::new(self.stmts(&stmts[k + 1..]));
                    out.push(Stmt::Let { var, value, body });
                    break;
                }
                ast::Stmt::Workspace { name, ty, dims, of } => {
                    let rest = &stmts[k + 1..];
                    let mut used = HashSet::new();
                    rest.iter().for_each(|s| accessed_stmt(s, &mut used));
                    let lacking = self.tensors.lacks_brackets(name, ty);
                    if (used.contains(&name.to_string()) || lacking) && !is_primitive(ty) {
                        let id = self.declare_tensor(name, ty, Role::Workspace);
                        if let (Some(id), Some(dims)) = (id, dims) {
                            self.sizes(id, dims, name.span());
                        }
                        if let (Some(id), Some(of)) = (id, of) {
                            self.gathered_for(id, of);
                        }
                        let consumer = Box::new(self.stmts(rest));
                        let Some(id) = id else { break };
                        out.push(Stmt::Where {
                            consumer,
                            producer: Box::new(Stmt::Pass),
                            local: vec![id],
                        });
                    } else {
                        let var = self.declare_scalar(name, VarKind::Scalar, ty);
                        let value = self.kernel.call(Runtime::Default, Vec::new(), Ty::Unknown);
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

    /// Notes what the workspace `id` is gathered for, and gives it the sizes of that, if these are given.
    fn gathered_for(&mut self, id: TensorId, of: &ast::Gathered) {
        let Some(Meaning::Tensor(result)) = self.lookup(&of.result) else { return };
        let lens = &self.kernel.tensor(result).lens;
        let sizes = lens.iter().skip(of.first).map(|len| Expr::Var(*len)).collect();
        let tensor = &mut self.kernel.tensors[id.0 as usize];
        tensor.of = Some((of.result.to_string(), of.first));
        if of.sized {
            tensor.sizes = sizes;
        }
    }

    /// `value`, of literals alone, with its conditions and whatever else has a type as definitions in
    /// front: they hold when it is defined, the literals take their type where it is used.
    fn untyped(&mut self, name: &str, value: Expr, parts: &mut Vec<(VarId, Expr)>) -> Expr {
        match value {
            // A chain of definitions is as deep as it is long: each term of it is looked at once.
            value if takes_any_type(&value) => value,
            value @ Expr::Lit(_) => value,
            value => match (self.kernel.type_of(&value), value) {
                (None, Expr::Call(op, args)) => {
                    let args = args.into_iter().map(|a| self.untyped(name, a, parts)).collect();
                    Expr::Call(op, args)
                }
                (ty, value) => {
                    let var = self.kernel.var(name, VarKind::Let, ty.unwrap_or(Ty::Unknown));
                    self.let_depth.insert(var, self.loops.len());
                    parts.push((var, value));
                    Expr::Var(var)
                }
            },
        }
    }

    fn stmt(&mut self, stmt: &'a ast::Stmt) -> Stmt {
        match stmt {
            ast::Stmt::For { written, parallel, indices, extent, body } => {
                self.nest((*written, *parallel), indices, extent.as_ref(), body)
            }
            ast::Stmt::Assign { target, op, value, span } => {
                self.assign(target, op.as_ref(), value, *span)
            }
            ast::Stmt::Remove { target, span } => self.remove(target, *span),
            ast::Stmt::If { cond, then, otherwise } => {
                let value = self.knowing_taken(cond, |r| r.expr(cond));
                let compared = super::operands::comparisons(cond);
                let cond = self.condition(cond, value);
                self.conditions.push(self.compared(&cond));
                let guards = self.guards.len();
                self.guards.extend(compared);
                let then = Box::new(self.block(then));
                let otherwise = Box::new(otherwise.as_ref().map_or(Stmt::Pass, |b| self.block(b)));
                self.conditions.pop();
                self.guards.truncate(guards);
                Stmt::Sieve { cond, then, otherwise }
            }
            ast::Stmt::Where { consumer, producer } => {
                let mark = self.scope.len();
                let scalars = self.implicit_scalars(consumer, producer);
                let known = self.inside.len();
                let mut inside = Vec::new();
                workspaces(producer, &mut |name, _| inside.push(name.to_string()));
                let producer = Box::new(self.block(producer));
                self.inside.append(&mut inside);
                let consumer = Box::new(self.block(consumer));
                self.inside.truncate(known);
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
                        None if !self.unknown.insert(name.to_string()) => {}
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
    fn implicit_scalars(
        &mut self,
        consumer: &ast::Block,
        producer: &ast::Block,
    ) -> Vec<(VarId, Expr)> {
        let mut out = Vec::new();
        for name in scalar_targets(consumer, producer) {
            if self.lookup(&name).is_none() {
                let var = self.declare_var(&name, VarKind::Scalar, Ty::Unknown);
                let value = self.kernel.call(Runtime::Default, Vec::new(), Ty::Unknown);
                out.push((var, value));
            }
        }
        out
    }

    fn nest(
        &mut self,
        (written, parallel): (bool, Option<proc_macro2::Span>),
        indices: &[Ident],
        extent: Option<&(ast::Expr, ast::Expr)>,
        body: &'a ast::Block,
    ) -> Stmt {
        let (scope, loops) = (self.scope.len(), self.loops.len());
        if self.loops.is_empty() {
            self.read_in_nest.clear();
            super::names::read(body, &mut self.read_in_nest);
        }
        let (mut vars, mut said) = (Vec::new(), Vec::new());
        for index in indices {
            let meaning = self.lookup(index);
            let taken =
                format!("leave `{index}` out of the `for` to take that one alone, or rename one");
            let rename = || "rename one".to_owned();
            let bound = match meaning {
                None | Some(Meaning::Broken) => None,
                Some(Meaning::Tensor(_)) => Some(("a tensor", rename())),
                Some(Meaning::Var(v)) if self.kernel.info(v).kind == VarKind::Index => {
                    self.rebound.insert(v);
                    Some(("bound by a loop around this one", rename()))
                }
                Some(Meaning::Var(_) | Meaning::Literal(_)) => Some(("a scalar", taken)),
            };
            if let Some((what, cure)) = bound {
                self.errors.error(
                    index.span(),
                    format!("index `{index}` is bound twice: `{index}` is already {what}; {cure}"),
                );
            }
            let explicit = extent.map(|(lo, hi)| [lo, hi].map(|e| self.present(e)));
            let (explicit, held) = explicit.map(|e| self.asked_once(e)).unzip();
            let mut held = held.unwrap_or_default();
            let var = self.declare_var(index, VarKind::Index, Ty::Index);
            if meaning.is_some() {
                self.rebound.insert(var);
            }
            self.bound_at.insert(var, index.span());
            if !written {
                self.left_out.insert(var);
            }
            if let Some([lo, hi]) = explicit {
                let (bounds, checked) = self.within_reach(var, (lo, hi));
                self.extents.insert(var, bounds);
                held.extend(checked);
            }
            said.push(held);
            self.loops.push(var);
            vars.push(var);
        }
        self.enter(&vars, body);
        let mut stmt = self.block(body);
        self.nests.pop();
        self.scope.truncate(scope);
        self.loops.truncate(loops);
        for (place, (index, held)) in vars.into_iter().zip(said).enumerate().rev() {
            let (lo, hi) =
                self.extents.get(&index).cloned().unwrap_or((Expr::int(0), Expr::int(0)));
            // The iterations of the first index are those that run in parallel.
            let parallel = parallel.is_some() && place == 0;
            stmt = Stmt::Loop { index, parallel, lo, hi, body: Box::new(stmt) };
            stmt = held.into_iter().rev().fold(stmt, |body, (var, value)| Stmt::Let {
                var,
                value,
                body: Box::new(body),
            });
        }
        stmt
    }

    /// A bound of an extent as a coordinate, whatever type of number the program has for it: what a loop
    /// comes to without its index is computed of its bounds. Refused if it may be missing.
    fn present(&mut self, e: &ast::Expr) -> Expr {
        let bound = self.index_expr(e);
        if self.kernel.may_be_missing(self.value_of(&bound)) {
            self.errors.error(e.span(), "this bound may be missing, and no loop runs to nowhere: say what it is then, `coalesce(.., 0)`");
        }
        match self.kernel.type_of(&bound) {
            None | Some(Ty::Index) => bound,
            Some(_) => Expr::call(Op::Index, [bound]),
        }
    }

    /// The bounds of an explicit extent with what functions and elements of tensors say in them as
    /// definitions, which stand before the loop: what an extent is checked by is what the loop runs over.
    /// Where one is asked for under a condition only, the choice is the definition.
    fn asked_once(&mut self, bounds: [Expr; 2]) -> ([Expr; 2], Vec<(VarId, Expr)>) {
        fn collect(kernel: &Kernel, e: &Expr, found: &mut Vec<Expr>) {
            let asks = |e: &Expr| match e {
                Expr::Call(op, _) => kernel.functions.contains_key(op.key().unwrap_or("")),
                Expr::Var(v) => kernel.absent.contains(v),
                other => matches!(other, Expr::Raw(_) | Expr::Access(_)),
            };
            let mut within = false;
            e.walk(&mut |e| within |= asks(e));
            match e {
                _ if !within || found.contains(e) => {}
                Expr::Call(op, args)
                    if !asks(e) && !matches!(op, Op::IfElse | Op::And | Op::Or | Op::Coalesce) =>
                {
                    args.iter().for_each(|a| collect(kernel, a, found));
                }
                _ => found.push(e.clone()),
            }
        }
        let mut found = Vec::new();
        bounds.iter().for_each(|e| collect(&self.kernel, e, &mut found));
        let hold = |value: Expr| {
            let ty = self.kernel.type_of(&value).unwrap_or(Ty::Unknown);
            let var = self.kernel.var("bound", VarKind::Let, ty);
            self.let_depth.insert(var, self.loops.len());
            (var, value)
        };
        let held: Vec<(VarId, Expr)> = found.into_iter().map(hold).collect();
        let mut known =
            |e: &Expr| held.iter().find(|(_, v)| v == e).map(|(var, _)| Expr::Var(*var));
        let bounds = bounds.map(|e| e.map(&mut known));
        let mut held = held;
        let bounds = bounds.map(|whole| {
            if !self.leaves(&whole) {
                return whole;
            }
            let (value, var) =
                (self.as_one(whole), self.kernel.var("bound", VarKind::Let, Ty::Index));
            self.let_depth.insert(var, self.loops.len());
            held.push((var, value));
            Expr::Var(var)
        });
        (bounds, held)
    }

    /// What `resolve` makes of a statement whose expression is `e`: messages say of indices that shape operators in
    /// it take away that they do.
    pub(super) fn knowing_taken<T>(
        &mut self,
        e: &ast::Expr,
        resolve: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = std::mem::replace(&mut self.taken, super::names::taken_away(e));
        let value = resolve(self);
        self.taken = outer;
        value
    }
}

/// Whether `e` and all in it are literals that take the type of what they meet, and operators of them.
fn takes_any_type(e: &Expr) -> bool {
    let mut any = true;
    e.walk(&mut |x| {
        any &= match x {
            Expr::Lit(lit) => !matches!(lit, Lit::Bool(_)),
            Expr::Call(op, _) => {
                !matches!(op.row().typing, Typing::Bool | Typing::Index | Typing::Own)
            }
            _ => false,
        }
    });
    any
}
