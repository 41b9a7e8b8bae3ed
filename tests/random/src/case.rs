//! One input of a kernel: sizes, tensors and numbers, from all edges to anything at random.

use crate::operators;
use crate::oracle::{self, Item, Number, Shown};
use fastrand::Rng;
use looplets::{Level, Tensor};
use std::any::Any;
use std::io::Write;
use std::sync::mpsc::{channel, RecvTimeoutError, Sender};
use std::time::Duration;

#[derive(Clone)]
pub struct Case {
    rng: Rng,
    /// The first inputs are the edges: sizes 0, 1 and 2; nothing, everything and fills stored.
    number: u64,
    values: Values,
    /// Whether a tensor is smaller than the program asks for.
    unfit: bool,
}

/// What elements are.
#[derive(Clone, Copy)]
enum Values {
    /// Small whole numbers, of which no sum is too large.
    Whole,
    /// Fractions and both zeros too.
    Small,
    /// Now and then one that is not finite, an end of its type or no fraction of two.
    Extreme,
}

impl Values {
    fn draw(self, rng: &mut Rng) -> Item {
        match self {
            Values::Whole => Item::Num(rng.i64(-3..5)),
            Values::Extreme if rng.u32(0..4) == 0 => Item::Extreme(rng.usize(..)),
            Values::Small | Values::Extreme => Item::Small(rng.usize(..)),
        }
    }
}

// Few kernels do not use all of it.
#[allow(dead_code)]
impl Case {
    pub fn new(seed: u64, kernel: &str, number: u64) -> Case {
        let kernel = kernel.bytes().fold(seed, |h, b| h.wrapping_mul(31).wrapping_add(b.into()));
        let values = match number % 5 {
            0 => Values::Whole,
            1..4 => Values::Small,
            _ => Values::Extreme,
        };
        Case { rng: Rng::with_seed(kernel ^ number << 40), number, values, unfit: false }
    }

    /// What a loop runs to, in a kernel that nests so many.
    pub fn size(&mut self, loops: usize) -> usize {
        match self.number {
            0..9 => self.number as usize / 3,
            _ if loops > 3 => self.rng.usize(0..4),
            _ if loops > 2 => self.rng.usize(0..6),
            // Longer than registers are, and than anything that is done for several entries at once.
            _ if self.is_long() => self.rng.usize(9..70),
            _ => self.rng.usize(0..9),
        }
    }

    /// Whether fibers are long, with nearly everything stored, so that patterns lie alike over stretches.
    fn is_long(&self) -> bool {
        self.number % 11 == 10
    }

    /// The shape of an input: that which the program asks for, or in some cases now and then one that is too small.
    pub fn fitted<const N: usize>(&mut self, mut shape: [usize; N]) -> [usize; N] {
        if N > 0 && self.number % 12 == 11 && self.rng.u32(0..3) == 0 {
            let size = &mut shape[self.rng.usize(0..N)];
            self.unfit |= *size > 0;
            *size -= 1.min(*size);
        }
        shape
    }

    /// The way that a changed kernel takes, if it has several: each in its turn, whatever it costs.
    pub fn way(&self) -> Option<usize> {
        let turn = self.number as usize % 4;
        (turn < 3).then_some(turn)
    }

    pub fn is_unfit(&self) -> bool {
        self.unfit
    }

    /// A size that no loop asks for.
    pub fn free(&mut self, least: usize) -> usize {
        least + self.rng.usize(0..5)
    }

    pub fn tensor<L: Level>(&mut self, shape: &[usize]) -> Tensor<L>
    where
        L::Value: Number,
    {
        let count = shape.iter().product();
        oracle::tensor(shape, &self.items(count))
    }

    /// Coordinates of a dimension of size 4.
    pub fn positions<L: Level>(&mut self, shape: &[usize]) -> Tensor<L>
    where
        L::Value: Number,
    {
        let items: Vec<Item> = (0..shape[0]).map(|_| Item::Num(self.rng.i64(0..4))).collect();
        oracle::tensor(shape, &items)
    }

    /// A tensor of which each fiber of dimension `dim` has one entry at most.
    pub fn points<L: Level>(&mut self, shape: &[usize], dim: usize) -> Tensor<L>
    where
        L::Value: Number,
    {
        let (below, n) = (shape[dim + 1..].iter().product::<usize>(), shape[dim]);
        let mut items = self.items(shape.iter().product());
        for fiber in items.chunks_mut((n * below).max(1)) {
            let keep = self.rng.usize(0..n.max(1));
            for (k, item) in fiber.iter_mut().enumerate() {
                if k / below != keep {
                    *item = Item::Absent;
                }
            }
        }
        oracle::tensor(shape, &items)
    }

    /// A tensor of which each fiber of dimension `dim` has one run of equal entries at most.
    pub fn intervals<L: Level>(&mut self, shape: &[usize], dim: usize) -> Tensor<L>
    where
        L::Value: Number,
    {
        if dim + 1 < shape.len() {
            return self.points(shape, dim);
        }
        let mut items = self.items(shape.iter().product());
        for fiber in items.chunks_mut(shape[dim].max(1)) {
            let (a, b) = (self.rng.usize(0..=fiber.len()), self.rng.usize(0..=fiber.len()));
            let value = fiber.first().copied().unwrap_or(Item::Absent);
            for (k, item) in fiber.iter_mut().enumerate() {
                *item = if (a.min(b)..a.max(b)).contains(&k) { value } else { Item::Absent };
            }
        }
        oracle::tensor(shape, &items)
    }

    /// So many numbers.
    pub fn values<T: Number>(&mut self, count: usize) -> Vec<T> {
        (0..count).map(|_| self.number()).collect()
    }

    fn items(&mut self, count: usize) -> Vec<Item> {
        let mode = match self.number {
            0..9 => self.number % 3,
            _ if self.is_long() && self.rng.u32(0..4) > 0 => {
                let most = |rng: &mut Rng| rng.u32(0..20) > 0;
                let next = |_| {
                    if most(&mut self.rng) {
                        self.values.draw(&mut self.rng)
                    } else {
                        Item::Absent
                    }
                };
                return (0..count).map(next).collect();
            }
            _ => self.rng.u64(0..8),
        };
        let values = self.values;
        let number = |rng: &mut Rng| values.draw(rng);
        let rng = &mut self.rng;
        match mode {
            0 => vec![Item::Absent; count],
            1 => (0..count).map(|_| number(rng)).collect(),
            2 => vec![Item::Fill; count],
            // Runs of equal entries.
            3 => {
                let mut item = number(rng);
                let mut next = |k: usize| {
                    if k == 0 || rng.u32(0..3) == 0 {
                        item = if rng.bool() { number(rng) } else { Item::Absent };
                    }
                    item
                };
                (0..count).map(&mut next).collect()
            }
            // One stretch.
            4 => {
                let (a, b) = (rng.usize(0..=count), rng.usize(0..=count));
                let inside = |k: usize| (a.min(b)..a.max(b)).contains(&k);
                (0..count).map(|k| if inside(k) { number(rng) } else { Item::Absent }).collect()
            }
            // So many in ten stored, some of them fill.
            _ => {
                let density = [1, 3, 5, 8][rng.usize(0..4)];
                let mut next = |_| match rng.u32(0..10) {
                    k if k >= density => Item::Absent,
                    0 if rng.bool() => Item::Fill,
                    _ => number(rng),
                };
                (0..count).map(&mut next).collect()
            }
        }
    }

    pub fn number<T: Number>(&mut self) -> T {
        match self.values.draw(&mut self.rng) {
            Item::Small(k) => T::small(k),
            Item::Extreme(k) | Item::Special(k) => T::extreme(k),
            Item::Num(n) => T::number(n),
            Item::Absent | Item::Fill => T::default(),
        }
    }
    pub fn flag(&mut self) -> bool {
        self.rng.bool()
    }
    pub fn shift(&mut self) -> i64 {
        self.rng.i64(-3..4)
    }
    /// A number that may be beyond all coordinates; a shift may be taken from it.
    pub fn far(&mut self) -> i64 {
        let ends = [i64::MIN + 10, -(1 << 62), -(1 << 61), -1, 0, 1 << 61, 1 << 62, i64::MAX - 10];
        ends[self.rng.usize(0..ends.len())] + self.rng.i64(-3..4)
    }
    pub fn point(&mut self) -> usize {
        self.rng.usize(0..3)
    }
}

/// Runs a kernel and compares it with the oracle: both have the same results, or what the kernel gives is
/// left open.
macro_rules! agree {
    ($case:ident, $source:ident, $range:ident, $name:ident($($arg:expr),*)) => {{
        let before = vec![$($crate::oracle::Show::show(&$arg)),*];
        let results = ::std::panic::catch_unwind(::std::panic::AssertUnwindSafe(|| {
            $crate::oracle::Outputs::outputs(&$name($($arg),*))
        }));
        let after = vec![$($crate::oracle::Show::show(&$arg)),*];
        match $case.is_unfit() {
            true => $crate::case::refused($source, before, results),
            false => $crate::case::compare($source, $range, before, after, results),
        }
    }};
}

/// Runs a changed kernel and compares it with what it was made of.
macro_rules! twins {
    ($case:ident, $source:ident, $twin:ident, $results:ident, [$($was:ident),*], [$($is:expr),*],
        $call:expr) => {{
        let mut results = $results;
        if let Ok(all) = &mut results {
            let updated: Vec<$crate::oracle::Shown> = vec![$($crate::oracle::Show::show(&$was)),*];
            all.splice(0..0, updated);
        }
        looplets::rt::prefer($case.way());
        let twin = ::std::panic::catch_unwind(::std::panic::AssertUnwindSafe(|| {
            $crate::oracle::Outputs::outputs(&$call)
        }));
        looplets::rt::prefer(None);
        let twin = twin.map(|outputs| {
            let mut all: Vec<$crate::oracle::Shown> = vec![$($crate::oracle::Show::show(&$is)),*];
            all.extend(outputs);
            all
        });
        $case.twins($source, $twin, results, twin);
    }};
}

/// A kernel whose inputs do not fit may refuse them, and read what fits; it does not come to what nobody checked.
pub fn refused(source: &'static str, before: Vec<Shown>, results: Results) -> Results {
    let why = results.as_ref().err().map(|panic| message(&**panic)).unwrap_or_default();
    for accident in
        ["the invariant of a format", "index out of bounds", "out of range for", "unwrap"]
    {
        let inputs = before.iter().map(Shown::text).collect::<Vec<_>>().join("\n     ");
        assert!(
            !why.contains(accident),
            "of sizes that do not fit: {why}\n{source}\nwith {inputs}"
        );
    }
    results
}

pub fn compare(
    source: &'static str,
    range: Option<(i128, i128)>,
    before: Vec<Shown>,
    after: Vec<Shown>,
    results: Results,
) -> Results {
    let why = results.as_ref().err().map(|panic| message(&**panic));
    let outputs = match (&results, &why) {
        (Ok(outputs), _) => Ok(&outputs[..]),
        (_, why) => Err(why.as_deref().unwrap_or_default()),
    };
    oracle::compare_within(source, &before, &after, outputs, operators::all(), range);
    results
}

/// What a kernel gave, or its panic.
pub type Results = Result<Vec<Shown>, Box<dyn Any + Send>>;

impl Case {
    /// Compares what a kernel gave with what another gave that must give the same. Fractions alone have sums
    /// that are the same in every order, and what is not stored is zero times NaN, too.
    pub fn twins(&self, source: &str, twin: &str, was: Results, is: Results) {
        let special = |all: &[Shown]| all.iter().any(|x| x.any(&|v| v.is_float()));
        let extreme = matches!(self.values, Values::Extreme);
        match (&was, &is) {
            (Ok(was), Ok(is)) if extreme && special(was) && special(is) => {}
            (Ok(was), Ok(is)) => {
                assert_eq!(was.len(), is.len());
                for (was, is) in was.iter().zip(is) {
                    if !was.near(is) {
                        let (was, is) = (was.text(), is.text());
                        panic!("gives {was}\n{source}\nbut {is}\n{twin}");
                    }
                }
            }
            // One of them may have come upon a number that is too large, on another way.
            _ if extreme => {}
            (Err(_), Err(_)) => {}
            (Ok(_), Err(e)) | (Err(e), Ok(_)) => {
                panic!("one says: {}\n{source}\nthe other does not\n{twin}", message(&**e))
            }
        }
    }
}

/// What a panic said.
pub fn message(panic: &(dyn Any + Send)) -> String {
    match (panic.downcast_ref::<String>(), panic.downcast_ref::<&str>()) {
        (Some(text), _) => text.clone(),
        (_, Some(text)) => (*text).to_owned(),
        _ => "a panic without a message".to_owned(),
    }
}

/// Panics are reported with the kernel that they belong to, not where they happen.
pub fn quiet() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| std::panic::set_hook(Box::new(|_| {})));
}

/// Seconds that no kernel takes. Under Miri some take minutes.
const TOO_LONG: u64 = if cfg!(miri) { 3_600 } else { 120 };

/// Ends the process if a kernel takes so long that it may never end. Dropped in time it does nothing.
pub struct Watch {
    _ended: Sender<()>,
}

impl Watch {
    pub fn start(kernel: String) -> Watch {
        let (ended, watched) = channel();
        std::thread::spawn(move || {
            if watched.recv_timeout(Duration::from_secs(TOO_LONG)) == Err(RecvTimeoutError::Timeout)
            {
                // Not captured with the output of a test: the process ends here.
                let _ = writeln!(std::io::stderr(), "== a kernel does not end: {kernel}");
                std::process::exit(101);
            }
        });
        Watch { _ended: ended }
    }
}
