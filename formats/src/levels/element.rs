//! Element: the leaf with values.

crate::level! {
    /// The values of a tensor, one per position, with the fill `F` for everything not stored.
    ///
    /// Invariant: as many values as positions.
    pub struct Element<T, F = crate::Zero> {
        val: Vec<T>,
    }
    leaf T = F;
    // SAFETY: there is a value for every position.
    unsafe invariant(fibers) {
        if val.len() == fibers {
            Ok(0)
        } else {
            Err(format!("there are {} values for {fibers} entries", val.len()))
        }
    }
    read value(p) { val[p] }
    join(val: entries);
    swap(a, b) { val.swap(a, b) }
    write value(p) { each { val: fill } }
}
