//! Softmax and its logarithm, over vectors of any kind.

use crate::vector::{seed_of, shadow_of, tangent_of};
use crate::{Differentiable, Real, Vector};

type Seed<V> = <<V as Vector>::Owned as Differentiable>::Tangent;

/// The logarithm of a sum of exponentials, in two parts: their sum would round away what is small against the
/// largest component.
#[derive(Clone, Copy)]
pub(super) struct LogSum<T> {
    largest: T,
    /// `ln(Σ exp(x_i - largest))`, between 0 and the logarithm of the number of components.
    rest: T,
}

impl<T: Real> LogSum<T> {
    pub(super) fn of<V: Vector<Scalar = T> + ?Sized>(v: &V) -> LogSum<T> {
        let (at, largest) = largest(v);
        if largest.is_infinite() {
            return LogSum { largest, rest: T::ZERO };
        }
        let others = v.components().enumerate().filter(|&(i, _)| i != at);
        let sum: T = others.map(|(_, &x)| (x - largest).exp()).sum();
        LogSum { largest, rest: sum.ln_1p() }
    }

    pub(super) fn value(self) -> T {
        self.largest + self.rest
    }

    /// The value less `x`.
    pub(super) fn without(self, x: T) -> T {
        (self.largest - x) + self.rest
    }

    /// What [`softmax`](fn@softmax) makes of the component `x`. Minus infinity has no share, not even among its like.
    pub(super) fn share(self, x: T) -> T {
        if x == T::NEG_INFINITY { T::ZERO } else { (-self.without(x)).exp() }
    }
}

/// The place of the first largest component, and the component.
fn largest<V: Vector + ?Sized>(v: &V) -> (usize, V::Scalar) {
    let pairs = v.components().copied().enumerate();
    pairs.fold((0, V::Scalar::NEG_INFINITY), |best, next| if next.1 > best.1 { next } else { best })
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

            #[doc(hidden)]
            #[inline]
            pub fn scratch_1<V: Vector + ?Sized>(tangent: &V) -> V::Owned {
                tangent.scratch()
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
    let (_, largest) = largest(v);
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
        let weighted: V::Scalar = V::owned_components(&y).zip(tangent_of("softmax", v, tangent)).map(|(&y, &d)| y * d).sum();
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
        (y.clone(), move |v: &V, seed: Seed<V>, shadow: &mut V::Shadow| {
            let weighted: V::Scalar = V::owned_components(&y).zip(seed_of::<V>("softmax", &y, &seed)).map(|(&y, &g)| y * g).sum();
            let parts = V::owned_components(&y).zip(seed_of::<V>("softmax", &y, &seed));
            for (s, (&y, &g)) in shadow_of("softmax", v, shadow).zip(parts) {
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
    let log_sum = LogSum::of(v);
    v.mapped(|x| -log_sum.without(x))
}

of_vector!(log_softmax, V::Owned, Seed<V>);

impl log_softmax {
    /// `ẏ_i = ẋ_i - Σ ẋ_j exp(y_j)`.
    #[doc(hidden)]
    #[inline]
    pub fn pushforward<V: Vector + ?Sized>(v: &V, tangent: &V::Shadow) -> (V::Owned, V::Owned) {
        let y = log_softmax(v);
        let weighted: V::Scalar = V::owned_components(&y).zip(tangent_of("log_softmax", v, tangent)).map(|(&y, &d)| y.exp() * d).sum();
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
        (y.clone(), move |v: &V, seed: Seed<V>, shadow: &mut V::Shadow| {
            let total: V::Scalar = V::seed_components(&seed).copied().sum();
            let parts = V::owned_components(&y).zip(seed_of::<V>("log_softmax", &y, &seed));
            for (s, (&y, &g)) in shadow_of("log_softmax", v, shadow).zip(parts) {
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
    LogSum::of(v).value()
}

of_vector!(log_sum_exp, V::Scalar, V::Scalar);

impl log_sum_exp {
    /// `ẏ = Σ ẋ_i exp(x_i - y)`.
    #[doc(hidden)]
    #[inline]
    pub fn pushforward<V: Vector + ?Sized>(v: &V, tangent: &V::Shadow) -> (V::Scalar, V::Scalar) {
        let y = LogSum::of(v);
        let parts = v.components().zip(tangent_of("log_sum_exp", v, tangent));
        (y.value(), parts.map(|(&x, &d)| d * y.share(x)).sum())
    }

    /// `x̅_i = y̅ exp(x_i - y)`.
    #[doc(hidden)]
    #[inline]
    #[allow(clippy::type_complexity)]
    pub fn pullback<V: Vector + ?Sized>(v: &V) -> (V::Scalar, impl Fn(&V, V::Scalar, &mut V::Shadow) + use<V>) {
        let y = LogSum::of(v);
        (y.value(), move |v: &V, seed: V::Scalar, shadow: &mut V::Shadow| {
            for (s, &x) in shadow_of("log_sum_exp", v, shadow).zip(v.components()) {
                *s += seed * y.share(x);
            }
        })
    }
}
