//! Calls that look at a sample of their operands: matrices that sizes and averages do not tell apart take another way. The look holds of
//! every format, of sizes that disagree and of operands that store nothing.

use looplets::{last_choice, prelude::*};

level! { type Trees = Tensor<Dense<BTree<Element<f64>>>>; }

finch! {
    fn triangles(a: &Graph, t: &mut u64) { t += a[i, j] && a[j, k] && a[i, k] }
    fn chain(
        a: &(Csr<f64> | Dcsr<f64> | Coo2<f64> | DenseMat<f64> | Trees), b: &Csr<f64>, x: &DenseVec<f64>
    ) -> Result<(y: DenseVec<f64>), Error> {
        y[i] += a[i, j] * b[j, k] * x[k]
    }
    fn to_rows(a: &Csr<f64>, b: &(Dcsr<f64> | Trees), x: &DenseVec<f64>) -> Result<(y: DenseVec<f64>), Error> {
        y[i] += a[i, j] * b[j, k] * x[k]
    }
    fn under(a: &Csr<f64>, b: &Dcsr<f64>, m: &Graph) -> Result<(c: Csr<f64>), Error> { if m[i, j] { c[i, j] += a[i, k] * b[k, j] } }
}

const N: usize = 10_000;

/// Places that follow from `state` alone, by a linear congruential generator (Knuth's MMIX constants).
fn below(state: &mut u64, n: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % n
}

fn graph(edges: impl IntoIterator<Item = [usize; 2]>) -> Graph {
    let mut all: Vec<_> = edges.into_iter().map(|at| (at, true)).collect();
    all.sort_unstable();
    all.dedup();
    Tensor::from_triplets([N, N], all, Refuse).expect("places differ")
}

fn matrix<L: Level<Value = f64>>(
    shape: [usize; 2],
    entries: impl IntoIterator<Item = [usize; 2]>,
) -> Tensor<L> {
    let value = |[i, j]: [usize; 2]| ([i, j], 0.5 + (i + 2 * j) as f64);
    Tensor::from_triplets(shape, entries.into_iter().map(value), Refuse).expect("places differ")
}

/// The way of the last call.
fn taken(kernel: &str) -> usize {
    let last = last_choice().expect("a choice");
    assert_eq!(last.kernel, kernel);
    last.way
}

#[test]
fn rows_that_never_meet_are_merged_and_those_of_a_graph_marked() {
    let mut state = 1;
    // The second half leads to the first, which leads nowhere.
    let halves = (0..6 * N).map(|_| [N / 2 + below(&mut state, N / 2), below(&mut state, N / 2)]);
    let halves = graph(halves.collect::<Vec<_>>());
    let mut count = 0;
    triangles(&halves, &mut count);
    assert_eq!((count, taken("triangles")), (0, 2));
    let earlier = |state: &mut u64| {
        let i = 1 + below(state, N - 1);
        [i, below(state, i)]
    };
    let any = graph((0..6 * N).map(|_| earlier(&mut state)).collect::<Vec<_>>());
    triangles(&any, &mut count);
    assert_eq!(taken("triangles"), 1);
    assert!(halves.stored().abs_diff(any.stored()) < 200);
}

#[test]
fn a_long_row_that_all_lead_to_is_summed_first() {
    let shape = [N, N];
    let x: DenseVec<f64> =
        Tensor::from_dense([N], &(0..N).map(|k| 1.0 / (1 + k) as f64).collect::<Vec<_>>())
            .expect("as many");
    // Row 0 has as much as all others.
    let hub: Csr<f64> = matrix(shape, (0..N).map(|j| [0, j]).chain((1..N).map(|i| [i, i])));
    let to_hub: Csr<f64> = matrix(shape, (0..N).map(|i| [i, 0]));
    let expected: f64 = (0..N).map(|k| (0.5 + 2.0 * k as f64) / (1 + k) as f64).sum();
    let y = chain(&to_hub, &hub, &x).expect("sizes agree");
    assert_eq!(taken("chain"), 1);
    for i in [0, 1, N - 1] {
        let (found, expected) = (y.get([i]).unwrap(), (0.5 + i as f64) * expected);
        assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
    }
    // The same numbers of entries, which lead to rows of one.
    let past: Csr<f64> = matrix(shape, (0..N).map(|i| [i, 1 + i % (N - 1)]));
    chain(&past, &hub, &x).expect("sizes agree");
    assert_eq!(taken("chain"), 2);
}

#[test]
fn every_format_is_looked_at_or_left_to_chance() {
    for n in [0, 1, 300, N] {
        let shape = [n, n];
        let places = || {
            (0..n).flat_map(|i| {
                [[i, i * 7 % n], [i, (i * 7 + 1) % n]]
                    .into_iter()
                    .take(1 + (n > 1 && i % 3 == 0) as usize)
            })
        };
        let x: DenseVec<f64> =
            Tensor::from_dense([n], &(0..n).map(|k| k as f64 - 3.5).collect::<Vec<_>>())
                .expect("as many");
        let (csr, dcsr): (Csr<f64>, Dcsr<f64>) = (matrix(shape, places()), matrix(shape, places()));
        let (coo, trees): (Coo2<f64>, Trees) = (matrix(shape, places()), matrix(shape, places()));
        // Eighths of small numbers, so that sums are exact in any order.
        let (mut inner, mut expected) = (vec![0.0; n], vec![0.0; n]);
        let value = |[i, j]: [usize; 2]| 0.5 + (i + 2 * j) as f64;
        places().for_each(|[j, k]| inner[j] += value([j, k]) * (k as f64 - 3.5));
        places().for_each(|[i, j]| expected[i] += value([i, j]) * inner[j]);
        let same = |y: Result<DenseVec<f64>, Error>| {
            assert_eq!(y.expect("sizes agree").to_dense(), expected)
        };
        same(chain(&csr, &csr, &x));
        same(chain(&dcsr, &csr, &x));
        same(chain(&coo, &csr, &x));
        same(chain(&trees, &csr, &x));
        same(to_rows(&csr, &dcsr, &x));
        same(to_rows(&csr, &trees, &x));
        if n < N {
            same(chain(&csr.convert().expect("a matrix") as &DenseMat<f64>, &csr, &x));
        }
        let mask = |at: &dyn Fn(usize) -> usize| -> Graph {
            Tensor::from_triplets(shape, (0..n).map(|i| ([i, at(i)], true)), Refuse)
                .expect("places differ")
        };
        let product = under(&csr, &dcsr, &mask(&|i| i * 49 % n)).expect("sizes agree");
        for ([i, j], value) in product.to_triplets() {
            assert_eq!(j, i * 49 % n);
            let dot: f64 =
                (0..n).map(|k| csr.get([i, k]).unwrap() * csr.get([k, j]).unwrap()).sum();
            assert_eq!(value, dot);
            if i > 20 {
                break;
            }
        }
    }
}

#[test]
fn sizes_that_disagree_are_refused_and_nothing_is_read_beyond_them() {
    let x: DenseVec<f64> = Tensor::from_dense([N], &vec![1.0; N]).expect("as many");
    let a: Csr<f64> = matrix([N, N], (0..N).map(|i| [i, N - 1 - i]));
    let short: Csr<f64> = matrix([7, N], (0..7).map(|i| [i, i]));
    assert!(chain(&a, &short, &x).expect_err("sizes differ").to_string().contains("7"));
    let none: Csr<f64> = matrix([0, N], []);
    assert!(chain(&a, &none, &x).is_err());
    assert!(chain(&none, &a, &x).is_ok());
}
