//! The surface syntax: what each form parses to, and what each mistake is answered with.

mod elsewhere;
mod forms;
mod habits;
mod headers;
mod mistakes;
mod notation;
mod random;
