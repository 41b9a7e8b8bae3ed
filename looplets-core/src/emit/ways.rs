//! A kernel that may run in several ways: a function for each, and one that takes the one that costs least by the sizes and
//! entries of its operands.

use super::item::{generic_arguments, passed, signature};
use crate::ast::Form;
use crate::formats::elements;
use crate::kernel::{Kernel, ParamIs};
use crate::schedule::cost::{Atom, Cost};
use crate::schedule::skew::Skew;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use std::collections::BTreeSet;

/// The name of the function of way `n`, counted from 0.
pub fn name_of(n: usize) -> Ident {
    Ident::new(&format!("__looplets_way{}", n + 1), Span::call_site())
}

/// The function `form`, of which `ways` are the functions of all ways and `costs` what each of them costs, and was chosen in it;
/// `k` is one of them.
pub fn choose(
    k: &Kernel,
    form: &Form,
    ways: &TokenStream,
    costs: &[(Cost, String)],
) -> TokenStream {
    let Form::Function { attrs, vis, name, .. } = form else { return TokenStream::new() };
    let (costs, schedules): (Vec<&Cost>, Vec<&str>) =
        costs.iter().map(|(cost, chosen)| (cost, &chosen[..])).unzip();
    let (krate, signature) = (&k.krate, signature(k));
    let mut asked: BTreeSet<&str> = BTreeSet::new();
    for atom in costs.iter().flat_map(|c| c.atoms()) {
        if let Atom::Len { tensor, .. } | Atom::Stored(tensor) = atom {
            asked.insert(tensor);
        }
    }
    let measured = |tensor: &str| {
        format_ident!("measured_{}", tensor.trim_start_matches("r#"), span = Span::mixed_site())
    };
    // As it is stored.
    let operand = |name: &str| {
        let (name, _, _, is) = passed(k).find(|p| p.0 == name)?;
        Some(match is {
            ParamIs::Tensor(id) if k.tensor(*id).chain.by_columns => {
                quote!(#krate::ByColumns::transposed(&*#name))
            }
            _ => quote!(&*#name),
        })
    };
    let params: Vec<&Ident> = passed(k).map(|(name, ..)| name).collect();
    let looks = asked.iter().filter_map(|tensor| {
        let (_, _, ty, _) = passed(k).find(|p| p.0 == tensor)?;
        let (local, array) = (measured(tensor), elements(ty).is_some());
        let measure = if array { quote!(measure_array) } else { quote!(measure) };
        let operand = operand(tensor);
        Some(quote!(let #local = #krate::rt::#measure(#operand);))
    });
    let mut skews: Vec<&Skew> = costs.iter().flat_map(|c| c.skews()).collect();
    skews.sort();
    skews.dedup();
    let sampled = Ident::new("skews", Span::mixed_site());
    let value = |atom: &Atom| match atom {
        Atom::Len { tensor, dim, .. } => {
            let (local, dim) = (measured(tensor), Literal::usize_unsuffixed(*dim));
            quote!(#local.size(#dim))
        }
        Atom::Stored(tensor) => {
            let local = measured(tensor);
            quote!(#local.entries())
        }
        Atom::Skew(skew) => {
            let n = skews.iter().position(|s| **s == **skew).unwrap_or(0);
            let n = Literal::usize_unsuffixed(n);
            quote!(#sampled[#n])
        }
        Atom::Least(_) | Atom::Group(_) => TokenStream::new(),
    };
    let (generic, title) = (generic_arguments(k), name.to_string());
    let sample = |tensor: &str| {
        format_ident!("entries_{}", tensor.trim_start_matches("r#"), span = Span::mixed_site())
    };
    let samples = skews.iter().map(|skew| {
        let about = tokens(&skew.about, krate, &value);
        let entries = sample(&skew.entries);
        let fibers = skew.fibers.iter().map(|(name, by)| {
            let (fiber, by) = (operand(name), Literal::usize_unsuffixed(*by));
            quote!((#fiber, #by))
        });
        quote!(#krate::rt::skew(&#entries, &[#(#fibers),*], #about))
    });
    let samples: Vec<TokenStream> = samples.collect();
    let from: BTreeSet<&str> = skews.iter().map(|s| &s.entries[..]).collect();
    let entries = from.into_iter().map(|name| {
        let (local, operand) = (sample(name), operand(name));
        quote!(let #local = #krate::rt::entries(samples, #operand);)
    });
    let (count, by_chance) = (Literal::usize_unsuffixed(skews.len()), skews.iter().map(|_| 1.0));
    let all = costs.iter().map(|cost| tokens(cost, krate, &value));
    let costs_now = match skews.is_empty() {
        true => quote!([#(#all),*]),
        // A short call computes its costs once.
        false => quote! {{
            let costs = |#sampled: &[f64; #count]| [#(#all),*];
            let mut now = costs(&[#(#by_chance),*]);
            let samples = #krate::rt::samples(&now);
            if samples > 0 {
                #(#entries)*
                now = costs(&[#(#samples),*]);
            }
            now
        }},
    };
    let calls = (0..costs.len()).map(|n| {
        let (way, n) = (name_of(n), Literal::usize_unsuffixed(n));
        let pattern = if n.to_string() == "0" { quote!(_) } else { quote!(#n) };
        quote!(#pattern => #way #generic (#(#params),*))
    });
    // Any other number is the first.
    let calls: Vec<TokenStream> = calls.collect();
    let calls = calls.iter().rev();
    quote! {
        #(#attrs)*
        #[allow(unused, clippy::all, clippy::pedantic)]
        #vis fn #name #signature {
            #ways
            #(#looks)*
            match #krate::rt::way(#title, &[#(#schedules),*], &#costs_now) {
                #(#calls,)*
            }
        }
    }
}

/// `cost` as a number of type `f64`.
fn tokens(cost: &Cost, krate: &TokenStream, value: &dyn Fn(&Atom) -> TokenStream) -> TokenStream {
    let atom = |atom: &Atom| match atom {
        Atom::Least(all) => {
            let all = all.iter().map(|c| tokens(c, krate, value));
            quote!(#krate::rt::least(&[#(#all),*]))
        }
        Atom::Group(cost) => tokens(cost, krate, value),
        plain => value(plain),
    };
    let terms = cost.terms().map(|(factor, powers)| {
        let factor = Literal::f64_suffixed(factor);
        let powers = powers.map(|(a, power)| {
            let (a, power) = (atom(a), Literal::i32_unsuffixed(power));
            quote!(* #krate::rt::raised(#a, #power))
        });
        quote!(#factor #(#powers)*)
    });
    let terms: Vec<TokenStream> = terms.collect();
    match terms.is_empty() {
        true => quote!(0.0),
        false => quote!((#(#terms)+*)),
    }
}
