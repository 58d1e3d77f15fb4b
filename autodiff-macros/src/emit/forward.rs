//! The forward sweep: the primal's statements, with what the plan saves put into save areas.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Lifetime;

use super::areas::Areas;
use super::code::Level;
use super::components;
use super::writer::{Use, Writer, zero_of};
use crate::ir::{Block, Body, Callee, Exit, Loop, LoopId, LoopKind, Op, Operand, Scope, Sign, Stmt, TangentMap, Ty, VarId, walk};
use crate::parse::Primal;
use crate::plan::Plan;
use crate::sweep::forward::literal_zero;

/// Writes the forward sweep.
pub struct Forward<'a> {
    pub writer: Writer<'a>,
    primal: &'a Primal,
    /// The function beside a callee that is called: its pullback, or its tangent sweep.
    function: &'static str,
    body: &'a Body,
    plan: &'a Plan,
    areas: &'a Areas,
    /// The loops that are open, outermost first.
    open: Vec<LoopId>,
    hoisted: BTreeSet<VarId>,
    /// What the sweep itself reads.
    read: BTreeSet<VarId>,
    /// Exit codes that are recorded.
    recorded: BTreeSet<Scope>,
}

impl<'a> Forward<'a> {
    pub fn new(primal: &'a Primal, function: &'static str, body: &'a Body, plan: &'a Plan, areas: &'a Areas, writer: Writer<'a>) -> Self {
        let mut read = BTreeSet::new();
        walk::block_reads(&body.root, &mut |var| {
            read.insert(var);
        });
        walk::operand(&body.result, &mut |var| {
            read.insert(var);
        });
        let hoisted = plan.hoisted.values().flatten().copied().collect();
        let mut recorded = BTreeSet::new();
        if plan.needed.contains(&body.exit) {
            recorded.insert(Scope::Function);
        }
        walk::statements(&body.root, &mut |stmt| {
            if let Stmt::Loop(looping) = stmt
                && plan.needed.contains(&looping.exit)
            {
                recorded.insert(Scope::Loop(looping.id));
            }
        });
        Forward { writer, primal, function, body, plan, areas, open: Vec::new(), hoisted, read, recorded }
    }

    /// The whole sweep, up to the result.
    pub fn function(&mut self) -> TokenStream {
        let mut out = TokenStream::new();
        let items = &self.body.items;
        quote!(#(#items)*).to_tokens(&mut out);
        self.areas.declare(&mut out);
        self.begin_scope(Scope::Function, self.body.exit, &mut out);
        let stmts = &self.body.root.0;
        let early = stmts.iter().position(|stmt| walk::least_exit(stmt, Scope::Function).is_some()).unwrap_or(stmts.len());
        self.statements(&stmts[..early], &mut out);
        if early < stmts.len() {
            self.writer.settle_all(&mut out);
            let mut rest = TokenStream::new();
            self.statements(&stmts[early..], &mut rest);
            self.writer.settle_all(&mut rest);
            quote!('__body: { #rest }).to_tokens(&mut out);
        }
        out
    }

    fn begin_scope(&mut self, scope: Scope, exit: VarId, out: &mut TokenStream) {
        if self.recorded.contains(&scope) {
            let name = self.writer.name(exit);
            quote!(let mut #name = 0u32;).to_tokens(out);
        }
        for &var in self.plan.hoisted.get(&scope).into_iter().flatten() {
            let facts = self.writer.vars.get(var);
            match self.writer.slots.get(&var) {
                Some(slot) => quote!(let mut #slot = ::core::option::Option::None;).to_tokens(out),
                None => {
                    let (name, zero) = (&facts.name, placeholder(&facts.ty));
                    let ty = facts.ascription.as_ref().map(|ty| quote!(: #ty));
                    quote!(let mut #name #ty = #zero;).to_tokens(out);
                }
            }
        }
    }

    fn block(&mut self, block: &Block) -> TokenStream {
        let mut out = TokenStream::new();
        self.statements(&block.0, &mut out);
        self.writer.settle_all(&mut out);
        out
    }

    fn statements(&mut self, stmts: &[Stmt], out: &mut TokenStream) {
        for stmt in stmts {
            self.stmt(stmt, out);
        }
    }

    /// Keeps the value of a hoisted variable that has just been defined.
    fn keep(&self, var: VarId, out: &mut TokenStream) {
        if let Some(slot) = self.writer.slots.get(&var) {
            let name = self.writer.name(var);
            quote!(#slot = ::core::option::Option::Some(::core::clone::Clone::clone(&#name));).to_tokens(out);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, out: &mut TokenStream) {
        if let Stmt::Let { op: Op::Inert { .. }, .. } = stmt {
            self.writer.before_write(stmt, out);
        }
        match stmt {
            // A template that the reverse sweep does not ask for.
            Stmt::Let { op: Op::Zero(_) | Op::ZeroAt(_), var } if !self.plan.needed.contains(var) && !self.read.contains(var) => {}
            Stmt::Let { var, op: Op::Call { callee, args, saved } } => {
                self.writer.before_write(stmt, out);
                self.call(*var, callee, args, *saved, out);
            }
            Stmt::Let { var, op: op @ Op::Split { error, .. } } => {
                let (code, name, error) = (self.writer.op(op, Some(*var)).tokens, self.writer.name(*var), self.writer.name(*error));
                quote!(let (#name, #error) = #code;).to_tokens(out);
                self.keep(*var, out);
            }
            Stmt::Let { var, op } if self.hoisted.contains(var) && !self.writer.slots.contains_key(var) => {
                let (code, name) = (self.writer.op(op, Some(*var)).tokens, self.writer.name(*var));
                quote!(#name = #code;).to_tokens(out);
            }
            Stmt::Let { var, op } => {
                self.writer.define(*var, op, out);
                self.keep(*var, out);
            }
            Stmt::Declare { var, init } => self.declare(stmt, *var, init.as_ref(), out),
            Stmt::Store { place, value } => {
                if place.is_view() {
                    return self.writer.change_view(stmt, "store", out);
                }
                let value = self.writer.stored(value);
                let at = self.writer.place_mut(place);
                self.writer.before_write(stmt, out);
                value.assigned_to(&at).to_tokens(out);
                if place.projections.is_empty() {
                    self.keep(place.root, out);
                }
            }
            Stmt::Update { place, sign, .. } if place.is_view() => self.writer.change_view(stmt, sign.of_views(), out),
            Stmt::Update { place, sign, value } => {
                let value = self.writer.operand(value, Use::Plain).tokens;
                let at = self.writer.place_mut(place);
                self.writer.before_write(stmt, out);
                let (before, value) = place.apart(value);
                match sign {
                    Sign::Plus => quote!(#before #at += #value;).to_tokens(out),
                    Sign::Minus => quote!(#before #at -= #value;).to_tokens(out),
                }
            }
            Stmt::If { cond, then, els } => {
                let cond = self.writer.operand(cond, Use::Value).tokens;
                self.writer.settle_all(out);
                let (then, els) = (self.block(then), self.block(els));
                if els.is_empty() {
                    quote!(if #cond { #then }).to_tokens(out);
                } else {
                    quote!(if #cond { #then } else { #els }).to_tokens(out);
                }
            }
            Stmt::Match(matching) => self.matching(matching, out),
            Stmt::Loop(looping) => self.looping(looping, out),
            Stmt::Clear(place) if place.is_view() => self.writer.change_view(stmt, "clear", out),
            Stmt::TangentMap(tangent) => self.map(tangent, out),
            Stmt::Exit { kind, code, .. } => self.exit(*kind, *code, out),
            Stmt::Inert { tokens, .. } => {
                self.writer.settle_all(out);
                tokens.to_tokens(out);
            }
            _ => {}
        }
    }

    fn declare(&mut self, stmt: &Stmt, var: VarId, init: Option<&Operand>, out: &mut TokenStream) {
        let facts = self.writer.vars.get(var);
        let chosen = facts.ty == Ty::Int && facts.late && !self.plan.needed.contains(&var) && facts.role == crate::ir::Role::Temporary;
        if chosen || (self.hoisted.contains(&var) && !self.writer.slots.contains_key(&var)) {
            return;
        }
        let (name, ty) = (facts.name.clone(), facts.ascription.as_ref().map(|ty| quote!(: #ty)));
        match init {
            Some(init) => {
                let init = self.writer.stored(init).tokens;
                self.writer.before_write(stmt, out);
                let mutable = self.writer.written.contains(&var).then(|| quote!(mut));
                quote!(let #mutable #name #ty = #init;).to_tokens(out);
            }
            None => {
                let mutable = (!facts.late).then(|| quote!(mut));
                quote!(let #mutable #name #ty;).to_tokens(out);
            }
        }
    }

    fn call(&mut self, var: VarId, callee: &Callee, args: &[crate::ir::Argument], saved: Option<VarId>, out: &mut TokenStream) {
        let Some(saved) = saved else {
            let call = self.writer.call(callee, None, args);
            if self.hoisted.contains(&var) && !self.writer.slots.contains_key(&var) {
                let name = self.writer.name(var);
                quote!(#name = #call;).to_tokens(out);
            } else {
                self.writer.bind(var, &call, out);
                self.keep(var, out);
            }
            return;
        };
        // A closure of the function in itself must be boxed: its type would contain itself.
        let boxed = self.primal.is_own(callee) && !self.function.starts_with("pushforward");
        let call = self.writer.call(callee, Some(if boxed { "recursive" } else { self.function }), args);
        let (name, back) = (self.writer.name(var), self.writer.name(saved));
        let assigned = self.hoisted.contains(&var) && !self.writer.slots.contains_key(&var);
        if assigned {
            let inner = syn::Ident::new("__value", name.span());
            quote!(let (#inner, #back) = #call; #name = #inner;).to_tokens(out);
        } else {
            quote!(let (#name, #back) = #call;).to_tokens(out);
        }
        self.keep(var, out);
        if let Some(slot) = self.writer.slots.get(&saved) {
            quote!(#slot = ::core::option::Option::Some(#back);).to_tokens(out);
        }
    }

    /// The tangent of a `map`, component by component.
    fn map(&mut self, tangent: &TangentMap, out: &mut TokenStream) {
        self.writer.settle_all(out);
        let mut reads = BTreeSet::new();
        walk::block_reads(&tangent.body, &mut |var| {
            reads.insert(var);
        });
        if let Operand::Var(result) = tangent.result {
            reads.insert(result);
        }
        let mut iterators = Vec::new();
        for ((input, element), dot) in tangent.map.inputs.iter().zip(&tangent.inputs) {
            for (input, element) in [Some((input, element)), dot.as_ref().map(|(input, element)| (input, element))].into_iter().flatten() {
                if reads.contains(element) {
                    let (name, whole) = (self.writer.name(*element).clone(), components::whole(&mut self.writer, input));
                    iterators.push((quote!(&#name), quote!(#whole.iter())));
                }
            }
        }
        let (value, dot) = (self.writer.name(tangent.value).clone(), self.writer.name(tangent.dot).clone());
        iterators.push((quote!(__component), quote!(#dot.iter_mut())));
        let mut body = TokenStream::new();
        self.statements(&tangent.body.0, &mut body);
        let result = self.writer.operand(&tangent.result, Use::Value).tokens;
        self.writer.settle_all(&mut body);
        quote!(let mut #dot = ::core::clone::Clone::clone(&#value);).to_tokens(out);
        components::each(iterators, &quote!(#body *__component = #result;)).to_tokens(out);
        self.keep(tangent.dot, out);
    }

    fn matching(&mut self, matching: &crate::ir::Match, out: &mut TokenStream) {
        self.writer.settle_all(out);
        let scrutinee = &matching.scrutinee;
        let mut arms = TokenStream::new();
        for (number, arm) in matching.arms.iter().enumerate() {
            let mut body = TokenStream::new();
            if self.plan.needed.contains(&matching.chosen) {
                let (chosen, number) = (self.writer.name(matching.chosen), proc_macro2::Literal::usize_unsuffixed(number));
                quote!(#chosen = #number;).to_tokens(&mut body);
            }
            arm.bindings.iter().for_each(|&var| self.keep(var, &mut body));
            self.block(&arm.body).to_tokens(&mut body);
            let (pattern, guard) = (&arm.pattern, arm.guard.as_ref().map(|guard| quote!(if #guard)));
            quote!(#pattern #guard => { #body }).to_tokens(&mut arms);
        }
        quote!(match #scrutinee { #arms }).to_tokens(out);
    }

    fn looping(&mut self, looping: &Loop, out: &mut TokenStream) {
        let header = self.loop_header(looping, out);
        self.areas.note_start(looping, self.plan, &self.writer, out);
        let counted = self.plan.counted.contains(&looping.id);
        let trips = self.writer.name(looping.trips).clone();
        if counted {
            let declares = (!self.hoisted.contains(&looping.trips)).then(|| quote!(let mut));
            quote!(#declares #trips = 0usize;).to_tokens(out);
        }
        let mut body = TokenStream::new();
        if counted {
            quote!(#trips += 1;).to_tokens(&mut body);
        }
        self.open.push(looping.id);
        self.begin_scope(Scope::Loop(looping.id), looping.exit, &mut body);
        if let LoopKind::Iterator { bindings, .. } = &looping.kind {
            bindings.iter().for_each(|&var| self.keep(var, &mut body));
        }
        self.statements(&looping.body.0, &mut body);
        self.writer.settle_all(&mut body);
        self.open.pop();
        let ends = looping.body.0.last().is_none_or(|last| !matches!(last, Stmt::Exit { .. }));
        if ends {
            self.areas.push(looping.id, self.plan, &self.writer, &mut body);
        }
        let label = looping.exits.then(|| {
            let label = label(looping.id);
            quote!(#label:)
        });
        quote!(#label #header { #body }).to_tokens(out);
    }

    fn loop_header(&mut self, looping: &Loop, out: &mut TokenStream) -> TokenStream {
        match &looping.kind {
            LoopKind::Range { var, low, high, inclusive, reversed } => {
                let low = self.writer.operand(low, Use::Value).at(Level::Sum);
                let high = self.writer.operand(high, Use::Value).at(Level::Sum);
                self.writer.settle_all(out);
                let dots = if *inclusive { quote!(..=) } else { quote!(..) };
                self.areas.reserve(looping, self.plan, &quote!(#low #dots #high), out);
                let range = if *reversed { quote!((#low #dots #high).rev()) } else { quote!(#low #dots #high) };
                let name = self.writer.name(*var);
                quote!(for #name in #range)
            }
            LoopKind::Iterator { pattern, iterator, .. } => {
                self.writer.settle_all(out);
                quote!(for #pattern in #iterator)
            }
            LoopKind::While { header, cond } => {
                self.writer.settle_all(out);
                let mut before = TokenStream::new();
                self.statements(&header.0, &mut before);
                let cond = self.writer.operand(cond, Use::Value).tokens;
                self.writer.settle_all(&mut before);
                if before.is_empty() { quote!(while #cond) } else { quote!(while { #before #cond }) }
            }
            LoopKind::Once => {
                self.writer.settle_all(out);
                TokenStream::new()
            }
            LoopKind::Endless => {
                self.writer.settle_all(out);
                quote!(loop)
            }
        }
    }

    /// Records why each scope is left, and the last record of each loop, and jumps.
    fn exit(&mut self, kind: Exit, code: u32, out: &mut TokenStream) {
        self.writer.settle_all(out);
        let depth = match kind {
            Exit::Return => 0,
            Exit::Break(target) | Exit::Continue(target) => self.open.iter().position(|open| *open == target).unwrap_or(0),
        };
        let code = proc_macro2::Literal::u32_unsuffixed(code);
        for id in self.open[depth..].iter().rev() {
            if self.recorded.contains(&Scope::Loop(*id)) {
                let exit = self.writer.name(self.areas.exit_of(*id));
                quote!(#exit = #code;).to_tokens(out);
            }
        }
        if kind == Exit::Return && self.recorded.contains(&Scope::Function) {
            let exit = self.writer.name(self.body.exit);
            quote!(#exit = #code;).to_tokens(out);
        }
        for id in self.open[depth..].iter().rev() {
            self.areas.push(*id, self.plan, &self.writer, out);
        }
        match kind {
            Exit::Break(id) => {
                let label = label(id);
                quote!(break #label;).to_tokens(out);
            }
            Exit::Continue(id) => {
                let label = label(id);
                quote!(continue #label;).to_tokens(out);
            }
            Exit::Return => quote!(break '__body;).to_tokens(out),
        }
    }
}

/// The label of a loop.
fn label(id: LoopId) -> Lifetime {
    Lifetime::new(&format!("'__loop{}", id.0), proc_macro2::Span::mixed_site())
}

/// What a hoisted variable holds before its definition is reached.
pub fn placeholder(ty: &Ty) -> TokenStream {
    match ty {
        Ty::Int => quote!(0),
        Ty::Bool => quote!(false),
        Ty::Array(element, Some(length)) => {
            let (element, length) = (placeholder(element), &length.tokens);
            quote!([#element; #length])
        }
        Ty::Tuple(elements) => {
            let elements = elements.iter().map(placeholder);
            quote!((#(#elements,)*))
        }
        other => zero_of(other),
    }
}

/// Whether there is such a placeholder.
pub fn has_placeholder(ty: &Ty) -> bool {
    ty.is_copy() && literal_zero(ty)
}
