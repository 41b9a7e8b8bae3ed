//! Reading: nothing is allocated on the word of the header alone, and no more than the values take.

use super::array::{Array, FromArray};
use super::header::Header;
use super::reason::NumpyReason;
use super::value::{DType, Values};
use crate::error::Error;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// What headers are as long as at most: NumPy itself refuses those over 10,000 bytes.
const LONGEST: usize = 1 << 16;

/// The number of bytes that are read at a time; a multiple of the size of each type.
const CHUNK: usize = 1 << 16;

/// Reads a file as an [`Array`], or as a tensor of some format.
///
/// ```no_run
/// # use looplets_formats::{npy, DenseMat, Error};
/// # fn main() -> Result<(), Error> {
/// let image: DenseMat<f32> = npy::read("image.npy")?;
/// println!("{:?}", image.shape());
/// # Ok(()) }
/// ```
///
/// # Errors
/// [`Error::Io`] if the file cannot be read; [`Error::Numpy`] with the reason if it is malformed or cannot be that tensor
/// without loss; those of [`Array::into_tensor`].
pub fn read<T: FromArray>(path: impl AsRef<Path>) -> Result<T, Error> {
    let path = path.as_ref();
    let file = File::open(path).map_err(|error| Error::io(path, &error))?;
    T::from_array(parse(path, file)?)
}

/// Reads the bytes of a file; `name` stands for the file in errors.
///
/// Linear in their number, in time and in memory.
///
/// # Errors
/// [`Error::Numpy`] with the reason; [`Error::Io`] if `bytes` cannot be read.
pub fn parse(name: impl AsRef<Path>, mut bytes: impl Read) -> Result<Array, Error> {
    let name = name.as_ref();
    let read = header(&mut bytes).and_then(|header| {
        let (dtype, big) = header.dtype()?;
        let values = data(&mut bytes, dtype, big, &header.shape)?;
        Ok((header, values))
    });
    match read {
        Ok((Header { order, shape, .. }, values)) => {
            Ok(Array { file: name.to_path_buf(), name: String::new(), order, shape, values })
        }
        Err(Fault::Reason(reason)) => {
            Err(Error::Numpy { file: name.to_path_buf(), array: String::new(), reason })
        }
        Err(Fault::Io(error)) => Err(Error::io(name, &error)),
    }
}

/// Why reading stops.
#[derive(Debug)]
pub(crate) enum Fault {
    Reason(NumpyReason),
    Io(std::io::Error),
}

impl From<NumpyReason> for Fault {
    fn from(reason: NumpyReason) -> Self {
        Fault::Reason(reason)
    }
}

impl Header {
    /// The type of the values, and whether the highest byte is first.
    pub fn dtype(&self) -> Result<(DType, bool), NumpyReason> {
        let unknown =
            || NumpyReason::Type { descr: crate::mtx::reason::shown(self.descr.as_bytes()) };
        DType::parse(&self.descr).ok_or_else(unknown)
    }
}

/// The header of an array, of which the values are next.
pub(crate) fn header(bytes: &mut dyn Read) -> Result<Header, Fault> {
    let mut start = [0; 8];
    if fill(bytes, &mut start)? < start.len() || &start[..6] != b"\x93NUMPY" {
        return Err(NumpyReason::Magic.into());
    }
    let width = match (start[6], start[7]) {
        (1, 0) => 2,
        (2 | 3, 0) => 4,
        (major, minor) => return Err(NumpyReason::Version { major, minor }.into()),
    };
    let mut length = [0; 4];
    let found = fill(bytes, &mut length[..width])?;
    let length = u32::from_le_bytes(length) as usize;
    if found < width || length > LONGEST {
        return Err(NumpyReason::Header { expected: "its length", at: 0 }.into());
    }
    let mut text = vec![0; length];
    let found = fill(bytes, &mut text)?;
    if found < length {
        return Err(NumpyReason::Header { expected: "the rest", at: found }.into());
    }
    Ok(Header::parse(&text)?)
}

/// The values of an array, up to the end of `bytes`.
pub(crate) fn data(
    bytes: &mut dyn Read,
    dtype: DType,
    big: bool,
    shape: &[usize],
) -> Result<Values, Fault> {
    let too_large = || NumpyReason::TooLarge { shape: shape.to_vec() };
    let volume = match shape.contains(&0) {
        true => Some(0),
        false => shape.iter().try_fold(dtype.size(), |p, &n| p.checked_mul(n)),
    };
    let expected = volume.filter(|&n| n <= isize::MAX as usize).ok_or_else(too_large)?;
    let mut values = Values::none(dtype);
    let mut chunk = vec![0; CHUNK.min(expected.max(1))];
    let mut found = 0;
    while found < expected {
        let part = (expected - found).min(CHUNK);
        let got = fill(bytes, &mut chunk[..part])?;
        found += got;
        if got < part {
            return Err(NumpyReason::Truncated { expected, found }.into());
        }
        if !values.reserve(part / dtype.size()) {
            return Err(too_large().into());
        }
        values.extend(&chunk[..part], big)?;
    }
    // An archive looks at its sums when the end is met.
    match fill(bytes, &mut chunk[..1])? {
        0 => Ok(values),
        _ => Err(NumpyReason::Trailing.into()),
    }
}

/// Reads as much of `part` as there is.
fn fill(bytes: &mut dyn Read, part: &mut [u8]) -> Result<usize, Fault> {
    let mut found = 0;
    while found < part.len() {
        match bytes.read(&mut part[found..]) {
            Ok(0) => break,
            Ok(n) => found += n,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(Fault::Io(error)),
        }
    }
    Ok(found)
}
