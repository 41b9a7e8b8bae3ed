//! Programs on images as they are known: convolution, blending, comparing, joining, erosion,
//! histograms, windows. Each against the oracle and against plain Rust, and run lengths stay run lengths.

// What these kernels cost and start at is on purpose.
#![allow(deprecated)]

#[macro_use]
extern crate looplets_oracle as oracle;
#[macro_use]
mod known;
use known::*;
use looplets::prelude::*;
use oracle::*;

level! { type Rle<T> = Tensor<Dense<RunList<Element<T>>>>; }
level! { type SparseRle<T> = Tensor<Dense<SparseRunList<Element<T>>>>; }
level! { type Packed<T> = Tensor<Dense<PackBits<Element<T>>>>; }
level! { type Blocked<T> = Tensor<Dense<SparseBlockList<Element<T>>>>; }
level! { type Bytes<T> = Tensor<Dense<ByteMap<Element<T>>>>; }
level! { type Mask = Tensor<Dense<SparseList<Pattern>>>; }
level! { type BitMask = Tensor<Dense<Bitmap<Pattern>>>; }
level! { type Runs<T> = Tensor<RunList<Element<T>>>; }

const IMAGES: [[usize; 2]; 7] = [[0, 0], [0, 4], [3, 0], [1, 1], [1, 9], [6, 1], [5, 7]];

/// Shapes, and images of few colours: nothing, one colour, stripes, a square, a chessboard, noise.
fn images(mut f: impl FnMut([usize; 2], &dyn Fn(usize, usize) -> u8)) {
    for shape in IMAGES {
        f(shape, &|_, _| 0);
        f(shape, &|_, _| 3);
        f(shape, &|_, j| (j / 3 % 3) as u8);
        f(shape, &|i, j| u8::from((1..6).contains(&i) && (1..5).contains(&j)) * 2);
        f(shape, &|i, j| ((i + j) % 2) as u8);
        for seed in 5..7 {
            f(shape, &|i, j| ((i * i * 7 + j * 3 + i * j * j) % seed % 4) as u8);
        }
    }
}

/// An image of these colours as any format.
fn image<L: Level>(shape: [usize; 2], f: impl Fn(usize, usize) -> L::Value) -> Tensor<L>
where
    L::Value: PartialEq,
{
    Tensor::from_dense(shape, &build(&shape, |at| f(at[0], at[1]))).unwrap()
}

/// How many runs the rows of a matrix have.
fn runs<T: PartialEq>(shape: [usize; 2], all: &[T]) -> usize {
    let rows = all.chunks(shape[1].max(1)).take(shape[0]);
    rows.map(|row| 1 + row.windows(2).filter(|w| w[0] != w[1]).count()).sum()
}

macro_rules! convolutions {
    ($($name:ident: $A:ty;)*) => {$(
        mod $name {
            use super::*;
            kernels! {
                fn masked(a: &$A, f: &DenseMat<f64>) -> (c: DenseMat<f64>) {
                    for i, k, j, l {
                        c[i, k] += (a[i, k] != 0) * coalesce(a[permit[i + j - 5], permit[k + l - 5]], 0) * f[j, l]
                    }
                };;
                fn whole(a: &$A, f: &DenseMat<f64>, m: usize, n: usize) -> (c: DenseMat<f64>[m, n]) {
                    for i, j, k, l { c[i, k] += coalesce(a[permit[i + j - 1], permit[k + l - 1]], 0) * f[j, l] }
                };;
                fn sums(a: &$A, m: usize, n: usize) -> (c: DenseMat<f64>[m, n]) {
                    for i in 0..m { for j in 0..2 { for k in 0..n { for l in 0..3 { c[i, k] += a[i + j, k + l] } } } }
                };;
                fn sum_within(a: &$A, t: usize, b: usize, l: usize, r: usize, c: &mut f64) {
                    for i, j { c += a[window(t, b)[i], window(l, r)[j]] }
                };;
                fn largest_within(a: &$A, r: usize, n: usize) -> (c: DenseMat<f64>) {
                    for i { for k in 0..n { for l in 0..2 * r + 1 { c[i, k] <<max>>= a[i, permit[k + l - r]] } } }
                }
            }
            #[test]
            fn is_known() {
                images(|shape, colour| {
                    let [m, n] = shape;
                    let a = image(shape, |i, j| f64::from(colour(i, j)));
                    let p = plainly(&a);
                    let f: DenseMat<f64> = image([11, 11], |j, l| ((j * 3 + l) % 5) as f64 - 1.0);
                    let g: DenseMat<f64> = image([3, 3], |j, l| (1 + j + 4 * l) as f64);
                    let sum = |at: &[usize], f: &Plainly<f64>| {
                        let size = f.shape[0];
                        let taps = build(&[size, size], |tap| {
                            let place = |d: usize| (at[d] + tap[d]) as i64 - size as i64 / 2;
                            p.around([place(0), place(1)]).unwrap_or(0.0) * f.at(tap)
                        });
                        taps.iter().sum::<f64>()
                    };
                    let (pf, pg) = (plainly(&f), plainly(&g));
                    known!(masked(&a, &f) => build(&shape, |at| if p.at(at) != 0.0 { sum(at, &pf) } else { 0.0 }));
                    known!(whole(&a, &g, m, n) => build(&shape, |at| sum(at, &pg)));
                    let (ms, ns) = (m.saturating_sub(1), n.saturating_sub(2));
                    let block = |at: &[usize]| build(&[2, 3], |d| p.at(&[at[0] + d[0], at[1] + d[1]])).iter().sum::<f64>();
                    known!(sums(&a, ms, ns) => build(&[ms, ns], block));
                    for [t, b, l, r] in [[0, m, 0, n], [m / 2, m, 0, n / 2], [m / 3, m / 2, n / 3, n - n / 4], [m, m, 0, n]] {
                        let mut c = 0.0;
                        agree!(sum_within(&a, t, b, l, r, &mut c));
                        assert_eq!(c, build(&[b - t, r - l], |at| p.at(&[t + at[0], l + at[1]])).iter().sum::<f64>());
                    }
                    for r in [0, 1, 3] {
                        let near = |at: &[usize]| (at[1].saturating_sub(r)..n.min(at[1] + r + 1)).map(|k| p.at(&[at[0], k])).fold(0.0, f64::max);
                        let want = build(&shape, near);
                        known!(largest_within(&a, r, n) => want);
                    }
                });
            }
        }
    )*};
}

convolutions! {
    convolution_of_lists: Csr<f64>;
    convolution_of_bits: BitMat<f64>;
    convolution_of_runs: Rle<f64>;
    convolution_of_sparse_runs: SparseRle<f64>;
    convolution_of_blocks: Blocked<f64>;
    convolution_of_dense: DenseMat<f64>;
}

fn mix(a: u8, b: u8) -> u8 {
    (f64::from(a) * 0.25 + f64::from(b) * 0.75).round() as u8
}

/// Blends of two images, and how many pieces the result may have.
macro_rules! blends {
    ($($name:ident: $A:ident, $B:ident => $Y:ident $(, $as_runs:ident)?;)*) => {$(
        mod $name {
            use super::*;
            kernels! {
                fn blend(a: &$A<f64>, b: &$B<f64>, alpha: f64, beta: f64) -> (y: $Y<f64>) {
                    for i, j { y[i, j] = alpha * a[i, j] + beta * b[i, j] }
                };;
                fn rounded(a: &$A<u8>, b: &$B<u8>) -> (y: $Y<u8>) { for i, j { y[i, j] = mix(a[i, j], b[i, j]) } };;
                fn through_mask(a: &$A<u8>, b: &$B<u8>, mask: &Mask) -> (y: $Y<u8>) {
                    for i, j { y[i, j] = ifelse(mask[i, j], a[i, j], b[i, j]) }
                };;
                fn brighter(a: &$A<u8>, b: &$B<u8>) -> (y: $Y<u8>) { for i, j { y[i, j] = max(a[i, j], b[i, j]) } }
            }
            #[test]
            fn is_known() {
                images(|shape, colour| {
                    let second = |i: usize, j: usize| (i / 2 + j / 4) as u8 % 3;
                    let a = image(shape, |i, j| f64::from(colour(i, j)));
                    let b = image(shape, |i, j| f64::from(second(i, j)));
                    for (alpha, beta) in [(0.25, 0.75), (0.0, 1.0), (1.0, 0.0)] {
                        let want = build(&shape, |at| alpha * f64::from(colour(at[0], at[1])) + beta * f64::from(second(at[0], at[1])));
                        let y = known!(blend(&a, &b, alpha, beta) => want);
                        // As many runs as the result has, where the inputs' runs meet equal ones too.
                        $(assert_eq!(y.stored(), $as_runs(shape, &want), "{y:?}");)?
                        let _ = y;
                    }
                    let (a, b) = (image(shape, colour), image(shape, second));
                    let both = |f: fn(u8, u8) -> u8| build(&shape, |at| f(colour(at[0], at[1]), second(at[0], at[1])));
                    known!(rounded(&a, &b); "mix" => |v| Val::Int(mix(v[0].int() as u8, v[1].int() as u8).into()) => both(mix));
                    known!(brighter(&a, &b) => both(u8::max));
                    let mask = image(shape, |i, j| (i + j) % 3 == 1);
                    known!(through_mask(&a, &b, &mask) => build(&shape, |at| if (at[0] + at[1]) % 3 == 1 { colour(at[0], at[1]) } else { second(at[0], at[1]) }));
                });
            }
        }
    )*};
}

blends! {
    blend_of_runs: Rle, Rle => Rle, runs;
    blend_of_sparse_runs: SparseRle, SparseRle => SparseRle;
    blend_of_runs_and_dense: Rle, DenseMat => Rle;
    blend_of_packed_images: Packed, Rle => Packed;
    blend_of_lists_into_dense: Csr, Rle => DenseMat;
    blend_of_bytes: Bytes, SparseRle => Bytes;
}

kernels! {
    fn similar(a: &Rle<f64>, n: usize) -> (o: DenseMat<f64>) {
        let mut r: DenseVec<f64>[n];
        {
            for k, l { { o[k, l] = sqrt(r[k] + r[l] - 2 * d) } where { for p { d += a[k, p] * a[l, p] } } }
        } where {
            for k, p { r[k] += a[k, p] * a[k, p] }
        }
    };;
    fn similar_lists(a: &Csr<f64>) -> (o: DenseMat<f64>) {
        for k, l { { o[k, l] = sqrt(d) } where { for p { d += (a[k, p] - a[l, p]) * (a[k, p] - a[l, p]) } } }
    };;
    fn similar_bits(a: &BitMat<f64>, b: &Rle<f64>) -> (o: DenseMat<f64>) {
        for k, l { { o[k, l] = sqrt(r + s - 2 * d) } where {
            for p { r += a[k, p] * a[k, p]; s += b[l, p] * b[l, p]; d += a[k, p] * b[l, p] }
        } }
    }
}

/// Each row is an image.
#[test]
fn similarity_of_all_pairs() {
    images(|shape, colour| {
        let runs = image(shape, |i, j| f64::from(colour(i, j)));
        let (lists, bits) = (runs.convert().unwrap(), runs.convert().unwrap());
        let (p, [n, pixels]) = (plainly(&runs), shape);
        let square = |k, l, j| {
            let d: f64 = p.at(&[k, j]) - p.at(&[l, j]);
            d * d
        };
        let difference = |k, l| (0..pixels).map(|j| square(k, l, j)).sum::<f64>();
        let want = build(&[n, n], |at| difference(at[0], at[1]).sqrt());
        known!(similar(&runs, n) => want);
        known!(similar_lists(&lists) => want);
        known!(similar_bits(&bits, &runs) => want);
    });
}

/// Erosion: a pixel stays if it and its neighbours are set; what lies outside counts as set, or does not.
macro_rules! erosions {
    ($($name:ident: $A:ty => $Y:ty $(, $as_runs:ident)?;)*) => {$(
        mod $name {
            use super::*;
            kernels! {
                fn rows(a: &$A) -> (y: $Y) {
                    for i, j { y[i, j] = coalesce(a[i, permit[j - 1]], true) && a[i, j] && coalesce(a[i, permit[j + 1]], true) }
                };;
                fn columns(a: &$A) -> (y: $Y) {
                    for i, j { y[i, j] = coalesce(a[permit[i - 1], j], true) && a[i, j] && coalesce(a[permit[i + 1], j], true) }
                };;
                fn cross(a: &$A) -> (y: $Y) {
                    for i, j {
                        y[i, j] = coalesce(a[permit[i - 1], j], false) && coalesce(a[i, permit[j - 1]], false) && a[i, j]
                            && coalesce(a[i, permit[j + 1]], false) && coalesce(a[permit[i + 1], j], false)
                    }
                };;
                fn square(a: &$A, m: usize, n: usize) -> (y: DenseMat<bool, True>) {
                    for i in 0..m { for k in 0..3 { for l in 0..3 { for j in 0..n { y[i, j] &&= coalesce(a[permit[i + k - 1], permit[j + l - 1]], true) } } } }
                };;
                fn dilated(a: &$A) -> (y: $Y) {
                    for i, j { y[i, j] = coalesce(a[i, permit[j - 1]], false) || a[i, j] || coalesce(a[i, permit[j + 1]], false) }
                }
            }
            #[test]
            fn is_known() {
                images(|shape, colour| {
                    let a = image(shape, |i, j| colour(i, j) > 0);
                    let p = plainly(&a);
                    let set = |at: &[usize], di: i64, dj: i64, outside| p.around([at[0] as i64 + di, at[1] as i64 + dj]).unwrap_or(outside);
                    let want = build(&shape, |at| (-1..2).all(|d| set(at, 0, d, true)));
                    let y = known!(rows(&a) => want);
                    $(assert_eq!(y.stored(), $as_runs(shape, &want), "{y:?}");)?
                    let _ = y;
                    let want = build(&shape, |at| (-1..2).all(|d| set(at, d, 0, true)));
                    known!(columns(&a) => want);
                    known!(cross(&a) => build(&shape, |at| (-1..2).all(|d| set(at, d, 0, false) && set(at, 0, d, false))));
                    known!(square(&a, shape[0], shape[1]) => build(&shape, |at| (-1..2).all(|di| (-1..2).all(|dj| set(at, di, dj, true)))));
                    known!(dilated(&a) => build(&shape, |at| (-1..2).any(|d| set(at, 0, d, false))));
                });
            }
        }
    )*};
}

erosions! {
    erosion_of_runs: Rle<bool> => Rle<bool>, runs;
    erosion_of_sparse_runs: SparseRle<bool> => SparseRle<bool>;
    erosion_of_bits: BitMask => BitMask;
    erosion_of_stored_bits: BitMat<bool> => BitMat<bool>;
    erosion_of_lists: Mask => Mask;
    erosion_of_dense: DenseMat<bool> => DenseMat<bool>;
}

macro_rules! histograms {
    ($($name:ident: $I:ty, $M:ty;)*) => {$(
        mod $name {
            use super::*;
            kernels! {
                fn masked(img: &$I, mask: &$M) -> (h: DenseVec<u64>[4]) { for i, j { h[img[i, j]] += mask[i, j] } };;
                fn sieved(img: &$I, mask: &$M) -> (h: DenseVec<u64>[4]) { for i, j { if mask[i, j] { h[img[i, j]] += 1 } } };;
                fn brightest(img: &$I, best: &mut (u8, usize, usize)) { for i, j { best <<maxby>>= (img[i, j], i, j) } };;
                fn darkest_masked(img: &$I, mask: &$M, best: &mut (u8, usize, usize)) {
                    for i, j { if mask[i, j] { best <<minby>>= (img[i, j], i, j) } }
                }
            }
            #[test]
            fn is_known() {
                images(|shape, colour| {
                    let kept = |i: usize, j: usize| (i * 2 + j) % 3 != 1;
                    let (img, mask) = (image(shape, colour), image(shape, kept));
                    let all = build(&shape, |at| (colour(at[0], at[1]), at[0], at[1]));
                    let masked_of = || all.iter().copied().filter(|(_, i, j)| kept(*i, *j));
                    let want: Vec<u64> = (0..4).map(|c| masked_of().filter(|p| p.0 == c).count() as u64).collect();
                    known!(masked(&img, &mask) => want);
                    known!(sieved(&img, &mask) => want);
                    let mut best = (0, 9, 9);
                    agree!(brightest(&img, &mut best));
                    assert_eq!(best, all.iter().copied().fold((0, 9, 9), |b, p| if p.0 > b.0 { p } else { b }));
                    let mut best = (u8::MAX, 9, 9);
                    agree!(darkest_masked(&img, &mask, &mut best));
                    assert_eq!(best, masked_of().fold((u8::MAX, 9, 9), |b, p| if p.0 < b.0 { p } else { b }));
                });
            }
        }
    )*};
}

histograms! {
    histogram_of_dense: DenseMat<u8>, DenseMat<bool>;
    histogram_of_runs: Rle<u8>, Mask;
    histogram_under_bits: Packed<u8>, BitMask;
    histogram_under_runs: SparseRle<u8>, Rle<bool>;
    histogram_of_lists: Csr<u8>, SparseRle<bool>;
}

macro_rules! joined {
    ($($name:ident: $A:ty, $B:ty => $Y:ty $(, $as_runs:ident)?;)*) => {$(
        mod $name {
            use super::*;
            kernels! {
                fn beside(a: &$A, b: &$B, n: usize, all: usize) -> (y: $Y) {
                    for i { for j in 0..all { y[i, j] = coalesce(a[i, permit[j]], b[i, permit[offset(n)[j]]]) } }
                };;
                fn below(a: &$A, b: &$B, m: usize, all: usize) -> (y: $Y) {
                    for i in 0..all { for j { y[i, j] = coalesce(a[permit[i], j], b[permit[offset(m)[i]], j]) } }
                };;
                fn framed(a: &$A, m: usize, n: usize) -> (y: $Y) {
                    for i in 0..m { for j in 0..n { y[i, j] = coalesce(a[permit[offset(1)[i]], permit[j - 1]], 7) } }
                }
            }
            #[test]
            fn is_known() {
                images(|shape, colour| {
                    let [m, n] = shape;
                    let (wide, high) = ([m, n / 2 + 1], [m / 2 + 1, n]);
                    let second = |i: usize, j: usize| (i + j / 2) as u8 % 3;
                    let (a, b) = (image(shape, colour), image(wide, second));
                    let want = build(&[m, n + wide[1]], |at| if at[1] < n { colour(at[0], at[1]) } else { second(at[0], at[1] - n) });
                    let y = known!(beside(&a, &b, n, n + wide[1]) => want);
                    $(assert!(y.stored() <= $as_runs(shape, a.to_dense().as_slice()) + $as_runs(wide, b.to_dense().as_slice()));)?
                    let _ = y;
                    let b = image(high, second);
                    let want = build(&[m + high[0], n], |at| if at[0] < m { colour(at[0], at[1]) } else { second(at[0] - m, at[1]) });
                    known!(below(&a, &b, m, m + high[0]) => want);
                    let frame = [m + 2, n + 2];
                    let inside = |at: &[usize]| (1..=m).contains(&at[0]) && (1..=n).contains(&at[1]);
                    known!(framed(&a, m + 2, n + 2) => build(&frame, |at| if inside(at) { colour(at[0] - 1, at[1] - 1) } else { 7 }));
                });
            }
        }
    )*};
}

joined! {
    joined_runs: Rle<u8>, Rle<u8> => Rle<u8>, runs;
    joined_lists: Csr<u8>, Rle<u8> => Csr<u8>;
    joined_sparse_runs: SparseRle<u8>, DenseMat<u8> => SparseRle<u8>;
    joined_bits: BitMat<u8>, Csr<u8> => DenseMat<u8>;
    joined_blocks: Blocked<u8>, Packed<u8> => Packed<u8>;
}
