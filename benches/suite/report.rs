//! What a run found: a table while it goes, ratios at its foot, and all of it as JSON.

use crate::contest::{Record, Side, Timed};
use looplets_benches::timing::{geomean, human};
use serde_json::{json, Value};
use std::collections::BTreeMap;

/// Prints the head.
pub fn head() {
    println!("A ratio over 1 says that the compiled kernel is faster; after a median, its spread.");
    println!(
        "{:<20} {:<12} {:<24} {:>9} {:>9} {:>5}   others",
        "program", "way", "input", "entries", "median", ""
    );
}

/// The ways of ours.
fn ours(record: &Record) -> impl Iterator<Item = &Timed> {
    record.ways.iter().filter(|w| w.side == Side::Ours)
}

/// Prints a line for each way of ours.
pub fn row(record: &Record) {
    for way in ours(record) {
        print!(
            "{:<20} {:<12} {:<24} {:>9} {:>9} {:>4.0}%",
            record.program,
            way.name,
            record.input,
            record.entries,
            human(way.median()),
            way.spread() * 100.0
        );
        for other in record.ways.iter().filter(|w| w.side != Side::Ours) {
            print!("   {} {} {:.2}", other.name, human(other.median()).trim(), other.over(way));
        }
        println!();
    }
}

/// Groups of comparators, of which the best counts.
const GROUPS: [(&str, &[Side]); 3] = [
    ("best by hand", &[Side::Hand]),
    ("best library", &[Side::Library]),
    ("best of all", &[Side::Hand, Side::Library]),
];

/// The best of those sides in one contest; what makes its results anew is beside others that do, if `anew`.
fn best<'a>(record: &'a Record, sides: &[Side], anew: bool) -> Option<&'a Timed> {
    let of = record.ways.iter().filter(|w| sides.contains(&w.side) && (w.anew || !anew));
    of.min_by(|a, b| a.median().total_cmp(&b.median()))
}

/// Ratios of each way of ours, and of the best of them, to each comparator and to the best of each group.
fn ratios(record: &Record) -> Vec<(String, String, f64)> {
    let mut found = Vec::new();
    let several = ours(record).count() > 1;
    let best_of_ours = best(record, &[Side::Ours], false).filter(|_| several);
    let named = ours(record).map(|w| (w.name.as_str(), w));
    for (name, way) in named.chain(best_of_ours.map(|w| ("(best)", w))) {
        for other in record.ways.iter().filter(|w| w.side != Side::Ours) {
            found.push((name.to_owned(), other.name.clone(), other.over(way)));
        }
        for (group, sides) in GROUPS {
            if let Some(other) = best(record, sides, way.anew) {
                found.push((name.to_owned(), format!("* {group}"), other.over(way)));
            }
        }
    }
    found
}

/// Ratios by program, way and comparator.
fn collected(records: &[Record]) -> BTreeMap<(&str, String, String), Vec<f64>> {
    let mut all: BTreeMap<_, Vec<f64>> = BTreeMap::new();
    for record in records {
        for (way, other, ratio) in ratios(record) {
            all.entry((record.program, way, other)).or_default().push(ratio);
        }
    }
    all
}

/// The mean, the least and the most.
fn summary(ratios: &[f64]) -> [f64; 3] {
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    [geomean(ratios), least, ratios.iter().copied().fold(0.0, f64::max)]
}

/// Prints geometric means, least and most.
pub fn foot(records: &[Record]) {
    println!(
        "\n{:<20} {:<12} {:<16} {:>5} {:>7} {:>7} {:>7}",
        "program", "way", "against", "rows", "mean", "least", "most"
    );
    for ((program, way, other), ratios) in collected(records) {
        let [mean, least, most] = summary(&ratios);
        println!(
            "{program:<20} {way:<12} {other:<16} {:>5} {mean:>7.3} {least:>7.2} {most:>7.2}",
            ratios.len()
        );
    }
}

/// Prints what each way of ours holds at its peak over what its result holds; in means over inputs.
pub fn memory(records: &[Record]) {
    let mut all: BTreeMap<(&str, &str), Vec<f64>> = BTreeMap::new();
    for record in records {
        for way in ours(record) {
            if let Some(m) = way.memory.filter(|m| m.kept > 0) {
                let over = m.peak as f64 / m.kept as f64;
                all.entry((record.program, &way.name)).or_default().push(over);
            }
        }
    }
    println!(
        "\n{:<20} {:<12} memory at the peak over that of the result {:>7} {:>7} {:>7}",
        "program", "way", "mean", "least", "most"
    );
    for ((program, way), ratios) in all {
        let [mean, least, most] = summary(&ratios);
        println!("{program:<20} {way:<12} {:>42} {mean:>7.3} {least:>7.2} {most:>7.2}", "");
    }
}

/// All of it.
pub fn json(records: &[Record]) -> Value {
    let way = |w: &Timed| {
        json!({
            "name": w.name, "side": format!("{:?}", w.side).to_lowercase(), "anew": w.anew, "median": w.median(),
            "spread": w.spread(), "samples": w.samples,
            "peak_bytes": w.memory.map(|m| m.peak), "kept_bytes": w.memory.map(|m| m.kept),
        })
    };
    let contest = |r: &Record| {
        let ratios = ratios(r)
            .into_iter()
            .map(|(way, other, ratio)| json!({ "way": way, "against": other, "ratio": ratio }));
        json!({
            "program": r.program, "input": r.input, "entries": r.entries,
            "ways": r.ways.iter().map(way).collect::<Vec<_>>(), "ratios": ratios.collect::<Vec<_>>(),
        })
    };
    let means = collected(records).into_iter().map(|((program, way, other), ratios)| {
        let [mean, least, most] = summary(&ratios);
        json!({
            "program": program, "way": way, "against": other, "rows": ratios.len(),
            "mean": mean, "least": least, "most": most,
        })
    });
    json!({ "contests": records.iter().map(contest).collect::<Vec<_>>(), "means": means.collect::<Vec<_>>() })
}
