//! How large a save area can get.

use std::collections::BTreeMap;

use syn::{Expr, GenericParam, Lit};

use super::sites::Sites;
use crate::ir::{Body, LoopId, LoopKind, Op, Operand, Scope, Ty, VarId, Width};
use crate::parse::Primal;

/// The largest save area that is put on the stack, in bytes.
const INLINE: u64 = 16 * 1024;

/// The number of records that a save area must hold.
#[derive(Clone, PartialEq, Debug)]
pub enum Capacity {
    /// At most so many: a literal, or a const generic.
    Inline(Expr),
    Dynamic,
}

/// The capacity of the area of loop `id`, whose records have `fields`.
pub fn of(primal: &Primal, body: &Body, sites: &Sites, id: LoopId, fields: &[VarId]) -> Capacity {
    let mut bounds = Bounds { primal, sites, most: BTreeMap::new() };
    match bounds.records(id) {
        Some(Trips::Number(records)) => {
            let size: u64 = fields.iter().map(|&var| size(&body.vars.get(var).ty)).sum();
            if records.saturating_mul(size) > INLINE {
                return Capacity::Dynamic;
            }
            let literal = syn::LitInt::new(&records.to_string(), proc_macro2::Span::mixed_site());
            Capacity::Inline(syn::parse_quote!(#literal))
        }
        Some(Trips::Generic(expr)) => Capacity::Inline(expr),
        None => Capacity::Dynamic,
    }
}

enum Trips {
    Number(u64),
    Generic(Expr),
}

struct Bounds<'a> {
    primal: &'a Primal,
    sites: &'a Sites<'a>,
    /// The largest value of each loop index.
    most: BTreeMap<VarId, u64>,
}

impl Bounds<'_> {
    /// The most iterations of loop `id` in one run of the function.
    fn records(&mut self, id: LoopId) -> Option<Trips> {
        let outer = match self.sites.parent(id) {
            Scope::Function => Trips::Number(1),
            Scope::Loop(parent) => self.records(parent)?,
        };
        match (outer, self.trips(id)?) {
            (Trips::Number(outer), Trips::Number(own)) => Some(Trips::Number(outer.checked_mul(own)?)),
            (Trips::Number(1), generic) => Some(generic),
            (generic, Trips::Number(1)) => Some(generic),
            _ => None,
        }
    }

    fn trips(&mut self, id: LoopId) -> Option<Trips> {
        let looping = self.sites.looping(id);
        let (var, low, high, inclusive) = match &looping.kind {
            LoopKind::Range { var, low, high, inclusive, .. } => (var, low, high, inclusive),
            LoopKind::Once => return Some(Trips::Number(1)),
            _ => return None,
        };
        // A lower bound that may be negative makes the loop longer.
        self.most(low)?;
        if let Operand::Const(expr) = high
            && self.is_const_generic(expr)
            && !inclusive
        {
            return Some(Trips::Generic((**expr).clone()));
        }
        let end = self.most(high)?.checked_add(u64::from(*inclusive))?;
        self.most.insert(*var, end.saturating_sub(1));
        Some(Trips::Number(end.saturating_sub(number(low).unwrap_or(0))))
    }

    /// The largest value of an operand that is surely not negative.
    fn most(&self, operand: &Operand) -> Option<u64> {
        match operand {
            Operand::Const(_) => number(operand),
            Operand::Var(var) => match (self.most.get(var), self.sites.op(*var)) {
                (Some(&most), _) => Some(most),
                (None, Some(Op::Inert { expr, reads })) if reads.len() == 1 => self.most_of(expr, *self.most.get(&reads[0])?),
                _ => None,
            },
        }
    }

    /// The same for an expression of one loop index, which is at most `index`.
    fn most_of(&self, expr: &Expr, index: u64) -> Option<u64> {
        match expr {
            Expr::Paren(inner) => self.most_of(&inner.expr, index),
            Expr::Path(_) => Some(index),
            Expr::Lit(_) => number(&Operand::Const(Box::new(expr.clone()))),
            Expr::Binary(binary) => {
                let (left, right) = (self.most_of(&binary.left, index)?, self.most_of(&binary.right, index)?);
                match binary.op {
                    syn::BinOp::Add(_) => left.checked_add(right),
                    syn::BinOp::Mul(_) => left.checked_mul(right),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn is_const_generic(&self, expr: &Expr) -> bool {
        let Expr::Path(path) = expr else { return false };
        self.primal.function.sig.generics.params.iter().any(|param| match param {
            GenericParam::Const(param) => path.path.is_ident(&param.ident),
            _ => false,
        })
    }
}

fn number(operand: &Operand) -> Option<u64> {
    match operand {
        Operand::Const(expr) => match &**expr {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(int) => int.base10_parse().ok(),
                _ => None,
            },
            _ => None,
        },
        Operand::Var(_) => None,
    }
}

/// Bytes of a value, where they are known; a guess elsewhere.
fn size(ty: &Ty) -> u64 {
    match ty {
        Ty::Float(Some(Width::F32)) => 4,
        Ty::Bool => 1,
        Ty::Array(element, Some(length)) => size(element).saturating_mul(length.value.unwrap_or(16)),
        Ty::Tuple(elements) => elements.iter().map(size).sum(),
        Ty::Float(_) | Ty::Int => 8,
        Ty::Option(inner) | Ty::Result(inner) => 8 + size(inner),
        Ty::Matrix | Ty::Unknown | Ty::Saved => 128,
        Ty::Array(_, None) | Ty::Slice(_) | Ty::Ref(_) | Ty::Inactive => 32,
    }
}
