//! The largest cubes of a set of points: prime implicants, found by counting in base three.
//!
//! A point says of each of `n` arguments whether it is stored, a cube leaves some of them open. Whether a cube
//! lies in the set follows from the two halves it has along any argument that it leaves open, so each of the
//! `3^n` cubes is looked at once; and a cube in the set is largest if no argument of it can be left open.

/// The most arguments that are looked at: half a million cubes.
pub const MOST_ARGUMENTS: usize = 12;
/// The most cubes, each of which becomes a rule.
pub const MOST_CUBES: usize = 300;

/// For each argument stored, not stored, or either.
pub type Cube = Vec<Option<bool>>;

/// The largest cubes over `n` arguments that hold a possible point, and no possible one that is not `wanted`;
/// arguments that are not `testable` stay open. Points are numbers with a bit for each argument.
pub fn largest(
    n: usize,
    possible: impl Fn(usize) -> bool,
    wanted: impl Fn(usize) -> bool,
    testable: impl Fn(usize) -> bool,
) -> Vec<Cube> {
    debug_assert!(n <= MOST_ARGUMENTS);
    let power: Vec<usize> = (0..=n).map(|k| 3usize.pow(k as u32)).collect();
    // Of an argument: 0 open, 1 not stored, 2 stored.
    let digit = |cube: usize, k: usize| cube / power[k] % 3;
    // Whether a cube holds a possible point, and whether all possible ones are wanted.
    let mut holds = vec![(false, true); power[n]];
    for cube in (0..power[n]).rev() {
        holds[cube] = match (0..n).find(|k| digit(cube, *k) == 0) {
            Some(k) => {
                let (a, b) = (holds[cube + power[k]], holds[cube + 2 * power[k]]);
                (a.0 || b.0, a.1 && b.1)
            }
            None => {
                let point = (0..n).filter(|k| digit(cube, *k) == 2).fold(0, |p, k| p | 1 << k);
                match possible(point) {
                    true => (true, wanted(point)),
                    false => (false, true),
                }
            }
        };
    }
    let tested: Vec<bool> = (0..n).map(testable).collect();
    let good = |cube: usize| {
        holds[cube] == (true, true) && (0..n).all(|k| tested[k] || digit(cube, k) == 0)
    };
    let is_largest = |cube: &usize| {
        let opened = |k: usize| *cube - digit(*cube, k) * power[k];
        good(*cube) && (0..n).all(|k| digit(*cube, k) == 0 || !good(opened(k)))
    };
    let shown =
        |cube: usize| (0..n).map(|k| [None, Some(false), Some(true)][digit(cube, k)]).collect();
    (0..power[n]).filter(is_largest).map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(cube: &Cube) -> Vec<usize> {
        let holds = |p: &usize| {
            cube.iter().enumerate().all(|(k, c)| c.is_none_or(|c| c == (p >> k & 1 == 1)))
        };
        (0..1 << cube.len()).filter(holds).collect()
    }

    /// Against the definition, for sets of every size, with points that cannot be and arguments that nothing is
    /// known of.
    #[test]
    fn cubes_are_the_largest_of_the_set() {
        let mut seed = 7u64;
        for round in 0..300 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(round);
            let n = (seed >> 60) as usize % 5;
            let set = seed >> 17;
            let impossible = if round % 3 == 0 { seed >> 33 } else { 0 };
            let hidden = if round % 5 == 0 { (seed >> 50) as usize } else { 0 };
            let wanted = |p: usize| set >> p & 1 == 1;
            let possible = |p: usize| impossible >> p & 1 == 0;
            let testable = |k: usize| hidden >> k & 1 == 0;
            let all = (0..3usize.pow(n as u32)).map(|code| -> Cube {
                let digit = |k: usize| code / 3usize.pow(k as u32) % 3;
                (0..n).map(|k| [None, Some(false), Some(true)][digit(k)]).collect()
            });
            let good: Vec<Cube> = all
                .filter(|cube| {
                    let mut inside = points(cube).into_iter().filter(|p| possible(*p)).peekable();
                    let tested = (0..n).all(|k| testable(k) || cube[k].is_none());
                    tested && inside.peek().is_some() && inside.all(wanted)
                })
                .collect();
            let within = |small: &Cube, big: &Cube| {
                small != big && points(small).iter().all(|p| points(big).contains(p))
            };
            let want: Vec<Cube> =
                good.iter().filter(|c| !good.iter().any(|b| within(c, b))).cloned().collect();
            assert_eq!(largest(n, possible, wanted, testable), want, "{n} {set:x}");
        }
    }
}
