//! The types of cotangents, shadows and results, as tokens.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Path, Type};

use crate::ir::Ty;
use crate::parse::types::classify;

/// The tangent type of an owned value of type `ty`.
pub fn tangent(ty: &Type, library: &Path) -> TokenStream {
    match (ty, classify(ty)) {
        (_, Ty::Float(_)) => quote!(#ty),
        (_, Ty::Int | Ty::Bool) => quote!(()),
        (Type::Array(array), _) => {
            let (element, length) = (tangent(&array.elem, library), &array.len);
            quote!([#element; #length])
        }
        (Type::Tuple(tuple), _) => {
            let elements = tuple.elems.iter().map(|element| tangent(element, library));
            quote!((#(#elements,)*))
        }
        (Type::Paren(inner), _) => tangent(&inner.elem, library),
        (Type::Group(inner), _) => tangent(&inner.elem, library),
        _ => projection(ty, library),
    }
}

/// `<T as Differentiable>::Tangent`. Where the type is not differentiable, the error stands at the type.
pub fn projection(ty: &Type, library: &Path) -> TokenStream {
    let (ty, span, library) = (lasting(ty), ty.span(), at(library, ty));
    quote_spanned!(span=> <#ty as #library::Differentiable>::Tangent)
}

/// The type with `'static` for every lifetime without a name, which a result may not have; tangents own what they
/// hold, so they are the same.
pub fn lasting(ty: &Type) -> Type {
    struct Last;
    impl VisitMut for Last {
        fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
            let span = reference.and_token.span;
            reference.lifetime.get_or_insert_with(|| syn::Lifetime::new("'static", span));
            syn::visit_mut::visit_type_reference_mut(self, reference);
        }
        fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
            if lifetime.ident == "_" {
                *lifetime = syn::Lifetime::new("'static", lifetime.span());
            }
        }
    }
    let mut ty = ty.clone();
    Last.visit_type_mut(&mut ty);
    ty
}

/// `library` at the place of `ty`, so that an error about the type stands there.
pub fn at(library: &Path, ty: &Type) -> TokenStream {
    let span = ty.span();
    quote!(#library)
        .into_iter()
        .map(|mut token| {
            token.set_span(span);
            token
        })
        .collect()
}

/// The type behind a reference.
pub fn behind(ty: &Type) -> &Type {
    match ty {
        Type::Reference(reference) => &reference.elem,
        Type::Paren(inner) => behind(&inner.elem),
        Type::Group(inner) => behind(&inner.elem),
        other => other,
    }
}

/// What a shadow of a reference parameter points to: slices have slices.
pub fn shadow(ty: &Type, library: &Path) -> TokenStream {
    match behind(ty) {
        Type::Slice(slice) => {
            let element = tangent(&slice.elem, library);
            quote!([#element])
        }
        other => tangent(other, library),
    }
}

/// Whether the type is a slice, or a reference to one.
pub fn is_slice(ty: &Type) -> bool {
    matches!(behind(ty), Type::Slice(_))
}

/// The type with every lifetime elided: for the parameters of closures.
pub fn elided(ty: &Type) -> Type {
    struct Elide;
    impl VisitMut for Elide {
        fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
            if reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident != "static") {
                reference.lifetime = None;
            }
            syn::visit_mut::visit_type_reference_mut(self, reference);
        }
        fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
            if lifetime.ident != "static" {
                *lifetime = syn::Lifetime::new("'_", lifetime.span());
            }
        }
    }
    let mut ty = ty.clone();
    Elide.visit_type_mut(&mut ty);
    ty
}

/// Whether a type that is passed by value may borrow from something that has no name.
pub fn hides_lifetime(ty: &Type) -> bool {
    struct Search(bool);
    impl<'ast> Visit<'ast> for Search {
        fn visit_lifetime(&mut self, lifetime: &'ast syn::Lifetime) {
            self.0 |= lifetime.ident == "_";
        }
        fn visit_type_reference(&mut self, reference: &'ast syn::TypeReference) {
            self.0 |= reference.lifetime.is_none();
            syn::visit::visit_type_reference(self, reference);
        }
        fn visit_path_segment(&mut self, segment: &'ast syn::PathSegment) {
            self.0 |= segment.ident.to_string().contains("View");
            syn::visit::visit_path_segment(self, segment);
        }
    }
    let mut search = Search(false);
    search.visit_type(ty);
    search.0
}
