//! Results whose leaf has no values: what is stored of them stays, so nothing may take it back.

use super::sources::*;

#[test]
fn what_a_leaf_without_values_stores_stays() {
    let library = library();
    let refused = |body: &str| {
        let source = format!(
            "fn k(a: &Tensor<Dense<ByteMap<Pattern>>>, b: &Tensor<ByteMap<Pattern>>, c: &mut Tensor<ByteMap<Pattern>>) -> (d: Tensor<ByteMap<Pattern>>) {{ {body} }}"
        );
        let said = errors(&library, &source);
        assert!(
            said == "no error\n" || said.contains("cannot take back that an entry is stored"),
            "{said}"
        );
        said != "no error\n"
    };
    for op in ["&&=", "&=", "^=", "<<min>>=", "="] {
        assert!(refused(&format!("for j {{ c[j] {op} b[j]; d[j] ||= b[j] }}")), "in place by {op}");
        assert!(
            refused(&format!("for k, j {{ d[j] {op} a[k, j]; c[j] ||= a[k, j] }}")),
            "several times by {op}"
        );
        assert!(!refused(&format!("for j {{ d[j] {op} b[j]; c[j] ||= b[j] }}")), "once by {op}");
    }
    for op in ["||=", "|=", "<<max>>="] {
        assert!(!refused(&format!("for k, j {{ c[j] {op} a[k, j]; d[j] {op} a[k, j] }}")), "{op}");
    }
}
