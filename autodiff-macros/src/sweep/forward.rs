//! The forward program: the primal, with what the reverse sweep will ask of it made explicit. A call of a
//! differentiated function becomes a call of its forward sweep, and what changes after it is copied before it.

use std::collections::{BTreeMap, BTreeSet};

use super::shapes;
use crate::analyze::Activity;
use crate::ir::build::Vars;
use crate::ir::{Argument, Block, Body, Callee, Op, Operand, Place, Role, Stmt, Ty, VarId, walk};
use crate::parse::Primal;

/// What the forward program holds for the reverse one.
#[derive(Default)]
pub struct Provisions {
    /// For each active call, by its result: the callee's closure, and a snapshot for each argument that needs one.
    pub calls: BTreeMap<VarId, Call>,
    /// For cells whose zero cannot be written down: a zero of their shape.
    pub templates: BTreeMap<VarId, VarId>,
    /// Zeros of the shapes that stores change: a cotangent that is zero again takes the old shape.
    pub restored: BTreeSet<VarId>,
}

/// An active call.
pub struct Call {
    /// By position of the argument.
    pub snapshots: BTreeMap<usize, VarId>,
    /// Scratch shadows that only the receiver can make, before it changes.
    pub scratches: BTreeMap<usize, VarId>,
}

/// Rewrites the primal in place.
pub fn forward(primal: &Primal, body: &mut Body, activity: &Activity) -> Provisions {
    let mut provisions = Provisions::default();
    let root = std::mem::take(&mut body.root);
    let changing = shapes::changing(&root, &body.vars);
    body.root = Rewriter { primal, vars: &mut body.vars, activity, provisions: &mut provisions, changing }.block(root);
    provisions
}

struct Rewriter<'a> {
    primal: &'a Primal,
    vars: &'a mut Vars,
    activity: &'a Activity,
    provisions: &'a mut Provisions,
    /// Cells whose shape may change.
    changing: BTreeSet<VarId>,
}

impl Rewriter<'_> {
    fn block(&mut self, block: Block) -> Block {
        let mut out = Vec::with_capacity(block.0.len());
        // What follows the declaration of a cell whose shape changes, innermost last.
        let mut declared: Vec<(VarId, usize)> = Vec::new();
        for mut stmt in block.0 {
            for inner in walk::blocks_mut(&mut stmt) {
                *inner = self.block(std::mem::take(inner));
            }
            if let Stmt::Let { op: Op::Map(map), .. } = &mut stmt {
                map.body = self.block(std::mem::take(&mut map.body));
            }
            if let Some(cell) = self.stmt(stmt, &mut out) {
                declared.push((cell, out.len()));
            }
        }
        for (cell, position) in declared.into_iter().rev() {
            let mut rest = out.split_off(position);
            shapes::template(cell, &mut rest, self.vars, self.provisions);
            out.extend(rest);
        }
        Block(out)
    }

    /// Rewrites one statement; a cell that it declares and whose shape changes.
    fn stmt(&mut self, stmt: Stmt, out: &mut Vec<Stmt>) -> Option<VarId> {
        match stmt {
            Stmt::Let { var, op: Op::Call { callee, args, .. } } if active_call(var, &args, self.activity) => {
                let saved = self.vars.named("saved", self.vars.get(var).origin, Ty::Saved, Role::Temporary, false);
                let snapshots = snapshots(&args, self.vars, out);
                let callee = self.primal.derivatives_of(&callee);
                let scratches = self.scratches(&callee, &args, out);
                self.provisions.calls.insert(var, Call { snapshots, scratches });
                out.push(Stmt::Let { var, op: Op::Call { callee, args, saved: Some(saved) } });
            }
            Stmt::Declare { var, init } => {
                let known = literal_zero(&self.vars.get(var).ty) || self.vars.get(var).late;
                let wanted = self.activity.active(var) && !known && init.is_some();
                out.push(Stmt::Declare { var, init });
                if wanted && self.changing.contains(&var) {
                    return Some(var);
                }
                if wanted {
                    let origin = self.vars.get(var).origin;
                    let template = self.vars.named("zero", origin, Ty::Unknown, Role::Temporary, false);
                    out.push(Stmt::Let { var: template, op: Op::Zero(var) });
                    self.provisions.templates.insert(var, template);
                }
            }
            Stmt::Store { place, value } => {
                shapes::before_store(&place, self.vars, self.activity, self.provisions, out);
                out.push(Stmt::Store { place, value });
            }
            other => out.push(other),
        }
        None
    }
}

impl Rewriter<'_> {
    /// Scratch shadows for the arguments of a method that may change its receiver: those that are inactive, or lent before.
    fn scratches(&mut self, callee: &Callee, args: &[Argument], out: &mut Vec<Stmt>) -> BTreeMap<usize, VarId> {
        let mut scratches = BTreeMap::new();
        let Some((receiver @ Argument::Ref { mutable: true, .. }, _)) = args.split_first() else { return scratches };
        if !callee.is_method() {
            return scratches;
        }
        let mut lent = BTreeSet::new();
        for (position, arg) in args.iter().enumerate() {
            let Argument::Ref { place, .. } = arg else { continue };
            let free = self.activity.active(place.root) && lent.insert(place.root);
            if position == 0 || free {
                continue;
            }
            let origin = self.vars.get(place.root).origin;
            let scratch = self.vars.named("scratch", origin, Ty::Unknown, Role::Temporary, false);
            let (callee, receiver, of, place) = (callee.clone(), Some(receiver.clone()), Operand::Var(place.root), Some(place.clone()));
            out.push(Stmt::Let { var: scratch, op: Op::Scratch { callee, receiver, position, of, place } });
            scratches.insert(position, scratch);
        }
        scratches
    }
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
        Ty::Slice(_) | Ty::Ref(_) | Ty::Option(_) | Ty::Result(_) | Ty::Matrix | Ty::Unknown => false,
    }
}

/// The whole of what a reference argument points to, as an argument again.
pub fn again(place: &Place) -> Argument {
    Argument::Ref { place: place.clone(), mutable: false }
}
