//! Iteration spaces that an operator's author states in the algebra of sets over what its arguments
//! store (SparseArrays section 4): `space a & !b`.
//!
//! Outside of the space the result is one value, so each prime implicant of the complement becomes a
//! rule: an argument that is not stored is its fill there, one that is stored is a load.

use super::{literal, Algebra, Declared};
use crate::cin::*;
use crate::decl::operator::{Law as Said, OperatorDecl};
use crate::fills::declared_fill;
use crate::kernel::Kernel;
use crate::simplify::{condition, Operator, Rule, RuleSet, Simplifier, Test};
use std::collections::BTreeMap;

/// For each argument of a call what its formats say it is where nothing is stored, if the compiler
/// knows it, and whether it may be left out: a dense vector has a fill and stores everything.
type Fills = Vec<Option<(Expr, bool)>>;

/// What a call is outside of its space.
#[derive(Clone)]
pub(super) enum Otherwise {
    /// A value, as patterns write it.
    Value(String),
    /// The fill of the argument at a place.
    Argument(usize),
    /// The value of the call where every argument is at its fill.
    Fills,
}

/// Gives calls of operators with a stated space names of their own, one for each combination of
/// fills, and makes the rules of those names.
pub fn spaces(
    kernel: &mut Kernel,
    algebra: &Algebra,
    simplifier: &mut Simplifier,
) -> (Vec<Operator>, Vec<Rule>) {
    let mut found: BTreeMap<(String, Fills), String> = BTreeMap::new();
    if !algebra.operators.iter().any(|o| space_of(o.decl()).is_some()) {
        return (Vec::new(), Vec::new());
    }
    let body = std::mem::replace(&mut kernel.body, Stmt::Pass);
    let body = body.map(&mut |e| Some(renamed(e, kernel, algebra, simplifier, &mut found)));
    kernel.body = body;
    let (mut operators, mut rules) = (Vec::new(), Vec::new());
    for ((name, fills), alias) in found {
        let Some(declared) = algebra.operator(&name) else { continue };
        kernel.functions.insert(alias.clone(), declared.function.clone());
        if let Some((known, _)) = algebra.laws.iter().find(|(o, _)| o.name == name) {
            // In the order of the call: which argument is which decides the space.
            let traits =
                crate::simplify::Traits { commutative: false, associative: false, ..known.traits };
            operators.push(Operator { name: alias.clone(), traits, ..known.clone() });
        }
        rules.extend(outside(declared, &alias, &fills, simplifier.rules()));
    }
    (operators, rules)
}

fn space_of(decl: &OperatorDecl) -> Option<&syn::Expr> {
    decl.laws.iter().find_map(|(law, _)| match law {
        Said::Space(space, _) => Some(space),
        _ => None,
    })
}

fn renamed(
    e: &Expr,
    kernel: &Kernel,
    algebra: &Algebra,
    simplifier: &mut Simplifier,
    found: &mut BTreeMap<(String, Fills), String>,
) -> Expr {
    let Expr::Call(op, args) = e else { return e.clone() };
    let args: Vec<Expr> =
        args.iter().map(|a| renamed(a, kernel, algebra, simplifier, found)).collect();
    let declared = algebra.operator(op.name()).filter(|o| space_of(o.decl()).is_some());
    if declared.is_none_or(|o| o.decl().args.len() != args.len()) {
        return Expr::Call(op.clone(), args);
    }
    let fills: Fills = args.iter().map(|a| declared_fill(kernel, a, simplifier)).collect();
    let number = found.len() + 1;
    let key = (op.name().to_owned(), fills);
    let alias = found.entry(key).or_insert_with(|| format!("{}@{number}", op.name()));
    Expr::call(alias, args)
}

/// The rules that give a call its value outside of its space.
fn outside(declared: &Declared, alias: &str, fills: &Fills, rules: &RuleSet) -> Vec<Rule> {
    let decl = declared.decl();
    let Some(space) = space_of(decl) else { return Vec::new() };
    let stored: Option<Test> =
        rules.conditions().iter().find(|(n, ..)| *n == "stored").map(|(.., test)| *test);
    let Some(stored) = stored else { return Vec::new() };
    let text = |e: &Expr| match e {
        Expr::Lit(lit) => literal(lit),
        Expr::Call(op, _) => format!("({})", op.name()),
        _ => unreachable!("a fill is a literal or a constant"),
    };
    let known: Vec<Option<String>> =
        fills.iter().map(|f| f.as_ref().map(|(value, _)| text(value))).collect();
    let value = match &declared.otherwise {
        Otherwise::Value(value) => Some(value.clone()),
        Otherwise::Argument(k) => known[*k].clone(),
        Otherwise::Fills => known
            .iter()
            .cloned()
            .collect::<Option<Vec<String>>>()
            .map(|all| format!("({alias} {})", all.join(" "))),
    };
    // Of what is no tensor, an index say, there is no fill for the result to be computed from.
    let Some(value) = value else { return Vec::new() };
    let mut out = Vec::new();
    for cube in implicants(decl, space, fills) {
        let mut conditions = Vec::new();
        let args: Vec<String> = cube
            .iter()
            .enumerate()
            .map(|(k, c)| match (c, &known[k]) {
                (Some(false), Some(fill)) => fill.clone(),
                (Some(true), _) if may_be_left_out(fills, k) => {
                    conditions.push(condition("stored", &[&format!("x{k}")], stored));
                    format!("?x{k}")
                }
                _ => format!("?x{k}"),
            })
            .collect();
        let lhs = format!("({alias} {})", args.join(" "));
        if lhs == value {
            continue;
        }
        out.push(Rule {
            name: format!("{alias}::space_{}", out.len()).into(),
            family: alias.to_owned().into(),
            lhs: lhs.into(),
            rhs: value.clone().into(),
            conditions,
            inexact: false,
        });
    }
    out
}

fn may_be_left_out(fills: &Fills, place: usize) -> bool {
    fills[place].as_ref().is_some_and(|(_, left_out)| *left_out)
}

/// The largest parts of the complement: for each argument stored, not stored, or either.
fn implicants(decl: &OperatorDecl, space: &syn::Expr, fills: &Fills) -> Vec<Vec<Option<bool>>> {
    let n = fills.len();
    let cubes = (0..3usize.pow(n as u32)).map(|code| -> Vec<Option<bool>> {
        (0..n)
            .map(|k| match code / 3usize.pow(k as u32) % 3 {
                0 => None,
                1 => Some(false),
                _ => Some(true),
            })
            .collect()
    });
    let possible = |point: usize| (0..n).all(|k| point >> k & 1 == 1 || may_be_left_out(fills, k));
    let holds = |cube: &Vec<Option<bool>>, point: usize| {
        cube.iter().enumerate().all(|(k, c)| c.is_none_or(|c| c == (point >> k & 1 == 1)))
    };
    let outside = |cube: &Vec<Option<bool>>| {
        let mut points = (0..1 << n).filter(|p| possible(*p) && holds(cube, *p)).peekable();
        points.peek().is_some() && points.all(|p| !inside(decl, space, p))
    };
    let all: Vec<Vec<Option<bool>>> = cubes.filter(outside).collect();
    let covers = |big: &Vec<Option<bool>>, small: &Vec<Option<bool>>| {
        big != small && big.iter().zip(small).all(|(b, s)| b.is_none() || b == s)
    };
    all.iter().filter(|small| !all.iter().any(|big| covers(big, small))).cloned().collect()
}

/// Whether a point, a bit for each argument that is stored, is in the space.
fn inside(decl: &OperatorDecl, space: &syn::Expr, point: usize) -> bool {
    match space {
        syn::Expr::Paren(p) => inside(decl, &p.expr, point),
        syn::Expr::Group(g) => inside(decl, &g.expr, point),
        syn::Expr::Unary(u) => !inside(decl, &u.expr, point),
        syn::Expr::Binary(b) => {
            let (x, y) = (inside(decl, &b.left, point), inside(decl, &b.right, point));
            match b.op {
                syn::BinOp::BitAnd(_) => x && y,
                syn::BinOp::BitOr(_) => x || y,
                syn::BinOp::Sub(_) => x && !y,
                _ => x != y,
            }
        }
        syn::Expr::Path(p) => {
            let place = p.path.get_ident().and_then(|n| decl.place(n).ok());
            place.is_some_and(|k| point >> k & 1 == 1)
        }
        syn::Expr::Lit(l) => matches!(&l.lit, syn::Lit::Bool(b) if b.value),
        _ => false,
    }
}

/// Why `space` is no set over the arguments of `decl`, if it is none.
pub fn checked(decl: &OperatorDecl, space: &syn::Expr) -> syn::Result<()> {
    use syn::{BinOp, Expr, UnOp};
    let form = "expected a set over the arguments: names, `&`, `|`, `^`, `-`, `!`, parentheses";
    match space {
        Expr::Paren(p) => checked(decl, &p.expr),
        Expr::Group(g) => checked(decl, &g.expr),
        Expr::Unary(u) if matches!(u.op, UnOp::Not(_)) => checked(decl, &u.expr),
        Expr::Binary(b)
            if matches!(
                b.op,
                BinOp::BitAnd(_) | BinOp::BitOr(_) | BinOp::BitXor(_) | BinOp::Sub(_)
            ) =>
        {
            checked(decl, &b.left)?;
            checked(decl, &b.right)
        }
        Expr::Path(p) => match p.path.get_ident() {
            Some(name) => decl.place(name).map(drop),
            None => Err(syn::Error::new_spanned(p, form)),
        },
        Expr::Lit(l) if matches!(l.lit, syn::Lit::Bool(_)) => Ok(()),
        other => Err(syn::Error::new_spanned(other, form)),
    }
}
