//! `array.map(f)` and `array::from_fn(f)`: loops that fill an array of floats.

use proc_macro2::TokenStream;
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
        let source = &call.receiver;
        let filled = filled(&call.args[0], &length.tokens, &parse_quote!(__source[__i]));
        self.expr(&parse_quote!({
            let __source = #source;
            #filled
        }))
    }
}

/// `array::from_fn(|i| ..)` as a loop, where the type that it must have is a known array of floats.
pub fn from_fn(expr: &Expr, ty: &Ty) -> Option<Expr> {
    let (Expr::Call(call), Ty::Array(element, Some(length))) = (expr, ty) else { return None };
    if !(element.is_float() && is_from_fn(call)) {
        return None;
    }
    Some(filled(&call.args[0], &length.tokens, &parse_quote!(__i)))
}

/// An array of floats of that length, element `__i` of which is `function(item)`.
fn filled(function: &Expr, length: &TokenStream, item: &Expr) -> Expr {
    // A path is a name by which the function can be called.
    let (binding, function): (Option<Stmt>, Expr) = match function {
        Expr::Path(_) => (None, function.clone()),
        other => (Some(parse_quote!(let __function = #other;)), parse_quote!(__function)),
    };
    parse_quote!({
        #binding
        let mut __filled = [0.0; #length];
        for __i in 0..#length {
            __filled[__i] = #function(#item);
        }
        __filled
    })
}

fn is_from_fn(call: &ExprCall) -> bool {
    let Expr::Path(path) = &*call.func else { return false };
    let mut names = path.path.segments.iter().rev().map(|segment| segment.ident.to_string());
    call.args.len() == 1 && names.next().as_deref() == Some("from_fn") && names.next().as_deref() == Some("array")
}

/// The body of a function of this result type with such a loop for its last expression, where that is one.
pub fn with_last(block: &Block, result: &Ty) -> Option<Block> {
    let Some(Stmt::Expr(last, None)) = block.stmts.last() else { return None };
    let looping = from_fn(last, result)?;
    let mut block = block.clone();
    *block.stmts.last_mut()? = Stmt::Expr(looping, None);
    Some(block)
}
