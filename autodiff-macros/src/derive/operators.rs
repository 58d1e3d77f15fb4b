//! What a user expects of a vector besides: copies, comparisons, printing, arithmetic.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Generics, WherePredicate, parse_quote};

use super::parse::{Kind, Shape, Style};
use super::space::each;

/// The parameters with a bound on the type of each field. `for<'a>` puts the question off until the trait is asked for, so that a
/// field without it costs the type the trait and no error.
fn bounded(shape: &Shape<'_>, bound: &TokenStream) -> Generics {
    let mut generics = shape.generics.clone();
    let fields = shape.variants.iter().flat_map(|variant| &variant.fields);
    let mut seen = Vec::new();
    for field in fields {
        let tangent = &field.tangent;
        let key = tangent.to_string();
        if !seen.contains(&key) {
            seen.push(key);
            let predicate: WherePredicate = parse_quote!(for<'__a> #tangent: #bound);
            generics.make_where_clause().predicates.push(predicate);
        }
    }
    generics
}

/// `Clone`, `Copy`, `Debug`, `PartialEq`, and `Default` of structs.
pub fn basics(shape: &Shape<'_>) -> TokenStream {
    let name = &shape.tangent;
    let implement = |bound: TokenStream, body: TokenStream| {
        let generics = bounded(shape, &bound);
        let (parameters, arguments, clause) = generics.split_for_impl();
        let unused = shape.allow();
        quote!(#unused impl #parameters #bound for #name #arguments #clause { #body })
    };
    let clone = {
        let body = each(shape, |variant| {
            let fields = variant.fields.iter().map(|field| shape.local(field, ""));
            shape.value(variant, fields.map(|field| quote!(::core::clone::Clone::clone(#field))).collect())
        });
        // Every tangent is `Clone`.
        let (parameters, arguments, clause) = shape.generics.split_for_impl();
        let unused = shape.allow();
        quote!(#unused impl #parameters ::core::clone::Clone for #name #arguments #clause { fn clone(&self) -> Self { #body } })
    };
    let debug = {
        let body = each(shape, |variant| {
            let label = if shape.kind == Kind::Struct { name.to_string() } else { variant.name.to_string() };
            let method = if variant.style == Style::Tuple { quote!(debug_tuple) } else { quote!(debug_struct) };
            let fields = variant.fields.iter().map(|field| {
                let (local, member) = (shape.local(field, ""), field.member.to_token_stream().to_string());
                if variant.style == Style::Tuple { quote!(.field(#local)) } else { quote!(.field(#member, #local)) }
            });
            quote!(__formatter.#method(#label) #(#fields)* .finish())
        });
        implement(
            quote!(::core::fmt::Debug),
            quote!(fn fmt(&self, __formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { #body }),
        )
    };
    let equal = {
        let arms = shape.variants.iter().map(|variant| {
            let (own, other) = (shape.pattern(name, variant, ""), shape.pattern(name, variant, "_other"));
            let same = variant.fields.iter().map(|field| {
                let (own, other) = (shape.local(field, ""), shape.local(field, "_other"));
                quote!(&& *#own == *#other)
            });
            quote!((#own, #other) => true #(#same)*)
        });
        let differing = (shape.variants.len() > 1).then(|| quote!(_ => false,));
        let body = if shape.variants.is_empty() { quote!(match *self {}) } else { quote!(match (self, __other) { #(#arms,)* #differing }) };
        implement(quote!(::core::cmp::PartialEq), quote!(fn eq(&self, __other: &Self) -> bool { #body }))
    };
    let default = (shape.kind == Kind::Struct).then(|| {
        let variant = &shape.variants[0];
        let value = shape.value(variant, variant.fields.iter().map(|_| quote!(::core::default::Default::default())).collect());
        implement(quote!(::core::default::Default), quote!(fn default() -> Self { #value }))
    });
    let copy = implement(quote!(::core::marker::Copy), TokenStream::new());
    quote!(#clone #copy #debug #equal #default)
}

/// `+`, `-`, `* f64` and their assigning forms.
pub fn operators(shape: &Shape<'_>) -> TokenStream {
    let (library, name, unused) = (&shape.library, &shape.tangent, shape.allow());
    let (parameters, arguments, clause) = shape.generics.split_for_impl();
    let binary = [("Add", "add", "accumulate"), ("Sub", "sub", "deduct")].map(|(operator, method, function)| {
        let [assign, assign_method] = [format!("{operator}Assign"), format!("{method}_assign")];
        let [operator, method, function, assign, assign_method] =
            [operator, method, function, &assign, &assign_method].map(|name| syn::Ident::new(name, proc_macro2::Span::call_site()));
        quote! {
            #unused
            impl #parameters ::core::ops::#operator for #name #arguments #clause {
                type Output = Self;
                fn #method(mut self, __other: Self) -> Self {
                    #library::Tangent::#function(&mut self, &__other);
                    self
                }
            }
            #unused
            impl #parameters ::core::ops::#assign for #name #arguments #clause {
                fn #assign_method(&mut self, __other: Self) {
                    #library::Tangent::#function(self, &__other);
                }
            }
        }
    });
    quote! {
        #(#binary)*
        #unused
        impl #parameters ::core::ops::Neg for #name #arguments #clause {
            type Output = Self;
            fn neg(self) -> Self {
                #library::Tangent::negated(&self)
            }
        }
        #unused
        impl #parameters ::core::ops::Mul<f64> for #name #arguments #clause {
            type Output = Self;
            fn mul(mut self, __factor: f64) -> Self {
                #library::Tangent::scale(&mut self, __factor);
                self
            }
        }
        #unused
        impl #parameters ::core::ops::MulAssign<f64> for #name #arguments #clause {
            fn mul_assign(&mut self, __factor: f64) {
                #library::Tangent::scale(self, __factor);
            }
        }
    }
}
