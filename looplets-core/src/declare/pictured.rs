//! Pictures of a level's protocols in its documentation, drawn from their declaration: they cannot say anything else.

use super::visit::{over_positions, OWN};
use crate::cin::*;
use crate::decl::*;
use crate::diagnostics::Errors;
use crate::kernel::*;
use crate::picture;
use proc_macro2::{Span, TokenStream};
use quote::quote;

/// What follows the author's own words: each protocol with its looplets.
pub(super) fn protocols(
    krate: &TokenStream,
    l: &LevelDecl,
    tokens: &TokenStream,
) -> Result<TokenStream, Errors> {
    if l.leaf.is_some() {
        return Ok(TokenStream::new());
    }
    let mut lines = vec![String::new(), "# Protocols".to_owned(), String::new()];
    for read in &l.reads {
        let names: Vec<String> =
            read.names.iter().map(|n| format!("`{}`", plain(&n.to_string()))).collect();
        lines.extend([format!("{}:", names.join(", ")), "```text".to_owned()]);
        lines.extend(drawn(krate, tokens, read)?.lines().map(str::to_owned));
        lines.extend(["```".to_owned(), String::new()]);
    }
    Ok(quote!(#(#[doc = #lines])*))
}

/// The looplets of `read`, a line for each part.
fn drawn(krate: &TokenStream, tokens: &TokenStream, read: &Read) -> Result<String, Errors> {
    let mut kernel = over_positions(krate, syn::parse2(tokens.clone())?)?;
    let mut index = |name: &str| kernel.var(name, VarKind::Index, Ty::Index);
    let kind = match &read.i {
        Some(i) => IndexKind::Opaque(Expr::Var(index(&plain(&i.to_string())))),
        None => IndexKind::Affine(index("coordinate"), Expr::int(0)),
    };
    let span = SpanEq(Span::call_site());
    let protocol = read.names.first().map(ToString::to_string);
    let access = Access {
        tensor: TensorId(0),
        level: 0,
        pos: Expr::int(0),
        present: None,
        indices: vec![Index { kind, view: View::plain(), protocol, span }],
        write: false,
        first: false,
        span,
        unfurled: None,
        resumed: None,
    };
    Ok(picture::of_nest(&picture::of_access(&mut kernel, &access, OWN)))
}
