//! Rules that put a value where a statement is wanted, or the other way round.

use looplets::prelude::*;

rules! {
    rules sorts {
        loop_to_value: "(loop ?i ?lo ?hi ?b)" => "(sqrt ?lo)";
        no_array: "(sqrt ?x)" => "(load ?x ?x)";
        value_to_statement: "(sqrt ?x)" => "pass";
        lost: "(assign + ?t ?x)" => "?x";
        no_operator: "(assign + ?t ?x)" => "(assign sqrt ?t ?x)";
        no_index: "(loop ?i ?lo ?hi ?b)" => "(loop 3 ?lo ?hi ?b)";
        no_place: "(assign = ?t ?x)" => "(assign = ?x ?x)";
        both: "(sieve ?x ?x pass)" => "pass";
        bare: "(sqrt ?x)" => "x";
    }
}

fn main() {}
