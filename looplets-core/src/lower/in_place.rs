//! Assignments that change elements of a tensor where they are stored, whatever its format.
//!
//! The element is read as any other. When all levels are behind, what was read is the place of a value, which is written;
//! or it is the fill, which must be what it is assigned.

use super::stmt::same_number;
use super::{Lower, Region};
use crate::cin::*;
use crate::index::View;
use crate::kernel::*;
use crate::kir::Kir;
use crate::nest::{Looplet, Payload};

/// Whether the assignment of `value` to `target` changes nothing.
pub(super) fn stays_as(target: &Expr, value: &Expr) -> bool {
    matches!(target, Expr::Call(Op::Place, args) if same_number(&args[0], value))
}

impl Lower<'_> {
    /// The code of an assignment that changes an element where it is stored, of which no access is left.
    pub(super) fn changed(&mut self, target: &Expr, value: &Expr) -> Option<Vec<Kir>> {
        let Expr::Call(Op::Place, args) = target else { return None };
        Some(match &args[0] {
            Expr::Load(..) => self.store(&args[0], None, value),
            _ => {
                if !stays_as(target, value) {
                    self.refuse_place(args, value);
                }
                Vec::new()
            }
        })
    }

    /// Refuses an assignment that would store what is not stored.
    pub(super) fn refuse_place(&mut self, place: &[Expr], value: &Expr) {
        let Expr::Lit(Lit::Int(number)) = place[1] else { return };
        let id = AccessId(number as u32);
        let name = self.kernel.tensor(self.kernel.get(id).tensor).name.clone();
        let mut loaded = false;
        value.walk(&mut |e| loaded |= matches!(e, Expr::Load(..) | Expr::Raw(_)));
        let value = match loaded {
            true => "another than the fill".to_owned(),
            false => format!("`{}`", self.kernel.told(value)),
        };
        let tensor = self.kernel.get(id).tensor;
        let fill = self.kernel.told(&self.kernel.tensor(tensor).fill);
        self.refuse(id, format!("`{name}` is changed where it stores something, and where it stores nothing the value would be {value}: make a new tensor, or assign under a condition that holds for what is stored alone, such as `if {name}[..] != {fill} {{ .. }}`"));
    }

    /// Whether `body` changes the element that the access `id` reads.
    pub(super) fn is_place(&self, id: AccessId, body: &Stmt) -> bool {
        let mut found = false;
        body.assignments(&mut |target, _| {
            found |= matches!(target, Expr::Call(Op::Place, args) if args[0] == Expr::Access(id));
        });
        found
    }

    /// Refuses changes of runs that are not the same for a whole run: what is stored once is changed once.
    pub(super) fn refuse_parts_of_runs(
        &mut self,
        id: AccessId,
        nest: &Looplet,
        r: &Region,
        body: &Stmt,
    ) {
        if !has_runs(nest) || !self.is_place(id, body) {
            return;
        }
        let access = self.kernel.get(id);
        let first = &access.indices[0];
        let plain =
            first.kind == IndexKind::Affine(r.index, Expr::int(0)) && first.view == View::plain();
        let explicit = self.kernel.explicit.contains(&r.index);
        let mut alone = plain && !explicit && r.lo == Expr::int(0);
        for other in self.accesses(body) {
            let own = other == id;
            alone &= own || !self.kernel.depends(&Expr::Access(other)).contains(&r.index);
        }
        body.walk(&mut |e| match e {
            Expr::Var(v) => alone &= *v != r.index,
            Expr::Raw(_) => alone &= !self.kernel.depends(e).contains(&r.index),
            _ => {}
        });
        body.assignments(&mut |target, _| alone &= matches!(target, Expr::Call(Op::Place, _)));
        if !alone {
            let (name, i) =
                (self.kernel.tensor(access.tensor).name.clone(), self.kernel.called(r.index));
            self.refuse(id, format!("a run of `{name}` along `{i}` is stored once, and would be changed differently at each `{i}`: change all of it by what does not depend on `{i}`, in a loop of its own over all of `{i}`, or make a new tensor"));
        }
    }
}

/// Whether elements of several coordinates may be one that is stored.
fn has_runs(nest: &Looplet) -> bool {
    match nest {
        Looplet::Run(payload) => *payload != Payload::Fill,
        Looplet::Spike(body, _) => *body != Payload::Fill,
        Looplet::Thunk { body, .. } | Looplet::Shift(_, body) => has_runs(body),
        Looplet::Switch(cases) => cases.iter().any(|(_, nest)| has_runs(nest)),
        Looplet::Pipeline(phases) => phases.iter().any(|(_, nest)| has_runs(nest)),
        Looplet::Jumper(s) | Looplet::Stepper(s) => has_runs(&s.body),
        // Each coordinate has one of its own.
        Looplet::Lookup(..) | Looplet::Unordered(_) => false,
        Looplet::Union(member) => member.child == Payload::Fill,
        Looplet::Stride { .. }
        | Looplet::Stretch(..)
        | Looplet::Groups(..)
        | Looplet::Permit { .. } => true,
    }
}
