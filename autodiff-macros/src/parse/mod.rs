//! Parsing: the item and the attribute's arguments become a [`Primal`]. What a signature cannot have is
//! refused here.

pub mod attribute;
pub mod generic;
pub mod method;
pub mod signature;
pub mod types;

use proc_macro2::TokenStream;
use syn::{Ident, ItemFn};

pub use attribute::Options;
pub use method::Method;

use crate::diag::Diagnostics;
use crate::ir::{Callee, Ty};

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
    /// What is to be known of a function in an `impl` block.
    pub method: Option<Method>,
    /// The type parameter that is the float type.
    pub float: Option<Ident>,
}

/// What is left of a signature after its refusals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Soundness {
    Sound,
    /// The types of the derivatives cannot be written.
    Refused,
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
    let method = method::is_method(&function).then(Method::default);
    Some(of(function, options, method, diagnostics))
}

/// A function as a [`Primal`].
pub fn of(function: ItemFn, options: Options, method: Option<Method>, diagnostics: &mut Diagnostics) -> Primal {
    let mut refusals = Diagnostics::default();
    let mut item = function.clone();
    signature::strip(&mut item.sig);
    let item = quote::ToTokens::to_token_stream(&item);
    let (method, floats) = float_parameters(&function, method);
    let function = if floats.is_empty() { function } else { generic::mark(function, &floats, &options.library) };
    let function = if method.is_some() { method::as_function(function) } else { function };
    let (function, params) = signature::params(function, &mut refusals);
    let result = signature::result(&function.sig, &mut refusals);
    signature::check(&function.sig, &params, &result, &mut refusals);
    let sound = if refusals.is_clean() { Soundness::Sound } else { Soundness::Refused };
    diagnostics.append(refusals);
    Primal { item, function, params, result, options, sound, method, float: floats.into_iter().next() }
}

/// The type parameters that are floats, which a method may have from its block.
fn float_parameters(function: &ItemFn, method: Option<Method>) -> (Option<Method>, Vec<Ident>) {
    let of_block = match &method {
        Some(method) if method.owner.is_none() => generic::of_block(function),
        _ => Vec::new(),
    };
    let method = method.map(|method| match of_block.is_empty() {
        true => method,
        false => Method { outer: generic::assumed(&of_block), ..method },
    });
    let outer = method.iter().filter(|method| method.owner.is_some()).map(|method| &method.outer);
    let mut floats = generic::floats(outer.chain([&function.sig.generics]));
    floats.extend(of_block);
    (method, floats)
}

impl Primal {
    /// Whether a derivative can flow from a parameter to what the function returns or writes.
    pub fn is_active(&self) -> bool {
        let writes = self.params.iter().any(|param| param.active && param.passing == Passing::Mutable);
        self.params.iter().any(|param| param.active) && (writes || self.result.known.differentiable())
    }

    /// What is asked of the float type, where it is a parameter.
    pub fn float_bound(&self) -> Option<syn::WherePredicate> {
        let float = generic::named(self.float.as_ref()?);
        let library = &self.options.library;
        Some(syn::parse_quote!(#float: #library::Real))
    }

    /// The name of the type that holds the derivatives.
    pub fn namespace(&self) -> Ident {
        self.options.name.clone().unwrap_or_else(|| self.function.sig.ident.clone())
    }

    /// The name of one of the derivatives: that of a method's bears the method's.
    pub fn derivative(&self, function: &str) -> Ident {
        let span = self.function.sig.ident.span();
        match &self.method {
            Some(_) => method::prefixed(&self.namespace(), function, span),
            None => Ident::new(function, span),
        }
    }

    /// Whether `path` is the function itself.
    pub fn is_self(&self, path: &syn::Path) -> bool {
        self.method.is_none()
            && path.leading_colon.is_none()
            && path.segments.len() == 1
            && path.segments[0].ident == self.function.sig.ident
    }

    /// Whether `path` is the associated function itself, `Self::f`.
    fn is_own_associated(&self, path: &syn::Path) -> bool {
        self.method.is_some()
            && path.segments.len() == 2
            && path.segments[0].ident == "Self"
            && path.segments[1].ident == self.function.sig.ident
    }

    /// Where the derivatives of `callee` are found.
    pub fn derivatives_of(&self, callee: &Callee) -> Callee {
        let mut callee = callee.clone();
        let name = self.namespace();
        match &mut callee {
            Callee::Function(path) if self.is_self(path) => {
                path.segments[0].ident = Ident::new(&name.to_string(), path.segments[0].ident.span());
            }
            Callee::Associated(path) if self.is_own_associated(path) => path.segments[1].ident = name,
            Callee::Method { name: own, .. } if self.method.is_some() && *own == self.function.sig.ident => *own = name,
            _ => {}
        }
        callee
    }

    /// Whether its signature speaks of `f32`, and not of `f64`.
    pub fn is_single(&self) -> bool {
        let signature = quote::ToTokens::to_token_stream(&self.function.sig).to_string();
        signature.contains("f32") && !signature.contains("f64")
    }

    /// Whether a parameter or the result is a matrix.
    pub fn mentions_matrices(&self) -> bool {
        let known = self.params.iter().map(|param| &param.known).chain([&self.result.known]);
        known.into_iter().any(|known| *known.peeled() == crate::ir::Ty::Matrix)
    }

    /// Whether the function's own derivatives may be those of `callee`.
    pub fn is_own(&self, callee: &Callee) -> bool {
        let last = |path: &syn::Path| path.segments.last().is_some_and(|last| last.ident == self.namespace());
        match callee {
            Callee::Function(path) => path.leading_colon.is_none() && path.segments.len() == 1 && last(path),
            Callee::Associated(path) => self.method.is_some() && last(path),
            Callee::Method { name, .. } => self.method.is_some() && *name == self.namespace(),
        }
    }

    /// Whether the function calls itself.
    pub fn is_recursive(&self) -> bool {
        struct Search<'a>(&'a Primal, bool);
        impl<'ast> syn::visit::Visit<'ast> for Search<'_> {
            fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
                let is_self = |path: &syn::Path| self.0.is_self(path) || self.0.is_own_associated(path);
                self.1 |= matches!(&*call.func, syn::Expr::Path(path) if is_self(&path.path));
                syn::visit::visit_expr_call(self, call);
            }
            fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
                self.1 |= self.0.method.is_some() && call.method == self.0.function.sig.ident;
                syn::visit::visit_expr_method_call(self, call);
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
