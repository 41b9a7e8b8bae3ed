//! Matching a pattern against a class, and building one from a match.
//!
//! egg's own matcher compiles patterns of fixed arity. Rests need a choice of children, which a
//! list of goals with backtracking does in few lines, and without allocating until a match is found.

use super::graph::Graph;
use super::language::{Node, Sym};
use super::pattern::{Head, Item, Pattern};
use egg::Id;

/// What a variable of a rule stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Binding {
    /// Nothing (yet).
    Free,
    /// A class.
    One(Id),
    /// The classes a rest took, in order.
    Many(Vec<Id>),
    /// The head of a call.
    Head(Sym),
}

impl Binding {
    /// The classes bound: one, or those of a rest; none for a head.
    pub fn ids(&self) -> &[Id] {
        match self {
            Binding::One(id) => std::slice::from_ref(id),
            Binding::Many(ids) => ids,
            Binding::Free | Binding::Head(_) => &[],
        }
    }
    /// The class bound.
    ///
    /// # Panics
    /// If it is not one class: a condition on `?x` was written for a rest or a head.
    pub fn id(&self) -> Id {
        match self {
            Binding::One(id) => *id,
            other => panic!("a condition on one term was given {other:?}"),
        }
    }
}

enum Goal<'a> {
    Match(&'a Pattern, Id),
    /// Arguments in order.
    List(&'a [Item], &'a [Id]),
    /// Arguments in any order; the bits are the children already taken.
    Bag(&'a [Item], &'a [Id], u64),
}

struct Goals<'a> {
    goal: Goal<'a>,
    next: Option<&'a Goals<'a>>,
}

/// Every way `pattern` (a call) matches one node of a class, up to `limit`.
pub fn matches(
    g: &Graph,
    pattern: &Pattern,
    node: &Node,
    variables: usize,
    limit: usize,
    out: &mut Vec<Vec<Binding>>,
) {
    let (Pattern::Call(head, items), Node::Call(sym, args)) = (pattern, node) else {
        return;
    };
    let mut state =
        State { g, bindings: vec![Binding::Free; variables], limit: out.len() + limit, out };
    state.node(head, items, sym, args, None);
}

struct State<'a, 'o> {
    g: &'a Graph,
    bindings: Vec<Binding>,
    limit: usize,
    out: &'o mut Vec<Vec<Binding>>,
}

impl State<'_, '_> {
    fn node(
        &mut self,
        head: &Head,
        items: &[Item],
        sym: &Sym,
        args: &[Id],
        next: Option<&Goals<'_>>,
    ) {
        let rest = items.last().is_some_and(|i| matches!(i, Item::Rest(_)));
        match head {
            Head::Sym(wanted) if wanted != sym => {}
            Head::Sym(_) if sym.is_commutative() => {
                if items.len() - usize::from(rest) > args.len()
                    || (!rest && items.len() != args.len())
                    || args.len() > 64
                {
                    return;
                }
                self.solve(Some(&Goals { goal: Goal::Bag(items, args, 0), next }));
            }
            Head::Sym(_) => self.solve(Some(&Goals { goal: Goal::List(items, args), next })),
            Head::Var(_) if sym.is_structure() => {}
            Head::Var(n) => self.with(*n, Binding::Head(sym.clone()), |s| {
                s.solve(Some(&Goals { goal: Goal::List(items, args), next }));
            }),
        }
    }

    /// Runs `then` with a variable bound, if that agrees with what it is bound to already.
    fn with(&mut self, n: u8, value: Binding, then: impl FnOnce(&mut Self)) {
        let n = n as usize;
        let agrees = match (&self.bindings[n], &value) {
            (Binding::Free, _) => {
                self.bindings[n] = value;
                then(self);
                self.bindings[n] = Binding::Free;
                return;
            }
            (Binding::One(a), Binding::One(b)) => self.g.same(*a, *b),
            (Binding::Many(a), Binding::Many(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.g.same(*a, *b))
            }
            (a, b) => a == b,
        };
        if agrees {
            then(self);
        }
    }

    fn solve(&mut self, goals: Option<&Goals<'_>>) {
        if self.out.len() >= self.limit {
            return;
        }
        let Some(Goals { goal, next }) = goals else {
            self.out.push(self.bindings.clone());
            return;
        };
        let next = *next;
        match goal {
            Goal::Match(Pattern::Var(n), id) => {
                self.with(*n, Binding::One(*id), |s| s.solve(next));
            }
            Goal::Match(Pattern::Lit(lit), id) => {
                if self.g[*id].constant.as_ref() == Some(lit) {
                    self.solve(next);
                }
            }
            Goal::Match(Pattern::Op(op), id) => {
                if self.g.operator(*id) == Some(op) {
                    self.solve(next);
                }
            }
            Goal::Match(Pattern::Call(head, items), id) => {
                let g = self.g;
                for node in g.nodes(*id) {
                    if let Node::Call(sym, args) = node {
                        self.node(head, items, sym, args, next);
                    }
                }
            }
            Goal::List(items, args) => self.list(items, args, next),
            Goal::Bag(items, args, taken) => self.bag(items, args, *taken, next),
        }
    }

    fn list(&mut self, items: &[Item], args: &[Id], next: Option<&Goals<'_>>) {
        match items {
            [] if args.is_empty() => self.solve(next),
            [] => {}
            // The last rest takes what is left; an earlier one is tried at every length.
            [Item::Rest(n)] => self.with(*n, Binding::Many(args.to_vec()), |s| s.solve(next)),
            [Item::Rest(n), more @ ..] => {
                for k in 0..=args.len() {
                    self.with(*n, Binding::Many(args[..k].to_vec()), |s| {
                        s.solve(Some(&Goals { goal: Goal::List(more, &args[k..]), next }));
                    });
                }
            }
            [Item::One(p), more @ ..] => {
                if let [first, others @ ..] = args {
                    let next = Goals { goal: Goal::List(more, others), next };
                    self.solve(Some(&Goals { goal: Goal::Match(p, *first), next: Some(&next) }));
                }
            }
        }
    }

    fn bag(&mut self, items: &[Item], args: &[Id], taken: u64, next: Option<&Goals<'_>>) {
        let free = |i: usize| taken & (1 << i) == 0;
        match items {
            [Item::One(p), more @ ..] => {
                for i in (0..args.len()).filter(|i| free(*i)) {
                    let next = Goals { goal: Goal::Bag(more, args, taken | 1 << i), next };
                    self.solve(Some(&Goals { goal: Goal::Match(p, args[i]), next: Some(&next) }));
                }
            }
            [Item::Rest(n), ..] => {
                let rest = (0..args.len()).filter(|i| free(*i)).map(|i| args[i]).collect();
                self.with(*n, Binding::Many(rest), |s| s.solve(next));
            }
            [] if taken.count_ones() as usize == args.len() => self.solve(next),
            [] => {}
        }
    }
}

/// Adds the term a pattern stands for; `None` if it has no normal form (`min` of nothing).
pub fn instantiate(g: &mut Graph, pattern: &Pattern, bindings: &[Binding]) -> Option<Id> {
    match pattern {
        Pattern::Var(n) => match &bindings[*n as usize] {
            Binding::One(id) => Some(*id),
            _ => None,
        },
        Pattern::Lit(lit) => Some(g.lit(lit.clone())),
        Pattern::Op(op) => Some(g.atom(super::language::Leaf::Op(op.clone()))),
        Pattern::Call(head, items) => {
            let mut args = Vec::with_capacity(items.len());
            for item in items {
                match item {
                    Item::One(p) => args.push(instantiate(g, p, bindings)?),
                    Item::Rest(n) => args.extend_from_slice(bindings[*n as usize].ids()),
                }
            }
            match head {
                Head::Sym(sym) => g.call(sym, args),
                Head::Var(n) => match &bindings[*n as usize] {
                    Binding::Head(sym) => {
                        let sym = sym.clone();
                        g.call(&sym, args)
                    }
                    _ => None,
                },
            }
        }
    }
}
