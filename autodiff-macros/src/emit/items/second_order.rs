//! The functions of second order, made of the reverse mode of the tangent program.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Items, Slot};
use crate::emit::Sweeps;
use crate::parse::{Passing, Primal};

impl Items<'_> {
    /// `doubled` are the items of the tangent program `tangents`: its parameters are ours and a tangent for each.
    pub(super) fn second_order(&self, tangents: &Primal, doubled: &Items<'_>, sweeps: Option<&Sweeps>) -> TokenStream {
        let pullback = doubled.pullback("order_2", sweeps);
        let scratches = doubled.slots[self.slots.len()..].iter().map(|slot| doubled.scratch(slot));
        let outputs = self.slots.iter().any(|slot| slot.param.passing == Passing::Mutable);
        let hvp = (self.result_is_float() && !outputs && self.owns_cotangents()).then(|| self.hvp(tangents));
        quote!(#pullback #hvp #(#scratches)*)
    }

    /// The cotangents of the tangents are the gradient, those of the parameters the product with the Hessian.
    fn hvp(&self, tangents: &Primal) -> TokenStream {
        let count = self.slots.len();
        let own = self.names();
        let dots = (0..count).map(|position| super::dot_name(&own, position));
        let names: Vec<_> = own.iter().cloned().chain(dots).collect();
        let slots = tangents.params.iter().enumerate().map(|(position, param)| {
            let (name, bar) = (names[position].clone(), super::shadow_name(&names, position));
            Slot { param, position, name, bar: bar.clone(), shadow: bar }
        });
        let doubled = Items { primal: tangents, slots: slots.collect(), seed: self.seed.clone() };
        let mut params = self.params();
        let mut arguments: Vec<TokenStream> = self.arguments().into_iter().map(|name| quote!(#name)).collect();
        for slot in &doubled.slots[count..] {
            let (name, ty) = (&slot.name, &slot.param.ty);
            if slot.param.active {
                params.push(quote!(#name: #ty));
                arguments.push(quote!(#name));
            } else {
                arguments.push(if slot.param.passing == Passing::Value { quote!(()) } else { quote!(&()) });
            }
        }
        let (result, cotangents) = (&self.primal.result.ty, self.owned_types());
        let pull = doubled.pull(&quote!((0.0, 1.0)));
        let owned: Vec<_> = doubled.owned().map(|slot| slot.shadow.clone()).collect();
        let (products, gradient) = owned.split_at(owned.len() / 2);
        let [products, gradient] = [products, gradient].map(|names| Self::bundle(names.iter().map(|name| quote!(#name)).collect()));
        let signature = self.signature("hvp", &params, &quote!((#result, #cotangents, #cotangents)));
        let doc = Self::doc("The value, the gradient, and the product of the Hessian with tangents of the active parameters.");
        quote! {
            #doc
            #signature {
                let ((__value, _), __back) = Self::order_2(#(#arguments),*);
                #pull
                (__value, #gradient, #products)
            }
        }
    }
}
