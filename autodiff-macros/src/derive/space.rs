//! The vector space of the tangents: field by field, in their order.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::parse::{Kind, Shape, Variant};

/// `impl Tangent`.
pub fn space(shape: &Shape<'_>) -> TokenStream {
    let (library, name, unused) = (&shape.library, &shape.tangent, shape.allow());
    let (parameters, arguments, clause) = shape.generics.split_for_impl();
    let with_other = |method: &str, arguments: TokenStream| {
        let method = Ident::new(method, proc_macro2::Span::call_site());
        both(shape, &method, |own, other| quote!(#library::Tangent::#method(#own, #arguments #other);))
    };
    let (accumulate, deduct, axpy) =
        (with_other("accumulate", quote!()), with_other("deduct", quote!()), with_other("axpy", quote!(__factor,)));
    let dot = both(
        shape,
        &Ident::new("dot", proc_macro2::Span::call_site()),
        |own, other| quote!(__sum += #library::Tangent::dot(#own, #other);),
    );
    let negated = each(shape, |variant| {
        let fields = variant.fields.iter().map(|field| shape.local(field, ""));
        shape.value(variant, fields.map(|field| quote!(#library::Tangent::negated(#field))).collect())
    });
    let of_each = |call: &dyn Fn(&Ident) -> TokenStream| {
        each(shape, |variant| {
            let calls = variant.fields.iter().map(|field| call(&shape.local(field, "")));
            quote!({ #(#calls)* })
        })
    };
    let scale = of_each(&|field| quote!(#library::Tangent::scale(#field, __factor);));
    let clear = of_each(&|field| quote!(#library::Tangent::clear(#field);));
    let visit = of_each(&|field| quote!(#library::Tangent::for_each(#field, __visit);));
    let update = of_each(&|field| quote!(#library::Tangent::for_each_mut(#field, __update);));
    quote! {
        #unused
        impl #parameters #library::Tangent for #name #arguments #clause {
            #[inline]
            fn accumulate(&mut self, __other: &Self) { #accumulate }
            #[inline]
            fn deduct(&mut self, __other: &Self) { #deduct }
            #[inline]
            fn negated(&self) -> Self { #negated }
            #[inline]
            fn scale(&mut self, __factor: f64) { #scale }
            #[inline]
            fn axpy(&mut self, __factor: f64, __other: &Self) { #axpy }
            #[inline]
            fn dot(&self, __other: &Self) -> f64 {
                let mut __sum = 0.0;
                #dot
                __sum
            }
            #[inline]
            fn clear(&mut self) { #clear }
            #[inline]
            fn for_each<__F: ::core::ops::FnMut(f64)>(&self, __visit: &mut __F) { #visit }
            #[inline]
            fn for_each_mut<__F: ::core::ops::FnMut(f64) -> f64>(&mut self, __update: &mut __F) { #update }
        }
    }
}

/// A `match` on `self` with an arm for each variant.
pub fn each(shape: &Shape<'_>, arm: impl Fn(&Variant) -> TokenStream) -> TokenStream {
    if shape.variants.is_empty() {
        return quote!(match *self {});
    }
    let arms = shape.variants.iter().map(|variant| {
        let (pattern, arm) = (shape.pattern(&shape.tangent, variant, ""), arm(variant));
        quote!(#pattern => #arm)
    });
    quote!(match self { #(#arms,)* })
}

/// A `match` on `self` and another of the same variant; two variants have no sum.
fn both(shape: &Shape<'_>, method: &Ident, call: impl Fn(&Ident, &Ident) -> TokenStream) -> TokenStream {
    if shape.variants.is_empty() {
        return quote!(match *self {});
    }
    let arms = shape.variants.iter().map(|variant| {
        let (own, other) = (shape.pattern(&shape.tangent, variant, ""), shape.pattern(&shape.tangent, variant, "_other"));
        let calls = variant.fields.iter().map(|field| call(&shape.local(field, ""), &shape.local(field, "_other")));
        quote!((#own, #other) => { #(#calls)* })
    });
    let differing = (shape.kind == Kind::Enum && shape.variants.len() > 1).then(|| {
        let message = format!("Tangent::{method}: two variants of {}", shape.tangent);
        quote!(_ => ::core::panic!(#message),)
    });
    quote!(match (self, __other) { #(#arms,)* #differing })
}
