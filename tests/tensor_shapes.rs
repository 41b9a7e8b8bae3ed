//! Methods of tensors that move their entries: `permute`, `reshape`, `slice`, `concat` and `stack`, from and to every
//! format, compared with arrays of all elements.

use looplets::conformance::Hostile;
use looplets::prelude::*;
use std::fmt::Debug;

/// All elements of a tensor, row-major, and what each operation is by its definition.
#[derive(Clone)]
struct Array<V> {
    shape: Vec<usize>,
    values: Vec<V>,
}

impl<V: Copy> Array<V> {
    fn of(shape: &[usize], mut value: impl FnMut(&[usize]) -> V) -> Self {
        let mut values = Vec::new();
        let all: usize = shape.iter().product();
        for k in 0..all {
            let mut rest = k;
            let mut coords = vec![0; shape.len()];
            for d in (0..shape.len()).rev() {
                (coords[d], rest) = (rest % shape[d], rest / shape[d]);
            }
            values.push(value(&coords));
        }
        Array { shape: shape.to_vec(), values }
    }
    fn at(&self, coords: &[usize]) -> V {
        self.values[coords.iter().zip(&self.shape).fold(0, |at, (c, n)| at * n + c)]
    }
    fn permute(&self, axes: &[usize]) -> Self {
        let shape: Vec<usize> = axes.iter().map(|&axis| self.shape[axis]).collect();
        Array::of(&shape, |coords| {
            let mut from = vec![0; coords.len()];
            axes.iter().zip(coords).for_each(|(&axis, &c)| from[axis] = c);
            self.at(&from)
        })
    }
    fn slice(&self, parts: &[Vec<usize>]) -> Self {
        let shape: Vec<usize> = parts.iter().map(Vec::len).collect();
        Array::of(&shape, |coords| {
            let from: Vec<usize> = coords.iter().zip(parts).map(|(&c, part)| part[c]).collect();
            self.at(&from)
        })
    }
    fn concat(axis: usize, all: &[&Self]) -> Self {
        let mut shape = all[0].shape.clone();
        shape[axis] = all.iter().map(|a| a.shape[axis]).sum();
        Array::of(&shape, |coords| {
            let mut coords = coords.to_vec();
            let mut k = 0;
            while coords[axis] >= all[k].shape[axis] {
                coords[axis] -= all[k].shape[axis];
                k += 1;
            }
            all[k].at(&coords)
        })
    }
    fn stack(axis: usize, all: &[&Self]) -> Self {
        let mut shape = all[0].shape.clone();
        shape.insert(axis, all.len());
        Array::of(&shape, |coords| {
            let mut coords = coords.to_vec();
            let k = coords.remove(axis);
            all[k].at(&coords)
        })
    }
}

/// Values that are told apart to the last bit.
trait Bits: Hostile + PartialEq + Debug {
    fn bits(self) -> u64;
}
impl Bits for f64 {
    fn bits(self) -> u64 {
        self.to_bits()
    }
}
impl Bits for bool {
    fn bits(self) -> u64 {
        self.into()
    }
}

/// Arrays of this shape: what is not fill everywhere, nowhere, in between, and in runs.
fn arrays<V: Bits>(shape: &[usize], fill: V) -> Vec<Array<V>> {
    let all: usize = shape.iter().product();
    let mut seed = all as u64;
    let mut draw = |n: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n
    };
    let mut random = |share: usize| {
        Array::of(shape, |_| if draw(4) < share { V::hostile(draw(64)) } else { fill })
    };
    let (full, half, few) = (random(4), random(2), random(1));
    let mut k = 0;
    let runs = Array::of(shape, |_| {
        k += 1;
        if k / 4 % 3 == 0 {
            fill
        } else {
            V::hostile(20 + k / 4)
        }
    });
    vec![full, half, few, runs, Array::of(shape, |_| fill)]
}

fn same<L>(made: Result<Tensor<L>, Error>, want: &Array<L::Value>, what: impl FnOnce() -> String)
where
    L: Level<Value: Bits>,
{
    let made = match made {
        Ok(made) => made,
        Err(error) => panic!("{} {error}", what()),
    };
    let bits = |values: &[L::Value]| values.iter().map(|v| v.bits()).collect::<Vec<_>>();
    let dense = made.to_dense();
    let equal = made.shape() == want.shape && bits(&dense) == bits(&want.values);
    assert!(equal, "{}\n  got {made:?}\n want {:?} {:?}", what(), want.shape, want.values);
}

/// All orders of so many dimensions.
fn orders(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![vec![]];
    }
    let insert = |order: Vec<usize>| {
        (0..n).map(move |at| {
            let mut order = order.clone();
            order.insert(at, n - 1);
            order
        })
    };
    orders(n - 1).into_iter().flat_map(insert).collect()
}

/// Parts of a dimension, and their coordinates by the word of the standard library.
fn parts(n: usize) -> Vec<(Span, Vec<usize>)> {
    let by = |range: std::ops::Range<usize>, step: isize| {
        let each = step.unsigned_abs();
        let coords = match step > 0 {
            true => range.clone().step_by(each).collect(),
            false => range.clone().rev().step_by(each).collect(),
        };
        (Span::new(range, step), coords)
    };
    let half = n / 2;
    vec![
        ((..).into(), (0..n).collect()),
        by(0..n, -1),
        by(half..n, 2),
        by(n.min(1)..n, -2),
        by(0..half, 3),
        by(half..half, -1),
        ((..half).into(), (0..half).collect()),
        ((half..).into(), (half..n).collect()),
        (Span::new(.., isize::MIN), (0..n).rev().take(1).collect()),
        (Span::new(.., isize::MAX), (0..n).take(1).collect()),
    ]
}

/// Shapes of this rank: with sizes 0 and 1, and not all alike.
fn shapes(rank: usize) -> Vec<Vec<usize>> {
    match rank {
        0 => vec![vec![]],
        1 => [0, 1, 2, 3, 12, 13].map(|n| vec![n]).to_vec(),
        2 => [[0, 0], [0, 3], [3, 0], [1, 1], [1, 5], [5, 1], [2, 6], [4, 3], [5, 4]]
            .map(|s| s.to_vec())
            .to_vec(),
        3 => [[0, 2, 1], [1, 1, 1], [2, 3, 4], [3, 1, 4], [1, 12, 1]].map(|s| s.to_vec()).to_vec(),
        _ => [[1, 1, 1, 1], [2, 0, 3, 1], [2, 3, 2, 2], [1, 3, 4, 2]].map(|s| s.to_vec()).to_vec(),
    }
}

/// Shapes of rank `rank` with `all` elements.
fn with_elements(rank: usize, all: usize) -> Vec<Vec<usize>> {
    if rank == 0 {
        return if all == 1 { vec![vec![]] } else { vec![] };
    }
    if all == 0 {
        return (0..rank)
            .map(|zero| (0..rank).map(|d| if d == zero { 0 } else { d + 2 }).collect())
            .collect();
    }
    let divisors = (1..=all).filter(|n| all.is_multiple_of(*n));
    divisors
        .flat_map(|n| {
            with_elements(rank - 1, all / n).into_iter().map(move |mut shape| {
                shape.insert(0, n);
                shape
            })
        })
        .collect()
}

/// Every operation on tensors of format `L` whose result is of format `M`.
fn all<L, M>()
where
    L: Level<Value: Bits>,
    M: Level<Value = L::Value>,
{
    let formats =
        || format!("from {} to {}:", std::any::type_name::<L>(), std::any::type_name::<M>());
    for shape in shapes(L::RANK) {
        let arrays = arrays(&shape, L::fill());
        for (k, a) in arrays.iter().enumerate() {
            let t = Tensor::<L>::from_dense(&shape, &a.values).expect("a tensor");
            for shape in with_elements(M::RANK, a.values.len()) {
                let want = Array { shape: shape.clone(), values: a.values.clone() };
                same(t.reshape::<M>(&shape), &want, || format!("{} to {shape:?}", formats()));
            }
            let b = &arrays[(k + 1) % arrays.len()];
            let u = Tensor::<L>::from_dense(&shape, &b.values).expect("a tensor");
            if M::RANK == L::RANK + 1 {
                for axis in 0..M::RANK {
                    let want = Array::stack(axis, &[a, b, a]);
                    same(Tensor::<M>::stack(axis, [&t, &u, &t]), &want, || {
                        format!("{} {axis}", formats())
                    });
                }
            }
            if M::RANK != L::RANK {
                continue;
            }
            for axes in orders(shape.len()) {
                same(t.permute::<M>(&axes), &a.permute(&axes), || {
                    format!("{} {axes:?}", formats())
                });
            }
            let cuts: Vec<_> = shape.iter().map(|&n| parts(n)).collect();
            for k in 0..30 {
                let chosen = cuts
                    .iter()
                    .enumerate()
                    .map(|(d, c)| &c[(k * (2 * d + 1) + k / 10 * d) % c.len()]);
                let (spans, coords): (Vec<Span>, Vec<Vec<usize>>) = chosen.cloned().unzip();
                let what = || format!("{} {spans:?} of {shape:?}", formats());
                same(t.slice::<M>(spans.clone()), &a.slice(&coords), what);
            }
            let m = t.convert::<M>().expect("it converts");
            for axis in 0..shape.len() {
                let part: Vec<_> =
                    shape.iter().map(|&n| (Span::from(..), (0..n).collect::<Vec<_>>())).collect();
                let (mut spans, mut coords): (Vec<Span>, Vec<Vec<usize>>) =
                    part.into_iter().unzip();
                spans[axis] = (..shape[axis] / 2).into();
                coords[axis].truncate(shape[axis] / 2);
                let (v, c) = (t.slice::<L>(spans).expect("a part"), a.slice(&coords));
                let what = || format!("{} along {axis} of {shape:?}", formats());
                same(
                    Tensor::<M>::concat(axis, vec![&t, &u, &v]),
                    &Array::concat(axis, &[a, b, &c]),
                    what,
                );
                same(
                    Tensor::<M>::concat(axis, (&v, &m, &u)),
                    &Array::concat(axis, &[&c, a, b]),
                    what,
                );
                same(Tensor::<M>::concat(axis, [&t]), a, what);
            }
        }
    }
}

type V<E> = SparseList<E>;
type M<E> = Dense<SparseList<E>>;
type F = Element<f64>;

/// All operations between lists and each of these formats, and within it.
macro_rules! formats {
    ($($name:ident: $list:ident $(, $format:ty)*;)*) => {$(
        #[test]
        fn $name() {
            $(
                all::<$list<F>, $format>();
                all::<$format, $list<F>>();
                all::<$format, $format>();
            )*
        }
    )*};
}

formats! {
    vectors_in_order: V, Dense<F>, SparseList<F>, SparseBand<F>, Ragged<F>, Coo<F>, UnorderedList<F>;
    vectors_of_runs: V, RunList<F>, SparseRunList<F>, PackBits<F>, SparseBlockList<F>;
    vectors_with_flags: V, Hash<F>, Bitmap<F>, BitTree<F>, ByteMap<F>, Spa<F>, StampMap<F>;
    matrices_in_order: M, Dense<Dense<F>>, SparseList<SparseList<F>>, SparseBand<SparseBand<F>>, Ragged<Ragged<F>>,
        Coo<Singleton<F>>, UnorderedList<UnorderedList<F>>;
    matrices_of_runs: M, RunList<RunList<F>>, SparseRunList<SparseRunList<F>>, PackBits<PackBits<F>>,
        SparseBlockList<SparseBlockList<F>>, RunList<SparseList<F>>;
    matrices_with_flags: M, Hash<Hash<F>>, Bitmap<Bitmap<F>>, BitTree<BitTree<F>>, ByteMap<ByteMap<F>>, Spa<Spa<F>>, StampMap<StampMap<F>>;
}

type Cube<E> = SparseList<Dense<RunList<E>>>;
type Four<E> = Dense<Hash<SparseList<SparseRunList<E>>>>;

#[test]
fn more_dimensions_and_none() {
    all::<Cube<F>, Cube<F>>();
    all::<Coo<Singleton<Singleton<F>>>, Cube<F>>();
    all::<Cube<F>, Dense<Dense<Dense<F>>>>();
    all::<Four<F>, Four<F>>();
    all::<Dense<Dense<Dense<Dense<F>>>>, Four<F>>();
    all::<F, F>();
}

#[test]
fn from_one_rank_to_another() {
    all::<F, V<F>>();
    all::<V<F>, F>();
    all::<F, Four<F>>();
    all::<RunList<F>, M<F>>();
    all::<V<F>, SparseRunList<SparseRunList<F>>>();
    all::<M<F>, Cube<F>>();
    all::<Cube<F>, Four<F>>();
    all::<Four<F>, V<F>>();
    all::<SparseRunList<SparseRunList<F>>, RunList<F>>();
}

#[test]
fn other_fills_and_leaves() {
    all::<RunList<Element<f64, Inf>>, SparseList<Element<f64, Inf>>>();
    all::<M<Element<f64, Inf>>, Hash<RunList<Element<f64, Inf>>>>();
    all::<Dense<Dense<Element<f64, NaN>>>, M<Element<f64, NaN>>>();
    all::<M<Element<f64, NaN>>, RunList<Element<f64, NaN>>>();
    all::<V<Pattern>, V<Pattern>>();
    all::<M<Pattern>, Dense<Dense<Element<bool>>>>();
    all::<RunList<Element<bool>>, M<Pattern>>();
    all::<SparseRunList<Pattern>, M<Element<bool>>>();
}
