//! A set of rewrite rules as tokens: what `rules!` says, in the form of the built-in tables.

use proc_macro2::{Ident, TokenStream};
use syn::parse::{Parse, ParseStream};
use syn::{braced, parenthesized, Error, Result, Token};

/// What a `rules!` says.
pub struct RulesDecl {
    /// Visibility.
    pub vis: syn::Visibility,
    /// Its name.
    pub name: Ident,
    /// Operators, fill markers and further rule sets that its rules are about.
    pub uses: Vec<Use>,
    /// The rules.
    pub rules: Vec<RuleLine>,
}

/// `use path::to::name as other;`, one name.
#[derive(Clone)]
pub struct Use {
    /// The path to call.
    pub path: TokenStream,
    /// What it is called here.
    pub name: Ident,
}

/// `#[inexact] name: "left" => "right" if condition(x, y), other(z);`
pub struct RuleLine {
    /// Its name.
    pub name: Ident,
    /// It changes what floats give.
    pub inexact: bool,
    /// What to find.
    pub lhs: syn::LitStr,
    /// What to put there.
    pub rhs: syn::LitStr,
    /// What must hold.
    pub conditions: Vec<(Ident, Vec<Ident>)>,
}

impl RulesDecl {
    /// Parses what follows the attributes and the visibility.
    pub fn parse(input: ParseStream<'_>, vis: syn::Visibility) -> Result<Self> {
        input.parse::<Ident>()?;
        let name = input.parse()?;
        let body;
        braced!(body in input);
        let mut decl = RulesDecl { vis, name, uses: Vec::new(), rules: Vec::new() };
        while !body.is_empty() {
            if body.peek(Token![use]) {
                decl.uses.extend(uses(&body)?);
            } else {
                decl.rules.push(body.parse()?);
            }
        }
        Ok(decl)
    }
}

impl Parse for RuleLine {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut inexact = false;
        for attr in input.call(syn::Attribute::parse_outer)? {
            if attr.path().is_ident("inexact") {
                inexact = true;
            } else if !attr.path().is_ident("doc") {
                return Err(Error::new_spanned(
                    attr,
                    "expected `#[inexact]`: the rule changes what floats give",
                ));
            }
        }
        let form = |e: Error| {
            Error::new(e.span(), "expected a rule, `name: \"left\" => \"right\" if condition(x);`")
        };
        let name: Ident = input.parse().map_err(form)?;
        input.parse::<Token![:]>().map_err(form)?;
        let lhs = input.parse().map_err(form)?;
        input.parse::<Token![=>]>().map_err(form)?;
        let rhs = input.parse().map_err(form)?;
        let mut conditions = Vec::new();
        if input.parse::<Option<Token![if]>>()?.is_some() {
            loop {
                let condition: Ident = input.parse().map_err(form)?;
                let args;
                parenthesized!(args in input);
                let args = args.parse_terminated(Ident::parse, Token![,])?;
                conditions.push((condition, args.into_iter().collect()));
                if input.parse::<Option<Token![,]>>()?.is_none() {
                    break;
                }
            }
        }
        input
            .parse::<Token![;]>()
            .map_err(|e| Error::new(e.span(), "expected `;` after the rule"))?;
        Ok(RuleLine { name, inexact, lhs, rhs, conditions })
    }
}

/// `use a::b::{c, d as e};`, one for each name.
pub fn uses(input: ParseStream<'_>) -> Result<Vec<Use>> {
    input.parse::<Token![use]>()?;
    let mut head = TokenStream::new();
    if let Some(colons) = input.parse::<Option<Token![::]>>()? {
        head = quote::quote!(#colons);
    }
    let tree: syn::UseTree = input.parse()?;
    input.parse::<Token![;]>().map_err(|e| Error::new(e.span(), "expected `;` after `use ..`"))?;
    let mut out = Vec::new();
    flatten(&head, &tree, &mut out)?;
    Ok(out)
}

fn flatten(head: &TokenStream, tree: &syn::UseTree, out: &mut Vec<Use>) -> Result<()> {
    match tree {
        syn::UseTree::Path(p) => {
            let (name, colons) = (&p.ident, &p.colon2_token);
            flatten(&quote::quote!(#head #name #colons), &p.tree, out)
        }
        syn::UseTree::Name(n) => {
            let name = &n.ident;
            out.push(Use { path: quote::quote!(#head #name), name: name.clone() });
            Ok(())
        }
        syn::UseTree::Rename(r) => {
            let name = &r.ident;
            out.push(Use { path: quote::quote!(#head #name), name: r.rename.clone() });
            Ok(())
        }
        syn::UseTree::Group(g) => g.items.iter().try_for_each(|t| flatten(head, t, out)),
        syn::UseTree::Glob(g) => Err(Error::new_spanned(
            g,
            "operators and rule sets are brought in one by one: name them",
        )),
    }
}
