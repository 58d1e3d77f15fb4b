//! Pieces of expressions that know how strongly they bind, so that parentheses stand only where they must.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{BinOp, Expr};

use crate::ir::Binary;

/// How strongly an expression binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    Low,
    Sum,
    Product,
    Cast,
    Unary,
    Atom,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Code {
    pub tokens: TokenStream,
    pub level: Level,
    /// How many operations are in it.
    pub size: usize,
    /// Its operator and operands, where it is a binary operation.
    parts: Option<(Binary, TokenStream, TokenStream)>,
}

impl Code {
    /// A name, literal, call or the like.
    pub fn atom(tokens: impl ToTokens) -> Self {
        Code { tokens: tokens.to_token_stream(), level: Level::Atom, size: 1, parts: None }
    }

    /// The expression as it stands.
    pub fn of(expr: &Expr) -> Self {
        Code { tokens: expr.to_token_stream(), level: level(expr), size: 1, parts: None }
    }

    /// An expression of one operation that binds like `level`.
    pub fn new(tokens: TokenStream, level: Level, size: usize) -> Self {
        Code { tokens, level, size, parts: None }
    }

    /// The same, counted as `size` operations.
    pub fn sized(self, size: usize) -> Self {
        Code { size, ..self }
    }

    /// `place = self;`, as a compound assignment where it is one.
    pub fn assigned_to(&self, place: &TokenStream) -> TokenStream {
        let tokens = &self.tokens;
        let name = place.to_string();
        match &self.parts {
            Some((op, left, right)) if left.to_string() == name => compound(*op, place, right),
            Some((op @ (Binary::Add | Binary::Mul), left, right)) if right.to_string() == name => compound(*op, place, left),
            _ => quote!(#place = #tokens;),
        }
    }

    /// The tokens where something of `least` is needed.
    pub fn at(&self, least: Level) -> TokenStream {
        let tokens = &self.tokens;
        if self.level >= least { tokens.clone() } else { quote!((#tokens)) }
    }

    /// `left op right`.
    pub fn binary(op: Binary, left: &Code, right: &Code) -> Code {
        let (own, above) = match op {
            Binary::Add | Binary::Sub => (Level::Sum, Level::Product),
            Binary::Mul | Binary::Div | Binary::Rem => (Level::Product, Level::Cast),
        };
        let (left_tokens, right_tokens) = (left.at(own), right.at(above));
        // The operator stands where its operand does, or a formatter's eye would see a line break there.
        let span = left_tokens.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span());
        let tokens = match op {
            Binary::Add => quote_spanned!(span=> #left_tokens + #right_tokens),
            Binary::Sub => quote_spanned!(span=> #left_tokens - #right_tokens),
            Binary::Mul => quote_spanned!(span=> #left_tokens * #right_tokens),
            Binary::Div => quote_spanned!(span=> #left_tokens / #right_tokens),
            Binary::Rem => quote_spanned!(span=> #left_tokens % #right_tokens),
        };
        let parts = Some((op, left.tokens.clone(), right.tokens.clone()));
        Code { tokens, level: own, size: left.size + right.size + 1, parts }
    }
}

fn compound(op: Binary, place: &TokenStream, value: &TokenStream) -> TokenStream {
    match op {
        Binary::Add => quote!(#place += #value;),
        Binary::Sub => quote!(#place -= #value;),
        Binary::Mul => quote!(#place *= #value;),
        Binary::Div => quote!(#place /= #value;),
        Binary::Rem => quote!(#place %= #value;),
    }
}

fn level(expr: &Expr) -> Level {
    match expr {
        Expr::Binary(binary) => match binary.op {
            BinOp::Add(_) | BinOp::Sub(_) => Level::Sum,
            BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_) => Level::Product,
            _ => Level::Low,
        },
        Expr::Cast(_) => Level::Cast,
        Expr::Unary(_) | Expr::Reference(_) => Level::Unary,
        Expr::Lit(_)
        | Expr::Path(_)
        | Expr::Call(_)
        | Expr::MethodCall(_)
        | Expr::Field(_)
        | Expr::Index(_)
        | Expr::Paren(_)
        | Expr::Tuple(_)
        | Expr::Array(_)
        | Expr::Repeat(_)
        | Expr::Macro(_) => Level::Atom,
        Expr::Group(group) => level(&group.expr),
        _ => Level::Low,
    }
}
