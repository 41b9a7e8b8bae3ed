//! Loops over two lists that matter only where both have an entry: lists of all lengths, alike, apart, nested and
//! interleaved, against sets.

use looplets::prelude::*;
use std::collections::BTreeMap;

finch! {
    fn count(a: &SparseVec<f64>, b: &SparseVec<f64>, t: &mut u64) { for i { if a[i] != 0.0 && b[i] != 0.0 { t += 1 } } }
    fn dot(a: &SparseVec<f64>, b: &SparseVec<f64>, t: &mut f64) { for i { t += a[i] * b[i] } }
    fn common(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (y: SparseVec<f64>) { for i { y[i] = a[i] * b[i] } }
    fn least(a: &SparseVec<f64>, b: &SparseVec<f64>, t: &mut f64) {
        for i { if a[i] != 0.0 && b[i] != 0.0 { t <<min>>= a[i] + b[i] } }
    }
    fn any(a: &Set, b: &Set, t: &mut bool) { for i { t ||= a[i] && b[i] } }
    fn three(a: &SparseVec<f64>, b: &SparseVec<f64>, c: &SparseVec<f64>, t: &mut f64) { for i { t += a[i] * b[i] * c[i] } }
    fn scattered(a: &SparseVec<f64>, b: &SparseVec<f64>, y: &mut DenseVec<f64>) { for i { y[i] += a[i] * b[i] } }
    fn positions(a: &SparseVec<f64>, b: &SparseVec<f64>, t: &mut i64) { for i { if a[i] != 0.0 && b[i] != 0.0 { t += i } } }
    fn moved(a: &SparseVec<f64>, b: &SparseVec<f64>, t: &mut f64) { for i { t += a[i] * coalesce(b[permit[i - 1]], 0.0) } }
    fn part(a: &SparseVec<f64>, b: &SparseVec<f64>, lo: usize, hi: usize, t: &mut f64) {
        for i in lo..hi { t += a[i] * b[i] }
    }
    fn leading(a: &SparseVec<f64>, b: &SparseVec<f64>, t: &mut f64) { for i { t += a[i] * b[i::gallop] } }
    fn by_row(a: &Csr<f64>, b: &SparseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * b[j::walk] } }
    fn in_parts(a: &Csr<f64>, b: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        parallel for i { for j { y[i] += a[i, j] * b[j] } }
    }
    fn runs(a: &Tensor<RunList<Element<f64>>>, b: &Tensor<RunList<Element<f64>>>, t: &mut f64) { for i { t += a[i] * b[i] } }
    fn spans(a: &Spans, b: &SparseVec<f64>, t: &mut f64) { for i { if a[i] { t += b[i] } } }
}
level! { type Set = Tensor<SparseList<Pattern>>; }
level! { type Spans = Tensor<SparseInterval<Pattern>>; }

/// How many elements there are.
const N: usize = 64;

/// What a kernel makes of a scalar that starts at `from`.
fn made<T>(from: T, kernel: impl FnOnce(&mut T)) -> T {
    let mut t = from;
    kernel(&mut t);
    t
}

type List = BTreeMap<usize, f64>;

fn vector<L: Level<Value = f64>>(list: &List) -> Tensor<L> {
    Tensor::from_triplets([N], list.iter().map(|(i, v)| ([*i], *v)), Refuse).expect("inside")
}

/// Lists of `len` entries from `from` on, `every` apart, a few of them moved about.
fn lists() -> Vec<List> {
    let mut state = 88_172_645_463_325_252u64;
    let mut random = move |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n as u64) as usize
    };
    let mut all = vec![List::new()];
    for every in [1, 2, 3, 7, 20] {
        for from in [0, 1, 5, 40, N - 1] {
            let regular = (from..N).step_by(every).map(|i| (i, (i % 5 + 1) as f64));
            all.push(regular.clone().collect());
            all.push(regular.filter(|_| random(3) > 0).collect());
        }
    }
    for len in [1, 2, 5, 30, 63] {
        all.push((0..len).map(|_| (random(N), (random(9) + 1) as f64)).collect());
    }
    all
}

#[test]
fn lists_of_all_kinds_meet() {
    let all = lists();
    let mut met = 0;
    for (k, a) in all.iter().enumerate() {
        let x: SparseVec<f64> = vector(a);
        let set: Set =
            Tensor::from_triplets([N], a.keys().map(|i| ([*i], true)), Refuse).expect("inside");
        let runs_of: Tensor<RunList<Element<f64>>> = x.convert().expect("runs");
        for b in &all {
            let y: SparseVec<f64> = vector(b);
            let both: Vec<(usize, f64, f64)> =
                a.iter().filter_map(|(i, v)| Some((*i, *v, *b.get(i)?))).collect();
            met += both.len();
            let sum: f64 = both.iter().map(|(_, v, w)| v * w).sum();
            assert_eq!(made(0, |t| count(&x, &y, t)), both.len() as u64, "{a:?} {b:?}");
            assert_eq!(made(0.0, |t| dot(&x, &y, t)), sum, "{a:?} {b:?}");
            let entries: Vec<_> =
                common(&x, &y).triplets().into_iter().map(|(at, v)| (at[0], v)).collect();
            assert_eq!(entries, both.iter().map(|(i, v, w)| (*i, v * w)).collect::<Vec<_>>());
            let smallest = both.iter().map(|(_, v, w)| v + w).fold(1000.0, f64::min);
            assert_eq!(made(1000.0, |t| least(&x, &y, t)), smallest);
            let other: Set =
                Tensor::from_triplets([N], b.keys().map(|i| ([*i], true)), Refuse).expect("inside");
            assert_eq!(made(false, |t| any(&set, &other, t)), !both.is_empty());
            let mut place: DenseVec<f64> = Tensor::from_dense([N], &[1.0; N]).expect("dense");
            scattered(&x, &y, &mut place);
            let placed: f64 = place.to_dense().iter().sum();
            assert_eq!(placed, sum + N as f64);
            assert_eq!(
                made(0, |t| positions(&x, &y, t)),
                both.iter().map(|(i, _, _)| *i as i64).sum()
            );
            let next: f64 =
                a.iter().filter_map(|(i, v)| Some(v * b.get(&i.checked_sub(1)?)?)).sum();
            assert_eq!(made(0.0, |t| moved(&x, &y, t)), next);
            for (lo, hi) in [(0, N), (3, 50), (N, N), (7, 8)] {
                let within = both.iter().filter(|(i, _, _)| (lo..hi).contains(i));
                assert_eq!(
                    made(0.0, |t| part(&x, &y, lo, hi, t)),
                    within.map(|(_, v, w)| v * w).sum::<f64>()
                );
            }
            assert_eq!(made(0.0, |t| leading(&x, &y, t)), sum);
            assert_eq!(made(0.0, |t| runs(&runs_of, &y.convert().expect("runs"), t)), sum);
            let c = &all[k * 7 % all.len()];
            let thrice: f64 = both.iter().filter_map(|(i, v, w)| Some(v * w * c.get(i)?)).sum();
            assert_eq!(made(0.0, |t| three(&x, &y, &vector(c), t)), thrice);
        }
    }
    assert!(met > 10_000, "{met}");
}

#[test]
fn rows_meet_a_vector() {
    let all = lists();
    let rows = all.iter().enumerate().flat_map(|(r, l)| l.iter().map(move |(i, v)| ([r, *i], *v)));
    let a: Csr<f64> = Tensor::from_triplets([all.len(), N], rows, Refuse).expect("inside");
    for b in &all {
        let x: SparseVec<f64> = vector(b);
        let want: Vec<f64> =
            all.iter().map(|l| l.iter().filter_map(|(i, v)| Some(v * b.get(i)?)).sum()).collect();
        assert_eq!(by_row(&a, &x).to_dense(), want);
        assert_eq!(in_parts(&a, &x).to_dense(), want);
    }
}

#[test]
fn spans_meet_entries() {
    for from in [0, 1, 30, 63] {
        for to in [from, from + 1, 64] {
            let inside = (from..to.min(64)).map(|i| ([i], true));
            let a: Spans = Tensor::from_triplets([N], inside, Refuse).expect("one span");
            for b in lists() {
                let want: f64 = b.range(from..to.max(from)).map(|(_, v)| v).sum();
                assert_eq!(made(0.0, |t| spans(&a, &vector(&b), t)), want);
            }
        }
    }
}
