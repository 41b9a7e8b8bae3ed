//! Archives that are right, archives that are wrong in every way, and archives that were changed at random.

mod malformed;
mod mutated;
mod right;

use crate::npy::{head, NumpyValue, Order};
use crate::{Dense, Element, SparseList};
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The levels of the formats that arrays are moved into.
type Rows<V> = Dense<SparseList<Element<V>>>;
type Line<V> = SparseList<Element<V>>;

/// Arrays by their names, as bytes.
#[derive(Clone)]
struct Arrays(Vec<(&'static str, Vec<u8>)>);

impl Arrays {
    fn new() -> Self {
        Arrays(Vec::new())
    }

    /// Adds an array, in place of one of the same name.
    fn with<V: NumpyValue>(mut self, name: &'static str, shape: &[usize], values: &[V]) -> Self {
        let mut bytes = head(&V::DTYPE.descr(), shape, Order::C);
        values.iter().for_each(|v| v.put(&mut bytes));
        self.0.retain(|(other, _)| *other != name);
        self.0.push((name, bytes));
        self
    }

    /// Adds an array of one dimension.
    fn list<V: NumpyValue>(self, name: &'static str, values: &[V]) -> Self {
        self.with(name, &[values.len()], values)
    }

    fn without(mut self, name: &str) -> Self {
        self.0.retain(|(other, _)| *other != name);
        self
    }

    /// Adds the word that SciPy's arrays have.
    fn format(mut self, word: &str) -> Self {
        let mut bytes = head(&format!("|S{}", word.len()), &[], Order::C);
        bytes.extend(word.bytes());
        self.0.push(("format", bytes));
        self
    }

    fn zip(&self, method: CompressionMethod) -> Cursor<Vec<u8>> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().compression_method(method);
        for (name, bytes) in &self.0 {
            zip.start_file(format!("{name}.npy"), options).unwrap();
            zip.write_all(bytes).unwrap();
        }
        let mut bytes = zip.finish().unwrap();
        bytes.set_position(0);
        bytes
    }

    fn stored(&self) -> Cursor<Vec<u8>> {
        self.zip(CompressionMethod::Stored)
    }
}

/// `[[0, 2, 3], [4, 0, 0]]`.
fn csr() -> Arrays {
    Arrays::new()
        .list("indptr", &[0i32, 2, 3])
        .list("indices", &[1i32, 2, 0])
        .list("data", &[2.0, 3.0, 4.0])
        .list("shape", &[2i64, 3])
        .format("csr")
}

/// The same by blocks, with an explicit zero for each of the others.
fn bsr() -> Arrays {
    let data = [0.0, 4.0, 2.0, 0.0, 3.0, 0.0];
    csr()
        .list("indptr", &[0i32, 3])
        .list("indices", &[0i64, 1, 2])
        .with("data", &[3, 2, 1], &data)
        .without("format")
        .format("bsr")
}

fn dia() -> Arrays {
    Arrays::new()
        .list("offsets", &[2i32, 1, -1])
        .with("data", &[3, 3], &[9.0, 9.0, 3.0, 9.0, 2.0, 0.0, 4.0, 9.0, 9.0])
        .list("shape", &[2i64, 3])
        .format("dia")
}

fn coo() -> Arrays {
    csr()
        .without("indptr")
        .without("indices")
        .list("row", &[0i32, 0, 1])
        .list("col", &[1i32, 2, 0])
        .without("format")
        .format("coo")
}

fn pydata_coo() -> Arrays {
    coo().without("row").without("col").with("coords", &[2, 3], &[0i64, 0, 1, 1, 2, 0]).with(
        "fill_value",
        &[],
        &[0.0],
    )
}

/// The same array, of one row and two columns of its own, with the columns taken as rows.
fn gcxs() -> Arrays {
    Arrays::new()
        .list("indptr", &[0i64, 1, 2, 3])
        .list("indices", &[1u8, 0, 0])
        .list("data", &[4.0, 2.0, 3.0])
        .list("shape", &[2i64, 1, 3])
        .list("compressed_axes", &[2i64, 1])
        .with("fill_value", &[], &[0.0])
}
