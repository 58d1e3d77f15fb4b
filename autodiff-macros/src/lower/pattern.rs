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
            // What is inactive is taken apart as the user wrote it.
            Pat::Reference(_) | Pat::Tuple(_) | Pat::Slice(_) | Pat::Struct(_) | Pat::TupleStruct(_) if self.is_opaque(&value) => {
                self.bind_opaque(pattern, value);
            }
            Pat::Type(typed) => self.bind(&typed.pat, value),
            Pat::Tuple(tuple) => self.bind_tuple(tuple, value),
            Pat::Slice(slice) => self.bind_slice(slice, value),
            Pat::Struct(structure) => self.bind_struct(structure, value),
            Pat::TupleStruct(tuple) => self.bind_tuple_struct(tuple, value),
            Pat::Reference(reference) => {
                let referent = value.referent().unwrap_or(value);
                self.bind(&reference.pat, referent);
            }
            other => {
                self.refuse(other, Refusal::Pattern);
            }
        }
    }

    fn bind_tuple(&mut self, tuple: &syn::PatTuple, value: Value) {
        let elements: Vec<Value> = match value {
            Value::Tuple(elements) => elements,
            Value::Borrow(inner) => return self.bind_borrowed(tuple, *inner),
            other => {
                let reference = if let Value::Ref { mutable, .. } = other { Some(mutable) } else { None };
                let Some(place) = self.aggregate(other, tuple) else { return };
                let count = match self.place_type(&place).peeled() {
                    Ty::Tuple(elements) => elements.len(),
                    _ => tuple.elems.len(),
                };
                let member = |index: usize| Projection::Field(Member::Unnamed(index.into()));
                let part = |index: usize| {
                    let place = place.clone().project(member(index));
                    match reference {
                        Some(mutable) => Value::Ref { place, mutable },
                        None => Value::Place(place),
                    }
                };
                (0..count).map(part).collect()
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

    /// `Point { x, y: (a, b), .. }`
    fn bind_struct(&mut self, structure: &syn::PatStruct, value: Value) {
        for field in &structure.fields {
            let Some(part) = self.field_value(&value, &field.member, structure) else { return };
            self.bind(&field.pat, part);
        }
    }

    /// `Pair(a, b)`
    fn bind_tuple_struct(&mut self, tuple: &syn::PatTupleStruct, value: Value) {
        for (index, element) in tuple.elems.iter().enumerate() {
            if let Pat::Rest(rest) = element {
                if index + 1 < tuple.elems.len() {
                    self.refuse(rest, Refusal::Pattern);
                }
                return;
            }
            let Some(part) = self.field_value(&value, &Member::Unnamed(index.into()), tuple) else { return };
            self.bind(element, part);
        }
    }

    /// A field of a struct: a reference to it, if the struct is one.
    pub(super) fn field_value(&mut self, value: &Value, member: &Member, node: &impl quote::ToTokens) -> Option<Value> {
        if let Value::Struct(parts) = value
            && let Some(part) = self.field_of(parts, member)
        {
            return Some(part);
        }
        let reference = if let Value::Ref { mutable, .. } = value { Some(*mutable) } else { None };
        let place = self.aggregate(value.clone(), node)?.project(Projection::Field(member.clone()));
        Some(match reference {
            Some(mutable) => Value::Ref { place, mutable },
            None => Value::Place(place),
        })
    }

    /// A tuple pattern without `&` against a reference to a tuple: the names are references to its elements.
    fn bind_borrowed(&mut self, tuple: &syn::PatTuple, referent: Value) {
        match referent {
            Value::Tuple(elements) => {
                let origin = Origin::of(tuple);
                let elements = elements.into_iter().map(|element| self.borrow(element, origin)).collect();
                self.bind_tuple(tuple, Value::Tuple(elements));
            }
            other => self.bind_tuple(tuple, other),
        }
    }

    /// Whether nothing is known of `value`, but that it carries no derivative.
    fn is_opaque(&self, value: &Value) -> bool {
        matches!(value, Value::Operand(Operand::Var(var)) if self.vars.get(*var).ty == Ty::Inactive)
    }

    /// Takes something inactive apart as the user wrote it, name by name.
    fn bind_opaque(&mut self, pattern: &Pat, value: Value) {
        let mut names = Names(Vec::new());
        syn::visit::Visit::visit_pat(&mut names, pattern);
        let mut reads = Vec::new();
        let whole = self.spell(&value, &mut reads);
        for name in names.0 {
            let mut only = pattern.clone();
            syn::visit_mut::VisitMut::visit_pat_mut(&mut Only(&name.ident), &mut only);
            let mut part = name.ident.clone();
            part.set_span(crate::ir::build::local_span(part.span()));
            let expr = syn::parse_quote!({ let #only = #whole; #part });
            let operand = self.value(Origin::of(&name.ident), Ty::Inactive, Op::Inert { expr: Box::new(expr), reads: reads.clone() });
            if let Operand::Var(var) = operand {
                self.constants.insert(var);
            }
            self.bind_typed(&name, Value::Operand(operand), None);
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
        if let Value::Closure(_) | Value::Chain(_) = value {
            return self.define(&ident.ident, Binding::Value(value));
        }
        if ident.mutability.is_some() {
            return self.bind_cell(ident, value, ty);
        }
        match value {
            Value::Ref { .. } | Value::Borrow(_) => self.define(&ident.ident, Binding::Value(value)),
            Value::Tuple(elements) => {
                // Places inside are read now: they may be written before the tuple is used.
                let origin = Origin::of(ident);
                let elements = elements.into_iter().map(|element| self.settle(element, origin)).collect();
                self.define(&ident.ident, Binding::Value(Value::Tuple(elements)));
            }
            Value::Struct(_) => self.define(&ident.ident, Binding::Value(value)),
            Value::Never => self.define(&ident.ident, Binding::Value(Value::Never)),
            Value::Closure(_) | Value::Chain(_) | Value::Operand(_) | Value::Place(_) => {
                let operand = self.operand(value, Origin::of(ident));
                let operand = self.name(ident, operand, ty);
                self.define(&ident.ident, Binding::Value(Value::Operand(operand)));
            }
        }
    }

    /// The same value, of this moment.
    pub(super) fn settle(&mut self, value: Value, origin: Origin) -> Value {
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
                    facts.ascription = Some(ty.clone());
                    self.written_types.insert(*var, ty);
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
        self.note_type(var, ty.as_ref(), &operand);
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
        let mut known = ty.as_ref().map_or_else(|| self.operand_type(&init), classify);
        let open = known == Ty::Slice(Box::new(Ty::Unknown));
        if let (true, Some(element)) = (open, self.learned.elements.get(&name_of(&ident.ident))) {
            known = Ty::Slice(Box::new(element.clone()));
        }
        let constant = known == Ty::Unknown && !self.operand_can_be_active(&init) && !self.assigned.contains(&name_of(&ident.ident));
        let var = self.vars.user(&ident.ident, known, Role::User, true);
        self.note_type(var, ty.as_ref(), &init);
        self.vars.get_mut(var).ascription = ty;
        if open {
            self.unlearned.insert(var, name_of(&ident.ident));
        }
        if constant {
            // It changes by its own methods only, and those take nothing active: see `method_call`.
            self.constants.insert(var);
            self.unwritten.insert(var, name_of(&ident.ident));
        }
        self.push(Stmt::Declare { var, init: Some(init) });
        self.define(&ident.ident, Binding::Cell(var));
    }
}

/// The names that a pattern binds.
struct Names(Vec<PatIdent>);

impl<'ast> syn::visit::Visit<'ast> for Names {
    fn visit_pat_ident(&mut self, ident: &'ast PatIdent) {
        self.0.push(ident.clone());
        syn::visit::visit_pat_ident(self, ident);
    }
}

/// Leaves one name in a pattern.
struct Only<'a>(&'a syn::Ident);

impl syn::visit_mut::VisitMut for Only<'_> {
    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        match pattern {
            Pat::Ident(ident) if ident.ident == *self.0 => {
                ident.mutability = None;
                ident.ident.set_span(crate::ir::build::local_span(self.0.span()));
            }
            Pat::Ident(ident) if ident.subpat.is_none() => *pattern = syn::parse_quote!(_),
            other => syn::visit_mut::visit_pat_mut(self, other),
        }
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
