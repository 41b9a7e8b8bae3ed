//! Red-black trees: the suite, entries that come and go, colours and heights, kernels, and parts that are refused.

mod counted;
#[macro_use]
mod btrees;

use counted::counted;
use looplets::conformance::changes;
use looplets::prelude::*;
use looplets::RedBlack;

/// Operations in release builds and, where each takes ten times as long, in debug builds.
const MANY: usize = if cfg!(debug_assertions) { 100_000 } else { 1_000_000 };
/// The same for the other formats of a test.
const SOME: usize = if cfg!(debug_assertions) { 25_000 } else { 100_000 };

looplets::level! { type TreeVec<T> = Tensor<RedBlack<Element<T>>>; }
kernels_of!(trees, TreeVec);

/// The parts of a tree.
#[derive(Clone)]
struct Parts {
    root: Vec<u32>,
    nodes: Vec<u32>,
    free: Vec<u32>,
    crd: Vec<u32>,
    moves: Vec<u32>,
}

/// A black node with two black children, the one at the right of which has red ones, and what is changed.
fn tree(change: impl FnOnce(&mut Parts)) -> RedBlack<Element<f64>> {
    let mut p = Parts {
        root: vec![2, 1, 5],
        nodes: [
            [0, 0, 2, 2, 0],
            [1, 4, 0, 3, 0],
            [0, 0, 4, 4, 1],
            [3, 5, 2, 5, 0],
            [0, 0, 4, 0, 1],
        ]
        .concat(),
        free: vec![],
        crd: vec![0, 1, 3, 5, 7, 9],
        moves: vec![],
    };
    change(&mut p);
    counted(&p.root, 3, |root| {
        let Parts { nodes, free, crd, moves, .. } = p.clone();
        let values = Element::new(vec![2.0; crd.len()]);
        RedBlack::new(10, root, nodes, free, crd, moves, values)
    })
}

/// A child of the root becomes of another colour, and so do those of the other.
fn painted(p: &mut Parts, colours: [u32; 5]) {
    for (k, c) in colours.into_iter().enumerate() {
        p.nodes[5 * k + 4] = c;
    }
}

/// All nodes are one below the other, at the right.
fn in_a_row(p: &mut Parts, colours: [u32; 3]) {
    p.root = vec![1, 1, 3];
    p.nodes = [[0, 2, 0, 2, 0], [0, 3, 1, 3, 0], [0, 0, 2, 0, 0]].concat();
    p.crd.truncate(4);
    for (k, c) in colours.into_iter().enumerate() {
        p.nodes[5 * k + 4] = c;
    }
}

conformance! {
    mod level: RedBlack;
    read walk, gallop, locate;
    also follow, lead;
    write insert over RedBlack;
    coordinates u8, u64;
    leaf Pattern;
    refuse {
        "there is no fiber": tree(|p| p.root.clear()),
        "words of a fiber are missing": tree(|p| { p.root.pop(); }),
        "words of a node are missing": tree(|p| { p.nodes.pop(); }),
        "a coordinate is beyond the size": tree(|p| p.crd[5] = 10),
        "coordinates descend": tree(|p| p.crd.swap(3, 4)),
        "coordinates are the same": tree(|p| p.crd[3] = 3),
        "a coordinate is missing": tree(|p| { p.crd.pop(); }),
        "a coordinate is no node's": tree(|p| p.crd.push(0)),
        "the root leads nowhere": tree(|p| p.root[0] = 9),
        "the root leads to no node, and there are some": tree(|p| p.root = vec![0, 0, 0]),
        "the first is not the first": tree(|p| p.root[1] = 2),
        "the last is not the last": tree(|p| p.root[2] = 4),
        "a node is below itself": tree(|p| p.nodes[0] = 1),
        "a node is below its child": tree(|p| p.nodes[10] = 4),
        "a node has two parents": tree(|p| p.nodes[1] = 3),
        "two fibers share a tree": tree(|p| p.root.extend([2, 1, 5])),
        "a node leads to another parent": tree(|p| p.nodes[12] = 2),
        "the root has a parent": tree(|p| p.nodes[7] = 1),
        "a thread leads elsewhere": tree(|p| p.nodes[3] = 3),
        "a thread leads on from the last": tree(|p| p.nodes[23] = 1),
        "a node is neither linked nor free": tree(|p| { p.nodes.extend([0; 5]); p.crd.push(0); }),
        "a node is linked and free": tree(|p| p.free.push(0)),
        "a node that is not there is free": tree(|p| p.free.push(5)),
        "entries are on their way": tree(|p| p.moves = vec![1, 2]),
        "the root is red": tree(|p| painted(p, [0, 1, 1, 0, 1])),
        "a child of a red node is red": tree(|p| painted(p, [0, 0, 1, 1, 1])),
        "a path has a black node less": tree(|p| painted(p, [1, 0, 1, 0, 1])),
        "a path has a black node more": tree(|p| painted(p, [0, 0, 0, 0, 1])),
        "a colour is none": tree(|p| painted(p, [0, 0, 1, 0, 2])),
        "all nodes are black, in a row": tree(|p| in_a_row(p, [0, 0, 0])),
        "a red node in a row": tree(|p| in_a_row(p, [0, 1, 0])),
    }
}
conformance! {
    mod dense: RedBlack;
    read walk;
    write insert over Dense;
}

/// What is refused above differs from these.
#[test]
fn well_formed() {
    tree(|_| {}).check(1).unwrap();
    tree(|p| painted(p, [0, 0, 0, 1, 0])).check(1).unwrap();
    tree(|p| {
        p.nodes.extend([0; 5]);
        p.crd.push(0);
        p.free.push(5);
    })
    .check(1)
    .unwrap();
    let found = tree(|p| painted(p, [0, 0, 1, 1, 1])).check(1).unwrap_err();
    assert!(found.contains("is red, and so is its parent"), "{found}");
    let found = tree(|p| painted(p, [1, 0, 1, 0, 1])).check(1).unwrap_err();
    assert!(found.contains("black nodes above a link"), "{found}");
}

#[test]
fn entries_come_and_go() {
    changes::<RedBlack<Element<f64>>>(&[5000], MANY, 1);
    changes::<RedBlack<Element<f64>, u64, u64>>(&[300], SOME, 2);
    changes::<RedBlack<Element<f64>, u8, u16>>(&[250], SOME, 3);
    changes::<RedBlack<Pattern, u8, u16>>(&[250], SOME, 4);
    changes::<Dense<RedBlack<Element<f64>>>>(&[9, 30], SOME, 5);
    changes::<RedBlack<RedBlack<Element<f64>>>>(&[20, 20], SOME, 6);
    changes::<RedBlack<Dense<RedBlack<Pattern, u8, u16>>>>(&[20, 3, 20], SOME, 7);
    btrees::dense_rows::<RedBlack<Dense<Element<f64>>, u16, u16>>(90, 5);
    btrees::dense_rows::<RedBlack<Dense<Element<f64>>>>(900, 3);
    btrees::exhausted::<RedBlack<Element<f64>, u32, u8>>();
}

/// The invariant holds after each operation, not only at times.
#[test]
fn colours_after_each_change() {
    for (n, seed) in [(3, 1), (7, 2), (20, 3), (100, 4)] {
        let mut numbers = btrees::Numbers(seed);
        let mut a: Tensor<RedBlack<Element<f64>>> = Tensor::new([n]).unwrap();
        for step in 0..20_000 {
            // Many, then few.
            let grows = numbers.below(10) < if step / 300 % 2 == 0 { 7 } else { 3 };
            let i = numbers.below(n);
            match grows {
                true => drop(a.insert([i], step as f64).unwrap()),
                false => drop(a.remove([i]).unwrap()),
            }
            if let Err(reason) = a.root().check(1) {
                panic!("step {step}: {reason}");
            }
        }
    }
}

/// The length of the longest path.
fn height(p: &Parts) -> usize {
    let (mut left, mut most) = (vec![(p.root[0], 0)], 0);
    while let Some((link, depth)) = left.pop() {
        most = most.max(depth);
        if let Some(k) = link.checked_sub(1) {
            left.extend([0, 1].map(|side| (p.nodes[5 * k as usize + side], depth + 1)));
        }
    }
    most
}

fn parts(a: Tensor<RedBlack<Element<f64>>>) -> Parts {
    let (_, mut root, nodes, free, crd, moves, _) = a.into_root().into_parts();
    // Without the number of entries.
    root.truncate(3);
    Parts { root, nodes, free, crd, moves }
}

#[test]
fn trees_are_low() {
    for n in [0, 1, 2, 3, 4, 10, 1000, 1023, 1024, 100_000] {
        let all: Vec<_> = (0..n).map(|i| (vec![i], 1.0)).collect();
        let built: TreeVec<f64> = Tensor::from_triplets([n + 1], all.clone(), Refuse).unwrap();
        built.root().check(1).unwrap();
        let p = parts(built);
        assert!(height(&p) <= (n + 1).next_power_of_two().ilog2() as usize);
        // In the order of a walk.
        assert!(p.crd.iter().skip(1).map(|i| *i as usize).eq(0..n));
        for step in [1, n.saturating_sub(1), 7919] {
            let mut a = TreeVec::<f64>::new([n + 1]).unwrap();
            for k in 0..n {
                a.insert([(k * step) % n], 1.0).unwrap();
            }
            a.root().check(1).unwrap();
            assert!(height(&parts(a)) <= 2 * (n + 1).ilog2() as usize + 1);
        }
    }
}
