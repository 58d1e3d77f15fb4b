//! Methods as functions: `self` becomes a parameter, for the body to be compiled like any other.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{FnArg, Generics, ItemFn, Receiver, ReceiverKind, Type, parse_quote, parse_quote_spanned};

/// The parameter that `self` becomes.
pub const RECEIVER: &str = "__this";

/// What is to be known of a function in an `impl` block.
#[derive(Clone, Default)]
pub struct Method {
    /// The generics of the block, where the attribute stands on that.
    pub outer: Generics,
    /// The block's type, where the attribute stands on the block.
    pub owner: Option<Type>,
}

/// Whether a function stands in an `impl` block, as far as that can be seen: it has a receiver, or speaks of `Self`.
pub fn is_method(function: &ItemFn) -> bool {
    struct Search(bool);
    impl<'ast> Visit<'ast> for Search {
        fn visit_ident(&mut self, ident: &'ast Ident) {
            self.0 |= ident == "Self";
        }
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut search = Search(function.sig.receiver().is_some());
    search.visit_item_fn(function);
    search.0
}

/// How a receiver is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    Value,
    Shared,
    Mutable,
}

/// The method as a function of its receiver, which is passed by reference: one that is passed by value is cloned.
pub fn as_function(mut function: ItemFn) -> ItemFn {
    let Some(FnArg::Receiver(receiver)) = function.sig.inputs.first().cloned() else { return function };
    // Any other is refused with the other parameters.
    let Some(taken) = taken(&receiver) else { return function };
    ToThis.visit_block_mut(&mut function.block);
    let (name, span) = (Ident::new(RECEIVER, receiver.self_token.span), receiver.self_token.span);
    if taken == Taken::Value {
        let mutability = receiver.mutability;
        function.block.stmts.insert(0, parse_quote!(let #mutability #name = #name.clone();));
    }
    let attributes = &receiver.attrs;
    function.sig.inputs[0] = match taken {
        Taken::Mutable => parse_quote_spanned!(span=> #(#attributes)* #name: &mut Self),
        Taken::Shared | Taken::Value => parse_quote_spanned!(span=> #(#attributes)* #name: &Self),
    };
    function
}

fn taken(receiver: &Receiver) -> Option<Taken> {
    let by_reference = |mutable: bool| if mutable { Taken::Mutable } else { Taken::Shared };
    match &receiver.kind {
        ReceiverKind::Value => Some(Taken::Value),
        ReceiverKind::Reference(_, _, mutability) => Some(by_reference(mutability.is_some())),
        ReceiverKind::Typed(_, ty) => match &**ty {
            Type::Path(path) if path.path.is_ident("Self") => Some(Taken::Value),
            Type::Reference(reference) => Some(by_reference(reference.mutability.is_some())),
            _ => None,
        },
        _ => None,
    }
}

/// Writes the parameter for `self`.
struct ToThis;

impl VisitMut for ToThis {
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        if path.is_ident("self") {
            let span = path.segments[0].ident.span();
            path.segments[0].ident = Ident::new(RECEIVER, span);
        }
        syn::visit_mut::visit_path_mut(self, path);
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        mac.tokens = replaced(std::mem::take(&mut mac.tokens));
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

fn replaced(tokens: TokenStream) -> TokenStream {
    let replace = |token| match token {
        TokenTree::Ident(ident) if ident == "self" => Ident::new(RECEIVER, ident.span()).to_token_stream(),
        TokenTree::Group(group) => {
            let mut new = proc_macro2::Group::new(group.delimiter(), replaced(group.stream()));
            new.set_span(group.span());
            TokenTree::Group(new).to_token_stream()
        }
        other => other.to_token_stream(),
    };
    tokens.into_iter().map(replace).collect()
}

/// The name of a derivative of a method: `energy_gradient`.
pub fn prefixed(method: &Ident, function: &str, span: proc_macro2::Span) -> Ident {
    let mut name = format_ident!("{}_{function}", method);
    name.set_span(span);
    name
}
