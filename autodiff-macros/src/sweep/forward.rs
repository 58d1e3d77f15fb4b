//! The forward program: the primal, with what the reverse sweep will ask of it made explicit. A call of a
//! differentiated function becomes a call of its forward sweep, and what changes after it is copied before it.

use std::collections::BTreeMap;

use crate::analyze::Activity;
use crate::ir::build::Vars;
use crate::ir::{Argument, Block, Body, Op, Place, Role, Stmt, Ty, VarId, walk};
use crate::parse::Primal;

/// What the forward program holds for the reverse one.
#[derive(Default)]
pub struct Provisions {
    /// For each active call, by its result: the callee's closure, and a snapshot for each argument that needs one.
    pub calls: BTreeMap<VarId, Call>,
    /// For cells whose zero cannot be written down: a zero of their shape.
    pub templates: BTreeMap<VarId, VarId>,
}

/// An active call.
pub struct Call {
    /// By position of the argument.
    pub snapshots: BTreeMap<usize, VarId>,
}

/// Rewrites the primal in place.
pub fn forward(primal: &Primal, body: &mut Body, activity: &Activity) -> Provisions {
    let mut provisions = Provisions::default();
    let root = std::mem::take(&mut body.root);
    body.root = rewrite(primal, root, &mut body.vars, activity, &mut provisions);
    provisions
}

fn rewrite(primal: &Primal, block: Block, vars: &mut Vars, activity: &Activity, provisions: &mut Provisions) -> Block {
    let mut out = Vec::with_capacity(block.0.len());
    for mut stmt in block.0 {
        for inner in walk::blocks_mut(&mut stmt) {
            *inner = rewrite(primal, std::mem::take(inner), vars, activity, provisions);
        }
        if let Stmt::Let { op: Op::Map(map), .. } = &mut stmt {
            map.body = rewrite(primal, std::mem::take(&mut map.body), vars, activity, provisions);
        }
        match stmt {
            Stmt::Let { var, op: Op::Call { path, args, .. } } if active_call(var, &args, activity) => {
                let saved = vars.named("saved", vars.get(var).origin, Ty::Saved, Role::Temporary, false);
                let snapshots = snapshots(&args, vars, &mut out);
                provisions.calls.insert(var, Call { snapshots });
                let path = primal.derivatives_of(&path);
                out.push(Stmt::Let { var, op: Op::Call { path, args, saved: Some(saved) } });
            }
            Stmt::Declare { var, init } => {
                let known = literal_zero(&vars.get(var).ty) || vars.get(var).late;
                let wanted = activity.active(var) && !known && init.is_some();
                out.push(Stmt::Declare { var, init });
                if wanted {
                    let origin = vars.get(var).origin;
                    let template = vars.named("zero", origin, Ty::Unknown, Role::Temporary, false);
                    out.push(Stmt::Let { var: template, op: Op::Zero(var) });
                    provisions.templates.insert(var, template);
                }
            }
            other => out.push(other),
        }
    }
    Block(out)
}

/// Whether a call takes part in the derivative: by its result, or by what it may write.
pub fn active_call(var: VarId, args: &[Argument], activity: &Activity) -> bool {
    let writes = |arg: &Argument| matches!(arg, Argument::Ref { place, mutable: true } if activity.active(place.root));
    activity.active(var) || args.iter().any(writes)
}

/// Copies of what shared references point to, where that may be written later.
fn snapshots(args: &[Argument], vars: &mut Vars, out: &mut Vec<Stmt>) -> BTreeMap<usize, VarId> {
    let mut snapshots = BTreeMap::new();
    for (position, arg) in args.iter().enumerate() {
        if let Argument::Ref { place, mutable: false } = arg
            && vars.get(place.root).writable()
        {
            let (origin, ty) = (vars.get(place.root).origin, vars.place_type(place));
            let snapshot = vars.named("snapshot", origin, ty, Role::Temporary, false);
            out.push(Stmt::Let { var: snapshot, op: Op::Snapshot(place.clone()) });
            snapshots.insert(position, snapshot);
        }
    }
    snapshots
}

/// Whether a zero of this type can be written down.
pub fn literal_zero(ty: &Ty) -> bool {
    match ty {
        Ty::Float(_) | Ty::Int | Ty::Bool | Ty::Inactive | Ty::Saved => true,
        Ty::Array(element, length) => length.is_some() && literal_zero(element),
        Ty::Tuple(elements) => elements.iter().all(literal_zero),
        Ty::Slice(_) | Ty::Ref(_) | Ty::Matrix | Ty::Unknown => false,
    }
}

/// The whole of what a reference argument points to, as an argument again.
pub fn again(place: &Place) -> Argument {
    Argument::Ref { place: place.clone(), mutable: false }
}
