//! `#[derive(Differentiable)]`: a type for the tangents of a struct or an enum, and the vector space of them.
//!
//! The tangent type has the fields of the type, under their names, each with the tangent of the field. It owns what it holds, so
//! it has no lifetimes.

mod accessors;
mod emit;
mod operators;
mod parse;
mod space;

use proc_macro2::TokenStream;

use crate::diag::Diagnostics;

/// Expands the derive on `item`.
pub fn expand(item: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let input = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let shape = parse::parse(&input, &mut diagnostics);
    match shape {
        Some(shape) if diagnostics.is_clean() => emit::emit(&shape),
        _ => diagnostics.into_tokens(),
    }
}
