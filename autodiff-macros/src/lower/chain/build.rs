//! Which expressions are iterators, and what they are made of.

use syn::{Expr, ExprCall, ExprMethodCall};

use super::super::{Binding, Lowering, Value};
use super::source::Source;
use super::{Chain, Feed, Function, Stage};
use crate::diag::{Origin, Refusal};
use crate::ir::{Operand, Place, Ty};

const ELEMENTS: &[&str] = &["iter", "iter_mut", "into_iter"];
const LINES: &[&str] = &["column_iter", "column_iter_mut", "row_iter", "row_iter_mut"];
const PARTS: &[&str] = &["windows", "chunks", "chunks_exact", "chunks_mut", "chunks_exact_mut"];
const ADAPTORS: &[&str] = &[
    "into_iter",
    "copied",
    "cloned",
    "enumerate",
    "zip",
    "rev",
    "skip",
    "take",
    "step_by",
    "map",
    "filter",
    "filter_map",
    "inspect",
    "take_while",
    "map_while",
    "skip_while",
    "chain",
    "scan",
    "flat_map",
    "flatten",
    "cycle",
    "fuse",
];
/// Methods of inactive values that begin an iterator.
const INACTIVE: &[&str] = &[
    "iter",
    "iter_mut",
    "into_iter",
    "chars",
    "char_indices",
    "bytes",
    "lines",
    "split",
    "split_whitespace",
    "windows",
    "chunks",
    "chunks_exact",
    "keys",
    "values",
];

impl<'a> Lowering<'a> {
    /// Whether `expr` is an iterator that is understood.
    pub(in super::super) fn is_chain(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(inner) => self.is_chain(&inner.expr),
            Expr::Group(inner) => self.is_chain(&inner.expr),
            Expr::Path(path) => {
                let binding = path.path.get_ident().and_then(|ident| self.lookup(ident));
                matches!(binding, Some(Binding::Value(Value::Chain(_))))
            }
            Expr::Range(range) => {
                let inactive =
                    |end: &Option<Box<Expr>>| end.as_ref().is_none_or(|end| !self.reads_active(end) || self.guess(end) == Ty::Int);
                range.start.is_some() && inactive(&range.start) && inactive(&range.end)
            }
            Expr::Call(call) => std_function(call).is_some(),
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                let begins = ELEMENTS.contains(&name.as_str()) || PARTS.contains(&name.as_str());
                (begins && self.has_elements(&call.receiver))
                    || (LINES.contains(&name.as_str()) && matches!(self.guess(&call.receiver), Ty::Matrix | Ty::Unknown))
                    || (matches!(name.as_str(), "iter" | "iter_mut") && self.may_have_elements(&call.receiver))
                    || (ADAPTORS.contains(&name.as_str()) && self.is_chain(&call.receiver))
                    || (INACTIVE.contains(&name.as_str()) && self.is_inactive(expr))
            }
            _ => false,
        }
    }

    /// The same for what `for`, `zip`, `chain` and `flat_map` take: also what can become an iterator.
    pub(in super::super) fn is_iterable(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(inner) => self.is_iterable(&inner.expr),
            Expr::Group(inner) => self.is_iterable(&inner.expr),
            Expr::Reference(reference) => self.may_have_elements(&reference.expr),
            other => self.is_chain(other) || self.has_elements(other),
        }
    }

    /// A place, or an array in place, that is known to be an array, a slice or a vector.
    fn has_elements(&self, expr: &Expr) -> bool {
        matches!(self.guess(expr), Ty::Array(..) | Ty::Slice(_)) && is_place_or_array(expr)
    }

    /// The same where `iter` or `&` says it: a place that may be active, of which nothing is known. Its elements are those at
    /// `0..len()`; rustc objects where it has none.
    fn may_have_elements(&self, expr: &Expr) -> bool {
        self.has_elements(expr) || (matches!(self.guess(expr), Ty::Unknown | Ty::Matrix) && is_place(expr) && self.reads_active(expr))
    }

    fn is_inactive(&self, expr: &Expr) -> bool {
        !self.reads_active(expr) && !self.steers(expr)
    }

    /// The iterator that `expr` is; what it is made of is evaluated here. `None`: refused.
    pub(in super::super) fn chain(&mut self, expr: &Expr) -> Option<Chain> {
        match expr {
            Expr::Paren(inner) => self.chain(&inner.expr),
            Expr::Group(inner) => self.chain(&inner.expr),
            Expr::Path(path) => match path.path.get_ident().and_then(|ident| self.lookup(ident)) {
                Some(Binding::Value(Value::Chain(chain))) => Some((**chain).clone()),
                _ => None,
            },
            Expr::Range(range) => {
                let low = self.steering(range.start.as_ref()?);
                let high = range.end.as_ref().map(|high| self.steering(high));
                let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
                Some(Chain::numbered(Source::Range { low, high, inclusive }, Origin::of(range)))
            }
            Expr::Call(call) => self.std_chain(call),
            Expr::MethodCall(call) => self.method_chain(call),
            _ => None,
        }
    }

    /// What `expr` becomes in `for` or as an argument.
    pub(in super::super) fn iterable(&mut self, expr: &Expr) -> Option<Chain> {
        match expr {
            Expr::Paren(inner) => self.iterable(&inner.expr),
            Expr::Group(inner) => self.iterable(&inner.expr),
            Expr::Reference(reference) => self.elements(&reference.expr, Some(reference.mutability.is_some()), Origin::of(expr)),
            other if self.is_chain(other) => self.chain(other),
            other if self.has_elements(other) => self.elements(other, None, Origin::of(other)),
            _ => None,
        }
    }

    /// The elements of a place; by reference, mutable or not, or as the place itself has it.
    fn elements(&mut self, expr: &Expr, reference: Option<bool>, origin: Origin) -> Option<Chain> {
        let value = self.expr_as_place(expr)?;
        let source = elements_of(value, reference)?;
        Some(Chain::numbered(source, origin))
    }

    fn expr_as_place(&mut self, expr: &Expr) -> Option<Value> {
        if let Expr::Path(path) = expr
            && let Some(Binding::Value(value @ Value::Ref { .. })) = path.path.get_ident().and_then(|ident| self.lookup(ident))
        {
            return Some(value.clone());
        }
        if let Some(place) = self.place(expr) {
            return Some(Value::Place(place));
        }
        let value = self.expr(expr);
        match self.operand(value, Origin::of(expr)) {
            Operand::Var(root) => Some(Value::Place(Place::whole(root))),
            Operand::Const(_) => None,
        }
    }

    /// The elements of an item that is an array or a slice.
    pub(super) fn elements_of_item(&mut self, item: &Value) -> Option<Chain> {
        match item {
            Value::Chain(chain) => Some((**chain).clone()),
            Value::Ref { place, .. } | Value::Place(place) => {
                let known = matches!(self.place_type(place).peeled(), Ty::Array(..) | Ty::Slice(_));
                let chain = elements_of(item.clone(), None).map(|source| Chain::numbered(source, Origin::none()));
                chain.filter(|_| known)
            }
            Value::Operand(Operand::Var(root)) if matches!(self.vars.get(*root).ty, Ty::Array(..)) => {
                let source = Source::Elements { place: Place::whole(*root), by_reference: false, mutable: false };
                Some(Chain::numbered(source, Origin::none()))
            }
            _ => None,
        }
    }

    fn method_chain(&mut self, call: &ExprMethodCall) -> Option<Chain> {
        let name = call.method.to_string();
        let origin = Origin::of(&call.method);
        if self.has_elements(&call.receiver) || (name.starts_with("iter") && self.may_have_elements(&call.receiver)) {
            return match (name.as_str(), call.args.len()) {
                ("iter", 0) => self.elements(&call.receiver, Some(false), origin),
                ("iter_mut", 0) => self.elements(&call.receiver, Some(true), origin),
                ("into_iter", 0) => self.elements(&call.receiver, None, origin),
                (name, 1) if PARTS.contains(&name) => self.parts(call),
                _ => self.unknown(call),
            };
        }
        if LINES.contains(&name.as_str()) && self.reads_active(&call.receiver) {
            let (Value::Ref { place, .. } | Value::Place(place)) = self.expr_as_place(&call.receiver)? else { return None };
            let source = Source::Lines { place, rows: name.starts_with("row"), mutable: name.ends_with("_mut") };
            return Some(Chain::numbered(source, origin));
        }
        if !self.is_chain(&call.receiver) {
            let (iterator, reads) = self.substitute(&Expr::MethodCall(call.clone()));
            return Some(Chain::numbered(Source::Opaque { iterator: Box::new(iterator), reads }, origin));
        }
        let mut chain = self.chain(&call.receiver)?;
        chain.origin = origin;
        self.adapted_chain(chain, call)
    }

    fn parts(&mut self, call: &ExprMethodCall) -> Option<Chain> {
        let (Value::Ref { place, .. } | Value::Place(place)) = self.expr_as_place(&call.receiver)? else { return None };
        let size = self.steering(&call.args[0]);
        let origin = Origin::of(&call.method);
        let name = call.method.to_string();
        let source = match name.as_str() {
            "windows" => Source::Windows { place, size },
            name => {
                let mutable = name.ends_with("_mut");
                let length = (!name.starts_with("chunks_exact")).then(|| {
                    let whole = Source::Elements { place: place.clone(), by_reference: true, mutable };
                    self.extent(&whole).map(|text| self.steering_text(text, origin))
                });
                Source::Chunks { place, size, length: length.flatten(), mutable }
            }
        };
        Some(Chain::numbered(source, origin))
    }

    fn std_chain(&mut self, call: &ExprCall) -> Option<Chain> {
        let origin = Origin::of(&call.func);
        let mut args = call.args.iter();
        match std_function(call)? {
            "empty" => Some(Chain { feed: Feed::Empty, stages: Vec::new(), origin }),
            "once" => {
                let value = self.expr(args.next()?);
                Some(Chain { feed: Feed::Once(self.settle(value, origin)), stages: Vec::new(), origin })
            }
            "zip" => {
                let left = self.argument_chain(args.next()?)?;
                let right = args.next()?;
                self.zip(left, right)
            }
            repeat => {
                let value = self.expr(args.next()?);
                let source = Source::Repeat(self.settle(value, origin));
                let source = match args.next() {
                    Some(count) if repeat == "repeat_n" => Source::Taken(Box::new(source), self.steering(count)),
                    _ => source,
                };
                Some(Chain::numbered(source, origin))
            }
        }
    }

    fn adapted_chain(&mut self, chain: Chain, call: &ExprMethodCall) -> Option<Chain> {
        let name = call.method.to_string();
        let arity = if name == "scan" { 2 } else { usize::from(!WITHOUT_ARGUMENT.contains(&name.as_str())) };
        if call.args.len() != arity {
            return self.unknown(call);
        }
        let argument = call.args.first();
        match (name.as_str(), argument) {
            ("into_iter" | "fuse", _) => Some(chain),
            ("copied" | "cloned", _) => Some(chain.dereferenced()),
            ("enumerate", _) => Some(self.folded(chain, |source| Source::Enumerated(Box::new(source)), || Stage::Enumerate)),
            ("rev", _) => self.reversed(chain),
            ("cycle", _) => match self.source_of(chain) {
                Ok(source) => Some(Chain::numbered(Source::Cycled(Box::new(source), None), Origin::of(&call.method))),
                Err(_) => self.unknown(call),
            },
            ("flatten", _) => Some(chain.then(Stage::Flatten)),
            ("zip", Some(other)) => self.zip(chain, other),
            ("chain", Some(other)) => {
                let other = self.argument_chain(other)?;
                let origin = chain.origin;
                Some(Chain { feed: Feed::Concat(Box::new(chain), Box::new(other)), stages: Vec::new(), origin })
            }
            ("skip", Some(count)) => {
                let count = self.steering(count);
                Some(self.folded(chain, |source| Source::Skipped(Box::new(source), count.clone()), || Stage::Skip(count.clone())))
            }
            ("take", Some(count)) => {
                let count = self.steering(count);
                Some(self.folded(chain, |source| Source::Taken(Box::new(source), count.clone()), || Stage::Take(count.clone())))
            }
            ("step_by", Some(step)) => {
                let step = self.steering(step);
                Some(self.folded(chain, |source| Source::Stepped(Box::new(source), step.clone()), || Stage::StepBy(step.clone())))
            }
            ("scan", Some(state)) => {
                let state = self.expr(state);
                let state = self.settle(state, Origin::of(call));
                let function = self.callee(&call.args[1])?;
                Some(chain.then(Stage::Scan(state, function)))
            }
            (_, Some(function)) => {
                let function = self.callee(function)?;
                let stage = match name.as_str() {
                    "map" => Stage::Map(function),
                    "filter" => Stage::Filter(function),
                    "filter_map" => Stage::FilterMap(function),
                    "inspect" => Stage::Inspect(function),
                    "take_while" => Stage::TakeWhile(function),
                    "map_while" => Stage::MapWhile(function),
                    "skip_while" => Stage::SkipWhile(function),
                    "flat_map" => Stage::FlatMap(function),
                    _ => return self.unknown(call),
                };
                Some(chain.then(stage))
            }
            (_, None) => self.unknown(call),
        }
    }

    fn unknown(&mut self, call: &ExprMethodCall) -> Option<Chain> {
        self.refuse(&call.method, Refusal::IteratorMethod { name: call.method.to_string() });
        None
    }

    fn argument_chain(&mut self, expr: &Expr) -> Option<Chain> {
        if !self.is_iterable(expr) {
            self.refuse(expr, Refusal::UnknownIterator);
            return None;
        }
        self.iterable(expr)
    }

    /// What an adaptor calls.
    pub(in super::super) fn callee(&mut self, expr: &Expr) -> Option<Function> {
        let function = match expr {
            Expr::Path(path) if path.path.get_ident().is_none_or(|ident| self.lookup(ident).is_none()) => {
                return Some(Function::Path(path.clone()));
            }
            other => other,
        };
        if let Expr::Closure(_) | Expr::Path(_) | Expr::Reference(_) | Expr::Field(_) | Expr::Paren(_) = function
            && let Value::Closure(closure) = self.expr(function)
        {
            return Some(Function::Closure(closure));
        }
        self.refuse(expr, Refusal::IteratorFunction);
        None
    }

    /// The source whose items are those of the chain, where there is one.
    fn source_of(&self, chain: Chain) -> Result<Source, Box<Chain>> {
        let pure = |stage: &Stage| match stage {
            Stage::Map(function) => !self.has_effects(function),
            Stage::Deref => true,
            _ => false,
        };
        if !chain.stages.iter().all(pure) {
            return Err(Box::new(chain));
        }
        let source = match chain.feed {
            Feed::Numbered(source) => source,
            Feed::Once(value) => Source::Taken(Box::new(Source::Repeat(value)), Operand::Const(Box::new(syn::parse_quote!(1)))),
            feed => return Err(Box::new(Chain { feed, ..chain })),
        };
        Ok(chain.stages.into_iter().fold(source, |source, stage| match stage {
            Stage::Map(function) => Source::Mapped(Box::new(source), function),
            _ => Source::Dereferenced(Box::new(source)),
        }))
    }

    /// An adaptor as a part of the source, or else as a stage.
    fn folded(&self, chain: Chain, fold: impl FnOnce(Source) -> Source, stage: impl FnOnce() -> Stage) -> Chain {
        let origin = chain.origin;
        match self.source_of(chain) {
            Ok(source) => Chain::numbered(fold(source), origin),
            Err(chain) => chain.then(stage()),
        }
    }

    fn zip(&mut self, chain: Chain, other: &Expr) -> Option<Chain> {
        let origin = chain.origin;
        let other = self.argument_chain(other)?;
        let Ok(right) = self.source_of(other) else {
            self.diagnostics.refuse(origin, Refusal::IteratorZip);
            return None;
        };
        match self.source_of(chain) {
            Ok(left) => Some(Chain::numbered(Source::Zipped(Box::new(left), Box::new(right)), origin)),
            Err(chain) if !right.is_run() => Some(chain.then(Stage::Zip(right))),
            Err(_) => {
                self.diagnostics.refuse(origin, Refusal::IteratorZip);
                None
            }
        }
    }

    fn reversed(&mut self, chain: Chain) -> Option<Chain> {
        let reversible = chain.stages.iter().all(Stage::reversible);
        let origin = chain.origin;
        let feed = match chain.feed {
            _ if !reversible => None,
            Feed::Numbered(Source::Reversed(inner, _)) => Some(Feed::Numbered(*inner)),
            Feed::Numbered(source) => Some(Feed::Numbered(Source::Reversed(Box::new(source), None))),
            Feed::Concat(left, right) => {
                let (right, left) = (self.reversed(*right)?, self.reversed(*left)?);
                Some(Feed::Concat(Box::new(right), Box::new(left)))
            }
            feed @ (Feed::Once(_) | Feed::Empty) => Some(feed),
        };
        let Some(feed) = feed else {
            self.diagnostics.refuse(origin, Refusal::IteratorEnd);
            return None;
        };
        Some(Chain { feed, stages: chain.stages, origin })
    }
}

const WITHOUT_ARGUMENT: &[&str] = &["into_iter", "copied", "cloned", "enumerate", "rev", "flatten", "cycle", "fuse"];

impl Chain {
    fn numbered(source: Source, origin: Origin) -> Self {
        Chain { feed: Feed::Numbered(source), stages: Vec::new(), origin }
    }

    fn then(mut self, stage: Stage) -> Self {
        self.stages.push(stage);
        self
    }

    fn dereferenced(mut self) -> Self {
        match &mut self.feed {
            Feed::Numbered(Source::Elements { by_reference, .. }) if self.stages.is_empty() && *by_reference => {
                *by_reference = false;
                self
            }
            _ => self.then(Stage::Deref),
        }
    }
}

fn elements_of(value: Value, reference: Option<bool>) -> Option<Source> {
    match (value, reference) {
        (Value::Ref { place, mutable }, None) => Some(Source::Elements { place, by_reference: true, mutable }),
        (Value::Place(place), None) => Some(Source::Elements { place, by_reference: false, mutable: false }),
        (Value::Ref { place, .. } | Value::Place(place), Some(mutable)) => Some(Source::Elements { place, by_reference: true, mutable }),
        _ => None,
    }
}

fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(path) => path.path.get_ident().is_some(),
        Expr::Field(field) => is_place(&field.base),
        Expr::Index(index) => is_place(&index.expr) && !matches!(*index.index, Expr::Range(_)),
        Expr::Paren(inner) => is_place(&inner.expr),
        _ => false,
    }
}

fn is_place_or_array(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(inner) => is_place_or_array(&inner.expr),
        Expr::Group(inner) => is_place_or_array(&inner.expr),
        Expr::Index(index) => is_place_or_array(&index.expr),
        Expr::Field(field) => is_place_or_array(&field.base),
        Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)) && is_place_or_array(&unary.expr),
        Expr::Path(_) | Expr::Array(_) | Expr::Repeat(_) => true,
        Expr::MethodCall(call) => call.method == "map" && is_place_or_array(&call.receiver),
        _ => false,
    }
}

/// `std::iter::once` and the like.
fn std_function(call: &ExprCall) -> Option<&'static str> {
    let Expr::Path(path) = &*call.func else { return None };
    let mut names = path.path.segments.iter().rev().map(|segment| segment.ident.to_string());
    let (name, module) = (names.next()?, names.next()?);
    let arity = match name.as_str() {
        "empty" => 0,
        "once" | "repeat" => 1,
        _ => 2,
    };
    let known = ["once", "repeat", "repeat_n", "empty", "zip"].into_iter().find(|known| *known == name);
    known.filter(|_| module == "iter" && call.args.len() == arity)
}
