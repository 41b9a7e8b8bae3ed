//! What of nests and expressions kernels call where a level was declared.

use super::helpers::least_or_greatest;
use super::*;
use syn::{BinOp, Expr, Stmt, UnOp};

impl Home {
    pub(super) fn nest(&mut self, nest: &mut Nest) -> Result<()> {
        let (mark, states) = (self.bound.len(), self.states.len());
        match nest {
            Nest::Let(lets, n) => {
                for l in lets {
                    let Some(ty) = &l.ty else {
                        self.term(&mut l.value, false)?;
                        self.bound.push((l.name.clone(), l.mutable));
                        continue;
                    };
                    let (code, gives) = (l.value.to_token_stream(), ty.to_token_stream());
                    let call = self.whole("state", &code, Numbers::Signed, Hold::Shared, &gives);
                    l.value = syn::parse2(call)?;
                    self.states.push((l.name.clone(), ty.clone()));
                    if let Some(then) = &mut l.then {
                        self.start(&l.name, then)?;
                    }
                }
                self.nest(n)?;
            }
            Nest::Run(p) => self.payload(p)?,
            Nest::Spike(a, b) => {
                self.payload(a)?;
                self.payload(b)?;
            }
            Nest::Pipeline(phases) => {
                for (stop, n) in phases {
                    stop.iter_mut().try_for_each(|e| self.term(e, false))?;
                    self.nest(n)?;
                }
            }
            Nest::Switch(cases) => {
                for (cond, n) in cases {
                    cond.iter_mut().try_for_each(|e| self.term(e, true))?;
                    self.nest(n)?;
                }
            }
            Nest::Shift(e, n) => {
                self.term(e, false)?;
                self.nest(n)?;
            }
            Nest::Lookup(i, n) => {
                self.bind([&*i]);
                self.nest(n)?;
            }
            Nest::Stepper(s) | Nest::Jumper(s) | Nest::Unordered(s) => self.stepper(s)?,
        }
        self.bound.truncate(mark);
        self.states.truncate(states);
        Ok(())
    }

    /// A statement that moves the state `name` to where it starts.
    fn start(&mut self, name: &Ident, then: &mut Expr) -> Result<()> {
        let span = syn::spanned::Spanned::span(then);
        self.code(then)?;
        let to = match then {
            Expr::Assign(a) => a.left.to_token_stream().to_string(),
            _ => String::new(),
        };
        match *name == to {
            true => Ok(()),
            false => Err(syn::Error::new(span, format!("what stands behind the state `{name}` moves it to where it starts: `{name}.begin(..);`"))),
        }
    }

    fn stepper(&mut self, s: &mut StepperDecl) -> Result<()> {
        let ranged = s.range.is_some();
        if let Some((q, lo, hi)) = &mut s.range {
            self.term(lo, false)?;
            self.term(hi, false)?;
            self.bound.push((q.clone(), true));
        }
        if let Some(next) = &mut s.next {
            self.code(next)?;
        }
        if let Some((after, end)) = &mut s.group {
            self.term(end, false)?;
            self.bound.push((after.clone(), true));
        }
        for (i, e) in [&mut s.seek, &mut s.jump].into_iter().flatten() {
            self.bind([&*i]);
            match ranged {
                true => self.term(e, false)?,
                false => self.code(e)?,
            }
            self.bound.pop();
        }
        if let Some(more) = &mut s.more {
            self.term(more, true)?;
        }
        self.term(&mut s.stop, false)?;
        self.nest(&mut s.body)
    }

    fn payload(&mut self, p: &mut Payload) -> Result<()> {
        match p {
            Payload::Fill => Ok(()),
            Payload::Child(e) => self.term(e, false),
            Payload::Value(e) => self.leaf_value(e),
        }
    }

    fn leaf_value(&mut self, e: &mut Expr) -> Result<()> {
        let code = e.to_token_stream();
        if self.means_one_thing(code.clone()) {
            return Ok(());
        }
        match (&mut *e, &self.value) {
            (Expr::Index(x), _) if self.is_array(&x.expr) => return self.place(&mut x.index),
            (_, Some(value)) => {
                let value = value.clone();
                let call = self.whole("value", &code, Numbers::Unsigned, Hold::Shared, &value);
                *e = syn::parse2(call)?;
            }
            (_, None) => {}
        }
        Ok(())
    }

    /// Statements over a stepper's state.
    fn code(&mut self, e: &mut Expr) -> Result<()> {
        match e {
            Expr::Block(b) if b.label.is_none() => return self.statements(&mut b.block),
            Expr::Assign(a) if matches!(*a.left, Expr::Path(_)) => {
                return self.term(&mut a.right, false)
            }
            Expr::Binary(b)
                if matches!(b.op, BinOp::AddAssign(_)) && matches!(*b.left, Expr::Path(_)) =>
            {
                return self.term(&mut b.right, false)
            }
            Expr::While(w) if w.label.is_none() && !matches!(*w.cond, Expr::Let(_)) => {
                self.term(&mut w.cond, true)?;
                return self.statements(&mut w.body);
            }
            Expr::If(i) if !matches!(*i.cond, Expr::Let(_)) => {
                self.term(&mut i.cond, true)?;
                self.statements(&mut i.then_branch)?;
                return i.else_branch.as_mut().map_or(Ok(()), |(_, e)| self.code(e));
            }
            _ => {}
        }
        let code = e.to_token_stream();
        if !self.means_one_thing(code.clone()) {
            *e = self.state(&code)?;
        }
        Ok(())
    }

    fn statements(&mut self, block: &mut syn::Block) -> Result<()> {
        let mark = self.bound.len();
        for s in &mut block.stmts {
            match s {
                Stmt::Expr(e, _) => self.code(e)?,
                Stmt::Local(l) => match (&l.pat, &mut l.init) {
                    (syn::Pat::Ident(pat), Some(init)) if init.diverge.is_none() => {
                        self.term(&mut init.expr, false)?;
                        self.bound.push((pat.ident.clone(), pat.mutability.is_some()));
                    }
                    _ => {}
                },
                other => {
                    let code = self.state(&other.to_token_stream())?;
                    *other = Stmt::Expr(code, Some(Default::default()));
                }
            }
        }
        self.bound.truncate(mark);
        Ok(())
    }

    /// Statements that kernels make no terms of: a call that gives the state as they leave it.
    fn state(&mut self, code: &TokenStream) -> Result<Expr> {
        let mut changed = self.used(code);
        let own = changed.iter().filter(|n| self.state_type(&n.to_string()).is_some());
        match own.cloned().collect::<Vec<_>>().as_slice() {
            [] => {}
            [state] => return self.moved(state, code),
            [_, second, ..] => return Err(syn::Error::new(second.span(), "a statement moves one state: two that move together are one, of a type that holds both")),
        }
        changed.retain(|name| {
            self.bound.iter().rev().find(|(n, _)| n == name).is_some_and(|(_, mutable)| *mutable)
        });
        let mut params = Vec::new();
        let used = self.used(code);
        for name in &used {
            params.push(match self.array(&name.to_string()) {
                Some(elem) => quote!(#name: &[#elem]),
                None if changed.contains(name) => quote!(mut #name: i64),
                None => quote!(#name: i64),
            });
        }
        let types = changed.iter().map(|_| quote!(i64));
        let (gives, body) = (quote!((#(#types,)*)), quote!(#code; (#(#changed,)*)));
        let path = self.function("state", &params, &gives, &body, code.clone());
        let call = quote!(#path(#(#used),*));
        match changed.is_empty() {
            true => syn::parse2(call),
            false => syn::parse2(quote!((#(#changed,)*) = #call)),
        }
    }

    /// A statement that moves state of a type of the declaration.
    fn moved(&mut self, state: &Ident, code: &TokenStream) -> Result<Expr> {
        let used = self.used(code);
        let mut params = Vec::new();
        for name in &used {
            let text = name.to_string();
            params.push(match (self.state_type(&text), self.array(&text)) {
                (Some(ty), _) => quote!(#name: &mut #ty),
                (None, Some(elem)) => quote!(#name: &[#elem]),
                (None, None) => quote!(#name: i64),
            });
        }
        let path = self.function("state", &params, &quote!(()), &quote!(#code;), code.clone());
        self.name(&path, used.clone());
        syn::parse2(quote!(#state = #path(#(#used),*)))
    }

    /// A position or coordinate, or a condition.
    pub(super) fn term(&mut self, e: &mut Expr, condition: bool) -> Result<()> {
        let code = e.to_token_stream();
        if self.means_one_thing(code.clone()) {
            return Ok(());
        }
        match e {
            Expr::Paren(p) => return self.term(&mut p.expr, condition),
            Expr::Group(g) => return self.term(&mut g.expr, condition),
            Expr::Tuple(t) if t.elems.len() == 2 => {
                return t.elems.iter_mut().try_for_each(|e| self.term(e, false))
            }
            Expr::Index(x) if self.is_array(&x.expr) => return self.term(&mut x.index, false),
            Expr::Unary(u) if matches!(u.op, UnOp::Neg(_)) => return self.term(&mut u.expr, false),
            Expr::Unary(u) if matches!(u.op, UnOp::Not(_)) => {
                return self.term(&mut u.expr, condition)
            }
            Expr::Binary(b) => {
                let of = match b.op {
                    BinOp::And(_) | BinOp::Or(_) => Some(true),
                    BinOp::Add(_)
                    | BinOp::Sub(_)
                    | BinOp::Mul(_)
                    | BinOp::Div(_)
                    | BinOp::Rem(_)
                    | BinOp::BitAnd(_)
                    | BinOp::BitOr(_)
                    | BinOp::BitXor(_)
                    | BinOp::Shl(_)
                    | BinOp::Shr(_)
                    | BinOp::Lt(_)
                    | BinOp::Le(_)
                    | BinOp::Gt(_)
                    | BinOp::Ge(_)
                    | BinOp::Eq(_)
                    | BinOp::Ne(_) => Some(false),
                    _ => None,
                };
                if let Some(of) = of {
                    self.term(&mut b.left, of)?;
                    return self.term(&mut b.right, of);
                }
            }
            Expr::If(i) if !matches!(*i.cond, Expr::Let(_)) => {
                if let Some([then, otherwise]) = arms(i) {
                    self.term(then, condition)?;
                    self.term(otherwise, condition)?;
                    return self.term(&mut i.cond, true);
                }
            }
            Expr::Call(c) => {
                if least_or_greatest(c) {
                    return c.args.iter_mut().try_for_each(|a| self.term(a, false));
                }
                if let Some(parameters) = c.args.iter().map(|a| self.parameter(a)).collect() {
                    return self.helper(c, parameters, condition);
                }
            }
            _ => {}
        }
        let (hint, gives) = gives(condition);
        let call = self.whole(hint, &code, Numbers::Signed, Hold::Shared, &gives);
        *e = syn::parse2(call)?;
        Ok(())
    }

    /// A position whose numbers are `usize`.
    pub(super) fn place(&mut self, e: &mut Expr) -> Result<()> {
        let code = e.to_token_stream();
        if self.means_one_thing(code.clone()) {
            return Ok(());
        }
        match e {
            Expr::Paren(p) => return self.place(&mut p.expr),
            Expr::Group(g) => return self.place(&mut g.expr),
            Expr::Binary(b)
                if matches!(
                    b.op,
                    BinOp::Add(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_)
                ) =>
            {
                self.place(&mut b.left)?;
                return self.place(&mut b.right);
            }
            Expr::Call(c) => {
                let is_path = |e: &Expr| matches!(e, Expr::Path(p) if p.path.get_ident().is_some_and(|i| self.is_number(&i.to_string())));
                let plain = |e: &Expr| self.is_array(e) || is_path(e);
                if c.args.iter().all(plain) {
                    let (mut params, mut inside) = (Vec::new(), Vec::new());
                    for (k, arg) in c.args.iter().enumerate() {
                        let name = format_ident!("a{k}", span = Span::mixed_site());
                        let array = match arg {
                            Expr::Path(p) => {
                                p.path.get_ident().and_then(|i| self.array(&i.to_string()))
                            }
                            _ => None,
                        };
                        params.push(match array {
                            Some(elem) => quote!(#name: &[#elem]),
                            None => quote!(#name: usize),
                        });
                        inside.push(name.to_token_stream());
                    }
                    return self.called(c, &params, &inside, &quote!(usize));
                }
            }
            _ => {}
        }
        let call = self.whole("place", &code, Numbers::Unsigned, Hold::Shared, &quote!(usize));
        *e = syn::parse2(call)?;
        Ok(())
    }

    pub(super) fn is_array(&self, e: &Expr) -> bool {
        let name = |i: &Ident| self.array(&i.to_string()).is_some();
        matches!(e, Expr::Path(p) if p.path.get_ident().is_some_and(name))
    }
}

/// What a function is called and what it gives.
pub(super) fn gives(condition: bool) -> (&'static str, TokenStream) {
    match condition {
        true => ("holds", quote!(bool)),
        false => ("number", quote!(i64)),
    }
}

/// The two expressions of an `if` with `else`.
fn arms(i: &mut syn::ExprIf) -> Option<[&mut Expr; 2]> {
    let (_, otherwise) = i.else_branch.as_mut()?;
    let otherwise = match &mut **otherwise {
        Expr::Block(b) => single(&mut b.block)?,
        other => other,
    };
    Some([single(&mut i.then_branch)?, otherwise])
}

fn single(block: &mut syn::Block) -> Option<&mut Expr> {
    match block.stmts.as_mut_slice() {
        [Stmt::Expr(e, None)] => Some(e),
        _ => None,
    }
}
