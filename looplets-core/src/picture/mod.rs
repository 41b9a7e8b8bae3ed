//! Looplet nests for people: what each operand of a kernel unfurls to, level by level, as text and as pictures of boxes
//! along the index axis, as Looplets draws them (figure 3).
//!
//! Levels are unfurled here for a fiber of any position `p`, before anything is lowered, so that a picture says what the
//! declaration of the format says and nothing that the compiler knows beside it.

mod drawn;
mod layout;
mod nest;
mod svg;
mod text;

pub use nest::{Fiber, Nest, Part};
pub use svg::svg;
pub use text::{of_nest, text};

use crate::cin::{AccessId, Expr, Op};
use crate::kernel::{Access, IndexKind, Kernel, Ty, VarKind};
use crate::unfurl;
use drawn::Drawer;

/// What the operands that `kernel` reads unfurl to: one for each level and protocol of each tensor, in the order of the
/// program. Results are left out, which are written.
///
/// Linear in the declarations of the levels. Unfurling makes variables in `kernel`, which is of no use for lowering
/// afterwards: resolve the program once more for that.
pub fn fibers(kernel: &mut Kernel) -> Vec<Fiber> {
    let mut out: Vec<Fiber> = Vec::new();
    let mut seen = Vec::new();
    for id in (0..kernel.accesses.len() as u32).map(AccessId) {
        let access = kernel.get(id).clone();
        if access.write {
            continue;
        }
        for level in 0..access.indices.len() {
            let protocol = protocol(kernel, &access, level);
            let key = (access.tensor, level, protocol.clone());
            if seen.contains(&key) {
                continue;
            }
            seen.push(key);
            let called = kernel.access_text(id);
            out.push(fiber(kernel, &access, level, (called, protocol), Vec::new()));
        }
    }
    out
}

/// What the first level of `access` unfurls to by the protocol that it names. The kernel calls its fields as the level does, with `own`
/// in front.
pub(crate) fn of_access(kernel: &mut Kernel, access: &Access, own: &str) -> Nest {
    let protocol = protocol(kernel, access, 0);
    fiber(kernel, access, 0, (String::new(), protocol), vec![own.to_owned()]).nest
}

/// The name of the protocol by which `access` reads `level`.
fn protocol(kernel: &Kernel, access: &Access, level: usize) -> String {
    let index = &access.indices[level];
    let decl = kernel.tensor(access.tensor).levels[level].format.level();
    let first = decl.reads.first().and_then(|read| read.names.first());
    match (&index.protocol, index.kind.loop_of()) {
        (Some(named), _) => named.clone(),
        (None, None) => "locate".to_owned(),
        (None, Some(_)) => first.map_or_else(String::new, ToString::to_string),
    }
}

/// What one level of `access`, which people know as `called`, unfurls to where it is read by `protocol`.
fn fiber(
    kernel: &mut Kernel,
    access: &Access,
    level: usize,
    (called, protocol): (String, String),
    mut prefixes: Vec<String>,
) -> Fiber {
    let tensor = kernel.tensor(access.tensor);
    let (name, decl) = (tensor.name.to_string(), tensor.levels[level].format.level());
    let (format, ranges) = (decl.name.to_string(), decl.ranges());
    // The names are those of the level, which are shown without what they begin with in the kernel.
    let prefix = format!("{name}{level}_");
    let p = Expr::Var(kernel.var(&format!("{prefix}p"), VarKind::Local, Ty::Index));
    let pos = match ranges {
        true => {
            let end = kernel.var(&format!("{prefix}e"), VarKind::Local, Ty::Index);
            Expr::call(Op::Range, [p, Expr::Var(end)])
        }
        false => p,
    };
    let here = Access {
        level,
        pos,
        present: None,
        indices: access.indices[level..].to_vec(),
        unfurled: None,
        resumed: None,
        ..access.clone()
    };
    let (nest, start, stop, index) = match &here.indices[0].kind {
        IndexKind::Affine(index, _) | IndexKind::Digit(index, _) => {
            let unfurled = unfurl::unfurl(kernel, &here, *index);
            (unfurled.nest, unfurled.start, unfurled.stop, Some(*index))
        }
        IndexKind::Opaque(at) => {
            let nest = unfurl::locate(kernel, &here, at);
            let len = Expr::Var(kernel.tensor(here.tensor).lens[level]);
            (nest, Expr::int(0), len, None)
        }
    };
    prefixes.push(prefix);
    let drawer = Drawer::new(kernel, prefixes);
    Fiber {
        access: called,
        level: format,
        dimension: kernel.tensor(here.tensor).dimension(level),
        index: index.map(|v| kernel.info(v).name.clone()),
        protocol,
        start: drawer.text(&start),
        stop: drawer.text(&stop),
        nest: drawer.nest(&nest, &stop),
    }
}
