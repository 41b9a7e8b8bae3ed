//! The invariants of the built-in levels: unchecked indexing rests on each of them, so parts that
//! break one make no tensor. And round trips of what does.

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
    Element::new(vec![1.0; n])
}

#[test]
fn values_are_as_many_as_positions() {
    assert!(refused(values(0)).contains("0 values for 1"));
    assert!(refused(values(2)).contains("2 values for 1"));
    assert!(Tensor::from_parts(values(1)).is_ok());
    assert!(refused(Dense::new(3, values(2))).contains("2 values for 3"));
    assert!(refused(Dense::new(3, values(4))).contains("4 values for 3"));
    assert!(refused(Dense::new(2, Dense::new(3, values(5)))).contains("5 values for 6"));
    assert!(Tensor::from_parts(Dense::new(2, Dense::new(3, values(6)))).is_ok());
    let wide = Dense::new(1 << 40, Dense::new(1 << 40, values(1)));
    assert!(refused(wide).contains("exceed what can be addressed"));
}

#[test]
fn sorted_coordinates() {
    let list = |len, pos: &[usize], crd: &[u32], n| {
        SparseList::new(len, pos.to_vec(), crd.to_vec(), values(n))
    };
    assert!(Tensor::from_parts(list(4, &[0, 2], &[1, 3], 2)).is_ok());
    for (root, words) in [
        (list(4, &[], &[], 0), "`pos` has 0 entries"),
        (list(4, &[0], &[], 0), "`pos` has 1 entries"),
        (list(4, &[0, 1, 2], &[1, 3], 2), "`pos` has 3 entries"),
        (list(4, &[1, 2], &[1, 3], 2), "runs from 1"),
        (list(4, &[0, 1], &[1, 3], 2), "to 1"),
        (list(4, &[0, 3], &[1, 3], 2), "to 3"),
        (list(4, &[0, 2], &[3, 1], 2), "do not ascend"),
        (list(4, &[0, 2], &[1, 1], 2), "do not ascend"),
        (list(4, &[0, 2], &[1, 4], 2), "coordinate 4"),
        (list(0, &[0, 1], &[0], 1), "coordinate 0"),
        (list(4, &[0, 2], &[1, 3], 1), "1 values for 2"),
        (list(4, &[0, 2], &[1, 3], 3), "3 values for 2"),
    ] {
        let reason = refused(root);
        assert!(reason.contains(words), "{reason}: not {words}");
    }
    let rows = |pos: &[usize], crd: &[u32]| {
        Dense::new(2, SparseList::<_>::new(4, pos.to_vec(), crd.to_vec(), values(crd.len())))
    };
    assert!(Tensor::from_parts(rows(&[0, 2, 3], &[1, 3, 0])).is_ok());
    assert!(refused(rows(&[0, 2, 1], &[1, 3, 0])).contains("runs from 0 to 1"));
    assert!(refused(rows(&[0, 4, 3], &[1, 3, 0])).contains("descends"));
    assert!(refused(rows(&[0, 3], &[1, 3, 0])).contains("`pos` has 2 entries"));
    let huge = SparseList::new(4, vec![0, 1], vec![u64::MAX], values(1));
    assert!(refused(huge).contains("coordinate"));
}

#[test]
fn runs_that_cover_a_fiber() {
    let runs = |len, pos: &[usize], last: &[u32], n| {
        RunList::new(len, pos.to_vec(), last.to_vec(), values(n))
    };
    assert!(Tensor::from_parts(runs(5, &[0, 2], &[1, 4], 2)).is_ok());
    assert!(Tensor::from_parts(runs(0, &[0, 0], &[], 0)).is_ok());
    for (root, words) in [
        (runs(5, &[0], &[], 0), "`pos` has 1 entries"),
        (runs(5, &[0, 1], &[1, 4], 2), "runs from 0 to 1"),
        (runs(5, &[0, 0], &[], 0), "cover 0"),
        (runs(5, &[0, 2], &[1, 3], 2), "cover 4"),
        (runs(5, &[0, 2], &[1, 5], 2), "cover 6"),
        (runs(5, &[0, 2], &[4, 4], 2), "do not ascend"),
        (runs(5, &[0, 3], &[3, 1, 4], 3), "do not ascend"),
        (runs(0, &[0, 1], &[0], 1), "cover 1"),
        (runs(5, &[0, 2], &[1, 4], 1), "1 values for 2"),
    ] {
        let reason = refused(root);
        assert!(reason.contains(words), "{reason}: not {words}");
    }
}

#[test]
fn blocks_within_a_fiber() {
    let band = |len, pos: &[usize], start: &[u32], n| {
        SparseBand::new(len, pos.to_vec(), start.to_vec(), values(n))
    };
    assert!(Tensor::from_parts(band(5, &[0, 2], &[3], 2)).is_ok());
    assert!(Tensor::from_parts(band(5, &[0, 0], &[5], 0)).is_ok());
    for (root, words) in [
        (band(5, &[], &[], 0), "`pos` has 0 entries"),
        (band(5, &[1, 2], &[3], 2), "runs from 1"),
        (band(5, &[0, 2], &[], 2), "`start` has 0 entries"),
        (band(5, &[0, 2], &[3, 3], 2), "`start` has 2 entries"),
        (band(5, &[0, 2], &[4], 2), "starts at 4 with 2"),
        (band(5, &[0, 1], &[5], 1), "starts at 5 with 1"),
        (band(5, &[0, 0], &[6], 0), "starts at 6 with 0"),
        (band(5, &[0, 2], &[3], 3), "3 values for 2"),
    ] {
        let reason = refused(root);
        assert!(reason.contains(words), "{reason}: not {words}");
    }
}

/// Every subset of the coordinates of a small vector, in every built-in level, and twice nested.
#[test]
fn round_trips() {
    fn check<L: Level<Value = f64> + std::fmt::Debug + PartialEq>(shape: &[usize], dense: &[f64]) {
        let a: Tensor<L> = Tensor::from_dense(shape, dense).unwrap();
        assert_eq!(a.to_dense(), dense);
        assert_eq!(a.shape(), shape);
        let again: Tensor<L> = Tensor::from_triplets(shape, a.triplets(), Refuse).unwrap();
        assert_eq!(again.to_dense(), dense);
        for (k, want) in dense.iter().enumerate() {
            let at = if shape.len() == 1 { vec![k] } else { vec![k / shape[1], k % shape[1]] };
            assert_eq!(a.get(&at), Some(*want));
        }
        assert!(a.to_string().contains(L::NAME), "{a}");
    }
    for mask in 0..64u32 {
        let dense: Vec<f64> =
            (0..6).map(|k| if mask >> k & 1 == 1 { f64::from(k / 2 + 1) } else { 0.0 }).collect();
        check::<Dense<Element<f64>>>(&[6], &dense);
        check::<SparseList<Element<f64>>>(&[6], &dense);
        check::<SparseList<Element<f64>, u8>>(&[6], &dense);
        check::<SparseBand<Element<f64>>>(&[6], &dense);
        check::<RunList<Element<f64>>>(&[6], &dense);
        check::<Dense<SparseList<Element<f64>>>>(&[2, 3], &dense);
        check::<SparseList<SparseList<Element<f64>>>>(&[3, 2], &dense);
        check::<SparseBand<RunList<Element<f64>>>>(&[3, 2], &dense);
        check::<RunList<SparseBand<Element<f64>>>>(&[3, 2], &dense);
        check::<RunList<Dense<Element<f64>>>>(&[2, 3], &dense);
    }
    for (rows, cols) in [(0, 0), (0, 3), (3, 0)] {
        check::<Dense<SparseList<Element<f64>>>>(&[rows, cols], &[]);
        check::<SparseList<RunList<Element<f64>>>>(&[rows, cols], &[]);
        check::<RunList<SparseBand<Element<f64>>>>(&[rows, cols], &[]);
    }
}

#[test]
fn the_level_at_fault_is_named() {
    let rows = |pos: &[usize], crd: &[u32], n| {
        Dense::new(2, SparseList::new(3, pos.to_vec(), crd.to_vec(), values(n)))
    };
    let said = |made: Result<Csr<f64>, Error>| made.expect_err("no tensor").to_string();
    let unsorted = said(Tensor::from_parts(rows(&[0, 2, 3], &[2, 0, 1], 3)));
    assert!(unsorted.starts_with("not a valid `SparseList`: "), "{unsorted}");
    let short = said(Tensor::from_parts(rows(&[0, 2, 3], &[0, 2, 1], 2)));
    assert!(short.starts_with("not a valid `Element`: there are 2 values for 3"), "{short}");
    let wide = Tensor::from_parts(Dense::new(1 << 40, Dense::new(1 << 40, values(1))));
    assert!(said(wide.map(|_| unreachable!())).starts_with("not a valid `Dense`: "));
}
