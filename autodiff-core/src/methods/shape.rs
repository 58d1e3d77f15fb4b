//! Methods that make a matrix of another, component by component or by their places.

use nalgebra::allocator::Allocator;
use nalgebra::{DefaultAllocator, Dim, Matrix, OMatrix, OVector, RealField, Storage};

use crate::Real;

reads! {
    scratches [T, R, C, S] Matrix<T, R, C, S> where [T: Real, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>];

    /// `a.transpose()`: `a̅ += y̅ᵀ`.
    Transpose { transpose_pullback transpose_pushforward transpose_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, () -> OMatrix<T, C, R>, tangent OMatrix<T, C, R>
    where [T: Real, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C> + Allocator<C, R>]
    forward |a| (a.transpose(), ()),
    push |y, note, dot| dot.transpose(),
    pull |note, seed, bar| *bar += seed.transpose();

    /// `a.component_mul(&b)`: `a̅ += y̅ ∘ b`, `b̅ += y̅ ∘ a`.
    ComponentMul { component_mul_pullback component_mul_pushforward component_mul_scratch_0 }
    for [T, R, C, S, SB] Matrix<T, R, C, S>, ((lent b b_dot component_mul_scratch_1: B = Matrix<T, R, C, SB>;))
    -> OMatrix<T, R, C>, tangent OMatrix<T, R, C>
    where [T: Real + RealField, R: Dim, C: Dim, S: Storage<T, R, C>, SB: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| (a.zip_map(b, |a, b| a * b), ()),
    push |y, note, dot| dot.zip_map(b, |d, b| d * b) + a.zip_map(b_dot, |a, d| a * d),
    pull |note, seed, bar| for ((((s, t), &a), &b), &g) in bar.iter_mut().zip(b_dot.iter_mut()).zip(a.iter()).zip(b.iter()).zip(seed.iter()) {
        *s += g * b;
        *t += g * a;
    };

    /// `a.component_div(&b)`, `y = a / b`: `a̅ += y̅ / b`, `b̅ -= y̅ y / b`.
    ComponentDiv { component_div_pullback component_div_pushforward component_div_scratch_0 }
    for [T, R, C, S, SB] Matrix<T, R, C, S>, ((lent b b_dot component_div_scratch_1: B = Matrix<T, R, C, SB>;))
    -> OMatrix<T, R, C>, tangent OMatrix<T, R, C>
    where [T: Real + RealField, R: Dim, C: Dim, S: Storage<T, R, C>, SB: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| (a.zip_map(b, |a, b| a / b), ()),
    push |y, note, dot| (dot - y.zip_map(b_dot, |y, d| y * d)).zip_map(b, |n, b| n / b),
    pull |note, seed, bar| for ((((s, t), &a), &b), &g) in bar.iter_mut().zip(b_dot.iter_mut()).zip(a.iter()).zip(b.iter()).zip(seed.iter()) {
        *s += g / b;
        *t -= g / b * (a / b);
    };

    /// `a.diagonal()`: `a̅ᵢᵢ += y̅ᵢ`.
    Diagonal { diagonal_pullback diagonal_pushforward diagonal_scratch_0 }
    for [T, D, S] Matrix<T, D, D, S>, () -> OVector<T, D>, tangent OVector<T, D>
    where [T: Real, D: Dim, S: Storage<T, D, D>, DefaultAllocator: Allocator<D, D> + Allocator<D>]
    forward |a| (a.diagonal(), ()),
    push |y, note, dot| dot.diagonal(),
    pull |note, seed, bar| for (i, &g) in seed.iter().enumerate() { bar[(i, i)] += g; };

    /// `a.upper_triangle()`, with the diagonal.
    UpperTriangle { upper_triangle_pullback upper_triangle_pushforward upper_triangle_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, () -> OMatrix<T, R, C>, tangent OMatrix<T, R, C>
    where [T: Real, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| (a.upper_triangle(), ()),
    push |y, note, dot| dot.upper_triangle(),
    pull |note, seed, bar| *bar += seed.upper_triangle();

    /// `a.lower_triangle()`, with the diagonal.
    LowerTriangle { lower_triangle_pullback lower_triangle_pushforward lower_triangle_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, () -> OMatrix<T, R, C>, tangent OMatrix<T, R, C>
    where [T: Real, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| (a.lower_triangle(), ()),
    push |y, note, dot| dot.lower_triangle(),
    pull |note, seed, bar| *bar += seed.lower_triangle();

    /// `a.add_scalar(k)`: `a̅ += y̅`, `k̅ = ∑ y̅`.
    AddScalar { add_scalar_pullback add_scalar_pushforward add_scalar_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, ((value k k_dot add_scalar_scratch_1: K = T;)) -> OMatrix<T, R, C>, tangent OMatrix<T, R, C>
    where [T: Real, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| (a.add_scalar(k), ()),
    push |y, note, dot| dot.add_scalar(k_dot),
    pull |note, seed, bar| { *bar += &seed; (seed.sum(),) };

    /// `a.scale(k)`: `a̅ += k y̅`, `k̅ = ⟨y̅, a⟩`.
    Scale { scale_pullback scale_pushforward scale_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, ((value k k_dot scale_scratch_1: K = T;)) -> OMatrix<T, R, C>, tangent OMatrix<T, R, C>
    where [T: Real + RealField, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| (a.scale(k), k),
    push |y, note, dot| dot.scale(k) + a.scale(k_dot),
    pull |note, seed, bar| { bar.zip_apply(&seed, |s, g| *s += g * note); (a.dot(&seed),) };

    /// `a.unscale(k)`: `a̅ += y̅ / k`, `k̅ = -⟨y̅, a⟩ / k²`.
    Unscale { unscale_pullback unscale_pushforward unscale_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, ((value k k_dot unscale_scratch_1: K = T;)) -> OMatrix<T, R, C>, tangent OMatrix<T, R, C>
    where [T: Real + RealField, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| (a.unscale(k), k),
    push |y, note, dot| dot.unscale(k) - a.scale(k_dot / k / k),
    pull |note, seed, bar| { bar.zip_apply(&seed, |s, g| *s += g / note); (-(a.dot(&seed) / note / note),) };

    /// `a.normalize()`, `y = a / |a|`: `a̅ += (y̅ - ⟨y̅, y⟩ y) / |a|`.
    Normalize { normalize_pullback normalize_pushforward normalize_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, () -> OMatrix<T, R, C>, tangent OMatrix<T, R, C>
    where [T: Real + RealField, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| { let norm = a.norm(); (a.normalize(), norm) },
    push |y, note, dot| (dot - y.scale(y.dot(dot))).unscale(note),
    pull |note, seed, bar| {
        let along = a.dot(&seed) / note / note;
        for ((s, &g), &a) in bar.iter_mut().zip(seed.iter()).zip(a.iter()) {
            *s += (g - along * a) / note;
        }
    };
}
