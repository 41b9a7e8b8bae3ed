//! Results that are appended to, but whose entries come in another order, or several times each: they are gathered in a
//! workspace, and appended from there (Kjolstad et al., *Tensor Algebra Compilation with Workspaces*, CGO 2019).

use super::indices::{names, uses, Use};
use super::order::Plan;
use super::products::factors;
use super::spread::{plain, replace, Spread};
use super::{access, around, guards, Choice, Scheduler};
use crate::ast::visit::visit_expr;
use crate::ast::{Block, Expr, Gathered, Index, Stmt};
use crate::cin::Op;
use crate::formats::Chain;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// The most dimensions of a workspace.
pub const MOST: usize = 3;

/// What the name of the workspace in which a result is gathered ends with.
pub(super) const GATHERED: &str = "gathered";

/// What is gathered.
pub struct Work {
    /// The indices of the result that the workspace has; none where that is computed, or stood before.
    indices: Vec<Option<Ident>>,
    /// The loops in which it is gathered.
    loops: Vec<Ident>,
    /// Its format.
    ty: syn::Type,
    /// A format that takes no more than the entries do, if that is another.
    hashed: Option<syn::Type>,
}

impl Work {
    /// The loops in which it is gathered.
    pub fn loops(&self) -> &[Ident] {
        &self.loops
    }
    /// How many dimensions it has.
    pub fn rank(&self) -> usize {
        self.indices.len()
    }
}

/// The format of workspaces of this rank, over the leaf `leaf`, or over any.
pub fn format(krate: &TokenStream, rank: usize, leaf: Option<&TokenStream>) -> Option<syn::Type> {
    let name = format_ident!("Gathered{rank}");
    let leaf = leaf.map(|leaf| quote!(<#leaf>));
    (1..=MOST).contains(&rank).then(|| syn::parse2(quote!(#krate::#name #leaf)).ok()).flatten()
}

/// The format of workspaces of this rank that have all elements, over the leaf `leaf`, or over any.
pub fn whole(krate: &TokenStream, rank: usize, leaf: Option<&TokenStream>) -> Option<syn::Type> {
    let name = format_ident!("Whole{rank}");
    let leaf = leaf.map(|leaf| quote!(<#leaf>));
    (1..=2).contains(&rank).then(|| syn::parse2(quote!(#krate::#name #leaf)).ok()).flatten()
}

/// The format of workspaces of one dimension whose size does not matter, over the leaf `leaf`, or over any.
pub fn hashed(krate: &TokenStream, leaf: Option<&TokenStream>) -> Option<syn::Type> {
    let name = format_ident!("Searched{}", 1_usize);
    let leaf = leaf.map(|leaf| quote!(<#leaf>));
    syn::parse2(quote!(#krate::#name #leaf)).ok()
}

/// The format of workspaces of two dimensions that get each entry once, those of a row from the first to the last, over the leaf
/// `leaf`, or over any.
pub fn turned(krate: &TokenStream, leaf: Option<&TokenStream>) -> Option<syn::Type> {
    let name = format_ident!("Turned{}", 2_usize);
    let leaf = leaf.map(|leaf| quote!(<#leaf>));
    syn::parse2(quote!(#krate::#name #leaf)).ok()
}

/// The format of workspaces of two dimensions that are appended to, row by row, over the leaf `leaf`, or over any.
pub fn listed(krate: &TokenStream, leaf: Option<&TokenStream>) -> Option<syn::Type> {
    let name = format_ident!("Listed{}", 2_usize);
    let leaf = leaf.map(|leaf| quote!(<#leaf>));
    syn::parse2(quote!(#krate::#name #leaf)).ok()
}

/// The format of workspaces of two dimensions that have all elements of a row or none, over the leaf `leaf`, or over any.
pub fn rows(krate: &TokenStream, leaf: Option<&TokenStream>) -> Option<syn::Type> {
    let name = format_ident!("Rowwise{}", 2_usize);
    let leaf = leaf.map(|leaf| quote!(<#leaf>));
    syn::parse2(quote!(#krate::#name #leaf)).ok()
}

/// Whether what `chain` stores has no values.
pub(super) fn is_of_marks(chain: &Chain) -> bool {
    let leaf = chain.levels.last().and_then(|l| l.level().write.as_ref());
    leaf.is_some_and(|w| w.place.is_none())
}

impl Scheduler<'_> {
    /// Loops around a workspace of as few dimensions as will do.
    pub(super) fn by_workspace(
        &self,
        stmt: &Stmt,
        indices: &[Ident],
        uses: &[Use<'_>],
        stored: &[(String, String, usize)],
    ) -> Option<Plan> {
        let Stmt::Assign { target: Expr::Access { name, indices: given, .. }, .. } =
            guards::assignment(stmt)?
        else {
            return None;
        };
        // What is there already is not gathered.
        let (chain, true) = self.formats.get(&name.to_string())? else { return None };
        let leaf = chain.as_ref()?.levels.last()?.home();
        let own = self.plain_indices(given, indices);
        // What is not gone through by a loop of its own needs a size.
        let scattered = own.contains(&None);
        if scattered && !self.has_sizes(name, own.len()) {
            return None;
        }
        // Loops around, which a condition has, may be those over the first indices of the result alone.
        let around = self.open.len();
        let leads =
            own.len() >= around && own.iter().zip(&self.open).all(|(i, o)| i.as_ref() == Some(o));
        // What the statement reads of its own result is not in the workspace.
        let reads = |u: &&Use<'_>| !u.write && u.name == Some(name);
        if !leads || uses.iter().any(|u| reads(&u)) {
            return None;
        }
        let target = uses.iter().position(|u| u.write)?;
        let others: Vec<_> = stored.iter().filter(|(_, _, k)| *k != target).cloned().collect();
        let own = &own[around..];
        let asked = self.asked_rank(name);
        (0..own.len()).rev().find_map(|outside| {
            let (prefix, rest) = own.split_at(outside);
            let prefix: Vec<Ident> = prefix.iter().cloned().collect::<Option<_>>()?;
            let ty = format(self.krate, rest.len(), Some(&leaf))?;
            if asked.is_some_and(|asked| asked != rest.len() && asked <= own.len()) {
                return None;
            }
            let mut edges = others.clone();
            for (k, i) in prefix.iter().enumerate() {
                let behind = indices.iter().filter(|o| !prefix[..=k].contains(o));
                edges.extend(behind.map(|o| (i.to_string(), o.to_string(), target)));
            }
            let mut loops = self.sorted(indices, uses, &edges).ok()?;
            let within = loops.split_off(outside);
            let one = rest.len() == 1;
            let hashed = one.then(|| self.known(hashed(self.krate, Some(&leaf)))).flatten();
            // Loops over its own indices alone come to each element once.
            let once = rest.len() == 2 && within.len() == 2 && around == 0 && !scattered;
            let by_row = once.then(|| self.known(turned(self.krate, Some(&leaf)))).flatten();
            let (ty, hashed) = match by_row {
                Some(by_row) => (by_row, Some(ty)),
                None => (ty, hashed),
            };
            let work = Work { indices: rest.to_vec(), loops: within, ty, hashed };
            Some(Plan { loops, workspace: Some(work) })
        })
    }

    /// The indices of the result, in order: none where it is computed, or stood before in the same access.
    fn plain_indices(&self, given: &[Index], indices: &[Ident]) -> Vec<Option<Ident>> {
        let mut own: Vec<Option<Ident>> = Vec::new();
        for index in given {
            let plain = match &index.expr {
                Expr::Name(i) if indices.contains(i) || self.open.contains(i) => Some(i.clone()),
                _ => None,
            };
            own.push(plain.filter(|i| !own.contains(&Some(i.clone()))));
        }
        own
    }

    /// Whether `stmt` writes where something computed says, or on a diagonal, into a result whose entries have an order.
    pub(super) fn scatters(&self, stmt: &Stmt, indices: &[Ident], uses: &[Use<'_>]) -> bool {
        let Some(Stmt::Assign { target: Expr::Access { indices: given, .. }, .. }) =
            guards::assignment(stmt)
        else {
            return false;
        };
        let Some(write) = uses.iter().find(|u| u.write) else { return false };
        let given = &given[..self.ordered(write).min(given.len())];
        let plain = self.plain_indices(given, indices);
        let repeated = |k: usize| matches!(given[k].expr, Expr::Name(_)) && plain[k].is_none();
        (0..given.len()).any(|k| repeated(k) || self.computes(&given[k].expr))
    }

    /// Whether `e`, an index, is more than one index that is moved: of several, of quotients, or read from something.
    fn computes(&self, e: &Expr) -> bool {
        let mut found = false;
        visit_expr(e, &mut |x| {
            found |= match x {
                Expr::Access { name, .. } => self.formats.contains_key(&name.to_string()),
                Expr::Call { op, .. } => !matches!(op.op, Op::Add | Op::Sub | Op::Mul | Op::Neg),
                _ => false,
            };
        });
        let looped = |i: &&String| !self.scope.declares(i) || self.open.iter().any(|o| o == *i);
        found || names(e).iter().filter(looped).count() > 1
    }

    /// Has `stmt` write a workspace, and the workspace written to what it writes.
    pub(super) fn through(&mut self, stmt: &mut Stmt, work: Work) {
        let mut gather = std::mem::replace(stmt, Stmt::Pass(Vec::new()));
        let Some(Stmt::Assign { target, span, .. }) = guards::assignment_mut(&mut gather) else {
            unreachable!("workspaces are of assignments")
        };
        let span = *span;
        let asked = match &*target {
            Expr::Access { name, .. } => self.asked_workspace(name, work.indices.len()),
            _ => None,
        };
        let late = match (&asked, &work.indices[..]) {
            (None, [Some(_)]) => self.late(&gather, &work.loops, &uses(&gather)),
            _ => None,
        };
        let looked_up = asked.as_ref().is_none_or(|ty| self.has_places(ty));
        let (masked, stamped) = match late {
            Some(late) => {
                gather = late.gather;
                (Some(late.mask), Some(late.ty))
            }
            None => (None, None),
        };
        let Some(Stmt::Assign { target, .. }) = guards::assignment_mut(&mut gather) else {
            unreachable!("workspaces are of assignments")
        };
        let ty = match (asked.or(stamped), work.hashed, &*target) {
            (Some(ty), ..) => ty,
            (None, Some(hashed), Expr::Access { name, .. }) => {
                let of = name.to_string();
                match self.choices.choose(vec![Choice::ByPlace(of.clone()), Choice::Hashed(of)]) {
                    0 => work.ty,
                    _ => hashed,
                }
            }
            _ => work.ty,
        };
        let name = self.fresh(target, GATHERED, span);
        let mut whole = target.clone();
        let mut own: Vec<Ident> = Vec::new();
        for index in work.indices {
            own.push(match index {
                Some(index) => index,
                None => self.fresh(target, "at", span),
            });
        }
        let (Expr::Access { name: of, indices: written, .. }, Expr::Access { indices: each, .. }) =
            (&*target, &mut whole)
        else {
            unreachable!("workspaces are of accesses")
        };
        let outside = written.len() - own.len();
        let sized = self.has_sizes(of, written.len());
        let of = Some(Gathered { result: of.clone(), first: outside, sized });
        let gathered = access(&name, &own);
        for (index, own) in each[outside..].iter_mut().zip(&own) {
            index.expr = Expr::Name(own.clone());
        }
        let written = written[outside..].to_vec();
        *target = Expr::Access {
            name: name.clone(),
            indices: written,
            by_columns: false,
            span: name.span(),
        };
        let target = whole;
        let found = uses(&gather);
        let (mut spread, merged) = self.spread(&gather, (&work.loops, &[]), &found);
        let more = self.looked_up(&gather, &work.loops, &found, (&spread, &merged), false);
        drop(found);
        more.iter().for_each(|s| replace(&mut gather, &s.operand, &s.read()));
        spread.extend(more);
        spread.sort_by_key(|s| std::cmp::Reverse(s.outside));
        let mask = match own.len() {
            1 if masked.is_some() => masked,
            1 if looked_up => self.mask(&gather, &target, &spread).cloned(),
            _ => None,
        };
        self.gallops(&mut gather, &work.loops, &spread);
        Self::around_copies(&mut gather, &work.loops, spread);
        let mut append = Stmt::Assign { target, op: None, value: gathered, span };
        if let (Some(cond), Stmt::Assign { value: Expr::Access { indices, .. }, .. }) =
            (mask, &mut append)
        {
            indices[0].protocol = Some(Ident::new("locate", span));
            let then = Block { stmts: vec![append], span };
            append = Stmt::If { cond, then, otherwise: None };
        }
        around(&mut append, &own);
        let declared = Stmt::Workspace { name, ty, dims: None, of };
        *stmt = Stmt::Block(Block { stmts: vec![declared, gather, append], span });
    }

    /// What is stored wherever the workspace gets an entry, in the order of the result, and is gone through for a copy anyway: what
    /// was gathered is then looked up along it, and need not be sorted.
    fn mask<'a>(&self, gather: &'a Stmt, target: &Expr, spread: &[Spread]) -> Option<&'a Expr> {
        let masks = self.masks(gather, target);
        masks.into_iter().find(|e| spread.iter().any(|s| s.is_of(e)))
    }

    /// What the conditions and the value of `gather` ask for at the coordinates of `target`: nothing is written where that is not
    /// stored.
    pub(super) fn masks<'a>(&self, gather: &'a Stmt, target: &Expr) -> Vec<&'a Expr> {
        let Some(Stmt::Assign { value, .. }) = guards::assignment(gather) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        guards::conditions(gather).into_iter().for_each(|c| factors(c, &Op::And, &mut all));
        let conditions = all.len();
        factors(value, &Op::And, &mut all);
        let Expr::Access { indices: own, .. } = target else { return Vec::new() };
        let masks = all.into_iter().enumerate().filter(|(n, e)| {
            let Expr::Access { name, indices, .. } = e else { return false };
            let alike = own.len() == indices.len()
                && own.iter().zip(indices).all(|(a, b)| plain(a).is_some() && plain(a) == plain(b));
            // What is stored as `false` takes part in a reduction, but not where it is asked for.
            let marks = self.chain(name).is_some_and(is_of_marks);
            alike && (*n < conditions || marks)
        });
        masks.map(|(_, e)| e).collect()
    }

    /// A name that the program does not have, after that of what `of` reads or writes.
    pub(super) fn fresh(&mut self, of: &Expr, what: &str, span: proc_macro2::Span) -> Ident {
        let used = names(of);
        let of = match of {
            Expr::Access { name, .. } => name.to_string(),
            _ => String::new(),
        };
        let of = of.trim_start_matches("r#").to_owned();
        let mut name = format!("{of}_{what}");
        let mut count = 1;
        while self.scope.declares(&name) || used.contains(&name) || self.made.contains(&name) {
            count += 1;
            name = format!("{of}_{what}{count}");
        }
        self.made.push(name.clone());
        Ident::new(&name, span)
    }
}
