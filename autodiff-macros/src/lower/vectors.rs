//! Methods that change vectors and slices. Each is a call of a function of core with derivatives beside it, so that the sweeps
//! know nothing of vectors: a cotangent grows and shrinks with its vector.

use syn::{Expr, ExprMethodCall, parse_quote};

use super::{Lowering, Value};
use crate::diag::{Origin, Refusal};
use crate::ir::{Argument, Callee, Op, Operand, Place, Projection, Ty, VarId};

/// Methods that are known by their names where nothing is known of the receiver: rustc objects where it is not a `Vec`.
const OF_VECTORS: &[&str] = &[
    "push",
    "pop",
    "clear",
    "truncate",
    "swap_remove",
    "split_off",
    "extend_from_slice",
    "extend",
    "append",
    "sort_by",
    "sort_unstable_by",
    "to_vec",
];

impl Lowering<'_> {
    /// A method of a `Vec` or a slice; `None` where it is none.
    pub(super) fn vector_method(&mut self, call: &ExprMethodCall, name: &str, receiver: &Ty) -> Option<Value> {
        let known = match receiver {
            Ty::Slice(_) | Ty::Array(..) => true,
            Ty::Unknown => OF_VECTORS.contains(&name),
            _ => false,
        };
        if !known || call.turbofish.is_some() {
            return None;
        }
        let origin = Origin::of(&call.method);
        let args: Vec<&Expr> = call.args.iter().collect();
        match (name, args.as_slice()) {
            ("to_vec", []) => return Some(self.copied_slice(call)),
            ("split_at" | "split_at_mut", [at]) => return self.halves(call, at),
            _ => {}
        }
        let unit = Value::Tuple(Vec::new());
        Some(match (name, args.as_slice()) {
            ("push" | "fill", [value]) => {
                let value = self.element_argument(value);
                self.operate(call, name, vec![value], nothing())
            }
            ("insert", [at, value]) => {
                let (at, value) = (self.number_argument(at), self.element_argument(value));
                self.operate(call, name, vec![at, value], nothing())
            }
            ("resize", [length, value]) => {
                let (length, value) = (self.number_argument(length), self.element_argument(value));
                self.operate(call, "truncate", vec![length.clone()], nothing());
                self.operate(call, "grow", vec![length, value], nothing())
            }
            ("clear", []) => {
                let none = Argument::Value(Operand::Const(Box::new(parse_quote!(0))));
                self.operate(call, "truncate", vec![none], nothing())
            }
            ("reverse", []) => self.operate(call, name, Vec::new(), nothing()),
            ("truncate" | "rotate_left" | "rotate_right", [number]) => {
                let number = self.number_argument(number);
                self.operate(call, name, vec![number], nothing())
            }
            ("pop", []) => self.operate(call, name, Vec::new(), Ty::Option(Box::new(element_of(receiver)))),
            ("remove" | "swap_remove", [at]) => {
                let at = self.number_argument(at);
                self.operate(call, name, vec![at], element_of(receiver))
            }
            ("split_off", [at]) => {
                let at = self.number_argument(at);
                self.operate(call, name, vec![at], Ty::Slice(Box::new(element_of(receiver))))
            }
            ("extend_from_slice" | "copy_from_slice" | "clone_from_slice", [slice]) => {
                let slice = self.slice_argument(slice)?;
                let name = if name == "extend_from_slice" { name } else { "copy_from_slice" };
                self.operate(call, name, vec![slice], nothing())
            }
            ("append", [other]) => {
                let Value::Ref { place, .. } = self.expr(other) else { return Some(self.refuse(*other, Refusal::AssignmentTarget)) };
                let taken = self.value(origin, self.place_type(&place), Op::Snapshot(place.clone()));
                let Operand::Var(taken) = taken else { return Some(unit) };
                self.operate(call, "extend_from_slice", vec![Argument::Ref { place: Place::whole(taken), mutable: false }], nothing());
                let none = Argument::Value(Operand::Const(Box::new(parse_quote!(0))));
                self.operate_on(place, "truncate", vec![none], nothing(), origin)
            }
            ("extend", [items]) => {
                let place = self.target(&call.receiver)?;
                self.extend(place, items, origin);
                unit
            }
            ("sort_by" | "sort_unstable_by", [compare]) => self.sort(call, compare),
            _ => return None,
        })
    }

    /// A call of core's function of this name on the receiver.
    fn operate(&mut self, call: &ExprMethodCall, name: &str, args: Vec<Argument>, ty: Ty) -> Value {
        let Some(place) = self.target(&call.receiver) else { return Value::Never };
        if let ("push" | "fill" | "insert" | "grow", Some(Argument::Value(value))) = (name, args.last()) {
            self.learn(&place, &self.operand_type(value));
        }
        self.operate_on(place, name, args, ty, Origin::of(&call.method))
    }

    /// The same on a place.
    pub(super) fn operate_on(&mut self, place: Place, name: &str, args: Vec<Argument>, ty: Ty, origin: Origin) -> Value {
        let root = place.root;
        let args = std::iter::once(Argument::Ref { place, mutable: true }).chain(args).collect();
        let unit = ty == nothing();
        let result = self.value(origin, ty, Op::Call { callee: Callee::of_vectors(self.library, name), args, saved: None });
        self.wrote(root);
        if unit { Value::Tuple(Vec::new()) } else { Value::Operand(result) }
    }

    /// Notes what the elements of a vector are, of which nothing was known when it was made.
    pub(super) fn learn(&mut self, place: &Place, element: &Ty) {
        if !place.projections.is_empty() || *element == Ty::Unknown {
            return;
        }
        let facts = self.vars.get_mut(place.root);
        if facts.ty != Ty::Slice(Box::new(Ty::Unknown)) {
            return;
        }
        facts.ty = Ty::Slice(Box::new(element.clone()));
        if let Some(name) = self.unlearned.get(&place.root) {
            self.learned.elements.entry(name.clone()).or_insert_with(|| element.clone());
        }
    }

    fn number_argument(&mut self, expr: &Expr) -> Argument {
        Argument::Value(self.steering(expr))
    }

    /// What goes into an element.
    fn element_argument(&mut self, expr: &Expr) -> Argument {
        let value = self.expr(expr);
        Argument::Value(self.operand(value, Origin::of(expr)))
    }

    /// A slice that is copied from.
    fn slice_argument(&mut self, expr: &Expr) -> Option<Argument> {
        let argument = self.argument(expr);
        match self.steady(argument, Origin::of(expr)) {
            Argument::Ref { place, .. } => Some(Argument::Ref { place, mutable: false }),
            Argument::Value(Operand::Var(var)) => Some(Argument::Ref { place: Place::whole(var), mutable: false }),
            Argument::Value(Operand::Const(_)) => {
                self.refuse(expr, Refusal::UnknownExpression);
                None
            }
        }
    }

    /// `xs.to_vec()`
    fn copied_slice(&mut self, call: &ExprMethodCall) -> Value {
        let receiver = self.receiver(&call.receiver);
        let receiver = match receiver {
            Argument::Value(Operand::Var(var)) => Place::whole(var),
            Argument::Ref { place, .. } => place,
            Argument::Value(Operand::Const(_)) => return self.refuse(&call.receiver, Refusal::UnknownExpression),
        };
        let ty = match self.place_type(&receiver).peeled() {
            Ty::Slice(element) | Ty::Array(element, _) => Ty::Slice(element.clone()),
            _ => Ty::Slice(Box::new(Ty::Unknown)),
        };
        Value::Operand(self.vector_of(receiver, ty, Origin::of(&call.method)))
    }

    /// A vector of what a slice or an array holds.
    pub(super) fn vector_of(&mut self, slice: Place, ty: Ty, origin: Origin) -> Operand {
        let args = vec![Argument::Ref { place: slice, mutable: false }];
        self.value(origin, ty, Op::Call { callee: Callee::of_vectors(self.library, "to_vec"), args, saved: None })
    }

    /// `xs.split_at(i)` and `xs.split_at_mut(i)`: two references.
    fn halves(&mut self, call: &ExprMethodCall, at: &Expr) -> Option<Value> {
        let place = self.target(&call.receiver)?;
        let at = self.steering(at);
        let mutable = call.method == "split_at_mut";
        let part = |low: Option<Operand>, high: Option<Operand>| Value::Ref {
            place: place.clone().project(Projection::Slice { low, high, inclusive: false }),
            mutable,
        };
        Some(Value::Tuple(vec![part(None, Some(at.clone())), part(Some(at), None)]))
    }

    /// A sort: the order is found without derivatives, and then taken.
    fn sort(&mut self, call: &ExprMethodCall, compare: &Expr) -> Value {
        let Some(place) = self.target(&call.receiver) else { return Value::Never };
        let origin = Origin::of(&call.method);
        if self.steers(compare) {
            return self.refuse(compare, Refusal::ControlInCondition);
        }
        let (compare, mut reads) = self.substitute(compare);
        let slice = self.spell(&Value::Ref { place: place.clone(), mutable: false }, &mut reads);
        let library = self.library;
        let order: Expr = parse_quote!(#library::vectors::order_by(#slice, #compare));
        let order = self.value(origin, Ty::Inactive, Op::Inert { expr: Box::new(order), reads });
        if let Operand::Var(var) = &order {
            self.constants.insert(*var);
        }
        self.operate_on(place, "permute", vec![Argument::Value(order)], nothing(), origin)
    }

    /// `vec![..]` with something active in it.
    pub(super) fn active_vector(&mut self, mac: &syn::Macro) -> Value {
        let origin = Origin::of(mac);
        let tokens = &mac.tokens;
        if let Ok(repeat) = syn::parse2::<syn::ExprRepeat>(quote::quote!([#tokens])) {
            let (value, length) = (self.element_argument(&repeat.expr), self.number_argument(&repeat.len));
            let Argument::Value(element) = &value else { return Value::Never };
            let ty = Ty::Slice(Box::new(self.operand_type(element)));
            let vector = self.empty_vector(ty, origin);
            self.operate_on(Place::whole(vector), "grow", vec![length, value], nothing(), origin);
            return Value::Place(Place::whole(vector));
        }
        let array = match syn::parse2::<syn::ExprArray>(quote::quote!([#tokens])) {
            Ok(array) => self.expr(&Expr::Array(array)),
            Err(_) => return self.refuse(mac, Refusal::UnknownMacro { name: "vec".to_owned() }),
        };
        let Operand::Var(array) = self.operand(array, origin) else { return Value::Never };
        let ty = match &self.vars.get(array).ty {
            Ty::Array(element, _) => Ty::Slice(element.clone()),
            _ => Ty::Slice(Box::new(Ty::Unknown)),
        };
        Value::Operand(self.vector_of(Place::whole(array), ty, origin))
    }

    /// A vector of ours that is about to be filled.
    pub(super) fn empty_vector(&mut self, ty: Ty, origin: Origin) -> VarId {
        let vector = self.vars.named("vector", origin, ty, crate::ir::Role::Temporary, true);
        let library = self.library;
        let init = Operand::Const(parse_quote!(#library::vectors::Vec::new()));
        self.push(crate::ir::Stmt::Declare { var: vector, init: Some(init) });
        vector
    }
}

fn nothing() -> Ty {
    Ty::Tuple(Vec::new())
}

fn element_of(ty: &Ty) -> Ty {
    match ty {
        Ty::Slice(element) | Ty::Array(element, _) => (**element).clone(),
        _ => Ty::Unknown,
    }
}
