//! Trees of fibers as text and as SVG, of formats that store the same in different ways.

use looplets_formats::*;

level! {
    /// A level of a stranger: one stored entry per fiber.
    pub struct Point<Child> {
        len: usize,
        at: Vec<u32>,
        child: Child,
    }
    invariant(fibers) {
        if at.len() != fibers || at.iter().any(|&c| c as usize >= len) {
            return Err(format!("`at` does not hold {fibers} coordinates below {len}"));
        }
        Ok(fibers)
    }
    read walk(p) {
        let first = at[p];
        pipeline {
            ..first => run(fill),
            ..first + 1 => run(child[p]),
            .. => run(fill),
        }
    }
}

type CsfOf<T> = Tensor<SparseList<SparseList<SparseList<Element<T>>>>>;
type Runs = Tensor<RunList<Element<f64>>>;
type Bits = Tensor<Dense<Bitmap<Element<f64>>>>;

const MATRIX: [f64; 12] = [0.0, 1.5, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0];

fn matrix<L: Level<Value = f64>>() -> Tensor<L> {
    Tensor::from_dense([3, 4], &MATRIX).expect("a matrix")
}

#[test]
fn formats_of_one_matrix_differ_in_what_they_store() {
    let all = [
        matrix::<Dense<SparseList<Element<f64>>>>().picture(),
        matrix::<SparseList<SparseList<Element<f64>>>>().picture(),
        matrix::<Dense<Bitmap<Element<f64>>>>().picture(),
        matrix::<Dense<Dense<Element<f64>>>>().picture(),
        matrix::<Coo<Singleton<Element<f64>>>>().picture(),
        matrix::<SparseBlockList<SparseList<Element<f64>>>>().picture(),
        matrix::<Dense<RunList<Element<f64>>>>().picture(),
    ];
    let text: Vec<String> = all.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!("matrix", text.join("\n"));
}

#[test]
fn other_tensors() -> Result<(), Error> {
    let entries = [([0, 1, 2], 1), ([0, 1, 3], 2), ([0, 4, 0], -3), ([5, 0, 1], 4)];
    let csf: CsfOf<i32> = Tensor::from_triplets([6, 5, 4], entries, Refuse)?;
    let runs: Runs = Tensor::from_dense([7], &[1.0, 1.0, 1.0, 0.0, 0.0, 2.5, 2.5])?;
    let graph: Graph = Tensor::from_triplets([2, 2], [([1, 0], true)], Refuse)?;
    // A row of runs whose child is a fiber, which is shared.
    let rows: Tensor<RunList<SparseList<Element<f64>>>> = Tensor::from_parts(RunList::new(
        4,
        vec![0, 2],
        vec![2, 3],
        SparseList::new(3, vec![0, 1, 1], vec![1], Element::new(vec![9.0])),
    ))?;
    let point = Point::new(5, vec![3, 0], Element::<f64, Zero>::new(vec![2.0, 4.0]));
    let points = Tensor::from_parts(Dense::new(2, point))?;
    let scalar: Tensor<Element<f64>> = Tensor::from_dense([], &[2.5])?;
    let text = [
        csf.picture().to_string(),
        runs.picture().to_string(),
        graph.picture().to_string(),
        rows.picture().to_string(),
        points.picture().to_string(),
        scalar.picture().to_string(),
        Bits::new([2, 0])?.picture().to_string(),
        Csr::<f64>::new([0, 3])?.picture().to_string(),
        Csr::<f64>::new([1, 3])?.picture().to_string(),
        Dcsr::<f64>::new([1, 1])?.picture().to_string(),
        DenseVec::<f64>::new([1])?.picture().to_string(),
    ];
    insta::assert_snapshot!("others", text.join("\n"));
    Ok(())
}

#[test]
fn big_tensors_are_cut() -> Result<(), Error> {
    let big = DenseMat::<f64>::new([1000, 1000])?.picture();
    let text = big.to_string();
    assert!(text.lines().count() < 120, "{text}");
    assert!(text.contains(".. 992 more") && text.ends_with(".. 992 more\n"), "{text}");
    assert!(big.svg().len() < 60_000);
    let entries = (0..9_usize).map(|i| ([i, i], i as f64));
    let nine: Dcsr<f64> = Tensor::from_triplets([usize::MAX >> 32, 9], entries, Refuse)?;
    assert!(nine.picture().to_string().ends_with("\n.. 1 more\n"));
    Ok(())
}

/// Values are anything that prints, and both are one line, and XML.
#[test]
fn values_are_one_short_line() -> Result<(), Error> {
    let numbers = [f64::NAN, f64::NEG_INFINITY, -0.0, f64::MIN_POSITIVE / 2.0, f64::MAX, 0.1 + 0.2];
    let text = DenseVec::<f64>::from_dense([6], &numbers)?.picture().to_string();
    for line in text.lines() {
        assert!(line.chars().count() < 60, "{line}");
    }
    assert!(text.contains("─ NaN\n") && text.contains("─ -inf\n") && text.contains("─ -0\n"));
    let words = ["a<b>&\"c\"", "two\nlines\u{1b}[0m", ""].map(str::to_owned);
    let triplets = words.into_iter().enumerate().map(|(i, word)| ([i], Word(word)));
    let t: Tensor<SparseList<Element<Word, Nothing>>> =
        Tensor::from_triplets([3], triplets, Refuse)?;
    let (text, svg) = (t.picture().to_string(), t.picture().svg());
    assert_eq!(text.lines().count(), 5);
    assert!(svg.contains("a&lt;b&gt;&amp;&quot;c&quot;") && !svg.contains('\u{1b}'));
    assert!(!svg.contains("two\nlines"));
    Ok(())
}

/// A value that prints anything.
#[derive(Clone, PartialEq, Debug)]
struct Word(String);

impl std::fmt::Display for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Its fill.
struct Nothing;

impl Fill<Word> for Nothing {
    const VALUE: Word = Word(String::new());
}

#[test]
fn trees_are_drawn() {
    let svg = matrix::<Dense<SparseList<Element<f64>>>>().picture().svg();
    for word in
        ["<title>3x4 Dense&lt;", "<desc>At 0, 1 is 1.5.", "At 1 stores nothing.", "role=\"img\""]
    {
        assert!(svg.contains(word), "{word} in {svg}");
    }
    assert!(svg.contains("prefers-color-scheme:dark"));
    assert_eq!(svg.matches("class=\"value\"").count(), 3);
    assert_eq!(svg.matches("class=\"none\"").count(), 1);
    insta::assert_snapshot!("matrix_svg", svg);
    let entries = (0..30_usize).map(|k| ([k / 10, k % 10, k % 4], 0.5 * k as f64));
    let cut: CsfOf<f64> = Tensor::from_triplets([3, 10, 4], entries, Refuse).expect("a tensor");
    insta::assert_snapshot!("cut_svg", cut.picture().svg());
}
