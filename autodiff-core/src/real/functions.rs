//! The functions of [`Real`](super::Real): two lists and what is made of them.

/// The functions that `core` computes, handed to `$then!`.
macro_rules! core_functions {
    ($then:ident $t:ident) => {
        $then! { $t
            /// Absolute value.
            abs() -> Self;
            /// 1 with the sign of `self`; NaN of NaN.
            signum() -> Self;
            /// The magnitude of `self` with the sign of `sign`.
            copysign(sign: Self) -> Self;
            /// `1 / self`.
            recip() -> Self;
            /// The larger of two numbers; where one is NaN, the other.
            max(other: Self) -> Self;
            /// The smaller of two numbers; where one is NaN, the other.
            min(other: Self) -> Self;
            /// `self` confined to `min..=max`; panics if `min > max` or one of them is NaN.
            clamp(min: Self, max: Self) -> Self;
            /// The number in the middle between two.
            midpoint(other: Self) -> Self;
            /// Radians from degrees.
            to_radians() -> Self;
            /// Degrees from radians.
            to_degrees() -> Self;
            /// Whether `self` is NaN.
            is_nan() -> bool;
            /// Whether `self` is neither infinite nor NaN.
            is_finite() -> bool;
            /// Whether `self` is positive or negative infinity.
            is_infinite() -> bool;
            /// Whether the sign bit of `self` is clear.
            is_sign_positive() -> bool;
            /// Whether the sign bit of `self` is set.
            is_sign_negative() -> bool;
        }
    };
}

/// The functions that need `std` or `libm`, handed to `$then!`.
#[cfg(any(feature = "std", feature = "libm"))]
macro_rules! float_functions {
    ($then:ident $t:ident) => {
        $then! { $t
            /// Sine.
            sin() -> Self;
            /// Cosine.
            cos() -> Self;
            /// Tangent.
            tan() -> Self;
            /// Sine and cosine.
            sin_cos() -> (Self, Self);
            /// Arc sine.
            asin() -> Self;
            /// Arc cosine.
            acos() -> Self;
            /// Arc tangent.
            atan() -> Self;
            /// The angle of the point with ordinate `self` and abscissa `other`.
            atan2(other: Self) -> Self;
            /// Hyperbolic sine.
            sinh() -> Self;
            /// Hyperbolic cosine.
            cosh() -> Self;
            /// Hyperbolic tangent.
            tanh() -> Self;
            /// Inverse hyperbolic sine.
            asinh() -> Self;
            /// Inverse hyperbolic cosine.
            acosh() -> Self;
            /// Inverse hyperbolic tangent.
            atanh() -> Self;
            /// Exponential.
            exp() -> Self;
            /// `2` to the power `self`.
            exp2() -> Self;
            /// `exp(self) - 1`, exact near 0.
            exp_m1() -> Self;
            /// Natural logarithm.
            ln() -> Self;
            /// `ln(1 + self)`, exact near 0.
            ln_1p() -> Self;
            /// Logarithm to base 2.
            log2() -> Self;
            /// Logarithm to base 10.
            log10() -> Self;
            /// Logarithm to any base.
            log(base: Self) -> Self;
            /// Square root.
            sqrt() -> Self;
            /// Cube root.
            cbrt() -> Self;
            /// `self` to a real power.
            powf(n: Self) -> Self;
            /// `self` to an integer power.
            powi(n: i32) -> Self;
            /// `sqrt(self² + other²)` without overflow of the squares.
            hypot(other: Self) -> Self;
            /// `self * a + b`, rounded once.
            mul_add(a: Self, b: Self) -> Self;
            /// The quotient of Euclidean division.
            div_euclid(rhs: Self) -> Self;
            /// The remainder of Euclidean division, never negative.
            rem_euclid(rhs: Self) -> Self;
            /// The largest whole number not above `self`.
            floor() -> Self;
            /// The smallest whole number not below `self`.
            ceil() -> Self;
            /// The nearest whole number, halves away from zero.
            round() -> Self;
            /// The nearest whole number, halves to even.
            round_ties_even() -> Self;
            /// The whole part, towards zero.
            trunc() -> Self;
            /// `self - trunc(self)`.
            fract() -> Self;
        }
    };
}

/// The functions as trait items.
macro_rules! declare {
    ($t:ident $($(#[$doc:meta])* $name:ident($($arg:ident: $ty:ty)?$(, $arg2:ident: $ty2:ty)?) -> $ret:ty;)*) => { $(
        $(#[$doc])*
        #[must_use]
        fn $name(self $(, $arg: $ty)? $(, $arg2: $ty2)?) -> $ret;
    )* };
}

/// The functions as the inherent methods of `$t`.
macro_rules! inherent {
    ($t:ident $($(#[$doc:meta])* $name:ident($($arg:ident: $ty:ty)?$(, $arg2:ident: $ty2:ty)?) -> $ret:ty;)*) => { $(
        #[inline(always)]
        fn $name(self $(, $arg: $ty)? $(, $arg2: $ty2)?) -> $ret {
            $t::$name(self $(, $arg)? $(, $arg2)?)
        }
    )* };
}

/// The functions as those of the `libm` crate.
#[cfg(all(feature = "libm", not(feature = "std")))]
macro_rules! from_libm {
    ($t:ident $($(#[$doc:meta])* $name:ident($($arg:ident: $ty:ty)?$(, $arg2:ident: $ty2:ty)?) -> $ret:ty;)*) => { $(
        #[inline(always)]
        fn $name(self $(, $arg: $ty)? $(, $arg2: $ty2)?) -> $ret {
            libm::$t::$name(self $(, $arg)? $(, $arg2)?)
        }
    )* };
}
