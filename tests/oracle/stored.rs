//! What is stored: values that follow from what is not, whatever the rest is, and which elements a result may store.

use super::{Fail, Oracle, Plain, Val};
use looplets_core::ast::{Expr, OpRef};

/// Levels of which a kernel stores what it writes and nothing else.
const EXACT: &str = "SparseList Bitmap ByteMap BitTree Spa StampMap Hash Coo Singleton UnorderedList \
    Bst LinkedList BlockList UnsortedBlockList VarBlockList TTree BTree HybridBTree CTree PackedCTree RedBlack GapBlockList \
    SparseVec Csr Csc Csf";

/// Whether tensors of a type store single elements: those of the innermost level are what is stored.
pub fn is_exact(ty: &str) -> bool {
    let words = ty.split(|c: char| !c.is_alphanumeric() && c != '_');
    let known = |w: &&str| w.starts_with(char::is_uppercase) && !LEAVES.contains(w);
    words.rev().find(known).is_some_and(|w| EXACT.split_whitespace().any(|l| l == w))
}

/// What stands below levels, and what is said of it.
const LEAVES: &[&str] =
    &["Element", "Pattern", "Zero", "One", "Const", "Inf", "NegInf", "NaN", "True", "False"];

/// Operators that a kernel works out where it knows what they are of; functions it does not.
const FOLDED: &[&str] = &[
    "+", "-", "*", "/", "%", "min", "max", "neg", "not", "and", "or", "&", "|", "^", "==", "!=",
    "<", "<=", ">", ">=",
];

impl Plain {
    /// Notes from here on what is stored, if it is what is written.
    pub fn track(&mut self, ty: &str) {
        self.stored = is_exact(ty).then(|| vec![false; self.data.len()]);
    }

    /// An element that may be stored by now.
    pub fn mark(&mut self, at: usize) {
        if let Some(stored) = &mut self.stored {
            stored[at] = true;
        }
    }

    /// The first element that `got` stores, though nothing wrote it.
    pub fn stores_unasked(&self, got: &Plain) -> Option<usize> {
        let (Some(may), Some(does)) = (&self.stored, &got.stored) else { return None };
        if !got.exact {
            return None;
        }
        may.iter().zip(does).position(|(may, does)| *does && !may)
    }
}

/// What is asked about a value.
#[derive(Clone, Copy, PartialEq)]
pub enum Asked {
    /// What is stored, and what conditions come to, so that what is not chosen is no matter.
    Conditions,
    /// Nothing: what it is whatever tensors hold.
    Nothing,
}

impl Oracle<'_> {
    /// The value of `e` if it follows from what is not stored: `0 * x` is 0 there, whatever `x` is.
    pub fn structural(&self, e: &Expr, asked: Asked) -> Result<Option<Val>, Fail> {
        if self.strict {
            return Ok(None);
        }
        match e {
            Expr::Lit(..) => self.eval(e).map(Some),
            Expr::Access { .. } if asked == Asked::Nothing => Ok(None),
            Expr::Access { name, indices, .. } => {
                let name = name.to_string();
                let Some(at) = self.position(&name, indices)? else {
                    return Ok(Some(Val::Missing));
                };
                let t = &self.tensors[&name];
                let absent = t.stored.as_ref().is_some_and(|stored| !stored[at]);
                Ok(absent.then(|| t.fill.clone()))
            }
            Expr::Call { op, args } => {
                let value = self.structural_call(&op.op.name(), args, asked)?;
                Ok(value.map(|value| self.chosen(e, value)))
            }
            Expr::Name(_) | Expr::Path(_) | Expr::Escape(..) | Expr::Shape(_) => Ok(None),
        }
    }

    fn structural_call(&self, op: &str, args: &[Expr], asked: Asked) -> Result<Option<Val>, Fail> {
        let known: Vec<_> =
            args.iter().map(|a| self.structural(a, asked)).collect::<Result<_, Fail>>()?;
        let zero = |v: &&Val| !matches!(v, Val::Missing | Val::Tuple(_)) && v.float() == 0.0;
        let is = |n: usize, truth: bool| {
            let value = known.get(n)?.as_ref()?;
            (*value != Val::Missing && value.truth() == truth).then(|| value.clone())
        };
        if known.iter().flatten().any(|v| *v == Val::Missing) {
            return Ok(None);
        }
        let annihilates = match op {
            "*" => known.iter().flatten().find(zero).cloned(),
            "/" | "%" => known[0].as_ref().filter(zero).cloned(),
            "and" | "&&" => is(0, false).or(is(1, false)),
            "or" | "||" => is(0, true).or(is(1, true)),
            "&" => known.iter().flatten().find(zero).cloned(),
            "ifelse" => {
                let cond = match (&known[0], asked) {
                    (Some(cond), _) => cond.clone(),
                    (None, Asked::Conditions) => self.eval(&args[0])?,
                    // Whichever it is, it is the same.
                    (None, _) if known[1] == known[2] => Val::Bool(true),
                    (None, _) => Val::Missing,
                };
                return Ok(match cond {
                    Val::Missing => None,
                    cond => known[if cond.truth() { 1 } else { 2 }].clone(),
                });
            }
            _ => None,
        };
        if annihilates.is_some() {
            // What is missing takes even nothing with it.
            let product = matches!(op, "*" | "/" | "%" | "&");
            let missing = product && args.iter().any(|a| matches!(self.eval(a), Ok(Val::Missing)));
            return Ok(annihilates.filter(|_| !missing));
        }
        match known.into_iter().collect::<Option<Vec<_>>>() {
            Some(all) if FOLDED.contains(&op) => match self.apply(op, &all) {
                Ok(value) => Ok(Some(value)),
                Err(Fail::Unknown(_) | Fail::Vague) => Ok(None),
                Err(e) => Err(e),
            },
            _ => Ok(None),
        }
    }

    /// Whether a tensor is read in it.
    fn reads(&self, e: &Expr) -> bool {
        match e {
            Expr::Access { .. } | Expr::Shape(_) => true,
            Expr::Call { args, .. } => args.iter().any(|a| self.reads(a)),
            _ => false,
        }
    }

    /// Marks what an assignment may store.
    pub fn marked(&mut self, target: &Expr, op: Option<&OpRef>, value: &Expr) -> Result<(), Fail> {
        let Expr::Access { name, indices, .. } = target else { return Ok(()) };
        let name = name.to_string();
        let Some(at) = self.position(&name, indices)? else { return Ok(()) };
        let fill = self.tensors[&name].fill.clone();
        if !self.is_nothing(op, value, &fill)? {
            self.tensors.get_mut(&name).expect("found above").mark(at);
        }
        Ok(())
    }

    /// Whether an assignment of `value` leaves its target as it is, whatever is stored.
    pub fn is_nothing(&self, op: Option<&OpRef>, value: &Expr, fill: &Val) -> Result<bool, Fail> {
        if !self.reads(value) || self.structural(value, Asked::Nothing)?.is_some() {
            // A number is written wherever the loops come.
            return Ok(false);
        }
        if let Expr::Call { op: choice, args } = value {
            if choice.op.name() == "ifelse" {
                // What is not chosen is not stored, nor is anything for its sake.
                let cond = self.eval(&args[0])?;
                let chosen = &args[if cond.truth() { 1 } else { 2 }];
                return Ok(cond != Val::Missing && self.is_nothing(op, chosen, fill)?);
            }
        }
        // What conditions choose is stored, and nothing for the sake of what they do not.
        let Some(value) = self.structural(value, Asked::Conditions)? else { return Ok(false) };
        let number = |n: f64| value != Val::Missing && value.float() == n;
        Ok(match op.map(|op| op.op.name()).as_deref() {
            None | Some("choose") => value.same(fill) || value.float() == fill.float(),
            Some("+" | "-" | "|" | "^" | "or" | "||") => number(0.0),
            Some("*" | "and" | "&&") => number(1.0),
            Some("min") => number(f64::INFINITY),
            Some("max") => number(f64::NEG_INFINITY),
            _ => false,
        })
    }
}
