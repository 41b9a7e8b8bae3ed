//! The kernels as `finch!` compiles them, for each format of a matrix: a level below dense rows, or COO.

use looplets::prelude::*;

/// A copy of a matrix.
pub type Copy<M> = fn(&Tensor<M>, &mut DenseMat<f64>);
/// A product of a matrix and a sparse vector.
pub type Product<M> = fn(&Tensor<M>, &SparseVec<f64>) -> DenseVec<f64>;

/// The kernels of a format.
pub struct Kernels<M: Level> {
    /// The name of its level.
    pub name: &'static str,
    /// Every element to a dense matrix.
    pub copy: Copy<M>,
    /// The product in the default protocol, which walks where the level can.
    pub dot: Product<M>,
    /// The product in which entries of the vector are looked up in the matrix.
    pub locate: Product<M>,
}

macro_rules! kernels {
    ($($name:ident $label:literal [$($matrix:tt)*])*) => {$(
        /// The kernels of this format.
        pub fn $name() -> Kernels<$($matrix)*> {
            finch! {
                fn copy(a: &Tensor<$($matrix)*>, b: &mut DenseMat<f64>) {
                    for i, j { b[i, j] = a[i, j] }
                }
            }
            finch! {
                fn dot(a: &Tensor<$($matrix)*>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
                    for i, j { y[i] += a[i, j::walk] * x[j::walk] }
                }
            }
            finch! {
                fn locate(a: &Tensor<$($matrix)*>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
                    for i, j { y[i] += a[i, j::locate] * x[j::walk] }
                }
            }
            Kernels { name: $label, copy, dot, locate }
        }
    )*};
}

kernels! {
    dense "Dense" [Dense<Dense<Element<f64>>>]
    sparse_list "SparseList" [Dense<SparseList<Element<f64>>>]
    pattern "Pattern" [Dense<SparseList<Pattern>>]
    sparse_band "SparseBand" [Dense<SparseBand<Element<f64>>>]
    sparse_block_list "SparseBlockList" [Dense<SparseBlockList<Element<f64>>>]
    run_list "RunList" [Dense<RunList<Element<f64>>>]
    sparse_run_list "SparseRunList" [Dense<SparseRunList<Element<f64>>>]
    pack_bits "PackBits" [Dense<PackBits<Element<f64>>>]
    bitmap "Bitmap" [Dense<Bitmap<Element<f64>>>]
    byte_map "ByteMap" [Dense<ByteMap<Element<f64>>>]
    hash "Hash" [Dense<Hash<Element<f64>>>]
    ragged "Ragged" [Dense<Ragged<Element<f64>>>]
    sparse_point "SparsePoint" [Dense<SparsePoint<Element<f64>>>]
    sparse_interval "SparseInterval" [Dense<SparseInterval<Element<f64>>>]
    lower "LowerTriangular" [Dense<LowerTriangular<Element<f64>>>]
    strict_lower "StrictLowerTriangular" [Dense<StrictLowerTriangular<Element<f64>>>]
    upper "UpperTriangular" [Dense<UpperTriangular<Element<f64>>>]
    strict_upper "StrictUpperTriangular" [Dense<StrictUpperTriangular<Element<f64>>>]
    coo "Coo" [Coo<Singleton<Element<f64>>>]
    symmetric "Symmetric" [Dense<Symmetric<Element<f64>>>]
}
