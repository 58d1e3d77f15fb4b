//! Tidying the reverse program: second names of cotangents are dropped, and what nobody reads.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Argument, Block, Op, Operand, Place, Shadow, Stmt, VarId, walk};

/// Tidies `block`; `results` are the variables that are read after it.
pub fn tidy(block: &mut Block, results: &mut [Option<VarId>]) {
    let mut names = Names::default();
    names.collect(block);
    let aliases = names.aliases(block);
    let resolve = |var: VarId| aliases.get(&var).copied().unwrap_or(var);
    rename(block, &resolve);
    results.iter_mut().flatten().for_each(|var| *var = resolve(*var));
    let mut reads: BTreeMap<VarId, u32> = BTreeMap::new();
    walk::block_reads(block, &mut |var| *reads.entry(var).or_default() += 1);
    results.iter().flatten().for_each(|var| *reads.entry(*var).or_default() += 1);
    count_components(block, &mut reads);
    drop_unread(block, &mut reads);
}

/// What is written, and what is read by name inside a formula.
#[derive(Default)]
struct Names {
    written: BTreeSet<VarId>,
    spelled: BTreeSet<VarId>,
}

impl Names {
    fn collect(&mut self, block: &Block) {
        walk::statements(block, &mut |stmt| match stmt {
            Stmt::Store { place, .. } | Stmt::Update { place, .. } | Stmt::Clear(place) | Stmt::PullInto { place, .. } => {
                self.written.insert(place.root);
            }
            Stmt::Declare { var, .. } => {
                self.written.insert(*var);
            }
            Stmt::Let { op: Op::Formula { reads, .. } | Op::Inert { reads, .. }, .. } => self.spelled.extend(reads),
            Stmt::PullCall(pull) => {
                for shadow in &pull.shadows {
                    match shadow {
                        Shadow::Place(place) => self.written.extend([place.root]),
                        Shadow::Scratch { add_to, .. } => self.written.extend(add_to.iter().map(|place| place.root)),
                    }
                }
            }
            Stmt::ReverseMap(reverse) => {
                self.written.extend(reverse.outputs.iter().flatten().map(|(place, _)| place.root));
                self.spelled.insert(reverse.seed);
                self.spelled.extend(reverse.outputs.iter().flatten().map(|(_, bar)| *bar));
                walk::block_reads(&reverse.body, &mut |var| {
                    self.spelled.insert(var);
                });
            }
            _ => {}
        });
    }

    /// `let v = w`, where neither changes: `w` stands for both.
    fn aliases(&self, block: &Block) -> BTreeMap<VarId, VarId> {
        let mut aliases: BTreeMap<VarId, VarId> = BTreeMap::new();
        walk::statements(block, &mut |stmt| {
            if let Stmt::Let { var, op: Op::Copy(Operand::Var(of)) } = stmt
                && !self.written.contains(var)
                && !self.written.contains(of)
                && !self.spelled.contains(var)
            {
                let of = aliases.get(of).copied().unwrap_or(*of);
                aliases.insert(*var, of);
            }
        });
        aliases
    }
}

fn rename(block: &mut Block, resolve: &impl Fn(VarId) -> VarId) {
    for stmt in &mut block.0 {
        rename_stmt(stmt, resolve);
        if !matches!(stmt, Stmt::ReverseMap(_)) {
            walk::blocks_mut(stmt).into_iter().for_each(|inner| rename(inner, resolve));
        }
    }
}

fn rename_stmt(stmt: &mut Stmt, resolve: &impl Fn(VarId) -> VarId) {
    match stmt {
        Stmt::Let { op, .. } => rename_op(op, resolve),
        Stmt::Declare { init: Some(value), .. } => rename_operand(value, resolve),
        Stmt::Store { place, value } | Stmt::Update { place, value, .. } => {
            rename_operand(value, resolve);
            rename_indices(place, resolve);
        }
        Stmt::If { cond, .. } => rename_operand(cond, resolve),
        Stmt::PullInto { args, cotangent, .. } => {
            args.iter_mut().for_each(|arg| rename_argument(arg, resolve));
            rename_operand(cotangent, resolve);
        }
        Stmt::PullCall(pull) => rename_operand(&mut pull.seed, resolve),
        Stmt::ReverseMap(reverse) => reverse.cotangent = resolve(reverse.cotangent),
        _ => {}
    }
}

fn rename_op(op: &mut Op, resolve: &impl Fn(VarId) -> VarId) {
    match op {
        Op::Copy(a) | Op::Neg(a) | Op::Negated(a) => rename_operand(a, resolve),
        Op::Binary(_, a, b) | Op::StrongProduct(_, a, b) | Op::StrongQuotient(a, b) => {
            rename_operand(a, resolve);
            rename_operand(b, resolve);
        }
        Op::CastBack { value, .. } => rename_operand(value, resolve),
        Op::Read(place) => {
            place.root = resolve(place.root);
            rename_indices(place, resolve);
        }
        Op::SumOf(var) => *var = resolve(*var),
        Op::Pull { args, result, cotangent, .. } => {
            args.iter_mut().for_each(|arg| rename_argument(arg, resolve));
            result.iter_mut().for_each(|result| rename_operand(result, resolve));
            rename_operand(cotangent, resolve);
        }
        _ => {}
    }
}

fn rename_operand(operand: &mut Operand, resolve: &impl Fn(VarId) -> VarId) {
    if let Operand::Var(var) = operand {
        *var = resolve(*var);
    }
}

fn rename_argument(argument: &mut Argument, resolve: &impl Fn(VarId) -> VarId) {
    if let Argument::Value(value) = argument {
        rename_operand(value, resolve);
    }
}

fn rename_indices(place: &mut Place, resolve: &impl Fn(VarId) -> VarId) {
    for projection in &mut place.projections {
        projection.operands_mut().into_iter().for_each(|index| rename_operand(index, resolve));
    }
}

fn count_components(block: &Block, reads: &mut BTreeMap<VarId, u32>) {
    walk::statements(block, &mut |stmt| {
        if let Stmt::ReverseMap(reverse) = stmt {
            for var in reverse.outputs.iter().flatten().map(|(_, bar)| *bar).chain([reverse.seed]) {
                *reads.entry(var).or_default() += 1;
            }
        }
    });
}

/// Removes definitions that nobody reads, from the end: what only they read goes with them.
fn drop_unread(block: &mut Block, reads: &mut BTreeMap<VarId, u32>) {
    let mut kept = Vec::with_capacity(block.0.len());
    for mut stmt in std::mem::take(&mut block.0).into_iter().rev() {
        if let Stmt::Let { var, op } = &stmt
            && reads.get(var).copied().unwrap_or(0) == 0
            && !matches!(op, Op::Call { .. })
        {
            walk::op_reads(op, &mut |read| {
                reads.entry(read).and_modify(|count| *count -= 1);
            });
            continue;
        }
        walk::blocks_mut(&mut stmt).into_iter().for_each(|inner| drop_unread(inner, reads));
        kept.push(stmt);
    }
    kept.reverse();
    block.0 = kept;
}
