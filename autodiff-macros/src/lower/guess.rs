//! What the type of an expression is, as far as its syntax and the variables in it tell.

use syn::{BinOp, Expr, ExprMethodCall, Lit, UnOp};

use super::{Binding, Lowering};
use crate::ir::{Length, Ty, Width};
use crate::parse::types::classify;
use crate::rules;

impl Lowering<'_> {
    /// A guess at the type of `expr`; `Unknown` where the syntax does not tell.
    pub(super) fn guess(&self, expr: &Expr) -> Ty {
        match expr {
            Expr::Paren(inner) => self.guess(&inner.expr),
            Expr::Group(inner) => self.guess(&inner.expr),
            Expr::Reference(inner) => self.guess(&inner.expr),
            Expr::Lit(literal) => guess_literal(&literal.lit),
            Expr::Path(path) => match path.path.get_ident().and_then(|ident| self.lookup(ident)) {
                Some(Binding::Cell(var)) => self.vars.get(*var).ty.peeled().clone(),
                Some(Binding::Value(value)) => self.value_type(value).peeled().clone(),
                None => guess_constant(path),
            },
            Expr::Unary(unary) => match unary.op {
                UnOp::Deref(_) | UnOp::Neg(_) | UnOp::Not(_) => self.guess(&unary.expr),
                _ => Ty::Unknown,
            },
            Expr::Binary(binary) => self.guess_binary(&binary.op, &binary.left, &binary.right),
            Expr::Cast(cast) => classify(&cast.ty),
            Expr::MethodCall(call) => self.guess_method(call),
            Expr::Index(index) => match self.guess(&index.expr) {
                Ty::Array(element, _) | Ty::Slice(element) => match &*index.index {
                    Expr::Range(_) => Ty::Slice(element),
                    _ => *element,
                },
                Ty::Matrix => Ty::Float(None),
                _ => Ty::Unknown,
            },
            Expr::Field(field) => match (self.guess(&field.base), &field.member) {
                (Ty::Tuple(elements), syn::Member::Unnamed(index)) => elements.get(index.index as usize).cloned().unwrap_or(Ty::Unknown),
                (Ty::Matrix, _) => Ty::Float(None),
                _ => Ty::Unknown,
            },
            Expr::Range(_) => Ty::Inactive,
            Expr::Tuple(tuple) => Ty::Tuple(tuple.elems.iter().map(|element| self.guess(element)).collect()),
            Expr::Array(array) => {
                let length = syn::LitInt::new(&array.elems.len().to_string(), proc_macro2::Span::mixed_site());
                let element = array.elems.first().map_or(Ty::Unknown, |first| self.guess(first));
                Ty::Array(Box::new(element), Some(Length::of(&syn::parse_quote!(#length))))
            }
            Expr::Repeat(repeat) => Ty::Array(Box::new(self.guess(&repeat.expr)), Some(Length::of(&repeat.len))),
            Expr::Call(call) => guess_call(&call.func),
            Expr::Macro(mac) if mac.mac.path.is_ident("matches") => Ty::Bool,
            Expr::Macro(mac) if mac.mac.path.is_ident("format") => Ty::Inactive,
            Expr::Macro(mac) if mac.mac.path.is_ident("vec") => self.guess_vector(&mac.mac.tokens),
            Expr::If(branch) => branch.then_branch.stmts.last().map_or(Ty::Unknown, |last| match last {
                syn::Stmt::Expr(tail, None) => self.guess(tail),
                _ => Ty::Unknown,
            }),
            _ => Ty::Unknown,
        }
    }

    fn guess_vector(&self, tokens: &proc_macro2::TokenStream) -> Ty {
        let element = match syn::parse2::<Expr>(quote::quote!([#tokens])) {
            Ok(Expr::Repeat(repeat)) => self.guess(&repeat.expr),
            Ok(Expr::Array(array)) => array.elems.first().map_or(Ty::Unknown, |first| self.guess(first)),
            _ => Ty::Unknown,
        };
        Ty::Slice(Box::new(element))
    }

    fn guess_binary(&self, op: &BinOp, left: &Expr, right: &Expr) -> Ty {
        match op {
            BinOp::And(_) | BinOp::Or(_) | BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => {
                Ty::Bool
            }
            BinOp::Shl(_) | BinOp::Shr(_) => self.guess(left),
            _ => {
                let types = (self.guess(left), self.guess(right));
                // An integer beside something active may be an operand of the user's operator: see `integral`.
                let active = |ty: &Ty, expr: &Expr| *ty == Ty::Unknown && self.reads_active(expr);
                match combine(op, &types.0, &types.1) {
                    Ty::Int if active(&types.0, left) || active(&types.1, right) => Ty::Unknown,
                    ty => ty,
                }
            }
        }
    }

    fn guess_method(&self, call: &ExprMethodCall) -> Ty {
        let name = call.method.to_string();
        if rules::STEERING_METHODS.contains(&name.as_str()) {
            return Ty::Bool;
        }
        if rules::CONTAINER_QUERIES.contains(&name.as_str()) {
            return Ty::Int;
        }
        match name.as_str() {
            "any" | "all" | "contains" | "is_some" | "is_none" => return Ty::Bool,
            "count" | "position" | "rposition" | "to_bits" | "count_ones" | "leading_zeros" | "trailing_zeros" => return Ty::Int,
            _ => {}
        }
        if let Some(ty) = self.guess_consumer(call, &name) {
            return ty;
        }
        let receiver = self.guess(&call.receiver);
        match receiver {
            Ty::Int if name.starts_with("is_") => Ty::Bool,
            Ty::Int if keeps_integer(&name) => Ty::Int,
            // A closure or an argument may bring something active in: `(0..n).map(|i| xs[i]).sum()`, `flag.then_some(x)`.
            Ty::Int | Ty::Bool | Ty::Inactive if call.args.iter().any(|argument| self.reads_active(argument)) => Ty::Unknown,
            Ty::Int | Ty::Bool | Ty::Inactive => Ty::Inactive,
            Ty::Float(_) if rules::method(&name, call.args.len()).is_some() || rules::ZERO_METHODS.contains(&name.as_str()) => receiver,
            Ty::Matrix => match rules::dispatch(&name, call.args.len()) {
                Some(rule) if rule.scalar => Ty::Float(None),
                Some(_) => Ty::Matrix,
                None if matches!(name.as_str(), "map" | "zip_map" | "clone" | "clone_owned" | "into_owned") => Ty::Matrix,
                None if self.is_view(&Expr::MethodCall(call.clone())) => Ty::Matrix,
                None => rules::matrix::method(&name, call.args.len()).map_or(Ty::Unknown, |method| method.effect.result()),
            },
            // It is lowered as one of floats: see `array_map`.
            Ty::Array(element, length) if name == "map" && element.differentiable() => Ty::Array(Box::new(Ty::Float(None)), length),
            Ty::Option(_) if matches!(name.as_str(), "map" | "and_then") => Ty::Option(Box::new(Ty::Unknown)),
            Ty::Option(_) if matches!(name.as_str(), "or" | "or_else") => receiver,
            Ty::Option(inner) | Ty::Result(inner) if name.starts_with("unwrap") || name == "expect" => *inner,
            Ty::Option(inner) if name.starts_with("ok_or") => Ty::Result(inner),
            Ty::Slice(element) | Ty::Array(element, _) if name == "to_vec" => Ty::Slice(element),
            Ty::Slice(element) if name == "pop" => Ty::Option(element),
            Ty::Slice(element) if matches!(name.as_str(), "remove" | "swap_remove") => *element,
            other if matches!(name.as_str(), "clone" | "to_owned" | "split_off") => other,
            Ty::Unknown if self.is_view(&Expr::MethodCall(call.clone())) => Ty::Matrix,
            _ => Ty::Unknown,
        }
    }
}

impl Lowering<'_> {
    /// What an iterator's consumer says of its result.
    fn guess_consumer(&self, call: &ExprMethodCall, name: &str) -> Option<Ty> {
        match (name, &call.turbofish) {
            ("sum" | "product", Some(turbofish)) => match turbofish.args.first() {
                Some(syn::GenericArgument::Type(ty)) if self.is_chain(&call.receiver) => Some(classify(ty)),
                _ => None,
            },
            ("fold", _) if call.args.len() == 2 && self.is_chain(&call.receiver) => match self.guess(&call.args[0]) {
                ty @ Ty::Float(_) => Some(ty),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Methods of integers that return an integer.
fn keeps_integer(name: &str) -> bool {
    let families = ["wrapping_", "saturating_", "leading_", "trailing_", "count_", "rotate_", "div_", "rem_", "unsigned_", "next_"];
    families.iter().any(|family| name.starts_with(family))
        || matches!(
            name,
            "abs" | "pow" | "min" | "max" | "clamp" | "signum" | "abs_diff" | "isqrt" | "ilog2" | "ilog10" | "clone" | "midpoint"
        )
}

/// The type of an arithmetic operation on operands of these types.
pub(super) fn combine(op: &BinOp, left: &Ty, right: &Ty) -> Ty {
    let product = matches!(op, BinOp::Mul(_) | BinOp::MulAssign(_));
    let quotient = matches!(op, BinOp::Div(_) | BinOp::DivAssign(_));
    match (left.peeled(), right.peeled()) {
        (Ty::Float(a), Ty::Float(b)) => Ty::Float(a.or(*b)),
        (Ty::Bool, Ty::Bool) => Ty::Bool,
        (Ty::Int, Ty::Int | Ty::Unknown) | (Ty::Unknown, Ty::Int) => Ty::Int,
        (Ty::Matrix, Ty::Unknown) if product => Ty::Unknown,
        (Ty::Matrix, _) | (_, Ty::Matrix) => Ty::Matrix,
        // A float plus, minus or over something is a float: nalgebra has no such operator, and for other
        // types rustc will object. A product of a float may be a scaled matrix.
        (Ty::Float(width), Ty::Unknown) if !product => Ty::Float(*width),
        (Ty::Unknown, Ty::Float(width)) if !product && !quotient => Ty::Float(*width),
        _ => Ty::Unknown,
    }
}

fn guess_literal(literal: &Lit) -> Ty {
    match literal {
        Lit::Float(float) => float_suffix(float.suffix()),
        Lit::Int(int) => match int.suffix() {
            "f32" | "f64" => float_suffix(int.suffix()),
            _ => Ty::Int,
        },
        Lit::Bool(_) => Ty::Bool,
        _ => Ty::Inactive,
    }
}

fn float_suffix(suffix: &str) -> Ty {
    Ty::Float(match suffix {
        "f32" => Some(Width::F32),
        "f64" => Some(Width::F64),
        _ => None,
    })
}

/// Constants that say their type in their path: `f64::EPSILON`, `std::f64::consts::PI`, `usize::MAX`.
fn guess_constant(path: &syn::ExprPath) -> Ty {
    let mut names = path.path.segments.iter().rev().skip(1).map(|segment| segment.ident.to_string());
    match names.find(|name| name != "consts").as_deref() {
        Some("f64") => Ty::Float(Some(Width::F64)),
        Some("f32") => Ty::Float(Some(Width::F32)),
        Some(name) if crate::parse::generic::is_float(name) => Ty::Float(Some(Width::Parameter)),
        Some("usize" | "u8" | "u16" | "u32" | "u64" | "i8" | "i16" | "i32" | "i64" | "isize") => Ty::Int,
        _ => Ty::Unknown,
    }
}

/// Calls of associated functions of primitive types: `usize::from(k)`, `f64::max(a, b)`.
fn guess_call(func: &Expr) -> Ty {
    match func {
        Expr::Path(path) if path.qself.is_none() && makes_matrix(&path.path) => Ty::Matrix,
        Expr::Path(path) if makes_vector(&path.path) => Ty::Slice(Box::new(Ty::Unknown)),
        Expr::Path(path) => match guess_constant(path) {
            // `num_traits` converts so.
            Ty::Float(Some(Width::Parameter)) if path.path.segments.last().is_some_and(|last| last.ident == "from") => {
                Ty::Option(Box::new(Ty::Float(Some(Width::Parameter))))
            }
            Ty::Float(width) if !is_steering(path) => Ty::Float(width),
            Ty::Float(_) => Ty::Bool,
            other => other,
        },
        _ => Ty::Unknown,
    }
}

/// An associated function of a matrix type that gives a matrix.
fn makes_matrix(path: &syn::Path) -> bool {
    let mut segments = path.segments.iter().rev();
    let Some(name) = segments.next().map(|last| last.ident.to_string()) else { return false };
    let makes = matches!(name.as_str(), "new" | "zeros" | "identity" | "repeat") || name.starts_with("from_");
    let Some(owner) = segments.next() else { return false };
    let owner: syn::Path = owner.clone().into();
    makes && classify(&syn::parse_quote!(#owner)) == Ty::Matrix
}

/// `Vec::new` and `Vec::with_capacity`.
fn makes_vector(path: &syn::Path) -> bool {
    let mut names = path.segments.iter().rev().map(|segment| segment.ident.to_string());
    matches!(names.next().as_deref(), Some("new" | "with_capacity")) && names.next().as_deref() == Some("Vec")
}

fn is_steering(path: &syn::ExprPath) -> bool {
    path.path.segments.last().is_some_and(|segment| {
        let name = segment.ident.to_string();
        rules::STEERING_METHODS.contains(&name.as_str())
    })
}
