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
    CSC: "columns are stored as rows are, with the column as the first index; write `Csr<..>` and read `a[j, i]`";
    DCSR: "write `Dcsr<..>`";
    COO: "write `Coo2<..>` for a matrix and `Coo3<..>` for three dimensions";
    CSF: "write its levels, `Tensor<SparseList<SparseList<..>>>`";
    csr_matrix: "write `Csr<..>`";
    csc_matrix: "columns are stored as rows are, with the column as the first index; write `Csr<..>` and read `a[j, i]`";
    coo_matrix: "write `Coo2<..>`";
    CsrMatrix: "it is another crate's; make a `Csr<..>` of its arrays";
    CscMatrix: "it is another crate's; make a `Csr<..>` of its arrays, which is read `a[j, i]`";
    CooMatrix: "it is another crate's; make a `Coo2<..>` of its entries, by `Tensor::from_triplets`";
    CsMat: "it is another crate's; take a `Csr<..>`, which the feature `sprs` makes of it";
    Array1: "it is another crate's; take a `DenseVec<..>`, which the feature `ndarray` makes of it";
    Array2: "it is another crate's; take a `DenseMat<..>`, which the feature `ndarray` makes of it";
    ArrayView1: "it is another crate's; take a slice, `&[f64]`, or a `DenseVec<..>`, which the feature `ndarray` makes of it";
    ArrayView2: "it is another crate's; take a `DenseMat<..>`, which the feature `ndarray` makes of it";
    DVector: "it is another crate's; take a slice, `&[f64]`, which `as_slice()` gives";
    DMatrix: "it is another crate's, and stored by columns; make a `DenseMat<..>` of its `as_slice()`, which is read `a[j, i]`";
}
