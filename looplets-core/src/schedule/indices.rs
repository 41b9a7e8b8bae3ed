//! Which indices of a statement nothing binds: names between brackets that are neither declared nor the indices of loops.

use crate::ast::{Block, Expr, Form, OpRef, Program, Stmt};
use crate::cin::Op;
use proc_macro2::Ident;
use std::collections::HashSet;

/// The names that are declared where a statement stands.
#[derive(Clone)]
pub struct Scope(Vec<String>);

impl Scope {
    /// Those of the header.
    pub fn of(program: &Program) -> Scope {
        let mut names: Vec<String> = program.params.iter().map(|p| p.name.to_string()).collect();
        names.extend(program.outputs.iter().map(|o| o.name.to_string()));
        if let Form::Function { generics, .. } = &program.form {
            names.extend(generics.const_params().map(|c| c.ident.to_string()));
        }
        Scope(names)
    }
    /// How many there are.
    pub fn mark(&self) -> usize {
        self.0.len()
    }
    /// Whether `name` is declared.
    pub fn declares(&self, name: &str) -> bool {
        self.0.iter().any(|n| n == name)
    }
    /// Forgets those behind the first `mark`.
    pub fn forget(&mut self, mark: usize) {
        self.0.truncate(mark);
    }
    /// Adds loops.
    pub fn bind(&mut self, indices: &[Ident]) {
        self.0.extend(indices.iter().map(Ident::to_string));
    }
    /// Adds what a statement declares for those behind it.
    pub fn define(&mut self, stmt: &Stmt) {
        if let Stmt::Let { name, .. } | Stmt::Workspace { name, .. } = stmt {
            self.0.push(name.to_string());
        }
    }
    /// The indices in `stmt` that nothing binds, each once: those of what is written first.
    pub fn unbound(&self, stmt: &Stmt) -> Vec<Ident> {
        let mut out = Found { outer: self, bound: Vec::new(), all: Vec::new() };
        out.targets(stmt);
        out.stmt(stmt);
        out.all
    }
}

/// Indices found so far.
struct Found<'a> {
    outer: &'a Scope,
    /// What the statement itself declares.
    bound: Vec<String>,
    all: Vec<Ident>,
}

impl Found<'_> {
    fn name(&mut self, name: &Ident) {
        let text = name.to_string();
        // Constants of Rust have names of their own kind.
        let variable =
            text.trim_start_matches("r#").starts_with(|c: char| c.is_lowercase() || c == '_');
        let bound = |text: &String| self.bound.contains(text) || self.outer.declares(text);
        if variable && !bound(&text) && !self.all.contains(name) {
            self.all.push(name.clone());
        }
    }

    fn targets(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Assign { target, .. } | Stmt::Remove { target, .. } => self.expr(target, false),
            _ => {}
        }
    }

    fn block(&mut self, block: &Block) {
        let mark = self.bound.len();
        for stmt in &block.stmts {
            self.stmt(stmt);
            if let Stmt::Let { name, .. } | Stmt::Workspace { name, .. } = stmt {
                self.bound.push(name.to_string());
            }
        }
        self.bound.truncate(mark);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::For { indices, extent, body, .. } => {
                if let Some((lo, hi)) = extent {
                    self.expr(lo, false);
                    self.expr(hi, false);
                }
                let mark = self.bound.len();
                self.bound.extend(indices.iter().map(Ident::to_string));
                self.block(body);
                self.bound.truncate(mark);
            }
            Stmt::Assign { target, value, .. } => {
                self.expr(target, false);
                self.expr(value, false);
            }
            Stmt::Remove { target, .. } => self.expr(target, false),
            Stmt::If { cond, then, otherwise } => {
                self.expr(cond, false);
                self.block(then);
                otherwise.iter().for_each(|b| self.block(b));
            }
            Stmt::Where { consumer, producer } => {
                self.block(consumer);
                self.block(producer);
            }
            Stmt::Let { value, .. } => self.expr(value, false),
            Stmt::Workspace { .. } | Stmt::Pass(_) => {}
            Stmt::Block(block) => self.block(block),
        }
    }

    /// `between`: between the brackets of an access.
    fn expr(&mut self, e: &Expr, between: bool) {
        match e {
            Expr::Name(name) if between => self.name(name),
            Expr::Access { indices, .. } => indices.iter().for_each(|i| self.expr(&i.expr, true)),
            Expr::Call { args, .. } => args.iter().for_each(|a| self.expr(a, between)),
            Expr::Shape(shape) => {
                shape.to.iter().for_each(|i| self.name(&i.name));
                let mark = self.bound.len();
                self.bound.extend(shape.from.iter().map(|i| i.name.to_string()));
                shape.operands.iter().for_each(|e| self.expr(e, between));
                self.bound.truncate(mark);
            }
            Expr::Name(_) | Expr::Lit(..) | Expr::Path(_) | Expr::Escape(..) => {}
        }
    }
}

/// All names in an expression but those that shape operators take away.
pub fn names(e: &Expr) -> HashSet<String> {
    fn go(e: &Expr, out: &mut HashSet<String>) {
        match e {
            Expr::Name(name) => {
                out.insert(name.to_string());
            }
            Expr::Access { indices, .. } => indices.iter().for_each(|i| go(&i.expr, out)),
            Expr::Call { args, .. } => args.iter().for_each(|a| go(a, out)),
            Expr::Shape(shape) => {
                let mut within = HashSet::new();
                shape.operands.iter().for_each(|e| go(e, &mut within));
                shape.from.iter().for_each(|i| {
                    within.remove(&i.name.to_string());
                });
                out.extend(within);
                out.extend(shape.to.iter().map(|i| i.name.to_string()));
            }
            Expr::Lit(..) | Expr::Path(_) | Expr::Escape(..) => {}
        }
    }
    let mut out = HashSet::new();
    go(e, &mut out);
    out
}

/// Whether the index `x` is `i`, or `permit` of a sum with `i` in it.
pub fn along(x: &crate::ast::Index, i: &str) -> bool {
    fn times(e: &Expr, i: &str) -> Option<usize> {
        match e {
            Expr::Name(name) => Some((name == i).into()),
            Expr::Lit(..) => Some(0),
            Expr::Call { op, args } if op.op == Op::Add => args.iter().map(|a| times(a, i)).sum(),
            // What is taken away stays the same.
            Expr::Call { op, args } if op.op == Op::Sub && args.len() == 2 => {
                times(&args[1], i).filter(|n| *n == 0).and_then(|_| times(&args[0], i))
            }
            _ => None,
        }
    }
    match &x.expr {
        Expr::Name(name) => name == i,
        Expr::Access { name, indices, .. } if name == "permit" => match &indices[..] {
            [inner] => times(&inner.expr, i) == Some(1),
            _ => false,
        },
        _ => false,
    }
}

/// Every assignment in `stmt` that no written loop stands around.
pub fn assignments<'a>(stmt: &'a Stmt, f: &mut dyn FnMut(&'a Expr, Option<&'a OpRef>, &'a Expr)) {
    let mut all = |block: &'a Block| block.stmts.iter().for_each(|s| assignments(s, f));
    match stmt {
        Stmt::Assign { target, op, value, .. } => f(target, op.as_ref(), value),
        Stmt::If { then, otherwise, .. } => {
            all(then);
            otherwise.iter().for_each(all);
        }
        Stmt::Where { consumer, producer } => {
            all(producer);
            all(consumer);
        }
        Stmt::Block(block) => all(block),
        _ => {}
    }
}

/// The tensors that `stmt` writes, within its loops as well.
pub fn written(stmt: &Stmt, out: &mut Vec<String>) {
    let mut within = |block: &Block| block.stmts.iter().for_each(|s| written(s, out));
    match stmt {
        Stmt::Assign { target: Expr::Access { name, .. }, .. } => out.push(name.to_string()),
        Stmt::For { body, .. } | Stmt::Block(body) => within(body),
        Stmt::If { then, otherwise, .. } => {
            within(then);
            otherwise.iter().for_each(within);
        }
        Stmt::Where { consumer, producer } => {
            within(producer);
            within(consumer);
        }
        _ => {}
    }
}

/// An access, or the indices of a shape operator.
pub struct Use<'a> {
    /// The tensor; none of the indices that a shape operator makes, which are digits in that order.
    pub name: Option<&'a Ident>,
    /// Whether it is written.
    pub write: bool,
    /// The indices that stand in each dimension, and whether that is read by random access.
    pub dims: Vec<(Vec<String>, bool)>,
}

/// Whether one of `uses` writes the tensor `name`.
pub fn is_written(uses: &[Use<'_>], name: &Ident) -> bool {
    uses.iter().any(|u| u.write && u.name == Some(name))
}

/// Every access in `stmt`.
pub fn uses(stmt: &Stmt) -> Vec<Use<'_>> {
    let mut out = Uses { all: Vec::new(), taken: Vec::new() };
    out.stmt(stmt);
    out.all
}

struct Uses<'a> {
    all: Vec<Use<'a>>,
    /// Indices that shape operators take away, and those from which they are computed.
    taken: Vec<(String, Vec<String>)>,
}

impl<'a> Uses<'a> {
    fn block(&mut self, block: &'a Block) {
        block.stmts.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::For { body, .. } | Stmt::Block(body) => self.block(body),
            Stmt::Assign { target, value, .. } => {
                self.expr(target, true);
                self.expr(value, false);
            }
            Stmt::Remove { target, .. } => self.expr(target, false),
            Stmt::If { cond, then, otherwise } => {
                self.expr(cond, false);
                self.block(then);
                otherwise.iter().for_each(|b| self.block(b));
            }
            Stmt::Where { consumer, producer } => {
                self.block(producer);
                self.block(consumer);
            }
            Stmt::Let { value, .. } => self.expr(value, false),
            Stmt::Workspace { .. } | Stmt::Pass(_) => {}
        }
    }

    fn expr(&mut self, e: &'a Expr, write: bool) {
        match e {
            Expr::Access { name, indices, .. } => {
                let located =
                    |i: &crate::ast::Index| i.protocol.as_ref().is_some_and(|p| p == "locate");
                let dims = indices.iter().map(|i| (self.of(&i.expr), located(i))).collect();
                self.all.push(Use { name: Some(name), write, dims });
                indices.iter().for_each(|i| self.expr(&i.expr, false));
            }
            Expr::Call { args, .. } => args.iter().for_each(|a| self.expr(a, false)),
            Expr::Shape(shape) => {
                let to: Vec<String> = shape.to.iter().map(|i| i.name.to_string()).collect();
                let dims = to.iter().map(|i| (vec![i.clone()], false)).collect();
                self.all.push(Use { name: None, write: false, dims });
                let mark = self.taken.len();
                self.taken.extend(shape.from.iter().map(|i| (i.name.to_string(), to.clone())));
                shape.operands.iter().for_each(|e| self.expr(e, false));
                self.taken.truncate(mark);
            }
            Expr::Name(_) | Expr::Lit(..) | Expr::Path(_) | Expr::Escape(..) => {}
        }
    }

    /// The indices that stand in `e`, those that are taken away as what they are computed from.
    fn of(&self, e: &Expr) -> Vec<String> {
        let mut out: Vec<String> = names(e).into_iter().collect();
        for (name, from) in self.taken.iter().rev() {
            if out.contains(name) {
                out.retain(|n| n != name);
                out.extend(from.iter().cloned());
            }
        }
        out.sort();
        out.dedup();
        out
    }
}
