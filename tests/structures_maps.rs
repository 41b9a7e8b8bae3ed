//! Levels that mark which coordinates are stored, by a byte, a bit or a table: what makes one, round
//! trips, kernels by every protocol against other formats, and that what is not stored is skipped.

// What these kernels cost and start at is on purpose.
#![allow(deprecated)]

#[macro_use]
extern crate looplets_oracle as oracle;
#[macro_use]
mod structures;
use looplets::prelude::*;
use oracle::*;
use structures::*;

#[test]
fn flags_are_as_many_as_coordinates() {
    let map = |len, tbl: &[u8], k| ByteMap::new(len, tbl.to_vec(), structures::values(k));
    assert_eq!(Tensor::from_parts(map(3, &[0, 9, 0], 3)).unwrap().to_dense(), [0.0, 1.0, 0.0]);
    for (root, words) in [
        (map(3, &[1, 0], 3), "2 flags for 1 fibers of size 3"),
        (map(3, &[1, 0, 0, 0], 3), "4 flags for 1 fibers of size 3"),
        (map(0, &[1], 0), "1 flags for 1 fibers of size 0"),
        (map(usize::MAX, &[], 0), "0 flags for 1 fibers"),
        (map(3, &[1, 0, 1], 2), "2 values for 3"),
        (map(3, &[1, 0, 1], 4), "4 values for 3"),
    ] {
        let reason = refused(root);
        assert!(reason.contains(words), "{reason}: not {words}");
    }
    let wide = Dense::new(1 << 40, ByteMap::new(1 << 40, Vec::new(), structures::values(0)));
    assert!(refused(wide).contains("0 flags"));
}

#[test]
fn words_are_as_many_as_the_size_needs() {
    let map = |len, tbl: &[u64], k| Bitmap::new(len, tbl.to_vec(), structures::values(k));
    assert_eq!(Tensor::from_parts(map(3, &[0b101], 3)).unwrap().to_dense(), [1.0, 0.0, 1.0]);
    assert!(Tensor::from_parts(map(64, &[u64::MAX], 64)).is_ok());
    for (root, words) in [
        (map(3, &[], 3), "0 words for 1 fibers of size 3"),
        (map(3, &[0, 0], 3), "2 words for 1 fibers of size 3"),
        (map(65, &[0], 65), "1 words for 1 fibers of size 65"),
        (map(0, &[0], 0), "1 words for 1 fibers of size 0"),
        (map(3, &[0b1000], 3), "bits beyond 3, the size, in fiber 0"),
        (map(65, &[0, 2], 65), "bits beyond 65"),
        (map(usize::MAX, &[], 0), "0 words for 1 fibers"),
        (map(3, &[0b111], 2), "2 values for 3"),
        (map(3, &[0b111], 64), "64 values for 3"),
    ] {
        let reason = refused(root);
        assert!(reason.contains(words), "{reason}: not {words}");
    }
    let rows = |tbl: &[u64]| Dense::new(2, Bitmap::new(3, tbl.to_vec(), structures::values(6)));
    assert!(refused(rows(&[7, 8])).contains("in fiber 1"));
    assert!(refused(rows(&[7])).contains("1 words for 2 fibers"));
    let wide = Dense::new(0, Bitmap::new(usize::MAX, Vec::new(), structures::values(0)));
    assert!(Tensor::<Dense<Bitmap<Element<f64>>>>::from_parts(wide).is_err());
}

#[test]
fn tables_find_each_entry_once() {
    type Parts<'a> = (usize, &'a [usize], &'a [usize], &'a [u32], &'a [usize], &'a [usize], usize);
    let made = |(len, tbl, fib, crd, pos, ord, k): Parts<'_>| {
        let (tbl, fib, pos, ord) = (tbl.to_vec(), fib.to_vec(), pos.to_vec(), ord.to_vec());
        let level: Hash<Element<f64>> =
            Hash::new(len, tbl, fib, crd.to_vec(), pos, ord, structures::values(k));
        level
    };
    let home = |i: usize| looplets::search::home(0, i as u64) & 3;
    // Coordinates 4 and 1 of one fiber, in that order, where they hash to.
    let mut table = [0; 4];
    table[home(4)] = 1;
    let second = if home(1) == home(4) { (home(1) + 1) & 3 } else { home(1) };
    table[second] = 2;
    let good: Parts<'_> = (6, &table, &[0, 0], &[4, 1], &[0, 2], &[1, 0], 2);
    let a = Tensor::from_parts(made(good)).unwrap();
    assert_eq!(a.triplets(), [(vec![1], 1.0), (vec![4], 1.0)]);
    let with = |f: fn(&mut Parts<'_>)| {
        let mut parts = good;
        f(&mut parts);
        made(parts)
    };
    let moved: Vec<usize> = (0..4).map(|s| table[(s + 3) & 3]).collect();
    let changed = |from: usize, to: usize| table.map(|q| if q == from { to } else { q });
    let (lost, twice, none, strange) = (changed(2, 0), changed(2, 1), changed(0, 1), changed(2, 9));
    let full = [1, 2, 1, 2];
    for (root, words) in [
        (with(|p| p.4 = &[]), "`pos` has 0 entries"),
        (with(|p| p.4 = &[0, 1]), "runs from 0 to 1"),
        (with(|p| p.4 = &[1, 2]), "runs from 1"),
        (with(|p| p.2 = &[0]), "`fib` has 1"),
        (with(|p| (p.5, p.4) = (&[1], &[0, 1])), "`ord` has 1"),
        (with(|p| p.5 = &[1, 2]), "entry 2 in fiber 0"),
        (with(|p| p.5 = &[1, 1]), "do not ascend at 1"),
        (with(|p| p.5 = &[0, 1]), "do not ascend at 1"),
        (with(|p| p.2 = &[0, 1]), "entry 1 in fiber 0, where it is not"),
        (with(|p| p.2 = &[0, usize::MAX]), "entry 1 in fiber 0, where it is not"),
        (with(|p| p.0 = 4), "coordinate 4, but its size is 4"),
        (with(|p| p.0 = 0), "coordinate 1, but its size is 0"),
        (with(|p| p.1 = &[]), "0 slots for 2 entries"),
        (with(|p| p.1 = &[1, 2]), "2 slots for 2 entries"),
        (with(|p| p.1 = &[1, 2, 0]), "3 slots for 2 entries"),
        (made((6, &full, good.2, good.3, good.4, good.5, 2)), "no free slot"),
        (made((6, &none, good.2, good.3, good.4, good.5, 2)), "no free slot"),
        (made((6, &lost, good.2, good.3, good.4, good.5, 2)), "does not have entry 1"),
        (made((6, &twice, good.2, good.3, good.4, good.5, 2)), "entry 0 twice"),
        (made((6, &strange, good.2, good.3, good.4, good.5, 2)), "entry 8 twice, or there is no"),
        (made((6, &moved, good.2, good.3, good.4, good.5, 2)), "where a search does not find it"),
        (with(|p| p.6 = 1), "1 values for 2"),
        (with(|p| p.6 = 3), "3 values for 2"),
        (made((6, &[0, 1], &[], &[], &[0, 0], &[], 0)), "no such entry"),
        (made((6, &[0, 0, 0], &[], &[], &[0, 0], &[], 0)), "3 slots"),
    ] {
        let reason = refused(root);
        assert!(reason.contains(words), "{reason}: not {words}");
    }
    assert!(Tensor::from_parts(made((6, &[], &[], &[], &[0, 0], &[], 0))).is_ok());
    assert!(Tensor::from_parts(made((0, &[0, 0], &[], &[], &[0, 0], &[], 0))).is_ok());
    let huge: Hash<_, u64> = Hash::new(
        4,
        vec![0, 1],
        vec![0],
        vec![u64::MAX],
        vec![0, 1],
        vec![0],
        structures::values(1),
    );
    assert!(refused(huge).contains("coordinate"));
}

#[test]
fn a_table_of_many_entries() {
    let entries = (0..50_000usize).map(|k| ([k * 7919 % 300, k * 104_729 % 1000], k as f64 + 1.0));
    let a: Tensor<Dense<Hash<Element<f64>, u16>>> =
        Tensor::from_triplets([300, 1000], entries.clone(), Last).unwrap();
    let b: Csr<f64> = Tensor::from_triplets([300, 1000], entries, Last).unwrap();
    assert_eq!(a.triplets(), b.triplets());
    assert!(b.triplets().iter().all(|(at, v)| a.get(at) == Some(*v)));
    let tables: Tensor<Hash<Hash<Element<f64>>>> =
        Tensor::from_triplets([300, 1000], b.triplets(), Refuse).unwrap();
    assert_eq!(tables.triplets(), b.triplets());
    let error = Tensor::<Hash<Element<f64>, u8>>::new([257]).unwrap_err();
    assert!(error.to_string().contains("u8"), "{error}");
}

macro_rules! map {
    ($name:ident: $M:ident) => {
        mod $name {
            use super::*;

            #[test]
            fn round_trip() {
                round_trips! {
                    [0]: $M<Element<f64>>;
                    [1]: $M<Element<f64>>;
                    [6]: $M<Element<f64>>;
                    [70]: $M<Element<f64>>;
                    [130]: $M<Element<f64>>;
                    [2, 3]: Dense<$M<Element<f64>>>;
                    [2, 3]: $M<Dense<Element<f64>>>;
                    [3, 2]: $M<$M<Element<f64>>>;
                    [3, 2]: SparseList<$M<Element<f64>>>;
                    [3, 2]: $M<SparseList<Element<f64>>>;
                    [3, 2]: RunList<$M<Element<f64>>>;
                    [3, 2]: $M<RunList<Element<f64>>>;
                    [3, 2]: SparseBand<$M<Element<f64>>>;
                    [2, 70]: Dense<$M<Element<f64>>>;
                    [0, 3]: Dense<$M<Element<f64>>>;
                    [3, 0]: Dense<$M<Element<f64>>>;
                    [3, 0]: $M<$M<Element<f64>>>;
                    [0, 3]: $M<$M<Element<f64>>>;
                    [2, 2, 3]: Dense<$M<$M<Element<f64>>>>;
                }
            }

            #[test]
            fn explicit_fills_and_other_leaves() {
                let entries = [([1, 0], 0.0), ([1, 2], 5.0)];
                let a: Tensor<$M<$M<Element<f64>>>> = Tensor::from_triplets([3, 3], entries, Refuse).unwrap();
                assert_eq!(a.triplets(), [(vec![1, 0], 0.0), (vec![1, 2], 5.0)]);
                let a: Tensor<Dense<$M<Element<f64, Inf>>>> = Tensor::from_triplets([2, 2], [([1, 0], 4.0)], Refuse).unwrap();
                holds(&a, &[f64::INFINITY, f64::INFINITY, 4.0, f64::INFINITY]);
                let a: Tensor<Dense<$M<Pattern>>> = Tensor::from_triplets([2, 70], [([1, 69], true), ([0, 64], true)], Refuse).unwrap();
                assert_eq!(a.triplets(), [(vec![0, 64], true), (vec![1, 69], true)]);
            }

            kernels! {
                fn copy(a: &Tensor<$M<Element<f64>>>) -> (y: DenseVec<f64>) { for i { y[i] = a[i] } };;
                fn galloped(a: &Tensor<$M<Element<f64>>>) -> (y: SparseVec<f64>) { for i { y[i] = a[i::gallop] } };;
                fn located(a: &Tensor<$M<Element<f64>>>) -> (y: DenseVec<f64>) { for i { y[i] = a[i::locate] } };;
                fn dot(a: &Tensor<$M<Element<f64>>>, b: &SparseVec<f64>, c: &mut f64) { for i { c += a[i] * b[i] } };;
                fn dot_gallop(a: &Tensor<$M<Element<f64>>>, b: &SparseVec<f64>, c: &mut f64) { for i { c += a[i::gallop] * b[i::gallop] } };;
                fn lead(a: &Tensor<$M<Element<f64>>>, b: &SparseVec<f64>, c: &mut f64) { for i { c += a[i::lead] * b[i::follow] } };;
                fn led(a: &Tensor<$M<Element<f64>>>, b: &SparseVec<f64>, c: &mut f64) { for i { c += a[i::follow] * b[i::lead] } };;
                fn lookups(a: &Tensor<$M<Element<f64>>>, b: &SparseVec<f64>, c: &mut f64) { for i { c += a[i::locate] * b[i] } };;
                fn sum(a: &Tensor<$M<Element<f64>>>, b: &SparseVec<f64>) -> (y: SparseVec<f64>) { for i { y[i] = a[i] + b[i] } };;
                fn sum_gallop(a: &Tensor<$M<Element<f64>>>, b: &SparseVec<f64>) -> (y: SparseVec<f64>) { for i { y[i] = a[i::gallop] + b[i] } };;
                fn runs(a: &Tensor<$M<Element<f64>>>, b: &Tensor<RunList<Element<f64>>>, c: &mut f64) { for i { c += a[i] * b[i] } };;
                fn dense(a: &Tensor<$M<Element<f64>>>, b: &DenseVec<f64>, c: &mut f64) { for i { c += a[i] * b[i] } };;
                fn band(a: &Tensor<$M<Element<f64>>>, b: &Tensor<SparseBand<Element<f64>>>, c: &mut f64) { for i { c += a[i] * b[i] } };;
                fn own(a: &Tensor<$M<Element<f64>>>, b: &Tensor<$M<Element<f64>>>, c: &mut f64) { for i { c += a[i] * b[i] + a[i] } };;
                fn own_gallop(a: &Tensor<$M<Element<f64>>>, b: &Tensor<$M<Element<f64>>>, c: &mut f64) { for i { c += a[i::gallop] * b[i::gallop] } };;
                fn three(a: &Tensor<$M<Element<f64>>>, b: &Tensor<$M<Element<f64>>>, d: &SparseVec<f64>, c: &mut f64) {
                    for i { c += a[i::gallop] * b[i::gallop] * d[i::gallop] }
                };;
                fn part(a: &Tensor<$M<Element<f64>>>, lo: usize, hi: usize, c: &mut f64) { for i in lo..hi { c += a[i] } };;
                fn moved(a: &Tensor<$M<Element<f64>>>, b: &SparseVec<f64>, s: i64, c: &mut f64) { for i { c += a[i - s] * b[i + 1] } };;
                fn least(a: &Tensor<$M<Element<f64, Inf>>>, c: &mut f64) { for i { c <<min>>= a[i] } };;
                fn times(a: &Tensor<Dense<$M<Element<f64>>>>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } };;
                fn plus(a: &Tensor<$M<$M<Element<f64>>>>, b: &Csr<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = a[i, j] + b[i, j] } };;
                fn mask(a: &Tensor<Dense<$M<Pattern>>>, b: &Csr<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = ifelse(a[i, j], b[i, j], 0) } }
            }

            #[test]
            fn vectors_agree() {
                let sizes = SIZES.into_iter().chain([64, 65, 200]);
                for (n, ka) in sizes.flat_map(|n| (0..KINDS).map(move |k| (n, k))) {
                    let a: Tensor<$M<Element<f64>>> = vector(ka, n);
                    let mut c = 1.0;
                    agree!(copy(&a));
                    agree!(galloped(&a));
                    agree!(located(&a));
                    for (lo, hi) in [(0, n / 2), (n / 3, n), (n / 2, n / 2), (n - n / 4, n)] {
                        agree!(part(&a, lo, hi, &mut c));
                    }
                    let least_of = vector(ka, n);
                    agree!(least(&least_of, &mut c));
                    // All pairs of contents where that is not too many elements.
                    for kb in (0..KINDS).filter(|kb| n < 64 || (ka * 3 + 1) % KINDS == *kb) {
                        let (b, r, d, s) = (vector(kb, n), vector(kb, n), vector(kb, n), vector(kb, n));
                        agree!(dot(&a, &b, &mut c));
                        agree!(dot_gallop(&a, &b, &mut c));
                        agree!(lead(&a, &b, &mut c));
                        agree!(led(&a, &b, &mut c));
                        agree!(lookups(&a, &b, &mut c));
                        agree!(sum(&a, &b));
                        agree!(sum_gallop(&a, &b));
                        agree!(runs(&a, &r, &mut c));
                        agree!(dense(&a, &d, &mut c));
                        agree!(band(&a, &s, &mut c));
                        let m = vector(kb, n);
                        agree!(own(&a, &m, &mut c));
                        agree!(own_gallop(&a, &m, &mut c));
                        agree!(three(&a, &m, &b, &mut c));
                        for s in [0, 1, -2, 70] {
                            agree!(moved(&a, &b, s, &mut c));
                        }
                    }
                }
            }

            #[test]
            fn matrices_agree() {
                matrices(|shape, ka, kb| {
                    let (a, x) = (matrix(ka, shape), vector(kb, shape[1]));
                    agree!(times(&a, &x));
                    let (a, b, m) = (matrix(ka, shape), matrix(kb, shape), matrix(ka, shape));
                    agree!(plus(&a, &b));
                    agree!(mask(&m, &b));
                });
            }

            finch! {
                #![steps(n)]
                fn total(a: &Tensor<$M<Element<f64>>>, c: &mut f64, n: &mut u64) { for i { c += a[i] } }
                fn meet(a: &Tensor<$M<Element<f64>>>, b: &SparseVec<f64>, c: &mut f64, n: &mut u64) {
                    for i { c += a[i::gallop] * b[i::gallop] }
                }
            }

            #[test]
            fn what_is_not_stored_takes_no_step() {
                let at = [5, 64, 7_000, 9_000, 63_999];
                let a: Tensor<$M<Element<f64>>> =
                    Tensor::from_triplets([64_000], at.map(|i| ([i], 1.0)), Refuse).unwrap();
                let (mut c, mut n) = (0.0, 0);
                total(&a, &mut c, &mut n);
                assert_eq!((c, n), (5.0, 5));
                let empty: Tensor<$M<Element<f64>>> = Tensor::new([64_000]).unwrap();
                total(&empty, &mut c, &mut n);
                assert_eq!((c, n), (5.0, 5));
            }

            #[test]
            fn a_partner_that_leads_far_skips() {
                let at = [5, 64, 7_000, 9_000, 63_999];
                let every = (0..64_000).map(|i| ([i], 1.0));
                let all = Tensor::from_triplets([64_000], every, Refuse).unwrap();
                let b = Tensor::from_triplets([64_000], at.map(|i| ([i], 2.0)), Refuse).unwrap();
                let (mut c, mut n) = (0.0, 0);
                meet(&all, &b, &mut c, &mut n);
                assert!(c == 10.0 && n <= 12, "{n} steps");
            }
        }
    };
}

map!(bytes: ByteMap);
map!(bits: Bitmap);
map!(bit_tree: BitTree);
map!(accumulator: Spa);
map!(stamps: StampMap);
map!(unordered: UnorderedList);
map!(table: Hash);

kernels! {
    fn two_new_fibers() -> (y: Tensor<Hash<Hash<Element<i64>>>>[2, 2]) { for i in 0..2 { for j in 0..2 { y[i, j] += 1 + 2 * i + j; y[j, i] += 10 } } };;
    fn below_bits(a: &Tensor<Dense<SparseList<Element<i64>>>>) -> (y: Tensor<Bitmap<Hash<Element<i64>>>>[4, 4]) { for i, j { y[i, j] <<min>>= a[i, j]; y[i, i] += 2 } };;
    fn two_in_place(z: &mut Tensor<Bitmap<Hash<Element<i64>>>>, n: usize) { for i in 1..n { for k { z[i, k] += 3; z[i - 1, k] = 9 } } }
}

#[test]
fn entries_that_are_new_at_once_are_not_one() {
    let y = two_new_fibers();
    assert_eq!(y.to_dense(), [11, 12, 13, 14]);
    agree!(two_new_fibers());
    for kind in 0..KINDS {
        let a = matrix(kind, [4, 4]);
        agree!(below_bits(&a));
        let mut z = matrix(kind, [3, 2]);
        agree!(two_in_place(&mut z, 3));
    }
}
