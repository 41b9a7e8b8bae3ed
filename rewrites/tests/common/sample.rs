//! States to try terms in, and whether two terms do the same in all of them.

use super::eval::{run, State, Value};
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

/// A state: with infinities if `special` is 1, with NaN too if it is 2.
fn sample(random: &mut Random, special: u8) -> State {
    let mut floats = vec![-1.5, 0.0, 0.25, 1.0, 2.0, 6.0];
    if special > 0 {
        floats.extend([f64::INFINITY, f64::NEG_INFINITY]);
    }
    if special > 1 {
        floats.push(f64::NAN);
    }
    let mut memory = BTreeMap::new();
    for v in "nmksb".chars() {
        memory.insert((v, 0), Value::Int(random.pick(&[-2, -1, 0, 1, 2, 3])));
    }
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
        memory.insert(('D', k), Value::Int(random.pick(&[-1, 0, 1, 5])));
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
