//! Entries of a level that is not made of nodes do not come and go one by one.

use looplets::Csr;

fn put(mut a: Csr<f64>) {
    a.insert([1, 1], 2.0).unwrap();
}

fn main() {}
