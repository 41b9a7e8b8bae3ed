//! How long compiling takes, where there is a clock: in a web page there is none, and to ask for the time panics.

use std::time::{Duration, Instant};

/// When something began, if that can be told.
pub(crate) struct Clock(Option<Instant>);

impl Clock {
    /// Now.
    pub fn start() -> Clock {
        let none = cfg!(all(target_family = "wasm", target_os = "unknown"));
        Clock((!none).then(Instant::now))
    }
    /// How long it is since then, or nothing if that cannot be told.
    pub fn elapsed(&self) -> Duration {
        self.0.map_or(Duration::ZERO, |began| began.elapsed())
    }
}
