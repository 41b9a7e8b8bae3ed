//! Peers that are Python libraries, each in a process of its own that measures itself: `worker.py` says what the
//! lines are.

use crate::answer::Answer;
use crate::contest::{Competitor, Contest, Side};
use crate::problem::{Array, Problem, Sparse};
use serde_json::{json, Map, Value};
use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/lib/worker.py");

/// A process, and the directory through which arrays come and go.
pub struct Worker {
    name: &'static str,
    directory: PathBuf,
    process: RefCell<Process>,
}

struct Process {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

/// A process for each library, if `LOOPLETS_PEERS_PYTHON` names a Python that has them.
pub fn start() -> Vec<Worker> {
    let Some(python) = std::env::var_os("LOOPLETS_PEERS_PYTHON") else { return Vec::new() };
    let start = |name: &'static str| {
        let directory =
            std::env::temp_dir().join(format!("looplets-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("a temporary directory");
        let mut child = Command::new(&python)
            .arg(SCRIPT)
            .arg(name)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|e| panic!("LOOPLETS_PEERS_PYTHON={}: {e}", python.display()));
        let (to, from) = (child.stdin.take(), child.stdout.take());
        let (to, from) = (to.expect("it is piped"), BufReader::new(from.expect("it is piped")));
        Worker { name, directory, process: RefCell::new(Process { child, to, from }) }
    };
    ["scipy", "sparse"].map(start).into()
}

impl Drop for Worker {
    fn drop(&mut self) {
        let process = self.process.get_mut();
        // It may have ended already.
        let _ =
            (process.child.kill(), process.child.wait(), std::fs::remove_dir_all(&self.directory));
    }
}

fn bytes<T: Copy, const N: usize>(values: &[T], bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|v| bytes(*v)).collect()
}

/// What is written of a problem.
struct Writer<'a> {
    directory: &'a Path,
    entries: Map<String, Value>,
}

impl Writer<'_> {
    fn file(&mut self, name: &str, dtype: &str, shape: &[usize], bytes: &[u8]) {
        let file = format!("{name}.{dtype}");
        std::fs::write(self.directory.join(&file), bytes).expect("room in the temporary directory");
        self.entries
            .insert(name.to_owned(), json!({ "file": file, "dtype": dtype, "shape": shape }));
    }
    fn positions(&mut self, name: &str, values: &[usize]) {
        self.file(name, "u64", &[values.len()], &bytes(values, |v| (v as u64).to_le_bytes()));
    }
    fn coordinates(&mut self, name: &str, values: &[u32]) {
        self.file(name, "u32", &[values.len()], &bytes(values, u32::to_le_bytes));
    }
    fn floats(&mut self, name: &str, shape: &[usize], values: &[f64]) {
        self.file(name, "f64", shape, &bytes(values, f64::to_le_bytes));
    }
    fn rows(&mut self, name: &str, s: &Sparse) {
        if s.pos.is_empty() {
            return;
        }
        self.entries.insert(format!("{name}.shape"), json!([s.rows, s.cols]));
        self.positions(&format!("{name}.pos"), &s.pos);
        self.coordinates(&format!("{name}.crd"), &s.crd);
        self.floats(&format!("{name}.val"), &[s.stored()], &s.val);
    }
    fn dense(&mut self, name: &str, a: &Array<f64>) {
        self.entries.insert(format!("{name}.shape"), json!([a.rows, a.cols]));
        self.floats(&format!("{name}.val"), &[a.rows, a.cols], &a.val);
    }
    fn image(&mut self, name: &str, a: &Array<u8>) {
        self.entries.insert(format!("{name}.shape"), json!([a.rows, a.cols]));
        // There may be several of these rows below each other.
        let shape = [a.val.len() / a.cols.max(1), a.cols];
        self.file(&format!("{name}.val"), "u8", &shape, &a.val);
    }
}

/// Writes a problem as the worker reads it.
fn write(directory: &Path, problem: &Problem) {
    let mut to = Writer { directory, entries: Map::new() };
    to.rows("a", &problem.a);
    to.rows("b", &problem.b);
    to.rows("x", &problem.x);
    to.dense("d", &problem.d);
    to.dense("e", &problem.e);
    to.image("p", &problem.p);
    to.image("q", &problem.q);
    let t = &problem.t;
    if !t.pos1.is_empty() {
        to.entries.insert("t.shape".to_owned(), json!(t.dims));
        to.coordinates("t.crd0", &t.crd0);
        to.positions("t.pos1", &t.pos1);
        to.coordinates("t.crd1", &t.crd1);
        to.positions("t.pos2", &t.pos2);
        to.coordinates("t.crd2", &t.crd2);
        to.floats("t.val", &[t.val.len()], &t.val);
    }
    to.entries.insert("images".to_owned(), json!([problem.images]));
    to.entries.insert("alpha".to_owned(), json!([problem.alpha]));
    let text = Value::Object(to.entries).to_string();
    std::fs::write(directory.join("problem.json"), text).expect("room in the temporary directory");
}

impl Worker {
    /// Asks, and reads the one line that answers.
    fn ask(&self, question: &str) -> String {
        let mut process = self.process.borrow_mut();
        let mut line = String::new();
        let written = writeln!(process.to, "{question}").and_then(|()| process.to.flush());
        let read = written.and_then(|()| process.from.read_line(&mut line));
        match read {
            Ok(n) if n > 0 => line.trim().to_owned(),
            _ => panic!("{} ended when asked to `{question}`", self.name),
        }
    }

    /// Joins the contest, if the library can do it.
    pub fn join<'a>(&'a self, contest: &mut Contest<'a>, problem: &Problem) {
        write(&self.directory, problem);
        let answer = self.ask(&format!("new {} {}", contest.program, self.directory.display()));
        if answer == "ok" {
            contest.join(self.name, Side::Library, true, Box::new(Asked(self)));
        }
    }
}

/// A worker that has a problem.
struct Asked<'a>(&'a Worker);

impl Asked<'_> {
    fn array<T, const N: usize>(&self, file: &str, value: impl Fn([u8; N]) -> T) -> Vec<T> {
        let bytes =
            std::fs::read(self.0.directory.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        bytes
            .chunks_exact(N)
            .map(|c| value(c.try_into().expect("chunks are of that size")))
            .collect()
    }
}

impl Competitor for Asked<'_> {
    fn answer(&mut self) -> Answer {
        self.seconds(1);
        let told = self.0.ask("get");
        let words: Vec<&str> = told.split_whitespace().collect();
        match words[..] {
            ["dense", _] => Answer::Dense(self.array("values.f64", f64::from_le_bytes)),
            ["sparse", rows, cols, _] => Answer::Sparse(Sparse {
                rows: rows.parse().expect("a size"),
                cols: cols.parse().expect("a size"),
                pos: self.array("pos.u64", |b| u64::from_le_bytes(b) as usize),
                crd: self.array("crd.u32", u32::from_le_bytes),
                val: self.array("val.f64", f64::from_le_bytes),
            }),
            _ => panic!("{}: {told}", self.0.name),
        }
    }

    fn seconds(&mut self, runs: usize) -> f64 {
        let told = self.0.ask(&format!("run {runs}"));
        told.parse().unwrap_or_else(|_| panic!("{}: {told}", self.0.name))
    }
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        self.0.ask("free");
    }
}
