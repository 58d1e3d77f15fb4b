//! The namespace as a type parameter: `Derivatives` of the tuple of parameters.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::visit::Visit;

use super::{Items, mentions};
use crate::parse::Passing;

/// Traits are implemented for tuples of so many elements.
const LONGEST_TUPLE: usize = 12;

fn has_long_tuple(ty: &syn::Type) -> bool {
    struct Search(bool);
    impl<'ast> Visit<'ast> for Search {
        fn visit_type_tuple(&mut self, tuple: &'ast syn::TypeTuple) {
            self.0 |= tuple.elems.len() > LONGEST_TUPLE;
            syn::visit::visit_type_tuple(self, tuple);
        }
    }
    let mut search = Search(false);
    search.visit_type(ty);
    search.0
}

impl Items<'_> {
    /// Whether all derivatives have an owned type with a `Tangent`, and the types of the parameters say all that the
    /// function is generic over.
    fn has_trait(&self) -> bool {
        let generics = &self.primal.function.sig.generics;
        let named = |param| self.slots.iter().any(|slot| mentions(&slot.param.ty, param));
        let mutable = self.slots.iter().any(|slot| slot.param.passing == Passing::Mutable);
        self.has_small_tuples() && !mutable && self.owns_cotangents() && generics.params.iter().all(named)
    }

    /// Whether the derivatives together are a `Tangent`, and so is that of the result.
    pub(super) fn has_small_tuples(&self) -> bool {
        self.owned().count() <= LONGEST_TUPLE && !has_long_tuple(&self.primal.result.ty)
    }

    pub(super) fn derivatives(&self) -> Option<TokenStream> {
        if !self.has_trait() {
            return None;
        }
        let (library, primal, name) = (self.library(), &self.primal.function.sig.ident, self.primal.namespace());
        let generics = &self.primal.function.sig.generics;
        let (parameters, _, clause) = generics.split_for_impl();
        let (result, seed_type, tangents) = (&self.primal.result.ty, self.seed_type(), self.owned_types());
        let types = self.slots.iter().map(|slot| &slot.param.ty);
        let args = quote!((#(#types,)*));
        // Names of ours: a parameter of the user's may be called like the function.
        let names: Vec<_> = (0..self.slots.len()).map(|position| format_ident!("__argument{position}")).collect();
        let dots: Vec<_> = self.owned().map(|slot| format_ident!("__dot{}", slot.position)).collect();
        let directions = self.owned().zip(&dots).map(|(slot, dot)| match slot.param.passing {
            Passing::Value if slot.param.known.is_float() => quote!(*#dot),
            Passing::Value => quote!(::core::clone::Clone::clone(#dot)),
            _ => quote!(#dot),
        });
        let pattern = Self::bundle(dots.iter().map(|dot| quote!(#dot)).collect());
        // An error about a type stands there.
        let span = self.doubtful_span();
        Some(quote_spanned! {span=>
            impl #parameters #library::Derivatives<#args> for #name #clause {
                type Value = #result;
                type Tangent = #tangents;
                type ValueTangent = #seed_type;

                #[inline]
                fn value((#(#names,)*): #args) -> #result {
                    #primal(#(#names),*)
                }

                #[inline]
                fn vjp((#(#names,)*): #args, __seed: #seed_type) -> (#result, #tangents) {
                    Self::vjp(#(#names,)* __seed)
                }

                #[inline]
                fn jvp((#(#names,)*): #args, #pattern: &#tangents) -> (#result, #seed_type) {
                    Self::jvp(#(#names,)* #(#directions),*)
                }
            }
        })
    }
}
