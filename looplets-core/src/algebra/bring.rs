//! A `use` of a program: the declaration of an operator, a fill marker or a rule set becomes laws,
//! constants and rules.

use super::check::rule;
use super::space::Otherwise;
use super::terms::{expression, pattern, Names};
use super::words::{named_in, value_of};
use super::{language, Algebra, Declared};
use crate::decl::operator::{Law as Said, OperatorDecl};
use crate::decl::rules::Use;
use crate::decl::{Constant, Decl};
use crate::diagnostics::text;
use crate::formats::{Library, Stop};
use crate::kernel::{Function, Ty};
use crate::simplify::{Law, Operator, RuleSet, Sym};
use proc_macro2::{Span, TokenStream};
use quote::{quote, ToTokens};
use std::rc::Rc;
use syn::Error;

impl Algebra {
    pub(super) fn bring(
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
        if language(&name) || matches!(Sym::new(&name, &Default::default()), Sym::Form(_)) {
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
                usizes: false,
            },
            takes: (o.args.len(), if o.traits.associative { usize::MAX } else { o.args.len() }),
            annihilators: Vec::new(),
            identity: None,
            named,
            otherwise: Otherwise::Fills,
        };
        let here = self.operators.len();
        self.operators.push(declared);
        let mut laws = Vec::new();
        for (said, inexact) in &o.laws {
            let law = match said {
                Said::Identity(value, place) => {
                    let term = self.constant(value, origin, &gives, library)?;
                    if place.is_none() && traits.associative {
                        self.operators[here].identity = Some(value_of(&term));
                    }
                    Law::Identity(term, *place)
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
    pub(super) fn function(&mut self, path: &syn::Path, origin: &str) -> String {
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
            Constant::Lit(lit) => Ok(lit.text()),
            Constant::Marker(path) => self.marker(&quote!(#path), origin, ty, library),
        }
    }

    pub(super) fn marker(
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
            return Ok(lit.text());
        }
        if crate::formats::is_nan(&fill.value) {
            return Ok("nan".to_owned());
        }
        let name = fill.name.to_string();
        match self.constants.iter_mut().find(|(n, ..)| *n == name) {
            Some((.., known)) if *known == Ty::Unknown => *known = ty.clone(),
            Some(_) => {}
            None => self.constants.push((name.clone(), path.clone(), ty.clone())),
        }
        Ok(format!("(const:{name})"))
    }
}

fn moved(e: Stop, at: Span) -> Stop {
    match e {
        Stop::Error(e) => Stop::Error(Error::new(at, e)),
        need => need,
    }
}
