//! The functions of `libm` under `std`'s names, for targets without `std`.
//!
//! What `libm` does not have follows `std`'s definitions.

/// Functions that exist under another name, and those that have to be made.
macro_rules! library {
    ($t:ident { $($name:ident($($arg:ident),*) = $from:ident;)* }) => {
        pub(super) mod $t {
            $(
                #[inline(always)]
                pub(in crate::real) fn $name($($arg: $t),*) -> $t {
                    ::libm::$from($($arg),*)
                }
            )*

            #[inline]
            pub(in crate::real) fn log(x: $t, base: $t) -> $t {
                ln(x) / ln(base)
            }

            #[inline]
            pub(in crate::real) fn sin_cos(x: $t) -> ($t, $t) {
                (sin(x), cos(x))
            }

            #[inline]
            pub(in crate::real) fn fract(x: $t) -> $t {
                x - trunc(x)
            }

            /// Square and multiply.
            #[inline]
            pub(in crate::real) fn powi(x: $t, n: i32) -> $t {
                let mut base = x;
                let mut rest = n.unsigned_abs();
                let mut power = 1.0;
                while rest > 0 {
                    if rest & 1 == 1 {
                        power *= base;
                    }
                    base *= base;
                    rest >>= 1;
                }
                if n < 0 { 1.0 / power } else { power }
            }

            #[inline]
            pub(in crate::real) fn div_euclid(x: $t, m: $t) -> $t {
                let q = trunc(x / m);
                if x % m < 0.0 {
                    if m > 0.0 { q - 1.0 } else { q + 1.0 }
                } else {
                    q
                }
            }

            #[inline]
            pub(in crate::real) fn rem_euclid(x: $t, m: $t) -> $t {
                let r = x % m;
                if r < 0.0 { r + m.abs() } else { r }
            }
        }
    };
}

library! { f64 {
    sin(x) = sin; cos(x) = cos; tan(x) = tan;
    asin(x) = asin; acos(x) = acos; atan(x) = atan; atan2(y, x) = atan2;
    sinh(x) = sinh; cosh(x) = cosh; tanh(x) = tanh;
    asinh(x) = asinh; acosh(x) = acosh; atanh(x) = atanh;
    exp(x) = exp; exp2(x) = exp2; exp_m1(x) = expm1;
    ln(x) = log; ln_1p(x) = log1p; log2(x) = log2; log10(x) = log10;
    sqrt(x) = sqrt; cbrt(x) = cbrt; powf(x, n) = pow; hypot(x, y) = hypot; mul_add(x, a, b) = fma;
    floor(x) = floor; ceil(x) = ceil; round(x) = round; round_ties_even(x) = rint; trunc(x) = trunc;
} }

library! { f32 {
    sin(x) = sinf; cos(x) = cosf; tan(x) = tanf;
    asin(x) = asinf; acos(x) = acosf; atan(x) = atanf; atan2(y, x) = atan2f;
    sinh(x) = sinhf; cosh(x) = coshf; tanh(x) = tanhf;
    asinh(x) = asinhf; acosh(x) = acoshf; atanh(x) = atanhf;
    exp(x) = expf; exp2(x) = exp2f; exp_m1(x) = expm1f;
    ln(x) = logf; ln_1p(x) = log1pf; log2(x) = log2f; log10(x) = log10f;
    sqrt(x) = sqrtf; cbrt(x) = cbrtf; powf(x, n) = powf; hypot(x, y) = hypotf; mul_add(x, a, b) = fmaf;
    floor(x) = floorf; ceil(x) = ceilf; round(x) = roundf; round_ties_even(x) = rintf; trunc(x) = truncf;
} }
