//! Names that people try for formats which have another name here, or another form: each is an error at the name, with what to write.

crate::level! {
    pub misnamed Csc = "columns are stored as rows are, with the column as the first index; write `Csr<..>` and read `a[j, i]`";
}
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
    pub misnamed CSF = "write `Csf<..>` for three dimensions";
}
crate::level! {
    pub misnamed DenseMatrix = "write `DenseMat<..>`";
}
crate::level! {
    pub misnamed DenseVector = "write `DenseVec<..>`";
}
crate::level! {
    pub misnamed SparseMatrix = "write `Csr<..>`, a list of entries for each row, or another format by its levels";
}
crate::level! {
    pub misnamed SparseVector = "write `SparseVec<..>`";
}
