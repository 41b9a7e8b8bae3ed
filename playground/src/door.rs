//! How a page calls the compiler, without any tool but cargo: text is written to memory that the page asks for, and the answer
//! is read from where it stands. There is one answer at a time.
//!
//! A panic ends the module: the page reads why from [`looplets_panic`], whose memory outlives it, and starts a new one.

use std::cell::RefCell;
use std::sync::Once;

thread_local! {
    /// The question, and behind a call the answer.
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Makes room for a question of so many bytes, and says where.
#[no_mangle]
pub extern "C" fn looplets_room(length: usize) -> *mut u8 {
    TEXT.with(|text| {
        let mut text = text.borrow_mut();
        text.clear();
        text.resize(length, 0);
        text.as_mut_ptr()
    })
}

/// Answers the question that was written there, and says how long the answer is; it stands where [`looplets_text`] says.
#[no_mangle]
pub extern "C" fn looplets_answer() -> usize {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            PANIC.with(|said| *said.borrow_mut() = info.to_string());
        }));
    });
    let question = TEXT.with(|text| std::mem::take(&mut *text.borrow_mut()));
    // Equality graphs measure how long they take. There is no clock to ask without glue for browsers, so time stands still.
    let (clock, _) = quanta::Clock::mock();
    let answer = quanta::with_clock(&clock, || crate::answer(&String::from_utf8_lossy(&question)));
    let answer = answer.into_bytes();
    TEXT.with(|text| {
        *text.borrow_mut() = answer;
        text.borrow().len()
    })
}

/// Where the answer stands.
#[no_mangle]
pub extern "C" fn looplets_text() -> *const u8 {
    TEXT.with(|text| text.borrow().as_ptr())
}

/// How long what a panic said is; it stands where [`looplets_panic`] says.
#[no_mangle]
pub extern "C" fn looplets_panic_length() -> usize {
    PANIC.with(|said| said.borrow().len())
}

/// Where what a panic said stands.
#[no_mangle]
pub extern "C" fn looplets_panic() -> *const u8 {
    PANIC.with(|said| said.borrow().as_ptr())
}
