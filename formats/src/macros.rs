//! The macros users write, as thin wrappers that tell the proc macros where this crate is.

/// Compiles a program in extended concrete index notation to specialised loops.
#[macro_export]
macro_rules! finch {
    ($($program:tt)*) => {
        $crate::__private::start! { [$crate] finch { $($program)* } }
    };
}

/// The stages of compiling a program, as a string; takes what [`finch!`] takes.
#[macro_export]
macro_rules! explain {
    ($($program:tt)*) => {
        $crate::__private::start! { [$crate] explain { $($program)* } }
    };
}

/// Declares a format: a level, a leaf, or an alias of formats.
#[macro_export]
macro_rules! level {
    ($($declaration:tt)*) => {
        $crate::__private::level! { [$crate] $($declaration)* }
    };
}

/// Declares a fill marker.
#[macro_export]
macro_rules! fill {
    ($($declaration:tt)*) => {
        $crate::__private::level! { [$crate] $($declaration)* }
    };
}
