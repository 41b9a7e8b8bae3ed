//! Clauses of a declaration have their real types where they stand: rustc refuses them at the author's token.
use looplets::prelude::*;

level! {
    pub struct Odd<Child, const W: usize> {
        len: usize,
        tbl: Vec<u32>,
        child: Child,
    }
    invariant(fibers) { Ok(fibers * len * W) }
    read walk(p) {
        let q = p * len;
        stepper {
            for k in q..q + len,
            seek(i): (q + i) as usize,
            stop: k - q + tbl.len(),
            body: run(child[k]),
        }
    }
    read gallop(p) {
        jumper {
            for k in 0..len,
            seek(i): crate::found(tbl, i as u32),
            stop: if let 0 = k { 1u8 } else { 2 },
            body: run(child[k]),
        }
    }
    read locate(p, i) {
        switch {
            i + tbl[p] => child[p * len + i],
            matches!(i, 0u32) => child[p],
            _ => fill,
        }
    }
    write locate(p, i) {
        find: crate::found(p, i),
        child: p as u32 + i,
        entry: { tbl[p] = 3; Ok(()) },
        commit: { tbl.push(i) },
        extend: { first },
        thaw: { -1 },
        clear: { tbl.clear(); blank(-1i32); blank(1) },
        finish(fibers) { Ok(fibers) },
        children(fibers) { fibers },
    }
}

/// Where `i` is in `tbl`.
pub fn found(tbl: &[u32], i: i64) -> i64 {
    tbl.iter().position(|t| i64::from(*t) == i).map_or(-1, |q| q as i64)
}

fn main() {}
