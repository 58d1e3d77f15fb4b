//! The functions of second order, made of the reverse mode of the tangent program.
//!
//! With the seed `(a, b)` of the value and its tangent, the cotangents of the tangents are `b` times the gradient, and
//! those of the parameters `a` times the gradient and `b` times the product of the Hessian with the tangents.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

use super::dense::again;
use super::{Items, Slot};
use crate::emit::Sweeps;
use crate::emit::space::Space;
use crate::parse::{Passing, Primal};

impl Items<'_> {
    /// `doubled` are the items of the tangent program `tangents`: its parameters are ours and a tangent for each.
    pub(super) fn second_order(&self, tangents: &Primal, doubled: &Items<'_>, sweeps: Option<&Sweeps>) -> TokenStream {
        let pullback = doubled.pullback("order_2", sweeps);
        let scratches = doubled.slots[self.slots.len()..].iter().map(|slot| doubled.scratch(slot, Space::Single));
        let outputs = self.slots.iter().any(|slot| slot.param.passing == Passing::Mutable);
        let of_gradient = (self.result_is_float() && !outputs && self.owns_cotangents()).then(|| {
            let doubled = self.doubled(tangents);
            let pullback = self.can_be_run_twice().then(|| self.gradient_pullback(&doubled));
            let (pushforward, hvp) = (self.gradient_pushforward(&doubled), self.hvp(&doubled));
            let dense = self.hessians();
            quote!(#hvp #dense #pushforward #pullback)
        });
        quote!(#pullback #of_gradient #(#scratches)*)
    }

    /// The tangent program's items with names for signatures: `x` and `x_dot`.
    fn doubled<'a>(&self, tangents: &'a Primal) -> Items<'a> {
        let own = self.names();
        let dots = (0..self.slots.len()).map(|position| super::dot_name(&own, position));
        let names: Vec<_> = own.iter().cloned().chain(dots).collect();
        let slots = tangents.params.iter().enumerate().map(|(position, param)| {
            let (name, bar) = (names[position].clone(), super::shadow_name(&names, position));
            Slot { param, position, name, bar: bar.clone(), shadow: bar }
        });
        Items { primal: tangents, slots: slots.collect(), seed: self.seed.clone() }
    }

    /// What is added to the gradient's name by a tangent: the product with the Hessian.
    fn gradient_pushforward(&self, doubled: &Items<'_>) -> TokenStream {
        let (result, cotangents, arguments) = (&self.primal.result.ty, self.owned_types(), doubled.arguments());
        let pull = doubled.pull(&quote!((0.0, 1.0)));
        let owned: Vec<_> = doubled.owned().map(|slot| slot.shadow.to_token_stream()).collect();
        let (products, gradient) = owned.split_at(owned.len() / 2);
        let (products, gradient) = (Self::bundle(products.to_vec()), Self::bundle(gradient.to_vec()));
        let pair = quote!((#result, #cotangents));
        let order_2 = self.own("order_2");
        let signature = self.signature("gradient_order_2_pushforward", &doubled.params(), &quote!((#pair, #pair)));
        quote! {
            #[doc(hidden)]
            #signature {
                let ((__value, __slope), __back) = Self::#order_2(#(#arguments),*);
                #pull
                ((__value, #gradient), (__slope, #products))
            }
        }
    }

    fn hvp(&self, doubled: &Items<'_>) -> TokenStream {
        let mut params = self.params();
        let mut arguments: Vec<TokenStream> = self.names().iter().map(ToTokens::to_token_stream).collect();
        for slot in &doubled.slots[self.slots.len()..] {
            let (name, ty) = (&slot.name, &slot.param.ty);
            if slot.param.active {
                params.push(quote!(#name: #ty));
                arguments.push(quote!(#name));
            } else {
                arguments.push(nothing(slot));
            }
        }
        let (result, cotangents) = (&self.primal.result.ty, self.owned_types());
        let pushforward = self.own("gradient_order_2_pushforward");
        let signature = self.signature("hvp", &params, &quote!((#result, #cotangents, #cotangents)));
        let doc = Self::doc("The value, the gradient, and the product of the Hessian with tangents of the active parameters.");
        quote! {
            #doc
            #signature {
                let ((__value, __gradient), (_, __product)) = Self::#pushforward(#(#arguments),*);
                (__value, __gradient, __product)
            }
        }
    }

    /// The gradient, and what pulls back a cotangent of it. That is a tangent for the second sweep, so that the work
    /// is done when it is known.
    fn gradient_pullback(&self, doubled: &Items<'_>) -> TokenStream {
        let (result, cotangents) = (&self.primal.result.ty, self.owned_types());
        let (back, captures) = (self.closure_result(), self.captures());
        let (own, dots) = doubled.slots.split_at(self.slots.len());
        let seed = &self.seed;
        let params = self.closure_params().into_iter().map(|(name, ty)| {
            let ty = if name == *seed { quote!((#result, #cotangents)) } else { ty };
            (name, ty)
        });
        let (_, types): (Vec<_>, Vec<_>) = params.unzip();
        let names = self.closure_names(own);

        let is_value = |slot: &&Slot<'_>| slot.param.passing == Passing::Value;
        let held: Vec<_> = own.iter().filter(is_value).map(|slot| &slot.name).collect();
        let directions: Vec<_> = dots.iter().filter(|slot| slot.param.active).map(|slot| slot.name.to_token_stream()).collect();
        let direction = Self::bundle(directions);
        let arguments = own.iter().map(|slot| again(slot)).chain(dots.iter().map(|slot| lent(slot)));
        let arguments: Vec<_> = arguments.collect();
        let references = own.iter().filter(|slot| !is_value(slot)).map(|slot| slot.name.to_token_stream());
        let references = references.chain(dots.iter().filter(|slot| !is_value(slot)).map(lent));
        let shadows = own.iter().filter(|slot| !is_value(slot)).map(|slot| slot.bar.to_token_stream());
        // Cotangents of the direction are of no use.
        let unused = dots.iter().filter(|slot| !is_value(slot)).map(|slot| {
            let name = &slot.name;
            if slot.param.active { quote!(&mut ::core::clone::Clone::clone(&#name)) } else { quote!(&mut __none()) }
        });
        let wanted: Vec<_> = own.iter().filter(is_value).map(|slot| if slot.param.active { &slot.bar } else { &slot.name }).collect();
        let unwanted = dots.iter().filter(is_value).map(|_| quote!(_));
        let call = quote!(__back(#(#references,)* (__weight, 1.0), #(#shadows,)* #(#unused),*));
        let pulled = if wanted.is_empty() { quote!(#call;) } else { quote!(let (#(#wanted,)* #(#unwanted),*) = #call; (#(#wanted,)*)) };
        let none = dots.iter().any(|slot| !is_value(&slot) && !slot.param.active).then(|| quote!(let __none = || ();));

        let output = quote!(((#result, #cotangents), impl ::core::ops::Fn(#(#types),*) #back #captures));
        let signature = self.repeating("gradient_order_2_pullback", &self.params(), &output);
        let (gradient, order_2) = (self.own("gradient"), self.own("order_2"));
        let first = own.iter().map(|slot| again(slot));
        quote! {
            #[doc(hidden)]
            #signature {
                (Self::#gradient(#(#first),*), move |#(#names: #types),*| {
                    #(let #held = ::core::clone::Clone::clone(&#held);)*
                    let (__weight, #direction) = #seed;
                    let (_, __back) = Self::#order_2(#(#arguments),*);
                    #none
                    #pulled
                })
            }
        }
    }

    /// The names of the closure's parameters in the order of their types.
    fn closure_names(&self, own: &[Slot<'_>]) -> Vec<Ident> {
        let shared = own.iter().filter(|slot| slot.param.passing == Passing::Shared).map(|slot| slot.name.clone());
        let shadows = own.iter().filter(|slot| slot.param.passing != Passing::Value).map(|slot| slot.bar.clone());
        shared.chain([self.seed.clone()]).chain(shadows).collect()
    }
}

/// The tangent of an inactive parameter.
fn nothing(slot: &Slot<'_>) -> TokenStream {
    if slot.param.passing == Passing::Value { quote!(()) } else { quote!(&()) }
}

/// An owned tangent as an argument.
fn lent(slot: &Slot<'_>) -> TokenStream {
    let name = &slot.name;
    if !slot.param.active {
        return nothing(slot);
    }
    if slot.param.passing == Passing::Value { quote!(#name) } else { quote!(&#name) }
}
