//! How much memory a run takes at its peak, and how much of it the result keeps, as the allocator counts it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, counting. Libraries in C have their own calls of it, which are not counted.
pub struct Counting;

fn grown(by: usize) {
    let held = HELD.fetch_add(by, Relaxed) + by;
    PEAK.fetch_max(held, Relaxed);
}

// SAFETY: every call is the system allocator's, with what it was called with; only counters are kept beside.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        // SAFETY: the caller's promises are those of the system's allocator.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: `at` came from the system's allocator, by this one.
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both exist while one is copied to the other.
        grown(size);
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: `at` came from the system's allocator, by this one.
        unsafe { System.realloc(at, layout, size) }
    }
}

/// Bytes.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// The most that a run held, its result included.
    pub peak: usize,
    /// What its result holds.
    pub kept: usize,
}

/// Runs `f` once.
pub fn of<T>(f: impl FnOnce() -> T) -> Memory {
    let before = HELD.load(Relaxed);
    PEAK.store(before, Relaxed);
    let result = black_box(f());
    let kept = HELD.load(Relaxed).saturating_sub(before);
    let peak = PEAK.load(Relaxed).saturating_sub(before);
    drop(result);
    Memory { peak, kept }
}
