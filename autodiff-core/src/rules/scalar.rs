//! The scalar primitives: one row each, and nothing else anywhere.
//!
//! A row names the function, its arguments, its result, and the partial derivative by each
//! argument as an expression over those names. What a pullback needs saved is what its partial
//! mentions. Partials are written in terms of the result where that is exact, and so that they
//! neither overflow nor cancel before the true value does. Every branch of a partial is right around its points and
//! not only at them: second derivatives are taken of the branch. Sources: the differentiation formulas
//! of the NIST Digital Library of Mathematical Functions, chapter 4, unless a row says otherwise.
//!
//! # Conventions where the derivative is a choice
//!
//! | function | derivative |
//! |---|---|
//! | `abs` | 0 at 0 |
//! | `copysign` | by the magnitude 0 at 0, by the sign 0 |
//! | `max`, `min` of two active operands | the selected one takes all, on a tie half each |
//! | `max`, `min` against a constant | on a tie `max` gives the active operand 0, `min` gives it 1 |
//! | `clamp` | by the value 1 on the closed interval; outside, by the bound in force |
//! | `sqrt`, `cbrt` | infinite at 0 |
//! | `hypot` | 0 at the origin |
//! | `powf` | by the exponent 0 at base 0; by the base exact at base 0 |
//! | `powi(0)` | 0 |
//! | `rem_euclid` | 1, and minus the quotient |
//! | the functions of [`zero_rules!`](crate::zero_rules) | 0 |

use crate::Real;

/// Hands the table of scalar primitives to the macro named `$then`.
///
/// One row is
///
/// ```text
/// /// What it is.
/// fn name(x, z, n: i32) -> y { x: PARTIAL, z: PARTIAL } at [(0.5, -0.7, 3), ..] flags;
/// ```
///
/// with one partial for each float argument and points at which the function is smooth. Partials
/// call functions by path, `Real::cos(x)`. Flags:
///
/// - `singular`: the value can be finite where the slope is infinite, so a product with a zero
///   cotangent needs [`strong_product`];
/// - `unbounded`: the slope is infinite only where the value is infinite too, at a pole or by overflow; a zero
///   cotangent meets it where what follows has a limit (`1 / (1 + exp(-x))` far out);
/// - `selects`: the partial can be exactly zero because another operand was selected.
///
/// `max_constant` and `min_constant` are `max` and `min` against an operand without derivative.
///
/// ```
/// macro_rules! count {
///     ($( $(#[$doc:meta])* fn $name:ident ($($arg:ident $(: $ty:ty)?),*) -> $y:ident
///         { $($a:ident : $partial:expr),* } at [$($point:tt),*] $($flag:ident)*; )*) => {
///         [$(stringify!($name)),*]
///     };
/// }
/// let names = autodiff_core::scalar_rules!(count);
/// assert!(names.contains(&"atan2"));
/// ```
#[macro_export]
macro_rules! scalar_rules {
    ($then:ident) => {
        $then! {
            /// Sine.
            fn sin(x) -> y { x: Real::cos(x) } at [(-2.0), (0.5)];
            /// Cosine.
            fn cos(x) -> y { x: -Real::sin(x) } at [(-2.0), (0.5)];
            /// Tangent: `1 + tan²`.
            fn tan(x) -> y { x: 1.0 + y * y } at [(-0.9), (0.5), (2.5)] unbounded;
            /// Arc sine: `1 / sqrt(1 - x²)`, factored so that it does not cancel near ±1.
            fn asin(x) -> y { x: 1.0 / Real::sqrt((1.0 - x) * (1.0 + x)) } at [(-0.8), (0.0), (0.3)] singular;
            /// Arc cosine.
            fn acos(x) -> y { x: -1.0 / Real::sqrt((1.0 - x) * (1.0 + x)) } at [(-0.8), (0.0), (0.3)] singular;
            /// Arc tangent.
            fn atan(x) -> y { x: 1.0 / (1.0 + x * x) } at [(-2.0), (0.0), (0.7)];
            /// Angle of the point with ordinate `x` and abscissa `z`: `z / r²` and `-x / r²`, each
            /// divided by the larger coordinate first so that no square overflows.
            fn atan2(x, z) -> y {
                x: if Real::abs(x) > Real::abs(z) { z / x / (x + z * (z / x)) }
                    else if z == 0.0 { 0.5 / z }
                    else if Real::is_infinite(z) { 0.5 / z }
                    else { 1.0 / (z + x * (x / z)) },
                z: if Real::abs(z) > Real::abs(x) { -x / z / (z + x * (x / z)) }
                    else if x == 0.0 { -0.5 / x }
                    else if Real::is_infinite(x) { -0.5 / x }
                    else { -1.0 / (x + z * (z / x)) }
            } at [(0.3, -0.7), (0.9, 0.2), (-1.0, -1.0), (0.0, 2.0), (3.0, 0.0)] singular;
            /// Hyperbolic sine.
            fn sinh(x) -> y { x: Real::cosh(x) } at [(-1.5), (0.0), (0.4)] unbounded;
            /// Hyperbolic cosine.
            fn cosh(x) -> y { x: Real::sinh(x) } at [(-1.5), (0.0), (0.4)] unbounded;
            /// Hyperbolic tangent: `1 - tanh²`.
            fn tanh(x) -> y { x: 1.0 - y * y } at [(-1.5), (0.0), (0.4)];
            /// Inverse hyperbolic sine: `1 / sqrt(x² + 1)`.
            fn asinh(x) -> y { x: 1.0 / Real::hypot(x, 1.0) } at [(-3.0), (0.0), (0.4)];
            /// Inverse hyperbolic cosine: `1 / sqrt(x² - 1)`, factored against cancellation near 1
            /// and overflow.
            fn acosh(x) -> y { x: 1.0 / (Real::sqrt(x - 1.0) * Real::sqrt(x + 1.0)) } at [(1.2), (5.0)] singular;
            /// Inverse hyperbolic tangent: `1 / (1 - x²)`.
            fn atanh(x) -> y { x: 1.0 / ((1.0 - x) * (1.0 + x)) } at [(-0.8), (0.0), (0.3)] unbounded;
            /// Exponential.
            fn exp(x) -> y { x: y } at [(-2.0), (0.5)] unbounded;
            /// Power of 2: `2^x ln 2`.
            fn exp2(x) -> y { x: Real::mul_ln_2(y) } at [(-2.0), (0.5)] unbounded;
            /// `exp(x) - 1`. Not `y + 1`, which is 0 for large negative `x`.
            fn exp_m1(x) -> y { x: Real::exp(x) } at [(-2.0), (0.5)] unbounded;
            /// Natural logarithm.
            fn ln(x) -> y { x: 1.0 / x } at [(0.3), (4.0)] unbounded;
            /// `ln(1 + x)`.
            fn ln_1p(x) -> y { x: 1.0 / (1.0 + x) } at [(-0.5), (0.0), (4.0)] unbounded;
            /// Logarithm to base 2: `log2(e) / x`.
            fn log2(x) -> y { x: Real::log2_e_over(x) } at [(0.3), (4.0)] unbounded;
            /// Logarithm to base 10: `log10(e) / x`.
            fn log10(x) -> y { x: Real::log10_e_over(x) } at [(0.3), (4.0)] unbounded;
            /// Logarithm to a base: `1 / (x ln b)` and `-log_b(x) / (b ln b)`.
            fn log(x, base) -> y {
                x: 1.0 / (x * Real::ln(base)),
                base: if x == 1.0 && (base <= 0.0 || base == 1.0) { 0.0 } else { -y / base / Real::ln(base) }
            } at [(0.3, 4.0), (5.0, 0.4)] unbounded;
            /// Square root. The derivative at 0 is infinite.
            fn sqrt(x) -> y { x: 0.5 / y } at [(0.25), (4.0)] singular;
            /// Cube root: `1 / (3 y²)`. The derivative at 0 is infinite.
            fn cbrt(x) -> y { x: 1.0 / (3.0 * y * y) } at [(-8.0), (0.3)] singular;
            /// Real power: `p x^(p-1)` and `x^p ln x`. The first is `p y / x` where `y` is far from
            /// overflow and underflow. The second is 0 at `x = 0`, and never formed for an exponent
            /// without derivative, so a negative base is no harm there.
            fn powf(x, p) -> y {
                x: if p == 0.0 && Real::abs(x) < 1e-30 { 0.0 }
                    else if Real::abs(y) > 1e-30 && Real::abs(y) < 1e30 { p * (y / x) }
                    else { p * Real::powf(x, p - 1.0) },
                p: if x == 0.0 { 0.0 } else if y == 0.0 { 0.0 } else { y * Real::ln(x) }
            } at [(0.7, 2.3), (1.8, -1.5), (2.0, 3.0), (1e-20, 2.0)] singular;
            /// Integer power: `n x^(n-1)`, without `n - 1` where that does not exist.
            fn powi(x, n: i32) -> y {
                x: if n == 0 { 0.0 }
                    else if n == -2_147_483_648 { Real::mul_i32(Real::powi(x, n) / x, n) }
                    else { Real::mul_i32(Real::powi(x, n - 1), n) }
            } at [(1.3, 3), (-0.7, 2), (-0.7, -3), (0.4, 1), (0.0, 1), (0.9, 0)] unbounded;
            /// Length of the point `(x, z)`: its direction; 0 at the origin. Where the value is as
            /// large as `x`, the slope is 1; where it overflows, half of the point has the same
            /// direction.
            fn hypot(x, z) -> y {
                x: if y == 0.0 { 0.0 }
                    else if !Real::is_infinite(y) { x / y }
                    else if Real::abs(x) == y { Real::signum(x) }
                    else { 0.5 * x / Real::hypot(0.5 * x, 0.5 * z) },
                z: if y == 0.0 { 0.0 }
                    else if !Real::is_infinite(y) { z / y }
                    else if Real::abs(z) == y { Real::signum(z) }
                    else { 0.5 * z / Real::hypot(0.5 * x, 0.5 * z) }
            } at [(0.3, -0.4), (-2.0, 0.0), (0.0, 3.0)];
            /// Reciprocal.
            fn recip(x) -> y { x: -y * y } at [(-2.0), (0.5)] unbounded;
            /// Absolute value; 0 at 0.
            fn abs(x) -> y { x: if x > 0.0 { 1.0 } else if x < 0.0 { -1.0 } else { 0.0 } } at [(-2.0), (0.5)] selects;
            /// Magnitude of `x` with the sign of `s`; by the magnitude 0 at 0, by the sign 0.
            fn copysign(x, s) -> y {
                x: if x == 0.0 { 0.0 } else { Real::signum(x) * Real::signum(s) },
                s: 0.0
            } at [(-2.0, 3.0), (-2.0, -3.0), (0.5, 3.0), (0.5, -3.0)] selects;
            /// The larger; on a tie half each. Where one operand is NaN, the other is selected.
            fn max(x, z) -> y {
                x: if x == z { 0.5 } else if y == x { 1.0 } else { 0.0 },
                z: if x == z { 0.5 } else if y == z { 1.0 } else { 0.0 }
            } at [(0.3, -0.7), (-2.0, 1.0)] selects;
            /// The smaller; on a tie half each. Where one operand is NaN, the other is selected.
            fn min(x, z) -> y {
                x: if x == z { 0.5 } else if y == x { 1.0 } else { 0.0 },
                z: if x == z { 0.5 } else if y == z { 1.0 } else { 0.0 }
            } at [(0.3, -0.7), (-2.0, 1.0)] selects;
            /// `max` against a constant; 0 on a tie, so that `max_constant(x, 0.0)` is relu.
            fn max_constant(x, c) -> y { x: if y == c { 0.0 } else { 1.0 } } at [(0.3, -0.7), (-2.0, 1.0)] selects;
            /// `min` against a constant; 1 on a tie.
            fn min_constant(x, c) -> y { x: if y == x { 1.0 } else { 0.0 } } at [(0.3, -0.7), (-2.0, 1.0)] selects;
            /// Confined to an interval: 1 on the closed interval; outside, the bound takes it all.
            fn clamp(x, low, high) -> y {
                x: if x < low { 0.0 } else if x > high { 0.0 } else { 1.0 },
                low: if x < low { 1.0 } else { 0.0 },
                high: if x > high { 1.0 } else { 0.0 }
            } at [(0.3, -0.7, 0.9), (-2.0, -1.0, 1.0), (4.0, -1.0, 1.0)] selects;
            /// `x * a + b`, rounded once.
            fn mul_add(x, a, b) -> y { x: a, a: x, b: 1.0 } at [(0.3, -0.7, 2.0)];
            /// The number in the middle between two.
            fn midpoint(x, z) -> y { x: 0.5, z: 0.5 } at [(0.3, -0.7)];
            /// Euclidean remainder `x - q m` with `q` whole: 1 and `-q`.
            fn rem_euclid(x, m) -> y { x: 1.0, m: -Real::div_euclid(x, m) } at [(7.3, 2.0), (-7.3, 2.0), (7.3, -2.0), (-7.3, -2.0)];
            /// Fractional part.
            fn fract(x) -> y { x: 1.0 } at [(-2.3), (0.5)];
            /// Radians from degrees.
            fn to_radians(x) -> y { x: 0.017_453_292_519_943_295 } at [(-2.0), (90.0)];
            /// Degrees from radians.
            fn to_degrees(x) -> y { x: 57.295_779_513_082_32 } at [(-2.0), (0.5)];
        }
    };
}

/// Hands the list of functions whose derivative is zero wherever it exists, and by convention
/// where it does not, to the macro named `$then`. One row is `fn name(x, ..);`.
///
/// ```
/// macro_rules! names {
///     ($( $(#[$doc:meta])* fn $name:ident ($($arg:ident),*); )*) => { [$(stringify!($name)),*] };
/// }
/// assert!(autodiff_core::zero_rules!(names).contains(&"floor"));
/// ```
#[macro_export]
macro_rules! zero_rules {
    ($then:ident) => {
        $then! {
            /// 1 with the sign of the argument.
            fn signum(x);
            /// The largest whole number not above.
            fn floor(x);
            /// The smallest whole number not below.
            fn ceil(x);
            /// The nearest whole number, halves away from zero.
            fn round(x);
            /// The nearest whole number, halves to even.
            fn round_ties_even(x);
            /// The whole part, towards zero.
            fn trunc(x);
            /// The quotient of Euclidean division.
            fn div_euclid(x, m);
        }
    };
}

/// `a * b`, but exactly 0 where either factor is exactly 0.
///
/// A zero cotangent says that nothing depends on this value, so an infinite slope is no harm:
/// the gradient of `sqrt(x * x + y * y)` at the origin is 0.
///
/// ```
/// use autodiff_core::rules::strong_product;
///
/// assert_eq!(strong_product(0.0, f64::INFINITY), 0.0);
/// assert_eq!(strong_product(f64::NAN, 0.0), 0.0);
/// assert_eq!(strong_product(2.0, 3.0), 6.0);
/// ```
#[inline(always)]
#[must_use]
pub fn strong_product<T: Real>(a: T, b: T) -> T {
    if a == T::ZERO || b == T::ZERO { T::ZERO } else { a * b }
}

/// `cotangent * slope`, but exactly 0 where the cotangent is exactly 0, whatever the slope.
///
/// ```
/// use autodiff_core::rules::strong_cotangent;
///
/// assert_eq!(strong_cotangent(0.0, f64::INFINITY), 0.0);
/// assert_eq!(strong_cotangent(2.0, 3.0), 6.0);
/// ```
#[inline(always)]
#[must_use]
pub fn strong_cotangent<T: Real>(cotangent: T, slope: T) -> T {
    if cotangent == T::ZERO { T::ZERO } else { cotangent * slope }
}

/// `cotangent * slope`, but exactly 0 where the slope is exactly 0, whatever the cotangent.
///
/// ```
/// use autodiff_core::rules::strong_slope;
///
/// assert_eq!(strong_slope(f64::INFINITY, 0.0), 0.0);
/// assert_eq!(strong_slope(2.0, 3.0), 6.0);
/// ```
#[inline(always)]
#[must_use]
pub fn strong_slope<T: Real>(cotangent: T, slope: T) -> T {
    if slope == T::ZERO { T::ZERO } else { cotangent * slope }
}

/// `a / b`, but exactly 0 where `a` is exactly 0.
///
/// ```
/// use autodiff_core::rules::strong_quotient;
///
/// assert_eq!(strong_quotient(0.0, 0.0), 0.0);
/// assert_eq!(strong_quotient(1.0, 4.0), 0.25);
/// ```
#[inline(always)]
#[must_use]
pub fn strong_quotient<T: Real>(a: T, b: T) -> T {
    if a == T::ZERO { T::ZERO } else { a / b }
}
