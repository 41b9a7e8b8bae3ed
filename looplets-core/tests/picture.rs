//! What operands unfurl to, as text and as boxes.

mod built_in;

use looplets_core::kernel::Kernel;
use looplets_core::picture::{fibers, svg, text, Fiber};
use looplets_core::{parse, resolve};
use quote::quote;

fn kernel(program: &str) -> Kernel {
    let mut programs = parse::programs(program.parse().expect("tokens")).expect("a program");
    let library = built_in::library();
    resolve::resolve(programs.remove(0), &library, &Default::default(), quote!(looplets))
        .unwrap_or_else(|e| panic!("{}", e.render()))
}

fn nests(program: &str) -> Vec<Fiber> {
    fibers(&mut kernel(program))
}

/// A program with most kinds of looplet.
const PROGRAM: &str =
    "<a: Tensor<Dense<SparseList<Element<f64>>>>, r: Tensor<RunList<Element<f64>>>,
    b: Tensor<SparseBand<Element<f64>>>, u: Tensor<UnorderedList<Element<f64>>>, mut s: f64>
    for i, j { s += a[i, j::gallop] * r[j] * b[j] * a[i, j::locate] }
    for i { s += u[i::scan] } for i { s += r[i + 1] }";

#[test]
fn nests_are_told_as_the_declarations_have_them() {
    insta::assert_snapshot!("nests", text(&nests(PROGRAM)));
}

#[test]
fn nests_are_drawn() {
    let drawn = svg(&nests(PROGRAM));
    assert!(drawn.starts_with("<svg") && drawn.ends_with("</svg>\n"));
    for word in ["<title>", "<desc>", "role=\"img\"", "prefers-color-scheme:dark"] {
        assert!(drawn.contains(word), "{word}");
    }
    assert!(svg(&[]).contains("no operand is read"));
}

/// No text begins before its box, and none ends behind the picture.
#[test]
fn texts_are_inside() {
    let drawn = svg(&nests(PROGRAM));
    let number = |line: &str, name: &str| -> f64 {
        let rest = line.split(&format!(" {name}=\"")).nth(1).expect(name);
        rest.split('"').next().and_then(|n| n.parse().ok()).expect(name)
    };
    let wide = number(drawn.lines().next().expect("a line"), "width");
    let mut texts = 0;
    for line in drawn.lines().filter(|l| l.starts_with("<text")) {
        let text = line.split('>').nth(1).and_then(|t| t.split('<').next()).expect("a text");
        let shown = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        let (x, long) = (number(line, "x"), 7.3 * shown.chars().count() as f64);
        assert!(x >= 20.0 && x + long <= wide, "{line} in {wide}");
        texts += 1;
    }
    assert!(texts > 40, "{texts}");
}

/// Names that two operands share, and computed coordinates.
#[test]
fn every_level_and_protocol_is_there_once() {
    let program =
        "<a: Tensor<Dense<SparseList<Element<f64>>>>, p: Tensor<Dense<Element<u32>>>, mut s: f64>
        for i { s += a[i, p[i]] + a[i, 3] } for i, j { s += a[i, j] * a[i, j::gallop] }";
    let of = |f: &Fiber| format!("{} {} {}", f.level, f.dimension, f.protocol);
    let all: Vec<String> = nests(program).iter().map(of).collect();
    let expected = [
        "Dense 0 locate",
        "Dense 0 locate",
        "SparseList 1 locate",
        "SparseList 1 walk",
        "SparseList 1 gallop",
    ];
    assert_eq!(all, expected);
}
