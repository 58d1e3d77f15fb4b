//! Where the cotangents live: which are declared, which hold zero, and in which block.
//!
//! The reverse program is built inside out. A *level* is a block under construction. The cotangent of a
//! variable is *owned* by the level that reverses its definition; when a deeper one touches it first, its
//! declaration is put off to just before the nested statement in the owner.

use std::collections::BTreeMap;

use super::Sweep;
use super::forward::literal_zero;
use crate::diag::Refusal;
use crate::ir::{Block, Op, Operand, Place, Role, Stmt, Ty, VarId};

/// The content of a declared cotangent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// Exactly zero, and it says so.
    Zero,
    /// Taken: logically zero, but the variable still holds what was taken.
    Stale,
    /// May be anything.
    Live,
}

/// Why a level is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Root,
    Branch,
    Loop,
}

/// A block under construction.
pub struct Level {
    pub kind: Kind,
    pub out: Vec<Stmt>,
    states: BTreeMap<VarId, State>,
    /// To be put before the nested statement that is being built.
    pending: Vec<Stmt>,
    defines: Vec<(VarId, usize)>,
}

/// What a closed level leaves to its parent.
pub struct Closed {
    pub block: Block,
    states: BTreeMap<VarId, State>,
}

impl Sweep<'_> {
    pub(super) fn here(&self) -> usize {
        self.levels.len() - 1
    }

    pub(super) fn push(&mut self, stmt: Stmt) {
        match &stmt {
            Stmt::Let { var, op } => {
                let mut uniform = true;
                crate::ir::walk::op_reads(op, &mut |read| uniform &= self.uniform.contains(&read));
                if uniform {
                    self.uniform.insert(*var);
                }
            }
            Stmt::Store { place, .. } | Stmt::Update { place, .. } => {
                self.uniform.remove(&place.root);
            }
            _ => {}
        }
        let here = self.here();
        self.levels[here].out.push(stmt);
    }

    /// Opens a level that reverses the definitions of `defines`.
    pub(super) fn open(&mut self, kind: Kind, defines: impl IntoIterator<Item = VarId>) {
        let level = self.levels.len();
        let defines = defines.into_iter().map(|var| (var, std::mem::replace(&mut self.owners[var.0 as usize], level))).collect();
        self.levels.push(Level { kind, out: Vec::new(), states: BTreeMap::new(), pending: Vec::new(), defines });
    }

    /// Closes the innermost level: what it took from outside is zero again at its end.
    pub(super) fn close(&mut self) -> Closed {
        let here = self.here();
        let states = std::mem::take(&mut self.levels[here].states);
        let mut outer = BTreeMap::new();
        for (var, state) in states {
            if self.owners[var.0 as usize] == here {
                continue;
            }
            if state == State::Stale {
                self.store_zero(var, here, false);
                outer.insert(var, State::Zero);
            } else {
                outer.insert(var, state);
            }
        }
        let level = self.levels.pop().expect("opened before");
        for (var, owner) in level.defines {
            self.owners[var.0 as usize] = owner;
        }
        Closed { block: Block(level.out), states: outer }
    }

    /// Puts `stmt`, made of closed levels, into the current one.
    pub(super) fn nest(&mut self, stmt: Stmt, states: Vec<BTreeMap<VarId, State>>) {
        let here = self.here();
        let pending = std::mem::take(&mut self.levels[here].pending);
        self.levels[here].out.extend(pending);
        self.push(stmt);
        for (var, state) in states.into_iter().flatten() {
            let before = self.touch_peek(var);
            let zero = state == State::Zero && before == Some(State::Zero);
            self.set(var, if zero { State::Zero } else { State::Live });
        }
    }

    fn find(&self, var: VarId) -> Option<(usize, State)> {
        let owner = self.owners[var.0 as usize];
        (owner..self.levels.len()).rev().find_map(|level| self.levels[level].states.get(&var).map(|&state| (level, state)))
    }

    pub(super) fn set(&mut self, var: VarId, state: State) {
        let here = self.here();
        self.levels[here].states.insert(var, state);
    }

    fn crosses_loop(&self, outer: usize) -> bool {
        self.levels[outer + 1..].iter().any(|level| level.kind == Kind::Loop)
    }

    /// The kinds of level between the owner of `var` and here.
    pub(super) fn conditions(&self, var: VarId) -> (bool, bool) {
        let inner = &self.levels[self.owners[var.0 as usize] + 1..];
        (inner.iter().any(|level| level.kind == Kind::Branch), inner.iter().any(|level| level.kind == Kind::Loop))
    }

    /// Whether anything has touched the cotangent yet.
    pub(super) fn is_absent(&self, var: VarId) -> bool {
        self.find(var).is_none()
    }

    /// The state that [`Self::touch`] would find, without touching.
    pub(super) fn touch_peek(&self, var: VarId) -> Option<State> {
        let (level, state) = self.find(var)?;
        Some(if self.crosses_loop(level) { State::Live } else { state })
    }

    /// The state of a cotangent that is about to be changed here; `None`: it is to be declared here.
    pub(super) fn touch(&mut self, var: VarId) -> Option<State> {
        let here = self.here();
        let owner = self.owners[var.0 as usize];
        match self.find(var) {
            Some((level, state)) if level == here => Some(state),
            Some((level, state)) => {
                let state = if state == State::Stale {
                    self.store_zero(var, level, true);
                    self.levels[level].states.insert(var, State::Zero);
                    State::Zero
                } else {
                    state
                };
                Some(if self.crosses_loop(level) { State::Live } else { state })
            }
            None if owner == here => None,
            None => {
                self.declare_zero(var, owner);
                Some(if self.crosses_loop(owner) { State::Live } else { State::Zero })
            }
        }
    }

    /// The cotangent of `var`, if it can be other than zero.
    pub(super) fn take(&mut self, var: VarId) -> Option<VarId> {
        if !self.activity.active(var) {
            return None;
        }
        let owner = self.owners[var.0 as usize];
        let level = self.find(var).map_or(owner, |(level, _)| level);
        let certain = !self.crosses_loop(level) || level == self.here();
        match self.find(var) {
            None | Some((_, State::Zero | State::Stale)) if certain => None,
            _ => {
                self.touch(var)?;
                Some(self.bar(var))
            }
        }
    }

    /// The cotangent of `var`, declared and physically up to date.
    pub(super) fn ensure(&mut self, var: VarId) -> VarId {
        self.negatives.remove(&var);
        let here = self.here();
        match self.touch(var) {
            None => self.declare_zero(var, here),
            Some(State::Stale) => self.store_zero(var, here, false),
            Some(State::Zero | State::Live) => {}
        }
        self.set(var, State::Live);
        self.bar(var)
    }

    /// The variable that holds the cotangent of `var`.
    pub(super) fn bar(&mut self, var: VarId) -> VarId {
        if let Some(bar) = self.bars[var.0 as usize] {
            return bar;
        }
        let facts = self.vars.get(var);
        let (ty, owned) = (facts.ty.clone(), !matches!(facts.ty, Ty::Ref(_)));
        let ty = if owned { ty.peeled().clone() } else { ty };
        let bar = self.vars.cotangent(var, ty, false);
        self.bars[var.0 as usize] = Some(bar);
        bar
    }

    fn declare_zero(&mut self, var: VarId, level: usize) {
        let bar = self.bar(var);
        let (mut stmts, zero) = self.zero(var);
        stmts.push(Stmt::Declare { var: bar, init: Some(zero) });
        self.put(level, stmts);
        self.levels[level].states.insert(var, State::Zero);
    }

    fn store_zero(&mut self, var: VarId, level: usize, before_nested: bool) {
        let bar = self.bar(var);
        let stmts = if literal_zero(&self.vars.get(var).ty) {
            let (mut stmts, zero) = self.zero(var);
            stmts.push(Stmt::Store { place: Place::whole(bar), value: zero });
            stmts
        } else {
            vec![Stmt::Clear(Place::whole(bar))]
        };
        if before_nested || level != self.here() {
            self.levels[level].pending.extend(stmts);
        } else {
            self.levels[level].out.extend(stmts);
        }
    }

    /// What has the cotangent space of `var` and is still there: a `Result` that was taken apart is not.
    pub(super) fn shape_of(&self, var: VarId) -> VarId {
        self.splits.get(&var).copied().unwrap_or(var)
    }

    fn put(&mut self, level: usize, stmts: Vec<Stmt>) {
        if level == self.here() {
            self.levels[level].out.extend(stmts);
        } else {
            self.levels[level].pending.extend(stmts);
        }
    }

    /// A zero of the cotangent space of `var`, and the statements that make it.
    pub(super) fn zero(&mut self, var: VarId) -> (Vec<Stmt>, Operand) {
        let facts = self.vars.get(var);
        let (ty, origin) = (facts.ty.clone(), facts.origin);
        if ty.is_float() {
            return (Vec::new(), zero_literal());
        }
        let op = match self.provisions.templates.get(&var) {
            Some(&template) => Op::Copy(Operand::Var(template)),
            None if literal_zero(&ty) => Op::ZeroOf(ty.clone()),
            None => {
                if self.unsure.contains(&var) {
                    self.diagnostics.refuse(origin, Refusal::ShapeUnknown);
                }
                Op::Zero(self.shape_of(var))
            }
        };
        let zero = self.vars.named("zero", origin, ty, Role::Temporary, false);
        (vec![Stmt::Let { var: zero, op }], Operand::Var(zero))
    }
}

/// `0.0`.
pub fn zero_literal() -> Operand {
    Operand::Const(Box::new(syn::parse_quote!(0.0)))
}

impl Closed {
    /// The block and the states.
    pub fn into_parts(self) -> (Block, BTreeMap<VarId, State>) {
        (self.block, self.states)
    }
}
