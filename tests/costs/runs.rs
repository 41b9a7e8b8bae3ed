//! Costs of what is gone through by runs, by blocks, and by merges of much.

use super::*;

level! { type Runs = Tensor<Dense<RunList<Element<bool>>>>; }
level! { type SetRuns = Tensor<Dense<SparseRunList<Element<bool>>>>; }
level! { type Shades = Tensor<Dense<RunList<Element<f64>>>>; }
level! { type Blocks = Tensor<Dense<SparseBlockList<Element<f64>>>>; }

kernels! {
    fn one_run(a: &Shades) -> (s: f64) { s += a[i, j] }
    fn blended(a: &Shades, b: &Shades) -> (c: Shades) { c[i, j] = 0.5 * a[i, j] + 0.25 * b[i, j] }
    fn in_a_row(a: &Runs) -> (b: Runs) { for i, j { b[i, j] = coalesce(a[i, permit[j - 1]], true) && a[i, j] && coalesce(a[i, permit[j + 1]], true) } }
    fn set_in_a_row(a: &SetRuns) -> (b: SetRuns) { for i, j { b[i, j] = coalesce(a[i, permit[j - 1]], false) && a[i, j] && coalesce(a[i, permit[j + 1]], false) } }
    fn across(a: &Runs) -> (b: Runs) { for i, j { b[i, j] = coalesce(a[permit[i - 1], j], true) && a[i, j] && coalesce(a[permit[i + 1], j], true) } }
    fn along_blocks(a: &Blocks, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
    fn blocks_and(a: &Blocks, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] + b[i, j] }
    #![schedule(walk(j))] fn in_both(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] * b[i, j] }
    fn either(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] + b[i, j] }
    #![schedule(walk(j))] fn one_or_two(a: &Csr<f64>, b: &Csr<f64>, d: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] + b[i, j] * d[i, j] }
}

/// A picture whose pixels change one time in `long`, each line from 0 on.
fn picture([n, m]: [usize; 2], long: usize, chance: &mut Chance) -> Vec<f64> {
    let mut all = Vec::new();
    for _ in 0..n {
        let mut shade = 0.0;
        for _ in 0..m {
            if chance.below(long) == 0 {
                shade = chance.below(1000) as f64;
            }
            all.push(shade);
        }
    }
    all
}

fn sizes_of([n, m]: [usize; 2], stored: &[(&str, usize)]) -> Sizes {
    let mut sizes = Sizes::default();
    sizes.lens.extend([("i".to_owned(), n as f64), ("j".to_owned(), m as f64)]);
    sizes.stored.extend(stored.iter().map(|(name, many)| ((*name).to_owned(), *many as f64)));
    sizes
}

/// Ends of runs and of blocks that fall together are one step, and so is what stands in front of the first one.
#[test]
fn runs_and_blocks_cost_what_they_are() {
    for (shape, long) in [([50, 400], 40), ([40, 300], 5), ([20, 60], 2)] {
        let mut chance = Chance(3);
        let (shades, others) =
            (picture(shape, long, &mut chance), picture(shape, long, &mut chance));
        let bits: Vec<bool> = shades.iter().map(|v| *v as u64 % 2 == 1).collect();
        let some: Vec<f64> =
            shades.iter().map(|v| if *v as u64 % 4 == 1 { *v } else { 0.0 }).collect();
        let a = Shades::from_dense(shape, &shades).expect("a picture");
        let b = Shades::from_dense(shape, &others).expect("a picture");
        let mut count = 0;
        let sizes = sizes_of(shape, &[("a", a.stored()), ("b", b.stored())]);
        one_run(&a, &mut count);
        holds("one_run", &sizes, std::mem::take(&mut count), EXACT);
        blended(&a, &b, &mut count);
        holds("blended", &sizes, std::mem::take(&mut count), (0.7, 1.0));
        // Each operand counts as often as it is read.
        let a = Runs::from_dense(shape, &bits).expect("a picture");
        let sizes = sizes_of(shape, &[("a", a.stored())]);
        in_a_row(&a, &mut count);
        holds("in_a_row", &sizes, std::mem::take(&mut count), (0.7, 1.0));
        across(&a, &mut count);
        holds("across", &sizes, std::mem::take(&mut count), (0.7, 1.0));
        let a = SetRuns::from_dense(shape, &bits).expect("a picture");
        let sizes = sizes_of(shape, &[("a", a.stored())]);
        set_in_a_row(&a, &mut count);
        holds("set_in_a_row", &sizes, std::mem::take(&mut count), (0.7, 1.0));
        let a = Blocks::from_dense(shape, &some).expect("a matrix");
        let x: DenseVec<f64> =
            Tensor::from_dense([shape[1]], &vec![0.5; shape[1]]).expect("a vector");
        let sizes = sizes_of(shape, &[("a", a.stored())]);
        along_blocks(&a, &x, &mut count);
        holds("along_blocks", &sizes, std::mem::take(&mut count), (0.99, 1.4));
    }
}

/// What both store is one step, which costs count twice: a fifth to a third too much where a third of all is stored, and up to a half where most is.
/// A step of an intersection goes past up to two entries of each.
#[test]
fn merges_of_much() {
    let shape @ [n, m] = [40, 300];
    let cells = (n * m) as f64;
    for (density, least) in [(0.02, 0.8), (0.1, 0.85), (0.35, 0.7), (0.8, 0.5)] {
        let many = |seed| matrix(n, m, (cells * density) as usize, seed);
        let (a, b, d) = (many(5), many(4), many(6));
        let sizes = sizes_of(shape, &[("a", a.stored()), ("b", b.stored()), ("d", d.stored())]);
        let mut count = 0;
        in_both(&a, &b, &mut count);
        holds("in_both", &sizes, std::mem::take(&mut count), (0.6 * least, 1.0));
        either(&a, &b, &mut count);
        holds("either", &sizes, std::mem::take(&mut count), (least, 1.0));
        one_or_two(&a, &b, &d, &mut count);
        holds("one_or_two", &sizes, std::mem::take(&mut count), (least, 1.0));
        let some: Vec<f64> = picture(shape, 5, &mut Chance(3));
        let some: Vec<f64> =
            some.into_iter().map(|v| if v as u64 % 4 == 1 { v } else { 0.0 }).collect();
        let a = Blocks::from_dense(shape, &some).expect("a matrix");
        let sizes = sizes_of(shape, &[("a", a.stored()), ("b", b.stored())]);
        blocks_and(&a, &b, &mut count);
        holds("blocks_and", &sizes, std::mem::take(&mut count), (0.8, 1.2));
    }
}
