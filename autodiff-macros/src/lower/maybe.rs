//! `Option` and `Result`: their methods and `?`. Each is a branch on whether there is a value, which is then a part of the whole.

use quote::format_ident;
use syn::{Expr, ExprMethodCall, ExprTry, parse_quote};

use super::look::Maybe;
use super::{Binding, Lowering, Value};
use crate::diag::{Origin, Refusal};
use crate::ir::{Op, Operand, Place, Role, Ty, VarId};

/// Methods whose names say that the receiver is an `Option` or a `Result`, and the number of their arguments.
const METHODS: &[(&str, usize)] = &[
    ("unwrap", 0),
    ("expect", 1),
    ("unwrap_or", 1),
    ("unwrap_or_else", 1),
    ("map_or", 2),
    ("map_or_else", 2),
    ("ok_or", 1),
    ("ok_or_else", 1),
];

/// The same, where it is known to be an `Option`.
const METHODS_OF_OPTIONS: &[(&str, usize)] = &[("map", 1), ("and_then", 1), ("or", 1), ("or_else", 1)];

impl Lowering<'_> {
    /// A method of an `Option` or a `Result`; `None` where it is none.
    pub(super) fn maybe_method(&mut self, call: &ExprMethodCall, name: &str, receiver: &Ty) -> Option<Value> {
        let listed = |methods: &[(&str, usize)]| methods.contains(&(name, call.args.len()));
        let known = match receiver {
            _ if self.is_parted(&call.receiver) => listed(METHODS) || listed(METHODS_OF_OPTIONS),
            Ty::Option(_) => listed(METHODS) || listed(METHODS_OF_OPTIONS),
            Ty::Result(_) | Ty::Unknown => listed(METHODS),
            _ => false,
        };
        if !known {
            return None;
        }
        // Errors that are handed to a closure would have to be taken out of what is still needed.
        if matches!(name, "unwrap_or_else" | "map_or_else") && takes_error(&call.args[0]) {
            return None;
        }
        let origin = Origin::of(&call.method);
        let maybe = self.look_into(&call.receiver, receiver)?;
        Some(match name {
            "unwrap" => self.demanded(&maybe, &parse_quote!(unwrap()), origin),
            "expect" => {
                let message = self.steering(&call.args[0]);
                let message = self.spell_operand(&message, &mut Vec::new());
                self.demanded(&maybe, &parse_quote!(expect(#message)), origin)
            }
            "unwrap_or" | "or" => {
                let other = self.now(&call.args[0]);
                let then =
                    |lowering: &mut Self| if name == "or" { lowering.some_of(&maybe, origin) } else { lowering.value_of(&maybe, origin) };
                self.choose(maybe.some.clone(), &call.method, then, |_| other)
            }
            "map_or" => {
                let other = self.now(&call.args[0]);
                let function = self.callee(&call.args[1])?;
                let mapped = |lowering: &mut Self| {
                    let value = lowering.value_of(&maybe, origin);
                    lowering.apply(&function, vec![value], origin)
                };
                self.choose(maybe.some.clone(), &call.method, mapped, |_| other)
            }
            "map_or_else" => {
                let (other, function) = (self.callee(&without_error(&call.args[0]))?, self.callee(&call.args[1])?);
                let mapped = |lowering: &mut Self| {
                    let value = lowering.value_of(&maybe, origin);
                    lowering.apply(&function, vec![value], origin)
                };
                self.choose(maybe.some.clone(), &call.method, mapped, |lowering| lowering.apply(&other, Vec::new(), origin))
            }
            "unwrap_or_else" | "or_else" => {
                let other = self.callee(&without_error(&call.args[0]))?;
                let then = |lowering: &mut Self| {
                    if name == "or_else" { lowering.some_of(&maybe, origin) } else { lowering.value_of(&maybe, origin) }
                };
                self.choose(maybe.some.clone(), &call.method, then, |lowering| lowering.apply(&other, Vec::new(), origin))
            }
            "map" | "and_then" => {
                let function = self.callee(&call.args[0])?;
                let mapped = |lowering: &mut Self| {
                    let value = lowering.value_of(&maybe, origin);
                    let value = lowering.apply(&function, vec![value], origin);
                    if name == "map" { wrapped(&parse_quote!(::core::option::Option::Some), value) } else { value }
                };
                self.choose(maybe.some.clone(), &call.method, mapped, |_| none())
            }
            _ => {
                let error = if name == "ok_or" { self.now(&call.args[0]) } else { Value::Never };
                let function = if name == "ok_or" { None } else { Some(self.callee(&call.args[0])?) };
                let then = |lowering: &mut Self| wrapped(&parse_quote!(::core::result::Result::Ok), lowering.value_of(&maybe, origin));
                self.choose(maybe.some.clone(), &call.method, then, |lowering| {
                    let error = function.map_or(error, |function| lowering.apply(&function, Vec::new(), origin));
                    wrapped(&parse_quote!(::core::result::Result::Err), error)
                })
            }
        })
    }

    /// `expr?`, in a function whose result says of which kind it is.
    pub(super) fn question_mark(&mut self, question: &ExprTry) -> Value {
        let kind = match (self.result, &self.returns) {
            (Some(result), None) => self.vars.get(result).ty.clone(),
            _ => Ty::Unknown,
        };
        let leave: Expr = match kind {
            Ty::Option(_) => parse_quote!(return ::core::option::Option::None),
            Ty::Result(_) => parse_quote!(return ::core::result::Result::Err(::core::convert::From::from(__error))),
            _ => return self.refuse(&question.question_token, Refusal::QuestionMark),
        };
        let origin = Origin::of(&question.question_token);
        if let (Ty::Result(_), Some(call)) = (&kind, ok_or(&question.expr)) {
            return self.value_or_error(call, &leave, origin);
        }
        let variant = if matches!(kind, Ty::Option(_)) { "Some" } else { "Ok" };
        let taken_apart = if variant == "Ok" {
            self.split(&question.expr, origin).map(|(maybe, error)| (maybe, Some(error)))
        } else {
            self.look_into(&question.expr, &kind).map(|maybe| (maybe, None))
        };
        let Some((maybe, error)) = taken_apart else { return Value::Never };
        let missing = self.negated(&maybe.some, origin);
        self.when(missing, |lowering| {
            if let Some(error) = error {
                let error = lowering.found(error, origin);
                lowering.define(&format_ident!("__error"), Binding::Value(Value::Operand(error)));
            }
            lowering.expr(&leave);
        });
        self.value_of(&maybe, origin)
    }

    /// `option.ok_or(error)?`: the `Result` need not be put together.
    fn value_or_error(&mut self, call: &ExprMethodCall, leave: &Expr, origin: Origin) -> Value {
        let error = if call.method == "ok_or" { Ok(self.now(&call.args[0])) } else { Err(self.callee(&call.args[0])) };
        let Some(maybe) = self.look_into(&call.receiver, &Ty::Option(Box::new(Ty::Unknown))) else { return Value::Never };
        let missing = self.negated(&maybe.some, origin);
        self.when(missing, |lowering| {
            let error = match error {
                Ok(error) => error,
                Err(Some(function)) => lowering.apply(&function, Vec::new(), origin),
                Err(None) => Value::Never,
            };
            lowering.define(&format_ident!("__error"), Binding::Value(error));
            lowering.expr(leave);
        });
        self.value_of(&maybe, origin)
    }

    /// A `Result` as an `Option`, and the variable that holds its error.
    fn split(&mut self, expr: &Expr, origin: Origin) -> Option<(Maybe, VarId)> {
        let Some((whole, _)) = self.subject(expr) else {
            self.refuse(expr, Refusal::Pattern);
            return None;
        };
        let value = match self.vars.place_type(&whole) {
            Ty::Result(value) => value,
            _ => Box::new(Ty::Unknown),
        };
        let result = if whole.projections.is_empty() { Operand::Var(whole.root) } else { self.read(whole, origin) };
        let error = self.vars.named("error", origin, Ty::Inactive, Role::Temporary, false);
        let Operand::Var(there) = self.value(origin, Ty::Option(value), Op::Split { value: result, error }) else { return None };
        Some((self.maybe(Place::whole(there), "Some", origin), error))
    }

    fn some_of(&mut self, maybe: &Maybe, origin: Origin) -> Value {
        let value = self.value_of(maybe, origin);
        wrapped(&parse_quote!(::core::option::Option::Some), value)
    }

    /// The error, where there is one.
    fn found(&mut self, error: VarId, origin: Origin) -> Operand {
        let (library, name) = (self.library, &self.vars.get(error).name);
        let found: Expr = parse_quote!(#library::payload::found(#name));
        self.value(origin, Ty::Inactive, Op::Inert { expr: Box::new(found), reads: vec![error] })
    }

    /// An argument that is evaluated whether it is needed or not.
    fn now(&mut self, expr: &Expr) -> Value {
        let value = self.expr(expr);
        self.settle(value, Origin::of(expr))
    }
}

/// `Some(value)` and the like.
pub(super) fn wrapped(constructor: &syn::Path, value: Value) -> Value {
    let fields = vec![(syn::Member::Unnamed(0.into()), value)];
    Value::Struct(Box::new(super::Struct { path: constructor.clone(), braces: false, fields, base: None }))
}

pub(super) fn none() -> Value {
    Value::Operand(Operand::Const(Box::new(parse_quote!(::core::option::Option::None))))
}

fn ok_or(expr: &Expr) -> Option<&ExprMethodCall> {
    match expr {
        Expr::Paren(inner) => ok_or(&inner.expr),
        Expr::MethodCall(call) if call.args.len() == 1 && (call.method == "ok_or" || call.method == "ok_or_else") => Some(call),
        _ => None,
    }
}

/// Whether a closure asks for the error of a `Result`.
fn takes_error(closure: &Expr) -> bool {
    matches!(closure, Expr::Closure(closure) if closure.inputs.iter().any(|input| !matches!(input, syn::Pat::Wild(_))))
}

/// `|| ..` for `|_| ..`.
fn without_error(closure: &Expr) -> Expr {
    let mut closure = closure.clone();
    if let Expr::Closure(closure) = &mut closure {
        closure.inputs.clear();
    }
    closure
}
