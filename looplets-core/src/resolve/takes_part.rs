//! Warns of what takes part in a reduction although nothing stores it: the least of elements, which are 0 where none is stored, or of
//! products with bools, which are 0 wherever the bool does not hold, sums of what has no finite value where nothing is stored, and a
//! chosen index 0, which counts as none.

use super::{Meaning, Resolver};
use crate::ast;
use crate::cin::*;
use crate::decl::identity::shown;
use crate::kernel::*;
use crate::parse::written;

/// What a value is where no operand stores anything.
#[derive(Clone, Copy)]
enum Unstored<'e> {
    /// This number.
    Number(f64),
    /// It is not known.
    Unknown,
    /// A number of no finite size, made by the operator of this expression.
    Endless(&'e ast::Expr, f64),
}
use Unstored::{Endless, Number, Unknown};

impl Resolver<'_> {
    /// Looks at `e`, which `op` reduces into `target`.
    pub(super) fn takes_part(&mut self, target: &ast::Expr, op: &ast::OpRef, e: &ast::Expr) {
        if op.op == Op::Choose {
            self.index_chosen(target, e);
        }
        // Under a condition it may well be that something is stored.
        if !self.conditions.is_empty() {
            return;
        }
        let of_bool = matches!(op.op, Op::Min | Op::Mul) && self.bool_in_product(target, op, e);
        if matches!(op.op, Op::Min | Op::Mul | Op::MinBy) && !of_bool {
            self.least_of_all(target, op, e);
        }
        if op.op == Op::Add {
            self.endless_fill(target, e);
        }
        if op.op == Op::Min {
            self.path_of_nothing(target, e);
        }
        if op.op == Op::And {
            self.all_of_what_is_not_stored(target, e);
        }
        let (Endless(at, value), Some(what)) = (self.unstored(e), self.leaves_out_in(e)) else {
            return;
        };
        let neutral = match op.op {
            // Neither takes what is no number.
            Op::Min => value == f64::INFINITY || value.is_nan(),
            Op::Max => value == f64::NEG_INFINITY || value.is_nan(),
            Op::Add | Op::Sub | Op::Mul => false,
            _ => true,
        };
        if neutral {
            return;
        }
        let all = self.shown_target(target).zip(written(e));
        let (Some(part), Some((target, all)), Some(stored)) = (written(at), all, written(what))
        else {
            return;
        };
        let divides =
            matches!(at, ast::Expr::Call { op, .. } if matches!(op.op, Op::Div | Op::Rem));
        let is = match divides {
            true => "divides by 0",
            false => value_text(value),
        };
        let (by, takes) = (symbol(&op.op), shown(&op.op.name()));
        let name = tensor_of(what);
        let note = format!("`{part}` {is} where `{name}` stores nothing, and `{takes}` takes that too: write `if {stored} != 0 {{ {target} {by} {all} }}`, if what is stored is to count alone");
        self.kernel.warn(Warning {
            span: at.span(),
            name: "endless_where_nothing_is_stored",
            note,
        });
    }

    /// Warns of the least of products, or the product of products, one factor of which is a bool.
    fn bool_in_product(&mut self, target: &ast::Expr, op: &ast::OpRef, e: &ast::Expr) -> bool {
        let mut factors = Vec::new();
        factors_of(e, &mut factors);
        let is_bool = |f: &&&ast::Expr| match f {
            ast::Expr::Access { name, .. } => matches!(self.lookup(name),
                Some(Meaning::Tensor(t)) if self.kernel.tensor(t).value == Ty::Bool),
            ast::Expr::Call { op, .. } => op.op.is_comparison() && op.path.is_none(),
            _ => false,
        };
        let Some(&cond) = factors.iter().find(is_bool) else { return false };
        let rest = factors.iter().filter(|f| !std::ptr::eq(**f, cond));
        let rest: Option<Vec<String>> = rest.map(|f| written(f)).collect();
        let (Some(rest), Some(cond_text)) = (rest.filter(|r| !r.is_empty()), written(cond)) else {
            return false;
        };
        let (Some(target), name) = (self.shown_target(target), shown(&op.op.name())) else {
            return false;
        };
        let by = symbol(&op.op);
        let note = format!("a product with a bool is 0 where `{cond_text}` does not hold, and `{name}` takes that too: write `if {cond_text} {{ {target} {by} {} }}`", rest.join(" * "));
        self.kernel.warn(Warning { span: cond.span(), name: "bool_as_a_factor", note });
        true
    }

    /// Warns of the least of what is 0 where nothing is stored, and of its product.
    fn least_of_all(&mut self, target: &ast::Expr, op: &ast::OpRef, e: &ast::Expr) {
        let value = match (&op.op, e) {
            // Pairs are compared by their first part.
            (Op::MinBy, ast::Expr::Call { op, args }) if op.op == Op::Tuple => &args[0],
            (Op::MinBy, _) => return,
            _ => e,
        };
        let zero = matches!(self.unstored(value), Number(x) if x == 0.0);
        let Some(what) = self.leaves_out_in(value).filter(|_| zero) else { return };
        let ast::Expr::Access { name, indices, .. } = what else { return };
        let Some(Meaning::Tensor(t)) = self.lookup(name) else { return };
        if matches!(self.kernel.tensor(t).value, Ty::Bool | Ty::Unknown) {
            return;
        }
        // What has all indices of the tensor is compared element by element, and is no least of several.
        let own: Vec<String> = match target {
            ast::Expr::Access { indices, .. } => {
                indices.iter().filter_map(|i| written(&i.expr)).collect()
            }
            _ => Vec::new(),
        };
        let reduces = indices.iter().any(|i| written(&i.expr).is_some_and(|i| !own.contains(&i)));
        let (true, Some(target), Some(stored)) =
            (reduces, self.shown_target(target), written(what))
        else {
            return;
        };
        let (Some(part), Some(all)) = (written(value), written(e)) else { return };
        let (by, takes) = (symbol(&op.op), shown(&op.op.name()));
        let takes = if op.op == Op::Mul { "the product".to_owned() } else { format!("`{takes}`") };
        let note = format!("`{part}` is 0 where `{name}` stores nothing, and {takes} takes that too: write `if {stored} != 0 {{ {target} {by} {all} }}`, if what is stored is to count alone");
        self.kernel.warn(Warning { span: value.span(), name: "least_of_what_is_not_stored", note });
    }

    /// Warns of `ok[i] &&= g[i, j] && x[j]`, which holds where `g` stores everything alone.
    fn all_of_what_is_not_stored(&mut self, target: &ast::Expr, e: &ast::Expr) {
        let mut parts = Vec::new();
        joined_by(e, &Op::And, &mut parts);
        if let [ast::Expr::Call { op, args }] = &parts[..] {
            return self.compared_where_nothing_is_stored(target, (&op.op, args), e);
        }
        let stored = |e: &&ast::Expr| {
            matches!(e, ast::Expr::Access { .. }) && self.leaves_out_in(e).is_some()
        };
        let Some(at) = parts.iter().position(stored) else { return };
        let what = parts.remove(at);
        let rest: Option<Vec<String>> =
            parts.into_iter().map(|e| crate::parse::operand(e, &Op::And)).collect();
        let (Some(rest), Some(target), Some(part)) =
            (rest, self.shown_target(target), written(what))
        else {
            return;
        };
        if rest.is_empty() {
            return;
        }
        let (name, rest) = (tensor_of(what), rest.join(" && "));
        let note = format!("`{part}` does not hold where `{name}` stores nothing, and `&&=` takes that too: write `if {part} {{ {target} &&= {rest} }}`, if what is stored is to count alone");
        self.kernel.warn(Warning { span: what.span(), name: "least_of_what_is_not_stored", note });
    }

    /// Warns of `ok &&= a[i] > 0`, which does not hold where nothing is stored.
    fn compared_where_nothing_is_stored(
        &mut self,
        target: &ast::Expr,
        (op, args): (&Op, &[ast::Expr]),
        e: &ast::Expr,
    ) {
        let [a, b] = args else { return };
        let (Number(x), Number(y)) = (self.unstored(a), self.unstored(b)) else { return };
        let holds = match op {
            Op::Lt => x < y,
            Op::Le => x <= y,
            Op::Gt => x > y,
            Op::Ge => x >= y,
            Op::Eq => x == y,
            Op::Ne => x != y,
            _ => return,
        };
        let Some(what) = self.leaves_out_in(e).filter(|_| !holds) else { return };
        let (Some(stored), Some(target), Some(part)) =
            (written(what), self.shown_target(target), written(e))
        else {
            return;
        };
        let name = tensor_of(what);
        let note = format!("`{part}` does not hold where `{name}` stores nothing, and `&&=` takes that too: write `if {stored} != 0 {{ {target} &&= {part} }}`, if what is stored is to count alone");
        self.kernel.warn(Warning { span: e.span(), name: "least_of_what_is_not_stored", note });
    }

    /// Warns of a sum of what is infinite or NaN where nothing is stored.
    fn endless_fill(&mut self, target: &ast::Expr, e: &ast::Expr) {
        let ast::Expr::Access { name, .. } = e else { return };
        let Some(Meaning::Tensor(t)) = self.lookup(name) else { return };
        let tensor = self.kernel.tensor(t);
        let endless = match &tensor.fill {
            Expr::Lit(Lit::Float(bits)) => !f64::from_bits(*bits).is_finite(),
            fill => *fill == Expr::call(Op::Nan, []),
        };
        let (true, Some(part), Some(target)) =
            (endless && tensor.leaves_out(), written(e), self.shown_target(target))
        else {
            return;
        };
        let note = format!("`{part}` is {} where `{name}` stores nothing, and so is the sum then: write `if is_finite({part}) {{ {target} += {part} }}`, or give `{name}` the fill 0", match tensor.fill { Expr::Lit(_) => "infinite", _ => "NaN" });
        self.kernel.warn(Warning { span: e.span(), name: "endless_where_nothing_is_stored", note });
    }

    /// `target` as it is written: what is gathered in a workspace is the result's.
    fn shown_target(&self, target: &ast::Expr) -> Option<String> {
        let text = written(target)?;
        let ast::Expr::Access { name, indices, .. } = target else { return Some(text) };
        let Some(Meaning::Tensor(t)) = self.lookup(name) else { return Some(text) };
        let Some((result, first)) = &self.kernel.tensor(t).of else { return Some(text) };
        let outer = self.targets.get(result).and_then(|all| all.get(..*first));
        let own: Option<Vec<String>> = indices.iter().map(|i| written(&i.expr)).collect();
        let all: Vec<String> = outer?.iter().cloned().chain(own?).collect();
        Some(format!("{result}[{}]", all.join(", ")))
    }

    /// Warns of a step of length 0 where a tensor stores none: `d[j] <<min>>= d[i] + w[i, j]` on one vector.
    fn path_of_nothing(&mut self, target: &ast::Expr, e: &ast::Expr) {
        let (ast::Expr::Access { name: own, .. }, ast::Expr::Call { op, args }) = (target, e)
        else {
            return;
        };
        let reads = |e: &ast::Expr| matches!(e, ast::Expr::Access { name, .. } if name == own);
        if op.op != Op::Add || !args.iter().any(reads) {
            return;
        }
        let absent = |e: &&ast::Expr| match e {
            ast::Expr::Access { name, .. } => name != own && self.fill_of(name) == Some(0.0),
            _ => false,
        };
        let Some(length) = args.iter().find(absent) else { return };
        let (name, all) = (tensor_of(length), self.shown_target(target).zip(written(e)));
        let (Some(stored), Some((target, all))) = (written(length), all) else { return };
        let note = format!("`{stored}` is 0 where `{name}` stores nothing, and `min` takes that as a step of length 0: give `{name}` the fill `Inf`, or write `if {stored} != 0 {{ {target} <<min>>= {all} }}`");
        self.kernel.warn(Warning {
            span: length.span(),
            name: "least_of_what_is_not_stored",
            note,
        });
    }

    /// Warns of an index that is chosen into what is filled with 0: the first one is 0.
    fn index_chosen(&mut self, target: &ast::Expr, e: &ast::Expr) {
        let (ast::Expr::Name(index), ast::Expr::Access { name, .. }) = (e, target) else { return };
        let (Some(Meaning::Var(v)), Some(Meaning::Tensor(t))) =
            (self.lookup(index), self.lookup(name))
        else {
            return;
        };
        let tensor = self.kernel.tensor(t);
        let (name, _) = tensor.called(0);
        // A loop that says where it begins may begin behind 0.
        if self.extents.get(&v).is_some_and(|(lo, _)| *lo != Expr::int(0)) {
            return;
        }
        if self.kernel.info(v).kind != VarKind::Index || tensor.fill != Expr::int(0) {
            return;
        }
        let note = format!("`choose` keeps the first value that is not the fill, and the first `{index}` is 0, the fill of `{name}`, so that it never counts: write `{index} + 1`, or give `{name}` a fill that is no index, `Const<-1>` of `i64`");
        self.kernel.warn(Warning { span: index.span(), name: "chosen_index_0", note });
    }

    /// What `e` reads first of a tensor that leaves out its fill.
    fn leaves_out_in<'e>(&self, e: &'e ast::Expr) -> Option<&'e ast::Expr> {
        match e {
            ast::Expr::Access { name, .. } => self.fill_of(name).filter(|x| *x == 0.0).map(|_| e),
            ast::Expr::Call { args, .. } => args.iter().find_map(|a| self.leaves_out_in(a)),
            _ => None,
        }
    }

    /// The fill of the tensor `name`, if it leaves it out and is read as it is.
    fn fill_of(&self, name: &proc_macro2::Ident) -> Option<f64> {
        let Meaning::Tensor(t) = self.lookup(name)? else { return None };
        let tensor = self.kernel.tensor(t);
        match tensor.fill {
            Expr::Lit(ref lit) if tensor.leaves_out() => number(lit),
            _ => None,
        }
    }

    /// What `e` is where no operand stores anything.
    fn unstored<'e>(&self, e: &'e ast::Expr) -> Unstored<'e> {
        match e {
            ast::Expr::Lit(lit, ..) => number(lit).map_or(Unknown, Number),
            ast::Expr::Access { name, .. } => self.fill_of(name).map_or(Unknown, Number),
            ast::Expr::Call { op, args } => {
                let parts: Vec<Unstored<'e>> = args.iter().map(|a| self.unstored(a)).collect();
                self.unstored_call(e, &op.op, &parts)
            }
            _ => Unknown,
        }
    }

    /// What `op` makes of `parts`, in the expression `e`.
    fn unstored_call<'e>(&self, e: &'e ast::Expr, op: &Op, parts: &[Unstored<'e>]) -> Unstored<'e> {
        let zero = |p: &Unstored<'_>| matches!(p, Number(x) if *x == 0.0);
        // What is 0 where nothing is stored makes products and quotients 0, whatever else they are made of.
        if *op == Op::Mul && parts.iter().any(zero) || *op == Op::Div && zero(&parts[0]) {
            return Number(0.0);
        }
        if let (Op::Div | Op::Rem, [a, b]) = (op, parts) {
            if zero(b) {
                return Endless(e, if let Number(a) = a { a / 0.0 } else { f64::NAN });
            }
        }
        if let (Op::IfElse, [_, Number(a), Number(b)]) = (op, parts) {
            return if a == b { Number(*a) } else { Unknown };
        }
        let numbers: Option<Vec<f64>> = parts
            .iter()
            .map(|p| match p {
                Number(x) | Endless(_, x) => Some(*x),
                Unknown => None,
            })
            .collect();
        let from = parts.iter().find(|p| matches!(p, Endless(..)));
        let value = match (op, numbers.as_deref()) {
            (Op::Add | Op::Sub | Op::Neg | Op::Cast(_) | Op::As(_), None) => {
                return from.copied().unwrap_or(Unknown);
            }
            (Op::Neg, Some([a])) => -a,
            (Op::Cast(_) | Op::As(_), Some([a])) => *a,
            (Op::Add, Some(all)) => all.iter().sum(),
            (Op::Sub, Some([a, b])) => a - b,
            (Op::Mul, Some(all)) => all.iter().product(),
            (Op::Div, Some([a, b])) => a / b,
            (Op::Method(Method::Ln), Some([a])) => a.ln(),
            (Op::Method(Method::Log2), Some([a])) => a.log2(),
            (Op::Method(Method::Log10), Some([a])) => a.log10(),
            (Op::Method(Method::Recip), Some([a])) => a.recip(),
            (Op::Method(Method::Powi | Method::Powf), Some([a, b])) => a.powf(*b),
            (Op::Method(Method::Sqrt), Some([a])) => a.sqrt(),
            (Op::Method(Method::Abs), Some([a])) => a.abs(),
            _ => return Unknown,
        };
        match (value.is_finite(), from) {
            (true, _) => Number(value),
            (false, Some(Endless(at, _))) => Endless(at, value),
            (false, _) => Endless(e, value),
        }
    }
}

/// The factors that `e` is a product of.
fn factors_of<'e>(e: &'e ast::Expr, out: &mut Vec<&'e ast::Expr>) {
    joined_by(e, &Op::Mul, out);
}

/// What `e` is made of by `by`.
fn joined_by<'e>(e: &'e ast::Expr, by: &Op, out: &mut Vec<&'e ast::Expr>) {
    match e {
        ast::Expr::Call { op, args } if op.op == *by && op.path.is_none() => {
            args.iter().for_each(|a| joined_by(a, by, out));
        }
        _ => out.push(e),
    }
}

/// A literal as a float.
fn number(lit: &Lit) -> Option<f64> {
    match lit {
        Lit::Int(n) => Some(*n as f64),
        Lit::Float(bits) => Some(f64::from_bits(*bits)),
        Lit::Bool(b) => Some(f64::from(u8::from(*b))),
        Lit::Missing => None,
    }
}

/// What a value is that has no finite size, for people.
fn value_text(value: f64) -> &'static str {
    match value {
        f64::INFINITY => "is infinite",
        f64::NEG_INFINITY => "is `-Inf`",
        _ => "is `NaN`",
    }
}

/// How an assignment by `op` is written.
fn symbol(op: &Op) -> String {
    match op {
        Op::Add => "+=".to_owned(),
        Op::Sub => "-=".to_owned(),
        Op::Mul => "*=".to_owned(),
        op => format!("<<{}>>=", op.name()),
    }
}

/// The tensor that is read.
fn tensor_of(access: &ast::Expr) -> String {
    match access {
        ast::Expr::Access { name, .. } => name.to_string(),
        _ => String::new(),
    }
}
