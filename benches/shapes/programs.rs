//! The programs: for each the kernel, the loop by hand, and what else it is compared with.

use crate::arrays::{dense, list, rows, triples, Arrays, Made};
use crate::c::Call;
use crate::inputs::Operands;
use crate::{compiled, hand};
use std::hint::black_box;

/// A program over the operands.
pub struct Program {
    pub name: &'static str,
    pub ours: fn(&Operands) -> Made,
    /// Ours with a tensor in between.
    pub unfused: Option<fn(&Operands) -> Made>,
    pub hand: fn(&Operands) -> Arrays,
    /// The arguments of the same in C.
    pub call: for<'a> fn(&'a Operands) -> Call<'a>,
    /// Whether the result is but a copy, so that `memcpy` says how long that must take.
    pub copies: bool,
}

impl Program {
    /// Steps of what is more than linear in the entries; none if the operands do not fit.
    pub fn steps(&self, o: &Operands) -> Option<f64> {
        if self.name == "slice_spgemm" {
            o.spgemm_steps()
        } else {
            Some(0.0)
        }
    }
}

/// `name: operands -> format = kernel(..), by hand of these[, the same unfused]`: the loop by hand has the same name.
macro_rules! programs {
    ($($(#[$copies:ident])? $name:ident: $o:ident -> $made:ident = $ours:expr, ($($of:expr),*) $(, $unfused:expr)?;)*) => {
        &[$(Program {
            name: stringify!($name),
            ours: |$o| {
                let $o = black_box($o);
                Made::$made($ours)
            },
            unfused: programs!(@ $o $made $($unfused)?),
            hand: |$o| {
                let $o = black_box($o);
                hand::$name($($of),*)
            },
            call: |$o| Call::new()$(.with($of))*,
            copies: programs!(@ $($copies)?),
        }),*]
    };
    (@ $o:ident $made:ident $unfused:expr) => {
        Some(|$o| {
            let $o = black_box($o);
            Made::$made($unfused)
        })
    };
    (@ $o:ident $made:ident) => { None };
    (@ copies) => { true };
    (@) => { false };
}

use compiled as k;

/// In the order of the paper.
pub const PROGRAMS: &[Program] = programs! {
    collapse: o -> Flat = k::collapse(&o.whole), (rows(&o.whole));
    hstack_coo: o -> Coo = k::hstack_coo(&o.coo_left, &o.coo_right),
        (triples(&o.coo_left), triples(&o.coo_right));
    #[copies] vstack_coo: o -> Coo = k::vstack_coo(&o.coo_above, &o.coo_below),
        (triples(&o.coo_above), triples(&o.coo_below));
    hstack_csr: o -> Csr = k::hstack_csr(&o.left, &o.right), (rows(&o.left), rows(&o.right));
    #[copies] vstack_csr: o -> Csr = k::vstack_csr(&o.above, &o.below),
        (rows(&o.above), rows(&o.below));
    #[copies] slice_csr: o -> Csr = k::slice_csr(&o.whole, o.half), (rows(&o.whole), o.half);
    split_to_coo: o -> Coo = k::split_to_coo(&o.flat, o.columns), (list(&o.flat), o.columns);
    split_to_csr: o -> Csr = k::split_to_csr(&o.flat, o.columns), (list(&o.flat), o.columns);
    hstack_coo_to_csr: o -> Csr = k::hstack_coo_to_csr(&o.coo_left, &o.coo_right),
        (triples(&o.coo_left), triples(&o.coo_right));
    vstack_coo_to_csr: o -> Csr = k::vstack_coo_to_csr(&o.coo_above, &o.coo_below),
        (triples(&o.coo_above), triples(&o.coo_below));
    hstack_csr_to_coo: o -> Coo = k::hstack_csr_to_coo(&o.left, &o.right),
        (rows(&o.left), rows(&o.right));
    vstack_csr_to_coo: o -> Coo = k::vstack_csr_to_coo(&o.above, &o.below),
        (rows(&o.above), rows(&o.below));
    slice_csr_to_coo: o -> Coo = k::slice_csr_to_coo(&o.whole, o.half),
        (rows(&o.whole), o.half);
    collapse_times: o -> Flat = k::collapse_times(&o.whole, &o.flat_moved),
        (rows(&o.whole), list(&o.flat_moved)),
        k::times(&k::collapse(&o.whole), &o.flat_moved);
    vstack_spmv: o -> Dense = k::vstack_spmv(&o.above, &o.below, &o.x),
        (rows(&o.above), rows(&o.below), dense(&o.x)),
        k::spmv(&k::vstack_csr(&o.above, &o.below), &o.x);
    slice_times: o -> Csr = k::slice_times(&o.whole, o.half, &o.sliced_moved),
        (rows(&o.whole), o.half, rows(&o.sliced_moved)),
        k::product(&k::slice_csr(&o.whole, o.half), &o.sliced_moved);
    slice_spgemm: o -> Csr = k::slice_spgemm(&o.whole, o.half, &o.whole, o.columns),
        (rows(&o.whole), o.half, rows(&o.whole)),
        k::spgemm(&k::slice_csr(&o.whole, o.half), &o.whole, o.columns);
};
