//! The invariants of the block, run and single-entry levels: unchecked indexing rests on each clause of
//! each, so parts that break one make no tensor. And round trips of what does.

use looplets::prelude::*;

/// The reason why a level makes no tensor.
fn refused<L: Level<Value = f64>>(root: L) -> String {
    match Tensor::from_parts(root) {
        Err(Error::Invariant { reason, .. }) => reason,
        Err(other) => panic!("refused for another reason: {other}"),
        Ok(tensor) => panic!("accepted: {tensor:?}"),
    }
}

fn values(n: usize) -> Element<f64> {
    Element::new((1..=n).map(|v| v as f64).collect())
}

/// What a level that is accepted holds.
fn dense<L: Level<Value = f64>>(root: L) -> Vec<f64> {
    Tensor::from_parts(root).unwrap_or_else(|error| panic!("{error}")).to_dense()
}

fn all_refused<L: Level<Value = f64>>(cases: impl IntoIterator<Item = (L, &'static str)>) {
    for (root, words) in cases {
        let reason = refused(root);
        assert!(reason.contains(words), "{reason}: not {words}");
    }
}

#[test]
fn blocks() {
    let list = |len, pos: &[usize], last: &[u32], ofs: &[usize], n| {
        SparseBlockList::new(len, pos.to_vec(), last.to_vec(), ofs.to_vec(), values(n))
    };
    assert_eq!(dense(list(6, &[0, 2], &[2, 4], &[0, 2, 3], 3)), [0.0, 1.0, 2.0, 0.0, 3.0, 0.0]);
    assert_eq!(dense(list(3, &[0, 2], &[0, 2], &[0, 1, 3], 3)), [1.0, 2.0, 3.0], "they may touch");
    assert_eq!(dense(list(3, &[0, 0], &[], &[0], 0)), [0.0; 3]);
    assert_eq!(dense(list(0, &[0, 0], &[], &[0], 0)), [0.0; 0]);
    all_refused([
        (list(6, &[], &[], &[0], 0), "`pos` has 0 entries"),
        (list(6, &[0, 1, 2], &[2, 4], &[0, 2, 3], 3), "`pos` has 3 entries"),
        (list(6, &[1, 2], &[2, 4], &[0, 2, 3], 3), "runs from 1"),
        (list(6, &[0, 1], &[2, 4], &[0, 2, 3], 3), "to 1"),
        (list(6, &[0, 3], &[2, 4], &[0, 2, 3], 3), "to 3"),
        (list(6, &[0, 0], &[], &[], 0), "`ofs` has 0 entries"),
        (list(6, &[0, 2], &[2, 4], &[0, 3], 3), "`ofs` has 2 entries, but 2 blocks"),
        (list(6, &[0, 2], &[2, 4], &[0, 2, 3, 4], 4), "`ofs` has 4 entries"),
        (list(6, &[0, 2], &[2, 4], &[1, 2, 3], 3), "`ofs` starts at 1"),
        (list(6, &[0, 2], &[2, 4], &[0, 2, 2], 2), "block 1 has no entries"),
        (list(6, &[0, 2], &[2, 4], &[0, 2, 1], 1), "`ofs` descends at block 1"),
        (list(6, &[0, 2], &[2, 4], &[0, 4, 5], 5), "block 0, with 4 entries up to coordinate 2"),
        (list(6, &[0, 2], &[2, 3], &[0, 2, 4], 4), "begins before coordinate 3"),
        (list(6, &[0, 2], &[4, 2], &[0, 1, 2], 2), "begins before coordinate 5"),
        (list(6, &[0, 2], &[2, 2], &[0, 1, 2], 2), "begins before coordinate 3"),
        (list(4, &[0, 2], &[2, 4], &[0, 2, 3], 3), "coordinate 4, but its size is 4"),
        (list(0, &[0, 1], &[0], &[0, 1], 1), "coordinate 0, but its size is 0"),
        (list(6, &[0, 2], &[2, 4], &[0, 2, 3], 2), "2 values for 3"),
        (list(6, &[0, 2], &[2, 4], &[0, 2, 3], 4), "4 values for 3"),
        (list(6, &[0, 1], &[2], &[0, usize::MAX], 1), "exceed what can be addressed"),
    ]);
    let wide = |last, ofs| SparseBlockList::new(4, vec![0, 1], vec![last], vec![0, ofs], values(1));
    assert!(refused(wide(u64::MAX, 1)).contains("coordinate"));
    assert!(refused(wide(i64::MAX as u64, 1)).contains("coordinate"));
    assert!(refused(wide(3, 1 << 61)).contains("begins before"));
    let rows = |pos: &[usize]| {
        Dense::new(
            2,
            SparseBlockList::<_>::new(4, pos.to_vec(), vec![3, 1], vec![0, 2, 3], values(3)),
        )
    };
    assert_eq!(dense(rows(&[0, 1, 2])), [0.0, 0.0, 1.0, 2.0, 0.0, 3.0, 0.0, 0.0]);
    assert!(refused(rows(&[0, 3, 2])).contains("descends at fiber 1"));
    assert!(refused(rows(&[0, 2, 2])).contains("begins before coordinate 4"));
}

#[test]
fn runs_between_fill() {
    let runs = |len, pos: &[usize], first: &[u32], last: &[u32], n| {
        SparseRunList::new(len, pos.to_vec(), first.to_vec(), last.to_vec(), values(n))
    };
    assert_eq!(dense(runs(6, &[0, 2], &[1, 5], &[2, 5], 2)), [0.0, 1.0, 1.0, 0.0, 0.0, 2.0]);
    assert_eq!(dense(runs(2, &[0, 2], &[0, 1], &[0, 1], 2)), [1.0, 2.0], "they may touch");
    assert_eq!(dense(runs(0, &[0, 0], &[], &[], 0)), [0.0; 0]);
    all_refused([
        (runs(6, &[], &[], &[], 0), "`pos` has 0 entries"),
        (runs(6, &[1, 2], &[1, 5], &[2, 5], 2), "runs from 1"),
        (runs(6, &[0, 1], &[1, 5], &[2, 5], 2), "to 1"),
        (runs(6, &[0, 2], &[1], &[2, 5], 2), "1 runs begin and 2 end"),
        (runs(6, &[0, 2], &[1, 5, 5], &[2, 5], 2), "3 runs begin and 2 end"),
        (runs(6, &[0, 2], &[1, 5], &[2, 4], 2), "begins at 5 and ends at 4"),
        (runs(6, &[0, 2], &[1, 2], &[2, 5], 2), "run 1 begins before coordinate 3"),
        (runs(6, &[0, 2], &[4, 1], &[5, 2], 2), "run 1 begins before coordinate 6"),
        (runs(5, &[0, 2], &[1, 5], &[2, 5], 2), "coordinate 5, but its size is 5"),
        (runs(6, &[0, 2], &[1, 5], &[2, 5], 1), "1 values for 2"),
        (runs(6, &[0, 2], &[1, 5], &[2, 5], 3), "3 values for 2"),
    ]);
    let wide = |first, last| SparseRunList::new(4, vec![0, 1], vec![first], vec![last], values(1));
    assert!(refused(wide(0, u64::MAX)).contains("coordinate"));
    assert!(refused(wide(u64::MAX, 3)).contains("begins at"));
}

#[test]
fn segments_that_cover_a_fiber() {
    let bits = |len, pos: &[usize], last: &[u32], ofs: &[usize], n| {
        PackBits::new(len, pos.to_vec(), last.to_vec(), ofs.to_vec(), values(n))
    };
    assert_eq!(dense(bits(6, &[0, 2], &[2, 5], &[0, 1, 4], 4)), [1.0, 1.0, 1.0, 2.0, 3.0, 4.0]);
    assert_eq!(dense(bits(4, &[0, 3], &[0, 2, 3], &[0, 0, 2, 2], 2)), [0.0, 1.0, 2.0, 0.0]);
    assert_eq!(dense(bits(1, &[0, 1], &[0], &[0, 1], 1)), [1.0]);
    assert_eq!(dense(bits(0, &[0, 0], &[], &[0], 0)), [0.0; 0]);
    all_refused([
        (bits(6, &[0], &[], &[0], 0), "`pos` has 1 entries"),
        (bits(6, &[1, 2], &[2, 5], &[0, 1, 4], 4), "runs from 1"),
        (bits(6, &[0, 1], &[2, 5], &[0, 1, 4], 4), "to 1"),
        (bits(0, &[0, 0], &[], &[], 0), "`ofs` has 0 entries"),
        (bits(6, &[0, 2], &[2, 5], &[0, 1], 1), "`ofs` has 2 entries, but 2 segments"),
        (bits(6, &[0, 2], &[2, 5], &[1, 2, 5], 5), "`ofs` starts at 1"),
        (bits(6, &[0, 2], &[2, 5], &[0, 3, 1], 1), "`ofs` descends at segment 1"),
        (bits(6, &[0, 2], &[2, 5], &[0, 1, 3], 3), "segment 1 has 2 entries for 3 coordinates"),
        (bits(6, &[0, 2], &[2, 5], &[0, 1, 5], 5), "segment 1 has 4 entries for 3 coordinates"),
        (bits(6, &[0, 2], &[2, 2], &[0, 1, 2], 2), "do not ascend"),
        (bits(6, &[0, 2], &[5, 2], &[0, 1, 2], 2), "do not ascend"),
        (bits(6, &[0, 2], &[2, 4], &[0, 1, 2], 2), "cover 5 coordinates, but its size is 6"),
        (bits(6, &[0, 2], &[2, 6], &[0, 1, 2], 2), "cover 7"),
        (bits(6, &[0, 0], &[], &[0], 0), "cover 0"),
        (bits(0, &[0, 1], &[0], &[0, 1], 1), "cover 1"),
        (bits(6, &[0, 2], &[2, 5], &[0, 1, 4], 3), "3 values for 4"),
        (bits(6, &[0, 2], &[2, 5], &[0, 1, 4], 5), "5 values for 4"),
        (bits(6, &[0, 1], &[5], &[0, usize::MAX], 1), "exceed what can be addressed"),
    ]);
    let wide = PackBits::new(4, vec![0, 1], vec![u64::MAX], vec![0, 1], values(1));
    assert!(refused(wide).contains("cover"));
}

#[test]
fn fibers_of_their_own_length() {
    let ragged = |len, pos: &[usize], n| Ragged::new(len, pos.to_vec(), values(n));
    assert_eq!(dense(ragged(4, &[0, 2], 2)), [1.0, 2.0, 0.0, 0.0]);
    assert_eq!(dense(ragged(2, &[0, 2], 2)), [1.0, 2.0]);
    assert_eq!(dense(ragged(0, &[0, 0], 0)), [0.0; 0]);
    all_refused([
        (ragged(4, &[], 0), "`pos` has 0 entries"),
        (ragged(4, &[0, 1, 2], 2), "`pos` has 3 entries"),
        (ragged(4, &[1, 2], 2), "runs from 1"),
        (ragged(4, &[0, 5], 5), "fiber 0 stores 5 entries, but its size is 4"),
        (ragged(0, &[0, 1], 1), "fiber 0 stores 1"),
        (ragged(4, &[0, 2], 1), "1 values for 2"),
        (ragged(4, &[0, 2], 3), "3 values for 2"),
        (ragged(usize::MAX, &[0, usize::MAX], 3), "exceed what can be addressed"),
    ]);
    let rows = |pos: &[usize], n| Dense::new(3, Ragged::new(3, pos.to_vec(), values(n)));
    assert_eq!(dense(rows(&[0, 2, 2, 3], 3)), [1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0]);
    assert!(refused(rows(&[0, 3, 2, 3], 3)).contains("descends at fiber 1"));
    assert!(refused(rows(&[0, 0, 4, 4], 4)).contains("fiber 1 stores 4"));
}

#[test]
fn one_entry_or_none() {
    let point = |len, pos: &[usize], crd: &[u32], n| {
        SparsePoint::new(len, pos.to_vec(), crd.to_vec(), values(n))
    };
    assert_eq!(dense(point(3, &[0, 1], &[1], 1)), [0.0, 1.0, 0.0]);
    assert_eq!(dense(point(3, &[0, 0], &[], 0)), [0.0; 3]);
    all_refused([
        (point(3, &[0], &[], 0), "`pos` has 1 entries"),
        (point(3, &[1, 1], &[1], 1), "runs from 1"),
        (point(3, &[0, 0], &[1], 1), "to 0"),
        (point(3, &[0, 1], &[3], 1), "coordinate 3"),
        (point(3, &[0, 2], &[1, 1], 2), "do not ascend"),
        (point(3, &[0, 2], &[0, 2], 2), "fiber 0 has an entry at 0 and another at 2"),
        (point(3, &[0, 1], &[1], 2), "2 values for 1"),
    ]);
    let interval = |len, pos: &[usize], first: &[u32], last: &[u32], n| {
        SparseInterval::new(len, pos.to_vec(), first.to_vec(), last.to_vec(), values(n))
    };
    assert_eq!(dense(interval(4, &[0, 1], &[1], &[2], 1)), [0.0, 1.0, 1.0, 0.0]);
    assert_eq!(dense(interval(4, &[0, 0], &[], &[], 0)), [0.0; 4]);
    assert_eq!(dense(interval(0, &[0, 0], &[], &[], 0)), [0.0; 0]);
    all_refused([
        (interval(4, &[0], &[], &[], 0), "`pos` has 1 entries"),
        (interval(4, &[1, 1], &[1], &[2], 1), "runs from 1"),
        (interval(4, &[0, 1], &[], &[2], 1), "0 runs begin and 1 end"),
        (interval(4, &[0, 1], &[3], &[2], 1), "begins at 3 and ends at 2"),
        (interval(4, &[0, 1], &[1], &[4], 1), "coordinate 4, but its size is 4"),
        (interval(4, &[0, 2], &[0, 2], &[1, 2], 2), "fiber 0 has an entry at 1 and another at 2"),
        (interval(4, &[0, 1], &[1], &[2], 0), "0 values for 1"),
    ]);
    let wide = SparseInterval::new(4, vec![0, 1], vec![0], vec![u64::MAX], values(1));
    assert!(refused(wide).contains("coordinate"));
}

/// A child without an array has as many fibers as positions say, but not more than can be counted.
#[test]
fn positions_that_no_array_bounds() {
    let many = 1usize << 61;
    let fibers = |n: usize| (0..=n).map(|p| p * many).collect::<Vec<_>>();
    let ragged =
        |n| Tensor::from_parts(Dense::new(n, Ragged::new(many, fibers(n), Pattern::new())));
    assert!(ragged(1).is_ok());
    assert!(matches!(ragged(2), Err(Error::Invariant { .. })));
    let blocks = |n: usize| {
        let (pos, last) = ((0..=n).collect(), vec![many as u64 - 1; n]);
        Tensor::from_parts(Dense::new(
            n,
            SparseBlockList::new(many, pos, last, fibers(n), Pattern::new()),
        ))
    };
    assert!(blocks(1).is_ok());
    assert!(matches!(blocks(7), Err(Error::Invariant { .. })));
    let bits = |n: usize| {
        let (pos, last) = ((0..=n).collect(), vec![many as u64 - 1; n]);
        Tensor::from_parts(Dense::new(n, PackBits::new(many, pos, last, fibers(n), Pattern::new())))
    };
    assert!(bits(1).is_ok());
    assert!(matches!(bits(7), Err(Error::Invariant { .. })));
}

/// A tensor of these elements comes back as it was, by every way in and out.
fn check<L: Level + std::fmt::Debug + PartialEq>(shape: &[usize], dense: &[L::Value])
where
    L::Value: PartialEq + std::fmt::Debug + std::fmt::Display,
{
    let a: Tensor<L> = Tensor::from_dense(shape, dense).unwrap();
    assert_eq!(a.to_dense(), dense, "{a:?}");
    assert_eq!(a.shape(), shape);
    let triplets = a.triplets();
    assert!(triplets.windows(2).all(|w| w[0].0 < w[1].0), "{triplets:?}");
    let again: Tensor<L> = Tensor::from_triplets(shape, triplets, Refuse).unwrap();
    assert_eq!(again.to_dense(), dense);
    for (k, want) in dense.iter().enumerate() {
        let mut at = vec![0; shape.len()];
        let mut rest = k;
        for (c, n) in at.iter_mut().zip(shape).rev() {
            (*c, rest) = (rest % n, rest / n);
        }
        assert_eq!(a.get(&at).as_ref(), Some(want));
    }
    assert!(a.to_string().contains(L::NAME), "{a}");
}

#[test]
fn round_trips() {
    for mask in 0..64u32 {
        let x: Vec<f64> =
            (0..6).map(|k| if mask >> k & 1 == 1 { f64::from(k / 2 + 1) } else { 0.0 }).collect();
        check::<SparseBlockList<Element<f64>>>(&[6], &x);
        check::<SparseBlockList<Element<f64>, u8>>(&[6], &x);
        check::<SparseRunList<Element<f64>>>(&[6], &x);
        check::<SparseRunList<Element<f64>, usize>>(&[6], &x);
        check::<PackBits<Element<f64>>>(&[6], &x);
        check::<PackBits<Element<f64>, u16>>(&[6], &x);
        check::<Ragged<Element<f64>>>(&[6], &x);
        check::<Dense<SparseBlockList<Element<f64>>>>(&[2, 3], &x);
        check::<Dense<SparseRunList<Element<f64>>>>(&[2, 3], &x);
        check::<Dense<PackBits<Element<f64>>>>(&[2, 3], &x);
        check::<Dense<Ragged<Element<f64>>>>(&[3, 2], &x);
        check::<SparseList<SparseBlockList<Element<f64>>>>(&[3, 2], &x);
        check::<SparseList<PackBits<Element<f64>>>>(&[3, 2], &x);
        check::<SparseBlockList<SparseRunList<Element<f64>>>>(&[3, 2], &x);
        check::<SparseRunList<PackBits<Element<f64>>>>(&[2, 3], &x);
        check::<PackBits<Ragged<Element<f64>>>>(&[2, 3], &x);
        check::<PackBits<Dense<Element<f64>>>>(&[3, 2], &x);
        check::<Ragged<SparseBlockList<Element<f64>>>>(&[3, 2], &x);
        check::<Ragged<Ragged<Element<f64>>>>(&[2, 3], &x);
        check::<RunList<PackBits<Element<f64>>>>(&[3, 2], &x);
        check::<SparseBand<SparseRunList<Element<f64>>>>(&[3, 2], &x);
        let set: Vec<bool> = x.iter().map(|v| *v != 0.0).collect();
        check::<SparseBlockList<Pattern>>(&[6], &set);
        check::<SparseRunList<Pattern>>(&[6], &set);
        check::<PackBits<Pattern>>(&[6], &set);
        check::<Dense<PackBits<Pattern>>>(&[3, 2], &set);
        check::<Dense<SparseBlockList<Pattern>>>(&[2, 3], &set);
        let from_one: Vec<f64> = x.iter().map(|v| v + 1.0).collect();
        check::<SparseBlockList<Element<f64, One>>>(&[6], &from_one);
        check::<SparseRunList<Element<f64, One>>>(&[6], &from_one);
        check::<PackBits<Element<f64, One>>>(&[6], &from_one);
        check::<Ragged<Element<f64, One>>>(&[6], &from_one);
    }
    for k in 0..6 {
        let x: Vec<f64> = (0..6).map(|i| if i == k { 2.0 } else { 0.0 }).collect();
        check::<SparsePoint<Element<f64>>>(&[6], &x);
        check::<SparsePoint<Element<f64>, u8>>(&[6], &x);
        check::<Dense<SparsePoint<Element<f64>>>>(&[2, 3], &x);
        check::<SparsePoint<SparsePoint<Element<f64>>>>(&[3, 2], &x);
        check::<SparsePoint<SparseBlockList<Element<f64>>>>(&[3, 2], &x);
        for end in k..=6 {
            let x: Vec<f64> = (0..6).map(|i| if k <= i && i < end { 2.0 } else { 0.0 }).collect();
            check::<SparseInterval<Element<f64>>>(&[6], &x);
            check::<SparseInterval<Element<f64>, u64>>(&[6], &x);
            check::<Dense<SparseInterval<Element<f64>>>>(&[2, 3], &x);
            check::<SparseRunList<SparseInterval<Element<f64>>>>(&[2, 3], &x);
            let set: Vec<bool> = x.iter().map(|v| *v != 0.0).collect();
            check::<SparseInterval<Pattern>>(&[6], &set);
        }
    }
}

#[test]
fn edge_sizes() {
    for n in [0, 1] {
        for v in [0.0, 3.0] {
            let x = vec![v; n];
            check::<SparseBlockList<Element<f64>>>(&[n], &x);
            check::<SparseRunList<Element<f64>>>(&[n], &x);
            check::<PackBits<Element<f64>>>(&[n], &x);
            check::<Ragged<Element<f64>>>(&[n], &x);
            check::<SparseInterval<Element<f64>>>(&[n], &x);
            check::<SparsePoint<Element<f64>>>(&[n], &x);
        }
    }
    for shape in [[0, 0], [0, 3], [3, 0]] {
        check::<Dense<SparseBlockList<Element<f64>>>>(&shape, &[]);
        check::<Dense<PackBits<Element<f64>>>>(&shape, &[]);
        check::<SparseBlockList<SparseRunList<Element<f64>>>>(&shape, &[]);
        check::<SparseRunList<PackBits<Element<f64>>>>(&shape, &[]);
        check::<PackBits<Ragged<Element<f64>>>>(&shape, &[]);
        check::<Ragged<SparseInterval<Element<f64>>>>(&shape, &[]);
        check::<SparseInterval<SparsePoint<Element<f64>>>>(&shape, &[]);
        check::<SparsePoint<SparseBlockList<Element<f64>>>>(&shape, &[]);
    }
    let x: Vec<f64> = (0..256).map(|k| f64::from(k / 3 % 4)).collect();
    check::<SparseBlockList<Element<f64>, u8>>(&[256], &x);
    check::<SparseRunList<Element<f64>, u8>>(&[256], &x);
    check::<PackBits<Element<f64>, u8>>(&[256], &x);
    check::<SparseInterval<Element<f64>, u8>>(&[256], &[2.0; 256]);
    assert!(Tensor::<SparseBlockList<Element<f64>, u8>>::new([257]).is_err());
    assert!(Tensor::<SparseRunList<Element<f64>, u8>>::new([257]).is_err());
    assert!(Tensor::<PackBits<Element<f64>, u8>>::new([257]).is_err());
    assert!(Tensor::<SparseInterval<Element<f64>, u8>>::new([257]).is_err());
    assert!(Tensor::<SparsePoint<Element<f64>, u8>>::new([257]).is_err());
}

#[test]
fn what_is_stored() {
    let x = [0.0, 5.0, 5.0, 0.0, 7.0, 8.0, 8.0, 9.0];
    let t: Tensor<SparseBlockList<Element<f64>>> = Tensor::from_dense([8], &x).unwrap();
    let (_, pos, last, ofs, child) = t.into_root().into_parts();
    assert_eq!((pos, last, ofs), (vec![0, 2], vec![2, 7], vec![0, 2, 6]));
    assert_eq!(child.into_parts().0, [5.0, 5.0, 7.0, 8.0, 8.0, 9.0]);
    let t: Tensor<SparseRunList<Element<f64>>> = Tensor::from_dense([8], &x).unwrap();
    let (_, pos, first, last, child) = t.into_root().into_parts();
    assert_eq!((pos, first, last), (vec![0, 4], vec![1, 4, 5, 7], vec![2, 4, 6, 7]));
    assert_eq!(child.into_parts().0, [5.0, 7.0, 8.0, 9.0]);
    let t: Tensor<PackBits<Element<f64>>> = Tensor::from_dense([8], &x).unwrap();
    let (_, pos, last, ofs, child) = t.into_root().into_parts();
    // A gap, a run, a gap, a literal, a run, a literal.
    assert_eq!((pos, last), (vec![0, 6], vec![0, 2, 3, 4, 6, 7]));
    assert_eq!((ofs, child.into_parts().0), (vec![0, 0, 1, 1, 2, 3, 4], vec![5.0, 7.0, 8.0, 9.0]));
    let t: Tensor<Ragged<Element<f64>>> =
        Tensor::from_dense([10], &[x.as_slice(), &[0.0; 2]].concat()).unwrap();
    let (_, pos, child) = t.into_root().into_parts();
    assert_eq!((pos, child.into_parts().0), (vec![0, 8], x.to_vec()));
}

#[test]
fn explicit_fills() {
    let entries = [([1], 0.0), ([2], 0.0), ([4], 3.0)];
    let x = [0.0, 0.0, 0.0, 0.0, 3.0, 0.0];
    let blocks: Tensor<SparseBlockList<Element<f64>>> =
        Tensor::from_triplets([6], entries, Refuse).unwrap();
    assert_eq!((blocks.to_dense(), blocks.stored()), (x.to_vec(), 3));
    let runs: Tensor<SparseRunList<Element<f64>>> =
        Tensor::from_triplets([6], entries, Refuse).unwrap();
    assert_eq!((runs.to_dense(), runs.stored()), (x.to_vec(), 2));
    let bits: Tensor<PackBits<Element<f64>>> = Tensor::from_triplets([6], entries, Refuse).unwrap();
    assert_eq!(bits.to_dense(), x);
}

#[test]
fn a_second_entry_is_an_error() {
    fn reason<L: Level<Value = f64> + std::fmt::Debug>(shape: &[usize], x: &[f64]) -> String {
        match Tensor::<L>::from_dense(shape, x) {
            Err(Error::Unstorable { reason, .. }) => reason,
            other => panic!("{other:?}"),
        }
    }
    let second = "fiber 0 has an entry at 1 and another at 2, but there is room for one only";
    assert_eq!(reason::<SparsePoint<Element<f64>>>(&[3], &[0.0, 1.0, 1.0]), second);
    assert_eq!(reason::<SparseInterval<Element<f64>>>(&[3], &[0.0, 1.0, 2.0]), second);
    let apart = [1.0, 1.0, 0.0, 1.0];
    assert!(reason::<SparseInterval<Element<f64>>>(&[4], &apart).contains("at 1 and another at 3"));
    let rows = [0.0, 1.0, 0.0, 1.0, 0.0, 1.0];
    assert!(reason::<Dense<SparsePoint<Element<f64>>>>(&[2, 3], &rows).contains("fiber 1"));
    assert!(reason::<Dense<SparseInterval<Element<f64>>>>(&[2, 3], &rows).contains("fiber 1"));
}
