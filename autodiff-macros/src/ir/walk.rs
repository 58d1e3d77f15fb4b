//! The one walk over reads and writes, and what is made with it.

use super::{Argument, Block, LoopId, LoopKind, Op, Operand, Place, Projection, Scope, Shadow, Stmt, VarId};

/// Calls `read` with every variable that `op` reads.
pub fn op_reads(op: &Op, read: &mut dyn FnMut(VarId)) {
    match op {
        Op::Copy(a) | Op::Neg(a) | Op::Negated(a) => operand(a, read),
        Op::Binary(_, a, b) | Op::StrongProduct(_, a, b) | Op::StrongQuotient(a, b) => {
            operand(a, read);
            operand(b, read);
        }
        Op::Scalar { args, .. } | Op::Tuple(args) | Op::Array(args) | Op::Components { args, .. } => {
            args.iter().for_each(|arg| operand(arg, read))
        }
        Op::Dispatch { args, .. } | Op::Call { args, .. } => args.iter().for_each(|arg| argument(arg, read)),
        Op::Cast { value, .. } | Op::Repeat { value, .. } | Op::CastBack { value, .. } | Op::Split { value, .. } => operand(value, read),
        Op::Read(at) | Op::Snapshot(at) | Op::ZeroAt(at) => place(at, read),
        Op::Map(map) => {
            map.inputs.iter().for_each(|(input, _)| argument(input, read));
            let mut inside = Vec::new();
            block_reads(&map.body, &mut |var| inside.push(var));
            operand(&map.result, &mut |var| inside.push(var));
            let defined = defined_in(&map.body);
            let own = |var: &VarId| defined.contains(var) || map.inputs.iter().any(|(_, element)| element == var);
            inside.into_iter().filter(|var| !own(var)).for_each(read);
        }
        Op::Inert { reads, .. } | Op::Formula { reads, .. } => reads.iter().copied().for_each(read),
        Op::Zero(var) | Op::SumOf(var) => read(*var),
        Op::Pull { args, result, cotangent, .. } => {
            args.iter().for_each(|arg| argument(arg, read));
            result.iter().for_each(|result| operand(result, read));
            operand(cotangent, read);
        }
        Op::Push { args, dots, .. } => {
            args.iter().for_each(|arg| argument(arg, read));
            dots.iter().flatten().for_each(|dot| operand(dot, read));
        }
        Op::Construct(construct) => {
            construct.fields.iter().for_each(|(_, field)| argument(field, read));
            construct.base.iter().for_each(|base| operand(base, read));
        }
        Op::Payload { holder, .. } => read(*holder),
        Op::ZeroOf(_) => {}
        Op::Scratch { receiver, of, place: at, .. } => {
            receiver.iter().for_each(|receiver| argument(receiver, read));
            operand(of, read);
            at.iter().for_each(|at| place(at, read));
        }
    }
}

/// Calls `read` for an operand's variable.
pub fn operand(operand: &Operand, read: &mut dyn FnMut(VarId)) {
    if let Operand::Var(var) = operand {
        read(*var);
    }
}

fn argument(argument: &Argument, read: &mut dyn FnMut(VarId)) {
    match argument {
        Argument::Value(value) => operand(value, read),
        Argument::Ref { place: at, .. } => place(at, read),
    }
}

/// Calls `read` for a place's root and for its indices.
pub fn place(place: &Place, read: &mut dyn FnMut(VarId)) {
    read(place.root);
    indices(place, read);
}

/// Calls `read` for a place's indices only.
pub fn indices(place: &Place, read: &mut dyn FnMut(VarId)) {
    place.projections.iter().flat_map(Projection::operands).for_each(|index| operand(index, read));
}

/// Calls `read` with every variable that the statement itself reads, not those in its blocks.
pub fn stmt_reads(stmt: &Stmt, read: &mut dyn FnMut(VarId)) {
    match stmt {
        Stmt::Let { op, .. } => op_reads(op, read),
        Stmt::Declare { init, .. } => init.iter().for_each(|init| operand(init, read)),
        Stmt::Store { place, value } | Stmt::Update { place, value, .. } => {
            operand(value, read);
            self::place(place, read);
        }
        Stmt::If { cond, .. } => operand(cond, read),
        Stmt::Match(matching) => {
            matching.reads.iter().copied().for_each(&mut *read);
            matching.arms.iter().flat_map(|arm| arm.reads.iter().copied()).for_each(read);
        }
        Stmt::Loop(looping) => match &looping.kind {
            LoopKind::Range { low, high, .. } => {
                operand(low, read);
                operand(high, read);
            }
            LoopKind::Iterator { reads, .. } => reads.iter().copied().for_each(read),
            LoopKind::While { .. } | LoopKind::Endless | LoopKind::Once => {}
        },
        Stmt::Exit { .. } | Stmt::Recompute(_) | Stmt::Unless { .. } => {}
        Stmt::ReverseLoop { forward, .. } => {
            if let (LoopKind::Range { low, high, .. }, false) = (&forward.kind, forward.abrupt) {
                operand(low, read);
                operand(high, read);
            }
        }
        Stmt::Clear(at) => place(at, read),
        Stmt::Inert { reads, .. } => reads.iter().copied().for_each(read),
        Stmt::ReverseMatch { chosen, .. } => read(*chosen),
        Stmt::PullInto { args, result, cotangent, place: at, .. } => {
            args.iter().for_each(|arg| argument(arg, read));
            result.iter().for_each(|result| operand(result, read));
            operand(cotangent, read);
            place(at, read);
        }
        Stmt::PullCall(pull) => {
            read(pull.saved);
            pull.references.iter().chain(&pull.receiver).for_each(|reference| argument(reference, read));
            operand(&pull.seed, read);
            pull.shadows.iter().for_each(|shadow| match shadow {
                Shadow::Place(at) => place(at, read),
                Shadow::Scratch { of, made, add_to, .. } => {
                    match made {
                        Some(made) => read(*made),
                        None => place(of, read),
                    }
                    add_to.iter().for_each(|at| place(at, read));
                }
            });
        }
        Stmt::TangentMap(tangent) => {
            tangent.map.inputs.iter().for_each(|(input, _)| argument(input, read));
            tangent.inputs.iter().flatten().for_each(|(input, _)| argument(input, read));
            read(tangent.value);
            operand(&tangent.result, read);
        }
        Stmt::ReverseMap(reverse) => {
            reverse.map.inputs.iter().for_each(|(input, _)| argument(input, read));
            reverse.result.iter().copied().for_each(&mut *read);
            read(reverse.cotangent);
            reverse.outputs.iter().flatten().for_each(|(at, _)| place(at, read));
        }
    }
}

/// The blocks directly inside a statement.
pub fn blocks(stmt: &Stmt) -> Vec<&Block> {
    match stmt {
        Stmt::If { then, els, .. } => vec![then, els],
        Stmt::Match(matching) => matching.arms.iter().map(|arm| &arm.body).collect(),
        Stmt::Loop(looping) => match &looping.kind {
            LoopKind::While { header, .. } => vec![header, &looping.body],
            LoopKind::Range { .. } | LoopKind::Iterator { .. } | LoopKind::Endless | LoopKind::Once => vec![&looping.body],
        },
        Stmt::Unless { body, .. } | Stmt::ReverseLoop { body, .. } => vec![body],
        Stmt::ReverseMatch { arms, .. } => arms.iter().collect(),
        Stmt::ReverseMap(reverse) => vec![&reverse.body],
        Stmt::TangentMap(tangent) => vec![&tangent.body],
        Stmt::Let { .. }
        | Stmt::Declare { .. }
        | Stmt::Store { .. }
        | Stmt::Update { .. }
        | Stmt::Exit { .. }
        | Stmt::Inert { .. }
        | Stmt::Recompute(_)
        | Stmt::Clear(_)
        | Stmt::PullInto { .. }
        | Stmt::PullCall(_) => Vec::new(),
    }
}

/// The same, to be changed.
pub fn blocks_mut(stmt: &mut Stmt) -> Vec<&mut Block> {
    match stmt {
        Stmt::If { then, els, .. } => vec![then, els],
        Stmt::Match(matching) => matching.arms.iter_mut().map(|arm| &mut arm.body).collect(),
        Stmt::Loop(looping) => match &mut looping.kind {
            LoopKind::While { header, .. } => vec![header, &mut looping.body],
            LoopKind::Range { .. } | LoopKind::Iterator { .. } | LoopKind::Endless | LoopKind::Once => vec![&mut looping.body],
        },
        Stmt::Unless { body, .. } | Stmt::ReverseLoop { body, .. } => vec![body],
        Stmt::ReverseMatch { arms, .. } => arms.iter_mut().collect(),
        Stmt::ReverseMap(reverse) => vec![&mut reverse.body],
        Stmt::TangentMap(tangent) => vec![&mut tangent.body],
        Stmt::Let { .. }
        | Stmt::Declare { .. }
        | Stmt::Store { .. }
        | Stmt::Update { .. }
        | Stmt::Exit { .. }
        | Stmt::Inert { .. }
        | Stmt::Recompute(_)
        | Stmt::Clear(_)
        | Stmt::PullInto { .. }
        | Stmt::PullCall(_) => Vec::new(),
    }
}

/// Calls `visit` with every statement of the block, nested ones included, in textual order.
pub fn statements<'a>(block: &'a Block, visit: &mut dyn FnMut(&'a Stmt)) {
    for stmt in &block.0 {
        visit(stmt);
        for inner in blocks(stmt) {
            statements(inner, visit);
        }
    }
}

/// Calls `read` with every variable read anywhere in the block.
pub fn block_reads(block: &Block, read: &mut dyn FnMut(VarId)) {
    statements(block, &mut |stmt| {
        stmt_reads(stmt, read);
        if let Stmt::Loop(looping) = stmt
            && let LoopKind::While { cond, .. } = &looping.kind
        {
            operand(cond, read);
        }
    });
}

/// The variables that a statement defines or declares itself.
pub fn stmt_defines(stmt: &Stmt, define: &mut dyn FnMut(VarId)) {
    match stmt {
        Stmt::Let { var, op: Op::Call { saved: Some(saved), .. } } => {
            define(*var);
            define(*saved);
        }
        Stmt::Let { var, op: Op::Split { error, .. } } => {
            define(*var);
            define(*error);
        }
        Stmt::Let { var, .. } | Stmt::Declare { var, .. } => define(*var),
        Stmt::Loop(looping) => {
            define(looping.trips);
            define(looping.start);
            match &looping.kind {
                LoopKind::Range { var, .. } => define(*var),
                LoopKind::Iterator { bindings, .. } => bindings.iter().copied().for_each(define),
                LoopKind::While { .. } | LoopKind::Endless | LoopKind::Once => {}
            }
        }
        Stmt::Match(matching) => matching.arms.iter().flat_map(|arm| arm.bindings.iter().copied()).for_each(define),
        Stmt::TangentMap(tangent) => define(tangent.dot),
        Stmt::PullCall(pull) => pull.results.iter().flatten().copied().for_each(define),
        Stmt::Store { .. }
        | Stmt::Update { .. }
        | Stmt::If { .. }
        | Stmt::Exit { .. }
        | Stmt::Inert { .. }
        | Stmt::Recompute(_)
        | Stmt::Clear(_)
        | Stmt::Unless { .. }
        | Stmt::ReverseLoop { .. }
        | Stmt::ReverseMatch { .. }
        | Stmt::PullInto { .. }
        | Stmt::ReverseMap(_) => {}
    }
}

/// All variables defined anywhere in the block.
pub fn defined_in(block: &Block) -> std::collections::BTreeSet<VarId> {
    let mut defined = std::collections::BTreeSet::new();
    statements(block, &mut |stmt| {
        stmt_defines(stmt, &mut |var| {
            defined.insert(var);
        })
    });
    defined
}

/// Numbers the exits so that a later one has a smaller code, down to 1; 0 is the normal end of a scope.
pub fn number_exits(block: &mut Block, count: u32) {
    for stmt in &mut block.0 {
        if let Stmt::Exit { code, .. } = stmt {
            *code = count - *code;
        }
        for inner in blocks_mut(stmt) {
            number_exits(inner, count);
        }
    }
}

/// The smallest code of the exits in `stmt` that leave `scope`, if there are any.
pub fn least_exit(stmt: &Stmt, scope: Scope) -> Option<u32> {
    fn search(stmt: &Stmt, scope: Scope, inside: &mut Vec<LoopId>, least: &mut Option<u32>) {
        if let Stmt::Exit { kind, code, .. } = stmt {
            let leaves = match (kind, scope) {
                (super::Exit::Return, _) => true,
                (super::Exit::Break(_) | super::Exit::Continue(_), Scope::Function) => false,
                // A loop found on the way in is inside the scope: leaving it does not leave the scope.
                (super::Exit::Break(target) | super::Exit::Continue(target), Scope::Loop(_)) => !inside.contains(target),
            };
            if leaves {
                *least = Some(least.map_or(*code, |other| other.min(*code)));
            }
        }
        let entered = if let Stmt::Loop(looping) = stmt { Some(looping.id) } else { None };
        inside.extend(entered);
        for block in blocks(stmt) {
            for stmt in &block.0 {
                search(stmt, scope, inside, least);
            }
        }
        if entered.is_some() {
            inside.pop();
        }
    }
    let mut least = None;
    search(stmt, scope, &mut Vec::new(), &mut least);
    least
}

/// Whether what follows the block is never reached from its end.
pub fn diverges(block: &Block) -> bool {
    block.0.iter().any(|stmt| match stmt {
        Stmt::Exit { .. } => true,
        Stmt::If { then, els, .. } => diverges(then) && diverges(els),
        Stmt::Match(matching) => matching.arms.iter().all(|arm| diverges(&arm.body)),
        Stmt::Loop(looping) => match looping.kind {
            LoopKind::Endless => !breaks(&looping.body, looping.id),
            LoopKind::Once => diverges(&looping.body) && !breaks(&looping.body, looping.id),
            LoopKind::Range { .. } | LoopKind::Iterator { .. } | LoopKind::While { .. } => false,
        },
        _ => false,
    })
}

fn breaks(block: &Block, id: LoopId) -> bool {
    let mut found = false;
    statements(block, &mut |stmt| {
        found |= matches!(stmt, Stmt::Exit { kind: super::Exit::Break(target), .. } if *target == id);
    });
    found
}
