//! Names in declarations mean what they mean where those stand, in whatever module kernels are.
#![forbid(unsafe_code)]

mod there {
    use looplets::prelude::*;

    level! {
        /// The entries of each fiber, in order; every call is of a function of this module alone.
        pub struct Listed<Child, const ODD: bool = true> {
            len: usize,
            pos: Vec<usize>,
            crd: Vec<u32>,
            child: Child,
        }
        invariant(fibers) { checked(len, fibers, pos, crd) }
        read walk, follow(p) {
            let begin = first(pos, p);
            let end = first(pos, p + 1);
            let stop = if some(begin, end) { at(crd, end - 1) + 1 } else { 0 };
            let mut q = begin;
            let mut steps = 0;
            pipeline {
                ..stop => stepper {
                    seek(i): { q = from(crd, q, end, i); },
                    stop: at(crd, q) + 1,
                    body: spike(fill, child[same(q) + 0 * steps]),
                    next: {
                        match parity(q) {
                            0 => { q += 1; steps += one(); }
                            _ => q = next(q),
                        }
                    },
                },
                .. => run(fill),
            }
        }
        read locate(p, i) {
            let q = from(crd, pos[p], pos[p + 1], i);
            switch {
                some(q, pos[p + 1]) && !other(crd[q] as u32, i) => child[q],
                _ => fill,
            }
        }
        write append(p, i) {
            open: { begin(pos, p, crd.len()) },
            entry: {
                if unlucky(i) { return Err(format!("{i} is {}", luck())); }
                Ok(())
            },
            child: place(crd.len()),
            commit: { put(crd, i); },
            finish(fibers) { begin(pos, fibers, crd.len()) },
            children(fibers) { counted(crd) },
        }
    }

    level! {
        /// Halves of the values that it has.
        pub struct Halves {
            twice: Vec<f64>,
        }
        leaf f64 = crate::there::Least;
        invariant(fibers) { if twice.len() == fibers { Ok(0) } else { Err("other values".to_owned()) } }
        read value(p) { half(twice[place(p)]) }
    }

    looplets::fill! {
        /// What is not stored.
        pub fill Least: f64 = -1.5;
    }

    level! {
        /// All elements, turned by `N`.
        pub struct Turned<Child, const N: usize> {
            len: usize,
            child: Child,
        }
        invariant(fibers) { fibers.checked_mul(len).ok_or_else(|| "too many".to_owned()) }
        read walk, follow(p) { lookup(|i| child[p * len + turn::<N>(i, len)]) }
        read locate(p, i) { child[p * len + turn::<N>(i, len)] }
        write locate(p, i) { child: p * len + turned(N, i, len), children: len }
    }

    fn checked(len: usize, fibers: usize, pos: &[usize], crd: &[u32]) -> Result<usize, String> {
        let starts = pos.len() == fibers + 1 && pos[0] == 0 && pos[fibers] == crd.len();
        if !starts || pos.windows(2).any(|w| w[0] > w[1]) || crd.iter().any(|c| *c as usize >= len)
        {
            return Err("the starts of fibers are wrong".to_owned());
        }
        Ok(crd.len())
    }
    fn first(pos: &[usize], p: i64) -> i64 {
        pos[p as usize] as i64
    }
    fn some(begin: i64, end: i64) -> bool {
        begin < end
    }
    fn at(crd: &[u32], q: i64) -> i64 {
        i64::from(crd[q as usize])
    }
    fn from(crd: &[u32], q: i64, end: i64, i: i64) -> i64 {
        (q..end).find(|q| at(crd, *q) >= i).unwrap_or(end)
    }
    fn same(q: i64) -> i64 {
        q
    }
    fn parity(q: i64) -> i64 {
        q % 2
    }
    fn one() -> i64 {
        1
    }
    fn next(q: i64) -> i64 {
        q + 1
    }
    fn other(c: u32, i: i64) -> bool {
        i64::from(c) != i
    }
    fn unlucky(i: usize) -> bool {
        i == 13
    }
    fn luck() -> &'static str {
        "unlucky"
    }
    fn place(q: usize) -> usize {
        q
    }
    fn put(crd: &mut Vec<u32>, i: usize) {
        crd.push(i as u32);
    }
    fn begin(pos: &mut Vec<usize>, p: usize, count: usize) -> Result<(), String> {
        pos.truncate(p + 1);
        looplets::level::grow(pos, p + 1, count)
    }
    fn counted(crd: &[u32]) -> Option<usize> {
        Some(crd.len())
    }
    fn half(x: f64) -> f64 {
        x / 2.0
    }
    fn turn<const N: usize>(i: i64, len: i64) -> i64 {
        (i + N as i64) % len
    }
    fn turned(n: usize, i: usize, len: usize) -> usize {
        (i + n) % len
    }
}

/// Nothing of what the declarations mean is in scope here, and what has a name of theirs is wrong.
mod here {
    use super::there::{Halves, Listed, Turned};
    use looplets::prelude::{
        finch, Csr, Dense, DenseVec, Element, Error, SparseList, SparseVec, Tensor,
    };

    #[allow(dead_code)]
    fn first(_: &[usize], _: i64) -> i64 {
        panic!("another `first`")
    }
    #[allow(dead_code)]
    fn half(x: f64) -> f64 {
        x * 7.0
    }
    #[allow(dead_code)]
    fn place(q: usize) -> usize {
        q + 1
    }

    finch! {
        pub fn copied(b: &SparseVec<f64>) -> Result<(a: Tensor<Listed<Element<f64>>>), Error> { for i { a[i] = b[i] } }
        pub fn rows(b: &Csr<f64>) -> (a: Tensor<Dense<Listed<Element<f64>>>>) { for i, j { a[i, j] = b[i, j] } }
        pub fn product(a: &Tensor<Listed<Element<f64>>>, b: &Tensor<Listed<Element<f64>>>, c: &mut f64) {
            for i { c += a[i] * b[i] }
        }
        pub fn looked_up(a: &Tensor<Listed<Element<f64>>>, b: &SparseVec<f64>, c: &mut f64) {
            for i { c += a[i::locate] * b[i] }
        }
        pub fn halves(a: &Tensor<SparseList<Halves>>) -> (y: DenseVec<f64>) { for i { y[i] = a[i] } }
        pub fn turned(a: &Tensor<Turned<Element<f64>, 1>>, b: &Tensor<Turned<Element<f64>, 2>>) -> (c: DenseVec<f64>) {
            for i { c[i] = a[i] + 100 * b[i] }
        }
        pub fn turning(a: &DenseVec<f64>) -> (b: Tensor<Turned<Element<f64>, 3>>) { for i { b[i] = a[i] } }
    }
}

use looplets::prelude::*;

#[test]
fn helpers_of_levels() {
    for n in [0, 1, 2, 12, 65] {
        let value = |i: usize| i as f64 - 7.25;
        let b: SparseVec<f64> = Tensor::from_triplets(
            [n],
            (0..n).filter(|i| i % 3 != 1 && *i != 13).map(|i| ([i], value(i))),
            Refuse,
        )
        .unwrap();
        let a = here::copied(&b).unwrap();
        let dense = b.to_dense();
        assert_eq!(a.to_dense(), dense);
        let square = dense.iter().map(|x| x * x).sum::<f64>();
        let (mut c, mut d) = (0.0, 0.0);
        here::product(&a, &a, &mut c);
        here::looked_up(&a, &b, &mut d);
        assert_eq!((c, d), (square, square));
        let all: DenseVec<f64> =
            Tensor::from_dense([n], &(0..n).map(value).collect::<Vec<_>>()).unwrap();
        let b = here::turning(&all);
        assert_eq!(b.to_dense(), all.to_dense());
        let values = Element::new((0..n).map(value).collect());
        let one = Tensor::from_parts(there::Turned::<_, 1>::new(n, values.clone())).unwrap();
        let two = Tensor::from_parts(there::Turned::<_, 2>::new(n, values)).unwrap();
        let want = (0..n).map(|i| value((i + 1) % n) + 100.0 * value((i + 2) % n));
        assert_eq!(here::turned(&one, &two).to_dense(), want.collect::<Vec<_>>());
    }
    let b: SparseVec<f64> = Tensor::from_triplets([20], [([13], 1.0)], Refuse).unwrap();
    let error = here::copied(&b).unwrap_err().to_string();
    assert!(error.contains("13 is unlucky"), "{error}");
    let m: Csr<f64> =
        Tensor::from_triplets([3, 4], [([0, 1], 1.5), ([2, 0], -0.25), ([2, 3], 2.0)], Refuse)
            .unwrap();
    assert_eq!(here::rows(&m).to_dense(), m.to_dense());
}

#[test]
fn helpers_and_fills_of_leaves() {
    let leaf = there::Halves::new(vec![3.0, f64::INFINITY, -0.0]);
    let list = SparseList::new(5, vec![0, 3], vec![0_u32, 2, 3], leaf);
    let a = Tensor::from_parts(list).unwrap();
    assert_eq!(here::halves(&a).to_dense(), [1.5, -1.5, f64::INFINITY, -0.0, -1.5]);
}
