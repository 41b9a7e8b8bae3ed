//! Accesses within a statement: finding them, replacing them, and going one level down.

use super::{Lower, Region};
use crate::cin::*;
use crate::kernel::*;
use crate::locals::tensors as locals;
use crate::nest::Unfurled;
use crate::nest::{Looplet, Payload};
use crate::unfurl::{range, Scope};
use std::collections::HashMap;

/// One replacement in a statement.
struct Replaced<'a> {
    with: &'a HashMap<AccessId, Expr>,
    /// What each access became: one that stands at two places stays one.
    became: HashMap<AccessId, Option<Expr>>,
}

impl Lower<'_> {
    /// Every access in `s`, those inside computed indices before the access they index.
    pub fn accesses(&self, s: &Stmt) -> Vec<AccessId> {
        let mut out = Vec::new();
        s.walk(&mut |e| self.add_access(e, &mut out));
        out
    }

    /// Every access in `e`.
    pub fn accesses_of(&self, e: &Expr) -> Vec<AccessId> {
        let mut out = Vec::new();
        e.walk(&mut |x| self.add_access(x, &mut out));
        out
    }

    fn add_access(&self, e: &Expr, out: &mut Vec<AccessId>) {
        if let Expr::Access(id) = e {
            self.computed(*id).for_each(|inner| inner.walk(&mut |x| self.add_access(x, out)));
            if !out.contains(id) {
                out.push(*id);
            }
        }
    }

    /// The computed indices of an access.
    fn computed(&self, id: AccessId) -> impl Iterator<Item = &Expr> {
        self.kernel.get(id).indices.iter().filter_map(|index| match &index.kind {
            IndexKind::Opaque(inner) => Some(inner),
            _ => None,
        })
    }

    /// Whether what indexes an access is itself read along `index`.
    pub fn is_indexed_along(&self, id: AccessId, index: VarId) -> bool {
        let along = |id: &AccessId| {
            self.kernel.get(*id).unfurled.as_ref().is_some_and(|u| u.index == index)
        };
        self.computed(id).any(|inner| self.accesses_of(inner).iter().any(along))
    }

    /// `s` with the access `id` replaced, in computed indices too.
    pub fn replace(&mut self, s: &Stmt, id: AccessId, with: &Expr) -> Stmt {
        self.replace_all(s, &HashMap::from([(id, with.clone())]))
    }

    /// `s` with each of these accesses replaced, in computed indices too.
    ///
    /// To replace an access in a computed index makes another of the access around it. That one is still known by
    /// the id from before, and what replaces it keeps its computed indices: passes go through accesses that stand
    /// within each other in any order.
    pub fn replace_all(&mut self, s: &Stmt, with: &HashMap<AccessId, Expr>) -> Stmt {
        let mut to = Replaced { with, became: HashMap::new() };
        s.map(&mut |e| self.replaced(e, &mut to))
    }

    fn replaced(&mut self, e: &Expr, to: &mut Replaced<'_>) -> Option<Expr> {
        let Expr::Access(a) = e else { return None };
        if let Some(became) = to.became.get(a) {
            return became.clone();
        }
        let with = std::iter::successors(Some(*a), |id| self.renewals.get(id).copied())
            .find_map(|id| Some((id, to.with.get(&id)?)));
        let became = match with {
            Some((id, Expr::Access(new))) => {
                let new = if id == *a { *new } else { self.reindexed(*new, *a) };
                Some(self.renewed(new, to).unwrap_or(Expr::Access(new)))
            }
            Some((_, value)) => Some(value.clone()),
            None => self.renewed(*a, to),
        };
        to.became.insert(*a, became.clone());
        became
    }

    /// The access `new`, at the level of `a` or below, with the computed indices of `a`.
    fn reindexed(&mut self, new: AccessId, a: AccessId) -> AccessId {
        let mut access = self.kernel.get(new).clone();
        let own = access.indices.iter_mut().rev();
        for (index, of) in own.zip(self.kernel.get(a).indices.iter().rev()) {
            if let (IndexKind::Opaque(inner), IndexKind::Opaque(now)) = (&mut index.kind, &of.kind)
            {
                *inner = now.clone();
            }
        }
        self.renew(new, access)
    }

    /// The access `a` with what its computed indices hold replaced, if they hold any of it.
    fn renewed(&mut self, a: AccessId, to: &mut Replaced<'_>) -> Option<Expr> {
        self.computed(a).next()?;
        let mut access = self.kernel.get(a).clone();
        let mut changed = false;
        for index in &mut access.indices {
            if let IndexKind::Opaque(inner) = &mut index.kind {
                let new = inner.map(&mut |x| self.replaced(x, to));
                changed |= new != *inner;
                *inner = new;
            }
        }
        changed.then(|| Expr::Access(self.renew(a, access)))
    }

    /// `access`, which is `old` with other computed indices.
    fn renew(&mut self, old: AccessId, access: Access) -> AccessId {
        let Expr::Access(new) = self.kernel.access(access) else { unreachable!("of an access") };
        self.renewals.insert(new, old);
        new
    }

    /// `s` with the access `id` having the nest `nest` over the extent that ends at `stop`.
    pub fn with_nest(
        &mut self,
        s: &Stmt,
        id: AccessId,
        nest: Looplet,
        stop: Option<&Expr>,
    ) -> Stmt {
        let mut access = self.kernel.get(id).clone();
        let unfurled = access.unfurled.as_mut().expect("only unfurled accesses have a nest");
        unfurled.nest = nest;
        if let Some(stop) = stop {
            unfurled.stop = stop.clone();
        }
        let new = self.kernel.access(access);
        let replaced = self.replace(s, id, &new);
        debug_assert!(replaced != *s, "`{}` has a nest elsewhere", self.kernel.access_text(id));
        replaced
    }

    /// The nest of an unfurled access.
    pub fn unfurled(&self, id: AccessId) -> Unfurled {
        self.kernel.get(id).unfurled.clone().expect("only unfurled accesses are lowered")
    }

    /// What an access becomes at an element that `payload` describes.
    pub fn descend(&mut self, id: AccessId, payload: &Payload) -> Expr {
        let access = self.kernel.get(id).clone();
        let pos = match payload {
            Payload::Fill => {
                let outside = |i: &Index| i.view.may_be_missing();
                if !access.indices[1..].iter().any(outside) {
                    return self.kernel.tensor(access.tensor).fill.clone();
                }
                // The indices that are left may still be outside of what `permit` wraps.
                let pos = Expr::call(Op::Nowhere, []);
                let (level, indices) = (access.level + 1, access.indices[1..].to_vec());
                let below = Access {
                    level,
                    pos,
                    present: None,
                    indices,
                    unfurled: None,
                    resumed: None,
                    ..access
                };
                return self.kernel.access(below);
            }
            Payload::Value(e) => return e.clone(),
            Payload::Part(resumed) => {
                let resumed = resumed.as_ref().map(|resumed| (resumed.clone(), self.loops));
                let mut part = Access { unfurled: None, resumed, ..access };
                let first = &mut part.indices[0];
                first.view.groups.remove(0);
                if let (IndexKind::Affine(v, _), Some(exact)) =
                    (&first.kind, first.view.exact.take())
                {
                    first.kind = IndexKind::Affine(*v, exact);
                }
                return self.kernel.access(part);
            }
            Payload::Child(pos) | Payload::Group(pos, _) => match range(pos) {
                Some((a, b)) => Expr::call(Op::Range, [self.bound(a), self.bound(b)]),
                None => self.bound(pos),
            },
        };
        let access = match payload {
            Payload::Group(_, start) if access.indices[0].view.repeats.is_some() => {
                return self.kernel.access(once_of(access, pos, start));
            }
            Payload::Group(_, start) => within_group(access, start),
            _ => access,
        };
        let depth = access.level + 1;
        let leaf = depth + 1 == self.kernel.tensor(access.tensor).levels.len();
        if !leaf {
            let below = Access {
                level: depth,
                pos,
                present: None,
                indices: access.indices[1..].to_vec(),
                unfurled: None,
                resumed: None,
                ..access
            };
            return self.kernel.access(below);
        }
        self.leaf(access.tensor, depth, &pos, access.write)
    }

    /// Unfurls what the region `r` indexes by digits of its index, once the levels above are behind.
    pub fn unfurl_digits(&mut self, r: &Region, mut body: Stmt) -> Stmt {
        let local = locals(&body);
        for id in self.accesses(&body) {
            let access = self.kernel.get(id);
            let digit = access.unfurled.is_none()
                && !local.contains(&access.tensor)
                && access.indices.first().is_some_and(|i| {
                    matches!(i.kind, IndexKind::Digit(..)) && i.along() == Some(r.index)
                });
            if digit {
                let access = access.clone();
                let unfurled = crate::unfurl::unfurl(self.kernel, &access, r.index);
                self.refuse_unordered(id, &unfurled.nest, r.index);
                let new = self.kernel.access(Access { unfurled: Some(unfurled), ..access });
                body = self.replace(&body, id, &new);
            }
        }
        body
    }

    /// The element at `pos` of a leaf.
    pub fn leaf(&mut self, tensor: TensorId, depth: usize, pos: &Expr, write: bool) -> Expr {
        let format = self.kernel.tensor(tensor).levels[depth].format.clone();
        let mut scope = Scope::new(self.kernel, tensor, depth);
        if !write {
            return scope.value(pos);
        }
        let write = format.level().write.as_ref().expect("checked by resolve");
        scope.bind(&write.p, pos.clone());
        match &write.place {
            Some(place) => scope.expr(place),
            None => {
                let mark = self.kernel.mark(tensor);
                Expr::Var(mark)
            }
        }
    }
}

/// `access`, which repeats its level, as that of the level alone in the group that starts at `start`.
fn once_of(access: Access, pos: Expr, start: &Expr) -> Access {
    let mut once = Access { pos, present: None, unfurled: None, resumed: None, ..access };
    let first = &mut once.indices[0];
    first.view.repeats = None;
    if let IndexKind::Digit(_, digit) = &mut first.kind {
        (digit.shift, digit.modulo) = (difference(&digit.shift, start), None);
    }
    once
}

/// `access` with the next digit of its index as that within the group that starts at `start`, before the index
/// is moved.
fn within_group(mut access: Access, start: &Expr) -> Access {
    if let [first, next, ..] = &mut access.indices[..] {
        match (&first.kind, &mut next.kind) {
            (IndexKind::Digit(of, above), IndexKind::Digit(index, digit))
                if of == index && digit.modulo.is_some() =>
            {
                // The level above may itself lie within a group.
                digit.shift = difference(&above.shift, start);
                if next.view.repeats.is_none() {
                    digit.modulo = None;
                }
            }
            // Of another loop, or of the whole index once more: the group is nothing to it.
            _ => {}
        }
    }
    access
}
