//! Values as they travel between the page and the compiler: nested arrays in, flat ones out. Numbers that JSON has not, `inf`,
//! `nan` and `-0`, are strings, and what is not stored is `null`.

use crate::dense::Dense;
use crate::value::Val;
use looplets_core::kernel::{Tensor, Ty};
use serde_json::Value;

/// A scalar of type `ty`.
pub fn scalar(value: &Value, ty: &Ty) -> Result<Val, String> {
    let text = match value {
        Value::Bool(b) => return Val::Bool(*b).to(ty),
        Value::Number(n) => n.to_string(),
        Value::String(s) => s.trim().to_owned(),
        other => return Err(format!("`{other}` is no number")),
    };
    let float = || match text.to_lowercase().as_str() {
        "inf" | "+inf" | "infinity" | "∞" => Some(f64::INFINITY),
        "-inf" | "-infinity" | "-∞" => Some(f64::NEG_INFINITY),
        "nan" => Some(f64::NAN),
        text => text.parse().ok(),
    };
    let number = match (ty, text.parse::<i128>()) {
        (Ty::Bool, Ok(n @ (0 | 1))) => Some(Val::Bool(n == 1)),
        (ty, Ok(n)) if !ty.is_float() && *ty != Ty::Bool => Some(Val::Int(n)),
        _ => match (text.as_str(), ty) {
            ("true", Ty::Bool) => Some(Val::Bool(true)),
            ("false", Ty::Bool) => Some(Val::Bool(false)),
            _ if ty.is_float() => float().map(Val::Float),
            _ => None,
        },
    };
    number.ok_or_else(|| format!("`{text}` is no `{}`", ty.text()))?.to(ty)
}

/// A tensor of these elements, stored as its levels store them; `fill` stands where nothing is.
pub fn tensor(value: &Value, tensor: &Tensor, fill: &Val) -> Result<Dense, String> {
    let name = tensor.name.to_string();
    let rank = tensor.lens.len();
    let mut shape = vec![0; rank];
    let mut one = value;
    for size in &mut shape {
        let Some(all) = one.as_array() else {
            return Err(format!("`{name}` has {rank} dimensions: give arrays in arrays"));
        };
        *size = all.len();
        match all.first() {
            Some(first) => one = first,
            None => break,
        }
    }
    let mut dense = Dense::filled(shape.clone(), fill, false)?;
    let valued = tensor.levels.last().is_some_and(|leaf| !leaf.fields.is_empty());
    let mut flat = Vec::new();
    flatten(value, &shape, &name, &mut flat)?;
    for (place, given) in flat.into_iter().enumerate() {
        if given.is_null() {
            continue;
        }
        let val = scalar(given, &tensor.value).map_err(|why| format!("in `{name}`: {why}"))?;
        // A leaf without values has entries that are stored and no others.
        if !valued && !val.truth() {
            continue;
        }
        dense.data[place] = val;
        dense.stored[place] = true;
    }
    // From here on dimensions are as levels have them.
    if tensor.chain.by_columns {
        dense = dense.turned();
    }
    if let Some(why) = dense.misfit(tensor) {
        return Err(format!("`{name}`: {why}"));
    }
    dense.close(tensor);
    Ok(dense)
}

fn flatten<'a>(
    value: &'a Value,
    shape: &[usize],
    name: &str,
    out: &mut Vec<&'a Value>,
) -> Result<(), String> {
    let Some((size, rest)) = shape.split_first() else {
        out.push(value);
        return Ok(());
    };
    let all = value.as_array().filter(|all| all.len() == *size);
    let all = all.ok_or_else(|| format!("the rows of `{name}` have different lengths"))?;
    all.iter().try_for_each(|v| flatten(v, rest, name, out))
}

/// A value as people read it.
pub fn text(val: &Val) -> String {
    match val {
        Val::Missing => "missing".to_owned(),
        Val::Bool(b) => b.to_string(),
        Val::Int(n) => n.to_string(),
        Val::Float(x) if x.is_nan() => "nan".to_owned(),
        Val::Float(x) if x.is_infinite() => if *x > 0.0 { "inf" } else { "-inf" }.to_owned(),
        Val::Float(x) if *x != 0.0 && !(1e-5..1e16).contains(&x.abs()) => format!("{x:e}"),
        Val::Float(x) => x.to_string(),
        Val::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(text).collect();
            format!("({})", parts.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_what_is_typed() {
        let f64 = Ty::named("f64");
        for x in ["-0", "inf", "-inf", "nan", "0.1", "5e-324", "1.7976931348623157e308", "7"] {
            let value = scalar(&json!(x), &f64).unwrap();
            let again = scalar(&json!(text(&value)), &f64).unwrap();
            assert!(value.identical(&again), "{x}");
        }
        assert!(scalar(&json!("-0"), &f64).unwrap().identical(&Val::Float(-0.0)));
        assert_eq!(scalar(&json!(1), &Ty::Bool), Ok(Val::Bool(true)));
        assert!(scalar(&json!("2"), &Ty::Bool).is_err());
        assert!(scalar(&json!("0.5"), &Ty::named("i64")).is_err());
        assert!(scalar(&json!(300), &Ty::named("u8")).is_err());
        assert!(scalar(&json!("x"), &f64).is_err());
    }
}
