//! The attribute on a whole `impl` block: each of its functions is differentiated, or those that are marked.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{ImplItem, ImplItemFn, ItemFn, ItemImpl, ReturnType, Type, Visibility, parse_quote};

use crate::diag::{Diagnostics, Origin, Refusal};
use crate::ir::Ty;
use crate::parse::types::classify;
use crate::parse::{self, Method, Options};

/// The block as it is, and beside it one with the derivatives of its functions.
pub fn expand(options: &Options, mut block: ItemImpl, diagnostics: &mut Diagnostics) -> TokenStream {
    if let Some(operator) = super::operator::of(&block) {
        let derivatives = super::operator::expand(options, &operator, diagnostics);
        functions_mut(&mut block).for_each(strip);
        let errors = std::mem::take(diagnostics).into_tokens();
        return quote!(#block #derivatives #errors);
    }
    if !is_own(&block.self_ty) {
        diagnostics.refuse(Origin::of(&block.self_ty), Refusal::ForeignBlock);
        functions_mut(&mut block).for_each(strip);
        let errors = std::mem::take(diagnostics).into_tokens();
        return quote!(#block #errors);
    }
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
    functions_mut(&mut block).for_each(strip);
    // What is asked of a float type is asked of all that stands beside.
    let mut generics = block.generics.clone();
    for float in parse::generic::floats([&block.generics]) {
        parse::generic::ask(&mut generics, &float, &options.library);
    }
    let (parameters, _, clause) = generics.split_for_impl();
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

pub(super) fn functions(block: &ItemImpl) -> impl Iterator<Item = &ImplItemFn> {
    block.items.iter().filter_map(|item| match item {
        ImplItem::Fn(function) => Some(function),
        _ => None,
    })
}

fn functions_mut(block: &mut ItemImpl) -> impl Iterator<Item = &mut ImplItemFn> {
    block.items.iter_mut().filter_map(|item| match item {
        ImplItem::Fn(function) => Some(function),
        _ => None,
    })
}

/// Whether a type may be one of the user's crate.
fn is_own(ty: &Type) -> bool {
    match ty {
        Type::Paren(inner) => is_own(&inner.elem),
        Type::Group(inner) => is_own(&inner.elem),
        Type::Path(path) => path.qself.is_none() && classify(ty) == Ty::Unknown,
        _ => false,
    }
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
    parse::signature::strip(&mut function.sig);
}
