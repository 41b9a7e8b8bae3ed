//! The deepest expressions that are read are compiled on the stack that rustc gives a macro.

use looplets_core::expand;
use looplets_core::formats::Library;
use looplets_core::parse::programs;
use looplets_core::simplify::{RuleSet, Simplifier};
use quote::quote;

#[test]
fn long_chains_and_deep_nests_are_compiled() {
    let assigned =
        |ty: &str, value: String| format!("fn f(x: {ty}, c: &mut {ty}) {{ c = {value} }}");
    let chain =
        |ty: &str, op: &str, n: usize| assigned(ty, format!("x {}", format!("{op} x").repeat(n)));
    let sources = [
        chain("f64", "+", 990),
        chain("f64", "- 2 *", 490),
        chain("f64", "/", 240),
        chain("u64", "%", 240),
        chain("u64", "^", 240),
        assigned("f64", format!("{}x{}", "f(".repeat(90), ")".repeat(90))),
        assigned(
            "f64",
            format!("1; if x > 1 {{ c = 1 }} {}", "else if x > 2 { c = 2 }".repeat(90)),
        ),
    ];
    let compile = move || {
        let mut s = Simplifier::new(RuleSet::new(vec![]).expect("no rules"));
        for source in sources {
            for program in programs(source.parse().expect("tokens")).expect("read") {
                let made =
                    expand::compile(program, &Library::default(), quote!(looplets), &mut s, false);
                assert!(made.is_ok(), "{}", made.err().map_or(String::new(), |e| e.render()));
            }
        }
    };
    let stack = std::thread::Builder::new().stack_size(8 << 20);
    stack.spawn(compile).expect("a thread").join().expect("no panic");
}
