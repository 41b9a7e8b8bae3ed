//! Tensors stored by columns: the same programs as of tensors stored by rows, with the same indices, sizes and messages.

// Sums start at what fills say, and some programs go through all there is.
#![allow(deprecated)]

extern crate looplets_oracle as oracle;
use looplets::prelude::*;
use oracle::*;

level! { type Columns<T, F = Zero> = ByColumns<Dense<Dense<Element<T, F>>>>; }
level! { type Lists<T> = ByColumns<SparseList<SparseList<Element<T>>>>; }
level! { type RunColumns<T> = ByColumns<Dense<RunList<Element<T>>>>; }
level! { type BitColumns = ByColumns<Dense<Bitmap<Pattern>>>; }
level! { type HashColumns<T> = ByColumns<Dense<Hash<Element<T>>>>; }
level! { type TreeColumns<T> = ByColumns<Dense<Bst<Element<T>>>>; }
level! { type CubeColumns<T> = ByColumns<Dense<SparseList<SparseList<Element<T>>>>>; }
level! { type Rows<T> = Tensor<SparseList<SparseList<Element<T>>>>; }

kernels! {
    fn times(a: &Csc<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] };;
    fn times_written(a: &Csc<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for j, i { y[i] += a[i, j] * x[j] } };;
    fn times_sparse(a: &Csc<f64>, x: &SparseVec<f64>) -> (y: SparseVec<f64>) { y[i] += a[i, j] * x[j] };;
    fn transposed_times(a: &Csc<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[j] += a[i, j] * x[i] };;
    fn product(a: &Csc<f64>, b: &Csc<f64>) -> (c: Csc<f64>) { c[i, j] += a[i, k] * b[k, j] };;
    fn mixed_product(a: &Csc<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, k] * b[k, j] };;
    fn product_of_rows(a: &Csr<f64>, b: &Csc<f64>) -> (c: DenseMat<f64>) { c[i, j] += a[i, k] * b[k, j] };;
    fn sum(a: &Csc<f64>, b: &Csc<f64>) -> (c: Csc<f64>) { c[i, j] = a[i, j] + 2 * b[i, j] };;
    fn sum_of_both(a: &Csc<f64>, b: &Csr<f64>) -> (c: Csc<f64>) { c[i, j] = a[i, j] + b[i, j] }
}

kernels! {
    fn turned(a: &Csc<f64>) -> (c: Csc<f64>) { c[i, j] = a[j, i] };;
    fn symmetric(a: &Csc<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] + a[j, i] };;
    fn to_rows(a: &Csc<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] };;
    fn to_columns(a: &Csr<f64>) -> (c: Csc<f64>) { c[i, j] = a[i, j] };;
    fn dense(a: &Columns<f64>, b: &DenseMat<f64>) -> (c: Columns<f64>) { c[i, j] = a[i, j] - b[i, j] };;
    fn dense_product(a: &Columns<f64>, b: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] += a[i, k] * b[k, j] };;
    fn filled(a: &Columns<f64, Inf>, b: &DenseMat<f64>) -> (c: Columns<f64, Inf>) { c[i, j] <<min>>= a[i, k] + b[k, j] }
}

kernels! {
    fn lists(a: &Lists<f64>, b: &Rows<f64>) -> (c: Lists<f64>) { c[i, j] = a[i, j] * b[j, i] };;
    fn runs(a: &RunColumns<f64>, b: &RunColumns<f64>) -> (c: RunColumns<f64>) { for j, i { c[i, j] = a[i, j] + b[i, j] } };;
    fn bits(a: &BitColumns, b: &BitColumns) -> (c: BitColumns) { c[i, j] = a[i, j] && !b[i, j] };;
    fn hashed(a: &HashColumns<f64>, x: &DenseVec<f64>) -> (c: HashColumns<f64>) { c[i, j] = a[i, j] * x[i] };;
    fn masked(m: &BitColumns, a: &Csc<f64>) -> (c: Csc<f64>) { if m[i, j] { c[i, j] = a[i, j] } }
}

kernels! {
    fn scaled(a: &mut Csc<f64>, x: &DenseVec<f64>, y: &DenseVec<f64>) { a[i, j] *= x[i] - y[j] };;
    fn scaled_in_place(a: &mut Columns<f64>, x: &DenseVec<f64>) { for j, i { a[i, j] = a[i, j] * x[i] + j } };;
    fn put_in(a: &mut HashColumns<f64>, b: &Csr<f64>) { for i, j { a[i, j] += b[i, j] } };;
    fn again(a: &Csc<f64>, c: Csc<f64>) -> (c: Csc<f64>) { for j, i { c[i, j] = 3 * a[i, j] } };;
    fn in_memory(a: &Columns<f64>, c: Columns<f64>) -> (c: Columns<f64>) { for j, i { c[i, j] = 3 * a[i, j] } };;
    fn workspace(a: &Csr<f64>) -> (c: Csc<f64>) {
        { for j, i { c[i, j] = w[i, j] } } where { let mut w: HashColumns<f64>; for i, j { w[i, j] = a[i, j] } }
    };;
    fn neighbours(a: &Columns<f64>) -> (c: DenseMat<f64>) {
        for i, j { c[i, j] = a[i, j] + coalesce(a[permit[i + 1], j], 0) - coalesce(a[i, permit[j - 1]], 0) }
    }
}

kernels! {
    fn diagonal(a: &Csc<f64>) -> (d: DenseVec<f64>) { d[i] = a[i, i::locate] };;
    fn column(a: &Csc<f64>, at: usize) -> (y: SparseVec<f64>) { y[i] = a[i, at] };;
    fn most(a: &Csc<f64>) -> (m: DenseVec<f64>) { m[j] <<max>>= a[i, j] };;
    fn below(a: &Csc<f64>, s: &mut f64) { if j < i { s += a[i, j] } };;
    fn cube(t: &CubeColumns<f64>, x: &DenseVec<f64>) -> (c: DenseMat<f64>) { c[i, k] += t[i, j, k] * x[j] };;
    fn strictly(a: &Csc<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for j, i { y[i] += a[i, j] * x[j] } };;
    fn side_by_side(a: &Csc<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { parallel for j { for i { y[j] += a[i, j] * x[i] } } }
}

fn columns<L: Level>(tensor: &Csr<f64>) -> ByColumns<L>
where
    L: Level<Value = f64>,
{
    ByColumns::from_dense(tensor.shape(), &tensor.to_dense()).expect("any format")
}

#[test]
fn programs_are_those_of_rows() {
    for shape @ [m, n] in SHAPES {
        for kind in 0..KINDS {
            let a: Csr<f64> = matrix(kind, shape);
            let b: Csr<f64> = matrix((kind + 3) % KINDS, shape);
            let t: Csr<f64> = matrix((kind + 5) % KINDS, [n, m]);
            let (ac, bc, tc): (Csc<f64>, Csc<f64>, Csc<f64>) =
                (columns(&a), columns(&b), columns(&t));
            let (x, z): (DenseVec<f64>, DenseVec<f64>) = (vector(kind, n), vector(kind + 1, m));
            let sparse: SparseVec<f64> = vector(kind, n);
            agree!(times(&ac, &x));
            agree!(times_written(&ac, &x));
            agree!(strictly(&ac, &x));
            agree!(times_sparse(&ac, &sparse));
            agree!(transposed_times(&ac, &z));
            agree!(side_by_side(&ac, &z));
            agree!(product(&ac, &tc));
            agree!(mixed_product(&ac, &t));
            agree!(product_of_rows(&a, &tc));
            agree!(sum(&ac, &bc));
            agree!(sum_of_both(&ac, &b));
            agree!(turned(&ac));
            agree!(to_rows(&ac));
            agree!(to_columns(&a));
            agree!(most(&ac));
            let mut s = 0.5;
            agree!(below(&ac, &mut s));
            agree!(workspace(&a));
            let whole: Columns<f64> = columns(&a);
            let by_rows: DenseMat<f64> = b.convert().expect("a matrix");
            let turned_rows: DenseMat<f64> = t.convert().expect("a matrix");
            agree!(dense(&whole, &by_rows));
            agree!(dense_product(&whole, &turned_rows));
            let from: Columns<f64, Inf> = columns(&a);
            agree!(filled(&from, &turned_rows));
            agree!(neighbours(&whole));
            let rows: Rows<f64> = t.convert().expect("a matrix");
            let listed: Lists<f64> = columns(&a);
            agree!(lists(&listed, &rows));
            let (ra, rb): (RunColumns<f64>, RunColumns<f64>) = (columns(&a), columns(&b));
            agree!(runs(&ra, &rb));
            let found: HashColumns<f64> = columns(&a);
            agree!(hashed(&found, &z));
            let set = |of: &Csr<f64>| -> BitColumns {
                let bits: Vec<bool> = of.to_dense().iter().map(|v| *v > 0.0).collect();
                ByColumns::from_dense(shape, &bits).expect("bits")
            };
            let (ma, mb) = (set(&a), set(&b));
            agree!(bits(&ma, &mb));
            agree!(masked(&mb, &ac));
            let mut changed = ac.clone();
            agree!(scaled(&mut changed, &z, &x));
            let mut changed = whole.clone();
            agree!(scaled_in_place(&mut changed, &z));
            let mut changed: HashColumns<f64> = columns(&a);
            agree!(put_in(&mut changed, &b));
            agree!(again(&ac, tc.clone()));
            let memory: Columns<f64> = columns(&t);
            agree!(in_memory(&whole, memory.clone()));
            if m == n {
                agree!(diagonal(&ac));
                agree!(symmetric(&ac));
            }
            if n > 1 {
                agree!(column(&ac, n - 1));
            }
        }
    }
}

#[test]
fn all_dimensions_are_the_other_way_round() {
    let entries = [([0, 1, 3], 0.5), ([1, 2, 0], -1.5), ([0, 2, 3], 4.0)];
    let t = CubeColumns::<f64>::from_triplets([2, 3, 4], entries, Sum).unwrap();
    assert_eq!(t.transposed().shape(), [4, 3, 2]);
    assert_eq!((t.get([0, 1, 3]), t.get([3, 1, 0])), (Some(0.5), None));
    let x: DenseVec<f64> = Tensor::from_dense([3], &[0.25, -2.0, 1.5]).unwrap();
    agree!(cube(&t, &x));
}

finch! {
    fn rows_or_columns(a: &(Csr<f64> | Csc<f64>), x: &([f64] | SparseVec<f64>)) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
    fn any<T: Value + std::ops::Mul<Output = T> + std::ops::Add<Output = T> + Default>(a: &Csc<T>, x: &DenseVec<T>) -> (y: DenseVec<T>) { for j, i { y[i] += a[i, j] * x[j] } }
    fn sized(a: &Csc<f64>) -> (c: Csc<f64>[$(a.shape()[0]), $(a.shape()[1])]) { for j, i { c[i, j] = a[i, j] } }
    fn rows_of(a: &Csc<f64>) -> (n: u64) { n = $(a.shape()[0] as u64) }
    fn tried(a: &Csc<f64>, x: &DenseVec<f64>) -> Result<(y: DenseVec<f64>), Error> { y[i] += a[i, j] * x[j] }
    fn clipped(a: &mut TreeColumns<f64>) { for j, i { if a[i, j] < 1 { remove a[i, j] } } }
}

finch! {
    #![forbid(unsafe_code)]
    fn safely(a: &Csc<f64>, b: &Csc<f64>) -> (c: Csc<f64>) { c[i, j] = a[i, j] + b[i, j] }
}

#[test]
fn as_operands_of_all_kinds() {
    let a: Csc<f64> = Csc::from_triplets([2, 3], [([0, 2], 1.5), ([1, 0], 2.5)], Sum).unwrap();
    let rows: Csr<f64> = a.to_tensor().unwrap();
    let sparse: SparseVec<f64> = Tensor::from_dense([3], &[1.0, 0.0, 3.0]).unwrap();
    for x in [&[1.0, 2.0, 3.0][..], &[0.5, -0.0, f64::INFINITY]] {
        let want = rows_or_columns(&rows, x).to_dense();
        assert_eq!(rows_or_columns(&a, x).to_dense(), want);
        let x = Tensor::from_dense([3], x).unwrap();
        assert_eq!(any(&a, &x).to_dense(), want);
        assert_eq!(tried(&a, &x).unwrap().to_dense(), want);
    }
    assert_eq!(rows_or_columns(&a, &sparse).to_dense(), rows_or_columns(&rows, &sparse).to_dense());
    let same = sized(&a);
    assert_eq!((same.shape(), same.to_dense()), (vec![2, 3], a.to_dense()));
    assert_eq!(rows_of(&a), 2);
    let mut some = TreeColumns::<f64>::from_dense([2, 2], &[0.5, 1.0, 2.0, -1.0]).unwrap();
    clipped(&mut some);
    assert_eq!((some.stored(), some.to_dense()), (2, vec![0.0, 1.0, 2.0, 0.0]));
    assert_eq!(safely(&a, &a).to_dense(), [0.0, 0.0, 3.0, 5.0, 0.0, 0.0]);
    let (mut b, mut s) = (a.clone(), 0.0);
    finch! { <mut b: Csc<f64>, mut s: f64> for j, i { b[i, j] *= 2 } for j, i { s += b[i, j] * (i + 1) } }
    assert_eq!((b.get([1, 0]), s), (Some(5.0), 13.0));
    let made = finch! { <a: Csc<f64>> -> (c: Csc<f64>) for j, i { c[i, j] = a[i, j] } };
    assert_eq!(made, a);
}

#[test]
fn messages_name_dimensions_of_the_tensor() {
    let a: Csc<f64> = Csc::new([2, 3]).unwrap();
    let x: DenseVec<f64> = Tensor::new([4]).unwrap();
    let told = tried(&a, &x).unwrap_err().to_string();
    assert_eq!(
        told,
        "`x` has size 4 in dimension 0, but index `j` runs over 0..3 (from `a`, dimension 1)"
    );
    let outside = Csc::<f64>::from_triplets([2, 3], [([0, 3], 1.0)], Sum).unwrap_err();
    assert_eq!(outside, Error::Index { coords: vec![0, 3], dimension: 1, size: 3 });
    let twice = Csc::<f64>::from_triplets([2, 3], [([0, 1], 1.0), ([0, 1], 2.0)], Refuse);
    assert_eq!(twice.unwrap_err(), Error::Duplicate { coords: vec![0, 1] });
    let short = Csc::<f64>::from_dense([2, 3], &[1.0]).unwrap_err();
    assert_eq!(short, Error::Length { shape: vec![2, 3], found: 1 });
    let large = ByColumns::<Dense<SparseList<Element<f64>, u8>>>::new([300, 2]).unwrap_err();
    assert!(
        matches!(&large, Error::Unstorable { shape, .. } if shape[..] == [300, 2]),
        "{large:?}"
    );
    let told = explain! { fn f(a: &Csc<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } };
    assert!(told.contains("for j: len(j) steps\n        for i: stored(a) steps"), "{told}");
    assert!(told.contains("a[i, j]") && !told.contains("a[j, i]"), "{told}");
}

#[test]
fn a_column_is_next_to_each_other() {
    let a: Csc<f64> = Csc::from_dense([2, 3], &[1.0, 0.0, 2.0, 0.0, 3.0, 4.0]).unwrap();
    assert_eq!(a.values(), Some(&[1.0, 3.0, 2.0, 4.0][..]));
    assert_eq!(a.triplets()[1], (vec![1, 1], 3.0));
    assert_eq!(
        a.to_string(),
        "2x3 ByColumns<Dense<SparseList<Element<f64>>>>, 4 stored\n 1 . 2\n . 3 4"
    );
    assert_eq!(
        Csc::from_tensor(&a.to_tensor::<SparseList<SparseList<Element<f64>>>>().unwrap()),
        Ok(a)
    );
}
