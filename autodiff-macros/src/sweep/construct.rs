//! Structs and enum variants from their fields: each field has a field of the cotangent.

use super::Sweep;
use super::taint::Taint;
use crate::ir::{Argument, Construct, Op, Operand, Place, Projection, Sign, Stmt, Ty, VarId};

impl Sweep<'_> {
    pub(super) fn construct(&mut self, construct: &Construct, bar: VarId, taint: Taint) {
        for (member, field) in &construct.fields {
            let part = Op::Read(Place::whole(bar).project(construct.projection(member)));
            match field {
                Argument::Value(operand) => self.contribute(operand, Sign::Plus, part, taint.component()),
                Argument::Ref { place, .. } => self.contribute_at(place, part, taint),
            }
        }
        let Some(base) = &construct.base else { return };
        if !self.activity.operand(base) {
            return;
        }
        // What the literal gives itself does not come from the base.
        let Operand::Var(rest) = self.temporary(Ty::Unknown, Op::Copy(Operand::Var(bar))) else { return };
        for (member, _) in &construct.fields {
            self.push(Stmt::Clear(Place::whole(rest).project(construct.projection(member))));
        }
        self.contribute(base, Sign::Plus, Op::Copy(Operand::Var(rest)), taint);
    }
}

impl Construct {
    /// The way to a field.
    pub fn projection(&self, member: &syn::Member) -> Projection {
        match &self.variant {
            Some(variant) => Projection::Payload { variant: variant.clone(), member: member.clone() },
            None => Projection::Field(member.clone()),
        }
    }
}
