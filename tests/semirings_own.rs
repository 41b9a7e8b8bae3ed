//! Semirings of a user's own types, Copy and not, under masks; and what needs no operators at all: the
//! boolean one over patterns, min-plus and max-plus by rules.

use looplets::prelude::*;

level! { type Set = Tensor<SparseList<Pattern>>; }

/// The length of a shortest path, and how many there are of it.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Ways {
    length: u32,
    count: u64,
}

const NONE: Ways = Ways { length: u32::MAX, count: 0 };

fill! {
    /// No path.
    fill NoWay = none;
}
impl Fill<Ways> for NoWay {
    const VALUE: Ways = NONE;
}

operator! {
    /// One or the other path.
    fn shorter(a: Ways, b: Ways) -> Ways {
        match a.length.cmp(&b.length) {
            std::cmp::Ordering::Less => a,
            std::cmp::Ordering::Greater => b,
            std::cmp::Ordering::Equal => Ways { length: a.length, count: a.count + b.count },
        }
    }
    commutative, associative;
    identity NoWay;
}

operator! {
    /// One path after the other.
    fn after(a: Ways, b: Ways) -> Ways {
        if a == NONE || b == NONE { NONE } else { Ways { length: a.length + b.length, count: a.count * b.count } }
    }
    commutative, associative;
    annihilator NoWay;
}

/// A polynomial, without zeros at its end: no `Copy`.
#[derive(Clone, PartialEq, Debug)]
struct Poly(Vec<i64>);

fn trimmed(mut terms: Vec<i64>) -> Poly {
    while terms.last() == Some(&0) {
        terms.pop();
    }
    Poly(terms)
}

fill! {
    /// The polynomial 0.
    fill Nought = nought;
}
impl Fill<Poly> for Nought {
    const VALUE: Poly = Poly(Vec::new());
}

operator! {
    fn plus(a: &Poly, b: &Poly) -> Poly {
        let term = |p: &Poly, k: usize| p.0.get(k).copied().unwrap_or(0);
        trimmed((0..a.0.len().max(b.0.len())).map(|k| term(a, k) + term(b, k)).collect())
    }
    commutative, associative;
    identity Nought;
}

operator! {
    fn times(a: &Poly, b: &Poly) -> Poly {
        let mut terms = vec![0; a.0.len() + b.0.len()];
        for (i, x) in a.0.iter().enumerate() {
            for (j, y) in b.0.iter().enumerate() {
                terms[i + j] += x * y;
            }
        }
        trimmed(terms)
    }
    commutative, associative;
    annihilator Nought;
}

finch! {
    #![steps(n)]
    use shorter;
    use after;
    use plus;
    use times;

    fn ways_masked(
        a: &Tensor<Dense<SparseList<Element<Ways, NoWay>>>>, x: &Tensor<SparseList<Element<Ways, NoWay>>>,
        m: &Set, n: &mut u64,
    ) -> (y: Tensor<Dense<Element<Ways, NoWay>>>) {
        for j, i { if m[j] { y[i] <<shorter>>= after(x[j], a[j, i]) } }
    }
    fn ways_complement(
        a: &Tensor<Dense<SparseList<Element<Ways, NoWay>>>>, b: &Tensor<Dense<SparseList<Element<Ways, NoWay>>>>,
        m: &Graph, n: &mut u64,
    ) -> (c: Tensor<Dense<Dense<Element<Ways, NoWay>>>>) {
        for i, k, j { if !m[i, k] { c[i, j] <<shorter>>= after(a[i, k], b[k, j]) } }
    }
    fn poly_masked(
        a: &Tensor<Dense<SparseList<Element<Poly, Nought>>>>, b: &Tensor<Dense<SparseList<Element<Poly, Nought>>>>,
        m: &Graph, n: &mut u64,
    ) -> (c: Tensor<Dense<Dense<Element<Poly, Nought>>>>) {
        for i, j, k { if m[i, j] { c[i, j] <<plus>>= times(a[i, k], b[j, k]) } }
    }
    fn poly_complement(
        a: &Tensor<Dense<SparseList<Element<Poly, Nought>>>>, x: &Tensor<SparseList<Element<Poly, Nought>>>,
        m: &Set, n: &mut u64,
    ) -> (y: Tensor<Dense<Element<Poly, Nought>>>) {
        for i, j { if !m[i] { y[i] <<plus>>= times(a[i, j], x[j]) } }
    }
}

/// Coordinates of a matrix that are stored, the same whenever asked.
fn some(seed: usize, [rows, columns]: [usize; 2]) -> Vec<[usize; 2]> {
    let all = (0..rows).flat_map(|i| (0..columns).map(move |j| [i, j]));
    all.filter(|[i, j]| (i * 5 + j * 3 + i * j + seed).is_multiple_of(3)).collect()
}

fn of<L: Level>(seed: usize, size: [usize; 2], value: impl Fn(usize) -> L::Value) -> Tensor<L>
where
    L::Value: PartialEq,
{
    let entries = some(seed, size).into_iter().map(|[i, j]| ([i, j], value(i + 2 * j)));
    Tensor::from_triplets(size, entries, Refuse).unwrap()
}

fn row<L: Level>(seed: usize, size: usize, value: impl Fn(usize) -> L::Value) -> Tensor<L>
where
    L::Value: PartialEq,
{
    let entries = some(seed, [1, size]).into_iter().map(|[_, j]| ([j], value(2 * j)));
    Tensor::from_triplets([size], entries, Refuse).unwrap()
}

const SIZES: [[usize; 3]; 8] =
    [[0, 0, 0], [0, 2, 3], [2, 0, 3], [2, 3, 0], [1, 1, 1], [5, 2, 7], [7, 6, 3], [9, 9, 9]];

fn way(v: usize) -> Ways {
    Ways { length: v as u32 % 3, count: v as u64 % 4 + 1 }
}

fn poly(v: usize) -> Poly {
    trimmed(vec![v as i64 % 5 - 2, 1, v as i64 % 3])
}

#[test]
fn shortest_paths_are_counted() {
    for [rows, columns, size] in SIZES {
        let (a, b, mask): (_, _, Graph) =
            (of(0, [rows, size], way), of(1, [size, columns], way), of(2, [rows, size], |_| true));
        let has = |m: &[[usize; 2]], at| m.contains(&at);
        let (at, bt, mt) = (some(0, [rows, size]), some(1, [size, columns]), some(2, [rows, size]));
        let mut want = vec![NONE; rows * columns];
        for [i, k] in at.iter().filter(|at| !has(&mt, **at)) {
            for [_, j] in bt.iter().filter(|[l, _]| l == k) {
                let c = &mut want[i * columns + j];
                *c = shorter(*c, after(way(i + 2 * k), way(k + 2 * j)));
            }
        }
        let mut n = 0;
        assert_eq!(ways_complement(&a, &b, &mask, &mut n).to_dense(), want);
        n = 0;
        let full = Tensor::from_dense([rows, size], &vec![true; rows * size]).unwrap();
        ways_complement(&a, &b, &full, &mut n);
        // The rows, and at most each entry of the mask.
        assert!(n as usize <= rows + rows * size, "{n}");

        let (x, m): (_, Set) = (row(0, size, way), row(2, size, |_| true));
        let (xt, mt) = (some(0, [1, size]), some(2, [1, size]));
        let mut want = vec![NONE; columns];
        for [k, j] in bt.iter().filter(|[k, _]| has(&xt, [0, *k]) && has(&mt, [0, *k])) {
            want[*j] = shorter(want[*j], after(way(2 * k), way(k + 2 * j)));
        }
        n = 0;
        assert_eq!(ways_masked(&b, &x, &m, &mut n).to_dense(), want);
        let edges = bt.iter().filter(|[k, _]| has(&xt, [0, *k]) && has(&mt, [0, *k])).count();
        assert!(n as usize <= xt.len() + mt.len() + edges, "{n}");
    }
}

#[test]
fn polynomials_are_cloned_where_they_must_be() {
    for [rows, columns, size] in SIZES {
        let (a, b, mask): (_, _, Graph) = (
            of(0, [rows, size], poly),
            of(1, [columns, size], poly),
            of(2, [rows, columns], |_| true),
        );
        let (at, bt, mt) =
            (some(0, [rows, size]), some(1, [columns, size]), some(2, [rows, columns]));
        let mut want = vec![Poly(vec![]); rows * columns];
        for [i, j] in &mt {
            for [_, k] in at.iter().filter(|[l, k]| l == i && bt.contains(&[*j, *k])) {
                let c = &mut want[i * columns + j];
                *c = plus(c, &times(&poly(i + 2 * k), &poly(j + 2 * k)));
            }
        }
        let mut n = 0;
        assert_eq!(poly_masked(&a, &b, &mask, &mut n).to_dense(), want);
        let none = Tensor::from_dense([rows, columns], &vec![false; rows * columns]).unwrap();
        n = 0;
        poly_masked(&a, &b, &none, &mut n);
        assert_eq!(n as usize, rows);

        let (x, m): (_, Set) = (row(0, size, poly), row(2, rows, |_| true));
        let (xt, mt) = (some(0, [1, size]), some(2, [1, rows]));
        let mut want = vec![Poly(vec![]); rows];
        for [i, k] in at.iter().filter(|[i, k]| xt.contains(&[0, *k]) && !mt.contains(&[0, *i])) {
            want[*i] = plus(&want[*i], &times(&poly(i + 2 * k), &poly(2 * k)));
        }
        n = 0;
        assert_eq!(poly_complement(&a, &x, &m, &mut n).to_dense(), want);
        let kept = (0..rows).filter(|i| !mt.contains(&[0, *i])).count();
        let inside = at.iter().filter(|[i, _]| !mt.contains(&[0, *i])).count();
        assert!(n as usize <= rows + inside + kept * (1 + xt.len()), "{n}");
    }
}

finch! {
    #![steps(n)]
    fn reached(a: &Graph, x: &Set, m: &Set, n: &mut u64) -> (y: DenseVec<bool>) {
        for i, j { if m[i] { y[i] ||= a[i, j] && x[j::walk] } }
    }
    fn reached_else(a: &Graph, x: &Set, m: &Set, n: &mut u64) -> (y: DenseVec<bool>) {
        for i, j { y[i] ||= !m[i] && a[i, j] && x[j::walk] }
    }
    fn joined(a: &Graph, b: &Graph, m: &Graph, n: &mut u64) -> (c: Graph) {
        for i, j { if m[i, j] {
            let mut t: bool;
            for k { t ||= a[i, k] && b[j, k] }
            if t { c[i, j] = true }
        } }
    }
}

#[test]
fn patterns_are_the_boolean_semiring() {
    for [rows, columns, size] in SIZES {
        let (a, x, m) =
            (of(0, [rows, size], |_| true), row(1, size, |_| true), row(2, rows, |_| true));
        let (at, xt, mt) = (some(0, [rows, size]), some(1, [1, size]), some(2, [1, rows]));
        let want = |keep: bool, i: usize| {
            mt.contains(&[0, i]) == keep && at.iter().any(|[l, k]| *l == i && xt.contains(&[0, *k]))
        };
        let mut n = 0;
        assert_eq!(
            reached(&a, &x, &m, &mut n).to_dense(),
            (0..rows).map(|i| want(true, i)).collect::<Vec<_>>()
        );
        let inside = at.iter().filter(|[i, _]| mt.contains(&[0, *i])).count();
        assert!(n as usize <= mt.len() * (1 + xt.len()) + inside, "{n}");
        assert_eq!(
            reached_else(&a, &x, &m, &mut n).to_dense(),
            (0..rows).map(|i| want(false, i)).collect::<Vec<_>>()
        );

        let (b, m) = (of(1, [columns, size], |_| true), of(2, [rows, columns], |_| true));
        let bt = some(1, [columns, size]);
        let mut want = some(2, [rows, columns]);
        want.retain(|[i, j]| (0..size).any(|k| at.contains(&[*i, k]) && bt.contains(&[*j, k])));
        let c = joined(&a, &b, &m, &mut n);
        assert_eq!(
            c.triplets().into_iter().map(|(at, _)| [at[0], at[1]]).collect::<Vec<_>>(),
            want
        );
    }
}

finch! {
    #![steps(n)]
    use looplets::semiring::shortest;
    fn by_rules_far(
        a: &Tensor<Dense<SparseList<Element<f64, Inf>>>>, x: &Tensor<SparseList<Element<f64, Inf>>>, n: &mut u64,
    ) -> (y: DenseVec<f64, Inf>) {
        for j, i { y[i] <<min>>= a[j, i] + x[j] }
    }
}

finch! {
    #![steps(n)]
    use looplets::semiring::longest;
    fn by_rules_deep(
        a: &Tensor<Dense<SparseList<Element<f64, NegInf>>>>, x: &Tensor<SparseList<Element<f64, NegInf>>>, n: &mut u64,
    ) -> (y: DenseVec<f64, NegInf>) {
        for j, i { y[i] <<max>>= a[j, i] + x[j] }
    }
}

#[test]
fn rules_make_a_semiring_of_sums() {
    for [_, columns, size] in SIZES {
        let length = |v: usize| v as f64 / 2.0 - 3.0;
        let (bt, xt) = (some(1, [size, columns]), some(0, [1, size]));
        let (mut least, mut most) =
            (vec![f64::INFINITY; columns], vec![f64::NEG_INFINITY; columns]);
        for [k, j] in bt.iter().filter(|[k, _]| xt.contains(&[0, *k])) {
            let sum = length(k + 2 * j) + length(2 * k);
            (least[*j], most[*j]) = (least[*j].min(sum), most[*j].max(sum));
        }
        let (mut n, mut d) = (0, 0);
        let (a, x) = (of(1, [size, columns], length), row(0, size, length));
        assert_eq!(by_rules_far(&a, &x, &mut n).to_dense(), least);
        let (a, x) = (of(1, [size, columns], length), row(0, size, length));
        assert_eq!(by_rules_deep(&a, &x, &mut d).to_dense(), most);
        let edges = bt.iter().filter(|[k, _]| xt.contains(&[0, *k])).count();
        assert_eq!([n as usize, d as usize], [xt.len() + edges; 2]);
    }
}
