//! The reverse sweep as statements.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

use super::areas::Areas;
use super::code::Level;
use super::components;
use super::space::Space;
use super::writer::{Use, Writer};
use crate::ir::{
    Block, Body, Loop, LoopKind, Op, Operand, Place, Projection, PullCall, ReverseMap, Scope, Shadow, Sign, Stmt, Ty, VarId, walk,
};
use crate::plan::{Area, Plan};
use crate::sweep::Reverse;

/// Writes the reverse sweep.
pub struct Backward<'a> {
    pub writer: Writer<'a>,
    body: &'a Body,
    plan: &'a Plan,
    areas: &'a Areas,
    /// Hoisted values whose slots have been opened.
    opened: BTreeSet<VarId>,
}

impl<'a> Backward<'a> {
    pub fn new(body: &'a Body, plan: &'a Plan, areas: &'a Areas, writer: Writer<'a>) -> Self {
        Backward { writer, body, plan, areas, opened: BTreeSet::new() }
    }

    /// The whole sweep, up to the cotangents.
    pub fn function(&mut self, reverse: &Reverse) -> TokenStream {
        let mut out = TokenStream::new();
        self.areas.declare_ends(self.plan, &mut out);
        self.statements(&reverse.block, &mut out);
        out
    }

    fn block(&mut self, block: &Block) -> TokenStream {
        let mut out = TokenStream::new();
        let opened = self.opened.clone();
        self.statements(block, &mut out);
        self.writer.settle_all(&mut out);
        self.opened = opened;
        out
    }

    fn statements(&mut self, block: &Block, out: &mut TokenStream) {
        self.open_slots(block, out);
        for stmt in &block.0 {
            self.stmt(stmt, out);
        }
    }

    /// Values that were defined where this block's counterpart ran are there now.
    fn open_slots(&mut self, block: &Block, out: &mut TokenStream) {
        if self.writer.slots.is_empty() {
            return;
        }
        let mut reads = BTreeSet::new();
        for stmt in &block.0 {
            walk::stmt_reads(stmt, &mut |var| {
                reads.insert(var);
            });
            if let Stmt::ReverseMap(reverse) = stmt {
                walk::block_reads(&reverse.body, &mut |var| {
                    reads.insert(var);
                });
            }
        }
        for var in reads {
            if let Some(slot) = self.writer.slots.get(&var).cloned()
                && self.opened.insert(var)
            {
                let name = self.writer.name(var);
                let ty = &self.writer.vars.get(var).ty;
                let value = match ty {
                    // The user's own code reads it, as what it is.
                    Ty::Inactive => quote!(::core::clone::Clone::clone(&#slot)),
                    _ => quote!(#slot.as_ref()),
                };
                let copied = ty.is_copy().then(|| quote!(*));
                let referred = copied.is_none() && *ty != Ty::Inactive;
                quote!(let #name = #copied #value.expect("set where it is needed");).to_tokens(out);
                if referred {
                    self.writer.by_reference.insert(var);
                }
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt, out: &mut TokenStream) {
        match stmt {
            Stmt::Let { var, op: Op::Call { callee, args, saved: Some(saved) } } => {
                // In the closure of a `map`, whose body runs again for each component.
                let call = self.writer.call(callee, Some("pullback"), args);
                let (name, back) = (self.writer.name(*var), self.writer.name(*saved));
                quote!(let (#name, #back) = #call;).to_tokens(out);
            }
            Stmt::Let { var, op } => self.writer.define(*var, op, out),
            Stmt::Declare { var, init: Some(init) } => {
                let value = self.writer.stored(init).tokens;
                self.writer.before_write(stmt, out);
                self.writer.bind(*var, &value, out);
            }
            Stmt::Declare { var, init: None } => {
                let name = self.writer.name(*var);
                quote!(let #name;).to_tokens(out);
            }
            Stmt::Store { place, .. } if place.is_view() => self.writer.change_view(stmt, "store", out),
            Stmt::Update { place, sign, .. } if place.is_view() => self.writer.change_view(stmt, sign.of_views(), out),
            Stmt::Clear(place) if place.is_view() => self.writer.change_view(stmt, "clear", out),
            Stmt::Store { place, value } => {
                let value = self.writer.stored(value);
                let at = self.writer.place_mut(place);
                self.writer.before_write(stmt, out);
                value.assigned_to(&at).to_tokens(out);
            }
            Stmt::Update { place, sign, value } => self.update(stmt, place, *sign, value, out),
            Stmt::Clear(place) => {
                self.writer.before_write(stmt, out);
                let (library, at) = (self.writer.library, self.writer.borrowed_place(place, true));
                quote!(#library::Tangent::clear(#at);).to_tokens(out);
            }
            Stmt::If { cond, then, els } => {
                let cond = self.writer.operand(cond, Use::Value).tokens;
                self.writer.settle_all(out);
                let (then, els) = (self.block(then), self.block(els));
                match (then.is_empty(), els.is_empty()) {
                    (_, true) => quote!(if #cond { #then }).to_tokens(out),
                    (true, false) => quote!(if !(#cond) { #els }).to_tokens(out),
                    (false, false) => quote!(if #cond { #then } else { #els }).to_tokens(out),
                }
            }
            Stmt::Unless { scope, code, body } => self.unless(*scope, *code, body, out),
            Stmt::ReverseLoop { forward, body } => self.looping(forward, body, out),
            Stmt::ReverseMatch { chosen, arms } => self.matching(*chosen, arms, out),
            Stmt::PullInto { rule, index, args, result, cotangent, place } => {
                let args = self.writer.pull_arguments(args, result.as_ref(), cotangent);
                self.writer.before_write(stmt, out);
                let (rule, pull) = (format_ident!("{}", rule.name), format_ident!("pull_{index}_into"));
                let (library, at) = (self.writer.library, self.writer.borrowed_place(place, true));
                quote!(#library::rules::#rule::#pull(#args, #at);).to_tokens(out);
            }
            Stmt::PullCall(pull) => {
                self.call(stmt, pull, out);
            }
            Stmt::ReverseMap(reverse) => self.map(reverse, out),
            _ => {}
        }
    }

    fn update(&mut self, stmt: &Stmt, place: &Place, sign: Sign, value: &Operand, out: &mut TokenStream) {
        if self.writer.vars.place_type(place).is_float() {
            let value = self.writer.operand(value, Use::Value).tokens;
            let at = self.writer.place_mut(place);
            self.writer.before_write(stmt, out);
            match sign {
                Sign::Plus => quote!(#at += #value;).to_tokens(out),
                Sign::Minus => quote!(#at -= #value;).to_tokens(out),
            }
            return;
        }
        let value = self.writer.borrowed(value);
        self.writer.before_write(stmt, out);
        let library = self.writer.library;
        let slice = matches!(self.writer.vars.place_type(place), Ty::Slice(_));
        let at = self.writer.borrowed_place(place, true);
        let (before, value) = place.apart(value);
        match (sign, slice) {
            (Sign::Plus, false) => quote!(#before #library::Tangent::accumulate(#at, #value);),
            (Sign::Minus, false) => quote!(#before #library::Tangent::deduct(#at, #value);),
            (Sign::Plus, true) => quote!(#before #library::accumulate_slice(#at, #value);),
            (Sign::Minus, true) => quote!(#before #library::deduct_slice(#at, #value);),
        }
        .to_tokens(out);
    }

    fn unless(&mut self, scope: Scope, code: u32, body: &Block, out: &mut TokenStream) {
        self.writer.settle_all(out);
        let exit = match scope {
            Scope::Function => self.body.exit,
            Scope::Loop(id) => self.areas.exit_of(id),
        };
        let (exit, code) = (self.writer.name(exit).clone(), proc_macro2::Literal::u32_unsuffixed(code));
        let body = self.block(body);
        quote!(if #exit < #code { #body }).to_tokens(out);
    }

    fn matching(&mut self, chosen: VarId, arms: &[Block], out: &mut TokenStream) {
        self.writer.settle_all(out);
        let name = self.writer.name(chosen).clone();
        let mut tokens = TokenStream::new();
        for (number, arm) in arms.iter().enumerate() {
            let body = self.block(arm);
            if !body.is_empty() {
                let number = proc_macro2::Literal::usize_unsuffixed(number);
                quote!(#number => { #body }).to_tokens(&mut tokens);
            }
        }
        quote!(match #name { #tokens _ => {} }).to_tokens(out);
    }

    fn looping(&mut self, forward: &Loop, body: &Block, out: &mut TokenStream) {
        let range = match (&forward.kind, forward.abrupt) {
            (LoopKind::Range { var, low, high, inclusive, reversed }, false) => {
                let low = self.writer.operand(low, Use::Value).at(Level::Sum);
                let high = self.writer.operand(high, Use::Value).at(Level::Sum);
                let dots = if *inclusive { quote!(..=) } else { quote!(..) };
                let range = if *reversed { quote!(#low #dots #high) } else { quote!((#low #dots #high).rev()) };
                Some((*var, range))
            }
            _ => None,
        };
        self.writer.settle_all(out);
        let opened = self.opened.clone();
        let area = self.plan.areas.get(&forward.id);
        let fields = area.map(|area| self.unpack(area));
        let body = self.block(body);
        self.opened = opened;
        let index = range.filter(|(var, _)| self.plan.needed.contains(var));
        let header = match (self.areas.names(forward.id), area, index) {
            (Some((name, end)), Some(area), index) => {
                let records = if area.nested {
                    let start = self.writer.name(forward.start);
                    quote!(#name.records(#start..#end).rev())
                } else {
                    quote!(#name.records(0..#name.len()).rev())
                };
                match index {
                    Some((var, range)) => {
                        let (var, range) = (self.writer.name(var), parenthesised(&range));
                        quote!(for (#var, __record) in #range.zip(#records))
                    }
                    None => quote!(for __record in #records),
                }
            }
            (_, _, Some((var, range))) => {
                let var = self.writer.name(var);
                quote!(for #var in #range)
            }
            _ => self.blind(forward),
        };
        quote!(#header { #fields #body }).to_tokens(out);
        if let (Some(area), Some((_, end))) = (area, self.areas.names(forward.id))
            && area.nested
        {
            let start = self.writer.name(forward.start);
            quote!(#end = #start;).to_tokens(out);
        }
    }

    /// A loop whose iterations read nothing of their own.
    fn blind(&mut self, forward: &Loop) -> TokenStream {
        match (&forward.kind, forward.abrupt) {
            (LoopKind::Range { low, high, inclusive, .. }, false) => {
                let low = self.writer.operand(low, Use::Value).at(Level::Sum);
                let high = self.writer.operand(high, Use::Value).at(Level::Sum);
                let dots = if *inclusive { quote!(..=) } else { quote!(..) };
                quote!(for _ in #low #dots #high)
            }
            (LoopKind::Once, _) => TokenStream::new(),
            _ => {
                let trips = self.writer.name(forward.trips);
                quote!(for _ in 0..#trips)
            }
        }
    }

    /// `let (a, ref b) = *record;`
    fn unpack(&mut self, area: &Area) -> TokenStream {
        let mut patterns = Vec::new();
        for &var in &area.fields {
            if let Some(slot) = self.writer.slots.get(&var) {
                patterns.push(quote!(ref #slot));
                continue;
            }
            let name = self.writer.name(var).clone();
            if self.writer.vars.get(var).ty.is_copy() {
                patterns.push(quote!(#name));
            } else {
                self.writer.by_reference.insert(var);
                patterns.push(quote!(ref #name));
            }
        }
        if let ([var], false) = (area.fields.as_slice(), self.writer.vars.get(area.fields[0]).ty.is_copy()) {
            let name = self.writer.slots.get(var).unwrap_or_else(|| self.writer.name(*var));
            return quote!(let #name = __record;);
        }
        if patterns.len() == 1 { quote!(let #(#patterns)* = *__record;) } else { quote!(let (#(#patterns),*) = *__record;) }
    }

    fn call(&mut self, stmt: &Stmt, pull: &PullCall, out: &mut TokenStream) {
        let library = self.writer.library;
        let mut args: Vec<TokenStream> = pull.references.iter().map(|reference| self.writer.argument(reference)).collect();
        args.push(self.writer.operand(&pull.seed, Use::Value).tokens);
        self.writer.before_write(stmt, out);
        let mut after = TokenStream::new();
        for (number, shadow) in pull.shadows.iter().enumerate() {
            match shadow {
                Shadow::Place(place) => args.push(self.writer.borrowed_place(place, true)),
                Shadow::Scratch { position, of, made, add_to } => {
                    let name = format_ident!("__scratch{number}", span = proc_macro2::Span::mixed_site());
                    let scratch = match made {
                        Some(made) => self.writer.operand(&Operand::Var(*made), Use::Value).tokens,
                        None => {
                            let of = self.writer.borrowed_place(of, false);
                            self.writer.scratch(&pull.callee, pull.receiver.as_ref(), *position, &of, Space::Single)
                        }
                    };
                    quote!(let mut #name = #scratch;).to_tokens(out);
                    args.push(quote!(&mut #name));
                    if let Some(place) = add_to {
                        let slice = matches!(self.writer.vars.place_type(place), Ty::Slice(_) | Ty::Array(..));
                        let at = self.writer.borrowed_place(place, true);
                        let add = if slice { quote!(accumulate_slice) } else { quote!(Tangent::accumulate) };
                        quote!(#library::#add(#at, &#name);).to_tokens(&mut after);
                    }
                }
            }
        }
        let saved = self.writer.name(pull.saved);
        if pull.results.iter().any(Option::is_some) {
            let results = pull.results.iter().map(|result| match result {
                Some(var) => self.writer.name(*var).to_token_stream(),
                None => quote!(_),
            });
            quote!(let (#(#results,)*) = #saved(#(#args),*);).to_tokens(out);
        } else {
            quote!(#saved(#(#args),*);).to_tokens(out);
        }
        out.extend(after);
    }

    /// One pass over the components of everything that the closure's reverse reads or adds to.
    fn map(&mut self, reverse: &ReverseMap, out: &mut TokenStream) {
        self.writer.settle_all(out);
        let mut reads = BTreeSet::new();
        walk::block_reads(&reverse.body, &mut |var| {
            reads.insert(var);
        });
        reverse.outputs.iter().flatten().for_each(|(_, bar)| {
            reads.insert(*bar);
        });
        let mut iterators: Vec<(TokenStream, TokenStream)> = Vec::new();
        for (input, element) in &reverse.map.inputs {
            if reads.contains(element) {
                let (name, whole) = (self.writer.name(*element).clone(), components::whole(&mut self.writer, input));
                iterators.push((quote!(&#name), quote!(#whole.iter())));
            }
        }
        if let (Some(result), Operand::Var(component)) = (reverse.result, &reverse.map.result) {
            let (name, whole) = (self.writer.name(*component), self.writer.name(result));
            iterators.push((quote!(&#name), quote!(#whole.iter())));
        }
        let (seed, cotangent) = (self.writer.name(reverse.seed), self.writer.name(reverse.cotangent));
        iterators.push((quote!(&#seed), quote!(#cotangent.iter())));
        let mut updates = TokenStream::new();
        let mut targets: Vec<(String, syn::Ident)> = Vec::new();
        for (number, (place, bar)) in reverse.outputs.iter().flatten().enumerate() {
            let key = place.key(self.writer.vars);
            let name = match targets.iter().find(|(known, _)| *known == key) {
                Some((_, name)) => name.clone(),
                None => {
                    let name = format_ident!("__component{number}", span = proc_macro2::Span::mixed_site());
                    let whole = match place.projections.as_slice() {
                        [] | [Projection::Deref] => self.writer.name(place.root).to_token_stream(),
                        _ => self.writer.place(place),
                    };
                    iterators.push((quote!(#name), quote!(#whole.iter_mut())));
                    targets.push((key, name.clone()));
                    name
                }
            };
            let bar = self.writer.name(*bar);
            quote!(*#name += #bar;).to_tokens(&mut updates);
        }
        let body = self.block(&reverse.body);
        components::each(iterators, &quote!(#body #updates)).to_tokens(out);
    }
}

/// A range that is followed by a method call.
fn parenthesised(range: &TokenStream) -> TokenStream {
    let text = range.to_string();
    if text.ends_with(')') { range.clone() } else { quote!((#range)) }
}
