//! A block list as a tensor: built, shown, taken apart, refused.

use blocks::{BlockList, Vbr};
use looplets::{Dense, Element, Error, Refuse, Sum, Tensor};

type Blocks = BlockList<Element<f64>>;

#[test]
fn from_dense_and_back() {
    for mask in 0u32..1 << 7 {
        let x: Vec<f64> = (0..7).map(|i| f64::from(mask >> i & 1) * f64::from(i + 1)).collect();
        let t: Tensor<Blocks> = Tensor::from_dense([7], &x).unwrap();
        assert_eq!(t.to_dense(), x);
        let stored: Vec<(Vec<usize>, f64)> =
            (0..7).filter(|&i| x[i] != 0.0).map(|i| (vec![i], x[i])).collect();
        assert_eq!(t.triplets(), stored);
        assert_eq!(t.stored(), stored.len());
        for (i, v) in x.iter().enumerate() {
            assert_eq!(t.get([i]), Some(*v));
        }
        assert_eq!(t.get([7]), None);
    }
}

#[test]
fn triplets_in_any_order() {
    let entries = vec![([2, 3], 1.0), ([0, 0], 2.0), ([2, 2], 3.0), ([0, 4], 4.0), ([2, 3], 5.0)];
    let t: Vbr<f64> = Tensor::from_triplets([3, 5], entries.clone(), Sum).unwrap();
    let want = [([0, 0], 2.0), ([0, 4], 4.0), ([2, 2], 3.0), ([2, 3], 6.0)];
    assert_eq!(t.triplets(), want.map(|(c, v)| (c.to_vec(), v)));
    let blocks = t.into_root().into_parts().1;
    let (len, pos, last, ofs, _) = blocks.into_parts();
    assert_eq!((len, pos, last, ofs), (5, vec![0, 2, 2, 3], vec![0, 4, 3], vec![0, 1, 2, 4]));
    let twice = Vbr::<f64>::from_triplets([3, 5], entries, Refuse).unwrap_err();
    assert_eq!(twice, Error::Duplicate { coords: vec![2, 3] });
}

#[test]
fn shown() {
    let t: Vbr<f64> =
        Tensor::from_triplets([2, 4], vec![([0, 1], 2.5), ([1, 3], 7.0)], Refuse).unwrap();
    let text = t.to_string();
    assert!(text.contains("2.5") && text.contains('7'), "{text}");
    assert!(format!("{t:?}").contains("BlockList"));
}

#[test]
fn parts() {
    let made = |len, pos: &[usize], last: &[u32], ofs: &[usize], n: usize| {
        Tensor::from_parts(Blocks::new(
            len,
            pos.into(),
            last.into(),
            ofs.into(),
            Element::new(vec![1.0; n]),
        ))
    };
    let t = made(6, &[0, 2], &[1, 4], &[0, 2, 3], 3).unwrap();
    assert_eq!(t.to_dense(), [1.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    assert_eq!(made(6, &[0, 2], &[1, 3], &[0, 2, 4], 4).unwrap().stored(), 4, "blocks may touch");
    assert_eq!(made(0, &[0, 0], &[], &[0], 0).unwrap().to_dense(), [0.0; 0]);
    // One invariant violated at a time.
    let broken = [
        ("no fibers", made(6, &[], &[1, 4], &[0, 2, 3], 3)),
        ("a fiber too many", made(6, &[0, 2, 2], &[1, 4], &[0, 2, 3], 3)),
        ("not from 0", made(6, &[1, 2], &[1, 4], &[0, 2, 3], 3)),
        ("blocks left over", made(6, &[0, 1], &[1, 4], &[0, 2, 3], 3)),
        ("more blocks than there are", made(6, &[0, 3], &[1, 4], &[0, 2, 3], 3)),
        ("offsets missing", made(6, &[0, 2], &[1, 4], &[0, 3], 3)),
        ("no offsets", made(6, &[0, 0], &[], &[], 0)),
        ("offsets not from 0", made(6, &[0, 2], &[1, 4], &[1, 2, 3], 3)),
        ("an empty block", made(6, &[0, 2], &[1, 4], &[0, 2, 2], 2)),
        ("descending offsets", made(6, &[0, 2], &[1, 4], &[0, 2, 1], 1)),
        ("before coordinate 0", made(6, &[0, 2], &[0, 4], &[0, 2, 3], 3)),
        ("overlapping", made(6, &[0, 2], &[1, 2], &[0, 2, 4], 4)),
        ("descending", made(6, &[0, 2], &[4, 1], &[0, 1, 2], 2)),
        ("beyond the size", made(4, &[0, 2], &[1, 4], &[0, 2, 3], 3)),
        ("enormous coordinate", made(4, &[0, 1], &[u32::MAX], &[0, 1], 1)),
        ("values missing", made(6, &[0, 2], &[1, 4], &[0, 2, 3], 2)),
        ("values left over", made(6, &[0, 2], &[1, 4], &[0, 2, 3], 4)),
    ];
    for (what, result) in broken {
        assert!(matches!(result, Err(Error::Invariant { .. })), "{what}: {result:?}");
    }
}

#[test]
fn a_size_the_coordinates_cannot_hold() {
    let fits = Tensor::<BlockList<Element<f64>, u8>>::new([256]).unwrap();
    assert_eq!(fits.shape(), [256]);
    let error = Tensor::<BlockList<Element<f64>, u8>>::new([257]).unwrap_err();
    assert!(error.to_string().contains("u8"), "{error}");
}

#[test]
fn blocks_of_rows() {
    let x: Vec<f64> = (0..12).map(|k| if k / 3 == 2 { 0.0 } else { f64::from(k) }).collect();
    let t: Tensor<BlockList<Dense<Element<f64>>>> = Tensor::from_dense([4, 3], &x).unwrap();
    assert_eq!(t.to_dense(), x);
    assert_eq!(t.stored(), 9);
    let t: Tensor<BlockList<Blocks>> = Tensor::from_dense([4, 3], &x).unwrap();
    assert_eq!(t.to_dense(), x);
}
