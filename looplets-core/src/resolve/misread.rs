//! Warns of operators that do another thing here than the program seems to expect: `a[i] && b[i]` of numbers, which chooses
//! neither, the best of pairs whose first part is an index, `coalesce` of what is never missing, `!` of whole numbers as a condition,
//! a comparison with a product that is 0, and a remainder of what is below 0.

use super::access::type_name;
use super::{Meaning, Resolver};
use crate::ast;
use crate::cin::*;
use crate::kernel::*;
use crate::parse::{operand, written};

impl Resolver<'_> {
    /// Warns if `e`, which is `value`, is `a && b` of numbers where a number is wanted: it is 1 or 0, and
    /// not `b`, as in languages where `and` chooses.
    pub(super) fn becomes_a_number(&mut self, e: &ast::Expr, value: &Expr, ty: &Ty) {
        let (ast::Expr::Call { op, args }, Expr::Call(Op::And | Op::Or, values)) = (e, value)
        else {
            return;
        };
        let of_float = |v: &Expr| match v {
            Expr::Call(Op::Ne, sides) => self.kernel.type_of(&sides[0]).filter(Ty::is_float),
            _ => None,
        };
        // Bits that are chosen by a number.
        let bits = |a: &ast::Expr| matches!(a, ast::Expr::Lit(Lit::Int(n), ..) if *n > 1);
        if let (Some(mask), Some(other), false) = (
            args.iter().find(|a| bits(a)),
            args.iter().find(|a| !bits(a)).and_then(|a| operand(a, &Op::BitAnd)),
            *ty == Ty::Bool,
        ) {
            let (symbol, single) = if op.op == Op::And { ("&&", "&") } else { ("||", "|") };
            let mask = written(mask).unwrap_or_default();
            let note = format!("`{symbol}` is `true` or `false`, and so 1 or 0 here: bits are chosen by `{other} {single} {mask}`");
            self.kernel.warn(Warning { span: op.span, name: "truth_of_numbers", note });
            return;
        }
        let compared =
            |a: &ast::Expr| matches!(a, ast::Expr::Call { op, .. } if op.op.is_comparison());
        let of = args.iter().zip(values).find_map(|(a, v)| of_float(v).filter(|_| !compared(a)));
        let (Some(of), false) = (of, matches!(ty, Ty::Bool | Ty::Unknown)) else { return };
        let [Some(a), Some(b)] = [written(&args[0]), written(&args[1])] else { return };
        let compared = |e| operand(e, &Op::Ne);
        let [Some(c), Some(d)] = [compared(&args[0]), compared(&args[1])] else { return };
        let (symbol, choice) = match op.op {
            Op::And => ("&&", format!("ifelse({d} != 0, {a}, 0)")),
            _ => ("||", format!("ifelse({c} != 0, {a}, {b})")),
        };
        let of = type_name(&of);
        let note = format!("`{symbol}` of `{of}` is `true` or `false`, and so 1 or 0 here: a choice of numbers is `{choice}`, and what is meant to be 1 or 0 is `{c} != 0 {symbol} {d} != 0`");
        self.kernel.warn(Warning { span: op.span, name: "truth_of_numbers", note });
    }

    /// Warns of `best <<minby>>= (i, x[i])`, whose least first part is the first `i` there is.
    pub(super) fn best_of_indices(&mut self, op: &ast::OpRef, e: &ast::Expr, value: &Expr) {
        let Expr::Call(Op::Tuple, parts) = value else { return };
        let of_loop =
            |e: &Expr| matches!(e, Expr::Var(v) if self.kernel.info(*v).kind == VarKind::Index);
        let ast::Expr::Call { args, .. } = e else { return };
        let (Some(first), Some(second)) = (parts.first(), parts.get(1)) else { return };
        // Under a condition it is the first or last place where that holds.
        if !self.conditions.is_empty() || !of_loop(first) || of_loop(second) {
            return;
        }
        let [Some(i), Some(x)] = [written(&args[0]), written(&args[1])] else { return };
        let by = op.op.name();
        let note = format!("`{by}` compares first parts, and this one is the index of a loop, whatever `{x}` is: write `({x}, {i})`, and the place of the best is the second part");
        self.kernel.warn(Warning { span: args[0].span(), name: "best_of_indices", note });
    }

    /// Warns of `coalesce(a[i], b[i])` where `a` has a value everywhere: what is not stored is the fill, and not missing.
    pub(super) fn never_missing(&mut self, args: &[ast::Expr], values: &[Expr]) {
        let (Some(Expr::Access(a)), [first, rest @ ..]) = (values.first(), args) else { return };
        let tensor = self.kernel.tensor(self.kernel.get(*a).tensor);
        let Expr::Lit(fill) = &tensor.fill else { return };
        if self.kernel.may_be_missing(&values[0]) || rest.is_empty() {
            return;
        }
        let rest: Option<Vec<String>> = rest.iter().map(written).collect();
        let (Some(a), Some(rest), fill) = (written(first), rest, fill.text()) else { return };
        let (name, rest) = (&tensor.name, rest.join(", "));
        let otherwise = match tensor.leaves_out() {
            true => format!("what `{name}` does not store is its fill, {fill}, and not missing: write `ifelse({a} != {fill}, {a}, {rest})`, or give `{name}` the fill `Missing`"),
            false => format!("`{name}` has a value everywhere: leave `coalesce` out, or read what may lie outside of `{name}` by `permit[..]`"),
        };
        let note =
            format!("`{a}` is never missing, so that what follows it is never taken: {otherwise}");
        self.kernel.warn(Warning { span: first.span(), name: "never_missing", note });
    }

    /// Warns of `!m[i]` of whole numbers where a condition is wanted: it turns bits, and is 0 for one number alone.
    pub(super) fn bits_as_condition(&mut self, e: &ast::Expr, value: &Expr) {
        let (ast::Expr::Call { op, args }, Expr::Call(Op::Not, values)) = (e, value) else {
            return;
        };
        let of = self.kernel.type_of(&values[0]).filter(Ty::is_integer);
        let x = args.first().and_then(|e| operand(e, &Op::Eq));
        let (Some(of), Some(x), Op::Not) = (of, x, &op.op) else { return };
        let of = type_name(&of);
        let note = format!(
            "`!` of `{of}` turns each bit, which leaves 0 of one number alone: write `{x} == 0`"
        );
        self.kernel.warn(Warning { span: op.span, name: "bits_as_a_condition", note });
    }

    /// Warns of `x[i] > 0 * y[i]`, a comparison with a product that is 0.
    pub(super) fn compared_with_nothing(&mut self, op: &ast::OpRef, args: &[ast::Expr]) {
        let [left, ast::Expr::Call { op: times, args: factors }] = args else { return };
        let [zero @ ast::Expr::Lit(Lit::Int(0), ..), rest] = &factors[..] else { return };
        if times.op != Op::Mul || times.path.is_some() {
            return;
        }
        let (left, zero, rest) = (operand(left, &op.op), written(zero), operand(rest, &Op::Mul));
        let (Some(left), Some(zero), Some(rest)) = (left, zero, rest) else { return };
        let by = op.op.name();
        let note = format!("`*` binds more tightly than `{by}`, so that this compares with 0: write `({left} {by} {zero}) * {rest}`, or `{left} {by} {zero}` if that is meant");
        self.kernel.warn(Warning { span: times.span, name: "compared_with_nothing", note });
    }

    /// Warns of `a[i] < 0` of unsigned numbers, and of `a[i] > 255` of `u8`: what never holds, and what always does.
    pub(super) fn always_or_never(&mut self, op: &ast::OpRef, args: &[ast::Expr], values: &[Expr]) {
        let ([a, b], None) = (args, &op.path) else { return };
        let (left, right) = (self.exact(a), self.exact(b));
        // With the literal on the right.
        let (e, value, literal, compares) = match (left, right, &op.op) {
            (None, Some(Lit::Int(n)), op) => (a, &values[0], n, op.clone()),
            (Some(Lit::Int(n)), None, Op::Lt) => (b, &values[1], n, Op::Gt),
            (Some(Lit::Int(n)), None, Op::Gt) => (b, &values[1], n, Op::Lt),
            (Some(Lit::Int(n)), None, Op::Le) => (b, &values[1], n, Op::Ge),
            (Some(Lit::Int(n)), None, Op::Ge) => (b, &values[1], n, Op::Le),
            _ => return,
        };
        // What may be missing is neither.
        let Some(own) = self.kernel.type_of(value) else { return };
        if self.kernel.may_be_missing(value) {
            return;
        }
        let most = own.limits().map(|(_, most)| most);
        let unsigned = own.is_unsigned();
        let (holds, limit) = match compares {
            Op::Lt if unsigned && literal == 0 => (false, "below 0"),
            Op::Ge if unsigned && literal == 0 => (true, "below 0"),
            Op::Gt if most == Some(literal) => (false, "more than that"),
            Op::Le if most == Some(literal) => (true, "more than that"),
            _ => return,
        };
        let (Some(left), Some(right)) = (written(a), written(b)) else { return };
        let whole = format!("{left} {} {right}", op.op.name());
        let is = type_name(&own);
        let holds = if holds { "always" } else { "never" };
        let instead = match e {
            ast::Expr::Call { op: minus, args: sides }
                if minus.op == Op::Sub
                    && minus.path.is_none()
                    && sides.len() == 2
                    && literal == 0 =>
            {
                match (written(&sides[0]), written(&sides[1])) {
                    (Some(a), Some(b)) => format!("compare both sides, `{a} {} {b}`", op.op.name()),
                    _ => return,
                }
            }
            _ => "leave it out, or compare with another number".to_owned(),
        };
        let note = format!("`{is}` is never {limit}, so that `{whole}` {holds} holds: {instead}");
        self.kernel.warn(Warning { span: op.span, name: "always_or_never", note });
    }

    /// Warns of `(i - 1) % n`, whose first difference is below 0.
    pub(super) fn wrapped_below(&mut self, op: &ast::OpRef, args: &[ast::Expr]) {
        // Shape operators have such terms, of sizes that are numbers or have names of their own, and ask whether they are below 0.
        let [ast::Expr::Call { op: minus, args: sides }, n @ ast::Expr::Name(size)] = args else {
            return;
        };
        if size.to_string().starts_with("__") {
            return;
        }
        let ([ast::Expr::Name(i), less @ ast::Expr::Lit(..)], Op::Sub, Op::Rem) =
            (&sides[..], &minus.op, &op.op)
        else {
            return;
        };
        let Some(Meaning::Var(v)) = self.lookup(i) else { return };
        // A loop that says where it begins may begin late enough.
        let from_0 = self.kernel.info(v).kind == VarKind::Index && !self.extents.contains_key(&v);
        let from_0 = from_0 || matches!(self.extents.get(&v), Some((Expr::Lit(Lit::Int(0)), _)));
        let [Some(less), Some(n)] = [written(less), written(n)] else { return };
        if !from_0 || minus.path.is_some() {
            return;
        }
        let note = format!("`{i} - {less}` is below 0 at first, of which no remainder by `{n}` is a place: write `({i} + {n} - {less}) % {n}`");
        self.kernel.warn(Warning { span: minus.span, name: "remainder_of_what_is_below_0", note });
    }
}
