//! What `level!` accepts compiles in kernels: clauses of declarations are Rust with real types, wherever they stand.

use looplets::prelude::*;

level! {
    /// A byte for each coordinate, in blocks of `W` children: entry `i` of fiber `p` is child
    /// `(p * blocks + i / W) * W + i % W`, where `blocks = len.div_ceil(W)`.
    pub struct Blocked<Child, const W: usize> {
        len: usize,
        tbl: Vec<u8>,
        child: Child,
    }
    invariant(fibers) {
        let all = fibers.checked_mul(len.div_ceil(W) * W).ok_or("too many")?;
        if tbl.len() != all { return Err(format!("{} bytes for {all} elements", tbl.len())); }
        Ok(all)
    }
    read walk, follow(p) {
        let base = p * ((len + W - 1) / W) * W;
        let end = crate::last_set(tbl, base, base + len);
        let mut q = crate::next_set::<W>(tbl, base, end);
        pipeline {
            ..end - base => stepper {
                seek(i): {
                    let from = base + i;
                    q = crate::next_set::<W>(tbl, from, end);
                },
                stop: q + 1 - base,
                body: spike(fill, child[q]),
                next: {
                    q += 1;
                    q = crate::next_set::<W>(tbl, q, end);
                },
            },
            .. => run(fill),
        }
    }
    read locate(p, i) {
        let block = p * ((len + W - 1) / W) + i / W;
        let q = block * W + i % W;
        switch {
            tbl[q] != 0 => child[block * W + (i - i / W * W)],
            _ => fill,
        }
    }
    write locate(p, i) {
        reserve(fibers) { looplets::level::grow(tbl, fibers * len.div_ceil(W) * W, 0) },
        child: (p as u64 * len.div_ceil(W) as u64 + (i / W) as u64) as usize * W + (i % W) as usize,
        entry: {
            // A name that only a text mentions, and one that is taken by a closure.
            if (0..2).any(|i| i == 7) || i as i64 == 13 {
                Err(format!("{i} of {len} is unlucky in fiber {p:>2}"))
            } else {
                Ok(())
            }
        },
        commit: {
            let i = p * len.div_ceil(W) * W + i;
            let done = Commit { i };
            tbl[done.i] = 1;
            struct Commit { i: usize }
        },
        finish(fibers) {
            tbl.truncate(fibers * len.div_ceil(W) * W);
            looplets::level::grow(tbl, fibers * len.div_ceil(W) * W, 0)
        },
        children(fibers) { fibers.checked_mul(len.div_ceil(W) * W) },
        clear: {
            for (q, set) in tbl.iter_mut().enumerate() {
                if *set != 0 {
                    *set = 0;
                    blank(q);
                }
            }
        },
    }
}

/// One past the last byte that is set.
pub fn last_set(tbl: &[u8], lo: i64, hi: i64) -> i64 {
    (lo..hi).rev().find(|q| tbl[*q as usize] != 0).map_or(lo, |q| q + 1)
}

/// The first byte that is set, from `q` on.
pub fn next_set<const W: usize>(tbl: &[u8], q: i64, hi: i64) -> i64 {
    assert!(W > 0);
    (q..hi).find(|q| tbl[*q as usize] != 0).unwrap_or(hi)
}

/// A width that only Rust knows.
pub const WIDE: usize = 4;

finch! {
    fn copied(b: &SparseVec<f64>) -> (a: Tensor<Blocked<Element<f64>, 3>>) { for i { a[i] = b[i] } }
    fn rows(b: &Csr<f64>) -> (a: Tensor<Dense<Blocked<Element<f64>, WIDE>>>) { for i, j { a[i, j] = b[i, j] } }
    fn wide<const N: usize>(b: &SparseVec<f64>) -> (a: Tensor<Blocked<Element<f64>, N>>) { for i { a[i] = b[i] } }
    fn total<const N: usize>(a: &Tensor<Blocked<Element<f64>, N>>, b: &DenseVec<f64>, c: &mut f64) {
        for i { c += a[i] * b[i::locate] }
    }
    fn at<const N: usize>(a: &Tensor<Blocked<Element<f64>, N>>, b: &SparseVec<f64>, c: &mut f64) {
        for i { c += a[i::locate] * b[i] }
    }
    fn product(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) {
        for i {
            let mut w: Tensor<Blocked<Element<f64>, 2>>;
            { for j { c[i, j] = w[j] } } where { for k, j { w[j] += a[i, k] * b[k, j] } }
        }
    }
}

fn vector(n: usize) -> SparseVec<f64> {
    let odd = (0..n).filter(|i| i % 3 == 1 && *i != 13);
    Tensor::from_triplets([n], odd.map(|i| ([i], i as f64 + 0.5)), Refuse).unwrap()
}

#[test]
fn every_clause_works_in_kernels() {
    for n in [0, 1, 2, 13, 65] {
        let b = vector(n);
        let dense = b.to_dense();
        let ones: DenseVec<f64> = Tensor::from_dense([n], &vec![1.0; n]).unwrap();
        let a = copied(&b);
        assert_eq!(a.to_dense(), dense);
        assert_eq!(b.convert::<Blocked<Element<f64>, 3>>().unwrap().to_dense(), dense);
        assert_eq!(wide::<5>(&b).to_dense(), dense);
        let (mut c, mut d) = (0.0, 0.0);
        total(&a, &ones, &mut c);
        at(&a, &b, &mut d);
        assert_eq!(c, dense.iter().sum::<f64>());
        assert_eq!(d, dense.iter().map(|x| x * x).sum::<f64>());
        let m: Csr<f64> = Tensor::from_triplets(
            [n, n],
            (0..n).flat_map(|i| {
                (0..n)
                    .filter(move |j| (i + 2 * j) % 5 == 1 && *j != 13)
                    .map(move |j| ([i, j], (i + j) as f64 + 0.25))
            }),
            Refuse,
        )
        .unwrap();
        assert_eq!(rows(&m).to_dense(), m.to_dense());
        let x = m.to_dense();
        let expected =
            (0..n * n).map(|ij| (0..n).map(|k| x[ij / n * n + k] * x[k * n + ij % n]).sum::<f64>());
        assert_eq!(product(&m, &m).to_dense(), expected.collect::<Vec<_>>());
    }
}

#[test]
fn a_text_names_what_a_clause_knows() {
    let b: SparseVec<f64> = Tensor::from_triplets([20], [([13], 1.0)], Refuse).unwrap();
    let reason = "13 of 20 is unlucky in fiber  0";
    let panic = std::panic::catch_unwind(|| copied(&b)).unwrap_err();
    let message = panic.downcast_ref::<String>().unwrap();
    assert!(message.contains(reason), "{message}");
    let error = b.convert::<Blocked<Element<f64>, 3>>().unwrap_err().to_string();
    assert!(error.contains(reason), "{error}");
}

level! {
    /// What [`Dense`] is, declared by a stranger.
    pub struct Solid<Child> {
        len: usize,
        child: Child,
    }
    // SAFETY: as for `Dense`.
    unsafe invariant(all) {
        all.checked_mul(len).ok_or_else(|| format!("{all} fibers of size {len} exceed what can be addressed"))
    }
    read locate(p, i) { child[p * len + i] }
    read walk, follow(p) { lookup(|i| child[p * len + i]) }
    split(p, i) { p * len + i }
    join(len: sum);
    write locate(p, i) {
        child: p * len + i,
        children: len,
    }
}

macro_rules! stages_over {
    ($level:ident) => {
        explain! {
            fn small(a: &Csr<f64>, _b: &Csr<f64>) -> (c: Tensor<$level<Element<f64>>>) {
                for i {
                    let mut w: Tensor<$level<Element<f64>>>[8];
                    { for j in 0..8 { c[i] += w[j] } } where { for k { for j in 0..8 { w[j] += a[i, k] * j } } }
                }
            }
            fn product(a: &Csr<f64>, x: &Tensor<$level<Element<f64>>>) -> (y: Tensor<$level<Element<f64>>>) {
                for i, j { y[i] += a[i, j] * x[j] }
            }
            fn parted(a: &Csr<f64>, x: &Tensor<$level<Element<f64>>>) -> (y: Tensor<$level<Element<f64>>>) {
                parallel for i { for j { y[i] += a[i, j] * x[j] } }
            }
            fn copies(a: &Csr<f64>, y: &mut Tensor<$level<$level<Element<f64>>>>) {
                parallel for i { for j { y[j, 0] += a[i, j] } }
            }
        }
    };
}

#[test]
fn what_a_level_states_and_not_its_name_decides() {
    let (ours, theirs) = (stages_over!(Dense), stages_over!(Solid));
    assert!(ours.contains("[f64; 8]") && ours.contains("Dense"));
    // Only the paths in what rustc reads differ, and the fingerprints of the declarations. Names are of one length,
    // so that lines break alike.
    let code = |text: &str| -> Vec<String> {
        let text = text.replace("Solid", "Dense");
        let stages = text.split("== ").filter(|s| !s.starts_with("tokens"));
        stages.flat_map(|s| s.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
    };
    let (ours, theirs) = (code(ours), code(theirs));
    assert_eq!(ours.len(), theirs.len());
    for (a, b) in ours.iter().zip(&theirs) {
        assert_eq!(a, b);
    }
}
