//! Method calls: float methods by core's table, matrix methods by their rules, and a few of containers.
//!
//! A name means the float's method only where the receiver is a float, or where nothing is known of it: then
//! the emitted formulas are float arithmetic, which rustc refuses for any other type.

use syn::ExprMethodCall;

use super::{Lowering, Value};
use crate::diag::{Origin, Refusal};
use crate::ir::{Argument, Op, Operand, Place, Projection, Ty};
use crate::rules;

impl Lowering<'_> {
    pub(super) fn method_call(&mut self, call: &ExprMethodCall) -> Value {
        let name = call.method.to_string();
        let whole = syn::Expr::MethodCall(call.clone());
        if self.is_parted(&whole) && !self.is_inert_shape(&whole) {
            return self.put_together(&whole).unwrap_or_else(|| self.refuse(&call.method, Refusal::IteratorOption { name }));
        }
        if let Some(value) = self.iterator_method(call) {
            return value;
        }
        if let Some(view) = self.view(call) {
            return view;
        }
        if let Some(turbofish) = &call.turbofish
            && name != "sum"
        {
            return self.refuse(turbofish, Refusal::UnknownMethod { name });
        }
        let receiver = self.guess(&call.receiver);
        if receiver == Ty::Unknown
            && !rules::is_float_method(&name, call.args.len())
            && !matches!(name.as_str(), "clone" | "to_owned")
            && self.is_of_user(&call.receiver, rules::dispatch(&name, call.args.len()).is_some())
        {
            return self.user_method(call);
        }
        if let Some(value) = self.maybe_method(call, &name, &receiver) {
            return value;
        }
        if let Some(value) = self.vector_method(call, &name, &receiver) {
            return value;
        }
        match (name.as_str(), &receiver) {
            ("clone" | "to_owned" | "clone_owned" | "into_owned", _) if call.args.is_empty() => return self.clone_of(call),
            ("swap", Ty::Array(..) | Ty::Slice(_)) if call.args.len() == 2 => return self.swap_elements(call),
            ("map", Ty::Matrix | Ty::Unknown) if call.args.len() == 1 => return self.map(call),
            ("zip_map", Ty::Matrix | Ty::Unknown) if call.args.len() == 2 => return self.map(call),
            ("map", Ty::Array(..)) if call.args.len() == 1 => return self.array_map(call, &receiver),
            ("sin_cos", Ty::Float(_) | Ty::Unknown) => return self.sin_cos(call),
            _ => {}
        }
        let scalar = matches!(receiver, Ty::Float(_) | Ty::Unknown);
        if scalar && let Some(row) = rules::method(&name, call.args.len()) {
            return self.scalar_method(call, row);
        }
        if rules::STEERING_METHODS.contains(&name.as_str()) || (scalar && rules::ZERO_METHODS.contains(&name.as_str())) {
            if self.steers(&syn::Expr::MethodCall(call.clone())) {
                return self.steering_method(call);
            }
            return Value::Operand(self.inert_value(&syn::Expr::MethodCall(call.clone())));
        }
        if (receiver == Ty::Matrix || (receiver == Ty::Unknown && !self.overloads))
            && let Some(rule) = rules::dispatch(&name, call.args.len())
        {
            return self.dispatched(call, rule);
        }
        if matches!(receiver, Ty::Matrix | Ty::Unknown)
            && let Some(method) = rules::matrix::method(&name, call.args.len())
        {
            return self.matrix_method(call, method);
        }
        if receiver == Ty::Unknown && !super::user::is_foreign_method(&name) {
            return self.user_method(call);
        }
        self.refuse(&call.method, Refusal::UnknownMethod { name })
    }

    fn scalar_method(&mut self, call: &ExprMethodCall, row: &'static rules::Row) -> Value {
        let receiver = self.expr(&call.receiver);
        let receiver = self.borrowed(receiver, Origin::of(&call.receiver));
        self.refine(&receiver, &Ty::Float(None));
        let mut ty = self.operand_type(&receiver);
        let mut args = vec![receiver];
        for argument in &call.args {
            let value = self.expr(argument);
            let operand = self.operand(value, Origin::of(argument));
            if !matches!(self.operand_type(&operand), Ty::Int) {
                self.refine(&operand, &Ty::Float(None));
                if ty == Ty::Float(None) {
                    ty = self.operand_type(&operand);
                }
            }
            args.push(operand);
        }
        if !ty.is_float() {
            ty = Ty::Float(None);
        }
        Value::Operand(self.value(Origin::of(call), ty, Op::Scalar { row, method: call.method.clone(), args }))
    }

    /// `(x.sin(), x.cos())`, which is what it is.
    fn sin_cos(&mut self, call: &ExprMethodCall) -> Value {
        let receiver = self.expr(&call.receiver);
        let receiver = self.borrowed(receiver, Origin::of(&call.receiver));
        let ty = self.operand_type(&receiver);
        let part = |lowering: &mut Self, name: &str| {
            let row = rules::row(name).expect("the table has sine and cosine");
            let method = syn::Ident::new(name, call.method.span());
            Value::Operand(lowering.value(Origin::of(call), ty.clone(), Op::Scalar { row, method, args: vec![receiver.clone()] }))
        };
        let sine = part(self, "sin");
        let cosine = part(self, "cos");
        Value::Tuple(vec![sine, cosine])
    }

    fn dispatched(&mut self, call: &ExprMethodCall, rule: &'static rules::Dispatch) -> Value {
        let mut args = vec![self.receiver(&call.receiver)];
        for argument in &call.args {
            let argument = self.argument(argument);
            args.push(self.steady(argument, Origin::of(call)));
        }
        let ty = match (rule.scalar, self.guess(&call.receiver)) {
            (true, _) => Ty::Float(None),
            (false, Ty::Matrix) => Ty::Matrix,
            (false, _) => Ty::Unknown,
        };
        Value::Operand(self.value(Origin::of(call), ty, Op::Dispatch { rule, method: call.method.clone(), args }))
    }

    /// A receiver is borrowed by the call, so a place stays where it is, unless it changes later.
    pub(super) fn receiver(&mut self, expr: &syn::Expr) -> Argument {
        let argument = match self.place(expr) {
            Some(place) => Argument::Ref { place: self.referable(place, Origin::of(expr)), mutable: false },
            None => self.argument(expr),
        };
        self.steady(argument, Origin::of(expr))
    }

    /// The same argument, of this moment: the reverse sweep reads it again.
    pub(super) fn steady(&mut self, argument: Argument, origin: Origin) -> Argument {
        match argument {
            Argument::Ref { place, mutable: false } if self.vars.get(place.root).writable() => match self.read(place, origin) {
                Operand::Var(var) => Argument::Ref { place: Place::whole(var), mutable: false },
                constant @ Operand::Const(_) => Argument::Value(constant),
            },
            other => other,
        }
    }

    fn clone_of(&mut self, call: &ExprMethodCall) -> Value {
        match self.place(&call.receiver) {
            Some(place) => {
                let ty = self.place_type(&place);
                let origin = Origin::of(call);
                if ty.is_copy() {
                    return Value::Operand(self.read(place, origin));
                }
                Value::Operand(self.value(origin, ty, Op::Read(place)))
            }
            None => self.expr(&call.receiver),
        }
    }

    /// `a.swap(i, j)`.
    fn swap_elements(&mut self, call: &ExprMethodCall) -> Value {
        let Some(place) = self.target(&call.receiver) else { return Value::Tuple(Vec::new()) };
        let mut element = |index: &syn::Expr| -> Place {
            let index: Operand = self.steering(index);
            place.clone().project(Projection::Index(index))
        };
        let (left, right) = (element(&call.args[0]), element(&call.args[1]));
        self.swap(left, right, call)
    }
}
