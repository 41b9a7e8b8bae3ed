//! The names that a declaration's expressions may use, and the nests made of them.

use crate::cin::*;
use crate::decl::{Nest, Payload as PayloadDecl, StepperDecl};
use crate::kernel::*;
use crate::kir::Kir;
use crate::nest::{Def, Entries, Looplet, Payload, Stepper};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use std::rc::Rc;

/// Names a declaration's expressions may use.
#[derive(Clone)]
pub(super) enum Meaning {
    Expr(Expr),
    Array(ArrayId),
    /// A `const` parameter: its type, and what stands for it.
    Parameter(TokenStream, TokenStream),
}

/// The two numbers that name a fiber that is a range of entries.
pub(crate) fn range(p: &Expr) -> Option<(&Expr, &Expr)> {
    match p {
        Expr::Call(op, args) if *op == Op::Range => Some((&args[0], &args[1])),
        _ => None,
    }
}

/// Instantiates expressions of one level for one fiber.
pub(crate) struct Scope<'a> {
    pub(super) kernel: &'a mut Kernel,
    pub(super) level: Level,
    pub(super) tensor: TensorId,
    depth: usize,
    pub(super) names: Vec<(String, Meaning)>,
}

impl<'a> Scope<'a> {
    pub fn new(kernel: &'a mut Kernel, tensor: TensorId, depth: usize) -> Self {
        let level = kernel.tensor(tensor).levels[depth].clone();
        let mut names = Vec::new();
        for (name, binding) in &level.fields {
            let meaning = match binding {
                Binding::Scalar(v) => Meaning::Expr(Expr::Var(*v)),
                Binding::Array(a) => Meaning::Array(*a),
                Binding::Child => continue,
            };
            names.push((name.to_string(), meaning));
        }
        for param in &level.format.level().params {
            let Some(ty) = &param.constant else { continue };
            let bound = level.format.args.iter().find(|(name, _)| *name == param.name);
            let value = bound.map_or_else(|| param.name.to_token_stream(), |(_, v)| v.clone());
            let ty = level.format.substitute(ty.clone());
            names.push((param.name.to_string(), Meaning::Parameter(ty, value)));
        }
        Scope { kernel, level, tensor, depth, names }
    }

    /// The level that the code is of.
    pub(super) fn of(&self) -> (TensorId, usize) {
        (self.tensor, self.depth)
    }

    /// The kernel that the terms are of.
    pub fn kernel(&mut self) -> &mut Kernel {
        self.kernel
    }

    /// Lets `name` stand for `value`.
    pub fn bind(&mut self, name: &Ident, value: Expr) {
        self.names.push((name.to_string(), Meaning::Expr(value)));
    }

    /// A read protocol of the fiber at `p`; `i` is the coordinate, for `locate`.
    pub fn read(&mut self, name: &str, p: &Expr, i: Option<&Expr>) -> Looplet {
        let format = self.level.format.clone();
        let read = format.level().read(name).expect("checked by resolve");
        match (&read.end, range(p)) {
            (Some(end), Some((first, stop))) => {
                let (first, stop) = (first.clone(), stop.clone());
                self.bind(&read.p, first);
                self.bind(end, stop);
            }
            // A level whose fibers have one number takes the first of a range.
            (None, Some((first, _))) => {
                let first = first.clone();
                self.bind(&read.p, first);
            }
            _ => self.bind(&read.p, p.clone()),
        }
        if let (Some(name), Some(i)) = (&read.i, i) {
            self.bind(name, i.clone());
        }
        self.nest(&read.nest)
    }

    /// The value of a leaf at `p`.
    pub fn value(&mut self, p: &Expr) -> Expr {
        match self.read_first(p) {
            Looplet::Run(Payload::Value(e)) => e,
            other => unreachable!("a leaf reads a value, not {:?}", other.kind()),
        }
    }

    fn read_first(&mut self, p: &Expr) -> Looplet {
        let name = self.level.format.level().reads[0].names[0].to_string();
        self.read(&name, p, None)
    }

    fn nest(&mut self, nest: &Nest) -> Looplet {
        match nest {
            Nest::Let(lets, body) => {
                let mark = self.names.len();
                let mut defs = Vec::new();
                for l in lets {
                    let mut value = self.expr(&l.value);
                    if let Some(syn::Expr::Assign(then)) = &l.then {
                        // What moves the state is given it as it starts.
                        self.bind(&l.name, value);
                        value = self.expr(&then.right);
                    }
                    let ty = if l.ty.is_some() { Ty::Own } else { Ty::Index };
                    let var = self.local_of(&l.name, l.mutable, ty);
                    defs.push(Def { var, mutable: l.mutable, value });
                    self.bind(&l.name, Expr::Var(var));
                }
                let mut body = self.nest(body);
                self.names.truncate(mark);
                if let Looplet::Unordered(all) = &mut body {
                    // They may be gone through more than once, each time from where the state starts.
                    let state = defs.iter().position(|d| d.mutable).unwrap_or(defs.len());
                    let all = Rc::make_mut(all);
                    all.defs = [defs.split_off(state), std::mem::take(&mut all.defs)].concat();
                    if defs.is_empty() {
                        return body;
                    }
                }
                Looplet::Thunk { defs, before: Vec::new(), body: Box::new(body), after: None }
            }
            Nest::Run(p) => Looplet::Run(self.payload(p)),
            Nest::Spike(a, b) => Looplet::Spike(self.payload(a), self.payload(b)),
            Nest::Pipeline(phases) => Looplet::Pipeline(
                phases
                    .iter()
                    .map(|(stop, n)| (stop.as_ref().map(|s| self.expr(s)), self.nest(n)))
                    .collect(),
            ),
            Nest::Switch(cases) => Looplet::Switch(
                cases
                    .iter()
                    .map(|(cond, n)| {
                        (
                            cond.as_ref().map_or(Expr::bool(true), |c| self.condition(c)),
                            self.nest(n),
                        )
                    })
                    .collect(),
            ),
            Nest::Shift(delta, body) => Looplet::Shift(self.expr(delta), Box::new(self.nest(body))),
            Nest::Lookup(i, body) => {
                let var = self.local(i, false);
                let mark = self.names.len();
                self.bind(i, Expr::Var(var));
                let body = Box::new(self.nest(body));
                self.names.truncate(mark);
                Looplet::Lookup(var, body)
            }
            Nest::Stepper(s) => self.stepper(s, Looplet::Stepper),
            Nest::Jumper(s) => self.stepper(s, Looplet::Jumper),
            Nest::Unordered(s) => {
                let mut defs = Vec::new();
                let steps = self.stepper_of(s, &mut defs);
                if let Some((q, ..)) = &steps.range {
                    self.kernel.cursors.remove(q);
                }
                Looplet::Unordered(Rc::new(Entries { defs, steps }))
            }
        }
    }

    fn stepper(&mut self, decl: &StepperDecl, make: fn(Rc<Stepper>) -> Looplet) -> Looplet {
        let mut defs = Vec::new();
        let stepper = make(Rc::new(self.stepper_of(decl, &mut defs)));
        if defs.is_empty() {
            return stepper;
        }
        Looplet::Thunk { defs, before: Vec::new(), body: Box::new(stepper), after: None }
    }

    /// The stepper, and what is defined before it.
    fn stepper_of(&mut self, decl: &StepperDecl, defs: &mut Vec<Def>) -> Stepper {
        let mark = self.names.len();
        let mut next = Vec::new();
        let mut range = decl.range.as_ref().map(|(q, lo, hi)| {
            let (lo, hi) = (self.expr(lo), self.expr(hi));
            let var = self.local(q, true);
            defs.push(Def { var, mutable: true, value: lo.clone() });
            self.bind(q, Expr::Var(var));
            next.push(Kir::Set { var, value: Expr::call(Op::Add, [Expr::Var(var), Expr::int(1)]) });
            (var, lo, hi)
        });
        match (&decl.next, &range) {
            (Some(code), _) => next = self.code(code),
            (None, Some((q, _, hi))) if self.level.trusted => {
                self.kernel.cursors.insert(*q, hi.clone());
            }
            _ => {}
        }
        let mut regroup = Vec::new();
        if let (Some((after, end)), Some((q, _, _))) = (&decl.group, &range) {
            let q = *q;
            if self.child_is_ranges() {
                // A group may have any number of entries: the position of the next one is computed, not counted.
                let value = self.expr(end);
                let var = self.local(after, true);
                defs.push(Def { var, mutable: true, value: value.clone() });
                self.bind(after, Expr::Var(var));
                regroup.push(Kir::Set { var, value });
                next = vec![Kir::Set { var: q, value: Expr::Var(var) }];
                next.extend(regroup.clone());
            } else {
                self.bind(after, Expr::Var(q).plus(1));
            }
        }
        let seek = decl.seek.as_ref().map(|(i, code)| {
            let at = self.local(i, false);
            let inner = self.names.len();
            self.bind(i, Expr::Var(at));
            let code = match &range {
                Some((q, _, _)) => {
                    let mut code = vec![Kir::Set { var: *q, value: self.expr(code) }];
                    code.extend(regroup.clone());
                    code
                }
                None => self.code(code),
            };
            self.names.truncate(inner);
            (at, code)
        });
        let mut more = decl.more.as_ref().map(|e| self.condition(e));
        let stop = self.expr(&decl.stop);
        if let ([Kir::Set { var: after, .. }], Some((q, _, end))) = (&regroup[..], &range) {
            if self.level.trusted && decl.next.is_none() {
                let coordinate = coordinate_of(&stop, *q);
                let of = Neighbors { after: *after, end: end.clone(), coordinate };
                self.kernel.groups.insert(*q, of);
            }
            let left = Expr::call(Op::Lt, [Expr::Var(*q), end.clone()]);
            more.get_or_insert(left);
            range = None;
        }
        let body = self.nest(&decl.body);
        self.names.truncate(mark);
        let id = self.kernel.stepper();
        Stepper { id, range, more, seek, jumps: decl.jumps, start: None, stop, body, next }
    }

    /// Whether the fibers of the level below are ranges of entries, not named by one number.
    fn child_is_ranges(&self) -> bool {
        let levels = &self.kernel.tensor(self.tensor).levels;
        levels.get(self.depth + 1).is_some_and(|l| l.format.level().ranges())
    }

    /// A coordinate of the level, of which a nest says what is there.
    pub(super) fn coordinate(&mut self) -> VarId {
        let tensor = self.kernel.tensor(self.tensor).name.clone();
        self.kernel.var(&format!("{tensor}{}_i", self.depth), VarKind::Local, Ty::Index)
    }

    pub(super) fn local(&mut self, name: &Ident, mutable: bool) -> VarId {
        self.local_of(name, mutable, Ty::Index)
    }

    fn local_of(&mut self, name: &Ident, mutable: bool, ty: Ty) -> VarId {
        let tensor = self.kernel.tensor(self.tensor).name.clone();
        let kind = if mutable { VarKind::State } else { VarKind::Local };
        self.kernel.var(&format!("{tensor}{}_{name}", self.depth), kind, ty)
    }

    fn payload(&mut self, payload: &PayloadDecl) -> Payload {
        match payload {
            PayloadDecl::Fill => Payload::Fill,
            PayloadDecl::Child(syn::Expr::Tuple(t)) if t.elems.len() == 2 => {
                let ends: Vec<Expr> = t.elems.iter().map(|e| self.expr(e)).collect();
                Payload::Child(Expr::call(Op::Range, ends))
            }
            PayloadDecl::Child(e) => Payload::Child(self.expr(e)),
            PayloadDecl::Value(e) => Payload::Value(self.leaf_value(e)),
        }
    }

    pub(super) fn lookup(&self, name: &Ident) -> Option<Meaning> {
        self.meaning(&name.to_string()).cloned()
    }

    pub(super) fn meaning(&self, name: &str) -> Option<&Meaning> {
        self.names.iter().rev().find(|(n, _)| name == n).map(|(_, m)| m)
    }
}

/// The array of which the element at `q` is all that `stop` reads.
fn coordinate_of(stop: &Expr, q: VarId) -> Option<ArrayId> {
    let (mut arrays, mut others) = (Vec::new(), false);
    stop.walk(&mut |e| match e {
        Expr::Load(a, at) if **at == Expr::Var(q) => arrays.push(*a),
        Expr::Load(..) | Expr::Raw(_) | Expr::Access(_) | Expr::Array(_) => others = true,
        _ => {}
    });
    match (&arrays[..], others) {
        ([array], false) => Some(*array),
        _ => None,
    }
}
