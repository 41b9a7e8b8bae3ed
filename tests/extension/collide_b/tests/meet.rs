//! Two crates that chose the same names for everything, in one kernel.
#![forbid(unsafe_code)]

use looplets::*;

/// Not what the operators of either crate mean by it.
#[allow(dead_code)]
fn twice(x: f64, n: usize) -> f64 {
    x - n as f64
}
/// Neither is this.
#[allow(dead_code)]
fn less(x: f64) -> f64 {
    x
}
/// Nor this.
#[allow(dead_code)]
fn single(x: f64) -> f64 {
    x * 7.0
}

mod a {
    use looplets::*;
    level! { pub type Foo = Tensor<collide_a::Foo<Element<f64>>>; }
    level! { pub type Rot<const N: usize> = Tensor<collide_a::Rot<Element<f64>, N>>; }
}
mod b {
    use looplets::*;
    level! { pub type Foo = Tensor<collide_b::Foo<Element<f64>>>; }
    level! { pub type Rot<const N: usize> = Tensor<collide_b::Rot<Element<f64>, N>>; }
}
mod forged {
    use looplets::*;
    level! { pub type Foo = Tensor<collide_b::forged::Foo<Element<f64>>>; }
}

finch! {
    fn levels(x: &a::Foo, y: &b::Foo) -> (z: DenseVec<f64>) { for i { z[i] = x[i] + 100 * y[i] } }
    fn turns(x: &a::Rot<1>, y: &a::Rot<2>, u: &b::Rot<1>) -> (z: DenseVec<f64>) {
        for i { z[i] = x[i] + 100 * y[i] + 10000 * u[i] }
    }
    fn forgery(x: &forged::Foo) -> (z: DenseVec<f64>) { for i { z[i] = x[i] } }
    fn fills(
        x: &Tensor<SparseList<Element<f64, collide_a::Big>>>, y: &Tensor<SparseList<Element<f64, collide_b::Big>>>,
    ) -> (z: DenseVec<f64>) { for i { z[i] = x[i] - y[i] } }
    fn modules(
        x: &Tensor<SparseList<Element<f64, collide_a::one::Big>>>,
        y: &Tensor<SparseList<Element<f64, collide_a::other::Big>>>,
    ) -> (z: DenseVec<f64>) { for i { z[i] = x[i] - y[i] } }
}

finch! {
    use collide_a::add;
    use collide_b::add as add_b;
    fn sums(x: &Tensor<RunList<Element<f64>>>, s: &mut f64, t: &mut f64) {
        for i { s <<add>>= x[i] }
        for i { t <<add_b>>= x[i] }
    }
}
finch! {
    use collide_a::mix;
    use collide_b::mix as mix_b;
    fn cases(x: &DenseVec<f64>) -> (y: DenseVec<f64>, z: DenseVec<f64>) {
        for i { y[i] = mix(x[i], 1); z[i] = mix_b(x[i], 1) }
    }
}
finch! {
    use collide_a::{bound, undo};
    use {collide_b::bound as bound_b, collide_b::undo as undo_b};
    fn bounds(x: &Tensor<SparseList<Element<f64, collide_a::Big>>>, _n: usize) -> (y: DenseVec<f64>, z: DenseVec<f64>) {
        for i { y[i] = bound(x[i], 3.0); z[i] = bound_b(x[i], 3.0) }
    }
    fn undone(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = undo(x[i], 1.0) + undo_b(x[i], 1.0) } }
}
finch! {
    use collide_a::{mark, marks};
    use {collide_b::mark as mark_b, collide_b::marks as marks_b};
    fn marked(x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i { y[i] = mark(mark(x[i])) + mark_b(mark_b(x[i])) }
    }
}
finch! {
    // The rules of both sets name an operator `mark`, and the kernel none.
    use collide_a::marks;
    use collide_b::marks as marks_b;
    fn unmarked(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i] } }
}

const VALUES: [f64; 4] = [0.5, -0.0, 3.25, 64.0];

fn values() -> Element<f64> {
    Element::new(VALUES.to_vec())
}

#[test]
fn levels_and_helpers_of_one_name() {
    let x = Tensor::from_parts(collide_a::Foo::new(4, values())).unwrap();
    let y = Tensor::from_parts(collide_b::Foo::new(4, values())).unwrap();
    let want: Vec<f64> = (0..4).map(|i| VALUES[i] + 100.0 * VALUES[3 - i]).collect();
    assert_eq!(levels(&x, &y).to_dense(), want);
    let x = Tensor::from_parts(collide_a::Rot::<_, 1>::new(4, values())).unwrap();
    let y = Tensor::from_parts(collide_a::Rot::<_, 2>::new(4, values())).unwrap();
    let u = Tensor::from_parts(collide_b::Rot::<_, 1>::new(4, values())).unwrap();
    let one = |i: usize| {
        VALUES[(i + 1) % 4] + 100.0 * VALUES[(i + 2) % 4] + 10000.0 * VALUES[(i + 2) % 4]
    };
    assert_eq!(turns(&x, &y, &u).to_dense(), (0..4).map(one).collect::<Vec<f64>>());
}

#[test]
fn what_passes_for_a_declaration_has_that_ones_helpers() {
    let x = Tensor::from_parts(collide_a::Foo::new(4, values())).unwrap();
    assert_eq!(forgery(&x).to_dense(), VALUES);
}

#[test]
fn markers_of_one_name() {
    let x = Tensor::from_triplets([3], [([1], 1.5)], Refuse).unwrap();
    let y = Tensor::from_triplets([3], [([2], 1.5)], Refuse).unwrap();
    assert_eq!(fills(&x, &y).to_dense(), [7.25, 1.25, 6.0]);
    let x = Tensor::from_triplets([3], [([1], 1.5)], Refuse).unwrap();
    let y = Tensor::from_triplets([3], [([2], 1.5)], Refuse).unwrap();
    assert_eq!(modules(&x, &y).to_dense(), [-1.0, -1.5, 0.5]);
}

#[test]
fn operators_of_one_name_and_their_helpers() {
    let x = Tensor::from_dense([6], &[0.25, 0.25, 0.25, 1.5, 1.5, -8.0]).unwrap();
    let (mut s, mut t) = (1.0, 1.0);
    sums(&x, &mut s, &mut t);
    assert_eq!(s, 1.0 + 0.75 + 3.0 - 8.0);
    assert_eq!(t, 1.0 + 3.0 * 0.75 + 2.0 * 2.0 - 7.5);
    let x = Tensor::from_dense([2], &[0.25, -3.0]).unwrap();
    let (y, z) = cases(&x);
    assert_eq!((y.to_dense(), z.to_dense()), (vec![100.25, 97.0], vec![200.25, 197.0]));
    assert_eq!(undone(&x).to_dense(), [1.25 + 2.25, -2.0 - 1.0]);
    assert_eq!(marked(&x).to_dense(), [25.0 + 250_000.0, -300.0 - 3_000_000.0]);
    assert_eq!(unmarked(&x).to_dense(), [0.25, -3.0]);
    let x = Tensor::from_triplets([3], [([1], 1.5)], Refuse).unwrap();
    let (y, z) = bounds(&x, 3);
    assert_eq!((y.to_dense(), z.to_dense()), (vec![7.5, 3.0, 7.5], vec![7.5, 3.0, 7.5]));
}
