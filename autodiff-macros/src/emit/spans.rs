//! The spans of emitted tokens.
//!
//! What we write, and every local name, gets a span of this macro located at the user's code: names cannot clash
//! and lints stay quiet. Types, functions, fields and numbers of the user's keep their own spans, so that rustc
//! says what is wrong with them once, of the primal and of its copies together.

use std::collections::BTreeSet;

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;

use crate::ir::build::{Vars, local_span};
use crate::parse::Primal;

/// The names that generated code gives: local ones, and that of the type that holds the derivatives.
pub struct Locals(BTreeSet<String>);

impl Locals {
    /// The type's and its functions'.
    pub fn new(primal: &Primal) -> Self {
        let functions = [
            "pullback",
            "pushforward",
            "primal",
            "recursive",
            "forward",
            "adjoint",
            "vjp",
            "jvp",
            "jvp_lanes",
            "pushforward_lanes",
            "gradient",
            "gradient_into",
            "gradient_order_2_pullback",
            "gradient_order_2_pushforward",
            "order_2",
            "hvp",
            "jacobian",
            "hessian",
            "hessian_diagonal",
        ];
        let scratches =
            (0..2 * primal.params.len()).flat_map(|position| [format!("scratch_{position}"), format!("scratch_lanes_{position}")]);
        let names = functions.into_iter().map(str::to_owned).chain(scratches);
        let namespace = primal.namespace().unraw().to_string();
        if primal.method.is_some() {
            let names = names.flat_map(|name| [format!("{namespace}_{name}"), format!("{namespace}_{name}_mut")]);
            return Locals(names.collect());
        }
        Locals(names.chain([namespace]).collect())
    }

    /// Adds all of `vars`.
    pub fn extend(&mut self, vars: &Vars) {
        self.0.extend(vars.names().map(|name| name.unraw().to_string()));
    }

    fn is_local(&self, ident: &Ident) -> bool {
        self.0.contains(&ident.unraw().to_string())
    }
}

/// `tokens` with their final spans.
pub fn located(tokens: TokenStream, locals: &Locals) -> TokenStream {
    let ours = position(Span::call_site());
    relocate(tokens, locals, &ours)
}

fn relocate(tokens: TokenStream, locals: &Locals, ours: &Position) -> TokenStream {
    let mut after_dollar = false;
    tokens
        .into_iter()
        .map(|token| {
            // `$crate` means the crate that it was written in.
            let crate_of_macro = matches!(&token, TokenTree::Ident(ident) if *ident == "$crate") || after_dollar;
            after_dollar = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '$');
            match token {
                token if crate_of_macro || keeps_span(&token, locals, ours) => token,
                TokenTree::Group(group) => {
                    let mut located = Group::new(group.delimiter(), relocate(group.stream(), locals, ours));
                    located.set_span(local_span(group.span()));
                    TokenTree::Group(located)
                }
                mut other => {
                    other.set_span(local_span(other.span()));
                    other
                }
            }
        })
        .collect()
}

fn keeps_span(token: &TokenTree, locals: &Locals, ours: &Position) -> bool {
    match token {
        // A keyword is no name: it only begins items and statements, whose lints are to stay quiet.
        TokenTree::Ident(ident) => {
            let text = ident.to_string();
            let keyword = syn::parse_str::<Ident>(&text).is_err();
            !keyword && !locals.is_local(ident) && !text.starts_with("__") && position(ident.span()) != *ours
        }
        // Text may be a format string that captures local names.
        TokenTree::Literal(literal) => {
            literal.to_string().starts_with(|first: char| first.is_ascii_digit()) && position(literal.span()) != *ours
        }
        TokenTree::Group(_) | TokenTree::Punct(_) => false,
    }
}

type Position = (String, usize, usize);

/// Where a token was written; all of ours are where the attribute stands.
fn position(span: Span) -> Position {
    let span = span.unwrap();
    (span.file(), span.line(), span.column())
}
