//! Warns of sparse results that are filled from a dense workspace: each coordinate is stored, zeros too.

use super::Resolver;
use crate::cin::*;
use crate::decl::Order;
use crate::kernel::*;

impl Resolver<'_> {
    /// Looks at every assignment of an element of a workspace, under no condition.
    pub(super) fn check_dense_workspaces(&mut self) {
        if self.kernel.dense {
            return;
        }
        let mut found = Vec::new();
        filled(&self.kernel, &self.kernel.body, &mut found);
        found.into_iter().for_each(|warning| self.kernel.warn(warning));
    }
}

fn filled(kernel: &Kernel, s: &Stmt, out: &mut Vec<Warning>) {
    match s {
        Stmt::Assign { target: Expr::Access(to), op: None, value } => {
            let from = match value {
                Expr::Call(Op::Cast(_), args) => &args[0],
                value => value,
            };
            if let Expr::Access(from) = from {
                out.extend(warning(kernel, kernel.get(*to), kernel.get(*from)));
            }
        }
        // What is stored is chosen there.
        Stmt::Sieve { .. } => {}
        s => s.children().into_iter().for_each(|s| filled(kernel, s, out)),
    }
}

fn warning(kernel: &Kernel, to: &Access, from: &Access) -> Option<Warning> {
    let (result, workspace) = (kernel.tensor(to.tensor), kernel.tensor(from.tensor));
    let own = workspace.of.is_none();
    let dense = workspace.role == Role::Workspace && !workspace.leaves_out() && own;
    // Along the index by which the workspace is read.
    let i = from.indices.iter().find_map(|i| i.along())?;
    let depth = to.indices.iter().position(|x| x.along() == Some(i))?;
    let level = result.levels[depth].format.level();
    let entries = level.write.as_ref().is_some_and(|w| w.order != Order::Locate && !w.runs);
    if result.role != Role::Output || !dense || !entries || !level.leaves_out() {
        return None;
    }
    let (w, c, i) = (&workspace.name, &result.name, kernel.called(i));
    let note = format!("`{c}` stores every `{i}`, zeros too, as `{w}` has a value for each: declare `{w}` in a format that stores only what is written, or assign under a condition, `if {w}[..] != 0 {{ .. }}`");
    Some(Warning { span: from.span.0, name: "every_coordinate_is_stored", note })
}
