//! Products that are methods.

use nalgebra::allocator::Allocator;
use nalgebra::constraint::{DimEq, SameNumberOfRows, ShapeConstraint};
use nalgebra::{DefaultAllocator, Dim, DimMul, DimProd, Matrix, OMatrix, RealField, Storage};

use crate::{Differentiable, Real};

reads! {
    scratches [T, R, C, S] Matrix<T, R, C, S> where [T: Real, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>];

    /// `a.cross(&b)`, of vectors with three components: `a̅ += b × y̅`, `b̅ += y̅ × a`.
    Cross { cross_pullback cross_pushforward cross_scratch_0 }
    for [T, R, C, S, SB] Matrix<T, R, C, S>, ((lent b b_dot cross_scratch_1: B = Matrix<T, R, C, SB>;)) -> OMatrix<T, R, C>, tangent OMatrix<T, R, C>
    where [T: Real + RealField, R: Dim, C: Dim, S: Storage<T, R, C>, SB: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| (cross(a, b), ()),
    push |y, note, dot| cross(dot, b) + cross(a, b_dot),
    pull |note, seed, bar| { *bar += cross(b, &seed); *b_dot += cross(&seed, a); };

    /// `a.tr_mul(&b)`, `y = aᵀ b`: `a̅ += b y̅ᵀ`, `b̅ += a y̅`.
    TrMul { tr_mul_pullback tr_mul_pushforward tr_mul_scratch_0 }
    for [T, R, C, S, R2, C2, SB] Matrix<T, R, C, S>,
    ((lent b b_dot tr_mul_scratch_1: B = Matrix<T, R2, C2, SB>;)) -> OMatrix<T, C, C2>, tangent OMatrix<T, C, C2>
    where [
        T: Real + RealField, R: Dim, C: Dim, S: Storage<T, R, C>, R2: Dim, C2: Dim, SB: Storage<T, R2, C2>,
        DefaultAllocator: Allocator<R, C> + Allocator<R2, C2> + Allocator<C, C2>,
        ShapeConstraint: SameNumberOfRows<R, R2>
    ]
    forward |a| (a.tr_mul(b), ()),
    push |y, note, dot| dot.tr_mul(b) + a.tr_mul(b_dot),
    pull |note, seed, bar| for k in 0..seed.ncols() {
        for j in 0..seed.nrows() {
            let g = seed[(j, k)];
            for i in 0..a.nrows() {
                bar[(i, j)] += b[(i, k)] * g;
                b_dot[(i, k)] += a[(i, j)] * g;
            }
        }
    };

    /// `a.tr_dot(&b)`, `y = ⟨aᵀ, b⟩`: `a̅ += y̅ bᵀ`, `b̅ += y̅ aᵀ`.
    TrDot { tr_dot_pullback tr_dot_pushforward tr_dot_scratch_0 }
    for [T, R, C, S, R2, C2, SB] Matrix<T, R, C, S>, ((lent b b_dot tr_dot_scratch_1: B = Matrix<T, R2, C2, SB>;)) -> T, tangent T
    where [
        T: Real + RealField, R: Dim, C: Dim, S: Storage<T, R, C>, R2: Dim, C2: Dim, SB: Storage<T, R2, C2>,
        DefaultAllocator: Allocator<R, C> + Allocator<R2, C2>,
        ShapeConstraint: DimEq<C, R2> + DimEq<R, C2>
    ]
    forward |a| (a.tr_dot(b), ()),
    push |y, note, dot| dot.tr_dot(b) + a.tr_dot(b_dot),
    pull |note, seed, bar| for i in 0..a.nrows() {
        for j in 0..a.ncols() {
            bar[(i, j)] += seed * b[(j, i)];
            b_dot[(j, i)] += seed * a[(i, j)];
        }
    };

    /// `a.kronecker(&b)`: `a̅ᵢⱼ += ⟨y̅ block, b⟩`, `b̅ += ∑ aᵢⱼ y̅ block`.
    Kronecker { kronecker_pullback kronecker_pushforward kronecker_scratch_0 }
    for [T, R, C, S, R2, C2, SB] Matrix<T, R, C, S>, ((lent b b_dot kronecker_scratch_1: B = Matrix<T, R2, C2, SB>;))
    -> OMatrix<T, DimProd<R, R2>, DimProd<C, C2>>, tangent OMatrix<T, DimProd<R, R2>, DimProd<C, C2>>
    where [
        T: Real + RealField, R: DimMul<R2>, C: DimMul<C2>, S: Storage<T, R, C>, R2: Dim, C2: Dim, SB: Storage<T, R2, C2>,
        DefaultAllocator: Allocator<R, C> + Allocator<R2, C2> + Allocator<DimProd<R, R2>, DimProd<C, C2>>
    ]
    forward |a| (a.kronecker(b), ()),
    push |y, note, dot| dot.kronecker(b) + a.kronecker(b_dot),
    pull |note, seed, bar| {
        let (rows, columns) = b.shape();
        for j in 0..a.ncols() {
            for i in 0..a.nrows() {
                for l in 0..columns {
                    for k in 0..rows {
                        let g = seed[(i * rows + k, j * columns + l)];
                        bar[(i, j)] += g * b[(k, l)];
                        b_dot[(k, l)] += g * a[(i, j)];
                    }
                }
            }
        }
    };
}

/// The cross product in the shape of the operands.
fn cross<T, R, C, A, B>(a: &Matrix<T, R, C, A>, b: &Matrix<T, R, C, B>) -> OMatrix<T, R, C>
where
    T: Real + RealField,
    R: Dim,
    C: Dim,
    A: Storage<T, R, C>,
    B: Storage<T, R, C>,
    DefaultAllocator: Allocator<R, C>,
{
    assert!(a.len() == 3 && b.len() == 3, "cross: vectors of {} and {} components", a.len(), b.len());
    let mut y = a.zero_tangent();
    for (i, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
        y[i] = a[j] * b[k] - a[k] * b[j];
    }
    y
}
