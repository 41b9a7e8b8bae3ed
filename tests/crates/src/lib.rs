//! Nothing: what looplets has for other crates is tested here, apart from all else, since these crates take a while to
//! compile.
