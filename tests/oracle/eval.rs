//! Expressions of the oracle.

use super::{Fail, Oracle, Val};
use looplets_core::ast::Expr;
use looplets_core::cin::Lit;

impl Oracle<'_> {
    pub fn eval(&self, e: &Expr) -> Result<Val, Fail> {
        match e {
            Expr::Lit(lit, suffix, _) => Ok(match lit {
                Lit::Bool(b) => Val::Bool(*b),
                Lit::Int(n) if suffix.as_deref().is_some_and(|s| s.starts_with('f')) => {
                    Val::Float(*n as f64)
                }
                Lit::Int(n) => Val::Int(*n),
                Lit::Float(bits) => Val::Float(f64::from_bits(*bits)),
                Lit::Missing => Val::Missing,
            }),
            Expr::Name(name) => {
                let name = name.to_string();
                if let Some(i) = self.indices.get(&name) {
                    return Ok(Val::Int(*i));
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
                let at = self.position(&name, indices)?;
                Ok(at.map_or(Val::Missing, |at| self.tensors[&name].data[at].clone()))
            }
            Expr::Call { op, args } => {
                let values = args.iter().map(|a| self.eval(a)).collect::<Result<Vec<_>, _>>()?;
                let value = self.apply(&op.op.name(), &values)?;
                // What is chosen is of the type that the choices meet in.
                Ok(match value {
                    Val::Int(_) | Val::Bool(_) if self.is_float(e) => Val::Float(value.float()),
                    value => value,
                })
            }
        }
    }

    /// Whether the type of an expression is a float, whatever its value.
    pub fn is_float(&self, e: &Expr) -> bool {
        let named = |name: &str| {
            self.floats.contains(name) || matches!(self.scalars.get(name), Some(Val::Float(_)))
        };
        match e {
            Expr::Lit(lit, suffix, _) => {
                matches!(lit, Lit::Float(_))
                    || suffix.as_deref().is_some_and(|s| s.starts_with('f'))
            }
            Expr::Name(name) => {
                let name = name.to_string();
                !self.indices.contains_key(&name) && named(&name)
            }
            Expr::Access { name, .. } => {
                self.tensors.get(&name.to_string()).is_some_and(|t| matches!(t.fill, Val::Float(_)))
            }
            Expr::Call { op, args } => match &*op.op.name() {
                "+" | "-" | "*" | "/" | "%" | "min" | "max" | "neg" | "coalesce" => {
                    args.iter().any(|a| self.is_float(a))
                }
                "ifelse" => args[1..].iter().any(|a| self.is_float(a)),
                _ => false,
            },
            Expr::Path(_) | Expr::Escape(..) => false,
        }
    }

    fn function(&self, name: &str, args: &[Val]) -> Result<Val, Fail> {
        match self.functions.iter().find(|(n, _)| *n == name) {
            Some((_, f)) => Ok(f(args)),
            None => Err(Fail::Unknown(format!("`{name}` of {} arguments", args.len()))),
        }
    }

    /// What `target <<op>>= value` leaves in a target whose fill, if it is of a tensor, is that.
    pub fn reduce(&self, op: &str, old: Val, value: Val, fill: Option<&Val>) -> Result<Val, Fail> {
        let replaces = match (op, &old, &value) {
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
        let float = args.iter().any(|a| matches!(a, Val::Float(_)));
        let fold = |f: fn(f64, f64) -> f64, g: fn(i128, i128) -> i128| {
            let (first, rest) = args.split_first().expect("an operator has arguments");
            if float {
                Val::Float(rest.iter().fold(first.float(), |a, b| f(a, b.float())))
            } else {
                Val::Int(rest.iter().fold(first.int(), |a, b| g(a, b.int())))
            }
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
            Val::Bool(if float {
                f(&args[0].float(), &args[1].float())
            } else {
                g(&args[0].int(), &args[1].int())
            })
        };
        let method = |f: fn(f64) -> f64| Val::Float(f(args[0].float()));
        Ok(match op {
            "+" => fold(|a, b| a + b, |a, b| a + b),
            "-" => fold(|a, b| a - b, |a, b| a - b),
            "*" => fold(|a, b| a * b, |a, b| a * b),
            "/" => fold(|a, b| a / b, |a, b| a / b),
            "%" => fold(|a, b| a % b, |a, b| a % b),
            "min" => fold(f64::min, i128::min),
            "max" => fold(f64::max, i128::max),
            "neg" => {
                if float {
                    Val::Float(-args[0].float())
                } else {
                    Val::Int(-args[0].int())
                }
            }
            "not" => Val::Bool(!args[0].truth()),
            "and" => Val::Bool(args.iter().all(|a| a.truth())),
            "or" => Val::Bool(args.iter().any(|a| a.truth())),
            "&" => bits(|a, b| a & b),
            "|" => bits(|a, b| a | b),
            "^" => bits(|a, b| a ^ b),
            "<<" => bits(|a, b| a << b),
            ">>" => bits(|a, b| a >> b),
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
            "powi" => Val::Float(args[0].float().powi(args[1].int() as i32)),
            name => self.function(name, args)?,
        })
    }
}
