//! Logic over bits at distances takes 64 coordinates a step: what is stored is what single bits would give, whatever
//! the sizes, the distances and the result.

// One list of operands serves many programs.
#![allow(deprecated)]

use looplets::prelude::*;

level! { type Bits = Tensor<Dense<Bitmap<Pattern>>>; }
level! { type Trees = Tensor<Dense<BitTree<Pattern>>>; }
level! { type Row = Tensor<Bitmap<Pattern>>; }
level! { type Lists = Tensor<Dense<SparseList<Pattern>>>; }
level! { type Bytes = Tensor<Dense<ByteMap<Pattern>>>; }

finch! {
    fn erode(a: &Bits) -> (c: Bits) {
        for i, j {
            c[i, j] = coalesce(a[permit[i - 1], j], false) && coalesce(a[i, permit[j - 1]], false) && a[i, j]
                && coalesce(a[i, permit[j + 1]], false) && coalesce(a[permit[i + 1], j], false)
        }
    }
    fn dilate(a: &Trees) -> (c: Trees) {
        for i, j {
            c[i, j] = coalesce(a[permit[i - 1], j], false) || coalesce(a[i, permit[j - 1]], false) || a[i, j]
                || coalesce(a[i, permit[j + 1]], false) || coalesce(a[permit[i + 1], j], false)
        }
    }
    /// A tree of gates, each of which is any that has the one value once or thrice.
    fn gates(
        a: &Bits, b: &Bits, d: &Trees, s: i64, t: i64, u: i64, v: i64, p: bool, q: bool, r: bool, f: bool, g: bool,
        h: bool
    ) -> (c: Bits) {
        for i, j {
            c[i, j] = ((((coalesce(a[i, permit[j + s]], false) != p) && (coalesce(b[i, permit[j + t]], true) != q)) != r)
                && ((coalesce(d[i, permit[j + u]], f) != coalesce(a[i, permit[j + v]], g)) || h && b[i, j])) != p
        }
    }
    /// What is missing is not written, whatever it is joined with.
    fn absent(a: &Bits, b: &Bits, s: i64, t: i64) -> (c: Bits) {
        for i, j { c[i, j] = !a[i, permit[j + s]] || b[i, permit[j + t]] || !b[i, j] }
    }
    /// Distances that are known.
    fn fixed(a: &Bits, b: &Trees) -> (c: Bits) {
        for i, j {
            c[i, j] = coalesce(a[i, permit[j - 70]], false) == coalesce(b[i, permit[j + 64]], true)
                || ifelse(b[i, j], coalesce(a[i, permit[j + 63]], false), coalesce(a[i, permit[j - 1]], b[i, j]))
        }
    }
    /// More of what is stored stays.
    fn more(a: &Bits, b: &Bits, c: &mut Bits) { for i, j { if a[i, j] { c[i, j] ||= b[i, j] } } }
    fn mask(f: &Row, v: &Row, n: &mut Row) { for i { n[i] ||= f[i] && !v[i] } }
    fn copy(a: &Bits) -> (c: Trees) { for i, j { c[i, j] = a[i, j] } }
    /// Where the result is moved.
    fn moved(a: &Row, n: usize) -> (c: Row[n]) { for i { c[i + 7] = !a[i] } }
    fn window_of(a: &Row, lo: usize, hi: usize) -> (c: Row) { for i { c[i] = !a[window(lo, hi)[i]] } }
    /// Rows of those that are on the way.
    fn frontier(a: &Bits, f: &Row, c: &mut Row) { for k, j { if f[k] { c[j] ||= a[k, j] } } }
    fn count(a: &Bits, b: &Bits, s: i64) -> (y: DenseVec<u8>) {
        for i, j { y[i] += a[i, j] && coalesce(b[i, permit[j + s]], false) }
    }
    fn count_where(a: &Bits, b: &Bits, n: &mut u64) { for i, j { if a[i, j] { if !b[i, j] { n += 1 } } } }
    fn count_list(a: &Bits, b: &Bits) -> (y: Tensor<SparseList<Element<i32>>>) {
        for i, j { y[i] += a[i, j] && b[i, j] }
    }
    fn any(a: &Bits, b: &Bits) -> (y: Row) { for i, j { y[i] ||= a[i, j] && b[i, j] } }
    fn any_list(a: &Bits, b: &Bits) -> (y: Tensor<SparseList<Pattern>>) { for i, j { y[i] ||= a[i, j] && b[i, j] } }
    fn all(a: &Bits, b: &Bits, y: &mut bool) { for i, j { y &&= a[i, j] || b[i, j] } }
    /// Entries of a list are walked.
    fn mixed(a: &Bits, b: &Lists, s: i64) -> (c: Bits) {
        for i, j { c[i, j] = !a[i, j] != coalesce(b[i, permit[j + s]], false) }
    }
    fn to_list(a: &Bits, b: &Bits) -> (c: Lists) { for i, j { c[i, j] = a[i, j] && b[i, j] } }
    fn asked(a: &Bits, b: &Bits) -> (c: Bits) { for i, j { c[i, j] = a[i, j::walk] && b[i, j::locate] } }
    fn below(a: &Bits, b: &Bits) -> (c: Bits) { for i, j { if j < i { c[i, j] = a[i, j] || !b[i, j] } } }
    fn rows(a: &Bits) -> (c: Tensor<SparseList<Bitmap<Pattern>>>) { for i, j { c[i, j] = a[i, j] && coalesce(a[i, permit[j + 1]], true) } }
    fn by_chunks(a: &Row, b: &Row) -> (c: Row) { parallel for i { c[i] = a[i] != coalesce(b[permit[i - 3]], false) } }
    fn by_rows(a: &Bits, b: &Bits, n: &mut usize) -> (c: Bits) {
        parallel for i { for j { c[i, j] = a[i, j] != coalesce(b[i, permit[j - 3]], false) } }
        parallel for i { for j { n += a[i, j] && b[i, j] } }
    }
}

finch! {
    fn within(a: &Row, lo: i64, hi: i64, s: i64, p: bool, n: usize) -> (c: Row[n]) {
        for i in 0..n { c[i] = coalesce(a[window(lo, hi)[permit[i + s]]], p) }
    }
    fn within_by_bits(a: &Row, lo: i64, hi: i64, s: i64, p: bool, n: usize) -> (c: Row[n]) {
        for i in 0..n { c[i] = coalesce(a[window(lo, hi)[permit[i + s]]::locate], p) }
    }
    fn around(a: &Row, lo: i64, hi: i64, s: i64, n: usize) -> (c: Row[n]) {
        for i in 0..n { c[i] = !a[permit[window(lo, hi)[i + s]]] }
    }
    fn around_by_bits(a: &Row, lo: i64, hi: i64, s: i64, n: usize) -> (c: Row[n]) {
        for i in 0..n { c[i] = !a[permit[window(lo, hi)[i + s]]::locate] }
    }
    fn unsigned(a: &Row, s: usize, t: u8) -> (c: Row) {
        for i { c[i] = a[i] || coalesce(a[permit[i - s]], false) && coalesce(a[permit[i + t]], true) }
    }
    fn named(a: &Row, b: &Row) -> (c: Row) {
        for i { let t = a[i] && !coalesce(b[permit[i + 1]], false); c[i] = t || b[i] }
    }
}
finch! {
    #![forbid(unsafe_code)]
    fn safely(a: &Bits, b: &Bits) -> (c: Bits) {
        for i, j { c[i, j] = a[i, j] && coalesce(b[i, permit[j - 5]], true) }
    }
}

/// Bits in rows.
#[derive(Clone)]
struct Plane {
    rows: usize,
    cols: usize,
    bits: Vec<bool>,
}

impl Plane {
    fn new(rows: usize, cols: usize, f: impl Fn(i64, i64) -> bool) -> Plane {
        let at = |k: usize| f((k / cols) as i64, (k % cols) as i64);
        Plane { rows, cols, bits: (0..rows * cols).map(at).collect() }
    }
    fn at(&self, i: i64, j: i64) -> Option<bool> {
        let inside = (0..self.rows as i64).contains(&i) && (0..self.cols as i64).contains(&j);
        inside.then(|| self.bits[i as usize * self.cols + j as usize])
    }
    fn is(&self, i: i64, j: i64) -> bool {
        self.at(i, j) == Some(true)
    }
    fn tensor<L: Level<Value = bool>>(&self) -> Tensor<L> {
        Tensor::from_dense([self.rows, self.cols], &self.bits).unwrap()
    }
    fn row<L: Level<Value = bool>>(&self) -> Tensor<L> {
        Tensor::from_dense([self.cols], &self.bits[..self.cols]).unwrap()
    }
    fn filled(&self, f: impl Fn(i64, i64) -> bool) -> Plane {
        Plane::new(self.rows, self.cols, f)
    }
}

/// A generator of numbers.
struct Draw(u64);

impl Draw {
    fn next(&mut self, below: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
    fn is(&mut self) -> bool {
        self.next(2) == 1
    }
    fn distance(&mut self) -> i64 {
        self.next(141) as i64 - 70
    }
    fn plane(&mut self, rows: usize, cols: usize) -> Plane {
        let of = [0, 1, 8, 15, 16][self.next(5) as usize];
        let bits = (0..rows * cols).map(|_| self.next(16) < of).collect();
        Plane { rows, cols, bits }
    }
}

const SIZES: [usize; 9] = [0, 1, 63, 64, 65, 127, 128, 129, 200];

/// Planes of all sizes.
fn each(mut f: impl FnMut(&mut Draw, &Plane, &Plane, &Plane)) {
    let mut draw = Draw(7);
    for rows in [0, 1, 4] {
        for cols in SIZES {
            for _ in 0..6 {
                let [a, b, d] = [(); 3].map(|()| draw.plane(rows, cols));
                f(&mut draw, &a, &b, &d);
            }
        }
    }
}

/// What is stored is what holds, and nothing else.
#[track_caller]
fn same<L: Level<Value = bool> + std::fmt::Debug>(found: &Tensor<L>, want: &Plane) {
    assert_eq!(found.to_dense(), want.bits);
    assert_eq!(found.triplets().len(), want.bits.iter().filter(|b| **b).count());
    // The invariants hold of what kernels made.
    let again: Tensor<L> = Tensor::from_dense(found.shape(), &want.bits).unwrap();
    assert_eq!(format!("{:?}", again.root()), format!("{:?}", found.root()));
}

#[test]
fn neighbors() {
    each(|_, a, _, _| {
        let around = |i, j| [(i - 1, j), (i, j - 1), (i, j), (i, j + 1), (i + 1, j)];
        let eroded = a.filled(|i, j| around(i, j).iter().all(|(i, j)| a.is(*i, *j)));
        same(&erode(&a.tensor()), &eroded);
        let dilated = a.filled(|i, j| around(i, j).iter().any(|(i, j)| a.is(*i, *j)));
        same(&dilate(&a.tensor()), &dilated);
    });
}

#[test]
fn gates_at_any_distance() {
    each(|draw, a, b, d| {
        for _ in 0..20 {
            let [s, t, u, v] = [(); 4].map(|()| draw.distance());
            let [p, q, r, f, g, h] = [(); 6].map(|()| draw.is());
            let found = gates(&a.tensor(), &b.tensor(), &d.tensor(), s, t, u, v, p, q, r, f, g, h);
            let at = |x: &Plane, i, j, otherwise| x.at(i, j).unwrap_or(otherwise);
            let want = a.filled(|i, j| {
                let first = ((at(a, i, j + s, false) != p) && (at(b, i, j + t, true) != q)) != r;
                let second = (at(d, i, j + u, f) != at(a, i, j + v, g)) || h && b.is(i, j);
                (first && second) != p
            });
            same(&found, &want);
            let found = absent(&a.tensor(), &b.tensor(), s, t);
            let want = a.filled(|i, j| match (a.at(i, j + s), b.at(i, j + t)) {
                (Some(x), Some(y)) => !x || y || !b.is(i, j),
                _ => false,
            });
            same(&found, &want);
        }
    });
}

#[test]
fn known_distances_and_choices() {
    each(|_, a, b, _| {
        let want = a.filled(|i, j| {
            let equal = a.is(i, j - 70) == b.at(i, j + 64).unwrap_or(true);
            let chosen = match b.is(i, j) {
                true => a.is(i, j + 63),
                false => a.at(i, j - 1).unwrap_or(b.is(i, j)),
            };
            equal || chosen
        });
        same(&fixed(&a.tensor(), &b.tensor()), &want);
    });
}

#[test]
fn results() {
    each(|draw, a, b, d| {
        let mut c: Bits = d.tensor();
        more(&a.tensor(), &b.tensor(), &mut c);
        same(&c, &a.filled(|i, j| d.is(i, j) || a.is(i, j) && b.is(i, j)));
        same(&copy(&a.tensor()), a);
        if a.rows > 0 {
            let first = |x: &Plane| Plane { rows: 1, bits: x.bits[..x.cols].to_vec(), ..*x };
            let [a, b, d] = [a, b, d].map(first);
            let mut c: Row = d.row();
            mask(&a.row(), &b.row(), &mut c);
            same(&c, &a.filled(|i, j| d.is(i, j) || a.is(i, j) && !b.is(i, j)));
            let wide = Plane::new(1, a.cols + 9, |i, j| a.at(i, j - 7) == Some(false));
            same(&moved(&a.row(), a.cols + 9), &wide);
            let lo = draw.next(a.cols as u64 + 1);
            let hi = lo + draw.next(a.cols as u64 - lo + 1);
            let part = Plane::new(1, (hi - lo) as usize, |i, j| !a.is(i, j + lo as i64));
            same(&window_of(&a.row(), lo as usize, hi as usize), &part);
            same(&by_chunks(&a.row(), &b.row()), &a.filled(|i, j| a.is(i, j) != b.is(i, j - 3)));
        }
        let f = draw.plane(1, a.rows);
        let mut c: Row = Tensor::new([a.cols]).unwrap();
        frontier(&a.tensor(), &f.row(), &mut c);
        let any = |j| (0..a.rows as i64).any(|k| f.is(0, k) && a.is(k, j));
        same(&c, &Plane::new(1, a.cols, |_, j| any(j)));
        let mut n = 3;
        same(
            &by_rows(&a.tensor(), &b.tensor(), &mut n),
            &a.filled(|i, j| a.is(i, j) != b.is(i, j - 3)),
        );
        assert_eq!(n, 3 + (0..a.bits.len()).filter(|k| a.bits[*k] && b.bits[*k]).count());
    });
}

#[test]
fn comparisons_cut() {
    let mut draw = Draw(11);
    for size in SIZES {
        let a = draw.plane(size, size);
        let bits: Bits = a.tensor();
        let mut c: Bits = Tensor::new([size, size]).unwrap();
        triangle(&bits, &mut c, &mut 0);
        same(&c, &a.filled(|i, j| j < i && a.is(i, j)));
        let mut y = 0;
        corner(&bits, &mut y, &mut 0);
        let all = (0..size as i64).flat_map(|i| (0..size as i64).map(move |j| (i, j)));
        let want = all.clone().filter(|(i, j)| i + 100 <= *j && *j != 200 && a.is(*i, *j)).count();
        assert_eq!(y, want as u64);
        let mut y = 0;
        triangles(&bits, &mut y, &mut 0);
        let met = |i, j| (j + 1..size as i64).filter(|k| a.is(i, *k) && a.is(j, *k)).count();
        let want: usize = all.filter(|(i, j)| a.is(*i, *j)).map(|(i, j)| met(i, j)).sum();
        assert_eq!(y, want as u64);
    }
}

#[test]
fn windows() {
    let mut draw = Draw(3);
    for cols in SIZES {
        for _ in 0..40 {
            let (a, b) = (draw.plane(1, cols), draw.plane(1, cols));
            let lo = draw.next(cols as u64 + 1) as i64;
            let hi = lo + draw.next(cols as u64 - lo as u64 + 1) as i64;
            let (s, p, n) = (draw.distance(), draw.is(), draw.next(150) as usize);
            let (a, b): (Row, Row) = (a.row(), b.row());
            assert_eq!(within(&a, lo, hi, s, p, n), within_by_bits(&a, lo, hi, s, p, n));
            if s >= 0 && s + n as i64 <= hi - lo {
                assert_eq!(around(&a, lo, hi, s, n), around_by_bits(&a, lo, hi, s, n));
            }
            let far = [0, 1, 63, 64, 200, u64::MAX][draw.next(6) as usize];
            let t = draw.next(256) as u8;
            let want: Vec<bool> = (0..cols)
                .map(|k| {
                    let before = usize::try_from(far).ok().and_then(|s| k.checked_sub(s));
                    let left = before.is_some_and(|k| a.get([k]) == Some(true));
                    let right = a.get([k + usize::from(t)]).unwrap_or(true);
                    a.get([k]) == Some(true) || left && right
                })
                .collect();
            assert_eq!(unsigned(&a, far as usize, t).to_dense(), want, "{far} {t}");
            let at = |x: &Row, k: usize| x.get([k]).unwrap_or(false);
            let want: Vec<bool> =
                (0..cols).map(|k| at(&a, k) && !at(&b, k + 1) || at(&b, k)).collect();
            assert_eq!(named(&a, &b).to_dense(), want);
        }
    }
}

#[test]
fn without_unsafe_code() {
    each(|_, a, b, _| {
        let want = a.filled(|i, j| a.is(i, j) && b.at(i, j - 5) != Some(false));
        same(&safely(&a.tensor(), &b.tensor()), &want);
    });
}

#[test]
fn reductions() {
    each(|draw, a, b, _| {
        let s = draw.distance();
        let row = |i: usize, f: &dyn Fn(i64, i64) -> bool| {
            (0..a.cols).filter(|j| f(i as i64, *j as i64)).count()
        };
        let found = count(&a.tensor(), &b.tensor(), s).to_dense();
        let want = |i| row(i, &|i, j| a.is(i, j) && b.is(i, j + s)) as u8;
        assert_eq!(found, (0..a.rows).map(want).collect::<Vec<_>>());
        let mut n = 5;
        count_where(&a.tensor(), &b.tensor(), &mut n);
        let want: usize = (0..a.rows).map(|i| row(i, &|i, j| a.is(i, j) && !b.is(i, j))).sum();
        assert_eq!(n, 5 + want as u64);
        let met: Vec<usize> =
            (0..a.rows).map(|i| row(i, &|i, j| a.is(i, j) && b.is(i, j))).collect();
        let list = count_list(&a.tensor(), &b.tensor());
        assert_eq!(list.to_dense(), met.iter().map(|n| *n as i32).collect::<Vec<_>>());
        assert_eq!(list.triplets().len(), met.iter().filter(|n| **n > 0).count());
        let some: Vec<bool> = met.iter().map(|n| *n > 0).collect();
        let want = Plane { rows: 1, cols: a.rows, bits: some };
        same(&any(&a.tensor(), &b.tensor()), &want);
        same(&any_list(&a.tensor(), &b.tensor()), &want);
        for start in [false, true] {
            let mut y = start;
            all(&a.tensor(), &b.tensor(), &mut y);
            assert_eq!(y, start && (0..a.bits.len()).all(|k| a.bits[k] || b.bits[k]));
        }
    });
}

#[test]
fn what_is_not_taken_by_the_word_is_the_same() {
    each(|draw, a, b, _| {
        let s = draw.distance();
        same(&mixed(&a.tensor(), &b.tensor(), s), &a.filled(|i, j| a.is(i, j) == b.is(i, j + s)));
        let both = a.filled(|i, j| a.is(i, j) && b.is(i, j));
        same(&to_list(&a.tensor(), &b.tensor()), &both);
        same(&asked(&a.tensor(), &b.tensor()), &both);
        let half = a.filled(|i, j| j < i && (a.is(i, j) || !b.is(i, j)));
        same(&below(&a.tensor(), &b.tensor()), &half);
        let inner = a.filled(|i, j| a.is(i, j) && a.at(i, j + 1) != Some(false));
        let found = rows(&a.tensor());
        assert_eq!(found.to_dense(), inner.bits);
        assert_eq!(found.triplets().len(), inner.bits.iter().filter(|b| **b).count());
    });
}

finch! {
    #![steps(n)]
    fn eroded(a: &Bits, c: &mut Bits, n: &mut u64) {
        for i, j {
            c[i, j] ||= coalesce(a[permit[i - 1], j], false) && coalesce(a[i, permit[j - 1]], false) && a[i, j]
                && coalesce(a[i, permit[j + 1]], false) && coalesce(a[permit[i + 1], j], false)
        }
    }
    fn distant(a: &Trees, b: &Bits, s: i64, p: bool, c: &mut Trees, n: &mut u64) {
        for i, j { c[i, j] ||= coalesce(a[i, permit[j + s]], p) != !b[i, j] }
    }
    fn chosen(a: &Bits, b: &Bits, c: &mut Bits, n: &mut u64) { for i, j { if a[i, j] { c[i, j] ||= b[i, j] } } }
    fn union(a: &Bits, f: &Row, c: &mut Row, n: &mut u64) { for k, j { if f[k] { c[j] ||= a[k, j] } } }
    fn shifted(a: &Bits, c: &mut Bits, n: &mut u64) { for i, j { c[i, j + 7] ||= !a[i, j] } }
    fn counted(a: &Bits, b: &Bits, y: &mut u64, n: &mut u64) { for i, j { y += a[i, j] && !b[i, j] } }
    fn counted_as(a: &Bits, b: &Bits, y: &mut u64, n: &mut u64) { for i, j { y += (a[i, j] && !b[i, j]) as u8 as u64 } }
    fn counted_where(a: &Bits, y: &mut u64, n: &mut u64) { for i, j { if !a[i, j] { y += 1 } } }
    fn counted_products(a: &Bits, b: &Trees, y: &mut DenseVec<i32>, n: &mut u64) { for i, j { y[i] += a[i, j] * b[i, j] } }
    fn some(a: &Bits, b: &Bits, y: &mut bool, n: &mut u64) { for i, j { y ||= a[i, j] && b[i, j] } }
    fn every(a: &Bits, y: &mut bool, n: &mut u64) { for i, j { y &&= !a[i, j] } }
    fn found(a: &Bits, b: &Bits, y: &mut bool, n: &mut u64) { for i, j { if a[i, j] && b[i, j] { y = true } } }
    fn parted(a: &Bits, c: &mut Bits, n: &mut u64) { for i, j { c[i, j] ||= !a[i, j::walk] } }
    fn triangle(a: &Bits, c: &mut Bits, n: &mut u64) { for i, j { if j < i { c[i, j] ||= a[i, j] } } }
    fn corner(a: &Bits, y: &mut u64, n: &mut u64) { for i, j { y += (i + 100 <= j && j != 200) && a[i, j] } }
    fn triangles(a: &Bits, y: &mut u64, n: &mut u64) {
        for i, j { if a[i, j] { for k { if k > j { y += a[i, k] && a[j, k] } } } }
    }
    fn alone(a: &Trees, y: &mut u64, n: &mut u64) { for i, j { y += a[i, j] } }
}

#[test]
fn steps_are_words() {
    const ROWS: usize = 3;
    const COLS: usize = 64_000;
    let none = Plane::new(ROWS, COLS, |_, _| false);
    let mut b = none.clone();
    b.bits[100] = true;
    let (a, b): (Bits, Bits) = (none.tensor(), b.tensor());
    let (trees, row): (Trees, Row) = (none.tensor(), Plane::new(1, ROWS, |_, _| true).row());
    let by_word = |what: &str, n: u64| {
        let words = (ROWS * COLS / 64) as u64;
        // Rows at the edge have nothing to erode.
        assert!(
            (words / ROWS as u64..=words + 20).contains(&n),
            "{what}: {n} steps for {words} words"
        );
    };
    let bits = || none.tensor::<Dense<Bitmap<Pattern>>>();
    macro_rules! taken {
        ($($name:ident($($argument:expr),*);)*) => {$(
            let mut n = 0;
            $name($($argument,)* &mut n);
            by_word(stringify!($name), n);
        )*};
    }
    taken! {
        eroded(&a, &mut bits());
        distant(&trees, &b, -99, true, &mut none.tensor());
        chosen(&b, &a, &mut bits());
        union(&b, &row, &mut Tensor::new([COLS]).unwrap());
        shifted(&b, &mut Tensor::new([ROWS, COLS + 7]).unwrap());
        counted(&a, &b, &mut 0);
        counted_as(&a, &b, &mut 0);
        counted_where(&a, &mut 0);
        counted_products(&a, &trees, &mut Tensor::new([ROWS]).unwrap());
        some(&a, &b, &mut false);
        every(&a, &mut true);
        found(&a, &b, &mut false);
    }
    let (mut as_it_is, mut cast) = (0, 0);
    counted(&b, &a, &mut as_it_is, &mut 0);
    counted_as(&b, &a, &mut cast, &mut 0);
    assert_eq!((as_it_is, cast), (1, 1));
    // Comparisons cut the loop.
    let (mut y, mut n) = (0, 0);
    triangle(&a, &mut bits(), &mut n);
    assert!(n < 10, "{n}");
    let n = &mut 0;
    corner(&a, &mut y, n);
    by_word("corner", *n - 12);
    // What is known is asked no further.
    let mut n = 0;
    some(&b, &b, &mut false, &mut n);
    assert!(n < 5, "{n}");
    // By a protocol that is asked for, and where little is stored, entries are walked; what is between is stored at once.
    let mut n = 0;
    parted(&a, &mut bits(), &mut n);
    assert!(n < 10, "{n}");
    let mut n = 0;
    alone(&trees, &mut 0, &mut n);
    assert!(n < 10, "{n}");
}

/// Amounts that are added where a condition holds are no conditions: they count as often as they say.
mod amounts {
    use super::*;
    macro_rules! both {
        ($($name:ident($($params:tt)*) { $($body:tt)* } { $($located:tt)* })*) => {
            mod words {
                use super::*;
                finch! { $(pub fn $name($($params)*) { $($body)* })* }
            }
            mod located {
                use super::*;
                finch! { $(pub fn $name($($params)*) { $($located)* })* }
            }
            #[test]
            fn count_as_often_as_they_say() {
                for (a, b) in [([1, 1, 0, 1, 0, 0], [1, 0, 0, 1, 1, 0]), ([0; 6], [1; 6]), ([1; 6], [0; 6])] {
                    let row = |bits: [u8; 6]| -> Row {
                        let stored = (0..6).filter(|i| bits[*i] == 1).map(|i| ([i], true));
                        Tensor::from_triplets([6], stored, Refuse).expect("a row")
                    };
                    let (a, b) = (row(a), row(b));
                    let x: DenseVec<i32> = Tensor::from_dense([1], &[-7]).expect("a vector");
                    $({
                        let (mut s, mut t) = (3, 3);
                        words::$name(&a, &b, &x, 5, &mut s);
                        located::$name(&a, &b, &x, 5, &mut t);
                        assert_eq!(s, t, "{}", stringify!($name));
                    })*
                }
            }
        };
    }
    both! {
        three(a: &Row, b: &Row, x: &DenseVec<i32>, k: i32, s: &mut i32) { for j { if a[j] { s += 3 } } } { for j { if a[j::locate] { s += 3 } } }
        product(a: &Row, b: &Row, x: &DenseVec<i32>, k: i32, s: &mut i32) { for j { s += 2 * (a[j] && b[j]) } } { for j { s += 2 * (a[j::locate] && b[j::locate]) } }
        less(a: &Row, b: &Row, x: &DenseVec<i32>, k: i32, s: &mut i32) { for j { if a[j] { s += -1 } } } { for j { if a[j::locate] { s += -1 } } }
        negated(a: &Row, b: &Row, x: &DenseVec<i32>, k: i32, s: &mut i32) { for j { s += !a[j] * 4 } } { for j { s += !a[j::locate] * 4 } }
        chosen(a: &Row, b: &Row, x: &DenseVec<i32>, k: i32, s: &mut i32) { for j { s += ifelse(a[j], 3, 2) } } { for j { s += ifelse(a[j::locate], 3, 2) } }
        one_or_none(a: &Row, b: &Row, x: &DenseVec<i32>, k: i32, s: &mut i32) { for j { s += ifelse(a[j], 0, 1) } } { for j { s += ifelse(a[j::locate], 0, 1) } }
        under(a: &Row, b: &Row, x: &DenseVec<i32>, k: i32, s: &mut i32) { for j { if a[j] { s += 2 * b[j] } } } { for j { if a[j::locate] { s += 2 * b[j::locate] } } }
        scalar(a: &Row, b: &Row, x: &DenseVec<i32>, k: i32, s: &mut i32) { for j { if a[j] { s += k } } } { for j { if a[j::locate] { s += k } } }
        element(a: &Row, b: &Row, x: &DenseVec<i32>, k: i32, s: &mut i32) { for i, j { if a[j] { s += x[i] } } } { for i, j { if a[j::locate] { s += x[i] } } }
        shared(a: &Row, b: &Row, x: &DenseVec<i32>, k: i32, s: &mut i32) { for j { if k > 2 && a[j] { s += 1 } } } { for j { if k > 2 && a[j::locate] { s += 1 } } }
        missing(a: &Row, b: &Row, x: &DenseVec<i32>, k: i32, s: &mut i32) { for j { s += coalesce(a[permit[j + 1]], b[j]) * 2 } } { for j { s += coalesce(a[permit[j + 1]::locate], b[j::locate]) * 2 } }
    }
}
