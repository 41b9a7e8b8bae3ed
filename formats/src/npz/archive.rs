//! An archive of arrays: each by its name, and with a word for what it must be.

use crate::error::Error;
use crate::npy::{data, header, row_major, Fault, Header};
use crate::npy::{Array, DType, Number, NumpyReason, Order, Values};
use std::io::{ErrorKind, Read, Seek};
use std::path::Path;
use zip::result::ZipError;
use zip::ZipArchive;

/// An archive that is open.
pub(super) struct Archive<'a, R> {
    file: &'a Path,
    zip: ZipArchive<R>,
}

impl<'a, R: Read + Seek> Archive<'a, R> {
    /// Opens the archive that `bytes` are; `file` stands for it in errors.
    pub fn open(file: &'a Path, bytes: R) -> Result<Self, Error> {
        match ZipArchive::new(bytes) {
            Ok(zip) => Ok(Archive { file, zip }),
            Err(error) => Err(broken(file, "", error)),
        }
    }

    /// The error for `reason` in an array.
    pub fn error(&self, array: &str, reason: NumpyReason) -> Error {
        Error::Numpy { file: self.file.to_path_buf(), array: array.to_owned(), reason }
    }

    /// Whether there is such an array.
    pub fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(&format!("{name}.npy")).is_some()
    }

    /// What `read` makes of the bytes of an array.
    fn member<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut dyn Read) -> Result<T, Fault>,
    ) -> Result<T, Error> {
        let file = self.file;
        let mut member = match self.zip.by_name(&format!("{name}.npy")) {
            Ok(member) => member,
            Err(error) => return Err(broken(file, name, error)),
        };
        read(&mut member).map_err(|fault| match fault {
            Fault::Reason(reason) => {
                Error::Numpy { file: file.to_path_buf(), array: name.to_owned(), reason }
            }
            Fault::Io(error) => broken(file, name, ZipError::Io(error)),
        })
    }

    /// An array of any type, row-major.
    pub fn array(&mut self, name: &str) -> Result<Array, Error> {
        let (header, values) = self.member(name, |bytes| {
            let header = header(bytes)?;
            let (dtype, big) = header.dtype()?;
            let values = data(bytes, dtype, big, &header.shape)?;
            Ok((header, values))
        })?;
        let Header { order, shape, .. } = header;
        let values = match order {
            Order::Fortran if shape.len() > 1 => {
                values.gather(&row_major((0..values.len()).collect(), &shape))
            }
            _ => values,
        };
        let (file, name) = (self.file.to_path_buf(), name.to_owned());
        Ok(Array { file, name, order: Order::C, shape, values })
    }

    /// An array of so many dimensions.
    pub fn array_of(&mut self, name: &str, rank: usize) -> Result<Array, Error> {
        let array = self.array(name)?;
        match array.shape.len() == rank {
            true => Ok(array),
            false => Err(self
                .error(name, NumpyReason::Dimensions { expected: rank, found: array.shape.len() })),
        }
    }

    /// An array of one dimension that holds sizes or axes, or any other numbers from 0 on that fit a `usize`.
    pub fn sizes(&mut self, name: &str) -> Result<Vec<usize>, Error> {
        let array = self.array_of(name, 1)?;
        self.whole(&array)
    }

    /// The numbers of an array, if they are whole, from 0 on, and fit a `usize`.
    pub fn whole(&self, array: &Array) -> Result<Vec<usize>, Error> {
        // Of nothing, NumPy makes an array of real numbers.
        let all = (0..array.values.len()).map(|e| match array.values.get(e) {
            Some(Number::Integer(v)) if (0..=isize::MAX as i128).contains(&v) => Ok(v as usize),
            other => Err(self.error(
                &array.name,
                NumpyReason::Index {
                    entry: e,
                    value: other.map_or_else(String::new, |v| v.to_string()),
                },
            )),
        });
        all.collect()
    }

    /// A word.
    pub fn word(&mut self, name: &str) -> Result<String, Error> {
        self.member(name, |bytes| {
            let header = header(bytes)?;
            if !header.shape.is_empty() {
                let found = header.shape.len();
                return Err(NumpyReason::Dimensions { expected: 0, found }.into());
            }
            let unknown = || NumpyReason::Type { descr: header.descr.clone() };
            let (kind, length) = header.descr.split_at_checked(2).ok_or_else(unknown)?;
            let length = length.parse::<usize>().ok().filter(|&n| n <= 64).ok_or_else(unknown)?;
            let (wide, big) = match kind {
                "|S" => (false, false),
                "<U" => (true, false),
                ">U" => (true, true),
                _ => return Err(unknown().into()),
            };
            let dtype = if wide { DType::U32 } else { DType::U8 };
            let letters = match data(bytes, dtype, big, &[length])? {
                Values::U8(all) => all.into_iter().map(u32::from).collect(),
                Values::U32(all) => all,
                _ => Vec::new(),
            };
            let letters = letters.into_iter().map(|c| char::from_u32(c).unwrap_or('\u{fffd}'));
            Ok(letters.collect::<String>().trim_end_matches('\0').to_owned())
        })
    }
}

/// The error of an archive that is broken, or of a disk that is.
fn broken(file: &Path, array: &str, error: ZipError) -> Error {
    use ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof, Unsupported};
    let message = match error {
        ZipError::FileNotFound => {
            let reason = NumpyReason::Missing;
            return Error::Numpy { file: file.to_path_buf(), array: array.to_owned(), reason };
        }
        ZipError::Io(error) => match error.kind() {
            InvalidData | InvalidInput | Other | UnexpectedEof | Unsupported => error.to_string(),
            _ => return Error::io(file, &error),
        },
        error => error.to_string(),
    };
    let reason = NumpyReason::Archive { message };
    Error::Numpy { file: file.to_path_buf(), array: array.to_owned(), reason }
}
