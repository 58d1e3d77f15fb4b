//! The ready-made functions of vectors with several tangents at once.

use super::{loss, softmax};
use crate::{InLanes, Lanes, Real, Vector};

/// The tangents of `v`, one for each component.
///
/// # Panics
/// Where they are more or fewer.
#[track_caller]
fn of<'a, V: Vector + ?Sized, const L: usize>(operation: &str, v: &V, tangents: &'a [Lanes<V::Scalar, L>]) -> &'a [Lanes<V::Scalar, L>] {
    let count = v.components().count();
    assert!(count == tangents.len(), "{operation}: a vector of {count} components has a tangent of {}", tangents.len());
    tangents
}

/// `Σ ẋ_i w_i`.
fn weighted<T: Real, const L: usize>(tangents: &[Lanes<T, L>], weights: impl Iterator<Item = T>) -> Lanes<T, L> {
    tangents.iter().zip(weights).fold(Lanes::ZERO, |sum, (&tangent, weight)| sum + tangent * weight)
}

/// Zero shadows.
macro_rules! scratches {
    ($($space:ident $name:ident $($function:ident)*;)*) => { $(
        impl $space::$name { $(
            #[doc(hidden)]
            #[inline]
            pub fn $function<V: Vector<Owned: InLanes<L>> + ?Sized, const L: usize>(v: &V) -> <V::Owned as InLanes<L>>::Lanes {
                v.scratch().zero_lanes()
            }
        )* }
    )* };
}
scratches! {
    softmax softmax scratch_lanes_0;
    softmax log_softmax scratch_lanes_0;
    softmax log_sum_exp scratch_lanes_0;
    loss cross_entropy_from_logits scratch_lanes_0;
    loss mean_squared_error scratch_lanes_0 scratch_lanes_1;
}

/// Functions whose value has as many components as the argument.
macro_rules! to_vector {
    ($($name:ident |$y:ident, $tangents:ident| $sum:expr, |$component:ident, $tangent:ident, $total:ident| $each:expr;)*) => { $(
        impl softmax::$name {
            #[doc(hidden)]
            #[inline]
            pub fn pushforward_lanes<V, const L: usize>(
                v: &V,
                tangents: &[Lanes<V::Scalar, L>],
            ) -> (V::Owned, <V::Owned as InLanes<L>>::Lanes)
            where
                V: Vector<Owned: InLanes<L, Lanes: AsMut<[Lanes<V::Scalar, L>]>>> + ?Sized,
            {
                let $tangents = of(stringify!($name), v, tangents);
                let value = softmax::$name(v);
                let $total = {
                    let $y = V::owned_components(&value).copied();
                    $sum
                };
                let mut pushed = value.zero_lanes();
                let parts = V::owned_components(&value).zip($tangents);
                for (out, (&$component, &$tangent)) in pushed.as_mut().iter_mut().zip(parts) {
                    *out = $each;
                }
                (value, pushed)
            }
        }
    )* };
}
to_vector! {
    softmax |y, tangents| weighted(tangents, y), |y, tangent, total| {
        let centred: Lanes<V::Scalar, L> = tangent - total;
        centred * y
    };
    log_softmax |y, tangents| weighted(tangents, y.map(V::Scalar::exp)), |_y, tangent, total| tangent - total;
}

impl softmax::log_sum_exp {
    #[doc(hidden)]
    #[inline]
    pub fn pushforward_lanes<V: Vector + ?Sized, const L: usize>(
        v: &V,
        tangents: &[Lanes<V::Scalar, L>],
    ) -> (V::Scalar, Lanes<V::Scalar, L>) {
        let sum = softmax::LogSum::of(v);
        let tangents = of("log_sum_exp", v, tangents);
        (sum.value(), weighted(tangents, v.components().map(|&x| sum.share(x))))
    }
}

impl loss::cross_entropy_from_logits {
    #[doc(hidden)]
    #[inline]
    pub fn pushforward_lanes<V: Vector + ?Sized, const L: usize>(
        logits: &V,
        class: usize,
        tangents: &[Lanes<V::Scalar, L>],
        (): (),
    ) -> (V::Scalar, Lanes<V::Scalar, L>) {
        let tangents = of("cross_entropy_from_logits", logits, tangents);
        let slopes = loss::slopes(logits, class, softmax::LogSum::of(logits));
        (loss::cross_entropy_from_logits(logits, class), weighted(tangents, slopes))
    }

    #[doc(hidden)]
    #[inline]
    pub fn scratch_lanes_1(_: &usize) {}
}

impl loss::mean_squared_error {
    #[doc(hidden)]
    #[inline]
    pub fn pushforward_lanes<V: Vector + ?Sized, const L: usize>(
        predictions: &V,
        targets: &V,
        of_predictions: &[Lanes<V::Scalar, L>],
        of_targets: &[Lanes<V::Scalar, L>],
    ) -> (V::Scalar, Lanes<V::Scalar, L>) {
        let value = loss::mean_squared_error(predictions, targets);
        let factor = V::Scalar::TWO / loss::count(predictions, targets);
        let differences = || predictions.components().zip(targets.components()).map(|(&y, &t)| factor * (y - t));
        let of_predictions = weighted(of("mean_squared_error", predictions, of_predictions), differences());
        (value, of_predictions - weighted(of("mean_squared_error", targets, of_targets), differences()))
    }
}
