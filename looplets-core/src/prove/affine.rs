//! The affine normal form of index expressions, so that two spellings of one index are one term.

use crate::cin::{Expr, Lit, Op};

/// A sum of `coefficient * atom` and a constant, over the integers.
///
/// An atom is whatever is not sum, difference, negation or multiplication by a literal. Atoms are
/// in canonical form (the arguments of `*`, `min`, `max` sorted, indices inside normalised), so
/// equal atoms are equal terms; the atoms of one sum keep the order of their first occurrence,
/// so that converting back gives something close to what was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Affine {
    terms: Vec<(Expr, i128)>,
    constant: i128,
}

impl Affine {
    /// The constant `n`.
    pub fn constant(n: i128) -> Affine {
        Affine { terms: Vec::new(), constant: n }
    }

    /// The normal form of `e`. A subexpression whose coefficients overflow stays an atom.
    pub fn of(e: &Expr) -> Affine {
        Affine::form(e, false)
    }

    /// The normal form of `e` with products of sums as sums of products, in which what differs by a multiple of
    /// one term is seen to; to be computed, it would cost more.
    pub fn expanded(e: &Expr) -> Affine {
        Affine::form(e, true)
    }

    fn form(e: &Expr, expand: bool) -> Affine {
        let of = |e: &Expr| Affine::form(e, expand);
        match e {
            Expr::Lit(Lit::Int(n)) => Affine::constant(*n),
            Expr::Lit(Lit::Bool(b)) => Affine::constant(i128::from(*b)),
            Expr::Load(array, index) => {
                Affine::atom(Expr::Load(*array, Box::new(canonical(index))))
            }
            Expr::Call(op, args) => {
                let form = match (op, &args[..]) {
                    (Op::Add, _) => sum(args, of),
                    (Op::Sub, [a, b]) => of(a).minus(&of(b)),
                    (Op::Neg, [a]) => of(a).scale(-1),
                    (Op::Mul, _) if expand => expanded(args).or_else(|| product(args)),
                    (Op::Mul, _) => product(args),
                    (Op::Min | Op::Max, [_, ..]) => Some(extremum(op, args)),
                    _ => None,
                };
                form.unwrap_or_else(|| {
                    let args: Vec<Expr> = args.iter().map(canonical).collect();
                    Affine::atom(Expr::Call(op.clone(), args))
                })
            }
            _ => Affine::atom(e.clone()),
        }
    }

    fn atom(e: Expr) -> Affine {
        Affine { terms: vec![(e, 1)], constant: 0 }
    }

    /// The atoms with their coefficients, none of which is zero, in order of first occurrence.
    pub fn terms(&self) -> &[(Expr, i128)] {
        &self.terms
    }

    /// The constant and the atoms that `first` holds of, and the other atoms.
    pub fn split(self, first: impl Fn(&Expr) -> bool) -> (Affine, Affine) {
        let (with, others) = self.terms.into_iter().partition(|(atom, _)| first(atom));
        (Affine { terms: with, constant: self.constant }, Affine { terms: others, constant: 0 })
    }

    /// The constant summand.
    pub fn offset(&self) -> i128 {
        self.constant
    }

    /// The number this is, if it has no atoms.
    pub fn as_constant(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// `self + n`, unless that overflows.
    pub fn plus_constant(&self, n: i128) -> Option<Affine> {
        let constant = self.constant.checked_add(n)?;
        Some(Affine { terms: self.terms.clone(), constant })
    }

    /// `self + other`, unless that overflows.
    pub fn plus(mut self, other: &Affine) -> Option<Affine> {
        self.constant = self.constant.checked_add(other.constant)?;
        for (atom, c) in &other.terms {
            self.add_term(atom, *c)?;
        }
        Some(self)
    }

    /// `self - other`, unless that overflows.
    pub fn minus(self, other: &Affine) -> Option<Affine> {
        let negated = other.clone().scale(-1)?;
        self.plus(&negated)
    }

    /// `c * self`, unless that overflows.
    pub fn scale(mut self, c: i128) -> Option<Affine> {
        if c == 0 {
            return Some(Affine::constant(0));
        }
        self.constant = self.constant.checked_mul(c)?;
        for (_, k) in &mut self.terms {
            *k = k.checked_mul(c)?;
        }
        Some(self)
    }

    fn add(&mut self, atom: &Expr, c: i128) -> Option<()> {
        match c {
            0 => Some(()),
            _ => self.add_term(atom, c),
        }
    }

    fn add_term(&mut self, atom: &Expr, c: i128) -> Option<()> {
        match self.terms.iter().position(|(a, _)| a == atom) {
            Some(at) => {
                self.terms[at].1 = self.terms[at].1.checked_add(c)?;
                if self.terms[at].1 == 0 {
                    self.terms.remove(at);
                }
            }
            None => self.terms.push((atom.clone(), c)),
        }
        Some(())
    }

    /// The sum as an expression: what is added first, then what is subtracted, so that unsigned
    /// arithmetic on indices does not dip below zero on the way to a result that is not.
    pub fn to_expr(&self) -> Expr {
        let (mut added, mut subtracted) = (Vec::new(), Vec::new());
        for (atom, c) in &self.terms {
            match c.checked_neg() {
                Some(magnitude) if *c < 0 => subtracted.push(times(magnitude, atom)),
                _ => added.push(times(*c, atom)),
            }
        }
        match self.constant.checked_neg() {
            Some(0) => {}
            Some(magnitude) if self.constant < 0 => subtracted.push(Expr::int(magnitude)),
            _ => added.push(Expr::int(self.constant)),
        }
        let mut subtracted = subtracted.into_iter();
        let first = match added.len() {
            0 => match subtracted.next() {
                None => Expr::int(0),
                Some(Expr::Lit(Lit::Int(n))) => Expr::int(-n),
                Some(e) => Expr::call(Op::Neg, [e]),
            },
            1 => added.remove(0),
            _ => Expr::call(Op::Add, added),
        };
        subtracted.fold(first, |e, s| Expr::call(Op::Sub, [e, s]))
    }
}

/// `e` with every index expression in it in one fixed spelling, whatever the order of writing.
pub fn canonical(e: &Expr) -> Expr {
    let mut form = Affine::of(e);
    form.terms.sort();
    form.to_expr()
}

/// The arguments of `args` with calls of the same associative `op` opened up.
pub fn flatten<'a>(op: &Op, args: &'a [Expr], into: &mut Vec<&'a Expr>) {
    for arg in args {
        match arg {
            Expr::Call(inner, args) if inner == op && !args.is_empty() => flatten(op, args, into),
            _ => into.push(arg),
        }
    }
}

fn times(c: i128, atom: &Expr) -> Expr {
    match c {
        1 => atom.clone(),
        _ => Expr::call(Op::Mul, [Expr::int(c), atom.clone()]),
    }
}

fn sum(args: &[Expr], of: impl Fn(&Expr) -> Affine) -> Option<Affine> {
    let mut total = Affine::constant(0);
    for arg in args {
        total = total.plus(&of(arg))?;
    }
    Some(total)
}

/// The most terms that a product is expanded to.
const EXPANDED: usize = 16;

/// A product of sums as a sum of products, unless it is a long one.
fn expanded(args: &[Expr]) -> Option<Affine> {
    let mut whole = Affine::constant(1);
    for arg in args {
        let form = Affine::expanded(arg);
        if (whole.terms.len() + 1) * (form.terms.len() + 1) > EXPANDED {
            return None;
        }
        let mut next = Affine::constant(whole.constant.checked_mul(form.constant)?);
        for (atom, c) in &whole.terms {
            next.add(atom, c.checked_mul(form.constant)?)?;
            for (other, d) in &form.terms {
                next.add(&monomial(vec![atom.clone(), other.clone()]), c.checked_mul(*d)?)?;
            }
        }
        for (other, d) in &form.terms {
            next.add(other, d.checked_mul(whole.constant)?)?;
        }
        whole = next;
    }
    Some(whole)
}

/// The product of atoms as an atom.
pub fn monomial(atoms: Vec<Expr>) -> Expr {
    let op = Op::Mul;
    let mut flat = Vec::new();
    flatten(&op, &atoms, &mut flat);
    let mut factors: Vec<Expr> = flat.into_iter().cloned().collect();
    factors.sort();
    match factors.len() {
        1 => factors.remove(0),
        _ => Expr::Call(op, factors),
    }
}

/// A product with at most one factor that is no constant is affine; another is an atom of its
/// sorted factors, with the constant pulled out in front.
fn product(args: &[Expr]) -> Option<Affine> {
    let mut coefficient: i128 = 1;
    let mut factors: Vec<Expr> = Vec::new();
    let mut affine = None;
    let mut flat = Vec::new();
    flatten(&Op::Mul, args, &mut flat);
    for arg in flat {
        let form = Affine::of(arg);
        match form.as_constant() {
            Some(c) => coefficient = coefficient.checked_mul(c)?,
            None => match &form.terms[..] {
                // A factor that is itself a multiple gives its coefficient to the whole.
                [(atom, c)] if form.constant == 0 => {
                    coefficient = coefficient.checked_mul(*c)?;
                    match atom {
                        Expr::Call(op, inner) if *op == Op::Mul => factors.extend_from_slice(inner),
                        _ => factors.push(atom.clone()),
                    }
                }
                _ => {
                    factors.push(canonical(arg));
                    affine = Some(form);
                }
            },
        }
    }
    match (factors.len(), affine) {
        (0, _) => Some(Affine::constant(coefficient)),
        (1, Some(form)) => form.scale(coefficient),
        (1, None) => Affine::atom(factors.remove(0)).scale(coefficient),
        _ => {
            factors.sort();
            Affine::atom(Expr::call(Op::Mul, factors)).scale(coefficient)
        }
    }
}

/// `min` or `max` with nested calls opened, constants folded, arguments sorted and distinct.
fn extremum(op: &Op, args: &[Expr]) -> Affine {
    let mut flat = Vec::new();
    flatten(op, args, &mut flat);
    let mut constant: Option<i128> = None;
    let mut rest: Vec<Expr> = Vec::new();
    for arg in flat {
        match canonical(arg) {
            Expr::Lit(Lit::Int(n)) => {
                constant =
                    Some(constant.map_or(n, |m| if *op == Op::Min { m.min(n) } else { m.max(n) }));
            }
            // An argument can turn into a call of `op` only by normalising, as `0 + min(a, b)`.
            Expr::Call(inner, args) if inner == *op => rest.extend(args),
            e => rest.push(e),
        }
    }
    rest.extend(constant.map(Expr::int));
    rest.sort();
    rest.dedup();
    match &rest[..] {
        [single] => Affine::of(single),
        _ => Affine::atom(Expr::Call(op.clone(), rest)),
    }
}
