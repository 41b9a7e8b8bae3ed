//! Literals and operands that have no type in common with what they meet.

use looplets::prelude::*;

finch! {
    fn too_large(a: &DenseVec<u8>) -> (y: DenseVec<u8>) { for i { y[i] = a[i] * 256 } }
    fn too_small(a: &DenseVec<i8>) -> (y: DenseVec<i8>) { for i { y[i] = a[i] - 129 } }
    fn no_fill(a: &Tensor<SparseList<Element<u8, Const<300>>>>, s: &mut u64) { for i { s += a[i] } }
    fn no_parameter(a: &Tensor<SparseList<Element<u64, Const<18446744073709551615>>>>, s: &mut u64) { for i { s += a[i] } }
    fn narrower(x: &DenseVec<f64>) -> (y: DenseVec<f32>) { for i { y[i] = 0.5 * x[i] } }
    fn dereferenced(x: &DenseVec<f64>, step: &mut f64, s: &mut f64) { step = 2; for i { s += x[i] * $(*step) } }
    fn no_negative(x: &DenseVec<u8>, y: &mut i64, n: usize) { for i { y += -x[i] } for i { y += x[i] * -n } }
    fn of_a_coordinate(x: &DenseVec<f64>, s: &mut f64, n: usize, d: u8) { for i in -n..n { s += coalesce(x[permit[offset(-d)[i]]], 0) } }
    fn logical(a: &DenseVec<i32>, n: &mut f64) -> (c: DenseVec<i32>) { for i { c[i] &&= a[i] } for i { n ||= a[i] > 0 } }
    fn constants(a: &DenseVec<u8>) -> (c: DenseVec<u8>) { for i { c[i] = a[i] + u16::MAX } for i { c[i] = std::f64::consts::PI } }
    fn whole(a: &DenseVec<bool>) -> (c: DenseVec<bool>) { for i { c[i] = a[i] + a[i] } }
    fn below(a: &DenseVec<u8>) -> (c: DenseVec<u8>[-1]) { for i in 0..0 { c[i] = a[i] } }
    fn not_of_floats(x: &DenseVec<f64>, n: &mut u64) { for i { n += !x[i] } }
}

fill! { pub fill Big: u16, u32 = 70_000; }
fill! { pub fill Half: f64, i32 = 0.5; }
fill! { pub fill Unknown: f32, u8 = nan; }

fn main() {}
