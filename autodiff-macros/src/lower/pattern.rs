//! Patterns in `let`, parameters and loops: each name is bound to the part of the value that it means, and
//! no pattern is left for later stages (but in `match`, see `branch`).

use syn::{Member, Pat, PatIdent};

use super::{Binding, Lowering, Value, name_of};
use crate::diag::{Origin, Refusal};
use crate::ir::{Op, Operand, Place, Projection, Role, Stmt, Ty};
use crate::parse::types::classify;

impl Lowering<'_> {
    /// Binds the names of `pattern` to the parts of `value`.
    pub(super) fn bind(&mut self, pattern: &Pat, value: Value) {
        match pattern {
            Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => self.bind_typed(ident, value, None),
            Pat::Wild(_) => {}
            Pat::Paren(inner) => self.bind(&inner.pat, value),
            Pat::Type(typed) => self.bind(&typed.pat, value),
            Pat::Tuple(tuple) => self.bind_tuple(tuple, value),
            Pat::Slice(slice) => self.bind_slice(slice, value),
            Pat::Reference(reference) => match value {
                Value::Ref { place, .. } => self.bind(&reference.pat, Value::Place(place)),
                other => self.bind(&reference.pat, other),
            },
            other => {
                self.refuse(other, Refusal::Pattern);
            }
        }
    }

    fn bind_tuple(&mut self, tuple: &syn::PatTuple, value: Value) {
        let elements: Vec<Value> = match value {
            Value::Tuple(elements) => elements,
            other => {
                let Some(place) = self.aggregate(other, tuple) else { return };
                let count = match self.place_type(&place).peeled() {
                    Ty::Tuple(elements) => elements.len(),
                    _ => tuple.elems.len(),
                };
                let member = |index: usize| Projection::Field(Member::Unnamed(index.into()));
                (0..count).map(|index| Value::Place(place.clone().project(member(index)))).collect()
            }
        };
        let rest = tuple.elems.iter().position(|element| matches!(element, Pat::Rest(_)));
        let named = tuple.elems.len() - usize::from(rest.is_some());
        let fits = if rest.is_some() { named <= elements.len() } else { named == elements.len() };
        if !fits {
            self.refuse(tuple, Refusal::Pattern);
            return;
        }
        let skipped = elements.len() - named;
        let mut elements = elements.into_iter();
        for (position, element) in tuple.elems.iter().enumerate() {
            if Some(position) == rest {
                elements.by_ref().take(skipped).for_each(drop);
            } else if let Some(value) = elements.next() {
                self.bind(element, value);
            }
        }
    }

    /// `[a, b]`, `[a, .., z]`, and `[a, rest @ ..]` of a slice.
    fn bind_slice(&mut self, slice: &syn::PatSlice, value: Value) {
        let mutable = matches!(value, Value::Ref { mutable: true, .. });
        let by_reference = matches!(value, Value::Ref { .. });
        let Some(place) = self.aggregate(value, slice) else { return };
        let rest = slice.elems.iter().position(is_rest);
        let count = slice.elems.len();
        for (position, element) in slice.elems.iter().enumerate() {
            let from_end = rest.is_some_and(|rest| position > rest).then(|| count - position);
            if Some(position) == rest {
                let (low, high) = (number(position), self.index_from_end(&place, count - position - 1));
                let part = place.clone().project(Projection::Slice { low: Some(low), high: Some(high), inclusive: false });
                match element {
                    Pat::Ident(ident) if by_reference && ident.by_ref.is_none() => {
                        self.define(&ident.ident, Binding::Value(Value::Ref { place: part, mutable }));
                    }
                    Pat::Ident(ident) => {
                        self.refuse(ident, Refusal::Pattern);
                    }
                    _ => {}
                }
                continue;
            }
            let index = match from_end {
                Some(back) => self.index_from_end(&place, back),
                None => number(position),
            };
            let part = place.clone().project(Projection::Index(index));
            let value = if by_reference { Value::Ref { place: part, mutable } } else { Value::Place(part) };
            self.bind(element, value);
        }
    }

    /// The index `back` elements before the end.
    fn index_from_end(&mut self, place: &Place, back: usize) -> Operand {
        if let Ty::Array(_, Some(length)) = self.place_type(place).peeled()
            && let Some(length) = length.value
        {
            return number((length as usize).saturating_sub(back));
        }
        let mut whole = place.clone();
        if matches!(whole.projections.last(), Some(Projection::Deref)) {
            whole.projections.pop();
        }
        let mut reads = Vec::new();
        let spelled = self.spell(&Value::Place(whole), &mut reads);
        let back = number_literal(back);
        let expr = syn::parse_quote!(#spelled.len() - #back);
        self.value(Origin::none(), Ty::Int, Op::Inert { expr: Box::new(expr), reads })
    }

    fn aggregate(&mut self, value: Value, node: &impl quote::ToTokens) -> Option<Place> {
        match value {
            Value::Place(place) | Value::Ref { place, .. } => Some(place),
            other => match self.operand(other, Origin::of(node)) {
                Operand::Var(root) => Some(Place::whole(root)),
                Operand::Const(_) => {
                    self.refuse(node, Refusal::Pattern);
                    None
                }
            },
        }
    }

    /// Binds one name, with the type that the user wrote for it.
    pub(super) fn bind_typed(&mut self, ident: &PatIdent, value: Value, ty: Option<syn::Type>) {
        if ident.mutability.is_some() {
            return self.bind_cell(ident, value, ty);
        }
        match value {
            Value::Ref { place, mutable } => self.define(&ident.ident, Binding::Value(Value::Ref { place, mutable })),
            Value::Tuple(elements) => {
                // Places inside are read now: they may be written before the tuple is used.
                let origin = Origin::of(ident);
                let elements = elements.into_iter().map(|element| self.settle(element, origin)).collect();
                self.define(&ident.ident, Binding::Value(Value::Tuple(elements)));
            }
            Value::Never => self.define(&ident.ident, Binding::Value(Value::Never)),
            Value::Operand(_) | Value::Place(_) => {
                let operand = self.operand(value, Origin::of(ident));
                let operand = self.name(ident, operand, ty);
                self.define(&ident.ident, Binding::Value(Value::Operand(operand)));
            }
        }
    }

    fn settle(&mut self, value: Value, origin: Origin) -> Value {
        match value {
            Value::Place(place) => Value::Operand(self.read(place, origin)),
            Value::Tuple(elements) => Value::Tuple(elements.into_iter().map(|element| self.settle(element, origin)).collect()),
            other => other,
        }
    }

    /// Gives a value the user's name: a fresh temporary is renamed, a name or a constant gets a second one.
    fn name(&mut self, ident: &PatIdent, operand: Operand, ty: Option<syn::Type>) -> Operand {
        if let Operand::Var(var) = &operand {
            let facts = self.vars.get(*var);
            let fresh = facts.role == Role::Temporary && !facts.cell && self.defined_last(*var);
            if fresh {
                self.vars.rename(*var, &ident.ident);
                let facts = self.vars.get_mut(*var);
                if let Some(ty) = ty {
                    if facts.ty == Ty::Unknown || facts.ty == Ty::Float(None) {
                        facts.ty = classify(&ty);
                    }
                    facts.ascription = Some(ty);
                }
                return operand;
            }
            if ty.is_none() && (facts.role != Role::Temporary) && !facts.cell {
                return operand;
            }
        }
        let constant = match &operand {
            Operand::Var(var) => self.constants.contains(var),
            Operand::Const(_) => true,
        };
        let known = ty.as_ref().map_or_else(|| self.operand_type(&operand), classify);
        let var = self.vars.user(&ident.ident, known, Role::User, false);
        self.vars.get_mut(var).ascription = ty;
        self.push(Stmt::Let { var, op: Op::Copy(operand) });
        if constant {
            self.constants.insert(var);
        }
        Operand::Var(var)
    }

    fn defined_last(&self, var: crate::ir::VarId) -> bool {
        matches!(self.blocks.last().and_then(|block| block.last()), Some(Stmt::Let { var: last, .. }) if *last == var)
    }

    fn operand_can_be_active(&self, operand: &Operand) -> bool {
        matches!(operand, Operand::Var(var) if self.can_be_active(*var))
    }

    fn bind_cell(&mut self, ident: &PatIdent, value: Value, ty: Option<syn::Type>) {
        if let Value::Ref { place, mutable } = value {
            // `let mut r = &xs[..]`: a reference that moves is beyond what a name for a place can be.
            if mutable {
                self.define(&ident.ident, Binding::Value(Value::Ref { place, mutable }));
            } else {
                self.refuse(ident, Refusal::MovingReference);
            }
            return;
        }
        let init = self.operand(value, Origin::of(ident));
        let known = ty.as_ref().map_or_else(|| self.operand_type(&init), classify);
        let constant = known == Ty::Unknown && !self.operand_can_be_active(&init) && !self.assigned.contains(&name_of(&ident.ident));
        let var = self.vars.user(&ident.ident, known, Role::User, true);
        self.vars.get_mut(var).ascription = ty;
        if constant {
            // It changes by its own methods only, and those take nothing active: see `method_call`.
            self.constants.insert(var);
        }
        self.push(Stmt::Declare { var, init: Some(init) });
        self.define(&ident.ident, Binding::Cell(var));
    }
}

fn is_rest(pattern: &Pat) -> bool {
    match pattern {
        Pat::Rest(_) => true,
        Pat::Ident(ident) => ident.subpat.as_ref().is_some_and(|(_, inner)| matches!(**inner, Pat::Rest(_))),
        _ => false,
    }
}

fn number_literal(number: usize) -> syn::LitInt {
    syn::LitInt::new(&number.to_string(), proc_macro2::Span::mixed_site())
}

fn number(value: usize) -> Operand {
    let literal = number_literal(value);
    Operand::Const(Box::new(syn::parse_quote!(#literal)))
}
