//! Bytes into lines, fields and numbers.

use super::header::Field;
use super::reason::{shown, MtxReason};
use std::num::IntErrorKind;

/// The lines of a file, counted.
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    /// The number of the line returned last, counted from 1; 0 before the first.
    pub line: u64,
}

impl<'a> Lines<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Lines { rest: bytes, line: 0 }
    }

    /// The number of bytes that are left.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// The next line without its LF.
    pub fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        self.line += 1;
        let end = self.rest.iter().position(|&b| b == b'\n');
        let (line, rest) = match end {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &[][..]),
        };
        self.rest = rest;
        Some(line)
    }

    /// The next line that is neither blank nor a comment; comments go to `comment`.
    pub fn next_data(&mut self, mut comment: impl FnMut(&[u8])) -> Option<&'a [u8]> {
        loop {
            let line = self.next()?;
            match line.iter().find(|&&b| !blank(b)) {
                None => {}
                Some(b'%') => comment(line),
                Some(_) => return Some(line),
            }
        }
    }
}

fn blank(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

/// The fields of a line.
pub(crate) fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let start = rest.iter().position(|&b| !blank(b))?;
        let tail = &rest[start..];
        let end = tail.iter().position(|&b| blank(b)).unwrap_or(tail.len());
        rest = &tail[end..];
        Some(&tail[..end])
    })
}

/// `token` as text.
pub(super) fn text(token: &[u8]) -> Result<&str, MtxReason> {
    std::str::from_utf8(token).map_err(|_| MtxReason::NotUtf8)
}

/// A size or count.
pub(super) fn size(token: &[u8]) -> Result<usize, MtxReason> {
    let too_large = || MtxReason::SizeTooLarge { token: shown(token) };
    match text(token)?.parse::<u64>() {
        Ok(n) => match usize::try_from(n) {
            Ok(n) if n <= isize::MAX as usize => Ok(n),
            _ => Err(too_large()),
        },
        Err(e) if *e.kind() == IntErrorKind::PosOverflow => Err(too_large()),
        Err(_) => Err(MtxReason::BadSize { token: shown(token) }),
    }
}

/// A row or column number from 1 to `size`, as a coordinate from 0.
pub(super) fn coordinate(token: &[u8], size: usize) -> Result<usize, MtxReason> {
    let outside = || MtxReason::IndexOutOfRange { token: shown(token), size };
    match text(token)?.parse::<u64>() {
        Ok(0) => Err(MtxReason::IndexZero),
        // `size` fits a u64, so what passes fits a usize.
        Ok(i) if i <= size as u64 => Ok(i as usize - 1),
        Ok(_) => Err(outside()),
        Err(e) if *e.kind() == IntErrorKind::PosOverflow => Err(outside()),
        Err(_) => Err(MtxReason::BadIndex { token: shown(token) }),
    }
}

/// A whole number.
pub(super) fn integer(token: &[u8]) -> Result<i64, MtxReason> {
    text(token)?.parse::<i64>().map_err(|e| match e.kind() {
        IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => {
            MtxReason::Overflow { token: shown(token) }
        }
        _ => MtxReason::BadValue { token: shown(token), field: Field::Integer },
    })
}

/// A real number, or a part of a complex one.
pub(super) fn real(token: &[u8], field: Field) -> Result<f64, MtxReason> {
    let text = text(token)?;
    let parsed = text.parse::<f64>().or_else(|error| {
        // Fortran marks the exponent of a double by `D`.
        match text.contains(['d', 'D']) {
            true => text.replace(['d', 'D'], "e").parse(),
            false => Err(error),
        }
    });
    match parsed {
        // `inf` is meant; a number that is written out is not meant to be infinite.
        Ok(v) if v.is_infinite() && token.iter().any(u8::is_ascii_digit) => {
            Err(MtxReason::Overflow { token: shown(token) })
        }
        Ok(v) => Ok(v),
        Err(_) => Err(MtxReason::BadValue { token: shown(token), field }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_fields() {
        let mut lines = Lines::new(b"\n  % c\r\n a\tbc \r\n\n%\n1");
        let mut comments = 0;
        let line = lines.next_data(|_| comments += 1).unwrap();
        assert_eq!(fields(line).collect::<Vec<_>>(), [&b"a"[..], b"bc"]);
        assert_eq!(lines.line, 3);
        assert_eq!(lines.next_data(|_| comments += 1), Some(&b"1"[..]));
        assert_eq!((lines.line, comments), (6, 2));
        assert_eq!(lines.next_data(|_| {}), None);
        assert_eq!(fields(b" \t\r").count(), 0);
    }

    #[test]
    fn numbers_of_c_and_fortran() {
        let ok = |t: &str| real(t.as_bytes(), Field::Real).unwrap();
        for (token, want) in [
            ("1", 1.0),
            ("+1.", 1.0),
            ("-.5", -0.5),
            ("1e5", 1e5),
            ("1E+05", 1e5),
            ("2D-3", 2e-3),
            ("2.5d+03", 2.5e3),
            ("1e-999", 0.0),
            ("4.9e-324", 5e-324),
            ("-Inf", f64::NEG_INFINITY),
            ("infinity", f64::INFINITY),
        ] {
            assert_eq!(ok(token), want, "{token}");
        }
        assert!(ok("NaN").is_nan() && ok("-nan").is_nan());
        for bad in ["", ".", "e5", "1e", "1..2", "1,5", "0x10", "1_0", "1+5", "d", "nand", "--1"] {
            let reason = real(bad.as_bytes(), Field::Real);
            assert!(matches!(reason, Err(MtxReason::BadValue { .. })), "{bad}");
        }
        for large in ["1e999", "-1D400"] {
            let reason = real(large.as_bytes(), Field::Real);
            assert!(matches!(reason, Err(MtxReason::Overflow { .. })), "{large}");
        }
        assert_eq!(integer(b"+7"), Ok(7));
        assert_eq!(integer(b"-9223372036854775808"), Ok(i64::MIN));
    }
}
