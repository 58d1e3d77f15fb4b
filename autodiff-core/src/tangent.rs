//! The vector space of derivatives.
//!
//! Tangents and cotangents of a value live in the same space. Its components are visited in field
//! order; arrays row-major, nalgebra's matrices column-major (as they lie in memory). Two tangents
//! of different shape have no sum: combining them panics and names the operation.

mod containers;
#[cfg(feature = "nalgebra")]
mod matrix;

/// A vector space over the floats: what derivatives are added, scaled and measured in.
///
/// ```
/// use autodiff_core::Tangent;
///
/// let mut v = (1.0, [2.0, 3.0]);
/// v.axpy(2.0, &(0.5, [1.0, -1.0]));
/// assert_eq!(v, (2.0, [4.0, 1.0]));
/// assert_eq!(v.dot(&(1.0, [1.0, 1.0])), 7.0);
/// ```
pub trait Tangent: Clone {
    /// `self += other`.
    ///
    /// # Panics
    /// Where the shapes differ; so do [`deduct`](Self::deduct), [`axpy`](Self::axpy) and
    /// [`dot`](Self::dot).
    fn accumulate(&mut self, other: &Self);

    /// `self -= other`.
    fn deduct(&mut self, other: &Self);

    /// `-self`.
    #[must_use]
    fn negated(&self) -> Self;

    /// `self *= factor`.
    fn scale(&mut self, factor: f64);

    /// `self += a * x`.
    fn axpy(&mut self, a: f64, x: &Self);

    /// The sum of the products of the components.
    #[must_use]
    fn dot(&self, other: &Self) -> f64;

    /// Sets every component to zero and keeps the shape.
    fn clear(&mut self);

    /// Shows every component to `visit`, in order.
    fn for_each<F: FnMut(f64)>(&self, visit: &mut F);

    /// Replaces every component by what `update` makes of it, in order.
    fn for_each_mut<F: FnMut(f64) -> f64>(&mut self, update: &mut F);

    /// The Euclidean norm, safe from overflow and underflow of the squares.
    #[cfg(any(feature = "std", feature = "libm"))]
    #[must_use]
    fn norm(&self) -> f64 {
        use crate::Real;
        let square = self.dot(self);
        if square.is_nan() || (square > 1e-280 && square < 1e280) {
            return Real::sqrt(square);
        }
        let mut largest = 0.0_f64;
        self.for_each(&mut |c| largest = largest.max(c.abs()));
        if largest == 0.0 || largest.is_infinite() {
            return largest;
        }
        let mut sum = 0.0;
        self.for_each(&mut |c| sum += (c / largest) * (c / largest));
        largest * Real::sqrt(sum)
    }

    /// All components, in order.
    ///
    /// ```
    /// use autodiff_core::Tangent;
    ///
    /// assert_eq!((1.0_f32, [2.0, 3.0], ()).flatten(), vec![1.0, 2.0, 3.0]);
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    fn flatten(&self) -> alloc::vec::Vec<f64> {
        let mut components = alloc::vec::Vec::new();
        self.for_each(&mut |c| components.push(c));
        components
    }

    /// Takes all components from `components`, in the order of [`flatten`](Self::flatten).
    ///
    /// # Panics
    /// Unless `components` has exactly as many elements as `self` has components.
    #[cfg(feature = "alloc")]
    fn assign_flat(&mut self, components: &[f64]) {
        let mut count = 0_usize;
        self.for_each(&mut |_| count += 1);
        same_length("assign_flat", count, components.len());
        let mut rest = components.iter();
        self.for_each_mut(&mut |old| rest.next().copied().unwrap_or(old));
    }
}

macro_rules! floats {
    ($($t:ty)*) => { $(
        impl Tangent for $t {
            #[inline(always)]
            fn accumulate(&mut self, other: &Self) {
                *self += other;
            }

            #[inline(always)]
            fn deduct(&mut self, other: &Self) {
                *self -= other;
            }

            #[inline(always)]
            fn negated(&self) -> Self {
                -*self
            }

            #[inline(always)]
            fn scale(&mut self, factor: f64) {
                *self *= factor as Self;
            }

            #[inline(always)]
            fn axpy(&mut self, a: f64, x: &Self) {
                *self += a as Self * x;
            }

            #[inline(always)]
            fn dot(&self, other: &Self) -> f64 {
                f64::from(*self) * f64::from(*other)
            }

            #[inline(always)]
            fn clear(&mut self) {
                *self = 0.0;
            }

            #[inline(always)]
            fn for_each<F: FnMut(f64)>(&self, visit: &mut F) {
                visit(f64::from(*self));
            }

            #[inline(always)]
            fn for_each_mut<F: FnMut(f64) -> f64>(&mut self, update: &mut F) {
                *self = update(f64::from(*self)) as Self;
            }
        }
    )* };
}
floats!(f32 f64);

/// The tangent of everything inactive: the space of dimension zero.
impl Tangent for () {
    #[inline(always)]
    fn accumulate(&mut self, (): &Self) {}
    #[inline(always)]
    fn deduct(&mut self, (): &Self) {}
    #[inline(always)]
    fn negated(&self) {}
    #[inline(always)]
    fn scale(&mut self, _: f64) {}
    #[inline(always)]
    fn axpy(&mut self, _: f64, (): &Self) {}
    #[inline(always)]
    fn dot(&self, (): &Self) -> f64 {
        0.0
    }
    #[inline(always)]
    fn clear(&mut self) {}
    #[inline(always)]
    fn for_each<F: FnMut(f64)>(&self, _: &mut F) {}
    #[inline(always)]
    fn for_each_mut<F: FnMut(f64) -> f64>(&mut self, _: &mut F) {}
}

/// Panics unless two tangents have the same number of elements.
#[cfg(feature = "alloc")]
#[track_caller]
#[inline]
fn same_length(operation: &str, left: usize, right: usize) {
    assert!(left == right, "Tangent::{operation}: lengths {left} and {right} differ");
}
