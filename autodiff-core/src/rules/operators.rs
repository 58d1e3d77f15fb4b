//! `*` and `/`, whose rule the types of the operands choose.
//!
//! Generated code names a pullback by the operator and the operand's position; which rule that is, floats, a
//! scaled matrix or a product of matrices, is decided by [`MulRule`] and [`DivRule`].

use crate::{Differentiable, Operand};

/// The product of two types.
#[diagnostic::on_unimplemented(message = "no derivative is known for `{Self} * {Right}`")]
pub trait MulRule<Right: Differentiable + ?Sized>: Differentiable {
    /// The cotangent of the product.
    type Seed;

    /// Adds the cotangent of the left factor to `shadow`.
    fn pull_left(&self, right: &Right, seed: &Self::Seed, shadow: &mut Self::Tangent);

    /// Adds the cotangent of the right factor to `shadow`.
    fn pull_right(&self, right: &Right, seed: &Self::Seed, shadow: &mut Right::Tangent);
}

/// The quotient of two types.
#[diagnostic::on_unimplemented(message = "no derivative is known for `{Self} / {Right}`")]
pub trait DivRule<Right: Differentiable + ?Sized>: Differentiable {
    /// The cotangent of the quotient.
    type Seed;

    /// Adds the cotangent of the dividend to `shadow`.
    fn pull_left(&self, right: &Right, seed: &Self::Seed, shadow: &mut Self::Tangent);

    /// Adds the cotangent of the divisor to `shadow`.
    fn pull_right(&self, right: &Right, seed: &Self::Seed, shadow: &mut Right::Tangent);
}

macro_rules! floats {
    ($($t:ty)*) => { $(
        /// `y = a b`: `a̅ = y̅ b`, `b̅ = y̅ a`.
        impl MulRule<$t> for $t {
            type Seed = $t;

            #[inline(always)]
            fn pull_left(&self, right: &$t, seed: &$t, shadow: &mut $t) {
                *shadow += seed * right;
            }

            #[inline(always)]
            fn pull_right(&self, _: &$t, seed: &$t, shadow: &mut $t) {
                *shadow += seed * self;
            }
        }

        /// `y = a / b`: `a̅ = y̅ / b`, `b̅ = -(y̅ / b) (a / b)`.
        impl DivRule<$t> for $t {
            type Seed = $t;

            #[inline(always)]
            fn pull_left(&self, right: &$t, seed: &$t, shadow: &mut $t) {
                *shadow += seed / right;
            }

            #[inline(always)]
            fn pull_right(&self, right: &$t, seed: &$t, shadow: &mut $t) {
                *shadow -= seed / right * (self / right);
            }
        }
    )* };
}
floats!(f32 f64);

/// The four functions of an operator: each operand's cotangent, new or added to a shadow.
macro_rules! pullbacks {
    ($(#[$doc:meta])* $name:ident, $rule:ident) => {
        $(#[$doc])*
        pub mod $name {
            use super::{Differentiable, Operand, $rule};

            /// The cotangent of the left operand, for the cotangent `seed` of the result.
            #[inline]
            pub fn pull_0<A, B>(a: &A, b: &B, seed: &<A::Value as $rule<B::Value>>::Seed) -> <A::Value as Differentiable>::Tangent
            where
                A: Operand + ?Sized,
                B: Operand + ?Sized,
                B::Value: Differentiable,
                A::Value: $rule<B::Value>,
            {
                let mut shadow = a.value().zero_tangent();
                a.value().pull_left(b.value(), seed, &mut shadow);
                shadow
            }

            /// The cotangent of the right operand, for the cotangent `seed` of the result.
            #[inline]
            pub fn pull_1<A, B>(a: &A, b: &B, seed: &<A::Value as $rule<B::Value>>::Seed) -> <B::Value as Differentiable>::Tangent
            where
                A: Operand + ?Sized,
                B: Operand + ?Sized,
                B::Value: Differentiable,
                A::Value: $rule<B::Value>,
            {
                let mut shadow = b.value().zero_tangent();
                a.value().pull_right(b.value(), seed, &mut shadow);
                shadow
            }

            /// Adds the cotangent of the left operand to `shadow`.
            ///
            /// # Panics
            /// Where the shapes do not fit.
            #[inline]
            pub fn pull_0_into<A, B>(
                a: &A,
                b: &B,
                seed: &<A::Value as $rule<B::Value>>::Seed,
                shadow: &mut <A::Value as Differentiable>::Tangent,
            ) where
                A: Operand + ?Sized,
                B: Operand + ?Sized,
                B::Value: Differentiable,
                A::Value: $rule<B::Value>,
            {
                a.value().pull_left(b.value(), seed, shadow);
            }

            /// Adds the cotangent of the right operand to `shadow`.
            ///
            /// # Panics
            /// Where the shapes do not fit.
            #[inline]
            pub fn pull_1_into<A, B>(
                a: &A,
                b: &B,
                seed: &<A::Value as $rule<B::Value>>::Seed,
                shadow: &mut <B::Value as Differentiable>::Tangent,
            ) where
                A: Operand + ?Sized,
                B: Operand + ?Sized,
                B::Value: Differentiable,
                A::Value: $rule<B::Value>,
            {
                a.value().pull_right(b.value(), seed, shadow);
            }
        }
    };
}
pullbacks!(
    /// Pullbacks of `a * b`: of floats, of a matrix and a float in either order, of an `m` by `n` and an `n` by `k`
    /// matrix, whose cotangent is `m` by `k`.
    ///
    /// ```
    /// use autodiff_core::rules::mul;
    ///
    /// assert_eq!(mul::pull_0(&2.0, &3.0, &10.0), 30.0);
    /// let mut shadow = 1.0;
    /// mul::pull_1_into(&2.0, &3.0, &10.0, &mut shadow);
    /// assert_eq!(shadow, 21.0);
    /// ```
    mul, MulRule
);
pullbacks!(
    /// Pullbacks of `a / b`: of floats, and of a matrix by a float.
    ///
    /// ```
    /// use autodiff_core::rules::div;
    ///
    /// assert_eq!(div::pull_0(&3.0, &2.0, &1.0), 0.5);
    /// assert_eq!(div::pull_1(&3.0, &2.0, &1.0), -0.75);
    /// ```
    div, DivRule
);
