//! One tangent out of several, and into them.

use core::array::from_fn;

use super::Lanes;
use crate::{Real, Tangent};

/// `L` tangents of one shape.
///
/// ```
/// use autodiff_core::{Laned, Lanes};
///
/// let mut both = (Lanes([1.0, 2.0]), [Lanes([3.0, 4.0])]);
/// assert_eq!(both.lane(1), (2.0, [4.0]));
/// both.set_lane(0, &(7.0, [8.0]));
/// assert_eq!(both, (Lanes([7.0, 2.0]), [Lanes([8.0, 4.0])]));
/// ```
pub trait Laned<const L: usize>: Tangent {
    /// One of the tangents.
    type Single: Tangent;

    /// The tangent in this lane.
    ///
    /// # Panics
    /// Where there is no such lane.
    fn lane(&self, lane: usize) -> Self::Single;

    /// Puts a tangent into this lane.
    ///
    /// # Panics
    /// Where there is no such lane, or the tangent has another shape.
    fn set_lane(&mut self, lane: usize, tangent: &Self::Single);
}

impl<T: Real, const L: usize> Laned<L> for Lanes<T, L> {
    type Single = T;

    #[inline]
    fn lane(&self, lane: usize) -> T {
        self.0[lane]
    }

    #[inline]
    fn set_lane(&mut self, lane: usize, tangent: &T) {
        self.0[lane] = *tangent;
    }
}

impl<const L: usize> Laned<L> for () {
    type Single = ();

    #[inline]
    fn lane(&self, _: usize) {}

    #[inline]
    fn set_lane(&mut self, _: usize, (): &()) {}
}

impl<T: Laned<L>, const N: usize, const L: usize> Laned<L> for [T; N] {
    type Single = [T::Single; N];

    #[inline]
    fn lane(&self, lane: usize) -> Self::Single {
        from_fn(|i| self[i].lane(lane))
    }

    #[inline]
    fn set_lane(&mut self, lane: usize, tangent: &Self::Single) {
        self.iter_mut().zip(tangent).for_each(|(lanes, tangent)| lanes.set_lane(lane, tangent));
    }
}

impl<T: Laned<L>, const L: usize> Laned<L> for Option<T> {
    type Single = Option<T::Single>;

    #[inline]
    fn lane(&self, lane: usize) -> Self::Single {
        self.as_ref().map(|lanes| lanes.lane(lane))
    }

    #[inline]
    fn set_lane(&mut self, lane: usize, tangent: &Self::Single) {
        match (self, tangent) {
            (Some(lanes), Some(tangent)) => lanes.set_lane(lane, tangent),
            (None, None) => {}
            _ => panic!("Laned::set_lane: one of the tangents is `None`"),
        }
    }
}

macro_rules! tuples {
    ($($($t:ident $i:tt)*;)*) => { $(
        impl<$($t: Laned<LANES>,)* const LANES: usize> Laned<LANES> for ($($t,)*) {
            type Single = ($($t::Single,)*);

            #[inline]
            fn lane(&self, lane: usize) -> Self::Single {
                ($(self.$i.lane(lane),)*)
            }

            #[inline]
            fn set_lane(&mut self, lane: usize, tangent: &Self::Single) {
                $( self.$i.set_lane(lane, &tangent.$i); )*
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
impl<T: Laned<L>, const L: usize> Laned<L> for alloc::vec::Vec<T> {
    type Single = alloc::vec::Vec<T::Single>;

    #[inline]
    fn lane(&self, lane: usize) -> Self::Single {
        self.iter().map(|lanes| lanes.lane(lane)).collect()
    }

    #[inline]
    fn set_lane(&mut self, lane: usize, tangent: &Self::Single) {
        assert!(self.len() == tangent.len(), "Laned::set_lane: lengths {} and {} differ", self.len(), tangent.len());
        self.iter_mut().zip(tangent).for_each(|(lanes, tangent)| lanes.set_lane(lane, tangent));
    }
}
