//! What differentiated functions do to vectors and slices: functions with their derivatives, by the convention of what
//! `#[differentiate]` generates.
//!
//! A cotangent is as long as its vector is at that moment: the pullback of `push` takes the last one off, that of `pop`
//! puts it on again. Nothing here looks at an element, so all of it is linear and a tangent goes the way of its value.

// By the macro's convention: a type of each function's name, and closures with everything in them.
#![allow(non_camel_case_types, clippy::type_complexity, clippy::must_use_candidate, clippy::missing_panics_doc, clippy::unused_unit)]

mod slice;
mod spread;
#[allow(unreachable_pub)]
mod steps;

pub use alloc::vec::Vec;

pub use slice::{copy_from_slice, extend_from_slice, order_by, to_vec};
pub use spread::{fill, grow, truncate};

use crate::{Differentiable, InLanes};

/// A type made of the type of an element.
pub trait Kind {
    /// It.
    type Of<E>: ?Sized;
}

macro_rules! kinds {
    ($($name:ident $of:ty;)*) => { $(
        #[doc = concat!("`", stringify!($of), "`")]
        pub enum $name {}

        impl Kind for $name {
            type Of<E> = $of;
        }
    )* };
}
kinds! {
    Nothing ();
    One E;
    Maybe Option<E>;
    Many Vec<E>;
    Fixed [E];
}

/// What generated code asks of every such function: zero tangents of its arguments, whichever they are. The second is perhaps an
/// index, whose tangent is the same in lanes.
macro_rules! scratches {
    ($($plain:ident)?) => {
        scratches!(@single scratch_0 scratch_1 scratch_2 scratch_3 scratch_4 scratch_5);
        scratches!(@lanes scratch_lanes_0 scratch_lanes_2);
        scratches!(@second $($plain)?);
    };
    (@second) => {
        scratches!(@lanes scratch_lanes_1);
    };
    (@second $plain:ident) => {
        scratches!(@single scratch_lanes_1);
    };
    (@single $($scratch:ident)*) => { $(
        #[doc(hidden)]
        #[inline]
        pub fn $scratch<X: Differentiable + ?Sized>(x: &X) -> X::Tangent {
            x.zero_tangent()
        }
    )* };
    (@lanes $($scratch:ident)*) => { $(
        #[doc(hidden)]
        #[inline]
        pub fn $scratch<X: InLanes<L> + ?Sized, const L: usize>(x: &X) -> X::Lanes {
            x.zero_lanes()
        }
    )* };
}
use scratches;

/// The element type of a result or of a vector.
type Of<K, E> = <K as Kind>::Of<E>;

/// An operation on a vector or slice: with an index or the like, and then perhaps a value that goes in.
macro_rules! operations {
    ($( $(#[$doc:meta])* $name:ident(&mut $whole:ident $(, plain $plain:ident: $ty:ty)? $(, value $value:ident)?) -> $result:ident; )*) => { $(
        $(#[$doc])*
        #[inline]
        pub fn $name<T: Clone>(x: &mut Of<$whole, T>, $($plain: $ty,)? $($value: T)?) -> Of<$result, T> {
            steps::$name::forward(x, $($plain,)? $($value)?).0
        }

        /// Its derivatives.
        pub enum $name {}

        #[doc(hidden)]
        impl $name {
            #[inline]
            pub fn pullback<T: Differentiable + Clone>(x: &mut Of<$whole, T>, $($plain: $ty,)? $($value: T)?) -> (
                Of<$result, T>,
                impl Fn(Of<$result, T::Tangent>, &mut Of<$whole, T::Tangent>) -> ($(operations!(@unit $plain),)? $(operations!(@cotangent $value T),)?) + use<T>,
            ) {
                let (result, note) = steps::$name::forward(x, $($plain,)? $($value)?);
                (result, move |seed: Of<$result, T::Tangent>, x: &mut Of<$whole, T::Tangent>| {
                    let bar = steps::$name::back(x, &note, seed);
                    operations!(@cotangents bar $($plain)? ; $($value)?)
                })
            }

            #[inline]
            pub fn order_2<T: Differentiable + Clone>(
                x: &mut Of<$whole, T>, $($plain: $ty,)? $($value: T,)?
                x_dot: &mut Of<$whole, T::Tangent>, $(_: operations!(@dot $plain $ty),)? $(dot: operations!(@cotangent $value T))?
            ) -> (
                (Of<$result, T>, Of<$result, T::Tangent>),
                impl Fn((Of<$result, T::Tangent>, Of<$result, T::Tangent>), &mut Of<$whole, T::Tangent>, &mut Of<$whole, T::Tangent>)
                -> (
                    $(operations!(@unit $plain),)? $(operations!(@cotangent $value T),)?
                    $(operations!(@unit $plain),)? $(operations!(@cotangent $value T),)?
                ) + use<T>,
            ) {
                let (tangent, _) = steps::$name::forward(x_dot, $($plain.clone(),)? $(operations!(@named $value dot))?);
                let (result, note) = steps::$name::forward(x, $($plain,)? $($value)?);
                ((result, tangent), move |(seed, seed_dot): (Of<$result, T::Tangent>, Of<$result, T::Tangent>),
                    x: &mut Of<$whole, T::Tangent>, x_dot: &mut Of<$whole, T::Tangent>| {
                    let (bar, bar_dot) = (steps::$name::back(x, &note, seed), steps::$name::back(x_dot, &note, seed_dot));
                    operations!(@both bar bar_dot $($plain)? ; $($value)?)
                })
            }

            #[inline]
            pub fn pushforward<T: Differentiable + Clone>(
                x: &mut Of<$whole, T>, $($plain: $ty,)? $($value: T,)?
                x_dot: &mut Of<$whole, T::Tangent>, $(_: operations!(@dot $plain $ty),)? $(dot: operations!(@cotangent $value T))?
            ) -> (Of<$result, T>, Of<$result, T::Tangent>) {
                let (tangent, _) = steps::$name::forward(x_dot, $($plain.clone(),)? $(operations!(@named $value dot))?);
                (steps::$name::forward(x, $($plain,)? $($value)?).0, tangent)
            }

            #[inline]
            pub fn pushforward_lanes<T: InLanes<L> + Clone, const L: usize>(
                x: &mut Of<$whole, T>, $($plain: $ty,)? $($value: T,)?
                x_dot: &mut Of<$whole, T::Lanes>, $(_: operations!(@dot $plain $ty),)? $(dot: operations!(@lanes $value T L))?
            ) -> (Of<$result, T>, Of<$result, T::Lanes>) {
                let (tangent, _) = steps::$name::forward(x_dot, $($plain.clone(),)? $(operations!(@named $value dot))?);
                (steps::$name::forward(x, $($plain,)? $($value)?).0, tangent)
            }

            scratches!($($plain)?);
        }
    )* };
    (@unit $plain:ident) => { () };
    (@dot $plain:ident $ty:ty) => { <$ty as Differentiable>::Tangent };
    (@cotangent $value:ident $t:ident) => { $t::Tangent };
    (@lanes $value:ident $t:ident $l:ident) => { <$t as InLanes<$l>>::Lanes };
    (@named $value:ident $dot:ident) => { $dot };
    (@cotangents $bar:ident;) => { $bar };
    (@cotangents $bar:ident $plain:ident;) => { { let () = $bar; ((),) } };
    (@cotangents $bar:ident; $value:ident) => { ($bar,) };
    (@cotangents $bar:ident $plain:ident; $value:ident) => { ((), $bar) };
    (@both $bar:ident $dot:ident;) => { { let ((), ()) = ($bar, $dot); } };
    (@both $bar:ident $dot:ident $plain:ident;) => { { let ((), ()) = ($bar, $dot); ((), ()) } };
    (@both $bar:ident $dot:ident; $value:ident) => { ($bar, $dot) };
    (@both $bar:ident $dot:ident $plain:ident; $value:ident) => { ((), $bar, (), $dot) };
}
operations! {
    /// `x.push(value)`
    push(&mut Many, value value) -> Nothing;
    /// `x.insert(at, value)`
    insert(&mut Many, plain at: usize, value value) -> Nothing;
    /// `x.pop()`
    pop(&mut Many) -> Maybe;
    /// `x.remove(at)`
    remove(&mut Many, plain at: usize) -> One;
    /// `x.swap_remove(at)`
    swap_remove(&mut Many, plain at: usize) -> One;
    /// `x.split_off(at)`
    split_off(&mut Many, plain at: usize) -> Many;
    /// `x.reverse()`
    reverse(&mut Fixed) -> Nothing;
    /// `x.rotate_left(by)`
    rotate_left(&mut Fixed, plain by: usize) -> Nothing;
    /// `x.rotate_right(by)`
    rotate_right(&mut Fixed, plain by: usize) -> Nothing;
    /// Element `order[i]` comes to `i`.
    permute(&mut Fixed, plain order: Vec<usize>) -> Nothing;
}
