//! The pullback of `map` and `zip_map`: one pass over the components, with the closure's body reversed in it.

use std::collections::BTreeSet;

use super::Sweep;
use super::levels::Kind;
use super::taint::Taint;
use crate::ir::{Argument, Block, Map, Op, Operand, Place, Projection, ReverseMap, Role, Scope, Sign, Stmt, Ty, VarId, walk};

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
        self.contribute(&map.result, Sign::Plus, Op::Copy(Operand::Var(seed)), taint.component());
        self.block(&map.body, Scope::Function);
        let outputs: Vec<Option<(Place, VarId)>> = map
            .inputs
            .iter()
            .zip(outputs)
            .map(|((_, element), place)| place.and_then(|place| self.take(*element).map(|bar| (place, bar))))
            .collect();
        let (reversed, states) = self.close().into_parts();
        let (body, result) = with_primal(map, reversed);
        let reverse = ReverseMap { map: map.clone(), result: result.then_some(var), cotangent: bar, seed, outputs, body };
        self.nest(Stmt::ReverseMap(Box::new(reverse)), vec![states]);
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

/// The statements of the closure that the reversed ones need, before them; and whether the result's component
/// is read, which need not be computed again.
fn with_primal(map: &Map, reversed: Block) -> (Block, bool) {
    let mut needed = BTreeSet::new();
    walk::block_reads(&reversed, &mut |var| {
        needed.insert(var);
    });
    let whole = match map.result {
        Operand::Var(result) if needed.contains(&result) && map.inputs.iter().all(|(_, element)| *element != result) => Some(result),
        _ => None,
    };
    let mut kept = Vec::new();
    for stmt in map.body.0.iter().rev() {
        let mut defined = Vec::new();
        walk::stmt_defines(stmt, &mut |var| defined.push(var));
        let nested = matches!(stmt, Stmt::If { .. });
        let stores = nested && walk::blocks(stmt).iter().any(|block| stores_needed(block, &needed));
        if stores || defined.iter().any(|var| needed.contains(var) && Some(*var) != whole) {
            walk::stmt_reads(stmt, &mut |var| {
                needed.insert(var);
            });
            walk::blocks(stmt).into_iter().for_each(|block| {
                walk::block_reads(block, &mut |var| {
                    needed.insert(var);
                });
            });
            kept.push(stmt.clone());
        }
    }
    kept.reverse();
    kept.extend(reversed.0);
    (Block(kept), whole.is_some())
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
