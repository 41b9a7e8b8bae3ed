//! The passes of lowering, one file a kind of looplet, in the order of [`Kind`] (Looplets section 6).

mod entry;
mod groups;
mod jumper;
mod leap;
mod lookup;
mod merge_step;
mod permit;
mod pipeline;
mod run;
mod shift;
mod spike;
mod stepper;
mod stretch;
mod stride;
mod switch;
mod thunk;
mod union;
mod unordered;

use super::{Lower, Region};
use crate::cin::*;
use crate::kir::Kir;
use crate::nest::Kind;
pub(super) use run::run_of_visits;
pub(super) use union::Cursor;

/// Lowers the accesses `ids` of `body`, all of this kind and as many as there are.
pub(super) fn lower(
    kind: Kind,
    l: &mut Lower<'_>,
    r: Region,
    body: Stmt,
    ids: Vec<AccessId>,
) -> Vec<Kir> {
    match kind {
        Kind::Permit => permit::lower(l, r, body, ids[0]),
        Kind::Thunk => thunk::lower(l, r, body, ids[0]),
        Kind::Stride => stride::lower(l, r, body, ids),
        Kind::Stretch => stretch::lower(l, r, body, ids),
        Kind::Groups => groups::lower(l, r, body, ids),
        Kind::Shift => shift::lower(l, r, body, ids),
        Kind::Switch => switch::lower(l, r, body, ids),
        Kind::Run => run::lower(l, r, body, ids),
        Kind::Unordered => unordered::lower(l, r, body, ids),
        Kind::Spike => spike::lower(l, r, body, ids),
        Kind::Pipeline => pipeline::lower(l, r, body, ids[0]),
        Kind::Jumper => jumper::lower(l, r, body, ids),
        Kind::Stepper => stepper::lower(l, r, body, ids),
        Kind::Union => union::lower(l, r, body, ids),
        Kind::Lookup => lookup::lower(l, r, body, ids),
    }
}
