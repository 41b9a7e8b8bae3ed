//! Levels that store coordinates, and `Dense`, which stores none.

use looplets::prelude::*;

fn leaf(n: usize) -> Element<f64> {
    Element::new(vec![2.0; n])
}

/// Leaves the middle one of the entries of each row.
fn one_a_row(entries: &mut [Option<f64>], cols: usize) {
    for row in entries.chunks_mut(cols.max(1)) {
        let stored: Vec<usize> = (0..row.len()).filter(|j| row[*j].is_some()).collect();
        for j in &stored {
            if *j != stored[stored.len() / 2] {
                row[*j] = None;
            }
        }
    }
}

conformance! {
    mod sparse_list: SparseList;
    read walk, gallop, locate;
    also follow, lead;
    write append;
    coordinates u8, usize;
    leaf Pattern;
    refuse {
        "a coordinate is beyond the size": SparseList::new(3, vec![0, 1], vec![7], leaf(1)),
        "coordinates descend": SparseList::new(3, vec![0, 2], vec![2, 1], leaf(2)),
        "a coordinate comes twice": SparseList::new(3, vec![0, 2], vec![1, 1], leaf(2)),
        "there are two fibers": SparseList::new(3, vec![0, 0, 1], vec![1], leaf(1)),
        "values are missing": SparseList::new(3, vec![0, 1], vec![1], leaf(0)),
    }
}

conformance! {
    mod sparse_point: SparsePoint;
    read walk, locate;
    also follow, gallop, lead;
    write append;
    coordinates u8;
    leaf Pattern;
    holds one_a_row;
    refuse {
        "a fiber has two entries": SparsePoint::new(3, vec![0, 2], vec![1, 2], leaf(2)),
        "a coordinate is beyond the size": SparsePoint::new(3, vec![0, 1], vec![3], leaf(1)),
    }
}

conformance! {
    mod coo: Coo;
    read walk, gallop, locate;
    also follow, lead;
    write append;
    coordinates u8, u64;
    leaf Pattern;
    refuse {
        "a coordinate is beyond the size": Coo::new(3, vec![0, 1], vec![7], leaf(1)),
        "coordinates descend": Coo::new(3, vec![0, 2], vec![2, 1], leaf(2)),
        "a coordinate comes twice": Coo::new(3, vec![0, 2], vec![1, 1], leaf(2)),
        "there are two fibers": Coo::new(3, vec![0, 0, 1], vec![1], leaf(1)),
        "values are missing": Coo::new(3, vec![0, 1], vec![1], leaf(0)),
    }
}

/// A list of entries at these rows and columns of a matrix of size 3.
fn entries(rows: Vec<u32>, cols: Vec<u32>) -> Coo<Singleton<Element<f64>>> {
    let values = leaf(rows.len());
    Coo::new(3, vec![0, rows.len()], rows, Singleton::new(3, cols, values))
}

conformance! {
    mod singleton: Singleton below Coo;
    read walk, gallop, locate;
    also follow, lead;
    write append;
    refuse {
        "a coordinate is beyond the size": entries(vec![0], vec![3]),
        "a coordinate is missing": entries(vec![0, 1], vec![2]),
        "coordinates descend in a row": entries(vec![1, 1], vec![2, 0]),
        "an entry comes twice": entries(vec![0, 1, 1], vec![2, 0, 0]),
    }
}

conformance! {
    mod dense: Dense;
    read walk, locate;
    also follow;
    write locate;
    refuse {
        "values are missing": Dense::new(3, leaf(2)),
        "positions overflow": Dense::new(usize::MAX, leaf(2)),
    }
}
