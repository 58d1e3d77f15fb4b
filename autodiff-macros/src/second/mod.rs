//! Second order: the tangent program becomes a function of its own, to be differentiated like any other.
//!
//! With `f_dot(x, x_dot) = (f(x), f'(x) x_dot)`, one reverse sweep from the second component gives the gradient
//! (the cotangent of `x_dot`) and the product of the Hessian with `x_dot` (that of `x`).

mod open;
mod signature;

use crate::diag::{Diagnostics, Origin};
use crate::ir::{Body, Op, Operand, Role, Stmt, Ty};
use crate::parse::Primal;
use crate::sweep::tangent::Pushed;

pub use signature::signature;

/// The tangent program as a function: its signature, and its body over operations that have pullbacks.
pub fn second(primal: &Primal, pushed: Pushed, diagnostics: &mut Diagnostics) -> (Primal, Body) {
    let Pushed { mut body, result, params } = pushed;
    open::open(primal, &mut body, diagnostics);
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
    let dot = result.unwrap_or_else(|| zero_of_result(&mut body, &primal.result.known));
    let ty = Ty::Tuple(vec![primal.result.known.clone(), primal.result.known.clone()]);
    let both = body.vars.temporary(Origin::none(), ty);
    body.root.0.push(Stmt::Let { var: both, op: Op::Tuple(vec![body.result.clone(), dot]) });
    body.result = Operand::Var(both);
    (signature(primal), body)
}

/// The tangent of a result that depends on nothing.
fn zero_of_result(body: &mut Body, known: &Ty) -> Operand {
    if known.is_float() {
        return Operand::Const(Box::new(syn::parse_quote!(0.0)));
    }
    let value = match &body.result {
        Operand::Var(var) => *var,
        constant @ Operand::Const(_) => {
            let var = body.vars.temporary(Origin::none(), known.clone());
            body.root.0.push(Stmt::Let { var, op: Op::Copy(constant.clone()) });
            var
        }
    };
    let zero = body.vars.temporary(Origin::none(), known.clone());
    body.root.0.push(Stmt::Let { var: zero, op: Op::Zero(value) });
    Operand::Var(zero)
}
