//! Nests as boxes along the index axis, in SVG that has words for those who do not see it, and colours for light and dark.

use super::layout::{lines, part as part_size, size, title, width, GHOST, LINE, PAD};
use super::nest::{Fiber, Nest, Part};
use std::fmt::Write as _;

/// Around the picture and between fibers.
const MARGIN: f64 = 20.0;

const STYLE: &str = "\
text{font:12px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1b1f24}\
.head{font-weight:bold}.kind{fill:#57606a}.stop{fill:#0b5cad}\
.paper{fill:#ffffff}.frame{fill:#f6f8fa;stroke:#8c959f}.stored{fill:#cfe5ff;stroke:#3573b8}\
.fill{fill:#eceff2;stroke:#8c959f;stroke-dasharray:3 3}.more{fill:none;stroke:#8c959f;stroke-dasharray:2 3}\
.axis{stroke:#57606a;fill:none}\
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.kind{fill:#a2abb5}.stop{fill:#7cb8ff}\
.paper{fill:#0d1117}.frame{fill:#161b22;stroke:#6e7681}.stored{fill:#123a66;stroke:#6cacf0}\
.fill{fill:#21262d;stroke:#6e7681}.more{stroke:#6e7681}.axis{stroke:#a2abb5}}";

/// The fibers below each other. What is stored is solid, what is not is dashed; a line under a box says where it ends.
///
/// Linear in the nests. The text is a whole SVG document, with a title and a description.
pub fn svg(fibers: &[Fiber]) -> String {
    let (mut wide, mut high) = (0.0_f64, MARGIN);
    let mut body = Svg { out: String::new() };
    for fiber in fibers {
        let heading = fiber.heading();
        let (w, h) = size(&fiber.nest);
        let start = width(&fiber.start);
        let w = w.max(start + width(&fiber.stop) + 4.0 * PAD);
        wide = wide.max(w).max(width(&heading) + PAD);
        body.text("head", MARGIN, high + LINE - 5.0, &heading);
        high += LINE + PAD;
        body.nest(&fiber.nest, MARGIN, high, w, h);
        high += h + PAD;
        body.axis(MARGIN, high, w, &fiber.start, &fiber.stop);
        high += LINE + 2.0 * MARGIN;
    }
    if fibers.is_empty() {
        let none = "no operand is read";
        wide = width(none);
        body.text("head", MARGIN, high + LINE, none);
        high += 2.0 * LINE;
    }
    let (wide, high) = (wide + 2.0 * MARGIN, high);
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{wide:.0}\" height=\"{high:.0}\" \
         viewBox=\"0 0 {wide:.0} {high:.0}\">\n<title>{}</title>\n<desc>{}</desc>\n<style>{STYLE}</style>\n\
         <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n",
        escaped(&heading(fibers)),
        escaped(&described(fibers)),
    );
    out + &body.out + "</svg>\n"
}

fn heading(fibers: &[Fiber]) -> String {
    let mut names: Vec<&str> = fibers.iter().map(|f| f.access.as_str()).collect();
    names.dedup();
    match names.is_empty() {
        true => "Looplets".to_owned(),
        false => format!("Looplets of {}", names.join(", ")),
    }
}

/// The picture in words.
fn described(fibers: &[Fiber]) -> String {
    let of = |f: &Fiber| format!("{}: {}.", f.heading(), f.nest.kinds().join(", "));
    fibers.iter().map(of).collect::<Vec<_>>().join(" ")
}

/// `text` as it stands in XML; what may not stand there at all is replaced.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            c if c.is_control() => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
    out
}

struct Svg {
    out: String,
}

impl Svg {
    fn text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        let text = escaped(text);
        let _ =
            writeln!(self.out, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>");
    }

    fn right(&mut self, class: &str, x: f64, y: f64, text: &str) {
        self.text(class, x - width(text), y, text);
    }

    fn rect(&mut self, class: &str, x: f64, y: f64, w: f64, h: f64) {
        let _ = writeln!(
            self.out,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" rx=\"3\"/>"
        );
    }

    fn line(&mut self, x: f64, y: f64, x2: f64, y2: f64) {
        let _ = writeln!(self.out, "<path class=\"axis\" d=\"M{x:.1} {y:.1}L{x2:.1} {y2:.1}\"/>");
    }

    /// The extent of a fiber.
    fn axis(&mut self, x: f64, y: f64, w: f64, start: &str, stop: &str) {
        self.line(x, y, x + w, y);
        self.line(x, y - 3.0, x, y + 3.0);
        self.line(x + w, y - 3.0, x + w, y + 3.0);
        self.text("stop", x, y + LINE - 3.0, start);
        self.right("stop", x + w, y + LINE - 3.0, stop);
    }

    /// A nest in a box of this place and size, which is as large as the nest at least.
    fn nest(&mut self, nest: &Nest, x: f64, y: f64, w: f64, h: f64) {
        match nest {
            Nest::Run { value, fill } => {
                self.rect(if *fill { "fill" } else { "stored" }, x, y, w, h);
                self.text("value", x + (w - width(value)) / 2.0, y + h / 2.0 + 4.0, value);
            }
            Nest::Parts { kind, parts } => {
                self.text("kind", x + 1.0, y + LINE - 5.0, kind);
                let least: Vec<f64> = parts.iter().map(|p| part_size(p).0).collect();
                let total: f64 = least.iter().sum();
                let mut at = x;
                for (k, (part, least)) in parts.iter().zip(&least).enumerate() {
                    // The tail of a spike is one element, however wide its box must be.
                    let share = match *kind == "spike" {
                        true if k == 0 => w - (total - least),
                        true => *least,
                        false => w * least / total,
                    };
                    // Where the tail of a spike ends, what is around it says.
                    let told = *kind != "spike" || k + 1 < parts.len();
                    self.part(part, told, at, y + LINE, share, h - LINE);
                    at += share;
                }
            }
            Nest::Repeat { kind, state, child } => {
                self.rect("frame", x, y, w, h);
                self.text("kind", x + PAD, y + LINE - 3.0, &title(kind, state));
                let (top, inner) = (y + LINE + PAD, h - LINE - 2.0 * PAD);
                let own = w - 2.0 * PAD - 2.0 * GHOST;
                self.part(child, true, x + PAD, top, own, inner);
                for k in 0..2 {
                    let left = x + PAD + own + f64::from(k) * GHOST;
                    self.rect("more", left, top, GHOST, inner - LINE);
                    let middle = left + (GHOST - width("..")) / 2.0;
                    self.text("kind", middle, top + (inner - LINE) / 2.0 + 3.0, "..");
                }
            }
            Nest::Cases(cases) => {
                self.rect("frame", x, y, w, h);
                self.text("kind", x + PAD, y + LINE - 3.0, "switch");
                let high: f64 = cases.iter().map(|(_, n)| LINE + size(n).1 + PAD).sum();
                let more = (h - LINE - PAD - high) / cases.len().max(1) as f64;
                let mut top = y + LINE;
                for (cond, nest) in cases {
                    let own = size(nest).1 + more;
                    self.text("stop", x + PAD, top + LINE - 4.0, cond);
                    self.nest(nest, x + PAD, top + LINE, w - 2.0 * PAD, own);
                    top += LINE + own + PAD;
                }
            }
            Nest::Frame { kind, words, body } => {
                self.rect("frame", x, y, w, h);
                let lines = lines(kind, words);
                let mut top = y;
                for line in &lines {
                    self.text("kind", x + PAD, top + LINE - 2.0, line);
                    top += LINE;
                }
                let high = h - (top - y) - 2.0 * PAD;
                self.nest(body, x + PAD, top + PAD, w - 2.0 * PAD, high);
            }
        }
    }

    /// A part, and below its right edge where it ends, if that is to be told.
    fn part(&mut self, part: &Part, told: bool, x: f64, y: f64, w: f64, h: f64) {
        self.nest(&part.nest, x, y, w, h - LINE);
        if !told {
            return;
        }
        self.line(x + w, y + h - LINE, x + w, y + h - LINE + 5.0);
        self.right("stop", x + w - 2.0, y + h - 4.0, &part.stop);
    }
}
