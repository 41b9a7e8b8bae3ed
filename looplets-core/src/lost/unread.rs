//! Definitions, scalars and workspaces of a program that nothing reads.

use super::{every, own_reads, Names};
use crate::ast::{Block, Program, Stmt};
use crate::kernel::Warning;
use proc_macro2::Ident;

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    let mut read = Names::new();
    every(&program.body, &mut |stmt| {
        own_reads(stmt, &mut |name| {
            read.insert(name.to_string());
        });
    });
    block(&program.body, &read, found);
}

/// Names are compared without their scopes: of two definitions that share a name, an unread one is missed if the other is
/// read.
fn block(block: &Block, read: &Names, found: &mut Vec<Warning>) {
    let mut unread = |name: &Ident, what: &str| {
        let text = name.to_string();
        if !read.contains(&text) && !text.starts_with('_') {
            let note = format!("nothing reads the {what} `{name}`: leave it out, or call it `_{name}` if it is to be there");
            found.push(Warning { span: name.span(), name: "never_read", note });
        }
    };
    every(block, &mut |stmt| match stmt {
        Stmt::Let { name, .. } => unread(name, "definition"),
        Stmt::Workspace { name, dims: Some(_), .. } => unread(name, "workspace"),
        Stmt::Workspace { name, .. } => unread(name, "scalar"),
        _ => {}
    });
}
