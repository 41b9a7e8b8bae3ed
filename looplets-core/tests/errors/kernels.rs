//! Kernels that are well-formed and mean nothing.

use super::sources::*;

#[test]
fn names_that_mean_nothing() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = b[i] * x[i] } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i]; z[i] = x[i] } }",
        "fn k(x: &DenseVec<f64>) { for i { s += x[i] } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i] }; pass z }",
    ]), @r#"
    fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = b[i] * x[i] } }
      1:64: unknown tensor `b`: name it in the header with its format, or, for a Rust array, as `b: &[T]`
    fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i]; z[i] = x[i] } }
      1:70: unknown tensor `z`: name it in the header as an output, `-> (z: Format)`, or as `z: &mut Format`, or, for a workspace of each iteration, write `let mut z: Format;` first in that loop
    fn k(x: &DenseVec<f64>) { for i { s += x[i] } }
      1:35: unknown scalar `s`: declare it in the header, `s: &mut T`, or with `let mut s: T;`
    fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i] }; pass z }
      1:77: unknown result `z`: `pass` names outputs of the header
    "#);
}

#[test]
fn names_that_mean_something_else() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x + x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += i[i] * x[i] } }",
        "fn k(x: &DenseVec<f64>, c: f64, s: &mut f64) { for i { s += c[i] * x[i] } }",
        "fn k(y: &mut DenseVec<f64>, x: &DenseVec<f64>) { for i { y[i] = x[i]; y = 1.0 } }",
        "fn k(x: &DenseVec<f64>, c: f64) { for i { c += x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { i = 3; s += x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { let t = 2; for i { t += x[i] }; s += t }",
        "fn k(x: &DenseVec<f64>, x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] } }",
        "fn k(x: DenseVec<f64>, s: &mut f64) { for i { s += x[i] } }",
        "fn k(x: &DenseVec<f64>, y: SparseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i] } }",
        "fn k(x: &DenseVec<f64>, y: DenseVec<f64>, y: DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i] } }",
        "fn k(x: &DenseVec<f64>, y: &mut DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i] } }",
        "fn k(x: &DenseVec<f64>, c: &mut f64) { for i { c[i] += x[i] } }",
        "fn k(x: &DenseVec<f64>, s: f64) -> (s: f64) { for i { s += x[i] } }",
        "fn k(x: &DenseVec<f64>) -> (s: f64[3]) { for i { s += x[i] } }",
        "fn k(x: &DenseVec<f64>) -> (s: f64, t: f64) { for i { s += x[i] } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64> = 1) { for i { y[i] += x[i] } }",
        "fn k(x: &DenseVec<f64>) -> f64 { x[i] }",
        "fn k(x: &DenseVec<f64>) -> f64 { let mut t: f64; t += x[i]; }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += b[i] * b[i]; s += b[i]; t += x[i]; t += x[i] } }",
        "<x: DenseVec<f64>, c: f64> for i { c += x[i] }",
        "<x: DenseVec<f64>> for i { z[i] = x[i] }",
    ]), @r#"
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x + x[i] } }
      1:53: `x` is a tensor of 1 dimension: give its indices, `x[i]`
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += i[i] * x[i] } }
      1:53: `i` is a loop index, not a tensor: write `i` without indices
    fn k(x: &DenseVec<f64>, c: f64, s: &mut f64) { for i { s += c[i] * x[i] } }
      1:61: `c` is a scalar (`f64`), not a tensor: write `c` without indices, or declare it with a format of 1 dimension
    fn k(y: &mut DenseVec<f64>, x: &DenseVec<f64>) { for i { y[i] = x[i]; y = 1.0 } }
      1:71: `y` is a tensor of 1 dimension: give its indices, `y[i]`
    fn k(x: &DenseVec<f64>, c: f64) { for i { c += x[i] } }
      1:43: `c` is an input and cannot be assigned: declare it `c: &mut f64`
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { i = 3; s += x[i] } }
      1:48: `i` is a loop index and cannot be assigned
    fn k(x: &DenseVec<f64>, s: &mut f64) { let t = 2; for i { t += x[i] }; s += t }
      1:59: `t` is a definition and cannot be assigned: declare it with `let mut t: T;`
    fn k(x: &DenseVec<f64>, x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] } }
      1:25: `x` is declared twice: choose another name
    fn k(x: DenseVec<f64>, s: &mut f64) { for i { s += x[i] } }
      1:6: the tensor `x` is passed by value: write `x: &DenseVec<f64>` to read it, or `x: &mut DenseVec<f64>` to update it
    fn k(x: &DenseVec<f64>, y: SparseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i] } }
      1:25: the output `y` is made in the memory of the tensor passed as `y`, so both have one type: write `y: DenseVec<f64>`
    fn k(x: &DenseVec<f64>, y: DenseVec<f64>, y: DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i] } }
      1:43: `y` is declared twice: choose another name
    fn k(x: &DenseVec<f64>, y: &mut DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i] } }
      1:52: `y` is declared twice: leave out `y: &mut DenseVec<f64>` to make it new, or `-> (y: DenseVec<f64>)` to update what is passed
    fn k(x: &DenseVec<f64>, c: &mut f64) { for i { c[i] += x[i] } }
      1:48: `c` is a scalar (`f64`), not a tensor: write `c` without indices, or declare it with a format of 1 dimension
    fn k(x: &DenseVec<f64>, s: f64) -> (s: f64) { for i { s += x[i] } }
      1:37: `s` is declared twice: give the result another name, `total: f64 = s` if it starts at what is passed
    fn k(x: &DenseVec<f64>) -> (s: f64[3]) { for i { s += x[i] } }
      1:29: the output `s` is a scalar (`f64`), which has no sizes: leave them out, or give a format
    fn k(x: &DenseVec<f64>) -> (s: f64, t: f64) { for i { s += x[i] } }
      1:37: the output `t` is never written: assign to it, or leave it out
    fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64> = 1) { for i { y[i] += x[i] } }
      1:46: the tensor `y` starts at the fill of its format: declare another one there by a marker of its own, or write all of it first
    fn k(x: &DenseVec<f64>) -> f64 { x[i] }
      1:36: no loop binds `i`: write `for i { .. }` around this, or have the loops that lack within written ones added, by `#![schedule(inside)]`; a constant of Rust is written by its path, `self::i`
    fn k(x: &DenseVec<f64>) -> f64 { let mut t: f64; t += x[i]; }
      (parse) 1:28: the function returns a value that its body does not end with: write the value last, without `;`, or name the result, as in `-> (s: f64) { s += .. }`
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += b[i] * b[i]; s += b[i]; t += x[i]; t += x[i] } }
      1:53: unknown tensor `b`: name it in the header with its format, or, for a Rust array, as `b: &[T]`
      1:77: unknown scalar `t`: declare it in the header, `t: &mut T`, or with `let mut t: T;`
    <x: DenseVec<f64>, c: f64> for i { c += x[i] }
      1:36: `c` is an input and cannot be assigned: declare it `mut c: f64`
    <x: DenseVec<f64>> for i { z[i] = x[i] }
      1:28: unknown tensor `z`: name it in the header as an output, `-> (z: Format)`, or as `mut z: Format`, or, for a workspace of each iteration, write `let mut z: Format;` first in that loop
    "#);
}

#[test]
fn indices() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &Csr<f64>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Csr<f64>, s: &mut f64) { for i, j { s += a[i] } }",
        "fn k(a: &Csr<f64>, s: &mut f64) { for i, j, k { s += a[i, j, k] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[] } }",
        "fn k(a: &Csr<f64>) -> (y: DenseVec<f64>) { for i, j { y[i, j] += a[i, j] } }",
        "fn k(a: &Csr<f64>, s: &mut f64) { for i, i { s += a[i, i] } }",
        "fn k(a: &Csr<f64>, s: &mut f64) { for i { for j { for i { s += a[i, j] } } } }",
        "fn k(a: &Csr<f64>, s: &mut f64) { for a, j { s += a[a, j] } }",
        "fn k(a: &Csr<f64>, s: &mut f64) { for s, j { s += a[s, j] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i in 0..9223372036854775807 { s += x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i + 9223372036854775807] } }",
    ]), @r#"
    fn k(a: &Csr<f64>, s: &mut f64) { for i { s += a[i] } }
      1:48: `a` has 2 dimensions: give 2 indices, not 1
    fn k(a: &Csr<f64>, s: &mut f64) { for i, j { s += a[i] } }
      1:51: `a` has 2 dimensions: give 2 indices, not 1
    fn k(a: &Csr<f64>, s: &mut f64) { for i, j, k { s += a[i, j, k] } }
      1:54: `a` has 2 dimensions: give 2 indices, not 3
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[] } }
      1:53: `x` has 1 dimension: give 1 index, not 0
    fn k(a: &Csr<f64>) -> (y: DenseVec<f64>) { for i, j { y[i, j] += a[i, j] } }
      1:55: `y` has 1 dimension: give 1 index, not 2
    fn k(a: &Csr<f64>, s: &mut f64) { for i, i { s += a[i, i] } }
      1:42: index `i` is bound twice: `i` is already bound by a loop around this one; rename one
    fn k(a: &Csr<f64>, s: &mut f64) { for i { for j { for i { s += a[i, j] } } } }
      1:55: index `i` is bound twice: `i` is already bound by a loop around this one; rename one
    fn k(a: &Csr<f64>, s: &mut f64) { for a, j { s += a[a, j] } }
      1:39: index `a` is bound twice: `a` is already a tensor; rename one
    fn k(a: &Csr<f64>, s: &mut f64) { for s, j { s += a[s, j] } }
      1:39: index `s` is bound twice: `s` is already a scalar; leave `s` out of the `for` to take that one alone, or rename one
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i in 0..9223372036854775807 { s += x[i] } }
      1:52: the coordinate 9223372036854775807 is too large: coordinates lie within -2^61 .. 2^61
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i + 9223372036854775807] } }
      1:59: the coordinate 9223372036854775807 is too large: coordinates lie within -2^61 .. 2^61
    "#);
}

#[test]
fn operators() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += ifelse(x[i], 1) } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += min() + x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += coalesce() + x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s <<ifelse>>= x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += not(x[i], x[i]) } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] ** 2 } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] @ x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s <<==>>= x[i] } }",
    ]), @r#"
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += ifelse(x[i], 1) } }
      1:53: `ifelse(cond, a, b)` takes 3 arguments, found 2
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += min() + x[i] } }
      1:53: `min(a, b, ..)` takes at least 1 argument, found 0
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += coalesce() + x[i] } }
      1:53: `coalesce(a, b, ..)` takes at least 1 argument, found 0
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s <<ifelse>>= x[i] } }
      1:52: a reduction needs an operator of two arguments, such as `min`; `ifelse` takes 3
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += not(x[i], x[i]) } }
      1:53: `not(a)` takes 1 argument, found 2
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] ** 2 } }
      (parse) 1:58: unknown operator `**`; a power is a call such as `powi(x, 2)` or `powf(x, y)`
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] @ x[i] } }
      (parse) 1:58: unknown operator `@`; a product is a sum over what both share: write `y[i] += a[i, j] * x[j]` for a matrix and a vector, and `c[i, j] += a[i, k] * b[k, j]` for two matrices
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s <<==>>= x[i] } }
      (parse) 1:52: `==` compares and is no reduction: write an operator such as `min` or `and`
    "#);
}

// ---- formats -------------------------------------------------------------------------------------

#[test]
fn types_that_are_no_formats() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &Vec<f64>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &my::Csr<f64>, s: &mut f64) { for i, j { s += a[i, j] } }",
        "fn k(a: &[f64], s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<Dense<f64>>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<Dense<(f64, f64)>>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<Dense<Zero>>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<Dense<Element<f64, Dense>>>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<Dense<Element<f64, Seven>>>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Upside, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Csr<f64>) -> (y: Vec<f64>) { for i, j { y[i] += a[i, j] } }",
        "fn k(a: &Csr<f64>, s: &mut f64) { for i { let mut w: Rows<f64>; for j { w[j] = a[i, j] } } }",
        "fn k<L: Level>(a: &Tensor<L>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<Dense<Tensor<Element<f64>>>>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<Dense<3>>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<Dense<Element<f64, u32>>>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<Dense<Element<f64, 0>>>, s: &mut f64) { for i { s += a[i] } }",
        "fn k<T>(a: &Csr<T>, t: &T, s: &mut T) { for i, j { s += a[i, j] * t[i] } }",
    ]), @r#"
    fn k(a: &Vec<f64>, s: &mut f64) { for i { s += a[i] } }
      1:10: a kernel borrows arrays as slices: write `a: &[f64]`, and pass `&a`
    fn k(a: &my::Csr<f64>, s: &mut f64) { for i, j { s += a[i, j] } }
      1:10: `my::Csr` is not a format: no `level!` of that name is in scope
    fn k(a: &[f64], s: &mut f64) { for i { s += a[i] } }
      no error
    fn k(a: &Tensor<Dense<f64>>, s: &mut f64) { for i { s += a[i] } }
      1:23: `f64` is a type of values, not a format: a tensor ends in a leaf that holds them, `Element<f64>`
    fn k(a: &Tensor<Dense<(f64, f64)>>, s: &mut f64) { for i { s += a[i] } }
      1:23: expected a format: an alias, or a level for each dimension around a leaf, `Tensor<Dense<Element<f64>>>`
    fn k(a: &Tensor<Dense<Zero>>, s: &mut f64) { for i { s += a[i] } }
      1:23: `Zero` is a fill marker, not a format: it goes inside a leaf, behind the type of its values
    fn k(a: &Tensor<Dense<Element<f64, Dense>>>, s: &mut f64) { for i { s += a[i] } }
      1:36: `Dense` is a format, not a fill marker, the name of a `fill!`
    fn k(a: &Tensor<Dense<Element<f64, Seven>>>, s: &mut f64) { for i { s += a[i] } }
      1:36: `Seven` is not a fill marker: no `fill!` of that name is in scope
    fn k(a: &Upside, s: &mut f64) { for i { s += a[i] } }
      1:10: `Sideways` (in the format that `Upside` stands for) is not a format: no `level!` of that name is in scope
    fn k(a: &Csr<f64>) -> (y: Vec<f64>) { for i, j { y[i] += a[i, j] } }
      no error
    fn k(a: &Csr<f64>, s: &mut f64) { for i { let mut w: Rows<f64>; for j { w[j] = a[i, j] } } }
      1:20: the output `s` is never written: assign to it, or pass it by value
      1:54: `Rows` is not a format: no `level!` of that name is in scope
    fn k<L: Level>(a: &Tensor<L>, s: &mut f64) { for i { s += a[i] } }
      1:27: `L` is a type parameter: a kernel is compiled for one format, and only the types of values and coordinates can be parameters
    fn k(a: &Tensor<Dense<Tensor<Element<f64>>>>, s: &mut f64) { for i { s += a[i] } }
      1:23: `Tensor` stands around all levels: write the format here without it
    fn k(a: &Tensor<Dense<3>>, s: &mut f64) { for i { s += a[i] } }
      1:23: expected a format: an alias, or a level for each dimension around a leaf, `Tensor<Dense<Element<f64>>>`
    fn k(a: &Tensor<Dense<Element<f64, u32>>>, s: &mut f64) { for i { s += a[i] } }
      1:36: `u32` is a type of values, not a fill marker, the name of a `fill!`
    fn k(a: &Tensor<Dense<Element<f64, 0>>>, s: &mut f64) { for i { s += a[i] } }
      1:36: expected a fill marker, the name of a `fill!`: write `Zero`
    fn k<T>(a: &Csr<T>, t: &T, s: &mut T) { for i, j { s += a[i, j] * t[i] } }
      1:25: `T` is a type parameter: a kernel is compiled for one format, and only the types of values and coordinates can be parameters
    "#);
}

#[test]
fn arguments_of_formats() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &Csr, s: &mut f64) { for i, j { s += a[i, j] } }",
        "fn k(a: &Csr<>, s: &mut f64) { for i, j { s += a[i, j] } }",
        "fn k(a: &Csr<f64, u32, u8>, s: &mut f64) { for i, j { s += a[i, j] } }",
        "fn k(a: &Tensor<Dense>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<Dense<Element<f64>, u32>>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<Dense<SparseList<Element<f64>, u32, u8>>>, s: &mut f64) { for i, j { s += a[i, j] } }",
        "fn k(a: &Tensor<Dense<Pattern<bool>>>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<Dense<Element<f64>>, u32>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<Dense<Element<f64, Const>>>, s: &mut f64) { for i { s += a[i] } }",
    ]), @r#"
    fn k(a: &Csr, s: &mut f64) { for i, j { s += a[i, j] } }
      1:10: `Csr<T, Ix, F>` takes 1 to 3 arguments, found 0
    fn k(a: &Csr<>, s: &mut f64) { for i, j { s += a[i, j] } }
      1:10: `Csr<T, Ix, F>` takes 1 to 3 arguments, found 0
    fn k(a: &Csr<f64, u32, u8>, s: &mut f64) { for i, j { s += a[i, j] } }
      1:24: `u8` is a type of values, not a fill marker, the name of a `fill!`
    fn k(a: &Tensor<Dense>, s: &mut f64) { for i { s += a[i] } }
      1:17: `Dense<Child>` takes 1 argument, found 0
    fn k(a: &Tensor<Dense<Element<f64>, u32>>, s: &mut f64) { for i { s += a[i] } }
      1:37: `Dense<Child>` takes 1 argument, found 2
    fn k(a: &Tensor<Dense<SparseList<Element<f64>, u32, u8>>>, s: &mut f64) { for i, j { s += a[i, j] } }
      1:53: `SparseList<Child, Ix>` takes 1 or 2 arguments, found 3
    fn k(a: &Tensor<Dense<Pattern<bool>>>, s: &mut f64) { for i { s += a[i] } }
      1:31: `Pattern` takes no arguments, found 1
    fn k(a: &Tensor, s: &mut f64) { for i { s += a[i] } }
      1:10: `Tensor` takes one format, a level for each dimension around a leaf: `Tensor<Dense<Element<f64>>>`
    fn k(a: &Tensor<Dense<Element<f64>>, u32>, s: &mut f64) { for i { s += a[i] } }
      1:38: `Tensor` takes one format, a level for each dimension around a leaf: `Tensor<Dense<Element<f64>>>`
    fn k(a: &Tensor<Dense<Element<f64, Const>>>, s: &mut f64) { for i { s += a[i] } }
      1:36: `Const<N>` takes 1 argument, found 0
    "#);
}

// ---- loops and accesses --------------------------------------------------------------------------

#[test]
fn loop_orders_that_a_format_cannot_serve() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for j, i { y[i] += a[i, j] * x[j] } }",
        "fn k(a: &Tensor<Dense<ReadOnly<Element<f64>>>>, s: &mut f64) { for j, i { s += a[i, j] } }",
        "fn k(a: &Tensor<SparseList<Dense<SparseList<Element<f64>>>>>, s: &mut f64) { for k, i, j { s += a[i, j, k] } }",
        "fn k(a: &Tensor<ReadOnly<Element<f64>>>, n: &DenseVec<u32>, s: &mut f64) { for i { s += a[n[i]] } }",
        "fn k(a: &Tensor<Dense<ReadOnly<Element<f64>>>>, s: &mut f64) { for i { s += a[i, i] } }",
    ]), @r#"
    fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for j, i { y[i] += a[i, j] * x[j] } }
      1:87: `a` is stored by dimension 0 first (`Dense`, then `SparseList`), but `j` loops outside `i`: leave the loops out, `y[i] += a[i, j] * x[j]`, which are made in an order that fits; or nest the loops `for i, j`
    fn k(a: &Tensor<Dense<ReadOnly<Element<f64>>>>, s: &mut f64) { for j, i { s += a[i, j] } }
      1:85: `a` is stored by dimension 0 first (`Dense`, then `ReadOnly`), but `j` loops outside `i`: leave the loops out, `s += a[i, j]`, which are made in an order that fits; or nest the loops `for i, j`
    fn k(a: &Tensor<SparseList<Dense<SparseList<Element<f64>>>>>, s: &mut f64) { for k, i, j { s += a[i, j, k] } }
      1:105: `a` is stored by dimension 0 first (`SparseList`, then `Dense`, then `SparseList`), but `k` loops outside `i` and `j`: leave the loops out, `s += a[i, j, k]`, which are made in an order that fits; or nest the loops `for i, j, k`
    fn k(a: &Tensor<ReadOnly<Element<f64>>>, n: &DenseVec<u32>, s: &mut f64) { for i { s += a[n[i]] } }
      1:91: a computed index is random access: `ReadOnly` (dimension 0 of `a`) has no `locate`, only `walk`
    fn k(a: &Tensor<Dense<ReadOnly<Element<f64>>>>, s: &mut f64) { for i { s += a[i, i] } }
      1:82: both dimensions 0 and 1 of `a` are read along `i`: `ReadOnly` has no `locate`, so a second loop must read dimension 1
    "#);
}

#[test]
fn protocols() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &Csr<f64>, s: &mut f64) { for i, j { s += a[i::gallop, j] } }",
        "fn k(a: &Csr<f64>, s: &mut f64) { for i, j { s += a[i, j::run] } }",
        "fn k(a: &Tensor<ReadOnly<Element<f64>>>, s: &mut f64) { for i { s += a[i::locate] } }",
        "fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i::walk] += a[i, j] * x[j] } }",
        "fn k(a: &Tensor<Dense<Element<f64>>>, n: &DenseVec<u32>, s: &mut f64) { for i { s += a[n[i]::walk] } }",
    ]), @r#"
    fn k(a: &Csr<f64>, s: &mut f64) { for i, j { s += a[i::gallop, j] } }
      1:53: `Dense` (dimension 0 of `a`) has no protocol `gallop`: it has `locate`, `walk`, `follow`
    fn k(a: &Csr<f64>, s: &mut f64) { for i, j { s += a[i, j::run] } }
      1:56: `SparseList` (dimension 1 of `a`) has no protocol `run`: it has `walk`, `follow`, `gallop`, `lead`, `locate`
    fn k(a: &Tensor<ReadOnly<Element<f64>>>, s: &mut f64) { for i { s += a[i::locate] } }
      1:72: `ReadOnly` (dimension 0 of `a`) has no protocol `locate`: it has `walk`
    fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i::walk] += a[i, j] * x[j] } }
      1:76: a written access takes no protocol: write it without `::walk`
    fn k(a: &Tensor<Dense<Element<f64>>>, n: &DenseVec<u32>, s: &mut f64) { for i { s += a[n[i]::walk] } }
      1:88: a computed index is random access: write it without `::walk`
    "#);
}

#[test]
fn extents() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(s: &mut f64) { for i { s += 1 } }",
        "fn k() -> (y: DenseVec<f64>) { for i { y[i] = 1 } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseMat<f64>) { for i, j { y[i, j] = x[i] } }",
        "fn k(p: &DenseVec<u32>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[p[i]] = x[i] } }",
        "fn k() -> (y: DenseVec<f64>[4], z: DenseVec<f64>[5]) { for i { y[i] = 1; z[i] = 2 } }",
        "fn k() -> (y: DenseVec<f64>[4]) { for i in 0..5 { y[i] = 1 } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i in -1..5 { s += x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i in 0..5 { s += x[i - 1] } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>[3, 4]) { for i { y[i] = x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { let mut w: DenseVec<f64>[]; for i { w[i] = x[i] }; for i { s += w[i] } }",
        // One mistake leaves loops and sizes open: it alone is told.
        "fn k(s: &mut f64) { let mut w: DenseVec<f64>; for i { w[i] = b[i] }; for i { s += w[i] } }",
        "fn k(s: &mut f64) { let mut w: DenseVec<f64>; for i { w[i] = 1 }; for i { s += w[i] } }",
        "fn k(s: &mut f64) { let mut w: DenseVec<f64>; for i { s += w[i] } }",
    ]), @r#"
    fn k(s: &mut f64) { for i { s += 1 } }
      1:25: the extent of `i` cannot be inferred: no tensor is indexed by it; leave it out, or write `for i in 0..n` for as many times
    fn k() -> (y: DenseVec<f64>) { for i { y[i] = 1 } }
      1:36: the extent of `i` cannot be inferred: only `y`, of unknown size, is indexed by it; write `for i in 0..n`, or give the size, `y: DenseVec<f64>[n]`
    fn k(x: &DenseVec<f64>) -> (y: DenseMat<f64>) { for i, j { y[i, j] = x[i] } }
      1:56: the extent of `j` cannot be inferred: only `y`, of unknown size, is indexed by it; write `for j in 0..n`, or give the size, `y: DenseMat<f64>[m, n]`
    fn k(p: &DenseVec<u32>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[p[i]] = x[i] } }
      1:48: the size of dimension 0 of `y` cannot be inferred: give it, `y: DenseVec<f64>[n]`
    fn k() -> (y: DenseVec<f64>[4], z: DenseVec<f64>[5]) { for i { y[i] = 1; z[i] = 2 } }
      1:60: the extent of `i` conflicts: dimension 0 of `y` has size 4, dimension 0 of `z` has size 5; make them equal, or write `for i in 0..4`
    fn k() -> (y: DenseVec<f64>[4]) { for i in 0..5 { y[i] = 1 } }
      1:39: `y` has size 4 in dimension 0, but `i` runs over 0..5: write `for i in 0..4`
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i in -1..5 { s += x[i] } }
      1:44: `x` starts at 0 in dimension 0, but `i` runs over -1..5: write `for i in 0..5`
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i in 0..5 { s += x[i - 1] } }
      1:44: `x` starts at 0 in dimension 0, but `i - 1` runs over -1..4: write `for i in 1..5`
    fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>[3, 4]) { for i { y[i] = x[i] } }
      1:29: `y` has 1 dimension: give 1 size, not 2
    fn k(x: &DenseVec<f64>, s: &mut f64) { let mut w: DenseVec<f64>[]; for i { w[i] = x[i] }; for i { s += w[i] } }
      1:48: `w` has 1 dimension: give 1 size, not 0
    fn k(s: &mut f64) { let mut w: DenseVec<f64>; for i { w[i] = b[i] }; for i { s += w[i] } }
      1:62: unknown tensor `b`: name it in the header with its format, or, for a Rust array, as `b: &[T]`
    fn k(s: &mut f64) { let mut w: DenseVec<f64>; for i { w[i] = 1 }; for i { s += w[i] } }
      1:51: the extent of `i` cannot be inferred: only `w`, of unknown size, is indexed by it; write `for i in 0..n`, or give the size, `w: DenseVec<f64>[n]`
    fn k(s: &mut f64) { let mut w: DenseVec<f64>; for i { s += w[i] } }
      1:51: the extent of `i` cannot be inferred: only `w`, of unknown size, is indexed by it; write `for i in 0..n`, or give the size, `w: DenseVec<f64>[n]`
    "#);
}

// ---- writing -------------------------------------------------------------------------------------

#[test]
fn what_is_never_written() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) -> (y: DenseVec<f64>) { for i { s += x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) -> (y: DenseVec<f64>) { for i { s += x[i] * y[i] } }",
        "fn k(x: &DenseVec<f64>, y: &mut DenseVec<f64>, s: &mut f64) { for i { s += x[i] + y[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64, t: &mut f64) { for i { s += x[i] } }",
        "fn k(a: &Csr<f64>) -> (c: Csr<f64>) { for i, j { C[i, j] = a[i, j] } }",
    ]), @r#"
    fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { x[i] } }
      (parse) 1:57: this value goes nowhere: write `target = ..` or `target += ..`
    fn k(x: &DenseVec<f64>, s: &mut f64) -> (y: DenseVec<f64>) { for i { s += x[i] } }
      1:42: the output `y` is never written: assign to it, as in `y[i] += ..`, or `y += ..` if it is a scalar
    fn k(x: &DenseVec<f64>, s: &mut f64) -> (y: DenseVec<f64>) { for i { s += x[i] * y[i] } }
      1:42: the output `y` is never written: assign to it, or remove it
    fn k(x: &DenseVec<f64>, y: &mut DenseVec<f64>, s: &mut f64) { for i { s += x[i] + y[i] } }
      1:25: the output `y` is never written: assign to it, or pass it as an input
    fn k(x: &DenseVec<f64>, s: &mut f64, t: &mut f64) { for i { s += x[i] } }
      1:38: the output `t` is never written: assign to it, or pass it by value
    fn k(a: &Csr<f64>) -> (c: Csr<f64>) { for i, j { C[i, j] = a[i, j] } }
      1:24: the output `c` is never written: `C` in the program is another name: write them alike
    "#);
}

#[test]
fn what_cannot_be_written() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(x: &DenseVec<f64>) { for i { x[i] = 0 } }",
        "fn k(x: &DenseVec<f64>) -> (y: Tensor<ReadOnly<Element<f64>>>) { for i { y[i] = x[i] } }",
        "fn k(x: &DenseVec<f64>) -> (y: Tensor<Dense<Given>>) { for i { y[i] = x[i] } }",
        "fn k(p: &DenseVec<u32>, x: &DenseVec<f64>) -> (y: SparseVec<f64>[9]) { for i { y[p[i]] = x[i] } }",
        "fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: SparseVec<f64>) { for j, i { y[i] += a[i::locate, j::locate] * x[j] } }",
        "fn k(a: &Csr<f64>) -> (t: Csr<f64>) { for i, j { t[j, i] = a[i, j] } }",
        "fn k(x: &DenseVec<f64>) -> (y: SparseVec<f64>) { for i { y[i] = x[i]; y[i] += 1 } }",
        "fn k(x: &DenseVec<f64>) -> (y: SparseVec<f64>) { for i { if x[i] > 0 { y[i] = x[i] } else { y[i] = 1 } } }",
    ]), @r#"
    fn k(x: &DenseVec<f64>) { for i { x[i] = 0 } }
      1:35: `x` is an input and cannot be written: declare it `x: &mut DenseVec<f64>`, or make it an output
    fn k(x: &DenseVec<f64>) -> (y: Tensor<ReadOnly<Element<f64>>>) { for i { y[i] = x[i] } }
      1:74: `ReadOnly` (dimension 0 of `y`) cannot be written by a kernel, since its declaration has no `write`: choose an output format whose levels have one
    fn k(x: &DenseVec<f64>) -> (y: Tensor<Dense<Given>>) { for i { y[i] = x[i] } }
      1:64: the leaf `Given` of `y` cannot be written by a kernel
    fn k(p: &DenseVec<u32>, x: &DenseVec<f64>) -> (y: SparseVec<f64>[9]) { for i { y[p[i]] = x[i] } }
      1:82: dimension 0 of `y` must be written in order, as `SparseList` asks for: a computed index writes anywhere; leave the loops of this statement out and give the sizes of `y` in the header, and entries are gathered and put in order, or write into a workspace first that takes them in any order
    fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: SparseVec<f64>) { for j, i { y[i] += a[i::locate, j::locate] * x[j] } }
      1:77: `y` is appended to in order, so its loops must be the outermost, `for i`, but they are `for j, i`: reorder the loops, or gather with `where` into a workspace that takes entries in any order
    fn k(a: &Csr<f64>) -> (t: Csr<f64>) { for i, j { t[j, i] = a[i, j] } }
      1:52: `t` is appended to in order, so its loops must be the outermost, `for j, i`, but they are `for i, j`: leave the loops out, `t[j, i] = a[i, j]`, which are made in an order that fits, or gather with `where` into a workspace that takes entries in any order
    fn k(x: &DenseVec<f64>) -> (y: SparseVec<f64>) { for i { y[i] = x[i]; y[i] += 1 } }
      1:71: `y` is appended to in order and takes its entries from one assignment: combine the values into one expression (`ifelse(c, a, b)`), or gather with `where` into a workspace that takes entries in any order
    fn k(x: &DenseVec<f64>) -> (y: SparseVec<f64>) { for i { if x[i] > 0 { y[i] = x[i] } else { y[i] = 1 } } }
      1:93: `y` is appended to in order and takes its entries from one assignment: combine the values into one expression (`ifelse(c, a, b)`), or gather with `where` into a workspace that takes entries in any order
    "#);
}

#[test]
fn fibers_that_are_written_in_order() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &Csr<f64>, b: &Csr<f64>) -> (y: Tensor<Dense<UnorderedList<Element<f64>>>>) { for k, i, j { y[i, j] += a[i::locate, k::locate] * b[k, j] } }",
        "fn k(a: &Csr<f64>) -> (y: Tensor<Dense<UnorderedList<Element<f64>>>>) { for i, j { y[j, i] += a[i, j] } }",
        "fn k(a: &Csr<f64>, p: &DenseVec<u32>) -> (y: Tensor<Dense<UnorderedList<Element<f64>>>>[9, 9]) { for i, j { y[p[i], j] += a[i, j] } }",
        "fn k(a: &Csr<f64>, y: &mut Tensor<Dense<UnorderedList<Element<f64>>>>) { for i, j { y[i, j] += a[i, j] } }",
        "fn k(a: &SparseVec<f64>, y: &mut Tensor<UnorderedList<Element<f64>>>) { for i { y[i] += a[i] } }",
        "fn k(a: &Csr<f64>, b: &Csr<f64>) -> (y: Tensor<Dense<UnorderedList<Element<f64>>>>) { for i, j { y[i, j] += a[i, j] } for i, j { y[i, j] += b[i, j] } }",
    ]), @r#"
    fn k(a: &Csr<f64>, b: &Csr<f64>) -> (y: Tensor<Dense<UnorderedList<Element<f64>>>>) { for k, i, j { y[i, j] += a[i::locate, k::locate] * b[k, j] } }
      1:103: the fibers of `y` are written in order, so its loops must be the outermost, `for i`, but they are `for k, i, j`: reorder the loops, or gather with `where` into a workspace that takes entries in any order
    fn k(a: &Csr<f64>) -> (y: Tensor<Dense<UnorderedList<Element<f64>>>>) { for i, j { y[j, i] += a[i, j] } }
      1:86: the fibers of `y` are written in order, so its loops must be the outermost, `for j`, but they are `for i, j`: leave the loops out, `y[j, i] += a[i, j]`, which are made in an order that fits, or gather with `where` into a workspace that takes entries in any order
    fn k(a: &Csr<f64>, p: &DenseVec<u32>) -> (y: Tensor<Dense<UnorderedList<Element<f64>>>>[9, 9]) { for i, j { y[p[i], j] += a[i, j] } }
      1:111: dimension 0 of `y` must be written in order, as `UnorderedList` asks for: a computed index writes anywhere; leave the loops of this statement out and give the sizes of `y` in the header, and entries are gathered and put in order, or write into a workspace first that takes them in any order
    fn k(a: &Csr<f64>, y: &mut Tensor<Dense<UnorderedList<Element<f64>>>>) { for i, j { y[i, j] += a[i, j] } }
      1:85: `UnorderedList` (dimension 1 of `y`) is written in order and cannot be updated in place: make `y` an output, which is made anew, or choose a format that is written in any order, by `write insert` or `write locate`
    fn k(a: &SparseVec<f64>, y: &mut Tensor<UnorderedList<Element<f64>>>) { for i { y[i] += a[i] } }
      1:81: `UnorderedList` (dimension 0 of `y`) is written in order and cannot be updated in place: make `y` an output, which is made anew, or choose a format that is written in any order, by `write insert` or `write locate`
    fn k(a: &Csr<f64>, b: &Csr<f64>) -> (y: Tensor<Dense<UnorderedList<Element<f64>>>>) { for i, j { y[i, j] += a[i, j] } for i, j { y[i, j] += b[i, j] } }
      1:130: the fibers of `y` are written in order, and it is written in other loops already: assign to it in the same `for`, or gather into a workspace with `where`
    "#);
}

#[test]
fn a_local_of_a_producer() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(x: &DenseVec<f64>, s: &mut f64) { { for i { s += t[i] } } where { let n = 3; let mut t: DenseVec<f64>[n]; for i { t[i] = x[i] } } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { { y[i] = t } where { { let mut t: f64; t += x[i] } } } }",
    ]), @r#"
    fn k(x: &DenseVec<f64>, s: &mut f64) { { for i { s += t[i] } } where { let n = 3; let mut t: DenseVec<f64>[n]; for i { t[i] = x[i] } } }
      1:55: unknown tensor `t`: its declaration in the producer ends there; put `let mut t: ..;` around the `where`, `{ let mut t: ..; { .. } where { .. } }`
    fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { { y[i] = t } where { { let mut t: f64; t += x[i] } } } }
      1:66: unknown scalar `t`: its declaration in the producer ends there; put `let mut t: ..;` around the `where`, `{ let mut t: ..; { .. } where { .. } }`
    "#);
}

#[test]
fn fractions_as_coordinates() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i + 0.5] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] * x[2.0 * i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] * x[1f64] } }",
    ]), @r#"
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i + 0.5] } }
      1:59: a coordinate is a whole number, and a fraction is none: convert it, `.. as usize`, which cuts it off
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] * x[2.0 * i] } }
      1:62: a coordinate is a whole number, and a fraction is none: convert it, `.. as usize`, which cuts it off
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] * x[1f64] } }
      1:62: a coordinate is a whole number, and a fraction is none: convert it, `.. as usize`, which cuts it off
    "#);
}

#[test]
fn reading_what_is_written() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(x: &mut DenseVec<f64>, n: usize) { for i in 0..n { x[i + 1] = x[i] + 1 } }",
        "fn k(x: &mut DenseVec<f64>, a: &Csr<f64>) { for i, j { x[i] = x[i] * a[i, j] } }",
        "fn k(x: &mut DenseVec<f64>, y: &mut DenseVec<f64>) { for i { let t = x[i]; x[i] = 2 * t; y[i] = t } }",
        "fn k(x: &mut DenseVec<f64>, y: &mut DenseVec<f64>) { for i { y[i] = x[i]; x[i] = y[i] } }",
        "fn k(x: &mut DenseVec<u32>) { for i { x[x[i]] = i } }",
        "fn k(x: &DenseVec<f64>, y: &mut DenseVec<f64>) { for i { y[i] += x[i]; if y[i] > 0 { y[i] = 0 } } }",
        "fn k(d: &mut DenseMat<f64>) { for k, i, j { d[i, j] <<min>>= d[i, k] + d[k, j] } }",
        "fn k(x: &mut DenseVec<f64>) { parallel for i in 1..9 { x[i] = x[i - 1] + 1 } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = coalesce(y[permit[i - 1]], 0) + x[i] } }",
    ]), @r#"
    fn k(x: &mut DenseVec<f64>, n: usize) { for i in 0..n { x[i + 1] = x[i] + 1 } }
      no error
    fn k(x: &mut DenseVec<f64>, a: &Csr<f64>) { for i, j { x[i] = x[i] * a[i, j] } }
      no error
    fn k(x: &mut DenseVec<f64>, y: &mut DenseVec<f64>) { for i { let t = x[i]; x[i] = 2 * t; y[i] = t } }
      no error
    fn k(x: &mut DenseVec<f64>, y: &mut DenseVec<f64>) { for i { y[i] = x[i]; x[i] = y[i] } }
      no error
    fn k(x: &mut DenseVec<u32>) { for i { x[x[i]] = i } }
      no error
    fn k(x: &DenseVec<f64>, y: &mut DenseVec<f64>) { for i { y[i] += x[i]; if y[i] > 0 { y[i] = 0 } } }
      no error
    fn k(d: &mut DenseMat<f64>) { for k, i, j { d[i, j] <<min>>= d[i, k] + d[k, j] } }
      no error
    fn k(x: &mut DenseVec<f64>) { parallel for i in 1..9 { x[i] = x[i - 1] + 1 } }
      1:63: `x` is read and written in one loop nest: iterations of a parallel loop run beside each other: write `for i`, if one iteration is to read what those before it wrote, or read from another tensor, such as a copy
    fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = coalesce(y[permit[i - 1]], 0) + x[i] } }
      1:73: `y` is read and written in one loop nest: the last index of each access is to be a plain one then: ask in a condition, `if i > 0 { .. }`, whether it is inside
    "#);
}

#[test]
fn the_step_counter() {
    insta::assert_snapshot!(errors_of(&[
        "#![steps(n)] fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] } }",
        "#![steps(n)] fn k(x: &DenseVec<f64>, n: u64, s: &mut f64) { for i { s += x[i] } }",
        "#![steps(x)] fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] } }",
    ]), @r#"
    #![steps(n)] fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] } }
      1:10: the step counter `n` must be a scalar of the header that can be written: declare it `n: &mut u64`
    #![steps(n)] fn k(x: &DenseVec<f64>, n: u64, s: &mut f64) { for i { s += x[i] } }
      1:10: the step counter `n` must be a scalar of the header that can be written: declare it `n: &mut u64`
    #![steps(x)] fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] } }
      1:10: the step counter `x` must be a scalar of the header that can be written: declare it `x: &mut u64`
    "#);
}

#[test]
fn junk() {
    insta::assert_snapshot!(errors_of(&[
        "hello world",
        "fn",
        "fn k",
        "fn k() { for }",
        "fn k() { ; ; 3 4 5 }",
        "<A> x",
        "struct S;",
        "fn k(a: &Csr<f64>) { let x = vec![1]; }",
    ]), @r#"
    hello world
      (parse) 1:1: expected a kernel, `pub fn name(..) { .. }` or `<A: Format, mut c: f64> statements`, found `hello`
    fn
      (parse) 1:1: expected the name of the function, found the end
    fn k
      (parse) 1:4: expected the parameters, `(a: &Format, ..)`, found the end
    fn k() { for }
      (parse) 1:10: expected an index, found the end
    fn k() { ; ; 3 4 5 }
      (parse) 1:16: expected an assignment operator such as `=`, `+=` or `<<min>>=`, found `4`
    <A> x
      (parse) 1:3: expected `:` and the type of `A`, found `>`
      1:5: `x` by itself does nothing: leave it out, as a kernel returns what its header names behind `->`
    struct S;
      (parse) 1:1: expected a kernel, `pub fn name(..) { .. }` or `<A: Format, mut c: f64> statements`, found `struct`
    fn k(a: &Csr<f64>) { let x = vec![1]; }
      (parse) 1:33: macro calls are not index notation: write Rust expressions as `$(..)`, and name what they take, `for i { let v = x[i]; y[i] = $(f!(v)) }`
    "#);
}

#[test]
fn all_errors_of_a_stage_at_once() {
    // Lines and columns, across functions too.
    insta::assert_snapshot!(errors_of(&["fn k(
    a: &Csr<f64>,
    b: &Vec<f64>,
    x: DenseVec<f64>,
) -> (y: DenseVec<f64>, z: DenseVec<f64>) {
    for j, i {
        y[i, j] += a[i, j] * q[j] * b[i];
        c += ifelse(x[j], 1)
    }
}
"]), @r#"
    fn k(
        a: &Csr<f64>,
        b: &Vec<f64>,
        x: DenseVec<f64>,
    ) -> (y: DenseVec<f64>, z: DenseVec<f64>) {
        for j, i {
            y[i, j] += a[i, j] * q[j] * b[i];
            c += ifelse(x[j], 1)
        }
    }

      3:9: a kernel borrows arrays as slices: write `b: &[f64]`, and pass `&b`
      4:5: the tensor `x` is passed by value: write `x: &DenseVec<f64>` to read it, or `x: &mut DenseVec<f64>` to update it
      5:25: the output `z` is never written: assign to it, as in `z[i] += ..`, or `z += ..` if it is a scalar
      7:9: `y` has 1 dimension: give 1 index, not 2
      7:25: `a` is stored by dimension 0 first (`Dense`, then `SparseList`), but `j` loops outside `i`: nest the loops `for i, j`, or read it through `j::locate`
      7:30: unknown tensor `q`: name it in the header with its format, or, for a Rust array, as `q: &[T]`
      8:9: unknown scalar `c`: declare it in the header, `c: &mut T`, or with `let mut c: T;`
      8:14: `ifelse(cond, a, b)` takes 3 arguments, found 2
    "#);
}

// ---- declarations --------------------------------------------------------------------------------
