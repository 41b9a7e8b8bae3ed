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
}
