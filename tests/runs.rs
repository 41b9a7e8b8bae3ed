//! Runs of conditions, merged or by way of bits, and bits that are read and written in runs: what is stored is what single
//! elements would give, whatever the sizes, the distances and the formats.
// What is `missing` takes the rest along on purpose.
#![allow(deprecated)]

use looplets::prelude::*;

level! { type Runs<T> = Tensor<Dense<RunList<Element<T>>>>; }
level! { type Few = Tensor<Dense<SparseRunList<Pattern>>>; }
level! { type Told = Tensor<Dense<SparseRunList<Element<bool>>>>; }
level! { type Bits = Tensor<Dense<Bitmap<Pattern>>>; }
level! { type Trees = Tensor<Dense<BitTree<Pattern>>>; }
level! { type Numbers = Tensor<Dense<Bitmap<Element<f64>>>>; }
level! { type Row = Tensor<RunList<Element<bool>>>; }

/// The same program, open, merged and by way of bits.
macro_rules! ways {
    ($($module:ident: $params:tt $out:tt $body:tt)*) => {
        $(mod $module {
            use super::*;
            ways! { @one [] open $params $out $body }
            ways! { @one [#![schedule(runs(y))]] merged $params $out $body }
            ways! { @one [#![schedule(bits(y))]] by_bits $params $out $body }
        })*
    };
    (@one [$($setting:tt)*] $name:ident ($($params:tt)*) ($($out:tt)*) { $($body:tt)* }) => {
        finch! { $($setting)* pub fn $name($($params)*) $($out)* { $($body)* } }
    };
}

ways! {
    erosion: (a: &Runs<bool>) (-> (y: Runs<bool>)) {
        y[i, j] = coalesce(a[permit[i - 1], j], false) && coalesce(a[i, permit[j - 1]], false) && a[i, j]
            && coalesce(a[i, permit[j + 1]], false) && coalesce(a[permit[i + 1], j], false)
    }
    few: (a: &Few) (-> (y: Few)) {
        y[i, j] = coalesce(a[permit[i - 1], j], false) && coalesce(a[i, permit[j - 1]], false) && a[i, j]
            && coalesce(a[i, permit[j + 1]], false) && coalesce(a[permit[i + 1], j], false)
    }
    dilation: (a: &Few) (-> (y: Runs<bool>)) {
        y[i, j] = coalesce(a[permit[i - 1], j], false) || coalesce(a[i, permit[j - 1]], false) || a[i, j]
            || coalesce(a[i, permit[j + 1]], false) || coalesce(a[permit[i + 1], j], false)
    }
    // Far away, by amounts that are known when it is called, of operands in three formats, some of them not there.
    gates: (a: &Runs<bool>, b: &Told, c: &Bits, s: i64, t: i64) (-> (y: Few)) {
        y[i, j] = (!a[i, j] != coalesce(b[i, permit[j + s]], true)) && !coalesce(c[permit[i + t], j], false)
            || a[i, permit[j - 70]]
    }
    row: (a: &Row) (-> (y: Row)) {
        y[j] = coalesce(a[permit[j - 1]], false) != a[j] || coalesce(a[permit[j + 64]], true)
    }
}

finch! {
    fn of_runs(a: &Runs<bool>) -> (c: Bits) { for i, j { c[i, j] = a[i, j] } }
    fn of_few(a: &Few) -> (c: Trees) { for i, j { c[i, j] = a[i, j] } }
    fn of_moved(a: &Few, n: usize) -> (c: Bits[16, n]) { for i, j { c[i, j + 67] = a[i, j] } }
    fn of_not(a: &Few, m: bool, c: &mut Bits) { for i, j { if m { c[i, j] ||= !a[i, j] } } }
    fn in_runs(c: &Bits) -> (y: Runs<bool>) { for i, j { y[i, j] = c[i, j::runs] } }
    fn in_few(c: &Bits) -> (y: Few) { for i, j { y[i, j] = c[i, j::runs] } }
    fn moved(c: &Bits, s: i64, n: usize) -> (y: Few[16, n]) { for i, j { y[i, j] = coalesce(c[i, permit[j + s]::runs], false) } }
    fn numbers(c: &Numbers) -> (y: Runs<f64>) { for i, j { y[i, j] = c[i, j::runs] } }
    fn beside(c: &Numbers, a: &Few) -> (y: DenseVec<f64>) { for i, j { if a[i, j] { y[i] += c[i, j::runs] } } }
    fn lengths(c: &Bits) -> (y: DenseVec<u64>) { for i, j { if c[i, j::runs] { y[i] += 1 } } }
}

/// Rows of all kinds: none, all, at the ends, one by one, long, and at random.
fn rows(cols: usize, seed: usize) -> Vec<bool> {
    let at = |row: usize, j: usize| match row {
        0 | 1 => false,
        2 | 3 => true,
        4 => j == 0 || j + 1 == cols,
        5 => j & 1 == 0,
        6 => j >= cols / 3,
        7 => j & 64 == 0,
        8 => (60..70).contains(&j) || j > 126,
        row => (row * 31 + j / (1 + row % 7) * 17 + seed).wrapping_mul(0x9e37_79b9) >> 7 & 3 > 0,
    };
    (0..16).flat_map(|row| (0..cols).map(move |j| at(row, j))).collect()
}

const COLS: [usize; 12] = [0, 1, 2, 3, 63, 64, 65, 127, 128, 129, 200, 400];

/// The element, or `outside` where there is none.
fn get(p: &[bool], cols: usize, i: i64, j: i64) -> Option<bool> {
    let inside = (0..16).contains(&i) && (0..cols as i64).contains(&j);
    inside.then(|| p[i as usize * cols + j as usize])
}

fn all(cols: usize, f: impl Fn(i64, i64) -> bool) -> Vec<bool> {
    (0..16).flat_map(|i| (0..cols as i64).map(move |j| (i, j))).map(|(i, j)| f(i, j)).collect()
}

fn tensor<L: Level<Value = bool>>(p: &[bool], cols: usize) -> Tensor<L>
where
    Tensor<L>: Sized,
{
    Tensor::from_dense([16, cols], p).expect("as many values as elements")
}

#[test]
fn neighbours_are_looked_at_in_each_way() {
    for cols in COLS {
        for seed in 0..3 {
            let p = rows(cols, seed);
            let near = |i: i64, j: i64| {
                [(i - 1, j), (i, j - 1), (i, j), (i, j + 1), (i + 1, j)]
                    .map(|(i, j)| get(&p, cols, i, j) == Some(true))
            };
            let eroded = all(cols, |i, j| near(i, j).iter().all(|x| *x));
            let dilated = all(cols, |i, j| near(i, j).iter().any(|x| *x));
            let (a, f): (Runs<bool>, Few) = (tensor(&p, cols), tensor(&p, cols));
            for (y, way) in [
                (erosion::open(&a), "open"),
                (erosion::merged(&a), "merged"),
                (erosion::by_bits(&a), "by bits"),
            ] {
                assert!(y.to_dense() == eroded, "erosion, {way}, {cols}");
            }
            let by_bits = few::by_bits(&f);
            assert!(by_bits.to_dense() == eroded && by_bits == few::merged(&f), "few, {cols}");
            assert!(by_bits == few::open(&f));
            for (y, way) in [
                (dilation::open(&f), "open"),
                (dilation::merged(&f), "merged"),
                (dilation::by_bits(&f), "by bits"),
            ] {
                assert!(y.to_dense() == dilated, "dilation, {way}, {cols}");
            }
        }
    }
}

#[test]
fn any_logic_is_the_same_in_each_way() {
    for cols in COLS {
        let (p, q, r) = (rows(cols, 1), rows(cols, 2), rows(cols, 3));
        let (a, b, c): (Runs<bool>, Told, Bits) =
            (tensor(&p, cols), tensor(&q, cols), tensor(&r, cols));
        for (s, t) in [(0, 0), (1, -1), (-1, 2), (64, 20), (-65, 1), (1_000, 0), (-1_000, -40)] {
            let want = all(cols, |i, j| {
                let x = get(&p, cols, i, j).expect("inside");
                let left = (x == get(&q, cols, i, j + s).unwrap_or(true))
                    && !get(&r, cols, i + t, j).unwrap_or(false);
                let right = get(&p, cols, i, j - 70);
                // What is missing is not written, whatever it is joined with.
                right.is_some_and(|right| left || right)
            });
            let merged = gates::merged(&a, &b, &c, s, t);
            assert!(merged.to_dense() == want, "merged, {cols} {s} {t}");
            assert!(gates::by_bits(&a, &b, &c, s, t) == merged, "by bits, {cols} {s} {t}");
            assert!(gates::open(&a, &b, &c, s, t) == merged, "open, {cols} {s} {t}");
        }
        for i in 0..16 {
            let one = &p[i * cols..][..cols];
            let a: Row = Tensor::from_dense([cols], one).expect("a row");
            let before = |j: usize| j > 0 && one[j - 1];
            let want: Vec<bool> = (0..cols)
                .map(|j| before(j) != one[j] || one.get(j + 64).is_none_or(|x| *x))
                .collect();
            for y in [row::open(&a), row::merged(&a), row::by_bits(&a)] {
                assert_eq!(y.to_dense(), want, "{cols}");
            }
        }
    }
}

#[test]
fn bits_are_written_in_runs() {
    for cols in COLS {
        let p = rows(cols, 4);
        let (a, f): (Runs<bool>, Few) = (tensor(&p, cols), tensor(&p, cols));
        assert!(of_runs(&a) == tensor(&p, cols));
        assert!(of_few(&f) == tensor(&p, cols));
        let n = cols + 67;
        let moved = of_moved(&f, n).to_dense();
        for i in 0..16 {
            let want = (0..n).map(|j| j >= 67 && p[i * cols + j - 67]);
            assert!(want.eq(moved[i * n..][..n].iter().copied()), "row {i} of {cols}");
        }
        let before = rows(cols, 5);
        for m in [false, true] {
            let mut c: Bits = tensor(&before, cols);
            of_not(&f, m, &mut c);
            let want: Vec<bool> = before.iter().zip(&p).map(|(c, a)| *c || m && !a).collect();
            assert!(c.to_dense() == want, "{cols} {m}");
        }
    }
}

#[test]
fn bits_are_read_in_runs() {
    for cols in COLS {
        let p = rows(cols, 6);
        let c: Bits = tensor(&p, cols);
        let (y, few) = (in_runs(&c), in_few(&c));
        assert!(y.to_dense() == p && few == tensor(&p, cols), "{cols}");
        // As few runs as there are.
        let changes = |row: &[bool]| {
            usize::from(!row.is_empty()) + row.windows(2).filter(|w| w[0] != w[1]).count()
        };
        let runs: usize = p.chunks(cols.max(1)).map(changes).sum();
        assert_eq!(y.entries(), runs, "{cols}");
        let count = |row: &[bool]| row.iter().filter(|x| **x).count() as u64;
        let counts: Vec<u64> = (0..16).map(|i| count(&p[i * cols..][..cols])).collect();
        assert_eq!(lengths(&c).to_dense(), counts);
        for s in [0, 1, -1, 63, -64, 65, 130, -700] {
            let want = all(cols, |i, j| get(&p, cols, i, j + s) == Some(true));
            assert!(moved(&c, s, cols).to_dense() == want, "{cols} {s}");
        }
    }
}

#[test]
fn numbers_in_stretches_are_all_read() {
    let values = [0.25, -0.0, 0.0, f64::NAN, f64::INFINITY, 5e-324, -1.5];
    for cols in COLS {
        let (p, q) = (rows(cols, 7), rows(cols, 8));
        let entries = (0..p.len()).filter(|k| p[*k]).map(|k| ([k / cols, k % cols], values[k % 7]));
        let c: Numbers = Tensor::from_triplets([16, cols], entries, Refuse).expect("numbers");
        let bits = |v: Vec<f64>| v.into_iter().map(f64::to_bits).collect::<Vec<_>>();
        assert_eq!(bits(numbers(&c).to_dense()), bits(c.to_dense()), "{cols}");
        let sums = beside(&c, &tensor(&q, cols)).to_dense();
        for (i, found) in sums.iter().enumerate() {
            let both = (0..cols).map(|j| i * cols + j).filter(|k| p[*k] && q[*k]);
            let sum: f64 = both.map(|k| values[k % 7]).sum();
            assert!(*found == sum || found.is_nan() && sum.is_nan(), "{i} of {cols}");
        }
    }
}

#[test]
fn there_is_a_way_by_bits() {
    let told = explain! {
        fn few(a: &Few) -> (y: Few) {
            y[i, j] = a[i, j] && coalesce(a[i, permit[j - 1]], false) && coalesce(a[i, permit[j + 1]], false)
        }
    };
    assert!(told.contains("way 1: runs(y)") && told.contains("way 2: bits(y)"), "{told}");
    assert!(told.contains("fill_bits"), "{told}");
    // What is `false` is stored where operands say so: bits do not tell.
    let told = explain! {
        fn told(a: &Told) -> (y: Told) {
            y[i, j] = a[i, j] && coalesce(a[i, permit[j - 1]], false) && coalesce(a[i, permit[j + 1]], false)
        }
    };
    assert!(!told.contains("bits(y)"), "{told}");
}
