//! Files that are right, files that are wrong in every way, and files that were written here.

mod limits;
mod malformed;
mod right;
mod written;
