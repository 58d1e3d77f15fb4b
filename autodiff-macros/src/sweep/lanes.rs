//! What has no tangents in lanes.

use crate::analyze::Activity;
use crate::diag::Origin;
use crate::ir::{Body, Op, Stmt, Ty, VarId, walk};

/// Where active values are matrices: each parameter, and each operation that makes one out of something else.
pub fn matrices(body: &Body, activity: &Activity) -> Vec<Origin> {
    let is_matrix = |var: VarId| activity.active(var) && *body.vars.get(var).ty.peeled() == Ty::Matrix;
    let mut found: Vec<Origin> = body.params.iter().filter(|&&var| is_matrix(var)).map(|&var| body.vars.get(var).origin).collect();
    walk::statements(&body.root, &mut |stmt| {
        if let Stmt::Let { var, op } = stmt
            && activity.active(*var)
            && matches!(op, Op::Dispatch { .. } | Op::Map(_) | Op::Components { .. })
        {
            found.push(body.vars.get(*var).origin);
        }
    });
    found
}
