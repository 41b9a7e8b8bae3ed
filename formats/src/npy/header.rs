//! The text in front of an array: a Python dictionary of three keys. It is read as what NumPy writes, and not as all that
//! Python would understand.

use super::reason::NumpyReason;
use std::fmt::Write;

/// The order in which the values of an array stand in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// The last dimension's neighbours are adjacent (row-major).
    #[default]
    C,
    /// The first dimension's neighbours are adjacent (column-major).
    Fortran,
}

/// What the text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// The type, as `<f8`.
    pub descr: String,
    pub order: Order,
    pub shape: Vec<usize>,
}

/// The text that has to be somewhere, and where.
struct Text<'a> {
    all: &'a [u8],
    at: usize,
}

impl Header {
    /// What `text` says.
    pub fn parse(text: &[u8]) -> Result<Self, NumpyReason> {
        let mut text = Text { all: text, at: 0 };
        let (mut descr, mut order, mut shape) = (None, None, None);
        text.expect(b'{', "`{`")?;
        while !text.next_is(b'}') {
            let start = text.at;
            let key = text.string()?;
            text.expect(b':', "`:`")?;
            let again = match key {
                b"descr" => descr.replace(text.descr()?).is_some(),
                b"fortran_order" => order.replace(text.order()?).is_some(),
                b"shape" => shape.replace(text.shape()?).is_some(),
                _ => true,
            };
            if again {
                return Err(NumpyReason::Header {
                    expected: "`descr`, `fortran_order` and `shape`, once each",
                    at: start,
                });
            }
            if !text.next_is(b',') {
                text.expect(b'}', "`,` or `}`")?;
                break;
            }
        }
        text.blanks();
        if text.at < text.all.len() {
            return text.wants("the end of the header");
        }
        match (descr, order, shape) {
            (Some(descr), Some(order), Some(shape)) => Ok(Header { descr, order, shape }),
            _ => text.wants("`descr`, `fortran_order` and `shape`, once each"),
        }
    }

    /// The text, padded so that with the `before` bytes in front of it its length is a multiple of 64.
    pub fn text(&self, before: usize) -> String {
        let mut text = format!("{{'descr': '{}', 'fortran_order': ", self.descr);
        text.push_str(match self.order {
            Order::C => "False",
            Order::Fortran => "True",
        });
        text.push_str(", 'shape': (");
        for (d, n) in self.shape.iter().enumerate() {
            // Writing to a string does not fail.
            let _ = write!(text, "{}{n}", if d == 0 { "" } else { ", " });
        }
        text.push_str(if self.shape.len() == 1 { ",), }" } else { "), }" });
        let length = (before + text.len() + 1).next_multiple_of(64) - before - 1;
        text.push_str(&" ".repeat(length - text.len()));
        text.push('\n');
        text
    }
}

impl<'a> Text<'a> {
    fn wants<T>(&self, expected: &'static str) -> Result<T, NumpyReason> {
        Err(NumpyReason::Header { expected, at: self.at })
    }

    fn blanks(&mut self) {
        let blank = |b: &&u8| matches!(b, b' ' | b'\t' | b'\r' | b'\n');
        self.at += self.all[self.at..].iter().take_while(blank).count();
    }

    /// Goes past `byte` if it is next.
    fn next_is(&mut self, byte: u8) -> bool {
        self.blanks();
        let there = self.all.get(self.at) == Some(&byte);
        self.at += usize::from(there);
        there
    }

    fn expect(&mut self, byte: u8, what: &'static str) -> Result<(), NumpyReason> {
        match self.next_is(byte) {
            true => Ok(()),
            false => self.wants(what),
        }
    }

    /// A string without escapes.
    fn string(&mut self) -> Result<&'a [u8], NumpyReason> {
        self.blanks();
        let Some(&quote @ (b'\'' | b'"')) = self.all.get(self.at) else {
            return self.wants("a string");
        };
        let rest = &self.all[self.at + 1..];
        match rest.iter().position(|&b| b == quote || b == b'\\' || b == b'\n') {
            Some(end) if rest[end] == quote => {
                self.at += end + 2;
                Ok(&rest[..end])
            }
            _ => self.wants("a string without escapes"),
        }
    }

    fn descr(&mut self) -> Result<String, NumpyReason> {
        self.blanks();
        if self.all.get(self.at) == Some(&b'[') {
            return Err(NumpyReason::Type { descr: "a record".to_owned() });
        }
        Ok(String::from_utf8_lossy(self.string()?).into_owned())
    }

    fn order(&mut self) -> Result<Order, NumpyReason> {
        self.blanks();
        for (word, order) in [(&b"False"[..], Order::C), (b"True", Order::Fortran)] {
            if self.all[self.at..].starts_with(word) {
                self.at += word.len();
                return Ok(order);
            }
        }
        self.wants("`True` or `False`")
    }

    /// A tuple of sizes.
    fn shape(&mut self) -> Result<Vec<usize>, NumpyReason> {
        self.expect(b'(', "`(`")?;
        let mut shape = Vec::new();
        while !self.next_is(b')') {
            shape.push(self.size()?);
            if self.next_is(b',') {
                continue;
            }
            // A number in parentheses is no tuple.
            if shape.len() == 1 {
                return self.wants("`,`");
            }
            self.expect(b')', "`,` or `)`")?;
            break;
        }
        Ok(shape)
    }

    fn size(&mut self) -> Result<usize, NumpyReason> {
        self.blanks();
        let digits = self.all[self.at..].iter().take_while(|b| b.is_ascii_digit());
        let (mut size, mut count) = (0usize, 0);
        for &b in digits {
            size = size.saturating_mul(10).saturating_add(usize::from(b - b'0'));
            count += 1;
        }
        if count == 0 {
            return self.wants("a size");
        }
        if size > isize::MAX as usize {
            return self.wants("a size that is not over `isize::MAX`");
        }
        self.at += count;
        // Python 2 marked its long numbers.
        self.at += usize::from(self.all.get(self.at) == Some(&b'L'));
        Ok(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Header, NumpyReason> {
        Header::parse(text.as_bytes())
    }

    #[test]
    fn headers_as_numpy_writes_them() {
        let header = |order, shape: &[usize]| Header {
            descr: "<f8".to_owned(),
            order,
            shape: shape.to_vec(),
        };
        for shape in [&[][..], &[3], &[0], &[3, 4], &[1, 2, 3, 4, 5]] {
            for order in [Order::C, Order::Fortran] {
                let text = header(order, shape).text(10);
                assert_eq!((text.len() + 10) % 64, 0);
                assert!(text.ends_with('\n'));
                assert_eq!(parse(&text), Ok(header(order, shape)));
            }
        }
        let text = "{\"shape\":(3L,4,),'descr':'<f8' , 'fortran_order' : True}";
        assert_eq!(parse(text), Ok(header(Order::Fortran, &[3, 4])));
        let text = header(Order::C, &[3, 4]).text(10);
        assert!(text.starts_with("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }"));
    }

    #[test]
    fn headers_that_are_none() {
        let at = |expected, at| Err(NumpyReason::Header { expected, at });
        let keys = "`descr`, `fortran_order` and `shape`, once each";
        assert_eq!(parse(""), at("`{`", 0));
        assert_eq!(parse("{}"), at(keys, 2));
        assert_eq!(parse("{'descr': '<f8'} x"), at("the end of the header", 17));
        assert_eq!(parse("{'descr': '<f8', 'descr': '<f8'}"), at(keys, 17));
        assert_eq!(parse("{'order': 'C'}"), at(keys, 1));
        assert_eq!(parse("{'descr' '<f8'}"), at("`:`", 9));
        assert_eq!(parse("{'descr': '<f8' 'shape'"), at("`,` or `}`", 16));
        assert_eq!(parse("{'descr': '<f8"), at("a string without escapes", 10));
        assert_eq!(parse("{'descr': '\\x3c'}"), at("a string without escapes", 10));
        assert_eq!(parse("{'descr': 8}"), at("a string", 10));
        assert_eq!(parse("{'fortran_order': 1}"), at("`True` or `False`", 18));
        assert_eq!(parse("{'shape': [3]}"), at("`(`", 10));
        assert_eq!(parse("{'shape': (3)}"), at("`,`", 12));
        assert_eq!(parse("{'shape': (3, 4"), at("`,` or `)`", 15));
        assert_eq!(parse("{'shape': (-1,)}"), at("a size", 11));
        assert_eq!(parse("{'shape': ((),)}"), at("a size", 11));
        let large = "{'shape': (9223372036854775808,)}";
        assert_eq!(parse(large), at("a size that is not over `isize::MAX`", 11));
        let record = parse("{'descr': [('a', '<f8')]}");
        assert_eq!(record, Err(NumpyReason::Type { descr: "a record".into() }));
        assert!(parse(&format!("{{'shape': {}", "(".repeat(60_000))).is_err());
    }
}
