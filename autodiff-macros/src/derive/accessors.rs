//! References to the fields of the variant that is there: generated code knows variants by their names only, and has no name
//! for the tangent type.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, Type};

use super::parse::{Field, Kind, Shape, Style, Variant};
use crate::ir::build::accessor;

/// Of the type and of its tangent.
pub fn accessors(shape: &Shape<'_>) -> TokenStream {
    let (input, tangent) = (&shape.input.ident, &shape.tangent);
    let (parameters, arguments, clause) = shape.input.generics.split_for_impl();
    let own = of(shape, input, &|field: &Field| {
        let ty: &Type = &field.ty;
        quote!(#ty)
    });
    let unused = shape.allow();
    let own = (!own.is_empty()).then(|| quote!(#unused impl #parameters #input #arguments #clause { #own }));
    let (parameters, arguments, clause) = shape.generics.split_for_impl();
    let of_tangent = if shape.own { TokenStream::new() } else { of(shape, tangent, &|field: &Field| field.tangent.clone()) };
    let of_tangent = (!of_tangent.is_empty()).then(|| quote!(#unused impl #parameters #tangent #arguments #clause { #of_tangent }));
    quote!(#own #of_tangent)
}

fn of(shape: &Shape<'_>, ty: &Ident, field_type: &dyn Fn(&Field) -> TokenStream) -> TokenStream {
    let wanted = |variant: &&Variant| shape.kind == Kind::Enum || variant.style == Style::Tuple;
    let functions = shape.variants.iter().filter(wanted).flat_map(|variant| {
        variant.fields.iter().map(|field| {
            let (plain, mutable) = (accessor(&variant.name, &field.member, false), accessor(&variant.name, &field.member, true));
            let (pattern, local, field) = (shape.pattern(ty, variant, ""), shape.local(field, ""), field_type(field));
            let message = format!("the variant is not `{}`", variant.name);
            let other = (shape.variants.len() > 1).then(|| quote!(_ => ::core::unreachable!(#message),));
            quote! {
                #[doc(hidden)]
                #[inline]
                #[allow(non_snake_case, dead_code)]
                pub fn #plain(&self) -> &#field {
                    match self { #pattern => #local, #other }
                }
                #[doc(hidden)]
                #[inline]
                #[allow(non_snake_case, dead_code)]
                pub fn #mutable(&mut self) -> &mut #field {
                    match self { #pattern => #local, #other }
                }
            }
        })
    });
    functions.collect()
}
