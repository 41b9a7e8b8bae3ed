//! Paired timing: competitors take turns, so that what disturbs the machine disturbs all of them,
//! and ratios are taken within a turn before their median.

use std::collections::BTreeMap;
use std::time::Instant;

/// One way of doing a thing: runs it once.
pub type Way<'a> = &'a mut dyn FnMut();

/// Medians of one row.
pub struct Row {
    /// Seconds for one run of each way.
    pub seconds: Vec<f64>,
    /// Time of each way over the time of the first; that of the first is 1.
    pub ratios: Vec<f64>,
    /// The least seconds for one run of each way.
    pub least: Vec<f64>,
}

impl Row {
    /// The same by the best of each way, for programs that last long enough to be interrupted: on a busy
    /// machine half of all samples may be.
    pub fn at_best(self) -> Row {
        let ratios = self.least.iter().map(|s| s / self.least[0]).collect();
        Row { seconds: self.least.clone(), ratios, least: self.least }
    }
}

/// Times `ways` in turns for about `budget` milliseconds: at least 3 turns each, at most 101.
pub fn race(budget: f64, ways: &mut [Way<'_>]) -> Row {
    // Twice, so that the second is warm.
    let mut once = vec![0.0; ways.len()];
    for _ in 0..2 {
        for (way, t) in ways.iter_mut().zip(&mut once) {
            *t = clock(1, way);
        }
    }
    let slowest = once.iter().copied().fold(1e-9, f64::max);
    // A sample of well over the clock's resolution, and as many samples as the budget has room for.
    let runs = (2e-4 / slowest).ceil().clamp(1.0, 1e6) as usize;
    let turn = slowest * runs as f64 * ways.len() as f64;
    let turns = (budget * 1e-3 / turn).clamp(3.0, 101.0) as usize;
    let mut samples = vec![Vec::with_capacity(turns); ways.len()];
    for turn in 0..turns {
        for k in 0..ways.len() {
            // Who follows whom changes from turn to turn.
            let k = if turn % 2 == 0 { k } else { ways.len() - 1 - k };
            samples[k].push(clock(runs, &mut ways[k]) / runs as f64);
        }
    }
    let ratio = |k: usize| median(samples[k].iter().zip(&samples[0]).map(|(a, b)| a / b).collect());
    Row {
        ratios: (0..ways.len()).map(ratio).collect(),
        least: samples.iter().map(|s| s.iter().copied().fold(f64::INFINITY, f64::min)).collect(),
        seconds: samples.iter().map(|s| median(s.clone())).collect(),
    }
}

fn clock(runs: usize, way: &mut Way<'_>) -> f64 {
    let began = Instant::now();
    for _ in 0..runs {
        way();
    }
    began.elapsed().as_secs_f64()
}

/// The middle value.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    match n {
        0 => f64::NAN,
        _ => (values[(n - 1) / 2] + values[n / 2]) / 2.0,
    }
}

/// The geometric mean.
pub fn geomean(values: &[f64]) -> f64 {
    (values.iter().map(|v| v.ln()).sum::<f64>() / values.len() as f64).exp()
}

/// Seconds with a unit, in eight places.
pub fn human(seconds: f64) -> String {
    match seconds {
        s if s >= 1.0 => format!("{s:6.3} s"),
        s if s >= 1e-3 => format!("{:6.2} ms", s * 1e3),
        s => format!("{:6.2} us", s * 1e6),
    }
}

/// The table of one list, printed row by row, with geometric means at its foot.
pub struct Table {
    list: &'static str,
    /// Rows of more entries than this have a foot of their own.
    large: Option<usize>,
    /// For each kernel and other, the entries and the ratio of each row.
    ratios: BTreeMap<(String, String), Vec<(usize, f64)>>,
}

impl Table {
    /// Prints the head.
    pub fn new(list: &'static str) -> Self {
        println!("\n{list}: a ratio over 1 says that the compiled kernel is faster");
        println!("{:<22} {:<24} {:>9} {:>9}   by hand", "kernel", "matrix", "stored", "compiled");
        Table { list, large: None, ratios: BTreeMap::new() }
    }

    /// Also tells of inputs of more than `large` entries by themselves.
    pub fn apart(mut self, large: usize) -> Self {
        self.large = Some(large);
        self
    }

    /// Prints a row: the first way is the compiled one, the others are called `names`.
    pub fn row(&mut self, kernel: &str, matrix: &str, stored: usize, names: &[&str], row: &Row) {
        print!("{kernel:<22} {matrix:<24} {stored:>9} {:>9}", human(row.seconds[0]));
        for ((name, seconds), ratio) in names.iter().zip(&row.seconds[1..]).zip(&row.ratios[1..]) {
            print!("   {name} {:>9} {ratio:>5.2}", human(*seconds));
            let key = (kernel.to_owned(), (*name).to_owned());
            self.ratios.entry(key).or_default().push((stored, *ratio));
        }
        println!();
    }
}

impl Table {
    /// The means over all rows, or over those of more entries than `large`.
    fn foot(&self, which: &str, large: Option<usize>) {
        println!("\n{}, geometric means{which}", self.list);
        println!(
            "{:<22} {:<10} {:>5} {:>6} {:>6} {:>6}",
            "kernel", "against", "rows", "mean", "least", "most"
        );
        for ((kernel, name), rows) in &self.ratios {
            let counted = rows.iter().filter(|r| large.is_none_or(|large| r.0 > large));
            let ratios: Vec<f64> = counted.map(|r| r.1).collect();
            if ratios.is_empty() {
                continue;
            }
            let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
            let most = ratios.iter().copied().fold(0.0, f64::max);
            println!(
                "{kernel:<22} {name:<10} {:>5} {:>6.3} {least:>6.2} {most:>6.2}",
                ratios.len(),
                geomean(&ratios)
            );
        }
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        if self.ratios.is_empty() {
            return;
        }
        self.foot("", None);
        if let Some(large) = self.large {
            self.foot(&format!(", inputs of more than {large} entries"), self.large);
        }
    }
}
