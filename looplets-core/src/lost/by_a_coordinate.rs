//! Warns of quotients by a coordinate, which begins at 0: `m[i] += a[i, j] / j` is infinite. How many there are is a size.

use super::{every, reads, Names};
use crate::ast::visit::own_exprs;
use crate::ast::{Expr, Program, Stmt};
use crate::cin::Op;
use crate::kernel::Warning;

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    let names = Bound::of(program);
    every(&program.body, &mut |stmt| {
        own_exprs(stmt, &mut |e| found.extend(names.by_a_coordinate(e)));
    });
}

/// What is known of the names of a program.
struct Bound {
    /// Names that stand as the index of an element.
    indices: Names,
    /// Those of which something is said: parameters, scalars and definitions, loops with an extent, and what conditions read and comparisons compare.
    said: Names,
}

impl Bound {
    fn of(program: &Program) -> Bound {
        let (mut indices, mut said) = (Names::new(), Names::new());
        said.extend(program.params.iter().map(|p| p.name.to_string()));
        every(&program.body, &mut |stmt| {
            match stmt {
                Stmt::If { cond, .. } => reads(cond, &mut |name| _ = said.insert(name.to_string())),
                Stmt::For { indices, extent: Some(_), .. } => {
                    said.extend(indices.iter().map(ToString::to_string));
                }
                Stmt::Let { name, .. } | Stmt::Workspace { name, .. } => {
                    said.insert(name.to_string());
                }
                _ => {}
            }
            own_exprs(stmt, &mut |e| match e {
                Expr::Access { indices: all, .. } => {
                    indices.extend(all.iter().filter_map(|i| match &i.expr {
                        Expr::Name(name) => Some(name.to_string()),
                        _ => None,
                    }));
                }
                // `ifelse(i > 0, x / i, 0)` divides by no 0.
                Expr::Call { op, args } if op.op.is_comparison() => {
                    args.iter()
                        .for_each(|e| reads(e, &mut |name| _ = said.insert(name.to_string())));
                }
                _ => {}
            });
        });
        Bound { indices, said }
    }

    /// The warning of a quotient by a coordinate.
    fn by_a_coordinate(&self, e: &Expr) -> Option<Warning> {
        let Expr::Call { op, args } = e else { return None };
        let ([_, by], true) = (&args[..], matches!(op.op, Op::Div | Op::Rem)) else { return None };
        let by = match by {
            Expr::Call { op, args } if matches!(op.op, Op::As(_)) => &args[0],
            by => by,
        };
        let Expr::Name(name) = by else { return None };
        let coordinate = |name: &String| self.indices.contains(name) && !self.said.contains(name);
        Some(name.to_string()).filter(coordinate)?;
        let note = format!("`{name}` is a coordinate, which begins at 0: write `({name} + 1)` to count from 1; how many there are is the size of a dimension, as in `$(a.shape()[0]) as f64`");
        Some(Warning { span: op.span, name: "divided_by_a_coordinate", note })
    }
}
