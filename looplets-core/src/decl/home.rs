//! Code of a level that kernels call where it was declared.
//!
//! A name may mean something else where a kernel stands, and unchecked indexing rests on what the helpers of a
//! level answer. So kernels compile only what means one thing everywhere: arithmetic, comparisons, elements of
//! the level's arrays, and how many there are. Whatever else there is, methods too, as a trait in scope may have one
//! of any name, becomes a function of the level's own type, which kernels call by that type, after comparing its
//! declaration with theirs.

mod helpers;
mod terms;

use super::*;
use quote::{format_ident, quote, ToTokens};
use std::collections::BTreeMap;
use syn::Result;

/// Stands for the level's type in calls of its own functions.
pub const HOME: &str = "__Home";

/// The functions of a level's own type that kernels call, by their names.
pub type Own = BTreeMap<String, OwnFunction>;

/// A function of a level's own type.
#[derive(Clone, Debug)]
pub struct OwnFunction {
    /// What people are shown in place of a call: the code it was made of, or for a helper its path.
    pub shown: TokenStream,
    /// The names in that code of what it is given; none for a path.
    pub names: Vec<Ident>,
    /// What it gives.
    pub gives: Gives,
}

/// What a function of a level's own type gives, as far as kernels need to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gives {
    /// An `i64` of others.
    Index,
    /// A `usize` of others.
    Place,
    /// A `bool`.
    Condition,
    /// State of a type of the declaration, or, if it is given such state, that state moved.
    State,
}

/// Replaces what kernels call by calls; gives the functions, for the level's `impl`.
pub fn settle(l: &mut LevelDecl, krate: &TokenStream) -> Result<Vec<TokenStream>> {
    if !l.own.is_empty() {
        // It is done.
        return Ok(Vec::new());
    }
    let value = l.leaf.as_ref().map(|leaf| (leaf.fill.clone(), leaf.value.to_token_stream()));
    let mut home = Home {
        arrays: Vec::new(),
        numbers: Vec::new(),
        params: l.params.iter().map(|p| (p.name.to_string(), p.constant.clone())).collect(),
        fill: value.as_ref().map(|(fill, value)| quote!(<#fill as #krate::Fill<#value>>::VALUE)),
        value: value.map(|(_, value)| value),
        krate: krate.clone(),
        bound: Vec::new(),
        states: Vec::new(),
        functions: Vec::new(),
        own: Own::new(),
    };
    for field in &l.fields {
        match &field.kind {
            FieldKind::Array(elem) => home.arrays.push((field.name.clone(), elem.clone())),
            FieldKind::Len | FieldKind::Scalar(_) => home.numbers.push(field.name.clone()),
            FieldKind::Child => {}
        }
    }
    for read in &mut l.reads {
        home.bound.clear();
        home.states.clear();
        home.bind([&read.p].into_iter().chain(&read.end).chain(&read.i));
        home.nest(&mut read.nest)?;
    }
    if let Some(words) = &mut l.words {
        home.bound.clear();
        home.states.clear();
        home.bind([&words.p, &words.w]);
        home.term(&mut words.at, false)?;
    }
    if let Some(write) = &mut l.write {
        home.write(write)?;
    }
    if let Some(write) = &mut l.in_order {
        home.write(write)?;
    }
    if let Some((a, b, code)) = &mut l.swap {
        home.bound = [&*a, &*b].map(|name| (name.clone(), false)).into();
        if !home.means_one_thing(code.clone()) {
            *code = home.whole("swap", code, Numbers::Unsigned, Hold::Slices, &quote!(()));
        }
    }
    l.own = home.own;
    Ok(home.functions.into_iter().map(|f| f.item).collect())
}

/// What numbers are in code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// `i64`, as in `read`.
    Signed,
    /// `usize`, as in `write` and in leaves.
    Unsigned,
}

impl Numbers {
    fn ty(self) -> TokenStream {
        match self {
            Numbers::Signed => quote!(i64),
            Numbers::Unsigned => quote!(usize),
        }
    }
}

/// A function and what tells it from others.
struct Made {
    /// Its parameters, type and body.
    text: String,
    name: Ident,
    item: TokenStream,
}

struct Home {
    arrays: Vec<(Ident, syn::Type)>,
    numbers: Vec<Ident>,
    /// Parameters of the level, with the types of those that are constants.
    params: Vec<(String, Option<TokenStream>)>,
    /// What the fill of a leaf is in code of the declaration.
    fill: Option<TokenStream>,
    /// The type of the values of a leaf.
    value: Option<TokenStream>,
    krate: TokenStream,
    /// Numbers that the code at hand may name besides the fields, and whether it may assign to them.
    bound: Vec<(Ident, bool)>,
    /// State that the code at hand may name, and its type.
    states: Vec<(Ident, syn::Type)>,
    functions: Vec<Made>,
    own: Own,
}

impl Home {
    fn bind<'a>(&mut self, names: impl IntoIterator<Item = &'a Ident>) {
        self.bound.extend(names.into_iter().map(|name| (name.clone(), false)));
    }

    fn array(&self, name: &str) -> Option<&syn::Type> {
        // An argument hides a field.
        let hidden = self.bound.iter().any(|(n, _)| n == name);
        self.arrays.iter().filter(|_| !hidden).find(|(n, _)| n == name).map(|(_, elem)| elem)
    }

    /// The type of the state `name`.
    fn state_type(&self, name: &str) -> Option<&syn::Type> {
        self.states.iter().rev().find(|(n, _)| n == name).map(|(_, ty)| ty)
    }

    fn is_number(&self, name: &str) -> bool {
        self.numbers.iter().chain(self.bound.iter().map(|(n, _)| n)).any(|n| n == name)
    }

    fn is_param(&self, name: &str) -> bool {
        self.params.iter().any(|(n, _)| n == name)
    }

    /// Whether the code of a clause of `write` means the same wherever it stands. Kernels know the lengths of
    /// arrays of which it asks no more.
    fn clause_means_one_thing(&self, code: &TokenStream) -> bool {
        let array = |name: &str| self.array(name).is_some();
        let one = Ident::new("true", Span::call_site());
        let told = |code, asked: Use| with_length(code, &asked.at, &one);
        let asked = uses(code, array).into_iter().filter(|u| u.length);
        self.means_one_thing(asked.fold(code.clone(), told))
    }

    /// Whether `tokens` mean the same wherever they stand: names of fields and arguments, literals, operators,
    /// casts between primitive types, and paths from type parameters and from this library.
    fn means_one_thing(&self, tokens: TokenStream) -> bool {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let punct = |k: usize, c: char| matches!(trees.get(k), Some(TokenTree::Punct(p)) if p.as_char() == c);
        let mut k = 0;
        while let Some(tree) = trees.get(k) {
            match tree {
                TokenTree::Group(g) if !self.means_one_thing(g.stream()) => return false,
                TokenTree::Ident(i) => {
                    let text = i.to_string();
                    let path = punct(k + 1, ':') && punct(k + 2, ':');
                    let cast = k > 0 && matches!(&trees[k - 1], TokenTree::Ident(a) if a == "as");
                    if path && (text == super::CRATE || self.is_param(&text)) {
                        // As far as the path goes.
                        while punct(k + 1, ':')
                            && punct(k + 2, ':')
                            && matches!(trees.get(k + 3), Some(TokenTree::Ident(_)))
                        {
                            k += 3;
                        }
                        k += 1;
                        continue;
                    }
                    let elsewhere = path || punct(k + 1, '!') && !punct(k + 2, '=');
                    let method = k > 0 && punct(k - 1, '.') && !(k > 1 && punct(k - 2, '.'));
                    let elsewhere = elsewhere || method;
                    let known =
                        matches!(text.as_str(), "as" | "if" | "else" | "true" | "false" | "mut")
                            || cast && is_number_type(&text)
                            || self.is_param(&text)
                            || !cast && (self.array(&text).is_some() || self.is_number(&text))
                            || text == "blank"
                            || text == "fill" && self.fill.is_some();
                    if elsewhere || !known {
                        return false;
                    }
                }
                _ => {}
            }
            k += 1;
        }
        true
    }

    /// The names in `code` that are fields or numbers.
    fn used(&self, code: &TokenStream) -> Vec<Ident> {
        let known = |name: &str| {
            self.array(name).is_some() || self.is_number(name) || self.state_type(name).is_some()
        };
        uses(code, known).into_iter().map(|u| u.at).collect()
    }

    /// Adds a function, unless there is the same; gives the path by which kernels call it.
    fn function(
        &mut self,
        hint: &str,
        params: &[TokenStream],
        gives: &TokenStream,
        body: &TokenStream,
        shown: TokenStream,
    ) -> TokenStream {
        let home = format_ident!("{HOME}");
        let text = quote!((#(#params),*) -> #gives { #body }).to_string();
        if let Some(same) = self.functions.iter().find(|f| f.text == text) {
            let name = &same.name;
            return quote!(#home::#name);
        }
        let name = format_ident!("__{hint}_{}", self.functions.len());
        let krate = (Ident::new(super::CRATE, Span::call_site()), self.krate.clone());
        let fill = self.fill.clone().map(|fill| (format_ident!("fill"), fill));
        let map: Vec<_> = fill.into_iter().chain([krate.clone()]).collect();
        let body = substitute(body.clone(), &map);
        let typed = |tokens: &TokenStream| substitute(tokens.clone(), std::slice::from_ref(&krate));
        let params = params.iter().map(typed);
        let gives = typed(gives);
        let item = quote! {
            #[doc(hidden)]
            #[inline(always)]
            pub fn #name(#(#params),*) -> #gives { #body }
        };
        let gives = match gives.to_string().as_str() {
            "bool" => Gives::Condition,
            "usize" => Gives::Place,
            _ if hint == "state" => Gives::State,
            _ => Gives::Index,
        };
        self.own.insert(name.to_string(), OwnFunction { shown, names: Vec::new(), gives });
        self.functions.push(Made { text, name: name.clone(), item });
        quote!(#home::#name)
    }

    /// Notes what the last function is given, by the names that its code has for it.
    fn name(&mut self, path: &TokenStream, names: Vec<Ident>) {
        let last = path.clone().into_iter().last().map(|name| name.to_string());
        if let Some(own) = last.and_then(|name| self.own.get_mut(&name)) {
            own.names = names;
        }
    }

    /// A call of a function with `code`, of the names in it.
    fn whole(
        &mut self,
        hint: &str,
        code: &TokenStream,
        numbers: Numbers,
        hold: Hold,
        gives: &TokenStream,
    ) -> TokenStream {
        let number = numbers.ty();
        let (mut params, mut args) = (Vec::new(), Vec::new());
        let mut body = code.clone();
        for name in &self.used(code) {
            if let Some(ty) = self.state_type(&name.to_string()) {
                params.push(quote!(#name: &#ty));
                args.push(quote!(#name));
                continue;
            }
            let Some(elem) = self.array(&name.to_string()) else {
                params.push(quote!(#name: #number));
                args.push(quote!(#name));
                continue;
            };
            // Where arrays grow, their lengths may be known though they are not.
            let written = numbers == Numbers::Unsigned;
            let asked = uses(&body, |n| name == n).pop().is_some_and(|u| u.length);
            if written && asked {
                let len = length(name);
                body = with_length(body, name, &len);
                params.push(quote!(#len: usize));
                args.push(quote!(#name.len()));
                continue;
            }
            args.push(quote!(#name));
            params.push(match hold {
                Hold::Shared => quote!(#name: &[#elem]),
                Hold::Slices => quote!(#name: &mut [#elem]),
                Hold::Vecs => quote!(#name: &mut ::std::vec::Vec<#elem>),
            });
        }
        // With the author's hygiene.
        if let Some(blank) = named(code, "blank") {
            params.push(quote!(mut #blank: impl FnMut(usize)));
            args.push(quote!(#blank));
        }
        if gives.to_string() == "()" {
            body = quote!(#body;);
        }
        let own = ["min", "max"].map(|name| format_ident!("{name}"));
        for name in own.iter().filter(|name| super::mentions(code, name)) {
            body = quote!(#[allow(unused_imports)] use ::core::cmp::#name; #body);
        }
        let path = self.function(hint, &params, gives, &body, code.clone());
        self.name(&path, self.used(code));
        quote!(#path(#(#args),*))
    }

    fn write(&mut self, w: &mut Write) -> Result<()> {
        let holds: BTreeMap<&str, (Clause, Hold)> = [
            ("open", Clause::Open),
            ("entry", Clause::Entry),
            ("extend", Clause::Extend),
            ("thaw", Clause::Thaw),
            ("clear", Clause::Clear),
            ("commit", Clause::Commit),
            ("note", Clause::Note),
            ("words", Clause::Words),
            ("sort", Clause::Sort),
            ("finish", Clause::Finish),
            ("reserve", Clause::Reserve),
            ("children", Clause::Children),
            ("child", Clause::Child),
            ("start", Clause::Start),
            ("link", Clause::Link),
        ]
        .map(|(name, clause)| (name, (clause, w.hold(clause))))
        .into();
        let clause = |home: &mut Home, name: &str, code: &mut TokenStream| {
            let (clause, hold) = holds[name];
            if !home.clause_means_one_thing(code) {
                *code = home.whole(name, code, Numbers::Unsigned, hold, &clause.gives());
            }
        };
        let entry: Vec<Ident> = [&w.p].into_iter().chain(&w.i).cloned().collect();
        let plain: [(&str, &mut Option<TokenStream>, &str); 6] = [
            ("open", &mut w.open, ""),
            ("entry", &mut w.entry, ""),
            ("extend", &mut w.extend, "first"),
            ("thaw", &mut w.thaw, ""),
            ("clear", &mut w.clear, ""),
            ("commit", &mut w.commit, "below"),
        ];
        for (name, code, more) in plain {
            let Some(code) = code else { continue };
            self.bound.clear();
            // A fiber is opened before it has coordinates, and the whole level is reopened and cleared.
            match name {
                "open" => self.bind([&w.p]),
                "thaw" | "clear" => {}
                _ => self.bind(&entry),
            }
            self.bind(named(code, more).as_ref());
            clause(self, name, code);
        }
        if let Some((q, code)) = &mut w.note {
            self.bound.clear();
            self.bind(entry.iter().chain([&*q]));
            clause(self, "note", code);
        }
        if let Some((word, code)) = &mut w.words {
            self.bound.clear();
            self.bind([&w.p, &*word]);
            clause(self, "words", code);
        }
        let counted: [(&str, &mut Option<(Ident, TokenStream)>); 4] = [
            ("sort", &mut w.sort),
            ("finish", &mut w.finish),
            ("reserve", &mut w.reserve),
            ("children", &mut w.children),
        ];
        for (name, code) in counted {
            let Some((fibers, code)) = code else { continue };
            self.bound = vec![(fibers.clone(), false)];
            clause(self, name, code);
        }
        if let Some(Link { start, code: (fibers, code), .. }) = &mut w.link {
            self.bound.clear();
            clause(self, "start", start);
            self.bound = vec![(fibers.clone(), false)];
            clause(self, "link", code);
        }
        for (array, e) in &mut w.each {
            let code = e.to_token_stream();
            self.bound.clear();
            self.bind(&entry);
            // A run has a first coordinate beside the last one.
            self.bind(named(&code, "first").filter(|_| w.runs).as_ref());
            let elem = self.array(&array.to_string()).map(ToTokens::to_token_stream);
            if let Some(elem) = elem.filter(|_| !self.means_one_thing(code.clone())) {
                let call = self.whole("element", &code, Numbers::Unsigned, Hold::Shared, &elem);
                *e = syn::parse2(call)?;
            }
        }
        self.bound.clear();
        self.bind(&entry);
        if let Some(find) = &mut w.find {
            self.term(find, false)?;
        }
        match &mut w.child {
            Some(child) if w.order == Order::Locate => self.place(child)?,
            Some(child) => {
                let mut code = child.to_token_stream();
                clause(self, "child", &mut code);
                *child = syn::parse2(code)?;
            }
            None => {}
        }
        match &mut w.place {
            Some(syn::Expr::Index(x)) => self.place(&mut x.index),
            _ => Ok(()),
        }
    }
}

/// Whether casts to it mean the same everywhere.
fn is_number_type(name: &str) -> bool {
    matches!(
        name,
        "usize"
            | "isize"
            | "i64"
            | "u64"
            | "i32"
            | "u32"
            | "i16"
            | "u16"
            | "i8"
            | "u8"
            | "f32"
            | "f64"
    )
}

fn length(array: &Ident) -> Ident {
    format_ident!("__{array}_len", span = Span::mixed_site())
}
