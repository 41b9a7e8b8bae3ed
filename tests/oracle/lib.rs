//! The oracle: a dense interpreter of the surface language, which shares the parser with the compiler
//! and nothing after it. Slow and plain on purpose: every statement does what its line in the manual
//! says, element by element, so that a disagreement is a bug of the compiler.
//!
//! `kernels! { fn k(..) -> (..) { .. } }` compiles kernels and keeps their text; `agree!(k(&a, &x))`
//! runs one both ways and compares every value of every result.
mod data;
mod eval;
mod extents;
mod float;
mod index;
mod left_out;
mod shape;
mod stored;
mod typed;
mod value;

pub use data::*;
pub use float::Terms;
pub use stored::is_exact;
pub use value::*;

use looplets_core::ast::{Block, Expr, OpRef, Passing, Program, Stmt};
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A Rust function or variable that a kernel uses, by its name in the kernel's text.
pub type Function = (&'static str, fn(&[Val]) -> Val);

/// Why a program has no result.
#[derive(Debug)]
pub enum Fail {
    /// Sizes or extents that do not fit each other, or a computed index out of range.
    Shape(String),
    /// Something this interpreter has no meaning for.
    Unknown(String),
    /// The result depends on what the documentation leaves open: a whole number too large for its type,
    /// or a condition on a float that may be one or the other.
    Vague,
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
    /// Those that shape operators around the expression at hand take away.
    pub derived: std::cell::RefCell<Vec<(String, i128)>>,
    /// Every loop index of the program, and those of the loops around, outermost first.
    pub loops: Vec<String>,
    pub nest: Vec<String>,
    /// Sizes as far as the header gives them.
    pub shapes: HashMap<String, Vec<usize>>,
    /// Sizes found by the loops that reach into a tensor.
    pub reached: HashMap<String, Vec<usize>>,
    pub functions: &'a [Function],
    /// Floats are those of Rust in the order of the program.
    pub strict: bool,
    /// Floats are `f32`.
    pub single: bool,
    /// Whether products may be taken apart, since loops are left out.
    pub free: bool,
    /// What whole numbers can be, where all are of one type.
    pub range: Option<(i128, i128)>,
    /// Whether what is evaluated is a coordinate, which has no limits.
    coordinates: Cell<bool>,
    /// What has been added to a scalar, or multiplied with it.
    terms: HashMap<String, Terms>,
    /// Entries that are removed: by tensor and position.
    gone: Vec<(String, usize)>,
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
        let mut program = programs.remove(0);
        left_out::write(&mut program);
        let program = Rc::new(program);
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
    run_within(text, args, fills, functions, None)
}

/// The same where whole numbers are of one type.
pub fn run_within(
    text: &'static str,
    args: &[Shown],
    fills: &[Val],
    functions: &[Function],
    range: Option<(i128, i128)>,
) -> Result<Vec<(String, Shown)>, Fail> {
    let program = parse(text);
    // What becomes wider on its way to `f32` is rounded all the same.
    let single = text.contains("f32") && !text.replace(" as f64 as f32", "").contains("f64");
    let left_out = |s: &Stmt| matches!(s, Stmt::For { written: false, .. });
    let free = !program.strict && program.body.stmts.iter().any(left_out);
    let strict = program.strict;
    let mut o = Oracle { functions, range, single, strict, free, ..Oracle::default() };
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
                o.tensors.insert(name, t.clone().loosened());
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
        let ty = &output.ty;
        let zeros = zeros(&quote::quote!(#ty).to_string());
        // What a result starts as is not stored, in whatever format.
        let mut plain = Plain::filled(shape, fill.clone());
        plain.zeros = Zeros::Stored;
        plain.track(&quote::quote!(#ty).to_string());
        o.tensors.insert(name, Plain { zeros, ..plain.loosened() });
    }
    o.block(&program.body)?;
    for (name, at) in std::mem::take(&mut o.gone) {
        let t = o.tensors.get_mut(&name).expect("a parameter");
        t.data[at] = t.fill.clone();
    }
    for output in &program.outputs {
        let ty = &output.ty;
        if quote::quote!(#ty).to_string().contains("Symmetric") {
            o.tensors.get_mut(&output.name.to_string()).expect("an output").mirror();
        }
    }
    let mut results = Vec::new();
    let mutable = program
        .params
        .iter()
        .filter(|p| p.passing == Passing::Mutable && Some(&p.name) != program.steps.as_ref());
    for name in mutable
        .map(|p| p.name.to_string())
        .chain(program.outputs.iter().map(|x| x.name.to_string()))
    {
        // To copies that begin with an identity of zero, zeros have lost their signs.
        let copied = text.contains("parallel");
        let shown = match o.tensors.remove(&name) {
            Some(mut t) if t.zeros == Zeros::Unsigned || copied => {
                t.zeros = Zeros::Unsigned;
                Shown::Tensor(t.loosened())
            }
            Some(t) => Shown::Tensor(t),
            None if copied && o.scalars[&name] == Val::Float(0.0) => {
                Shown::Scalar(Val::Loose(0.0, 0.0))
            }
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
    compare_within(text, before, after, Ok(outputs), functions, None);
}

/// How often a program had a result to compare, and how often what it gives is left open.
pub static MEANT: AtomicUsize = AtomicUsize::new(0);
pub static VAGUE: AtomicUsize = AtomicUsize::new(0);

/// The same where whole numbers are of one type, and where a kernel may have said in a panic that one of
/// them is too large.
pub fn compare_within(
    text: &'static str,
    before: &[Shown],
    after: &[Shown],
    outputs: Result<&[Shown], &str>,
    functions: &[Function],
    range: Option<(i128, i128)>,
) {
    let inputs = || before.iter().map(Shown::text).collect::<Vec<_>>().join("\n     ");
    let fill = |x: &Shown| match x {
        Shown::Tensor(t) => t.fill.clone(),
        Shown::Scalar(v) => v.clone(),
    };
    let fills: Vec<Val> = match outputs {
        Ok(outputs) => outputs.iter().map(fill).collect(),
        Err(_) => {
            let declared = |ty: &dyn quote::ToTokens| fill_of(&quote::quote!(#ty).to_string());
            parse(text).outputs.iter().map(|x| declared(&x.ty)).collect()
        }
    };
    let expected = match run_within(text, before, &fills, functions, range) {
        Ok(expected) => expected,
        Err(Fail::Vague) => {
            VAGUE.fetch_add(1, Ordering::Relaxed);
            return;
        }
        Err(e) => {
            panic!("the oracle refuses what the kernel computed: {e:?}\n{text}\nwith {}", inputs())
        }
    };
    // Sums and products of whole numbers may be computed in another order, on the way of which one is too
    // large for its type.
    let large =
        |v: &Val| matches!((v, range), (Val::Int(n), Some((_, most))) if n.abs() > most / 64);
    let any = |x: &Shown| match x {
        Shown::Tensor(t) => t.data.iter().any(large),
        Shown::Scalar(v) => large(v),
    };
    if matches!(outputs, Err(why) if why.contains("overflow")) && before.iter().any(any) {
        VAGUE.fetch_add(1, Ordering::Relaxed);
        return;
    }
    MEANT.fetch_add(1, Ordering::Relaxed);
    let outputs =
        outputs.unwrap_or_else(|why| panic!("the kernel says: {why}\n{text}\nwith {}", inputs()));
    let got: Vec<&Shown> = updated(text).into_iter().map(|k| &after[k]).chain(outputs).collect();
    assert_eq!(expected.len(), got.len());
    for ((name, want), got) in expected.iter().zip(got) {
        if !want.same(got) {
            panic!(
                "`{name}` is {}\nbut should be {}\nin {text}\nwith {}",
                got.text(),
                want.text(),
                inputs()
            );
        }
        let (Shown::Tensor(want), Shown::Tensor(got)) = (want, got) else { continue };
        if let Some(at) = want.stores_unasked(got) {
            panic!(
                "`{name}` stores element {at}, which nothing wrote: {}\nin {text}\nwith {}",
                Shown::Tensor(got.clone()).text(),
                inputs()
            );
        }
    }
}

impl Oracle<'_> {
    pub fn block(&mut self, block: &Block) -> Result<(), Fail> {
        let saved = |name: String| {
            let (t, v) = (self.tensors.get(&name).cloned(), self.scalars.get(&name).cloned());
            (name, t, v)
        };
        let hidden: Vec<_> = declared(block).into_iter().map(saved).collect();
        let done = block.stmts.iter().try_for_each(|stmt| self.stmt(stmt));
        // What the block declared ends with it; what it hid comes back.
        for (name, tensor, scalar) in hidden {
            match tensor {
                Some(t) => self.tensors.insert(name.clone(), t),
                None => self.tensors.remove(&name),
            };
            match scalar {
                Some(v) => self.scalars.insert(name, v),
                None => self.scalars.remove(&name),
            };
        }
        done
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), Fail> {
        match stmt {
            Stmt::For { indices, extent, body, .. } => {
                let names: Vec<String> = indices.iter().map(ToString::to_string).collect();
                self.nest(&names, extent.as_ref(), body)
            }
            Stmt::Assign { target, op, value, .. } => {
                // `c = c + x` is `c += x`.
                let update = if op.is_none() { update(target, value) } else { None };
                let (op, value) = match &update {
                    Some((op, value)) => (Some(*op), *value),
                    None => (op.as_ref(), value),
                };
                self.marked(target, op, value)?;
                let value = self.eval(value)?;
                if value == Val::Missing {
                    return Ok(());
                }
                let reduce = |o: &Self, old: Val, fill: Option<&Val>, terms: &mut Terms| match op {
                    None => {
                        *terms = Terms::default();
                        Ok(value.clone())
                    }
                    Some(op) => o.reduced(&op.op.name(), old, value.clone(), fill, terms),
                };
                match target {
                    Expr::Name(name) => {
                        let name = name.to_string();
                        let old = self.scalars.get(&name).cloned();
                        let old = old.ok_or_else(|| Fail::Unknown(name.clone()))?;
                        let mut terms = self.terms.remove(&name).unwrap_or_default();
                        let new = reduce(self, old.clone(), None, &mut terms)?.like(&old);
                        self.terms.insert(name.clone(), terms);
                        self.scalars.insert(name, new);
                    }
                    Expr::Access { name, indices, .. } => {
                        let name = name.to_string();
                        let Some(at) = self.position(&name, indices)? else { return Ok(()) };
                        let t = self.tensors.get_mut(&name).expect("found above");
                        let mut terms = t.terms.remove(&at).unwrap_or_default();
                        let t = &self.tensors[&name];
                        let new = reduce(self, t.data[at].clone(), Some(&t.fill), &mut terms)?;
                        let t = self.tensors.get_mut(&name).expect("found above");
                        t.terms.insert(at, terms);
                        t.data[at] = new.like(&t.fill);
                    }
                    _ => return Err(Fail::Unknown("a target".into())),
                }
                Ok(())
            }
            Stmt::If { cond, then, otherwise } => {
                let taken = if self.eval(cond)?.truth() { Some(then) } else { otherwise.as_ref() };
                taken.map_or(Ok(()), |b| self.block(b))
            }
            Stmt::Where { consumer, producer } => {
                // Scalars that the producer writes without a declaration live here and start at zero.
                let mut fresh = Vec::new();
                assigned(producer, &mut fresh);
                fresh.retain(|n| !self.scalars.contains_key(n));
                for name in &fresh {
                    self.mutable.insert(name.clone());
                    self.terms.remove(name);
                    self.scalars.insert(name.clone(), Val::Int(0));
                }
                let done = self.block(producer).and_then(|()| self.block(consumer));
                for name in &fresh {
                    self.scalars.remove(name);
                }
                done
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
            Stmt::Workspace { name, ty, dims, .. } => {
                let name = name.to_string();
                let fill = fill_of(&quote::quote!(#ty).to_string());
                let shape = match dims {
                    Some(dims) => Some(self.sizes(dims)?),
                    None => self.reached.get(&name).cloned(),
                };
                match shape {
                    Some(shape) => {
                        self.shapes.insert(name.clone(), shape.clone());
                        let mut plain = Plain::filled(shape, fill);
                        plain.zeros = Zeros::Stored;
                        plain.track(&quote::quote!(#ty).to_string());
                        let zeros = zeros(&quote::quote!(#ty).to_string());
                        self.tensors.insert(name, Plain { zeros, ..plain.loosened() });
                    }
                    None => {
                        self.mutable.insert(name.clone());
                        self.terms.remove(&name);
                        let zero = fill == Val::Float(0.0);
                        self.scalars.insert(name, if zero { Val::Loose(0.0, 0.0) } else { fill });
                    }
                }
                Ok(())
            }
            Stmt::Remove { target: Expr::Access { name, indices, .. }, .. } => {
                let name = name.to_string();
                if let Some(at) = self.position(&name, indices)? {
                    self.gone.push((name, at));
                }
                Ok(())
            }
            Stmt::Remove { .. } => Err(Fail::Unknown("a target".into())),
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
        let done = (lo..hi).try_for_each(|i| {
            self.indices.insert(index.clone(), i);
            self.nest(inner, extent, body)
        });
        self.nest.pop();
        self.indices.remove(index);
        done
    }
}

/// The operator and the value by which `target = value` updates its target, where either order gives that.
fn update<'a>(target: &Expr, value: &'a Expr) -> Option<(&'a OpRef, &'a Expr)> {
    let Expr::Call { op, args } = value else { return None };
    match (&*op.op.name(), &args[..]) {
        ("+" | "*" | "-", [first, rest]) if same(first, target) => Some((op, rest)),
        ("+" | "*", [rest, last]) if same(last, target) => Some((op, rest)),
        _ => None,
    }
}

/// Whether both are one scalar, or one element, of which the indices are written alike.
fn same(a: &Expr, b: &Expr) -> bool {
    match (a, b) {
        (Expr::Name(a), Expr::Name(b)) => a == b,
        (Expr::Lit(a, s, _), Expr::Lit(b, t, _)) => a == b && s == t,
        (Expr::Call { op: f, args: a }, Expr::Call { op: g, args: b }) => {
            f.op == g.op && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Expr::Access { name: a, indices: i, .. }, Expr::Access { name: b, indices: j, .. }) => {
            let alike = i.len() == j.len() && i.iter().zip(j).all(|(i, j)| same(&i.expr, &j.expr));
            a == b && alike
        }
        _ => false,
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
#[macro_export]
macro_rules! kernels {
    () => {};
    (@one $vis:vis $name:ident [$($all:tt)*]) => {
        // What they cost is no matter here, nor what they lose.
        looplets::finch! { #![dense] $($all)* }
        #[doc(hidden)]
        pub mod $name {
            #[doc(hidden)]
            pub const TEXT: &str = stringify!($($all)*);
        }
    };
    // Splits at `;;`, which no kernel contains.
    ($(#![$set:meta])* fn $name:ident $($rest:tt)*) => {
        $crate::kernels! { @split [$(#![$set])*] $name [fn $name] $($rest)* }
    };
    (@split [$($set:tt)*] $name:ident [$($done:tt)*] ;; $($rest:tt)*) => {
        $crate::kernels! { @one pub $name [$($set)* #[allow(deprecated)] $($done)*] }
        $crate::kernels! { $($rest)* }
    };
    (@split [$($set:tt)*] $name:ident [$($done:tt)*]) => {
        $crate::kernels! { @one pub $name [$($set)* #[allow(deprecated)] $($done)*] }
    };
    (@split [$($set:tt)*] $name:ident [$($done:tt)*] $next:tt $($rest:tt)*) => {
        $crate::kernels! { @split [$($set)*] $name [$($done)* $next] $($rest)* }
    };
}

/// Runs a kernel and the oracle on the same arguments; `; f => |args| ..` gives Rust functions it uses.
#[macro_export]
macro_rules! agree {
    ($name:ident ( $($arg:expr),* $(,)? ) $(; $($f:literal => $body:expr),*)?) => {{
        let before = vec![$($crate::Show::show(&$arg)),*];
        let outputs = $crate::Outputs::outputs(&$name($($arg),*));
        let after = vec![$($crate::Show::show(&$arg)),*];
        let functions: &[$crate::Function] = &[$($(($f, $body)),*)?];
        $crate::compare($name::TEXT, &before, &after, &outputs, functions);
    }};
}
