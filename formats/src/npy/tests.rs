//! Arrays that are right, arrays that are wrong in every way, and arrays that were changed at random.

mod malformed;
mod mutated;
mod right;

/// The bytes of an array with this header, padded as NumPy pads it.
fn bytes(header: &str, values: &[u8]) -> Vec<u8> {
    let mut all = b"\x93NUMPY\x01\x00".to_vec();
    let padded = format!("{header:<117}\n");
    all.extend((padded.len() as u16).to_le_bytes());
    all.extend(padded.bytes());
    all.extend(values);
    all
}

/// A header.
fn header(descr: &str, order: bool, shape: &str) -> String {
    let order = if order { "True" } else { "False" };
    format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}")
}
