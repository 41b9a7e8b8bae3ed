//! Rows whose lengths no processor foresees: a sample that tells, and a sum's last terms without a branch.

use crate::level::Number;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Of a matrix with fewer rows the loop is short, or runs so often that the processor has learnt how long each row is.
const FEWEST: i64 = 1 << 12;
/// The fewest of them in one loop.
const CHUNK: i64 = 1 << 10;
/// How many of these are looked at, with the one behind.
const SAMPLES: i64 = 64;

/// Whether all rows are taken for irregular ones, however few.
static ALL: AtomicBool = AtomicBool::new(false);

/// Has kernels take all rows for irregular ones, on all threads: tests reach by it what only thousands of rows do.
#[doc(hidden)]
pub fn all_irregular(all: bool) {
    ALL.store(all, Relaxed);
}

/// Up to which entry of the rows `lo..hi` three entries may be read at once, whichever row they are of; less than all positions if
/// that is not worth while. Row `i` has the entries from `ends[i]` to before `ends[i + 1]`.
///
/// Three entries that are read in any case take as long as a few, a branch that is guessed wrong as long as many. It is so guessed
/// where a row seldom has as many entries as the one before it, which a sample of 64 rows tells: a tenth of a microsecond.
pub fn irregular<P: Number>(ends: &[P], lo: i64, hi: i64) -> i64 {
    const NONE: i64 = i64::MIN;
    let (rows, all) = (hi.saturating_sub(lo), ALL.load(Relaxed));
    // A chunk of a parallel loop has some of many rows. A loop over fewer would not take longer than the sample.
    let few = ends.len() as i64 <= FEWEST || rows < CHUNK;
    if lo < 0 || rows < 1 || few && !all {
        return NONE;
    }
    let Some(own) = ends.get(lo as usize..=hi as usize) else { return NONE };
    let last = own[rows as usize].wrapping().saturating_sub(3);
    if all {
        return last;
    }
    let share = rows / SAMPLES;
    let length = |i: usize| own[i + 1].wrapping().wrapping_sub(own[i].wrapping());
    // Each in its share of the rows, at a place that has nothing to do with how long rows are.
    let differs = |n: &i64| {
        let within = (n + 1).wrapping_mul(0x9E37_79B9) % (share - 1);
        let i = (n * share + within) as usize;
        length(i) != length(i + 1)
    };
    match 2 * (0..SAMPLES).filter(differs).count() as i64 > SAMPLES {
        true => last,
        false => NONE,
    }
}

/// `value` if `n` is below `count`, which is at most three, and else `-0.0`, which leaves any sum as it is. There is no branch.
#[inline(always)]
pub fn masked<T: Bits>(value: T, count: i64, n: i64) -> T {
    // Other numbers do not occur; so no index needs to be checked.
    value.masked(count as usize & 3, n as usize & 3)
}

mod sealed {
    pub trait Sealed {}
}

/// A float whose bits can be taken apart.
pub trait Bits: Copy + sealed::Sealed {
    /// The float if `n` is below `count`, else `-0.0`.
    fn masked(self, count: usize, n: usize) -> Self;
}

macro_rules! bits {
    ($($float:ty: $bits:ty, $table:ident);*) => {
        $(// Read from memory, as of a comparison LLVM makes a branch.
        static $table: [[$bits; 4]; 4] = {
            const ALL: $bits = <$bits>::MAX;
            [[0; 4], [ALL, 0, 0, 0], [ALL, ALL, 0, 0], [ALL, ALL, ALL, 0]]
        };

        impl sealed::Sealed for $float {}
        impl Bits for $float {
            #[inline(always)]
            fn masked(self, count: usize, n: usize) -> Self {
                let (kept, sign) = ($table[count][n], (-0.0 as Self).to_bits());
                Self::from_bits((self.to_bits() & kept) | (sign & !kept))
            }
        })*
    };
}

bits!(f32: u32, KEPT_32; f64: u64, KEPT_64);

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(lengths: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut end = 0;
        let ends = lengths.into_iter().map(|n| {
            end += n;
            end
        });
        std::iter::once(0).chain(ends.collect::<Vec<_>>()).collect()
    }

    fn scattered(n: usize, of: usize) -> usize {
        (n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33) % of
    }

    #[test]
    fn rows_of_any_length_are_told_from_regular_ones() {
        for rows in [4_096, 5_000, 100_000] {
            let random = ends((0..rows).map(|n| scattered(n, 12)));
            let all = *random.last().unwrap() as i64;
            assert_eq!(irregular(&random, 0, rows as i64), all - 3);
            let same = ends((0..rows).map(|_| 7));
            assert_eq!(irregular(&same, 0, rows as i64), i64::MIN);
            let seldom = ends((0..rows).map(|n| if scattered(n, 8) == 0 { 5 } else { 4 }));
            assert_eq!(irregular(&seldom, 0, rows as i64), i64::MIN);
        }
    }

    #[test]
    fn parts_of_the_rows_end_where_they_end() {
        let random = ends((0..20_000).map(|n| scattered(n, 12)));
        assert_eq!(irregular(&random, 1_000, 9_000), random[9_000] as i64 - 3);
        assert_eq!(irregular(&random, 1_000, 2_024), random[2_024] as i64 - 3);
        assert_eq!(irregular(&random, 19_990, 20_000), i64::MIN);
        assert_eq!(irregular(&random, 7, 7), i64::MIN);
        assert_eq!(irregular(&random[..4_096], 0, 4_095), i64::MIN);
        assert_eq!(irregular(&random, -5_000, 2_000), i64::MIN);
        assert_eq!(irregular(&random, 0, 20_001), i64::MIN);
        assert_eq!(irregular(&random, i64::MIN, i64::MAX), i64::MIN);
        assert_eq!(irregular::<u32>(&[], 0, 5_000), i64::MIN);
    }

    #[test]
    fn what_is_masked_is_the_zero_of_sums() {
        let hostile =
            [0.0, -0.0, 1.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324, f64::MAX];
        for value in hostile {
            for (count, n) in (0..4).flat_map(|count| (0..3).map(move |n| (count, n))) {
                let want = if n < count { value } else { -0.0 };
                assert_eq!(masked(value, count, n).to_bits(), want.to_bits());
                let (value, want) = (value as f32, want as f32);
                assert_eq!(masked(value, count, n).to_bits(), want.to_bits());
            }
        }
    }
}
