//! How shape operators walk their operands: they visit what is stored and nothing else, and by each protocol
//! find what is there.

#[path = "shapes/mod.rs"]
mod shapes;
use looplets::prelude::*;
use shapes::*;

macro_rules! steps {
    ($($name:ident: $format:ty, $most:literal;)*) => {$(
        #[test]
        fn $name() {
            finch! {
                #![steps(n)]
                fn all(a: &Tensor<$format>, x: &Tensor<SparseList<Element<f64>, u64>>, hi: usize, s: &mut f64, n: &mut u64) -> (
                    flat: Tensor<SparseList<Element<f64>, u64>>, rows: Dcsr<f64>, columns: Dcsr<f64>, above: Dcsr<f64>, beside: Dcsr<f64>,
                ) {
                    for k { flat[k] = collapse(a[i, j], (i, j) -> k) }
                    for k { s += collapse(a[i, j], (i, j) -> k) * x[k] }
                    for r, c { rows[r, c] = slice(a[i, c], i -> r, (1, hi, 2)) }
                    for r, c { columns[r, c] = slice(a[r, j], j -> c, (1, hi, 2)) }
                    for r, c { above[r, c] = concat((a[i, c], a[j, c]), (i, j) -> r) }
                    for r, c { beside[r, c] = concat((a[r, i], a[r, j]), (i, j) -> c) }
                }
            }
            let m = 100_000;
            let entries = [([3, 5], 1.0), ([3, m - 2], 2.0), ([m - 1, 0], 3.0)];
            let a: Tensor<$format> = Tensor::from_triplets([m, m], entries, Refuse).unwrap();
            let (mut s, mut n) = (0.0, 0);
            let x = Tensor::from_triplets([m * m], [([3 * m + 5], 2.0), ([m * m - 1], 1.0)], Refuse);
            let (flat, rows, columns, above, beside) = all(&a, &x.unwrap(), m, &mut s, &mut n);
            assert_eq!(flat.triplets(), [([3 * m + 5], 1.0), ([4 * m - 2], 2.0), ([m * m - m], 3.0)].map(owned));
            assert_eq!(s, 2.0);
            assert_eq!(rows.triplets(), [([1, 5], 1.0), ([1, m - 2], 2.0), ([m / 2 - 1, 0], 3.0)].map(owned));
            assert_eq!(columns.triplets(), [([3, 2], 1.0)].map(owned));
            assert_eq!((above.stored(), above.shape(), beside.stored(), beside.shape()), (6, vec![2 * m, m], 6, vec![m, 2 * m]));
            assert!(n <= $most, "{n}");
        }
    )*};
}

fn owned<const N: usize>((at, value): ([usize; N], f64)) -> (Vec<usize>, f64) {
    (at.to_vec(), value)
}

steps! {
    lists: SparseList<SparseList<Element<f64>>>, 40;
    runs: SparseRunList<SparseRunList<Element<f64>>>, 80;
    packed: PackBits<PackBits<Element<f64>>>, 130;
    blocks: SparseBlockList<SparseBlockList<Element<f64>>>, 90;
    coo: Coo<Singleton<Element<f64>>>, 40;
    hash: Hash<Hash<Element<f64>>>, 40;
    unordered: UnorderedList<UnorderedList<Element<f64>>>, 40;
    bitmaps: SparseList<Bitmap<Element<f64>>>, 40;
    bytes: ByteMap<SparseList<Element<f64>>>, 40;
    bit_trees: SparseList<BitTree<Element<f64>>>, 40;
    spa: Spa<SparseList<Element<f64>>>, 40;
}

macro_rules! protocols {
    ($($name:ident: $format:ty, $of:expr;)*) => {$(
        mod $name {
            use super::*;
            finch! {
                #![strict]
                fn read(a: &Tensor<$format>, x: &SparseVec<f64>, b: &Csr<f64>, n: usize) -> (
                    gallop: DenseVec<f64>, stacked: DenseMat<f64>, lead: DenseVec<f64>, follow: DenseVec<f64>,
                    locate: DenseVec<f64>, cut: DenseVec<f64>, joined: DenseVec<f64>,
                ) {
                    for k { gallop[k] = collapse(a[i::gallop, j::gallop], (i, j) -> k) * x[k::gallop] }
                    for r, c { stacked[r, c] = concat((a[i::gallop, c::gallop], b[j, c::gallop]), (i, j) -> r) * b[0, c::gallop] }
                    for k { lead[k] = collapse(a[i::lead, j::lead], (i, j) -> k) * x[k::follow] }
                    for k { follow[k] = collapse(a[i::follow, j::follow], (i, j) -> k) * x[k::lead] }
                    for k { locate[k] = collapse(a[i::locate, j::locate], (i, j) -> k) * x[k::lead] }
                    for k { cut[k] = slice(collapse(a[i::gallop, j::gallop], (i, j) -> l) * x[l::gallop], l -> k, (1, n)) }
                    for k { joined[k] = concat((collapse(a[i::gallop, j::gallop], (i, j) -> l), x[m::gallop]), (l, m) -> k) * concat((x[p::gallop], x[q::gallop]), (p, q) -> k) }
                }
            }
            #[test]
            fn agrees() {
                for (seed, (m, n)) in [(1, 1), (1, 6), (6, 1), (4, 6), (6, 4), (5, 5), (4, 4)].into_iter().enumerate() {
                    for seed in [0, 100, 200, 300].map(|s| s + 2 * seed as u64) {
                        sized(m, n, seed);
                    }
                }
            }
            fn sized(m: usize, n: usize, seed: u64) {
                let of: Of = $of;
                let all = m * n;
                let (v, u) = (of(m, n, seed), some(m, n, seed + 40));
                let (a, x): (Tensor<$format>, _) = (Tensor::from_dense([m, n], &v).unwrap(), Tensor::from_dense([all], &u).unwrap());
                let (gallop, stacked, lead, follow, locate, cut, joined) = read(&a, &x, &Tensor::from_dense([m, n], &u).unwrap(), all);
                let product = made([all], |k| v[k] * u[k]);
                for y in [&gallop, &lead, &follow, &locate] {
                    close(&y.to_dense(), &product);
                }
                close(&stacked.to_dense(), &made([2 * m, n], |k| if k < all { v[k] } else { u[k - all] } * u[k % n]));
                close(&cut.to_dense(), &product[1..]);
                close(&joined.to_dense(), &made([2 * all], |k| if k < all { product[k] } else { u[k - all] * u[k - all] }));
            }
        }
    )*};
}

protocols! {
    lists: SparseList<SparseList<Element<f64>>>, some;
    runs: RunList<SparseRunList<Element<f64>>>, some;
    packed: PackBits<PackBits<Element<f64>>>, some;
    blocks: SparseBlockList<SparseBlockList<Element<f64>>>, some;
    in_interval: SparseList<SparseInterval<Element<f64>>>, interval;
    of_interval: SparseInterval<SparseList<Element<f64>>>, one_row;
    in_point: SparseList<SparsePoint<Element<f64>>>, point;
    of_point: SparsePoint<RunList<Element<f64>>>, one_row;
    coo: Coo<Singleton<Element<f64>>>, some;
    hash: Hash<UnorderedList<Element<f64>>>, some;
    bits: Bitmap<BitTree<Element<f64>>>, some;
    bytes: ByteMap<Spa<Element<f64>>>, some;
}

/// A sparse operand beside rows that are all there goes to the rows that it has entries in (S6.1.3), over every level
/// that is found without a search; where the other rows matter they are visited.
#[test]
fn leaps_to_the_rows_of_a_sparse_operand() {
    finch! {
        #![steps(n)]
        fn leap(
            a: &Csr<f64>, d: &DenseMat<f64>, t: &Tensor<Dense<Dense<SparseList<Element<f64>>>>>,
            x: &Tensor<SparseList<Element<f64>, u64>>, lo: usize, hi: usize, n: &mut u64,
        ) -> (
            rows: SparseVec<f64, u64>, dense: SparseVec<f64, u64>, three: SparseVec<f64, u64>, part: SparseVec<f64, u64>,
            turned: SparseVec<f64, u64>, both: SparseVec<f64, u64>,
        ) {
            for k { rows[k] = collapse(a[i, j], (i, j) -> k) * x[k] }
            for k { dense[k] = collapse(d[i, j], (i, j) -> k) * x[k] }
            for k { three[k] = collapse(t[i, j, l], (i, j, l) -> k) * x[k] }
            for k in lo..hi { part[k] = x[k] * collapse(a[i, j], (i, j) -> k) }
            for k { if x[k] != 0 { turned[k] = collapse(d[i, j], (i, j) -> k) } }
            for k { both[k] = x[k] * collapse(a[i, j] * d[i, j], (i, j) -> k) }
        }
    }
    let m = 1000;
    let at = [0, 3 * m + 5, 3 * m + 6, 17 * m, 500 * m - 1, m * m - 1];
    let x = Tensor::from_triplets([m * m], at.map(|k| ([k], 0.5)), Refuse).unwrap();
    let own = [([0, 0], 1.0), ([3, 5], 2.0), ([3, 7], 3.0), ([17, 1], 4.0), ([m - 1, m - 1], 5.0)];
    let a = Csr::from_triplets([m, m], own, Refuse).unwrap();
    let d =
        DenseMat::from_dense([m, m], &(0..m * m).map(|k| k as f64).collect::<Vec<_>>()).unwrap();
    let own = own.map(|([i, j], v)| ([i / 10, i % 10, j], v));
    let t = Tensor::from_triplets([m / 10, 10, m], own, Refuse).unwrap();
    let mut n = 0;
    let (rows, dense, three, part, turned, both) = leap(&a, &d, &t, &x, 1, m * m - 1, &mut n);
    let hits = [(vec![0], 0.5), (vec![3 * m + 5], 1.0), (vec![m * m - 1], 2.5)];
    assert_eq!(rows.triplets(), hits);
    assert_eq!(dense.triplets(), at.map(|k| (vec![k], k as f64 / 2.0)));
    assert_eq!(three.triplets(), hits);
    assert_eq!(part.triplets(), hits[1..2]);
    assert_eq!(turned.triplets(), at.map(|k| (vec![k], k as f64)));
    assert_eq!(both.triplets(), hits.map(|(at, v)| (at.clone(), v * at[0] as f64)));
    assert!(n <= 100, "{n} steps");
}

/// What does something beside the entries is not left out, and sizes of 0 have no rows to go to.
#[test]
fn no_row_is_left_out_that_matters() {
    finch! { fn sum(a: &Csr<f64>, x: &SparseVec<f64>) -> (c: DenseVec<f64>) {
        for k { c[k] = collapse(a[i, j], (i, j) -> k) + x[k] }
    } }
    finch! { fn where_not(d: &DenseMat<f64>, x: &SparseVec<f64>) -> (c: SparseVec<f64>) {
        for k { if x[k] == 0 { c[k] = collapse(d[i, j], (i, j) -> k) } }
    } }
    finch! { fn times(a: &Csr<f64>, x: &SparseVec<f64>) -> (c: SparseVec<f64>) {
        for k { c[k] = collapse(a[i, j], (i, j) -> k) * x[k] }
    } }
    let x =
        SparseVec::from_triplets([12], [([1], 0.25), ([7], -2.0), ([11], 1.0)], Refuse).unwrap();
    let a =
        Csr::from_triplets([4, 3], [([0, 0], 1.0), ([2, 1], 2.0), ([3, 2], 4.0)], Refuse).unwrap();
    let d = DenseMat::from_dense([4, 3], &(0..12).map(f64::from).collect::<Vec<_>>()).unwrap();
    let want = [1.0, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 5.0];
    assert_eq!(sum(&a, &x).to_dense(), want);
    let rest: Vec<_> =
        (0..12).filter(|k| ![1, 7, 11].contains(k)).map(|k| (vec![k], k as f64)).collect();
    assert_eq!(where_not(&d, &x).triplets(), rest);
    for shape in [[0, 0], [0, 3], [3, 0]] {
        let none = || [] as [([usize; 2], f64); 0];
        let a = Csr::from_triplets(shape, none(), Refuse).unwrap();
        let x = SparseVec::from_triplets([0], [] as [([usize; 1], f64); 0], Refuse).unwrap();
        assert_eq!(times(&a, &x).triplets(), []);
    }
    assert_eq!(times(&a, &x).triplets(), [(vec![7], -4.0), (vec![11], 4.0)]);
}

macro_rules! run_time_steps {
    ($($name:ident: $format:ty;)*) => {$(
        /// A step that is known at run time is walked as one that the program says.
        #[test]
        fn $name() {
            finch! {
                #![steps(n)]
                fn sliced(a: &Tensor<$format>, lo: usize, hi: usize, by: usize, n: &mut u64) -> (rows: Dcsr<f64>, columns: Dcsr<f64>) {
                    for r, c { rows[r, c] = slice(a[i, c], i -> r, (lo, hi, by)) }
                    for r, c { columns[r, c] = slice(a[r, j], j -> c, (lo, hi, by)) }
                }
                fn beside(a: &Tensor<$format>, lo: usize, hi: usize, by: usize, n: &mut u64) -> (below: Dcsr<f64>, of_all: Dcsr<f64>) {
                    for r, c { below[r, c] = concat((0, slice(a[i, c], i -> p, (lo, hi, by))), (q: 1, p) -> r) }
                    for r, c { of_all[r, c] = slice(concat((0, a[i, c]), (q: 1, i) -> p), p -> r, (lo + 1, hi + 1, by)) }
                }
            }
            let m = 100_000;
            let entries = [([0, 0], 0.5), ([3, 5], 1.0), ([3, m - 2], 2.0), ([10, 11], f64::NAN), ([m - 1, 0], 3.0)];
            let a: Tensor<$format> = Tensor::from_triplets([m, m], entries, Refuse).unwrap();
            for (lo, hi) in [(0, m), (1, m), (3, m - 1), (5, 5), (m, m), (0, 12)] {
                for by in [1, 2, 3, 5, 7, 1000, m - 1, m, usize::MAX] {
                    let mut n = 0;
                    let (rows, columns) = sliced(&a, lo, hi, by, &mut n);
                    let part = |at: usize| (at >= lo && at < hi && (at - lo) % by == 0).then(|| (at - lo) / by);
                    let want = |of: usize| -> Vec<_> {
                        let all = entries.iter().filter_map(|(at, v)| {
                            let mut at = at.to_vec();
                            at[of] = part(at[of])?;
                            Some((at, v.to_bits()))
                        });
                        all.collect()
                    };
                    for (k, got) in [rows, columns].iter().enumerate() {
                        let got: Vec<_> = got.triplets().into_iter().map(|(at, v)| (at, v.to_bits())).collect();
                        assert_eq!(got, want(k), "{lo}..{hi} by {by}");
                    }
                    assert!(n <= 80, "{lo}..{hi} by {by}: {n}");
                    n = 0;
                    let (below, of_all) = beside(&a, lo, hi, by, &mut n);
                    let bits = |y: Dcsr<f64>| y.triplets().into_iter().map(|(at, v)| (at, v.to_bits())).collect::<Vec<_>>();
                    let moved: Vec<_> = want(0).into_iter().map(|(at, v)| (vec![at[0] + 1, at[1]], v)).collect();
                    assert_eq!((bits(below), bits(of_all)), (moved, want(0)), "{lo}..{hi} by {by}");
                    assert!(n <= 80, "{lo}..{hi} by {by} beside: {n}");
                }
            }
        }
    )*};
}

run_time_steps! {
    steps_of_lists: SparseList<SparseList<Element<f64>>>;
    steps_of_coo: Coo<Singleton<Element<f64>>>;
    steps_of_runs: SparseRunList<SparseRunList<Element<f64>>>;
    steps_of_bitmaps: SparseList<Bitmap<Element<f64>>>;
}
