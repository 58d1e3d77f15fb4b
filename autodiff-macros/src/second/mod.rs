//! Second order: the tangent program becomes a function of its own, to be differentiated like any other.
//!
//! With `f_dot(x, x_dot) = (f(x), f'(x) x_dot)`, one reverse sweep from the second component gives the gradient
//! (the cotangent of `x_dot`) and the product of the Hessian with `x_dot` (that of `x`).

mod open;
mod signature;

use crate::diag::Origin;
use crate::ir::build::Vars;
use crate::ir::{Block, Body, Exit, Op, Operand, Place, Role, Stmt, Ty, VarId, walk};
use crate::parse::Primal;
use crate::sweep::forward::literal_zero;
use crate::sweep::tangent::Pushed;

pub use signature::signature;

/// The tangent program as a function: its signature, and its body over operations that have pullbacks.
pub fn second(primal: &Primal, pushed: Pushed) -> (Primal, Body) {
    let Pushed { mut body, result, params } = pushed;
    open::open(primal, &mut body);
    let count = primal.params.len();
    for (position, dot) in params.into_iter().enumerate() {
        let var = match dot {
            Some(var) => var,
            None => {
                let origin = body.vars.get(body.params[position]).origin;
                body.vars.named("none", origin, Ty::Inactive, Role::Temporary, false)
            }
        };
        body.vars.get_mut(var).role = Role::Parameter(count + position);
        body.params.push(var);
    }
    let mut pair = Pair { value: body.result.clone(), dot: result, known: &primal.result.known, vars: &mut body.vars };
    body.result = if returns(&body.root) { pair.stored(&mut body.root) } else { pair.made(&mut body.root.0) };
    (signature(primal), body)
}

fn returns(block: &Block) -> bool {
    let mut found = false;
    walk::statements(block, &mut |stmt| found |= matches!(stmt, Stmt::Exit { kind: Exit::Return, .. }));
    found
}

/// The value and its tangent as one result.
struct Pair<'a> {
    value: Operand,
    /// `None`: the value depends on nothing.
    dot: Option<Operand>,
    known: &'a Ty,
    vars: &'a mut Vars,
}

impl Pair<'_> {
    fn ty(&self) -> Ty {
        Ty::Tuple(vec![self.known.clone(), self.known.clone()])
    }

    fn made(&mut self, out: &mut Vec<Stmt>) -> Operand {
        let dot = self.dot.clone().unwrap_or_else(|| self.zero(out));
        let var = self.vars.temporary(Origin::none(), self.ty());
        out.push(Stmt::Let { var, op: Op::Tuple(vec![self.value.clone(), dot]) });
        Operand::Var(var)
    }

    fn zero(&mut self, out: &mut Vec<Stmt>) -> Operand {
        let op = match &self.value {
            _ if literal_zero(self.known) => Op::ZeroOf(self.known.clone()),
            Operand::Var(value) => Op::Zero(*value),
            constant @ Operand::Const(_) => {
                let value = self.vars.temporary(Origin::none(), self.known.clone());
                out.push(Stmt::Let { var: value, op: Op::Copy(constant.clone()) });
                Op::Zero(value)
            }
        };
        let zero = self.vars.temporary(Origin::none(), self.known.clone());
        out.push(Stmt::Let { var: zero, op });
        Operand::Var(zero)
    }

    /// Where the function can return early, in a cell that each way out stores to.
    fn stored(&mut self, root: &mut Block) -> Operand {
        let ty = self.ty();
        let cell = self.vars.named("v", Origin::none(), ty, Role::Temporary, true);
        self.vars.get_mut(cell).late = true;
        self.before_returns(cell, root);
        let value = self.made(&mut root.0);
        root.0.push(Stmt::Store { place: Place::whole(cell), value });
        root.0.insert(0, Stmt::Declare { var: cell, init: None });
        Operand::Var(cell)
    }

    fn before_returns(&mut self, cell: VarId, block: &mut Block) {
        for mut stmt in std::mem::take(&mut block.0) {
            walk::blocks_mut(&mut stmt).into_iter().for_each(|inner| self.before_returns(cell, inner));
            if matches!(stmt, Stmt::Exit { kind: Exit::Return, .. }) {
                let value = self.made(&mut block.0);
                block.0.push(Stmt::Store { place: Place::whole(cell), value });
            }
            block.0.push(stmt);
        }
    }
}
