//! Local closures: inlined where they are called.
//!
//! The names in a closure's body mean what they meant where it was written, so the scopes of that point are kept
//! with it. A variable that changes is captured by reference: its content is read when the closure runs. A `move`
//! closure takes the content of the moment in which it is made.

use std::collections::BTreeMap;
use std::rc::Rc;

use syn::visit::Visit;
use syn::{Expr, ExprCall, ExprClosure, Pat};

use super::{Binding, Lowering, Scopes, Value, name_of};
use crate::diag::{Origin, Refusal};
use crate::ir::{LoopKind, Operand, Place, Role, Stmt, Ty, VarId};
use crate::parse::types::classify;

/// A closure, and the scope in which it was written.
pub struct Closure {
    pub syntax: ExprClosure,
    pub scopes: Scopes,
    /// The variables that it may have taken with it, as they were: see [`Refusal::ClosureChanged`].
    taken: Vec<(VarId, u32)>,
}

impl std::fmt::Debug for Closure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("closure")
    }
}

/// The state that a closure is called from.
pub struct Caller {
    scopes: Scopes,
    returns: Option<Return>,
}

/// Where `return` leads to: out of a block, with a value.
#[derive(Clone, Debug)]
pub struct Return {
    depth: usize,
    result: VarId,
}

impl<'a> Lowering<'a> {
    /// A closure where it is written.
    pub(super) fn make_closure(&mut self, closure: &ExprClosure) -> Value {
        if closure.asyncness.is_some() {
            return self.refuse(closure, Refusal::ClosureShape);
        }
        let mut scopes = self.scopes.clone();
        let mut taken = Vec::new();
        for name in free_names(closure) {
            let Some(Binding::Cell(var)) = self.lookup(&name).cloned() else { continue };
            let facts = self.vars.get(var);
            if closure.capture.is_some() && facts.ty.is_copy() && !facts.late {
                let own = self.content_now(var, &name, closure);
                scopes.last_mut().expect("a scope is open").insert(name_of(&name), own);
            } else if !facts.ty.is_copy() {
                taken.push((var, self.version(var)));
            }
        }
        Value::Closure(Rc::new(Closure { syntax: closure.clone(), scopes, taken }))
    }

    /// What a `move` closure takes of a variable that changes.
    fn content_now(&mut self, var: VarId, name: &syn::Ident, closure: &ExprClosure) -> Binding {
        let origin = Origin::of(name);
        let content = self.read(Place::whole(var), origin);
        if !assigns(closure, &name_of(name)) {
            return Binding::Value(Value::Operand(content));
        }
        let ty = self.vars.get(var).ty.clone();
        let own = self.vars.user(name, ty, Role::User, true);
        self.push(Stmt::Declare { var: own, init: Some(content) });
        Binding::Cell(own)
    }

    fn version(&self, var: VarId) -> u32 {
        self.versions.get(&var).copied().unwrap_or(0)
    }

    /// A call of something that is not the path of a function.
    pub(super) fn call_of_value(&mut self, call: &ExprCall) -> Value {
        let func = super::calls::strip(&call.func);
        let callee = match func {
            Expr::Path(_) | Expr::Field(_) | Expr::Closure(_) => self.expr(func),
            other => return self.refuse(other, Refusal::CalleeExpression),
        };
        let Value::Closure(closure) = callee else {
            return self.refuse(&call.func, Refusal::LocalCallee);
        };
        let args = call.args.iter().map(|argument| self.by_value(argument)).collect();
        self.inline(&closure, args, Origin::of(call))
    }

    /// An argument of a closure: a value of now, or a reference.
    fn by_value(&mut self, argument: &Expr) -> Value {
        let value = self.expr(argument);
        self.settle(value, Origin::of(argument))
    }

    /// The body of `closure` for these arguments.
    pub(super) fn inline(&mut self, closure: &Rc<Closure>, args: Vec<Value>, origin: Origin) -> Value {
        if args.len() != closure.syntax.inputs.len() {
            self.diagnostics.refuse(origin, Refusal::ClosureShape);
            return Value::Operand(super::placeholder());
        }
        if closure.taken.iter().any(|(var, version)| self.version(*var) != *version && !assigns_any(closure, *var)) {
            self.diagnostics.refuse(origin, Refusal::ClosureChanged);
        }
        self.inside(closure, |lowering| {
            for (input, arg) in closure.syntax.inputs.iter().zip(args) {
                lowering.parameter(input, arg);
            }
            let value = match super::returns(&closure.syntax.body) {
                true => lowering.body_with_returns(closure, origin),
                false => lowering.body_of(&closure.syntax.body),
            };
            if let (syn::ReturnType::Type(_, ty), Value::Operand(operand)) = (&closure.syntax.output, &value) {
                lowering.refine(operand, &classify(ty));
            }
            lowering.settle(value, origin)
        })
    }

    /// What a closure returns: an iterator is one even where all that it is made of is inactive.
    fn body_of(&mut self, body: &Expr) -> Value {
        if matches!(body, Expr::MethodCall(_))
            && self.is_chain(body)
            && let Some(chain) = self.chain(body)
        {
            return Value::Chain(chain.into());
        }
        self.expr(body)
    }

    /// Runs `body` where the names mean what they do in `closure`.
    pub(super) fn inside<R>(&mut self, closure: &Closure, body: impl FnOnce(&mut Self) -> R) -> R {
        let mut scopes = closure.scopes.clone();
        scopes.push(BTreeMap::new());
        let scopes = std::mem::replace(&mut self.scopes, scopes);
        let returns = self.returns.take();
        self.callers.push(Caller { scopes, returns });
        let result = body(self);
        let caller = self.callers.pop().expect("pushed above");
        (self.scopes, self.returns) = (caller.scopes, caller.returns);
        result
    }

    /// Runs `body` where the names mean what they do for the caller of the closure that is being inlined.
    pub(super) fn outside<R>(&mut self, body: impl FnOnce(&mut Self) -> R) -> R {
        let caller = self.callers.pop().expect("a closure is being inlined");
        let scopes = std::mem::replace(&mut self.scopes, caller.scopes);
        let returns = std::mem::replace(&mut self.returns, caller.returns);
        let result = body(self);
        let scopes = std::mem::replace(&mut self.scopes, scopes);
        let returns = std::mem::replace(&mut self.returns, returns);
        self.callers.push(Caller { scopes, returns });
        result
    }

    /// Binds a parameter.
    pub(super) fn parameter(&mut self, pattern: &Pat, value: Value) {
        match pattern {
            Pat::Type(typed) => match (&*typed.pat, &value) {
                (Pat::Ident(ident), Value::Operand(_) | Value::Place(_)) if ident.by_ref.is_none() && ident.subpat.is_none() => {
                    let ty = (!matches!(*typed.ty, syn::Type::Reference(_) | syn::Type::Infer(_))).then(|| (*typed.ty).clone());
                    self.bind_typed(ident, value, ty);
                }
                (pattern, _) => self.bind(pattern, value),
            },
            other => self.bind(other, value),
        }
    }

    /// A body with `return` in it: a block that can be left with a value.
    fn body_with_returns(&mut self, closure: &Closure, origin: Origin) -> Value {
        let result = self.vars.named("v", origin, Ty::Unknown, Role::Temporary, true);
        self.vars.get_mut(result).late = true;
        self.push(Stmt::Declare { var: result, init: None });
        self.labelled_block = true;
        self.looping(None, origin, |lowering| {
            lowering.returns = Some(Return { depth: lowering.frames.len() - 1, result });
            let (body, ()) = lowering.nested(|lowering| {
                let value = lowering.expr(&closure.syntax.body);
                if !matches!(value, Value::Never) {
                    lowering.give(result, value, origin);
                }
            });
            (LoopKind::Once, body)
        });
        self.returns = None;
        Value::Operand(Operand::Var(result))
    }

    /// `return value` in a closure.
    pub(super) fn leave_closure(&mut self, exit: &syn::ExprReturn, target: &Return) {
        let value = match &exit.expr {
            Some(expr) => self.expr(expr),
            None => Value::Tuple(Vec::new()),
        };
        if !matches!(value, Value::Never) {
            self.give(target.result, value, Origin::of(exit));
            self.leave(target.depth);
        }
    }

    fn give(&mut self, result: VarId, value: Value, origin: Origin) {
        let value = self.operand(value, origin);
        let ty = self.operand_type(&value);
        self.refine(&Operand::Var(result), &ty);
        self.push(Stmt::Store { place: Place::whole(result), value });
    }
}

/// The names that a closure may capture.
fn free_names(closure: &ExprClosure) -> Vec<syn::Ident> {
    struct Search(BTreeMap<String, syn::Ident>);
    impl<'ast> Visit<'ast> for Search {
        fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
            if let Some(ident) = path.path.get_ident() {
                self.0.insert(name_of(ident), ident.clone());
            }
        }
        fn visit_macro(&mut self, mac: &'ast syn::Macro) {
            self.tokens(mac.tokens.clone());
        }
    }
    impl Search {
        fn tokens(&mut self, tokens: proc_macro2::TokenStream) {
            for token in tokens {
                match token {
                    proc_macro2::TokenTree::Ident(ident) => {
                        self.0.insert(name_of(&ident), ident);
                    }
                    proc_macro2::TokenTree::Group(group) => self.tokens(group.stream()),
                    _ => {}
                }
            }
        }
    }
    let mut search = Search(BTreeMap::new());
    search.visit_expr(&closure.body);
    let mut parameters = Vec::new();
    closure.inputs.iter().for_each(|input| super::inert::names_in(input, &mut parameters));
    search.0.into_iter().filter(|(name, _)| !parameters.contains(name)).map(|(_, ident)| ident).collect()
}

/// Whether the body assigns to `name`, or to a part of it.
fn assigns(closure: &ExprClosure, name: &str) -> bool {
    let body = &closure.body;
    super::assigned(&syn::parse_quote!({ #body })).contains(name)
}

/// Whether the body itself assigns to the variable.
fn assigns_any(closure: &Closure, var: VarId) -> bool {
    let body = &closure.syntax.body;
    super::assigned(&syn::parse_quote!({ #body })).iter().any(|name| {
        let binding = closure.scopes.iter().rev().find_map(|scope| scope.get(name));
        matches!(binding, Some(Binding::Cell(cell)) if *cell == var)
    })
}
