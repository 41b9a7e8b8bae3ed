//! Kernels over many structures: what deep nests, many operands and wide declarations cost to expand.

/// As [`super::MORE`].
pub const PROGRAMS: &[&str] = &[
    "pub fn coo_contraction(a: &Coo3<f64>, b: &Coo3<f64>, s: &mut f64) {
        for i, j, k { s += a[i, j, k] * b[i, j, k] }
    }",
    "pub fn coo_sum(a: &Coo3<f64>, b: &Coo3<f64>) -> (c: Coo3<f64>) {
        for i, j, k { c[i, j, k] = a[i, j, k] + b[i, j, k] }
    }",
    "pub fn coo_mttkrp(a: &Coo3<f64>, b: &DenseMat<f64>, d: &DenseMat<f64>) -> (y: DenseMat<f64>) {
        for i, j, k, r { y[i, r] += a[i, j, k] * b[j, r] * d[k, r] }
    }",
    "pub fn build_7(a: &Tensor<SparseList<SparseList<SparseList<SparseList<SparseList<SparseList<SparseList<Element<f64>>>>>>>>>)
        -> (c: Tensor<SparseList<SparseList<SparseList<SparseList<SparseList<SparseList<SparseList<Element<f64>>>>>>>>>) {
        for i, j, k, l, m, n, o { c[i, j, k, l, m, n, o] = 2 * a[i, j, k, l, m, n, o] }
    }",
    "pub fn convolution(a: &Tensor<SparseList<SparseList<Element<f64>>>>, f: &DenseMat<f64>, n: usize, m: usize)
        -> (c: DenseMat<f64>[n, m]) {
        for i, k { for j in 0..11 { for l in 0..11 {
            c[i, k] += (a[i, k] != 0) * coalesce(a[permit[i + j - 5], permit[k + l - 5]], 0) * f[j, l]
        } } }
    }",
    "pub fn blend(b: &Tensor<Dense<RunList<Element<u8>>>>, c: &Tensor<Dense<RunList<Element<u8>>>>, alpha: f64, beta: f64)
        -> (a: Tensor<Dense<RunList<Element<f64>>>>) {
        for i, j { a[i, j] = round(alpha * b[i, j] + beta * c[i, j]) }
    }",
    "pub fn by_rows(a: &Csr<f64>, b: &Csr<f64>, n: usize) -> (c: Csr<f64>) {
        for i {
            let mut w: Tensor<Hash<Element<f64>>>[n];
            for k, j { w[j] += a[i, k] * b[k, j] }
            for j { c[i, j] = w[j] }
        }
    }",
    "pub fn blocks_runs(a: &Tensor<SparseBlockList<Element<f64>>>, b: &Tensor<SparseRunList<Element<f64>>>,
        c: &Tensor<PackBits<Element<f64>>>) -> (y: SparseVec<f64>) {
        for i { y[i] = a[i] * b[i] + c[i] }
    }",
    "pub fn bits(a: &Tensor<Bitmap<Pattern>>, b: &Tensor<ByteMap<Pattern>>, s: &mut u64) {
        for i { s += a[i] && b[i] }
    }",
    "pub fn concat(a: &SparseVec<f64>, b: &SparseVec<f64>, n: usize, m: usize) -> (c: SparseVec<f64>) {
        for i in 0..m { c[i] = coalesce(a[permit[i]], b[permit[offset(n)[i]]], 0) }
    }",
    "pub fn strided(a: &SparseVec<f64>, b: &SparseVec<f64>, s: &mut f64) {
        for i { s += a[3 * i + 1] * b[i] }
    }",
    "pub fn symmetric(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { if j <= i { y[i] += a[i, j] * x[j]; y[j] += (i != j) * a[i, j] * x[i] } }
    }",
];

/// Kernels of the paper on dynamic tensors (DynamicSparse section 7) over trees, as [`super::MORE`].
pub const TREES: &[&str] = &[
    "pub fn spmv_bst(a: &Tensor<Dense<Bst<Element<f64>>>>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j] * x[j] }
    }",
    "pub fn spmv_c_tree(a: &Tensor<Dense<CTree<Element<f64>>>>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j] * x[j] }
    }",
    "pub fn spmv_into_bst(a: &Tensor<Bst<Bst<Element<f64>>>>, x: &DenseVec<f64>) -> (y: Tensor<Bst<Element<f64>>>) {
        for i, j { y[i] += a[i, j] * x[j] }
    }",
    "pub fn spmm_hybrid(a: &Tensor<Dense<HybridBTree<Pattern>>>, x: &Tensor<Dense<Element<u64>>>)
        -> (y: Tensor<Dense<Element<u64>>>) {
        for i, j { y[i] |= a[i, j] * x[j] }
    }",
    "pub fn add_csr_bst(a: &Tensor<Bst<Bst<Element<f64>>>>, b: &Csr<f64>) -> (c: Csr<f64>) {
        for i, j { c[i, j] = a[i, j] + b[i, j] }
    }",
    "pub fn multiply_csr_bst(a: &Tensor<Bst<Bst<Element<f64>>>>, b: &Csr<f64>) -> (c: Csr<f64>) {
        for i, j { c[i, j] = a[i, j] * b[i, j] }
    }",
    "pub fn inner_bst(a: &Tensor<Bst<Bst<Element<f64>>>>, b: &Tensor<Bst<Bst<Element<f64>>>>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j] * b[i, j] }
    }",
    "pub fn copy_b_tree(a: &Tensor<Dense<BTree<Element<f64>>>>) -> (c: Tensor<Dense<BTree<Element<f64>>>>) {
        for i, j { c[i, j] = a[i, j] }
    }",
    "pub fn add_trees(a: &Tensor<Bst<Bst<Element<f64>>>>, b: &Tensor<Bst<Bst<Element<f64>>>>) -> (c: Tensor<Bst<Bst<Element<f64>>>>) {
        for i, j { c[i, j] = a[i, j] + b[i, j] }
    }",
    "pub fn add_b_trees(a: &Tensor<Dense<BTree<Element<f64>>>>, b: &Tensor<Dense<BTree<Element<f64>>>>)
        -> (c: Tensor<Dense<BTree<Element<f64>>>>) {
        for i, j { c[i, j] = a[i, j] + b[i, j] }
    }",
    "pub fn add_any_order(a: &Csr<f64>, b: &Csr<f64>) -> (c: Tensor<Dense<Bst<Element<f64>>>>) {
        for i, j { c[j, i] = a[i, j] + b[i, j] }
    }",
];
