//! What the decomposition with pivots gives, of a square matrix. Its tangent is that of the matrix that it is of.

use nalgebra::allocator::Allocator;
use nalgebra::constraint::{SameNumberOfRows, ShapeConstraint};
use nalgebra::{DefaultAllocator, Dim, DimDiff, DimMin, DimSub, LU, Matrix, OMatrix, RealField, Storage, U1};

use super::decomposed::{cofactors, deducted, pull_solve, solved};
use crate::{Differentiable, Real};

reads! {
    scratches [T, D] LU<T, D, D> where [T: Real + RealField, D: DimMin<D, Output = D>, DefaultAllocator: Allocator<D, D> + Allocator<D>];

    /// `a.lu().solve(&b)`: `b̅ += a⁻ᵀ x̅`, `a̅ -= a⁻ᵀ x̅ xᵀ`.
    LuSolve { solve_pullback solve_pushforward solve_scratch_0 }
    for [T, D, R2, C2, SB] LU<T, D, D>, ((lent b b_dot solve_scratch_1: B = Matrix<T, R2, C2, SB>;))
    -> Option<OMatrix<T, R2, C2>>, tangent Option<OMatrix<T, R2, C2>>
    where [
        T: Real + RealField, D: DimMin<D, Output = D>, R2: Dim, C2: Dim, SB: Storage<T, R2, C2>,
        DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<R2, C2>,
        ShapeConstraint: SameNumberOfRows<R2, D>
    ]
    forward |a| { let x = a.solve(b); (x.clone(), x) },
    push |y, note, dot| note.and_then(|x| a.solve(&deducted(b_dot, dot, &x, |_, _| true))),
    pull |note, seed, bar| pull_solve(&seed, &note, bar, b_dot, |g| {
        let z = solved(a.u().tr_solve_upper_triangular(g));
        let mut z = solved(a.l().tr_solve_lower_triangular(&z));
        a.p().inv_permute_rows(&mut z);
        z
    }, |_, _| true);

    /// `a.lu().determinant()`
    LuDeterminant { determinant_pullback determinant_pushforward determinant_scratch_0 }
    for [T, D] LU<T, D, D>, () -> T, tangent T
    where [T: Real + RealField, D: DimMin<D, Output = D> + DimSub<U1>, DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<DimDiff<D, U1>>]
    forward |a| (a.determinant(), ()),
    push |y, note, dot| cofactors(&put_together(a)).dot(dot),
    pull |note, seed, bar| *bar += cofactors(&put_together(a)) * seed;

    /// `a.lu().try_inverse()`
    LuInverse { try_inverse_pullback try_inverse_pushforward try_inverse_scratch_0 }
    for [T, D] LU<T, D, D>, () -> Option<OMatrix<T, D, D>>, tangent Option<OMatrix<T, D, D>>
    where [T: Real + RealField, D: DimMin<D, Output = D>, DefaultAllocator: Allocator<D, D> + Allocator<D>]
    forward |a| { let y = a.try_inverse(); (y.clone(), y) },
    push |y, note, dot| note.map(|y| -(&y * dot * &y)),
    pull |note, seed, bar| if let (Some(y), Some(g)) = (&note, seed) {
        let y = y.transpose();
        *bar -= &y * g * &y;
    };
}

impl<T: Real + RealField, D: DimMin<D, Output = D>> Differentiable for LU<T, D, D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    type Tangent = OMatrix<T, D, D>;

    #[inline]
    fn zero_tangent(&self) -> OMatrix<T, D, D> {
        self.l().zero_tangent()
    }
}

/// The matrix of a decomposition.
fn put_together<T: Real + RealField, D: DimMin<D, Output = D>>(lu: &LU<T, D, D>) -> OMatrix<T, D, D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    let mut a = lu.l() * lu.u();
    lu.p().inv_permute_rows(&mut a);
    a
}
