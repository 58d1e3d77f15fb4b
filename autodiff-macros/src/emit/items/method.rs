//! The derivatives of a method: functions beside it in its block, called like it.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::visit_mut::VisitMut;
use syn::{FnArg, Ident, ImplItemFn, Pat, Type, parse_quote};

use super::{Items, Slot};
use crate::emit::space::Space;
use crate::emit::types::elided;
use crate::parse::Passing;
use crate::parse::method::RECEIVER;

/// What callers with a receiver that can be written call: by that they do not know whether the method does.
const LENT: [&str; 5] = ["pullback", "recursive", "pushforward", "pushforward_lanes", "order_2"];

impl Items<'_> {
    fn receiver(&self) -> Option<&Slot<'_>> {
        self.primal.method.as_ref()?;
        self.slots.first().filter(|slot| slot.name == RECEIVER)
    }

    /// The receiver as the first of the parameters of what does not read it.
    pub(super) fn receiver_param(&self) -> Option<TokenStream> {
        let name = &self.receiver()?.name;
        Some(quote!(#name: &Self,))
    }

    /// Whether it is a method of a receiver that it only reads.
    fn reads_receiver(&self) -> bool {
        self.receiver().is_some_and(|receiver| receiver.param.passing == Passing::Shared)
    }

    /// Whether callers may take it for a recursive one: they know its name only.
    pub(super) fn may_be_recursive(&self) -> bool {
        // A boxed closure cannot borrow what lifetimes with names say.
        let named = self.has_lifetimes() || self.primal.function.sig.generics.lifetimes().next().is_some();
        cfg!(feature = "alloc") && self.receiver().is_some() && !named
    }

    /// The name of one of the functions, by which callers of a receiver that can be written find it.
    pub(super) fn own(&self, function: &str) -> Ident {
        let writes = self.receiver().is_some() && !self.reads_receiver() && LENT.contains(&function);
        if writes { self.primal.derivative(&format!("{function}_mut")) } else { self.primal.derivative(function) }
    }

    /// A type without the block's lifetimes, which the sweeps' closure is not to hold: `Self` written out.
    pub(super) fn without_lifetimes(&self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        if let Some(owner) = self.primal.method.as_ref().and_then(|method| method.owner.as_ref())
            && self.has_lifetimes()
        {
            WrittenOut(owner).visit_type_mut(&mut ty);
        }
        elided(&ty)
    }

    /// Whether the block has lifetimes.
    fn has_lifetimes(&self) -> bool {
        self.primal.method.iter().any(|method| method.outer.lifetimes().next().is_some())
    }

    /// `functions` with receivers, to stand beside the method.
    pub(super) fn beside_method(&self, functions: &TokenStream, attributes: &TokenStream) -> TokenStream {
        let block: syn::ItemImpl = parse_quote!(impl Self { #functions });
        let functions = block.items.into_iter().map(|item| match item {
            syn::ImplItem::Fn(function) => with_receiver(function),
            other => other.to_token_stream(),
        });
        functions.map(|function| quote!(#attributes #function)).collect()
    }

    /// The pullback `function` for a receiver that can be written: what the reverse sweep reads of it is held.
    pub(super) fn lent_pullback(&self, function: &str) -> Option<TokenStream> {
        if !self.reads_receiver() {
            return None;
        }
        let (library, result, back, captures) = (self.library(), &self.primal.result.ty, self.closure_result(), self.captured(true));
        let lent: Vec<&Ident> = self.receivers().map(|slot| &slot.name).collect();
        let all = self.closure_params();
        let kept: Vec<_> = all.iter().filter(|(name, _)| !lent.contains(&name)).collect();
        let (names, types): (Vec<_>, Vec<_>) = kept.into_iter().map(|(name, ty)| (name, ty)).unzip();
        let boxed = function == "recursive";
        let output = if boxed {
            quote!((#result, #library::save::Box<dyn ::core::ops::Fn(#(#types),*) #back>))
        } else {
            quote!((#result, impl ::core::ops::Fn(#(#types),*) #back #captures))
        };
        let (name, arguments) = (self.own(function), self.arguments());
        let signature = self.lent_signature(function, &output);
        let again = all.iter().map(|(name, _)| if lent.contains(&name) { quote!(&#name) } else { quote!(#name) });
        let closure = quote!(move |#(#names: #types),*| __back(#(#again),*));
        let closure = if boxed { quote!(#library::save::Box::new(#closure)) } else { closure };
        Some(quote! {
            #[doc(hidden)]
            #signature {
                let (__value, __back) = Self::#name(#(#arguments),*);
                #(let #lent = ::core::clone::Clone::clone(#lent);)*
                (__value, #closure)
            }
        })
    }

    /// The tangent sweep for a receiver that can be written: so can its tangent.
    pub(super) fn lent_pushforward(&self, space: Space) -> Option<TokenStream> {
        if !self.reads_receiver() {
            return None;
        }
        let (function, names) = (space.pushforward(), self.names());
        let dots: Vec<Ident> = self.slots.iter().map(|slot| super::dot_name(&names, slot.position)).collect();
        let tangents = self.slots.iter().zip(&dots).map(|(slot, dot)| {
            let passing = if slot.position == 0 { Passing::Mutable } else { slot.param.passing };
            let ty = self.tangent_type(slot, passing, space);
            quote!(#dot: #ty)
        });
        let params: Vec<_> = self.lent_params().into_iter().chain(tangents).collect();
        let signature = self.signature_with(&format!("{function}_mut"), &self.generics(space), &params, &self.pushed_type(space));
        let name = self.own(function);
        Some(quote!(#[doc(hidden)] #signature { Self::#name(#(#names,)* #(#dots),*) }))
    }

    /// The receiver, and its tangent where that is a parameter too.
    fn receivers(&self) -> impl Iterator<Item = &Slot<'_>> {
        let tangent = self.slots.len() / 2;
        let doubled = self.primal.function.sig.inputs.len() < self.slots.len();
        self.slots.iter().filter(move |slot| slot.position == 0 || (doubled && slot.position == tangent))
    }

    /// The parameters, receivers to be written.
    fn lent_params(&self) -> Vec<TokenStream> {
        let lent: Vec<usize> = self.receivers().map(|slot| slot.position).collect();
        let params = self.slots.iter().map(|slot| {
            let (name, ty) = (&slot.name, &slot.param.ty);
            match ty {
                syn::Type::Reference(reference) if lent.contains(&slot.position) => {
                    let inner = &reference.elem;
                    quote!(#name: &mut #inner)
                }
                _ => quote!(#name: #ty),
            }
        });
        params.collect()
    }

    fn lent_signature(&self, function: &str, output: &TokenStream) -> TokenStream {
        let mut generics = self.primal.function.sig.generics.clone();
        // Asked of those who call it: see `repeating`.
        generics.make_where_clause().predicates.push(parse_quote!(for<'__a> Self: ::core::clone::Clone));
        self.signature_with(&format!("{function}_mut"), &generics, &self.lent_params(), output)
    }
}

/// Writes a type for `Self`.
struct WrittenOut<'a>(&'a Type);

impl VisitMut for WrittenOut<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        match ty {
            Type::Path(path) if path.path.is_ident("Self") => *ty = self.0.clone(),
            other => syn::visit_mut::visit_type_mut(self, other),
        }
    }
}

/// A function whose first parameter stands for `self`, as a method.
fn with_receiver(mut function: ImplItemFn) -> TokenStream {
    let Some(FnArg::Typed(first)) = function.sig.inputs.first() else { return function.to_token_stream() };
    let (Pat::Ident(name), syn::Type::Reference(reference)) = (&*first.pat, &*first.ty) else { return function.to_token_stream() };
    if name.ident != RECEIVER {
        return function.to_token_stream();
    }
    let (name, mutability) = (name.ident.clone(), reference.mutability);
    function.sig.inputs[0] = parse_quote!(& #mutability self);
    function.block.stmts.insert(0, parse_quote!(let #name = self;));
    function.to_token_stream()
}
