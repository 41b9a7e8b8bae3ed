//! Concrete index notation as the compiler holds it: expressions and statements over numbered names.
//!
//! This is the language of Looplets Figure 4 after `resolve`: every name is an id into a table, so
//! that terms are plain data (hashable, ordered, span-free) which the simplifier can memoise and
//! the prover can compare. What an id stands for (its source name, span, type) is kept beside the term.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);
    };
}
id!(/// A scalar variable: a loop index, a kernel local, a scalar parameter or a Rust variable.
    VarId);
id!(/// One array of one level of one tensor, a slice in the generated code.
    ArrayId);
id!(/// One access `A[i, j]`; the access table says which fiber and which indices are left.
    AccessId);
id!(/// Rust tokens the compiler does not look into, `$(expr)` and the like.
    RawId);
id!(/// A tensor of the program.
    TensorId);

/// A literal. Numbers have no type of their own: they take the type of what they meet.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Lit {
    /// `true` or `false`; counts as 1 or 0 in arithmetic.
    Bool(bool),
    /// A whole number, also standing for the same number in a floating type.
    Int(i128),
    /// A floating literal as the bits of its `f64` value (never NaN; infinities allowed).
    Float(u64),
    /// The absent value: absorbs in every function, and an assignment of it writes nothing.
    Missing,
}

impl Lit {
    /// The floating literal `x`, normalised: a whole number below 2^53 becomes [`Lit::Int`]
    /// (negative zero excepted), so that `0.0` and `0` are one term.
    pub fn float(x: f64) -> Lit {
        if x == x.trunc() && x.abs() < 9e15 && !(x == 0.0 && x.is_sign_negative()) {
            Lit::Int(x as i128)
        } else {
            Lit::Float(x.to_bits())
        }
    }
    /// The literal as patterns of rules write it.
    pub fn text(&self) -> String {
        match self {
            Lit::Bool(b) => b.to_string(),
            Lit::Int(n) => n.to_string(),
            Lit::Missing => "missing".to_owned(),
            Lit::Float(bits) => match f64::from_bits(*bits) {
                x if x == f64::INFINITY => "inf".to_owned(),
                x if x == f64::NEG_INFINITY => "-inf".to_owned(),
                x => format!("{x:?}"),
            },
        }
    }
}

pub use crate::ops::{Method, Op};

/// A value or index expression.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Expr {
    /// A literal.
    Lit(Lit),
    /// A scalar variable.
    Var(VarId),
    /// An element of a level's array, by position.
    Load(ArrayId, Box<Expr>),
    /// A whole array as an argument of a helper function (a slice).
    Array(ArrayId),
    /// A tensor access not yet resolved to an element.
    Access(AccessId),
    /// An operator applied to arguments; `+ * min max and or` take any number of them.
    Call(Op, Vec<Expr>),
    /// Opaque Rust tokens.
    Raw(RawId),
}

/// A statement. The target of an assignment is an [`Expr::Access`], [`Expr::Load`] or [`Expr::Var`].
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Stmt {
    /// `body` for each `index` in `lo..hi`, in ascending order; nothing if `hi <= lo`.
    Loop {
        /// The index it binds; unique in the program.
        index: VarId,
        /// Whether its iterations run in parallel, in chunks. The loop over a chunk is another loop,
        /// which is not: lowering takes this off the statement when it makes the parallel region.
        parallel: bool,
        /// First value.
        lo: Expr,
        /// One past the last value.
        hi: Expr,
        /// What is repeated.
        body: Box<Stmt>,
    },
    /// `target = value`, or `target = op(target, value)`.
    Assign {
        /// What is written.
        target: Expr,
        /// The reduction operator; `None` overwrites.
        op: Option<Op>,
        /// The value.
        value: Expr,
    },
    /// `if cond { then } else { otherwise }`.
    Sieve {
        /// A boolean expression.
        cond: Expr,
        /// Executed where it holds.
        then: Box<Stmt>,
        /// Executed where it does not.
        otherwise: Box<Stmt>,
    },
    /// Several statements, in order (the paper's multi).
    Seq(Vec<Stmt>),
    /// `{ consumer } where { producer }`: the tensors and scalars of `local` start at their fill,
    /// the producer fills them, the consumer reads them.
    Where {
        /// Reads the workspaces.
        consumer: Box<Stmt>,
        /// Writes the workspaces.
        producer: Box<Stmt>,
        /// The tensors whose life is this statement.
        local: Vec<TensorId>,
    },
    /// A scalar definition visible in `body`.
    Let {
        /// The variable.
        var: VarId,
        /// Its value.
        value: Expr,
        /// Where it is visible.
        body: Box<Stmt>,
    },
    /// Does nothing; `pass` without the list of results, which the program's header already gives.
    Pass,
}

impl Expr {
    /// The most subterms of what is put in place of a name wherever that is read. What is longer would double
    /// with each definition that reads it twice.
    pub const SHORT: usize = 64;
    /// The whole number `n`.
    pub fn int(n: i128) -> Expr {
        Expr::Lit(Lit::Int(n))
    }
    /// The boolean `b`.
    pub fn bool(b: bool) -> Expr {
        Expr::Lit(Lit::Bool(b))
    }
    /// `op` applied to `args`.
    pub fn call(op: Op, args: impl Into<Vec<Expr>>) -> Expr {
        Expr::Call(op, args.into())
    }
    /// `self + n`, folded when both are literal.
    pub fn plus(&self, n: i128) -> Expr {
        match self {
            _ if n == 0 => self.clone(),
            Expr::Lit(Lit::Int(m)) => Expr::int(m + n),
            Expr::Call(op, args) if args.len() == 2 => match (op, &args[1]) {
                (Op::Add, Expr::Lit(Lit::Int(m))) => args[0].plus(m + n),
                (Op::Sub, Expr::Lit(Lit::Int(m))) => args[0].plus(n - m),
                _ => self.moved(n),
            },
            _ => self.moved(n),
        }
    }
    fn moved(&self, n: i128) -> Expr {
        let (op, by) = if n < 0 { (Op::Sub, -n) } else { (Op::Add, n) };
        Expr::call(op, [self.clone(), Expr::int(by)])
    }
    /// Whether it has more than `most` subterms.
    pub fn is_larger(&self, most: usize) -> bool {
        let (mut count, mut open) = (0, vec![self]);
        while let Some(e) = open.pop() {
            count += 1;
            if count > most {
                return true;
            }
            match e {
                Expr::Load(_, e) => open.push(e),
                Expr::Call(_, args) => open.extend(args),
                _ => {}
            }
        }
        false
    }
    /// Visits every subexpression, outermost first.
    pub fn walk<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        f(self);
        match self {
            Expr::Load(_, e) => e.walk(f),
            Expr::Call(_, args) => args.iter().for_each(|a| a.walk(f)),
            _ => {}
        }
    }
    /// A copy with every subexpression for which `f` gives a replacement replaced, outermost first.
    pub fn map(&self, f: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Expr {
        if let Some(e) = f(self) {
            return e;
        }
        match self {
            Expr::Load(a, e) => Expr::Load(*a, Box::new(e.map(f))),
            Expr::Call(op, args) => Expr::Call(op.clone(), args.iter().map(|a| a.map(f)).collect()),
            _ => self.clone(),
        }
    }
}

impl Stmt {
    /// The statements directly below this one, in the order they run.
    pub fn children(&self) -> Vec<&Stmt> {
        match self {
            Stmt::Loop { body, .. } | Stmt::Let { body, .. } => vec![body],
            Stmt::Sieve { then, otherwise, .. } => vec![then, otherwise],
            Stmt::Seq(all) => all.iter().collect(),
            Stmt::Where { consumer, producer, .. } => vec![producer, consumer],
            Stmt::Assign { .. } | Stmt::Pass => Vec::new(),
        }
    }
    /// The expressions directly in this statement.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Stmt::Loop { lo, hi, .. } => vec![lo, hi],
            Stmt::Assign { target, value, .. } => vec![target, value],
            Stmt::Sieve { cond: e, .. } | Stmt::Let { value: e, .. } => vec![e],
            Stmt::Seq(_) | Stmt::Where { .. } | Stmt::Pass => Vec::new(),
        }
    }
    /// The number of subterms, or some number that is not below `most`.
    pub fn size(&self, most: usize) -> usize {
        let (mut count, mut open) = (0, vec![self]);
        while let Some(s) = open.pop() {
            count += 1;
            s.exprs().into_iter().for_each(|e| e.walk(&mut |_| count += 1));
            if count >= most {
                break;
            }
            open.extend(s.children());
        }
        count
    }
    /// Visits every expression directly in this statement and in the statements below it.
    pub fn walk<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        self.exprs().into_iter().for_each(|e| e.walk(f));
        self.children().into_iter().for_each(|s| s.walk(f));
    }
    /// Visits the target and the operator of every assignment.
    pub fn assignments<'a>(&'a self, f: &mut dyn FnMut(&'a Expr, Option<&'a Op>)) {
        self.walk_assignments(&mut |target, op, _| f(target, op));
    }
    /// Visits the target, the operator and the value of every assignment.
    pub fn walk_assignments<'a>(&'a self, f: &mut dyn FnMut(&'a Expr, Option<&'a Op>, &'a Expr)) {
        if let Stmt::Assign { target, op, value } = self {
            f(target, op.as_ref(), value);
        }
        self.children().into_iter().for_each(|s| s.walk_assignments(f));
    }
    /// A copy with every expression rewritten by [`Expr::map`].
    pub fn map(&self, f: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Stmt {
        match self {
            Stmt::Loop { index, parallel, lo, hi, body } => Stmt::Loop {
                index: *index,
                parallel: *parallel,
                lo: lo.map(f),
                hi: hi.map(f),
                body: Box::new(body.map(f)),
            },
            Stmt::Assign { target, op, value } => {
                Stmt::Assign { target: target.map(f), op: op.clone(), value: value.map(f) }
            }
            Stmt::Sieve { cond, then, otherwise } => Stmt::Sieve {
                cond: cond.map(f),
                then: Box::new(then.map(f)),
                otherwise: Box::new(otherwise.map(f)),
            },
            Stmt::Seq(all) => Stmt::Seq(all.iter().map(|s| s.map(f)).collect()),
            Stmt::Where { consumer, producer, local } => Stmt::Where {
                consumer: Box::new(consumer.map(f)),
                producer: Box::new(producer.map(f)),
                local: local.clone(),
            },
            Stmt::Let { var, value, body } => {
                Stmt::Let { var: *var, value: value.map(f), body: Box::new(body.map(f)) }
            }
            Stmt::Pass => Stmt::Pass,
        }
    }
}

/// `e` with the variable `var` replaced by `with`.
pub fn replace_var(var: VarId, with: &Expr) -> impl FnMut(&Expr) -> Option<Expr> + '_ {
    move |e| matches!(e, Expr::Var(v) if *v == var).then(|| with.clone())
}
