//! Several statements that write one result which is appended to, or whose fibers are written one behind the other: all of them are gathered in
//! one workspace, row by row where each of them can go along the rows of the result, and appended from there.
//!
//! `c[i, j] = d[i, j]; c[i, j] += a[i, k] * b[k, j]` takes entries of a row from both. So do the branches of an `if` that write one
//! element, and the terms of a sum that no order of loops serves together.

use super::indices::{self, names, uses};
use super::spread::plain;
use super::workspace::{format, GATHERED, MOST};
use super::{access, guards, masks, turn, Scheduler};
use crate::ast::{Block, Expr, Gathered, OpRef, Stmt};
use crate::cin::Op;
use crate::decl::Order;
use proc_macro2::Ident;
use std::ops::Range;

/// Statements that are gathered together.
struct Together {
    /// How many.
    count: usize,
    /// What the first of them writes, and its indices.
    target: Expr,
    own: Vec<Ident>,
    /// Whether the workspace is one of a row, in a loop over the first index.
    by_row: bool,
    ty: syn::Type,
}

impl Scheduler<'_> {
    /// Has the statements of `block` that write one result write a workspace; gives where loops are that stand around them.
    pub(super) fn together(&mut self, block: &mut Block) -> Vec<usize> {
        let mut rows = Vec::new();
        if !self.open.is_empty() {
            return rows;
        }
        self.apart(block);
        let mut from = 0;
        while from < block.stmts.len() {
            if let Some(found) = self.several(&block.stmts[from..]) {
                from += self.turned_in_front(block, from..from + found.count);
            }
            // By rows, if turned operands can now be gone through so.
            if let Some(found) = self.several(&block.stmts[from..]) {
                if found.by_row {
                    rows.push(from);
                }
                self.gather(block, from, found);
            }
            from += 1;
        }
        rows
    }

    /// Puts copies of operands that are better gone through in another order in front of the statements `all` of `block`, and says how many statements
    /// that makes: within the loop over rows, they would be made for each.
    fn turned_in_front(&mut self, block: &mut Block, all: Range<usize>) -> usize {
        let (start, mut front) = (all.start, Vec::new());
        let mut rest: Vec<Stmt> = block.stmts.drain(all).collect();
        for stmt in &mut rest {
            while let Some(Block { stmts, .. }) = self.turned_once(stmt) {
                let mut stmts = stmts.into_iter();
                let (Some(declared), Some(copy), Some(main)) =
                    (stmts.next(), stmts.next(), stmts.next())
                else {
                    unreachable!("a copy is declared, written and read")
                };
                if let Stmt::Workspace { name, ty, .. } = &declared {
                    self.format(name, ty, true);
                }
                self.scope.define(&declared);
                front.extend([declared, copy]);
                *stmt = main;
            }
        }
        let count = front.len();
        block.stmts.splice(start..start, front.into_iter().chain(rest));
        count
    }

    /// `stmt` behind a copy of an operand that is turned, if that is done.
    fn turned_once(&mut self, stmt: &Stmt) -> Option<Block> {
        let indices = self.scope.unbound(stmt);
        match self.plan(stmt, &indices) {
            Ok(plan) => self.turned_for_less(stmt, &plan),
            Err((edges, _)) => self.turned(stmt, &indices, &edges),
        }
    }

    /// Takes branches and terms apart that are statements of their own, and can be gathered together if they are appended.
    fn apart(&mut self, block: &mut Block) {
        let stmts = std::mem::take(&mut block.stmts);
        let mut written = self.assigned.clone();
        for stmt in stmts {
            let all = self
                .branches(&stmt, &written)
                .or_else(|| self.branches_of_one(&stmt, &written))
                .or_else(|| self.branches_apart(&stmt))
                .or_else(|| self.terms(&stmt));
            let goes = |all: &Vec<Stmt>| {
                all.len() == 1 || self.appends(&all[0]).is_none() || self.several(all).is_some()
            };
            indices::written(&stmt, &mut written);
            match all.filter(goes) {
                Some(all) => block.stmts.extend(all),
                None => block.stmts.push(stmt),
            }
        }
    }

    /// The branches of an `if` that both write a result which is appended to, each under its condition.
    fn branches(&mut self, stmt: &Stmt, written: &[String]) -> Option<Vec<Stmt>> {
        let Stmt::If { cond, then, otherwise: Some(otherwise) } = stmt else { return None };
        let ([first], [second]) = (&then.stmts[..], &otherwise.stmts[..]) else { return None };
        let ((name, own), (other, _)) = (self.appends(first)?, self.appends(second)?);
        // A condition may be `missing`, and neither it nor its opposite holds; Rust tokens are evaluated once.
        if name != other || once(cond) || self.scope.unbound(stmt).is_empty() {
            return None;
        }
        // An element may be one of both branches if the condition has an index that the element has not: then they take turns.
        let (of_cond, all) = (names(cond), self.scope.unbound(stmt));
        let turns = all.iter().any(|i| of_cond.contains(&i.to_string()) && !own.contains(i));
        if turns && (self.strict || !alike(first, second)) {
            return None;
        }
        let first = !written.contains(&name.to_string());
        // A condition on rows is asked once a row, and one row is walked.
        if first && own.iter().any(|i| !of_cond.contains(&i.to_string())) {
            let (then, otherwise) = (&then.stmts[0], &otherwise.stmts[0]);
            let one = masks::chosen(cond, then, otherwise);
            if let Some(one) = one.filter(|one| !turns && !self.has_no_order(one, &all)) {
                return Some(vec![one]);
            }
        }
        let op = OpRef { op: Op::Not, path: None, span: cond.span() };
        let not = Expr::Call { op, args: vec![cond.clone()] };
        let under = |cond: &Expr, block: &Block| {
            let mut then = block.clone();
            // One of the two is done for each element.
            if first {
                then.stmts.iter_mut().for_each(chooses);
            }
            Stmt::If { cond: cond.clone(), then, otherwise: None }
        };
        Some(vec![under(cond, then), under(&not, otherwise)])
    }

    /// The terms of a sum that is added, if no order of loops goes along all of them, and one along each. Sums of floats alone,
    /// which have no limit that a part of them could pass. Each has all indices that are summed over, of sizes that are the same for all.
    fn terms(&self, stmt: &Stmt) -> Option<Vec<Stmt>> {
        let Stmt::Assign { target, op: Some(plus), value, span } = stmt else { return None };
        let Expr::Access { name, .. } = target else { return None };
        let value_type = self.chain(name)?.value.to_string();
        let floats = matches!(&value_type[..], "f64" | "f32");
        if self.strict
            || !floats
            || !matches!(plus.op, Op::Add | Op::Sub)
            || !turn::operands_cross(stmt)
        {
            return None;
        }
        let mut all = Vec::new();
        terms(value, plus.op == Op::Sub, &mut all);
        let statement = |(negative, value): (bool, &Expr)| {
            let op = OpRef { op: if negative { Op::Sub } else { Op::Add }, ..plus.clone() };
            Stmt::Assign { target: target.clone(), op: Some(op), value: value.clone(), span: *span }
        };
        let all: Vec<Stmt> = all.into_iter().map(statement).collect();
        let apart = all.len() > 1 && !all.iter().any(turn::operands_cross);
        (apart && sized_alike(&all, &self.scope.unbound(stmt))).then_some(all)
    }

    /// The tensor that `stmt`, one assignment under conditions, writes, and at which indices, if it is a result that is appended to, or whose
    /// fibers are written one behind the other, and not read.
    fn appends(&self, stmt: &Stmt) -> Option<(Ident, Vec<Ident>)> {
        let Stmt::Assign { target: Expr::Access { name, indices, .. }, .. } =
            guards::assignment(stmt)?
        else {
            return None;
        };
        let (chain, true) = self.formats.get(&name.to_string())? else { return None };
        let appended = chain.as_ref()?.levels.iter().any(|l| {
            l.level().write.as_ref().is_some_and(|w| w.order == Order::Append || w.opens_in_order())
        });
        let own: Vec<Ident> = indices.iter().map(|i| plain(i).cloned()).collect::<Option<_>>()?;
        let distinct = (1..own.len()).all(|k| !own[..k].contains(&own[k]));
        let read = uses(stmt).iter().any(|u| !u.write && u.name == Some(name));
        // What `=` keeps the last of is refused elsewhere.
        let one = self.last_of_several(stmt, &self.scope.unbound(stmt)).is_none();
        (appended && distinct && !read && one).then(|| (name.clone(), own))
    }

    /// As many of `stmts`, from the first one on, as write one result.
    fn several(&self, stmts: &[Stmt]) -> Option<Together> {
        let lacks = |s: &Stmt| !self.scope.unbound(s).is_empty();
        let first = stmts.first()?;
        let (name, own) = self.appends(first).filter(|_| lacks(first))?;
        let also = |s: &Stmt| {
            self.appends(s).is_some_and(|(n, o)| n == name && o.len() == own.len()) && lacks(s)
        };
        let adds = |s: &&Stmt| std::ptr::eq(*s, first) || leaves_out(s, first);
        let count = stmts.iter().take_while(|s| also(s)).take_while(adds).count();
        if count < 2 {
            return None;
        }
        let leaf = self.chain(&name)?.levels.last()?.home();
        let known = |rank| self.known(format(self.krate, rank, Some(&leaf)));
        let one_row = stmts[..count].iter().all(|s| self.along_rows(s, &own));
        let by_row = known(own.len() - 1).filter(|_| one_row);
        let (by_row, ty) = match by_row {
            Some(ty) => (true, ty),
            None => (false, known(own.len()).filter(|_| own.len() <= MOST)?),
        };
        let Stmt::Assign { target, .. } = guards::assignment(first)? else { return None };
        Some(Together { count, target: target.clone(), own, by_row, ty })
    }

    /// Whether a loop over the first of `rows` can stand around `stmt`, which writes an element of such a row.
    fn along_rows(&self, stmt: &Stmt, rows: &[Ident]) -> bool {
        let Some((_, own)) = self.appends(stmt) else { return false };
        let uses = uses(stmt);
        let edges: Vec<_> =
            self.stored(&uses).into_iter().filter(|(.., k)| !uses[*k].write).collect();
        let Some(row) = rows.first().filter(|row| own.first() == Some(*row)) else { return false };
        let left: Vec<Ident> = self.scope.unbound(stmt).into_iter().filter(|i| i != row).collect();
        rows.len() > 1
            && edges.iter().all(|(_, inner, _)| row != inner)
            && self.sorted(&left, &uses, &edges).is_ok()
    }

    /// Puts a workspace around them.
    fn gather(&mut self, block: &mut Block, from: usize, found: Together) {
        let span = found.target.span();
        let name = self.fresh(&found.target, GATHERED, span);
        let outside = usize::from(found.by_row);
        let rank = found.own.len() - outside;
        let asked = match &found.target {
            Expr::Access { name, .. } => self.asked_workspace(name, rank),
            _ => None,
        };
        let ty = asked.unwrap_or(found.ty);
        let of = match &found.target {
            Expr::Access { name, indices, .. } => {
                let sized = self.has_sizes(name, indices.len());
                Some(Gathered { result: name.clone(), first: outside, sized })
            }
            _ => None,
        };
        let mut stmts = vec![Stmt::Workspace { name: name.clone(), ty, dims: None, of }];
        for (n, mut stmt) in block.stmts.drain(from..from + found.count).enumerate() {
            // There is nothing yet for the first one to write over.
            if n == 0 {
                chooses(&mut stmt);
            }
            if let Some(Stmt::Assign { target: Expr::Access { name: to, indices, .. }, .. }) =
                guards::assignment_mut(&mut stmt)
            {
                *to = name.clone();
                indices.drain(..outside);
            }
            stmts.push(stmt);
        }
        let value = access(&name, &found.own[outside..]);
        stmts.push(Stmt::Assign { target: found.target, op: None, value, span });
        let gathered = Block { stmts, span };
        let stmt = match found.by_row {
            true => Stmt::For {
                written: false,
                parallel: None,
                indices: vec![found.own[0].clone()],
                extent: None,
                body: gathered,
            },
            false => Stmt::Block(gathered),
        };
        block.stmts.insert(from, stmt);
    }
}

/// Whether each of `all` has each of `indices`, of a size that is the same for all: that of dimensions which loops of theirs compare.
fn sized_alike(all: &[Stmt], indices: &[Ident]) -> bool {
    let mut equal: Vec<Vec<(String, usize)>> = Vec::new();
    for (stmt, i) in all.iter().flat_map(|s| indices.iter().map(move |i| (s, i))) {
        let mut group = dims_along(stmt, i);
        if group.is_empty() {
            return false;
        }
        let (met, apart) = std::mem::take(&mut equal)
            .into_iter()
            .partition(|other: &Vec<_>| other.iter().any(|dim| group.contains(dim)));
        equal = apart;
        group.extend(met.into_iter().flatten());
        equal.push(group);
    }
    let known = |stmt: &Stmt, i: &Ident, group: &[(String, usize)]| {
        dims_along(stmt, i).iter().any(|dim| group.contains(dim))
    };
    indices.iter().all(|i| equal.iter().any(|group| all.iter().all(|s| known(s, i, group))))
}

/// The dimensions of tensors that `stmt` reads along `i` alone.
fn dims_along(stmt: &Stmt, i: &Ident) -> Vec<(String, usize)> {
    let all = uses(stmt);
    let reads = all.iter().filter(|u| !u.write);
    let along = reads.flat_map(|u| {
        let own =
            |(_, (names, _)): &(usize, &(Vec<String>, bool))| matches!(&names[..], [n] if i == n);
        let dims = u.dims.iter().enumerate().filter(own);
        dims.filter_map(|(d, _)| Some((u.name?.to_string(), d)))
    });
    along.collect()
}

/// The operator by which `stmt` reduces, if it does.
fn operator(stmt: &Stmt) -> Option<&Op> {
    match guards::assignment(stmt) {
        Some(Stmt::Assign { op, .. }) => op.as_ref().map(|op| &op.op),
        _ => None,
    }
}

/// Whether `stmt` may leave a result as it is that `first` wrote where its operands store nothing: a product, or what is written over,
/// would be stored everywhere.
fn leaves_out(stmt: &Stmt, first: &Stmt) -> bool {
    let masks = |e: &Expr| match e {
        Expr::Access { .. } => true,
        Expr::Call { op, args } if op.op == Op::And => {
            args.iter().any(|a| matches!(a, Expr::Access { .. }))
        }
        _ => false,
    };
    match operator(stmt) {
        None => guards::conditions(stmt).into_iter().any(masks),
        Some(
            Op::Add | Op::Sub | Op::Or | Op::BitOr | Op::BitXor | Op::Choose | Op::Function(_),
        ) => true,
        Some(op @ (Op::Min | Op::Max)) => operator(first) == Some(op),
        Some(_) => false,
    }
}

/// Whether two assignments reduce by one operator, whose terms may come in any order.
pub(super) fn alike(a: &Stmt, b: &Stmt) -> bool {
    let sum = |op: Op| if op == Op::Sub { Op::Add } else { op };
    let free = |op: &Op| !matches!(op, Op::Function(_) | Op::Choose) && op.is_commutative();
    matches!((operator(a).cloned().map(sum), operator(b).cloned().map(sum)), (Some(a), Some(b)) if a == b && free(&a))
}

/// Whether `cond` cannot be asked for twice, the second time for its opposite.
pub(super) fn once(cond: &Expr) -> bool {
    match cond {
        Expr::Escape(..) | Expr::Shape(_) => true,
        Expr::Access { name, indices, .. } => {
            name == "permit" || indices.iter().any(|i| once(&i.expr))
        }
        Expr::Call { op, args } => !op.op.is_pure() || args.iter().any(once),
        Expr::Name(_) | Expr::Lit(..) | Expr::Path(_) => false,
    }
}

/// Has an assignment of what has no value yet leave out what is not stored.
fn chooses(stmt: &mut Stmt) {
    if let Some(Stmt::Assign { op, span, .. }) = guards::assignment_mut(stmt) {
        op.get_or_insert_with(|| OpRef { op: Op::Choose, path: None, span: *span });
    }
}

/// The terms of the sum `e`, each with whether it is taken away.
fn terms<'a>(e: &'a Expr, negative: bool, out: &mut Vec<(bool, &'a Expr)>) {
    let Expr::Call { op, args } = e else { return out.push((negative, e)) };
    match (&op.op, &args[..]) {
        (Op::Add, all) => all.iter().for_each(|a| terms(a, negative, out)),
        (Op::Sub, [a, b]) => {
            terms(a, negative, out);
            terms(b, !negative, out);
        }
        (Op::Neg, [a]) => terms(a, !negative, out),
        _ => out.push((negative, e)),
    }
}
