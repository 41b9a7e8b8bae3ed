//! Names that an author may choose: those of the compiler's own locals, keywords, those of other clauses.

use looplets::prelude::*;

mod levels {
    use looplets::prelude::*;

    level! {
        /// Fill up to a coordinate, which `p` holds, then one value.
        pub struct UpTo<Child> { len: usize, p: Vec<u32>, child: Child }
        invariant(fibers) { if p.len() < fibers { Err("too few".to_owned()) } else { Ok(fibers) } }
        read walk(q) { let end = p[q]; pipeline { ..end => run(fill), .. => run(child[q]) } }
        read locate(q, x) { let end = p[q]; switch { x < end => run(fill), _ => run(child[q]) } }
    }
    level! {
        /// The same, in `i`.
        pub struct Until<Child> { len: usize, i: Vec<u32>, child: Child }
        invariant(fibers) { if i.len() < fibers { Err("too few".to_owned()) } else { Ok(fibers) } }
        read walk(q) { let end = i[q]; pipeline { ..end => run(fill), .. => run(child[q]) } }
        read locate(q, x) { let end = i[q]; switch { x < end => run(fill), _ => run(child[q]) } }
    }
    level! {
        /// The same, moved by constants.
        pub struct Moved<Child, const P: usize, const I: usize> { len: usize, r#type: Vec<u32>, child: Child }
        invariant(fibers) { if r#type.len() < fibers { Err("too few".to_owned()) } else { Ok(fibers) } }
        read walk(q) { let end = r#type[q] + P + I; pipeline { ..end => run(fill), .. => run(child[q]) } }
    }
    level! {
        /// Sorted coordinates in `stop`. `open` has a local called as the coordinate is elsewhere.
        pub struct Listed<Child> { len: usize, pos: Vec<usize>, stop: Vec<u32>, child: Child }
        invariant(fibers) { if pos.len() <= fibers { Err("too few".to_owned()) } else { Ok(stop.len()) } }
        read walk(p) {
            let start = pos[p];
            let end = pos[p + 1];
            let last = if start < end { stop[end - 1] + 1 } else { 0 };
            pipeline {
                ..last => stepper {
                    for q in start..end,
                    seek(i): crate::first_from(stop, q, end, i),
                    stop: stop[q] + 1,
                    body: spike(fill, child[q]),
                },
                .. => run(fill),
            }
        }
        write append(p, i) {
            open: {
                let i = stop.len();
                looplets::levels::begin_fiber(pos, p, i)
            },
            each { stop: i as u32 },
            finish(fibers) { looplets::levels::end_fibers(pos, fibers, stop.len()) },
        }
    }
}

fn first_from(stop: &[u32], q: i64, end: i64, i: i64) -> i64 {
    (q..end).find(|q| i64::from(stop[*q as usize]) >= i).unwrap_or(end)
}

finch! {
    fn sum(
        a: &Tensor<levels::UpTo<Element<f64>>>,
        b: &Tensor<levels::Until<Element<f64>>>,
        c: &Tensor<levels::Moved<Element<f64>, 1, 0>>,
        d: &Tensor<levels::Listed<Element<f64>>>,
        s: &mut f64,
    ) { for i { s += a[i] + b[i::locate] * c[i] + d[i] } }
    fn listed(x: &SparseVec<f64>) -> (y: Tensor<levels::Listed<Element<f64>>>) { for i { y[i] = x[i] } }
}

#[test]
fn authors_choose_their_names() {
    let element = || Element::new(vec![1.5]);
    let a = Tensor::from_parts(levels::UpTo::new(4, vec![2], element())).unwrap();
    let b = Tensor::from_parts(levels::Until::new(4, vec![2], element())).unwrap();
    let c = Tensor::from_parts(levels::Moved::new(4, vec![2], element())).unwrap();
    let d = listed(&SparseVec::from_dense([4], &[0.0, 0.0, 1.5, 0.0]).unwrap());
    assert_eq!(a.to_dense(), [0.0, 0.0, 1.5, 1.5]);
    assert_eq!(c.to_dense(), [0.0, 0.0, 0.0, 1.5]);
    assert_eq!(d.to_dense(), [0.0, 0.0, 1.5, 0.0]);
    let mut s = 0.0;
    sum(&a, &b, &c, &d, &mut s);
    assert_eq!(s, 3.0 + 2.25 + 1.5);
}
