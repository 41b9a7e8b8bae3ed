//! Short names of common formats, which `finch!` understands as it does the long ones.

crate::level! {
    /// A dense vector.
    pub type DenseVec<T, F = crate::Zero> = crate::Tensor<crate::Dense<crate::Element<T, F>>>;
}
crate::level! {
    /// A sparse vector: sorted coordinates and values.
    pub type SparseVec<T, Ix = u32, F = crate::Zero> =
        crate::Tensor<crate::SparseList<crate::Element<T, F>, Ix>>;
}
crate::level! {
    /// A dense matrix by rows.
    pub type DenseMat<T, F = crate::Zero> = crate::Tensor<crate::Dense<crate::Dense<crate::Element<T, F>>>>;
}
crate::level! {
    /// Compressed sparse rows (CSR).
    pub type Csr<T, Ix = u32, F = crate::Zero> =
        crate::Tensor<crate::Dense<crate::SparseList<crate::Element<T, F>, Ix>>>;
}
crate::level! {
    /// Compressed sparse columns (CSC): `a[i, j]` is row `i`, column `j`, and columns are next to each other.
    pub type Csc<T, Ix = u32, F = crate::Zero> =
        crate::ByColumns<crate::Dense<crate::SparseList<crate::Element<T, F>, Ix>>>;
}
crate::level! {
    /// Compressed sparse fibers (CSF) of three dimensions: what has no entries costs nothing at any level.
    pub type Csf<T, Ix = u32, F = crate::Zero> = crate::Tensor<
        crate::SparseList<crate::SparseList<crate::SparseList<crate::Element<T, F>, Ix>, Ix>, Ix>,
    >;
}
crate::level! {
    /// Doubly compressed sparse rows: rows without entries cost nothing.
    pub type Dcsr<T, Ix = u32, F = crate::Zero> =
        crate::Tensor<crate::SparseList<crate::SparseList<crate::Element<T, F>, Ix>, Ix>>;
}
crate::level! {
    /// A graph: sorted neighbours, no values.
    pub type Graph<Ix = u32> = crate::Tensor<crate::Dense<crate::SparseList<crate::Pattern, Ix>>>;
}
crate::level! {
    /// A graph that changes: a tree of vertices, each with a tree of its neighbours (the layout of PAM: Sun, Ferizovic and
    /// Blelloch, *PAM: parallel augmented maps*, 2018).
    pub type TreeGraph<Ix = u32> = crate::Tensor<crate::Bst<crate::Bst<crate::Pattern, Ix>, Ix>>;
}
crate::level! {
    /// A graph that changes: a tree of vertices, each with a C-tree of its neighbours (the layout of Aspen: Dhulipala,
    /// Blelloch and Shun, 2019).
    pub type ChunkGraph<Ix = u32> = crate::Tensor<crate::Bst<crate::CTree<crate::Pattern, Ix>, Ix>>;
}
crate::level! {
    /// A graph that changes: an array of vertices, each with a list of blocks of its neighbours (the layout of STINGER:
    /// Ediger, McColl, Riedy and Bader, 2012).
    pub type BlockGraph<Ix = u32> = crate::Tensor<crate::Dense<crate::BlockList<crate::Pattern, Ix>>>;
}
crate::level! {
    /// A graph that changes: an array of vertices, each with its first neighbours in place and a B-tree of the others (the
    /// layout of Terrace: Pandey, Wheatman, Xu and Buluç, 2021).
    pub type HybridGraph<Ix = u32> = crate::Tensor<crate::Dense<crate::HybridBTree<crate::Pattern, Ix>>>;
}
crate::level! {
    /// A dense matrix of which a bit each says whether an element is stored.
    pub type BitMat<T> = crate::Tensor<crate::Dense<crate::Bitmap<crate::Element<T>>>>;
}
crate::level! {
    /// A symmetric matrix, of which half is stored.
    pub type SymMat<T> = crate::Tensor<crate::Dense<crate::Symmetric<crate::Element<T>>>>;
}
crate::level! {
    /// A sparse matrix as coordinates: a row, a column and a value for each entry, sorted.
    pub type Coo2<T, Ix = u32> = crate::Tensor<crate::Coo<crate::Singleton<crate::Element<T>, Ix>, Ix>>;
}
crate::level! {
    /// A sparse tensor of three dimensions as coordinates.
    pub type Coo3<T, Ix = u32> =
        crate::Tensor<crate::Coo<crate::Singleton<crate::Singleton<crate::Element<T>, Ix>, Ix>, Ix>>;
}
crate::level! {
    /// What a slice or a vector is to a kernel: all elements of one dimension.
    #[doc(hidden)]
    pub type Elements1<T> = crate::Tensor<crate::Dense<crate::Element<T>>>;
}
crate::level! {
    /// Where entries are that a kernel removes from a tensor of rank 1.
    #[doc(hidden)]
    pub type Gone1 = crate::Tensor<crate::Hash<crate::Pattern, u64>>;
}
crate::level! {
    /// Where entries are that a kernel removes from a tensor of rank 2.
    #[doc(hidden)]
    pub type Gone2 = crate::Tensor<crate::Hash<crate::Hash<crate::Pattern, u64>, u64>>;
}
crate::level! {
    /// Where entries are that a kernel removes from a tensor of rank 3.
    #[doc(hidden)]
    pub type Gone3 = crate::Tensor<crate::Hash<crate::Hash<crate::Hash<crate::Pattern, u64>, u64>, u64>>;
}
crate::level! {
    /// Where entries are that a kernel removes from a tensor of rank 4.
    #[doc(hidden)]
    pub type Gone4 = crate::Tensor<crate::Hash<crate::Hash<crate::Hash<crate::Hash<crate::Pattern, u64>, u64>, u64>, u64>>;
}
crate::level! {
    /// Where entries are that a kernel removes from a tensor of rank 5.
    #[doc(hidden)]
    pub type Gone5 = crate::Tensor<crate::Hash<crate::Hash<crate::Hash<crate::Hash<crate::Hash<crate::Pattern, u64>, u64>, u64>, u64>, u64>>;
}
crate::level! {
    /// Where entries are that a kernel removes from a tensor of rank 6.
    #[doc(hidden)]
    pub type Gone6 = crate::Tensor<crate::Hash<crate::Hash<crate::Hash<crate::Hash<crate::Hash<crate::Hash<crate::Pattern, u64>, u64>, u64>, u64>, u64>, u64>>;
}
crate::level! {
    /// Where a kernel gathers a dimension of a result that it appends to afterwards.
    #[doc(hidden)]
    pub type Gathered1<Leaf = crate::Pattern> = crate::Tensor<crate::Spa<Leaf>>;
}
crate::level! {
    /// Where a kernel gathers a dimension of a result that is looked up along a mask afterwards.
    #[doc(hidden)]
    pub type Stamped1<Leaf = crate::Pattern> = crate::Tensor<crate::StampMap<Leaf>>;
}
crate::level! {
    /// Where a kernel gathers a dimension of a result of which there are few entries.
    #[doc(hidden)]
    pub type Searched1<Leaf = crate::Pattern> = crate::Tensor<crate::Hash<Leaf, u64>>;
}
crate::level! {
    /// Where a kernel gathers two dimensions of a result that it appends to afterwards.
    #[doc(hidden)]
    pub type Gathered2<Leaf = crate::Pattern> = crate::Tensor<crate::Hash<crate::Hash<Leaf, u64>, u64>>;
}
crate::level! {
    /// Where a kernel gathers three dimensions of a result that it appends to afterwards.
    #[doc(hidden)]
    pub type Gathered3<Leaf = crate::Pattern> = crate::Tensor<crate::Hash<crate::Hash<crate::Hash<Leaf, u64>, u64>, u64>>;
}
crate::level! {
    /// Where a kernel holds all elements of a dimension of what it sums first.
    #[doc(hidden)]
    pub type Whole1<Leaf = crate::Pattern> = crate::Tensor<crate::Dense<Leaf>>;
}
crate::level! {
    /// Where a kernel holds all elements of two dimensions of what it sums first.
    #[doc(hidden)]
    pub type Whole2<Leaf = crate::Pattern> = crate::Tensor<crate::Dense<crate::Dense<Leaf>>>;
}
crate::level! {
    /// Where a kernel lists rows of what it multiplies first.
    #[doc(hidden)]
    pub type Listed2<Leaf = crate::Pattern> = crate::Tensor<crate::Dense<crate::SparseList<Leaf>>>;
}
crate::level! {
    /// Where a kernel has the bits of a dimension of what it reads in runs.
    #[doc(hidden)]
    pub type Flagged1 = crate::Tensor<crate::Bitmap<crate::Pattern>>;
}
crate::level! {
    /// Where a kernel has the bits of two dimensions of what it reads in runs.
    #[doc(hidden)]
    pub type Flagged2 = crate::Tensor<crate::Dense<crate::Bitmap<crate::Pattern>>>;
}
crate::level! {
    /// Where a kernel holds rows of what it multiplies first, all elements of each or none.
    #[doc(hidden)]
    pub type Rowwise2<Leaf = crate::Pattern> = crate::Tensor<crate::ByteMap<crate::Dense<Leaf>>>;
}
crate::level! {
    /// Where a kernel turns a matrix, each entry of which it comes to once.
    #[doc(hidden)]
    pub type Turned2<Leaf = crate::Pattern> = crate::Tensor<crate::Dense<crate::Interleaved<Leaf, u64>>>;
}
