//! Malformed declarations: the built-in ones with tokens left out, doubled, exchanged and swapped. Each is refused at
//! a token, or accepted, and then kernels over it are compiled or refused at a token.

use looplets_core::decl::Decl;
use looplets_core::declare;
use looplets_core::diagnostics::Errors;
use looplets_core::expand;
use looplets_core::formats::Library;
use looplets_core::parse::programs;
use looplets_core::simplify::{RuleSet, Simplifier};
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::quote;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// A linear congruential generator (Knuth's MMIX constants): the same sequence everywhere.
struct Lcg(u64);

impl Lcg {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n.max(1) as u64) as usize
    }
}

/// What stands in `level! { .. }` and `fill! { .. }` of the built-in sources.
fn declarations() -> Vec<TokenStream> {
    let formats = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/src");
    let levels = std::fs::read_dir(formats.join("levels")).expect("a directory");
    // The files beside a level, in a folder of its name, hold functions.
    let mut files: Vec<_> =
        levels.map(|e| e.expect("an entry").path()).filter(|f| f.is_file()).collect();
    files.sort();
    files.push(formats.join("fill.rs"));
    let mut out = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source can be read");
        // A path from the crate's root is a plain name here, but for the marker of a leaf.
        let plain = text.replace("crate::", "").replace("= False;", "= crate::False;");
        let tokens: TokenStream = plain.parse().expect("a Rust file");
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        for w in trees.windows(3) {
            if let [TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(group)] = w {
                if bang.as_char() == '!' && (name == "level" || name == "fill") {
                    // Parsed again, so that each token has a place in a text of its own.
                    out.push(without_docs(group.stream()).to_string().parse().expect("tokens"));
                }
            }
        }
    }
    out
}

fn without_docs(stream: TokenStream) -> TokenStream {
    let mut docs = false;
    let kept = stream.into_iter().filter(|t| match t {
        TokenTree::Punct(p) if p.as_char() == '#' => {
            docs = true;
            false
        }
        _ => !std::mem::take(&mut docs),
    });
    kept.collect()
}

fn size(stream: &TokenStream) -> usize {
    let of = |t: TokenTree| match t {
        TokenTree::Group(g) => 1 + size(&g.stream()),
        _ => 1,
    };
    stream.clone().into_iter().map(of).sum()
}

/// The tokens with the one at `at`, counted through all groups, replaced by what `f` makes of it.
fn edit(
    stream: TokenStream,
    at: &mut isize,
    f: &mut dyn FnMut(TokenTree) -> Vec<TokenTree>,
) -> TokenStream {
    let mut out = Vec::new();
    for tree in stream {
        *at -= 1;
        if *at == -1 {
            out.extend(f(tree));
            continue;
        }
        out.push(match tree {
            TokenTree::Group(g) if *at >= 0 => {
                let mut inner = Group::new(g.delimiter(), edit(g.stream(), at, f));
                inner.set_span(g.span());
                inner.into()
            }
            other => other,
        });
    }
    out.into_iter().collect()
}

fn token(stream: &TokenStream, at: usize) -> TokenTree {
    let mut found = None;
    edit(stream.clone(), &mut (at as isize), &mut |t| {
        found = Some(t.clone());
        vec![t]
    });
    found.expect("within the stream")
}

fn mutate(stream: TokenStream, rng: &mut Lcg) -> TokenStream {
    let n = size(&stream);
    let (a, how) = (rng.below(n), rng.below(6));
    let kind = std::mem::discriminant(&token(&stream, a));
    // A token of another kind is mostly refused by the parser.
    let alike = |b: &usize| std::mem::discriminant(&token(&stream, *b)) == kind;
    let any = rng.below(n);
    let b = if how > 3 { (0..20).map(|_| rng.below(n)).find(alike).unwrap_or(any) } else { any };
    let other = token(&stream, b);
    let mut first = None;
    let stream = edit(stream, &mut (a as isize), &mut |t| {
        first = Some(t.clone());
        match (how, t) {
            (0, _) => vec![],
            (1, t) => vec![t.clone(), t],
            (2, t) => vec![other.clone(), t],
            // A group's content in place of the group.
            (3, TokenTree::Group(g)) => g.stream().into_iter().collect(),
            _ => vec![other.clone()],
        }
    });
    match (how, first) {
        // Two tokens exchanged, if neither is within the other.
        (4, Some(first)) if size(&stream) == n => {
            edit(stream, &mut (b as isize), &mut |_| vec![first.clone()])
        }
        _ => stream,
    }
}

/// Whether each error stands at a token.
fn placed(errors: &Errors) -> bool {
    errors.to_compile_error().into_iter().all(|t| !t.span().byte_range().is_empty())
}

const KERNELS: [&str; 7] = [
    "fn f(a: &T, c: &mut f64) { for i { c += a[i] } }",
    "fn f(a: &T, b: &T, c: &mut f64) { for i { c += a[i::gallop] * b[i::gallop] } }",
    "fn f(a: &T, b: &T, c: &mut f64) { for i { c += a[i::follow] * b[i::locate] } }",
    "fn f(a: &T) -> (b: T) { for i { b[i] = a[i] } }",
    "fn f(a: &M) -> (b: M) { parallel for i { for j { b[i, j] = 2 * a[i, j] } } }",
    "fn f(a: &M, c: &mut f64) { for i { let mut w: T; { for j { c += w[j] } } where { for j { w[j] += a[i, j] } } } }",
    "fn f(a: &mut T, b: &T) { for i { a[i] += b[i] } }",
];

struct Tried {
    refused: usize,
    accepted: usize,
    kernels: usize,
}

fn cases(seed: u64, n: usize, rules: impl Fn() -> RuleSet) -> (Tried, Vec<String>) {
    let (mut rng, all) = (Lcg(seed), declarations());
    assert!(all.len() > 40, "only {} declarations were found", all.len());
    let mut simplifier = Simplifier::new(rules());
    let (mut tried, mut wrong) = (Tried { refused: 0, accepted: 0, kernels: 0 }, Vec::new());
    std::panic::set_hook(Box::new(|_| {}));
    for case in 0..n {
        let mut stream = all[case % all.len()].clone();
        for _ in 0..=rng.below(2) {
            stream = mutate(stream, &mut rng);
        }
        let krate = quote!(looplets);
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            match declare::expand(krate.clone(), "fuzz", stream.clone(), &mut simplifier) {
                Err(errors) if placed(&errors) => Ok((false, 0)),
                Err(errors) => Err(format!("no token: {}", errors.render())),
                Ok(out) => {
                    // What is not Rust is the author's.
                    if let Err(error) = syn::parse2::<syn::File>(out) {
                        if error.span().byte_range().is_empty() {
                            return Err(format!("the code is no Rust: {error}"));
                        }
                    }
                    kernels(case / all.len(), &all, &stream, &mut simplifier).map(|n| (true, n))
                }
            }
        }));
        match outcome {
            Ok(Ok((false, _))) => tried.refused += 1,
            Ok(Ok((true, kernels))) => {
                tried.accepted += 1;
                tried.kernels += kernels;
            }
            Ok(Err(what)) => wrong.push(format!("{what}\n{stream}\n")),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or(panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
                wrong.push(format!("panic: {}\n{stream}\n", text.unwrap_or_default()));
                simplifier = Simplifier::new(rules());
            }
        }
    }
    let _ = std::panic::take_hook();
    (tried, wrong)
}

/// Compiles kernels over a level that was accepted; how many could be.
fn kernels(
    case: usize,
    all: &[TokenStream],
    own: &TokenStream,
    s: &mut Simplifier,
) -> Result<usize, String> {
    let Ok(Decl::Level(level)) = syn::parse2::<Decl>(own.clone()) else { return Ok(0) };
    let name = level.name.to_string();
    let mut library = Library::default();
    for d in all {
        let text = d.to_string();
        let needed = ["Dense", "Element", "Zero", "False"]
            .into_iter()
            .find(|n| text.contains(&format!(" {n} ")));
        if needed.is_some_and(|n| n != name && text.split_whitespace().nth(2) == Some(n)) {
            library.add_source(&text).expect("as declared");
        }
    }
    library.add_source(&own.to_string()).map_err(|e| format!("accepted, then not: {e}"))?;
    let mut compiled = 0;
    // Two of them each time, which is enough over many cases.
    for k in 0..2 {
        let source = KERNELS[(case + 3 * k) % KERNELS.len()];
        let vector = if level.leaf.is_some() {
            format!("Tensor<Dense<{name}<f64>>>")
        } else {
            format!("Tensor<{name}<Element<f64>>>")
        };
        let matrix = vector.replacen("Tensor<", "Tensor<Dense<", 1) + ">";
        let source =
            source.replace(": T", &format!(": {vector}")).replace("&T", &format!("&{vector}"));
        let source = source.replace("&mut T", &format!("&mut {vector}"));
        let source =
            source.replace(": M", &format!(": {matrix}")).replace("&M", &format!("&{matrix}"));
        let programs = match programs(source.parse().expect("tokens")) {
            Ok(programs) => programs,
            Err(errors) => return Err(format!("a kernel: {}", errors.render())),
        };
        for program in programs {
            match expand::compile(program, &library, quote!(looplets), s, false) {
                Ok(_) => compiled += 1,
                Err(errors) if placed(&errors) => {}
                Err(errors) => return Err(format!("no token: {} in {source}", errors.render())),
            }
        }
    }
    Ok(compiled)
}

#[test]
fn malformed_declarations_are_refused_at_a_token() {
    let n = std::env::var("DECLARATIONS").map_or(400, |n| n.parse().expect("a number"));
    let seed = std::env::var("SEED").map_or(7, |n| n.parse().expect("a number"));
    let (tried, wrong) = cases(seed, n, || RuleSet::new(vec![]).expect("no rules"));
    assert!(wrong.is_empty(), "{} of {n}:\n{}", wrong.len(), wrong.join("\n"));
    let Tried { refused, accepted, kernels } = tried;
    assert!(
        refused > n / 10 && accepted > n / 10 && kernels > accepted / 2,
        "{refused} {accepted} {kernels}"
    );
}

#[test]
fn built_in_declarations_are_accepted() {
    let mut simplifier = Simplifier::new(RuleSet::new(vec![]).expect("no rules"));
    for declaration in declarations() {
        let out = declare::expand(quote!(looplets), "built in", declaration, &mut simplifier);
        out.unwrap_or_else(|errors| panic!("{}", errors.render()));
    }
}

/// The lines of documentation that `tokens` have.
fn docs(tokens: TokenStream) -> Vec<String> {
    let item: syn::File = syn::parse2(tokens).expect("items");
    let attrs = item.items.iter().find_map(|item| match item {
        syn::Item::Struct(item) => Some(&item.attrs),
        _ => None,
    });
    let line = |attr: &syn::Attribute| match &attr.meta {
        syn::Meta::NameValue(syn::MetaNameValue {
            value: syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }),
            ..
        }) => Some(text.value()),
        _ => None,
    };
    attrs.into_iter().flatten().filter_map(line).collect()
}

#[test]
fn protocols_are_drawn_in_the_documentation() {
    let mut simplifier = Simplifier::new(RuleSet::new(vec![]).expect("no rules"));
    for tokens in declarations() {
        let decl: Decl = syn::parse2(tokens.clone()).expect("a declaration");
        let Decl::Level(level) = &decl else { continue };
        let expanded = declare::expand(quote!(looplets), "here", tokens, &mut simplifier);
        let lines = docs(expanded.expect("it is right"));
        for read in level.reads.iter().filter(|_| level.leaf.is_none()) {
            let names: Vec<String> = read.names.iter().map(|n| format!("`{n}`")).collect();
            assert!(
                lines.contains(&format!("{}:", names.join(", "))),
                "{}: {lines:#?}",
                level.name
            );
        }
        if level.name == "RunList" {
            let walk = lines.iter().position(|l| l == "`walk`, `follow`:").expect("it is read");
            let drawn = [
                "```text",
                "let start = pos[p]",
                "let end = pos[(p + 1)]",
                "stepper for q in start..end",
                "  ..last[q] + 1: child[q]",
                "```",
            ];
            assert_eq!(lines[walk + 1..walk + 7], drawn);
        }
    }
}
