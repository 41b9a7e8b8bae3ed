//! How a loop goes along an expression: along the entries of operands, along runs, or over all there is.

use super::cost::Cost;

/// As many operands as stand for those that leap.
pub const LEAPS: usize = 1 << 16;

/// The steps of one run of a loop.
#[derive(Clone, PartialEq, Debug)]
pub enum Walk {
    /// Nothing depends on the index.
    Constant,
    /// One for each coordinate.
    Whole,
    /// One for each entry of operands without which there is nothing to do, and how many those are.
    Along(Cost, usize),
    /// One for each run of values that are alike.
    Runs(Cost),
}

impl Walk {
    /// That of a sum of both.
    pub fn together(self, other: Walk) -> Walk {
        match (self, other) {
            (Walk::Constant, Walk::Along(steps, _)) | (Walk::Along(steps, _), Walk::Constant) => {
                Walk::Runs(steps)
            }
            (Walk::Constant, other) | (other, Walk::Constant) => other,
            (Walk::Whole, _) | (_, Walk::Whole) => Walk::Whole,
            (Walk::Along(a, m), Walk::Along(b, n)) => Walk::Along(a.plus(&b), m + n),
            (Walk::Along(a, _) | Walk::Runs(a), Walk::Along(b, _) | Walk::Runs(b)) => {
                Walk::Runs(a.plus(&b))
            }
        }
    }

    /// That of a product of all along which each leaps to the next entry of another: that with the fewest leads.
    pub fn leaping(all: Vec<Walk>) -> Walk {
        let along = all.iter().filter_map(|w| match w {
            Walk::Along(steps, _) => Some(steps.clone()),
            _ => None,
        });
        let least = Cost::least(along);
        Walk::Along(least.times(&Cost::number(2.0)), LEAPS)
    }

    /// That of a product of all: none is gone along where another one has nothing. `others` are the steps along what is read
    /// beside them, and says nothing of where the product is nothing.
    pub fn beside(all: Vec<Walk>, others: Cost) -> Walk {
        let along: Vec<(&Cost, usize)> = all
            .iter()
            .filter_map(|w| match w {
                Walk::Along(steps, many) => Some((steps, *many)),
                _ => None,
            })
            .collect();
        if along.is_empty() {
            return all.into_iter().fold(Walk::Constant, Walk::together);
        }
        // As many steps as one has, unless another one has nothing.
        let met = |own: &Cost, n: usize| {
            let may_lack = |other: &Cost| !other.is_something();
            let others =
                along.iter().enumerate().filter(|(m, (other, _))| *m != n && may_lack(other));
            let met = others.map(|(_, (other, _))| own.times(other));
            Cost::least(std::iter::once(own.clone()).chain(met))
        };
        let mut many = along.iter().map(|(_, many)| many).sum();
        let mut steps = Cost::zero();
        for (n, (own, _)) in along.iter().enumerate() {
            steps = steps.plus(&met(own, n));
        }
        if others != Cost::zero() {
            steps = steps.plus(&met(&others, along.len()));
            many += 1;
        }
        Walk::Along(steps, many)
    }
}
