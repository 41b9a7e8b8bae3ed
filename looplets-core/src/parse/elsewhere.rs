//! Functions of other libraries that are something else here, where the program has none of that name.

use super::shape::lacks_arrow;
use super::written;
use crate::ast;

/// What reduces elsewhere, and what does here.
const REDUCERS: [(&str, &str); 11] = [
    ("sum", "+="),
    ("prod", "*="),
    ("product", "*="),
    ("any", "||="),
    ("all", "&&="),
    ("maximum", "<<max>>="),
    ("minimum", "<<min>>="),
    ("plus", "+="),
    ("add", "+="),
    ("times", "*="),
    ("mul", "*="),
];

/// What gives the place of the greatest or least elsewhere, what reduces so here, and from where.
const PLACES: [(&str, &str, &str); 2] =
    [("argmax", "maxby", "f64::NEG_INFINITY"), ("argmin", "minby", "f64::INFINITY")];

/// What to say of functions that make an array of one value.
pub(super) const STARTS: &str = "a result is made by the kernel, and starts at its fill, which its type names, as in `..<f64, One>`: leave this out";

/// What holds the entries of sparse matrices elsewhere.
const STORED: [&str; 9] =
    ["indptr", "indices", "data", "rowptr", "colptr", "nzval", "rowval", "row_ptr", "col_idx"];

/// What is no reduction, as it is divided by how many there are when all are known.
const MEANS: [&str; 3] = ["mean", "avg", "average"];

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
    if let Some(place) = place(&text, "x[i]", "i") {
        return Some(format!(
            "{place}; a function of your own is written by its path, `<<self::{name}>>=`"
        ));
    }
    if MEANS.iter().any(|mean| name == mean) {
        return Some(format!("a mean is a sum that is divided when it is complete: write `+=`, and in a statement after it `m = sum / n`; a function of your own is written by its path, `<<self::{name}>>=`"));
    }
    let (_, here) = REDUCERS.iter().find(|(other, _)| name == other)?;
    Some(format!("no operator is called `{name}`: write `{here}`, or for a function of your own its path, `<<self::{name}>>=`"))
}

/// What to say of the call of `op` on `args`, where a name alone is a tensor if it `is_tensor`.
pub fn call(
    op: &ast::OpRef,
    args: &[ast::Expr],
    is_tensor: &dyn Fn(&proc_macro2::Ident) -> bool,
) -> Option<String> {
    let name = op.path.as_ref()?.get_ident()?;
    if let ("maximum" | "minimum" | "fmax" | "fmin", [_, _]) = (&*name.to_string(), args) {
        let own = if name.to_string().contains("max") { "max" } else { "min" };
        return Some(format!("the one of two values is `{own}(.., ..)`; a function of your own is called by its path, `self::{name}(..)`"));
    }
    if let ("delta" | "kronecker" | "eye", [i, j]) = (&*name.to_string(), args) {
        let (i, j) = (written(i).unwrap_or_default(), written(j).unwrap_or_default());
        return Some(format!("what is 1 on the diagonal alone is a condition: write `if {i} == {j} {{ .. }}` around the statement, or `({i} == {j}) * ..`; a function of your own is called by its path, `self::{name}(..)`"));
    }
    let other = match (&*name.to_string(), args) {
        ("hstack" | "vstack" | "concatenate" | "stack" | "cat" | "hcat" | "vcat", _) => Some(
            "tensors stand behind one another in `concat((a[i, k], b[i, l]), (k, l) -> j)`"
                .to_owned(),
        ),
        ("where" | "select" | "iif", [_, _, _]) => {
            Some("a choice is `ifelse(cond, a, b)`".to_owned())
        }
        ("clip", [x, lo, hi]) => written(x)
            .zip(written(lo))
            .zip(written(hi))
            .map(|((x, lo), hi)| format!("what cuts is `clamp({x}, {lo}, {hi})`")),
        ("norm", [ast::Expr::Name(x)]) if is_tensor(x) => Some(format!(
            "a norm is the root of a sum: write `s += {x}[i] * {x}[i]`, and `sqrt(s)` behind it"
        )),
        ("transpose" | "permutedims" | "adjoint", [ast::Expr::Name(x), ..]) if is_tensor(x) => {
            Some(format!("a transpose is read by its indices in the other order: write `t[j, i] = {x}[i, j]`"))
        }
        ("zeros" | "ones" | "zeros_like" | "ones_like" | "full", of)
            if of.iter().all(|e| matches!(e, ast::Expr::Name(_) | ast::Expr::Lit(..))) =>
        {
            Some(STARTS.to_owned())
        }
        ("dot" | "inner" | "vdot", [ast::Expr::Name(x), ast::Expr::Name(y)])
            if is_tensor(x) && is_tensor(y) =>
        {
            Some(format!("an inner product is a sum: write `s += {x}[i] * {y}[i]`"))
        }
        _ => None,
    };
    if let Some(write) = other {
        return Some(format!(
            "{write}; a function of your own is called by its path, `self::{name}(..)`"
        ));
    }
    if name == "log" && args.len() == 1 {
        return Some("the natural logarithm is `ln(x)`, and those to a base are `log2(x)` and `log10(x)`; a function of your own is called by its path, `self::log(..)`".to_owned());
    }
    let name = name.to_string();
    let (of, at) = match args.first() {
        Some(ast::Expr::Name(tensor)) => (format!("{tensor}[i]"), None),
        Some(e @ ast::Expr::Access { indices, .. }) => {
            let last = indices.last().and_then(|index| written(&index.expr));
            (written(e).unwrap_or_default(), last)
        }
        Some(e) => (written(e).unwrap_or_default(), None),
        None => ("x[i]".to_owned(), None),
    };
    match place(&name, &of, at.as_deref().unwrap_or("i")).or_else(|| whole(&name, args, is_tensor))
    {
        Some(write) => Some(format!(
            "{write}; a function of your own is called by its path, `self::{name}(..)`"
        )),
        None => lacks_arrow(op),
    }
}

/// What to write for the place of the greatest or least of `of`, whose coordinate is `at`, if that is what `name` gives elsewhere.
fn place(name: &str, of: &str, at: &str) -> Option<String> {
    let (_, here, start) = PLACES.iter().find(|(place, ..)| name == *place)?;
    Some(format!("the place of the best value is a reduction of pairs: declare `best: (f64, usize) = ({start}, 0)`, write `best <<{here}>>= ({of}, {at})`, and take `$(best.1)`"))
}

/// What to say of `name(arg)`, which is of a whole tensor elsewhere.
fn whole(
    name: &str,
    args: &[ast::Expr],
    is_tensor: &dyn Fn(&proc_macro2::Ident) -> bool,
) -> Option<String> {
    let (of, tensor) = match args {
        [ast::Expr::Name(tensor)] if is_tensor(tensor) => {
            (format!("{tensor}[i]"), tensor.to_string())
        }
        [e @ ast::Expr::Access { name, .. }] => (written(e)?, name.to_string()),
        _ => return None,
    };
    let size = format!("$({tensor}.shape()[0])");
    Some(match name {
        _ if MEANS.contains(&name) => format!("a mean is a sum: write `m += {of} / {size} as f64`"),
        "cumsum" | "cumulative_sum" => {
            format!("a sum so far is read while it grows: write `let mut s: f64; for i {{ s += {of}; y[i] = s }}`")
        }
        "nnz" | "count_nonzero" => {
            format!(
                "what is not zero is counted by a sum: write `n += {of} != 0`, into a whole number"
            )
        }
        "len" | "size" | "shape" => format!(
            "the size of `{tensor}` as a number is `{size}`, with `as f64` behind it among floats"
        ),
        _ => return None,
    })
}

/// What to say of `x.name`, and of `x.name(..)` if it is `called`.
pub(super) fn member(name: &str, called: bool) -> Option<String> {
    if !called && STORED.contains(&name) {
        return Some("how entries are stored is no matter of the program: go through those of a row by `for j { .. a[i, j] .. }`".to_owned());
    }
    if !called {
        return Some(format!("a field of an element is named in Rust: write `let e = x[i];`, and `$(e.{name})`; a tensor in a field is given as a parameter"));
    }
    let write = match name {
        "sum" => "a sum is a reduction: write `s += x[i]`",
        "prod" | "product" => "a product is a reduction: write `p *= x[i]`",
        "max" | "min" => return Some(format!("what is `.{name}()` of a tensor elsewhere is a reduction: write `m <<{name}>>= x[i]`; of two values it is `{name}(a, b)`")),
        "mean" => "a mean is a sum: write `m += x[i] / $(x.shape()[0]) as f64`",
        "argmax" | "argmin" => return place(name, "x[i]", "i"),
        "astype" | "cast" | "to" | "into" | "as_type" => "a conversion is written `x[i] as f64`",
        "push" | "append" | "extend" => {
            "a result has a size, and is written by its index: count in front, `let mut k: usize;`, and write `y[k] = x[i]; k += 1`"
        }
        "iter" | "map" | "filter" | "zip" | "for_each" | "enumerate" | "collect" | "fold" => {
            "a statement is of each element: write `y[i] = 2 * x[i]`, under a condition `if x[i] > 0 { .. }`, and for a sum `s += x[i]`"
        }
        "get" | "at" | "item" => "an element is `x[i]`",
        "par_iter" | "par_iter_mut" | "into_par_iter" => {
            "a loop runs in parallel by `parallel for i { .. }`"
        }
        "iter_mut" | "into_iter" => "a statement is of each element: write `y[i] = 2 * x[i]`",
        "dot" | "matmul" => "a product is a sum over what both share: write `c[i, j] += a[i, k] * b[k, j]`",
        "nnz" => "what is not zero is counted by a sum: write `n += x[i] != 0`, into a whole number",
        _ if crate::methods::Method::by_name(name).is_some() => {
            return Some(format!("a method is called as a function is: write `{name}(x[i])`"));
        }
        _ => return None,
    };
    Some(write.to_owned())
}
