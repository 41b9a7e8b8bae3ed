//! Padded blocks (DynamicSparse figure 6b): a schema whose blocks may be empty, declared outside of the library.

mod counted;
use counted::counted;
use looplets::conformance::changes;
use looplets::prelude::*;

level! {
    /// A linked list of blocks of up to three entries, or none: what is taken out leaves its block where it is.
    pub struct Padded<Child, Ix: Index = u32> {
        len: usize,
        nodes<Ix> {
            head { h: blist }
            blist { e: elem[n], n: size in 0..=3, l: blist, seq = {e}, l }
        }
        child: Child,
    }
    insert(p, i) { crate::insert(nodes, p, i) }
    remove(p, i) { crate::remove(nodes, p, i) }
}

/// The first node that has an entry at or after coordinate `i`, or else the last; and how many entries are before it.
fn reach<Ix: Index>(nodes: &PaddedNodes<'_, Ix>, p: usize, i: usize) -> Option<(usize, usize)> {
    let (mut left, mut found) = (nodes.head_h(p), None);
    while let Some(node) = left {
        let first = nodes.blist_e(node);
        let slot = (0..nodes.blist_n(node)).filter(|k| nodes.at(first + k) < i).count();
        found = Some((node, slot));
        left = nodes.blist_l(node).filter(|_| slot == nodes.blist_n(node));
    }
    found
}

/// Makes an entry at `i`, where there is none.
pub fn insert<Ix: Index>(
    nodes: &mut PaddedNodes<'_, Ix>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    nodes.want_blist(1)?;
    let Some((mut node, mut slot)) = reach(nodes, p, i) else {
        let new = nodes.new_blist()?;
        nodes.set_head_h(p, Some(new));
        nodes.set_blist_n(new, 1);
        nodes.put(nodes.blist_e(new), i);
        return Ok(());
    };
    if nodes.blist_n(node) == 3 {
        let new = nodes.new_blist()?;
        nodes.set_blist_l(new, nodes.blist_l(node));
        nodes.set_blist_l(node, Some(new));
        match slot {
            3 => (node, slot) = (new, 0),
            _ => {
                nodes.shift(nodes.blist_e(node) + 2, nodes.blist_e(new), 1);
                nodes.set_blist_n(node, 2);
                nodes.set_blist_n(new, 1);
            }
        }
    }
    let (q, n) = (nodes.blist_e(node) + slot, nodes.blist_n(node));
    nodes.shift(q, q + 1, n - slot);
    nodes.set_blist_n(node, n + 1);
    nodes.put(q, i);
    Ok(())
}

/// Takes the entry at `i` out.
pub fn remove<Ix: Index>(
    nodes: &mut PaddedNodes<'_, Ix>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    let Some((node, slot)) = reach(nodes, p, i) else { return Ok(()) };
    let (q, n) = (nodes.blist_e(node) + slot, nodes.blist_n(node));
    nodes.take(q);
    nodes.shift(q + 1, q, n - slot - 1);
    nodes.set_blist_n(node, n - 1);
    Ok(())
}

/// Blocks with the first two entries, none, one and none, and what follows from other words.
fn list(n: &[u32], crd: &[u32]) -> Padded<Element<f64>> {
    counted(&[1], 1, |head| {
        let values = Element::new(vec![2.0; crd.len()]);
        Padded::new(99, head, n.to_vec(), vec![], crd.to_vec(), vec![], values)
    })
}

const CRD: [u32; 13] = [0, 3, 5, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0];

conformance! {
    mod padded: Padded;
    read walk, gallop, locate;
    also follow, lead;
    write insert over Padded;
    coordinates u8, u64;
    leaf Pattern;
    refuse {
        "a block leads to itself": list(&[2, 1, 0, 0, 1, 0, 0, 0], &CRD),
        "a block has too many entries": list(&[4, 2, 0, 3, 1, 4, 0, 0], &CRD),
        "coordinates descend across an empty block": list(&[2, 3, 1, 0, 0, 2, 0, 0], &CRD),
        "a block is neither linked nor free": list(&[2, 2, 0, 3, 1, 0, 0, 0], &CRD),
        "a coordinate is missing": list(&[2, 2, 0, 3, 1, 4, 0, 0], &CRD[..12]),
    }
}

#[test]
fn empty_blocks_are_passed_by() {
    let a = Tensor::from_parts(list(&[2, 2, 0, 3, 1, 4, 0, 0], &CRD)).unwrap();
    assert_eq!(a.triplets(), [(vec![3], 2.0), (vec![5], 2.0), (vec![8], 2.0)]);
    assert_eq!((a.stored(), a.get([8]), a.get([9])), (3, Some(2.0), Some(0.0)));
    // The first is empty, and so are all.
    let b = Tensor::from_parts(list(&[0, 2, 0, 3, 1, 4, 0, 0], &CRD)).unwrap();
    assert_eq!(b.triplets(), [(vec![8], 2.0)]);
    let c = Tensor::from_parts(list(&[0, 2, 0, 3, 0, 4, 0, 0], &CRD)).unwrap();
    assert_eq!((c.stored(), c.get([8])), (0, Some(0.0)));
}

#[test]
fn entries_come_and_go() {
    changes::<Padded<Element<f64>>>(&[200], 20_000, 1);
    changes::<Dense<Padded<Element<f64>, u8>>>(&[9, 30], 20_000, 2);
    changes::<Padded<Padded<Element<f64>>>>(&[20, 20], 20_000, 3);
    changes::<Padded<Dense<Padded<Pattern>>>>(&[20, 3, 20], 20_000, 4);
}
