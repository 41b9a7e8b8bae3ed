//! Sums of counts, which do not overflow: how many elements loops may put somewhere.

use std::ops::Range;

/// The sum of `terms`, or the largest number if that is no number. None is below 0.
#[inline(always)]
pub fn sum<const N: usize>(terms: [i64; N]) -> i64 {
    terms.into_iter().fold(0, i64::saturating_add)
}

/// The sum of all of `each` over `range`, of which those below 0 count for nothing, or the largest number if that
/// is no number.
#[inline(always)]
pub fn total<const N: usize>(range: Range<i64>, each: impl Fn(i64) -> [i64; N]) -> i64 {
    // Halves of so many numbers add up to a number, by additions that come in any order.
    blocks::<{ 1 << 24 }, N>(range, each)
}

#[inline(always)]
fn blocks<const BLOCK: i64, const N: usize>(
    range: Range<i64>,
    each: impl Fn(i64) -> [i64; N],
) -> i64 {
    const { assert!(N < 1 << 6) };
    let (mut from, mut total) = (range.start, 0_i64);
    while from < range.end {
        let to = from.saturating_add(BLOCK).min(range.end);
        let (mut low, mut high) = (0_i64, 0_i64);
        for i in from..to {
            for n in each(i) {
                low += n.max(0) & 0xffff_ffff;
                high += n.max(0) >> 32;
            }
        }
        total = total.saturating_add(high.saturating_mul(1 << 32)).saturating_add(low);
        from = to;
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals() {
        let numbers = [3, 0, i64::MAX, -5, 1 << 40, 7, i64::MIN, (1 << 33) + 1];
        for from in 0..=numbers.len() {
            for to in 0..=numbers.len() {
                let all = || from as i64..to as i64;
                let each = |i: i64| numbers[i as usize];
                let some = numbers.get(from..to).unwrap_or_default();
                let want = some.iter().fold(0_i64, |t, n| t.saturating_add((*n).max(0)));
                assert_eq!(total(all(), |i| [each(i)]), want, "{from}..{to}");
                assert_eq!(blocks::<2, 1>(all(), |i| [each(i)]), want, "{from}..{to} in blocks");
                let twice = blocks::<3, 2>(all(), |i| [each(i), each(i)]);
                assert_eq!(twice, want.saturating_mul(2), "{from}..{to} twice");
            }
        }
        assert_eq!(sum([3, 0, 1 << 40]), (1 << 40) + 3);
        assert_eq!(sum([1 << 62; 4]), i64::MAX);
        assert_eq!(total(i64::MAX - 2..i64::MAX, |_| [i64::MAX, 1]), i64::MAX);
    }
}
