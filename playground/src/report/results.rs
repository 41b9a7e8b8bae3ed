//! What a program gives on the tensors of the page.

use crate::data;
use crate::dense::Dense;
use crate::eval::{short_name, Eval, Given, Stop};
use crate::library::{self, Own};
use crate::place::place;
use crate::rust::Functions;
use crate::value::Val;
use looplets_core::ast::Passing;
use looplets_core::decl::Decl;
use looplets_core::kernel::{Kernel, ParamIs};
use serde_json::{json, Value};
use std::collections::HashMap;
use std::rc::Rc;

/// `{"values": [..]}`, or `{"error", "at"}` if there is none.
pub fn results(kernel: &Kernel, own: &Own, inputs: &Value, source: &str) -> Value {
    match run(kernel, own, inputs) {
        Ok(values) => json!({ "values": values }),
        Err(Stop { message, at }) => {
            json!({ "error": message, "at": at.and_then(|span| place(span, source)) })
        }
    }
}

fn run(kernel: &Kernel, own: &Own, inputs: &Value) -> Result<Vec<Value>, Stop> {
    let (mut operators, mut functions) = (HashMap::new(), Functions::new());
    for name in kernel.functions.keys() {
        gather(short_name(name), own, &mut operators, &mut functions);
    }
    // Functions call each other, and are few.
    for name in own.keys() {
        gather(name, own, &mut operators, &mut functions);
    }
    let mut eval = Eval::new(kernel, &functions, operators);
    for (name, passing, _, is) in &kernel.params {
        let name = name.to_string();
        let given = inputs.get(&name);
        match is {
            ParamIs::Tensor(t) => {
                let given = given.ok_or_else(|| format!("give a value for `{name}`"))?;
                let fill = eval.fill(*t)?;
                let dense = data::tensor(given, kernel.tensor(*t), &fill)?;
                eval.tensor(*t, dense);
            }
            ParamIs::Scalar(v) if *passing != Passing::Made => {
                let ty = &kernel.info(*v).ty;
                let val = match given {
                    Some(given) => {
                        data::scalar(given, ty).map_err(|why| format!("`{name}`: {why}"))?
                    }
                    None if kernel.steps == Some(*v) => Val::Int(0),
                    None => return Err(format!("give a value for `{name}`").into()),
                };
                eval.scalar(*v, val)?;
            }
            ParamIs::Scalar(_) | ParamIs::Memory => {}
        }
    }
    let mut out = Vec::new();
    for (name, given) in eval.run()? {
        out.push(match given {
            Given::Scalar(val) => json!({ "name": shown(&name), "scalar": data::text(&val) }),
            Given::Tensor(Dense { shape, data, stored }) => {
                let data: Vec<String> = data.iter().map(data::text).collect();
                json!({ "name": name, "shape": shape, "data": data, "stored": stored })
            }
        });
    }
    Ok(out)
}

/// A result without a name is the kernel's own.
fn shown(name: &str) -> &str {
    if name == looplets_core::ast::RESULT {
        "result"
    } else {
        name
    }
}

fn gather(
    name: &str,
    own: &Own,
    operators: &mut HashMap<String, Rc<Decl>>,
    functions: &mut Functions,
) {
    let Some(decl) = library::declaration(name, own) else { return };
    if let Decl::Operator(operator) = &*decl {
        if let Ok(function) = syn::parse2(operator.item.clone()) {
            functions.insert(name.to_owned(), function);
        }
        operators.insert(name.to_owned(), decl);
    }
}
