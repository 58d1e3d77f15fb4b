//! `for`: over ranges, over slices, arrays and their simple adaptors, and over anything inactive.
//!
//! A loop over elements becomes a loop over their indices: the element is another name for a place, so that
//! reads, writes and their cotangents need nothing that indexing does not have.

use quote::ToTokens;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprForLoop, ExprMethodCall, Pat, parse_quote};

use super::{Binding, Lowering, Value, inert};
use crate::diag::{Origin, Refusal};
use crate::ir::{LoopKind, Op, Operand, Place, Projection, Role, Ty, VarId};

/// What a `for` runs over, seen as a function of an index.
enum Source {
    /// `low..high`; the item is the index itself.
    Range {
        low: Operand,
        high: Operand,
        inclusive: bool,
    },
    /// The elements of a place: references to them, or the elements themselves.
    Elements {
        place: Place,
        by_reference: bool,
        mutable: bool,
    },
    Enumerated(Box<Source>),
    Zipped(Box<Source>, Box<Source>),
}

impl Lowering<'_> {
    pub(super) fn iteration(&mut self, iteration: &ExprForLoop) -> Value {
        let (base, reversed) = strip_rev(&iteration.expr);
        if let Some(source) = self.source(base) {
            let label = iteration.label.as_ref();
            self.looping(label, Origin::of(&iteration.for_token), |lowering| lowering.indexed(source, reversed, iteration));
        } else if self.is_inert_shape(&iteration.expr) {
            let label = iteration.label.as_ref();
            self.looping(label, Origin::of(&iteration.for_token), |lowering| lowering.inactive_iterator(iteration));
        } else {
            self.refuse(&iteration.expr, Refusal::UnknownIterator);
        }
        Value::Tuple(Vec::new())
    }

    /// What `expr` iterates over, where it is understood; bounds are evaluated here.
    fn source(&mut self, expr: &Expr) -> Option<Source> {
        match expr {
            Expr::Paren(inner) => self.source(&inner.expr),
            Expr::Group(inner) => self.source(&inner.expr),
            Expr::Range(range) => {
                let (low, high) = (range.start.as_ref()?, range.end.as_ref()?);
                if !self.is_inert_shape(low) || !self.is_inert_shape(high) {
                    return None;
                }
                let low = self.steering(low);
                let high = self.steering(high);
                Some(Source::Range { low, high, inclusive: matches!(range.limits, syn::RangeLimits::Closed(_)) })
            }
            Expr::Reference(reference) => self.elements(&reference.expr, true, reference.mutability.is_some()),
            Expr::MethodCall(call) => self.adaptor(call),
            Expr::Path(path) => {
                let by_reference = matches!(self.lookup(path.path.get_ident()?)?, Binding::Value(Value::Ref { .. }));
                let mutable = matches!(self.lookup(path.path.get_ident()?)?, Binding::Value(Value::Ref { mutable: true, .. }));
                self.elements(expr, by_reference, mutable)
            }
            Expr::Array(_) | Expr::Repeat(_) if !self.is_inert_shape(expr) => {
                let value = self.expr(expr);
                match self.operand(value, Origin::of(expr)) {
                    Operand::Var(root) => Some(Source::Elements { place: Place::whole(root), by_reference: false, mutable: false }),
                    Operand::Const(_) => None,
                }
            }
            Expr::Field(_) | Expr::Index(_) => self.elements(expr, false, false),
            _ => None,
        }
    }

    fn elements(&mut self, expr: &Expr, by_reference: bool, mutable: bool) -> Option<Source> {
        // Only places that hold something differentiable: the others iterate as the user wrote it.
        if !matches!(self.guess(expr), Ty::Array(element, _) | Ty::Slice(element) if element.differentiable()) {
            return None;
        }
        let place = self.place(expr)?;
        Some(Source::Elements { place, by_reference, mutable })
    }

    fn adaptor(&mut self, call: &ExprMethodCall) -> Option<Source> {
        let name = call.method.to_string();
        match (name.as_str(), call.args.len()) {
            ("iter", 0) => self.elements(&call.receiver, true, false),
            ("iter_mut", 0) => self.elements(&call.receiver, true, true),
            ("into_iter", 0) => self.source(&call.receiver),
            ("copied" | "cloned", 0) => match self.source(&call.receiver)? {
                Source::Elements { place, by_reference: true, mutable: false } => {
                    Some(Source::Elements { place, by_reference: false, mutable: false })
                }
                _ => None,
            },
            ("enumerate", 0) => Some(Source::Enumerated(Box::new(self.source(&call.receiver)?))),
            ("zip", 1) => {
                let left = self.source(&call.receiver)?;
                let right = self.source(&call.args[0])?;
                let indexed = |source: &Source| !matches!(source, Source::Range { .. });
                (indexed(&left) && indexed(&right)).then(|| Source::Zipped(Box::new(left), Box::new(right)))
            }
            _ => None,
        }
    }

    fn indexed(&mut self, source: Source, reversed: bool, iteration: &ExprForLoop) -> (LoopKind, crate::ir::Block) {
        let origin = Origin::of(&iteration.pat);
        let (low, high, inclusive) = match &source {
            Source::Range { low, high, inclusive } => (low.clone(), high.clone(), *inclusive),
            other => (Operand::Const(Box::new(parse_quote!(0))), self.length(other, origin), false),
        };
        let var = match (&source, &*iteration.pat) {
            (Source::Range { .. }, Pat::Ident(ident)) if ident.mutability.is_none() => {
                self.vars.user(&ident.ident, Ty::Int, Role::User, false)
            }
            _ => self.vars.named("k", origin, Ty::Int, Role::Temporary, false),
        };
        self.constants.insert(var);
        let (body, ()) = self.nested(|lowering| {
            let item = lowering.item_at(&source, var);
            match (&source, &*iteration.pat) {
                (Source::Range { .. }, Pat::Ident(ident)) if ident.mutability.is_none() => {
                    lowering.define(&ident.ident, Binding::Value(item));
                }
                (_, pattern) => lowering.bind(pattern, item),
            }
            lowering.scopes.push(std::collections::BTreeMap::new());
            lowering.block_statements(&iteration.body);
            lowering.scopes.pop();
        });
        (LoopKind::Range { var, low, high, inclusive, reversed }, body)
    }

    /// The item of `source` at index `var`.
    fn item_at(&mut self, source: &Source, var: VarId) -> Value {
        match source {
            Source::Range { .. } => Value::Operand(Operand::Var(var)),
            Source::Elements { place, by_reference, mutable } => {
                let place = place.clone().project(Projection::Index(Operand::Var(var)));
                if *by_reference { Value::Ref { place, mutable: *mutable } } else { Value::Place(place) }
            }
            Source::Enumerated(inner) => Value::Tuple(vec![Value::Operand(Operand::Var(var)), self.item_at(inner, var)]),
            Source::Zipped(left, right) => Value::Tuple(vec![self.item_at(left, var), self.item_at(right, var)]),
        }
    }

    /// How many items there are.
    fn length(&mut self, source: &Source, origin: Origin) -> Operand {
        let expr = self.length_expr(source);
        let Some((expr, reads)) = expr else { return super::placeholder() };
        if let Expr::Lit(_) | Expr::Path(_) = expr
            && reads.is_empty()
        {
            return Operand::Const(Box::new(expr));
        }
        let operand = self.value(origin, Ty::Int, Op::Inert { expr: Box::new(expr), reads });
        if let Operand::Var(var) = operand {
            self.constants.insert(var);
        }
        operand
    }

    fn length_expr(&mut self, source: &Source) -> Option<(Expr, Vec<VarId>)> {
        match source {
            Source::Range { .. } => None,
            Source::Enumerated(inner) => self.length_expr(inner),
            Source::Elements { place, .. } => {
                if let Ty::Array(_, Some(length)) = self.place_type(place)
                    && let Ok(length) = syn::parse2::<Expr>(length.tokens)
                {
                    return Some((length, Vec::new()));
                }
                let mut reads = Vec::new();
                let mut place = place.clone();
                if place.projections.last().is_some_and(|last| matches!(last, Projection::Deref)) {
                    place.projections.pop();
                }
                let spelled = self.spell(&Value::Place(place), &mut reads);
                Some((parse_quote!(#spelled.len()), reads))
            }
            Source::Zipped(left, right) => {
                let (left, mut reads) = self.length_expr(left)?;
                let (right, more) = self.length_expr(right)?;
                reads.extend(more);
                if left.to_token_stream().to_string() == right.to_token_stream().to_string() {
                    return Some((left, reads));
                }
                Some((parse_quote!(::core::cmp::Ord::min(#left, #right)), reads))
            }
        }
    }

    /// Any other iterator runs as the user wrote it; what its pattern binds is inactive.
    fn inactive_iterator(&mut self, iteration: &ExprForLoop) -> (LoopKind, crate::ir::Block) {
        let ty = if yields_integers(&iteration.expr) { Ty::Int } else { Ty::Inactive };
        let (iterator, reads) = self.substitute(&iteration.expr);
        let mut names = Vec::new();
        inert::names_in(&iteration.pat, &mut names);
        self.scopes.push(std::collections::BTreeMap::new());
        let mut pattern = (*iteration.pat).clone();
        let mut renaming = Renaming { lowering: self, ty, bindings: Vec::new() };
        renaming.visit_pat_mut(&mut pattern);
        let bindings = renaming.bindings;
        let body = self.loop_body(&iteration.body);
        self.scopes.pop();
        (LoopKind::Iterator { pattern, bindings, iterator: Box::new(iterator), reads }, body)
    }
}

/// Gives the names in a pattern IR variables.
struct Renaming<'a, 'b> {
    lowering: &'a mut Lowering<'b>,
    ty: Ty,
    bindings: Vec<VarId>,
}

impl VisitMut for Renaming<'_, '_> {
    fn visit_pat_ident_mut(&mut self, ident: &mut syn::PatIdent) {
        let name = ident.ident.clone();
        let cell = ident.mutability.is_some();
        let var = self.lowering.vars.user(&name, self.ty.clone(), Role::User, cell);
        self.lowering.constants.insert(var);
        ident.ident = self.lowering.vars.get(var).name.clone();
        self.bindings.push(var);
        let binding = if cell { Binding::Cell(var) } else { Binding::Value(Value::Operand(Operand::Var(var))) };
        self.lowering.define(&name, binding);
    }
}

/// `source.rev()` as `(source, true)`, where the source does not count.
fn strip_rev(expr: &Expr) -> (&Expr, bool) {
    match expr {
        Expr::Paren(inner) => strip_rev(&inner.expr),
        Expr::MethodCall(call) if call.method == "rev" && call.args.is_empty() && !zips_or_counts(&call.receiver) => (&call.receiver, true),
        other => (other, false),
    }
}

/// `zip` of unequal lengths reversed starts elsewhere; it is left to the user's own form, and then refused.
fn zips_or_counts(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(inner) => zips_or_counts(&inner.expr),
        Expr::MethodCall(call) => call.method == "zip" || zips_or_counts(&call.receiver),
        _ => false,
    }
}

/// Ranges under adaptors that keep the item.
fn yields_integers(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(inner) => yields_integers(&inner.expr),
        Expr::Range(_) => true,
        Expr::MethodCall(call) => {
            matches!(
                call.method.to_string().as_str(),
                "rev" | "step_by" | "skip" | "take" | "filter" | "skip_while" | "take_while" | "chain"
            ) && yields_integers(&call.receiver)
        }
        _ => false,
    }
}
