//! The samples of the page, evaluated and compiled: what the page says a program gives is what its kernel gives, also of
//! zeros of either sign, infinities and NaN, and where a zero is stored.

use looplets::conformance::Hostile;
use looplets::prelude::*;
use serde_json::{json, Map, Value};

/// The kernels of the samples, a module each.
#[allow(missing_docs)]
mod kernels {
    include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
}

/// A number as it travels.
trait Number: Copy + looplets::Value + Hostile {
    fn read(text: &str) -> Self;
    fn text(self) -> String;
}
macro_rules! number {
    ($($t:ty)*) => {$(
        impl Number for $t {
            fn read(text: &str) -> Self {
                match text {
                    "1" if stringify!($t) == "bool" => "true".parse().ok().unwrap(),
                    "0" if stringify!($t) == "bool" => "false".parse().ok().unwrap(),
                    text => text.parse().ok().unwrap_or_else(|| panic!("{text}")),
                }
            }
            fn text(self) -> String {
                format!("{self}").to_lowercase()
            }
        }
    )*};
}
number!(f64 u64 bool);

fn text_of(value: &Value) -> String {
    match value {
        Value::String(s) => s.clone(),
        other => other.to_string(),
    }
}

/// What is given as a parameter of a kernel.
trait Given {
    fn given(value: &Value) -> Self;
}
impl Given for f64 {
    fn given(value: &Value) -> f64 {
        f64::read(&text_of(value))
    }
}
impl<L: Level> Given for Tensor<L>
where
    L::Value: Number,
{
    fn given(value: &Value) -> Tensor<L> {
        let (mut shape, mut entries) = (Vec::new(), Vec::new());
        let mut one = value;
        while let Some(all) = one.as_array() {
            shape.push(all.len());
            one = all.first().unwrap_or(&Value::Null);
        }
        gather(value, &mut Vec::new(), &mut entries);
        Tensor::from_triplets(shape.as_slice(), entries, Refuse).expect("it can be stored")
    }
}
fn gather<T: Number>(value: &Value, at: &mut Vec<usize>, out: &mut Vec<(Vec<usize>, T)>) {
    match value {
        Value::Array(all) => {
            for (i, v) in all.iter().enumerate() {
                at.push(i);
                gather(v, at, out);
                at.pop();
            }
        }
        Value::Null => {}
        v => out.push((at.clone(), T::read(&text_of(v)))),
    }
}

/// What a kernel gives, as the page shows it.
trait Shown {
    fn shown(&self) -> Value;
}
impl Shown for f64 {
    fn shown(&self) -> Value {
        json!([self.text()])
    }
}
impl Shown for u64 {
    fn shown(&self) -> Value {
        json!([self.text()])
    }
}
impl<L: Level> Shown for Tensor<L>
where
    L::Value: Number,
{
    fn shown(&self) -> Value {
        self.to_dense().into_iter().map(Number::text).collect::<Vec<_>>().into()
    }
}

/// The samples by name.
fn samples() -> Map<String, Value> {
    let start: Value =
        serde_json::from_str(&looplets_playground::answer(r#"{"ask": "start"}"#)).unwrap();
    let all = start["samples"].as_array().unwrap().clone();
    all.into_iter().map(|s| (s["name"].as_str().unwrap().to_owned(), s)).collect()
}

/// Inputs like `value`: floats are hostile, and what is stored is or is not. Sums of these are exact, in whatever order.
fn hostile(value: &Value, seed: &mut fastrand::Rng, floats: bool) -> Value {
    const FLOATS: [&str; 12] =
        ["0", "-0", "1", "-1", "0.125", "-2.5", "inf", "-inf", "nan", "5e-324", "65536", "3"];
    match value {
        Value::Array(all) => all.iter().map(|v| hostile(v, seed, floats)).collect(),
        _ if floats => match seed.u32(0..10) {
            0..4 => Value::Null,
            4..7 => json!(FLOATS[seed.usize(2..6)]),
            _ => json!(FLOATS[seed.usize(..FLOATS.len())]),
        },
        _ => {
            if seed.bool() {
                Value::Null
            } else {
                json!(1)
            }
        }
    }
}

/// Whether the texts are of one number; sums of floats may differ in the last digits.
fn same(page: &Value, kernel: &Value) -> bool {
    let (a, b) = (text_of(page), text_of(kernel));
    if a == b {
        return true;
    }
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(x), Ok(y)) if x != 0.0 => x == y || (x - y).abs() <= 1e-14 * x.abs(),
        (Ok(x), Ok(y)) => x == y && x.is_sign_negative() == y.is_sign_negative(),
        _ => false,
    }
}

fn compare(program: &str, inputs: &Value, kernel: &[Value]) {
    let question = json!({ "ask": "program", "program": program, "inputs": inputs });
    let told: Value =
        serde_json::from_str(&looplets_playground::answer(&question.to_string())).unwrap();
    assert_eq!(told["ok"], true, "{program}\n{}", told["errors"]);
    let values = told["results"]["values"].as_array();
    let values = values.unwrap_or_else(|| panic!("{program}\n{inputs}\n{}", told["results"]));
    assert_eq!(values.len(), kernel.len());
    for (page, kernel) in values.iter().zip(kernel) {
        let data = match page.get("scalar") {
            Some(scalar) => json!([scalar]),
            None => page["data"].clone(),
        };
        let (page, kernel) = (data.as_array().unwrap(), kernel.as_array().unwrap());
        let agree = page.len() == kernel.len() && page.iter().zip(kernel).all(|(a, b)| same(a, b));
        assert!(agree, "the page says {page:?}\nthe kernel {kernel:?}\nof {inputs}\n{program}");
    }
}

/// Runs a sample both ways: `name(parameter: type, ..)`, with what the kernel makes of its parameters.
macro_rules! agree {
    ($($name:ident ( $($param:ident: $ty:ty),* ) => $run:expr;)*) => {$(
        #[test]
        fn $name() {
            let sample = &samples()[stringify!($name)];
            let program = sample["program"].as_str().unwrap();
            let floats = !program.contains("u64>") && !program.contains("Pattern") && !program.contains("bool")
                && !program.contains("Graph");
            let mut seed = fastrand::Rng::with_seed(7);
            for round in 0..12 {
                let mut inputs = sample["inputs"].clone();
                if round > 0 && stringify!($name) != "gcd" {
                    for (_, value) in inputs.as_object_mut().unwrap() {
                        if value.is_array() {
                            *value = hostile(value, &mut seed, floats);
                        }
                    }
                }
                let kernel = (|$($param: $ty),*| -> Vec<Value> {
                    use kernels::$name as k;
                    $run
                })($(Given::given(&inputs[stringify!($param)])),*);
                compare(program, &inputs, &kernel);
            }
        }
    )*};
}

type Rows<L> = Tensor<Dense<L>>;

agree! {
    spmv(a: Csr<f64>, x: DenseVec<f64>) => vec![k::spmv(&a, &x).shown()];
    spmspv(a: Csr<f64>, x: SparseVec<f64>) => vec![k::spmspv(&a, &x).shown()];
    triangles(a: Graph) => vec![k::triangles(&a).shown()];
    all_pairs(a: Rows<SparseBlockList<Element<f64>>>) => vec![k::all_pairs(&a).shown()];
    erosion(x: Rows<RunList<Element<bool>>>) => vec![k::erosion(&x).shown()];
    convolution(a: SparseVec<f64>, f: DenseVec<f64>) => vec![k::convolution(&a, &f).shown()];
    xor(a: Rows<SparseList<Pattern>>, b: Rows<SparseList<Pattern>>, m: Rows<Bitmap<Pattern>>) => vec![k::differ(&a, &b, &m).shown()];
    gcd(a: SparseVec<u64>, b: SparseVec<u64>) => vec![k::both(&a, &b).shown()];
    fill(a: Csr<f64>) => vec![k::growth(&a).shown()];
    concat(a: SparseVec<f64>, b: Tensor<RunList<Element<f64>>>, w: DenseVec<f64>) => vec![k::joined(&a, &b, &w).shown()];
    collapse(a: Dcsr<f64>) => vec![k::flat(&a).shown()];
    slice(a: SparseVec<f64>) => vec![k::parts(&a).shown()];
    reshape(a: Csr<f64>) => vec![k::reshaped(&a).shown()];
    blend(b: Rows<RunList<Element<f64>>>, c: Rows<RunList<Element<f64>>>, alpha: f64) => vec![k::blend(&b, &c, alpha).shown()];
    min_plus(a: Rows<SparseList<Element<f64, Inf>>>, d: Tensor<SparseList<Element<f64, Inf>>>) => vec![k::relax(&a, &d).shown()];
    btree(a: Rows<BTree<Element<f64>>>, r: DenseVec<f64>, d: f64) => vec![k::pagerank_step(&a, &r, d).shown()];
    remove(a: Rows<LinkedList<Element<f64>>>, least: f64) => {
        let mut a = a;
        k::drop_small(&mut a, least);
        vec![a.shown()]
    };
}

#[test]
fn own_format() {
    use kernels::own_format::{dot, Point};
    let sample = &samples()["own_format"];
    let a = Tensor::from_parts(Point::new(5, vec![3], Element::new(vec![2.0]))).unwrap();
    let b = Given::given(&sample["inputs"]["b"]);
    compare(sample["program"].as_str().unwrap(), &sample["inputs"], &[dot(&a, &b).shown()]);
}

#[test]
fn every_sample_is_among_these() {
    let text = include_str!("samples.rs");
    let missing: Vec<_> = samples()
        .into_iter()
        .filter(|(name, _)| !text.contains(&format!("    {name}(")) && name != "own_format")
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
