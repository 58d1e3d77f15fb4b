//! Functions of matrices that are one float.

use super::{Components, check_operands, check_shadow};
use crate::{Differentiable, Operand};

type Scalar<M> = <<M as Operand>::Value as Components>::Scalar;
type Tangent<M> = <<M as Operand>::Value as Differentiable>::Tangent;

/// Adds `factor * values` to the shadow of `of`, component by component.
#[inline]
fn add_multiple<M, V>(operation: &str, of: &M, factor: M::Scalar, values: &V, shadow: &mut M::Tangent)
where
    M: Components + ?Sized,
    V: Components<Scalar = M::Scalar> + ?Sized,
{
    check_operands(operation, of.dimensions(), values.dimensions());
    check_shadow(operation, of, shadow);
    for (s, &v) in M::tangent_components(shadow).zip(values.components()) {
        *s += factor * v;
    }
}

/// Pullbacks of `a.dot(&b)`: `a̅ = y̅ b`, `b̅ = y̅ a`, of operands of one shape.
///
/// ```
/// use autodiff_core::rules::dot;
/// use nalgebra::Vector2;
///
/// let (a, b) = (Vector2::new(1.0, 2.0), Vector2::new(3.0, 4.0));
/// assert_eq!(dot::pull_0(&a, &b, &2.0), Vector2::new(6.0, 8.0));
/// ```
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
    /// Where the operands or the shadow differ in shape.
    #[inline]
    pub fn pull_0_into<A, B>(a: &A, b: &B, seed: &Scalar<A>, shadow: &mut Tangent<A>)
    where
        A: Operand<Value: Components> + ?Sized,
        B: Operand<Value: Components<Scalar = Scalar<A>>> + ?Sized,
    {
        add_multiple("dot", a.value(), *seed, b.value(), shadow);
    }

    /// Adds the cotangent of `b` to `shadow`.
    ///
    /// # Panics
    /// Where the operands or the shadow differ in shape.
    #[inline]
    pub fn pull_1_into<A, B>(a: &A, b: &B, seed: &Scalar<A>, shadow: &mut Tangent<B>)
    where
        A: Operand<Value: Components> + ?Sized,
        B: Operand<Value: Components<Scalar = Scalar<A>>> + ?Sized,
    {
        add_multiple("dot", b.value(), *seed, a.value(), shadow);
    }
}

/// Pullback of `a.norm()`, the root of the sum of the squares: `a̅ = (y̅ / y) a`, and 0 at the origin.
///
/// ```
/// use autodiff_core::rules::norm;
/// use nalgebra::Vector2;
///
/// assert_eq!(norm::pull_0(&Vector2::new(3.0, 4.0), &5.0, &10.0), Vector2::new(6.0, 8.0));
/// assert_eq!(norm::pull_0(&Vector2::zeros(), &0.0, &1.0), Vector2::zeros());
/// ```
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
            add_multiple("norm", a.value(), *seed / *y, a.value(), shadow);
        }
    }
}

/// Pullback of `a.norm_squared()`: `a̅ = 2 y̅ a`.
///
/// ```
/// use autodiff_core::rules::norm_squared;
/// use nalgebra::Vector2;
///
/// assert_eq!(norm_squared::pull_0(&Vector2::new(3.0, 4.0), &0.5), Vector2::new(3.0, 4.0));
/// ```
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
        add_multiple("norm_squared", a.value(), *seed + *seed, a.value(), shadow);
    }
}

/// Pullback of `a.sum()`: every component of `a̅` is `y̅`.
///
/// ```
/// use autodiff_core::rules::sum;
/// use nalgebra::Vector2;
///
/// assert_eq!(sum::pull_0(&Vector2::new(3.0, 4.0), &0.5), Vector2::new(0.5, 0.5));
/// ```
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
