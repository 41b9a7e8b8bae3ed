//! Extents of the oracle's loops, and sizes of results that the header leaves open.

use super::index::Driven;
use super::{Fail, Oracle};
use looplets_core::ast::{Block, Expr, Shape, Stmt};

/// An access that a loop's index drives, in a dimension of known size.
struct Use {
    tensor: String,
    /// The index is inside while `lo <= stride * index < hi`.
    lo: i128,
    hi: i128,
    stride: i128,
    /// Runs over all that it sees from 0, one by one. An index moved by a number that happens to
    /// be zero does not.
    plain: bool,
    /// Has a say about the extent: the same in every run of the loop.
    says: bool,
}

impl Oracle<'_> {
    pub fn sizes(&self, dims: &[Expr]) -> Result<Vec<usize>, Fail> {
        dims.iter().map(|d| Ok(self.eval_coordinate(d)?.int().max(0) as usize)).collect()
    }

    /// Where a loop over `index` runs: its own extent, which must lie inside all it indexes; else the
    /// size of what a plain access sees, which all plain accesses must have; else where every moved
    /// access is inside.
    pub fn extent(
        &self,
        index: &str,
        explicit: Option<&(Expr, Expr)>,
        body: &Block,
    ) -> Result<(i128, i128), Fail> {
        let mut uses = self.uses(index, body, &|t, dim| Some(self.shapes.get(t)?[dim]));
        if uses.is_empty() && explicit.is_none() {
            // Only what earlier loops have reached into says anything.
            uses = self.uses(index, body, &|t, dim| self.reached.get(t)?.get(dim).copied());
        }
        let plain = uses.iter().find(|u| u.plain);
        let (lo, hi) = match (explicit, plain) {
            (Some((lo, hi)), _) => {
                (self.eval_coordinate(lo)?.int(), self.eval_coordinate(hi)?.int())
            }
            (None, Some(u)) => (0, u.hi),
            (None, None) => {
                let ceil = |n: i128, s: i128| (n + s - 1).div_euclid(s);
                let says = || uses.iter().filter(|u| u.says);
                let hi = says().map(|u| ceil(u.hi, u.stride)).min();
                let hi = hi.ok_or_else(|| Fail::Unknown(format!("extent of {index}")))?;
                (says().map(|u| ceil(u.lo, u.stride)).max().unwrap_or(0).max(0), hi)
            }
        };
        // The others are checked where they are read: a sieve may stand before it.
        for u in uses.iter().filter(|u| u.says) {
            let clash = explicit.is_none() && u.plain && u.hi != hi;
            if clash || lo < hi && (lo * u.stride < u.lo || (hi - 1) * u.stride >= u.hi) {
                return Err(Fail::Shape(format!("{index} in {lo}..{hi} leaves {}", u.tensor)));
            }
        }
        Ok((lo, hi))
    }

    /// The accesses in `body` that `index` drives, of tensors whose size is known.
    fn uses(
        &self,
        index: &str,
        body: &Block,
        size: &dyn Fn(&str, usize) -> Option<usize>,
    ) -> Vec<Use> {
        let mut out = Vec::new();
        accesses(body, &mut |tensor, dim, e| {
            let Some(Driven { stride, inside: Some((lo, hi)), .. }) = self.driven(index, e) else {
                return;
            };
            let says = lo.fixed(self) && hi.fixed(self);
            let plain = stride == 1 && lo.is_zero() && says;
            let size = size(tensor, dim);
            if let (Some(lo), Some(hi)) = (lo.value(self, size), hi.value(self, size)) {
                out.push(Use { tensor: tensor.to_owned(), lo, hi, stride, plain, says });
            }
        });
        shapes(body, &mut |s| {
            let Some(place) = s.to.iter().position(|i| i.name == index) else { return };
            if let Ok(sizes) = self.sizes_to(s) {
                let (tensor, hi) = (s.op.name().to_owned(), sizes[place]);
                out.push(Use { tensor, lo: 0, hi, stride: 1, plain: true, says: true });
            }
        });
        out
    }

    /// Finds how far the loops that write it reach into each tensor, without running them.
    pub fn reach(&mut self, body: &Block) -> Result<(), Fail> {
        self.reach_in(body, &mut Vec::new())
    }

    fn reach_in(&mut self, block: &Block, loops: &mut Vec<(String, i128)>) -> Result<(), Fail> {
        for stmt in &block.stmts {
            let mut found = Vec::new();
            if let Stmt::Assign { target: Expr::Access { name, indices, .. }, .. } = stmt {
                for (dim, i) in indices.iter().enumerate() {
                    for (index, hi) in loops.iter() {
                        let Some(driven) = self.driven(index, &i.expr) else { continue };
                        if let Some(shift) = driven.shift.value(self, None) {
                            let end = (hi - 1) * driven.stride + shift + 1;
                            found.push((name.to_string(), dim, end.max(0) as usize));
                        }
                    }
                }
            }
            for (tensor, dim, end) in found {
                let sizes = self.reached.entry(tensor).or_default();
                if sizes.len() <= dim {
                    sizes.resize(dim + 1, 0);
                }
                sizes[dim] = sizes[dim].max(end);
            }
            match stmt {
                Stmt::For { indices, extent, body, .. } => {
                    let (depth, around) = (loops.len(), self.nest.len());
                    for index in indices {
                        match self.extent(&index.to_string(), extent.as_ref(), body) {
                            Ok((_, hi)) => loops.push((index.to_string(), hi)),
                            Err(Fail::Unknown(_)) => {}
                            Err(e) => return Err(e),
                        }
                        self.nest.push(index.to_string());
                    }
                    self.reach_in(body, loops)?;
                    loops.truncate(depth);
                    self.nest.truncate(around);
                }
                Stmt::Block(b) => self.reach_in(b, loops)?,
                Stmt::If { then, otherwise, .. } => {
                    self.reach_in(then, loops)?;
                    if let Some(b) = otherwise {
                        self.reach_in(b, loops)?;
                    }
                }
                Stmt::Where { consumer, producer } => {
                    self.reach_in(producer, loops)?;
                    self.reach_in(consumer, loops)?;
                }
                Stmt::Workspace { name, dims: Some(dims), .. } => {
                    if let Ok(shape) = self.sizes(dims) {
                        self.shapes.insert(name.to_string(), shape);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Every loop index of a block.
pub fn loops_in(block: &Block, out: &mut Vec<String>) {
    for stmt in &block.stmts {
        match stmt {
            Stmt::For { indices, body, .. } => {
                out.extend(indices.iter().map(ToString::to_string));
                loops_in(body, out);
            }
            Stmt::Block(body) => loops_in(body, out),
            Stmt::If { then, otherwise, .. } => {
                loops_in(then, out);
                otherwise.iter().for_each(|b| loops_in(b, out));
            }
            Stmt::Where { consumer, producer } => {
                loops_in(consumer, out);
                loops_in(producer, out);
            }
            _ => {}
        }
    }
}

fn in_expr<'a>(e: &'a Expr, f: &mut dyn FnMut(&str, usize, &'a Expr)) {
    match e {
        Expr::Access { name, indices, .. } => {
            for (dim, i) in indices.iter().enumerate() {
                f(&name.to_string(), dim, &i.expr);
                in_expr(&i.expr, f);
            }
        }
        Expr::Call { args, .. } => args.iter().for_each(|a| in_expr(a, f)),
        Expr::Shape(s) => s.operands.iter().for_each(|e| in_expr(e, f)),
        _ => {}
    }
}

/// Indices of the accesses in a statement itself, not in statements below it.
fn own_accesses<'a>(stmt: &'a Stmt, f: &mut dyn FnMut(&str, usize, &'a Expr)) {
    match stmt {
        Stmt::Assign { target, value, .. } => {
            in_expr(target, f);
            in_expr(value, f);
        }
        Stmt::If { cond, .. } => in_expr(cond, f),
        Stmt::Let { value, .. } => in_expr(value, f),
        _ => {}
    }
}

/// Shape operators anywhere in a block.
fn shapes<'a>(block: &'a Block, f: &mut dyn FnMut(&'a Shape)) {
    fn within<'a>(e: &'a Expr, f: &mut dyn FnMut(&'a Shape)) {
        match e {
            Expr::Access { indices, .. } => indices.iter().for_each(|i| within(&i.expr, f)),
            Expr::Call { args, .. } => args.iter().for_each(|a| within(a, f)),
            Expr::Shape(s) => {
                f(s);
                s.operands.iter().for_each(|e| within(e, f));
            }
            _ => {}
        }
    }
    for stmt in &block.stmts {
        match stmt {
            Stmt::Assign { value, .. } | Stmt::Let { value, .. } => within(value, f),
            Stmt::For { body, .. } | Stmt::Block(body) => shapes(body, f),
            Stmt::If { cond, then, otherwise } => {
                within(cond, f);
                shapes(then, f);
                otherwise.iter().for_each(|b| shapes(b, f));
            }
            Stmt::Where { consumer, producer } => {
                shapes(producer, f);
                shapes(consumer, f);
            }
            _ => {}
        }
    }
}

fn accesses<'a>(block: &'a Block, f: &mut dyn FnMut(&str, usize, &'a Expr)) {
    for stmt in &block.stmts {
        own_accesses(stmt, f);
        match stmt {
            Stmt::For { body, .. } | Stmt::Block(body) => accesses(body, f),
            Stmt::If { then, otherwise, .. } => {
                accesses(then, f);
                otherwise.iter().for_each(|b| accesses(b, f));
            }
            Stmt::Where { consumer, producer } => {
                accesses(producer, f);
                accesses(consumer, f);
            }
            _ => {}
        }
    }
}
