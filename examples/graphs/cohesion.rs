//! How closely vertices hold together, over plus-pair under the mask of the edges: triangles and
//! trusses. Edges go both ways, and no vertex has one to itself.

use looplets::prelude::*;

finch! {
    use looplets::semiring::pair;

    /// Each edge from a greater vertex to a lesser, and the neighbours of both that are lesser still.
    fn closed(lower: &Graph, t: &mut u64) {
        for i, j { if lower[i, j] { for k { t += pair(lower[i, k], lower[j, k]) } } }
    }

    fn below(a: &Graph) -> (lower: Graph) {
        for i, j { if j < i { lower[i, j] = a[i, j] } }
    }

    /// The edges that are part of enough triangles.
    fn supported(a: &Graph, enough: u64) -> (b: Graph) {
        for i, j { if a[i, j] {
            let mut triangles: u64;
            for k { triangles += pair(a[i, k], a[j, k]) }
            if triangles >= enough { b[i, j] = true }
        } }
    }
}

/// The number of triangles.
pub fn triangles(graph: &Graph) -> Result<u64, Error> {
    let mut count = 0;
    closed(&below(graph), &mut count);
    Ok(count)
}

/// The largest part of the graph whose edges are each in `k - 2` triangles of that part.
pub fn truss(graph: &Graph, k: u64) -> Result<Graph, Error> {
    let mut part = graph.clone();
    loop {
        let next = supported(&part, k.saturating_sub(2));
        if next.stored() == part.stored() {
            return Ok(part);
        }
        part = next;
    }
}
