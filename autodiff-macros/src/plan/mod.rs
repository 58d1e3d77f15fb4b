//! The plan: for every primal value that the reverse program reads, where it comes from.
//!
//! - *Available*: a parameter, the index of a loop that is run backwards, or a value of the function's own
//!   block, which the reverse sweep captures as it is.
//! - *Recomputed*: cheap, and made of what is available: elements of arrays that nobody writes, index
//!   arithmetic, a few additions and products. It is rebuilt where the reverse of its block begins.
//! - *Saved*: a field of the record that each iteration of its loop leaves in the loop's save area.
//!
//! Reads of variables that change are values of their own (see [`crate::ir`]), so saving or recomputing a
//! value can never pick up a later content: a recomputed read has no write to its root anywhere.

mod capacity;
mod sites;
mod sources;

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Diagnostics, Refusal};
use crate::ir::{Block, Body, LoopId, Op, Scope, Stmt, VarId, walk};
use crate::parse::Primal;
use crate::sweep::Reverse;
pub use capacity::Capacity;
use sites::{Site, Sites};

/// The decisions.
pub struct Plan {
    /// The save area of each loop that has one.
    pub areas: BTreeMap<LoopId, Area>,
    /// Values that are declared, with a placeholder, where their scope begins, because they are defined in a
    /// branch or may be jumped over.
    pub hoisted: BTreeMap<Scope, Vec<VarId>>,
    /// Loops whose iterations are counted.
    pub counted: BTreeSet<LoopId>,
    /// Values that are rebuilt, and how.
    pub recomputed: BTreeMap<VarId, Op>,
    /// Everything that the reverse program reads of the primal.
    pub needed: BTreeSet<VarId>,
}

impl Plan {
    /// For a program that nothing is read of.
    pub fn nothing() -> Self {
        Plan {
            areas: BTreeMap::new(),
            hoisted: BTreeMap::new(),
            counted: BTreeSet::new(),
            recomputed: BTreeMap::new(),
            needed: BTreeSet::new(),
        }
    }
}

/// A loop's save area.
pub struct Area {
    pub fields: Vec<VarId>,
    pub capacity: Capacity,
    /// Whether the loop runs inside another, so that one run's records are a part of the area.
    pub nested: bool,
}

/// Decides for `body` and its `reverse`, which then says where it recomputes.
pub fn plan(primal: &Primal, body: &Body, reverse: &mut Reverse, diagnostics: &mut Diagnostics) -> Plan {
    let sites = Sites::of(body);
    let sources = sources::decide(primal, body, &sites, &reverse.block);
    refuse_changing(body, &sites, &sources.needed, diagnostics);
    let mut plan = Plan {
        areas: BTreeMap::new(),
        hoisted: BTreeMap::new(),
        counted: BTreeSet::new(),
        recomputed: sources.recomputed,
        needed: sources.needed,
    };
    let mut saved: BTreeMap<Scope, BTreeSet<VarId>> = BTreeMap::new();
    for &var in plan.needed.iter().filter(|var| !plan.recomputed.contains_key(var)) {
        if let Some(site) = sites.get(var)
            && !site.iterated
        {
            saved.entry(site.scope).or_default().insert(var);
        }
    }
    count_iterations(&reverse.block, &sites, &mut saved, &mut plan);
    rebuild(&mut reverse.block, &plan.recomputed);
    for (scope, vars) in &saved {
        let hoisted: Vec<VarId> = vars.iter().copied().filter(|var| sites.get(*var).is_some_and(|site| site.hoisted)).collect();
        if !hoisted.is_empty() {
            plan.hoisted.insert(*scope, hoisted);
        }
        if let Scope::Loop(id) = *scope {
            let fields: Vec<VarId> = vars.iter().copied().collect();
            let capacity = capacity::of(primal, body, &sites, id, &fields);
            if capacity == Capacity::Dynamic && !cfg!(feature = "alloc") {
                diagnostics.refuse(sites.looping(id).origin, Refusal::SaveNeedsAlloc);
            }
            plan.areas.insert(id, Area { fields, capacity, nested: sites.parent(id) != Scope::Function });
        }
    }
    plan
}

/// The reverse program must not read a variable that changes: it would find its last content. The lowering sees
/// to that; should it ever fail to, this is an error and not a wrong derivative.
fn refuse_changing(body: &Body, sites: &Sites, needed: &BTreeSet<VarId>, diagnostics: &mut Diagnostics) {
    for &var in needed {
        let facts = body.vars.get(var);
        if facts.writable() && !sites.is_bookkeeping(var) {
            diagnostics.refuse(facts.origin, Refusal::ReadsChanging { name: facts.name.to_string() });
        }
    }
}

/// Puts the definitions of the recomputed values where the reverse of their runs begins.
fn rebuild(block: &mut Block, recomputed: &BTreeMap<VarId, Op>) {
    let stmts = std::mem::take(&mut block.0);
    for mut stmt in stmts {
        walk::blocks_mut(&mut stmt).into_iter().for_each(|inner| rebuild(inner, recomputed));
        match stmt {
            Stmt::Recompute(vars) => {
                let again = vars.into_iter().filter_map(|var| Some(Stmt::Let { var, op: recomputed.get(&var)?.clone() }));
                block.0.extend(again);
            }
            other => block.0.push(other),
        }
    }
}

/// Loops without records need their count, and nested ones with records need to know where theirs begin.
fn count_iterations(block: &Block, sites: &Sites, saved: &mut BTreeMap<Scope, BTreeSet<VarId>>, plan: &mut Plan) {
    for stmt in &block.0 {
        // Inner loops first: what they ask for is saved by the outer one.
        walk::blocks(stmt).into_iter().for_each(|inner| count_iterations(inner, sites, saved, plan));
        let Stmt::ReverseLoop { forward, .. } = stmt else { continue };
        let parent = sites.parent(forward.id);
        let records = saved.contains_key(&Scope::Loop(forward.id));
        let wanted = if records {
            (parent != Scope::Function).then_some(forward.start)
        } else if sites::count_is_known(forward) {
            None
        } else {
            plan.counted.insert(forward.id);
            Some(forward.trips)
        };
        if let Some(var) = wanted {
            plan.needed.insert(var);
            let site: &Site = sites.get(var).expect("a loop is somewhere");
            saved.entry(site.scope).or_default().insert(var);
        }
    }
}
