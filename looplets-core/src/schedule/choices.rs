//! What the scheduler may choose between: each choice is asked for by name, so that all ways can be gone through, a program
//! can settle one, and people can read which were made.

use crate::ast::{Wish, WishKind};
use proc_macro2::{Ident, Span};
use std::collections::VecDeque;
use std::fmt;

/// One of the things to choose between.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Products are as they are written.
    AtOnce,
    /// The product of these operands is summed first, in loops over these indices, which both statements have in common.
    First(Vec<String>, Vec<String>),
    /// An operand is copied to where it is looked up.
    Spread(String),
    /// It is gone through beside the others.
    Merge(String),
    /// Operands that meet along an index are gone through together.
    Walk(String),
    /// Each of them leaps to where another one has its next entry.
    Gallop(String),
    /// An operand is copied in the other order.
    Turn(String),
    /// Operands are gone through as they are stored.
    AsStored,
    /// What is gathered is gathered whole, and looked up where the mask is stored.
    Late(String),
    /// The mask is asked before anything is gathered.
    Early(String),
    /// What is gathered of a result has a place for each coordinate.
    ByPlace(String),
    /// It has entries alone, which are found by hashing.
    Hashed(String),
    /// A result of runs is merged of the runs of its operands.
    Runs(String),
    /// It is computed of bits.
    Bits(String),
    /// The order of loops.
    Order(Vec<String>),
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::AtOnce => write!(f, "at_once"),
            Choice::First(names, around) if around.is_empty() => {
                write!(f, "first({})", names.join(", "))
            }
            Choice::First(names, around) => {
                write!(f, "first({}, for {})", names.join(", "), around.join(", "))
            }
            Choice::Spread(name) => write!(f, "spread({name})"),
            Choice::Merge(name) => write!(f, "merge({name})"),
            Choice::Walk(name) => write!(f, "walk({name})"),
            Choice::Gallop(name) => write!(f, "gallop({name})"),
            Choice::Turn(name) => write!(f, "turn({name})"),
            Choice::AsStored => write!(f, "as_stored"),
            Choice::Late(name) => write!(f, "late({name})"),
            Choice::Early(name) => write!(f, "early({name})"),
            Choice::ByPlace(name) => write!(f, "dense({name})"),
            Choice::Hashed(name) => write!(f, "hash({name})"),
            Choice::Runs(name) => write!(f, "runs({name})"),
            Choice::Bits(name) => write!(f, "bits({name})"),
            Choice::Order(names) => write!(f, "order({})", names.join(", ")),
        }
    }
}

/// Whether `wish` is for `choice`.
pub fn is_for(wish: &Wish, choice: &Choice) -> bool {
    let same = |names: &[String], wished: &[Ident]| {
        names.len() == wished.len() && names.iter().all(|n| wished.iter().any(|w| w == n))
    };
    match (&wish.kind, choice) {
        (WishKind::AtOnce, Choice::AtOnce) | (WishKind::AsStored, Choice::AsStored) => true,
        (WishKind::First(wished, None), Choice::First(names, _)) => same(names, wished),
        (WishKind::First(wished, Some(loops)), Choice::First(names, around)) => {
            same(names, wished) && same(around, loops)
        }
        (WishKind::Spread(wished), Choice::Spread(name))
        | (WishKind::Merge(wished), Choice::Merge(name))
        | (WishKind::Walk(wished), Choice::Walk(name))
        | (WishKind::Gallop(wished), Choice::Gallop(name))
        | (WishKind::Turn(wished), Choice::Turn(name))
        | (WishKind::Late(wished), Choice::Late(name))
        | (WishKind::Early(wished), Choice::Early(name))
        | (WishKind::ByPlace(wished), Choice::ByPlace(name))
        | (WishKind::Hashed(wished), Choice::Hashed(name))
        | (WishKind::Runs(wished), Choice::Runs(name))
        | (WishKind::Bits(wished), Choice::Bits(name)) => wished == name,
        (WishKind::Order(wished), Choice::Order(names)) => {
            wished.len() == names.len() && wished.iter().zip(names).all(|(w, n)| w == n)
        }
        _ => false,
    }
}

/// Whether `wish` names the operands of `choice` as it does.
fn names_in_order(wish: &Wish, choice: &Choice) -> bool {
    match (&wish.kind, choice) {
        (WishKind::First(wished, _), Choice::First(names, _)) => {
            wished.iter().zip(names).all(|(wished, name)| wished == name)
        }
        _ => true,
    }
}

/// `indices` in the order that `wish` asks for, if it is of all of them.
fn ordered(wish: &Wish, indices: &[Ident]) -> Option<Vec<Ident>> {
    let WishKind::Order(order) = &wish.kind else { return None };
    let own = |i: &Ident| indices.iter().find(|o| *o == i).cloned();
    let order: Option<Vec<Ident>> = order.iter().map(own).collect();
    order.filter(|order| order.len() == indices.len())
}

/// A choice that was made.
#[derive(Clone)]
pub struct Made {
    /// What there was to choose between; the first is what is taken where nothing else is known.
    pub options: Vec<Choice>,
    /// Which was taken.
    pub taken: usize,
}

/// The choices of one way.
pub struct Choices<'a> {
    wishes: &'a [Wish],
    /// Which of the wishes were for something that there was to choose.
    pub granted: Vec<bool>,
    /// Those that settle nothing more, since others for the same come behind them.
    past: Vec<bool>,
    /// Those that have settled a place.
    used: Vec<bool>,
    /// What to take, as far as it goes; the first of the options behind that.
    asked: Vec<usize>,
    /// Choices that were made.
    pub made: Vec<Made>,
    /// All options there were, those that a wish settled among them.
    pub options: Vec<Choice>,
    /// Those that are for programs that wish for them alone.
    pub on_request: Vec<Choice>,
}

impl<'a> Choices<'a> {
    /// Those that take what `asked` says, but for what `wishes` settle.
    pub fn new(wishes: &'a [Wish], asked: Vec<usize>) -> Self {
        let granted = vec![false; wishes.len()];
        let (past, used) = (granted.clone(), granted.clone());
        Choices {
            wishes,
            granted,
            past,
            used,
            asked,
            made: Vec::new(),
            options: Vec::new(),
            on_request: Vec::new(),
        }
    }

    /// Which of `options` a wish is for. Of several wishes that are for some of them the first one settles the first place where
    /// they are to choose, the second the second, and the last one all that come then, unless one is for some of them that was for
    /// none before: so what is printed of a way is a wish for that way, however often an operand is met.
    fn wished(&mut self, options: &[Choice]) -> Option<usize> {
        // Of two products of the same operands, that which names them in the same order.
        let of = |wish: &Wish| {
            let exact = options.iter().position(|o| is_for(wish, o) && names_in_order(wish, o));
            exact.or(options.iter().position(|o| is_for(wish, o)))
        };
        let mut all = (0..self.wishes.len())
            .filter(|n| !self.past[*n])
            .filter_map(|n| Some((n, of(&self.wishes[n])?)))
            .collect::<VecDeque<_>>();
        while all.len() > 1 && self.used[all[0].0] {
            self.past[all[0].0] = true;
            all.pop_front();
        }
        let (wish, option) = all.pop_front()?;
        let last = all.is_empty();
        self.granted[wish] = true;
        self.used[wish] |= options.len() > 1;
        // What is alone is no choice, and is not printed as one.
        self.past[wish] = !last && options.len() > 1;
        Some(option)
    }

    /// Which of `options` to take.
    pub fn choose(&mut self, options: Vec<Choice>) -> usize {
        if options.len() > 1 {
            self.options.extend(options.iter().cloned());
        }
        if let Some(n) = self.wished(&options) {
            return n;
        }
        if options.len() < 2 {
            return 0;
        }
        let taken = self.asked.get(self.made.len()).copied().unwrap_or(0);
        self.made.push(Made { options, taken });
        taken
    }

    /// Whether the program wishes for `option`.
    pub fn is_wished(&self, option: &Choice) -> bool {
        let wishes = self.wishes.iter().zip(&self.past);
        wishes.into_iter().any(|(wish, past)| !past && is_for(wish, option))
    }

    /// Whether the program wishes for `option`, which no other is given.
    pub fn asks_for(&mut self, option: Choice) -> bool {
        let asked = self.is_wished(&option);
        if !asked && !self.on_request.contains(&option) {
            self.on_request.push(option);
        }
        asked
    }

    /// Which of `options` to take, all but the first of which are for programs that wish for them.
    pub fn settle(&mut self, options: Vec<Choice>) -> usize {
        self.options.extend(options.iter().cloned());
        let taken = self.wished(&options).unwrap_or(0);
        self.made.push(Made { options: vec![options[taken].clone()], taken: 0 });
        taken
    }

    /// The format in which what is gathered or copied of the tensor `of` is to be held.
    pub fn workspace(&mut self, of: &Ident) -> Option<(&'a syn::Type, Span)> {
        let (n, ty) = self.wished_workspace(of)?;
        self.granted[n] = true;
        Some((ty, self.wishes[n].span))
    }

    /// The same, before it is known whether there is a workspace.
    pub fn wished_format(&self, of: &Ident) -> Option<&'a syn::Type> {
        Some(self.wished_workspace(of)?.1)
    }

    fn wished_workspace(&self, of: &Ident) -> Option<(usize, &'a syn::Type)> {
        self.wishes.iter().enumerate().find_map(|(n, wish)| match &wish.kind {
            WishKind::Workspace(name, ty) if name == of => Some((n, &**ty)),
            _ => None,
        })
    }

    /// Whether an order of loops over all of `indices` is wished for, so that none of them may stand apart.
    pub fn orders(&self, indices: &[Ident]) -> bool {
        self.wishes.iter().any(|wish| ordered(wish, indices).is_some())
    }

    /// The order of loops over `indices` that is wished for.
    pub fn order(&mut self, indices: &[Ident]) -> Option<(Vec<Ident>, &'a Wish)> {
        for (wish, granted) in self.wishes.iter().zip(&mut self.granted) {
            if let Some(order) = ordered(wish, indices) {
                *granted = true;
                return Some((order, wish));
            }
        }
        None
    }

    /// Ways that differ from this one in one choice behind those that were asked for.
    pub fn others(&self) -> Vec<Vec<usize>> {
        let mut out = Vec::new();
        for n in self.asked.len()..self.made.len() {
            let before: Vec<usize> = self.made[..n].iter().map(|m| m.taken).collect();
            for other in 1..self.made[n].options.len() {
                out.push(before.iter().copied().chain([other]).collect());
            }
        }
        out
    }
}
