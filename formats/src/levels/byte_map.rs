//! ByteMap: a child for every coordinate, and a byte that says whether it is stored.

use crate::level::grow;

crate::level! {
    /// A flag for each coordinate: which of the children, one per coordinate, are stored.
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5
    ///             .  *  .  .  *  .      tbl = [0, 1, 0, 0, 1, 0]
    ///             └run┘*└─run──┘*└run┘   a spike per flag that is set, then a run of fill
    /// ```
    ///
    /// Entry `i` of fiber `p` is stored if the byte `tbl[p * len + i]` is not 0; its child is at
    /// position `p * len + i`. Invariant: `tbl` has `fibers * len` bytes.
    ///
    /// Looplets: a pipeline of a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of spikes,
    /// then a run. Costs: `walk` looks at eight coordinates at a time and is linear in `len / 8` and
    /// the entries; `gallop` skips what it leaves out for nothing; `locate` is constant.
    pub struct ByteMap<Child> {
        len: usize,
        tbl: Vec<u8>,
        child: Child,
    }
    // SAFETY: fiber `p` has the bytes `p * len .. p * len + len`, which `tbl` holds, and the searches stay
    // within them; the child has a fiber for each byte.
    unsafe invariant(fibers) { crate::levels::byte_map_invariant(len, fibers, tbl) }
    read walk, follow | gallop, lead(p) {
        let start = p * len;
        let end = crate::search::last_set(tbl, start, start + len);
        let mut q = crate::search::next_set(tbl, start, end);
        pipeline {
            ..end - start => stepper {
                while q < end,
                leap(i): { q = crate::search::next_set(tbl, start + i, end); },
                stop: q + 1 - start,
                body: spike(fill, child[q]),
                next: { q = crate::search::next_set(tbl, q + 1, end); },
            },
            .. => run(fill),
        }
    }
    read locate(p, i) {
        let q = p * len + i;
        switch {
            tbl[q] != 0 => child[q],
            _ => fill,
        }
    }
    split(p, i) { p * len + i }
    join(tbl: entries);
    write locate(p, i) {
        exact,
        reserve(fibers) { crate::levels::grow_byte_map(len, fibers, tbl) },
        child: p * len + i,
        commit: { tbl[p * len + i] = 1 },
        finish(fibers) { crate::levels::cut_byte_map(len, fibers, tbl) },
        children: len,
        clear: { crate::levels::clear_byte_map(tbl, blank) },
    }
}

/// Makes `tbl` hold the flags of `fibers` fibers.
#[doc(hidden)]
pub fn grow_byte_map(len: usize, fibers: usize, tbl: &mut Vec<u8>) -> Result<(), String> {
    grow(tbl, fibers.saturating_mul(len), 0)
}

/// Makes `tbl` hold the flags of `fibers` fibers and no more.
#[doc(hidden)]
pub fn cut_byte_map(len: usize, fibers: usize, tbl: &mut Vec<u8>) -> Result<(), String> {
    tbl.truncate(fibers.saturating_mul(len));
    grow_byte_map(len, fibers, tbl)
}

/// The invariant of [`ByteMap`].
///
/// # Errors
/// The bytes are too many or too few.
#[doc(hidden)]
pub fn byte_map_invariant(len: usize, fibers: usize, tbl: &[u8]) -> Result<usize, String> {
    if fibers.checked_mul(len) != Some(tbl.len()) {
        return Err(format!("`tbl` has {} flags for {fibers} fibers of size {len}", tbl.len()));
    }
    Ok(tbl.len())
}

/// Takes all entries out of a single fiber, and calls `blank` with the position of each.
#[doc(hidden)]
pub fn clear_byte_map(tbl: &mut [u8], mut blank: impl FnMut(usize)) {
    let (mut q, end) = (0, tbl.len() as i64);
    loop {
        q = crate::search::next_set(tbl, q, end);
        if q >= end {
            return;
        }
        tbl[q as usize] = 0;
        blank(q as usize);
        q += 1;
    }
}
