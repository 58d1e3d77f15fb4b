//! Assignments, plain, compound and destructuring.

use quote::{ToTokens, quote};
use syn::{BinOp, Expr, ExprAssign, ExprBinary};

use super::{Lowering, Value};
use crate::diag::{Origin, Refusal};
use crate::ir::{Binary, Op, Operand, Place, Sign, Stmt, Ty};

impl Lowering<'_> {
    pub(super) fn assign(&mut self, assign: &ExprAssign) -> Value {
        let value = self.expr(&assign.right);
        self.assign_to(&assign.left, value);
        Value::Tuple(Vec::new())
    }

    fn assign_to(&mut self, left: &Expr, value: Value) {
        match left {
            Expr::Paren(inner) => self.assign_to(&inner.expr, value),
            Expr::Group(inner) => self.assign_to(&inner.expr, value),
            Expr::Infer(_) => {}
            Expr::Tuple(tuple) => self.assign_tuple(tuple, value),
            other => {
                let origin = Origin::of(other);
                let value = self.operand(value, origin);
                if let Some(place) = self.target(other) {
                    let ty = self.operand_type(&value);
                    self.refine(&Operand::Var(place.root), &if place.projections.is_empty() { ty } else { Ty::Unknown });
                    self.store(place, value);
                }
            }
        }
    }

    /// `(a, b) = (b, a)`: the values are all taken before the first is stored.
    fn assign_tuple(&mut self, tuple: &syn::ExprTuple, value: Value) {
        let elements = match value {
            Value::Tuple(elements) if elements.len() == tuple.elems.len() => elements,
            other => {
                let operand = self.operand(other, Origin::of(tuple));
                let Operand::Var(root) = operand else {
                    self.refuse(tuple, Refusal::AssignmentTarget);
                    return;
                };
                let member = |index: usize| crate::ir::Projection::Field(syn::Member::Unnamed(index.into()));
                (0..tuple.elems.len()).map(|index| Value::Place(Place::whole(root).project(member(index)))).collect()
            }
        };
        let taken: Vec<Value> = elements.into_iter().map(|element| Value::Operand(self.operand(element, Origin::of(tuple)))).collect();
        for (left, value) in tuple.elems.iter().zip(taken) {
            self.assign_to(left, value);
        }
    }

    /// `place = value`.
    pub(super) fn store(&mut self, place: Place, value: Operand) {
        let key = place.key(&self.vars);
        let (root, whole) = (place.root, place.projections.is_empty());
        self.push(Stmt::Store { place, value: value.clone() });
        self.wrote(root);
        if whole {
            *self.versions.entry(root).or_default() += 1;
        }
        // What was stored is what will be read, where the value is a float with a name.
        if let (true, Operand::Var(var)) = (whole && self.vars.get(root).ty.is_float(), value)
            && !self.vars.get(var).cell
        {
            self.known.push((key, root, var));
        }
    }

    pub(super) fn compound(&mut self, binary: &ExprBinary) -> Value {
        let origin = Origin::of(binary);
        let unit = Value::Tuple(Vec::new());
        let target = self.guess(&binary.left);
        if matches!(target, Ty::Int | Ty::Bool | Ty::Inactive) {
            return self.inert_compound(binary);
        }
        let right = self.expr(&binary.right);
        let right = self.borrowed(right, Origin::of(&binary.right));
        let Some(place) = self.target(&binary.left) else { return unit };
        let float = self.place_type(&place).is_float();
        if float {
            let ty = self.place_type(&place);
            if matches!(binary.op, BinOp::AddAssign(_) | BinOp::SubAssign(_)) {
                self.refine(&right, &ty);
            }
        }
        let op = match binary.op {
            BinOp::AddAssign(_) => return self.update(place, Sign::Plus, right),
            BinOp::SubAssign(_) => return self.update(place, Sign::Minus, right),
            BinOp::MulAssign(_) => (Binary::Mul, BinOp::Mul(syn::token::Star::default())),
            BinOp::DivAssign(_) => (Binary::Div, BinOp::Div(syn::token::Slash::default())),
            BinOp::RemAssign(_) => (Binary::Rem, BinOp::Rem(syn::token::Percent::default())),
            _ => return self.refuse(binary, Refusal::UnknownExpression),
        };
        let left = self.read(place.clone(), origin);
        let value = self.arithmetic(op.0, &op.1, left, right, origin);
        self.store(place, value);
        unit
    }

    fn update(&mut self, place: Place, sign: Sign, value: Operand) -> Value {
        let root = place.root;
        self.push(Stmt::Update { place, sign, value });
        self.wrote(root);
        Value::Tuple(Vec::new())
    }

    /// `i += 1` on something that carries no derivative.
    fn inert_compound(&mut self, binary: &ExprBinary) -> Value {
        let Some(place) = self.target(&binary.left) else { return Value::Tuple(Vec::new()) };
        let right = self.steering(&binary.right);
        let mut reads = Vec::new();
        let left = self.spell(&Value::Place(place.clone()), &mut reads);
        let right = self.spell(&Value::Operand(right), &mut reads);
        let op = &binary.op;
        self.push(Stmt::Inert { tokens: quote!(#left #op #right;), reads });
        self.wrote(place.root);
        Value::Tuple(Vec::new())
    }

    /// `std::mem::swap(&mut a, &mut b)` and `a.swap(i, j)`.
    pub(super) fn swap(&mut self, left: Place, right: Place, node: &impl ToTokens) -> Value {
        let origin = Origin::of(node);
        let first = self.copy_of(left.clone(), origin);
        let second = self.copy_of(right.clone(), origin);
        self.store(left, second);
        self.store(right, first);
        Value::Tuple(Vec::new())
    }

    /// A value that surely is a copy: the place is about to be written.
    fn copy_of(&mut self, place: Place, origin: Origin) -> Operand {
        let ty = self.place_type(&place);
        self.value(origin, ty, Op::Snapshot(place))
    }
}
