//! Strided entries and intervals as tensors: built, shown, refused.

use looplets::{Dense, Element, Error, Refuse, Tensor, finch};
use spans::{Intervals, Strided};

#[test]
fn intervals_from_dense_and_back() {
    for n in 0..4usize.pow(5) {
        let x: Vec<i32> = (0..5).map(|i| (n / 4usize.pow(i) % 4) as i32).collect();
        let t: Tensor<Intervals<Element<i32>>> = Tensor::from_dense([5], &x).unwrap();
        assert_eq!(t.to_dense(), x);
        for (i, v) in x.iter().enumerate() {
            assert_eq!(t.get([i]), Some(*v));
        }
    }
}

#[test]
fn equal_neighbours_share_an_interval() {
    let t: Tensor<Dense<Intervals<Element<i32>>>> =
        Tensor::from_dense([2, 5], &[7, 7, 7, 0, 7, 0, 0, 3, 3, 4]).unwrap();
    let (_, rows) = t.into_root().into_parts();
    let (_, pos, first, last, child) = rows.into_parts();
    assert_eq!((pos, first, last), (vec![0, 2, 4], vec![0, 4, 2, 4], vec![2, 4, 3, 4]));
    assert_eq!(child.into_parts().0, [7, 7, 3, 4]);
}

#[test]
fn intervals_of_parts() {
    let made = |len, pos: &[usize], first: &[u32], last: &[u32], n: usize| {
        Tensor::from_parts(Intervals::new(
            len,
            pos.into(),
            first.into(),
            last.into(),
            Element::new(vec![2; n]),
        ))
    };
    let t: Tensor<Intervals<Element<i32>>> = made(6, &[0, 2], &[1, 4], &[2, 5], 2).unwrap();
    assert_eq!(t.to_dense(), [0, 2, 2, 0, 2, 2]);
    assert!(t.to_string().contains('2'));
    let broken = [
        ("no fibers", made(6, &[], &[1, 4], &[2, 5], 2)),
        ("not from 0", made(6, &[1, 2], &[1, 4], &[2, 5], 2)),
        ("some left over", made(6, &[0, 1], &[1, 4], &[2, 5], 2)),
        ("one without an end", made(6, &[0, 2], &[1, 4, 5], &[2, 5], 2)),
        ("one that ends before it begins", made(6, &[0, 2], &[1, 4], &[2, 3], 2)),
        ("overlapping", made(6, &[0, 2], &[1, 2], &[2, 5], 2)),
        ("descending", made(6, &[0, 2], &[4, 1], &[5, 2], 2)),
        ("beyond the size", made(5, &[0, 2], &[1, 4], &[2, 5], 2)),
        ("values missing", made(6, &[0, 2], &[1, 4], &[2, 5], 1)),
    ];
    for (what, result) in broken {
        assert!(matches!(result, Err(Error::Invariant { .. })), "{what}: {result:?}");
    }
}

#[test]
fn strided_of_parts() {
    let made = |len, pos: &[usize], start: &[usize], step: &[usize], n: usize| {
        Tensor::from_parts(Strided::new(
            len,
            pos.into(),
            start.into(),
            step.into(),
            Element::new(vec![2; n]),
        ))
    };
    let t: Tensor<Strided<Element<i32>>> = made(7, &[0, 3], &[1], &[2], 3).unwrap();
    assert_eq!(t.to_dense(), [0, 2, 0, 2, 0, 2, 0]);
    assert_eq!((t.get([3]), t.get([4]), t.get([6])), (Some(2), Some(0), Some(0)));
    assert_eq!(t.triplets().len(), 3);
    assert!(made(7, &[0, 0], &[900], &[1], 0).is_ok(), "an empty fiber starts anywhere");
    let broken = [
        ("no fibers", made(7, &[], &[1], &[2], 3)),
        ("not from 0", made(7, &[1, 3], &[1], &[2], 3)),
        ("descending", made(7, &[0, 3, 1], &[1, 1], &[2, 2], 1)),
        ("a start missing", made(7, &[0, 3], &[], &[2], 3)),
        ("a step missing", made(7, &[0, 3], &[1], &[], 3)),
        ("no step", made(7, &[0, 3], &[1], &[0], 3)),
        ("beyond the size", made(5, &[0, 3], &[1], &[2], 3)),
        ("overflow", made(7, &[0, 3], &[1], &[usize::MAX / 2], 3)),
        ("values missing", made(7, &[0, 3], &[1], &[2], 2)),
    ];
    for (what, result) in broken {
        assert!(matches!(result, Err(Error::Invariant { .. })), "{what}: {result:?}");
    }
}

#[test]
fn what_cannot_be_assembled_says_so() {
    let error =
        Tensor::<Strided<Element<f64>>>::from_triplets([3], vec![([1], 2.0)], Refuse).unwrap_err();
    assert!(matches!(&error, Error::Unstorable { level: "Strided", .. }), "{error:?}");
    assert!(
        error.to_string().contains("built from") || error.to_string().contains("from its parts"),
        "{error}"
    );
}

finch! {
    #![forbid(unsafe_code)]
    /// Without `unsafe` in the expansion either.
    fn both(a: &Tensor<Dense<Strided<Element<i32>>>>, b: &Tensor<Dense<Intervals<Element<i32>>>>)
        -> (c: Tensor<Dense<Intervals<Element<i32>>>>)
    {
        for i, j { c[i, j] = a[i, j] + b[i, j] }
    }
}

#[test]
fn rows_of_different_strides() {
    let level = Strided::new(
        6,
        vec![0, 3, 3, 5],
        vec![0, 0, 1],
        vec![2, 1, 4],
        Element::new(vec![1, 2, 3, 4, 5]),
    );
    let a = Tensor::from_parts(Dense::new(3, level)).unwrap();
    let x = [1, 0, 2, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 5];
    assert_eq!(a.to_dense(), x);
    let y = [9, 9, 0, 0, 8, 8, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0];
    let b = Tensor::from_dense([3, 6], &y).unwrap();
    let sum: Vec<i32> = x.iter().zip(&y).map(|(x, y)| x + y).collect();
    assert_eq!(both(&a, &b).to_dense(), sum);
}
