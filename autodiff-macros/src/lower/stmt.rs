//! Statements and blocks.

use quote::ToTokens;
use syn::{Expr, ExprBlock, Item, Local, Pat};

use super::{Binding, Lowering, Value};
use crate::diag::{Origin, Refusal};
use crate::ir::{Role, Stmt, Ty};
use crate::parse::types::classify;

impl Lowering<'_> {
    /// The statements of a block, in the scope that is open; the value of its tail.
    pub(super) fn block_statements(&mut self, block: &syn::Block) -> Value {
        for stmt in &block.stmts {
            if let syn::Stmt::Item(item) = stmt {
                self.item(item);
            }
        }
        let mut value = Value::Tuple(Vec::new());
        for (position, stmt) in block.stmts.iter().enumerate() {
            let last = position + 1 == block.stmts.len();
            value = self.statement(stmt, last);
            if matches!(value, Value::Never) && !last {
                // What follows cannot be reached; the primal has it, and rustc warns of it there.
                return Value::Never;
            }
        }
        value
    }

    fn statement(&mut self, stmt: &syn::Stmt, last: bool) -> Value {
        let unit = Value::Tuple(Vec::new());
        match stmt {
            syn::Stmt::Local(local) => {
                self.local(local);
                unit
            }
            syn::Stmt::Item(_) => unit,
            syn::Stmt::Macro(mac) => {
                mac.attrs.iter().for_each(|attribute| self.refuse_attribute(attribute));
                let value = self.macro_call(&mac.mac);
                if mac.semi_token.is_some() && !matches!(value, Value::Never) { unit } else { value }
            }
            syn::Stmt::Expr(expr, None) if last => self.expr(expr),
            syn::Stmt::Expr(expr, _) => match self.expr(expr) {
                Value::Never => Value::Never,
                _ => unit,
            },
        }
    }

    /// An item inside the body is visible to both sweeps; it is not differentiated here.
    fn item(&mut self, item: &Item) {
        match item {
            Item::Const(_) | Item::Use(_) | Item::Static(_) => {
                // A closure's are met each time that it is inlined.
                let tokens = item.to_token_stream();
                if !self.items.iter().any(|known| known.to_string() == tokens.to_string()) {
                    self.items.push(tokens);
                }
            }
            other => {
                self.refuse(other, Refusal::InnerItem);
            }
        }
    }

    pub(super) fn block(&mut self, block: &ExprBlock) -> Value {
        if let Some(label) = &block.label {
            return self.labelled(label, &block.block);
        }
        self.scopes.push(std::collections::BTreeMap::new());
        let value = self.block_statements(&block.block);
        self.scopes.pop();
        value
    }

    fn local(&mut self, local: &Local) {
        local.attrs.iter().for_each(|attribute| self.refuse_attribute(attribute));
        let (pattern, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some((*typed.ty).clone())),
            other => (other, None),
        };
        let Some(init) = &local.init else { return self.late(pattern, ty) };
        if let Some((_, otherwise)) = &init.diverge {
            return self.let_else(pattern, &init.expr, otherwise);
        }
        if let (Some(ty), Pat::Ident(ident)) = (&ty, pattern)
            && matches!(classify(ty), Ty::Int | Ty::Bool | Ty::Inactive)
            && !self.is_inert_shape(&init.expr)
            && !self.steers(&init.expr)
            && let Expr::Call(_) | Expr::MethodCall(_) = &*init.expr
        {
            // The annotation says that this carries no derivative.
            let operand = self.inert_value(&init.expr);
            self.bind_typed(ident, Value::Operand(operand), Some(ty.clone()));
            return;
        }
        let made = ty.as_ref().and_then(|ty| super::arrays::from_fn(&init.expr, &classify(ty)));
        let value = self.expr(made.as_ref().unwrap_or(&init.expr));
        match pattern {
            Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => self.bind_typed(ident, value, ty),
            other => {
                if let Some(ty) = &ty {
                    self.refine_value(&value, &classify(ty));
                }
                self.bind(other, value);
            }
        }
    }

    /// `let x;` or `let mut x;`: assigned later.
    fn late(&mut self, pattern: &Pat, ty: Option<syn::Type>) {
        let Pat::Ident(ident) = pattern else {
            self.refuse(pattern, Refusal::Pattern);
            return;
        };
        let known = ty.as_ref().map_or(Ty::Unknown, classify);
        let var = self.vars.user(&ident.ident, known, Role::User, true);
        let facts = self.vars.get_mut(var);
        facts.ascription = ty;
        facts.late = ident.mutability.is_none();
        self.push(Stmt::Declare { var, init: None });
        self.define(&ident.ident, Binding::Cell(var));
    }

    fn refine_value(&mut self, value: &Value, ty: &Ty) {
        match (value, ty) {
            (Value::Tuple(elements), Ty::Tuple(types)) => {
                elements.iter().zip(types).for_each(|(element, ty)| self.refine_value(element, ty));
            }
            (Value::Operand(operand), ty) => self.refine(operand, ty),
            _ => {}
        }
    }

    /// Refuses what is not a plain condition.
    pub(super) fn condition(&mut self, expr: &Expr) -> crate::ir::Operand {
        if let Expr::Let(condition) = expr {
            self.refuse(condition, Refusal::LetCondition);
        }
        if self.is_inert_shape(expr) {
            return self.inert_value(expr);
        }
        let value = self.expr(expr);
        self.operand(value, Origin::of(expr))
    }
}
