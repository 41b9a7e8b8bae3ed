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
