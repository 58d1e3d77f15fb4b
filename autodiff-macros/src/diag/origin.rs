//! Where an IR node came from.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// The first and the last token of a construct. On stable Rust a joined span is not to be had, and
/// `.span()` underlines the first token only; an error made from both ends underlines the whole.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    first: Span,
    last: Span,
}

impl Origin {
    /// The origin of a piece of syntax.
    pub fn of(node: &impl ToTokens) -> Self {
        let mut spans = node.to_token_stream().into_iter().map(|token| match token {
            TokenTree::Group(group) => (group.span_open(), group.span_close()),
            other => (other.span(), other.span()),
        });
        let (first, end) = spans.next().unwrap_or((Span::call_site(), Span::call_site()));
        Origin { first, last: spans.last().map_or(end, |(_, close)| close) }
    }

    /// The origin of something of ours.
    pub fn none() -> Self {
        Origin { first: Span::mixed_site(), last: Span::mixed_site() }
    }

    /// The span of the first token.
    pub fn span(self) -> Span {
        self.first
    }
}

impl ToTokens for Origin {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend([Ident::new("first", self.first), Ident::new("last", self.last)].map(TokenTree::from));
    }
}
