//! Places: which variable an expression is a part of, reading them, and what their types are.

use syn::{Expr, Member};

use super::{Binding, Lowering, Value, placeholder};
use crate::diag::{Origin, Refusal};
use crate::ir::{Op, Operand, Place, Projection, Ty, VarId};

impl Place {
    /// The whole of a variable.
    pub fn whole(root: VarId) -> Self {
        Place { root, projections: Vec::new() }
    }

    /// One step further in.
    pub fn project(mut self, projection: Projection) -> Self {
        self.projections.push(projection);
        self
    }
}

impl Value {
    /// The element of a tuple that has not been put together, also behind a reference.
    pub(super) fn element(&self, index: usize) -> Option<Value> {
        match self {
            Value::Tuple(elements) => elements.get(index).cloned(),
            Value::Borrow(inner) => inner.element(index),
            _ => None,
        }
    }

    /// What a reference refers to.
    pub(super) fn referent(&self) -> Option<Value> {
        match self {
            Value::Ref { place, .. } => Some(Value::Place(place.clone())),
            Value::Borrow(inner) => Some((**inner).clone()),
            _ => None,
        }
    }
}

impl Lowering<'_> {
    /// The place that `expr` denotes, if it is one.
    pub(super) fn place(&mut self, expr: &Expr) -> Option<Place> {
        match expr {
            Expr::Paren(inner) => self.place(&inner.expr),
            Expr::Group(inner) => self.place(&inner.expr),
            Expr::Path(path) => match self.lookup(path.path.get_ident()?)?.clone() {
                Binding::Cell(var) => Some(Place::whole(var)),
                Binding::Value(value) => self.place_of(value),
            },
            Expr::Index(index) => {
                let base = self.place(&index.expr)?;
                let projection = self.index(&index.index);
                Some(base.project(projection))
            }
            Expr::Field(field) => {
                if let Some(value) = self.component(&field.base, &field.member) {
                    return self.place_of(value);
                }
                let base = self.place(&field.base)?;
                Some(base.project(Projection::Field(field.member.clone())))
            }
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => self.place(&unary.expr),
            Expr::MethodCall(call) if self.is_view(expr) => match self.view(call)? {
                Value::Ref { place, .. } => Some(place),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn place_of(&mut self, value: Value) -> Option<Place> {
        match value {
            Value::Operand(Operand::Var(var)) => Some(Place::whole(var)),
            Value::Ref { place, .. } | Value::Place(place) => Some(place),
            Value::Borrow(inner) => self.place_of(*inner),
            Value::Operand(Operand::Const(_)) | Value::Never | Value::Tuple(_) | Value::Struct(_) | Value::Closure(_) | Value::Chain(_) => {
                None
            }
        }
    }

    /// The component of a tuple that was never put together.
    pub(super) fn component(&mut self, base: &Expr, member: &Member) -> Option<Value> {
        let base = match base {
            Expr::Paren(inner) => return self.component(&inner.expr, member),
            Expr::Group(inner) => return self.component(&inner.expr, member),
            Expr::Path(path) => match self.lookup(path.path.get_ident()?)? {
                Binding::Value(value) => value.clone(),
                Binding::Cell(_) => return None,
            },
            Expr::Field(inner) => self.component(&inner.base, &inner.member)?,
            _ => return None,
        };
        match (base, member) {
            (Value::Struct(value), member) => self.field_of(&value, member),
            (base, Member::Unnamed(index)) => base.element(index.index as usize),
            _ => None,
        }
    }

    /// What stands between the brackets.
    pub(super) fn index(&mut self, index: &Expr) -> Projection {
        match index {
            Expr::Paren(inner) if !matches!(*inner.expr, Expr::Range(_)) => self.index(&inner.expr),
            Expr::Group(inner) => self.index(&inner.expr),
            Expr::Range(range) => Projection::Slice {
                low: range.start.as_ref().map(|start| self.steering(start)),
                high: range.end.as_ref().map(|end| self.steering(end)),
                inclusive: matches!(range.limits, syn::RangeLimits::Closed(_)),
            },
            other => Projection::Index(self.steering(other)),
        }
    }

    /// An expression that only steers: an index, a bound, a condition. It is evaluated once, here.
    pub(super) fn steering(&mut self, expr: &Expr) -> Operand {
        if let Expr::Lit(_) = expr {
            return Operand::Const(Box::new(expr.clone()));
        }
        if let Expr::Path(path) = expr
            && let Some(ident) = path.path.get_ident()
            && let Some(binding) = self.lookup(ident).cloned()
        {
            let value = match binding {
                Binding::Cell(var) => Value::Place(Place::whole(var)),
                Binding::Value(value) => value,
            };
            return self.operand(value, Origin::of(expr));
        }
        if !self.is_inert_shape(expr) {
            let value = self.expr(expr);
            return self.operand(value, Origin::of(expr));
        }
        self.inert_value(expr)
    }

    /// The current content of `place`, as a value of this moment.
    pub(super) fn read(&mut self, place: Place, origin: Origin) -> Operand {
        let root = self.vars.get(place.root);
        if place.projections.is_empty() && (!root.cell || root.late) {
            return Operand::Var(place.root);
        }
        let key = place.key(&self.vars);
        if let Some((_, _, value)) = self.known.iter().find(|(known, _, _)| *known == key) {
            return Operand::Var(*value);
        }
        let (root, ty) = (place.root, self.place_type(&place));
        let operand = self.value(origin, ty, Op::Read(place));
        if let Operand::Var(value) = operand {
            if self.constants.contains(&root) {
                self.constants.insert(value);
            }
            self.known.push((key, root, value));
        }
        operand
    }

    /// The operand that holds `value`, where only what it holds matters and `*r` needs no copy of its own: the
    /// operand of an operator, the receiver of a method.
    pub(super) fn borrowed(&mut self, value: Value, origin: Origin) -> Operand {
        match value {
            Value::Ref { place, .. } | Value::Place(place) if self.is_shared_aggregate(&place) => Operand::Var(place.root),
            other => self.operand(other, origin),
        }
    }

    /// Whether `place` is what a shared reference to something large points at; the reference is an operand itself.
    fn is_shared_aggregate(&self, place: &Place) -> bool {
        let root = self.vars.get(place.root);
        matches!(place.projections.as_slice(), [Projection::Deref]) && !root.writable() && !root.ty.peeled().is_copy()
    }

    /// The operand that holds `value`.
    pub(super) fn operand(&mut self, value: Value, origin: Origin) -> Operand {
        match value {
            Value::Operand(operand) => operand,
            Value::Ref { place, .. } if self.is_shared_aggregate(&place) => Operand::Var(place.root),
            Value::Ref { place, .. } | Value::Place(place) => self.read(place, origin),
            Value::Struct(value) => self.construct(*value, origin),
            Value::Never => placeholder(),
            Value::Borrow(inner) => self.operand(*inner, origin),
            Value::Closure(_) => {
                self.diagnostics.refuse(origin, Refusal::ClosureValue);
                placeholder()
            }
            Value::Chain(_) => {
                self.diagnostics.refuse(origin, Refusal::IteratorValue);
                placeholder()
            }
            Value::Tuple(elements) => {
                if elements.is_empty() {
                    return super::unit_operand();
                }
                let operands: Vec<Operand> = elements.into_iter().map(|element| self.operand(element, origin)).collect();
                let ty = Ty::Tuple(operands.iter().map(|operand| self.operand_type(operand)).collect());
                self.value(origin, ty, Op::Tuple(operands))
            }
        }
    }

    /// What is known of an operand's type.
    pub(super) fn operand_type(&self, operand: &Operand) -> Ty {
        match operand {
            Operand::Var(var) => self.vars.get(*var).ty.clone(),
            Operand::Const(expr) => self.guess(expr),
        }
    }

    /// What is known of the type of a place's content.
    pub(super) fn place_type(&self, place: &Place) -> Ty {
        self.vars.place_type(place)
    }

    /// What is known of the type of `value`.
    pub(super) fn value_type(&self, value: &Value) -> Ty {
        match value {
            Value::Operand(operand) => self.operand_type(operand),
            Value::Tuple(elements) => Ty::Tuple(elements.iter().map(|element| self.value_type(element)).collect()),
            Value::Ref { place, .. } | Value::Place(place) => self.place_type(place),
            Value::Borrow(inner) => self.value_type(inner),
            Value::Never | Value::Struct(_) | Value::Closure(_) | Value::Chain(_) => Ty::Unknown,
        }
    }

    /// Notes that `operand` is of type `ty`, where nothing was known: wrong guesses cannot pass rustc.
    pub(super) fn refine(&mut self, operand: &Operand, ty: &Ty) {
        if let Operand::Var(var) = operand
            && self.vars.get(*var).ty == Ty::Unknown
            && !matches!(self.vars.get(*var).role, crate::ir::Role::Parameter(_))
        {
            self.vars.get_mut(*var).ty = ty.clone();
        }
    }

    /// The place that is assigned to; refused where there is none.
    pub(super) fn target(&mut self, expr: &Expr) -> Option<Place> {
        let place = self.place(expr);
        if place.is_none() {
            self.refuse(expr, Refusal::AssignmentTarget);
        }
        place
    }
}
