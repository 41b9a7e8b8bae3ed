//! The tour and the graph algorithms are examples of this package: it holds nothing else.
