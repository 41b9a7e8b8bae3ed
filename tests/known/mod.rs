//! What the tests of well-known programs share: comparing a kernel with the oracle and with a result
//! that plain Rust computes.
#![allow(dead_code, unused_macros)]

/// The elements of a tensor of `shape`, row by row, each as `f` says.
pub fn build<T>(shape: &[usize], mut f: impl FnMut(&[usize]) -> T) -> Vec<T> {
    let n: usize = shape.iter().product();
    let at = |mut k: usize| {
        let mut coords = vec![0; shape.len()];
        for (c, n) in coords.iter_mut().zip(shape).rev() {
            (*c, k) = (k % n, k / n);
        }
        coords
    };
    (0..n).map(|k| f(&at(k))).collect()
}

/// A dense tensor that is read by coordinates.
pub struct Plainly<T> {
    pub shape: Vec<usize>,
    pub data: Vec<T>,
}

impl<T: Copy> Plainly<T> {
    pub fn at(&self, coords: &[usize]) -> T {
        self.data[coords.iter().zip(&self.shape).fold(0, |k, (c, n)| k * n + c)]
    }
    /// The element at coordinates that may lie outside.
    pub fn around(&self, coords: [i64; 2]) -> Option<T> {
        let [i, j] = coords.map(|c| usize::try_from(c).ok());
        let (i, j) = (i?, j?);
        (i < self.shape[0] && j < self.shape[1]).then(|| self.at(&[i, j]))
    }
}

pub fn plainly<L: looplets::Level>(a: &looplets::Tensor<L>) -> Plainly<L::Value> {
    Plainly { shape: a.shape(), data: a.to_dense() }
}

/// That a kernel gave what plain Rust computes, which takes what is not stored times infinity for NaN.
pub fn same<T: PartialEq + std::fmt::Debug>(got: &[T], want: &[T], text: &str) {
    #[allow(clippy::eq_op)]
    let one = |(g, w): (&T, &T)| g == w || w != w;
    assert!(
        got.len() == want.len() && got.iter().zip(want).all(one),
        "{got:?}\nis not {want:?}\nin {text}"
    );
}

/// `known!(k(&a, &x) => want)`: the kernel, the oracle and `want` are the same.
macro_rules! known {
    ($name:ident ( $($arg:expr),* $(,)? ) $(; $($f:literal => $body:expr),*)? => $want:expr) => {{
        agree!($name($($arg),*) $(; $($f => $body),*)?);
        let got = $name($($arg),*);
        crate::known::same(&got.to_dense(), &$want, $name::TEXT);
        got
    }};
}
