//! What a picture is made of: nests whose terms are text already, so that neither text nor boxes ask a kernel.

/// What an access reads of one level.
#[derive(Clone, PartialEq, Debug)]
pub struct Fiber {
    /// The access: `a[i, j]`.
    pub access: String,
    /// The level: `SparseList`.
    pub level: String,
    /// Which dimension of the tensor it is, from 0 on.
    pub dimension: usize,
    /// The loop index that goes along it; none where the coordinate is computed.
    pub index: Option<String>,
    /// The protocol: `walk`.
    pub protocol: String,
    /// Its first coordinate, as the loop counts.
    pub start: String,
    /// One past its last.
    pub stop: String,
    /// The nest.
    pub nest: Nest,
}

/// A looplet nest.
#[derive(Clone, PartialEq, Debug)]
pub enum Nest {
    /// A run: every element is `value`.
    Run {
        /// `child[q]`, `fill` or what is computed.
        value: String,
        /// Whether nothing is stored there.
        fill: bool,
    },
    /// A spike or a pipeline: parts, one after the other.
    Parts {
        /// Which.
        kind: &'static str,
        /// From the first on.
        parts: Vec<Part>,
    },
    /// A stepper, a jumper or entries in no order: a child as often as there is one.
    Repeat {
        /// Which.
        kind: &'static str,
        /// What the state goes through: `for q in start..end`.
        state: String,
        /// The child.
        child: Box<Part>,
    },
    /// A switch: the first case whose condition holds.
    Cases(Vec<(String, Nest)>),
    /// What holds of all of a nest: definitions before it, a lookup, a shift, ..
    Frame {
        /// Which; empty for definitions.
        kind: &'static str,
        /// What there is to say, a line each.
        words: Vec<String>,
        /// The nest.
        body: Box<Nest>,
    },
}

/// A part of the extent.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    /// One past its last coordinate.
    pub stop: String,
    /// What is there.
    pub nest: Nest,
}

impl Nest {
    /// The kinds of looplet in it, each once, outermost first.
    pub fn kinds(&self) -> Vec<&'static str> {
        let mut all = Vec::new();
        self.collect(&mut all);
        let mut once: Vec<&'static str> = Vec::new();
        for kind in all {
            if !once.contains(&kind) {
                once.push(kind);
            }
        }
        once
    }

    fn collect(&self, out: &mut Vec<&'static str>) {
        match self {
            Nest::Run { .. } => out.push("run"),
            Nest::Parts { kind, parts } => {
                out.push(kind);
                // The two parts of a spike are no runs of their own.
                let inner = parts.iter().filter(|_| *kind != "spike");
                inner.for_each(|part| part.nest.collect(out));
            }
            Nest::Repeat { kind, child, .. } => {
                out.push(kind);
                child.nest.collect(out);
            }
            Nest::Cases(cases) => {
                out.push("switch");
                cases.iter().for_each(|(_, nest)| nest.collect(out));
            }
            Nest::Frame { kind, body, .. } => {
                out.extend(Some(*kind).filter(|kind| !kind.is_empty()));
                body.collect(out);
            }
        }
    }
}
