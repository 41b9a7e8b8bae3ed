//! Archives that bytes were changed in, of their arrays and of their own, are read or refused, and what is read keeps what it
//! promises.

use super::{bsr, coo, csr, dia, gcxs, pydata_coo, Rows};
use crate::mutate::{rounds, Random};
use crate::npz::parse;
use crate::sample::{Element, List};
use crate::tensor::{Last, Refuse, Sum, Tensor};
use crate::Error;
use std::io::Cursor;
use zip::CompressionMethod;

type Two<C> = List<List<C, usize>, usize>;
type Three<C> = List<Two<C>, usize>;

#[test]
fn mutations_never_panic() {
    let seeds = [csr(), bsr(), dia(), coo(), pydata_coo(), gcxs()];
    let tokens: [&[u8]; 16] = [
        b"9223372036854775807",
        b"0",
        b"3",
        b"(2, 3)",
        b"<i8",
        b"<f8",
        b">u4",
        b"True",
        b"csr",
        b"coo",
        b"\xff\xff\xff\xff",
        b"\x00\x00\x00\x00",
        b"\x01",
        b"\x03\x00\x00\x00",
        b"\xff\xff\xff\x7f",
        b"",
    ];
    let mut random = Random::new(3);
    let (all, mut read, mut made) = (rounds(), 0, 0);
    for round in 0..all {
        let mut arrays = seeds[round % seeds.len()].clone();
        let whole = random.below(4) == 0;
        if !whole {
            for _ in 0..=random.below(2) {
                let at = random.below(arrays.0.len());
                let array = &mut arrays.0[at].1;
                // Values stand behind the header of 128 bytes.
                let mut part =
                    array.split_off(if random.below(4) == 0 { 10 } else { 128 }.min(array.len()));
                if part.len().is_multiple_of(8) && random.below(2) == 0 {
                    // A byte of a number, so that there are as many of them as before.
                    let at = random.below(part.len().max(1));
                    if let Some(byte) = part.get_mut(at) {
                        *byte = random.below(6) as u8;
                    }
                } else {
                    random.change(&mut part, &tokens);
                }
                array.extend(part);
            }
        }
        let method = match random.below(2) {
            0 => CompressionMethod::Stored,
            _ => CompressionMethod::Deflated,
        };
        let mut bytes = arrays.zip(method).into_inner();
        if whole {
            random.change(&mut bytes, &tokens);
        }
        match parse("a.npz", Cursor::new(bytes)) {
            Ok(sparse) => {
                read += 1;
                let (shape, columns) = (sparse.shape().to_vec(), sparse.columns());
                assert_eq!(columns.len(), shape.len());
                for (column, &size) in columns.iter().zip(&shape) {
                    assert_eq!(column.len(), sparse.len());
                    assert!(column.iter().all(|&i| i < size));
                }
                let sum = sparse.clone().into_tensor::<Two<Element<f64>>>(Sum);
                made += usize::from(sum.is_ok());
                // Rows take memory that the file has, but for what is no file of rows.
                let rows = shape.first().is_some_and(|&n| n < 1 << 20);
                let csr = rows.then(|| sparse.clone().into_tensor::<Rows<f64>>(Last).map(drop));
                for made in [
                    sum.map(|t| assert!(Tensor::from_parts(t.into_root()).is_ok())),
                    sparse.clone().into_tensor::<Three<Element<f64>>>(Refuse).map(drop),
                    sparse.transposed().into_tensor::<Two<Element<i64>>>(Refuse).map(drop),
                ]
                .into_iter()
                .chain(csr)
                {
                    made.unwrap_or_else(|e| assert!(!e.to_string().is_empty()));
                }
            }
            Err(error @ Error::Numpy { .. }) => assert!(!error.to_string().is_empty()),
            Err(other) => panic!("{other}"),
        }
    }
    assert!(cfg!(miri) || read > all / 20 && made > all / 50, "{read} read, {made} made of {all}");
}
