//! Tensors updated in place: values, flags, entries in any order, entries behind those that are there.

use looplets::prelude::*;
use std::panic::{catch_unwind, AssertUnwindSafe};

level! { type Map = Tensor<ByteMap<Element<f64>>>; }
level! { type Bits = Tensor<Bitmap<Element<f64>>>; }
level! { type Table = Tensor<Hash<Element<f64>>>; }
level! { type Listed = Tensor<Spa<Element<f64>>>; }

fn refuse(x: f64) -> f64 {
    assert!(x < 100.0, "too much");
    x
}

finch! {
    #![dense]
    fn add_map(a: &SparseVec<f64>, y: &mut Map) { for i { y[i] += refuse(a[i]) } }
    fn add_plain(a: &SparseVec<f64>, y: &mut Map) { for i { y[i] += a[i] } }
    fn add_bits(a: &SparseVec<f64>, y: &mut Bits) { for i { y[i] += refuse(a[i]) } }
    fn add_table(a: &SparseVec<f64>, y: &mut Table) { for i { y[i] += refuse(a[i]) } }
    fn add_listed(a: &SparseVec<f64>, y: &mut Listed) { for i { y[i] += refuse(a[i]) } }
    fn add_dense(a: &SparseVec<f64>, y: &mut DenseVec<f64>) { for i { y[i] += refuse(a[i]) } }
    fn more(a: &SparseVec<f64>, d: usize, y: &mut SparseVec<f64>) {
        for i in 0..4 { y[i + d] = a[i] }
    }
    fn more_checked(a: &SparseVec<f64>, d: usize, y: &mut SparseVec<f64>) -> Result<(), Error> {
        for i in 0..4 { y[i + d] = refuse(a[i]) }
    }
    fn more_rows(a: &Dcsr<f64>, y: &mut Dcsr<f64>) { for i in 0..2 { for j { y[i + 2, j] = a[i, j] } } }
}

macro_rules! read_and_written {
    ($($module:ident: $T:ty;)*) => {$(
        mod $module {
            use super::*;
            finch! {
                #![dense]
                /// Read before it is written and after.
                pub fn both(a: &SparseVec<f64>, n: usize, y: &mut $T, before: &mut f64, after: &mut f64) {
                    for j in 0..n { before += y[j] * (j + 1) }
                    for i in 5..n { y[i] = a[i] }
                    for j in 0..n { after += y[j] * (j + 1) }
                }
                pub fn before(a: &SparseVec<f64>, n: usize, y: &mut $T, sum: &mut f64) {
                    for j in 0..n { sum += y[j] * (j + 1) }
                    for i in 5..n { y[i] = a[i] }
                }
                pub fn after(a: &SparseVec<f64>, n: usize, y: &mut $T, sum: &mut f64) {
                    for i in 5..n { y[i] = a[i] }
                    for j in 0..n { sum += y[j] * (j + 1) }
                }
            }
        }
    )*};
}

read_and_written! {
    map: Map;
    bits: Bits;
    tree: Tensor<BitTree<Element<f64>>>;
    table: Table;
    listed: Listed;
    dense: DenseVec<f64>;
    list: SparseVec<f64>;
}

/// What is updated in place is read as it is at that point: with what was written, in order.
#[test]
fn what_is_updated_is_read_before_and_after() {
    let a = vector(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 4.0]);
    macro_rules! each {
        ($($module:ident),*) => {$({
            let start = || Tensor::from_dense([9], &[0.0, 2.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
            let want = [0.0, 2.0, 0.0, 1.0, 0.0, 0.0, 3.0, 0.0, 4.0];
            let (mut x, mut y, mut z) = (start(), start(), start());
            let mut sums = [0.0; 4];
            let [before, after, first, last] = &mut sums;
            $module::both(&a, 9, &mut x, before, after);
            $module::before(&a, 9, &mut y, first);
            $module::after(&a, 9, &mut z, last);
            assert_eq!(sums, [8.0, 65.0, 8.0, 65.0], "{}", stringify!($module));
            for t in [x, y, z] {
                assert_eq!(t.to_dense(), want, "{}", stringify!($module));
                assert_eq!(t, Tensor::from_parts(t.clone().into_root()).unwrap());
            }
        })*};
    }
    each!(map, bits, tree, table, listed, dense, list);
}

fn vector(values: &[f64]) -> SparseVec<f64> {
    Tensor::from_dense([values.len()], values).unwrap()
}

#[test]
fn entries_are_added_to_those_there() {
    let (a, b) = (vector(&[0.0, 1.0, 0.0, 2.0]), vector(&[4.0, 1.0, 0.0, 0.0]));
    macro_rules! each {
        ($($add:ident),*) => {$(
            let mut y = Tensor::new([4]).unwrap();
            $add(&a, &mut y);
            assert_eq!(y.to_dense(), [0.0, 1.0, 0.0, 2.0]);
            $add(&b, &mut y);
            assert_eq!(y.to_dense(), [4.0, 2.0, 0.0, 2.0]);
            assert_eq!(y, Tensor::from_parts(y.clone().into_root()).unwrap());
        )*};
    }
    each!(add_map, add_bits, add_table, add_listed, add_dense);
    let mut y: Map = Tensor::new([4]).unwrap();
    add_plain(&a, &mut y);
    assert_eq!(y.triplets(), [(vec![1], 1.0), (vec![3], 2.0)], "only what was written is stored");
}

#[test]
fn a_finished_list_goes_on() {
    let mut y = vector(&[5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    more(&vector(&[1.0, 0.0, 0.0, 0.0]), 3, &mut y);
    assert_eq!(y.to_dense(), [5.0, 0.0, 6.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    more(&vector(&[0.0, 0.0, 0.0, 3.0]), 4, &mut y);
    assert_eq!(y.to_dense(), [5.0, 0.0, 6.0, 1.0, 0.0, 0.0, 0.0, 3.0]);
    let mut rows: Dcsr<f64> =
        Tensor::from_dense([4, 2], &[0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    more_rows(&Tensor::from_dense([2, 2], &[0.0, 0.0, 7.0, 8.0]).unwrap(), &mut rows);
    assert_eq!(rows.to_dense(), [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 7.0, 8.0]);
    assert_eq!(rows.stored(), 3);
}

#[test]
fn an_entry_before_those_there_is_refused() {
    let full = vector(&[5.0, 0.0, 6.0, 0.0, 0.0, 0.0]);
    let mut y = full.clone();
    let error = more_checked(&vector(&[1.0, 0.0, 0.0, 0.0]), 2, &mut y).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("what is assigned at 2 does not come after what is stored, up to 2"),
        "{error}"
    );
    assert_eq!(y.to_dense(), [0.0; 6], "left valid");
    // Sizes are checked before the tensor is touched.
    let mut y = full.clone();
    let error = more_checked(&vector(&[1.0, 0.0, 0.0, 0.0]), 5, &mut y).unwrap_err();
    assert!(matches!(error, Error::Extent { .. }), "{error}");
    assert_eq!(y, full);
}

#[test]
fn a_panic_leaves_tensors_valid() {
    let a = vector(&[1.0, 2.0, 300.0, 4.0]);
    macro_rules! each {
        ($($add:ident),*) => {$(
            let mut y = Tensor::from_dense([4], &[1.0, 0.0, 0.0, 1.0]).unwrap();
            assert!(catch_unwind(AssertUnwindSafe(|| $add(&a, &mut y))).is_err());
            assert_eq!(y, Tensor::from_parts(y.clone().into_root()).unwrap());
            $add(&vector(&[1.0; 4]), &mut y);
        )*};
    }
    each!(add_map, add_bits, add_table, add_dense);
    let mut y = vector(&[1.0, 0.0, 0.0, 0.0, 0.0]);
    assert!(catch_unwind(AssertUnwindSafe(|| more_checked(&a, 1, &mut y))).is_err());
    assert_eq!(y, Tensor::from_parts(y.clone().into_root()).unwrap());
}

finch! {
    fn whole(a: &SparseVec<f64>, y: &mut SparseVec<f64>) -> Result<(), Error> { y[i] = a[i] }
    fn whole_rows(a: &Csr<f64>, y: &mut Dcsr<f64>) -> Result<(), Error> { y[i, j] = a[i, j] }
    fn from_on(a: &SparseVec<f64>, k: usize, y: &mut SparseVec<f64>) -> Result<(), Error> { for i in k..4 { y[i] = a[i] } }
    fn under(a: &SparseVec<f64>, k: usize, y: &mut SparseVec<f64>) -> Result<(), Error> { for i { if i >= k { y[i] = a[i] } } }
}

/// `=` says that the tensor is the fill where the value is: what it stores there already cannot be taken back.
#[test]
fn the_fill_is_not_assigned_to_what_is_stored() {
    let vec = |x: &[f64]| SparseVec::<f64>::from_dense([x.len()], x).expect("a vector");
    for a in [[0.0, 0.0, 5.0, 0.0], [0.0; 4], [5.0, 0.0, 0.0, 0.0]] {
        let mut y = vec(&[1.0, 0.0, 0.0, 0.0]);
        let error = whole(&vec(&a), &mut y).expect_err("an entry is there").to_string();
        assert!(error.contains("what is assigned at 0 does not come after"), "{error}");
        let mut y = vec(&[0.0; 4]);
        whole(&vec(&a), &mut y).expect("nothing is there");
        assert_eq!(y.to_dense(), a);
        for k in 1..=4 {
            for guarded in [false, true] {
                let mut y = vec(&[1.0, 0.0, 0.0, 0.0]);
                let of =
                    if guarded { under(&vec(&a), k, &mut y) } else { from_on(&vec(&a), k, &mut y) };
                of.expect("nothing is there");
                let expected: Vec<f64> = (0..4)
                    .map(|i| {
                        if i == 0 {
                            1.0
                        } else if i >= k {
                            a[i]
                        } else {
                            0.0
                        }
                    })
                    .collect();
                assert_eq!(y.to_dense(), expected, "{k} {guarded}");
            }
        }
    }
    let rows = |x: &[f64; 4]| Csr::<f64>::from_dense([2, 2], x).expect("a matrix");
    for a in [[0.0, 0.0, 0.0, 3.0], [0.0; 4], [2.0, 0.0, 0.0, 0.0]] {
        let mut y: Dcsr<f64> = Tensor::from_dense([2, 2], &[0.0, 1.0, 0.0, 0.0]).expect("a matrix");
        assert!(whole_rows(&rows(&a), &mut y).is_err());
        let mut y: Dcsr<f64> = Tensor::from_dense([2, 2], &[0.0; 4]).expect("a matrix");
        whole_rows(&rows(&a), &mut y).expect("nothing is there");
        assert_eq!(y.to_dense(), a);
    }
}

/// What is assigned of a tensor's own elements reads what they held, whatever else is zero there.
mod of_itself {
    use super::*;
    level! { type Set = Tensor<Bitmap<Pattern>>; }

    finch! {
        fn not(m: &Set, c: &mut DenseVec<bool>) { for j { c[j] = m[j] && !c[j] } }
        fn of_list(x: &SparseVec<f64>, c: &mut DenseVec<f64>) { for j { c[j] = x[j] * (c[j] + 1) } }
        fn of_map(x: &Map, c: &mut DenseVec<f64>) { c[j] = x[j] / (c[j] + 1) }
        fn least(x: &SparseVec<f64>, c: &mut DenseVec<f64>) { for j { c[j] = min(x[j], x[j] * c[j]) } }
        fn chosen(x: &SparseVec<f64>, c: &mut DenseVec<f64>) { for j { c[j] = ifelse(x[j] > 1, c[j], x[j]) } }
        fn flags(m: &SparseVec<bool>, c: &mut DenseVec<f64>) { for j { c[j] = ifelse(m[j], c[j], 0) } }
        fn moved(x: &SparseVec<f64>, c: &mut DenseVec<f64>) { for j in 0..19 { c[j] = x[j] * c[j + 1] } }
        fn rows(x: &Csr<f64>, c: &mut DenseMat<f64>) { for i, j { c[i, j] = x[i, j] * (c[i, j] - 0.5) } }
        fn row_before(x: &SparseVec<f64>, c: &mut DenseMat<f64>) { for i in 1..4, j { c[i, j] = x[j] * (c[i - 1, j] - 0.5) } }
        fn defined(x: &SparseVec<f64>, c: &mut DenseVec<f64>) { for j { let d = c[j]; c[j] = x[j] * (d - 3) } }
        fn at_once(x: &SparseVec<f64>, c: &mut DenseVec<f64>) { parallel for j { c[j] = x[j] * (c[j] + 1) } }
        fn slice(x: &SparseVec<f64>, c: &mut [f64]) { c[j] = x[j] * (c[j] + 1) }
    }

    #[test]
    fn what_is_assigned_reads_what_was_there() {
        for step in [1, 2, 3, 7, 25] {
            let x: Vec<f64> =
                (0..20).map(|j| if j % step == 0 { f64::from(j) - 2.5 } else { 0.0 }).collect();
            let c: Vec<f64> = (0..20).map(|j| f64::from(j * j % 11) - 3.25).collect();
            let each = |f: &dyn Fn(f64, f64) -> f64| {
                x.iter().zip(&c).map(|(x, c)| f(*x, *c)).collect::<Vec<_>>()
            };
            let sparse: SparseVec<f64> = Tensor::from_dense([20], &x).unwrap();
            let held = || DenseVec::from_dense([20], &c).unwrap();
            let run = |f: &dyn Fn(&SparseVec<f64>, &mut DenseVec<f64>)| {
                let mut c = held();
                f(&sparse, &mut c);
                c.to_dense()
            };
            assert_eq!(run(&of_list), each(&|x, c| x * (c + 1.0)), "{step}");
            assert_eq!(run(&at_once), each(&|x, c| x * (c + 1.0)));
            assert_eq!(run(&defined), each(&|x, c| x * (c - 3.0)));
            assert_eq!(run(&least), each(&|x, c| x.min(x * c)));
            assert_eq!(run(&chosen), each(&|x, c| if x > 1.0 { c } else { x }));
            let mut next: Vec<f64> = (0..19).map(|j| x[j] * c[j + 1]).collect();
            next.push(c[19]);
            assert_eq!(run(&moved), next);
            let mut y = held();
            of_map(&Tensor::from_dense([20], &x).unwrap(), &mut y);
            assert_eq!(y.to_dense(), each(&|x, c| x / (c + 1.0)));
            let mut y = c.clone();
            slice(&sparse, &mut y);
            assert_eq!(y, each(&|x, c| x * (c + 1.0)));
            let set: Vec<bool> = x.iter().map(|x| *x != 0.0).collect();
            let mut y = held();
            flags(&Tensor::from_dense([20], &set).unwrap(), &mut y);
            assert_eq!(y.to_dense(), each(&|x, c| if x != 0.0 { c } else { 0.0 }));
            let old: Vec<bool> = c.iter().map(|c| *c > 0.0).collect();
            let mut y = Tensor::from_dense([20], &old).unwrap();
            not(&Tensor::from_dense([20], &set).unwrap(), &mut y);
            let want: Vec<bool> = set.iter().zip(&old).map(|(m, c)| *m && !c).collect();
            assert_eq!(y.to_dense(), want);
            let mut y: DenseMat<f64> = Tensor::from_dense([4, 5], &c).unwrap();
            rows(&Tensor::from_dense([4, 5], &x).unwrap(), &mut y);
            assert_eq!(y.to_dense(), each(&|x, c| x * (c - 0.5)));
            let mut y: DenseMat<f64> = Tensor::from_dense([4, 5], &c).unwrap();
            row_before(&Tensor::from_dense([5], &x[..5]).unwrap(), &mut y);
            let mut want = c.clone();
            (5..20).for_each(|k| want[k] = x[k % 5] * (want[k - 5] - 0.5));
            assert_eq!(y.to_dense(), want);
        }
    }
}
