//! What a kernel is about: conditions on values, scalars that change, many operands, restricted results,
//! early exits.

use super::expr::E;
use super::formats::{leaf, Format, Ty, DENSE, LEVELS, SQUARES};
use super::{Dim, Gen, Local, Range, Role, Scalar, Stmt, Tensor};

/// What statements are mostly of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flavor {
    Any,
    Conditions,
    Changing,
    Operators,
    Operands,
    Held,
    Exits,
    Gathered,
    Plain,
}

impl Flavor {
    /// A feature by its name, and how often a kernel is of it.
    pub const ALL: &'static [(&'static str, Flavor, u32)] = &[
        ("conditions", Flavor::Conditions, 18),
        ("changing", Flavor::Changing, 10),
        ("operators", Flavor::Operators, 14),
        ("operands", Flavor::Operands, 8),
        ("held", Flavor::Held, 5),
        ("exits", Flavor::Exits, 8),
        ("gathered", Flavor::Gathered, 12),
        ("plain", Flavor::Plain, 16),
    ];
}

impl Gen<'_> {
    /// Statements as the flavor has them, if it does.
    pub fn flavored(&mut self) -> Option<Vec<Stmt>> {
        if self.flavor == Flavor::Any || self.chance(25) {
            return None;
        }
        match self.flavor {
            Flavor::Conditions => Some(vec![self.conditional(2)]),
            Flavor::Changing => Some(self.changing()),
            Flavor::Operands => Some(self.operands()),
            Flavor::Held => self.held(),
            Flavor::Exits => Some(self.exit()),
            Flavor::Operators | Flavor::Gathered | Flavor::Plain | Flavor::Any => None,
        }
    }

    /// A condition on values, on values and indices, or on a mask.
    fn condition(&mut self) -> String {
        match self.rng.u32(0..100) {
            0..35 => self.test(),
            35..50 => {
                let (a, b) = (self.test(), self.test());
                format!("({a} {} {b})", self.pick(&["&&", "&&", "||"]))
            }
            50..70 if !self.open.is_empty() => {
                let (a, b, op) = (self.index_comparison(), self.test(), *self.pick(&["||", "&&"]));
                match self.chance(70) {
                    true => format!("({a} {op} {b})"),
                    false => format!("({b} {op} {a})"),
                }
            }
            70..80 => match self.access(Some(Ty::Bool)) {
                Some(e) if self.chance(60) => format!("!{}", e.text),
                Some(e) => e.text,
                None => self.test(),
            },
            80..88 => format!("!{}", self.test()),
            _ => self.boolean(2).text,
        }
    }

    /// A read compared with a number or with another read.
    fn test(&mut self) -> String {
        let a = self.typed_number(0);
        let op = *self.pick(&["<", "<=", ">", ">=", "==", "!=", "<", ">"]);
        let b = match self.chance(50) {
            true => self.literal(),
            false => self.number(1).text,
        };
        format!("({} {op} {b})", a.text)
    }

    /// A literal that elements may be equal to.
    pub fn literal(&mut self) -> String {
        match (self.ty.float(), self.ty.unsigned()) {
            (true, _) => *self.pick(&["0.25", "0.5", "1.0", "0", "1", "-0.75", "2.0", "1.5"]),
            (_, true) => *self.pick(&["0", "1", "2", "3", "5"]),
            _ => *self.pick(&["0", "1", "-1", "2", "3", "-2"]),
        }
        .to_owned()
    }

    /// `if .. { .. } else { .. }`, nested, with assignments between.
    fn conditional(&mut self, depth: u32) -> Stmt {
        let cond = self.condition();
        let then = self.branch(depth);
        let otherwise = match self.chance(50) {
            true => Some(self.same_target(&then).unwrap_or_else(|| self.branch(depth))),
            false => None,
        };
        Stmt::If(cond, then, otherwise)
    }

    fn branch(&mut self, depth: u32) -> Vec<Stmt> {
        self.statements_left = self.statements_left.saturating_sub(1);
        match depth > 0 && self.chance(45) {
            true => {
                let mut out = Vec::new();
                if self.chance(30) {
                    out.extend(self.assignment());
                }
                out.push(self.conditional(depth - 1));
                if self.chance(30) {
                    out.extend(self.assignment());
                }
                out
            }
            false => self.assignment(),
        }
    }

    /// A scalar that is assigned, looked at, and assigned again.
    fn changing(&mut self) -> Vec<Stmt> {
        let (name, ty) = (self.name("t"), self.ty);
        let mut out = vec![Stmt::Line(format!("let mut {name}: {};", ty.text()))];
        let (value, op) = (self.typed_number(1), *self.pick(&["=", "+="]));
        out.push(Stmt::Line(format!("{name} {op} {};", value.text)));
        let before = self.locals.len();
        self.locals.push(Local { name: name.clone(), ty, bound: 16, typed: true });
        out.extend(self.changes(&name, 2));
        self.locals.truncate(before);
        out
    }

    fn changes(&mut self, name: &str, depth: u32) -> Vec<Stmt> {
        self.statements_left = self.statements_left.saturating_sub(1);
        let mut out = Vec::new();
        for _ in 0..self.rng.u32(1..3) {
            match self.rng.u32(0..10) {
                0..4 if depth > 0 => {
                    let op = *self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                    let other = match self.chance(50) {
                        true => self.literal(),
                        false => self.typed_number(1).text,
                    };
                    let mut cond = format!("({name} {op} {other})");
                    if self.chance(25) {
                        let (op, other) = (*self.pick(&["&&", "||"]), self.condition());
                        cond = format!("({cond} {op} {other})");
                    }
                    let then = self.changes(name, depth - 1);
                    let otherwise = self.chance(60).then(|| self.changes(name, depth - 1));
                    out.push(Stmt::If(cond, then, otherwise));
                }
                4..7 => {
                    let op = *self.pick(&["=", "+=", "+=", "<<max>>=", "<<min>>="]);
                    // It is not read in the statement that assigns it.
                    let hidden = self.locals.clone();
                    self.locals.retain(|l| l.name != name);
                    let value = match self.chance(50) {
                        true => self.literal(),
                        false => self.typed_number(1).text,
                    };
                    self.locals = hidden;
                    out.push(Stmt::Line(format!("{name} {op} {value};")));
                }
                _ => out.extend(self.assignment()),
            }
        }
        out
    }

    /// A sum or product of any number of reads, none among them.
    fn operands(&mut self) -> Vec<Stmt> {
        let count = [0, 1, 3, 4, 5, 6, 7, 8, 10, 12][self.rng.usize(0..10)];
        let op = *self.pick(&["+", "*", "+", "-"]);
        let mut parts = Vec::new();
        for _ in 0..count {
            self.reads_left = self.reads_left.max(1);
            if let Some(e) = self.access(None) {
                parts.push(e.text);
            }
        }
        if parts.is_empty() {
            parts.push(self.literal());
        }
        let typed = parts.len() > 1 || parts[0].contains('[');
        let text = match self.ty.unsigned() && op == "-" {
            true => parts.join(" + "),
            false => parts.join(&format!(" {op} ")),
        };
        let text = if parts.len() > 1 { format!("({text})") } else { text };
        let value = E { text, ty: self.ty, bound: 2, typed };
        vec![Stmt::Line(self.store(value))]
    }

    /// A result in a format that holds a part of what others hold.
    fn held(&mut self) -> Option<Vec<Stmt>> {
        let square = self.open.len() > 1 && self.chance(50);
        let value = self.typed_number(1).text;
        let v = *self.open.last()?;
        if self.open.iter().any(|v| self.loops[*v].range != Range::Whole) || self.open.len() > 2 {
            return None;
        }
        let names: Vec<String> = self.open.iter().map(|v| self.loops[*v].name.clone()).collect();
        let (levels, dims, cond, value) = if square {
            let (i, j) = (self.open[0], self.open[1]);
            if self.loops[i].size != self.loops[j].size {
                return None;
            }
            let triangle = &SQUARES[self.rng.usize(0..SQUARES.len())];
            let at = match triangle.ty.split('<').next()? {
                "LowerTriangular" | "Symmetric" => "<=",
                "StrictLowerTriangular" => "<",
                "UpperTriangular" => ">=",
                _ => ">",
            };
            let dim = Dim::Loop(self.loops[i].size, 0);
            (
                vec![&DENSE, triangle],
                vec![dim.clone(), dim],
                format!("({} {at} {})", names[1], names[0]),
                value,
            )
        } else {
            // A condition around may cut an interval in two.
            let one = self.chance(50) || self.conditions > 0;
            let held = LEVELS
                .iter()
                .find(|l| l.ty.starts_with(if one { "SparsePoint" } else { "SparseInterval" }))?;
            let index = &names[names.len() - 1];
            let cond = match (one, self.rng.u32(1..4)) {
                (true, n) => format!("({index} == {n})"),
                (false, n) => format!("(1 <= {index} && {index} < {})", n + 2),
            };
            let dims: Vec<Dim> =
                self.open.iter().map(|v| Dim::Loop(self.loops[*v].size, 0)).collect();
            let mut levels = vec![&DENSE; self.open.len() - 1];
            levels.push(held);
            // The entries of an interval are one value.
            let value = if one { value } else { self.literal() };
            (levels, dims, cond, value)
        };
        let ty = self.ty;
        let leaf = leaf(&mut self.rng, ty, levels.last()?);
        let name = self.name("y");
        let sizes = dims.iter().map(|d| match d {
            Dim::Loop(n, _) => self.size_name(*n),
            _ => unreachable!("whole loops"),
        });
        let sizes = Some(sizes.collect());
        let target = format!("{name}[{}]", names.join(", "));
        for v in self.open.clone() {
            self.loops[v].given.push(target.clone());
        }
        let _ = v;
        let format = Some(Format { levels, leaf });
        self.tensors.push(Tensor { name, format, role: Role::Output, dims, sizes, bound: 1 << 30 });
        let first = Some(self.open[0]);
        self.shared.push(super::Shared {
            name: target.clone(),
            first,
            op: "=".into(),
            dense: false,
            anywhere: false,
        });
        let line = Stmt::Line(format!("{target} = {value};"));
        Some(vec![Stmt::If(cond, vec![line], None)])
    }

    /// A reduction that comes to an end, and other results beside it.
    fn exit(&mut self) -> Vec<Stmt> {
        let name = self.name("c");
        let (ty, line, op) = match self.rng.u32(0..4) {
            0 => (Ty::Bool, format!("{name} ||= {};", self.condition()), "||"),
            1 => (Ty::Bool, format!("{name} &&= {};", self.condition()), "&&"),
            n => {
                let op = if n == 2 { "min" } else { "max" };
                (self.ty, format!("{name} <<{op}>>= {};", self.typed_number(1).text), op)
            }
        };
        let value = if ty == Ty::Bool { "case.flag()" } else { "case.number()" };
        let (text, mutable, value) = (ty.text().to_owned(), true, value.to_owned());
        self.scalars.push(Scalar { name: name.clone(), ty: text, mutable, value });
        self.shared.push(super::Shared {
            name,
            first: None,
            op: op.into(),
            dense: true,
            anywhere: true,
        });
        let mut out = vec![Stmt::Line(line)];
        for _ in 0..self.rng.u32(0..3) {
            let other = self.assignment();
            match self.chance(70) {
                true => out.extend(other),
                false => out.splice(0..0, other).for_each(drop),
            }
        }
        out
    }
}
