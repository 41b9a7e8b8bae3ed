//! Values and dense tensors of the oracle, and how arguments and results of kernels become them.

use super::float::Terms;
use looplets::{ByColumns, Error, Level, Tensor};
use std::collections::HashMap;

/// A scalar: whole numbers of every type are one, floats of every type another.
#[derive(Clone, Debug, PartialEq)]
pub enum Val {
    Bool(bool),
    Int(i128),
    /// To the last bit; all NaN are one.
    Float(f64),
    /// A float from which a kernel may be so far: by 0, a zero of either sign; by infinity, anything.
    Loose(f64, f64),
    Missing,
    /// What `minby` and `maxby` choose among.
    Tuple(Vec<Val>),
}

/// A dense row-major tensor.
#[derive(Clone, Debug, Default)]
pub struct Plain {
    pub shape: Vec<usize>,
    pub fill: Val,
    pub data: Vec<Val>,
    /// What is known of the signs of its zeros.
    pub zeros: Zeros,
    /// What has been added to an element, or multiplied with it.
    pub terms: HashMap<usize, Terms>,
    /// Which elements are stored, where that is known.
    pub stored: Option<Vec<bool>>,
    /// Whether its format stores what is written and nothing else.
    pub exact: bool,
}

/// The signs of the zeros of a tensor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Zeros {
    /// As the elements have them: everything is stored.
    #[default]
    Signed,
    /// A zero that is not stored has none.
    Stored,
    /// Equal neighbours are one entry, and zeros are equal.
    Unsigned,
}

/// An argument or a result.
#[derive(Clone, Debug)]
pub enum Shown {
    Tensor(Plain),
    Scalar(Val),
}

impl Default for Val {
    fn default() -> Val {
        Val::Int(0)
    }
}

impl Val {
    pub fn is_float(&self) -> bool {
        matches!(self, Val::Float(_) | Val::Loose(..))
    }
    pub fn float(&self) -> f64 {
        match self {
            Val::Bool(b) => f64::from(u8::from(*b)),
            Val::Int(n) => *n as f64,
            Val::Float(x) | Val::Loose(x, _) => *x,
            Val::Missing | Val::Tuple(_) => f64::NAN,
        }
    }
    pub fn int(&self) -> i128 {
        match self {
            Val::Bool(b) => i128::from(*b),
            Val::Int(n) => *n,
            Val::Float(x) | Val::Loose(x, _) => *x as i128,
            Val::Missing | Val::Tuple(_) => 0,
        }
    }
    pub fn truth(&self) -> bool {
        match self {
            Val::Bool(b) => *b,
            Val::Missing | Val::Tuple(_) => false,
            other => other.float() != 0.0,
        }
    }
    /// The same number as a value of the type that `other` has.
    pub fn like(self, other: &Val) -> Val {
        match (self, other) {
            (Val::Missing, _) => Val::Missing,
            (Val::Tuple(a), Val::Tuple(b)) => {
                Val::Tuple(a.into_iter().zip(b).map(|(a, b)| a.like(b)).collect())
            }
            (v, Val::Float(_) | Val::Loose(..)) if v.is_float() => v,
            (v, Val::Float(_) | Val::Loose(..)) => Val::Float(v.float()),
            (Val::Bool(b), Val::Int(_)) => Val::Int(i128::from(b)),
            (Val::Int(n), Val::Bool(_)) => Val::Bool(n != 0),
            (v, _) => v,
        }
    }
    /// Whether a kernel that has this to give may give `other`.
    pub fn same(&self, other: &Val) -> bool {
        let (a, b) = (self.float(), other.float());
        let equal = a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
        match (self, other) {
            (Val::Int(a), Val::Int(b)) => a == b,
            (Val::Tuple(a), Val::Tuple(b)) => a.iter().zip(b).all(|(a, b)| a.same(b)),
            (Val::Float(_), Val::Float(_)) => equal,
            (Val::Loose(_, by), _) => equal || *by == f64::INFINITY || (a - b).abs() <= *by,
            _ => a == b || equal,
        }
    }
}

impl Plain {
    pub fn filled(shape: Vec<usize>, fill: Val) -> Plain {
        let data = vec![fill.clone(); shape.iter().product()];
        Plain { shape, fill, data, ..Plain::default() }
    }
    /// Each square of the last two dimensions, of which the part below the diagonal was written, as a whole.
    pub fn mirror(&mut self) {
        let n = self.shape[self.shape.len() - 1];
        for square in self.data.chunks_mut((n * n).max(1)) {
            for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
                square[j * n + i] = square[i * n + j].clone();
            }
        }
    }
    /// The zeros that have no sign, said to have none.
    pub fn loosened(mut self) -> Plain {
        let all = match self.zeros {
            Zeros::Signed => return self,
            Zeros::Stored => false,
            Zeros::Unsigned => true,
        };
        for v in self.data.iter_mut().chain([&mut self.fill]) {
            match v {
                Val::Float(x) if *x == 0.0 && (all || x.is_sign_positive()) => {
                    *v = Val::Loose(0.0, 0.0);
                }
                _ => {}
            }
        }
        self
    }
}

impl Shown {
    pub fn same(&self, other: &Shown) -> bool {
        match (self, other) {
            (Shown::Tensor(a), Shown::Tensor(b)) => {
                a.shape == b.shape && a.data.iter().zip(&b.data).all(|(a, b)| a.same(b))
            }
            (Shown::Scalar(a), Shown::Scalar(b)) => a.same(b),
            _ => false,
        }
    }
    /// The same but for the last digits and the signs of zeros.
    pub fn near(&self, other: &Shown) -> bool {
        let near = |a: &Val, b: &Val| match (a, b) {
            (Val::Float(x), Val::Float(y)) => {
                x == y || x.is_nan() && y.is_nan() || (x - y).abs() <= 1e-5 * x.abs()
            }
            (a, b) => a.same(b),
        };
        match (self, other) {
            (Shown::Tensor(a), Shown::Tensor(b)) => {
                a.shape == b.shape && a.data.iter().zip(&b.data).all(|(a, b)| near(a, b))
            }
            (Shown::Scalar(a), Shown::Scalar(b)) => near(a, b),
            _ => false,
        }
    }
    /// Whether any value is one that `f` knows.
    pub fn any(&self, f: &dyn Fn(&Val) -> bool) -> bool {
        match self {
            Shown::Tensor(t) => t.data.iter().any(f),
            Shown::Scalar(v) => f(v),
        }
    }
    pub fn text(&self) -> String {
        match self {
            Shown::Scalar(v) => format!("{v:?}"),
            Shown::Tensor(t) => {
                let text = |v: &Val| match v {
                    Val::Int(n) => n.to_string(),
                    Val::Loose(x, by) => format!("{x:?}~{by:e}"),
                    v => format!("{:?}", v.float()),
                };
                let all: Vec<String> = t.data.iter().map(text).collect();
                format!("{:?} [{}]", t.shape, all.join(", "))
            }
        }
    }
}

/// What the oracle can read.
pub trait Show {
    fn show(&self) -> Shown;
}

/// Element types.
pub trait Scalar: Copy {
    fn val(self) -> Val;
}

macro_rules! scalars {
    ($($t:ty: $x:ident => $e:expr),*) => {$(
        impl Scalar for $t {
            fn val(self) -> Val {
                let $x = self;
                $e
            }
        }
        impl Show for $t {
            fn show(&self) -> Shown {
                Shown::Scalar(self.val())
            }
        }
    )*};
}
scalars!(
    f64: x => Val::Float(x), f32: x => Val::Float(x.into()), bool: x => Val::Bool(x),
    u8: x => Val::Int(x.into()), u32: x => Val::Int(x.into()), i32: x => Val::Int(x.into()),
    i64: x => Val::Int(x.into()), u64: x => Val::Int(x.into()), usize: x => Val::Int(x as i128),
    i8: x => Val::Int(x.into()), u16: x => Val::Int(x.into())
);

impl<A: Scalar, B: Scalar> Show for (A, B) {
    fn show(&self) -> Shown {
        Shown::Scalar(Val::Tuple(vec![self.0.val(), self.1.val()]))
    }
}
impl<A: Scalar, B: Scalar, C: Scalar> Show for (A, B, C) {
    fn show(&self) -> Shown {
        Shown::Scalar(Val::Tuple(vec![self.0.val(), self.1.val(), self.2.val()]))
    }
}
impl<T: Show> Show for &T {
    fn show(&self) -> Shown {
        (**self).show()
    }
}
impl<T: Show> Show for &mut T {
    fn show(&self) -> Shown {
        (**self).show()
    }
}
impl<L: Level> Show for Tensor<L>
where
    L::Value: Scalar,
{
    fn show(&self) -> Shown {
        // Whatever a kernel made must be what its constructors would have accepted.
        if let Err(reason) = self.root().check(1) {
            panic!("a broken `{}`: {reason}", L::NAME);
        }
        let data = self.to_dense().into_iter().map(Scalar::val).collect();
        let (shape, fill) = (self.shape(), L::fill().val());
        let zeros = zeros(std::any::type_name::<L>());
        let mut stored = vec![false; shape.iter().product()];
        self.for_each(|coords, _| {
            stored[coords.iter().zip(&shape).fold(0, |at, (c, n)| at * n + c)] = true;
        });
        let (stored, exact) = (Some(stored), super::is_exact(std::any::type_name::<L>()));
        Shown::Tensor(Plain { shape, fill, data, zeros, stored, exact, ..Plain::default() })
    }
}

impl<L: Level> Show for ByColumns<L>
where
    L::Value: Scalar,
{
    fn show(&self) -> Shown {
        let Shown::Tensor(stored) = self.transposed().show() else { unreachable!("a tensor") };
        let data = self.to_dense().into_iter().map(Scalar::val).collect();
        let shape = self.shape();
        let turned = stored.stored.as_ref().map(|all| turned(all, &shape));
        Shown::Tensor(Plain { shape, data, stored: turned, ..stored })
    }
}

/// Elements of a shape whose last dimension comes first in `all`, in row-major order.
fn turned(all: &[bool], shape: &[usize]) -> Vec<bool> {
    let place = |mut at: usize| {
        let (mut step, mut place) = (all.len(), 0);
        for n in shape.iter().rev() {
            step /= n;
            place += at % n * step;
            at /= n;
        }
        all[place]
    };
    (0..all.len()).map(place).collect()
}

/// What a kernel returns.
pub trait Outputs {
    fn outputs(&self) -> Vec<Shown>;
}
impl Outputs for () {
    fn outputs(&self) -> Vec<Shown> {
        Vec::new()
    }
}
impl<L: Level> Outputs for Tensor<L>
where
    L::Value: Scalar,
{
    fn outputs(&self) -> Vec<Shown> {
        vec![self.show()]
    }
}
impl<L: Level> Outputs for ByColumns<L>
where
    L::Value: Scalar,
{
    fn outputs(&self) -> Vec<Shown> {
        vec![self.show()]
    }
}
macro_rules! several {
    ($($t:ident $k:tt),*) => {
        impl<$($t: Show),*> Outputs for ($($t,)*) {
            fn outputs(&self) -> Vec<Shown> {
                vec![$(self.$k.show()),*]
            }
        }
    };
}
several!(A 0, B 1);
several!(A 0, B 1, C 2);
several!(A 0, B 1, C 2, D 3);
several!(A 0, B 1, C 2, D 3, E 4);
several!(A 0, B 1, C 2, D 3, E 4, F 5);
impl<T: Outputs> Outputs for Result<T, Error> {
    fn outputs(&self) -> Vec<Shown> {
        match self {
            Ok(outputs) => outputs.outputs(),
            Err(e) => panic!("the kernel failed: {e}"),
        }
    }
}

/// Levels that keep a zero that is stored as it is.
const KEEP: &str =
    "SparseList SparseBlockList SparseBand Ragged Bitmap ByteMap BitTree Spa StampMap Hash Coo Singleton \
    UnorderedList SparsePoint SparseInterval RunList SparseRunList PackBits \
    Bst LinkedList BlockList UnsortedBlockList VarBlockList TTree BTree HybridBTree CTree PackedCTree RedBlack GapBlockList";

/// What a type says of the signs of zeros.
pub fn zeros(ty: &str) -> Zeros {
    let words = ty.split(|c: char| !c.is_alphanumeric() && c != '_');
    let levels = words.filter(|w| w.starts_with(char::is_uppercase));
    let mut zeros = Zeros::Signed;
    for level in levels {
        match level {
            "Tensor" | "ByColumns" | "Dense" | "Element" | "DenseVec" | "DenseMat" => {}
            "Zero" | "One" | "Const" | "Inf" | "NegInf" | "NaN" | "True" | "False" => {}
            _ if KEEP.split_whitespace().any(|k| k == level) => {
                if zeros == Zeros::Signed {
                    zeros = Zeros::Stored;
                }
            }
            _ => return Zeros::Unsigned,
        }
    }
    zeros
}

/// The fill of a workspace, from the text of its type.
pub fn fill_of(ty: &str) -> Val {
    let has = |word: &str| ty.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == word);
    let float = has("f64") || has("f32");
    let constant = ty
        .split("Const <")
        .nth(1)
        .and_then(|t| t.split('>').next())
        .and_then(|t| t.replace(' ', "").parse::<i128>().ok());
    let number = match constant {
        Some(n) => n,
        None => i128::from(has("One")),
    };
    match () {
        () if has("NaN") => Val::Float(f64::NAN),
        () if has("NegInf") => Val::Float(f64::NEG_INFINITY),
        () if has("Inf") => Val::Float(f64::INFINITY),
        () if has("bool") || has("Pattern") => Val::Bool(has("True")),
        () if float => Val::Float(number as f64),
        () => Val::Int(number),
    }
}
