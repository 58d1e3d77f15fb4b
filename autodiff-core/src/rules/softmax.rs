//! Softmax and its logarithm, over vectors of any kind.

use crate::{Differentiable, Real, Vector};

type Seed<V> = <<V as Vector>::Owned as Differentiable>::Tangent;

/// The logarithm of the sum of the exponentials: the largest component taken out, nothing overflows.
fn log_sum<V: Vector + ?Sized>(v: &V) -> V::Scalar {
    let largest = v.components().fold(V::Scalar::NEG_INFINITY, |a, &b| a.max(b));
    if largest.is_infinite() {
        return largest;
    }
    let sum: V::Scalar = v.components().map(|&x| (x - largest).exp()).sum();
    largest + sum.ln()
}

/// What the functions of a vector have in common: everything but the pullback.
macro_rules! of_vector {
    ($name:ident, $result:ty, $seed:ty) => {
        #[doc = concat!("The derivatives of [`", stringify!($name), "`](fn@", stringify!($name), ").")]
        #[allow(non_camel_case_types)]
        pub enum $name {}

        impl $name {
            #[doc(hidden)]
            #[inline]
            pub fn scratch_0<V: Vector + ?Sized>(v: &V) -> V::Owned {
                v.scratch()
            }

            /// The value; its cotangent for `seed` is added to `shadow`.
            #[inline]
            pub fn vjp_into<V: Vector + ?Sized>(v: &V, seed: $seed, shadow: &mut V::Shadow) -> $result {
                let (value, back) = Self::pullback(v);
                back(v, seed, shadow);
                value
            }
        }
    };
}

/// `exp(x_i) / sum(exp(x_j))`, for any finite components.
///
/// ```
/// use autodiff_core::softmax;
///
/// assert_eq!(softmax(&[1000.0, 1000.0]), [0.5, 0.5]);
/// let mut shadow = [0.0; 2];
/// softmax::vjp_into(&[0.0, 0.0], [1.0, 0.0], &mut shadow);
/// assert_eq!(shadow, [0.25, -0.25]);
/// ```
#[inline]
#[must_use]
pub fn softmax<V: Vector + ?Sized>(v: &V) -> V::Owned {
    let largest = v.components().fold(V::Scalar::NEG_INFINITY, |a, &b| a.max(b));
    let mut y = v.mapped(|x| (x - largest).exp());
    let sum: V::Scalar = V::owned_components(&y).copied().sum();
    V::owned_components_mut(&mut y).for_each(|y| *y /= sum);
    y
}

of_vector!(softmax, V::Owned, Seed<V>);

impl softmax {
    /// `ẏ_i = y_i (ẋ_i - Σ ẋ_j y_j)`.
    #[doc(hidden)]
    #[inline]
    pub fn pushforward<V: Vector + ?Sized>(v: &V, tangent: &V::Shadow) -> (V::Owned, V::Owned) {
        let y = softmax(v);
        let weighted: V::Scalar = V::owned_components(&y).zip(V::shadow_values(tangent)).map(|(&y, &d)| y * d).sum();
        let mut y_tangent = y.clone();
        V::owned_components_mut(&mut y_tangent).zip(V::shadow_values(tangent)).for_each(|(y, &d)| *y *= d - weighted);
        (y, y_tangent)
    }

    /// `x̅_i = y_i (y̅_i - Σ y̅_j y_j)`.
    #[doc(hidden)]
    #[inline]
    #[allow(clippy::type_complexity)]
    pub fn pullback<V: Vector + ?Sized>(v: &V) -> (V::Owned, impl Fn(&V, Seed<V>, &mut V::Shadow) + use<V>) {
        let y = softmax(v);
        (y.clone(), move |_: &V, seed: Seed<V>, shadow: &mut V::Shadow| {
            let weighted: V::Scalar = V::owned_components(&y).zip(V::seed_components(&seed)).map(|(&y, &g)| y * g).sum();
            let parts = V::owned_components(&y).zip(V::seed_components(&seed));
            for (s, (&y, &g)) in V::shadow_components(shadow).zip(parts) {
                *s += y * (g - weighted);
            }
        })
    }
}

/// `x_i - log_sum_exp(x)`, the logarithm of [`softmax`](fn@softmax) without its underflow.
///
/// ```
/// use autodiff_core::log_softmax;
///
/// assert_eq!(log_softmax(&[0.0, -1000.0]), [0.0, -1000.0]);
/// ```
#[inline]
#[must_use]
pub fn log_softmax<V: Vector + ?Sized>(v: &V) -> V::Owned {
    let log_sum = log_sum(v);
    v.mapped(|x| x - log_sum)
}

of_vector!(log_softmax, V::Owned, Seed<V>);

impl log_softmax {
    /// `ẏ_i = ẋ_i - Σ ẋ_j exp(y_j)`.
    #[doc(hidden)]
    #[inline]
    pub fn pushforward<V: Vector + ?Sized>(v: &V, tangent: &V::Shadow) -> (V::Owned, V::Owned) {
        let y = log_softmax(v);
        let weighted: V::Scalar = V::owned_components(&y).zip(V::shadow_values(tangent)).map(|(&y, &d)| y.exp() * d).sum();
        let mut y_tangent = y.clone();
        V::owned_components_mut(&mut y_tangent).zip(V::shadow_values(tangent)).for_each(|(y, &d)| *y = d - weighted);
        (y, y_tangent)
    }

    /// `x̅_i = y̅_i - exp(y_i) Σ y̅_j`.
    #[doc(hidden)]
    #[inline]
    #[allow(clippy::type_complexity)]
    pub fn pullback<V: Vector + ?Sized>(v: &V) -> (V::Owned, impl Fn(&V, Seed<V>, &mut V::Shadow) + use<V>) {
        let y = log_softmax(v);
        (y.clone(), move |_: &V, seed: Seed<V>, shadow: &mut V::Shadow| {
            let total: V::Scalar = V::seed_components(&seed).copied().sum();
            let parts = V::owned_components(&y).zip(V::seed_components(&seed));
            for (s, (&y, &g)) in V::shadow_components(shadow).zip(parts) {
                *s += g - y.exp() * total;
            }
        })
    }
}

/// `ln(sum(exp(x_i)))`, for any finite components.
///
/// ```
/// use autodiff_core::log_sum_exp;
///
/// assert_eq!(log_sum_exp(&[1000.0, -1000.0]), 1000.0);
/// let mut shadow = [0.0; 2];
/// log_sum_exp::vjp_into(&[3.0, 3.0], 1.0, &mut shadow);
/// assert!((shadow[0] - 0.5_f64).abs() < 1e-15);
/// ```
#[inline]
#[must_use]
pub fn log_sum_exp<V: Vector + ?Sized>(v: &V) -> V::Scalar {
    log_sum(v)
}

of_vector!(log_sum_exp, V::Scalar, V::Scalar);

impl log_sum_exp {
    /// `ẏ = Σ ẋ_i exp(x_i - y)`.
    #[doc(hidden)]
    #[inline]
    pub fn pushforward<V: Vector + ?Sized>(v: &V, tangent: &V::Shadow) -> (V::Scalar, V::Scalar) {
        let y = log_sum(v);
        (y, weighted_mean(v, y, tangent))
    }

    /// `x̅_i = y̅ exp(x_i - y)`.
    #[doc(hidden)]
    #[inline]
    #[allow(clippy::type_complexity)]
    pub fn pullback<V: Vector + ?Sized>(v: &V) -> (V::Scalar, impl Fn(&V, V::Scalar, &mut V::Shadow) + use<V>) {
        let y = log_sum(v);
        (y, move |v: &V, seed: V::Scalar, shadow: &mut V::Shadow| add_softmax(v, y, seed, shadow))
    }
}

/// `Σ tangent_i exp(x_i - log_sum)`.
pub(super) fn weighted_mean<V: Vector + ?Sized>(v: &V, log_sum: V::Scalar, tangent: &V::Shadow) -> V::Scalar {
    let finite = v.components().zip(V::shadow_values(tangent)).filter(|(x, _)| **x != V::Scalar::NEG_INFINITY);
    finite.map(|(&x, &d)| d * (x - log_sum).exp()).sum()
}

/// `shadow_i += seed * exp(x_i - log_sum)`.
pub(super) fn add_softmax<V: Vector + ?Sized>(v: &V, log_sum: V::Scalar, seed: V::Scalar, shadow: &mut V::Shadow) {
    for (s, &x) in V::shadow_components(shadow).zip(v.components()) {
        // Where all components are minus infinity, none has a share.
        if x != V::Scalar::NEG_INFINITY {
            *s += seed * (x - log_sum).exp();
        }
    }
}
