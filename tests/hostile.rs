//! Kernels and declarations where a trait in scope has methods by value, of names that generated code might call.

#[allow(dead_code)]
mod hostile {
    /// What no kernel is to get.
    pub struct Wrong;

    macro_rules! hostile {
        ($($name:ident)*) => {
            /// For each type there is, whatever its own methods are called.
            pub trait Hostile: Sized {
                $(#[allow(missing_docs, clippy::wrong_self_convention)] fn $name(self) -> Wrong { Wrong })*
            }
        };
    }
    hostile! {
        abs add and_then checked_mul chunks clamp clear clone commit copied div_ceil empty entries eq extend find
        finish first fill get insert into into_iter into_parts into_root is_empty is_ok iter join last last_mut len
        lt map max min mul neg next ok_or open pop powi powf push repeat reserve reserve_exact resize root
        saturating_mul skip split_at_mut sqrt sum take to_bits to_i64 to_owned truncate unwrap unwrap_or values_mut
        work zip
    }
    impl<T> Hostile for T {}
}

mod kernels {
    #[allow(unused_imports)]
    use super::hostile::Hostile as _;
    use looplets::prelude::*;
    use looplets::Fill;
    use num_complex::Complex;

    /// A value that is not `Copy`.
    #[derive(Clone, PartialEq, Debug)]
    pub struct Words(pub Vec<String>);
    fill! {
        pub fill NoWords = none;
    }
    impl Fill<Words> for NoWords {
        const VALUE: Words = Words(Vec::new());
    }
    level! {
        pub struct Plain<Child> {
            len: usize,
            child: Child,
        }
        invariant(fibers) { Ok(fibers * len) }
        read locate(p, i) { child[p * len + i] }
        read walk(p) { lookup(|i| child[p * len + i]) }
        join(len: sum);
        write locate(p, i) { child: p * len + i, children: len, }
    }
    level! {
        pub struct Listed<Child> {
            len: usize,
            pos: Vec<usize>,
            crd: Vec<usize>,
            child: Child,
        }
        invariant(fibers) { Ok(pos[fibers]) }
        read walk(p) {
            let end = pos[p + 1];
            pipeline {
                ..if pos[p] < end { crd[end - 1] + 1 } else { 0 } => stepper {
                    for q in pos[p]..end,
                    seek(i): pos[p],
                    stop: crd[q] + 1,
                    body: spike(fill, child[q]),
                },
                .. => run(fill),
            }
        }
        join(pos: offsets, crd: entries);
    }

    finch! {
        pub fn product(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) {
            for i {
                let mut w: Tensor<BitTree<Element<f64>>>;
                { for j { c[i, j] = w[j] } } where { for k, j { w[j] += a[i, k] * b[k, j] } }
            }
        }
        pub fn union(a: &Csr<f64>, b: &Csr<f64>) -> (
            c: Tensor<Dense<Hash<Element<f64>>>>, d: Tensor<Dense<UnorderedList<Element<f64>>>>, e: Coo2<f64>, f: Dcsr<f64>,
        ) {
            for i, j {
                c[i, j] = a[i, j] + b[i, j]; d[i, j] = a[i, j] + b[i, j];
                e[i, j] = a[i, j] + b[i, j]; f[i, j] = a[i, j] + b[i, j]
            }
        }
        pub fn formats(a: &SparseVec<f64>) -> (
            b: Tensor<RunList<Element<f64>>>, c: Tensor<PackBits<Element<f64>>>, d: Tensor<SparseRunList<Element<f64>>>,
            e: Tensor<SparseBlockList<Element<f64>>>, f: Tensor<SparseBand<Element<f64>>>, g: Tensor<Bitmap<Element<f64>>>,
            h: Tensor<ByteMap<Element<f64>>>, l: Tensor<Ragged<Element<f64>>>, m: Tensor<Plain<Element<f64>>>,
        ) {
            for i { b[i] = a[i]; c[i] = a[i]; d[i] = a[i]; e[i] = a[i]; f[i] = a[i]; g[i] = a[i]; h[i] = a[i]; m[i] = a[i] }
            for i { l[i] = a[i] }
        }
        pub fn in_place(a: &mut Tensor<Hash<Element<f64>>>, b: &mut DenseVec<f64>, x: &SparseVec<f64>) {
            for i { a[i] += x[i]; b[i] += sqrt(abs(x[i])) + powi(x[i], 2) }
        }
        pub fn reused(x: &SparseVec<f64>, y: SparseVec<f64>) -> (y: SparseVec<f64>) { for i { y[i] = 2 * x[i] } }
        pub fn chunks(a: &Csr<f64>, s: &mut f64) -> (y: DenseVec<f64>, z: Csr<f64>, t: DenseVec<f64>) {
            parallel for i { for j { y[i] += a[i, j]; z[i, j] = a[i, j]; s += a[i, j]; t[j] += a[i, j] } }
        }
        // What is not stored takes part.
        #[allow(deprecated)]
        pub fn least(a: &SparseVec<f64>, s: &mut (f64, usize), m: &mut f64, n: &mut u32, b: &Tensor<RunList<Element<u32>>>) {
            for i { s <<minby>>= (a[i], i); m <<min>>= max(a[i], -2); n <<max>>= b[i] }
        }
        pub fn words(a: &DenseVec<Words, NoWords>) -> (y: DenseVec<Words, NoWords>) { for i { let t = a[i]; y[i] = t } }
        pub fn complex(a: &SparseVec<Complex<f64>>) -> (y: DenseVec<Complex<f64>>) { for i { y[i] = powi(a[i], 2) + sqrt(a[i]) } }
        pub fn fallible(a: &SparseVec<f64>, b: &SparseVec<f64>) -> Result<(y: SparseVec<f64>), Error> {
            for i { y[i] = a[i::gallop] * b[i::gallop] }
        }
    }
}

use kernels::{Plain, Words};
use looplets::prelude::*;
use looplets::Element;

#[test]
fn methods_of_a_trait_in_scope_are_not_called() {
    let a: Csr<f64> = Tensor::from_dense([2, 2], &[0.0, 1.0, 2.0, 3.0]).unwrap();
    assert_eq!(kernels::product(&a, &a).to_dense(), [2.0, 3.0, 6.0, 11.0]);
    let twice = [0.0, 2.0, 4.0, 6.0];
    let (c, d, e, f) = kernels::union(&a, &a);
    assert_eq!([c.to_dense(), d.to_dense(), e.to_dense(), f.to_dense()], [twice; 4]);
    let mut s = 0.0;
    let (y, z, t) = kernels::chunks(&a, &mut s);
    assert_eq!(
        (s, y.to_dense(), z == a, t.to_dense()),
        (6.0, vec![1.0, 5.0], true, vec![2.0, 4.0])
    );
}

#[test]
fn formats_are_written_without_them() {
    let dense = [0.0, -1.0, -1.0, 4.0];
    let x: SparseVec<f64> = Tensor::from_dense([4], &dense).unwrap();
    let (b, c, d, e, f, g, h, l, m) = kernels::formats(&x);
    let all = [
        b.to_dense(),
        c.to_dense(),
        d.to_dense(),
        e.to_dense(),
        f.to_dense(),
        g.to_dense(),
        h.to_dense(),
        m.to_dense(),
    ];
    assert_eq!((all, l.to_dense()), (std::array::from_fn(|_| dense.to_vec()), dense.to_vec()));
    let m: Tensor<Plain<Element<f64>>> = Tensor::from_dense([4], &dense).unwrap();
    assert_eq!(m.to_dense(), dense);
    let mut a = Tensor::new([4]).unwrap();
    let mut b = Tensor::new([4]).unwrap();
    kernels::in_place(&mut a, &mut b, &x);
    assert_eq!((a.to_dense(), b.to_dense()), (dense.to_vec(), vec![0.0, 2.0, 2.0, 18.0]));
    let y = kernels::reused(&x, Tensor::new([4]).unwrap());
    assert_eq!(kernels::fallible(&x, &y).unwrap().to_dense(), [0.0, 2.0, 2.0, 32.0]);
}

#[test]
fn values_are_reduced_without_them() {
    let x: SparseVec<f64> = Tensor::from_dense([3], &[0.0, -3.0, 4.0]).unwrap();
    let runs = Tensor::from_dense([3], &[7u32, 7, 1]).unwrap();
    let (mut s, mut m, mut n) = ((1.0, 9), 1.0, 0);
    kernels::least(&x, &mut s, &mut m, &mut n, &runs);
    assert_eq!((s, m, n), ((-3.0, 1), -2.0, 7));
    let words = vec![Words(vec!["a".to_owned()]), Words(Vec::new())];
    let a = Tensor::from_dense([2], &words).unwrap();
    assert_eq!(kernels::words(&a).to_dense(), words);
    let z = num_complex::Complex::new(4.0, 0.0);
    let a = Tensor::from_dense([1], &[z]).unwrap();
    assert_eq!(kernels::complex(&a).to_dense(), [z * z + z.sqrt()]);
}
