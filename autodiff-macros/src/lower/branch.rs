//! `if` and `match`, as statements and as expressions.

use quote::ToTokens;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprIf, ExprMatch, Pat};

use super::cases::{Body, Case, chooses};
use super::{Binding, Lowering, Value, inert};
use crate::diag::{Origin, Refusal};
use crate::ir::{Arm, Block, Match, Operand, Place, Role, Stmt, Ty, VarId};

impl Lowering<'_> {
    pub(super) fn branch(&mut self, branch: &ExprIf) -> Value {
        match &*branch.cond {
            Expr::Let(condition) => return self.if_let(condition, None, branch),
            Expr::Binary(both) => {
                if let (Expr::Let(condition), syn::BinOp::And(_)) = (&*both.left, &both.op) {
                    return self.if_let(condition, Some(&both.right), branch);
                }
            }
            _ => {}
        }
        let cond = self.condition(&branch.cond);
        self.choose(
            cond,
            branch,
            |lowering| lowering.block_statements(&branch.then_branch),
            |lowering| match &branch.else_branch {
                Some((_, expr)) => lowering.expr(expr),
                None => Value::Tuple(Vec::new()),
            },
        )
    }

    /// Runs `then` where `cond` holds.
    pub(super) fn when(&mut self, cond: Operand, then: impl FnOnce(&mut Self)) {
        let (then, ()) = self.branching(|lowering| lowering.nested(then));
        self.push(Stmt::If { cond, then, els: Block::default() });
    }

    /// One of two values.
    pub(super) fn choose(
        &mut self,
        cond: Operand,
        node: &impl ToTokens,
        then: impl FnOnce(&mut Self) -> Value,
        els: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let (then, els) = self.branching(|lowering| {
            let known = lowering.known.clone();
            let then = lowering.nested(then);
            lowering.known = known;
            (then, lowering.nested(els))
        });
        let mut arms = vec![then, els];
        let result = self.join(&mut arms, node);
        let mut blocks = arms.into_iter().map(|(block, _)| block);
        let (then, els) = (blocks.next().unwrap_or_default(), blocks.next().unwrap_or_default());
        self.push(Stmt::If { cond, then, els });
        result
    }

    /// Gives the values of alternative blocks one name each: declared before them, stored at their ends.
    pub(super) fn join(&mut self, arms: &mut [(Block, Value)], node: &impl ToTokens) -> Value {
        let Some(shape) = arms.iter().map(|(_, value)| value).find(|value| !matches!(value, Value::Never)).cloned() else {
            return Value::Never;
        };
        self.join_shape(&shape, arms, node)
    }

    fn join_shape(&mut self, shape: &Value, arms: &mut [(Block, Value)], node: &impl ToTokens) -> Value {
        if let Value::Tuple(elements) = shape {
            let same = |value: &Value| match value {
                Value::Tuple(other) => other.len() == elements.len(),
                Value::Never => true,
                _ => false,
            };
            if arms.iter().all(|(_, value)| same(value)) {
                return Value::Tuple((0..elements.len()).map(|index| self.join_element(index, &elements[index], arms, node)).collect());
            }
        }
        let var = self.vars.named("v", Origin::of(node), Ty::Unknown, Role::Temporary, true);
        self.vars.get_mut(var).late = true;
        let (mut ty, mut constant) = (Ty::Unknown, true);
        for (block, value) in arms {
            if matches!(value, Value::Never) {
                continue;
            }
            let value = std::mem::replace(value, Value::Never);
            self.blocks.push(std::mem::take(&mut block.0));
            let known = self.known.clone();
            let operand = self.operand(value, Origin::of(node));
            if ty == Ty::Unknown || ty == Ty::Float(None) {
                ty = self.operand_type(&operand);
            }
            constant &= self.is_constant(&operand);
            self.push(Stmt::Store { place: Place::whole(var), value: operand });
            self.known = known;
            block.0 = self.blocks.pop().expect("pushed above");
        }
        if constant {
            self.constants.insert(var);
        }
        self.vars.get_mut(var).ty = ty;
        self.push(Stmt::Declare { var, init: None });
        Value::Operand(Operand::Var(var))
    }

    fn is_constant(&self, operand: &Operand) -> bool {
        match operand {
            Operand::Var(var) => !self.can_be_active(*var),
            Operand::Const(_) => true,
        }
    }

    fn join_element(&mut self, index: usize, shape: &Value, arms: &mut [(Block, Value)], node: &impl ToTokens) -> Value {
        let mut parts: Vec<(Block, Value)> = arms
            .iter_mut()
            .map(|(block, value)| {
                let part = match value {
                    Value::Tuple(elements) => std::mem::replace(&mut elements[index], Value::Never),
                    _ => Value::Never,
                };
                (std::mem::take(block), part)
            })
            .collect();
        let result = self.join_shape(shape, &mut parts, node);
        for ((block, _), (part, _)) in arms.iter_mut().zip(parts) {
            *block = part;
        }
        result
    }

    pub(super) fn matching(&mut self, matching: &ExprMatch) -> Value {
        if matching.arms.iter().any(|arm| chooses(&arm.pat)) {
            for attribute in matching.arms.iter().flat_map(|arm| &arm.attrs) {
                self.refuse_attribute(attribute);
            }
            let cases = matching.arms.iter().map(|arm| match &arm.pat {
                Pat::Guard(guarded) => Case { pattern: (*guarded.pat).clone(), guard: Some(&guarded.guard), body: Body::Expr(&arm.body) },
                other => Case { pattern: other.clone(), guard: None, body: Body::Expr(&arm.body) },
            });
            return self.cases(&matching.expr, cases.collect(), matching);
        }
        let mut reads = Vec::new();
        let (spelled, scrutinee) = if self.is_inert_shape(&matching.expr) {
            let operand = self.steering_whole(&matching.expr);
            (self.spell(&Value::Operand(operand), &mut reads), None)
        } else {
            let value = self.expr(&matching.expr);
            let value = self.settle_scrutinee(value, matching);
            (self.spell(&value, &mut reads), Some(value))
        };
        let chosen = self.vars.named("arm", Origin::of(&matching.match_token), Ty::Int, Role::Temporary, true);
        self.vars.get_mut(chosen).late = true;
        self.push(Stmt::Declare { var: chosen, init: None });
        let mut lowered = Vec::new();
        let mut values = Vec::new();
        self.branching(|lowering| {
            let known = lowering.known.clone();
            for arm in &matching.arms {
                arm.attrs.iter().for_each(|attribute| lowering.refuse_attribute(attribute));
                lowering.known.clone_from(&known);
                let (arm, value) = lowering.arm(arm, scrutinee.as_ref());
                values.push((arm.body.clone(), value));
                lowered.push(arm);
            }
        });
        let result = self.join(&mut values, matching);
        for (arm, (body, _)) in lowered.iter_mut().zip(values) {
            arm.body = body;
        }
        self.push(Stmt::Match(Box::new(Match { scrutinee: Box::new(spelled), reads, arms: lowered, chosen })));
        result
    }

    /// An inactive scrutinee, or a tuple of them.
    fn steering_whole(&mut self, expr: &Expr) -> Operand {
        match expr {
            Expr::Tuple(_) | Expr::Lit(_) => self.inert_value(expr),
            other => self.steering(other),
        }
    }

    fn settle_scrutinee(&mut self, value: Value, node: &ExprMatch) -> Value {
        match value {
            Value::Tuple(elements) => Value::Tuple(elements.into_iter().map(|element| self.settle_scrutinee(element, node)).collect()),
            Value::Ref { .. } => {
                self.refuse(&node.expr, Refusal::MatchOnReference);
                Value::Never
            }
            other => Value::Operand(self.operand(other, Origin::of(&node.expr))),
        }
    }

    fn arm(&mut self, arm: &syn::Arm, scrutinee: Option<&Value>) -> (Arm, Value) {
        let (pattern, guard) = match &arm.pat {
            Pat::Guard(guarded) => ((*guarded.pat).clone(), Some(&guarded.guard)),
            other => (other.clone(), None),
        };
        self.blocks.push(Vec::new());
        self.scopes.push(std::collections::BTreeMap::new());
        let mut pattern = pattern;
        let bindings = self.bind_arm(&mut pattern, scrutinee);
        let mut reads = Vec::new();
        let guard = guard.map(|guard| {
            if !self.is_inert_shape(guard) {
                self.refuse(guard, Refusal::ControlInCondition);
            }
            let (guard, read) = self.substitute(guard);
            reads = read;
            Box::new(guard)
        });
        let value = self.expr(&arm.body);
        self.scopes.pop();
        let body = Block(self.blocks.pop().expect("opened above"));
        (Arm { pattern, guard, reads, bindings, body }, value)
    }

    /// Binds what an arm's pattern binds; the names in the pattern become those of the IR.
    fn bind_arm(&mut self, pattern: &mut Pat, scrutinee: Option<&Value>) -> Vec<VarId> {
        if let Some(unknown) = unknown_pattern(pattern) {
            self.refuse(&unknown, Refusal::Pattern);
            return Vec::new();
        }
        let mut bindings = Vec::new();
        self.bind_alternatives(pattern, scrutinee, &mut bindings);
        bindings
    }

    fn bind_alternatives(&mut self, pattern: &mut Pat, scrutinee: Option<&Value>, bindings: &mut Vec<VarId>) {
        match pattern {
            Pat::Ident(ident) if is_binding(ident) => {
                let name = ident.ident.clone();
                let ty = scrutinee.map_or(Ty::Inactive, |value| self.value_type(value));
                let var = self.vars.user(&name, ty, Role::User, false);
                ident.ident = self.vars.get(var).name.clone();
                bindings.push(var);
                match scrutinee {
                    // The name is another one for the scrutinee, which is a value of its own.
                    Some(value) if self.value_can_be_active(value) => self.define(&name, Binding::Value(value.clone())),
                    _ => {
                        self.constants.insert(var);
                        self.define(&name, Binding::Value(Value::Operand(Operand::Var(var))));
                    }
                }
            }
            Pat::Tuple(tuple) => {
                let parts = match scrutinee {
                    Some(Value::Tuple(elements)) if elements.len() == tuple.elems.len() => Some(elements.clone()),
                    Some(_) => {
                        self.refuse(tuple, Refusal::Pattern);
                        None
                    }
                    None => None,
                };
                for (index, element) in tuple.elems.iter_mut().enumerate() {
                    self.bind_alternatives(element, parts.as_ref().map(|parts| &parts[index]), bindings);
                }
            }
            Pat::Paren(inner) => self.bind_alternatives(&mut inner.pat, scrutinee, bindings),
            Pat::Or(or) => {
                let mut names = Vec::new();
                or.cases.iter().for_each(|case| inert::names_in(case, &mut names));
                names.retain(|name| name.starts_with(|first: char| first.is_lowercase()));
                if !names.is_empty() {
                    self.refuse(or, Refusal::Pattern);
                }
            }
            Pat::Ident(ident) if ident.subpat.is_some() => {
                if scrutinee.is_some_and(|value| self.value_can_be_active(value)) {
                    self.refuse(ident, Refusal::Pattern);
                    return;
                }
                let name = ident.ident.clone();
                let var = self.vars.user(&name, Ty::Inactive, Role::User, false);
                ident.ident = self.vars.get(var).name.clone();
                bindings.push(var);
                self.constants.insert(var);
                self.define(&name, Binding::Value(Value::Operand(Operand::Var(var))));
            }
            _ => {}
        }
    }
}

/// A lower-case name binds; others are taken for constants, as rustc's lints have it.
fn is_binding(ident: &syn::PatIdent) -> bool {
    ident.subpat.is_none()
        && ident.by_ref.is_none()
        && ident.ident.to_string().trim_start_matches("r#").starts_with(|first: char| first.is_lowercase() || first == '_')
}

/// A part of the pattern that is not understood.
fn unknown_pattern(pattern: &mut Pat) -> Option<Pat> {
    struct Search(Option<Pat>);
    impl VisitMut for Search {
        fn visit_pat_mut(&mut self, pattern: &mut Pat) {
            match &*pattern {
                Pat::Ident(ident) if ident.by_ref.is_none() && ident.mutability.is_none() => {}
                Pat::Lit(_) | Pat::Range(_) | Pat::Path(_) | Pat::Wild(_) | Pat::Tuple(_) | Pat::Or(_) | Pat::Paren(_) => {}
                other => {
                    self.0.get_or_insert_with(|| other.clone());
                }
            }
            syn::visit_mut::visit_pat_mut(self, pattern);
        }
        fn visit_expr_mut(&mut self, _: &mut Expr) {}
    }
    let mut search = Search(None);
    search.visit_pat_mut(pattern);
    search.0
}
