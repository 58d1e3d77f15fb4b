//! Types that later uses tell: a float added to a value says that the value is a float.
//!
//! A wrong conclusion cannot do harm: the expansion would not have the types that rustc demands.

use crate::ir::build::Vars;
use crate::ir::{Binary, Block, Op, Operand, Stmt, Ty, VarId, walk};

/// Refines unknown types in `vars` until nothing is learnt.
pub fn unify(root: &Block, vars: &mut Vars) {
    while pass(root, vars) {}
}

fn pass(root: &Block, vars: &mut Vars) -> bool {
    let mut learnt = false;
    walk::statements(root, &mut |stmt| match stmt {
        Stmt::Let { var, op: Op::Copy(Operand::Var(of)) } => learnt |= same(vars, *var, *of),
        Stmt::Let { var, op: Op::Binary(binary, a, b) } => learnt |= arithmetic(vars, *var, *binary, a, b),
        Stmt::Declare { var, init: Some(Operand::Var(of)) } => learnt |= same(vars, *var, *of),
        Stmt::Store { place, value: Operand::Var(of) } if place.projections.is_empty() => learnt |= same(vars, place.root, *of),
        Stmt::Store { place, value } | Stmt::Update { place, value, .. } => {
            let ty = vars.place_type(place);
            if ty.is_float() {
                learnt |= refine(vars, value, &ty);
            }
        }
        _ => {}
    });
    learnt
}

fn same(vars: &mut Vars, a: VarId, b: VarId) -> bool {
    let (left, right) = (vars.get(a).ty.clone(), vars.get(b).ty.clone());
    refine(vars, &Operand::Var(a), &right) || refine(vars, &Operand::Var(b), &left)
}

fn arithmetic(vars: &mut Vars, var: VarId, binary: Binary, a: &Operand, b: &Operand) -> bool {
    let ty = |vars: &Vars, operand: &Operand| match operand {
        Operand::Var(var) => vars.get(*var).ty.clone(),
        Operand::Const(_) => Ty::Unknown,
    };
    let (left, right, result) = (ty(vars, a), ty(vars, b), vars.get(var).ty.clone());
    let float = [&left, &right, &result].into_iter().find(|ty| ty.is_float()).cloned();
    let Some(float) = float else { return false };
    match binary {
        // A product of a float may be a scaled matrix, but a float is a product of floats only.
        Binary::Mul | Binary::Div if result.is_float() => refine(vars, a, &float) | refine(vars, b, &float),
        Binary::Mul if left.is_float() && right.is_float() => refine(vars, &Operand::Var(var), &float),
        Binary::Div if left.is_float() => refine(vars, b, &float) | refine(vars, &Operand::Var(var), &float),
        Binary::Mul | Binary::Div => false,
        Binary::Add | Binary::Sub | Binary::Rem => {
            refine(vars, a, &float) | refine(vars, b, &float) | refine(vars, &Operand::Var(var), &float)
        }
    }
}

/// Whether the type of `operand` was unknown and is not any more.
fn refine(vars: &mut Vars, operand: &Operand, ty: &Ty) -> bool {
    let Operand::Var(var) = operand else { return false };
    let facts = vars.get_mut(*var);
    let new = facts.ty == Ty::Unknown && *ty != Ty::Unknown && !matches!(facts.role, crate::ir::Role::Parameter(_));
    if new {
        // Where a width is not written, rustc infers it.
        facts.ty = ty.clone();
    }
    new
}
