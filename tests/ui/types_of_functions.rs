//! What a function gives only rustc knows: where it does not fit, rustc points at the call.
use looplets::prelude::*;

fn whole(k: usize) -> usize { k }
fn half(x: f64) -> f64 { x / 2.0 }
fn name(_: f64) -> String { String::new() }

finch! {
    fn added(a: &DenseVec<f64>) -> (y: DenseVec<f64>) { for k { y[k] = whole(k) + a[k] } }
    fn position(a: &DenseVec<f64>, s: &mut f64) { for k in 0..3 { s += a[half(2.0)] } }
    fn bound(a: &DenseVec<f64>, s: &mut f64) { for k in 0..half(2.0) { s += a[k] } }
    fn words(a: &DenseVec<f64>, s: &mut f64) { for k { s += name(a[k]) } }
    fn condition(a: &DenseVec<f64>, s: &mut f64) { for k { if name(a[k]) { s += 1 } } }
}

fn main() {}
