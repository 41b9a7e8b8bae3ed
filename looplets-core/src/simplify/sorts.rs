//! What stands where in a pattern: values, statements, places that are written, arrays, operators. A rule
//! that puts one where another is wanted would make terms that nothing after it could read.

use super::language::Sym;
use super::pattern::{Head, Item, Names, Pattern};
use crate::cin::Op;
use std::fmt;

/// A sort of term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
    Value,
    /// A value that can be written to: a variable, an element.
    Place,
    Statement,
    Array,
    Operator,
    /// The tensors that are local to a `where`.
    Locals,
}
use Sort::{Array, Locals, Operator, Place, Statement, Value};

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Value => "a value",
            Place => "a variable or an element",
            Statement => "a statement",
            Array => "an array",
            Operator => "an operator",
            Locals => "local tensors",
        })
    }
}

/// Why the two sides of a rule, each well formed, are no rule, with the side at fault.
pub(super) fn check(lhs: &Pattern, rhs: &Pattern, names: &Names) -> Result<(), String> {
    let mut sorts = Sorts { names, of: vec![None; names.0.len()] };
    let root = result(lhs);
    sorts.learn(lhs, root).map_err(|e| format!("left side: {e}"))?;
    sorts.wanted(rhs, root).map_err(|e| format!("right side: {e}"))
}

/// What a pattern that is no variable stands for.
fn result(p: &Pattern) -> Sort {
    match p {
        Pattern::Call(Head::Sym(sym), _) if statement(sym) => Statement,
        Pattern::Op(_) => Operator,
        _ => Value,
    }
}

/// Whether it makes a statement.
fn statement(sym: &Sym) -> bool {
    sym.is_structure() && *sym != Sym::LOAD
}

/// What the arguments of a call are, by place.
fn argument(head: &Head, place: usize) -> Sort {
    let Head::Sym(sym) = head else { return Value };
    let all: &[Sort] = match *sym {
        Sym::LOOP => &[Place, Value, Value, Statement],
        Sym::LET => &[Place, Value, Statement],
        Sym::ASSIGN => &[Operator, Place, Value],
        Sym::SIEVE => &[Value, Statement, Statement],
        Sym::SEQ => &[Statement],
        Sym::WHERE => &[Statement, Statement, Locals],
        Sym::LOAD => &[Array, Value],
        _ => &[Value],
    };
    all[place.min(all.len() - 1)]
}

struct Sorts<'a> {
    names: &'a Names,
    of: Vec<Option<Sort>>,
}

impl Sorts<'_> {
    fn each(
        &mut self,
        p: &Pattern,
        f: &mut dyn FnMut(&mut Self, &Pattern, Sort) -> Result<(), String>,
        rest: &mut dyn FnMut(&mut Self, u8, Sort) -> Result<(), String>,
    ) -> Result<(), String> {
        let Pattern::Call(head, items) = p else { return Ok(()) };
        for (place, item) in items.iter().enumerate() {
            match item {
                Item::One(p) => f(self, p, argument(head, place))?,
                Item::Rest(v) => rest(self, *v, argument(head, place))?,
            }
        }
        Ok(())
    }

    /// Of the left side: variables are what their places want.
    fn learn(&mut self, p: &Pattern, place: Sort) -> Result<(), String> {
        match p {
            Pattern::Var(v) => self.bind(*v, place),
            _ => {
                fits(p, place)?;
                self.each(p, &mut |s, p, sort| s.learn(p, sort), &mut |s, v, sort| s.bind(v, sort))
            }
        }
    }

    fn bind(&mut self, v: u8, place: Sort) -> Result<(), String> {
        let new = match (self.of[v as usize], place) {
            (None, sort) => sort,
            (Some(Value), Place) | (Some(Place), Value) => Place,
            (Some(one), other) if one == other => one,
            (Some(one), other) => {
                return Err(format!("`{}` is {one} and {other}", self.names.0[v as usize]))
            }
        };
        self.of[v as usize] = Some(new);
        Ok(())
    }

    /// Of the right side: everything is what its place wants.
    fn wanted(&mut self, p: &Pattern, place: Sort) -> Result<(), String> {
        match p {
            Pattern::Var(v) => self.is(*v, place),
            _ => {
                fits(p, place)?;
                self.each(p, &mut |s, p, sort| s.wanted(p, sort), &mut |s, v, sort| s.is(v, sort))
            }
        }
    }

    fn is(&self, v: u8, place: Sort) -> Result<(), String> {
        match self.of[v as usize] {
            Some(sort) if sort == place || (sort, place) == (Place, Value) => Ok(()),
            Some(sort) => Err(format!(
                "`{}` is {sort} on the left side and stands where {place} is wanted",
                self.names.0[v as usize]
            )),
            None => Ok(()),
        }
    }
}

/// Whether a pattern that is no variable may stand where `place` is wanted.
fn fits(p: &Pattern, place: Sort) -> Result<(), String> {
    let found = result(p);
    let element = matches!(p, Pattern::Call(Head::Sym(sym), _) if *sym == Sym::LOAD);
    match (p, found) {
        (Pattern::Op(sym), _) if place == Operator && !reduces(sym) => {
            Err(format!("nothing is reduced by `{}`", sym.name()))
        }
        (Pattern::Op(sym), _) if place != Operator => Err(format!(
            "`{}` stands where {place} is wanted: variables begin with `?`, calls with `(`",
            sym.name()
        )),
        (_, found) if found == place || place == Place && element => Ok(()),
        (_, found) => Err(format!("{found} stands where {place} is wanted")),
    }
}

/// Whether `sym` can stand in an assignment; of operators of the author's own that is not known here.
fn reduces(sym: &Sym) -> bool {
    !statement(sym)
        && !matches!(sym, &Sym::NOT | &Sym::NEG | &Sym::IFELSE | &Sym::COALESCE | &Sym::LOAD)
        && !matches!(sym, Sym::Op(Op::Method(method)) if method.arguments() == 1)
}
