//! A notation for terms, facts for its names, and what the terms mean, for the tests of the rules.
//!
//! Names have fixed meanings. Integers: `n m k`, `u` (at least 0), `h` (1 to 5), `l` (-5 to -1), the
//! target `s`, the indices `i j`, and `b`, of a type of few bits. Floats: `x y z`, `w` (may be missing). Bools: `p q r`.
//! Accesses: `A B C W` (float), `D` (integer), `P` (bool) stand for element 1 of their tensor and
//! `A@i` for element `i`. Arrays of three elements: `a` (integer), `v` (float). `$e` is Rust tokens.

#![allow(dead_code)]
pub mod eval;
pub mod sample;
/// What the tests of kernels draw elements from.
#[path = "../../../formats/src/conformance/values.rs"]
pub mod values;

use looplets_core::cin::{AccessId, ArrayId, Expr, Lit, Op, RawId, Stmt, TensorId, VarId};
use looplets_core::simplify::Facts;

const VARS: &str = "nmkuhlsijxyzwpqrb";
const TENSORS: &str = "ABCWDP";

/// Rules that are not true of infinities and NaN; the README says why each is kept.
pub const FINITE_ONLY: &[&str] = &["mul_zero", "mul_0", "mul_false"];
/// Rules that are not true of NaN.
pub const NOT_NAN: &[&str] = &[
    "div_zero",
    "rem_zero",
    "rem_euclid_zero",
    "div_euclid_zero",
    "min_inf",
    "max_minus_inf",
    "min_inf_",
    "max_minf_",
];

/// A term of either sort.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    Expr(Expr),
    Stmt(Stmt),
}

pub fn var_name(v: VarId) -> char {
    VARS.chars().nth(v.0 as usize).unwrap()
}

/// The tensor and the index variable of an access; `None` is element 1.
pub fn access_parts(a: AccessId) -> (char, Option<VarId>) {
    let tensor = TENSORS.chars().nth(a.0 as usize / 20).unwrap();
    (tensor, (a.0 % 20).checked_sub(1).map(VarId))
}

pub struct Names;

impl Facts for Names {
    fn depends(&self, leaf: &Expr) -> Vec<VarId> {
        match leaf {
            Expr::Var(v) => vec![*v],
            Expr::Access(a) => access_parts(*a).1.into_iter().collect(),
            _ => vec![],
        }
    }
    fn is_bool(&self, leaf: &Expr) -> bool {
        match leaf {
            Expr::Var(v) => "pqr".contains(var_name(*v)),
            Expr::Access(a) => access_parts(*a).0 == 'P',
            _ => false,
        }
    }
    fn is_float(&self, leaf: &Expr) -> bool {
        match leaf {
            Expr::Var(v) => "xyzw".contains(var_name(*v)),
            Expr::Access(a) => "ABCW".contains(access_parts(*a).0),
            Expr::Array(a) => a.0 == 1,
            _ => true,
        }
    }
    fn wraps(&self, leaf: &Expr) -> bool {
        matches!(leaf, Expr::Var(v) if var_name(*v) == 'b')
    }
    fn tensor(&self, leaf: &Expr) -> Option<TensorId> {
        match leaf {
            Expr::Access(a) => Some(TensorId(a.0 / 20)),
            Expr::Array(a) => Some(TensorId(100 + a.0)),
            _ => None,
        }
    }
    fn may_be_missing(&self, leaf: &Expr) -> bool {
        matches!(leaf, Expr::Var(v) if var_name(*v) == 'w')
    }
    fn range(&self, leaf: &Expr) -> Option<(i128, i128)> {
        let Expr::Var(v) = leaf else { return None };
        match var_name(*v) {
            'u' => Some((0, i128::MAX)),
            'h' => Some((1, 5)),
            'l' => Some((-5, -1)),
            _ => None,
        }
    }
}

#[derive(Debug)]
enum Tree {
    Atom(String),
    List(Vec<Tree>),
}

fn tree(tokens: &mut std::vec::IntoIter<String>) -> Tree {
    match tokens.next().expect("the text ends too early").as_str() {
        "(" => {
            let mut list = vec![];
            while tokens.as_slice()[0] != ")" {
                list.push(tree(tokens));
            }
            tokens.next();
            Tree::List(list)
        }
        atom => Tree::Atom(atom.to_string()),
    }
}

/// Reads a term.
pub fn term(text: &str) -> Term {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let tokens: Vec<String> = spaced.split_whitespace().map(str::to_string).collect();
    let tree = tree(&mut tokens.into_iter());
    let statement = match &tree {
        Tree::Atom(a) => a == "pass",
        Tree::List(l) => matches!(&l[0], Tree::Atom(a)
            if ["loop", "assign", "sieve", "seq", "let", "where"].contains(&a.as_str())),
    };
    if statement {
        Term::Stmt(stmt(&tree))
    } else {
        Term::Expr(expr(&tree))
    }
}

fn name(tree: &Tree) -> &str {
    match tree {
        Tree::Atom(a) => a,
        Tree::List(_) => panic!("a name, not {tree:?}"),
    }
}

fn var(tree: &Tree) -> VarId {
    VarId(VARS.find(name(tree)).expect("a variable") as u32)
}

fn expr(tree: &Tree) -> Expr {
    let list = match tree {
        Tree::Atom(a) => return atom(a),
        Tree::List(list) => list,
    };
    let head = name(&list[0]);
    let args: Vec<Expr> =
        if head == "load" { vec![] } else { list[1..].iter().map(expr).collect() };
    match head {
        "load" => Expr::Load(
            ArrayId(["a", "v"].iter().position(|a| *a == name(&list[1])).unwrap() as u32),
            Box::new(expr(&list[2])),
        ),
        _ => Expr::Call(Op::in_rules(head), args),
    }
}

fn atom(a: &str) -> Expr {
    if let Ok(n) = a.parse::<i128>() {
        return Expr::int(n);
    }
    match a {
        "true" => return Expr::bool(true),
        "false" => return Expr::bool(false),
        "missing" => return Expr::Lit(Lit::Missing),
        "nan" => return Expr::Call(Op::Nan, vec![]),
        "$e" => return Expr::Raw(RawId(0)),
        _ => {}
    }
    if let Some(n) = VARS.find(a) {
        return Expr::Var(VarId(n as u32));
    }
    let mut parts = a.split('@');
    if let Some(t) = parts.next().filter(|t| t.len() == 1).and_then(|t| TENSORS.find(t)) {
        let index = parts.next().map_or(0, |i| VARS.find(i).unwrap() as u32 + 1);
        return Expr::Access(AccessId(t as u32 * 20 + index));
    }
    Expr::Lit(Lit::float(a.parse().unwrap_or_else(|_| panic!("no such name: {a}"))))
}

fn stmt(tree: &Tree) -> Stmt {
    let list = match tree {
        Tree::Atom(_) => return Stmt::Pass,
        Tree::List(list) => list,
    };
    let sub = |i: usize| Box::new(stmt(&list[i]));
    match name(&list[0]) {
        "loop" => Stmt::Loop {
            index: var(&list[1]),
            parallel: false,
            lo: expr(&list[2]),
            hi: expr(&list[3]),
            body: sub(4),
        },
        "assign" => Stmt::Assign {
            op: Some(name(&list[1])).filter(|op| *op != "=").map(Op::in_rules),
            target: expr(&list[2]),
            value: expr(&list[3]),
        },
        "sieve" => Stmt::Sieve { cond: expr(&list[1]), then: sub(2), otherwise: sub(3) },
        "seq" => Stmt::Seq(list[1..].iter().map(stmt).collect()),
        "let" => Stmt::Let { var: var(&list[1]), value: expr(&list[2]), body: sub(3) },
        "where" => Stmt::Where {
            consumer: sub(1),
            producer: sub(2),
            local: name(&list[3])
                .chars()
                .map(|t| TensorId(TENSORS.find(t).unwrap() as u32))
                .collect(),
        },
        other => panic!("no such statement: {other}"),
    }
}

/// Writes a term in the notation.
pub fn show(t: &Term) -> String {
    match t {
        Term::Expr(e) => show_expr(e),
        Term::Stmt(s) => show_stmt(s),
    }
}

pub fn show_expr(e: &Expr) -> String {
    match e {
        Expr::Lit(Lit::Bool(b)) => b.to_string(),
        Expr::Lit(Lit::Int(n)) => n.to_string(),
        Expr::Lit(Lit::Float(bits)) => f64::from_bits(*bits).to_string(),
        Expr::Lit(Lit::Missing) => "missing".into(),
        Expr::Call(op, _) if *op == Op::Nan => "nan".into(),
        Expr::Var(v) => var_name(*v).to_string(),
        Expr::Load(a, e) => format!("(load {} {})", ["a", "v"][a.0 as usize], show_expr(e)),
        Expr::Array(a) => format!("array{}", a.0),
        Expr::Access(a) => match access_parts(*a) {
            (t, None) => t.to_string(),
            (t, Some(i)) => format!("{t}@{}", var_name(i)),
        },
        Expr::Call(op, args) => {
            let args: Vec<String> = args.iter().map(|a| format!(" {}", show_expr(a))).collect();
            format!("({}{})", op.name(), args.concat())
        }
        Expr::Raw(_) => "$e".into(),
    }
}

pub fn show_stmt(s: &Stmt) -> String {
    match s {
        Stmt::Loop { index, lo, hi, body, .. } => format!(
            "(loop {} {} {} {})",
            var_name(*index),
            show_expr(lo),
            show_expr(hi),
            show_stmt(body)
        ),
        Stmt::Assign { target, op, value } => {
            let op = op.as_ref().map_or("=".into(), |op| op.name());
            format!("(assign {op} {} {})", show_expr(target), show_expr(value))
        }
        Stmt::Sieve { cond, then, otherwise } => {
            format!("(sieve {} {} {})", show_expr(cond), show_stmt(then), show_stmt(otherwise))
        }
        Stmt::Seq(all) => {
            let all: Vec<String> = all.iter().map(|s| format!(" {}", show_stmt(s))).collect();
            format!("(seq{})", all.concat())
        }
        Stmt::Where { consumer, producer, local } => {
            let local: String =
                local.iter().map(|t| TENSORS.chars().nth(t.0 as usize).unwrap()).collect();
            format!("(where {} {} {local})", show_stmt(consumer), show_stmt(producer))
        }
        Stmt::Let { var, value, body } => {
            format!("(let {} {} {})", var_name(*var), show_expr(value), show_stmt(body))
        }
        Stmt::Pass => "pass".into(),
    }
}
