//! Running a chain: the one way from an iterator to a loop.

use std::rc::Rc;

use syn::{Ident, Pat, Type};

use super::super::{Lowering, Value};
use super::stage::Prepared;
use super::{Chain, Each, Feed, Function, Stage};
use crate::diag::{Origin, Refusal};
use crate::ir::{Block, LoopKind, Operand};

/// How a chain is run.
#[derive(Clone, Copy, Default)]
pub struct Manner<'m> {
    /// The label of a `for`.
    pub label: Option<&'m syn::Label>,
    /// It is a `for`, which `break` and `continue` mean.
    pub visible: bool,
    /// What is done with the items may end the iteration.
    pub ends: bool,
    /// The user's name for the numbers of a range.
    pub hint: Option<&'m Ident>,
}

impl<'a> Lowering<'a> {
    /// Runs `chain`: `each` lowers what is done with an item. A chain of two is lowered one after the other, so
    /// `each` is called for both.
    pub(super) fn drive(&mut self, chain: &Chain, manner: Manner<'_>, each: &mut Each<'_, 'a>) {
        let prepared: Vec<Prepared> = chain.stages.iter().map(|stage| self.prepare(stage, chain.origin)).collect();
        let counts: Vec<Operand> = chain.stages.iter().filter_map(Stage::count).collect();
        self.unless_none(&counts, chain.origin, &mut |lowering| lowering.feed(chain, manner, &prepared, each));
    }

    /// `take(0)` does not ask for an item.
    fn unless_none(&mut self, counts: &[Operand], origin: Origin, body: &mut dyn FnMut(&mut Self)) {
        let Some((count, rest)) = counts.split_first() else { return body(self) };
        let some = self.steered_operand(origin, crate::ir::Ty::Bool, std::slice::from_ref(count), |parts| {
            let count = &parts[0];
            syn::parse_quote!(#count > 0)
        });
        self.when(some, |lowering| lowering.unless_none(rest, origin, body));
    }

    fn feed(&mut self, chain: &Chain, manner: Manner<'_>, prepared: &[Prepared], each: &mut Each<'_, 'a>) {
        let origin = chain.origin;
        let hint = manner.hint.or_else(|| chain.stages.first().and_then(Stage::parameter));
        if let Feed::Numbered(source) = &chain.feed {
            self.labelled_block = !manner.visible;
            self.looping(manner.label, origin, |lowering| {
                let exit = lowering.frames.len() - 1;
                lowering.run(source, origin, hint, |lowering, item| lowering.through(prepared, item, exit, origin, each))
            });
            return;
        }
        if !manner.visible && !manner.ends && !chain.stages.iter().any(Stage::ends) {
            return self.parts_of(chain, prepared, usize::MAX, each);
        }
        self.labelled_block = !manner.visible;
        self.looping(manner.label, origin, |lowering| {
            let exit = lowering.frames.len() - 1;
            let (body, ()) = lowering.nested(|lowering| lowering.parts_of(chain, prepared, exit, each));
            (LoopKind::Once, body)
        });
    }

    fn parts_of(&mut self, chain: &Chain, prepared: &[Prepared], exit: usize, each: &mut Each<'_, 'a>) {
        let origin = chain.origin;
        match &chain.feed {
            Feed::Numbered(_) | Feed::Empty => {}
            Feed::Once(value) => self.through(prepared, value.clone(), exit, origin, each),
            Feed::Concat(left, right) => {
                for part in [left, right] {
                    let mut each = |lowering: &mut Self, item: Value, _: usize| lowering.through(prepared, item, exit, origin, each);
                    self.drive(part, Manner::default(), &mut each);
                }
            }
        }
    }

    /// Calls `function`.
    pub(in super::super) fn apply(&mut self, function: &Function, args: Vec<Value>, origin: Origin) -> Value {
        match function {
            Function::Closure(closure) => {
                let closure = Rc::clone(closure);
                self.inline(&closure, args, origin)
            }
            Function::Path(path) => {
                let names: Vec<Ident> = args.iter().map(|_| self.vars.own("argument")).collect();
                self.scopes.push(std::collections::BTreeMap::new());
                for (name, arg) in names.iter().zip(args) {
                    let arg = self.settle(arg, origin);
                    self.define(name, super::super::Binding::Value(arg));
                }
                let value = self.expr(&syn::parse_quote!(#path(#(#names),*)));
                self.scopes.pop();
                value
            }
        }
    }

    /// `for pattern in chain { body }`.
    pub(in super::super) fn run_for(&mut self, chain: &Chain, iteration: &syn::ExprForLoop) {
        let encloses = !matches!(chain.feed, Feed::Numbered(_)) || chain.stages.iter().any(Stage::encloses);
        let wrapped = encloses && continues(&iteration.body);
        let hint = match &*iteration.pat {
            Pat::Ident(ident) if ident.mutability.is_none() => Some(&ident.ident),
            _ => None,
        };
        let manner = Manner { label: iteration.label.as_ref(), visible: true, ends: true, hint };
        let origin = Origin::of(&iteration.for_token);
        self.drive(chain, manner, &mut |lowering, item, exit| {
            if !wrapped {
                return lowering.for_body(iteration, item);
            }
            lowering.labelled_block = true;
            lowering.looping(None, origin, |lowering| {
                let body = lowering.frames.len() - 1;
                let outer = lowering.frames[exit].body.replace(body);
                let (block, ()) = lowering.nested(|lowering| lowering.for_body(iteration, item));
                lowering.frames[exit].body = outer;
                (LoopKind::Once, block)
            });
        });
    }

    fn for_body(&mut self, iteration: &syn::ExprForLoop, item: Value) {
        self.scopes.push(std::collections::BTreeMap::new());
        self.bind(&iteration.pat, item);
        self.scopes.push(std::collections::BTreeMap::new());
        self.block_statements(&iteration.body);
        self.scopes.pop();
        self.scopes.pop();
    }

    /// Runs the chain that an item is, or refuses.
    pub(super) fn drive_item(&mut self, item: &Value, origin: Origin, each: &mut Each<'_, 'a>) {
        match self.elements_of_item(item) {
            Some(chain) => self.drive(&Chain { origin, ..chain }, Manner::default(), each),
            None => self.diagnostics.refuse(origin, Refusal::UnknownIterator),
        }
    }

    /// Lowers `body` in a block that comes after what `before` then puts first: what a loop needs is known once its
    /// body has been lowered.
    pub(super) fn prefaced<R>(&mut self, body: impl FnOnce(&mut Self) -> R, before: impl FnOnce(&mut Self, &R)) -> R {
        let (Block(stmts), result) = self.nested(body);
        before(self, &result);
        stmts.into_iter().for_each(|stmt| self.push(stmt));
        result
    }
}

impl Stage {
    fn count(&self) -> Option<Operand> {
        match self {
            Stage::Take(count) => Some(count.clone()),
            _ => None,
        }
    }

    /// The name that the stage's closure gives its item.
    fn parameter(&self) -> Option<&Ident> {
        let (Stage::Map(Function::Closure(closure)) | Stage::FlatMap(Function::Closure(closure))) = self else { return None };
        match closure.syntax.inputs.first()? {
            Pat::Ident(ident) if ident.mutability.is_none() => Some(&ident.ident),
            Pat::Type(typed) => match (&*typed.pat, &*typed.ty) {
                (Pat::Ident(ident), Type::Path(path)) if path.path.is_ident("usize") => Some(&ident.ident),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Whether the body of a `for` may go on with the next item before its end.
fn continues(body: &syn::Block) -> bool {
    struct Search(bool);
    impl<'ast> syn::visit::Visit<'ast> for Search {
        fn visit_expr_continue(&mut self, _: &'ast syn::ExprContinue) {
            self.0 = true;
        }
    }
    let mut search = Search(false);
    syn::visit::Visit::visit_block(&mut search, body);
    search.0
}
