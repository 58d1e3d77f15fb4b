//! What a signature says of each parameter, and what it must not have.

use proc_macro2::TokenStream;
use syn::visit::Visit;
use syn::{FnArg, GenericParam, ItemFn, Pat, ReturnType, Signature, Type};

use super::types::classify;
use super::{Param, Passing, ResultType};
use crate::diag::{Diagnostics, Origin, Refusal};
use crate::ir::Ty;

/// The item is no function with a body: says what it is.
pub fn refuse_item(item: &TokenStream, error: syn::Error, diagnostics: &mut Diagnostics) {
    match syn::parse2::<syn::Item>(item.clone()) {
        Ok(other) => diagnostics.refuse(Origin::of(&other), Refusal::NotAFunction),
        Err(_) => match syn::parse2::<syn::TraitItemFn>(item.clone()) {
            Ok(method) => diagnostics.refuse(Origin::of(&method), Refusal::NoBody),
            Err(_) => diagnostics.syntax(error),
        },
    }
}

/// The parameters, and the function without the helper attributes on them.
pub fn params(mut function: ItemFn, diagnostics: &mut Diagnostics) -> (ItemFn, Vec<Param>) {
    let mut params = Vec::new();
    for input in &mut function.sig.inputs {
        match input {
            // A method is a function by now, unless its receiver is out of the ordinary.
            FnArg::Receiver(receiver) => diagnostics.refuse(Origin::of(receiver), Refusal::Receiver),
            FnArg::Typed(typed) => {
                let before = typed.attrs.len();
                typed.attrs.retain(|attribute| !attribute.path().is_ident("constant"));
                let constant = typed.attrs.len() < before;
                for attribute in &typed.attrs {
                    diagnostics.refuse(Origin::of(attribute), Refusal::ParameterAttribute);
                }
                let known = classify(&typed.ty);
                let passing = match &*typed.ty {
                    Type::Reference(reference) if reference.mutability.is_some() => Passing::Mutable,
                    Type::Reference(_) => Passing::Shared,
                    _ => Passing::Value,
                };
                if constant {
                    refuse_nameless(&typed.ty, diagnostics);
                } else {
                    refuse_type(&typed.ty, diagnostics);
                }
                params.push(Param {
                    pattern: (*typed.pat).clone(),
                    ty: (*typed.ty).clone(),
                    active: !constant && known.differentiable(),
                    known,
                    passing,
                });
            }
        }
    }
    (function, params)
}

/// Takes the helper attributes off the parameters.
pub fn strip(signature: &mut Signature) {
    for input in &mut signature.inputs {
        let (FnArg::Receiver(syn::Receiver { attrs, .. }) | FnArg::Typed(syn::PatType { attrs, .. })) = input;
        attrs.retain(|attribute| !attribute.path().is_ident("constant"));
    }
}

/// The result's type.
pub fn result(signature: &Signature, diagnostics: &mut Diagnostics) -> ResultType {
    match &signature.output {
        ReturnType::Default => ResultType { ty: syn::parse_quote!(()), known: Ty::Tuple(Vec::new()) },
        ReturnType::Type(_, ty) => {
            match &**ty {
                Type::Reference(_) => diagnostics.refuse(Origin::of(ty), Refusal::ReferenceResult),
                other => refuse_type(other, diagnostics),
            }
            ResultType { ty: (**ty).clone(), known: classify(ty) }
        }
    }
}

fn refuse_type(ty: &Type, diagnostics: &mut Diagnostics) {
    match ty {
        Type::Reference(reference) => match &*reference.elem {
            Type::Reference(inner) if classify(&inner.elem).differentiable() => {
                diagnostics.refuse(Origin::of(ty), Refusal::NestedReference);
            }
            other => refuse_type(other, diagnostics),
        },
        Type::Paren(inner) => refuse_type(&inner.elem, diagnostics),
        Type::Group(inner) => refuse_type(&inner.elem, diagnostics),
        Type::Array(array) => refuse_element(&array.elem, diagnostics),
        Type::Slice(slice) => refuse_element(&slice.elem, diagnostics),
        Type::Tuple(tuple) => tuple.elems.iter().for_each(|element| refuse_element(element, diagnostics)),
        Type::Path(path) => generic_arguments(&path.path).for_each(|argument| refuse_element(argument, diagnostics)),
        Type::FnPtr(_) | Type::Never(_) => {}
        other => diagnostics.refuse(Origin::of(other), Refusal::UnsupportedType),
    }
}

/// A constant may be of any type that generated signatures can repeat.
fn refuse_nameless(ty: &Type, diagnostics: &mut Diagnostics) {
    struct Search<'a>(&'a mut Diagnostics);
    impl<'ast> Visit<'ast> for Search<'_> {
        fn visit_type_impl_trait(&mut self, ty: &'ast syn::TypeImplTrait) {
            self.0.refuse(Origin::of(ty), Refusal::UnsupportedType);
        }
    }
    Search(diagnostics).visit_type(ty);
}

fn generic_arguments(path: &syn::Path) -> impl Iterator<Item = &Type> {
    let arguments = path.segments.iter().filter_map(|segment| match &segment.arguments {
        syn::PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
        _ => None,
    });
    arguments.flatten().filter_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

fn refuse_element(ty: &Type, diagnostics: &mut Diagnostics) {
    match ty {
        Type::Reference(reference) if classify(&reference.elem).differentiable() => {
            diagnostics.refuse(Origin::of(ty), Refusal::NestedReference);
        }
        other => refuse_type(other, diagnostics),
    }
}

/// What concerns the signature as a whole.
pub fn check(signature: &Signature, params: &[Param], result: &ResultType, diagnostics: &mut Diagnostics) {
    if let Some(token) = &signature.asyncness {
        diagnostics.refuse(Origin::of(token), Refusal::Async);
    }
    if let syn::Safety::Unsafe(token) = &signature.safety {
        diagnostics.refuse(Origin::of(token), Refusal::Unsafe);
    }
    if let Some(abi) = &signature.abi {
        diagnostics.refuse(Origin::of(abi), Refusal::ForeignAbi);
    }
    for param in &signature.generics.params {
        if let GenericParam::Type(ty) = param
            && !super::generic::is_float(&ty.ident.to_string())
        {
            diagnostics.refuse(Origin::of(ty), Refusal::GenericType { name: ty.ident.to_string() });
        }
    }
    let any_type_unsupported = !diagnostics.is_clean();
    if !any_type_unsupported && !params.iter().any(|param| param.active) {
        diagnostics.refuse(Origin::of(&signature.ident), Refusal::NothingActive);
    }
    let writes = params.iter().any(|param| param.active && param.passing == Passing::Mutable);
    if !any_type_unsupported && !writes && !result.known.differentiable() {
        diagnostics.refuse(Origin::of(&signature.ident), Refusal::NothingReturned);
    }
    for param in params {
        check_pattern(&param.pattern, diagnostics);
    }
}

fn check_pattern(pattern: &Pat, diagnostics: &mut Diagnostics) {
    match pattern {
        Pat::Ident(ident) => {
            if ident.by_ref.is_some() || ident.subpat.is_some() {
                diagnostics.refuse(Origin::of(ident), Refusal::Pattern);
            }
        }
        Pat::Wild(_) | Pat::Rest(_) => {}
        Pat::Tuple(tuple) => tuple.elems.iter().for_each(|element| check_pattern(element, diagnostics)),
        Pat::Struct(structure) => structure.fields.iter().for_each(|field| check_pattern(&field.pat, diagnostics)),
        Pat::TupleStruct(tuple) => tuple.elems.iter().for_each(|element| check_pattern(element, diagnostics)),
        Pat::Slice(slice) => slice.elems.iter().for_each(|element| check_pattern(element, diagnostics)),
        Pat::Paren(paren) => check_pattern(&paren.pat, diagnostics),
        Pat::Reference(reference) => check_pattern(&reference.pat, diagnostics),
        other => diagnostics.refuse(Origin::of(other), Refusal::Pattern),
    }
}
