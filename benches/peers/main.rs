//! Our side of the comparison with PyData/Sparse and SciPy: `peers.py` starts it once for each program
//! and array, and reads a line of figures.
//!
//! `peers PROGRAMS ARRAY [REPEATS]`: the array is a `.mtx` or `.tns` file, `made:NAME` for one of those that
//! are made, or `random:SIZE:PERMILLE` for two square matrices. There is a line for each of the programs,
//! which commas separate: its name, the best seconds, entries of the result, and bytes at the peak.

#[path = "../arrays/compiled.rs"]
mod compiled;
#[path = "../arrays/inputs.rs"]
mod inputs;
mod memory;
mod views;

use inputs::Input;
use looplets::prelude::*;
use memory::{Measured, Stored};
use std::hint::black_box;
use std::path::Path;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    // `cargo bench` and `cargo test --benches` start it without a program.
    let [programs, array, rest @ ..] = &args[..] else { return };
    let repeats = rest.first().and_then(|r| r.parse().ok()).unwrap_or(20);
    let view = array.strip_prefix("random:");
    let input = view.is_none().then(|| load(array));
    for program in programs.split(',') {
        let measured = match (&input, view) {
            (Some(input), _) => match input.shape.len() {
                2 => rank2(program, input, repeats),
                3 => rank3(program, input, repeats),
                4 => rank4(program, input, repeats),
                _ => rank5(program, input, repeats),
            },
            (None, what) => views::measure(program, what.unwrap_or_default(), repeats),
        };
        println!("{program} {} {} {}", measured.seconds, measured.stored, measured.peak);
    }
}

fn load(array: &str) -> Input {
    if let Some(name) = array.strip_prefix("made:") {
        let mut made = inputs::made().into_iter();
        return made.find(|input| input.name == name).expect("an array that is made");
    }
    let path = Path::new(array);
    if path.extension().is_some_and(|e| e == "tns") {
        return inputs::tns(path).expect("a file of FROSTT");
    }
    inputs::mtx(path).expect("a Matrix Market file")
}

macro_rules! ranks {
    ($($rank:ident)*) => {$(
        fn $rank(program: &str, input: &Input, repeats: usize) -> Measured {
            use compiled::$rank::*;
            let shape = &input.shape;
            let flags = |by: usize| -> Flags {
                let of = input.moved(by).into_iter().map(|c| (c, true));
                Tensor::from_triplets(shape, of, Refuse).expect("inside, and each once")
            };
            let three = |run: fn(&Flags, &Flags, &Flags) -> Flags| {
                let (a, b, c) = (flags(0), flags(1), flags(2));
                let bytes = a.root().bytes() + b.root().bytes() + c.root().bytes();
                memory::measured(bytes, repeats, || run(black_box(&a), black_box(&b), black_box(&c)))
            };
            let values = || input.entries.iter().map(|(c, v)| (c.clone(), *v));
            let twos = || input.moved(1).into_iter().map(|c| (c, 2));
            let inside = "inside, and each once";
            match program {
                "xor" => {
                    let (a, b) = (flags(0), flags(1));
                    let bytes = a.root().bytes() + b.root().bytes();
                    memory::measured(bytes, repeats, || xor(black_box(&a), black_box(&b)))
                }
                "xor_and" => three(xor_and),
                "xor_or" => three(xor_or),
                "xor_xor" => three(xor_xor),
                "ldexp" => {
                    let a: Values<f64> = Tensor::from_triplets(shape, values(), Refuse).expect(inside);
                    let b: Values<i32> = Tensor::from_triplets(shape, twos(), Refuse).expect(inside);
                    let bytes = a.root().bytes() + b.root().bytes();
                    memory::measured(bytes, repeats, || scale(black_box(&a), black_box(&b)))
                }
                "right_shift" => {
                    let whole = values().map(|(c, v)| (c, (v as i64).max(1)));
                    let a: Values<i64> = Tensor::from_triplets(shape, whole, Refuse).expect(inside);
                    let twos = twos().map(|(c, v)| (c, i64::from(v)));
                    let b: Values<i64> = Tensor::from_triplets(shape, twos, Refuse).expect(inside);
                    let bytes = a.root().bytes() + b.root().bytes();
                    memory::measured(bytes, repeats, || shift(black_box(&a), black_box(&b)))
                }
                "power" => {
                    let a: Values<f64> = Tensor::from_triplets(shape, values(), Refuse).expect(inside);
                    let twos = twos().map(|(c, v)| (c, f64::from(v)));
                    let b: Values<f64> = Tensor::from_triplets(shape, twos, Refuse).expect(inside);
                    let bytes = a.root().bytes() + b.root().bytes();
                    memory::measured(bytes, repeats, || powers(black_box(&a), black_box(&b)))
                }
                other => panic!("{other} is no program"),
            }
        }
    )*};
}

ranks! { rank2 rank3 rank4 rank5 }
