//! The same programs by hand: merges of sorted lists, level by level, generic over what is below and
//! over the operator, so that each is compiled to loops of its own. Indexing is unchecked.

use looplets::prelude::*;

/// Element `q` of an array, unchecked.
#[inline(always)]
pub fn at<T: Copy>(array: &[T], q: usize) -> T {
    debug_assert!(q < array.len());
    // SAFETY: arrays come from tensors, and loops stay within `pos`, which ends where they do.
    unsafe { *array.get_unchecked(q) }
}

/// An operator of two arguments: what it gives where one is stored, or both.
pub trait Op {
    type A: Copy;
    type B: Copy;
    type R;
    const LEFT: bool;
    const RIGHT: bool;
    fn left(a: Self::A) -> Self::R;
    fn right(b: Self::B) -> Self::R;
    /// `None` if nothing is stored.
    fn both(a: Self::A, b: Self::B) -> Option<Self::R>;
}

/// An operator of three places: whether it holds in those of a set, by bits.
pub trait Op3 {
    fn holds(set: u8) -> bool;
    /// Whether it may hold if only these are left.
    fn reaches(set: u8) -> bool {
        (1..8).any(|part: u8| part & !set == 0 && Self::holds(part))
    }
}

/// Arrays of a level as slices.
pub trait Seen {
    type As<'a>: Copy
    where
        Self: 'a;
    fn seen(&self) -> Self::As<'_>;
}

/// A list of coordinates.
#[derive(Clone, Copy)]
pub struct List<'a, C> {
    pub pos: &'a [usize],
    pub crd: &'a [u32],
    pub child: C,
}
/// All coordinates.
#[derive(Clone, Copy)]
pub struct Rows<C> {
    pub len: usize,
    pub child: C,
}
/// Values.
#[derive(Clone, Copy)]
pub struct Leaf<'a, T>(&'a [T]);
/// Stored means `true`.
#[derive(Clone, Copy)]
pub struct Mark;

impl<C: Seen> Seen for SparseList<C> {
    type As<'a>
        = List<'a, C::As<'a>>
    where
        Self: 'a;
    fn seen(&self) -> Self::As<'_> {
        let (_, pos, crd, child) = self.__fields();
        List { pos, crd, child: child.seen() }
    }
}
impl<C: Seen> Seen for Dense<C> {
    type As<'a>
        = Rows<C::As<'a>>
    where
        Self: 'a;
    fn seen(&self) -> Self::As<'_> {
        let (len, child) = self.__fields();
        Rows { len, child: child.seen() }
    }
}
impl<T: Copy, F> Seen for Element<T, F> {
    type As<'a>
        = Leaf<'a, T>
    where
        Self: 'a;
    fn seen(&self) -> Self::As<'_> {
        Leaf(self.__fields().0)
    }
}
impl Seen for Pattern {
    type As<'a> = Mark;
    fn seen(&self) -> Mark {
        Mark
    }
}

/// What a program writes: lists again, and values.
pub struct Lists<C> {
    pub pos: Vec<usize>,
    pub crd: Vec<u32>,
    pub child: C,
}
pub trait Out {
    fn new() -> Self;
    /// A fiber ends here.
    fn close(&mut self);
}
impl<C: Out> Out for Lists<C> {
    fn new() -> Self {
        Lists { pos: vec![0], crd: Vec::new(), child: C::new() }
    }
    fn close(&mut self) {
        self.pos.push(self.crd.len());
    }
}
impl<T> Out for Vec<T> {
    fn new() -> Self {
        Vec::new()
    }
    fn close(&mut self) {}
}
impl<C: Out> Lists<C> {
    /// Stores an entry if its child says that there is something.
    #[inline(always)]
    pub fn entry(&mut self, c: u32, child: impl FnOnce(&mut C) -> bool) {
        if child(&mut self.child) {
            self.crd.push(c);
            self.child.close();
        }
    }
}

/// Whether the arrays of a result are those of a tensor.
pub trait Same<L> {
    fn same(&self, level: &L) -> bool;
}
impl<C: Same<D>, D> Same<SparseList<D>> for Lists<C> {
    fn same(&self, level: &SparseList<D>) -> bool {
        let (_, pos, crd, child) = level.__fields();
        self.pos == pos && self.crd == crd && self.child.same(child)
    }
}
impl<C: Same<D>, D> Same<Dense<D>> for C {
    fn same(&self, level: &Dense<D>) -> bool {
        self.same(level.__fields().1)
    }
}
impl<T: PartialEq, F> Same<Element<T, F>> for Vec<T> {
    fn same(&self, level: &Element<T, F>) -> bool {
        self == level.__fields().0
    }
}
impl Same<Pattern> for Vec<()> {
    fn same(&self, _: &Pattern) -> bool {
        true
    }
}

/// Fibers of two arrays, merged: each says whether it wrote anything.
pub trait Two<B, P: Op>: Copy {
    type Out: Out;
    fn both(self, p: usize, b: B, q: usize, out: &mut Self::Out) -> bool;
    fn left(self, p: usize, out: &mut Self::Out) -> bool;
    fn right(b: B, q: usize, out: &mut Self::Out) -> bool;
    /// A fiber of the result ends.
    fn end(_: &mut Self::Out) {}
}

impl<'b, P: Op, A: Two<B, P>, B: Copy> Two<List<'b, B>, P> for List<'_, A> {
    type Out = Lists<A::Out>;
    #[inline]
    fn both(self, p: usize, b: List<'b, B>, q: usize, out: &mut Self::Out) -> bool {
        let before = out.crd.len();
        let (mut i, last) = (at(self.pos, p), at(self.pos, p + 1));
        let (mut j, end) = (at(b.pos, q), at(b.pos, q + 1));
        while i < last && j < end {
            let (c, d) = (at(self.crd, i), at(b.crd, j));
            if c == d {
                out.entry(c, |out| self.child.both(i, b.child, j, out));
                i += 1;
                j += 1;
            } else if c < d {
                if P::LEFT {
                    out.entry(c, |out| self.child.left(i, out));
                }
                i += 1;
            } else {
                if P::RIGHT {
                    out.entry(d, |out| A::right(b.child, j, out));
                }
                j += 1;
            }
        }
        while P::LEFT && i < last {
            out.entry(at(self.crd, i), |out| self.child.left(i, out));
            i += 1;
        }
        while P::RIGHT && j < end {
            out.entry(at(b.crd, j), |out| A::right(b.child, j, out));
            j += 1;
        }
        out.crd.len() > before
    }
    #[inline]
    fn left(self, p: usize, out: &mut Self::Out) -> bool {
        let before = out.crd.len();
        for i in at(self.pos, p)..at(self.pos, p + 1) {
            out.entry(at(self.crd, i), |out| self.child.left(i, out));
        }
        out.crd.len() > before
    }
    #[inline]
    fn right(b: List<'b, B>, q: usize, out: &mut Self::Out) -> bool {
        let before = out.crd.len();
        for j in at(b.pos, q)..at(b.pos, q + 1) {
            out.entry(at(b.crd, j), |out| A::right(b.child, j, out));
        }
        out.crd.len() > before
    }
    fn end(out: &mut Self::Out) {
        out.close();
    }
}

impl<P: Op, A: Two<B, P>, B: Copy> Two<Rows<B>, P> for Rows<A> {
    type Out = A::Out;
    fn both(self, p: usize, b: Rows<B>, q: usize, out: &mut Self::Out) -> bool {
        for i in 0..self.len {
            self.child.both(p * self.len + i, b.child, q * b.len + i, out);
            A::end(out);
        }
        true
    }
    fn left(self, _: usize, _: &mut Self::Out) -> bool {
        unreachable!("all coordinates are in both")
    }
    fn right(_: Rows<B>, _: usize, _: &mut Self::Out) -> bool {
        unreachable!("all coordinates are in both")
    }
}

impl<'b, P: Op> Two<Leaf<'b, P::B>, P> for Leaf<'_, P::A> {
    type Out = Vec<P::R>;
    #[inline(always)]
    fn both(self, p: usize, b: Leaf<'b, P::B>, q: usize, out: &mut Self::Out) -> bool {
        P::both(at(self.0, p), at(b.0, q)).map(|v| out.push(v)).is_some()
    }
    #[inline(always)]
    fn left(self, p: usize, out: &mut Self::Out) -> bool {
        out.push(P::left(at(self.0, p)));
        true
    }
    #[inline(always)]
    fn right(b: Leaf<'b, P::B>, q: usize, out: &mut Self::Out) -> bool {
        out.push(P::right(at(b.0, q)));
        true
    }
}

impl<P: Op<A = (), B = (), R = ()>> Two<Mark, P> for Mark {
    type Out = Vec<()>;
    #[inline(always)]
    fn both(self, _: usize, _: Mark, _: usize, _: &mut Self::Out) -> bool {
        P::both((), ()).is_some()
    }
    #[inline(always)]
    fn left(self, _: usize, _: &mut Self::Out) -> bool {
        P::LEFT
    }
    #[inline(always)]
    fn right(_: Mark, _: usize, _: &mut Self::Out) -> bool {
        P::RIGHT
    }
}

/// `P` of two arrays.
pub fn two<P: Op, A: Two<B, P>, B>(a: A, b: B) -> A::Out {
    let mut out = A::Out::new();
    a.both(0, b, 0, &mut out);
    A::end(&mut out);
    out
}
