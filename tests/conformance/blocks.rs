//! Levels of stretches and runs.

use looplets::prelude::*;

fn leaf(n: usize) -> Element<f64> {
    Element::new(vec![2.0; n])
}

/// Leaves the first run of equal entries of each row.
fn first_run(entries: &mut [Option<f64>], cols: usize) {
    for row in entries.chunks_mut(cols.max(1)) {
        let first = row.iter().position(Option::is_some).unwrap_or(row.len());
        // Zeros of either sign are two values.
        let bits = |e: &Option<f64>| e.map(f64::to_bits);
        let run = row[first..].iter().take_while(|e| bits(e) == bits(&row[first])).count();
        for e in row.iter_mut().skip(first + run) {
            *e = None;
        }
    }
}

conformance! {
    mod run_list: RunList;
    read walk, gallop, locate;
    also follow, lead;
    write append;
    coordinates u8;
    refuse {
        "coordinates are not covered": RunList::new(3, vec![0, 1], vec![1], leaf(1)),
        "runs descend": RunList::new(3, vec![0, 2], vec![2, 1], leaf(2)),
    }
}

conformance! {
    mod sparse_run_list: SparseRunList;
    read walk, gallop, locate;
    also follow, lead;
    write append;
    coordinates u16;
    leaf Pattern;
    refuse {
        "runs overlap": SparseRunList::new(5, vec![0, 2], vec![0, 2], vec![2, 3], leaf(2)),
        "a run ends before it begins": SparseRunList::new(5, vec![0, 1], vec![2], vec![1], leaf(1)),
    }
}

conformance! {
    mod sparse_interval: SparseInterval;
    read walk, locate;
    also follow, gallop, lead;
    write append;
    coordinates u8;
    leaf Pattern;
    holds first_run;
    refuse {
        "a fiber has two runs": SparseInterval::new(5, vec![0, 2], vec![0, 3], vec![1, 4], leaf(2)),
    }
}

conformance! {
    mod sparse_block_list: SparseBlockList;
    read walk, gallop, locate;
    also follow, lead;
    write append;
    coordinates u8;
    leaf Pattern;
    refuse {
        "blocks overlap": SparseBlockList::new(6, vec![0, 2], vec![1, 2], vec![0, 2, 4], leaf(4)),
        "a block is empty": SparseBlockList::new(6, vec![0, 1], vec![1], vec![0, 0], leaf(0)),
    }
}

conformance! {
    mod sparse_band: SparseBand;
    read walk, locate;
    also follow;
    write append;
    coordinates u8;
    refuse {
        "the block ends beyond the size": SparseBand::new(3, vec![0, 2], vec![2], leaf(2)),
    }
}

conformance! {
    mod ragged: Ragged;
    read walk, locate;
    also follow;
    write append;
    refuse {
        "a fiber is longer than its size": Ragged::new(3, vec![0, 4], leaf(4)),
    }
}

conformance! {
    mod pack_bits: PackBits;
    read walk, gallop, locate;
    also follow, lead;
    write append;
    coordinates u8;
    refuse {
        "a segment is neither run nor literal": PackBits::new(4, vec![0, 1], vec![3], vec![0, 3], leaf(3)),
        "coordinates are not covered": PackBits::new(4, vec![0, 1], vec![2], vec![0, 3], leaf(3)),
    }
}
