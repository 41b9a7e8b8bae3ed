//! x
use looplets::prelude::*;
use looplets::Bst;

conformance! {
    mod bst: Bst;
    read walk, gallop, locate;
    also follow, lead;
    write insert over Bst;
    coordinates u8, u64;
    leaf Pattern;
}
conformance! {
    mod bst_dense: Bst;
    read walk;
    write insert over Dense;
}

#[test]
fn entries_come_and_go() {
    looplets::conformance::changes::<Bst<Element<f64>>>(&[300], 100_000, 1);
    looplets::conformance::changes::<Dense<Bst<Element<f64>>>>(&[9, 30], 100_000, 2);
    looplets::conformance::changes::<Bst<Bst<Element<f64>>>>(&[20, 20], 100_000, 3);
    looplets::conformance::changes::<Bst<Dense<Bst<Pattern, u8, u16>>>>(&[20, 3, 20], 100_000, 3);
}
