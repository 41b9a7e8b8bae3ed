//! What well-formed kernels parse to.

use super::notation::*;
use looplets_core::parse::programs;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

#[test]
fn function_form() {
    assert_eq!(
        parse(
            "/// y = A x\n pub fn spmv(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
                for i, j { y[i] += a[i, j] * x[j] }
            }"
        ),
        r#"#[doc="/// y = A x"]pubfn spmv (a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {for i,j {y[i] =<+> (* a[i j] x[j])}}"#
            .replace("/// y = A x", "y=Ax")
    );
    assert_eq!(parse("fn f() {}"), "fn f () -> () {}");
    assert_eq!(
        parse("pub(crate) fn f<T: Num, const N: usize>(alpha: T, y: &mut Vector<T>,) where T: Copy { y[i] *= alpha }"),
        "pub(crate)fn f<T:Num,constN:usize>whereT:Copy (alpha: T, y: &mut Vector<T>) -> () {y[i] =<*> alpha}"
    );
    assert_eq!(
        parse("fn f<'a>(a: &'a T, b: &'a mut U) -> () {}"),
        "fn f<'a> (a: &T, b: &mut U) -> () {}"
    );
    assert_eq!(
        parse("fn f(n: usize) -> (y: Vector<f64>[n], z: Matrix<f64>[n, n + 1],) {}"),
        "fn f (n: usize) -> (y: Vector<f64>[n], z: Matrix<f64>[n (+ n 1)]) {}"
    );
    assert_eq!(
        parse("fn f(a: &A) -> Result<(y: Tensor<Dense<Element<f64>>>), looplets::Error> {}"),
        "fn f ?looplets::Error (a: &A) -> (y: Tensor<Dense<Element<f64>>>) {}"
    );
    assert_eq!(
        parse("fn f<E>(a: &A) -> std::result::Result<(), Box<E>> where E: Error {}"),
        "fn f<E>whereE:Error ?Box<E> (a: &A) -> () {}"
    );
}

#[test]
fn settings_hold_for_all_functions() {
    assert_eq!(
        parse("#![forbid(unsafe_code)] #![steps(n)] fn f(n: &mut u64) {} #[inline] fn g(n: &mut u64) {}"),
        "safe steps=n fn f (n: &mut u64) -> () {}\nsafe steps=n #[inline]fn g (n: &mut u64) -> () {}"
    );
    assert_eq!(
        parse("#![steps(n)] <mut n: u64> pass;"),
        "steps=n inline (n: &mut u64) -> () {pass}"
    );
}

#[test]
fn inline_form() {
    assert_eq!(
        parse(
            "<A: Tensor<Dense<SparseList<Pattern>>>, At: Tensor<Dense<SparseList<Pattern>>>, mut triangles: u64>
            for i, j, k { triangles += A[i, j::gallop] && A[j, k::gallop] && At[i, k::gallop] }"
        ),
        "inline (A: &Tensor<Dense<SparseList<Pattern>>>, At: &Tensor<Dense<SparseList<Pattern>>>, triangles: &mut u64) \
         -> () {for i,j,k {triangles =<+> (and (and A[i j@gallop] A[j k@gallop]) At[i k@gallop])}}"
    );
    assert_eq!(
        parse("<A: Tensor<Dense<SparseList<Element<f64>>>>> -> (y: Vector<f64>[n]) y[i] = A[i, 0]"),
        "inline (A: &Tensor<Dense<SparseList<Element<f64>>>>) -> (y: Vector<f64>[n]) {y[i] = A[i 0]}"
    );
    assert_eq!(
        parse("<A: Tensor<Element<u8, Const<255>>>,>-> () pass"),
        "inline (A: &Tensor<Element<u8,Const<255>>>) -> () {pass}"
    );
    assert_eq!(parse("<> pass"), "inline () -> () {pass}");
}

// ---- statements --------------------------------------------------------------------------------

#[test]
fn loops() {
    assert_eq!(body("for i { pass }"), "{for i {pass}}");
    assert_eq!(body("for i, j { for k { pass; } }"), "{for i,j {for k {pass}}}");
    assert_eq!(body("for i in 0..n - 1 {}"), "{for i [0 (- n 1)) {}}");
    assert_eq!(body("for i in p[j]..p[j + 1] { }; pass"), "{for i [p[j] p[(+ j 1)]) {}; pass}");
    assert_eq!(body("for i in -n..-1 {}"), "{for i [(neg n) (neg 1)) {}}");
    assert_eq!(
        body("for i in $(a.len())..$(b.len()) {}"),
        "{for i [${a . len ()} ${b . len ()}) {}}"
    );
}

#[test]
fn assignments() {
    assert_eq!(body("c = 1; a[] = 2; a[i, j] = c"), "{c = 1; a[] = 2; a[i j] = c}");
    assert_eq!(
        body("c += 1; c -= 1; c *= 1; c /= 1; c %= 1; c &= 1; c |= 1; c ^= 1; c <<= 1; c >>= 1; c &&= b; c ||= b;"),
        "{c =<+> 1; c =<-> 1; c =<*> 1; c =</> 1; c =<%> 1; c =<&> 1; c =<|> 1; c =<^> 1; \
         c =<<<> 1; c =<>>> 1; c =<and> b; c =<or> b}"
    );
    assert_eq!(
        body("c <<min>>= a[i]; c<<or>>=b; c <<my::f>>= 1; c <<f::<T>>>= 1; c <<::std::cmp::max>>= 1; c << crate::g >>= 1"),
        "{c =<min'> a[i]; c =<or'> b; c =<my::f'> 1; c =<f::<T>'> 1; c =<::std::cmp::max'> 1; c =<crate::g'> 1}"
    );
    assert_eq!(body("c <<+>>= 1; c << && >>= b"), "{c =<+> 1; c =<and> b}");
    assert_eq!(body("c=-1; c=!b; c+=-x"), "{c = (neg 1); c = (not b); c =<+> (neg x)}");
    assert_eq!(body("c <<min>>= a << b >> 1"), "{c =<min'> (>> (<< a b) 1)}");
}

#[test]
fn sieves() {
    assert_eq!(body("if i < j { pass }"), "{if (< i j) {pass}}");
    assert_eq!(
        body("if a { c = 1 } else if b { c = 2 } else { c = 3 } pass"),
        "{if a {c = 1} else {if b {c = 2} else {c = 3}}; pass}"
    );
    assert_eq!(body("if (i == j) && m[i] {};;"), "{if (and (== i j) m[i]) {}}");
}

#[test]
fn workspaces() {
    assert_eq!(
        body("{ y[i] = w[i] } where { w[i] = a[i] }"),
        "{{y[i] = w[i]} where {w[i] = a[i]}}"
    );
    assert_eq!(
        body("y[i] = w[i] where { w[i] = a[i] }; pass"),
        "{{y[i] = w[i]} where {w[i] = a[i]}; pass}"
    );
    assert_eq!(body("for i { pass } where { pass } pass"), "{{for i {pass}} where {pass}; pass}");
    assert_eq!(body("{} where { t = u } where { u = 1 }"), "{{{} where {t = u}} where {u = 1}}");
    assert_eq!(
        body(
            "let x = 2 * n; let mut w: Tensor<Dense<Element<f64>>>[n, x]; let mut t: f64; { pass }"
        ),
        "{let x = (* 2 n); new w: Tensor<Dense<Element<f64>>>[n x]; new t: f64; {pass}}"
    );
}

#[test]
fn pass_is_a_word_only_where_nothing_else_is_meant() {
    assert_eq!(body("pass; pass a; pass a, b"), "{pass; pass a; pass a b}");
    assert_eq!(body("pass = 1; pass[i] += 1"), "{pass = 1; pass[i] =<+> 1}");
    assert_eq!(body("parallel = 1"), "{parallel = 1}");
}

// ---- expressions -------------------------------------------------------------------------------

#[test]
fn precedence() {
    assert_eq!(value("a + b * c - d"), "(- (+ a (* b c)) d)");
    assert_eq!(value("a - b - c"), "(- (- a b) c)");
    assert_eq!(value("a / b * c % d"), "(% (* (/ a b) c) d)");
    assert_eq!(value("a || b && c || d"), "(or (or a (and b c)) d)");
    assert_eq!(value("a == b && c != d"), "(and (== a b) (!= c d))");
    assert_eq!(value("a | b ^ c & d << e + f * g"), "(| a (^ b (& c (<< d (+ e (* f g))))))");
    assert_eq!(value("a & b == c"), "(== (& a b) c)");
    assert_eq!(value("a < b | c"), "(< a (| b c))");
    assert_eq!(value("-a * !b"), "(* (neg a) (not b))");
    assert_eq!(value("-a[i] - -b"), "(- (neg a[i]) (neg b))");
    assert_eq!(value("- - a"), "(neg (neg a))");
    assert_eq!(value("(a + b) * c"), "(* (+ a b) c)");
    assert_eq!(value("a < b && b < c"), "(and (< a b) (< b c))");
    assert_eq!(value("(a < b) == c"), "(== (< a b) c)");
    assert_eq!(value("a >> 1 >= b << 2"), "(>= (>> a 1) (<< b 2))");
}

#[test]
fn operators_need_no_spaces() {
    assert_eq!(value("a*-b"), "(* a (neg b))");
    assert_eq!(value("a<-b"), "(< a (neg b))");
    assert_eq!(value("a&&!b||!!c"), "(or (and a (not b)) (not (not c)))");
    assert_eq!(value("a<b"), "(< a b)");
    assert_eq!(value("a<<b>>c"), "(>> (<< a b) c)");
    assert_eq!(value("a==-1"), "(== a (neg 1))");
    assert_eq!(value("a+$(x)"), "(+ a ${x})");
    assert_eq!(value("a<::m::N"), "(< a ::m::N)");
}

#[test]
fn calls_and_paths() {
    assert_eq!(value("min(a, b[i], 1,)"), "(min' a b[i] 1)");
    assert_eq!(
        value("std::f64::consts::PI * f::<T, U>(x)"),
        "(* std::f64::consts::PI (f::<T,U>' x))"
    );
    assert_eq!(value("f() + crate::g(h(1))"), "(+ (f') (crate::g' (h' 1)))");
    assert_eq!(
        value("ifelse(a > 0, coalesce(a, missing), missing)"),
        "(ifelse' (> a 0) (coalesce' a #missing) #missing)"
    );
    assert_eq!(
        value("missing(1) + missing[i] + missing"),
        "(+ (+ (missing' 1) missing[i]) #missing)"
    );
}

#[test]
fn literals() {
    assert_eq!(
        value("1 + 2.0 + 2.5 + 1e3 + 0x1f + 1_000u64"),
        "(+ (+ (+ (+ (+ 1 2float) 2.5float) 1000float) 31) 1000u64)"
    );
    assert_eq!(value("1f32 + 1.5f64 + 0.1f32"), "(+ (+ 1f32 1.5f64) 0.1f32)");
    assert_eq!(value("true || false"), "(or true false)");
    assert_eq!(value("170141183460469231731687303715884105727"), i128::MAX.to_string());
}

#[test]
fn escapes() {
    assert_eq!(
        value("$(x.len() as f64) * $(if a { 1 } else { 2 })"),
        "(* ${x . len () as f64} ${if a { 1 } else { 2 }})"
    );
}

#[test]
fn indices_and_protocols() {
    assert_eq!(value("A[i::walk, j::gallop,]"), "A[i@walk j@gallop]");
    assert_eq!(
        value("A[(i + 1)::gallop, I[j]::locate, f(i)::walk]"),
        "A[(+ i 1)@gallop I[j]@locate (f' i)@walk]"
    );
    assert_eq!(
        value("A[i + 1, s*k + r, k / J, k % J, -i]"),
        "A[(+ i 1) (+ (* s k) r) (/ k J) (% k J) (neg i)]"
    );
    assert_eq!(
        value("A[window(lo, hi)[k], offset(d)[window(a, b)[k]]::walk, permit[k]]"),
        "A[(window' lo hi k) (offset' d (window' a b k))@walk permit[k]]"
    );
    assert_eq!(value("A[] + A[(m::N)] + A[m::n::N]"), "(+ (+ A[] A[m::N]) A[m::n::N])");
    assert_eq!(value("A[m::N + 1, m::f(i)]"), "A[(+ m::N 1) (m::f' i)]");
}

#[test]
fn macro_fragments_are_operands() {
    let fragment = |t: TokenStream| TokenTree::Group(Group::new(Delimiter::None, t));
    let show = |t: TokenStream| match programs(t) {
        Ok(all) => all.iter().map(program).collect::<String>(),
        Err(errors) => errors.render(),
    };
    let sum = fragment(quote!(a + b));
    assert_eq!(show(quote!(<> c = #sum * 2)), "inline () -> () {c = (* (+ a b) 2)}");
    assert_eq!(show(quote!(<> c = 2 - #sum;)), "inline () -> () {c = (- 2 (+ a b))}");
    let nested = fragment(sum.clone().into());
    assert_eq!(
        show(quote!(<> c = A[#nested::walk] + 1)),
        "inline () -> () {c = (+ A[(+ a b)@walk] 1)}"
    );
    let negative = fragment(quote!(-a));
    assert_eq!(
        show(quote!(<> c = #negative * !#negative)),
        "inline () -> () {c = (* (neg a) (not (neg a)))}"
    );
    let (name, path, one) = (fragment(quote!(A)), fragment(quote!(my::f)), fragment(quote!(1)));
    assert_eq!(
        show(quote!(<> #name[i] <<#path>>= #path(#one))),
        "inline () -> () {A[i] =<my::f'> (my::f' 1)}"
    );
    let (ty, stmt, block) =
        (fragment(quote!(&Csr<f64>)), fragment(quote!(y[i] += a[i])), fragment(quote!({ pass })));
    assert_eq!(
        show(quote!(fn f(a: #ty) { #stmt; for i #block })),
        "fn f (a: &Csr<f64>) -> () {y[i] =<+> a[i]; for i {pass}}"
    );
    let cast = fragment(quote!(x as f64));
    assert_eq!(show(quote!(<> c = #cast * 2)), "inline () -> () {c = (* (as:f64 x) 2)}");
}

// ---- mistakes ----------------------------------------------------------------------------------
