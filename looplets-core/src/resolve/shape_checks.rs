//! What shape operators ask of sizes (Root et al., section 4.2): refused at once where literals tell, else a [`Check`] at
//! the top of the kernel, or in front of the loop whose bounds are not known before.

use super::shape::Range;
use super::Resolver;
use crate::cin::*;
use crate::kernel::*;
use proc_macro2::Span;

/// What is asked of sizes.
pub(super) struct Asked {
    /// The operator and its indices, as messages name them.
    pub operator: String,
    /// What is asked.
    pub cond: Expr,
    /// What is wrong if it does not hold, with `{}` where values stand.
    pub text: String,
    /// The values.
    pub values: Vec<Expr>,
    /// What is so once it holds.
    pub then: Vec<Expr>,
}

/// `a <= b`.
pub(super) fn le(a: &Expr, b: &Expr) -> Expr {
    Expr::call(Op::Le, [a.clone(), b.clone()])
}

/// `a == b`.
pub(super) fn eq(a: &Expr, b: &Expr) -> Expr {
    Expr::call(Op::Eq, [a.clone(), b.clone()])
}

/// Whether a size is one that is counted in full: those beyond were cut to the limit.
pub(super) fn countable(size: &Expr) -> Expr {
    Expr::call(Op::Lt, [size.clone(), Expr::int(1 << 61)])
}

/// `e` without what its literals tell. They have no type before they meet one, so what is left of a comparison
/// of two would be compared as numbers of 32 bits.
pub(super) fn folded(e: Expr) -> Expr {
    let Expr::Call(op, args) = e else { return e };
    let mut args: Vec<Expr> = args.into_iter().map(folded).collect();
    let yes = |b: bool| Expr::Lit(Lit::Bool(b));
    if let [Expr::Lit(Lit::Int(a)), Expr::Lit(Lit::Int(b))] = args[..] {
        match op {
            Op::Le => return yes(a <= b),
            Op::Lt => return yes(a < b),
            Op::Eq => return yes(a == b),
            Op::Max => return Expr::int(a.max(b)),
            Op::Div if b > 0 => return Expr::int(a.div_euclid(b)),
            Op::Rem if b > 0 => return Expr::int(a.rem_euclid(b)),
            Op::CeilDiv if b > 0 => return Expr::int(-(-a).div_euclid(b)),
            _ => {}
        }
    }
    if matches!(op, Op::And | Op::Or) {
        let ends = yes(op == Op::Or);
        if args.contains(&ends) {
            return ends;
        }
        let idle = yes(op == Op::And);
        args.retain(|a| *a != idle);
        match args.len() {
            0 => return idle,
            1 => return args.remove(0),
            _ => {}
        }
    }
    Expr::Call(op, args)
}

impl Resolver<'_> {
    /// Asks for what a shape operator needs; `at` is what is at fault where literals tell that it does not hold.
    pub(super) fn ask(&mut self, at: Span, asked: Asked) {
        let Some(check) = self.unsettled(at, asked) else { return };
        self.kernel.checks.push(check);
    }

    /// The check of what literals do not tell.
    fn unsettled(&mut self, at: Span, asked: Asked) -> Option<Check> {
        let Asked { operator, cond, text, values, then } = asked;
        let cond = folded(cond);
        let Expr::Lit(Lit::Bool(holds)) = cond else {
            return Some(Check::Holds { operator, cond, text, values, then });
        };
        if !holds {
            let reason = values.iter().fold(text, |text, value| match value {
                Expr::Lit(lit) => text.replacen("{}", &lit.text(), 1),
                _ => text.replacen("{}", "n", 1),
            });
            self.errors.error(at, format!("{operator}: {reason}"));
        }
        None
    }

    /// The loops over indices that shape operators make stay within their sizes.
    pub fn check_ranges(&mut self, explicit: &[VarId]) {
        let ranges = std::mem::take(&mut self.ranges);
        for Range { index, size, operator, span } in &ranges {
            let Some((lo, hi)) = self.extents.get(index).cloned() else { continue };
            if (&lo, &hi) == (&Expr::int(0), size) {
                continue;
            }
            let name = self.kernel.called(*index);
            let (operator, size) = (operator.clone(), size.clone());
            let inside = vec![le(&Expr::int(0), &lo), le(&hi, &size)];
            if !explicit.contains(index) {
                let other = |r: &&Range| r.index == *index && r.size == hi;
                let by = match ranges.iter().find(other) {
                    Some(other) => other.operator.clone(),
                    None => self.origin(*index, &hi).unwrap_or("its loop".to_owned()),
                };
                let text = format!("`{name}` is of size {{}}, and of size {{}} by {by}");
                let cond = eq(&hi, &size);
                let (values, then) = (vec![size, hi], vec![cond.clone()]);
                self.ask(*span, Asked { operator, cond, text, values, then });
                continue;
            }
            let text = format!("`{name}` is of size {{}}, and its loop runs over {{}}..{{}}");
            let before = self.kernel.fixed(&lo) && self.kernel.fixed(&hi);
            let cond = Expr::call(Op::Or, [le(&hi, &lo), Expr::Call(Op::And, inside.clone())]);
            let (values, then) = (vec![size, lo, hi], if before { Vec::new() } else { inside });
            let asked = Asked { operator, cond, text, values, then };
            if before {
                self.ask(*span, asked);
            } else if let Some(check) = self.unsettled(*span, asked) {
                self.kernel.loop_checks.push((*index, check));
            }
        }
    }
}
