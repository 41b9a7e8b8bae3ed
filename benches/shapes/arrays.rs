//! The arrays of tensors: what loops by hand read and make, what results are compared by, and what `memcpy` copies.

use looplets::prelude::*;

/// A flattened matrix: its coordinates may be more than 32 bits hold.
pub type Flat = SparseVec<f64, u64>;

/// A result as arrays. Those that its format does not have are empty.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Arrays {
    /// Where rows begin, of CSR.
    pub pos: Vec<usize>,
    /// Coordinates of a flat vector.
    pub far: Vec<u64>,
    /// Rows of entries, of COO.
    pub rows: Vec<u32>,
    /// Columns of entries.
    pub crd: Vec<u32>,
    /// Values.
    pub val: Vec<f64>,
}

/// A CSR matrix.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    pub pos: &'a [usize],
    pub crd: &'a [u32],
    pub val: &'a [f64],
    pub columns: usize,
}

/// A COO matrix.
#[derive(Clone, Copy)]
pub struct Triples<'a> {
    pub rows: &'a [u32],
    pub crd: &'a [u32],
    pub val: &'a [f64],
    pub shape: [usize; 2],
}

/// A flat vector.
#[derive(Clone, Copy)]
pub struct List<'a> {
    pub crd: &'a [u64],
    pub val: &'a [f64],
    pub len: usize,
}

/// The arrays of a matrix.
pub fn rows(a: &Csr<f64>) -> Rows<'_> {
    let (columns, pos, crd, child) = a.root().__fields().1.__fields();
    Rows { pos, crd, val: child.__fields().0, columns }
}

/// The arrays of a matrix.
pub fn triples(a: &Coo2<f64>) -> Triples<'_> {
    let (height, _, rows, below) = a.root().__fields();
    let (width, crd, child) = below.__fields();
    Triples { rows, crd, val: child.__fields().0, shape: [height, width] }
}

/// The arrays of a vector.
pub fn list(x: &Flat) -> List<'_> {
    let (len, _, crd, child) = x.root().__fields();
    List { crd, val: child.__fields().0, len }
}

/// The values of a vector.
pub fn dense(x: &DenseVec<f64>) -> &[f64] {
    x.root().__fields().1.__fields().0
}

/// What a kernel made.
pub enum Made {
    Flat(Flat),
    Csr(Csr<f64>),
    Coo(Coo2<f64>),
    Dense(DenseVec<f64>),
}

impl Made {
    /// Its arrays.
    pub fn arrays(&self) -> Arrays {
        match self {
            Made::Flat(x) => {
                let List { crd, val, .. } = list(x);
                Arrays { far: crd.to_vec(), val: val.to_vec(), ..Arrays::default() }
            }
            Made::Csr(a) => {
                let Rows { pos, crd, val, .. } = rows(a);
                let (pos, crd, val) = (pos.to_vec(), crd.to_vec(), val.to_vec());
                Arrays { pos, crd, val, ..Arrays::default() }
            }
            Made::Coo(a) => {
                let Triples { rows, crd, val, .. } = triples(a);
                let (rows, crd, val) = (rows.to_vec(), crd.to_vec(), val.to_vec());
                Arrays { rows, crd, val, ..Arrays::default() }
            }
            Made::Dense(x) => Arrays { val: dense(x).to_vec(), ..Arrays::default() },
        }
    }
}

impl Arrays {
    /// Panics unless the two are the same, values but for the order of additions.
    pub fn compare(&self, other: &Arrays, what: &str) {
        let places =
            |a: &Arrays| (a.pos.len(), a.far.len(), a.rows.len(), a.crd.len(), a.val.len());
        assert_eq!(places(self), places(other), "{what}: how many there are");
        assert!(self.pos == other.pos, "{what}: where rows begin");
        assert!(self.far == other.far, "{what}: coordinates");
        assert!(self.rows == other.rows, "{what}: rows");
        assert!(self.crd == other.crd, "{what}: columns");
        for (q, (x, y)) in self.val.iter().zip(&other.val).enumerate() {
            let apart = (x - y).abs();
            assert!(
                apart <= 1e-9 * x.abs().max(y.abs()) || apart < 1e-12,
                "{what}: value {q} is {x} and {y}"
            );
        }
    }

    /// Sums of values, each with a weight that its place decides: what processes compare results by.
    pub fn sums(&self) -> [f64; 2] {
        let mut sums = [0.0; 2];
        let mut add = |i: u64, j: u64, v: f64| {
            sums[0] += v.abs();
            sums[1] += v * ((31 * i + 17 * j) % 1009) as f64;
        };
        for (q, v) in self.val.iter().enumerate() {
            match (self.far.get(q), self.rows.get(q), self.crd.get(q)) {
                (Some(k), ..) => add(0, *k % 1009, *v),
                (_, Some(i), Some(j)) => add(u64::from(*i), u64::from(*j), *v),
                (.., None) => add(0, q as u64, *v),
                // CSR, by rows below.
                _ => {}
            }
        }
        for (i, ends) in self.pos.windows(2).enumerate() {
            for q in ends[0]..ends[1] {
                add(i as u64, u64::from(self.crd[q]), self.val[q]);
            }
        }
        sums
    }
}
