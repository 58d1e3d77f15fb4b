//! Where in the forward program each value is defined.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Block, Body, Loop, LoopId, LoopKind, Op, Scope, Stmt, VarId, walk};

/// The place of a definition.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    pub scope: Scope,
    /// Not surely reached in its scope: in a branch, or after an exit.
    pub hoisted: bool,
    /// The index of a loop that the reverse sweep runs backwards: no need to save it.
    pub iterated: bool,
}

/// All definitions, and the loops.
pub struct Sites<'a> {
    sites: BTreeMap<VarId, Site>,
    ops: BTreeMap<VarId, &'a Op>,
    loops: BTreeMap<LoopId, (&'a Loop, Scope)>,
    /// Exit codes and counts: they are read where they have their last content.
    bookkeeping: BTreeSet<VarId>,
}

impl<'a> Sites<'a> {
    /// Those of `body`.
    pub fn of(body: &'a Body) -> Self {
        let mut sites =
            Sites { sites: BTreeMap::new(), ops: BTreeMap::new(), loops: BTreeMap::new(), bookkeeping: BTreeSet::from([body.exit]) };
        sites.define(body.exit, Scope::Function, false);
        sites.block(&body.root, Scope::Function, false);
        sites
    }

    /// The site of a value; parameters have none.
    pub fn get(&self, var: VarId) -> Option<&Site> {
        self.sites.get(&var)
    }

    /// The operation that defines a value.
    pub fn op(&self, var: VarId) -> Option<&'a Op> {
        self.ops.get(&var).copied()
    }

    /// The loop of that number.
    pub fn looping(&self, id: LoopId) -> &'a Loop {
        self.loops[&id].0
    }

    /// Whether the variable is one of ours that counts or notes an exit.
    pub fn is_bookkeeping(&self, var: VarId) -> bool {
        self.bookkeeping.contains(&var)
    }

    /// What a loop runs in.
    pub fn parent(&self, id: LoopId) -> Scope {
        self.loops[&id].1
    }

    fn define(&mut self, var: VarId, scope: Scope, hoisted: bool) {
        self.sites.insert(var, Site { scope, hoisted, iterated: false });
    }

    fn block(&mut self, block: &'a Block, scope: Scope, nested: bool) {
        let mut unsure = nested;
        let exits = block.0.iter().any(|stmt| walk::least_exit(stmt, scope).is_some());
        for stmt in &block.0 {
            unsure |= walk::least_exit(stmt, scope).is_some();
            if let Stmt::Let { var, op } = stmt {
                self.ops.insert(*var, op);
            }
            // Assigned later, it may not have been when the scope is left.
            let late = exits && matches!(stmt, Stmt::Declare { init: None, .. });
            walk::stmt_defines(stmt, &mut |var| self.define(var, scope, unsure || late));
            match stmt {
                Stmt::Loop(looping) => self.looping_in(looping, scope),
                Stmt::Match(matching) => {
                    for arm in &matching.arms {
                        arm.bindings.iter().for_each(|&var| self.define(var, scope, true));
                        self.block(&arm.body, scope, true);
                    }
                }
                other => walk::blocks(other).into_iter().for_each(|inner| self.block(inner, scope, true)),
            }
        }
    }

    fn looping_in(&mut self, looping: &'a Loop, parent: Scope) {
        let scope = Scope::Loop(looping.id);
        self.loops.insert(looping.id, (looping, parent));
        self.define(looping.exit, scope, false);
        self.bookkeeping.extend([looping.exit, looping.trips]);
        match &looping.kind {
            LoopKind::Range { var, .. } => {
                self.sites.insert(*var, Site { scope, hoisted: false, iterated: runs_backwards(looping) });
            }
            LoopKind::Iterator { bindings, .. } => bindings.iter().for_each(|&var| self.define(var, scope, false)),
            LoopKind::While { header, .. } => self.block(header, scope, false),
            LoopKind::Endless | LoopKind::Once => {}
        }
        self.block(&looping.body, scope, false);
    }
}

/// Whether the reverse of a loop can run over the same range, backwards.
pub fn runs_backwards(looping: &Loop) -> bool {
    matches!(looping.kind, LoopKind::Range { .. }) && !looping.abrupt
}

/// Whether the reverse of a loop knows how often to run without records or a count.
pub fn count_is_known(looping: &Loop) -> bool {
    runs_backwards(looping) || matches!(looping.kind, LoopKind::Once)
}
