//! What stands under a loop tells the size of its index, wherever it stands: a dimension that the index alone runs over,
//! or a shape operator that makes it. They are gathered before the statements are resolved, so that no order of
//! operands or statements matters.

use super::names::{has_shapes, visit_expr, visit_under};
use super::{Meaning, Resolver};
use crate::ast::{self, Shape, Sized};
use crate::cin::*;
use crate::kernel::*;
use proc_macro2::Ident;

/// The loops of one `for`.
pub(crate) struct Nest<'a> {
    /// How many names are in scope where its statements begin.
    scope: usize,
    /// The shape operators under it, but those that name what is defined between.
    operators: Vec<&'a Shape>,
}

/// The size of an index.
#[derive(Clone)]
pub(crate) struct Told {
    pub size: Expr,
    /// How many elements were divided, and by what, if that gave it.
    pub quotient: Option<(Expr, Expr)>,
}

/// What operators that stand elsewhere are asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asking {
    /// Nothing.
    No,
    /// What they tell without a division, of which the divisor may be 0.
    Known,
    /// All that they tell.
    Quotients,
}

fn is_among(name: &Ident, names: &[String]) -> bool {
    !names.is_empty() && names.contains(&name.to_string())
}

impl Told {
    pub fn of(size: Expr) -> Told {
        Told { size, quotient: None }
    }
}

impl<'a> Resolver<'a> {
    /// Enters the loops over `indices` around `body`, and gathers what tells their sizes.
    pub fn enter(&mut self, indices: &[VarId], body: &'a ast::Block) {
        let (mut operators, mut dimensions, mut unsaid) = (Vec::new(), Vec::new(), Vec::new());
        let mut gather = |e: &'a ast::Expr, between: &[String]| match e {
            ast::Expr::Shape(s) if self.means_the_same(e, between) => operators.push(&**s),
            ast::Expr::Access { name, indices: given, .. } if !is_among(name, between) => {
                let tensor = match self.lookup(name) {
                    Some(Meaning::Tensor(t)) => Some(t),
                    _ => None,
                };
                for (dim, index) in given.iter().enumerate() {
                    let ast::Expr::Name(i) = &index.expr else { continue };
                    let own = self.loop_index(i).filter(|v| indices.contains(v));
                    match (own.filter(|_| !is_among(i, between)), tensor) {
                        (Some(v), Some(t)) => dimensions.push((v, t, dim)),
                        (Some(v), None) if !self.is_permit(name) => unsaid.push(v),
                        _ => {}
                    }
                }
            }
            _ => {}
        };
        // Sizes of indices are asked for by operators alone.
        if has_shapes(body) {
            visit_under(body, &mut Vec::new(), &mut gather);
        }
        self.nests.push(Nest { scope: self.scope.len(), operators });
        // What is no tensor is reported where it stands.
        self.doubtful.extend(unsaid);
        // Inputs first, as where loops take their extents from.
        dimensions.sort_by_key(|(_, t, _)| !self.is_input(*t));
        for (v, t, dim) in dimensions {
            let tensor = self.kernel.tensor(t);
            let size = match self.is_input(t) {
                true => tensor.lens.get(dim).map(|len| Expr::Var(*len)),
                false => tensor.sizes.get(dim).cloned().map(|size| self.size_made(size)),
            };
            if let Some(size) = size.filter(|size| self.kernel.fixed(size)) {
                self.told.entry(v).or_insert(Told::of(size));
            }
        }
    }

    fn is_input(&self, t: TensorId) -> bool {
        matches!(self.kernel.tensor(t).role, Role::Input | Role::InOut)
    }

    /// Whether the sizes in the operator `e` mean the same in front of what is defined `between`, and may be asked twice.
    fn means_the_same(&self, e: &ast::Expr, between: &[String]) -> bool {
        let mut same = true;
        visit_expr(e, &mut |e| {
            same &= match e {
                ast::Expr::Access { name, .. } => !is_among(name, between),
                ast::Expr::Call { op, args } if op.op.key() == Some("window") => {
                    args.iter().take(2).all(|a| self.is_steady_amount(a, between))
                }
                ast::Expr::Shape(s) => {
                    let sizes = s.from.iter().chain(&s.to).filter_map(|i| i.size.as_ref());
                    let cut = s.cut.iter().flat_map(|(lo, hi, by)| [lo, hi].into_iter().chain(by));
                    sizes.chain(cut).all(|a| self.is_steady_amount(a, between))
                }
                _ => true,
            }
        });
        same
    }

    /// Whether `e` is of literals and of what is passed by value.
    fn is_steady_amount(&self, e: &ast::Expr, between: &[String]) -> bool {
        match e {
            ast::Expr::Lit(..) => true,
            ast::Expr::Name(name) => match self.lookup(name) {
                _ if is_among(name, between) => false,
                Some(Meaning::Literal(k)) => !self.derived.contains_key(&k),
                Some(Meaning::Var(v)) => {
                    matches!(self.kernel.info(v).kind, VarKind::Outer | VarKind::Local)
                }
                Some(Meaning::Tensor(_) | Meaning::Broken) => false,
                // A Rust variable.
                None => self.ended(name).is_none(),
            },
            ast::Expr::Call { op, args } => {
                !matches!(op.op, Op::Function(_) | Op::Method(_))
                    && args.iter().all(|a| self.is_steady_amount(a, between))
            }
            _ => false,
        }
    }

    /// The size of the index `name`, if a loop runs over it: that of its explicit extent, else what anything under the
    /// loop tells.
    pub(super) fn known_size(&mut self, name: &Ident) -> Option<Told> {
        let v = self.loop_index(name)?;
        if let Some((lo, hi)) = self.extents.get(&v) {
            let whole = *lo == Expr::int(0) && self.kernel.fixed(hi);
            return whole.then(|| Told::of(hi.clone()));
        }
        if !self.told.contains_key(&v) {
            self.ask_operators();
        }
        // An operator that names what is defined between tells it if it stands in front.
        let range = || self.ranges.iter().find(|r| r.index == v);
        self.told.get(&v).cloned().or_else(|| range().map(|r| Told::of(r.size.clone())))
    }

    /// The size of a tensor that is made of size `size`: none if that ends below 0.
    fn size_made(&mut self, size: Expr) -> Expr {
        let sure = matches!(size, Expr::Lit(_)) || self.kernel.is_unsigned(self.value_of(&size));
        match sure || !self.kernel.fixed(&size) {
            true => size,
            false => self.held_size(Expr::call(Op::Max, [Expr::int(0), size])),
        }
    }

    /// Asks the operators under the loops around for the sizes that are not known yet.
    fn ask_operators(&mut self) {
        if self.asking != Asking::No {
            return;
        }
        // What is wrong is said where it stands.
        let (errors, reads) = (self.errors.count(), self.reads.len());
        self.asking = Asking::Known;
        loop {
            let told = (0..self.nests.len()).any(|nest| self.ask_nest(nest));
            self.asking = match (told, self.asking) {
                (true, _) => Asking::Known,
                (false, Asking::Known) => Asking::Quotients,
                (false, _) => break,
            };
        }
        self.asking = Asking::No;
        if self.errors.count() > errors {
            self.doubtful.extend(&self.loops);
        }
        self.errors.truncate(errors);
        self.reads.truncate(reads);
    }

    /// Asks the operators under one nest for one size; whether they tell any.
    fn ask_nest(&mut self, nest: usize) -> bool {
        let (scope, count) = (self.nests[nest].scope, self.nests[nest].operators.len());
        let inner = self.scope.split_off(scope);
        let told = (0..count).find_map(|k| self.tells(self.nests[nest].operators[k]));
        self.scope.truncate(scope);
        self.scope.extend(inner);
        let found = told.is_some();
        self.told.extend(told);
        found
    }

    /// The size of an index that `s` makes, of which nothing else told it.
    fn tells(&mut self, s: &Shape) -> Option<(VarId, Told)> {
        let open = |i: &Sized| {
            let v = self.loop_index(&i.name)?;
            (!self.extents.contains_key(&v) && !self.told.contains_key(&v)).then_some(v)
        };
        let wanted: Vec<(usize, VarId)> =
            s.to.iter().enumerate().filter_map(|(k, i)| Some((k, open(i)?))).collect();
        let (first, v) = *wanted.first()?;
        if s.to.len() > 1 {
            for (k, v) in wanted {
                if let Sized { name, size: Some(size) } = &s.to[k] {
                    return Some((v, Told::of(self.written_size(s, name, size, false)?)));
                }
            }
        }
        let from = self.sizes_from(s, false)?;
        let told = self.sizes_to(s, &from, false)?.swap_remove(first);
        Some((v, Told { size: self.held_size(told.size), ..told }))
    }
}
