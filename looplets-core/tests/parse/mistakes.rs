//! Mistakes in statements and expressions, with line and column.

use super::notation::*;

#[test]
fn unknown_operators() {
    insta::assert_snapshot!(errors_of_all(&[
        "y[i] = a[i] ** 2;",
        "C = A @ B;",
        "c = a <> b;",
        "c = a === b;",
        "c = a &&& b;",
        "c++;",
        "c = ~a;",
        "c = a |> f;",
        "c = a + * b;",
        "c **= 2;",
        "c = a ? b : d;",
        "c = +a;",
        "c = a => b;",
        "c = a =< b;",
        "if a = b {}",
    ]), @r#"
    y[i] = a[i] ** 2;
      1:13: unknown operator `**`; a power is a call such as `powi(x, 2)` or `powf(x, y)`
    C = A @ B;
      1:7: unknown operator `@`; a product is a sum over what both share: write `y[i] += a[i, j] * x[j]` for a matrix and a vector, and `c[i, j] += a[i, k] * b[k, j]` for two matrices
    c = a <> b;
      1:7: unknown operator `<>`; inequality is `!=`
    c = a === b;
      1:7: unknown operator `===`; equality is `==`
    c = a &&& b;
      1:7: unknown operator `&&&`; write it as a call of a function, `f(a, b)`, or as a Rust expression, `$(..)`
    c++;
      1:2: unknown operator `++`; write `+= 1`
    c = ~a;
      1:5: unknown operator `~`; negation is `!`
    c = a |> f;
      1:7: unknown operator `|>`; write it as a call of a function, `f(a, b)`, or as a Rust expression, `$(..)`
    c = a + * b;
      1:9: there is nothing to dereference: name the variable itself, or write Rust expressions as `$(..)`
    c **= 2;
      1:3: unknown operator `**=`; write it as a call of a function, `f(a, b)`, or as a Rust expression, `$(..)`
    c = a ? b : d;
      1:7: `?` is not index notation: a choice is `ifelse(cond, a, b)`, and Rust expressions are written `$(..)`
    c = +a;
      1:5: there is no prefix `+`: leave it out
    c = a => b;
      1:7: `=>` is no operator: the comparison is `>=`
    c = a =< b;
      1:7: `=<` is no operator: the comparison is `<=`
    if a = b {}
      1:6: an assignment is no value: write it as a statement of its own, or compare with `==`
    "#);
}

#[test]
fn rust_that_is_not_index_notation() {
    insta::assert_snapshot!(errors_of_all(&[
        "c = a[i].sqrt();",
        "c = a.0;",
        "c = a[i] as String + 1;",
        "c = a[i] as bool;",
        "c = a[i] as u8::Wide;",
        "c = a[i] as;",
        "c = |x| x + 1;",
        "c = f(move || 1);",
        "c = &a;",
        "c = *a;",
        "*c += 1;",
        "c = \"text\";",
        "c = 'x';",
        "c = vec![1];",
        "c = [1, 2];",
        "c = (a, b);",
        "c = { 1 };",
        "c = if a { 1 } else { 2 };",
        "c = match a { _ => 1 };",
        "c = self.x;",
        "c = f(x)?;",
        "c = 0..n;",
        "while c < 1 { c += }",
        "loop { c = 1 }",
        "return c;",
        "if a { break }",
        "'a: for i {}",
        "match c { _ => {} }",
        "fn f() {}",
        "#[x] for i {}",
        "if let x = y {}",
    ]), @r#"
    c = a[i].sqrt();
      1:9: a method is called as a function is: write `sqrt(x[i])`
    c = a.0;
      1:6: a part of a pair is named in Rust: write `$(best.0)` or `$(best.1)`
    c = a[i] as String + 1;
      1:13: `as` converts to a primitive type of numbers, u8, i8, u16, i16, u32, i32, u64, usize, i64, isize, u128, i128, f32, f64; write other conversions as a call of a function
    c = a[i] as bool;
      1:13: nothing is converted to `bool`: compare, `x != 0`
    c = a[i] as u8::Wide;
      1:13: `as` converts to a primitive type of numbers, u8, i8, u16, i16, u32, i32, u64, usize, i64, isize, u128, i128, f32, f64; write other conversions as a call of a function
    c = a[i] as;
      1:12: `as` converts to a primitive type of numbers, u8, i8, u16, i16, u32, i32, u64, usize, i64, isize, u128, i128, f32, f64; write other conversions as a call of a function
    c = |x| x + 1;
      1:5: closures are not index notation: write a function outside of the kernel, and call it by its name, `f(x[i])`; a magnitude is `abs(x[i])`
    c = f(move || 1);
      1:7: closures are not index notation: write a function outside of the kernel, and call it by its name, `f(x[i])`; a magnitude is `abs(x[i])`
    c = &a;
      1:5: references are not index notation: name the tensor or variable itself; where a function of Rust takes one, write `for i { let v = x[i]; y[i] = $(f(&v)) }`
    c = *a;
      1:5: there is nothing to dereference: name the variable itself, or write Rust expressions as `$(..)`
    *c += 1;
      1:1: there is nothing to dereference: a `&mut` scalar is assigned by its name, `c += ..`
    c = "text";
      1:5: a string is not a number: write Rust expressions as `$(..)`
    c = 'x';
      1:5: only numbers, `true`, `false` and `missing` are literals: write Rust expressions as `$(..)`
    c = vec![1];
      1:8: macro calls are not index notation: write Rust expressions as `$(..)`, and name what they take, `for i { let v = x[i]; y[i] = $(f!(v)) }`
    c = [1, 2];
      1:5: arrays are not index notation: write Rust expressions as `$(..)`
    c = (a, b);
      parsed: inline () -> () {c = (tuple a b)}
    c = { 1 };
      1:5: blocks are statements, not values: write Rust expressions as `$(..)`
    c = if a { 1 } else { 2 };
      1:5: `if` is a statement: a choice between values is `ifelse(cond, a, b)`
    c = match a { _ => 1 };
      1:5: `match` is not index notation: a choice between values is `ifelse(cond, a, b)`, and a function of Rust, which may match, is called by its name, `f(x[i])`
    c = self.x;
      1:5: a kernel takes tensors and numbers, not `self`: name each in the header, and pass the field, `&self.a`; in front of an inline program, `let a = &self.a;`
    c = f(x)?;
      1:9: errors are returned by themselves: leave `?` out
    c = 0..n;
      1:6: a range is not a value: loop over it, `for i in lo..hi { .. }`, or restrict an index, `A[window(lo, hi)[i]]`
    while c < 1 { c += }
      1:1: `while` is not index notation: write `for i { .. }` or `for i in lo..hi { .. }`
      1:18: expected an expression, found the end
    loop { c = 1 }
      1:1: `loop` is not index notation: write `for i { .. }` or `for i in lo..hi { .. }`
    return c;
      1:1: `return` is not index notation: a kernel stops early by itself where nothing more can change; restrict a statement with `if cond { .. }`
    if a { break }
      1:8: `break` is not index notation: a kernel stops early by itself where nothing more can change; the first `i` for which a condition holds is `if cond { first <<min>>= i }`, of a `first: usize = usize::MAX`, and what ends with it is `let mut on: bool = true; for i { if cond { on = false } if on { .. } }`
    'a: for i {}
      1:1: loops have no labels: a kernel stops early by itself where nothing more can change
    match c { _ => {} }
      1:1: `match` is not index notation: write `if cond { .. } else { .. }`
    fn f() {}
      1:1: `fn` is not index notation: write items and Rust blocks outside the kernel
    #[x] for i {}
      1:1: a statement has no attributes: they stand before the function, and `#![..]` before everything; a loop runs in parallel by `parallel for i { .. }`
    if let x = y {}
      1:4: `if let` is not index notation: a condition is a boolean expression, and what is not stored is the fill: write `if a[i, j] != 0 { .. }`
    "#);
}

#[test]
fn loop_mistakes() {
    insta::assert_snapshot!(errors_of_all(&[
        "for i in 0..=n - 1 { y[i] = }",
        "for i in 0..=9 {}",
        "for i in ..n {}",
        "for i in 0.. {}",
        "for i in n {}",
        "for i, j in 0..n {}",
        "for (i, j) {}",
        "for _ {}",
        "for 3 {}",
        "for i",
        "for i;",
        "for i y[i] = 1;",
        "for i in 0..n;",
        "for {}",
        "parallel for { y[i] = 1 }",
    ]), @r#"
    for i in 0..=n - 1 { y[i] = }
      1:11: extents are half-open: write `0..n`
      1:27: expected an expression, found the end
    for i in 0..=9 {}
      1:11: extents are half-open: write `0..10`
    for i in ..n {}
      1:10: the extent has no lower end: write `0..hi`
    for i in 0.. {}
      1:14: the extent has no upper end: write `lo..hi`, or leave out `in ..` to take it from the accesses
    for i in n {}
      1:10: a loop goes over indices and not over values: write `for i { .. n[i] .. }`, or `for i in 0..n { .. }` if `n` is a number
    for i, j in 0..n {}
      1:10: an extent belongs to one index: write `for i in lo..hi, j in lo..hi { .. }`, or those without an extent last, `for i in lo..hi, j { .. }`
    for (i, j) {}
      1:5: loops over several indices are written without parentheses: `for i, j { .. }`
    for _ {}
      1:5: expected an index, found `_`: give it a name
    for 3 {}
      1:5: expected an index, found `3`
    for i
      1:5: expected `,`, `in` or the body of the loop, `{ .. }`, found the end
    for i;
      1:6: expected `,`, `in` or the body of the loop, `{ .. }`, found `;`
    for i y[i] = 1;
      1:7: expected `,`, `in` or the body of the loop, `{ .. }`, found `y`
    for i in 0..n;
      1:14: expected `,` or the body of the loop, `{ .. }`, found `;`
    for {}
      1:5: expected an index, found `{`
    parallel for { y[i] = 1 }
      1:14: expected an index, found `{`
    "#);
}

#[test]
fn statement_mistakes() {
    insta::assert_snapshot!(errors_of_all(&[
        "y[i] == a[i];",
        "a[i] + 1;",
        "a[i];",
        "f(x);",
        "f(x) = 1;",
        "a + b = 1;",
        "-a = 1;",
        "1 = a;",
        "c <<min> a[i];",
        "c <<min>= a[i];",
        "c <<min = a[i];",
        "c << 1;",
        "c <<<>>= 1;",
        "c <<|a, b| a>>= 1;",
        "c =",
        "c = ;",
        "c = 1 +;",
        "c => 1;",
        "c: f64 = 1;",
        "a b = 1;",
        "c = 1 2;",
        "y[i] = a[i] z[i] = b[i];",
        "y[i] = a[i] for j { pass }",
        ", c = 1;",
        "if { c = 1 }",
        "if a c = 1;",
        "if a { c = 1 } else c = 2;",
        "else { c = 1 }",
        "where { c = 1 }",
        "c = 1 where t = 1;",
        "let t = 1 where { c = 1 }",
        "let x;",
        "let x: f64 = 1;",
        "let mut w = 1;",
        "let mut w: DenseVec<f64>[3] = 1;",
        "let mut w;",
        "let (a, b) = c;",
        "pass 1;",
        "pass a b;",
    ]), @r#"
    y[i] == a[i];
      1:6: `==` compares: write `=` to assign
    a[i] + 1;
      1:6: this computes a value that goes nowhere: write `target = ..` before it, or `+=` to update in place
    a[i];
      1:1: this value goes nowhere: write `target = ..` or `target += ..`
    f(x);
      1:1: this value goes nowhere: write `target = ..` or `target += ..`
    f(x) = 1;
      1:1: elements are named in brackets: write `f[x]`
    a + b = 1;
      1:3: this computes a value that goes nowhere: write `target = ..` before it, or `+=` to update in place
    -a = 1;
      1:1: only a name or an access can be assigned to: `c = ..` or `a[i] = ..`
    1 = a;
      1:1: only a name or an access can be assigned to: `c = ..` or `a[i] = ..`
    c <<min> a[i];
      1:8: expected `>>=` after the operator, found `>`: write `<<min>>=`
    c <<min>= a[i];
      1:8: expected `>>=` after the operator, found `>=`: write `<<min>>=`
    c <<min = a[i];
      1:9: expected `>>=` after the operator, found `=`: write `<<min>>=`
    c << 1;
      1:6: expected the name of an operator, as in `<<min>>=`, found `1`
    c <<<>>= 1;
      1:5: `<` compares and is no reduction: write an operator such as `min` or `and`
    c <<|a, b| a>>= 1;
      1:5: a closure has no name to reduce with: write a function, and `<<name>>=`
    c =
      1:3: expected an expression, found the end
    c = ;
      1:5: expected an expression, found `;`
    c = 1 +;
      1:8: expected an expression, found `;`
    c => 1;
      1:3: expected an assignment operator such as `=`, `+=` or `<<min>>=`, found `=>`
    c: f64 = 1;
      1:2: expected an assignment operator such as `=`, `+=` or `<<min>>=`, found `:`
    a b = 1;
      1:3: expected an assignment operator such as `=`, `+=` or `<<min>>=`, found `b`
    c = 1 2;
      1:7: expected `;` or an operator, found `2`: a product is written `.. * 2`
    y[i] = a[i] z[i] = b[i];
      1:13: expected `;`, found `z`
    y[i] = a[i] for j { pass }
      1:13: expected `;`, found `for`
    , c = 1;
      1:1: expected a statement, found `,`
    if { c = 1 }
      1:4: expected a condition, found `{`
    if a c = 1;
      1:6: expected the body of the `if`, `{ .. }`, found `c`
    if a { c = 1 } else c = 2;
      1:21: expected `if` or the body of the `else`, `{ .. }`, found `c`
    else { c = 1 }
      1:1: `else` without `if`: it follows the closed block of an `if`
    where { c = 1 }
      1:1: `where` follows its consumer: write `{ consumer } where { producer }`
    c = 1 where t = 1;
      1:13: expected the producer after `where`, `{ .. }` (a condition is `if cond { .. }` around the statement), found `t`
    let t = 1 where { c = 1 }
      1:11: `where` follows a consumer that reads the workspace: write `{ .. } where { .. }`
    let x;
      1:6: expected a value, found `;`: write `let x = ..;`, or `let mut x: Format[..];` for a workspace
    let x: f64 = 1;
      1:6: a definition takes its type from its value: write `let x = ..;`, or `let mut x: Format[..];` for a workspace
    let mut w = 1;
      1:11: expected `:`, found `=`: what is written is declared with its type: `let mut w: f64 = ..;`, or `let mut w: Format[..];` for a workspace
    let mut w: DenseVec<f64>[3] = 1;
      1:29: a workspace starts at the fill of its format: write `let mut w: ..;` and assign it afterwards
    let mut w;
      1:10: expected `:`, found `;`: what is written is declared with its type: `let mut w: f64 = ..;`, or `let mut w: Format[..];` for a workspace
    let (a, b) = c;
      1:5: expected a name, found `(`
    pass 1;
      1:6: expected the name of an output, found `1`
    pass a b;
      1:8: expected `;`, found `b`
    "#);
}

#[test]
fn expression_mistakes() {
    insta::assert_snapshot!(errors_of_all(&[
        "c = a < b < d;",
        "c = a == b != d;",
        "c = f<T>(x);",
        "c = A[i][j];",
        "c = f(x)[i];",
        "c = (a)(b);",
        "c = m::A[i];",
        "c = A[i j];",
        "c = A[i::walk + 1];",
        "c = A[2 * i::walk];",
        "c = A[i + 1::gallop];",
        "c = A[j, 2 * I[k] + i::lead - 1];",
        "c = A[-i::walk];",
        "c = A[i + I[j]::walk];",
        "c = A[i::for];",
        "c = A[(i)::3];",
        "c = A[0..n];",
        "c = A[_];",
        "c = A[:];",
        "c = A[,];",
        "c = window(a, b)[i, j];",
        "c = window(a, b)[i::walk];",
        "c = collapse(A, (i, j) -> k);",
        "c = f(k -> l);",
        "c = f(a b);",
        "c = f(,);",
        "c = ();",
        "c = $x;",
        "c = $();",
        "c = $(1 +);",
        "c = $(1, 2);",
        "c = a $(b);",
        "c = 170141183460469231731687303715884105728;",
        "c = 1e999;",
        "c = 10apples;",
        "c = 1.5u8;",
        "c = b'x';",
    ]), @r#"
    c = a < b < d;
      1:11: comparisons do not chain: write `a < b && b < c`
    c = a == b != d;
      1:12: comparisons do not chain: write `a == b && b != c`
    c = f<T>(x);
      1:8: comparisons do not chain: write `a < b && b > c`; type arguments are written `f::<T>(x)`
    c = A[i][j];
      1:9: an access has one pair of brackets: write `A[i, j]`
    c = f(x)[i];
      1:9: only a tensor has elements: call the function before this kernel, and take what it gives as a parameter
    c = (a)(b);
      1:8: expected an operator: a tensor or function is named without parentheses
    c = m::A[i];
      1:9: a tensor is one name: bind it with `let`, or pass it as a parameter
    c = A[i j];
      1:9: expected `,` or an operator, found `j`
    c = A[i::walk + 1];
      1:10: a protocol belongs to one whole index: write `A[(i + 1)::walk]`
    c = A[2 * i::walk];
      1:14: a protocol belongs to one whole index: write `A[(2 * i)::walk]`
    c = A[i + 1::gallop];
      1:12: a protocol belongs to one whole index: write `A[(i + 1)::gallop]`
    c = A[j, 2 * I[k] + i::lead - 1];
      1:24: a protocol belongs to one whole index: write `A[(2 * I[k] + i - 1)::lead]`
    c = A[-i::walk];
      1:11: a protocol belongs to one whole index: write `A[(-i)::walk]`
    c = A[i + I[j]::walk];
      1:15: a protocol belongs to one whole index: write `A[(i + I[j])::walk]`
    c = A[i::for];
      1:10: expected identifier, found keyword `for`
    c = A[(i)::3];
      1:12: expected a protocol such as `walk` or `gallop`, found `3`
    c = A[0..n];
      1:8: a range is not a value: loop over it, `for i in lo..hi { .. }`, or restrict an index, `A[window(lo, hi)[i]]`
    c = A[_];
      1:7: expected an expression, found `_`: every index has a name
    c = A[:];
      1:7: slices are not written: name an index for each dimension, `y[i] += a[i, j]`; a part of one is `window(lo, hi)[i]` in place of `i`
    c = A[,];
      1:7: expected an expression, found `,`
    c = window(a, b)[i, j];
      1:18: `window` modifies one index: write `window(..)[i]`
    c = window(a, b)[i::walk];
      1:21: the protocol follows the modifier: write `window(..)[i]::walk`
    c = collapse(A, (i, j) -> k);
      parsed: inline () -> () {c = collapse((A), (i, j) -> (k))}
    c = f(k -> l);
      1:9: `->` stands in shape operators, `collapse(A[i, j], (i, j) -> k)`, and so in `split`, `concat`, `slice` and `reshape`
    c = f(a b);
      1:9: expected `,` or an operator, found `b`
    c = f(,);
      1:7: expected an expression, found `,`
    c = ();
      1:5: expected an expression, found `()`
    c = $x;
      1:6: expected `(` after `$`: a Rust expression is written `$(..)`, found `x`
    c = $();
      1:6: expected a Rust expression in `$(..)`
    c = $(1 +);
      1:10: unexpected end of input, expected an expression
    c = $(1, 2);
      1:8: expected one Rust expression in `$(..)`, found `,`
    c = a $(b);
      1:7: expected an operator before `$`
    c = 170141183460469231731687303715884105728;
      1:5: the integer literal `170141183460469231731687303715884105728` is too large: it must fit in an i128
    c = 1e999;
      1:5: the literal `1e999` is too large: it must fit in an f64; infinity is `f64::INFINITY`
    c = 10apples;
      1:5: `apples` is no suffix of a number: write one such as `1u32` or `1.0f64`, or none
    c = 1.5u8;
      1:5: `u8` is no suffix of a number: write one such as `1u32` or `1.0f64`, or none
    c = b'x';
      1:5: only numbers, `true`, `false` and `missing` are literals: write Rust expressions as `$(..)`
    "#);
}

#[test]
fn what_is_nested_deepest_is_read_on_half_a_stack() {
    let all = |n: usize| {
        let s = |text: &str| text.repeat(n);
        [
            format!("<> c = {}1{}", s("("), s(")")),
            format!("<> c = {}1", s("-")),
            format!("<> c = a{}i{}", s("[a"), s("]")),
            format!("<> {} pass {}", s("for i {"), s("}")),
            format!("<> if a {{ pass }} {}", s("else if b { pass } ")),
            format!("<> {{ pass }} {}", s("where { pass } ")),
            format!("<a: {}f64{}> pass", "Dense<".repeat(n / 3), ">".repeat(n / 3)),
            format!("<> c = 1{}", s(" + 1")),
            format!("<> c = 1{}", s(" + 1 * 2 - a")),
        ]
    };
    // Half of what rustc gives a macro.
    let small = std::thread::Builder::new().stack_size(4 << 20);
    let read = small.spawn(move || {
        for n in [90, 5000] {
            for source in all(n) {
                let tokens: proc_macro2::TokenStream = source.parse().expect("tokens");
                let read = looplets_core::parse::programs(tokens);
                assert_eq!(read.is_ok(), n == 90, "{}", &source[..60]);
            }
        }
    });
    read.expect("a thread").join().expect("no panic");
}
