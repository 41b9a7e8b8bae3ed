//! Functions of other libraries that are something else here, where the program has none of that name.

use super::shape::lacks_arrow;
use super::written;
use crate::ast;

/// What reduces elsewhere, and what does here.
const REDUCERS: [(&str, &str); 6] = [
    ("maximum", "<<max>>="),
    ("minimum", "<<min>>="),
    ("plus", "+="),
    ("add", "+="),
    ("times", "*="),
    ("mul", "*="),
];

/// What gives the place of the greatest or least elsewhere, and what reduces so here.
const PLACES: [(&str, &str); 2] = [("argmax", "maxby"), ("argmin", "minby")];

/// What to say of `target <<op>>= ..`.
pub fn reducer(op: &ast::OpRef) -> Option<String> {
    let name = op.path.as_ref()?.get_ident()?;
    let text = name.to_string();
    if let Some((sum @ ("min" | "max" | "or" | "any"), "plus" | "times" | "and" | "min" | "max")) =
        text.split_once('_')
    {
        let (sum, times) =
            (if sum == "or" { "||=".to_owned() } else { format!("<<{sum}>>=") }, &text);
        return Some(format!("`{times}` is called like the product of a semiring, by whose sum one reduces: write `{sum}` in its place, and `{times}(.., ..)` on the right; for a function of your own its path, `<<self::{times}>>=`"));
    }
    let (_, here) = REDUCERS.iter().find(|(other, _)| name == other)?;
    Some(format!("no operator is called `{name}`: write `{here}`, or for a function of your own its path, `<<self::{name}>>=`"))
}

/// What to say of the call of `op` on `args`.
pub fn call(op: &ast::OpRef, args: &[ast::Expr]) -> Option<String> {
    let name = op.path.as_ref()?.get_ident()?;
    if name == "log" && args.len() == 1 {
        return Some("the natural logarithm is `ln(x)`, and those to a base are `log2(x)` and `log10(x)`; a function of your own is called by its path, `self::log(..)`".to_owned());
    }
    let Some((_, here)) = PLACES.iter().find(|(place, _)| name == place) else {
        return lacks_arrow(op);
    };
    let (of, at) = match args.first() {
        Some(ast::Expr::Name(tensor)) => (format!("{tensor}[i]"), None),
        Some(e @ ast::Expr::Access { indices, .. }) => {
            let last = indices.last().and_then(|index| written(&index.expr));
            (written(e).unwrap_or_default(), last)
        }
        Some(e) => (written(e).unwrap_or_default(), None),
        None => ("x[i]".to_owned(), None),
    };
    let at = at.unwrap_or_else(|| "i".to_owned());
    Some(format!("the place of the best value is a reduction of pairs: declare `best: (f64, usize)`, write `best <<{here}>>= ({of}, {at})`, and take `$(best.1)`; a function of your own is called by its path, `self::{name}(..)`"))
}
