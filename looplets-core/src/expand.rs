//! The front door: the steps by which `finch!` and `explain!` fetch declarations and then compile.
//!
//! A proc macro sees tokens, not types, so each format name of a header is called as a macro, which
//! passes its declaration on to the next step (D3.1). Between two steps everything known travels as
//! tokens: `[krate] mode { program } [declarations so far] [types to do] [keys]`, then `origin { declaration }` for each key.

use crate::cin::AccessId;
use crate::clock::Clock;
use crate::decl::identity::Origin;
use crate::diagnostics::Errors;
use crate::emit::{self, Reader};
use crate::formats::{Library, Stop, Todo};
use crate::kernel::{Kernel, Warning};
use crate::schedule::Way;
use crate::simplify::Simplifier;
use crate::{
    algebra::{self, Algebra},
    ast, fills, kir, lower, parse, picture, resolve, schedule, starts,
};
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{quote, ToTokens};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Everything known between two steps.
struct State {
    krate: TokenStream,
    mode: Ident,
    program: TokenStream,
    library: Library,
    done: TokenStream,
    /// Types whose declarations are not all there, once all that programs bring in by `use` are.
    todo: Option<Todo>,
}

impl State {
    /// Calls of macros, each by its path, which hand on the declarations known by their keys: the first calls the second, and
    /// so on, and the last one the next step.
    fn ask(&self, names: &[(String, TokenStream)]) -> TokenStream {
        let State { krate, mode, program, done, .. } = self;
        let todo = match &self.todo {
            Some(todo) => todo.tokens(),
            None => quote!(use),
        };
        let keys = names.iter().map(|(key, _)| Literal::string(key));
        let state = quote!([#krate] #mode { #program } [#done] [#todo] [#(#keys)*]);
        let mut next = quote!(#krate::__private::step);
        let mut rest = state;
        for (_, path) in names.iter().rev() {
            rest = quote!(@looplets [#next] #rest);
            next = path.clone();
        }
        quote!(#next ! { #rest })
    }
}

/// What compiling one kernel gave and cost.
pub struct Report {
    /// Name of the function, or `inline`.
    pub name: String,
    /// The expansion.
    pub tokens: TokenStream,
    /// Stages by name, as text.
    pub stages: Vec<(&'static str, String)>,
    /// What the operands unfurl to, if stages were asked for: those of the first way.
    pub nests: Vec<picture::Fiber>,
    /// Time from tokens to tokens.
    pub time: Duration,
    /// E-graph nodes, all terms together.
    pub nodes: usize,
    /// Terms handed to the simplifier, remembered ones included.
    pub terms: usize,
    /// What rustc warns of.
    pub warnings: Vec<Warning>,
    /// The type that the function returns.
    pub returned: TokenStream,
    /// What its documentation says beyond what the program does.
    pub documented: Vec<String>,
}

/// The first step: `[krate] mode { program }`.
pub fn start(input: TokenStream, simplifier: &mut Simplifier) -> TokenStream {
    let mut trees = input.into_iter();
    let (
        Some(TokenTree::Group(krate)),
        Some(TokenTree::Ident(mode)),
        Some(TokenTree::Group(program)),
    ) = (trees.next(), trees.next(), trees.next())
    else {
        return syn::Error::new(
            proc_macro2::Span::call_site(),
            "internal: expected `[crate] mode { program }`",
        )
        .to_compile_error();
    };
    let state = State {
        krate: krate.stream(),
        mode,
        program: program.stream(),
        library: Library::of(krate.stream()),
        done: TokenStream::new(),
        todo: None,
    };
    advance(state, simplifier)
}

/// A further step: the state, then the declaration a format's macro has added.
pub fn step(input: TokenStream, simplifier: &mut Simplifier) -> TokenStream {
    match read(input) {
        Ok(state) => advance(state, simplifier),
        Err(e) => e.to_compile_error(),
    }
}

fn read(input: TokenStream) -> syn::Result<State> {
    let trees: Vec<TokenTree> = input.into_iter().collect();
    let other = || {
        syn::Error::new(
            proc_macro2::Span::call_site(),
            "this name is a macro but not a format: declare formats with `level!`",
        )
    };
    let [TokenTree::Group(krate), TokenTree::Ident(mode), TokenTree::Group(program), TokenTree::Group(done), TokenTree::Group(todo), TokenTree::Group(keys), declared @ ..] =
        trees.as_slice()
    else {
        return Err(other());
    };
    let mut done = done.stream();
    let keys: Vec<TokenTree> = keys.stream().into_iter().collect();
    if declared.len() != 2 * keys.len() {
        return Err(other());
    }
    for (key, declared) in keys.iter().zip(declared.chunks(2)) {
        let [TokenTree::Literal(origin), TokenTree::Group(decl)] = declared else {
            return Err(other());
        };
        done.extend(quote!(#key #origin #decl));
    }
    let mut library = Library::of(krate.stream());
    let mut entries = done.clone().into_iter();
    while let (Some(key), Some(origin), Some(TokenTree::Group(decl))) =
        (entries.next(), entries.next(), entries.next())
    {
        library.add(text(&key), text(&origin), decl.stream());
    }
    let uses = matches!(todo.stream().into_iter().next(), Some(TokenTree::Ident(_)));
    let todo = if uses { None } else { Some(Todo::read(todo.stream())?) };
    Ok(State {
        krate: krate.stream(),
        mode: mode.clone(),
        program: program.stream(),
        library,
        done,
        todo,
    })
}

fn text(literal: &TokenTree) -> String {
    literal.to_string().trim_matches('"').to_owned()
}

fn advance(mut state: State, simplifier: &mut Simplifier) -> TokenStream {
    let next = state.todo.as_mut().map(|todo| todo.next(&state.library)).unwrap_or_default();
    if !next.is_empty() {
        return state.ask(&next);
    }
    let each = |program: ast::Program| Ok((ast::alternatives::each(&program)?, program));
    let programs = parse::programs(state.program.clone())
        .and_then(|all| all.into_iter().map(each).collect::<Result<Vec<_>, Errors>>());
    let programs = match programs {
        Ok(programs) => programs,
        Err(e) => return in_place(&state.program, &state.mode, &e),
    };
    if state.todo.is_none() {
        let all = || programs.iter().flat_map(|(each, _)| each);
        for program in all() {
            let rules = simplifier.rules();
            if let Some(next) = algebra::missing(&program.uses, &state.library, rules) {
                return state.ask(&[next]);
            }
        }
        let types = all().flat_map(|program| {
            let generics = resolve::generic_names(program);
            resolve::format_types(program, &state.krate)
                .into_iter()
                .chain(schedule::format_types(program, &state.krate))
                .map(move |ty| (ty, generics.clone()))
        });
        let mut todo = Todo::new(types);
        let next = todo.next(&state.library);
        state.todo = Some(todo);
        if !next.is_empty() {
            return state.ask(&next);
        }
    }
    if let Err(e) = state.library.settle() {
        return in_place(&state.program, &state.mode, &e.into());
    }
    let (explain, svg) = (state.mode == "explain", state.mode == "explain_svg");
    let mut nests = Vec::new();
    let mut out = TokenStream::new();
    let mut told = String::new();
    for (each, whole) in programs {
        let inline = matches!(whole.form, ast::Form::Inline);
        let several = each.len() > 1;
        let (mut alternatives, mut complete) = (Vec::new(), true);
        for program in each {
            let varying = whole.params.iter().zip(&program.params);
            let varying = varying.filter(|(whole, _)| !whole.others.is_empty());
            let types = varying.map(|(_, one)| one.ty.clone()).collect();
            let stages = explain || svg || tracing().is_some();
            match compile(program, &state.library, state.krate.clone(), simplifier, stages) {
                Ok(report) => {
                    trace(&report);
                    if explain || svg {
                        told += &report.text();
                    }
                    nests.extend(report.nests);
                    let Report { tokens, returned, documented, .. } = report;
                    if several {
                        let one =
                            emit::alternatives::Alternative { types, tokens, returned, documented };
                        alternatives.push(one);
                        continue;
                    }
                    let mut trees = tokens.clone().into_iter();
                    out.extend(match (inline, trees.next()) {
                        (true, Some(TokenTree::Group(all))) => block(&state.program, all.stream()),
                        _ => tokens,
                    });
                }
                Err(e) => {
                    complete = false;
                    out.extend(in_place(&state.program, &state.mode, &e));
                }
            }
        }
        if several && complete {
            out.extend(emit::alternatives::dispatch(&whole.form, &whole.params, &alternatives));
        }
    }
    match told.is_empty() {
        false if explain => told.to_token_stream(),
        false if svg => picture::svg(&nests).to_token_stream(),
        _ => out,
    }
}

/// Errors where the kernel stood: items for functions, for the inline form and for `explain!` what may stand for an
/// expression: one macro call, or a block, which rustc reports at its braces if no expression is expected there.
fn in_place(program: &TokenStream, mode: &Ident, errors: &Errors) -> TokenStream {
    let tokens = errors.to_compile_error();
    let is_function = |t: TokenTree| matches!(&t, TokenTree::Ident(i) if i == "fn");
    let items = mode == "finch" && program.clone().into_iter().any(is_function);
    match items || errors.count() < 2 {
        true => tokens,
        false => block(program, tokens),
    }
}

/// `{ tokens }`, whose braces rustc shows where `program` begins.
fn block(program: &TokenStream, tokens: TokenStream) -> TokenStream {
    let mut block = Group::new(Delimiter::Brace, tokens);
    if let Some(first) = program.clone().into_iter().next() {
        block.set_span(Span::mixed_site().located_at(first.span()));
    }
    block.into_token_stream()
}

/// Compiles one kernel whose formats are all in `library`.
pub fn compile(
    program: ast::Program,
    library: &Library,
    krate: TokenStream,
    simplifier: &mut Simplifier,
    stages: bool,
) -> Result<Report, Errors> {
    let began = Clock::start();
    let generics = resolve::generic_names(&program);
    let mut form = program.form.clone();
    let promising = program.promise.is_some().then(|| program.clone());
    let name = match &form {
        ast::Form::Function { name, .. } => name.to_string(),
        ast::Form::Inline => "inline".to_owned(),
    };
    let algebra = gathered(&program, library, simplifier)?;
    let noted = schedule::repeated(&program);
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
                kernel.get_or_insert(one);
            }
            // A way that a program did not ask for need not be one that can be compiled.
            Err(_) if n > 0 => {}
            Err(errors) => return Err(errors),
        }
    }
    if let Some(program) = &promising {
        schedule::check(program, &made)?;
    }
    let documented = schedule::documented(&made);
    let told = schedule::told(&made, seen - made.len());
    let costs: Vec<_> = made.into_iter().map(|way| way.count.time).collect();
    let mut all = joined(reports);
    all.stages.insert(0, ("schedule", told));
    if let (true, Some(kernel)) = (several, kernel) {
        emit::document(&mut form, &documented);
        all.tokens = emit::ways::choose(&kernel, &form, &all.tokens, &costs);
    }
    Ok(Report { name, time: began.elapsed(), documented, ..all })
}

/// The reports of all ways as one, with the functions of all as its tokens.
fn joined(reports: Vec<Report>) -> Report {
    let several = reports.len() > 1;
    let none = Report {
        name: String::new(),
        tokens: TokenStream::new(),
        stages: Vec::new(),
        nests: Vec::new(),
        time: Duration::ZERO,
        nodes: 0,
        terms: 0,
        warnings: Vec::new(),
        returned: TokenStream::new(),
        documented: Vec::new(),
    };
    reports.into_iter().enumerate().fold(none, |mut all, (n, report)| {
        for (stage, text) in report.stages {
            let text = if several { format!("// way {}\n{text}", n + 1) } else { text };
            match all.stages.iter_mut().find(|(name, _)| *name == stage) {
                Some((_, others)) => *others += &text,
                None => all.stages.push((stage, text)),
            }
        }
        all.tokens.extend(report.tokens);
        if n == 0 {
            all.nests = report.nests;
            all.returned = report.returned;
        }
        all.nodes += report.nodes;
        all.terms += report.terms;
        all.warnings.extend(report.warnings);
        all
    })
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
    let (mut code, log) = lowered.map_err(|why| refusal(&kernel, span, &why))?;
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
    program: ast::Program,
    library: &Library,
    krate: TokenStream,
    simplifier: &mut Simplifier,
) -> Result<Kernel, Errors> {
    let algebra = gathered(&program, library, simplifier)?;
    let generics = resolve::generic_names(&program);
    let span = program.body.span;
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

/// The most operands that a message names.
const MOST_NAMED: usize = 8;

/// What is said of a kernel, whose name is at `span`, that is not lowered.
fn refusal(kernel: &Kernel, span: Span, why: &lower::Refusal) -> syn::Error {
    match why {
        lower::Refusal::TooMany(too_many) => refuse_regions(kernel, span, too_many),
        lower::Refusal::At(refused) => {
            syn::Error::new(kernel.place(refused.function.as_deref(), refused.at), &refused.why)
        }
    }
}

/// What is said of one that has too many regions.
fn refuse_regions(kernel: &Kernel, span: Span, too_many: &lower::TooMany) -> syn::Error {
    let lower::TooMany { index, operands } = too_many;
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
        false => (format!(": {}", named.join(", ")), "some of them"),
    };
    let message = format!("this kernel has more regions than can be lowered, since the cases of all operands{around} \
         multiply{which}; split it into several statements or kernels, or give {some} another format");
    syn::Error::new(operands.first().map_or(span, |(id, _)| kernel.get(*id).span.0), message)
}

impl Report {
    /// Every stage under a heading.
    pub fn text(&self) -> String {
        self.stages
            .iter()
            .map(|(name, text)| format!("== {} of {} ==\n{text}\n", name, self.name))
            .collect()
    }
}

/// `LOOPLETS_TRACE=dir`: where to write the stages.
fn tracing() -> Option<std::path::PathBuf> {
    std::env::var_os("LOOPLETS_TRACE").map(Into::into)
}

/// If `LOOPLETS_TRACE=dir` is set, writes the stages to `dir/name.stage`, numbered if a file of that
/// name is there.
pub fn trace(report: &Report) {
    let Some(dir) = tracing() else { return };
    // Tracing must not fail a build: a directory that cannot be written is told of once a kernel.
    let write = || -> std::io::Result<()> {
        std::fs::create_dir_all(&dir)?;
        let mut base = report.name.clone();
        let mut n = 1;
        while dir.join(format!("{base}.cin")).exists() {
            n += 1;
            base = format!("{}_{n}", report.name);
        }
        for (stage, text) in &report.stages {
            std::fs::write(dir.join(format!("{base}.{stage}")), text)?;
        }
        std::fs::write(dir.join(format!("{base}.svg")), picture::svg(&report.nests))?;
        let cost =
            format!("time {:?}\nterms {}\nnodes {}\n", report.time, report.terms, report.nodes);
        std::fs::write(dir.join(format!("{base}.cost")), cost)
    };
    if let Err(e) = write() {
        eprintln!("looplets: LOOPLETS_TRACE={}: {e}", dir.display());
    }
}

/// What a declaration is known by, a number: its origin and tokens, as the macro of its name hands them on.
pub fn print(input: TokenStream) -> TokenStream {
    let mut trees = input.into_iter();
    match (trees.next(), trees.next()) {
        (Some(origin @ TokenTree::Literal(_)), Some(TokenTree::Group(decl))) => {
            crate::decl::fingerprint(&text(&origin), &decl.stream()).to_token_stream()
        }
        _ => 0_u128.to_token_stream(),
    }
}

/// `level!`: `[krate]`, then a declaration.
pub fn level(input: TokenStream, simplifier: &mut Simplifier) -> TokenStream {
    let mut trees = input.into_iter();
    let Some(TokenTree::Group(krate)) = trees.next() else {
        return syn::Error::new(
            proc_macro2::Span::call_site(),
            "internal: expected `[crate] declaration`",
        )
        .to_compile_error();
    };
    static DECLARATIONS: AtomicUsize = AtomicUsize::new(0);
    let told = ["CARGO_PKG_NAME", "CARGO_PKG_VERSION", "CARGO_CRATE_NAME"];
    let origin = Origin {
        home: told.map(|name| std::env::var(name).unwrap_or_default()).join("/"),
        number: DECLARATIONS.fetch_add(1, Ordering::Relaxed),
    };
    match crate::declare::expand(krate.stream(), &origin.text(), trees.collect(), simplifier) {
        Ok(tokens) => tokens,
        Err(e) => e.to_compile_error(),
    }
}
