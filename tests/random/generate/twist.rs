//! What must not change a result: the same kernel with other formats, protocols, loops and forms.

use super::flavor::Flavor;
use super::formats::{Format, Holds, Level, Write, DENSE, LEVELS};
use super::{Dim, Gen, Range, Role, Stmt, Tensor};
use fastrand::Rng;
use std::collections::HashMap;

/// The changes of a kernel.
pub struct Twist {
    rng: Rng,
    /// Tensors in other formats.
    pub formats: HashMap<String, Format>,
    /// Tensors whose dimensions are the other way round, stored by columns.
    pub by_columns: Vec<String>,
    /// Types of elements have other names, so that the compiler does not know them.
    pub renamed: bool,
    /// Results in old memory are in new memory, and the other way round.
    pub memory: bool,
    /// The function returns a `Result`, or does not.
    pub fallible: bool,
    /// Code without `unsafe`, or with it.
    pub safe: bool,
    /// Loops that are parallel.
    pub parallel: Vec<usize>,
    /// The outermost loops that run in two parts.
    pub split: Vec<usize>,
    /// Loops around one statement are left out.
    pub left_out: bool,
    exchange: bool,
    moved: bool,
    plain: bool,
}

impl Twist {
    pub fn new(g: &Gen<'_>, body: &[Stmt], mut rng: Rng) -> Twist {
        let mut half = || rng.bool();
        let [memory, fallible, safe, exchange, moved, plain, formats, parallel, split, left_out] =
            std::array::from_fn(|_| half());
        let outermost =
            || body.iter().filter_map(|s| if let Stmt::For(v, _) = s { Some(*v) } else { None });
        let split: Vec<usize> = match split {
            true => outermost()
                .filter(|v| g.separable.contains(v) && !g.undivided.contains(v))
                .filter(|v| g.loops[*v].range == Range::Whole)
                .collect(),
            false => Vec::new(),
        };
        let parallel: Vec<usize> = match parallel {
            true => outermost()
                .filter(|v| g.independent.contains(v) && !g.parallel.contains(v))
                .collect(),
            false => g.parallel.clone(),
        };
        // A zero that is not stored times an infinite fill is 0, one that is stored is NaN.
        let infinite = |t: &Tensor| t.format.as_ref().is_some_and(|f| f.leaf.text.contains("Inf"));
        let gathered = g.flavor == Flavor::Gathered;
        let kept = gathered || !g.strict && g.tensors.iter().any(infinite);
        let formats = if formats && !kept { others(g, &mut rng) } else { HashMap::new() };
        // What is put together from parts is written by one loop alone, and not every format is.
        let result = |t: &Tensor| t.role != Role::Input && formats.contains_key(&t.name);
        let whole = g.tensors.iter().any(result);
        let parallel = parallel.into_iter().filter(|v| !whole && !split.contains(v)).collect();
        let sided =
            |t: &&Tensor| t.role != Role::Workspace && t.format.is_some() && t.dims.len() > 1;
        let by_columns: Vec<String> = match rng.bool() {
            true => {
                let all = g.tensors.iter().filter(sided).filter(|_| rng.bool());
                all.map(|t| t.name.clone()).collect()
            }
            false => Vec::new(),
        };
        let renamed = rng.u32(0..3) == 0;
        Twist {
            rng,
            formats,
            by_columns,
            renamed,
            memory,
            fallible,
            safe,
            parallel,
            split,
            left_out,
            exchange,
            moved,
            plain,
        }
    }

    /// A line of the kernel.
    pub fn line(&mut self, g: &mut Gen<'_>, line: &str) -> String {
        let mut text = line.to_owned();
        if self.plain || !self.formats.is_empty() {
            for protocol in ["walk", "follow", "gallop", "lead"] {
                text = text.replace(&format!("::{protocol}"), "");
            }
        }
        if self.moved {
            text = self.through(g, &text);
        }
        if self.exchange {
            text = self.exchanged(&text);
        }
        for name in &self.by_columns {
            text = turned(&text, name);
        }
        text
    }

    /// Reads of inputs through a modifier and back.
    fn through(&mut self, g: &mut Gen<'_>, text: &str) -> String {
        let mut text = text.to_owned();
        let inputs: Vec<(String, Vec<Dim>)> = g
            .tensors
            .iter()
            .filter(|t| t.role == Role::Input && t.format.is_some())
            .map(|t| (format!("{}[", t.name), t.dims.clone()))
            .collect();
        // What a shape operator takes away has its size from a plain read, if that is not written.
        let loops = g.loops.iter().filter(|l| l.of.is_empty() || l.sized);
        let loops: Vec<String> = loops.map(|l| l.name.clone()).collect();
        for (access, dims) in &inputs {
            for v in &loops {
                for (before, after) in [("[", "]"), ("[", ","), (", ", "]"), (", ", ",")] {
                    let Some(from) = text.find(access) else { continue };
                    let Some(to) = text[from..].find(']') else { continue };
                    let plain = format!("{before}{v}{after}");
                    let Some(at) = text[from..=from + to].find(&plain) else { continue };
                    if self.rng.bool() {
                        continue;
                    }
                    let by = self.rng.i64(1..3);
                    let start = from + at + before.len();
                    let dim = dimension(&text[from + access.len()..start]);
                    // A window has to lie in the tensor where it is moved to, whatever the loop visits.
                    let moved = before == "[" && start > from + access.len();
                    let index = match (self.rng.u32(0..3), dims.get(dim)) {
                        (0, _) => format!("offset({by})[{v} + {by}]"),
                        (1, Some(Dim::Loop(n, 0))) if !moved => {
                            format!("window(0, {})[{v}]", g.size_name(*n))
                        }
                        _ => format!("offset(-{by})[{v} - {by}]"),
                    };
                    text.replace_range(start..start + v.len(), &index);
                }
            }
        }
        text
    }

    /// Operands in the other order, where there are two in parentheses.
    fn exchanged(&mut self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('(') {
            out.push_str(&rest[..at]);
            // A call or an index keeps its arguments.
            let call = out.ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let end = at + closing(&rest[at..]);
            let inner = self.exchanged(&rest[at + 1..end]);
            let swapped = if call { None } else { two(&inner) };
            match swapped {
                Some((a, op, b)) if self.rng.bool() => out.push_str(&format!("({b} {op} {a})")),
                _ => out.push_str(&format!("({inner})")),
            }
            rest = &rest[end + 1..];
        }
        out + rest
    }
}

/// The indices of all accesses to a tensor the other way round.
fn turned(text: &str, name: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    let access = format!("{name}[");
    while let Some(at) = rest.find(&access) {
        let begins = !rest[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let open = at + name.len();
        out.push_str(&rest[..=open]);
        if !begins {
            rest = &rest[open + 1..];
            continue;
        }
        let end = open + closing(&rest[open..]);
        let inner = turned(&rest[open + 1..end], name);
        let (mut depth, mut from, mut all) = (0, 0, Vec::new());
        for (k, c) in inner.char_indices() {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                ',' if depth == 0 => {
                    all.push(inner[from..k].trim());
                    from = k + 1;
                }
                _ => {}
            }
        }
        all.push(inner[from..].trim());
        all.reverse();
        out.push_str(&all.join(", "));
        rest = &rest[end..];
    }
    out + rest
}

/// How many indices stand in the text before another one.
fn dimension(text: &str) -> usize {
    let mut depth = 0;
    let mut count = 0;
    for c in text.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => count += 1,
            _ => {}
        }
    }
    count
}

/// Where the parenthesis or bracket that opens a text is closed.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' if depth == 1 => return at,
            ')' | ']' => depth -= 1,
            _ => {}
        }
    }
    unreachable!("kernels have as many that open as that close")
}

/// `a op b`, if the operator does not mind the order and there is no other.
fn two(text: &str) -> Option<(&str, &str, &str)> {
    let mut depth = 0;
    let mut found = None;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => return None,
            ' ' if depth == 0 => {
                let word = text[at + 1..].split(' ').next().unwrap_or_default();
                if word.is_empty()
                    || word.contains(|c: char| c.is_alphanumeric() || c == '(' || c == '-')
                {
                    continue;
                }
                if found.is_some() || !["+", "*", "==", "!=", "&&", "||"].contains(&word) {
                    return None;
                }
                found = Some((&text[..at], word, &text[at + word.len() + 2..]));
            }
            _ => {}
        }
    }
    found
}

/// Other formats of tensors that can have them.
fn others(g: &Gen<'_>, rng: &mut Rng) -> HashMap<String, Format> {
    let mut all = HashMap::new();
    for t in g.tensors.iter().filter(|t| t.role != Role::Workspace && !g.random.contains(&t.name)) {
        let Some(format) = &t.format else { continue };
        if rng.u32(0..3) == 0 || format.levels.iter().any(|l| l.holds != Holds::Any) {
            continue;
        }
        let mut pick = |old: &'static Level| -> &'static Level {
            if rng.u32(0..3) == 0 && format.leaf.valued {
                return &DENSE;
            }
            let fits = |l: &&Level| {
                l.holds == Holds::Any
                    && !l.looked_up()
                    && (format.leaf.valued || !l.fills)
                    && (t.role == Role::Input
                        || l.write == Write::Anywhere
                        || t.role == Role::Output && old.write == l.write)
            };
            let all: Vec<&'static Level> = LEVELS.iter().filter(fits).collect();
            all[rng.usize(0..all.len())]
        };
        let levels: Vec<&'static Level> = format.levels.iter().map(|l| pick(l)).collect();
        let follow = |k: usize| levels[k].follows(&levels[..k]);
        if t.role != Role::Input && !(0..levels.len()).all(follow) {
            continue;
        }
        all.insert(t.name.clone(), Format { levels, leaf: format.leaf });
    }
    all
}
