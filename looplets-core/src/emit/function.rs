//! The frame of a kernel: taking tensors apart, checking sizes, creating and returning outputs.

use super::{Emit, Reader};
use crate::ast::{Form, Passing};
use crate::cin::*;
use crate::kernel::*;
use crate::kir::Kir;
use crate::runtime::Runtime;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use std::collections::BTreeMap;

impl Kernel {
    /// `call`, a `Result<T, Error>`, as a `T`: returned early by a fallible kernel, else a panic.
    pub fn failing(&self, call: TokenStream) -> TokenStream {
        let krate = &self.krate;
        match &self.form {
            Form::Function { fallible: Some(_), .. } => quote! {
                match #call {
                    ::core::result::Result::Ok(value) => value,
                    ::core::result::Result::Err(error) => {
                        return ::core::result::Result::Err(::core::convert::From::from(error))
                    }
                }
            },
            _ => quote!(#krate::rt::expect(#call)),
        }
    }

    /// What messages call a dimension: a workspace is as large as the tensor that is written to it, and may be the compiler's.
    fn sized(&self, (t, dim): (TensorId, usize)) -> (String, usize) {
        let tensor = self.tensor(t);
        let from = match (tensor.role, tensor.sizes.get(dim)) {
            (Role::Workspace, Some(Expr::Var(len))) => self.tensors.iter().find_map(|other| {
                let dim = other.lens.iter().position(|l| l == len)?;
                (other.role != Role::Workspace).then(|| (other.name.to_string(), dim))
            }),
            _ => None,
        };
        from.unwrap_or_else(|| tensor.called(dim))
    }

    /// The code of size checks that compare with the same size.
    fn check_all(&mut self, checks: &[Check]) -> Vec<Kir> {
        let (mut names, mut found, mut expected) = (Vec::new(), Vec::new(), None);
        for (n, check) in checks.iter().enumerate() {
            let Check::Equal { index, from: (a, da), with: (b, db), sizes, .. } = check else {
                continue;
            };
            let [as_expected, size] = sizes.clone().map(|e| Expr::call(Op::Index, [e]));
            let ((name, dim), label) = (self.sized((*b, *db)), format_ident!("found{n}"));
            found.push(quote!((#name, #dim, #label)));
            names.push((label, size));
            let ((name, dim), called) = (self.sized((*a, *da)), self.called(*index));
            if expected.is_none() {
                names.push((format_ident!("expected"), as_expected));
                expected = Some(quote!(#called, (#name, #dim, expected)));
            }
        }
        let krate = &self.krate;
        let call = quote!(#krate::rt::same_sizes(&[#(#found),*], #expected));
        let tokens = self.failing(call);
        match self.raw(quote!(#tokens;), names, Ty::Unknown) {
            Expr::Raw(r) => vec![Kir::Code(r)],
            _ => Vec::new(),
        }
    }

    /// The code of a size check.
    pub fn check_code(&mut self, check: &Check) -> Vec<Kir> {
        let krate = self.krate.clone();
        let describe = |k: &Kernel, of: (TensorId, usize)| k.sized(of);
        let called = match check {
            Check::Equal { index, .. }
            | Check::Within { index, .. }
            | Check::Reach { index, .. } => self.called(*index),
            Check::Holds { operator, .. } => operator.clone(),
        };
        let (call, names) = match check {
            Check::Equal { from, with, sizes, .. } => {
                let ((a, da), (b, db)) = (describe(self, *from), describe(self, *with));
                let [expected, found] = sizes.clone();
                (
                    quote!(#krate::rt::same_size((#b, #db, found), #called, (#a, #da, expected))),
                    vec![(format_ident!("found"), found), (format_ident!("expected"), expected)],
                )
            }
            Check::Within { of, size, lo, hi, run, .. } => {
                let (t, dim) = describe(self, *of);
                let [from, to] = run.clone().unwrap_or([Expr::int(0), Expr::int(1)]);
                (
                    quote!(#krate::rt::within((#t, #dim, size), #called, from..to, lo..hi)),
                    vec![
                        (format_ident!("size"), size.clone()),
                        (format_ident!("lo"), lo.clone()),
                        (format_ident!("hi"), hi.clone()),
                        (format_ident!("from"), from),
                        (format_ident!("to"), to),
                    ],
                )
            }
            Check::Reach { lo, hi, .. } => (
                quote!(#krate::rt::reach(#called, hi, lo, hi)),
                vec![(format_ident!("lo"), lo.clone()), (format_ident!("hi"), hi.clone())],
            ),
            Check::Holds { cond, text, values, .. } => {
                let labels: Vec<Ident> =
                    (0..values.len()).map(|n| format_ident!("size{n}")).collect();
                let call = quote!(#krate::rt::holds(holds, #called, #text, &[#(#labels),*]));
                let mut names: Vec<(Ident, Expr)> =
                    labels.into_iter().zip(values.iter().cloned()).collect();
                names.push((format_ident!("holds"), cond.clone()));
                (call, names)
            }
        };
        let tokens = self.failing(call);
        let value = |(n, e): (Ident, Expr)| match self.type_of(&e) {
            Some(Ty::Bool) => (n, e),
            _ => (n, Expr::call(Op::Index, [e])),
        };
        let names = names.into_iter().map(value).collect();
        match self.raw(quote!(#tokens;), names, Ty::Unknown) {
            Expr::Raw(r) => vec![Kir::Code(r)],
            _ => Vec::new(),
        }
    }
}

/// Whether two checks compare sizes with the same one, for the same index.
fn alike(a: &Check, b: &Check) -> bool {
    match (a, b) {
        (
            Check::Equal { index: i, from: a, sizes: [s, _], .. },
            Check::Equal { index: j, from: b, sizes: [t, _], .. },
        ) => (i, a, s) == (j, b, t),
        _ => false,
    }
}

/// The body of the kernel with what stands before and after it.
pub(super) fn whole(k: &mut Kernel, body: &[Kir]) -> Vec<Kir> {
    let mut code = definitions(k);
    for checks in k.checks.clone().chunk_by(alike) {
        match checks {
            [one] => code.extend(k.check_code(one)),
            several => code.extend(k.check_all(several)),
        }
    }
    let outputs = k.outputs.clone();
    let mut last = Vec::new();
    for id in &outputs {
        code.extend(k.create_code(*id));
        let joined = k.shares.values().flatten().any(|s| matches!(s, Share::Made(t) if t == id));
        if !joined {
            let (before, after) = super::room::room(k, *id);
            code.extend(before);
            // The output keeps the capacity of the old memory that it was given.
            last.extend(after.into_iter().filter(|_| !k.reused.contains(id)));
        }
    }
    let restructured: Vec<TensorId> =
        (0..k.tensors.len() as u32).map(TensorId).filter(|t| k.restructured(*t)).collect();
    for id in &restructured {
        code.push(Kir::Take(*id));
        if !k.in_place.contains(id) {
            code.extend(crate::unfurl::thaw(k, *id));
        }
    }
    let mut inner = Vec::new();
    for id in outputs.iter().chain(&restructured) {
        // An output that is joined from the parts of chunks gets the arrays of the join.
        let mut shares = k.shares.values().flatten();
        let made = shares.any(|s| matches!(s, Share::Made(t) if t == id));
        let grows = k.growing(*id) && !k.in_place.contains(id);
        if grows || made {
            continue;
        }
        inner.extend(k.borrow_code(*id));
    }
    inner.extend(body.iter().cloned());
    code.push(Kir::Block(inner));
    // Arrays are borrowed within the block, and are whole again behind it.
    let names = k.in_place.iter().map(|id| format!("`{}`", k.tensor(*id).name));
    let names: Vec<String> = names.collect();
    if !names.is_empty() {
        code.push(Kir::Comment(format!("the arrays of {} are put back", names.join(" and "))));
    }
    for id in outputs.iter().chain(&restructured) {
        if !k.in_place.contains(id) {
            code.extend(k.finish_code(*id));
        }
    }
    code.extend(last);
    code
}

/// Extents, shifts and sizes that are fixed before any loop, each after those it is made of.
fn definitions(k: &mut Kernel) -> Vec<Kir> {
    let mut open = k.prelude.clone();
    for t in 0..k.tensors.len() {
        let tensor = k.tensors[t].clone();
        for (len, size) in tensor.lens.iter().zip(&tensor.sizes) {
            if k.fixed(size) {
                let size = Expr::call(Op::Index, [size.clone()]);
                open.push((*len, k.call(Runtime::Size, vec![size], Ty::Index)));
            }
        }
    }
    let mut code = Vec::new();
    while !open.is_empty() {
        let defined: Vec<VarId> = open.iter().map(|(v, _)| *v).collect();
        let ready = |e: &Expr| !k.depends(e).iter().any(|v| defined.contains(v));
        // A cycle would be a size that depends on itself, which `resolve` never makes.
        let next = open.iter().position(|(_, e)| ready(e)).unwrap_or(0);
        let (var, value) = open.remove(next);
        // What came from the user's variables is cut to the range of coordinates once more, as a
        // sum: no term of it then overflows with an index added.
        let own = matches!(k.type_of(&value), None | Some(Ty::Index));
        let value = if own {
            value
        } else {
            k.call(Runtime::Index, vec![Expr::call(Op::Index, [value])], Ty::Index)
        };
        code.push(Kir::Let { var, mutable: false, value });
    }
    code
}

/// The statements of the kernel, and the value that it ends with.
pub(super) fn body(emit: &Emit<'_>, code: &[Kir]) -> (TokenStream, TokenStream) {
    let (k, reader) = (emit.kernel, emit.reader);
    let mut body = TokenStream::new();
    if reader == Reader::Rustc {
        // Code of declarations calls methods of the trait `Index`, as `Ix::from_i64`.
        let krate = &k.krate;
        body.extend(quote!(#[allow(unused_imports)] use #krate::Index as _;));
        body.extend(k.same.iter().cloned());
        if !emit.wide {
            body.extend(k.warnings.iter().map(warning));
        }
    }
    let alike = emit.alike();
    for (name, passing, ty, is) in &k.params {
        let first = alike.values().all(|tensors| match is {
            ParamIs::Tensor(id) => tensors[0] == *id || !tensors.contains(id),
            _ => true,
        });
        body.extend(emit.enter(name, *passing, (ty, first), *is));
    }
    for tensors in alike.values().filter(|tensors| tensors.len() > 1) {
        let (krate, all) = (&k.krate, tensors.iter().map(|id| tensor_of(&k.tensor(*id).name)));
        body.extend(quote!(#krate::rt::alike(&[#(#all),*]);));
    }
    for id in &k.reused {
        body.extend(emit.reuse(*id));
    }
    let mut after = TokenStream::new();
    for (name, passing, _, is) in k.params.iter().filter(|_| reader == Reader::Rustc) {
        if let (ParamIs::Scalar(v), Passing::Mutable) = (is, passing) {
            let local = emit.ident(*v);
            after.extend(match k.form {
                Form::Function { .. } => quote!(*#name = #local;),
                Form::Inline => quote!(#name = #local;),
            });
        }
    }
    for (name, _, _, is) in &k.params {
        if let ParamIs::Tensor(id) = is {
            if k.restructured(*id) {
                after.extend(emit.put_back(name, *id));
            }
        }
    }
    for removal in &k.removals {
        let (krate, gone, tensor) = (&k.krate, emit.construct(removal.gone), &removal.name);
        let tensor = match k.form {
            Form::Function { .. } => quote!(#tensor),
            Form::Inline => quote!(&mut #tensor),
        };
        let tensor = match k.tensor(removal.stored).chain.by_columns {
            true => {
                quote_spanned!(removal.span=> #krate::ByColumns::transposed_mut(#tensor))
            }
            false => tensor,
        };
        // A format whose entries do not go is reported at the word.
        let call = quote_spanned!(removal.span=> #krate::rt::remove(#tensor, &#gone));
        let call = k.failing(call);
        after.extend(quote!(#call;));
    }
    let results: Vec<TokenStream> = k
        .results
        .iter()
        .map(|result| match result {
            ResultIs::Tensor(id) => emit.result(*id),
            ResultIs::Scalar(v, _) => emit.ident(*v).to_token_stream(),
        })
        .collect();
    let unit = matches!(&k.form, Form::Function { fallible: Some(_), .. });
    let result = match results.as_slice() {
        [] if unit => quote!(()),
        [] => TokenStream::new(),
        [one] => one.clone(),
        many => quote!((#(#many),*)),
    };
    body.extend(emit.in_pieces(code, &quote!(#after #result)));
    body.extend(after);
    (body, result)
}

/// Has rustc warn at a token of the program: of the use of something deprecated, which is how a stable proc macro can.
fn warning(warning: &Warning) -> TokenStream {
    let (name, note) = (warning.name, &warning.note);
    let declared = Ident::new(name, Span::mixed_site());
    let used = Ident::new(name, warning.span.resolved_at(Span::mixed_site()));
    quote!({
        #[deprecated(note = #note)]
        #[allow(non_upper_case_globals)]
        const #declared: () = ();
        #used
    })
}

impl Emit<'_> {
    /// The inputs of types of one text, which rustc is to find the same: the declarations of the first are then
    /// those of all.
    fn alike(&self) -> BTreeMap<String, Vec<TensorId>> {
        let mut alike: BTreeMap<String, Vec<TensorId>> = BTreeMap::new();
        let rustc = self.reader == Reader::Rustc;
        for (_, passing, ty, is) in self.kernel.params.iter().filter(|_| rustc) {
            match (is, passing) {
                (ParamIs::Tensor(id), Passing::Shared) if !self.kernel.tensor(*id).is_array() => {
                    alike.entry(ty.to_token_stream().to_string()).or_default().push(*id);
                }
                _ => {}
            }
        }
        alike
    }

    /// What a parameter is inside the kernel: locals for scalars, slices for tensors.
    fn enter(
        &self,
        name: &Ident,
        passing: Passing,
        (ty, first): (&syn::Type, bool),
        is: ParamIs,
    ) -> TokenStream {
        match is {
            ParamIs::Memory => TokenStream::new(),
            ParamIs::Scalar(_) if self.reader == Reader::Person => match passing {
                Passing::Mutable => {
                    let text = format!("`{name}` is held in a local");
                    quote!(remark!(#text);)
                }
                _ => TokenStream::new(),
            },
            ParamIs::Scalar(v) => {
                let local = self.ident(v);
                match (passing, &self.kernel.form) {
                    (Passing::Made, _) => {
                        quote!(let mut #local: #ty = ::core::default::Default::default();)
                    }
                    (Passing::Mutable, Form::Function { .. }) => {
                        quote!(let mut #local: #ty = ::core::clone::Clone::clone(&*#name);)
                    }
                    (Passing::Mutable, Form::Inline) => quote!(let mut #local: #ty = #name;),
                    (_, Form::Inline) => quote!(let _: &#ty = &#name;),
                    _ => TokenStream::new(),
                }
            }
            ParamIs::Tensor(id) if self.reader == Reader::Person => {
                let fields = self.kernel.tensor(id).levels.iter().flat_map(|l| &l.fields);
                let names: Vec<String> = fields
                    .filter_map(|(_, b)| match b {
                        Binding::Scalar(v) => Some(self.kernel.info(*v).name.clone()),
                        Binding::Array(a) => Some(self.kernel.arrays[a.0 as usize].name.clone()),
                        Binding::Child => None,
                    })
                    .collect();
                let text = format!("`{name}` is made of {}", names.join(", "));
                quote!(remark!(#text);)
            }
            ParamIs::Tensor(id) if self.kernel.tensor(id).is_array() => {
                self.enter_array(name, passing, ty, id)
            }
            ParamIs::Tensor(id) => {
                let whole = tensor_of(name);
                let by_columns = self.kernel.tensor(id).chain.by_columns;
                let bind = match (passing, &self.kernel.form) {
                    (Passing::Mutable, Form::Inline) => {
                        quote_spanned!(name.span()=> let #whole: &mut #ty = &mut #name;)
                    }
                    (Passing::Mutable, _) => quote!(let #whole: &mut #ty = #name;),
                    (_, Form::Inline) => quote_spanned!(name.span()=> let #whole: &#ty = &#name;),
                    (Passing::Thinned, _) => quote!(let #whole: &#ty = &*#name;),
                    // The parameter itself has this type.
                    _ if !by_columns => TokenStream::new(),
                    _ => quote!(let #whole: &#ty = #name;),
                };
                let krate = &self.kernel.krate;
                let stored = by_columns.then(|| match passing {
                    Passing::Mutable => quote!(#krate::ByColumns::transposed_mut(#whole)),
                    _ => quote!(#krate::ByColumns::transposed(#whole)),
                });
                let bind = match stored {
                    Some(stored) => quote!(#bind let #whole = #stored;),
                    None => bind,
                };
                let own = if bind.is_empty() { name } else { &whole };
                let parts = match self.kernel.restructured(id) {
                    true => self.sizes_of(id, &whole),
                    false => self.unpack(id, (&whole, first), own, passing == Passing::Mutable),
                };
                quote!(#bind #parts)
            }
        }
    }

    fn unpack(
        &self,
        id: TensorId,
        (whole, first): (&Ident, bool),
        own: &Ident,
        mutable: bool,
    ) -> TokenStream {
        let (krate, tensor) = (&self.kernel.krate, self.kernel.tensor(id));
        let mut out = TokenStream::new();
        let (reader, at) = (self.reader, tensor.name.span().resolved_at(Span::mixed_site()));
        // Named in full, so that a type of the same name elsewhere is not taken for it.
        let whole_again = (reader == Reader::Rustc).then(|| match mutable {
            true => quote!(let #whole: &mut #krate::Tensor<_> = #own;),
            false => quote!(let #whole: &#krate::Tensor<_> = #own;),
        });
        out.extend(quote!(#whole_again));
        // Of a shared reference, a method that takes one is found before those of traits.
        let mut parent = match mutable {
            true => quote_spanned!(at=> #krate::Tensor::root(&*#whole)),
            false => quote_spanned!(at=> #whole.root()),
        };
        let last = tensor.levels.len() - 1;
        for (depth, level) in tensor.levels.iter().enumerate() {
            if mutable && depth == last {
                if reader == Reader::Rustc {
                    out.extend(self.declared(level, at, &parent));
                }
                continue;
            }
            let mut names = Vec::new();
            let mut dims = TokenStream::new();
            let mut child = None;
            for (_, binding) in &level.fields {
                let ident = match binding {
                    Binding::Scalar(v) => {
                        let ident = self.ident(*v);
                        dims.extend(quote!(let #ident: i64 = #krate::rt::dim(#ident);));
                        ident
                    }
                    Binding::Array(a) => self.array(*a),
                    Binding::Child => {
                        let ident = Ident::new(
                            &format!("{}{depth}_child", plain(&tensor.name.to_string())),
                            Span::mixed_site(),
                        );
                        child = Some(ident.clone());
                        ident
                    }
                };
                names.push(ident);
            }
            let known =
                (reader == Reader::Rustc && first).then(|| self.declared(level, at, &parent));
            out.extend(quote!(#known let (#(#names,)*) = #parent.__fields(); #dims));
            if let Some(child) = child {
                parent = quote!(#child);
            }
        }
        if mutable {
            let values = tensor.levels[last].fields.iter().find_map(|(_, b)| match b {
                Binding::Array(a) => Some(self.array(*a)),
                _ => None,
            });
            if let Some(values) = values {
                out.extend(quote! {
                    let #values = #krate::Tensor::values_mut(&mut *#whole).unwrap_or(&mut []);
                });
            }
        }
        out
    }
}

/// A parameter as a tensor, in whatever crate its name is used.
fn tensor_of(name: &Ident) -> Ident {
    Ident::new(&format!("{}_tensor", plain(&name.to_string())), Span::mixed_site())
}
