//! Stages: what an item goes through in the loop's body.

use quote::quote;

use super::super::{Lowering, Value};
use super::optional::Outcome;
use super::source::Source;
use super::{Each, Function, Stage};
use crate::diag::Origin;
use crate::ir::{Operand, Place, Role, Stmt, Ty, VarId};

/// A stage with the variables that it keeps from item to item.
pub struct Prepared {
    stage: Stage,
    memory: Memory,
}

enum Memory {
    None,
    /// The number of items seen.
    Count(VarId),
    /// Whether items are still skipped.
    Flag(VarId),
    /// The state of a `scan`.
    State(VarId),
    /// The same, and the length of what is zipped.
    Zipped(VarId, Option<Operand>, Source),
}

impl<'a> Lowering<'a> {
    /// Declares what the stage keeps.
    pub(super) fn prepare(&mut self, stage: &Stage, origin: Origin) -> Prepared {
        let memory = match stage {
            Stage::Enumerate | Stage::Skip(_) | Stage::Take(_) | Stage::StepBy(_) => Memory::Count(self.counter(origin)),
            Stage::SkipWhile(_) => {
                let flag = self.vars.named("skipping", origin, Ty::Bool, Role::Temporary, true);
                self.push(Stmt::Declare { var: flag, init: Some(constant(syn::parse_quote!(true))) });
                Memory::Flag(flag)
            }
            Stage::Scan(state, _) => {
                let init = self.operand(state.clone(), origin);
                let ty = self.operand_type(&init);
                let var = self.vars.named("state", origin, ty, Role::Temporary, true);
                self.push(Stmt::Declare { var, init: Some(init) });
                Memory::State(var)
            }
            Stage::Zip(source) => {
                let mut source = source.clone();
                self.settle_lengths(&mut source, origin);
                let length = self.extent(&source).map(|text| self.steering_text(text, origin));
                Memory::Zipped(self.counter(origin), length, source)
            }
            Stage::Map(_)
            | Stage::Deref
            | Stage::Filter(_)
            | Stage::FilterMap(_)
            | Stage::Inspect(_)
            | Stage::TakeWhile(_)
            | Stage::MapWhile(_)
            | Stage::FlatMap(_)
            | Stage::Flatten => Memory::None,
        };
        Prepared { stage: stage.clone(), memory }
    }

    /// A variable that counts from 0.
    pub(super) fn counter(&mut self, origin: Origin) -> VarId {
        let var = self.vars.named("n", origin, Ty::Int, Role::Temporary, true);
        self.push(Stmt::Declare { var, init: Some(constant(syn::parse_quote!(0usize))) });
        var
    }

    pub(super) fn count_on(&mut self, counter: VarId) {
        let name = self.vars.get(counter).name.clone();
        self.push(Stmt::Inert { tokens: quote!(#name += 1;), reads: vec![counter] });
        self.wrote(counter);
    }

    /// The count of now, which then goes on.
    fn next_number(&mut self, counter: VarId, origin: Origin) -> Operand {
        let number = self.read(Place::whole(counter), origin);
        self.count_on(counter);
        number
    }

    /// Takes `item` through the stages, and gives what comes out to `each`.
    pub(super) fn through(&mut self, stages: &[Prepared], item: Value, exit: usize, origin: Origin, each: &mut Each<'_, 'a>) {
        if matches!(item, Value::Never) {
            return;
        }
        let Some((Prepared { stage, memory }, rest)) = stages.split_first() else { return each(self, item, exit) };
        match (stage, memory) {
            (Stage::Map(function), _) => {
                let item = self.apply(function, vec![item], origin);
                self.through(rest, item, exit, origin, each);
            }
            (Stage::Deref, _) => {
                let item = self.copied(item, origin);
                self.through(rest, item, exit, origin, each);
            }
            (Stage::Inspect(function), _) => {
                let item = self.named_item(item, origin);
                let reference = self.borrow(item.clone(), origin);
                self.apply(function, vec![reference], origin);
                self.through(rest, item, exit, origin, each);
            }
            (Stage::Filter(function), _) => {
                let item = self.named_item(item, origin);
                let passes = self.ask(function, &item, origin);
                self.when(passes, |lowering| lowering.through(rest, item, exit, origin, each));
            }
            (Stage::TakeWhile(function), _) => {
                let item = self.named_item(item, origin);
                let passes = self.ask(function, &item, origin);
                self.leave_unless(&passes, exit, origin);
                self.through(rest, item, exit, origin, each);
            }
            (Stage::SkipWhile(function), Memory::Flag(flag)) => {
                let item = self.named_item(item, origin);
                let skipped = self.skipped(*flag, function, &item, origin);
                let passes = self.negated(&skipped, origin);
                self.when(passes, |lowering| lowering.through(rest, item, exit, origin, each));
            }
            (Stage::FilterMap(function), _) => {
                let some = &mut |lowering: &mut Self, item: Value| lowering.through(rest, item, exit, origin, each);
                self.optional(function, vec![item], origin, Outcome { some, none: &mut |_| {} });
            }
            (Stage::MapWhile(function), _) => {
                let some = &mut |lowering: &mut Self, item: Value| lowering.through(rest, item, exit, origin, each);
                self.optional(function, vec![item], origin, Outcome { some, none: &mut |lowering| lowering.leave(exit) });
            }
            (Stage::Scan(_, function), Memory::State(state)) => {
                let state = Value::Ref { place: Place::whole(*state), mutable: true };
                let some = &mut |lowering: &mut Self, item: Value| lowering.through(rest, item, exit, origin, each);
                self.optional(function, vec![state, item], origin, Outcome { some, none: &mut |lowering| lowering.leave(exit) });
            }
            (Stage::FlatMap(function), _) => {
                let inner = self.apply(function, vec![item], origin);
                self.drive_item(&inner, origin, &mut |lowering, item, _| lowering.through(rest, item, exit, origin, each));
            }
            (Stage::Flatten, _) => {
                self.drive_item(&item, origin, &mut |lowering, item, _| lowering.through(rest, item, exit, origin, each));
            }
            (Stage::Enumerate, Memory::Count(counter)) => {
                let number = self.next_number(*counter, origin);
                self.through(rest, Value::Tuple(vec![Value::Operand(number), item]), exit, origin, each);
            }
            (Stage::Skip(count), Memory::Count(counter)) => {
                let number = self.next_number(*counter, origin);
                let passes = self.steered_operand(origin, Ty::Bool, &[number, count.clone()], |parts| {
                    let (number, count) = (&parts[0], &parts[1]);
                    syn::parse_quote!(#number >= #count)
                });
                self.when(passes, |lowering| lowering.through(rest, item, exit, origin, each));
            }
            (Stage::StepBy(step), Memory::Count(counter)) => {
                let number = self.next_number(*counter, origin);
                let passes = self.steered_operand(origin, Ty::Bool, &[number, step.clone()], |parts| {
                    let (number, step) = (&parts[0], &parts[1]);
                    syn::parse_quote!(#number % #step == 0)
                });
                self.when(passes, |lowering| lowering.through(rest, item, exit, origin, each));
            }
            (Stage::Take(count), Memory::Count(counter)) => {
                let number = self.next_number(*counter, origin);
                let more = self.steered_operand(origin, Ty::Bool, &[number, count.clone()], |parts| {
                    let (number, count) = (&parts[0], &parts[1]);
                    syn::parse_quote!(#number + 1 < #count)
                });
                self.through(rest, item, exit, origin, each);
                // The item after the last is not asked for.
                self.leave_unless(&more, exit, origin);
            }
            (Stage::Zip(_), Memory::Zipped(counter, length, source)) => {
                let number = self.next_number(*counter, origin);
                if let Some(length) = length {
                    let there = self.steered_operand(origin, Ty::Bool, &[number.clone(), length.clone()], |parts| {
                        let (number, length) = (&parts[0], &parts[1]);
                        syn::parse_quote!(#number < #length)
                    });
                    self.leave_unless(&there, exit, origin);
                }
                let other = self.item_at(source, &number, origin);
                self.through(rest, Value::Tuple(vec![item, other]), exit, origin, each);
            }
            (Stage::SkipWhile(_) | Stage::Scan(..) | Stage::Enumerate | Stage::Skip(_), _)
            | (Stage::StepBy(_) | Stage::Take(_) | Stage::Zip(_), _) => unreachable!("prepared above"),
        }
    }

    fn leave_unless(&mut self, cond: &Operand, exit: usize, origin: Origin) {
        let over = self.negated(cond, origin);
        self.when(over, |lowering| lowering.leave(exit));
    }

    /// Whether the item is still skipped; notes if it is not.
    fn skipped(&mut self, flag: VarId, function: &Function, item: &Value, origin: Origin) -> Operand {
        let still = self.read(Place::whole(flag), origin);
        let skipped = self.choose(
            still,
            &origin,
            |lowering| Value::Operand(lowering.ask(function, item, origin)),
            |_| Value::Operand(constant(syn::parse_quote!(false))),
        );
        let skipped = self.operand(skipped, origin);
        self.store(Place::whole(flag), skipped.clone());
        skipped
    }

    /// What a predicate says of a reference to `item`.
    pub(super) fn ask(&mut self, function: &Function, item: &Value, origin: Origin) -> Operand {
        let reference = self.borrow(item.clone(), origin);
        let answer = self.apply(function, vec![reference], origin);
        self.operand(answer, origin)
    }

    /// An item that is referred to more than once: a constant gets a name.
    pub(super) fn named_item(&mut self, item: Value, origin: Origin) -> Value {
        match item {
            Value::Operand(Operand::Const(expr)) => {
                let ty = self.guess(&expr);
                Value::Operand(self.value(origin, ty, crate::ir::Op::Copy(Operand::Const(expr))))
            }
            other => other,
        }
    }

    /// A reference to `value`.
    pub(in super::super) fn borrow(&mut self, value: Value, origin: Origin) -> Value {
        match self.named_item(value, origin) {
            Value::Place(place) => Value::Ref { place, mutable: false },
            Value::Operand(Operand::Var(var)) => Value::Ref { place: Place::whole(var), mutable: false },
            other => Value::Borrow(Box::new(other)),
        }
    }
}

pub(super) fn constant(expr: syn::Expr) -> Operand {
    Operand::Const(Box::new(expr))
}
