//! Calls: of what the user calls, and of the derivatives beside it.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Path, PathArguments};

use super::space::Space;
use super::writer::Writer;
use crate::ir::{Argument, Block, Callee, Op, Stmt, walk};

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
        let function = path(callee, function);
        quote!(#function(#(#args),*))
    }

    /// A zero shadow for the callee's parameter of this position, of the shape of `of`; the receiver's is its own.
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
            (Callee::Method { name, .. }, Some(receiver)) if position > 0 => {
                let (receiver, name) = (self.receiver(receiver), format_ident!("{name}_{function}"));
                quote!(#receiver.#name(#of))
            }
            (Callee::Method { name, .. }, _) => {
                let name = format_ident!("{name}_{function}");
                quote!((#of).#name())
            }
            _ => {
                let scratch = path(callee, Some(&function));
                quote!(#scratch(#of))
            }
        }
    }
}

/// What makes the derivatives of nalgebra's methods callable in a sweep, where methods are called.
pub fn scope(block: &Block, library: &Path) -> Option<TokenStream> {
    let mut methods = false;
    walk::statements(block, &mut |stmt| {
        methods |= matches!(stmt, Stmt::Let { op: Op::Call { callee, .. } | Op::Scratch { callee, .. }, .. } if callee.is_method());
    });
    methods.then(|| quote!(#[allow(unused_imports)] use #library::methods::scope::*;))
}

/// The path of what is no method, or of its derivative `function`.
fn path(callee: &Callee, function: Option<&str>) -> TokenStream {
    match (callee, function) {
        (Callee::Function(path) | Callee::Associated(path), None) => path.to_token_stream(),
        (Callee::Function(path), Some(function)) => beside(path, function, false),
        (Callee::Associated(path), Some(function)) => beside(path, function, true),
        (Callee::Method { .. }, _) => unreachable!("a method is called with its receiver"),
    }
}

/// The path of a derivative: `g::<N>` and `pullback` give `g::pullback::<N>`, `Type::g` gives `Type::g_pullback`. What is
/// beside `g::gradient` is beside `g` too: `g::gradient_order_2_pullback`.
fn beside(path: &Path, function: &str, associated: bool) -> TokenStream {
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
    if associated {
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
