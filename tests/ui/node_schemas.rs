//! Schemas of nodes that say too little, too much, or twice.

use looplets::prelude::*;

level! {
    pub struct NoNode<Child> { len: usize, nodes { } child: Child }
}
level! {
    pub struct NoEntries<Child> { len: usize, nodes { root { h: list } list { n: list } } child: Child }
}
level! {
    pub struct Nowhere<Child> { len: usize, nodes { root { h: lst } list { e: elem, n: list, seq = e, n } } child: Child }
}
level! {
    pub struct NoOrder<Child> { len: usize, nodes { root { r: tree } tree { e: elem, l: tree, r: tree } } child: Child }
}
level! {
    pub struct NotAll<Child> { len: usize, nodes { root { r: tree } tree { e: elem, l: tree, r: tree, seq = l, e } } child: Child }
}
level! {
    pub struct Twice<Child> { len: usize, nodes { root { r: tree } tree { e: elem, l: tree, seq = l, e, l } } child: Child }
}
level! {
    pub struct ToTheRoot<Child> { len: usize, nodes { root { r: tree } tree { e: elem, l: root, seq = e, l } } child: Child }
}
level! {
    pub struct NoSize<Child> { len: usize, nodes { root { r: list } list { e: elem[n], r: list, seq = {e}, r } } child: Child }
}
level! {
    pub struct Unbounded<Child> {
        len: usize,
        nodes { root { r: tree } tree { e: elem[n], c: tree[n], n: size, seq = {e, c} } }
        child: Child,
    }
}
level! {
    pub struct HalfOpen<Child> { len: usize, nodes { root { r: list } list { e: elem[n], r: list, n: size in 0..4, seq = {e}, r } } child: Child }
}
level! {
    pub struct NoSuper<Child> { len: usize, nodes { root { r: list } list: chain { e: elem, r: list, seq = e, r } } child: Child }
}
level! {
    pub struct Taken<Child> { len: usize, nodes { root { r: node } node { e: elem, r: node, seq = e, r } } child: Child }
}
level! {
    pub struct OneHole<Child> { len: usize, nodes { root { r: list } list { e: elem holes, r: list, seq = e, r } } child: Child }
}
level! {
    pub struct HolesBetween<Child> {
        len: usize,
        nodes { root { r: tree } tree { e: elem[n] holes, c: tree[n], n: size in 1..=4, seq = {e, c} } }
        child: Child,
    }
}
level! {
    pub struct NoParameter<Child> { len: usize, nodes<Ix> { root { r: list } list { e: elem, r: list, seq = e, r } } child: Child }
}
level! {
    pub struct NoNodes<Child> { len: usize, child: Child }
    insert(p, i) { Ok(()) }
}
level! {
    pub struct Again<Child> { len: usize, nodes { root { r: list } list { e: elem, r: list, seq = e, r } } child: Child }
    insert(p, i) { Ok(()) }
    insert(p, i) { Ok(()) }
}
level! {
    pub struct Still<Child> { len: usize, pos: Vec<usize>, child: Child }
    invariant(fibers) { Ok(0) }
    read walk(p) {
        let at: Cursor = first(pos, p);
        stepper { stop: len, body: run(fill), next: { at.next(); } }
    }
}
level! {
    pub struct Both<Child> { len: usize, pos: Vec<usize>, child: Child }
    invariant(fibers) { Ok(0) }
    read walk(p) {
        let mut a: u8 = 0;
        let mut b: u8 = 0;
        stepper { while more(a), stop: len, body: run(fill), next: { swap(a, b); } }
    }
}
level! {
    pub struct Elsewhere<Child> { len: usize, pos: Vec<usize>, child: Child }
    invariant(fibers) { Ok(0) }
    read walk(p) {
        let mut a: u8 = 0;
        crate::other(pos);
        stepper { while more(a), stop: len, body: run(fill), next: { a.next(); } }
    }
}

finch! {
    fn below(a: &Dcsr<f64>) -> (b: Tensor<Bst<SparseList<Element<f64>>>>) { for i, j { b[i, j] = a[i, j] } }
    fn bits(a: &Dcsr<f64>) -> (b: Tensor<Bst<Bitmap<Element<f64>>>>) { for i, j { b[i, j] = a[i, j] } }
}

fn main() {}
