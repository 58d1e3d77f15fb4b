//! Struct literals and tuple constructors. Like a tuple, a struct is put together only where the whole of it is used.

use syn::{Expr, ExprCall, ExprStruct, Member, Path};

use super::{Lowering, Struct, Value};
use crate::diag::Origin;
use crate::ir::{Argument, Construct, Op, Operand, Projection, Ty};

impl Struct {
    /// Everything that it is made of.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Value> {
        self.fields.iter().map(|(_, field)| field).chain(&self.base)
    }

    /// A field, where it is known.
    pub(super) fn field(&self, member: &Member) -> Option<&Value> {
        self.fields.iter().find(|(name, _)| name == member).map(|(_, field)| field)
    }

    /// The name of the variant, where the constructor may be one of an enum.
    fn variant(&self) -> Option<syn::Ident> {
        let mut segments = self.path.segments.iter().rev().map(|segment| &segment.ident);
        let (last, owner) = (segments.next()?, segments.next());
        let in_type = owner.is_some_and(|owner| owner.to_string().starts_with(char::is_uppercase));
        let possible = *last != "Self" && (in_type || !self.braces);
        possible.then(|| last.clone())
    }
}

impl Lowering<'_> {
    /// `Point { x, y: 1.0, ..base }`
    pub(super) fn struct_literal(&mut self, literal: &ExprStruct) -> Value {
        let fields = literal.fields.iter().map(|field| {
            field.attrs.iter().for_each(|attribute| self.refuse_attribute(attribute));
            let value = self.part(&field.expr);
            (field.member.clone(), value)
        });
        let fields = fields.collect();
        let base = literal.rest.as_ref().map(|base| self.part(base));
        Value::Struct(Box::new(Struct { path: literal.path.clone(), braces: true, fields, base }))
    }

    /// `Pair(a, b)`
    pub(super) fn tuple_constructor(&mut self, path: &Path, call: &ExprCall) -> Value {
        let fields = call.args.iter().enumerate().map(|(index, argument)| (Member::Unnamed(index.into()), self.part(argument)));
        let fields = fields.collect();
        Value::Struct(Box::new(Struct { path: path.clone(), braces: false, fields, base: None }))
    }

    /// A part as it is now: places may be written before the whole is used.
    fn part(&mut self, expr: &Expr) -> Value {
        let value = self.expr(expr);
        self.settle(value, Origin::of(expr))
    }

    /// The struct as a value.
    pub(super) fn construct(&mut self, value: Struct, origin: Origin) -> Operand {
        let variant = value.variant();
        let fields = value.fields.into_iter().map(|(member, field)| {
            let field = match field {
                Value::Ref { place, mutable } => Argument::Ref { place, mutable },
                other => Argument::Value(self.operand(other, origin)),
            };
            (member, field)
        });
        let fields: Vec<_> = fields.collect();
        let base = value.base.map(|base| self.operand(base, origin));
        let ty = self.constructed(&value.path, &fields);
        let construct = Construct { path: value.path, braces: value.braces, variant, fields, base };
        let of_user = ty == Ty::Unknown;
        let value = self.value(origin, ty, Op::Construct(Box::new(construct)));
        if of_user {
            self.note_user(&value);
        }
        value
    }

    /// The type of `Some(x)` and `Ok(x)`; nothing is known of those of the user's.
    fn constructed(&self, path: &Path, fields: &[(Member, Argument)]) -> Ty {
        match (path.segments.last(), fields) {
            (Some(last), [(_, Argument::Value(value))]) if last.ident == "Some" => Ty::Option(Box::new(self.operand_type(value))),
            (Some(last), [(_, Argument::Value(value))]) if last.ident == "Ok" => Ty::Result(Box::new(self.operand_type(value))),
            _ => Ty::Unknown,
        }
    }

    /// A field of a struct that has not been put together.
    pub(super) fn field_of(&mut self, value: &Struct, member: &Member) -> Option<Value> {
        if let Some(field) = value.field(member) {
            return Some(field.clone());
        }
        match value.base.clone()? {
            Value::Struct(base) => self.field_of(&base, member),
            base => {
                let place = self.place_of(base)?;
                Some(Value::Place(place.project(Projection::Field(member.clone()))))
            }
        }
    }
}
