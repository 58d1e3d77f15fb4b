//! Several tangents at once.
//!
//! [`Lanes`] stands where a float stands in a tangent: one component for each of `L` directions. The primal is
//! computed once for all of them, and the arithmetic of the lanes is that of short arrays, which compilers turn into
//! vector instructions. This is the vector mode of forward differentiation (Griewank, Walther, "Evaluating
//! derivatives", second edition, section 3.1).

#[cfg(feature = "alloc")]
mod columns;
mod laned;
#[doc(hidden)]
pub mod rules;
mod zero;

use core::array::from_fn;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::{Differentiable, Operand, Real, Tangent};

#[cfg(feature = "alloc")]
pub use columns::columns;
pub use laned::Laned;
pub use zero::InLanes;

/// A float of `L` tangents.
///
/// ```
/// use autodiff_core::Lanes;
///
/// let (a, b) = (Lanes([1.0, 2.0]), Lanes([10.0, 20.0]));
/// assert_eq!(a * 3.0 + b, Lanes([13.0, 26.0]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lanes<T, const L: usize>(pub [T; L]);

impl<T: Real, const L: usize> Lanes<T, L> {
    /// Zero in every lane.
    pub const ZERO: Self = Lanes([T::ZERO; L]);

    /// 1 in one lane, 0 in the others.
    ///
    /// # Panics
    /// Where there is no such lane.
    ///
    /// ```
    /// use autodiff_core::Lanes;
    ///
    /// assert_eq!(Lanes::<f64, 3>::unit(1), Lanes([0.0, 1.0, 0.0]));
    /// ```
    #[must_use]
    pub fn unit(lane: usize) -> Self {
        let mut unit = Self::ZERO;
        unit.0[lane] = T::ONE;
        unit
    }

    /// Each lane through `f`.
    #[inline(always)]
    pub(crate) fn map<U>(self, mut f: impl FnMut(T) -> U) -> Lanes<U, L> {
        Lanes(from_fn(|lane| f(self.0[lane])))
    }

    /// The lanes as another float type.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub fn cast<U: Real>(self) -> Lanes<U, L> {
        self.map(|x| U::from_f64(x.to_f64()))
    }
}

impl<T: Real, const L: usize> Default for Lanes<T, L> {
    fn default() -> Self {
        Self::ZERO
    }
}

impl<T: Real, const L: usize> Add for Lanes<T, L> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Lanes(from_fn(|lane| self.0[lane] + other.0[lane]))
    }
}

impl<T: Real, const L: usize> Sub for Lanes<T, L> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Lanes(from_fn(|lane| self.0[lane] - other.0[lane]))
    }
}

impl<T: Real, const L: usize> Neg for Lanes<T, L> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        self.map(T::neg)
    }
}

impl<T: Real, const L: usize> Mul<T> for Lanes<T, L> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: T) -> Self {
        self.map(|x| x * factor)
    }
}

impl<T: Real, const L: usize> Div<T> for Lanes<T, L> {
    type Output = Self;

    #[inline(always)]
    fn div(self, divisor: T) -> Self {
        self.map(|x| x / divisor)
    }
}

impl<T: Real, const L: usize> AddAssign for Lanes<T, L> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<T: Real, const L: usize> SubAssign for Lanes<T, L> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<T: Real, const L: usize> MulAssign<T> for Lanes<T, L> {
    #[inline(always)]
    fn mul_assign(&mut self, factor: T) {
        *self = *self * factor;
    }
}

impl<T: Real, const L: usize> DivAssign<T> for Lanes<T, L> {
    #[inline(always)]
    fn div_assign(&mut self, divisor: T) {
        *self = *self / divisor;
    }
}

macro_rules! by_float {
    ($($t:ty)*) => { $(
        impl<const L: usize> Mul<Lanes<$t, L>> for $t {
            type Output = Lanes<$t, L>;

            #[inline(always)]
            fn mul(self, lanes: Lanes<$t, L>) -> Lanes<$t, L> {
                lanes * self
            }
        }
    )* };
}
by_float!(f32 f64);

impl<T: Real, const L: usize> crate::Plain for Lanes<T, L> {}

impl<T: Real, const L: usize> Operand for Lanes<T, L> {
    type Value = Self;
    type Ref<'a> = Self;

    #[inline(always)]
    fn value(&self) -> &Self {
        self
    }

    #[inline(always)]
    fn operand(&self) -> Self {
        *self
    }
}

impl<T: Real, const L: usize> Differentiable for Lanes<T, L> {
    type Tangent = Self;

    #[inline(always)]
    fn zero_tangent(&self) -> Self {
        Self::ZERO
    }
}

impl<T: Real, const L: usize> Tangent for Lanes<T, L> {
    #[inline]
    fn accumulate(&mut self, other: &Self) {
        *self += *other;
    }

    #[inline]
    fn deduct(&mut self, other: &Self) {
        *self -= *other;
    }

    #[inline]
    fn negated(&self) -> Self {
        -*self
    }

    #[inline]
    fn scale(&mut self, factor: f64) {
        self.0.scale(factor);
    }

    #[inline]
    fn axpy(&mut self, a: f64, x: &Self) {
        self.0.axpy(a, &x.0);
    }

    #[inline]
    fn dot(&self, other: &Self) -> f64 {
        self.0.dot(&other.0)
    }

    #[inline]
    fn clear(&mut self) {
        *self = Self::ZERO;
    }

    #[inline]
    fn for_each<F: FnMut(f64)>(&self, visit: &mut F) {
        self.0.for_each(visit);
    }

    #[inline]
    fn for_each_mut<F: FnMut(f64) -> f64>(&mut self, update: &mut F) {
        self.0.for_each_mut(update);
    }
}
