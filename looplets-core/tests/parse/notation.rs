//! A notation for syntax trees, and what the parser makes of sources, for its tests.

use looplets_core::ast::{Block, Expr, Form, Output, Param, Passing, Program, Sized, Stmt};
use looplets_core::cin::Lit;
use looplets_core::parse::programs;
use proc_macro2::TokenStream;
use quote::ToTokens;

// ---- a compact printer -------------------------------------------------------------------------

pub fn tight(t: impl ToTokens) -> String {
    t.to_token_stream().to_string().replace(' ', "")
}

pub fn exprs<'a>(all: impl IntoIterator<Item = &'a Expr>) -> String {
    all.into_iter().map(|e| format!(" {}", sexp(e))).collect()
}

pub fn sexp(e: &Expr) -> String {
    match e {
        Expr::Lit(lit, suffix, _) => {
            let value = match lit {
                Lit::Bool(b) => b.to_string(),
                Lit::Int(n) => n.to_string(),
                Lit::Float(bits) => match (suffix.as_deref(), f64::from_bits(*bits)) {
                    (Some("f32"), x) => format!("{:?}", x as f32),
                    (_, x) => format!("{x:?}"),
                },
                Lit::Missing => "#missing".into(),
            };
            value + suffix.as_deref().unwrap_or("")
        }
        Expr::Name(n) => n.to_string(),
        Expr::Path(p) => tight(p),
        Expr::Access { name, indices, .. } => {
            let all = indices.iter().map(|i| {
                let protocol = i.protocol.as_ref().map(|p| format!("@{p}")).unwrap_or_default();
                sexp(&i.expr) + &protocol
            });
            format!("{name}[{}]", all.collect::<Vec<_>>().join(" "))
        }
        Expr::Call { op, args } => {
            let mark = if op.path.is_some() { "'" } else { "" };
            format!("({}{mark}{})", op.op.name(), exprs(args))
        }
        Expr::Escape(tokens, _) => format!("${{{tokens}}}"),
        Expr::Shape(shape) => {
            let index = |i: &Sized| match &i.size {
                Some(size) => format!("{}: {}", i.name, sexp(size)),
                None => i.name.to_string(),
            };
            let all = |of: &[Sized]| of.iter().map(index).collect::<Vec<_>>().join(", ");
            let operands: Vec<String> = shape.operands.iter().map(sexp).collect();
            let cut = shape.cut.as_ref().map(|(start, end, step)| {
                let step = step.as_ref().map(|step| format!(", {}", sexp(step)));
                format!(", ({}, {}{})", sexp(start), sexp(end), step.unwrap_or_default())
            });
            let (name, cut) = (shape.op.name(), cut.unwrap_or_default());
            let (from, to) = (all(&shape.from), all(&shape.to));
            format!("{name}(({}), ({from}) -> ({to}){cut})", operands.join(", "))
        }
    }
}

pub fn block(b: &Block) -> String {
    format!("{{{}}}", b.stmts.iter().map(stmt).collect::<Vec<_>>().join("; "))
}

pub fn stmt(s: &Stmt) -> String {
    match s {
        Stmt::For { parallel, indices, extent, body, .. } => {
            let parallel = if parallel.is_some() { "parallel " } else { "" };
            let names: Vec<_> = indices.iter().map(ToString::to_string).collect();
            let extent = extent.as_ref().map(|(lo, hi)| format!(" [{} {})", sexp(lo), sexp(hi)));
            let extent = extent.unwrap_or_default();
            format!("{parallel}for {}{extent} {}", names.join(","), block(body))
        }
        Stmt::Assign { target, op, value, .. } => {
            let op = op.as_ref().map_or("".into(), |op| {
                let mark = if op.path.is_some() { "'" } else { "" };
                format!("<{}{mark}>", op.op.name())
            });
            format!("{} ={op} {}", sexp(target), sexp(value))
        }
        Stmt::Remove { target, .. } => format!("remove {}", sexp(target)),
        Stmt::If { cond, then, otherwise } => {
            let other = otherwise.as_ref().map(|b| format!(" else {}", block(b)));
            format!("if {} {}{}", sexp(cond), block(then), other.unwrap_or_default())
        }
        Stmt::Where { consumer, producer } => {
            format!("{} where {}", block(consumer), block(producer))
        }
        Stmt::Let { name, value } => format!("let {name} = {}", sexp(value)),
        Stmt::Workspace { name, ty, dims, .. } => {
            format!("new {name}: {}{}", tight(ty), sizes(dims))
        }
        Stmt::Pass(names) => {
            names.iter().fold("pass".to_string(), |text, name| format!("{text} {name}"))
        }
        Stmt::Block(b) => block(b),
    }
}

pub fn sizes(dims: &Option<Vec<Expr>>) -> String {
    dims.as_ref().map(|d| format!("[{}]", exprs(d).trim())).unwrap_or_default()
}

pub fn program(p: &Program) -> String {
    let mut out = String::new();
    if p.safe {
        out += "safe ";
    }
    if let Some(counter) = &p.steps {
        out += &format!("steps={counter} ");
    }
    let param = |p: &Param| {
        let passing = match p.passing {
            Passing::Value | Passing::Made => "",
            Passing::Shared => "&",
            Passing::Mutable | Passing::Thinned => "&mut ",
        };
        format!("{}: {passing}{}", p.name, tight(&p.ty))
    };
    let output = |o: &Output| format!("{}: {}{}", o.name, tight(&o.ty), sizes(&o.dims));
    let params: Vec<_> = p.params.iter().map(param).collect();
    let outputs: Vec<_> = p.outputs.iter().map(output).collect();
    match &p.form {
        Form::Inline => out += "inline",
        Form::Function { attrs, vis, name, generics, fallible } => {
            out += &format!(
                "{}{}fn {name}{}",
                attrs.iter().map(tight).collect::<String>(),
                tight(vis),
                tight(generics)
            );
            out += &tight(&generics.where_clause);
            if let Some(error) = fallible {
                out += &format!(" ?{}", tight(error));
            }
        }
    }
    format!("{out} ({}) -> ({}) {}", params.join(", "), outputs.join(", "), block(&p.body))
}

// ---- shorthands --------------------------------------------------------------------------------

pub fn tokens(source: &str) -> TokenStream {
    source.parse().unwrap_or_else(|_| panic!("the Rust lexer refuses {source}"))
}

pub fn parse(source: &str) -> String {
    match programs(tokens(source)) {
        Ok(all) => all.iter().map(program).collect::<Vec<_>>().join("\n"),
        Err(errors) => panic!("{source}\n{}", errors.render()),
    }
}

/// The statements of an inline program, printed.
pub fn body(source: &str) -> String {
    parse(&format!("<> {source}")).replacen("inline () -> () ", "", 1)
}

/// The value of `c = source`, printed.
pub fn value(source: &str) -> String {
    let text = body(&format!("c = {source};"));
    text.strip_prefix("{c = ")
        .and_then(|t| t.strip_suffix('}'))
        .expect("one assignment")
        .to_string()
}

/// The errors of statements, with the column counted from their own first character.
pub fn errors(source: &str) -> String {
    match programs(tokens(&format!("<>\n{source}"))) {
        Ok(all) => format!("parsed: {}", all.iter().map(program).collect::<String>()),
        Err(errors) => {
            let shift = |line: &str| {
                let (row, rest) = line.split_once(':').expect("line:column");
                let row: usize = row.parse().expect("a line number");
                format!("{}:{rest}", row - 1)
            };
            errors.render().lines().map(shift).collect::<Vec<_>>().join("\n")
        }
    }
}

pub fn errors_of_all(sources: &[&str]) -> String {
    sources.iter().map(|s| format!("{s}\n  {}\n", errors(s).replace('\n', "\n  "))).collect()
}

pub fn program_errors(source: &str) -> String {
    match programs(tokens(source)) {
        Ok(all) => format!("parsed: {}", all.iter().map(program).collect::<String>()),
        Err(errors) => errors.render(),
    }
}

pub fn program_errors_of_all(sources: &[&str]) -> String {
    let name = |s: &&str| if s.is_empty() { "(nothing)".to_string() } else { s.to_string() };
    sources
        .iter()
        .map(|s| format!("{}\n  {}\n", name(s), program_errors(s).trim_end().replace('\n', "\n  ")))
        .collect()
}

// ---- headers -----------------------------------------------------------------------------------
