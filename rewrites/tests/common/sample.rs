//! States to try terms in, and whether two terms do the same in all of them.

use super::eval::{run, State, Value};
use super::values::Hostile;
use super::{show, Term};
use std::collections::BTreeMap;

/// A small generator of numbers, the same every time.
pub struct Random(pub u64);

impl Random {
    /// One of `from`.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        from[(self.0 >> 33) as usize % from.len()]
    }
}

/// The floats of states: those of which sums of a few are exact; with infinities if `special` is 1, with NaN
/// too if it is 2, and if it is 3 with those that every operation rounds, with the least and the greatest.
fn floats(special: u8) -> Vec<f64> {
    let wanted = |x: &&f64| match special {
        0 => false,
        1 => x.is_infinite(),
        2 => !x.is_finite(),
        _ => true,
    };
    let mut all = f64::SMALL.to_vec();
    let extreme: Vec<f64> = f64::EXTREME.iter().filter(wanted).copied().collect();
    // About as many, so that two of them meet.
    let times = all.len().checked_div(extreme.len()).unwrap_or_default();
    all.extend(extreme.repeat(times));
    all
}

/// A state, with floats that are as special.
fn sample(random: &mut Random, special: u8) -> State {
    let floats = floats(special);
    // Loops between the ends of a type have no meaning here: most numbers are small.
    let whole = |random: &mut Random| match random.pick(&[0, 1, 2, 3, 4, 5, 6]) {
        0 => random.pick(i64::EXTREME).into(),
        _ => random.pick(&[-2, -1, 0, 1, 2, 3]),
    };
    let mut memory = BTreeMap::new();
    for v in "nmks".chars() {
        memory.insert((v, 0), Value::Int(whole(random)));
    }
    // The terms' numbers have no width, so that one of few bits stays small.
    memory.insert(('b', 0), Value::Int(random.pick(&[-2, -1, 0, 1, 2, 3])));
    memory.insert(('u', 0), Value::Int(random.pick(&[0, 1, 2, 4])));
    memory.insert(('h', 0), Value::Int(random.pick(&[1, 2, 5])));
    memory.insert(('l', 0), Value::Int(random.pick(&[-5, -2, -1])));
    for v in "xyzw".chars() {
        memory.insert((v, 0), Value::Float(random.pick(&floats)));
    }
    if random.pick(&[true, false]) {
        memory.insert(('w', 0), Value::Missing);
    }
    for v in "pqr".chars() {
        memory.insert((v, 0), Value::Bool(random.pick(&[true, false])));
    }
    for k in -5..8 {
        for t in "ABCW".chars() {
            memory.insert((t, k), Value::Float(random.pick(&floats)));
        }
        memory.insert(('D', k), Value::Int(whole(random)));
        memory.insert(('P', k), Value::Bool(random.pick(&[true, false])));
    }
    for k in 0..3 {
        memory.insert(('a', k), Value::Int(random.pick(&[0, 1, 2, 3])));
        memory.insert(('v', k), Value::Float(random.pick(&floats)));
    }
    State { memory, written: vec![], raw: random.pick(&floats) }
}

/// How many states the terms agreed in, or where they do not.
pub fn agree(a: &Term, b: &Term, special: u8) -> Result<usize, String> {
    let mut random = Random(7);
    let mut meant = 0;
    for _ in 0..150 {
        let start = sample(&mut random, special);
        let (mut left, mut right) = (start.clone(), start.clone());
        let Ok(x) = run(a, &mut left) else { continue };
        meant += 1;
        let differ = |why: String| {
            let scalars: Vec<_> = start.memory.iter().filter(|m| m.0 .0.is_lowercase()).collect();
            Err(format!("`{}` and `{}` {why} from {scalars:?}", show(a), show(b)))
        };
        let Ok(y) = run(b, &mut right) else {
            return differ("differ: the second traps".into());
        };
        match (x, y) {
            (Some(x), Some(y)) if !x.same(y) => return differ(format!("are {x:?} and {y:?}")),
            _ => {}
        }
        for (place, x) in &left.memory {
            let y = right.memory[place];
            if !x.same(y) {
                return differ(format!("leave {x:?} and {y:?} in {place:?}"));
            }
        }
        // A tensor must get no entry it would not have had; writing a scalar back leaves no trace.
        let mut new = right.written.iter().filter(|p| p.0.is_uppercase());
        if let Some(place) = new.find(|p| !left.written.contains(p)) {
            return differ(format!("differ: only the second writes {place:?}"));
        }
    }
    Ok(meant)
}
