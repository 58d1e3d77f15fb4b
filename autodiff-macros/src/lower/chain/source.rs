//! Sources: what is iterated over, as a function of a number.

use quote::ToTokens;
use syn::{Expr, parse_quote};

use super::super::steer::atom;
use super::super::{Lowering, Value};
use super::Function;
use crate::diag::Origin;
use crate::ir::{Op, Operand, Place, Projection, Ty, VarId};

/// Items that are found by their number, from 0.
#[derive(Clone, Debug)]
pub enum Source {
    /// `low..high`; the item is the number between these.
    Range {
        low: Operand,
        high: Option<Operand>,
        inclusive: bool,
    },
    /// The elements of a place: references to them, or the elements themselves.
    Elements {
        place: Place,
        by_reference: bool,
        mutable: bool,
    },
    /// The columns of a matrix as views, or its rows.
    Lines {
        place: Place,
        rows: bool,
        mutable: bool,
    },
    Windows {
        place: Place,
        size: Operand,
    },
    /// `length` is that of the place, where the last chunk may be shorter.
    Chunks {
        place: Place,
        size: Operand,
        length: Option<Operand>,
        mutable: bool,
    },
    /// The same value without end.
    Repeat(Value),
    /// An inactive iterator as the user wrote it.
    Opaque {
        iterator: Box<Expr>,
        reads: Vec<VarId>,
    },
    Enumerated(Box<Source>),
    Zipped(Box<Source>, Box<Source>),
    /// Items that a function without effects makes of others.
    Mapped(Box<Source>, Function),
    /// `copied`, `cloned`.
    Dereferenced(Box<Source>),
    /// From the end; the length, once it is known.
    Reversed(Box<Source>, Option<Operand>),
    Skipped(Box<Source>, Operand),
    Taken(Box<Source>, Operand),
    Stepped(Box<Source>, Operand),
    /// Again and again; the length, once it is known.
    Cycled(Box<Source>, Option<Operand>),
}

/// An inactive expression and what it reads.
pub type Text = (Expr, Vec<VarId>);

impl Source {
    /// Whether some items are known to a `std` iterator only, which must be run to get at them.
    pub fn is_run(&self) -> bool {
        match self {
            Source::Range { .. } | Source::Opaque { .. } => true,
            Source::Elements { .. } | Source::Lines { .. } | Source::Windows { .. } | Source::Chunks { .. } | Source::Repeat(_) => false,
            Source::Zipped(left, right) => left.is_run() || right.is_run(),
            Source::Enumerated(inner)
            | Source::Mapped(inner, _)
            | Source::Dereferenced(inner)
            | Source::Reversed(inner, _)
            | Source::Skipped(inner, _)
            | Source::Taken(inner, _)
            | Source::Stepped(inner, _)
            | Source::Cycled(inner, _) => inner.is_run(),
        }
    }
}

impl Lowering<'_> {
    /// Evaluates the lengths that the items' numbers need, before the loop.
    pub(super) fn settle_lengths(&mut self, source: &mut Source, origin: Origin) {
        match source {
            Source::Reversed(inner, length) | Source::Cycled(inner, length) => {
                self.settle_lengths(inner, origin);
                if !inner.is_run() {
                    *length = self.extent(inner).map(|text| self.steering_text(text, origin));
                }
            }
            Source::Zipped(left, right) => {
                self.settle_lengths(left, origin);
                self.settle_lengths(right, origin);
            }
            Source::Enumerated(inner)
            | Source::Mapped(inner, _)
            | Source::Dereferenced(inner)
            | Source::Skipped(inner, _)
            | Source::Taken(inner, _)
            | Source::Stepped(inner, _) => self.settle_lengths(inner, origin),
            Source::Range { .. }
            | Source::Elements { .. }
            | Source::Lines { .. }
            | Source::Windows { .. }
            | Source::Chunks { .. }
            | Source::Repeat(_)
            | Source::Opaque { .. } => {}
        }
    }

    /// How many items there are; `None`: no end of them.
    pub(super) fn extent(&mut self, source: &Source) -> Option<Text> {
        match source {
            Source::Elements { place, .. } => Some(self.length_of(place)),
            Source::Lines { place, rows, .. } => {
                let mut reads = Vec::new();
                let spelled = self.spell_receiver(place, &mut reads);
                let count: Expr = if *rows { parse_quote!(#spelled.nrows()) } else { parse_quote!(#spelled.ncols()) };
                Some((count, reads))
            }
            Source::Windows { place, size } => Some(self.query(place, "windows", size)),
            Source::Chunks { place, size, length, .. } => {
                Some(self.query(place, if length.is_some() { "chunks" } else { "chunks_exact" }, size))
            }
            Source::Enumerated(inner) | Source::Mapped(inner, _) | Source::Dereferenced(inner) | Source::Reversed(inner, _) => {
                self.extent(inner)
            }
            Source::Zipped(left, right) => match (self.extent(left), self.extent(right)) {
                (Some(left), Some(right)) => Some(smaller(left, right)),
                (Some(end), None) | (None, Some(end)) => Some(end),
                (None, None) => None,
            },
            Source::Skipped(inner, count) => {
                let (length, mut reads) = self.extent(inner)?;
                let count = atom(self.spell_operand(count, &mut reads));
                let length = atom(length);
                Some((parse_quote!(usize::saturating_sub(#length, #count)), reads))
            }
            Source::Taken(inner, count) => {
                let mut reads = Vec::new();
                let count = (self.spell_operand(count, &mut reads), reads);
                Some(match self.extent(inner) {
                    Some(length) => smaller(length, count),
                    None => count,
                })
            }
            Source::Stepped(inner, step) => {
                let (length, mut reads) = self.extent(inner)?;
                let step = self.spell_operand(step, &mut reads);
                Some((parse_quote!(usize::div_ceil(#length, #step)), reads))
            }
            // As many as are asked for, but none of nothing.
            Source::Cycled(inner, _) => {
                let (length, reads) = self.extent(inner)?;
                Some((parse_quote!(if #length == 0 { 0 } else { usize::MAX }), reads))
            }
            Source::Repeat(_) | Source::Range { .. } | Source::Opaque { .. } => None,
        }
    }

    fn length_of(&mut self, place: &Place) -> Text {
        if let Ty::Array(_, Some(length)) = self.place_type(place).peeled()
            && let Ok(length) = syn::parse2::<Expr>(length.tokens.clone())
        {
            return (length, Vec::new());
        }
        let mut reads = Vec::new();
        let spelled = self.spell_receiver(place, &mut reads);
        (parse_quote!(#spelled.len()), reads)
    }

    fn query(&mut self, place: &Place, method: &str, size: &Operand) -> Text {
        let mut reads = Vec::new();
        let spelled = self.spell_receiver(place, &mut reads);
        let size = self.spell_operand(size, &mut reads);
        let method = syn::Ident::new(method, proc_macro2::Span::mixed_site());
        (parse_quote!(#spelled.#method(#size).len()), reads)
    }

    /// A place whose method is called: rustc dereferences by itself.
    fn spell_receiver(&mut self, place: &Place, reads: &mut Vec<VarId>) -> Expr {
        let mut place = place.clone();
        if matches!(place.projections.last(), Some(Projection::Deref)) {
            place.projections.pop();
        }
        self.spell(&Value::Place(place), reads)
    }

    /// The value of an inactive expression of ours, evaluated here.
    pub(super) fn steering_text(&mut self, (expr, mut reads): Text, origin: Origin) -> Operand {
        if let (Expr::Lit(_) | Expr::Path(_), true) = (&expr, reads.is_empty()) {
            return Operand::Const(Box::new(expr));
        }
        if let (Expr::Path(_), [read]) = (&expr, reads.as_slice())
            && !self.vars.get(*read).writable()
        {
            return Operand::Var(*read);
        }
        reads.sort_unstable();
        reads.dedup();
        let operand = self.value(origin, Ty::Int, Op::Inert { expr: Box::new(expr), reads });
        if let Operand::Var(var) = operand {
            self.constants.insert(var);
        }
        operand
    }

    /// Arithmetic with numbers of items.
    pub(super) fn number(&mut self, operands: &[&Operand], origin: Origin, build: impl FnOnce(&[Expr]) -> Expr) -> Operand {
        let operands: Vec<Operand> = operands.iter().map(|&operand| operand.clone()).collect();
        self.steered_operand(origin, Ty::Int, &operands, build)
    }

    /// The item number `at` of a source that is not run.
    pub(super) fn item_at(&mut self, source: &Source, at: &Operand, origin: Origin) -> Value {
        match source {
            Source::Elements { place, by_reference, mutable } => {
                let place = place.clone().project(Projection::Index(at.clone()));
                if *by_reference { Value::Ref { place, mutable: *mutable } } else { Value::Place(place) }
            }
            Source::Lines { place, rows, mutable } => {
                let method = syn::Ident::new(if *rows { "row" } else { "column" }, proc_macro2::Span::mixed_site());
                let view = Projection::View { method, turbofish: None, args: vec![at.clone()] };
                Value::Ref { place: place.clone().project(view), mutable: *mutable }
            }
            Source::Windows { place, size } => {
                let end = self.number(&[at, size], origin, |parts| sum(&parts[0], &parts[1]));
                part(place, at.clone(), end, false)
            }
            Source::Chunks { place, size, length, mutable } => {
                let low = self.number(&[at, size], origin, |parts| product(&parts[0], &parts[1]));
                let end = self.number(&[&low, size], origin, |parts| sum(&parts[0], &parts[1]));
                let end = match length {
                    Some(length) => self.number(&[&end, length], origin, |parts| {
                        let (end, length) = (&parts[0], &parts[1]);
                        parse_quote!(usize::min(#end, #length))
                    }),
                    None => end,
                };
                part(place, low, end, *mutable)
            }
            Source::Repeat(value) => value.clone(),
            Source::Enumerated(inner) => Value::Tuple(vec![Value::Operand(at.clone()), self.item_at(inner, at, origin)]),
            Source::Zipped(left, right) => Value::Tuple(vec![self.item_at(left, at, origin), self.item_at(right, at, origin)]),
            Source::Mapped(inner, function) => {
                let item = self.item_at(inner, at, origin);
                self.apply(function, vec![item], origin)
            }
            Source::Dereferenced(inner) => {
                let item = self.item_at(inner, at, origin);
                self.copied(item, origin)
            }
            Source::Reversed(inner, length) => {
                let length = length.clone().unwrap_or_else(super::super::placeholder);
                let at = self.number(&[&length, at], origin, |parts| {
                    let (length, at) = (&parts[0], &parts[1]);
                    parse_quote!(#length - 1 - #at)
                });
                self.item_at(inner, &at, origin)
            }
            Source::Skipped(inner, count) => {
                let at = self.number(&[at, count], origin, |parts| sum(&parts[0], &parts[1]));
                self.item_at(inner, &at, origin)
            }
            Source::Taken(inner, _) => self.item_at(inner, at, origin),
            Source::Stepped(inner, step) => {
                let at = self.number(&[at, step], origin, |parts| product(&parts[0], &parts[1]));
                self.item_at(inner, &at, origin)
            }
            Source::Cycled(inner, length) => {
                let length = length.clone().unwrap_or_else(super::super::placeholder);
                let at = self.number(&[at, &length], origin, |parts| {
                    let (at, length) = (&parts[0], &parts[1]);
                    parse_quote!(#at % #length)
                });
                self.item_at(inner, &at, origin)
            }
            Source::Range { .. } | Source::Opaque { .. } => Value::Never,
        }
    }
}

fn part(place: &Place, low: Operand, high: Operand, mutable: bool) -> Value {
    let place = place.clone().project(Projection::Slice { low: Some(low), high: Some(high), inclusive: false });
    Value::Ref { place, mutable }
}

fn sum(a: &Expr, b: &Expr) -> Expr {
    parse_quote!(#a + #b)
}

fn product(a: &Expr, b: &Expr) -> Expr {
    parse_quote!(#a * #b)
}

/// The smaller of two lengths.
fn smaller((left, mut reads): Text, (right, more): Text) -> Text {
    reads.extend(more);
    if left.to_token_stream().to_string() == right.to_token_stream().to_string() {
        return (left, reads);
    }
    (parse_quote!(::core::cmp::Ord::min(#left, #right)), reads)
}
