//! Bytes changed at random, of which readers of files must make a tensor or a typed error.

/// How many mutations of files of one kind a test goes through: `LOOPLETS_MUTATIONS` if it is set.
pub(crate) fn rounds() -> usize {
    let asked = std::env::var("LOOPLETS_MUTATIONS").ok().and_then(|n| n.parse().ok());
    asked.unwrap_or(if cfg!(miri) { 20 } else { 3_000 })
}

/// A generator of numbers, the same in each run.
pub(crate) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as usize
    }

    /// One or two changes of `bytes`: a byte, or a few that are `tokens`, taken away, repeated, or cut off.
    pub fn change(&mut self, bytes: &mut Vec<u8>, tokens: &[&[u8]]) {
        for _ in 0..=self.below(2) {
            if bytes.is_empty() {
                return;
            }
            let at = self.below(bytes.len());
            let end = |random: &mut Self, most: usize| (at + random.below(most)).min(bytes.len());
            match self.below(8) {
                0 => bytes[at] = self.below(256) as u8,
                1 => bytes[at] ^= 1 << self.below(8),
                2 => drop(bytes.remove(at)),
                3 => bytes.insert(at, self.below(256) as u8),
                4 => {
                    let end = end(self, 30);
                    let copy = bytes[at..end].to_vec();
                    bytes.splice(at..at, copy);
                }
                5 if self.below(4) == 0 => bytes.truncate(at.max(1)),
                _ => {
                    let token = tokens[self.below(tokens.len())];
                    let end = end(self, token.len() + 2);
                    bytes.splice(at..end, token.iter().copied());
                }
            }
        }
    }
}
