//! Inactive code: kept as the user wrote it, with the variables in it replaced by those of the IR.

use proc_macro2::{Ident, TokenStream};
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, parse_quote};

use super::{Binding, Lowering, Value, name_of};
use crate::diag::{Origin, Refusal};
use crate::ir::build::accessor;
use crate::ir::{Op, Operand, Place, Projection, Ty, VarId};
use crate::rules;

/// Methods that turn a float into something that no derivative survives.
const LOSING_METHODS: &[&str] = &["to_bits", "to_le_bytes", "to_be_bytes", "to_ne_bytes", "to_string"];

impl Lowering<'_> {
    /// Whether `expr` is inactive and of a shape that may stay as it is: its type cannot carry a derivative,
    /// or nothing in it can; and it neither assigns nor leaves.
    pub(super) fn is_inert_shape(&self, expr: &Expr) -> bool {
        let mut search = Contents { lowering: self, bound: Vec::new(), active: false, control: false };
        search.visit_expr(expr);
        if search.control {
            return false;
        }
        !search.active || matches!(self.guess(expr), Ty::Int | Ty::Bool | Ty::Inactive)
    }

    /// Whether `expr` assigns, leaves, or holds blocks that might.
    pub(super) fn steers(&self, expr: &Expr) -> bool {
        let mut search = Contents { lowering: self, bound: Vec::new(), active: false, control: false };
        search.visit_expr(expr);
        search.control
    }

    /// Evaluates inactive `expr` here and names its value.
    pub(super) fn inert_value(&mut self, expr: &Expr) -> Operand {
        self.refuse_losses(expr);
        let ty = self.guess(expr);
        let constant = !self.reads_active(expr);
        let by_name = !constant && is_method(expr);
        let pure = rules::is_pure(expr);
        let (mut expr, reads) = self.substitute(expr);
        if by_name {
            // Only the method's name says that this carries no derivative: rustc checks it by the type.
            let library = &self.library;
            expr = parse_quote!(#library::steering(#expr));
        }
        if reads.is_empty() && matches!(expr, Expr::Lit(_) | Expr::Path(_)) {
            return Operand::Const(Box::new(expr));
        }
        if !pure {
            // It may change what it mentions: nothing is known of that any more.
            for &read in &reads {
                if self.vars.get(read).writable() {
                    self.wrote(read);
                }
            }
        }
        let origin = Origin::of(&expr);
        let operand = self.value(origin, ty, Op::Inert { expr: Box::new(expr), reads });
        if let (Operand::Var(var), true) = (&operand, constant) {
            self.constants.insert(*var);
        }
        operand
    }

    pub(super) fn reads_active(&self, expr: &Expr) -> bool {
        let mut search = Contents { lowering: self, bound: Vec::new(), active: false, control: false };
        search.visit_expr(expr);
        search.active
    }

    /// An active value that disappears into its bits is lost, not steering.
    fn refuse_losses(&mut self, expr: &Expr) {
        struct Losses(Vec<syn::ExprMethodCall>);
        impl<'ast> Visit<'ast> for Losses {
            fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
                if LOSING_METHODS.contains(&call.method.to_string().as_str()) {
                    self.0.push(call.clone());
                }
                syn::visit::visit_expr_method_call(self, call);
            }
        }
        let mut losses = Losses(Vec::new());
        losses.visit_expr(expr);
        for call in losses.0 {
            if self.reads_active(&call.receiver) {
                self.refuse(&call.method, Refusal::LosesDerivative { name: call.method.to_string() });
            }
        }
    }

    /// `expr` with IR variables, and those that it reads.
    pub(super) fn substitute(&mut self, expr: &Expr) -> (Expr, Vec<VarId>) {
        let mut expr = expr.clone();
        let mut substitution = Substitution { lowering: self, bound: Vec::new(), reads: Vec::new() };
        substitution.visit_expr_mut(&mut expr);
        let mut reads = substitution.reads;
        reads.sort_unstable();
        reads.dedup();
        (expr, reads)
    }

    /// `value` as an expression.
    pub(super) fn spell(&self, value: &Value, reads: &mut Vec<VarId>) -> Expr {
        match value {
            Value::Operand(operand) => self.spell_operand(operand, reads),
            Value::Tuple(elements) => {
                let elements = elements.iter().map(|element| self.spell(element, reads));
                parse_quote!((#(#elements,)*))
            }
            Value::Place(place) => self.spell_place(place, reads),
            Value::Ref { place, .. } => match place.projections.as_slice() {
                [Projection::Deref] => self.spell_operand(&Operand::Var(place.root), reads),
                _ => {
                    let place = self.spell_place(place, reads);
                    parse_quote!((&#place))
                }
            },
            Value::Struct(value) => {
                let (path, base) = (&value.path, value.base.as_ref().map(|base| self.spell(base, reads)));
                let members: Vec<_> = value.fields.iter().map(|(member, _)| member).collect();
                let fields: Vec<_> = value.fields.iter().map(|(_, field)| self.spell(field, reads)).collect();
                match (value.braces, base) {
                    (false, _) => parse_quote!(#path(#(#fields),*)),
                    (true, None) => parse_quote!((#path { #(#members: #fields),* })),
                    (true, Some(base)) => parse_quote!((#path { #(#members: #fields,)* ..#base })),
                }
            }
            Value::Borrow(inner) => {
                let inner = self.spell(inner, reads);
                parse_quote!((&#inner))
            }
            // Nothing that mentions one stays as it is written.
            Value::Never | Value::Closure(_) | Value::Chain(_) => parse_quote!(()),
        }
    }

    pub(super) fn spell_operand(&self, operand: &Operand, reads: &mut Vec<VarId>) -> Expr {
        match operand {
            Operand::Var(var) => {
                reads.push(*var);
                let name = &self.vars.get(*var).name;
                parse_quote!(#name)
            }
            Operand::Const(expr) => (**expr).clone(),
        }
    }

    fn spell_place(&self, place: &Place, reads: &mut Vec<VarId>) -> Expr {
        let mut expr = self.spell_operand(&Operand::Var(place.root), reads);
        for (position, projection) in place.projections.iter().enumerate() {
            expr = match projection {
                Projection::Deref if position + 1 < place.projections.len() => expr,
                Projection::Deref => parse_quote!((*#expr)),
                Projection::Index(index) => {
                    let index = self.spell_operand(index, reads);
                    parse_quote!(#expr[#index])
                }
                Projection::Slice { low, high, inclusive } => {
                    let low = low.as_ref().map(|low| self.spell_operand(low, reads));
                    let high = high.as_ref().map(|high| self.spell_operand(high, reads));
                    if *inclusive { parse_quote!(#expr[#low..=#high]) } else { parse_quote!(#expr[#low..#high]) }
                }
                Projection::Field(member) => parse_quote!(#expr.#member),
                Projection::View { method, turbofish, args } => {
                    let args: Vec<Expr> = args.iter().map(|arg| self.spell_operand(arg, reads)).collect();
                    parse_quote!(#expr.#method #turbofish (#(#args),*))
                }
                Projection::Payload { variant, member } => {
                    let accessor = accessor(variant, member, false);
                    parse_quote!((*#expr.#accessor()))
                }
            };
        }
        expr
    }
}

impl Lowering<'_> {
    /// What a variable means in inactive code: itself, but in the closure of a `map`, which runs again in the
    /// reverse sweep, its content of now.
    fn content_for_closure(&self, var: VarId) -> Value {
        let place = Place::whole(var);
        let key = place.key(&self.vars);
        match self.known.iter().find(|(known, _, _)| self.in_closure && *known == key) {
            Some((_, _, value)) => Value::Operand(Operand::Var(*value)),
            None => Value::Place(place),
        }
    }
}

impl Lowering<'_> {
    /// Whether a method is one of a float parameter's, which has it from the user's trait and from ours.
    fn is_method_of_parameter(&self, call: &syn::ExprMethodCall) -> bool {
        self.generic
            && crate::rules::is_real_method(&call.method.to_string(), call.args.len())
            && matches!(self.guess(&call.receiver), Ty::Float(_) | Ty::Unknown)
    }

    /// The call of a method of our trait of floats.
    pub(super) fn real(&self, method: &Ident, receiver: &Expr, args: &[&Expr]) -> Expr {
        let library = self.library;
        parse_quote!(#library::Real::#method(#receiver #(, #args)*))
    }
}

/// Finds reads that can be active, and control flow.
struct Contents<'a, 'b> {
    lowering: &'a Lowering<'b>,
    bound: Vec<String>,
    active: bool,
    control: bool,
}

impl Contents<'_, '_> {
    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                proc_macro2::TokenTree::Ident(ident) => self.name(&ident),
                proc_macro2::TokenTree::Group(group) => self.tokens(group.stream()),
                _ => {}
            }
        }
    }

    fn name(&mut self, ident: &Ident) {
        if self.bound.contains(&name_of(ident)) {
            return;
        }
        match self.lowering.lookup(ident) {
            Some(Binding::Cell(var)) => self.active |= self.lowering.can_be_active(*var),
            Some(Binding::Value(Value::Closure(_) | Value::Chain(_))) => (self.active, self.control) = (true, true),
            Some(Binding::Value(value)) => self.active |= self.lowering.value_can_be_active(value),
            None => {}
        }
    }
}

impl<'ast> Visit<'ast> for Contents<'_, '_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Path(path) => {
                if let Some(ident) = path.path.get_ident() {
                    self.name(ident);
                }
            }
            Expr::MethodCall(call) if crate::rules::CONTAINER_QUERIES.contains(&call.method.to_string().as_str()) => {
                let active = self.active;
                syn::visit::visit_expr_method_call(self, call);
                self.active = active;
            }
            Expr::Closure(closure) => {
                let before = self.bound.len();
                closure.inputs.iter().for_each(|input| names_in(input, &mut self.bound));
                self.visit_expr(&closure.body);
                self.bound.truncate(before);
            }
            Expr::If(_)
            | Expr::Match(_)
            | Expr::Block(_)
            | Expr::Loop(_)
            | Expr::While(_)
            | Expr::ForLoop(_)
            | Expr::Return(_)
            | Expr::Break(_)
            | Expr::Continue(_)
            | Expr::Assign(_)
            | Expr::Try(_)
            | Expr::Let(_)
            | Expr::Unsafe(_)
            | Expr::Await(_)
            | Expr::Async(_)
            | Expr::Yield(_)
            | Expr::TryBlock(_)
            | Expr::Const(_)
            | Expr::Struct(_)
            | Expr::Verbatim(_)
            | Expr::RawAddr(_) => self.control = true,
            Expr::Binary(binary) if is_assignment(&binary.op) => self.control = true,
            Expr::Macro(mac) => self.tokens(mac.mac.tokens.clone()),
            other => syn::visit::visit_expr(self, other),
        }
    }
}

impl Lowering<'_> {
    pub(super) fn value_can_be_active(&self, value: &Value) -> bool {
        match value {
            Value::Operand(Operand::Var(var)) => self.can_be_active(*var),
            Value::Operand(Operand::Const(_)) | Value::Never => false,
            Value::Borrow(inner) => self.value_can_be_active(inner),
            Value::Closure(_) | Value::Chain(_) => true,
            Value::Tuple(elements) => elements.iter().any(|element| self.value_can_be_active(element)),
            Value::Struct(value) => value.parts().any(|part| self.value_can_be_active(part)),
            Value::Ref { place, .. } | Value::Place(place) => self.can_be_active(place.root) && self.place_type(place).differentiable(),
        }
    }
}

fn is_method(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(inner) => is_method(&inner.expr),
        Expr::Group(inner) => is_method(&inner.expr),
        Expr::Reference(inner) => is_method(&inner.expr),
        Expr::Unary(inner) => is_method(&inner.expr),
        // These are floats whose derivative is zero everywhere.
        Expr::MethodCall(call) => !crate::rules::ZERO_METHODS.contains(&call.method.to_string().as_str()),
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => {
                path.path.segments.last().is_none_or(|last| !crate::rules::ZERO_METHODS.contains(&last.ident.to_string().as_str()))
            }
            _ => true,
        },
        _ => false,
    }
}

/// Whether the operator assigns.
pub(super) fn is_assignment(op: &syn::BinOp) -> bool {
    use syn::BinOp::{
        AddAssign, BitAndAssign, BitOrAssign, BitXorAssign, DivAssign, MulAssign, RemAssign, ShlAssign, ShrAssign, SubAssign,
    };
    matches!(
        op,
        AddAssign(_)
            | SubAssign(_)
            | MulAssign(_)
            | DivAssign(_)
            | RemAssign(_)
            | BitXorAssign(_)
            | BitAndAssign(_)
            | BitOrAssign(_)
            | ShlAssign(_)
            | ShrAssign(_)
    )
}

/// The names that a pattern binds.
pub(super) fn names_in(pattern: &syn::Pat, names: &mut Vec<String>) {
    struct Names<'a>(&'a mut Vec<String>);
    impl<'ast> Visit<'ast> for Names<'_> {
        fn visit_pat_ident(&mut self, ident: &'ast syn::PatIdent) {
            self.0.push(name_of(&ident.ident));
            syn::visit::visit_pat_ident(self, ident);
        }
    }
    Names(names).visit_pat(pattern);
}

/// Puts IR variables in the place of the user's.
struct Substitution<'a, 'b> {
    lowering: &'a mut Lowering<'b>,
    /// Names bound inside the expression itself, by closures.
    bound: Vec<String>,
    reads: Vec<VarId>,
}

impl Substitution<'_, '_> {
    fn value(&self, path: &syn::ExprPath) -> Option<Value> {
        let ident = path.path.get_ident()?;
        if path.qself.is_some() || self.bound.contains(&name_of(ident)) {
            return None;
        }
        Some(match self.lowering.lookup(ident)? {
            Binding::Cell(var) => self.lowering.content_for_closure(*var),
            Binding::Value(value) => value.clone(),
        })
    }

    /// A position that rustc dereferences by itself: a receiver, a base of an index or a field.
    fn auto(&mut self, expr: &mut Expr) {
        let Expr::Path(path) = expr else { return self.visit_expr_mut(expr) };
        let mut value = self.value(path);
        while let Some(Value::Borrow(inner)) = value {
            value = Some(*inner);
        }
        match value {
            Some(Value::Ref { place, .. }) if !matches!(place.projections.as_slice(), [Projection::Deref]) => {
                *expr = self.lowering.spell(&Value::Place(place), &mut self.reads);
            }
            Some(value) => *expr = self.lowering.spell(&value, &mut self.reads),
            None => self.visit_expr_mut(expr),
        }
    }

    /// What `*r` and `**r` mean, where `r` is a reference that is known.
    fn dereferenced(&self, expr: &Expr) -> Option<Value> {
        match expr {
            Expr::Paren(inner) => self.dereferenced(&inner.expr),
            Expr::Group(inner) => self.dereferenced(&inner.expr),
            Expr::Path(path) => self.value(path),
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => self.dereferenced(&unary.expr)?.referent(),
            Expr::Field(field) if self.bound.is_empty() => match &field.member {
                syn::Member::Unnamed(index) => self.dereferenced(&field.base)?.element(index.index as usize),
                syn::Member::Named(_) => None,
            },
            _ => None,
        }
    }
}

impl VisitMut for Substitution<'_, '_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Path(path) => {
                if let Some(value) = self.value(path) {
                    *expr = self.lowering.spell(&value, &mut self.reads);
                }
            }
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                if let Some(value) = self.dereferenced(&unary.expr).and_then(|value| value.referent()) {
                    *expr = self.lowering.spell(&value, &mut self.reads);
                } else {
                    self.visit_expr_mut(&mut unary.expr);
                }
            }
            Expr::Field(field) => {
                if self.bound.is_empty()
                    && let Some(value) = self.lowering.component(&field.base, &field.member)
                {
                    *expr = self.lowering.spell(&value, &mut self.reads);
                } else {
                    self.auto(&mut field.base);
                }
            }
            Expr::Index(index) => {
                self.auto(&mut index.expr);
                self.visit_expr_mut(&mut index.index);
            }
            Expr::MethodCall(call) => {
                let named = self.lowering.is_method_of_parameter(call);
                self.auto(&mut call.receiver);
                call.args.iter_mut().for_each(|argument| self.visit_expr_mut(argument));
                if named {
                    *expr = self.lowering.real(&call.method, &call.receiver, &call.args.iter().collect::<Vec<_>>());
                }
            }
            Expr::Closure(closure) => {
                let before = self.bound.len();
                closure.inputs.iter().for_each(|input| names_in(input, &mut self.bound));
                self.visit_expr_mut(&mut closure.body);
                self.bound.truncate(before);
            }
            Expr::Macro(mac) => {
                let (tokens, reads) = self.lowering.macro_tokens(&mac.mac);
                mac.mac.tokens = tokens;
                self.reads.extend(reads);
            }
            other => visit_mut::visit_expr_mut(self, other),
        }
    }
}
