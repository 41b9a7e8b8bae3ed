//! Best paths in a program that uses the semiring: values against plain Rust, and how many steps, with
//! the rules and without.

use looplets::prelude::*;
use maxplus::{best, then, wait, Never, Score};

level! { type Graph_ = Tensor<Dense<SparseList<Element<Score, Never>>>>; }
level! { type List = Tensor<SparseList<Element<Score, Never>>>; }
level! { type Runs = Tensor<RunList<Element<Score, Never>>>; }
level! { type Vector = Tensor<Dense<Element<Score, Never>>>; }

/// All kernels of this crate that are written with `ways!` have the rules.
mod kernels {
    looplets::bring! {
        pub(crate) macro ways { use maxplus::{best, maxplus, then, wait}; }
    }
}
use kernels::ways;

ways! {
    #![steps(n)]
    fn relax(a: &Graph_, d: &List, n: &mut u64) -> (e: Vector) {
        for i, j { e[i] <<best>>= then(a[i, j], d[j]) }
    }
    fn leave(a: &Runs, t: &mut Score, n: &mut u64) { for i { t <<best>>= then(a[i], wait(i)) } }
    fn rest(len: usize, t: &mut Score, n: &mut u64) { for i in 2..len { t <<best>>= wait(i) } }
    fn both(a: &Runs, b: &List, t: &mut Score, n: &mut u64) {
        for i { t <<best>>= then(wait(i), a[i], b[i]) }
    }
    fn twice(a: &Runs, t: &mut Score, n: &mut u64) {
        for i { t <<best>>= then(wait(i), a[i], wait(3)) }
    }
    fn patient(a: &List, n: &mut u64) -> (e: Vector) {
        for i { e[i] = best(then(a[i], wait(4)), a[i]) }
    }
}

// One kernel that brings the rules in by itself, and one without them.
finch! {
    #![steps(n)]
    use maxplus::{best, maxplus, then, wait};
    fn leave_alone(a: &Runs, t: &mut Score, n: &mut u64) { for i { t <<best>>= then(a[i], wait(i)) } }
}
finch! {
    #![steps(n)]
    use maxplus::{best, then, wait};
    fn leave_each(a: &Runs, t: &mut Score, n: &mut u64) { for i { t <<best>>= then(a[i], wait(i)) } }
}

fn plain(a: &[Score], way: impl Fn(usize, Score) -> Score) -> Score {
    a.iter().enumerate().fold(Score::NEVER, |t, (i, s)| best(t, way(i, *s)))
}

#[test]
fn a_run_of_ways_is_one_step_with_the_rules_only() {
    let all = [vec![Score(1); 4000], vec![Score::NEVER; 4000], vec![Score(9000); 1000]].concat();
    let a: Runs = Tensor::from_dense([9000], &all).unwrap();
    let expected = plain(&all, |i, s| then(s, wait(i as i64)));
    assert_eq!(expected, Score(1000));
    type Kernel = fn(&Runs, &mut Score, &mut u64);
    for (kernel, steps) in [(leave as Kernel, 3), (leave_alone, 3), (leave_each, 9003)] {
        let (mut t, mut n) = (Score::NEVER, 0);
        kernel(&a, &mut t, &mut n);
        assert_eq!((t, n), (expected, steps));
    }
    let (mut t, mut n) = (Score::NEVER, 0);
    twice(&a, &mut t, &mut n);
    assert_eq!((t, n), (plain(&all, |i, s| then(s, wait(i as i64 + 3))), 3));
}

#[test]
fn a_loop_of_waits_is_its_first() {
    for len in [0, 2, 3, 4000] {
        let (mut t, mut n) = (Score(-9), 0);
        rest(len, &mut t, &mut n);
        assert_eq!((t, n), (if len > 2 { Score(-2) } else { Score(-9) }, 0), "{len}");
    }
}

#[test]
fn runs_meet_entries() {
    let all = [vec![Score(1); 4000], vec![Score::NEVER; 4000], vec![Score(9000); 1000]].concat();
    let a: Runs = Tensor::from_dense([9000], &all).unwrap();
    let entries = [([1], Score(3)), ([5000], Score(77)), ([8100], Score(2))];
    let b = Tensor::from_triplets([9000], entries, Refuse).unwrap();
    let (mut t, mut n) = (Score::NEVER, 0);
    both(&a, &b, &mut t, &mut n);
    let stored = b.to_dense();
    let expected = plain(&all, |i, s| then(then(s, wait(i as i64)), stored[i]));
    // Three entries, and two runs that end before the last of them.
    assert_eq!((t, n), (expected, 5));
}

#[test]
fn values_are_those_of_plain_loops() {
    let mut state = 1u64;
    let mut next = |n: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % n
    };
    for len in [0, 1, 2, 30] {
        for _ in 0..20 {
            // Runs of equal ways, or none.
            let mut all = Vec::new();
            while all.len() < len {
                let way = if next(2) == 0 { Score::NEVER } else { Score(next(20) as i32 - 10) };
                all.extend(vec![way; 1 + next(5) as usize]);
            }
            all.truncate(len);
            let (a, list): (Runs, List) = (
                Tensor::from_dense([len], &all).unwrap(),
                Tensor::from_dense([len], &all).unwrap(),
            );
            let (mut t, mut u, mut v, mut n) = (Score::NEVER, Score::NEVER, Score::NEVER, 0);
            leave(&a, &mut t, &mut n);
            leave_each(&a, &mut u, &mut n);
            both(&a, &list, &mut v, &mut n);
            assert_eq!(t, plain(&all, |i, s| then(s, wait(i as i64))), "{all:?}");
            assert_eq!(u, t, "{all:?}");
            assert_eq!(v, plain(&all, |i, s| then(then(s, s), wait(i as i64))), "{all:?}");
            assert_eq!(patient(&list, &mut n).to_dense(), all);
        }
    }
}

#[test]
fn paths() {
    let edges = [(1, 0, 3), (2, 1, 4), (2, 0, 5), (3, 2, -1)];
    let a: Graph_ = Tensor::from_triplets(
        [100, 100],
        edges.iter().map(|&(i, j, w)| ([i, j], Score(w))),
        Refuse,
    )
    .unwrap();
    let d = Tensor::from_triplets([100], [([0], Score(0)), ([1], Score(3))], Refuse).unwrap();
    let mut n = 0;
    let e = relax(&a, &d, &mut n);
    assert_eq!(e.to_dense()[..4], [Score::NEVER, Score(3), Score(7), Score::NEVER]);
    // A hundred rows, and what is stored in them up to the last entry of `d`.
    assert_eq!(n, 105);
}

/// In how many terms the rule `name` acted.
fn times(stages: &str, name: &str) -> usize {
    let rules = stages.split("== rules").nth(1).unwrap().split("\n== ").next().unwrap();
    let line = rules.lines().find(|l| l.contains(&format!("maxplus::{name}:"))).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn each_rule_acts() {
    let stages = explain! {
        use maxplus::{best, maxplus, then, wait};
        fn all(a: &Runs, b: &List, len: usize, t: &mut Score, u: &mut Score) -> (e: Vector, f: Vector) {
            for i { t <<best>>= then(wait(i), a[i], wait(3)) }
            for i { t <<best>>= then(wait(i), a[i]) }
            for i in 0..len { u <<best>>= wait(i) }
            for i {
                e[i] = best(then(b[i], wait(4)), b[i]);
                f[i] = best(wait(0), wait(4), b[i]);
            }
        }
    };
    for name in ["patience", "at_once", "waits", "soonest", "soonest_later", "soonest_alone"] {
        assert!(times(stages, name) > 0, "{name}");
    }
}
