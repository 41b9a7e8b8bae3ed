//! Reads kernel IR from the text that its printer writes: a statement a line, blocks indented by two blanks.

use crate::expr::{Line, Read};
use looplets_core::cin::*;
use looplets_core::kernel::{Array, Kernel, Ty, VarKind};
use looplets_core::kir::*;
use looplets_core::runtime::Runtime;

/// The statements of `text`, over the tables of `kernel`, which gets the variables that they bind.
pub fn code(kernel: &mut Kernel, text: &str) -> Read<Vec<Kir>> {
    let lines: Vec<(usize, &str)> =
        text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()).collect();
    let mut reader = Reader { kernel, lines, at: 0 };
    let code = reader.block(0)?;
    match reader.lines.get(reader.at) {
        Some((n, line)) => Err(format!("line {} of the code: indentation of `{line}`", n + 1)),
        None => Ok(code),
    }
}

struct Reader<'a> {
    kernel: &'a mut Kernel,
    lines: Vec<(usize, &'a str)>,
    at: usize,
}

impl<'a> Reader<'a> {
    /// The next line, if it is indented so far.
    fn next(&self, indent: usize) -> Option<&'a str> {
        let (_, line) = self.lines.get(self.at)?;
        let text = line.trim_start();
        (line.len() - text.len() == 2 * indent).then_some(text)
    }

    fn block(&mut self, indent: usize) -> Read<Vec<Kir>> {
        let mut out = Vec::new();
        while let Some(text) = self.next(indent) {
            if text == "else" {
                break;
            }
            let (n, _) = self.lines[self.at];
            self.at += 1;
            let read = self.statement(text, indent);
            out.push(read.map_err(|e| match e.starts_with("line ") {
                true => e,
                false => format!("line {} of the code: {e}", n + 1),
            })?);
        }
        Ok(out)
    }

    /// The block below `name`, which may not be there.
    fn part(&mut self, name: &str, indent: usize) -> Read<Vec<Kir>> {
        if self.next(indent) != Some(name) {
            return Ok(Vec::new());
        }
        self.at += 1;
        self.block(indent + 1)
    }

    fn statement(&mut self, text: &'a str, indent: usize) -> Read<Kir> {
        if let Some(remark) = text.strip_prefix("// ") {
            return Ok(Kir::Comment(remark.to_owned()));
        }
        let mut line = Line { kernel: &mut *self.kernel, rest: text };
        let l = &mut line;
        let mut k = head(l)?;
        l.end()?;
        let deeper = indent + 1;
        match &mut k {
            Kir::For { body, .. }
            | Kir::While { body, .. }
            | Kir::Block(body)
            | Kir::Written { body, .. }
            | Kir::Labeled(_, body) => *body = self.block(deeper)?,
            Kir::If { then, otherwise, .. } => {
                *then = self.block(deeper)?;
                *otherwise = self.part("else", indent)?;
            }
            Kir::Parallel(p) => {
                while let Some(text) = self.next(deeper).filter(|t| t.starts_with("part ")) {
                    self.at += 1;
                    let mut line = Line { kernel: &mut *self.kernel, rest: text };
                    line.expect("part")?;
                    let part = line.tensor()?;
                    line.expect("of")?;
                    p.pieces.push(Piece::Part { whole: line.tensor()?, part });
                    line.end()?;
                }
                p.body = self.block(deeper)?;
            }
            Kir::Begin(b) => {
                b.room = self.part("room", deeper)?;
                b.open = self.part("open", deeper)?;
            }
            Kir::Commit(c) => {
                if let Some(text) = self.next(deeper).filter(|t| t.starts_with("note ")) {
                    self.at += 1;
                    let mut line = Line { kernel: &mut *self.kernel, rest: text };
                    line.expect("note")?;
                    let new = line.bind(VarKind::Local, Ty::Index)?;
                    line.end()?;
                    let note = Some((new, self.block(deeper + 1)?));
                    c.each.as_mut().ok_or("a note of no elements")?.note = note;
                }
                c.code = self.block(deeper)?;
            }
            _ => {}
        }
        Ok(k)
    }
}

/// A statement, of which what is indented below is still to be read.
fn head(l: &mut Line<'_>) -> Read<Kir> {
    let empty = Vec::new;
    if l.eat("let") {
        let mutable = l.eat("mut");
        let name = l.word()?;
        let ty = if l.eat(":") { l.ty()? } else { Ty::Index };
        l.expect("=")?;
        let value = l.expr()?;
        // Scalars of values change by stores, positions and flags as state.
        let kind = match (mutable, &ty) {
            (false, _) => VarKind::Local,
            (true, Ty::Index | Ty::Bool) => VarKind::State,
            (true, _) => VarKind::Scalar,
        };
        let var = crate::expr::declare(l.kernel, name, kind, ty);
        return Ok(Kir::Let { var, mutable, value });
    }
    if l.eat("for") {
        let var = l.bind(VarKind::Index, Ty::Index)?;
        l.expect("in")?;
        let (lo, hi) = range(l)?;
        return Ok(Kir::For { var, lo, hi, body: empty() });
    }
    if l.eat("while") {
        return Ok(Kir::While { cond: l.expr()?, body: empty() });
    }
    if l.eat("if") {
        return Ok(Kir::If { cond: l.expr()?, then: empty(), otherwise: empty() });
    }
    if l.eat("parallel") {
        let index = l.bind(VarKind::Index, Ty::Index)?;
        l.expect(":")?;
        let from = l.bind(VarKind::Local, Ty::Index)?;
        l.expect("..")?;
        let to = l.bind(VarKind::Local, Ty::Index)?;
        l.expect("in")?;
        let (lo, hi) = range(l)?;
        let (work, weight, pieces, body) = (Vec::new(), 1, Vec::new(), empty());
        let p = Parallel { index, from, to, lo, hi, work, weight, pieces, body };
        return Ok(Kir::Parallel(Box::new(p)));
    }
    if l.eat("block") {
        return Ok(Kir::Block(empty()));
    }
    if l.eat("exit") {
        let label = l.number()?;
        l.expect("of")?;
        return Ok(Kir::Labeled(label, empty()));
    }
    if l.eat("break") {
        return Ok(Kir::Break(l.number()?));
    }
    if l.eat("take") {
        return Ok(Kir::Take(l.tensor()?));
    }
    if l.eat("stack") {
        let name = l.word()?.to_owned();
        l.expect(":")?;
        let count: usize = l.number()?;
        l.expect("of")?;
        let of = l.tensor()?;
        let values = l.kernel.arrays_of(of).pop().ok_or("a tensor without values")?;
        let like = l.kernel.arrays[values.0 as usize].clone();
        l.kernel.arrays.push(Array { name, trusted: true, ..like });
        let array = Expr::Array(ArrayId(l.kernel.arrays.len() as u32 - 1));
        return Ok(l.kernel.statement(Runtime::OnStack { of, count }, vec![array]));
    }
    if l.eat("code") {
        let Expr::Raw(raw) = l.expr()? else { return Err("no call of the library".to_owned()) };
        return Ok(Kir::Code(raw));
    }
    entry(l)
}

fn range(l: &mut Line<'_>) -> Read<(Expr, Expr)> {
    let lo = l.expr()?;
    l.expect("..")?;
    Ok((lo, l.expr()?))
}

/// A statement on entries of a fiber, or an assignment.
fn entry(l: &mut Line<'_>) -> Read<Kir> {
    if l.eat("begin") {
        let of = l.level()?;
        let written = if l.eat("if") { Some(l.var()?) } else { None };
        let found = if l.eat("or") { Some(l.var()?) } else { None };
        l.expect(":")?;
        let at = l.bind(VarKind::Local, Ty::Index)?;
        l.expect("=")?;
        let (position, room, open) = (l.expr()?, Vec::new(), Vec::new());
        let begin = Begin { of, at, position, found, room, open, written };
        return Ok(Kir::Begin(Box::new(begin)));
    }
    if l.eat("commit") {
        let of = l.level()?;
        let own = if l.eat("each") { Some(each(l)?) } else { None };
        let shared = if l.eat("shared") { each(l)?.elements } else { Vec::new() };
        return Ok(Kir::Commit(Box::new(Commit { of, code: Vec::new(), each: own, shared })));
    }
    if l.eat("give back") {
        let of = l.level()?;
        l.expect(":")?;
        let arrays = l.arrays()?;
        l.expect("from")?;
        return Ok(Kir::GiveBack(Box::new(GiveBack { of, at: l.expr()?, arrays })));
    }
    if l.eat("room of") {
        let of = l.level()?;
        l.expect(":")?;
        let arrays = l.arrays()?;
        l.expect("for")?;
        let capacity = l.var()?;
        l.expect(",")?;
        let count = l.bind(VarKind::State, Ty::Index)?;
        l.expect("=")?;
        return Ok(Kir::Room { of, arrays, capacity, count, first: l.expr()? });
    }
    if l.eat("put all of") {
        let of = l.level()?;
        l.expect(":")?;
        let array = l.array()?;
        l.expect("of")?;
        return Ok(Kir::Written { of, array, count: l.var()?, body: Vec::new() });
    }
    if l.eat("put run") {
        let count = l.var()?;
        l.expect("joined")?;
        let joined = l.expr()?;
        l.expect("begins")?;
        let begins = elements(l)?;
        l.expect("others")?;
        let others = elements(l)?;
        return Ok(Kir::PutRun(Box::new(PutRun { count, joined, begins, others })));
    }
    if l.eat("copy") {
        let count = l.expr()?;
        l.expect("to")?;
        let Expr::Load(to, at) = l.expr()? else { return Err("no element".to_owned()) };
        l.expect("from")?;
        let Expr::Load(from, first) = l.expr()? else { return Err("no element".to_owned()) };
        return Ok(Kir::CopyRow(Box::new(CopyRow { to: (to, *at), from: (from, *first), count })));
    }
    if l.eat("put") {
        let Expr::Load(array, at) = l.expr()? else { return Err("no element".to_owned()) };
        l.expect("=")?;
        return Ok(Kir::Put { array, at: *at, value: l.expr()? });
    }
    if l.eat("filled") {
        let arrays = l.arrays()?;
        l.expect(":")?;
        return Ok(Kir::Filled { arrays, count: l.var()? });
    }
    let store = l.eat("store");
    let target = l.expr()?;
    let op = l.reduction()?;
    let value = l.expr()?;
    match target {
        Expr::Var(var) if op.is_none() && !store => Ok(Kir::Set { var, value }),
        Expr::Var(_) | Expr::Load(..) => Ok(Kir::Store { target, op, value }),
        _ => Err("nothing can be assigned to this".to_owned()),
    }
}

/// The elements of an entry; the last may be the array of values.
fn each(l: &mut Line<'_>) -> Read<Each> {
    let (mut elements, mut values) = (Vec::new(), None);
    loop {
        let array = l.array()?;
        match l.eat("=") {
            true => elements.push((array, l.expr()?)),
            false => values = Some(array),
        }
        if values.is_some() || !l.eat(",") {
            break;
        }
    }
    let run = if l.eat("run") { Some(run(l)?) } else { None };
    Ok(Each { elements, values, run, note: None })
}

/// The coordinates of a run.
fn run(l: &mut Line<'_>) -> Read<Run> {
    let (first, end) = range(l)?;
    l.expect("begins")?;
    let begins = l.arrays()?;
    let gap = if l.eat("gap") { Some(elements(l)?) } else { None };
    Ok(Run { first, end, begins, gap })
}

/// Elements of arrays, as many as there are.
fn elements(l: &mut Line<'_>) -> Read<Vec<(ArrayId, Expr)>> {
    let mut all = Vec::new();
    while let Ok(array) = l.array() {
        l.expect("=")?;
        all.push((array, l.expr()?));
        if !l.eat(",") {
            break;
        }
    }
    Ok(all)
}
