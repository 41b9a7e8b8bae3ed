//! Run: every element is the same, so the access becomes that element and the term simplifies.

use crate::cin::*;
use crate::kir::Kir;
use crate::lower::{Lower, Region};
use crate::nest::Looplet;

pub(super) fn lower(l: &mut Lower<'_>, r: Region, mut body: Stmt, ids: Vec<AccessId>) -> Vec<Kir> {
    for id in ids {
        let Looplet::Run(payload) = l.unfurled(id).nest else { unreachable!("kind checked") };
        let with = l.descend(id, &payload);
        body = l.replace(&body, id, &with);
    }
    l.region(r, body)
}
