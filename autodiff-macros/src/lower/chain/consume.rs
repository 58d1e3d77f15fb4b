//! Consumers: `sum`, `product`, `fold`, `for_each`, `count`, `any`, `all`. Those that find one item are in `select`.

use syn::{Expr, ExprMethodCall, GenericArgument, parse_quote};

use super::super::{Lowering, Value};
use super::drive::Manner;
use super::stage::constant;
use super::{Chain, Function};
use crate::diag::{Origin, Refusal};
use crate::ir::{Binary, Operand, Place, Role, Sign, Stmt, Ty, VarId};
use crate::parse::types::classify;

const CONSUMERS: &[&str] = &["sum", "product", "fold", "for_each", "count", "any", "all", "collect"];

/// Variables for a value that changes from item to item; those of a tuple have one for each element.
enum Slot {
    Cell(VarId),
    Tuple(Vec<Slot>),
}

impl<'a> Lowering<'a> {
    /// A method of iterators, or of the `Option` that one returns.
    pub(in super::super) fn iterator_method(&mut self, call: &ExprMethodCall) -> Option<Value> {
        let whole = Expr::MethodCall(call.clone());
        if self.is_chain(&whole) {
            let chain = self.chain(&whole);
            return Some(chain.map_or_else(|| Value::Operand(super::super::placeholder()), |chain| Value::Chain(chain.into())));
        }
        if !self.is_chain(&call.receiver) {
            return None;
        }
        let name = call.method.to_string();
        if !CONSUMERS.contains(&name.as_str()) {
            return Some(self.refuse(&call.method, Refusal::IteratorMethod { name }));
        }
        let chain = self.chain(&call.receiver);
        let Some(chain) = chain else { return Some(Value::Operand(super::super::placeholder())) };
        let chain = Chain { origin: Origin::of(&call.method), ..chain };
        Some(self.consume(&chain, call))
    }

    fn consume(&mut self, chain: &Chain, call: &ExprMethodCall) -> Value {
        let name = call.method.to_string();
        match (name.as_str(), call.args.len()) {
            ("sum", 0) => self.total(chain, call, parse_quote!(-0.0), None),
            ("product", 0) => self.total(chain, call, parse_quote!(1.0), Some(Binary::Mul)),
            ("count", 0) => self.count(chain),
            ("fold", 2) => {
                let init = self.expr(&call.args[0]);
                let init = self.settle(init, Origin::of(&call.args[0]));
                match self.callee(&call.args[1]) {
                    Some(function) => self.fold(chain, init, &function),
                    None => Value::Operand(super::super::placeholder()),
                }
            }
            ("collect", 0) => self.collect(chain, call),
            ("for_each", 1) => {
                if let Some(function) = self.callee(&call.args[0]) {
                    self.drive(chain, Manner::default(), &mut |lowering, item, _| {
                        lowering.apply(&function, vec![item], chain.origin);
                    });
                }
                Value::Tuple(Vec::new())
            }
            ("any" | "all", 1) => match self.callee(&call.args[0]) {
                Some(function) => self.any_or_all(chain, &function, name == "any"),
                None => Value::Operand(super::super::placeholder()),
            },
            _ => self.refuse(&call.method, Refusal::IteratorMethod { name }),
        }
    }

    /// `sum` and `product`: std begins a sum of floats with `-0.0`, so that a sum of nothing but `-0.0` is that.
    fn total(&mut self, chain: &Chain, call: &ExprMethodCall, zero: Expr, op: Option<Binary>) -> Value {
        let origin = chain.origin;
        let written = call.turbofish.as_ref().and_then(|turbofish| turbofish.args.first()).and_then(|argument| match argument {
            GenericArgument::Type(ty) if !matches!(ty, syn::Type::Infer(_)) => Some(ty.clone()),
            _ => None,
        });
        let known = written.as_ref().map_or(Ty::Unknown, classify);
        let name = if op.is_none() { "sum" } else { "product" };
        let total = self.vars.named(name, origin, known.clone(), Role::Temporary, true);
        self.vars.get_mut(total).ascription = written;
        let run = |lowering: &mut Self| {
            let mut found = known.clone();
            lowering.drive(chain, Manner::default(), &mut |lowering, item, _| {
                let item = lowering.operand(item, origin);
                if matches!(found, Ty::Unknown | Ty::Float(None)) {
                    found = lowering.operand_type(&item);
                    lowering.vars.get_mut(total).ty = found.clone();
                }
                match op {
                    None => lowering.push(Stmt::Update { place: Place::whole(total), sign: Sign::Plus, value: item }),
                    Some(op) => {
                        let so_far = lowering.read(Place::whole(total), origin);
                        let token = syn::BinOp::Mul(syn::token::Star::default());
                        let value = lowering.arithmetic(op, &token, so_far, item, origin);
                        lowering.push(Stmt::Store { place: Place::whole(total), value });
                    }
                }
                lowering.wrote(total);
            });
            found
        };
        self.prefaced(run, |lowering, found| {
            let (ty, zero) = match found {
                Ty::Int => (Ty::Int, if op.is_none() { parse_quote!(0) } else { parse_quote!(1) }),
                Ty::Float(_) => (found.clone(), zero),
                // rustc objects where it is not a float.
                Ty::Unknown => (Ty::Float(None), zero),
                _ => {
                    lowering.diagnostics.refuse(origin, Refusal::IteratorMethod { name: name.to_owned() });
                    (Ty::Float(None), zero)
                }
            };
            lowering.vars.get_mut(total).ty = ty;
            lowering.push(Stmt::Declare { var: total, init: Some(constant(zero)) });
        });
        Value::Operand(self.read(Place::whole(total), origin))
    }

    fn count(&mut self, chain: &Chain) -> Value {
        let counter = self.counter(chain.origin);
        self.drive(chain, Manner::default(), &mut |lowering, _, _| lowering.count_on(counter));
        Value::Operand(self.read(Place::whole(counter), chain.origin))
    }

    fn fold(&mut self, chain: &Chain, init: Value, function: &Function) -> Value {
        let slot = self.slot(init, chain.origin);
        self.drive(chain, Manner::default(), &mut |lowering, item, _| {
            let so_far = lowering.slot_value(&slot, chain.origin);
            let next = lowering.apply(function, vec![so_far, item], chain.origin);
            lowering.fill(&slot, next, chain.origin);
        });
        self.slot_value(&slot, chain.origin)
    }

    /// Declares variables that begin with `init`.
    fn slot(&mut self, init: Value, origin: Origin) -> Slot {
        let init = match init {
            Value::Tuple(elements) if !elements.is_empty() => {
                return Slot::Tuple(elements.into_iter().map(|element| self.slot(element, origin)).collect());
            }
            other => self.operand(other, origin),
        };
        let ty = self.operand_type(&init);
        let var = self.vars.named("folded", origin, ty, Role::Temporary, true);
        self.push(Stmt::Declare { var, init: Some(init) });
        Slot::Cell(var)
    }

    fn slot_value(&mut self, slot: &Slot, origin: Origin) -> Value {
        match slot {
            Slot::Cell(var) => Value::Operand(self.read(Place::whole(*var), origin)),
            Slot::Tuple(slots) => Value::Tuple(slots.iter().map(|slot| self.slot_value(slot, origin)).collect()),
        }
    }

    /// Stores the parts of `value`, all of which are taken before.
    fn fill(&mut self, slot: &Slot, value: Value, origin: Origin) {
        if matches!(value, Value::Never) {
            return;
        }
        let value = self.settle(value, origin);
        match (slot, value) {
            (Slot::Tuple(slots), Value::Tuple(elements)) if slots.len() == elements.len() => {
                for (slot, element) in slots.iter().zip(elements) {
                    self.fill(slot, element, origin);
                }
            }
            (Slot::Tuple(slots), whole) => {
                let Operand::Var(root) = self.operand(whole, origin) else { return };
                let parts: Vec<Value> = (0..slots.len()).map(|index| self.element_of(root, index, origin)).collect();
                for (slot, part) in slots.iter().zip(parts) {
                    self.fill(slot, part, origin);
                }
            }
            (Slot::Cell(var), value) => {
                let value = self.operand(value, origin);
                let ty = self.operand_type(&value);
                self.refine(&Operand::Var(*var), &ty);
                self.store(Place::whole(*var), value);
            }
        }
    }

    fn element_of(&mut self, root: VarId, index: usize, origin: Origin) -> Value {
        let member = crate::ir::Projection::Field(syn::Member::Unnamed(index.into()));
        Value::Operand(self.read(Place::whole(root).project(member), origin))
    }

    /// `any` and `all`, which end with the first item that decides.
    fn any_or_all(&mut self, chain: &Chain, function: &Function, any: bool) -> Value {
        let origin = chain.origin;
        let literal = |value: bool| constant(if value { parse_quote!(true) } else { parse_quote!(false) });
        let answer = self.vars.named("answer", origin, Ty::Bool, Role::Temporary, true);
        self.push(Stmt::Declare { var: answer, init: Some(literal(!any)) });
        let manner = Manner { ends: true, ..Manner::default() };
        self.drive(chain, manner, &mut |lowering, item, exit| {
            let holds = lowering.apply(function, vec![item], origin);
            let holds = lowering.operand(holds, origin);
            let decides = if any { holds } else { lowering.negated(&holds, origin) };
            lowering.when(decides, |lowering| {
                lowering.store(Place::whole(answer), literal(any));
                lowering.leave(exit);
            });
        });
        Value::Operand(self.read(Place::whole(answer), origin))
    }
}
