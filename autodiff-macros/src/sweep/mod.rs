//! The sweeps: IR to IR.
//!
//! [`forward`] is the primal with provisions for the way back. [`reverse`] walks the primal's statements
//! backwards and gives each its pullback: a statement that defines `y` from `x` takes the cotangent of `y`
//! and contributes to that of `x`. The reverse program reads primal values freely; where each comes from is
//! the plan's business, not the sweep's.
//!
//! A block that can be left early is reversed in runs: what follows a statement with an exit is reversed only
//! if the scope's recorded exit code says that it ran.

mod calls;
mod construct;
pub mod forward;
pub mod lanes;
mod levels;
mod map;
mod ops;
mod shapes;
mod taint;
pub mod tangent;
mod tidy;

pub use shapes::drop_unneeded;

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::{Activity, Signs};
use crate::diag::{Diagnostics, Origin};
use crate::ir::build::Vars;
use crate::ir::{Block, Body, Loop, Op, Operand, Place, Role, Scope, Sign, Stmt, Ty, VarId, walk};
use crate::parse::{Passing, Primal};
use forward::{Provisions, literal_zero};
use levels::{Kind, Level, State};
use taint::Taint;

/// The reverse program.
pub struct Reverse {
    pub block: Block,
    /// The cotangent of the result; `None` where the result carries none.
    pub seed: Option<VarId>,
    /// For each parameter the variable that holds its cotangent in the end; the shadow of a reference. `None`: zero.
    pub cotangents: Vec<Option<VarId>>,
}

/// The state of one reverse sweep.
struct Sweep<'a> {
    activity: &'a Activity,
    signs: &'a Signs,
    vars: Vars,
    provisions: &'a Provisions,
    diagnostics: &'a mut Diagnostics,
    library: &'a syn::Path,
    /// Whether operators may be the user's own.
    overloads: bool,
    levels: Vec<Level>,
    /// The level that reverses the definition of each variable.
    owners: Vec<usize>,
    /// The cotangent of each variable.
    bars: Vec<Option<VarId>>,
    taints: Vec<Taint>,
    tainted_more: bool,
    /// Values that may not have been defined where the reverse of their block begins.
    unsure: BTreeSet<VarId>,
    /// Cotangents that are so far the negative of another that does not change: their products take the sign.
    negatives: BTreeMap<VarId, Operand>,
    /// Cotangents and temporaries that are made of the seed and of constants only.
    uniform: BTreeSet<VarId>,
    /// Whether the cotangent at hand is used in the place of its negative.
    flipped: bool,
    /// In the closure of a `map`: its result, a component of which is at hand. What the reverse needs of the
    /// closure's other values is computed again where it begins.
    mapped: Option<Operand>,
    /// The value of each `Result` that was taken apart.
    splits: BTreeMap<VarId, VarId>,
    /// Whether a value's definition is being reversed, whose cotangent does not change any more.
    defining: bool,
}

/// Runs the reverse sweep over `body`, whose variables then include those of the reverse program.
pub fn reverse(primal: &Primal, body: &mut Body, activity: &Activity, provisions: &Provisions, diagnostics: &mut Diagnostics) -> Reverse {
    let mut taints = vec![Taint::default(); body.vars.len()];
    let signs = crate::analyze::signs(body);
    loop {
        // Taints only grow, and travel along the sweep: few rounds are needed.
        let mut refusals = Diagnostics::default();
        let mut sweep = Sweep {
            activity,
            signs: &signs,
            vars: body.vars.clone(),
            provisions,
            diagnostics: &mut refusals,
            library: &primal.options.library,
            overloads: primal.options.overloads(),
            levels: Vec::new(),
            owners: vec![0; body.vars.len()],
            bars: vec![None; body.vars.len()],
            taints,
            tainted_more: false,
            unsure: BTreeSet::new(),
            negatives: BTreeMap::new(),
            uniform: BTreeSet::new(),
            flipped: false,
            mapped: None,
            splits: splits(&body.root),
            defining: false,
        };
        let reverse = sweep.function(primal, body);
        let (vars, more) = (sweep.vars, sweep.tainted_more);
        taints = sweep.taints;
        if !more {
            body.vars = vars;
            diagnostics.append(refusals);
            return reverse;
        }
    }
}

impl Sweep<'_> {
    fn function(&mut self, primal: &Primal, body: &Body) -> Reverse {
        self.open(Kind::Root, body.params.iter().copied().chain(defines(&body.root.0)));
        for (param, &var) in primal.params.iter().zip(&body.params) {
            if param.active && param.passing != Passing::Value {
                self.bar(var);
                self.set(var, State::Live);
            }
        }
        let seed = self.seed(body, &primal.result.known);
        self.block(&body.root, Scope::Function);
        let cotangents = primal.params.iter().zip(&body.params).map(|(param, &var)| {
            let reference = param.active && param.passing != Passing::Value;
            if reference || (param.active && self.take(var).is_some()) { self.bars[var.0 as usize] } else { None }
        });
        let mut cotangents: Vec<Option<VarId>> = cotangents.collect();
        let (mut block, _) = self.close().into_parts();
        tidy::tidy(&mut block, &mut cotangents);
        Reverse { block, seed, cotangents }
    }

    /// The seed contributes to the result.
    fn seed(&mut self, body: &Body, known: &Ty) -> Option<VarId> {
        if !known.differentiable() {
            return None;
        }
        let origin = match &body.result {
            Operand::Var(var) => self.vars.get(*var).origin,
            Operand::Const(expr) => Origin::of(expr),
        };
        let seed = self.vars.named("seed", origin, known.clone(), Role::Temporary, false);
        self.uniform.insert(seed);
        if let Operand::Var(result) = &body.result
            && self.activity.active(*result)
        {
            let taint = if known.is_float() { Taint::default() } else { Taint::default().component() };
            self.contribute(&body.result, Sign::Plus, Op::Copy(Operand::Var(seed)), taint);
        }
        Some(seed)
    }

    /// Reverses a block, run by run.
    fn block(&mut self, block: &Block, scope: Scope) {
        let late = block.0.iter().filter_map(|stmt| match stmt {
            Stmt::Declare { var, init: None } => Some(*var),
            _ => None,
        });
        if block.0.iter().any(|stmt| walk::least_exit(stmt, scope).is_some()) {
            self.unsure.extend(late);
        }
        self.statements(&block.0, scope);
    }

    /// What follows an exit is a block within: it owns the cotangents of what only it defines.
    fn statements(&mut self, stmts: &[Stmt], scope: Scope) {
        let exit = stmts.iter().enumerate().find_map(|(position, stmt)| Some((position + 1, walk::least_exit(stmt, scope)?)));
        let Some((end, code)) = exit else { return self.run(stmts, scope) };
        self.unsure.extend(defines(&stmts[end..]));
        self.guarded(&stmts[end..], scope, code);
        self.run(&stmts[..end], scope);
    }

    /// Statements that ran only if the scope was not left with `code` or before it.
    fn guarded(&mut self, stmts: &[Stmt], scope: Scope, code: u32) {
        let untouched: Vec<VarId> = defines(stmts).into_iter().filter(|&var| self.is_absent(var)).collect();
        untouched.iter().for_each(|var| {
            self.unsure.remove(var);
        });
        self.open(Kind::Branch, untouched);
        self.statements(stmts, scope);
        let (body, states) = self.close().into_parts();
        if does_something(&body) {
            self.nest(Stmt::Unless { scope, code, body }, vec![states]);
        }
    }

    /// Statements that ran one after the other.
    fn run(&mut self, stmts: &[Stmt], scope: Scope) {
        let here = self.here();
        let begin = self.levels[here].out.len();
        let defined = defines(stmts);
        if !defined.is_empty() && self.mapped.is_none() {
            self.push(Stmt::Recompute(defined));
        }
        for stmt in stmts.iter().rev() {
            self.stmt(stmt, scope);
        }
        if let Some(result) = &self.mapped {
            let reversed = self.levels[here].out.split_off(begin);
            self.levels[here].out.extend(map::needed_of(stmts, &reversed, result));
            self.levels[here].out.extend(reversed);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, scope: Scope) {
        match stmt {
            Stmt::Let { var, op: Op::ZeroAt(place) } => {
                if self.provisions.restored.contains(var) {
                    self.restore(place, *var);
                }
            }
            Stmt::Let { var, op } => self.definition(*var, op),
            Stmt::Declare { var, init: Some(init) } => {
                if let Some(bar) = self.take(*var) {
                    self.contribute(init, Sign::Plus, Op::Copy(Operand::Var(bar)), self.taint(*var));
                }
            }
            Stmt::Store { place, value } if place.projections.is_empty() => self.store(place.root, value),
            Stmt::Store { place, value } => self.store_component(place, value),
            Stmt::Update { place, sign, value } => {
                if let Some(bar) = self.take(place.root) {
                    let (op, taint) = self.cotangent_at(place, bar);
                    self.contribute(value, *sign, op, taint);
                }
            }
            Stmt::If { cond, then, els } => {
                let (then, then_states) = self.branch(then, scope, []);
                let (els, els_states) = self.branch(els, scope, []);
                if does_something(&then) || does_something(&els) {
                    self.nest(Stmt::If { cond: cond.clone(), then, els }, vec![then_states, els_states]);
                }
            }
            Stmt::Match(matching) => {
                let (mut arms, mut states) = (Vec::new(), Vec::new());
                for arm in &matching.arms {
                    let (body, changed) = self.branch(&arm.body, scope, arm.bindings.iter().copied());
                    arms.push(body);
                    states.push(changed);
                }
                if arms.iter().any(does_something) {
                    self.nest(Stmt::ReverseMatch { chosen: matching.chosen, arms }, states);
                }
            }
            Stmt::Loop(looping) => self.looping(looping),
            Stmt::TangentMap(map) => self.tangent_map(map),
            // Exits are in the recorded codes; the rest is inactive, or occurs in reverse programs only.
            Stmt::Declare { init: None, .. }
            | Stmt::Exit { .. }
            | Stmt::Inert { .. }
            | Stmt::Clear(_)
            | Stmt::Recompute(_)
            | Stmt::Unless { .. }
            | Stmt::ReverseLoop { .. }
            | Stmt::ReverseMatch { .. }
            | Stmt::PullInto { .. }
            | Stmt::PullCall(_)
            | Stmt::ReverseMap(_) => {}
        }
    }

    fn branch(&mut self, block: &Block, scope: Scope, bindings: impl IntoIterator<Item = VarId>) -> (Block, BTreeMap<VarId, State>) {
        self.open(Kind::Branch, defines(&block.0).into_iter().chain(bindings));
        self.block(block, scope);
        self.close().into_parts()
    }

    fn looping(&mut self, looping: &Loop) {
        self.open(Kind::Loop, defines(&looping.body.0));
        self.block(&looping.body, Scope::Loop(looping.id));
        let (body, states) = self.close().into_parts();
        if does_something(&body) {
            let forward = Loop { body: Block::default(), ..looping.clone() };
            self.nest(Stmt::ReverseLoop { forward: Box::new(forward), body }, vec![states]);
        }
    }

    /// The whole of a variable was overwritten: what it held before has no part in what came after.
    fn store(&mut self, root: VarId, value: &Operand) {
        if let Some(bar) = self.take(root) {
            self.contribute(value, Sign::Plus, Op::Copy(Operand::Var(bar)), self.taint(root));
            if !self.vars.get(root).late {
                self.set(root, State::Stale);
            }
        }
    }

    /// What `place` held before a store: its cotangent, all of which is taken, has the shape of that again.
    fn restore(&mut self, place: &Place, zero: VarId) {
        let root = place.root;
        let zero = Operand::Var(zero);
        if !place.projections.is_empty() {
            let bar = self.ensure(root);
            self.push(Stmt::Store { place: in_bar(place, bar), value: zero });
            return;
        }
        let bar = self.bar(root);
        match self.touch(root) {
            None => self.push(Stmt::Declare { var: bar, init: Some(zero) }),
            Some(_) => self.push(Stmt::Store { place: Place::whole(bar), value: zero }),
        }
        self.set(root, State::Zero);
    }

    fn store_component(&mut self, place: &Place, value: &Operand) {
        let Some(bar) = self.take(place.root) else { return };
        self.ensure(place.root);
        let (op, taint) = self.cotangent_at(place, bar);
        self.contribute(value, Sign::Plus, op, taint);
        let (at, ty) = (in_bar(place, bar), self.vars.place_type(place));
        if ty.is_float() {
            self.push(Stmt::Store { place: at, value: levels::zero_literal() });
        } else if literal_zero(&ty) {
            let zero = self.temporary(ty.clone(), Op::ZeroOf(ty));
            self.push(Stmt::Store { place: at, value: zero });
        } else if !shapes::is_open(&ty) || self.vars.get(place.root).late {
            self.push(Stmt::Clear(at));
        }
    }

    /// The cotangent of what `place` holds, given that of its root.
    fn cotangent_at(&self, place: &Place, bar: VarId) -> (Op, Taint) {
        let taint = self.taint(place.root);
        if place.projections.is_empty() { (Op::Copy(Operand::Var(bar)), taint) } else { (Op::Read(in_bar(place, bar)), taint.component()) }
    }

    fn taint(&self, var: VarId) -> Taint {
        self.taints[var.0 as usize]
    }

    fn temporary(&mut self, ty: Ty, op: Op) -> Operand {
        let origin = Origin::none();
        let var = self.vars.temporary(origin, ty);
        self.push(Stmt::Let { var, op });
        Operand::Var(var)
    }

    fn add_taint(&mut self, var: VarId, taint: Taint) {
        let (branch, looped) = self.conditions(var);
        let taint = taint.and(Taint { conditional: branch, element: looped, ..Taint::default() });
        let before = self.taints[var.0 as usize];
        let after = before.and(taint);
        self.tainted_more |= after != before;
        self.taints[var.0 as usize] = after;
    }

    /// Adds the value of `op` to the cotangent of `operand`.
    fn contribute(&mut self, operand: &Operand, sign: Sign, op: Op, taint: Taint) {
        let Operand::Var(var) = *operand else { return };
        if !self.activity.active(var) {
            return;
        }
        self.add_taint(var, taint);
        let sign = if self.flipped { opposite(sign) } else { sign };
        let state = self.touch(var);
        self.negatives.remove(&var);
        if let (None, Sign::Minus, Op::Copy(g), true) = (state, sign, &op, self.defining && self.vars.get(var).ty.is_float()) {
            self.negatives.insert(var, g.clone());
        }
        let bar = self.bar(var);
        let ty = self.vars.get(var).ty.peeled().clone();
        let reference = matches!(self.vars.get(var).ty, Ty::Ref(_));
        match state {
            None if sign == Sign::Plus => self.push(Stmt::Let { var: bar, op }),
            None => {
                let value = self.temporary(ty.clone(), op);
                self.push(Stmt::Let { var: bar, op: negative(&ty, value) });
            }
            Some(State::Zero | State::Stale) => {
                let value = self.temporary(ty.clone(), op);
                let value = if sign == Sign::Plus { value } else { self.temporary(ty.clone(), negative(&ty, value)) };
                self.push(Stmt::Store { place: Place::whole(bar), value });
            }
            Some(State::Live) => {
                let value = self.temporary(ty, op);
                let place = if reference { Place::whole(bar).project(crate::ir::Projection::Deref) } else { Place::whole(bar) };
                self.push(Stmt::Update { place, sign, value });
            }
        }
        self.set(var, State::Live);
    }

    /// Adds the value of `op` to the cotangent of what `place` holds.
    fn contribute_at(&mut self, place: &Place, op: Op, taint: Taint) {
        if !self.activity.active(place.root) {
            return;
        }
        if place.projections.is_empty() {
            return self.contribute(&Operand::Var(place.root), Sign::Plus, op, taint);
        }
        self.add_taint(place.root, taint.component());
        let bar = self.ensure(place.root);
        let value = self.temporary(self.vars.place_type(place), op);
        self.push(Stmt::Update { place: in_bar(place, bar), sign: Sign::Plus, value });
    }
}

/// The place in the cotangent that belongs to `place` in the primal.
fn in_bar(place: &Place, bar: VarId) -> Place {
    Place { root: bar, projections: place.projections.clone() }
}

fn opposite(sign: Sign) -> Sign {
    match sign {
        Sign::Plus => Sign::Minus,
        Sign::Minus => Sign::Plus,
    }
}

fn negative(ty: &Ty, value: Operand) -> Op {
    if ty.is_float() { Op::Neg(value) } else { Op::Negated(value) }
}

/// The variables that these statements define themselves, not in nested blocks.
fn defines(stmts: &[Stmt]) -> Vec<VarId> {
    let mut defined = Vec::new();
    for stmt in stmts {
        if !matches!(stmt, Stmt::Match(_)) {
            walk::stmt_defines(stmt, &mut |var| defined.push(var));
        }
    }
    defined
}

fn splits(block: &Block) -> BTreeMap<VarId, VarId> {
    let mut splits = BTreeMap::new();
    walk::statements(block, &mut |stmt| {
        if let Stmt::Let { var, op: Op::Split { value: Operand::Var(result), .. } } = stmt {
            splits.insert(*result, *var);
        }
    });
    splits
}

/// Whether a reversed block is more than an occasion to recompute.
fn does_something(block: &Block) -> bool {
    block.0.iter().any(|stmt| !matches!(stmt, Stmt::Recompute(_)))
}
