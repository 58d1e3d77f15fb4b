//! Operators, whose rule the types of the operands choose.
//!
//! Generated code names a pullback by the operator and the operand's position; which rule that is, floats, a
//! scaled matrix, a product of matrices or an operator of the user's, is decided by [`MulRule`] and its like.

use crate::{Differentiable, Operand, Tangent};

/// The trait of a binary operator.
macro_rules! rule {
    ($(#[$doc:meta])* $rule:ident, $message:literal) => {
        $(#[$doc])*
        ///
        /// For types of one's own, `#[differentiate]` on the `impl` of the operator writes it.
        #[diagnostic::on_unimplemented(
            message = $message,
            note = "put `#[differentiate]` on the `impl` of the operator"
        )]
        pub trait $rule<Right: Differentiable + ?Sized>: Differentiable {
            /// The tangent or cotangent of the result.
            type Seed;

            /// Adds the cotangent of the left operand to `shadow`.
            fn pull_left(&self, right: &Right, seed: &Self::Seed, shadow: &mut Self::Tangent);

            /// Adds the cotangent of the right operand to `shadow`.
            fn pull_right(&self, right: &Right, seed: &Self::Seed, shadow: &mut Right::Tangent);

            /// The tangent of the result where only the left operand has one.
            fn push_left(&self, right: &Right, dot: &Self::Tangent) -> Self::Seed;

            /// The tangent of the result where only the right operand has one.
            fn push_right(&self, right: &Right, dot: &Right::Tangent) -> Self::Seed;
        }
    };
}
rule!(
    /// The sum of two types.
    AddRule, "no derivative is known for `{Self} + {Right}`"
);
rule!(
    /// The difference of two types.
    SubRule, "no derivative is known for `{Self} - {Right}`"
);
rule!(
    /// The product of two types.
    MulRule, "no derivative is known for `{Self} * {Right}`"
);
rule!(
    /// The quotient of two types.
    DivRule, "no derivative is known for `{Self} / {Right}`"
);

/// The negative of a type.
///
/// For types of one's own, `#[differentiate]` on the `impl` of the operator writes it.
#[diagnostic::on_unimplemented(
    message = "no derivative is known for `-{Self}`",
    note = "put `#[differentiate]` on the `impl` of the operator"
)]
pub trait NegRule: Differentiable {
    /// The tangent or cotangent of the result.
    type Seed;

    /// Adds the cotangent of the operand to `shadow`.
    fn pull(&self, seed: &Self::Seed, shadow: &mut Self::Tangent);

    /// The tangent of the result.
    fn push(&self, dot: &Self::Tangent) -> Self::Seed;
}

macro_rules! floats {
    ($($rule:ident: |$a:ident, $b:ident, $g:ident| $left:expr, $right:expr;)*) => {
        floats!(@of f32 $($rule |$a, $b, $g| $left, $right;)*);
        floats!(@of f64 $($rule |$a, $b, $g| $left, $right;)*);
    };
    (@of $t:ident $($rule:ident |$a:ident, $b:ident, $g:ident| $left:expr, $right:expr;)*) => {
        $(impl $rule<$t> for $t {
            type Seed = $t;

            #[inline(always)]
            fn pull_left(&self, $b: &$t, $g: &$t, shadow: &mut $t) {
                let _ = $b;
                *shadow += $left;
            }

            #[inline(always)]
            fn pull_right(&self, $b: &$t, $g: &$t, shadow: &mut $t) {
                let ($a, _) = (self, $b);
                *shadow += $right;
            }

            #[inline(always)]
            fn push_left(&self, $b: &$t, $g: &$t) -> $t {
                let _ = $b;
                $left
            }

            #[inline(always)]
            fn push_right(&self, $b: &$t, $g: &$t) -> $t {
                let ($a, _) = (self, $b);
                $right
            }
        })*

        impl NegRule for $t {
            type Seed = $t;

            #[inline(always)]
            fn pull(&self, seed: &$t, shadow: &mut $t) {
                *shadow -= seed;
            }

            #[inline(always)]
            fn push(&self, dot: &$t) -> $t {
                -dot
            }
        }
    };
}
// The cotangents of `a` and of `b` from that of the result, and as well the tangent of the result from theirs.
floats! {
    AddRule: |_a, b, g| *g, *g;
    SubRule: |_a, b, g| *g, -*g;
    MulRule: |a, b, g| g * b, g * a;
    DivRule: |a, b, g| g / b, -(g / b * (a / b));
}

/// The functions of an operator: each operand's cotangent, new or added to a shadow, and the tangent of the result.
macro_rules! pullbacks {
    ($(#[$doc:meta])* $name:ident, $rule:ident) => {
        $(#[$doc])*
        pub mod $name {
            use super::{Differentiable, Operand, Tangent, $rule};

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

            /// The tangent of the result where only the left operand has one.
            #[inline]
            pub fn push_0<A, B>(a: &A, b: &B, dot: &<A::Value as Differentiable>::Tangent) -> <A::Value as $rule<B::Value>>::Seed
            where
                A: Operand + ?Sized,
                B: Operand + ?Sized,
                B::Value: Differentiable,
                A::Value: $rule<B::Value>,
            {
                a.value().push_left(b.value(), dot)
            }

            /// The tangent of the result where only the right operand has one.
            #[inline]
            pub fn push_1<A, B>(a: &A, b: &B, dot: &<B::Value as Differentiable>::Tangent) -> <A::Value as $rule<B::Value>>::Seed
            where
                A: Operand + ?Sized,
                B: Operand + ?Sized,
                B::Value: Differentiable,
                A::Value: $rule<B::Value>,
            {
                a.value().push_right(b.value(), dot)
            }

            /// The tangent of the result.
            #[inline]
            pub fn push<A, B>(
                a: &A,
                b: &B,
                a_dot: &<A::Value as Differentiable>::Tangent,
                b_dot: &<B::Value as Differentiable>::Tangent,
            ) -> <A::Value as $rule<B::Value>>::Seed
            where
                A: Operand + ?Sized,
                B: Operand + ?Sized,
                B::Value: Differentiable,
                A::Value: $rule<B::Value, Seed: Tangent>,
            {
                let mut sum = a.value().push_left(b.value(), a_dot);
                sum.accumulate(&a.value().push_right(b.value(), b_dot));
                sum
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
pullbacks!(
    /// Pullbacks of `a + b`: of floats, and of matrices of one shape.
    ///
    /// ```
    /// use autodiff_core::rules::add;
    ///
    /// assert_eq!(add::pull_0(&2.0, &3.0, &10.0), 10.0);
    /// ```
    add, AddRule
);
pullbacks!(
    /// Pullbacks of `a - b`: of floats, and of matrices of one shape.
    ///
    /// ```
    /// use autodiff_core::rules::sub;
    ///
    /// assert_eq!(sub::pull_1(&2.0, &3.0, &10.0), -10.0);
    /// ```
    sub, SubRule
);

/// Pullbacks of `-a`.
///
/// ```
/// use autodiff_core::rules::neg;
///
/// assert_eq!(neg::pull_0(&2.0, &10.0), -10.0);
/// ```
pub mod neg {
    use super::{Differentiable, NegRule, Operand};

    /// The cotangent of the operand.
    #[inline]
    pub fn pull_0<A>(a: &A, seed: &<A::Value as NegRule>::Seed) -> <A::Value as Differentiable>::Tangent
    where
        A: Operand<Value: NegRule> + ?Sized,
    {
        let mut shadow = a.value().zero_tangent();
        a.value().pull(seed, &mut shadow);
        shadow
    }

    /// Adds the cotangent of the operand to `shadow`.
    #[inline]
    pub fn pull_0_into<A>(a: &A, seed: &<A::Value as NegRule>::Seed, shadow: &mut <A::Value as Differentiable>::Tangent)
    where
        A: Operand<Value: NegRule> + ?Sized,
    {
        a.value().pull(seed, shadow);
    }

    /// The tangent of the result.
    #[inline]
    pub fn push_0<A>(a: &A, dot: &<A::Value as Differentiable>::Tangent) -> <A::Value as NegRule>::Seed
    where
        A: Operand<Value: NegRule> + ?Sized,
    {
        a.value().push(dot)
    }
}
