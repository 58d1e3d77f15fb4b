//! Second order of the functions of vectors: the pullback of the value `y` and of its tangent `ẏ` together, for the
//! seeds `g` and `h`.
//!
//! In terms of the shares `p` of [`softmax`](fn@softmax), the tangent `d` of the argument and its mean `w = Σ p_i d_i`.

#![allow(clippy::type_complexity)]

use super::loss::{cross_entropy_from_logits, mean_squared_error, slopes};
use super::softmax::{LogSum, log_softmax, log_sum_exp, softmax};
use crate::vector::{seed_of, shadow_of, tangent_of};
use crate::{Differentiable, Real, Vector};

type Seed<V> = <<V as Vector>::Owned as Differentiable>::Tangent;

/// The mean of `values` by the shares.
fn mean<V: Vector + ?Sized>(shares: &V::Owned, values: impl Iterator<Item = V::Scalar>) -> V::Scalar {
    V::owned_components(shares).zip(values).map(|(&p, value)| p * value).sum()
}

/// `shadow_i += of(p_i, value_i)`.
fn add<V: Vector + ?Sized>(
    operation: &str,
    v: &V,
    shadow: &mut V::Shadow,
    shares: &V::Owned,
    values: impl Iterator<Item = V::Scalar>,
    of: impl Fn(V::Scalar, V::Scalar) -> V::Scalar,
) {
    for ((s, &p), value) in shadow_of(operation, v, shadow).zip(V::owned_components(shares)).zip(values) {
        *s += of(p, value);
    }
}

impl softmax {
    /// `ẏ_i = p_i (d_i - w)`. With `m = Σ p_i h_i`: `d̅_i = p_i (h_i - m)`, and `x̅` is that of softmax for the seed
    /// `g_i + h_i (d_i - w) - m d_i`.
    #[doc(hidden)]
    #[inline]
    pub fn order_2<V: Vector + ?Sized>(
        v: &V,
        tangent: &V::Shadow,
    ) -> ((V::Owned, V::Owned), impl Fn(&V, &V::Shadow, (Seed<V>, Seed<V>), &mut V::Shadow, &mut V::Shadow) + use<V>) {
        let both = Self::pushforward(v, tangent);
        let shares = both.0.clone();
        (both, move |v: &V, tangent: &V::Shadow, seeds: (Seed<V>, Seed<V>), shadow: &mut V::Shadow, of_tangent: &mut V::Shadow| {
            let d = || tangent_of("softmax", v, tangent).copied();
            let g = || seed_of::<V>("softmax", &shares, &seeds.0).copied();
            let h = || seed_of::<V>("softmax", &shares, &seeds.1).copied();
            let (w, m) = (mean::<V>(&shares, d()), mean::<V>(&shares, h()));
            let seed = || g().zip(h()).zip(d()).map(|((g, h), d)| g + h * (d - w) - m * d);
            let weighted = mean::<V>(&shares, seed());
            add("softmax", v, shadow, &shares, seed(), |p, seed| p * (seed - weighted));
            add("softmax", v, of_tangent, &shares, h(), |p, h| p * (h - m));
        })
    }
}

impl log_softmax {
    /// `ẏ_i = d_i - w`: `d̅_i = h_i - p_i Σ h_j`, and `x̅_i = g_i - p_i Σ g_j - p_i (d_i - w) Σ h_j`.
    #[doc(hidden)]
    #[inline]
    pub fn order_2<V: Vector + ?Sized>(
        v: &V,
        tangent: &V::Shadow,
    ) -> ((V::Owned, V::Owned), impl Fn(&V, &V::Shadow, (Seed<V>, Seed<V>), &mut V::Shadow, &mut V::Shadow) + use<V>) {
        let both = Self::pushforward(v, tangent);
        let shares = softmax(v);
        (both, move |v: &V, tangent: &V::Shadow, seeds: (Seed<V>, Seed<V>), shadow: &mut V::Shadow, of_tangent: &mut V::Shadow| {
            let d = || tangent_of("log_softmax", v, tangent).copied();
            let g = || seed_of::<V>("log_softmax", &shares, &seeds.0).copied();
            let h = || seed_of::<V>("log_softmax", &shares, &seeds.1).copied();
            let w = mean::<V>(&shares, d());
            let (g_sum, h_sum): (V::Scalar, V::Scalar) = (g().sum(), h().sum());
            add("log_softmax", v, shadow, &shares, d(), |p, d| -p * (g_sum + (d - w) * h_sum));
            add("log_softmax", v, shadow, &shares, g(), |_, g| g);
            add("log_softmax", v, of_tangent, &shares, h(), |p, h| h - p * h_sum);
        })
    }
}

impl log_sum_exp {
    /// `ẏ = w`: `d̅_i = h p_i`, and `x̅_i = p_i (g + h (d_i - w))`.
    #[doc(hidden)]
    #[inline]
    pub fn order_2<V: Vector + ?Sized>(
        v: &V,
        tangent: &V::Shadow,
    ) -> ((V::Scalar, V::Scalar), impl Fn(&V, &V::Shadow, (V::Scalar, V::Scalar), &mut V::Shadow, &mut V::Shadow) + use<V>) {
        let both = Self::pushforward(v, tangent);
        let (shares, w) = (softmax(v), both.1);
        (both, move |v: &V, tangent: &V::Shadow, (g, h): (V::Scalar, V::Scalar), shadow: &mut V::Shadow, of_tangent: &mut V::Shadow| {
            let d = || tangent_of("log_sum_exp", v, tangent).copied();
            add("log_sum_exp", v, shadow, &shares, d(), |p, d| p * (g + h * (d - w)));
            add("log_sum_exp", v, of_tangent, &shares, d(), |p, _| h * p);
        })
    }
}

impl cross_entropy_from_logits {
    /// `ẏ = w - d_class`: `d̅ = h (p - e_class)`, and `x̅_i = g (p - e_class)_i + h p_i (d_i - w)`.
    #[doc(hidden)]
    #[inline]
    pub fn order_2<V: Vector + ?Sized>(
        logits: &V,
        class: usize,
        tangent: &V::Shadow,
        (): (),
    ) -> ((V::Scalar, V::Scalar), impl Fn(&V, &V::Shadow, (V::Scalar, V::Scalar), &mut V::Shadow, &mut V::Shadow) -> ((), ()) + use<V>)
    {
        let both = Self::pushforward(logits, class, tangent, ());
        let (shares, log_sum) = (softmax(logits), LogSum::of(logits));
        (both, move |v: &V, tangent: &V::Shadow, (g, h): (V::Scalar, V::Scalar), shadow: &mut V::Shadow, of_tangent: &mut V::Shadow| {
            let d = || tangent_of("cross_entropy_from_logits", v, tangent).copied();
            let w = mean::<V>(&shares, d());
            add("cross_entropy_from_logits", v, shadow, &shares, d(), |p, d| h * p * (d - w));
            add("cross_entropy_from_logits", v, shadow, &shares, slopes(v, class, log_sum), |_, slope| g * slope);
            add("cross_entropy_from_logits", v, of_tangent, &shares, slopes(v, class, log_sum), |_, slope| h * slope);
            ((), ())
        })
    }

    #[doc(hidden)]
    #[inline]
    pub fn scratch_2<V: Vector + ?Sized>(tangent: &V) -> V::Owned {
        tangent.scratch()
    }

    #[doc(hidden)]
    #[inline]
    pub fn scratch_3((): &()) {}
}

impl mean_squared_error {
    /// With the differences `e` and their tangents `ė`: `e̅ = 2 (g e + h ė) / n`, and for `ė` `2 h e / n`.
    #[doc(hidden)]
    #[inline]
    pub fn order_2<V: Vector + ?Sized>(
        predictions: &V,
        targets: &V,
        of_predictions: &V::Shadow,
        of_targets: &V::Shadow,
    ) -> (
        (V::Scalar, V::Scalar),
        impl Fn(&V, &V, &V::Shadow, &V::Shadow, (V::Scalar, V::Scalar), &mut V::Shadow, &mut V::Shadow, &mut V::Shadow, &mut V::Shadow) + use<V>,
    ) {
        let both = Self::pushforward(predictions, targets, of_predictions, of_targets);
        let back = move |y: &V,
                         t: &V,
                         y_dot: &V::Shadow,
                         t_dot: &V::Shadow,
                         (g, h): (V::Scalar, V::Scalar),
                         of_y: &mut V::Shadow,
                         of_t: &mut V::Shadow,
                         of_y_dot: &mut V::Shadow,
                         of_t_dot: &mut V::Shadow| {
            let factor = V::Scalar::TWO / V::Scalar::from_f64(y.components().count() as f64);
            let e = || y.components().zip(t.components()).map(|(&y, &t)| y - t);
            let tangents = || tangent_of("mean_squared_error", y, y_dot).zip(tangent_of("mean_squared_error", t, t_dot));
            let of_e = || e().zip(tangents()).map(|(e, (&y, &t))| factor * (g * e + h * (y - t)));
            shadow_of("mean_squared_error", y, of_y).zip(of_e()).for_each(|(s, d)| *s += d);
            shadow_of("mean_squared_error", t, of_t).zip(of_e()).for_each(|(s, d)| *s -= d);
            shadow_of("mean_squared_error", y, of_y_dot).zip(e()).for_each(|(s, e)| *s += factor * h * e);
            shadow_of("mean_squared_error", t, of_t_dot).zip(e()).for_each(|(s, e)| *s -= factor * h * e);
        };
        (both, back)
    }

    #[doc(hidden)]
    #[inline]
    pub fn scratch_2<V: Vector + ?Sized>(tangent: &V) -> V::Owned {
        tangent.scratch()
    }

    #[doc(hidden)]
    #[inline]
    pub fn scratch_3<V: Vector + ?Sized>(tangent: &V) -> V::Owned {
        tangent.scratch()
    }
}
