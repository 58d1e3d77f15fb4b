//! Where an `Option` or a `Result` comes from, and what it holds: a value of its own, an element of a slice, or what a search found.
//!
//! The last two are never put together: they are a flag and the item.

use quote::ToTokens;
use syn::{Expr, ExprMethodCall, Ident, Pat, parse_quote};

use super::cases::{Body, Case};
use super::chain::Found;
use super::{Lowering, Value};
use crate::diag::{Origin, Refusal};
use crate::ir::{Op, Operand, Place, Projection, Ty};

/// An `Option` or a `Result` that is looked into.
pub(super) struct Maybe {
    /// Whether there is a value.
    pub(super) some: Operand,
    content: Content,
}

enum Content {
    /// A part of the whole.
    Part {
        whole: Place,
        value: Place,
    },
    Element(Value),
    Found(Found),
}

impl Lowering<'_> {
    /// Whether `expr` is an `Option` that is a flag and an item.
    pub(super) fn is_parted(&self, expr: &Expr) -> bool {
        self.is_search(expr) || self.is_element(expr)
    }

    /// `xs.get(i)`, `xs.first()`, `xs.last()`, and copies of them.
    fn is_element(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(inner) => self.is_element(&inner.expr),
            Expr::MethodCall(call) if is_copy(call) => self.is_element(&call.receiver),
            Expr::MethodCall(call) => {
                let one = match (call.method.to_string().as_str(), call.args.first()) {
                    ("get" | "get_mut", Some(index)) => !matches!(index, Expr::Range(_) | Expr::Reference(_)),
                    ("first" | "last" | "first_mut" | "last_mut", None) => true,
                    _ => false,
                };
                one && matches!(self.guess(&call.receiver), Ty::Array(..) | Ty::Slice(_)) && is_place(&call.receiver)
            }
            _ => false,
        }
    }

    /// What `expr` holds; `known` is what is known of its type.
    pub(super) fn look_into(&mut self, expr: &Expr, known: &Ty) -> Option<Maybe> {
        if self.is_search(expr) {
            let found = self.search(expr)?;
            let some = self.read(Place::whole(found.flag), found.origin);
            return Some(Maybe { some, content: Content::Found(found) });
        }
        if self.is_element(expr) {
            return self.element(expr);
        }
        let Some((whole, _)) = self.subject(expr) else {
            self.refuse(expr, Refusal::Pattern);
            return None;
        };
        Some(self.maybe(whole, if matches!(known, Ty::Option(_)) { "Some" } else { "Ok" }, Origin::of(expr)))
    }

    /// A whole, whose value is the payload of `variant`.
    pub(super) fn maybe(&mut self, whole: Place, variant: &str, origin: Origin) -> Maybe {
        let mut reads = Vec::new();
        let spelled = self.spell(&Value::Place(whole.clone()), &mut reads);
        let library = self.library;
        let asks: Expr = parse_quote!(#library::payload::Maybe::value(&#spelled).is_some());
        let some = self.value(origin, Ty::Bool, Op::Inert { expr: Box::new(asks), reads });
        let variant = Ident::new(variant, proc_macro2::Span::mixed_site());
        let value = whole.clone().project(Projection::Payload { variant, member: syn::Member::Unnamed(0.into()) });
        Maybe { some, content: Content::Part { whole, value } }
    }

    fn element(&mut self, expr: &Expr) -> Option<Maybe> {
        let call = match expr {
            Expr::Paren(inner) => return self.element(&inner.expr),
            Expr::MethodCall(call) => call,
            _ => return None,
        };
        let origin = Origin::of(&call.method);
        if is_copy(call) {
            let Maybe { some, content } = self.element(&call.receiver)?;
            let Content::Element(Value::Ref { place, .. }) = content else { return None };
            return Some(Maybe { some, content: Content::Element(Value::Place(place)) });
        }
        let place = self.target(&call.receiver)?;
        let mut reads = Vec::new();
        let whole = self.spell(&Value::Ref { place: place.clone(), mutable: false }, &mut reads);
        let name = call.method.to_string();
        let (some, index): (Expr, Operand) = match call.args.first() {
            Some(index) => {
                let index = self.steering(index);
                let spelled = self.spell_operand(&index, &mut reads);
                (parse_quote!(#spelled < #whole.len()), index)
            }
            None if name.starts_with("first") => (parse_quote!(!#whole.is_empty()), Operand::Const(parse_quote!(0))),
            None => {
                // Where there is none, nobody asks for it.
                let last: Expr = parse_quote!(#whole.len().saturating_sub(1));
                let last = self.value(origin, Ty::Int, Op::Inert { expr: Box::new(last), reads: reads.clone() });
                (parse_quote!(!#whole.is_empty()), last)
            }
        };
        let some = self.value(origin, Ty::Bool, Op::Inert { expr: Box::new(some), reads });
        let element = Value::Ref { place: place.project(Projection::Index(index)), mutable: name.ends_with("_mut") };
        Some(Maybe { some, content: Content::Element(element) })
    }

    /// The value that is there.
    pub(super) fn value_of(&mut self, maybe: &Maybe, origin: Origin) -> Value {
        match &maybe.content {
            Content::Part { value, .. } => Value::Operand(self.read(value.clone(), origin)),
            Content::Element(value) => self.settle(value.clone(), origin),
            Content::Found(found) => self.item_of(found),
        }
    }

    /// Panics like std where there is none.
    pub(super) fn demanded(&mut self, maybe: &Maybe, demand: &Expr, origin: Origin) -> Value {
        let mut reads = Vec::new();
        let option: Expr = match &maybe.content {
            Content::Part { whole, .. } => {
                let whole = self.spell(&Value::Place(whole.clone()), &mut reads);
                parse_quote!(#whole.as_ref())
            }
            Content::Element(_) | Content::Found(_) => {
                let some = self.spell_operand(&maybe.some, &mut reads);
                parse_quote!(bool::then_some(#some, ()))
            }
        };
        self.push(crate::ir::Stmt::Inert { tokens: quote::quote!(#option.#demand;), reads });
        self.value_of(maybe, origin)
    }

    /// A flag and an item put together, as a value.
    pub(super) fn put_together(&mut self, expr: &Expr) -> Option<Value> {
        let maybe = self.look_into(expr, &Ty::Unknown)?;
        let origin = Origin::of(expr);
        let refused = std::cell::Cell::new(false);
        let value = self.choose(
            maybe.some.clone(),
            expr,
            |lowering| match lowering.value_of(&maybe, origin) {
                Value::Ref { .. } | Value::Borrow(_) => {
                    refused.set(true);
                    Value::Never
                }
                value => super::maybe::wrapped(&parse_quote!(::core::option::Option::Some), value),
            },
            |_| super::maybe::none(),
        );
        (!refused.get()).then_some(value)
    }

    /// A `match` on a flag and an item: of two arms, for `Some` and for the rest.
    pub(super) fn parted_cases(&mut self, scrutinee: &Expr, cases: Vec<Case<'_>>, node: &impl ToTokens) -> Value {
        let mut some = None;
        let mut none = None;
        for case in cases {
            let arm = if some_pattern(&case.pattern).is_some() { &mut some } else { &mut none };
            if arm.is_some() || case.guard.is_some() || !(some_pattern(&case.pattern).is_some() || is_rest(&case.pattern)) {
                return self.refuse(&case.pattern, Refusal::Pattern);
            }
            *arm = Some(case);
        }
        let (Some(some), Some(none)) = (some, none) else { return self.refuse(scrutinee, Refusal::Pattern) };
        let Some(maybe) = self.look_into(scrutinee, &Ty::Unknown) else { return Value::Never };
        let origin = Origin::of(scrutinee);
        let then = |lowering: &mut Self| {
            let value = lowering.value_of(&maybe, origin);
            if let Some(pattern) = some_pattern(&some.pattern) {
                lowering.bind(pattern, value);
            }
            lowering.case_body(some.body)
        };
        self.choose(maybe.some.clone(), node, then, |lowering| lowering.case_body(none.body))
    }

    /// `let Some(PATTERN) = .. else { .. };` of a flag and an item, or of a new value.
    pub(super) fn parted_let_else(&mut self, pattern: &Pat, scrutinee: &Expr, otherwise: &Expr) {
        let Some(inner) = some_pattern(pattern) else {
            self.refuse(pattern, Refusal::Pattern);
            return;
        };
        let Some(maybe) = self.look_into(scrutinee, &Ty::Option(Box::new(Ty::Unknown))) else { return };
        let origin = Origin::of(scrutinee);
        let missing = self.negated(&maybe.some, origin);
        self.when(missing, |lowering| {
            lowering.expr(otherwise);
        });
        let value = self.value_of(&maybe, origin);
        self.bind(inner, value);
    }

    fn case_body(&mut self, body: Body<'_>) -> Value {
        self.scopes.push(std::collections::BTreeMap::new());
        let value = self.body_of_case(body);
        self.scopes.pop();
        value
    }
}

/// Whether the pattern takes the value out of a new `Option`, which then is known where what follows runs only.
pub(super) fn takes_value(pattern: &Pat, scrutinee: &Expr) -> bool {
    matches!(scrutinee, Expr::Call(_) | Expr::MethodCall(_)) && some_pattern(pattern).is_some_and(|inner| !super::cases::chooses(inner))
}

/// The pattern within `Some(..)`.
fn some_pattern(pattern: &Pat) -> Option<&Pat> {
    match pattern {
        Pat::Paren(inner) => some_pattern(&inner.pat),
        Pat::TupleStruct(tuple) if tuple.elems.len() == 1 && tuple.path.segments.last().is_some_and(|last| last.ident == "Some") => {
            tuple.elems.first()
        }
        _ => None,
    }
}

/// `None` or `_`.
fn is_rest(pattern: &Pat) -> bool {
    match pattern {
        Pat::Wild(_) => true,
        Pat::Ident(ident) => ident.ident == "None",
        Pat::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "None"),
        _ => false,
    }
}

fn is_copy(call: &ExprMethodCall) -> bool {
    call.args.is_empty() && matches!(call.method.to_string().as_str(), "copied" | "cloned")
}

fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => true,
        Expr::Paren(inner) => is_place(&inner.expr),
        Expr::Field(field) => is_place(&field.base),
        Expr::Index(index) => is_place(&index.expr),
        Expr::Unary(unary) => is_place(&unary.expr),
        _ => false,
    }
}
