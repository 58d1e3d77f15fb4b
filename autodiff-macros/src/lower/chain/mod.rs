//! Iterator chains: lowered to loops where they are consumed.
//!
//! A chain is a *feed* of items and the *stages* that each item goes through. As long as it can be, an adaptor
//! becomes a part of the feed: a [`Source`] finds the item of a number, so that a loop over numbers runs it
//! and nothing has to be remembered for the way back. What decides item by item (`filter`, `take_while`, ..)
//! is a stage: code in the loop's body. A consumer gives [`Lowering::drive`] what is to be done with each item.
//!
//! Items come in the order of std and every closure is called as often as std calls it, so that what closures
//! change, and the rounding of sums, is the same.

mod build;
mod collect;
mod consume;
mod drive;
mod effects;
mod keep;
mod optional;
mod range;
mod select;
mod source;
mod stage;

use std::rc::Rc;

use syn::ExprPath;

use super::closure::Closure;
use super::{Lowering, Value};
use crate::diag::Origin;
use crate::ir::Operand;
pub(super) use select::Found;
use source::Source;

/// An iterator that has not been run.
#[derive(Clone, Debug)]
pub struct Chain {
    feed: Feed,
    stages: Vec<Stage>,
    origin: Origin,
}

/// Where items come from.
#[derive(Clone, Debug)]
enum Feed {
    /// Found by their number.
    Numbered(Source),
    /// One value.
    Once(Value),
    /// None at all.
    Empty,
    /// Those of one, then those of the other.
    Concat(Box<Chain>, Box<Chain>),
}

/// What an item goes through.
#[derive(Clone, Debug)]
enum Stage {
    Map(Function),
    /// `copied`, `cloned`.
    Deref,
    Filter(Function),
    FilterMap(Function),
    Inspect(Function),
    TakeWhile(Function),
    MapWhile(Function),
    SkipWhile(Function),
    /// The state begins with this value.
    Scan(Value, Function),
    FlatMap(Function),
    Flatten,
    Enumerate,
    Skip(Operand),
    Take(Operand),
    StepBy(Operand),
    Zip(Source),
}

/// What an adaptor calls.
#[derive(Clone, Debug)]
pub(super) enum Function {
    Closure(Rc<Closure>),
    Path(ExprPath),
}

/// What is done with an item; the number is that of the frame that ends the iteration.
type Each<'e, 'a> = dyn FnMut(&mut Lowering<'a>, Value, usize) + 'e;

impl Stage {
    /// Whether it can end the iteration.
    fn ends(&self) -> bool {
        match self {
            Stage::TakeWhile(_) | Stage::MapWhile(_) | Stage::Scan(..) | Stage::Take(_) | Stage::Zip(_) => true,
            Stage::Map(_)
            | Stage::Deref
            | Stage::Filter(_)
            | Stage::FilterMap(_)
            | Stage::Inspect(_)
            | Stage::SkipWhile(_)
            | Stage::FlatMap(_)
            | Stage::Flatten
            | Stage::Enumerate
            | Stage::Skip(_)
            | Stage::StepBy(_) => false,
        }
    }

    /// Whether more of the body follows what is done with an item.
    fn encloses(&self) -> bool {
        matches!(self, Stage::Take(_) | Stage::FlatMap(_) | Stage::Flatten)
    }

    /// Whether it treats an item alike from both ends.
    fn reversible(&self) -> bool {
        matches!(self, Stage::Map(_) | Stage::Deref | Stage::Filter(_) | Stage::FilterMap(_) | Stage::Inspect(_))
    }
}
