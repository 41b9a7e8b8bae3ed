use looplets::prelude::*;

finch! { #![schedule] fn nothing(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule()] fn empty(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(transpose(a))] fn word(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(spread)] fn of_what(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(spread(a, x))] fn two(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(spread(z))] fn other(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(spread(x))] fn dense(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(first(a, x))] fn parts(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * b[j, k] * x[k] } }
finch! { #![schedule(order(j, i))] fn against(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j + 1] * x[j] } }
finch! { #![schedule(order(i, k))] fn no_loop(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(way(0))] fn from_one(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(way(2))] fn one_way(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(at_once)] fn written(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } } }
finch! { #![schedule(workspace(c))] fn no_format(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, k] * b[k, j] } }
finch! { #![schedule(workspace(c: Tensor<SparseList<Element<f64>>>))] fn in_order(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, k] * b[k, j] } }
finch! { #![schedule(workspace(c: Tensor<Spa<Element<f32>>>))] fn other_elements(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, k] * b[k, j] } }
finch! { #![schedule(workspace(c: Csr<f64>))] fn of_two(a: &Csr<f64>, b: &SparseVec<f64>) -> (c: SparseVec<f64>) { c[j] += a[i, j] * b[i] } }
finch! { #![schedule(workspace(b: Tensor<Spa<Element<f64>>>))] fn not_copied(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, k] * b[k, j] } }
finch! { #![schedule(workspace(x: DenseVec<f64>))] fn copied(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(locate(z))] fn not_there(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(locate(x))] fn not_looked_up(a: &Csr<f64>, x: &Tensor<RunList<Element<f64>>>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(tile(0))] fn no_tile(a: &Csr<f64>, x: &DenseMat<f64>) -> (y: DenseMat<f64>) { y[i, k] += a[i, j] * x[j, k] } }
finch! { #![schedule(tile(6))] fn six_in_a_tile(a: &Csr<f64>, x: &DenseMat<f64>) -> (y: DenseMat<f64>) { y[i, k] += a[i, j] * x[j, k] } }
finch! { #![schedule(tile(8, 4))] fn tiles(a: &Csr<f64>, x: &DenseMat<f64>) -> (y: DenseMat<f64>) { y[i, k] += a[i, j] * x[j, k] } }
finch! { #![schedule(tile(8), tile(4))] fn two_tiles(a: &Csr<f64>, x: &DenseMat<f64>) -> (y: DenseMat<f64>) { y[i, k] += a[i, j] * x[j, k] } }
finch! { #![schedule(ways(2), ways(5))] fn ways_twice(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(inside)] fn inside_of_none(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(locate(x))] fn has_places(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(inside)] fn all_written(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } } }

fn inline(a: &Csr<f64>, x: &DenseVec<f64>) -> f64 {
    let mut s = 0.0;
    finch! { #![schedule(spread(x))] <a: Csr<f64>, x: DenseVec<f64>, mut s: f64> for i, j { s += a[i, j] * x[j] } }
    s
}

fn main() {}
finch! { #![schedule(tile(8))] fn no_rows(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(late(m))] fn overflows(m: &Csr<bool>, a: &Csr<i64>, b: &Csr<i64>) -> (c: Csr<i64>) { if m[i, j] { c[i, j] += a[i, k] * b[k, j] } } }
