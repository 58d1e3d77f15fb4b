//! Items that outlive the iteration that found them: the best, the last. What changes of them from item to item
//! (a value, the index of an element) is kept in variables that are declared before the loop.

use super::super::{Lowering, Value};
use super::stage::constant;
use crate::diag::{Origin, Refusal};
use crate::ir::{Operand, Place, Projection, Role, Stmt, Ty, VarId, Width};

/// An item, with variables for what changes.
#[derive(Clone, Debug)]
pub enum Kept {
    /// The same for all items.
    Fixed(Value),
    Cell(VarId),
    /// A reference to what is in the variable.
    Reference(VarId),
    Tuple(Vec<Kept>),
    Borrow(Box<Kept>),
    /// A part of something that is there before the loop.
    Part {
        shape: Value,
        numbers: Vec<VarId>,
    },
}

/// The variables of kept items, to be declared.
pub struct Keeper {
    /// Variables below this number are there before the loop.
    mark: u32,
    /// References are followed: the items are not all parts of the same.
    by_value: bool,
    pub declared: Vec<Stmt>,
}

impl Keeper {
    pub fn new(lowering: &Lowering<'_>, by_value: bool) -> Self {
        let mark = u32::try_from(lowering.vars.len()).expect("fewer than 2^32 variables");
        Keeper { mark, by_value, declared: Vec::new() }
    }
}

impl Lowering<'_> {
    /// Variables for items like `item`.
    pub(super) fn keep_like(&mut self, item: &Value, keeper: &mut Keeper, origin: Origin) -> Kept {
        let mark = keeper.mark;
        let before = |var: &VarId| var.0 < mark;
        match item {
            Value::Operand(Operand::Var(var)) => {
                let ty = self.vars.get(*var).ty.clone();
                Kept::Cell(self.kept_cell(ty, keeper, origin))
            }
            Value::Operand(constant @ Operand::Const(_)) => {
                let ty = self.operand_type(constant);
                Kept::Cell(self.kept_cell(ty, keeper, origin))
            }
            Value::Tuple(elements) => Kept::Tuple(elements.iter().map(|element| self.keep_like(element, keeper, origin)).collect()),
            Value::Borrow(inner) => Kept::Borrow(Box::new(self.keep_like(inner, keeper, origin))),
            Value::Ref { place, .. } | Value::Place(place) if before(&place.root) && !keeper.by_value => {
                let changing = numbers(place).into_iter().filter(|var| !before(var));
                let numbers = changing.map(|_| self.kept_cell(Ty::Int, keeper, origin)).collect();
                Kept::Part { shape: item.clone(), numbers }
            }
            Value::Place(place) => {
                let ty = self.place_type(place);
                Kept::Cell(self.kept_cell(ty, keeper, origin))
            }
            Value::Ref { place, .. } => {
                let ty = self.place_type(place);
                Kept::Reference(self.kept_cell(ty, keeper, origin))
            }
            Value::Struct(_) => {
                self.diagnostics.refuse(origin, Refusal::KeptItem);
                Kept::Fixed(Value::Never)
            }
            Value::Never | Value::Closure(_) | Value::Chain(_) => Kept::Fixed(Value::Never),
        }
    }

    fn kept_cell(&mut self, ty: Ty, keeper: &mut Keeper, origin: Origin) -> VarId {
        let (ty, zero) = match ty {
            Ty::Int => (ty, syn::parse_quote!(0)),
            Ty::Bool => (ty, syn::parse_quote!(false)),
            // rustc objects where the values are not floats.
            Ty::Float(_) => (ty, syn::parse_quote!(0.0)),
            Ty::Unknown => (Ty::Float(None), syn::parse_quote!(0.0)),
            other => {
                self.diagnostics.refuse(origin, Refusal::KeptItem);
                (other, syn::parse_quote!(0.0))
            }
        };
        let width = if let Ty::Float(Some(width)) = &ty { Some(*width) } else { None };
        let var = self.vars.named("kept", origin, ty, Role::Temporary, true);
        // Its methods may be called before anything else tells rustc what it is.
        self.vars.get_mut(var).ascription = width.and_then(|width| match width {
            Width::F32 => Some(syn::parse_quote!(::core::primitive::f32)),
            Width::F64 => Some(syn::parse_quote!(::core::primitive::f64)),
            Width::Parameter => None,
        });
        keeper.declared.push(Stmt::Declare { var, init: Some(constant(zero)) });
        var
    }

    /// Keeps `item` in the place of the one before.
    pub(super) fn keep(&mut self, kept: &Kept, item: Value, keeper: &Keeper, origin: Origin) {
        match (kept, item) {
            (Kept::Fixed(_), _) | (_, Value::Never) => {}
            (Kept::Tuple(kept), Value::Tuple(elements)) if kept.len() == elements.len() => {
                for (kept, element) in kept.iter().zip(elements) {
                    self.keep(kept, element, keeper, origin);
                }
            }
            (Kept::Borrow(kept), Value::Borrow(inner)) => self.keep(kept, *inner, keeper, origin),
            (Kept::Part { shape, numbers: cells }, item @ (Value::Ref { .. } | Value::Place(_))) => {
                let (Value::Ref { place, .. } | Value::Place(place)) = &item else { return };
                let (Value::Ref { place: like, .. } | Value::Place(like)) = shape else { return };
                if !same_shape(place, like) {
                    self.diagnostics.refuse(origin, Refusal::KeptItem);
                    return;
                }
                let changing: Vec<VarId> = numbers(place).into_iter().filter(|var| var.0 >= keeper.mark).collect();
                for (&cell, number) in cells.iter().zip(changing) {
                    self.store(Place::whole(cell), Operand::Var(number));
                }
            }
            (Kept::Cell(cell) | Kept::Reference(cell), item) => {
                let value = self.operand(item, origin);
                let ty = self.operand_type(&value);
                if let (Ty::Float(None), Ty::Float(_)) = (&self.vars.get(*cell).ty, &ty) {
                    self.vars.get_mut(*cell).ty = ty;
                }
                self.store(Place::whole(*cell), value);
            }
            (Kept::Tuple(_) | Kept::Borrow(_) | Kept::Part { .. }, _) => self.diagnostics.refuse(origin, Refusal::KeptItem),
        }
    }

    /// The item that is kept.
    pub(super) fn kept(&mut self, kept: &Kept, keeper: &Keeper, origin: Origin) -> Value {
        match kept {
            Kept::Fixed(value) => value.clone(),
            Kept::Cell(cell) => Value::Operand(self.read(Place::whole(*cell), origin)),
            Kept::Reference(cell) => {
                let value = self.read(Place::whole(*cell), origin);
                self.borrow(Value::Operand(value), origin)
            }
            Kept::Tuple(kept) => Value::Tuple(kept.iter().map(|kept| self.kept(kept, keeper, origin)).collect()),
            Kept::Borrow(kept) => Value::Borrow(Box::new(self.kept(kept, keeper, origin))),
            Kept::Part { shape, numbers } => {
                let mut current: Vec<Operand> = numbers.iter().rev().map(|&cell| self.read(Place::whole(cell), origin)).collect();
                let mut shape = shape.clone();
                if let Value::Ref { place, .. } | Value::Place(place) = &mut shape {
                    for operand in operands_mut(place) {
                        if matches!(operand, Operand::Var(var) if var.0 >= keeper.mark) {
                            *operand = current.pop().expect("one for each");
                        }
                    }
                }
                shape
            }
        }
    }
}

/// The variables among a place's indices, in order.
fn numbers(place: &Place) -> Vec<VarId> {
    let mut place = place.clone();
    let variables = operands_mut(&mut place).into_iter().filter_map(|operand| match operand {
        Operand::Var(var) => Some(*var),
        Operand::Const(_) => None,
    });
    variables.collect()
}

fn operands_mut(place: &mut Place) -> Vec<&mut Operand> {
    place.projections.iter_mut().flat_map(Projection::operands_mut).collect()
}

fn same_shape(a: &Place, b: &Place) -> bool {
    let alike = |a: &Projection, b: &Projection| match (a, b) {
        (Projection::Field(a), Projection::Field(b)) => a == b,
        (Projection::Payload { variant: v, member: a }, Projection::Payload { variant: w, member: b }) => v == w && a == b,
        (Projection::View { method: a, turbofish: t, .. }, Projection::View { method: b, turbofish: u, .. }) => a == b && t == u,
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    };
    a.root == b.root && a.projections.len() == b.projections.len() && a.projections.iter().zip(&b.projections).all(|(a, b)| alike(a, b))
}
