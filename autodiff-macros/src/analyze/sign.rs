//! Which values surely are not negative, or are positive: there `sqrt`, `ln` and `/` have finite slopes.
//!
//! Values only, in one pass: what changes is unknown. NaN is of no concern, it stays NaN in any case.

use syn::{Expr, Lit};

use crate::ir::{Binary, Body, Op, Operand, Stmt, VarId, walk};

/// What is known of a value's sign.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sign {
    pub nonnegative: bool,
    pub positive: bool,
}

const UNKNOWN: Sign = Sign { nonnegative: false, positive: false };
const NONNEGATIVE: Sign = Sign { nonnegative: true, positive: false };
const POSITIVE: Sign = Sign { nonnegative: true, positive: true };

/// Facts by variable.
pub struct Signs(Vec<Sign>);

impl Signs {
    /// What is known of an operand.
    pub fn of(&self, operand: &Operand) -> Sign {
        match operand {
            Operand::Var(var) => self.0.get(var.0 as usize).copied().unwrap_or_default(),
            Operand::Const(expr) => literal(expr),
        }
    }

    /// What is known of a variable.
    pub fn var(&self, var: VarId) -> Sign {
        self.of(&Operand::Var(var))
    }

    fn op(&self, op: &Op) -> Sign {
        match op {
            Op::Copy(a) | Op::Cast { value: a, .. } => self.of(a),
            Op::Binary(binary, a, b) => self.binary(*binary, a, b),
            Op::Scalar { row, args, .. } => self.scalar(row.name, args),
            _ => UNKNOWN,
        }
    }

    fn binary(&self, binary: Binary, a: &Operand, b: &Operand) -> Sign {
        let (left, right) = (self.of(a), self.of(b));
        let both = left.nonnegative && right.nonnegative;
        match binary {
            Binary::Add if both => Sign { nonnegative: true, positive: left.positive || right.positive },
            // A product of positive numbers can underflow to zero.
            Binary::Mul if both || same(a, b) => NONNEGATIVE,
            Binary::Div if both => NONNEGATIVE,
            _ => UNKNOWN,
        }
    }

    fn scalar(&self, name: &str, args: &[Operand]) -> Sign {
        let first = args.first().map(|arg| self.of(arg)).unwrap_or_default();
        match name {
            "cosh" => POSITIVE,
            "exp" | "exp2" | "hypot" => NONNEGATIVE,
            "abs" | "sqrt" | "cbrt" if first.positive => POSITIVE,
            "abs" | "sqrt" => NONNEGATIVE,
            "powi" if args.get(1).is_some_and(is_even) => NONNEGATIVE,
            "max" => {
                let second = args.get(1).map(|arg| self.of(arg)).unwrap_or_default();
                Sign { nonnegative: first.nonnegative || second.nonnegative, positive: first.positive || second.positive }
            }
            "clamp" => args.get(1).map(|low| self.of(low)).unwrap_or_default(),
            "mul_add" => match args {
                [a, b, c] => {
                    let product = self.binary(Binary::Mul, a, b);
                    let summand = self.of(c);
                    Sign { nonnegative: product.nonnegative && summand.nonnegative, positive: product.nonnegative && summand.positive }
                }
                _ => UNKNOWN,
            },
            _ => UNKNOWN,
        }
    }
}

/// Runs the analysis.
pub fn signs(body: &Body) -> Signs {
    let mut signs = Signs(vec![UNKNOWN; body.vars.len()]);
    walk::statements(&body.root, &mut |stmt| {
        if let Stmt::Let { var, op } = stmt {
            let sign = signs.op(op);
            signs.0[var.0 as usize] = sign;
        }
    });
    signs
}

fn same(a: &Operand, b: &Operand) -> bool {
    matches!((a, b), (Operand::Var(a), Operand::Var(b)) if a == b)
}

fn literal(expr: &Expr) -> Sign {
    match expr {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Float(float) if float.base10_parse::<f64>().is_ok_and(|value| value > 0.0) => POSITIVE,
            Lit::Float(_) => NONNEGATIVE,
            _ => UNKNOWN,
        },
        _ => UNKNOWN,
    }
}

fn is_even(operand: &Operand) -> bool {
    let Operand::Const(expr) = operand else { return false };
    match &**expr {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(int) => int.base10_parse::<i32>().is_ok_and(|value| value % 2 == 0 && value > 0),
            _ => false,
        },
        _ => false,
    }
}
