//! Levels written by hand, as the declarations generate them: the library is tested against the
//! contract itself, and not only against formats that one generator made.

use crate::level::{group, grow, Index, Level};
use std::ops::Range;

#[derive(Clone, Debug, PartialEq)]
pub struct Dense<C> {
    pub len: usize,
    pub child: C,
}

#[derive(Clone, Debug, PartialEq)]
pub struct List<C, I: Index = u32> {
    pub len: usize,
    pub pos: Vec<usize>,
    pub crd: Vec<I>,
    pub child: C,
    pub next: usize,
}

/// A leaf; `FILL` is the fill, in a type that can be a const parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Element<V, const FILL: i8 = 0> {
    pub values: Vec<V>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    pub count: usize,
}

/// `f` for the entries below coordinate `i`, which in the last dimension end there.
fn one<V>(
    rank: usize,
    i: usize,
    f: &mut dyn FnMut(&[usize], usize, &V),
) -> impl FnMut(&[usize], usize, &V) + '_ {
    move |coords, stop, value| f(coords, if rank == 0 { i + 1 } else { stop }, value)
}

macro_rules! recurse {
    () => {
        type Position = usize;
        const RANGES: bool = false;
        fn position(first: usize, _: usize) -> usize {
            first
        }
        fn check_ranges(&self, _: usize) -> Result<(), String> {
            Ok(())
        }
        fn build(
            &mut self,
            p: usize,
            columns: &[Vec<usize>],
            stops: &[usize],
            values: &[Self::Value],
            range: Range<usize>,
        ) -> Result<(), String> {
            let mut e = range.start;
            while e < range.end {
                let i = columns[0][e];
                let end = group(&columns[0], e..range.end);
                let q = self.entry(p, i)?;
                self.child.build(q, &columns[1..], stops, values, e..end)?;
                self.commit(p, i, q)?;
                e = end;
            }
            Ok(())
        }
        fn values_mut(&mut self) -> Option<&mut [Self::Value]> {
            self.child.values_mut()
        }
        fn fill() -> Self::Value {
            C::fill()
        }
        fn storable(value: &Self::Value) -> bool {
            C::storable(value)
        }
        fn shape_into(&self, shape: &mut Vec<usize>) {
            shape.push(self.len);
            self.child.shape_into(shape);
        }
    };
}

impl<C: Level> Level for Dense<C> {
    type Value = C::Value;
    const RANK: usize = 1 + C::RANK;
    const NAME: &'static str = "Dense";
    recurse!();
    fn empty(shape: &[usize]) -> Result<Self, String> {
        Ok(Dense { len: shape[0], child: C::empty(&shape[1..])? })
    }
    fn check(&self, fibers: usize) -> Result<(), String> {
        let below = fibers.checked_mul(self.len).ok_or("too many fibers")?;
        self.child.check(below)
    }
    fn reserve(&mut self, fibers: usize) -> Result<(), String> {
        let below = fibers.checked_mul(self.len).ok_or("too many fibers")?;
        self.child.reserve(below)
    }
    fn open(&mut self, _: usize) -> Result<(), String> {
        Ok(())
    }
    fn entry(&mut self, p: usize, i: usize) -> Result<usize, String> {
        let q = p * self.len + i;
        self.child.open(q)?;
        Ok(q)
    }
    fn commit(&mut self, _: usize, _: usize, _: usize) -> Result<(), String> {
        Ok(())
    }
    fn below(&self, fibers: usize) -> usize {
        fibers * self.len
    }
    fn finish(&mut self, fibers: usize) -> Result<(), String> {
        self.child.finish(fibers * self.len)
    }
    fn each(
        &self,
        p: usize,
        coords: &mut Vec<usize>,
        f: &mut dyn FnMut(&[usize], usize, &C::Value),
    ) {
        for i in 0..self.len {
            coords.push(i);
            self.child.each(C::position(p * self.len + i, 0), coords, &mut one(C::RANK, i, f));
            coords.pop();
        }
    }
    fn stored(&self, fibers: usize) -> usize {
        self.child.stored(fibers * self.len)
    }
}

impl<C: Level, I: Index> Level for List<C, I> {
    type Value = C::Value;
    const RANK: usize = 1 + C::RANK;
    const NAME: &'static str = "List";
    recurse!();
    fn empty(shape: &[usize]) -> Result<Self, String> {
        if shape[0] as u64 > I::MAX as u64 {
            return Err(format!("size {} does not fit the coordinates", shape[0]));
        }
        Ok(List {
            len: shape[0],
            pos: vec![0],
            crd: Vec::new(),
            child: C::empty(&shape[1..])?,
            next: 0,
        })
    }
    fn check(&self, fibers: usize) -> Result<(), String> {
        if self.pos.len() != fibers + 1 || self.pos[0] != 0 {
            return Err(format!("`pos` does not fit {fibers} fibers"));
        }
        for (p, w) in self.pos.windows(2).enumerate() {
            let Some(crd) = self.crd.get(w[0]..w[1]) else {
                return Err(format!("fiber {p} is not in `crd`"));
            };
            let ascends = crd.windows(2).all(|c| c[0] < c[1]);
            let inside = crd.last().is_none_or(|c| c.to_i64() < self.len as i64);
            if !ascends || !inside {
                return Err(format!("the coordinates of fiber {p}"));
            }
        }
        if self.pos[fibers] != self.crd.len() {
            return Err("`crd` is too long".into());
        }
        self.child.check(self.crd.len())
    }
    fn reserve(&mut self, fibers: usize) -> Result<(), String> {
        let end = self.crd.len();
        grow(&mut self.pos, fibers + 1, end)
    }
    fn open(&mut self, p: usize) -> Result<(), String> {
        let end = self.crd.len();
        self.pos[self.next + 1..=p].fill(end);
        self.next = p;
        Ok(())
    }
    fn entry(&mut self, _: usize, i: usize) -> Result<usize, String> {
        let q = self.crd.len();
        self.child.reserve(q + 1)?;
        self.child.open(q)?;
        self.crd.push(I::from_i64(i as i64));
        Ok(q)
    }
    fn commit(&mut self, p: usize, _: usize, _: usize) -> Result<(), String> {
        self.pos[p + 1] = self.crd.len();
        Ok(())
    }
    fn below(&self, _: usize) -> usize {
        self.crd.len()
    }
    fn finish(&mut self, fibers: usize) -> Result<(), String> {
        let end = self.crd.len();
        self.pos[(self.next + 1).min(fibers + 1)..].fill(end);
        self.next = 0;
        self.child.finish(end)
    }
    fn each(
        &self,
        p: usize,
        coords: &mut Vec<usize>,
        f: &mut dyn FnMut(&[usize], usize, &C::Value),
    ) {
        for q in self.pos[p]..self.pos[p + 1] {
            coords.push(self.crd[q].to_i64() as usize);
            self.child.each(
                C::position(q, 0),
                coords,
                &mut one(C::RANK, self.crd[q].to_i64() as usize, f),
            );
            coords.pop();
        }
    }
    fn stored(&self, fibers: usize) -> usize {
        self.child.stored(self.pos[fibers])
    }
}

macro_rules! leaf {
    () => {
        type Position = usize;
        const RANGES: bool = false;
        fn position(first: usize, _: usize) -> usize {
            first
        }
        fn check_ranges(&self, _: usize) -> Result<(), String> {
            Ok(())
        }
        const RANK: usize = 0;
        fn shape_into(&self, _: &mut Vec<usize>) {}
        fn open(&mut self, _: usize) -> Result<(), String> {
            Ok(())
        }
        fn entry(&mut self, p: usize, _: usize) -> Result<usize, String> {
            Ok(p)
        }
        fn commit(&mut self, _: usize, _: usize, _: usize) -> Result<(), String> {
            Ok(())
        }
        fn below(&self, fibers: usize) -> usize {
            fibers
        }
        fn finish(&mut self, _: usize) -> Result<(), String> {
            Ok(())
        }
        fn stored(&self, fibers: usize) -> usize {
            fibers
        }
    };
}

/// A value that a fill can be given for.
pub trait Filled: Clone + PartialEq + 'static {
    fn filled(fill: i8) -> Self;
}

macro_rules! filled {
    ($($t:ty: $fill:ident => $e:expr),* $(,)?) => {
        $(impl Filled for $t {
            fn filled($fill: i8) -> Self {
                $e
            }
        })*
    };
}

filled!(
    f64: n => n.into(), f32: n => n.into(), i32: n => n.into(), i64: n => n.into(),
    u8: n => n as u8, u64: n => n as u64, bool: n => n != 0, String: n => n.to_string(),
    num_complex::Complex<f64>: n => f64::from(n).into(),
    num_complex::Complex<f32>: n => f32::from(n).into(),
);

impl<V: Filled, const FILL: i8> Level for Element<V, FILL> {
    type Value = V;
    const NAME: &'static str = "Element";
    leaf!();
    fn empty(_: &[usize]) -> Result<Self, String> {
        Ok(Element { values: Vec::new() })
    }
    fn check(&self, fibers: usize) -> Result<(), String> {
        match self.values.len() == fibers {
            true => Ok(()),
            false => Err(format!("{} values for {fibers}", self.values.len())),
        }
    }
    fn reserve(&mut self, fibers: usize) -> Result<(), String> {
        grow(&mut self.values, fibers, V::filled(FILL))
    }
    fn each(&self, p: usize, coords: &mut Vec<usize>, f: &mut dyn FnMut(&[usize], usize, &V)) {
        f(coords, 0, &self.values[p]);
    }
    fn build(
        &mut self,
        p: usize,
        _: &[Vec<usize>],
        _: &[usize],
        values: &[V],
        range: Range<usize>,
    ) -> Result<(), String> {
        if let Some(value) = values[range].first() {
            self.values[p] = value.clone();
        }
        Ok(())
    }
    fn values_mut(&mut self) -> Option<&mut [V]> {
        Some(&mut self.values)
    }
    fn fill() -> V {
        V::filled(FILL)
    }
    fn storable(_: &V) -> bool {
        true
    }
}

impl Level for Pattern {
    type Value = bool;
    const NAME: &'static str = "Pattern";
    leaf!();
    fn empty(_: &[usize]) -> Result<Self, String> {
        Ok(Pattern { count: 0 })
    }
    fn check(&self, fibers: usize) -> Result<(), String> {
        match self.count == fibers {
            true => Ok(()),
            false => Err(format!("{} stored for {fibers}", self.count)),
        }
    }
    fn reserve(&mut self, fibers: usize) -> Result<(), String> {
        self.count = self.count.max(fibers);
        Ok(())
    }
    fn each(&self, _: usize, coords: &mut Vec<usize>, f: &mut dyn FnMut(&[usize], usize, &bool)) {
        f(coords, 0, &true);
    }
    fn build(
        &mut self,
        _: usize,
        _: &[Vec<usize>],
        _: &[usize],
        _: &[bool],
        _: Range<usize>,
    ) -> Result<(), String> {
        Ok(())
    }
    fn values_mut(&mut self) -> Option<&mut [bool]> {
        None
    }
    fn fill() -> bool {
        false
    }
    fn storable(value: &bool) -> bool {
        *value
    }
}

pub type Csr<V> = Dense<List<Element<V>>>;
pub type Full<V> = Dense<Dense<Element<V>>>;
pub type Dcsr<V> = List<List<Element<V>, u64>, u64>;
pub type SparseVec<V> = List<Element<V>>;
pub type DenseVec<V> = Dense<Element<V>>;
