//! Coordinates as bytes: those that are malformed are refused, whatever they are; and what panics in code of values leaves.

use looplets::prelude::*;
use looplets::{Level, PackedCTree};
use std::collections::BTreeMap;

const FAR: usize = (1 << 61) - 1;

fn dice(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |n| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % n
    }
}

/// A prefix of `n` entries with these bytes, and nothing else: no coordinate that matters is a head.
fn bytes(bytes: &[u8], n: u32) -> PackedCTree<Pattern, { 1 << 62 }> {
    let crd = [&[0], bytes].concat();
    let spare = vec![crd.len() as u32, 0];
    let chunk = vec![1, bytes.len() as u32, n];
    PackedCTree::new(
        FAR,
        vec![1, 0, n],
        vec![],
        vec![],
        chunk,
        vec![],
        crd,
        spare,
        vec![],
        Pattern::new(),
    )
}

#[test]
fn malformed_bytes_are_refused() {
    let good: [(&[u8], u32, &[usize]); 5] = [
        (&[1], 1, &[0]),
        (&[1, 5, 1], 3, &[0, 1, 3]),
        (&[3, 255, 255], 2, &[1, 129]),
        (&[2, 2, 0xfe, 0xff], 2, &[128, 128 + 16_384]),
        (&[0x80, 0, 0, 0, 0, 0, 0, 0x80, 1], 2, &[1 << 55, (1 << 55) + 1]),
    ];
    for (all, n, coordinates) in good {
        let a = Tensor::from_parts(bytes(all, n)).unwrap();
        assert!(
            a.triplets().iter().map(|(at, _)| at[0]).eq(coordinates.iter().copied()),
            "{all:?}"
        );
    }
    let most = [&[0u8][..], &[0xff; 8]].concat();
    let largest = [&[0u8][..], &(i64::MAX as u64 - 1).to_le_bytes(), &[9]].concat();
    let size = [&[0u8][..], &(FAR as u64).to_le_bytes()].concat();
    let bad: [(&[u8], u32, &str); 15] = [
        (&[2], 1, "does not end"),
        (&[0], 1, "does not end"),
        (&[0, 1, 0, 0, 0, 0, 0, 0], 1, "does not end"),
        (&[1, 2], 2, "does not end"),
        (&[1, 5, 4, 1], 4, "does not end"),
        (&[3, 3, 0x80, 1], 3, "does not end"),
        (&most, 1, "overflows"),
        (&largest, 2, "overflows"),
        (&size, 1, "but its size is"),
        (&[22, 0], 1, "superfluous"),
        (&[0, 1, 0, 0, 0, 0, 0, 0, 0], 1, "superfluous"),
        (&[1, 2, 0], 2, "superfluous"),
        (&[1, 5, 9], 3, "is not below 3"),
        (&[1, 5, 5], 3, "is not below 3"),
        (&[1, 1], 3, "room for 2"),
    ];
    for (all, n, reason) in bad {
        let found = Tensor::from_parts(bytes(all, n)).unwrap_err().to_string();
        assert!(found.contains(reason), "{all:?}: {found}");
    }
}

/// Whatever bytes there are, they are refused or are what they say.
#[test]
fn any_bytes() {
    let mut numbers = dice(23);
    let mut whole = 0;
    for _ in 0..20_000 {
        let all: Vec<u8> = (0..numbers(12))
            .map(|_| [numbers(256), 2 * numbers(4) + 1][numbers(2)] as u8)
            .collect();
        let n = numbers(6) as u32;
        if let Ok(a) = Tensor::from_parts(bytes(&all, n)) {
            let all = a.triplets();
            assert!(all.is_sorted() && all.len() == n as usize);
            for (at, _) in &all {
                assert_eq!(a.get(at), Some(true));
            }
            whole += 1;
        }
    }
    assert!(whole > 500, "{whole}");
}

thread_local! {
    /// How many values may be cloned before one panics.
    static FUSE: std::cell::Cell<usize> = const { std::cell::Cell::new(usize::MAX) };
}

/// A value whose `clone` panics at times.
#[derive(Debug, PartialEq)]
struct Bomb(u32);

impl Clone for Bomb {
    fn clone(&self) -> Bomb {
        FUSE.with(|fuse| {
            assert_ne!(fuse.get(), 0, "the bomb goes off");
            fuse.set(fuse.get() - 1);
        });
        Bomb(self.0)
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Dud;

impl looplets::Fill<Bomb> for Dud {
    const VALUE: Bomb = Bomb(0);
}

#[test]
fn panics_of_values_lose_nothing() {
    let mut tensor: Tensor<Dense<PackedCTree<Element<Bomb, Dud>, 4>>> =
        Tensor::new([3, 1 << 20]).unwrap();
    let mut model = BTreeMap::new();
    let mut numbers = dice(7);
    let mut panics = 0;
    for k in 1..6_000 {
        let at = [numbers(3), numbers(60) * numbers(2_000)];
        let (inserts, fuse) = (numbers(5) < 3, numbers(40));
        FUSE.set(fuse);
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match inserts {
            true => tensor.insert(at, Bomb(k)).map(|_| ()),
            false => tensor.remove(at).map(|_| ()),
        }));
        FUSE.set(usize::MAX);
        match (done, inserts) {
            (Err(_), _) => panics += 1,
            (Ok(done), true) => {
                done.unwrap();
                model.insert(at.to_vec(), k);
            }
            (Ok(done), false) => {
                done.unwrap();
                model.remove(at.as_slice());
            }
        }
        if k % 100 == 0 {
            let held: BTreeMap<Vec<usize>, u32> =
                tensor.triplets().into_iter().map(|(at, v)| (at, v.0)).collect();
            assert_eq!(held, model);
            Level::check(tensor.root(), 1).unwrap();
        }
    }
    assert!(panics > 20, "{panics}");
}
