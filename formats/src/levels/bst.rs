//! Bst: a binary search tree a fiber.

crate::level! {
    /// A binary search tree (DynamicSparse figure 5), balanced as a treap.
    pub struct Bst<Child, Ix: crate::Index = u32, Link: crate::Index = u32> {
        len: usize,
        unsafe nodes<Ix, Link> {
            bst_root { r: bst }
            bst { e: elem nonempty, l: bst, r: bst, seq = l, e, r }
        }
        child: Child,
    }
    insert(p, i) { crate::levels::bst_insert(nodes, p, i) }
    remove(p, i) { crate::levels::bst_remove(nodes, p, i) }
}

/// Makes an entry.
#[doc(hidden)]
pub fn bst_insert<Ix: crate::Index, Li: crate::Index>(
    nodes: &mut BstNodes<'_, Ix, Li>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    let new = nodes.new_bst()?;
    let mut at = nodes.bst_root_r(p);
    let mut above = None;
    while let Some(node) = at {
        let left = i < nodes.at(nodes.bst_e(node));
        above = Some((node, left));
        at = if left { nodes.bst_l(node) } else { nodes.bst_r(node) };
    }
    match above {
        None => nodes.set_bst_root_r(p, Some(new)),
        Some((node, true)) => nodes.set_bst_l(node, Some(new)),
        Some((node, false)) => nodes.set_bst_r(node, Some(new)),
    }
    nodes.put(nodes.bst_e(new), i);
    Ok(())
}

/// Takes an entry out.
#[doc(hidden)]
pub fn bst_remove<Ix: crate::Index, Li: crate::Index>(
    _: &mut BstNodes<'_, Ix, Li>,
    _: usize,
    _: usize,
) -> Result<(), String> {
    Ok(())
}
