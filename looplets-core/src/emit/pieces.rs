//! Long code in pieces. rustc's borrow checker goes through a function in time that is the product of its variables
//! and its branches, so that four hundred loops, one behind the other, took it twenty seconds. What stands between
//! two definitions that outlive it goes into closures of some loops each, which are checked for themselves, called
//! once where they stand, and so are no calls in the end.

use super::{Emit, Reader};
use crate::ast::Form;
use crate::cin::*;
use crate::kernel::*;
use crate::kir::{is_left, Kir};
use crate::opaque::Opaque;
use crate::runtime::Runtime;
use crate::types::primitive;
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use std::collections::HashMap;

/// How many statements code has that is cut: kernels that people write have fewer.
const LONG: usize = 3_000;
/// How many statements a piece should have. Fewer than a quarter of that make no piece.
const PIECE: usize = 600;

/// A statement.
struct Statement {
    tokens: TokenStream,
    /// The number of statements that it is, those in its body included.
    weight: usize,
    /// Whether it may be in a piece.
    fits: bool,
    /// The name that it defines.
    defines: Option<String>,
}

impl Emit<'_> {
    /// Statements in order, in pieces if there are many; `after` them stand other tokens.
    pub fn in_pieces(&self, code: &[Kir], after: &TokenStream) -> TokenStream {
        // In a closure, the `return` of a fallible kernel would leave the closure alone, and the Rust around an inline
        // kernel may be left by a `break` in it.
        let whole = matches!(&self.kernel.form, Form::Function { fallible: None, .. });
        if !whole || self.reader == Reader::Person || code.iter().map(weight).sum::<usize>() < LONG
        {
            return self.code(code);
        }
        let all: Vec<Statement> = code.iter().map(|k| self.piece_of(k)).collect();
        // Uses are found by the names in the tokens, so that those in opaque Rust are found too.
        let mut last: HashMap<String, usize> = HashMap::new();
        for (at, statement) in all.iter().enumerate() {
            names(&statement.tokens, &mut |name| last.extend([(name, at)]));
        }
        names(after, &mut |name| last.extend([(name, all.len())]));
        let mut out = TokenStream::new();
        let mut at = 0;
        while at < all.len() {
            let end = piece(&all[at..], at, &last);
            let tokens = all[at..at + end.unwrap_or(1)].iter().map(|s| s.tokens.clone());
            match end {
                Some(_) => out.extend(quote!((|| { #(#tokens)* })();)),
                None => out.extend(tokens),
            }
            at += end.unwrap_or(1);
        }
        out
    }

    fn piece_of(&self, k: &Kir) -> Statement {
        let fits = self.fits_a_piece(k);
        let tokens = match k {
            // A block that does not fit into a piece may be cut into pieces.
            Kir::Block(body) if !fits => {
                let body = self.in_pieces(body, &TokenStream::new());
                quote!({ #body })
            }
            k => self.code(std::slice::from_ref(k)),
        };
        let defines = match k {
            Kir::Let { var, .. } => Some(self.ident(*var).to_string()),
            _ => None,
        };
        Statement { tokens, weight: weight(k), fits, defines }
    }

    /// Whether a closure that runs `k` does what `k` does: no `break` leaves it, and no variable is moved into it.
    fn fits_a_piece(&self, k: &Kir) -> bool {
        let mut fits = !is_left(std::slice::from_ref(k));
        k.walk(&mut |k| {
            fits &= match k {
                Kir::Labeled(..) | Kir::Break(_) => true,
                Kir::Code(r) => self.fits_as_part(&Expr::Raw(*r)),
                Kir::Let { .. } | Kir::Set { .. } | Kir::Store { .. } | Kir::For { .. } => true,
                Kir::CopyRow(_) => true,
                Kir::While { .. } | Kir::If { .. } | Kir::Block(_) | Kir::Comment(_) => true,
                _ => false,
            };
            fits &= k.sets().is_none_or(|v| copied(&self.kernel.info(v).ty));
            fits &= k.exprs().into_iter().all(|e| self.fits_as_part(e));
        });
        fits
    }

    /// Whether the variables of `e` are `Copy`, and none of the Rust in it is the program's.
    fn fits_as_part(&self, e: &Expr) -> bool {
        let mut fits = true;
        e.walk(&mut |x| {
            fits &= match x {
                Expr::Var(v) => copied(&self.kernel.info(*v).ty),
                Expr::Raw(r) => {
                    let raw = &self.kernel.raws[r.0 as usize];
                    let known = match &raw.code {
                        Opaque::Runtime(Runtime::Index | Runtime::Size) => true,
                        Opaque::Runtime(Runtime::Irregular | Runtime::Masked) => true,
                        Opaque::Runtime(Runtime::Sum | Runtime::Total | Runtime::Together) => true,
                        Opaque::Runtime(_) | Opaque::Declared(_) => false,
                        Opaque::Rust(tokens) => syn::parse2::<syn::Lit>(tokens.clone()).is_ok(),
                    };
                    known && raw.names.iter().all(|(_, e)| self.fits_as_part(e))
                }
                _ => true,
            }
        });
        fits
    }
}

fn copied(ty: &Ty) -> bool {
    match ty {
        Ty::Index | Ty::Bool => true,
        Ty::Named(name) => primitive(name),
        Ty::Own | Ty::Unknown => false,
    }
}

/// How many of the statements from `at` on make a piece: nothing that they define is used behind them.
fn piece(from: &[Statement], at: usize, last: &HashMap<String, usize>) -> Option<usize> {
    let (mut weight, mut open, mut found) = (0, at, None);
    for (k, one) in from.iter().take_while(|one| one.fits).enumerate() {
        weight += one.weight;
        if let Some(name) = &one.defines {
            open = open.max(last.get(name).copied().unwrap_or(at));
        }
        if open <= at + k && weight >= PIECE / 4 {
            found = Some(k + 1);
        }
        if weight >= 4 * PIECE || found.is_some() && weight >= PIECE {
            break;
        }
    }
    found
}

/// The number of statements that `k` is, those in its body included.
fn weight(k: &Kir) -> usize {
    let mut count = 0;
    k.walk(&mut |_| count += 1);
    count
}

/// Visits all names in `tokens`.
fn names(tokens: &TokenStream, f: &mut dyn FnMut(String)) {
    for tree in tokens.clone() {
        match tree {
            TokenTree::Group(g) => names(&g.stream(), f),
            TokenTree::Ident(name) => f(name.to_string()),
            _ => {}
        }
    }
}
