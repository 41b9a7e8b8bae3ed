//! What a declaration is known by: where it stands and what it says, in one number.
//!
//! Names are no keys: two crates may have chosen the same. And kernels index unchecked on the word of the
//! declaration that a type has, so that no other declaration may have its number: it is a cryptographic hash
//! (the first half of SHA-256, FIPS 180-4).

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::cell::RefCell;
use std::collections::HashMap;

/// The number of a declaration.
pub type Fingerprint = u128;

/// The fingerprint of `tokens` that stand at `origin`.
pub fn fingerprint(origin: &str, tokens: &TokenStream) -> Fingerprint {
    thread_local! {
        /// A declaration is asked for in every kernel of a crate.
        static KNOWN: RefCell<HashMap<String, Fingerprint>> = RefCell::default();
    }
    let mut text = format!("{origin}\n");
    write(tokens, &mut text);
    let known = KNOWN.with(|known| known.borrow().get(&text).copied());
    known.unwrap_or_else(|| {
        let print = hash(text.clone().into_bytes());
        KNOWN.with(|known| known.borrow_mut().insert(text, print));
        print
    })
}

/// The name in terms of what is declared as `name`: no other declaration's, whatever they are called.
pub fn key(name: &str, print: Fingerprint) -> String {
    format!("{name}#{print:032x}")
}

/// `text` as people are shown it: without what tells declarations of one name apart.
pub fn shown(text: &str) -> String {
    let mut parts = text.split('#');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_hexdigit()).len();
        match digits {
            32 => out += &part[32..],
            _ => out += &format!("#{part}"),
        }
    }
    out
}

/// Where a declaration stands: its crate, and its number among those of that crate.
///
/// The crate alone is what its `$crate` means, and the same for all of its declarations.
pub struct Origin {
    /// Package, version and crate.
    pub home: String,
    /// What tells declarations of one text apart.
    pub number: usize,
}

impl Origin {
    /// As it travels.
    pub fn text(&self) -> String {
        format!("{}#{}", self.home, self.number)
    }
    /// The crate of an origin that has travelled.
    pub fn home_of(text: &str) -> &str {
        text.rsplit_once('#').map_or(text, |(home, _)| home)
    }
}

/// Writes `tokens` one by one: how they are spaced, and what groups are not seen, may change on the way.
fn write(tokens: &TokenStream, out: &mut String) {
    for tree in tokens.clone() {
        match tree {
            TokenTree::Group(g) => {
                let (open, close) = match g.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                *out += open;
                write(&g.stream(), out);
                *out += close;
            }
            TokenTree::Punct(p) => out.push(p.as_char()),
            word => {
                *out += &word.to_string();
                out.push(' ');
            }
        }
    }
}

/// The constants of the rounds, and the words to start from: the fractions of roots of primes.
fn roots() -> ([u32; 64], [u32; 8]) {
    let mut primes = (2_u64..).filter(|n| (2..*n).all(|d| n % d != 0));
    let (mut cubes, mut squares) = ([0; 64], [0; 8]);
    for (k, cube) in cubes.iter_mut().enumerate() {
        let n = u128::from(primes.next().expect("there is always another"));
        // The fraction of a root in 32 bits: the root of `n` times a power of 2^32.
        let root = |power: u32| {
            let (scaled, mut root) = (n << (32 * power), 0_u128);
            for bit in (0..36).rev() {
                let more = root | 1 << bit;
                if more.pow(power) <= scaled {
                    root = more;
                }
            }
            root as u32
        };
        *cube = root(3);
        if let Some(word) = squares.get_mut(k) {
            *word = root(2);
        }
    }
    (cubes, squares)
}

fn hash(mut bytes: Vec<u8>) -> Fingerprint {
    thread_local! {
        static ROOTS: ([u32; 64], [u32; 8]) = roots();
    }
    let (constants, mut state) = ROOTS.with(|roots| *roots);
    let bits = 8 * bytes.len() as u64;
    bytes.push(0x80);
    bytes.resize(bytes.len().next_multiple_of(64), 0);
    if bits / 8 % 64 >= 56 {
        bytes.resize(bytes.len() + 64, 0);
    }
    let end = bytes.len() - 8;
    bytes[end..].copy_from_slice(&bits.to_be_bytes());
    for block in bytes.chunks(64) {
        let mut words = [0_u32; 64];
        for (word, bytes) in words.iter_mut().zip(block.chunks(4)) {
            *word = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        for k in 16..64 {
            let (a, b) = (words[k - 15], words[k - 2]);
            let a = a.rotate_right(7) ^ a.rotate_right(18) ^ a >> 3;
            let b = b.rotate_right(17) ^ b.rotate_right(19) ^ b >> 10;
            words[k] = words[k - 16].wrapping_add(a).wrapping_add(words[k - 7]).wrapping_add(b);
        }
        let mut s = state;
        for (constant, word) in constants.iter().zip(words) {
            let [a, b, c, d, e, f, g, h] = s;
            let one = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let chosen = e & f ^ !e & g;
            let one =
                h.wrapping_add(one).wrapping_add(chosen).wrapping_add(*constant).wrapping_add(word);
            let two = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let two = two.wrapping_add(a & b ^ a & c ^ b & c);
            s = [one.wrapping_add(two), a, b, c, d.wrapping_add(one), e, f, g];
        }
        for (word, more) in state.iter_mut().zip(s) {
            *word = word.wrapping_add(more);
        }
    }
    state[..4].iter().fold(0, |all, word| all << 32 | u128::from(*word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_standard() {
        assert_eq!(hash(b"abc".to_vec()), 0xba7816bf_8f01cfea_414140de_5dae2223);
        assert_eq!(hash(Vec::new()), 0xe3b0c442_98fc1c14_9afbf4c8_996fb924);
        let long = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(hash(long.to_vec()), 0x248d6a61_d20638b8_e5c02693_0c3e6039);
        assert_eq!(hash(vec![b'a'; 1000]), 0x41edece4_2d63e8d9_bf515a9b_a6932e1c);
    }

    #[test]
    fn keys_are_shown_as_names() {
        let text = format!("({} ?x ({} 1))::case_1", key("f", 1), key("const:Big", u128::MAX));
        assert_eq!(shown(&text), "(f ?x (const:Big 1))::case_1");
        assert_eq!(shown("a # b#c"), "a # b#c");
    }

    #[test]
    fn where_a_declaration_stands_is_part_of_it() {
        let of = |tokens: TokenStream| fingerprint("", &tokens);
        assert_ne!(of(quote::quote!(let mut q)), of(quote::quote!(let mutq)));
        let at = |home: &str, number| Origin { home: home.to_owned(), number }.text();
        let tokens = quote::quote!(pub fill Big = big;);
        let all = [at("a", 0), at("a", 1), at("b", 0)].map(|origin| fingerprint(&origin, &tokens));
        assert!(all[0] != all[1] && all[0] != all[2] && all[1] != all[2]);
        assert_eq!(all[0], fingerprint(&at("a", 0), &quote::quote!(pub fill Big=big;)));
        assert_eq!(Origin::home_of(&at("a", 7)), "a");
    }
}
