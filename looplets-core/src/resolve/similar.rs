//! What a name that means nothing was probably meant to be: one in scope that is a slip of the finger away.

use super::{Meaning, Resolver};
use proc_macro2::Ident;

/// The name among `known` that differs from `name` by one letter too many, too few or another, or by two that have
/// changed places, or are written in another case. Names of one letter are too alike for that, and of two letters as long as each other.
pub(super) fn similar<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let lower = name.to_lowercase();
    let text = name;
    let name: Vec<char> = name.chars().collect();
    known.into_iter().find(|other| {
        if *other != text && other.to_lowercase() == lower {
            return true;
        }
        let other: Vec<char> = other.chars().collect();
        let (short, long) = match name.len() < other.len() {
            true => (&name, &other),
            false => (&other, &name),
        };
        let same = short.iter().zip(long).take_while(|(a, b)| a == b).count();
        match long.len() - short.len() {
            0 if short.len() < 3 || same == short.len() => false,
            0 if short[same + 1..] == long[same + 1..] => true,
            0 => {
                let swapped = same + 1 < short.len()
                    && (short[same], short[same + 1]) == (long[same + 1], long[same]);
                swapped && short[same + 2..] == long[same + 2..]
            }
            1 => !short.is_empty() && short[same..] == long[same + 1..],
            _ => false,
        }
    })
}

impl Resolver<'_> {
    /// The question whether a name in scope that `fits` was meant by `name`, to stand before what is said otherwise.
    pub(super) fn meant(&self, name: &Ident, fits: impl Fn(&Self, Meaning) -> bool) -> String {
        let known = self.scope.iter().rev().filter(|(_, meaning)| fits(self, *meaning));
        match similar(&name.to_string(), known.map(|(name, _)| name.as_str())) {
            Some(other) => format!("did you mean `{other}`? If not, "),
            None => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::similar;

    #[test]
    fn one_slip_of_the_finger() {
        let one = |name, known| similar(name, [known].into_iter()).is_some();
        let near = [
            ("A", "a"),
            ("jj", "j"),
            ("x", "xx"),
            ("totl", "total"),
            ("totla", "total"),
            ("abd", "abc"),
        ];
        assert!(near.iter().all(|(a, b)| one(*a, *b) && one(*b, *a)));
        let far = [
            ("i", "j"),
            ("ab", "ba"),
            ("ab", "ac"),
            ("i", "i"),
            ("i", ""),
            ("total", "tot"),
            ("abcd", "badc"),
        ];
        assert!(far.iter().all(|(a, b)| !one(*a, *b) && !one(*b, *a)));
    }
}
