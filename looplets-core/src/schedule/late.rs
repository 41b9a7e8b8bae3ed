//! Masks that are looked at late: a row is gathered as if there were no mask, and what the mask leaves of it is looked up.
//!
//! In `c[i, j] ||= m[i, j] && a[i, k] && b[k, j]` a look at the mask for each pair is a branch that is not foreseen, and what it
//! saves is one store. Where the workspace takes an entry out again in no time, all that a row reaches is marked, and the row of the
//! mask then says which marks are read. (Gustavson's row, *Two Fast Algorithms for Sparse Matrices*, 1978, with the
//! mask of Milaković et al., *Parallel Algorithms for Masked Sparse Matrix-Matrix Products*, ICPP 2022, put behind it.)
//!
//! What the program would not compute is then computed, so it has to be of a kind that nobody sees: no overflow, no index
//! out of bounds, no code of the user's that is not declared to be `total`.

use super::indices::{is_written, Use};
use super::products::factors;
use super::spread::{plain, same};
use super::workspace::is_of_marks;
use super::{guards, Choice, Scheduler};
use crate::ast::{Expr, OpRef, Stmt};
use crate::cin::{Lit, Op};
use crate::simplify::Total;
use crate::types::Ty;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// The format of workspaces that are only looked up, over the leaf `leaf`, or over any.
pub fn stamped(krate: &TokenStream, leaf: Option<&TokenStream>) -> Option<syn::Type> {
    let leaf = leaf.map(|leaf| quote!(<#leaf>));
    let name = format_ident!("Stamped{}", 1_usize);
    syn::parse2(quote!(#krate::#name #leaf)).ok()
}

/// Whether a statement in `stmt` may have a mask.
pub fn masked(stmt: &Stmt) -> bool {
    let mut found = !guards::conditions(stmt).is_empty();
    super::indices::assignments(stmt, &mut |_, op, _| found |= op.is_some_and(|op| ors(&op.op)));
    found
}

/// What is gathered without a look at its mask.
pub(super) struct Late {
    /// The statement that gathers.
    pub gather: Stmt,
    /// The mask.
    pub mask: Expr,
    /// The format of the workspace.
    pub ty: syn::Type,
}

/// What the numbers of an expression are, as far as overflow goes.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Float,
    Integer,
    Bool,
    /// A literal, or a name of the program: what it meets.
    Open,
}

impl Scheduler<'_> {
    /// `gather`, an assignment to an element of one dimension beside those that loops are open over, without its mask, if it can
    /// be done so and is to be.
    pub(super) fn late(
        &mut self,
        gather: &Stmt,
        loops: &[Ident],
        uses: &[Use<'_>],
    ) -> Option<Late> {
        let Stmt::Assign { target, op: Some(op), .. } = guards::assignment(gather)? else {
            return None;
        };
        let Expr::Access { name: result_name, indices: own, .. } = target else { return None };
        let index = plain(own.last()?)?.clone();
        let mask = self.late_mask(gather, (loops, &index), uses)?;
        let rest = without(gather, &mask)?;
        let Some(Stmt::Assign { value, .. }) = guards::assignment(&rest) else { return None };
        // Without the mask, an operand says where there is something.
        let mut leaders = Vec::new();
        self.leaders(value, &mut leaders);
        if self.strict || !leaders.iter().any(|e| self.leads(e, &index)) {
            return None;
        }
        let leaf = self.chain(result_name)?.levels.last()?.home();
        let ty = self.known(stamped(self.krate, Some(&leaf)))?;
        let of = self.kind(target)?;
        let total = self.total(value).is_some_and(|kind| kind == of || kind == Kind::Open)
            && self.reduces(&op.op, of)
            && guards::conditions(&rest).into_iter().all(|c| self.total(c) == Some(Kind::Bool));
        let Expr::Access { name, .. } = &mask else { return None };
        let (mask_name, result) = (name.to_string(), result_name.to_string());
        // What a program asks for of the mask, or of the workspace, is for the other way.
        let other = [
            Choice::Spread(mask_name.clone()),
            Choice::Merge(mask_name.clone()),
            Choice::Hashed(result),
        ];
        if !total {
            return None;
        }
        // Sums are in more memory than marks, and where rows seldom meet there are many that nobody asks for.
        let marks = is_of_marks(self.chain(result_name)?);
        let early = other.iter().any(|choice| self.choices.is_wished(choice))
            || !marks && !self.choices.asks_for(Choice::Late(mask_name.clone()));
        let mut options = vec![Choice::Late(mask_name.clone()), Choice::Early(mask_name)];
        if early {
            options.remove(0);
        }
        let late = options.len() - 1;
        (self.choices.choose(options) < late).then_some(Late { gather: rest, mask, ty })
    }

    /// A mask of `gather` whose row the loop over `index` can go through behind `loops`, that gather it.
    fn late_mask(
        &self,
        gather: &Stmt,
        (loops, index): (&[Ident], &Ident),
        uses: &[Use<'_>],
    ) -> Option<Expr> {
        let Stmt::Assign { target, .. } = guards::assignment(gather)? else { return None };
        let Expr::Access { indices: own, .. } = target else { return None };
        let around = own[..own.len() - 1].iter().filter_map(plain).all(|i| !loops.contains(i));
        let row = |e: &&Expr| {
            let Expr::Access { name, .. } = e else { return false };
            let level = self.chain(name).and_then(|c| c.levels.get(own.len() - 1));
            level.is_some_and(|l| l.level().leaves_out())
                // One that holds where nothing is stored has whole rows.
                && self.annihilator(e, &Op::And).is_some()
                && !is_written(uses, name)
        };
        let mask = self.masks(gather, target).into_iter().find(row);
        mask.filter(|_| around && loops.contains(index)).cloned()
    }

    /// Whether to reduce by `op` into numbers of the kind `of` gives something, whatever these are.
    fn reduces(&self, op: &Op, of: Kind) -> bool {
        match op {
            Op::Add | Op::Sub | Op::Mul => of == Kind::Float,
            Op::Min | Op::Max | Op::BitAnd | Op::BitOr | Op::BitXor => true,
            Op::And | Op::Or => of == Kind::Bool,
            Op::Function(_) => self.is_total(op, of),
            _ => false,
        }
    }

    /// What kind of a value `e` gives, if it gives one and does nothing else, whatever its operands are.
    fn total(&self, e: &Expr) -> Option<Kind> {
        let Expr::Call { op, args } = e else {
            return match e {
                Expr::Lit(Lit::Bool(_), ..) => Some(Kind::Bool),
                Expr::Lit(..) | Expr::Name(_) => Some(Kind::Open),
                Expr::Access { indices, .. } if indices.iter().all(|i| plain(i).is_some()) => {
                    self.kind(e)
                }
                _ => None,
            };
        };
        let kinds: Vec<Kind> = args.iter().map(|a| self.total(a)).collect::<Option<_>>()?;
        // Names and literals are of the type of what they meet, and without that of any.
        let met = kinds.iter().copied().find(|k| *k != Kind::Open)?;
        let alike = kinds.iter().all(|k| *k == met || *k == Kind::Open);
        match &op.op {
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem | Op::Neg => {
                (alike && met == Kind::Float).then_some(met)
            }
            Op::Min | Op::Max => alike.then_some(met),
            Op::And | Op::Or => (alike && met == Kind::Bool).then_some(met),
            Op::BitAnd | Op::BitOr | Op::BitXor | Op::Not => {
                (alike && met != Kind::Float).then_some(met)
            }
            op if op.is_comparison() => alike.then_some(Kind::Bool),
            // Its type is known once types are; what is reduced is that of the result.
            op if self.is_total(op, met) => alike.then_some(met),
            _ => None,
        }
    }

    fn is_total(&self, op: &Op, of: Kind) -> bool {
        let Op::Function(name) = op else { return false };
        self.algebra.called(name).is_some_and(|one| match one.decl().traits.total {
            Total::Always => true,
            Total::Floats => of == Kind::Float,
            Total::Unknown => false,
        })
    }

    /// The kind of the elements of what `e` reads or writes.
    fn kind(&self, e: &Expr) -> Option<Kind> {
        let Expr::Access { name, .. } = e else { return None };
        let ty = Ty::of(&self.chain(name)?.value);
        match &ty {
            Ty::Bool => Some(Kind::Bool),
            Ty::Named(name) if **name == *"f64" || **name == *"f32" => Some(Kind::Float),
            ty => ty.limits().map(|_| Kind::Integer),
        }
    }
}

/// Whether a reduction by `op` is told whether there is anything.
fn ors(op: &Op) -> bool {
    matches!(op, Op::Or | Op::BitOr)
}

/// `stmt` without `mask` among what its conditions and its value ask for; none if nothing else would be left of the value.
fn without(stmt: &Stmt, mask: &Expr) -> Option<Stmt> {
    match stmt {
        Stmt::If { cond, then, otherwise } => {
            let mut then = then.clone();
            then.stmts[0] = without(&then.stmts[0], mask)?;
            match rest(cond, mask) {
                Some(cond) => Some(Stmt::If { cond, then, otherwise: otherwise.clone() }),
                None => Some(then.stmts.remove(0)),
            }
        }
        Stmt::Assign { target, op, value, span } => {
            let value = match op.as_ref().is_some_and(|op| ors(&op.op)) {
                true => rest(value, mask)?,
                false => value.clone(),
            };
            Some(Stmt::Assign { target: target.clone(), op: op.clone(), value, span: *span })
        }
        _ => None,
    }
}

/// The conjunction `e` without `mask`; none if that is all of it.
fn rest(e: &Expr, mask: &Expr) -> Option<Expr> {
    let mut all = Vec::new();
    factors(e, &Op::And, &mut all);
    let count = all.len();
    all.retain(|e| !same(e, mask));
    match (all.len(), e) {
        (0, _) => None,
        (1, _) => Some(all[0].clone()),
        (n, Expr::Call { op, .. }) if n < count => {
            let op = OpRef { op: Op::And, path: None, span: op.span };
            Some(Expr::Call { op, args: all.into_iter().cloned().collect() })
        }
        _ => Some(e.clone()),
    }
}
