//! The functions of forward mode.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Generics, parse_quote};

use super::{Items, Slot};
use crate::emit::space::Space;
use crate::emit::{TangentSweep, Tangents};
use crate::parse::Passing;

impl Items<'_> {
    /// The tangent sweeps and what users call of them.
    pub(super) fn forward_mode(&self, tangents: &Tangents) -> TokenStream {
        let (pushforward, jvp) = (self.pushforward(tangents.single.as_ref(), Space::Single), self.jvp(Space::Single));
        let lanes = self.primal.options.lanes.then(|| {
            let (pushforward, jvp) = (self.pushforward(tangents.lanes.as_ref(), Space::Lanes), self.jvp(Space::Lanes));
            let scratches = self.slots.iter().map(|slot| self.scratch(slot, Space::Lanes));
            quote!(#pushforward #jvp #(#scratches)*)
        });
        quote!(#pushforward #jvp #lanes)
    }

    /// The type of a tangent that is passed, in this way, for a parameter.
    pub(super) fn tangent_type(&self, slot: &Slot<'_>, passing: Passing, space: Space) -> TokenStream {
        let inner = if slot.param.active { space.shadow(&slot.param.ty, self.library()) } else { quote!(()) };
        match passing {
            Passing::Value => inner,
            Passing::Shared => quote!(&#inner),
            Passing::Mutable => quote!(&mut #inner),
        }
    }

    /// The value and its tangent.
    pub(super) fn pushed_type(&self, space: Space) -> TokenStream {
        let (result, dot) = (&self.primal.result.ty, space.tangent(&self.primal.result.ty, self.library()));
        quote!((#result, #dot))
    }

    pub(super) fn generics(&self, space: Space) -> Generics {
        let mut generics = self.primal.function.sig.generics.clone();
        if space == Space::Lanes {
            generics.params.push(parse_quote!(const __L: usize));
        }
        generics
    }

    /// The tangent sweep, with a tangent for each parameter: `()` for inactive ones.
    fn pushforward(&self, sweep: Option<&TangentSweep>, space: Space) -> TokenStream {
        let mut params = self.mutable_params();
        for (position, slot) in self.slots.iter().enumerate() {
            let name = match sweep {
                Some(sweep) => sweep.dots[position].clone(),
                None => format_ident!("__argument{position}_dot"),
            };
            let ty = self.tangent_type(slot, slot.param.passing, space);
            let mutable = match &slot.param.pattern {
                syn::Pat::Ident(ident) if slot.param.passing == Passing::Value && slot.param.active => {
                    ident.mutability.map(|_| quote!(mut))
                }
                _ => None,
            };
            params.push(quote!(#mutable #name: #ty));
        }
        let signature = self.signature_with(space.pushforward(), &self.generics(space), &params, &self.pushed_type(space));
        let body = match sweep {
            Some(TangentSweep { statements, result, .. }) => {
                let used = self.mention();
                let payloads = self.payloads(&[statements]);
                quote!(#payloads #used #statements #result)
            }
            None => {
                let library = self.library();
                quote!(#library::unavailable())
            }
        };
        let lent = self.lent_pushforward(space);
        quote!(#[doc(hidden)] #signature { #body } #lent)
    }

    fn jvp(&self, space: Space) -> TokenStream {
        let (mut params, mut arguments) = (self.params(), self.arguments().into_iter().map(ToTokens::to_token_stream).collect::<Vec<_>>());
        for slot in &self.slots {
            let dot = super::dot_name(&self.names(), slot.position);
            if slot.param.active {
                let ty = self.tangent_type(slot, slot.param.passing, space);
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
        let signature = self.signature_with(space.jvp(), &self.generics(space), &params, &self.pushed_type(space));
        let doc = Self::doc(match space {
            Space::Single => "The value, and its tangent for tangents of the active parameters.",
            Space::Lanes => "The value, and its tangents for several tangents of the active parameters at once.",
        });
        let pushforward = self.own(space.pushforward());
        quote!(#doc #signature { Self::#pushforward(#(#arguments),*) })
    }
}
