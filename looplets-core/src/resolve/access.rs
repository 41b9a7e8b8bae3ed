//! Accesses and what stands between their brackets.

use super::groups::Thing;
use super::{Meaning, Position, Resolver};
use crate::ast;
use crate::cin::*;
use crate::diagnostics::{count, text};
use crate::kernel::*;
pub use crate::types::type_name;
use crate::types::Ty;
use proc_macro2::{Ident, Span};

impl Resolver<'_> {
    /// `A[..]`.
    pub fn access(
        &mut self,
        name: &Ident,
        indices: &[ast::Index],
        span: Span,
        write: bool,
    ) -> Option<Expr> {
        let resolved: Vec<Index> = indices.iter().map(|i| self.index(i, write)).collect();
        let resolved = self.digits_in_order(resolved);
        let tensor = match self.lookup(name) {
            Some(Meaning::Tensor(t)) => t,
            Some(Meaning::Broken) => return self.no_access(&resolved),
            Some(Meaning::Var(v)) if self.rebound.contains(&v) => return self.no_access(&resolved),
            Some(Meaning::Var(v)) => {
                let info = self.kernel.info(v);
                let message = match info.kind {
                    VarKind::Index => format!(
                        "`{name}` is a loop index, not a tensor: write `{name}` without indices"
                    ),
                    VarKind::Let => definition(name),
                    _ => {
                        let ty = type_name(&info.ty);
                        let of = count(resolved.len(), "dimension", "dimensions");
                        let is = if info.ty == Ty::Unknown {
                            String::new()
                        } else {
                            format!(" (`{ty}`)")
                        };
                        format!("`{name}` is a scalar{is}, not a tensor: write `{name}` without indices, or declare it with a format of {of}")
                    }
                };
                self.errors.error(name.span(), message);
                return self.no_access(&resolved);
            }
            Some(Meaning::Literal(_)) => {
                self.errors.error(name.span(), definition(name));
                return self.no_access(&resolved);
            }
            None => {
                if self.unknown.insert(name.to_string()) {
                    let meant = self.meant(name, |r, meaning| match meaning {
                        // One of the header that is indexed nowhere else passes for a scalar.
                        Meaning::Var(v) => {
                            matches!(r.kernel.info(v).kind, VarKind::Outer | VarKind::Scalar)
                        }
                        meaning => matches!(meaning, Meaning::Tensor(_)),
                    });
                    let advice = if let Some(advice) = self.ended(name) {
                        advice
                    } else if write {
                        let named =
                            self.loops.is_empty() || resolved.is_empty() || !meant.is_empty();
                        let workspace = match named {
                            true => String::new(),
                            false => format!(", or, for a workspace of each iteration, write `let mut {name}: Format;` first in that loop"),
                        };
                        format!(
                            "{meant}name it in the header as an output, `-> ({name}: Format)`, or as `{}`{workspace}",
                            self.mutable(name, "Format")
                        )
                    } else {
                        let array = self.shared(name, "[T]");
                        let array = format!(", or, for a Rust array, as `{array}`");
                        let array = if resolved.len() == 1 { &array } else { "" };
                        format!("{meant}name it in the header with its format{array}")
                    };
                    self.errors.error(name.span(), format!("unknown tensor `{name}`: {advice}"));
                }
                return self.no_access(&resolved);
            }
        };
        let rank = self.kernel.tensor(tensor).lens.len();
        if rank != resolved.len() {
            let (has, give) =
                (count(rank, "dimension", "dimensions"), count(rank, "index", "indices"));
            let message = self.indices_of_array(tensor, resolved.len()).unwrap_or_else(|| {
                let nested = self.nested(tensor);
                format!("`{name}` has {has}: give {give}, not {}{nested}", resolved.len())
            });
            self.errors.error(span, message);
            self.unsure.insert(tensor);
            if resolved.len() < rank {
                // The indices that are missing may be those of any loop around.
                self.doubtful.extend(&self.loops);
            }
            return self.no_access(&resolved);
        }
        let resolved = self.digits_of(tensor, resolved);
        if !write {
            self.reads_at(Thing::Tensor(tensor), name.span());
            if let Some(same) = self.same_read(tensor, &resolved) {
                return Some(Expr::Access(same));
            }
        }
        let access = Access {
            tensor,
            level: 0,
            pos: Expr::int(0),
            present: None,
            indices: resolved,
            write,
            first: false,
            span: SpanEq(name.span()),
            unfurled: None,
            resumed: None,
        };
        Some(self.met(access))
    }

    /// A read of the same element in the same loops: it is described once. An index that depends on
    /// a scalar that the program writes may mean another element by now.
    pub(super) fn same_read(&self, tensor: TensorId, indices: &[Index]) -> Option<AccessId> {
        let steady = |i: &Index| {
            let still = |v: &VarId| self.kernel.info(*v).kind != VarKind::Scalar;
            i.parts().into_iter().all(|e| self.kernel.depends(e).iter().all(still))
        };
        if self.loops.is_empty() || !indices.iter().all(steady) {
            return None;
        }
        self.loops_of.iter().map(|(id, loops)| (*id, loops)).find_map(|(id, loops)| {
            let a = self.kernel.get(id);
            let same = a.tensor == tensor && !a.write && a.indices == indices;
            (same && *loops == self.loops).then_some(id)
        })
    }

    /// What to say of too many or too few indices of a tensor whose elements are tensors.
    fn nested(&self, tensor: TensorId) -> String {
        let tensor = self.kernel.tensor(tensor);
        let Ty::Named(element) = &tensor.value else { return String::new() };
        let Ok(syn::Type::Path(path)) = syn::parse_str(element) else { return String::new() };
        let generic =
            |s: &syn::PathSegment| matches!(s.arguments, syn::PathArguments::AngleBracketed(_));
        match path.path.segments.last() {
            Some(last) if generic(last) && !tensor.value.is_complex() => format!(
                "; each of its elements is a `{}` of its own: declare it with one format of all dimensions",
                text(&path)
            ),
            _ => String::new(),
        }
    }

    /// No access: what it might have told of its indices is not missed later on.
    fn no_access(&mut self, indices: &[Index]) -> Option<Expr> {
        for index in indices {
            match &index.kind {
                IndexKind::Affine(v, _) | IndexKind::Digit(v, _) => {
                    self.doubtful.insert(*v);
                }
                IndexKind::Opaque(e) => e.walk(&mut |x| {
                    if let Expr::Var(v) = x {
                        self.doubtful.insert(*v);
                    }
                }),
            }
        }
        None
    }

    /// What to do about `name`, if it was declared in the producer of a `where` whose consumer this is.
    pub fn ended(&self, name: &Ident) -> Option<String> {
        if let Some((_, op)) = self.taken.iter().find(|(taken, _)| name == taken) {
            return Some(format!(
                "it is there within the operand of `{op}` alone, which takes it away"
            ));
        }
        let inside = self.inside.iter().any(|n| name == n);
        inside.then(|| format!("its declaration in the producer ends there; put `let mut {name}: ..;` around the `where`, `{{ let mut {name}: ..; {{ .. }} where {{ .. }} }}`"))
    }

    /// The tensor `name` stands where a value must.
    pub fn lacks_indices(&self, name: &Ident, tensor: TensorId) -> String {
        let rank = self.kernel.tensor(tensor).lens.len();
        let around: Vec<String> =
            self.loops.iter().map(|v| self.kernel.info(*v).name.clone()).collect();
        let indices = match rank {
            // Which of several loops goes along it, the program does not say.
            1 if around.len() > 1 => around.join(&format!("]` or `{name}[")),
            0..=3 => ["i", "j", "k"][..rank].join(", "),
            _ => "..".to_owned(),
        };
        let rank = count(rank, "dimension", "dimensions");
        format!("`{name}` is a tensor of {rank}: give its indices, `{name}[{indices}]`")
    }

    fn index(&mut self, index: &ast::Index, write: bool) -> Index {
        let span = SpanEq(index.expr.span());
        let fraction = self.refuse_fractions(&index.expr);
        let said = std::mem::replace(&mut self.fraction_said, fraction);
        let protocol = index.protocol.as_ref().map(Ident::to_string);
        let (kind, view) = self.view(&index.expr, write);
        self.fraction_said = said;
        Index { kind, view, protocol, span }
    }

    /// Reports the fractions in the arithmetic of a coordinate; whether there are any.
    fn refuse_fractions(&mut self, e: &ast::Expr) -> bool {
        match e {
            ast::Expr::Lit(lit, suffix, span) => {
                let float = suffix.as_ref().is_some_and(|s| s.starts_with('f'));
                let fraction = float || matches!(lit, Lit::Float(_));
                if fraction {
                    self.errors.error(*span, FRACTION);
                }
                fraction
            }
            // What is compared is no part of the coordinate.
            ast::Expr::Call { op, .. } if op.op.is_comparison() => false,
            // What is cut off is none.
            ast::Expr::Call { op, .. } if matches!(&op.op, Op::As(ty) if !ty.is_float()) => false,
            ast::Expr::Call { op, args } if op.path.is_none() && op.op != Op::Tuple => {
                let mut found = false;
                for arg in args {
                    found |= self.refuse_fractions(arg);
                }
                found
            }
            _ => false,
        }
    }

    /// A whole number as written, which must be one that coordinates can have.
    pub fn literal_index(&mut self, e: &ast::Expr) -> Option<Expr> {
        let (n, span) = literal(e)?;
        if n.abs() > 1 << 61 {
            self.errors.error(
                span,
                format!("the coordinate {n} is too large: coordinates lie within -2^61 .. 2^61"),
            );
        }
        Some(Expr::int(n))
    }

    /// Whether a variable is a coordinate that the kernel has already.
    fn is_coordinate(&self, v: VarId) -> bool {
        let info = self.kernel.info(v);
        info.kind == VarKind::Local && info.ty == Ty::Index
    }

    /// What the local at the top of the kernel holds that `e` is, if it is one.
    pub fn value_of<'e>(&'e self, e: &'e Expr) -> &'e Expr {
        let Expr::Var(v) = e else { return e };
        self.kernel.prelude.iter().find(|(w, _)| w == v).map_or(e, |(_, value)| value)
    }

    /// An expression in the place of a coordinate or size. What does not depend on a loop becomes a
    /// local at the top of the kernel, converted once and clamped so that sums cannot overflow.
    pub fn index_expr(&mut self, e: &ast::Expr) -> Expr {
        if let Some(n) = self.literal_index(e) {
            return n;
        }
        let outer = std::mem::replace(&mut self.position, Position::Extent);
        let value = self.expr(e);
        self.position = outer;
        self.coordinate(e, &value);
        let open = matches!(self.kernel.type_of(&value), None | Some(Ty::Index));
        if open && !self.fraction_said && !self.refuse_fractions(e) && has_fraction(&value) {
            self.errors.error(e.span(), FRACTION);
        }
        if matches!(&value, Expr::Var(v) if self.is_coordinate(*v)) {
            return value;
        }
        if self.kernel.fixed(&value) {
            let name = match e {
                ast::Expr::Name(n) => n.to_string(),
                _ => "bound".to_owned(),
            };
            let value = if self.leaves(&value) { self.as_one(value) } else { value };
            let var = self.kernel.var(&name, VarKind::Local, Ty::Index);
            self.kernel.prelude.push((var, value));
            return Expr::Var(var);
        }
        value
    }
}

const FRACTION: &str =
    "a coordinate is a whole number, and a fraction is none: convert it, `.. as usize`, which cuts it off";

/// Whether a fraction, or what a function of floats gives, is a part of the coordinate `e`.
fn has_fraction(e: &Expr) -> bool {
    match e {
        Expr::Lit(lit) => matches!(lit, Lit::Float(_)),
        Expr::Call(op, _) if op.is_comparison() => false,
        Expr::Call(Op::Method(_) | Op::Nan, _) => true,
        Expr::Call(Op::As(ty), _) => ty.is_float(),
        Expr::Call(Op::Cast(_) | Op::Fit(_) | Op::Index | Op::Function(_), _) => false,
        Expr::Call(Op::IfElse, args) => args[1..].iter().any(has_fraction),
        Expr::Call(_, args) => args.iter().any(has_fraction),
        _ => false,
    }
}

/// A whole number as written, with its sign.
fn literal(e: &ast::Expr) -> Option<(i128, Span)> {
    match e {
        ast::Expr::Lit(Lit::Int(n), _, span) => Some((*n, *span)),
        ast::Expr::Call { op, args } if op.op == Op::Neg => match args.as_slice() {
            [ast::Expr::Lit(Lit::Int(n), ..)] => Some((-n, op.span)),
            _ => None,
        },
        _ => None,
    }
}

fn definition(name: &Ident) -> String {
    format!("`{name}` is a definition, not a tensor: write `{name}` without indices")
}
