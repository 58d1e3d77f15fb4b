//! The attribute on the `impl` of an operator: its derivatives are rules of core's, which any differentiated function finds by the
//! types of the operands.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{FnArg, GenericParam, ImplItem, ImplItemFn, ItemImpl, PathArguments, ReturnType, Type, parse_quote};

use crate::diag::Diagnostics;
use crate::parse::method::RECEIVER;
use crate::parse::{self, Options, Passing, Primal};

/// Operators, their methods and their rules.
const OPERATORS: &[(&str, &str, &str)] = &[
    ("Add", "add", "AddRule"),
    ("Sub", "sub", "SubRule"),
    ("Mul", "mul", "MulRule"),
    ("Div", "div", "DivRule"),
    ("Neg", "neg", "NegRule"),
];

/// An `impl` of an operator.
pub struct Operator<'a> {
    block: &'a ItemImpl,
    function: &'a ImplItemFn,
    rule: Ident,
}

/// The operator that `block` implements; `None`: something else.
pub fn of(block: &ItemImpl) -> Option<Operator<'_>> {
    let name = block.trait_.as_ref()?.0.segments.last()?.ident.to_string();
    let (_, method, rule) = OPERATORS.iter().find(|(operator, ..)| *operator == name)?;
    let function = super::block::functions(block).find(|function| function.sig.ident == *method)?;
    Some(Operator { block, function, rule: Ident::new(rule, Span::mixed_site()) })
}

/// A function of the operands, its derivatives and the rule that is made of them, in a scope of their own.
pub fn expand(options: &Options, operator: &Operator<'_>, diagnostics: &mut Diagnostics) -> TokenStream {
    let item = operator.as_function();
    let Ok(parsed) = syn::parse2(item) else { return TokenStream::new() };
    let mut primal = parse::of(parsed, Options { second: false, lanes: false, ..options.clone() }, None, diagnostics);
    let derivatives = super::derivatives(&mut primal, diagnostics);
    if !diagnostics.is_clean() {
        return TokenStream::new();
    }
    let (item, rule) = (&primal.item, operator.rule(&primal));
    let rule = match &primal.float {
        Some(float) => parse::generic::unmarked(rule, float, &primal.options.library),
        None => rule,
    };
    quote! {
        const _: () = {
            #[allow(clippy::all, clippy::pedantic)]
            #item
            #derivatives
            #rule
        };
    }
}

impl Operator<'_> {
    /// The method as a function of its operands.
    fn as_function(&self) -> TokenStream {
        let mut function = self.function.clone();
        let owner = &self.block.self_ty;
        function.sig.ident = format_ident!("__{}", function.sig.ident);
        if let Some(receiver @ FnArg::Receiver(_)) = function.sig.inputs.first_mut() {
            let mutability = matches!(receiver, FnArg::Receiver(receiver) if receiver.mutability.is_some()).then(|| quote!(mut));
            let name = Ident::new(RECEIVER, Span::call_site());
            *receiver = parse_quote!(#mutability #name: #owner);
        }
        function.sig.generics = self.block.generics.clone();
        function.attrs.clear();
        self.written_out(function.to_token_stream())
    }

    /// The type of the result.
    fn output(&self) -> TokenStream {
        let of_impl = self.block.items.iter().find_map(|item| match item {
            ImplItem::Type(ty) if ty.ident == "Output" => Some(ty.ty.to_token_stream()),
            _ => None,
        });
        self.named(of_impl.unwrap_or_default())
    }

    /// `self`, `Self` and `Self::Output` written out.
    fn written_out(&self, tokens: TokenStream) -> TokenStream {
        let mut out = TokenStream::new();
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Ident(ident) if ident == "self" => Ident::new(RECEIVER, ident.span()).to_tokens(&mut out),
                TokenTree::Ident(ident) if ident == "Self" => {
                    let mut rest = tokens.clone();
                    let path: Vec<String> = rest.by_ref().take(3).map(|token| token.to_string()).collect();
                    if path == [":", ":", "Output"] {
                        tokens = rest;
                        self.output().to_tokens(&mut out);
                    } else {
                        self.owner_path().to_tokens(&mut out);
                    }
                }
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), self.written_out(group.stream()));
                    inner.set_span(group.span());
                    inner.to_tokens(&mut out);
                }
                other => other.to_tokens(&mut out),
            }
        }
        out
    }

    /// `Self` of a type as it is written.
    fn named(&self, tokens: TokenStream) -> TokenStream {
        tokens
            .into_iter()
            .flat_map(|token| match token {
                TokenTree::Ident(ident) if ident == "Self" => self.owner_path(),
                other => other.to_token_stream(),
            })
            .collect()
    }

    /// The type, to stand in types and in expressions.
    fn owner_path(&self) -> TokenStream {
        let mut owner = value_type(&self.block.self_ty).clone();
        if let Type::Path(path) = &mut owner {
            for segment in &mut path.path.segments {
                if let PathArguments::AngleBracketed(arguments) = &mut segment.arguments {
                    arguments.colon2_token.get_or_insert_default();
                }
            }
        }
        owner.to_token_stream()
    }

    /// The rule, by the derivatives that stand beside it.
    fn rule(&self, primal: &Primal) -> TokenStream {
        let (library, rule) = (&primal.options.library, &self.rule);
        let types: Vec<&Type> = primal.params.iter().map(|param| value_type(&param.ty)).collect();
        let ReturnType::Type(_, output) = &primal.function.sig.output else { return TokenStream::new() };
        let (left, right) = (types[0], types.get(1));
        let rest = right.map(|right| quote!(, right: &#right));
        let pull = |index: usize, function: &str| {
            let function = format_ident!("{function}");
            let of = types[index];
            let body = self.pulled(primal, index);
            quote! {
                #[inline]
                fn #function(&self #rest, __seed: &Self::Seed, __shadow: &mut <#of as #library::Differentiable>::Tangent) { #body }
            }
        };
        let push = |index: usize, function: &str| {
            let function = format_ident!("{function}");
            let of = types[index];
            let body = self.pushed(primal, index);
            quote! {
                #[inline]
                fn #function(&self #rest, __dot: &<#of as #library::Differentiable>::Tangent) -> Self::Seed { #body }
            }
        };
        let functions = match right {
            Some(_) => [pull(0, "pull_left"), pull(1, "pull_right"), push(0, "push_left"), push(1, "push_right")].to_vec(),
            None => vec![pull(0, "pull"), push(0, "push")],
        };
        let parameters = right.map(|right| quote!(<#right>));
        // A rule is one of values: the lifetimes were those of references.
        let mut generics = primal.function.sig.generics.clone();
        generics.params = generics.params.into_iter().filter(|param| !matches!(param, GenericParam::Lifetime(_))).collect();
        let (of_impl, _, clause) = generics.split_for_impl();
        quote! {
            #[allow(clippy::all, clippy::pedantic)]
            impl #of_impl #library::rules::#rule #parameters for #left #clause {
                type Seed = <#output as #library::Differentiable>::Tangent;
                #(#functions)*
            }
        }
    }

    /// An operand as the function takes it.
    fn operands(&self, primal: &Primal) -> Vec<TokenStream> {
        let names = [quote!(self), quote!(right)];
        let operands = primal.params.iter().zip(names).map(|(param, name)| match param.passing {
            Passing::Value => quote!(::core::clone::Clone::clone(#name)),
            Passing::Shared | Passing::Mutable => name,
        });
        operands.collect()
    }

    /// The cotangent of one operand: the function's reverse sweep, of which only that is used.
    fn pulled(&self, primal: &Primal, index: usize) -> TokenStream {
        let (library, name) = (&primal.options.library, &primal.function.sig.ident);
        let (operands, names) = (self.operands(primal), [quote!(self), quote!(right)]);
        let (mut again, mut shadows, mut results) = (Vec::new(), Vec::new(), Vec::new());
        for (position, param) in primal.params.iter().enumerate() {
            let (operand, wanted) = (&names[position], position == index);
            match (param.passing, wanted) {
                (Passing::Value, true) => results.push(quote!(__own)),
                (Passing::Value, false) => results.push(quote!(_)),
                (_, true) => shadows.push(quote!(__shadow)),
                (_, false) => shadows.push(quote!(&mut #library::Differentiable::zero_tangent(#operand))),
            }
            if param.passing != Passing::Value {
                again.push(operand.clone());
            }
        }
        let bound = (!results.is_empty()).then(|| quote!(let (#(#results,)*) =));
        let own = primal.params[index].passing == Passing::Value;
        let add = own.then(|| quote!(#library::Tangent::accumulate(__shadow, &__own);));
        quote! {
            let (_, __back) = #name::pullback(#(#operands),*);
            #bound __back(#(#again,)* ::core::clone::Clone::clone(__seed), #(#shadows),*);
            #add
        }
    }

    fn pushed(&self, primal: &Primal, index: usize) -> TokenStream {
        let (library, name) = (&primal.options.library, &primal.function.sig.ident);
        let (operands, names) = (self.operands(primal), [quote!(self), quote!(right)]);
        let dots = primal.params.iter().enumerate().map(|(position, param)| {
            let (dot, own) = match position == index {
                true => (quote!(__dot), quote!(::core::clone::Clone::clone(__dot))),
                false => {
                    let name = &names[position];
                    (quote!(&#library::Differentiable::zero_tangent(#name)), quote!(#library::Differentiable::zero_tangent(#name)))
                }
            };
            if param.passing == Passing::Value { own } else { dot }
        });
        quote!(#name::pushforward(#(#operands,)* #(#dots),*).1)
    }
}

/// A type without a reference.
fn value_type(ty: &Type) -> &Type {
    match ty {
        Type::Reference(reference) => value_type(&reference.elem),
        Type::Paren(inner) => value_type(&inner.elem),
        Type::Group(inner) => value_type(&inner.elem),
        other => other,
    }
}
