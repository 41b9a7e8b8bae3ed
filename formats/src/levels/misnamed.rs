//! Names that people try for formats which have another name here, or another form: each is an error at the name, with what to write.
//!
//! None of them is a name that people give aliases of their own: rustc finds one beside the prelude's ambiguous.

crate::level! {
    pub misnamed CSC = "columns are stored as rows are, with the column as the first index; write `Csr<..>` and read `a[j, i]`";
}
crate::level! {
    pub misnamed CscMatrix = "it is another crate's; make a `Csr<..>` of its arrays, which is read `a[j, i]`";
}
crate::level! {
    pub misnamed CSR = "write `Csr<..>`";
}
crate::level! {
    pub misnamed CsrMatrix = "it is another crate's; make a `Csr<..>` of its arrays";
}
crate::level! {
    pub misnamed DCSR = "write `Dcsr<..>`";
}
crate::level! {
    pub misnamed COO = "write `Coo2<..>` for a matrix and `Coo3<..>` for three dimensions";
}
crate::level! {
    pub misnamed CooMatrix = "it is another crate's; make a `Coo2<..>` of its entries, by `Tensor::from_triplets`";
}
crate::level! {
    pub misnamed CSF = "write its levels, `Tensor<SparseList<SparseList<..>>>`";
}
