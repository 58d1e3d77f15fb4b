//! Operations whose pullback needs zeros: of the value that went to many places, or of the elements that were dropped.

use alloc::vec::Vec;

use super::{Fixed, Many, Of, scratches, steps};
use crate::{Differentiable, InLanes};

/// An operation that puts a value into many elements: its cotangent is a sum.
macro_rules! spreads {
    ($( $(#[$doc:meta])* $name:ident(&mut $whole:ident $(, plain $plain:ident)?); )*) => { $(
        $(#[$doc])*
        #[inline]
        pub fn $name<T: Clone>(x: &mut Of<$whole, T>, $($plain: usize,)? value: T) {
            let _ = steps::$name::forward(x, $($plain,)? value);
        }

        /// Its derivatives.
        pub enum $name {}

        #[doc(hidden)]
        impl $name {
            #[inline]
            pub fn pullback<T: Differentiable + Clone>(x: &mut Of<$whole, T>, $($plain: usize,)? value: T)
            -> ((), impl Fn((), &mut Of<$whole, T::Tangent>) -> ($(spreads!(@unit $plain),)? T::Tangent,) + use<T>) {
                let zero = value.zero_tangent();
                let ((), note) = steps::$name::forward(x, $($plain,)? value);
                ((), move |(), x: &mut Of<$whole, T::Tangent>| {
                    let mut sum = zero.clone();
                    steps::$name::back(x, &note, &mut sum);
                    ($(spreads!(@unit_value $plain),)? sum,)
                })
            }

            #[inline]
            pub fn order_2<T: Differentiable + Clone>(
                x: &mut Of<$whole, T>, $($plain: usize,)? value: T,
                x_dot: &mut Of<$whole, T::Tangent>, $(_: spreads!(@unit $plain),)? dot: T::Tangent,
            ) -> (
                ((), ()),
                impl Fn(((), ()), &mut Of<$whole, T::Tangent>, &mut Of<$whole, T::Tangent>)
                -> ($(spreads!(@unit $plain),)? T::Tangent, $(spreads!(@unit $plain),)? T::Tangent) + use<T>,
            ) {
                let ((), _) = steps::$name::forward(x_dot, $($plain,)? dot);
                let ((), back) = Self::pullback(x, $($plain,)? value);
                (((), ()), move |((), ()), x: &mut Of<$whole, T::Tangent>, x_dot: &mut Of<$whole, T::Tangent>| {
                    let ($(spreads!(@pattern $plain),)? bar,) = back((), x);
                    let ($(spreads!(@pattern $plain),)? bar_dot,) = back((), x_dot);
                    ($(spreads!(@unit_value $plain),)? bar, $(spreads!(@unit_value $plain),)? bar_dot)
                })
            }

            #[inline]
            pub fn pushforward<T: Differentiable + Clone>(
                x: &mut Of<$whole, T>, $($plain: usize,)? value: T,
                x_dot: &mut Of<$whole, T::Tangent>, $(_: spreads!(@unit $plain),)? dot: T::Tangent,
            ) -> ((), ()) {
                let ((), _) = steps::$name::forward(x_dot, $($plain,)? dot);
                (steps::$name::forward(x, $($plain,)? value).0, ())
            }

            #[inline]
            pub fn pushforward_lanes<T: InLanes<L> + Clone, const L: usize>(
                x: &mut Of<$whole, T>, $($plain: usize,)? value: T,
                x_dot: &mut Of<$whole, T::Lanes>, $(_: spreads!(@unit $plain),)? dot: T::Lanes,
            ) -> ((), ()) {
                let ((), _) = steps::$name::forward(x_dot, $($plain,)? dot);
                (steps::$name::forward(x, $($plain,)? value).0, ())
            }

            scratches!($($plain)?);
        }
    )* };
    (@unit $plain:ident) => { () };
    (@unit_value $plain:ident) => { () };
    (@pattern $plain:ident) => { () };
}
spreads! {
    /// `x.fill(value)`
    fill(&mut Fixed);
    /// `x.resize(length, value)`, if that makes it longer.
    grow(&mut Many, plain length);
}

/// `x.truncate(length)`
#[inline]
pub fn truncate<T>(x: &mut Vec<T>, length: usize) {
    x.truncate(length);
}

/// Its derivatives.
pub enum truncate {}

#[doc(hidden)]
impl truncate {
    #[inline]
    pub fn pullback<T: Differentiable>(x: &mut Vec<T>, length: usize) -> ((), impl Fn((), &mut Vec<T::Tangent>) -> ((),) + use<T>) {
        let zeros: Vec<T::Tangent> = x.drain(length.min(x.len())..).map(|element| element.zero_tangent()).collect();
        ((), move |(), x: &mut Vec<T::Tangent>| {
            x.extend_from_slice(&zeros);
            ((),)
        })
    }

    #[inline]
    pub fn order_2<T: Differentiable>(
        x: &mut Vec<T>,
        length: usize,
        x_dot: &mut Vec<T::Tangent>,
        (): (),
    ) -> (((), ()), impl Fn(((), ()), &mut Vec<T::Tangent>, &mut Vec<T::Tangent>) -> ((), ()) + use<T>) {
        x_dot.truncate(length);
        let ((), back) = Self::pullback(x, length);
        (((), ()), move |((), ()), x: &mut Vec<T::Tangent>, x_dot: &mut Vec<T::Tangent>| {
            back((), x);
            back((), x_dot);
            ((), ())
        })
    }

    #[inline]
    pub fn pushforward<T: Differentiable>(x: &mut Vec<T>, length: usize, x_dot: &mut Vec<T::Tangent>, (): ()) -> ((), ()) {
        x.truncate(length);
        x_dot.truncate(length);
        ((), ())
    }

    #[inline]
    pub fn pushforward_lanes<T: InLanes<L>, const L: usize>(x: &mut Vec<T>, length: usize, x_dot: &mut Vec<T::Lanes>, (): ()) -> ((), ()) {
        x.truncate(length);
        x_dot.truncate(length);
        ((), ())
    }

    scratches!(length);
}
