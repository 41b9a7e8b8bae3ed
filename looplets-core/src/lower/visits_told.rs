//! What is said of a loop that goes through coordinates which no operand stores: an error where a sparse result would store them,
//! else a warning, at what keeps it from being left out, with what to do about it.

use super::visits::{Gap, Left};
use super::Lower;
use crate::cin::*;
use crate::decl::identity::shown;
use crate::decl::{LevelDecl, Order};
use crate::kernel::*;

impl Lower<'_> {
    pub(super) fn report(&mut self, gap: &Gap<'_>, left: &Left) {
        let kernel = &*self.kernel;
        let value = match &left.value {
            Expr::Var(v) => left.settled.get(v).unwrap_or(&left.value),
            value => value,
        };
        let function = function_in(kernel, value);
        if let (Expr::Access(a), true) = (&left.target, value != &left.value) {
            // It is as if nothing were there.
            if super::stmt::same_number(&kernel.tensor(kernel.get(*a).tensor).fill, value) {
                return;
            }
        }
        let i = kernel.called(gap.index);
        let operand = kernel.tensor(kernel.get(gap.operand).tensor).name.to_string();
        let strict = match kernel.strict {
            true => " (`#![strict]` keeps what is multiplied with it)",
            false => "",
        };
        let declared = |f: &String| kernel.functions.get(f).is_some_and(|f| f.declared);
        // What another iteration wrote may be there.
        let fill = match &left.target {
            Expr::Access(a) => Some(&kernel.tensor(kernel.get(*a).tensor).fill),
            _ => None,
        };
        let over =
            left.op.is_none() && fill.is_some_and(|f| super::stmt::same_number(f, &left.value));
        let declare = match &function {
            _ if over => "assign under a condition, such as `if .. != 0 { .. }`, ",
            Some(f) if declared(f) => "say more of it in its `operator!`, or ",
            Some(_) => {
                "declare it by `operator!` and name it in a `use` at the top of the program, or "
            }
            None => "",
        };
        let undeclared = |f: &&str| kernel.functions.get(*f).is_some_and(|f| !f.declared);
        let reducer = left.op.as_ref().and_then(Op::key).filter(undeclared);
        let reduces = match reducer.map(|f| shown(f.split('@').next().unwrap_or(f))) {
            Some(f) if function.is_none() => format!("declare `{f}` by `operator!`, with what it leaves as it is, and name it in a `use` at the top of the program, or "),
            _ => String::new(),
        };
        let own = function.as_deref().map(|f| f.split('@').next().unwrap_or(f));
        let own = own.and_then(crate::formats::operator);
        let key = function.as_deref();
        let meant = key.and_then(crate::methods::elsewhere).map(ToOwned::to_owned);
        let meant = meant.or_else(|| crate::methods::by_path(key?.split('@').next()?));
        let declare = match meant {
            None if own.is_some() => {
                let path = own.as_deref().unwrap_or_default();
                format!("write `use {path};` first, which declares it, {declare}")
            }
            Some(call) => format!("write `{call}` if that is meant, {declare}"),
            None => format!("{reduces}{declare}"),
        };
        let what = match &function {
            Some(f) => format!("`{}` may give something", shown(f.split('@').next().unwrap_or(f))),
            None => format!("the value is `{}`", kernel.told(value)),
        };
        if let Expr::Call(Op::Place, args) = &left.target {
            // What is not stored stays at the fill.
            let stays = match &args[0] {
                Expr::Access(a) => {
                    let fill = &kernel.tensor(kernel.get(*a).tensor).fill;
                    super::stmt::same_number(fill, &left.value)
                }
                _ => false,
            };
            if !stays {
                self.refuse_place(args, &left.value);
            }
            return;
        }
        let shape = match &left.target {
            Expr::Access(a) => {
                let access = kernel.get(*a);
                let tensor = kernel.tensor(access.tensor);
                // What is gathered is stored where it is appended to, by the last dimensions of that.
                let of = kernel.gathered_for(tensor);
                let above = of.lens.len().saturating_sub(tensor.lens.len());
                let at = access.indices.iter().position(|x| follows(kernel, x, gap.index));
                // Where nothing is read at all, every loop around stores what its level below takes.
                let stores = |d: &usize| {
                    let level = of.levels[above + d].format.level();
                    let follows = |v: &VarId| follows(kernel, &access.indices[*d], *v);
                    is_of_entries(level) && gap.loops.iter().any(follows)
                };
                let below = |depth: usize| (depth..access.indices.len()).find(stores);
                let everything = gap.empty && !left.again;
                let at = at.map(|depth| below(depth).filter(|_| everything).unwrap_or(depth));
                at.map(|depth| (access.clone(), of, of.levels[above + depth].format.level()))
            }
            _ => None,
        };
        if let Some((access, tensor, level)) = shape {
            let runs = level.write.as_ref().is_some_and(|w| w.runs);
            let name = &tensor.name;
            let along = |v: &VarId| access.indices.iter().any(|x| follows(kernel, x, *v));
            match is_of_entries(level) {
                true if runs => return,
                true if gap.empty && !left.again => {
                    let why = format!("`{name}` would store every `{i}`: where `{operand}` stores nothing, {what}{strict}; {declare}choose a format for `{name}` that stores everything, or allow it by `#![dense]`");
                    self.refuse_at(gap.operand, function, why);
                    return;
                }
                true => {}
                // A result that has each coordinate once needs the time.
                false if gap.loops.iter().all(along) => return,
                false => {}
            }
        }
        let each = match left.again {
            true => " again and again, for each iteration around",
            false => "",
        };
        let of = kernel.tensor(kernel.get(gap.operand).tensor);
        // What stands for no value in a reduction is no value of the operand.
        let fill = match (&left.op, of.value.is_float(), strict) {
            (Some(Op::Min), true, "") => format!("give `{operand}` the fill `Inf`, if what it does not store is not to count, or "),
            (Some(Op::Max), true, "") => format!("give `{operand}` the fill `NegInf`, if what it does not store is not to count, or "),
            _ => String::new(),
        };
        let mut constant = true;
        value.walk(&mut |e| {
            constant &= matches!(e, Expr::Lit(_) | Expr::Var(_))
                || matches!(e, Expr::Call(Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Cast(_), _));
        });
        let apart = match (&left.op, constant, strict) {
            (Some(Op::Add), true, "") => format!(
                "put that into a statement of its own, if it is a term beside that of `{operand}`, or "
            ),
            (Some(Op::Mul), true, "") => format!(
                "put this statement into loops of its own, as it has no part in `{operand}`, or "
            ),
            _ => String::new(),
        };
        let note = format!("every `{i}` is visited{each}: where `{operand}` stores nothing, {what}{strict}; {declare}{fill}{apart}allow it by `#![dense]`");
        let span = kernel.place(function.as_deref(), gap.operand);
        self.kernel.warn(Warning { span, name: "every_coordinate_is_visited", note });
    }
}

/// Whether a result stores coordinates of `level` one by one, and none that is not assigned.
fn is_of_entries(level: &LevelDecl) -> bool {
    level.leaves_out() && level.write.as_ref().is_some_and(|w| w.order != Order::Locate)
}

/// Whether `index` is that of the loop over `v`, or is computed of it.
fn follows(kernel: &Kernel, index: &Index, v: VarId) -> bool {
    index.along() == Some(v) || index.parts().iter().any(|e| kernel.depends(e).contains(&v))
}

/// A function of the program that is called in `e`.
fn function_in(kernel: &Kernel, e: &Expr) -> Option<String> {
    let mut found = None;
    e.walk(&mut |x| {
        if let Expr::Call(op, _) = x {
            let key = op.key().filter(|key| kernel.functions.contains_key(*key));
            found = found.take().or(key.map(ToOwned::to_owned));
        }
    });
    found
}
