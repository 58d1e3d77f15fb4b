//! Methods that make a matrix of another, component by component or by their places.

use nalgebra::allocator::Allocator;
use nalgebra::{DefaultAllocator, Dim, Matrix, OMatrix, OVector, RealField, Storage};

use crate::Real;

reads! {
    scratches [T, R, C, S] Matrix<T, R, C, S> where [T: Real, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>];

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
