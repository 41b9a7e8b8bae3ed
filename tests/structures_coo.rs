//! Coordinates in any number of dimensions: what makes them, round trips, kernels by every protocol
//! against other formats, coordinates as results, and that walking costs what is stored.

// What these kernels cost and start at is on purpose.
#![allow(deprecated)]

extern crate looplets_oracle as oracle;
#[macro_use]
mod structures;
use looplets::prelude::*;
use oracle::*;
use structures::*;

#[test]
fn entries_that_ascend() {
    let made = |len, pos: &[usize], crd: &[u32], cols: usize, col: &[u32], n| {
        let inner = Singleton::<_>::new(cols, col.to_vec(), structures::values(n));
        Coo::<_>::new(len, pos.to_vec(), crd.to_vec(), inner)
    };
    let a = Tensor::from_parts(made(3, &[0, 3], &[0, 0, 2], 5, &[1, 4, 4], 3)).unwrap();
    assert_eq!(a.triplets(), [(vec![0, 1], 1.0), (vec![0, 4], 1.0), (vec![2, 4], 1.0)]);
    assert!(Tensor::from_parts(made(3, &[0, 0], &[], 5, &[], 0)).is_ok());
    for (root, words) in [
        (made(3, &[], &[], 5, &[], 0), "`pos` has 0 entries"),
        (made(3, &[0, 2, 3], &[0, 0, 2], 5, &[1, 4, 4], 3), "`pos` has 3 entries"),
        (made(3, &[0, 2], &[0, 0, 2], 5, &[1, 4, 4], 3), "runs from 0 to 2"),
        (made(3, &[1, 3], &[0, 0, 2], 5, &[1, 4, 4], 3), "runs from 1"),
        (made(3, &[0, 3], &[2, 0, 2], 5, &[1, 4, 4], 3), "do not ascend: 2 then 0"),
        (made(2, &[0, 3], &[0, 0, 2], 5, &[1, 4, 4], 3), "coordinate 2, but the size is 2"),
        (made(0, &[0, 1], &[0], 5, &[1], 1), "coordinate 0, but the size is 0"),
        (made(3, &[0, 3], &[0, 0, u32::MAX], 5, &[1, 4, 4], 3), "but the size is 3"),
        (made(3, &[0, 3], &[0, 0, 2], 5, &[1, 4], 3), "`crd` has 2 entries, but 3 are named"),
        (made(3, &[0, 3], &[0, 0, 2], 5, &[1, 4, 4, 4], 3), "`crd` has 4 entries"),
        (made(3, &[0, 3], &[0, 0, 2], 4, &[1, 4, 4], 3), "coordinate 4, but the size is 4"),
        (made(3, &[0, 3], &[0, 0, 2], 5, &[4, 1, 4], 3), "entries 0..2 do not ascend: 4 then 1"),
        (made(3, &[0, 3], &[0, 0, 2], 5, &[4, 4, 4], 3), "entries 0..2 do not ascend: 4 then 4"),
        (made(3, &[0, 3], &[0, 0, 2], 5, &[1, 4, 4], 2), "2 values for 3"),
        (made(3, &[0, 3], &[0, 0, 2], 5, &[1, 4, 4], 4), "4 values for 3"),
    ] {
        let reason = refused(root);
        assert!(reason.contains(words), "{reason}: not {words}");
    }
    // Groups are for children whose fibers are ranges.
    let one = |crd: &[u32]| {
        Coo::<_>::new(3, vec![0, crd.len()], crd.to_vec(), structures::values(crd.len()))
    };
    assert!(Tensor::from_parts(one(&[0, 1, 2])).is_ok());
    assert!(refused(one(&[0, 1, 1])).contains("do not ascend: 1 then 1"));
    let rows = |crd: &[u32]| {
        let inner = Dense::new(2, structures::values(2 * crd.len()));
        Coo::<_>::new(3, vec![0, crd.len()], crd.to_vec(), inner)
    };
    assert!(Tensor::from_parts(rows(&[0, 2])).is_ok());
    assert!(refused(rows(&[0, 0])).contains("do not ascend: 0 then 0"));
    let lists = |crd: &[u32]| {
        let n = crd.len();
        let below = Coo::<_>::new(
            2,
            (0..=n).collect(),
            vec![1; n],
            Singleton::<_>::new(2, vec![1; n], structures::values(n)),
        );
        Coo::<_>::new(3, vec![0, n], crd.to_vec(), below)
    };
    assert!(Tensor::from_parts(lists(&[0, 2])).is_ok());
    assert!(refused(lists(&[0, 0])).contains("do not ascend: 0 then 0"));
    // Three dimensions: the groups of the second are within those of the first.
    let cube = |a: &[u32], b: &[u32], c: &[u32]| {
        let inner = Singleton::<_>::new(9, c.to_vec(), structures::values(c.len()));
        Coo::<_>::new(9, vec![0, a.len()], a.to_vec(), Singleton::<_>::new(9, b.to_vec(), inner))
    };
    assert!(Tensor::from_parts(cube(&[0, 0, 0, 1], &[2, 2, 3, 0], &[4, 5, 0, 0])).is_ok());
    assert!(refused(cube(&[0, 0, 0, 1], &[2, 2, 1, 0], &[4, 5, 0, 0]))
        .contains("0..3 do not ascend: 2 then 1"));
    assert!(refused(cube(&[0, 0, 0, 1], &[2, 2, 3, 0], &[5, 4, 0, 0]))
        .contains("0..2 do not ascend: 5 then 4"));
    assert!(refused(cube(&[0, 0, 0, 1], &[2, 2, 3, 0], &[4, 4, 0, 0]))
        .contains("do not ascend: 4 then 4"));
    let huge = Coo::new(4, vec![0, 1], vec![u64::MAX], structures::values(1));
    assert!(refused(huge).contains("but the size is 4"));
    let error = Coo2::<f64, u8>::new([3, 257]).unwrap_err();
    assert!(error.to_string().contains("u8"), "{error}");
}

#[test]
fn round_trip() {
    round_trips! {
        [0]: Coo<Element<f64>>;
        [6]: Coo<Element<f64>>;
        [6]: Coo<Element<f64>, u8>;
        [2, 3]: Coo<Singleton<Element<f64>>>;
        [3, 2]: Coo<Singleton<Element<f64>, u8>, u16>;
        [0, 3]: Coo<Singleton<Element<f64>>>;
        [3, 0]: Coo<Singleton<Element<f64>>>;
        [2, 3, 2]: Coo<Singleton<Singleton<Element<f64>>>>;
        [2, 0, 2]: Coo<Singleton<Singleton<Element<f64>>>>;
        [2, 2, 2, 2]: Coo<Singleton<Singleton<Singleton<Element<f64>>>>>;
        [2, 3]: Dense<Coo<Element<f64>>>;
        [2, 3, 2]: Dense<Coo<Singleton<Element<f64>>>>;
        [2, 3, 2]: SparseList<Coo<Singleton<Element<f64>>>>;
        [2, 3, 2]: Coo<Singleton<Dense<Element<f64>>>>;
        [2, 3, 2]: Coo<Singleton<SparseList<Element<f64>>>>;
        [3, 2]: Coo<Dense<Element<f64>>>;
        [3, 2]: Coo<RunList<Element<f64>>>;
        [3, 2]: Coo<Bitmap<Element<f64>>>;
        [2, 2, 2]: Coo<Coo<Singleton<Element<f64>>>>;
        [2, 2, 2]: Hash<Coo<Singleton<Element<f64>>>>;
        [2, 2, 2]: Bitmap<Coo<Singleton<Element<f64>>>>;
    }
    let entries = [([1, 0, 2], 0.0), ([1, 0, 3], 5.0), ([1, 2, 0], 0.0)];
    let a: Coo3<f64> = Tensor::from_triplets([2, 3, 4], entries, Refuse).unwrap();
    assert_eq!(a.triplets(), entries.map(|(at, v)| (at.to_vec(), v)));
    let a: Tensor<Coo<Singleton<Pattern>>> =
        Tensor::from_triplets([2, 3], [([1, 0], true), ([1, 2], true)], Refuse).unwrap();
    holds(&a, &[false, false, false, true, false, true]);
}

kernels! {
    fn copy(a: &Coo2<f64>) -> (y: DenseMat<f64>) { for i, j { y[i, j] = a[i, j] } };;
    fn galloped(a: &Coo2<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = a[i::gallop, j::gallop] } };;
    fn located(a: &Coo2<f64>) -> (y: DenseMat<f64>) { for i, j { y[i, j] = a[i::locate, j::locate] } };;
    fn turned(a: &Coo2<f64>) -> (y: DenseMat<f64>) { for j, i { y[i, j] = a[i::locate, j::locate] } };;
    fn spmv(a: &Coo2<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } };;
    fn spmspv(a: &Coo2<f64>, x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } };;
    fn gallop(a: &Coo2<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j::gallop] * x[j::gallop] } };;
    fn led(a: &Coo2<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j::lead] * x[j::follow] } }
}

kernels! {
    fn plus(a: &Coo2<f64>, b: &Csr<f64>) -> (y: Coo2<f64>) { for i, j { y[i, j] = a[i, j] + b[i, j] } };;
    fn times(a: &Coo2<f64>, b: &Dcsr<f64>) -> (y: Coo2<f64>) { for i, j { y[i, j] = a[i, j] * b[i, j] } };;
    fn times_gallop(a: &Coo2<f64>, b: &Dcsr<f64>, c: &mut f64) { for i, j { c += a[i::gallop, j] * b[i::gallop, j] } };;
    fn own(a: &Coo2<f64>, b: &Coo2<f64>) -> (y: Coo2<f64>) { for i, j { y[i, j] = a[i, j] + 2 * b[i, j] } };;
    fn own_gallop(a: &Coo2<f64>, b: &Coo2<f64>, c: &mut f64) { for i, j { c += a[i::gallop, j::gallop] * b[i::gallop, j::gallop] } };;
    fn runs(a: &Coo2<f64>, x: &Tensor<RunList<Element<f64>>>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } };;
    fn rows(a: &Coo2<f64>, b: &Tensor<RunList<Dense<Element<f64>>>>) -> (y: DenseMat<f64>) { for i, j { y[i, j] = a[i, j] + b[i, j] } }
}

kernels! {
    fn part(a: &Coo2<f64>, lo: usize, hi: usize, c: &mut f64) { for i in lo..hi { for j in lo..hi { c += a[i, j] } } };;
    fn moved(a: &Coo2<f64>, x: &SparseVec<f64>, c: &mut f64) { for i, j { c += a[i, j + 1] * x[j] } };;
    fn row(a: &Coo2<f64>, r: usize) -> (y: DenseVec<f64>) { for j { y[j] = a[r, j] } };;
    fn diagonal(a: &Coo2<f64>) -> (y: DenseVec<f64>) { for i { y[i] = a[i, i::locate] } };;
    fn product(a: &Coo2<f64>, b: &Csr<f64>, n: usize) -> (y: Coo2<f64>) {
        for i {
            let mut w: DenseVec<f64>[n];
            for k, j { w[j] += a[i, k] * b[k, j] }
            for j { if w[j] != 0 { y[i, j] = w[j] } }
        }
    };;
    fn chosen(a: &Csr<f64>) -> (y: Coo2<f64>) { for i, j { if a[i, j] > 1 { y[i, j] = a[i, j] } } };;
    fn lists(a: &Csr<f64>) -> (y: Tensor<Coo<SparseList<Element<f64>>>>) { for i, j { if a[i, j] > 1 { y[i, j] = a[i, j] } } };;
    fn blocks(a: &Csr<f64>) -> (y: Tensor<Coo<Dense<Element<f64>>>>) { for i, j { y[i, j] = a[i, j] } };;
    fn mask(a: &Tensor<Coo<Singleton<Pattern>>>, b: &Csr<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = ifelse(a[i, j], b[i, j], 0) } }
}

#[test]
fn matrices_agree() {
    matrices(|shape, ka, kb| {
        let [m, n] = shape;
        let a: Coo2<f64> = matrix(ka, shape);
        agree!(copy(&a));
        agree!(galloped(&a));
        agree!(located(&a));
        agree!(turned(&a));
        for kind in [kb, 1, 5, 9] {
            let (x, s, r) = (vector(kind, n), vector(kind, n), vector(kind, n));
            agree!(spmv(&a, &x));
            agree!(spmspv(&a, &s));
            agree!(gallop(&a, &s));
            agree!(led(&a, &s));
            agree!(runs(&a, &r));
            let x = vector(kind, n.max(1) - 1);
            let mut c = 0.5;
            agree!(moved(&a, &x, &mut c));
        }
        let (b, d, e, r) =
            (matrix(kb, shape), matrix(kb, shape), matrix(kb, shape), matrix(kb, shape));
        let mut c = 1.0;
        agree!(plus(&a, &b));
        agree!(times(&a, &d));
        agree!(times_gallop(&a, &d, &mut c));
        agree!(own(&a, &e));
        agree!(own_gallop(&a, &e, &mut c));
        agree!(rows(&a, &r));
        agree!(chosen(&b));
        agree!(lists(&b));
        agree!(blocks(&b));
        let p = matrix(ka, shape);
        agree!(mask(&p, &b));
        let k = m.min(n);
        for (lo, hi) in [(0, k / 2), (k / 3, k), (k / 2, k / 2)] {
            agree!(part(&a, lo, hi, &mut c));
        }
        (0..m).for_each(|r| agree!(row(&a, r)));
        let square: Coo2<f64> = matrix(ka, [n, n]);
        agree!(diagonal(&square));
        let b = matrix(kb, [n, m]);
        agree!(product(&a, &b, m));
    });
}

kernels! {
    fn ttv(a: &Coo3<f64>, x: &SparseVec<f64>) -> (y: Coo2<f64>) { for i, j { { if t != 0 { y[i, j] = t } } where { for k { t += a[i, j, k] * x[k] } } } };;
    fn mttkrp(a: &Coo3<f64>, b: &DenseMat<f64>, c: &DenseMat<f64>) -> (y: DenseMat<f64>) {
        for i, j, k, r { y[i, r] += a[i, j, k] * b[j, r] * c[k, r] }
    };;
    fn inner(a: &Coo3<f64>, b: &Coo3<f64>, c: &mut f64) { for i, j, k { c += a[i, j::gallop, k] * b[i::gallop, j::gallop, k::gallop] } };;
    fn sum(a: &Coo3<f64>, b: &Tensor<SparseList<SparseList<SparseList<Element<f64>>>>>) -> (y: Coo3<f64>) { for i, j, k { y[i, j, k] = a[i, j, k] - b[i, j, k] } };;
    fn slices(a: &Coo3<f64>) -> (y: SparseVec<f64>) { for i, j, k { y[i] <<max>>= a[i, j, k] } };;
    fn below(a: &Tensor<Dense<Coo<Singleton<Element<f64>>>>>) -> (y: Tensor<SparseList<Coo<Singleton<Element<f64>>>>>) { for i, j, k { y[i, j, k] = 2 * a[i, j, k] } }
}

#[test]
fn three_dimensions_agree() {
    for shape in [[0, 2, 3], [2, 0, 3], [2, 3, 0], [1, 1, 1], [3, 2, 4]] {
        let n: usize = shape.iter().product();
        for kind in 0..KINDS {
            let a = tensor(&shape, &items(kind, n));
            let (b, d) = (
                tensor(&shape, &items((kind + 3) % KINDS, n)),
                tensor(&shape, &items((kind + 5) % KINDS, n)),
            );
            let x = vector(kind, shape[2]);
            agree!(ttv(&a, &x));
            let (p, q) = (matrix(1, [shape[1], 2]), matrix(kind, [shape[2], 2]));
            agree!(mttkrp(&a, &p, &q));
            let mut c = 0.0;
            agree!(inner(&a, &b, &mut c));
            agree!(sum(&a, &d));
            agree!(slices(&a));
            let e = tensor(&shape, &items(kind, n));
            agree!(below(&e));
        }
    }
}

finch! {
    #![steps(n)]
    fn total(a: &Coo3<f64>, c: &mut f64, n: &mut u64) { for i, j, k { c += a[i, j, k] } }
    fn meet(a: &Coo2<f64>, x: &SparseVec<f64>, c: &mut f64, n: &mut u64) { for i, j { c += a[i::gallop, j] * x[i::gallop] } }
}

#[test]
fn steps() {
    let entries = (0..1000).map(|k| ([k / 100, k / 10 % 10 * 50, k % 10 * 7], 1.0));
    let a: Coo3<f64> = Tensor::from_triplets([100, 1000, 1000], entries, Refuse).unwrap();
    let (mut c, mut n) = (0.0, 0);
    total(&a, &mut c, &mut n);
    assert_eq!((c, n), (1000.0, 10 + 100 + 1000), "a step a group and a step an entry");
    let rows = (0..20_000).map(|k| ([k / 2, k % 2], 1.0));
    let a: Coo2<f64> = Tensor::from_triplets([10_000, 2], rows, Refuse).unwrap();
    let x = Tensor::from_triplets([10_000], [([17], 1.0), ([9_990], 2.0)], Refuse).unwrap();
    let (mut c, mut n) = (0.0, 0);
    meet(&a, &x, &mut c, &mut n);
    assert!(c == 6.0 && n < 16, "{n} steps");
}

#[test]
fn a_singleton_alone_has_one_entry() {
    let one = |crd: Vec<u32>| Singleton::new(3, crd, structures::values(1));
    holds(&Tensor::from_parts(one(vec![2])).unwrap(), &[0.0, 0.0, 1.0]);
    assert!(refused(one(vec![])).contains("0 entries, but 1 are named"));
    assert!(refused(one(vec![1, 2])).contains("2 entries, but 1 are named"));
}

/// Entries with several in a row, none in others, the first and the last among them, and values of all kinds.
fn hostile3() -> Vec<(Vec<usize>, f64)> {
    let values = [0.5, -0.0, f64::NAN, f64::INFINITY, 5e-324, -1.25, f64::MAX, 0.0, 7.5];
    let at = [
        [0, 0, 1],
        [0, 0, 2],
        [0, 3, 0],
        [2, 1, 1],
        [2, 1, 3],
        [2, 1, 4],
        [2, 2, 0],
        [3, 0, 0],
        [3, 4, 4],
    ];
    at.iter().zip(values).map(|(at, v)| (at.to_vec(), v)).collect()
}

fn same(got: &[(Vec<usize>, f64)], want: &[(Vec<usize>, f64)]) {
    let bits = |all: &[(Vec<usize>, f64)]| -> Vec<_> {
        all.iter().map(|(at, v)| (at.clone(), v.to_bits())).collect()
    };
    assert_eq!(bits(got), bits(want));
}

/// Coordinates of rows are put beside entries, which are taken in one loop: also of those that a condition leaves.
#[test]
fn coordinates_beside_entries() {
    finch! { fn copy(a: &Coo3<f64>) -> (c: Coo3<f64>) { for i, j, k { c[i, j, k] = a[i, j, k] } } }
    finch! { fn positive(a: &Coo3<f64>) -> (c: Coo3<f64>) {
        for i, j, k { if a[i, j, k] > 0 { c[i, j, k] = a[i, j, k] } }
    } }
    finch! { fn weighed(a: &Coo3<f64>) -> (c: Coo3<f64>) { for i, j, k { c[i, j, k] = a[i, j, k] * (2*i + j - k) } } }
    let all = hostile3();
    let a = Coo3::<f64>::from_triplets([5, 5, 5], all.clone(), Refuse).unwrap();
    same(&copy(&a).triplets(), &all);
    let some: Vec<_> = all.iter().filter(|(_, v)| *v > 0.0).cloned().collect();
    same(&positive(&a).triplets(), &some);
    let none = Coo3::<f64>::from_triplets([5, 5, 5], [] as [(Vec<usize>, f64); 0], Refuse).unwrap();
    same(&copy(&none).triplets(), &[]);
    same(&positive(&none).triplets(), &[]);
    let weighed = weighed(&a).triplets();
    for ((at, got), (_, v)) in weighed.iter().zip(&all) {
        let want = v * (2 * at[0] as i64 + at[1] as i64 - at[2] as i64) as f64;
        assert!(got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan(), "{at:?}: {got}");
    }
    assert_eq!(weighed.len(), all.len());
}

/// A function of the program's is called once for each row, not for each entry of it.
#[test]
fn what_is_done_for_a_row_stays_there() {
    use std::cell::Cell;
    let calls = Cell::new(0);
    let weigh = |i: usize| {
        calls.set(calls.get() + 1);
        i as f64
    };
    let entries = [(vec![0, 1], 1.0), (vec![0, 2], 2.0), (vec![3, 0], 3.0), (vec![3, 4], 0.5)];
    let a = Coo2::<f64>::from_triplets([5, 5], entries, Refuse).unwrap();
    let c = finch! { <a: Coo2<f64>> -> (c: Coo2<f64>)
        for i { let t = $(weigh(i)); for j { c[i, j] = a[i, j] * t } }
    };
    assert_eq!(calls.get(), 2);
    same(
        &c.triplets(),
        &[(vec![0, 1], 0.0), (vec![0, 2], 0.0), (vec![3, 0], 9.0), (vec![3, 4], 1.5)],
    );
}

/// Two of them, one behind the other and together; what is appended behind both has the right rows.
#[test]
fn rows_of_two_operands() {
    finch! { fn stacked(a: &Coo2<f64>, b: &Coo2<f64>) -> (c: Coo2<f64>) { for r, k { c[r, k] = concat((a[i, k], b[j, k]), (i, j) -> r) } } }
    finch! { fn both(a: &Coo2<f64>, b: &Coo2<f64>) -> (c: Coo2<f64>) { for i, j { c[i, j] = a[i, j] + b[i, j] } } }
    let a = Coo2::<f64>::from_triplets(
        [3, 3],
        [(vec![0, 1], 1.0), (vec![2, 0], 2.5), (vec![2, 2], -0.0)],
        Refuse,
    )
    .unwrap();
    let b =
        Coo2::<f64>::from_triplets([3, 3], [(vec![0, 0], 4.0), (vec![2, 2], 0.5)], Refuse).unwrap();
    same(
        &both(&a, &b).triplets(),
        &[(vec![0, 0], 4.0), (vec![0, 1], 1.0), (vec![2, 0], 2.5), (vec![2, 2], 0.5)],
    );
    same(
        &stacked(&a, &b).triplets(),
        &[
            (vec![0, 1], 1.0),
            (vec![2, 0], 2.5),
            (vec![2, 2], -0.0),
            (vec![3, 0], 4.0),
            (vec![5, 2], 0.5),
        ],
    );
}
