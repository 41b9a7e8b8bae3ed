//! The one e-graph language for values and statements, so that a rule may turn either into either.
//!
//! A statement is a call like any other (`loop`, `assign`, `sieve`, `seq`, `where`, `let`, `pass`).
//! The names of statements are no user function's names: [`Sym::of`] never yields them, so a
//! Rust function that happens to be called `seq` stays a function.

use crate::cin::{AccessId, ArrayId, Lit, Op, RawId, TensorId, VarId};
use egg::{Id, Language};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// The head of a call. Order and hash do not depend on what was interned before, so that the same
/// program gives the same code whatever else the process has expanded.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sym {
    /// A statement, or a load.
    Form(Form),
    /// A built-in operator, a cast, a constant or a method of floats, by its row in the table.
    Op(Op),
    /// Any other function by its key, with what its declaration says of its shape.
    Own(Arc<str>, Traits),
}

/// What is no operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Form {
    Pass,
    Seq,
    Assign,
    Sieve,
    Let,
    Where,
    Loop,
    Load,
    /// The operator of an assignment that overwrites.
    Set,
}

/// What an operator's declaration says of its shape: how its arguments may be held.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Traits {
    /// `f(a, b) = f(b, a)`
    pub commutative: bool,
    /// `f(f(a, b), c) = f(a, f(b, c))`
    pub associative: bool,
    /// `f(a, a) = a`
    pub idempotent: bool,
    /// For which arguments a call is known to give a value and to do nothing else.
    pub total: Total,
    /// What a call costs, in quarters of a negation.
    pub cost: u16,
    /// The fewest and the most arguments a call may have.
    pub takes: (usize, usize),
}

/// For which arguments a call gives a value, and does nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Total {
    /// It may panic, or do something.
    Unknown,
    /// For floats; integers may overflow.
    Floats,
    /// For all.
    Always,
}

impl Traits {
    /// Nothing is known.
    pub const OPAQUE: Traits = Traits {
        commutative: false,
        associative: false,
        idempotent: false,
        total: Total::Unknown,
        cost: 40,
        takes: (0, usize::MAX),
    };
}

/// The declared operators of a set of rules, by name.
pub type Operators = std::collections::BTreeMap<String, Traits>;

/// The forms with their names in patterns.
const FORMS: &[(Form, &str)] = &[
    (Form::Pass, "pass"),
    (Form::Seq, "seq"),
    (Form::Assign, "assign"),
    (Form::Sieve, "sieve"),
    (Form::Let, "let"),
    (Form::Where, "where"),
    (Form::Loop, "loop"),
    (Form::Load, "load"),
    (Form::Set, "="),
];

/// Short names for what is matched on.
macro_rules! short {
    ($($name:ident $value:expr;)*) => {
        #[allow(missing_docs)]
        impl Sym {
            $(pub const $name: Sym = $value;)*
        }
    };
}

short! {
    PASS Sym::Form(Form::Pass);
    SEQ Sym::Form(Form::Seq);
    ASSIGN Sym::Form(Form::Assign);
    SIEVE Sym::Form(Form::Sieve);
    LET Sym::Form(Form::Let);
    WHERE Sym::Form(Form::Where);
    LOOP Sym::Form(Form::Loop);
    LOAD Sym::Form(Form::Load);
    SET Sym::Form(Form::Set);
    ADD Sym::Op(Op::Add);
    SUB Sym::Op(Op::Sub);
    MUL Sym::Op(Op::Mul);
    DIV Sym::Op(Op::Div);
    REM Sym::Op(Op::Rem);
    NEG Sym::Op(Op::Neg);
    MIN Sym::Op(Op::Min);
    MAX Sym::Op(Op::Max);
    AND Sym::Op(Op::And);
    OR Sym::Op(Op::Or);
    NOT Sym::Op(Op::Not);
    BITAND Sym::Op(Op::BitAnd);
    BITOR Sym::Op(Op::BitOr);
    BITXOR Sym::Op(Op::BitXor);
    SHL Sym::Op(Op::Shl);
    SHR Sym::Op(Op::Shr);
    EQ Sym::Op(Op::Eq);
    NE Sym::Op(Op::Ne);
    LT Sym::Op(Op::Lt);
    LE Sym::Op(Op::Le);
    GT Sym::Op(Op::Gt);
    GE Sym::Op(Op::Ge);
    IFELSE Sym::Op(Op::IfElse);
    COALESCE Sym::Op(Op::Coalesce);
}

impl Sym {
    /// The symbol a pattern means by `name`: what is declared, a form, or an operator.
    pub fn new(name: &str, operators: &Operators) -> Sym {
        let form = FORMS.iter().find(|(_, n)| *n == name);
        match (operators.get(name), form) {
            (Some(traits), _) => Sym::Own(name.into(), *traits),
            (None, Some((form, _))) => Sym::Form(*form),
            (None, None) => Sym::of(&Op::in_rules(name), operators),
        }
    }
    /// The symbol of an operator of a term.
    pub fn of(op: &Op, operators: &Operators) -> Sym {
        match op {
            Op::Function(key) => {
                Sym::Own(key.clone(), operators.get(&**key).copied().unwrap_or(Traits::OPAQUE))
            }
            op => Sym::Op(op.clone()),
        }
    }
    /// The operator of a term that it stands for; none for a form.
    pub fn op(&self) -> Option<Op> {
        match self {
            Sym::Form(_) => None,
            Sym::Op(op) => Some(op.clone()),
            Sym::Own(key, _) => Some(Op::Function(key.clone())),
        }
    }
    /// Whether it only gives its argument another number type.
    pub fn is_cast(&self) -> bool {
        matches!(self, Sym::Op(Op::Cast(_)))
    }
    /// Whether it only says in which type its argument overflows.
    pub fn is_fit(&self) -> bool {
        matches!(self, Sym::Op(Op::Fit(_)))
    }
    /// Its name in patterns.
    pub fn name(&self) -> Cow<'_, str> {
        match self {
            Sym::Form(form) => FORMS.iter().find(|(f, _)| f == form).map_or("", |(_, n)| n).into(),
            Sym::Op(op) => op.name(),
            Sym::Own(key, _) => (&**key).into(),
        }
    }
    /// Whether it makes a statement (or a load) rather than applies a function.
    pub fn is_structure(&self) -> bool {
        matches!(self, Sym::Form(form) if *form != Form::Set)
    }
    /// Whether it is held as a flattened list of arguments.
    pub fn is_nary(&self) -> bool {
        match self {
            Sym::Form(_) => false,
            Sym::Op(op) => op.is_nary(),
            Sym::Own(_, traits) => traits.associative,
        }
    }
    /// Whether patterns match its arguments in any order.
    pub fn is_commutative(&self) -> bool {
        match self {
            Sym::Form(_) => false,
            Sym::Op(op) => op.is_commutative(),
            Sym::Own(_, traits) => traits.commutative,
        }
    }
    /// Whether it makes no difference to apply it to one argument again and again.
    pub fn is_idempotent(&self) -> bool {
        match self {
            Sym::Form(_) => false,
            Sym::Op(op) => op.is_idempotent(),
            Sym::Own(_, traits) => traits.idempotent && traits.associative,
        }
    }
    /// Whether the result is a bool whatever the arguments.
    pub fn is_predicate(&self) -> bool {
        matches!(self, Sym::Op(op) if op.is_predicate())
    }
}

impl fmt::Debug for Sym {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// What the simplifier does not look into.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Leaf {
    /// A scalar variable.
    Var(VarId),
    /// The index of a parallel loop, where the loop binds it: rules that keep a loop keep it parallel.
    Parallel(VarId),
    /// An array of a level.
    Array(ArrayId),
    /// An unresolved access.
    Access(AccessId),
    /// Rust tokens.
    Raw(RawId),
    /// The operator of an assignment; `=` overwrites.
    Op(Sym),
    /// The tensors local to a `where`.
    Locals(Box<[TensorId]>),
}

/// A node of the e-graph.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Node {
    /// A literal.
    Lit(Lit),
    /// An atom.
    Leaf(Leaf),
    /// A head and its arguments:
    /// `(loop index lo hi body)`, `(assign op target value)`, `(sieve cond then otherwise)`,
    /// `(seq ..)`, `(where consumer producer locals)`, `(let var value body)`, `(pass)`,
    /// `(load array position)`, or a function's.
    Call(Sym, Box<[Id]>),
}

impl Node {
    /// The head and arguments, if it is a call of `sym`.
    pub fn as_call(&self, sym: &Sym) -> Option<&[Id]> {
        match self {
            Node::Call(s, args) if s == sym => Some(args),
            _ => None,
        }
    }
}

impl Language for Node {
    type Discriminant = std::mem::Discriminant<Node>;

    fn discriminant(&self) -> Self::Discriminant {
        std::mem::discriminant(self)
    }
    fn matches(&self, other: &Self) -> bool {
        match (self, other) {
            (Node::Lit(a), Node::Lit(b)) => a == b,
            (Node::Leaf(a), Node::Leaf(b)) => a == b,
            (Node::Call(a, x), Node::Call(b, y)) => a == b && x.len() == y.len(),
            _ => false,
        }
    }
    fn children(&self) -> &[Id] {
        match self {
            Node::Call(_, args) => args,
            _ => &[],
        }
    }
    fn children_mut(&mut self) -> &mut [Id] {
        match self {
            Node::Call(_, args) => args,
            _ => &mut [],
        }
    }
}
