//! The surface syntax: what each form parses to, and what each mistake is answered with.

use looplets_core::ast::{Block, Expr, Form, Output, Param, Passing, Program, Stmt};
use looplets_core::cin::Lit;
use looplets_core::parse::programs;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{quote, ToTokens};

// ---- a compact printer -------------------------------------------------------------------------

fn tight(t: impl ToTokens) -> String {
    t.to_token_stream().to_string().replace(' ', "")
}

fn exprs<'a>(all: impl IntoIterator<Item = &'a Expr>) -> String {
    all.into_iter().map(|e| format!(" {}", sexp(e))).collect()
}

fn sexp(e: &Expr) -> String {
    match e {
        Expr::Lit(lit, suffix, _) => {
            let value = match lit {
                Lit::Bool(b) => b.to_string(),
                Lit::Int(n) => n.to_string(),
                Lit::Float(bits) => format!("{:?}", f64::from_bits(*bits)),
                Lit::Missing => "#missing".into(),
            };
            value + suffix.as_deref().unwrap_or("")
        }
        Expr::Name(n) => n.to_string(),
        Expr::Path(p) => tight(p),
        Expr::Access { name, indices, .. } => {
            let all = indices.iter().map(|i| {
                let protocol = i.protocol.as_ref().map(|p| format!("@{p}")).unwrap_or_default();
                sexp(&i.expr) + &protocol
            });
            format!("{name}[{}]", all.collect::<Vec<_>>().join(" "))
        }
        Expr::Call { op, args } => {
            let mark = if op.path.is_some() { "'" } else { "" };
            format!("({}{mark}{})", op.op.name(), exprs(args))
        }
        Expr::Escape(tokens, _) => format!("${{{tokens}}}"),
    }
}

fn block(b: &Block) -> String {
    format!("{{{}}}", b.stmts.iter().map(stmt).collect::<Vec<_>>().join("; "))
}

fn stmt(s: &Stmt) -> String {
    match s {
        Stmt::For { indices, extent, body } => {
            let names: Vec<_> = indices.iter().map(ToString::to_string).collect();
            let extent = extent.as_ref().map(|(lo, hi)| format!(" [{} {})", sexp(lo), sexp(hi)));
            format!("for {}{} {}", names.join(","), extent.unwrap_or_default(), block(body))
        }
        Stmt::Assign { target, op, value, .. } => {
            let op = op.as_ref().map_or("".into(), |op| {
                let mark = if op.path.is_some() { "'" } else { "" };
                format!("<{}{mark}>", op.op.name())
            });
            format!("{} ={op} {}", sexp(target), sexp(value))
        }
        Stmt::If { cond, then, otherwise } => {
            let other = otherwise.as_ref().map(|b| format!(" else {}", block(b)));
            format!("if {} {}{}", sexp(cond), block(then), other.unwrap_or_default())
        }
        Stmt::Where { consumer, producer } => {
            format!("{} where {}", block(consumer), block(producer))
        }
        Stmt::Let { name, value } => format!("let {name} = {}", sexp(value)),
        Stmt::Workspace { name, ty, dims } => format!("new {name}: {}{}", tight(ty), sizes(dims)),
        Stmt::Pass(names) => {
            names.iter().fold("pass".to_string(), |text, name| format!("{text} {name}"))
        }
        Stmt::Block(b) => block(b),
    }
}

fn sizes(dims: &Option<Vec<Expr>>) -> String {
    dims.as_ref().map(|d| format!("[{}]", exprs(d).trim())).unwrap_or_default()
}

fn program(p: &Program) -> String {
    let mut out = String::new();
    if p.safe {
        out += "safe ";
    }
    if let Some(counter) = &p.steps {
        out += &format!("steps={counter} ");
    }
    let param = |p: &Param| {
        let passing = match p.passing {
            Passing::Value => "",
            Passing::Shared => "&",
            Passing::Mutable => "&mut ",
        };
        format!("{}: {passing}{}", p.name, tight(&p.ty))
    };
    let output = |o: &Output| format!("{}: {}{}", o.name, tight(&o.ty), sizes(&o.dims));
    let params: Vec<_> = p.params.iter().map(param).collect();
    let outputs: Vec<_> = p.outputs.iter().map(output).collect();
    match &p.form {
        Form::Inline => out += "inline",
        Form::Function { attrs, vis, name, generics, fallible } => {
            out += &format!(
                "{}{}fn {name}{}",
                attrs.iter().map(tight).collect::<String>(),
                tight(vis),
                tight(generics)
            );
            out += &tight(&generics.where_clause);
            if let Some(error) = fallible {
                out += &format!(" ?{}", tight(error));
            }
        }
    }
    format!("{out} ({}) -> ({}) {}", params.join(", "), outputs.join(", "), block(&p.body))
}

// ---- shorthands --------------------------------------------------------------------------------

fn tokens(source: &str) -> TokenStream {
    source.parse().unwrap_or_else(|_| panic!("the Rust lexer refuses {source}"))
}

fn parse(source: &str) -> String {
    match programs(tokens(source)) {
        Ok(all) => all.iter().map(program).collect::<Vec<_>>().join("\n"),
        Err(errors) => panic!("{source}\n{}", errors.render()),
    }
}

/// The statements of an inline program, printed.
fn body(source: &str) -> String {
    parse(&format!("<> {source}")).replacen("inline () -> () ", "", 1)
}

/// The value of `c = source`, printed.
fn value(source: &str) -> String {
    let text = body(&format!("c = {source};"));
    text.strip_prefix("{c = ")
        .and_then(|t| t.strip_suffix('}'))
        .expect("one assignment")
        .to_string()
}

/// The errors of statements, with the column counted from their own first character.
fn errors(source: &str) -> String {
    match programs(tokens(&format!("<>\n{source}"))) {
        Ok(all) => format!("parsed: {}", all.iter().map(program).collect::<String>()),
        Err(errors) => {
            let shift = |line: &str| {
                let (row, rest) = line.split_once(':').expect("line:column");
                let row: usize = row.parse().expect("a line number");
                format!("{}:{rest}", row - 1)
            };
            errors.render().lines().map(shift).collect::<Vec<_>>().join("\n")
        }
    }
}

fn errors_of_all(sources: &[&str]) -> String {
    sources.iter().map(|s| format!("{s}\n  {}\n", errors(s).replace('\n', "\n  "))).collect()
}

fn program_errors(source: &str) -> String {
    match programs(tokens(source)) {
        Ok(all) => format!("parsed: {}", all.iter().map(program).collect::<String>()),
        Err(errors) => errors.render(),
    }
}

fn program_errors_of_all(sources: &[&str]) -> String {
    let name = |s: &&str| if s.is_empty() { "(nothing)".to_string() } else { s.to_string() };
    sources
        .iter()
        .map(|s| format!("{}\n  {}\n", name(s), program_errors(s).trim_end().replace('\n', "\n  ")))
        .collect()
}

// ---- headers -----------------------------------------------------------------------------------

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
    assert_eq!(parse("<>"), "inline () -> () {}");
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
    assert!(show(quote!(<> c = #cast)).contains("casts are not index notation"));
}

// ---- mistakes ----------------------------------------------------------------------------------

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
      1:7: unknown operator `@`; a matrix product is a loop, `for i, j, k { c[i, j] += a[i, k] * b[k, j] }`
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
        "c = a[i] as f64 + 1;",
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
      1:9: methods and fields are not index notation: call a function, `sqrt(x)`, or write Rust expressions as `$(..)`
    c = a.0;
      1:6: methods and fields are not index notation: call a function, `sqrt(x)`, or write Rust expressions as `$(..)`
    c = a[i] as f64 + 1;
      1:10: casts are not index notation: numbers take the type of what they meet; write Rust expressions as `$(..)`
    c = |x| x + 1;
      1:5: closures are not index notation: write Rust expressions as `$(..)`
    c = f(move || 1);
      1:7: closures are not index notation: write Rust expressions as `$(..)`
    c = &a;
      1:5: references are not index notation: name the tensor or variable itself, or write Rust expressions as `$(..)`
    c = *a;
      1:5: there is nothing to dereference: name the variable itself, or write Rust expressions as `$(..)`
    *c += 1;
      1:1: there is nothing to dereference: a `&mut` scalar is assigned by its name, `c += ..`
    c = "text";
      1:5: a string is not a number: write Rust expressions as `$(..)`
    c = 'x';
      1:5: only numbers, `true`, `false` and `missing` are literals: write Rust expressions as `$(..)`
    c = vec![1];
      1:8: macro calls are not index notation: write Rust expressions as `$(..)`
    c = [1, 2];
      1:5: arrays are not index notation: write Rust expressions as `$(..)`
    c = (a, b);
      1:7: tuples are not index notation: every expression is one number
    c = { 1 };
      1:5: blocks are statements, not values: write Rust expressions as `$(..)`
    c = if a { 1 } else { 2 };
      1:5: `if` is a statement: a choice between values is `ifelse(cond, a, b)`
    c = match a { _ => 1 };
      1:5: `match` is not index notation: write Rust expressions as `$(..)`
    c = self.x;
      1:5: `self` is not index notation: write Rust expressions as `$(..)`
    c = f(x)?;
      1:9: `?` is not index notation: a choice is `ifelse(cond, a, b)`, and Rust expressions are written `$(..)`
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
      1:8: `break` is not index notation: a kernel stops early by itself where nothing more can change; restrict a statement with `if cond { .. }`
    'a: for i {}
      1:1: loops have no labels: a kernel stops early by itself where nothing more can change
    match c { _ => {} }
      1:1: `match` is not index notation: write `if cond { .. } else { .. }`
    fn f() {}
      1:1: `fn` is not index notation: write items and Rust blocks outside the kernel
    #[x] for i {}
      1:1: a statement has no attributes: they stand before the function, and `#![..]` before everything
    if let x = y {}
      1:4: `if let` is not index notation: a condition is a boolean expression
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
        "parallel for i { y[i] = 1 }",
    ]), @r#"
    for i in 0..=n - 1 { y[i] = }
      1:11: extents are half-open: write `0..n - 1 + 1`
      1:27: expected an expression, found the end
    for i in 0..=9 {}
      1:11: extents are half-open: write `0..10`
    for i in ..n {}
      1:10: the extent has no lower end: write `0..hi`
    for i in 0.. {}
      1:14: the extent has no upper end: write `lo..hi`, or leave out `in ..` to take it from the accesses
    for i in n {}
      1:12: expected `..`, found `{`: an extent is written `lo..hi`
    for i, j in 0..n {}
      1:10: an extent belongs to one index: write `for i in lo..hi { for j { .. } }`
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
      1:14: expected the body of the loop, `{ .. }`, found `;`
    for {}
      1:5: expected an index, found `{`
    parallel for i { y[i] = 1 }
      1:1: loops run sequentially: write `for`
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
        "let mut w: f64 = 1;",
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
      1:1: only a name or an access can be assigned to: `c = ..` or `a[i] = ..`
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
      1:7: expected `;`, found `2`
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
      1:13: expected the producer after `where`, `{ .. }`, found `t`
    let t = 1 where { c = 1 }
      1:11: `where` follows a consumer that reads the workspace: write `{ .. } where { .. }`
    let x;
      1:6: expected a value, found `;`: write `let x = ..;`, or `let mut x: Format[..];` for a workspace
    let x: f64 = 1;
      1:6: a definition takes its type from its value: write `let x = ..;`, or `let mut x: Format[..];` for a workspace
    let mut w = 1;
      1:11: expected `:`, found `=`: a workspace is declared with its format, `let mut w: f64;`, and assigned afterwards
    let mut w: f64 = 1;
      1:16: a workspace starts at its fill: write `let mut w: ..;` and assign it afterwards
    let mut w;
      1:10: expected `:`, found `;`: a workspace is declared with its format, `let mut w: f64;`, and assigned afterwards
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
      1:9: only a tensor has elements: name one, `A[i]`
    c = (a)(b);
      1:8: expected an operator: a tensor or function is named without parentheses
    c = m::A[i];
      1:9: a tensor is one name: bind it with `let`, or pass it as a parameter
    c = A[i j];
      1:9: expected `,` or an operator, found `j`
    c = A[i::walk + 1];
      1:10: a protocol belongs to one whole index: write `A[(i + 1)::walk]`
    c = A[2 * i::walk];
      1:14: a protocol belongs to one whole index: write `A[(i + 1)::walk]`
    c = A[-i::walk];
      1:11: a protocol belongs to one whole index: write `A[(i + 1)::walk]`
    c = A[i + I[j]::walk];
      1:15: a protocol belongs to one whole index: write `A[(i + 1)::walk]`
    c = A[i::for];
      1:10: expected identifier, found keyword `for`
    c = A[(i)::3];
      1:12: expected a protocol such as `walk` or `gallop`, found `3`
    c = A[0..n];
      1:8: a range is not a value: loop over it, `for i in lo..hi { .. }`, or restrict an index, `A[window(lo, hi)[i]]`
    c = A[_];
      1:7: expected an expression, found `_`: every index has a name
    c = A[:];
      1:7: expected an expression, found `:`
    c = A[,];
      1:7: expected an expression, found `,`
    c = window(a, b)[i, j];
      1:18: `window` modifies one index: write `window(..)[i]`
    c = window(a, b)[i::walk];
      1:21: the protocol follows the modifier: write `window(..)[i]::walk`
    c = collapse(A, (i, j) -> k);
      1:19: tuples are not index notation: every expression is one number
    c = f(k -> l);
      1:9: index maps `->` are not index notation: write the arithmetic, such as `A[k / n, k % n]`
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
      1:11: expected named outputs in parentheses, found `f64`: write `-> (y: Format)`
    fn f() -> (f64) {}
      1:12: expected `:` and the format of `f64`, found the end: outputs are named, `y: Format`
    fn f() -> (Csr<f64>) {}
      1:15: expected `:` and the format of `Csr`, found `<`: outputs are named, `y: Format`
    fn f() -> (y: &T, mut z: U, w: V[n m]) {}
      1:15: the kernel creates its outputs: write `y: Format`, or make it a parameter, `y: &mut Format`
      1:19: an output is written in any case: leave out `mut`
      1:36: expected `,` or an operator, found `m`
    fn f() -> Result<f64, E> {}
      1:18: expected named outputs in parentheses, found `f64`: write `-> (y: Format)`
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
      1:1: unknown setting: expected `#![forbid(unsafe_code)]` or `#![steps(counter)]`
      1:17: expected attribute arguments in parentheses: #![steps(...)]
      1:33: expected the name of a `mut` parameter that counts the steps, found `1`
      1:37: unknown setting: expected `#![forbid(unsafe_code)]` or `#![steps(counter)]`
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
    { y[i] = t as f64 } where { t = ; }
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
    7:31: methods and fields are not index notation: call a function, `sqrt(x)`, or write Rust expressions as `$(..)`
    10:17: a protocol belongs to one whole index: write `A[(i + 1)::walk]`
    11:14: expected a value, found `;`: write `let x = ..;`, or `let mut x: Format[..];` for a workspace
    12:16: expected `>>=` after the operator, found `>`: write `<<min>>=`
    15:16: casts are not index notation: numbers take the type of what they meet; write Rust expressions as `$(..)`
    15:37: expected an expression, found `;`
    17:26: expected an expression, found `@`
    "#);
}

// ---- robustness --------------------------------------------------------------------------------

/// A linear congruential generator (Knuth's MMIX constants): the same sequence everywhere.
struct Lcg(u64);

impl Lcg {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n as u64) as usize
    }
}

const CORPUS: [&str; 6] = [
    "#![forbid(unsafe_code)] #![steps(n)] #[inline] pub fn f<T: Num>(a: &Csr<T>, n: &mut u64, x: f64) -> Result<(y: V<T>[n], z: M), looplets::Error> where T: Copy { for i, j { y[i] += a[i, j::gallop] * x; } }",
    "<A: Tensor<Dense<SparseList<Element<f64>>>>, mut c: f64> -> (y: V[n]) for i in 0..n - 1 { c <<min>>= A[i, (i + 1)::walk] }",
    "<> { c = w[] } where { let mut w: T<f64>[n]; w[] = f::<T>(1, 2.5f32) << 3 }; pass a, b;",
    "<> if a < b && !c || d == -1 { x = $(v.len() as f64) } else if true { pass } else { y[I[j]::locate] ^= missing }",
    "<> let x = coalesce(a[window(1, 2)[k]], missing) ; x <<+>>= a | b & c % d; c <<my::f>>= ifelse(a, b, c)",
    "fn g() -> (y: T) { parallel for i { y[i] == a ** b } while c { return } y = 'x' \"s\" @ 0..=n }",
];

fn atoms(stream: TokenStream, all: &mut Vec<TokenTree>) {
    for token in stream {
        if let TokenTree::Group(group) = &token {
            atoms(group.stream(), all);
        }
        all.push(token);
    }
}

fn mutate(stream: TokenStream, atoms: &[TokenTree], rng: &mut Lcg) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in stream {
        let token = match token {
            TokenTree::Group(group) => {
                let inside = mutate(group.stream(), atoms, rng);
                let delimiter = match rng.below(300) {
                    0 => Delimiter::None,
                    1 => Delimiter::Brace,
                    2 => Delimiter::Bracket,
                    3 => Delimiter::Parenthesis,
                    _ => group.delimiter(),
                };
                Group::new(delimiter, inside).into()
            }
            other => other,
        };
        match rng.below(500) {
            0 => {}
            1 => out.extend([token.clone(), token]),
            2 => out.push(atoms[rng.below(atoms.len())].clone()),
            3 => out.extend([token, atoms[rng.below(atoms.len())].clone()]),
            4 => out.push(Group::new(Delimiter::None, token.into()).into()),
            5 if !out.is_empty() => {
                let at = rng.below(out.len());
                out.insert(at, token);
            }
            _ => out.push(token),
        }
    }
    out.into_iter().collect()
}

#[test]
fn no_token_sequence_panics() {
    let mut rng = Lcg(2023);
    let mut pool = Vec::new();
    CORPUS.iter().for_each(|source| atoms(tokens(source), &mut pool));
    let (mut accepted, mut refused) = (0, 0);
    for case in 0..5000 {
        let mut stream = tokens(CORPUS[case % CORPUS.len()]);
        for _ in 0..=rng.below(3) {
            stream = mutate(stream, &pool, &mut rng);
        }
        match programs(stream) {
            Ok(all) => {
                accepted += 1;
                all.iter().for_each(|p| drop(program(p)));
            }
            Err(errors) => {
                refused += 1;
                assert!(!errors.render().is_empty());
            }
        }
    }
    // Both ways through the parser were taken often.
    assert!(accepted > 100 && refused > 1000, "{accepted} accepted, {refused} refused");
}
