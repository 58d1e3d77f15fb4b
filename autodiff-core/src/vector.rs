//! Vectors of any kind: slices, arrays, `Vec`, nalgebra's vectors and matrices.

use crate::{Differentiable, Real};

/// A sequence of floats that activations and losses work on.
///
/// ```
/// use autodiff_core::Vector;
///
/// assert_eq!([1.0, 2.0].mapped(|x| 2.0 * x), [2.0, 4.0]);
/// assert_eq!([1.0, 5.0, 2.0].components().copied().fold(0.0, f64::max), 5.0);
/// ```
pub trait Vector {
    /// The float type.
    type Scalar: Real;
    /// An owned vector of the same kind and size.
    type Owned: Differentiable<Tangent = Self::Owned> + Clone;
    /// What accumulates its cotangent: its tangent, or a slice of floats for a slice.
    type Shadow: ?Sized;

    /// The components, in memory order.
    fn components(&self) -> impl Iterator<Item = &Self::Scalar>;

    /// A new vector, component by component.
    fn mapped(&self, f: impl FnMut(Self::Scalar) -> Self::Scalar) -> Self::Owned;

    /// The components of an owned vector.
    fn owned_components(owned: &Self::Owned) -> impl Iterator<Item = &Self::Scalar>;

    /// The components of an owned vector, to be changed.
    fn owned_components_mut(owned: &mut Self::Owned) -> impl Iterator<Item = &mut Self::Scalar>;

    /// The components of a cotangent of an owned vector.
    fn seed_components(seed: &<Self::Owned as Differentiable>::Tangent) -> impl Iterator<Item = &Self::Scalar>;

    /// The components of a shadow.
    fn shadow_components(shadow: &mut Self::Shadow) -> impl Iterator<Item = &mut Self::Scalar>;

    /// The components of a shadow, to be read.
    fn shadow_values(shadow: &Self::Shadow) -> impl Iterator<Item = &Self::Scalar>;

    /// An owned zero shadow.
    fn scratch(&self) -> Self::Owned;
}

/// The components of the shadow of `v`.
///
/// # Panics
/// Where it has not as many as `v`: what is left over would be lost without a word.
#[track_caller]
#[inline]
pub(crate) fn shadow_of<'a, V: Vector + ?Sized>(
    operation: &str,
    v: &V,
    shadow: &'a mut V::Shadow,
) -> impl Iterator<Item = &'a mut V::Scalar> {
    same_size(operation, v.components().count(), V::shadow_values(shadow).count());
    V::shadow_components(shadow)
}

/// The components of the tangent of `v`.
///
/// # Panics
/// Where it has not as many as `v`.
#[track_caller]
#[inline]
pub(crate) fn tangent_of<'a, V: Vector + ?Sized>(operation: &str, v: &V, tangent: &'a V::Shadow) -> impl Iterator<Item = &'a V::Scalar> {
    same_size(operation, v.components().count(), V::shadow_values(tangent).count());
    V::shadow_values(tangent)
}

/// The components of the cotangent of a result that has as many components as `v`.
///
/// # Panics
/// Where it has another number of them.
#[track_caller]
#[inline]
pub(crate) fn seed_of<'a, V: Vector + ?Sized>(operation: &str, y: &V::Owned, seed: &'a V::Owned) -> impl Iterator<Item = &'a V::Scalar> {
    same_size(operation, V::owned_components(y).count(), V::seed_components(seed).count());
    V::seed_components(seed)
}

#[track_caller]
fn same_size(operation: &str, wanted: usize, got: usize) {
    assert!(wanted == got, "{operation}: a vector of {wanted} components has a cotangent or tangent of {got}");
}

impl<T: Real, const N: usize> Vector for [T; N] {
    type Scalar = T;
    type Owned = [T; N];
    type Shadow = [T; N];

    #[inline]
    fn components(&self) -> impl Iterator<Item = &T> {
        self.iter()
    }
    #[inline]
    fn mapped(&self, f: impl FnMut(T) -> T) -> [T; N] {
        self.map(f)
    }
    #[inline]
    fn owned_components(owned: &[T; N]) -> impl Iterator<Item = &T> {
        owned.iter()
    }
    #[inline]
    fn owned_components_mut(owned: &mut [T; N]) -> impl Iterator<Item = &mut T> {
        owned.iter_mut()
    }
    #[inline]
    fn seed_components(seed: &[T; N]) -> impl Iterator<Item = &T> {
        seed.iter()
    }
    #[inline]
    fn shadow_components(shadow: &mut [T; N]) -> impl Iterator<Item = &mut T> {
        shadow.iter_mut()
    }
    #[inline]
    fn shadow_values(shadow: &[T; N]) -> impl Iterator<Item = &T> {
        shadow.iter()
    }
    #[inline]
    fn scratch(&self) -> [T; N] {
        [T::ZERO; N]
    }
}

/// Slices on the heap and slices as such: owned they are a `Vec`.
#[cfg(feature = "alloc")]
macro_rules! slices {
    ($($t:ty, $shadow:ty;)*) => { $(
        impl<T: Real> Vector for $t {
            type Scalar = T;
            type Owned = alloc::vec::Vec<T>;
            type Shadow = $shadow;

            #[inline]
            fn components(&self) -> impl Iterator<Item = &T> {
                self.iter()
            }
            #[inline]
            fn mapped(&self, mut f: impl FnMut(T) -> T) -> alloc::vec::Vec<T> {
                self.iter().map(|&x| f(x)).collect()
            }
            #[inline]
            fn owned_components(owned: &alloc::vec::Vec<T>) -> impl Iterator<Item = &T> {
                owned.iter()
            }
            #[inline]
            fn owned_components_mut(owned: &mut alloc::vec::Vec<T>) -> impl Iterator<Item = &mut T> {
                owned.iter_mut()
            }
            #[inline]
            fn seed_components(seed: &alloc::vec::Vec<T>) -> impl Iterator<Item = &T> {
                seed.iter()
            }
            #[inline]
            fn shadow_components(shadow: &mut $shadow) -> impl Iterator<Item = &mut T> {
                shadow.iter_mut()
            }
            #[inline]
            fn shadow_values(shadow: &$shadow) -> impl Iterator<Item = &T> {
                shadow.iter()
            }
            #[inline]
            fn scratch(&self) -> alloc::vec::Vec<T> {
                alloc::vec![T::ZERO; self.len()]
            }
        }
    )* };
}
#[cfg(feature = "alloc")]
slices! {
    [T], [T];
    alloc::vec::Vec<T>, alloc::vec::Vec<T>;
}

#[cfg(feature = "nalgebra")]
mod matrix {
    use super::{Real, Vector};
    use nalgebra::{DefaultAllocator, Dim, Matrix, OMatrix, Storage, allocator::Allocator};

    impl<T, R, C, S> Vector for Matrix<T, R, C, S>
    where
        T: Real,
        R: Dim,
        C: Dim,
        S: Storage<T, R, C>,
        DefaultAllocator: Allocator<R, C>,
    {
        type Scalar = T;
        type Owned = OMatrix<T, R, C>;
        type Shadow = OMatrix<T, R, C>;

        #[inline]
        fn components(&self) -> impl Iterator<Item = &T> {
            self.iter()
        }
        #[inline]
        fn mapped(&self, f: impl FnMut(T) -> T) -> OMatrix<T, R, C> {
            self.map(f)
        }
        #[inline]
        fn owned_components(owned: &OMatrix<T, R, C>) -> impl Iterator<Item = &T> {
            owned.iter()
        }
        #[inline]
        fn owned_components_mut(owned: &mut OMatrix<T, R, C>) -> impl Iterator<Item = &mut T> {
            owned.iter_mut()
        }
        #[inline]
        fn seed_components(seed: &OMatrix<T, R, C>) -> impl Iterator<Item = &T> {
            seed.iter()
        }
        #[inline]
        fn shadow_components(shadow: &mut OMatrix<T, R, C>) -> impl Iterator<Item = &mut T> {
            shadow.iter_mut()
        }
        #[inline]
        fn shadow_values(shadow: &OMatrix<T, R, C>) -> impl Iterator<Item = &T> {
            shadow.iter()
        }
        #[inline]
        fn scratch(&self) -> OMatrix<T, R, C> {
            self.map(|_| T::ZERO)
        }
    }
}
