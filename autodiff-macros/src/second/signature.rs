//! The signature of the tangent program: the parameters, a tangent for each, and two results.

use quote::{ToTokens, format_ident, quote};
use syn::{Pat, Type, parse_quote};

use crate::emit::types::{shadow, tangent};
use crate::parse::{Param, Passing, Primal, ResultType};

/// As a primal to be differentiated.
pub fn signature(primal: &Primal) -> Primal {
    let library = &primal.options.library;
    let dots = primal.params.iter().enumerate().map(|(position, param)| {
        let inner = if param.active { shadow(&param.ty, library) } else { quote!(()) };
        let ty: Type = match param.passing {
            Passing::Value => parse_quote!(#inner),
            Passing::Shared => parse_quote!(&#inner),
            Passing::Mutable => parse_quote!(&mut #inner),
        };
        Param { pattern: pattern(param, position), ty, ..param.clone() }
    });
    let params = primal.params.iter().cloned().chain(dots).collect();
    let (ty, dot) = (&primal.result.ty, tangent(&primal.result.ty, library));
    let known = crate::ir::Ty::Tuple(vec![primal.result.known.clone(), primal.result.known.clone()]);
    Primal {
        item: primal.function.to_token_stream(),
        function: primal.function.clone(),
        params,
        result: ResultType { ty: parse_quote!((#ty, #dot)), known },
        options: primal.options.clone(),
        sound: primal.sound,
        method: primal.method.clone(),
        float: primal.float.clone(),
    }
}

/// A name that may change where the parameter's may.
fn pattern(param: &Param, position: usize) -> Pat {
    let name = format_ident!("__tangent{position}");
    match &param.pattern {
        Pat::Ident(ident) if ident.mutability.is_some() && param.active => parse_quote!(mut #name),
        _ => parse_quote!(#name),
    }
}
