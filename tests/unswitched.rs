//! Conditions that no iteration of a loop changes, on which it depends which operands are walked: each answer has a loop of its own,
//! and what changes is asked each time. Branches that are loops of their own write one result.

extern crate looplets_oracle as oracle;
use looplets::prelude::*;
use oracle::*;

level! { type Bits = Tensor<Dense<Bitmap<Pattern>>>; }
level! { type Hashed = Tensor<Dense<Hash<Element<f64>>>>; }
level! { type Listed = Tensor<Dense<UnorderedList<Element<f64>>>>; }
level! { type Runs = Tensor<Dense<RunList<Element<f64>>>>; }
level! { type Bytes = Tensor<Dense<ByteMap<Element<f64>>>>; }

kernels! {
    fn rows(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (c: Csr<f64>) {
        for i { if x[i] > 0 { for j { c[i, j] = a[i, j] } } else { for j { c[i, j] = b[i, j] } } }
    };;
    fn some_rows(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (c: Csr<f64>) {
        for i { if x[i] > 0.25 { for j { c[i, j] = a[i, j] } } else if x[i] < -1 { for j { c[i, j] = 2 * b[i, j] } } }
    };;
    fn one_of_three_rows(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (c: Csr<f64>) {
        for i { if x[i] > 0.25 { for j { c[i, j] = a[i, j] } } else if x[i] < -1 { for j { c[i, j] = b[i, j] } } else { for j { c[i, j] = a[i, j] + b[i, j] } } }
    };;
    fn elements(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (c: Csr<f64>) {
        for i, j { if x[i] > 0 { c[i, j] = a[i, j] } else { c[i, j] = b[i, j] } }
    };;
    fn left_out(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (c: Csr<f64>) {
        if x[i] > 0 { c[i, j] = a[i, j] } else { c[i, j] = b[i, j] }
    };;
    fn by_column(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (c: Csr<f64>) {
        if x[j] > 0 { c[i, j] = a[i, j] } else { c[i, j] = b[i, j] }
    }
}

kernels! {
    fn into_hashes(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (c: Hashed) {
        for i { if x[i] > 0 { for j { c[i, j] = a[i, j] } } else { for j { c[i, j] = b[i, j] } } }
    };;
    fn into_hashes_left_out(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (c: Hashed) {
        if x[i] > 0 { c[i, j] = a[i, j] } else { c[i, j] = b[i, j] }
    };;
    fn into_lists(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (c: Listed) {
        for i { if x[i] > 0 { for j { c[i, j] = a[i, j] } } else { for j { c[i, j] = b[i, j] * x[j] } } }
    };;
    fn into_runs(a: &Runs, b: &Runs, x: &DenseVec<f64>) -> (c: Runs) {
        for i { if x[i] > 0 { for j { c[i, j] = a[i, j] } } else { for j { c[i, j] = b[i, j] - a[i, j] } } }
    };;
    fn into_bytes(a: &Csr<f64>, b: &Csr<f64>, x: &SparseVec<f64>) -> (c: Bytes) {
        for i { if x[i] > 0 { for j { c[i, j] = a[i, j] } } else { for j { c[i, j] = b[i, j] } } }
    };;
    fn into_bits(a: &Csr<f64>, b: &Bits, x: &DenseVec<f64>) -> (c: Bits) {
        for i { if x[i] > 0 { for j { c[i, j] = a[i, j] > 0.25 } } else { for j { c[i, j] = b[i, j] } } }
    }
}

kernels! {
    fn sums(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { if x[i] > 0 { y[i] += a[i, j] } else { y[i] += b[i, j] } }
    };;
    fn sums_of_choices(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        y[i] += ifelse(x[i] > 0, a[i, j], b[i, j]) * x[j]
    };;
    fn two_choices(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += ifelse(x[i] > 0, a[i, j], b[i, j]) * ifelse(x[i] < 1, b[i, j], x[j]) }
    };;
    fn by_a_sparse_vector(a: &Csr<f64>, b: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { if x[i] > 0 { y[i] += a[i, j] } else { y[i] -= b[i, j] } }
    };;
    fn along_one_vector(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += ifelse(x[i] < 0.25, a[i, j], x[j]) }
    }
}

kernels! {
    fn asks_what_it_sums(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i { let mut s: f64 = x[i]; for j { if s < 1 { s += a[i, j] } else { s -= 2 * b[i, j] } } y[i] = s }
    };;
    fn asks_what_it_counts(a: &Csr<f64>, b: &Csr<f64>) -> (y: DenseVec<f64>) {
        for i { let mut n: i64 = 0; for j { if n < 2 { y[i] += a[i, j] } else { y[i] += b[i, j] } if a[i, j] != 0 { n += 1 } } }
    };;
    fn defined_inside(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { let t = x[i] * 2; if t > 1 { y[i] += a[i, j] } else { y[i] += b[i, j] + t } }
    };;
    fn under_another(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>, d: &DenseVec<i32>) -> (y: DenseVec<f64>) {
        for i, j { if d[i] != 0 { if 10 / d[i] > 2 { y[i] += a[i, j] } else { y[i] += b[i, j] * x[j] } } }
    };;
    fn may_be_missing(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { if x[permit[i + 1]] > 0 { y[i] += a[i, j] } else { y[i] += b[i, j] } }
    };;
    fn triples(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (c: DenseMat<f64>) {
        for i, k, j { if x[k] > x[i] { c[i, j] += a[i, k] * b[k, j] } else { c[i, j] += b[i, k] * a[k, j] } }
    };;
    fn side_by_side(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (c: Csr<f64>) {
        parallel for i { if x[i] > 0 { for j { c[i, j] = a[i, j] } } else { for j { c[i, j] = b[i, j] } } }
    };;
    fn stretches(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>, n: usize) -> (c: Csr<f64>[n, n]) {
        for i { if x[i] > 0 { for j in 1..i { c[i, j] = a[i, j] } } else { for j in 1..i { c[i, j] = b[i, j] } } }
    };;
    fn on_the_diagonal(a: &Csr<f64>, x: &DenseVec<f64>) -> (c: Csr<f64>) {
        for i, j { if x[i] > 0 { if i == j { c[i, j] = 1 } } else { c[i, j] = a[i, j] } }
    };;
    fn both_guarded(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (c: Csr<f64>) {
        for i { if x[i] > 0 { for j { if b[i, j] > 0 { c[i, j] = a[i, j] } } } else { for j { if a[i, j] < 3 && j != i { c[i, j] = b[i, j] } } } }
    };;
    fn of_workspaces(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i {
            let mut w: SparseVec<f64>;
            { for j { y[i] += w[j] * (j + 1) } } where { if x[i] > 0 { for j { w[j] = a[i, j] } } else { for j { w[j] = b[i, j] } } }
        }
    }
}

kernels! {
    fn bits_of_runs(b: &Runs, x: &DenseVec<f64>) -> (c: Bits) {
        for i, j { if x[i] > 0.5 { c[i, j] = b[i, j] > 1 } else { c[i, j] = b[i, j] > 2 } }
    };;
    fn bits_of_runs_by_choice(b: &Runs, al: f64) -> (c: Bits) {
        for i, j { c[i, j] = ifelse(al > 1, b[i, j] > 1, b[i, j] > 0.25) }
    };;
    fn one_of_them_twice(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (c: Csr<f64>) {
        for i { if x[i] == 0 { for j { c[i, j] = a[i, j] } } else if x[i] == 3 { for j { c[i, j] = b[i, j] } } else { for j { c[i, j] = a[i, j] } } }
    };;
    fn many_conditions(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (c: Csr<f64>) {
        for i, j {
            if x[i] == 0.5 { c[i, j] = a[i, j] } else if x[i] == 3 { c[i, j] = b[i, j] } else if x[i] < 0 { c[i, j] = a[i, j] + b[i, j] }
            else if x[i] == 0.25 { c[i, j] = b[i, j] - a[i, j] } else if x[i] > 9 { c[i, j] = 2 * b[i, j] } else { c[i, j] = a[i, j] * b[i, j] }
        }
    };;
    fn by_methods(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (c: Csr<f64>) {
        for i { if abs(x[i]) > 0.25 { for j { c[i, j] = a[i, j] } } else { for j { c[i, j] = b[i, j] } } }
    };;
    fn guards_of_guards(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (c: Csr<f64>) {
        for i { if x[i] > 0 { for j { if x[j] > 0 { if x[j] < 2 { c[i, j] = a[i, j] } } } } else if x[i] < -1 { for j { if j < i { c[i, j] = b[i, j] } } } }
    };;
    fn by_a_scalar(a: &SparseVec<f64>, x: &DenseVec<f64>, al: f64) -> (c: SparseVec<f64>) {
        if al > 1 { for i { c[i] = a[i] } } else { for i { if x[i] > 0 { c[i] = x[i] } } }
    };;
    fn chain(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (c: Csr<f64>) {
        if x[i] > 0 { c[i, j] = a[i, j] } else if x[i] < -1 { c[i, j] = 2 * b[i, j] } else { c[i, j] = b[i, j] }
    };;
    fn chain_into_hashes(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (c: Hashed) {
        if x[i] > 0 { if x[i] < 1 { c[i, j] = a[i, j] } else { c[i, j] = 2 * a[i, j] } } else if x[i] < -1 { c[i, j] = b[i, j] }
    };;
    fn chain_into_bits(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (c: Bits) {
        if x[i] > 0 { c[i, j] = a[i, j] > 1 } else if x[i] < -1 { c[i, j] = b[i, j] > 0.25 }
    };;
    fn chain_of_elements(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) {
        if a[i, j] > 0.25 { c[i, j] = b[i, j] } else if i % 2 == 0 { c[i, j] = 3 * a[i, j] }
    }
}

level! { type Points = Tensor<Dense<SparsePoint<Element<f64>>>>; }

finch! {
    fn points(a: &Points, b: &Points, x: &DenseVec<f64>) -> (c: Points) {
        for i { if x[i] == 0 { for j { c[i, j] = a[i, j] } } else if x[i] == 1 { for j { c[i, j] = b[i, j] } } else { for j { c[i, j] = a[i, j] } } }
    }
}

kernels! {
    fn fewer_lists(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (c: Csr<f64>) {
        for i, j { c[i, j] = ifelse(x[i] > 0, a[i, j] * x[j] + b[i, j] + a[j, i::locate] + b[j, i::locate], a[i, j] * x[j]) }
    };;
    fn fewer_of_five(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>, s: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += ifelse(!(x[i] > 0), a[i, j] * x[j] + b[i, j] + s[j] + s[j] * a[i, j] + b[i, j] * s[j], s[j] * x[j]) }
    }
}

const HOSTILE: [f64; 10] =
    [0.5, 0.0, -0.0, 3.0, -1.25, 5e-324, f64::NAN, f64::INFINITY, f64::MAX, 0.25];

fn numbers(kind: usize, n: usize) -> Vec<f64> {
    let value = |k: usize| match (k * k + kind).is_multiple_of(3) {
        true => 0.0,
        false => HOSTILE[(k * 7 + kind * 3) % if kind % 2 == 0 { 6 } else { 10 }],
    };
    (0..n).map(value).collect()
}

#[test]
fn each_answer_has_a_loop() {
    for n in [0, 1, 2, 3, 9, 17] {
        for kind in 0..KINDS {
            let vector = |kind: usize| numbers(kind, n);
            let matrix = |kind: usize| -> Csr<f64> {
                Tensor::from_dense([n, n], &numbers(kind, n * n)).expect("as large")
            };
            let (a, b) = (matrix(kind), matrix(kind + 1));
            let x: DenseVec<f64> = Tensor::from_dense([n], &vector(kind + 2)).expect("as long");
            let s: SparseVec<f64> = Tensor::from_dense([n], &vector(kind + 2)).expect("as long");
            let whole: Vec<i32> = (0..n).map(|k| [0, 3, -4, 5, i32::MIN][(k + kind) % 5]).collect();
            let d: DenseVec<i32> = Tensor::from_dense([n], &whole).expect("as long");
            let set: Vec<bool> = (0..n * n).map(|k| (k * k + kind) % 5 < 2).collect();
            let set: Bits = Tensor::from_triplets(
                [n, n],
                (0..n * n).filter(|k| set[*k]).map(|k| ([k / n, k % n], true)),
                Refuse,
            )
            .expect("as large");
            let runs = |kind: usize| -> Runs {
                Tensor::from_dense([n, n], &numbers(kind, n * n)).expect("as large")
            };
            agree!(rows(&a, &b, &x));
            agree!(some_rows(&a, &b, &x));
            agree!(one_of_three_rows(&a, &b, &x));
            agree!(elements(&a, &b, &x));
            agree!(left_out(&a, &b, &x));
            agree!(by_column(&a, &b, &x));
            agree!(into_hashes(&a, &b, &x));
            agree!(into_hashes_left_out(&a, &b, &x));
            agree!(into_lists(&a, &b, &x));
            agree!(into_runs(&runs(kind), &runs(kind + 1), &x));
            agree!(into_bytes(&a, &b, &s));
            agree!(into_bits(&a, &set, &x));
            agree!(sums(&a, &b, &x));
            agree!(sums_of_choices(&a, &b, &x));
            agree!(two_choices(&a, &b, &x));
            agree!(by_a_sparse_vector(&a, &b, &s));
            agree!(along_one_vector(&a, &s));
            agree!(asks_what_it_sums(&a, &b, &x));
            agree!(asks_what_it_counts(&a, &b));
            agree!(defined_inside(&a, &b, &x));
            agree!(under_another(&a, &b, &x, &d));
            agree!(may_be_missing(&a, &b, &x));
            agree!(triples(&a, &b, &x));
            agree!(side_by_side(&a, &b, &x));
            agree!(stretches(&a, &b, &x, n));
            agree!(on_the_diagonal(&a, &x));
            let r = runs(kind);
            let al = HOSTILE[kind % 10];
            agree!(bits_of_runs(&r, &x));
            agree!(bits_of_runs_by_choice(&r, al));
            agree!(one_of_them_twice(&a, &b, &x));
            agree!(many_conditions(&a, &b, &x));
            agree!(by_methods(&a, &b, &x));
            agree!(guards_of_guards(&a, &b, &x));
            agree!(by_a_scalar(&s, &x, al));
            agree!(chain(&a, &b, &x));
            agree!(chain_into_hashes(&a, &b, &x));
            agree!(chain_into_bits(&a, &b, &x));
            agree!(chain_of_elements(&a, &b));
            agree!(fewer_lists(&a, &b, &x));
            agree!(fewer_of_five(&a, &b, &x, &s));
            agree!(both_guarded(&a, &b, &x));
            agree!(of_workspaces(&a, &b, &x));
        }
    }
}

finch! {
    #![steps(n)]
    fn counted(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>, n: &mut u64) -> (c: Csr<f64>) {
        for i { if x[i] > 0 { for j { c[i, j] = a[i, j] } } else { for j { c[i, j] = b[i, j] } } }
    }
}

#[test]
fn what_is_not_chosen_is_neither_walked_nor_stored() {
    let n = 40;
    let dense = |row: &dyn Fn(usize) -> bool| -> Csr<f64> {
        let values: Vec<f64> = (0..n * n).map(|k| if row(k / n) { 1.5 } else { 0.0 }).collect();
        Tensor::from_dense([n, n], &values).expect("as large")
    };
    let (a, b) = (dense(&|i| i < 20), dense(&|i| i >= 20));
    let x: DenseVec<f64> = Tensor::from_dense(
        [n],
        &(0..n).map(|i| if i < 20 { -1.0 } else { 1.0 }).collect::<Vec<f64>>(),
    )
    .expect("as long");
    let mut steps = 0;
    let c = counted(&a, &b, &x, &mut steps);
    assert_eq!(c.stored(), 0);
    assert!(steps <= 2 * n as u64, "{steps} steps");
    let y: DenseVec<f64> = Tensor::from_dense([n], &vec![1.0; n]).expect("as long");
    let mut steps = 0;
    assert_eq!(counted(&a, &b, &y, &mut steps).stored(), a.stored());
    assert!(steps <= (2 * n + a.stored()) as u64, "{steps} steps");
}

/// What another branch stores would be an entry too many.
#[test]
fn one_entry_a_row_is_enough() {
    let at = |j: usize, value: f64| -> Points {
        Tensor::from_triplets([3, 4], (0..3).map(|i| ([i, j], value)), Refuse).expect("one a row")
    };
    let x: DenseVec<f64> = Tensor::from_dense([3], &[0.0, 1.0, 2.0]).expect("as long");
    let c = points(&at(0, 1.5), &at(2, 2.5), &x);
    assert_eq!(c.triplets(), [(vec![0, 0], 1.5), (vec![1, 2], 2.5), (vec![2, 0], 1.5)]);
}
