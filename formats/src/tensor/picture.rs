//! Small tensors level by level: the tree of their fibers, with coordinates and positions, as text and as SVG.
//!
//! What a level stores is what tells formats of one matrix apart, so the tree is of what [`Level::descend`] comes to, and
//! not of the entries alone: a row without entries is there in one format and not in another.

mod svg;
mod text;

use super::{format_name, Tensor};
use crate::error::Shape;
use crate::level::{Level, Seen};
use std::fmt::Display;
use std::ops::Range;

/// How many children of a fiber are drawn, and how many nodes of all fibers together.
const CHILDREN: usize = 8;
const NODES: usize = 96;

/// How long a value is drawn.
const VALUE: usize = 16;

/// A tensor as a tree of fibers, to print or to draw; made by [`Tensor::picture`].
///
/// As text, each line is a path to a stored value, a column for each level. `3@1` is coordinate 3, whose child is at
/// position 1 of the level below; `3..5@1` are the coordinates from 3 to 4, which share that child; `3@1..4` is made of
/// the entries 1 to 3 below. `.` is a fiber that stores nothing, and `..` stands for what is left out.
///
/// ```
/// # use looplets_formats as looplets;
/// use looplets::*;
/// let a: Csr<f64> = Tensor::from_dense([2, 3], &[0.0, 1.5, 2.0, 0.0, 0.0, 0.0])?;
/// assert_eq!(a.picture().to_string(), "\
/// 2x3 Dense<SparseList<Element<f64>>>, 2 stored
/// Dense 2   SparseList 3   Element
/// 0@0     ┬ 1@0          ─ 1.5
///         └ 2@1          ─ 2
/// 1@1     ─ .
/// ");
/// # Ok::<(), looplets::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    /// Shape, format, how many are stored.
    heading: String,
    /// The levels with their sizes, and the leaf.
    levels: Vec<String>,
    root: Below,
}

/// What stands below a coordinate.
#[derive(Clone, Debug)]
enum Below {
    Value(String),
    Fiber(Fiber),
}

/// A fiber: its children, and how many more there are.
#[derive(Clone, Debug, Default)]
struct Fiber {
    children: Vec<Node>,
    more: usize,
}

/// A child of a fiber.
#[derive(Clone, Debug)]
struct Node {
    /// Its coordinate, `3` or `3..5`.
    coordinate: String,
    /// Where it is below, `@1`; empty if the level does not say.
    position: String,
    below: Below,
}

impl<L: Level> Tensor<L>
where
    L::Value: Display,
{
    /// The tree of fibers, to print ([`Display`]) or to draw ([`Picture::svg`]).
    ///
    /// Of each fiber the first 8 children are shown, and of all together as many as fit a page; how many are left out is
    /// said. Linear in what the fibers store that are shown.
    pub fn picture(&self) -> Picture {
        let shape = self.shape();
        let mut names = Vec::with_capacity(L::RANK + 1);
        L::names(&mut names);
        // A level that is not made by `level!` does not know what it stands on.
        names.resize(L::RANK + 1, "");
        let sized = |(d, name): (usize, &&str)| match shape.get(d) {
            Some(size) => format!("{name} {size}").trim_start().to_owned(),
            None => (*name).to_owned(),
        };
        let heading = format!("{} {}, {} stored", Shape(&shape), format_name::<L>(), self.stored());
        let levels = names.iter().enumerate().map(sized).collect();
        let mut tree = Tree { rank: L::RANK, open: Vec::new(), value: None, nodes: 0 };
        if L::RANK > 0 {
            tree.open.push(Fiber::default());
        }
        self.root().descend(L::position(0, 1), 0, &mut |seen| tree.add(seen));
        Picture { heading, levels, root: tree.finish() }
    }
}

/// A tree that grows where a walk comes to.
struct Tree {
    rank: usize,
    /// The fibers on the way to where the walk is, outermost first; each but the first is that of the last node of the one
    /// before.
    open: Vec<Fiber>,
    /// The value of a tensor without dimensions.
    value: Option<String>,
    nodes: usize,
}

impl Tree {
    /// Adds what the walk comes to; whether it is to go on below.
    fn add<V: Display>(&mut self, seen: Seen<'_, V>) -> bool {
        let (depth, coordinates, positions) = match seen {
            Seen::Value(value) => {
                let value = word(value);
                match self.open.last_mut().and_then(|fiber| fiber.children.last_mut()) {
                    Some(node) => node.below = Below::Value(value),
                    None => self.value = Some(value),
                }
                return true;
            }
            Seen::Child { depth, coordinates, positions } => (depth, coordinates, positions),
        };
        self.close(depth + 1);
        let Some(fiber) = self.open.last_mut() else { return false };
        if fiber.children.len() >= CHILDREN || self.nodes >= NODES {
            fiber.more += 1;
            return false;
        }
        self.nodes += 1;
        fiber.children.push(Node {
            coordinate: short(&coordinates),
            position: positions.map_or_else(String::new, |all| format!("@{}", short(&all))),
            below: Below::Fiber(Fiber::default()),
        });
        if depth + 1 < self.rank {
            self.open.push(Fiber::default());
        }
        true
    }

    /// Closes fibers until `depth` are open.
    fn close(&mut self, depth: usize) {
        while self.open.len() > depth {
            let fiber = self.open.pop().unwrap_or_default();
            if let Some(node) = self.open.last_mut().and_then(|fiber| fiber.children.last_mut()) {
                node.below = Below::Fiber(fiber);
            }
        }
    }

    fn finish(mut self) -> Below {
        self.close(1);
        match (self.value, self.open.pop()) {
            (Some(value), _) => Below::Value(value),
            (None, fiber) => Below::Fiber(fiber.unwrap_or_default()),
        }
    }
}

/// A range of one as its number.
fn short(range: &Range<usize>) -> String {
    match range.end.checked_sub(range.start) {
        Some(1) => range.start.to_string(),
        _ => format!("{}..{}", range.start, range.end),
    }
}

/// A value in one short line, whatever its type prints.
fn word(value: &impl Display) -> String {
    let text = value.to_string();
    let plain = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    match text.chars().count() > VALUE {
        false => text.chars().map(plain).collect(),
        true => text.chars().take(VALUE - 2).map(plain).chain("..".chars()).collect(),
    }
}

impl Fiber {
    /// What is left out, in words.
    fn left_out(&self) -> Option<String> {
        (self.more > 0).then(|| format!(".. {} more", self.more))
    }

    /// What is said of a fiber in which nothing is drawn.
    fn nothing(&self) -> Option<String> {
        self.children.is_empty().then(|| self.left_out().unwrap_or_else(|| ".".to_owned()))
    }
}
