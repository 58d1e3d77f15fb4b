//! Tangents of nalgebra's matrices: matrices of the same shape, visited column by column.

use crate::{Real, Tangent};
use nalgebra::{Dim, Matrix, RawStorageMut, Storage};

impl<T, R, C, S> Tangent for Matrix<T, R, C, S>
where
    T: Real,
    R: Dim,
    C: Dim,
    S: Storage<T, R, C> + RawStorageMut<T, R, C> + Clone,
{
    #[inline]
    fn accumulate(&mut self, other: &Self) {
        same_shape("accumulate", self.shape(), other.shape());
        self.zip_apply(other, |a, b| *a += b);
    }

    #[inline]
    fn deduct(&mut self, other: &Self) {
        same_shape("deduct", self.shape(), other.shape());
        self.zip_apply(other, |a, b| *a -= b);
    }

    #[inline]
    fn negated(&self) -> Self {
        let mut negated = self.clone();
        negated.apply(|a| *a = -*a);
        negated
    }

    #[inline]
    fn scale(&mut self, factor: f64) {
        let factor = T::from_f64(factor);
        self.apply(|a| *a *= factor);
    }

    #[inline]
    fn axpy(&mut self, a: f64, x: &Self) {
        same_shape("axpy", self.shape(), x.shape());
        let a = T::from_f64(a);
        self.zip_apply(x, |s, x| *s += a * x);
    }

    #[inline]
    fn dot(&self, other: &Self) -> f64 {
        same_shape("dot", self.shape(), other.shape());
        let pairs = self.iter().zip(other.iter());
        pairs.map(|(a, b)| a.to_f64() * b.to_f64()).sum()
    }

    #[inline]
    fn clear(&mut self) {
        self.fill(T::ZERO);
    }

    #[inline]
    fn for_each<F: FnMut(f64)>(&self, visit: &mut F) {
        self.iter().for_each(|a| visit(a.to_f64()));
    }

    #[inline]
    fn for_each_mut<F: FnMut(f64) -> f64>(&mut self, update: &mut F) {
        self.apply(|a| *a = T::from_f64(update(a.to_f64())));
    }
}

/// Panics unless two matrices have the same shape.
#[track_caller]
#[inline]
fn same_shape(operation: &str, left: (usize, usize), right: (usize, usize)) {
    assert!(left == right, "Tangent::{operation}: shapes {}x{} and {}x{} differ", left.0, left.1, right.0, right.1);
}
