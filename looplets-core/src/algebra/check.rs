//! What is wrong with a declaration of an operator or of rules, told where it is declared.

use super::{language, space, terms};
use crate::cin::Lit;
use crate::decl::operator::{Law, OperatorDecl};
use crate::decl::rules::{RuleLine, RulesDecl};
use crate::decl::Constant;
use crate::diagnostics::{Diagnostics, Errors};
use crate::simplify::{condition, Condition, Rule, RuleSet, Simplifier};
use crate::types::Ty;
use proc_macro2::{Ident, Span, TokenStream};
use syn::{Error, Result};

/// Checks what only all of an operator's declaration tells.
pub fn check_operator(decl: &OperatorDecl) -> std::result::Result<(), Errors> {
    for (law, _) in &decl.laws {
        values(decl, law)?;
        match law {
            Law::Space(space, _) => space::checked(decl, space)?,
            Law::Case(args, body) => terms::bound(args, body)?,
            _ => {}
        }
    }
    Ok(())
}

/// Checks the literals of a law as values of what the operator takes and gives.
fn values(decl: &OperatorDecl, law: &Law) -> Result<()> {
    let argument = |lit: &Lit, at: Span, place: usize| {
        let Some(arg) = decl.args.get(place) else { return Ok(()) };
        value(lit, at, &arg.ty, || format!("which `{}` takes as `{}`", decl.name, arg.name))
    };
    let result = |lit: &Lit, at: Span| {
        value(lit, at, &decl.gives, || format!("which `{}` gives", decl.name))
    };
    match law {
        Law::Identity(Constant::Lit(lit, at), place) => match place {
            Some(place) => argument(lit, *at, *place),
            None => (0..decl.args.len()).try_for_each(|place| argument(lit, *at, place)),
        },
        // What is taken is given.
        Law::Annihilator(Constant::Lit(lit, at), place) => result(lit, *at).and(match place {
            Some(place) => argument(lit, *at, *place),
            None => Ok(()),
        }),
        Law::Space(_, Some(Constant::Lit(lit, at))) => result(lit, *at),
        Law::Case(args, body) => {
            for (place, arg) in args.iter().enumerate() {
                if let Some((lit, at)) = terms::literal(arg) {
                    argument(&lit, at, place)?;
                }
            }
            terms::literal(body).map_or(Ok(()), |(lit, at)| result(&lit, at))
        }
        _ => Ok(()),
    }
}

/// Checks `lit`, which stands at `at`, as a value of the type `ty`.
fn value(lit: &Lit, at: Span, ty: &TokenStream, whose: impl Fn() -> String) -> Result<()> {
    if Ty::of(ty).value(lit).is_ok() {
        return Ok(());
    }
    let (shown, ty) = (lit.text(), crate::diagnostics::text(ty));
    Err(Error::new(at, format!("`{shown}` is no value of `{ty}`, {}: write one that is", whose())))
}

/// Checks the rules of a set where it is declared.
pub fn check(decl: &RulesDecl, simplifier: &Simplifier) -> std::result::Result<(), Errors> {
    let mut errors = Diagnostics::new();
    let known: Vec<String> = decl.uses.iter().map(|u| u.name.to_string()).collect();
    for (k, line) in decl.rules.iter().enumerate() {
        if decl.rules[..k].iter().any(|other| other.name == line.name) {
            let message = format!(
                "another rule of this set is called `{}`: messages and `explain!` tell rules by their names",
                line.name
            );
            errors.push(Error::new(line.name.span(), message));
        }
        if let Err(e) = checked(line, &known, simplifier.rules()) {
            errors.push(e);
        }
    }
    errors.check(())
}

fn checked(line: &RuleLine, known: &[String], rules: &RuleSet) -> Result<()> {
    let plain = |s: &syn::LitStr| marked(&s.value(), known);
    let rule = rule(line, "", plain(&line.lhs), plain(&line.rhs), rules)?;
    let bound = rule.variables();
    // A left side that is no pattern is refused below.
    for name in line.conditions.iter().flat_map(|(_, args)| args) {
        if bound.as_ref().is_some_and(|all| !all.iter().any(|v| name == v)) {
            return Err(Error::new(
                name.span(),
                format!(
                    "`{name}` is no variable of the left side: it has `{}`",
                    bound.unwrap_or_default().join("`, `")
                ),
            ));
        }
    }
    let functions = rule.functions().map_err(|e| {
        let at = if e.starts_with("right") { line.rhs.span() } else { line.lhs.span() };
        Error::new(at, e)
    })?;
    for name in functions {
        if !known.contains(&name) && !language(&name) {
            let side = if line.lhs.value().contains(&name) { &line.lhs } else { &line.rhs };
            return Err(Error::new(side.span(), format!(
                "`{name}` is no function of the language: bring the operator or fill marker in, `use path::to::{name};`, before the rules")));
        }
    }
    RuleSet::new(vec![rule]).map(drop).map_err(|e| {
        let at = if e.reason.starts_with("right") { line.rhs.span() } else { line.lhs.span() };
        Error::new(at, e.reason)
    })
}

/// `text` with names that are used as values, which may be those of fill markers, as terms.
fn marked(text: &str, known: &[String]) -> String {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut before = "";
    let mut out = Vec::new();
    for word in spaced.split_whitespace() {
        let value = !matches!(before, "(" | "assign") && known.iter().any(|k| k == word);
        out.push(if value { format!("({word})") } else { word.to_owned() });
        before = word;
    }
    out.join(" ")
}

/// The rule of a line, as one of the set called `set`.
pub(super) fn rule(
    line: &RuleLine,
    set: &str,
    lhs: String,
    rhs: String,
    rules: &RuleSet,
) -> Result<Rule> {
    let conditions: Result<Vec<Condition>> = line
        .conditions
        .iter()
        .map(|(name, args)| {
            let Some((known, takes, test)) = rules.conditions().iter().find(|(n, ..)| name == n)
            else {
                let all: Vec<&str> = rules.conditions().iter().map(|(n, ..)| *n).collect();
                return Err(Error::new(
                    name.span(),
                    format!("unknown condition `{name}`: there are {}", all.join(", ")),
                ));
            };
            if args.is_empty() || (*takes != 0 && args.len() != *takes) {
                let wants = if *takes == 0 {
                    "one or more variables".to_owned()
                } else {
                    format!("{takes} variables")
                };
                return Err(Error::new(
                    name.span(),
                    format!("`{name}` looks at {wants} of the left side"),
                ));
            }
            let args: Vec<String> = args.iter().map(Ident::to_string).collect();
            let mut one = condition(known, &[], *test);
            one.args = args.into_iter().map(Into::into).collect();
            Ok(one)
        })
        .collect();
    let name = if set.is_empty() { line.name.to_string() } else { format!("{set}::{}", line.name) };
    Ok(Rule {
        name: name.into(),
        family: set.to_owned().into(),
        lhs: lhs.into(),
        rhs: rhs.into(),
        conditions: conditions?,
        inexact: line.inexact,
        after: 0,
    })
}
