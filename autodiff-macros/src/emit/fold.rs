//! Which values need no name: those that are used once, as an operand, in the block that defines them.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::build::Vars;
use crate::ir::{Argument, Block, LoopKind, Op, Operand, Place, Projection, Role, Stmt, VarId, walk};

/// The values to be folded into their one use. `named` must keep their names.
pub fn folded(block: &Block, vars: &Vars, named: &BTreeSet<VarId>) -> BTreeSet<VarId> {
    let mut counts: BTreeMap<VarId, u32> = BTreeMap::new();
    let mut count = |var: VarId| *counts.entry(var).or_default() += 1;
    walk::block_reads(block, &mut count);
    walk::statements(block, &mut |stmt| {
        if let Stmt::ReverseMap(reverse) = stmt {
            reverse.outputs.iter().flatten().for_each(|(_, bar)| count(*bar));
        }
        // Its result is an operand in the loop that it becomes.
        if let Stmt::TangentMap(tangent) = stmt
            && let Operand::Var(result) = tangent.result
        {
            count(result);
        }
    });
    let mut written = BTreeSet::new();
    writes(block, &mut |var| {
        written.insert(var);
    });
    let mut folded = BTreeSet::new();
    search(block, vars, &mut |var| {
        if counts.get(&var) == Some(&1) && !named.contains(&var) && !written.contains(&var) {
            folded.insert(var);
        }
    });
    folded
}

/// Offers every value that is an operand in the block that defines it.
fn search(block: &Block, vars: &Vars, offer: &mut impl FnMut(VarId)) {
    let mut defined = BTreeSet::new();
    for stmt in &block.0 {
        operands(stmt, &mut |operand| {
            if let Operand::Var(var) = operand
                && defined.contains(var)
            {
                offer(*var);
            }
        });
        match stmt {
            Stmt::Let { var, op } if foldable(op) && matches!(vars.get(*var).role, Role::Temporary | Role::Cotangent(_)) => {
                defined.insert(*var);
            }
            _ => {}
        }
        walk::blocks(stmt).into_iter().for_each(|inner| search(inner, vars, offer));
        if let Stmt::Loop(looping) = stmt
            && let LoopKind::While { header, cond: Operand::Var(cond) } = &looping.kind
            && header.0.iter().any(|stmt| matches!(stmt, Stmt::Let { var, .. } if var == cond))
        {
            offer(*cond);
        }
    }
}

fn foldable(op: &Op) -> bool {
    !matches!(op, Op::Call { .. } | Op::Snapshot(_))
}

/// The operands of a statement that are expressions where they stand.
fn operands(stmt: &Stmt, visit: &mut impl FnMut(&Operand)) {
    match stmt {
        Stmt::Let { op, .. } => op_operands(op, visit),
        Stmt::Declare { init: Some(value), .. } => visit(value),
        Stmt::Store { place, value } | Stmt::Update { place, value, .. } => {
            visit(value);
            indices(place, visit);
        }
        Stmt::If { cond, .. } => visit(cond),
        Stmt::Loop(looping) => {
            if let LoopKind::Range { low, high, .. } = &looping.kind {
                visit(low);
                visit(high);
            }
        }
        Stmt::PullInto { cotangent, .. } => visit(cotangent),
        Stmt::PullCall(pull) => visit(&pull.seed),
        _ => {}
    }
}

fn op_operands(op: &Op, visit: &mut impl FnMut(&Operand)) {
    match op {
        Op::Copy(a) | Op::Neg(a) | Op::Negated(a) => visit(a),
        Op::Binary(_, a, b) | Op::StrongProduct(_, a, b) | Op::StrongQuotient(a, b) => {
            visit(a);
            visit(b);
        }
        Op::Scalar { args, .. } | Op::Tuple(args) | Op::Array(args) | Op::Components { args, .. } => args.iter().for_each(visit),
        Op::Dispatch { args, .. } | Op::Call { args, .. } => args.iter().for_each(|arg| argument(arg, visit)),
        Op::Cast { value, .. } | Op::CastBack { value, .. } | Op::Repeat { value, .. } => visit(value),
        Op::Read(place) | Op::Snapshot(place) => indices(place, visit),
        Op::Pull { cotangent, .. } => visit(cotangent),
        Op::Map(_) | Op::Inert { .. } | Op::Formula { .. } | Op::Zero(_) | Op::ZeroOf(_) | Op::SumOf(_) | Op::Scratch { .. } => {}
    }
}

fn argument(argument: &Argument, visit: &mut impl FnMut(&Operand)) {
    match argument {
        Argument::Value(value) => visit(value),
        Argument::Ref { place, .. } => indices(place, visit),
    }
}

fn indices(place: &Place, visit: &mut impl FnMut(&Operand)) {
    for projection in &place.projections {
        match projection {
            Projection::Index(index) => visit(index),
            Projection::Slice { low, high, .. } => low.iter().chain(high).for_each(&mut *visit),
            Projection::Field(_) | Projection::Deref => {}
        }
    }
}

/// Calls `write` for every variable that is changed after its definition.
pub fn writes(block: &Block, write: &mut impl FnMut(VarId)) {
    walk::statements(block, &mut |stmt| stmt_writes(stmt, write));
}

/// The variables that a statement changes itself.
pub fn stmt_writes(stmt: &Stmt, write: &mut impl FnMut(VarId)) {
    match stmt {
        Stmt::Store { place, .. } | Stmt::Update { place, .. } | Stmt::Clear(place) | Stmt::PullInto { place, .. } => write(place.root),
        Stmt::Let { op: Op::Call { args, .. }, .. } => {
            for arg in args {
                if let Argument::Ref { place, mutable: true } = arg {
                    write(place.root);
                }
            }
        }
        Stmt::Inert { reads, .. } => reads.iter().copied().for_each(write),
        Stmt::PullCall(pull) => pull.shadows.iter().for_each(|shadow| match shadow {
            crate::ir::Shadow::Place(place) => write(place.root),
            crate::ir::Shadow::Scratch { add_to, .. } => add_to.iter().for_each(|place| write(place.root)),
        }),
        Stmt::ReverseMap(reverse) => reverse.outputs.iter().flatten().for_each(|(place, _)| write(place.root)),
        _ => {}
    }
}
