//! Whether a closure changes anything but its own variables. One that does must be called exactly as often as
//! std calls it; of the others, calls whose result nobody uses may be left out.

use std::collections::BTreeSet;

use syn::visit::Visit;
use syn::{Expr, Pat};

use super::super::closure::Closure;
use super::super::{Binding, Lowering, Value, inert, name_of};
use super::Function;

impl Lowering<'_> {
    pub(super) fn has_effects(&self, function: &Function) -> bool {
        match function {
            Function::Closure(closure) => closure_has_effects(closure),
            // It gets its items by value or by shared reference.
            Function::Path(_) => false,
        }
    }
}

fn closure_has_effects(closure: &Closure) -> bool {
    let mut search = Search { closure, own: BTreeSet::new(), found: false };
    search.visit_expr_closure(&closure.syntax);
    search.found
}

struct Search<'a> {
    closure: &'a Closure,
    /// The names of its own variables.
    own: BTreeSet<String>,
    found: bool,
}

impl Search<'_> {
    /// Whether the root of a place that is changed is a variable of the closure's own.
    fn is_own(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Path(path) => path.path.get_ident().is_some_and(|ident| {
                let name = name_of(ident);
                // Where a variable outside has that name too, it may be meant.
                let captured = self.closure.scopes.iter().any(|scope| scope.contains_key(&name));
                self.own.contains(&name) && !captured
            }),
            Expr::Index(index) => self.is_own(&index.expr),
            Expr::Field(field) => self.is_own(&field.base),
            Expr::Paren(inner) => self.is_own(&inner.expr),
            Expr::Tuple(tuple) => tuple.elems.iter().all(|element| self.is_own(element)),
            // What a reference of its own refers to may be anyone's.
            _ => false,
        }
    }
}

impl<'ast> Visit<'ast> for Search<'_> {
    fn visit_pat(&mut self, pattern: &'ast Pat) {
        let mut names = Vec::new();
        inert::names_in(pattern, &mut names);
        self.own.extend(names);
    }

    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        self.found |= !self.is_own(&assign.left);
        syn::visit::visit_expr_assign(self, assign);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        self.found |= inert::is_assignment(&binary.op) && !self.is_own(&binary.left);
        syn::visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_reference(&mut self, reference: &'ast syn::ExprReference) {
        self.found |= reference.mutability.is_some();
        syn::visit::visit_expr_reference(self, reference);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let name = call.method.to_string();
        self.found |= name.ends_with("_mut") || CHANGING.contains(&name.as_str());
        syn::visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, _: &'ast syn::Macro) {
        self.found = true;
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        let Some(ident) = path.path.get_ident() else { return };
        let binding = self.closure.scopes.iter().rev().find_map(|scope| scope.get(&name_of(ident)));
        if let Some(Binding::Value(Value::Closure(inner))) = binding {
            self.found |= closure_has_effects(inner);
        }
    }
}

/// Methods that change their receiver.
const CHANGING: &[&str] = &[
    "push",
    "pop",
    "swap",
    "insert",
    "remove",
    "clear",
    "extend",
    "next",
    "fill",
    "truncate",
    "drain",
    "append",
    "sort",
    "sort_by",
    "sort_unstable_by",
    "reverse",
    "set",
    "replace",
    "take",
];
