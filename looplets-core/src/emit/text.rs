//! Terms as short text, for comments, logs and the stages of `explain!`.

use super::Reader;
use crate::cin::*;
use crate::decl::identity::shown;
use crate::decl::substitute;
use crate::kernel::*;
use crate::kir::{Kir, Piece};
use crate::opaque::Opaque;
use crate::runtime::Runtime;
use proc_macro2::TokenStream;
use std::collections::BTreeMap;

/// Whether every bracket in `text` has its other one in it.
fn matched(text: &str) -> bool {
    let mut open = 0;
    text.chars().all(|c| {
        open += i32::from(c == '(') - i32::from(c == ')');
        open >= 0
    })
}

impl Kernel {
    /// `e` as text.
    pub fn text(&self, e: &Expr) -> String {
        match e {
            Expr::Lit(Lit::Bool(b)) => b.to_string(),
            Expr::Lit(Lit::Int(n)) => n.to_string(),
            Expr::Lit(Lit::Float(bits)) => shortest(f64::from_bits(*bits)),
            Expr::Lit(Lit::Missing) => "missing".to_owned(),
            Expr::Var(v) => self.info(*v).name.clone(),
            Expr::Load(a, i) => format!("{}[{}]", self.arrays[a.0 as usize].name, self.text(i)),
            Expr::Array(a) => self.arrays[a.0 as usize].name.clone(),
            Expr::Access(a) => self.access_text(*a),
            Expr::Raw(r) => self.opaque_text(&self.raws[r.0 as usize]),
            Expr::Call(op, args) => {
                let args: Vec<String> = args.iter().map(|a| self.text(a)).collect();
                if let Op::Cast(ty) | Op::As(ty) = op {
                    return format!("({} as {})", args[0], ty.text());
                }
                if *op == Op::WrappingMul {
                    return format!("wrapping_mul({})", args.join(", "));
                }
                if *op == Op::Times {
                    return match args[0].as_str() {
                        "1" => args[1].clone(),
                        _ => format!("({})", args.join(" * ")),
                    };
                }
                if let Op::Fit(_) | Op::Own(_) = op {
                    return args.join("");
                }
                let (name, own) = (op.name(), matches!(op, Op::Function(_)));
                if !own && name.chars().all(|c| !c.is_alphanumeric()) && args.len() > 1 {
                    return format!("({})", args.join(&format!(" {name} ")));
                }
                // A helper is shown by the name that its declaration has for it.
                let helper = self.functions.get(&*name).and_then(|f| f.shown.as_ref());
                let name = helper.map_or_else(|| shown(&name), ToString::to_string);
                let last = name.trim_end_matches(':').rsplit(':').next().unwrap_or("").trim();
                format!("{last}({})", args.join(", "))
            }
        }
    }

    /// `e` as messages show it: by the names that a program has for its indices and for sizes.
    pub fn told(&self, e: &Expr) -> String {
        let text = self.text(e);
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        for (n, var) in self.vars.iter().enumerate() {
            let called = self.called(VarId(n as u32));
            if called != var.name {
                names.insert(var.name.clone(), called);
            }
        }
        for tensor in &self.tensors {
            for (d, len) in tensor.lens.iter().enumerate() {
                let (of, d) = tensor.called(d);
                names.insert(self.info(*len).name.clone(), format!("{of}.shape()[{d}]"));
            }
        }
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let mut out = String::new();
        let mut rest = text.as_str();
        while let Some(c) = rest.chars().next() {
            let end = match word(c) {
                true => rest.find(|c| !word(c)).unwrap_or(rest.len()),
                false => c.len_utf8(),
            };
            let (one, behind) = rest.split_at(end);
            out += names.get(one).map_or(one, String::as_str);
            rest = behind;
        }
        match out.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
            // The brackets of one operator, and not of its first operand and its last.
            Some(inner) if matched(inner) => inner.to_owned(),
            _ => out,
        }
    }

    fn opaque_text(&self, raw: &Raw) -> String {
        match &raw.code {
            Opaque::Rust(tokens) => {
                let parsed = |e: &Expr| self.text(e).parse::<TokenStream>().ok();
                let names = raw.names.iter().filter_map(|(n, e)| Some((n.clone(), parsed(e)?)));
                substitute(tokens.clone(), &names.collect::<Vec<_>>()).to_string()
            }
            Opaque::Declared(code) => self.declared(code, Reader::Rustc).to_string(),
            Opaque::Runtime(runtime) => {
                let args: Vec<String> = raw.names.iter().map(|(_, e)| self.text(e)).collect();
                format!("{}({})", runtime.name(), args.join(", "))
            }
        }
    }

    /// `A[i, j]`, with the looplet an unfurled access has.
    pub fn access_text(&self, id: AccessId) -> String {
        let access = self.get(id);
        let name = &self.tensor(access.tensor).name;
        let mut indices: Vec<String> = access
            .indices
            .iter()
            .map(|i| {
                let base = match &i.kind {
                    IndexKind::Affine(v, _) | IndexKind::Digit(v, _) => {
                        self.text(&i.coordinate(&Expr::Var(*v)))
                    }
                    IndexKind::Opaque(e) => self.text(e),
                };
                let base = match i.view.may_be_missing() {
                    false => base,
                    true => format!("permit[{base}]"),
                };
                match &i.protocol {
                    Some(p) => format!("{base}::{p}"),
                    None => base,
                }
            })
            .collect();
        if self.tensor(access.tensor).chain.by_columns {
            indices.reverse();
        }
        let at =
            if access.level > 0 { format!("({})", self.text(&access.pos)) } else { String::new() };
        let looplet = match &access.unfurled {
            Some(u) => format!(" as {:?}", u.nest.kind()),
            None => String::new(),
        };
        format!("{name}{at}[{}]{looplet}", indices.join(", "))
    }

    /// A statement as indented text.
    pub fn stmt_text(&self, s: &Stmt, indent: usize) -> String {
        let pad = "  ".repeat(indent);
        match s {
            Stmt::Loop { index, parallel, lo, hi, body } => format!(
                "{pad}{}for {} in {}..{}\n{}",
                if *parallel { "parallel " } else { "" },
                self.info(*index).name,
                self.text(lo),
                self.text(hi),
                self.stmt_text(body, indent + 1)
            ),
            Stmt::Assign { target, op, value } => {
                let op = reduction(op.as_ref());
                format!("{pad}{} {op}= {}\n", self.text(target), self.text(value))
            }
            Stmt::Sieve { cond, then, otherwise } => {
                let mut out =
                    format!("{pad}if {}\n{}", self.text(cond), self.stmt_text(then, indent + 1));
                if **otherwise != Stmt::Pass {
                    out += &format!("{pad}else\n{}", self.stmt_text(otherwise, indent + 1));
                }
                out
            }
            Stmt::Seq(all) => all.iter().map(|s| self.stmt_text(s, indent)).collect(),
            Stmt::Where { consumer, producer, local } => {
                let declared = |t: &TensorId| {
                    let tensor = self.tensor(*t);
                    let levels: Vec<String> =
                        tensor.levels.iter().map(|l| l.format.level().name.to_string()).collect();
                    format!("{}: {}", tensor.name, levels.join(" of "))
                };
                let names: Vec<String> = local.iter().map(declared).collect();
                format!(
                    "{pad}where {}\n{}{pad}do\n{}",
                    names.join(", "),
                    self.stmt_text(producer, indent + 1),
                    self.stmt_text(consumer, indent + 1)
                )
            }
            Stmt::Let { var, value, body } => {
                format!(
                    "{pad}let {} = {}\n{}",
                    self.info(*var).name,
                    self.text(value),
                    self.stmt_text(body, indent)
                )
            }
            Stmt::Pass => format!("{pad}pass\n"),
        }
    }

    /// Kernel IR as indented text, which says all that a pass reads of it: what is bound by `let` is a coordinate or
    /// a position unless a type stands there, and a scalar of the program is overwritten by `store`.
    pub fn code_text(&self, code: &[Kir], indent: usize) -> String {
        let pad = "  ".repeat(indent);
        let block = |b: &[Kir]| self.code_text(b, indent + 1);
        let var = |v: &VarId| self.info(*v).name.clone();
        let of = |(t, level): (TensorId, usize)| format!("{}.{level}", self.tensor(t).name);
        let array = |a: &ArrayId| self.arrays[a.0 as usize].name.clone();
        let names = |all: &[ArrayId]| all.iter().map(array).collect::<Vec<_>>().join(", ");
        let part = |name: &str, b: &[Kir]| match b {
            [] => String::new(),
            b => format!("{pad}  {name}\n{}", self.code_text(b, indent + 2)),
        };
        let one = |k: &Kir| match k {
            Kir::Comment(text) => format!("{pad}// {text}\n"),
            Kir::Let { var: v, mutable, value } => {
                let mutable = if *mutable { "mut " } else { "" };
                let ty = match &self.info(*v).ty {
                    Ty::Index => String::new(),
                    ty => format!(": {}", ty.text()),
                };
                format!("{pad}let {mutable}{}{ty} = {}\n", var(v), self.text(value))
            }
            Kir::Set { var: v, value } => format!("{pad}{} = {}\n", var(v), self.text(value)),
            Kir::Store { target, op, value } => {
                let plain = matches!((target, op), (Expr::Var(_), None));
                let store = if plain { "store " } else { "" };
                let (target, value) = (self.text(target), self.text(value));
                format!("{pad}{store}{target} {}= {value}\n", reduction(op.as_ref()))
            }
            Kir::For { var: v, lo, hi, body } => {
                let (lo, hi) = (self.text(lo), self.text(hi));
                format!("{pad}for {} in {lo}..{hi}\n{}", var(v), block(body))
            }
            Kir::While { cond, body } => format!("{pad}while {}\n{}", self.text(cond), block(body)),
            Kir::If { cond, then, otherwise } => {
                let mut out = format!("{pad}if {}\n{}", self.text(cond), block(then));
                if !otherwise.is_empty() {
                    out += &format!("{pad}else\n{}", block(otherwise));
                }
                out
            }
            Kir::Parallel(p) => {
                let bounds = format!("{}..{}", self.text(&p.lo), self.text(&p.hi));
                let (index, from, to) = (var(&p.index), var(&p.from), var(&p.to));
                let head = format!("{pad}parallel {index}: {from}..{to} in {bounds}\n");
                let pieces =
                    p.pieces.iter().map(|piece| format!("{pad}  {}\n", self.piece_text(piece)));
                [head, pieces.collect(), block(&p.body)].concat()
            }
            Kir::Block(body) => format!("{pad}block\n{}", block(body)),
            Kir::Labeled(label, body) => format!("{pad}exit {label} of\n{}", block(body)),
            Kir::Break(label) => format!("{pad}break {label}\n"),
            Kir::Take(t) => format!("{pad}take {}\n", self.tensor(*t).name),
            Kir::Code(r) => match &self.raws[r.0 as usize] {
                Raw { code: Opaque::Runtime(Runtime::OnStack { of, count }), names, .. } => {
                    let (array, of) = (self.text(&names[0].1), &self.tensor(*of).name);
                    format!("{pad}stack {array}: {count} of {of}\n")
                }
                _ => format!("{pad}code {}\n", self.text(&Expr::Raw(*r))),
            },
            Kir::Begin(b) => {
                let flag = b.written.as_ref().map_or(String::new(), |v| format!(" if {}", var(v)));
                let found = b.found.as_ref().map_or(String::new(), |v| format!(" or {}", var(v)));
                let (at, position) = (var(&b.at), self.text(&b.position));
                let head = format!("{pad}begin {}{flag}{found}: {at} = {position}\n", of(b.of));
                [head, part("room", &b.room), part("open", &b.open)].concat()
            }
            Kir::Commit(c) => {
                let each = c.each.as_ref().map_or(String::new(), |each| {
                    let element =
                        |(a, e): &(ArrayId, Expr)| format!("{} = {}", array(a), self.text(e));
                    let mut all: Vec<String> = each.elements.iter().map(element).collect();
                    all.extend(each.values.iter().map(array));
                    let run = each.run.as_ref().map_or(String::new(), |run| {
                        let (first, end) = (self.text(&run.first), self.text(&run.end));
                        let gap = run.gap.as_ref().map_or(String::new(), |gap| {
                            let gap: Vec<String> = gap.iter().map(element).collect();
                            format!(" gap {}", gap.join(", "))
                        });
                        format!(" run {first}..{end} begins {}{gap}", names(&run.begins))
                    });
                    format!(" each {}{run}", all.join(", "))
                });
                let one = |(a, e): &(ArrayId, Expr)| format!(" {} = {}", array(a), self.text(e));
                let shared = match &c.shared[..] {
                    [] => String::new(),
                    all => format!(" shared{}", all.iter().map(one).collect::<Vec<_>>().join(",")),
                };
                let note = c.each.as_ref().and_then(|each| each.note.as_ref());
                let note = note.map_or(String::new(), |(q, code)| {
                    format!("{pad}  note {}\n{}", var(q), self.code_text(code, indent + 2))
                });
                format!("{pad}commit {}{each}{shared}\n{note}{}", of(c.of), block(&c.code))
            }
            Kir::GiveBack(g) => {
                let at = self.text(&g.at);
                format!("{pad}give back {}: {} from {at}\n", of(g.of), names(&g.arrays))
            }
            Kir::Room { of: level, arrays, capacity, count, first } => {
                let (capacity, count, first) = (var(capacity), var(count), self.text(first));
                let (level, arrays) = (of(*level), names(arrays));
                format!("{pad}room of {level}: {arrays} for {capacity}, {count} = {first}\n")
            }
            Kir::PutRun(run) => {
                let one = |(a, e): &(ArrayId, Expr)| format!("{} = {}", array(a), self.text(e));
                let all =
                    |of: &[(ArrayId, Expr)]| of.iter().map(one).collect::<Vec<_>>().join(", ");
                let (count, joined) = (var(&run.count), self.text(&run.joined));
                let (begins, others) = (all(&run.begins), all(&run.others));
                format!("{pad}put run {count} joined {joined} begins {begins} others {others}\n")
            }
            Kir::CopyRow(row) => {
                let place = |(a, at): &(ArrayId, Expr)| format!("{}[{}]", array(a), self.text(at));
                let (to, from, count) = (place(&row.to), place(&row.from), self.text(&row.count));
                format!("{pad}copy {count} to {to} from {from}\n")
            }
            Kir::Put { array: a, at, value } => {
                format!("{pad}put {}[{}] = {}\n", array(a), self.text(at), self.text(value))
            }
            Kir::Written { of: level, array: a, count, body } => {
                let (level, a, count) = (of(*level), array(a), var(count));
                format!("{pad}put all of {level}: {a} of {count}\n{}", block(body))
            }
            Kir::Filled { arrays, count } => {
                format!("{pad}filled {}: {}\n", names(arrays), var(count))
            }
        };
        code.iter().map(one).collect()
    }

    /// What a chunk of a parallel region has of its own.
    fn piece_text(&self, piece: &Piece) -> String {
        let tensor = |t: &TensorId| self.tensor(*t).name.to_string();
        let var = |v: &VarId| self.info(*v).name.clone();
        let array = |a: &ArrayId| self.arrays[a.0 as usize].name.clone();
        match piece {
            Piece::Part { whole, part } => format!("part {} of {}", tensor(part), tensor(whole)),
            Piece::Made { whole, part, moved } => {
                let moved = if *moved { " moved" } else { "" };
                format!("made {} of {}{moved}", tensor(part), tensor(whole))
            }
            Piece::Copy { array: a, part, at, op, identity } => {
                let (copy, op, from) = (array(part), op.name(), self.text(identity));
                format!("copy {copy} of {} by {op} from {from} at {}", array(a), var(at))
            }
            Piece::Scalar { var: v, part, op } => {
                format!("scalar {} of {} by {}", var(part), var(v), op.name())
            }
        }
    }
}

/// What stands before the `=` of an assignment that reduces by `op`.
fn reduction(op: Option<&Op>) -> String {
    op.map_or(String::new(), |op| match op.name() {
        name if name.chars().any(char::is_alphanumeric) => format!("<<{}>>", shown(&name)),
        name => name.into_owned(),
    })
}

/// The digits of a float: of one that an `f32` has, no more than tell it from its neighbours there.
fn shortest(x: f64) -> String {
    match x as f32 {
        narrow if f64::from(narrow) == x => format!("{narrow:?}"),
        _ => format!("{x:?}"),
    }
}
