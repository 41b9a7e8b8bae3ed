//! Constructors and conversions keep every value to the last bit, in every format: also those that leave
//! fills out and join equal neighbours.

use looplets::prelude::*;
use num_complex::Complex;

const NAN: f64 = f64::NAN;
const VALUES: [f64; 12] = [0.0, -0.0, -0.0, 0.0, NAN, NAN, -NAN, 5.0, 5.0, 0.0, 0.0, -0.0];

fn bits(values: Vec<f64>) -> Vec<u64> {
    values.into_iter().map(f64::to_bits).collect()
}

macro_rules! formats {
    ($($level:ident)*) => {
        /// `all` through every format and back.
        fn there_and_back<L: Level<Value = f64>>(all: &[f64]) {
            let a = Tensor::<L>::from_dense([all.len()], all).unwrap();
            assert_eq!(bits(a.to_dense()), bits(all.to_vec()), "`{}`", L::NAME);
            $({
                let b = a.convert::<$level<Element<f64>>>().unwrap();
                let names = (L::NAME, stringify!($level));
                assert_eq!(bits(b.to_dense()), bits(all.to_vec()), "{names:?}");
                let c = b.convert::<L>().unwrap();
                assert_eq!(bits(c.to_dense()), bits(all.to_vec()), "{names:?} and back");
            })*
        }

        #[test]
        fn every_format_keeps_the_sign_of_zero_and_nan() {
            $(there_and_back::<$level<Element<f64>>>(&VALUES);)*
        }
    };
}

formats! {
    Dense SparseList SparseBand RunList SparseBlockList SparseRunList PackBits Ragged Coo Hash Bitmap BitTree ByteMap Spa StampMap UnorderedList
}

type Runs<T, F = Zero> = Tensor<RunList<Element<T, F>>>;
type List<T, F = Zero> = Tensor<SparseList<Element<T, F>>>;

#[test]
fn identical_neighbours_are_one_run() {
    assert_eq!(Runs::<f64>::from_dense([12], &VALUES).unwrap().stored(), 8);
    assert_eq!(List::<f64>::from_dense([12], &VALUES).unwrap().stored(), 8);
}

#[derive(Clone, Debug, PartialEq)]
struct Not;
impl Fill<f64> for Not {
    const VALUE: f64 = NAN;
}

#[test]
fn a_fill_may_be_nan() {
    let a = List::<f64, Not>::from_dense([12], &VALUES).unwrap();
    assert_eq!(a.stored(), 10);
    assert_eq!(a.convert::<RunList<Element<f64, Not>>>().unwrap().stored(), 8);
    assert_eq!(bits(a.convert::<Dense<Element<f64>>>().unwrap().to_dense()), bits(VALUES.to_vec()));
}

#[test]
fn other_floats() {
    let narrow = VALUES.map(|v| v as f32);
    assert_eq!(List::<f32>::from_dense([12], &narrow).unwrap().stored(), 8);
    let complex = VALUES.map(|v| Complex::new(1.0, v));
    assert_eq!(Runs::<Complex<f64>>::from_dense([12], &complex).unwrap().stored(), 8);
}

/// A type of its own, of which two are equal if their lengths are.
#[derive(Clone, Debug)]
struct Word(&'static str);
impl PartialEq for Word {
    fn eq(&self, other: &Word) -> bool {
        self.0.len() == other.0.len()
    }
}
impl Fill<Word> for Empty {
    const VALUE: Word = Word("");
}
#[derive(Clone, Debug, PartialEq)]
struct Empty;

#[test]
fn types_of_ones_own_are_equal_by_their_own_word() {
    let words = ["ab", "cd", "", "e"].map(Word);
    assert_eq!(Runs::<Word, Empty>::from_dense([4], &words).unwrap().stored(), 3);
    assert_eq!(List::<Word, Empty>::from_dense([4], &words).unwrap().stored(), 3);
}

/// Entries that hold the fill stay stored, however many others there are.
#[test]
fn explicit_fill_in_what_is_full() {
    for n in [2, 3] {
        let entries = [([0], 1.0), ([1], 0.0)];
        let list: SparseVec<f64> = Tensor::from_triplets([n], entries, Refuse).unwrap();
        let tree: Tensor<BTree<Element<f64>>> = list.convert().unwrap();
        assert_eq!((list.stored(), tree.stored()), (2, 2), "of {n}");
        assert_eq!(tree.convert::<Bst<Element<f64>>>().unwrap().stored(), 2, "of {n}");
        assert_eq!(tree.convert::<SparseList<Element<f64>>>().unwrap().stored(), 2, "of {n}");
        // Nothing tells them from the rest in what stores every coordinate.
        let dense: DenseVec<f64> = tree.convert().unwrap();
        assert_eq!(dense.convert::<SparseList<Element<f64>>>().unwrap().stored(), 1, "of {n}");
    }
}
