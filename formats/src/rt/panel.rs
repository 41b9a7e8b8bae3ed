//! Copies of a few columns of a matrix, which kernels read instead of these where they are far from each other.

/// Whether `panel` has room for `rows` rows of `W` elements, which it is given if that is `wanted` and there is memory.
pub fn panel_room<T, const W: usize>(panel: &mut Vec<T>, wanted: bool, rows: i64) -> bool {
    let len = usize::try_from(rows).ok().and_then(|rows| rows.checked_mul(W));
    wanted && len.is_some_and(|len| panel.try_reserve_exact(len).is_ok())
}

/// `rows` rows of `W` elements of `of`, the first from `first` on and each `step` behind the one before, as a copy in
/// `panel`, if they are to be `copied`; else `of`.
#[inline(always)]
pub fn panel<'a, T: Copy, const W: usize>(
    panel: &'a mut Vec<T>,
    of: &'a [T],
    copied: bool,
    first: i64,
    step: i64,
    rows: i64,
) -> &'a [T] {
    if !copied {
        return of;
    }
    copy::<T, W>(panel, of, first, step, rows);
    // Where a kernel reads without a check it does so up to here.
    assert_eq!(panel.len(), rows as usize * W);
    panel
}

#[inline(never)]
fn copy<T: Copy, const W: usize>(panel: &mut Vec<T>, of: &[T], first: i64, step: i64, rows: i64) {
    panel.clear();
    for row in 0..rows {
        let at = (first + row * step) as usize;
        let row: &[T; W] = of[at..at + W].try_into().expect("so many elements");
        panel.extend_from_slice(row);
    }
}
