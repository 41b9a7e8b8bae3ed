use looplets::prelude::*;

operator! {
    fn wrap(a: f64) -> f64 { a }
}
rules! {
    rules endless {
        use wrap;
        deeper: "(sqrt ?x)" => "(sqrt (wrap ?x))";
    }
}
rules! {
    rules wrong {
        zero: "(sqrt ?x)" => "0";
        one: "(sqrt ?x)" => "1";
    }
}

finch! {
    use endless;
    fn roots(a: &SparseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = sqrt(a[i]) } }
}
finch! {
    use wrong;
    fn contradiction(a: &SparseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = sqrt(a[i]) } }
}

fn main() {}
