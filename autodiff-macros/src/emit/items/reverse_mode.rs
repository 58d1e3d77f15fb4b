//! The functions of reverse mode that users call, made of the pullback.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{GenericArgument, PathArguments, Type};

use super::{Items, Slot};
use crate::emit::types::{at, behind, is_slice, projection, shadow, tangent};
use crate::ir::Ty;
use crate::parse::Passing;

impl Items<'_> {
    /// Active parameters that are passed by value or by shared reference: their cotangents are owned.
    pub(super) fn owned(&self) -> impl Iterator<Item = &Slot<'_>> {
        self.slots.iter().filter(|slot| slot.param.active && slot.param.passing != Passing::Mutable)
    }

    /// Active `&mut` parameters, whose shadows the caller gives.
    pub(super) fn outputs(&self) -> impl Iterator<Item = &Slot<'_>> {
        self.slots.iter().filter(|slot| slot.param.active && slot.param.passing == Passing::Mutable)
    }

    fn owned_type(&self, slot: &Slot<'_>) -> TokenStream {
        let ty = behind(&slot.param.ty);
        if is_slice(&slot.param.ty) { projection(ty, self.library()) } else { tangent(ty, self.library()) }
    }

    pub(super) fn bundle(parts: Vec<TokenStream>) -> TokenStream {
        if parts.len() == 1 { quote!(#(#parts)*) } else { quote!((#(#parts),*)) }
    }

    pub(super) fn owned_types(&self) -> TokenStream {
        let types: Vec<_> = self.owned().map(|slot| self.owned_type(slot)).collect();
        let span = self.doubtful_span();
        if types.len() == 1 { quote!(#(#types)*) } else { quote_spanned!(span=> (#(#types),*)) }
    }

    /// Where an error about the types of cotangents belongs: at the first type of which we know nothing.
    pub(super) fn doubtful_span(&self) -> Span {
        let doubtful = self.owned().find(|slot| *slot.param.known.peeled() == Ty::Unknown);
        doubtful.map_or_else(Span::call_site, |slot| behind(&slot.param.ty).span())
    }

    fn owned_values(&self) -> TokenStream {
        Self::bundle(self.owned().map(|slot| slot.shadow.to_token_stream()).collect())
    }

    fn shadow_params(&self) -> Vec<TokenStream> {
        let library = self.library();
        self.outputs()
            .map(|slot| {
                let (bar, ty) = (&slot.shadow, shadow(&slot.param.ty, library));
                quote!(#bar: &mut #ty)
            })
            .collect()
    }

    /// `let mut x_bar = ..;` for shared references, then the closure's results.
    pub(super) fn pull(&self, seed: &TokenStream) -> TokenStream {
        let declare = self.owned().filter(|slot| slot.param.passing == Passing::Shared).map(|slot| {
            let (bar, name) = (&slot.shadow, &slot.name);
            let (ty, behind) = (self.owned_type(slot), behind(&slot.param.ty));
            let library = at(self.library(), behind);
            quote_spanned!(behind.span()=> let mut #bar: #ty = <#behind as #library::Differentiable>::zero_tangent(#name);)
        });
        let declare: Vec<_> = declare.collect();
        let (call, inactive) = self.call_back(seed, "", |slot| {
            let bar = &slot.shadow;
            if slot.param.passing == Passing::Shared { quote!(&mut #bar) } else { quote!(#bar) }
        });
        quote!(#inactive #(#declare)* #call)
    }

    /// `let (x_bar, _) = back(..);`, with `suffix` after each name.
    fn call_back(&self, seed: &TokenStream, suffix: &str, lend: impl Fn(&Slot<'_>) -> TokenStream) -> (TokenStream, TokenStream) {
        let references = self.slots.iter().filter(|slot| slot.param.passing == Passing::Shared).map(|slot| &slot.name);
        let mut inactive = false;
        let shadows: Vec<TokenStream> = self
            .slots
            .iter()
            .filter(|slot| slot.param.passing != Passing::Value)
            .map(|slot| {
                if slot.param.active {
                    lend(slot)
                } else {
                    inactive = true;
                    quote!(&mut __none())
                }
            })
            .collect();
        let helper = if inactive { quote!(let __none = || ();) } else { TokenStream::new() };
        let values: Vec<TokenStream> = self
            .slots
            .iter()
            .filter(|slot| slot.param.passing == Passing::Value)
            .map(|slot| {
                let bar = format_ident!("{}{suffix}", slot.shadow);
                if slot.param.active { quote!(#bar) } else { quote!(_) }
            })
            .collect();
        let call = quote_spanned!(self.doubtful_span()=> __back(#(#references,)* #seed, #(#shadows),*));
        let binds = self.slots.iter().any(|slot| slot.param.passing == Passing::Value && slot.param.active);
        let call = if binds { quote!(let (#(#values,)*) = #call;) } else { quote!(#call;) };
        (call, helper)
    }

    pub(super) fn run(&self) -> TokenStream {
        let (arguments, pullback) = (self.arguments(), self.own("pullback"));
        quote_spanned!(self.doubtful_span()=> let (__value, __back) = Self::#pullback(#(#arguments),*);)
    }

    pub(super) fn vjp(&self) -> TokenStream {
        let (result, cotangents) = (&self.primal.result.ty, self.owned_types());
        let (run, seed, seed_type) = (self.run(), &self.seed, self.seed_type());
        let mut params = self.params();
        let pull = if self.result_is_unit() {
            self.pull(&quote!(()))
        } else {
            params.push(quote!(#seed: #seed_type));
            self.pull(&quote!(#seed))
        };
        params.extend(self.shadow_params());
        let values = self.owned_values();
        let signature = self.signature("vjp", &params, &quote!((#result, #cotangents)));
        let doc = Self::doc("The value, and the cotangents of the active parameters for any cotangent of the result.");
        quote!(#doc #signature { #run #pull (__value, #values) })
    }

    /// The gradient of a function that returns a float, or an `Option` or a `Result` of one: then so is the gradient.
    pub(super) fn gradient(&self) -> Option<TokenStream> {
        let (result, cotangents, run, values) = (&self.primal.result, self.owned_types(), self.run(), self.owned_values());
        let (seed, output) = match &result.known {
            Ty::Float(_) => {
                let value = &result.ty;
                (quote!(1.0), quote!((#value, #cotangents)))
            }
            Ty::Option(inner) | Ty::Result(inner) if inner.is_float() => {
                let output = with_first_argument(&result.ty, |value| quote!((#value, #cotangents)))?;
                (quote!(::core::option::Option::Some(1.0)), output)
            }
            _ => return None,
        };
        let pull = self.pull(&seed);
        let body = match &result.known {
            Ty::Option(_) => quote! {
                match __value {
                    ::core::option::Option::Some(__value) => { #pull ::core::option::Option::Some((__value, #values)) }
                    ::core::option::Option::None => ::core::option::Option::None,
                }
            },
            Ty::Result(_) => quote! {
                match __value {
                    ::core::result::Result::Ok(__value) => { #pull ::core::result::Result::Ok((__value, #values)) }
                    ::core::result::Result::Err(__error) => ::core::result::Result::Err(__error),
                }
            },
            _ => quote!(#pull (__value, #values)),
        };
        let mut params = self.params();
        params.extend(self.shadow_params());
        let signature = self.signature("gradient", &params, &output);
        let doc = Self::doc("The value, and its derivatives with respect to the active parameters.");
        Some(quote!(#doc #signature { #run #body }))
    }

    pub(super) fn gradient_into(&self) -> TokenStream {
        let (library, result, run) = (self.library(), &self.primal.result.ty, self.run());
        let mut params = self.params();
        let mut updates = TokenStream::new();
        for slot in self.slots.iter().filter(|slot| slot.param.active) {
            let into = &slot.shadow;
            let ty = shadow(&slot.param.ty, library);
            params.push(quote!(#into: &mut #ty));
            if slot.param.passing == Passing::Value {
                let bar = format_ident!("{into}_part");
                let add = if slot.param.known.is_float() {
                    quote!(*#into += #bar;)
                } else {
                    let library = at(library, &slot.param.ty);
                    quote_spanned!(slot.param.ty.span()=> #library::Tangent::accumulate(#into, &#bar);)
                };
                updates.extend(add);
            }
        }
        let seed = if self.result_is_unit() { quote!(()) } else { quote!(1.0) };
        let (call, inactive) = self.call_back(&seed, "_part", |slot| {
            let bar = &slot.shadow;
            quote!(#bar)
        });
        let signature = self.signature("gradient_into", &params, &quote!(#result));
        let doc = Self::doc("The value; its derivatives are added to the shadows of the active parameters.");
        quote!(#doc #signature { #run #inactive #call #updates __value })
    }

    pub(super) fn forward(&self) -> TokenStream {
        let (library, result, seed_type) = (self.library(), &self.primal.result.ty, self.seed_type());
        let (run, seed, cotangents) = (self.run(), &self.seed, self.owned_types());
        if self.outputs().next().is_some() {
            // The shadows of `&mut` parameters are handed to `vjp`; a saved sweep would have to hold them.
            return TokenStream::new();
        }
        let (pull, values) = (self.pull(&quote!(#seed)), self.owned_values());
        let span = self.doubtful_span();
        let output = quote_spanned!(span=> (#result, impl #library::Adjoint<#seed_type, Cotangents = #cotangents>));
        let signature = self.signature("forward", &self.params(), &output);
        let doc = Self::doc("The forward sweep: the value, and what the reverse sweep needs, for `adjoint`.");
        quote!(#doc #signature { #run (__value, move |#seed: #seed_type| -> #cotangents { #pull #values }) })
    }

    pub(super) fn adjoint(&self) -> TokenStream {
        let (library, seed, seed_type) = (self.library(), &self.seed, self.seed_type());
        if self.outputs().next().is_some() {
            return TokenStream::new();
        }
        let vis = &self.primal.function.vis;
        let doc = Self::doc("The reverse sweep: the cotangents for a cotangent of the result; again with other seeds at will.");
        let name = self.own("adjoint");
        let generic = !self.primal.function.sig.generics.params.is_empty();
        // A seed type that names a generic parameter is left to inference: the saved sweep knows it.
        let (parameter, seed_type) = if generic { (quote!(__Seed,), quote!(__Seed)) } else { (quote!(), seed_type) };
        quote! {
            #doc
            #[inline]
            #vis fn #name<#parameter __Saved: #library::Adjoint<#seed_type>>(__saved: &__Saved, #seed: #seed_type) -> __Saved::Cotangents {
                __saved.pull_back(#seed)
            }
        }
    }
}

/// `Result<f64, E>` with another type for the `f64`.
fn with_first_argument(ty: &Type, change: impl FnOnce(&Type) -> TokenStream) -> Option<TokenStream> {
    let mut ty = ty.clone();
    let Type::Path(path) = &mut ty else { return None };
    let PathArguments::AngleBracketed(arguments) = &mut path.path.segments.last_mut()?.arguments else { return None };
    let first = arguments.args.iter_mut().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })?;
    *first = Type::Verbatim(change(first));
    Some(ty.to_token_stream())
}
