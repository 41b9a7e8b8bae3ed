//! Words of bits, for loops that take 64 coordinates a step.

/// The 64 bits from bit `by` of `low` on, which go on in `high`.
#[inline(always)]
pub fn funnel(low: u64, high: u64, by: i64) -> u64 {
    let by = by as u64 & 63;
    // In two steps: all 64 are shifted out where `by` is 0.
    low >> by | high << 1 << (63 - by)
}

/// Bit `k` for each `lo <= 64 * word + k < hi`.
#[inline(always)]
pub fn bits_within(lo: i64, hi: i64, word: i64) -> u64 {
    // Coordinates are cut to a range in which 64 times the number of a word does not overflow.
    let first = word << 6;
    let below = |end: i64| match end - first {
        ..=0 => 0,
        bits @ 1..64 => !0 >> (64 - bits),
        _ => !0,
    };
    below(hi) & !below(lo)
}

/// Sets the bits `lo..hi` of those that begin with the word at `start`; they are some.
///
/// # Panics
/// If there are no such words.
#[inline(always)]
#[track_caller]
pub fn fill_bits(words: &mut [u64], start: i64, lo: i64, hi: i64) {
    let (low, high) = (!0 << (lo & 63), !0 >> (63 - ((hi - 1) & 63)));
    let (from, to) = (start + (lo >> 6), start + ((hi - 1) >> 6));
    match &mut words[from as usize..=to as usize] {
        [one] => *one |= low & high,
        [first, between @ .., last] => {
            *first |= low;
            between.fill(!0);
            *last |= high;
        }
        [] => {}
    }
}

/// How many bits of `word` are set.
#[inline(always)]
pub fn count_ones(word: u64) -> i64 {
    i64::from(word.count_ones())
}

/// A flag for each coordinate of a word: where they are made is a loop without anything that one iteration leaves to the next.
pub type Flags = [u8; 64];

/// None of them is set.
pub const NO_FLAGS: Flags = [0; 64];

/// Sets flag `k`, which is below 64, if `condition` holds.
#[inline(always)]
pub fn set_flag(flags: &mut Flags, k: usize, condition: bool) {
    flags[k & 63] = u8::from(condition);
}

/// The flags as bits.
#[inline(always)]
pub fn packed(flags: &Flags) -> u64 {
    let (chunks, _) = flags.as_chunks::<16>();
    let word = |chunk: &[u8; 16]| {
        let both = u128::from_le_bytes(*chunk);
        u64::from(packed_16(both as u64, (both >> 64) as u64))
    };
    chunks.iter().rev().fold(0, |bits, chunk| bits << 16 | word(chunk))
}

/// The flags of two words, one a byte, as bits.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
#[inline(always)]
fn packed_16(low: u64, high: u64) -> u16 {
    use std::arch::x86_64::{_mm_movemask_epi8, _mm_set_epi64x, _mm_slli_epi16};
    // The instruction takes the highest bit of each byte.
    let high_bits = |flags: i64, more: i64| {
        // SAFETY: `target_feature` above has checked that every processor which this is compiled for has these.
        unsafe { _mm_movemask_epi8(_mm_slli_epi16::<7>(_mm_set_epi64x(more, flags))) }
    };
    high_bits(low as i64, high as i64) as u16
}

/// The flags of two words, one a byte, as bits.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", not(miri))))]
#[inline(always)]
fn packed_16(low: u64, high: u64) -> u16 {
    // Bit 8 k goes to bit 56 + k: no two of the products' bits below meet.
    let byte = |flags: u64| (flags.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u16;
    byte(high) << 8 | byte(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_packed() {
        for n in 0..2000u64 {
            let want = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ if n % 3 == 0 { !0 } else { 0 };
            let mut flags = NO_FLAGS;
            (0..64).for_each(|k| set_flag(&mut flags, k, want >> k & 1 == 1));
            assert_eq!(packed(&flags), want);
        }
    }

    #[test]
    fn a_funnel_takes_bits_of_two_words() {
        let (low, high) = (0xfedc_ba98_7654_3210, 0x0123_4567_89ab_cdef_u64);
        let both = u128::from(high) << 64 | u128::from(low);
        for by in 0..64 {
            assert_eq!(funnel(low, high, by), (both >> by) as u64, "{by}");
        }
    }

    #[test]
    fn bits_are_filled() {
        for lo in 0..200 {
            for hi in lo + 1..200 {
                let mut words = [1 << 5, 0, 2, 0, 0, 0];
                let mut want = words;
                (lo..hi).for_each(|k| want[1 + k / 64] |= 1 << (k % 64));
                fill_bits(&mut words, 1, lo as i64, hi as i64);
                assert_eq!(words, want, "{lo}..{hi}");
            }
        }
    }

    #[test]
    fn bits_within_are_those_of_coordinates() {
        for lo in -130..130 {
            for hi in -130..130 {
                for word in -3..3 {
                    let all = (0..64).filter(|k| (lo..hi).contains(&(64 * word + k)));
                    let want = all.fold(0, |bits, k| bits | 1 << k);
                    assert_eq!(bits_within(lo, hi, word), want, "{lo}..{hi} {word}");
                }
            }
        }
    }
}
