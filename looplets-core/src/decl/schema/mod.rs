//! Node schemas: dynamic structures as a clause of `level!` (DynamicSparse section 3.1, figure 4).
//!
//! A schema says which nodes there are, what each holds, and in which order its parts are met. From it follow the arrays
//! that a level has in place of its own (`layout`), the cursor by which it is read (`walk`), and what people who
//! insert and delete call (`nodes`). The rest of the compiler sees a level like any other.

mod chain;
mod changes;
mod coded;
mod complete;
mod in_order;
mod layout;
mod nodes;
mod parse;
mod search;
mod walk;

pub use chain::Chain;
pub use complete::complete;
pub use nodes::items;
pub use parse::schema;

use proc_macro2::{Ident, Span};

/// The nodes of a level.
#[derive(Clone)]
pub struct Schema {
    /// The keyword `nodes`.
    pub at: Span,
    /// `unsafe nodes`: the author vouches that insertion and deletion keep the invariant.
    pub vouched: Option<Span>,
    /// The type of coordinates, a parameter of the level; `u32` without.
    pub coordinates: Option<Ident>,
    /// The type of links, a parameter of the level; `u32` without.
    pub links: Option<Ident>,
    /// The node that stands for a fiber, then those it leads to.
    pub defs: Vec<Def>,
    /// Clauses that say how entries come and go.
    pub clauses: Vec<(Change, Vec<Ident>, proc_macro2::TokenStream)>,
}

/// What a function of the author does to a fiber.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// `insert(p, i)`: makes an entry where there is none.
    Insert,
    /// `remove(p, i)`: takes an entry out, if there is one.
    Remove,
    /// `build(p, all)`: makes entries at all of these coordinates, which ascend, in a fiber that has none.
    Build,
}

/// One type of node.
#[derive(Clone)]
pub struct Def {
    /// Its name.
    pub name: Ident,
    /// What it may be called besides.
    pub supertype: Option<Ident>,
    /// What it holds.
    pub fields: Vec<Part>,
    /// The order in which its parts are met; none if there is one part, or if entries are in no order.
    pub seq: Option<Vec<Item>>,
}

/// A field of a node.
#[derive(Clone)]
pub struct Part {
    /// Its name.
    pub name: Ident,
    /// What it holds.
    pub kind: PartKind,
    /// `elem[n] holes`: an entry that repeats the coordinate of the one before it in the block is none.
    pub holes: Option<Span>,
    /// `elem coded`: coordinates are bytes, differences of variable length.
    pub coded: Option<Span>,
}

/// What a field of a node holds.
#[derive(Clone)]
pub enum PartKind {
    /// `elem`, `elem[B]`: entries.
    Elem(Count),
    /// `bst`, `bst[B]`: links to nodes of a type.
    Link {
        /// The type, or what several are called.
        to: Ident,
        /// How many.
        count: Count,
    },
    /// `first bst`: a link from the root to the node whose entries are met first.
    First(Ident),
    /// `last list`: a link to the node whose entries are met last.
    Last(Ident),
    /// `next bst`: a thread, a link to the node whose entries are met next.
    Next(Ident),
    /// `parent`: a link back.
    Parent,
    /// `size in lo..=hi`: how many entries it may hold; without bounds, as many as there is room for.
    Size(Option<Box<[syn::Expr; 2]>>),
    /// An integer or a `bool` that entries do not need.
    Meta,
}

/// How many there are of a field.
#[derive(Clone, PartialEq)]
pub enum Count {
    /// One.
    One,
    /// As many as a field of this name says.
    Sized(Ident),
}

/// A part of a node, in the order in which parts are met.
#[derive(Clone)]
pub enum Item {
    /// The entries, or the nodes that a link leads to.
    Part(Ident),
    /// `{e, c}`: an entry, the node of the link beside it, the next entry.
    Mixed(Ident, Ident),
}

impl Schema {
    /// Whether entries are met in the order of their coordinates: a node with entries and a link says which comes first.
    pub fn ordered(&self) -> bool {
        self.defs.iter().all(|d| d.seq.is_some() || d.met().count() < 2)
    }
    /// The type of node called `name`.
    pub fn def(&self, name: &Ident) -> Option<usize> {
        self.defs.iter().position(|d| d.name == *name)
    }
    /// The types of node that a link to `name` may lead to.
    pub fn targets(&self, name: &Ident) -> Vec<usize> {
        let is = |d: &&(usize, &Def)| d.1.name == *name || d.1.supertype.as_ref() == Some(name);
        self.defs
            .iter()
            .enumerate()
            .collect::<Vec<_>>()
            .iter()
            .filter(is)
            .map(|(k, _)| *k)
            .collect()
    }
    /// What a clause of the author does.
    pub fn clause(
        &self,
        change: Change,
    ) -> Option<&(Change, Vec<Ident>, proc_macro2::TokenStream)> {
        self.clauses.iter().find(|(c, ..)| *c == change)
    }
    /// Whether a node may lead to several others, so that the way to an entry is logarithmic; else it is linear.
    pub fn branches(&self) -> bool {
        let many = |f: &&Part| matches!(&f.kind, PartKind::Link { count: Count::Sized(_), .. });
        let more = |d: &Def| {
            let links = d.fields.iter().filter(|f| matches!(f.kind, PartKind::Link { .. }));
            links.clone().any(|f| many(&f)) || links.count() > 1
        };
        // A root may have a block and a list.
        self.defs.iter().skip(1).any(more)
    }
    /// Whether the coordinates of all entries are bytes, differences of variable length.
    pub fn coded(&self) -> bool {
        self.defs.iter().flat_map(|d| &d.fields).any(|f| f.coded.is_some())
    }
    /// Whether nodes hold different numbers of entries, or of bytes, so that each says where its own are.
    pub fn pooled(&self) -> bool {
        let mut with = self.defs.iter().filter(|d| d.elem().is_some());
        let first = with.next();
        with.next().is_some()
            || self.coded()
            || first
                .is_some_and(|d| d.name == self.defs[0].name || d.bounds().is_none() && d.sized())
    }
}

impl Def {
    /// The field called `name`.
    pub fn part(&self, name: &Ident) -> Option<&Part> {
        self.fields.iter().find(|f| f.name == *name)
    }
    /// The fields that are met: its entries, and what it leads to.
    pub fn met(&self) -> impl Iterator<Item = &Part> {
        let met = |f: &&Part| matches!(f.kind, PartKind::Elem(_) | PartKind::Link { .. });
        self.fields.iter().filter(met)
    }
    /// Its entries.
    pub fn elem(&self) -> Option<(&Ident, &Count)> {
        self.fields.iter().find_map(|f| match &f.kind {
            PartKind::Elem(count) => Some((&f.name, count)),
            _ => None,
        })
    }
    /// Whether some of its entries may be none.
    pub fn holes(&self) -> bool {
        self.fields.iter().any(|f| f.holes.is_some())
    }
    /// Whether it may have any number of entries.
    pub fn sized(&self) -> bool {
        matches!(self.elem(), Some((_, Count::Sized(_))))
    }
    /// How many entries it may have, if that is bounded.
    pub fn bounds(&self) -> Option<&[syn::Expr; 2]> {
        self.fields.iter().find_map(|f| match &f.kind {
            PartKind::Size(bounds) => bounds.as_deref(),
            _ => None,
        })
    }
}
