//! What Cholesky's decomposition gives. Its tangent is that of the matrix that it is of.
//!
//! It reads the lower triangle only, and so do its derivatives: the cotangent of an element below the diagonal is that of both.
//!
//! Sources: Giles (2008); Murray, "Differentiation of the Cholesky decomposition" (2016), for the factor.

use nalgebra::allocator::Allocator;
use nalgebra::constraint::{SameNumberOfRows, ShapeConstraint};
use nalgebra::{Cholesky, DefaultAllocator, Dim, Matrix, OMatrix, RealField, Storage};

use super::decomposed::{accumulate, deduct_outer, deducted, solved};
use crate::{Differentiable, Real};

reads! {
    scratches [T, D] Cholesky<T, D> where [T: Real + RealField, D: Dim, DefaultAllocator: Allocator<D, D>];

    /// `a.cholesky()?.l()`: `a̅ = L⁻ᵀ Φ(Lᵀ L̅) L⁻¹`, `Φ` the lower triangle with half of the diagonal.
    LFactor { l_pullback l_pushforward l_scratch_0 }
    for [T, D] Cholesky<T, D>, () -> OMatrix<T, D, D>, tangent OMatrix<T, D, D>
    where [T: Real + RealField, D: Dim, DefaultAllocator: Allocator<D, D>]
    forward |a| (a.l(), ()),
    push |y, note, dot| push_factor(&y, dot),
    pull |note, seed, bar| pull_factor(&a.l(), &seed, bar);

    /// `a.cholesky()?.unpack()`
    Unpack { unpack_pullback unpack_pushforward unpack_scratch_0 }
    for [T, D] Cholesky<T, D>, () -> OMatrix<T, D, D>, tangent OMatrix<T, D, D>
    where [T: Real + RealField, D: Dim, DefaultAllocator: Allocator<D, D>]
    forward |a| (a.l(), ()),
    push |y, note, dot| push_factor(&y, dot),
    pull |note, seed, bar| pull_factor(&a.l(), &seed, bar);

    /// `a.cholesky()?.solve(&b)`: `b̅ += a⁻¹ x̅`, `a̅ -= a⁻¹ x̅ xᵀ`.
    CholeskySolve { solve_pullback solve_pushforward solve_scratch_0 }
    for [T, D, R2, C2, SB] Cholesky<T, D>, ((lent b b_dot solve_scratch_1: B = Matrix<T, R2, C2, SB>;))
    -> OMatrix<T, R2, C2>, tangent OMatrix<T, R2, C2>
    where [
        T: Real + RealField, D: Dim, R2: Dim, C2: Dim, SB: Storage<T, R2, C2>,
        DefaultAllocator: Allocator<D, D> + Allocator<R2, C2>, ShapeConstraint: SameNumberOfRows<R2, D>
    ]
    forward |a| { let x = a.solve(b); (x.clone(), x) },
    push |y, note, dot| a.solve(&deducted(b_dot, &mirrored(dot), &note, |_, _| true)),
    pull |note, seed, bar| {
        let z = a.solve(&seed);
        let mut full = bar.zero_tangent();
        deduct_outer(&mut full, &z, &note, |_, _| true);
        fold_lower(&full, bar);
        accumulate(b_dot, &z);
    };

    /// `a.cholesky()?.inverse()`: `a̅ -= y y̅ y`.
    CholeskyInverse { inverse_pullback inverse_pushforward inverse_scratch_0 }
    for [T, D] Cholesky<T, D>, () -> OMatrix<T, D, D>, tangent OMatrix<T, D, D>
    where [T: Real + RealField, D: Dim, DefaultAllocator: Allocator<D, D>]
    forward |a| { let y = a.inverse(); (y.clone(), y) },
    push |y, note, dot| -(&note * mirrored(dot) * &note),
    pull |note, seed, bar| { let y = note.transpose(); fold_lower(&-(&y * seed * &y), bar); };

    /// `a.cholesky()?.determinant()`: `a̅ += y̅ y a⁻¹`.
    CholeskyDeterminant { determinant_pullback determinant_pushforward determinant_scratch_0 }
    for [T, D] Cholesky<T, D>, () -> T, tangent T
    where [T: Real + RealField, D: Dim, DefaultAllocator: Allocator<D, D>]
    forward |a| { let y = a.determinant(); (y, y) },
    push |y, note, dot| note * a.inverse().dot(&mirrored(dot)),
    pull |note, seed, bar| fold_lower(&(a.inverse() * (note * seed)), bar);

    /// `a.cholesky()?.ln_determinant()`: `a̅ += y̅ a⁻¹`.
    LnDeterminant { ln_determinant_pullback ln_determinant_pushforward ln_determinant_scratch_0 }
    for [T, D] Cholesky<T, D>, () -> T, tangent T
    where [T: Real + RealField, D: Dim, DefaultAllocator: Allocator<D, D>]
    forward |a| (a.ln_determinant(), ()),
    push |y, note, dot| a.inverse().dot(&mirrored(dot)),
    pull |note, seed, bar| fold_lower(&(a.inverse() * seed), bar);
}

impl<T: Real + RealField, D: Dim> Differentiable for Cholesky<T, D>
where
    DefaultAllocator: Allocator<D, D>,
{
    type Tangent = OMatrix<T, D, D>;

    #[inline]
    fn zero_tangent(&self) -> OMatrix<T, D, D> {
        self.l_dirty().zero_tangent()
    }
}

/// The symmetric matrix of this lower triangle.
fn mirrored<T: Real, D: Dim>(a: &OMatrix<T, D, D>) -> OMatrix<T, D, D>
where
    DefaultAllocator: Allocator<D, D>,
{
    let mut full = a.clone_owned();
    for j in 0..a.ncols() {
        for i in 0..j {
            full[(i, j)] = a[(j, i)];
        }
    }
    full
}

/// Adds the cotangent of a symmetric matrix to that of its lower triangle.
fn fold_lower<T: Real, D: Dim>(full: &OMatrix<T, D, D>, shadow: &mut OMatrix<T, D, D>)
where
    DefaultAllocator: Allocator<D, D>,
{
    for j in 0..full.ncols() {
        shadow[(j, j)] += full[(j, j)];
        for i in j + 1..full.nrows() {
            shadow[(i, j)] += full[(i, j)] + full[(j, i)];
        }
    }
}

/// The lower triangle with half of the diagonal.
fn half_lower<T: Real, D: Dim>(a: &OMatrix<T, D, D>) -> OMatrix<T, D, D>
where
    DefaultAllocator: Allocator<D, D>,
{
    let mut lower = a.lower_triangle();
    for i in 0..a.nrows() {
        lower[(i, i)] *= <T as Real>::from_f64(0.5);
    }
    lower
}

/// The tangent of Cholesky's factor: `L Φ(L⁻¹ a̍ L⁻ᵀ)`.
fn push_factor<T: Real + RealField, D: Dim>(l: &OMatrix<T, D, D>, dot: &OMatrix<T, D, D>) -> OMatrix<T, D, D>
where
    DefaultAllocator: Allocator<D, D>,
{
    let left = solved(l.solve_lower_triangular(&mirrored(dot)));
    let both = solved(l.solve_lower_triangular(&left.transpose())).transpose();
    l * half_lower(&both)
}

/// The cotangent of the matrix from that of Cholesky's factor.
fn pull_factor<T: Real + RealField, D: Dim>(l: &OMatrix<T, D, D>, seed: &OMatrix<T, D, D>, shadow: &mut OMatrix<T, D, D>)
where
    DefaultAllocator: Allocator<D, D>,
{
    let inner = half_lower(&l.tr_mul(&seed.lower_triangle()));
    let left = solved(l.tr_solve_lower_triangular(&inner));
    let full = solved(l.tr_solve_lower_triangular(&left.transpose()));
    fold_lower(&full, shadow);
}
