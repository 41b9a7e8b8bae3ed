//! Fibers whose entries are in the order in which they came: written, read, joined, and refused.

extern crate looplets_oracle as oracle;
use looplets::prelude::*;
use oracle::*;

level! { type Rows = Tensor<Dense<UnorderedList<Element<f64>>>>; }
level! { type Row = Tensor<UnorderedList<Element<f64>>>; }
level! { type Small = Tensor<Dense<UnorderedList<Element<f64>, u8>>>; }

kernels! {
    fn product(a: &Csr<f64>, b: &Csr<f64>) -> (y: Rows) { for i, k, j { y[i, j] += a[i, k] * b[k, j] } };;
    fn in_parallel(a: &Csr<f64>, b: &Csr<f64>) -> (y: Rows) {
        parallel for i { for k, j { y[i, j] += a[i, k] * b[k, j] } }
    };;
    fn narrow(a: &Csr<f64>, b: &Csr<f64>) -> (y: Small) { for i, k, j { y[i, j] += a[i, k] * b[k, j] } };;
    fn tropical(a: &Csr<f64>, b: &Csr<f64>) -> (y: Tensor<Dense<UnorderedList<Element<f64, Inf>>>>) {
        for i, k, j { if a[i, k] != 0 { if b[k, j] != 0 { y[i, j] <<min>>= a[i, k] + b[k, j] } } }
    };;
    fn reached(a: &Csr<f64>, b: &Csr<f64>) -> (y: Tensor<Dense<UnorderedList<Pattern>>>) {
        for i, k, j { if a[i, k] != 0 { if b[k, j] > 1 { y[i, j] ||= true } } }
    };;
    fn two(a: &Csr<f64>, b: &Csr<f64>) -> (y: Rows) {
        for i { for j { y[i, j] += a[i, j] } for j { y[i, j] += 2 * b[i, j] } }
    };;
    fn both_at_once(a: &Csr<f64>, at: &DenseVec<u8>, n: usize) -> (y: Rows[n, n]) {
        for i in 0..n { for j { y[i, j] += a[i, j]; y[i, at[j]] += 3 * a[i, j] } }
    };;
    fn scattered(a: &Csr<f64>, at: &DenseVec<u8>, n: usize) -> (y: Rows[n, n]) {
        for i in 0..n { for j { if a[i, j] > 1 { y[i, at[j]] += a[i, j] } } }
    }
}

kernels! {
    fn vector_twice(a: &SparseVec<f64>, b: &SparseVec<f64>, at: &DenseVec<u8>, n: usize) -> (y: Row[n]) {
        for i { y[at[i]] += a[i] }
        for i { y[i] += b[i] }
    };;
    fn cubes(a: &Csr<f64>, b: &Csr<f64>) -> (y: Tensor<Dense<SparseList<UnorderedList<Element<f64>>>>>) {
        for i, k { for l, j { y[i, k, j] += a[i, k] * a[k, l] * b[l, j] } }
    };;
    fn nested(a: &Csr<f64>, at: &DenseVec<u8>, n: usize) -> (y: Tensor<UnorderedList<UnorderedList<Element<f64>>>>[n, n]) {
        for i in 0..n { for j { y[i, at[j]] += a[i, j] } }
    };;
    fn tables(a: &Csr<f64>, b: &Csr<f64>) -> (y: Tensor<Dense<UnorderedList<Hash<Element<f64>>>>>) {
        for i, k { for j, l { y[i, j, l] += a[i, k] * b[k, j] * b[j, l] } }
    };;
    fn read_between(a: &SparseVec<f64>, at: &DenseVec<u8>, n: usize, m: usize) -> (y: DenseMat<f64>[3, n]) {
        for r in 0..m {
            let mut w: Row[n];
            for i { w[at[i]] += a[i] }
            for i in 0..n { y[0, i] += w[i] }
            for i { w[i] += 2 * a[i] }
            for i in 0..n { y[1, i] += w[i] * r }
            for i { w[at[i]] += 3 * a[i] }
            for i in 0..n { y[2, i] += w[i::gallop] }
        }
    }
}

kernels! {
    fn one_element(a: &SparseVec<f64>, s: &mut f64, at: &DenseVec<u8>, n: usize) -> (y: Row[n]) { for i { y[at[i]] += a[i] } s = y[0] };;
    fn looked_up_between(a: &SparseVec<f64>, at: &DenseVec<u8>, n: usize) -> (y: DenseMat<f64>[3, n]) {
        let mut w: Row[n];
        for i { w[at[i]] += a[i] }
        for i in 0..n { y[0, i] = w[i::locate] }
        if w[0] > 1 { for i { w[i] += a[i] } }
        for i in 0..n { y[1, i] = w[i] }
        let s = w[1]; for i { w[at[i]] += s * a[i] }
        for i in 0..n { y[2, i] = w[at[i]] }
    };;
    fn back(a: &Rows) -> (y: Csr<f64>) { for i, j { y[i, j] = a[i, j] } };;
    fn meet(a: &Rows, b: &Rows) -> (y: Csr<f64>) { for i, j { y[i, j] = a[i, j] * b[i, j::gallop] } };;
    fn join(a: &Rows, b: &Csr<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = a[i, j::follow] + b[i, j] } };;
    fn led(a: &Rows, b: &Csr<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = a[i, j::lead] * b[i, j::follow] } };;
    fn looked_up(a: &Rows, n: usize) -> (y: DenseMat<f64>[n, n]) { for i in 0..n { for j in 0..n { y[i, j] = a[i, j::locate] } } };;
    fn around(a: &Rows, n: usize) -> (y: DenseMat<f64>[n, n]) {
        for i in 0..n { for j in 1..n { y[i, j] = a[i, j - 1] + 2 * a[i, n - j] } }
    }
}

/// Where each of `n` goes: all to other places, in no order.
fn places(n: usize) -> DenseVec<u8> {
    let at: Vec<u8> = (0..n).map(|i| ((i * 7 + 3) % n.max(1)) as u8).collect();
    Tensor::from_dense([n], &at).unwrap()
}

#[test]
fn agree() {
    matrices(|shape, ka, kb| {
        let (a, b) = (matrix(ka, shape), matrix(kb, [shape[1], shape[0]]));
        agree!(product(&a, &b));
        agree!(in_parallel(&a, &b));
        agree!(narrow(&a, &b));
        agree!(tropical(&a, &b));
        agree!(reached(&a, &b));
        let b = matrix(kb, shape);
        agree!(two(&a, &b));
    });
    for n in [0, 1, 2, 5, 11] {
        for kind in 0..KINDS {
            let (a, b, at) =
                (matrix(kind, [n, n]), matrix((kind * 3 + 1) % KINDS, [n, n]), places(n));
            if n <= 5 {
                agree!(cubes(&a, &b));
                agree!(tables(&a, &b));
            }
            agree!(scattered(&a, &at, n));
            agree!(both_at_once(&a, &at, n));
            agree!(nested(&a, &at, n));
            let (v, w) = (vector(kind, n), vector((kind * 3 + 1) % KINDS, n));
            agree!(vector_twice(&v, &w, &at, n));
            agree!(read_between(&v, &at, n, 3));
            if n > 1 {
                let mut s = 0.0;
                agree!(looked_up_between(&v, &at, n));
                agree!(one_element(&v, &mut s, &at, n));
            }
            let (y, z) = (scattered(&a, &at, n), product(&a, &b));
            agree!(back(&y));
            agree!(meet(&y, &z));
            agree!(join(&y, &a));
            agree!(led(&y, &a));
            agree!(looked_up(&y, n));
            agree!(around(&z, n));
        }
    }
}

/// What comes first stands first; it is found again, and `convert` sorts.
#[test]
fn entries_stay_where_they_came() {
    let a = Tensor::from_triplets([1, 3], [([0, 0], 1.0), ([0, 1], 1.0), ([0, 2], 1.0)], Refuse)
        .unwrap();
    let b = [([0, 7], 1.0), ([1, 2], 2.0), ([1, 7], 3.0), ([2, 0], 4.0), ([2, 9], 5.0)];
    let y = product(&a, &Tensor::from_triplets([3, 10], b, Refuse).unwrap());
    let rows = y.root();
    let level = rows.__fields().1.__fields();
    assert_eq!(level.2, &[7, 2, 0, 9]);
    assert!(level.3.is_empty(), "what finds entries is given up");
    let sorted: Csr<f64> = y.convert().unwrap();
    assert_eq!(
        sorted.triplets(),
        [(vec![0, 0], 4.0), (vec![0, 2], 2.0), (vec![0, 7], 4.0), (vec![0, 9], 5.0)]
    );
    assert_eq!(y.triplets(), sorted.triplets());
    assert_eq!(y.get([0, 9]), Some(5.0));
    assert_eq!(y.get([0, 8]), Some(0.0));
    assert_eq!(y, Tensor::from_parts(y.clone().into_root()).unwrap());
}

/// Parts of a parallel loop are put together as they are.
#[test]
fn chunks_are_joined() {
    let n = 3000;
    let entries = (0..n).flat_map(|i| [i * 7 % n, i * 3 % n, 5].map(|j| ([i, j], (i % 9) as f64)));
    let a: Csr<f64> = Tensor::from_triplets([n, n], entries, Sum).unwrap();
    assert_eq!(in_parallel(&a, &a), product(&a, &a));
}
