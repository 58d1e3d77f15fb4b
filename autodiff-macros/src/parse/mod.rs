//! Parsing: the item and the attribute's arguments become a [`Primal`]. What a signature cannot have is
//! refused here.

pub mod attribute;
pub mod signature;
pub mod types;

use proc_macro2::TokenStream;
use syn::{Ident, ItemFn};

pub use attribute::Options;

use crate::diag::Diagnostics;
use crate::ir::Ty;

/// A function to be differentiated.
pub struct Primal {
    /// The function as the user wrote it, helper attributes taken off: emitted as it is.
    pub item: TokenStream,
    pub function: ItemFn,
    pub params: Vec<Param>,
    pub result: ResultType,
    pub options: Options,
    /// Whether the signature is one that derivatives can be given for.
    pub sound: Soundness,
}

/// What is left of a signature after its refusals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Soundness {
    Sound,
    /// The types of the derivatives cannot be written.
    Refused,
    /// Not even a function: it has a receiver.
    Method,
}

/// A parameter.
#[derive(Clone)]
pub struct Param {
    pub pattern: syn::Pat,
    /// The type as written.
    pub ty: syn::Type,
    /// What is known of it; a reference is a [`Ty::Ref`].
    pub known: Ty,
    pub passing: Passing,
    pub active: bool,
}

/// How a parameter is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passing {
    Value,
    Shared,
    Mutable,
}

/// The type that the function returns.
pub struct ResultType {
    pub ty: syn::Type,
    pub known: Ty,
}

/// Parses `item`. `None` where it is not even a function with a body; the reason is in `diagnostics`.
pub fn parse(arguments: TokenStream, item: TokenStream, diagnostics: &mut Diagnostics) -> Option<Primal> {
    let options = attribute::parse(arguments, diagnostics);
    let function = match syn::parse2::<ItemFn>(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            signature::refuse_item(&item, error, diagnostics);
            return None;
        }
    };
    let mut signature_refusals = Diagnostics::default();
    let (stripped, params) = signature::params(function, &mut signature_refusals);
    let result = signature::result(&stripped.sig, &mut signature_refusals);
    signature::check(&stripped.sig, &params, &result, &mut signature_refusals);
    let item = quote::ToTokens::to_token_stream(&stripped);
    let sound = match (signature_refusals.is_clean(), stripped.sig.receiver()) {
        (_, Some(_)) => Soundness::Method,
        (true, None) => Soundness::Sound,
        (false, None) => Soundness::Refused,
    };
    diagnostics.append(signature_refusals);
    Some(Primal { item, function: stripped, params, result, options, sound })
}

impl Primal {
    /// The name of the type that holds the derivatives.
    pub fn namespace(&self) -> Ident {
        self.options.name.clone().unwrap_or_else(|| self.function.sig.ident.clone())
    }

    /// Whether `path` is the function itself.
    pub fn is_self(&self, path: &syn::Path) -> bool {
        path.leading_colon.is_none() && path.segments.len() == 1 && path.segments[0].ident == self.function.sig.ident
    }

    /// The path at which the derivatives of the function at `path` are found.
    pub fn derivatives_of(&self, path: &syn::Path) -> syn::Path {
        let mut path = path.clone();
        if self.is_self(&path) {
            let name = self.namespace();
            path.segments[0].ident = Ident::new(&name.to_string(), path.segments[0].ident.span());
        }
        path
    }

    /// Whether a parameter or the result is a matrix.
    pub fn mentions_matrices(&self) -> bool {
        let known = self.params.iter().map(|param| &param.known).chain([&self.result.known]);
        known.into_iter().any(|known| *known.peeled() == crate::ir::Ty::Matrix)
    }

    /// Whether `path` is where the function's own derivatives are.
    pub fn is_own_namespace(&self, path: &syn::Path) -> bool {
        path.leading_colon.is_none() && path.segments.len() == 1 && path.segments[0].ident == self.namespace()
    }

    /// Whether the function calls itself.
    pub fn is_recursive(&self) -> bool {
        struct Search<'a>(&'a Primal, bool);
        impl<'ast> syn::visit::Visit<'ast> for Search<'_> {
            fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
                self.1 |= matches!(&*call.func, syn::Expr::Path(path) if self.0.is_self(&path.path));
                syn::visit::visit_expr_call(self, call);
            }
        }
        let mut search = Search(self, false);
        syn::visit::Visit::visit_block(&mut search, &self.function.block);
        search.1
    }
}

/// The attributes that stand on an expression.
pub fn attributes_of(expr: &syn::Expr) -> &[syn::Attribute] {
    use syn::Expr;
    match expr {
        Expr::Array(e) => &e.attrs,
        Expr::Assign(e) => &e.attrs,
        Expr::Binary(e) => &e.attrs,
        Expr::Block(e) => &e.attrs,
        Expr::Break(e) => &e.attrs,
        Expr::Call(e) => &e.attrs,
        Expr::Cast(e) => &e.attrs,
        Expr::Closure(e) => &e.attrs,
        Expr::Continue(e) => &e.attrs,
        Expr::Field(e) => &e.attrs,
        Expr::ForLoop(e) => &e.attrs,
        Expr::If(e) => &e.attrs,
        Expr::Index(e) => &e.attrs,
        Expr::Lit(e) => &e.attrs,
        Expr::Loop(e) => &e.attrs,
        Expr::Macro(e) => &e.attrs,
        Expr::Match(e) => &e.attrs,
        Expr::MethodCall(e) => &e.attrs,
        Expr::Paren(e) => &e.attrs,
        Expr::Path(e) => &e.attrs,
        Expr::Range(e) => &e.attrs,
        Expr::Reference(e) => &e.attrs,
        Expr::Repeat(e) => &e.attrs,
        Expr::Return(e) => &e.attrs,
        Expr::Tuple(e) => &e.attrs,
        Expr::Unary(e) => &e.attrs,
        Expr::While(e) => &e.attrs,
        _ => &[],
    }
}
