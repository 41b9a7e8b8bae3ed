//! Files that bytes were changed in are read or refused, and what is read is as long as it says.

use super::{options, shaped};
use crate::mtx::Field;
use crate::mutate::{rounds, Random};
use crate::sample::{Element, List, Pattern};
use crate::tensor::{Last, Refuse, Sum, Tensor};
use crate::tns::{parse, ReadOptions};
use crate::Error;

type Three<C> = List<List<List<C, usize>, usize>, usize>;

#[test]
fn mutations_never_panic() {
    let texts = [
        "#c\n1 1 1 1.5\n2 3 1 -2e10\n\n3 4 2 1D5\n3 1 7 inf\n",
        "1 1 1\r\n2 1 300\r\n3 3 9\r\n",
        "3 4 2 -7\n1 1 1 9223372036854775807\n1 1 1 1\n",
        "1 2 3 4 5\n2 2 2 0 .5\n",
    ];
    let tokens: Vec<&[u8]> = [
        "0",
        "-1",
        "1",
        "9223372036854775807",
        "18446744073709551616",
        "1e999",
        "nan",
        "",
        "\n",
        " ",
        "#",
        "\r\n",
        "\u{e9}",
    ]
    .iter()
    .map(|t| t.as_bytes())
    .collect();
    let known = [
        ReadOptions::default(),
        shaped(&[3, 4, 9]),
        options(Some(3), None),
        options(None, Some(Field::Pattern)),
        options(Some(3), Some(Field::Integer)),
        options(None, Some(Field::Complex)),
    ];
    let mut random = Random::new(20);
    let (all, mut read, mut made) = (rounds(), 0, 0);
    for round in 0..all {
        let mut text = texts[round % texts.len()].as_bytes().to_vec();
        random.change(&mut text, &tokens);
        let options = if random.below(2) == 0 { 0 } else { random.below(known.len()) };
        match parse("a.tns", &text[..], &known[options]) {
            Ok(c) => {
                read += 1;
                assert_eq!(c.columns().len(), c.shape().len());
                for (column, &size) in c.columns().iter().zip(c.shape()) {
                    assert_eq!(column.len(), c.len());
                    assert!(column.iter().all(|&i| i < size));
                }
                let sum = c.clone().into_tensor::<Three<Element<f64>>>(Sum);
                made += usize::from(
                    sum.as_ref().is_ok_and(|t| Tensor::from_parts(t.clone().into_root()).is_ok()),
                );
                for made in [
                    sum.map(drop),
                    c.clone().into_tensor::<Three<Element<i32>>>(Refuse).map(drop),
                    c.into_pattern().into_tensor::<Three<Pattern>>(Last).map(drop),
                ] {
                    made.unwrap_or_else(|e| assert!(!e.to_string().is_empty()));
                }
            }
            Err(Error::Frostt { line, reason, .. }) => {
                let lines = text.split(|&b| b == b'\n').count() as u64;
                assert!((1..=lines).contains(&line), "{reason}");
                assert!(!reason.to_string().is_empty());
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert!(cfg!(miri) || read > all / 20 && made > all / 50, "{read} read, {made} made of {all}");
}
