//! Methods that make one number, or one row or column, of a matrix.

use nalgebra::allocator::Allocator;
use nalgebra::constraint::{DimEq, ShapeConstraint};
use nalgebra::{DefaultAllocator, Dim, Matrix, OVector, RealField, RowOVector, Storage, U1};

use crate::Real;

reads! {
    scratches [T, R, C, S] Matrix<T, R, C, S> where [T: Real, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>];

    /// `a.trace()`, of an `n` by `n` matrix: `a̅ += y̅ I`.
    Trace { trace_pullback trace_pushforward trace_scratch_0 }
    for [T, D, S] Matrix<T, D, D, S>, () -> T, tangent T
    where [T: Real, D: Dim, S: Storage<T, D, D>, DefaultAllocator: Allocator<D, D>]
    forward |a| (a.trace(), ()),
    push |y, note, dot| dot.trace(),
    pull |note, seed, bar| for i in 0..bar.nrows() { bar[(i, i)] += seed; };

    /// `a.sum()`: `a̅ += y̅`.
    Sum { sum_pullback sum_pushforward sum_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, () -> T, tangent T
    where [T: Real + RealField, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| (a.sum(), ()),
    push |y, note, dot| dot.sum(),
    pull |note, seed, bar| bar.apply(|s| *s += seed);

    /// `a.norm()`: `a̅ += y̅ a / y`, 0 at the origin.
    Norm { norm_pullback norm_pushforward norm_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, () -> T, tangent T
    where [T: Real + RealField, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| { let y = a.norm(); (y, y) },
    push |y, note, dot| if note == T::ZERO { T::ZERO } else { a.dot(dot) / note },
    pull |note, seed, bar| if note != T::ZERO {
        let factor = seed / note;
        bar.zip_apply(a, |s, a| *s += factor * a);
    };

    /// `a.norm_squared()`: `a̅ += 2 y̅ a`.
    NormSquared { norm_squared_pullback norm_squared_pushforward norm_squared_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, () -> T, tangent T
    where [T: Real + RealField, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| (a.norm_squared(), ()),
    push |y, note, dot| { let inner = a.dot(dot); inner + inner },
    pull |note, seed, bar| bar.zip_apply(a, |s, a| *s += (seed + seed) * a);

    /// `a.dot(&b)`: `a̅ += y̅ b`, `b̅ += y̅ a`.
    Dot { dot_pullback dot_pushforward dot_scratch_0 }
    for [T, R, C, S, R2, C2, SB] Matrix<T, R, C, S>, ((lent b b_dot dot_scratch_1: B = Matrix<T, R2, C2, SB>;)) -> T, tangent T
    where [
        T: Real + RealField, R: Dim, C: Dim, S: Storage<T, R, C>, R2: Dim, C2: Dim, SB: Storage<T, R2, C2>,
        DefaultAllocator: Allocator<R, C> + Allocator<R2, C2>, ShapeConstraint: DimEq<R, R2> + DimEq<C, C2>
    ]
    forward |a| (a.dot(b), ()),
    push |y, note, dot| dot.dot(b) + a.dot(b_dot),
    pull |note, seed, bar| for (((s, t), &a), &b) in bar.iter_mut().zip(b_dot.iter_mut()).zip(a.iter()).zip(b.iter()) {
        *s += seed * b;
        *t += seed * a;
    };

    /// `a.mean()`, of all components: `a̅ += y̅ / n`.
    Mean { mean_pullback mean_pushforward mean_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, () -> T, tangent T
    where [T: Real + RealField, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| (a.mean(), ()),
    push |y, note, dot| dot.mean(),
    pull |note, seed, bar| {
        let each = seed / <T as Real>::from_f64(bar.len() as f64);
        bar.apply(|s| *s += each);
    };

    /// `a.variance()`, of all components: `a̅ += 2 y̅ (a - mean) / n`.
    Variance { variance_pullback variance_pushforward variance_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, () -> T, tangent T
    where [T: Real + RealField, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| (a.variance(), ()),
    push |y, note, dot| {
        let (mean, factor) = (a.mean(), <T as Real>::from_f64(2.0 / a.len() as f64));
        a.iter().zip(dot.iter()).fold(T::ZERO, |sum, (&a, &d)| sum + factor * (a - mean) * d)
    },
    pull |note, seed, bar| {
        let (mean, factor) = (a.mean(), seed * <T as Real>::from_f64(2.0 / a.len() as f64));
        bar.zip_apply(a, |s, a| *s += factor * (a - mean));
    };

    /// `a.product()`, of all components: `a̅ᵢ += y̅ ∏ aⱼ` over `j ≠ i`.
    Product { product_pullback product_pushforward product_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, () -> T, tangent T
    where [T: Real + RealField, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| (a.product(), ()),
    push |y, note, dot| a.iter().zip(dot.iter()).fold((T::ONE, T::ZERO), |(y, d), (&a, &b)| (y * a, d * a + y * b)).1,
    pull |note, seed, bar| {
        // No division by the component, which may be zero.
        for (i, s) in bar.iter_mut().enumerate() {
            let others = a.iter().enumerate().filter(|&(j, _)| j != i);
            *s += seed * others.fold(T::ONE, |product, (_, &a)| product * a);
        }
    };

    /// `a.max()`: the first of the largest components takes all.
    Max { max_pullback max_pushforward max_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, () -> T, tangent T
    where [T: Real + RealField, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| { let y = a.max(); (y, a.iter().position(|&a| a == y)) },
    push |y, note, dot| note.map_or(T::ZERO, |at| dot[at]),
    pull |note, seed, bar| if let Some(at) = note { bar[at] += seed; };

    /// `a.min()`: the first of the smallest components takes all.
    Min { min_pullback min_pushforward min_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, () -> T, tangent T
    where [T: Real + RealField, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| { let y = a.min(); (y, a.iter().position(|&a| a == y)) },
    push |y, note, dot| note.map_or(T::ZERO, |at| dot[at]),
    pull |note, seed, bar| if let Some(at) = note { bar[at] += seed; };

    /// `a.amax()`: the first component of the largest absolute value takes all, with its sign.
    Amax { amax_pullback amax_pushforward amax_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, () -> T, tangent T
    where [T: Real + RealField, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| { let y = a.amax(); (y, signed_position(a.iter(), y)) },
    push |y, note, dot| note.map_or(T::ZERO, |(at, sign)| sign * dot[at]),
    pull |note, seed, bar| if let Some((at, sign)) = note { bar[at] += sign * seed; };

    /// `a.amin()`: the first component of the smallest absolute value takes all, with its sign.
    Amin { amin_pullback amin_pushforward amin_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, () -> T, tangent T
    where [T: Real + RealField, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| { let y = a.amin(); (y, signed_position(a.iter(), y)) },
    push |y, note, dot| note.map_or(T::ZERO, |(at, sign)| sign * dot[at]),
    pull |note, seed, bar| if let Some((at, sign)) = note { bar[at] += sign * seed; };

    /// `a.row_sum()`, the sum of each column: `a̅ᵢⱼ += y̅ⱼ`.
    RowSum { row_sum_pullback row_sum_pushforward row_sum_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, () -> RowOVector<T, C>, tangent RowOVector<T, C>
    where [T: Real, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C> + Allocator<U1, C>]
    forward |a| (a.row_sum(), ()),
    push |y, note, dot| dot.row_sum(),
    pull |note, seed, bar| for j in 0..bar.ncols() { bar.column_mut(j).apply(|s| *s += seed[j]); };

    /// `a.row_mean()`, the mean of each column: `a̅ᵢⱼ += y̅ⱼ / rows`.
    RowMean { row_mean_pullback row_mean_pushforward row_mean_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, () -> RowOVector<T, C>, tangent RowOVector<T, C>
    where [T: Real + RealField, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C> + Allocator<U1, C>]
    forward |a| (a.row_mean(), ()),
    push |y, note, dot| dot.row_mean(),
    pull |note, seed, bar| {
        let rows = <T as Real>::from_f64(bar.nrows() as f64);
        for j in 0..bar.ncols() { bar.column_mut(j).apply(|s| *s += seed[j] / rows); }
    };

    /// `a.column_sum()`, the sum of each row: `a̅ᵢⱼ += y̅ᵢ`.
    ColumnSum { column_sum_pullback column_sum_pushforward column_sum_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, () -> OVector<T, R>, tangent OVector<T, R>
    where [T: Real, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C> + Allocator<R>]
    forward |a| (a.column_sum(), ()),
    push |y, note, dot| dot.column_sum(),
    pull |note, seed, bar| for j in 0..bar.ncols() { bar.column_mut(j).zip_apply(&seed, |s, g| *s += g); };

    /// `a.column_mean()`, the mean of each row: `a̅ᵢⱼ += y̅ᵢ / columns`.
    ColumnMean { column_mean_pullback column_mean_pushforward column_mean_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, () -> OVector<T, R>, tangent OVector<T, R>
    where [T: Real + RealField, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C> + Allocator<R>]
    forward |a| (a.column_mean(), ()),
    push |y, note, dot| dot.column_mean(),
    pull |note, seed, bar| {
        let columns = <T as Real>::from_f64(bar.ncols() as f64);
        for j in 0..bar.ncols() { bar.column_mut(j).zip_apply(&seed, |s, g| *s += g / columns); }
    };

    /// `a.metric_distance(&b)`, of matrices of one shape: `a̅ += y̅ (a - b) / y`, 0 where they are equal.
    MetricDistance { metric_distance_pullback metric_distance_pushforward metric_distance_scratch_0 }
    for [T, R, C, S, SB] Matrix<T, R, C, S>, ((lent b b_dot metric_distance_scratch_1: B = Matrix<T, R, C, SB>;)) -> T, tangent T
    where [T: Real + RealField, R: Dim, C: Dim, S: Storage<T, R, C>, SB: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| { let y = a.metric_distance(b); (y, y) },
    push |y, note, dot| if y == T::ZERO { T::ZERO } else { (a - b).dot(&(dot - b_dot)) / note },
    pull |note, seed, bar| if note != T::ZERO {
        let factor = seed / note;
        for (((s, t), &a), &b) in bar.iter_mut().zip(b_dot.iter_mut()).zip(a.iter()).zip(b.iter()) {
            *s += factor * (a - b);
            *t -= factor * (a - b);
        }
    };
}

/// Where the absolute value is `y`, and the sign there; 0 of 0.
fn signed_position<'a, T: Real>(components: impl Iterator<Item = &'a T>, y: T) -> Option<(usize, T)> {
    let sign = |a: T| {
        if a == T::ZERO {
            T::ZERO
        } else if a == y {
            T::ONE
        } else {
            -T::ONE
        }
    };
    components.enumerate().find(|&(_, &a)| a == y || -a == y).map(|(at, &a)| (at, sign(a)))
}
