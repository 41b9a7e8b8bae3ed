//! Operands whose order makes loops come again and again to what is stored are turned, though some order would go along
//! all of them: products with a transposed matrix take as many steps as those without.

// What these kernels cost and start at is on purpose.
#![allow(deprecated)]

mod bitwise;

use bitwise::{same, values};
use looplets::prelude::*;

level! { type Lists = Tensor<SparseList<SparseList<Element<f64>>>>; }

/// A program with its choice open, and settled.
macro_rules! each_way {
    ($($module:ident $params:tt -> $out:tt $body:tt)*) => {
        $(mod $module {
            use super::*;
            finch! { #![steps(n)] pub fn open $params -> $out $body }
            finch! { #![steps(n)] #![schedule(as_stored)] pub fn as_stored $params -> $out $body }
        })*
    };
}

each_way! {
    by_rows(a: &Csr<f64>, b: &Csr<f64>, n: &mut u64) -> (c: Csr<f64>) { c[i, j] += a[i, k] * b[j, k] }
    by_columns(a: &Csr<f64>, b: &Csr<f64>, n: &mut u64) -> (c: Csr<f64>) { c[i, j] += a[k, i] * b[k, j] }
    by_neither(a: &Csr<f64>, b: &Csr<f64>, n: &mut u64) -> (c: Csr<f64>) { c[i, j] += a[k, i] * b[j, k] }
    lists(a: &Lists, b: &Lists, n: &mut u64) -> (c: Lists) { c[i, j] += a[i, k] * b[j, k] }
    largest(a: &Csr<f64>, b: &Csr<f64>, n: &mut u64) -> (c: Csr<f64>) { c[i, j] <<max>>= a[i, k] * b[j, k] }
}
finch! {
    #![steps(n)]
    fn own(a: &Csr<f64>, n: &mut u64) -> (c: Csr<f64>) { c[i, j] += a[i, k] * a[j, k] }
    fn into(a: &Csr<f64>, b: &Csr<f64>, c: &mut DenseMat<f64>, n: &mut u64) { c[i, j] += a[i, k] * b[j, k] }
    fn masked(m: &Graph, a: &Csr<f64>, b: &Csr<f64>, n: &mut u64) -> (c: Csr<f64>) {
        if m[i, j] { c[i, j] += a[i, k] * b[j, k] }
    }
}
// Conditions that do not say which pairs are wanted.
each_way! {
    below(a: &Csr<f64>, b: &Csr<f64>, m: &Graph, x: &DenseVec<f64>, n: &mut u64) -> (c: Csr<f64>) {
        if i < j { c[i, j] += a[i, k] * b[j, k] }
    }
    unmasked(a: &Csr<f64>, b: &Csr<f64>, m: &Graph, x: &DenseVec<f64>, n: &mut u64) -> (c: Csr<f64>) {
        if !m[i, j] { c[i, j] += a[i, k] * b[j, k] }
    }
    by_value(a: &Csr<f64>, b: &Csr<f64>, m: &Graph, x: &DenseVec<f64>, n: &mut u64) -> (c: Csr<f64>) {
        if x[i] < 1 { c[i, j] += a[i, k] * b[j, k] }
    }
    several(a: &Csr<f64>, b: &Csr<f64>, m: &Graph, x: &DenseVec<f64>, n: &mut u64) -> (c: Csr<f64>) {
        if x[j] < 1 { if i != j && !m[i, j] { c[i, j] += a[i, k] * b[j, k] } }
    }
}
finch! {
    #![schedule(turn(a))]
    fn first_turned(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, k] * b[j, k] }
}

/// Orders that are asked for, in which one operand or the other is not stored.
macro_rules! orders {
    ($($name:ident($($order:ident),*))*) => {
        $(finch! { #![schedule(order($($order),*))] fn $name(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, k] * b[k, j] } })*
    };
}
orders! { ijk(i, j, k) ikj(i, k, j) jik(j, i, k) jki(j, k, i) kij(k, i, j) kji(k, j, i) }

/// Entries of a matrix, hostile values among them.
fn entries(rows: usize, columns: usize, seed: usize, one_of: usize) -> Vec<([usize; 2], f64)> {
    let of = values(rows * columns, seed, 40);
    let place = |k: usize| [k / columns, k % columns];
    let stored = (0..rows * columns).filter(|k| (k * 7_919 + seed * 31) % 1_000 < 1_000 / one_of);
    stored.map(|k| (place(k), of[k])).collect()
}

fn turned(all: &[([usize; 2], f64)]) -> Vec<([usize; 2], f64)> {
    all.iter().map(|([i, j], v)| ([*j, *i], *v)).collect()
}

#[test]
fn products_with_transposed_matrices() -> Result<(), looplets::Error> {
    let sizes = [(0, 3, 4), (3, 0, 4), (3, 4, 0), (1, 1, 1), (40, 30, 50), (50, 60, 40)];
    for (seed, (rows, columns, inner)) in sizes.into_iter().enumerate() {
        let one_of = 9;
        let (p, q) =
            (entries(rows, inner, seed, one_of), entries(inner, columns, seed + 9, one_of));
        let mut by_hand = vec![0.0; rows * columns];
        let mut most = vec![0.0_f64; rows * columns];
        let mut met = 0;
        for k in 0..inner {
            for ([i, _], v) in p.iter().filter(|(at, _)| at[1] == k) {
                for ([_, j], w) in q.iter().filter(|(at, _)| at[0] == k) {
                    by_hand[i * columns + j] += v * w;
                    most[i * columns + j] = most[i * columns + j].max(v * w);
                    met += 1;
                }
            }
        }
        let a: Csr<f64> = Tensor::from_triplets([rows, inner], p.clone(), Refuse)?;
        let b: Csr<f64> = Tensor::from_triplets([inner, columns], q.clone(), Refuse)?;
        let at: Csr<f64> = Tensor::from_triplets([inner, rows], turned(&p), Refuse)?;
        let bt: Csr<f64> = Tensor::from_triplets([columns, inner], turned(&q), Refuse)?;
        let size = p.len() + q.len() + rows + columns + inner;
        let enough = 3 * (met + size) as u64;
        let mut all = Vec::new();
        let mut n = 0;
        all.push((by_rows::open(&a, &bt, &mut n), n));
        n = 0;
        all.push((by_columns::open(&at, &b, &mut n), n));
        n = 0;
        all.push((by_neither::open(&at, &bt, &mut n), n));
        for (which, (c, steps)) in all.into_iter().enumerate() {
            same(&c.to_dense(), &by_hand, (seed, which));
            assert!(steps <= enough, "{which}: {steps} steps, where {enough} are enough");
        }
        let (la, lb) = (a.convert()?, bt.convert()?);
        same(&lists::open(&la, &lb, &mut n).to_dense(), &by_hand, seed);
        same(&first_turned(&a, &bt).to_dense(), &by_hand, seed);
        for c in [
            by_rows::as_stored(&a, &bt, &mut n).to_dense(),
            by_columns::as_stored(&at, &b, &mut n).to_dense(),
            by_neither::as_stored(&at, &bt, &mut n).to_dense(),
            lists::as_stored(&la, &lb, &mut n).to_dense(),
        ] {
            same(&c, &by_hand, (seed, "as stored"));
        }
        let unsigned = |all: &[f64]| all.iter().map(|x| x + 0.0).collect::<Vec<_>>();
        for c in [largest::open(&a, &bt, &mut n), largest::as_stored(&a, &bt, &mut n)] {
            same(&unsigned(&c.to_dense()), &unsigned(&most), (seed, "largest"));
        }
        for (which, kernel) in [ijk, ikj, jik, jki, kij, kji].into_iter().enumerate() {
            same(&kernel(&a, &b).to_dense(), &by_hand, (seed, "order", which));
        }
        let mut c: DenseMat<f64> = Tensor::from_dense([rows, columns], &vec![0.0; rows * columns])?;
        n = 0;
        into(&a, &bt, &mut c, &mut n);
        same(&c.to_dense(), &by_hand, seed);
        assert!(n <= enough, "{n} steps, where {enough} are enough");
        let mask = Tensor::from_triplets(
            [rows, columns],
            entries(rows, columns, 3, 5).into_iter().map(|(at, _)| (at, true)),
            Refuse,
        )?;
        let c = masked(&mask, &a, &bt, &mut n).to_dense();
        let expected: Vec<f64> =
            by_hand.iter().zip(mask.to_dense()).map(|(v, m)| if m { *v } else { 0.0 }).collect();
        same(&c, &expected, seed);
    }
    Ok(())
}

#[test]
fn products_with_transposed_matrices_under_conditions() -> Result<(), looplets::Error> {
    for (seed, (rows, columns, inner)) in
        [(0, 3, 4), (3, 0, 4), (3, 4, 0), (1, 1, 1), (60, 60, 50), (80, 50, 70)]
            .into_iter()
            .enumerate()
    {
        let (p, q) = (entries(rows, inner, seed, 12), entries(columns, inner, seed + 9, 12));
        let square = rows.max(columns);
        let m: Vec<[usize; 2]> =
            entries(rows, columns, 3, 5).into_iter().map(|(at, _)| at).collect();
        let x = values(square, seed + 5, 40);
        let (a, b): (Csr<f64>, Csr<f64>) = (
            Tensor::from_triplets([rows, inner], p.clone(), Refuse)?,
            Tensor::from_triplets([columns, inner], q.clone(), Refuse)?,
        );
        let mask: Graph =
            Tensor::from_triplets([rows, columns], m.iter().map(|at| (*at, true)), Refuse)?;
        let of = |size: usize| Tensor::from_dense([size], &x[..size]);
        let (xi, xj): (DenseVec<f64>, DenseVec<f64>) = (of(rows)?, of(columns)?);
        let mut met = 0;
        let mut by_hand = vec![0.0; rows * columns];
        for k in 0..inner {
            for ([i, _], v) in p.iter().filter(|(at, _)| at[1] == k) {
                for ([j, _], w) in q.iter().filter(|(at, _)| at[1] == k) {
                    by_hand[i * columns + j] += v * w;
                    met += 1;
                }
            }
        }
        let where_ = |holds: &dyn Fn(usize, usize) -> bool| -> Vec<f64> {
            let at = |k: usize| if holds(k / columns, k % columns) { by_hand[k] } else { 0.0 };
            (0..rows * columns).map(at).collect()
        };
        let free = |i, j| !m.contains(&[i, j]);
        let enough = 4 * (met + p.len() + q.len() + m.len() + 2 * (rows + columns + inner)) as u64;
        macro_rules! check {
            ($name:ident, $x:expr, $holds:expr) => {{
                let expected = where_(&$holds);
                let mut n = 0;
                let c = $name::open(&a, &b, &mask, $x, &mut n);
                same(&c.to_dense(), &expected, (seed, stringify!($name)));
                assert!(n <= enough, "{}: {n} steps, where {enough} are enough", stringify!($name));
                let c = $name::as_stored(&a, &b, &mask, $x, &mut n);
                same(&c.to_dense(), &expected, (seed, stringify!($name), "as stored"));
            }};
        }
        check!(below, &xi, |i, j| i < j);
        check!(unmasked, &xi, free);
        check!(by_value, &xi, |i: usize, _| x[i] < 1.0);
        check!(several, &xj, |i, j: usize| x[j] < 1.0 && i != j && free(i, j));
    }
    Ok(())
}

finch! {
    #![steps(n)]
    fn outside_transposed(m: &Graph, a: &Csr<f64>, b: &Csr<f64>, n: &mut u64) -> (c: Csr<f64>) {
        if !m[j, i] { c[i, j] += a[i, k] * b[j, k] }
    }
    fn of_difference(a: &Csr<f64>, b: &Csr<f64>, d: &Csr<f64>, n: &mut u64) -> (c: Csr<f64>) {
        c[i, j] += a[i, k] * (b[k, j] - d[j, k])
    }
}

#[test]
fn what_contradicts_is_turned_once_and_the_result_is_gathered_by_rows(
) -> Result<(), looplets::Error> {
    for (seed, size) in [0, 1, 2, 70].into_iter().enumerate() {
        let all: Vec<_> = (0..4).map(|k| entries(size, size, seed + 5 * k, 12)).collect();
        let of = |k: usize| -> Result<Csr<f64>, _> {
            Tensor::from_triplets([size, size], all[k].clone(), Refuse)
        };
        let (a, b, d) = (of(0)?, of(1)?, of(2)?);
        let m: Graph =
            Tensor::from_triplets([size, size], all[3].iter().map(|(at, _)| (*at, true)), Refuse)?;
        let (ad, bd, dd, md) = (a.to_dense(), b.to_dense(), d.to_dense(), m.to_dense());
        let stored = |k: usize, i: usize, j: usize| all[k].iter().any(|(at, _)| *at == [i, j]);
        let (mut outside, mut difference) = (vec![0.0; size * size], vec![0.0; size * size]);
        let mut met = 0;
        for ([i, k], _) in &all[0] {
            let v = ad[i * size + k];
            for j in 0..size {
                if stored(1, j, *k) {
                    met += 1;
                    if !md[j * size + i] {
                        outside[i * size + j] += v * bd[j * size + k];
                    }
                }
                if stored(1, *k, j) || stored(2, j, *k) {
                    met += 1;
                    difference[i * size + j] += v * (bd[k * size + j] - dd[j * size + k]);
                }
            }
        }
        let sizes: usize = all.iter().map(Vec::len).sum::<usize>() + 4 * size;
        // The mask is gone through beside each row that is added.
        let enough = (4 * met + 4 * sizes + all[0].len() * (all[3].len() / size.max(1) + 1)) as u64;
        let mut n = 0;
        same(&outside_transposed(&m, &a, &b, &mut n).to_dense(), &outside, (size, "outside"));
        assert!(n <= enough, "outside: {n} steps, where {enough} are enough");
        n = 0;
        same(&of_difference(&a, &b, &d, &mut n).to_dense(), &difference, (size, "difference"));
        assert!(n <= enough, "difference: {n} steps, where {enough} are enough");
    }
    Ok(())
}

#[test]
fn a_matrix_times_itself_transposed() -> Result<(), looplets::Error> {
    let p = entries(60, 40, 5, 12);
    let a: Csr<f64> = Tensor::from_triplets([60, 40], p.clone(), Refuse)?;
    let mut by_hand = vec![0.0; 3600];
    let mut met = 0;
    for k in 0..40 {
        for ([i, _], v) in p.iter().filter(|(at, _)| at[1] == k) {
            for ([j, _], w) in p.iter().filter(|(at, _)| at[1] == k) {
                by_hand[i * 60 + j] += v * w;
                met += 1;
            }
        }
    }
    let mut n = 0;
    same(&own(&a, &mut n).to_dense(), &by_hand, "own");
    assert!(n <= 3 * (met + 2 * p.len() + 200) as u64, "{n} steps");
    Ok(())
}
