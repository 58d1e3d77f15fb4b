//! The tangent sweep: the primal with the derivative of every active value beside it.
//!
//! Control flow stays as it is: a tangent is computed right after its value. Zero is strong here too: a tangent of
//! exactly 0 times an infinite slope is 0, and where a tangent may be infinite (out of a singular rule), its product
//! with a factor of exactly 0 is 0.

use std::collections::{BTreeMap, BTreeSet};

use quote::ToTokens;
use syn::Path;

use super::forward::{active_call, literal_zero};
use super::levels::zero_literal;
use super::{opposite, shapes};
use crate::analyze::{Activity, Signs};
use crate::ir::build::Vars;
use crate::ir::{
    Argument, Binary, Block, Body, Callee, Construct, LoopKind, Map, Op, Operand, Place, Role, Sign, Stmt, Strong, TangentMap, Ty, VarId,
    walk,
};
use crate::parse::Primal;
use crate::rules::template::{Factor, Operands, Partial, multiply_choice};
use crate::rules::{Row, against_constant};

/// The tangent program.
#[derive(Clone)]
pub struct Pushed {
    pub body: Body,
    /// The tangent of the result; `None` where it is zero.
    pub result: Option<Operand>,
    /// The tangent of each parameter that has one.
    pub params: Vec<Option<VarId>>,
}

/// What floats of tangents are.
#[derive(Clone)]
pub struct Space {
    /// How zero is spelled where it is not `0.0`.
    zero: Option<syn::Expr>,
    /// Where the strong products are, in a module `rules`.
    rules: Path,
}

impl Space {
    /// Floats.
    pub fn single(library: &Path) -> Space {
        Space { zero: None, rules: library.clone() }
    }

    /// Several floats at once.
    pub fn lanes(library: &Path) -> Space {
        Space { zero: Some(syn::parse_quote!(#library::Lanes::ZERO)), rules: syn::parse_quote!(#library::lanes) }
    }

    fn zero(&self) -> Operand {
        self.zero.as_ref().map_or_else(zero_literal, |zero| Operand::Const(Box::new(zero.clone())))
    }
}

struct Sweep<'a> {
    primal: &'a Primal,
    activity: &'a Activity,
    signs: &'a Signs,
    library: &'a Path,
    space: Space,
    vars: Vars,
    dots: BTreeMap<VarId, VarId>,
    /// Variables whose tangent may be infinite: what comes of it can have a finite value all the same.
    infinite: BTreeSet<VarId>,
    out: Vec<Stmt>,
}

/// Runs the tangent sweep over the primal.
pub fn tangent(primal: &Primal, mut body: Body, activity: &Activity, space: Space) -> Pushed {
    let signs = crate::analyze::signs(&body);
    let infinite = infinite(&body, activity, &signs);
    let vars = std::mem::take(&mut body.vars);
    let library = &primal.options.library;
    let mut sweep = Sweep { primal, activity, signs: &signs, library, space, vars, dots: BTreeMap::new(), infinite, out: Vec::new() };
    let params = primal.params.iter().zip(&body.params).map(|(param, &var)| param.active.then(|| sweep.dot(var))).collect();
    let root = sweep.block(&body.root);
    let result = sweep.tangent_of(&body.result);
    body.root = root;
    body.vars = sweep.vars;
    Pushed { body, result, params }
}

/// A fixpoint, as variables may be assigned in loops.
fn infinite(body: &Body, activity: &Activity, signs: &Signs) -> BTreeSet<VarId> {
    let mut infinite = BTreeSet::new();
    loop {
        let before = infinite.len();
        walk::statements(&body.root, &mut |stmt| {
            let (root, tainted) = match stmt {
                Stmt::Let { var, op } => {
                    let mut tainted =
                        matches!(op, Op::Scalar { row, args, .. } if (row.singular || row.unbounded) && !row.is_finite(args, signs));
                    walk::op_reads(op, &mut |read| tainted |= infinite.contains(&read));
                    (*var, tainted)
                }
                Stmt::Declare { var, init: Some(Operand::Var(value)) } => (*var, infinite.contains(value)),
                Stmt::Store { place, value: Operand::Var(value) } | Stmt::Update { place, value: Operand::Var(value), .. } => {
                    (place.root, infinite.contains(value))
                }
                _ => return,
            };
            if tainted && activity.active(root) {
                infinite.insert(root);
            }
        });
        if infinite.len() == before {
            return infinite;
        }
    }
}

impl Sweep<'_> {
    /// The variable that holds the tangent of `var`.
    fn dot(&mut self, var: VarId) -> VarId {
        if let Some(&dot) = self.dots.get(&var) {
            return dot;
        }
        let facts = self.vars.get(var).clone();
        let hint = format!("{}_dot", facts.name.to_string().trim_start_matches("r#"));
        let dot = self.vars.named(&hint, facts.origin, facts.ty, Role::Cotangent(var), facts.cell);
        let new = self.vars.get_mut(dot);
        (new.late, new.mutable_reference) = (facts.late, facts.mutable_reference);
        self.dots.insert(var, dot);
        dot
    }

    fn tangent_of(&mut self, operand: &Operand) -> Option<Operand> {
        match operand {
            Operand::Var(var) if self.activity.active(*var) => Some(Operand::Var(self.dot(*var))),
            _ => None,
        }
    }

    fn block(&mut self, block: &Block) -> Block {
        let before = std::mem::take(&mut self.out);
        for stmt in &block.0 {
            self.stmt(stmt);
        }
        Block(std::mem::replace(&mut self.out, before))
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { var, op: Op::Call { callee, args, .. } } if active_call(*var, args, self.activity) => self.call(*var, callee, args),
            Stmt::Let { var, op } => {
                self.out.push(stmt.clone());
                if self.activity.active(*var) {
                    self.definition(*var, op);
                }
            }
            Stmt::Declare { var, init } => {
                self.out.push(stmt.clone());
                if self.activity.active(*var) {
                    let init = init.as_ref().map(|init| match self.tangent_of(init) {
                        // A zero of the variable's own shape: of `Vec::new()` alone the type is not known.
                        None if shapes::is_open(&self.vars.get(*var).ty) => self.value(Ty::Unknown, Op::Zero(*var)),
                        _ => self.tangent_or_zero(init),
                    });
                    let var = self.dot(*var);
                    self.out.push(Stmt::Declare { var, init });
                }
            }
            Stmt::Store { place, value } => {
                let active = self.activity.active(place.root);
                // A zero of the place's content, whose type is known where that of `None` or `Err(..)` is not.
                let after = active && self.tangent_of(value).is_none() && shapes::is_open(&self.vars.place_type(place));
                let tangent = (active && !after).then(|| self.tangent_or_zero(value));
                self.out.push(stmt.clone());
                let tangent = if after { Some(self.value(Ty::Unknown, Op::ZeroAt(place.clone()))) } else { tangent };
                if let Some(value) = tangent {
                    let place = self.in_dot(place);
                    self.out.push(Stmt::Store { place, value });
                }
            }
            Stmt::Update { place, sign, value } => {
                self.out.push(stmt.clone());
                if let (true, Some(value)) = (self.activity.active(place.root), self.tangent_of(value)) {
                    let place = self.in_dot(place);
                    self.out.push(Stmt::Update { place, sign: *sign, value });
                }
            }
            Stmt::If { cond, then, els } => {
                let (then, els) = (self.block(then), self.block(els));
                self.out.push(Stmt::If { cond: cond.clone(), then, els });
            }
            Stmt::Match(matching) => {
                let mut matching = matching.clone();
                for arm in &mut matching.arms {
                    arm.body = self.block(&arm.body);
                }
                self.out.push(Stmt::Match(matching));
            }
            Stmt::Loop(looping) => {
                let mut looping = looping.clone();
                if let LoopKind::While { header, .. } = &mut looping.kind {
                    *header = self.block(header);
                }
                looping.body = self.block(&looping.body);
                self.out.push(Stmt::Loop(looping));
            }
            other => self.out.push(other.clone()),
        }
    }

    fn in_dot(&mut self, place: &Place) -> Place {
        Place { root: self.dot(place.root), projections: place.projections.clone() }
    }

    fn tangent_or_zero(&mut self, operand: &Operand) -> Operand {
        match self.tangent_of(operand) {
            Some(tangent) => tangent,
            None => self.zero_like(operand),
        }
    }

    fn zero_like(&mut self, operand: &Operand) -> Operand {
        let ty = match operand {
            Operand::Var(var) => self.vars.get(*var).ty.peeled().clone(),
            Operand::Const(expr) if is_number(expr) => Ty::Float(None),
            Operand::Const(_) => Ty::Unknown,
        };
        if ty.is_float() {
            return self.space.zero();
        }
        if literal_zero(&ty) {
            return self.value(ty.clone(), Op::ZeroOf(ty));
        }
        let of = match operand {
            Operand::Var(var) => *var,
            constant @ Operand::Const(_) => match self.value(Ty::Unknown, Op::Copy(constant.clone())) {
                Operand::Var(var) => var,
                other @ Operand::Const(_) => return other,
            },
        };
        self.value(Ty::Unknown, Op::Zero(of))
    }

    fn value(&mut self, ty: Ty, op: Op) -> Operand {
        let var = self.vars.temporary(crate::diag::Origin::none(), ty);
        self.out.push(Stmt::Let { var, op });
        Operand::Var(var)
    }

    /// `let dot = op;`
    fn define(&mut self, var: VarId, op: Op) {
        let var = self.dot(var);
        self.out.push(Stmt::Let { var, op });
    }

    fn definition(&mut self, var: VarId, op: &Op) {
        match op {
            Op::Copy(a) => {
                let tangent = self.tangent_or_zero(a);
                self.define(var, Op::Copy(tangent));
            }
            Op::Neg(a) if self.overloaded(var) => self.operator(var, &crate::rules::NEG, &[a]),
            Op::Neg(a) => {
                let tangent = self.tangent_or_zero(a);
                self.define(var, Op::Neg(tangent));
            }
            Op::Binary(binary, a, b) => self.binary(var, *binary, a, b),
            Op::Scalar { row, args, .. } => self.scalar(var, row, args),
            Op::Dispatch { rule, method, args } => self.dispatch(var, rule, method, args),
            Op::Cast { value, ty } => {
                let value = self.tangent_or_zero(value);
                self.define(var, Op::Cast { value, ty: ty.clone() });
            }
            Op::Read(place) => {
                let place = self.in_dot(place);
                self.define(var, Op::Read(place));
            }
            Op::Snapshot(place) => {
                let place = self.in_dot(place);
                self.define(var, Op::Snapshot(place));
            }
            Op::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.part(part)).collect();
                self.define(var, Op::Tuple(parts));
            }
            Op::Array(parts) => {
                let parts = parts.iter().map(|part| self.tangent_or_zero(part)).collect();
                self.define(var, Op::Array(parts));
            }
            Op::Components { constructor, args, columns } => {
                let args = args.iter().map(|arg| self.tangent_or_zero(arg)).collect();
                self.define(var, Op::Components { constructor: constructor.clone(), args, columns: *columns });
            }
            Op::Construct(construct) => self.construct(var, construct),
            Op::Payload { place, .. } => {
                let place = self.in_dot(place);
                self.define(var, Op::Read(place));
            }
            Op::Repeat { value, length } => {
                let value = self.tangent_or_zero(value);
                self.define(var, Op::Repeat { value, length: length.clone() });
            }
            Op::Split { value, .. } => {
                let tangent = self.tangent_or_zero(value);
                self.define(var, Op::Copy(tangent));
            }
            Op::Map(map) => self.map(var, map),
            Op::Call { .. }
            | Op::Inert { .. }
            | Op::Formula { .. }
            | Op::StrongProduct(..)
            | Op::StrongQuotient(..)
            | Op::Zero(_)
            | Op::ZeroAt(_)
            | Op::ZeroOf(_)
            | Op::Negated(_)
            | Op::Pull { .. }
            | Op::Push { .. }
            | Op::SumOf(_)
            | Op::CastBack { .. }
            | Op::Scratch { .. } => unreachable!("an operation without a tangent is active"),
        }
    }

    /// A component of a tuple: integers and the like have the tangent `()`.
    fn part(&mut self, part: &Operand) -> Operand {
        let ty = match part {
            Operand::Var(var) => self.vars.get(*var).ty.clone(),
            Operand::Const(expr) => match &**expr {
                syn::Expr::Lit(literal) if matches!(literal.lit, syn::Lit::Float(_)) => Ty::Float(None),
                _ => Ty::Unknown,
            },
        };
        match self.tangent_of(part) {
            Some(tangent) => tangent,
            None if ty.is_float() => self.space.zero(),
            None => {
                let of = match part {
                    Operand::Var(var) => *var,
                    constant @ Operand::Const(_) => match self.value(Ty::Unknown, Op::Copy(constant.clone())) {
                        Operand::Var(var) => var,
                        other @ Operand::Const(_) => return other,
                    },
                };
                self.value(Ty::Unknown, Op::Zero(of))
            }
        }
    }

    /// A zero of the value's shape, with the tangents of the fields put in: the type of the tangent has a name that only
    /// its derive knows.
    fn construct(&mut self, var: VarId, construct: &Construct) {
        let dot = self.dot(var);
        let base = construct.base.as_ref().and_then(|base| self.tangent_of(base));
        self.define(var, base.map_or(Op::Zero(var), Op::Copy));
        for (member, field) in &construct.fields {
            let place = Place::whole(dot).project(construct.projection(member));
            let value = match self.argument_dot(field) {
                Some(Argument::Value(value)) => value,
                Some(Argument::Ref { place, .. }) => {
                    let ty = self.vars.place_type(&place);
                    match ty.peeled() {
                        // The tangent of a slice owns its elements.
                        Ty::Slice(_) => {
                            let callee = Callee::of_vectors(self.library, "to_vec");
                            let args = vec![Argument::Ref { place, mutable: false }];
                            self.value(ty.peeled().clone(), Op::Call { callee, args, saved: None })
                        }
                        _ => self.value(ty, Op::Snapshot(place)),
                    }
                }
                None if construct.base.is_some() => {
                    self.out.push(Stmt::Clear(place));
                    continue;
                }
                None => continue,
            };
            self.out.push(Stmt::Store { place, value });
        }
    }

    /// `tangent * factor`, strong where the tangent may be infinite.
    fn product(&mut self, of: &Operand, tangent: Operand, factor: &Operand) -> Op {
        let infinite = matches!(of, Operand::Var(var) if self.infinite.contains(var));
        match factor {
            Operand::Var(_) if infinite && self.is_float(of) && self.is_float(factor) => {
                Op::StrongProduct(Strong::Slope, tangent, factor.clone())
            }
            _ => Op::Binary(Binary::Mul, tangent, factor.clone()),
        }
    }

    fn is_float(&self, operand: &Operand) -> bool {
        match operand {
            Operand::Var(var) => self.vars.get(*var).ty.peeled().is_float(),
            Operand::Const(_) => true,
        }
    }

    fn type_of(&self, var: VarId) -> Ty {
        self.vars.get(var).ty.clone()
    }

    /// The tangent of `var` is the sum of `terms`.
    fn sum(&mut self, var: VarId, terms: Vec<(Sign, Op)>) {
        let ty = self.type_of(var);
        let mut total: Option<Operand> = None;
        let count = terms.len();
        for (position, (sign, op)) in terms.into_iter().enumerate() {
            let last = position + 1 == count;
            let op = match (total.take(), sign) {
                (None, Sign::Plus) => op,
                (None, Sign::Minus) => Op::Neg(self.value(ty.clone(), op)),
                (Some(sum), sign) => {
                    let term = match op {
                        Op::Copy(operand) => operand,
                        op => self.value(ty.clone(), op),
                    };
                    Op::Binary(if sign == Sign::Plus { Binary::Add } else { Binary::Sub }, sum, term)
                }
            };
            if last {
                return self.define(var, op);
            }
            total = Some(match op {
                Op::Copy(operand) => operand,
                op => self.value(ty.clone(), op),
            });
        }
        let zero = self.zero_like(&Operand::Var(var));
        self.define(var, Op::Copy(zero));
    }

    /// Whether the operator that gives `var` may be the user's own.
    fn overloaded(&self, var: VarId) -> bool {
        self.primal.options.overloads() && self.vars.get(var).ty == Ty::Unknown
    }

    /// The operator's rule, which its types choose.
    fn operator(&mut self, var: VarId, rule: &'static crate::rules::Dispatch, operands: &[&Operand]) {
        let dots = operands.iter().map(|operand| self.tangent_of(operand)).collect();
        let args = operands.iter().map(|&operand| Argument::Value(operand.clone())).collect();
        self.define(var, Op::Push { rule, args, dots });
    }

    fn binary(&mut self, var: VarId, binary: Binary, a: &Operand, b: &Operand) {
        if self.overloaded(var)
            && let Some(rule) = crate::rules::operator(binary)
        {
            return self.operator(var, rule, &[a, b]);
        }
        let (da, db) = (self.tangent_of(a), self.tangent_of(b));
        let mut terms = Vec::new();
        match binary {
            Binary::Add | Binary::Sub => {
                let sign = if binary == Binary::Add { Sign::Plus } else { Sign::Minus };
                terms.extend(da.map(|da| (Sign::Plus, Op::Copy(da))));
                terms.extend(db.map(|db| (sign, Op::Copy(db))));
            }
            Binary::Mul => {
                if let Some(da) = da {
                    let term = self.product(a, da, b);
                    terms.push((Sign::Plus, term));
                }
                if let Some(db) = db {
                    // The order of the factors matters to matrices.
                    let floats = self.is_float(a) && self.is_float(b);
                    let term = if floats { self.product(b, db, a) } else { Op::Binary(Binary::Mul, a.clone(), db) };
                    terms.push((Sign::Plus, term));
                }
            }
            Binary::Div => {
                // (a / b)' = (a' - (a / b) b') / b
                let ty = self.type_of(var);
                let mut numerator = da;
                if let Some(db) = db {
                    let product = self.product(b, db, &Operand::Var(var));
                    let product = self.value(ty.clone(), product);
                    let op = match numerator {
                        Some(da) => Op::Binary(Binary::Sub, da, product),
                        None => Op::Neg(product),
                    };
                    numerator = Some(self.value(ty, op));
                }
                terms.extend(numerator.map(|numerator| (Sign::Plus, Op::Binary(Binary::Div, numerator, b.clone()))));
            }
            Binary::Rem => {
                terms.extend(da.map(|da| (Sign::Plus, Op::Copy(da))));
                if let Some(db) = db {
                    let ty = self.type_of(var);
                    let ratio = self.value(ty.clone(), Op::Binary(Binary::Div, a.clone(), b.clone()));
                    if let Operand::Var(ratio) = ratio {
                        let (name, library) = (&self.vars.get(ratio).name, self.library);
                        let expr = syn::parse_quote!(#library::Real::trunc(#name));
                        let whole = self.value(ty, Op::Formula { expr: Box::new(expr), reads: vec![ratio] });
                        terms.push((Sign::Minus, Op::StrongProduct(Strong::Cotangent, db, whole)));
                    }
                }
            }
        }
        self.sum(var, terms);
    }

    fn scalar(&mut self, var: VarId, row: &'static Row, args: &[Operand]) {
        let (row, args) = against_constant(row, args, |operand| self.activity.operand(operand));
        let result = Operand::Var(var);
        let strong = (row.singular || row.unbounded) && !row.is_finite(&args, self.signs);
        let mut terms = Vec::new();
        for (position, arg) in args.iter().enumerate() {
            let Some(tangent) = self.tangent_of(arg) else { continue };
            let operands = Operands { row, args: &args, result: &result, library: self.library, vars: &self.vars };
            if let Some(partial) = operands.partial(position) {
                let infinite = matches!(arg, Operand::Var(var) if self.infinite.contains(var));
                let strong = Strong::of(strong, infinite);
                terms.extend(self.chain(arg, Sign::Plus, tangent, partial, strong));
            }
        }
        self.sum(var, terms);
    }

    /// The tangent times a partial derivative.
    fn chain(&mut self, arg: &Operand, sign: Sign, tangent: Operand, partial: Partial, strong: Option<Strong>) -> Option<(Sign, Op)> {
        let product = |tangent: Operand, factor: Operand| match (strong, &factor) {
            (Some(strong), Operand::Var(_)) => Op::StrongProduct(strong, tangent, factor),
            _ => Op::Binary(Binary::Mul, tangent, factor),
        };
        Some(match partial {
            Partial::Zero => return None,
            Partial::One => (sign, Op::Copy(tangent)),
            Partial::Operand(operand) => (sign, product(tangent, operand)),
            Partial::Negative(inner) => return self.chain(arg, opposite(sign), tangent, *inner, strong),
            Partial::Choice(expr, mut reads) => {
                let Operand::Var(factor) = tangent else { return None };
                let name = self.vars.get(factor).name.to_token_stream();
                reads.push(factor);
                let (library, zero) = (&self.space.rules, self.space.zero.as_ref());
                let factor = Factor { name, strong, library, zero };
                (sign, Op::Formula { expr: Box::new(multiply_choice(&expr, &factor)), reads })
            }
            Partial::Formula(expr, reads) => {
                let Operand::Var(of) = arg else { return None };
                let ty = self.type_of(*of).peeled().clone();
                let slope = self.value(ty, Op::Formula { expr: Box::new(expr), reads });
                (sign, product(tangent, slope))
            }
        })
    }

    /// Primitives of matrices: the product rule with the primitive itself.
    fn dispatch(&mut self, var: VarId, rule: &'static crate::rules::Dispatch, method: &syn::Ident, args: &[Argument]) {
        let ty = self.type_of(var);
        let dots: Vec<Option<Argument>> = args.iter().map(|arg| self.argument_dot(arg)).collect();
        let again = |args: Vec<Argument>| Op::Dispatch { rule, method: method.clone(), args };
        match (rule.name, args, dots.as_slice()) {
            ("norm" | "norm_squared", [a], [Some(da)]) => {
                let dot = crate::rules::dispatch("dot", 1).expect("the table has the inner product");
                let method = syn::Ident::new("dot", method.span());
                let inner = self.value(ty, Op::Dispatch { rule: dot, method, args: vec![a.clone(), lent(da)] });
                let op = if rule.name == "norm" {
                    Op::StrongQuotient(inner, Operand::Var(var))
                } else {
                    Op::Binary(Binary::Mul, Operand::Const(Box::new(syn::parse_quote!(2.0))), inner)
                };
                self.define(var, op);
            }
            ("component_div", [_, b], [da, db]) => {
                // (a / b)' = (a' - (a / b) b') / b, component by component.
                let mut numerator = da.clone();
                if let Some(db) = db {
                    let times = crate::rules::dispatch("component_mul", 1).expect("the table has the componentwise product");
                    let quotient = Argument::Ref { place: Place::whole(var), mutable: false };
                    let method = syn::Ident::new("component_mul", method.span());
                    let product = self.value(ty.clone(), Op::Dispatch { rule: times, method, args: vec![quotient, lent(db)] });
                    let op = match numerator {
                        Some(da) => {
                            let da = self.owned(&da, &ty);
                            Op::Binary(Binary::Sub, da, product)
                        }
                        None => Op::Neg(product),
                    };
                    let difference = self.value(ty, op);
                    numerator = difference_place(&difference);
                }
                if let Some(numerator) = numerator {
                    self.define(var, again(vec![numerator, b.clone()]));
                }
            }
            _ => {
                let mut terms = Vec::new();
                for (position, dot) in dots.iter().enumerate() {
                    if let Some(dot) = dot {
                        let mut args = args.to_vec();
                        args[position] = dot.clone();
                        terms.push((Sign::Plus, again(args)));
                    }
                }
                self.sum(var, terms);
            }
        }
    }

    /// A tangent that is an argument by reference, as an operand.
    fn owned(&mut self, argument: &Argument, ty: &Ty) -> Operand {
        match argument {
            Argument::Value(operand) => operand.clone(),
            Argument::Ref { place, .. } if place.projections.is_empty() => Operand::Var(place.root),
            Argument::Ref { place, .. } => self.value(ty.clone(), Op::Read(place.clone())),
        }
    }

    fn argument_dot(&mut self, argument: &Argument) -> Option<Argument> {
        if !self.activity.argument(argument) {
            return None;
        }
        Some(match argument {
            Argument::Value(operand) => Argument::Value(self.tangent_of(operand)?),
            Argument::Ref { place, mutable } => Argument::Ref { place: self.in_dot(place), mutable: *mutable },
        })
    }

    /// The callee's tangent sweep: its arguments, then the tangent of each of them.
    fn call(&mut self, var: VarId, callee: &Callee, args: &[Argument]) {
        let callee = self.primal.derivatives_of(callee);
        let receiver = callee.is_method().then(|| args[0].clone());
        let mut all = args.to_vec();
        for (position, arg) in args.iter().enumerate() {
            let dot = match self.argument_dot(arg) {
                Some(dot) => dot,
                None => {
                    let of = match arg {
                        Argument::Value(operand) => operand.clone(),
                        Argument::Ref { place, .. } => Operand::Var(place.root),
                    };
                    let place = match arg {
                        Argument::Ref { place, .. } => Some(place.clone()),
                        Argument::Value(_) => None,
                    };
                    let zero =
                        self.value(Ty::Unknown, Op::Scratch { callee: callee.clone(), receiver: receiver.clone(), position, of, place });
                    match arg {
                        Argument::Ref { mutable, .. } => {
                            let Operand::Var(root) = zero else { continue };
                            Argument::Ref { place: Place::whole(root), mutable: *mutable }
                        }
                        Argument::Value(_) => Argument::Value(zero),
                    }
                }
            };
            all.push(dot);
        }
        let dot = self.dot(var);
        self.out.push(Stmt::Let { var, op: Op::Call { callee, args: all, saved: Some(dot) } });
    }

    /// The tangent of `map`: one pass over the components, with the closure's body and its tangent in it.
    fn map(&mut self, var: VarId, map: &Map) {
        let inputs: Vec<Option<(Argument, VarId)>> = map
            .inputs
            .iter()
            .map(|(input, element)| {
                let dot = self.argument_dot(input).filter(|_| self.activity.active(*element))?;
                Some((dot, self.dot(*element)))
            })
            .collect();
        let body = self.block(&map.body);
        let before = std::mem::replace(&mut self.out, body.0);
        let result = self.tangent_or_zero(&map.result);
        let body = Block(std::mem::replace(&mut self.out, before));
        let dot = self.dot(var);
        self.out.push(Stmt::TangentMap(Box::new(TangentMap { map: map.clone(), value: var, dot, inputs, body, result })));
    }
}

/// The argument by reference.
fn lent(argument: &Argument) -> Argument {
    match argument {
        Argument::Value(Operand::Var(root)) => Argument::Ref { place: Place::whole(*root), mutable: false },
        other => other.clone(),
    }
}

fn difference_place(operand: &Operand) -> Option<Argument> {
    match operand {
        Operand::Var(root) => Some(Argument::Ref { place: Place::whole(*root), mutable: false }),
        Operand::Const(_) => None,
    }
}

/// A literal, or the negative of one.
fn is_number(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Lit(_) => true,
        syn::Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Neg(_)) && is_number(&unary.expr),
        _ => false,
    }
}
