//! The comparisons of the suite: a kernel over a format against plain Rust, on every input. What a
//! failure says is said here.

// Kernels, and what they are compared with, are functions of tensors.
#![allow(clippy::type_complexity)]

use super::inputs::{Input, Kind, Values, PATTERNS};
use crate::tensor::format_name;
use crate::{Dense, Error, Level, Refuse, Tensor};
use std::fmt::Debug;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// A value of a leaf that the suite can try.
pub trait Number: crate::Value + Debug {
    /// The value that stands for a number.
    fn of(x: f64) -> Self;
    /// The number that a value stands for.
    fn number(self) -> f64;
}

impl Number for f64 {
    fn of(x: f64) -> f64 {
        x
    }
    fn number(self) -> f64 {
        self
    }
}

impl Number for bool {
    fn of(x: f64) -> bool {
        x != 0.0
    }
    fn number(self) -> f64 {
        f64::from(u8::from(self))
    }
}

/// The values of an operand, row by row, and its number of columns; a vector has one row.
pub struct Plain {
    /// The values.
    pub x: Vec<f64>,
    /// The size of the first of two dimensions.
    pub rows: usize,
    /// The size of the last dimension.
    pub cols: usize,
}

type Cut = Box<dyn Fn(&mut [Option<f64>], usize)>;
type Make<L> = Box<dyn Fn(&Input) -> Result<Tensor<L>, Error>>;

/// A format under test: how tensors of it are made, and which there are.
pub struct Suite<L: Level> {
    way: &'static str,
    square: bool,
    cut: Cut,
    make: Make<L>,
    assembled: bool,
}

fn from_entries<L: Level<Value: Number>>(input: &Input) -> Result<Tensor<L>, Error> {
    let triplets = input.triplets().into_iter().map(|(at, value)| (at, L::Value::of(value)));
    Tensor::from_triplets(input.shape(), triplets, Refuse)
}

impl<L: Level<Value: Number> + 'static> Suite<L> {
    /// The format as it is read by a protocol, or written.
    pub fn new(way: &'static str) -> Self {
        Suite {
            way,
            square: false,
            cut: Box::new(|_, _| ()),
            make: Box::new(from_entries),
            assembled: true,
        }
    }

    /// Only what `cut` leaves of the entries of an input can be held; it gets them row by row and the
    /// number of columns.
    pub fn holding(mut self, cut: impl Fn(&mut [Option<f64>], usize) + 'static) -> Self {
        self.cut = Box::new(cut);
        self
    }

    /// Only square matrices are tried.
    pub fn square(mut self) -> Self {
        self.square = true;
        self
    }

    /// Vectors are made by `parts` from rows, columns, entries and fill.
    pub fn made_of(
        mut self,
        parts: impl Fn(usize, usize, &[Option<f64>], f64) -> L + 'static,
    ) -> Self {
        self.assembled = false;
        self.make = Box::new(move |input| {
            Tensor::from_parts(parts(input.rows, input.cols, &input.entries, L::fill().number()))
        });
        self
    }

    /// The inputs, cut to what the format holds.
    fn inputs(&self) -> Vec<Input> {
        self.inputs_of(Values::Exact)
    }

    /// The same with such values.
    pub(super) fn inputs_of(&self, values: Values) -> Vec<Input> {
        let kind = match L::RANK {
            1 => Kind::Vector,
            _ if self.square => Kind::Square,
            _ => Kind::Matrix,
        };
        // Coordinates may be a byte each.
        let fits =
            |[_, cols]: &[usize; 2]| *cols <= 256 || L::RANK > 1 || L::empty(&[*cols]).is_ok();
        let shapes = kind.shapes().into_iter().filter(fits);
        let all = shapes.flat_map(|shape| (0..PATTERNS).map(move |k| (shape, k)));
        all.map(|(shape, k)| {
            let mut input = Input::of(values, L::RANK == 1, shape, k, L::fill().number());
            (self.cut)(&mut input.entries, input.cols);
            input
        })
        .collect()
    }

    pub(super) fn tensor(&self, input: &Input) -> Tensor<L> {
        let what = || format!("`{}` made of {input}", format_name::<L>());
        match guard(&what, || (self.make)(input)) {
            Ok(tensor) => tensor,
            Err(error) => panic!("{}\n  refused: {error}", what()),
        }
    }

    /// `kernel` with each input, and with each pair of numbers that `by` has for its size, gives what
    /// `plain` does.
    pub fn moved(
        &self,
        operation: &str,
        by: &dyn Fn(i64) -> Vec<(i64, i64)>,
        kernel: &dyn Fn(&Tensor<L>, i64, i64) -> Vec<f64>,
        plain: &dyn Fn(&Plain, i64, i64) -> Vec<f64>,
    ) {
        self.moved_over(self.inputs(), operation, by, kernel, plain);
    }

    fn moved_over(
        &self,
        inputs: Vec<Input>,
        operation: &str,
        by: &dyn Fn(i64) -> Vec<(i64, i64)>,
        kernel: &dyn Fn(&Tensor<L>, i64, i64) -> Vec<f64>,
        plain: &dyn Fn(&Plain, i64, i64) -> Vec<f64>,
    ) {
        for input in inputs {
            let (a, x) = (self.tensor(&input), plain_of::<L>(&input));
            for (lo, hi) in by(x.cols as i64) {
                let what = || format!("{}{}\n  of {input}", self.does(operation), numbers(lo, hi));
                same(&what, guard(&what, || kernel(&a, lo, hi)), plain(&x, lo, hi));
            }
        }
    }

    /// `kernel` with each input gives what `plain` does.
    pub fn alone(
        &self,
        operation: &str,
        kernel: &dyn Fn(&Tensor<L>) -> Vec<f64>,
        plain: &dyn Fn(&Plain) -> Vec<f64>,
    ) {
        self.moved(operation, &|_| vec![(0, 0)], &|a, _, _| kernel(a), &|x, _, _| plain(x));
    }

    /// `kernel` with each input gives its values, whatever they are.
    pub fn copied(&self, operation: &str, kernel: &dyn Fn(&Tensor<L>) -> Vec<f64>) {
        for values in [Values::Exact, Values::All] {
            let (one, same) = (|_: i64| vec![(0, 0)], |x: &Plain, _, _| x.x.clone());
            let inputs = self.inputs_of(values);
            self.moved_over(inputs, operation, &one, &|a, _, _| kernel(a), &same);
        }
    }

    /// `kernel` with each input and several tensors of another format gives what `plain` does.
    ///
    /// A vector meets a matrix as one of its rows.
    pub fn meets<M: Level<Value: Number>>(
        &self,
        operation: &str,
        kernel: &dyn Fn(&Tensor<L>, &Tensor<M>) -> Vec<f64>,
        plain: &dyn Fn(&Plain, &Plain) -> Vec<f64>,
    ) {
        for (k, input) in self.inputs().iter().enumerate() {
            let (a, x) = (self.tensor(input), plain_of::<L>(input));
            for step in [1, 4] {
                let rows = if M::RANK == 1 { 1 } else { input.rows };
                let fill = M::fill().number();
                let other = Input::new(M::RANK == 1, [rows, input.cols], k + step, fill);
                let b = from_entries::<M>(&other).expect("built-in formats hold any entries");
                let what = || {
                    format!(
                        "{}\n  of {input}\n  with `{}` {other}",
                        self.does(operation),
                        format_name::<M>()
                    )
                };
                same(&what, guard(&what, || kernel(&a, &b)), plain(&x, &plain_of::<M>(&other)));
            }
        }
    }

    /// `kernel` with each input and another of the same format gives what `plain` does.
    pub fn itself(
        &self,
        operation: &str,
        kernel: &dyn Fn(&Tensor<L>, &Tensor<L>) -> Vec<f64>,
        plain: &dyn Fn(&Plain, &Plain) -> Vec<f64>,
    ) {
        let inputs = self.inputs();
        for (k, input) in inputs.iter().enumerate() {
            for step in [0, 2, 5] {
                // Inputs of one shape are neighbours.
                let other = &inputs[k / PATTERNS * PATTERNS + (k + step) % PATTERNS];
                let what = || format!("{}\n  of {input}\n  with {other}", self.does(operation));
                let (a, b) = (self.tensor(input), self.tensor(other));
                let want = plain(&plain_of::<L>(input), &plain_of::<L>(other));
                same(&what, guard(&what, || kernel(&a, &b)), want);
            }
        }
    }

    /// `kernel` writes, from each input in another format, the tensor with the values that `plain` gives.
    pub fn written<M: Level<Value: Number>>(
        &self,
        operation: &str,
        by: &dyn Fn(i64) -> Vec<(i64, i64)>,
        kernel: &dyn Fn(&Tensor<M>, i64, i64) -> Tensor<L>,
        plain: &dyn Fn(&Plain, i64, i64) -> Vec<f64>,
    ) {
        self.written_over(self.inputs(), operation, by, kernel, plain);
    }

    /// `kernel` copies each input in another format, whatever its values are.
    pub fn copies<M: Level<Value: Number>>(
        &self,
        operation: &str,
        kernel: &dyn Fn(&Tensor<M>) -> Tensor<L>,
    ) {
        for values in [Values::Exact, Values::All] {
            let (one, same) = (|_: i64| vec![(0, 0)], |x: &Plain, _, _| x.x.clone());
            let inputs = self.inputs_of(values);
            self.written_over::<M>(inputs, operation, &one, &|b, _, _| kernel(b), &same);
        }
    }

    fn written_over<M: Level<Value: Number>>(
        &self,
        inputs: Vec<Input>,
        operation: &str,
        by: &dyn Fn(i64) -> Vec<(i64, i64)>,
        kernel: &dyn Fn(&Tensor<M>, i64, i64) -> Tensor<L>,
        plain: &dyn Fn(&Plain, i64, i64) -> Vec<f64>,
    ) {
        for input in inputs {
            let b = from_entries::<M>(&input).expect("built-in formats hold any entries");
            let x = plain_of::<M>(&input);
            for (lo, hi) in by(x.cols as i64) {
                let what = || {
                    let from = format!("from `{}` {input}", format_name::<M>());
                    format!("{}{}\n  {from}", self.does(operation), numbers(lo, hi))
                };
                let y = guard(&what, || kernel(&b, lo, hi));
                if let Err(reason) = y.root().check(1) {
                    panic!("{}\n  broke the invariant: {reason}\n  of {y:?}", what());
                }
                assert_eq!(y.shape(), input.shape(), "{}", what());
                let values = guard(&what, || y.to_dense());
                same(&what, values.into_iter().map(Number::number).collect(), plain(&x, lo, hi));
            }
        }
    }

    /// Whether tensors are made of entries and not of parts.
    pub(super) fn assembled(&self) -> bool {
        self.assembled
    }

    /// What is done, for a message.
    fn does(&self, operation: &str) -> String {
        format!("`{}` by {}: {operation}", format_name::<L>(), self.way)
    }
}

impl<L: Level<Value: Number> + 'static> Suite<Dense<L>> {
    /// Matrices are rows that `parts` makes from rows, columns, entries and fill.
    pub fn rows_of(
        mut self,
        parts: impl Fn(usize, usize, &[Option<f64>], f64) -> L + 'static,
    ) -> Self {
        self.assembled = false;
        self.make = Box::new(move |input| {
            let fill = <Dense<L>>::fill().number();
            let rows = parts(input.rows, input.cols, &input.entries, fill);
            Tensor::from_parts(Dense::new(input.rows, rows))
        });
        self
    }
}

/// The values of an input in a format with the fill of `L`.
pub(super) fn plain_of<L: Level<Value: Number>>(input: &Input) -> Plain {
    let value = |e: &Option<f64>| e.map_or_else(L::fill, L::Value::of).number();
    Plain { x: input.entries.iter().map(value).collect(), rows: input.rows, cols: input.cols }
}

/// The value of `f`, whose panic says what was done.
pub(super) fn guard<T>(what: &dyn Fn() -> String, f: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
        let said = said.or_else(|| panic.downcast_ref::<String>().cloned());
        panic!("{}\n  panicked: {}", what(), said.unwrap_or_default())
    })
}

/// Whether values are the same: bit by bit, save that all NaN are one and zeros are equal, as runs of equal
/// entries have one value.
pub(super) fn alike(got: &[f64], want: &[f64]) -> bool {
    let one = |(x, y): (&f64, &f64)| x == y || x.is_nan() && y.is_nan();
    got.len() == want.len() && got.iter().zip(want).all(one)
}

fn same(what: &dyn Fn() -> String, got: Vec<f64>, want: Vec<f64>) {
    assert!(alike(&got, &want), "{}\n  gave {got:?}\n  not  {want:?}", what());
}

/// The numbers that an operation has, for a message.
fn numbers(lo: i64, hi: i64) -> String {
    if (lo, hi) == (0, 0) {
        String::new()
    } else {
        format!(" with {lo} and {hi}")
    }
}
