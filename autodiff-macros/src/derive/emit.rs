//! The tangent type, and who has tangents.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Generics;

use super::parse::{Field, Kind, Shape, Style, Variant};
use super::{accessors, operators, space};
use crate::ir::build::local_span;

/// Everything.
pub fn emit(shape: &Shape<'_>) -> TokenStream {
    let differentiable = differentiable(shape);
    let space = space::space(shape);
    let accessors = accessors::accessors(shape);
    let rest = (!shape.own).then(|| {
        let (definition, basics, operators) = (definition(shape), operators::basics(shape), operators::operators(shape));
        quote!(#definition #basics #operators)
    });
    let operand = operand(shape);
    quote!(#rest #differentiable #operand #space #accessors)
}

fn definition(shape: &Shape<'_>) -> TokenStream {
    let (vis, name, generics) = (&shape.vis, &shape.tangent, &shape.generics);
    let clause = &generics.where_clause;
    let doc = format!("The tangents of [`{}`].", shape.input.ident);
    let field = |field: &Field| {
        let (vis, ty) = (&field.vis, &field.tangent);
        let doc = "The tangent of the field.";
        match &field.member {
            syn::Member::Named(name) => quote!(#[doc = #doc] #vis #name: #ty),
            syn::Member::Unnamed(_) => quote!(#[doc = #doc] #vis #ty),
        }
    };
    let body = |variant: &Variant| {
        let fields: Vec<_> = variant.fields.iter().map(field).collect();
        match variant.style {
            Style::Named => quote!({ #(#fields,)* }),
            Style::Tuple => quote!((#(#fields,)*)),
            Style::Unit => TokenStream::new(),
        }
    };
    match shape.kind {
        Kind::Struct => {
            let variant = &shape.variants[0];
            let body = body(variant);
            match variant.style {
                Style::Named => quote!(#[doc = #doc] #vis struct #name #generics #clause #body),
                _ => quote!(#[doc = #doc] #vis struct #name #generics #body #clause;),
            }
        }
        Kind::Enum => {
            let variants = shape.variants.iter().map(|variant| {
                let (name, body) = (&variant.name, body(variant));
                quote!(#[doc = "The tangents of the variant."] #name #body)
            });
            quote!(#[doc = #doc] #[allow(clippy::large_enum_variant)] #vis enum #name #generics #clause { #(#variants,)* })
        }
    }
}

/// The type has the tangents, and the tangents have themselves.
fn differentiable(shape: &Shape<'_>) -> TokenStream {
    let (library, input, tangent) = (&shape.library, &shape.input.ident, &shape.tangent);
    let generics = with_bounds(shape);
    let (parameters, _, clause) = generics.split_for_impl();
    let (_, arguments, _) = shape.input.generics.split_for_impl();
    let (own_parameters, own_arguments, own_clause) = shape.generics.split_for_impl();
    let arms = shape.variants.iter().map(|variant| {
        let pattern = shape.pattern(input, variant, "");
        let zeros = variant.fields.iter().map(|field| {
            if field.constant {
                return quote!(());
            }
            let (name, ty) = (shape.local(field, ""), &field.ty);
            let library = crate::emit::types::at(library, ty);
            quote!(#library::Differentiable::zero_tangent(#name))
        });
        let value = shape.value(variant, zeros.collect());
        quote!(#pattern => #value,)
    });
    let arms: Vec<_> = arms.collect();
    let body = if shape.variants.is_empty() { quote!(match *self {}) } else { quote!(match self { #(#arms)* }) };
    let (target, unused) = (quote!(#tangent #own_arguments), shape.allow());
    let of_tangents = (!shape.own).then(|| {
        quote! {
            #unused
            impl #own_parameters #library::Differentiable for #tangent #own_arguments #own_clause {
                type Tangent = Self;

                fn zero_tangent(&self) -> Self {
                    let mut zero = ::core::clone::Clone::clone(self);
                    #library::Tangent::clear(&mut zero);
                    zero
                }
            }
        }
    });
    quote! {
        #unused
        impl #parameters #library::Differentiable for #input #arguments #clause {
            type Tangent = #target;

            fn zero_tangent(&self) -> Self::Tangent {
                #body
            }
        }
        #of_tangents
    }
}

/// The type as an operand of operators, where it can be copied for them.
fn operand(shape: &Shape<'_>) -> TokenStream {
    let (library, input) = (&shape.library, &shape.input.ident);
    let mut generics = shape.input.generics.clone();
    let (_, arguments, _) = shape.input.generics.split_for_impl();
    // Asked where it is used.
    generics.make_where_clause().predicates.push(syn::parse_quote!(for<'__a> Self: ::core::clone::Clone));
    let (parameters, _, clause) = generics.split_for_impl();
    let unused = shape.allow();
    quote! {
        #unused
        impl #parameters #library::Operand for #input #arguments #clause {
            type Value = Self;
            type Ref<'__r> = Self where Self: '__r;

            fn value(&self) -> &Self {
                self
            }

            fn operand(&self) -> Self {
                ::core::clone::Clone::clone(self)
            }
        }
    }
}

/// The type's own parameters, with the bounds of the tangent's.
fn with_bounds(shape: &Shape<'_>) -> Generics {
    let mut generics = shape.input.generics.clone();
    if let Some(clause) = &shape.generics.where_clause {
        let predicates = clause.predicates.clone();
        generics.make_where_clause().predicates.extend(predicates);
    }
    generics
}

impl Shape<'_> {
    /// Lints that a user's settings may bring: nobody reads this code.
    pub fn allow(&self) -> TokenStream {
        quote!(#[automatically_derived] #[allow(clippy::all, clippy::pedantic, unused_variables)])
    }

    /// The local name of a field, with a suffix.
    pub fn local(&self, field: &Field, suffix: &str) -> syn::Ident {
        let member = quote::ToTokens::to_token_stream(&field.member).to_string();
        format_ident!("__{}{suffix}", member.trim_start_matches("r#"), span = local_span(self.input.ident.span()))
    }

    /// `Name::Variant { field: __field, .. }`, of the type `ty`.
    pub fn pattern(&self, ty: &syn::Ident, variant: &Variant, suffix: &str) -> TokenStream {
        let path = self.path(ty, variant);
        let members = variant.fields.iter().map(|field| &field.member);
        let locals = variant.fields.iter().map(|field| self.local(field, suffix));
        quote!(#path { #(#members: #locals),* })
    }

    /// The tangent of this variant with these fields.
    pub fn value(&self, variant: &Variant, fields: Vec<TokenStream>) -> TokenStream {
        let path = self.path(&self.tangent, variant);
        let members = variant.fields.iter().map(|field| &field.member);
        quote!(#path { #(#members: #fields),* })
    }

    fn path(&self, ty: &syn::Ident, variant: &Variant) -> TokenStream {
        let name = &variant.name;
        match self.kind {
            Kind::Struct => quote!(#ty),
            Kind::Enum => quote!(#ty::#name),
        }
    }
}
