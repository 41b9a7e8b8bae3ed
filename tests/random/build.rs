//! Writes the kernels that the tests compile: `LOOPLETS_KERNELS` of them, from `LOOPLETS_SEED`.
//!
//! `LOOPLETS_FEATURES` says what they can have (`generate/features.rs`).
//!
//! `LOOPLETS_ONLY=k17,k20` keeps these alone, `LOOPLETS_SKIP=..` leaves them out; each kernel depends
//! on the seed and its own number only.

mod generate;

use std::path::Path;

/// Kernels of the default seed that the compiler refuses: they have too many regions, or statements that follow another one
/// and would store all.
const REFUSED: (u64, &str) = (2023, "k3,k4,k19,k23,k31,k33,k36,k51");

/// How many kernels a module holds.
const MODULE: usize = 50;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=generate");
    let var = |name: &str| {
        println!("cargo:rerun-if-env-changed={name}");
        std::env::var(name).ok().filter(|v| !v.is_empty())
    };
    let number = |name: &str, default: u64| match var(name) {
        Some(text) => text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")),
        None => default,
    };
    let seed = number("LOOPLETS_SEED", 2023);
    let count = number("LOOPLETS_KERNELS", 64);
    let named = |list: Option<String>| {
        list.map(|l| l.split(',').map(|k| k.trim().to_owned()).collect::<Vec<_>>())
    };
    let refused = (seed == REFUSED.0).then(|| REFUSED.1.to_owned());
    let features = generate::Features::new(var("LOOPLETS_FEATURES").as_deref());
    let (only, skip) = (named(var("LOOPLETS_ONLY")), named(var("LOOPLETS_SKIP").or(refused)));
    let wanted = |name: &String| {
        only.as_ref().is_none_or(|l| l.contains(name))
            && !skip.as_ref().is_some_and(|l| l.contains(name))
    };
    let numbers: Vec<u64> = (0..count).filter(|k| wanted(&format!("k{k}"))).collect();
    let mut text = format!("/// What the kernels were made from.\npub const SEED: u64 = {seed};\n");
    let mut modules = Vec::new();
    for (m, chunk) in numbers.chunks(MODULE).enumerate() {
        text.push_str(&format!("mod m{m} {{\n"));
        let mut names = Vec::new();
        for k in chunk {
            text.push_str(&generate::module(&features, seed, *k));
            names.push(format!("(\"k{k}\", k{k}::SOURCE, k{k}::case)"));
        }
        text.push_str(&format!(
            "#[test]\nfn agree() {{\ncrate::all(&[{}]);\n}}\n}}\n",
            names.join(", ")
        ));
        modules.push(m);
    }
    let out = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(Path::new(&out).join("kernels.rs"), text).expect("OUT_DIR can be written");
}
