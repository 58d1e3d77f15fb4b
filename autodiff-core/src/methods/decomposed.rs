//! Determinants, inverses and solves, by their textbook adjoints: the algorithm is never differentiated.
//!
//! Source: Giles (2008).

use nalgebra::allocator::Allocator;
use nalgebra::constraint::{SameNumberOfRows, ShapeConstraint};
use nalgebra::{Cholesky, DefaultAllocator, Dim, DimDiff, DimMin, DimSub, LU, Matrix, OMatrix, RealField, Storage, U1};

use crate::{Differentiable, Real};

reads! {
    scratches [T, R, C, S] Matrix<T, R, C, S> where [T: Real, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>];

    /// `a.determinant()`: `a̅ += y̅ cof(a)`, which is `y̅ y a⁻ᵀ` of a regular matrix.
    Determinant { determinant_pullback determinant_pushforward determinant_scratch_0 }
    for [T, D, S] Matrix<T, D, D, S>, () -> T, tangent T
    where [T: Real + RealField, D: DimMin<D, Output = D> + DimSub<U1>, S: Storage<T, D, D>, DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<DimDiff<D, U1>>]
    forward |a| (a.determinant(), ()),
    push |y, note, dot| cofactors(&a.clone_owned()).dot(dot),
    pull |note, seed, bar| *bar += cofactors(&a.clone_owned()) * seed;

    /// `a.try_inverse()`, `y = a⁻¹`: `a̅ -= yᵀ y̅ yᵀ`.
    TryInverse { try_inverse_pullback try_inverse_pushforward try_inverse_scratch_0 }
    for [T, D, S] Matrix<T, D, D, S>, () -> Option<OMatrix<T, D, D>>, tangent Option<OMatrix<T, D, D>>
    where [T: Real + RealField, D: Dim, S: Storage<T, D, D>, DefaultAllocator: Allocator<D, D>]
    forward |a| { let y = a.clone_owned().try_inverse(); (y.clone(), y) },
    push |y, note, dot| note.map(|y| -(&y * dot * &y)),
    pull |note, seed, bar| if let (Some(y), Some(g)) = (&note, seed) {
        let y = y.transpose();
        *bar -= &y * g * &y;
    };

    /// `l.solve_lower_triangular(&b)`
    SolveLower { solve_lower_triangular_pullback solve_lower_triangular_pushforward solve_lower_triangular_scratch_0 }
    for [T, D, S, R2, C2, SB] Matrix<T, D, D, S>, ((lent b b_dot solve_lower_triangular_scratch_1: B = Matrix<T, R2, C2, SB>;))
    -> Option<OMatrix<T, R2, C2>>, tangent Option<OMatrix<T, R2, C2>>
    where [
        T: Real + RealField, D: Dim, S: Storage<T, D, D>, R2: Dim, C2: Dim, SB: Storage<T, R2, C2>,
        DefaultAllocator: Allocator<D, D> + Allocator<R2, C2>, ShapeConstraint: SameNumberOfRows<R2, D>
    ]
    forward |a| { let x = a.solve_lower_triangular(b); (x.clone(), x) },
    push |y, note, dot| note.and_then(|x| a.solve_lower_triangular(&deducted(b_dot, dot, &x, |i, j| i >= j))),
    pull |note, seed, bar| pull_solve(&seed, &note, bar, b_dot, |g| solved(a.tr_solve_lower_triangular(g)), |i, j| i >= j);

    /// `u.solve_upper_triangular(&b)`
    SolveUpper { solve_upper_triangular_pullback solve_upper_triangular_pushforward solve_upper_triangular_scratch_0 }
    for [T, D, S, R2, C2, SB] Matrix<T, D, D, S>, ((lent b b_dot solve_upper_triangular_scratch_1: B = Matrix<T, R2, C2, SB>;))
    -> Option<OMatrix<T, R2, C2>>, tangent Option<OMatrix<T, R2, C2>>
    where [
        T: Real + RealField, D: Dim, S: Storage<T, D, D>, R2: Dim, C2: Dim, SB: Storage<T, R2, C2>,
        DefaultAllocator: Allocator<D, D> + Allocator<R2, C2>, ShapeConstraint: SameNumberOfRows<R2, D>
    ]
    forward |a| { let x = a.solve_upper_triangular(b); (x.clone(), x) },
    push |y, note, dot| note.and_then(|x| a.solve_upper_triangular(&deducted(b_dot, dot, &x, |i, j| i <= j))),
    pull |note, seed, bar| pull_solve(&seed, &note, bar, b_dot, |g| solved(a.tr_solve_upper_triangular(g)), |i, j| i <= j);

    /// `a.cholesky()`
    CholeskyOf { cholesky_pullback cholesky_pushforward cholesky_scratch_0 }
    for [T, D, S] Matrix<T, D, D, S>, () -> Option<Cholesky<T, D>>, tangent Option<OMatrix<T, D, D>>
    where [T: Real + RealField, D: Dim, S: Storage<T, D, D>, DefaultAllocator: Allocator<D, D>]
    forward |a| (a.clone_owned().cholesky(), ()),
    push |y, note, dot| y.as_ref().map(|_| dot.clone_owned()),
    pull |note, seed, bar| if let Some(g) = seed { *bar += g; };

    /// `a.lu()`, of a square matrix.
    LuOf { lu_pullback lu_pushforward lu_scratch_0 }
    for [T, D, S] Matrix<T, D, D, S>, () -> LU<T, D, D>, tangent OMatrix<T, D, D>
    where [T: Real + RealField, D: DimMin<D, Output = D>, S: Storage<T, D, D>, DefaultAllocator: Allocator<D, D> + Allocator<D>]
    forward |a| (a.clone_owned().lu(), ()),
    push |y, note, dot| dot.clone_owned(),
    pull |note, seed, bar| *bar += seed;
}

/// What a solve pulls back: `z = A⁻ᵀ x̅`, and `A̅ -= z xᵀ` at the elements for which `within` holds.
pub(super) fn pull_solve<T: Real, D: Dim, R: Dim, C: Dim>(
    seed: &Option<OMatrix<T, R, C>>,
    solution: &Option<OMatrix<T, R, C>>,
    a_bar: &mut OMatrix<T, D, D>,
    b_bar: &mut OMatrix<T, R, C>,
    back: impl FnOnce(&OMatrix<T, R, C>) -> OMatrix<T, R, C>,
    within: impl Fn(usize, usize) -> bool,
) where
    DefaultAllocator: Allocator<D, D> + Allocator<R, C>,
{
    if let (Some(seed), Some(x)) = (seed, solution) {
        let z = back(seed);
        deduct_outer(a_bar, &z, x, within);
        accumulate(b_bar, &z);
    }
}

/// The solution of a system that has been solved before, with the same matrix.
pub(super) fn solved<X>(solution: Option<X>) -> X {
    solution.expect("the matrix is regular, as it was in the forward sweep")
}

pub(super) fn accumulate<T: Real, R: Dim, C: Dim>(shadow: &mut OMatrix<T, R, C>, values: &OMatrix<T, R, C>)
where
    DefaultAllocator: Allocator<R, C>,
{
    shadow.zip_apply(values, |s, v| *s += v);
}

/// `shadow -= z xᵀ` at the elements for which `within` holds.
pub(super) fn deduct_outer<T: Real, D: Dim, R: Dim, C: Dim>(
    shadow: &mut OMatrix<T, D, D>,
    z: &OMatrix<T, R, C>,
    x: &OMatrix<T, R, C>,
    within: impl Fn(usize, usize) -> bool,
) where
    DefaultAllocator: Allocator<D, D> + Allocator<R, C>,
{
    for k in 0..x.ncols() {
        for j in 0..x.nrows() {
            for i in 0..z.nrows() {
                if within(i, j) {
                    shadow[(i, j)] -= z[(i, k)] * x[(j, k)];
                }
            }
        }
    }
}

/// `b_dot - a_dot x`, with the elements of `a_dot` for which `within` holds.
pub(super) fn deducted<T: Real, D: Dim, R: Dim, C: Dim>(
    b_dot: &OMatrix<T, R, C>,
    a_dot: &OMatrix<T, D, D>,
    x: &OMatrix<T, R, C>,
    within: impl Fn(usize, usize) -> bool,
) -> OMatrix<T, R, C>
where
    DefaultAllocator: Allocator<D, D> + Allocator<R, C>,
{
    let mut right = b_dot.clone_owned();
    for k in 0..x.ncols() {
        for j in 0..x.nrows() {
            for i in 0..x.nrows() {
                if within(i, j) {
                    right[(i, k)] -= a_dot[(i, j)] * x[(j, k)];
                }
            }
        }
    }
    right
}

/// The derivative of the determinant by each element: the signed determinant of what is left without its row and column.
pub(super) fn cofactors<T: Real + RealField, D: DimMin<D, Output = D> + DimSub<U1>>(a: &OMatrix<T, D, D>) -> OMatrix<T, D, D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<DimDiff<D, U1>>,
{
    let n = a.nrows();
    let mut cofactors = a.zero_tangent();
    match n {
        0 => {}
        1 => cofactors[(0, 0)] = T::ONE,
        2 => {
            cofactors[(0, 0)] = a[(1, 1)];
            cofactors[(0, 1)] = -a[(1, 0)];
            cofactors[(1, 0)] = -a[(0, 1)];
            cofactors[(1, 1)] = a[(0, 0)];
        }
        3 => {
            for (i, i1, i2) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
                for (j, j1, j2) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
                    cofactors[(i, j)] = a[(i1, j1)] * a[(i2, j2)] - a[(i1, j2)] * a[(i2, j1)];
                }
            }
        }
        _ => {
            let regular =
                a.clone_owned().try_inverse().filter(|inverse| a.norm() * inverse.norm() < <T as Real>::from_f64(WELL_CONDITIONED));
            cofactors = match regular {
                Some(inverse) => inverse.transpose() * a.determinant(),
                None => cofactors_of_singular(a),
            };
        }
    }
    cofactors
}

/// Below this condition number the inverse is as exact as it need be.
const WELL_CONDITIONED: f64 = 1e4;

/// Also where there is no inverse: `det(u) det(v) u ∏ₖ≠ᵢ sₖ vᵀ` of the singular values.
fn cofactors_of_singular<T: Real + RealField, D: DimMin<D, Output = D> + DimSub<U1>>(a: &OMatrix<T, D, D>) -> OMatrix<T, D, D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<DimDiff<D, U1>>,
{
    let svd = a.clone_owned().svd(true, true);
    let (Some(mut u), Some(v_t)) = (svd.u, svd.v_t) else { return a.zero_tangent() };
    let sign = u.determinant() * v_t.determinant();
    for i in 0..a.nrows() {
        let others = svd.singular_values.iter().enumerate().filter(|&(k, _)| k != i);
        u.column_mut(i).scale_mut(others.fold(sign, |product, (_, &s)| product * s));
    }
    u * v_t
}
