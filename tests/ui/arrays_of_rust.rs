//! Arrays of Rust where a kernel cannot take them: each mistake at its token, with what to write.
use looplets::prelude::*;

finch! { fn by_reference(x: &Vec<f64>, s: &mut f64) { s += x[i] } }
finch! { fn by_value(x: Vec<f64>, s: &mut f64) { s += x[i] } }
finch! { fn updated(y: &mut Vec<f64>) { for i { y[i] *= 2 } } }
finch! { fn of_a_path(x: &std::vec::Vec<f64>, s: &mut f64) { s += x[i] } }
finch! { fn fixed(x: &[f64; 3], s: &mut f64) { s += x[i] } }
finch! { fn boxed(x: Box<[f64]>, s: &mut f64) { s += x[i] } }
finch! { fn slice_by_value(x: [f64], s: &mut f64) { s += x[i] } }
finch! { fn twice_borrowed(x: &&[f64], s: &mut f64) { s += x[i] } }
finch! { fn two_indices(x: &[f64], s: &mut f64) { s += x[i, j] } }
finch! { fn rows(x: &[Vec<f64>], s: &mut f64) { s += x[i, j] } }
finch! { fn rows_of_rows(x: &[&[f64]], s: &mut f64) { s += x[i, j] } }
finch! { fn no_index(x: &[f64], s: &mut f64) { s += x[i] * x } }
finch! { fn made(x: &[f64]) -> (y: [f64]) { y[i] = x[i] } }
finch! { fn made_fixed(x: &[f64]) -> (y: [f64; 3]) { y[i] = x[i] } }
finch! { fn made_borrowed(x: &[f64]) -> (y: &mut [f64]) { y[i] = x[i] } }
finch! { fn workspace(x: &[f64]) -> (y: Vec<f64>) { for i { let mut w: [f64]; for j { w[j] = x[j] }; for j { y[i] += w[j] } } } }
finch! { fn written(x: &[f64]) { for i { x[i] = 0 } } }
finch! { fn removed(x: &mut [f64]) { for i { remove x[i] } } }
finch! { fn inside(x: &Tensor<Dense<Vec<f64>>>, s: &mut f64) { s += x[i] } }
finch! { fn slice_inside(x: &Tensor<[f64]>, s: &mut f64) { s += x[i] } }
finch! { fn undeclared(s: &mut f64) { s += x[i] } }
finch! { fn other_memory(x: &[f64], y: Vec<f64>) -> (y: DenseVec<f64>) { y[i] = x[i] } }
finch! { fn words(x: &[&str], s: &mut f64) { s += x[i] } }

fn main() {
    let (x, mut y) = (vec![1.0], vec![1.0]);
    finch! { <x: Vec<f64>, mut y: [f64]> for i { y[i] = x[i] } }
    finch! { <x: [f64], mut y: Vec<f64>> for i { y[i] = x[i] } }
    finch! { <x: &[f64], mut y: [f64]> for i { y[i] = x[i] } }
}
