//! Where chance is no guide: how long the fibers are that entries of another operand lead to, and how soon they end. A long row
//! has many that lead to it, and the rows of a banded matrix meet early or never, so a kernel that is called looks at a sample
//! of its operands.

use super::cost::{Atom, Cost};
use super::count::Counter;
use super::laws::Join;
use super::visit::exprs;
use super::walk::LEAPS;
use crate::ast::{Block, Expr, Index};

/// What is sampled: the steps along `fibers`, each of an operand of two dimensions, for an entry of `entries`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Skew {
    /// The operand of two dimensions whose entries the loops around go through.
    pub entries: String,
    /// Operands that the loop goes along, with which of the two coordinates of the entry chooses the fiber. It ends where
    /// one of them does.
    pub fibers: Vec<(String, usize)>,
    /// The names of the two coordinates, for people.
    pub names: [String; 2],
    /// The steps that there would be by chance.
    pub about: Cost,
}

impl Counter<'_> {
    /// How many times the steps that chance says a loop over `i` takes, `steps` along `many` operands in each of the
    /// iterations `entered` of the loops `bound`; nothing is known of most loops.
    pub(super) fn skew(
        &self,
        body: &Block,
        i: &str,
        bound: &[String],
        entered: &Cost,
        (steps, many): (&Cost, usize),
        conds: &[&Expr],
    ) -> Option<Cost> {
        let [first, second] = bound else { return None };
        if self.visits.is_some() || many >= LEAPS {
            return None;
        }
        let mut all = conds.to_vec();
        body.stmts.iter().for_each(|s| exprs(s, &mut |e| all.push(e)));
        // What stands beside the factors of a product ends no loop.
        let (mut entries, mut fibers, mut beside) = (None, Vec::new(), false);
        for e in all {
            self.sampled(e, true, &mut |name, [outer, inner], factor| {
                if is(outer, first) && is(inner, second) {
                    let own = *entered == Cost::atom(Atom::Stored(name.to_owned()));
                    entries = entries.take().or(own.then(|| name.to_owned()));
                } else if is(inner, i) && inner.protocol.as_ref().is_none_or(|p| p != "locate") {
                    beside |= !factor;
                    let by = [first, second].iter().position(|of| is(outer, of));
                    let fiber = by.map(|by| (name.to_owned(), by));
                    fibers.extend(fiber.filter(|fiber| !fibers.contains(fiber)));
                }
            });
        }
        let alone = fibers.len() == 1 || !beside;
        let entries = entries.filter(|_| !fibers.is_empty() && fibers.len() == many && alone)?;
        let (names, about) = ([first.clone(), second.clone()], steps.clone());
        Some(Cost::atom(Atom::Skew(Box::new(Skew { entries, fibers, names, about }))))
    }

    /// Calls `f` with each access in `e` of an operand of two dimensions that leaves something out along the last one, and
    /// whether it is a factor, as `e` is if `factor`.
    fn sampled<'e>(
        &self,
        e: &'e Expr,
        factor: bool,
        f: &mut dyn FnMut(&str, [&'e Index; 2], bool),
    ) {
        match e {
            Expr::Access { name, indices, .. } => {
                let [outer, inner] = &indices[..] else { return };
                let levels = self.chain(name).map_or(&[][..], |chain| &chain.levels);
                let sparse = matches!(levels, [_, l, _] if l.level().leaves_out());
                let name = name.to_string();
                if sparse && self.inputs.contains(&name) {
                    f(&name, [outer, inner], factor);
                }
            }
            Expr::Call { op, args } => {
                let factor = factor && matches!(self.joins(&op.op, args), Join::Product);
                args.iter().for_each(|a| self.sampled(a, factor, f));
            }
            _ => {}
        }
    }
}

fn is(x: &Index, i: &str) -> bool {
    matches!(&x.expr, Expr::Name(name) if name == i)
}
