//! Kernels without loops: several statements into one result, branches, products by transposed operands.
//!
//! The indices of a result stand in any order in the operands, some operands have no index of the result,
//! and terms have all that is summed over. The compiler has to find loops, to turn operands and to gather.

use super::formats::{leaf, Format, Leaf, Level, Ty, Write, DENSE, LEAVES, LEVELS};
use super::size::Made;
use super::{Dim, Gen, Role, Stmt, Tensor};

/// Names of indices: two for results, two that are summed over.
const INDICES: [&str; 4] = ["i", "j", "k", "l"];

/// Positions are below this number.
const POSITIONS: i64 = 4;

/// What the statements into one result can use.
struct Room {
    /// The size of each index.
    sizes: [usize; 4],
    /// The indices of the result.
    result: Vec<usize>,
    /// The indices that are summed over.
    summed: Vec<usize>,
}

impl Gen<'_> {
    /// The statements of a whole kernel.
    pub fn gathered(&mut self) -> Vec<Stmt> {
        let room = self.room();
        let (op, value_op) = self.operators_of_sums();
        // Distances as people write them: what is not stored is infinitely far, and sums may be taken first.
        self.neutral_leaf = match self.chance(70) {
            true => neutral(self.ty, op, value_op),
            false => None,
        };
        // Which of several terms is added first to a scattered entry is the compiler's.
        let scattered = !self.strict && self.chance(20);
        let target = self.gathered_result(&room, scattered);
        let mut out = Vec::new();
        let count = if scattered { 1 } else { self.rng.u32(1..4) };
        for _ in 0..count {
            // The first may write over nothing; a later one adds.
            let plain = out.is_empty() && room.summed.is_empty() && !scattered && self.chance(60);
            let op = if plain { "=" } else { op };
            let line = |g: &mut Self| {
                let value = g.gathered_terms(&room, value_op);
                Stmt::Line(format!("{target} {op} {value};"))
            };
            if !self.chance(35) {
                out.push(line(self));
                continue;
            }
            let cond = self.gathered_condition(&room);
            let then = vec![line(self)];
            let otherwise = (!scattered && self.chance(50)).then(|| vec![line(self)]);
            out.push(Stmt::If(cond, then, otherwise));
        }
        out
    }

    fn room(&mut self) -> Room {
        let first = self.any_size();
        let mut sizes = [first; 4];
        for size in &mut sizes[1..] {
            if !self.chance(60) {
                *size = self.any_size();
            }
        }
        let result = match self.rng.u32(0..10) {
            0..2 => vec![0],
            2..8 => vec![0, 1],
            _ => vec![1, 0],
        };
        let summed = match self.rng.u32(0..10) {
            0..4 => vec![2],
            // The order of two sums is the compiler's, and rounds floats.
            4..5 if self.strict => vec![2],
            4..5 => vec![2, 3],
            _ => vec![],
        };
        // As small as the loops that are left out ask for.
        let nested = result.len() + summed.len();
        for at in sizes {
            self.sizes[at] = Made::Chosen(format!("case.size({nested})"));
        }
        Room { sizes, result, summed }
    }

    /// The operator that reduces, and the one between the factors of a term.
    fn operators_of_sums(&mut self) -> (&'static str, &'static str) {
        match (self.ty, self.rng.u32(0..10)) {
            (Ty::U8, 0..4) | (_, 0..1) => ("<<max>>=", "*"),
            (_, 1) => ("<<min>>=", "+"),
            (Ty::F64, 2) => *self.pick(&[("<<min>>=", "+"), ("<<max>>=", "+")]),
            (Ty::U8, _) => ("|=", "&"),
            (ty, 2) if !ty.unsigned() => ("-=", "*"),
            _ => ("+=", "*"),
        }
    }

    /// A result, and its text with its indices, some of which are read from a list of positions if it is `scattered`.
    fn gathered_result(&mut self, room: &Room, scattered: bool) -> String {
        let mut levels: Vec<&'static Level> = Vec::new();
        for k in 0..room.result.len() {
            let dense = k == 0 && room.result.len() > 1 && self.chance(60);
            let listed = self.chance(45) && !levels.iter().any(|l| l.moves());
            let will_do = |l: &Level| {
                l.write != Write::Never
                    && l.follows(&levels)
                    && (!dense || l.ty == DENSE.ty)
                    && (dense || !listed || l.write == Write::Append)
            };
            let all: Vec<&'static Level> = LEVELS.iter().filter(|l| will_do(l)).collect();
            levels.push(*self.pick(&all));
        }
        let leaf = self.gathered_leaf(self.ty, levels.last().expect("a dimension"));
        let name = self.name("y");
        let (mut dims, mut indices, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
        let first = self.rng.usize(0..room.result.len());
        for (k, v) in room.result.iter().enumerate() {
            let (size, index) = (room.sizes[*v], INDICES[*v]);
            let of = self.size_name(size);
            let (index, of, more) = match scattered && (k == first || self.chance(30)) {
                true => (self.position(index, size), format!("{of} + {POSITIONS}"), POSITIONS),
                false => (index.to_owned(), of, 0),
            };
            dims.push(Dim::Loop(size, more));
            indices.push(index);
            sizes.push(of);
        }
        let target = format!("{name}[{}]", indices.join(", "));
        let (format, sizes) = (Some(Format { levels, leaf }), scattered.then_some(sizes));
        let (role, bound) = (Role::Output, leaf.bound);
        self.tensors.push(Tensor { name, format, role, dims, sizes, bound });
        target
    }

    /// A position that is read at `index`, which runs over `size`.
    fn position(&mut self, index: &str, size: usize) -> String {
        let name = self.name("at");
        let text = format!("{name}[{index}]");
        let (role, dims) = (Role::Input, vec![Dim::Loop(size, 0)]);
        self.tensors.push(Tensor { name, format: None, role, dims, sizes: None, bound: 0 });
        text
    }

    /// One term or several, with every index between them and in each.
    fn gathered_terms(&mut self, room: &Room, op: &str) -> String {
        let count = if self.chance(70) { 1 } else { 2 };
        let all = [&room.result[..], &room.summed].concat();
        let mut terms = Vec::new();
        for _ in 0..count {
            let mut left = all.clone();
            self.rng.shuffle(&mut left);
            let mut factors = Vec::new();
            while !left.is_empty() {
                let take = left.len().min(1 + self.rng.usize(0..2));
                let taken: Vec<usize> = left.drain(..take).collect();
                let factor = self.gathered_factor(room, taken, op);
                factors.push(factor);
            }
            if self.chance(25) {
                let more = vec![*self.pick(&all)];
                factors.push(self.gathered_operand(room, more));
            }
            if self.chance(15) {
                factors.push(self.literal());
            }
            if op == "*" && self.chance(15) {
                factors.push(self.gathered_narrow(room, &all));
            }
            terms.push(factors.join(&format!(" {op} ")));
        }
        let between = match (self.ty.unsigned(), op) {
            (true, "&") => " | ",
            (true, _) => " + ",
            _ => *self.pick(&[" + ", " + ", " - "]),
        };
        terms.join(between)
    }

    /// An operand with those indices, or a sum or a call of some: one that says nothing of where the term is nothing.
    fn gathered_factor(&mut self, room: &Room, indices: Vec<usize>, op: &str) -> String {
        let operand = self.gathered_operand(room, indices.clone());
        if !self.chance(25) {
            return operand;
        }
        let mut fewer = indices;
        self.rng.shuffle(&mut fewer);
        fewer.truncate(1);
        let other = match self.chance(70) {
            true => self.gathered_operand(room, fewer),
            false => self.literal(),
        };
        match (op, self.ty.unsigned()) {
            ("&", _) => format!("({operand} | {other})"),
            ("*", false) if self.chance(60) => {
                format!("({operand} {} {other})", self.pick(&["+", "-"]))
            }
            _ => format!("{}({operand}, {other})", self.pick(&["min", "max"])),
        }
    }

    /// A factor of a type that becomes that of the kernel, or a quotient: laws of floats may not reach into either.
    fn gathered_narrow(&mut self, room: &Room, all: &[usize]) -> String {
        let v = *self.pick(all);
        let dims = vec![Dim::Loop(room.sizes[v], 0)];
        let (ty, mixed) = match self.ty {
            Ty::F64 if self.features.has("types") => (*self.pick(&[Ty::I32, Ty::U8]), true),
            ty => (ty, false),
        };
        let name = self.gathered_input(ty, dims);
        let operand = format!("{name}[{}]", INDICES[v]);
        match self.chance(if mixed { 50 } else { 100 }) {
            true => format!("{operand} / {}", self.pick(&[2, 4])),
            false => operand,
        }
    }

    /// An operand with those indices, made now or before.
    fn gathered_operand(&mut self, room: &Room, indices: Vec<usize>) -> String {
        let dims: Vec<Dim> = indices.iter().map(|v| Dim::Loop(room.sizes[*v], 0)).collect();
        let alike: Vec<String> = self
            .tensors
            .iter()
            .filter(|t| t.role == Role::Input && t.dims == dims)
            .filter(|t| t.format.as_ref().is_some_and(|f| f.leaf.ty == self.ty))
            .map(|t| t.name.clone())
            .collect();
        let name = match !alike.is_empty() && self.chance(60) {
            true => self.pick(&alike).clone(),
            false => self.gathered_input(self.ty, dims),
        };
        format!("{name}[{}]", names(&indices))
    }

    fn gathered_input(&mut self, ty: Ty, dims: Vec<Dim>) -> String {
        let mut levels: Vec<&'static Level> = Vec::new();
        for k in 0..dims.len() {
            let common = self.chance(65);
            let all: Vec<&'static Level> = LEVELS
                .iter()
                .filter(|l| l.holds == super::formats::Holds::Any && !l.looked_up())
                .filter(|l| l.follows(&levels))
                .filter(|l| !common || [DENSE.ty, "SparseList<{}>"].contains(&l.ty))
                .filter(|l| k > 0 || dims.len() == 1 || !common || l.ty == DENSE.ty)
                .collect();
            levels.push(*self.pick(&all));
        }
        let leaf = self.gathered_leaf(ty, levels.last().expect("a dimension"));
        let name = self.name("a");
        let (format, bound) = (Some(Format { levels, leaf }), leaf.bound.max(4));
        let role = Role::Input;
        self.tensors.push(Tensor { name: name.clone(), format, role, dims, sizes: None, bound });
        name
    }

    /// A leaf of that type below `level`.
    fn gathered_leaf(&mut self, ty: Ty, level: &Level) -> &'static Leaf {
        let neutral = self.neutral_leaf.filter(|l| l.ty == ty && (l.valued || !level.fills));
        neutral.unwrap_or_else(|| leaf(&mut self.rng, ty, level))
    }

    /// A condition on indices, on a mask, or on a value.
    fn gathered_condition(&mut self, room: &Room) -> String {
        let all = [&room.result[..], &room.summed].concat();
        let mut some = match self.chance(75) {
            true => room.result.clone(),
            false => all,
        };
        self.rng.shuffle(&mut some);
        some.truncate(2);
        match self.rng.u32(0..10) {
            0..4 if some.len() > 1 && room.sizes[some[0]] == room.sizes[some[1]] => {
                let op = *self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("{} {op} {}", INDICES[some[0]], INDICES[some[1]])
            }
            0..8 => {
                let dims = some.iter().map(|v| Dim::Loop(room.sizes[*v], 0)).collect();
                let not = if self.chance(40) { "!" } else { "" };
                let name = self.gathered_input(Ty::Bool, dims);
                format!("{not}{name}[{}]", names(&some))
            }
            _ => {
                let op = *self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                let literal = self.literal();
                format!("{} {op} {literal}", self.gathered_operand(room, some))
            }
        }
    }
}

/// The leaf of type `ty` whose fill `op` leaves as it is and `value_op` gives wherever one operand is at it.
fn neutral(ty: Ty, op: &str, value_op: &str) -> Option<&'static Leaf> {
    let text = match (ty, op, value_op) {
        (Ty::F64, "<<min>>=", "+") => "Element<f64, Inf>",
        (Ty::F64, "<<max>>=", "+") => "Element<f64, NegInf>",
        _ => return None,
    };
    LEAVES.iter().find(|l| l.text == text)
}

fn names(indices: &[usize]) -> String {
    indices.iter().map(|v| INDICES[*v]).collect::<Vec<_>>().join(", ")
}
