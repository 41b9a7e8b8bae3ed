//! Every way into a tensor against every way out of it, for levels that share no code with it.

use super::*;
use crate::sample::{Csr, Dcsr, Dense, DenseVec, Element, Full, List, Pattern, SparseVec};
use num_complex::Complex;

type T<L> = Tensor<L>;
type Cube = List<Dense<List<Element<i64>, u8>>, u16>;

/// A sequence that is the same on every run.
struct Lcg(u64);

impl Lcg {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n.max(1) as u64) as usize
    }
}

fn round_trip<L>(shape: &[usize], values: &[L::Value])
where
    L: Level,
    L::Value: PartialEq + std::fmt::Debug,
{
    let t = T::<L>::from_dense(shape, values).unwrap();
    assert_eq!(t.shape(), shape);
    assert_eq!(t.to_dense(), values);
    let triplets = t.triplets();
    assert_eq!(triplets.len(), t.stored());
    assert!(triplets.windows(2).all(|w| w[0].0 < w[1].0));
    let back = T::<L>::from_triplets(shape, triplets.clone(), Refuse).unwrap();
    assert_eq!(back.triplets(), triplets);
    let reversed = triplets.iter().rev().cloned();
    let back = T::<L>::from_triplets(shape, reversed, Refuse).unwrap();
    assert_eq!(back.triplets(), triplets);
    for (coords, value) in &triplets {
        assert_eq!(t.get(coords).as_ref(), Some(value));
    }
    let parts = T::from_parts(t.into_root()).unwrap();
    assert_eq!(parts.to_dense(), values);
}

#[test]
fn dense_and_triplets_round_trip_in_every_format() {
    let mut r = Lcg(1);
    for m in 0..6 {
        for n in 0..6 {
            for density in [0, 1, 3, 5] {
                let values: Vec<i64> = (0..m * n)
                    .map(|_| if r.below(5) < density { r.below(9) as i64 } else { 0 })
                    .collect();
                let shape = [m, n];
                round_trip::<Csr<i64>>(&shape, &values);
                round_trip::<Full<i64>>(&shape, &values);
                round_trip::<Dcsr<i64>>(&shape, &values);
                round_trip::<List<Dense<Element<i64>>>>(&shape, &values);
                round_trip::<Dense<List<Element<i64, 3>, u8>>>(&shape, &values);
                let bools: Vec<bool> = values.iter().map(|&v| v != 0).collect();
                round_trip::<Dense<List<Pattern>>>(&shape, &bools);
                round_trip::<List<List<Pattern>>>(&shape, &bools);
                let words: Vec<String> = values.iter().map(|v| v.to_string()).collect();
                round_trip::<Csr<String>>(&shape, &words);
                for k in 0..3 {
                    let all: Vec<i64> = (0..m * n * k).map(|_| r.below(3) as i64).collect();
                    round_trip::<Cube>(&[m, n, k], &all);
                }
            }
        }
        let line: Vec<f64> = (0..m).map(|i| (i % 2) as f64).collect();
        round_trip::<SparseVec<f64>>(&[m], &line);
        round_trip::<DenseVec<f64>>(&[m], &line);
    }
    round_trip::<Element<f64>>(&[], &[2.5]);
    round_trip::<Element<f64, 7>>(&[], &[7.0]);
}

#[test]
fn unsorted_triplets_by_both_ways_of_sorting() {
    let mut r = Lcg(7);
    for size in [3, 40, 100_000] {
        let n = 200;
        let triplets: Vec<([usize; 2], i64)> =
            (0..n).map(|k| ([r.below(size), r.below(size)], k)).collect();
        let shape = [size, size];
        let mut want = std::collections::BTreeMap::new();
        for (c, v) in &triplets {
            *want.entry(c.to_vec()).or_insert(0) += v;
        }
        let t = T::<Csr<i64>>::from_triplets(shape, triplets.clone(), Sum).unwrap();
        assert_eq!(t.triplets(), want.into_iter().collect::<Vec<_>>(), "{size}");
        let last: std::collections::BTreeMap<_, _> = triplets.iter().copied().collect();
        let t = T::<Dcsr<i64>>::from_triplets(shape, triplets, Last).unwrap();
        let got: Vec<_> = t.triplets().into_iter().map(|(c, v)| ([c[0], c[1]], v)).collect();
        assert_eq!(got, last.into_iter().collect::<Vec<_>>(), "{size}");
    }
}

#[test]
fn duplicates_are_what_the_caller_says() {
    let twice = [([1, 2], 1e16), ([0, 0], 5.0), ([1, 2], 1.0), ([1, 2], -1e16)];
    let make = |d: &mut dyn FnMut(&mut f64, f64)| {
        T::<Csr<f64>>::from_triplets([2, 3], twice, d).unwrap().get([1, 2])
    };
    assert_eq!(make(&mut |kept, next| *kept = kept.max(next)), Some(1e16));
    let sum = T::<Csr<f64>>::from_triplets([2, 3], twice, Sum).unwrap();
    // In the order of input: the 1 is lost first.
    assert_eq!(sum.get([1, 2]), Some(0.0));
    assert_eq!(sum.stored(), 2, "a sum that is fill stays an entry");
    assert_eq!(
        T::<Csr<f64>>::from_triplets([2, 3], twice, Refuse),
        Err(Error::Duplicate { coords: vec![1, 2] })
    );
    assert_eq!(
        T::<Csr<u8>>::from_triplets([2, 3], [([1, 2], 200), ([1, 2], 100)], Sum),
        Err(Error::Overflow { coords: vec![1, 2] })
    );
    let t = T::<List<List<Pattern>>>::from_triplets([2, 2], [([1, 1], true), ([1, 1], false)], Sum);
    assert_eq!(t.unwrap().to_dense(), [false, false, false, true]);
    let scalars = [([0usize; 0], 1.0), ([], 2.0)];
    let t = T::<Element<f64>>::from_triplets([], scalars, Sum).unwrap();
    assert_eq!(t.to_dense(), [3.0]);
    let z = Complex::new(1.0, 2.0);
    let t = T::<Csr<Complex<f64>>>::from_triplets([1, 1], [([0, 0], z), ([0, 0], z)], Sum);
    assert_eq!(t.unwrap().get([0, 0]), Some(z + z));
}

#[test]
fn a_pattern_does_not_store_false() {
    let triplets = [([0, 1], false), ([1, 0], true), ([1, 1], false)];
    let t = T::<Dense<List<Pattern>>>::from_triplets([2, 2], triplets, Refuse).unwrap();
    assert_eq!(t.triplets(), [(vec![1, 0], true)]);
    let mut t = t;
    assert_eq!(t.values_mut(), None);
}

#[test]
fn values_can_be_changed_in_place() {
    let mut t = T::<Csr<f64>>::from_dense([2, 2], &[0.0, 1.0, 2.0, 0.0]).unwrap();
    for v in t.values_mut().unwrap() {
        *v *= 10.0;
    }
    assert_eq!(t.to_dense(), [0.0, 10.0, 20.0, 0.0]);
    assert_eq!(t.clone(), t);
}

#[test]
fn what_is_outside_is_an_error() {
    let make = |c: &[usize]| T::<Csr<f64>>::from_triplets([2, 3], [(c, 1.0)], Sum).unwrap_err();
    assert_eq!(make(&[1, 3]), Error::Index { coords: vec![1, 3], dimension: 1, size: 3 });
    assert_eq!(
        make(&[usize::MAX, 9]),
        Error::Index { coords: vec![usize::MAX, 9], dimension: 0, size: 2 }
    );
    assert_eq!(make(&[1]), Error::Rank { expected: 2, found: 1 });
    assert_eq!(T::<Csr<f64>>::new([2]), Err(Error::Rank { expected: 2, found: 1 }));
    let no: [(Vec<usize>, f64); 0] = [];
    assert_eq!(
        T::<Csr<f64>>::from_triplets([1, 2, 3], no, Sum),
        Err(Error::Rank { expected: 2, found: 3 })
    );
    assert_eq!(
        T::<Csr<f64>>::from_dense([2, 2], &[1.0]),
        Err(Error::Length { shape: vec![2, 2], found: 1 })
    );
    let t = T::<Csr<f64>>::new([2, 3]).unwrap();
    assert_eq!(t.get([1, 2]), Some(0.0));
    assert_eq!(t.get([2, 0]), None);
    assert_eq!(t.get([0]), None);
}

#[cfg_attr(miri, ignore = "asks for memory that an interpreter does not have")]
#[test]
fn sizes_that_cannot_be_are_errors() {
    let huge = 1usize << 61;
    let too_large = |shape: [usize; 2]| Error::TooLarge { shape: shape.to_vec() };
    assert_eq!(T::<Csr<f64>>::new([1, huge + 1]), Err(too_large([1, huge + 1])));
    assert_eq!(T::<Dcsr<f64>>::from_dense([huge, huge], &[1.0]), Err(too_large([huge, huge])));
    // Nothing of a hypersparse matrix depends on its shape.
    let t = T::<Dcsr<f64>>::from_triplets([huge - 1, huge - 1], [([huge - 2, 5], 1.0)], Sum);
    let t = t.unwrap();
    assert_eq!(t.try_to_dense(), Err(too_large([huge - 1, huge - 1])));
    assert_eq!(t.get([huge - 2, 5]), Some(1.0));
    let unstorable = |made: Result<(), Error>, words: &str| match made {
        Err(Error::Unstorable { reason, .. }) => assert!(reason.contains(words), "{reason}"),
        other => panic!("{other:?}"),
    };
    unstorable(T::<Csr<f64>>::new([huge - 1, 5]).map(drop), "no memory");
    unstorable(T::<Full<f64>>::new([huge, huge]).map(drop), "too many fibers");
    unstorable(T::<Full<f64>>::new([huge / 8, 2]).map(drop), "no memory");
    unstorable(T::<Csr<f64>>::new([1, (1 << 32) + 1]).map(drop), "coordinates");
    // A dense row is allocated only when an entry needs it.
    type Rows = List<Dense<Element<f64>>>;
    assert!(T::<Rows>::new([1, huge]).is_ok());
    unstorable(T::<Rows>::from_triplets([1, huge], [([0, 0], 1.0)], Sum).map(drop), "no memory");
    // A zero makes the product of any sizes zero.
    assert_eq!(
        T::<Dcsr<f64>>::from_dense([huge, huge * 2, 0], &[]),
        Err(Error::Rank { expected: 2, found: 3 })
    );
    assert_eq!(T::<Dcsr<f64>>::from_dense([huge - 1, 0], &[]).unwrap().to_dense(), []);
}

#[test]
fn parts_are_checked() {
    let list = |pos: &[usize], crd: &[u32], n: usize| {
        let child = Element { values: vec![1.0; n] };
        let root = List { len: 4, pos: pos.to_vec(), crd: crd.to_vec(), child, next: 0 };
        T::<SparseVec<f64>>::from_parts(root)
    };
    assert_eq!(list(&[0, 2], &[1, 3], 2).unwrap().to_dense(), [0.0, 1.0, 0.0, 1.0]);
    for bad in [
        list(&[0, 2], &[3, 1], 2),
        list(&[0, 2], &[1, 4], 2),
        list(&[0, 2], &[1, 1], 2),
        list(&[0, 1], &[1, 3], 2),
        list(&[0, 3], &[1, 3], 2),
        list(&[0, 2], &[1, 3], 1),
        list(&[], &[], 0),
    ] {
        assert!(matches!(bad, Err(Error::Invariant { level: "List", .. })), "{bad:?}");
    }
}

/// How the compiler spells default parameters in the name of a type is its own affair.
fn without_format(picture: &str) -> String {
    let (header, rest) = picture.split_once('\n').unwrap_or((picture, ""));
    let (shape, format) = header.split_once(' ').unwrap();
    let (format, stored) = format.rsplit_once(", ").unwrap();
    assert!(!format.contains("::"), "{format}");
    let outer = format.split(['<', ',']).next().unwrap();
    format!("{shape} {outer} {stored}\n{rest}")
}

#[test]
fn pictures() {
    let t = T::<Csr<f64>>::from_dense([2, 3], &[0.0, 1.5, 0.0, -20.0, 0.0, 3.0]).unwrap();
    assert!(t.to_string().starts_with("2x3 Dense<List<Element<f64"));
    let picture = without_format(&t.to_string());
    assert_eq!(picture, "2x3 Dense 3 stored\n   . 1.5 .\n -20   . 3");
    let picture = without_format(&format!("{t:.1}"));
    assert_eq!(picture, "2x3 Dense 3 stored\n     . 1.5   .\n -20.0   . 3.0");
    let v = T::<DenseVec<i32>>::from_dense([4], &[0, 7, 0, 12]).unwrap();
    assert_eq!(without_format(&v.to_string()), "4 Dense 4 stored\n . 7 . 12");
    let e = T::<Csr<f64>>::new([0, 3]).unwrap();
    assert_eq!(without_format(&e.to_string()), "0x3 Dense 0 stored\n");
    let long = T::<SparseVec<i32>>::from_triplets([99], (0..10).map(|i| ([i * 9], 1)), Sum);
    let picture = without_format(&long.unwrap().to_string());
    assert!(picture.starts_with("99 List 10 stored\n (0) 1\n (9) 1\n"));
    assert!(picture.ends_with("\n (63) 1\n .. 2 more"), "{picture}");
    let s = T::<Element<f64>>::from_dense([], &[2.5]).unwrap();
    assert_eq!(without_format(&s.to_string()), "() Element 1 stored\n () 2.5");
    let p = T::<List<List<Pattern>>>::from_dense([1, 2], &[false, true]).unwrap();
    assert_eq!(without_format(&p.to_string()), "1x2 List 1 stored\n . true");
    assert!(format!("{p:?}").contains("shape: [1, 2]"));
}
