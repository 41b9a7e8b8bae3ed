//! What the operators and rule sets that a program brings in by `use` mean for it: names, types, and
//! rules for the simplifier.
//!
//! Declarations are fetched like formats, by calling the macro of their name. Here they become plain
//! data: `resolve` reads names and types, `simplify` rules; neither knows where they came from.

mod bring;
mod check;
mod cubes;
mod helpers;
mod space;
mod terms;
mod words;

use crate::cin::Expr;
use crate::decl::identity::shown;
use crate::decl::operator::OperatorDecl;
use crate::decl::rules::Use;
use crate::decl::{Decl, Fingerprint};
use crate::diagnostics::Errors;
use crate::formats::{Library, Stop};
use crate::kernel::{Function, Kernel, Ty};
use crate::simplify::{Complaint, Law, Operator, Rule, RuleError, RuleSet, Simplifier, Traits};
pub use check::{check, check_operator};
pub use helpers::{declarations, helpers, of_rules};
use proc_macro2::{Span, TokenStream};
use quote::quote;
pub use space::spaces;
use space::Otherwise;
use std::rc::Rc;
use syn::Error;
pub use terms::language;

/// An operator that a program uses.
#[derive(Clone)]
pub struct Declared {
    /// The name it has in terms, which is its own.
    pub name: String,
    /// Its declaration.
    pub decl: Rc<Decl>,
    /// What that is known by.
    print: Fingerprint,
    /// The crate it was declared in.
    origin: String,
    /// How calls of it are emitted.
    pub function: Function,
    /// Values at which a reduction by it stands still, as its accumulator.
    pub annihilators: Vec<Expr>,
    /// Whether it may reduce in any order.
    pub order_free: bool,
    /// Whether it makes no difference, besides, to reduce by it the second time.
    pub idempotent: bool,
    /// What leaves values as they are, if it is associative.
    pub identity: Option<Expr>,
    /// What it is outside of the space it states, if it states one.
    otherwise: Otherwise,
}

impl Declared {
    /// Its declaration.
    pub fn decl(&self) -> &OperatorDecl {
        match &*self.decl {
            Decl::Operator(o) => o,
            _ => unreachable!("operators only"),
        }
    }
}

/// A law of an operator: by the places of the operator and of the law.
#[derive(Clone, Copy)]
struct Own {
    of: usize,
    law: usize,
}

/// All that a program brings in.
#[derive(Clone, Default)]
pub struct Algebra {
    /// Operators.
    pub operators: Vec<Declared>,
    /// Values that fill markers name: term, type of the marker, type of the value.
    pub constants: Vec<(String, TokenStream, Ty)>,
    /// Functions that laws call and that are no operators.
    pub helpers: Vec<(String, TokenStream, Vec<Ty>)>,
    /// That names mean what they mean where laws and rules were declared, for rustc to check.
    pub same: Vec<TokenStream>,
    /// Rules of rule sets, with where the program brought them in.
    rules: Vec<(Rule, Span)>,
    /// Laws as the rules see them.
    laws: Vec<(Operator, Span)>,
    /// Operators whose laws have not been read: by place, with how their arguments may be held and where they were brought in.
    lawless: Vec<(usize, Traits, Span)>,
    /// Everything brought in.
    seen: Vec<Fingerprint>,
    /// The names that the program has for what it brings in itself.
    names: Vec<(String, Fingerprint)>,
    /// `#![strict]`: rules that change what floats give are left out.
    pub strict: bool,
}

/// Whether everything that `uses` bring in has been fetched, and what it means.
pub fn gather(
    uses: &[Use],
    strict: bool,
    library: &Library,
    rules: &RuleSet,
) -> std::result::Result<Algebra, Stop> {
    let mut algebra = Algebra { strict, ..Algebra::default() };
    for one in uses {
        algebra.bring(one, "", one.name.span(), true, library, rules)?;
    }
    algebra.read_laws(library)?;
    Ok(algebra)
}

/// The macro that has to be called before [`gather`] can succeed, if any.
pub fn missing(uses: &[Use], library: &Library, rules: &RuleSet) -> Option<(String, TokenStream)> {
    match gather(uses, false, library, rules) {
        Err(Stop::Need(key, path)) => Some((key, path)),
        _ => None,
    }
}

impl Algebra {
    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty() && !self.strict
    }
    /// The same for the same declarations.
    pub fn key(&self) -> Fingerprint {
        let mut all: Vec<String> = self.seen.iter().map(|print| format!("{print:x}")).collect();
        all.push(self.strict.to_string());
        crate::decl::fingerprint(&all.join(","), &TokenStream::new())
    }
    /// What to tell of rules that a simplifier complains of, where they were brought in.
    pub fn complaint(&self, c: &Complaint, kernel: Span) -> Error {
        let at = c.rules.iter().find_map(|name| {
            let rule = self.rules.iter().find(|(r, _)| r.name == *name).map(|(_, at)| *at);
            let of = name.split(['@', ':']).next().unwrap_or(name);
            rule.or_else(|| self.laws.iter().find(|(o, _)| o.name == of).map(|(_, at)| *at))
        });
        let names = shown(&c.rules.join("`, `"));
        let (one, come, they) = if c.rules.len() == 1 {
            ("rule", "comes", "its right side is")
        } else {
            ("rules", "come", "their right sides are")
        };
        let message = match c.contradiction {
            true => format!("the {one} `{names}` make two different values equal in this kernel, here or together with the standard rules: a rule must hold for all values its variables can take; add conditions"),
            false => format!("the {one} `{names}` {come} to no end in this kernel: {they} to be simpler than the left, never to match it again"),
        };
        Error::new(at.unwrap_or(kernel), message)
    }
    /// The operator called `name` in terms.
    pub fn operator(&self, name: &str) -> Option<&Declared> {
        self.operators.iter().find(|o| o.name == name)
    }
    /// The operator that the program calls `name`.
    pub fn called(&self, name: &str) -> Option<&Declared> {
        let (_, print) = self.names.iter().find(|(n, _)| n == name)?;
        self.operators.iter().find(|o| o.print == *print)
    }
    /// Whether what is not stored takes part in products.
    pub fn is_strict(&self) -> bool {
        self.strict
    }
    /// Whether a law says that the operator `times` distributes over `plus`, by their names in terms.
    pub fn distributes_over(&self, times: &str, plus: &str) -> bool {
        let own = self.laws.iter().filter(|(operator, _)| operator.name == times);
        let mut laws = own.flat_map(|(operator, _)| &operator.laws);
        laws.any(|(law, inexact)| {
            matches!(law, Law::Distributes(over) if over == plus) && !(self.strict && *inexact)
        })
    }
    /// Whether an operator of that name was brought in by rule sets alone.
    pub fn is_unnamed(&self, name: &str) -> bool {
        let named = |o: &Declared| self.names.iter().any(|(_, print)| *print == o.print);
        self.operators.iter().any(|o| o.decl().name == name && !named(o))
    }
    /// Tells `kernel` the functions and values there are.
    pub fn declare(&self, kernel: &mut Kernel) {
        for one in &self.operators {
            kernel.functions.insert(one.name.clone(), one.function.clone());
            kernel.annihilators.insert(one.name.clone(), one.annihilators.clone());
            if one.order_free {
                kernel.order_free.insert(one.name.clone());
            }
            if one.idempotent {
                kernel.idempotent.insert(one.name.clone());
            }
            if let Some(identity) = &one.identity {
                kernel.identities.insert(one.name.clone(), identity.clone());
            }
        }
        kernel.same.extend(self.same.iter().cloned());
        for (name, path, takes) in &self.helpers {
            let function = Function { takes: takes.clone(), ..Function::at(path.clone()) };
            kernel.functions.insert(name.clone(), function);
        }
        for (name, path, ty) in &self.constants {
            let (krate, ty_tokens) = (&kernel.krate, ty.tokens());
            let value = quote!(<#path as #krate::Fill<#ty_tokens>>::VALUE);
            kernel.constants.insert(name.clone(), (value, ty.clone()));
        }
    }
    /// `base` and all that was brought in.
    pub fn rules(&self, base: &RuleSet) -> std::result::Result<RuleSet, Errors> {
        let base = if self.strict { base.strict() } else { base.clone() }.watched();
        let traits = self.laws.iter().map(|(o, _)| (o.name.clone(), o.traits));
        let mut set = base.with_operators(traits);
        let kept = |r: &Rule| !(self.strict && r.inexact);
        for (operator, at) in &self.laws {
            let rules = set.laws_of(operator).into_iter().filter(kept).collect();
            set = set.with(rules).map_err(|e| refused(&e, *at))?;
        }
        for (rule, at) in self.rules.iter().filter(|(r, _)| kept(r)) {
            set = set.with(vec![rule.clone()]).map_err(|e| refused(&e, *at))?;
        }
        Ok(set)
    }
}

/// The rules that were brought in, each with the number of terms that it acted on.
pub fn told(simplifier: &Simplifier) -> String {
    let line = |(rule, times): (&Rule, usize)| shown(&format!("{times:>5}  {rule}\n"));
    simplifier.fired().map(line).collect()
}

/// The same for the same rules.
pub fn key_of(rules: &[Rule]) -> Fingerprint {
    let all: Vec<String> = rules.iter().map(ToString::to_string).collect();
    crate::decl::fingerprint(&all.join(";"), &TokenStream::new())
}

/// `base`, the laws of `operators`, and `rules`.
pub fn with(
    base: &RuleSet,
    operators: &[Operator],
    rules: Vec<Rule>,
) -> std::result::Result<RuleSet, Errors> {
    let mut set = base.with_operators(operators.iter().map(|o| (o.name.clone(), o.traits)));
    for operator in operators {
        set = set.with(set.laws_of(operator)).map_err(|e| refused(&e, Span::call_site()))?;
    }
    set.with(rules).map_err(|e| refused(&e, Span::call_site()))
}

fn refused(e: &RuleError, at: Span) -> Errors {
    Error::new(at, shown(&e.to_string())).into()
}
