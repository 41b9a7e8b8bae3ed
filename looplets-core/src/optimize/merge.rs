//! Flattens blocks whose definitions end where their parent's do, and joins nested conditions.

use crate::cin::*;
use crate::kir::K;

pub(super) fn merge(code: Vec<K>) -> Vec<K> {
    let mut out: Vec<K> = Vec::new();
    let mut rest = code.len();
    for mut k in code {
        rest -= 1;
        for block in k.blocks_mut() {
            *block = merge(std::mem::take(block));
        }
        match k {
            // The last block of a block ends where its parent does.
            K::Block(body) if rest == 0 => out.extend(body),
            K::Block(body)
                if body.iter().all(|k| !matches!(k, K::Let { .. } | K::Code(_) | K::Begin(_))) =>
            {
                out.extend(body)
            }
            K::If { cond, then, otherwise } if otherwise.is_empty() => match then.as_slice() {
                [K::If { cond: inner, then: body, otherwise: none }] if none.is_empty() => {
                    let cond = Expr::call(Op::And, [cond, inner.clone()]);
                    out.push(K::If { cond, then: body.clone(), otherwise: Vec::new() });
                }
                _ => out.push(K::If { cond, then, otherwise }),
            },
            other => out.push(other),
        }
    }
    out
}
