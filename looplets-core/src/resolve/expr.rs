//! Expressions: names, accesses, indices, operators.

use super::{Meaning, Resolver};
use crate::ast;
use crate::cin::*;
use crate::kernel::*;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;

const INFIX: &[&str] = &[
    "+", "-", "*", "/", "%", "neg", "not", "and", "or", "&", "|", "^", "<<", ">>", "==", "!=", "<",
    "<=", ">", ">=",
];
const NAMED: &[(&str, std::ops::RangeInclusive<usize>)] = &[
    ("min", 1..=usize::MAX),
    ("max", 1..=usize::MAX),
    ("ifelse", 3..=3),
    ("coalesce", 1..=usize::MAX),
    ("and", 1..=usize::MAX),
    ("or", 1..=usize::MAX),
    ("not", 1..=1),
];

impl Resolver<'_> {
    /// A value.
    pub fn expr(&mut self, e: &ast::Expr) -> Expr {
        match e {
            ast::Expr::Lit(lit, None, _) => Expr::Lit(lit.clone()),
            ast::Expr::Lit(lit, Some(s), _) if s == "float" => Expr::Lit(lit.clone()),
            ast::Expr::Lit(lit, Some(suffix), span) => self.suffixed(lit, suffix, *span),
            ast::Expr::Name(name) => match self.lookup(name) {
                Some(Meaning::Var(v)) => Expr::Var(v),
                Some(Meaning::Literal(k)) => Expr::Lit(self.literals[k].clone()),
                Some(Meaning::Tensor(t)) => {
                    let rank = self.kernel.tensor(t).lens.len();
                    self.errors.error(name.span(), format!("`{name}` is a tensor of {rank} dimensions: give its indices, `{name}[..]`"));
                    Expr::int(0)
                }
                None => Expr::Var(self.outer(name)),
            },
            ast::Expr::Path(path) => {
                self.kernel.raw(path.to_token_stream(), Vec::new(), Ty::Unknown)
            }
            ast::Expr::Escape(tokens, _) => {
                let mut names = Vec::new();
                self.names_in(tokens.clone(), &mut names);
                self.kernel.raw(quote::quote!((#tokens)), names, Ty::Unknown)
            }
            ast::Expr::Access { name, indices, span } => {
                self.access(name, indices, *span, false).unwrap_or(Expr::int(0))
            }
            ast::Expr::Call { op, args } => {
                let mut values: Vec<Expr> = args.iter().map(|a| self.expr(a)).collect();
                let Some(op) = self.operator(op, values.len()) else { return Expr::int(0) };
                if matches!(op.name(), "and" | "or" | "not") {
                    for v in &mut values {
                        let number =
                            matches!(self.kernel.type_of(v), Some(Ty::Named(_) | Ty::Index) | None);
                        if number
                            && !(op.name() == "not"
                                && matches!(self.kernel.type_of(v), Some(Ty::Named(_))))
                        {
                            *v = Expr::call("!=", [v.clone(), Expr::int(0)]);
                        }
                    }
                }
                let types: Vec<Option<Ty>> =
                    values.iter().map(|v| self.kernel.type_of(v)).collect();
                self.kernel.seen(op.name(), &types);
                let user = self.kernel.functions.contains_key(op.name());
                if user || self.kernel.join_all(&values) == Some(Ty::Unknown) {
                    // Only rustc knows the type here, so a float literal has to look like one.
                    for (value, arg) in values.iter_mut().zip(args) {
                        if let ast::Expr::Lit(Lit::Int(n), Some(s), _) = arg {
                            if s == "float" {
                                let tokens: TokenStream =
                                    format!("{n}.0").parse().unwrap_or_default();
                                *value = self.kernel.raw(tokens, Vec::new(), Ty::Unknown);
                            }
                        }
                    }
                }
                Expr::Call(op, values)
            }
        }
    }

    /// A Rust variable of the surrounding code.
    fn outer(&mut self, name: &Ident) -> VarId {
        let known = self
            .kernel
            .vars
            .iter()
            .position(|v| v.kind == VarKind::Outer && v.ident.as_ref() == Some(name));
        match known {
            Some(k) => VarId(k as u32),
            None => {
                let id = self.kernel.var(&name.to_string(), VarKind::Outer, Ty::Unknown);
                self.kernel.vars[id.0 as usize].ident = Some(name.clone());
                id
            }
        }
    }

    fn suffixed(&mut self, lit: &Lit, suffix: &str, span: proc_macro2::Span) -> Expr {
        let mut token = match lit {
            Lit::Int(n) => format!("{n}{suffix}").parse::<TokenStream>(),
            Lit::Float(bits) => format!("{:?}{suffix}", f64::from_bits(*bits)).parse(),
            _ => "0".parse(),
        }
        .unwrap_or_default();
        token = token
            .into_iter()
            .map(|mut t| {
                t.set_span(span);
                t
            })
            .collect();
        self.kernel.raw(token, Vec::new(), Ty::Named(suffix.to_owned()))
    }

    /// Names of this kernel that occur in opaque tokens.
    fn names_in(&self, tokens: TokenStream, out: &mut Vec<(Ident, Expr)>) {
        for tree in tokens {
            match tree {
                TokenTree::Ident(name) => {
                    if let Some(Meaning::Literal(k)) = self.lookup(&name) {
                        out.push((name, Expr::Lit(self.literals[k].clone())));
                    } else if let Some(Meaning::Var(v)) = self.lookup(&name) {
                        if self.kernel.info(v).kind != VarKind::Outer
                            && !out.iter().any(|(n, _)| *n == name)
                        {
                            out.push((name, Expr::Var(v)));
                        }
                    }
                }
                TokenTree::Group(g) => self.names_in(g.stream(), out),
                _ => {}
            }
        }
    }

    /// An operator or function; checks the number of arguments of built-in ones.
    pub fn operator(&mut self, op: &ast::OpRef, count: usize) -> Option<Op> {
        let name = op.op.name();
        if let Some((_, range)) = NAMED.iter().find(|(n, _)| *n == name) {
            if !range.contains(&count) {
                let want = if range.start() == range.end() {
                    format!("{}", range.start())
                } else {
                    format!("at least {}", range.start())
                };
                self.errors
                    .error(op.span, format!("`{name}` takes {want} arguments, found {count}"));
                return None;
            }
            return Some(op.op.clone());
        }
        if INFIX.contains(&name) || (FLOAT_METHODS.contains(&name) && count == 1) {
            return Some(op.op.clone());
        }
        let tokens = match &op.path {
            Some(path) => path.to_token_stream(),
            None => {
                self.errors.error(op.span, format!("unknown operator `{name}`: use an infix operator, `min`, `max`, or a function in scope"));
                return None;
            }
        };
        let takes = Vec::new();
        let function = Function { path: tokens, gives: Ty::Unknown, takes };
        self.kernel.functions.entry(name.to_owned()).or_insert(function);
        Some(op.op.clone())
    }

    /// `A[..]`.
    pub fn access(
        &mut self,
        name: &Ident,
        indices: &[ast::Index],
        span: proc_macro2::Span,
        write: bool,
    ) -> Option<Expr> {
        let resolved: Vec<Index> = indices.iter().map(|i| self.index(i)).collect();
        let tensor = match self.lookup(name) {
            Some(Meaning::Tensor(t)) => t,
            Some(Meaning::Var(_) | Meaning::Literal(_)) => {
                self.errors.error(
                    name.span(),
                    format!("`{name}` is a scalar or an index, not a tensor: it takes no indices"),
                );
                return None;
            }
            None => {
                self.errors.error(name.span(), format!(
                    "unknown tensor `{name}`: name it in the header with its format, or, for a Rust array, write `$({name}[..])`"));
                return None;
            }
        };
        let rank = self.kernel.tensor(tensor).lens.len();
        if rank != resolved.len() {
            self.errors.error(
                span,
                format!("`{name}` has {rank} dimensions, but {} indices are given", resolved.len()),
            );
            return None;
        }
        let access = Access {
            tensor,
            level: 0,
            pos: Expr::int(0),
            indices: resolved,
            write,
            span: SpanEq(name.span()),
            unfurled: None,
        };
        let e = self.kernel.access(access);
        if let Expr::Access(id) = e {
            self.loops_of.insert(id, self.loops.clone());
        }
        Some(e)
    }

    fn index(&mut self, index: &ast::Index) -> Index {
        let span = SpanEq(index.expr.span());
        let protocol = index.protocol.as_ref().map(Ident::to_string);
        Index { kind: self.index_kind(&index.expr), protocol, span }
    }

    fn index_kind(&mut self, e: &ast::Expr) -> IndexKind {
        let loop_index = |r: &Self, e: &ast::Expr| match e {
            ast::Expr::Name(n) => match r.lookup(n) {
                Some(Meaning::Var(v)) if r.kernel.info(v).kind == VarKind::Index => Some(v),
                _ => None,
            },
            _ => None,
        };
        if let Some(v) = loop_index(self, e) {
            return IndexKind::Affine(v, Expr::int(0));
        }
        if let ast::Expr::Call { op, args } = e {
            let sides = match (op.op.name(), args.as_slice()) {
                ("+", [a, b]) => loop_index(self, a)
                    .map(|v| (v, b, false))
                    .or(loop_index(self, b).map(|v| (v, a, false))),
                ("-", [a, b]) => loop_index(self, a).map(|v| (v, b, true)),
                _ => None,
            };
            if let Some((v, shift, negate)) = sides {
                let mark = self.kernel.prelude.len();
                let shift = self.index_expr(shift);
                let constant = matches!(shift, Expr::Lit(_)) || self.kernel.fixed(&shift);
                if constant {
                    let shift = match (negate, &shift) {
                        (false, _) => shift,
                        (true, Expr::Lit(Lit::Int(n))) => Expr::int(-n),
                        (true, _) => Expr::call("neg", [shift]),
                    };
                    return IndexKind::Affine(v, shift);
                }
                self.kernel.prelude.truncate(mark);
            }
        }
        IndexKind::Opaque(self.expr(e))
    }

    /// An expression in the place of a coordinate or size. What does not depend on a loop becomes a
    /// local at the top of the kernel, converted once and clamped so that sums cannot overflow.
    pub fn index_expr(&mut self, e: &ast::Expr) -> Expr {
        if let ast::Expr::Lit(Lit::Int(n), _, span) = e {
            if n.abs() > 1 << 61 {
                self.errors.error(*span, "a coordinate lies within -2^61 .. 2^61");
            }
            return Expr::int(*n);
        }
        let value = self.expr(e);
        if self.kernel.fixed(&value) {
            let name = match e {
                ast::Expr::Name(n) => n.to_string(),
                _ => "bound".to_owned(),
            };
            let var = self.kernel.var(&name, VarKind::Local, Ty::Index);
            self.kernel.prelude.push((var, value));
            return Expr::Var(var);
        }
        value
    }
}
