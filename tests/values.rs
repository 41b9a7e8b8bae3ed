//! Values of a user's own type, among them one that is not `Copy`, with operators of its own.

use looplets::prelude::*;

/// A set of words: the semiring of union and pairwise concatenation, languages of strings.
#[derive(Clone, PartialEq, Debug)]
pub struct Words(Vec<String>);

fill! {
    /// The language without a word.
    pub fill NoWords = none;
}
impl Fill<Words> for NoWords {
    const VALUE: Words = Words(Vec::new());
}

operator! {
    /// The words of either.
    pub fn union(a: &Words, b: &Words) -> Words {
        let mut all = [&a.0[..], &b.0[..]].concat();
        all.sort();
        all.dedup();
        Words(all)
    }
    commutative, associative, idempotent;
    identity NoWords;
}

operator! {
    /// Each word of the one followed by each of the other.
    pub fn join(a: &Words, b: &Words) -> Words {
        let mut all: Vec<String> =
            a.0.iter().flat_map(|x| b.0.iter().map(move |y| format!("{x}{y}"))).collect();
        all.sort();
        all.dedup();
        Words(all)
    }
    associative;
    annihilator NoWords;
}

type W = Element<Words, NoWords>;

finch! {
    #![steps(n)]
    use union;
    use join;

    fn step(
        a: &Tensor<Dense<SparseList<Element<Words, NoWords>>>>,
        x: &Tensor<SparseList<Element<Words, NoWords>>>, n: &mut u64,
    ) -> (y: Tensor<Dense<Element<Words, NoWords>>>) {
        for i, j { y[i] <<union>>= join(x[j], a[i, j]) }
    }
    fn paths(
        a: &Tensor<Dense<SparseList<Element<Words, NoWords>>>>,
        b: &Tensor<Dense<SparseList<Element<Words, NoWords>>>>, n: &mut u64,
    ) -> (c: Tensor<Dense<SparseList<Element<Words, NoWords>>>>) {
        for i, k {
            c[i, k] = union(a[i, k], b[i, k])
        }
    }
    fn all(x: &Tensor<SparseList<Element<Words, NoWords>>>, t: &mut Words, n: &mut u64) {
        for j { t <<union>>= x[j] }
    }
}

fn words(list: &[&str]) -> Words {
    Words(list.iter().map(ToString::to_string).collect())
}

#[test]
fn values_that_are_not_copy() {
    let a: Tensor<Dense<SparseList<W>>> = Tensor::from_triplets(
        [3, 3],
        [([0, 1], words(&["a", "b"])), ([2, 1], words(&["c"])), ([2, 2], words(&["d"]))],
        Refuse,
    )
    .unwrap();
    let x: Tensor<SparseList<W>> =
        Tensor::from_triplets([3], [([1], words(&["x", "y"])), ([2], words(&["x"]))], Refuse)
            .unwrap();
    let mut n = 0;
    let y = step(&a, &x, &mut n);
    assert_eq!(
        y.to_dense(),
        [words(&["xa", "xb", "ya", "yb"]), words(&[]), words(&["xc", "xd", "yc"])]
    );
    let c = paths(&a, &a, &mut n);
    assert_eq!(c.triplets(), a.triplets());
    let mut t = words(&["z"]);
    all(&x, &mut t, &mut n);
    assert_eq!(t, words(&["x", "y", "z"]));
}
