//! Programs of three operands by hand: a loop for each set of operands that have entries left, as an
//! iteration lattice has points (SparseArrays section 6).

use crate::hand::*;

/// Fibers of three arrays, of which those of the set `M` are there.
pub trait Three<P: Op3>: Copy {
    type Out: Out;
    fn merge<const M: u8>(of: &[Self; 3], p: [usize; 3], out: &mut Self::Out) -> bool;
    /// A fiber of the result ends.
    fn end(_: &mut Self::Out) {}
}

impl<P: Op3> Three<P> for Mark {
    type Out = Vec<()>;
    #[inline(always)]
    fn merge<const M: u8>(_: &[Mark; 3], _: [usize; 3], _: &mut Vec<()>) -> bool {
        P::holds(M)
    }
}

impl<P: Op3, C: Three<P>> Three<P> for Rows<C> {
    type Out = C::Out;
    fn merge<const M: u8>(of: &[Self; 3], p: [usize; 3], out: &mut Self::Out) -> bool {
        let below = of.map(|o| o.child);
        for i in 0..of[0].len {
            C::merge::<M>(&below, p.map(|p| p * of[0].len + i), out);
            C::end(out);
        }
        true
    }
}

impl<P: Op3, C: Three<P>> Three<P> for List<'_, C> {
    type Out = Lists<C::Out>;
    #[inline]
    fn merge<const M: u8>(of: &[Self; 3], p: [usize; 3], out: &mut Self::Out) -> bool {
        let before = out.crd.len();
        let (mut from, mut to) = ([0; 3], [0; 3]);
        for k in 0..3 {
            if M >> k & 1 == 1 {
                (from[k], to[k]) = (at(of[k].pos, p[k]), at(of[k].pos, p[k] + 1));
            }
        }
        let below = of.map(|o| o.child);
        merge_left::<M, P, C>(of, &below, from, to, out);
        out.crd.len() > before
    }
    fn end(out: &mut Self::Out) {
        out.close();
    }
}

/// Merges what is left of the fibers in `M`.
#[inline]
fn merge_left<const M: u8, P: Op3, C: Three<P>>(
    of: &[List<'_, C>; 3],
    below: &[C; 3],
    mut from: [usize; 3],
    to: [usize; 3],
    out: &mut Lists<C::Out>,
) {
    if !P::reaches(M) {
        return;
    }
    let is = |k: usize| M >> k & 1 == 1;
    while (0..3).all(|k| !is(k) || from[k] < to[k]) {
        let c = [0, 1, 2].map(|k| if is(k) { at(of[k].crd, from[k]) } else { u32::MAX });
        let least = c[0].min(c[1]).min(c[2]);
        let here = |k: usize| u8::from(is(k) && c[k] == least) << k;
        let set = here(0) | here(1) | here(2);
        match set {
            1 => entry::<1, P, C>(below, from, least, out),
            2 => entry::<2, P, C>(below, from, least, out),
            3 => entry::<3, P, C>(below, from, least, out),
            4 => entry::<4, P, C>(below, from, least, out),
            5 => entry::<5, P, C>(below, from, least, out),
            6 => entry::<6, P, C>(below, from, least, out),
            _ => entry::<7, P, C>(below, from, least, out),
        }
        for (k, from) in from.iter_mut().enumerate() {
            *from += usize::from(set >> k & 1);
        }
    }
    let left = |k: usize| u8::from(is(k) && from[k] < to[k]) << k;
    match left(0) | left(1) | left(2) {
        1 => merge_left::<1, P, C>(of, below, from, to, out),
        2 => merge_left::<2, P, C>(of, below, from, to, out),
        3 => merge_left::<3, P, C>(of, below, from, to, out),
        4 => merge_left::<4, P, C>(of, below, from, to, out),
        5 => merge_left::<5, P, C>(of, below, from, to, out),
        6 => merge_left::<6, P, C>(of, below, from, to, out),
        _ => {}
    }
}

#[inline(always)]
fn entry<const M: u8, P: Op3, C: Three<P>>(
    below: &[C; 3],
    from: [usize; 3],
    c: u32,
    out: &mut Lists<C::Out>,
) {
    if P::reaches(M) {
        out.entry(c, |out| C::merge::<M>(below, from, out));
    }
}

/// `P` of three arrays.
pub fn three<P: Op3, C: Three<P>>(of: [C; 3]) -> C::Out {
    let mut out = C::Out::new();
    C::merge::<7>(&of, [0; 3], &mut out);
    C::end(&mut out);
    out
}
