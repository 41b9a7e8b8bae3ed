//! Iteration spaces that an operator's author states in the algebra of sets over what its arguments
//! store (SparseArrays section 4): `space a & !b`.
//!
//! Outside of the space the result is one value, so each prime implicant of the complement becomes a
//! rule: an argument that is not stored is its fill there, one that is stored is a load.

use super::cubes::{self, Cube};
use super::words::value_of;
use super::{Algebra, Declared};
use crate::cin::*;
use crate::decl::operator::{Law as Said, OperatorDecl};
use crate::fills::{at_fill, is_value};
use crate::kernel::{Function, Kernel, Role};
use crate::locals::{definitions, through, Locals};
use crate::simplify::{condition, Operator, Rule, RuleSet, Simplifier, Test, STORED};
use std::collections::BTreeMap;

/// What is known of an argument of a call.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Arg {
    /// It is this value where it is not stored.
    Fill(Expr),
    /// It is stored everywhere, and this is the fill that its formats declare, if one is known: a dense
    /// vector has one.
    Whole(Option<Expr>),
    /// Nothing: where it is stored does not follow from where its tensors are.
    Unknown,
}

/// The most subterms of an argument of a call with a stated space, with definitions put in: an e-graph takes
/// about as many.
const MOST_OF_AN_ARGUMENT: usize = 4_000;

/// An argument of a call of this operator has more.
pub struct TooLong {
    operator: String,
}

impl TooLong {
    /// What to tell.
    pub fn message(&self) -> String {
        let name = &self.operator;
        format!("an argument of `{name}`, which states its space, comes to more than {MOST_OF_AN_ARGUMENT} terms once its definitions are put in, to see where it is stored: put it into a workspace, or use an operator without `space`")
    }
}

/// One for each argument.
type Fills = Vec<Arg>;

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
) -> Result<(Vec<Operator>, Vec<Rule>), TooLong> {
    let mut found: BTreeMap<(String, Fills), String> = BTreeMap::new();
    if !algebra.operators.iter().any(|o| space_of(o.decl()).is_some()) {
        return Ok((Vec::new(), Vec::new()));
    }
    let lets = fixed(kernel);
    let body = std::mem::replace(&mut kernel.body, Stmt::Pass);
    let mut too_long = None;
    let body = body.map(&mut |e| {
        let found = renamed(e, kernel, algebra, simplifier, &lets, &mut found);
        Some(found.unwrap_or_else(|e| {
            too_long.get_or_insert(e);
            Expr::int(0)
        }))
    });
    kernel.body = body;
    if let Some(e) = too_long {
        return Err(e);
    }
    let (mut operators, mut rules) = (Vec::new(), Vec::new());
    for ((name, fills), alias) in found {
        let name = bare(&name);
        let Some(declared) = algebra.operator(name) else { continue };
        let function = Function { spaced: true, ..declared.function.clone() };
        kernel.functions.insert(alias.clone(), function);
        if let Some((known, _)) = algebra.laws.iter().find(|(o, _)| o.name == name) {
            // In the order of the call: which argument is which decides the space.
            let traits =
                crate::simplify::Traits { commutative: false, associative: false, ..known.traits };
            operators.push(Operator { name: alias.clone(), traits, ..known.clone() });
        }
        rules.extend(outside(declared, &alias, &fills, simplifier.rules()));
    }
    Ok((operators, rules))
}

/// Locals that are the same wherever they are read: what they are made of is not written.
fn fixed(kernel: &Kernel) -> Locals {
    let mut written = Vec::new();
    kernel.body.assignments(&mut |target, _| {
        if let Expr::Var(v) = target {
            written.push(*v);
        }
    });
    let mut lets = definitions(&kernel.body);
    lets.retain(|_, e| {
        let mut fixed = true;
        e.walk(&mut |x| match x {
            Expr::Access(a) => {
                fixed &= kernel.tensor(kernel.get(*a).tensor).role == Role::Input;
            }
            Expr::Raw(_) => fixed = false,
            _ => {}
        });
        fixed && !kernel.depends(e).iter().any(|v| written.contains(v))
    });
    lets
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
    lets: &Locals,
    found: &mut BTreeMap<(String, Fills), String>,
) -> Result<Expr, TooLong> {
    let Expr::Call(op, args) = e else { return Ok(e.clone()) };
    let declared =
        op.key().and_then(|key| algebra.operator(key)).filter(|o| space_of(o.decl()).is_some());
    let mut renamed_args = Vec::new();
    for a in args {
        // A name for an argument is that argument.
        let a = match declared {
            Some(o) => through(a, lets, MOST_OF_AN_ARGUMENT)
                .ok_or_else(|| TooLong { operator: o.decl().name.to_string() })?,
            None => a.clone(),
        };
        renamed_args.push(renamed(&a, kernel, algebra, simplifier, lets, found)?);
    }
    let args = renamed_args;
    if declared.is_none_or(|o| o.decl().args.len() != args.len()) {
        return Ok(Expr::Call(op.clone(), args));
    }
    let fills: Fills =
        args.iter().map(|a| argument(a, kernel, algebra, simplifier, found)).collect();
    // What holds of the calls in it has to be known before.
    let mut after = 1;
    args.iter().for_each(|a| {
        a.walk(&mut |x| {
            if let Expr::Call(op, _) = x {
                after = after.max(level(&op.name()) + 1);
            }
        })
    });
    let number = found.len() + 1;
    let key = (format!("{}@{after}", op.name()), fills);
    let alias = found.entry(key).or_insert_with(|| format!("{}@{after}.{number}", op.name()));
    Ok(Expr::call(Op::function(alias), args))
}

/// How many calls with a space are nested in one that is called `alias`, itself included; 0 for others.
fn level(alias: &str) -> usize {
    let after = alias.split_once('@').and_then(|(_, rest)| rest.split('.').next());
    after.and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// The name without it.
fn bare(name: &str) -> &str {
    name.split('@').next().unwrap_or(name)
}

/// What is known of the argument `e`, whose calls are renamed already.
fn argument(
    e: &Expr,
    kernel: &Kernel,
    algebra: &Algebra,
    simplifier: &mut Simplifier,
    found: &BTreeMap<(String, Fills), String>,
) -> Arg {
    let (mut sparse, mut clipped) = (false, false);
    let filled = e.map(&mut |x| match x {
        Expr::Access(a) => {
            let tensor = kernel.tensor(kernel.get(*a).tensor);
            clipped |= kernel.get(*a).indices.iter().any(|i| !i.view.clips.is_empty());
            sparse |= tensor.leaves_out();
            tensor.leaves_out().then(|| tensor.fill.clone())
        }
        Expr::Call(op, _) => {
            let ((name, fills), _) = found.iter().find(|(_, alias)| op.key() == Some(alias))?;
            let inner = algebra.operator(bare(name))?;
            let space = space_of(inner.decl())?;
            let value = value_outside(inner, fills, kernel, simplifier)?;
            let leaves_out = !implicants(inner.decl(), space, fills).is_empty();
            sparse |= leaves_out;
            leaves_out.then_some(value)
        }
        _ => None,
    });
    match (clipped, sparse) {
        (true, _) => Arg::Unknown,
        (_, false) => Arg::Whole(at_fill(kernel, e, simplifier)),
        (_, true) => match simplifier.expr(&filled, kernel) {
            value if is_value(&value) => Arg::Fill(value),
            _ => Arg::Unknown,
        },
    }
}

/// What a call is outside of its space, if the compiler knows it as a value.
fn value_outside(
    of: &Declared,
    fills: &Fills,
    kernel: &Kernel,
    simplifier: &mut Simplifier,
) -> Option<Expr> {
    match &of.otherwise {
        Otherwise::Value(value) => Some(value_of(value)),
        Otherwise::Argument(k) => fills[*k].value().cloned(),
        Otherwise::Fills => {
            let all: Option<Vec<Expr>> = fills.iter().map(|f| f.value().cloned()).collect();
            let value = simplifier.expr(&Expr::call(Op::function(&of.name), all?), kernel);
            is_value(&value).then_some(value)
        }
    }
}

impl Arg {
    /// Its fill.
    fn value(&self) -> Option<&Expr> {
        match self {
            Arg::Fill(value) | Arg::Whole(Some(value)) => Some(value),
            Arg::Whole(None) | Arg::Unknown => None,
        }
    }
}

/// The rules that give a call its value outside of its space.
fn outside(declared: &Declared, alias: &str, fills: &Fills, rules: &RuleSet) -> Vec<Rule> {
    let decl = declared.decl();
    let Some(space) = space_of(decl) else { return Vec::new() };
    let stored: Option<Test> =
        rules.conditions().iter().find(|(n, ..)| *n == STORED).map(|(.., test)| *test);
    let Some(stored) = stored else { return Vec::new() };
    let text = |e: &Expr| match e {
        Expr::Lit(lit) => lit.text(),
        Expr::Call(op, _) => format!("({})", op.name()),
        _ => unreachable!("a fill is a literal or a constant"),
    };
    let known: Vec<Option<String>> = fills.iter().map(|f| f.value().map(text)).collect();
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
                (Some(true), _) if matches!(fills[k], Arg::Fill(_)) => {
                    conditions.push(condition(STORED, &[&format!("x{k}")], stored));
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
            after: level(alias),
        });
    }
    out
}

/// The largest parts of the complement: for each argument stored, not stored, or either, which is all
/// that can be said of one that nothing is known of.
fn implicants(decl: &OperatorDecl, space: &syn::Expr, fills: &Fills) -> Vec<Cube> {
    let n = fills.len();
    let whole = |k: usize| matches!(fills[k], Arg::Whole(_));
    let possible = |point: usize| (0..n).all(|k| point >> k & 1 == 1 || !whole(k));
    let inside = inside(decl, space);
    cubes::largest(n, possible, |p| !inside[p], |k| fills[k] != Arg::Unknown)
}

/// For each point, a bit for each argument that is stored, whether it is in the space.
fn inside(decl: &OperatorDecl, space: &syn::Expr) -> Vec<bool> {
    let points = 1usize << decl.args.len();
    match space {
        syn::Expr::Paren(p) => inside(decl, &p.expr),
        syn::Expr::Group(g) => inside(decl, &g.expr),
        syn::Expr::Unary(u) => inside(decl, &u.expr).into_iter().map(|x| !x).collect(),
        syn::Expr::Binary(b) => {
            let both = inside(decl, &b.left).into_iter().zip(inside(decl, &b.right));
            both.map(|(x, y)| match b.op {
                syn::BinOp::BitAnd(_) => x && y,
                syn::BinOp::BitOr(_) => x || y,
                syn::BinOp::Sub(_) => x && !y,
                _ => x != y,
            })
            .collect()
        }
        syn::Expr::Path(p) => {
            let place = p.path.get_ident().and_then(|n| decl.place(n).ok());
            (0..points).map(|point| place.is_some_and(|k| point >> k & 1 == 1)).collect()
        }
        syn::Expr::Lit(l) => vec![matches!(&l.lit, syn::Lit::Bool(b) if b.value); points],
        _ => vec![false; points],
    }
}

/// Why `space` is no set over the arguments of `decl`, or none that rules can be made of.
pub fn checked(decl: &OperatorDecl, space: &syn::Expr) -> syn::Result<()> {
    let refused = |message| Err(syn::Error::new_spanned(space, message));
    if decl.args.len() > cubes::MOST_ARGUMENTS {
        return refused(format!(
            "a `space` is a set over at most {} arguments, but `{}` has {}: nest operators of fewer",
            cubes::MOST_ARGUMENTS,
            decl.name,
            decl.args.len()
        ));
    }
    set(decl, space)?;
    let sparse = vec![Arg::Fill(Expr::int(0)); decl.args.len()];
    let parts = implicants(decl, space, &sparse).len();
    if parts > cubes::MOST_CUBES {
        return refused(format!(
            "what is outside of this `space` has {parts} parts, each of which is a rule, and {} is the most: \
             nest operators of fewer arguments",
            cubes::MOST_CUBES
        ));
    }
    Ok(())
}

/// Why `space` is no set over the arguments of `decl`, if it is none.
fn set(decl: &OperatorDecl, space: &syn::Expr) -> syn::Result<()> {
    use syn::{BinOp, Expr, UnOp};
    let form = "expected a set over the arguments: names, `&`, `|`, `^`, `-`, `!`, parentheses";
    match space {
        Expr::Paren(p) => set(decl, &p.expr),
        Expr::Group(g) => set(decl, &g.expr),
        Expr::Unary(u) if matches!(u.op, UnOp::Not(_)) => set(decl, &u.expr),
        Expr::Binary(b)
            if matches!(
                b.op,
                BinOp::BitAnd(_) | BinOp::BitOr(_) | BinOp::BitXor(_) | BinOp::Sub(_)
            ) =>
        {
            set(decl, &b.left)?;
            set(decl, &b.right)
        }
        Expr::Path(p) => match p.path.get_ident() {
            Some(name) => decl.place(name).map(drop),
            None => Err(syn::Error::new_spanned(p, form)),
        },
        Expr::Lit(l) if matches!(l.lit, syn::Lit::Bool(_)) => Ok(()),
        other => Err(syn::Error::new_spanned(other, form)),
    }
}
