//! The statements of the language against the oracle: assignment, every reduction, sieve, `where`,
//! definitions, workspaces, several statements and outputs, `pass`.

extern crate looplets_oracle as oracle;
use looplets::prelude::*;
use oracle::*;

kernels! {
    fn spmv(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j] * x[j] }
    };;
    fn spmspv(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j] * x[j] }
    };;
    fn by_columns(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for j, i { y[i] += a[j, i] * x[j] }
    };;
    fn copy(a: &Csr<f64>) -> (y: DenseMat<f64>) { for i, j { y[i, j] = a[i, j] } };;
    fn overwrite(a: &SparseVec<f64>, y: &mut DenseVec<f64>) { for i { y[i] = a[i] } };;
    fn scale(a: &SparseVec<f64>, alpha: f64) -> (y: DenseVec<f64>) { for i { y[i] = alpha * a[i] } };;
    fn total(a: &Csr<f64>, c: &mut f64) { for i, j { c += a[i, j] } };;
    fn last(a: &SparseVec<f64>, c: &mut f64) { for i { c = a[i] } };;
    fn column_sums(a: &Csr<f64>) -> (y: DenseVec<f64>) { for i, j { y[j] += a[i, j] } };;
    fn matmul(a: &Csr<f64>, b: &Csr<f64>) -> (y: DenseMat<f64>) {
        for i, k, j { y[i, j] += a[i, k] * b[k, j] }
    }
}

#[test]
fn products() {
    matrices(|shape, ka, kx| {
        let a: Csr<f64> = matrix(ka, shape);
        let (x, xs, z) = (vector(kx, shape[1]), vector(kx, shape[1]), vector(kx, shape[0]));
        agree!(spmv(&a, &x));
        agree!(spmspv(&a, &xs));
        agree!(by_columns(&a, &z));
        agree!(copy(&a));
        agree!(column_sums(&a));
        let mut c = 10.0;
        agree!(total(&a, &mut c));
        let b = matrix(kx, [shape[1], shape[0]]);
        agree!(matmul(&a, &b));
    });
}

#[test]
fn vectors_in_place() {
    pairs(|n, a, y| {
        let a: SparseVec<f64> = vector(a, n);
        let mut y: DenseVec<f64> = vector(y, n);
        agree!(overwrite(&a, &mut y));
        agree!(scale(&a, 2.5));
        let mut c = 10.0;
        agree!(last(&a, &mut c));
    });
}

fn hypot(a: f64, b: f64) -> f64 {
    a * 3.0 + b
}

kernels! {
    fn add(a: &SparseVec<f64>, c: &mut f64, y: &mut DenseVec<f64>) { for i { c += a[i]; y[i] += a[i] } };;
    fn sub(a: &SparseVec<f64>, c: &mut f64, y: &mut DenseVec<f64>) { for i { c -= a[i]; y[i] -= a[i] } };;
    fn mul(a: &SparseVec<f64>, c: &mut f64, y: &mut DenseVec<f64>) { for i { c *= a[i]; y[i] *= a[i] } };;
    fn div(a: &SparseVec<f64>, c: &mut f64, y: &mut DenseVec<f64>) { for i { c /= a[i] + 16; y[i] /= a[i] + 16 } };;
    fn least(a: &SparseVec<f64>, c: &mut f64, y: &mut DenseVec<f64>) { for i { c <<min>>= a[i]; y[i] <<min>>= a[i] } };;
    fn most(a: &SparseVec<f64>, c: &mut f64, y: &mut DenseVec<f64>) { for i { c <<max>>= a[i]; y[i] <<max>>= a[i] } };;
    fn user(a: &DenseVec<f64>, c: &mut f64, y: &mut DenseVec<f64>) { for i { c <<hypot>>= a[i]; y[i] <<hypot>>= a[i] } };;
    fn user_sparse(a: &SparseVec<f64>, c: &mut f64, y: &mut DenseVec<f64>) {
        for i { c <<hypot>>= a[i]; y[i] <<hypot>>= a[i] }
    };;
    fn sum_named(a: &SparseVec<f64>, c: &mut f64, y: &mut DenseVec<f64>) { for i { c <<+>>= a[i]; y[i] <<*>>= a[i] } }
}

#[test]
fn float_reductions() {
    pairs(|n, a, y| {
        let sparse: SparseVec<f64> = vector(a, n);
        let dense: DenseVec<f64> = vector(a, n);
        let start: DenseVec<f64> = vector(y, n);
        macro_rules! each {
            ($a:ident: $($k:ident),*) => {$(
                let (mut c, mut y) = (-1.0, start.clone());
                agree!($k(&$a, &mut c, &mut y); "hypot" => |v| Val::Float(hypot(v[0].float(), v[1].float())));
            )*};
        }
        each!(sparse: add, sub, mul, div, least, most, sum_named, user_sparse);
        each!(dense: user);
    });
}

kernels! {
    fn iadd(a: &SparseVec<i64>, c: &mut i64, y: &mut DenseVec<i64>) { for i { c += a[i]; y[i] += a[i] } };;
    fn isub(a: &SparseVec<i64>, c: &mut i64, y: &mut DenseVec<i64>) { for i { c -= a[i]; y[i] -= a[i] } };;
    fn imul(a: &SparseVec<i64>, c: &mut i64, y: &mut DenseVec<i64>) { for i { c *= a[i]; y[i] *= a[i] } };;
    fn idiv(a: &SparseVec<i64>, c: &mut i64, y: &mut DenseVec<i64>) { for i { c /= a[i] + 17; y[i] /= a[i] + 17 } };;
    fn irem(a: &SparseVec<i64>, c: &mut i64, y: &mut DenseVec<i64>) { for i { c %= a[i] + 17; y[i] %= a[i] + 17 } };;
    fn iand(a: &SparseVec<i64>, c: &mut i64, y: &mut DenseVec<i64>) { for i { c &= a[i]; y[i] &= a[i] } };;
    fn ior(a: &SparseVec<i64>, c: &mut i64, y: &mut DenseVec<i64>) { for i { c |= a[i]; y[i] |= a[i] } };;
    fn ixor(a: &SparseVec<i64>, c: &mut i64, y: &mut DenseVec<i64>) { for i { c ^= a[i]; y[i] ^= a[i] } };;
    fn ishl(a: &SparseVec<i64>, c: &mut i64, y: &mut DenseVec<i64>) { for i { c <<= a[i] * a[i] % 3; y[i] <<= 1 } };;
    fn ishr(a: &SparseVec<i64>, c: &mut i64, y: &mut DenseVec<i64>) { for i { c >>= a[i] * a[i] % 3; y[i] >>= 1 } };;
    fn imin(a: &SparseVec<i64>, c: &mut i64, y: &mut DenseVec<i64>) { for i { c <<min>>= a[i]; y[i] <<min>>= a[i] } };;
    fn imax(a: &SparseVec<i64>, c: &mut i64, y: &mut DenseVec<i64>) { for i { c <<max>>= a[i]; y[i] <<max>>= a[i] } }
}

#[test]
fn integer_reductions() {
    pairs(|n, a, y| {
        let a: SparseVec<i64> = vector(a, n);
        let start: DenseVec<i64> = vector(y, n);
        macro_rules! each {
            ($($k:ident),*) => {$(
                let (mut c, mut y) = (29, start.clone());
                agree!($k(&a, &mut c, &mut y));
            )*};
        }
        each!(iadd, isub, imul, idiv, irem, iand, ior, ixor, ishl, ishr, imin, imax);
    });
}

kernels! {
    fn all(a: &SparseVec<bool>, c: &mut bool, y: &mut DenseVec<bool>) { for i { c &&= a[i]; y[i] &&= a[i] } };;
    fn any(a: &SparseVec<bool>, c: &mut bool, y: &mut DenseVec<bool>) { for i { c ||= a[i]; y[i] ||= a[i] } };;
    fn and(a: &SparseVec<bool>, c: &mut bool, y: &mut DenseVec<bool>) { for i { c &= a[i]; y[i] &= a[i] } };;
    fn or(a: &SparseVec<bool>, c: &mut bool, y: &mut DenseVec<bool>) { for i { c |= a[i]; y[i] |= a[i] } };;
    fn parity(a: &SparseVec<bool>, c: &mut bool, y: &mut DenseVec<bool>) { for i { c ^= a[i]; y[i] ^= a[i] } };;
    fn nor(a: &SparseVec<bool>, c: &mut bool, y: &mut DenseVec<bool>) { for i { c ||= !a[i]; y[i] ||= !a[i] } }
}

#[test]
fn boolean_reductions() {
    pairs(|n, a, y| {
        let a: SparseVec<bool> = vector(a, n);
        let start: DenseVec<bool> = vector(y, n);
        macro_rules! each {
            ($($k:ident),*) => {$(
                for mut c in [true, false] {
                    let mut y = start.clone();
                    agree!($k(&a, &mut c, &mut y));
                }
            )*};
        }
        each!(all, any, and, or, parity, nor);
    });
}

kernels! {
    fn sieve(a: &SparseVec<f64>, b: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i { if a[i] > b[i] { y[i] = a[i] } else { y[i] = -b[i] } }
    };;
    fn chain(a: &SparseVec<f64>, b: &SparseVec<f64>, c: &mut f64, d: &mut f64) {
        for i {
            if a[i] > 2 { c += b[i] } else if a[i] < 0 || b[i] == 1 { d += 1 } else { c -= 1; d *= 2 }
        }
    };;
    fn strictly_upper(a: &Csr<f64>) -> (y: DenseMat<f64>) {
        for i, j { if i < j { y[i, j] = a[i, j] } }
    };;
    fn tail(a: &SparseVec<f64>, n: usize) -> (y: DenseVec<f64>) {
        for i { if i >= n && i != 3 { y[i] = a[i] } else { y[i] = 9 } }
    };;
    fn nested(a: &Csr<f64>, c: &mut f64) {
        for i { if i != 1 { for j { if a[i, j] != 0 { c += a[i, j] * (j + 1) } } } }
    }
}

#[test]
fn sieves() {
    pairs(|n, ka, kb| {
        let a: SparseVec<f64> = vector(ka, n);
        let (b, bs) = (vector(kb, n), vector(kb, n));
        agree!(sieve(&a, &b));
        let (mut c, mut d) = (0.0, 1.0);
        agree!(chain(&a, &bs, &mut c, &mut d));
        agree!(tail(&a, 2));
    });
    matrices(|shape, ka, _| {
        let a: Csr<f64> = matrix(ka, shape);
        agree!(strictly_upper(&a));
        let mut c = 0.0;
        agree!(nested(&a, &mut c));
    });
}

kernels! {
    fn normalise(a: &Csr<f64>) -> (y: DenseVec<f64>) {
        for i { { y[i] = t * t } where { for j { t += a[i, j] } } }
    };;
    fn declared(a: &Csr<f64>) -> (y: DenseMat<f64>) {
        for i {
            let mut t: f64;
            for j { t += a[i, j] }
            for j { y[i, j] = a[i, j] * t }
        }
    };;
    fn inferred(a: &Csr<f64>) -> (y: DenseVec<f64>) {
        let mut w: DenseVec<f64>;
        for i, j { w[j] += a[i, j] }
        for i, j { y[i] += a[i, j] * w[j] }
    };;
    fn definitions(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for i { let s = a[i] + b[i]; let p = s * 2; y[i] = s * p - 2 }
    };;
    fn literals(a: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        let two = 2;
        for i { y[i] = a[i] * two - two }
    };;
    fn gustavson(a: &Csr<f64>, b: &Csr<f64>, m: usize) -> (c: Csr<f64>) {
        for i {
            let mut w: DenseVec<f64>[m];
            { for j { c[i, j] = w[j] } } where { for k, j { w[j] += a[i, k] * b[k, j] } }
        }
    };;
    fn minimum(a: &Csr<f64>) -> (y: DenseVec<f64>) {
        let mut w: DenseVec<f64, Inf>;
        for i, j { w[i] <<min>>= a[i, j] }
        for i { y[i] = w[i] }
    };;
    fn sized_by_workspace(a: &Csr<f64>, n: usize) -> (y: DenseVec<f64>) {
        let mut w: DenseVec<f64, Inf>[n];
        for i, j { w[i] <<min>>= a[i, j] }
        for i { y[i] = w[i] }
    };;
    fn sized_twice(a: &Csr<f64>, n: usize) -> (y: DenseVec<f64>[n]) {
        let mut w: DenseVec<f64, Inf>[n];
        for i, j { w[i] <<min>>= a[i, j] }
        for i { y[i] = w[i] }
    };;
    fn shadowed(a: &SparseVec<f64>, c: &mut f64) {
        for i { let s = a[i]; { let t = s + 1; c += t } c += s }
    }
}

#[test]
fn workspaces() {
    matrices(|shape, ka, kb| {
        let a: Csr<f64> = matrix(ka, shape);
        agree!(normalise(&a));
        agree!(declared(&a));
        agree!(inferred(&a));
        let b: Csr<f64> = matrix(kb, [shape[1], shape[0]]);
        agree!(gustavson(&a, &b, shape[0]));
        agree!(minimum(&a));
        agree!(sized_by_workspace(&a, shape[0]));
        agree!(sized_twice(&a, shape[0]));
    });
    pairs(|n, ka, kb| {
        let (a, b): (SparseVec<f64>, SparseVec<f64>) = (vector(ka, n), vector(kb, n));
        agree!(definitions(&a, &b));
        agree!(literals(&a));
        let mut c = 0.5;
        agree!(shadowed(&a, &mut c));
    });
}

kernels! {
    fn many(a: &SparseVec<f64>, b: &SparseVec<f64>, c: &mut f64) -> (y: DenseVec<f64>, z: SparseVec<f64>, w: DenseVec<f64>) {
        for i { y[i] = a[i] + b[i]; z[i] = a[i] * b[i] }
        for i { w[i] = a[i] - b[i]; c += a[i] };
        for k { w[k] *= b[k] }
    };;
    fn passes(a: &SparseVec<f64>, flag: bool) -> (y: DenseVec<f64>, z: DenseVec<f64>[3]) {
        for i { if flag { y[i] = a[i] } else { pass y } }
        pass z;
    };;
    fn nothing(c: &mut f64) { pass c; };;
    fn scalars(n: u64, c: &mut u64, d: &mut f64) { c += n * 2; d = 1.5; if n > 3 { c = 0 } }
}

#[test]
fn several_statements() {
    pairs(|n, ka, kb| {
        let (a, b): (SparseVec<f64>, SparseVec<f64>) = (vector(ka, n), vector(kb, n));
        let mut c = 1.0;
        agree!(many(&a, &b, &mut c));
        agree!(passes(&a, true));
        agree!(passes(&a, false));
    });
    for n in [0, 3, 4] {
        let (mut c, mut d) = (7, 0.0);
        agree!(scalars(n, &mut c, &mut d));
        agree!(nothing(&mut d));
    }
}

mod wrong {
    //! The text of a kernel that computes something else.
    pub(super) const TEXT: &str =
        "fn wrong(a: &SparseVec<f64>, c: &mut f64) { for i { c += 2 * a[i] } }";
}
finch! {
    fn wrong(a: &SparseVec<f64>, c: &mut f64) { for i { c += a[i] } }
}

#[test]
#[should_panic(expected = "but should be")]
fn the_oracle_notices() {
    let (a, mut c) = (vector(1, 3), 0.0);
    agree!(wrong(&a, &mut c));
}
