//! Which values have tangents in lanes.

use core::array::from_fn;

use super::Lanes;
use crate::{Differentiable, Tangent};

/// A value with `L` tangents at once: floats have [`Lanes`], containers the lanes of their components, and what is
/// inactive has none.
///
/// ```
/// use autodiff_core::{InLanes, Lanes};
///
/// let zero = (1.5_f64, 3_usize, [2.0_f32]).zero_lanes();
/// assert_eq!(zero, (Lanes([0.0; 4]), (), [Lanes([0.0_f32; 4])]));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no tangents in lanes",
    label = "not in lanes",
    note = "floats, arrays, slices, tuples and what is made of them have; nalgebra's matrices have not"
)]
pub trait InLanes<const L: usize>: Differentiable {
    /// The tangents.
    type Lanes: Tangent;

    /// Tangents of the shape of `self`, all components zero.
    fn zero_lanes(&self) -> Self::Lanes;
}

macro_rules! floats {
    ($($t:ty)*) => { $(
        impl<const L: usize> InLanes<L> for $t {
            type Lanes = Lanes<$t, L>;

            #[inline(always)]
            fn zero_lanes(&self) -> Self::Lanes {
                Lanes::ZERO
            }
        }
    )* };
}
floats!(f32 f64);

macro_rules! inactive {
    ($($t:ty)*) => { $(
        impl<const L: usize> InLanes<L> for $t {
            type Lanes = ();

            #[inline(always)]
            fn zero_lanes(&self) {}
        }
    )* };
}
inactive!(() u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool char str core::cmp::Ordering);

macro_rules! references {
    ($($t:ty),*) => { $(
        impl<T: InLanes<L> + ?Sized, const L: usize> InLanes<L> for $t {
            type Lanes = T::Lanes;

            #[inline]
            fn zero_lanes(&self) -> T::Lanes {
                T::zero_lanes(self)
            }
        }
    )* };
}
references!(&T, &mut T);

impl<T: InLanes<L>, const N: usize, const L: usize> InLanes<L> for [T; N] {
    type Lanes = [T::Lanes; N];

    #[inline]
    fn zero_lanes(&self) -> Self::Lanes {
        from_fn(|i| self[i].zero_lanes())
    }
}

impl<T: InLanes<L>, const L: usize> InLanes<L> for Option<T> {
    type Lanes = Option<T::Lanes>;

    #[inline]
    fn zero_lanes(&self) -> Self::Lanes {
        self.as_ref().map(T::zero_lanes)
    }
}

impl<T: InLanes<L>, E, const L: usize> InLanes<L> for Result<T, E> {
    type Lanes = Option<T::Lanes>;

    #[inline]
    fn zero_lanes(&self) -> Self::Lanes {
        self.as_ref().ok().map(T::zero_lanes)
    }
}

macro_rules! tuples {
    ($($($t:ident $i:tt)*;)*) => { $(
        impl<$($t: InLanes<LANES>,)* const LANES: usize> InLanes<LANES> for ($($t,)*) {
            type Lanes = ($($t::Lanes,)*);

            #[inline]
            fn zero_lanes(&self) -> Self::Lanes {
                ($(self.$i.zero_lanes(),)*)
            }
        }
    )* };
}
tuples! {
    A 0;
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
    A 0 B 1 C 2 D 3 E 4;
    A 0 B 1 C 2 D 3 E 4 F 5;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 M 11;
}

#[cfg(feature = "alloc")]
mod heap {
    use super::InLanes;
    use alloc::{string::String, vec::Vec};

    impl<const L: usize> InLanes<L> for String {
        type Lanes = ();

        #[inline]
        fn zero_lanes(&self) {}
    }

    impl<T: InLanes<L>, const L: usize> InLanes<L> for [T] {
        type Lanes = Vec<T::Lanes>;

        #[inline]
        fn zero_lanes(&self) -> Self::Lanes {
            self.iter().map(T::zero_lanes).collect()
        }
    }

    impl<T: InLanes<L>, const L: usize> InLanes<L> for Vec<T> {
        type Lanes = Vec<T::Lanes>;

        #[inline]
        fn zero_lanes(&self) -> Self::Lanes {
            self.as_slice().zero_lanes()
        }
    }
}
