//! Pieces of expressions that know how strongly they bind, so that parentheses stand only where they must.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{BinOp, Expr};

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
}

impl Code {
    /// A name, literal, call or the like.
    pub fn atom(tokens: impl ToTokens) -> Self {
        Code { tokens: tokens.to_token_stream(), level: Level::Atom, size: 1 }
    }

    /// The expression as it stands.
    pub fn of(expr: &Expr) -> Self {
        Code { tokens: expr.to_token_stream(), level: level(expr), size: 1 }
    }

    /// The tokens where something of `least` is needed.
    pub fn at(&self, least: Level) -> TokenStream {
        let tokens = &self.tokens;
        if self.level >= least { tokens.clone() } else { quote!((#tokens)) }
    }

    /// `left op right`.
    pub fn binary(op: crate::ir::Binary, left: &Code, right: &Code) -> Code {
        use crate::ir::Binary;
        let (own, above) = match op {
            Binary::Add | Binary::Sub => (Level::Sum, Level::Product),
            Binary::Mul | Binary::Div | Binary::Rem => (Level::Product, Level::Cast),
        };
        let (left_tokens, right_tokens) = (left.at(own), right.at(above));
        let tokens = match op {
            Binary::Add => quote!(#left_tokens + #right_tokens),
            Binary::Sub => quote!(#left_tokens - #right_tokens),
            Binary::Mul => quote!(#left_tokens * #right_tokens),
            Binary::Div => quote!(#left_tokens / #right_tokens),
            Binary::Rem => quote!(#left_tokens % #right_tokens),
        };
        Code { tokens, level: own, size: left.size + right.size + 1 }
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
