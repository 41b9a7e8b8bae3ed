//! The entries of a skip list and the lanes that link them.

use looplets::Index;

/// How many lanes there are.
pub const LANES: usize = 12;

/// What follows in each lane; `u32::MAX` is nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes(pub [u32; LANES]);

impl Lanes {
    /// Nothing follows.
    pub const NONE: Lanes = Lanes([u32::MAX; LANES]);

    /// The entry that follows in `lane`.
    pub fn next(&self, lane: usize) -> Option<usize> {
        Some(self.0[lane]).filter(|q| *q != u32::MAX).map(|q| q as usize)
    }
}

/// An entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node<Ix> {
    /// Its coordinate.
    pub at: Ix,
    /// What follows it.
    pub next: Lanes,
}

/// In how many lanes entry `q` is: in one of them, and in each more with a chance of a quarter.
pub(crate) fn height(q: usize) -> usize {
    let mixed = (q as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    1 + ((mixed ^ (mixed >> 32)).trailing_zeros() as usize / 2).min(LANES - 1)
}

/// What follows `behind` in `lane`; `None` is the head of fiber `p`.
pub(crate) fn follows<Ix>(
    head: &Lanes,
    node: &[Node<Ix>],
    behind: Option<usize>,
    lane: usize,
) -> Option<usize> {
    behind.map_or(head, |q| &node[q].next).next(lane)
}

/// The last entry of each lane before coordinate `i`; `None` is the head.
fn before<Ix: Index>(head: &Lanes, node: &[Node<Ix>], i: i64) -> [Option<usize>; LANES] {
    let mut all = [None; LANES];
    let mut behind = None;
    for lane in (0..LANES).rev() {
        while let Some(q) = follows(head, node, behind, lane).filter(|q| node[*q].at.to_i64() < i) {
            behind = Some(q);
        }
        all[lane] = behind;
    }
    all
}

/// One past the last coordinate of fiber `p`.
pub fn end<Ix: Index>(head: &[Lanes], node: &[Node<Ix>], p: i64) -> i64 {
    let Some(head) = head.get(p as usize) else { return 0 };
    before(head, node, i64::MAX)[0].map_or(0, |q| node[q].at.to_i64() + 1)
}

/// The entry of fiber `p` at coordinate `i`, or -1.
pub fn find<Ix: Index>(head: &[Lanes], node: &[Node<Ix>], p: i64, i: i64) -> i64 {
    let Some(head) = head.get(p as usize) else { return -1 };
    let behind = before(head, node, i)[0];
    let found = follows(head, node, behind, 0).filter(|q| node[*q].at.to_i64() == i);
    found.map_or(-1, |q| q as i64)
}

/// Makes an entry of fiber `p` at coordinate `i`, where there is none.
///
/// # Panics
/// If there are `u32::MAX` entries.
pub fn insert<Ix: Index>(head: &mut Vec<Lanes>, node: &mut Vec<Node<Ix>>, p: usize, i: usize) {
    let q = u32::try_from(node.len()).ok().filter(|q| *q != u32::MAX).expect("too many entries");
    if head.len() <= p {
        head.resize(p + 1, Lanes::NONE);
    }
    let mut next = Lanes::NONE;
    let behind = before(&head[p], node, i as i64);
    for (lane, behind) in behind.into_iter().enumerate().take(height(q as usize)) {
        let link = match behind {
            Some(b) => &mut node[b].next.0[lane],
            None => &mut head[p].0[lane],
        };
        next.0[lane] = std::mem::replace(link, q);
    }
    node.push(Node { at: Ix::from_i64(i as i64), next });
}

/// The invariant of [`SkipList`](crate::SkipList).
///
/// # Errors
/// What does not hold, and in which fiber.
pub fn invariant<Ix: Index>(
    len: usize,
    fibers: usize,
    head: &[Lanes],
    node: &[Node<Ix>],
) -> Result<usize, String> {
    if head.len() != fibers {
        return Err(format!("there are {} heads for {fibers} fibers", head.len()));
    }
    let mut linked = vec![false; node.len()];
    for (p, head) in head.iter().enumerate() {
        let (mut behind, mut free) = ([None; LANES], 0);
        while let Some(q) = follows(head, node, behind[0], 0) {
            let Some(entry) = node.get(q) else {
                return Err(format!("fiber {p} links to entry {q}, which is not there"));
            };
            if std::mem::replace(&mut linked[q], true) {
                return Err(format!("entry {q} is linked twice, again in fiber {p}"));
            }
            let i = entry.at.to_i64();
            if i < free {
                return Err(format!("the coordinates of fiber {p} do not ascend at {i}"));
            }
            if i as u64 >= len as u64 {
                return Err(format!("fiber {p} has coordinate {i}, but its size is {len}"));
            }
            free = i.saturating_add(1);
            for (lane, behind) in behind.iter_mut().enumerate().take(height(q)) {
                if follows(head, node, *behind, lane) != Some(q) {
                    return Err(format!("lane {lane} of fiber {p} passes by entry {q}"));
                }
                *behind = Some(q);
            }
        }
        if (0..LANES).any(|lane| follows(head, node, behind[lane], lane).is_some()) {
            return Err(format!("a lane of fiber {p} goes on behind its last entry"));
        }
    }
    match linked.iter().position(|l| !l) {
        Some(q) => Err(format!("entry {q} is in no fiber")),
        None => Ok(node.len()),
    }
}
