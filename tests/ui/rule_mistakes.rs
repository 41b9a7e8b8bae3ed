//! Mistakes in sets of rules are shown where they stand, at the token at fault.
use looplets::prelude::*;

rules! {
    rules conditions {
        unknown: "(sqrt ?x)" => "?x" if tiny(x);
        unbound: "(sqrt ?x)" => "?x" if present(y);
        number: "(max ?a ?b)" => "?b" if at_most(a);
    }
}
rules! {
    rules sides {
        right: "(max ?a ?a)" => "?b";
        all: "(max ?a ?r...)" => "(max ?b... ?a)";
        function: "(sqrt ?x)" => "(root ?x)";
        left: "(max ?a" => "?a";
        arity: "(ifelse ?a ?b)" => "?a";
        method: "(sqrt (* ?a ?b))" => "(exp ?a ?b)";
        anything: "?x" => "0";
    }
}
rules! {
    rules names {
        same: "(abs (abs ?x))" => "(abs ?x)";
        same: "(floor (floor ?x))" => "(floor ?x)";

    }
}
rules! {
    rules forms {
        "(max ?a ?a)" => "?a";
    }
}

fn main() {}
