//! Conditions of coordinates as expressions of words: what of a loop's body can be read 64 coordinates at a time.

use super::each::Each;
use crate::cin::*;
use crate::index::{Outside, Part};
use crate::kernel::*;
use crate::lower::Lower;
use crate::types::primitive;

/// All bits.
const ONES: i128 = u64::MAX as i128;

/// A condition of a coordinate.
#[derive(Debug)]
pub(super) enum Bits {
    /// The same at each coordinate.
    Literal(bool),
    /// The same at each coordinate, by its number among those of the loop.
    Same(usize),
    /// What is stored of an operand, by its number.
    Read(usize),
    /// What is asked at each coordinate, by its number.
    Each(usize),
    Not(Box<Bits>),
    And(Vec<Bits>),
    Or(Vec<Bits>),
    Xor(Vec<Bits>),
    /// The second where the first holds, else the third.
    Choice(Box<[Bits; 3]>),
    /// The first that is not missing.
    Coalesce(Vec<Bits>),
}

/// A fiber that is read by the word.
#[derive(Debug, PartialEq)]
pub(super) struct Operand {
    /// Tensor and level.
    pub of: (TensorId, usize),
    /// The position of the fiber.
    pub at: Expr,
    /// What is added to the index of the loop.
    pub shift: Expr,
    /// The parts of the dimension outside of which there is nothing to read: first, and one past the last.
    pub parts: Vec<(Expr, Expr)>,
    /// Whether it is missing there; else it is false.
    pub missing: bool,
}

/// What a body reads.
#[derive(Default, Debug)]
pub(super) struct Read {
    pub operands: Vec<Operand>,
    pub same: Vec<Expr>,
    pub each: Vec<Each>,
}

impl Lower<'_> {
    /// `e`, a condition in a loop over `index`, as one of words.
    pub(super) fn bits(&mut self, e: &Expr, index: VarId, read: &mut Read) -> Option<Bits> {
        // What can be asked at once is one condition.
        if let Some(n) = self.asked_each(e, index, read) {
            return Some(Bits::Each(n));
        }
        let mut all = |l: &mut Self, args: &[Expr]| {
            args.iter().map(|a| l.bits(a, index, read)).collect::<Option<Vec<Bits>>>()
        };
        Some(match e {
            Expr::Lit(Lit::Bool(b)) => Bits::Literal(*b),
            Expr::Lit(Lit::Int(n @ (0 | 1))) => Bits::Literal(*n == 1),
            Expr::Access(id) => {
                let operand = self.operand(*id, index)?;
                Bits::Read(numbered(&mut read.operands, operand))
            }
            // A number that does not change is no condition: it would count as one.
            e if self.kernel.type_of(e) == Some(Ty::Bool) && self.is_same(e, index) => {
                Bits::Same(numbered(&mut read.same, e.clone()))
            }
            Expr::Call(op, args) => match op {
                Op::And | Op::BitAnd => Bits::And(all(self, args)?),
                Op::Or | Op::BitOr => Bits::Or(all(self, args)?),
                Op::Ne | Op::BitXor => Bits::Xor(all(self, args)?),
                Op::Eq => Bits::Not(Box::new(Bits::Xor(all(self, args)?))),
                Op::Not => Bits::Not(Box::new(self.bits(&args[0], index, read)?)),
                Op::Cast(Ty::Bool) => self.bits(&args[0], index, read)?,
                Op::IfElse => Bits::Choice(Box::new(<[Bits; 3]>::try_from(all(self, args)?).ok()?)),
                Op::Coalesce => {
                    let [Expr::Access(id), Expr::Lit(Lit::Bool(false) | Lit::Int(0))] = &args[..]
                    else {
                        return Some(Bits::Coalesce(all(self, args)?));
                    };
                    let mut operand = self.operand(*id, index)?;
                    // Where there is no word of the fiber, and behind its last coordinate, bits are 0 anyway.
                    let len = self.len_of(&operand);
                    operand.parts.retain(|(lo, hi)| *lo != Expr::int(0) || *hi != len);
                    operand.missing &= !operand.parts.is_empty();
                    let bits = Bits::Read(numbered(&mut read.operands, operand));
                    Bits::Coalesce(vec![bits, Bits::Literal(false)])
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    /// The size of the dimension of an operand.
    pub(super) fn len_of(&self, operand: &Operand) -> Expr {
        let (tensor, level) = operand.of;
        Expr::Var(self.kernel.tensor(tensor).lens[level])
    }

    /// The access `id` as an operand that a loop over `index` reads by the word.
    fn operand(&mut self, id: AccessId, index: VarId) -> Option<Operand> {
        let access = self.kernel.get(id).clone();
        let tensor = self.kernel.tensor(access.tensor);
        let words = tensor.levels[access.level].format.level().words.is_some();
        let len = tensor.lens.get(access.level).copied();
        let [first] = &access.indices[..] else { return None };
        let shift = self.plain_along(first, index)?;
        let fiber = access.unfurled.is_none() && access.present.is_none() && one_fiber(&access.pos);
        // A protocol that a program asks for is what it gets.
        let asked = first.protocol.is_some() || first.view.checked;
        if access.write || !fiber || asked || !words {
            return None;
        }
        if !self.means_stored(access.tensor, access.level) {
            return None;
        }
        let len = Expr::Var(len?);
        let clips = &first.view.clips;
        let missing = clips.iter().any(|(_, outside)| *outside == Outside::Missing);
        if clips.iter().any(|(_, o)| (*o == Outside::Missing) != missing || *o == Outside::Refused)
        {
            return None;
        }
        let parts: Vec<(Expr, Expr)> =
            clips.iter().filter_map(|(part, _)| part.bounds(&len)).collect();
        // Amounts that `permit` allows to leave the dimension are cut to no part else.
        if clips.is_empty() && first.view.part == Part::Anywhere {
            return None;
        }
        let of = (access.tensor, access.level);
        Some(Operand { of, at: access.pos, shift, missing: missing && !parts.is_empty(), parts })
    }

    /// What is added to `index`, if `along` is that and nothing else that one would have to look at each coordinate.
    pub(super) fn plain_along(&self, along: &Index, index: VarId) -> Option<Expr> {
        let View { stride, repeats, groups, exact, written, only, .. } = &along.view;
        let plain = stride.is_none()
            && repeats.is_none()
            && groups.is_empty()
            && exact.is_none()
            && written.is_none()
            && only.is_empty();
        match &along.kind {
            IndexKind::Affine(v, shift) if plain && *v == index => {
                let fixed = self.accesses_of(shift).is_empty()
                    && !self.kernel.depends(shift).contains(&index);
                fixed.then(|| shift.clone())
            }
            _ => None,
        }
    }

    /// Whether each child of a level has the value `true`, and what is not stored is `false`.
    pub(super) fn means_stored(&mut self, tensor: TensorId, level: usize) -> bool {
        let t = self.kernel.tensor(tensor);
        let bools = t.value == Ty::Bool && t.fill == Expr::bool(false);
        bools
            && t.levels.len() == level + 2
            && self.leaf(tensor, level + 1, &Expr::int(0), false) == Expr::bool(true)
    }

    /// Whether `e` is a condition that is the same in a loop over `index`, and may be asked once in front of it:
    /// nothing but comparisons of numbers that are there.
    fn is_same(&self, e: &Expr, index: VarId) -> bool {
        let primitive = |e: &Expr| match self.kernel.type_of(e) {
            None | Some(Ty::Bool | Ty::Index) => true,
            Some(Ty::Named(name)) => primitive(&name),
            Some(Ty::Own | Ty::Unknown) => false,
        };
        let plain = match e {
            Expr::Lit(lit) => return *lit != Lit::Missing,
            Expr::Var(v) => !self.kernel.absent.contains(v) && primitive(e),
            Expr::Load(array, at) => {
                let mut known = self.kernel.arrays[array.0 as usize].trusted && primitive(e);
                at.walk(&mut |e| match e {
                    Expr::Lit(_) | Expr::Var(_) | Expr::Load(..) => {}
                    Expr::Call(Op::Add | Op::Sub | Op::Mul | Op::WrappingMul, _) => {}
                    _ => known = false,
                });
                known
            }
            Expr::Call(op, args) => {
                let kind = matches!(op, Op::And | Op::Or | Op::Not) || op.is_comparison();
                return kind
                    && args.iter().all(|a| self.is_same(a, index))
                    && self.kernel.type_of(e) == Some(Ty::Bool);
            }
            Expr::Array(_) | Expr::Access(_) | Expr::Raw(_) => false,
        };
        plain && !self.kernel.depends(e).contains(&index)
    }
}

/// Whether `p` names one fiber that is there.
pub(super) fn one_fiber(p: &Expr) -> bool {
    !matches!(p, Expr::Call(Op::Nowhere | Op::Range, _))
}

/// The number of `one` among `all`.
fn numbered<T: PartialEq>(all: &mut Vec<T>, one: T) -> usize {
    all.iter().position(|other| *other == one).unwrap_or_else(|| {
        all.push(one);
        all.len() - 1
    })
}

/// A condition at 64 coordinates: where it holds, and where it is not missing, unless that is everywhere.
#[derive(Clone)]
pub(super) struct Word {
    pub value: Expr,
    pub present: Option<Expr>,
}

/// The words of what a condition reads, each by its number.
pub(super) struct Words<'a> {
    pub operands: &'a [Word],
    pub same: &'a [Expr],
    pub each: &'a [Expr],
}

impl Word {
    /// Where it is not missing, and holds.
    pub fn holds(self) -> Expr {
        self.present.into_iter().fold(self.value, and)
    }
    /// Where it is not missing, and does not hold.
    pub fn fails(self) -> Expr {
        self.present.into_iter().fold(not(self.value), and)
    }
}

impl Bits {
    /// The word of the condition, of those of what it reads.
    pub fn word(&self, of: &Words<'_>) -> Word {
        let absorbed = |all: &[Bits], join: fn(Expr, Expr) -> Expr| {
            let mut words = all.iter().map(|b| b.word(of));
            let first = words.next().unwrap_or(Word { value: word(false), present: None });
            words.fold(first, |a, b| Word {
                value: join(a.value, b.value),
                present: both(a.present, b.present),
            })
        };
        match self {
            Bits::Literal(b) => Word { value: word(*b), present: None },
            Bits::Same(n) => Word { value: of.same[*n].clone(), present: None },
            Bits::Read(n) => of.operands[*n].clone(),
            Bits::Each(n) => Word { value: of.each[*n].clone(), present: None },
            Bits::Not(b) => {
                let Word { value, present } = b.word(of);
                Word { value: not(value), present }
            }
            Bits::And(all) => absorbed(all, and),
            Bits::Or(all) => absorbed(all, or),
            Bits::Xor(all) => absorbed(all, xor),
            Bits::Choice(all) => {
                let [c, a, b] = all.each_ref().map(|b| b.word(of));
                let chosen =
                    |a: Expr, b: Expr| or(and(c.value.clone(), a), and(not(c.value.clone()), b));
                let value = chosen(a.value, b.value);
                let branches = match (a.present, b.present) {
                    (None, None) => None,
                    (a, b) => Some(chosen(a.unwrap_or(word(true)), b.unwrap_or(word(true)))),
                };
                Word { value, present: both(c.present, branches) }
            }
            Bits::Coalesce(all) => {
                let mut words = all.iter().map(|b| b.word(of));
                let first = words.next().unwrap_or(Word { value: word(false), present: None });
                words.fold(first, |a, b| match a.present {
                    None => a,
                    Some(present) => Word {
                        value: or(
                            and(a.value, present.clone()),
                            and(b.value, not(present.clone())),
                        ),
                        present: b.present.map(|other| or(present, other)),
                    },
                })
            }
        }
    }

    /// Whether it is false wherever the operand `n` stores nothing.
    pub fn needs(&self, n: usize) -> bool {
        match self {
            Bits::Literal(b) => !b,
            Bits::Read(k) => *k == n,
            Bits::And(all) => all.iter().any(|b| b.needs(n)),
            Bits::Or(all) => all.iter().all(|b| b.needs(n)),
            Bits::Coalesce(all) => all.iter().all(|b| b.needs(n)),
            Bits::Choice(all) => all[2].needs(n) && (all[0].needs(n) || all[1].needs(n)),
            Bits::Same(_) | Bits::Each(_) | Bits::Not(_) | Bits::Xor(_) => false,
        }
    }

    /// Whether what is asked at each coordinate as number `n` is asked whatever else is found there.
    pub fn always_asks(&self, n: usize) -> bool {
        match self {
            Bits::Each(k) => *k == n,
            Bits::Not(one) => one.always_asks(n),
            Bits::And(all) | Bits::Or(all) | Bits::Coalesce(all) => {
                all.first().is_some_and(|b| b.always_asks(n))
            }
            Bits::Xor(all) => all.iter().any(|b| b.always_asks(n)),
            Bits::Choice(all) => all[0].always_asks(n),
            Bits::Literal(_) | Bits::Same(_) | Bits::Read(_) => false,
        }
    }
}

fn both(a: Option<Expr>, b: Option<Expr>) -> Option<Expr> {
    match (a, b) {
        (Some(a), Some(b)) => Some(and(a, b)),
        (a, b) => a.or(b),
    }
}

fn word(ones: bool) -> Expr {
    Expr::int(if ones { ONES } else { 0 })
}

/// A condition as 64 bits that are the same.
pub(super) fn broadcast(condition: Expr) -> Expr {
    let word = Expr::call(Op::IfElse, [condition, word(true), word(false)]);
    // Where nothing beside it has a type, literals would take that of some other number in the condition.
    Expr::call(Op::Own(super::word_type()), [word])
}

fn and(a: Expr, b: Expr) -> Expr {
    let (zero, ones) = (word(false), word(true));
    match () {
        () if a == zero || b == zero => zero,
        () if a == ones || a == b => b,
        () if b == ones => a,
        () => Expr::call(Op::BitAnd, [a, b]),
    }
}

fn or(a: Expr, b: Expr) -> Expr {
    let (zero, ones) = (word(false), word(true));
    match () {
        () if a == ones || b == ones => ones,
        () if a == zero || a == b => b,
        () if b == zero => a,
        () => Expr::call(Op::BitOr, [a, b]),
    }
}

fn xor(a: Expr, b: Expr) -> Expr {
    match () {
        () if a == b => word(false),
        () if a == word(false) => b,
        () if b == word(false) => a,
        () => Expr::call(Op::BitXor, [a, b]),
    }
}

fn not(a: Expr) -> Expr {
    match &a {
        Expr::Lit(Lit::Int(n)) => word(*n == 0),
        Expr::Call(Op::BitXor, args) if args.len() == 2 && args[1] == word(true) => args[0].clone(),
        _ => Expr::call(Op::BitXor, [a, word(true)]),
    }
}
