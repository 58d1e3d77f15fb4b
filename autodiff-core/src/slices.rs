//! Sums over slices, which are no tangents of their own because they have no size.

use crate::Tangent;

/// `shadow[i] += other[i]` for all `i`.
///
/// # Panics
/// Where the lengths differ.
#[inline]
#[track_caller]
pub fn accumulate_slice<T: Tangent>(shadow: &mut [T], other: &[T]) {
    assert!(shadow.len() == other.len(), "accumulate_slice: lengths {} and {} differ", shadow.len(), other.len());
    for (a, b) in shadow.iter_mut().zip(other) {
        a.accumulate(b);
    }
}

/// `shadow[i] -= other[i]` for all `i`.
///
/// # Panics
/// Where the lengths differ.
#[inline]
#[track_caller]
pub fn deduct_slice<T: Tangent>(shadow: &mut [T], other: &[T]) {
    assert!(shadow.len() == other.len(), "deduct_slice: lengths {} and {} differ", shadow.len(), other.len());
    for (a, b) in shadow.iter_mut().zip(other) {
        a.deduct(b);
    }
}

/// The value of a derivative whose function does not compile: never called.
#[doc(hidden)]
pub fn unavailable<T>() -> T {
    panic!("this function was not differentiated")
}
