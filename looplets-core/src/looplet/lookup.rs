//! Lookup: nothing is known but each element, so the loop is executed.

use super::Looplet;
use crate::cin::*;
use crate::kir::K;
use crate::lower::{Lower, Region};

pub(super) fn lower(l: &mut Lower<'_>, r: Region, body: Stmt, ids: Vec<AccessId>) -> Vec<K> {
    let one = |l: &mut Lower<'_>| {
        let index = Expr::Var(r.index);
        let mut stmt = body;
        for id in ids {
            let u = l.unfurled(id);
            let Looplet::Lookup(i, inner) = u.nest else { unreachable!("kind checked") };
            let nest = if i == r.index { *inner } else { l.substitute(*inner, i, &index) };
            stmt = l.with_nest(&stmt, id, nest, Some(&index.plus(1)));
        }
        l.region(Region { index: r.index, lo: index.clone(), hi: index.plus(1) }, stmt)
    };
    if l.is_unit(&r) {
        l.bind(&r, one)
    } else {
        l.each(&r, one)
    }
}
