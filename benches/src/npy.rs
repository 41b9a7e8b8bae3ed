//! Pictures: the `.npy` files in the `images` of the directory that `LOOPLETS_DATA` names, as far as they
//! hold bytes, row by row.

use std::path::Path;

/// An array of bytes, the last dimension the fastest.
pub struct Bytes {
    /// Its name in the table.
    pub name: String,
    /// The sizes.
    pub shape: Vec<usize>,
    /// As many as the sizes say.
    pub values: Vec<u8>,
}

/// All of them, sorted by file.
pub fn pictures() -> Vec<Bytes> {
    let Some(root) = std::env::var_os("LOOPLETS_DATA") else { return Vec::new() };
    let folder = std::fs::read_dir(Path::new(&root).join("images")).into_iter().flatten();
    let mut files: Vec<_> = folder.filter_map(|e| Some(e.ok()?.path())).collect();
    files.sort();
    files.iter().filter_map(|path| read(path)).collect()
}

fn read(path: &Path) -> Option<Bytes> {
    let mut bytes = std::fs::read(path).ok()?;
    let (shape, from) = header(&bytes)?;
    let mut values = bytes.split_off(from);
    let len = shape.iter().try_fold(1usize, |len, &n| len.checked_mul(n))?;
    if values.len() < len {
        return None;
    }
    values.truncate(len);
    Some(Bytes { name: path.file_stem()?.to_string_lossy().into_owned(), shape, values })
}

/// The sizes, and where the values begin. Version 1 of the format has two bytes for the length of the
/// header, later ones four.
fn header(bytes: &[u8]) -> Option<(Vec<usize>, usize)> {
    let rest = bytes.strip_prefix(b"\x93NUMPY")?;
    let (from, len) = match rest {
        [1, _, a, b, ..] => (10, usize::from(u16::from_le_bytes([*a, *b]))),
        [_, _, a, b, c, d, ..] => (12, u32::from_le_bytes([*a, *b, *c, *d]) as usize),
        _ => return None,
    };
    let text = std::str::from_utf8(bytes.get(from..)?.get(..len)?).ok()?;
    if !text.contains("'|u1'") || text.contains("'fortran_order': True") {
        return None;
    }
    let (_, sizes) = text.split_once("'shape': (")?;
    let (sizes, _) = sizes.split_once(')')?;
    let sizes = sizes.split(',').map(str::trim).filter(|size| !size.is_empty());
    Some((sizes.map(str::parse).collect::<Result<_, _>>().ok()?, from + len))
}
