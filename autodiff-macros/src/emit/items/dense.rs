//! Dense Jacobians and Hessians, a sweep for each row or column.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Type, parse_quote};

use super::{Items, Slot, dot_name};
use crate::emit::types::{at, behind, hides_lifetime};
use crate::parse::Passing;

impl Items<'_> {
    /// Whether it can be said of all that is passed by value that it must be `Clone`.
    pub(super) fn can_be_run_twice(&self) -> bool {
        self.moved().all(|slot| !hides_lifetime(&slot.param.ty))
    }

    /// What is gone once it is passed.
    fn moved(&self) -> impl Iterator<Item = &Slot<'_>> {
        self.slots.iter().filter(|slot| slot.param.passing == Passing::Value && !is_copy(&slot.param.ty))
    }

    /// The signature of a function that runs the sweeps more than once. What it moves is `Clone`, of which a caller is
    /// told and not the function's author: `for<'a>` puts the question off until there is a caller.
    pub(super) fn repeating(&self, name: &str, params: &[TokenStream], output: &TokenStream) -> TokenStream {
        let mut generics = self.primal.function.sig.generics.clone();
        for slot in self.moved() {
            let ty = &slot.param.ty;
            generics.make_where_clause().predicates.push(parse_quote!(for<'__a> #ty: ::core::clone::Clone));
        }
        self.signature_with(name, &generics, params, output)
    }

    /// The Jacobian of a function whose result may have many components.
    pub(super) fn jacobian(&self) -> Option<TokenStream> {
        let many = !self.result_is_float() && !self.result_is_unit() && self.outputs().next().is_none();
        if !(cfg!(feature = "alloc") && many && self.has_small_tuples() && self.can_be_run_twice()) {
            return None;
        }
        let (library, result, row) = (self.library(), &self.primal.result.ty, self.owned_types());
        let (zero, direction, dots) = (self.zero(), self.direction(), self.directions());
        let arguments: Vec<_> = self.slots.iter().map(again).collect();
        let (forward, adjoint, jvp) = (self.own("forward"), self.own("adjoint"), self.own("jvp"));
        let signature = self.repeating("jacobian", &self.params(), &quote!((#result, #library::save::Vec<#row>)));
        let doc = Self::doc(
            "The value and the Jacobian by rows, one for each component of the value: in reverse mode, or in forward mode where the \
             arguments have fewer components.",
        );
        Some(quote! {
            #doc
            #signature {
                let (__value, __saved) = Self::#forward(#(#arguments),*);
                let __rows = #library::jacobian::by_fewer(
                    &__value,
                    #zero,
                    |__seed| Self::#adjoint(&__saved, __seed),
                    |#direction| Self::#jvp(#(#arguments,)* #(#dots),*).1,
                );
                (__value, __rows)
            }
        })
    }

    /// The Hessian and its diagonal, of products with unit directions.
    pub(super) fn hessians(&self) -> Option<TokenStream> {
        if !(cfg!(feature = "alloc") && self.has_small_tuples() && self.can_be_run_twice()) {
            return None;
        }
        let (library, result, row) = (self.library(), &self.primal.result.ty, self.owned_types());
        let (zero, direction, dots) = (self.zero(), self.direction(), self.directions());
        let arguments: Vec<_> = self.slots.iter().map(again).collect();
        let hvp = self.own("hvp");
        let of_products = |name: &str, output: &TokenStream, doc: &str| {
            let signature = self.repeating(name, &self.params(), &quote!((#result, #row, #output)));
            let (doc, function) = (Self::doc(doc), syn::Ident::new(name, proc_macro2::Span::call_site()));
            quote! {
                #doc
                #signature {
                    #library::jacobian::#function(#zero, |#direction| Self::#hvp(#(#arguments,)* #(#dots),*))
                }
            }
        };
        let rows = quote!(#library::save::Vec<#row>);
        let hessian = of_products(
            "hessian",
            &rows,
            "The value, the gradient, and the rows of the Hessian: one for each component of the active parameters, in their order.",
        );
        let diagonal = of_products("hessian_diagonal", &row, "The value, the gradient, and the diagonal of the Hessian.");
        Some(quote!(#hessian #diagonal))
    }

    /// A zero cotangent of the active parameters.
    fn zero(&self) -> TokenStream {
        let parts = self.owned().map(|slot| {
            let (name, behind) = (&slot.name, behind(&slot.param.ty));
            let library = at(self.library(), behind);
            let name = if slot.param.passing == Passing::Value { quote!(&#name) } else { quote!(#name) };
            quote!(<#behind as #library::Differentiable>::zero_tangent(#name))
        });
        Self::bundle(parts.collect())
    }

    /// The pattern of a direction.
    fn direction(&self) -> TokenStream {
        let names = self.names();
        Self::bundle(self.owned().map(|slot| dot_name(&names, slot.position)).map(|dot| quote!(#dot)).collect())
    }

    /// The parts of a direction as arguments of `jvp`.
    fn directions(&self) -> Vec<TokenStream> {
        let names = self.names();
        let dots = self.owned().map(|slot| {
            let dot = dot_name(&names, slot.position);
            if slot.param.passing == Passing::Value { quote!(#dot) } else { quote!(&#dot) }
        });
        dots.collect()
    }
}

/// A parameter as an argument, which leaves it for another time.
pub(super) fn again(slot: &Slot<'_>) -> TokenStream {
    let name = &slot.name;
    let kept = slot.param.passing == Passing::Value && !is_copy(&slot.param.ty);
    if kept { quote!(::core::clone::Clone::clone(&#name)) } else { quote!(#name) }
}

/// Whether a type is surely `Copy`.
fn is_copy(ty: &Type) -> bool {
    const PRIMITIVES: [&str; 16] =
        ["f32", "f64", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "bool", "char"];
    match ty {
        Type::Reference(reference) => reference.mutability.is_none(),
        Type::Path(path) => path.path.get_ident().is_some_and(|name| PRIMITIVES.iter().any(|primitive| name == primitive)),
        Type::Array(array) => is_copy(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().all(is_copy),
        Type::Paren(inner) => is_copy(&inner.elem),
        Type::Group(inner) => is_copy(&inner.elem),
        _ => false,
    }
}
