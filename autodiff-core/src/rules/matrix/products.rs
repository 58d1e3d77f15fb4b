//! Products and quotients with matrices.

use nalgebra::allocator::Allocator;
use nalgebra::constraint::{AreMultipliable, ShapeConstraint};
use nalgebra::{DefaultAllocator, Dim, Matrix, OMatrix, Storage};

use super::{check_seed, check_shadow};
use crate::Real;
use crate::rules::operators::{AddRule, DivRule, MulRule, NegRule, SubRule};

/// `Y = A B`: `A̅ = Y̅ Bᵀ`, `B̅ = Aᵀ Y̅`.
impl<T, R1, C1, SA, R2, C2, SB> MulRule<Matrix<T, R2, C2, SB>> for Matrix<T, R1, C1, SA>
where
    T: Real,
    R1: Dim,
    C1: Dim,
    R2: Dim,
    C2: Dim,
    SA: Storage<T, R1, C1>,
    SB: Storage<T, R2, C2>,
    DefaultAllocator: Allocator<R1, C1> + Allocator<R2, C2> + Allocator<R1, C2>,
    ShapeConstraint: AreMultipliable<R1, C1, R2, C2>,
{
    type Seed = OMatrix<T, R1, C2>;

    /// One outer product for each column: `δ xᵀ` where the right factor is a vector.
    #[inline]
    fn pull_left(&self, right: &Matrix<T, R2, C2, SB>, seed: &Self::Seed, shadow: &mut OMatrix<T, R1, C1>) {
        check_product(self.shape(), right.shape(), seed.shape());
        check_shadow("mul", self, shadow);
        for j in 0..right.ncols() {
            let delta = seed.column(j);
            for k in 0..right.nrows() {
                shadow.column_mut(k).axpy(right[(k, j)], &delta, T::ONE);
            }
        }
    }

    /// Inner products of columns: `Wᵀ δ`.
    #[inline]
    fn pull_right(&self, right: &Matrix<T, R2, C2, SB>, seed: &Self::Seed, shadow: &mut OMatrix<T, R2, C2>) {
        check_product(self.shape(), right.shape(), seed.shape());
        check_shadow("mul", right, shadow);
        for j in 0..right.ncols() {
            let delta = seed.column(j);
            for k in 0..right.nrows() {
                shadow[(k, j)] += self.column(k).dot(&delta);
            }
        }
    }

    #[inline]
    fn push_left(&self, right: &Matrix<T, R2, C2, SB>, dot: &OMatrix<T, R1, C1>) -> Self::Seed {
        dot * right
    }

    #[inline]
    fn push_right(&self, right: &Matrix<T, R2, C2, SB>, dot: &OMatrix<T, R2, C2>) -> Self::Seed {
        let _ = right;
        self * dot
    }
}

/// Sums and differences of matrices of one shape.
macro_rules! sums {
    ($($rule:ident $operation:literal |$g:ident| $right:expr;)*) => { $(
        impl<T, R, C, SA, SB> $rule<Matrix<T, R, C, SB>> for Matrix<T, R, C, SA>
        where
            T: Real,
            R: Dim,
            C: Dim,
            SA: Storage<T, R, C>,
            SB: Storage<T, R, C>,
            DefaultAllocator: Allocator<R, C>,
        {
            type Seed = OMatrix<T, R, C>;

            #[inline]
            fn pull_left(&self, _: &Matrix<T, R, C, SB>, seed: &Self::Seed, shadow: &mut OMatrix<T, R, C>) {
                check_seed($operation, shadow.shape(), seed.shape());
                shadow.zip_apply(seed, |s, g| *s += g);
            }

            #[inline]
            fn pull_right(&self, _: &Matrix<T, R, C, SB>, seed: &Self::Seed, shadow: &mut OMatrix<T, R, C>) {
                check_seed($operation, shadow.shape(), seed.shape());
                shadow.zip_apply(seed, |s, $g| *s += $right);
            }

            #[inline]
            fn push_left(&self, _: &Matrix<T, R, C, SB>, dot: &OMatrix<T, R, C>) -> Self::Seed {
                dot.clone()
            }

            #[inline]
            fn push_right(&self, _: &Matrix<T, R, C, SB>, dot: &OMatrix<T, R, C>) -> Self::Seed {
                dot.map(|$g| $right)
            }
        }
    )* };
}
sums! {
    AddRule "add" |g| g;
    SubRule "sub" |g| -g;
}

impl<T: Real, R: Dim, C: Dim, S: Storage<T, R, C>> NegRule for Matrix<T, R, C, S>
where
    DefaultAllocator: Allocator<R, C>,
{
    type Seed = OMatrix<T, R, C>;

    #[inline]
    fn pull(&self, seed: &Self::Seed, shadow: &mut OMatrix<T, R, C>) {
        check_seed("neg", shadow.shape(), seed.shape());
        shadow.zip_apply(seed, |s, g| *s -= g);
    }

    #[inline]
    fn push(&self, dot: &OMatrix<T, R, C>) -> Self::Seed {
        dot.map(|g| -g)
    }
}

/// Panics unless two factors fit each other and the seed fits their product.
#[track_caller]
#[inline]
fn check_product(left: (usize, usize), right: (usize, usize), seed: (usize, usize)) {
    assert!(left.1 == right.0, "mul: factors of shapes {}x{} and {}x{}", left.0, left.1, right.0, right.1);
    check_seed("mul", (left.0, right.1), seed);
}

/// Scaling by a float from either side, and division by one.
macro_rules! scaling {
    ($($t:ty)*) => { $(
        /// `Y = A s`: `A̅ = s Y̅`, `s̅ = ⟨Y̅, A⟩`.
        impl<R: Dim, C: Dim, S: Storage<$t, R, C>> MulRule<$t> for Matrix<$t, R, C, S>
        where
            DefaultAllocator: Allocator<R, C>,
        {
            type Seed = OMatrix<$t, R, C>;

            #[inline]
            fn pull_left(&self, right: &$t, seed: &Self::Seed, shadow: &mut OMatrix<$t, R, C>) {
                add_scaled("mul", self, *right, seed, shadow);
            }

            #[inline]
            fn pull_right(&self, _: &$t, seed: &Self::Seed, shadow: &mut $t) {
                *shadow += inner("mul", self, seed);
            }

            #[inline]
            fn push_left(&self, right: &$t, dot: &OMatrix<$t, R, C>) -> Self::Seed {
                dot.map(|d| d * right)
            }

            #[inline]
            fn push_right(&self, _: &$t, dot: &$t) -> Self::Seed {
                self.map(|a| a * dot)
            }
        }

        /// `Y = s A`.
        impl<R: Dim, C: Dim, S: Storage<$t, R, C>> MulRule<Matrix<$t, R, C, S>> for $t
        where
            DefaultAllocator: Allocator<R, C>,
        {
            type Seed = OMatrix<$t, R, C>;

            #[inline]
            fn pull_left(&self, right: &Matrix<$t, R, C, S>, seed: &Self::Seed, shadow: &mut $t) {
                *shadow += inner("mul", right, seed);
            }

            #[inline]
            fn pull_right(&self, right: &Matrix<$t, R, C, S>, seed: &Self::Seed, shadow: &mut OMatrix<$t, R, C>) {
                add_scaled("mul", right, *self, seed, shadow);
            }

            #[inline]
            fn push_left(&self, right: &Matrix<$t, R, C, S>, dot: &$t) -> Self::Seed {
                right.map(|a| dot * a)
            }

            #[inline]
            fn push_right(&self, _: &Matrix<$t, R, C, S>, dot: &OMatrix<$t, R, C>) -> Self::Seed {
                dot.map(|d| self * d)
            }
        }

        /// `Y = A / s`: `A̅ = Y̅ / s`, `s̅ = -⟨Y̅, A⟩ / s²`.
        impl<R: Dim, C: Dim, S: Storage<$t, R, C>> DivRule<$t> for Matrix<$t, R, C, S>
        where
            DefaultAllocator: Allocator<R, C>,
        {
            type Seed = OMatrix<$t, R, C>;

            #[inline]
            fn pull_left(&self, right: &$t, seed: &Self::Seed, shadow: &mut OMatrix<$t, R, C>) {
                check_seed("div", self.shape(), seed.shape());
                check_shadow("div", self, shadow);
                shadow.zip_apply(seed, |s, g| *s += g / right);
            }

            #[inline]
            fn pull_right(&self, right: &$t, seed: &Self::Seed, shadow: &mut $t) {
                *shadow -= inner("div", self, seed) / right / right;
            }

            #[inline]
            fn push_left(&self, right: &$t, dot: &OMatrix<$t, R, C>) -> Self::Seed {
                dot.map(|d| d / right)
            }

            #[inline]
            fn push_right(&self, right: &$t, dot: &$t) -> Self::Seed {
                self.map(|a| -(a / right * dot / right))
            }
        }
    )* };
}
scaling!(f32 f64);

fn add_scaled<T: Real, R: Dim, C: Dim, S: Storage<T, R, C>>(
    operation: &str,
    value: &Matrix<T, R, C, S>,
    factor: T,
    seed: &OMatrix<T, R, C>,
    shadow: &mut OMatrix<T, R, C>,
) where
    DefaultAllocator: Allocator<R, C>,
{
    check_seed(operation, value.shape(), seed.shape());
    check_shadow(operation, value, shadow);
    shadow.zip_apply(seed, |s, g| *s += factor * g);
}

/// The sum of the products of the components.
fn inner<T: Real, R: Dim, C: Dim, S: Storage<T, R, C>>(operation: &str, value: &Matrix<T, R, C, S>, seed: &OMatrix<T, R, C>) -> T
where
    DefaultAllocator: Allocator<R, C>,
{
    check_seed(operation, value.shape(), seed.shape());
    value.dot(seed)
}
