//! What the processor has that programs are not built for unless they say so.

use std::sync::atomic::{AtomicU8, Ordering};

/// Whether the processor is an x86-64-v3: vectors of 32 bytes, fused multiply-add and what came with them, since 2013 in
/// most. It is asked once a process.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn x86_64_v3() -> bool {
    static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);
    const UNKNOWN: u8 = 2;
    #[cold]
    fn ask() -> bool {
        let all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("f16c")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("movbe")
            && is_x86_feature_detected!("popcnt");
        KNOWN.store(all.into(), Ordering::Relaxed);
        all
    }
    match KNOWN.load(Ordering::Relaxed) {
        UNKNOWN => ask(),
        known => known == 1,
    }
}
