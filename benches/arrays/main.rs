//! Speed of the elementwise programs of SparseArrays beside loops by hand: `cargo bench -p looplets-benches --bench arrays`.
//!
//! Results are compared before anything is timed; ratios are of the best times. The options are those of `looplets_benches`.

mod compiled;
mod hand;
mod inputs;
mod three;

use hand::{two, Op, Op3, Same, Seen};
use inputs::Input;
use looplets::prelude::*;
use looplets_benches::matrices;
use looplets_benches::timing::{race, Table};
use looplets_benches::{options, Options};
use std::hint::black_box;
use three::three;

fn main() {
    let Some(options) = options() else { return };
    if options.list("made") {
        let mut table = Table::new("made arrays");
        inputs::made().iter().for_each(|input| measure(input, &options, &mut table));
    }
    if options.list("real") {
        let inputs = real();
        if inputs.is_empty() {
            println!("\nno real arrays: LOOPLETS_DATA names no directory with them");
            return;
        }
        let mut table = Table::new("real arrays");
        inputs.iter().for_each(|input| measure(input, &options, &mut table));
    }
}

/// Matrices, graphs and tensors of `LOOPLETS_DATA`.
fn real() -> Vec<Input> {
    let mut found = Vec::new();
    for path in matrices::files() {
        match inputs::mtx(&path) {
            Ok(input) => found.push(input),
            Err(error) => println!("{error}"),
        }
    }
    let Some(root) = std::env::var_os("LOOPLETS_DATA") else { return found };
    let Ok(files) = std::fs::read_dir(std::path::Path::new(&root).join("tensors")) else {
        return found;
    };
    let mut files: Vec<_> = files.filter_map(|f| Some(f.ok()?.path())).collect();
    files.sort();
    found.extend(files.iter().filter_map(|path| inputs::tns(path)));
    found
}

struct Xor;
impl Op for Xor {
    type A = ();
    type B = ();
    type R = ();
    const LEFT: bool = true;
    const RIGHT: bool = true;
    fn left(_: ()) {}
    fn right(_: ()) {}
    fn both(_: (), _: ()) -> Option<()> {
        None
    }
}

struct Scale;
impl Op for Scale {
    type A = f64;
    type B = i32;
    type R = f64;
    const LEFT: bool = true;
    const RIGHT: bool = false;
    fn left(a: f64) -> f64 {
        a
    }
    fn right(_: i32) -> f64 {
        unreachable!("an exponent alone gives nothing")
    }
    fn both(a: f64, b: i32) -> Option<f64> {
        Some(compiled::ldexp(a, b))
    }
}

struct Shift;
impl Op for Shift {
    type A = i64;
    type B = i64;
    type R = i64;
    const LEFT: bool = true;
    const RIGHT: bool = false;
    fn left(a: i64) -> i64 {
        a
    }
    fn right(_: i64) -> i64 {
        unreachable!("nothing to be shifted")
    }
    fn both(a: i64, b: i64) -> Option<i64> {
        Some(compiled::right_shift(a, b))
    }
}

struct Power;
impl Op for Power {
    type A = f64;
    type B = f64;
    type R = f64;
    const LEFT: bool = false;
    const RIGHT: bool = true;
    fn left(_: f64) -> f64 {
        unreachable!("1 without an exponent")
    }
    fn right(b: f64) -> f64 {
        compiled::power(0.0, b)
    }
    fn both(a: f64, b: f64) -> Option<f64> {
        Some(compiled::power(a, b))
    }
}

struct XorAnd;
impl Op3 for XorAnd {
    fn holds(set: u8) -> bool {
        (set & 1 ^ set >> 1 & 1) & (set >> 2) == 1
    }
}
struct XorOr;
impl Op3 for XorOr {
    fn holds(set: u8) -> bool {
        (set & 1 ^ set >> 1 & 1) | (set >> 2) == 1
    }
}
struct XorXor;
impl Op3 for XorXor {
    fn holds(set: u8) -> bool {
        set.count_ones() % 2 == 1
    }
}

fn measure(input: &Input, options: &Options, table: &mut Table) {
    match input.shape.len() {
        2 => rank2(input, options, table),
        3 => rank3(input, options, table),
        4 => rank4(input, options, table),
        5 => rank5(input, options, table),
        rank => println!("{}: of rank {rank}", input.name),
    }
}

/// Times one program by two operands or three.
macro_rules! program {
    ($options:ident $table:ident $input:ident: $name:expr, $ours:expr, $hand:expr) => {
        if $options.wants(&[$name, &$input.name]) {
            assert!($hand.same($ours.root()), "{} of {}", $name, $input.name);
            let row = race(
                $options.budget,
                &mut [&mut || drop(black_box($ours)), &mut || drop(black_box($hand))],
            );
            $table.row($name, &$input.name, $input.entries.len(), &["merge"], &row.at_best());
        }
    };
}

macro_rules! ranks {
    ($($rank:ident)*) => {$(
        fn $rank(input: &Input, options: &Options, table: &mut Table) {
            use compiled::$rank::*;
            let shape = input.shape.clone();
            let at: Vec<&Vec<usize>> = input.entries.iter().map(|e| &e.0).collect();
            let moved = [input.moved(1), input.moved(2)];
            let flags = |of: Vec<&Vec<usize>>| -> Flags {
                Tensor::from_triplets(shape.clone(), of.into_iter().map(|c| (c.clone(), true)), Refuse)
                    .expect("inside, and each once")
            };
            let (a, b, c) =
                (flags(at), flags(moved[0].iter().collect()), flags(moved[1].iter().collect()));
            let (a, b, c) = (&a, &b, &c);
            let (ha, hb, hc) = (a.root().seen(), b.root().seen(), c.root().seen());
            program!(options table input: "xor", xor(black_box(a), black_box(b)), two::<Xor, _, _>(black_box(ha), black_box(hb)));
            program!(options table input: "xor_and", xor_and(black_box(a), black_box(b), black_box(c)), three::<XorAnd, _>(black_box([ha, hb, hc])));
            program!(options table input: "xor_or", xor_or(black_box(a), black_box(b), black_box(c)), three::<XorOr, _>(black_box([ha, hb, hc])));
            program!(options table input: "xor_xor", xor_xor(black_box(a), black_box(b), black_box(c)), three::<XorXor, _>(black_box([ha, hb, hc])));
            let values = input.entries.iter().map(|(c, v)| (c.clone(), *v));
            let a: Values<f64> = Tensor::from_triplets(shape.clone(), values, Refuse).expect("as before");
            let values = input.entries.iter().map(|(c, v)| (c.clone(), (*v as i64).max(1)));
            let n: Values<i64> = Tensor::from_triplets(shape.clone(), values, Refuse).expect("as before");
            let twos = || moved[0].iter().map(|c| (c.clone(), 2));
            let b: Values<i32> = Tensor::from_triplets(shape.clone(), twos(), Refuse).expect("as before");
            let (b, m): (_, Values<i64>) = (b, Tensor::from_triplets(shape.clone(), twos().map(|(c, v)| (c, i64::from(v))), Refuse).expect("as before"));
            let e: Values<f64> = Tensor::from_triplets(shape, twos().map(|(c, v)| (c, f64::from(v))), Refuse).expect("as before");
            let (a, b, n, m, e) = (&a, &b, &n, &m, &e);
            let (ha, hb, hn, hm, he) = (a.root().seen(), b.root().seen(), n.root().seen(), m.root().seen(), e.root().seen());
            program!(options table input: "ldexp", scale(black_box(a), black_box(b)), two::<Scale, _, _>(black_box(ha), black_box(hb)));
            program!(options table input: "right_shift", shift(black_box(n), black_box(m)), two::<Shift, _, _>(black_box(hn), black_box(hm)));
            program!(options table input: "power", powers(black_box(a), black_box(e)), two::<Power, _, _>(black_box(ha), black_box(he)));
        }
    )*};
}

ranks! { rank2 rank3 rank4 rank5 }
