//! Functions of matrices that work component by component, and the transpose.

use nalgebra::allocator::Allocator;
use nalgebra::{DefaultAllocator, Dim, Matrix, OMatrix, Storage};

use super::{Components, check_operands, check_seed, check_shadow};
use crate::{Differentiable, Operand, Real};

/// Two matrices of the same shape, as far as their types know.
pub trait Pair<Right: ?Sized>: Components {
    /// The cotangent of a componentwise result.
    type Seed;

    /// `shadow += slope(left, right, seed)`, component by component.
    fn pull_left(
        &self,
        operation: &str,
        right: &Right,
        seed: &Self::Seed,
        shadow: &mut Self::Tangent,
        slope: impl Fn(Self::Scalar, Self::Scalar, Self::Scalar) -> Self::Scalar,
    );
}

impl<T, R1, C1, SA, R2, C2, SB> Pair<Matrix<T, R2, C2, SB>> for Matrix<T, R1, C1, SA>
where
    T: Real,
    R1: Dim,
    C1: Dim,
    R2: Dim,
    C2: Dim,
    SA: Storage<T, R1, C1>,
    SB: Storage<T, R2, C2>,
    DefaultAllocator: Allocator<R1, C1>,
{
    type Seed = OMatrix<T, R1, C1>;

    #[inline]
    fn pull_left(
        &self,
        operation: &str,
        right: &Matrix<T, R2, C2, SB>,
        seed: &Self::Seed,
        shadow: &mut OMatrix<T, R1, C1>,
        slope: impl Fn(T, T, T) -> T,
    ) {
        check_operands(operation, self.shape(), right.shape());
        check_seed(operation, self.shape(), seed.shape());
        check_shadow(operation, self, shadow);
        for (((s, &a), &b), &g) in shadow.iter_mut().zip(self.iter()).zip(right.iter()).zip(seed.iter()) {
            *s += slope(a, b, g);
        }
    }
}

type Tangent<M> = <<M as Operand>::Value as Differentiable>::Tangent;
type Seed<A, B> = <<A as Operand>::Value as Pair<<B as Operand>::Value>>::Seed;

/// The functions of a componentwise operation of two matrices. The right operand's are those of the left one of
/// the operation with its operands exchanged.
macro_rules! componentwise {
    ($(#[$doc:meta])* $name:ident, |$a:ident, $b:ident, $g:ident| $left:expr, $right:expr) => {
        $(#[$doc])*
        pub mod $name {
            use super::{Components, Differentiable, Operand, Pair, Seed, Tangent};
            use crate::rules::matrix::{check_operands, check_seed, check_shadow};

            /// The cotangent of `a`.
            #[inline]
            pub fn pull_0<A, B>(a: &A, b: &B, seed: &Seed<A, B>) -> Tangent<A>
            where
                A: Operand<Value: Pair<B::Value>> + ?Sized,
                B: Operand + ?Sized,
            {
                let mut shadow = a.value().zero_tangent();
                pull_0_into(a, b, seed, &mut shadow);
                shadow
            }

            /// The cotangent of `b`.
            #[inline]
            pub fn pull_1<A, B, S>(a: &A, b: &B, seed: &S) -> Tangent<B>
            where
                A: Operand<Value: Components> + ?Sized,
                B: Operand<Value: Components<Scalar = <A::Value as Components>::Scalar>> + ?Sized,
                S: Components<Scalar = <A::Value as Components>::Scalar>,
            {
                let mut shadow = b.value().zero_tangent();
                pull_1_into(a, b, seed, &mut shadow);
                shadow
            }

            /// Adds the cotangent of `a` to `shadow`.
            ///
            /// # Panics
            /// Where the operands, the seed and the shadow are not all of one shape.
            #[inline]
            pub fn pull_0_into<A, B>(a: &A, b: &B, seed: &Seed<A, B>, shadow: &mut Tangent<A>)
            where
                A: Operand<Value: Pair<B::Value>> + ?Sized,
                B: Operand + ?Sized,
            {
                a.value().pull_left(stringify!($name), b.value(), seed, shadow, |$a, $b, $g| {
                    let _ = ($a, $b);
                    $left
                });
            }

            /// Adds the cotangent of `b` to `shadow`.
            ///
            /// # Panics
            /// Where the operands, the seed and the shadow are not all of one shape.
            #[inline]
            pub fn pull_1_into<A, B, S>(a: &A, b: &B, seed: &S, shadow: &mut Tangent<B>)
            where
                A: Operand<Value: Components> + ?Sized,
                B: Operand<Value: Components<Scalar = <A::Value as Components>::Scalar>> + ?Sized,
                S: Components<Scalar = <A::Value as Components>::Scalar>,
            {
                check_operands(stringify!($name), a.value().dimensions(), b.value().dimensions());
                check_seed(stringify!($name), b.value().dimensions(), seed.dimensions());
                check_shadow(stringify!($name), b.value(), shadow);
                let values = a.value().components().zip(b.value().components()).zip(seed.components());
                for (s, ((&$a, &$b), &$g)) in B::Value::tangent_components(shadow).zip(values) {
                    let _ = $b;
                    *s += $right;
                }
            }
        }
    };
}
componentwise!(
    /// Pullbacks of `a.component_mul(&b)`: `a̅ = y̅ ∘ b`, `b̅ = y̅ ∘ a`, all of one shape.
    ///
    /// ```
    /// use autodiff_core::rules::component_mul;
    /// use nalgebra::Vector2;
    ///
    /// let (a, b) = (Vector2::new(1.0, 2.0), Vector2::new(3.0, 4.0));
    /// assert_eq!(component_mul::pull_1(&a, &b, &Vector2::new(10.0, 100.0)), Vector2::new(10.0, 200.0));
    /// ```
    component_mul, |a, b, g| g * b, g * a
);
componentwise!(
    /// Pullbacks of `a.component_div(&b)`: `a̅ = y̅ / b`, `b̅ = -(y̅ / b) ∘ (a / b)`, all of one shape.
    ///
    /// ```
    /// use autodiff_core::rules::component_div;
    /// use nalgebra::Vector2;
    ///
    /// let (a, b) = (Vector2::new(3.0, 2.0), Vector2::new(2.0, 4.0));
    /// assert_eq!(component_div::pull_1(&a, &b, &Vector2::new(1.0, 8.0)), Vector2::new(-0.75, -1.0));
    /// ```
    component_div, |a, b, g| g / b, -(g / b * (a / b))
);

/// Pullback of `a.transpose()`: `a̅ = y̅ᵀ`.
///
/// ```
/// use autodiff_core::rules::transpose;
/// use nalgebra::{RowVector2, Vector2};
///
/// assert_eq!(transpose::pull_0(&Vector2::new(0.5, 0.25), &RowVector2::new(1.0, 2.0)), Vector2::new(1.0, 2.0));
/// ```
pub mod transpose {
    use super::{Allocator, DefaultAllocator, Differentiable, Dim, Matrix, OMatrix, Operand, Real, Storage, check_seed, check_shadow};

    /// The cotangent of `a`.
    #[inline]
    pub fn pull_0<T, R, C, S, A>(a: &A, seed: &OMatrix<T, C, R>) -> OMatrix<T, R, C>
    where
        T: Real,
        R: Dim,
        C: Dim,
        S: Storage<T, R, C>,
        A: Operand<Value = Matrix<T, R, C, S>> + ?Sized,
        DefaultAllocator: Allocator<R, C> + Allocator<C, R>,
    {
        let mut shadow = a.value().zero_tangent();
        pull_0_into(a, seed, &mut shadow);
        shadow
    }

    /// Adds the cotangent of `a` to `shadow`.
    ///
    /// # Panics
    /// Where `shadow` has another shape than `a`, or `seed` than its transpose.
    #[inline]
    pub fn pull_0_into<T, R, C, S, A>(a: &A, seed: &OMatrix<T, C, R>, shadow: &mut OMatrix<T, R, C>)
    where
        T: Real,
        R: Dim,
        C: Dim,
        S: Storage<T, R, C>,
        A: Operand<Value = Matrix<T, R, C, S>> + ?Sized,
        DefaultAllocator: Allocator<R, C> + Allocator<C, R>,
    {
        let (rows, columns) = a.value().shape();
        check_seed("transpose", (columns, rows), seed.shape());
        check_shadow("transpose", a.value(), shadow);
        for j in 0..shadow.ncols() {
            for i in 0..shadow.nrows() {
                shadow[(i, j)] += seed[(j, i)];
            }
        }
    }
}
