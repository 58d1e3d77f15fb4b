//! Which values need no name: those that are used once, as an operand, in the block that defines them.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::build::Vars;
use crate::ir::{Argument, Block, LoopKind, Op, Operand, Place, Projection, Role, Stmt, VarId, walk};

/// Values that are used once, as an operand, in the block that defines them.
pub struct Once {
    /// They need no name: they are folded into their use.
    pub folded: BTreeSet<VarId>,
    /// They keep their name, but their use may move them.
    pub moved: BTreeSet<VarId>,
    /// The last that is done with them is to store them, which may move them too.
    pub stored: BTreeSet<VarId>,
    /// Values that are the whole of a variable which nothing mentions after them: it may be moved.
    pub taken: BTreeSet<VarId>,
}

/// Finds them. `named` must keep their names and stay.
pub fn once(block: &Block, vars: &Vars, named: &BTreeSet<VarId>) -> Once {
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
    let mut taken = BTreeSet::new();
    taken_last(block, &mut |value, whole| {
        if !named.contains(&whole) {
            taken.insert(value);
        }
    });
    let mut once = Once { folded: BTreeSet::new(), moved: BTreeSet::new(), stored: BTreeSet::new(), taken: BTreeSet::new() };
    stored_last(block, &mut |var| {
        if !named.contains(&var) && !written.contains(&var) {
            once.stored.insert(var);
        }
    });
    once.taken = taken;
    search(block, &mut |var, op| {
        if counts.get(&var) == Some(&1) && !named.contains(&var) && !written.contains(&var) {
            once.moved.insert(var);
            if foldable(op, vars) && matches!(vars.get(var).role, Role::Temporary | Role::Cotangent(_)) {
                once.folded.insert(var);
            }
        }
    });
    once
}

/// Offers every value that is an operand in the block that defines it, with its definition.
fn search<'a>(block: &'a Block, offer: &mut dyn FnMut(VarId, &'a Op)) {
    let mut defined: BTreeMap<VarId, &Op> = BTreeMap::new();
    for stmt in &block.0 {
        operands(stmt, &mut |operand| {
            if let Operand::Var(var) = operand
                && let Some(op) = defined.get(var)
            {
                offer(*var, op);
            }
        });
        if let Stmt::Let { var, op } = stmt {
            defined.insert(*var, op);
        }
        walk::blocks(stmt).into_iter().for_each(|inner| search(inner, offer));
        if let Stmt::Loop(looping) = stmt
            && let LoopKind::While { header, cond: Operand::Var(cond) } = &looping.kind
            && let Some(op) = header.0.iter().find_map(|stmt| match stmt {
                Stmt::Let { var, op } if var == cond => Some(op),
                _ => None,
            })
        {
            offer(*cond, op);
        }
    }
}

/// The value that a statement stores as it is.
pub fn stored(stmt: &Stmt) -> Option<VarId> {
    match stmt {
        Stmt::Store { value: Operand::Var(value), .. } | Stmt::Declare { init: Some(Operand::Var(value)), .. } => Some(*value),
        _ => None,
    }
}

/// Offers every value that is stored once, by the last statement of its block that reads it.
fn stored_last(block: &Block, offer: &mut dyn FnMut(VarId)) {
    let mut defined = BTreeSet::new();
    let mut last: BTreeMap<VarId, bool> = BTreeMap::new();
    for stmt in &block.0 {
        let mut reads = Vec::new();
        walk::stmt_reads(stmt, &mut |read| reads.push(read));
        walk::blocks(stmt).into_iter().for_each(|inner| walk::block_reads(inner, &mut |read| reads.push(read)));
        for &read in &reads {
            let alone = reads.iter().filter(|&&other| other == read).count() == 1;
            let again = last.get(&read) == Some(&true);
            last.insert(read, alone && !again && stored(stmt) == Some(read));
        }
        if let Stmt::Let { var, .. } = stmt {
            defined.insert(*var);
        }
        walk::blocks(stmt).into_iter().for_each(|inner| stored_last(inner, offer));
    }
    last.into_iter().filter(|(var, stored)| *stored && defined.contains(var)).for_each(|(var, _)| offer(var));
}

/// Offers every value that is the whole content of a variable, read by the last statement of its block that mentions it,
/// and the variable.
fn taken_last(block: &Block, offer: &mut dyn FnMut(VarId, VarId)) {
    let mut declared = BTreeSet::new();
    let mut last: BTreeMap<VarId, Option<VarId>> = BTreeMap::new();
    for stmt in &block.0 {
        let mut mentions = Vec::new();
        walk::stmt_reads(stmt, &mut |read| mentions.push(read));
        stmt_writes(stmt, &mut |write| mentions.push(write));
        for inner in walk::blocks(stmt) {
            walk::block_reads(inner, &mut |read| mentions.push(read));
            writes(inner, &mut |write| mentions.push(write));
        }
        for mentioned in mentions {
            let taken = match stmt {
                Stmt::Let { var, op: Op::Read(place) } if place.projections.is_empty() && place.root == mentioned => Some(*var),
                _ => None,
            };
            last.insert(mentioned, taken);
        }
        if let Stmt::Declare { var, .. } = stmt {
            declared.insert(*var);
        }
        walk::blocks(stmt).into_iter().for_each(|inner| taken_last(inner, offer));
    }
    for (whole, value) in last {
        if let (Some(value), true) = (value, declared.contains(&whole)) {
            offer(value, whole);
        }
    }
}

fn foldable(op: &Op, vars: &Vars) -> bool {
    match op {
        // The argument that it is made for may be moved right there.
        Op::Scratch { of: Operand::Var(of), .. } => vars.get(*of).ty.is_copy(),
        Op::Call { .. } | Op::Snapshot(_) | Op::Payload { .. } | Op::Split { .. } => false,
        // What may change something stays where it is.
        Op::Inert { expr, .. } => crate::rules::is_pure(expr),
        _ => true,
    }
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
        Op::Cast { value, .. } | Op::CastBack { value, .. } | Op::Repeat { value, .. } | Op::Split { value, .. } => visit(value),
        Op::Read(place) | Op::Snapshot(place) | Op::ZeroAt(place) => indices(place, visit),
        Op::Pull { cotangent, .. } => visit(cotangent),
        Op::Construct(construct) => {
            construct.fields.iter().for_each(|(_, field)| argument(field, visit));
            construct.base.iter().for_each(visit);
        }
        Op::Payload { .. }
        | Op::Map(_)
        | Op::Inert { .. }
        | Op::Formula { .. }
        | Op::Zero(_)
        | Op::ZeroOf(_)
        | Op::SumOf(_)
        | Op::Scratch { .. }
        | Op::Push { .. } => {}
    }
}

fn argument(argument: &Argument, visit: &mut impl FnMut(&Operand)) {
    match argument {
        Argument::Value(value) => visit(value),
        Argument::Ref { place, .. } => indices(place, visit),
    }
}

fn indices(place: &Place, visit: &mut impl FnMut(&Operand)) {
    place.projections.iter().flat_map(Projection::operands).for_each(visit);
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
        Stmt::Let { op: Op::Inert { expr, reads }, .. } if !crate::rules::is_pure(expr) => reads.iter().copied().for_each(write),
        Stmt::PullCall(pull) => pull.shadows.iter().for_each(|shadow| match shadow {
            crate::ir::Shadow::Place(place) => write(place.root),
            crate::ir::Shadow::Scratch { add_to, .. } => add_to.iter().for_each(|place| write(place.root)),
        }),
        Stmt::ReverseMap(reverse) => reverse.outputs.iter().flatten().for_each(|(place, _)| write(place.root)),
        _ => {}
    }
}
