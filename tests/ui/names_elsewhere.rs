//! What laws and rules name is what it is where they are declared.
use looplets::*;
mod there {
    use looplets::*;
    fill! { pub fill Big = big; }
    impl Fill<f64> for Big {
        const VALUE: f64 = 1e300;
    }
    operator! {
        pub fn larger(a: f64, b: f64) -> f64 { a.max(b) }
        commutative, associative;
        annihilator Big;
    }
    operator! {
        pub fn mark(x: f64) -> f64 { x * 10.0 }
    }
    rules! {
        pub rules marks { use mark; on: "(mark (mark ?x))" => "(mark (* 10 ?x))"; }
    }
    fn half(x: f64) -> f64 {
        x / 2.0
    }
    operator! {
        pub fn mixed(a: f64, b: f64) -> f64 { if b == 0.0 { half(a) + 1.0 } else { a * b } }
        case mixed(a, 0) = half(a) + 1;
    }
}
fill! { pub fill Big = big; }
impl Fill<f64> for Big {
    const VALUE: f64 = 2.0;
}
operator! {
    fn mark(x: f64) -> f64 { x }
}
finch! {
    use there::larger;
    fn most(a: &DenseVec<f64>, t: &mut f64) { for i { t <<larger>>= a[i] } }
}
finch! {
    use there::marks;
    fn marked(a: &DenseVec<f64>, t: &mut f64) { for i { t += a[i] } }
}
finch! {
    use there::mixed;
    fn mixtures(a: &DenseVec<f64>, t: &mut f64) { for i { t += mixed(a[i], 0) } }
}
fn main() {}
