//! Charts as papers have them: for each program the speed of everything over that of the first loop by hand, a group
//! of bars for each input; and for scaling, time for one entry over the number of entries.

use crate::contest::{Record, Side};
use std::collections::BTreeSet;
use std::fmt::Write;

const COLOURS: [&str; 16] = [
    "#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f",
    "#bcbd22", "#17becf", "#0b3c5d", "#a65200", "#7fc97f", "#f4a6a6", "#4b2e83", "#000000",
];
const HEIGHT: f64 = 300.0;
const TOP: f64 = 40.0;
const LEFT: f64 = 60.0;

/// The name of a way, which ours and others may share.
fn called(side: Side, name: &str) -> String {
    match side {
        Side::Ours => format!("finch! {name}"),
        Side::Hand => format!("{name} (by hand)"),
        Side::Library => name.to_owned(),
    }
}

/// The names of all ways, in order of appearance.
fn names(records: &[&Record]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for way in records.iter().flat_map(|r| &r.ways) {
        let name = called(way.side, &way.name);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// A drawing that grows.
struct Svg {
    body: String,
    width: f64,
    height: f64,
}

impl Svg {
    fn text(&mut self, x: f64, y: f64, more: &str, text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(self.body, "<text x='{x:.1}' y='{y:.1}' {more}>{text}</text>");
    }
    fn line(&mut self, x: [f64; 2], y: [f64; 2], colour: &str) {
        let ([a, b], [c, d]) = (x, y);
        let _ = writeln!(
            self.body,
            "<line x1='{a:.1}' x2='{b:.1}' y1='{c:.1}' y2='{d:.1}' stroke='{colour}'/>"
        );
    }
    fn legend(&mut self, names: &[String], x: f64) {
        for (k, name) in names.iter().enumerate() {
            let (y, colour) = (TOP + 16.0 * k as f64, COLOURS[k % COLOURS.len()]);
            let _ = writeln!(
                self.body,
                "<rect x='{x:.1}' y='{y:.1}' width='10' height='10' fill='{colour}'/>"
            );
            self.text(x + 15.0, y + 9.0, "", name);
        }
    }
    fn finish(self) -> String {
        let Svg { body, width, height } = self;
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='{width:.0}' height='{height:.0}' font-family='sans-serif' font-size='11'>\n<rect width='100%' height='100%' fill='white'/>\n{body}</svg>\n"
        )
    }
}

/// An axis upwards: logarithmic if the values differ by more than a factor of ten.
struct Axis {
    least: f64,
    most: f64,
    log: bool,
}

impl Axis {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let (least, most) = values
            .filter(|v| v.is_finite() && *v > 0.0)
            .fold((f64::INFINITY, 0.0), |(a, b): (f64, f64), v| (a.min(v), b.max(v)));
        match most / least > 10.0 {
            true => Axis {
                least: 10f64.powf(least.log10().floor()),
                most: 10f64.powf(most.log10().ceil()),
                log: true,
            },
            false => Axis { least: 0.0, most: most * 1.1, log: false },
        }
    }
    fn at(&self, v: f64) -> f64 {
        let share = match self.log {
            true => (v / self.least).ln() / (self.most / self.least).ln(),
            false => v / self.most,
        };
        TOP + HEIGHT * (1.0 - share.clamp(0.0, 1.0))
    }
    fn draw(&self, svg: &mut Svg, right: f64) {
        let ticks: Vec<f64> = match self.log {
            true => (self.least.log10().round() as i32..=self.most.log10().round() as i32)
                .map(|e| 10f64.powi(e))
                .collect(),
            false => (0..=5).map(|k| self.most * f64::from(k) / 5.0).collect(),
        };
        for v in ticks {
            let y = self.at(v);
            svg.line([LEFT, right], [y, y], "#dddddd");
            let told = if self.log { format!("{v}") } else { format!("{v:.2}") };
            svg.text(LEFT - 5.0, y + 4.0, "text-anchor='end'", &told);
        }
    }
}

/// A group of bars for each input of one program.
pub fn bars(program: &str, records: &[&Record]) -> String {
    let names = names(records);
    let speed = |record: &Record, name: &str| {
        let reference = record.ways.iter().find(|w| w.side == Side::Hand)?;
        let way = record.ways.iter().find(|w| called(w.side, &w.name) == name)?;
        Some(reference.over(way))
    };
    let axis = Axis::of(
        records.iter().flat_map(|r| names.iter().filter_map(|n| speed(r, n))).chain([1.0]),
    );
    let bar = 6.0;
    let group = bar * names.len() as f64 + 10.0;
    let right = LEFT + group * records.len() as f64;
    let mut svg = Svg { body: String::new(), width: right + 190.0, height: TOP + HEIGHT + 150.0 };
    let reference = names.iter().find(|n| n.ends_with("(by hand)")).map_or("", |n| n);
    svg.text(LEFT, 20.0, "font-size='14'", &format!("{program}: speed over that of {reference}"));
    axis.draw(&mut svg, right);
    for (g, record) in records.iter().enumerate() {
        let left = LEFT + group * g as f64 + 5.0;
        for (k, name) in names.iter().enumerate() {
            let Some(speed) = speed(record, name) else { continue };
            let (x, y, colour) =
                (left + bar * k as f64, axis.at(speed), COLOURS[k % COLOURS.len()]);
            let tall = TOP + HEIGHT - y;
            let _ = writeln!(
                svg.body,
                "<rect x='{x:.1}' y='{y:.1}' width='{:.1}' height='{tall:.1}' fill='{colour}'/>",
                bar - 0.5
            );
        }
        let (x, y) = (left + group / 2.0 - 5.0, TOP + HEIGHT + 10.0);
        svg.text(x, y, &format!("transform='rotate(60 {x:.1} {y:.1})'"), &record.input);
    }
    let y = axis.at(1.0);
    svg.line([LEFT, right], [y, y], "#444444");
    svg.legend(&names, right + 15.0);
    svg.finish()
}

/// Seconds for one entry, a line for each way, over the number of entries.
pub fn scaling(program: &str, records: &[&Record]) -> String {
    let names = names(records);
    let each = |record: &Record, name: &str| {
        let way = record.ways.iter().find(|w| called(w.side, &w.name) == name)?;
        Some(way.median() * 1e9 / record.entries.max(1) as f64)
    };
    let axis = Axis::of(records.iter().flat_map(|r| names.iter().filter_map(|n| each(r, n))));
    let (width, right) = (500.0, LEFT + 500.0);
    let (least, most) = records.iter().fold((f64::INFINITY, 1.0), |(a, b): (f64, f64), r| {
        (a.min(r.entries as f64), b.max(r.entries as f64))
    });
    let x = |entries: f64| LEFT + width * (entries / least).ln() / (most / least).ln().max(1e-9);
    let mut svg = Svg { body: String::new(), width: right + 190.0, height: TOP + HEIGHT + 50.0 };
    svg.text(
        LEFT,
        20.0,
        "font-size='14'",
        &format!("{program}: nanoseconds for an entry over entries"),
    );
    axis.draw(&mut svg, right);
    for record in records {
        let at = x(record.entries as f64);
        svg.text(
            at,
            TOP + HEIGHT + 18.0,
            "text-anchor='middle'",
            &format!("{:.0e}", record.entries as f64),
        );
    }
    // Inputs of one size that differ in what follows it, as 10 % and 10 of a vector, are lines of their own.
    let kind = |r: &Record| r.input.split_once(", ").map_or("", |(_, kind)| kind).to_owned();
    let kinds: BTreeSet<String> = records.iter().map(|r| kind(r)).collect();
    for (k, name) in names.iter().enumerate() {
        for (dashes, of) in kinds.iter().enumerate() {
            let points = records.iter().filter(|r| kind(r) == *of).filter_map(|r| {
                Some(format!("{:.1},{:.1}", x(r.entries as f64), axis.at(each(r, name)?)))
            });
            let points = points.collect::<Vec<_>>().join(" ");
            let colour = COLOURS[k % COLOURS.len()];
            let dash = if dashes > 0 { " stroke-dasharray='6 3'" } else { "" };
            let _ = writeln!(
                svg.body,
                "<polyline points='{points}' fill='none' stroke='{colour}' stroke-width='2'{dash}><title>{name}, {of}</title></polyline>"
            );
        }
    }
    svg.legend(&names, right + 15.0);
    svg.finish()
}
