//! The loops by hand in C of `peers/lib/shapes.c`, from the shared objects that `LOOPLETS_PEERS` names a directory of.

use crate::arrays::{Arrays, List, Rows, Triples};
use std::path::Path;
use std::ptr::null;

/// `operand` of the file.
#[repr(C)]
struct Operand {
    rows: u64,
    cols: u64,
    n: u64,
    pos: *const usize,
    far: *const u64,
    row: *const u32,
    crd: *const u32,
    val: *const f64,
}

/// `result` of the file.
#[repr(C)]
pub struct Given {
    rows: u64,
    n: u64,
    pos: *const usize,
    far: *const u64,
    row: *const u32,
    crd: *const u32,
    val: *const f64,
}

const NO_OPERAND: Operand = Operand {
    rows: 0,
    cols: 0,
    n: 0,
    pos: null(),
    far: null(),
    row: null(),
    crd: null(),
    val: null(),
};
const NO_RESULT: Given =
    Given { rows: 0, n: 0, pos: null(), far: null(), row: null(), crd: null(), val: null() };

/// The arguments of a loop by hand, which borrow arrays for as long as `'a`.
pub struct Call<'a> {
    operands: Vec<Operand>,
    x: &'a [f64],
    n: usize,
}

impl<'a> Call<'a> {
    /// None yet.
    pub fn new() -> Self {
        Call { operands: Vec::new(), x: &[], n: 0 }
    }
    /// One more.
    pub fn with(mut self, argument: impl Argument<'a>) -> Self {
        argument.join(&mut self);
        self
    }
}

/// What loops by hand take.
pub trait Argument<'a> {
    /// Adds it.
    fn join(self, call: &mut Call<'a>);
}

impl<'a> Argument<'a> for Rows<'a> {
    fn join(self, call: &mut Call<'a>) {
        const { assert!(size_of::<usize>() == size_of::<u64>()) }
        call.operands.push(Operand {
            rows: self.pos.len() as u64 - 1,
            cols: self.columns as u64,
            n: self.crd.len() as u64,
            pos: self.pos.as_ptr(),
            crd: self.crd.as_ptr(),
            val: self.val.as_ptr(),
            ..NO_OPERAND
        });
    }
}
impl<'a> Argument<'a> for Triples<'a> {
    fn join(self, call: &mut Call<'a>) {
        call.operands.push(Operand {
            rows: self.shape[0] as u64,
            cols: self.shape[1] as u64,
            n: self.crd.len() as u64,
            row: self.rows.as_ptr(),
            crd: self.crd.as_ptr(),
            val: self.val.as_ptr(),
            ..NO_OPERAND
        });
    }
}
impl<'a> Argument<'a> for List<'a> {
    fn join(self, call: &mut Call<'a>) {
        call.operands.push(Operand {
            rows: 1,
            cols: self.len as u64,
            n: self.crd.len() as u64,
            far: self.crd.as_ptr(),
            val: self.val.as_ptr(),
            ..NO_OPERAND
        });
    }
}
impl<'a> Argument<'a> for &'a [f64] {
    fn join(self, call: &mut Call<'a>) {
        call.x = self;
    }
}
impl<'a> Argument<'a> for usize {
    fn join(self, call: &mut Call<'a>) {
        call.n = self;
    }
}

type Run = unsafe extern "C" fn(*const Operand, *const Operand, *const f64, u64, *mut Given);
type Free = unsafe extern "C" fn(*mut Given);

/// What a compiler made of the file.
pub struct Library {
    /// The compiler.
    pub name: &'static str,
    object: libloading::Library,
    free: Free,
}

/// Those that there are.
pub fn load() -> Vec<Library> {
    let Some(folder) = std::env::var_os("LOOPLETS_PEERS") else { return Vec::new() };
    let names = ["gcc", "clang"].into_iter();
    names.filter_map(|name| open(name, &Path::new(&folder).join(format!("lib{name}.so")))).collect()
}

fn open(name: &'static str, path: &Path) -> Option<Library> {
    // SAFETY: who sets `LOOPLETS_PEERS` vouches for what these objects do, and that their functions are those of the file.
    unsafe {
        let object = libloading::Library::new(path).ok()?;
        let free = *object.get::<Free>(b"shapes_free").ok()?;
        Some(Library { name, object, free })
    }
}

/// One loop.
pub struct Loop<'a> {
    run: Run,
    library: &'a Library,
}

impl Library {
    /// The loop of this name, if there is one.
    pub fn find(&self, program: &str) -> Option<Loop<'_>> {
        // SAFETY: as above.
        let run = unsafe { self.object.get::<Run>(format!("shapes_{program}").as_bytes()) };
        Some(Loop { run: *run.ok()?, library: self })
    }
}

impl Loop<'_> {
    /// Runs it; `see` gets the result before it is freed.
    pub fn run<T>(&self, call: &Call<'_>, see: impl FnOnce(&Given) -> T) -> T {
        let a = &raw const call.operands[0];
        let b = call.operands.get(1).map_or(null(), |b| &raw const *b);
        let mut given = NO_RESULT;
        // SAFETY: the operands are those that the loop by hand in Rust of the same name takes.
        unsafe { (self.run)(a, b, call.x.as_ptr(), call.n as u64, &raw mut given) };
        let seen = see(&given);
        // SAFETY: it was made above, and nothing of it is used any more.
        unsafe { (self.library.free)(&raw mut given) };
        seen
    }
}

impl Given {
    /// A copy of its arrays.
    pub fn arrays(&self) -> Arrays {
        fn array<T: Copy>(from: *const T, len: usize) -> Vec<T> {
            if from.is_null() {
                return Vec::new();
            }
            // SAFETY: an array that is there has this many elements.
            unsafe { std::slice::from_raw_parts(from, len).to_vec() }
        }
        let (n, rows) = (self.n as usize, self.rows as usize);
        Arrays {
            pos: array(self.pos, rows + 1),
            far: array(self.far, n),
            rows: array(self.row, n),
            crd: array(self.crd, n),
            val: array(self.val, n),
        }
    }
}
