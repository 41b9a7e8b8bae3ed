//! Reads terms from the text that the printer of kernel IR writes: every infix term stands in parentheses.

use looplets_core::cin::*;
use looplets_core::kernel::{Array, Kernel, Ty, VarKind};
use looplets_core::runtime::Runtime;

/// What was read, or what is wrong with it.
pub type Read<T> = Result<T, String>;

/// The rest of a line.
pub struct Line<'a> {
    /// The kernel that names are looked up in.
    pub kernel: &'a mut Kernel,
    /// What is not read yet.
    pub rest: &'a str,
}

impl<'a> Line<'a> {
    /// Skips blanks, then reads `text`, if it is next.
    pub fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.trim_start();
        let Some(behind) = rest.strip_prefix(text) else { return false };
        let word = |c: char| c.is_alphanumeric() || c == '_';
        if text.ends_with(word) && behind.starts_with(word) {
            return false;
        }
        self.rest = behind;
        true
    }

    pub fn expect(&mut self, text: &str) -> Read<()> {
        match self.eat(text) {
            true => Ok(()),
            false => Err(format!("expected `{text}` at `{}`", self.rest)),
        }
    }

    pub fn end(&self) -> Read<()> {
        match self.rest.trim() {
            "" => Ok(()),
            rest => Err(format!("unexpected `{rest}`")),
        }
    }

    /// The characters that come next and are so.
    fn take(&mut self, is: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest.trim_start();
        let end = rest.find(|c| !is(c)).unwrap_or(rest.len());
        self.rest = &rest[end..];
        &rest[..end]
    }

    pub fn word(&mut self) -> Read<&'a str> {
        match self.take(|c| c.is_alphanumeric() || c == '_') {
            "" => Err(format!("expected a name at `{}`", self.rest)),
            word => Ok(word),
        }
    }

    pub fn number<T: std::str::FromStr>(&mut self) -> Read<T> {
        let word = self.word()?;
        word.parse().map_err(|_| format!("expected a number, not `{word}`"))
    }

    /// A type.
    pub fn ty(&mut self) -> Read<Ty> {
        self.word().map(Ty::named)
    }

    /// A variable that is known.
    pub fn var(&mut self) -> Read<VarId> {
        let name = self.word()?;
        variable(self.kernel, name)
            .ok_or(format!("`{name}` is bound nowhere: bind it, or declare it in the header"))
    }

    /// A variable that is bound here.
    pub fn bind(&mut self, kind: VarKind, ty: Ty) -> Read<VarId> {
        let name = self.word()?;
        Ok(declare(self.kernel, name, kind, ty))
    }

    pub fn array(&mut self) -> Read<ArrayId> {
        let name = self.word()?;
        array(self.kernel, name).ok_or(format!("no tensor has the array `{name}`"))
    }

    pub fn arrays(&mut self) -> Read<Vec<ArrayId>> {
        let mut all = vec![self.array()?];
        while self.eat(",") {
            all.push(self.array()?);
        }
        Ok(all)
    }

    pub fn tensor(&mut self) -> Read<TensorId> {
        let name = self.word()?;
        let at = self.kernel.tensors.iter().position(|t| t.name == name);
        at.map(|at| TensorId(at as u32)).ok_or(format!("no tensor is called `{name}`"))
    }

    /// A level of a tensor, `y.1`.
    pub fn level(&mut self) -> Read<(TensorId, usize)> {
        let tensor = self.tensor()?;
        self.expect(".")?;
        Ok((tensor, self.number()?))
    }

    /// The operator of an assignment, up to and including its `=`.
    pub fn reduction(&mut self) -> Read<Option<Op>> {
        if self.eat("<<") {
            let name = self.word()?;
            self.expect(">>=")?;
            return Ok(Some(Op::in_rules(name)));
        }
        let text = self.take(|c| !c.is_whitespace());
        let op = text.strip_suffix('=').ok_or(format!("expected `=`, not `{text}`"))?;
        match op {
            "" => Ok(None),
            op => Op::built_in(op).map(Some).ok_or(format!("no operator is written `{op}`")),
        }
    }

    pub fn expr(&mut self) -> Read<Expr> {
        let rest = self.rest.trim_start();
        if self.eat("(") {
            return self.infix();
        }
        if rest.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            return self.literal();
        }
        let name = self.word()?;
        match name {
            "true" => return Ok(Expr::bool(true)),
            "false" => return Ok(Expr::bool(false)),
            "missing" => return Ok(Expr::Lit(Lit::Missing)),
            "inf" => return Ok(Expr::Lit(Lit::float(f64::INFINITY))),
            _ => {}
        }
        if self.rest.starts_with('(') {
            return self.call(name);
        }
        if let Some(a) = array(self.kernel, name).or_else(|| another(self.kernel, name)) {
            if !self.rest.starts_with('[') {
                return Ok(Expr::Array(a));
            }
            self.expect("[")?;
            let at = self.expr()?;
            self.expect("]")?;
            return Ok(Expr::Load(a, Box::new(at)));
        }
        let var = variable(self.kernel, name);
        var.map(Expr::Var)
            .ok_or(format!("`{name}` is neither an array nor bound nor declared in the header"))
    }

    fn literal(&mut self) -> Read<Expr> {
        let sign = if self.eat("-") { -1.0 } else { 1.0 };
        if self.eat("inf") {
            return Ok(Expr::Lit(Lit::float(sign * f64::INFINITY)));
        }
        // A range ends a number: `0..9`.
        let rest = self.rest.trim_start();
        let range = rest.find("..").unwrap_or(rest.len());
        let digit = |c: char| c.is_ascii_digit() || c == '.' || c == 'e';
        let end = rest.find(|c| !digit(c)).unwrap_or(rest.len()).min(range);
        let text = &rest[..end];
        self.rest = &rest[end..];
        match text.parse::<i128>() {
            Ok(n) if n != 0 || sign > 0.0 => Ok(Expr::int(if sign < 0.0 { -n } else { n })),
            _ => match text.parse::<f64>() {
                Ok(x) => Ok(Expr::Lit(Lit::float(sign * x))),
                Err(_) => Err(format!("expected a number, not `{text}`")),
            },
        }
    }

    /// Behind `(`: a term of one operator, or a conversion.
    fn infix(&mut self) -> Read<Expr> {
        let mut args = vec![self.expr()?];
        if self.eat("as") {
            let ty = self.ty()?;
            self.expect(")")?;
            return Ok(Expr::call(Op::Cast(ty), args));
        }
        let mut found: Option<&str> = None;
        while !self.eat(")") {
            let text = self.take(|c| !c.is_whitespace() && c != ')');
            if found.is_some_and(|op| op != text) {
                return Err(format!("`{text}` needs parentheses of its own"));
            }
            found = Some(text);
            args.push(self.expr()?);
        }
        let name = found.ok_or("one term in parentheses")?;
        let op = Op::built_in(name).ok_or(format!("no operator is written `{name}`"))?;
        Ok(Expr::call(op, args))
    }

    fn call(&mut self, name: &str) -> Read<Expr> {
        self.expect("(")?;
        let mut args = Vec::new();
        while !self.eat(")") {
            // A sum over an extent binds what it runs over.
            if name == "total" && args.len() == 2 {
                args.push(Expr::Var(self.bind(VarKind::Local, Ty::Index)?));
            } else {
                args.push(self.expr()?);
            }
            if !self.eat(",") {
                self.expect(")")?;
                break;
            }
        }
        // A statement of the run-time library, or what only the compiler computes with.
        let runtime = match name {
            "sum" => Some((Runtime::Sum, Ty::Index)),
            "total" => Some((Runtime::Total, Ty::Index)),
            "length" => Some((Runtime::Length, Ty::Index)),
            "check_index" => Some((Runtime::CheckIndex { tensor: TensorId(0), dim: 0 }, Ty::Index)),
            "together" => Some((Runtime::Together, Ty::Unknown)),
            "declare" => Some((Runtime::Declare, Ty::Unknown)),
            "irregular" => Some((Runtime::Irregular, Ty::Index)),
            "alike_four" => Some((Runtime::AlikeFour, Ty::Bool)),
            "entries" => {
                Some((Runtime::Entries { of: TensorId(0) }, Ty::Named("usize".to_owned())))
            }
            "masked" => Some((Runtime::Masked, Ty::Named("f64".into()))),
            "in_order" => Some((Runtime::InOrder, Ty::Unknown)),
            "panel_room" => Some((Runtime::PanelRoom { width: 1 }, Ty::Bool)),
            "panel" => Some((Runtime::Panel { width: 1 }, Ty::Index)),
            "slice" => Some((Runtime::Slice { reborrowed: false }, Ty::Unknown)),
            "elements" => Some((Runtime::Elements { of: (TensorId(0), 0) }, Ty::Index)),
            "truncate" => Some((Runtime::Truncate, Ty::Unknown)),
            "clear" => Some((Runtime::Clear, Ty::Unknown)),
            _ => None,
        };
        if let Some((runtime, ty)) = runtime {
            return Ok(self.kernel.call(runtime, args, ty));
        }
        if name == "wrapping_mul" {
            return Ok(Expr::call(Op::WrappingMul, args));
        }
        let private = || Op::built_in(&format!("{name}:"));
        let op = Op::written(name, args.len()).or_else(private).or_else(|| Op::built_in(name));
        let own = || {
            let key = self.kernel.functions.keys().find(|key| key.as_str() == name)?;
            Some(Op::function(key))
        };
        let op = op.or_else(own).ok_or(format!("no operator or function is called `{name}`"))?;
        Ok(Expr::call(op, args))
    }
}

fn array(kernel: &Kernel, name: &str) -> Option<ArrayId> {
    let at = kernel.arrays.iter().position(|a| a.name == name);
    at.map(|at| ArrayId(at as u32))
}

/// What columns of an array are copied to, which is called like it.
fn another(kernel: &mut Kernel, name: &str) -> Option<ArrayId> {
    let at = name.find("_copy").or_else(|| name.find("_panel"))?;
    let like = kernel.arrays[array(kernel, &name[..at])?.0 as usize].clone();
    kernel.arrays.push(Array { name: name.to_owned(), ..like });
    array(kernel, name)
}

/// The variable of this name.
pub fn variable(kernel: &Kernel, name: &str) -> Option<VarId> {
    let at = kernel.vars.iter().position(|v| v.name == name);
    at.map(|at| VarId(at as u32))
}

/// The variable of this name, which is a new one if there was none.
pub fn declare(kernel: &mut Kernel, name: &str, kind: VarKind, ty: Ty) -> VarId {
    match variable(kernel, name) {
        Some(var) => var,
        None => kernel.var(name, kind, ty),
    }
}
