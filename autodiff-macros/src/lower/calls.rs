//! Calls of functions. A call whose result may be active names the callee's derivatives by the very path that
//! the user wrote; which calls those are, activity decides later.

use quote::ToTokens;
use syn::{Expr, ExprCall, Path};

use super::{Lowering, Value};
use crate::diag::{Origin, Refusal};
use crate::ir::{Argument, Callee, Op, Operand, Ty};
use crate::rules;

impl Lowering<'_> {
    pub(super) fn call(&mut self, call: &ExprCall) -> Value {
        let Expr::Path(func) = strip(&call.func) else {
            return self.call_of_value(call);
        };
        if func.qself.is_some() {
            return self.refuse(&call.func, Refusal::QualifiedCall);
        }
        let path = &func.path;
        if let Some(ident) = path.get_ident()
            && self.lookup(ident).is_some()
        {
            return self.call_of_value(call);
        }
        let name = path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        if let Some(width) = float_type(path) {
            return self.associated(call, &name, width);
        }
        if let Some(owner) = path.segments.iter().rev().nth(1)
            && crate::parse::generic::is_trait_of_floats(&owner.ident.to_string())
            && rules::method(&name, call.args.len().saturating_sub(1)).is_some()
        {
            return self.associated(call, &name, Ty::Float(None));
        }
        if path.segments.iter().rev().nth(1).is_some_and(|module| module.ident == "mem") {
            match (name.as_str(), call.args.len()) {
                ("swap", 2) => return self.mem_swap(call),
                ("replace", 2) => return self.mem_replace(call),
                ("take", 1) => return self.mem_replace(call),
                _ => {}
            }
        }
        if name.starts_with(char::is_uppercase) {
            return self.tuple_constructor(path, call);
        }
        if let Some(owner) = path.segments.iter().rev().nth(1)
            && owner.ident.to_string().starts_with(char::is_uppercase)
        {
            if name == "new"
                && let Some((rows, columns)) = dimensions(&owner.ident.to_string())
                && rows * columns == call.args.len()
            {
                return self.components(path, columns, call);
            }
            if let Some(value) = self.matrix_constructor(path, call) {
                return value;
            }
            if super::user::is_foreign(&owner.ident.to_string()) {
                let name = format!("{}::{name}", owner.ident);
                return self.refuse(&call.func, Refusal::AssociatedFunction { name });
            }
            return self.associated_call(path, call);
        }
        let args = call.args.iter().map(|argument| self.argument(argument)).collect();
        let result = self.value(Origin::of(call), Ty::Unknown, Op::Call { callee: Callee::Function(path.clone()), args, saved: None });
        Value::Operand(result)
    }

    /// `Vector3::new(x, y, z)`.
    fn components(&mut self, constructor: &Path, columns: usize, call: &ExprCall) -> Value {
        let mut args = Vec::new();
        for argument in &call.args {
            let value = self.expr(argument);
            args.push(self.operand(value, Origin::of(argument)));
        }
        let op = Op::Components { constructor: constructor.clone(), args, columns };
        Value::Operand(self.value(Origin::of(call), Ty::Matrix, op))
    }

    /// An argument: a reference stays a reference to a place.
    pub(super) fn argument(&mut self, expr: &Expr) -> Argument {
        let value = self.expr(expr);
        match value {
            Value::Ref { place, mutable: true } if place.is_view() => {
                self.refuse(expr, Refusal::LentView);
                Argument::Value(super::placeholder())
            }
            Value::Ref { place, mutable } => {
                let place = self.referable(place, Origin::of(expr));
                if mutable {
                    self.wrote(place.root);
                }
                Argument::Ref { place, mutable }
            }
            Value::Borrow(inner) => self.borrowed_argument(*inner, Origin::of(expr)),
            other => Argument::Value(self.operand(other, Origin::of(expr))),
        }
    }

    /// A reference to what is no place: to a value that is put together for it.
    fn borrowed_argument(&mut self, referent: Value, origin: Origin) -> Argument {
        match referent {
            Value::Borrow(inner) => self.borrowed_argument(*inner, origin),
            Value::Ref { place, .. } => Argument::Ref { place: self.referable(place, origin), mutable: false },
            other => match self.operand(other, origin) {
                Operand::Var(root) => Argument::Ref { place: crate::ir::Place::whole(root), mutable: false },
                constant => Argument::Value(constant),
            },
        }
    }

    /// `f64::max(a, b)` and the like are the methods of the same name.
    fn associated(&mut self, call: &ExprCall, name: &str, ty: Ty) -> Value {
        let mut operands = Vec::new();
        for argument in &call.args {
            let value = self.expr(argument);
            operands.push(self.operand(value, Origin::of(argument)));
        }
        if name == "from"
            && ty != Ty::Float(Some(crate::ir::Width::Parameter))
            && operands.len() == 1
            && matches!(self.operand_type(&operands[0]), Ty::Float(_) | Ty::Unknown)
        {
            let target: syn::Type = match ty {
                Ty::Float(Some(crate::ir::Width::F32)) => syn::parse_quote!(f32),
                _ => syn::parse_quote!(f64),
            };
            return Value::Operand(self.value(Origin::of(call), ty, Op::Cast { value: operands.remove(0), ty: target }));
        }
        match rules::method(name, operands.len().saturating_sub(1)) {
            Some(row) => {
                for operand in &operands {
                    if !matches!(self.operand_type(operand), Ty::Int) {
                        self.refine(operand, &ty);
                    }
                }
                let method = syn::Ident::new(name, Origin::of(&call.func).span());
                Value::Operand(self.value(Origin::of(call), ty, Op::Scalar { row, method, args: operands }))
            }
            None if rules::ZERO_METHODS.contains(&name) && !self.steers(&Expr::Call(call.clone())) => {
                Value::Operand(self.inert_value(&Expr::Call(call.clone())))
            }
            None => self.refuse(&call.func, Refusal::UnknownMethod { name: name.to_owned() }),
        }
    }

    fn mem_swap(&mut self, call: &ExprCall) -> Value {
        let left = self.expr(&call.args[0]);
        let right = self.expr(&call.args[1]);
        match (left, right) {
            (Value::Ref { place: left, .. }, Value::Ref { place: right, .. }) => self.swap(left, right, call),
            _ => self.refuse(call, Refusal::AssignmentTarget),
        }
    }
}

impl Lowering<'_> {
    /// `mem::replace(&mut a, b)`, and `mem::take(&mut a)`: the old value.
    fn mem_replace(&mut self, call: &ExprCall) -> Value {
        let Value::Ref { place, .. } = self.expr(&call.args[0]) else { return self.refuse(call, Refusal::AssignmentTarget) };
        let origin = Origin::of(call);
        let new = match call.args.get(1) {
            Some(new) => {
                let new = self.expr(new);
                self.operand(new, origin)
            }
            None => Operand::Const(Box::new(syn::parse_quote!(::core::default::Default::default()))),
        };
        let old = self.value(origin, self.place_type(&place), Op::Snapshot(place.clone()));
        self.store(place, new);
        Value::Operand(old)
    }
}

pub(super) fn strip(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => strip(&inner.expr),
        Expr::Group(inner) => strip(&inner.expr),
        other => other,
    }
}

/// Rows and columns of nalgebra's static types, as their names say.
pub(super) fn dimensions(name: &str) -> Option<(usize, usize)> {
    let digits = |text: &str| text.parse::<usize>().ok().filter(|size| (1..=6).contains(size));
    if let Some(size) = name.strip_prefix("RowVector") {
        return Some((1, digits(size)?));
    }
    if let Some(size) = name.strip_prefix("Vector") {
        return Some((digits(size)?, 1));
    }
    let shape = name.strip_prefix("Matrix")?;
    match shape.split_once('x') {
        Some((rows, columns)) => Some((digits(rows)?, digits(columns)?)),
        None => Some((digits(shape)?, digits(shape)?)),
    }
}

/// The float type whose associated function the path names.
fn float_type(path: &Path) -> Option<Ty> {
    let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_token_stream().to_string()).collect();
    let width = match names.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["f64", _] => crate::ir::Width::F64,
        ["f32", _] => crate::ir::Width::F32,
        [parameter, _] if crate::parse::generic::is_float(parameter) => crate::ir::Width::Parameter,
        _ => return None,
    };
    Some(Ty::Float(Some(width)))
}

impl Argument {
    /// The operand, or the root of the place.
    pub fn root(&self) -> Option<crate::ir::VarId> {
        match self {
            Argument::Value(Operand::Var(var)) => Some(*var),
            Argument::Value(Operand::Const(_)) => None,
            Argument::Ref { place, .. } => Some(place.root),
        }
    }
}
