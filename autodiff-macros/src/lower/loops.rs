//! `while`, `loop`, and the exits: `break`, `continue`, `return`.

use syn::{ExprBreak, ExprContinue, ExprLoop, ExprReturn, ExprWhile, Lifetime};

use super::{Frame, Lowering, Value};
use crate::diag::{Origin, Refusal};
use crate::ir::{Block, Exit, Loop, LoopId, LoopKind, Operand, Place, Role, Stmt, Ty, VarId};

impl Lowering<'_> {
    pub(super) fn conditional(&mut self, conditional: &ExprWhile) -> Value {
        if let syn::Expr::Let(condition) = &*conditional.cond {
            self.looping(conditional.label.as_ref(), Origin::of(&conditional.while_token), |lowering| {
                (LoopKind::Endless, lowering.while_let(condition, &conditional.body, conditional))
            });
            return Value::Tuple(Vec::new());
        }
        self.looping(conditional.label.as_ref(), Origin::of(&conditional.while_token), |lowering| {
            let (header, cond) = lowering.nested(|lowering| lowering.condition(&conditional.cond));
            if header.0.iter().any(|stmt| !matches!(stmt, Stmt::Let { .. })) {
                return (LoopKind::Endless, lowering.checked_body(header, &cond, conditional));
            }
            lowering.forget_mutable();
            let body = lowering.loop_body(&conditional.body);
            (LoopKind::While { header, cond }, body)
        });
        Value::Tuple(Vec::new())
    }

    /// The body of `loop { if !cond { break } .. }`: what computes the condition is more than values.
    fn checked_body(&mut self, header: Block, cond: &Operand, conditional: &ExprWhile) -> Block {
        let innermost = self.frames.len() - 1;
        let (body, ()) = self.nested(|lowering| {
            header.0.into_iter().for_each(|stmt| lowering.push(stmt));
            let over = lowering.negated(cond, Origin::of(&conditional.cond));
            lowering.when(over, |lowering| lowering.leave(innermost));
            lowering.scopes.push(std::collections::BTreeMap::new());
            lowering.block_statements(&conditional.body);
            lowering.scopes.pop();
        });
        body
    }

    pub(super) fn endless(&mut self, endless: &ExprLoop) -> Value {
        let origin = Origin::of(&endless.loop_token);
        let result = has_break_value(&endless.body).then(|| {
            let var = self.vars.named("v", origin, Ty::Unknown, Role::Temporary, true);
            self.vars.get_mut(var).late = true;
            self.push(Stmt::Declare { var, init: None });
            var
        });
        self.loop_result = result;
        let abrupt = self.looping(endless.label.as_ref(), origin, |lowering| (LoopKind::Endless, lowering.loop_body(&endless.body)));
        match result {
            Some(var) => Value::Operand(Operand::Var(var)),
            None if abrupt => Value::Tuple(Vec::new()),
            None => Value::Never,
        }
    }

    /// `'a: { .. }`: a loop that runs once.
    pub(super) fn labelled(&mut self, label: &syn::Label, block: &syn::Block) -> Value {
        let origin = Origin::of(label);
        let result = has_labelled_value(label, block).then(|| {
            let var = self.vars.named("v", origin, Ty::Unknown, Role::Temporary, true);
            self.vars.get_mut(var).late = true;
            self.push(Stmt::Declare { var, init: None });
            var
        });
        self.loop_result = result;
        self.labelled_block = true;
        self.looping(Some(label), origin, |lowering| {
            let (body, ()) = lowering.nested(|lowering| {
                let value = lowering.block_statements(block);
                if let (Some(var), false) = (result, matches!(value, Value::Never)) {
                    let value = lowering.operand(value, origin);
                    let ty = lowering.operand_type(&value);
                    lowering.refine(&Operand::Var(var), &ty);
                    lowering.push(Stmt::Store { place: Place::whole(var), value });
                }
            });
            (LoopKind::Once, body)
        });
        match result {
            Some(var) => Value::Operand(Operand::Var(var)),
            None => Value::Tuple(Vec::new()),
        }
    }

    /// A loop around what `body` lowers; whether it can be left by `break`.
    pub(super) fn looping(
        &mut self,
        label: Option<&syn::Label>,
        origin: Origin,
        body: impl FnOnce(&mut Self) -> (LoopKind, Block),
    ) -> bool {
        let id = LoopId(self.loops);
        self.loops += 1;
        let label = label.map(|label| label.name.ident.to_string());
        let result = self.loop_result.take();
        let block = std::mem::take(&mut self.labelled_block);
        self.frames.push(Frame { id, label, exits: false, abrupt: false, breaks: false, result, block, body: None });
        let (kind, body) = self.branching(|lowering| {
            lowering.forget_mutable();
            body(lowering)
        });
        let frame = self.frames.pop().expect("pushed above");
        let counter =
            |lowering: &mut Self, hint: &str, cell: bool| -> VarId { lowering.vars.named(hint, origin, Ty::Int, Role::Temporary, cell) };
        let trips = counter(self, "trips", true);
        let start = counter(self, "start", false);
        let exit = counter(self, "exit", true);
        self.push(Stmt::Loop(Box::new(Loop { id, origin, kind, body, exits: frame.exits, abrupt: frame.abrupt, trips, start, exit })));
        frame.breaks
    }

    pub(super) fn loop_body(&mut self, body: &syn::Block) -> Block {
        let (block, _) = self.nested(|lowering| lowering.block_statements(body));
        block
    }

    fn frame(&mut self, label: Option<&Lifetime>, node: &impl quote::ToTokens) -> Option<usize> {
        let found = match label {
            None => self.frames.iter().rposition(|frame| !frame.block),
            Some(label) => {
                let name = label.ident.to_string();
                self.frames.iter().rposition(|frame| frame.label.as_ref() == Some(&name))
            }
        };
        if found.is_none() {
            self.refuse(node, Refusal::ExitTarget);
        }
        found
    }

    pub(super) fn exit(&mut self, kind: Exit, outermost: usize) {
        let code = self.exits;
        self.exits += 1;
        for (depth, frame) in self.frames.iter_mut().enumerate().skip(outermost) {
            frame.exits = true;
            let target_goes_on = depth == outermost && matches!(kind, Exit::Continue(_));
            frame.abrupt |= !target_goes_on;
        }
        self.push(Stmt::Exit { kind, code });
    }

    pub(super) fn leave_loop(&mut self, exit: &ExprBreak) -> Value {
        let Some(depth) = self.frame(exit.label.as_ref(), exit) else { return Value::Never };
        if let Some(expr) = &exit.expr {
            let value = self.expr(expr);
            let Some(result) = self.frames[depth].result else {
                return self.refuse(expr, Refusal::ExitTarget);
            };
            let operand = self.operand(value, Origin::of(expr));
            let ty = self.operand_type(&operand);
            self.refine(&Operand::Var(result), &ty);
            self.push(Stmt::Store { place: Place::whole(result), value: operand });
        }
        self.leave(depth);
        Value::Never
    }

    /// Leaves the loop or block of this frame.
    pub(super) fn leave(&mut self, depth: usize) {
        self.frames[depth].breaks = true;
        self.exit(Exit::Break(self.frames[depth].id), depth);
    }

    pub(super) fn next_iteration(&mut self, exit: &ExprContinue) -> Value {
        if let Some(depth) = self.frame(exit.label.as_ref(), exit) {
            match self.frames[depth].body {
                Some(body) => self.leave(body),
                None => self.exit(Exit::Continue(self.frames[depth].id), depth),
            }
        }
        Value::Never
    }

    pub(super) fn leave_function(&mut self, exit: &ExprReturn) -> Value {
        if let Some(target) = self.returns.clone() {
            self.leave_closure(exit, &target);
            return Value::Never;
        }
        if let (Some(expr), Some(result)) = (&exit.expr, self.result) {
            let value = self.expr(expr);
            if !matches!(value, Value::Never) {
                let value = self.operand(value, Origin::of(expr));
                let ty = self.vars.get(result).ty.clone();
                self.refine(&value, &ty);
                self.push(Stmt::Store { place: Place::whole(result), value });
            }
        } else if let Some(result) = self.result {
            self.push(Stmt::Store { place: Place::whole(result), value: super::unit_operand() });
        }
        self.exit(Exit::Return, 0);
        Value::Never
    }
}

/// Whether a `break` of this very loop carries a value.
fn has_break_value(body: &syn::Block) -> bool {
    use syn::visit::Visit;
    struct Search(bool);
    impl<'ast> Visit<'ast> for Search {
        fn visit_expr_break(&mut self, exit: &'ast ExprBreak) {
            self.0 |= exit.expr.is_some();
        }
        // A `break` with a value inside is an inner loop's, but for one with a label.
        fn visit_expr_loop(&mut self, inner: &'ast ExprLoop) {
            struct Labelled(bool);
            impl<'ast> Visit<'ast> for Labelled {
                fn visit_expr_break(&mut self, exit: &'ast ExprBreak) {
                    self.0 |= exit.expr.is_some() && exit.label.is_some();
                }
            }
            let mut labelled = Labelled(false);
            labelled.visit_block(&inner.body);
            self.0 |= labelled.0 && inner.label.is_none();
        }
        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut search = Search(false);
    search.visit_block(body);
    search.0
}

/// Whether a `break` to this label carries a value.
fn has_labelled_value(label: &syn::Label, block: &syn::Block) -> bool {
    use syn::visit::Visit;
    struct Search<'a>(&'a syn::Ident, bool);
    impl<'ast> Visit<'ast> for Search<'_> {
        fn visit_expr_break(&mut self, exit: &'ast ExprBreak) {
            self.1 |= exit.expr.is_some() && exit.label.as_ref().is_some_and(|label| label.ident == *self.0);
            syn::visit::visit_expr_break(self, exit);
        }
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut search = Search(&label.name.ident, false);
    search.visit_block(block);
    search.1
}
