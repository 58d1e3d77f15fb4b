//! Operations and operands as expressions. One [`Writer`] writes one sweep.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::Path;

use super::code::{Code, Level};
use super::fold::{self, Once};
use super::space::Space;
use crate::ir::build::{Vars, accessor};
use crate::ir::{Argument, Block, Construct, Op, Operand, Place, Projection, Role, Stmt, Ty, VarId, Width, walk};

/// A value that waits for its one use.
struct Pending {
    var: VarId,
    code: Code,
    /// The changing variables in it.
    reads: BTreeSet<VarId>,
}

/// The state of writing one sweep.
pub struct Writer<'a> {
    pub vars: &'a Vars,
    pub library: &'a Path,
    once: Once,
    /// Variables that change after their definition.
    pub written: BTreeSet<VarId>,
    pending: Vec<Pending>,
    /// Names that stand for references to the values.
    pub by_reference: BTreeSet<VarId>,
    /// The variables that the places in these patterns hold are read from elsewhere.
    pub slots: BTreeMap<VarId, Ident>,
    /// Whether scalar functions are called by the path of ours: the user did not write all of them.
    pub method_paths: bool,
    /// Whether operators may be the user's own.
    pub overloads: bool,
    /// Whether the function's floats are `f32`.
    pub single: bool,
    /// What tangents are.
    pub space: Space,
}

/// How an operand is going to be used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// In arithmetic, which takes references to what is not `Copy`.
    Arithmetic,
    /// The same, where the operator must be that of numbers.
    Plain,
    /// As an owned value.
    Value,
}

impl<'a> Writer<'a> {
    /// A writer of `block`, in which the values of `named` keep their names.
    pub fn new(block: &Block, vars: &'a Vars, library: &'a Path, named: &BTreeSet<VarId>) -> Self {
        let mut written = BTreeSet::new();
        fold::writes(block, &mut |var| {
            written.insert(var);
        });
        let once = fold::once(block, vars, named);
        Writer {
            vars,
            library,
            once,
            written,
            pending: Vec::new(),
            by_reference: BTreeSet::new(),
            slots: BTreeMap::new(),
            method_paths: false,
            overloads: true,
            single: false,
            space: Space::Single,
        }
    }

    pub fn name(&self, var: VarId) -> &Ident {
        &self.vars.get(var).name
    }

    /// The definition of a value: now, or where it is used.
    pub fn define(&mut self, var: VarId, op: &Op, out: &mut TokenStream) {
        let mut reads = BTreeSet::new();
        walk::op_reads(op, &mut |read| {
            if self.written.contains(&read) || self.vars.get(read).writable() || self.once.stored.contains(&read) {
                reads.insert(read);
            }
            if let Some(inner) = self.pending.iter().find(|pending| pending.var == read) {
                reads.extend(&inner.reads);
            }
        });
        let code = self.op(op, Some(var));
        if self.once.folded.contains(&var) && code.size < 40 {
            self.pending.push(Pending { var, code, reads });
        } else {
            self.bind(var, &code.tokens, out);
        }
    }

    /// `let name = value;`
    pub fn bind(&self, var: VarId, value: &TokenStream, out: &mut TokenStream) {
        let facts = self.vars.get(var);
        let name = &facts.name;
        let mutable = self.written.contains(&var).then(|| quote!(mut));
        let ty = facts.ascription.as_ref().map(|ty| quote!(: #ty));
        quote!(let #mutable #name #ty = #value;).to_tokens(out);
    }

    /// Names what waits and reads something that `stmt` changes.
    pub fn before_write(&mut self, stmt: &Stmt, out: &mut TokenStream) {
        let mut changed = BTreeSet::new();
        fold::stmt_writes(stmt, &mut |var| {
            changed.insert(var);
        });
        changed.extend(fold::stored(stmt));
        self.settle(out, |pending| pending.reads.iter().any(|read| changed.contains(read)));
    }

    /// Names everything that waits: a nested block begins.
    pub fn settle_all(&mut self, out: &mut TokenStream) {
        self.settle(out, |_| true);
    }

    fn settle(&mut self, out: &mut TokenStream, which: impl Fn(&Pending) -> bool) {
        let (settled, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut self.pending).into_iter().partition(which);
        self.pending = kept;
        for pending in settled {
            self.bind(pending.var, &pending.code.tokens, out);
        }
    }

    fn waiting(&mut self, var: VarId) -> Option<Code> {
        let position = self.pending.iter().rposition(|pending| pending.var == var)?;
        Some(self.pending.remove(position).code)
    }

    /// An operand for arithmetic or as an owned value.
    pub fn operand(&mut self, operand: &Operand, using: Use) -> Code {
        let var = match operand {
            Operand::Const(expr) => return Code::of(expr),
            Operand::Var(var) => *var,
        };
        if let Some(code) = self.waiting(var) {
            return code;
        }
        let name = self.name(var);
        let ty = &self.vars.get(var).ty;
        let library = self.library;
        if ty.is_copy() || matches!(ty, Ty::Ref(_)) || *ty == Ty::Inactive {
            return Code::atom(name);
        }
        let referred = self.by_reference.contains(&var);
        if using == Use::Value && !referred && self.once.moved.contains(&var) {
            return Code::atom(name);
        }
        match (using, referred) {
            (Use::Arithmetic | Use::Plain, true) if *ty == Ty::Matrix => Code::atom(name),
            (Use::Arithmetic | Use::Plain, false) if *ty == Ty::Matrix => Code::new(quote!(&#name), Level::Unary, 1),
            (Use::Arithmetic, _) if self.overloads => Code::atom(quote!(#library::operand(&#name))),
            (Use::Arithmetic | Use::Plain, _) => Code::atom(quote!(#library::plain(&#name))),
            (Use::Value, true) => Code::atom(quote!(::core::clone::Clone::clone(#name))),
            (Use::Value, false) => Code::atom(quote!(::core::clone::Clone::clone(&#name))),
        }
    }

    /// The value that a statement stores, which is moved where nothing reads it any more.
    pub fn stored(&mut self, value: &Operand) -> Code {
        match value {
            Operand::Var(var) if self.once.stored.contains(var) => self.last(value),
            _ => self.operand(value, Use::Value),
        }
    }

    /// An operand that nothing reads after this: it may be moved.
    pub fn last(&mut self, operand: &Operand) -> Code {
        match operand {
            Operand::Var(var) if self.waiting_for(*var).is_none() && !self.by_reference.contains(var) => Code::atom(self.name(*var)),
            _ => self.operand(operand, Use::Value),
        }
    }

    /// `&operand`, whatever it is.
    pub fn borrowed(&mut self, operand: &Operand) -> TokenStream {
        if let Operand::Var(var) = operand
            && self.waiting_for(*var).is_none()
            && (self.by_reference.contains(var) || matches!(self.vars.get(*var).ty, Ty::Ref(_)))
        {
            return self.name(*var).to_token_stream();
        }
        if let Operand::Var(var) = operand
            && self.waiting_for(*var).is_none()
        {
            let name = self.name(*var);
            return quote!(&#name);
        }
        let code = self.operand(operand, Use::Value).at(Level::Unary);
        quote!(&#code)
    }

    fn waiting_for(&self, var: VarId) -> Option<&Code> {
        self.pending.iter().find(|pending| pending.var == var).map(|pending| &pending.code)
    }

    /// `&place`: a whole parameter that is a reference is one already.
    pub fn borrowed_place(&mut self, place: &Place, mutable: bool) -> TokenStream {
        let root = self.vars.get(place.root);
        let is_reference = matches!(root.ty, Ty::Ref(_)) || self.by_reference.contains(&place.root);
        let whole = place.projections.is_empty() || matches!(place.projections.as_slice(), [Projection::Deref]);
        let name = &root.name;
        match (is_reference && whole, mutable) {
            (true, false) => quote!(#name),
            (true, true) => quote!(&mut *#name),
            (false, true) => {
                let place = self.place_mut(place);
                quote!(&mut #place)
            }
            (false, false) => {
                let place = self.place(place);
                quote!(&#place)
            }
        }
    }

    /// A place as an expression that is read.
    pub fn place(&mut self, place: &Place) -> TokenStream {
        self.place_as(place, false)
    }

    /// A place as an expression that is changed.
    pub fn place_mut(&mut self, place: &Place) -> TokenStream {
        self.place_as(place, true)
    }

    fn place_as(&mut self, place: &Place, mutable: bool) -> TokenStream {
        let name = self.name(place.root);
        let mut tokens = quote!(#name);
        let last = place.projections.len();
        for (position, projection) in place.projections.iter().enumerate() {
            tokens = match projection {
                Projection::Deref if position + 1 < last => tokens,
                Projection::Deref => quote!(*#tokens),
                Projection::Index(index) => {
                    let index = self.operand(index, Use::Value).tokens;
                    quote!(#tokens[#index])
                }
                Projection::Slice { low, high, inclusive } => {
                    let low = low.as_ref().map(|low| self.operand(low, Use::Value).at(Level::Sum));
                    let high = high.as_ref().map(|high| self.operand(high, Use::Value).at(Level::Sum));
                    if *inclusive { quote!(#tokens[#low..=#high]) } else { quote!(#tokens[#low..#high]) }
                }
                Projection::Field(member) => quote!(#tokens.#member),
                Projection::View { method, turbofish, args } => {
                    let args = self.list(args);
                    let method = if mutable { format_ident!("{method}_mut") } else { method.clone() };
                    quote!(#tokens.#method #turbofish (#(#args),*))
                }
                Projection::Payload { variant, member } => {
                    let accessor = accessor(variant, member, mutable);
                    quote!((*#tokens.#accessor()))
                }
            };
        }
        if place.projections.is_empty() && self.by_reference.contains(&place.root) {
            return quote!(*#tokens);
        }
        tokens
    }

    fn read(&mut self, place: &Place) -> Code {
        let ty = self.vars.place_type(place);
        let tokens = self.place(place);
        if ty.is_copy() {
            let deref = matches!(place.projections.as_slice(), [Projection::Deref]);
            return Code::new(tokens, if deref { Level::Unary } else { Level::Atom }, 1);
        }
        if let Ty::Slice(_) = ty {
            return Code::atom(quote!(#tokens.to_vec()));
        }
        if place.is_view() {
            return Code::atom(quote!(#tokens.clone_owned()));
        }
        Code::atom(quote!(::core::clone::Clone::clone(&#tokens)))
    }

    /// An argument of a call.
    pub fn argument(&mut self, argument: &Argument) -> TokenStream {
        match argument {
            Argument::Value(value) => self.operand(value, Use::Value).tokens,
            Argument::Ref { place, mutable } => self.borrowed_place(place, *mutable),
        }
    }

    /// An argument of a rule: always a reference.
    fn rule_argument(&mut self, argument: &Argument) -> TokenStream {
        match argument {
            Argument::Value(Operand::Const(expr)) => {
                let typed = typed(expr, self.single);
                quote!(&#typed)
            }
            Argument::Value(value) => self.borrowed(value),
            Argument::Ref { place, .. } => self.borrowed_place(place, false),
        }
    }

    pub fn receiver(&mut self, argument: &Argument) -> TokenStream {
        match argument {
            Argument::Value(Operand::Var(var)) if self.waiting_for(*var).is_none() => self.name(*var).to_token_stream(),
            Argument::Value(value) => self.operand(value, Use::Value).at(Level::Atom),
            Argument::Ref { place, .. } if matches!(place.projections.as_slice(), [Projection::Deref]) => {
                self.name(place.root).to_token_stream()
            }
            Argument::Ref { place, .. } => self.place(place),
        }
    }

    fn list(&mut self, operands: &[Operand]) -> Vec<TokenStream> {
        operands.iter().map(|operand| self.operand(operand, Use::Value).tokens).collect()
    }

    /// Whether a copy of `a` as `of` is one of what the reference `a` points to.
    fn dereferences(&self, a: VarId, of: Option<VarId>) -> bool {
        let reference = |ty: &Ty| matches!(ty, Ty::Ref(_));
        reference(&self.vars.get(a).ty) && of.is_some_and(|of| !reference(&self.vars.get(of).ty) && self.vars.get(of).ty != Ty::Unknown)
    }

    fn is_float(&self, operand: &Operand) -> bool {
        matches!(operand, Operand::Var(var) if self.vars.get(*var).ty.peeled().is_float())
    }

    fn is_tangent(&self, of: Option<VarId>) -> bool {
        of.is_some_and(|of| matches!(self.vars.get(of).role, Role::Cotangent(_)))
    }

    /// An operation as an expression; `of` is the variable that it defines.
    pub fn op(&mut self, op: &Op, of: Option<VarId>) -> Code {
        let library = self.library;
        match op {
            Op::Copy(Operand::Var(a)) if self.dereferences(*a, of) => {
                let name = self.name(*a);
                Code::atom(quote!(::core::clone::Clone::clone(#name)))
            }
            Op::Copy(a) => self.operand(a, Use::Value),
            Op::Neg(a) => {
                let a = self.operand(a, Use::Arithmetic);
                let tokens = a.at(Level::Unary);
                Code::new(quote!(-#tokens), Level::Unary, a.size + 1)
            }
            Op::Binary(binary, a, b) => {
                let (a, b) = (self.operand(a, Use::Arithmetic), self.operand(b, Use::Arithmetic));
                Code::binary(*binary, &a, &b)
            }
            Op::Scalar { method, args, .. } => {
                let mut args = args.iter();
                let Some(receiver) = args.next() else { return Code::atom(quote!(())) };
                let receiver = self.operand(receiver, Use::Value);
                let rest: Vec<Code> = args.map(|arg| self.operand(arg, Use::Value)).collect();
                let size = 1 + receiver.size + rest.iter().map(|code| code.size).sum::<usize>();
                if self.method_paths {
                    let args = std::iter::once(&receiver).chain(&rest).map(|code| &code.tokens);
                    return Code::new(quote!(#library::Real::#method(#(#args),*)), Level::Atom, size);
                }
                let (receiver, rest) = (receiver.at(Level::Atom), rest.iter().map(|code| &code.tokens));
                Code::new(quote!(#receiver.#method(#(#rest),*)), Level::Atom, size)
            }
            Op::Dispatch { method, args, .. } => {
                let Some((receiver, rest)) = args.split_first() else { return Code::atom(quote!(())) };
                let receiver = self.receiver(receiver);
                let rest = rest.iter().map(|arg| self.argument(arg)).collect::<Vec<_>>();
                Code::atom(quote!(#receiver.#method(#(#rest),*)))
            }
            Op::Cast { value, ty } if self.space == Space::Lanes && self.is_tangent(of) => {
                let value = self.operand(value, Use::Value).at(Level::Atom);
                Code::atom(quote!(#value.cast::<#ty>()))
            }
            Op::Cast { value, ty } if self.is_tangent(of) && !self.is_float(value) => {
                let value = self.operand(value, Use::Value).tokens;
                Code::new(quote!(#library::NumberTangent::widened(#value) as #ty), Level::Cast, 2)
            }
            Op::Cast { value, ty } => {
                let value = self.operand(value, Use::Value);
                let tokens = value.at(Level::Cast);
                Code::new(quote!(#tokens as #ty), Level::Cast, value.size)
            }
            Op::CastBack { value, width: None } => {
                let value = self.operand(value, Use::Value).at(Level::Cast);
                Code::atom(quote!(#library::NumberTangent::narrowed(#value as f64)))
            }
            Op::CastBack { value, width: Some(width) } => {
                let value = self.operand(value, Use::Value);
                let tokens = value.at(Level::Cast);
                let ty = width_tokens(*width);
                Code::new(quote!(#tokens as #ty), Level::Cast, value.size)
            }
            Op::Read(place) if of.is_some_and(|of| self.once.taken.contains(&of)) => Code::atom(self.name(place.root)),
            Op::Read(place) => self.read(place),
            Op::Tuple(parts) => {
                let parts = self.list(parts);
                Code::atom(quote!((#(#parts,)*)))
            }
            Op::Array(parts) => {
                let parts = self.list(parts);
                Code::atom(quote!([#(#parts),*]))
            }
            Op::Components { constructor, args, .. } => {
                let args = self.list(args);
                Code::atom(quote!(#constructor(#(#args),*)))
            }
            Op::Construct(construct) => self.construct(construct),
            Op::Payload { holder, .. } => {
                let holder = self.name(*holder);
                Code::atom(quote!(::core::clone::Clone::clone(#holder)))
            }
            Op::Split { value, .. } => {
                let value = self.operand(value, Use::Value).tokens;
                Code::atom(quote!(#library::payload::split(#value)))
            }
            Op::Repeat { value, length } => {
                let value = self.operand(value, Use::Value).tokens;
                Code::atom(quote!([#value; #length]))
            }
            Op::Call { callee, args, .. } => Code::atom(self.call(callee, None, args)),
            Op::Map(map) => {
                let mut inputs = map.inputs.iter();
                let Some((receiver, _)) = inputs.next() else { return Code::atom(quote!(())) };
                let receiver = self.receiver(receiver);
                let rest: Vec<_> = inputs.map(|(input, _)| self.argument(input)).collect();
                let (method, source) = (&map.method, &map.source);
                Code::atom(quote!(#receiver.#method(#(#rest,)* #source)))
            }
            Op::Inert { expr, .. } | Op::Formula { expr, .. } => Code::of(expr).sized(8),
            Op::StrongProduct(strong, a, b) => {
                let function = format_ident!("{}", strong.function());
                let (a, b) = (self.operand(a, Use::Value).tokens, self.operand(b, Use::Value).tokens);
                let rules = self.space.rules(library);
                Code::atom(quote!(#rules::#function(#a, #b)))
            }
            Op::StrongQuotient(a, b) => {
                let (a, b) = (self.operand(a, Use::Value).tokens, self.operand(b, Use::Value).tokens);
                let rules = self.space.rules(library);
                Code::atom(quote!(#rules::strong_quotient(#a, #b)))
            }
            Op::Zero(var) => {
                let value = self.borrowed(&Operand::Var(*var));
                Code::atom(self.space.zero_of_value(library, &value))
            }
            Op::ZeroAt(place) => {
                let value = self.borrowed_place(place, false);
                Code::atom(self.space.zero_of_value(library, &value))
            }
            Op::ZeroOf(ty) => Code::atom(zeros(ty, &self.space.zero(library))),
            Op::Scratch { callee, receiver, position, of, place } => {
                let of = match place {
                    Some(place) => self.borrowed_place(place, false),
                    None => self.borrowed(of),
                };
                Code::atom(self.scratch(callee, receiver.as_ref(), *position, &of, self.space))
            }
            Op::Negated(a) => {
                let a = self.borrowed(a);
                Code::atom(quote!(#library::Tangent::negated(#a)))
            }
            Op::Pull { rule, index, args, result, cotangent } => {
                let (rule, pull) = (format_ident!("{}", rule.name), format_ident!("pull_{index}"));
                let args = self.pull_arguments(args, result.as_ref(), cotangent);
                Code::atom(quote!(#library::rules::#rule::#pull(#args)))
            }
            Op::Push { rule, args, dots } => {
                let rule = format_ident!("{}", rule.name);
                let mut active = dots.iter().enumerate().filter(|(_, dot)| dot.is_some()).map(|(index, _)| index);
                let push = match (active.next(), active.next()) {
                    (Some(index), None) => format_ident!("push_{index}"),
                    _ => format_ident!("push"),
                };
                let mut all: Vec<TokenStream> = args.iter().map(|arg| self.rule_argument(arg)).collect();
                all.extend(dots.iter().flatten().map(|dot| self.borrowed(dot)));
                Code::atom(quote!(#library::rules::#rule::#push(#(#all),*)))
            }
            Op::SumOf(var) => {
                let name = self.name(*var);
                Code::atom(quote!(#name.iter().fold(0.0, |__sum, __element| __sum + __element)))
            }
            Op::Snapshot(place) => {
                let _ = of;
                self.read(place)
            }
        }
    }

    fn construct(&mut self, construct: &Construct) -> Code {
        let path = &construct.path;
        let fields: Vec<TokenStream> = construct.fields.iter().map(|(_, field)| self.argument(field)).collect();
        if !construct.braces {
            return Code::atom(quote!(#path(#(#fields),*)));
        }
        let members = construct.fields.iter().map(|(member, _)| member);
        let base = construct.base.as_ref().map(|base| {
            let base = self.operand(base, Use::Value).tokens;
            quote!(..#base)
        });
        Code::atom(quote!(#path { #(#members: #fields,)* #base }))
    }

    /// The arguments of a rule's pullback: the operands, the result where it is read, the cotangent.
    pub fn pull_arguments(&mut self, args: &[Argument], result: Option<&Operand>, cotangent: &Operand) -> TokenStream {
        let mut all: Vec<TokenStream> = args.iter().map(|arg| self.rule_argument(arg)).collect();
        all.extend(result.map(|result| self.borrowed(result)));
        all.push(self.borrowed(cotangent));
        quote!(#(#all),*)
    }
}

impl Place {
    /// `value`, evaluated before the place is borrowed if that takes more than naming it: what may be read is the same variable.
    pub fn apart(&self, value: TokenStream) -> (TokenStream, TokenStream) {
        let named = self.projections.iter().all(|projection| matches!(projection, Projection::Field(_) | Projection::Deref));
        if named { (TokenStream::new(), value) } else { (quote!(let __part = #value;), quote!(__part)) }
    }
}

/// A literal with its type, which rules are chosen by: the function's float type.
fn typed(expr: &syn::Expr, single: bool) -> TokenStream {
    match expr {
        syn::Expr::Lit(literal) => match &literal.lit {
            syn::Lit::Float(float) if float.suffix().is_empty() => {
                let width = if single { "f32" } else { "f64" };
                let zero = if float.base10_digits().ends_with('.') { "0" } else { "" };
                syn::LitFloat::new(&format!("{}{zero}{width}", float.base10_digits()), float.span()).to_token_stream()
            }
            _ => expr.to_token_stream(),
        },
        syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => {
            let inner = typed(&unary.expr, single);
            quote!(-#inner)
        }
        syn::Expr::Paren(inner) => typed(&inner.expr, single),
        _ => quote!((#expr)),
    }
}

/// A zero of a type that is written down.
pub fn zero_of(ty: &Ty) -> TokenStream {
    zeros(ty, &quote!(0.0))
}

/// A value of a type that is written down, with `zero` for each float.
fn zeros(ty: &Ty, zero: &TokenStream) -> TokenStream {
    match ty {
        Ty::Float(_) => zero.clone(),
        Ty::Array(element, Some(length)) => {
            let (zero, length) = (zeros(element, zero), &length.tokens);
            quote!([#zero; #length])
        }
        Ty::Tuple(elements) => {
            let zeros = elements.iter().map(|element| zeros(element, zero));
            quote!((#(#zeros,)*))
        }
        _ => quote!(()),
    }
}

/// The float type of a width.
pub fn width_tokens(width: Width) -> TokenStream {
    match width {
        Width::F32 => quote!(f32),
        Width::F64 => quote!(f64),
        // Nothing is cast to it.
        Width::Parameter => quote!(_),
    }
}
