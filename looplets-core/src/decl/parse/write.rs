//! Write protocols.

use super::{arguments, clause, form, once};
use crate::decl::*;
use syn::parse::ParseStream;
use syn::{braced, Error, Result, Token};

pub(super) fn write(input: ParseStream<'_>) -> Result<Write> {
    let name: Ident = input.parse()?;
    let order = match name.to_string().as_str() {
        "append" => Order::Append,
        "insert" => Order::Insert,
        "locate" | "value" => Order::Locate,
        _ => {
            return Err(Error::new(
                name.span(),
                "a write protocol is `append`, `insert`, `locate` or, for a leaf, `value`",
            ))
        }
    };
    let shown = format!("write {name}(p, i) {{ .. }}");
    let (p, end, i) = arguments(input, &shown)?;
    if let Some(end) = end {
        return Err(Error::new(end.span(), format!("a written fiber has one number: `{shown}`")));
    }
    let mut write = Write {
        name,
        order,
        p,
        i,
        runs: false,
        open: None,
        entry: None,
        extend: None,
        fold: None,
        thaw: None,
        clear: None,
        child: None,
        commit: None,
        finish: None,
        children: None,
        reserve: None,
        place: None,
    };
    let body;
    braced!(body in input);
    while !body.is_empty() {
        let key: Ident = body.parse()?;
        let at = key.span();
        let name = key.to_string();
        let clause = || {
            clause(
                &body,
                &format!("{name}({}) {{ .. }}", if name == "fold" { "at" } else { "fibers" }),
            )
        };
        match name.as_str() {
            "runs" => write.runs = true,
            "open" => once(&mut write.open, statements(&body, &name)?, at, &name)?,
            "entry" => once(&mut write.entry, statements(&body, &name)?, at, &name)?,
            "extend" => once(&mut write.extend, statements(&body, &name)?, at, &name)?,
            "fold" => once(&mut write.fold, clause()?, at, &name)?,
            "thaw" => once(&mut write.thaw, statements(&body, &name)?, at, &name)?,
            "clear" => once(&mut write.clear, statements(&body, &name)?, at, &name)?,
            "commit" => once(&mut write.commit, statements(&body, &name)?, at, &name)?,
            "child" => once(&mut write.child, position(&body, &name)?, at, &name)?,
            "place" => once(&mut write.place, position(&body, &name)?, at, &name)?,
            "finish" => once(&mut write.finish, clause()?, at, &name)?,
            "children" => once(&mut write.children, clause()?, at, &name)?,
            "reserve" => once(&mut write.reserve, clause()?, at, &name)?,
            _ => {
                return Err(Error::new(
                    key.span(),
                    "expected `open`, `entry`, `child`, `commit`, `extend`, `thaw`, `clear`, `runs`, `fold(at)`, `children(fibers)`, `finish(fibers)`, or in a leaf `reserve(fibers)` and `place`",
                ))
            }
        }
        body.parse::<Option<Token![,]>>()?;
    }
    Ok(write)
}

/// `: { statements }`
fn statements(input: ParseStream<'_>, key: &str) -> Result<TokenStream> {
    let shown = format!("`{key}: {{ .. }}`");
    form::<Token![:]>(input, input.span(), &shown)?;
    if !input.peek(syn::token::Brace) {
        return Err(Error::new(input.span(), format!("expected {shown}")));
    }
    let inner;
    braced!(inner in input);
    inner.parse()
}

/// `: position`
fn position(input: ParseStream<'_>, key: &str) -> Result<syn::Expr> {
    let shown = format!("`{key}: position`");
    form::<Token![:]>(input, input.span(), &shown)?;
    form(input, input.span(), &shown)
}
