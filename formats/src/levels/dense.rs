//! Dense: every coordinate stored, by arithmetic.

crate::level! {
    /// Every coordinate of every fiber is stored: entry `i` of fiber `p` is at `p * len + i`.
    ///
    /// ```text
    /// coordinate  0  1  2  3
    ///             *  *  *  *      child positions p*len .. p*len + len
    /// ```
    ///
    /// Invariant: the child has `fibers * len` fibers. Looplets: a lookup. Costs: `locate` is
    /// constant, `walk` linear in `len`. Written in any order.
    pub struct Dense<Child> {
        len: usize,
        child: Child,
    }
    // SAFETY: the one index computed, `p * len + i` with `i < len`, is below `fibers * len`, the number of
    // the child's fibers, which does not overflow.
    unsafe invariant(fibers) {
        fibers
            .checked_mul(len)
            .ok_or_else(|| format!("{fibers} fibers of size {len} exceed what can be addressed"))
    }
    read locate(p, i) { child[p * len + i] }
    read walk, follow(p) { lookup(|i| child[p * len + i]) }
    split(p, i) { p * len + i }
    join(len: sum);
    write locate(p, i) {
        child: p * len + i,
        children: len,
    }
}
