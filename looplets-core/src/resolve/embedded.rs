//! Rust expressions in a program, `$(..)`: which of their names are the kernel's. A name that a closure, a
//! `let` or a pattern of the expression binds is its own from there on, as Rust scopes it.
//!
//! Each occurrence of a name of the kernel gets a name of its own first, so that a walk over the parsed
//! expression can tell them apart; afterwards those that are not free become again what they were.

use crate::formats::substitute;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};

/// An expression whose free names of the kernel have been told apart.
pub(super) struct Embedded {
    /// The expression, with a name of its own for each free occurrence.
    pub tokens: TokenStream,
    /// That name, and the one that stood there.
    pub free: Vec<(Ident, Ident)>,
    /// Where a name of the kernel is dereferenced, `*name`, with the name.
    pub dereferenced: Vec<(Span, Ident)>,
}

/// Takes the expression `tokens` apart; `known` tells the kernel's names.
pub(super) fn embedded(tokens: &TokenStream, known: &dyn Fn(&Ident) -> bool) -> Embedded {
    let mut names = Vec::new();
    let numbered = numbered(tokens.clone(), known, &mut names);
    let mut walk =
        Walk { names: &names, bound: Vec::new(), uses: Vec::new(), dereferenced: vec![] };
    match syn::parse2::<syn::Expr>(numbered.clone()) {
        Ok(rust) => walk.visit_expr(&rust),
        Err(_) => walk.tokens(numbered.clone()),
    }
    let Walk { uses, dereferenced, .. } = walk;
    let mut map = Vec::new();
    let mut free = Vec::new();
    for (k, (occurrence, name)) in names.iter().enumerate() {
        match uses.iter().find(|(at, _)| *at == k) {
            Some((_, Use::Free)) => free.push((occurrence.clone(), name.clone())),
            Some((_, Use::Field)) => {
                free.push((occurrence.clone(), name.clone()));
                map.push((occurrence.clone(), quote!(#name: #occurrence)));
            }
            None => map.push((occurrence.clone(), quote!(#name))),
        }
    }
    let original = |(span, k): (Span, usize)| (span, names[k].1.clone());
    Embedded {
        tokens: restored(numbered, &map),
        free,
        dereferenced: dereferenced.into_iter().map(original).collect(),
    }
}

/// `tokens` with the occurrences of `map` replaced, wherever they stand.
fn restored(tokens: TokenStream, map: &[(Ident, TokenStream)]) -> TokenStream {
    tokens
        .into_iter()
        .map(|tree| match tree {
            TokenTree::Group(g) => {
                let mut out = proc_macro2::Group::new(g.delimiter(), restored(g.stream(), map));
                out.set_span(g.span());
                quote!(#out)
            }
            tree => substitute(quote!(#tree), map),
        })
        .collect()
}

fn numbered(
    tokens: TokenStream,
    known: &dyn Fn(&Ident) -> bool,
    names: &mut Vec<(Ident, Ident)>,
) -> TokenStream {
    tokens
        .into_iter()
        .map(|tree| match tree {
            TokenTree::Ident(name) if known(&name) => {
                let one = Ident::new(&format!("__{}_{}", names.len(), plain(&name)), name.span());
                names.push((one.clone(), name));
                TokenTree::Ident(one)
            }
            TokenTree::Group(g) => {
                let inner = numbered(g.stream(), known, names);
                let mut out = proc_macro2::Group::new(g.delimiter(), inner);
                out.set_span(g.span());
                TokenTree::Group(out)
            }
            other => other,
        })
        .collect()
}

fn plain(name: &Ident) -> String {
    name.to_string().trim_start_matches("r#").to_owned()
}

/// How an occurrence is a name of the kernel.
enum Use {
    Free,
    /// It is a field too, `Point { x }`.
    Field,
}

/// A walk that knows what is bound where it is.
struct Walk<'a> {
    names: &'a [(Ident, Ident)],
    bound: Vec<String>,
    uses: Vec<(usize, Use)>,
    dereferenced: Vec<(Span, usize)>,
}

impl Walk<'_> {
    fn occurrence(&self, ident: &Ident) -> Option<usize> {
        self.names.iter().position(|(one, _)| one == ident)
    }
    /// The occurrence that `e` is, if no binding of the expression hides the kernel's name.
    fn free(&self, e: &syn::Expr) -> Option<usize> {
        let syn::Expr::Path(path) = e else { return None };
        let k = self.occurrence(path.path.get_ident()?)?;
        let name = self.names[k].1.to_string();
        (!self.bound.contains(&name)).then_some(k)
    }
    /// Binds what the patterns and items in `f`'s walk bind.
    fn bind(&mut self, pattern: &syn::Pat) {
        let mut found = Bindings(Vec::new());
        found.visit_pat(pattern);
        for ident in found.0 {
            self.name(&ident);
        }
    }
    fn name(&mut self, ident: &Ident) {
        if let Some(k) = self.occurrence(ident) {
            self.bound.push(self.names[k].1.to_string());
        }
    }
    fn scope(&mut self, f: impl FnOnce(&mut Self)) {
        let known = self.bound.len();
        f(self);
        self.bound.truncate(known);
    }
    /// Tokens of a macro that are no list of expressions.
    fn tokens(&mut self, tokens: TokenStream) {
        for tree in tokens {
            match tree {
                TokenTree::Group(g) => self.tokens(g.stream()),
                TokenTree::Ident(ident) => {
                    let free = self.occurrence(&ident).filter(|k| {
                        let name = self.names[*k].1.to_string();
                        !self.bound.contains(&name)
                    });
                    self.uses.extend(free.map(|k| (k, Use::Free)));
                }
                _ => {}
            }
        }
    }
}

impl<'a> Visit<'a> for Walk<'_> {
    fn visit_expr(&mut self, e: &'a syn::Expr) {
        if let Some(k) = self.free(e) {
            self.uses.push((k, Use::Free));
        }
        visit::visit_expr(self, e);
    }
    fn visit_expr_unary(&mut self, e: &'a syn::ExprUnary) {
        if let (syn::UnOp::Deref(star), Some(k)) = (&e.op, self.free(&e.expr)) {
            self.dereferenced.push((star.span, k));
        }
        visit::visit_expr_unary(self, e);
    }
    fn visit_field_value(&mut self, field: &'a syn::FieldValue) {
        match (field.colon_token, self.free(&field.expr)) {
            (None, Some(k)) => self.uses.push((k, Use::Field)),
            _ => self.visit_expr(&field.expr),
        }
    }
    fn visit_expr_closure(&mut self, e: &'a syn::ExprClosure) {
        self.scope(|walk| {
            e.inputs.iter().for_each(|p| walk.bind(p));
            walk.visit_expr(&e.body);
        });
    }
    fn visit_block(&mut self, block: &'a syn::Block) {
        self.scope(|walk| {
            // Items are there in the whole block.
            for stmt in &block.stmts {
                match stmt {
                    syn::Stmt::Item(syn::Item::Const(item)) => walk.name(&item.ident),
                    syn::Stmt::Item(syn::Item::Static(item)) => walk.name(&item.ident),
                    syn::Stmt::Item(syn::Item::Fn(item)) => walk.name(&item.sig.ident),
                    _ => {}
                }
            }
            block.stmts.iter().for_each(|s| walk.visit_stmt(s));
        });
    }
    fn visit_local(&mut self, local: &'a syn::Local) {
        if let Some(init) = &local.init {
            self.visit_expr(&init.expr);
            if let Some((_, diverge)) = &init.diverge {
                self.visit_expr(diverge);
            }
        }
        self.bind(&local.pat);
    }
    // What a condition binds holds in what it guards, and in what follows it within the condition.
    fn visit_expr_let(&mut self, e: &'a syn::ExprLet) {
        self.visit_expr(&e.expr);
        self.bind(&e.pat);
    }
    fn visit_expr_if(&mut self, e: &'a syn::ExprIf) {
        self.scope(|walk| {
            walk.visit_expr(&e.cond);
            walk.visit_block(&e.then_branch);
        });
        if let Some((_, otherwise)) = &e.else_branch {
            self.visit_expr(otherwise);
        }
    }
    fn visit_expr_while(&mut self, e: &'a syn::ExprWhile) {
        self.scope(|walk| {
            walk.visit_expr(&e.cond);
            walk.visit_block(&e.body);
        });
    }
    fn visit_expr_for_loop(&mut self, e: &'a syn::ExprForLoop) {
        self.visit_expr(&e.expr);
        self.scope(|walk| {
            walk.bind(&e.pat);
            walk.visit_block(&e.body);
        });
    }
    fn visit_arm(&mut self, arm: &'a syn::Arm) {
        self.scope(|walk| {
            walk.bind(&arm.pat);
            visit::visit_arm(walk, arm);
        });
    }
    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        let list = |input: syn::parse::ParseStream<'_>| {
            Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated(input)
        };
        let repeat = |input: syn::parse::ParseStream<'_>| {
            let first: syn::Expr = input.parse()?;
            input.parse::<syn::Token![;]>()?;
            Ok([first, input.parse()?])
        };
        if let Ok(all) = mac.parse_body_with(list) {
            Walk::visit_each(self, all.iter());
        } else if let Ok(all) = mac.parse_body_with(repeat) {
            Walk::visit_each(self, all.iter());
        } else {
            self.tokens(mac.tokens.clone());
        }
    }
    // Items see no variables around them, and patterns and types hold no values.
    fn visit_item(&mut self, _: &'a syn::Item) {}
    fn visit_pat(&mut self, _: &'a syn::Pat) {}
    fn visit_type(&mut self, _: &'a syn::Type) {}
}

impl Walk<'_> {
    fn visit_each<'e>(&mut self, all: impl Iterator<Item = &'e syn::Expr>) {
        // An argument such as `name = value` of a format names `name` for itself.
        for e in all {
            match e {
                syn::Expr::Assign(assign) if matches!(&*assign.left, syn::Expr::Path(_)) => {
                    self.visit_expr(&assign.right);
                }
                e => self.visit_expr(e),
            }
        }
    }
}

/// The names that a pattern binds.
struct Bindings(Vec<Ident>);

impl<'a> Visit<'a> for Bindings {
    fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
        self.0.push(p.ident.clone());
        visit::visit_pat_ident(self, p);
    }
    fn visit_field_pat(&mut self, field: &'a syn::FieldPat) {
        self.visit_pat(&field.pat);
    }
}
