//! A function whose operands may have one of several formats, as one function for each.

use super::{Form, Program};
use crate::diagnostics::Errors;

/// The most functions that one is compiled as.
const MOST: usize = 16;

/// `program` for each of the formats that its operands may have, in the order in which they are written: that of the first operand
/// changes from one to the next. It is alone if each operand has one format.
///
/// # Errors
/// They are too many.
pub fn each(program: &Program) -> Result<Vec<Program>, Errors> {
    let mut all = vec![program.clone()];
    for (n, param) in program.params.iter().enumerate() {
        let others = all.clone();
        all.iter_mut().for_each(|one| one.params[n].others.clear());
        for ty in &param.others {
            all.extend(others.iter().map(|other| {
                let mut one = other.clone();
                one.params[n].ty = ty.clone();
                one.params[n].others.clear();
                one
            }));
        }
        if all.len() > MOST {
            let count: usize = program.params.iter().map(|p| 1 + p.others.len()).product();
            return Err(syn::Error::new(param.name.span(), format!("the formats of all operands make {count} functions, and at most {MOST} are compiled: leave some out, or write several functions")).into());
        }
    }
    if let [_] = &all[..] {
        return Ok(all);
    }
    // What a function says of itself is said of all of them at once.
    for one in &mut all {
        if let Form::Function { attrs, vis, .. } = &mut one.form {
            attrs.retain(|a| !a.path().is_ident("doc") && !a.path().is_ident("cfg"));
            *vis = syn::Visibility::Inherited;
        }
    }
    Ok(all)
}
