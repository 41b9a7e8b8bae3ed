//! Warns of operands that are lost where another one is `missing`, and of quotients by a coordinate, which begins at 0: two
//! values that are not what is read from the formula.

use super::{every, Names};
use crate::ast::visit::{own_exprs, top_exprs, visit_expr};
use crate::ast::{Expr, OpRef, Program, Stmt};
use crate::cin::Op;
use crate::kernel::Warning;
use crate::parse::written;

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    let names = Bound::of(program);
    every(&program.body, &mut |stmt| {
        // What is reduced by another operator is left out where it is missing, as its terms are meant to be.
        if let Stmt::Assign { op, value, .. } = stmt {
            let sums = |op: &OpRef| matches!(op.op, Op::Add | Op::Sub | Op::Or);
            if op.as_ref().is_none_or(sums) {
                absorbed(value, found);
            }
        }
        own_exprs(stmt, &mut |e| found.extend(names.by_a_coordinate(e)));
    });
}

/// Warns of the terms that `e` is made of and that are nothing where another one is outside.
fn absorbed(e: &Expr, found: &mut Vec<Warning>) {
    let Expr::Call { op, args } = e else { return };
    if matches!(op.op, Op::Coalesce | Op::IfElse) || op.path.is_some() {
        return;
    }
    let joins = matches!(op.op, Op::Add | Op::Sub | Op::Or | Op::Min | Op::Max);
    let outside: Vec<&Expr> = args.iter().filter_map(permitted).collect();
    let others = args.iter().any(|a| permitted(a).is_none() && has_access(a));
    let Some(first) = outside.first().filter(|_| joins && others) else {
        return args.iter().for_each(|a| absorbed(a, found));
    };
    let Some(shown) = written(first) else { return };
    let neutral = match op.op {
        Op::Or => "false",
        Op::Min | Op::Max => "..",
        _ => "0",
    };
    let symbol = match &op.op {
        Op::Add => "+".to_owned(),
        Op::Sub => "-".to_owned(),
        Op::Or => "||".to_owned(),
        other => other.name().to_string(),
    };
    let note = format!("where `{shown}` is outside, it is `missing`, and so is all that `{symbol}` makes of it: nothing is written there; write `coalesce({shown}, {neutral})` for what stands in its place");
    found.push(Warning { span: op.span, name: "missing_with_the_rest", note });
}

/// The access in `e` that may be outside of its tensor, if nothing stands in its place.
fn permitted(e: &Expr) -> Option<&Expr> {
    match e {
        Expr::Access { indices, .. } => {
            let permits = |e: &Expr| {
                let mut found = false;
                visit_expr(e, &mut |e| {
                    found |= matches!(e, Expr::Access { name, .. } if name == "permit");
                });
                found
            };
            indices.iter().any(|i| permits(&i.expr)).then_some(e)
        }
        Expr::Call { op, args } if op.op != Op::Coalesce && op.op != Op::IfElse => {
            args.iter().find_map(permitted)
        }
        _ => None,
    }
}

/// Whether `e` reads an element.
fn has_access(e: &Expr) -> bool {
    let mut found = false;
    visit_expr(e, &mut |e| found |= matches!(e, Expr::Access { .. }));
    found
}

/// What is known of the names of a program, for quotients by coordinates.
struct Bound {
    /// Names that stand as the index of an element.
    indices: Names,
    /// Those of which something is said: parameters, scalars and definitions, loops with an extent, and what conditions compare.
    said: Names,
}

impl Bound {
    fn of(program: &Program) -> Bound {
        let (mut indices, mut said) = (Names::new(), Names::new());
        said.extend(program.params.iter().map(|p| p.name.to_string()));
        let mut names = |e: &Expr| {
            visit_expr(e, &mut |e| {
                if let Expr::Name(name) = e {
                    said.insert(name.to_string());
                }
            });
        };
        every(&program.body, &mut |stmt| {
            if let Stmt::If { cond, .. } = stmt {
                names(cond);
            }
        });
        every(&program.body, &mut |stmt| {
            match stmt {
                Stmt::For { indices, extent: Some(_), .. } => {
                    said.extend(indices.iter().map(ToString::to_string));
                }
                Stmt::Let { name, .. } | Stmt::Workspace { name, .. } => {
                    said.insert(name.to_string());
                }
                _ => {}
            }
            top_exprs(stmt, &mut |e| {
                visit_expr(e, &mut |e| {
                    if let Expr::Access { indices: all, .. } = e {
                        indices.extend(all.iter().filter_map(|i| match &i.expr {
                            Expr::Name(name) => Some(name.to_string()),
                            _ => None,
                        }));
                    }
                });
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
