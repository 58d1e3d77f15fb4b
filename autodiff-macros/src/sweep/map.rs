//! The pullback of `map` and `zip_map`: one pass over the components, with the closure's body reversed in it.

use std::collections::BTreeSet;

use super::Sweep;
use super::levels::Kind;
use super::taint::Taint;
use crate::ir::{Argument, Block, Map, Op, Operand, Place, Projection, ReverseMap, Role, Scope, Sign, Stmt, TangentMap, Ty, VarId, walk};

impl Sweep<'_> {
    pub(super) fn map(&mut self, var: VarId, map: &Map, bar: VarId, taint: Taint) {
        let mut outputs = Vec::new();
        for (input, element) in &map.inputs {
            let wanted = self.activity.argument(input) && self.activity.active(*element);
            outputs.push(wanted.then(|| self.map_shadow(input, taint)).flatten());
        }
        let origin = self.vars.get(var).origin;
        let seed = self.vars.named("seed", origin, Ty::Float(None), Role::Temporary, false);
        let elements = map.inputs.iter().map(|(_, element)| *element);
        self.open(Kind::Loop, elements.chain(super::defines(&map.body.0)));
        self.mapped = Some(map.result.clone());
        self.contribute(&map.result, Sign::Plus, Op::Copy(Operand::Var(seed)), taint.component());
        self.block(&map.body, Scope::Function);
        let outputs: Vec<Option<(Place, VarId)>> = map
            .inputs
            .iter()
            .zip(outputs)
            .map(|((_, element), place)| place.and_then(|place| self.take(*element).map(|bar| (place, bar))))
            .collect();
        self.mapped = None;
        let (body, states) = self.close().into_parts();
        let result = needs_result(map, &body);
        let reverse = ReverseMap { map: map.clone(), result: result.then_some(var), cotangent: bar, seed, outputs, body };
        self.nest(Stmt::ReverseMap(Box::new(reverse)), vec![states]);
    }

    /// A tangent of second order's forward program: elementwise too, over the inputs and their tangents.
    pub(super) fn tangent_map(&mut self, tangent: &TangentMap) {
        let Some(bar) = self.take(tangent.dot) else { return };
        let (inputs, body) = (tangent.elements(), tangent.body.clone());
        let map = Map { inputs, body, result: tangent.result.clone(), ..tangent.map.clone() };
        self.map(tangent.dot, &map, bar, self.taint(tangent.dot).elsewhere());
    }

    /// The shadow of a whole input.
    fn map_shadow(&mut self, input: &Argument, taint: Taint) -> Option<Place> {
        let root = input.root()?;
        self.add_taint(root, taint.component());
        let bar = self.ensure(root);
        let by_reference = matches!(self.vars.get(root).ty, Ty::Ref(_));
        Some(match input {
            Argument::Ref { place, .. } if !place.projections.is_empty() => super::in_bar(place, bar),
            _ if by_reference => Place::whole(bar).project(Projection::Deref),
            _ => Place::whole(bar),
        })
    }
}

/// Whether the reversed closure reads its result, a component of which is then taken from the whole.
fn needs_result(map: &Map, body: &Block) -> bool {
    let Operand::Var(result) = map.result else { return false };
    let mut read = false;
    walk::block_reads(body, &mut |var| read |= var == result);
    read && map.inputs.iter().all(|(_, element)| *element != result)
}

/// Of `stmts`, those that compute what `reversed` reads; the component of the closure's result needs no computing.
pub fn needed_of(stmts: &[Stmt], reversed: &[Stmt], result: &Operand) -> Vec<Stmt> {
    let mut needed = BTreeSet::new();
    reads(reversed.iter(), &mut needed);
    let at_hand = |var: &VarId| matches!(result, Operand::Var(result) if result == var);
    let mut kept = Vec::new();
    for stmt in stmts.iter().rev() {
        let mut defined = Vec::new();
        walk::stmt_defines(stmt, &mut |var| defined.push(var));
        let stores = walk::blocks(stmt).iter().any(|block| stores_needed(block, &needed));
        if stores || defined.iter().any(|var| needed.contains(var) && !at_hand(var)) {
            reads([stmt].into_iter(), &mut needed);
            kept.push(stmt.clone());
        }
    }
    kept.reverse();
    kept
}

fn reads<'a>(stmts: impl Iterator<Item = &'a Stmt>, needed: &mut BTreeSet<VarId>) {
    for stmt in stmts {
        walk::stmt_reads(stmt, &mut |var| {
            needed.insert(var);
        });
        walk::blocks(stmt).into_iter().for_each(|block| reads(block.0.iter(), needed));
    }
}

fn stores_needed(block: &Block, needed: &BTreeSet<VarId>) -> bool {
    let mut found = false;
    walk::statements(block, &mut |stmt| {
        if let Stmt::Store { place, .. } = stmt {
            found |= needed.contains(&place.root);
        }
    });
    found
}
