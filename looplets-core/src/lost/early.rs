//! Scalars, workspaces and results that are read before anything is written to them.

use super::{all_written, own_reads, written, Names};
use crate::ast::{Block, Program, Stmt};
use crate::kernel::Warning;
use proc_macro2::Ident;
use std::collections::HashMap;

/// Whether each name that the kernel makes has been written, as far as the walk has come.
type Seen = HashMap<String, bool>;

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    let mut seen = Seen::new();
    for output in &program.outputs {
        seen.insert(output.name.to_string(), output.start.is_some());
    }
    // What the caller passes holds something; what is made in the memory of a parameter does not.
    for param in &program.params {
        seen.entry(param.name.to_string()).or_insert(true);
    }
    if let Some(steps) = &program.steps {
        seen.insert(steps.to_string(), true);
    }
    Walk { consumers: Vec::new(), found }.block(&program.body, &mut seen);
}

/// Gives `names`, which something within hid, back what was known of them before; the last that was hidden first.
fn restore(seen: &mut Seen, names: Vec<(String, Option<bool>)>) {
    for (name, before) in names.into_iter().rev() {
        match before {
            Some(is) => seen.insert(name, is),
            None => seen.remove(&name),
        };
    }
}

struct Walk<'a> {
    /// What the consumers write of the producers that the walk is in.
    consumers: Vec<Names>,
    found: &'a mut Vec<Warning>,
}

impl Walk<'_> {
    /// Walks through `block`. Behind it the names that it declares are forgotten, and what it wrote counts as written.
    fn block(&mut self, block: &Block, seen: &mut Seen) {
        let mut own: Vec<(String, Option<bool>)> = Vec::new();
        for stmt in &block.stmts {
            self.stmt(stmt, seen);
            let declared = match stmt {
                Stmt::Workspace { name, .. } => Some((name, false)),
                Stmt::Let { name, .. } => Some((name, true)),
                _ => None,
            };
            if let Some((name, is)) = declared {
                own.push((name.to_string(), seen.insert(name.to_string(), is)));
            }
        }
        restore(seen, own);
    }

    fn stmt(&mut self, stmt: &Stmt, seen: &mut Seen) {
        // An update reads what the statement itself writes.
        let target = match stmt {
            Stmt::Assign { target, .. } => written(target),
            _ => None,
        };
        own_reads(stmt, &mut |name| {
            if target != Some(name) {
                self.read(name, seen);
            }
        });
        match stmt {
            Stmt::Assign { .. } => {
                let is = target.and_then(|name| seen.get_mut(&name.to_string()));
                is.into_iter().for_each(|is| *is = true);
            }
            Stmt::For { indices, body, .. } => {
                // An iteration reads what those before it have written.
                let mut within = Names::new();
                all_written(body, &mut within);
                for name in &within {
                    seen.get_mut(name).into_iter().for_each(|is| *is = true);
                }
                let hidden: Vec<_> = indices
                    .iter()
                    .map(|i| (i.to_string(), seen.insert(i.to_string(), true)))
                    .collect();
                self.block(body, seen);
                restore(seen, hidden);
            }
            Stmt::If { then, otherwise, .. } => {
                self.block(then, seen);
                otherwise.iter().for_each(|b| self.block(b, seen));
            }
            Stmt::Where { consumer, producer } => self.consumed(consumer, producer, seen),
            Stmt::Block(body) => self.block(body, seen),
            _ => {}
        }
    }

    /// The consumer may read what the producer declares.
    fn consumed(&mut self, consumer: &Block, producer: &Block, seen: &mut Seen) {
        let mut consumes = Names::new();
        all_written(consumer, &mut consumes);
        self.consumers.push(consumes);
        self.block(producer, seen);
        self.consumers.pop();
        let declared: Vec<String> = producer
            .stmts
            .iter()
            .filter_map(|stmt| match stmt {
                Stmt::Workspace { name, .. } => Some(name.to_string()),
                _ => None,
            })
            .collect();
        let hidden: Vec<_> =
            declared.into_iter().map(|name| (name.clone(), seen.insert(name, true))).collect();
        self.block(consumer, seen);
        restore(seen, hidden);
    }

    fn read(&mut self, name: &Ident, seen: &mut Seen) {
        let Some(is @ false) = seen.get_mut(&name.to_string()) else { return };
        // Said once.
        *is = true;
        let swapped = self.consumers.iter().any(|names| names.contains(&name.to_string()));
        let note = match swapped {
            true => format!("nothing has been written to `{name}` here, as a producer runs before its consumer: swap the two, `{{ what reads it }} where {{ what writes it }}`"),
            false => format!("nothing has been written to `{name}` here: put the statement that writes it in front of this one"),
        };
        self.found.push(Warning { span: name.span(), name: "read_before_it_is_written", note });
    }
}
