//! Write protocols as a declaration writes them.

use proc_macro2::{Ident, TokenStream};

/// In which order a level takes its entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Ascending, each once; positions grow with them.
    Append,
    /// Any; positions are found or made.
    Insert,
    /// Any; positions follow from coordinates.
    Locate,
}

/// A write protocol.
#[derive(Clone)]
pub struct Write {
    /// `append`, `insert` or `locate`, `value` for a leaf.
    pub name: Ident,
    /// What the name says of the order.
    pub order: Order,
    /// Fiber position.
    pub p: Ident,
    /// Coordinate.
    pub i: Option<Ident>,
    /// `runs`: entries built from sorted data may share one, ended by `commit` with its last coordinate.
    pub runs: bool,
    /// `covers`, of `runs` that `each` lists: what lies before an entry that is written is a run of fill.
    pub covers: bool,
    /// `exact`: what is stored is what was written, so that a leaf without values may stand below. Of `each` it follows.
    pub exact: bool,
    /// Statements before the fiber's first entry.
    pub open: Option<TokenStream>,
    /// `Result<(), String>` that refuses an entry that was written; before `commit`.
    pub entry: Option<TokenStream>,
    /// Whether the entries `first..=i`, equal to the one before, were joined with it: a `bool`.
    pub extend: Option<TokenStream>,
    /// `(at) { statements }`: changes coordinates to those of the entry that is stored for them.
    pub fold: Option<(Ident, TokenStream)>,
    /// Reopens fiber 0 after `finish` and gives the first coordinate that may follow.
    pub thaw: Option<TokenStream>,
    /// Takes all entries out of the one fiber, in time proportional to what is stored; `blank(q)` is to be
    /// called for each child.
    pub clear: Option<TokenStream>,
    /// `stale`, of `locate` with `find`: `clear` leaves the values of children as they are, so that what a child holds that is not
    /// found is no value, and `commit` may run again for an entry that is there.
    pub stale: bool,
    /// Not of `append`: the position of the entry's child if there is such an entry, else a number below 0.
    pub find: Option<syn::Expr>,
    /// Position of the entry's child.
    pub child: Option<syn::Expr>,
    /// Statements after the entry was written.
    pub commit: Option<TokenStream>,
    /// `(q) { statements }`, of an `insert` with `each`: has `find` find the new entry, whose child is at `q`.
    pub note: Option<(Ident, TokenStream)>,
    /// `(w) { statements }`, of `locate`: to store entries is to set their bits of the word `w` that the level's
    /// `words` names, and to run this behind that if any was set.
    pub words: Option<(Ident, TokenStream)>,
    /// `(fibers) { statements }`, not of `append`: puts entries in order, before they are read and before `finish`.
    pub sort: Option<(Ident, TokenStream)>,
    /// `(fibers) { statements }` once nothing more is written.
    pub finish: Option<(Ident, TokenStream)>,
    /// `(fibers) { expression }`, how many child fibers that many fibers have.
    pub children: Option<(Ident, TokenStream)>,
    /// `children: len`: each fiber has a child for each coordinate, from which `children` follows.
    pub one_child_each: bool,
    /// `(fibers) { statements }` of a leaf: fibers below the number exist, at fill.
    pub reserve: Option<(Ident, TokenStream)>,
    /// The array in which `commit` leaves pairs of positions of the child, whose fibers are to be exchanged.
    pub moves: Option<Ident>,
    /// What is done with entries that were appended once all are there, of a level that is made of nodes.
    pub link: Option<Link>,
    /// The element written, for a leaf with values.
    pub place: Option<syn::Expr>,
    /// An entry is one element in each of these arrays, with the value that it is made with; `child`, `commit`
    /// and `children` follow from it, in a leaf `reserve`, `finish` and `place`. Beside `commit` it says what that does
    /// above a leaf; in an `insert` `note` says what else becomes of a new entry. Of `runs` it says what a run is of coordinates `first..=i`, each in a place of its own.
    pub each: Vec<(Ident, syn::Expr)>,
}

/// How entries that were appended become nodes. Until then `reserve` of the protocol makes no fibers: these are but
/// places where entries begin.
#[derive(Clone)]
pub struct Link {
    /// `Result<(), String>`, before anything is appended.
    pub start: TokenStream,
    /// `(fibers) { Result<(), String> }`, once nothing more is.
    pub code: (Ident, TokenStream),
    /// The array in which that leaves pairs of positions of the child, whose fibers are to be exchanged.
    pub moves: Ident,
}

impl Write {
    /// Whether fibers are opened in ascending order, though entries may come in any.
    pub fn opens_in_order(&self) -> bool {
        self.order == Order::Insert && self.open.is_some()
    }
}
