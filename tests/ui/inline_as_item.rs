//! An inline program is an expression; where an item is expected, that is said at the program.
use looplets::prelude::*;

finch! { <> }

finch! { <mut c: f64> c = 1 }

finch! { <mut c: f64> c = a ** 2; c = d ** 3 }

fn main() {
    let () = finch! { <mut c: f64> };
}
