//! Consumers that find one item: `min_by`, `max_by`, `reduce`, `last`, `nth`, `next`, `find`. They return an
//! `Option`, which is taken apart right after them: it is a flag and the item.

use syn::{Expr, parse_quote};

use super::super::{Lowering, Value};
use super::drive::Manner;
use super::keep::{Keeper, Kept};
use super::stage::constant;
use super::{Chain, Feed, Function};
use crate::diag::{Origin, Refusal};
use crate::ir::{Operand, Place, Role, Stmt, Ty, VarId};

const SEARCHES: &[&str] = &["min_by", "max_by", "reduce", "last", "nth", "next", "find"];

/// An `Option` that has been found.
pub struct Found {
    pub(in super::super) flag: VarId,
    kept: Option<Kept>,
    keeper: Keeper,
    /// What `copied` and `map` do with the item.
    then: Vec<Option<Function>>,
    pub(in super::super) origin: Origin,
}

/// Whether an item is kept, given the flag that says whether one was and what it held before; `None` keeps each.
type Wanted<'w, 'a> = dyn FnMut(&mut Lowering<'a>, &Value, (VarId, Value)) -> Option<Operand> + 'w;

impl<'a> Lowering<'a> {
    /// Whether `expr` finds an item of an iterator.
    pub(in super::super) fn is_search(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(inner) => self.is_search(&inner.expr),
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                let finds = SEARCHES.contains(&name.as_str()) && self.is_chain(&call.receiver);
                finds || (matches!(name.as_str(), "copied" | "cloned" | "map") && self.is_search(&call.receiver))
            }
            _ => false,
        }
    }

    /// The item.
    pub(in super::super) fn item_of(&mut self, found: &Found) -> Value {
        let Some(kept) = &found.kept else { return Value::Never };
        let mut item = self.kept(kept, &found.keeper, found.origin);
        for function in &found.then {
            item = match function {
                None => self.copied(item, found.origin),
                Some(function) => self.apply(function, vec![item], found.origin),
            };
        }
        self.settle(item, found.origin)
    }

    /// Finds an item.
    pub(in super::super) fn search(&mut self, expr: &Expr) -> Option<Found> {
        let call = match expr {
            Expr::Paren(inner) => return self.search(&inner.expr),
            Expr::MethodCall(call) => call,
            _ => return None,
        };
        let name = call.method.to_string();
        if !SEARCHES.contains(&name.as_str()) || !self.is_chain(&call.receiver) {
            let mut found = self.search(&call.receiver)?;
            let function = if name == "map" { Some(self.callee(call.args.first()?)?) } else { None };
            found.then.push(function);
            return Some(found);
        }
        let chain = Chain { origin: Origin::of(&call.method), ..self.chain(&call.receiver)? };
        let arity = usize::from(!matches!(name.as_str(), "last" | "next"));
        if call.args.len() != arity {
            self.refuse(&call.method, Refusal::IteratorMethod { name });
            return None;
        }
        Some(match (name.as_str(), call.args.first()) {
            ("min_by" | "max_by", Some(compare)) => {
                let compare = self.callee(compare)?;
                self.best(&chain, &compare, name == "min_by")
            }
            ("reduce", Some(function)) => {
                let function = self.callee(function)?;
                self.reduce(&chain, &function)
            }
            ("find", Some(predicate)) => {
                let predicate = self.callee(predicate)?;
                self.first(&chain, &mut |lowering, item| Some(lowering.ask(&predicate, item, chain.origin)))
            }
            ("nth", Some(number)) => {
                let number = self.steering(number);
                let counter = self.counter(chain.origin);
                self.first(&chain, &mut |lowering, _| {
                    let at = lowering.read(Place::whole(counter), chain.origin);
                    lowering.count_on(counter);
                    Some(lowering.steered_operand(chain.origin, Ty::Bool, &[at, number.clone()], |parts| {
                        let (at, number) = (&parts[0], &parts[1]);
                        parse_quote!(#at == #number)
                    }))
                })
            }
            ("next", _) => self.first(&chain, &mut |_, _| None),
            _ => self.choosing(&chain, false, &mut |_, _, _| None),
        })
    }

    /// The first item that `wanted` says yes to; `None`: to any.
    fn first(&mut self, chain: &Chain, wanted: &mut dyn FnMut(&mut Self, &Value) -> Option<Operand>) -> Found {
        self.choosing(chain, true, &mut |lowering, item, _| wanted(lowering, item))
    }

    /// std compares the best so far with the next: of equals `min_by` keeps the first, `max_by` takes the last.
    fn best(&mut self, chain: &Chain, compare: &Function, least: bool) -> Found {
        let origin = chain.origin;
        self.choosing(chain, false, &mut |lowering, item, (flag, best)| {
            let some = lowering.read(Place::whole(flag), origin);
            let better = lowering.choose(
                some,
                &origin,
                |lowering| {
                    let (best, item) = (lowering.borrow(best, origin), lowering.borrow(item.clone(), origin));
                    let ordering = lowering.apply(compare, vec![best, item], origin);
                    let ordering = lowering.operand(ordering, origin);
                    Value::Operand(lowering.steered_operand(origin, Ty::Bool, &[ordering], |parts| {
                        let ordering = &parts[0];
                        if least {
                            parse_quote!(#ordering == ::core::cmp::Ordering::Greater)
                        } else {
                            parse_quote!(#ordering != ::core::cmp::Ordering::Greater)
                        }
                    }))
                },
                |_| Value::Operand(constant(parse_quote!(true))),
            );
            Some(lowering.operand(better, origin))
        })
    }

    /// Keeps the items for which `wanted` holds, the last of them in the end; or, with `ends`, the first.
    fn choosing(&mut self, chain: &Chain, ends: bool, wanted: &mut Wanted<'_, 'a>) -> Found {
        let origin = chain.origin;
        let flag = self.flag(origin);
        let mut keeper = Keeper::new(self, !matches!(chain.feed, Feed::Numbered(_)));
        let mut kept: Option<Kept> = None;
        self.prefaced(
            |lowering| {
                let manner = Manner { ends, ..Manner::default() };
                lowering.drive(chain, manner, &mut |lowering, item, exit| {
                    let item = lowering.named_item(item, origin);
                    let kept = kept.get_or_insert_with(|| lowering.keep_like(&item, &mut keeper, origin)).clone();
                    let before = lowering.kept(&kept, &keeper, origin);
                    let take = |lowering: &mut Self| {
                        lowering.keep(&kept, item.clone(), &keeper, origin);
                        lowering.store(Place::whole(flag), constant(parse_quote!(true)));
                        if ends {
                            lowering.leave(exit);
                        }
                    };
                    match wanted(lowering, &item, (flag, before)) {
                        Some(wanted) => lowering.when(wanted, take),
                        None => take(lowering),
                    }
                });
                std::mem::take(&mut keeper.declared)
            },
            |lowering, declared| declared.iter().for_each(|stmt| lowering.push(stmt.clone())),
        );
        Found { flag, kept, keeper, then: Vec::new(), origin }
    }

    fn flag(&mut self, origin: Origin) -> VarId {
        let flag = self.vars.named("found", origin, Ty::Bool, Role::Temporary, true);
        self.push(Stmt::Declare { var: flag, init: Some(constant(parse_quote!(false))) });
        flag
    }

    fn reduce(&mut self, chain: &Chain, function: &Function) -> Found {
        let origin = chain.origin;
        let flag = self.flag(origin);
        // What the function returns need not be an item: values are kept.
        let mut keeper = Keeper::new(self, true);
        let mut kept: Option<Kept> = None;
        self.prefaced(
            |lowering| {
                lowering.drive(chain, Manner::default(), &mut |lowering, item, _| {
                    let item = lowering.named_item(item, origin);
                    let kept = kept.get_or_insert_with(|| lowering.keep_like(&item, &mut keeper, origin)).clone();
                    let some = lowering.read(Place::whole(flag), origin);
                    let (then, els) = (item.clone(), item);
                    let next = lowering.choose(
                        some,
                        &origin,
                        |lowering| {
                            let so_far = lowering.kept(&kept, &keeper, origin);
                            lowering.apply(function, vec![so_far, then], origin)
                        },
                        |_| els,
                    );
                    let next = match (&kept, next) {
                        (Kept::Tuple(_), Value::Operand(Operand::Var(_))) => {
                            lowering.diagnostics.refuse(origin, Refusal::KeptItem);
                            return;
                        }
                        (_, next) => next,
                    };
                    lowering.keep(&kept, next, &keeper, origin);
                    lowering.store(Place::whole(flag), constant(parse_quote!(true)));
                });
                std::mem::take(&mut keeper.declared)
            },
            |lowering, declared| declared.iter().for_each(|stmt| lowering.push(stmt.clone())),
        );
        Found { flag, kept, keeper, then: Vec::new(), origin }
    }
}
