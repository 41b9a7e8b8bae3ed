//! What loops cost, as an expression in sizes and stored entries: printed for people, computed when a kernel is called, and
//! compared over sizes of every kind when it is compiled.

use super::skew::Skew;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A number that is known when the kernel is called.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Atom {
    /// The size of dimension `dim` of `tensor`, over which `index` runs.
    Len {
        /// The tensor, an operand of the kernel.
        tensor: String,
        /// Outermost first.
        dim: usize,
        /// What people read: the first index that runs over it.
        index: String,
    },
    /// The entries that a tensor stores.
    Stored(String),
    /// The least of some costs.
    Least(Vec<Cost>),
    /// A cost that something is divided by.
    Group(Box<Cost>),
    /// How many times the steps that chance says a loop takes, by a sample of the operands.
    Skew(Box<Skew>),
}

/// A product of atoms and a number.
#[derive(Clone, PartialEq, Debug)]
struct Term {
    factor: f64,
    powers: BTreeMap<Atom, i32>,
}

/// A sum of products.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Cost(Vec<Term>);

// Factors are finite, so equality of costs is one.
impl Eq for Cost {}

impl PartialOrd for Cost {
    fn partial_cmp(&self, other: &Cost) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cost {
    fn cmp(&self, other: &Cost) -> std::cmp::Ordering {
        fn key(c: &Cost) -> impl Iterator<Item = (u64, &BTreeMap<Atom, i32>)> {
            c.0.iter().map(|t| (t.factor.to_bits(), &t.powers))
        }
        key(self).cmp(key(other))
    }
}

impl Cost {
    /// Nothing.
    pub fn zero() -> Cost {
        Cost(Vec::new())
    }
    /// A number, finite.
    pub fn number(factor: f64) -> Cost {
        Cost(vec![Term { factor, powers: BTreeMap::new() }])
    }
    /// A number that is known when the kernel is called.
    pub fn atom(atom: Atom) -> Cost {
        Cost(vec![Term { factor: 1.0, powers: BTreeMap::from([(atom, 1)]) }])
    }
    /// The least of `all`, of which there is one at least.
    pub fn least(all: impl IntoIterator<Item = Cost>) -> Cost {
        let mut different: Vec<Cost> = Vec::new();
        for cost in all {
            if !different.contains(&cost) {
                different.push(cost);
            }
        }
        match different.len() {
            1 => different.remove(0),
            _ => Cost::atom(Atom::Least(different)),
        }
    }
    /// Both together.
    #[must_use]
    pub fn plus(mut self, other: &Cost) -> Cost {
        for term in &other.0 {
            match self.0.iter_mut().find(|t| t.powers == term.powers) {
                Some(same) => same.factor += term.factor,
                None => self.0.push(term.clone()),
            }
        }
        self
    }
    /// Each of `self` for each of `other`.
    #[must_use]
    pub fn times(&self, other: &Cost) -> Cost {
        let mut out = Cost::zero();
        for a in &self.0 {
            for b in &other.0 {
                let mut powers = a.powers.clone();
                for (atom, power) in &b.powers {
                    *powers.entry(atom.clone()).or_insert(0) += power;
                }
                powers.retain(|_, power| *power != 0);
                out = out.plus(&Cost(vec![Term { factor: a.factor * b.factor, powers }]));
            }
        }
        out
    }
    /// `self` shared out among `other`.
    #[must_use]
    pub fn over(&self, other: &Cost) -> Cost {
        let whole;
        let divisor = match &other.0[..] {
            [one] => one,
            _ => {
                let powers = BTreeMap::from([(Atom::Group(Box::new(other.clone())), 1)]);
                whole = Term { factor: 1.0, powers };
                &whole
            }
        };
        let powers = divisor.powers.iter().map(|(atom, power)| (atom.clone(), -power)).collect();
        self.times(&Cost(vec![Term { factor: 1.0 / divisor.factor, powers }]))
    }
    /// The cost as one of the numbers of `atoms`, in which all of its own are. Loops take the steps that chance says.
    pub fn flat(&self, atoms: &[Atom]) -> Flat {
        let of = |atom: &Atom| match atom {
            Atom::Least(all) => Part::Least(all.iter().map(|c| c.flat(atoms)).collect()),
            Atom::Group(cost) => Part::Group(cost.flat(atoms)),
            Atom::Skew(_) => Part::One,
            plain => Part::Atom(atoms.binary_search(plain).unwrap_or(usize::MAX)),
        };
        let term = |t: &Term| {
            let parts = t.powers.iter().map(|(atom, power)| (of(atom), *power));
            (t.factor, parts.collect())
        };
        Flat(self.0.iter().map(term).collect())
    }
    /// Calls `f` with every atom, and with those of the costs that it is made of.
    fn each<'a>(&'a self, f: &mut dyn FnMut(&'a Atom)) {
        for atom in self.0.iter().flat_map(|t| t.powers.keys()) {
            f(atom);
            match atom {
                Atom::Least(all) => all.iter().for_each(|c| c.each(f)),
                Atom::Group(cost) => cost.each(f),
                Atom::Skew(skew) => skew.about.each(f),
                Atom::Len { .. } | Atom::Stored(_) => {}
            }
        }
    }
    /// Every size and number of entries in it, each once, in order.
    pub fn atoms(&self) -> Vec<&Atom> {
        let mut out = BTreeSet::new();
        self.each(&mut |atom| {
            if matches!(atom, Atom::Len { .. } | Atom::Stored(_)) {
                out.insert(atom);
            }
        });
        out.into_iter().collect()
    }
    /// Every sample that it is a matter of, each once, in order.
    pub fn skews(&self) -> Vec<&Skew> {
        let mut out = BTreeSet::new();
        self.each(&mut |atom| {
            if let Atom::Skew(skew) = atom {
                out.insert(&**skew);
            }
        });
        out.into_iter().collect()
    }
    /// Whether it is no less than one wherever all atoms are: nothing is shared out in it.
    pub fn is_something(&self) -> bool {
        let whole = |(atom, power): (&Atom, &i32)| *power > 0 && !matches!(atom, Atom::Skew(_));
        self.0.iter().any(|t| t.factor >= 1.0 && t.powers.iter().all(whole))
    }
    /// Its terms: the number, and each atom with its power.
    pub fn terms(&self) -> impl Iterator<Item = (f64, impl Iterator<Item = (&Atom, i32)>)> {
        self.0.iter().map(|t| (t.factor, t.powers.iter().map(|(a, n)| (a, *n))))
    }
}

/// A cost that is computed many times.
pub struct Flat(Vec<(f64, Vec<(Part, i32)>)>);

enum Part {
    /// By its number.
    Atom(usize),
    Least(Vec<Flat>),
    Group(Flat),
    One,
}

impl Flat {
    /// The cost where each atom is what `values` says, one if that says nothing; nothing is shared out among no one.
    pub fn at(&self, values: &[f64]) -> f64 {
        let power = |(part, power): &(Part, i32)| {
            let of = match part {
                Part::Atom(n) => values.get(*n).copied().unwrap_or(1.0),
                Part::Least(all) => all.iter().map(|c| c.at(values)).fold(f64::INFINITY, f64::min),
                Part::Group(cost) => cost.at(values),
                Part::One => 1.0,
            };
            match *power {
                1 => of,
                n if n < 0 => of.max(1.0).powi(n),
                n => of.powi(n),
            }
        };
        self.0.iter().map(|(factor, parts)| factor * parts.iter().map(power).product::<f64>()).sum()
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // A size that no index runs over is what Rust calls it.
            Atom::Len { index, .. } if index.contains('.') => f.write_str(index),
            Atom::Len { index, .. } => write!(f, "len({index})"),
            Atom::Stored(tensor) => write!(f, "stored({tensor})"),
            Atom::Least(all) => {
                let all: Vec<String> = all.iter().map(Cost::to_string).collect();
                write!(f, "min({})", all.join(", "))
            }
            Atom::Group(cost) => write!(f, "({cost})"),
            Atom::Skew(skew) => {
                let of = |(name, by): &(String, usize)| format!("{name}[{}]", skew.names[*by]);
                let fibers: Vec<String> = skew.fibers.iter().map(of).collect();
                write!(f, "skew({})", fibers.join(", "))
            }
        }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("0");
        }
        for (n, Term { factor, powers }) in self.0.iter().enumerate() {
            if n > 0 {
                f.write_str(" + ")?;
            }
            let raised = |(atom, power): (&Atom, &i32)| match power.unsigned_abs() {
                1 => atom.to_string(),
                n => format!("{atom}^{n}"),
            };
            let side = |above: bool| -> Vec<String> {
                powers.iter().filter(|(_, power)| (**power > 0) == above).map(raised).collect()
            };
            let (mut above, mut below) = (side(true), side(false));
            // Two digits behind the point, or the first two that are no 0.
            let digits = if *factor > 0.0 { 1.0 - factor.log10().floor() } else { 2.0 };
            let scale = 10f64.powi(digits.clamp(2.0, 9.0) as i32);
            let shown = (factor * scale).round() / scale;
            let of = factor.recip().round();
            // Such as one of 64.
            let whole = (factor * of - 1.0).abs() < 1e-9;
            if ((factor * 100.0).round() / 100.0 - factor).abs() > 0.05 * factor && whole {
                below.push(of.to_string());
                if above.is_empty() {
                    above.push("1".to_owned());
                }
            } else if *factor != 1.0 || above.is_empty() {
                above.insert(0, shown.to_string());
            }
            f.write_str(&above.join(" * "))?;
            for divisor in below {
                write!(f, " / {divisor}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn len(index: &str) -> Cost {
        Cost::atom(Atom::Len {
            tensor: "a".into(),
            dim: usize::from(index == "j"),
            index: index.into(),
        })
    }
    fn stored() -> Cost {
        Cost::atom(Atom::Stored("a".into()))
    }
    /// Where `i` runs over 10, `j` over 20, and 30 are stored.
    fn value(cost: &Cost) -> f64 {
        let atoms: Vec<Atom> = cost.atoms().into_iter().cloned().collect();
        let of = |atom: &Atom| match atom {
            Atom::Len { dim: 0, .. } => 10.0,
            Atom::Len { .. } => 20.0,
            _ => 30.0,
        };
        cost.flat(&atoms).at(&atoms.iter().map(of).collect::<Vec<_>>())
    }

    #[test]
    fn products_cancel_and_sums_are_gathered() {
        let row = stored().over(&len("i"));
        assert_eq!(row.to_string(), "stored(a) / len(i)");
        assert_eq!(row.times(&len("i")), stored());
        assert_eq!(row.clone().plus(&row).to_string(), "2 * stored(a) / len(i)");
        assert_eq!(value(&len("i").times(&len("j")).plus(&stored())), 230.0);
        assert_eq!(value(&stored().over(&len("j").plus(&len("i")))), 1.0);
        assert_eq!(Cost::zero().to_string(), "0");
        assert_eq!(Cost::number(1.0).over(&len("i")).to_string(), "1 / len(i)");
        assert_eq!(len("i").over(&Cost::number(64.0)).to_string(), "len(i) / 64");
        assert_eq!(len("i").over(&Cost::number(5.0)).to_string(), "0.2 * len(i)");
        assert_eq!(len("i").times(&Cost::number(0.3 / 64.0)).to_string(), "0.0047 * len(i)");
    }

    #[test]
    fn the_least_is_taken_of_different_ones() {
        assert_eq!(Cost::least([stored(), stored()]), stored());
        let least = Cost::least([stored(), len("j")]);
        assert_eq!(least.to_string(), "min(stored(a), len(j))");
        assert_eq!(value(&least), 20.0);
        assert_eq!(least.atoms().len(), 2);
    }

    #[test]
    fn nothing_is_shared_out_among_no_one() {
        let none = |cost: &Cost| {
            let atoms: Vec<Atom> = cost.atoms().into_iter().cloned().collect();
            cost.flat(&atoms).at(&vec![0.0; atoms.len()])
        };
        assert_eq!(none(&stored().over(&len("i"))), 0.0);
        assert_eq!(none(&Cost::number(3.0).over(&len("i"))), 3.0);
    }
}
