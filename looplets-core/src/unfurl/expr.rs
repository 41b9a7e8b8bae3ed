//! Expressions of a declaration as terms.
//!
//! What the compiler understands (arithmetic, comparisons, array elements, calls) becomes terms; the
//! rest stays opaque tokens, with the names in them bound.

use super::scope::{Meaning, Scope};
use crate::cin::*;
use crate::kernel::*;
use crate::kir::K;
use proc_macro2::{Ident, TokenStream};
use quote::{quote, ToTokens};

impl Scope<'_> {
    /// Statements of a declaration.
    pub(super) fn code(&mut self, e: &syn::Expr) -> Vec<K> {
        match e {
            syn::Expr::Block(b) => self.statements(&b.block),
            syn::Expr::Assign(a) => match self.target(&a.left) {
                Some(var) => vec![K::Set { var, value: self.expr(&a.right) }],
                None => vec![self.opaque_code(quote!(#e;))],
            },
            syn::Expr::Binary(b) if matches!(b.op, syn::BinOp::AddAssign(_)) => {
                match self.target(&b.left) {
                    Some(var) => {
                        let value = Expr::call(Op::Add, [Expr::Var(var), self.expr(&b.right)]);
                        vec![K::Set { var, value }]
                    }
                    None => vec![self.opaque_code(quote!(#e;))],
                }
            }
            syn::Expr::While(w) if w.label.is_none() => {
                let (cond, body) = (self.expr(&w.cond), self.statements(&w.body));
                vec![K::While { cond, body }]
            }
            syn::Expr::If(i) if !matches!(*i.cond, syn::Expr::Let(_)) => {
                let (cond, then) = (self.expr(&i.cond), self.statements(&i.then_branch));
                let otherwise = i.else_branch.as_ref().map_or_else(Vec::new, |(_, e)| self.code(e));
                vec![K::If { cond, then, otherwise }]
            }
            other => vec![self.opaque_code(quote!(#other;))],
        }
    }

    fn statements(&mut self, block: &syn::Block) -> Vec<K> {
        let one = |s: &syn::Stmt, l: &mut Self| match s {
            syn::Stmt::Expr(e, _) => l.code(e),
            other => vec![l.opaque_code(other.to_token_stream())],
        };
        block.stmts.iter().flat_map(|s| one(s, self)).collect()
    }

    fn target(&self, e: &syn::Expr) -> Option<VarId> {
        let syn::Expr::Path(p) = e else { return None };
        match self.lookup(p.path.get_ident()?) {
            Some(Meaning::Expr(Expr::Var(v))) => Some(v),
            _ => None,
        }
    }

    /// An expression of a declaration as a term.
    pub fn expr(&mut self, e: &syn::Expr) -> Expr {
        self.structured(e).unwrap_or_else(|| self.opaque(e.to_token_stream()))
    }

    fn structured(&mut self, e: &syn::Expr) -> Option<Expr> {
        Some(match e {
            syn::Expr::Paren(p) => self.structured(&p.expr)?,
            syn::Expr::Group(g) => self.structured(&g.expr)?,
            syn::Expr::Lit(l) => match &l.lit {
                syn::Lit::Int(n) => Expr::int(n.base10_parse().ok()?),
                syn::Lit::Bool(b) => Expr::bool(b.value),
                _ => return None,
            },
            syn::Expr::Path(p) => match self.lookup(p.path.get_ident()?)? {
                Meaning::Expr(e) => e,
                Meaning::Array(a) => Expr::Array(a),
            },
            syn::Expr::Tuple(t) if t.elems.len() == 2 => {
                let ends: Vec<Expr> = t.elems.iter().map(|e| self.expr(e)).collect();
                Expr::call(Op::Range, ends)
            }
            syn::Expr::Index(x) => {
                let Expr::Array(a) = self.structured(&x.expr)? else { return None };
                Expr::Load(a, Box::new(self.expr(&x.index)))
            }
            syn::Expr::Unary(u) => {
                let inner = self.structured(&u.expr)?;
                match u.op {
                    syn::UnOp::Neg(_) => Expr::call(Op::Neg, [inner]),
                    syn::UnOp::Not(_) => Expr::call(Op::Not, [inner]),
                    _ => return None,
                }
            }
            syn::Expr::Binary(b) => {
                use syn::BinOp::*;
                let op = match b.op {
                    Add(_) => Op::Add,
                    Sub(_) => Op::Sub,
                    Mul(_) => Op::Mul,
                    Div(_) => Op::Div,
                    Rem(_) => Op::Rem,
                    And(_) => Op::And,
                    Or(_) => Op::Or,
                    Lt(_) => Op::Lt,
                    Le(_) => Op::Le,
                    Gt(_) => Op::Gt,
                    Ge(_) => Op::Ge,
                    Eq(_) => Op::Eq,
                    Ne(_) => Op::Ne,
                    _ => return None,
                };
                let (left, right) = (self.expr(&b.left), self.expr(&b.right));
                match (&op, &right) {
                    (Op::Add, Expr::Lit(Lit::Int(n))) => left.plus(*n),
                    (Op::Sub, Expr::Lit(Lit::Int(n))) => left.plus(-n),
                    _ => Expr::call(op, [left, right]),
                }
            }
            syn::Expr::If(i) => {
                let (_, otherwise) = i.else_branch.as_ref()?;
                let arms = [
                    single(&i.then_branch)?,
                    match &**otherwise {
                        syn::Expr::Block(b) => single(&b.block)?,
                        other => other,
                    },
                ];
                let cond = self.structured(&i.cond)?;
                Expr::call(Op::IfElse, [cond, self.expr(arms[0]), self.expr(arms[1])])
            }
            syn::Expr::Call(c) => {
                let syn::Expr::Path(path) = &*c.func else { return None };
                let args: Vec<Expr> = c.args.iter().map(|a| self.expr(a)).collect();
                let name = path.to_token_stream().to_string().replace(' ', "");
                if let "min" | "max" = name.as_str() {
                    return Some(Expr::call(Op::in_rules(&name), args));
                }
                let tokens = self.level.format.substitute(path.to_token_stream());
                let key = format!("{}:{name}", self.level.format.level().name);
                let takes = Vec::new();
                let function = Function { gives: Ty::Index, takes, ..Function::at(tokens) };
                self.kernel.functions.insert(key.clone(), function);
                Expr::call(Op::function(&key), args)
            }
            _ => return None,
        })
    }

    pub(super) fn opaque(&mut self, tokens: TokenStream) -> Expr {
        let names = self.used(tokens.clone());
        let tokens = self.level.format.substitute(tokens);
        self.kernel.raw(tokens, names, Ty::Index)
    }

    fn opaque_code(&mut self, tokens: TokenStream) -> K {
        let names = self.used(tokens.clone());
        let tokens = self.level.format.substitute(tokens);
        match self.kernel.raw(tokens, names, Ty::Unknown) {
            Expr::Raw(id) => K::Code(id),
            _ => unreachable!("a raw is a raw"),
        }
    }

    pub(super) fn used(&self, tokens: TokenStream) -> Vec<(Ident, Expr)> {
        let mut out: Vec<(Ident, Expr)> = Vec::new();
        for tree in tokens {
            match tree {
                proc_macro2::TokenTree::Ident(name) if !out.iter().any(|(n, _)| *n == name) => {
                    match self.lookup(&name) {
                        Some(Meaning::Expr(e)) => out.push((name, e)),
                        Some(Meaning::Array(a)) => out.push((name, Expr::Array(a))),
                        None => {}
                    }
                }
                proc_macro2::TokenTree::Group(g) => {
                    for (n, e) in self.used(g.stream()) {
                        if !out.iter().any(|(m, _)| *m == n) {
                            out.push((n, e));
                        }
                    }
                }
                _ => {}
            }
        }
        out
    }
}

fn single(block: &syn::Block) -> Option<&syn::Expr> {
    match block.stmts.as_slice() {
        [syn::Stmt::Expr(e, None)] => Some(e),
        _ => None,
    }
}
