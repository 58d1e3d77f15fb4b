//! Opens the formulas of a tangent program: operations of the IR, which have pullbacks, for expressions, which have none.

use std::collections::BTreeMap;

use syn::{BinOp, Expr, ExprCall, ExprIf, UnOp, parse_quote};

use crate::diag::Origin;
use crate::ir::build::Vars;
use crate::ir::{Argument, Binary, Block, Body, Callee, Op, Operand, Place, Projection, Role, Stmt, Strong, Ty, VarId, walk};
use crate::parse::Primal;
use crate::rules;

/// Opens all of them in `body`.
pub fn open(primal: &Primal, body: &mut Body) {
    let mut opener =
        Opener { library: &primal.options.library, vars: &mut body.vars, names: BTreeMap::new(), ty: Ty::Unknown, out: Vec::new() };
    let root = opener.block(std::mem::take(&mut body.root));
    body.root = root;
}

struct Opener<'a> {
    library: &'a syn::Path,
    vars: &'a mut Vars,
    /// The variables that the formula at hand names.
    names: BTreeMap<String, VarId>,
    /// The type of the formula at hand and of all its parts.
    ty: Ty,
    out: Vec<Stmt>,
}

impl Opener<'_> {
    fn block(&mut self, block: Block) -> Block {
        let before = std::mem::take(&mut self.out);
        for stmt in block.0 {
            self.stmt(stmt);
        }
        Block(std::mem::replace(&mut self.out, before))
    }

    fn stmt(&mut self, mut stmt: Stmt) {
        match stmt {
            Stmt::Let { var, op: Op::Formula { expr, reads } } => {
                self.names = reads.iter().map(|&read| (self.vars.get(read).name.to_string(), read)).collect();
                self.ty = self.vars.get(var).ty.peeled().clone();
                let value = self.expr(&expr);
                self.out.push(Stmt::Let { var, op: Op::Copy(value) });
            }
            Stmt::Let { var, op: Op::Call { callee, args, saved: Some(dot) } } => self.call(var, dot, callee, args),
            _ => {
                for inner in walk::blocks_mut(&mut stmt) {
                    *inner = self.block(std::mem::take(inner));
                }
                self.out.push(stmt);
            }
        }
    }

    /// A callee's tangent sweep returns both values in a tuple.
    fn call(&mut self, var: VarId, dot: VarId, callee: Callee, args: Vec<Argument>) {
        let (value_type, dot_type) = (self.vars.get(var).ty.clone(), self.vars.get(dot).ty.clone());
        let both = self.vars.temporary(self.vars.get(var).origin, Ty::Tuple(vec![value_type, dot_type]));
        self.out.push(Stmt::Let { var: both, op: Op::Call { callee, args, saved: None } });
        for (member, var) in [var, dot].into_iter().enumerate() {
            let place = Place::whole(both).project(Projection::Field(syn::Member::Unnamed(member.into())));
            self.out.push(Stmt::Let { var, op: Op::Read(place) });
        }
    }

    fn value(&mut self, op: Op) -> Operand {
        let var = self.vars.temporary(Origin::none(), self.ty.clone());
        self.out.push(Stmt::Let { var, op });
        Operand::Var(var)
    }

    fn expr(&mut self, expr: &Expr) -> Operand {
        match expr {
            Expr::Paren(inner) => self.expr(&inner.expr),
            Expr::Group(inner) => self.expr(&inner.expr),
            Expr::Lit(_) => Operand::Const(Box::new(expr.clone())),
            Expr::Path(path) => match path.path.get_ident().and_then(|ident| self.names.get(&ident.to_string())) {
                Some(&var) => Operand::Var(var),
                None => Operand::Const(Box::new(expr.clone())),
            },
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => match &*unary.expr {
                Expr::Lit(_) => Operand::Const(Box::new(expr.clone())),
                inner => {
                    let inner = self.expr(inner);
                    self.value(Op::Neg(inner))
                }
            },
            Expr::Binary(binary) => {
                let op = match binary.op {
                    BinOp::Add(_) => Binary::Add,
                    BinOp::Sub(_) => Binary::Sub,
                    BinOp::Mul(_) => Binary::Mul,
                    BinOp::Div(_) => Binary::Div,
                    _ => return self.inert(expr),
                };
                let (left, right) = (self.expr(&binary.left), self.expr(&binary.right));
                self.value(Op::Binary(op, left, right))
            }
            Expr::If(choice) => self.choice(choice),
            Expr::Block(block) => self.last(&block.block),
            Expr::Call(call) => self.function(call),
            other => self.inert(other),
        }
    }

    /// A block of a formula is one expression.
    fn last(&mut self, block: &syn::Block) -> Operand {
        match block.stmts.last() {
            Some(syn::Stmt::Expr(expr, None)) => self.expr(expr),
            _ => unreachable!("a branch of a formula is an expression"),
        }
    }

    fn choice(&mut self, choice: &ExprIf) -> Operand {
        let Some((_, otherwise)) = &choice.else_branch else { unreachable!("a formula has a value on every path") };
        let ty = std::mem::replace(&mut self.ty, Ty::Bool);
        let cond = self.inert(&choice.cond);
        self.ty = ty;
        let chosen = self.vars.named("v", Origin::none(), self.ty.clone(), Role::Temporary, true);
        self.vars.get_mut(chosen).late = true;
        let then = self.branch(chosen, |opener| opener.last(&choice.then_branch));
        let els = self.branch(chosen, |opener| opener.expr(otherwise));
        self.out.push(Stmt::Declare { var: chosen, init: None });
        self.out.push(Stmt::If { cond, then, els });
        Operand::Var(chosen)
    }

    fn branch(&mut self, chosen: VarId, value: impl FnOnce(&mut Self) -> Operand) -> Block {
        let before = std::mem::take(&mut self.out);
        let value = value(self);
        self.out.push(Stmt::Store { place: Place::whole(chosen), value });
        Block(std::mem::replace(&mut self.out, before))
    }

    /// A function of `Real`, or a strong product.
    fn function(&mut self, call: &ExprCall) -> Operand {
        let Expr::Path(path) = &*call.func else { return self.inert(&Expr::Call(call.clone())) };
        let Some(name) = path.path.segments.last().map(|last| &last.ident) else { return self.inert(&Expr::Call(call.clone())) };
        let args: Vec<&Expr> = call.args.iter().collect();
        let library = self.library;
        let strong = [Strong::Cotangent, Strong::Slope, Strong::Both].into_iter().find(|strong| name == strong.function());
        match (name.to_string().as_str(), args.as_slice()) {
            (_, [a, b]) if strong.is_some() => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.value(Op::StrongProduct(strong.unwrap_or(Strong::Both), a, b))
            }
            ("strong_quotient", [a, b]) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.value(Op::StrongQuotient(a, b))
            }
            ("mul_i32", [a, n]) => {
                let (a, n) = (self.expr(a), self.inert(&parse_quote!(#library::Real::mul_i32(1.0, #n))));
                self.value(Op::Binary(Binary::Mul, a, n))
            }
            ("mul_ln_2", [a]) => {
                let (a, factor) = (self.expr(a), parse_quote!(#library::Real::mul_ln_2(1.0)));
                self.value(Op::Binary(Binary::Mul, a, Operand::Const(Box::new(factor))))
            }
            (name @ ("log2_e_over" | "log10_e_over"), [a]) => {
                let name = quote::format_ident!("{name}");
                let (a, dividend) = (self.expr(a), parse_quote!(#library::Real::#name(1.0)));
                self.value(Op::Binary(Binary::Div, Operand::Const(Box::new(dividend)), a))
            }
            (text, args) => match rules::row(text).filter(|row| row.args.len() == args.len()) {
                Some(row) => {
                    let args = row.args.iter().zip(args);
                    let args = args
                        .map(|(arg, expr)| if row.partials.iter().any(|(of, _)| of == arg) { self.expr(expr) } else { self.whole(expr) });
                    let op = Op::Scalar { row, args: args.collect(), method: name.clone() };
                    self.value(op)
                }
                None => self.inert(&Expr::Call(call.clone())),
            },
        }
    }

    /// An integer.
    fn whole(&mut self, expr: &Expr) -> Operand {
        match expr {
            Expr::Lit(_) => Operand::Const(Box::new(expr.clone())),
            Expr::Paren(inner) => self.whole(&inner.expr),
            Expr::Path(_) => self.expr(expr),
            Expr::Unary(unary) if matches!(&*unary.expr, Expr::Lit(_)) => Operand::Const(Box::new(parse_quote!((#expr)))),
            other => {
                let ty = std::mem::replace(&mut self.ty, Ty::Int);
                let value = self.inert(other);
                self.ty = ty;
                value
            }
        }
    }

    /// Without a derivative: the expression as it is.
    fn inert(&mut self, expr: &Expr) -> Operand {
        struct Search<'a>(&'a BTreeMap<String, VarId>, Vec<VarId>);
        impl<'ast> syn::visit::Visit<'ast> for Search<'_> {
            fn visit_path(&mut self, path: &'ast syn::Path) {
                self.1.extend(path.get_ident().and_then(|ident| self.0.get(&ident.to_string())));
            }
        }
        let mut search = Search(&self.names, Vec::new());
        syn::visit::Visit::visit_expr(&mut search, expr);
        let reads = search.1;
        self.value(Op::Inert { expr: Box::new(expr.clone()), reads })
    }
}
