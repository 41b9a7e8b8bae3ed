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
