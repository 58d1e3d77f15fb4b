//! Functions that are generic over the float type.
//!
//! The compiler works on one float type at a time and writes numbers as literals. So the parameter gets a name by which every
//! stage knows that it is a float, the user's own literals are marked, and in the tokens that come out the names and marks are
//! taken off again and all other literals become numbers of that type.

use std::collections::BTreeSet;

use proc_macro2::{Group, Ident, Literal, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote_spanned};
use syn::visit::Visit;
use syn::{GenericParam, Generics, ItemFn, Path, TypeParam, TypeParamBound, WherePredicate, parse_quote};

/// What names of float parameters begin with.
const PREFIX: &str = "__float_";
/// The suffix of the user's literals.
const SUFFIX: &str = "__of_user";

/// Traits that only floats have.
const FLOATS: &[&str] = &["Float", "FloatCore", "Real", "RealField", "SimdRealField", "ComplexField", "SimdComplexField"];

/// Whether a trait of this name is one that only floats have.
pub fn is_trait_of_floats(name: &str) -> bool {
    FLOATS.contains(&name)
}

/// Whether a type of this name is a float parameter.
pub fn is_float(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// The name that a float parameter gets.
pub fn named(float: &Ident) -> Ident {
    format_ident!("{PREFIX}{float}", span = float.span())
}

/// The type parameters of `generics` that are floats by their bounds.
pub fn floats<'a>(generics: impl IntoIterator<Item = &'a Generics>) -> Vec<Ident> {
    let mut floats = Vec::new();
    for generics in generics {
        let bounded = generics.type_params().filter(|param| is_bounded(param, generics));
        floats.extend(bounded.map(|param| param.ident.clone()));
    }
    floats
}

fn is_bounded(param: &TypeParam, generics: &Generics) -> bool {
    let names_float = |bound: &TypeParamBound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|last| FLOATS.contains(&last.ident.to_string().as_str())),
        _ => false,
    };
    let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let elsewhere = predicates.filter_map(|predicate| match predicate {
        WherePredicate::Type(predicate) => Some(predicate),
        _ => None,
    });
    let mut elsewhere =
        elsewhere.filter(|predicate| matches!(&predicate.bounded_ty, syn::Type::Path(path) if path.path.is_ident(&param.ident)));
    param.bounds.iter().any(names_float) || elsewhere.any(|predicate| predicate.bounds.iter().any(names_float))
}

/// Types named by one capital letter, which a method has from its block: parameters of that, of which nothing is seen here.
pub fn of_block(function: &ItemFn) -> Vec<Ident> {
    struct Names(Vec<Ident>);
    impl<'ast> Visit<'ast> for Names {
        fn visit_type_path(&mut self, path: &'ast syn::TypePath) {
            if let Some(ident) = path.path.get_ident()
                && ident.to_string().len() == 1
                && ident.to_string().chars().all(char::is_uppercase)
                && !self.0.contains(ident)
            {
                self.0.push(ident.clone());
            }
            syn::visit::visit_type_path(self, path);
        }
    }
    let mut names = Names(Vec::new());
    names.visit_item_fn(function);
    let own: BTreeSet<String> = function.sig.generics.type_params().map(|param| param.ident.to_string()).collect();
    names.0.retain(|name| !own.contains(&name.to_string()));
    names.0
}

/// The function with the parameters and the literals marked, for its derivatives to be made of.
pub fn mark(mut function: ItemFn, floats: &[Ident], library: &Path) -> ItemFn {
    for float in floats {
        ask(&mut function.sig.generics, float, library);
    }
    syn::parse2(marked(function.to_token_stream(), floats)).unwrap_or(function)
}

/// Asks for the trait of floats of a parameter, where its other bounds are.
pub fn ask(generics: &mut Generics, float: &Ident, library: &Path) {
    let elsewhere = generics.where_clause.iter_mut().flat_map(|clause| &mut clause.predicates).find_map(|predicate| match predicate {
        WherePredicate::Type(predicate) if matches!(&predicate.bounded_ty, syn::Type::Path(path) if path.path.is_ident(float)) => {
            Some(predicate)
        }
        _ => None,
    });
    if let Some(predicate) = elsewhere {
        predicate.bounds.push(parse_quote!(#library::Real));
    } else if let Some(param) = generics.type_params_mut().find(|param| param.ident == *float) {
        param.colon_token.get_or_insert_default();
        param.bounds.push(parse_quote!(#library::Real));
    } else {
        generics.make_where_clause().predicates.push(parse_quote!(#float: #library::Real));
    }
}

/// `tokens` with the parameters and the literals marked.
pub fn marked(tokens: TokenStream, floats: &[Ident]) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Ident(ident) if floats.contains(&ident) => named(&ident).into(),
            TokenTree::Literal(literal) if is_plain_float(&literal) => respelled(&literal, &format!("{}{SUFFIX}", whole(&literal))),
            TokenTree::Group(group) => regrouped(&group, marked(group.stream(), floats)),
            other => other,
        })
        .collect()
}

/// What was made of a marked function, in the user's own terms.
pub fn unmarked(tokens: TokenStream, float: &Ident, library: &Path) -> TokenStream {
    let mut out = TokenStream::new();
    for token in tokens {
        match token {
            TokenTree::Ident(ident) if is_float(&ident.to_string()) => {
                format_ident!("{}", ident.to_string()[PREFIX.len()..], span = ident.span()).to_tokens(&mut out);
            }
            TokenTree::Literal(literal) if literal.to_string().ends_with(SUFFIX) => {
                let text = literal.to_string();
                respelled(&literal, &text[..text.len() - SUFFIX.len()]).to_tokens(&mut out);
            }
            TokenTree::Literal(literal) if is_plain_float(&literal) => {
                let span = literal.span();
                quote_spanned!(span=> <#float as #library::Real>::from_f64(#literal)).to_tokens(&mut out);
            }
            TokenTree::Group(group) => regrouped(&group, unmarked(group.stream(), float, library)).to_tokens(&mut out),
            other => other.to_tokens(&mut out),
        }
    }
    out
}

/// The generics of a block of which only these names are known.
pub fn assumed(floats: &[Ident]) -> Generics {
    let mut generics = Generics::default();
    generics.params.extend(floats.iter().map(|float| -> GenericParam { parse_quote!(#float) }));
    generics
}

/// A float literal without a suffix.
fn is_plain_float(literal: &Literal) -> bool {
    let token: TokenStream = TokenTree::Literal(literal.clone()).into();
    syn::parse2::<syn::LitFloat>(token).is_ok_and(|float| float.suffix().is_empty())
}

/// The literal with a digit after its point, where a suffix can stand.
fn whole(literal: &Literal) -> String {
    let text = literal.to_string();
    if text.ends_with('.') { text + "0" } else { text }
}

fn respelled(literal: &Literal, text: &str) -> TokenTree {
    let mut respelled: Literal = text.parse().unwrap_or_else(|_| literal.clone());
    respelled.set_span(literal.span());
    respelled.into()
}

fn regrouped(group: &Group, stream: TokenStream) -> TokenTree {
    let mut regrouped = Group::new(group.delimiter(), stream);
    regrouped.set_span(group.span());
    regrouped.into()
}
