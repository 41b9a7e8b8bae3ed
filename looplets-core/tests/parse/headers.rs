//! Mistakes in headers, and several at once, with line and column.

use super::notation::*;

#[test]
fn function_header_mistakes() {
    insta::assert_snapshot!(program_errors_of_all(&[
        "",
        "y[i] = 1;",
        "pub",
        "fn f(mut c: f64) { c = }",
        "fn f(&self, (a, b): T, c, d: , e: f64 f: &T, g: &mut) {}",
        "fn f(a: Foo<A, B C>, 1: T) {}",
        "fn f",
        "fn f {}",
        "fn f();",
        "fn f() -> f64 {}",
        "fn f() -> (f64) {}",
        "fn f() -> (Csr<f64>) {}",
        "fn f() -> (y: &T, mut z: U, w: V[n m]) {}",
        "fn f() -> Result<f64, E> {}",
        "fn f() -> Result<(y: T)> {}",
        "fn f() -> Result {}",
        "fn f() -> {}",
        "unsafe fn f() {}",
        "pub async fn f() {}",
        "fn f<T(x: T) {}",
        "fn for() {}",
        "struct S;",
        "fn f() { c = } fn g(mut x: T) { d = } fn h() {}",
        "#![allow(x)] #![steps] #![steps(1)] #![forbid(x)] fn f() {}",
        "#![strict] #![contract] fn f() {}",
        "fn f() {} #![forbid(unsafe_code)] fn g() {}",
        "fn f() {} ; fn g() { c = }",
    ]), @r#"
    (nothing)
      1:1: expected a kernel: `pub fn name(..) { .. }`, or `<A: Format, mut c: f64> statements`
    y[i] = 1;
      1:1: expected a kernel, `pub fn name(..) { .. }` or `<A: Format, mut c: f64> statements`, found `y`
    pub
      1:1: expected a kernel, `pub fn name(..) { .. }` or `<A: Format, mut c: f64> statements`, found the end
    fn f(mut c: f64) { c = }
      1:6: a parameter passed by value is not returned: write `c: &mut ..` to update it in place
      1:22: expected an expression, found the end
    fn f(&self, (a, b): T, c, d: , e: f64 f: &T, g: &mut) {}
      1:6: a kernel is a free function: name each tensor, `a: &Format`
      1:13: expected a parameter, `a: &Format`, found `(`
      1:25: expected `:` and the type of `c`, found `,`
      1:30: expected a type, found `,`
      1:39: expected `,`, found `f`
      1:50: expected a type, found the end
    fn f(a: Foo<A, B C>, 1: T) {}
      1:18: expected `,`
      1:22: expected a parameter, `a: &Format`, found `1`
    fn f
      1:4: expected the parameters, `(a: &Format, ..)`, found the end
    fn f {}
      1:6: expected the parameters, `(a: &Format, ..)`, found `{`
    fn f();
      1:7: expected the body of the function, `{ .. }`, found `;`
    fn f() -> f64 {}
      1:11: the function returns a value that its body does not end with: write the value last, without `;`, or name the result, as in `-> (s: f64) { s += .. }`
    fn f() -> (f64) {}
      1:12: expected `:` and the format of `f64`, found the end: outputs are named, `y: Format`
    fn f() -> (Csr<f64>) {}
      1:15: expected `:` and the format of `Csr`, found `<`: outputs are named, `y: Format`
    fn f() -> (y: &T, mut z: U, w: V[n m]) {}
      1:15: the kernel creates its outputs: write `y: Format`, or make it a parameter, `y: &mut Format`
      1:19: an output is written in any case: leave out `mut`
      1:36: expected `,` or an operator, found `m`
    fn f() -> Result<f64, E> {}
      1:18: the function returns a value that its body does not end with: write the value last, without `;`, or name the result, as in `-> (s: f64) { s += .. }`
    fn f() -> Result<(y: T)> {}
      1:24: expected `,` and the error type, found `>`: write `Result<(y: Format), looplets::Error>`
    fn f() -> Result {}
      1:18: expected `<`, found `{`: write `Result<(y: Format), looplets::Error>`
    fn f() -> {}
      1:11: expected named outputs in parentheses, found `{`: write `-> (y: Format)`
    unsafe fn f() {}
      1:1: a kernel is a plain function: leave out `unsafe`
    pub async fn f() {}
      1:5: a kernel is a plain function: leave out `async`
    fn f<T(x: T) {}
      1:7: expected `,`
    fn for() {}
      1:4: expected the name of the function, found `for`: a Rust keyword cannot be a name
    struct S;
      1:1: expected a kernel, `pub fn name(..) { .. }` or `<A: Format, mut c: f64> statements`, found `struct`
    fn f() { c = } fn g(mut x: T) { d = } fn h() {}
      1:12: expected an expression, found the end
      1:21: a parameter passed by value is not returned: write `x: &mut ..` to update it in place
      1:35: expected an expression, found the end
    #![allow(x)] #![steps] #![steps(1)] #![forbid(x)] fn f() {}
      1:1: lints are set in front of the function, `#[allow(..)] fn ..`, or in front of what holds an inline program
      1:17: expected attribute arguments in parentheses: #![steps(...)]
      1:33: expected the name of a `mut` parameter that counts the steps, found `1`
      1:37: unknown setting: expected `#![forbid(unsafe_code)]`, `#![strict]`, `#![contract]`, `#![dense]`, `#![portable]`, `#![schedule(..)]`, `#![cost(..)]` or `#![steps(counter)]`
    #![strict] #![contract] fn f() {}
      1:12: `#![strict]` rounds every product and `#![contract]` need not: leave one of them out
    fn f() {} #![forbid(unsafe_code)] fn g() {}
      1:11: `#![..]` holds for all kernels: it stands before the first
    fn f() {} ; fn g() { c = }
      1:11: expected a kernel, `pub fn name(..) { .. }` or `<A: Format, mut c: f64> statements`, found `;`
      1:24: expected an expression, found the end
    "#);
}

#[test]
fn inline_header_mistakes() {
    insta::assert_snapshot!(program_errors_of_all(&[
        "<A> c = 1",
        "<A: &T, mut B: &mut U> c =",
        "<A: T mut c: f64> c = ;",
        "<A: T, mut: f64, 3: T, b: Foo<A, B>> c = ;",
        "<A: T",
        "<A: Vec<T>",
        "<A: T> -> y: T c = 1",
        "<A: T> -> Result<(y: T), E> c = 1",
        "<A: T> -> (T) c = ;",
        "#![steps = n] <mut n: u64, B: Foo<A, B C>, D: fn() -> F, &> c =",
        "<A: T> fn f() {}",
    ]), @r#"
    <A> c = 1
      1:3: expected `:` and the type of `A`, found `>`
    <A: &T, mut B: &mut U> c =
      1:5: an inline program borrows by itself: write `A: Format`, or `mut A: Format` to update it
      1:16: an inline program borrows by itself: write `B: Format`, or `mut B: Format` to update it
      1:26: expected an expression, found the end
    <A: T mut c: f64> c = ;
      1:7: expected `,` or `>`, found `mut`
      1:23: expected an expression, found `;`
    <A: T, mut: f64, 3: T, b: Foo<A, B>> c = ;
      1:11: expected a parameter, `A: Format` or `mut c: f64`, found `:`
      1:18: expected a parameter, `A: Format` or `mut c: f64`, found `3`
      1:42: expected an expression, found `;`
    <A: T
      1:5: expected `,` or `>`, found the end
    <A: Vec<T>
      1:10: expected `,` or `>`, found the end
    <A: T> -> y: T c = 1
      1:11: expected named outputs in parentheses, found `y`: write `-> (y: Format)`
    <A: T> -> Result<(y: T), E> c = 1
      1:11: an inline program has no error type: write `-> (y: Format)`, or use the function form
    <A: T> -> (T) c = ;
      1:12: expected `:` and the format of `T`, found the end: outputs are named, `y: Format`
      1:19: expected an expression, found `;`
    #![steps = n] <mut n: u64, B: Foo<A, B C>, D: fn() -> F, &> c =
      1:10: expected parentheses: #![steps(...)]
      1:40: expected `,`
      1:58: expected a parameter, `A: Format` or `mut c: f64`, found `&>`
      1:63: expected an expression, found the end
    <A: T> fn f() {}
      1:8: `fn` is not index notation: write items and Rust blocks outside the kernel
    "#);
}

#[test]
fn all_mistakes_of_a_kernel_are_shown_together() {
    insta::assert_snapshot!(program_errors(
        "pub fn f(a: &Csr<f64>, mut c: f64) -> (y: &DenseVec<f64>) {
    for i in 0..=n {
        y[i] == a[i];
        if a[i] ** 2 {
            c += \"one\";
        } else {
            while c { c = a[i].abs(); }
        }
        y[i] = a[i
            , j]::walk;
        let x;
        c <<min> 3;
        y[i] = 1
    }
    { y[i] = t as bool } where { t = ; }
}
pub fn g(x: &T) { x[i] = @; pass }"
    ), @r#"
    1:24: a parameter passed by value is not returned: write `c: &mut ..` to update it in place
    1:43: the kernel creates its outputs: write `y: Format`, or make it a parameter, `y: &mut Format`
    2:15: extents are half-open: write `0..n + 1`
    3:14: `==` compares: write `=` to assign
    4:17: unknown operator `**`; a power is a call such as `powi(x, 2)` or `powf(x, y)`
    5:18: a string is not a number: write Rust expressions as `$(..)`
    7:13: `while` is not index notation: write `for i { .. }` or `for i in lo..hi { .. }`
    7:31: a method is called as a function is: write `abs(x[i])`
    10:17: a protocol belongs to one whole index: write `A[(i + 1)::walk]`
    11:14: expected a value, found `;`: write `let x = ..;`, or `let mut x: Format[..];` for a workspace
    12:16: expected `>>=` after the operator, found `>`: write `<<min>>=`
    15:19: nothing is converted to `bool`: compare, `x != 0`
    15:38: expected an expression, found `;`
    17:26: expected an expression, found `@`
    "#);
}

// ---- robustness --------------------------------------------------------------------------------
