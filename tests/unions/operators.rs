//! Operators other than sums, fills other than 0, and conditions on operands.

use super::*;

#[test]
fn other_operators_and_fills() {
    each(4, &[i32::MIN, -1, 0, 1, 7, i32::MAX], |n, v| {
        let t: Vec<SparseVec<i32>> = v.iter().map(|v| tensor(&[n], v)).collect();
        let want: Vec<i32> =
            (0..n).map(|i| v.iter().map(|v| v[i].unwrap_or(0)).max().unwrap()).collect();
        assert_eq!(greatest(&t[0], &t[1], &t[2], &t[3]).to_dense(), want);
    });
    let numbers = [0.25, -0.0, f64::INFINITY, f64::NEG_INFINITY, 5e-324, -1.5, f64::MAX];
    // A fill that absorbs all: there is an entry where all factors, or terms, have one.
    each(4, &numbers, |n, v| {
        let t: Vec<Voids> = v.iter().map(|v| tensor(&[n], v)).collect();
        let (c, s) = voids(&t[0], &t[1], &t[2], &t[3]);
        let of = |i: usize, k: usize| v[k][i].unwrap_or(f64::NAN);
        let both = |i: usize, k: usize| v[k][i].is_some() && v[k + 1][i].is_some();
        let two = |i: usize, k: usize| of(i, k) * of(i, k + 1);
        same(&c.to_dense(), &dense(n, |i| two(i, 0).max(two(i, 2))));
        same(&s.to_dense(), &dense(n, |i| (0..4).map(|k| of(i, k)).reduce(|a, b| a + b).unwrap()));
        assert_eq!(c.stored(), (0..n).filter(|i| both(*i, 0) || both(*i, 2)).count());
        assert_eq!(s.stored(), (0..n).filter(|i| both(*i, 0) && both(*i, 2)).count());
    });
    each(5, &numbers, |n, v| {
        let t: Vec<Distances> = v.iter().map(|v| tensor(&[n], v)).collect();
        let z: Vec<SparseVec<f64>> = v.iter().map(|v| tensor(&[n], v)).collect();
        let far = |v: &Stored<f64>, i: usize| v[i].unwrap_or(f64::INFINITY);
        let want = dense(n, |i| v[..4].iter().map(|v| far(v, i)).fold(f64::INFINITY, f64::min));
        same(&least(&t[0], &t[1], &t[2], &t[3]).to_dense(), &want);
        let sum = |i: usize| v[1..].iter().map(|v| at(v, i)).reduce(|a, b| a + b).unwrap();
        let c = mixed_fills(&t[0], &z[1], &z[2], &z[3], &z[4]);
        let nan = (0..n).any(|i| sum(i).is_nan());
        if !nan {
            same(&c.to_dense(), &dense(n, |i| far(&v[0], i).min(sum(i))));
        }
        let further = |a: f64, b: f64| if b.abs() > a.abs() { b } else { a };
        let c = furthest(&z[0], &z[1], &z[2], &z[3]);
        same(
            &c.to_dense(),
            &dense(n, |i| {
                v[..4].iter().map(|v| at(v, i)).rev().reduce(|b, a| further(a, b)).unwrap()
            }),
        );
        let over = |a: f64, b: f64| if a != 0.0 { a } else { b };
        let c = first(&z[0], &z[1], &z[2], &z[3]);
        same(
            &c.to_dense(),
            &dense(n, |i| over(at(&v[0], i), at(&v[1], i)) + over(at(&v[2], i), at(&v[3], i))),
        );
    });
}

/// What is multiplied with something that is not stored is nothing, NaN or not.
#[test]
fn products_with_what_is_not_stored() {
    each(7, &HOSTILE, |n, v| {
        let t: Vec<SparseVec<f64>> = v.iter().map(|v| tensor(&[n], v)).collect();
        let x: Vec<f64> = dense(n, |i| HOSTILE[(i * 5 + 3) % 12]);
        let whole: DenseVec<f64> = Tensor::from_dense([n], &x).unwrap();
        let c = products(&t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &whole);
        let want = |i: usize| {
            times(&[v[0][i], v[1][i]])
                + times(&[v[2][i], v[3][i], Some(x[i])])
                + times(&[v[4][i], v[5][i]])
        };
        same(&c.to_dense(), &dense(n, want));
        let both = |i: usize, a: usize, b: usize| v[a][i].is_some() && v[b][i].is_some();
        assert_eq!(
            c.stored(),
            (0..n).filter(|i| both(*i, 0, 1) || both(*i, 2, 3) || both(*i, 4, 5)).count()
        );
        let c = masked(&t[0], &t[1], &t[2], &t[3], &t[4]);
        let any = |i: usize, of: &[usize]| of.iter().any(|k| v[*k][i].is_some());
        let sum = |i: usize| {
            any(i, &[1, 2, 3, 4])
                .then(|| (1..5).map(|k| at(&v[k], i)).reduce(|a, b| a + b).unwrap())
        };
        same(&c.to_dense(), &dense(n, |i| times(&[v[0][i], sum(i)])));
        let c = ratios(&t[0], &t[1], &t[2], &t[3], &whole);
        // What is not stored is nothing by anything.
        let over = |a: Option<f64>, b: f64| a.map_or(0.0, |a| a / b);
        let want = |i: usize| {
            (over(v[0][i], x[i]) + over(v[1][i], x[i]))
                + (over(v[2][i], x[i]) + times(&[v[3][i], Some(x[i])]))
        };
        same(&c.to_dense(), &dense(n, want));
        let c = kept(&t[0], &t[1], &t[2], &t[3], &whole);
        let want = |i: usize| {
            let t = any(i, &[1, 2]).then(|| at(&v[1], i) + at(&v[2], i));
            times(&[v[0][i].map(|a| a * 2.0), Some(x[i])]) + times(&[t, Some(x[i])]) + at(&v[3], i)
        };
        same(&c.to_dense(), &dense(n, want));
        let c = strict::products(&t[0], &t[1], &t[2], &t[3], &whole);
        same(
            &c.to_dense(),
            &dense(n, |i| at(&v[0], i) * at(&v[1], i) + at(&v[2], i) * x[i] + at(&v[3], i)),
        );
    });
}

#[test]
fn conditions_on_operands() {
    each(5, &HOSTILE, |n, v| {
        let t: Vec<SparseVec<f64>> = v.iter().map(|v| tensor(&[n], v)).collect();
        let m: Vec<Stored<bool>> =
            v.iter().map(|v| v.iter().map(|v| v.map(|_| true)).collect()).collect();
        let marked: Vec<Marks> = m.iter().map(|m| tensor(&[n], m)).collect();
        let c = under(&marked[0], &t[1], &t[2], &t[3], &t[4]);
        let sum = |i: usize| (1..5).map(|k| at(&v[k], i)).reduce(|a, b| a + b).unwrap();
        same(&c.to_dense(), &dense(n, |i| if v[0][i].is_none() { sum(i) } else { 0.0 }));
        let c = conditions(&t[0], &t[1], &t[2], &t[3], &t[4]);
        let holds = |i: usize| {
            at(&v[0], i) > 0.0 || at(&v[1], i) < 0.0 || at(&v[2], i) != 0.0 || at(&v[3], i) >= 2.0
        };
        same(&c.to_dense(), &dense(n, |i| if holds(i) { 1.0 + at(&v[4], i) } else { 0.0 }));
        let is = |k: usize, i: usize| v[k][i].is_some();
        let mut any = false;
        let c = marks(&marked[0], &marked[1], &marked[2], &marked[3], &mut any);
        let want: Vec<bool> =
            (0..n).map(|i| is(0, i) && is(1, i) || is(2, i) && is(3, i)).collect();
        assert_eq!(c.to_dense(), want);
        assert_eq!(any, (0..n).any(|i| (0..4).all(|k| is(k, i))));
        let mut any = false;
        found(&marked[0], &marked[1], &marked[2], &marked[3], &mut any);
        assert_eq!(any, (0..n).any(|i| is(0, i) != is(1, i) && is(2, i) != is(3, i)));
        let c = chosen(&t[0], &t[1], &t[2], &t[3]);
        let want =
            |i: usize| if at(&v[0], i) > at(&v[1], i) { at(&v[2], i) } else { at(&v[3], i) + 1.0 };
        same(&c.to_dense(), &dense(n, want));
    });
}
