//! Indices of the oracle: modifiers taken apart, sums of loop indices, and where an access lies.

use super::{Fail, Oracle, Val};
use looplets_core::ast::{Expr, Index};
use looplets_core::cin::Lit;
use std::collections::BTreeMap;

/// A modifier, outermost (nearest the tensor) first.
enum View<'a> {
    Window(&'a Expr, &'a Expr),
    Offset(&'a Expr),
    Permit,
}

/// A sum of amounts that are not known yet, each by its text; `Size` is that of the dimension.
#[derive(Clone, Default)]
pub struct Sum<'a> {
    constant: i128,
    terms: BTreeMap<String, (i128, Term<'a>)>,
}

#[derive(Clone, Copy)]
enum Term<'a> {
    Size,
    Value(&'a Expr),
}

/// An index driven by one loop: it is inside while `lo <= stride * index < hi`.
pub struct Driven<'a> {
    pub stride: i128,
    /// The coordinate is `stride * index + shift`.
    pub shift: Sum<'a>,
    /// Where the index may move; `None` through `permit`.
    pub inside: Option<(Sum<'a>, Sum<'a>)>,
}

impl<'a> Sum<'a> {
    fn number(constant: i128) -> Self {
        Sum { constant, ..Sum::default() }
    }
    fn size() -> Self {
        let terms = [(String::new(), (1, Term::Size))].into();
        Sum { constant: 0, terms }
    }
    /// `e` as a sum: `+`, `-` and literals are worked out, all else is an amount.
    fn of(e: &'a Expr) -> Self {
        match e {
            Expr::Lit(Lit::Int(n), ..) => Sum::number(*n),
            Expr::Call { op, args } => match (&*op.op.name(), args.as_slice()) {
                ("+", [a, b]) => Sum::of(a).plus(&Sum::of(b), 1),
                ("-", [a, b]) => Sum::of(a).plus(&Sum::of(b), -1),
                ("neg", [a]) => Sum::default().plus(&Sum::of(a), -1),
                ("*", [a, b]) => match (Sum::of(a), Sum::of(b)) {
                    (Sum { constant, terms }, sum) | (sum, Sum { constant, terms })
                        if terms.is_empty() =>
                    {
                        Sum::default().plus(&sum, constant)
                    }
                    _ => Sum::amount(e),
                },
                _ => Sum::amount(e),
            },
            _ => Sum::amount(e),
        }
    }
    fn amount(e: &'a Expr) -> Self {
        Sum { constant: 0, terms: [(text(e), (1, Term::Value(e)))].into() }
    }
    /// `self + times * other`.
    pub fn plus(mut self, other: &Sum<'a>, times: i128) -> Self {
        self.constant += times * other.constant;
        for (name, (factor, term)) in &other.terms {
            self.terms.entry(name.clone()).or_insert((0, *term)).0 += times * factor;
        }
        self.terms.retain(|_, (factor, _)| *factor != 0);
        self
    }
    pub fn is_zero(&self) -> bool {
        self.constant == 0 && self.terms.is_empty()
    }
    /// Whether it holds for the whole kernel: no loop index in it.
    pub fn fixed(&self, o: &Oracle<'_>) -> bool {
        self.terms.values().all(|(_, term)| match term {
            Term::Size => true,
            Term::Value(e) => !mentions(e, &mut |n| o.loops.iter().any(|l| l == n)),
        })
    }
    /// Its value in a dimension of that size, if both are known.
    pub fn value(&self, o: &Oracle<'_>, size: Option<usize>) -> Option<i128> {
        let mut sum = self.constant;
        for (factor, term) in self.terms.values() {
            sum += factor
                * match term {
                    Term::Size => size? as i128,
                    Term::Value(e) => o.eval_coordinate(e).ok()?.int(),
                };
        }
        Some(sum)
    }
}

impl Oracle<'_> {
    /// The modifiers of an index and what they modify.
    fn views<'a>(&self, e: &'a Expr) -> (Vec<View<'a>>, &'a Expr) {
        let (mut views, mut inner) = (Vec::new(), e);
        loop {
            match inner {
                Expr::Call { op, args } => match (&*op.op.name(), args.as_slice()) {
                    ("window", [lo, hi, rest]) => {
                        views.push(View::Window(lo, hi));
                        inner = rest;
                    }
                    ("offset", [by, rest]) => {
                        views.push(View::Offset(by));
                        inner = rest;
                    }
                    _ => return (views, inner),
                },
                Expr::Access { name, indices, .. }
                    if name == "permit" && !self.tensors.contains_key("permit") =>
                {
                    let [Index { expr, .. }] = indices.as_slice() else { return (views, inner) };
                    views.push(View::Permit);
                    inner = expr;
                }
                _ => return (views, inner),
            }
        }
    }

    /// Where an element stands in its tensor's data; `None` if the access is missing.
    pub fn position(&self, name: &str, indices: &[Index]) -> Result<Option<usize>, Fail> {
        let t = self.tensors.get(name).ok_or_else(|| Fail::Unknown(format!("tensor {name}")))?;
        let (mut at, mut missing) = (0, false);
        for (dim, (index, n)) in indices.iter().zip(&t.shape).enumerate() {
            match self.coordinate(&index.expr, *n, &|| format!("dimension {dim} of {name}"))? {
                Some(i) => at = at * n + i as usize,
                None => missing = true,
            }
        }
        Ok((!missing).then_some(at))
    }

    /// The value of a coordinate, or of what moves one: no type limits it.
    pub fn eval_coordinate(&self, e: &Expr) -> Result<Val, Fail> {
        let outer = self.coordinates.replace(true);
        let value = self.eval(e);
        self.coordinates.set(outer);
        value
    }

    /// The coordinate that an index means in a dimension of size `n`; `None` where it is missing.
    fn coordinate(
        &self,
        e: &Expr,
        n: usize,
        of: &dyn Fn() -> String,
    ) -> Result<Option<i128>, Fail> {
        let (views, inner) = self.views(e);
        // What an index may be, from the tensor inwards, and how far it is moved by then.
        let mut inside = Some((0, n as i128));
        let (mut base, mut clips) = (0, Vec::new());
        for view in views {
            match view {
                View::Window(lo, hi) => {
                    let (lo, hi) =
                        (self.eval_coordinate(lo)?.int(), self.eval_coordinate(hi)?.int());
                    if inside.is_some_and(|(a, b)| lo < a || hi > b) {
                        let of = of();
                        return Err(Fail::Shape(format!("window {lo}..{hi} leaves {of}, of {n}")));
                    }
                    base += lo;
                    inside = Some((0, hi - lo));
                }
                View::Offset(by) => {
                    let by = self.eval_coordinate(by)?.int();
                    base -= by;
                    inside = inside.map(|(a, b)| (a + by, b + by));
                }
                View::Permit => {
                    if let Some((a, b)) = inside.take() {
                        clips.push((a + base, b + base));
                    }
                }
            }
        }
        let i = match self.eval_coordinate(inner)? {
            Val::Missing => return Ok(None),
            value => value.int(),
        };
        if clips.iter().any(|(a, b)| i + base < *a || i + base >= *b) {
            return Ok(None);
        }
        match inside {
            Some((a, b)) if i < a || i >= b => {
                Err(Fail::Shape(format!("index {i} outside {a}..{b} of {}, of size {n}", of())))
            }
            _ => Ok(Some(i + base)),
        }
    }

    /// An index as one that the loop over `index` drives: the innermost of the loops in it.
    pub fn driven<'a>(&self, index: &str, e: &'a Expr) -> Option<Driven<'a>> {
        let (views, inner) = self.views(e);
        let (stride, rest) = self.multiple(index, inner)?;
        if stride < 1 {
            return None;
        }
        let (mut lo, mut hi) = (Sum::default(), Sum::size());
        let (mut base, mut open) = (Sum::default(), false);
        for view in views {
            match view {
                View::Window(from, to) => {
                    let outer = base.clone();
                    base = outer.clone().plus(&Sum::of(from), 1);
                    (lo, hi, open) = (base.clone(), outer.plus(&Sum::of(to), 1), false);
                }
                View::Offset(by) => base = base.plus(&Sum::of(by), -1),
                View::Permit => open = true,
            }
        }
        let shift = base.plus(&rest, 1);
        let inside = (!open).then(|| (lo.plus(&shift, -1), hi.plus(&shift, -1)));
        Some(Driven { stride, shift, inside })
    }

    /// `e` as a multiple of `index` and a rest that does not change in its loop.
    fn multiple<'a>(&self, index: &str, e: &'a Expr) -> Option<(i128, Sum<'a>)> {
        if !mentions(e, &mut |n| n == index) {
            // A loop inside drives instead, and what statements change is random access.
            let unknown = |n: &str| {
                self.mutable.contains(n)
                    || self.loops.iter().any(|l| l == n) && !self.around(index).any(|l| l == n)
            };
            return (!mentions(e, &mut |n| unknown(n))).then(|| (0, Sum::of(e)));
        }
        match e {
            Expr::Name(_) => Some((1, Sum::default())),
            Expr::Call { op, args } => match (&*op.op.name(), args.as_slice()) {
                ("+", [a, b]) => {
                    let ((s, a), (t, b)) = (self.multiple(index, a)?, self.multiple(index, b)?);
                    (s == 0 || t == 0).then(|| (s + t, a.plus(&b, 1)))
                }
                ("-", [a, b]) => {
                    let ((s, a), (t, b)) = (self.multiple(index, a)?, self.multiple(index, b)?);
                    (t == 0).then(|| (s, a.plus(&b, -1)))
                }
                ("*", [a, b]) => {
                    let (with, factor) =
                        if mentions(a, &mut |n| n == index) { (a, b) } else { (b, a) };
                    let ((0, factor), (1, rest)) =
                        (self.multiple(index, factor)?, self.multiple(index, with)?)
                    else {
                        return None;
                    };
                    let factor = factor.fixed(self).then(|| factor.value(self, None))??;
                    (factor > 0).then(|| (factor, Sum::default().plus(&rest, factor)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Names of the loops around the one over `index`.
    fn around<'a>(&'a self, index: &'a str) -> impl Iterator<Item = &'a String> {
        self.nest.iter().take_while(move |n| *n != index)
    }
}

/// Whether a name in `e` is one that `f` knows.
pub fn mentions(e: &Expr, f: &mut dyn FnMut(&str) -> bool) -> bool {
    match e {
        Expr::Name(n) => f(&n.to_string()),
        Expr::Access { indices, .. } => indices.iter().any(|i| mentions(&i.expr, f)),
        Expr::Call { args, .. } => args.iter().any(|a| mentions(a, f)),
        Expr::Escape(tokens, _) => tokens.clone().into_iter().any(|tree| f(&tree.to_string())),
        Expr::Shape(s) => {
            let own = |e: &Expr, f: &mut dyn FnMut(&str) -> bool| {
                mentions(e, &mut |n| s.from.iter().all(|i| i.name != n) && f(n))
            };
            s.to.iter().any(|i| f(&i.name.to_string())) || s.operands.iter().any(|e| own(e, f))
        }
        _ => false,
    }
}

/// An expression as text, to tell whether two amounts are one.
fn text(e: &Expr) -> String {
    let list = |all: Vec<String>| all.join(",");
    match e {
        Expr::Lit(lit, suffix, _) => format!("{lit:?}{suffix:?}"),
        Expr::Name(n) => n.to_string(),
        Expr::Path(path) => quote::quote!(#path).to_string(),
        Expr::Access { name, indices, .. } => {
            format!("{name}[{}]", list(indices.iter().map(|i| text(&i.expr)).collect()))
        }
        Expr::Call { op, args } => {
            format!("{}({})", &*op.op.name(), list(args.iter().map(text).collect()))
        }
        Expr::Escape(tokens, _) => tokens.to_string(),
        Expr::Shape(_) => "a shape operator".to_owned(),
    }
}
