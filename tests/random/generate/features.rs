//! What kernels can have beyond the common: each feature is switched on here, or by `LOOPLETS_FEATURES`.

/// The features, and whether kernels have them unless `LOOPLETS_FEATURES` says otherwise: `all`, or
/// names with commas.
pub const FEATURES: &[(&str, bool)] = &[
    // i32, u8 and f32.
    ("types", true),
    // Kernels that say `#![strict]`.
    ("strict", true),
    // Conditions on values around what is written.
    ("conditions", true),
    // Conditions that the innermost loop does not change.
    ("chosen", true),
    // Nothing else where they can be.
    ("only_chosen", false),
    // Scalars that are assigned between the conditions that read them.
    ("changing", true),
    // Scalars in which an iteration leaves what the next one reads.
    ("carried", true),
    // Dense tensors that a nest reads and writes, in the order of its loops.
    ("ordered", true),
    // `c = c + x`, several assignments to one entry, indices that are compared with elements.
    ("as_written", true),
    // Operators with laws of their own, in expressions and as reductions.
    ("operators", true),
    // Methods of the type of the elements, `!` of its bits, and conversions by `as`.
    ("methods", true),
    // Tokens of Rust in expressions, which read scalars and definitions.
    ("rust", true),
    // Results in formats that hold a restricted family.
    ("held", true),
    // Loops that end early beside other results.
    ("exits", true),
    // Divisions that a condition keeps from being done.
    ("guarded", true),
    // No loops, and several statements or branches into one result.
    ("gathered", true),
    // Nothing else.
    ("only_gathered", false),
    // Short expressions of plain reads: passes that ask for little to be in the way see these alone.
    ("plain", true),
    // Nothing else.
    ("only_plain", false),
    // No operands at all, or up to twelve.
    ("operands", true),
    // `parallel for`, with chunks as small as they can be.
    ("parallel", true),
    // Reads through shape operators, in some kernels.
    ("shapes", true),
    // In all of them.
    ("shaped", false),
    // Some kernels once more, changed by what must not change a result.
    ("twins", true),
];

/// Those that are on.
pub struct Features(Vec<&'static str>);

impl Features {
    pub fn new(named: Option<&str>) -> Features {
        let on = |(name, on): &(&'static str, bool)| {
            let wanted = match named {
                None => *on,
                Some("all") => true,
                Some(names) => names.split(',').any(|n| n.trim() == *name),
            };
            wanted.then_some(*name)
        };
        Features(FEATURES.iter().filter_map(on).collect())
    }
    pub fn has(&self, name: &str) -> bool {
        debug_assert!(FEATURES.iter().any(|(n, _)| *n == name), "{name}");
        self.0.contains(&name)
    }
}
