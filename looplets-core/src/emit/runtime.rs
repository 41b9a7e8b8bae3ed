//! Calls of the run-time library, and statements on whole arrays.

use super::{Emit, Reader};
use crate::kernel::{plain, Raw, Role};
use crate::runtime::Runtime;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

impl Emit<'_> {
    /// The tokens of `runtime`, with the names of the arguments of `raw` in them.
    pub(super) fn runtime(&self, runtime: &Runtime, raw: &Raw) -> TokenStream {
        let kernel = self.kernel;
        let krate = &kernel.krate;
        let args: Vec<&Ident> = raw.names.iter().map(|(name, _)| name).collect();
        match (runtime, &args[..]) {
            (Runtime::Index, [number]) => quote!(#krate::rt::index(#number)),
            (Runtime::Size, [number]) => quote!(#krate::rt::size(#number)),
            (Runtime::CheckIndex { tensor, dim }, [index, lo, hi]) => {
                let (name, dim) = kernel.tensor(*tensor).called(*dim);
                let index = quote!(#krate::rt::index(#index));
                kernel.failing(quote!(#krate::rt::check_index(#index, #lo, #hi, #name, #dim)))
            }
            (Runtime::Reach { index }, [bound, lo, hi]) => {
                let called = kernel.called(*index);
                kernel.failing(quote!(#krate::rt::reach(#called, #bound, #lo, #hi)))
            }
            (Runtime::Product, [a, b]) => quote!(#krate::rt::product(#a, #b)),
            (Runtime::Sum, terms) => quote!(#krate::rt::sum([#(#terms),*])),
            (Runtime::Total, [lo, hi, each, terms @ ..]) => {
                quote!(#krate::rt::total(#lo..#hi, |#each| [#(#terms),*]))
            }
            (Runtime::Together, lanes) => {
                quote!([#(#lanes),*] = #krate::rt::together([#(#lanes),*]);)
            }
            (Runtime::InOrder, []) => quote!(#krate::rt::in_order();),
            (Runtime::Declare, [array]) => {
                let elem = self.element_type(raw);
                quote!(let mut #array: ::std::vec::Vec<#elem> = ::std::vec::Vec::new();)
            }
            (Runtime::OnStack { of, count }, [array]) => {
                let (elem, chain) = (self.element_type(raw), &kernel.tensor(*of).chain);
                let (marker, value) = (&chain.fill_type, &chain.value);
                let fill = quote!(<#marker as #krate::Fill<#value>>::VALUE);
                let count = Literal::usize_unsuffixed(*count);
                quote!(let mut #array: [#elem; #count] = [const { #fill }; #count];)
            }
            (Runtime::Slice { reborrowed }, [array]) => {
                let reborrowed = reborrowed.then(|| quote!(mut));
                quote!(let #reborrowed #array = &mut #array[..];)
            }
            (Runtime::PanelRoom { width }, [array, wanted, rows]) => {
                quote!(#krate::rt::panel_room::<_, #width>(&mut #array, #wanted, #rows))
            }
            (Runtime::Panel { width }, [panel, array, of, copied, first, step, rows]) => {
                let args = quote!(&mut #array, &#of[..], #copied, #first, #step, #rows);
                quote!(let #panel = #krate::rt::panel::<_, #width>(#args);)
            }
            (Runtime::Length, [array]) => self.length(array),
            (Runtime::Clear, [array]) => match self.reader {
                Reader::Person => quote!(#array.clear();),
                Reader::Rustc => quote!(::std::vec::Vec::clear(&mut #array);),
            },
            (Runtime::Truncate, [array, sizes @ ..]) => {
                let len = quote!(#krate::rt::elements(&[#(#sizes),*]));
                match self.reader {
                    Reader::Person => quote!(#array.truncate(#len);),
                    Reader::Rustc => quote!(::std::vec::Vec::truncate(&mut #array, #len);),
                }
            }
            (Runtime::Elements { of: (tensor, level) }, sizes) => match self.reader {
                Reader::Person => {
                    let mut sizes = sizes.iter().map(|size| quote!(#size));
                    let first = sizes.next().unwrap_or_else(|| quote!(1));
                    sizes.fold(first, |product, size| quote!(#product * #size))
                }
                Reader::Rustc => {
                    let name =
                        kernel.tensor(*tensor).levels[*level].format.level().name.to_string();
                    kernel.failing(quote!(#krate::rt::all_elements(#name, &[#(#sizes),*])))
                }
            },
            (Runtime::Follows { of }, [first, follow, sizes @ ..]) => {
                let sizes: Vec<Ident> = sizes.iter().map(|&size| size.clone()).collect();
                kernel.stored(*of, &quote!(#krate::rt::after(#first, #follow)), &sizes)
            }
            (Runtime::Fits { of: (tensor, level), argument }, [size]) => {
                let format = &kernel.tensor(*tensor).levels[*level].format;
                let (name, ix) = (format.level().name.to_string(), &format.args[*argument].1);
                let failing = kernel.failing(quote!(#krate::rt::fits::<#ix>(#name, #size)));
                quote!(#failing;)
            }
            (Runtime::Entries { of }, []) => {
                let name = format!("{}_tensor", plain(&kernel.tensor(*of).name.to_string()));
                let whole = Ident::new(&name, Span::mixed_site());
                match kernel.tensor(*of).role {
                    _ if kernel.tensor(*of).is_array() => {
                        let len = self.ident(kernel.tensor(*of).lens[0]);
                        quote!((#len as usize))
                    }
                    // Of a shared reference, a method that takes one is found before those of traits.
                    Role::Input => quote!(#whole.entries()),
                    _ => quote!(#krate::Tensor::entries(&*#whole)),
                }
            }
            (Runtime::Room, [array, len]) => quote!(#krate::rt::room(&mut #array, #len);),
            (Runtime::Fit, [array]) => quote!(#krate::rt::fit(&mut #array);),
            (Runtime::Word, [array, at]) => match (self.reader, self.trusts(raw)) {
                (Reader::Person, _) => quote!(#array[#at]),
                // SAFETY: only words of trusted levels are read so, whose checked invariant covers the index.
                (_, true) => quote!((unsafe { #krate::rt::get::<u64>(&*#array, #at) })),
                (_, false) => quote!(#krate::rt::get_checked::<u64>(&*#array, #at)),
            },
            (Runtime::SetBits, [array, at, bits]) => {
                let word = self.word(raw, array, at);
                quote!(#word |= #bits;)
            }
            (Runtime::StoreBits, [array, at, bits]) => {
                let word = self.word(raw, array, at);
                quote!(#word = #bits;)
            }
            (Runtime::FillBits, [array, start, lo, hi]) => {
                quote!(#krate::rt::fill_bits(&mut #array[..], #start, #lo, #hi);)
            }
            (Runtime::Funnel, [low, high, by]) => quote!(#krate::rt::funnel(#low, #high, #by)),
            (Runtime::BitsWithin, [lo, hi, word]) => {
                quote!(#krate::rt::bits_within(#lo, #hi, #word))
            }
            (Runtime::NoFlags, []) => quote!(#krate::rt::NO_FLAGS),
            (Runtime::SetFlag, [flags, k, condition]) => {
                quote!(#krate::rt::set_flag(&mut #flags, #k, #condition);)
            }
            (Runtime::Packed, [flags]) => quote!(#krate::rt::packed(&#flags)),
            (Runtime::CountOnes, [word]) => quote!(#krate::rt::count_ones(#word)),
            (Runtime::Irregular, [rows, lo, hi]) => {
                quote!(#krate::rt::irregular(&#rows[..], #lo, #hi))
            }
            (Runtime::AlikeFour, [a, q, b, r]) => match self.reader {
                Reader::Person => quote!((#a[#q..][..4] == #b[#r..][..4])),
                // SAFETY: only levels that are trusted for their positions are read so, and both have four more entries.
                Reader::Rustc => quote!((unsafe { #krate::rt::alike_four(&*#a, #q, &*#b, #r) })),
            },
            (Runtime::Masked, [value, count, n]) => quote!(#krate::rt::masked(#value, #count, #n)),
            (Runtime::Default, []) => quote!(::core::default::Default::default()),
            (runtime, args) => {
                unreachable!("{runtime:?} has other arguments than {} of them", args.len())
            }
        }
    }

    /// How many elements an array has. As everything that is called in kernels it is named in full: a trait in
    /// scope may have a method of any name.
    pub(super) fn length(&self, array: &Ident) -> TokenStream {
        match self.reader {
            Reader::Person => quote!(#array.len()),
            Reader::Rustc => quote!(<[_]>::len(&#array[..])),
        }
    }

    /// The word at the position `at` of an array, to be written.
    fn word(
        &self,
        raw: &Raw,
        array: impl quote::ToTokens,
        at: impl quote::ToTokens,
    ) -> TokenStream {
        let krate = &self.kernel.krate;
        match (self.reader, self.trusts(raw)) {
            (Reader::Person, _) => quote!(#array[#at]),
            // SAFETY: as for `Word`; writing keeps lengths as they are.
            (_, true) => quote!(*unsafe { #krate::rt::get_mut::<u64>(&mut *#array, #at) }),
            (_, false) => quote!(*#krate::rt::get_mut_checked::<u64>(&mut *#array, #at)),
        }
    }

    /// Whether the invariant of a level covers the positions of its array, which is the first argument.
    fn trusts(&self, raw: &Raw) -> bool {
        match raw.names.first() {
            Some((_, crate::cin::Expr::Array(a))) => self.kernel.arrays[a.0 as usize].trusted,
            other => unreachable!("{other:?} is no array"),
        }
    }

    /// The type of the elements of the array that is the first argument.
    fn element_type(&self, raw: &Raw) -> &TokenStream {
        match raw.names.first() {
            Some((_, crate::cin::Expr::Array(a))) => &self.kernel.arrays[a.0 as usize].elem_tokens,
            other => unreachable!("{other:?} is no array"),
        }
    }
}
