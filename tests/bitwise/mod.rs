//! Hostile floats, and results that are those of loops by hand to the last bit.

/// Both zeros, infinities, NaN, and numbers at the ends of what there is.
const HOSTILE: [f64; 12] = [
    0.1,
    -0.0,
    1e-310,
    -3.5,
    f64::INFINITY,
    1e300,
    f64::NAN,
    -1e300,
    0.0,
    f64::MIN_POSITIVE,
    7.25,
    f64::NEG_INFINITY,
];

/// `count` values, about one of `rare` of which is hostile: if many were, all results would be NaN.
pub fn values(count: usize, seed: usize, rare: usize) -> Vec<f64> {
    let value = |n: usize| {
        let mixed = (n + seed * 100_000).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7;
        match mixed % rare {
            0 => HOSTILE[mixed / rare % HOSTILE.len()],
            m => (m as f64 - (rare / 2) as f64) / 7.0,
        }
    };
    (0..count).map(value).collect()
}

/// As bits, with one NaN.
fn bits(x: f64) -> u64 {
    if x.is_nan() {
        f64::NAN.to_bits()
    } else {
        x.to_bits()
    }
}

/// Compares `found` with what loops by hand gave.
#[track_caller]
pub fn same(found: &[f64], expected: &[f64], what: impl std::fmt::Debug) {
    assert_eq!(found.len(), expected.len(), "{what:?}");
    for (n, (found, expected)) in found.iter().zip(expected).enumerate() {
        let alike = bits(*found) == bits(*expected);
        assert!(alike, "{what:?}: element {n} is {found:?}, and by hand {expected:?}");
    }
}
