//! The `#[differentiate]` attribute.
use proc_macro::TokenStream;

/// Differentiates a function.
#[proc_macro_attribute]
pub fn differentiate(_attribute: TokenStream, item: TokenStream) -> TokenStream {
    item
}
