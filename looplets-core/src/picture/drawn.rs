//! Looplets over terms to nests of text.

use super::nest::{Nest, Part};
use crate::cin::{Expr, Lit, Op};
use crate::index::Outside;
use crate::kernel::Kernel;
use crate::nest::{Def, Looplet, Payload, Stepper};

/// Writes the terms of one level.
pub(super) struct Drawer<'a> {
    kernel: &'a Kernel,
    /// What names of the level begin with in the kernel, and not in its declaration.
    prefixes: Vec<String>,
}

impl<'a> Drawer<'a> {
    pub fn new(kernel: &'a Kernel, prefixes: Vec<String>) -> Self {
        Drawer { kernel, prefixes }
    }

    /// `e` by the names of the declaration.
    pub fn text(&self, e: &Expr) -> String {
        let whole = self.kernel.text(e);
        let text = self.prefixes.iter().fold(whole, |text, prefix| without_prefix(&text, prefix));
        match text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
            Some(inside) if is_balanced(inside) => inside.to_owned(),
            _ => text,
        }
    }

    /// The coordinate before `stop`.
    fn before(&self, stop: &Expr) -> String {
        match stop {
            Expr::Call(Op::Add, args) if args.len() == 2 && args[1] == Expr::int(1) => {
                self.text(&args[0])
            }
            Expr::Lit(Lit::Int(n)) => (n - 1).to_string(),
            stop => format!("{} - 1", self.text(stop)),
        }
    }

    fn payload(&self, payload: &Payload) -> Nest {
        let (value, fill) = match payload {
            Payload::Fill => ("fill".to_owned(), true),
            Payload::Child(e) => (format!("child[{}]", self.text(e)), false),
            Payload::Value(e) => (self.text(e), *e == Expr::Lit(Lit::Missing)),
            Payload::Group(e, at) => {
                (format!("child[{}] from {}", self.text(e), self.text(at)), false)
            }
            Payload::Part(_) => ("its elements".to_owned(), false),
        };
        Nest::Run { value, fill }
    }

    /// `nest`, which ends at `stop`.
    pub fn nest(&self, nest: &Looplet, stop: &Expr) -> Nest {
        let frame = |kind, words, body: &Looplet, stop: &Expr| Nest::Frame {
            kind,
            words,
            body: Box::new(self.nest(body, stop)),
        };
        match nest {
            Looplet::Run(payload) => self.payload(payload),
            Looplet::Spike(body, tail) => Nest::Parts {
                kind: "spike",
                parts: vec![
                    Part { stop: self.before(stop), nest: self.payload(body) },
                    Part { stop: self.text(stop), nest: self.payload(tail) },
                ],
            },
            Looplet::Pipeline(phases) => {
                let part = |(end, nest): &(Option<Expr>, Looplet)| {
                    let end = end.as_ref().unwrap_or(stop);
                    Part { stop: self.text(end), nest: self.nest(nest, end) }
                };
                Nest::Parts { kind: "pipeline", parts: phases.iter().map(part).collect() }
            }
            Looplet::Stepper(s) => self.repeat("stepper", s),
            Looplet::Jumper(s) => self.repeat("jumper", s),
            Looplet::Unordered(all) => self.repeat("unordered", &all.steps),
            Looplet::Union(member) => self.payload(&member.child),
            Looplet::Switch(cases) => {
                let last = Expr::bool(true);
                let case = |(cond, nest): &(Expr, Looplet)| {
                    let cond = match *cond == last {
                        true => "else".to_owned(),
                        false => format!("if {}", self.text(cond)),
                    };
                    (cond, self.nest(nest, stop))
                };
                Nest::Cases(cases.iter().map(case).collect())
            }
            Looplet::Thunk { defs, body, .. } => {
                let words: Vec<String> = defs
                    .iter()
                    .filter(|d| !is_counter(d, body))
                    .map(|d| self.definition(d))
                    .collect();
                match words.is_empty() {
                    true => self.nest(body, stop),
                    false => frame("", words, body, stop),
                }
            }
            Looplet::Lookup(i, body) => {
                frame("lookup", vec![format!("each {}", self.text(&Expr::Var(*i)))], body, stop)
            }
            Looplet::Shift(by, body) => {
                let inner = Expr::call(Op::Sub, [stop.clone(), by.clone()]);
                frame("shift", vec![format!("by {}", self.text(by))], body, &inner)
            }
            Looplet::Stride { by, from, stop, body } => {
                let words = format!("every {}, from {}", self.text(by), self.text(from));
                frame("stride", vec![words], body, stop)
            }
            Looplet::Stretch(by, body) => {
                let words = format!("{} elements for each coordinate", self.text(&by.by));
                frame("stretch", vec![words], body, &by.stop)
            }
            Looplet::Groups(by, body) => {
                let words = format!("{} elements at a time", self.text(&by.by));
                frame("groups", vec![words], body, &by.extent[1])
            }
            Looplet::Permit { outside, lo, hi, body } => {
                let beyond = match outside {
                    Outside::Missing => "missing",
                    Outside::Fill => "fill",
                    Outside::Refused => "an error",
                };
                let words = format!("{}..{}, beyond it {beyond}", self.text(lo), self.text(hi));
                frame("permit", vec![words], body, hi)
            }
        }
    }

    fn definition(&self, def: &Def) -> String {
        let mutable = if def.mutable { "mut " } else { "" };
        format!("let {mutable}{} = {}", self.text(&Expr::Var(def.var)), self.text(&def.value))
    }

    fn repeat(&self, kind: &'static str, s: &Stepper) -> Nest {
        let state = match (&s.range, &s.more) {
            (Some((q, lo, hi)), _) => {
                format!("for {} in {}..{}", self.text(&Expr::Var(*q)), self.text(lo), self.text(hi))
            }
            (None, Some(more)) => format!("while {}", self.text(more)),
            (None, None) => "as long as there is a child".to_owned(),
        };
        let child = Part { stop: self.text(&s.stop), nest: self.nest(&s.body, &s.stop) };
        let child = Box::new(child);
        Nest::Repeat { kind, state, child }
    }
}

/// Whether `def` is the position that the stepper `body` says itself to count.
fn is_counter(def: &Def, body: &Looplet) -> bool {
    match body {
        Looplet::Stepper(s) | Looplet::Jumper(s) => {
            s.range.as_ref().is_some_and(|(q, ..)| *q == def.var)
        }
        _ => false,
    }
}

/// `text` with `prefix` taken off the words that begin with it.
fn without_prefix(text: &str, prefix: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    let word = |c: char| c.is_alphanumeric() || c == '_';
    while let Some(at) = rest.find(prefix) {
        out += &rest[..at];
        if out.chars().next_back().is_some_and(word) {
            out += prefix;
        }
        rest = &rest[at + prefix.len()..];
    }
    out + rest
}

/// Whether no bracket is closed in `text` that was not opened there.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0i64;
    let closes = text.chars().all(|c| {
        depth += i64::from(c == '(') - i64::from(c == ')');
        depth >= 0
    });
    closes && depth == 0
}
