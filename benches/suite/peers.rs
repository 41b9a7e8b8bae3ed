//! Peers that are shared objects: what `peer.h` declares, in Rust.

use crate::answer::Answer;
use crate::contest::{Competitor, Contest, Side};
use crate::problem::{Array, Problem, Sparse};
use std::ffi::c_void;
use std::marker::PhantomData;
use std::rc::Rc;
use std::time::Instant;

/// Rows compressed.
#[repr(C)]
struct Rows {
    rows: u64,
    cols: u64,
    pos: *const u64,
    crd: *const u32,
    val: *const f64,
}

/// A dense matrix or an image.
#[repr(C)]
struct Whole<T> {
    rows: u64,
    cols: u64,
    val: *const T,
}

/// Compressed sparse fibers.
#[repr(C)]
struct Csf {
    dims: [u64; 3],
    roots: u64,
    crd0: *const u32,
    pos1: *const u64,
    crd1: *const u32,
    pos2: *const u64,
    crd2: *const u32,
    val: *const f64,
}

/// `problem` of the header.
#[repr(C)]
struct Operands {
    a: Rows,
    b: Rows,
    x: Rows,
    d: Whole<f64>,
    e: Whole<f64>,
    f: Whole<f64>,
    t: Csf,
    p: Whole<u8>,
    q: Whole<u8>,
    images: u64,
    alpha: f64,
}

/// `answer` of the header.
#[repr(C)]
struct Given {
    len: u64,
    values: *const f64,
    sparse: Rows,
}

/// The header counts positions in 64 bits.
fn wide(pos: &[usize]) -> *const u64 {
    const { assert!(size_of::<usize>() == size_of::<u64>()) }
    pos.as_ptr().cast()
}

impl Rows {
    fn of(s: &Sparse) -> Self {
        Rows {
            rows: s.rows as u64,
            cols: s.cols as u64,
            pos: wide(&s.pos),
            crd: s.crd.as_ptr(),
            val: s.val.as_ptr(),
        }
    }
}

impl<T> Whole<T> {
    fn of(a: &Array<T>) -> Self {
        Whole { rows: a.rows as u64, cols: a.cols as u64, val: a.val.as_ptr() }
    }
}

impl Operands {
    fn of(problem: &Problem) -> Self {
        let t = &problem.t;
        Operands {
            a: Rows::of(&problem.a),
            b: Rows::of(&problem.b),
            x: Rows::of(&problem.x),
            d: Whole::of(&problem.d),
            e: Whole::of(&problem.e),
            f: Whole::of(&problem.f),
            t: Csf {
                dims: t.dims.map(|n| n as u64),
                roots: t.crd0.len() as u64,
                crd0: t.crd0.as_ptr(),
                pos1: wide(&t.pos1),
                crd1: t.crd1.as_ptr(),
                pos2: wide(&t.pos2),
                crd2: t.crd2.as_ptr(),
                val: t.val.as_ptr(),
            },
            p: Whole::of(&problem.p),
            q: Whole::of(&problem.q),
            images: problem.images as u64,
            alpha: problem.alpha,
        }
    }
}

/// A peer.
pub struct Library {
    name: String,
    side: Side,
    /// Never closed: what a library has at its exit may need others that are closed before it.
    object: std::mem::ManuallyDrop<libloading::Library>,
}

/// The shared objects of the directory that `LOOPLETS_PEERS` names, by name.
pub fn load() -> Vec<Library> {
    // All else is of one thread too.
    for name in ["OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"] {
        if std::env::var_os(name).is_none() {
            std::env::set_var(name, "1");
        }
    }
    let Some(folder) = std::env::var_os("LOOPLETS_PEERS") else { return Vec::new() };
    let found = std::fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("LOOPLETS_PEERS={}: {e}", folder.display()));
    let mut paths: Vec<_> = found.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "so"));
    paths.sort();
    let mut libraries = Vec::new();
    for path in paths {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let name = stem.strip_prefix("lib").unwrap_or(&stem);
        let name = name.strip_suffix("_peer").unwrap_or(name).to_owned();
        let side = if name.starts_with("gcc") || name.starts_with("clang") {
            Side::Hand
        } else {
            Side::Library
        };
        // SAFETY: whoever sets `LOOPLETS_PEERS` vouches for what these objects do when they are loaded.
        match unsafe { libloading::Library::new(&path) } {
            Ok(object) => {
                let object = std::mem::ManuallyDrop::new(object);
                libraries.push(Library { name, side, object });
            }
            Err(error) => panic!("{}: {error}", path.display()),
        }
    }
    libraries
}

type New = unsafe extern "C" fn(*const Operands) -> *mut c_void;
type Run = unsafe extern "C" fn(*mut c_void);
type Get = unsafe extern "C" fn(*mut c_void, *mut Given);

impl Library {
    /// Joins the contest, if the library has the program and can do the problem.
    pub fn join<'a>(&'a self, contest: &mut Contest<'a>, problem: &'a Problem) {
        fn find<T: Copy>(library: &Library, program: &str, what: &str) -> Option<T> {
            // SAFETY: `peer.h` declares functions of these names with the signatures that are asked for.
            let found = unsafe { library.object.get::<T>(format!("{program}_{what}").as_bytes()) };
            found.ok().map(|f| *f)
        }
        let Some(new) = find::<New>(self, contest.program, "new") else { return };
        let need = |what: &str| find::<Run>(self, contest.program, what);
        let (Some(run), Some(free)) = (need("run"), need("free")) else {
            panic!("{} has no whole {}", self.name, contest.program)
        };
        let get: Get = find(self, contest.program, "get")
            .unwrap_or_else(|| panic!("{} has no {}_get", self.name, contest.program));
        let operands = Rc::new(Operands::of(problem));
        // SAFETY: the operands are valid arrays of the sizes that they say, and outlive the handle.
        let handle = unsafe { new(&*operands) };
        if handle.is_null() {
            return;
        }
        let held = |handle, anew| Held {
            handle,
            new: anew,
            run,
            get,
            free,
            operands: operands.clone(),
            _borrowed: PhantomData,
        };
        contest.join(
            &self.name,
            self.side,
            self.side == Side::Library,
            Box::new(held(handle, None)),
        );
        if self.side == Side::Hand {
            // SAFETY: as above.
            let handle = unsafe { new(&*operands) };
            contest.join(
                &format!("{}, new", self.name),
                self.side,
                true,
                Box::new(held(handle, Some(new))),
            );
        }
    }
}

/// A handle of a peer.
struct Held<'a> {
    handle: *mut c_void,
    /// What makes the handle, with all memory that the program needs, if each run is to make it anew.
    new: Option<New>,
    run: Run,
    get: Get,
    free: Run,
    operands: Rc<Operands>,
    /// The arrays of the problem, and the library itself.
    _borrowed: PhantomData<&'a ()>,
}

impl Competitor for Held<'_> {
    fn answer(&mut self) -> Answer {
        let none = Rows {
            rows: 0,
            cols: 0,
            pos: std::ptr::null(),
            crd: std::ptr::null(),
            val: std::ptr::null(),
        };
        let mut given = Given { len: 0, values: std::ptr::null(), sparse: none };
        // SAFETY: `get` may follow a `run`, and fills what the header declares.
        unsafe {
            (self.run)(self.handle);
            (self.get)(self.handle, &mut given);
        }
        if !given.values.is_null() {
            return Answer::Dense(copied(given.values, given.len as usize));
        }
        let s = given.sparse;
        let pos: Vec<u64> = copied(s.pos, s.rows as usize + 1);
        let stored = *pos.last().expect("`pos` has one more than there are rows") as usize;
        Answer::Sparse(Sparse {
            rows: s.rows as usize,
            cols: s.cols as usize,
            pos: pos.into_iter().map(|p| p as usize).collect(),
            crd: copied(s.crd, stored),
            val: copied(s.val, stored),
        })
    }

    fn seconds(&mut self, runs: usize) -> f64 {
        let began = Instant::now();
        for _ in 0..runs {
            // SAFETY: the handle is one of `new`, not freed yet, or made here; the operands are those of the first.
            unsafe {
                let Some(new) = self.new else {
                    (self.run)(self.handle);
                    continue;
                };
                let handle = new(&*self.operands);
                (self.run)(handle);
                (self.free)(handle);
            }
        }
        began.elapsed().as_secs_f64()
    }
}

/// An array of a peer, which may be none if it is empty.
fn copied<T: Copy>(from: *const T, len: usize) -> Vec<T> {
    if from.is_null() || len == 0 {
        return Vec::new();
    }
    // SAFETY: the answer of a peer has as many values as it says until the next call.
    unsafe { std::slice::from_raw_parts(from, len) }.to_vec()
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // SAFETY: the handle is one of `new`, and not used after this.
        unsafe { (self.free)(self.handle) };
    }
}
