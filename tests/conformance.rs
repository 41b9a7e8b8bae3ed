//! The built-in levels, by the suite that format crates run.

use looplets::prelude::*;

conformance! {
    mod sparse_list: SparseList;
    read walk, follow, gallop, lead, locate;
    write append;
    coordinates u8, usize;
    leaf Pattern;
    refuse {
        "a coordinate is beyond the size": SparseList::new(3, vec![0, 1], vec![7], Element::new(vec![1.0])),
        "values are missing": SparseList::new(3, vec![0, 1], vec![1], Element::new(vec![])),
    }
}

conformance! {
    mod dense: Dense;
    read walk, follow, locate;
    write locate;
    refuse {
        "values are missing": Dense::new(3, Element::new(vec![1.0])),
    }
}

conformance! {
    mod run_list: RunList;
    read walk, follow, gallop, lead, locate;
    write append;
    coordinates u8;
}
