//! A kernel whose outermost loop is parallel, beside the same one in order: what they give is compared.

/// The same kernel with `parallel for` and with `for` in front.
macro_rules! both {
    ($($name:ident $params:tt $(-> $out:tt)? { $index:ident $(in $lo:tt .. $hi:tt)?: $($body:tt)* })*) => {$(
        mod $name {
            use super::*;
            finch! { pub fn parallel $params $(-> $out)? { parallel for $index $(in $lo..$hi)? { $($body)* } } }
            finch! { pub fn sequential $params $(-> $out)? { for $index $(in $lo..$hi)? { $($body)* } } }
        }
    )*};
}
