//! Zeros of shapes that only the run decides: of enums, of vectors, of structs that hold them.
//!
//! A cotangent has the shape of its variable. Where the variable is given a value of another shape, the reverse sweep must
//! go back to the old one: the forward sweep keeps a zero of it. Where the reverse of a scope begins, the shape is the last
//! one that the variable had there: a template, assigned wherever the scope is left.

use std::collections::BTreeSet;

use super::forward::Provisions;
use crate::analyze::Activity;
use crate::diag::Origin;
use crate::ir::build::Vars;
use crate::ir::{Argument, Block, Exit, LoopId, Op, Operand, Place, Role, Stmt, Ty, VarId, walk};

/// Whether values of this type may have shapes that their type does not tell. Matrices keep theirs: nalgebra checks it.
pub fn is_open(ty: &Ty) -> bool {
    match ty {
        Ty::Unknown | Ty::Slice(_) | Ty::Option(_) | Ty::Result(_) => true,
        Ty::Array(element, _) => is_open(element),
        Ty::Tuple(elements) => elements.iter().any(is_open),
        Ty::Float(_) | Ty::Int | Ty::Bool | Ty::Inactive | Ty::Ref(_) | Ty::Matrix | Ty::Saved => false,
    }
}

/// Cells whose shape may change after their declaration.
pub fn changing(block: &Block, vars: &Vars) -> BTreeSet<VarId> {
    let mut changing = BTreeSet::new();
    walk::statements(block, &mut |stmt| match stmt {
        Stmt::Store { place, .. } if is_open(&vars.place_type(place)) => {
            changing.insert(place.root);
        }
        Stmt::Let { op: Op::Call { args, .. }, .. } => changing.extend(args.iter().filter_map(|arg| match arg {
            Argument::Ref { place, mutable: true } => Some(place.root).filter(|_| is_open(&vars.place_type(place))),
            _ => None,
        })),
        _ => {}
    });
    changing.retain(|&var| vars.get(var).cell && !vars.get(var).late && is_open(&vars.get(var).ty));
    changing
}

/// Before a store that may change a shape: a zero of the old one.
pub fn before_store(place: &Place, vars: &mut Vars, activity: &Activity, provisions: &mut Provisions, out: &mut Vec<Stmt>) {
    let root = vars.get(place.root);
    let shaped = is_open(&vars.place_type(place)) && !root.late && root.role != Role::Template;
    if !shaped || !activity.active(place.root) {
        return;
    }
    let old = vars.named("zero", root.origin, Ty::Unknown, Role::Temporary, false);
    out.push(Stmt::Let { var: old, op: Op::ZeroAt(place.clone()) });
    provisions.restored.insert(old);
}

/// After the declaration of `cell`: its template, assigned wherever the rest of its block ends.
pub fn template(cell: VarId, rest: &mut Vec<Stmt>, vars: &mut Vars, provisions: &mut Provisions) {
    let origin = vars.get(cell).origin;
    let template = vars.named("zero", origin, Ty::Unknown, Role::Template, true);
    vars.get_mut(template).late = true;
    provisions.templates.insert(cell, template);
    let mut maker = Maker { cell, template, origin, vars, inside: Vec::new() };
    let mut block = Block(std::mem::take(rest));
    maker.before_exits(&mut block);
    if !walk::diverges(&block) {
        maker.assign(&mut block.0);
    }
    rest.push(Stmt::Declare { var: template, init: None });
    rest.extend(block.0);
}

struct Maker<'a> {
    cell: VarId,
    template: VarId,
    origin: Origin,
    vars: &'a mut Vars,
    inside: Vec<LoopId>,
}

impl Maker<'_> {
    fn assign(&mut self, out: &mut Vec<Stmt>) {
        let zero = self.vars.temporary(self.origin, Ty::Unknown);
        out.push(Stmt::Let { var: zero, op: Op::ZeroAt(Place::whole(self.cell)) });
        out.push(Stmt::Store { place: Place::whole(self.template), value: Operand::Var(zero) });
    }

    fn before_exits(&mut self, block: &mut Block) {
        for mut stmt in std::mem::take(&mut block.0) {
            let entered = if let Stmt::Loop(looping) = &stmt { Some(looping.id) } else { None };
            self.inside.extend(entered);
            walk::blocks_mut(&mut stmt).into_iter().for_each(|inner| self.before_exits(inner));
            if entered.is_some() {
                self.inside.pop();
            }
            let leaves = match &stmt {
                Stmt::Exit { kind: Exit::Return, .. } => true,
                Stmt::Exit { kind: Exit::Break(target) | Exit::Continue(target), .. } => !self.inside.contains(target),
                _ => false,
            };
            if leaves {
                self.assign(&mut block.0);
            }
            block.0.push(stmt);
        }
    }
}

/// Takes out templates that the reverse sweep does not ask for.
pub fn drop_unneeded(block: &mut Block, vars: &Vars, needed: &BTreeSet<VarId>) {
    let unneeded = |var: VarId| vars.get(var).role == Role::Template && !needed.contains(&var);
    let mut values = BTreeSet::new();
    walk::statements(block, &mut |stmt| {
        if let Stmt::Store { place, value: Operand::Var(value) } = stmt
            && unneeded(place.root)
        {
            values.insert(*value);
        }
    });
    retain(block, &|stmt| match stmt {
        Stmt::Let { var, .. } => !values.contains(var),
        Stmt::Declare { var, .. } => !unneeded(*var),
        Stmt::Store { place, .. } => !unneeded(place.root),
        _ => true,
    });
}

fn retain(block: &mut Block, keep: &dyn Fn(&Stmt) -> bool) {
    block.0.retain(|stmt| keep(stmt));
    for stmt in &mut block.0 {
        walk::blocks_mut(stmt).into_iter().for_each(|inner| retain(inner, keep));
    }
}
