//! Sparse operands that are met again and again: they are spread once into a workspace that is read by random access.
//!
//! In `y[i] += a[i, j] * x[j]` each row of `a` is merged with all of `x`. A copy of `x` in which a coordinate is looked up
//! in constant time makes each row cost its own entries (Gustavson, *Two Fast Algorithms for Sparse Matrices*, 1978, for a
//! row; Kjolstad et al., *Tensor Algebra Compilation with Workspaces*, CGO 2019, section 2).
//!
//! Each fiber is spread at most once, since all loops around the copy are over indices of the operand. A copy that then
//! nothing meets costs what the fiber has; so a fiber within loops is spread only where the loop that meets it again runs
//! over a whole dimension, or over the fiber itself, as in triangles.

use super::indices::{is_written, Use};
use super::laws::annihilates;
use super::products::factors;
use super::turn::accesses;
use super::whole_copy::{checked, Check, Whole};
use super::workspace::format;
use super::{access, around, guards, Choice, Scheduler};
use crate::ast::{Block, Expr, Index, Stmt};
use crate::cin::{Lit, Op};
use crate::formats::fill_literal;
use crate::types::Ty;
use proc_macro2::Ident;

/// An operand that is spread.
pub struct Spread {
    /// It, as it stands in the program.
    pub(super) operand: Expr,
    /// Its last index.
    index: Ident,
    /// How many loops stand around the copy.
    pub(super) outside: usize,
    /// The workspace, and its format.
    name: Ident,
    ty: syn::Type,
    /// Whether that has every coordinate.
    whole: bool,
    /// What looks at such a copy is checked for.
    check: Option<Check>,
}

impl Spread {
    /// Whether it is met again in loops over `within`.
    pub fn is_met_in(&self, within: &[Ident]) -> bool {
        within.contains(&self.index)
    }

    /// Whether `e` reads what is spread.
    pub fn is_of(&self, e: &Expr) -> bool {
        same(e, &self.operand)
    }

    /// What reads the copy.
    pub(super) fn read(&self) -> Expr {
        let mut read = access(&self.name, std::slice::from_ref(&self.index));
        if let (Expr::Access { indices, .. }, false) = (&mut read, self.whole) {
            indices[0].protocol = Some(Ident::new("locate", self.name.span()));
        }
        read
    }
}

/// Whether a product in `stmt` has two accesses that may meet.
pub fn meets(stmt: &Stmt) -> bool {
    let mut found = !guards::conditions(stmt).is_empty();
    super::indices::assignments(stmt, &mut |_, _, value| {
        products(value, &mut |_, factors| {
            found |= factors.iter().filter(|f| matches!(f, Expr::Access { .. })).count() > 1;
        });
    });
    found
}

/// The factors of each product in `e`, those of products within it among them.
pub(super) fn products<'a>(e: &'a Expr, f: &mut dyn FnMut(&Op, &[&'a Expr])) {
    let mut within: Vec<&Expr> = Vec::new();
    match e {
        Expr::Call { op, .. } if joins(&op.op) => {
            factors(e, &op.op, &mut within);
            f(&op.op, &within);
        }
        Expr::Call { args, .. } => within.extend(args),
        _ => {}
    }
    within.into_iter().for_each(|e| products(e, f));
}

/// To spread an operand or not, what is done where nothing is known of sizes first.
pub(super) fn ways_to_meet(name: &Ident, paid: bool) -> Vec<Choice> {
    let (spread, merge) = (Choice::Spread(name.to_string()), Choice::Merge(name.to_string()));
    match paid {
        true => vec![spread, merge],
        false => vec![merge, spread],
    }
}

/// Operators that may give their fill wherever one operand is at it.
fn joins(op: &Op) -> bool {
    use Op::{Add, And, BitAnd, Function, Max, Min, Mul};
    matches!(op, Mul | And | BitAnd | Add | Min | Max | Function(_))
}

impl Scheduler<'_> {
    /// What of `stmt` is to be spread within `loops`, from the innermost copy to the outermost, and the operands that
    /// could be spread and are merged by choice. Loops over `within` are to stand in its conditions.
    pub(super) fn spread(
        &mut self,
        stmt: &Stmt,
        (loops, within): (&[Ident], &[Ident]),
        uses: &[Use<'_>],
    ) -> (Vec<Spread>, Vec<Expr>) {
        let Some(Stmt::Assign { value, span, .. }) = guards::assignment(stmt) else {
            return Default::default();
        };
        let mut merged: Vec<Expr> = Vec::new();
        let mut found: Vec<(&Expr, Ident, usize)> = Vec::new();
        let mut choices =
            std::mem::replace(&mut self.choices, super::Choices::new(&[], Vec::new()));
        products(value, &mut |op, factors| {
            // One operand is left to lead.
            let mut meeting: Vec<&Expr> =
                factors.iter().copied().filter(|e| matches!(e, Expr::Access { .. })).collect();
            for operand in factors {
                let Some((index, outside, paid)) = self.again(operand, (loops, within), uses)
                else {
                    continue;
                };
                let fill = self.annihilator(operand, op);
                let met = |e: &&Expr| {
                    !same(e, operand) && self.leads(e, &index) && self.annihilator(e, op) == fill
                };
                if fill.is_none() || !meeting.iter().any(met) {
                    continue;
                }
                let Expr::Access { name, .. } = operand else { continue };
                if (choices.choose(ways_to_meet(name, paid)) == 0) != paid {
                    merged.push((*operand).clone());
                    continue;
                }
                meeting.retain(|e| !same(e, operand));
                if !found.iter().any(|(e, ..)| same(e, operand)) {
                    found.push((operand, index, outside));
                }
            }
        });
        // What a condition asks is looked up where the assignment goes along what it reads.
        let mut conds = Vec::new();
        for cond in guards::conditions(stmt) {
            factors(cond, &Op::And, &mut conds);
        }
        let mut read = Vec::new();
        accesses(value, &mut read);
        for operand in conds {
            let Some((index, outside, paid)) = self.again(operand, (loops, within), uses) else {
                continue;
            };
            let left = |e: &&&Expr| !found.iter().any(|(o, ..)| same(o, e));
            let leads = read.iter().filter(left).any(|e| self.leads(e, &index));
            if !leads || self.annihilator(operand, &Op::And).is_none() {
                continue;
            }
            let Expr::Access { name, .. } = operand else { continue };
            match (choices.choose(ways_to_meet(name, paid)) == 0) == paid {
                true => found.push((operand, index, outside)),
                false => merged.push(operand.clone()),
            }
        }
        self.choices = choices;
        let mut out = Vec::new();
        for (operand, index, outside) in found {
            let copy = match outside {
                0 => self.whole_copy(stmt, loops, (operand, &index)),
                _ => None,
            };
            out.extend(self.copied_to(operand, index, outside, copy, *span));
        }
        out.sort_by_key(|s| std::cmp::Reverse(s.outside));
        (out, merged)
    }

    /// The copy of `operand`, with every coordinate if `whole` says how.
    pub(super) fn copied_to(
        &mut self,
        operand: &Expr,
        index: Ident,
        outside: usize,
        whole: Option<Whole>,
        span: proc_macro2::Span,
    ) -> Option<Spread> {
        let Expr::Access { name, .. } = operand else { return None };
        // A copy holds its values, which a leaf that borrows cannot.
        let leaf = self.chain(name)?.levels.last().filter(|leaf| !leaf.level().borrows())?;
        let ty = self.known(format(self.krate, 1, Some(&leaf.home())))?;
        let (whole, ty) = match self.asked_copy(name) {
            Some(asked) => (None, asked),
            None => (whole, ty),
        };
        let name = self.fresh(operand, "spread", span);
        let is_whole = whole.is_some();
        let Whole { ty, check } = whole.unwrap_or(Whole { ty, check: None });
        Some(Spread { operand: operand.clone(), index, outside, name, ty, whole: is_whole, check })
    }

    /// The last index of `operand`, how many of the loops stand around a copy of its fiber that is met again, and whether
    /// that pays whatever is stored.
    pub(super) fn again(
        &self,
        operand: &Expr,
        (loops, within): (&[Ident], &[Ident]),
        uses: &[Use<'_>],
    ) -> Option<(Ident, usize, bool)> {
        let Expr::Access { name, indices, .. } = operand else { return None };
        let own: Vec<&Ident> = indices.iter().map(plain).collect::<Option<_>>()?;
        let (last, others) = own.split_last()?;
        let distinct = (1..own.len()).all(|k| !own[..k].contains(&own[k]));
        let chain = self.chain(name)?;
        let level = chain.levels.get(others.len())?.level();
        // A result may change between two looks at it.
        if !distinct || is_written(uses, name) || !level.lists_entries() {
            return None;
        }
        let place = |i: &Ident| loops.iter().position(|l| l == i);
        let inner = place(last).or(within.contains(last).then_some(loops.len()))?;
        let mut outside = 0;
        for i in others.iter().filter(|i| !self.open.contains(i)) {
            outside = outside.max(place(i)? + 1);
        }
        let around = self.open.iter().chain(&loops[..outside]);
        // A copy within loops that are written is made for each, and met again within.
        let once = match self.inside {
            true => loops[..outside].iter().all(|l| others.contains(&l)),
            false => around.clone().all(|l| others.contains(&l)),
        };
        let once = once && outside < inner;
        let between = || loops[outside..inner].iter();
        let whole = |i: &Ident| {
            let along = |u: &Use<'_>| self.parts(u, i);
            let fiber = |u: &Use<'_>| {
                let dims = |k: usize| u.dims.get(k).map_or(&[][..], |(names, _)| &names[..]);
                u.name == Some(name)
                    && u.dims.len() == own.len()
                    && others.iter().enumerate().all(|(k, o)| matches!(dims(k), [n] if *o == n))
                    && matches!(dims(others.len()), [n] if i == n)
            };
            uses.iter().all(|u| u.write || !along(u)) || uses.iter().any(|u| !u.write && fiber(u))
        };
        let paid = around.count() == 0 || between().all(whole);
        once.then(|| ((*last).clone(), outside, paid))
    }

    /// Whether an access leaves out coordinates of `index`.
    fn parts(&self, access: &Use<'_>, index: &Ident) -> bool {
        let Some(chain) = access.name.map(|name| self.chain(name)) else { return true };
        let Some(chain) = chain else { return false };
        access.dims.iter().zip(&chain.levels).any(|((names, located), level)| {
            !located && names.iter().any(|n| index == n) && level.level().leaves_out()
        })
    }

    /// Whether the access `e` goes along `index` by what it stores.
    pub(super) fn leads(&self, e: &Expr, index: &Ident) -> bool {
        let Expr::Access { name, indices, .. } = e else { return false };
        let Some(chain) = self.chain(name) else { return false };
        let mut dims = indices.iter().zip(&chain.levels);
        dims.any(|(i, level)| plain(i) == Some(index) && level.level().leaves_out())
    }

    /// The fill of what `e` reads, if `op` gives it wherever one operand is at it. In a strict kernel that is so of conditions
    /// alone: 0 times infinity is no 0.
    pub(super) fn annihilator(&self, e: &Expr, op: &Op) -> Option<Lit> {
        if self.strict && !matches!(op, Op::And | Op::BitAnd) {
            return None;
        }
        let Expr::Access { name, .. } = e else { return None };
        let chain = self.chain(name)?;
        let fill = fill_literal(chain.fill.as_ref()?, chain.value.to_string() == "bool")?;
        let unsigned = Ty::of(&chain.value).limits().is_some_and(|(least, _)| least == 0);
        annihilates(self.algebra, op, &fill, unsigned).then_some(match fill {
            // Of numbers and of conditions alike.
            Lit::Bool(false) => Lit::Int(0),
            fill => fill,
        })
    }

    /// Puts `stmt` into `loops`, with a copy of each operand where `spread` says.
    pub(super) fn around_copies(stmt: &mut Stmt, mut loops: &[Ident], spread: Vec<Spread>) {
        let (whole, flagged): (Vec<&Spread>, Vec<&Spread>) = spread.iter().partition(|s| s.whole);
        flagged.iter().for_each(|s| replace(stmt, &s.operand, &s.read()));
        let exact = stmt.clone();
        whole.iter().for_each(|s| replace(stmt, &s.operand, &s.read()));
        if let (Some(check), [outer @ .., last]) =
            (whole.iter().find_map(|s| s.check.as_ref()), loops)
        {
            let of_copies = std::mem::replace(stmt, Stmt::Pass(Vec::new()));
            *stmt = checked(of_copies, exact, check, last);
            loops = outer;
        }
        for Spread { operand, index, outside, name, ty, .. } in spread {
            let (before, within) = loops.split_at(outside);
            around(stmt, within);
            loops = before;
            let span = name.span();
            let mut copy = Stmt::Assign {
                target: access(&name, std::slice::from_ref(&index)),
                op: None,
                value: operand,
                span,
            };
            around(&mut copy, std::slice::from_ref(&index));
            let all = std::mem::replace(stmt, Stmt::Pass(Vec::new()));
            let declared = Stmt::Workspace { name, ty, dims: None, of: None };
            *stmt = Stmt::Block(Block { stmts: vec![declared, copy, all], span });
        }
        around(stmt, loops);
    }
}

/// The index itself, read as its level is read first.
pub(super) fn plain(i: &Index) -> Option<&Ident> {
    match (&i.expr, &i.protocol) {
        (Expr::Name(name), None) => Some(name),
        _ => None,
    }
}

/// Whether two accesses are of one tensor at the same indices.
pub(super) fn same(a: &Expr, b: &Expr) -> bool {
    match (a, b) {
        (Expr::Access { name: a, indices: i, .. }, Expr::Access { name: b, indices: j, .. }) => {
            let alike = |(i, j): (&Index, &Index)| plain(i).is_some() && plain(i) == plain(j);
            a == b && i.len() == j.len() && i.iter().zip(j).all(alike)
        }
        _ => false,
    }
}

/// Has `stmt` read `by` where it reads `operand`.
pub(super) fn replace(stmt: &mut Stmt, operand: &Expr, by: &Expr) {
    match stmt {
        Stmt::Assign { value, .. } => replace_by(value, operand, by),
        Stmt::For { body, .. } | Stmt::Block(body) => {
            body.stmts.iter_mut().for_each(|s| replace(s, operand, by));
        }
        Stmt::If { cond, then, .. } => {
            replace_by(cond, operand, by);
            then.stmts.iter_mut().for_each(|s| replace(s, operand, by));
        }
        _ => {}
    }
}

/// Puts the access `by` in the place of `operand` in `e`.
pub(super) fn replace_by(e: &mut Expr, operand: &Expr, by: &Expr) {
    if same(e, operand) {
        let at = e.span();
        *e = by.clone();
        if let Expr::Access { span, .. } = e {
            *span = at;
        }
        return;
    }
    match e {
        Expr::Access { indices, .. } => {
            indices.iter_mut().for_each(|i| replace_by(&mut i.expr, operand, by));
        }
        Expr::Call { args, .. } => args.iter_mut().for_each(|a| replace_by(a, operand, by)),
        Expr::Shape(shape) => shape.operands.iter_mut().for_each(|e| replace_by(e, operand, by)),
        Expr::Name(_) | Expr::Lit(..) | Expr::Path(_) | Expr::Escape(..) => {}
    }
}
