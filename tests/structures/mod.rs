//! What the tests of structured formats share: refusals, and round trips of everything a level can hold.
#![allow(dead_code, unused_macros)]

use looplets::prelude::*;

/// The reason why a level makes no tensor.
pub fn refused<L: Level>(root: L) -> String
where
    L::Value: std::fmt::Debug,
{
    match Tensor::from_parts(root) {
        Err(Error::Invariant { reason, .. }) => reason,
        Err(other) => panic!("refused for another reason: {other}"),
        Ok(tensor) => panic!("accepted: {tensor:?}"),
    }
}

pub fn leaf(values: Vec<f64>) -> Element<f64> {
    Element::new(values)
}

pub fn values(n: usize) -> Element<f64> {
    leaf(vec![1.0; n])
}

/// Coordinates in a shape, in order.
pub fn everywhere(shape: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for &n in shape {
        all = all.iter().flat_map(|c| (0..n).map(move |i| [&c[..], &[i]].concat())).collect();
    }
    all
}

/// That a tensor says by every means that it holds `dense`.
pub fn holds<L: Level + std::fmt::Debug>(a: &Tensor<L>, dense: &[L::Value])
where
    L::Value: PartialEq + std::fmt::Debug,
{
    // A NaN is one, of whatever sign.
    #[allow(clippy::eq_op)]
    let same = |a: &L::Value, b: &L::Value| a == b || a != a && b != b;
    let all = a.to_dense();
    assert!(
        all.len() == dense.len() && all.iter().zip(dense).all(|(a, b)| same(a, b)),
        "{a:?} is not {dense:?}"
    );
    let shape = a.shape();
    for (at, want) in everywhere(&shape).iter().zip(dense) {
        assert!(a.get(at).is_some_and(|v| same(&v, want)), "{at:?} of {a:?} is not {want:?}");
    }
    let triplets = a.triplets();
    assert!(triplets.windows(2).all(|w| w[0].0 < w[1].0), "{triplets:?} in order");
    let outside = dense.iter().filter(|v| **v != L::fill()).count();
    assert!(outside <= triplets.len());
    a.root().check(1).unwrap();
}

/// That entries make the tensor that holds them, and what it holds makes it again.
pub fn round_trip<L>(shape: &[usize], dense: &[L::Value])
where
    L: Level + std::fmt::Debug + PartialEq,
    L::Value: PartialEq + std::fmt::Debug,
{
    let a: Tensor<L> = Tensor::from_dense(shape, dense).unwrap();
    holds(&a, dense);
    assert_eq!(a.shape(), shape);
    let again: Tensor<L> = Tensor::from_triplets(shape, a.triplets(), Refuse).unwrap();
    assert!(again == a, "{again:?} is not {a:?}");
}

/// [`round_trip`] with every subset of six elements, as a vector and as matrices of each shape.
#[macro_export]
macro_rules! round_trips {
    ($([$($n:expr),*]: $L:ty;)*) => {
        for mask in 0..64u32 {
            $({
                let n: usize = [$($n),*].iter().product();
                let dense: Vec<f64> =
                    (0..n).map(|k| if mask >> (k % 6) & 1 == 1 { (k / 2 + 1) as f64 } else { 0.0 }).collect();
                structures::round_trip::<$L>(&[$($n),*], &dense);
            })*
        }
    };
}
