//! What a row has left behind its lanes, at most three terms, is added without a branch where no processor foresees how many.
//!
//! A row of seven entries is one step of four lanes and three terms. Where rows have any number of entries, the branches
//! that tell how many terms are left are guessed wrong, and a wrong guess takes as long as ten terms. Then three terms are
//! computed in any case, and those that are not of the row are made `-0.0`, which leaves a sum as it is. They are terms of the
//! rows that follow, so all that is read for them is what the loop over rows itself reads, if not in this iteration.
//! A sample of the rows decides before the loop over them, as a processor that foresees the branches is faster with them.

use super::guards::any;
use crate::cin::*;
use crate::kernel::{Kernel, Role, Ty, VarKind};
use crate::kir::{is_left, Kir};
use crate::runtime::Runtime;
use std::collections::{BTreeMap, BTreeSet};

/// Of loops over the entries of a row, by their variable: the local that is where the last group of three entries of all rows
/// begins, or less than all positions if terms are not to be computed in any case.
pub(super) type Remainders = BTreeMap<VarId, VarId>;

/// A loop over rows of so many statements at most stands twice, with masks and without. A longer one asks for each row which of the
/// two it takes: regular rows of four entries take an eighth longer so.
const LARGEST: usize = 24;

/// What a loop over rows asks before its first iteration.
pub(super) struct Asked {
    pub known: Remainders,
    pub code: Vec<Kir>,
    /// The condition under which the loop masks terms, if it stands twice, with masks and without.
    pub twice: Option<Expr>,
}

/// What `k` asks, a loop over rows with loops over the entries of one that `adds` says to add terms; none if it has none.
pub(super) fn ask(
    kernel: &mut Kernel,
    k: &Kir,
    adds: &dyn Fn(&Kernel, &[Kir]) -> bool,
) -> Option<Asked> {
    let Kir::For { var: row, lo, hi, body } = k else { return None };
    // A loop that is left early does not come to the rows that follow.
    if kernel.safe || is_left(body) || any(body, &|k| matches!(k, Kir::Parallel(_))) {
        return None;
    }
    // Where products are fused with sums, one that is masked would be rounded first: a sum would depend on other rows.
    if kernel.contract {
        return None;
    }
    let mut rows = Rows {
        kernel,
        row: *row,
        own: BTreeSet::from([*row]),
        stored: BTreeSet::new(),
        plain: !any(body, &|k| !is_plain(k)),
        bounds: BTreeMap::new(),
    };
    let mut count = 0;
    body.iter().for_each(|k| {
        k.walk(&mut |k| {
            count += 1;
            rows.own.extend(k.sets());
            if let Kir::Store { target: Expr::Load(array, _), .. } = k {
                rows.stored.insert(*array);
            }
        })
    });
    let mut found = Vec::new();
    rows.block(body, adds, &mut found);
    let plain = rows.plain;
    let mut asked: BTreeMap<ArrayId, VarId> = BTreeMap::new();
    let (mut known, mut code) = (Remainders::new(), Vec::new());
    for (q, positions) in found {
        let last = *asked.entry(positions).or_insert_with(|| {
            let name = format!("{}_last_masked", kernel.arrays[positions.0 as usize].name);
            let var = kernel.var(&name, VarKind::Local, Ty::Index);
            let args = vec![Expr::Array(positions), lo.clone(), hi.clone()];
            let value = kernel.call(Runtime::Irregular, args, Ty::Index);
            code.push(Kir::Let { var, mutable: false, value });
            var
        });
        known.insert(q, last);
    }
    let some = |last: &VarId| Expr::call(Op::Le, [Expr::int(0), Expr::Var(*last)]);
    let some = asked.values().map(some).reduce(|a, b| Expr::call(Op::Or, [a, b]))?;
    Some(Asked { known, code, twice: (plain && count <= LARGEST).then_some(some) })
}

/// Whether `k` may stand twice, and changes no array but by storing to it.
fn is_plain(k: &Kir) -> bool {
    matches!(
        k,
        Kir::Let { .. }
            | Kir::Set { .. }
            | Kir::Store { .. }
            | Kir::Comment(_)
            | Kir::Block(_)
            | Kir::For { .. }
            | Kir::While { .. }
            | Kir::If { .. }
    )
}

/// The terms that are left at `at`, of a loop that ends at `hi`: `term` gives the code that adds the one at so many positions
/// behind `at` to a local. All are computed up to `last`, and behind it as `otherwise` says.
pub(super) fn masked(
    kernel: &mut Kernel,
    (at, hi, last): (VarId, &Expr, VarId),
    acc: VarId,
    term: &dyn Fn(i128, VarId) -> Kir,
    otherwise: Vec<Kir>,
) -> Kir {
    let (ty, original) = (kernel.info(acc).ty.clone(), kernel.info(acc).name.clone());
    let mut then = Vec::new();
    for n in 0..super::lanes::FEW - 1 {
        let left = kernel.var(&format!("left{n}"), VarKind::Scalar, ty.clone());
        kernel.assigned_like(left, &original);
        let value = Expr::Lit(Lit::float(-0.0));
        let count = Expr::call(Op::Sub, [hi.clone(), Expr::Var(at)]);
        let args = vec![Expr::Var(left), count, Expr::int(n)];
        let value_of_row = kernel.call(Runtime::Masked, args, ty.clone());
        then.push(Kir::Block(vec![
            Kir::Let { var: left, mutable: true, value },
            term(n, left),
            Kir::Store { target: Expr::Var(acc), op: Some(Op::Add), value: value_of_row },
        ]));
    }
    Kir::If { cond: Expr::call(Op::Le, [Expr::Var(at), Expr::Var(last)]), then, otherwise }
}

/// The body of a loop over rows.
struct Rows<'k> {
    kernel: &'k Kernel,
    row: VarId,
    /// What iterations define or set.
    own: BTreeSet<VarId>,
    /// The arrays that they store to.
    stored: BTreeSet<ArrayId>,
    /// Whether they change no others.
    plain: bool,
    /// Locals that are where a row begins or ends: the array, and how many rows behind the current one.
    bounds: BTreeMap<VarId, (ArrayId, i128)>,
}

impl Rows<'_> {
    /// Loops that each iteration takes over all entries of its row, with the array that says where rows end.
    fn block(
        &mut self,
        block: &[Kir],
        adds: &dyn Fn(&Kernel, &[Kir]) -> bool,
        found: &mut Vec<(VarId, ArrayId)>,
    ) {
        for k in block {
            match k {
                Kir::Let { var, mutable: false, value } => {
                    let bound = self.bound(value).map(|bound| (*var, bound));
                    self.bounds.extend(bound);
                }
                Kir::Block(inner) => self.block(inner, adds, found),
                Kir::For { var, lo, hi, body } => {
                    let (Some((first, 0)), Some((last, 1))) = (self.bound(lo), self.bound(hi))
                    else {
                        continue;
                    };
                    if first == last && adds(self.kernel, body) && self.elsewhere(body, *var) {
                        found.push((*var, first));
                    }
                }
                _ => {}
            }
        }
    }

    /// `value` as an element of an array that says where rows of an input end.
    fn bound(&self, value: &Expr) -> Option<(ArrayId, i128)> {
        let (array, at) = match value {
            Expr::Var(v) => return self.bounds.get(v).copied(),
            Expr::Load(array, at) => (array, at),
            _ => return None,
        };
        let n = match &**at {
            Expr::Var(v) if *v == self.row => 0,
            e if *e == Expr::Var(self.row).plus(1) => 1,
            _ => return None,
        };
        let positions = self.kernel.arrays[array.0 as usize].elem == Ty::Index;
        (positions && self.fixed(*array)).then_some((*array, n))
    }

    /// Whether the loop reads `array` and does not change it.
    fn fixed(&self, array: ArrayId) -> bool {
        let of = self.kernel.arrays[array.0 as usize].tensor;
        let input = matches!(self.kernel.tensor(of).role, Role::Input);
        input || self.plain && !self.stored.contains(&array)
    }

    /// Whether the terms that `body` adds can be computed for an entry `q` of another row: what is read stands where the entry
    /// alone says, and nothing that is computed of it can fail.
    fn elsewhere(&self, body: &[Kir], q: VarId) -> bool {
        let mut of_entry = BTreeSet::from([q]);
        let mut fits = true;
        body.iter().for_each(|k| {
            k.walk(&mut |k| {
                if let Kir::Let { var, .. } = k {
                    of_entry.insert(*var);
                }
            })
        });
        body.iter().for_each(|k| {
            k.walk(&mut |k| match k {
                Kir::Let { var, value, .. } => {
                    // An index is of the entry, so that what it says of places is.
                    let index = self.kernel.info(*var).ty == Ty::Index;
                    fits &= self.computed(value, &of_entry);
                    fits &= !index || self.of_entry(value, &of_entry);
                }
                Kir::Store { value, .. } => fits &= self.computed(value, &of_entry),
                _ => {}
            })
        });
        fits
    }

    /// Whether `e` depends on nothing of the row but an entry.
    fn of_entry(&self, e: &Expr, of_entry: &BTreeSet<VarId>) -> bool {
        self.kernel.depends(e).iter().all(|v| of_entry.contains(v) || !self.own.contains(v))
    }

    /// Whether `e` can be computed for any entry.
    fn computed(&self, e: &Expr, of_entry: &BTreeSet<VarId>) -> bool {
        let ty = |e: &Expr| self.kernel.type_of(e);
        let float = |e: &Expr| matches!(e, Expr::Lit(_)) || ty(e).is_some_and(|ty| ty.is_float());
        let mut fits = true;
        e.walk(&mut |e| {
            fits &= match e {
                // What has one element for each row has one for this row, of whatever entry.
                Expr::Load(array, at) if **at == Expr::Var(self.row) => {
                    self.fixed(*array) && self.kernel.arrays[array.0 as usize].trusted
                }
                Expr::Load(array, at) => self.fixed(*array) && self.of_entry(at, of_entry),
                Expr::Var(_) | Expr::Lit(_) => true,
                // Another iteration computes the same index.
                Expr::Call(Op::Add | Op::Sub | Op::Mul, _) if ty(e) == Some(Ty::Index) => {
                    self.of_entry(e, of_entry)
                }
                Expr::Call(Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Neg, args) => {
                    args.iter().all(float)
                }
                Expr::Call(Op::Cast(ty) | Op::As(ty), args) => {
                    ty.is_float() && args.iter().all(float)
                }
                _ => false,
            }
        });
        fits
    }
}
