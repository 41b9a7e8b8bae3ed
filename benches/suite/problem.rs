//! The operands of one program and input as plain arrays, which every competitor makes its own formats of.

use crate::lists::Lists;
use looplets::prelude::*;

/// Rows compressed. A sparse vector has one row.
#[derive(Clone, Default)]
pub struct Sparse {
    pub rows: usize,
    pub cols: usize,
    pub pos: Vec<usize>,
    pub crd: Vec<u32>,
    pub val: Vec<f64>,
}

/// Row major. A dense vector has one row.
#[derive(Clone, Default)]
pub struct Array<T> {
    pub rows: usize,
    pub cols: usize,
    pub val: Vec<T>,
}

/// Compressed sparse fibers of rank 3.
#[derive(Clone, Default)]
pub struct Fibers {
    pub dims: [usize; 3],
    pub crd0: Vec<u32>,
    pub pos1: Vec<usize>,
    pub crd1: Vec<u32>,
    pub pos2: Vec<usize>,
    pub crd2: Vec<u32>,
    pub val: Vec<f64>,
}

/// The operands of one program; `peer.h` says which it has.
#[derive(Default)]
pub struct Problem {
    pub a: Sparse,
    pub b: Sparse,
    pub x: Sparse,
    pub d: Array<f64>,
    pub e: Array<f64>,
    pub f: Array<f64>,
    pub t: Fibers,
    pub p: Array<u8>,
    pub q: Array<u8>,
    pub images: usize,
    pub alpha: f64,
}

impl Sparse {
    /// From entries sorted by row, then column, none twice.
    pub fn sorted(rows: usize, cols: usize, entries: &[([usize; 2], f64)]) -> Self {
        let mut pos = vec![0; rows + 1];
        for ([i, _], _) in entries {
            pos[i + 1] += 1;
        }
        for i in 0..rows {
            pos[i + 1] += pos[i];
        }
        let crd = entries.iter().map(|([_, j], _)| *j as u32).collect();
        Sparse { rows, cols, pos, crd, val: entries.iter().map(|(_, v)| *v).collect() }
    }

    /// The arrays of a tensor.
    pub fn of(a: &Csr<f64>) -> Self {
        let (lists, shape) = (crate::lists::rows(a), a.shape());
        Sparse {
            rows: shape[0],
            cols: shape[1],
            pos: lists.pos.to_vec(),
            crd: lists.crd.to_vec(),
            val: lists.val.to_vec(),
        }
    }

    /// As many as are stored.
    pub fn stored(&self) -> usize {
        self.crd.len()
    }

    /// The places of row `i` in `crd` and `val`.
    pub fn row(&self, i: usize) -> std::ops::Range<usize> {
        self.pos[i]..self.pos[i + 1]
    }

    /// What loops by hand take.
    pub fn lists(&self) -> Lists<'_, f64> {
        Lists { pos: &self.pos, crd: &self.crd, val: &self.val, len: self.cols }
    }

    /// As a matrix whose values are made by `f`.
    pub fn map<L: Level>(&self, f: impl Fn(f64) -> L::Value) -> Tensor<L>
    where
        L::Value: PartialEq,
    {
        let places = (0..self.rows).flat_map(|i| self.row(i).map(move |q| (i, q)));
        let entries = places.map(|(i, q)| ([i, self.crd[q] as usize], f(self.val[q])));
        Tensor::from_triplets([self.rows, self.cols], entries, Refuse).expect("none is twice")
    }

    /// As a matrix.
    pub fn csr(&self) -> Csr<f64> {
        let leaf = Element::new(self.val.clone());
        let list = SparseList::new(self.cols, self.pos.clone(), self.crd.clone(), leaf);
        Tensor::from_parts(Dense::new(self.rows, list)).expect("columns ascend in each row")
    }

    /// As a pattern.
    pub fn graph(&self) -> Graph {
        let list = SparseList::new(self.cols, self.pos.clone(), self.crd.clone(), Pattern::new());
        Tensor::from_parts(Dense::new(self.rows, list)).expect("columns ascend in each row")
    }

    /// The only row as a vector.
    pub fn vector(&self) -> SparseVec<f64> {
        let leaf = Element::new(self.val.clone());
        Tensor::from_parts(SparseList::new(self.cols, self.pos.clone(), self.crd.clone(), leaf))
            .expect("coordinates ascend")
    }

    /// Rows for columns.
    pub fn transposed(&self) -> Self {
        let mut pos = vec![0; self.cols + 1];
        for j in &self.crd {
            pos[*j as usize + 1] += 1;
        }
        for j in 0..self.cols {
            pos[j + 1] += pos[j];
        }
        let mut next = pos.clone();
        let (mut crd, mut val) = (vec![0; self.stored()], vec![0.0; self.stored()]);
        for i in 0..self.rows {
            for q in self.row(i) {
                let to = &mut next[self.crd[q] as usize];
                (crd[*to], val[*to]) = (i as u32, self.val[q]);
                *to += 1;
            }
        }
        Sparse { rows: self.cols, cols: self.rows, pos, crd, val }
    }

    /// Every row sorted, and zeros that are stored left out.
    pub fn tidy(&self) -> Self {
        let mut entries = Vec::with_capacity(self.stored());
        for i in 0..self.rows {
            let from = entries.len();
            let row = self.row(i).filter(|q| self.val[*q] != 0.0);
            entries.extend(row.map(|q| ([i, self.crd[q] as usize], self.val[q])));
            entries[from..].sort_unstable_by_key(|(at, _)| *at);
        }
        Self::sorted(self.rows, self.cols, &entries)
    }
}

impl<T: Copy + PartialEq> Array<T> {
    /// A vector.
    pub fn vector(val: Vec<T>) -> Self {
        Array { rows: 1, cols: val.len(), val }
    }

    /// As a tensor of two dimensions whose values are made by `f`.
    pub fn map<L: Level>(&self, f: impl Fn(T) -> L::Value) -> Tensor<L>
    where
        L::Value: PartialEq,
    {
        let values: Vec<_> = self.val.iter().map(|v| f(*v)).collect();
        Tensor::from_dense([self.rows, self.cols], &values).expect("as many values as elements")
    }
}

impl Array<f64> {
    /// As a matrix.
    pub fn dense(&self) -> DenseMat<f64> {
        self.map(|v| v)
    }

    /// The only row as a vector.
    pub fn dense_vector<F: Fill<f64> + 'static>(&self) -> Tensor<Dense<Element<f64, F>>> {
        Tensor::from_dense([self.cols], &self.val).expect("as many values as elements")
    }
}
