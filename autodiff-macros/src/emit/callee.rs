//! Calls: of what the user calls, and of the derivatives beside it.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Path, PathArguments};

use super::space::Space;
use super::writer::Writer;
use crate::ir::{Argument, Callee};

impl Writer<'_> {
    /// A call of `callee`, or of its derivative `function`.
    pub fn call(&mut self, callee: &Callee, function: Option<&str>, args: &[Argument]) -> TokenStream {
        if let (Callee::Method { name, mutable }, Some((receiver, rest))) = (callee, args.split_first()) {
            let receiver = self.receiver(receiver);
            let rest: Vec<_> = rest.iter().map(|arg| self.argument(arg)).collect();
            let lent = if *mutable { "_mut" } else { "" };
            let name = function.map_or_else(|| name.clone(), |function| format_ident!("{name}_{function}{lent}"));
            return quote!(#receiver.#name(#(#rest),*));
        }
        let args: Vec<_> = args.iter().map(|arg| self.argument(arg)).collect();
        let path = match function {
            Some(function) => beside(callee, function),
            None => callee.to_token_stream(),
        };
        quote!(#path(#(#args),*))
    }

    /// A zero shadow for the callee's parameter of this position, of the shape of `of`.
    pub fn scratch(
        &mut self,
        callee: &Callee,
        receiver: Option<&Argument>,
        position: usize,
        of: &TokenStream,
        space: Space,
    ) -> TokenStream {
        let function = format!("{}_{position}", space.scratch());
        match (callee, receiver) {
            (Callee::Method { name, .. }, Some(receiver)) => {
                let (receiver, name) = (self.receiver(receiver), format_ident!("{name}_{function}"));
                if position == 0 { quote!(#receiver.#name()) } else { quote!(#receiver.#name(#of)) }
            }
            (Callee::Method { name, .. }, None) => {
                let name = format_ident!("{name}_{function}");
                quote!((#of).#name())
            }
            _ => {
                let scratch = beside(callee, &function);
                quote!(#scratch(#of))
            }
        }
    }
}

impl ToTokens for Callee {
    fn to_tokens(&self, out: &mut TokenStream) {
        match self {
            Callee::Function(path) | Callee::Associated(path) => path.to_tokens(out),
            Callee::Method { name, .. } => name.to_tokens(out),
        }
    }
}

/// The path of a derivative: `g::<N>` and `pullback` give `g::pullback::<N>`, `Type::g` gives `Type::g_pullback`. What is
/// beside `g::gradient` is beside `g` too: `g::gradient_order_2_pullback`.
fn beside(callee: &Callee, function: &str) -> TokenStream {
    let (Callee::Function(path) | Callee::Associated(path)) = callee else { return callee.to_token_stream() };
    let mut path = path.clone();
    // The argument of a scratch tells all that its type mentions.
    let inferred = function.starts_with("scratch");
    let mut function = function.to_owned();
    if let Some(arguments) = take_gradient(&mut path) {
        if !inferred {
            function = format!("gradient_order_2_{function}");
        }
        if let Some(last) = path.segments.last_mut() {
            last.arguments = arguments;
        }
    }
    let Some(last) = path.segments.last_mut() else { return TokenStream::new() };
    let arguments = match std::mem::replace(&mut last.arguments, PathArguments::None) {
        PathArguments::AngleBracketed(mut angle) if !inferred => {
            angle.colon2_token.get_or_insert_default();
            if function == Space::Lanes.pushforward() {
                // How many lanes there are is told by the tangents.
                angle.args.push(syn::parse_quote!(_));
            }
            angle.to_token_stream()
        }
        _ => TokenStream::new(),
    };
    if let Callee::Associated(_) = callee {
        last.ident = format_ident!("{}_{function}", last.ident, span = last.ident.span());
        return quote!(#path #arguments);
    }
    let function = format_ident!("{function}", span = last.ident.span());
    quote!(#path::#function #arguments)
}

/// Takes `::gradient` off a path; its generic arguments.
fn take_gradient(path: &mut Path) -> Option<PathArguments> {
    if path.segments.len() < 2 || path.segments.last()?.ident != "gradient" {
        return None;
    }
    let last = path.segments.pop()?;
    path.segments.pop_punct();
    Some(last.arguments)
}
