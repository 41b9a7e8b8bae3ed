//! Schemas whose coordinates are coded where that has no meaning.

use looplets::prelude::*;

level! {
    pub struct Some<Child> {
        len: usize,
        nodes { root { h: list } list { e: elem coded, b: more, r: list, seq = e, b, r } more { e: elem } }
        child: Child,
    }
}
level! {
    pub struct Holes<Child> {
        len: usize,
        nodes { root { h: list } list { e: elem[n] coded holes, n: size, r: list, seq = {e}, r } }
        child: Child,
    }
}
level! {
    pub struct Between<Child> {
        len: usize,
        nodes { root { r: tree } tree { e: elem[n] coded, c: tree[n], n: size in 1..=4, seq = {e, c} } }
        child: Child,
    }
}
level! {
    pub struct Link<Child> { len: usize, nodes { root { h: list } list { e: elem, r: list coded, seq = e, r } } child: Child }
}
level! {
    pub struct Typed<Child, Ix: Index, Li: Index> {
        len: usize,
        nodes<Ix, Li> { root { h: list } list { e: elem coded, r: list, seq = e, r } }
        child: Child,
    }
}
level! {
    pub struct Taken<Child> { len: usize, nodes { root { h: most } most { e: elem coded, r: most, seq = e, r } } child: Child }
}
level! {
    pub struct Unordered<Child> { len: usize, nodes { root { h: list } list { e: elem coded, r: list } } child: Child }
}

fn main() {}
