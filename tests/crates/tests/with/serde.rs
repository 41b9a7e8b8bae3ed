//! Tensors in JSON: what is written is read again, and what is malformed is an error and nothing else.

use looplets::prelude::*;
use looplets::{Error, Level};
use serde::de::DeserializeOwned;
use serde::Serialize;
use serde_json::{json, Value as Json};

level! {
    /// A format of this crate: one stored entry per fiber.
    pub struct Point<Child> {
        len: usize,
        at: Vec<u32>,
        child: Child,
    }
    invariant(fibers) {
        if at.len() != fibers || at.iter().any(|&c| c as usize >= len) {
            return Err(format!("`at` does not hold {fibers} coordinates below {len}"));
        }
        Ok(fibers)
    }
    read walk(p) {
        let first = at[p];
        pipeline {
            ..first => run(fill),
            ..first + 1 => run(child[p]),
            .. => run(fill),
        }
    }
}

/// A value that serde knows nothing of: its tensors have all but that.
#[derive(Clone, Debug, PartialEq)]
pub struct Opaque(pub u8);
fill! {
    pub fill NoOpaque = none;
}
impl looplets::Fill<Opaque> for NoOpaque {
    const VALUE: Opaque = Opaque(0);
}
level! {
    /// A leaf without any parameter, whose values serde does not know.
    pub struct Opaques {
        val: Vec<Opaque>,
    }
    leaf Opaque = crate::serde::NoOpaque;
    invariant(fibers) {
        if val.len() == fibers { Ok(0) } else { Err("too few".to_owned()) }
    }
    read value(p) { val[p] }
}

/// All sorts of entries, none at zero, so that every format tells them from the rest.
fn entries(shape: [usize; 2]) -> Vec<([usize; 2], f64)> {
    let all = (0..shape[0]).flat_map(|i| (0..shape[1]).map(move |j| [i, j]));
    all.filter(|[i, j]| (i * 5 + j * 3) % 4 == 1)
        .map(|[i, j]| ([i, j], 0.125 + (i * 10 + j) as f64))
        .collect()
}

fn read<L: Level + DeserializeOwned>(text: &Json) -> Result<Tensor<L>, String> {
    serde_json::from_str(&text.to_string()).map_err(|error| error.to_string())
}

/// Every part of what was written is changed in turn, to anything: each time it is an error or a tensor.
fn attack<L: Level<Value = f64> + Serialize + DeserializeOwned>(text: &Json) -> (usize, usize) {
    fn parts(at: &Json, path: &mut Vec<String>, all: &mut Vec<String>) {
        all.push(path.iter().map(|p| format!("/{p}")).collect());
        let inner: Vec<(String, &Json)> = match at {
            Json::Array(items) => {
                items.iter().enumerate().map(|(k, v)| (k.to_string(), v)).collect()
            }
            Json::Object(items) => items.iter().map(|(k, v)| (k.clone(), v)).collect(),
            _ => Vec::new(),
        };
        for (name, value) in inner {
            path.push(name);
            parts(value, path, all);
            path.pop();
        }
    }
    let mut all = Vec::new();
    parts(text, &mut Vec::new(), &mut all);
    let (mut refused, mut made) = (0, 0);
    let mut run = |text: &Json| match read::<L>(text) {
        Err(_) => refused += 1,
        Ok(tensor) => {
            // Whatever it is: it can be walked, searched and written.
            made += 1;
            if tensor.shape().iter().fold(1, |all: usize, n| all.saturating_mul(*n)) < 10_000 {
                let _ = (tensor.triplets(), tensor.stored(), tensor.get([0, 0]));
            }
            serde_json::to_string(&tensor).expect("it can be written");
        }
    };
    for part in &all {
        let numbers = [0u64, 1, 2, 3, 7, 255, 1 << 31, (1 << 32) - 1, 1 << 40, 1 << 62, u64::MAX];
        let mut others: Vec<Json> = numbers.into_iter().map(Json::from).collect();
        others.extend([
            json!(null),
            json!(-1),
            json!(0.5),
            json!("Dense"),
            json!([]),
            json!({}),
            json!([0, 0]),
        ]);
        for other in others {
            let mut changed = text.clone();
            *changed.pointer_mut(part).expect("it is there") = other;
            run(&changed);
        }
        let mut changed = text.clone();
        match changed.pointer_mut(part).expect("it is there") {
            Json::Array(items) if !items.is_empty() => {
                let mut longer = items.clone();
                longer.push(items[0].clone());
                items.pop();
                run(&changed);
                *changed.pointer_mut(part).expect("it is there") = longer.into();
                run(&changed);
            }
            Json::Object(items) if !items.is_empty() => {
                let name = items.keys().next().expect("one").clone();
                items.remove(&name);
                run(&changed);
            }
            _ => {}
        }
    }
    (refused, made)
}

fn there_and_back<
    L: Level<Value = f64> + Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
>() {
    let name = L::NAME;
    for shape in [[6, 6], [1, 1], [0, 3], [3, 0], [6, 9]] {
        let a = match Tensor::<L>::from_triplets(shape, entries(shape), Refuse) {
            Ok(a) => a,
            // A triangle has entries of its own.
            Err(Error::Unstorable { .. }) => {
                Tensor::new(shape).or_else(|_| Tensor::new([4, 4])).expect("a square")
            }
            Err(error) => panic!("{name}: {error}"),
        };
        let text = serde_json::to_value(&a).expect("it can be written");
        assert_eq!(text["level"]["type"], name);
        assert_eq!(read::<L>(&text).unwrap_or_else(|e| panic!("{name}: {e}")), a);
        if shape[0] * shape[1] == 36 {
            let (refused, _) = attack::<L>(&text);
            assert!(refused > 50, "{name}: {refused}");
        }
    }
}

macro_rules! formats {
    ($($test:ident: $level:ty;)*) => {
        $(#[test]
        fn $test() {
            there_and_back::<$level>();
        })*
    };
}

type E = Element<f64>;

formats! {
    dense: Dense<Dense<E>>;
    sparse_list: Dense<SparseList<E>>;
    doubly_sparse: SparseList<SparseList<E, u8>, u64>;
    coordinates: Coo<Singleton<E>>;
    runs: Dense<RunList<E>>;
    sparse_runs: Dense<SparseRunList<E>>;
    pack_bits: Dense<PackBits<E>>;
    bitmap: Dense<Bitmap<E>>;
    byte_map: ByteMap<ByteMap<E>>;
    bit_tree: Dense<BitTree<E>>;
    ragged: Dense<Ragged<E>>;
    band: Dense<SparseBand<E>>;
    blocks: Dense<SparseBlockList<E>>;
    symmetric: Dense<Symmetric<E>>;
    triangle: Dense<LowerTriangular<E>>;
    hash: Hash<Hash<E>>;
    accumulator: Dense<Spa<E>>;
    stamps: Dense<StampMap<E>>;
    unordered: Dense<UnorderedList<E>>;
    linked: Dense<LinkedList<E>>;
    block_list: Dense<BlockList<E>>;
    trees: Bst<Bst<E>>;
    red_black: RedBlack<RedBlack<E>>;
    t_tree: Dense<TTree<E>>;
    b_tree: BTree<BTree<E>>;
    hybrid: Dense<HybridBTree<E>>;
    c_tree: Bst<CTree<E>>;
    packed_c_tree: Bst<PackedCTree<E>>;
    gaps: Dense<GapBlockList<E>>;
    variable_blocks: Dense<VarBlockList<E>>;
    unsorted_blocks: Dense<UnsortedBlockList<E>>;
    interval: Dense<SparseInterval<E>>;
    point: Dense<SparsePoint<E>>;
    strict_triangle: Dense<StrictUpperTriangular<E>>;
}

#[test]
fn what_is_written() {
    let a: Csr<f64> =
        Tensor::from_dense([2, 3], &[0.0, -0.0, 0.0, 1.5, 0.0, 5e-324]).expect("a matrix");
    let want = json!({
        "fill": "0.0",
        "level": {
            "type": "Dense", "len": 2, "child": {
                "type": "SparseList", "len": 3, "pos": [0, 1, 3], "crd": [1, 0, 2],
                "child": {"type": "Element", "val": [-0.0, 1.5, 5e-324]},
            },
        },
    });
    assert_eq!(serde_json::to_value(&a).expect("it can be written"), want);
    let back: Csr<f64> = serde_json::from_value(want).expect("it can be read");
    let bits = |a: &Csr<f64>| {
        a.values().expect("values").iter().map(|v| v.to_bits()).collect::<Vec<u64>>()
    };
    assert_eq!(bits(&back), bits(&a));
    // Sequences, as binary formats write them.
    let listed = json!([
        "0.0",
        ["Dense", 2, ["SparseList", 3, [0, 1, 3], [1, 0, 2], ["Element", [-0.0, 1.5, 5e-324]]]]
    ]);
    let back: Csr<f64> = serde_json::from_value(listed).expect("it can be read");
    assert_eq!(bits(&back), bits(&a));
    // Other types of coordinates are the same numbers.
    let other: Csr<f64, u8> =
        serde_json::from_value(serde_json::to_value(&a).expect("written")).expect("read");
    assert_eq!(other.to_triplets(), a.to_triplets::<2>());
}

#[test]
fn patterns_scalars_and_formats_of_other_crates() {
    let g: Graph =
        Tensor::from_triplets([3, 3], [([0, 1], true), ([2, 2], true)], Refuse).expect("a graph");
    let text = serde_json::to_value(&g).expect("it can be written");
    assert_eq!(text["level"]["child"]["child"], json!({"type": "Pattern"}));
    assert_eq!(serde_json::from_value::<Graph>(text).expect("it can be read"), g);
    let s: Tensor<Element<u8>> = Tensor::from_dense([], &[7]).expect("a scalar");
    let text = serde_json::to_string(&s).expect("it can be written");
    assert_eq!(serde_json::from_str::<Tensor<Element<u8>>>(&text).expect("it can be read"), s);

    type Points = Tensor<Dense<Point<Element<f64>>>>;
    let a =
        Points::from_parts(Dense::new(2, Point::new(5, vec![3, 0], Element::new(vec![2.0, 0.5]))))
            .expect("a matrix");
    let text = serde_json::to_value(&a).expect("it can be written");
    assert_eq!(serde_json::from_value::<Points>(text.clone()).expect("it can be read"), a);
    let mut outside = text;
    outside["level"]["child"]["at"][0] = json!(5);
    let refused = serde_json::from_value::<Points>(outside).unwrap_err().to_string();
    assert_eq!(refused, "not a valid `Point`: `at` does not hold 2 coordinates below 5");
    // One that serde knows nothing of compiles, and is a tensor as any.
    let o = Tensor::from_parts(Dense::new(1, Opaques::new(vec![Opaque(3)]))).expect("a vector");
    assert_eq!(o.get([0]), Some(Opaque(3)));
}

#[test]
fn other_formats_and_fills_are_refused() {
    let a: Tensor<Dense<LowerTriangular<E>>> = Tensor::new([2, 2]).expect("a triangle");
    let text = serde_json::to_value(&a).expect("it can be written");
    // The arrays are the same, and what they mean is not.
    let error = read::<Dense<Symmetric<E>>>(&text).unwrap_err();
    assert!(
        error.contains("it is of format `LowerTriangular`, and was to be read as `Symmetric`"),
        "{error}"
    );
    let a: SparseVec<f64> = Tensor::new([2]).expect("a vector");
    let text = serde_json::to_value(&a).expect("it can be written");
    let error = read::<SparseList<Element<f64, Inf>>>(&text).unwrap_err();
    assert!(error.contains("its fill is 0.0, and it was to be read with fill inf"), "{error}");
    let b: Tensor<SparseList<Element<f64, NaN>>> = Tensor::new([2]).expect("a vector");
    let text = serde_json::to_value(&b).expect("it can be written");
    assert_eq!(read::<SparseList<Element<f64, NaN>>>(&text).expect("it can be read").shape(), [2]);
}

#[test]
fn fields_that_are_missing_double_or_unknown() {
    let read = |text: &str| serde_json::from_str::<SparseVec<f64>>(text).unwrap_err().to_string();
    let level = r#""type": "SparseList", "len": 1, "pos": [0, 0], "crd": [], "child": {"type": "Element", "val": []}"#;
    let whole = |level: &str| format!(r#"{{"fill": "0.0", "level": {{{level}}}}}"#);
    assert!(serde_json::from_str::<SparseVec<f64>>(&whole(level)).is_ok());
    for (from, to, want) in [
        (r#""len": 1, "#, "", "missing field `len`"),
        (r#""type": "SparseList", "#, "", "missing field `type`"),
        (r#""len": 1"#, r#""len": 1, "len": 1"#, "duplicate field `len`"),
        (r#""len": 1"#, r#""len": 1, "more": 1"#, "unknown field `more`"),
        (r#""len": 1"#, r#""len": -1"#, "invalid value"),
        ("[0, 0]", "[0, 1]", "`pos` runs from 0 to 1, but `crd` has 0 entries"),
        ("[0, 0]", "[]", "`pos` has 0 entries"),
        (r#""crd": []"#, r#""crd": [4294967296]"#, "invalid value"),
        (r#""len": 1"#, r#""len": 9223372036854775807"#, "too many elements"),
    ] {
        let error = read(&whole(&level.replace(from, to)));
        assert!(error.contains(want), "{to}: {error}");
    }
    assert!(read(r#"{"fill": "0.0"}"#).contains("missing field `level`"));
    assert!(read("[]").contains("missing field `fill`"));
    assert!(read("7").contains("a tensor of format `SparseList<"));
}
