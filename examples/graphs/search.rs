//! Which vertices can be reached: breadth-first search from its front outwards, by asking those that
//! were not found, and the components that are connected.

use looplets::prelude::*;
use looplets::semiring::MaxU32;

level! { type Front = Tensor<Bitmap<Pattern>>; }
level! { type Numbers = Tensor<Dense<Element<u32, MaxU32>>>; }

/// What [`push`] and [`pull`] give for vertices that cannot be reached.
pub const UNREACHED: u32 = u32::MAX;

finch! {
    use looplets::semiring::second;

    /// Or-and, where nothing was found so far: the vertices behind the edges of the front.
    fn pushed(a: &Graph, front: &Front, steps: &Numbers, unreached: u32) -> (next: Front) {
        for i, j { next[j] ||= front[i] && a[i, j] && steps[j] == unreached }
    }

    /// The same the other way round: whoever was not found looks for one in the front, and stops there.
    fn pulled(back: &Graph, front: &Front, steps: &Numbers, unreached: u32) -> (next: Front) {
        for j { if steps[j] == unreached {
            let mut found: bool;
            for i { found ||= back[j, i] && front[i] }
            next[j] = found
        } }
    }

    fn settle(front: &Front, step: u32, steps: &mut Numbers, found: &mut u64) {
        for i { if front[i] { steps[i] = step; found += 1 } }
    }

    /// Min-second: the least number among the neighbours.
    fn least(a: &Graph, label: &Numbers) -> (y: Numbers) {
        for i, j { y[i] <<min>>= second(a[i, j], label[j]) }
    }

    fn lower(y: &Numbers, label: &Numbers, changes: &mut u64) -> (z: Numbers) {
        for i { z[i] = min(y[i], label[i]); changes += y[i] < label[i] }
    }
}

/// How many edges each vertex is away from `source`: each step starts from the edges of its front.
pub fn push(graph: &Graph, source: usize) -> Result<Vec<u32>, Error> {
    search(graph.shape()[0], source, |front, steps| pushed(graph, front, steps, UNREACHED))
}

/// The same where each step asks the vertices not found yet; `back` is the graph turned round.
pub fn pull(back: &Graph, source: usize) -> Result<Vec<u32>, Error> {
    search(back.shape()[0], source, |front, steps| pulled(back, front, steps, UNREACHED))
}

fn search(
    size: usize,
    source: usize,
    next: impl Fn(&Front, &Numbers) -> Front,
) -> Result<Vec<u32>, Error> {
    let mut front: Front = Tensor::from_triplets([size], [([source], true)], Refuse)?;
    let mut steps: Numbers = Tensor::from_dense([size], &vec![UNREACHED; size])?;
    for step in 0.. {
        let mut found = 0;
        settle(&front, step, &mut steps, &mut found);
        if found == 0 {
            break;
        }
        front = next(&front, &steps);
    }
    Ok(steps.to_dense())
}

/// For each vertex the least one it is connected with; edges go both ways.
pub fn components(graph: &Graph) -> Result<Vec<u32>, Error> {
    let size = graph.shape()[0];
    let own: Vec<u32> = (0..size as u32).collect();
    let mut label: Numbers = Tensor::from_dense([size], &own)?;
    loop {
        let mut changes = 0;
        let next = lower(&least(graph, &label), &label, &mut changes);
        if changes == 0 {
            return Ok(label.to_dense());
        }
        label = next;
    }
}

/// The graph with its edges turned round.
pub fn turned(graph: &Graph) -> Result<Graph, Error> {
    let edges = graph.triplets().into_iter().map(|(at, _)| ([at[1], at[0]], true));
    Tensor::from_triplets(graph.shape(), edges, Refuse)
}
