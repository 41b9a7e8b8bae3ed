//! New dense tensors whose elements loops overwrite before any is read: each is put where there is room for it, and nothing is
//! filled before.
//!
//! `x[i, k] = e[p[i], k]` by hand would append row to row. Filled first, its memory is gone through twice. Where there are loops within those
//! over the elements, as in a product, to fill is little beside them, and what they hold in registers counts for more.

use super::overwritten::covered;
use crate::cin::*;
use crate::kernel::{Kernel, Role, Ty, VarKind};
use crate::kir::Kir;
use crate::opaque::Opaque;
use crate::runtime::Runtime;
use crate::types::primitive;

/// Has such tensors of `code` written once.
pub(super) fn written_once(kernel: &mut Kernel, mut code: Vec<Kir>) -> Vec<Kir> {
    if kernel.safe {
        return code;
    }
    for id in (0..kernel.tensors.len() as u32).map(TensorId) {
        let new = matches!(kernel.tensor(id).role, Role::Output | Role::Workspace);
        if !new || kernel.reused.contains(&id) {
            continue;
        }
        let Some((at, array)) = covered(kernel, &code, id) else { continue };
        // What is left where a program fails has no elements, and those of numbers need not be dropped.
        let number = |ty: &Ty| match ty {
            Ty::Bool => true,
            Ty::Named(name) => primitive(name),
            _ => false,
        };
        if !number(&kernel.arrays[array.0 as usize].elem) || !declares(kernel, &code[at], array) {
            continue;
        }
        let mut written = code.clone();
        if put(kernel, &mut written, (id, array)) {
            code = written;
        }
    }
    code
}

/// Whether `k` is the declaration of `array`, which is empty then.
fn declares(kernel: &Kernel, k: &Kir, array: ArrayId) -> bool {
    runtime(kernel, k, array, &|call| matches!(call, Runtime::Declare))
}

/// Whether `k` is a call of the runtime, one for which `which` holds, with `array`.
fn runtime(kernel: &Kernel, k: &Kir, array: ArrayId, which: &dyn Fn(&Runtime) -> bool) -> bool {
    let Kir::Code(raw) = k else { return false };
    let raw = &kernel.raws[raw.0 as usize];
    let of = raw.names.iter().any(|(_, e)| *e == Expr::Array(array));
    of && matches!(&raw.code, Opaque::Runtime(call) if which(call))
}

/// Takes out of `code`, which begins to write `array`, what fills it, and has the first loops put all elements.
fn put(kernel: &mut Kernel, code: &mut Vec<Kir>, (id, array): (TensorId, ArrayId)) -> bool {
    let touched = |kernel: &Kernel, k: &Kir| kernel.touches(k, array);
    let opaque = |kernel: &Kernel, k: &Kir| matches!(k, Kir::Code(_)) && touched(kernel, k);
    let Some(at) = code.iter().position(|k| touched(kernel, k) && !opaque(kernel, k)) else {
        return false;
    };
    let slice = |kernel: &Kernel, k: &Kir| {
        runtime(kernel, k, array, &|call| matches!(call, Runtime::Slice { .. }))
    };
    let mut front: Vec<Kir> = code.drain(..at).collect();
    // The array is borrowed where it is whole.
    let borrowed: Vec<Kir> = front.iter().filter(|k| slice(kernel, k)).cloned().collect();
    let keeps = |k: &Kir| !opaque(kernel, k) || declares(kernel, k, array);
    front.retain(keeps);
    let mut first = code.remove(0);
    match &mut first {
        Kir::Block(body) if borrowed.is_empty() => {
            if !put(kernel, body, (id, array)) {
                return false;
            }
            front.push(first);
        }
        Kir::For { .. } | Kir::If { .. } => {
            let levels = kernel.tensor(id).levels.len() - 1;
            let mut loops = 0;
            first.walk(&mut |k| {
                loops += usize::from(matches!(k, Kir::For { .. } | Kir::While { .. }))
            });
            if loops > levels
                || !puts(&mut first, array)
                || touches_otherwise(kernel, &first, array)
            {
                return false;
            }
            let sizes = kernel.tensor(id).lens.iter().map(|len| Expr::Var(*len)).collect();
            let value = kernel.call(Runtime::Elements { of: (id, levels - 1) }, sizes, Ty::Index);
            let name = format!("{}_all", kernel.tensor(id).name);
            let count = kernel.var(&name, VarKind::Local, Ty::Index);
            front.push(Kir::Let { var: count, mutable: false, value });
            front.push(Kir::Written { of: (id, levels), array, count, body: vec![first] });
            if code.iter().any(|k| kernel.touches(k, array)) {
                front.extend(borrowed);
            }
        }
        _ => return false,
    }
    front.append(code);
    *code = front;
    true
}

/// Makes what `k` stores to `array` what it puts there; `false` if an element is stored to what it has.
fn puts(k: &mut Kir, array: ArrayId) -> bool {
    if let Kir::Store { target: Expr::Load(a, at), op, value } = k {
        if *a == array {
            if op.is_some() {
                return false;
            }
            *k = Kir::Put { array, at: (**at).clone(), value: value.clone() };
        }
        return true;
    }
    k.blocks_mut().into_iter().flatten().all(|k| puts(k, array))
}

/// Whether `k` has anything to do with `array` but that it puts elements there.
fn touches_otherwise(kernel: &Kernel, k: &Kir, array: ArrayId) -> bool {
    let own = match k {
        Kir::Put { at, value, .. } => [at, value].into_iter().any(|e| kernel.mentions(e, array)),
        k if k.blocks().is_empty() => kernel.touches(k, array),
        k => {
            k.exprs().into_iter().any(|e| kernel.mentions(e, array))
                || matches!(k, Kir::Parallel(_))
        }
    };
    own || k.blocks().into_iter().flatten().any(|k| touches_otherwise(kernel, k, array))
}
