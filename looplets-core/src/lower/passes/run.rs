//! Run: every element is the same, so the access becomes that element and the term simplifies.

use crate::cin::*;
use crate::kir::Kir;
use crate::lower::{Lower, Region};
use crate::nest::{Looplet, Payload};

pub(super) fn lower(l: &mut Lower<'_>, r: Region, mut body: Stmt, ids: Vec<AccessId>) -> Vec<Kir> {
    // Whether the run has one element, which is changed once.
    let mut once = false;
    for id in ids {
        let Looplet::Run(payload) = l.unfurled(id).nest else { unreachable!("kind checked") };
        once |= payload != Payload::Fill && l.is_place(id, &body);
        let with = l.descend(id, &payload);
        body = l.replace(&body, id, &with);
    }
    match once && !l.is_unit(&r) {
        // Nothing else depends on the index.
        true => l.guard(&r, |l| l.bind(&r, |l| l.stmt(body))),
        false => l.region(r, body),
    }
}
