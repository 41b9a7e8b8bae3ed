//! What is written reads back as the same tensor, and what would not is refused.

use crate::mtx::{parse, write, write_to, Layout, MtxReason, MtxValue, Symmetry, WriteOptions};
use crate::sample::{Csr, Dcsr, Dense, DenseVec, Element, Filled, Full, List, Pattern, SparseVec};
use crate::tensor::{Refuse, Tensor};
use crate::{Error, Level};
use num_complex::Complex;
use std::fmt::Debug;

const LAYOUTS: [Layout; 2] = [Layout::Coordinate, Layout::Array];
const SYMMETRIES: [Symmetry; 4] =
    [Symmetry::General, Symmetry::Symmetric, Symmetry::SkewSymmetric, Symmetry::Hermitian];

fn text<L: Level>(tensor: &Tensor<L>, layout: Layout, symmetry: Symmetry) -> Result<String, Error>
where
    L::Value: MtxValue,
{
    let comment = "two\nlines".to_owned();
    let options = WriteOptions { layout, symmetry, comment };
    let mut out = Vec::new();
    write_to("a.mtx", &mut out, tensor, &options)?;
    Ok(String::from_utf8(out).unwrap())
}

/// Writes and reads; the values have to be the same bit by bit.
fn round_trip<L: Level + PartialEq>(tensor: &Tensor<L>, layout: Layout, symmetry: Symmetry)
where
    L::Value: MtxValue + PartialEq + Debug,
{
    let written = text(tensor, layout, symmetry).unwrap();
    let matrix = parse("a.mtx", &written).unwrap();
    assert_eq!(matrix.comments(), ["two", "lines"]);
    assert_eq!(matrix.header().symmetry, symmetry);
    let back = matrix.into_tensor::<L>(Refuse).unwrap();
    assert_eq!(back.shape(), tensor.shape());
    let (got, want) = (back.to_dense(), tensor.to_dense());
    let same = got.iter().zip(&want).all(|(a, b)| a.same(b));
    assert!(same && got.len() == want.len(), "{written}\n{got:?}\n{want:?}");
    if layout == Layout::Coordinate && symmetry != Symmetry::SkewSymmetric {
        assert_eq!(back.stored(), tensor.stored());
    }
}

/// All formats with a matrix of `n x n` whose lower triangle is `values` over and over.
fn every_format<V>(values: &[V], mirrored: impl Fn(V, Symmetry) -> Option<V>)
where
    V: MtxValue + Filled + PartialEq + Debug,
{
    for symmetry in SYMMETRIES {
        for n in 0..6 {
            let mut all = vec![V::filled(0); n * n];
            let mut next = values.iter().cycle();
            for i in 0..n {
                for j in 0..=i {
                    let v = next.next().unwrap().clone();
                    let Some(m) = mirrored(v.clone(), symmetry) else {
                        continue;
                    };
                    if i == j && (symmetry == Symmetry::SkewSymmetric || !m.same(&v)) {
                        continue;
                    }
                    all[i * n + j] = v;
                    all[j * n + i] = m;
                }
            }
            let shape = [n, n];
            for layout in LAYOUTS {
                if symmetry == Symmetry::Hermitian && V::FIELD != crate::mtx::Field::Complex {
                    continue;
                }
                round_trip(&Tensor::<Csr<V>>::from_dense(shape, &all).unwrap(), layout, symmetry);
                round_trip(&Tensor::<Full<V>>::from_dense(shape, &all).unwrap(), layout, symmetry);
                round_trip(&Tensor::<Dcsr<V>>::from_dense(shape, &all).unwrap(), layout, symmetry);
            }
        }
    }
}

#[cfg_attr(miri, ignore = "so many files take an interpreter too long")]
#[test]
fn every_field_symmetry_and_layout() {
    let reals = [1.5, -0.1, 0.0, 1e300, 5e-324, 1.0 / 3.0, f64::INFINITY, 123456789.125];
    every_format(&reals, |v, s| Some(if s == Symmetry::SkewSymmetric { 0.0 - v } else { v }));
    let singles = [0.1f32, f32::MAX, f32::MIN_POSITIVE, 1e-45, 16777217.0, 0.0, -2.5];
    every_format(&singles, |v, s| Some(if s == Symmetry::SkewSymmetric { 0.0 - v } else { v }));
    let ints = [1, -2, 0, i64::MAX, 77];
    every_format(&ints, |v, s| match s {
        Symmetry::SkewSymmetric => v.checked_neg(),
        _ => Some(v),
    });
    every_format(&[3u8, 0, 255], |v, s| (s != Symmetry::SkewSymmetric).then_some(v));
    let c = Complex::<f64>::new;
    let complex = [c(1.0, 2.0), c(0.1, -0.3), c(0.0, 0.0), c(4.0, 0.0), c(0.0, 1e-200)];
    every_format(&complex, |v, s| {
        Some(match s {
            Symmetry::SkewSymmetric => c(0.0 - v.re, 0.0 - v.im),
            Symmetry::Hermitian => c(v.re, 0.0 - v.im),
            _ => v,
        })
    });
}

#[test]
fn general_shapes_zeros_and_patterns() {
    for (m, n) in [(0, 0), (0, 4), (4, 0), (1, 5), (5, 1), (3, 4)] {
        let values: Vec<f64> = (0..m * n).map(|k| (k % 3) as f64 - 0.5).collect();
        let bits: Vec<bool> = (0..m * n).map(|k| k % 3 == 1).collect();
        for layout in LAYOUTS {
            let t = Tensor::<Csr<f64>>::from_dense([m, n], &values).unwrap();
            round_trip(&t, layout, Symmetry::General);
        }
        let p = Tensor::<Dense<List<Pattern>>>::from_dense([m, n], &bits).unwrap();
        round_trip(&p, Layout::Coordinate, Symmetry::General);
        let b = Tensor::<Csr<bool>>::from_dense([m, n], &bits).unwrap();
        round_trip(&b, Layout::Coordinate, Symmetry::General);
        // The entries that say `false` are left out, which is what is not said.
        let f = Tensor::<Full<bool>>::from_dense([m, n], &bits).unwrap();
        round_trip(&f, Layout::Coordinate, Symmetry::General);
    }
    // Stored zeros, of both signs, and NaN.
    let odd = [([0, 1], -0.0), ([1, 0], 0.0), ([1, 1], f64::NAN)];
    let t = Tensor::<Csr<f64>>::from_triplets([2, 2], odd, Refuse).unwrap();
    for layout in LAYOUTS {
        round_trip(&t, layout, Symmetry::General);
    }
    let line = Tensor::<SparseVec<f64>>::from_dense([3], &[0.0, 2.0, 0.5]).unwrap();
    round_trip(&line, Layout::Coordinate, Symmetry::General);
    let line = Tensor::<DenseVec<f64>>::from_dense([3], &[0.0, 2.0, 0.5]).unwrap();
    round_trip(&line, Layout::Array, Symmetry::General);
    let far = Tensor::<Dense<List<Element<i32, 9>>>>::from_dense([1, 3], &[9, 0, 4]).unwrap();
    for layout in LAYOUTS {
        round_trip(&far, layout, Symmetry::General);
    }
    let edges = [([1, 0], true), ([0, 1], true), ([2, 2], true)];
    let p = Tensor::<Dense<List<Pattern>>>::from_triplets([3, 3], edges, Refuse).unwrap();
    round_trip(&p, Layout::Coordinate, Symmetry::Symmetric);
}

#[test]
fn the_text_is_the_shortest() {
    let t = Tensor::<Csr<f64>>::from_dense([2, 2], &[0.1, 0.0, 1e21, -3.0]).unwrap();
    assert_eq!(
        text(&t, Layout::Coordinate, Symmetry::General).unwrap(),
        "%%MatrixMarket matrix coordinate real general\n%two\n%lines\n2 2 3\n\
         1 1 0.1\n2 1 1e21\n2 2 -3.0\n"
    );
    let t = Tensor::<Csr<f32>>::from_dense([1, 1], &[0.1]).unwrap();
    assert!(text(&t, Layout::Array, Symmetry::General).unwrap().ends_with("\n1 1\n0.1\n"));
}

fn refused<L: Level>(tensor: &Tensor<L>, layout: Layout, symmetry: Symmetry) -> MtxReason
where
    L::Value: MtxValue,
{
    match text(tensor, layout, symmetry) {
        Err(Error::Unwritable { reason, .. }) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_not_symmetric_is_refused() {
    let not = |symmetry, row, col| MtxReason::NotSymmetric { symmetry, row, col };
    let make = |values: &[f64]| Tensor::<Csr<f64>>::from_dense([2, 2], values).unwrap();
    for layout in LAYOUTS {
        for (values, symmetry, row, col) in [
            ([1.0, 2.0, 3.0, 1.0], Symmetry::Symmetric, 1, 2),
            ([1.0, 2.0, 2.0, 1.0], Symmetry::SkewSymmetric, 1, 1),
            ([0.0, 2.0, 2.0, 0.0], Symmetry::SkewSymmetric, 1, 2),
            (
                [0.0, 0.0, 2.0, 0.0],
                Symmetry::Symmetric,
                if layout == Layout::Array { 1 } else { 2 },
                0,
            ),
        ] {
            let col = if col == 0 { 3 - row } else { col };
            assert_eq!(refused(&make(&values), layout, symmetry), not(symmetry, row, col));
        }
        let reason = refused(&make(&[1.0; 4]), layout, Symmetry::Hermitian);
        assert!(matches!(reason, MtxReason::Combination { .. }));
        let c = Complex::<f64>::new;
        type Z = Csr<Complex<f64>>;
        let z = |values: [Complex<f64>; 4]| Tensor::<Z>::from_dense([2, 2], &values).unwrap();
        let t = z([c(1.0, 1.0), c(0.0, 0.0), c(0.0, 0.0), c(1.0, 0.0)]);
        assert_eq!(refused(&t, layout, Symmetry::Hermitian), not(Symmetry::Hermitian, 1, 1));
        let t = z([c(1.0, f64::NAN), c(0.0, 0.0), c(0.0, 0.0), c(1.0, 0.0)]);
        assert_eq!(refused(&t, layout, Symmetry::Hermitian), not(Symmetry::Hermitian, 1, 1));
        let t = z([c(1.0, 0.0), c(1.0, 2.0), c(1.0, 2.0), c(1.0, 0.0)]);
        assert_eq!(refused(&t, layout, Symmetry::Hermitian), not(Symmetry::Hermitian, 1, 2));
        let wide = Tensor::<Csr<f64>>::new([2, 3]).unwrap();
        let reason = refused(&wide, layout, Symmetry::Symmetric);
        assert_eq!(reason, MtxReason::NotSquare { rows: 2, cols: 3 });
    }
    // An entry without a stored mirror image reads back as two.
    let t = Tensor::<Csr<f64>>::from_triplets([2, 2], [([0, 1], 0.0)], Refuse).unwrap();
    let reason = refused(&t, Layout::Coordinate, Symmetry::Symmetric);
    assert_eq!(reason, not(Symmetry::Symmetric, 1, 2));
    let ones = Tensor::<Dense<List<Element<f64, 1>>>>::new([2, 2]).unwrap();
    let reason = refused(&ones, Layout::Coordinate, Symmetry::SkewSymmetric);
    assert_eq!(reason, MtxReason::Fill { value: "1.0".into() });
    let min = Tensor::<Csr<i64>>::from_dense([2, 2], &[0, i64::MIN, i64::MIN, 0]).unwrap();
    let reason = refused(&min, Layout::Coordinate, Symmetry::SkewSymmetric);
    assert_eq!(reason, not(Symmetry::SkewSymmetric, 1, 2));
}

#[test]
fn values_that_files_cannot_have_are_refused() {
    let t = Tensor::<Csr<u64>>::from_dense([1, 1], &[u64::MAX]).unwrap();
    for layout in LAYOUTS {
        let reason = refused(&t, layout, Symmetry::General);
        assert!(matches!(reason, MtxReason::Conversion { .. }));
    }
    type True = Dense<List<Element<bool, 1>>>;
    let t = Tensor::<True>::new([1, 1]).unwrap();
    let reason = refused(&t, Layout::Coordinate, Symmetry::General);
    assert_eq!(reason, MtxReason::Fill { value: "true".into() });
    let p = Tensor::<Dense<List<Pattern>>>::new([1, 1]).unwrap();
    let reason = refused(&p, Layout::Array, Symmetry::General);
    assert!(matches!(reason, MtxReason::Combination { .. }));
    let cube = Tensor::<List<List<List<Element<f64>>>>>::new([1, 1, 1]).unwrap();
    let made = text(&cube, Layout::Coordinate, Symmetry::General);
    assert_eq!(made, Err(Error::Rank { expected: 2, found: 3 }));
}

#[test]
fn a_refusal_leaves_the_file_alone() {
    let path = std::env::temp_dir().join(format!("looplets-w-{}.mtx", std::process::id()));
    let t = Tensor::<Csr<f64>>::from_dense([2, 2], &[0.0, 1.0, 2.0, 0.0]).unwrap();
    write(&path, &t, &WriteOptions::default()).unwrap();
    let symmetric = WriteOptions { symmetry: Symmetry::Symmetric, ..WriteOptions::default() };
    assert!(write(&path, &t, &symmetric).is_err());
    let back: Tensor<Csr<f64>> = crate::mtx::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(back, t);
    let io = write("no/such/dir/a.mtx", &t, &WriteOptions::default());
    assert!(matches!(io, Err(Error::Io { .. })));
}
