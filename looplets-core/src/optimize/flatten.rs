//! Flattens blocks whose definitions end where their parent's do, and joins nested conditions.

use crate::cin::*;
use crate::kir::Kir;

pub(super) fn flatten(code: Vec<Kir>) -> Vec<Kir> {
    let mut out: Vec<Kir> = Vec::new();
    let mut rest = code.len();
    for mut k in code {
        rest -= 1;
        for block in k.blocks_mut() {
            *block = flatten(std::mem::take(block));
        }
        match k {
            // The last block of a block ends where its parent does.
            Kir::Block(body) if rest == 0 => out.extend(body),
            Kir::Block(body)
                if body
                    .iter()
                    .all(|k| !matches!(k, Kir::Let { .. } | Kir::Code(_) | Kir::Begin(_))) =>
            {
                out.extend(body)
            }
            Kir::If { cond, then, otherwise } if otherwise.is_empty() => match then.as_slice() {
                [Kir::If { cond: inner, then: body, otherwise: none }] if none.is_empty() => {
                    let cond = Expr::call(Op::And, [cond, inner.clone()]);
                    out.push(Kir::If { cond, then: body.clone(), otherwise: Vec::new() });
                }
                _ => out.push(Kir::If { cond, then, otherwise }),
            },
            other => out.push(other),
        }
    }
    out
}
