//! Operations that copy from a slice, and the order of a sorted one.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::{Fixed, Many, Of, scratches, steps};
use crate::{Differentiable, InLanes, accumulate_slice};

macro_rules! copies {
    ($( $(#[$doc:meta])* $name:ident(&mut $whole:ident); )*) => { $(
        $(#[$doc])*
        #[inline]
        pub fn $name<T: Clone>(x: &mut Of<$whole, T>, slice: &[T]) {
            steps::$name::forward(x, slice);
        }

        /// Its derivatives.
        pub enum $name {}

        #[doc(hidden)]
        impl $name {
            #[inline]
            pub fn pullback<T: Differentiable + Clone>(x: &mut Of<$whole, T>, slice: &[T])
            -> ((), impl Fn(&[T], (), &mut Of<$whole, T::Tangent>, &mut [T::Tangent]) + use<T>) {
                steps::$name::forward(x, slice);
                ((), |_: &[T], (), x: &mut Of<$whole, T::Tangent>, slice: &mut [T::Tangent]| steps::$name::back(x, slice))
            }

            #[inline]
            pub fn order_2<T: Differentiable + Clone>(
                x: &mut Of<$whole, T>, slice: &[T], x_dot: &mut Of<$whole, T::Tangent>, slice_dot: &[T::Tangent],
            ) -> (
                ((), ()),
                impl Fn(
                    &[T], &[T::Tangent], ((), ()),
                    &mut Of<$whole, T::Tangent>, &mut [T::Tangent], &mut Of<$whole, T::Tangent>, &mut [T::Tangent],
                ) + use<T>,
            ) {
                steps::$name::forward(x, slice);
                steps::$name::forward(x_dot, slice_dot);
                (((), ()), |
                    _: &[T], _: &[T::Tangent], ((), ()),
                    x: &mut Of<$whole, T::Tangent>, slice: &mut [T::Tangent], x_dot: &mut Of<$whole, T::Tangent>, slice_dot: &mut [T::Tangent]
                | {
                    steps::$name::back(x, slice);
                    steps::$name::back(x_dot, slice_dot);
                })
            }

            #[inline]
            pub fn pushforward<T: Differentiable + Clone>(
                x: &mut Of<$whole, T>, slice: &[T], x_dot: &mut Of<$whole, T::Tangent>, slice_dot: &[T::Tangent],
            ) -> ((), ()) {
                steps::$name::forward(x, slice);
                steps::$name::forward(x_dot, slice_dot);
                ((), ())
            }

            #[inline]
            pub fn pushforward_lanes<T: InLanes<L> + Clone, const L: usize>(
                x: &mut Of<$whole, T>, slice: &[T], x_dot: &mut Of<$whole, T::Lanes>, slice_dot: &[T::Lanes],
            ) -> ((), ()) {
                steps::$name::forward(x, slice);
                steps::$name::forward(x_dot, slice_dot);
                ((), ())
            }

            scratches!();
        }
    )* };
}
copies! {
    /// `x.extend_from_slice(slice)`
    extend_from_slice(&mut Many);
    /// `x.copy_from_slice(slice)`, and `clone_from_slice`.
    copy_from_slice(&mut Fixed);
}

/// `slice.to_vec()`
#[inline]
pub fn to_vec<T: Clone>(slice: &[T]) -> Vec<T> {
    slice.to_vec()
}

/// Its derivatives.
pub enum to_vec {}

#[doc(hidden)]
impl to_vec {
    #[inline]
    pub fn pullback<T: Differentiable + Clone>(slice: &[T]) -> (Vec<T>, impl Fn(&[T], Vec<T::Tangent>, &mut [T::Tangent]) + use<T>) {
        (slice.to_vec(), |_: &[T], seed: Vec<T::Tangent>, slice: &mut [T::Tangent]| accumulate_slice(slice, &seed))
    }

    #[inline]
    pub fn order_2<T: Differentiable + Clone>(
        slice: &[T],
        slice_dot: &[T::Tangent],
    ) -> (
        (Vec<T>, Vec<T::Tangent>),
        impl Fn(&[T], &[T::Tangent], (Vec<T::Tangent>, Vec<T::Tangent>), &mut [T::Tangent], &mut [T::Tangent]) + use<T>,
    ) {
        let values = (slice.to_vec(), slice_dot.to_vec());
        (
            values,
            |_: &[T],
             _: &[T::Tangent],
             (seed, seed_dot): (Vec<T::Tangent>, Vec<T::Tangent>),
             slice: &mut [T::Tangent],
             dot: &mut [T::Tangent]| {
                accumulate_slice(slice, &seed);
                accumulate_slice(dot, &seed_dot);
            },
        )
    }

    #[inline]
    pub fn pushforward<T: Differentiable + Clone>(slice: &[T], slice_dot: &[T::Tangent]) -> (Vec<T>, Vec<T::Tangent>) {
        (slice.to_vec(), slice_dot.to_vec())
    }

    #[inline]
    pub fn pushforward_lanes<T: InLanes<L> + Clone, const L: usize>(slice: &[T], slice_dot: &[T::Lanes]) -> (Vec<T>, Vec<T::Lanes>) {
        (slice.to_vec(), slice_dot.to_vec())
    }

    scratches!();
}

/// Where each element of the sorted slice stands now; the order of equals stays.
#[inline]
pub fn order_by<T>(slice: &[T], mut compare: impl FnMut(&T, &T) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..slice.len()).collect();
    order.sort_by(|&a, &b| compare(&slice[a], &slice[b]));
    order
}
