//! The functions of forward mode.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

use super::{Items, Slot};
use crate::emit::TangentSweep;
use crate::emit::types::shadow;
use crate::parse::Passing;

impl Items<'_> {
    /// The type of a tangent that is passed for a parameter.
    fn tangent_type(&self, slot: &Slot<'_>) -> TokenStream {
        let inner = if slot.param.active { shadow(&slot.param.ty, self.library()) } else { quote!(()) };
        match slot.param.passing {
            Passing::Value => inner,
            Passing::Shared => quote!(&#inner),
            Passing::Mutable => quote!(&mut #inner),
        }
    }

    /// The tangent sweep, with a tangent for each parameter: `()` for inactive ones.
    pub(super) fn pushforward(&self, sweep: Option<&TangentSweep>) -> TokenStream {
        let (result, seed_type) = (&self.primal.result.ty, self.seed_type());
        let mut params = self.mutable_params();
        for (position, slot) in self.slots.iter().enumerate() {
            let name = match sweep {
                Some(sweep) => sweep.dots[position].clone(),
                None => format_ident!("__argument{position}_dot"),
            };
            let ty = self.tangent_type(slot);
            let mutable = match &slot.param.pattern {
                syn::Pat::Ident(ident) if slot.param.passing == Passing::Value && slot.param.active => {
                    ident.mutability.map(|_| quote!(mut))
                }
                _ => None,
            };
            params.push(quote!(#mutable #name: #ty));
        }
        let signature = self.signature("pushforward", &params, &quote!((#result, #seed_type)));
        let body = match sweep {
            Some(TangentSweep { statements, result, .. }) => quote!(#statements #result),
            None => {
                let library = self.library();
                quote!(#library::unavailable())
            }
        };
        quote!(#[doc(hidden)] #signature { #body })
    }

    pub(super) fn jvp(&self) -> TokenStream {
        let (result, seed_type) = (&self.primal.result.ty, self.seed_type());
        let (mut params, mut arguments) = (self.params(), self.arguments().into_iter().map(ToTokens::to_token_stream).collect::<Vec<_>>());
        for slot in &self.slots {
            let dot = super::dot_name(&self.names(), slot.position);
            if slot.param.active {
                let ty = self.tangent_type(slot);
                params.push(quote!(#dot: #ty));
                arguments.push(quote!(#dot));
            } else {
                arguments.push(match slot.param.passing {
                    Passing::Value => quote!(()),
                    Passing::Shared => quote!(&()),
                    Passing::Mutable => quote!(&mut ()),
                });
            }
        }
        let signature = self.signature("jvp", &params, &quote!((#result, #seed_type)));
        let doc = Self::doc("The value, and its tangent for tangents of the active parameters.");
        quote!(#doc #signature { Self::pushforward(#(#arguments),*) })
    }
}
