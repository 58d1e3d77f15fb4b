//! Which values carry derivatives.

use crate::Tangent;

/// A value with a tangent: a vector of the same shape that holds its derivatives.
///
/// Floats are their own tangent; containers have the tangents of their components; integers,
/// booleans, characters and text are inactive, their tangent is `()`.
///
/// ```
/// use autodiff_core::Differentiable;
///
/// assert_eq!((1.5_f64, 3_usize, [2.0_f32; 2]).zero_tangent(), (0.0, (), [0.0; 2]));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` carries no derivative",
    label = "not a differentiable type",
    note = "mark the parameter `#[constant]` if no derivative by it is wanted"
)]
pub trait Differentiable {
    /// The derivatives of a value of this type.
    type Tangent: Tangent;

    /// A tangent of the shape of `self`, all components zero.
    fn zero_tangent(&self) -> Self::Tangent;
}

macro_rules! floats {
    ($($t:ty)*) => { $(
        impl Differentiable for $t {
            type Tangent = Self;

            #[inline(always)]
            fn zero_tangent(&self) -> Self {
                0.0
            }
        }
    )* };
}
floats!(f32 f64);

macro_rules! inactive {
    ($($t:ty)*) => { $(
        impl Differentiable for $t {
            type Tangent = ();

            #[inline(always)]
            fn zero_tangent(&self) {}
        }
    )* };
}
inactive!(() u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool char str core::cmp::Ordering);
#[cfg(feature = "alloc")]
inactive!(alloc::string::String);

impl<T: Differentiable + ?Sized> Differentiable for &T {
    type Tangent = T::Tangent;

    #[inline]
    fn zero_tangent(&self) -> T::Tangent {
        T::zero_tangent(self)
    }
}

impl<T: Differentiable + ?Sized> Differentiable for &mut T {
    type Tangent = T::Tangent;

    #[inline]
    fn zero_tangent(&self) -> T::Tangent {
        T::zero_tangent(self)
    }
}

impl<T: Differentiable, const N: usize> Differentiable for [T; N] {
    type Tangent = [T::Tangent; N];

    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        core::array::from_fn(|i| self[i].zero_tangent())
    }
}

impl<T: Differentiable> Differentiable for Option<T> {
    type Tangent = Option<T::Tangent>;

    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        self.as_ref().map(T::zero_tangent)
    }
}

macro_rules! tuples {
    ($($($t:ident $i:tt)*;)*) => { $(
        impl<$($t: Differentiable),*> Differentiable for ($($t,)*) {
            type Tangent = ($($t::Tangent,)*);

            #[inline]
            fn zero_tangent(&self) -> Self::Tangent {
                ($(self.$i.zero_tangent(),)*)
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
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11;
}

/// One zero tangent for each element of `values`.
///
/// ```
/// assert_eq!(autodiff_core::zero_slice(&[1.0, 2.0, 3.0]), vec![0.0; 3]);
/// ```
#[cfg(feature = "alloc")]
#[inline]
pub fn zero_slice<T: Differentiable>(values: &[T]) -> alloc::vec::Vec<T::Tangent> {
    values.iter().map(T::zero_tangent).collect()
}

#[cfg(feature = "alloc")]
mod heap {
    use super::{Differentiable, zero_slice};
    use alloc::{boxed::Box, vec::Vec};

    impl<T: Differentiable> Differentiable for [T] {
        type Tangent = Vec<T::Tangent>;

        #[inline]
        fn zero_tangent(&self) -> Self::Tangent {
            zero_slice(self)
        }
    }

    impl<T: Differentiable> Differentiable for Vec<T> {
        type Tangent = Vec<T::Tangent>;

        #[inline]
        fn zero_tangent(&self) -> Self::Tangent {
            zero_slice(self)
        }
    }

    impl<T: Differentiable> Differentiable for Box<[T]> {
        type Tangent = Box<[T::Tangent]>;

        #[inline]
        fn zero_tangent(&self) -> Self::Tangent {
            zero_slice(self).into_boxed_slice()
        }
    }

    impl<T: Differentiable + Sized> Differentiable for Box<T> {
        type Tangent = T::Tangent;

        #[inline]
        fn zero_tangent(&self) -> Self::Tangent {
            T::zero_tangent(self)
        }
    }
}

#[cfg(feature = "nalgebra")]
mod matrix {
    use super::Differentiable;
    use crate::Real;
    use nalgebra::{DefaultAllocator, Dim, Matrix, OMatrix, RawStorage, allocator::Allocator};

    impl<T, R, C, S> Differentiable for Matrix<T, R, C, S>
    where
        T: Real,
        R: Dim,
        C: Dim,
        S: RawStorage<T, R, C>,
        DefaultAllocator: Allocator<R, C>,
    {
        type Tangent = OMatrix<T, R, C>;

        #[inline]
        fn zero_tangent(&self) -> Self::Tangent {
            let (rows, columns) = self.shape_generic();
            OMatrix::from_element_generic(rows, columns, T::ZERO)
        }
    }
}
