//! Files as NumPy, SciPy and PyData/Sparse write them, read; and files for them, which `data/check.sh` has them read.
#![cfg(feature = "npz")]

use looplets_formats::npy::{self, Array, DType, NumpyReason, Order};
use looplets_formats::npz::{self, Layout, Sparse, WriteOptions};
use looplets_formats::*;
use num_complex::Complex;
use std::path::{Path, PathBuf};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// What most of the files are, of which `data/make.py` tells more.
fn matrix() -> Csr<f64> {
    let entries = [([0, 1], 1.5), ([1, 0], -2.0), ([3, 0], 0.25), ([3, 3], f64::INFINITY)];
    Tensor::from_triplets([4, 4], entries, Refuse).unwrap()
}

type Cube = Dense<SparseList<SparseList<Element<f64>>>>;

fn cube() -> Tensor<Cube> {
    let entries = [([0, 1, 2], 2.5), ([1, 0, 3], -1.0), ([1, 2, 0], 7.0), ([1, 2, 3], 0.125)];
    Tensor::from_triplets([2, 3, 4], entries, Refuse).unwrap()
}

#[test]
fn arrays_of_numpy() -> Result<(), Error> {
    assert_eq!(npy::read::<Csr<f64>>(data("c.npy"))?, matrix());
    assert_eq!(npy::read::<DenseMat<f64>>(data("c.npy"))?.to_dense(), matrix().to_dense());
    let fortran: Array = npy::read(data("fortran.npy"))?;
    assert_eq!((fortran.order(), fortran.shape()), (Order::Fortran, &[2, 3, 4][..]));
    assert_eq!(fortran.into_values::<i32>()?, (0..24).collect::<Vec<i32>>());
    let graph: Graph = npy::read(data("bool.npy"))?;
    assert_eq!(graph.stored(), 4);
    assert!(graph.get([3, 0]).unwrap_or(false));
    let complex: DenseMat<Complex<f64>> = npy::read(data("complex.npy"))?;
    assert_eq!(complex.get([0, 0]), Some(Complex::new(1.5, -2.0)));
    let scalar: Array = npy::read(data("scalar.npy"))?;
    assert_eq!((scalar.dtype(), scalar.into_values::<u64>()?), (DType::U64, vec![u64::MAX]));
    let line: SparseVec<f32> = npy::read(data("version2.npy"))?;
    assert_eq!(line.triplets(), [(vec![1], 1.5)]);
    for (name, descr) in [("half.npy", "<f2"), ("object.npy", "|O")] {
        let (file, array, descr) = (data(name), String::new(), descr.to_owned());
        let reason = NumpyReason::Type { descr };
        let refused = Err(Error::Numpy { file, array, reason });
        assert_eq!(npy::read::<Array>(data(name)).map(drop), refused);
    }
    let m: Csr<f64> = npz::read_array(data("dense.npz"), "m")?;
    let t: Tensor<Cube> = npz::read_array(data("dense.npz"), "t")?;
    assert_eq!((m, t), (matrix(), cube()));
    Ok(())
}

#[test]
fn matrices_of_scipy() -> Result<(), Error> {
    for (name, layout, explicit) in [
        ("csr", Layout::Csr, 4),
        ("csc", Layout::Csc, 4),
        ("coo", Layout::Coo, 4),
        ("bsr", Layout::Bsr, 12),
        ("dia", Layout::Dia, 11),
    ] {
        let read: Sparse = npz::read(data(&format!("{name}.npz")))?;
        assert_eq!((read.layout(), read.shape(), read.dtype()), (layout, &[4, 4][..], DType::F64));
        let sparse: Csr<f64> = read.clone().into_tensor(Refuse)?;
        assert_eq!((sparse.to_dense(), sparse.stored()), (matrix().to_dense(), explicit), "{name}");
        let coo: Coo2<f64> = read.clone().into_tensor(Refuse)?;
        assert_eq!(coo.to_dense(), matrix().to_dense());
        let wide: Dcsr<f64, u64> = read.transposed().into_tensor(Refuse)?;
        assert_eq!(wide.get([0, 3]), Some(0.25));
    }
    let graph: Graph = npz::read(data("bools.npz"))?;
    assert_eq!(graph.stored(), 4);
    let line: SparseVec<f64> = npz::read(data("csr1.npz"))?;
    assert_eq!(line.to_dense(), [0.25, 0.0, 0.0, f64::INFINITY]);
    let none: Csr<f64> = npz::read(data("empty.npz"))?;
    assert_eq!((none.shape(), none.stored()), (vec![0, 3], 0));
    assert_eq!(npz::read::<Tensor<Cube>>(data("coo3.npz"))?, cube());
    assert_eq!(npz::read::<Coo3<f64, u64>>(data("coo3.npz"))?.triplets(), cube().triplets());
    Ok(())
}

#[test]
fn entries_that_scipy_has_twice() -> Result<(), Error> {
    let read: Sparse = npz::read(data("twice.npz"))?;
    assert_eq!(read.dtype(), DType::F32);
    let sum: Csr<f32> = read.clone().into_tensor(Sum)?;
    assert_eq!(sum.to_dense(), [4.0, 0.0, 5.0, 0.0, 0.0, 0.0]);
    let last: Csr<f64> = read.into_tensor(Last)?;
    assert_eq!(last.to_dense(), [4.0, 0.0, 3.0, 0.0, 0.0, 0.0]);
    let reason = NumpyReason::Duplicate { coords: vec![0, 2] };
    let (file, array) = (data("twice.npz"), String::new());
    let refused = npz::read::<Csr<f32>>(data("twice.npz"));
    assert_eq!(refused, Err(Error::Numpy { file, array, reason }));
    Ok(())
}

#[test]
fn arrays_of_pydata() -> Result<(), Error> {
    for (name, layout) in [
        ("pydata_coo", Layout::PydataCoo),
        ("pydata_gcxs", Layout::PydataGcxs),
        ("pydata_gcxs_20", Layout::PydataGcxs),
    ] {
        let read: Sparse = npz::read(data(&format!("{name}.npz")))?;
        assert_eq!((read.layout(), read.len()), (layout, 4));
        assert_eq!(read.clone().into_tensor::<Cube>(Refuse)?, cube(), "{name}");
        let coo: Coo3<f64> = read.into_tensor(Refuse)?;
        assert_eq!(coo.triplets(), cube().triplets(), "{name}");
    }
    let line: SparseVec<f64, u64> = npz::read(data("pydata_gcxs1.npz"))?;
    assert_eq!(line.to_dense(), [0.25, 0.0, 0.0, f64::INFINITY]);
    let reached: Csr<f64, u32, Inf> = npz::read(data("pydata_fill.npz"))?;
    assert_eq!((reached.get([0, 0]), reached.get([0, 1])), (Some(f64::INFINITY), Some(1.0)));
    for name in ["pydata_fill.npz", "pydata_scalar.npz"] {
        let read: Sparse = npz::read(data(name))?;
        let made = match read.shape().len() {
            0 => read.into_tensor::<Element<f64>>(Refuse).map(drop),
            _ => read.into_tensor::<Dense<Dense<Element<f64>>>>(Refuse).map(drop),
        };
        let fill = matches!(made, Err(Error::Numpy { reason: NumpyReason::Fill { .. }, .. }));
        assert!(fill, "{name}: {made:?}");
    }
    Ok(())
}

#[test]
fn moved_coordinates_keep_their_order_checked() -> Result<(), Error> {
    // What is moved is checked as all parts are.
    let coo: Coo2<f64, u64> = npz::read(data("coo.npz"))?;
    assert!(Tensor::from_parts(coo.into_root()).is_ok());
    Ok(())
}

/// Writes what Python is to read: to the directory `LOOPLETS_WRITTEN`, or to one that is removed.
#[test]
fn written_for_python() -> Result<(), Error> {
    let kept = std::env::var_os("LOOPLETS_WRITTEN").map(PathBuf::from);
    let own = std::env::temp_dir().join(format!("looplets-numpy-{}", std::process::id()));
    let directory = kept.clone().unwrap_or_else(|| own.clone());
    std::fs::create_dir_all(&directory).map_err(|error| Error::io(&directory, &error))?;
    let path = |name: &str| directory.join(name);
    let ones = [false, true, false, true, true, false];
    macro_rules! dense {
        ($($name:literal: $ty:ty, $one:expr;)*) => {$(
            let values = ones.map(|v| if v { $one } else { Default::default() });
            let tensor: DenseMat<$ty> = Tensor::from_dense([2, 3], &values)?;
            npy::write(path(concat!($name, "_c.npy")), &tensor, Order::C)?;
            npy::write(path(concat!($name, "_fortran.npy")), &tensor, Order::Fortran)?;
        )*};
    }
    dense! {
        "int8": i8, 1;
        "int64": i64, 1;
        "uint64": u64, 1;
        "float32": f32, 1.0;
        "float64": f64, 1.0;
        "complex64": Complex<f32>, Complex::new(1.0, 0.0);
        "complex128": Complex<f64>, Complex::new(1.0, 0.0);
        "bool": bool, true;
    }
    let scalar: Tensor<Element<f64>> = Tensor::from_dense([], &[2.5])?;
    npy::write(path("scalar.npy"), &scalar, Order::C)?;
    let of = |layout| WriteOptions { layout, compressed: true };
    for layout in [Layout::Csr, Layout::Csc, Layout::Coo] {
        npz::write(path(&format!("{layout}.npz")), &matrix(), &of(layout))?;
        let stored = WriteOptions { layout, compressed: false };
        npz::write(path(&format!("{layout}_stored.npz")), &matrix(), &stored)?;
    }
    let line = [([0], 0.25), ([3], f64::INFINITY)];
    let line: SparseVec<f64> = Tensor::from_triplets([4], line, Refuse)?;
    npz::write(path("coo1.npz"), &line, &of(Layout::Coo))?;
    npz::write(path("coo3.npz"), &cube(), &of(Layout::Coo))?;
    npz::write(path("bools.npz"), &npz::read::<Graph>(data("bools.npz"))?, &of(Layout::Csr))?;
    npz::write(path("none.npz"), &Csr::<f64>::new([0, 3])?, &of(Layout::Csr))?;
    let wide = [([1, (1 << 40) - 1], 1.5)];
    let wide: Dcsr<f64, u64> = Tensor::from_triplets([2, 1 << 40], wide, Refuse)?;
    npz::write(path("wide.npz"), &wide, &of(Layout::Coo))?;
    let entries: Vec<_> = matrix().triplets();
    let reached: Csr<f64, u32, Inf> = Tensor::from_triplets([4, 4], entries, Refuse)?;
    for layout in [Layout::PydataCoo, Layout::PydataGcxs] {
        let path = |end: &str| path(&format!("pydata_{layout}{end}.npz"));
        npz::write(path("1"), &line, &of(layout))?;
        npz::write(path("2"), &matrix(), &of(layout))?;
        npz::write(path("3"), &cube(), &of(layout))?;
        npz::write(path("_fill"), &reached, &of(layout))?;
    }
    npz::write(path("pydata_coo0.npz"), &scalar, &of(Layout::PydataCoo))?;
    let comment = "two\nlines".to_owned();
    tns::write(path("t.tns"), &cube(), &tns::WriteOptions { comment })?;
    if kept.is_none() {
        std::fs::remove_dir_all(&own).map_err(|error| Error::io(&own, &error))?;
    }
    Ok(())
}
