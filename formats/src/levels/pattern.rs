//! Pattern: the leaf without values.

crate::level! {
    /// Stored means `true`: a leaf that holds no values at all. A kernel writes it by `||= cond` or
    /// `= cond`, which stores the entry where `cond` holds.
    pub struct Pattern {}
    leaf bool = crate::False;
    // SAFETY: nothing is indexed.
    unsafe invariant(fibers) {
        Ok(0)
    }
    read value(p) { true }
    join();
    swap(a, b) {}
    write value(p) {}
}
