//! `x.map(|v| ..)` and `x.zip_map(&z, |v, w| ..)` over the components of matrices.

use syn::{Expr, ExprClosure, ExprMethodCall, Pat};

use super::{Lowering, Value};
use crate::diag::{Origin, Refusal};
use crate::ir::{Argument, Block, Map, Op, Operand, Role, Stmt, Ty, VarId};

impl Lowering<'_> {
    pub(super) fn map(&mut self, call: &ExprMethodCall) -> Value {
        let mut args: Vec<&Expr> = call.args.iter().collect();
        let Some(function) = args.pop() else {
            return self.refuse(&call.method, Refusal::UnknownMethod { name: call.method.to_string() });
        };
        let mut inputs = vec![self.receiver(&call.receiver)];
        for argument in args {
            let argument = self.argument(argument);
            inputs.push(self.steady(argument, Origin::of(&call.method)));
        }
        let origin = Origin::of(&call.method);
        let (source, _) = self.substitute(function);
        self.read_captures(function);
        let lowered = match function {
            Expr::Closure(closure) => self.closure(closure, inputs.len()),
            Expr::Path(path) => Some(self.function_over(path, inputs.len(), origin)),
            other => {
                self.refuse(other, Refusal::MapFunction);
                None
            }
        };
        let Some((elements, body, result)) = lowered else { return Value::Operand(super::placeholder()) };
        let map = Map {
            method: call.method.clone(),
            inputs: inputs.into_iter().zip(elements).collect::<Vec<(Argument, VarId)>>(),
            body,
            result,
            source: Box::new(source),
        };
        let ty = match self.guess(&call.receiver) {
            Ty::Matrix => Ty::Matrix,
            _ => Ty::Unknown,
        };
        Value::Operand(self.value(origin, ty, Op::Map(Box::new(map))))
    }

    /// Reads the variables that the closure captures and that change later, so that it means their content of now.
    fn read_captures(&mut self, function: &Expr) {
        struct Names(Vec<syn::Ident>);
        impl<'ast> syn::visit::Visit<'ast> for Names {
            fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
                self.0.extend(path.path.get_ident().cloned());
            }
        }
        let mut names = Names(Vec::new());
        syn::visit::Visit::visit_expr(&mut names, function);
        for name in names.0 {
            if let Some(super::Binding::Cell(var)) = self.lookup(&name)
                && matches!(self.vars.get(*var).ty, Ty::Float(_) | Ty::Int | Ty::Bool | Ty::Unknown)
            {
                let place = crate::ir::Place::whole(*var);
                self.read(place, Origin::of(&name));
            }
        }
    }

    fn closure(&mut self, closure: &ExprClosure, arity: usize) -> Option<(Vec<VarId>, Block, Operand)> {
        if closure.inputs.len() != arity {
            self.refuse(closure, Refusal::MapFunction);
            return None;
        }
        let mut elements = Vec::new();
        self.in_closure = true;
        let (body, result) = self.branching(|lowering| {
            lowering.nested(|lowering| {
                for input in &closure.inputs {
                    elements.push(lowering.closure_parameter(input));
                }
                let written = std::mem::take(&mut lowering.written);
                let value = lowering.expr(&closure.body);
                let result = lowering.operand(value, Origin::of(&closure.body));
                let outer = lowering.written.iter().any(|&var| !elements.contains(&var) && lowering.vars.get(var).cell);
                lowering.written.extend(written);
                if outer {
                    lowering.refuse(closure, Refusal::MapWrites);
                }
                result
            })
        });
        self.in_closure = false;
        let plain = body.0.iter().all(|stmt| matches!(stmt, Stmt::Let { .. } | Stmt::If { .. } | Stmt::Declare { .. }));
        if !plain {
            self.refuse(closure, Refusal::MapWrites);
        }
        Some((elements, body, result))
    }

    fn closure_parameter(&mut self, pattern: &Pat) -> VarId {
        let (pattern, ty) = match pattern {
            Pat::Type(typed) => (&*typed.pat, crate::parse::types::classify(&typed.ty)),
            other => (other, Ty::Float(None)),
        };
        match pattern {
            Pat::Ident(ident) if ident.by_ref.is_none() && ident.mutability.is_none() && ident.subpat.is_none() => {
                let var = self.vars.user(&ident.ident, ty, Role::User, false);
                self.define(&ident.ident, super::Binding::Value(Value::Operand(Operand::Var(var))));
                var
            }
            Pat::Wild(wild) => self.vars.named("v", Origin::of(wild), ty, Role::Temporary, false),
            other => {
                self.refuse(other, Refusal::Pattern);
                self.vars.named("v", Origin::of(other), ty, Role::Temporary, false)
            }
        }
    }

    /// `f64::tanh` or the path of a differentiated function, as if `|v| path(v)` were written.
    fn function_over(&mut self, path: &syn::ExprPath, arity: usize, origin: Origin) -> (Vec<VarId>, Block, Operand) {
        let elements: Vec<VarId> = (0..arity).map(|_| self.vars.named("v", origin, Ty::Float(None), Role::Temporary, false)).collect();
        let names = elements.iter().map(|&var| self.vars.get(var).name.clone());
        let call: Expr = syn::parse_quote!(#path(#(#names),*));
        let (body, result) = self.branching(|lowering| {
            lowering.nested(|lowering| {
                for &var in &elements {
                    let name = lowering.vars.get(var).name.clone();
                    lowering.define(&name, super::Binding::Value(Value::Operand(Operand::Var(var))));
                }
                let value = lowering.expr(&call);
                lowering.operand(value, origin)
            })
        });
        (elements, body, result)
    }
}
