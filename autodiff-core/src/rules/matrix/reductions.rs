//! Functions of matrices that are one float.

use super::{Components, check_shadow};
use crate::{Differentiable, Operand};

type Scalar<M> = <<M as Operand>::Value as Components>::Scalar;
type Tangent<M> = <<M as Operand>::Value as Differentiable>::Tangent;

/// Adds `factor * value` to `shadow`, component by component.
#[inline]
fn add_multiple<'a, M: Components + ?Sized>(
    operation: &str,
    of: &M,
    factor: M::Scalar,
    values: impl Iterator<Item = &'a M::Scalar>,
    shadow: &mut M::Tangent,
) {
    check_shadow(operation, of, shadow);
    for (s, &v) in M::tangent_components(shadow).zip(values) {
        *s += factor * v;
    }
}

/// Pullbacks of `a.dot(&b)`: `a̅ = y̅ b`, `b̅ = y̅ a`.
pub mod dot {
    use super::{Components, Differentiable, Operand, Scalar, Tangent, add_multiple};

    /// The cotangent of `a`.
    #[inline]
    pub fn pull_0<A, B>(a: &A, b: &B, seed: &Scalar<A>) -> Tangent<A>
    where
        A: Operand<Value: Components> + ?Sized,
        B: Operand<Value: Components<Scalar = Scalar<A>>> + ?Sized,
    {
        let mut shadow = a.value().zero_tangent();
        pull_0_into(a, b, seed, &mut shadow);
        shadow
    }

    /// The cotangent of `b`.
    #[inline]
    pub fn pull_1<A, B>(a: &A, b: &B, seed: &Scalar<A>) -> Tangent<B>
    where
        A: Operand<Value: Components> + ?Sized,
        B: Operand<Value: Components<Scalar = Scalar<A>>> + ?Sized,
    {
        let mut shadow = b.value().zero_tangent();
        pull_1_into(a, b, seed, &mut shadow);
        shadow
    }

    /// Adds the cotangent of `a` to `shadow`.
    ///
    /// # Panics
    /// Where `shadow` has another shape than `a`.
    #[inline]
    pub fn pull_0_into<A, B>(a: &A, b: &B, seed: &Scalar<A>, shadow: &mut Tangent<A>)
    where
        A: Operand<Value: Components> + ?Sized,
        B: Operand<Value: Components<Scalar = Scalar<A>>> + ?Sized,
    {
        add_multiple("dot", a.value(), *seed, b.value().components(), shadow);
    }

    /// Adds the cotangent of `b` to `shadow`.
    ///
    /// # Panics
    /// Where `shadow` has another shape than `b`.
    #[inline]
    pub fn pull_1_into<A, B>(a: &A, b: &B, seed: &Scalar<A>, shadow: &mut Tangent<B>)
    where
        A: Operand<Value: Components> + ?Sized,
        B: Operand<Value: Components<Scalar = Scalar<A>>> + ?Sized,
    {
        add_multiple("dot", b.value(), *seed, a.value().components(), shadow);
    }
}

/// Pullback of `a.norm()`, the root of the sum of the squares: `a̅ = (y̅ / y) a`, and 0 at the origin.
pub mod norm {
    use super::{Components, Differentiable, Operand, Scalar, Tangent, add_multiple};
    use crate::Real;

    /// The cotangent of `a`, where `y` is its norm.
    #[inline]
    pub fn pull_0<A: Operand<Value: Components> + ?Sized>(a: &A, y: &Scalar<A>, seed: &Scalar<A>) -> Tangent<A> {
        let mut shadow = a.value().zero_tangent();
        pull_0_into(a, y, seed, &mut shadow);
        shadow
    }

    /// Adds the cotangent of `a` to `shadow`.
    ///
    /// # Panics
    /// Where `shadow` has another shape than `a`.
    #[inline]
    pub fn pull_0_into<A: Operand<Value: Components> + ?Sized>(a: &A, y: &Scalar<A>, seed: &Scalar<A>, shadow: &mut Tangent<A>) {
        if *y != <Scalar<A>>::ZERO {
            add_multiple("norm", a.value(), *seed / *y, a.value().components(), shadow);
        }
    }
}

/// Pullback of `a.norm_squared()`: `a̅ = 2 y̅ a`.
pub mod norm_squared {
    use super::{Components, Differentiable, Operand, Scalar, Tangent, add_multiple};

    /// The cotangent of `a`.
    #[inline]
    pub fn pull_0<A: Operand<Value: Components> + ?Sized>(a: &A, seed: &Scalar<A>) -> Tangent<A> {
        let mut shadow = a.value().zero_tangent();
        pull_0_into(a, seed, &mut shadow);
        shadow
    }

    /// Adds the cotangent of `a` to `shadow`.
    ///
    /// # Panics
    /// Where `shadow` has another shape than `a`.
    #[inline]
    pub fn pull_0_into<A: Operand<Value: Components> + ?Sized>(a: &A, seed: &Scalar<A>, shadow: &mut Tangent<A>) {
        add_multiple("norm_squared", a.value(), *seed + *seed, a.value().components(), shadow);
    }
}

/// Pullback of `a.sum()`: every component of `a̅` is `y̅`.
pub mod sum {
    use super::{Components, Differentiable, Operand, Scalar, Tangent, check_shadow};

    /// The cotangent of `a`.
    #[inline]
    pub fn pull_0<A: Operand<Value: Components> + ?Sized>(a: &A, seed: &Scalar<A>) -> Tangent<A> {
        let mut shadow = a.value().zero_tangent();
        pull_0_into(a, seed, &mut shadow);
        shadow
    }

    /// Adds the cotangent of `a` to `shadow`.
    ///
    /// # Panics
    /// Where `shadow` has another shape than `a`.
    #[inline]
    pub fn pull_0_into<A: Operand<Value: Components> + ?Sized>(a: &A, seed: &Scalar<A>, shadow: &mut Tangent<A>) {
        check_shadow("sum", a.value(), shadow);
        for s in A::Value::tangent_components(shadow) {
            *s += *seed;
        }
    }
}
