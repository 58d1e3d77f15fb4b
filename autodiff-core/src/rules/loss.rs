//! Losses. Cross-entropies take logits, so that they are stable in the tails.

use super::activation::logistic;
use super::softmax::LogSum;
use crate::vector::{shadow_of, tangent_of};
use crate::{Real, Vector, rules::strong_product};

scalar_functions! {
    /// `(y - target)^2`.
    ///
    /// ```
    /// use autodiff_core::squared_error;
    ///
    /// assert_eq!(squared_error::gradient(3.0, 1.0), (4.0, (4.0, -4.0)));
    /// ```
    squared_error(prediction d_prediction, target d_target) -> y {
        (prediction - target) * (prediction - target)
    } {
        T::TWO * (prediction - target),
        -(T::TWO * (prediction - target))
    } [T::TWO, -T::TWO, T::TWO]

    /// `-target ln(p) - (1 - target) ln(1 - p)` where `p = sigmoid(logit)`, computed as
    /// `(1 - target) max(logit, 0) + target max(-logit, 0) + ln(1 + exp(-|logit|))`, of which nothing cancels.
    ///
    /// ```
    /// use autodiff_core::binary_cross_entropy_from_logits;
    ///
    /// assert_eq!(binary_cross_entropy_from_logits(800.0, 0.0), 800.0);
    /// assert_eq!(binary_cross_entropy_from_logits::gradient(-800.0, 1.0), (800.0, (-1.0, 800.0)));
    /// ```
    binary_cross_entropy_from_logits(logit d_logit, target d_target) -> y {
        strong_product(T::ONE - target, logit.max(T::ZERO))
            + strong_product(target, (-logit).max(T::ZERO))
            + (-logit.abs()).exp().ln_1p()
    } {
        (T::ONE - target) * logistic(logit) - target * logistic(-logit),
        -logit
    } [logistic(logit) * logistic(-logit), -T::ONE, T::ZERO]

    /// Huber's loss: `r^2 / 2` up to `|r| = delta`, and from there on linear.
    ///
    /// Source: Huber, "Robust estimation of a location parameter" (1964).
    ///
    /// ```
    /// use autodiff_core::huber;
    ///
    /// assert_eq!(huber::gradient(0.5, 1.0), (0.125, (0.5, 0.0)));
    /// assert_eq!(huber::gradient(-3.0, 1.0), (2.5, (-1.0, 2.0)));
    /// ```
    huber(residual d_residual, delta d_delta) -> y {
        if residual.abs() <= delta {
            T::HALF * residual * residual
        } else {
            delta * (residual.abs() - T::HALF * delta)
        }
    } {
        if residual.abs() <= delta { residual } else { residual.signum() * delta },
        if residual.abs() <= delta { T::ZERO } else { residual.abs() - delta }
    } [
        if residual.abs() <= delta { T::ONE } else { T::ZERO },
        if residual.abs() <= delta { T::ZERO } else { residual.signum() },
        if residual.abs() <= delta { T::ZERO } else { -T::ONE }
    ]
}

/// The negative logarithm of the share that [`softmax`](fn@super::softmax::softmax) gives to `class`.
///
/// # Panics
/// Where `class` is not below the number of logits.
///
/// ```
/// use autodiff_core::cross_entropy_from_logits;
///
/// assert_eq!(cross_entropy_from_logits(&[0.0, -1e4], 1), 1e4);
/// let mut shadow = [0.0; 2];
/// cross_entropy_from_logits::vjp_into(&[0.0, -1e4], 1, 1.0, &mut shadow);
/// assert_eq!(shadow, [1.0, -1.0]);
/// ```
#[inline]
#[must_use]
pub fn cross_entropy_from_logits<V: Vector + ?Sized>(logits: &V, class: usize) -> V::Scalar {
    LogSum::of(logits).without(own(logits, class))
}

fn own<V: Vector + ?Sized>(logits: &V, class: usize) -> V::Scalar {
    *logits.components().nth(class).expect("cross_entropy_from_logits: the class has no logit")
}

/// `softmax(x) - e_class`. For the class that is `exp(-loss) - 1`, which does not cancel where it fits well.
pub(super) fn slopes<V: Vector + ?Sized>(logits: &V, class: usize, log_sum: LogSum<V::Scalar>) -> impl Iterator<Item = V::Scalar> {
    let shares = logits.components().map(move |&x| log_sum.share(x));
    let of_class = (-log_sum.without(own(logits, class))).exp_m1();
    shares.enumerate().map(move |(i, share)| if i == class { of_class } else { share })
}

/// The derivatives of [`cross_entropy_from_logits`](fn@cross_entropy_from_logits).
#[allow(non_camel_case_types)]
pub enum cross_entropy_from_logits {}

impl cross_entropy_from_logits {
    /// `ẏ = Σ ẋ_i softmax(x)_i - ẋ_class`.
    #[doc(hidden)]
    #[inline]
    pub fn pushforward<V: Vector + ?Sized>(logits: &V, class: usize, tangent: &V::Shadow, (): ()) -> (V::Scalar, V::Scalar) {
        let slopes = slopes(logits, class, LogSum::of(logits));
        (
            cross_entropy_from_logits(logits, class),
            slopes.zip(tangent_of("cross_entropy_from_logits", logits, tangent)).map(|(s, &d)| s * d).sum(),
        )
    }

    #[doc(hidden)]
    #[inline]
    pub fn scratch_1(_: &usize) {}

    /// `x̅ = y̅ (softmax(x) - e_class)`.
    #[doc(hidden)]
    #[inline]
    #[allow(clippy::type_complexity)]
    pub fn pullback<V: Vector + ?Sized>(logits: &V, class: usize) -> (V::Scalar, impl Fn(&V, V::Scalar, &mut V::Shadow) -> ((),) + use<V>) {
        let log_sum = LogSum::of(logits);
        (log_sum.without(own(logits, class)), move |logits: &V, seed: V::Scalar, shadow: &mut V::Shadow| {
            for (s, slope) in shadow_of("cross_entropy_from_logits", logits, shadow).zip(slopes(logits, class, log_sum)) {
                *s += seed * slope;
            }
            ((),)
        })
    }

    #[doc(hidden)]
    #[inline]
    pub fn scratch_0<V: Vector + ?Sized>(logits: &V) -> V::Owned {
        logits.scratch()
    }

    /// The value; its cotangent for `seed` is added to `shadow`.
    #[inline]
    pub fn vjp_into<V: Vector + ?Sized>(logits: &V, class: usize, seed: V::Scalar, shadow: &mut V::Shadow) -> V::Scalar {
        let (value, back) = Self::pullback(logits, class);
        back(logits, seed, shadow);
        value
    }
}

/// The mean of the squared differences of the components.
///
/// # Panics
/// Where the vectors are empty or of different sizes.
///
/// ```
/// use autodiff_core::mean_squared_error;
///
/// assert_eq!(mean_squared_error(&[1.0, 2.0], &[0.0, 4.0]), 2.5);
/// ```
#[inline]
#[must_use]
pub fn mean_squared_error<V: Vector + ?Sized>(predictions: &V, targets: &V) -> V::Scalar {
    let count = count(predictions, targets);
    let squares = predictions.components().zip(targets.components()).map(|(&y, &t)| (y - t) * (y - t));
    squares.sum::<V::Scalar>() / count
}

pub(super) fn count<V: Vector + ?Sized>(predictions: &V, targets: &V) -> V::Scalar {
    let (predicted, wanted) = (predictions.components().count(), targets.components().count());
    assert!(predicted == wanted && predicted > 0, "mean_squared_error: {predicted} predictions and {wanted} targets");
    V::Scalar::from_f64(predicted as f64)
}

/// The derivatives of [`mean_squared_error`](fn@mean_squared_error).
#[allow(non_camel_case_types)]
pub enum mean_squared_error {}

impl mean_squared_error {
    /// `2 Σ (y_i - t_i) (ẏ_i - ṫ_i) / n`.
    #[doc(hidden)]
    #[inline]
    pub fn pushforward<V: Vector + ?Sized>(
        predictions: &V,
        targets: &V,
        of_predictions: &V::Shadow,
        of_targets: &V::Shadow,
    ) -> (V::Scalar, V::Scalar) {
        let differences = predictions.components().zip(targets.components()).map(|(&y, &t)| y - t);
        let tangents = tangent_of("mean_squared_error", predictions, of_predictions)
            .zip(tangent_of("mean_squared_error", targets, of_targets))
            .map(|(&y, &t)| y - t);
        let sum: V::Scalar = differences.zip(tangents).map(|(d, t)| d * t).sum();
        (mean_squared_error(predictions, targets), V::Scalar::TWO * sum / count(predictions, targets))
    }

    /// `2 y̅ (y - t) / n` for the predictions, its negative for the targets.
    #[doc(hidden)]
    #[inline]
    #[allow(clippy::type_complexity)]
    pub fn pullback<V: Vector + ?Sized>(
        predictions: &V,
        targets: &V,
    ) -> (V::Scalar, impl Fn(&V, &V, V::Scalar, &mut V::Shadow, &mut V::Shadow) + use<V>) {
        let value = mean_squared_error(predictions, targets);
        let back = move |predictions: &V, targets: &V, seed: V::Scalar, of_predictions: &mut V::Shadow, of_targets: &mut V::Shadow| {
            let factor = V::Scalar::TWO * seed / count(predictions, targets);
            let differences = || predictions.components().zip(targets.components()).map(|(&y, &t)| factor * (y - t));
            for (s, d) in shadow_of("mean_squared_error", predictions, of_predictions).zip(differences()) {
                *s += d;
            }
            for (s, d) in shadow_of("mean_squared_error", targets, of_targets).zip(differences()) {
                *s -= d;
            }
        };
        (value, back)
    }

    #[doc(hidden)]
    #[inline]
    pub fn scratch_0<V: Vector + ?Sized>(predictions: &V) -> V::Owned {
        predictions.scratch()
    }

    #[doc(hidden)]
    #[inline]
    pub fn scratch_1<V: Vector + ?Sized>(targets: &V) -> V::Owned {
        targets.scratch()
    }
}
