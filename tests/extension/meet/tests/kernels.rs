//! Kernels in which outside formats meet, against plain loops over dense arrays.

use blocks::BlockList;
use spans::{Intervals, Strided};
use sparse::{Dense, DenseVec, Element, Refuse, SparseList, Tensor};

/// Numbers that are the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
    /// `n` values of which about `tenths` in ten are stored; neighbours are often equal.
    fn vector(&mut self, n: usize, tenths: usize) -> Vec<f64> {
        let mut out: Vec<f64> = Vec::new();
        while out.len() < n {
            let value = if self.below(10) < tenths { (1 + self.below(4)) as f64 } else { 0.0 };
            for _ in 0..1 + self.below(3) {
                out.push(value);
            }
        }
        out.truncate(n);
        out
    }
}

fn strided(
    n: usize,
    start: usize,
    step: usize,
    count: usize,
) -> (Tensor<Strided<Element<f64>>>, Vec<f64>) {
    let values: Vec<f64> = (0..count).map(|k| (k + 1) as f64).collect();
    let level =
        Strided::new(n, vec![0, count], vec![start], vec![step], Element::new(values.clone()));
    let mut dense = vec![0.0; n];
    for (k, v) in values.into_iter().enumerate() {
        dense[start + k * step] = v;
    }
    (Tensor::from_parts(level).unwrap(), dense)
}

#[test]
fn three_formats_over_one_index() {
    let mut random = Random(1);
    for n in [0, 1, 2, 3, 7, 40] {
        for tenths in [0, 1, 5, 9, 10] {
            let (x, y, z) =
                (random.vector(n, tenths), random.vector(n, tenths), random.vector(n, 5));
            let a: Tensor<BlockList<Element<f64>>> = Tensor::from_dense([n], &x).unwrap();
            let b: Tensor<Intervals<Element<f64>>> = Tensor::from_dense([n], &y).unwrap();
            let c: Tensor<SparseList<Element<f64>>> = Tensor::from_dense([n], &z).unwrap();
            let mut dot = 1.0;
            meet::three(&a, &b, &c, &mut dot);
            assert_eq!(dot, 1.0 + (0..n).map(|i| x[i] * y[i] * z[i]).sum::<f64>());
            let sum: Vec<f64> = (0..n).map(|i| x[i] + 2.0 * y[i] + 3.0 * z[i]).collect();
            assert_eq!(meet::three_sum(&a, &b, &c).to_dense(), sum);
        }
    }
}

#[test]
fn leading_following_and_random_access() {
    let mut random = Random(2);
    for (n, start, step, count) in [
        (1, 0, 1, 1),
        (1, 0, 1, 0),
        (9, 2, 3, 2),
        (9, 8, 5, 1),
        (20, 0, 1, 20),
        (20, 1, 4, 5),
        (41, 0, 40, 2),
    ] {
        let (b, y) = strided(n, start, step, count);
        for tenths in [1, 5, 10] {
            let (x, z) = (random.vector(n, tenths), random.vector(n, 5));
            let a: Tensor<BlockList<Element<f64>>> = Tensor::from_dense([n], &x).unwrap();
            let c: Tensor<SparseList<Element<f64>>> = Tensor::from_dense([n], &z).unwrap();
            let want: f64 = (0..n).map(|i| x[i] * y[i] * z[i]).sum();
            let (mut led, mut located) = (0.0, 0.0);
            meet::three_led(&a, &b, &c, &mut led);
            meet::three_located(&a, &b, &c, &mut located);
            assert_eq!((led, located), (want, want), "{n} {start} {step} {count}");
        }
    }
}

#[test]
fn names_of_every_sort() {
    let mut random = Random(3);
    for (m, n) in [(0, 3), (1, 1), (4, 6), (9, 5)] {
        let (x, y, v) = (random.vector(m * n, 4), random.vector(m * n, 7), random.vector(n, 8));
        let dense: DenseVec<f64> = Tensor::from_dense([n], &v).unwrap();
        let times = |a: &[f64]| -> Vec<f64> {
            (0..m).map(|i| (0..n).map(|j| a[i * n + j] * v[j]).sum()).collect()
        };
        let both: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x + y).collect();

        let full = Tensor::from_dense([m, n], &x).unwrap();
        assert_eq!(meet::by_full_path(&full, &dense).to_dense(), times(&x));

        let (vbr, narrow) =
            (Tensor::from_dense([m, n], &x).unwrap(), Tensor::from_dense([m, n], &y).unwrap());
        assert_eq!(meet::by_alias(&vbr, &narrow, &dense).to_dense(), times(&both));

        let (narrower, renamed) =
            (Tensor::from_dense([m, n], &x).unwrap(), Tensor::from_dense([m, n], &y).unwrap());
        assert_eq!(meet::by_module(&narrower, &renamed).to_dense(), both);
    }
}

#[test]
fn a_private_format_beside_a_foreign_one() {
    let x: Vec<f64> = (0..9).map(f64::from).collect();
    let a: blocks::Vbr<f64> = Tensor::from_dense([3, 3], &x).unwrap();
    assert_eq!(meet::diagonal(3, &a), [0.0, 4.0, 8.0]);
}

#[test]
fn levels_of_two_crates_in_one_tensor() {
    let mut random = Random(4);
    for (m, n) in [(1, 1), (3, 8), (6, 4)] {
        let whole = |v: Vec<f64>| -> Vec<i64> { v.into_iter().map(|x| x as i64).collect() };
        let (x, y) = (whole(random.vector(m * n, 4)), whole(random.vector(m * n, 6)));
        let a: Tensor<BlockList<Intervals<Element<i64>>>> = Tensor::from_dense([m, n], &x).unwrap();
        let b: Tensor<Intervals<BlockList<Element<i64>>>> = Tensor::from_dense([m, n], &y).unwrap();
        let want: Vec<i64> = x.iter().zip(&y).map(|(x, y)| x - y).collect();
        assert_eq!(meet::nested(&a, &b).to_dense(), want);
        assert_eq!(meet::recast(&a).to_dense(), x);
    }
}

#[test]
fn a_shape_mismatch_names_both_tensors() {
    let a: blocks::Vbr<f64> = Tensor::new([2, 3]).unwrap();
    let b: blocks::Blocked = Tensor::new([2, 4]).unwrap();
    let x: DenseVec<f64> = Tensor::new([3]).unwrap();
    let panic = std::panic::catch_unwind(|| meet::by_alias(&a, &b, &x)).unwrap_err();
    let message = panic.downcast_ref::<String>().unwrap();
    for part in ["`a`", "`b`", "3", "4", "`j`"] {
        assert!(message.contains(part), "{part} in {message}");
    }
}

#[test]
fn formats_are_used_as_types_too() {
    // What the macro of the name serves does not get in the way of the type of the name.
    type Row = BlockList<Element<f64>>;
    let t: Tensor<Dense<Row>> = Tensor::from_triplets([2, 2], vec![([1, 1], 5.0)], Refuse).unwrap();
    assert_eq!(t.get([1, 1]), Some(5.0));
}

#[test]
fn checked_and_unchecked() {
    let safe = sparse::explain! {
        #![forbid(unsafe_code)]
        fn dot(a: &Tensor<BlockList<Element<f64>>>, b: &sparse::SparseVec<f64>) -> (y: sparse::SparseVec<f64>) {
            for i { y[i] = a[i] * b[i::gallop] }
        }
    };
    assert!(safe.contains("fn dot") && !safe.contains("unsafe"), "{safe}");
    // Where one format vouches and one does not, each array is read as its own format deserves.
    let mixed = sparse::explain! {
        fn dot(
            a: &Tensor<BlockList<Intervals<BlockList<Element<f64>>>>>,
            b: &Tensor<Dense<sparse::SparseList<Dense<Element<f64>>>>>,
            s: &mut f64,
        ) {
            for i, j, k { s += a[i, j, k] * b[i, j, k] }
        }
    };
    let mixed: String = mixed.split_whitespace().collect();
    for (array, trusted) in [
        ("a0_last", true),
        ("a0_ofs", true),
        ("a1_first", false),
        ("a1_last", false),
        ("a2_last", false),
        ("a2_ofs", false),
        ("a3_val", false),
        ("b1_crd", true),
        ("b3_val", true),
    ] {
        for (how, wanted) in [
            ("coordinate(", trusted),
            ("get(", trusted),
            ("coordinate_checked(", !trusted),
            ("get_checked(", !trusted),
        ] {
            assert!(
                wanted || !mixed.contains(&format!("{how}&*{array},")),
                "{array} by {how}..): {mixed}"
            );
        }
        assert!(mixed.contains(&format!("&*{array},")), "{array} is read: {mixed}");
    }
}
