//! Roots of nodes that are written out, with the number of entries behind the words of each.

use looplets::Level;

/// Adds a word to every `words` of `root` and makes a level of it: the number of entries that it has, so that it is
/// refused for nothing but what else is wrong.
pub fn counted<L: Level>(root: &[u32], words: usize, make: impl Fn(Vec<u32>) -> L) -> L {
    let with =
        |count| root.chunks(words).flat_map(|fiber| fiber.iter().copied().chain([count])).collect();
    let none = make(with(0));
    let reason = none.check(1).err().filter(|reason| reason.contains(" counts "));
    let has = reason.and_then(|reason| reason.rsplit(' ').next()?.parse().ok());
    has.map_or(none, |count| make(with(count)))
}
