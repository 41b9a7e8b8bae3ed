//! What compiling one kernel gave and cost, and where that is shown.

use crate::kernel::Warning;
use crate::picture;
use proc_macro2::TokenStream;
use std::time::Duration;

/// What compiling one kernel gave and cost.
pub struct Report {
    /// Name of the function, or `inline`.
    pub name: String,
    /// The expansion.
    pub tokens: TokenStream,
    /// Stages by name, as text.
    pub stages: Vec<(&'static str, String)>,
    /// What the operands unfurl to, if stages were asked for: those of the first way.
    pub nests: Vec<picture::Fiber>,
    /// Time from tokens to tokens.
    pub time: Duration,
    /// E-graph nodes, all terms together.
    pub nodes: usize,
    /// Terms handed to the simplifier, remembered ones included.
    pub terms: usize,
    /// What rustc warns of.
    pub warnings: Vec<Warning>,
    /// The type that the function returns.
    pub returned: TokenStream,
    /// What its documentation says beyond what the program does.
    pub documented: Vec<String>,
}

/// The reports of all ways as one, with the functions of all as its tokens.
pub(super) fn joined(reports: Vec<Report>) -> Report {
    let several = reports.len() > 1;
    let none = Report {
        name: String::new(),
        tokens: TokenStream::new(),
        stages: Vec::new(),
        nests: Vec::new(),
        time: Duration::ZERO,
        nodes: 0,
        terms: 0,
        warnings: Vec::new(),
        returned: TokenStream::new(),
        documented: Vec::new(),
    };
    reports.into_iter().enumerate().fold(none, |mut all, (n, report)| {
        for (stage, text) in report.stages {
            let text = if several { format!("// way {}\n{text}", n + 1) } else { text };
            match all.stages.iter_mut().find(|(name, _)| *name == stage) {
                Some((_, others)) => *others += &text,
                None => all.stages.push((stage, text)),
            }
        }
        all.tokens.extend(report.tokens);
        if n == 0 {
            all.nests = report.nests;
            all.returned = report.returned;
        }
        all.nodes += report.nodes;
        all.terms += report.terms;
        all.warnings.extend(report.warnings);
        all
    })
}

impl Report {
    /// Every stage under a heading.
    pub fn text(&self) -> String {
        self.stages
            .iter()
            .map(|(name, text)| format!("== {} of {} ==\n{text}\n", name, self.name))
            .collect()
    }
}

/// `LOOPLETS_TRACE=dir`: where to write the stages.
pub(super) fn tracing() -> Option<std::path::PathBuf> {
    std::env::var_os("LOOPLETS_TRACE").map(Into::into)
}

/// If `LOOPLETS_TRACE=dir` is set, writes the stages to `dir/name.stage`, numbered if a file of that
/// name is there.
pub fn trace(report: &Report) {
    let Some(dir) = tracing() else { return };
    // Tracing must not fail a build: a directory that cannot be written is told of once a kernel.
    let write = || -> std::io::Result<()> {
        std::fs::create_dir_all(&dir)?;
        let mut base = report.name.clone();
        let mut n = 1;
        while dir.join(format!("{base}.cin")).exists() {
            n += 1;
            base = format!("{}_{n}", report.name);
        }
        for (stage, text) in &report.stages {
            std::fs::write(dir.join(format!("{base}.{stage}")), text)?;
        }
        std::fs::write(dir.join(format!("{base}.svg")), picture::svg(&report.nests))?;
        let cost =
            format!("time {:?}\nterms {}\nnodes {}\n", report.time, report.terms, report.nodes);
        std::fs::write(dir.join(format!("{base}.cost")), cost)
    };
    if let Err(e) = write() {
        eprintln!("looplets: LOOPLETS_TRACE={}: {e}", dir.display());
    }
}
