//! The `#[differentiate]` attribute of the `autodiff` crate: a small compiler.
//!
//! `parse` → `lower` → `analyze` → `sweep` → `plan` → `emit`, each from plain data to plain data; see
//! ARCHITECTURE.md at the top of the repository.

mod analyze;
mod diag;
mod emit;
mod ir;
mod lower;
mod parse;
mod pipeline;
mod plan;
mod rules;
mod sweep;

use proc_macro::TokenStream;

/// Differentiates a function.
#[proc_macro_attribute]
pub fn differentiate(attribute: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::expand(attribute.into(), item.into()).into()
}
