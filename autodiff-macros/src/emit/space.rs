//! The spaces that tangents live in: one direction, or several at once.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Path, Type};

use super::types::{is_slice, lasting, shadow, tangent};
use crate::ir::Ty;
use crate::parse::types::classify;

/// How tangents are spelled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Space {
    /// One tangent.
    Single,
    /// `__L` tangents, a number that the function is generic over.
    Lanes,
}

impl Space {
    /// The tangent sweep's name.
    pub fn pushforward(self) -> &'static str {
        match self {
            Space::Single => "pushforward",
            Space::Lanes => "pushforward_lanes",
        }
    }

    /// What users call.
    pub fn jvp(self) -> &'static str {
        match self {
            Space::Single => "jvp",
            Space::Lanes => "jvp_lanes",
        }
    }

    /// The functions that make zero shadows, without their numbers.
    pub fn scratch(self) -> &'static str {
        match self {
            Space::Single => "scratch",
            Space::Lanes => "scratch_lanes",
        }
    }

    /// A zero for the primal value behind the reference `value`.
    pub fn zero_of_value(self, library: &Path, value: &TokenStream) -> TokenStream {
        match self {
            Space::Single => quote!(#library::Differentiable::zero_tangent(#value)),
            Space::Lanes => quote!(#library::InLanes::<__L>::zero_lanes(#value)),
        }
    }

    /// A zero float.
    pub fn zero(self, library: &Path) -> TokenStream {
        match self {
            Space::Single => quote!(0.0),
            Space::Lanes => quote!(#library::Lanes::ZERO),
        }
    }

    /// The module of strong products.
    pub fn rules(self, library: &Path) -> TokenStream {
        match self {
            Space::Single => quote!(#library::rules),
            Space::Lanes => quote!(#library::lanes::rules),
        }
    }

    /// The tangent type of an owned value of type `ty`.
    pub fn tangent(self, ty: &Type, library: &Path) -> TokenStream {
        match self {
            Space::Single => tangent(ty, library),
            Space::Lanes => lanes(ty, library),
        }
    }

    /// What the tangent of a parameter points to where the parameter is a reference to `ty`.
    pub fn shadow(self, ty: &Type, library: &Path) -> TokenStream {
        match (self, super::types::behind(ty)) {
            (Space::Single, _) => shadow(ty, library),
            (Space::Lanes, Type::Slice(slice)) if is_slice(ty) => {
                let element = lanes(&slice.elem, library);
                quote!([#element])
            }
            (Space::Lanes, other) => lanes(other, library),
        }
    }
}

fn lanes(ty: &Type, library: &Path) -> TokenStream {
    match (ty, classify(ty)) {
        (_, Ty::Float(_)) => quote!(#library::Lanes<#ty, __L>),
        (_, Ty::Int | Ty::Bool) => quote!(()),
        (Type::Array(array), _) => {
            let (element, length) = (lanes(&array.elem, library), &array.len);
            quote!([#element; #length])
        }
        (Type::Tuple(tuple), _) => {
            let elements = tuple.elems.iter().map(|element| lanes(element, library));
            quote!((#(#elements,)*))
        }
        (Type::Paren(inner), _) => lanes(&inner.elem, library),
        (Type::Group(inner), _) => lanes(&inner.elem, library),
        _ => {
            let ty = lasting(ty);
            quote!(<#ty as #library::InLanes<__L>>::Lanes)
        }
    }
}
