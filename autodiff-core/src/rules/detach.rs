//! Giving up a derivative on purpose.

use crate::{Differentiable, InLanes, Tangent};

/// `x` itself, with a derivative of zero: says that a derivative is not wanted.
///
/// ```
/// use autodiff_core::detach;
///
/// assert_eq!(detach(2.5), 2.5);
/// ```
#[inline]
pub fn detach<X: Differentiable>(x: X) -> X {
    x
}

/// The derivatives of [`detach`](fn@detach): none.
#[allow(non_camel_case_types)]
pub enum detach {}

impl detach {
    #[doc(hidden)]
    #[inline]
    pub fn pushforward<X: Differentiable>(x: X, _: X::Tangent) -> (X, X::Tangent) {
        let zero = x.zero_tangent();
        (x, zero)
    }

    #[doc(hidden)]
    #[inline]
    pub fn pushforward_lanes<X: InLanes<L>, const L: usize>(x: X, _: X::Lanes) -> (X, X::Lanes) {
        let zero = x.zero_lanes();
        (x, zero)
    }

    #[doc(hidden)]
    #[inline]
    pub fn scratch_lanes_0<X: InLanes<L>, const L: usize>(x: &X) -> X::Lanes {
        x.zero_lanes()
    }

    #[doc(hidden)]
    #[inline]
    pub fn scratch_0<X: Differentiable>(x: &X) -> X::Tangent {
        x.zero_tangent()
    }

    #[doc(hidden)]
    #[inline]
    pub fn pullback<X: Differentiable>(x: X) -> (X, impl Fn(X::Tangent) -> (X::Tangent,) + use<X>) {
        let zero = x.zero_tangent();
        (x, move |_: X::Tangent| (zero.clone(),))
    }

    #[doc(hidden)]
    #[inline]
    #[allow(clippy::type_complexity)]
    pub fn order_2<X: Differentiable>(
        x: X,
        _: X::Tangent,
    ) -> ((X, X::Tangent), impl Fn((X::Tangent, X::Tangent)) -> (X::Tangent, X::Tangent) + use<X>) {
        let zero = x.zero_tangent();
        ((x, zero.clone()), move |_| (zero.clone(), zero.clone()))
    }

    #[doc(hidden)]
    #[inline]
    pub fn scratch_1<T: Tangent>(tangent: &T) -> T {
        let mut zero = tangent.clone();
        zero.clear();
        zero
    }
}
