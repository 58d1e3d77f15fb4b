//! Expressions: operators, aggregates, casts; the rest is handed to the file of its construct.

use quote::ToTokens;
use syn::{BinOp, Expr, ExprBinary, ExprCast, ExprUnary, Lit, UnOp};

use super::guess::combine;
use super::{Binding, Lowering, Value, inert};
use crate::diag::{Origin, Refusal};
use crate::ir::{Binary, Op, Operand, Place, Projection, Ty};
use crate::parse::types::classify;

impl Lowering<'_> {
    /// Lowers `expr` where it stands.
    pub(super) fn expr(&mut self, expr: &Expr) -> Value {
        self.refuse_attributes(expr);
        match expr {
            Expr::Paren(inner) => return self.expr(&inner.expr),
            Expr::Group(inner) => return self.expr(&inner.expr),
            Expr::Lit(literal) => return self.literal(literal),
            Expr::Path(path) => return self.path(path),
            Expr::Tuple(tuple) => return Value::Tuple(tuple.elems.iter().map(|element| self.expr(element)).collect()),
            Expr::Reference(reference) => return self.reference(reference),
            Expr::Macro(mac) => return self.macro_call(&mac.mac),
            Expr::Closure(closure) => return self.make_closure(closure),
            _ => {}
        }
        if self.is_inert_shape(expr) {
            return Value::Operand(self.inert_value(expr));
        }
        match expr {
            Expr::Unary(unary) => self.unary(unary),
            Expr::Binary(binary) if inert::is_assignment(&binary.op) => self.compound(binary),
            Expr::Binary(binary) => self.binary(binary),
            Expr::Assign(assign) => self.assign(assign),
            Expr::Cast(cast) => self.cast(cast),
            Expr::Index(_) | Expr::Field(_) => self.place_value(expr),
            Expr::Struct(literal) => self.struct_literal(literal),
            Expr::Array(array) => self.array(array),
            Expr::Repeat(repeat) => self.repeat(repeat),
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) => self.method_call(call),
            Expr::If(branch) => self.branch(branch),
            Expr::Match(matching) => self.matching(matching),
            Expr::Block(block) => self.block(block),
            Expr::Loop(endless) => self.endless(endless),
            Expr::While(conditional) => self.conditional(conditional),
            Expr::ForLoop(iteration) => self.iteration(iteration),
            Expr::Try(question) => self.question_mark(question),
            Expr::Return(exit) => self.leave_function(exit),
            Expr::Break(exit) => self.leave_loop(exit),
            Expr::Continue(exit) => self.next_iteration(exit),
            other => self.refuse_expr(other),
        }
    }

    fn refuse_expr(&mut self, expr: &Expr) -> Value {
        let refusal = match expr {
            Expr::Let(_) => Refusal::LetCondition,
            Expr::Unsafe(_) => Refusal::UnsafeBlock,
            Expr::Async(_) | Expr::Await(_) => Refusal::Async,
            Expr::Range(_) => Refusal::RangeValue,
            Expr::RawAddr(_) => Refusal::RawPointer,
            Expr::Yield(_) | Expr::TryBlock(_) | Expr::Const(_) | Expr::Infer(_) => Refusal::UnknownExpression,
            _ => Refusal::UnknownExpression,
        };
        self.refuse(expr, refusal)
    }

    fn literal(&mut self, literal: &syn::ExprLit) -> Value {
        match &literal.lit {
            Lit::Float(_) | Lit::Int(_) | Lit::Bool(_) | Lit::Char(_) | Lit::Byte(_) | Lit::Str(_) => {
                Value::Operand(Operand::Const(Box::new(Expr::Lit(literal.clone()))))
            }
            _ => self.refuse(literal, Refusal::UnknownExpression),
        }
    }

    pub(super) fn path(&mut self, path: &syn::ExprPath) -> Value {
        match path.path.get_ident().and_then(|ident| self.lookup(ident)).cloned() {
            Some(Binding::Value(value)) => value,
            Some(Binding::Cell(var)) => {
                let place = Place::whole(var);
                if matches!(self.vars.get(var).ty, Ty::Array(..) | Ty::Slice(_) | Ty::Tuple(_)) {
                    Value::Place(place)
                } else {
                    Value::Operand(self.read(place, Origin::of(path)))
                }
            }
            None => Value::Operand(Operand::Const(Box::new(Expr::Path(path.clone())))),
        }
    }

    /// `a[i]`, `t.0`: read now, unless it is an aggregate of which a part may be meant.
    fn place_value(&mut self, expr: &Expr) -> Value {
        if let Expr::Field(field) = expr
            && let Some(value) = self.component(&field.base, &field.member)
        {
            return value;
        }
        if let Some(place) = self.place(expr) {
            return match self.place_type(&place) {
                Ty::Array(..) | Ty::Slice(_) | Ty::Tuple(_) => Value::Place(place),
                _ => Value::Operand(self.read(place, Origin::of(expr))),
            };
        }
        let (base, projection) = match expr {
            Expr::Index(index) => (self.expr(&index.expr), self.index(&index.index)),
            Expr::Field(field) => (self.expr(&field.base), Projection::Field(field.member.clone())),
            other => return self.refuse(other, Refusal::UnknownExpression),
        };
        if let Projection::Field(syn::Member::Unnamed(index)) = &projection
            && let Some(element) = base.element(index.index as usize)
        {
            return element;
        }
        if let (Value::Struct(value), Projection::Field(member)) = (&base, &projection)
            && let Some(field) = self.field_of(value, member)
        {
            return field;
        }
        match self.borrowed(base, Origin::of(expr)) {
            Operand::Var(root) => Value::Operand(self.read(Place::whole(root).project(projection), Origin::of(expr))),
            Operand::Const(_) => self.refuse(expr, Refusal::UnknownExpression),
        }
    }

    fn reference(&mut self, reference: &syn::ExprReference) -> Value {
        let mutable = reference.mutability.is_some();
        if let Some(place) = self.place(&reference.expr) {
            return Value::Ref { place, mutable };
        }
        let value = self.expr(&reference.expr);
        let origin = Origin::of(reference);
        if let Value::Closure(_) | Value::Chain(_) = value {
            return value;
        }
        let place = self.lendable(value, origin);
        Value::Ref { place, mutable }
    }

    /// The whole of a variable that holds `value`, which is no place.
    pub(super) fn lendable(&mut self, value: Value, origin: Origin) -> Place {
        let root = match self.borrowed(value, origin) {
            Operand::Var(var) => var,
            constant @ Operand::Const(_) => {
                let ty = self.operand_type(&constant);
                let var = self.vars.temporary(origin, ty);
                self.push(crate::ir::Stmt::Let { var, op: Op::Copy(constant) });
                var
            }
        };
        Place::whole(root)
    }

    fn unary(&mut self, unary: &ExprUnary) -> Value {
        match unary.op {
            UnOp::Neg(_) => {
                let value = self.expr(&unary.expr);
                let operand = self.borrowed(value, Origin::of(&unary.expr));
                let ty = self.operand_type(&operand).peeled().clone();
                Value::Operand(self.value(Origin::of(unary), ty, Op::Neg(operand)))
            }
            UnOp::Deref(_) => {
                let value = self.expr(&unary.expr);
                value.referent().unwrap_or(value)
            }
            UnOp::Not(_) => self.not(unary),
            _ => self.refuse(unary, Refusal::UnknownExpression),
        }
    }

    fn binary(&mut self, binary: &ExprBinary) -> Value {
        let op = match binary.op {
            BinOp::Add(_) => Binary::Add,
            BinOp::Sub(_) => Binary::Sub,
            BinOp::Mul(_) => Binary::Mul,
            BinOp::Div(_) => Binary::Div,
            BinOp::Rem(_) => Binary::Rem,
            BinOp::And(_) | BinOp::Or(_) => return self.short_circuit(binary),
            _ => return self.comparison(binary),
        };
        let left = self.expr(&binary.left);
        let left = self.borrowed(left, Origin::of(&binary.left));
        let right = self.expr(&binary.right);
        let right = self.borrowed(right, Origin::of(&binary.right));
        Value::Operand(self.arithmetic(op, &binary.op, left, right, Origin::of(binary)))
    }

    /// `left op right` on operands.
    pub(super) fn arithmetic(&mut self, op: Binary, token: &BinOp, left: Operand, right: Operand, origin: Origin) -> Operand {
        let (left_type, right_type) = (self.operand_type(&left), self.operand_type(&right));
        let ty = combine(
            token,
            &self.scalar_constant(&left, left_type, &right_type),
            &self.scalar_constant(&right, right_type, &self.operand_type(&left)),
        );
        let unknown = [&left, &right].into_iter().find(|operand| self.operand_type(operand) == Ty::Unknown);
        if let (Ty::Int, Some(unknown)) = (&ty, unknown.cloned()) {
            return self.integral(op, token, left, right, &unknown, origin);
        }
        if ty.is_float() && matches!(op, Binary::Add | Binary::Sub) {
            self.refine(&left, &ty);
            self.refine(&right, &ty);
        }
        self.value(origin, ty, Op::Binary(op, left, right))
    }

    /// An operator with an integer on one side, and on the other what is an integer too, as rustc is to see, or of a type of the
    /// user's.
    fn integral(&mut self, op: Binary, token: &BinOp, left: Operand, right: Operand, unknown: &Operand, origin: Origin) -> Operand {
        if self.operand_of_user(unknown) {
            return self.value(origin, Ty::Unknown, Op::Binary(op, left, right));
        }
        if !matches!(unknown, Operand::Var(var) if self.can_be_active(*var)) {
            return self.value(origin, Ty::Int, Op::Binary(op, left, right));
        }
        let library = self.library;
        self.steered_operand(origin, Ty::Int, &[left, right], |parts| {
            let (left, right) = (&parts[0], &parts[1]);
            syn::parse_quote!(#library::steering(#left #token #right))
        })
    }

    /// A named constant beside a float is taken for a float; rustc objects where it is not.
    fn scalar_constant(&self, operand: &Operand, ty: Ty, other: &Ty) -> Ty {
        match (operand, &ty, other) {
            (Operand::Const(_), Ty::Unknown, Ty::Float(width)) => Ty::Float(*width),
            _ => ty,
        }
    }

    fn cast(&mut self, cast: &ExprCast) -> Value {
        let value = self.expr(&cast.expr);
        let operand = self.operand(value, Origin::of(&cast.expr));
        let ty = classify(&cast.ty);
        if !ty.is_float() {
            return self.cast_away(cast, operand, ty);
        }
        match self.operand_type(&operand) {
            Ty::Float(Some(_)) | Ty::Int | Ty::Unknown => {}
            _ => return self.refuse(&cast.expr, Refusal::CastOfUnknown),
        }
        Value::Operand(self.value(Origin::of(cast), ty, Op::Cast { value: operand, ty: (*cast.ty).clone() }))
    }

    fn array(&mut self, array: &syn::ExprArray) -> Value {
        let mut operands = Vec::new();
        for element in &array.elems {
            let value = self.expr(element);
            operands.push(self.operand(value, Origin::of(element)));
        }
        let element = operands.iter().map(|operand| self.operand_type(operand)).find(|ty| *ty != Ty::Unknown).unwrap_or(Ty::Unknown);
        let length: Expr = syn::LitInt::new(&operands.len().to_string(), proc_macro2::Span::mixed_site()).into_expr();
        let ty = Ty::Array(Box::new(element), Some(crate::ir::Length::of(&length)));
        Value::Operand(self.value(Origin::of(array), ty, Op::Array(operands)))
    }

    fn repeat(&mut self, repeat: &syn::ExprRepeat) -> Value {
        let value = self.expr(&repeat.expr);
        let operand = self.operand(value, Origin::of(&repeat.expr));
        let ty = Ty::Array(Box::new(self.operand_type(&operand)), Some(crate::ir::Length::of(&repeat.len)));
        Value::Operand(self.value(Origin::of(repeat), ty, Op::Repeat { value: operand, length: repeat.len.clone() }))
    }

    /// Attributes inside a body reach both sweeps or none: refused, all but lint levels and docs.
    pub(super) fn refuse_attributes(&mut self, expr: &Expr) {
        for attribute in crate::parse::attributes_of(expr) {
            self.refuse_attribute(attribute);
        }
    }

    pub(super) fn refuse_attribute(&mut self, attribute: &syn::Attribute) {
        let harmless = ["allow", "expect", "warn", "deny", "doc", "inline", "rustfmt", "clippy"];
        let name = attribute.path().segments.first().map(|segment| segment.ident.to_string()).unwrap_or_default();
        if !harmless.contains(&name.as_str()) {
            self.refuse(attribute, Refusal::InnerAttribute { name: attribute.path().to_token_stream().to_string() });
        }
    }
}

/// A literal as an expression.
trait IntoExpr {
    fn into_expr(self) -> Expr;
}

impl IntoExpr for syn::LitInt {
    fn into_expr(self) -> Expr {
        Expr::Lit(syn::ExprLit { attrs: Vec::new(), lit: Lit::Int(self) })
    }
}
