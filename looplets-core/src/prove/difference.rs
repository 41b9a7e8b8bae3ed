//! Difference bounds `x - y <= c` kept transitively closed, so that a query is one look-up.

/// "No bound is known" in the matrix.
pub const NONE: i64 = i64::MAX;
/// Bounds of greater magnitude are weakened to this or forgotten, so that no sum of three overflows.
const LIMIT: i64 = 1 << 60;

/// A node of the graph of differences; node 0 is the number zero.
pub type Node = u32;
/// The node whose value is zero.
pub const ZERO: Node = 0;

/// The closed matrix of bounds with an undo log.
///
/// Closing after each assertion (the incremental step of Floyd and Warshall) costs more than
/// searching paths on demand for one query, but queries outnumber assertions and the other
/// inferences read whole rows.
pub struct Differences {
    nodes: usize,
    stride: usize,
    bounds: Vec<i64>,
    /// For each bound, in which round it was last tightened.
    stamps: Vec<u32>,
    log: Vec<(Node, Node, i64)>,
    /// Nodes whose row or column was tightened since the last [`Differences::take_changes`].
    changes: Changes,
    contradiction: bool,
    /// Bounds looked at so far.
    work: u64,
}

/// Which rows (`x - _`) and columns (`_ - y`) were tightened.
#[derive(Default)]
pub struct Changes {
    any: bool,
    round: u32,
    rows: Vec<bool>,
    columns: Vec<bool>,
}

impl Changes {
    /// Whether some bound `x - _` was tightened.
    pub fn row(&self, x: Node) -> bool {
        self.rows[x as usize]
    }
    /// Whether some bound `_ - y` was tightened.
    pub fn column(&self, y: Node) -> bool {
        self.columns[y as usize]
    }
}

/// A point to return to.
#[derive(Clone, Copy)]
pub struct Mark {
    nodes: usize,
    log: usize,
    contradiction: bool,
}

impl Differences {
    /// No bounds, and no node but [`ZERO`].
    pub fn new() -> Differences {
        let mut new = Differences {
            nodes: 0,
            stride: 0,
            bounds: Vec::new(),
            stamps: Vec::new(),
            log: Vec::new(),
            changes: Changes::default(),
            contradiction: false,
            work: 0,
        };
        new.node();
        new
    }

    /// A new node, unrelated to the others.
    pub fn node(&mut self) -> Node {
        let n = self.nodes;
        if n == self.stride {
            self.grow();
        }
        self.nodes += 1;
        for other in 0..n {
            self.bounds[other * self.stride + n] = NONE;
            self.bounds[n * self.stride + other] = NONE;
        }
        self.bounds[n * self.stride + n] = 0;
        self.changes.rows.resize(n, false);
        self.changes.columns.resize(n, false);
        self.changes.rows.push(true);
        self.changes.columns.push(true);
        self.changes.any = true;
        n as Node
    }

    fn grow(&mut self) {
        let stride = (self.stride * 2).max(16);
        let mut bounds = vec![NONE; stride * stride];
        for x in 0..self.nodes {
            let row = &self.bounds[x * self.stride..x * self.stride + self.nodes];
            bounds[x * stride..x * stride + self.nodes].copy_from_slice(row);
        }
        // Losing the stamps of this round could hide a change, so all count as changed.
        self.stamps = vec![self.changes.round; stride * stride];
        self.bounds = bounds;
        self.stride = stride;
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> Node {
        self.nodes as Node
    }

    /// The least `c` known with `x - y <= c`, or [`NONE`].
    pub fn get(&self, x: Node, y: Node) -> i64 {
        self.bounds[x as usize * self.stride + y as usize]
    }

    /// Whether `x - y <= c` is known.
    pub fn entails(&self, x: Node, y: Node, c: i64) -> bool {
        self.contradiction || self.get(x, y) <= c
    }

    /// How many bounds have been looked at, as far as that is counted.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Counts `bounds` that were looked at one by one.
    pub fn count(&mut self, bounds: usize) {
        self.work += bounds as u64;
    }

    /// Whether the bounds exclude every assignment.
    pub fn contradiction(&self) -> bool {
        self.contradiction
    }

    /// Records that no assignment is left.
    pub fn contradict(&mut self) {
        self.contradiction = true;
    }

    /// Asserts `x - y <= c` and closes.
    pub fn add(&mut self, x: Node, y: Node, c: i64) {
        if self.contradiction || c > LIMIT || self.get(x, y) <= c {
            return;
        }
        self.work += 2 * self.nodes as u64;
        let c = c.max(-LIMIT);
        let back = self.get(y, x);
        if back != NONE && back + c < 0 {
            self.contradiction = true;
            return;
        }
        // Only a source that reaches y better than before can reach anything beyond y better.
        let (n, stride) = (self.nodes, self.stride);
        let (x, y) = (x as usize, y as usize);
        let mut targets: Vec<(usize, i64)> = Vec::new();
        for v in 0..n {
            let out = self.bounds[y * stride + v];
            if out != NONE && c + out < self.bounds[x * stride + v] {
                targets.push((v, c + out));
            }
        }
        for u in 0..n {
            let into = self.bounds[u * stride + x];
            if into == NONE || into + c >= self.bounds[u * stride + y] {
                continue;
            }
            self.work += targets.len() as u64;
            for &(v, rest) in &targets {
                let sum = into + rest;
                let at = u * stride + v;
                let old = self.bounds[at];
                if sum < old && sum <= LIMIT {
                    let sum = sum.max(-LIMIT);
                    if sum < old {
                        self.log.push((u as Node, v as Node, old));
                        self.bounds[at] = sum;
                        self.stamps[at] = self.changes.round;
                        self.changes.any = true;
                        self.changes.rows[u] = true;
                        self.changes.columns[v] = true;
                    }
                }
            }
        }
    }

    /// Asks for another round of inference although no bound changed.
    pub fn touch(&mut self) {
        self.changes.any = true;
    }

    /// What changed since the last call, or `None` if nothing did.
    pub fn take_changes(&mut self) -> Option<Changes> {
        if !self.changes.any {
            return None;
        }
        let clean = Changes {
            any: false,
            round: self.changes.round + 1,
            rows: vec![false; self.nodes],
            columns: vec![false; self.nodes],
        };
        Some(std::mem::replace(&mut self.changes, clean))
    }

    /// Whether `x - y` or `y - x` was tightened in the round of `changes`.
    pub fn changed(&self, changes: &Changes, x: Node, y: Node) -> bool {
        let (x, y) = (x as usize, y as usize);
        self.stamps[x * self.stride + y] == changes.round
            || self.stamps[y * self.stride + x] == changes.round
    }

    /// Forgets what changed; for callers that stop inferring early.
    pub fn settle(&mut self) {
        self.take_changes();
    }

    /// The present state, for [`Differences::undo`].
    pub fn mark(&self) -> Mark {
        Mark { nodes: self.nodes, log: self.log.len(), contradiction: self.contradiction }
    }

    /// Returns to `mark`: later nodes and bounds are gone.
    pub fn undo(&mut self, mark: Mark) {
        while self.log.len() > mark.log {
            if let Some((x, y, old)) = self.log.pop() {
                self.bounds[x as usize * self.stride + y as usize] = old;
            }
        }
        self.nodes = mark.nodes;
        self.contradiction = mark.contradiction;
        self.changes.rows.truncate(mark.nodes);
        self.changes.columns.truncate(mark.nodes);
        self.settle();
    }
}
