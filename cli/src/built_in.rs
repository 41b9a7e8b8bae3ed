//! The sources of the built-in formats, fill markers and operators, which the program carries with it.

/// Each file below `formats/src/`, and its text.
pub const FILES: &[(&str, &str)] = &[
    ("fill.rs", include_str!("../../formats/src/fill.rs")),
    ("semiring.rs", include_str!("../../formats/src/semiring.rs")),
    ("levels/aliases.rs", include_str!("../../formats/src/levels/aliases.rs")),
    ("levels/bit_tree.rs", include_str!("../../formats/src/levels/bit_tree.rs")),
    ("levels/bitmap.rs", include_str!("../../formats/src/levels/bitmap.rs")),
    ("levels/block_list.rs", include_str!("../../formats/src/levels/block_list.rs")),
    ("levels/borrowed.rs", include_str!("../../formats/src/levels/borrowed.rs")),
    ("levels/bst.rs", include_str!("../../formats/src/levels/bst.rs")),
    ("levels/btree.rs", include_str!("../../formats/src/levels/btree.rs")),
    ("levels/byte_map.rs", include_str!("../../formats/src/levels/byte_map.rs")),
    ("levels/coo.rs", include_str!("../../formats/src/levels/coo.rs")),
    ("levels/ctree.rs", include_str!("../../formats/src/levels/ctree.rs")),
    ("levels/dense.rs", include_str!("../../formats/src/levels/dense.rs")),
    ("levels/element.rs", include_str!("../../formats/src/levels/element.rs")),
    ("levels/fibers.rs", include_str!("../../formats/src/levels/fibers.rs")),
    ("levels/gap_block_list.rs", include_str!("../../formats/src/levels/gap_block_list.rs")),
    ("levels/hash.rs", include_str!("../../formats/src/levels/hash.rs")),
    ("levels/hybrid_btree.rs", include_str!("../../formats/src/levels/hybrid_btree.rs")),
    ("levels/interleaved.rs", include_str!("../../formats/src/levels/interleaved.rs")),
    ("levels/linked_list.rs", include_str!("../../formats/src/levels/linked_list.rs")),
    ("levels/misnamed.rs", include_str!("../../formats/src/levels/misnamed.rs")),
    ("levels/pack_bits.rs", include_str!("../../formats/src/levels/pack_bits.rs")),
    ("levels/packed_ctree.rs", include_str!("../../formats/src/levels/packed_ctree.rs")),
    ("levels/pattern.rs", include_str!("../../formats/src/levels/pattern.rs")),
    ("levels/ragged.rs", include_str!("../../formats/src/levels/ragged.rs")),
    ("levels/red_black.rs", include_str!("../../formats/src/levels/red_black.rs")),
    ("levels/run_list.rs", include_str!("../../formats/src/levels/run_list.rs")),
    ("levels/spa.rs", include_str!("../../formats/src/levels/spa.rs")),
    ("levels/sparse_band.rs", include_str!("../../formats/src/levels/sparse_band.rs")),
    ("levels/sparse_block_list.rs", include_str!("../../formats/src/levels/sparse_block_list.rs")),
    ("levels/sparse_interval.rs", include_str!("../../formats/src/levels/sparse_interval.rs")),
    ("levels/sparse_list.rs", include_str!("../../formats/src/levels/sparse_list.rs")),
    ("levels/sparse_point.rs", include_str!("../../formats/src/levels/sparse_point.rs")),
    ("levels/sparse_run_list.rs", include_str!("../../formats/src/levels/sparse_run_list.rs")),
    ("levels/stamp_map.rs", include_str!("../../formats/src/levels/stamp_map.rs")),
    ("levels/symmetric.rs", include_str!("../../formats/src/levels/symmetric.rs")),
    ("levels/t_tree.rs", include_str!("../../formats/src/levels/t_tree.rs")),
    ("levels/triangular.rs", include_str!("../../formats/src/levels/triangular.rs")),
    ("levels/unordered_list.rs", include_str!("../../formats/src/levels/unordered_list.rs")),
    (
        "levels/unsorted_block_list.rs",
        include_str!("../../formats/src/levels/unsorted_block_list.rs"),
    ),
    ("levels/var_block_list.rs", include_str!("../../formats/src/levels/var_block_list.rs")),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// A format that is new is one that the program has.
    #[test]
    fn all_files_of_levels_are_there() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../formats/src/levels");
        for entry in std::fs::read_dir(root).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let name = path.file_name().and_then(|n| n.to_str()).expect("a name").to_owned();
            let known = FILES.iter().any(|(file, _)| *file == format!("levels/{name}"));
            assert!(known || name == "mod.rs", "`{name}` is not in the list");
        }
    }
}
