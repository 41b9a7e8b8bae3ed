//! Loops that a program leaves out are written: each statement that no `for` stands around gets loops over the indices
//! that nothing binds, in an order that all formats can serve, and a workspace where a result is appended to out of order, or
//! where an operand or a part of a product would be gone through again and again.
//!
//! The stage goes from programs to programs, so all it does can be written by hand, and `explain!` shows it. Loops that
//! a program writes are kept as they are, and so is all within them.

mod asked;
mod bits;
mod bound;
mod branches;
mod chance;
mod choices;
mod common;
pub mod cost;
mod count;
mod defined;
mod entry;
mod factor;
mod gallop;
mod guards;
mod held;
mod indices;
mod late;
mod laws;
mod looked_up;
mod masks;
mod order;
mod ordered;
mod place;
mod presence;
mod products;
mod promised;
mod repeated;
mod several;
mod sizes;
pub mod skew;
mod spread;
mod stretches;
mod together;
mod told;
mod turn;
mod turned_for_less;
mod visit;
mod visited;
mod walk;
mod ways;
mod weights;
mod whole_copy;
mod workspace;

pub use promised::{check, documented};
pub use repeated::repeated;
pub use told::told;
pub use ways::Way;

use crate::algebra::Algebra;
use crate::ast::visit::all_exprs;
use crate::ast::{Block, Expr, Form, Passing, Program, Stmt, WishKind, RESULT};
use crate::cin::Op;
use crate::diagnostics::{Diagnostics, Errors};
use crate::formats::{Chain, Library};
use crate::kernel::LoopWalk;
use choices::{Choice, Choices};
use indices::Scope;
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use std::collections::HashMap;

/// Formats that `program` may need beside those that it names.
pub fn format_types(program: &Program, krate: &TokenStream) -> Vec<syn::Type> {
    if !leaves_out(program) {
        return Vec::new();
    }
    let program = &defined::expanded(program);
    let asked = asked::formats(program);
    let scope = Scope::of(program);
    let ranks = program.body.stmts.iter().map(|s| products::rank(s, &scope.unbound(s)));
    let summed = ranks.max().unwrap_or(0);
    let meets = program.body.stmts.iter().any(spread::meets).into();
    let orders = program.schedule.iter().any(|wish| matches!(wish.kind, WishKind::Order(_)));
    // Which leaf they are over is known once the formats of results and operands are.
    let most = match program.outputs.is_empty() {
        false => workspace::MOST,
        true if program.body.stmts.iter().any(turn::may_turn) || orders => workspace::MOST,
        // What is summed first may be turned.
        true => summed.max(meets),
    };
    let gathered = (1..=most).filter_map(|rank| workspace::format(krate, rank, None));
    let turned = (most > 1).then(|| workspace::turned(krate, None)).flatten();
    let masked = !program.outputs.is_empty() && program.body.stmts.iter().any(late::masked);
    let stamped = masked.then(|| late::stamped(krate, None)).flatten();
    let hashed = (!program.outputs.is_empty()).then(|| workspace::hashed(krate, None)).flatten();
    // Few are asked for, since each that is fetched takes of the depth that rustc expands macros to.
    let most = summed.max(meets);
    let whole = (1..=most).filter_map(|rank| workspace::whole(krate, rank, None));
    let rows = [workspace::listed, workspace::rows].into_iter().filter(|_| summed > 1);
    let rows = rows.filter_map(|format| format(krate, None));
    let ranks: Vec<usize> = program.body.stmts.iter().map(bits::rank).filter(|r| *r > 0).collect();
    let flagged = (1..=bits::MOST).filter(|rank| ranks.contains(rank));
    let flagged = flagged.filter_map(|rank| bits::format(krate, rank));
    gathered
        .chain(turned)
        .chain(hashed)
        .chain(stamped)
        .chain(whole)
        .chain(rows)
        .chain(flagged)
        .chain(asked)
        .collect()
}

/// Whether a statement of `program` lacks loops.
fn leaves_out(program: &Program) -> bool {
    is_function(program) && lacks(&program.body, Scope::of(program), inside(program))
}

/// In the inline form, a name that nothing binds is a variable of the program around it.
fn is_function(program: &Program) -> bool {
    matches!(program.form, Form::Function { .. })
}

/// Whether loops may be left out within those that are written.
fn inside(program: &Program) -> bool {
    program.schedule.iter().any(|wish| matches!(wish.kind, WishKind::Inside))
}

fn lacks(block: &Block, mut scope: Scope, inside: bool) -> bool {
    block.stmts.iter().any(|stmt| {
        let lacking = match stmt {
            Stmt::For { indices, body, .. } if inside => {
                let mark = scope.mark();
                scope.bind(indices);
                let lacking = lacks(body, scope.clone(), inside);
                scope.forget(mark);
                lacking
            }
            Stmt::For { .. } => false,
            _ => !scope.unbound(stmt).is_empty(),
        };
        scope.define(stmt);
        lacking
    })
}

/// The most dimensions of a result that are gathered.
pub const MOST_GATHERED: usize = workspace::MOST;

/// What is known where a statement stands.
struct Scheduler<'a> {
    library: &'a Library,
    algebra: &'a Algebra,
    krate: &'a TokenStream,
    generics: &'a [String],
    errors: Diagnostics,
    /// The formats of tensors, where they are sound, and whether the tensor is a result that starts empty.
    formats: HashMap<String, (Option<Chain>, bool)>,
    /// The results whose sizes the header gives, and how many there are of each.
    sized: HashMap<String, usize>,
    /// The types of scalars that the program writes.
    scalars: HashMap<String, TokenStream>,
    scope: Scope,
    /// Loops around, outermost first.
    open: Vec<Ident>,
    /// How many of the loops in `open`, the outermost ones, were made by taking a product apart.
    apart: usize,
    /// `#![strict]`: what is not stored takes part in products.
    strict: bool,
    /// The names of workspaces that have been made.
    made: Vec<String>,
    /// Tensors that statements before this one have written.
    assigned: Vec<String>,
    choices: Choices<'a>,
    /// Whether loops may be left out within those that are written.
    inside: bool,
}

/// The formats of the tensors of a program whose loops are written: none where a type is no format, and whether it is a
/// result that starts empty.
struct Tensors {
    formats: HashMap<String, (Option<Chain>, bool)>,
}

/// The ways to run `program`, with the loops that it leaves out, the first one for sizes that make no difference; and how many
/// others there were.
pub fn schedule(
    mut program: Program,
    (library, algebra): (&Library, &Algebra),
    krate: &TokenStream,
    generics: &[String],
) -> Result<(Vec<Way>, usize), Errors> {
    if !calls_fit(&program, algebra) {
        // What is wrong with a call is said where operators are resolved.
        let count = count::Count::default();
        return Ok((vec![Way { program, choices: Vec::new(), count, on_request: Vec::new() }], 0));
    }
    branches::merge(&mut program, library, generics);
    if leaves_out(&program) {
        return ways::ways(program, (library, algebra), krate, generics);
    }
    let mut errors = Diagnostics::new();
    let mut wishes = program.schedule.iter();
    // Tiles are made of all loops.
    if let Some(wish) = wishes.find(|wish| !matches!(wish.kind, WishKind::Tile(_))) {
        errors.error(wish.span, match (is_function(&program), inside(&program)) {
            (false, _) => "an inline program has its loops written, so there is nothing to choose: use the function form",
            (_, true) => "all loops are written, so there is nothing to choose",
            _ => "all loops are written, so there is nothing to choose: leave some out, within those that are written by `inside`",
        });
    }
    errors.check(())?;
    let formats = formats(&program, library, generics);
    let count = count::count(&program, formats, (library, algebra), generics, None);
    Ok((vec![Way { program, choices: Vec::new(), count, on_request: Vec::new() }], 0))
}

/// Whether each operator of `program` has as many arguments as it takes.
fn calls_fit(program: &Program, algebra: &Algebra) -> bool {
    let mut fit = true;
    let mut look = |e: &Expr| {
        let Expr::Call { op, args } = e else { return };
        let (known, (least, most)) = match &op.op {
            Op::Function(name) => match algebra.called(name) {
                Some(declared) => (true, declared.decl().traits.takes),
                None => (false, (0, 0)),
            },
            other => (!other.row().form.is_empty(), other.row().takes),
        };
        fit &= !known || (least..=most).contains(&args.len());
    };
    program.body.stmts.iter().for_each(|s| all_exprs(s, &mut look));
    fit
}

/// Counts the loops of `way` again, of which it is known now what they go through.
pub fn recount(
    way: &mut Way,
    (library, algebra): (&Library, &Algebra),
    generics: &[String],
    walks: &[LoopWalk],
) {
    let formats = formats(&way.program, library, generics);
    // Which way is taken stays a matter of chances.
    let time = std::mem::take(&mut way.count.time);
    let known = Some(walks);
    way.count = count::count(&way.program, formats, (library, algebra), generics, known);
    way.count.time = time;
}

/// The formats of the tensors in the header.
fn formats(
    program: &Program,
    library: &Library,
    generics: &[String],
) -> HashMap<String, (Option<Chain>, bool)> {
    let memory = |p: &&crate::ast::Param| p.passing != Passing::Value;
    let of = |ty| library.resolved(ty, generics).ok();
    let params = program.params.iter().filter(memory);
    let params = params.map(|p| (p.name.to_string(), (of(&p.ty), false)));
    let outputs = program.outputs.iter().map(|o| (o.name.to_string(), (of(&o.ty), true)));
    params.chain(outputs).collect()
}

/// The types of what `program` writes that are none of `formats`: scalars.
fn scalars(
    program: &Program,
    formats: &HashMap<String, (Option<Chain>, bool)>,
) -> HashMap<String, TokenStream> {
    let scalar = |name: &String| formats.get(name).is_some_and(|(chain, _)| chain.is_none());
    let outputs = program.outputs.iter().map(|o| (o.name.to_string(), o.ty.to_token_stream()));
    let params = program.params.iter().filter(|p| p.passing != Passing::Value);
    let params = params.map(|p| (p.name.to_string(), p.ty.to_token_stream()));
    outputs.chain(params).filter(|(name, _)| scalar(name)).collect()
}

/// Writes the loops that `program` leaves out, by `choices`.
fn run<'a>(
    program: &mut Program,
    choices: Choices<'a>,
    (library, algebra): (&'a Library, &'a Algebra),
    krate: &'a TokenStream,
    generics: &'a [String],
) -> (Choices<'a>, Tensors, Diagnostics) {
    let sized = |o: &crate::ast::Output| Some((o.name.to_string(), o.dims.as_ref()?.len()));
    let formats = formats(program, library, generics);
    let mut s = Scheduler {
        library,
        algebra,
        krate,
        generics,
        errors: Diagnostics::new(),
        scalars: scalars(program, &formats),
        formats,
        sized: program.outputs.iter().filter_map(sized).collect(),
        scope: Scope::of(program),
        open: Vec::new(),
        apart: 0,
        strict: program.strict,
        made: Vec::new(),
        assigned: Vec::new(),
        choices,
        inside: inside(program),
    };
    let tensors = Tensors { formats: s.formats.clone() };
    let inside = s.inside;
    // A type that is no format is refused where it is declared.
    let along = |name: &Ident| {
        let chain = tensors.formats.get(&name.to_string()).and_then(|(chain, _)| chain.as_ref());
        let last = chain.and_then(|c| c.levels.iter().nth_back(1));
        last.is_none_or(|l| !l.level().has_children_alone())
    };
    let wishes = (&program.schedule[..], &mut s.choices.granted[..]);
    asked::locate(&mut program.body, inside, &along, wishes);
    s.block(&mut program.body);
    common::shared(&mut program.body);
    let Scheduler { errors, choices, .. } = s;
    (choices, tensors, errors)
}

impl Scheduler<'_> {
    /// Notes the format of a tensor. What is wrong with it is said where it is declared.
    fn format(&mut self, name: &Ident, ty: &syn::Type, result: bool) {
        let chain = self.library.resolved(ty, self.generics).ok();
        self.formats.insert(name.to_string(), (chain, result));
    }

    fn block(&mut self, block: &mut Block) {
        let names = self.scope.mark();
        defined::defined(block, self.scope.clone());
        let rows = self.together(block);
        for (n, stmt) in block.stmts.iter_mut().enumerate() {
            match rows.contains(&n) {
                true => self.written(stmt),
                false => self.stmt(stmt),
            }
            if let Stmt::Workspace { name, ty, .. } = stmt {
                self.format(name, ty, true);
                if self.chain(name).is_none() {
                    self.scalars.insert(name.to_string(), ty.to_token_stream());
                }
            }
            self.scope.define(stmt);
            indices::written(stmt, &mut self.assigned);
        }
        self.scope.forget(names);
    }

    /// Puts loops around a statement, or around those in it.
    fn stmt(&mut self, stmt: &mut Stmt) {
        if let Some(mut block) = self.each_under(stmt) {
            self.block(&mut block);
            *stmt = Stmt::Block(block);
            return;
        }
        let indices = match &*stmt {
            Stmt::For { .. } if self.inside => return self.written(stmt),
            Stmt::For { .. } | Stmt::Workspace { .. } | Stmt::Pass(_) => return,
            Stmt::Assign { .. } | Stmt::Remove { .. } => self.scope.unbound(stmt),
            Stmt::If { cond, .. } => {
                let named = indices::names(cond);
                let all = self.scope.unbound(stmt);
                let own = |i: &&Ident| named.contains(&i.to_string());
                let outer: Vec<Ident> = all.iter().filter(own).cloned().collect();
                let alone = guards::assignment(stmt).is_some();
                let more = !outer.is_empty() && outer.len() < all.len();
                if alone && !outer.is_empty() && self.taken_apart(stmt, &all) {
                    return;
                }
                if !(alone && more) {
                    outer
                } else if !self.nests(stmt, &outer) {
                    all
                } else if let Some(mut block) = self.turned_under(stmt, &all) {
                    self.block(&mut block);
                    *stmt = Stmt::Block(block);
                    return;
                } else {
                    outer
                }
            }
            Stmt::Let { name, .. } => {
                let unbound = self.scope.unbound(stmt);
                if let Some(i) = unbound.first() {
                    let all =
                        unbound.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                    self.errors.error(i.span(), format!(
                        "no loop binds `{i}`, and what `{name}` is may differ in each: write `for {all} {{ .. }}` around the definition and what reads it"));
                }
                return;
            }
            // The indices of each statement are its own.
            Stmt::Where { .. } | Stmt::Block(_) => Vec::new(),
        };
        if indices.is_empty() {
            return self.within(stmt);
        }
        if let Some((i, cure)) = self.last_of_several(stmt, &indices) {
            if matches!(stmt, Stmt::Assign { target: Expr::Name(name), .. } if name == RESULT) {
                self.errors.error(i.span(), format!(
                    "nothing says what becomes of the values for each `{i}`: name the result and reduce into it, as in `-> (s: f64) {{ s += .. }}`"));
                return;
            }
            if let Some((span, message)) = self.elsewhere(stmt) {
                self.errors.error(span, message);
                return;
            }
            self.errors.error(i.span(), format!(
                "`{i}` stands on the right alone, so `=` would keep what comes last, and loops that are left out have no order: {cure}"));
            return;
        }
        if let Some(mut block) = self.by_bits(stmt, &indices) {
            self.block(&mut block);
            *stmt = Stmt::Block(block);
            return;
        }
        if matches!(stmt, Stmt::Assign { .. }) && self.taken_apart(stmt, &indices) {
            return;
        }
        let plan = match self.plan(stmt, &indices) {
            Ok(plan) => plan,
            Err((edges, blocked)) => {
                if let Some(mut block) = self.turned(stmt, &indices, &edges) {
                    self.block(&mut block);
                    *stmt = Stmt::Block(block);
                } else {
                    let (span, message) = self.discord(stmt, &edges, &blocked);
                    self.errors.error(span, message);
                }
                return;
            }
        };
        if let Some(mut block) = self.turned_for_less(stmt, &plan) {
            self.block(&mut block);
            *stmt = Stmt::Block(block);
            return;
        }
        let uses = indices::uses(stmt);
        // The indices of what stands under conditions alone.
        let within: Vec<Ident> = self.scope.unbound(stmt);
        let within: Vec<Ident> = within.into_iter().filter(|i| !indices.contains(i)).collect();
        let (mut spread, merged) = match plan.workspace {
            Some(_) => Default::default(),
            None => self.spread(stmt, (&plan.loops, &within), &uses),
        };
        let more = match (&plan.workspace, self.open.is_empty()) {
            (None, _) => self.looked_up(stmt, &plan.loops, &uses, (&spread, &merged), false),
            // In front of all loops; what is copied within them is found once they are written.
            (Some(_), true) => self.looked_up(stmt, &plan.all(), &uses, (&[], &[]), true),
            (Some(_), false) => Vec::new(),
        };
        drop(uses);
        let before = spread.iter().filter(|s| s.is_met_in(&within)).chain(&more);
        before.for_each(|s| spread::replace(stmt, &s.operand, &s.read()));
        spread.extend(more);
        spread.sort_by_key(|s| std::cmp::Reverse(s.outside));
        if plan.workspace.is_none() {
            self.gallops(stmt, &plan.loops, &spread);
        }
        let outside = self.open.len();
        self.open.extend(plan.loops.iter().cloned());
        let bound = self.scope.mark();
        self.scope.bind(&plan.loops);
        match plan.workspace {
            Some(work) => self.through(stmt, work),
            None => self.within(stmt),
        }
        self.scope.forget(bound);
        self.open.truncate(outside);
        Self::around_copies(stmt, &plan.loops, spread);
    }

    /// Goes on within a loop that is written.
    fn written(&mut self, stmt: &mut Stmt) {
        let Stmt::For { indices, body, .. } = stmt else { return };
        let (outside, bound) = (self.open.len(), self.scope.mark());
        self.open.extend(indices.iter().cloned());
        self.scope.bind(indices);
        self.block(body);
        self.scope.forget(bound);
        self.open.truncate(outside);
    }

    /// Goes on within a statement whose own indices are bound.
    fn within(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::If { then, otherwise, .. } => {
                self.block(then);
                otherwise.iter_mut().for_each(|b| self.block(b));
            }
            Stmt::Where { consumer, producer } => {
                self.block(producer);
                self.block(consumer);
            }
            Stmt::Block(block) => self.block(block),
            _ => {}
        }
    }

    /// `ty`, if its declaration was asked for.
    fn known(&self, ty: Option<syn::Type>) -> Option<syn::Type> {
        ty.filter(|ty| self.library.resolved(ty, self.generics).is_ok())
    }

    /// Whether the header gives the sizes of the result `name`, of which a workspace then has its own.
    fn has_sizes(&self, name: &Ident, rank: usize) -> bool {
        self.sized.get(&name.to_string()) == Some(&rank)
    }

    /// The format of the tensor `name`, if it is one.
    fn chain(&self, name: &Ident) -> Option<&Chain> {
        self.formats.get(&name.to_string())?.0.as_ref()
    }
}

/// Puts `stmt` into loops, the first one outermost.
fn around(stmt: &mut Stmt, loops: &[Ident]) {
    if loops.is_empty() {
        return;
    }
    let span = loops[0].span();
    let inner = std::mem::replace(stmt, Stmt::Pass(Vec::new()));
    let stmts = match inner {
        Stmt::Block(block) => block.stmts,
        other => vec![other],
    };
    let (indices, body) = (loops.to_vec(), Block { stmts, span });
    *stmt = Stmt::For { written: false, parallel: None, indices, extent: None, body };
}

/// The expression `name[indices]`.
fn access(name: &Ident, indices: &[Ident]) -> Expr {
    let index = |i: &Ident| crate::ast::Index { expr: Expr::Name(i.clone()), protocol: None };
    let indices = indices.iter().map(index).collect();
    Expr::Access { name: name.clone(), indices, by_columns: false, span: name.span() }
}
