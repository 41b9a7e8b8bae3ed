//! The header of a file: which pass it is of, and the tables that its code is over. These are of a program: its
//! tensors have the arrays and sizes that code speaks of by name, and formats tell who may rely on what.
//!
//! - `; pass: hoist_loads`
//! - `; kernel: fn f(a: &Csr<f64>) -> (y: DenseVec<f64>) { .. }`, over the built-in formats
//! - `; untrusted: a1_crd`: arrays whose indices no invariant covers
//! - `; outer: n`, `; local: p`, `; state: q`, `; scalar: t f64`: variables that the code does not bind
//! - `; part: y`: a tensor `y_part` of the format of `y`, for chunks of a parallel region
//! - `; cursor: q to end`: a position that counts the entries of an input up to its end
//! - `; group: q to after in end by a0_crd`: a position that goes from group to group of neighbours, which end at
//!   `after`, the last at `end`, and the array of their coordinates
//! - `; union: next of q, r`: where the cursors of a union stand
//! - `; constant: long`: a condition that is the same throughout the kernel
//!
//! All else says what the file shows.

use crate::code::code;
use crate::expr::{declare, Line, Read};
use looplets_core::cin::{ArrayId, TensorId};
use looplets_core::formats::Library;
use looplets_core::kernel::{Array, Binding, Kernel, Neighbors, Role, Ty, VarKind};
use looplets_core::kir::Kir;
use looplets_core::{parse, resolve};
use proc_macro2::TokenStream;
use quote::quote;

/// A file as read.
pub struct File {
    pub pass: String,
    pub kernel: Kernel,
    pub code: Vec<Kir>,
}

/// The file whose text before `---` is `text`, over the formats of `library`.
pub fn file(library: &Library, text: &str) -> Read<File> {
    let (mut pass, mut kernel) = (None, None);
    let mut names = Vec::new();
    for line in text.lines().filter_map(|l| l.strip_prefix("; ")) {
        match line.split_once(": ") {
            Some(("pass", name)) => pass = Some(name.to_owned()),
            Some(("kernel", program)) => kernel = Some(resolved(library, program)?),
            Some((key, rest)) if !key.contains(' ') => names.push((key, rest)),
            _ => {}
        }
    }
    let pass = pass.ok_or("no `; pass: ..`")?;
    let mut kernel = kernel.ok_or("no `; kernel: ..`")?;
    for (key, rest) in &names {
        let mut l = Line { kernel: &mut kernel, rest };
        let kind = match *key {
            "outer" => VarKind::Outer,
            "local" => VarKind::Local,
            "state" => VarKind::State,
            "scalar" => VarKind::Scalar,
            "untrusted" => {
                l.arrays()?.iter().for_each(|a| kernel.arrays[a.0 as usize].trusted = false);
                continue;
            }
            "part" => {
                let whole = l.tensor()?;
                part(&mut kernel, whole);
                continue;
            }
            "cursor" | "group" | "union" | "constant" => continue,
            _ => return Err(format!("`; {key}:` declares nothing")),
        };
        while !l.rest.trim().is_empty() {
            let name = l.word()?;
            let end = l.rest.is_empty() || l.rest.starts_with(',');
            let ty = if end { Ty::Index } else { l.ty()? };
            declare(l.kernel, name, kind, ty);
            l.eat(",");
        }
    }
    let body: Vec<&str> = text.lines().filter(|l| !l.starts_with(';')).collect();
    let code = code(&mut kernel, &body.join("\n"))?;
    // Of variables that the code binds.
    for (key, rest) in names {
        let mut l = Line { kernel: &mut kernel, rest };
        let var = match key {
            "cursor" | "group" | "union" | "constant" => l.var()?,
            _ => continue,
        };
        if key == "constant" {
            kernel.constant.insert(var);
            continue;
        }
        if key == "cursor" {
            l.expect("to")?;
            let end = l.expr()?;
            kernel.cursors.insert(var, end);
            continue;
        }
        if key == "group" {
            l.expect("to")?;
            // A pass may have had no more use for it.
            let Ok(after) = l.var() else { continue };
            l.expect("in")?;
            let end = l.expr()?;
            l.expect("by")?;
            let coordinate = Some(l.array()?);
            kernel.groups.insert(var, Neighbors { after, end, coordinate });
            continue;
        }
        l.expect("of")?;
        let mut all = vec![l.var()?];
        while l.eat(",") {
            all.push(l.var()?);
        }
        kernel.unions.insert(var, all);
    }
    Ok(File { pass, kernel, code })
}

/// A tensor for a part of `whole`, with arrays and numbers of its own.
fn part(kernel: &mut Kernel, whole: TensorId) {
    let mut tensor = kernel.tensor(whole).clone();
    let id = TensorId(kernel.tensors.len() as u32);
    tensor.name = quote::format_ident!("{}_part", tensor.name);
    tensor.role = Role::Workspace;
    for (_, binding) in tensor.levels.iter_mut().flat_map(|level| &mut level.fields) {
        match binding {
            Binding::Scalar(v) => {
                let name = format!("{}_part", kernel.info(*v).name);
                let new = kernel.var(&name, VarKind::Local, Ty::Index);
                tensor.lens.iter_mut().filter(|len| *len == v).for_each(|len| *len = new);
                *v = new;
            }
            Binding::Array(a) => {
                let info = kernel.arrays[a.0 as usize].clone();
                let name = format!("{}_part", info.name);
                kernel.arrays.push(Array { name, tensor: id, ..info });
                *a = ArrayId(kernel.arrays.len() as u32 - 1);
            }
            Binding::Child => {}
        }
    }
    kernel.tensors.push(tensor);
}

/// The tables of a program.
fn resolved(library: &Library, program: &str) -> Read<Kernel> {
    let tokens: TokenStream = program.parse().map_err(|_| "the kernel is no Rust tokens")?;
    let program = parse::programs(tokens).map_err(|e| e.render())?.remove(0);
    resolve::resolve(program, library, &Default::default(), quote!(looplets))
        .map_err(|e| e.render())
}
