//! Activations. Values and derivatives are stable in the tails.

use crate::{Real, rules::strong_product};

scalar_functions! {
    /// Rectified linear unit, `max(x, 0)`. Its derivative at 0 is 0.
    ///
    /// ```
    /// use autodiff_core::relu;
    ///
    /// assert_eq!((relu(2.0), relu(-2.0)), (2.0, 0.0));
    /// assert_eq!(relu::gradient(0.0), (0.0, 0.0));
    /// ```
    relu(x d_x) -> y { x.max(T::ZERO) } { if x > T::ZERO { T::ONE } else { T::ZERO } } [T::ZERO]

    /// `x` above 0, `slope * x` elsewhere.
    ///
    /// ```
    /// use autodiff_core::leaky_relu;
    ///
    /// assert_eq!(leaky_relu::gradient(-2.0, 0.25), (-0.5, (0.25, -2.0)));
    /// ```
    leaky_relu(x d_x, slope d_slope) -> y {
        if x > T::ZERO { x } else { slope * x }
    } {
        if x > T::ZERO { T::ONE } else { slope },
        if x > T::ZERO { T::ZERO } else { x }
    } [T::ZERO, if x > T::ZERO { T::ZERO } else { T::ONE }, T::ZERO]

    /// Exponential linear unit: `x` above 0, `alpha * (exp(x) - 1)` elsewhere.
    ///
    /// Source: Clevert, Unterthiner, Hochreiter, "Fast and accurate deep network learning by exponential linear
    /// units" (2015).
    ///
    /// ```
    /// use autodiff_core::elu;
    ///
    /// let (y, (dx, da)) = elu::gradient(-1.0_f64, 2.0);
    /// assert_eq!((y, dx, da), (2.0 * (-1.0_f64).exp_m1(), 2.0 * (-1.0_f64).exp(), (-1.0_f64).exp_m1()));
    /// ```
    elu(x d_x, alpha d_alpha) -> y {
        if x > T::ZERO { x } else { alpha * x.exp_m1() }
    } {
        if x > T::ZERO { T::ONE } else { alpha * x.exp() },
        if x > T::ZERO { T::ZERO } else { x.exp_m1() }
    } [
        if x > T::ZERO { T::ZERO } else { alpha * x.exp() },
        if x > T::ZERO { T::ZERO } else { x.exp() },
        T::ZERO
    ]

    /// Gaussian error linear unit in its tanh form, `x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3)))`, computed
    /// as `x * sigmoid(2 * ..)`, which is the same and does not cancel far below 0.
    ///
    /// Source: Hendrycks, Gimpel, "Gaussian error linear units" (2016).
    ///
    /// ```
    /// use autodiff_core::gelu;
    ///
    /// assert_eq!(gelu::gradient(0.0), (0.0, 0.5));
    /// assert_eq!(gelu::gradient(1e300), (1e300, 1.0));
    /// ```
    gelu(x d_x) -> y {
        strong_product(x, logistic(gelu_logit(x)))
    } {{
        let (s, logit) = (logistic(gelu_logit(x)), gelu_logit(x));
        let slope = T::from_f64(2.0 * GELU_SCALE) * (T::ONE + T::from_f64(3.0 * GELU_CUBE) * x * x);
        s + strong_product(s * logistic(-logit), x * slope)
    }} [{
        let logit = gelu_logit(x);
        let slope = T::from_f64(2.0 * GELU_SCALE) * (T::ONE + T::from_f64(3.0 * GELU_CUBE) * x * x);
        let bend = T::from_f64(12.0 * GELU_SCALE * GELU_CUBE) * x;
        let (s, rest) = (logistic(logit), logistic(-logit));
        strong_product(s * rest, T::TWO * slope + x * (slope * slope * (rest - s) + bend))
    }]

    /// Logistic function, `1 / (1 + exp(-x))`.
    ///
    /// ```
    /// use autodiff_core::sigmoid;
    ///
    /// assert_eq!(sigmoid::gradient(0.0), (0.5, 0.25));
    /// assert_eq!(sigmoid::gradient(-800.0), (0.0, 0.0));
    /// ```
    sigmoid(x d_x) -> y { logistic(x) } { y * logistic(-x) } [y * logistic(-x) * (logistic(-x) - y)]

    /// Sigmoid linear unit, `x * sigmoid(x)`, also known as swish.
    ///
    /// ```
    /// use autodiff_core::silu;
    ///
    /// assert_eq!(silu::gradient(0.0), (0.0, 0.5));
    /// assert_eq!(silu::gradient(800.0), (800.0, 1.0));
    /// ```
    silu(x d_x) -> y { strong_product(x, logistic(x)) } {{
        let s = logistic(x);
        s + strong_product(x, s * logistic(-x))
    }} [{
        let (s, rest) = (logistic(x), logistic(-x));
        strong_product(s * rest, T::TWO + x * (rest - s))
    }]

    /// `ln(1 + exp(x))`, computed as `max(x, 0) + ln(1 + exp(-|x|))`.
    ///
    /// ```
    /// use autodiff_core::softplus;
    ///
    /// assert_eq!(softplus::gradient(800.0), (800.0, 1.0));
    /// assert_eq!(softplus::gradient(0.0).1, 0.5);
    /// ```
    softplus(x d_x) -> y { log_one_plus_exp(x) } { logistic(x) } [logistic(x) * logistic(-x)]
}

const GELU_SCALE: f64 = 0.797_884_560_802_865_4;
const GELU_CUBE: f64 = 0.044_715;

/// Twice the argument of the hyperbolic tangent: `(1 + tanh(u)) / 2 = sigmoid(2 u)`.
fn gelu_logit<T: Real>(x: T) -> T {
    T::from_f64(2.0 * GELU_SCALE) * (x + T::from_f64(GELU_CUBE) * x * x * x)
}

/// The logistic function, with an exponential that cannot overflow.
pub(super) fn logistic<T: Real>(x: T) -> T {
    let e = (-x.abs()).exp();
    if x >= T::ZERO { T::ONE / (T::ONE + e) } else { e / (T::ONE + e) }
}

/// `ln(1 + exp(x))` without overflow.
pub(super) fn log_one_plus_exp<T: Real>(x: T) -> T {
    x.max(T::ZERO) + (-x.abs()).exp().ln_1p()
}
