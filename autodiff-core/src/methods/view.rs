//! Changes of views, which are no places of Rust's.

use nalgebra::{Dim, Matrix, Storage, StorageMut};

use crate::Real;

/// `view = values`
#[inline]
pub fn store<T: Real, R: Dim, C: Dim, S: StorageMut<T, R, C>, V: Storage<T, R, C>>(view: Matrix<T, R, C, S>, values: &Matrix<T, R, C, V>) {
    change("store", view, values, |to, value| *to = value);
}

/// `view += values`
#[inline]
pub fn accumulate<T: Real, R: Dim, C: Dim, S: StorageMut<T, R, C>, V: Storage<T, R, C>>(
    view: Matrix<T, R, C, S>,
    values: &Matrix<T, R, C, V>,
) {
    change("accumulate", view, values, |to, value| *to += value);
}

/// `view -= values`
#[inline]
pub fn deduct<T: Real, R: Dim, C: Dim, S: StorageMut<T, R, C>, V: Storage<T, R, C>>(view: Matrix<T, R, C, S>, values: &Matrix<T, R, C, V>) {
    change("deduct", view, values, |to, value| *to -= value);
}

/// `view = 0`
#[inline]
pub fn clear<T: Real, R: Dim, C: Dim, S: StorageMut<T, R, C>>(mut view: Matrix<T, R, C, S>) {
    view.fill(T::ZERO);
}

#[track_caller]
#[inline]
fn change<T: Real, R: Dim, C: Dim, S: StorageMut<T, R, C>, V: Storage<T, R, C>>(
    operation: &str,
    mut view: Matrix<T, R, C, S>,
    values: &Matrix<T, R, C, V>,
    change: impl Fn(&mut T, T),
) {
    let (to, from) = (view.shape(), values.shape());
    assert!(to == from, "{operation}: a view of {}x{} and values of {}x{}", to.0, to.1, from.0, from.1);
    view.zip_apply(values, change);
}
