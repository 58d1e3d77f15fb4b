//! `for`: over iterators that are understood (see `chain`), and over anything inactive.
//!
//! A loop over elements becomes a loop over their indices: the element is another name for a place, so that
//! reads, writes and their cotangents need nothing that indexing does not have.

use syn::visit_mut::VisitMut;
use syn::{Expr, ExprForLoop};

use super::{Binding, Lowering, Value, inert};
use crate::diag::{Origin, Refusal};
use crate::ir::{LoopKind, Operand, Role, Ty, VarId};

impl Lowering<'_> {
    pub(super) fn iteration(&mut self, iteration: &ExprForLoop) -> Value {
        if self.is_inert_shape(&iteration.expr) && !is_range(&iteration.expr) {
            let label = iteration.label.as_ref();
            self.looping(label, Origin::of(&iteration.for_token), |lowering| lowering.inactive_iterator(iteration));
        } else if self.is_iterable(&iteration.expr) {
            if let Some(chain) = self.iterable(&iteration.expr) {
                self.run_for(&chain, iteration);
            }
        } else {
            self.refuse(&iteration.expr, Refusal::UnknownIterator);
        }
        Value::Tuple(Vec::new())
    }

    /// Any other iterator runs as the user wrote it; what its pattern binds is inactive.
    fn inactive_iterator(&mut self, iteration: &ExprForLoop) -> (LoopKind, crate::ir::Block) {
        let ty = if yields_integers(&iteration.expr) { Ty::Int } else { Ty::Inactive };
        let (iterator, reads) = self.substitute(&iteration.expr);
        let mut names = Vec::new();
        inert::names_in(&iteration.pat, &mut names);
        self.scopes.push(std::collections::BTreeMap::new());
        let mut pattern = (*iteration.pat).clone();
        let mut renaming = Renaming { lowering: self, ty, bindings: Vec::new() };
        renaming.visit_pat_mut(&mut pattern);
        let bindings = renaming.bindings;
        let body = self.loop_body(&iteration.body);
        self.scopes.pop();
        (LoopKind::Iterator { pattern, bindings, iterator: Box::new(iterator), reads }, body)
    }
}

/// Gives the names in a pattern IR variables.
struct Renaming<'a, 'b> {
    lowering: &'a mut Lowering<'b>,
    ty: Ty,
    bindings: Vec<VarId>,
}

impl VisitMut for Renaming<'_, '_> {
    fn visit_pat_ident_mut(&mut self, ident: &mut syn::PatIdent) {
        let name = ident.ident.clone();
        let cell = ident.mutability.is_some();
        let var = self.lowering.vars.user(&name, self.ty.clone(), Role::User, cell);
        self.lowering.constants.insert(var);
        ident.ident = self.lowering.vars.get(var).name.clone();
        self.bindings.push(var);
        let binding = if cell { Binding::Cell(var) } else { Binding::Value(Value::Operand(Operand::Var(var))) };
        self.lowering.define(&name, binding);
    }
}

/// A range, or its `.rev()`: these are loops that need nothing saved.
fn is_range(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(inner) => is_range(&inner.expr),
        Expr::Group(inner) => is_range(&inner.expr),
        Expr::Range(range) => range.start.is_some() && range.end.is_some(),
        Expr::MethodCall(call) => call.method == "rev" && call.args.is_empty() && is_range(&call.receiver),
        _ => false,
    }
}

/// Ranges under adaptors that keep the item.
fn yields_integers(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(inner) => yields_integers(&inner.expr),
        Expr::Range(_) => true,
        Expr::MethodCall(call) => {
            matches!(
                call.method.to_string().as_str(),
                "rev" | "step_by" | "skip" | "take" | "filter" | "skip_while" | "take_while" | "chain"
            ) && yields_integers(&call.receiver)
        }
        _ => false,
    }
}
