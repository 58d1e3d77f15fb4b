//! The pullback of a call: the callee's own, on the cotangents of its arguments.

use std::collections::BTreeSet;

use super::Sweep;
use super::forward::{again, literal_zero};
use super::shapes::is_open;
use crate::ir::{Argument, Callee, Op, Operand, Place, Projection, PullCall, Shadow, Sign, Stmt, Ty, VarId};

impl Sweep<'_> {
    pub(super) fn call(&mut self, var: VarId, callee: &Callee, args: &[Argument], saved: VarId) {
        let seed = self.take(var);
        let writes = args.iter().any(|arg| match arg {
            // The shape must go back to what it was, whatever the cotangent holds.
            Argument::Ref { place, mutable: true } => {
                self.take(place.root).is_some() || (self.activity.active(place.root) && is_open(&self.vars.place_type(place)))
            }
            _ => false,
        });
        if seed.is_none() && !writes {
            return;
        }
        let seed = match seed {
            Some(bar) => Operand::Var(bar),
            None if literal_zero(&self.vars.get(var).ty) => {
                let ty = self.vars.get(var).ty.clone();
                self.temporary(ty.clone(), Op::ZeroOf(ty))
            }
            None => self.temporary(Ty::Unknown, Op::Zero(self.shape_of(var))),
        };
        let taint = self.taint(var).component().elsewhere();
        let mut pull = PullCall {
            callee: callee.clone(),
            receiver: None,
            saved,
            references: Vec::new(),
            seed,
            shadows: Vec::new(),
            results: Vec::new(),
        };
        let mut lent = BTreeSet::new();
        for (position, arg) in args.iter().enumerate() {
            match arg {
                Argument::Value(operand) => {
                    let wanted = self.activity.operand(operand);
                    let result =
                        wanted.then(|| self.vars.named("d", self.vars.get(var).origin, Ty::Unknown, crate::ir::Role::Temporary, false));
                    if let (Some(result), Operand::Var(of)) = (result, operand) {
                        self.vars.get_mut(result).ty = self.vars.get(*of).ty.peeled().clone();
                    }
                    pull.results.push(result);
                }
                Argument::Ref { place, mutable } => {
                    if !mutable {
                        pull.references.push(self.reference(var, position, place));
                    }
                    let shadow = self.shadow(var, position, place, taint, &mut lent);
                    pull.shadows.push(shadow);
                }
            }
        }
        if callee.is_method() && pull.shadows.iter().skip(1).any(|shadow| matches!(shadow, Shadow::Scratch { made: None, .. })) {
            pull.receiver = pull.references.first().cloned();
        }
        let values = args.iter().filter_map(|arg| match arg {
            Argument::Value(operand) => Some(operand.clone()),
            Argument::Ref { .. } => None,
        });
        let contributions: Vec<(Operand, Option<VarId>)> = values.zip(pull.results.iter().copied()).collect();
        self.push(Stmt::PullCall(Box::new(pull)));
        for (operand, result) in contributions {
            if let Some(result) = result {
                self.contribute(&operand, Sign::Plus, Op::Copy(Operand::Var(result)), taint);
            }
        }
    }

    /// What a shared reference pointed to at the time of the call.
    fn reference(&self, call: VarId, position: usize, place: &Place) -> Argument {
        match self.provisions.calls.get(&call).and_then(|provided| provided.snapshots.get(&position)) {
            Some(&snapshot) => again(&Place::whole(snapshot)),
            None => again(place),
        }
    }

    fn shadow(&mut self, call: VarId, position: usize, place: &Place, taint: super::Taint, lent: &mut BTreeSet<VarId>) -> Shadow {
        let of = match self.reference(call, position, place) {
            Argument::Ref { place, .. } => place,
            Argument::Value(_) => place.clone(),
        };
        let made = self.provisions.calls.get(&call).and_then(|provided| provided.scratches.get(&position)).copied();
        if !self.activity.active(place.root) {
            return Shadow::Scratch { position, of, made, add_to: None };
        }
        self.add_taint(place.root, taint);
        let bar = self.ensure(place.root);
        let by_reference = matches!(self.vars.get(place.root).ty, Ty::Ref(_)) && place.projections.is_empty();
        let at = if by_reference { Place::whole(bar).project(Projection::Deref) } else { super::in_bar(place, bar) };
        if lent.insert(place.root) { Shadow::Place(at) } else { Shadow::Scratch { position, of, made, add_to: Some(at) } }
    }
}
