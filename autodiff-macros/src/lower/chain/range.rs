//! The loop that runs a source.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, Ident, Pat, parse_quote};

use super::super::{Lowering, Value};
use super::source::Source;
use crate::diag::Origin;
use crate::ir::{Block, LoopKind, Op, Operand, Role, Ty, VarId};

/// What a loop's variables say of the item of a source.
enum Cursor {
    /// Its number.
    At(Operand),
    /// The item itself, which is inactive.
    Item(VarId),
    Counted(VarId, Box<Cursor>),
    Pair(Box<Cursor>, Box<Cursor>),
}

/// A loop's head in the making.
struct Head {
    reads: Vec<VarId>,
    bindings: Vec<VarId>,
}

impl<'a> Lowering<'a> {
    /// The loop over `source`; `hint` is the user's name for a number of a range.
    pub(super) fn run(
        &mut self,
        source: &Source,
        origin: Origin,
        hint: Option<&Ident>,
        body: impl FnOnce(&mut Self, Value),
    ) -> (LoopKind, Block) {
        let (base, reversed) = match source {
            Source::Reversed(inner, _) if !inner.is_run() || matches!(**inner, Source::Range { high: Some(_), .. }) => (&**inner, true),
            other => (other, false),
        };
        if let Source::Range { low, high: Some(high), inclusive } = base {
            let var = match hint {
                Some(name) => self.vars.user(name, Ty::Int, Role::User, false),
                None => self.vars.named("i", origin, Ty::Int, Role::User, false),
            };
            self.constants.insert(var);
            let kind = LoopKind::Range { var, low: low.clone(), high: high.clone(), inclusive: *inclusive, reversed };
            let (body, ()) = self.nested(|lowering| body(lowering, Value::Operand(Operand::Var(var))));
            return (kind, body);
        }
        let mut base = base.clone();
        self.settle_lengths(&mut base, origin);
        let end = if base.is_run() { None } else { self.extent(&base) };
        match end {
            Some(length) => {
                let high = self.steering_text(length, origin);
                let var = self.vars.named("k", origin, Ty::Int, Role::User, false);
                self.constants.insert(var);
                let low = Operand::Const(Box::new(match high {
                    Operand::Const(_) => parse_quote!(0usize),
                    Operand::Var(_) => parse_quote!(0),
                }));
                let (body, ()) = self.nested(|lowering| {
                    let item = lowering.item_at(&base, &Operand::Var(var), origin);
                    body(lowering, item);
                });
                (LoopKind::Range { var, low, high, inclusive: false, reversed }, body)
            }
            None => self.run_iterator(&base, origin, body),
        }
    }

    /// The loop over an iterator of std that is made of the source's parts.
    fn run_iterator(&mut self, source: &Source, origin: Origin, body: impl FnOnce(&mut Self, Value)) -> (LoopKind, Block) {
        let mut head = Head { reads: Vec::new(), bindings: Vec::new() };
        let (pattern, iterator, cursor) = self.head(source, origin, &mut head);
        let pattern: Pat = parse_quote!(#pattern);
        let (body, ()) = self.nested(|lowering| {
            let item = lowering.item_under(source, &cursor, origin);
            body(lowering, item);
        });
        head.reads.sort_unstable();
        head.reads.dedup();
        (LoopKind::Iterator { pattern, bindings: head.bindings, iterator: Box::new(iterator), reads: head.reads }, body)
    }

    fn loop_variable(&mut self, hint: &str, ty: Ty, origin: Origin, head: &mut Head) -> (VarId, TokenStream) {
        let var = self.vars.named(hint, origin, ty, Role::User, false);
        self.constants.insert(var);
        head.bindings.push(var);
        (var, self.vars.get(var).name.to_token_stream())
    }

    /// The iterator, the pattern of its items, and what the names in that say.
    fn head(&mut self, source: &Source, origin: Origin, head: &mut Head) -> (TokenStream, Expr, Cursor) {
        if !source.is_run() {
            let (var, name) = self.loop_variable("k", Ty::Int, origin, head);
            let numbers = match self.extent(source) {
                Some((length, reads)) => {
                    head.reads.extend(reads);
                    parse_quote!((0usize..#length))
                }
                None => parse_quote!((0usize..)),
            };
            return (name, numbers, Cursor::At(Operand::Var(var)));
        }
        match source {
            Source::Range { low, high, inclusive } => {
                let (var, name) = self.loop_variable("i", Ty::Int, origin, head);
                let low = self.spell_operand(low, &mut head.reads);
                let high = high.as_ref().map(|high| self.spell_operand(high, &mut head.reads));
                let range = if *inclusive { parse_quote!((#low..=#high)) } else { parse_quote!((#low..#high)) };
                (name, range, Cursor::Item(var))
            }
            Source::Opaque { iterator, reads } => {
                let (var, name) = self.loop_variable("item", Ty::Inactive, origin, head);
                head.reads.extend(reads);
                (name, (**iterator).clone(), Cursor::Item(var))
            }
            Source::Enumerated(inner) => {
                let (var, number) = self.loop_variable("n", Ty::Int, origin, head);
                let (pattern, iterator, cursor) = self.head(inner, origin, head);
                let pattern = quote!((#number, #pattern));
                (pattern, parse_quote!(::core::iter::Iterator::enumerate(#iterator)), Cursor::Counted(var, Box::new(cursor)))
            }
            Source::Zipped(left, right) => {
                let (left_pattern, left, first) = self.head(left, origin, head);
                let (right_pattern, right, second) = self.head(right, origin, head);
                let pattern = quote!((#left_pattern, #right_pattern));
                (pattern, parse_quote!(::core::iter::Iterator::zip(#left, #right)), Cursor::Pair(Box::new(first), Box::new(second)))
            }
            Source::Mapped(inner, _) | Source::Dereferenced(inner) => self.head(inner, origin, head),
            Source::Reversed(inner, _) => self.adapted("rev", inner, None, origin, head),
            Source::Cycled(inner, _) => self.adapted("cycle", inner, None, origin, head),
            Source::Skipped(inner, count) => self.adapted("skip", inner, Some(count), origin, head),
            Source::Taken(inner, count) => self.adapted("take", inner, Some(count), origin, head),
            Source::Stepped(inner, step) => self.adapted("step_by", inner, Some(step), origin, head),
            Source::Elements { .. } | Source::Lines { .. } | Source::Windows { .. } | Source::Chunks { .. } | Source::Repeat(_) => {
                unreachable!("these are not run")
            }
        }
    }

    fn adapted(
        &mut self,
        adaptor: &str,
        inner: &Source,
        argument: Option<&Operand>,
        origin: Origin,
        head: &mut Head,
    ) -> (TokenStream, Expr, Cursor) {
        let (pattern, iterator, cursor) = self.head(inner, origin, head);
        let adaptor = Ident::new(adaptor, proc_macro2::Span::mixed_site());
        let argument = argument.map(|argument| self.spell_operand(argument, &mut head.reads)).into_iter();
        (pattern, parse_quote!(::core::iter::Iterator::#adaptor(#iterator #(, #argument)*)), cursor)
    }

    fn item_under(&mut self, source: &Source, cursor: &Cursor, origin: Origin) -> Value {
        match (source, cursor) {
            (source, Cursor::At(at)) => self.item_at(source, at, origin),
            (Source::Enumerated(inner), Cursor::Counted(number, cursor)) => {
                Value::Tuple(vec![Value::Operand(Operand::Var(*number)), self.item_under(inner, cursor, origin)])
            }
            (Source::Zipped(left, right), Cursor::Pair(first, second)) => {
                Value::Tuple(vec![self.item_under(left, first, origin), self.item_under(right, second, origin)])
            }
            (Source::Mapped(inner, function), cursor) => {
                let item = self.item_under(inner, cursor, origin);
                self.apply(function, vec![item], origin)
            }
            (Source::Dereferenced(inner), cursor) => {
                let item = self.item_under(inner, cursor, origin);
                self.copied(item, origin)
            }
            (
                Source::Reversed(inner, _)
                | Source::Cycled(inner, _)
                | Source::Skipped(inner, _)
                | Source::Taken(inner, _)
                | Source::Stepped(inner, _),
                cursor,
            ) => self.item_under(inner, cursor, origin),
            (_, Cursor::Item(var)) => Value::Operand(Operand::Var(*var)),
            (_, Cursor::Counted(..) | Cursor::Pair(..)) => Value::Never,
        }
    }

    /// What `*item` is.
    pub(super) fn copied(&mut self, item: Value, origin: Origin) -> Value {
        match item {
            Value::Operand(operand @ Operand::Var(_)) => {
                let mut reads = Vec::new();
                let name = self.spell_operand(&operand, &mut reads);
                let copy = self.value(origin, Ty::Inactive, Op::Inert { expr: Box::new(parse_quote!(*#name)), reads });
                if let Operand::Var(var) = copy {
                    self.constants.insert(var);
                }
                Value::Operand(copy)
            }
            other => other.referent().unwrap_or(other),
        }
    }
}
