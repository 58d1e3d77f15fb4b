//! Activity: which variables carry a derivative.
//!
//! A variable is *varied* if it depends on an active parameter, *useful* if the result or what a `&mut`
//! parameter points to depends on it, and active if it is both. The analysis is a fixpoint over all
//! statements whatever their order, so loops and exits need no case of their own; values are numbered by
//! moment already, so little is lost by that. It over-approximates.

use crate::ir::{Argument, Block, Body, Op, Operand, Projection, Stmt, Ty, VarId, walk};
use crate::parse::{Passing, Primal};

/// Facts by variable.
pub struct Activity {
    varied: Vec<bool>,
    useful: Vec<bool>,
    /// Whether what an `Err(..)` holds counts: something takes it out again, and the result depends on that.
    errors: bool,
}

impl Activity {
    /// Whether `var` depends on an active parameter and matters for the result.
    pub fn active(&self, var: VarId) -> bool {
        self.varied(var) && self.useful.get(var.0 as usize).copied().unwrap_or(false)
    }

    /// Whether `var` depends on an active parameter; variables made after the analysis do not.
    pub fn varied(&self, var: VarId) -> bool {
        self.varied.get(var.0 as usize).copied().unwrap_or(false)
    }

    /// Whether an operand is an active variable.
    pub fn operand(&self, operand: &Operand) -> bool {
        matches!(operand, Operand::Var(var) if self.active(*var))
    }

    /// Whether an argument is, or refers to, an active variable.
    pub fn argument(&self, argument: &Argument) -> bool {
        argument.root().is_some_and(|var| self.active(var))
    }
}

/// Runs the analysis. An error carries no derivative, so what is put into one is lost, and should be; but where it is taken out
/// again and matters, it counts like anything else, and rustc objects to the error's tangent, which there is not.
pub fn activity(primal: &Primal, body: &Body) -> Activity {
    let facts = with_errors(primal, body, false);
    if takes_errors(body, &facts) { with_errors(primal, body, true) } else { facts }
}

/// Whether the result depends on what was in an `Err(..)`.
fn takes_errors(body: &Body, facts: &Activity) -> bool {
    let of_error = |projection: &Projection| matches!(projection, Projection::Payload { variant, .. } if variant == "Err");
    let mut found = false;
    walk::statements(&body.root, &mut |stmt| {
        if let Stmt::Let { var, op: Op::Read(place) | Op::Payload { place, .. } | Op::Snapshot(place) } = stmt {
            found |= facts.useful[var.0 as usize] && place.projections.iter().any(of_error);
        }
    });
    found
}

fn with_errors(primal: &Primal, body: &Body, errors: bool) -> Activity {
    let mut facts = Activity { varied: vec![false; body.vars.len()], useful: vec![false; body.vars.len()], errors };
    for (param, &var) in primal.params.iter().zip(&body.params) {
        facts.varied[var.0 as usize] = param.active;
        facts.useful[var.0 as usize] = param.active && param.passing == Passing::Mutable;
    }
    if let Operand::Var(result) = body.result {
        facts.useful[result.0 as usize] = true;
    }
    while step(body, &body.root, &mut facts, forward) {}
    while step(body, &body.root, &mut facts, backward) {}
    facts
}

/// One pass over all statements with a transfer function; whether anything changed.
fn step(body: &Body, block: &Block, facts: &mut Activity, transfer: fn(&Body, &Stmt, &mut Activity)) -> bool {
    let before = (facts.varied.clone(), facts.useful.clone());
    visit(body, block, facts, transfer);
    before != (facts.varied.clone(), facts.useful.clone())
}

fn visit(body: &Body, block: &Block, facts: &mut Activity, transfer: fn(&Body, &Stmt, &mut Activity)) {
    walk::statements(block, &mut |stmt| {
        transfer(body, stmt, facts);
        if let Stmt::Let { op: Op::Map(map), .. } = stmt {
            visit(body, &map.body, facts, transfer);
        }
    });
}

fn forward(body: &Body, stmt: &Stmt, facts: &mut Activity) {
    let varied = |facts: &Activity, operand: &Operand| matches!(operand, Operand::Var(var) if facts.varied(*var));
    let mark = |facts: &mut Activity, var: VarId, yes: bool| {
        let carries = body.vars.get(var).ty.differentiable() || body.vars.get(var).ty == Ty::Saved;
        facts.varied[var.0 as usize] |= yes && carries;
    };
    match stmt {
        Stmt::Let { var, op } => {
            let yes = match op {
                Op::Inert { .. } | Op::Zero(_) | Op::ZeroAt(_) | Op::ZeroOf(_) | Op::Scratch { .. } => false,
                Op::Read(place) | Op::Payload { place, .. } => facts.varied(place.root),
                // An error carries no derivative.
                Op::Construct(construct) if construct.is_error() && !facts.errors => false,
                Op::Construct(construct) => {
                    let fields = construct.fields.iter().any(|(_, field)| field.root().is_some_and(|root| facts.varied(root)));
                    fields || construct.base.iter().any(|base| varied(facts, base))
                }
                Op::Scalar { args, .. } | Op::Tuple(args) | Op::Array(args) => args.iter().any(|arg| varied(facts, arg)),
                Op::Call { args, .. } | Op::Dispatch { args, .. } => {
                    let any = args.iter().any(|arg| arg.root().is_some_and(|root| facts.varied(root)));
                    for arg in args {
                        if let Argument::Ref { place, mutable: true } = arg {
                            mark(facts, place.root, any);
                        }
                    }
                    any
                }
                Op::Map(map) => {
                    for (input, element) in &map.inputs {
                        let yes = input.root().is_some_and(|root| facts.varied(root));
                        mark(facts, *element, yes);
                    }
                    varied(facts, &map.result)
                }
                other => {
                    let mut any = false;
                    walk::op_reads(other, &mut |read| any |= facts.varied(read));
                    any
                }
            };
            mark(facts, *var, yes);
        }
        Stmt::Declare { var, init: Some(value) } => {
            let yes = varied(facts, value);
            mark(facts, *var, yes);
        }
        Stmt::TangentMap(map) => {
            for (input, element) in &map.elements() {
                let yes = input.root().is_some_and(|root| facts.varied(root));
                mark(facts, *element, yes);
            }
            let yes = varied(facts, &map.result);
            mark(facts, map.dot, yes);
        }
        Stmt::Store { place, value } | Stmt::Update { place, value, .. } => {
            let yes = varied(facts, value);
            mark(facts, place.root, yes);
        }
        _ => {}
    }
}

fn backward(_: &Body, stmt: &Stmt, facts: &mut Activity) {
    fn need(facts: &mut Activity, var: VarId) {
        facts.useful[var.0 as usize] = true;
    }
    let useful = |facts: &Activity, var: VarId| facts.useful[var.0 as usize];
    match stmt {
        Stmt::Let { var, op } => match op {
            Op::Inert { .. } | Op::Zero(_) | Op::ZeroAt(_) | Op::ZeroOf(_) | Op::Scratch { .. } => {}
            Op::Call { args, .. } => {
                let writes = args.iter().any(|arg| matches!(arg, Argument::Ref { place, mutable: true } if useful(facts, place.root)));
                if writes || useful(facts, *var) {
                    args.iter().filter_map(Argument::root).for_each(|root| need(facts, root));
                    need(facts, *var);
                }
            }
            Op::Map(map) if useful(facts, *var) => {
                if let Operand::Var(result) = map.result {
                    need(facts, result);
                }
                for (input, element) in &map.inputs {
                    if useful(facts, *element) {
                        input.root().into_iter().for_each(|root| need(facts, root));
                    }
                }
            }
            Op::Map(_) => {}
            Op::Read(place) | Op::Payload { place, .. } if useful(facts, *var) => need(facts, place.root),
            Op::Construct(construct) if construct.is_error() && !facts.errors => {}
            Op::Construct(construct) if useful(facts, *var) => {
                construct.fields.iter().filter_map(|(_, field)| field.root()).for_each(|root| need(facts, root));
                if let Some(Operand::Var(base)) = construct.base {
                    need(facts, base);
                }
            }
            op if useful(facts, *var) => walk::op_reads(op, &mut |read| need(facts, read)),
            _ => {}
        },
        Stmt::TangentMap(map) if useful(facts, map.dot) => {
            if let Operand::Var(result) = map.result {
                need(facts, result);
            }
            for (input, element) in map.elements() {
                if useful(facts, element) {
                    input.root().into_iter().for_each(|root| need(facts, root));
                }
            }
        }
        Stmt::Declare { var, init: Some(Operand::Var(value)) } if useful(facts, *var) => need(facts, *value),
        Stmt::Store { place, value: Operand::Var(value) } | Stmt::Update { place, value: Operand::Var(value), .. }
            if useful(facts, place.root) =>
        {
            need(facts, *value);
        }
        _ => {}
    }
}
