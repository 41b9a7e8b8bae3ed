//! The tensors and scalars of a program, with where their types stand: the page puts other formats there.

use crate::place::place;
use looplets_core::ast::{Passing, Program, Stmt};
use looplets_core::diagnostics::text;
use looplets_core::kernel::{Kernel, ParamIs, Role, Tensor};
use serde_json::{json, Value};
use syn::spanned::Spanned;

/// Every tensor whose format stands in the program: parameters, outputs and workspaces.
pub fn tensors(program: &Program, kernel: &Kernel, source: &str) -> Vec<Value> {
    let mut types: Vec<(String, &syn::Type)> = Vec::new();
    types.extend(program.params.iter().map(|p| (p.name.to_string(), &p.ty)));
    types.extend(program.outputs.iter().map(|o| (o.name.to_string(), &o.ty)));
    workspaces(&program.body.stmts, &mut types);
    let mut out = Vec::new();
    for (name, ty) in types {
        let Some(at) = place(ty.span(), source) else { continue };
        let is = |t: &&Tensor| t.name == name;
        let Some(tensor) = kernel.tensors.iter().find(is) else { continue };
        let role = match tensor.role {
            Role::Input => "input",
            Role::InOut => "updated",
            Role::Output => "output",
            Role::Workspace => "workspace",
        };
        let memory = kernel.params.iter().any(|p| p.0 == name && p.3 == ParamIs::Memory);
        let given = matches!(tensor.role, Role::Input | Role::InOut) && !memory;
        let (leaf, levels) =
            tensor.levels.split_last().map_or((None, &[][..]), |(l, r)| (Some(l), r));
        let levels: Vec<Value> = levels
            .iter()
            .map(|level| {
                let decl = level.format.level();
                // What stands behind the child, if it is not what stands there anyway.
                let more = decl.params.iter().zip(&level.format.args).skip(1);
                let more = more.filter(|(p, (_, arg))| {
                    p.default.as_ref().is_some_and(|d| text(d) != text(arg))
                });
                let more: Vec<String> = more.map(|(_, (_, arg))| text(arg)).collect();
                json!({ "name": decl.name.to_string(), "more": more })
            })
            .collect();
        out.push(json!({
            "name": name,
            "role": role,
            "given": given,
            "type": text(ty),
            "at": at,
            "levels": levels,
            "leaf": leaf.map(|l| l.format.level().name.to_string()),
            "value": tensor.value.text(),
            "fill": tensor.chain.marker(),
        }));
    }
    out
}

fn workspaces<'a>(stmts: &'a [Stmt], out: &mut Vec<(String, &'a syn::Type)>) {
    for stmt in stmts {
        if let Stmt::Workspace { name, ty, .. } = stmt {
            out.push((name.to_string(), ty));
        }
        looplets_core::ast::visit::blocks(stmt, &mut |block| workspaces(&block.stmts, out));
    }
}

/// The scalars that are given.
pub fn scalars(kernel: &Kernel) -> Vec<Value> {
    let given =
        |passing: &Passing| matches!(passing, Passing::Value | Passing::Mutable | Passing::Shared);
    let scalars = kernel.params.iter().filter_map(|(name, passing, ty, is)| match is {
        ParamIs::Scalar(v) if given(passing) && kernel.steps != Some(*v) => {
            Some(json!({ "name": name.to_string(), "type": text(ty) }))
        }
        _ => None,
    });
    scalars.collect()
}
