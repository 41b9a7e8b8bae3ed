//! t
use looplets::prelude::*;
mod a {
    use looplets::prelude::*;
    level! { pub struct A<Child> { len: usize, p: Vec<u32>, child: Child }
      invariant(fibers) { if p.len() < fibers { return Err("short".into()) } Ok(fibers) }
      read walk(q) { let c = p[q]; pipeline { ..c => run(fill), .. => run(child[q]) } }
      read locate(q, x) { let c = p[q]; switch { x < c => run(fill), _ => run(child[q]) } }
    }
    level! { pub struct B<Child> { len: usize, i: Vec<u32>, child: Child }
      invariant(fibers) { if i.len() < fibers { return Err("short".into()) } Ok(fibers) }
      read walk(q) { let c = i[q]; pipeline { ..c => run(fill), .. => run(child[q]) } }
      read locate(q, x) { let c = i[q]; switch { x < c => run(fill), _ => run(child[q]) } }
    }
    level! { pub struct C<Child, const P: usize, const I: usize> { len: usize, r#type: Vec<u32>, child: Child }
      invariant(fibers) { if r#type.len() < fibers { return Err("short".into()) } Ok(fibers) }
      read walk(q) { let c = r#type[q] + P + I; pipeline { ..c => run(fill), .. => run(child[q]) } }
    }
    level! { pub struct L<Child> { len: usize, pos: Vec<u32>, stop: Vec<u32>, child: Child }
      invariant(fibers) { let _ = fibers; Ok(stop.len()) }
      read walk(p) {
         let start = pos[p]; let e = pos[p + 1];
         let last = if start < e { stop[e - 1] + 1 } else { 0 };
         pipeline { ..last => stepper { for q in start..e, seek(i): crate::from(stop, q, e, i), stop: stop[q] + 1, body: spike(fill, child[q]), }, .. => run(fill), }
      }
    }
}
fn from(a: &[u32], q: i64, e: i64, i: i64) -> i64 {
    (q..e).find(|k| a[*k as usize] as i64 >= i).unwrap_or(e)
}
#[test]
fn z() {
    let x: Tensor<a::A<Element<f64>>> =
        Tensor::from_parts(a::A::new(4, vec![2], Element::new(vec![1.5]))).unwrap();
    let y: Tensor<a::B<Element<f64>>> =
        Tensor::from_parts(a::B::new(4, vec![2], Element::new(vec![1.5]))).unwrap();
    let z: Tensor<a::C<Element<f64>, 1, 0>> =
        Tensor::from_parts(a::C::new(4, vec![2], Element::new(vec![1.5]))).unwrap();
    let l: Tensor<a::L<Element<f64>>> =
        Tensor::from_parts(a::L::new(4, vec![0, 1], vec![2], Element::new(vec![1.5]))).unwrap();
    println!("{:?} {:?} {:?} {:?}", x.to_dense(), y.to_dense(), z.to_dense(), l.to_dense());
    let mut s = 0.;
    finch! { <x: Tensor<a::A<Element<f64>>>, y: Tensor<a::B<Element<f64>>>, z: Tensor<a::C<Element<f64>, 1, 0>>, l: Tensor<a::L<Element<f64>>>, mut s: f64> for i { s += x[i] + y[i] * z[i] + l[i] } };
    println!("{s}");
}
