//! Loops that a program leaves out, as the manual says: each statement stands in loops over the indices that nothing
//! binds, and a branch in loops over those of its condition.

use looplets_core::ast::{Block, Expr, Form, Program, Stmt};
use proc_macro2::Ident;

pub fn write(program: &mut Program) {
    if matches!(program.form, Form::Inline) {
        return;
    }
    let mut known: Vec<String> = program.params.iter().map(|p| p.name.to_string()).collect();
    known.extend(program.outputs.iter().map(|o| o.name.to_string()));
    block(&mut program.body, &mut known);
}

fn block(b: &mut Block, known: &mut Vec<String>) {
    let mark = known.len();
    for stmt in &mut b.stmts {
        one(stmt, known);
        if let Stmt::Let { name, .. } | Stmt::Workspace { name, .. } = stmt {
            known.push(name.to_string());
        }
    }
    known.truncate(mark);
}

fn one(stmt: &mut Stmt, known: &mut Vec<String>) {
    let mut indices = Vec::new();
    match stmt {
        Stmt::Assign { target, value, .. } => {
            index_names(target, false, known, &mut indices);
            index_names(value, false, known, &mut indices);
        }
        Stmt::Remove { target, .. } => index_names(target, false, known, &mut indices),
        Stmt::If { cond, then, otherwise } => {
            index_names(cond, false, known, &mut indices);
            // An index may be compared alone.
            let mut within = Vec::new();
            for b in std::iter::once(&*then).chain(otherwise.as_ref()) {
                b.stmts.iter().for_each(|s| all_of(s, known, &mut within));
            }
            within.retain(|i| mentions(cond, i) && !indices.contains(i));
            indices.extend(within);
            let mark = known.len();
            known.extend(indices.iter().map(Ident::to_string));
            block(then, known);
            otherwise.iter_mut().for_each(|b| block(b, known));
            known.truncate(mark);
        }
        Stmt::Where { consumer, producer } => {
            block(producer, known);
            block(consumer, known);
        }
        Stmt::Block(b) => block(b, known),
        _ => {}
    }
    if !indices.is_empty() {
        let inner = std::mem::replace(stmt, Stmt::Pass(Vec::new()));
        let body = Block { span: indices[0].span(), stmts: vec![inner] };
        *stmt = Stmt::For { written: false, parallel: None, indices, extent: None, body };
    }
}

fn all_of(stmt: &Stmt, known: &[String], out: &mut Vec<Ident>) {
    match stmt {
        Stmt::Assign { target, value, .. } => {
            index_names(target, false, known, out);
            index_names(value, false, known, out);
        }
        Stmt::If { cond, then, otherwise } => {
            index_names(cond, false, known, out);
            then.stmts.iter().for_each(|s| all_of(s, known, out));
            otherwise.iter().flat_map(|b| &b.stmts).for_each(|s| all_of(s, known, out));
        }
        _ => {}
    }
}

fn mentions(e: &Expr, name: &Ident) -> bool {
    match e {
        Expr::Name(n) => n == name,
        Expr::Access { indices, .. } => indices.iter().any(|i| mentions(&i.expr, name)),
        Expr::Call { args, .. } => args.iter().any(|a| mentions(a, name)),
        _ => false,
    }
}

fn index_names(e: &Expr, within: bool, known: &[String], out: &mut Vec<Ident>) {
    match e {
        Expr::Name(n) => {
            let upper = n.to_string().starts_with(char::is_uppercase);
            if within && !upper && !known.contains(&n.to_string()) && !out.contains(n) {
                out.push(n.clone());
            }
        }
        Expr::Access { indices, .. } => {
            indices.iter().for_each(|i| index_names(&i.expr, true, known, out));
        }
        Expr::Call { args, .. } => args.iter().for_each(|a| index_names(a, within, known, out)),
        Expr::Shape(shape) => {
            shape
                .to
                .iter()
                .for_each(|i| index_names(&Expr::Name(i.name.clone()), true, known, out));
            let mut known = known.to_vec();
            known.extend(shape.from.iter().map(|i| i.name.to_string()));
            shape.operands.iter().for_each(|o| index_names(o, within, &known, out));
        }
        _ => {}
    }
}
