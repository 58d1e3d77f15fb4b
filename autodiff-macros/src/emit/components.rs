//! Loops over the components of several matrices at once.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::writer::Writer;
use crate::ir::{Argument, Operand, Projection};

/// `for ((a, b), c) in x.iter().zip(y.iter()).zip(z.iter_mut()) { body }`, from patterns and iterators.
pub fn each(iterators: Vec<(TokenStream, TokenStream)>, body: &TokenStream) -> TokenStream {
    let mut iterators = iterators.into_iter();
    let Some((mut pattern, mut iterator)) = iterators.next() else { return TokenStream::new() };
    for (next_pattern, next) in iterators {
        pattern = quote!((#pattern, #next_pattern));
        iterator = quote!(#iterator.zip(#next));
    }
    quote!(for #pattern in #iterator { #body })
}

/// The whole of an input, to call a method of it.
pub fn whole(writer: &mut Writer<'_>, input: &Argument) -> TokenStream {
    match input {
        Argument::Value(Operand::Var(var)) => writer.name(*var).to_token_stream(),
        Argument::Value(Operand::Const(expr)) => expr.to_token_stream(),
        Argument::Ref { place, .. } => match place.projections.as_slice() {
            [] | [Projection::Deref] => writer.name(place.root).to_token_stream(),
            _ => writer.place(place),
        },
    }
}
