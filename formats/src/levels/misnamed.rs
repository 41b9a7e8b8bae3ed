//! Names that formats have in other crates and in other languages. Each is an error at the name that says what to write.
//!
//! None is a name that people give aliases of their own: rustc would find theirs ambiguous beside the prelude's.

macro_rules! misnamed {
    ($($name:ident: $write:literal;)*) => {
        $(crate::level! { pub misnamed $name = $write; })*
    };
}

misnamed! {
    CSR: "write `Csr<..>`";
    CSC: "write `Csc<..>`";
    DCSR: "write `Dcsr<..>`";
    COO: "write `Coo2<..>` for a matrix and `Coo3<..>` for three dimensions";
    CSF: "write `Csf<..>`, or its levels, `Tensor<SparseList<SparseList<..>>>`";
    csr_matrix: "write `Csr<..>`";
    csc_matrix: "write `Csc<..>`";
    coo_matrix: "write `Coo2<..>`";
    CsrMatrix: "it is another crate's; take a `Csr<..>`, which the feature `nalgebra-sparse` makes of it";
    CscMatrix: "it is another crate's; take a `Csc<..>`, which the feature `nalgebra-sparse` makes of it";
    CooMatrix: "it is another crate's; make a `Coo2<..>` of its entries, by `Tensor::from_triplets`";
    CsMat: "it is another crate's; take a `Csr<..>`, which the feature `sprs` makes of it";
    Array1: "it is another crate's; take a `DenseVec<..>`, which the feature `ndarray` makes of it";
    Array2: "it is another crate's; take a `DenseMat<..>`, which the feature `ndarray` makes of it";
    ArrayView1: "it is another crate's; take a slice, `&[f64]`, or a `DenseVec<..>`, which the feature `ndarray` makes of it";
    ArrayView2: "it is another crate's; take a `DenseMat<..>`, which the feature `ndarray` makes of it";
    DVector: "it is another crate's; take a slice, `&[f64]`, which `as_slice()` gives";
    DMatrix: "it is another crate's, and stored by columns; take a `ByColumns<Dense<Dense<Element<f64>>>>`, and make it by `ByColumns::from_transposed(Tensor::from_dense([columns, rows], m.as_slice())?)`";
}
