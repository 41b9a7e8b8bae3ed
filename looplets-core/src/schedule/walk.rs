//! How a loop goes along an expression: along the entries of operands, along runs, or over all there is.

use super::cost::Cost;
use super::presence::Fiber;

/// As many operands as stand for those that leap.
pub const LEAPS: usize = 1 << 16;

/// The steps of one run of a loop along one operand, or along several that leap.
#[derive(Clone, PartialEq)]
pub struct Steps<'e> {
    /// What it goes along.
    fibers: Vec<Fiber<'e>>,
    /// One for each entry.
    all: Cost,
    /// As many as are left where other operands end the loop or have nothing for it.
    met: Cost,
}

/// The steps of one run of a loop.
#[derive(Clone, PartialEq)]
pub enum Walk<'e> {
    /// Nothing depends on the index.
    Constant,
    /// One for each coordinate.
    Whole,
    /// One for each entry of operands without which there is nothing to do.
    Along(Vec<Steps<'e>>),
    /// As many, from one entry to the next that all of them have.
    Leaping(Steps<'e>),
    /// One for each run of values that are alike: where each operand has its own, all of them end a step.
    Runs(Vec<Steps<'e>>),
}

fn sum(all: &[Steps<'_>]) -> Cost {
    all.iter().fold(Cost::zero(), |sum, one| sum.plus(&one.met))
}

/// Both, where what both go along is gone along once.
fn united<'e>(mut all: Vec<Steps<'e>>, others: Vec<Steps<'e>>) -> Vec<Steps<'e>> {
    for other in others {
        match all.iter_mut().find(|own| own.fibers == other.fibers) {
            Some(own) if own.met == other.met => {}
            Some(own) => {
                let both = own.met.clone().plus(&other.met);
                own.met = Cost::least([both, own.all.clone()]);
            }
            None => all.push(other),
        }
    }
    all
}

impl<'e> Steps<'e> {
    fn new(fibers: Vec<Fiber<'e>>, steps: Cost) -> Self {
        Steps { fibers, all: steps.clone(), met: steps }
    }

    /// Whether this goes along all that `other` does.
    fn has(&self, other: &Steps<'e>) -> bool {
        other.fibers.iter().all(|f| self.fibers.contains(f))
    }

    /// Whether one of `others` goes along what this does.
    fn within(&self, others: &[Steps<'e>]) -> bool {
        others.iter().any(|s| self.fibers.iter().any(|f| s.fibers.contains(f)))
    }
}

impl<'e> Walk<'e> {
    /// Along `fiber`, which has so many entries.
    pub fn along(fiber: Fiber<'e>, steps: Cost) -> Self {
        Walk::Along(vec![Steps::new(vec![fiber], steps)])
    }

    /// Along runs of `fiber`, which has so many.
    pub fn along_runs(fiber: Fiber<'e>, steps: Cost) -> Self {
        Walk::Runs(vec![Steps::new(vec![fiber], steps)])
    }

    fn into_steps(self) -> Vec<Steps<'e>> {
        match self {
            Walk::Along(all) | Walk::Runs(all) => all,
            Walk::Leaping(steps) => vec![steps],
            Walk::Constant | Walk::Whole => Vec::new(),
        }
    }

    /// The steps, if there is not one for each coordinate, and along how many operands.
    pub fn steps(&self) -> Option<(Cost, usize)> {
        match self {
            Walk::Along(all) => Some((sum(all), all.len())),
            Walk::Leaping(steps) => Some((steps.met.clone(), LEAPS)),
            Walk::Runs(all) => Some((sum(all), 1)),
            Walk::Constant | Walk::Whole => None,
        }
    }

    /// That of a sum of both.
    pub fn together(self, other: Self) -> Self {
        match (self, other) {
            (Walk::Constant, Walk::Along(all)) | (Walk::Along(all), Walk::Constant) => {
                Walk::Runs(all)
            }
            (Walk::Constant, Walk::Leaping(steps)) | (Walk::Leaping(steps), Walk::Constant) => {
                Walk::Runs(vec![steps])
            }
            (Walk::Constant, other) | (other, Walk::Constant) => other,
            (Walk::Whole, _) | (_, Walk::Whole) => Walk::Whole,
            (Walk::Along(a), Walk::Along(b)) => Walk::Along(united(a, b)),
            (a, b) if a == b => a,
            (Walk::Leaping(a), Walk::Leaping(b)) => {
                let fibers = [a.fibers, b.fibers].concat();
                Walk::Leaping(Steps::new(fibers, a.met.plus(&b.met)))
            }
            (Walk::Leaping(leaping), Walk::Along(mut all))
            | (Walk::Along(mut all), Walk::Leaping(leaping)) => {
                let steps = sum(&all).plus(&leaping.met);
                all.push(leaping);
                let fibers = all.into_iter().flat_map(|s| s.fibers).collect();
                Walk::Leaping(Steps::new(fibers, steps))
            }
            (a, b) => Walk::Runs(united(a.into_steps(), b.into_steps())),
        }
    }

    /// That of a product of all along which each leaps to the next entry of another: that with the fewest leads.
    pub fn leaping(all: Vec<Self>) -> Self {
        let steps = |w: &Self| match w {
            Walk::Along(_) | Walk::Leaping(_) => w.clone().into_steps(),
            _ => Vec::new(),
        };
        let along: Vec<Vec<Steps<'e>>> = all.iter().map(steps).collect();
        if along.iter().all(Vec::is_empty) {
            return all.into_iter().fold(Walk::Constant, Walk::together);
        }
        let along = along.iter().filter(|all| !all.is_empty());
        let least = Cost::least(along.clone().map(|all| sum(all)));
        let fibers = along.flatten().flat_map(|s| s.fibers.iter().cloned()).collect();
        Walk::Leaping(Steps::new(fibers, least.times(&Cost::number(2.0))))
    }

    /// That of a product of all: none is gone along where another one has nothing. `others` is gone along beside them, and says
    /// nothing of where the product is nothing.
    pub fn beside(all: Vec<Self>, others: Along<'e>) -> Self {
        let mut along: Vec<Vec<Steps<'e>>> = Vec::new();
        for walk in &all {
            let steps = match walk {
                Walk::Along(steps) => steps.clone(),
                Walk::Leaping(steps) => vec![steps.clone()],
                _ => continue,
            };
            if !along.contains(&steps) {
                along.push(steps);
            }
        }
        if along.is_empty() {
            return all.into_iter().fold(Walk::Constant, Walk::together);
        }
        // What leaps anyway goes along no operand once more.
        let leaping = all.iter().find_map(|w| match w {
            Walk::Leaping(steps) => Some(steps),
            _ => None,
        });
        if let Some(leaping) = leaping {
            along.retain(|all| {
                all[..] == *std::slice::from_ref(leaping) || !all.iter().all(|s| leaping.has(s))
            });
            if along.len() == 1 && others.0.is_empty() {
                return Walk::Leaping(leaping.clone());
            }
        }
        // As many steps as one has, unless another one has nothing.
        let met = |own: &Steps<'e>, n: usize| {
            let ends = |(m, factor): &(usize, &Vec<Steps<'e>>)| {
                *m != n && !own.within(factor) && !sum(factor).is_something()
            };
            let others = along.iter().enumerate().filter(ends);
            let met = others.map(|(_, factor)| own.met.times(&sum(factor)));
            Cost::least(std::iter::once(own.met.clone()).chain(met))
        };
        let mut out = Vec::new();
        for (n, factor) in along.iter().chain(std::iter::once(&others.0)).enumerate() {
            let new = |s: &&Steps<'e>| n < along.len() || !along.iter().any(|all| s.within(all));
            let steps = |own: &Steps<'e>| Steps { met: met(own, n), ..own.clone() };
            out = united(out, factor.iter().filter(new).map(steps).collect());
        }
        Walk::Along(out)
    }
}

/// Operands that loops go along beside others.
#[derive(Clone, Default)]
pub struct Along<'e>(Vec<Steps<'e>>);

impl<'e> Along<'e> {
    /// What `walk` goes along too.
    pub fn also(&mut self, walk: Walk<'e>) {
        if let Walk::Along(steps) = walk {
            self.0 = united(std::mem::take(&mut self.0), steps);
        }
    }
}
