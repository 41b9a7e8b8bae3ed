//! Where the fibers of an appended level start: bookkeeping that such levels share.

/// Makes `pos` hold the starts of the fibers `0..=p`, the last of which is `count`, where what is
/// appended next goes. Fibers that were passed over are empty.
///
/// A fiber may be opened for an entry that is then not written, and a later fiber be opened at the
/// same position or before: starts behind `p` are those of such fibers, and forgotten.
///
/// # Errors
/// There is no memory.
#[doc(hidden)]
#[inline]
pub fn begin_fiber(pos: &mut Vec<usize>, p: usize, count: usize) -> Result<(), String> {
    // One fiber after the other, nearly always.
    if pos.len() == p && p < pos.capacity() {
        crate::level::push(pos, count);
        return Ok(());
    }
    pos.truncate(p + 1);
    crate::level::grow(pos, p + 1, count)
}

/// Makes `pos` hold the starts of `fibers` fibers and the end of the last, which is `count`, also where it
/// did so when there were fewer entries.
///
/// # Errors
/// There is no memory.
#[doc(hidden)]
#[inline]
pub fn end_fibers(pos: &mut Vec<usize>, fibers: usize, count: usize) -> Result<(), String> {
    pos.truncate(fibers);
    begin_fiber(pos, fibers, count)
}

/// The first entry of fiber `p` that is at coordinate `i` or behind it; fiber `p` need not exist if `i`
/// is 0.
#[doc(hidden)]
pub fn split_list<Ix: crate::Index>(pos: &[usize], crd: &[Ix], p: usize, i: usize) -> usize {
    if i == 0 {
        return pos[p];
    }
    pos[p] + crd[pos[p]..pos[p + 1]].partition_point(|c| c.to_i64() < i as i64)
}

/// Refuses an entry of fiber `p` at `i` if `next` should come first and the child is a leaf that cannot
/// hold the fill of those in between, as a pattern, in which they would be `true`.
///
/// # Errors
/// It is refused.
#[doc(hidden)]
#[inline]
pub fn skips<L: crate::Level>(p: usize, next: usize, i: usize) -> Result<(), String> {
    if next >= i || L::RANK > 0 || L::storable(&L::fill()) {
        return Ok(());
    }
    Err(format!(
        "fiber {p} has an entry at {i} and none at {next}, for which its leaf has no value"
    ))
}

/// Checks that child positions below `count` can be computed with: a child without an array, as
/// `Pattern`, has any number of fibers.
///
/// # Errors
/// There are too many.
pub(crate) fn addressed(count: usize) -> Result<usize, String> {
    if count as u64 <= crate::rt::LIMIT as u64 {
        Ok(count)
    } else {
        Err(format!("{count} entries exceed what can be addressed"))
    }
}
