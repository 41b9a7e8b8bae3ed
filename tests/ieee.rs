//! What kernels make of NaN, infinities and signed zeros, by family of rules: what the same loops make in
//! Rust if the kernel is strict, and else where they differ.

use looplets::prelude::*;

level! { type Runs = Tensor<RunList<Element<f64>>>; }
level! { type Distances = Tensor<SparseList<Element<f64, Inf>>>; }
level! { type Depths = Tensor<SparseList<Element<f64, NegInf>>>; }

/// Each kernel twice: as it is, and strict.
macro_rules! both {
    ($($kernels:tt)*) => {
        mod loose {
            use super::*;
            finch! { $($kernels)* }
        }
        mod strict {
            use super::*;
            finch! { #![strict] $($kernels)* }
        }
    };
}

both! {
    // arithmetic
    pub fn add(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: DenseVec<f64>) { for i { c[i] = a[i] + b[i] } }
    pub fn sub(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: DenseVec<f64>) { for i { c[i] = a[i] - b[i] } }
    pub fn neg_sub(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: DenseVec<f64>) { for i { c[i] = -(a[i] - b[i]) } }
    #[allow(deprecated)]
    pub fn itself(a: &SparseVec<f64>) -> (c: DenseVec<f64>) { for i { c[i] = a[i] - a[i] } }
    pub fn opposites(a: &SparseVec<f64>) -> (c: DenseVec<f64>) { for i { c[i] = a[i] + -a[i] } }
    pub fn signs(a: &SparseVec<f64>) -> (c: DenseVec<f64>) { for i { c[i] = (-1) * (1 * -(-a[i])) } }
    pub fn turned(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: DenseVec<f64>) { for i { c[i] = (-a[i]) * b[i] } }
    pub fn ratio(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: DenseVec<f64>) { for i { c[i] = (-a[i]) / b[i] / 1 } }
    // annihilate
    pub fn mul(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: DenseVec<f64>) { for i { c[i] = a[i] * b[i] } }
    // minmax
    pub fn lower(a: &Distances, b: &Distances) -> (c: DenseVec<f64>) { for i { c[i] = min(a[i], b[i]) } }
    pub fn upper(a: &Depths, b: &Depths) -> (c: DenseVec<f64>) { for i { c[i] = max(a[i], b[i]) } }
    pub fn lowest(a: &Depths, b: &SparseVec<f64>) -> (c: DenseVec<f64>) { for i { c[i] = min(a[i], b[i]) } }
    // compare
    pub fn compare(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: DenseVec<u64>) {
        for i {
            c[i] = (a[i] == a[i]) + 2 * (a[i] != a[i]) + 4 * (a[i] < a[i]) + 8 * (a[i] <= a[i])
                + 16 * !(a[i] < b[i]) + 32 * !(a[i] >= b[i]) + 64 * (a[i] == b[i])
        }
    }
    // control
    pub fn choice(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: DenseVec<f64>) {
        for i { c[i] = ifelse(a[i] < b[i], a[i], b[i]) }
    }
    // functions
    pub fn roots(a: &SparseVec<f64>) -> (c: DenseVec<f64>) { for i { c[i] = sqrt(a[i]) } }
    pub fn waves(a: &SparseVec<f64>) -> (c: DenseVec<f64>) { for i { c[i] = cos(a[i]) + exp(a[i]) * abs(a[i]) } }
    pub fn floors(a: &SparseVec<f64>) -> (c: DenseVec<f64>) { for i { c[i] = floor(a[i]) } }
    // reduce
    pub fn total(a: &SparseVec<f64>, s: &mut f64) { for i { s += a[i] } }
    pub fn sum(a: &Runs, s: &mut f64) { for i { s += a[i] } }
    pub fn difference(a: &Runs, s: &mut f64) { for i { s -= a[i] } }
    pub fn product(a: &Runs, s: &mut f64) { for i { s *= a[i] } }
    pub fn dot(a: &DenseVec<f64>, b: &DenseVec<f64>, s: &mut f64) { for i { s += a[i] * b[i] } }
    pub fn least(a: &Distances, s: &mut f64) { for i { s <<min>>= a[i] } }
    pub fn greatest(a: &Depths, s: &mut f64) { for i { s <<max>>= a[i] } }
}

const SPECIAL: [f64; 9] =
    [0.0, -0.0, 1.0, -1.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 1e-320];

/// Bits, but all NaN are one.
fn class(x: f64) -> u64 {
    if x.is_nan() {
        f64::NAN.to_bits()
    } else {
        x.to_bits()
    }
}

/// All pairs of special values, and for each whether it is stored in the one and in the other.
struct Pairs {
    a: Vec<(f64, bool)>,
    b: Vec<(f64, bool)>,
}

impl Pairs {
    fn new() -> Pairs {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        for x in SPECIAL {
            for y in SPECIAL {
                for stored in 0..4 {
                    a.push((x, stored & 1 == 1));
                    b.push((y, stored & 2 == 2));
                }
            }
        }
        Pairs { a, b }
    }
    /// What a loop in Rust gives over the two, at each element.
    fn plain(&self, fill_a: f64, fill_b: f64, f: impl Fn(f64, f64) -> f64) -> Vec<f64> {
        let dense = |all: &[(f64, bool)], fill: f64| -> Vec<f64> {
            all.iter().map(|(x, stored)| if *stored { *x } else { fill }).collect()
        };
        dense(&self.a, fill_a).iter().zip(dense(&self.b, fill_b)).map(|(x, y)| f(*x, y)).collect()
    }
}

/// The entries that are stored, whatever they are: also fill that is stored.
macro_rules! stored {
    ($all:expr) => {{
        let entries = $all.iter().enumerate().filter(|(_, (_, stored))| *stored);
        Tensor::from_triplets([$all.len()], entries.map(|(i, (x, _))| ([i], *x)), Refuse).unwrap()
    }};
}

/// How a kernel that is not strict may differ.
#[derive(PartialEq)]
enum May {
    /// Not at all.
    Nothing,
    /// By the sign of a zero.
    Sign,
    /// It is zero where one side is not stored, whatever the other is.
    Structure,
    /// It is NaN where one side is not stored and the other is NaN.
    Nan,
}

impl Pairs {
    fn check(&self, name: &str, strict: &[f64], loose: &[f64], expected: &[f64], may: &May) {
        assert_eq!(strict.len(), self.a.len());
        let mut differs = false;
        for (k, x) in expected.iter().enumerate() {
            let at = format!("{name} of {:?} and {:?}", self.a[k], self.b[k]);
            let structure = !self.a[k].1 || !self.b[k].1;
            // The zero of a fill has no sign.
            let unsigned = structure && strict[k] == 0.0 && *x == 0.0;
            assert!(
                class(strict[k]) == class(*x) || unsigned,
                "strict {at}: {} for {x}",
                strict[k]
            );
            if class(loose[k]) == class(*x) {
                continue;
            }
            differs = true;
            let allowed = match may {
                May::Nothing => false,
                May::Sign => loose[k] == 0.0 && *x == 0.0,
                May::Structure => structure && loose[k] == 0.0,
                May::Nan => structure && loose[k].is_nan(),
            };
            assert!(allowed, "{at}: {} for {x}", loose[k]);
        }
        // What is said to differ and does not is a promise that could be made.
        assert_eq!(differs, *may != May::Nothing, "{name}");
    }
}

macro_rules! agree {
    ($kernel:ident($pairs:ident, $fa:expr, $fb:expr), $may:expr, $f:expr) => {
        let (a, b) = (stored!($pairs.a), stored!($pairs.b));
        let (strict, loose) = (strict::$kernel(&a, &b), loose::$kernel(&a, &b));
        let expected = $pairs.plain($fa, $fb, $f);
        $pairs.check(stringify!($kernel), &strict.to_dense(), &loose.to_dense(), &expected, &$may);
    };
    ($kernel:ident($pairs:ident), $may:expr, $f:expr) => {
        let $pairs = Pairs { b: vec![(0.0, true); $pairs.a.len()], a: $pairs.a.clone() };
        let a = stored!($pairs.a);
        let (strict, loose) = (strict::$kernel(&a), loose::$kernel(&a));
        let expected = $pairs.plain(0.0, 0.0, |x, _| $f(x));
        $pairs.check(stringify!($kernel), &strict.to_dense(), &loose.to_dense(), &expected, &$may);
    };
}

#[test]
fn arithmetic() {
    let p = Pairs::new();
    agree!(add(p, 0.0, 0.0), May::Sign, |x, y| x + y);
    agree!(sub(p, 0.0, 0.0), May::Sign, |x, y| x - y);
    agree!(neg_sub(p, 0.0, 0.0), May::Sign, |x: f64, y| -(x - y));
    agree!(itself(p), May::Nothing, |x: f64| x - x);
    agree!(opposites(p), May::Nothing, |x: f64| x + -x);
    agree!(ratio(p, 0.0, 0.0), May::Structure, |x: f64, y| -x / y / 1.0);
    agree!(signs(p), May::Sign, |x: f64| -x);
    agree!(turned(p, 0.0, 0.0), May::Structure, |x: f64, y| -x * y);
}

#[test]
fn annihilators() {
    let p = Pairs::new();
    agree!(mul(p, 0.0, 0.0), May::Structure, |x, y| x * y);
}

#[test]
fn minima_and_maxima() {
    let p = Pairs::new();
    let (inf, low) = (f64::INFINITY, f64::NEG_INFINITY);
    agree!(lower(p, inf, inf), May::Nan, f64::min);
    agree!(upper(p, low, low), May::Nan, f64::max);
    agree!(lowest(p, low, 0.0), May::Nothing, f64::min);
}

#[test]
fn control_and_comparisons() {
    let p = Pairs::new();
    agree!(choice(p, 0.0, 0.0), May::Nothing, |x, y| if x < y { x } else { y });
    let (a, b) = (stored!(p.a), stored!(p.b));
    #[allow(clippy::eq_op, clippy::neg_cmp_op_on_partial_ord)]
    let expected = p.plain(0.0, 0.0, |x, y| {
        let bits = [x == x, x != x, x < x, x <= x, !(x < y), !(x >= y), x == y];
        bits.iter().enumerate().map(|(k, b)| f64::from(u8::from(*b) << k)).sum()
    });
    for got in [strict::compare(&a, &b), loose::compare(&a, &b)] {
        let got: Vec<f64> = got.to_dense().iter().map(|n| *n as f64).collect();
        assert_eq!(got, expected);
    }
}

#[test]
fn functions() {
    let p = Pairs::new();
    agree!(roots(p), May::Nothing, f64::sqrt);
    agree!(waves(p), May::Nothing, |x: f64| x.cos() + x.exp() * x.abs());
    agree!(floors(p), May::Nothing, f64::floor);
}

/// Sequences of up to three runs, of one to three elements each.
fn sequences() -> Vec<Vec<f64>> {
    let mut all = vec![vec![]];
    for x in SPECIAL {
        for n in 1..4 {
            all.push(vec![x; n]);
            for y in SPECIAL {
                all.push([vec![x; n], vec![y; 4 - n]].concat());
                all.push([vec![x], vec![y; n], vec![-x]].concat());
            }
        }
    }
    all
}

/// A reduction over runs: as in Rust if strict; else as the sum of products `x * n`.
fn reduction(
    kernels: [fn(&Runs, &mut f64); 2],
    step: impl Fn(f64, f64) -> f64,
    run: impl Fn(f64, f64, usize) -> f64,
) {
    let mut differs = false;
    for all in sequences() {
        let a: Runs = Tensor::from_dense([all.len()], &all).unwrap();
        for start in SPECIAL {
            let [mut strict, mut loose] = [start; 2];
            kernels[0](&a, &mut strict);
            kernels[1](&a, &mut loose);
            let plain = all.iter().fold(start, |s, x| step(s, *x));
            assert_eq!(class(strict), class(plain), "{start} and {all:?}: {strict} for {plain}");
            let equal = |x: &f64, y: &f64| class(*x) == class(*y);
            let runs = all.chunk_by(equal).fold(start, |s, xs| run(s, xs[0], xs.len()));
            assert_eq!(class(loose), class(runs), "{start} and {all:?}: {loose} for {runs}");
            differs |= class(runs) != class(plain);
        }
    }
    // `-MAX + MAX + MAX` is `MAX`, and `-MAX + 2 * MAX` is infinite.
    assert!(differs);
}

#[test]
fn sums_and_products_of_runs() {
    reduction([strict::sum, loose::sum], |s, x| s + x, |s, x, n| s + x * n as f64);
    reduction([strict::difference, loose::difference], |s, x| s - x, |s, x, n| s - x * n as f64);
    reduction(
        [strict::product, loose::product],
        |s, x| s * x,
        |s, x, n| s * x.powi(i32::try_from(n).unwrap()),
    );
}

#[test]
fn infinities_that_cancel_are_nan() {
    let all = [f64::INFINITY, 1.0, f64::NEG_INFINITY, 2.0];
    let entries = all.iter().enumerate().map(|(i, x)| ([10 * i], *x));
    let a: SparseVec<f64> = Tensor::from_triplets([50], entries, Refuse).unwrap();
    for total in [strict::total, loose::total] {
        let mut s = 0.0;
        total(&a, &mut s);
        assert!(s.is_nan());
    }
    let (b, c) =
        (Tensor::from_dense([4], &all).unwrap(), Tensor::from_dense([4], &[1.0; 4]).unwrap());
    for dot in [strict::dot, loose::dot] {
        let mut s = 0.0;
        dot(&b, &c, &mut s);
        assert!(s.is_nan());
    }
}

#[test]
fn what_is_not_stored_is_not_added() {
    let mut s = -0.0;
    strict::total(&Tensor::from_dense([50], &[0.0; 50]).unwrap(), &mut s);
    // In Rust fifty zeros would make it positive.
    assert_eq!(class(s), class(-0.0));
}

#[test]
fn strict_sums_are_in_order() {
    let terms = [1e16, 1.0, -1e16, 1.0, 1.0, 3.0, 1.0, 1e-3, 7.0];
    let a = Tensor::from_dense([9], &terms).unwrap();
    let b = Tensor::from_dense([9], &[1.0; 9]).unwrap();
    let (mut strict, mut loose) = (0.5, 0.5);
    strict::dot(&a, &b, &mut strict);
    loose::dot(&a, &b, &mut loose);
    assert_eq!(strict, terms.iter().fold(0.5, |s, x| s + x));
    let lane = |q: usize| terms[q] + terms[q + 4];
    assert_eq!(loose, (0.5 + ((lane(0) + lane(2)) + (lane(1) + lane(3)))) + terms[8]);
    assert_ne!(strict, loose);
}

#[test]
fn reductions_start_at_identities() {
    let nan = f64::NAN;
    for x in SPECIAL {
        for start in SPECIAL {
            let a: Distances = Tensor::from_triplets([9], [([4], x)], Refuse).unwrap();
            let b: Depths = Tensor::from_triplets([9], [([4], x)], Refuse).unwrap();
            let results = |least: fn(&Distances, &mut f64), greatest: fn(&Depths, &mut f64)| {
                let (mut s, mut t) = (start, start);
                least(&a, &mut s);
                greatest(&b, &mut t);
                (s, t)
            };
            // As Rust has it a NaN loses against what is not stored.
            let low = a.to_dense().into_iter().fold(start, f64::min);
            let high = b.to_dense().into_iter().fold(start, f64::max);
            let (s, t) = results(strict::least, strict::greatest);
            assert!(s == low && t == high, "{start} and {x}: {s}, {t} for {low}, {high}");
            let (s, t) = results(loose::least, loose::greatest);
            // Here it loses against what is stored only.
            let (low, high) = if x.is_nan() && start.is_nan() {
                (nan, nan)
            } else {
                (start.min(x), start.max(x))
            };
            assert!(class(s) == class(low) || s == low, "{start} and {x}: {s} for {low}");
            assert!(class(t) == class(high) || t == high, "{start} and {x}: {t} for {high}");
        }
    }
}

mod contracted {
    use looplets::prelude::*;

    finch! {
        #![contract]
        pub fn product(a: &SparseVec<f64>, x: &DenseVec<f64>, c: &mut f64) { for i { c += a[i] * x[i] } }
        pub fn rows(a: &DenseMat<f32>, x: &DenseVec<f32>, k: f32) -> (y: DenseVec<f32>) {
            for j, i { y[i] += a[i, j] * x[j] * k }
        }
        pub fn whole(a: &SparseVec<i32>, x: &DenseVec<i32>, c: &mut i32) { for i { c += a[i] * x[i] } }
    }
}

#[test]
fn contracted_products_are_rounded_once_where_the_target_can() {
    // The square is 1 + 2^-29 + 2^-60, of which a product that is rounded keeps no 2^-60.
    let v = 1.0 + 2f64.powi(-30);
    let (a, x) = (Tensor::from_dense([1], &[v]).unwrap(), Tensor::from_dense([1], &[v]).unwrap());
    let (mut contracted, mut rounded) = (-1.0 - 2f64.powi(-29), -1.0 - 2f64.powi(-29));
    contracted::product(&a, &x, &mut contracted);
    rounded_product(&a, &x, &mut rounded);
    assert_eq!(rounded, 0.0);
    let fused = cfg!(any(target_feature = "fma", target_arch = "aarch64"));
    assert_eq!(contracted, if fused { 2f64.powi(-60) } else { 0.0 });

    let values: Vec<f32> = (0..12).map(|k| k as f32 - 5.0).collect();
    let m: DenseMat<f32> = Tensor::from_dense([3, 4], &values).unwrap();
    let x: DenseVec<f32> = Tensor::from_dense([4], &[1.0, -2.0, 0.0, 3.0]).unwrap();
    let row = |r: &[f32]| 2.0 * (r[0] - 2.0 * r[1] + 3.0 * r[3]);
    let want: Vec<f32> = values.chunks(4).map(row).collect();
    assert_eq!(contracted::rows(&m, &x, 2.0).to_dense(), want);
    let (a, x) = (Tensor::from_dense([3], &[1, 0, 3]), Tensor::from_dense([3], &[2, 5, 7]));
    let mut c = 1;
    contracted::whole(&a.unwrap(), &x.unwrap(), &mut c);
    assert_eq!(c, 24);
}

finch! {
    fn rounded_product(a: &SparseVec<f64>, x: &DenseVec<f64>, c: &mut f64) { for i { c += a[i] * x[i] } }
}

finch! { fn none(n: usize, c: &mut f64, d: &mut f64) { for i in 2..n { c += 2; d -= 0.5 } } }

#[test]
fn what_nothing_is_added_to_keeps_its_sign() {
    for (n, sums) in [(0, [-0.0, -0.0]), (2, [-0.0, -0.0]), (3, [2.0, -0.5]), (5, [6.0, -1.5])] {
        let mut found = [-0.0, -0.0];
        let [c, d] = &mut found;
        none(n, c, d);
        assert_eq!(found.map(f64::to_bits), sums.map(f64::to_bits), "{n}: {found:?}");
    }
}
