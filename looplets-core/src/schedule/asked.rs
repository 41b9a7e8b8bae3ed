//! What a program asks for of the scheduler beyond its own choices: the formats of workspaces, and operands that are looked up.
//!
//! `#![schedule(workspace(c: Format))]` has what is gathered of `c` held in that format, whatever crate
//! it is of: the core knows no format that would be better or worse.

use super::Scheduler;
use crate::ast::{Block, Expr, Program, Stmt, Wish, WishKind};
use crate::decl::Order;
use crate::diagnostics::text;
use crate::formats::{Chain, LevelUse};
use proc_macro2::Ident;

/// The formats that `program` asks for.
pub fn formats(program: &Program) -> impl Iterator<Item = syn::Type> + '_ {
    program.schedule.iter().filter_map(|wish| match &wish.kind {
        WishKind::Workspace(_, ty) => Some((**ty).clone()),
        _ => None,
    })
}

/// Has the statements of `block` that lack loops look up the operands that `wishes` say; `inside`: those in written loops too.
/// Which of the wishes were for such an operand is noted, if it is one that is gone `along` otherwise.
pub fn locate(
    block: &mut Block,
    inside: bool,
    along: &dyn Fn(&Ident) -> bool,
    (wishes, granted): (&[Wish], &mut [bool]),
) {
    for (wish, granted) in wishes.iter().zip(granted) {
        let WishKind::Locate(of) = &wish.kind else { continue };
        if !along(of) {
            continue;
        }
        let at = Ident::new("locate", wish.span);
        reads(block, inside, &mut |e| {
            let Expr::Access { name, indices, .. } = e else { return };
            if let Some(last) = indices.last_mut().filter(|i| name == of && i.protocol.is_none()) {
                last.protocol = Some(at.clone());
                *granted = true;
            }
        });
    }
}

/// All that the statements of `block` read, those in written loops if they are `inside`.
fn reads(block: &mut Block, inside: bool, f: &mut dyn FnMut(&mut Expr)) {
    for stmt in &mut block.stmts {
        match stmt {
            Stmt::For { .. } if !inside => {}
            Stmt::For { body, .. } | Stmt::Block(body) => reads(body, inside, f),
            Stmt::Assign { value, .. } | Stmt::Let { value, .. } => within(value, f),
            Stmt::If { cond, then, otherwise } => {
                within(cond, f);
                reads(then, inside, f);
                otherwise.iter_mut().for_each(|b| reads(b, inside, f));
            }
            Stmt::Where { consumer, producer } => {
                reads(producer, inside, f);
                reads(consumer, inside, f);
            }
            _ => {}
        }
    }
}

fn within(e: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
    f(e);
    match e {
        Expr::Access { indices, .. } => indices.iter_mut().for_each(|i| within(&mut i.expr, f)),
        Expr::Call { args, .. } => args.iter_mut().for_each(|a| within(a, f)),
        // An operator on shapes reads all of its operands.
        _ => {}
    }
}

/// The first of `levels` that does not take entries in any order.
fn ordered(levels: &[LevelUse]) -> Option<String> {
    let any_order = |l: &LevelUse| {
        let write = l.level().write.as_ref();
        write.is_some_and(|w| w.order != Order::Append && !w.opens_in_order())
    };
    levels.iter().find(|l| !any_order(l)).map(|l| l.decl.name().to_string())
}

impl Scheduler<'_> {
    /// Whether an element of a tensor of this format can be looked up along its first dimension.
    pub(super) fn has_places(&self, ty: &syn::Type) -> bool {
        let chain = self.library.resolved(ty, self.generics).ok();
        let first = chain.as_ref().and_then(|c| c.levels.first());
        first.is_some_and(|l| l.level().leaves_out() && l.level().read("locate").is_some())
    }

    /// How many dimensions the workspace of the tensor `of` is asked to have.
    pub(super) fn asked_rank(&self, of: &Ident) -> Option<usize> {
        let chain = self.library.resolved(self.choices.wished_format(of)?, self.generics).ok()?;
        Some(chain.levels.len().saturating_sub(1))
    }

    /// The format of `rank` dimensions in which what is gathered or copied of the tensor `of` is asked to be held; what
    /// keeps it from being that is said.
    pub(super) fn asked_format(&mut self, of: &Ident, rank: usize) -> Option<syn::Type> {
        let (ty, span) = self.choices.workspace(of)?;
        let chain = match self.library.resolved(ty, self.generics) {
            Ok(chain) => chain,
            Err(e) => {
                self.errors.error(e.span(), e.to_string());
                return None;
            }
        };
        let own = chain.levels.len().saturating_sub(1);
        let elements = |c: &Chain| {
            let fill = c.fill.as_ref().map(ToString::to_string).unwrap_or_default();
            (text(&c.value), fill)
        };
        let (wanted, given) = (elements(self.chain(of)?), elements(&chain));
        let dims = |n: usize| format!("{n} dimension{}", if n == 1 { "" } else { "s" });
        let shown = |(value, fill): (String, String)| format!("`{value}` with fill `{fill}`");
        let misfit = if own != rank {
            format!("the workspace of `{of}` has {} here, and this format has {own}", dims(rank))
        } else if wanted != given {
            format!(
                "the workspace of `{of}` has its elements, {}, and this format has {}",
                shown(wanted),
                shown(given)
            )
        } else {
            return Some(ty.clone());
        };
        self.errors.error(span, misfit);
        None
    }

    /// The same for a copy of `of` in another order of its dimensions, whose entries come in any order.
    pub(super) fn asked_turned(&mut self, of: &Ident, rank: usize) -> Option<syn::Type> {
        let ty = self.asked_format(of, rank)?;
        let chain = self.library.resolved(&ty, self.generics).ok()?;
        let (_, levels) = chain.levels.split_last()?;
        let leaves_out = |levels: &[LevelUse]| levels.iter().any(|l| l.level().leaves_out());
        let own = self.chain(of).is_some_and(|c| leaves_out(&c.levels));
        let misfit = match ordered(levels) {
            Some(name) => format!("entries of `{of}` come in any order when it is copied in the other one, and `{name}` does not take them so: choose a table or a tree"),
            None if own && !levels.last().is_some_and(|l| l.level().leaves_out()) => format!("the copy of `{of}` would store every element: choose a format that leaves out what is not written"),
            None => return Some(ty),
        };
        let (_, span) = self.choices.workspace(of)?;
        self.errors.error(span, misfit);
        None
    }

    /// The same for what is gathered of `of`, which comes in any order.
    pub(super) fn asked_workspace(&mut self, of: &Ident, rank: usize) -> Option<syn::Type> {
        let ty = self.asked_format(of, rank)?;
        let chain = self.library.resolved(&ty, self.generics).ok()?;
        let (_, levels) = chain.levels.split_last()?;
        let misfit = match ordered(levels) {
            _ if levels.last().is_some_and(|l| !l.level().leaves_out()) => format!("what is gathered of `{of}` is appended from this workspace, which would store every element: choose a format that leaves out what is not written"),
            Some(name) => format!("what is gathered of `{of}` comes in any order, and `{name}` does not take entries so: choose a table or a tree"),
            None => return Some(ty),
        };
        let (_, span) = self.choices.workspace(of)?;
        self.errors.error(span, misfit);
        None
    }

    /// The same for a copy of `of`, which is looked up.
    pub(super) fn asked_copy(&mut self, of: &Ident) -> Option<syn::Type> {
        let ty = self.asked_format(of, 1)?;
        if self.has_places(&ty) {
            return Some(ty);
        }
        let (_, span) = self.choices.workspace(of)?;
        self.errors.error(
            span,
            format!("the copy of `{of}` is looked up: its format leaves elements out, and has the protocol `locate`"),
        );
        None
    }
}
