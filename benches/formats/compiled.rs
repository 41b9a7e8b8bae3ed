//! The kernels as `finch!` compiles them, for each level below a dense level of rows.

use looplets::prelude::*;

/// A vector that a copy or a product of a matrix is beside.
pub type Copy<L> = fn(&Tensor<Dense<L>>, &mut DenseMat<f64>);
/// A product of a matrix and a sparse vector.
pub type Product<L> = fn(&Tensor<Dense<L>>, &SparseVec<f64>) -> DenseVec<f64>;

/// The kernels of a level.
pub struct Kernels<L: Level> {
    /// The name of the level.
    pub name: &'static str,
    /// Every element to a dense matrix.
    pub copy: Copy<L>,
    /// The product in the default protocol, which walks where the level can.
    pub dot: Product<L>,
    /// The product in which entries of the vector are looked up in the matrix.
    pub locate: Product<L>,
}

macro_rules! kernels {
    ($($name:ident $label:literal [$($level:tt)*])*) => {$(
        /// The kernels of this level.
        pub fn $name() -> Kernels<$($level)*> {
            finch! {
                fn copy(a: &Tensor<Dense<$($level)*>>, b: &mut DenseMat<f64>) {
                    for i, j { b[i, j] = a[i, j] }
                }
            }
            finch! {
                fn dot(a: &Tensor<Dense<$($level)*>>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
                    for i, j { y[i] += a[i, j::walk] * x[j::walk] }
                }
            }
            finch! {
                fn locate(a: &Tensor<Dense<$($level)*>>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
                    for i, j { y[i] += a[i, j::locate] * x[j::walk] }
                }
            }
            Kernels { name: $label, copy, dot, locate }
        }
    )*};
}

kernels! {
    dense "Dense" [Dense<Element<f64>>]
    sparse_list "SparseList" [SparseList<Element<f64>>]
    pattern "Pattern" [SparseList<Pattern>]
    sparse_band "SparseBand" [SparseBand<Element<f64>>]
    sparse_block_list "SparseBlockList" [SparseBlockList<Element<f64>>]
    run_list "RunList" [RunList<Element<f64>>]
    sparse_run_list "SparseRunList" [SparseRunList<Element<f64>>]
    pack_bits "PackBits" [PackBits<Element<f64>>]
    bitmap "Bitmap" [Bitmap<Element<f64>>]
    byte_map "ByteMap" [ByteMap<Element<f64>>]
    hash "Hash" [Hash<Element<f64>>]
    ragged "Ragged" [Ragged<Element<f64>>]
    sparse_point "SparsePoint" [SparsePoint<Element<f64>>]
    sparse_interval "SparseInterval" [SparseInterval<Element<f64>>]
    lower "LowerTriangular" [LowerTriangular<Element<f64>>]
    strict_lower "StrictLowerTriangular" [StrictLowerTriangular<Element<f64>>]
    upper "UpperTriangular" [UpperTriangular<Element<f64>>]
    strict_upper "StrictUpperTriangular" [StrictUpperTriangular<Element<f64>>]
    symmetric "Symmetric" [Symmetric<Element<f64>>]
}
