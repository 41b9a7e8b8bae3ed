//! Tensors made of nodes whose links count no further: whatever is asked of them is done, or refused with nothing changed.

use looplets::level::Grows;
use looplets::prelude::*;
use std::collections::BTreeMap;

type E = Element<f64>;

/// Random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Makes tensors of as many entries as links of 8 bits count, and of a few more, and changes them.
fn full<L: Grows<Value = f64> + Clone>(name: &str) {
    let shape = [20, 40];
    for count in [60, 100, 120, 127, 128, 200, 230, 240, 250, 253, 254, 255, 256, 257, 260, 300] {
        for seed in 0..3 {
            let what = format!("{name}, {count} entries, seed {seed}");
            let mut random = Random(seed * 77 + count as u64 + 1);
            let mut model: BTreeMap<Vec<usize>, f64> = BTreeMap::new();
            while model.len() < count {
                let at = vec![random.below(shape[0]), random.below(shape[1])];
                model.insert(at, random.below(1000) as f64);
            }
            let entries = model.iter().map(|(at, v)| (at.clone(), *v));
            let Ok(mut tensor) = Tensor::<L>::from_triplets(shape, entries, Refuse) else {
                continue;
            };
            for step in 0..300 {
                let keys: Vec<Vec<usize>> = model.keys().cloned().collect();
                let inserts = random.below(3) == 0 || keys.is_empty();
                let at = match inserts {
                    true => vec![random.below(shape[0]), random.below(shape[1])],
                    false => keys[random.below(keys.len())].clone(),
                };
                let was = model.get(&at).copied();
                let done = match inserts {
                    true => tensor.insert(&at, f64::from(step)),
                    false => tensor.remove(&at),
                };
                match (done, inserts) {
                    (Ok(found), true) => {
                        assert_eq!(found, was, "{what}");
                        model.insert(at, f64::from(step));
                    }
                    (Ok(found), false) => {
                        assert_eq!(found, was, "{what}");
                        model.remove(&at);
                    }
                    (Err(_), _) => break,
                }
            }
            let all: Vec<(Vec<usize>, f64)> = model.into_iter().collect();
            assert_eq!(tensor.stored(), all.len(), "{what}");
            assert_eq!(tensor.triplets(), all, "{what}");
            if let Err(error) = Tensor::from_parts(tensor.into_root()) {
                panic!("{what}: {error}");
            }
        }
    }
}

macro_rules! limits {
    ($($name:ident: $level:ty;)*) => {
        $(#[test]
        fn $name() {
            full::<Dense<$level>>(concat!("below rows, ", stringify!($name)));
            full::<Bst<$level>>(concat!("below a tree, ", stringify!($name)));
        })*
    };
}
limits! {
    linked_lists: LinkedList<E, u16, u8>;
    blocks_of_2: BlockList<E, u16, 2, u8>;
    blocks_of_16: BlockList<E, u16, 16, u8>;
    blocks_with_gaps: GapBlockList<E, u16, 3, u8>;
    blocks_of_any_size: VarBlockList<E, u16, 4, u8>;
    blocks_in_no_order: UnsortedBlockList<E, u16, 2, u8>;
    binary_trees: Bst<E, u16, u8>;
    red_black_trees: RedBlack<E, u16, u8>;
    t_trees: TTree<E, u16, 2, u8>;
    b_trees: BTree<E, u16, 4, u8>;
    hybrids: HybridBTree<E, u16, 2, 3, u8>;
    chunks: CTree<E, u16, 8, u8>;
    packed_chunks: PackedCTree<E, 8, u8>;
}

/// The same within what kernels append to, and in default blocks of links of 16 bits.
#[test]
fn links_of_16_bits() {
    let entries = |n: usize| (0..n).map(|k| ([k / 300, k % 300], k as f64));
    macro_rules! each {
        ($($level:ty),*) => {$(
            for count in [65_534, 65_535, 65_536, 70_000] {
                let made = Tensor::<Dense<$level>>::from_triplets([300, 300], entries(count), Refuse);
                let Ok(mut tensor) = made else { continue };
                let mut gone = 0;
                for k in (0..count).step_by(701) {
                    if tensor.remove([k / 300, k % 300]).is_ok() {
                        gone += 1;
                    }
                }
                assert_eq!(tensor.stored(), count - gone);
                let kept = |(at, v): &(Vec<usize>, f64)| *v == (at[0] * 300 + at[1]) as f64;
                assert!(tensor.triplets().iter().all(kept));
                assert!(Tensor::from_parts(tensor.into_root()).is_ok());
            }
        )*};
    }
    each!(
        LinkedList<E, u32, u16>, BlockList<E, u32, 16, u16>, GapBlockList<E, u32, 16, u16>, VarBlockList<E, u32, 64, u16>,
        UnsortedBlockList<E, u32, 16, u16>, Bst<E, u32, u16>, TTree<E, u32, 16, u16>, BTree<E, u32, 32, u16>,
        HybridBTree<E, u32, 12, 32, u16>, CTree<E, u32, 128, u16>, PackedCTree<E, 128, u16>
    );
}

finch! {
    fn copied(a: &Csr<f64>) -> Result<(c: Tensor<Dense<LinkedList<Element<f64>, u32, u16>>>), Error> { for i, j { c[i, j] = a[i, j] } }
    fn turned(a: &Csr<f64>) -> Result<(c: Tensor<Dense<BlockList<Element<f64>, u32, 16, u16>>>), Error> { for i, j { c[j, i] = a[i, j] } }
    fn in_chunks(a: &Csr<f64>) -> Result<(c: Tensor<Dense<LinkedList<Element<f64>, u32, u16>>>), Error> {
        parallel for i { for j { c[i, j] = a[i, j] } }
    }
}

/// Kernels that make more than links count fail, and say so.
#[test]
fn kernels() {
    for count in [30_000, 65_000, 65_535, 65_536, 70_000] {
        let entries = (0..count).map(|k| ([k / 300, k % 300], k as f64));
        let a: Csr<f64> = Tensor::from_triplets([300, 300], entries, Refuse).unwrap();
        let same = |c: Vec<(Vec<usize>, f64)>| assert_eq!(c, a.triplets());
        for (which, made) in [copied(&a), in_chunks(&a)].into_iter().enumerate() {
            match made {
                Ok(c) => same(c.triplets()),
                Err(error) => {
                    assert!(count > 30_000 && error.to_string().contains("u16"), "{which}: {error}")
                }
            }
        }
        match turned(&a) {
            Ok(c) => assert_eq!(c.stored(), count),
            Err(error) => assert!(error.to_string().contains("u16"), "{error}"),
        }
    }
}

finch! {
    fn forgotten(a: &mut Tensor<BTree<Dense<Element<f64>>>>) -> Result<(), Error> { for i, j { if a[i, j] > 1 { remove a[i, j] } } }
}

/// What cannot be taken out is refused, with nothing changed; what is not there need not be.
#[test]
fn elements_of_dense_dimensions() {
    type Rows = Tensor<BTree<Dense<Element<f64>>>>;
    let mut rows: Rows = Tensor::from_triplets([3, 2], [([1, 1], 5.0)], Refuse).unwrap();
    let before = rows.triplets();
    let said = rows.remove([1, 1]).unwrap_err().to_string();
    assert!(said.contains("[1, 1]") && said.contains("dense"), "{said}");
    assert!(rows.retain(|_, _| false).is_err());
    assert!(rows.remove_all([[0, 0], [1, 0]]).is_err());
    assert!(forgotten(&mut rows).is_err());
    assert_eq!(rows.triplets(), before);
    assert_eq!(rows.remove([0, 1]).unwrap(), None);
    rows.retain(|_, _| true).unwrap();
}
