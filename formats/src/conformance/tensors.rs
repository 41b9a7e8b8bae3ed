//! What the suite asks of tensors without a kernel: that they hold what they are made of, and that bad
//! parts make none.

use super::inputs::{Input, Values};
use super::suite::{alike, guard, plain_of, Number, Suite};
use crate::tensor::format_name;
use crate::{Dense, Element, Error, Level, Refuse, SparseList, Tensor};
use std::fmt::Debug;

impl<L: Level<Value: Number> + 'static> Suite<L> {
    /// Tensors hold what they are made of, and say so by every means.
    pub fn holds(&self) {
        let inputs = [Values::Exact, Values::All].map(|values| self.inputs_of(values));
        for input in inputs.into_iter().flatten() {
            let what = || format!("`{}` made of {input}", format_name::<L>());
            let (a, x) = (self.tensor(&input), plain_of::<L>(&input).x);
            guard(&what, || says(&input, &a, &x));
            let again = Tensor::from_parts(a.into_root());
            let a = again.unwrap_or_else(|e| panic!("{}\n  taken apart: {e}", what()));
            guard(&what, || says(&input, &a, &x));
            guard(&what, || self.converts(&input, &a, &x));
            if self.assembled() {
                let again: Result<Tensor<L>, Error> =
                    Tensor::from_triplets(input.shape(), a.triplets(), Refuse);
                let again =
                    again.unwrap_or_else(|e| panic!("{}\n  made of its own triplets: {e}", what()));
                guard(&what, || says(&input, &again, &x));
                let values: Vec<L::Value> = x.iter().map(|x| L::Value::of(*x)).collect();
                let again: Result<Tensor<L>, Error> = Tensor::from_dense(input.shape(), &values);
                let again =
                    again.unwrap_or_else(|e| panic!("{}\n  made of all values: {e}", what()));
                let again: Vec<f64> = again.to_dense().into_iter().map(Number::number).collect();
                assert!(alike(&again, &x), "{}\n  has {again:?}", what());
            }
        }
    }

    /// A tensor is the same in a list, and is had back from it.
    fn converts(&self, input: &Input, a: &Tensor<L>, x: &[f64]) {
        fn there<M: Level<Value: Number>, L: Level<Value = M::Value>>(
            a: &Tensor<L>,
            x: &[f64],
            back: bool,
        ) {
            let list: Tensor<M> = a.convert().expect("it converts to lists");
            let numbers =
                |all: Vec<M::Value>| all.into_iter().map(Number::number).collect::<Vec<f64>>();
            assert!(alike(&numbers(list.to_dense()), x), "`convert` to `{}`: {list:?}", M::NAME);
            if back {
                let again: Tensor<L> = list.convert().expect("it converts from lists");
                let all = numbers(again.to_dense());
                assert!(alike(&all, x), "`convert` from `{}`: {all:?}", M::NAME);
            }
        }
        match input.shape().len() {
            1 => there::<SparseList<Element<L::Value>>, L>(a, x, self.assembled()),
            _ => there::<Dense<SparseList<Element<L::Value>>>, L>(a, x, self.assembled()),
        }
    }

    /// A size that does not fit the coordinate type is refused, and the largest that does is not.
    pub fn fits(&self, largest: i64) {
        if let Ok(largest @ ..=0xffff_ffff) = usize::try_from(largest) {
            Tensor::<L>::new([largest])
                .unwrap_or_else(|e| panic!("`{}` of size {largest}: {e}", L::NAME));
            let more = Tensor::<L>::new([largest + 1]).err();
            assert!(
                matches!(more, Some(Error::Unstorable { .. })),
                "`{}` of size {}, too large for its coordinates, gave {more:?}",
                L::NAME,
                largest + 1
            );
        }
    }
}

/// That a tensor says by every means that it holds the values `x`.
fn says<L: Level<Value: Number>>(input: &Input, a: &Tensor<L>, x: &[f64]) {
    assert_eq!(a.shape(), input.shape(), "`shape`");
    let numbers: Vec<f64> = a.to_dense().into_iter().map(Number::number).collect();
    assert!(alike(&numbers, x), "`to_dense`: {numbers:?}");
    for (k, x) in x.iter().enumerate() {
        let at = input.at(k);
        let got = a.get(&at).map(Number::number);
        assert!(got.is_some_and(|got| alike(&[got], &[*x])), "`get` at {at:?}: {got:?}");
    }
    assert_eq!(a.get(input.shape()), None, "`get` outside the shape");
    let triplets = a.triplets();
    assert!(triplets.windows(2).all(|w| w[0].0 < w[1].0), "`triplets` are in order: {triplets:?}");
    let differ = x.iter().filter(|x| **x != L::fill().number()).count();
    assert!(differ <= triplets.len(), "`triplets` has all that is not fill: {triplets:?}");
    // Fewer where an entry is a run, or stands for several, and more where blocks are filled up.
    let stored = a.stored();
    assert_eq!(stored == 0, triplets.is_empty(), "`stored` counts {stored} of {triplets:?}");
}

/// That parts which do not belong together make no tensor.
pub fn refused<L: Level<Value: Debug>>(why: &str, root: L) {
    let what = || format!("`{}` made of parts in which {why}", L::NAME);
    match guard(&what, || Tensor::from_parts(root)) {
        Err(Error::Invariant { .. }) => {}
        Err(other) => panic!("{}\n  refused for another reason: {other}", what()),
        Ok(tensor) => panic!("{}\n  accepted: {tensor:?}", what()),
    }
}
