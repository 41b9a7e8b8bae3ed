//! `Packed` by the suite, and kernels of its own.

use looplets::prelude::*;
use packed::{Packed, PackedVec};

fn parts(len: usize, ends: [Vec<u32>; 2], ofs: Vec<usize>, delta: Vec<u8>) -> Packed<Element<f64>> {
    let [first, last] = ends;
    let values = Element::new(vec![2.0; delta.len()]);
    Packed::new(len, vec![0, last.len()], first, last, ofs, delta, values)
}

conformance! {
    mod level: Packed;
    read walk, gallop, locate;
    also follow, lead;
    write append;
    coordinates u8, u64;
    leaf Pattern;
    refuse {
        "a coordinate is beyond the size": parts(9, [vec![7], vec![9]], vec![0, 2], vec![2, 0]),
        "distances lead elsewhere": parts(10, [vec![7], vec![9]], vec![0, 2], vec![1, 0]),
        "a distance is 0": parts(10, [vec![7], vec![9]], vec![0, 3], vec![0, 2, 0]),
        "a block does not end": parts(10, [vec![7], vec![9]], vec![0, 2], vec![2, 1]),
        "blocks overlap": parts(10, [vec![1, 3], vec![3, 4]], vec![0, 2, 4], vec![2, 0, 1, 0]),
        "a block is empty": parts(10, [vec![1, 2], vec![1, 2]], vec![0, 1, 1], vec![0]),
        "entries are left over": parts(10, [vec![7], vec![7]], vec![0, 1], vec![0, 0]),
        "offsets are missing": parts(10, [vec![7], vec![7]], vec![0], vec![0]),
        "there is no fiber": Packed::new(3, vec![], vec![], vec![], vec![0], vec![], Element::new(vec![])),
    }
}

finch! {
    fn common(a: &PackedVec<f64>, b: &PackedVec<f64>, c: &SparseVec<f64>, s: &mut f64) {
        for i { s += a[i::gallop] * b[i::gallop] * c[i::gallop] }
    }
    fn looked_up(a: &PackedVec<f64>, b: &PackedVec<f64>, s: &mut f64) {
        for i { s += a[i::lead] * b[i::locate] }
    }
    fn union(a: &PackedVec<f64>, b: &PackedVec<f64>) -> (c: PackedVec<f64>) {
        for i { c[i] = a[i] + b[i] }
    }
}

/// Long vectors with gaps that are no byte, full blocks and short ones.
fn entries(n: usize, step: usize, gap: usize) -> Vec<f64> {
    let stored = |i: usize| i % gap < gap / 3 && i.is_multiple_of(step);
    (0..n).map(|i| if stored(i) { (1 + i % 5) as f64 } else { 0.0 }).collect()
}

#[test]
fn long_vectors() {
    let all: Vec<Vec<f64>> = [(1, 3000), (7, 90), (13, 2000), (1000, 4000), (3, 3)]
        .map(|(step, gap)| entries(9000, step, gap))
        .into();
    for (x, y) in all.iter().flat_map(|x| all.iter().map(move |y| (x, y))) {
        let a: PackedVec<f64> = Tensor::from_dense([9000], x).unwrap();
        let b: PackedVec<f64> = Tensor::from_dense([9000], y).unwrap();
        let c: SparseVec<f64> = a.convert().unwrap();
        let (mut s, mut t) = (0.0, 0.0);
        common(&a, &b, &c, &mut s);
        looked_up(&a, &b, &mut t);
        assert_eq!(s, x.iter().zip(y).map(|(x, y)| x * y * x).sum::<f64>());
        assert_eq!(t, x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>());
        let sums: Vec<f64> = x.iter().zip(y).map(|(x, y)| x + y).collect();
        assert_eq!(union(&a, &b).to_dense(), sums);
    }
}

#[test]
fn a_block_has_32_entries_or_ends_before_a_gap() {
    let entries = (0..70).map(|k| ([if k < 40 { k } else { k + 300 }], 1.0));
    let a: PackedVec<f64> = Tensor::from_triplets([500], entries, Refuse).unwrap();
    let (_, pos, first, last, ofs, delta, _) = a.into_root().into_parts();
    assert_eq!((pos, first, last), (vec![0, 3], vec![0, 32, 340], vec![31, 39, 369]));
    assert_eq!((ofs, delta.len()), (vec![0, 32, 40, 70], 70));
}
