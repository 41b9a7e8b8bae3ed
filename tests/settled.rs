//! What `#![schedule(..)]` settles beside the ways that there are: formats of workspaces, operands that are looked up, the width
//! of register tiles, and what is chosen within loops that are written.

#![allow(deprecated)]

mod fractions;

use fractions::{all, entries, matrix};
use looplets::prelude::*;

level! {
    /// A matrix that is infinite where it stores nothing.
    pub type Far = Tensor<Dense<SparseList<Element<f64, Inf>>>>;
}
level! {
    /// Which entries there are.
    pub type Marks = Tensor<Dense<SparseList<Pattern>>>;
}

macro_rules! products {
    ($($name:ident: $format:ty, $far:ty, $marks:ty;)*) => {
        $(mod $name {
            use super::*;
            finch! {
                #![schedule(workspace(c: $format))]
                pub fn product(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, k] * b[k, j] }
                pub fn added(a: &Csr<f64>, b: &Csr<f64>, d: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = d[i, j]; c[i, j] += a[i, k] * b[k, j] }
            }
            finch! {
                #![schedule(workspace(c: $far))]
                pub fn least(a: &Far, b: &Far) -> (c: Far) { c[i, j] <<min>>= a[i, k] + b[k, j] }
            }
            finch! {
                #![schedule(workspace(c: $marks))]
                pub fn met(a: &Marks, b: &Marks) -> (c: Marks) { c[i, j] <<or>>= a[i, k] && b[k, j] }
            }
            finch! {
                #![schedule(workspace(x: $format))]
                pub fn vector(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
            }
        })*
        const PRODUCTS: &[(&str, Kernels)] = &[$((stringify!($name), Kernels {
            product: $name::product, added: $name::added, least: $name::least, met: $name::met, vector: $name::vector,
        })),*];
    };
}

type Of<T> = fn(&T, &T) -> T;

struct Kernels {
    product: Of<Csr<f64>>,
    added: fn(&Csr<f64>, &Csr<f64>, &Csr<f64>) -> Csr<f64>,
    least: Of<Far>,
    met: Of<Marks>,
    vector: fn(&Csr<f64>, &SparseVec<f64>) -> DenseVec<f64>,
}

products! {
    spa: Tensor<Spa<Element<f64>>>, Tensor<Spa<Element<f64, Inf>>>, Tensor<Spa<Pattern>>;
    stamps: Tensor<StampMap<Element<f64>>>, Tensor<StampMap<Element<f64, Inf>>>, Tensor<StampMap<Pattern>>;
    bit_tree: Tensor<BitTree<Element<f64>>>, Tensor<BitTree<Element<f64, Inf>>>, Tensor<BitTree<Pattern>>;
    byte_map: Tensor<ByteMap<Element<f64>>>, Tensor<ByteMap<Element<f64, Inf>>>, Tensor<ByteMap<Pattern>>;
    table: Tensor<Hash<Element<f64>>>, Tensor<Hash<Element<f64, Inf>>>, Tensor<Hash<Pattern>>;
    tree: Tensor<Bst<Element<f64>>>, Tensor<Bst<Element<f64, Inf>>>, Tensor<Bst<Pattern>>;
    of_blocks: Tensor<CTree<Element<f64>>>, Tensor<CTree<Element<f64, Inf>>>, Tensor<CTree<Pattern>>;
}

finch! {
    fn product(a: &Csr<f64>, b: &Csr<f64>) -> (c: DenseMat<f64>) { for i, k, j { c[i, j] += a[i, k] * b[k, j] } }
    fn added(a: &Csr<f64>, b: &Csr<f64>, d: &Csr<f64>) -> (c: DenseMat<f64>) {
        for i, j { c[i, j] = d[i, j] }
        for i, k, j { c[i, j] += a[i, k] * b[k, j] }
    }
    fn least(a: &Far, b: &Far) -> (c: DenseMat<f64, Inf>) { for i, k, j { c[i, j] <<min>>= a[i, k] + b[k, j] } }
    fn met(a: &Marks, b: &Marks) -> (c: DenseMat<bool>) { for i, k, j { c[i, j] <<or>>= a[i, k] && b[k, j] } }
    fn vector(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } }
}

/// Sizes of which some are none, and some cross a word of bits.
const SIZES: [(usize, usize); 7] = [(0, 0), (0, 3), (3, 0), (1, 1), (7, 5), (5, 70), (70, 5)];

fn marks(rows: usize, columns: usize, seed: usize) -> Marks {
    let all = entries(rows, columns, seed).into_iter().map(|(at, _)| (at, true));
    Tensor::from_triplets([rows, columns], all, Refuse).expect("a matrix")
}

fn row<L: Level<Value = f64>>(size: usize, seed: usize) -> Tensor<L> {
    let entries = entries(size, 5, seed).into_iter().filter(|([_, j], _)| *j == 0);
    Tensor::from_triplets([size], entries.map(|([i, _], x)| ([i], x)), Refuse).expect("a vector")
}

#[test]
fn workspaces_of_any_format_give_the_same() {
    for (n, m) in SIZES {
        let (a, b): (Csr<f64>, Csr<f64>) = (matrix(n, m, 1), matrix(m, n, 2));
        let (d, x, wide): (Csr<f64>, SparseVec<f64>, DenseVec<f64>) =
            (matrix(n, n, 3), row(m, 4), row(m, 4));
        let (far, also): (Far, Far) = (matrix(n, m, 1), matrix(m, n, 2));
        let (p, q) = (marks(n, m, 1), marks(m, n, 2));
        for (name, of) in PRODUCTS {
            let at = format!("{name} {n} {m}");
            assert_eq!(all(&(of.product)(&a, &b)), all(&product(&a, &b)), "{at}");
            assert_eq!(all(&(of.added)(&a, &b, &d)), all(&added(&a, &b, &d)), "{at}");
            assert_eq!(all(&(of.least)(&far, &also)), all(&least(&far, &also)), "{at}");
            assert_eq!((of.met)(&p, &q).to_dense(), met(&p, &q).to_dense(), "{at}");
            assert_eq!(all(&(of.vector)(&a, &x)), all(&vector(&a, &wide)), "{at}");
        }
    }
}

finch! {
    #![schedule(workspace(c: Tensor<Hash<Hash<Element<f64>>>>))]
    fn of_two(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, k] * b[k, j] }
}
finch! {
    #![schedule(locate(x))]
    fn looked_up(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
    fn looked_up_under(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { if x[j] > 0 { y[i] += a[i, j] * x[j] } }
}
finch! {
    #![schedule(merge(x))]
    fn merged_under(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { if x[j] > 0 { y[i] += a[i, j] * x[j] } }
}

#[test]
fn workspaces_of_two_dimensions_and_operands_that_are_looked_up() {
    for (n, m) in SIZES {
        let (a, b): (Csr<f64>, Csr<f64>) = (matrix(n, m, 1), matrix(m, n, 2));
        let (x, wide): (SparseVec<f64>, DenseVec<f64>) = (row(m, 4), row(m, 4));
        assert_eq!(all(&of_two(&a, &b)), all(&product(&a, &b)), "{n} {m}");
        assert_eq!(all(&looked_up(&a, &x)), all(&vector(&a, &wide)), "{n} {m}");
        assert_eq!(all(&looked_up_under(&a, &x)), all(&merged_under(&a, &x)), "{n} {m}");
    }
}

macro_rules! tiles {
    ($($name:ident: $width:literal)*) => {
        $(mod $name {
            use super::*;
            finch! {
                #![schedule(tile($width))]
                pub fn sums(a: &Csr<f64>, x: &DenseMat<f64>) -> (y: DenseMat<f64>) { y[i, k] += a[i, j] * x[j, k] }
                pub fn written(a: &DenseMat<f64>, x: &DenseMat<f64>) -> (y: DenseMat<f64>) { for i, j, k { y[i, k] += a[i, j] * x[j, k] } }
            }
        })*
        fn in_tiles() -> Vec<(Tiled, Full)> { vec![$(($name::sums, $name::written)),*] }
    };
}

type Tiled = fn(&Csr<f64>, &DenseMat<f64>) -> DenseMat<f64>;
type Full = Of<DenseMat<f64>>;

tiles! { none: 1 two: 2 four: 4 eight: 8 many: 4096 }

/// Each element is a sum in one order, however many are held at once: to the last bit, for tails of every length.
#[test]
fn tiles_of_any_width_give_the_same() {
    let thirds = |rows: usize, columns: usize| {
        let all: Vec<f64> = (0..rows * columns).map(|n| (n % 23) as f64 / 3.0 - 2.5).collect();
        DenseMat::<f64>::from_dense([rows, columns], &all).expect("a matrix")
    };
    for columns in [0, 1, 2, 3, 5, 8, 15, 16, 31, 33, 70] {
        let (a, full, x): (Csr<f64>, _, _) = (matrix(9, 7, 1), thirds(9, 7), thirds(7, columns));
        let (sums, written) = in_tiles()[0];
        let bits = |t: &DenseMat<f64>| t.to_dense().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        let expected = (bits(&sums(&a, &x)), bits(&written(&full, &x)));
        for (sums, written) in in_tiles() {
            assert_eq!((bits(&sums(&a, &x)), bits(&written(&full, &x))), expected, "{columns}");
        }
    }
    let tiled = |told: &str| told.contains("k_tile");
    assert!(tiled(
        explain! { fn f(a: &Csr<f64>, x: &DenseMat<f64>) -> (y: DenseMat<f64>) { y[i, k] += a[i, j] * x[j, k] } }
    ));
    assert!(!tiled(explain! {
        #![schedule(tile(1))]
        fn f(a: &Csr<f64>, x: &DenseMat<f64>) -> (y: DenseMat<f64>) { y[i, k] += a[i, j] * x[j, k] }
    }));
}

macro_rules! within {
    ($($name:ident: $params:tt { $($body:tt)* } [$($written:tt)*])*) => {
        $(mod $name {
            use super::*;
            finch! { #![schedule(inside)] pub fn open $params -> (y: DenseMat<f64>) { $($body)* } }
            finch! { #![schedule(inside, at_once)] pub fn at_once $params -> (y: DenseMat<f64>) { $($body)* } }
            finch! { pub fn written $params -> (y: DenseMat<f64>) { $($written)* } }
        })*
    };
}

within! {
    chain: (a: &Csr<f64>, b: &Csr<f64>, x: &DenseMat<f64>) { for t { y[t, i] += a[i, j] * b[j, k] * x[t, k] } }
        [for t, i, j, k { y[t, i] += a[i, j] * b[j, k] * x[t, k] }]
    guarded: (a: &Csr<f64>, b: &Csr<f64>, x: &DenseMat<f64>) { for t { if x[t, 0] > 0 { y[t, i] += a[i, j] * b[j, k] * x[t, k] } } }
        [for t { if x[t, 0] > 0 { for i, j, k { y[t, i] += a[i, j] * b[j, k] * x[t, k] } } }]
    summed: (a: &Csr<f64>, b: &Csr<f64>, x: &DenseMat<f64>) { for t { y[i, j] += a[i, j] * b[j, k] * x[t, k] } }
        [for t, i, j, k { y[i, j] += a[i, j] * b[j, k] * x[t, k] }]
    carried: (a: &Csr<f64>, b: &Csr<f64>, x: &DenseMat<f64>) { for t { y[t, i] = x[t, i]; y[t, i] += a[i, j] * b[j, k] * x[t, k] } }
        [for t { for i { y[t, i] = x[t, i] } for i, j, k { y[t, i] += a[i, j] * b[j, k] * x[t, k] } }]
}

finch! {
    #![schedule(inside)]
    fn spread_within(a: &Csr<f64>, x: &Csr<f64>) -> (y: DenseMat<f64>) { for t { y[t, i] += a[i, j] * x[t, j] } }
    fn spread_of_one(a: &Csr<f64>, x: &SparseVec<f64>, n: usize) -> (y: DenseMat<f64>[n, 2 * n]) { for t in 0..n { y[t, i + t] += a[i, j] * x[j] } }
}
finch! {
    fn merged_within(a: &Csr<f64>, x: &Csr<f64>) -> (y: DenseMat<f64>) { for t, i, j { y[t, i] += a[i, j] * x[t, j] } }
    fn merged_of_one(a: &Csr<f64>, x: &SparseVec<f64>, n: usize) -> (y: DenseMat<f64>[n, 2 * n]) { for t in 0..n, i, j { y[t, i + t] += a[i, j] * x[j] } }
}

#[test]
fn what_is_chosen_within_written_loops_changes_no_element() {
    for (n, m) in [(1, 0), (1, 1), (5, 7), (7, 7), (40, 9)] {
        let (a, b): (Csr<f64>, Csr<f64>) = (matrix(n, m, 1), matrix(m, n, 2));
        let x: DenseMat<f64> = matrix(n.max(3), n, 3);
        macro_rules! alike {
            ($($name:ident)*) => {$(
                let expected = all(&$name::written(&a, &b, &x));
                for way in 0..3 {
                    looplets::rt::prefer(Some(way));
                    assert_eq!(all(&$name::open(&a, &b, &x)), expected, "{} {way}", stringify!($name));
                }
                looplets::rt::prefer(None);
                assert_eq!(all(&$name::at_once(&a, &b, &x)), expected, "{}", stringify!($name));
            )*};
        }
        alike!(chain guarded summed carried);
        let (rows, x): (Csr<f64>, SparseVec<f64>) = (matrix(4, m, 5), row(m, 6));
        for way in 0..3 {
            looplets::rt::prefer(Some(way));
            assert_eq!(all(&spread_within(&a, &rows)), all(&merged_within(&a, &rows)), "{way}");
            assert_eq!(all(&spread_of_one(&a, &x, n)), all(&merged_of_one(&a, &x, n)), "{way}");
        }
        looplets::rt::prefer(None);
    }
    let told = explain! {
        #![schedule(inside)]
        fn f(a: &Csr<f64>, b: &Csr<f64>, x: &DenseMat<f64>) -> (y: DenseMat<f64>) { for t { y[t, i] += a[i, j] * b[j, k] * x[t, k] } }
    };
    assert!(told.contains("first(b, x)"), "{told}");
}
