//! The one table of operators: how each is typed, what its laws are, whether it may trap, how it prints.
//!
//! Every stage that asks something of an operator reads a row here, so that a built-in operator is known by
//! its variant and never by its spelling. A function of the surrounding Rust that happens to be called
//! `index` or `range` is an [`Op::Function`] and nothing else. What `operator!` declares has no row: its
//! laws are rules, and its types stand in [`Kernel::functions`](crate::kernel::Kernel::functions).

pub use crate::methods::Method;
use crate::types::Ty;
use std::sync::Arc;

/// An operator or function of a term.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Op {
    /// `a + b + ..`
    Add,
    /// `a - b`
    Sub,
    /// `a * b * ..`
    Mul,
    /// `a / b`
    Div,
    /// `a % b`
    Rem,
    /// `-a`
    Neg,
    /// The least of its arguments; of NaN and a number, the number.
    Min,
    /// The greatest of its arguments; of NaN and a number, the number.
    Max,
    /// `a && b && ..`, in order, as far as needed.
    And,
    /// `a || b || ..`, in order, as far as needed.
    Or,
    /// `!a`
    Not,
    /// `a & b`
    BitAnd,
    /// `a | b`
    BitOr,
    /// `a ^ b`
    BitXor,
    /// `a << b`
    Shl,
    /// `a >> b`
    Shr,
    /// `a == b`
    Eq,
    /// `a != b`
    Ne,
    /// `a < b`
    Lt,
    /// `a <= b`
    Le,
    /// `a > b`
    Gt,
    /// `a >= b`
    Ge,
    /// Whether two elements are one value to the last bit: zeros of either sign are two, a NaN is itself.
    Identical,
    /// `ifelse(cond, a, b)`: evaluates one of the two.
    IfElse,
    /// The first argument that is not `missing`.
    Coalesce,
    /// The first of two values that is not the fill of where it is kept.
    Choose,
    /// The second argument of [`Op::Choose`] together with that fill.
    Chosen,
    /// Of two tuples the one whose first part is less; the left one of equals.
    MinBy,
    /// Of two tuples the one whose first part is greater; the left one of equals.
    MaxBy,
    /// `(a, b, ..)`
    Tuple,
    /// A value of an integer type, so many times: a sum over a run. Neither the number nor the product need be a value
    /// of the type where what it is added to is one.
    Times,
    /// `a` multiplied by itself, so many times: a product over a run.
    Power,
    /// The quotient of two coordinates, rounded up.
    CeilDiv,
    /// A product of coordinates in a position that exists: only its value modulo 2^64 matters.
    WrappingMul,
    /// A number as a coordinate, clamped to where sums of a few coordinates do not overflow.
    Index,
    /// A coordinate and the state of a tensor: the coordinate, which is not to be used in any other state.
    During,
    /// A coordinate as `usize`.
    Usize,
    /// The two ends of a fiber that is a range of entries.
    Range,
    /// The position of a fiber that does not exist.
    Nowhere,
    /// The target of an assignment that changes an element of a tensor where it is read; with the number of the access
    /// as the program has it.
    Place,
    /// The target of an assignment to every entry of a tensor, in checks of declarations.
    Each,
    /// A coordinate with a value, for [`Op::Each`].
    Pair,
    /// A run of coordinates with a value, for [`Op::Each`].
    Run,
    /// A number as one of another type, which has it.
    Cast(Ty),
    /// `x as f32`: a number as one of a primitive type of numbers, cut and rounded as Rust does it.
    As(Ty),
    /// Its argument, arithmetic in this integer type: where that is found to be literals, which have no type, it
    /// overflows as the type does.
    Fit(Ty),
    /// Its argument, a value of this type, also where it is found to be a literal: what is called on it depends on
    /// the type.
    Own(Ty),
    /// A method of Rust's numbers.
    Method(Method),
    /// NaN. No literal, since it does not equal itself, but typed as one, by what it meets.
    Nan,
    /// What a fill marker names, by its key in [`Kernel::constants`](crate::kernel::Kernel::constants).
    Constant(Arc<str>),
    /// A function of the surrounding Rust or a declared operator, by its key in
    /// [`Kernel::functions`](crate::kernel::Kernel::functions).
    Function(Arc<str>),
}

/// How the type of a call follows from those of its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Typing {
    /// `bool`.
    Bool,
    /// What all arguments meet in; bools are counted as coordinates are.
    Number,
    /// What all arguments meet in.
    Meet,
    /// What the arguments from the second on meet in.
    Branches,
    /// The type of the first argument.
    First,
    /// A coordinate.
    Index,
    /// That of what it meets, as a literal's.
    Open,
    /// A row does not tell: the operator's own data or only rustc does.
    Own,
}

/// How arguments of a call may be held and reordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// As written.
    Plain,
    /// Two arguments, in any order.
    Commutative,
    /// Any number of arguments, in any order (floats keep theirs).
    Nary,
    /// Any number of arguments, in any order, of which equal ones are one.
    Idempotent,
}

/// What evaluating a call may do besides giving a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Effect {
    /// Nothing: it may be evaluated where the program would not.
    None,
    /// It may trap, as a division by zero does; or nothing more than that is known of its cost.
    MayTrap,
    /// It is the user's code: it may trap, not end, or do something.
    Unknown,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its name in rules and in the text of terms. What no program can write ends in a colon.
    pub name: &'static str,
    /// How many arguments it takes, the least and the most.
    pub takes: (usize, usize),
    /// How it is typed.
    pub typing: Typing,
    /// How its arguments may be held.
    pub shape: Shape,
    /// What it may do.
    pub effect: Effect,
    /// What a call costs, in quarters of a negation; an operator of many arguments, each after the first.
    pub cost: u64,
    /// How a call is written, for messages; empty if only an operator or the compiler writes it.
    pub form: &'static str,
}

const MANY: usize = usize::MAX;

/// A row, from its columns in the order of the table.
const fn row(
    name: &'static str,
    takes: (usize, usize),
    typing: Typing,
    shape: Shape,
    effect: Effect,
    cost: u64,
    form: &'static str,
) -> Row {
    Row { name, takes, typing, shape, effect, cost, form }
}

macro_rules! table {
    ($($op:ident $name:literal $least:tt $most:tt $typing:ident $shape:ident $effect:ident $cost:literal $form:literal)*) => {
        /// The operators that have a row, in the order of the table.
        pub const BUILT_IN: &[Op] = &[$(Op::$op),*];

        impl Op {
            /// The row of a built-in operator; of any other, what may be said of all of them.
            pub fn row(&self) -> &'static Row {
                match self {
                    $(Op::$op => const {
                        &row($name, ($least, $most), Typing::$typing, Shape::$shape, Effect::$effect, $cost, $form)
                    },)*
                    Op::Cast(_) => const { &row("cast:", (1, 1), Typing::Own, Shape::Plain, Effect::None, 40, "") },
                    Op::As(_) => const { &row("as:", (1, 1), Typing::Own, Shape::Plain, Effect::None, 12, "") },
                    Op::Fit(_) => const { &row("fit:", (1, 1), Typing::Own, Shape::Plain, Effect::None, 0, "") },
                    Op::Own(_) => const { &row("own:", (1, 1), Typing::Own, Shape::Plain, Effect::None, 0, "") },
                    Op::Method(_) => const { &row("method:", (1, 3), Typing::Own, Shape::Plain, Effect::MayTrap, 40, "") },
                    Op::Constant(_) => const { &row("const:", (0, 0), Typing::Own, Shape::Plain, Effect::None, 40, "") },
                    Op::Function(_) => const { &row("function:", (0, MANY), Typing::Own, Shape::Plain, Effect::Unknown, 40, "") },
                }
            }
        }
    };
}

table! {
//  operator     name         least most  typing   shape       effect  cost form
    Add          "+"          1     MANY  Number   Nary        None    8    ""
    Sub          "-"          2     2     Number   Plain       None    8    ""
    Mul          "*"          1     MANY  Number   Nary        None    12   ""
    Div          "/"          2     2     Number   Plain       MayTrap 48   ""
    Rem          "%"          2     2     Number   Plain       MayTrap 48   ""
    Neg          "neg"        1     1     Number   Plain       None    4    ""
    Min          "min"        1     MANY  Meet     Idempotent  None    8    "min(a, b, ..)"
    Max          "max"        1     MANY  Meet     Idempotent  None    8    "max(a, b, ..)"
    And          "and"        1     MANY  Bool     Idempotent  None    8    "and(a, b, ..)"
    Or           "or"         1     MANY  Bool     Idempotent  None    8    "or(a, b, ..)"
    Not          "not"        1     1     First    Plain       None    4    "not(a)"
    BitAnd       "&"          1     MANY  Meet     Idempotent  None    8    ""
    BitOr        "|"          1     MANY  Meet     Idempotent  None    8    ""
    BitXor       "^"          1     MANY  Meet     Nary        None    8    ""
    Shl          "<<"         2     2     First    Plain       None    8    ""
    Shr          ">>"         2     2     First    Plain       None    8    ""
    Eq           "=="         2     2     Bool     Commutative None    8    ""
    Ne           "!="         2     2     Bool     Commutative None    8    ""
    Lt           "<"          2     2     Bool     Plain       None    8    ""
    Le           "<="         2     2     Bool     Plain       None    8    ""
    Gt           ">"          2     2     Bool     Plain       None    8    ""
    Ge           ">="         2     2     Bool     Plain       None    8    ""
    Identical    "identical:" 2     2     Bool     Commutative None    8    ""
    IfElse       "ifelse"     3     3     Branches Plain       None    16   "ifelse(cond, a, b)"
    Coalesce     "coalesce"   1     MANY  Meet     Plain       None    16   "coalesce(a, b, ..)"
    Choose       "choose"     2     2     Meet     Plain       MayTrap 40   "choose(a, b)"
    Chosen       "chosen:"    2     2     First    Plain       MayTrap 40   ""
    MinBy        "minby"      2     2     Own      Plain       MayTrap 40   "minby(a, b)"
    MaxBy        "maxby"      2     2     Own      Plain       MayTrap 40   "maxby(a, b)"
    Tuple        "tuple"      0     MANY  Own      Plain       MayTrap 40   ""
    Times        "times:"     2     2     First    Plain       None    12   ""
    Power        "pow:"       2     2     First    Plain       MayTrap 40   ""
    CeilDiv      "ceil_div:"  2     2     Index    Plain       MayTrap 40   ""
    WrappingMul  "place:*"    1     MANY  Index    Plain       MayTrap 40   ""
    Index        "index:"     1     1     Index    Plain       MayTrap 40   ""
    During       "during:"    2     2     Index    Plain       MayTrap 40   ""
    Usize        "usize:"     1     1     Own      Plain       MayTrap 40   ""
    Range        "range:"     2     2     Own      Plain       MayTrap 40   ""
    Nowhere      "nowhere:"   0     0     Own      Plain       MayTrap 40   ""
    Place        "stored:"    2     2     First    Plain       MayTrap 40   ""
    Each         "each:"      0     MANY  Own      Plain       MayTrap 40   ""
    Pair         "pair:"      2     2     Own      Plain       MayTrap 40   ""
    Run          "run:"       3     3     Own      Plain       MayTrap 40   ""
    Nan          "nan"        0     0     Open     Plain       None    40   ""
}

impl Op {
    /// A function or declared operator by its key.
    pub fn function(key: &str) -> Op {
        Op::Function(key.into())
    }
    /// The operator that a program means by `name`, an infix symbol or a name with so many arguments, unless
    /// something of that name is declared.
    pub fn written(name: &str, arguments: usize) -> Option<Op> {
        match Op::built_in(name) {
            Some(op) => Some(op).filter(|op| !op.is_private() && *op != Op::Nan),
            None => Method::named(name, arguments).map(Op::Method),
        }
    }
    /// The operator that a rule means by `name`, a function if it is none of the table.
    pub fn in_rules(name: &str) -> Op {
        if let Some(op) = Op::built_in(name) {
            return op;
        }
        if let Some(key) = name.strip_prefix("const:") {
            return Op::Constant(key.into());
        }
        if let Some(ty) = name.strip_prefix("cast:") {
            return Op::Cast(Ty::named(ty));
        }
        if let Some(ty) = name.strip_prefix("as:") {
            return Op::As(Ty::named(ty));
        }
        if let Some(ty) = name.strip_prefix("fit:") {
            return Op::Fit(Ty::named(ty));
        }
        if let Some(ty) = name.strip_prefix("own:") {
            return Op::Own(Ty::named(ty));
        }
        Method::by_name(name).map_or_else(|| Op::function(name), Op::Method)
    }
    /// The operator with this name in the table.
    pub fn built_in(name: &str) -> Option<Op> {
        BUILT_IN.iter().find(|op| op.row().name == name).cloned()
    }
    /// The name that rules and the text of terms have for it.
    pub fn name(&self) -> std::borrow::Cow<'_, str> {
        match self {
            Op::Cast(ty) => format!("cast:{}", ty.text()).into(),
            Op::As(ty) => format!("as:{}", ty.text()).into(),
            Op::Fit(ty) => format!("fit:{}", ty.text()).into(),
            Op::Own(ty) => format!("own:{}", ty.text()).into(),
            Op::Method(method) => method.name().into(),
            Op::Constant(key) => format!("const:{key}").into(),
            Op::Function(key) => (&**key).into(),
            _ => self.row().name.into(),
        }
    }
    /// Its key among the functions that a kernel calls, if it is one.
    pub fn key(&self) -> Option<&str> {
        match self {
            Op::Function(key) => Some(key),
            _ => None,
        }
    }
    /// Whether it makes an index, or a number of a primitive type, of a number of any.
    pub fn converts(&self) -> bool {
        matches!(self, Op::Index | Op::Usize | Op::Cast(_) | Op::Fit(_) | Op::Own(_))
    }
    /// Whether it gives the same for the same values of primitive types, each time.
    pub fn is_pure(&self) -> bool {
        let other = matches!(
            self,
            Op::Function(_)
                | Op::Constant(_)
                | Op::Coalesce
                | Op::Choose
                | Op::Chosen
                | Op::MinBy
                | Op::MaxBy
                | Op::Tuple
                | Op::WrappingMul
                | Op::Nowhere
                | Op::During
                | Op::Place
                | Op::Each
                | Op::Pair
                | Op::Run
        );
        !other
    }
    /// Whether its result may be beyond what the type of its arguments holds.
    pub fn is_arithmetic(&self) -> bool {
        matches!(self, Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::Shl | Op::Shr | Op::Times)
    }
    /// Whether it gives an integer or a bool for such arguments.
    pub fn keeps_whole(&self) -> bool {
        let private = matches!(self.row().typing, Typing::Own | Typing::Open);
        !private && self.row().effect == Effect::None || matches!(self, Op::Div | Op::Rem)
    }
    /// Whether only the compiler makes terms of it: neither programs nor rules of others name it.
    pub fn is_private(&self) -> bool {
        matches!(self, Op::WrappingMul | Op::Constant(_))
            || self.row().name.ends_with(':') && !matches!(self, Op::Method(_) | Op::Function(_))
    }
    /// Whether a tuple may be an argument.
    pub fn takes_tuples(&self) -> bool {
        use Op::*;
        self.is_comparison()
            || matches!(self, Function(_) | MinBy | MaxBy | Tuple | IfElse | Coalesce | Choose)
    }
    /// Whether it compares two values.
    pub fn is_comparison(&self) -> bool {
        matches!(self, Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge)
    }
    /// The comparison that holds of `b, a` where `self` holds of `a, b`.
    pub fn turned(&self) -> Op {
        match self {
            Op::Lt => Op::Gt,
            Op::Le => Op::Ge,
            Op::Gt => Op::Lt,
            Op::Ge => Op::Le,
            same => same.clone(),
        }
    }
    /// The comparison that holds of integers where `self` does not. Of floats only `==` and `!=` have one.
    pub fn opposite(&self) -> Option<Op> {
        Some(match self {
            Op::Eq => Op::Ne,
            Op::Ne => Op::Eq,
            Op::Lt => Op::Ge,
            Op::Ge => Op::Lt,
            Op::Le => Op::Gt,
            Op::Gt => Op::Le,
            _ => return None,
        })
    }
    /// Whether it is held as a flattened list of arguments.
    pub fn is_nary(&self) -> bool {
        matches!(self.row().shape, Shape::Nary | Shape::Idempotent)
    }
    /// Whether its arguments may stand in any order.
    pub fn is_commutative(&self) -> bool {
        self.row().shape != Shape::Plain
    }
    /// Whether it makes no difference to apply it to one argument again and again.
    pub fn is_idempotent(&self) -> bool {
        self.row().shape == Shape::Idempotent
    }
    /// Whether the result is a bool whatever the arguments.
    pub fn is_predicate(&self) -> bool {
        match self {
            Op::Method(method) => method.gives(&Ty::Unknown) == Ty::Bool,
            _ => self.row().typing == Typing::Bool,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::METHODS;

    #[test]
    fn every_row_is_found_by_its_name_and_no_two_share_one() {
        for op in BUILT_IN {
            assert_eq!(Op::built_in(op.row().name).as_ref(), Some(op));
            assert!(op.row().takes.0 <= op.row().takes.1);
        }
        for row in METHODS {
            assert_eq!(Op::built_in(row.name), None);
        }
    }

    #[test]
    fn what_has_a_name_in_rules_is_found_by_it() {
        let f64 = Ty::named("f64");
        for op in [
            Op::Cast(f64),
            Op::Cast(Ty::Index),
            Op::As(Ty::named("u8")),
            Op::Fit(Ty::named("u8")),
            Op::Own(Ty::named("u8")),
            Op::Constant("Big".into()),
            Op::function("a::b"),
        ] {
            assert_eq!(Op::in_rules(&op.name()), op);
        }
    }

    #[test]
    fn a_program_cannot_write_what_the_compiler_computes_with() {
        for name in
            ["index", "range", "usize", "nan", "place:*", "times:", "pow:", "chosen", "nowhere"]
        {
            assert_eq!(Op::written(name, 1), None, "{name}");
        }
        assert_eq!(Op::written("min", 2), Some(Op::Min));
        assert_eq!(Op::written("sqrt", 1), Some(Op::Method(Method::Sqrt)));
        assert_eq!(Op::written("sqrt", 2), None);
    }

    #[test]
    fn comparisons_of_integers_turn_and_are_opposed_twice_to_themselves() {
        for op in BUILT_IN.iter().filter(|op| op.is_comparison()) {
            assert_eq!(op.turned().turned(), *op);
            assert_eq!(op.opposite().and_then(|o| o.opposite()).as_ref(), Some(op));
        }
    }
}
