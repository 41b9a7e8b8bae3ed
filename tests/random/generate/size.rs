//! Sizes: what a caller chooses at random, and sums of products of that.

use super::Gen;

/// How a kernel's size comes about.
pub enum Made {
    /// By Rust code over the sizes before it.
    Chosen(String),
    /// As a sum of sizes before it.
    Sum(Size),
}

/// A sum of products of sizes that are [`Made::Chosen`], each product with how often it is added.
#[derive(Clone, PartialEq, Debug)]
pub struct Size(Vec<(i64, Vec<usize>)>);

impl Size {
    pub fn number(n: i64) -> Size {
        Size(vec![(n, Vec::new())]).sorted()
    }
    fn of(size: usize) -> Size {
        Size(vec![(1, vec![size])])
    }
    pub fn plus(&self, other: &Size) -> Size {
        Size([&self.0[..], &other.0].concat()).sorted()
    }
    pub fn times(&self, other: &Size) -> Size {
        let product = |(a, x): &(i64, Vec<usize>), (b, y): &(i64, Vec<usize>)| {
            let mut factors = [&x[..], y].concat();
            factors.sort();
            (a * b, factors)
        };
        Size(self.0.iter().flat_map(|a| other.0.iter().map(move |b| product(a, b))).collect())
            .sorted()
    }
    fn sorted(self) -> Size {
        let mut terms: Vec<(i64, Vec<usize>)> = Vec::new();
        for (count, factors) in self.0 {
            match terms.iter_mut().find(|(_, other)| *other == factors) {
                Some((sum, _)) => *sum += count,
                None => terms.push((count, factors)),
            }
        }
        terms.retain(|(count, _)| *count != 0);
        terms.sort_by(|(_, a), (_, b)| b.cmp(a));
        Size(terms)
    }
    /// The number it is, if nobody chooses it.
    pub fn known(&self) -> Option<i64> {
        match &self.0[..] {
            [] => Some(0),
            [(n, factors)] if factors.is_empty() => Some(*n),
            _ => None,
        }
    }
    /// What it is at least.
    pub fn least(&self) -> i64 {
        self.0.iter().filter(|(_, factors)| factors.is_empty()).map(|(n, _)| n).sum()
    }
    /// Whether it has factors that are known here.
    pub fn is_product(&self) -> bool {
        let number = self.0.iter().map(|(n, _)| *n).fold(0, divisor);
        number > 1 || matches!(&self.0[..], [(_, factors)] if factors.len() > 1)
    }
    /// Of how many products it is the sum.
    fn count(&self) -> i64 {
        self.0.iter().map(|(n, _)| n).sum()
    }
    fn text(&self) -> String {
        let product = |(n, factors): &(i64, Vec<usize>)| {
            let mut all: Vec<String> = factors.iter().map(|f| format!("n{f}")).collect();
            if *n != 1 || all.is_empty() {
                all.insert(0, n.to_string());
            }
            all.join("*")
        };
        match self.0.is_empty() {
            true => "0".to_owned(),
            false => self.0.iter().map(product).collect::<Vec<_>>().join(" + "),
        }
    }
    /// Its text as an operand.
    fn operand(&self) -> String {
        match self.0.len() + self.0.first().map_or(0, |(_, factors)| factors.len()) {
            0..=2 if self.0.len() < 2 => self.text(),
            _ => format!("({})", self.text()),
        }
    }
}

impl Gen<'_> {
    /// A size that Rust code gives.
    pub fn chosen(&mut self, code: String) -> usize {
        self.sizes.push(Made::Chosen(code));
        self.sizes.len() - 1
    }

    /// A size of which loops can have any.
    pub fn any_size(&mut self) -> usize {
        let code = format!("case.size({})", self.depth);
        self.chosen(code)
    }

    /// A size by its number.
    pub fn size(&self, at: usize) -> Size {
        match &self.sizes[at] {
            Made::Chosen(_) => Size::of(at),
            Made::Sum(size) => size.clone(),
        }
    }

    /// The number of a size.
    pub fn numbered(&mut self, size: &Size) -> usize {
        if let Some(at) = (0..self.sizes.len()).find(|at| self.size(*at) == *size) {
            return at;
        }
        self.sizes.push(Made::Sum(size.clone()));
        self.sizes.len() - 1
    }

    /// The size as text in the kernel, to stand as an operand.
    pub fn size_text(&mut self, size: &Size) -> String {
        for factor in size.0.iter().flat_map(|(_, factors)| factors.clone()) {
            let name = format!("n{factor}");
            self.parameter(&name, "usize", &name);
        }
        size.operand()
    }

    /// The `n` of a size as a parameter of the kernel, or what it is the sum of.
    pub fn size_name(&mut self, at: usize) -> String {
        let size = self.size(at);
        if size.known().is_some() || matches!(self.sizes[at], Made::Sum(_)) && self.chance(50) {
            return self.size_text(&size);
        }
        let name = format!("n{at}");
        self.parameter(&name, "usize", &name);
        name
    }

    /// The code that makes a size.
    pub fn size_code(&self, at: usize) -> String {
        match &self.sizes[at] {
            Made::Chosen(code) => code.clone(),
            Made::Sum(size) => size.text(),
        }
    }

    /// A size of a loop that is a product or a sum.
    pub fn composed_size(&mut self) -> usize {
        let part = |g: &mut Self| match g.chance(40) {
            true => Size::number(g.rng.i64(2..4)),
            false => Size::of(g.chosen("case.size(4)".into())),
        };
        let (a, b) = (part(self), part(self));
        let size = match self.chance(70) {
            true => a.times(&b),
            false => a.plus(&b),
        };
        self.numbered(&size)
    }

    /// Two sizes whose product it is.
    pub fn factors(&mut self, size: &Size) -> (Size, Size) {
        let number = size.0.iter().map(|(n, _)| *n).fold(0, divisor);
        let all: Vec<i64> = (1..=number.max(1)).filter(|n| number % n == 0).collect();
        let times = if all.len() > 2 && self.chance(70) {
            all[1 + self.rng.usize(0..all.len() - 2)]
        } else {
            *self.pick(&all)
        };
        let (mut a, mut b) = (Size::number(times), size.clone());
        b.0.iter_mut().for_each(|(n, _)| *n /= times);
        if let [(_, factors)] = &mut b.0[..] {
            let (mut there, mut here) = (Vec::new(), Vec::new());
            let even = factors.len() > 1 || times > 1;
            for factor in std::mem::take(factors) {
                if self.chance(50) { &mut there } else { &mut here }.push(factor);
            }
            if even && times == 1 && (there.is_empty() || here.is_empty()) {
                let (from, to) = match there.is_empty() {
                    true => (&mut here, &mut there),
                    false => (&mut there, &mut here),
                };
                to.extend(from.pop());
            }
            *factors = here;
            a = a.times(&Size(vec![(1, there)]));
        }
        if self.chance(50) {
            std::mem::swap(&mut a, &mut b);
        }
        (a.sorted(), b.sorted())
    }

    /// Two sizes whose sum it is.
    pub fn parts(&mut self, size: &Size) -> (Size, Size) {
        if size.count() > 1 && self.chance(90) {
            let (mut a, mut b) = (size.clone(), size.clone());
            for ((x, _), (y, _)) in a.0.iter_mut().zip(&mut b.0) {
                let here = self.rng.i64(0..=*x);
                (*x, *y) = (here, *y - here);
            }
            return (a.sorted(), b.sorted());
        }
        // So many at most, and what is left.
        let (least, whole) = (self.rng.i64(0..4), size.text());
        let first = self.chosen(format!("std::cmp::min({whole}, {least})"));
        let rest = self.chosen(format!("{whole} - n{first}"));
        let (a, b) = (Size::of(first), Size::of(rest));
        if self.chance(50) {
            (a, b)
        } else {
            (b, a)
        }
    }
}

fn divisor(a: i64, b: i64) -> i64 {
    if b == 0 {
        a
    } else {
        divisor(b, a % b)
    }
}
