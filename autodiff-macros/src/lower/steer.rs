//! What steers, made of values that had to be lowered: comparisons, `&&`, `||`, `!`, casts to integers.
//!
//! An inactive expression stays as the user wrote it (see `inert`), but not one with closures, iterators or
//! blocks in it. Then its parts are lowered, in their order, and only the operation itself stays.

use syn::{BinOp, Expr, ExprBinary, ExprCast, ExprMethodCall, ExprUnary, parse_quote};

use super::{Lowering, Value};
use crate::diag::Origin;
use crate::ir::{Op, Operand, Ty, VarId};

impl Lowering<'_> {
    /// `a < b`, and the operators of bits and booleans that evaluate both sides.
    pub(super) fn comparison(&mut self, binary: &ExprBinary) -> Value {
        let left = self.expr(&binary.left);
        let left = self.borrowed(left, Origin::of(&binary.left));
        let right = self.expr(&binary.right);
        let right = self.borrowed(right, Origin::of(&binary.right));
        let compares = matches!(binary.op, BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_));
        let ty = if compares { Ty::Bool } else { self.operand_type(&left) };
        let op = binary.op;
        self.steered(Origin::of(binary), ty, &[left, right], |parts| {
            let (left, right) = (&parts[0], &parts[1]);
            parse_quote!(#left #op #right)
        })
    }

    /// `a && b`, `a || b`: the right side runs only where it must.
    pub(super) fn short_circuit(&mut self, binary: &ExprBinary) -> Value {
        let left = self.expr(&binary.left);
        let left = self.operand(left, Origin::of(&binary.left));
        let and = matches!(binary.op, BinOp::And(_));
        let decided = Value::Operand(Operand::Const(Box::new(if and { parse_quote!(false) } else { parse_quote!(true) })));
        let cond = if and { left } else { self.negated(&left, Origin::of(&binary.left)) };
        self.choose(cond, binary, |lowering| lowering.expr(&binary.right), |_| decided)
    }

    /// `!a`.
    pub(super) fn not(&mut self, unary: &ExprUnary) -> Value {
        let value = self.expr(&unary.expr);
        let operand = self.operand(value, Origin::of(&unary.expr));
        Value::Operand(self.negated(&operand, Origin::of(unary)))
    }

    pub(super) fn negated(&mut self, operand: &Operand, origin: Origin) -> Operand {
        let ty = self.operand_type(operand);
        self.steered_operand(origin, ty, std::slice::from_ref(operand), |parts| {
            let part = &parts[0];
            parse_quote!(!#part)
        })
    }

    /// `x as usize`: what is left has no derivative.
    pub(super) fn cast_away(&mut self, cast: &ExprCast, operand: Operand, ty: Ty) -> Value {
        let to = &cast.ty;
        self.steered(Origin::of(cast), ty, &[operand], |parts| {
            let part = &parts[0];
            parse_quote!(#part as #to)
        })
    }

    /// `x.is_nan()`, `x.floor()`: methods whose result has no derivative.
    pub(super) fn steering_method(&mut self, call: &ExprMethodCall) -> Value {
        let ty = self.guess(&Expr::MethodCall(call.clone()));
        let mut operands = Vec::new();
        for part in std::iter::once(&*call.receiver).chain(&call.args) {
            let value = self.expr(part);
            operands.push((self.operand(value, Origin::of(part)), matches!(part, Expr::Reference(_))));
        }
        let references: Vec<bool> = operands.iter().map(|(_, reference)| *reference).collect();
        let operands: Vec<Operand> = operands.into_iter().map(|(operand, _)| operand).collect();
        let (library, method) = (self.library, &call.method);
        let generic = self.generic && crate::rules::is_real_method(&method.to_string(), call.args.len());
        self.steered(Origin::of(call), ty.clone(), &operands, |parts| {
            let receiver = &parts[0];
            let args = parts.iter().zip(&references).skip(1).map(|(part, &reference)| -> Expr {
                if reference { parse_quote!(&#part) } else { part.clone() }
            });
            let args: Vec<Expr> = args.collect();
            let call: Expr = if generic {
                let args: Vec<&Expr> = args.iter().collect();
                parse_quote!(#library::Real::#method(#receiver #(, #args)*))
            } else {
                parse_quote!(#receiver.#method(#(#args),*))
            };
            // The name says that this carries no derivative; rustc checks it by the type.
            if ty.is_float() { call } else { parse_quote!(#library::steering(#call)) }
        })
    }

    fn steered(&mut self, origin: Origin, ty: Ty, operands: &[Operand], build: impl FnOnce(&[Expr]) -> Expr) -> Value {
        Value::Operand(self.steered_operand(origin, ty, operands, build))
    }

    /// The inactive value of what `build` makes of `operands`.
    pub(super) fn steered_operand(&mut self, origin: Origin, ty: Ty, operands: &[Operand], build: impl FnOnce(&[Expr]) -> Expr) -> Operand {
        let mut reads: Vec<VarId> = Vec::new();
        let parts: Vec<Expr> = operands.iter().map(|operand| atom(self.spell_operand(operand, &mut reads))).collect();
        reads.sort_unstable();
        reads.dedup();
        let expr = Box::new(build(&parts));
        let operand = self.value(origin, ty, Op::Inert { expr, reads });
        if let Operand::Var(var) = operand {
            self.constants.insert(var);
        }
        operand
    }
}

/// The expression, in brackets where it has more than one token.
pub(super) fn atom(expr: Expr) -> Expr {
    match expr {
        Expr::Path(_) | Expr::Lit(_) | Expr::Paren(_) => expr,
        other => parse_quote!((#other)),
    }
}
