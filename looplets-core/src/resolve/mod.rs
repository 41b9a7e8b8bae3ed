//! Gives every name of a kernel its meaning: tensors, indices, scalars, extents, protocols.
//!
//! Input: the surface syntax and the declarations of the formats. Output: a [`Kernel`], of which
//! every access can be unfurled, or all the errors at once.

mod access;
mod arrays;
mod assign;
mod bare;
mod bounds;
mod check;
mod converted;
mod declare;
mod dense_workspaces;
mod digits;
mod embedded;
mod expr;
mod extents;
mod first_written;
mod groups;
mod half_stored;
mod in_order;
mod in_place;
mod literals;
mod method;
mod misread;
mod names;
mod narrow;
mod operands;
mod operators;
mod outer;
mod program_order;
mod quotients;
mod races;
mod reductions;
mod removal;
mod rust;
mod shape;
mod shape_checks;
mod shape_parts;
mod shape_sizes;
mod shape_terms;
mod similar;
mod sizes;
mod stmt;
mod stored_fill;
mod takes_part;
mod tensors;
mod told;
mod typed_literals;
mod typing;
mod unordered;
mod views;
mod walked_again;
mod widened;

use crate::algebra::Algebra;
use crate::ast;
use crate::cin::*;
use crate::diagnostics::{text, Diagnostics, Errors};
use crate::formats::{is_primitive, Library};
use crate::kernel::*;
use expr::Position;
use groups::ReadAt;
use literals::Literal;
use proc_macro2::{Ident, Span, TokenStream};
use shape::{Derived, Range};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use tensors::Tensors;
use told::{Asking, Nest, Told};

/// What a name in scope means.
#[derive(Clone, Copy)]
pub(crate) enum Meaning {
    Var(VarId),
    Tensor(TensorId),
    /// `let two = 2;`, or a choice of literals: takes the type of what it meets at each use.
    Literal(usize),
    /// Its declaration failed: that has been reported, and what uses it is not.
    Broken,
}

pub(crate) struct Resolver<'a> {
    pub kernel: Kernel,
    pub errors: Diagnostics,
    pub library: &'a Library,
    pub algebra: &'a Algebra,
    pub generics: Vec<String>,
    pub scope: Vec<(String, Meaning)>,
    /// Loops around the statement at hand, outermost first.
    pub loops: Vec<VarId>,
    /// Explicit extents as resolved, by index.
    pub extents: BTreeMap<VarId, (Expr, Expr)>,
    /// Moved accesses that alone gave a loop its extent, each with the dimension: those hold it, and no others do.
    pub moved: BTreeMap<VarId, Vec<(AccessId, usize)>>,
    /// Where each loop index was bound.
    pub bound_at: BTreeMap<VarId, Span>,
    /// Loops around each access when it was met.
    pub loops_of: BTreeMap<AccessId, Vec<VarId>>,
    /// How many loops were open when a local tensor came to life.
    pub born: BTreeMap<TensorId, usize>,
    /// How many loops were open at each definition.
    pub let_depth: BTreeMap<VarId, usize>,
    /// Values of names that stand for literals, or for what is made of them.
    literals: Vec<Literal>,
    /// Names of what is read in the loop nest that is being resolved.
    pub read_in_nest: HashSet<String>,
    /// What the indices of shape operators are computed of, by their places among the literals.
    pub derived: BTreeMap<usize, Derived>,
    /// Conditions on indices in whose branch the expression stands that is resolved.
    pub branches: Vec<Expr>,
    /// The sizes that shape operators give to loops.
    pub ranges: Vec<Range>,
    /// Loops around the statement at hand, with what stands under them.
    pub nests: Vec<Nest<'a>>,
    /// What that tells of the sizes of indices.
    pub told: BTreeMap<VarId, Told>,
    /// What of it is asked at the moment.
    pub asking: Asking,
    /// Products of sizes: two factors and the local that holds it.
    pub products: Vec<(Expr, Expr, Expr)>,
    /// Scalars and tensors assigned.
    pub written: HashSet<String>,
    /// Where scalars and tensors are read.
    pub reads: Vec<ReadAt>,
    /// How many assignments have been resolved.
    pub assigned: usize,
    /// Loops that the program leaves out, which run in no order that is said.
    pub left_out: BTreeSet<VarId>,
    // One mistake gives one error: what follows only from an error reported already is known here.
    /// Whether the program is a function, so that no variable is around it.
    pub function: bool,
    /// Indices that no loop binds, with what to say of each if nothing else is wrong: other mistakes say what was meant.
    pub unbound: Vec<(Span, String, String)>,
    /// Names that have been reported as unknown.
    pub unknown: HashSet<String>,
    /// Tensors declared in the producer of the `where` whose consumer is being resolved.
    pub inside: Vec<String>,
    /// Indices that shape operators of the statement at hand take away, each with the operator.
    pub taken: Vec<(String, &'static str)>,
    /// Indices that share their name with something else in scope.
    pub rebound: HashSet<VarId>,
    /// Indices whose extent a failed access might have given.
    pub doubtful: HashSet<VarId>,
    /// Tensors whose size a failed access, or a failed list of sizes, might have given.
    pub unsure: HashSet<TensorId>,
    /// Whether fractions in the index at hand have been reported.
    fraction_said: bool,
    /// What is resolved is computed as a coordinate.
    pub position: Position,
    /// Whether two things have one name in the header.
    twice_said: bool,
    /// Whether a shape operator has the indices of loops that it takes away: nothing else is to be said of them.
    broken_shape: bool,
    /// The conditions around, each with the indices of loops that it compares.
    conditions: Vec<BTreeSet<VarId>>,
    /// What the conditions around compare, as text.
    guards: Vec<(String, String)>,
    /// The indices of loops that conditions around an access compare.
    guards_of: BTreeMap<AccessId, BTreeSet<VarId>>,
    /// What Rust literals and limits of types are, with their types.
    typed_literals: BTreeMap<RawId, (Lit, Ty)>,
    /// Statements whose loops may as well be left out.
    bare: Vec<bare::Bare>,
    /// The indices of what is assigned to.
    targets: HashMap<String, Vec<String>>,
    /// What definitions are written as, of those that have a type.
    definitions: BTreeMap<VarId, &'a ast::Expr>,
    /// The type of floats that what is resolved is computed in, if it does not say so itself.
    pub place: Option<Ty>,
    /// Which names are tensors.
    pub tensors: Tensors,
    /// What may stand instead of an assignment that reads what it writes, by how many stand before it.
    pub updates: BTreeMap<usize, String>,
    /// The literals that definitions and scalars may be found to be.
    pub constants: BTreeMap<VarId, (i128, i128)>,
}

/// The types of the header that must be formats: those of tensors.
pub fn format_types(program: &ast::Program, krate: &TokenStream) -> Vec<syn::Type> {
    let tensors = Tensors::of(program);
    let passed = names::passed(&program.body);
    let mut types: Vec<syn::Type> = Vec::new();
    let kept = |o: &&ast::Output| passed.contains(&o.name.to_string());
    let mut add = |name: &Ident, ty: &syn::Type| {
        if tensors.declares(name, ty) {
            types.push(ty.clone());
        }
    };
    program.params.iter().for_each(|p| add(&p.name, &p.ty));
    program.outputs.iter().filter(|o| !kept(o)).for_each(|o| add(&o.name, &o.ty));
    names::workspaces(&program.body, &mut add);
    types.extend(names::removed(&program.body).iter().filter_map(|r| removal::gone(krate, r.1)));
    // An output that is only passed on is a tensor all the same.
    types.extend(program.outputs.iter().filter(kept).map(|o| o.ty.clone()));
    types
}

/// Type parameters of the kernel's own generics.
pub fn generic_names(program: &ast::Program) -> Vec<String> {
    match &program.form {
        ast::Form::Function { generics, .. } => generics
            .params
            .iter()
            .filter_map(|p| match p {
                syn::GenericParam::Type(t) => Some(t.ident.to_string()),
                syn::GenericParam::Const(c) => Some(c.ident.to_string()),
                syn::GenericParam::Lifetime(_) => None,
            })
            .collect(),
        ast::Form::Inline => Vec::new(),
    }
}

/// Resolves `program`.
pub fn resolve(
    program: ast::Program,
    library: &Library,
    algebra: &Algebra,
    krate: TokenStream,
) -> Result<Kernel, Errors> {
    let generics = generic_names(&program);
    let tensors = Tensors::of(&program);
    let bare = bare::bare(&program);
    let targets = bare::targets(&program);
    let function = matches!(program.form, ast::Form::Function { .. });
    let mut kernel = Kernel::new(krate, program.safe, program.form);
    kernel.strict = program.strict;
    kernel.contract = program.contract;
    kernel.tile = program.schedule.iter().find_map(|wish| match wish.kind {
        ast::WishKind::Tile(n) => Some(n),
        _ => None,
    });
    kernel.dense = program.dense;
    kernel.portable = program.portable;
    algebra.declare(&mut kernel);
    let mut r = Resolver {
        kernel,
        errors: Diagnostics::new(),
        library,
        algebra,
        generics,
        scope: Vec::new(),
        loops: Vec::new(),
        extents: BTreeMap::new(),
        moved: BTreeMap::new(),
        bound_at: BTreeMap::new(),
        loops_of: BTreeMap::new(),
        born: BTreeMap::new(),
        let_depth: BTreeMap::new(),
        literals: Vec::new(),
        read_in_nest: HashSet::new(),
        derived: BTreeMap::new(),
        branches: Vec::new(),
        ranges: Vec::new(),
        nests: Vec::new(),
        told: BTreeMap::new(),
        asking: Asking::No,
        products: Vec::new(),
        written: HashSet::new(),
        reads: Vec::new(),
        assigned: 0,
        left_out: BTreeSet::new(),
        function,
        unbound: Vec::new(),
        unknown: HashSet::new(),
        inside: Vec::new(),
        taken: Vec::new(),
        rebound: HashSet::new(),
        doubtful: HashSet::new(),
        unsure: HashSet::new(),
        fraction_said: false,
        position: Position::No,
        definitions: BTreeMap::new(),
        bare,
        targets,
        twice_said: false,
        broken_shape: false,
        conditions: Vec::new(),
        guards: Vec::new(),
        guards_of: BTreeMap::new(),
        typed_literals: BTreeMap::new(),
        place: None,
        constants: BTreeMap::new(),
        tensors,
        updates: BTreeMap::new(),
    };
    let counts = |name: &Ident| program.steps.as_ref() == Some(name);
    for name in program.unread.iter().filter(|name| !counts(name)) {
        // In the inline form it is the name of a variable around it.
        let other = if function {
            format!(", or call it `_{name}` if it is to be there")
        } else {
            String::new()
        };
        let note = format!("the kernel never reads `{name}`: leave it out{other}");
        r.kernel.warn(Warning { span: name.span(), name: "parameter_that_is_never_read", note });
    }
    for param in program.params {
        let memory = program.outputs.iter().find(|o| o.name == param.name);
        if let Some(output) = memory.filter(|_| param.passing == ast::Passing::Value) {
            let (name, ty) = (&param.name, text(&output.ty));
            if r.kernel.params.iter().any(|p| p.0 == *name) {
                r.declared_twice(name);
            }
            if text(&param.ty) != ty {
                r.errors.error(name.span(), format!(
                    "the output `{name}` is made in the memory of the tensor passed as `{name}`, so both have one type: write `{name}: {ty}`"));
            }
            r.kernel.params.push((param.name, param.passing, param.ty, ParamIs::Memory));
            continue;
        }
        // A number used with brackets is no tensor of a bad format: the brackets are the mistake.
        let tensor = r.tensors.declares(&param.name, &param.ty) && !is_primitive(&param.ty);
        let is = if tensor {
            let role = match param.passing {
                ast::Passing::Mutable => Role::InOut,
                _ => Role::Input,
            };
            let id = r.declare_tensor(&param.name, &param.ty, role);
            if id.is_some() && param.passing == ast::Passing::Value {
                let (name, ty) = (&param.name, text(&param.ty));
                r.errors.error(name.span(), format!(
                    "the tensor `{name}` is passed by value: write `{name}: &{ty}` to read it, or `{name}: &mut {ty}` to update it"));
            }
            id.map(ParamIs::Tensor)
        } else {
            let kind = if param.passing == ast::Passing::Mutable {
                VarKind::Scalar
            } else {
                VarKind::Outer
            };
            Some(ParamIs::Scalar(r.declare_scalar(&param.name, kind, &param.ty)))
        };
        if let Some(is) = is {
            r.kernel.params.push((param.name, param.passing, param.ty, is));
        }
    }
    let mut outputs = Vec::new();
    r.removals(&program.body);
    let passed = names::passed(&program.body);
    let scalars = names::scalars_assigned(&program.body);
    let mut starts = Vec::new();
    for output in &program.outputs {
        let name = &output.name;
        let used = r.tensors.declares(name, &output.ty) || passed.contains(&name.to_string());
        if is_primitive(&output.ty) || !used && scalars.contains(&name.to_string()) {
            starts.extend(r.scalar_output(output));
            continue;
        }
        if !used {
            let declared = |other: &&str| {
                r.kernel.params.iter().any(|p| p.0 == *other)
                    || program.outputs.iter().any(|o| o.name == *other)
            };
            let other = r.tensors.in_another_case(name).filter(|other| !declared(other));
            let advice = match other {
                Some(other) => {
                    r.unknown.insert(other.to_owned());
                    format!("`{other}` in the program is another name: write them alike")
                }
                None => format!(
                    "assign to it, as in `{name}[i] += ..`, or `{name} += ..` if it is a scalar"
                ),
            };
            r.errors.error(name.span(), format!("the output `{name}` is never written: {advice}"));
            r.scope.push((name.to_string(), Meaning::Broken));
            continue;
        }
        if let Some((_, span)) = &output.start {
            r.errors.error(*span, format!("the tensor `{name}` starts at the fill of its format: declare another one there by a marker of its own, or write all of it first"));
        }
        let changed =
            |p: &(Ident, ast::Passing, _, _)| p.0 == *name && p.1 == ast::Passing::Mutable;
        if r.kernel.params.iter().any(changed) {
            r.twice_said = true;
            let (ty, passed) = (text(&output.ty), r.mutable(name, &text(&output.ty)));
            r.errors.error(name.span(), format!("`{name}` is declared twice: leave out `{passed}` to make it new, or `-> ({name}: {ty})` to update what is passed"));
            continue;
        }
        if let Some(id) = r.declare_tensor(name, &output.ty, Role::Output) {
            r.kernel.outputs.push(id);
            r.kernel.results.push(ResultIs::Tensor(id));
            let memory = |p: &(Ident, _, _, ParamIs)| p.3 == ParamIs::Memory && p.0 == *name;
            if r.kernel.params.iter().any(memory) {
                r.kernel.reused.insert(id);
            }
            if let Some(dims) = &output.dims {
                outputs.push((id, dims, output.name.span()));
            }
        }
    }
    for (id, dims, span) in outputs {
        r.sizes(id, dims, span);
    }
    if let Some(counter) = program.steps {
        match r.lookup(&counter) {
            Some(Meaning::Var(v)) if r.kernel.info(v).kind == VarKind::Scalar => {
                let ty = r.kernel.info(v).ty.clone();
                if !ty.is_integer() && ty != Ty::Unknown {
                    let (is, param) = (access::type_name(&ty), r.mutable(&counter, "u64"));
                    r.errors.error(counter.span(), format!(
                        "steps are counted in integers, and `{counter}` is `{is}`: declare it `{param}`"));
                }
                r.written.insert(counter.to_string());
                r.kernel.steps = Some(v);
            }
            _ => {
                let param = r.mutable(&counter, "u64");
                r.errors.error(counter.span(), format!(
                    "the step counter `{counter}` must be a scalar of the header that can be written: declare it `{param}`"));
            }
        }
    }
    if r.twice_said {
        // Of two that have one name, the body says nothing.
        let Resolver { kernel, errors, .. } = r;
        return errors.check(kernel);
    }
    let mut all: Vec<Stmt> = starts.iter().map(|s| r.start(s)).collect();
    all.push(r.block(&program.body));
    r.kernel.body = if all.len() == 1 { all.remove(0) } else { Stmt::Seq(all) };
    if r.broken_shape {
        let Resolver { kernel, errors, .. } = r;
        return errors.check(kernel);
    }
    if r.errors.is_empty() {
        for (span, _, message) in std::mem::take(&mut r.unbound) {
            r.errors.error(span, message);
        }
        if !r.errors.is_empty() {
            let Resolver { kernel, errors, .. } = r;
            return errors.check(kernel);
        }
    }
    r.kernel.explicit = r.extents.keys().copied().collect();
    r.infer_extents();
    r.check_accesses();
    r.check_groups();
    r.check_in_place();
    r.check_written();
    if r.errors.is_empty() {
        r.check_bounds(&program.body);
    }
    if r.errors.is_empty() {
        r.check_dense_workspaces();
        r.check_walked_again();
        r.check_unordered();
    }
    if r.errors.is_empty() {
        // What is wrong in any loop need not be said of a parallel one again.
        r.check_races();
        r.put_in_order();
    }
    let Resolver { kernel, errors, .. } = r;
    errors.check(kernel)
}

impl<'a> Resolver<'a> {
    /// Declares a scalar that the kernel makes and returns; what it starts at, if it says so.
    fn scalar_output(&mut self, output: &'a ast::Output) -> Option<&'a ast::Output> {
        let (name, ty) = (&output.name, &output.ty);
        if output.dims.is_some() {
            self.errors.error(name.span(), format!("the output `{name}` is a scalar (`{}`), which has no sizes: leave them out, or give a format", text(ty)));
        }
        let passed = self.kernel.params.iter().position(|p| p.0 == *name && p.3 == ParamIs::Memory);
        if let Some(n) = passed {
            self.kernel.params.remove(n);
            let message = format!("`{name}` is declared twice: give the result another name, `total: {} = {name}` if it starts at what is passed", text(ty));
            self.errors.error(name.span(), message);
        }
        let var = self.declare_scalar(name, VarKind::Scalar, ty);
        self.kernel.results.push(ResultIs::Scalar(var, Box::new(ty.clone())));
        let made = (name.clone(), ast::Passing::Made, ty.clone(), ParamIs::Scalar(var));
        self.kernel.params.push(made);
        output.start.is_some().then_some(output)
    }

    /// The assignment of what a scalar output starts at.
    fn start(&mut self, output: &'a ast::Output) -> Stmt {
        let Some((value, span)) = &output.start else { return Stmt::Pass };
        let stmt = self.assign(&ast::Expr::Name(output.name.clone()), None, value, *span);
        self.written.remove(&output.name.to_string());
        stmt
    }
}

impl Resolver<'_> {
    pub fn lookup(&self, name: &Ident) -> Option<Meaning> {
        let text = name.to_string();
        self.scope.iter().rev().find(|(n, _)| *n == text).map(|(_, m)| *m)
    }

    /// How the header says that the kernel writes `name`.
    pub fn mutable(&self, name: &Ident, ty: &str) -> String {
        match self.kernel.form {
            ast::Form::Function { .. } => format!("{name}: &mut {ty}"),
            ast::Form::Inline => format!("mut {name}: {ty}"),
        }
    }

    /// How the header says that the kernel reads `name`.
    pub fn shared(&self, name: &Ident, ty: &str) -> String {
        match self.kernel.form {
            ast::Form::Function { .. } => format!("{name}: &{ty}"),
            ast::Form::Inline => format!("{name}: {ty}"),
        }
    }
}
