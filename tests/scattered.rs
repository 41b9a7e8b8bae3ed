//! Results whose entries have an order, written where something computed says, by programs without loops: they are gathered, and
//! put in order.

use looplets::prelude::*;
use std::collections::BTreeMap;

level! { type Far = Tensor<Dense<SparseList<Element<f64, Inf>>>>; }
level! { type Marks = Tensor<Dense<SparseList<Pattern>>>; }
level! { type Deep = Tensor<SparseList<SparseList<SparseList<Element<f64>>>>>; }

finch! {
    fn counts(r: &[u32], m: usize) -> (h: SparseVec<u64>[m]) { h[r[k]] += 1 }
    fn pairs(r: &[u32], c: &[u32], m: usize, n: usize) -> (h: Csr<u64>[m, n]) { h[r[k], c[k]] += 1 }
    fn pairs_listed(r: &[u32], c: &[u32], m: usize, n: usize) -> (h: Coo2<u64>[m, n]) { h[r[k], c[k]] += 1 }
    fn triples(r: &[u32], c: &[u32], x: &[f64], n: usize) -> (h: Deep[n, n, n]) { h[r[k], c[k], r[k]] += x[k] }
    fn least(r: &[u32], c: &[u32], x: &[f64], m: usize, n: usize) -> (h: Far[m, n]) { h[r[k], c[k]] <<min>>= x[k] }
    fn seen(r: &[u32], c: &[u32], x: &[f64], m: usize, n: usize) -> (h: Marks[m, n]) { h[r[k], c[k]] ||= x[k] > 0.5 }
    fn columns(a: &Csr<f64>, p: &[u32], m: usize, n: usize) -> (c: Csr<f64>[m, n]) { c[i, p[j]] = a[i, j] }
    fn rows(a: &Csr<f64>, p: &[u32], m: usize, n: usize) -> (c: Csr<f64>[m, n]) { c[p[i], j] = a[i, j] }
    fn both(a: &Csr<f64>, p: &[u32], m: usize, n: usize) -> (c: Csr<f64>[m, n]) { c[p[i], p[j]] = a[i, j] }
    fn positive(a: &Csr<f64>, p: &[u32], m: usize, n: usize) -> (c: Csr<f64>[m, n]) { if a[i, j] > 0 { c[i, p[j]] += 2 * a[i, j] } }
    fn kronecker(a: &Csr<f64>, b: &Csr<f64>, m: usize, n: usize, p: usize, q: usize) -> (c: Csr<f64>[m * p, n * q]) {
        c[p * i + k, q * j + l] = a[i, j] * b[k, l]
    }
    fn flat(a: &Csr<f64>, m: usize, n: usize) -> (c: SparseVec<f64>[m * n]) { c[n * i + j] = a[i, j] }
    fn diagonal(x: &SparseVec<f64>, n: usize) -> (c: Csr<f64>[n, n]) { c[i, i] = x[i] }
    fn moved(a: &Csr<f64>, p: &[u32], b: &Csr<f64>, m: usize, n: usize) -> (c: Csr<f64>[m, n]) { c[i, p[j]] += a[i, k] * b[k, j] }
}

/// Values that show what is done to them.
const VALUES: [f64; 9] =
    [0.3, -0.0, 1.75, f64::NAN, -2.5, f64::INFINITY, 5e-324, f64::MAX, f64::NEG_INFINITY];

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (self.0 >> 33) as usize % n
    }
    fn coordinates(&mut self, n: usize, below: usize) -> Vec<u32> {
        (0..n).map(|_| self.below(below) as u32).collect()
    }
    fn values(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| VALUES[self.below(VALUES.len())]).collect()
    }
    /// Fractions: what is added or multiplied has one result in any order.
    fn matrix(&mut self, m: usize, n: usize, tame: bool) -> Vec<([usize; 2], f64)> {
        let mut all = BTreeMap::new();
        for _ in 0..m * n / 3 {
            let value = match tame {
                true => (self.below(17) as f64 - 8.0) / 4.0,
                false => VALUES[self.below(VALUES.len())],
            };
            all.insert([self.below(m), self.below(n)], value);
        }
        all.into_iter().collect()
    }
    /// Each number below `n` once.
    fn permutation(&mut self, n: usize) -> Vec<u32> {
        let mut all: Vec<u32> = (0..n as u32).collect();
        (1..n).for_each(|k| all.swap(k, self.below(k + 1)));
        all
    }
}

/// The entries of a result are these, in order, to the last bit; what is not a number is not a number.
#[track_caller]
fn holds<L: Level<Value = T>, T: Value + Copy>(
    result: &Tensor<L>,
    want: &BTreeMap<Vec<usize>, T>,
    bits: fn(&T) -> u64,
) {
    let shown = |all: Vec<(Vec<usize>, T)>| {
        all.iter().map(|(at, x)| (at.clone(), bits(x))).collect::<Vec<_>>()
    };
    let want: Vec<(Vec<usize>, T)> = want.iter().map(|(at, x)| (at.clone(), *x)).collect();
    assert_eq!(shown(result.triplets()), shown(want));
}

fn bits(x: &f64) -> u64 {
    if x.is_nan() {
        u64::MAX
    } else {
        x.to_bits()
    }
}

#[test]
fn counts_of_coordinates() {
    let mut random = Random(7);
    for (count, m, n) in
        [(0, 0, 0), (0, 3, 4), (1, 1, 1), (40, 3, 5), (200, 1000, 2), (300, 17, 19)]
    {
        let (r, c) = (random.coordinates(count, m.max(1)), random.coordinates(count, n.max(1)));
        let (mut one, mut two): (BTreeMap<_, u64>, BTreeMap<_, u64>) = Default::default();
        for (r, c) in r.iter().zip(&c) {
            *one.entry(vec![*r as usize]).or_default() += 1;
            *two.entry(vec![*r as usize, *c as usize]).or_default() += 1;
        }
        holds(&counts(&r, m), &one, |x| *x);
        holds(&pairs(&r, &c, m, n), &two, |x| *x);
        holds(&pairs_listed(&r, &c, m, n), &two, |x| *x);
    }
}

#[test]
fn reductions_into_ordered_results() {
    let mut random = Random(11);
    for count in [0, 1, 30, 200] {
        let (m, n) = (13, 13);
        let (r, c, x) =
            (random.coordinates(count, m), random.coordinates(count, n), random.values(count));
        let tame: Vec<f64> = (0..count).map(|_| random.below(33) as f64 / 8.0).collect();
        let (mut sums, mut least_of, mut marks) =
            (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for k in 0..count {
            let (r, c) = (r[k] as usize, c[k] as usize);
            *sums.entry(vec![r, c, r]).or_insert(0.0) += tame[k];
            if tame[k] < f64::INFINITY {
                let held = least_of.entry(vec![r, c]).or_insert(tame[k]);
                *held = held.min(tame[k]);
            }
            if x[k] > 0.5 {
                marks.insert(vec![r, c], true);
            }
        }
        sums.retain(|_, x| *x != 0.0);
        let mut found = triples(&r, &c, &tame, n).triplets();
        found.retain(|(_, x)| *x != 0.0);
        assert_eq!(found, sums.into_iter().collect::<Vec<_>>());
        holds(&least(&r, &c, &tame, m, n), &least_of, bits);
        holds(&seen(&r, &c, &x, m, n), &marks, |x| u64::from(*x));
    }
}

#[test]
fn permutations_keep_every_entry() {
    let mut random = Random(5);
    for n in [0, 1, 2, 9, 40] {
        let entries = random.matrix(n, n, false);
        let a: Csr<f64> =
            Tensor::from_triplets([n, n], entries.iter().copied(), Refuse).expect("a matrix");
        let p = random.permutation(n);
        let at = |f: &dyn Fn([usize; 2]) -> Vec<usize>| {
            entries.iter().map(|(x, v)| (f(*x), *v)).collect::<BTreeMap<_, _>>()
        };
        let to = |i: usize| p[i] as usize;
        holds(&columns(&a, &p, n, n), &at(&|[i, j]| vec![i, to(j)]), bits);
        holds(&rows(&a, &p, n, n), &at(&|[i, j]| vec![to(i), j]), bits);
        holds(&both(&a, &p, n, n), &at(&|[i, j]| vec![to(i), to(j)]), bits);
        holds(&flat(&a, n, n), &at(&|[i, j]| vec![n * i + j]), bits);
        let mut doubled = at(&|[i, j]| vec![i, to(j)]);
        doubled.retain(|_, x| *x > 0.0);
        doubled.values_mut().for_each(|x| *x *= 2.0);
        holds(&positive(&a, &p, n, n), &doubled, bits);
        let x: SparseVec<f64> = Tensor::from_triplets(
            [n],
            entries.iter().filter(|(at, _)| at[0] == 0).map(|(at, v)| ([at[1]], *v)),
            Refuse,
        )
        .expect("a vector");
        let want = x.triplets().into_iter().map(|(at, v)| (vec![at[0], at[0]], v)).collect();
        holds(&diagonal(&x, n), &want, bits);
    }
}

#[test]
fn products_of_all_pairs() {
    let mut random = Random(3);
    for (m, n, p, q) in [(0, 0, 0, 0), (1, 1, 1, 1), (2, 3, 4, 2), (6, 5, 3, 7)] {
        let (a, b) = (random.matrix(m, n, true), random.matrix(p, q, true));
        let mut want = BTreeMap::new();
        for (x, v) in &a {
            for (y, w) in &b {
                want.insert(vec![p * x[0] + y[0], q * x[1] + y[1]], v * w);
            }
        }
        let (a, b): (Csr<f64>, Csr<f64>) = (
            Tensor::from_triplets([m, n], a, Refuse).expect("a matrix"),
            Tensor::from_triplets([p, q], b, Refuse).expect("a matrix"),
        );
        holds(&kronecker(&a, &b, m, n, p, q), &want, bits);
    }
}

#[test]
fn a_product_into_permuted_columns() {
    let mut random = Random(13);
    let n = 12;
    let (x, y) = (random.matrix(n, n, true), random.matrix(n, n, true));
    let p = random.coordinates(n, n);
    let mut want = BTreeMap::new();
    for (at, v) in &x {
        for (with, w) in y.iter().filter(|(with, _)| with[0] == at[1]) {
            *want.entry(vec![at[0], p[with[1]] as usize]).or_insert(0.0) += v * w;
        }
    }
    let (a, b): (Csr<f64>, Csr<f64>) = (
        Tensor::from_triplets([n, n], x, Refuse).expect("a matrix"),
        Tensor::from_triplets([n, n], y, Refuse).expect("a matrix"),
    );
    let found: BTreeMap<_, _> = moved(&a, &p, &b, n, n).triplets().into_iter().collect();
    assert_eq!(found, want);
}

#[test]
#[should_panic(expected = "`h`")]
fn what_lies_outside_is_refused() {
    counts(&[1, 7], 7);
}

static ASKED: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);

/// A size that is another one each time.
fn next() -> usize {
    4 + ASKED.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
}

finch! {
    fn asked_once(r: &[u32]) -> (h: SparseVec<u64>[$(next())]) { h[r[k]] += 1 }
    fn another_meaning(r: &[u32], m: usize) -> (h: SparseVec<u64>[m]) { let m = 3; h[r[k]] += m }
    // What a program's own workspace holds is what was assigned last, fill or not.
    fn overwritten(x: &SparseVec<f64>, p: &[u32], n: usize) -> (c: DenseVec<f64>) { let mut w: DenseVec<f64>[n]; w[p[i]] = x[i]; c[i] = w[i] }
}
finch! {
    // What is only moved comes in order.
    #![cost(stored(x))]
    fn shifted(x: &SparseVec<f64>, n: usize) -> (c: SparseVec<f64>[n]) { c[i + 2] = x[i] }
}

#[test]
fn sizes_are_those_of_the_header() {
    assert_eq!(asked_once(&[3, 1, 3]).to_dense(), [0, 1, 0, 2]);
    assert_eq!(another_meaning(&[6, 0], 7).triplets(), [(vec![0], 3), (vec![6], 3)]);
}

#[test]
fn a_later_fill_is_not_lost() {
    let x = Tensor::from_triplets([2], [([0], 3.0)], Refuse).expect("a vector");
    assert_eq!(overwritten(&x, &[0, 0], 2).to_dense(), [0.0, 0.0]);
    assert_eq!(overwritten(&x, &[1, 0], 2).to_dense(), [0.0, 3.0]);
    assert_eq!(shifted(&x, 5).triplets(), [(vec![2], 3.0)]);
}
