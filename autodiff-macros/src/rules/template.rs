//! Formulas of the scalar table, made into operations on the operands at hand.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::visit_mut::VisitMut;
use syn::{Expr, Lit, UnOp, parse_quote};

use super::Row;
use super::simplify::{integer, simplify};
use crate::ir::build::Vars;
use crate::ir::{Operand, Strong, VarId};

/// A partial derivative with the operands put in.
#[derive(Debug)]
pub enum Partial {
    Zero,
    One,
    /// One of the operands, or the result, as it is.
    Operand(Operand),
    /// `if` over values that are plain numbers or formulas.
    Choice(Expr, Vec<VarId>),
    Formula(Expr, Vec<VarId>),
    /// The negative of another.
    Negative(Box<Partial>),
}

/// What a formula is instantiated with.
pub struct Operands<'a> {
    pub row: &'static Row,
    pub args: &'a [Operand],
    pub result: &'a Operand,
    pub library: &'a syn::Path,
    pub vars: &'a Vars,
}

impl Operands<'_> {
    /// The partial derivative by the argument of this position; `None` where the table has none.
    pub fn partial(&self, position: usize) -> Option<Partial> {
        let name = self.row.args.get(position)?;
        let (_, formula) = self.row.partials.iter().find(|(arg, _)| arg == name)?;
        let mut expr: Expr = syn::parse_str(formula).expect("a test parses every formula of the table");
        Integers(self).visit_expr_mut(&mut expr);
        simplify(&mut expr);
        Some(self.instantiate(expr))
    }

    fn operand(&self, name: &str) -> Option<&Operand> {
        if name == self.row.result {
            return Some(self.result);
        }
        let position = self.row.args.iter().position(|arg| *arg == name)?;
        self.args.get(position)
    }

    fn instantiate(&self, expr: Expr) -> Partial {
        match expr {
            Expr::Paren(inner) => self.instantiate(*inner.expr),
            Expr::Group(inner) => self.instantiate(*inner.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => match self.instantiate(*unary.expr) {
                Partial::Negative(inner) => *inner,
                Partial::Zero => Partial::Zero,
                inner => Partial::Negative(Box::new(inner)),
            },
            Expr::Lit(ref literal) if is_number(&literal.lit, 0.0) => Partial::Zero,
            Expr::Lit(ref literal) if is_number(&literal.lit, 1.0) => Partial::One,
            Expr::Path(ref path) => match path.path.get_ident().and_then(|ident| self.operand(&ident.to_string())) {
                Some(operand) => Partial::Operand(operand.clone()),
                None => self.formula(expr),
            },
            Expr::If(_) => match self.formula(expr) {
                Partial::Formula(expr, reads) => Partial::Choice(expr, reads),
                other => other,
            },
            other => self.formula(other),
        }
    }

    fn formula(&self, mut expr: Expr) -> Partial {
        let mut substitution = Substitution { operands: self, reads: Vec::new() };
        substitution.visit_expr_mut(&mut expr);
        let mut reads = substitution.reads;
        reads.sort_unstable();
        reads.dedup();
        Partial::Formula(expr, reads)
    }
}

/// Puts in the integers that are written down.
struct Integers<'a>(&'a Operands<'a>);

impl VisitMut for Integers<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let Expr::Path(path) = expr else { return syn::visit_mut::visit_expr_mut(self, expr) };
        let operand = path.path.get_ident().and_then(|ident| self.0.operand(&ident.to_string()));
        if let Some(Operand::Const(number)) = operand
            && integer(number).is_some()
        {
            *expr = parse_quote!((#number));
        }
    }
}

struct Substitution<'a, 'b> {
    operands: &'a Operands<'b>,
    reads: Vec<VarId>,
}

impl VisitMut for Substitution<'_, '_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Path(path) = expr {
            match path.path.get_ident().map(ToString::to_string) {
                Some(name) => {
                    if let Some(operand) = self.operands.operand(&name) {
                        *expr = spell(operand, self.operands.vars, &mut self.reads);
                    }
                }
                // `Real::cos` is a path of ours.
                None => {
                    let (library, inner) = (self.operands.library, &path.path);
                    *expr = parse_quote!(#library::#inner);
                }
            }
        } else {
            syn::visit_mut::visit_expr_mut(self, expr);
        }
    }
}

fn spell(operand: &Operand, vars: &Vars, reads: &mut Vec<VarId>) -> Expr {
    match operand {
        Operand::Var(var) => {
            reads.push(*var);
            let name = &vars.get(*var).name;
            parse_quote!(#name)
        }
        // An operator in a constant would bind differently inside the formula.
        Operand::Const(expr) => match &**expr {
            Expr::Lit(_) | Expr::Path(_) => (**expr).clone(),
            other => parse_quote!((#other)),
        },
    }
}

fn is_number(literal: &Lit, number: f64) -> bool {
    matches!(literal, Lit::Float(float) if float.base10_parse::<f64>().is_ok_and(|value| value == number))
}

/// What a choice is multiplied by.
pub struct Factor<'a> {
    pub name: TokenStream,
    /// The products in the branches are strong ones.
    pub strong: Option<Strong>,
    /// Where their functions are, in a module `rules`.
    pub library: &'a syn::Path,
    /// How a zero is spelled that is not `0.0`.
    pub zero: Option<&'a Expr>,
}

impl Factor<'_> {
    fn spelled(&self, negated: bool) -> Expr {
        let name = &self.name;
        if negated { parse_quote!(-#name) } else { parse_quote!(#name) }
    }
}

/// A choice multiplied by `factor`, which goes into its branches: `if c { g } else { 0.0 }`.
pub fn multiply_choice(choice: &Expr, factor: &Factor<'_>) -> Expr {
    match choice {
        Expr::If(branch) => {
            let cond = &branch.cond;
            let then = multiply_block(&branch.then_branch, factor);
            match &branch.else_branch {
                Some((_, otherwise)) => {
                    let otherwise = multiply_choice(otherwise, factor);
                    match otherwise {
                        Expr::If(_) | Expr::Block(_) => parse_quote!(if #cond { #then } else #otherwise),
                        other => parse_quote!(if #cond { #then } else { #other }),
                    }
                }
                None => parse_quote!(if #cond { #then }),
            }
        }
        Expr::Block(block) => {
            let inner = multiply_block(&block.block, factor);
            parse_quote!({ #inner })
        }
        Expr::Paren(inner) => multiply_choice(&inner.expr, factor),
        Expr::Lit(literal) if is_number(&literal.lit, 1.0) => factor.spelled(false),
        Expr::Lit(literal) if is_number(&literal.lit, 0.0) => factor.zero.cloned().unwrap_or_else(|| choice.clone()),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => match &*unary.expr {
            Expr::Lit(literal) if is_number(&literal.lit, 1.0) => factor.spelled(true),
            _ => product(choice, factor),
        },
        other => product(other, factor),
    }
}

fn product(expr: &Expr, factor: &Factor<'_>) -> Expr {
    let (name, library) = (&factor.name, factor.library);
    if let (Some(strong), false) = (factor.strong, matches!(expr, Expr::Lit(_))) {
        let function = format_ident!("{}", strong.function());
        return parse_quote!(#library::rules::#function(#name, #expr));
    }
    match expr {
        Expr::Lit(_) | Expr::Path(_) | Expr::Call(_) => parse_quote!(#name * #expr),
        other => parse_quote!(#name * (#other)),
    }
}

fn multiply_block(block: &syn::Block, factor: &Factor<'_>) -> TokenStream {
    match block.stmts.as_slice() {
        [syn::Stmt::Expr(tail, None)] => multiply_choice(tail, factor).to_token_stream(),
        other => {
            let name = &factor.name;
            quote!(#name * { #(#other)* })
        }
    }
}
