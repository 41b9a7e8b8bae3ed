//! Sums of pairs of rows: where a loop takes a sum for each row with each other, two of the one and two of the other are taken
//! together, four sums at a time, each with the lanes that it has by itself ([`super::abreast`]).
//!
//! `s[k, l] += a[k, i] * a[l, i]` loads two elements for each product. Two sums at once load three for two products, and four
//! of them four for four. What is stored of two rows is stored column by column, so no two may store the same element, which
//! is asked once for all of them, and nothing of it is read.

use super::abreast::{
    apart, fresh, named, own, parts, renamed, shares, side_by_side, together, LONGEST,
};
use super::blend::harmless;
use super::positions::{expanded, lets, minus};
use crate::cin::*;
use crate::index::difference;
use crate::kernel::{Kernel, Ty, VarKind};
use crate::kir::Kir;
use std::collections::{HashMap, HashSet};

/// A loop over rows, in each iteration of which a loop takes a sum for each other row.
pub(super) struct Rows {
    /// What is defined in front of the inner loop.
    front: Vec<Kir>,
    /// The inner loop: its index, first, and one past the last.
    index: VarId,
    range: [Expr; 2],
    /// Its body.
    sums: Vec<Kir>,
    rest: Vec<Kir>,
    /// What is another in each row.
    own: Vec<VarId>,
    /// How far it is from what one row stores to the same of the next.
    stride: Expr,
}

impl Rows {
    /// Those of the loop `k`, if two may be taken together.
    pub(super) fn of(kernel: &Kernel, k: &Kir) -> Option<Rows> {
        let Kir::For { var: outer, body, .. } = k else { return None };
        let (inner, front) = body.split_last()?;
        let Kir::For { var: index, lo, hi, .. } = inner else { return None };
        let defines = |k: &Kir| matches!(k, Kir::Let { mutable: false, .. } | Kir::Comment(_));
        let parts = parts(kernel, inner, LONGEST)?;
        if !front.iter().all(defines) || !parts.conditions.is_empty() {
            return None;
        }
        let (sums, rest) = (parts.sums, parts.rest);
        let all: Vec<Kir> = front.iter().chain(&sums).cloned().collect();
        let own = own(kernel, &all, *outer)?;
        let varies = |e: &Expr| kernel.depends(e).iter().any(|v| own.contains(v));
        let harmless = |k: &Kir| k.exprs().iter().all(|e| harmless(kernel, e));
        let fits = !varies(lo)
            && !varies(hi)
            && front.iter().all(harmless)
            && apart(kernel, &sums, &rest, &own, *outer)
            && shares(kernel, &sums, &own);
        let (array, at) = stored(kernel, &rest).filter(|_| fits)?;
        // Nothing in front of the loop reads what is stored.
        let reads = |k: &Kir| k.exprs().iter().any(|e| kernel.mentions(e, array));
        if front.iter().any(reads) || sums.iter().any(reads) {
            return None;
        }
        let defined: Vec<Kir> =
            front.iter().chain(&sums).chain(&rest).filter(|k| defines(k)).cloned().collect();
        let at = expanded(&at, &lets(&Kir::Block(defined))?);
        let next = |of: VarId| {
            let moved = at.map(&mut replace_var(of, &Expr::Var(of).plus(1)));
            minus(&moved, &at)
        };
        let stride = next(*outer).filter(|_| next(*index) == Some(Expr::int(1)))?;
        let mut changing = HashSet::new();
        k.walk(&mut |k| changing.extend(k.sets()));
        let fixed = kernel.is_of_scalars(&stride)
            && !kernel.depends(&stride).iter().any(|v| changing.contains(v));
        let range = [lo.clone(), hi.clone()];
        fixed.then(|| Rows { front: front.to_vec(), index: *index, range, sums, rest, own, stride })
    }

    /// The loop `k` over two rows at a time, before `k` itself, of which what is left stays.
    pub(super) fn together(self, kernel: &mut Kernel, k: &mut Kir) -> Vec<Kir> {
        let Kir::For { var: outer, lo, hi, .. } = k else { unreachable!("a loop over rows") };
        let name = format!("{}_pair", kernel.info(*outer).name);
        let at = kernel.var(&name, VarKind::State, Ty::Index);
        let names = [HashMap::new(), fresh(kernel, &self.own)];
        let own: HashSet<VarId> = self.own.iter().copied().collect();
        let mut inside = Vec::new();
        for (r, names) in names.iter().enumerate() {
            let value = Expr::Var(at).plus(r as i128);
            inside.push(Kir::Let { var: named(names, *outer), mutable: false, value });
        }
        inside.extend(side_by_side(kernel, &self.front, &own, &names));
        let mut body = side_by_side(kernel, &self.sums, &own, &names);
        for names in &names {
            let rest = self.rest.iter().map(|k| renamed(kernel, k, names)).collect();
            body.push(Kir::Block(rest));
        }
        let [first, end] = self.range.clone();
        let inner = Kir::For { var: self.index, lo: first.clone(), hi: end.clone(), body };
        match parts(kernel, &inner, 2 * LONGEST) {
            Some(parts) => inside.extend(together(kernel, inner, parts)),
            None => inside.push(inner),
        }
        let next = Expr::Var(at).plus(2);
        inside.push(Kir::Set { var: at, value: next.clone() });
        let distinct = Expr::call(Op::Le, [difference(&end, &first), self.stride]);
        let cond = Expr::call(Op::And, [Expr::call(Op::Le, [next, hi.clone()]), distinct]);
        let start = std::mem::replace(lo, Expr::Var(at));
        vec![Kir::Let { var: at, mutable: true, value: start }, Kir::While { cond, body: inside }]
    }
}

/// The one element that `rest` stores, which does nothing else, does not fail, and does not read where it stores.
fn stored(kernel: &Kernel, rest: &[Kir]) -> Option<(ArrayId, Expr)> {
    let (mut found, mut several, mut sound) = (None, false, true);
    let mut each = |k: &Kir| match k {
        Kir::Store { target: Expr::Load(array, at), value, .. } => {
            several |= found.replace((*array, (**at).clone())).is_some();
            sound &= harmless(kernel, value) && harmless(kernel, at);
        }
        Kir::Let { mutable: false, value, .. } => sound &= harmless(kernel, value),
        Kir::Block(_) | Kir::Comment(_) => {}
        _ => sound = false,
    };
    rest.iter().for_each(|k| k.walk(&mut |k| each(k)));
    let (array, at) = found.filter(|_| sound && !several)?;
    let mut reads = kernel.mentions(&at, array);
    let mut each = |k: &Kir| match k {
        Kir::Let { value, .. } | Kir::Store { value, .. } => reads |= kernel.mentions(value, array),
        _ => {}
    };
    rest.iter().for_each(|k| k.walk(&mut |k| each(k)));
    (!reads).then_some((array, at))
}
