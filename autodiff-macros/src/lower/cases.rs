//! Patterns that choose: of enums, in `match`, `if let`, `while let` and `let`-`else`.
//!
//! The forward sweep matches on a reference to the scrutinee, with the user's patterns, whose names hold references to the
//! parts. Each name of the user's is then a copy of a part ([`Op::Payload`]), which the other sweeps know as a place of the
//! scrutinee. Where the scrutinee is a `&mut`, the name is another name for that place.

use std::collections::BTreeMap;

use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Ident, Member, Pat, parse_quote};

use super::{Binding, Lowering, Value, name_of};
use crate::diag::{Origin, Refusal};
use crate::ir::{Arm, Block, Exit, Match, Op, Operand, Place, Projection, Role, Stmt, Ty, VarId};

/// One arm, whatever it was written as.
pub(super) struct Case<'a> {
    pub(super) pattern: Pat,
    pub(super) guard: Option<&'a Expr>,
    pub(super) body: Body<'a>,
}

/// What an arm does.
pub(super) enum Body<'a> {
    Expr(&'a Expr),
    Block(&'a syn::Block),
    Nothing,
    /// Leaves the innermost loop: the end of a `while let`.
    Leave,
    /// Gives the names of the pattern to what follows.
    Names(Vec<Ident>),
}

/// What is matched on.
enum Scrutinee {
    /// The user's expression.
    Inactive,
    /// `None`: the names are bound by value; else whether by a mutable reference.
    Active { place: Place, reference: Option<bool> },
}

/// A name that a pattern binds.
struct Bound {
    ident: syn::PatIdent,
    place: Place,
    /// Holds the reference; `None` where the name is one for the place.
    holder: Option<VarId>,
    /// A part without a derivative.
    constant: bool,
    /// Part of a slice, which has no copy.
    slice: bool,
}

/// Whether a pattern takes something apart that only `match` can.
pub(super) fn chooses(pattern: &Pat) -> bool {
    struct Search(bool);
    impl<'ast> syn::visit::Visit<'ast> for Search {
        fn visit_pat(&mut self, pattern: &'ast Pat) {
            self.0 |= match pattern {
                Pat::TupleStruct(_) | Pat::Struct(_) | Pat::Slice(_) | Pat::Reference(_) | Pat::Path(_) => true,
                Pat::Ident(ident) => {
                    ident.by_ref.is_some() || ident.mutability.is_some() || ident.subpat.is_some() || !is_name(&ident.ident)
                }
                _ => false,
            };
            syn::visit::visit_pat(self, pattern);
        }
        fn visit_expr(&mut self, _: &'ast Expr) {}
    }
    let mut search = Search(false);
    syn::visit::Visit::visit_pat(&mut search, pattern);
    search.0
}

/// A lower-case name binds; others are taken for constants, as rustc's lints have it.
fn is_name(ident: &Ident) -> bool {
    ident.to_string().trim_start_matches("r#").starts_with(|first: char| first.is_lowercase() || first == '_')
}

impl Lowering<'_> {
    /// A `match` on `scrutinee`.
    pub(super) fn cases(&mut self, scrutinee: &Expr, cases: Vec<Case<'_>>, node: &impl ToTokens) -> Value {
        if !self.is_inert_shape(scrutinee) && self.is_parted(scrutinee) {
            return self.parted_cases(scrutinee, cases, node);
        }
        let mut reads = Vec::new();
        let (spelled, subject) = if self.is_inert_shape(scrutinee) {
            let operand = self.inert_value(scrutinee);
            (self.spell(&Value::Operand(operand), &mut reads), Scrutinee::Inactive)
        } else {
            let Some((place, reference)) = self.subject(scrutinee) else {
                return self.refuse(scrutinee, Refusal::Pattern);
            };
            let whole = self.spell(&Value::Place(place.clone()), &mut reads);
            (parse_quote!(&#whole), Scrutinee::Active { place, reference })
        };
        let chosen = self.vars.named("arm", Origin::of(scrutinee), Ty::Int, Role::Temporary, true);
        self.vars.get_mut(chosen).late = true;
        self.push(Stmt::Declare { var: chosen, init: None });
        let (mut arms, mut values) = (Vec::new(), Vec::new());
        self.branching(|lowering| {
            let known = lowering.known.clone();
            for case in cases {
                lowering.known.clone_from(&known);
                let (arm, value) = lowering.case(case, &subject);
                values.push((arm.body.clone(), value));
                arms.push(arm);
            }
        });
        let result = self.join(&mut values, node);
        for (arm, (body, _)) in arms.iter_mut().zip(values) {
            arm.body = body;
        }
        self.push(Stmt::Match(Box::new(Match { scrutinee: Box::new(spelled), reads, arms, chosen })));
        result
    }

    /// The place that is matched on, which no arm changes but through the names.
    pub(super) fn subject(&mut self, expr: &Expr) -> Option<(Place, Option<bool>)> {
        let expr = match expr {
            Expr::Paren(inner) => return self.subject(&inner.expr),
            other => other,
        };
        let (place, reference) = match self.place(expr) {
            Some(place) => (place, self.reference_of(expr)),
            None => match self.expr(expr) {
                Value::Ref { place, mutable } => (place, Some(mutable)),
                Value::Never => return None,
                other => (Place::whole(self.named_operand(other, expr)?), None),
            },
        };
        if reference.is_none() && self.vars.get(place.root).writable() {
            let root = self.snapshot(place, expr)?;
            return Some((Place::whole(root), None));
        }
        Some((place, reference))
    }

    /// Whether a name stands for a reference, and what for.
    fn reference_of(&self, expr: &Expr) -> Option<bool> {
        let Expr::Path(path) = expr else { return None };
        match self.lookup(path.path.get_ident()?)? {
            Binding::Value(Value::Ref { mutable, .. }) => Some(*mutable),
            _ => None,
        }
    }

    fn snapshot(&mut self, place: Place, node: &Expr) -> Option<VarId> {
        match self.read(place, Origin::of(node)) {
            Operand::Var(var) => Some(var),
            Operand::Const(_) => None,
        }
    }

    fn named_operand(&mut self, value: Value, node: &Expr) -> Option<VarId> {
        let origin = Origin::of(node);
        match self.operand(value, origin) {
            Operand::Var(var) => Some(var),
            constant @ Operand::Const(_) => match self.value(origin, Ty::Unknown, Op::Copy(constant)) {
                Operand::Var(var) => Some(var),
                Operand::Const(_) => None,
            },
        }
    }

    fn case(&mut self, case: Case<'_>, subject: &Scrutinee) -> (Arm, Value) {
        self.blocks.push(Vec::new());
        self.scopes.push(BTreeMap::new());
        let mut pattern = case.pattern;
        let (bindings, guard, reads) = match subject {
            Scrutinee::Inactive => {
                let bindings = self.bind_inactive(&mut pattern);
                let (guard, reads) = self.guard(case.guard);
                (bindings, guard, reads)
            }
            Scrutinee::Active { place, reference } => {
                let mut bound = Vec::new();
                self.take_apart(&mut pattern, place.clone(), *reference, &mut bound);
                self.name_holders(&bound, *reference);
                let (guard, reads) = self.guard(case.guard);
                self.name_parts(&bound, *reference);
                (bound.iter().filter_map(|bound| bound.holder).collect(), guard, reads)
            }
        };
        let value = self.body_of_case(case.body);
        self.scopes.pop();
        let body = Block(self.blocks.pop().expect("opened above"));
        (Arm { pattern, guard, reads, bindings, body }, value)
    }

    pub(super) fn body_of_case(&mut self, body: Body<'_>) -> Value {
        match body {
            Body::Expr(expr) => self.expr(expr),
            Body::Block(block) => self.block_statements(block),
            Body::Nothing => Value::Tuple(Vec::new()),
            Body::Leave => self.leave_innermost(),
            Body::Names(names) => Value::Tuple(names.iter().map(|name| self.path(&parse_quote!(#name))).collect()),
        }
    }

    fn guard(&mut self, guard: Option<&Expr>) -> (Option<Box<Expr>>, Vec<VarId>) {
        let Some(guard) = guard else { return (None, Vec::new()) };
        if !self.is_inert_shape(guard) {
            self.refuse(guard, Refusal::ControlInCondition);
        }
        let (guard, reads) = self.substitute(guard);
        (Some(Box::new(guard)), reads)
    }

    /// While the guard runs, the names are what the pattern bound.
    fn name_holders(&mut self, bound: &[Bound], reference: Option<bool>) {
        for one in bound {
            let value = match (one.holder, reference) {
                (Some(holder), Some(_)) => Value::Operand(Operand::Var(holder)),
                (Some(holder), None) => Value::Place(Place::whole(holder).project(Projection::Deref)),
                (None, _) => Value::Ref { place: one.place.clone(), mutable: reference == Some(true) },
            };
            self.define(&one.ident.ident, Binding::Value(value));
        }
    }

    /// In the body, each is a copy of its part.
    fn name_parts(&mut self, bound: &[Bound], reference: Option<bool>) {
        for one in bound {
            let Some(holder) = one.holder else { continue };
            if one.slice {
                self.define(&one.ident.ident, Binding::Value(Value::Ref { place: one.place.clone(), mutable: false }));
                continue;
            }
            let var = self.vars.user(&one.ident.ident, Ty::Unknown, Role::User, false);
            self.push(Stmt::Let { var, op: Op::Payload { holder, place: one.place.clone() } });
            if one.constant {
                self.constants.insert(var);
            }
            match reference {
                Some(mutable) => {
                    self.define(&one.ident.ident, Binding::Value(Value::Ref { place: Place::whole(var), mutable }));
                }
                None => self.bind_typed(&one.ident, Value::Operand(Operand::Var(var)), None),
            }
        }
    }

    /// Finds the part of `place` that each name means; names become those of references, and nothing else changes.
    fn take_apart(&mut self, pattern: &mut Pat, place: Place, reference: Option<bool>, bound: &mut Vec<Bound>) {
        match pattern {
            Pat::Ident(ident) if is_name(&ident.ident) => {
                if let Some((_, inner)) = &mut ident.subpat {
                    self.take_apart(inner, place.clone(), reference, bound);
                }
                let name = ident.clone();
                (ident.by_ref, ident.mutability) = (None, None);
                let renamed = self.hold(name, place, reference == Some(true), false, bound);
                match (renamed, ident.subpat.take()) {
                    (Some(holder), subpattern) => (ident.ident, ident.subpat) = (holder, subpattern),
                    (None, Some((_, inner))) => *pattern = *inner,
                    (None, None) => *pattern = parse_quote!(_),
                }
            }
            Pat::Ident(_) | Pat::Wild(_) | Pat::Lit(_) | Pat::Range(_) | Pat::Path(_) | Pat::Const(_) | Pat::Rest(_) => {}
            Pat::Paren(inner) => self.take_apart(&mut inner.pat, place, reference, bound),
            Pat::Reference(inner) => {
                let mut stripped = (*inner.pat).clone();
                self.take_apart(&mut stripped, place, reference, bound);
                *pattern = stripped;
            }
            Pat::Tuple(tuple) => {
                let part = |index: usize| Projection::Field(Member::Unnamed(index.into()));
                self.take_elements(&mut tuple.elems, &place, reference, bound, &part);
            }
            Pat::TupleStruct(tuple) => {
                let Some(variant) = tuple.path.segments.last().map(|last| last.ident.clone()) else { return };
                let whole = variant == "Self";
                let before = bound.len();
                let part = |index: usize| {
                    let member = Member::Unnamed(index.into());
                    if whole { Projection::Field(member) } else { Projection::Payload { variant: variant.clone(), member } }
                };
                self.take_elements(&mut tuple.elems, &place, reference, bound, &part);
                // An error carries no derivative.
                bound[before..].iter_mut().for_each(|bound| bound.constant |= variant == "Err");
            }
            Pat::Struct(structure) => {
                let mut names = structure.path.segments.iter().rev().map(|segment| &segment.ident);
                let (variant, owner) = (names.next().cloned(), names.next());
                let of_enum = owner.is_some_and(|owner| owner.to_string().starts_with(char::is_uppercase));
                for field in &mut structure.fields {
                    let member = field.member.clone();
                    let part = match &variant {
                        Some(variant) if of_enum => Projection::Payload { variant: variant.clone(), member },
                        _ => Projection::Field(member),
                    };
                    field.colon_token.get_or_insert_default();
                    self.take_apart(&mut field.pat, place.clone().project(part), reference, bound);
                }
            }
            Pat::Slice(slice) => self.take_slice(slice, &place, reference, bound),
            Pat::Or(or) => {
                let before = bound.len();
                or.cases.iter_mut().for_each(|case| self.take_apart(case, place.clone(), reference, bound));
                if bound.len() > before {
                    self.refuse(or, Refusal::Pattern);
                }
            }
            other => {
                self.refuse(other, Refusal::Pattern);
            }
        }
    }

    fn take_elements(
        &mut self,
        elements: &mut syn::punctuated::Punctuated<Pat, syn::Token![,]>,
        place: &Place,
        reference: Option<bool>,
        bound: &mut Vec<Bound>,
        part: &dyn Fn(usize) -> Projection,
    ) {
        let count = elements.len();
        for (index, element) in elements.iter_mut().enumerate() {
            if let Pat::Rest(rest) = element {
                if index + 1 < count {
                    self.refuse(rest, Refusal::Pattern);
                }
                return;
            }
            self.take_apart(element, place.clone().project(part(index)), reference, bound);
        }
    }

    fn take_slice(&mut self, slice: &mut syn::PatSlice, place: &Place, reference: Option<bool>, bound: &mut Vec<Bound>) {
        let count = slice.elems.len();
        let number = |index: usize| {
            let literal = syn::LitInt::new(&index.to_string(), proc_macro2::Span::mixed_site());
            Operand::Const(Box::new(parse_quote!(#literal)))
        };
        for (index, element) in slice.elems.iter_mut().enumerate() {
            let rest = match element {
                Pat::Rest(_) => true,
                Pat::Ident(ident) => ident.subpat.as_ref().is_some_and(|(_, inner)| matches!(**inner, Pat::Rest(_))),
                _ => false,
            };
            if !rest {
                self.take_apart(element, place.clone().project(Projection::Index(number(index))), reference, bound);
                continue;
            }
            if index + 1 < count {
                self.refuse(element, Refusal::Pattern);
                return;
            }
            if let Pat::Ident(ident) = element {
                let part = Projection::Slice { low: Some(number(index)), high: None, inclusive: false };
                let name = ident.clone();
                match self.hold(name, place.clone().project(part), reference == Some(true), true, bound) {
                    Some(holder) => ident.ident = holder,
                    None => *element = parse_quote!(..),
                }
            }
        }
    }

    /// Notes a name; the name of what holds the reference.
    fn hold(&mut self, ident: syn::PatIdent, place: Place, mutable: bool, slice: bool, bound: &mut Vec<Bound>) -> Option<Ident> {
        let holder = (!mutable).then(|| {
            let origin = Origin::of(&ident.ident);
            let holder = self.vars.named(&name_of(&ident.ident), origin, Ty::Ref(Box::new(Ty::Unknown)), Role::Temporary, false);
            self.constants.insert(holder);
            holder
        });
        bound.push(Bound { ident, place, holder, constant: false, slice });
        holder.map(|holder| self.vars.get(holder).name.clone())
    }

    /// Names in the pattern of something inactive become constants.
    fn bind_inactive(&mut self, pattern: &mut Pat) -> Vec<VarId> {
        struct Names<'a, 'b> {
            lowering: &'a mut Lowering<'b>,
            /// Alternatives bind the same names.
            bound: BTreeMap<String, VarId>,
        }
        impl VisitMut for Names<'_, '_> {
            fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
                field.colon_token.get_or_insert_default();
                visit_mut::visit_field_pat_mut(self, field);
            }
            fn visit_pat_ident_mut(&mut self, ident: &mut syn::PatIdent) {
                if let Some((_, inner)) = &mut ident.subpat {
                    self.visit_pat_mut(inner);
                }
                if !is_name(&ident.ident) {
                    return;
                }
                let name = ident.ident.clone();
                let vars = &mut self.lowering.vars;
                let cell = ident.mutability.is_some();
                let var = *self.bound.entry(name_of(&name)).or_insert_with(|| vars.user(&name, Ty::Inactive, Role::User, cell));
                ident.ident = vars.get(var).name.clone();
                self.lowering.constants.insert(var);
                let binding = if cell { Binding::Cell(var) } else { Binding::Value(Value::Operand(Operand::Var(var))) };
                self.lowering.define(&name, binding);
            }
            fn visit_expr_mut(&mut self, _: &mut Expr) {}
        }
        let mut names = Names { lowering: self, bound: BTreeMap::new() };
        names.visit_pat_mut(pattern);
        names.bound.into_values().collect()
    }

    fn leave_innermost(&mut self) -> Value {
        if let Some(depth) = self.frames.iter().rposition(|frame| !frame.block) {
            self.frames[depth].breaks = true;
            let id = self.frames[depth].id;
            self.exit(Exit::Break(id), depth);
        }
        Value::Never
    }

    /// `if let PATTERN = scrutinee { .. } else { .. }`, with a guard.
    pub(super) fn if_let(&mut self, condition: &syn::ExprLet, guard: Option<&Expr>, branch: &syn::ExprIf) -> Value {
        let otherwise = match &branch.else_branch {
            Some((_, expr)) => Body::Expr(expr),
            None => Body::Nothing,
        };
        let cases = vec![
            Case { pattern: (*condition.pat).clone(), guard, body: Body::Block(&branch.then_branch) },
            Case { pattern: parse_quote!(_), guard: None, body: otherwise },
        ];
        self.cases(&condition.expr, cases, branch)
    }

    /// The body of `while let PATTERN = scrutinee { .. }`.
    pub(super) fn while_let(&mut self, condition: &syn::ExprLet, body: &syn::Block, node: &impl ToTokens) -> Block {
        let (block, ()) = self.nested(|lowering| {
            let cases = vec![
                Case { pattern: (*condition.pat).clone(), guard: None, body: Body::Block(body) },
                Case { pattern: parse_quote!(_), guard: None, body: Body::Leave },
            ];
            lowering.cases(&condition.expr, cases, node);
        });
        block
    }

    /// `let PATTERN = scrutinee else { .. };`
    pub(super) fn let_else(&mut self, pattern: &Pat, scrutinee: &Expr, otherwise: &Expr) {
        if !self.is_inert_shape(scrutinee) && (self.is_parted(scrutinee) || super::look::takes_value(pattern, scrutinee)) {
            return self.parted_let_else(pattern, scrutinee, otherwise);
        }
        let mut names = Vec::new();
        bound_names(pattern, &mut names);
        let idents = names.iter().map(|name: &syn::PatIdent| name.ident.clone()).collect();
        let cases = vec![
            Case { pattern: plain(pattern), guard: None, body: Body::Names(idents) },
            Case { pattern: parse_quote!(_), guard: None, body: Body::Expr(otherwise) },
        ];
        if let Value::Tuple(values) = self.cases(scrutinee, cases, pattern) {
            for (name, value) in names.iter().zip(values) {
                self.bind_typed(name, value, None);
            }
        }
    }
}

/// The names that a pattern binds, with their `mut`.
fn bound_names(pattern: &Pat, names: &mut Vec<syn::PatIdent>) {
    struct Names<'a>(&'a mut Vec<syn::PatIdent>);
    impl<'ast> syn::visit::Visit<'ast> for Names<'_> {
        fn visit_pat_ident(&mut self, ident: &'ast syn::PatIdent) {
            if is_name(&ident.ident) {
                self.0.push(syn::PatIdent { by_ref: None, subpat: None, ..ident.clone() });
            }
            syn::visit::visit_pat_ident(self, ident);
        }
        fn visit_expr(&mut self, _: &'ast Expr) {}
    }
    syn::visit::Visit::visit_pat(&mut Names(names), pattern);
}

/// The pattern without `mut`, which belongs to what follows.
fn plain(pattern: &Pat) -> Pat {
    struct Plain;
    impl VisitMut for Plain {
        fn visit_pat_ident_mut(&mut self, ident: &mut syn::PatIdent) {
            ident.mutability = None;
            visit_mut::visit_pat_ident_mut(self, ident);
        }
    }
    let mut pattern = pattern.clone();
    Plain.visit_pat_mut(&mut pattern);
    pattern
}
