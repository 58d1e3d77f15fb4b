//! The functions in the namespace of a differentiated function.

mod dense;
mod forward_mode;
mod method;
mod pullback;
mod reverse_mode;
mod second_order;
mod traits;

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{GenericParam, Generics, Ident};

use super::space::Space;
use super::types::{is_slice, tangent};
use super::{Sweeps, Tangents};
use crate::parse::{Param, Passing, Primal};

/// A parameter in a generated signature.
struct Slot<'a> {
    param: &'a Param,
    position: usize,
    name: Ident,
    /// Its cotangent's name in the reverse sweep.
    bar: Ident,
    /// Its cotangent's name in signatures.
    shadow: Ident,
}

/// What all generated functions of one primal share.
struct Items<'a> {
    primal: &'a Primal,
    slots: Vec<Slot<'a>>,
    seed: Ident,
}

/// The type and its functions.
pub fn items(primal: &Primal, sweeps: &Sweeps, tangents: &Tangents, second: Option<&(Primal, Sweeps)>) -> TokenStream {
    let items = of(primal, sweeps);
    let pullback = items.pullback("pullback", Some(sweeps));
    let pushforward = items.forward_mode(tangents);
    let second = second.map(|(tangents, sweeps)| items.second_order(tangents, &of(tangents, sweeps), Some(sweeps)));
    items.namespace(&pullback, &pushforward, second.as_ref(), true)
}

fn of<'a>(primal: &'a Primal, sweeps: &Sweeps) -> Items<'a> {
    let names = &sweeps.names;
    let slots = primal.params.iter().enumerate().map(|(position, param)| Slot {
        param,
        position,
        name: names.params[position].clone(),
        bar: names.bars[position].clone(),
        shadow: shadow_name(&names.params, position),
    });
    Items { primal, slots: slots.collect(), seed: names.seed.clone() }
}

/// `x_bar` for `x`, unless that is a parameter itself.
fn shadow_name(params: &[Ident], position: usize) -> Ident {
    derived_name(params, position, "bar", "shadow")
}

/// `x_dot` for `x`, unless that is a parameter itself.
fn dot_name(params: &[Ident], position: usize) -> Ident {
    derived_name(params, position, "dot", "tangent")
}

fn derived_name(params: &[Ident], position: usize, usual: &str, other: &str) -> Ident {
    let whole = params[position].unraw().to_string();
    let taken = |name: &str| params.iter().any(|param| param.unraw() == name);
    let plain = whole.trim_start_matches('_');
    let plain = if taken(plain) { &whole } else { plain };
    let more = (1..).map(|count| format!("{plain}_{other}{}", "_".repeat(count - 1)));
    let name = std::iter::once(format!("{plain}_{usual}")).chain(more).find(|name| !taken(name.as_str()));
    Ident::new(&name.expect("one of endlessly many"), params[position].span())
}

/// The same with bodies that only say that there was an error.
pub fn stubs(primal: &Primal) -> TokenStream {
    let items = stub_of(primal);
    let pullback = items.pullback("pullback", None);
    let pushforward = items.forward_mode(&Tangents { single: None, lanes: None });
    let second = primal.options.second.then(|| {
        let tangents = crate::second::signature(primal);
        items.second_order(&tangents, &stub_of(&tangents), None)
    });
    items.namespace(&pullback, &pushforward, second.as_ref(), false)
}

fn stub_of(primal: &Primal) -> Items<'_> {
    let slots = primal.params.iter().enumerate().map(|(position, param)| Slot {
        param,
        position,
        name: format_ident!("__argument{position}"),
        bar: format_ident!("__argument{position}_bar"),
        shadow: format_ident!("__argument{position}_shadow"),
    });
    Items { primal, slots: slots.collect(), seed: format_ident!("__seed") }
}

/// Whether a type mentions a generic parameter.
fn mentions(ty: &syn::Type, param: &GenericParam) -> bool {
    let name = match param {
        GenericParam::Lifetime(param) => param.lifetime.ident.to_string(),
        GenericParam::Type(param) => param.ident.to_string(),
        GenericParam::Const(param) => param.ident.to_string(),
    };
    fn search(tokens: TokenStream, name: &str) -> bool {
        tokens.into_iter().any(|token| match token {
            proc_macro2::TokenTree::Ident(ident) => ident == name,
            proc_macro2::TokenTree::Group(group) => search(group.stream(), name),
            _ => false,
        })
    }
    search(ty.to_token_stream(), &name)
}

/// Functions that take anything and return nothing: the signature does not say what they would.
pub fn nameless(primal: &Primal) -> TokenStream {
    let (vis, name) = (&primal.function.vis, primal.namespace());
    let functions = ["gradient", "gradient_into", "vjp", "forward", "jvp", "jvp_lanes", "jacobian", "hvp", "hessian", "hessian_diagonal"]
        .map(|function| {
            let count = primal.params.len() + usize::from(function == "vjp");
            let function = primal.derivative(function);
            let types: Vec<_> = (0..count).map(|position| format_ident!("__T{position}")).collect();
            quote!(#vis fn #function<#(#types),*>(#(_: #types),*) -> ! { ::core::panic!() })
        });
    if primal.method.is_some() {
        return quote!(#(#functions)*);
    }
    quote! {
        #vis enum #name {}
        impl #name { #(#functions)* }
    }
}

impl Items<'_> {
    fn library(&self) -> &syn::Path {
        &self.primal.options.library
    }

    fn namespace(&self, pullback: &TokenStream, pushforward: &TokenStream, second: Option<&TokenStream>, complete: bool) -> TokenStream {
        let (vis, name) = (&self.primal.function.vis, self.primal.namespace());
        let cfgs = self.primal.function.attrs.iter().filter(|attribute| attribute.path().is_ident("cfg"));
        let cfgs: Vec<_> = cfgs.collect();
        // What the user allows in the function is allowed in its sweeps.
        let attributes = &self.primal.function.attrs;
        let mut levels: Vec<_> =
            attributes.iter().filter(|attribute| attribute.path().is_ident("allow")).map(ToTokens::to_token_stream).collect();
        if attributes.iter().any(|attribute| attribute.path().is_ident("deprecated")) {
            levels.push(quote!(#[allow(deprecated)]));
        }
        let doc = format!("The derivatives of the function `{}`.", self.primal.function.sig.ident);
        let scratches = self.slots.iter().map(|slot| self.scratch(slot, Space::Single));
        let own = if self.owns_cotangents() || !complete {
            let (forward, adjoint, vjp) = (self.forward(), self.adjoint(), self.vjp());
            let gradient = self.gradient();
            let jacobian = self.jacobian();
            quote!(#forward #adjoint #vjp #gradient #jacobian)
        } else {
            TokenStream::new()
        };
        let derivatives =
            self.derivatives().filter(|_| self.primal.method.is_none()).map(|implementation| quote!(#(#cfgs)* #(#levels)* #implementation));
        let used = self.primal_is_used();
        let recursive = (self.primal.is_recursive() || self.may_be_recursive()).then(|| self.recursive());
        let into = (self.result_is_float() || self.result_is_unit()).then(|| self.gradient_into());
        if self.primal.method.is_some() {
            let functions = quote!(#pullback #used #recursive #own #into #pushforward #second #(#scratches)*);
            return self.beside_method(&functions, &quote!(#(#cfgs)* #(#levels)*));
        }
        quote! {
            #[doc = #doc]
            #(#cfgs)*
            #vis enum #name {}

            #(#cfgs)*
            #(#levels)*
            impl #name {
                #pullback
                #used
                #recursive
                #own
                #into
                #pushforward
                #second
                #(#scratches)*
            }

            #derivatives
        }
    }

    /// Whether the cotangents of all parameters can be owned: those of slices need a heap.
    fn owns_cotangents(&self) -> bool {
        cfg!(feature = "alloc")
            || !self.slots.iter().any(|slot| slot.param.active && slot.param.passing == Passing::Shared && is_slice(&slot.param.ty))
    }

    fn result_is_float(&self) -> bool {
        self.primal.result.known.is_float()
    }

    fn result_is_unit(&self) -> bool {
        matches!(&self.primal.result.known, crate::ir::Ty::Tuple(elements) if elements.is_empty())
    }

    fn params(&self) -> Vec<TokenStream> {
        let param = |slot: &Slot<'_>| {
            let (name, ty) = (&slot.name, &slot.param.ty);
            quote!(#name: #ty)
        };
        self.slots.iter().map(param).collect()
    }

    /// The parameters for the body of the sweeps, which may change them.
    fn mutable_params(&self) -> Vec<TokenStream> {
        let param = |slot: &Slot<'_>| {
            let (name, ty) = (&slot.name, &slot.param.ty);
            let mutable = match &slot.param.pattern {
                syn::Pat::Ident(ident) if slot.param.passing == Passing::Value => ident.mutability.map(|_| quote!(mut)),
                _ => None,
            };
            quote!(#mutable #name: #ty)
        };
        self.slots.iter().map(param).collect()
    }

    fn names(&self) -> Vec<Ident> {
        self.slots.iter().map(|slot| slot.name.clone()).collect()
    }

    fn arguments(&self) -> Vec<&Ident> {
        self.slots.iter().map(|slot| &slot.name).collect()
    }

    fn seed_type(&self) -> TokenStream {
        tangent(&self.primal.result.ty, self.library())
    }

    fn signature(&self, name: &str, params: &[TokenStream], output: &TokenStream) -> TokenStream {
        self.signature_with(name, &self.primal.function.sig.generics, params, output)
    }

    fn signature_with(&self, name: &str, generics: &Generics, params: &[TokenStream], output: &TokenStream) -> TokenStream {
        let (vis, clause) = (&self.primal.function.vis, &generics.where_clause);
        let name = self.own(name);
        // Clippy's limit for a function; ours take the shadows too.
        let many = (params.len() > 7).then(|| quote!(#[allow(clippy::too_many_arguments)]));
        // Ours are added to the user's.
        let bounds = self.primal.float.as_ref().map(|_| quote!(#[allow(clippy::multiple_bound_locations)]));
        quote!(#many #bounds #[inline] #vis fn #name #generics (#(#params),*) -> #output #clause)
    }

    /// Brings the payloads of `Option` and `Result` into the scope of a sweep that speaks of them.
    fn payloads(&self, sweep: &[&TokenStream]) -> Option<TokenStream> {
        let library = self.library();
        let speaks = sweep.iter().any(|tokens| contains(tokens, "__payload_Some_") || contains(tokens, "__payload_Ok_"));
        speaks.then(|| {
            quote! {
                #[allow(unused_imports)]
                use #library::payload::{OkPayload as _, SomePayload as _};
            }
        })
    }

    fn doc(text: &str) -> TokenStream {
        quote!(#[doc = #text])
    }
}

/// Whether an identifier in the tokens begins with `start`.
fn contains(tokens: &TokenStream, start: &str) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => ident.to_string().starts_with(start),
        proc_macro2::TokenTree::Group(group) => contains(&group.stream(), start),
        _ => false,
    })
}
