//! Random token sequences: an error, never a panic.

use super::notation::*;
use looplets_core::parse::programs;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

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
