//! What the oracle says, against results by hand: everything else is compared with the oracle.

extern crate looplets_oracle as oracle;
use oracle::*;

fn ints(shape: &[usize], data: &[i64]) -> Shown {
    let data = data.iter().map(|n| Val::Int((*n).into())).collect();
    Shown::Tensor(Plain { shape: shape.to_vec(), fill: Val::Int(0), data, ..Plain::default() })
}

/// The first result of a program, `?` for a program that is refused.
fn result(text: &'static str, args: &[Shown]) -> String {
    match run(text, args, &[Val::Int(0)], &[]) {
        Ok(results) => results[0].1.text(),
        Err(_) => "?".to_owned(),
    }
}

macro_rules! vector_of_eight {
    ($($expr:tt)*) => {
        result(
            stringify!(fn k(a: &V, b: &V) -> (y: V) { for k { y[k] = $($expr)* } }),
            &[ints(&[8], &[10, 11, 12, 13, 14, 15, 16, 17]), ints(&[3], &[1, 2, 3])],
        )
    };
}

#[test]
fn modifiers_of_an_index() {
    assert_eq!(vector_of_eight!(a[window(2, 5)[k]]), "[3] [12, 13, 14]");
    assert_eq!(vector_of_eight!(a[window(2, 5)[k]] + b[k]), "[3] [13, 15, 17]");
    assert_eq!(vector_of_eight!(a[window(2, 6)[k]] + b[k]), "?");
    assert_eq!(vector_of_eight!(a[window(6, 9)[k]]), "?");
    // The loop runs where `offset` is inside, from 0 on.
    assert_eq!(vector_of_eight!(b[offset(2)[k]]), "[5] [0, 0, 1, 2, 3]");
    assert_eq!(vector_of_eight!(b[offset(-1)[k]]), "[2] [2, 3]");
    assert_eq!(vector_of_eight!(b[k + 1]), "[2] [2, 3]");
    assert_eq!(vector_of_eight!(a[2 * k + 1]), "[4] [11, 13, 15, 17]");
    assert_eq!(vector_of_eight!(a[3 * k] + a[k + 5]), "[3] [25, 29, 33]");
}

#[test]
fn what_permit_lets_through_is_missing() {
    assert_eq!(
        vector_of_eight!(coalesce(b[permit[k]], 7) + 0 * a[k]),
        "[8] [1, 2, 3, 7, 7, 7, 7, 7]"
    );
    assert_eq!(vector_of_eight!(b[permit[k]] + a[k]), "[8] [11, 13, 15, 0, 0, 0, 0, 0]");
    assert_eq!(
        vector_of_eight!(coalesce(b[permit[offset(2)[k]]], a[k])),
        "[8] [10, 11, 1, 2, 3, 15, 16, 17]"
    );
    assert_eq!(
        vector_of_eight!(coalesce(b[permit[k - 2]], a[k])),
        "[8] [10, 11, 1, 2, 3, 15, 16, 17]"
    );
    assert_eq!(vector_of_eight!(coalesce(a[window(2, 4)[permit[k + 1]]], b[k])), "[3] [13, 2, 3]");
    // A window on what permit opened has its own size again.
    assert_eq!(
        vector_of_eight!(coalesce(b[permit[window(1, 6)[k]]], -1)),
        "[5] [2, 3, -1, -1, -1]"
    );
    assert_eq!(vector_of_eight!(b[permit[k]]), "?");
}

#[test]
fn sums_of_indices() {
    let a = ints(&[4], &[1, 2, 3, 4]);
    let w = ints(&[2], &[10, 1]);
    let text =
        "fn f(a: &V, w: &V) -> (y: V) { for i in 0..3 { for k { y[i] += a[i + k] * w[k] } } }";
    assert_eq!(result(text, &[a.clone(), w.clone()]), "[3] [12, 23, 34]");
    let text =
        "fn f(a: &V, w: &V) -> (y: V) { for i in 0..4 { for k { y[i] += a[i + k] * w[k] } } }";
    assert_eq!(result(text, &[a.clone(), w.clone()]), "?");
    let text = "fn f(a: &V, w: &V) -> (y: V) { for i in 0..4 { for k { y[i] += coalesce(a[permit[i + k]], 0) * w[k] } } }";
    assert_eq!(result(text, &[a.clone(), w]), "[4] [12, 23, 34, 40]");
    let text = "fn f(a: &V) -> (y: M[3, 2]) { for i in 0..3 { for k { y[i, k] = a[window(i, i + 2)[k]] } } }";
    assert_eq!(result(text, &[a]), "[3, 2] [1, 2, 2, 3, 3, 4]");
}

#[test]
fn the_best_pair_is_the_first_of_the_best() {
    let pair = |a: i128, b: i128| Val::Tuple(vec![Val::Int(a), Val::Int(b)]);
    for (op, best) in [("minby", (1, 2)), ("maxby", (7, 1))] {
        let mut found = pair(4, 9);
        for (i, v) in [3, 7, 1, 7, 1].into_iter().enumerate() {
            found = Oracle::default().reduce(op, found, pair(v, i as i128), None).unwrap();
        }
        assert_eq!(found, pair(best.0, best.1));
    }
}
