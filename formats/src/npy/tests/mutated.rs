//! Arrays that bytes were changed in are read or refused, and what is read is as long as it says.

use super::{bytes, header};
use crate::mutate::{rounds, Random};
use crate::npy::{parse, write_to, Order};
use crate::sample::{Element, List};
use crate::tensor::Tensor;
use crate::Error;

type Two<C> = List<List<C, usize>, usize>;

#[test]
fn mutations_never_panic() {
    let numbers: Vec<u8> =
        [0.0, 1.5, -2.0, f64::NAN].iter().flat_map(|v| v.to_le_bytes()).collect();
    let seeds = [
        bytes(&header("<f8", false, "(2, 2)"), &numbers),
        bytes(&header(">i4", true, "(2, 4)"), &numbers),
        bytes(&header("|b1", false, "(2, 2, 1)"), &[1, 0, 0, 1]),
        bytes(&header("<c16", true, "(2, 1)"), &numbers),
        bytes(&header("|u1", false, "(0, 3)"), &[]),
    ];
    let tokens: [&[u8]; 16] = [
        b"9223372036854775807",
        b"1000000000000000",
        b"4294967296",
        b"0",
        b"2",
        b"(",
        b")",
        b",",
        b"'",
        b"<f8",
        b">u2",
        b"True",
        b"'shape': (2, 2)",
        b"\xff\xff\xff\xff",
        b"\x02\x00",
        b"",
    ];
    let mut random = Random::new(7);
    let (all, mut read, mut made) = (rounds(), 0, 0);
    for round in 0..all {
        let mut bytes = seeds[round % seeds.len()].clone();
        match random.below(4) {
            0 => random.change(&mut bytes, &tokens),
            1 => {
                // Most of the header is blanks: behind its words and in front of the values.
                let at = random.below(70);
                let mut part = bytes.split_off(10 + at);
                let rest = part.split_off(part.len().min(30));
                random.change(&mut part, &tokens);
                bytes.extend(part);
                bytes.extend(rest);
            }
            _ => {
                // A byte of a value, or a digit of the header.
                let digit = |b: &u8| b.is_ascii_digit();
                let digits: Vec<usize> = (10..75).filter(|&at| digit(&bytes[at])).collect();
                match bytes.len().checked_sub(128) {
                    Some(values @ 1..) if random.below(2) == 0 => {
                        bytes[128 + random.below(values)] = random.below(256) as u8;
                    }
                    _ => bytes[digits[random.below(digits.len())]] = b'0' + random.below(10) as u8,
                }
            }
        }
        match parse("a.npy", &bytes[..]) {
            Ok(array) => {
                read += 1;
                let volume = array.shape().iter().fold(1usize, |p, &n| p.saturating_mul(n));
                assert!(array.shape().contains(&0) || volume == array.values().len());
                let dense = array.clone().into_values::<f64>();
                dense.unwrap_or_else(|e| panic_if_empty(&e));
                match array.into_tensor::<Two<Element<f64>>>() {
                    Ok(tensor) => {
                        made += 1;
                        let mut again = Vec::new();
                        write_to("a.npy", &mut again, &tensor, Order::Fortran).unwrap();
                        assert!(Tensor::from_parts(tensor.into_root()).is_ok());
                    }
                    Err(error) => drop(panic_if_empty(&error)),
                }
            }
            Err(error @ Error::Numpy { .. }) => drop(panic_if_empty(&error)),
            Err(other) => panic!("{other}"),
        }
    }
    assert!(cfg!(miri) || read > all / 20 && made > all / 100, "{read} read, {made} made of {all}");
}

fn panic_if_empty(error: &Error) -> Vec<f64> {
    assert!(!error.to_string().is_empty());
    Vec::new()
}
