//! What the operators and rule sets that a program brings in by `use` mean for it: names, types, and
//! rules for the simplifier.
//!
//! Declarations are fetched like formats, by calling the macro of their name. Here they become plain
//! data: `resolve` reads names and types, `simplify` rules; neither knows where they came from.

mod space;
mod terms;

use crate::cin::{Expr, Lit, NAN};
use crate::decl::operator::{Law as Said, OperatorDecl};
use crate::decl::rules::{RuleLine, RulesDecl, Use};
use crate::decl::{Constant, Decl};
use crate::diagnostics::{text, Diagnostics, Errors};
use crate::formats::{Library, Stop};
use crate::kernel::{Function, Kernel, Ty};
use crate::simplify::{
    condition, Complaint, Condition, Law, Operator, Rule, RuleError, RuleSet, Simplifier, Sym,
};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, ToTokens};
pub use space::spaces;
use space::Otherwise;
use std::rc::Rc;
use syn::{Error, Result};
pub use terms::language;
use terms::{expression, pattern, Names};

/// An operator that a program uses.
#[derive(Clone)]
pub struct Declared {
    /// The name it has in the program.
    pub name: String,
    /// Its declaration.
    pub decl: Rc<Decl>,
    /// The crate it was declared in.
    origin: String,
    /// How calls of it are emitted.
    pub function: Function,
    /// The fewest and the most arguments a call may have.
    pub takes: (usize, usize),
    /// Values at which a reduction by it stands still, as its accumulator.
    pub annihilators: Vec<Expr>,
    /// The program names it, and not a rule set alone.
    pub named: bool,
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

/// All that a program brings in.
#[derive(Clone, Default)]
pub struct Algebra {
    /// Operators.
    pub operators: Vec<Declared>,
    /// Values that fill markers name: term, type of the marker, type of the value.
    pub constants: Vec<(String, TokenStream, Ty)>,
    /// Functions that laws call and that are no operators.
    pub helpers: Vec<(String, TokenStream)>,
    /// Rules of rule sets, with where the program brought them in.
    rules: Vec<(Rule, Span)>,
    /// Laws as the rules see them.
    laws: Vec<(Operator, Span)>,
    /// Fingerprints of everything brought in, with the name of each.
    seen: Vec<(String, u64)>,
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
    Ok(algebra)
}

/// The macro that has to be called before [`gather`] can succeed, if any.
pub fn missing(uses: &[Use], library: &Library, rules: &RuleSet) -> Option<(String, TokenStream)> {
    match gather(uses, false, library, rules) {
        Err(Stop::Need(key, path)) => Some((key, path)),
        _ => None,
    }
}

/// Checks what only all of an operator's declaration tells.
pub fn check_operator(decl: &OperatorDecl) -> std::result::Result<(), Errors> {
    for (law, _) in &decl.laws {
        match law {
            Said::Space(space, _) => space::checked(decl, space)?,
            Said::Case(args, body) => terms::bound(args, body)?,
            _ => {}
        }
    }
    Ok(())
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
    let plain = |s: &syn::LitStr| s.value();
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
    RuleSet::new(vec![rule]).map_err(|e| Error::new(line.lhs.span(), e.reason)).map(drop)
}

fn rule(line: &RuleLine, set: &str, lhs: String, rhs: String, rules: &RuleSet) -> Result<Rule> {
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
    })
}

impl Algebra {
    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty() && !self.strict
    }
    /// The same for the same declarations.
    pub fn key(&self) -> u64 {
        let mut all: Vec<String> =
            self.seen.iter().map(|(n, print)| format!("{n}:{print:x}")).collect();
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
        let names = c.rules.join("`, `");
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
    /// The operator called `name`.
    pub fn operator(&self, name: &str) -> Option<&Declared> {
        self.operators.iter().find(|o| o.name == name)
    }
    /// Tells `kernel` the functions and values there are.
    pub fn declare(&self, kernel: &mut Kernel) {
        for one in &self.operators {
            kernel.functions.insert(one.name.clone(), one.function.clone());
            kernel.annihilators.insert(one.name.clone(), one.annihilators.clone());
        }
        for (name, path) in &self.helpers {
            kernel.functions.insert(name.clone(), Function::at(path.clone()));
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

    fn bring(
        &mut self,
        what: &Use,
        origin: &str,
        at: Span,
        named: bool,
        library: &Library,
        rules: &RuleSet,
    ) -> std::result::Result<(), Stop> {
        let (decl, from, print) = library.find(&what.path, origin)?;
        let name = what.name.to_string();
        if let Some((_, other)) = self.seen.iter().find(|(n, _)| *n == name) {
            if *other != print {
                return Err(Stop::Error(Error::new(at, format!(
                    "two declarations are called `{name}` here: bring one of them in under another name, `use {} as ..;`", text(&what.path)))));
            }
            if let Some(known) = self.operators.iter_mut().find(|o| o.name == name) {
                known.named |= named;
            }
            return Ok(());
        }
        if language(&name) || matches!(Sym::new(&name, &Default::default()), Sym::Known(_)) {
            return Err(Stop::Error(Error::new(at, format!("`{name}` is a function of the language: bring the operator in under another name, `use {} as ..;`", text(&what.path)))));
        }
        self.seen.push((name.clone(), print));
        match &*decl {
            Decl::Operator(o) => self.operator_in(o, &decl, what, &from, at, named, library),
            Decl::Fill(_) => self.marker(&what.path, origin, &Ty::Unknown, library).map(drop),
            Decl::Rules(set) => {
                for inner in &set.uses {
                    self.bring(inner, &from, at, false, library, rules)?;
                }
                let mut words = Vec::new();
                for inner in &set.uses {
                    let (decl, ..) = library.find(&inner.path, &from)?;
                    if let Decl::Fill(_) = &*decl {
                        words.push((inner.name.to_string(), self.marker(&inner.path, &from, &Ty::Unknown, library)?));
                    }
                }
                for line in &set.rules {
                    let (lhs, rhs) = (named_in(&line.lhs.value(), &words), named_in(&line.rhs.value(), &words));
                    let rule = rule(line, &name, lhs, rhs, rules).map_err(|e| Stop::Error(Error::new(at, e)))?;
                    self.rules.push((rule, at));
                }
                Ok(())
            }
            Decl::Level(_) | Decl::Alias(_) => Err(Stop::Error(Error::new(at, format!(
                "`{name}` is a format: formats are named in the header; `use` brings in operators and rule sets")))),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn operator_in(
        &mut self,
        o: &OperatorDecl,
        decl: &Rc<Decl>,
        what: &Use,
        origin: &str,
        at: Span,
        named: bool,
        library: &Library,
    ) -> std::result::Result<(), Stop> {
        let name = what.name.to_string();
        let generic = |ty: &TokenStream| o.generics.contains(&ty.to_string());
        let typed = |ty: &TokenStream| if generic(ty) { Ty::Unknown } else { Ty::of(ty) };
        let gives = typed(&o.gives);
        let text = o.gives.to_string();
        let like = o.args.iter().position(|a| generic(&a.ty) && a.ty.to_string() == text);
        let strict = self.strict;
        let mut traits = o.traits;
        for loose in o.loose.iter().filter(|_| strict) {
            match *loose {
                "commutative" => traits.commutative = false,
                "associative" => traits.associative = false,
                _ => traits.idempotent = false,
            }
        }
        let declared = Declared {
            name: name.clone(),
            decl: decl.clone(),
            origin: origin.to_owned(),
            function: Function {
                path: what.path.clone(),
                gives: gives.clone(),
                takes: o.args.iter().map(|a| typed(&a.ty)).collect(),
                by_ref: o.args.iter().map(|a| a.by_ref).collect(),
                like,
                folds: o.traits.associative,
                declared: true,
            },
            takes: (o.args.len(), if o.traits.associative { usize::MAX } else { o.args.len() }),
            annihilators: Vec::new(),
            named,
            otherwise: Otherwise::Fills,
        };
        let here = self.operators.len();
        self.operators.push(declared);
        let mut laws = Vec::new();
        for (said, inexact) in &o.laws {
            let law = match said {
                Said::Identity(value, place) => {
                    Law::Identity(self.constant(value, origin, &gives, library)?, *place)
                }
                Said::Annihilator(value, place) => {
                    let term = self.constant(value, origin, &gives, library)?;
                    if (*place != Some(1) || o.traits.commutative) && !(strict && *inexact) {
                        let value = value_of(&term);
                        self.operators[here].annihilators.push(value);
                    }
                    Law::Annihilator(term, *place)
                }
                Said::Inverse(g) => Law::Inverse(self.function(g, origin)),
                Said::Distributes(h) => Law::Distributes(self.function(h, origin)),
                Said::Repeated(g) => Law::Repeated(self.function(g, origin)),
                Said::Case(args, body) => {
                    let mut names = Names { variables: Vec::new(), algebra: self, origin };
                    let mut left = Vec::new();
                    for arg in args {
                        left.push(pattern(arg, &mut names, library).map_err(|e| moved(e, at))?);
                    }
                    Law::Case(
                        left,
                        expression(body, &mut names, library).map_err(|e| moved(e, at))?,
                    )
                }
                Said::Space(_, None) => continue,
                Said::Space(_, Some(value)) => {
                    self.operators[here].otherwise = match value.argument_of(o) {
                        Some(place) => Otherwise::Argument(place),
                        None => Otherwise::Value(self.constant(value, origin, &gives, library)?),
                    };
                    continue;
                }
            };
            laws.push((law, *inexact));
        }
        self.laws.push((Operator { name, arity: o.args.len(), traits, laws }, at));
        Ok(())
    }

    /// The name of a function in terms: an operator's, the language's, or its path.
    fn function(&mut self, path: &syn::Path, origin: &str) -> String {
        let last = path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        if let Some(known) = self
            .operators
            .iter()
            .find(|o| o.decl().name == last && (o.origin == origin || path.segments.len() == 1))
        {
            return known.name.clone();
        }
        let single = path.segments.len() == 1 && path.leading_colon.is_none();
        if single && language(&last) {
            return last;
        }
        let name = path.to_token_stream().to_string().replace(' ', "").replace("$crate", origin);
        if !self.helpers.iter().any(|(n, _)| *n == name) {
            self.helpers.push((name.clone(), quote!(#path)));
        }
        name
    }

    /// A value as it stands in patterns.
    fn constant(
        &mut self,
        value: &Constant,
        origin: &str,
        ty: &Ty,
        library: &Library,
    ) -> std::result::Result<String, Stop> {
        match value {
            Constant::Lit(lit) => Ok(literal(lit)),
            Constant::Marker(path) => self.marker(&quote!(#path), origin, ty, library),
        }
    }

    fn marker(
        &mut self,
        path: &TokenStream,
        origin: &str,
        ty: &Ty,
        library: &Library,
    ) -> std::result::Result<String, Stop> {
        let (decl, ..) = library.find(path, origin)?;
        let Decl::Fill(fill) = &*decl else {
            let name = text(path);
            return Err(Stop::Error(Error::new_spanned(
                path,
                format!("`{name}` is {}, not a fill marker", decl.kind()),
            )));
        };
        if let Some(lit) = crate::formats::fill_literal(&fill.value, false) {
            return Ok(literal(&lit));
        }
        if crate::formats::is_nan(&fill.value) {
            return Ok(format!("({NAN})"));
        }
        let name = format!("const:{}", fill.name);
        match self.constants.iter_mut().find(|(n, ..)| *n == name) {
            Some((.., known)) if *known == Ty::Unknown => *known = ty.clone(),
            Some(_) => {}
            None => self.constants.push((name.clone(), path.clone(), ty.clone())),
        }
        Ok(format!("({name})"))
    }
}

/// The rules that were brought in, each with the number of terms that it acted on.
pub fn told(simplifier: &Simplifier) -> String {
    let line = |(rule, times): (&Rule, usize)| format!("{times:>5}  {rule}\n");
    simplifier.fired().map(line).collect()
}

/// The same for the same rules.
pub fn key_of(rules: &[Rule]) -> u64 {
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
    Error::new(at, e.to_string()).into()
}

fn moved(e: Stop, at: Span) -> Stop {
    match e {
        Stop::Error(e) => Stop::Error(Error::new(at, e)),
        need => need,
    }
}

/// A literal as patterns write it.
pub fn literal(lit: &Lit) -> String {
    match lit {
        Lit::Bool(b) => b.to_string(),
        Lit::Int(n) => n.to_string(),
        Lit::Missing => "missing".to_owned(),
        Lit::Float(bits) => match f64::from_bits(*bits) {
            x if x == f64::INFINITY => "inf".to_owned(),
            x if x == f64::NEG_INFINITY => "-inf".to_owned(),
            x => format!("{x:?}"),
        },
    }
}

/// The term of a value in a pattern: a literal, or `(const:Name)`.
fn value_of(text: &str) -> Expr {
    match text {
        "true" | "false" => Expr::bool(text == "true"),
        "inf" => Expr::Lit(Lit::float(f64::INFINITY)),
        "-inf" => Expr::Lit(Lit::float(f64::NEG_INFINITY)),
        _ => match (text.parse::<i128>(), text.parse::<f64>()) {
            (Ok(n), _) => Expr::int(n),
            (_, Ok(x)) => Expr::Lit(Lit::float(x)),
            _ => Expr::call(text.trim_matches(|c| c == '(' || c == ')'), []),
        },
    }
}

/// `text` with the names of fill markers replaced by their values.
fn named_in(text: &str, words: &[(String, String)]) -> String {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let known = |w: &str| words.iter().find(|(n, _)| n == w).map(|(_, v)| v.clone());
    spaced
        .split_whitespace()
        .map(|w| known(w).unwrap_or_else(|| w.to_owned()))
        .collect::<Vec<_>>()
        .join(" ")
}
