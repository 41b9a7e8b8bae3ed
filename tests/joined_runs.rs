//! Runs that are written where the runs of several operands end: each is joined with the one before where both are the same
//! value, to the bit, and none is lost, whatever the operands are, wherever rows begin and end.

use looplets::prelude::*;

level! { type Runs<T> = Tensor<Dense<RunList<Element<T>>>>; }
level! { type Few<T> = Tensor<Dense<SparseRunList<Element<T>>>>; }
level! { type Flags = Tensor<Dense<SparseRunList<Pattern>>>; }
level! { type Line = Tensor<RunList<Element<f64>>>; }
level! { type Wide = Tensor<RunList<Dense<RunList<Element<f64>>>>>; }

level! { type Infinite = Tensor<Dense<RunList<Element<f64, Inf>>>>; }
level! { type Numbers = Tensor<Dense<RunList<Element<usize>, u64>>>; }
level! { type FewBytes = Tensor<Dense<SparseRunList<Element<i8, Seven>, u16>>>; }
fill! {
    fill Seven = 7;
}
impl Fill<i8> for Seven {
    const VALUE: i8 = 7;
}

fn least(p: usize, q: usize) -> usize {
    p.min(q)
}

/// The second, at each step that a change of the first makes.
fn second(_: f64, q: f64) -> f64 {
    q
}

fn mean(p: u8, q: u8) -> u8 {
    ((u16::from(p) + u16::from(q)) / 2) as u8
}

finch! {
    fn seconds(p: &Runs<f64>, q: &Runs<f64>) -> (y: Runs<f64>) { y[i, j] = second(p[i, j], q[i, j]) }
    fn thirds(p: &Runs<f64>, q: &Runs<f64>, r: &Runs<f64>) -> (y: Runs<f64>) {
        y[i, j] = second(p[i, j], second(r[i, j], q[i, j]))
    }
    fn sums(p: &Few<f64>, q: &Few<f64>) -> (y: Few<f64>) { y[i, j] = p[i, j] + q[i, j] }
    fn products(p: &Few<f64>, q: &Runs<f64>) -> (y: Few<f64>) { y[i, j] = p[i, j] * q[i, j] }
    fn mixed(p: &Few<f64>, q: &Runs<f64>) -> (y: Runs<f64>) { y[i, j] = second(p[i, j], q[i, j]) }
    fn bytes(p: &Runs<u8>, q: &Runs<u8>) -> (y: Runs<u8>) { y[i, j] = mean(p[i, j], q[i, j]) }
    fn bytes_again(p: &Runs<u8>, q: &Runs<u8>, y: Runs<u8>) -> (y: Runs<u8>) { y[i, j] = mean(p[i, j], q[i, j]) }
    fn part(p: &Runs<f64>, q: &Runs<f64>, lo: usize, hi: usize, n: usize) -> (y: Runs<f64>[12, n]) {
        for i { for j in lo..hi { y[i, j] = second(p[i, j], q[i, j]) } }
    }
    fn moved(p: &Runs<f64>, q: &Runs<f64>, s: i64) -> (y: Runs<f64>) {
        y[i, j] = second(coalesce(p[i, permit[j + s]], 0), q[i, j])
    }
    fn shifted(p: &Runs<f64>, q: &Runs<f64>, n: usize) -> (y: Runs<f64>[12, n]) {
        for i, j { y[i, j + 3] = second(p[i, j], q[i, j]) }
    }
    fn where_set(p: &Runs<f64>, q: &Runs<f64>, m: &Flags) -> (y: Runs<f64>) {
        for i, j { if m[i, j] { y[i, j] = second(p[i, j], q[i, j]) } }
    }
    fn both(p: &Flags, q: &Flags) -> (y: Flags) { y[i, j] = p[i, j] && q[i, j] }
    fn any(p: &Flags, q: &Flags) -> (y: Flags) { y[i, j] = p[i, j] || q[i, j] }
    fn other(p: &Flags, q: &Runs<bool>) -> (y: Runs<bool>) { y[i, j] = p[i, j] != q[i, j] }
    fn some_rows(p: &Runs<f64>, q: &Runs<f64>, m: &Tensor<SparseList<Pattern>>) -> (y: Runs<f64>) {
        for i { if m[i] { for j { y[i, j] = second(p[i, j], q[i, j]) } } }
    }
    fn by_chunks(p: &Runs<f64>, q: &Runs<f64>) -> (y: Runs<f64>) {
        parallel for i { for j { y[i, j] = second(p[i, j], q[i, j]) } }
    }
    fn line(p: &Line, q: &Line) -> (y: Line) { y[j] = second(p[j], q[j]) }
    fn wide(p: &Runs<f64>, q: &Runs<f64>) -> (y: Wide) { for k in 0..2 { for i, j { y[k, i, j] = second(p[i, j], q[i, j]) } } }
    fn infinite(p: &Runs<f64>, q: &Runs<f64>, lo: usize, hi: usize, n: usize) -> (y: Infinite[12, n]) {
        for i { for j in lo..hi { y[i, j] = second(p[i, j], q[i, j]) } }
    }
    fn numbers(p: &Numbers, q: &Numbers) -> (y: Numbers) { y[i, j] = least(p[i, j], q[i, j]) }
    fn few_bytes(p: &FewBytes, q: &FewBytes) -> (y: FewBytes) { y[i, j] = max(p[i, j], q[i, j]) }
    /// With two results, of which one takes what the other leaves.
    fn two(p: &Runs<f64>, q: &Runs<f64>) -> (y: Runs<f64>, z: Runs<f64>) {
        for i, j { y[i, j] = second(p[i, j], q[i, j]); z[i, j] = second(q[i, j], p[i, j]) }
    }
}

finch! {
    #![forbid(unsafe_code)]
    fn safe_seconds(p: &Runs<f64>, q: &Runs<f64>) -> (y: Runs<f64>) { y[i, j] = second(p[i, j], q[i, j]) }
}

const VALUES: [f64; 9] = [
    0.0,
    -0.0,
    0.25,
    f64::NAN,
    f64::from_bits(0x7ff8_0000_0000_0001),
    f64::INFINITY,
    f64::NEG_INFINITY,
    5e-324,
    -1.5,
];

const ROWS: usize = 12;
const COLS: [usize; 8] = [0, 1, 2, 3, 7, 64, 65, 300];

/// Rows of one value, of runs of few and of many values, some of them the same beside each other.
fn rows(cols: usize, seed: usize) -> Vec<f64> {
    let mixed = |row: usize, k: usize| {
        (row * 7_919 + k * 104_729 + seed * 15_485_863).wrapping_mul(0x9e37_79b9) >> 9
    };
    let at = |row: usize, j: usize| match row {
        0 => 0.0,
        1 => f64::NAN,
        2 => -0.0,
        3 => VALUES[usize::from(j == 0)],
        4 => VALUES[2 * usize::from(j + 1 == cols)],
        5 => VALUES[j % 9],
        6 => VALUES[j % 2],
        7 => VALUES[3 + j / 3 % 2],
        row => VALUES[mixed(row, j / (1 + mixed(row, j / 20) % 9)) % 9],
    };
    (0..ROWS).flat_map(|row| (0..cols).map(move |j| at(row, j))).collect()
}

fn bits(v: &[f64]) -> Vec<u64> {
    v.iter().map(|x| x.to_bits()).collect()
}

fn tensor<L: Level>(v: &[L::Value], cols: usize) -> Tensor<L> {
    Tensor::from_dense([ROWS, cols], v).expect("as many values as elements")
}

/// How many runs of the same bits rows of `cols` have.
fn runs(v: &[f64], cols: usize) -> usize {
    let one = |row: &[f64]| 1 + bits(row).windows(2).filter(|w| w[0] != w[1]).count();
    v.chunks(cols.max(1)).map(one).sum()
}

/// That `y` is `want`, in as few runs as there are.
fn same(y: &Runs<f64>, want: &[f64], cols: usize, what: &str) {
    assert!(bits(&y.to_dense()) == bits(want), "{what} {cols}");
    assert_eq!(y.entries(), runs(want, cols), "{what} {cols}");
}

#[test]
fn runs_are_joined_to_the_bit() {
    for cols in COLS {
        for seed in 0..4 {
            let (p, q, r) = (rows(cols, seed), rows(cols, seed + 10), rows(cols, seed + 20));
            let (a, b, c): (Runs<f64>, Runs<f64>, Runs<f64>) =
                (tensor(&p, cols), tensor(&q, cols), tensor(&r, cols));
            same(&seconds(&a, &b), &q, cols, "two");
            same(&seconds(&b, &a), &p, cols, "two, turned");
            same(&safe_seconds(&a, &b), &q, cols, "safe");
            same(&thirds(&a, &b, &c), &q, cols, "three");
            same(&mixed(&tensor(&p, cols), &b), &q, cols, "mixed");
            same(&by_chunks(&a, &b), &q, cols, "by chunks");
            for s in [0, 1, -1, 5, -70, 1_000] {
                same(&moved(&a, &b, s), &q, cols, "moved");
            }
            let (y, z) = two(&a, &b);
            same(&y, &q, cols, "first of two");
            same(&z, &p, cols, "second of two");
            let w = wide(&a, &b).to_dense();
            assert!(bits(&w) == bits(&[&q[..], &q[..]].concat()), "wide {cols}");
            for i in 0..ROWS {
                let row = |v: &[f64]| -> Line {
                    Tensor::from_dense([cols], &v[i * cols..][..cols]).expect("a row")
                };
                let y = line(&row(&p), &row(&q));
                assert!(bits(&y.to_dense()) == bits(&q[i * cols..][..cols]), "line {cols}");
            }
        }
    }
}

#[test]
fn what_is_between_is_fill() {
    for cols in COLS {
        let (p, q) = (rows(cols, 1), rows(cols, 2));
        let (a, b): (Runs<f64>, Runs<f64>) = (tensor(&p, cols), tensor(&q, cols));
        let kept = |keep: &dyn Fn(usize, usize) -> bool| -> Vec<f64> {
            (0..p.len()).map(|k| if keep(k / cols, k % cols) { q[k] } else { 0.0 }).collect()
        };
        for (lo, hi) in [
            (0, cols),
            (cols / 3, cols),
            (0, cols / 2),
            (cols / 4, cols / 2),
            (cols, cols),
            (cols / 2, cols / 3),
        ] {
            let y = part(&a, &b, lo, hi, cols);
            assert!(
                bits(&y.to_dense()) == bits(&kept(&|_, j| lo <= j && j < hi)),
                "{lo}..{hi} of {cols}"
            );
        }
        let y = shifted(&a, &b, cols + 3).to_dense();
        for i in 0..ROWS {
            let row = &y[i * (cols + 3)..][..cols + 3];
            assert!(
                bits(&row[..3]) == [0; 3] && bits(&row[3..]) == bits(&q[i * cols..][..cols]),
                "{cols}"
            );
        }
        let set: Vec<bool> = (0..p.len()).map(|k| (k / cols + k % cols / 3) % 3 > 0).collect();
        let y = where_set(&a, &b, &tensor(&set, cols));
        assert!(bits(&y.to_dense()) == bits(&kept(&|i, j| set[i * cols + j])), "where set, {cols}");
        let m = Tensor::from_triplets(
            [ROWS],
            (0..ROWS).filter(|i| i % 3 == 1).map(|i| ([i], true)),
            Refuse,
        );
        let y = some_rows(&a, &b, &m.expect("a mask"));
        assert!(bits(&y.to_dense()) == bits(&kept(&|i, _| i % 3 == 1)), "some rows, {cols}");
    }
}

#[test]
fn sparse_runs_are_what_elements_give() {
    for cols in COLS {
        for seed in 0..4 {
            let (p, q) = (rows(cols, seed), rows(cols, seed + 10));
            let (a, b, r): (Few<f64>, Few<f64>, Runs<f64>) =
                (tensor(&p, cols), tensor(&q, cols), tensor(&q, cols));
            let all = |f: fn(f64, f64) -> f64| -> Vec<f64> {
                p.iter().zip(&q).map(|(x, y)| f(*x, *y)).collect()
            };
            let close = |y: &[f64], want: &[f64], what: &str| {
                for (k, (y, x)) in y.iter().zip(want).enumerate() {
                    // Which NaN a sum is, and the sign of a zero that is not stored, is left open.
                    assert!(
                        y.to_bits() == x.to_bits()
                            || y.is_nan() && x.is_nan()
                            || *y == 0.0 && *x == 0.0,
                        "{what} {k} of {cols}: {y} {x}"
                    );
                }
            };
            close(&sums(&a, &b).to_dense(), &all(|x, y| x + y), "sum");
            let product = products(&a, &r).to_dense();
            for (k, y) in product.iter().enumerate() {
                let want = if p[k].to_bits() == 0 { 0.0 } else { p[k] * q[k] };
                assert!(
                    *y == want || y.is_nan() && want.is_nan(),
                    "product {k} of {cols}: {y} {want}"
                );
            }
        }
    }
}

#[test]
fn flags_and_bytes() {
    for cols in COLS {
        let (p, q) = (rows(cols, 5), rows(cols, 6));
        let flags = |v: &[f64]| -> Vec<bool> { v.iter().map(|x| x.is_nan() || *x > 0.0).collect() };
        let (p, q) = (flags(&p), flags(&q));
        let (a, b): (Flags, Flags) = (tensor(&p, cols), tensor(&q, cols));
        let all = |f: fn(bool, bool) -> bool| -> Vec<bool> {
            p.iter().zip(&q).map(|(x, y)| f(*x, *y)).collect()
        };
        assert!(both(&a, &b) == tensor(&all(|x, y| x && y), cols), "both {cols}");
        assert!(any(&a, &b) == tensor(&all(|x, y| x || y), cols), "any {cols}");
        assert!(other(&a, &tensor(&q, cols)) == tensor(&all(|x, y| x != y), cols), "other {cols}");
        let byte = |v: &[bool], by: usize| -> Vec<u8> {
            v.iter().enumerate().map(|(k, x)| u8::from(*x) * 200 + (k / by % 3) as u8).collect()
        };
        let (x, y) = (byte(&p, 5), byte(&q, 9));
        let want: Vec<u8> = x.iter().zip(&y).map(|(x, y)| mean(*x, *y)).collect();
        let (x, y): (Runs<u8>, Runs<u8>) = (tensor(&x, cols), tensor(&y, cols));
        let once = bytes(&x, &y);
        assert!(once == tensor(&want, cols), "bytes {cols}");
        assert!(bytes_again(&x, &y, bytes(&y, &x)) == once, "again {cols}");
    }
}

#[test]
fn fills_and_types_of_all_kinds() {
    for cols in COLS {
        let (p, q) = (rows(cols, 3), rows(cols, 4));
        let (a, b): (Runs<f64>, Runs<f64>) = (tensor(&p, cols), tensor(&q, cols));
        for (lo, hi) in [(0, cols), (cols / 3, cols), (cols / 4, cols / 2), (cols, cols)] {
            let inside = |k: usize| (lo..hi).contains(&(k % cols));
            let want: Vec<f64> =
                (0..q.len()).map(|k| if inside(k) { q[k] } else { f64::INFINITY }).collect();
            assert!(
                bits(&infinite(&a, &b, lo, hi, cols).to_dense()) == bits(&want),
                "{lo}..{hi} of {cols}"
            );
        }
        let number = |v: &[f64], by: usize| -> Vec<usize> {
            v.iter()
                .enumerate()
                .map(|(k, x)| if x.is_nan() { usize::MAX } else { k / by % 3 })
                .collect()
        };
        let (x, y) = (number(&p, 4), number(&q, 7));
        let want: Vec<usize> = x.iter().zip(&y).map(|(x, y)| *x.min(y)).collect();
        assert!(
            numbers(&tensor(&x, cols), &tensor(&y, cols)) == tensor(&want, cols),
            "numbers {cols}"
        );
        let byte = |v: &[f64]| -> Vec<i8> {
            v.iter().map(|x| if *x == 0.0 { 7 } else { (*x as i8).saturating_sub(3) }).collect()
        };
        let (x, y) = (byte(&p), byte(&q));
        let want: Vec<i8> = x.iter().zip(&y).map(|(x, y)| *x.max(y)).collect();
        assert!(
            few_bytes(&tensor(&x, cols), &tensor(&y, cols)).to_dense() == want,
            "few bytes {cols}"
        );
    }
}

#[test]
fn no_entry_asks_for_room() {
    let told = explain! {
        fn blend(p: &Runs<u8>, q: &Runs<u8>) -> (y: Runs<u8>) { y[i, j] = mean(p[i, j], q[i, j]) }
    };
    let code = told.split_once("== code of").expect("a stage").1;
    assert!(code.contains("y_most") && !code.contains("extend_run"), "{told}");
}
