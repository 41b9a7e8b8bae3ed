//! Rust functions in sums, where fill regions and runs add them many times at once.

use looplets::prelude::*;

level! {
    /// A vector of runs.
    pub type Runs<T> = Tensor<RunList<Element<T>>>;
}

fn shifted(x: f64) -> f64 {
    x + 1.0
}

finch! {
    fn sparse(a: &SparseVec<f64>, c: &mut f64) { for i { c += shifted(a[i]) } }
    fn rows(a: &Csr<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += shifted(a[i, j]) } }
    fn runs(a: &Runs<f64>, c: &mut f64) { for i { c -= shifted(a[i]) } }
    fn product(a: &Runs<f64>, c: &mut f64) { for i { c += 2 * shifted(a[i]) * a[i] } }
    fn above(a: &Runs<f64>, c: &mut u64) { for i { c += shifted(a[i]) > 2.5 } }
    fn squares(a: &Runs<i32>, c: &mut i32) { for i { c += i32::pow(a[i], 2) } }
    fn powers(a: &SparseVec<f64>, c: &mut f64) { for i { c += powi(a[i], 2) + powf(a[i], 1) + abs(a[i]) } }
    fn chosen(a: &SparseVec<f64>, c: &mut f64) { for i { let t = ifelse(a[i] > 1, 2, 3); c += t * a[i] } }
}

#[test]
fn functions_of_runs_and_of_fills() {
    for values in [vec![], vec![0.0], vec![1.0, 1.0, 1.0, 0.0, 0.0, 2.0], vec![0.0; 5]] {
        let n = values.len();
        let a: SparseVec<f64> = Tensor::from_dense([n], &values).unwrap();
        let r: Runs<f64> = Tensor::from_dense([n], &values).unwrap();
        let whole: Vec<i32> = values.iter().map(|v| *v as i32).collect();
        let w: Runs<i32> = Tensor::from_dense([n], &whole).unwrap();
        let sum = |f: &dyn Fn(f64) -> f64| values.iter().map(|v| f(*v)).sum::<f64>();
        let mut c = 1.0;
        sparse(&a, &mut c);
        assert_eq!(c, 1.0 + sum(&shifted));
        runs(&r, &mut c);
        assert_eq!(c, 1.0);
        product(&r, &mut c);
        assert_eq!(c, 1.0 + sum(&|v| 2.0 * shifted(v) * v));
        c = 0.0;
        powers(&a, &mut c);
        assert_eq!(c, sum(&|v| v * v + v + v.abs()));
        c = 0.0;
        chosen(&a, &mut c);
        assert_eq!(c, sum(&|v| if v > 1.0 { 2.0 * v } else { 3.0 * v }));
        let mut k = 0;
        above(&r, &mut k);
        assert_eq!(k, values.iter().filter(|v| shifted(**v) > 2.5).count() as u64);
        let mut s = 0;
        squares(&w, &mut s);
        assert_eq!(s, whole.iter().map(|v| v * v).sum::<i32>());
        let m: Csr<f64> =
            Tensor::from_dense([2, n], &[values.clone(), values.clone()].concat()).unwrap();
        assert_eq!(rows(&m).to_dense(), [sum(&shifted), sum(&shifted)]);
    }
}

finch! {
    fn total(a: &DenseVec<f64>, c: &mut f64) { for i { c += a[i] } }
}

#[test]
fn lanes_are_added_in_the_documented_order() {
    // Values of such sizes that every other order gives another sum.
    let a: Vec<f64> =
        (0..23).map(|i| [1e16, 1.0, -0.5, -1e16, 3.0][i % 5] * (1.0 + i as f64)).collect();
    let mut lanes = [0.0; 8];
    for (q, v) in a[..20].iter().enumerate() {
        lanes[q % 8] += v;
    }
    let lanes = [0, 1, 2, 3].map(|k| lanes[k] + lanes[k + 4]);
    let with_rest = |lanes: f64| a[20..].iter().fold(0.25 + lanes, |sum, v| sum + v);
    let want = with_rest((lanes[0] + lanes[2]) + (lanes[1] + lanes[3]));
    assert_ne!(want, with_rest((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])));
    assert_ne!(want, with_rest((lanes[0] + lanes[3]) + (lanes[1] + lanes[2])));
    assert_ne!(want, a.iter().fold(0.25, |sum, v| sum + v));
    let mut c = 0.25;
    total(&Tensor::from_dense([23], &a).unwrap(), &mut c);
    assert_eq!(c, want);
}

finch! {
    fn total_of_rows(a: &DenseMat<f64>, c: &mut f64) { for i, j { c += a[i, j] } }
}

#[test]
fn lanes_outlive_the_innermost_loop() {
    for n in [3, 8, 13, 15] {
        let a: Vec<f64> =
            (0..4 * n).map(|i| [1e16, 1.0, -0.5, -1e16, 3.0][i % 5] * (1.0 + i as f64)).collect();
        let (mut eights, mut fours, mut rests) = ([0.0; 8], [0.0; 4], [0.0; 3]);
        for row in a.chunks(n) {
            let (eight, rest) = row.split_at(n / 8 * 8);
            let (four, last) = rest.split_at(rest.len() / 4 * 4);
            for part in eight.chunks(8) {
                part.iter().zip(&mut eights).for_each(|(v, lane)| *lane += v);
            }
            four.iter().zip(&mut fours).for_each(|(v, lane)| *lane += v);
            last.iter().zip(&mut rests).for_each(|(v, lane)| *lane += v);
        }
        let lanes = [0, 1, 2, 3].map(|k| {
            let lane = eights[k] + eights[k + 4] + fours[k];
            rests.get(k).map_or(lane, |rest| lane + rest)
        });
        let mut c = 0.25;
        total_of_rows(&Tensor::from_dense([4, n], &a).unwrap(), &mut c);
        assert_eq!(c, 0.25 + ((lanes[0] + lanes[2]) + (lanes[1] + lanes[3])), "{n}");
    }
}

finch! {
    fn floats(a: &SparseVec<f64>, k: i64, c: &mut f64) {
        let t = ifelse(k > 1, 1, 2);
        for i { c += t; let u = ifelse(a[i] > 1, 2, 0.5) * t; c += u * a[i] }
    }
    #[allow(deprecated)] // Small numbers.
    fn bytes(a: &SparseVec<u8>, k: i64, c: &mut u8) { let t = ifelse(k > 1, 1, 2); for i { c += a[i] * t } }
    fn early(a: &SparseVec<f64>, s: &mut f64, c: &mut f64) {
        let t = ifelse(s > 1, 1, 2);
        s = 5;
        for i { c += t * a[i] }
    }
}

#[test]
fn a_choice_of_literals_has_the_type_of_what_it_meets() {
    let a: SparseVec<f64> = Tensor::from_dense([3], &[0.0, 1.0, 4.0]).unwrap();
    let b: SparseVec<u8> = Tensor::from_dense([3], &[0, 1, 4]).unwrap();
    for (k, t) in [(1, 2.0), (2, 1.0)] {
        let (mut c, mut d) = (0.0, 0);
        floats(&a, k, &mut c);
        assert_eq!(c, 3.0 * t + 0.5 * t + 8.0 * t);
        bytes(&b, k, &mut d);
        assert_eq!(f64::from(d), 5.0 * t);
    }
    let (mut s, mut c) = (0.0, 0.0);
    early(&a, &mut s, &mut c);
    assert_eq!((s, c), (5.0, 10.0), "the choice is made where it is defined");
}

finch! {
    fn total_of_twenty(a: &DenseVec<f64>, c: &mut f64) { for i in 0..20 { c += a[i] } }
}

#[test]
fn lanes_of_a_known_length_are_added_in_the_same_order() {
    let a: Vec<f64> =
        (0..20).map(|i| [1e16, 1.0, -0.5, -1e16, 3.0][i % 5] * (1.0 + i as f64)).collect();
    let a: DenseVec<f64> = Tensor::from_dense([20], &a).unwrap();
    let (mut known, mut unknown) = (0.25, 0.25);
    total_of_twenty(&a, &mut known);
    total(&a, &mut unknown);
    assert_eq!(known, unknown);
}

/// Functions whose names the compiler has for its own terms.
mod named_alike {
    pub fn index(x: f64) -> f64 {
        x * 2.5
    }
    pub fn range(a: f64, b: f64) -> f64 {
        b - a
    }
    pub fn usize(x: f64) -> f64 {
        -x
    }
    pub fn tuple_of(x: f64, y: f64) -> f64 {
        x + 10.0 * y
    }
    pub fn ceil_div(x: f64, y: f64) -> f64 {
        x / y
    }
    pub fn seq(x: f64) -> f64 {
        x + 0.25
    }
}
use named_alike::*;

finch! {
    fn alike(a: &SparseVec<f64>, b: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i { y[i] = index(a[i]) + range(a[i], b[i]) + named_alike::usize(b[i]) + tuple_of(a[i], b[i]) + ceil_div(b[i], 8.0) + seq(a[i]) }
    }
}

#[test]
fn functions_called_as_the_compiler_calls_its_own_operators_are_the_users() {
    for n in [0, 1, 2, 65] {
        let dense: Vec<f64> = (0..n).map(|i| [0.0, -0.5, 0.25, 3.0][i % 4]).collect();
        let a: SparseVec<f64> = Tensor::from_dense([n], &dense).unwrap();
        let other: Vec<f64> = (0..n).map(|i| 1.5 - i as f64).collect();
        let b: DenseVec<f64> = Tensor::from_dense([n], &other).unwrap();
        let one = |(a, b): (&f64, &f64)| {
            index(*a) + range(*a, *b) + usize(*b) + tuple_of(*a, *b) + ceil_div(*b, 8.0) + seq(*a)
        };
        let want: Vec<f64> = dense.iter().zip(&other).map(one).collect();
        assert_eq!(alike(&a, &b).to_dense(), want);
    }
}

/// What only rustc knows the types of.
fn whole(x: f64) -> u8 {
    x as u8
}
fn complex(x: f64) -> num_complex::Complex<f64> {
    num_complex::Complex::new(x, 1.0)
}

finch! {
    fn above_index(a: &DenseVec<f64>) -> (y: DenseVec<u8>) { for i { y[i] = shifted(a[i]) > i } }
    fn wholes(a: &DenseVec<f64>) -> (y: DenseVec<u8>) { for i { y[i] = (300 * i >= whole(a[i])) + (i != whole(a[i])) } }
    fn beside(a: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i { let t = shifted(a[i]); let u = t + i; y[i] = u * i - i + min(i, t) + ifelse(a[i] > 1, t, i) }
    }
    fn in_one(a: &DenseVec<f32>) -> (y: DenseVec<f32>) { for i { y[i] = f32::sqrt(a[i]) + a[i] * i + i } }
    fn spun(a: &DenseVec<f64>) -> (y: DenseVec<num_complex::Complex<f64>>) { for i { y[i] = i * complex(a[i]) + i } }
    fn counted(a: &DenseVec<f64>, n: &mut u8) { for i { n += i + whole(a[i]) * (a[i] > 1) } }
}

#[test]
fn an_index_beside_what_a_function_gives_is_a_number_of_that_type() {
    for n in [0, 1, 2, 9] {
        let dense: Vec<f64> = (0..n).map(|i| [0.0, 1.5, 4.0][i % 3]).collect();
        let a: DenseVec<f64> = Tensor::from_dense([n], &dense).unwrap();
        let each = |f: &dyn Fn(f64, f64) -> f64| -> Vec<f64> {
            dense.iter().enumerate().map(|(i, x)| f(*x, i as f64)).collect()
        };
        let small = |x: Vec<f64>| -> Vec<u8> { x.into_iter().map(|x| x as u8).collect() };
        let is = |b: bool| f64::from(u8::from(b));
        let above = each(&|x, i| is(x + 1.0 > i));
        assert_eq!(above_index(&a).to_dense(), small(above));
        let compared = each(&|x, i| is(300.0 * i >= x.trunc()) + is(i != x.trunc()));
        assert_eq!(wholes(&a).to_dense(), small(compared));
        let sums = each(&|x, i| {
            let t = x + 1.0;
            (t + i) * i - i + i.min(t) + if x > 1.0 { t } else { i }
        });
        assert_eq!(beside(&a).to_dense(), sums);
        let halves: Vec<f32> = dense.iter().map(|x| *x as f32).collect();
        let singles = halves.iter().enumerate().map(|(i, x)| x.sqrt() + x * i as f32 + i as f32);
        let single: DenseVec<f32> = Tensor::from_dense([n], &halves).unwrap();
        assert_eq!(in_one(&single).to_dense(), singles.collect::<Vec<f32>>());
        let turns = dense.iter().enumerate().map(|(i, x)| complex(*x) * i as f64 + i as f64);
        assert_eq!(spun(&a).to_dense(), turns.collect::<Vec<_>>());
        let mut count = 0;
        counted(&a, &mut count);
        let all = each(&|x, i| i + x.trunc() * is(x > 1.0));
        assert_eq!(f64::from(count), all.iter().sum::<f64>());
    }
}

/// The power of a complex number is a real one, which may be a literal.
#[test]
fn powers_of_complex_numbers() {
    use num_complex::Complex;
    finch! {
        fn roots(a: &DenseVec<Complex<f64>>) -> (y: DenseVec<Complex<f64>>) { y[i] = powf(a[i], 0.5) }
        fn raised(a: &DenseVec<Complex<f32>>, x: &DenseVec<f32>) -> (y: DenseVec<Complex<f32>>) { y[i] = powf(a[i], x[i]) }
    }
    let z = Complex::new(-4.0, 3.0);
    let a = Tensor::from_dense([1], &[z]).expect("a vector");
    assert_eq!(roots(&a).to_dense(), [z.powf(0.5)]);
    let w = Complex::new(-4.0f32, 3.0);
    let b = Tensor::from_dense([1], &[w]).expect("a vector");
    let x = Tensor::from_dense([1], &[1.5f32]).expect("a vector");
    assert_eq!(raised(&b, &x).to_dense(), [w.powf(1.5)]);
}
