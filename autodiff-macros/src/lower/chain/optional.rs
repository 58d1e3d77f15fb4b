//! Closures that return an `Option`, for `filter_map`, `map_while` and `scan`: what follows `Some` is lowered where it
//! is said, so there must be one such place.

use syn::{Expr, ExprIf, Stmt};

use super::super::closure::Closure;
use super::super::{Lowering, Value};
use super::Function;
use crate::diag::{Origin, Refusal};

/// What is to be done with the value of `Some`, and for `None`.
pub struct Outcome<'o, 'a> {
    pub some: &'o mut dyn FnMut(&mut Lowering<'a>, Value),
    pub none: &'o mut dyn FnMut(&mut Lowering<'a>),
}

impl<'a> Lowering<'a> {
    /// Calls `function` with `args` and goes on with what it returns.
    pub(super) fn optional(&mut self, function: &Function, args: Vec<Value>, origin: Origin, mut outcome: Outcome<'_, 'a>) {
        let Function::Closure(closure) = function else {
            self.diagnostics.refuse(origin, Refusal::OptionClosure);
            return;
        };
        if args.len() != closure.syntax.inputs.len() || !is_understood(closure) {
            self.refuse(&closure.syntax.body, Refusal::OptionClosure);
            return;
        }
        self.inside(closure, |lowering| {
            for (input, arg) in closure.syntax.inputs.iter().zip(args) {
                lowering.parameter(input, arg);
            }
            lowering.option_tail(&closure.syntax.body, &mut outcome);
        });
    }

    fn option_tail(&mut self, expr: &Expr, outcome: &mut Outcome<'_, 'a>) {
        match expr {
            Expr::Paren(inner) => self.option_tail(&inner.expr, outcome),
            Expr::Group(inner) => self.option_tail(&inner.expr, outcome),
            Expr::Block(block) => self.option_block(&block.block, outcome),
            Expr::If(branch) => self.option_branch(branch, outcome),
            Expr::Call(call) => {
                let value = self.expr(&call.args[0]);
                self.some(value, Origin::of(call), outcome);
            }
            Expr::MethodCall(call) => {
                let cond = self.condition(&call.receiver);
                let eager = (call.method == "then_some").then(|| {
                    let value = self.expr(&call.args[0]);
                    self.settle(value, Origin::of(call))
                });
                self.either(
                    cond,
                    outcome,
                    |lowering, outcome| {
                        let value = match &eager {
                            Some(value) => value.clone(),
                            None => match lowering.callee(&call.args[0]) {
                                Some(function) => lowering.apply(&function, Vec::new(), Origin::of(call)),
                                None => Value::Never,
                            },
                        };
                        lowering.some(value, Origin::of(call), outcome);
                    },
                    |lowering, outcome| lowering.outside(|lowering| (outcome.none)(lowering)),
                );
            }
            // `None`, or a panic, which needs nothing more.
            Expr::Path(_) => self.outside(|lowering| (outcome.none)(lowering)),
            other => {
                self.expr(other);
            }
        }
    }

    fn some(&mut self, value: Value, origin: Origin, outcome: &mut Outcome<'_, 'a>) {
        let value = self.settle(value, origin);
        if !matches!(value, Value::Never) {
            self.outside(|lowering| (outcome.some)(lowering, value));
        }
    }

    fn option_block(&mut self, block: &syn::Block, outcome: &mut Outcome<'_, 'a>) {
        self.scopes.push(std::collections::BTreeMap::new());
        if let Some((Stmt::Expr(tail, None), before)) = block.stmts.split_last() {
            let before = syn::Block { brace_token: block.brace_token, stmts: before.to_vec() };
            if !matches!(self.block_statements(&before), Value::Never) {
                self.option_tail(tail, outcome);
            }
        }
        self.scopes.pop();
    }

    fn option_branch(&mut self, branch: &ExprIf, outcome: &mut Outcome<'_, 'a>) {
        let cond = self.condition(&branch.cond);
        self.either(
            cond,
            outcome,
            |lowering, outcome| lowering.option_block(&branch.then_branch, outcome),
            |lowering, outcome| {
                if let Some((_, els)) = &branch.else_branch {
                    lowering.option_tail(els, outcome);
                }
            },
        );
    }

    fn either<'o>(
        &mut self,
        cond: crate::ir::Operand,
        outcome: &mut Outcome<'o, 'a>,
        then: impl FnOnce(&mut Self, &mut Outcome<'o, 'a>),
        els: impl FnOnce(&mut Self, &mut Outcome<'o, 'a>),
    ) {
        let (then, els) = self.branching(|lowering| {
            let known = lowering.known.clone();
            let (then, ()) = lowering.nested(|lowering| then(lowering, outcome));
            lowering.known = known;
            (then, lowering.nested(|lowering| els(lowering, outcome)).0)
        });
        self.push(crate::ir::Stmt::If { cond, then, els });
    }
}

/// Whether the body says `Some` in one place, and every end of it is of a form that is known.
fn is_understood(closure: &Closure) -> bool {
    let body = &closure.syntax.body;
    !super::super::returns(body) && places(body) == Some(1)
}

/// The number of places that say `Some`.
fn places(expr: &Expr) -> Option<u32> {
    match expr {
        Expr::Paren(inner) => places(&inner.expr),
        Expr::Group(inner) => places(&inner.expr),
        Expr::Block(block) if block.label.is_none() => places_in(&block.block),
        Expr::If(branch) => Some(places_in(&branch.then_branch)? + places(&branch.else_branch.as_ref()?.1)?),
        Expr::Call(call) => {
            let Expr::Path(path) = &*call.func else { return None };
            (path.path.segments.last()?.ident == "Some" && call.args.len() == 1).then_some(1)
        }
        Expr::MethodCall(call) => ((call.method == "then" || call.method == "then_some") && call.args.len() == 1).then_some(1),
        Expr::Path(path) => (path.path.segments.last()?.ident == "None").then_some(0),
        _ => None,
    }
}

fn places_in(block: &syn::Block) -> Option<u32> {
    match block.stmts.last()? {
        Stmt::Expr(tail, None) => places(tail),
        _ => None,
    }
}
