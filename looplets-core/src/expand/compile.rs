//! From one program, all of whose declarations are there, to the tokens of its kernel: every stage in its order.

use super::report::{joined, Report};
use crate::algebra::{self, Algebra};
use crate::cin::AccessId;
use crate::clock::Clock;
use crate::diagnostics::Errors;
use crate::emit::{self, Reader};
use crate::formats::{Library, Stop};
use crate::kernel::{Kernel, Warning};
use crate::kir::Kir;
use crate::schedule::{self, Way};
use crate::simplify::Simplifier;
use crate::{ast, by_columns, fills, kir, lost, lower, picture, resolve, starts};
use proc_macro2::{Span, TokenStream};

/// Compiles one kernel whose formats are all in `library`.
pub fn compile(
    mut program: ast::Program,
    library: &Library,
    krate: TokenStream,
    simplifier: &mut Simplifier,
    stages: bool,
) -> Result<Report, Errors> {
    let began = Clock::start();
    let generics = resolve::generic_names(&program);
    let mut form = program.form.clone();
    let name = match &form {
        ast::Form::Function { name, .. } => name.to_string(),
        ast::Form::Inline => "inline".to_owned(),
    };
    let algebra = gathered(&program, library, simplifier)?;
    let mut noted = schedule::repeated(&program);
    noted.extend(lost::lost(&program));
    by_columns::turn(&mut program, library, &generics);
    let tile = program.schedule.iter().find(|wish| matches!(wish.kind, ast::WishKind::Tile(_)));
    let (tile, mut tiled) = (tile.map(|wish| wish.span), false);
    let promising = program.promise.is_some().then(|| program.clone());
    let (ways, others) = schedule::schedule(program, (library, &algebra), &krate, &generics)?;
    let (several, seen) = (ways.len() > 1, ways.len() + others);
    let (mut reports, mut made, mut kernel) = (Vec::new(), Vec::new(), None);
    for (n, mut way) in ways.into_iter().enumerate() {
        let mut program = way.program.clone();
        if let (ast::Form::Function { attrs, vis, name, .. }, true) = (&mut program.form, several) {
            attrs.clear();
            *vis = syn::Visibility::Inherited;
            *name = emit::ways::name_of(reports.len());
        }
        let (alone, first) = (!several, n == 0);
        let of = Compiled { program, generics: &generics, noted: &noted, alone, first };
        match compile_way(of, &mut way, (library, &algebra), krate.clone(), simplifier, stages) {
            Ok((report, one)) => {
                reports.push(report);
                made.push(way);
                tiled |= one.tiled;
                kernel.get_or_insert(one);
            }
            // A way that a program did not ask for need not be one that can be compiled.
            Err(_) if n > 0 => {}
            Err(errors) => return Err(errors),
        }
    }
    if let Some(span) = tile.filter(|_| !tiled) {
        return Err(syn::Error::new(
            span,
            "no loop adds up rows of a dense result, of which there could be tiles: leave this out",
        )
        .into());
    }
    if let Some(program) = &promising {
        schedule::check(program, &made)?;
    }
    let documented = schedule::documented(&made);
    let told = schedule::told(&made, seen - made.len());
    let costs = |way: Way| (way.count.time.clone(), way.chosen());
    let costs: Vec<_> = made.into_iter().map(costs).collect();
    let mut all = joined(reports);
    all.stages.insert(0, ("schedule", told));
    if let (true, Some(kernel)) = (several, kernel) {
        emit::document(&mut form, &documented);
        all.tokens = emit::ways::choose(&kernel, &form, &all.tokens, &costs);
    }
    Ok(Report { name, time: began.elapsed(), documented, ..all })
}

/// A way to compile.
struct Compiled<'a> {
    program: ast::Program,
    generics: &'a [String],
    /// What rustc is to warn of.
    noted: &'a [Warning],
    /// Whether there is no other way.
    alone: bool,
    /// Whether it is the first one, of which rustc warns.
    first: bool,
}

/// Compiles one way to run a kernel, and counts what it costs.
fn compile_way(
    Compiled { program, generics, noted, alone, first }: Compiled<'_>,
    way: &mut Way,
    (library, algebra): (&Library, &Algebra),
    krate: TokenStream,
    simplifier: &mut Simplifier,
    stages: bool,
) -> Result<(Report, Kernel), Errors> {
    let began = Clock::start();
    let span = match &program.form {
        ast::Form::Function { name, .. } => name.span(),
        ast::Form::Inline => program.body.span,
    };
    let name = match &program.form {
        ast::Form::Function { name, .. } => name.to_string(),
        ast::Form::Inline => "inline".to_owned(),
    };
    let nests = match first && stages {
        true => {
            // Unfurling makes variables, and those of the kernel are to have the names that they have without.
            let mut apart = resolve::resolve(program.clone(), library, algebra, krate.clone())?;
            picture::fibers(&mut apart)
        }
        false => Vec::new(),
    };
    let mut kernel = resolve::resolve(program, library, algebra, krate)?;
    let simplifier = informed(&mut kernel, algebra, simplifier, span)?;
    fills::settle(&mut kernel, simplifier)?;
    noted.iter().for_each(|warning| kernel.warn(warning.clone()));
    starts::check(&mut kernel);
    let before = simplifier.statistics();
    let mut told = Vec::new();
    if stages {
        told.push(("cin", kernel.stmt_text(&kernel.body, 0)));
    }
    let lowered = lower::lower(&mut kernel, simplifier);
    if let Some(complaint) = simplifier.complaint() {
        return Err(algebra.complaint(complaint, span).into());
    }
    let distrusted = !simplifier.kept_guards();
    let lower::Lowered { mut code, log, most } =
        lowered.map_err(|why| refusal(&kernel, span, &why))?;
    schedule::recount(way, (library, algebra), generics, &kernel.walks);
    if distrusted {
        kernel.distrust();
        kir::count_each_entry(&mut code);
    }
    if stages {
        if !algebra.is_empty() {
            told.push(("rules", algebra::told(simplifier)));
        }
        told.push(("looplets", log.join("\n") + "\n"));
        told.push(("lowered", emit::lowered(&kernel, &code)));
    }
    let code = emit::finish(&mut kernel, &code);
    if !first {
        kernel.warnings.clear();
    }
    if stages && !kernel.warnings.is_empty() {
        let notes: Vec<&str> = kernel.warnings.iter().map(|w| &*w.note).collect();
        told.insert(0, ("warnings", notes.join("\n") + "\n"));
    }
    if stages {
        let readable = emit::print(&kernel, &code, Reader::Person);
        told.push(("code", emit::pretty(readable)));
    }
    if alone {
        emit::document(&mut kernel.form, &schedule::documented(std::slice::from_ref(way)));
    }
    let tokens = emit::print(&kernel, &code, Reader::Rustc);
    if nodes_of(&code) > NODES_OF_FEW_TOKENS && tokens_of(&tokens) > MOST_TOKENS {
        let is = format!(
            "comes to more than {MOST_TOKENS} tokens of code, for which rustc takes minutes"
        );
        return Err(refuse_regions(&kernel, span, &most, &is).into());
    }
    if stages {
        told.push(("tokens", emit::pretty(tokens.clone())));
    }
    let after = simplifier.statistics();
    let report = Report {
        name,
        tokens,
        stages: told,
        nests,
        time: began.elapsed(),
        nodes: after.total_nodes - before.total_nodes,
        terms: after.terms - before.terms,
        warnings: kernel.warnings.clone(),
        returned: emit::returned(&kernel),
        documented: Vec::new(),
    };
    Ok((report, kernel))
}

/// The simplifier that goes by the rules of all that `kernel` brings in.
fn informed<'a>(
    kernel: &mut Kernel,
    algebra: &Algebra,
    simplifier: &'a mut Simplifier,
    span: Span,
) -> Result<&'a mut Simplifier, Errors> {
    let simplifier = match algebra.is_empty() {
        true => simplifier,
        false => simplifier.variant(algebra.key(), |rules| algebra.rules(rules))?,
    };
    simplifier.begin();
    let (operators, rules) = algebra::spaces(kernel, algebra, simplifier)
        .map_err(|e| syn::Error::new(span, e.message()))?;
    let simplifier = match operators.is_empty() && rules.is_empty() {
        true => simplifier,
        false => simplifier
            .variant(algebra::key_of(&rules), |base| algebra::with(base, &operators, rules))?,
    };
    simplifier.begin();
    Ok(simplifier)
}

/// The first way to run `program` as it is resolved, before anything is lowered: for what evaluates programs or draws
/// them. All formats are in `library`.
pub fn resolved(
    mut program: ast::Program,
    library: &Library,
    krate: TokenStream,
    simplifier: &mut Simplifier,
) -> Result<Kernel, Errors> {
    let algebra = gathered(&program, library, simplifier)?;
    let generics = resolve::generic_names(&program);
    let span = program.body.span;
    by_columns::turn(&mut program, library, &generics);
    let (mut ways, _) = schedule::schedule(program, (library, &algebra), &krate, &generics)?;
    let program = ways.swap_remove(0).program;
    let mut kernel = resolve::resolve(program, library, &algebra, krate)?;
    let simplifier = informed(&mut kernel, &algebra, simplifier, span)?;
    fills::settle(&mut kernel, simplifier)?;
    Ok(kernel)
}

/// What `program` brings in by `use`.
fn gathered(
    program: &ast::Program,
    library: &Library,
    simplifier: &Simplifier,
) -> Result<Algebra, Errors> {
    match algebra::gather(&program.uses, program.strict, library, simplifier.rules()) {
        Ok(algebra) => Ok(algebra),
        Err(Stop::Error(e)) => Err(e.into()),
        Err(Stop::Need(_, path)) => {
            let message = "no `operator!` or `rules!` of that name is in scope";
            Err(syn::Error::new_spanned(path, message).into())
        }
    }
}

/// The most tokens that a kernel may come to. What rustc takes grows faster than they do: 57 kernels, one of 190,000 among them,
/// compile in a minute together, and one of 1,150,000 took more than four minutes and 3.8 GB.
const MOST_TOKENS: usize = 400_000;
/// The tokens of a kernel with fewer nodes are not counted, since rustc is asked for each of them. A node has come to 60 tokens at
/// most.
const NODES_OF_FEW_TOKENS: usize = 4_000;

fn nodes_of(code: &[Kir]) -> usize {
    let mut nodes = 0;
    code.iter().for_each(|k| k.walk(&mut |_| nodes += 1));
    nodes
}

fn tokens_of(tokens: &TokenStream) -> usize {
    let each = |tree: proc_macro2::TokenTree| match tree {
        proc_macro2::TokenTree::Group(group) => 2 + tokens_of(&group.stream()),
        _ => 1,
    };
    tokens.clone().into_iter().map(each).sum()
}

/// The most operands that a message names.
const MOST_NAMED: usize = 8;

/// What is said of a kernel, whose name is at `span`, that is not lowered.
fn refusal(kernel: &Kernel, span: Span, why: &lower::Refusal) -> syn::Error {
    match why {
        lower::Refusal::TooMany(too_many) => {
            refuse_regions(kernel, span, too_many, "has more regions than can be lowered")
        }
        lower::Refusal::At(refused) => {
            syn::Error::new(kernel.place(refused.function.as_deref(), refused.at), &refused.why)
        }
    }
}

/// What is said of one of whose regions, or of whose code in them, there is too much, as `is` says.
fn refuse_regions(kernel: &Kernel, span: Span, most: &lower::TooMany, is: &str) -> syn::Error {
    let lower::TooMany { index, operands } = most;
    let name = |id: &AccessId| &kernel.tensor(kernel.get(*id).tensor).name;
    let of = |(id, cases): &(AccessId, usize)| format!("{cases} of `{}`", name(id));
    let mut named: Vec<String> = operands.iter().take(MOST_NAMED).map(of).collect();
    if operands.len() > MOST_NAMED {
        named.push(format!("those of {} more", operands.len() - MOST_NAMED));
    }
    let around = index.filter(|index| kernel.info(*index).ident.is_some());
    let around = around
        .map_or_else(String::new, |index| format!(" in the loop over `{}`", kernel.called(index)));
    let (which, some) = match named.is_empty() {
        true => (String::new(), "some operands"),
        false => (
            format!(", since the cases of all operands{around} multiply: {}", named.join(", ")),
            "some of them",
        ),
    };
    let message = format!(
        "this kernel {is}{which}; split it into several statements or kernels, or give {some} another format"
    );
    syn::Error::new(operands.first().map_or(span, |(id, _)| kernel.get(*id).span.0), message)
}
