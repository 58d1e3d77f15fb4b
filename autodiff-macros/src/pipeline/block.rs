//! The attribute on a whole `impl` block: each of its functions is differentiated, or those that are marked.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{FnArg, ImplItem, ImplItemFn, ItemFn, ItemImpl, ReturnType, Type, Visibility, parse_quote};

use crate::diag::Diagnostics;
use crate::parse::{self, Method, Options};

/// The block as it is, and beside it one with the derivatives of its functions.
pub fn expand(options: &Options, mut block: ItemImpl, diagnostics: &mut Diagnostics) -> TokenStream {
    let any_marked = functions(&block).any(is_marked);
    let of_trait = block.trait_.is_some();
    let mut derivatives = TokenStream::new();
    for function in functions(&block) {
        let wanted = if any_marked { is_marked(function) } else { !returns_reference(function) };
        if !wanted {
            continue;
        }
        let mut found = Diagnostics::default();
        let method = Method { outer: block.generics.clone(), owner: Some((*block.self_ty).clone()) };
        let mut primal = parse::of(as_function(function, of_trait), options.clone(), Some(method), &mut found);
        if any_marked || primal.is_active() {
            diagnostics.append(found);
            derivatives.extend(super::derivatives(&mut primal, diagnostics));
        }
    }
    for item in &mut block.items {
        if let ImplItem::Fn(function) = item {
            strip(function);
        }
    }
    let (parameters, _, clause) = block.generics.split_for_impl();
    let (ty, cfgs) = (&block.self_ty, block.attrs.iter().filter(|attribute| attribute.path().is_ident("cfg")));
    let errors = std::mem::take(diagnostics).into_tokens();
    quote! {
        #block
        #(#cfgs)*
        impl #parameters #ty #clause {
            #derivatives
        }
        #errors
    }
}

fn functions(block: &ItemImpl) -> impl Iterator<Item = &ImplItemFn> {
    block.items.iter().filter_map(|item| match item {
        ImplItem::Fn(function) => Some(function),
        _ => None,
    })
}

fn is_mark(attribute: &syn::Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == "differentiate")
}

fn is_marked(function: &ImplItemFn) -> bool {
    function.attrs.iter().any(is_mark)
}

fn returns_reference(function: &ImplItemFn) -> bool {
    matches!(&function.sig.output, ReturnType::Type(_, ty) if matches!(**ty, Type::Reference(_)))
}

/// The function by itself. One of a trait is as visible as that, which nothing here says.
fn as_function(function: &ImplItemFn, of_trait: bool) -> ItemFn {
    let ImplItemFn { mut attrs, vis, modifiers, sig, block } = function.clone();
    attrs.retain(|attribute| !is_mark(attribute));
    let vis: Visibility = if of_trait { parse_quote!(pub) } else { vis };
    ItemFn { attrs, vis, modifiers, sig, block: Box::new(block) }
}

/// Takes our attributes off.
fn strip(function: &mut ImplItemFn) {
    function.attrs.retain(|attribute| !is_mark(attribute));
    for input in &mut function.sig.inputs {
        let (FnArg::Receiver(syn::Receiver { attrs, .. }) | FnArg::Typed(syn::PatType { attrs, .. })) = input;
        attrs.retain(|attribute| !attribute.path().is_ident("constant"));
    }
}

/// The item, if it is an `impl` block.
pub fn parsed(item: &TokenStream) -> Option<ItemImpl> {
    syn::parse2(item.to_token_stream()).ok()
}
