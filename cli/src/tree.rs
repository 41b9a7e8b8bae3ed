//! The syntax of a program as an indented tree, which shows what binds to what.

use looplets_core::ast::{Block, Expr, Form, Output, Passing, Program, Shape, Sized, Stmt, RESULT};
use looplets_core::diagnostics::text;

/// The tree of `program`.
pub fn tree(program: &Program) -> String {
    let mut out = Tree { out: String::new() };
    match &program.form {
        Form::Function { name, .. } => out.line(0, &format!("function {name}")),
        Form::Inline => out.line(0, "inline program"),
    }
    for param in &program.params {
        let how = match param.passing {
            Passing::Value => "value",
            Passing::Shared => "operand",
            Passing::Mutable | Passing::Thinned => "updated",
            Passing::Made => "made",
        };
        out.line(1, &format!("{how} {}: {}", param.name, text(&param.ty)));
    }
    for output in &program.outputs {
        out.output(output);
    }
    out.block(1, &program.body);
    out.out
}

struct Tree {
    out: String,
}

impl Tree {
    fn line(&mut self, indent: usize, text: &str) {
        self.out += &"  ".repeat(indent);
        self.out += text;
        self.out.push('\n');
    }

    fn output(&mut self, output: &Output) {
        let named = match output.name == RESULT {
            true => String::new(),
            false => format!("{}: ", output.name),
        };
        self.line(1, &format!("result {named}{}", text(&output.ty)));
        output.dims.iter().flatten().for_each(|size| self.part(2, "size", size));
        if let Some((start, _)) = &output.start {
            self.part(2, "starts at", start);
        }
    }

    fn block(&mut self, indent: usize, block: &Block) {
        block.stmts.iter().for_each(|s| self.stmt(indent, s));
    }

    fn stmt(&mut self, indent: usize, stmt: &Stmt) {
        match stmt {
            Stmt::For { parallel, indices, extent, body, .. } => {
                let parallel = if parallel.is_some() { "parallel " } else { "" };
                let names: Vec<String> = indices.iter().map(ToString::to_string).collect();
                self.line(indent, &format!("{parallel}for {}", names.join(", ")));
                if let Some((lo, hi)) = extent {
                    self.part(indent + 1, "from", lo);
                    self.part(indent + 1, "to", hi);
                }
                self.block(indent + 1, body);
            }
            Stmt::Assign { target, op, value, .. } => {
                let op = op.as_ref().map_or(String::new(), |op| format!("{} ", op.op.name()));
                self.line(indent, &format!("assign {op}="));
                self.expr(indent + 1, target);
                self.expr(indent + 1, value);
            }
            Stmt::Remove { target, .. } => self.part(indent, "remove", target),
            Stmt::If { cond, then, otherwise } => {
                self.part(indent, "if", cond);
                self.line(indent, "then");
                self.block(indent + 1, then);
                if let Some(otherwise) = otherwise {
                    self.line(indent, "else");
                    self.block(indent + 1, otherwise);
                }
            }
            Stmt::Where { consumer, producer } => {
                self.line(indent, "consumer");
                self.block(indent + 1, consumer);
                self.line(indent, "producer");
                self.block(indent + 1, producer);
            }
            Stmt::Let { name, value } => self.part(indent, &format!("let {name}"), value),
            Stmt::Workspace { name, ty, dims, .. } => {
                self.line(indent, &format!("workspace {name}: {}", text(ty)));
                dims.iter().flatten().for_each(|size| self.part(indent + 1, "size", size));
            }
            Stmt::Pass(names) => {
                let names: Vec<String> = names.iter().map(ToString::to_string).collect();
                self.line(indent, &format!("pass {}", names.join(", ")));
            }
            Stmt::Block(body) => {
                self.line(indent, "block");
                self.block(indent + 1, body);
            }
        }
    }

    /// An expression under a word.
    fn part(&mut self, indent: usize, word: &str, e: &Expr) {
        self.line(indent, word);
        self.expr(indent + 1, e);
    }

    fn expr(&mut self, indent: usize, e: &Expr) {
        match e {
            Expr::Lit(lit, suffix, _) => {
                self.line(indent, &format!("{}{}", lit.text(), suffix.as_deref().unwrap_or("")));
            }
            Expr::Name(name) => self.line(indent, &name.to_string()),
            Expr::Path(path) => self.line(indent, &text(path)),
            Expr::Access { name, indices, .. } => {
                self.line(indent, &format!("access {name}"));
                for index in indices {
                    self.expr(indent + 1, &index.expr);
                    if let Some(protocol) = &index.protocol {
                        self.line(indent + 2, &format!("by {protocol}"));
                    }
                }
            }
            Expr::Call { op, args } => {
                let name = op.path.as_ref().map_or_else(|| op.op.name().into_owned(), text);
                self.line(indent, &name);
                args.iter().for_each(|arg| self.expr(indent + 1, arg));
            }
            Expr::Escape(tokens, _) => self.line(indent, &format!("$({})", text(tokens))),
            Expr::Shape(shape) => self.shape(indent, shape),
        }
    }

    fn shape(&mut self, indent: usize, shape: &Shape) {
        let names =
            |all: &[Sized]| all.iter().map(|s| s.name.to_string()).collect::<Vec<_>>().join(", ");
        let (from, to) = (names(&shape.from), names(&shape.to));
        self.line(indent, &format!("{} ({from}) -> ({to})", shape.op.name()));
        shape.operands.iter().for_each(|e| self.expr(indent + 1, e));
        for sized in shape.from.iter().chain(&shape.to) {
            if let Some(size) = &sized.size {
                self.part(indent + 1, &format!("size of {}", sized.name), size);
            }
        }
        if let Some((start, end, step)) = &shape.cut {
            self.part(indent + 1, "from", start);
            self.part(indent + 1, "to", end);
            step.iter().for_each(|step| self.part(indent + 1, "every", step));
        }
    }
}
