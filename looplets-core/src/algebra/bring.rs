//! A `use` of a program: the declaration of an operator, a fill marker or a rule set becomes laws,
//! constants and rules.

use super::check::rule;
use super::helpers::{called, declarations, helper, is_relative, known};
use super::space::Otherwise;
use super::terms::{expression, pattern, Names};
use super::words::{named_in, value_of};
use super::{language, Algebra, Declared, Own};
use crate::decl::identity::key;
use crate::decl::operator::{Law as Said, OperatorDecl};
use crate::decl::rules::Use;
use crate::decl::{Constant, Decl, Fingerprint};
use crate::diagnostics::text;
use crate::formats::{Library, Stop};
use crate::kernel::{Function, Ty};
use crate::simplify::{Law, Operator, RuleSet, Sym, Traits};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned, ToTokens};
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
        let other = self.names.iter().find(|(n, other)| named && *n == name && *other != print);
        if other.is_some() {
            return Err(Stop::Error(Error::new(at, format!(
                "two declarations are called `{name}` here: bring one of them in under another name, `use {} as ..;`", text(&what.path)))));
        }
        if language(&name) || matches!(Sym::new(&name, &Default::default()), Sym::Form(_)) {
            return Err(Stop::Error(Error::new(at, format!("`{name}` is a function of the language: bring the operator in under another name, `use {} as ..;`", text(&what.path)))));
        }
        if named {
            self.names.push((name.clone(), print));
        }
        if self.seen.contains(&print) {
            return Ok(());
        }
        self.seen.push(print);
        match &*decl {
            Decl::Operator(o) => self.operator_in(o, &decl, print, what, &from, at, library),
            Decl::Fill(_) => self.marker(&what.path, origin, &Ty::Unknown, library).map(drop),
            Decl::Rules(set) => {
                for (place, inner) in set.uses.iter().enumerate() {
                    self.bring(inner, &from, at, false, library, rules)?;
                    self.same_there(&inner.path, place, what, &from, at, library)?;
                }
                let mut words = Vec::new();
                for inner in &set.uses {
                    let (decl, _, print) = library.find(&inner.path, &from)?;
                    let term = match &*decl {
                        Decl::Fill(_) => self.marker(&inner.path, &from, &Ty::Unknown, library)?,
                        Decl::Operator(o) => key(&o.name.to_string(), print),
                        _ => continue,
                    };
                    words.push((inner.name.to_string(), term));
                }
                let name = key(&name, print);
                for line in &set.rules {
                    let (lhs, rhs) = (named_in(&line.lhs.value(), &words), named_in(&line.rhs.value(), &words));
                    let rule = rule(line, &name, lhs, rhs, rules).map_err(|e| Stop::Error(Error::new(at, e)))?;
                    self.rules.push((rule, at));
                }
                Ok(())
            }
            Decl::Misnamed(m) => Err(Stop::Error(Error::new(at, format!(
                "`{name}` is no operator and no rule set, nor a format: {}", m.write)))),
            Decl::Level(_) | Decl::Alias(_) => Err(Stop::Error(Error::new(at, format!(
                "`{name}` is a format: formats are named in the header; `use` brings in operators and rule sets")))),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn operator_in(
        &mut self,
        o: &OperatorDecl,
        decl: &Rc<Decl>,
        print: Fingerprint,
        what: &Use,
        origin: &str,
        at: Span,
        library: &Library,
    ) -> std::result::Result<(), Stop> {
        let name = key(&o.name.to_string(), print);
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
            print,
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
                shown: None,
                names: Vec::new(),
                spaced: false,
            },
            order_free: traits.commutative && traits.associative,
            idempotent: traits.commutative && traits.associative && traits.idempotent,
            annihilators: Vec::new(),
            identity: None,
            otherwise: Otherwise::Fills,
        };
        for (place, path) in declarations(o).into_iter().enumerate() {
            self.same_there(&quote!(#path), place, what, origin, at, library)?;
        }
        // A law may name an operator that is brought in behind it.
        self.lawless.push((self.operators.len(), traits, at));
        self.operators.push(declared);
        Ok(())
    }

    /// Reads the laws of all operators, once all that there are have been brought in.
    pub(super) fn read_laws(&mut self, library: &Library) -> std::result::Result<(), Stop> {
        for (here, traits, at) in std::mem::take(&mut self.lawless) {
            self.laws_of(here, traits, at, library)?;
        }
        Ok(())
    }

    fn laws_of(
        &mut self,
        here: usize,
        traits: Traits,
        at: Span,
        library: &Library,
    ) -> std::result::Result<(), Stop> {
        let Declared { name, decl, origin, function, .. } = self.operators[here].clone();
        let (origin, gives, strict) = (&origin[..], function.gives, self.strict);
        let Decl::Operator(o) = &*decl else { unreachable!("operators have laws") };
        let mut laws = Vec::new();
        for (number, (said, inexact)) in o.laws.iter().enumerate() {
            let own = Own { of: here, law: number };
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
                Said::Inverse(g) => Law::Inverse(self.function(g, origin, Some(own), library)?),
                Said::Distributes(h) => Law::Distributes(self.function(h, origin, None, library)?),
                Said::Repeated(g) => Law::Repeated(self.function(g, origin, Some(own), library)?),
                Said::Case(args, body) => {
                    let mut names = Names { variables: Vec::new(), algebra: self, origin, own };
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

    /// Has rustc check that `path`, at a place of what `what` brings in, is the same declaration for the kernel as
    /// where it was written.
    fn same_there(
        &mut self,
        path: &TokenStream,
        place: usize,
        what: &Use,
        origin: &str,
        at: Span,
        library: &Library,
    ) -> std::result::Result<(), Stop> {
        if !syn::parse2(path.clone()).is_ok_and(|path| is_relative(&path)) {
            return Ok(());
        }
        let (_, _, print) = library.find(path, origin)?;
        let (of, known, name) = (&what.path, known(place), text(path));
        let message = format!(
            "`{name}` is another declaration here than where `{}` is declared: write its path from `crate::` there",
            what.name
        );
        self.same.push(
            quote_spanned!(at=> const _: () = ::core::assert!(#of::#known == #print, #message);),
        );
        Ok(())
    }

    /// The name of a function in terms: an operator's, the language's, or that of a helper, which is looked up
    /// where the law that names it was declared.
    pub(super) fn function(
        &mut self,
        path: &syn::Path,
        origin: &str,
        own: Option<Own>,
        library: &Library,
    ) -> std::result::Result<String, Stop> {
        let last = path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        let tokens = path.to_token_stream();
        let relative = is_relative(path);
        let mut alike =
            self.operators.iter().filter(|o| o.origin == origin && o.decl().name == last);
        match (alike.next(), relative) {
            (Some(one), true) => match alike.next() {
                None => return Ok(one.name.clone()),
                Some(_) => {
                    let message = format!("two operators of its crate are called `{last}`: write which is meant by its path from `crate::`, where it was declared");
                    return Err(Stop::Error(Error::new_spanned(path, message)));
                }
            },
            // Which of that name it is, its declaration tells.
            (Some(_), false) => {
                let (_, _, print) = library.find(&tokens, origin)?;
                if let Some(known) = self.operators.iter().find(|o| o.print == print) {
                    return Ok(known.name.clone());
                }
            }
            (None, _) => {}
        }
        if path.get_ident().is_some() && language(&last) {
            return Ok(last);
        }
        if let (true, Some(own)) = (relative, own) {
            let of = &self.operators[own.of];
            if called(of.decl(), &of.decl().laws[own.law].0).is_none() {
                let message = format!("`{last}` may be another function where kernels are: write its path from `crate::`, where the operator is declared");
                return Err(Stop::Error(Error::new_spanned(path, message)));
            }
            let name = format!("{}::{}", of.name, helper(own.law));
            let (at, law) = (&of.function.path, helper(own.law));
            let path = quote!(#at::#law);
            // A case gives its helper arguments of the operator's.
            let case = matches!(of.decl().laws[own.law].0, crate::decl::operator::Law::Case(..));
            let one = of.function.takes.windows(2).all(|two| two[0] == two[1]);
            let takes = if case && one { of.function.takes.clone() } else { Vec::new() };
            self.add_helper(name.clone(), path, takes);
            return Ok(name);
        }
        let name = match relative {
            // No function of the kernel's own.
            true => format!("{origin}::{tokens}").replace(' ', ""),
            false => tokens.to_string().replace(' ', "").replace("$crate", origin),
        };
        self.add_helper(name.clone(), tokens, Vec::new());
        Ok(name)
    }

    fn add_helper(&mut self, name: String, path: TokenStream, takes: Vec<Ty>) {
        if !self.helpers.iter().any(|(n, ..)| *n == name) {
            self.helpers.push((name, path, takes));
        }
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
            Constant::Lit(lit, _) => Ok(lit.text()),
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
        let (decl, _, print) = library.find(path, origin)?;
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
        let name = key(&fill.name.to_string(), print);
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
