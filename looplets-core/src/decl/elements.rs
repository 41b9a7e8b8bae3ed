//! Elements of a level's arrays that stand where `read` has numbers: they are whole numbers, or the array goes to a
//! helper as a whole.

use super::{FieldKind, LevelDecl, Nest, Payload, StepperDecl};
use crate::diagnostics::text;
use crate::types::Ty;
use quote::ToTokens;
use syn::visit::{self, Visit};

/// Refuses an element that is no number at its token. A leaf reads values, which may be anything.
pub(super) fn check(level: &LevelDecl) -> syn::Result<()> {
    if level.leaf.is_some() {
        return Ok(());
    }
    let mut walk = Walk { level, found: None };
    level.reads.iter().for_each(|read| walk.nest(&read.nest));
    level.words.iter().for_each(|words| walk.visit_expr(&words.at));
    walk.found.map_or(Ok(()), Err)
}

/// Refuses words that are none, and a `write` of words of a level that has none, or that does more for each entry.
pub(super) fn check_words(level: &LevelDecl) -> syn::Result<()> {
    let written = level.write.as_ref().and_then(|w| w.words.as_ref().map(|(name, _)| (w, name)));
    let Some(words) = &level.words else {
        return match written {
            Some((_, at)) => Err(syn::Error::new(at.span(), "`write` has `words(w) { .. }` of a level without `words(p, w) { array[position] }`")),
            None => Ok(()),
        };
    };
    if level.leaf.is_some() || level.ranges() {
        let message = "`words` is of a level whose fibers have one number";
        return Err(syn::Error::new(words.p.span(), message));
    }
    let field = level.fields.iter().find(|f| f.name == words.array).map(|f| &f.kind);
    let ty = match field {
        Some(FieldKind::Array(elem)) => Some(Ty::of(&elem.to_token_stream())),
        _ => None,
    };
    if ty != Some(Ty::Named("u64".into())) {
        let message = format!(
            "`{}` is no field of words: `words` names an element of a `Vec<u64>`",
            words.array
        );
        return Err(syn::Error::new(words.array.span(), message));
    }
    match written {
        Some((w, at)) if w.open.is_some() || w.entry.is_some() || w.find.is_some() || w.runs => {
            Err(syn::Error::new(at.span(), "what is written by the word has neither `open`, `entry`, `find` nor `runs`, which are of single entries"))
        }
        _ => Ok(()),
    }
}

struct Walk<'a> {
    level: &'a LevelDecl,
    found: Option<syn::Error>,
}

impl Walk<'_> {
    fn nest(&mut self, nest: &Nest) {
        match nest {
            Nest::Let(lets, n) => {
                let all = lets.iter().flat_map(|l| [Some(&l.value), l.then.as_ref()]);
                all.flatten().for_each(|e| self.visit_expr(e));
                self.nest(n);
            }
            Nest::Run(p) => self.payload(p),
            Nest::Spike(a, b) => [a, b].into_iter().for_each(|p| self.payload(p)),
            Nest::Pipeline(all) | Nest::Switch(all) => all.iter().for_each(|(e, n)| {
                e.iter().for_each(|e| self.visit_expr(e));
                self.nest(n);
            }),
            Nest::Shift(e, n) => {
                self.visit_expr(e);
                self.nest(n);
            }
            Nest::Lookup(_, n) => self.nest(n),
            Nest::Stepper(s) | Nest::Jumper(s) | Nest::Unordered(s) => self.stepper(s),
        }
    }

    fn stepper(&mut self, s: &StepperDecl) {
        let range = s.range.iter().flat_map(|(_, lo, hi)| [lo, hi]);
        range.chain([&s.stop]).chain(&s.more).for_each(|e| self.visit_expr(e));
        self.nest(&s.body);
    }

    fn payload(&mut self, p: &Payload) {
        if let Payload::Child(e) = p {
            self.visit_expr(e);
        }
    }
}

impl<'a> Visit<'a> for Walk<'_> {
    fn visit_expr_index(&mut self, x: &'a syn::ExprIndex) {
        let name = match &*x.expr {
            syn::Expr::Path(p) => p.path.get_ident(),
            _ => None,
        };
        let field = self.level.fields.iter().find(|f| Some(&f.name) == name);
        if let Some(FieldKind::Array(elem)) = field.map(|f| &f.kind) {
            let ty = Ty::of(&elem.to_token_stream());
            if ty.is_float() || ty.has_no_numbers() || matches!(&ty, Ty::Named(t) if t == "String")
            {
                let message = format!(
                    "an element of `{}` is `{}`, and positions and coordinates are whole numbers: declare `Vec<usize>`, or have a function of your own look at the whole array",
                    name.map(ToString::to_string).unwrap_or_default(),
                    text(elem),
                );
                self.found.get_or_insert_with(|| syn::Error::new_spanned(&x.expr, message));
            }
        }
        visit::visit_expr_index(self, x);
    }
    // What a function of the declaration is given is for it to judge.
    fn visit_expr_call(&mut self, _: &'a syn::ExprCall) {}
    fn visit_expr_method_call(&mut self, _: &'a syn::ExprMethodCall) {}
}
