//! The oracle: a dense interpreter of the surface language, which shares the parser with the compiler
//! and nothing after it. Slow and plain on purpose: every statement does what its line in the manual
//! says, element by element, so that a disagreement is a bug of the compiler.
//!
//! `kernels! { fn k(..) -> (..) { .. } }` compiles kernels and keeps their text; `agree!(k(&a, &x))`
//! runs one both ways and compares every value of every result.
#![allow(dead_code, unused_macros, unused_imports)]

mod data;
mod eval;
mod extents;
mod index;
mod value;

pub use data::*;
pub use value::*;

use looplets_core::ast::{Block, Expr, Form, Passing, Program, Stmt};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// A Rust function or variable that a kernel uses, by its name in the kernel's text.
pub type Function = (&'static str, fn(&[Val]) -> Val);

/// Why a program has no result.
#[derive(Debug)]
pub enum Fail {
    /// Sizes or extents that do not fit each other, or a computed index out of range.
    Shape(String),
    /// Something this interpreter has no meaning for.
    Unknown(String),
}

/// The state of a program.
#[derive(Default)]
pub struct Oracle<'a> {
    pub tensors: HashMap<String, Plain>,
    pub scalars: HashMap<String, Val>,
    /// Scalars that statements change; an index moved by one is computed, not shifted.
    pub mutable: HashSet<String>,
    /// Definitions that are floats, also where their value is missing.
    pub floats: HashSet<String>,
    pub indices: HashMap<String, i128>,
    /// Every loop index of the program, and those of the loops around, outermost first.
    pub loops: Vec<String>,
    pub nest: Vec<String>,
    /// Sizes as far as the header gives them.
    pub shapes: HashMap<String, Vec<usize>>,
    /// Sizes found by the loops that reach into a tensor.
    pub reached: HashMap<String, Vec<usize>>,
    pub functions: &'a [Function],
}

thread_local! {
    static PARSED: RefCell<HashMap<&'static str, Rc<Program>>> = RefCell::default();
}

fn parse(text: &'static str) -> Rc<Program> {
    let program = PARSED.with(|p| p.borrow().get(text).cloned());
    program.unwrap_or_else(|| {
        let tokens: proc_macro2::TokenStream = text.parse().expect("kernels are tokens");
        let Ok(mut programs) = looplets_core::parse::programs(tokens) else {
            panic!("not a kernel: {text}")
        };
        let program = Rc::new(programs.remove(0));
        PARSED.with(|p| p.borrow_mut().insert(text, program.clone()));
        program
    })
}

/// The results of a program: updated parameters, then outputs, by name. `fills` are those of the outputs.
pub fn run(
    text: &'static str,
    args: &[Shown],
    fills: &[Val],
    functions: &[Function],
) -> Result<Vec<(String, Shown)>, Fail> {
    let program = parse(text);
    let mut o = Oracle { functions, ..Oracle::default() };
    assert_eq!(program.params.len(), args.len(), "arguments of {text}");
    for (param, arg) in program.params.iter().zip(args) {
        let name = param.name.to_string();
        if program.outputs.iter().any(|output| output.name == param.name) {
            // Only its memory is used.
            continue;
        }
        match arg {
            Shown::Tensor(t) => {
                o.shapes.insert(name.clone(), t.shape.clone());
                o.tensors.insert(name, t.clone());
            }
            Shown::Scalar(v) => {
                if param.passing == Passing::Mutable {
                    o.mutable.insert(name.clone());
                }
                o.scalars.insert(name, v.clone());
            }
        }
    }
    for output in &program.outputs {
        if let Some(dims) = &output.dims {
            let shape = o.sizes(dims)?;
            o.shapes.insert(output.name.to_string(), shape);
        }
    }
    extents::loops_in(&program.body, &mut o.loops);
    o.reach(&program.body)?;
    for (output, fill) in program.outputs.iter().zip(fills) {
        let name = output.name.to_string();
        let shape = o.shapes.get(&name).or(o.reached.get(&name)).cloned().unwrap_or_default();
        o.tensors.insert(name, Plain::filled(shape, fill.clone()));
    }
    o.block(&program.body)?;
    let mut results = Vec::new();
    let mutable = program
        .params
        .iter()
        .filter(|p| p.passing == Passing::Mutable && Some(&p.name) != program.steps.as_ref());
    for name in mutable
        .map(|p| p.name.to_string())
        .chain(program.outputs.iter().map(|x| x.name.to_string()))
    {
        let shown = match o.tensors.remove(&name) {
            Some(t) => Shown::Tensor(t),
            None => Shown::Scalar(o.scalars[&name].clone()),
        };
        results.push((name, shown));
    }
    Ok(results)
}

/// Which arguments of a program come back changed.
fn updated(text: &'static str) -> Vec<usize> {
    let program = parse(text);
    let params = program.params.iter().enumerate();
    params
        .filter(|(_, p)| p.passing == Passing::Mutable && Some(&p.name) != program.steps.as_ref())
        .map(|(k, _)| k)
        .collect()
}

/// Compares what a kernel gave with what the oracle says.
pub fn compare(
    text: &'static str,
    before: &[Shown],
    after: &[Shown],
    outputs: &[Shown],
    functions: &[Function],
) {
    let fills: Vec<Val> = outputs
        .iter()
        .map(|x| match x {
            Shown::Tensor(t) => t.fill.clone(),
            Shown::Scalar(v) => v.clone(),
        })
        .collect();
    let expected = match run(text, before, &fills, functions) {
        Ok(expected) => expected,
        Err(e) => {
            let inputs: Vec<String> = before.iter().map(Shown::text).collect();
            panic!(
                "the oracle refuses what the kernel computed: {e:?}\n{text}\nwith {}",
                inputs.join("\n     ")
            )
        }
    };
    let got: Vec<&Shown> = updated(text).into_iter().map(|k| &after[k]).chain(outputs).collect();
    assert_eq!(expected.len(), got.len());
    for ((name, want), got) in expected.iter().zip(got) {
        if !want.same(got) {
            let inputs: Vec<String> = before.iter().map(Shown::text).collect();
            panic!(
                "`{name}` is {}\nbut should be {}\nin {text}\nwith {}",
                got.text(),
                want.text(),
                inputs.join("\n     ")
            );
        }
    }
}

impl Oracle<'_> {
    pub fn block(&mut self, block: &Block) -> Result<(), Fail> {
        let (tensors, scalars) = (self.tensors.clone(), self.scalars.clone());
        for stmt in &block.stmts {
            self.stmt(stmt)?;
        }
        // What the block declared ends with it; what it hid comes back.
        for name in declared(block) {
            match tensors.get(&name) {
                Some(t) => self.tensors.insert(name.clone(), t.clone()),
                None => self.tensors.remove(&name),
            };
            match scalars.get(&name) {
                Some(v) => self.scalars.insert(name, v.clone()),
                None => self.scalars.remove(&name),
            };
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), Fail> {
        match stmt {
            Stmt::For { indices, extent, body, .. } => {
                let names: Vec<String> = indices.iter().map(ToString::to_string).collect();
                self.nest(&names, extent.as_ref(), body)
            }
            Stmt::Assign { target, op, value, .. } => {
                let value = self.eval(value)?;
                if value == Val::Missing {
                    return Ok(());
                }
                let reduce = |o: &Self, old: Val, fill: Option<&Val>| match op {
                    None => Ok(value.clone()),
                    Some(op) => o.reduce(&op.op.name(), old, value.clone(), fill),
                };
                match target {
                    Expr::Name(name) => {
                        let name = name.to_string();
                        let old = self.scalars.get(&name).cloned();
                        let old = old.ok_or_else(|| Fail::Unknown(name.clone()))?;
                        let new = reduce(self, old.clone(), None)?.like(&old);
                        self.scalars.insert(name, new);
                    }
                    Expr::Access { name, indices, .. } => {
                        let name = name.to_string();
                        let Some(at) = self.position(&name, indices)? else { return Ok(()) };
                        let t = &self.tensors[&name];
                        let new = reduce(self, t.data[at].clone(), Some(&t.fill))?;
                        let t = self.tensors.get_mut(&name).expect("found above");
                        t.data[at] = new.like(&t.fill);
                    }
                    _ => return Err(Fail::Unknown("a target".into())),
                }
                Ok(())
            }
            Stmt::If { cond, then, otherwise } => {
                if self.eval(cond)?.truth() {
                    self.block(then)
                } else {
                    otherwise.as_ref().map_or(Ok(()), |b| self.block(b))
                }
            }
            Stmt::Where { consumer, producer } => {
                // Scalars that the producer writes without a declaration live here and start at zero.
                let mut fresh = Vec::new();
                assigned(producer, &mut fresh);
                fresh.retain(|n| !self.scalars.contains_key(n));
                for name in &fresh {
                    self.mutable.insert(name.clone());
                    self.scalars.insert(name.clone(), Val::Int(0));
                }
                self.block(producer)?;
                self.block(consumer)?;
                for name in &fresh {
                    self.scalars.remove(name);
                }
                Ok(())
            }
            Stmt::Let { name, value } => {
                match self.is_float(value) {
                    true => self.floats.insert(name.to_string()),
                    false => self.floats.remove(&name.to_string()),
                };
                let value = self.eval(value)?;
                self.scalars.insert(name.to_string(), value);
                Ok(())
            }
            Stmt::Workspace { name, ty, dims } => {
                let name = name.to_string();
                let fill = fill_of(&quote::quote!(#ty).to_string());
                let shape = match dims {
                    Some(dims) => Some(self.sizes(dims)?),
                    None => self.reached.get(&name).cloned(),
                };
                match shape {
                    Some(shape) => {
                        self.shapes.insert(name.clone(), shape.clone());
                        self.tensors.insert(name, Plain::filled(shape, fill));
                    }
                    None => {
                        self.mutable.insert(name.clone());
                        self.scalars.insert(name, fill);
                    }
                }
                Ok(())
            }
            Stmt::Pass(_) => Ok(()),
            Stmt::Block(block) => self.block(block),
        }
    }

    fn nest(
        &mut self,
        names: &[String],
        extent: Option<&(Expr, Expr)>,
        body: &Block,
    ) -> Result<(), Fail> {
        let Some((index, inner)) = names.split_first() else { return self.block(body) };
        let (lo, hi) = self.extent(index, extent, body)?;
        self.nest.push(index.clone());
        for i in lo..hi {
            self.indices.insert(index.clone(), i);
            self.nest(inner, extent, body)?;
        }
        self.nest.pop();
        self.indices.remove(index);
        Ok(())
    }
}

/// Names a block declares for its own statements.
fn declared(block: &Block) -> Vec<String> {
    let names = block.stmts.iter().filter_map(|s| match s {
        Stmt::Let { name, .. } | Stmt::Workspace { name, .. } => Some(name.to_string()),
        _ => None,
    });
    names.collect()
}

/// Scalars assigned anywhere in a block.
fn assigned(block: &Block, out: &mut Vec<String>) {
    for stmt in &block.stmts {
        match stmt {
            Stmt::Assign { target: Expr::Name(n), .. } => out.push(n.to_string()),
            Stmt::For { body, .. } | Stmt::Block(body) => assigned(body, out),
            Stmt::If { then, otherwise, .. } => {
                assigned(then, out);
                otherwise.iter().for_each(|b| assigned(b, out));
            }
            Stmt::Where { consumer, producer } => {
                assigned(producer, out);
                assigned(consumer, out);
            }
            _ => {}
        }
    }
}

/// Compiles kernels and keeps the text of each, in a module of its name.
macro_rules! kernels {
    () => {};
    (@one $vis:vis $name:ident [$($all:tt)*]) => {
        looplets::finch! { $($all)* }
        #[doc(hidden)]
        pub mod $name {
            #[doc(hidden)]
            pub const TEXT: &str = stringify!($($all)*);
        }
    };
    // Splits at `;;`, which no kernel contains.
    ($(#![$set:meta])* fn $name:ident $($rest:tt)*) => {
        kernels! { @split [$(#![$set])*] $name [fn $name] $($rest)* }
    };
    (@split [$($set:tt)*] $name:ident [$($done:tt)*] ;; $($rest:tt)*) => {
        kernels! { @one pub $name [$($set)* $($done)*] }
        kernels! { $($rest)* }
    };
    (@split [$($set:tt)*] $name:ident [$($done:tt)*]) => {
        kernels! { @one pub $name [$($set)* $($done)*] }
    };
    (@split [$($set:tt)*] $name:ident [$($done:tt)*] $next:tt $($rest:tt)*) => {
        kernels! { @split [$($set)*] $name [$($done)* $next] $($rest)* }
    };
}

/// Runs a kernel and the oracle on the same arguments; `; f => |args| ..` gives Rust functions it uses.
macro_rules! agree {
    ($name:ident ( $($arg:expr),* $(,)? ) $(; $($f:literal => $body:expr),*)?) => {{
        let before = vec![$($crate::oracle::Show::show(&$arg)),*];
        let outputs = $crate::oracle::Outputs::outputs(&$name($($arg),*));
        let after = vec![$($crate::oracle::Show::show(&$arg)),*];
        let functions: &[$crate::oracle::Function] = &[$($(($f, $body)),*)?];
        $crate::oracle::compare($name::TEXT, &before, &after, &outputs, functions);
    }};
}
