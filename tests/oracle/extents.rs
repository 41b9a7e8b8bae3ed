//! Extents of the oracle's loops, and sizes of results that the header leaves open.

use super::{Fail, Oracle};
use looplets_core::ast::{Block, Expr, Stmt};

/// An access of an index in a dimension.
struct Use {
    tensor: String,
    dim: usize,
    shift: i128,
    /// Written as the index alone; one moved by a number that happens to be zero is not.
    plain: bool,
}

impl Oracle<'_> {
    pub fn sizes(&self, dims: &[Expr]) -> Result<Vec<usize>, Fail> {
        dims.iter().map(|d| Ok(self.eval(d)?.int().max(0) as usize)).collect()
    }

    /// Where a loop over `index` runs: its own extent, which must lie inside all it indexes; else the
    /// dimension of a plain access, which all plain accesses must have; else where every moved access
    /// is inside.
    pub fn extent(
        &self,
        index: &str,
        explicit: Option<&(Expr, Expr)>,
        body: &Block,
    ) -> Result<(i128, i128), Fail> {
        let mut uses = Vec::new();
        self.uses(index, body, &mut uses);
        let size = |u: &Use| self.shapes.get(&u.tensor).map(|s| s[u.dim] as i128);
        let mut sized: Vec<(&Use, i128)> =
            uses.iter().filter_map(|u| Some((u, size(u)?))).collect();
        if sized.is_empty() && explicit.is_none() {
            // Only what earlier loops have reached into says anything.
            let found = |u: &Use| {
                self.reached.get(&u.tensor).and_then(|s| s.get(u.dim)).map(|n| *n as i128)
            };
            sized = uses.iter().filter_map(|u| Some((u, found(u)?))).collect();
        }
        let plain = sized.iter().find(|(u, _)| u.plain);
        let (lo, hi) = match (explicit, plain) {
            (Some((lo, hi)), _) => (self.eval(lo)?.int(), self.eval(hi)?.int()),
            (None, Some((_, n))) => {
                if let Some((u, m)) = sized.iter().find(|(u, m)| u.plain && m != n) {
                    return Err(Fail::Shape(format!(
                        "{index} runs over 0..{n}, but {} has size {m}",
                        u.tensor
                    )));
                }
                (0, *n)
            }
            (None, None) if sized.is_empty() => {
                return Err(Fail::Unknown(format!("extent of {index}")))
            }
            (None, None) => {
                let lo = sized.iter().map(|(u, _)| -u.shift).max().unwrap_or(0).max(0);
                (lo, sized.iter().map(|(u, n)| n - u.shift).min().unwrap_or(0))
            }
        };
        for (u, n) in &sized {
            if lo < hi && (lo + u.shift < 0 || hi + u.shift > *n) {
                return Err(Fail::Shape(format!("{index} leaves {} of size {n}", u.tensor)));
            }
        }
        Ok((lo, hi))
    }

    /// The shift of `e` if it is `index` moved by a number that no statement changes.
    fn shift(&self, index: &str, e: &Expr) -> Option<i128> {
        let is = |e: &Expr| matches!(e, Expr::Name(n) if n == index);
        if is(e) {
            return Some(0);
        }
        let Expr::Call { op, args } = e else { return None };
        let [a, b] = args.as_slice() else { return None };
        let fixed = |e: &Expr| {
            let mut fixed = true;
            names(e, &mut |n| {
                fixed &= n != index && !self.indices.contains_key(n) && !self.mutable.contains(n)
            });
            fixed.then(|| self.eval(e).ok()).flatten().map(|v| v.int())
        };
        match op.op.name() {
            "+" if is(a) => fixed(b),
            "+" if is(b) => fixed(a),
            "-" if is(a) => fixed(b).map(|c| -c),
            _ => None,
        }
    }

    fn uses(&self, index: &str, block: &Block, out: &mut Vec<Use>) {
        accesses(block, &mut |tensor, dim, e| {
            if let Some(shift) = self.shift(index, e) {
                let plain = matches!(e, Expr::Name(_));
                out.push(Use { tensor: tensor.to_owned(), dim, shift, plain });
            }
        });
    }

    /// Finds how far the loops reach into each tensor, without running them.
    pub fn reach(&mut self, body: &Block) -> Result<(), Fail> {
        self.reach_in(body, &mut Vec::new())
    }

    fn reach_in(&mut self, block: &Block, loops: &mut Vec<(String, i128)>) -> Result<(), Fail> {
        for stmt in &block.stmts {
            let mut found = Vec::new();
            own_accesses(stmt, &mut |tensor, dim, e| {
                for (index, hi) in loops.iter() {
                    if let Some(shift) = self.shift(index, e) {
                        found.push((tensor.to_owned(), dim, (hi + shift).max(0) as usize));
                    }
                }
            });
            for (tensor, dim, end) in found {
                let sizes = self.reached.entry(tensor).or_default();
                if sizes.len() <= dim {
                    sizes.resize(dim + 1, 0);
                }
                sizes[dim] = sizes[dim].max(end);
            }
            match stmt {
                Stmt::For { indices, extent, body } => {
                    let depth = loops.len();
                    for index in indices {
                        match self.extent(&index.to_string(), extent.as_ref(), body) {
                            Ok((_, hi)) => loops.push((index.to_string(), hi)),
                            Err(Fail::Unknown(_)) => {}
                            Err(e) => return Err(e),
                        }
                    }
                    self.reach_in(body, loops)?;
                    loops.truncate(depth);
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

/// Names in an expression.
fn names(e: &Expr, f: &mut dyn FnMut(&str)) {
    match e {
        Expr::Name(n) => f(&n.to_string()),
        Expr::Access { indices, .. } => indices.iter().for_each(|i| names(&i.expr, f)),
        Expr::Call { args, .. } => args.iter().for_each(|a| names(a, f)),
        Expr::Escape(tokens, _) => {
            for tree in tokens.clone() {
                f(&tree.to_string());
            }
        }
        _ => {}
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
