//! Formulas with integers that are written down: `x.powi(3)` has the slope `3 x²`, and no question about the exponent.

use syn::visit_mut::VisitMut;
use syn::{BinOp, Expr, ExprCall, Lit, UnOp, parse_quote};

/// Decides what the literals in a formula decide.
pub fn simplify(expr: &mut Expr) {
    Simplify.visit_expr_mut(expr);
}

struct Simplify;

impl VisitMut for Simplify {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Some(chosen) = chosen(expr) {
            *expr = chosen;
            return self.visit_expr_mut(expr);
        }
        syn::visit_mut::visit_expr_mut(self, expr);
        let simpler = match expr {
            Expr::Call(call) => power(call),
            Expr::Binary(binary) if matches!(binary.op, BinOp::Sub(_)) => integer(expr).map(literal),
            _ => None,
        };
        if let Some(simpler) = simpler {
            *expr = simpler;
        }
    }
}

/// The branch of an `if` whose condition compares two literals.
fn chosen(expr: &Expr) -> Option<Expr> {
    let Expr::If(choice) = expr else { return None };
    let Expr::Binary(cond) = &*choice.cond else { return None };
    if !matches!(cond.op, BinOp::Eq(_)) {
        return None;
    }
    if integer(&cond.left)? == integer(&cond.right)? {
        match choice.then_branch.stmts.as_slice() {
            [syn::Stmt::Expr(value, None)] => Some(value.clone()),
            _ => None,
        }
    } else {
        match &*choice.else_branch.as_ref()?.1 {
            Expr::Block(block) => match block.block.stmts.as_slice() {
                [syn::Stmt::Expr(value, None)] => Some(value.clone()),
                _ => None,
            },
            other => Some(other.clone()),
        }
    }
}

/// `mul_i32(a, 2)` is `2.0 * a`, `powi(x, 1)` is `x`, `powi(x, 0)` is 1.
fn power(call: &ExprCall) -> Option<Expr> {
    let Expr::Path(path) = &*call.func else { return None };
    let name = path.path.segments.last()?.ident.to_string();
    let (first, number) = match call.args.iter().collect::<Vec<_>>()[..] {
        [first, second] => (first, integer(second)?),
        _ => return None,
    };
    match (name.as_str(), number) {
        ("powi", 0) => Some(parse_quote!(1.0)),
        ("powi", 1) => Some(first.clone()),
        ("mul_i32", 1) => Some(first.clone()),
        ("mul_i32", number) => {
            let factor = float(number);
            let one = matches!(first, Expr::Lit(literal) if matches!(&literal.lit, Lit::Float(float) if float.base10_digits() == "1.0"));
            Some(match first {
                _ if one => factor,
                Expr::Binary(_) => parse_quote!(#factor * (#first)),
                _ => parse_quote!(#factor * #first),
            })
        }
        _ => None,
    }
}

fn literal(number: i64) -> Expr {
    let digits = syn::LitInt::new(&number.unsigned_abs().to_string(), proc_macro2::Span::mixed_site());
    if number < 0 { parse_quote!(-#digits) } else { parse_quote!(#digits) }
}

fn float(number: i64) -> Expr {
    let digits = syn::LitFloat::new(&format!("{}.0", number.unsigned_abs()), proc_macro2::Span::mixed_site());
    if number < 0 { parse_quote!(-#digits) } else { parse_quote!(#digits) }
}

/// The value of an integer that is written down.
pub fn integer(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(int) if matches!(int.suffix(), "" | "i32") => int.base10_parse().ok(),
            _ => None,
        },
        Expr::Paren(inner) => integer(&inner.expr),
        Expr::Group(inner) => integer(&inner.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => integer(&unary.expr).map(|number| -number),
        Expr::Binary(binary) if matches!(binary.op, BinOp::Sub(_)) => Some(integer(&binary.left)? - integer(&binary.right)?),
        _ => None,
    }
}
