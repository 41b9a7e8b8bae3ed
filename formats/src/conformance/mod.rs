//! A conformance suite that any format crate runs: what the declaration of a level says, compared with
//! what its tensors hold and with what kernels read and write of it.

mod change;
mod inputs;
mod read;
mod scan;
mod suite;
mod tensors;
mod values;
mod write;

pub use change::changes;
pub use inputs::Input;
pub use suite::{Number, Plain, Suite};
pub use tensors::refused;
pub use values::Hostile;

/// The result of a kernel that updates a number which was `start`.
pub fn number(start: f64, kernel: impl FnOnce(&mut f64)) -> Vec<f64> {
    let mut c = start;
    kernel(&mut c);
    vec![c]
}

/// `f` of each pair of elements.
pub fn zip(x: &Plain, y: &Plain, f: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    x.x.iter().zip(&y.x).map(|(x, y)| f(*x, *y)).collect()
}

/// Parts of a dimension of size `n`.
pub fn parts(n: i64) -> Vec<(i64, i64)> {
    vec![(0, n), (n / 3, n / 2), (n - n.min(1), n), (n.min(1), n), (n / 2, n / 2)]
}

/// Distances to move by, and sizes to be seen through.
pub fn shifts(n: i64) -> Vec<(i64, i64)> {
    vec![(0, n), (2, n + 4), (-3, n), (n + 1, n + 3), (-n - 2, 3)]
}

/// One try without numbers.
pub fn once(_: i64) -> Vec<(i64, i64)> {
    vec![(0, 0)]
}

/// Tests a level: that tensors of it hold what they are made of, that kernels read what they hold by
/// every protocol and beside every sort of other format, and that what kernels write is there.
///
/// In a test of the crate that declares the level (`tests/conformance.rs`, say), with the level in scope:
///
/// ```
/// # use looplets_formats as looplets;
/// use looplets::*;
///
/// looplets::conformance! {
///     mod sparse_list: SparseList;
///     read walk, gallop, locate;
///     also follow, lead;
///     write append;
///     coordinates u8, u64;
///     leaf Pattern;
///     refuse {
///         "a coordinate is beyond the size": SparseList::new(3, vec![0, 1], vec![7], Element::new(vec![1.0])),
///     }
/// }
/// # fn main() {}
/// ```
///
/// is a module `sparse_list` of `#[test]` functions. Clauses come in this order, and only the first two
/// are needed. Values are fractions of which sums are exact, and where they are copied all that a float can be:
///
/// | clause | says |
/// |---|---|
/// | `mod name: Level;` | the module to make (of another name than the crate), and the level, which stands over `Element<f64>` and has no other parameter without default |
/// | `mod name: Level in square matrices;` | its fibers are rows of square matrices: it is tested as `Dense<Level<..>>` |
/// | `mod name: Level below Above;` | its fibers are ranges of entries, which `Above` names: it is tested as `Above<Level<..>>` |
/// | `read p, q;` | the protocols it can be read by; of a level whose entries are in no order `scan` is the first |
/// | `also r;` | protocols that are read as one of those: they are tried briefly |
/// | `write order;` | kernels can write it: `append`, `insert` or `locate` as the declaration says |
/// | `write order over Below;` | the same, of a level whose entries move: what stands below it then is not `SparseList` but `Below`, which can follow |
/// | `coordinates u8, u64;` | its second parameter is a type of coordinates; it is tried with these |
/// | `leaf Pattern;` | it can stand over a leaf without values |
/// | `holds cut;` | it holds a restricted family, see below |
/// | `parts make;` | tensors of it are made of parts, see below; without it, of entries |
/// | `refuse { "reason": root, .. }` | levels that [`Tensor::from_parts`](crate::Tensor::from_parts) must refuse |
///
/// `holds` has a function that makes any input one that the level can hold: it gets the entries of a
/// vector or matrix, row by row, as `&mut [Option<f64>]`, and the number of columns, and sets to `None`
/// what is not in the family. What remains when entries outside of a range are left out must be in the
/// family as well.
///
/// `parts` has a function of the number of rows, that of columns, the entries as `&[Option<f64>]`, and
/// the fill as `f64`; it gives the level with that many rows as fibers. It is for levels without `write`.
///
/// A failure names the format, the protocol, the operation and the input. Kernels have `unsafe` blocks, so
/// the suite stands in no file that forbids them.
#[macro_export]
macro_rules! conformance {
    (
        mod $name:ident: $L:ident;
        read $($p:ident),+;
        $(also $($alike:ident),+;)?
        $(write $order:ident $(over $below:ident)?;)?
        $(coordinates $($Ix:ident),+;)?
        $(leaf $leaf:ident;)?
        $(holds $cut:expr;)?
        $(parts $parts:expr;)?
        $(refuse { $($why:literal: $bad:expr),* $(,)? })?
    ) => {
        $crate::__conformance_vector_level! {
            $name $L [$($p)+] [$($p)+] [$($($alike)+)?] [$($order [$($below)?])?] [$($($Ix)+)?] [$($leaf)?] [$($cut)?] [$($parts)?]
            [$($([$why $bad])*)?]
        }
    };
    (
        mod $name:ident: $L:ident in square matrices;
        read $($p:ident),+;
        $(also $($alike:ident),+;)?
        $(write $order:ident;)?
        $(holds $cut:expr;)?
        $(parts $parts:expr;)?
        $(refuse { $($why:literal: $bad:expr),* $(,)? })?
    ) => {
        $crate::__conformance_matrix_level! {
            $name $L Dense [square] [$($p)+ $($($alike)+)?] [$($order)?] [$($cut)?] [$($parts)?]
            [$($([$why $bad])*)?]
        }
    };
    (
        mod $name:ident: $L:ident below $Above:ident;
        read $($p:ident),+;
        $(also $($alike:ident),+;)?
        $(write $order:ident;)?
        $(holds $cut:expr;)?
        $(refuse { $($why:literal: $bad:expr),* $(,)? })?
    ) => {
        $crate::__conformance_matrix_level! {
            $name $L $Above [] [$($p)+ $($($alike)+)?] [$($order)?] [$($cut)?] []
            [$($([$why $bad])*)?]
        }
    };
}

/// [`conformance!`] of a level that stands below another, with its clauses in brackets.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_matrix_level {
    (
        $name:ident $L:ident $Above:ident [$($square:ident)?] [$($p:ident)+] [$($order:ident)?] [$($cut:expr)?]
        [$($parts:expr)?] [$([$why:literal $bad:expr])*]
    ) => {
        #[cfg(test)]
        #[allow(unused, missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]
        mod $name {
            use super::*;
            $crate::__conformance_tested! { $L $Above }

            fn rows(way: &'static str) -> $crate::conformance::Suite<tested::Rows> {
                $crate::conformance::Suite::new(way)$(.$square())?$(.holding($cut))?$(.rows_of($parts))?
            }

            #[test]
            fn tensors() {
                rows("hand").holds();
            }
            $(
                mod $p {
                    use super::{rows as suite, tested::*};
                    $crate::__conformance_rows! { $p }
                }
            )+
            $($crate::__conformance_below! { $order })?
            #[test]
            fn refusals() {
                $($crate::conformance::refused::<tested::Rows>($why, $bad);)*
            }
        }
    };
}

/// [`conformance!`] of a level of vectors, with its clauses in brackets.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_vector_level {
    (
        $name:ident $L:ident [$($p:ident)+] $ps:tt [$($alike:ident)*] [$($order:ident $over:tt)?] [$($Ix:ident)*] [$($leaf:ident)?] $cut:tt
        [$($parts:expr)?] [$([$why:literal $bad:expr])*]
    ) => {
        #[cfg(test)]
        #[allow(unused, missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]
        mod $name {
            use super::*;
            $crate::__conformance_tested! { $L Dense }

            fn holding<L>(way: &'static str) -> $crate::conformance::Suite<L>
            where
                L: $crate::Level<Value: $crate::conformance::Number> + 'static,
            {
                $crate::__conformance_suite! { way $cut }
            }
            fn vectors(way: &'static str) -> $crate::conformance::Suite<tested::Vector> {
                holding(way)$(.made_of($parts))?
            }
            fn ones(way: &'static str) -> $crate::conformance::Suite<tested::Ones> {
                holding(way)$(.made_of($parts))?
            }
            fn rows(way: &'static str) -> $crate::conformance::Suite<tested::Rows> {
                holding(way)$(.rows_of($parts))?
            }

            #[test]
            fn tensors() {
                vectors("hand").holds();
                ones("hand").holds();
                rows("hand").holds();
            }
            $(
                mod $p {
                    mod alone {
                        use super::super::{tested::*, vectors as suite};
                        $crate::__conformance_vectors! { $p }
                    }
                    mod below {
                        use super::super::{rows as suite, tested::*};
                        $crate::__conformance_rows! { $p }
                    }
                    mod filled {
                        use super::super::{ones as suite, tested::*};
                        $crate::__conformance_filled! { $p }
                    }
                }
            )+
            $(
                mod $alike {
                    use super::{tested::*, vectors as suite};
                    $crate::__conformance_brief! { $alike TestedVec }
                }
            )*
            $($crate::__conformance_write! { $order $over $cut $ps })?
            $($crate::__conformance_narrow! { $Ix $ps })*
            $($crate::__conformance_leaf! { $leaf $ps })?
            #[test]
            fn refusals() {
                $($crate::conformance::refused::<tested::Vector>($why, $bad);)*
            }
        }
    };
}

/// The suite of what is read or written in a way, restricted if it is.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_suite {
    ($way:ident []) => {
        $crate::conformance::Suite::new($way)
    };
    ($way:ident [$cut:expr]) => {
        $crate::conformance::Suite::new($way).holding($cut)
    };
}

/// The names that kernels of the suite use, and the types it makes tensors of.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_tested {
    ($L:ident Dense) => {
        $crate::__conformance_tested! { $L [$crate::Dense] }
    };
    ($L:ident $Above:ident) => {
        $crate::__conformance_tested! { $L [super::super::$Above] }
    };
    ($L:ident [$($Above:tt)*]) => {
        mod tested {
            pub(super) use super::super::$L as Under;
            pub(super) use $($Above)* as Above;
            pub(super) use $crate::conformance::{number, once, parts, shifts, zip, Plain};
            pub(super) use $crate::{
                Csr, Dcsr, Dense, DenseMat, DenseVec, Element, Hash, One, RunList, SparseBand,
                SparseList, SparseVec, Tensor,
            };
            $crate::level! { pub(super) type RunVec = Tensor<RunList<Element<f64>>>; }
            $crate::level! { pub(super) type RunRows = Tensor<Dense<RunList<Element<f64>>>>; }
            $crate::level! { pub(super) type BandVec = Tensor<SparseBand<Element<f64>>>; }
            $crate::level! { pub(super) type TestedVec = Tensor<Under<Element<f64>>>; }
            $crate::level! { pub(super) type TestedOnes = Tensor<Under<Element<f64, One>>>; }
            $crate::level! { pub(super) type TestedRows = Tensor<Above<Under<Element<f64>>>>; }
            pub(super) type Vector = Under<Element<f64>>;
            pub(super) type Ones = Under<Element<f64, One>>;
            pub(super) type Rows = Above<Vector>;
        }
    };
}

/// What is tested of a level that kernels write.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_write {
    ($order:ident [] $cut:tt $ps:tt) => {
        $crate::__conformance_write! { $order [$crate::SparseList] $cut $ps }
    };
    ($order:ident [$below:ident] $cut:tt $ps:tt) => {
        $crate::__conformance_write! { $order [super::super::$below] $cut $ps }
    };
    ($order:ident [$($below:tt)+] $cut:tt $ps:tt) => {
        mod written {
            use super::{holding, rows as rows_of, tested::*, vectors};
            use $($below)+ as Lower;
            $crate::level! { type TestedLists = Tensor<SparseList<Under<Element<f64>>>>; }
            $crate::level! { type TestedOver = Tensor<Under<Lower<Element<f64>>>>; }
            $crate::__conformance_written! {}
            mod any {
                use super::*;
                $crate::__conformance_written_any! { $cut }
                $crate::__conformance_written_sum! { $cut $ps }
                $crate::__conformance_scattered! { $order $cut }
            }
        }
    };
}

/// What is tested of a level with a type of coordinates.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_narrow {
    ($Ix:ident [$($p:ident)+]) => {
        mod $Ix {
            mod tested {
                pub(super) use super::super::tested::*;
                $crate::level! { pub(super) type TestedNarrow = Tensor<Under<Element<f64>, $Ix>>; }
            }
            use super::holding;
            use super::tested::*;
            #[test]
            fn sizes() {
                holding::<Under<Element<f64>, $Ix>>("hand").fits(<$Ix as $crate::Index>::MAX);
            }
            $(
                mod $p {
                    use super::{holding as suite, tested::*};
                    $crate::__conformance_brief! { $p TestedNarrow }
                }
            )+
        }
    };
}

/// What is tested of a level over a leaf without values.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_leaf {
    ($leaf:ident [$($p:ident)+]) => {
        mod set {
            mod tested {
                pub(super) use super::super::tested::*;
                pub(super) use $crate::$leaf;
                $crate::level! { pub(super) type TestedSet = Tensor<Under<$leaf>>; }
            }
            use super::holding;
            use tested::*;
            #[test]
            fn tensors() {
                holding::<Under<$leaf>>("hand").holds();
            }
            $(
                mod $p {
                    use super::{holding as suite, tested::*};
                    $crate::__conformance_set! { $p }
                }
            )+
        }
    };
}
