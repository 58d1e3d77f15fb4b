//! `array.map(f)` and `array::from_fn(f)`: loops that fill an array of floats.

use syn::{Block, Expr, ExprCall, ExprMethodCall, Stmt, parse_quote};

use super::{Lowering, Value};
use crate::diag::Refusal;
use crate::ir::Ty;

impl Lowering<'_> {
    /// `xs.map(|x| ..)` of an array whose length is written somewhere.
    pub(super) fn array_map(&mut self, call: &ExprMethodCall, receiver: &Ty) -> Value {
        let Ty::Array(_, Some(length)) = receiver.peeled() else {
            return self.refuse(&call.method, Refusal::UnknownMethod { name: call.method.to_string() });
        };
        let (source, length) = (&call.receiver, &length.tokens);
        let (binding, callee) = bound(&call.args[0]);
        self.expr(&parse_quote!({
            let __source = #source;
            #binding
            let mut __mapped = [0.0; #length];
            for __i in 0..#length {
                __mapped[__i] = #callee(__source[__i]);
            }
            __mapped
        }))
    }
}

/// `array::from_fn(|i| ..)` as a loop, where the type that it must have is a known array of floats.
pub fn from_fn(expr: &Expr, ty: &Ty) -> Option<Expr> {
    let (Expr::Call(call), Ty::Array(element, Some(length))) = (expr, ty) else { return None };
    if !(element.is_float() && is_from_fn(call)) {
        return None;
    }
    let length = &length.tokens;
    let (binding, callee) = bound(&call.args[0]);
    Some(parse_quote!({
        #binding
        let mut __made = [0.0; #length];
        for __i in 0..#length {
            __made[__i] = #callee(__i);
        }
        __made
    }))
}

/// The function by a name: a path is one.
fn bound(function: &Expr) -> (Option<Stmt>, Expr) {
    match function {
        Expr::Path(_) => (None, function.clone()),
        other => (Some(parse_quote!(let __function = #other;)), parse_quote!(__function)),
    }
}

fn is_from_fn(call: &ExprCall) -> bool {
    let Expr::Path(path) = &*call.func else { return false };
    let mut names = path.path.segments.iter().rev().map(|segment| segment.ident.to_string());
    call.args.len() == 1 && names.next().as_deref() == Some("from_fn") && names.next().as_deref() == Some("array")
}

/// The body of a function of this result type, with such a loop for its last expression.
pub fn with_last(block: &Block, result: &Ty) -> Block {
    let mut block = block.clone();
    if let Some(Stmt::Expr(last, None)) = block.stmts.last_mut()
        && let Some(looping) = from_fn(last, result)
    {
        *last = looping;
    }
    block
}
