//! How expansion grows with what is written: statements, definitions, operands and the arguments of operators
//! are counted in lines of the expansion and in terms that are simplified, and what multiplies is refused.

#[path = "../benches/expansion/sources.rs"]
#[allow(dead_code)]
mod sources;

use looplets_core::emit::pretty;
use looplets_core::expand;
use looplets_core::simplify::Simplifier;
use proc_macro2::{TokenStream, TokenTree};
use sources::Sources;

/// What an expansion comes to.
struct Size {
    lines: usize,
    terms: usize,
    /// The most definitions in one function.
    widest: usize,
    error: Option<String>,
}

/// In a thread of its own with as much of a stack as rustc has; with the declaration of an operator, if any.
fn expanded(operator: Option<&str>, program: &str) -> Size {
    std::thread::scope(|scope| {
        let of = || measured(operator, program);
        let thread = std::thread::Builder::new().stack_size(8 << 20).spawn_scoped(scope, of);
        thread.expect("a thread").join().expect("expands")
    })
}

fn measured(operator: Option<&str>, program: &str) -> Size {
    let sources = match operator {
        Some(declaration) => Sources::new().with(declaration),
        None => Sources::new(),
    };
    let mut simplifier = Simplifier::new(looplets_rewrites::standard());
    let (tokens, _) = sources.expand(program.parse().expect("tokens"), &mut simplifier);
    let text = tokens.to_string();
    let error = text.split_once("compile_error ! { \"").map(|(_, rest)| rest.to_owned());
    let (terms, widest) = (simplifier.statistics().terms, widest(&tokens));
    Size { lines: pretty(tokens).lines().count(), terms, widest, error }
}

fn size(program: &str) -> Size {
    let size = expanded(None, program);
    assert_eq!(size.error, None);
    size
}

fn refusal(program: &str) -> String {
    expanded(None, program).error.expect("is refused")
}

/// `one` of each operand's number, one after the other.
fn all(count: usize, between: &str, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect::<Vec<_>>().join(between)
}

/// The program that gives the operands, of a format, `value` along `indices`.
fn program(count: usize, format: &str, gives: &str, indices: &str, value: &str) -> String {
    let params = all(count, ", ", |k| format!("a{k}: &{format}"));
    format!("fn k({params}) -> (c: {gives}) {{ for {indices} {{ c[{indices}] = {value} }} }}")
}

/// The operands combined by an operator.
fn combined(count: usize, format: &str, gives: &str, indices: &str, op: &str) -> String {
    program(count, format, gives, indices, &all(count, op, |k| format!("a{k}[{indices}]")))
}

const CSF: &str = "Tensor<SparseList<SparseList<SparseList<Element<f64>>>>>";
const COO: &str = "Tensor<Coo<Singleton<Element<f64>>>>";
const VECTOR: &str = "SparseVec<f64>";

#[test]
fn operands_of_a_sum_add_up() {
    let sum = |count| size(&combined(count, VECTOR, VECTOR, "i", " + "));
    let (eight, sixteen, many) = (sum(8), sum(16), sum(200));
    // As many lines for each further operand, whether there are eight or two hundred; longer names break more.
    let each = (sixteen.lines - eight.lines) / 8;
    assert!(many.lines <= eight.lines + 192 * (each + 4), "{} then {}", each, many.lines);
    assert!(many.terms <= 3 * 200, "{}", many.terms);
    // Fewer than the cases of four have had.
    assert!(sum(32).lines < 800 && sum(4).lines < sum(3).lines, "{}", sum(32).lines);
}

#[test]
fn operands_of_other_operators_add_up() {
    let product = size(&combined(200, VECTOR, VECTOR, "i", " * "));
    assert!(product.lines < 5_500 && product.terms < 600, "{} {}", product.lines, product.terms);
    let greatest = all(32, ", ", |k| format!("a{k}[i]"));
    let greatest = size(&program(32, VECTOR, VECTOR, "i", &format!("max({greatest})")));
    assert!(greatest.lines < 1_000 && greatest.terms < 100, "{}", greatest.lines);
    let pairs = all(8, " + ", |k| format!("a{}[i] * a{}[i]", 2 * k, 2 * k + 1));
    let pairs = size(&program(16, VECTOR, VECTOR, "i", &pairs));
    assert!(pairs.lines < 700 && pairs.terms < 130, "{} {}", pairs.lines, pairs.terms);
}

#[test]
fn levels_do_not_multiply_operands() {
    for (count, format, indices, most) in
        [(8, "Csr<f64>", "i, j", 800), (4, CSF, "i, j, k", 800), (3, COO, "i, j", 800)]
    {
        let found = size(&combined(count, format, format, indices, " + "));
        assert!(
            found.lines < most && found.terms < 100,
            "{format}: {} {}",
            found.lines,
            found.terms
        );
    }
}

/// Two and three operands are told apart by cases, which are faster than selects.
#[test]
fn few_operands_have_cases() {
    for count in [2, 3] {
        let mut simplifier = Simplifier::new(looplets_rewrites::standard());
        let text = combined(count, VECTOR, VECTOR, "i", " + ").parse().expect("tokens");
        let (tokens, _) = Sources::new().expand(text, &mut simplifier);
        assert!(!tokens.to_string().contains("a0_here"), "{count}");
    }
}

#[test]
fn statements_and_definitions_add_up() {
    let loops = |count| all(count, " ", |k| format!("for i {{ c += {k} * a[i] }}"));
    let few = size(&format!("fn k(a: &DenseVec<f64>, c: &mut f64) {{ {} }}", loops(20)));
    let many = size(&format!("fn k(a: &DenseVec<f64>, c: &mut f64) {{ {} }}", loops(200)));
    assert!(many.terms <= 1_200 && many.lines < 12 * few.lines, "{}", many.lines);
    let inner = all(1_000, " ", |k| format!("c += {k} * a[i];"));
    let inner = size(&format!("fn k(a: &DenseVec<f64>, c: &mut f64) {{ for i {{ {inner} }} }}"));
    assert!(inner.terms < 7_000 && inner.lines < 1_100, "{} {}", inner.terms, inner.lines);
    let lets = all(1_500, " ", |k| format!("let t{} = t{k} * 2 + 1;", k + 1));
    let lets = size(&format!("fn k(a: f64, c: &mut f64) {{ let t0 = a; {lets} c += t1500 }}"));
    assert!(lets.terms < 3_100 && lets.lines < 1_600, "{} {}", lets.terms, lets.lines);
    // Definitions that stand for literals go where they are used, one by one.
    let lets = all(1_500, " ", |k| format!("let t{} = t{k} + 1;", k + 1));
    let lets = size(&format!("fn k(c: &mut f64) {{ let t0 = 1; {lets} c += t1500 }}"));
    assert!(lets.terms < 6_100, "{}", lets.terms);
}

/// Definitions that are each made of the one before twice: put in, they would double.
#[test]
fn definitions_that_are_read_twice_are_shared() {
    let chain = |count, step: &str| {
        let one = |k: usize| {
            let value = step.replace('$', &format!("x{k}"));
            format!("let x{} = {value};", k + 1)
        };
        all(count, " ", one)
    };
    let grows = |program: &dyn Fn(usize) -> String| {
        let (few, many) = (size(&program(20)), size(&program(60)));
        let (lines, terms) = (many.lines - few.lines, many.terms.saturating_sub(few.terms));
        // Gaps are looked at, and costs counted, of each definition once.
        assert!(lines <= 40 * 20 && terms <= 40 * 100, "{lines} {terms}\n{}", program(3));
    };
    for (ty, of) in [("f64", "a"), ("i64", "a"), ("f64", "a * 0")] {
        grows(&|n| {
            let lets = chain(n, "$ * $ + 1");
            format!("fn k(a: {ty}, c: &mut {ty}) {{ let x0 = {of}; {lets} c += x{n} }}")
        });
    }
    // Whether the output leaves its fill open or not: what is assigned has to be known at fill.
    for (format, step) in [
        ("SparseVec<f64>", "$ * $ + $"),
        ("SparseVec<f64>", "$ * b[i] + $"),
        ("Tensor<SparseList<Element<f64, _>>>", "$ * $ + $ * b[i]"),
        ("DenseVec<f64>", "ifelse($ > 0.5, $ + k, $ * $)"),
    ] {
        grows(&|n| {
            let (params, lets) = ("k: f64, a: &SparseVec<f64>, b: &SparseVec<f64>", chain(n, step));
            format!("fn k({params}) -> (c: {format}) {{ for i {{ let x0 = a[i]; {lets} c[i] = x{n} }} }}")
        });
    }
    // Indices, and conditions that cut the loop.
    grows(&|n| {
        let lets = chain(n, "$ + $");
        format!("fn k(a: &SparseVec<f64>, c: &mut f64) {{ for i {{ let x0 = i; {lets} if x{n} > 7 {{ c += a[i] }} }} }}")
    });
    // What is of literals alone takes its type where it is used, and so is copied there.
    let lets = chain(22, "$ * $ + 1");
    let message = refusal(&format!("fn k(c: &mut f64) {{ let x0 = 1; {lets} c += x22 }}"));
    assert!(message.starts_with("`x10` comes to more than 4000 literals"), "{message}");
    // So is an argument of an operator with a space, to see where it is stored.
    let call = |count| {
        let lets = chain(count, "$ * $ + $");
        let body = format!("for i {{ let x0 = a[i]; {lets} c[i] = f(x{count}, a[i]) }}");
        let program =
            format!("use f; fn k(a: &SparseVec<f64>) -> (c: SparseVec<f64>) {{ {body} }}");
        expanded(Some(&operator(2, " & ")), &program)
    };
    assert_eq!(call(4).error, None);
    let message = call(22).error.expect("is refused");
    assert!(message.starts_with("an argument of `f`, which states its space"), "{message}");
}

/// The most definitions in one function of `tokens`, a closure counted for itself.
fn widest(tokens: &TokenStream) -> usize {
    fn own(tokens: &TokenStream, most: &mut usize) -> usize {
        let mut count = 0;
        for tree in tokens.clone() {
            match tree {
                TokenTree::Ident(word) if word == "let" => count += 1,
                TokenTree::Group(g) => {
                    let within = own(&g.stream(), most);
                    let closure = g.stream().to_string().starts_with("||");
                    count += if closure { 0 } else { within };
                    *most = within.max(*most);
                }
                _ => {}
            }
        }
        count
    }
    let mut most = 0;
    own(tokens, &mut most).max(most)
}

/// Loops one behind the other are lowered one by one, whatever they share, and no function that rustc is given has
/// more variables for them: its borrow checker takes the product of these and of the branches.
#[test]
fn loops_in_a_row_add_up() {
    let sums = |k: usize| format!("for i {{ c += {k} * b[i] }}");
    let rows = |k: usize| format!("for i, j {{ c += {k} * m[i, j] * b[j] }}");
    let made = |k: usize| {
        let init = format!("for i {{ w{k}[i] += a[i] }}");
        let read = format!("for i {{ d[i] += {k} * w{k}[i] }}");
        format!("{{ let mut w{k}: Tensor<Dense<Element<f64>>>[n]; {init} {read} }}")
    };
    let loops: [(&dyn Fn(usize) -> String, usize); 3] = [(&sums, 160), (&rows, 160), (&made, 40)];
    for (one, count) in loops {
        let of = |count| {
            let params = "a: &SparseVec<f64>, b: &DenseVec<f64>, m: &Csr<f64>, n: usize";
            let body = all(count, " ", one);
            size(&format!(
                "fn k({params}, c: &mut f64, d: &mut DenseVec<f64>) {{ {body} d[0] += c; c += 1 }}"
            ))
        };
        let (few, many) = (of(count / 4), of(count));
        assert!(many.terms <= 5 * few.terms, "{} then {}", few.terms, many.terms);
        assert!(many.lines <= 5 * few.lines, "{} then {}", few.lines, many.lines);
        if !one(0).contains("let") {
            assert!(many.widest <= 1_000, "{}", many.widest);
        }
    }
}

/// What multiplies in spite of all is refused, by the work that is counted, and named.
#[test]
fn what_multiplies_is_refused() {
    let refused = |program: &str, named: &str| {
        let message = refusal(program);
        assert!(message.starts_with("this kernel has more regions"), "{message}");
        assert!(message.contains(&format!("multiply: {named}")), "{message}");
        message
    };
    for format in ["Tensor<SparseBand<Element<f64>>>", "Tensor<PackBits<Element<f64>>>"] {
        let message = refused(&combined(12, format, "DenseVec<f64>", "i", " + "), "3 of `a0`, ");
        assert!(message.contains("in the loop over `i` "), "{message}");
        assert!(message.contains("3 of `a7`, those of 4 more; split it"), "{message}");
    }
    let leaping = all(16, " * ", |k| format!("a{k}[i::gallop]"));
    refused(&program(16, VECTOR, VECTOR, "i", &leaping), "3 of `a0`, ");
    // Operands that multiply nothing are not named: one of a single case, and what another loop reads.
    let bands = all(12, " + ", |k| format!("a{k}[i]"));
    let params = all(12, ", ", |k| format!("a{k}: &Tensor<SparseBand<Element<f64>>>"));
    let before = "for i { c += x[i] } for j { c += a11[j] }";
    let message = refused(
        &format!("fn k(x: &SparseVec<f64>, w: &DenseVec<f64>, c: &mut f64, {params}) -> (y: DenseVec<f64>) {{ {before} for i {{ y[i] = w[i] * ({bands}) }} }}"),
        "3 of `a0`, ",
    );
    assert!(!message.contains("`x`") && !message.contains("`w`"), "{message}");
    let points = all(40, " + ", |k| format!("a{k}[x]"));
    let params = all(40, ", ", |k| format!("a{k}: &SparseVec<f64>"));
    refused(&format!("fn k(x: usize, c: &mut f64, {params}) {{ c += {points} }}"), "2 of `a0`, ");
}

/// An operator of `count` arguments with a space.
fn operator(count: usize, between: &str) -> String {
    let args = all(count, ", ", |k| format!("x{k}: f64"));
    let space = all(count, between, |k| format!("x{k}"));
    format!("pub fn f({args}) -> f64 {{ x0 }} space {space} else 0;")
}

#[test]
fn spaces_of_many_arguments_expand() {
    for count in [2, 10, 12] {
        let args = all(count, ", ", |k| format!("a{k}[i]"));
        let program = program(count, VECTOR, VECTOR, "i", &format!("f({args})"));
        let found = expanded(Some(&operator(count, " & ")), &format!("use f; {program}"));
        assert_eq!(found.error, None);
        assert!(found.lines < 240 + 20 * count, "{count}: {}", found.lines);
    }
}

#[test]
fn spaces_that_are_no_few_rules_are_refused() {
    let refused = |count: usize, between: &str| {
        let text = format!("[looplets] {}", operator(count, between));
        let mut simplifier = Simplifier::new(looplets_rewrites::standard());
        let tokens = expand::level(text.parse().expect("tokens"), &mut simplifier).to_string();
        tokens.contains("compile_error").then_some(tokens)
    };
    assert_eq!(refused(12, " & "), None);
    assert_eq!(refused(12, " | "), None);
    let message = refused(13, " | ").expect("too many arguments");
    assert!(message.contains("a set over at most 12 arguments, but `f` has 13"), "{message}");
    let message = refused(11, " ^ ").expect("too many parts");
    assert!(message.contains("has 1024 parts, each of which is a rule"), "{message}");
}

/// What is cut off in the middle of an entry is refused like all else that is too much, and is no error of the compiler.
#[test]
fn what_is_cut_off_is_refused() {
    let error = refusal(CUT_OFF);
    assert!(error.starts_with("this kernel has more regions than can be lowered"), "{error}");
}

/// Found by random kernels.
const CUT_OFF: &str = "#![dense]
fn f(p3: &Tensor<Dense<Dense<Bst<Pattern, u8, u16>>>>, a4: &Tensor<SparseBlockList<Dense<SparsePoint<Dense<Element<i64>>>>>>, a7: &Tensor<Dense<Dense<Dense<Dense<Element<i64>>>>>>, n0: usize, best5: &mut (i64, usize), n1: usize, c10: &mut i64, y6: Tensor<Dense<Dense<Element<i64>>>>) -> (y6: Tensor<Dense<Dense<Element<i64>>>>, y8: Tensor<Bst<BlockList<PackedCTree<Element<i64, Const<3>>, 2>, u32, 2>>>[n1, n1, n0], y9: Tensor<Dense<Dense<Dense<Element<i64>>>>>[n0, n1, n0]) {
    for i in 1..n0 {
        for j {
            for k {
                for l in 0..i {
                    let mut t2: i64;
                    t2 = (-2 + 1i64);
                    if (t2 == t2) {
                        best5 <<maxby>>= (a4[i::gallop, j::walk, k, (window(0, n0 + 2)[l + 2])::follow], j);
                        if (t2 >= 0) {
                            y6[i, j] = (wrapping_add(a4[i::follow, k::follow, j::locate, i], 3) % 4i64);
                            y8[j, k, l] <<min>>= (((wrapping_mul(a7[(i - 1)::walk, j::locate, offset(-1)[k], offset(-2)[l]], 0) % 4i64) / 4) - ifelse(((j + 1i64) < 1), t2, (t2 * a4[i::gallop, j::walk, k, (window(0, n0 + 2)[l + 2])::follow] * t2)));
                        }
                    } else {
                        if (t2 > ((0 + 1i64) * (a4[i::gallop, j::walk, k, (window(0, n0 + 2)[l + 2])::follow] <= t2))) {
                            y9[i, j, l] += min(((a4[i::follow, k::follow, j::locate, i] / 4) + coalesce(ifelse(((3 + 1i64) >= $(t2)), ($(t2) + 1i64), missing), t2) + 3), ($(t2) * ($(t2) - a7[(i - 1)::walk, j::locate, offset(-1)[k], offset(-2)[l]])));
                        } else {
                            t2 = -2;
                        }
                        y6[i, k] = ((coalesce(ifelse((min($(t2), t2) >= a7[(i - 1)::walk, j::locate, offset(-1)[k], offset(-2)[l]]), missing, ((-2 + 1i64) / 2)), -2) as i8 as i64) % 4i64);
                    }
                    c10 = (a4[i::follow, k::follow, j::locate, i] * t2);
                }
            }
        }
    }
}";
