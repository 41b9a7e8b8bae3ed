//! Shape operators of the oracle: their operand is read at indices that are numbers by then.

use super::{Fail, Oracle, Val};
use looplets_core::ast::{Expr, Shape, ShapeOp};

impl Oracle<'_> {
    /// The value of an index here.
    pub fn index(&self, name: &str) -> Option<i128> {
        let derived = self.derived.borrow();
        let own = derived.iter().rev().find(|(n, _)| n == name).map(|(_, i)| *i);
        own.or_else(|| self.indices.get(name).copied())
    }

    pub fn shaped(&self, s: &Shape) -> Result<Val, Fail> {
        let (from, to) = (self.sizes_from(s)?, self.sizes_to(s)?);
        let mut at = Vec::new();
        for (i, size) in s.to.iter().zip(&to) {
            let name = i.name.to_string();
            let value = self.index(&name).ok_or_else(|| Fail::Unknown(name.clone()))?;
            if value < 0 || value >= *size {
                return Err(Fail::Shape(format!("{name} is {value} of {size}")));
            }
            at.push(value);
        }
        let mut chosen = 0;
        let mut values = vec![0; from.len()];
        match s.op {
            ShapeOp::Slice => {
                let (start, _, step) = self.cut(s)?;
                values[0] = start + step * at[0];
            }
            ShapeOp::Concat => {
                let mut left = at[0];
                while left >= from[chosen] {
                    left -= from[chosen];
                    chosen += 1;
                }
                values[chosen] = left;
            }
            _ => {
                let mut flat = at.iter().zip(&to).fold(0, |flat, (i, size)| flat * size + i);
                for (value, size) in values.iter_mut().zip(&from).rev() {
                    *value = flat % size;
                    flat /= size;
                }
            }
        }
        let around = self.derived.borrow().len();
        for (i, value) in s.from.iter().zip(values) {
            self.derived.borrow_mut().push((i.name.to_string(), value));
        }
        let value = self.eval(&s.operands[chosen]);
        self.derived.borrow_mut().truncate(around);
        let float = s.operands.iter().any(|e| self.is_float(e));
        Ok(match value? {
            Val::Int(0) | Val::Bool(false) if float => Val::Loose(0.0, 0.0),
            value @ (Val::Int(_) | Val::Bool(_)) if float => Val::Float(value.float()),
            value => value,
        })
    }

    fn cut(&self, s: &Shape) -> Result<(i128, i128, i128), Fail> {
        let Some((start, end, step)) = &s.cut else { return Err(Fail::Unknown("slice".into())) };
        let number = |e: &Expr| Ok(self.eval_coordinate(e)?.int());
        Ok((number(start)?, number(end)?, step.as_ref().map_or(Ok(1), number)?))
    }

    fn sizes_from(&self, s: &Shape) -> Result<Vec<i128>, Fail> {
        let mut sizes = Vec::new();
        for (k, i) in s.from.iter().enumerate() {
            let mut found = Vec::new();
            if let Some(size) = &i.size {
                found.push(self.eval_coordinate(size)?.int());
            }
            let operand = if s.op == ShapeOp::Concat { &s.operands[k] } else { &s.operands[0] };
            self.sizes_in(operand, &i.name.to_string(), &mut found)?;
            let name = &i.name;
            match found.first() {
                Some(first) if found.iter().all(|size| size == first) => sizes.push(*first),
                Some(_) => return Err(Fail::Shape(format!("sizes of {name}: {found:?}"))),
                None => return Err(Fail::Unknown(format!("size of {name}"))),
            }
        }
        Ok(sizes)
    }

    fn sizes_in(&self, e: &Expr, name: &str, found: &mut Vec<i128>) -> Result<(), Fail> {
        match e {
            Expr::Access { name: tensor, indices, .. } => {
                // An earlier loop may have given it.
                let tensor = tensor.to_string();
                let shape = self.shapes.get(&tensor).or(self.reached.get(&tensor));
                for (dim, index) in indices.iter().enumerate() {
                    match (&index.expr, shape) {
                        (Expr::Name(n), Some(shape)) if n == name => found.push(shape[dim] as i128),
                        (other, _) => self.sizes_in(other, name, found)?,
                    }
                }
            }
            Expr::Call { args, .. } => {
                args.iter().try_for_each(|a| self.sizes_in(a, name, found))?;
            }
            Expr::Shape(inner) if inner.from.iter().all(|i| i.name != name) => {
                match inner.to.iter().position(|i| i.name == name) {
                    Some(place) => found.push(self.sizes_to(inner)?[place]),
                    None => {
                        let all = &inner.operands;
                        all.iter().try_for_each(|e| self.sizes_in(e, name, found))?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The sizes of the indices that `s` makes.
    pub fn sizes_to(&self, s: &Shape) -> Result<Vec<i128>, Fail> {
        let from = self.sizes_from(s)?;
        let all: i128 = from.iter().product();
        Ok(match s.op {
            ShapeOp::Concat => vec![from.iter().sum()],
            ShapeOp::Slice => {
                let (start, end, step) = self.cut(s)?;
                if start < 0 || start > end || end > from[0] || step < 1 {
                    return Err(Fail::Shape(format!("{start}..{end} by {step} of {}", from[0])));
                }
                vec![(end - start + step - 1) / step]
            }
            _ => {
                let mut sizes = Vec::new();
                for i in &s.to {
                    let size = i.size.as_ref().map(|e| Ok(self.eval_coordinate(e)?.int()));
                    sizes.push(size.transpose()?);
                }
                let known: i128 = sizes.iter().flatten().product();
                let open = sizes.iter().filter(|size| size.is_none()).count();
                let fits = match open {
                    0 => known == all,
                    1 => known > 0 && all % known == 0,
                    _ => return Err(Fail::Unknown("sizes of a split".into())),
                };
                if !fits {
                    return Err(Fail::Shape(format!("{all} elements, {known} known")));
                }
                sizes.into_iter().map(|size| size.unwrap_or_else(|| all / known)).collect()
            }
        })
    }
}
