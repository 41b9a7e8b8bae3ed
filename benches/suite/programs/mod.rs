//! The programs: kernels by `finch!`, the same by hand, and operands.

use crate::suite::Program;

/// Reads an array where the loop has made sure of the index.
macro_rules! at {
    ($array:expr, $index:expr) => {{
        let (array, index) = (&$array, $index);
        // Positions ascend to the length of coordinates and values, and coordinates are below the size.
        // SAFETY: the arrays are those of one tensor, whose invariants were checked when it was made.
        *unsafe { array.get_unchecked(index) }
    }};
}

/// The place of an array where the loop has made sure of the index.
macro_rules! place {
    ($array:expr, $index:expr) => {{
        let (array, index) = (&mut $array, $index);
        // SAFETY: as for reading; what is written has the size of the dimension that the index runs over.
        unsafe { array.get_unchecked_mut(index) }
    }};
}

mod add;
mod by_dense;
mod by_runs;
mod chains;
mod contractions;
mod dense;
mod gathered;
mod images;
mod masked;
mod masked_rows;
mod mttkrp;
mod spgemm;
mod spmspv;
mod spmv;
mod threads;
mod triangles;

/// All of them, in the order of the table.
pub const PROGRAMS: &[Program] = &[
    ("spmv", spmv::run),
    ("spmspv", spmspv::run),
    ("spmspv_columns", spmspv::run_columns),
    ("triangles", triangles::run),
    ("add", add::run_add),
    ("product", add::run_product),
    ("inner", add::run_inner),
    ("spgemm", spgemm::run),
    ("spgemm_sorted", spgemm::run_sorted),
    ("spmm", by_dense::run_spmm),
    ("sddmm", by_dense::run_sddmm),
    ("gathered", gathered::run_product),
    ("gather", gathered::run_copy),
    ("attention", gathered::run_attention),
    ("mttkrp", mttkrp::run),
    ("chains", chains::run),
    ("product_chain", contractions::run_sampled),
    ("rank_3", contractions::run_tensor),
    ("dense", dense::run),
    ("masked_mxv", masked::run_step),
    ("masked_mxv_tropical", masked::run_relax),
    ("masked_mxm", masked::run_closed),
    ("masked_mxm_tropical", masked::run_through),
    ("masked_outside", masked_rows::run_outside),
    ("masked_dots", masked_rows::run_dots),
    ("convolution", images::run_convolution),
    ("blend", images::run_blend),
    ("similarity", images::run_similarity),
    ("erosion", images::run_erosion),
    ("histogram", images::run_histogram),
    ("threads", threads::run),
];
