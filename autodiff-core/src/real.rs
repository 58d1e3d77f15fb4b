//! The float types behind one trait.
//!
//! [`Real`] has every function of `std`'s floats as a trait method with `std`'s name and meaning,
//! so that formulas call the same function on a host, on a microcontroller and in code that is
//! generic over the float. With the feature `std` a method is `std`'s own, bit for bit; with
//! `libm` it is that crate's; with neither, only those exist that `core` can compute.

#[macro_use]
mod functions;
#[cfg(all(feature = "libm", not(feature = "std")))]
mod libm;

use core::fmt::{Debug, Display, LowerExp};
use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign};

use crate::rules::{AddRule, DivRule, MulRule, NegRule, SubRule};
use crate::{Differentiable, Operand, Tangent};

/// What matrices ask of their scalars; nothing, where there are no matrices. Seals [`Real`].
mod scalar {
    #[cfg(feature = "nalgebra")]
    pub trait Scalar: nalgebra::Scalar + nalgebra::Field {}
    #[cfg(not(feature = "nalgebra"))]
    pub trait Scalar {}

    impl Scalar for f32 {}
    impl Scalar for f64 {}
}

/// The real numbers of a program: `f32` and `f64`.
///
/// The methods are those of `std`'s floats, to be called on any `T: Real`, or by path where an
/// inherent method must not be meant:
///
/// ```
/// use autodiff_core::Real;
///
/// fn distance<T: Real>(a: [T; 2], b: [T; 2]) -> T {
///     (a[0] - b[0]).hypot(a[1] - b[1])
/// }
/// assert_eq!(distance([1.0_f32, 2.0], [4.0, 6.0]), 5.0);
/// assert_eq!(Real::cos(0.0_f64), 1.0);
/// ```
///
/// The trait is sealed: rules may ask more of it in later versions.
#[diagnostic::on_unimplemented(message = "`{Self}` is not a float type", label = "expected `f32` or `f64`")]
pub trait Real:
    scalar::Scalar
    + Copy
    + Default
    + Debug
    + Display
    + LowerExp
    + PartialOrd
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + RemAssign
    + Sum
    + Product
    + for<'a> Sum<&'a Self>
    + for<'a> Product<&'a Self>
    + Tangent
    + Differentiable<Tangent = Self>
    + for<'a> Operand<Value = Self, Ref<'a> = Self>
    + crate::Plain
    + AddRule<Self, Seed = Self>
    + SubRule<Self, Seed = Self>
    + MulRule<Self, Seed = Self>
    + DivRule<Self, Seed = Self>
    + NegRule<Seed = Self>
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// 2.
    const TWO: Self;
    /// 1/2.
    const HALF: Self;
    /// Archimedes' constant.
    const PI: Self;
    /// The full circle, 2 π.
    const TAU: Self;
    /// Euler's number.
    const E: Self;
    /// The natural logarithm of 2.
    const LN_2: Self;
    /// The natural logarithm of 10.
    const LN_10: Self;
    /// The distance from 1 to the next larger number.
    const EPSILON: Self;
    /// The smallest positive normal number.
    const MIN_POSITIVE: Self;
    /// The smallest finite number.
    const MIN: Self;
    /// The largest finite number.
    const MAX: Self;
    /// Positive infinity.
    const INFINITY: Self;
    /// Negative infinity.
    const NEG_INFINITY: Self;
    /// Not a number.
    const NAN: Self;

    /// The nearest number of this type.
    #[must_use]
    fn from_f64(value: f64) -> Self;
    /// The same number as `f64`.
    #[must_use]
    fn to_f64(self) -> f64;
    /// `self * n`, with `n` rounded to this type.
    #[must_use]
    fn mul_i32(self, n: i32) -> Self;
    /// `self * ln(2)`.
    #[must_use]
    fn mul_ln_2(self) -> Self;
    /// `log2(e) / self`, the slope of `log2`.
    #[must_use]
    fn log2_e_over(self) -> Self;
    /// `log10(e) / self`, the slope of `log10`.
    #[must_use]
    fn log10_e_over(self) -> Self;

    core_functions!(declare Self);
    #[cfg(any(feature = "std", feature = "libm"))]
    float_functions!(declare Self);

    /// The order of all floats, NaN included.
    #[must_use]
    fn total_cmp(&self, other: &Self) -> core::cmp::Ordering;
}

/// Implements [`Real`]; functions beyond `core` come from the inherent methods or from `libm`.
macro_rules! real {
    ($t:ident) => {
        impl Real for $t {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const TWO: Self = 2.0;
            const HALF: Self = 0.5;
            const PI: Self = core::$t::consts::PI;
            const TAU: Self = core::$t::consts::TAU;
            const E: Self = core::$t::consts::E;
            const LN_2: Self = core::$t::consts::LN_2;
            const LN_10: Self = core::$t::consts::LN_10;
            const EPSILON: Self = $t::EPSILON;
            const MIN_POSITIVE: Self = $t::MIN_POSITIVE;
            const MIN: Self = $t::MIN;
            const MAX: Self = $t::MAX;
            const INFINITY: Self = $t::INFINITY;
            const NEG_INFINITY: Self = $t::NEG_INFINITY;
            const NAN: Self = $t::NAN;

            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                value as Self
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            #[inline(always)]
            fn mul_i32(self, n: i32) -> Self {
                self * (n as Self)
            }
            #[inline(always)]
            fn mul_ln_2(self) -> Self {
                self * core::$t::consts::LN_2
            }
            #[inline(always)]
            fn log2_e_over(self) -> Self {
                core::$t::consts::LOG2_E / self
            }
            #[inline(always)]
            fn log10_e_over(self) -> Self {
                core::$t::consts::LOG10_E / self
            }
            #[inline(always)]
            fn total_cmp(&self, other: &Self) -> core::cmp::Ordering {
                $t::total_cmp(self, other)
            }
            core_functions!(inherent $t);
            #[cfg(feature = "std")]
            float_functions!(inherent $t);
            #[cfg(all(feature = "libm", not(feature = "std")))]
            float_functions!(from_libm $t);
        }
    };
}
real!(f32);
real!(f64);
