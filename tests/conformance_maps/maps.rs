//! Levels that are written in any order.

use looplets::prelude::*;

fn leaf(n: usize) -> Element<f64> {
    Element::new(vec![2.0; n])
}

conformance! {
    mod byte_map: ByteMap;
    read walk, gallop, locate;
    also follow, lead;
    write locate;
    leaf Pattern;
    refuse {
        "flags are missing": ByteMap::new(3, vec![1, 0], leaf(3)),
    }
}

conformance! {
    mod bit_tree: BitTree;
    read walk, gallop, locate;
    also follow, lead;
    write locate;
    leaf Pattern;
    refuse {
        "a bit is set beyond the size": BitTree::new(3, vec![8], vec![1], leaf(3)),
        "words are missing": BitTree::new(65, vec![1], vec![1], leaf(65)),
        "a word is not summed up": BitTree::new(3, vec![1], vec![0], leaf(3)),
        "a word is zero": BitTree::new(3, vec![0], vec![1], leaf(3)),
        "a word beyond is summed up": BitTree::new(3, vec![1], vec![3], leaf(3)),
    }
}

conformance! {
    mod spa: Spa;
    read walk, gallop, locate;
    also follow, lead;
    write locate;
    coordinates u8;
    leaf Pattern;
    refuse {
        "flags are missing": Spa::new(2, vec![true], vec![1], vec![0, 0], vec![0; 2], leaf(2)),
        "places are missing": Spa::new(2, vec![true, false], vec![1], vec![0], vec![0; 2], leaf(2)),
        "no number says how many": Spa::new(2, vec![true, false], vec![], vec![0, 0], vec![0; 2], leaf(2)),
        "more are listed than there is place": Spa::new(2, vec![true, true], vec![3], vec![0, 1], vec![0; 2], leaf(2)),
        "the list does not ascend": Spa::new(2, vec![true, true], vec![2], vec![1, 0], vec![0; 2], leaf(2)),
        "an entry is listed twice": Spa::new(2, vec![true, false], vec![2], vec![0, 0], vec![0; 2], leaf(2)),
        "an entry lies outside": Spa::new(2, vec![true, false], vec![1], vec![2], vec![0; 2], leaf(2)),
        "what is listed is not stored": Spa::new(2, vec![true, false], vec![1], vec![1], vec![0; 2], leaf(2)),
        "what is stored is not listed": Spa::new(2, vec![true, true], vec![1], vec![0, 0], vec![0; 2], leaf(2)),
        "bits are left from sorting": Spa::new(2, vec![true, false], vec![1], vec![0, 0], vec![1, 0], leaf(2)),
        "there is nothing to sort by": Spa::new(2, vec![true, false], vec![1], vec![0, 0], vec![], leaf(2)),
    }
}

conformance! {
    mod stamp_map: StampMap;
    read walk, gallop, locate;
    also follow, lead;
    write locate;
    leaf Pattern;
    refuse {
        "stamps are missing": StampMap::new(3, vec![1], vec![1, 0], leaf(3)),
        "no stamp says which are stored": StampMap::new(3, vec![], vec![1, 0, 0], leaf(3)),
        "what was never stored is": StampMap::new(3, vec![0], vec![1, 0, 0], leaf(3)),
    }
}

conformance! {
    mod unordered_list: UnorderedList;
    read walk, gallop, locate, scan;
    also follow, lead;
    write insert;
    coordinates u8;
    leaf Pattern;
    refuse {
        "an entry is there twice": UnorderedList::new(3, vec![0, 2], vec![2, 2], vec![], leaf(2)),
        "an entry lies outside": UnorderedList::new(3, vec![0, 2], vec![3, 0], vec![], leaf(2)),
        "fibers are missing": UnorderedList::new(3, vec![], vec![], vec![], leaf(0)),
        "not all are in fibers": UnorderedList::new(3, vec![0, 1], vec![1, 0], vec![], leaf(2)),
        "it is still written": UnorderedList::new(3, vec![0, 1], vec![1], vec![0, 1, 0], leaf(1)),
    }
}

conformance! {
    mod bitmap: Bitmap;
    read walk, gallop, locate;
    also follow, lead;
    write locate;
    leaf Pattern;
    refuse {
        "a bit is set beyond the size": Bitmap::new(3, vec![8], leaf(3)),
        "words are missing": Bitmap::new(65, vec![1], leaf(65)),
    }
}

conformance! {
    mod hash: Hash;
    read walk, gallop, locate;
    also follow, lead;
    write insert;
    coordinates u8;
    leaf Pattern;
    refuse {
        "the table is empty": Hash::new(3, vec![], vec![0], vec![1], vec![0, 1], vec![0], leaf(1)),
    }
}
