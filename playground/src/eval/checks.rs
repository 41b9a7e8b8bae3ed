//! What a kernel checks of sizes before it starts.

use super::{Eval, Result, Stop};
use looplets_core::cin::*;
use looplets_core::kernel::*;

impl Eval<'_> {
    pub(super) fn check(&mut self, check: &Check) -> Result<()> {
        let kernel = self.kernel;
        let place =
            |(t, dim): (TensorId, usize)| format!("dimension {dim} of `{}`", kernel.tensor(t).name);
        let refuse = |message: String, index: Option<VarId>| {
            let ident = index.and_then(|i| kernel.info(i).ident.as_ref());
            Err(Stop { message, at: ident.map(proc_macro2::Ident::span) })
        };
        match check {
            Check::Equal { index, from, with, sizes } => {
                let [a, b] = [self.number(&sizes[0])?, self.number(&sizes[1])?];
                if a == b {
                    return Ok(());
                }
                let (name, from, with) = (kernel.called(*index), place(*from), place(*with));
                refuse(
                    format!(
                        "`{name}` runs over {from}, which is {a}, and over {with}, which is {b}"
                    ),
                    Some(*index),
                )
            }
            Check::Within { index, of, size, lo, hi, run, only } => {
                if let Some([first, end]) = run {
                    if self.number(first)? >= self.number(end)? {
                        return Ok(());
                    }
                }
                for e in only {
                    if !self.eval(e)?.val.truth() {
                        return Ok(());
                    }
                }
                let (size, lo, hi) = (self.number(size)?, self.number(lo)?, self.number(hi)?);
                if lo >= hi || 0 <= lo && hi <= size {
                    return Ok(());
                }
                let (name, of) = (kernel.called(*index), place(*of));
                refuse(
                    format!("`{name}` reaches {lo}..{hi} of {of}, which is {size}"),
                    Some(*index),
                )
            }
            Check::Reach { .. } => Ok(()),
            Check::Holds { operator, cond, text, values, .. } => {
                if self.eval(cond)?.val.truth() {
                    return Ok(());
                }
                let mut message = format!("{operator}: {text}");
                for value in values {
                    let value = self.number(value)?;
                    message = message.replacen("{}", &value.to_string(), 1);
                }
                refuse(message, None)
            }
        }
    }

    fn number(&mut self, e: &Expr) -> Result<i128> {
        Ok(self.eval(e)?.val.int())
    }
}
