//! Products in the positions of elements are wrapping multiplications, which LLVM can strength-reduce to one addition
//! a row. It may not do that with the saturating products that coordinates are made of.
//!
//! Coordinates are cut, so that what is compared with them does not overflow. The position of an element is
//! compared with nothing. It is one that exists, by the invariants that its array is trusted for, so that
//! sums, differences and products modulo 2^64 come to it, whatever they pass through.

use crate::cin::*;
use crate::kernel::Kernel;
use crate::kir::map_code;
use crate::kir::Kir;

pub(super) fn wrap(kernel: &Kernel, code: Vec<Kir>) -> Vec<Kir> {
    map_code(&code, &mut |e| in_positions(kernel, e))
}

fn in_positions(kernel: &Kernel, e: &Expr) -> Option<Expr> {
    let Expr::Load(a, i) = e else { return None };
    let position = match kernel.arrays[a.0 as usize].trusted {
        true => unlimited(kernel, i),
        false => i.map(&mut |e| in_positions(kernel, e)),
    };
    Some(Expr::Load(*a, Box::new(position)))
}

/// `e`, of which only the value modulo 2^64 matters.
fn unlimited(kernel: &Kernel, e: &Expr) -> Expr {
    match e {
        Expr::Call(op, args) if matches!(op, Op::Add | Op::Sub | Op::Mul) => {
            let args: Vec<Expr> = args.iter().map(|a| unlimited(kernel, a)).collect();
            Expr::Call(if *op == Op::Mul { Op::WrappingMul } else { op.clone() }, args)
        }
        other => other.map(&mut |e| in_positions(kernel, e)),
    }
}
