//! Derivatives that would be lost: active values that flow into something inactive.

use crate::analyze::Activity;
use crate::diag::{Diagnostics, Refusal};
use crate::ir::{Argument, Body, Op, Operand, Place, Role, Stmt, VarId, walk};
use crate::parse::{Passing, Primal};

/// Refuses them, each at the value.
pub fn losses(primal: &Primal, body: &Body, activity: &Activity, diagnostics: &mut Diagnostics) {
    let constant = |place: &Place| match body.vars.get(place.root).role {
        Role::Parameter(position) => {
            let param = &primal.params[position];
            !param.active && param.passing == Passing::Mutable && param.known.differentiable()
        }
        _ => false,
    };
    let mut refuse = |place: &Place, value: VarId| {
        let name = body.vars.get(place.root).name.to_string();
        diagnostics.refuse(body.vars.get(value).origin, Refusal::LostInInactive { name });
    };
    walk::statements(&body.root, &mut |stmt| match stmt {
        Stmt::Store { place, value: Operand::Var(value) } | Stmt::Update { place, value: Operand::Var(value), .. }
            if constant(place) && activity.varied(*value) =>
        {
            refuse(place, *value);
        }
        Stmt::Let { var, op: Op::Call { args, .. } } => {
            let varied = args.iter().filter_map(Argument::root).any(|root| activity.varied(root));
            for arg in args {
                if let Argument::Ref { place, mutable: true } = arg
                    && varied
                    && constant(place)
                {
                    refuse(place, *var);
                }
            }
        }
        _ => {}
    });
}
