//! Expressions of the oracle.

use super::{Fail, Oracle, Terms, Val, Zeros};
use looplets_core::ast::Expr;
use looplets_core::cin::Lit;

impl Oracle<'_> {
    pub fn eval(&self, e: &Expr) -> Result<Val, Fail> {
        match e {
            Expr::Lit(lit, suffix, _) => Ok(match lit {
                Lit::Bool(b) => Val::Bool(*b),
                Lit::Int(0) if suffix.as_deref().is_some_and(|s| s.starts_with('f')) => {
                    Val::Loose(0.0, 0.0)
                }
                Lit::Int(n) if suffix.as_deref().is_some_and(|s| s.starts_with('f')) => {
                    Val::Float(*n as f64)
                }
                Lit::Int(n) => Val::Int(*n),
                Lit::Float(bits) if f64::from_bits(*bits) == 0.0 => Val::Loose(0.0, 0.0),
                Lit::Float(bits) => Val::Float(f64::from_bits(*bits)),
                Lit::Missing => Val::Missing,
            }),
            Expr::Name(name) => {
                let name = name.to_string();
                if let Some(i) = self.index(&name) {
                    return Ok(Val::Int(i));
                }
                match self.scalars.get(&name) {
                    Some(v) => Ok(v.clone()),
                    None => self.function(&name, &[]),
                }
            }
            Expr::Path(path) => {
                self.function(&quote::quote!(#path).to_string().replace(' ', ""), &[])
            }
            Expr::Escape(tokens, _) => {
                let text = tokens.to_string().replace(' ', "");
                match self.scalars.get(&text) {
                    Some(v) => Ok(v.clone()),
                    None => self.function(&text, &[]),
                }
            }
            Expr::Access { name, indices, .. } => {
                let name = name.to_string();
                let Some(at) = self.position(&name, indices)? else { return Ok(Val::Missing) };
                let t = &self.tensors[&name];
                Ok(match &t.data[at] {
                    Val::Float(0.0) if t.zeros == Zeros::Unsigned => Val::Loose(0.0, 0.0),
                    value => value.clone(),
                })
            }
            Expr::Shape(shape) => self.shaped(shape),
            Expr::Call { op, args } => {
                let outer = self.coordinates.get();
                self.coordinates.set(outer || self.of_indices(e));
                let value = self.call(e, &op.op.name(), args);
                self.coordinates.set(outer);
                value
            }
        }
    }

    /// Whether nothing but indices and literals is in it.
    fn of_indices(&self, e: &Expr) -> bool {
        match e {
            Expr::Lit(..) => true,
            Expr::Name(name) => self.index(&name.to_string()).is_some(),
            Expr::Call { args, .. } => args.iter().all(|a| self.of_indices(a)),
            _ => false,
        }
    }

    fn call(&self, e: &Expr, op: &str, args: &[Expr]) -> Result<Val, Fail> {
        let values: Vec<_> = args.iter().map(|a| self.eval(a)).collect();
        let value = match self.guarded(op, &values) {
            Some(value) => value,
            None => self.apply(op, &values.into_iter().collect::<Result<Vec<_>, _>>()?)?,
        };
        let value = self.structural(e, super::stored::Asked::Conditions)?.unwrap_or(value);
        Ok(self.chosen(e, value))
    }

    /// What is chosen is of the type that the choices meet in.
    pub fn chosen(&self, e: &Expr, value: Val) -> Val {
        match value {
            Val::Int(_) | Val::Bool(_) if self.is_float(e) => Val::Loose(value.float(), 0.0),
            value => value,
        }
    }

    /// What comes of a choice or of conditions if what they guard has no value and is not asked for one.
    fn guarded(&self, op: &str, values: &[Result<Val, Fail>]) -> Option<Val> {
        let Some(Ok(first)) = values.first() else { return None };
        if *first == Val::Missing || values.iter().all(Result::is_ok) {
            return None;
        }
        match (op, first.truth()) {
            ("&&", false) | ("||", true) => Some(Val::Bool(first.truth())),
            ("ifelse", holds) => values[if holds { 1 } else { 2 }].as_ref().ok().cloned(),
            _ => None,
        }
    }

    /// Whether the type of an expression is a float, whatever its value.
    pub fn is_float(&self, e: &Expr) -> bool {
        let named = |name: &str| {
            self.floats.contains(name) || self.scalars.get(name).is_some_and(Val::is_float)
        };
        match e {
            Expr::Lit(lit, suffix, _) => {
                matches!(lit, Lit::Float(_))
                    || suffix.as_deref().is_some_and(|s| s.starts_with('f'))
            }
            Expr::Name(name) => {
                let name = name.to_string();
                self.index(&name).is_none() && named(&name)
            }
            Expr::Access { name, .. } => {
                self.tensors.get(&name.to_string()).is_some_and(|t| t.fill.is_float())
            }
            Expr::Call { op, args } => match &*op.op.name() {
                "+" | "-" | "*" | "/" | "%" | "min" | "max" | "neg" | "coalesce" => {
                    args.iter().any(|a| self.is_float(a))
                }
                "ifelse" => args[1..].iter().any(|a| self.is_float(a)),
                op => op.starts_with("as:f"),
            },
            Expr::Shape(shape) => shape.operands.iter().any(|e| self.is_float(e)),
            Expr::Path(_) | Expr::Escape(..) => false,
        }
    }

    fn function(&self, name: &str, args: &[Val]) -> Result<Val, Fail> {
        match self.functions.iter().find(|(n, _)| *n == name) {
            Some((_, f)) => {
                // What a function makes of a float that may be another is not known.
                let known = |v: &Val| !matches!(v, Val::Loose(_, by) if *by > 0.0);
                let zeros = args.iter().any(|v| matches!(v, Val::Loose(..)));
                match (args.iter().all(known), f(args)) {
                    (false, _) => Err(Fail::Vague),
                    (_, Val::Float(0.0)) if zeros => Ok(Val::Loose(0.0, 0.0)),
                    (_, value) => Ok(value),
                }
            }
            None => Err(Fail::Unknown(format!("`{name}` of {} arguments", args.len()))),
        }
    }

    /// What `target <<op>>= value` leaves in a target that `terms` went into, if its order is left open.
    pub fn reduced(
        &self,
        op: &str,
        old: Val,
        value: Val,
        fill: Option<&Val>,
        terms: &mut Terms,
    ) -> Result<Val, Fail> {
        match op {
            "+" | "-" | "*" if old.is_float() || value.is_float() => {
                if old == Val::Missing || value == Val::Missing {
                    return Ok(Val::Missing);
                }
                Ok(self.accumulated(op, &old, &value, terms))
            }
            "+" | "-" | "*" => {
                self.counted(op, old.int(), value.int(), terms)?;
                self.reduce(op, old, value, fill)
            }
            _ => {
                *terms = Terms::default();
                self.reduce(op, old, value, fill)
            }
        }
    }

    /// What `target <<op>>= value` leaves in a target whose fill, if it is of a tensor, is that.
    pub fn reduce(&self, op: &str, old: Val, value: Val, fill: Option<&Val>) -> Result<Val, Fail> {
        let replaces = match (op, &old, &value) {
            ("choose", ..) if old.is_float() => {
                let fill = fill.cloned().unwrap_or(Val::Float(0.0));
                if fill.float().is_nan() {
                    return Err(Fail::Vague);
                }
                let replaces = self.apply("==", &[old.clone(), fill])?.truth();
                // Among zeros, one without a sign is none to choose.
                let zero = |v: &Val| v.float() == 0.0;
                let signless = |v: &Val| !matches!(v, Val::Float(_));
                if replaces && zero(&old) && zero(&value) && (signless(&old) || signless(&value)) {
                    return Ok(Val::Loose(0.0, 0.0));
                }
                replaces
            }
            ("choose", ..) => fill.map_or(!old.truth(), |fill| old.same(fill)),
            ("minby", Val::Tuple(old), Val::Tuple(new)) => {
                self.apply("<", &[new[0].clone(), old[0].clone()])?.truth()
            }
            ("maxby", Val::Tuple(old), Val::Tuple(new)) => {
                self.apply(">", &[new[0].clone(), old[0].clone()])?.truth()
            }
            _ => return self.apply(op, &[old, value]),
        };
        Ok(if replaces { value } else { old })
    }

    /// An operator applied to values.
    pub fn apply(&self, op: &str, args: &[Val]) -> Result<Val, Fail> {
        if op == "coalesce" {
            return Ok(args.iter().find(|v| **v != Val::Missing).cloned().unwrap_or(Val::Missing));
        }
        if op == "tuple" {
            return Ok(Val::Tuple(args.to_vec()));
        }
        if op == "ifelse" && args[0] != Val::Missing {
            return Ok(args[if args[0].truth() { 1 } else { 2 }].clone());
        }
        if args.contains(&Val::Missing) {
            return Ok(Val::Missing);
        }
        if op == "tuple" {
            return Ok(Val::Tuple(args.to_vec()));
        }
        let float = args.iter().any(Val::is_float);
        let fold = |g: fn(i128, i128) -> Option<i128>| {
            let (first, rest) = args.split_first().expect("an operator has arguments");
            if float {
                return Ok(rest.iter().fold(first.clone(), |a, b| self.floats(op, &a, b)));
            }
            let all = rest.iter().try_fold(first.int(), |a, b| self.within(g(a, b.int())));
            all.map(Val::Int)
        };
        let bools = args.iter().all(|a| matches!(a, Val::Bool(_)));
        let bits = |g: fn(i128, i128) -> i128| {
            let n = g(args[0].int(), args[1].int());
            if bools {
                Val::Bool(n != 0)
            } else {
                Val::Int(n)
            }
        };
        let compare = |f: fn(&f64, &f64) -> bool, g: fn(&i128, &i128) -> bool| {
            Ok(Val::Bool(if float {
                self.decided(&args[0], &args[1])?;
                f(&args[0].float(), &args[1].float())
            } else {
                g(&args[0].int(), &args[1].int())
            }))
        };
        let method = |f: fn(f64) -> f64| Ok(self.method(&args[0], f));
        if let Some(ty) = op.strip_prefix("as:") {
            return self.converted(&args[0], ty);
        }
        if let Some(value) = self.of_whole(op, args) {
            return Ok(value);
        }
        match op {
            "+" => fold(i128::checked_add),
            "-" => fold(i128::checked_sub),
            "*" => fold(i128::checked_mul),
            "/" => fold(i128::checked_div),
            "%" => fold(i128::checked_rem),
            "min" => fold(|a, b| Some(a.min(b))),
            "max" => fold(|a, b| Some(a.max(b))),
            "neg" if float => Ok(self.negated(&args[0])),
            "neg" => Ok(Val::Int(self.within(args[0].int().checked_neg())?)),
            "not" => Ok(Val::Bool(!args[0].truth())),
            "and" => Ok(Val::Bool(args.iter().all(|a| a.truth()))),
            "or" => Ok(Val::Bool(args.iter().any(|a| a.truth()))),
            "&" => Ok(bits(|a, b| a & b)),
            "|" => Ok(bits(|a, b| a | b)),
            "^" => Ok(bits(|a, b| a ^ b)),
            "<<" => Ok(bits(|a, b| a << b)),
            ">>" => Ok(bits(|a, b| a >> b)),
            "==" => compare(f64::eq, i128::eq),
            "!=" => compare(f64::ne, i128::ne),
            "<" => compare(f64::lt, i128::lt),
            "<=" => compare(f64::le, i128::le),
            ">" => compare(f64::gt, i128::gt),
            ">=" => compare(f64::ge, i128::ge),
            "sqrt" => method(f64::sqrt),
            "abs" => method(f64::abs),
            "floor" => method(f64::floor),
            "ceil" => method(f64::ceil),
            "round" => method(f64::round),
            "trunc" => method(f64::trunc),
            "fract" => method(f64::fract),
            // Its last digit is not stated.
            "exp" => Ok(match self.method(&args[0], f64::exp) {
                Val::Float(x) if x.is_finite() && x != 1.0 => {
                    Val::Loose(x, x * if self.single { 1e-6 } else { 1e-14 })
                }
                value => value,
            }),
            "powi" => {
                let x = args[0].float().powi(args[1].int() as i32);
                Ok(match &args[0] {
                    Val::Loose(..) => Val::Loose(x, x.abs() * 1e-9),
                    _ => Val::Float(x),
                })
            }
            name => self.function(name, args),
        }
    }

    /// A whole number that its type has room for.
    fn within(&self, n: Option<i128>) -> Result<i128, Fail> {
        let n = n.ok_or(Fail::Vague)?;
        match self.range {
            Some((least, most)) if !self.coordinates.get() && (n < least || n > most) => {
                Err(Fail::Vague)
            }
            _ => Ok(n),
        }
    }
}
