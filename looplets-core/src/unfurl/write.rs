//! The entries of a written fiber, and the code of write protocols.

use super::scope::{Meaning, Scope};
use crate::cin::*;
use crate::decl::{named, uses, with_length, Clause, Hold, Order, Use, CRATE};
use crate::kernel::*;
use crate::kir::{Begin, Commit, Kir};
use crate::nest::{Def, Entry, Looplet, Payload};
use crate::runtime::Runtime;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What positions, coordinates and counts are in Rust of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Numbers {
    /// `i64`, as in `read`.
    Signed,
    /// `usize`, as in `write` and in leaves.
    Unsigned,
}

impl Scope<'_> {
    /// A clause of a write protocol, in which positions, coordinates and counts are `usize`.
    fn write_code(
        &mut self,
        clause: Clause,
        code: &TokenStream,
        frame: impl Fn(TokenStream) -> TokenStream,
    ) -> Kir {
        let hold = self.level.format.level().write.as_ref().map_or(Hold::Vecs, |w| w.hold(clause));
        let (code, lengths) = self.lengths(code);
        let (mut names, bindings) = self.bindings(&code, hold, Numbers::Unsigned);
        let value = clause.value(&code);
        let frame = |value| {
            let told = |code, (of, name): &(Ident, Ident)| with_length(code, of, name);
            let value = lengths.keys().fold(value, told);
            frame(quote!({ #bindings #value }))
        };
        names.extend(lengths.iter().map(|((_, name), length)| (name.clone(), length.clone())));
        match self.raw(&value, frame, names, Ty::Unknown) {
            Expr::Raw(id) => Kir::Code(id),
            _ => unreachable!("a raw is a raw"),
        }
    }

    /// `code` with names for the lengths of the arrays of which it asks no more, and what these stand for: the
    /// arrays and the names of their lengths.
    fn lengths(&mut self, code: &TokenStream) -> (TokenStream, BTreeMap<(Ident, Ident), Expr>) {
        let (mut code, mut lengths) = (code.clone(), BTreeMap::new());
        for Use { at, length, .. } in uses(&code, |name| self.meaning(name).is_some()) {
            if let (true, Some(Meaning::Array(a))) = (length, self.lookup(&at)) {
                let name = quote::format_ident!("__{at}_len");
                let size = Ty::Named("usize".into());
                let asked = self.kernel.call(Runtime::Length, vec![Expr::Array(a)], size);
                code = with_length(code, &at, &name);
                lengths.insert((at, name), asked);
            }
        }
        (code, lengths)
    }

    /// `code` of the declaration in its frame, with what people are shown of it.
    pub(super) fn raw(
        &mut self,
        code: &TokenStream,
        frame: impl Fn(TokenStream) -> TokenStream,
        names: Vec<(Ident, Expr)>,
        ty: Ty,
    ) -> Expr {
        let shown = self.level.format.level().shown(code).map(|code| frame(self.written(&code)));
        let raw = self.kernel.raw(frame(self.written(code)), names, ty);
        if let Expr::Raw(id) = &raw {
            self.kernel.raws[id.0 as usize].shown = shown;
        }
        raw
    }

    /// What the names in `code` stand for, and bindings of those that nothing can stand for: arrays, and names
    /// in texts and patterns.
    pub(super) fn bindings(
        &self,
        code: &TokenStream,
        hold: Hold,
        numbers: Numbers,
    ) -> (Vec<(Ident, Expr)>, TokenStream) {
        let (op, number) = match numbers {
            Numbers::Signed => (Op::Index, quote!(i64)),
            Numbers::Unsigned => (Op::Usize, quote!(usize)),
        };
        let (mut names, mut bindings) = (Vec::new(), TokenStream::new());
        for Use { at, plain, .. } in uses(code, |name| self.meaning(name).is_some()) {
            let slot = quote::format_ident!("__{at}");
            match self.lookup(&at) {
                Some(Meaning::Array(a)) => {
                    // A borrow of its own name, so that the author may use an array twice in a call.
                    bindings.extend(hold.borrow(&at, &quote!(#slot)));
                    names.push((slot, Expr::Array(a)));
                }
                Some(Meaning::Expr(e)) if plain => names.push((at, Expr::call(op.clone(), [e]))),
                Some(Meaning::Expr(e)) => {
                    bindings.extend(quote!(let #at: #number = #slot;));
                    names.push((slot, Expr::call(op.clone(), [e])));
                }
                // What stands for it is put in with the other parameters.
                Some(Meaning::Parameter(..)) if plain => {}
                Some(Meaning::Parameter(ty, value)) => {
                    bindings.extend(quote!(let #at: #ty = #value;));
                }
                None => {}
            }
        }
        (names, bindings)
    }

    /// Whether each name in `code` is an array, or something may stand for it.
    pub(super) fn plain(&self, code: &TokenStream) -> bool {
        let array = |name: &Ident| matches!(self.lookup(name), Some(Meaning::Array(_)));
        let all = uses(code, |name| self.meaning(name).is_some());
        all.iter().all(|u| u.plain || array(&u.at))
    }

    /// `code` of the declaration as it stands in kernels.
    pub(super) fn written(&self, code: &TokenStream) -> TokenStream {
        let krate = self.kernel.krate.clone();
        let mut completed = vec![(Ident::new(CRATE, Span::call_site()), krate.clone())];
        if self.level.format.level().leaf.is_some() {
            let chain = &self.kernel.tensor(self.tensor).chain;
            let (marker, value) = (&chain.fill_type, &chain.value);
            let fill = quote!(<#marker as #krate::Fill<#value>>::VALUE);
            completed.push((quote::format_ident!("fill"), fill));
        }
        crate::formats::substitute(self.level.format.substitute(code.clone()), &completed)
    }

    /// An expression of a write protocol that may fail: for want of memory, or as the level cannot
    /// store what was written.
    pub fn write_growth(&mut self, clause: Clause, tokens: &TokenStream) -> Kir {
        let krate = self.kernel.krate.clone();
        let (level, sizes) = (self.level.format.level().name.to_string(), self.sizes());
        let shape = sizes.iter().map(|(name, _)| quote!(#name as i64));
        let stored = quote!(#krate::rt::stored(#level, &[#(#shape),*], may));
        let failing = self.kernel.failing(stored);
        let code = self.write_code(clause, tokens, |block| quote!({ let may = #block; #failing; }));
        if let Kir::Code(id) = &code {
            self.kernel.raws[id.0 as usize].names.extend(sizes);
        }
        code
    }

    /// The shape of the tensor, under names that no declaration has.
    fn sizes(&self) -> Vec<(Ident, Expr)> {
        let lens = self.kernel.tensor(self.tensor).lens.iter().enumerate();
        lens.map(|(k, len)| (quote::format_ident!("__size{k}"), Expr::Var(*len))).collect()
    }

    /// A condition of a write protocol, with its effects.
    fn write_condition(&mut self, tokens: &TokenStream) -> Expr {
        match self.write_code(Clause::Extend, tokens, |block| block) {
            Kir::Code(id) => {
                let raw = &mut self.kernel.raws[id.0 as usize];
                raw.ty = Ty::Bool;
                raw.effect = true;
                Expr::Raw(id)
            }
            _ => unreachable!("code is a raw"),
        }
    }

    /// How many fibers a level has below it, which may be more than can be addressed.
    pub fn write_count(&mut self, tokens: &TokenStream) -> Expr {
        let krate = self.kernel.krate.clone();
        let (level, sizes) = (self.level.format.level().name.to_string(), self.sizes());
        let shape = sizes.iter().map(|(name, _)| quote!(#name as i64));
        let counted = quote!(#krate::rt::count(#level, &[#(#shape),*], children));
        let failing = self.kernel.failing(counted);
        let frame = |block: TokenStream| quote!({ let children = #block; #failing });
        let count = self.write_number(Clause::Children, tokens, frame);
        if let Expr::Raw(id) = &count {
            self.kernel.raws[id.0 as usize].names.extend(sizes);
        }
        count
    }

    /// A number computed by a write protocol, as a coordinate.
    fn write_number(
        &mut self,
        clause: Clause,
        tokens: &TokenStream,
        frame: impl Fn(TokenStream) -> TokenStream,
    ) -> Expr {
        match self.write_code(clause, tokens, frame) {
            Kir::Code(id) => {
                self.kernel.raws[id.0 as usize].ty = Ty::Named("usize".into());
                Expr::Raw(id)
            }
            _ => unreachable!("code is a raw"),
        }
    }

    /// The position of an entry, as a coordinate. That of an `append` or `insert` may make room.
    fn write_position(&mut self, e: &syn::Expr, made: bool) -> Expr {
        if let (false, Some(term)) = (made, self.place(e)) {
            return term;
        }
        let position = self.write_number(Clause::Child, &quote!(#e), |block| quote!((#block)));
        if let Expr::Raw(id) = &position {
            self.kernel.raws[id.0 as usize].effect = made;
        }
        position
    }
}

/// The entries `first..=last` of a written fiber, which share one child; mostly they are one.
pub(super) fn entry(kernel: &mut Kernel, access: &Access, first: &Expr, last: &Expr) -> Looplet {
    let tensor = access.tensor;
    let format = kernel.tensor(tensor).levels[access.level].format.clone();
    let write = format.level().write.as_ref().expect("checked by resolve");
    let made = write.order != Order::Locate;
    let mut scope = Scope::new(kernel, tensor, access.level);
    scope.bind(&write.p, access.pos.clone());
    if let Some(i) = &write.i {
        scope.bind(i, first.clone());
    }
    let declared = write.child.as_ref().expect("validated");
    let found = write.find.as_ref().map(|find| scope.expr(find));
    let child = scope.write_position(declared, made);
    let of = (tensor, access.level);
    let name = kernel.tensor(tensor).name.clone();
    let local = |kernel: &mut Kernel, what: &str| {
        kernel.var(&format!("{name}{}_{what}", access.level), VarKind::Local, Ty::Index)
    };
    let mut defs = Vec::new();
    let found = found.map(|value| {
        let var = local(kernel, "found");
        defs.push(Def { var, mutable: false, value });
        var
    });
    let at = made.then(|| local(kernel, "q"));
    let (position, child) = match at {
        Some(at) => (child, Expr::Var(at)),
        None => {
            let child = match child {
                Expr::Raw(_) => {
                    let var = local(kernel, "q");
                    defs.push(Def { var, mutable: false, value: child });
                    Expr::Var(var)
                }
                child => child,
            };
            (Expr::int(0), crate::prove::canonical(&child))
        }
    };
    let open = open(kernel, tensor, access.level + 1, &child);
    let (before, begin) = match at {
        Some(at) => {
            let room = reserve(kernel, tensor, access.level + 1, &child.plus(1));
            let open = open.into_iter().collect();
            (Vec::new(), Some(Begin { of, at, position, found, room, open, written: None }))
        }
        None => (Vec::from_iter(open), None),
    };
    let mut code = Vec::new();
    let mut scope = Scope::new(kernel, tensor, access.level);
    scope.bind(&write.p, access.pos.clone());
    if let Some(i) = &write.i {
        scope.bind(i, last.clone());
    }
    let mut refusal: Vec<Kir> = Vec::new();
    if access.level == 0
        && made
        && scope.kernel.restructured(tensor)
        && write.order == Order::Append
    {
        let follow = Expr::Var(scope.kernel.follows(tensor));
        let krate = scope.kernel.krate.clone();
        scope.bind(&quote::format_ident!("first"), first.clone());
        scope.bind(&quote::format_ident!("follow"), follow);
        refusal.push(scope.write_growth(Clause::Entry, &quote!(#krate::rt::after(first, follow))));
    }
    let own: Vec<Kir> =
        write.entry.iter().map(|may| scope.write_growth(Clause::Entry, may)).collect();
    refusal.extend(own);
    if let Some(commit) = &write.commit {
        if named(commit, "below").is_some() {
            let below = below(scope.kernel, tensor, access.level + 1, &child.plus(1));
            scope.bind(&quote::format_ident!("below"), below);
        }
        code.push(scope.write_code(Clause::Commit, commit, |block| block));
    }
    // The elements share the names of the whole `commit`, where an expression stands for each.
    let shares = write.commit.as_ref().is_some_and(|commit| scope.plain(commit));
    let names = match code.first() {
        Some(Kir::Code(r)) => scope.kernel.raws[r.0 as usize].names.clone(),
        _ => Vec::new(),
    };
    // What is found was made before.
    if let Some(found) = found.filter(|_| !code.is_empty()) {
        let cond = new(found);
        code = vec![Kir::If { cond, then: code, otherwise: Vec::new() }];
    }
    if let Some(extend) = &write.extend {
        scope.bind(&quote::format_ident!("first"), first.clone());
        let extended = scope.write_condition(extend);
        code = joined(kernel, access, &child, extended, code);
    }
    let plain = shares && begin.is_some() && refusal.is_empty() && write.extend.is_none();
    let each = plain.then(|| super::appended::each(kernel, access, &names)).flatten();
    let lengthened = super::appended::lengthened(kernel, access);
    let body = Box::new(Looplet::Run(Payload::Child(child)));
    let needed = made || !code.is_empty() || !refusal.is_empty();
    let commit = Commit { of, code, each };
    let after = needed.then(|| Rc::new(Entry { tensor, begin, refusal, commit, lengthened }));
    if defs.is_empty() && before.is_empty() && after.is_none() {
        return *body;
    }
    Looplet::Thunk { defs, before, body, after }
}

/// Whether an entry was not found where it was looked for.
fn new(found: VarId) -> Expr {
    Expr::call(Op::Lt, [Expr::Var(found), Expr::int(0)])
}

/// `commit`, unless the entry at `q` of a leaf is identical to the one before and `extend` joins the two.
fn joined(
    kernel: &mut Kernel,
    access: &Access,
    q: &Expr,
    extend: Expr,
    commit: Vec<Kir>,
) -> Vec<Kir> {
    let (tensor, depth) = (access.tensor, access.level + 1);
    let leaf = kernel.tensor(tensor).levels[depth].format.clone();
    let Some(write) = leaf.level().write.as_ref().filter(|_| leaf.level().leaf.is_some()) else {
        return commit;
    };
    let mut cond = vec![Expr::call(Op::Lt, [Expr::int(0), q.clone()])];
    let mut then = Vec::new();
    if let Some(place) = &write.place {
        let mut at = |p: Expr| {
            let mut scope = Scope::new(kernel, tensor, depth);
            scope.bind(&write.p, p);
            scope.expr(place)
        };
        let (before, own) = (at(q.plus(-1)), at(q.clone()));
        cond.push(Expr::call(Op::Identical, [before, own.clone()]));
        // The place is used again.
        let fill = kernel.tensor(tensor).fill.clone();
        then.push(Kir::Store { target: own, op: None, value: fill });
    }
    cond.push(extend);
    vec![Kir::If { cond: Expr::call(Op::And, cond), then, otherwise: commit }]
}

/// How many fibers of the children of `depth` there are by now, if `depth` has `count`.
fn below(kernel: &mut Kernel, tensor: TensorId, depth: usize, count: &Expr) -> Expr {
    let format = kernel.tensor(tensor).levels[depth].format.clone();
    match format.level().write.as_ref().and_then(|w| w.children.as_ref()) {
        Some((fibers, children)) => {
            let mut scope = Scope::new(kernel, tensor, depth);
            scope.bind(fibers, count.clone());
            scope.write_count(children)
        }
        None => count.clone(),
    }
}

/// Code that reopens a finished tensor: the first coordinate that may follow is held in a local.
pub fn thaw(kernel: &mut Kernel, tensor: TensorId) -> Option<Kir> {
    let format = kernel.tensor(tensor).levels[0].format.clone();
    let code = format.level().write.as_ref()?.thaw.as_ref()?;
    let mut scope = Scope::new(kernel, tensor, 0);
    let value = scope.write_number(Clause::Thaw, code, |block| block);
    let var = kernel.follows(tensor);
    Some(Kir::Let { var, mutable: false, value })
}

/// Code that takes all entries out of a tensor of one sparse level, if that says how and what is below
/// is a leaf.
pub fn clear(kernel: &mut Kernel, tensor: TensorId) -> Option<Kir> {
    let [level, leaf] = kernel.tensor(tensor).levels.as_slice() else { return None };
    let code = level.format.level().write.as_ref()?.clear.clone()?;
    let decl = leaf.format.clone();
    let write = decl.level().write.as_ref()?;
    let q = quote::format_ident!("q");
    let mut scope = Scope::new(kernel, tensor, 1);
    let (names, blank) = match &write.place {
        None => (Vec::new(), TokenStream::new()),
        Some(place) => {
            let (krate, chain) =
                (scope.kernel.krate.clone(), scope.kernel.tensor(tensor).chain.clone());
            let (marker, value) = (&chain.fill_type, &chain.value);
            scope.bind(&write.p, Expr::int(0));
            let (names, bindings) =
                scope.bindings(&quote!(#place), Hold::Slices, Numbers::Unsigned);
            let arrays = names.into_iter().filter(|(_, e)| matches!(e, Expr::Array(_)));
            let own = |(slot, a)| (quote::format_ident!("{slot}_below"), slot, a);
            let arrays: Vec<_> = arrays.map(own).collect();
            let slots: Vec<_> =
                arrays.iter().map(|(to, from, _)| (from.clone(), quote!(#to))).collect();
            let bindings = crate::formats::substitute(bindings, &slots);
            let (p, place) = (&write.p, scope.written(&quote!(#place)));
            let blank = quote!(let #p: usize = #q; #bindings #place = <#marker as #krate::Fill<#value>>::VALUE;);
            (arrays.into_iter().map(|(to, _, a)| (to, a)).collect(), blank)
        }
    };
    let mut scope = Scope::new(kernel, tensor, 0);
    // The author's name for it, whose hygiene it has.
    let blank = named(&code, "blank").map(|name| quote!(let mut #name = |#q: usize| { #blank };));
    let Kir::Code(raw) = scope.write_code(Clause::Clear, &code, |block| quote!({ #blank #block }))
    else {
        unreachable!("code is code")
    };
    kernel.raws[raw.0 as usize].names.extend(names);
    Some(Kir::Code(raw))
}

/// Code that opens the fiber `p` of a level for writing.
pub fn open(kernel: &mut Kernel, tensor: TensorId, depth: usize, p: &Expr) -> Option<Kir> {
    let format = kernel.tensor(tensor).levels[depth].format.clone();
    let write = format.level().write.as_ref()?;
    let code = write.open.as_ref()?;
    let mut scope = Scope::new(kernel, tensor, depth);
    scope.bind(&write.p, p.clone());
    Some(scope.write_growth(Clause::Open, code))
}

/// Code that makes fibers `0..count` of a level exist, at fill.
pub fn reserve(kernel: &mut Kernel, tensor: TensorId, depth: usize, count: &Expr) -> Vec<Kir> {
    let format = kernel.tensor(tensor).levels[depth].format.clone();
    let Some(write) = &format.level().write else { return Vec::new() };
    let mut scope = Scope::new(kernel, tensor, depth);
    let mut code = Vec::new();
    if let Some((fibers, reserve)) = &write.reserve {
        scope.bind(fibers, count.clone());
        code.push(scope.write_growth(Clause::Reserve, reserve));
    }
    if let Some((fibers, children)) =
        write.children.as_ref().filter(|_| write.order == Order::Locate)
    {
        scope.bind(fibers, count.clone());
        let children = scope.write_count(children);
        code.extend(reserve(kernel, tensor, depth + 1, &children));
    }
    code
}
