//! The macros users write, as thin wrappers that tell the proc macros where this crate is.

/// Compiles a program in extended concrete index notation to specialised loops (Looplets section 5).
///
/// One or more functions, or one inline program:
///
/// ```
/// # use looplets_formats as looplets;
/// use looplets::*;
///
/// finch! {
///     /// The sum of the products of common entries.
///     pub fn dot(a: &SparseVec<f64>, b: &SparseVec<f64>, c: &mut f64) {
///         for i { c += a[i] * b[i] }
///     }
/// }
///
/// let a: SparseVec<f64> = Tensor::from_triplets([9], [([2], 3.0), ([7], 1.0)], Refuse)?;
/// let mut c = 0.0;
/// dot(&a, &a, &mut c);
/// assert_eq!(c, 10.0);
///
/// let squares = finch! { <a: SparseVec<f64>> -> (s: SparseVec<f64>) for i { s[i] = a[i] * a[i] } };
/// assert_eq!(squares.to_dense(), [0.0, 0.0, 9.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
/// # Ok::<(), looplets::Error>(())
/// ```
///
/// `parallel for i { .. }` runs iterations in parallel, with results that do not depend on the number of
/// threads; two iterations that would race are an error of compilation.
///
/// # Errors
/// A function that returns `Result<.., E>` with `E: From<Error>` returns size conflicts, computed indices
/// out of range, and why an output cannot be stored, as one of more elements than can be addressed; any
/// other kernel panics with the same message.
///
/// # Panics
/// See above; and if memory for an output cannot be had.
#[doc = concat!("\n", include_str!("finch.md"), include_str!("grammar.md"))]
#[macro_export]
macro_rules! finch {
    ($($program:tt)*) => {
        $crate::__private::start! { [$crate] finch { $($program)* } }
    };
}

/// The stages of compiling a program, as a `&'static str`; takes what [`finch!`] takes.
///
/// Stages follow one another under headings `== stage of kernel ==`: `cin`, the program after names
/// and extents are resolved; `looplets`, the passes as they ran, nested by region; `lowered`,
/// the loops they made; `code`, the whole kernel after it was optimised, for people; `tokens`, the same for rustc.
///
/// ```
/// # use looplets_formats as looplets;
/// use looplets::*;
///
/// let stages = explain! { fn sum(a: &SparseVec<f64>, c: &mut f64) { for i { c += a[i] } } };
/// assert!(stages.contains("Stepper: i in 0..a0_last: a[i] as Stepper"));
/// ```
#[macro_export]
macro_rules! explain {
    ($($program:tt)*) => {
        $crate::__private::start! { [$crate] explain { $($program)* } }
    };
}

/// The looplets that the operands of a program unfurl to, as boxes along the index axis: an SVG document as a
/// `&'static str`; takes what [`finch!`] takes.
///
/// There is a picture for each level of each tensor that is read, for a fiber of any position. A program whose loops are
/// left out has those of the way that [`explain!`] lists first. The document has a title and a description, and colours for
/// light and for dark.
///
/// ```
/// # use looplets_formats as looplets;
/// use looplets::*;
///
/// let svg = explain_svg! { fn sum(a: &SparseVec<f64>, c: &mut f64) { for i { c += a[i] } } };
/// assert!(svg.starts_with("<svg") && svg.contains("stepper"));
/// ```
#[macro_export]
macro_rules! explain_svg {
    ($($program:tt)*) => {
        $crate::__private::start! { [$crate] explain_svg { $($program)* } }
    };
}

/// Declares a format: a level, a leaf, or an alias of formats (Looplets section 4).
///
/// The declaration makes a type and a macro of one name, so import both by one `use`. `finch!` finds
/// the declaration by that name, in whatever crate it is.
///
/// # A level
///
/// ```text
/// level! {
///     pub struct Name<Child, Ix: Index = u32> {
///         len: usize,            // the size of the dimension, always of this name
///         pos: Vec<usize>,       // arrays are slices in kernels
///         child: Child,          // the next level, always of this name
///     }
///     invariant(fibers) { .. }
///     read walk, follow(p) { .. }
///     read locate(p, i) { .. }
///     split(p, i) { .. }     // optional, as `join` and `words`
///     join(pos: offsets, ..);
///     write append(p, i) { .. }
/// }
/// ```
///
/// - Arrays are `Vec<T>`, or `&'a [T]` of a level `Name<'a, Child>` that borrows them: such a level has no `write`, `join` or
///   `swap`. A header names it as `Tensor<Name<'_, Leaf<f64>>>`.
/// - `invariant(fibers)` is Rust over the fields that gives `Ok(number of child fibers)`, or
///   `Err(reason)` if the fields do not hold `fibers` fibers. It runs whenever a tensor is made.
///   Preceded by `unsafe`, it is the author's word that it covers every index that the declaration
///   computes for `p < fibers` and coordinates below `len`: kernels then index unchecked in release
///   code and rely on what the looplets say of their extents. It covers `write` and `join` too: outputs
///   of which every level vouches are not checked again. Without it kernels check each index.
/// - `read name, other(p) { .. }` gives the looplets of fiber `p`; the first `read` is the default. A
///   `read locate(p, i)` answers at coordinate `i`, by definitions, cases and runs only.
/// - `read name | other(p) { .. }` gives two protocols: `other` has a `jumper` for each `stepper`, which seeks
///   by its `jump(i)`, if it has one, in place of `seek(i)`.
/// - `write` says how entries are stored: `append(p, i)` in ascending order, `insert(p, i)` in any
///   order, `locate(p, i)` in any order at positions that follow from the coordinates. See below.
/// - `split` and `join` are for parallel loops. See below.
/// - `words(p, w) { array[position] }` names the word with the bits of coordinates `64 * w .. 64 * w + 64` of fiber `p`, the
///   least bit first, for `w` below `len.div_ceil(64)`: an element of a `Vec<u64>`. A bit is 1 where the child is stored, at
///   the position that `locate` says, and 0 elsewhere and beyond `len`. Logic over bits then takes 64 coordinates a step.
///   `sparse words(p, w) { .. }` says that a walk passes over stretches without entries faster than words are read.
/// - `swap(a, b) { .. }` exchanges what two fibers hold, in constant time: it lets the level stand below one whose entries
///   move. Arrays are `&mut [T]`.
/// - `nodes { .. }` among the fields is a schema of nodes, from which arrays, `read`, `invariant` and `write` follow;
///   `insert(p, i)`, `remove(p, i)` and `build(p, all)` say how entries come and go. The guide has a chapter on it.
///
/// # Looplets
///
/// Definitions `let x = e;`, state `let mut x = e;` and state of a type of the author's, `let mut x: Type = e;`, come first; those of the outermost block run
/// for every fiber, also an empty one. Coordinates and positions are `i64`; arrays of integers are read
/// as such.
///
/// | looplet | says |
/// |---|---|
/// | `run(v)`, or just `v` | every element is `v` |
/// | `spike(v, t)` | `v`, but the last element is `t` |
/// | `lookup(\|i\| v)` | element `i` is `v`, which may be any looplet but a stepper or jumper |
/// | `pipeline { ..stop => l, .. => l }` | consecutive parts |
/// | `switch { cond => l, _ => l }` | the first case that holds |
/// | `shift(d, l)` | `l` with its extents moved by `d` |
/// | `stepper { for q in lo..hi, seek(i): e, stop: e, body: l }` | a child for each `q`; `seek` gives the `q` that holds `i` |
/// | `stepper { seek(i): { .. }, stop: e, body: l, next: { .. } }` | the same over any state |
/// | `stepper { for (q, after) in lo..hi, group: e, .. }` | a child for each range `q..after` of positions, all of which have one `stop`; `e` is the end of the one from `q` on |
/// | `stepper { leap(i): .., .. }` | `leap` for `seek`, where it costs the same however far it goes |
/// | `stepper { while more, .. }` | `more` holds as long as there is a child left, if that is cheaper to ask than where it ends |
/// | `jumper { .. }` | as a stepper, for galloping |
/// | `unordered { for q in lo..hi, at: e, body: v }` | an entry for each `q`, in no order, at coordinate `e`; fill elsewhere. It is a whole fiber |
/// | `unordered { while more, at: e, body: v, next: { .. } }` | the same over any state |
///
/// [`search`](crate::search) has the searches that the built-in levels seek with.
///
/// A value `v` is `fill` or `child[position]`. Extents are half-open; every `stop` lies within the
/// fiber, stops ascend, the last child of a stepper ends where its phase does, and `seek` is only asked for coordinates of the fiber, in ascending order.
///
/// # Writing
///
/// `p`, `i`, `fibers` and positions are `usize` in these clauses, and arrays are `&mut Vec`, but `&[T]` in
/// `entry` and `children`, and in a `locate`, whose arrays have their length from `reserve`, also in `child`, and
/// `&mut [T]` in `open`, `commit`, `extend`, `sort` and `clear`, and anywhere in `note`. In their order for one fiber:
///
/// | clause | says |
/// |---|---|
/// | `reserve(fibers) { Result<(), String> }` | fibers below the number exist, at fill: where a `locate` makes arrays of its own |
/// | `open: { Result<(), String> }` | before a fiber's first entry; fibers are opened in ascending order, but those from `p` on may have been opened before, for entries that were not written. An `insert` with it takes the entries of a fiber in any order, but the fibers in theirs |
/// | `find: position` | of `insert` and `locate`: where the child of entry `i` is, in expressions as in `read`, or a number below 0 if there is no such entry; `commit`, and in `insert` also `child`, then are for new ones only |
/// | `child: position` | where the child of entry `i` is; for `append` and `insert` it is Rust code that may make room |
/// | `entry: { Result<(), String> }` | refuses an entry that was written and cannot be stored |
/// | `commit: { .. }` | once an entry was written; `below` is how many child fibers there are by now |
/// | `each { array: element }` | instead of `child`, `commit` and `children` of an `append`, or of an `insert` that has `note`: an entry is one element in each of these arrays, its child where they ended; room for the entries of a loop is then made once, and they are written without a look at it |
/// | `note(q) { .. }` | of an `insert` with `each`: has `find` find the new entry, whose child is at `q`; it does nothing with the arrays of `each`. With `unsafe invariant` that is vouched for: no entry of a fiber is made twice |
/// | `sort(fibers) { Result<(), String> }` | of `locate` and `insert`: makes what was written readable, as by putting entries in order, before it is read in order and before `finish`; more entries may come. `read locate` may be asked before, unless there is an `open`. In `locate` arrays stay as long as they are |
/// | `finish(fibers) { Result<(), String> }` | nothing more is written; may be called again after more entries |
/// | `children(fibers) { Option<usize> }` | how many child fibers there are |
/// | `children: len` | instead of `children(fibers)`: each fiber has a child for each coordinate, as [`Dense`](crate::Dense) |
/// | `runs` | a stretch of equal entries is written as one: `child` gets its first coordinate, `commit` its last |
/// | `extend: { bool }` | joins the entries `first..=i`, whose value is that of the entry before, with that entry: `true` if it did, and `commit` is left out |
/// | `words(w) { .. }` | of a `locate` whose level has `words`: to store entries is to set their bits of word `w`, and then to run this; arrays are `&mut [T]` |
/// | `fold(at) { .. }` | several entries are stored as one: changes `at`, a `&mut [usize]` of the coordinates down to this dimension, to those of the entry that is stored; tensors are made of entries that it leaves alone |
/// | `thaw: { usize }` | reopens fiber 0 of a finished level and gives the first coordinate that may follow |
/// | `clear: { .. }` | takes all entries out of the only fiber of a workspace in a loop, calling `blank(q)` with the child position of each; without it, all arrays are emptied and made again |
///
/// An `append` may leave out entries: one that nothing was written to has no `commit`.
/// `clear` leaves the arrays as long as they are, and is used where the child is a leaf.
///
/// # Parallel loops
///
/// Without these clauses parallel loops give the same, but take longer.
///
/// `split(p, i) { q }` gives the child position at which what is stored from coordinate `i` of fiber `p`
/// on begins: loops are cut by it into chunks of about equal work. Arrays are `&Vec`, numbers `usize`. It
/// does not descend as `p` and `i` ascend. It is called with `i = 0` also for the `p` behind the last
/// fiber, and takes logarithmic time at most. Without it, each fiber counts as one entry.
///
/// `join(field: how, ..);` says what becomes of each array where fibers of several levels become those of
/// one, one level's behind those of another. A level with a number besides `len` has no `join`.
///
/// | how | the array |
/// |---|---|
/// | `offsets` | counts up through the fibers: 0 first, at the end how many there are; those that follow are moved up |
/// | `entries` | is appended |
/// | `coordinates` | is appended, and holds the coordinates of entries, one each: a fiber whose last entry comes before the first of another can be one with it |
/// | `len: sum` | (no array) a fiber is so many children at all times: two fibers, one behind the other, are one of the sum of the sizes |
///
/// An output that a parallel loop makes in parts is joined if its outermost level says `coordinates` or
/// `len: sum`, and all levels `join`; else it is assembled again from its entries. A leaf says
/// `join(val: entries);`.
///
/// # A leaf
///
/// ```text
/// level! {
///     pub struct Element<T, F = Zero> { val: Vec<T> }
///     leaf T = F;
///     invariant(fibers) { .. }
///     read value(p) { val[p] }
///     join(val: entries);
///     write value(p) { each { val: fill } }
/// }
/// ```
///
/// `each { val: fill }`, one value a fiber which starts at the fill, stands for
/// `reserve(fibers) { .. }`, which makes values exist, `finish(fibers) { .. }`, which leaves as many as there are
/// fibers, and `place: val[p]`, the element that is written.
///
/// # An alias
///
/// `level! { pub type Csr<T> = Tensor<Dense<SparseList<Element<T>>>>; }`. Paths of an alias that others
/// use start at `crate::` or at a crate, since they are looked up where the alias is used.
///
/// # A name that is none
///
/// `level! { pub misnamed CSR = "write Csr"; }` declares no type: a kernel that takes the name for a format is refused
/// at the name, with what stands there.
#[macro_export]
macro_rules! level {
    ($($declaration:tt)*) => {
        $crate::__private::level! { [$crate] $($declaration)* }
    };
}

/// Declares an operator: a Rust function and what is true of it (SparseArrays section 4).
///
/// ```
/// # use looplets_formats as looplets;
/// use looplets::*;
///
/// operator! {
///     /// The greatest common divisor.
///     pub fn gcd(a: u64, b: u64) -> u64 {
///         if b == 0 { a } else { gcd(b, a % b) }
///     }
///     commutative, associative, idempotent;
///     identity 0;
///     annihilator 1;
/// }
/// finch! {
///     #![steps(n)]
///     use gcd;
///     fn divisor(a: &SparseVec<u64>, g: &mut u64, n: &mut u64) { for i { g <<gcd>>= a[i] } }
/// }
/// let a = Tensor::from_triplets([1000], [([3], 12), ([5], 18), ([9], 7), ([11], 14)], Refuse)?;
/// let (mut g, mut n) = (0, 0);
/// divisor(&a, &mut g, &mut n);
/// // Only what is stored is visited, and only until the result is 1.
/// assert_eq!((g, n), (1, 3));
/// # Ok::<(), looplets::Error>(())
/// ```
///
/// `finch!` knows a function as an operator if a `use` at its top brings it in; otherwise the same
/// function is opaque: correct, and dense. The chapter `looplets::guide::rules` has every clause.
#[macro_export]
macro_rules! operator {
    ($($declaration:tt)*) => {
        $crate::__private::level! { [$crate] $($declaration)* }
    };
}

/// Declares a set of rewrite rules for kernels that bring it in by `use`.
///
/// ```
/// # use looplets_formats as looplets;
/// use looplets::*;
///
/// rules! {
///     /// Where no cost is negative, `inf` is the end of every sum.
///     pub rules shortest {
///         #[inexact] never: "(+ inf ?r...)" => "inf" if present(r);
///     }
/// }
/// finch! {
///     #![steps(n)]
///     use shortest;
///     fn relax(
///         a: &Tensor<Dense<SparseList<Element<f64, Inf>>>>, d: &DenseVec<f64>, n: &mut u64,
///     ) -> (e: Tensor<Dense<Element<f64, Inf>>>) {
///         for i, j { e[i] <<min>>= a[i, j] + d[j] }
///     }
/// }
/// let a = Tensor::from_triplets([100, 100], [([0, 7], 1.5), ([0, 9], 0.5)], Refuse)?;
/// let d = Tensor::from_dense([100], &[1.0; 100])?;
/// let mut n = 0;
/// assert_eq!(relax(&a, &d, &mut n).to_dense()[0], 1.5);
/// // A hundred rows, two entries.
/// assert_eq!(n, 102);
/// # Ok::<(), looplets::Error>(())
/// ```
///
/// The chapter `looplets::guide::rules` has patterns, conditions and what is checked.
#[macro_export]
macro_rules! rules {
    ($($declaration:tt)*) => {
        $crate::__private::level! { [$crate] $($declaration)* }
    };
}

/// Makes a macro like [`finch!`] in whose kernels operators and rules are brought in already: for all the
/// kernels of a crate.
///
/// ```
/// # use looplets_formats as looplets;
/// mod kernels {
/// #   use crate::looplets;
///     use looplets::*;
///     operator! {
///         pub fn hypotenuse(a: f64, b: f64) -> f64 { a.hypot(b) }
///         commutative, inexact associative;
///         identity 0;
///     }
///     bring! { pub(crate) macro finch { use crate::kernels::hypotenuse; } }
/// }
/// # fn main() {
/// use looplets::{SparseVec, Tensor};
/// let a: SparseVec<f64> = Tensor::from_dense([3], &[3.0, 0.0, 4.0]).unwrap();
/// let mut norm = 0.0;
/// kernels::finch! { <a: SparseVec<f64>, mut norm: f64> for i { norm <<hypotenuse>>= a[i] } }
/// assert_eq!(norm, 5.0);
/// # }
/// ```
///
/// Paths start at `crate::` or at a crate, since they are looked up where the kernels are. If others are to
/// import the new `finch` by `use`, name what its module imports of `looplets`: a `*` brings in another `finch`.
#[macro_export]
macro_rules! bring {
    ($vis:vis macro $name:ident { $($uses:tt)* }) => {
        $crate::__bring! { ($) $vis $name { $($uses)* } }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __bring {
    (($d:tt) $vis:vis $name:ident { $($uses:tt)* }) => {
        #[allow(unused_macros)]
        macro_rules! $name {
            ($d($d program:tt)*) => {
                $crate::__private::start! { [$crate] finch { $($uses)* $d($d program)* } }
            };
        }
        #[allow(unused_imports)]
        $vis use $name;
    };
}

/// Takes a declaration and makes nothing of it: a name was looked up.
#[doc(hidden)]
#[macro_export]
macro_rules! __declared {
    ($($declaration:tt)*) => {};
}

/// Declares a fill marker: a type that names a compile-time value, for leaves to carry.
///
/// ```
/// # use looplets_formats as looplets;
/// use looplets::*;
///
/// fill! {
///     /// One half.
///     pub fill Half: f32, f64 = 0.5;
/// }
/// finch! {
///     fn keep(a: &Tensor<SparseList<Element<f64, Half>>>) -> (y: Tensor<Dense<Element<f64>>>) {
///         for i { y[i] = a[i] }
///     }
/// }
/// let a = Tensor::from_triplets([3], [([1], 2.0)], Refuse)?;
/// assert_eq!(keep(&a).to_dense(), [0.5, 2.0, 0.5]);
/// # Ok::<(), looplets::Error>(())
/// ```
///
/// The value is a number, `inf`, `-inf`, `true`, `false` or a const parameter. For types not listed,
/// implement [`Fill`](crate::Fill) by hand, with the same value.
#[macro_export]
macro_rules! fill {
    ($($declaration:tt)*) => {
        $crate::__private::level! { [$crate] $($declaration)* }
    };
}
