//! Trees of fibers as SVG: a column for each level, a box for each fiber, with words for those who do not see it, and
//! colours for light and dark.

use super::{Below, Fiber, Node, Picture};
use std::fmt::Write as _;

/// The advance of a character of the monospaced font at 12 pixels, with a little room.
const CHARACTER: f64 = 7.4;
/// The height of a line of the tree.
const ROW: f64 = 26.0;
/// The height of a node.
const NODE: f64 = 20.0;
/// Between the columns, and around the picture.
const GAP: f64 = 36.0;
const MARGIN: f64 = 20.0;
/// Between a text and the box around it.
const PAD: f64 = 7.0;
/// Where the tree begins.
const TOP: f64 = 66.0;

const STYLE: &str = "\
text{font:12px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1b1f24}\
.head{font-weight:bold}.level,.at{fill:#57606a}\
.paper{fill:#ffffff}.fiber{fill:#f6f8fa;stroke:#8c959f}.node{fill:#cfe5ff;stroke:#3573b8}\
.value{fill:#dcf3e0;stroke:#2f7d43}.none{fill:none;stroke:#8c959f;stroke-dasharray:3 3}.link{stroke:#57606a;fill:none}\
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.level,.at{fill:#a2abb5}\
.paper{fill:#0d1117}.fiber{fill:#161b22;stroke:#6e7681}.node{fill:#123a66;stroke:#6cacf0}\
.value{fill:#133d22;stroke:#5fc27d}.none{stroke:#6e7681}.link{stroke:#a2abb5}}";

impl Picture {
    /// The tree as a whole SVG document, with a title and a description.
    ///
    /// Fibers are boxes, a column for each level; a node has its coordinate and, behind `@`, the position of its child.
    pub fn svg(&self) -> String {
        let mut widths: Vec<f64> = self.levels.iter().map(|name| width(name)).collect();
        // What has no child stands in the column of the child.
        widen(&self.root, 0, &mut widths);
        let mut lefts = Vec::with_capacity(widths.len());
        let mut right = MARGIN;
        for width in &widths {
            lefts.push(right);
            right += width + 2.0 * PAD + GAP;
        }
        let mut svg = Svg { out: String::new(), links: String::new(), lefts, widths, next: TOP };
        svg.text("head", MARGIN, MARGIN + 12.0, &self.heading);
        for (k, name) in self.levels.iter().enumerate() {
            svg.text("level", svg.lefts[k], MARGIN + 34.0, name);
        }
        svg.below(&self.root, 0);
        let high = svg.next + MARGIN - (ROW - NODE);
        let wide = (right - GAP).max(MARGIN + width(&self.heading)) + MARGIN;
        let mut words = String::new();
        describe(&self.root, &mut Vec::new(), &mut words);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{wide:.0}\" height=\"{high:.0}\" \
             viewBox=\"0 0 {wide:.0} {high:.0}\">\n<title>{}</title>\n<desc>{}</desc>\n<style>{STYLE}</style>\n\
             <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n{}{}</svg>\n",
            escaped(&self.heading),
            escaped(words.trim_end()),
            svg.links,
            svg.out
        )
    }
}

fn width(text: &str) -> f64 {
    text.chars().count() as f64 * CHARACTER
}

/// Makes each column as wide as what stands in it.
fn widen(below: &Below, depth: usize, widths: &mut [f64]) {
    let mut holds = |depth: usize, text: &str| {
        if let Some(most) = widths.get_mut(depth) {
            *most = most.max(width(text));
        }
    };
    match below {
        Below::Value(value) => holds(depth, value),
        Below::Fiber(fiber) => {
            [fiber.nothing(), fiber.left_out()]
                .iter()
                .flatten()
                .for_each(|text| holds(depth, text));
            for node in &fiber.children {
                holds(depth, &format!("{}{}", node.coordinate, node.position));
            }
            fiber.children.iter().for_each(|node| widen(&node.below, depth + 1, widths));
        }
    }
}

/// The tree in words, a sentence for each path.
fn describe(below: &Below, path: &mut Vec<String>, out: &mut String) {
    let at = |path: &[String]| match path.is_empty() {
        true => "It".to_owned(),
        false => format!("At {}", path.join(", ")),
    };
    // Writing to a string cannot fail.
    match below {
        Below::Value(value) => {
            let _ = write!(out, "{} is {value}. ", at(path));
        }
        Below::Fiber(fiber) if fiber.children.is_empty() && fiber.more == 0 => {
            let _ = write!(out, "{} stores nothing. ", at(path));
        }
        Below::Fiber(fiber) => {
            for node in &fiber.children {
                path.push(node.coordinate.clone());
                describe(&node.below, path, out);
                path.pop();
            }
            if fiber.more > 0 {
                let _ = write!(out, "{} has {} more. ", at(path), fiber.more);
            }
        }
    }
}

/// `text` as it stands in XML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            // What values print has been made plain, names of types are.
            c => out.push(c),
        }
    }
    out
}

struct Svg {
    out: String,
    /// What is drawn below all else.
    links: String,
    /// Where columns begin, and how wide their texts may be.
    lefts: Vec<f64>,
    widths: Vec<f64>,
    /// The top of the next line.
    next: f64,
}

impl Svg {
    fn text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        let text = escaped(text);
        let _ =
            writeln!(self.out, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>");
    }

    fn rect(out: &mut String, class: &str, (x, y): (f64, f64), (w, h): (f64, f64)) {
        let _ = writeln!(
            out,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" rx=\"3\"/>"
        );
    }

    /// Where column `depth` begins, and how wide a box in it is.
    fn column(&self, depth: usize) -> (f64, f64) {
        let last = self.lefts.len() - 1;
        let depth = depth.min(last);
        (self.lefts[depth], self.widths[depth] + 2.0 * PAD)
    }

    /// A line of its own with a text in a box; the middle of it.
    fn alone(&mut self, class: &str, depth: usize, text: &str) -> f64 {
        let (x, _) = self.column(depth);
        let y = self.next;
        Svg::rect(&mut self.out, class, (x, y), (width(text) + 2.0 * PAD, NODE));
        self.text("word", x + PAD, y + 14.0, text);
        self.next += ROW;
        y + NODE / 2.0
    }

    /// What stands in column `depth`; the middles of what a line leads to from the left.
    fn below(&mut self, below: &Below, depth: usize) -> Vec<f64> {
        match below {
            Below::Value(value) => vec![self.alone("value", depth, value)],
            Below::Fiber(fiber) => self.fiber(fiber, depth),
        }
    }

    fn fiber(&mut self, fiber: &Fiber, depth: usize) -> Vec<f64> {
        if let Some(nothing) = fiber.nothing() {
            return vec![self.alone("none", depth, &nothing)];
        }
        let (x, wide) = self.column(depth);
        let middles: Vec<f64> =
            fiber.children.iter().map(|node| self.node(node, depth, x, wide)).collect();
        if let Some(left_out) = fiber.left_out() {
            self.alone("none", depth, &left_out);
        }
        let (first, last) = (middles[0], middles[middles.len() - 1]);
        let edge = NODE / 2.0 + 4.0;
        let (at, size) = ((x - 4.0, first - edge), (wide + 8.0, last - first + 2.0 * edge));
        Svg::rect(&mut self.links, "fiber", at, size);
        middles
    }

    /// A node beside the middle of what is below it; its own middle.
    fn node(&mut self, node: &Node, depth: usize, x: f64, wide: f64) -> f64 {
        let below = self.below(&node.below, depth + 1);
        let middle = (below[0] + below[below.len() - 1]) / 2.0;
        Svg::rect(&mut self.out, "node", (x, middle - NODE / 2.0), (wide, NODE));
        let (coordinate, position) = (escaped(&node.coordinate), escaped(&node.position));
        let _ = writeln!(
            self.out,
            "<text x=\"{:.1}\" y=\"{:.1}\">{coordinate}<tspan class=\"at\">{position}</tspan></text>",
            x + PAD,
            middle + 4.0
        );
        let (from, to) = (x + wide, self.column(depth + 1).0);
        for y in below {
            let half = (from + to) / 2.0;
            let _ = writeln!(
                self.links,
                "<path class=\"link\" d=\"M{from:.1} {middle:.1}C{half:.1} {middle:.1} {half:.1} {y:.1} {to:.1} {y:.1}\"/>"
            );
        }
        middle
    }
}
