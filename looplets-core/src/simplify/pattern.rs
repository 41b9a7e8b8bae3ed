//! Patterns as text: `(+ ?a ?rest... 0)`, `(loop ?i ?lo ?hi pass)`, `(?f ?a... missing ?b...)`.
//!
//! Rules are read far more often than they are run, so a rule is written as the term it is about.
//! Under `+ * min max and or & | ^ == !=` the arguments match in any order and one `?rest...` takes
//! the others; elsewhere the order counts and there may be several rests.

use super::language::{Operators, Sym};
use crate::cin::{Lit, Op};

/// A pattern; variables are numbers into the rule's list of names.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// `?x`.
    Var(u8),
    /// A literal.
    Lit(Lit),
    /// The operator of an assignment.
    Op(Sym),
    /// A call.
    Call(Head, Vec<Item>),
}

/// The head of a call pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum Head {
    /// This function or statement.
    Sym(Sym),
    /// `?f`: any function (never a statement or a load).
    Var(u8),
}

/// An argument of a call pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// One argument.
    One(Pattern),
    /// `?rest...`: any number of arguments.
    Rest(u8),
}

/// The variables of a rule by name, with whether each is a rest.
#[derive(Clone, Debug, Default)]
pub struct Names(pub Vec<String>);

impl Names {
    /// The number of a variable, with its `?` and, for a rest, its dots.
    pub fn number(&self, name: &str) -> Option<u8> {
        self.0.iter().position(|n| n == name).map(|n| n as u8)
    }
    fn intern(&mut self, name: &str) -> Result<u8, String> {
        if let Some(n) = self.number(name) {
            return Ok(n);
        }
        let bare = |n: &str| n.trim_end_matches('.').to_string();
        if self.0.iter().any(|n| bare(n) == bare(name)) {
            return Err(format!("`{name}` is used both as one term and as a rest"));
        }
        if self.0.len() >= 32 {
            return Err("more than 32 variables".into());
        }
        self.0.push(name.to_string());
        Ok((self.0.len() - 1) as u8)
    }
}

/// Parses one pattern, adding its variables to `names`.
pub fn parse(text: &str, names: &mut Names, operators: &Operators) -> Result<Pattern, String> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut tokens = spaced.split_whitespace().peekable();
    let pattern = match item(&mut tokens, names, operators)? {
        Item::One(pattern) => pattern,
        Item::Rest(_) => return Err("a rest variable stands alone".into()),
    };
    match tokens.next() {
        None => Ok(pattern),
        Some(extra) => Err(format!("`{extra}` after the end of the pattern: an operator stands in front of its arguments, in parentheses, `(+ ?x ?y)`")),
    }
}

type Tokens<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn item(tokens: &mut Tokens<'_>, names: &mut Names, operators: &Operators) -> Result<Item, String> {
    let token = tokens.next().ok_or("the pattern ends too early")?;
    Ok(match token {
        "(" => Item::One(call(tokens, names, operators)?),
        ")" => return Err("`)` without `(`".into()),
        _ if token.starts_with('?') && token.ends_with("...") => {
            Item::Rest(names.intern(variable(token)?)?)
        }
        _ if token.starts_with('?') => Item::One(Pattern::Var(names.intern(variable(token)?)?)),
        _ => Item::One(atom(token, operators)),
    })
}

fn variable(token: &str) -> Result<&str, String> {
    let name = token[1..].trim_end_matches("...");
    let ok = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    ok.then_some(token).ok_or_else(|| format!("`{token}` is not a variable's name"))
}

fn atom(token: &str, operators: &Operators) -> Pattern {
    match token {
        "true" => Pattern::Lit(Lit::Bool(true)),
        "false" => Pattern::Lit(Lit::Bool(false)),
        "missing" => Pattern::Lit(Lit::Missing),
        "inf" => Pattern::Lit(Lit::float(f64::INFINITY)),
        "-inf" => Pattern::Lit(Lit::float(f64::NEG_INFINITY)),
        // No literal: it does not equal itself.
        "nan" => Pattern::Call(Head::Sym(Sym::Op(Op::Nan)), vec![]),
        "pass" => Pattern::Call(Head::Sym(Sym::PASS), vec![]),
        _ => {
            let digits = token.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
            match (token.parse::<i128>(), token.parse::<f64>()) {
                (Ok(n), _) => Pattern::Lit(Lit::Int(n)),
                (_, Ok(x)) if digits => Pattern::Lit(Lit::float(x)),
                _ => Pattern::Op(Sym::new(token, operators)),
            }
        }
    }
}

fn call(
    tokens: &mut Tokens<'_>,
    names: &mut Names,
    operators: &Operators,
) -> Result<Pattern, String> {
    let token = tokens.next().ok_or("`(` at the end of the pattern")?;
    let head = match token {
        "(" | ")" => return Err("a call needs a name after `(`".into()),
        _ if token.starts_with('?') && !token.ends_with('.') => {
            Head::Var(names.intern(variable(token)?)?)
        }
        _ if token.starts_with('?') => return Err(format!("`{token}` cannot be called")),
        _ => Head::Sym(Sym::new(token, operators)),
    };
    let mut items = vec![];
    loop {
        match tokens.peek() {
            None => return Err("a `(` is not closed".into()),
            Some(&")") => {
                tokens.next();
                break;
            }
            Some(_) => items.push(item(tokens, names, operators)?),
        }
    }
    check(&head, &items)?;
    Ok(Pattern::Call(head, items))
}

fn check(head: &Head, items: &[Item]) -> Result<(), String> {
    let Head::Sym(sym) = head else { return Ok(()) };
    let rests = items.iter().filter(|i| matches!(i, Item::Rest(_))).count();
    let (least, most) = match sym {
        &Sym::PASS => (0, 0),
        &Sym::LOAD => (2, 2),
        &Sym::ASSIGN | &Sym::SIEVE | &Sym::LET | &Sym::WHERE => (3, 3),
        &Sym::LOOP => (4, 4),
        Sym::Op(Op::Method(method)) => (method.arguments(), method.arguments()),
        Sym::Op(Op::Function(_) | Op::Constant(_)) => return Ok(()),
        Sym::Op(op) => op.row().takes,
        Sym::Own(_, traits) => traits.takes,
        _ => return Ok(()),
    };
    // A rest may be empty, also where others are too few.
    let given = items.len() - rests;
    if given <= most && (rests > 0 || least <= given) {
        return Ok(());
    }
    let wanted = if given < least { least } else { most };
    let arguments = if wanted == 1 { "argument" } else { "arguments" };
    let more = if most == usize::MAX { "at least " } else { "" };
    Err(format!("`{}` takes {more}{wanted} {arguments}, not {given}", sym.name()))
}

impl Pattern {
    /// Visits the pattern and everything below it.
    pub fn walk(&self, f: &mut dyn FnMut(&Pattern)) {
        f(self);
        if let Pattern::Call(_, items) = self {
            for item in items {
                if let Item::One(p) = item {
                    p.walk(f);
                }
            }
        }
    }
    /// Puts what fails soonest first where the order of arguments does not count.
    pub(super) fn arrange(&mut self) {
        let Pattern::Call(head, items) = self else {
            return;
        };
        for item in items.iter_mut() {
            if let Item::One(p) = item {
                p.arrange();
            }
        }
        if matches!(head, Head::Sym(s) if s.is_commutative()) {
            items.sort_by_key(|i| match i {
                Item::One(Pattern::Lit(_) | Pattern::Op(_)) => 0,
                Item::One(Pattern::Call(..)) => 1,
                Item::One(Pattern::Var(_)) => 2,
                Item::Rest(_) => 3,
            });
        }
    }
    /// Checks what only a left-hand side must satisfy.
    pub(super) fn check_lhs(&self) -> Result<(), String> {
        let mut wrong = Ok(());
        self.walk(&mut |p| {
            if let Pattern::Call(Head::Sym(sym), items) = p {
                let rests = items.iter().filter(|i| matches!(i, Item::Rest(_))).count();
                if sym.is_commutative() && rests > 1 {
                    wrong = Err(format!("`{}` can have one rest only", sym.name()));
                }
            }
        });
        match self {
            Pattern::Call(..) => wrong,
            _ => Err("the left side must be a call".into()),
        }
    }
}
