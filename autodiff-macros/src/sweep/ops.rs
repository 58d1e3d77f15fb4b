//! The pullback of each operation.

use quote::ToTokens;
use syn::{BinOp, Expr};

use super::taint::Taint;
use super::{Sweep, opposite};
use crate::ir::{Argument, Binary, Op, Operand, Place, Projection, Sign, Stmt, Strong, Ty, VarId};
use crate::rules::template::{Factor, Operands, Partial, multiply_choice};
use crate::rules::{self, Row};

impl Sweep<'_> {
    /// Reverses `let var = op`.
    pub(super) fn definition(&mut self, var: VarId, op: &Op) {
        if let Op::Call { callee, args, saved: Some(saved) } = op {
            return self.call(var, callee, args, *saved);
        }
        let Some(bar) = self.take(var) else { return };
        let taint = self.taint(var);
        self.defining = true;
        let g = match self.negatives.remove(&var) {
            Some(g) if self.passes_sign(var, op) => {
                self.flipped = true;
                g
            }
            _ => Operand::Var(bar),
        };
        self.pull(var, op, bar, g, taint);
        (self.flipped, self.defining) = (false, false);
    }

    /// Whether the pullback of `op` consists of contributions that can take a sign.
    fn passes_sign(&self, var: VarId, op: &Op) -> bool {
        match op {
            Op::Neg(_) => !self.overloaded(var),
            Op::Copy(_) | Op::Scalar { .. } => true,
            Op::Binary(_, a, b) => self.vars.get(var).ty.is_float() && self.is_float(a) && self.is_float(b),
            _ => false,
        }
    }

    fn pull(&mut self, var: VarId, op: &Op, bar: VarId, g: Operand, taint: Taint) {
        match op {
            Op::Copy(a) => self.contribute(a, Sign::Plus, Op::Copy(g), taint),
            Op::Neg(a) if self.overloaded(var) => self.dispatch(&rules::NEG, &[Argument::Value(a.clone())], None, g, taint.elsewhere()),
            Op::Neg(a) => self.contribute(a, Sign::Minus, Op::Copy(g), taint),
            Op::Binary(binary, a, b) => self.binary(var, *binary, a, b, g, taint),
            Op::Scalar { row, args, .. } => self.scalar(var, row, args, g, taint),
            Op::Dispatch { rule, args, .. } => self.dispatch(rule, args, Some(Operand::Var(var)), g, taint.elsewhere()),
            Op::Cast { value, .. } => {
                if let Operand::Var(of) = value {
                    let width = if let Ty::Float(width) = self.vars.get(*of).ty { width } else { None };
                    self.contribute(value, Sign::Plus, Op::CastBack { value: g, width }, taint);
                }
            }
            Op::Read(place) | Op::Snapshot(place) => {
                self.contribute_at(place, Op::Copy(g), taint);
            }
            Op::Tuple(parts) => {
                let taint = taint.elsewhere();
                for (index, part) in parts.iter().enumerate() {
                    let member = Projection::Field(syn::Member::Unnamed(index.into()));
                    self.contribute(part, Sign::Plus, Op::Read(Place::whole(bar).project(member)), taint.component());
                }
            }
            Op::Array(parts) => {
                let taint = taint.elsewhere();
                for (index, part) in parts.iter().enumerate() {
                    let index = syn::LitInt::new(&index.to_string(), proc_macro2::Span::mixed_site());
                    let at = Projection::Index(Operand::Const(Box::new(syn::parse_quote!(#index))));
                    self.contribute(part, Sign::Plus, Op::Read(Place::whole(bar).project(at)), taint.component());
                }
            }
            Op::Components { args, columns, .. } => {
                let taint = taint.elsewhere();
                for (position, arg) in args.iter().enumerate() {
                    let at = Projection::Index(Operand::Const(Box::new(component(position, *columns))));
                    self.contribute(arg, Sign::Plus, Op::Read(Place::whole(bar).project(at)), taint.component());
                }
            }
            Op::Construct(construct) => self.construct(construct, bar, taint.elsewhere()),
            Op::Payload { place, .. } => self.contribute_at(place, Op::Copy(g), taint),
            // The tangents of a `Result` are those of an `Option`.
            Op::Split { value, .. } => self.contribute(value, Sign::Plus, Op::Copy(g), taint),
            Op::Repeat { value, .. } => self.repeat(var, value, bar, taint.elsewhere()),
            Op::Map(map) => self.map(var, map, bar, taint.elsewhere()),
            Op::StrongProduct(_, a, b) => {
                let taint = Taint::of_strong();
                self.contribute(a, Sign::Plus, Op::StrongProduct(Strong::Both, g.clone(), b.clone()), taint);
                self.contribute(b, Sign::Plus, Op::StrongProduct(Strong::Both, g, a.clone()), taint);
            }
            Op::StrongQuotient(a, b) => self.strong_quotient(var, a, b, g, Taint::of_strong()),
            // Inactive operations have no cotangent, and the rest occurs in reverse programs only.
            Op::Call { .. }
            | Op::Inert { .. }
            | Op::Formula { .. }
            | Op::Zero(_)
            | Op::ZeroAt(_)
            | Op::ZeroOf(_)
            | Op::Negated(_)
            | Op::Pull { .. }
            | Op::Push { .. }
            | Op::SumOf(_)
            | Op::CastBack { .. }
            | Op::Scratch { .. } => unreachable!("an operation without a pullback has a cotangent"),
        }
    }

    fn repeat(&mut self, var: VarId, value: &Operand, bar: VarId, taint: Taint) {
        if let Operand::Var(element) = value
            && self.activity.active(*element)
        {
            if self.vars.get(*element).ty.is_float() {
                self.contribute(value, Sign::Plus, Op::SumOf(bar), taint.component());
            } else {
                self.diagnostics.refuse(self.vars.get(var).origin, crate::diag::Refusal::RepeatOfUnknown);
            }
        }
    }

    fn is_float(&self, operand: &Operand) -> bool {
        match operand {
            Operand::Var(var) => self.vars.get(*var).ty.peeled().is_float(),
            // Constants meet floats only, where the other side is one; see `scalar_constant` of the lowering.
            Operand::Const(_) => true,
        }
    }

    fn binary(&mut self, var: VarId, binary: Binary, a: &Operand, b: &Operand, g: Operand, taint: Taint) {
        let float = self.vars.get(var).ty.is_float() && self.is_float(a) && self.is_float(b);
        let taint = if self.signs.var(var).positive { taint.without_zero() } else { taint };
        match binary {
            Binary::Add if float && same(a, b) => {
                let double = self.doubled(g, a);
                self.contribute(a, Sign::Plus, Op::Copy(double), taint);
            }
            Binary::Mul if float && same(a, b) => {
                // The factor of two goes where it costs nothing: to a cotangent made of constants, or to the slope.
                let (g, slope) = if matches!(&g, Operand::Var(var) if self.uniform.contains(var)) {
                    (self.doubled(g, a), b.clone())
                } else {
                    (g, self.doubled(b.clone(), a))
                };
                // Where the square is zero, so is the root: the product with it is too.
                self.contribute(a, Sign::Plus, product(g, slope, taint.product()), taint.without_zero());
            }
            Binary::Add | Binary::Sub if self.overloaded(var) => self.operator(binary, a, b, g, taint),
            Binary::Add => {
                let nonnegative = self.signs.of(a).nonnegative && self.signs.of(b).nonnegative;
                let taint = if nonnegative { taint } else { taint.elsewhere() };
                self.contribute(a, Sign::Plus, Op::Copy(g.clone()), taint);
                self.contribute(b, Sign::Plus, Op::Copy(g), taint);
            }
            Binary::Sub => {
                let taint = taint.elsewhere();
                self.contribute(a, Sign::Plus, Op::Copy(g.clone()), taint);
                self.contribute(b, Sign::Minus, Op::Copy(g), taint);
            }
            Binary::Mul if float => {
                self.contribute(a, Sign::Plus, product(g.clone(), b.clone(), taint.product()), taint);
                self.contribute(b, Sign::Plus, product(g, a.clone(), taint.product()), taint);
            }
            Binary::Div if float => self.quotient(var, a, b, g, taint),
            Binary::Rem => self.remainder(a, b, g, taint.elsewhere()),
            Binary::Mul | Binary::Div => self.operator(binary, a, b, g, taint),
        }
    }

    /// Whether the operator that gave `var` may be the user's own.
    fn overloaded(&self, var: VarId) -> bool {
        self.overloads && self.vars.get(var).ty == Ty::Unknown
    }

    /// The operator's rule, which its types choose.
    fn operator(&mut self, binary: Binary, a: &Operand, b: &Operand, g: Operand, taint: Taint) {
        if let Some(rule) = rules::operator(binary) {
            let args = [Argument::Value(a.clone()), Argument::Value(b.clone())];
            self.dispatch(rule, &args, None, g, taint.elsewhere());
        }
    }

    /// `2 g`, or `-2 g` where the sign of the cotangent is to be changed.
    fn doubled(&mut self, g: Operand, of: &Operand) -> Operand {
        let ty = match of {
            Operand::Var(var) => self.vars.get(*var).ty.peeled().clone(),
            Operand::Const(_) => Ty::Float(None),
        };
        let two = if std::mem::take(&mut self.flipped) { syn::parse_quote!(-2.0) } else { syn::parse_quote!(2.0) };
        self.temporary(ty, Op::Binary(Binary::Mul, Operand::Const(Box::new(two)), g))
    }

    /// `y = a / b`: `a̅ += y̅ / b`, `b̅ -= (y̅ / b) y`.
    fn quotient(&mut self, var: VarId, a: &Operand, b: &Operand, g: Operand, taint: Taint) {
        let strong = taint.quotient() && matches!(b, Operand::Var(_)) && !self.signs.of(b).positive;
        let op = if strong { Op::StrongQuotient(g, b.clone()) } else { Op::Binary(Binary::Div, g, b.clone()) };
        if !self.activity.operand(b) {
            return self.contribute(a, Sign::Plus, op, taint);
        }
        let ty = self.vars.get(var).ty.clone();
        let t = self.temporary(ty, op);
        self.contribute(a, Sign::Plus, Op::Copy(t.clone()), taint);
        self.contribute(b, Sign::Minus, product(t, Operand::Var(var), taint.product()), taint.without_zero());
    }

    /// The tangent of a norm, `a̅ += y̅ / b`, `b̅ -= (y̅ / b) y`; nothing where the norm is 0, whose slope is 0 there.
    fn strong_quotient(&mut self, var: VarId, a: &Operand, b: &Operand, g: Operand, taint: Taint) {
        let (Operand::Var(cotangent), Operand::Var(norm)) = (&g, b) else { return };
        let (g, n) = (&self.vars.get(*cotangent).name, &self.vars.get(*norm).name);
        let expr = syn::parse_quote!(if #n == 0.0 { 0.0 } else { #g / #n });
        let quotient = Op::Formula { expr: Box::new(expr), reads: vec![*cotangent, *norm] };
        let ty = self.vars.get(var).ty.clone();
        let t = self.temporary(ty, quotient);
        self.contribute(a, Sign::Plus, Op::Copy(t.clone()), taint);
        self.contribute(b, Sign::Minus, Op::StrongProduct(Strong::Both, t, Operand::Var(var)), taint);
    }

    /// `y = a % b`: `a̅ += y̅`, `b̅ -= y̅ trunc(a / b)`.
    fn remainder(&mut self, a: &Operand, b: &Operand, g: Operand, taint: Taint) {
        self.contribute(a, Sign::Plus, Op::Copy(g.clone()), taint);
        if self.activity.operand(b) {
            let Operand::Var(divisor) = b else { return };
            let ty = self.vars.get(*divisor).ty.clone();
            let ratio = self.temporary(ty.clone(), Op::Binary(Binary::Div, a.clone(), b.clone()));
            let Operand::Var(ratio) = ratio else { return };
            let (name, library) = (&self.vars.get(ratio).name, self.library);
            let whole = Op::Formula { expr: syn::parse_quote!(#library::Real::trunc(#name)), reads: vec![ratio] };
            let whole = self.temporary(ty, whole);
            self.contribute(b, Sign::Minus, product(g, whole, taint.slope()), taint);
        }
    }

    fn scalar(&mut self, var: VarId, row: &'static Row, args: &[Operand], g: Operand, taint: Taint) {
        let (row, args) = rules::against_constant(row, args, |operand| self.activity.operand(operand));
        let result = Operand::Var(var);
        let finite = row.is_finite(&args, self.signs);
        let root = row.is_root();
        let strong = if (row.singular || row.unbounded) && !finite { taint.slope() } else { taint.product() };
        let passed = taint.elsewhere().and(Taint {
            conditional: row.selects,
            element: row.unbounded && !finite,
            infinite_at_zero: root && !finite,
            infinite: row.singular && !root && !finite,
        });
        for (position, arg) in args.iter().enumerate() {
            if !self.activity.operand(arg) {
                continue;
            }
            let operands = Operands { row, args: &args, result: &result, library: self.library, vars: &self.vars };
            if let Some(partial) = operands.partial(position) {
                self.chain(arg, Sign::Plus, &g, partial, strong, passed);
            }
        }
    }

    /// Contributes the cotangent times a partial derivative.
    fn chain(&mut self, arg: &Operand, sign: Sign, g: &Operand, partial: Partial, strong: Option<Strong>, taint: Taint) {
        match partial {
            Partial::Zero => {}
            Partial::One => self.contribute(arg, sign, Op::Copy(g.clone()), taint),
            Partial::Operand(operand) => self.contribute(arg, sign, product(g.clone(), operand, strong), taint),
            Partial::Negative(inner) => self.chain(arg, opposite(sign), g, *inner, strong, taint),
            Partial::Choice(expr, mut reads) => {
                let Operand::Var(factor) = g else { return };
                let name = self.vars.get(*factor).name.to_token_stream();
                reads.push(*factor);
                let expr = multiply_choice(&expr, &Factor { name, strong, library: self.library, zero: None });
                self.contribute(arg, sign, Op::Formula { expr: Box::new(expr), reads }, taint);
            }
            Partial::Formula(expr, reads) => {
                let Operand::Var(of) = arg else { return };
                let ty = self.vars.get(*of).ty.peeled().clone();
                let (divides, expr) = reciprocal(expr);
                let slope = self.temporary(ty, Op::Formula { expr: Box::new(expr), reads });
                let op = match (divides, strong) {
                    (true, Some(_)) => Op::StrongQuotient(g.clone(), slope),
                    (true, None) => Op::Binary(Binary::Div, g.clone(), slope),
                    (false, strong) => product(g.clone(), slope, strong),
                };
                self.contribute(arg, sign, op, taint);
            }
        }
    }

    /// The pullback of a primitive that operand types choose: into each operand's cotangent in place.
    fn dispatch(&mut self, rule: &'static rules::Dispatch, args: &[Argument], result: Option<Operand>, g: Operand, taint: Taint) {
        let result = result.filter(|_| rule.reads_result);
        for (index, arg) in args.iter().enumerate() {
            if !self.activity.argument(arg) {
                continue;
            }
            let Some(root) = arg.root() else { continue };
            let place = match arg {
                Argument::Ref { place, .. } => place.clone(),
                Argument::Value(_) => Place::whole(root),
            };
            let (args, result, cotangent) = (args.to_vec(), result.clone(), g.clone());
            let whole = place.projections.is_empty() && !matches!(self.vars.get(root).ty, Ty::Ref(_));
            let scalar = self.vars.get(root).ty.is_float();
            let live = matches!(self.touch_peek(root), Some(super::State::Live));
            if whole && (scalar || !live) {
                self.contribute(&Operand::Var(root), Sign::Plus, Op::Pull { rule, index, args, result, cotangent }, taint.component());
            } else {
                self.add_taint(root, taint.component());
                let bar = self.ensure(root);
                let place = if matches!(self.vars.get(root).ty, Ty::Ref(_)) && place.projections.is_empty() {
                    Place::whole(bar).project(Projection::Deref)
                } else {
                    super::in_bar(&place, bar)
                };
                self.push(Stmt::PullInto { rule, index, args, result, cotangent, place });
            }
        }
    }
}

/// The index of the component that a constructor takes at this position, row by row.
fn component(position: usize, columns: usize) -> Expr {
    let literal = |number: usize| syn::LitInt::new(&number.to_string(), proc_macro2::Span::mixed_site());
    let (row, column) = (literal(position / columns), literal(position % columns));
    syn::parse_quote!((#row, #column))
}

fn product(g: Operand, factor: Operand, strong: Option<Strong>) -> Op {
    match (strong, &factor) {
        (Some(strong), Operand::Var(_)) => Op::StrongProduct(strong, g, factor),
        // A literal factor is finite and not zero, or its product is zero anyway.
        _ => Op::Binary(Binary::Mul, g, factor),
    }
}

fn same(a: &Operand, b: &Operand) -> bool {
    matches!((a, b), (Operand::Var(a), Operand::Var(b)) if a == b)
}

/// `1.0 / e` as `(true, e)`: dividing by `e` is one operation less than multiplying by its reciprocal.
fn reciprocal(expr: Expr) -> (bool, Expr) {
    if let Expr::Binary(binary) = &expr
        && let (BinOp::Div(_), Expr::Lit(literal)) = (&binary.op, &*binary.left)
        && matches!(&literal.lit, syn::Lit::Float(one) if one.base10_parse::<f64>().is_ok_and(|value| value == 1.0))
    {
        return (true, (*binary.right).clone());
    }
    (false, expr)
}
