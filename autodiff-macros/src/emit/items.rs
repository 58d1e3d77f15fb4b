//! The functions in the namespace of a differentiated function.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{GenericParam, Ident};

use super::types::{at, elided, hides_lifetime, is_slice, shadow, tangent};
use super::{Sweeps, TangentSweep};
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
pub fn items(primal: &Primal, sweeps: &Sweeps) -> TokenStream {
    let names = &sweeps.names;
    let slots = primal.params.iter().enumerate().map(|(position, param)| Slot {
        param,
        position,
        name: names.params[position].clone(),
        bar: names.bars[position].clone(),
        shadow: shadow_name(&names.params, position),
    });
    let items = Items { primal, slots: slots.collect(), seed: names.seed.clone() };
    let pullback = items.pullback(Some(sweeps));
    let pushforward = items.pushforward(Some(&sweeps.tangent));
    items.namespace(&pullback, &pushforward, true)
}

/// `x_bar` for `x`, unless that is a parameter itself.
fn shadow_name(params: &[Ident], position: usize) -> Ident {
    let plain = params[position].unraw().to_string();
    let name = format_ident!("{}_bar", plain.trim_start_matches('_'), span = params[position].span());
    if params.contains(&name) { format_ident!("{}_shadow", name) } else { name }
}

/// The same with bodies that only say that there was an error.
pub fn stubs(primal: &Primal) -> TokenStream {
    let slots = primal.params.iter().enumerate().map(|(position, param)| Slot {
        param,
        position,
        name: format_ident!("__argument{position}"),
        bar: format_ident!("__argument{position}_bar"),
        shadow: format_ident!("__argument{position}_shadow"),
    });
    let items = Items { primal, slots: slots.collect(), seed: format_ident!("__seed") };
    let pullback = items.pullback(None);
    let pushforward = items.pushforward(None);
    items.namespace(&pullback, &pushforward, false)
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
    let functions = ["gradient", "gradient_into", "vjp", "forward"].map(|function| {
        let function = Ident::new(function, primal.function.sig.ident.span());
        let count = primal.params.len() + usize::from(function == "vjp");
        let types: Vec<_> = (0..count).map(|position| format_ident!("__T{position}")).collect();
        quote!(#vis fn #function<#(#types),*>(#(_: #types),*) -> ! { ::core::panic!() })
    });
    quote! {
        #vis enum #name {}
        impl #name { #(#functions)* }
    }
}

impl Items<'_> {
    fn library(&self) -> &syn::Path {
        &self.primal.options.library
    }

    fn namespace(&self, pullback: &TokenStream, pushforward: &TokenStream, complete: bool) -> TokenStream {
        let (vis, name) = (&self.primal.function.vis, self.primal.namespace());
        let cfgs = self.primal.function.attrs.iter().filter(|attribute| attribute.path().is_ident("cfg"));
        let cfgs: Vec<_> = cfgs.collect();
        // What the user allows in the function is allowed in its sweeps.
        let levels = self.primal.function.attrs.iter().filter(|attribute| attribute.path().is_ident("allow"));
        let doc = format!("The derivatives of the function `{}`.", self.primal.function.sig.ident);
        let scratches = self.slots.iter().map(|slot| self.scratch(slot));
        let own = if self.owns_cotangents() || !complete {
            let (forward, adjoint, vjp) = (self.forward(), self.adjoint(), self.vjp());
            let gradient = self.result_is_float().then(|| self.gradient());
            quote!(#forward #adjoint #vjp #gradient)
        } else {
            TokenStream::new()
        };
        let (used, jvp) = (self.primal_is_used(), self.jvp());
        let recursive = self.primal.is_recursive().then(|| self.recursive());
        let into = (self.result_is_float() || self.result_is_unit()).then(|| self.gradient_into());
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
                #jvp
                #(#scratches)*
            }
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

    fn arguments(&self) -> Vec<&Ident> {
        self.slots.iter().map(|slot| &slot.name).collect()
    }

    fn seed_type(&self) -> TokenStream {
        tangent(&self.primal.result.ty, self.library())
    }

    fn signature(&self, name: &str, params: &[TokenStream], output: &TokenStream) -> TokenStream {
        let vis = &self.primal.function.vis;
        let (generics, clause) = (&self.primal.function.sig.generics, &self.primal.function.sig.generics.where_clause);
        let name = Ident::new(name, self.primal.function.sig.ident.span());
        // Clippy's limit for a function; ours take the shadows too.
        let many = (params.len() > 7).then(|| quote!(#[allow(clippy::too_many_arguments)]));
        quote!(#many #[inline] #vis fn #name #generics (#(#params),*) -> #output #clause)
    }

    fn doc(text: &str) -> TokenStream {
        quote!(#[doc = #text])
    }

    /// `+ use<..>`: the sweeps' closure holds values, and no reference that was passed.
    fn captures(&self) -> TokenStream {
        if self.slots.iter().any(|slot| slot.param.passing == Passing::Value && hides_lifetime(&slot.param.ty)) {
            return TokenStream::new();
        }
        let params = self.primal.function.sig.generics.params.iter().map(|param| match param {
            GenericParam::Lifetime(param) => {
                let lifetime = &param.lifetime;
                quote!(#lifetime)
            }
            GenericParam::Type(param) => {
                let ident = &param.ident;
                quote!(#ident)
            }
            GenericParam::Const(param) => {
                let ident = &param.ident;
                quote!(#ident)
            }
        });
        quote!(+ use<#(#params),*>)
    }

    /// The types of the closure's parameters, with their names.
    fn closure_params(&self) -> Vec<(Ident, TokenStream)> {
        let library = self.library();
        let shared = self.slots.iter().filter(|slot| slot.param.passing == Passing::Shared).map(|slot| {
            let ty = elided(&slot.param.ty);
            (slot.name.clone(), quote!(#ty))
        });
        let shadows = self.slots.iter().filter(|slot| slot.param.passing != Passing::Value).map(|slot| {
            let ty = elided(&slot.param.ty);
            let ty = if slot.param.active { shadow(&ty, library) } else { quote!(()) };
            (slot.bar.clone(), quote!(&mut #ty))
        });
        shared.chain([(self.seed.clone(), self.seed_type())]).chain(shadows).collect()
    }

    fn closure_result(&self) -> TokenStream {
        let library = self.library();
        let values = self
            .slots
            .iter()
            .filter(|slot| slot.param.passing == Passing::Value)
            .map(|slot| if slot.param.active { tangent(&slot.param.ty, library) } else { quote!(()) });
        let values: Vec<_> = values.collect();
        if values.is_empty() { TokenStream::new() } else { quote!(-> (#(#values,)*)) }
    }

    /// Both sweeps: the primal's value, and what pulls a seed back.
    fn pullback(&self, sweeps: Option<&Sweeps>) -> TokenStream {
        let (result, back, captures) = (&self.primal.result.ty, self.closure_result(), self.captures());
        let (names, types): (Vec<_>, Vec<_>) = self.closure_params().into_iter().unzip();
        let output = quote!((#result, impl ::core::ops::Fn(#(#types),*) #back #captures));
        let signature = self.signature("pullback", &self.mutable_params(), &output);
        let constants: Vec<_> = self.primal.function.sig.generics.const_params().map(|param| &param.ident).collect();
        let used = if constants.is_empty() { quote!(Self::primal()) } else { quote!(Self::primal::<#(#constants),*>()) };
        let body = match sweeps {
            Some(Sweeps { forward, result, reverse, cotangents, .. }) => {
                let cotangents = (!cotangents.is_empty()).then(|| quote!((#(#cotangents,)*)));
                quote! {
                    #used;
                    #forward
                    (#result, move |#(#names: #types),*| {
                        #reverse
                        #cotangents
                    })
                }
            }
            None => {
                let library = self.library();
                quote!((#library::unavailable(), |#(#names: #types),*| #back { #library::unavailable() }))
            }
        };
        quote!(#[doc(hidden)] #signature { #body })
    }

    /// A mention of the primal: whoever uses a derivative of a function uses the function.
    fn primal_is_used(&self) -> TokenStream {
        let generics = &self.primal.function.sig.generics;
        let (_, _, clause) = generics.split_for_impl();
        let constants: Vec<_> = generics.const_params().collect();
        let names = constants.iter().map(|param| &param.ident);
        let name = &self.primal.function.sig.ident;
        let arguments = (!constants.is_empty()).then(|| quote!(::<#(#names),*>));
        let clause = clause.filter(|_| generics.lifetimes().next().is_none());
        // In a function of its own, where no parameter can hide the name.
        quote! {
            #[inline]
            fn primal<#(#constants),*>() #clause {
                let _ = #name #arguments;
            }
        }
    }

    /// The pullback for the function's calls of itself, whose type must not contain itself.
    fn recursive(&self) -> TokenStream {
        let (library, result, back) = (self.library(), &self.primal.result.ty, self.closure_result());
        let (_, types): (Vec<_>, Vec<_>) = self.closure_params().into_iter().unzip();
        let output = quote!((#result, #library::save::Box<dyn ::core::ops::Fn(#(#types),*) #back>));
        let (signature, run) = (self.signature("recursive", &self.params(), &output), self.run());
        quote!(#[doc(hidden)] #signature { #run (__value, #library::save::Box::new(__back)) })
    }

    /// An owned zero shadow of a reference parameter.
    fn scratch(&self, slot: &Slot<'_>) -> TokenStream {
        if !cfg!(feature = "alloc") && is_slice(&slot.param.ty) {
            return TokenStream::new();
        }
        let behind = super::types::behind(&slot.param.ty);
        let library = at(self.library(), behind);
        let (vis, name) = (&self.primal.function.vis, format_ident!("scratch_{}", slot.position));
        // Only what the type mentions: the argument tells rustc all of it.
        let generics = self.primal.function.sig.generics.params.iter().filter(|param| mentions(&slot.param.ty, param));
        let (output, value) = if slot.param.active {
            (
                quote_spanned!(behind.span()=> <#behind as #library::Differentiable>::Tangent),
                quote_spanned!(behind.span()=> <#behind as #library::Differentiable>::zero_tangent(__of)),
            )
        } else {
            (
                quote!(()),
                quote!({
                    let _ = __of;
                }),
            )
        };
        quote! {
            #[doc(hidden)]
            #[inline]
            #vis fn #name<#(#generics),*>(__of: &#behind) -> #output { #value }
        }
    }

    /// The type of a tangent that is passed for a parameter.
    fn tangent_type(&self, slot: &Slot<'_>) -> TokenStream {
        let inner = if slot.param.active { shadow(&slot.param.ty, self.library()) } else { quote!(()) };
        match slot.param.passing {
            Passing::Value => inner,
            Passing::Shared => quote!(&#inner),
            Passing::Mutable => quote!(&mut #inner),
        }
    }

    /// The tangent sweep, with a tangent for each parameter: `()` for inactive ones.
    fn pushforward(&self, sweep: Option<&TangentSweep>) -> TokenStream {
        let (result, seed_type) = (&self.primal.result.ty, self.seed_type());
        let mut params = self.mutable_params();
        for (position, slot) in self.slots.iter().enumerate() {
            let name = match sweep {
                Some(sweep) => sweep.dots[position].clone(),
                None => format_ident!("__argument{position}_dot"),
            };
            let ty = self.tangent_type(slot);
            let mutable = match &slot.param.pattern {
                syn::Pat::Ident(ident) if slot.param.passing == Passing::Value && slot.param.active => {
                    ident.mutability.map(|_| quote!(mut))
                }
                _ => None,
            };
            params.push(quote!(#mutable #name: #ty));
        }
        let signature = self.signature("pushforward", &params, &quote!((#result, #seed_type)));
        let body = match sweep {
            Some(TangentSweep { statements, result, .. }) => quote!(#statements #result),
            None => {
                let library = self.library();
                quote!(#library::unavailable())
            }
        };
        quote!(#[doc(hidden)] #signature { #body })
    }

    fn jvp(&self) -> TokenStream {
        let (result, seed_type) = (&self.primal.result.ty, self.seed_type());
        let (mut params, mut arguments) = (self.params(), self.arguments().into_iter().map(ToTokens::to_token_stream).collect::<Vec<_>>());
        for slot in &self.slots {
            let dot = format_ident!("{}_dot", slot.name.unraw(), span = slot.name.span());
            if slot.param.active {
                let ty = self.tangent_type(slot);
                params.push(quote!(#dot: #ty));
                arguments.push(quote!(#dot));
            } else {
                arguments.push(match slot.param.passing {
                    Passing::Value => quote!(()),
                    Passing::Shared => quote!(&()),
                    Passing::Mutable => quote!(&mut ()),
                });
            }
        }
        let signature = self.signature("jvp", &params, &quote!((#result, #seed_type)));
        let doc = Self::doc("The value, and its tangent for tangents of the active parameters.");
        quote!(#doc #signature { Self::pushforward(#(#arguments),*) })
    }

    /// Active parameters that are passed by value or by shared reference: their cotangents are owned.
    fn owned(&self) -> impl Iterator<Item = &Slot<'_>> {
        self.slots.iter().filter(|slot| slot.param.active && slot.param.passing != Passing::Mutable)
    }

    /// Active `&mut` parameters, whose shadows the caller gives.
    fn outputs(&self) -> impl Iterator<Item = &Slot<'_>> {
        self.slots.iter().filter(|slot| slot.param.active && slot.param.passing == Passing::Mutable)
    }

    fn owned_type(&self, slot: &Slot<'_>) -> TokenStream {
        let ty = super::types::behind(&slot.param.ty);
        let library = at(self.library(), ty);
        if is_slice(&slot.param.ty) {
            quote_spanned!(ty.span()=> <#ty as #library::Differentiable>::Tangent)
        } else {
            tangent(ty, self.library())
        }
    }

    fn bundle(parts: Vec<TokenStream>) -> TokenStream {
        if parts.len() == 1 { quote!(#(#parts)*) } else { quote!((#(#parts),*)) }
    }

    fn owned_types(&self) -> TokenStream {
        Self::bundle(self.owned().map(|slot| self.owned_type(slot)).collect())
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
    fn pull(&self, seed: &TokenStream) -> TokenStream {
        let declare = self.owned().filter(|slot| slot.param.passing == Passing::Shared).map(|slot| {
            let (bar, name) = (&slot.shadow, &slot.name);
            let (ty, behind) = (self.owned_type(slot), super::types::behind(&slot.param.ty));
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
        let call = quote!(__back(#(#references,)* #seed, #(#shadows),*));
        let binds = self.slots.iter().any(|slot| slot.param.passing == Passing::Value && slot.param.active);
        let call = if binds { quote!(let (#(#values,)*) = #call;) } else { quote!(#call;) };
        (call, helper)
    }

    fn run(&self) -> TokenStream {
        let arguments = self.arguments();
        quote!(let (__value, __back) = Self::pullback(#(#arguments),*);)
    }

    fn vjp(&self) -> TokenStream {
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

    fn gradient(&self) -> TokenStream {
        let (result, cotangents) = (&self.primal.result.ty, self.owned_types());
        let (run, pull, values) = (self.run(), self.pull(&quote!(1.0)), self.owned_values());
        let mut params = self.params();
        params.extend(self.shadow_params());
        let signature = self.signature("gradient", &params, &quote!((#result, #cotangents)));
        let doc = Self::doc("The value, and its derivatives with respect to the active parameters.");
        quote!(#doc #signature { #run #pull (__value, #values) })
    }

    fn gradient_into(&self) -> TokenStream {
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

    fn forward(&self) -> TokenStream {
        let (library, result, seed_type) = (self.library(), &self.primal.result.ty, self.seed_type());
        let (run, seed, cotangents) = (self.run(), &self.seed, self.owned_types());
        if self.outputs().next().is_some() {
            // The shadows of `&mut` parameters are handed to `vjp`; a saved sweep would have to hold them.
            return TokenStream::new();
        }
        let (pull, values) = (self.pull(&quote!(#seed)), self.owned_values());
        let output = quote!((#result, impl #library::Adjoint<#seed_type, Cotangents = #cotangents>));
        let signature = self.signature("forward", &self.params(), &output);
        let doc = Self::doc("The forward sweep: the value, and what the reverse sweep needs, for `adjoint`.");
        quote!(#doc #signature { #run (__value, move |#seed: #seed_type| -> #cotangents { #pull #values }) })
    }

    fn adjoint(&self) -> TokenStream {
        let (library, seed, seed_type) = (self.library(), &self.seed, self.seed_type());
        if self.outputs().next().is_some() {
            return TokenStream::new();
        }
        let vis = &self.primal.function.vis;
        let doc = Self::doc("The reverse sweep: the cotangents for a cotangent of the result; again with other seeds at will.");
        let name = Ident::new("adjoint", self.primal.function.sig.ident.span());
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
