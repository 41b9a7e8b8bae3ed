//! Tensors whose last dimension is the outermost level: from here on a program names their indices as levels do, outermost first.
//!
//! No later stage has to know in which order a tensor has its dimensions: what is stored by columns is the transposed tensor stored by
//! rows. Messages turn the indices round again.

use crate::ast::{Block, Expr, Program, Shape, Stmt};
use crate::formats::Library;

/// Turns the indices of all accesses to such tensors round, and the sizes that are declared for them.
pub fn turn(program: &mut Program, library: &Library, generics: &[String]) {
    let is = |ty: &syn::Type| library.resolved(ty, generics).is_ok_and(|chain| chain.by_columns);
    let mut turn = Turn { is: &is, tensors: Vec::new() };
    for param in &program.params {
        turn.declare(param.name.to_string(), &param.ty);
    }
    for output in &mut program.outputs {
        if turn.declare(output.name.to_string(), &output.ty) {
            output.dims.iter_mut().for_each(|dims| dims.reverse());
        }
    }
    for output in &mut program.outputs {
        output.dims.iter_mut().flatten().for_each(|e| turn.expr(e));
        output.start.iter_mut().for_each(|(e, _)| turn.expr(e));
    }
    turn.block(&mut program.body);
}

struct Turn<'a> {
    is: &'a dyn Fn(&syn::Type) -> bool,
    /// The tensors in scope, and whether each is stored by columns. Of two of one name the last is meant.
    tensors: Vec<(String, bool)>,
}

impl Turn<'_> {
    fn declare(&mut self, name: String, ty: &syn::Type) -> bool {
        let by_columns = (self.is)(ty);
        self.tensors.push((name, by_columns));
        by_columns
    }

    fn block(&mut self, block: &mut Block) {
        let outside = self.tensors.len();
        self.stmts(block);
        self.tensors.truncate(outside);
    }

    fn stmts(&mut self, block: &mut Block) {
        block.stmts.iter_mut().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::For { extent, body, .. } => {
                if let Some((lo, hi)) = extent {
                    self.expr(lo);
                    self.expr(hi);
                }
                self.block(body);
            }
            Stmt::Assign { target, value, .. } => {
                self.expr(target);
                self.expr(value);
            }
            Stmt::If { cond, then, otherwise } => {
                self.expr(cond);
                self.block(then);
                otherwise.iter_mut().for_each(|b| self.block(b));
            }
            // What the producer declares, the consumer reads.
            Stmt::Where { consumer, producer } => {
                let outside = self.tensors.len();
                self.stmts(producer);
                self.stmts(consumer);
                self.tensors.truncate(outside);
            }
            Stmt::Block(block) => self.block(block),
            Stmt::Workspace { name, ty, dims, .. } => {
                dims.iter_mut().flatten().for_each(|e| self.expr(e));
                if self.declare(name.to_string(), ty) {
                    dims.iter_mut().for_each(|dims| dims.reverse());
                }
            }
            Stmt::Let { value: e, .. } | Stmt::Remove { target: e, .. } => self.expr(e),
            Stmt::Pass(_) => {}
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        match e {
            Expr::Access { name, indices, by_columns, .. } => {
                indices.iter_mut().for_each(|i| self.expr(&mut i.expr));
                let found = self.tensors.iter().rev().find(|(tensor, _)| *name == tensor);
                if found.is_some_and(|(_, by_columns)| *by_columns) {
                    indices.reverse();
                    *by_columns = true;
                }
            }
            Expr::Call { args, .. } => args.iter_mut().for_each(|a| self.expr(a)),
            Expr::Shape(shape) => {
                let Shape { operands, from, to, cut, .. } = &mut **shape;
                let sizes = from.iter_mut().chain(to).filter_map(|i| i.size.as_mut());
                operands.iter_mut().chain(sizes).for_each(|e| self.expr(e));
                if let Some((start, end, step)) = cut {
                    [start, end].into_iter().chain(step).for_each(|e| self.expr(e));
                }
            }
            Expr::Lit(..) | Expr::Name(_) | Expr::Path(_) | Expr::Escape(..) => {}
        }
    }
}
