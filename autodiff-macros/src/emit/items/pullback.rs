//! The functions that hold the reverse mode's sweeps, and those that only generated code calls.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{GenericParam, Ident};

use super::{Items, Slot, mentions};
use crate::emit::Sweeps;
use crate::emit::space::Space;
use crate::emit::types::{at, behind, hides_lifetime, is_slice, projection, shadow, tangent};
use crate::parse::Passing;

impl Items<'_> {
    /// `+ use<..>`: the sweeps' closure holds values, and no reference that was passed.
    pub(super) fn captures(&self) -> TokenStream {
        self.captured(false)
    }

    /// The same of a closure that may hold a receiver, which borrows what the block's lifetimes say.
    pub(super) fn captured(&self, receiver: bool) -> TokenStream {
        if self.slots.iter().any(|slot| slot.param.passing == Passing::Value && hides_lifetime(&slot.param.ty)) {
            return TokenStream::new();
        }
        let outer = self.primal.method.iter().flat_map(|method| &method.outer.params);
        let outer = outer.filter(|param| receiver || !matches!(param, GenericParam::Lifetime(_)));
        // A lifetime that only references have is none of what the closure holds.
        let held = |param: &&GenericParam| {
            let values = || self.slots.iter().filter(|slot| slot.param.passing == Passing::Value);
            !matches!(param, GenericParam::Lifetime(_)) || values().any(|slot| mentions(&slot.param.ty, param))
        };
        let own = self.primal.function.sig.generics.params.iter().filter(held);
        let params = outer.chain(own).map(|param| match param {
            GenericParam::Lifetime(param) => {
                let lifetime = &param.lifetime;
                quote!(#lifetime)
            }
            GenericParam::Type(param) => {
                let ident = &param.ident;
                quote!(#ident)
            }
            GenericParam::Const(param) => {
                let ident = &param.ident;
                quote!(#ident)
            }
        });
        quote!(+ use<#(#params),*>)
    }

    /// The types of the closure's parameters, with their names.
    pub(super) fn closure_params(&self) -> Vec<(Ident, TokenStream)> {
        let library = self.library();
        let shared = self.slots.iter().filter(|slot| slot.param.passing == Passing::Shared).map(|slot| {
            let ty = self.without_lifetimes(&slot.param.ty);
            (slot.name.clone(), quote!(#ty))
        });
        let shadows = self.slots.iter().filter(|slot| slot.param.passing != Passing::Value).map(|slot| {
            let ty = self.without_lifetimes(&slot.param.ty);
            let ty = if slot.param.active { shadow(&ty, library) } else { quote!(()) };
            (slot.bar.clone(), quote!(&mut #ty))
        });
        shared.chain([(self.seed.clone(), tangent(&self.without_lifetimes(&self.primal.result.ty), library))]).chain(shadows).collect()
    }

    pub(super) fn closure_result(&self) -> TokenStream {
        let library = self.library();
        let values = self
            .slots
            .iter()
            .filter(|slot| slot.param.passing == Passing::Value)
            .map(|slot| if slot.param.active { tangent(&self.without_lifetimes(&slot.param.ty), library) } else { quote!(()) });
        let values: Vec<_> = values.collect();
        if values.is_empty() { TokenStream::new() } else { quote!(-> (#(#values,)*)) }
    }

    /// Both sweeps: the primal's value, and what pulls a seed back.
    pub(super) fn pullback(&self, name: &str, sweeps: Option<&Sweeps>) -> TokenStream {
        let (result, back, captures) = (&self.primal.result.ty, self.closure_result(), self.captures());
        let (names, types): (Vec<_>, Vec<_>) = self.closure_params().into_iter().unzip();
        let span = self.doubtful_span();
        let output = quote_spanned!(span=> (#result, impl ::core::ops::Fn(#(#types),*) #back #captures));
        let signature = self.signature(name, &self.mutable_params(), &output);
        let used = self.mention();
        let body = match sweeps {
            Some(Sweeps { forward, result, reverse, cotangents, .. }) => {
                let cotangents = (!cotangents.is_empty()).then(|| quote!((#(#cotangents,)*)));
                let payloads = self.payloads(&[forward, reverse]);
                quote! {
                    #payloads
                    #used
                    #forward
                    (#result, move |#(#names: #types),*| {
                        #reverse
                        #cotangents
                    })
                }
            }
            None => {
                let library = self.library();
                quote!((#library::unavailable(), |#(#names: #types),*| #back { #library::unavailable() }))
            }
        };
        let lent = self.lent_pullback(name);
        quote!(#[doc(hidden)] #signature { #body } #lent)
    }

    /// A mention of the primal: whoever uses a derivative of a function uses the function.
    pub(super) fn primal_is_used(&self) -> TokenStream {
        let generics = &self.primal.function.sig.generics;
        let (_, _, clause) = generics.split_for_impl();
        let (primal, owner) = (self.own("primal"), self.primal.method.is_some().then(|| quote!(Self::)));
        let params = generics.params.iter().filter(|param| !matches!(param, GenericParam::Lifetime(_)));
        let (name, arguments) = (&self.primal.function.sig.ident, self.turbofish());
        let clause = clause.filter(|_| generics.lifetimes().next().is_none());
        // In a function of its own, where no parameter can hide the name.
        quote! {
            #[inline]
            fn #primal<#(#params),*>() #clause {
                let _ = #owner #name #arguments;
            }
        }
    }

    /// The statement in a sweep that mentions the primal.
    pub(super) fn mention(&self) -> TokenStream {
        let (primal, arguments) = (self.own("primal"), self.turbofish());
        quote!(Self::#primal #arguments ();)
    }

    /// The function's own type and const parameters as arguments.
    fn turbofish(&self) -> Option<TokenStream> {
        let names = self.primal.function.sig.generics.params.iter().filter_map(|param| match param {
            GenericParam::Type(param) => Some(&param.ident),
            GenericParam::Const(param) => Some(&param.ident),
            GenericParam::Lifetime(_) => None,
        });
        let names: Vec<_> = names.collect();
        (!names.is_empty()).then(|| quote!(::<#(#names),*>))
    }

    /// The pullback for the function's calls of itself, whose type must not contain itself.
    pub(super) fn recursive(&self) -> TokenStream {
        let (library, result, back) = (self.library(), &self.primal.result.ty, self.closure_result());
        let (_, types): (Vec<_>, Vec<_>) = self.closure_params().into_iter().unzip();
        let output = quote!((#result, #library::save::Box<dyn ::core::ops::Fn(#(#types),*) #back>));
        let (signature, run) = (self.signature("recursive", &self.params(), &output), self.run());
        let lent = self.lent_pullback("recursive");
        quote!(#[doc(hidden)] #signature { #run (__value, #library::save::Box::new(__back)) } #lent)
    }

    /// An owned zero shadow of a reference parameter.
    pub(super) fn scratch(&self, slot: &Slot<'_>, space: Space) -> TokenStream {
        if !cfg!(feature = "alloc") && is_slice(&slot.param.ty) {
            return TokenStream::new();
        }
        let behind = behind(&slot.param.ty);
        let receiver = (slot.position > 0).then(|| self.receiver_param()).flatten();
        let of = if slot.position == 0 && self.receiver_param().is_some() { &slot.name } else { &Ident::new("__of", Span::mixed_site()) };
        let library = at(self.library(), behind);
        let (vis, name) = (&self.primal.function.vis, self.own(&format!("{}_{}", space.scratch(), slot.position)));
        // Only what the type mentions: the argument tells rustc all of it.
        let generics = self.primal.function.sig.generics.params.iter().filter(|param| mentions(&slot.param.ty, param));
        let asks = |param: &GenericParam| matches!(param, GenericParam::Type(param) if param.bounds.is_empty());
        let bound = self.primal.float_bound().filter(|_| self.primal.method.is_some() || generics.clone().any(asks));
        let clause = bound.map(|bound| quote!(where #bound));
        let lanes = (space == Space::Lanes && slot.param.active).then(|| quote!(const __L: usize));
        let generics = generics.map(ToTokens::to_token_stream).chain(lanes);
        let (output, value) = if slot.param.active {
            match space {
                Space::Single => (
                    projection(behind, self.library()),
                    quote_spanned!(behind.span()=> <#behind as #library::Differentiable>::zero_tangent(#of)),
                ),
                Space::Lanes => {
                    (quote!(<#behind as #library::InLanes<__L>>::Lanes), quote!(<#behind as #library::InLanes<__L>>::zero_lanes(#of)))
                }
            }
        } else {
            (
                quote!(()),
                quote!({
                    let _ = #of;
                }),
            )
        };
        quote! {
            #[doc(hidden)]
            #[inline]
            #vis fn #name<#(#generics),*>(#receiver #of: &#behind) -> #output #clause { #value }
        }
    }
}
