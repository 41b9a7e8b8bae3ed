//! Peers that are crates: sums and products of matrices, with vectors and with each other.

use crate::answer::{values, Answer};
use crate::contest::Contest;
use crate::problem::{Problem, Sparse};
use faer::sparse::{SparseColMat, Triplet};
use nalgebra_sparse::na::DVector;
use nalgebra_sparse::CsrMatrix;
use sprs::CsMat;

fn sprs_of(a: &Sparse) -> CsMat<f64> {
    let crd = a.crd.iter().map(|j| *j as usize).collect();
    CsMat::new((a.rows, a.cols), a.pos.clone(), crd, a.val.clone())
}

fn from_sprs(c: CsMat<f64>) -> Answer {
    let (rows, cols) = c.shape();
    let (pos, crd, val) = c.into_raw_storage();
    let crd = crd.into_iter().map(|j| j as u32).collect();
    Answer::Sparse(Sparse { rows, cols, pos, crd, val })
}

fn nalgebra_of(a: &Sparse) -> CsrMatrix<f64> {
    let crd = a.crd.iter().map(|j| *j as usize).collect();
    CsrMatrix::try_from_csr_data(a.rows, a.cols, a.pos.clone(), crd, a.val.clone())
        .expect("columns ascend")
}

fn from_nalgebra(c: CsrMatrix<f64>) -> Answer {
    let (rows, cols) = (c.nrows(), c.ncols());
    let (pos, crd, val) = c.disassemble();
    let crd = crd.into_iter().map(|j| j as u32).collect();
    Answer::Sparse(Sparse { rows, cols, pos, crd, val })
}

fn faer_of(a: &Sparse) -> SparseColMat<usize, f64> {
    let places = (0..a.rows).flat_map(|i| a.row(i).map(move |q| (i, q)));
    let entries: Vec<_> =
        places.map(|(i, q)| Triplet::new(i, a.crd[q] as usize, a.val[q])).collect();
    SparseColMat::try_new_from_triplets(a.rows, a.cols, &entries).expect("inside the shape")
}

fn from_faer(c: SparseColMat<usize, f64>) -> Answer {
    let entries = c.triplet_iter().map(|t| ([t.row, t.col], *t.val));
    let mut entries: Vec<_> = entries.collect();
    entries.sort_unstable_by_key(|(at, _)| *at);
    Answer::Sparse(Sparse::sorted(c.nrows(), c.ncols(), &entries))
}

/// Adds those that have the program.
pub fn join<'a>(contest: &mut Contest<'a>, problem: &'a Problem) {
    let Problem { a, b, d, .. } = problem;
    match contest.program {
        "spmv" => {
            let (s, n, f) = (sprs_of(a), nalgebra_of(a), faer_of(a));
            let (x, y) =
                (DVector::from_vec(d.val.clone()), faer::Col::from_fn(d.cols, |j| d.val[j]));
            contest
                .library(
                    "sprs",
                    move || {
                        let mut y = vec![0.0; s.rows()];
                        sprs::prod::mul_acc_mat_vec_csr(s.view(), &d.val[..], &mut y[..]);
                        y
                    },
                    values,
                )
                .library("nalgebra", move || &n * &x, |y| values(y.as_slice().to_vec()))
                .library("faer", move || &f * &y, |y| values(y.iter().copied().collect()));
        }
        "spgemm" | "spgemm_sorted" => {
            let (s, n, f) = (sprs_of(a), nalgebra_of(a), faer_of(a));
            contest
                .library("sprs", move || &s * &s, from_sprs)
                .library("nalgebra", move || &n * &n, from_nalgebra)
                .library("faer", move || &f * &f, from_faer);
        }
        "add" => {
            let (s, t) = (sprs_of(a), sprs_of(b));
            let (n, m) = (nalgebra_of(a), nalgebra_of(b));
            let (f, g) = (faer_of(a), faer_of(b));
            contest
                .library("sprs", move || &s + &t, from_sprs)
                .library("nalgebra", move || &n + &m, from_nalgebra)
                .library("faer", move || &f + &g, from_faer);
        }
        _ => {}
    }
}
