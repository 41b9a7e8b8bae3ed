//! Expressions of a declaration as terms.
//!
//! What the compiler understands (arithmetic, comparisons, array elements, calls) becomes terms; the
//! rest stays opaque tokens, with the names in them bound.

use super::scope::{Meaning, Scope};
use super::write::named_by;
use crate::cin::*;
use crate::decl::home::Gives;
use crate::decl::identity::key;
use crate::decl::Hold;
use crate::kernel::*;
use crate::kir::Kir;
use crate::opaque::{Bound, Declared, Frame, Numbers};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;

impl Scope<'_> {
    /// Statements of a declaration.
    pub(super) fn code(&mut self, e: &syn::Expr) -> Vec<Kir> {
        match e {
            syn::Expr::Block(b) => self.statements(&b.block),
            syn::Expr::Assign(a) => match self.target(&a.left) {
                Some(var) => vec![Kir::Set { var, value: self.expr(&a.right) }],
                None => vec![self.opaque_code(ended(e))],
            },
            syn::Expr::Binary(b) if matches!(b.op, syn::BinOp::AddAssign(_)) => {
                match self.target(&b.left) {
                    Some(var) => {
                        let value = Expr::call(Op::Add, [Expr::Var(var), self.expr(&b.right)]);
                        vec![Kir::Set { var, value }]
                    }
                    None => vec![self.opaque_code(ended(e))],
                }
            }
            syn::Expr::While(w) if w.label.is_none() => {
                let (cond, body) = (self.condition(&w.cond), self.statements(&w.body));
                vec![Kir::While { cond, body }]
            }
            syn::Expr::If(i) if !matches!(*i.cond, syn::Expr::Let(_)) => {
                let (cond, then) = (self.condition(&i.cond), self.statements(&i.then_branch));
                let otherwise = i.else_branch.as_ref().map_or_else(Vec::new, |(_, e)| self.code(e));
                vec![Kir::If { cond, then, otherwise }]
            }
            other => vec![self.opaque_code(ended(other))],
        }
    }

    fn statements(&mut self, block: &syn::Block) -> Vec<Kir> {
        let mark = self.names.len();
        let mut code = Vec::new();
        for s in &block.stmts {
            match s {
                syn::Stmt::Expr(e, _) => code.extend(self.code(e)),
                syn::Stmt::Local(l) => code.push(match (&l.pat, &l.init) {
                    (syn::Pat::Ident(pat), Some(init))
                        if init.diverge.is_none()
                            && pat.subpat.is_none()
                            && pat.by_ref.is_none() =>
                    {
                        let value = self.expr(&init.expr);
                        let var = self.local(&pat.ident, true);
                        self.bind(&pat.ident, Expr::Var(var));
                        Kir::Let { var, mutable: pat.mutability.is_some(), value }
                    }
                    _ => self.opaque_code(l.to_token_stream()),
                }),
                other => code.push(self.opaque_code(other.to_token_stream())),
            }
        }
        self.names.truncate(mark);
        code
    }

    fn target(&self, e: &syn::Expr) -> Option<VarId> {
        let syn::Expr::Path(p) = e else { return None };
        match self.lookup(p.path.get_ident()?) {
            Some(Meaning::Expr(Expr::Var(v))) => Some(v),
            _ => None,
        }
    }

    /// A number of a declaration as a term.
    pub fn expr(&mut self, e: &syn::Expr) -> Expr {
        self.structured(e).unwrap_or_else(|| self.opaque(e, Frame::Number))
    }

    /// A condition of a declaration as a term.
    pub(super) fn condition(&mut self, e: &syn::Expr) -> Expr {
        self.structured(e).unwrap_or_else(|| self.opaque(e, Frame::Condition))
    }

    /// The argument of a function, whose type is what the function takes.
    fn argument(&mut self, e: &syn::Expr) -> Expr {
        self.structured(e).unwrap_or_else(|| self.opaque(e, Frame::Argument))
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
                Meaning::Parameter(ty, value) => self.parameter(&ty, value)?,
            },
            syn::Expr::Index(x) => {
                let Expr::Array(a) = self.structured(&x.expr)? else { return None };
                Expr::Load(a, Box::new(self.expr(&x.index)))
            }
            syn::Expr::Unary(u) => match u.op {
                syn::UnOp::Neg(_) => Expr::call(Op::Neg, [self.expr(&u.expr)]),
                syn::UnOp::Not(_) if is_condition(&u.expr) => {
                    Expr::call(Op::Not, [self.condition(&u.expr)])
                }
                syn::UnOp::Not(_) => Expr::call(Op::BitXor, [self.expr(&u.expr), Expr::int(-1)]),
                _ => return None,
            },
            syn::Expr::Binary(b) => {
                let op = operator(&b.op)?;
                if matches!(op, Op::And | Op::Or) {
                    let both = [self.condition(&b.left), self.condition(&b.right)];
                    return Some(Expr::call(op, both));
                }
                let (left, right) = (self.expr(&b.left), self.expr(&b.right));
                match (&op, &right) {
                    (Op::Add, Expr::Lit(Lit::Int(n))) => left.plus(*n),
                    (Op::Sub, Expr::Lit(Lit::Int(n))) => left.plus(-n),
                    _ => Expr::call(op, [left, right]),
                }
            }
            syn::Expr::Cast(c) => {
                let value = self.structured(&c.expr).filter(|_| !is_condition(&c.expr))?;
                let ty = c.ty.to_token_stream();
                if Ty::of(&ty) == Ty::Named("i64".into()) {
                    return Some(value);
                }
                self.declared(&ty, Frame::Cast, vec![(named_by("__value"), value)], Ty::Index)
            }
            syn::Expr::If(i) => {
                let [then, otherwise] = arms(i)?;
                let cond = self.condition(&i.cond);
                Expr::call(Op::IfElse, [cond, self.expr(then), self.expr(otherwise)])
            }
            syn::Expr::Call(c) => {
                let syn::Expr::Path(path) = &*c.func else { return None };
                let name = path.to_token_stream().to_string().replace(' ', "");
                if let "min" | "max" = name.as_str() {
                    let args: Vec<Expr> = c.args.iter().map(|a| self.expr(a)).collect();
                    return Some(Expr::call(Op::in_rules(&name), args));
                }
                let args: Vec<Expr> = c.args.iter().map(|a| self.argument(a)).collect();
                self.call(path, args, false)
            }
            _ => return None,
        })
    }

    /// A call of a function of the declaration, whose numbers are `usize` where it writes.
    fn call(&mut self, path: &syn::ExprPath, args: Vec<Expr>, write: bool) -> Expr {
        let format = &self.level.format;
        let tokens = format.substitute(path.to_token_stream());
        let last = path.path.segments.last().map(|s| s.ident.to_string());
        let own = last.and_then(|name| format.level().own.get(&name));
        let usizes = own.map_or(write, |f| f.gives == Gives::Place);
        let (gives, takes) = match own {
            Some(f) if f.gives == Gives::Condition => (Ty::Bool, vec![Ty::Index; args.len()]),
            Some(f) if f.gives == Gives::State => (Ty::Own, vec![Ty::Index; args.len()]),
            _ => (Ty::Index, Vec::new()),
        };
        let shown = own.map(|f| format.substitute(f.shown.clone()));
        // One declaration may call different functions for different parameters, and two of one name are two
        // declarations.
        let level = key(&format.level().name.to_string(), format.fingerprint);
        let of = if usizes { " of usize" } else { "" };
        let key = format!("{level}:{}{of}", tokens.to_string().replace(' ', ""));
        let declared = !takes.is_empty();
        let names = own.map(|f| f.names.clone()).unwrap_or_default();
        let function =
            Function { gives, takes, declared, usizes, shown, names, ..Function::at(tokens) };
        self.kernel.functions.insert(key.clone(), function);
        Expr::call(Op::function(&key), args)
    }

    /// A `const` parameter as a number or condition.
    fn parameter(&mut self, ty: &TokenStream, value: TokenStream) -> Option<Expr> {
        match syn::parse2(value.clone()) {
            Ok(syn::Lit::Int(n)) => return Some(Expr::int(n.base10_parse().ok()?)),
            Ok(syn::Lit::Bool(b)) => return Some(Expr::bool(b.value)),
            _ => {}
        }
        let of = Ty::of(ty);
        if of == Ty::Named("char".into()) {
            return None;
        }
        let of = if of == Ty::Bool { of } else { Ty::Index };
        Some(self.declared(&value, Frame::Constant(ty.clone()), Vec::new(), of))
    }

    /// The position that a `locate` writes an entry at, whose numbers are `usize`, if a term says the same: sums,
    /// products and quotients of what is not below 0, elements of arrays of positions, functions of these.
    pub(super) fn place(&mut self, e: &syn::Expr) -> Option<Expr> {
        Some(match e {
            syn::Expr::Paren(p) => self.place(&p.expr)?,
            syn::Expr::Group(g) => self.place(&g.expr)?,
            syn::Expr::Lit(_) => self.structured(e)?,
            syn::Expr::Path(p) => match self.lookup(p.path.get_ident()?)? {
                Meaning::Expr(e) => e,
                Meaning::Parameter(ty, value) if Ty::of(&ty) == Ty::Named("usize".into()) => {
                    self.parameter(&ty, value)?
                }
                _ => return None,
            },
            syn::Expr::Index(x) => {
                let syn::Expr::Path(p) = &*x.expr else { return None };
                let Meaning::Array(a) = self.lookup(p.path.get_ident()?)? else { return None };
                let elem = Ty::of(&self.kernel.arrays[a.0 as usize].elem_tokens);
                let positions = elem == Ty::Named("usize".into());
                Expr::Load(a, Box::new(positions.then(|| self.place(&x.index))??))
            }
            syn::Expr::Binary(b) => {
                let op = operator(&b.op)
                    .filter(|op| matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem))?;
                let (left, right) = (self.place(&b.left)?, self.place(&b.right)?);
                match (&op, &right) {
                    (Op::Add, Expr::Lit(Lit::Int(n))) => left.plus(*n),
                    // A difference below 0 would wrap or panic in `usize`.
                    (Op::Sub, _) => return None,
                    _ => Expr::call(op, [left, right]),
                }
            }
            syn::Expr::Call(c) => {
                let syn::Expr::Path(path) = &*c.func else { return None };
                let mut args = Vec::new();
                for arg in &c.args {
                    args.push(match self.structured_array(arg) {
                        Some(array) => array,
                        None => self.place(arg)?,
                    });
                }
                self.call(path, args, true)
            }
            _ => return None,
        })
    }

    fn structured_array(&self, e: &syn::Expr) -> Option<Expr> {
        let syn::Expr::Path(p) = e else { return None };
        match self.lookup(p.path.get_ident()?)? {
            Meaning::Array(a) => Some(Expr::Array(a)),
            _ => None,
        }
    }

    /// The value of a leaf: an element, a literal, or Rust in which positions are `usize` and arrays slices.
    pub(super) fn leaf_value(&mut self, e: &syn::Expr) -> Expr {
        let known = match e {
            syn::Expr::Lit(_) => self.structured(e),
            // The entries of a level are visited with their positions as values.
            syn::Expr::Path(_) => self.structured(e),
            syn::Expr::Tuple(t) if t.elems.len() == 2 => {
                let ends: Vec<Expr> = t.elems.iter().map(|e| self.expr(e)).collect();
                Some(Expr::call(Op::Range, ends))
            }
            syn::Expr::Index(x) => self
                .structured_array(&x.expr)
                .zip(self.place(&x.index))
                .and_then(|(array, at)| match array {
                    Expr::Array(a) => Some(Expr::Load(a, Box::new(at))),
                    _ => None,
                }),
            _ => None,
        };
        known.unwrap_or_else(|| {
            let code = e.to_token_stream();
            let (names, bound) = self.bindings(&code, Hold::Shared, Numbers::Unsigned);
            let ty = self.kernel.tensor(self.tensor).value.clone();
            self.bound(code, bound, Frame::Value, names, ty)
        })
    }

    /// What the compiler does not understand: Rust in which numbers are `i64` and arrays slices.
    fn opaque(&mut self, e: &syn::Expr, frame: Frame) -> Expr {
        let code = e.to_token_stream();
        let (names, bound) = self.bindings(&code, Hold::Shared, Numbers::Signed);
        let ty = if matches!(frame, Frame::Condition) { Ty::Bool } else { Ty::Index };
        self.bound(code, bound, frame, names, ty)
    }

    fn opaque_code(&mut self, code: TokenStream) -> Kir {
        let (names, bound) = self.bindings(&code, Hold::Shared, Numbers::Signed);
        let declared = self.code_of(code, bound, Frame::Statements);
        Kir::Code(self.kernel.declared_code(declared, names, Ty::Unknown))
    }

    /// Code of the declaration in which nothing is bound.
    fn declared(
        &mut self,
        code: &TokenStream,
        frame: Frame,
        names: Vec<(Ident, Expr)>,
        ty: Ty,
    ) -> Expr {
        self.bound(code.clone(), Vec::new(), frame, names, ty)
    }

    fn bound(
        &mut self,
        code: TokenStream,
        bound: Vec<Bound>,
        frame: Frame,
        names: Vec<(Ident, Expr)>,
        ty: Ty,
    ) -> Expr {
        let declared = self.code_of(code, bound, frame);
        Expr::Raw(self.kernel.declared_code(declared, names, ty))
    }

    fn code_of(&self, code: TokenStream, bound: Vec<Bound>, frame: Frame) -> Declared {
        Declared { of: self.of(), code, bound, lengths: Vec::new(), frame }
    }
}

/// `e` as a statement.
fn ended(e: &syn::Expr) -> TokenStream {
    syn::Stmt::Expr(e.clone(), Some(Default::default())).into_token_stream()
}

fn operator(op: &syn::BinOp) -> Option<Op> {
    use syn::BinOp::*;
    Some(match op {
        Add(_) => Op::Add,
        Sub(_) => Op::Sub,
        Mul(_) => Op::Mul,
        Div(_) => Op::Div,
        Rem(_) => Op::Rem,
        And(_) => Op::And,
        Or(_) => Op::Or,
        BitAnd(_) => Op::BitAnd,
        BitOr(_) => Op::BitOr,
        BitXor(_) => Op::BitXor,
        Shl(_) => Op::Shl,
        Shr(_) => Op::Shr,
        Lt(_) => Op::Lt,
        Le(_) => Op::Le,
        Gt(_) => Op::Gt,
        Ge(_) => Op::Ge,
        Eq(_) => Op::Eq,
        Ne(_) => Op::Ne,
        _ => return None,
    })
}

/// Whether `e` is a condition and no number, as far as it shows.
fn is_condition(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Paren(p) => is_condition(&p.expr),
        syn::Expr::Group(g) => is_condition(&g.expr),
        syn::Expr::Lit(l) => matches!(l.lit, syn::Lit::Bool(_)),
        syn::Expr::Unary(u) => matches!(u.op, syn::UnOp::Not(_)) && is_condition(&u.expr),
        syn::Expr::Binary(b) => operator(&b.op).is_some_and(|op| op.is_predicate()),
        _ => false,
    }
}

/// The two expressions of an `if` with `else`.
fn arms(i: &syn::ExprIf) -> Option<[&syn::Expr; 2]> {
    let (_, otherwise) =
        i.else_branch.as_ref().filter(|_| !matches!(*i.cond, syn::Expr::Let(_)))?;
    let otherwise = match &**otherwise {
        syn::Expr::Block(b) => single(&b.block)?,
        other => other,
    };
    Some([single(&i.then_branch)?, otherwise])
}

fn single(block: &syn::Block) -> Option<&syn::Expr> {
    match block.stmts.as_slice() {
        [syn::Stmt::Expr(e, None)] => Some(e),
        _ => None,
    }
}
