//! Methods and associated functions of the user's types: calls of what has derivatives beside it.

use syn::{Expr, ExprCall, ExprMethodCall, Path, Type};

use super::{Binding, Lowering, Value};
use crate::diag::Origin;
use crate::ir::{Argument, Callee, Op, Operand, Place, Projection, Ty, VarId};
use crate::parse::types::classify;

/// Types of other crates, whose associated functions have no derivatives beside them.
const FOREIGN: &[&str] =
    &["Vec", "Box", "Option", "Result", "String", "Default", "Iterator", "Quaternion", "UnitQuaternion", "Rotation2", "Rotation3"];

/// Methods of std's and nalgebra's types. Where nothing is known of the receiver, it is one of those.
const FOREIGN_METHODS: &[&str] = &["drain", "qr", "retain", "svd", "symmetric_eigen"];

/// Whether a type of this name is known to be of another crate.
pub fn is_foreign(owner: &str) -> bool {
    let path: Path = syn::Ident::new(owner, proc_macro2::Span::mixed_site()).into();
    FOREIGN.contains(&owner) || classify(&syn::parse_quote!(#path)) == Ty::Matrix
}

/// Whether a method of this name is taken for one of another crate's.
pub fn is_foreign_method(name: &str) -> bool {
    FOREIGN_METHODS.contains(&name)
}

impl Lowering<'_> {
    /// `x.method(..)` of a type of the user's.
    pub(super) fn user_method(&mut self, call: &ExprMethodCall) -> Value {
        let origin = Origin::of(call);
        let receiver = match self.place(&call.receiver) {
            Some(place) => place,
            None => {
                let value = self.expr(&call.receiver);
                self.lendable(value, Origin::of(&call.receiver))
            }
        };
        let mutable = self.vars.get(receiver.root).writable();
        let mut args = vec![Argument::Ref { place: receiver.clone(), mutable }];
        for argument in &call.args {
            args.push(self.argument(argument));
        }
        if mutable {
            self.activates(receiver.root, &args);
            self.wrote(receiver.root);
        }
        let callee = Callee::Method { name: call.method.clone(), mutable };
        Value::Operand(self.value(origin, Ty::Unknown, Op::Call { callee, args, saved: None }))
    }

    /// A method may put its arguments into its receiver.
    pub(super) fn activates(&mut self, root: VarId, args: &[Argument]) {
        let active = args[1..].iter().filter_map(Argument::root).any(|root| self.can_be_active(root));
        if active
            && self.constants.remove(&root)
            && let Some(name) = self.unwritten.get(&root)
        {
            self.learned.activated.insert(name.clone());
        }
    }

    /// `Type::function(..)`
    pub(super) fn associated_call(&mut self, path: &Path, call: &ExprCall) -> Value {
        let args = call.args.iter().map(|argument| self.argument(argument)).collect();
        let callee = Callee::Associated(path.clone());
        let value = self.value(Origin::of(call), Ty::Unknown, Op::Call { callee, args, saved: None });
        let name = path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        if name == "new" || name.starts_with("from_") || name.starts_with("with_") {
            self.note_user(&value);
        }
        Value::Operand(value)
    }

    /// Notes that a value is of a type of the user's.
    pub(super) fn note_user(&mut self, value: &Operand) {
        if let Operand::Var(var) = value {
            self.users.insert(*var);
        }
    }

    /// Notes what is known of a new variable's type: what is written, or what its value is of.
    pub(super) fn note_type(&mut self, var: VarId, ty: Option<&Type>, value: &Operand) {
        if let Some(ty) = ty {
            self.written_types.insert(var, ty.clone());
        } else if let Operand::Var(of) = value {
            if let Some(ty) = self.written_types.get(of).cloned() {
                self.written_types.insert(var, ty);
            }
            if self.users.contains(of) {
                self.users.insert(var);
            }
        }
    }

    /// Whether a value may be of a type of the user's, by what is written.
    pub(super) fn operand_of_user(&self, operand: &Operand) -> bool {
        matches!(operand, Operand::Var(var) if self.users.contains(var) || self.written_types.get(var).is_some_and(is_named))
    }

    /// Whether `expr` is known to be of a type of the user's: by the name of its type, which may be an alias of a matrix, or
    /// `surely`.
    pub(super) fn is_of_user(&self, expr: &Expr, surely: bool) -> bool {
        match super::calls::strip(expr) {
            Expr::Index(index) if !surely => {
                let elements = self.named_place(&index.expr).and_then(|place| self.written_types.get(&place.root)).and_then(element);
                elements.is_some_and(is_named)
            }
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => self.is_of_user(&unary.expr, surely),
            Expr::Struct(_) => true,
            other => match self.binding(other) {
                Some(Binding::Value(Value::Struct(_))) => true,
                _ => self.named_place(other).is_some_and(|place| self.is_place_of_user(&place, surely)),
            },
        }
    }

    fn binding(&self, expr: &Expr) -> Option<&Binding> {
        let Expr::Path(path) = super::calls::strip(expr) else { return None };
        self.lookup(path.path.get_ident()?)
    }

    /// The place that a name stands for.
    fn named_place(&self, expr: &Expr) -> Option<Place> {
        match self.binding(expr)? {
            Binding::Cell(var) | Binding::Value(Value::Operand(Operand::Var(var))) => Some(Place::whole(*var)),
            Binding::Value(Value::Ref { place, .. } | Value::Place(place)) => Some(place.clone()),
            Binding::Value(_) => None,
        }
    }

    fn is_place_of_user(&self, place: &Place, surely: bool) -> bool {
        let deref_only = place.projections.iter().all(|projection| matches!(projection, Projection::Deref));
        if deref_only && self.users.contains(&place.root) {
            return true;
        }
        let Some(mut ty) = self.written_types.get(&place.root) else { return false };
        for projection in &place.projections {
            ty = match (projection, plain(ty)) {
                (Projection::Deref, Type::Reference(reference)) => &reference.elem,
                (Projection::Index(_), other) => match element(other) {
                    Some(element) => element,
                    None => return false,
                },
                (Projection::Slice { .. }, other) => other,
                _ => return false,
            };
        }
        is_named(ty) && (!surely || matches!(plain(ty), Type::Path(path) if path.path.is_ident("Self")))
    }
}

/// Whether it is a type of which the name is all that is known.
fn is_named(ty: &Type) -> bool {
    match plain(ty) {
        Type::Reference(reference) => is_named(&reference.elem),
        Type::Path(path) => path.qself.is_none() && classify(ty) == Ty::Unknown,
        _ => false,
    }
}

fn plain(ty: &Type) -> &Type {
    match ty {
        Type::Paren(inner) => plain(&inner.elem),
        Type::Group(inner) => plain(&inner.elem),
        other => other,
    }
}

/// The type of the elements.
fn element(ty: &Type) -> Option<&Type> {
    match plain(ty) {
        Type::Array(array) => Some(&array.elem),
        Type::Slice(slice) => Some(&slice.elem),
        Type::Reference(reference) => element(&reference.elem),
        Type::Path(path) => {
            let last = path.path.segments.last().filter(|last| last.ident == "Vec")?;
            let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
            arguments.args.iter().find_map(|argument| match argument {
                syn::GenericArgument::Type(ty) => Some(ty),
                _ => None,
            })
        }
        _ => None,
    }
}
