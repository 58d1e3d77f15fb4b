//! `collect` and `extend`: the items of a chain, pushed.

use syn::{Expr, GenericArgument, Type};

use super::super::{Lowering, Value};
use super::Chain;
use super::drive::Manner;
use crate::diag::{Origin, Refusal};
use crate::ir::{Argument, Place, Ty};

impl Lowering<'_> {
    /// `chain.collect()`, into a `Vec`: rustc objects where another type is wanted.
    pub(super) fn collect(&mut self, chain: &Chain, call: &syn::ExprMethodCall) -> Value {
        if let Some(turbofish) = &call.turbofish
            && !turbofish.args.first().is_some_and(is_vector)
        {
            return self.refuse(turbofish, Refusal::IteratorMethod { name: "collect".to_owned() });
        }
        let origin = chain.origin;
        let vector = self.empty_vector(Ty::Slice(Box::new(Ty::Unknown)), origin);
        self.push_items(chain, &Place::whole(vector), origin);
        Value::Place(Place::whole(vector))
    }

    /// `vector.extend(items)`
    pub(in super::super) fn extend(&mut self, vector: Place, items: &Expr, origin: Origin) {
        if !self.is_iterable(items) {
            self.refuse(items, Refusal::UnknownIterator);
            return;
        }
        if let Some(chain) = self.iterable(items) {
            self.push_items(&chain, &vector, origin);
        }
    }

    fn push_items(&mut self, chain: &Chain, vector: &Place, origin: Origin) {
        self.drive(chain, Manner::default(), &mut |lowering, item, _| {
            let item = lowering.operand(item, origin);
            lowering.learn(vector, &lowering.operand_type(&item));
            lowering.operate_on(vector.clone(), "push", vec![Argument::Value(item)], Ty::Tuple(Vec::new()), origin);
        });
    }
}

fn is_vector(argument: &GenericArgument) -> bool {
    let GenericArgument::Type(Type::Path(path)) = argument else { return matches!(argument, GenericArgument::Type(Type::Infer(_))) };
    path.path.segments.last().is_some_and(|last| last.ident == "Vec")
}
