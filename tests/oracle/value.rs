//! Values and dense tensors of the oracle, and how arguments and results of kernels become them.

use looplets::{Error, Level, Tensor};

/// A scalar: whole numbers of every type are one, floats of every type another.
#[derive(Clone, Debug, PartialEq)]
pub enum Val {
    Bool(bool),
    Int(i128),
    Float(f64),
    Missing,
    /// What `minby` and `maxby` choose among.
    Tuple(Vec<Val>),
}

/// A dense row-major tensor.
#[derive(Clone, Debug)]
pub struct Plain {
    pub shape: Vec<usize>,
    pub fill: Val,
    pub data: Vec<Val>,
}

/// An argument or a result.
#[derive(Clone, Debug)]
pub enum Shown {
    Tensor(Plain),
    Scalar(Val),
}

impl Val {
    pub fn float(&self) -> f64 {
        match self {
            Val::Bool(b) => f64::from(u8::from(*b)),
            Val::Int(n) => *n as f64,
            Val::Float(x) => *x,
            Val::Missing | Val::Tuple(_) => f64::NAN,
        }
    }
    pub fn int(&self) -> i128 {
        match self {
            Val::Bool(b) => i128::from(*b),
            Val::Int(n) => *n,
            Val::Float(x) => *x as i128,
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
            (v, Val::Float(_)) => Val::Float(v.float()),
            (Val::Bool(b), Val::Int(_)) => Val::Int(i128::from(b)),
            (Val::Int(n), Val::Bool(_)) => Val::Bool(n != 0),
            (v, _) => v,
        }
    }
    pub fn same(&self, other: &Val) -> bool {
        let (a, b) = (self.float(), other.float());
        match (self, other) {
            (Val::Int(a), Val::Int(b)) => a == b,
            (Val::Tuple(a), Val::Tuple(b)) => a.iter().zip(b).all(|(a, b)| a.same(b)),
            _ => a == b || (a.is_nan() && b.is_nan()),
        }
    }
}

impl Plain {
    pub fn filled(shape: Vec<usize>, fill: Val) -> Plain {
        let data = vec![fill.clone(); shape.iter().product()];
        Plain { shape, fill, data }
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
    pub fn text(&self) -> String {
        match self {
            Shown::Scalar(v) => format!("{v:?}"),
            Shown::Tensor(t) => {
                let all: Vec<String> = t.data.iter().map(|v| format!("{}", v.float())).collect();
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
        Shown::Tensor(Plain { shape: self.shape(), fill: L::fill().val(), data })
    }
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
        () if has("NegInf") => Val::Float(f64::NEG_INFINITY),
        () if has("Inf") => Val::Float(f64::INFINITY),
        () if has("bool") || has("Pattern") => Val::Bool(has("True")),
        () if float => Val::Float(number as f64),
        () => Val::Int(number),
    }
}
