//! All that compute one program over one input: compared with each other, then timed in turns.

use crate::answer::Answer;
use crate::memory::Memory;
use looplets_benches::timing::median;
use std::hint::black_box;
use std::time::Instant;

/// One that computes a program.
pub trait Competitor {
    /// Computes once and says what.
    fn answer(&mut self) -> Answer;
    /// Computes `runs` times and says how many seconds that took.
    fn seconds(&mut self, runs: usize) -> f64;
    /// What memory computing once takes, if that is known.
    fn memory(&mut self) -> Option<Memory> {
        None
    }
}

/// Whose a way is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Side {
    /// Compiled by `finch!`.
    Ours,
    /// Loops written by hand, in Rust or C.
    Hand,
    /// Libraries.
    Library,
}

/// A competitor by name.
pub struct Way<'a> {
    pub name: String,
    pub side: Side,
    /// Whether each run makes its result in memory that it asks for, as libraries and all who return theirs do.
    pub anew: bool,
    competitor: Box<dyn Competitor + 'a>,
}

struct Local<F, A> {
    run: F,
    answer: A,
}

impl<T, F: FnMut() -> T, A: FnMut(T) -> Answer> Competitor for Local<F, A> {
    fn answer(&mut self) -> Answer {
        (self.answer)((self.run)())
    }
    fn seconds(&mut self, runs: usize) -> f64 {
        let began = Instant::now();
        for _ in 0..runs {
            drop(black_box((self.run)()));
        }
        began.elapsed().as_secs_f64()
    }
    fn memory(&mut self) -> Option<Memory> {
        Some(crate::memory::of(&mut self.run))
    }
}

/// A kernel that makes each result in the memory of the one before.
struct Again<F, T, A> {
    run: F,
    kept: Option<T>,
    answer: A,
}

impl<T: Clone, F: FnMut(T) -> T, A: FnMut(T) -> Answer> Competitor for Again<F, T, A> {
    fn answer(&mut self) -> Answer {
        self.seconds(1);
        (self.answer)(self.kept.clone().expect("a result"))
    }
    fn seconds(&mut self, runs: usize) -> f64 {
        let mut kept = self.kept.take().expect("the result before");
        let began = Instant::now();
        for _ in 0..runs {
            kept = black_box((self.run)(kept));
        }
        let seconds = began.elapsed().as_secs_f64();
        self.kept = Some(kept);
        seconds
    }
}

/// One program over one input.
pub struct Contest<'a> {
    pub program: &'static str,
    pub input: String,
    pub entries: usize,
    /// How far results may be apart, relative to their size.
    pub precision: f64,
    pub ways: Vec<Way<'a>>,
}

/// What timing says of a way.
pub struct Timed {
    pub name: String,
    pub side: Side,
    /// Whether results are made in new memory.
    pub anew: bool,
    /// Seconds for one run, of each turn.
    pub samples: Vec<f64>,
    /// Bytes, of those that the allocator counts.
    pub memory: Option<Memory>,
}

/// The figures of a contest.
pub struct Record {
    pub program: &'static str,
    pub input: String,
    pub entries: usize,
    pub ways: Vec<Timed>,
}

impl<'a> Contest<'a> {
    /// A contest without competitors yet.
    pub fn new(program: &'static str, input: &str, entries: usize) -> Self {
        Contest { program, input: input.to_owned(), entries, precision: 1e-8, ways: Vec::new() }
    }

    fn local<T: 'a>(
        &mut self,
        side: Side,
        name: &str,
        run: impl FnMut() -> T + 'a,
        answer: impl FnMut(T) -> Answer + 'a,
    ) -> &mut Self {
        self.join(name, side, true, Box::new(Local { run, answer }))
    }

    /// A kernel compiled by `finch!`.
    pub fn ours<T: 'a>(
        &mut self,
        name: &str,
        run: impl FnMut() -> T + 'a,
        answer: impl FnMut(T) -> Answer + 'a,
    ) -> &mut Self {
        self.local(Side::Ours, name, run, answer)
    }

    /// A kernel compiled by `finch!` that is given its last result to make the next in, as loops in C are.
    pub fn again<T: Clone + 'a>(
        &mut self,
        name: &str,
        first: T,
        run: impl FnMut(T) -> T + 'a,
        answer: impl FnMut(T) -> Answer + 'a,
    ) -> &mut Self {
        self.join(name, Side::Ours, false, Box::new(Again { run, kept: Some(first), answer }))
    }

    /// What a kernel is compared with, given its last result likewise.
    pub fn hand_again<T: Clone + 'a>(
        &mut self,
        name: &str,
        first: T,
        run: impl FnMut(T) -> T + 'a,
        answer: impl FnMut(T) -> Answer + 'a,
    ) -> &mut Self {
        self.join(name, Side::Hand, false, Box::new(Again { run, kept: Some(first), answer }))
    }

    /// Loops written by hand.
    pub fn hand<T: 'a>(
        &mut self,
        name: &str,
        run: impl FnMut() -> T + 'a,
        answer: impl FnMut(T) -> Answer + 'a,
    ) -> &mut Self {
        self.local(Side::Hand, name, run, answer)
    }

    /// A library that is a crate.
    #[cfg(feature = "peers-rust")]
    pub fn library<T: 'a>(
        &mut self,
        name: &str,
        run: impl FnMut() -> T + 'a,
        answer: impl FnMut(T) -> Answer + 'a,
    ) -> &mut Self {
        self.local(Side::Library, name, run, answer)
    }

    /// Any competitor; `anew` if it makes its results in new memory.
    pub fn join(
        &mut self,
        name: &str,
        side: Side,
        anew: bool,
        competitor: Box<dyn Competitor + 'a>,
    ) -> &mut Self {
        self.ways.push(Way { name: name.to_owned(), side, anew, competitor });
        self
    }

    /// Panics if one computes another result than the first.
    fn check(&mut self) {
        let (first, others) = self.ways.split_first_mut().expect("a contest has competitors");
        let want = first.competitor.answer();
        for way in others {
            if let Err(what) = want.compare(&way.competitor.answer(), self.precision) {
                panic!(
                    "{} of {}: {} has {what} as {} has",
                    self.program, self.input, way.name, first.name
                );
            }
        }
    }

    /// Checks the results, then times all in turns for about `budget` milliseconds: at least 3 turns, at most 101.
    pub fn run(mut self, budget: f64) -> Record {
        self.check();
        let ways = &mut self.ways;
        // A sample is well over the clock's resolution, whatever the others take.
        let runs = |once: f64| (2e-4 / once.max(1e-9)).ceil().clamp(1.0, 1e5) as usize;
        let runs: Vec<usize> = ways.iter_mut().map(|w| runs(w.competitor.seconds(1))).collect();
        let mut turn = 0.0;
        for (way, runs) in ways.iter_mut().zip(&runs) {
            turn += way.competitor.seconds(*runs);
        }
        let turns = (budget * 1e-3 / turn).clamp(3.0, 101.0) as usize;
        let mut samples = vec![Vec::with_capacity(turns); ways.len()];
        for turn in 0..turns {
            for k in 0..ways.len() {
                // Who follows whom changes from turn to turn.
                let k = if turn % 2 == 0 { k } else { ways.len() - 1 - k };
                // Competitors that share arrays would find them in the caches, others would not.
                ways[k].competitor.seconds(1);
                samples[k].push(ways[k].competitor.seconds(runs[k]) / runs[k] as f64);
            }
        }
        let memory: Vec<_> = ways.iter_mut().map(|w| w.competitor.memory()).collect();
        let timed = ways.iter().zip(samples).zip(memory);
        Record {
            program: self.program,
            ways: timed
                .map(|((w, samples), memory)| Timed {
                    name: w.name.clone(),
                    side: w.side,
                    anew: w.anew,
                    samples,
                    memory,
                })
                .collect(),
            input: self.input,
            entries: self.entries,
        }
    }
}

impl Timed {
    /// The median of its seconds.
    pub fn median(&self) -> f64 {
        median(self.samples.clone())
    }

    /// The range of the middle half of its samples over their median.
    pub fn spread(&self) -> f64 {
        let mut sorted = self.samples.clone();
        sorted.sort_by(f64::total_cmp);
        let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize];
        (at(0.75) - at(0.25)) / self.median()
    }

    /// Its time over that of `base`, within each turn: what disturbs the machine disturbs both.
    pub fn over(&self, base: &Timed) -> f64 {
        median(self.samples.iter().zip(&base.samples).map(|(a, b)| a / b).collect())
    }
}
