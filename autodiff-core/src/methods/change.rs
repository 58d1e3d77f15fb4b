//! Methods that change a matrix in place.

use nalgebra::allocator::Allocator;
use nalgebra::constraint::{AreMultipliable, DimEq, SameNumberOfColumns, SameNumberOfRows, ShapeConstraint};
use nalgebra::{DefaultAllocator, Dim, Matrix, RealField, Storage, StorageMut, U1, Vector};

use crate::Real;

changes! {
    scratches [T, R, C, S] Matrix<T, R, C, S> where [T: Real, R: Dim, C: Dim, S: Storage<T, R, C>, DefaultAllocator: Allocator<R, C>];

    /// `y.axpy(a, &x, b)`, `y ← a x + b y`.
    Axpy { axpy_pullback_mut axpy_pushforward_mut axpy_scratch_0 }
    for [T, D, S, D2, SB] Vector<T, D, S>, (
        (value a a_dot axpy_scratch_1: A = T;),
        (lent x x_dot axpy_scratch_2: X = Vector<T, D2, SB>;),
        (value b b_dot axpy_scratch_3: B = T;)
    )
    where [
        T: Real + RealField, D: Dim, S: StorageMut<T, D>, D2: Dim, SB: Storage<T, D2>,
        DefaultAllocator: Allocator<D> + Allocator<D2>, ShapeConstraint: DimEq<D, D2>
    ]
    forward |y| { let old = y.clone_owned(); y.axpy(a, x, b); (old, a, b) },
    push |note, dot| {
        let old = &note.0;
        for i in 0..dot.len() {
            dot[i] = a_dot * x[i] + a * x_dot[i] + b_dot * old[i] + b * dot[i];
        }
    },
    pull |note, bar| {
        let (old, a, b) = &note;
        let (mut a_bar, mut b_bar) = (T::ZERO, T::ZERO);
        for i in 0..bar.len() {
            let g = bar[i];
            a_bar += g * x[i];
            b_bar += g * old[i];
            x_dot[i] += *a * g;
            bar[i] = *b * g;
        }
        (a_bar, b_bar)
    };

    /// `y.gemv(alpha, &a, &x, beta)`, `y ← alpha a x + beta y`.
    Gemv { gemv_pullback_mut gemv_pushforward_mut gemv_scratch_0 }
    for [T, D, S, R2, C2, SA, D3, SX] Vector<T, D, S>, (
        (value alpha alpha_dot gemv_scratch_1: Alpha = T;),
        (lent a a_dot gemv_scratch_2: A = Matrix<T, R2, C2, SA>;),
        (lent x x_dot gemv_scratch_3: X = Vector<T, D3, SX>;),
        (value beta beta_dot gemv_scratch_4: Beta = T;)
    )
    where [
        T: Real + RealField, D: Dim, S: StorageMut<T, D>, R2: Dim, C2: Dim, SA: Storage<T, R2, C2>, D3: Dim, SX: Storage<T, D3>,
        DefaultAllocator: Allocator<D> + Allocator<R2, C2> + Allocator<D3>,
        ShapeConstraint: DimEq<D, R2> + AreMultipliable<R2, C2, D3, U1>
    ]
    forward |y| { let old = y.clone_owned(); y.gemv(alpha, a, x, beta); (old, alpha, beta) },
    push |note, dot| {
        for i in 0..dot.len() {
            let mut sum = beta_dot * note.0[i] + beta * dot[i];
            for j in 0..x.len() {
                sum += alpha_dot * a[(i, j)] * x[j] + alpha * (a_dot[(i, j)] * x[j] + a[(i, j)] * x_dot[j]);
            }
            dot[i] = sum;
        }
    },
    pull |note, bar| {
        let (old, alpha, beta) = &note;
        let (mut alpha_bar, mut beta_bar) = (T::ZERO, T::ZERO);
        for j in 0..x.len() {
            for i in 0..bar.len() {
                let g = bar[i];
                alpha_bar += g * a[(i, j)] * x[j];
                a_dot[(i, j)] += *alpha * g * x[j];
                x_dot[j] += *alpha * g * a[(i, j)];
            }
        }
        for i in 0..bar.len() {
            beta_bar += bar[i] * old[i];
            bar[i] *= *beta;
        }
        (alpha_bar, beta_bar)
    };

    /// `y.gemm(alpha, &a, &b, beta)`, `y ← alpha a b + beta y`.
    Gemm { gemm_pullback_mut gemm_pushforward_mut gemm_scratch_0 }
    for [T, R, C, S, R2, C2, SA, R3, C3, SB] Matrix<T, R, C, S>, (
        (value alpha alpha_dot gemm_scratch_1: Alpha = T;),
        (lent a a_dot gemm_scratch_2: A = Matrix<T, R2, C2, SA>;),
        (lent b b_dot gemm_scratch_3: B = Matrix<T, R3, C3, SB>;),
        (value beta beta_dot gemm_scratch_4: Beta = T;)
    )
    where [
        T: Real + RealField, R: Dim, C: Dim, S: StorageMut<T, R, C>, R2: Dim, C2: Dim, SA: Storage<T, R2, C2>,
        R3: Dim, C3: Dim, SB: Storage<T, R3, C3>, DefaultAllocator: Allocator<R, C> + Allocator<R2, C2> + Allocator<R3, C3>,
        ShapeConstraint: SameNumberOfRows<R, R2> + SameNumberOfColumns<C, C3> + AreMultipliable<R2, C2, R3, C3>
    ]
    forward |y| { let old = y.clone_owned(); y.gemm(alpha, a, b, beta); (old, alpha, beta) },
    push |note, dot| for k in 0..dot.ncols() {
        for i in 0..dot.nrows() {
            let mut sum = beta_dot * note.0[(i, k)] + beta * dot[(i, k)];
            for j in 0..a.ncols() {
                sum += alpha_dot * a[(i, j)] * b[(j, k)] + alpha * (a_dot[(i, j)] * b[(j, k)] + a[(i, j)] * b_dot[(j, k)]);
            }
            dot[(i, k)] = sum;
        }
    },
    pull |note, bar| {
        let (old, alpha, beta) = &note;
        let (mut alpha_bar, mut beta_bar) = (T::ZERO, T::ZERO);
        for k in 0..bar.ncols() {
            for j in 0..a.ncols() {
                for i in 0..bar.nrows() {
                    let g = bar[(i, k)];
                    alpha_bar += g * a[(i, j)] * b[(j, k)];
                    a_dot[(i, j)] += *alpha * g * b[(j, k)];
                    b_dot[(j, k)] += *alpha * g * a[(i, j)];
                }
            }
        }
        for (g, &old) in bar.iter_mut().zip(old.iter()) {
            beta_bar += *g * old;
            *g *= *beta;
        }
        (alpha_bar, beta_bar)
    };

    /// `a.ger(alpha, &x, &y, beta)`, `a ← alpha x yᵀ + beta a`.
    Ger { ger_pullback_mut ger_pushforward_mut ger_scratch_0 }
    for [T, R, C, S, D2, SX, D3, SY] Matrix<T, R, C, S>, (
        (value alpha alpha_dot ger_scratch_1: Alpha = T;),
        (lent x x_dot ger_scratch_2: X = Vector<T, D2, SX>;),
        (lent y y_dot ger_scratch_3: Y = Vector<T, D3, SY>;),
        (value beta beta_dot ger_scratch_4: Beta = T;)
    )
    where [
        T: Real + RealField, R: Dim, C: Dim, S: StorageMut<T, R, C>, D2: Dim, SX: Storage<T, D2>, D3: Dim, SY: Storage<T, D3>,
        DefaultAllocator: Allocator<R, C> + Allocator<D2> + Allocator<D3>, ShapeConstraint: DimEq<R, D2> + DimEq<C, D3>
    ]
    forward |a| { let old = a.clone_owned(); a.ger(alpha, x, y, beta); (old, alpha, beta) },
    push |note, dot| for j in 0..y.len() {
        for i in 0..x.len() {
            dot[(i, j)] = alpha_dot * x[i] * y[j] + alpha * (x_dot[i] * y[j] + x[i] * y_dot[j])
                + beta_dot * note.0[(i, j)] + beta * dot[(i, j)];
        }
    },
    pull |note, bar| {
        let (old, alpha, beta) = &note;
        let (mut alpha_bar, mut beta_bar) = (T::ZERO, T::ZERO);
        for j in 0..y.len() {
            for i in 0..x.len() {
                let g = bar[(i, j)];
                alpha_bar += g * x[i] * y[j];
                beta_bar += g * old[(i, j)];
                x_dot[i] += *alpha * g * y[j];
                y_dot[j] += *alpha * g * x[i];
                bar[(i, j)] = *beta * g;
            }
        }
        (alpha_bar, beta_bar)
    };

    /// `a.component_mul_assign(&b)`
    ComponentMulAssign { component_mul_assign_pullback_mut component_mul_assign_pushforward_mut component_mul_assign_scratch_0 }
    for [T, R, C, S, R2, C2, SB] Matrix<T, R, C, S>, ((lent b b_dot component_mul_assign_scratch_1: B = Matrix<T, R2, C2, SB>;))
    where [
        T: Real + RealField, R: Dim, C: Dim, S: StorageMut<T, R, C>, R2: Dim, C2: Dim, SB: Storage<T, R2, C2>,
        DefaultAllocator: Allocator<R, C> + Allocator<R2, C2>, ShapeConstraint: SameNumberOfRows<R, R2> + SameNumberOfColumns<C, C2>
    ]
    forward |a| { let old = a.clone_owned(); a.component_mul_assign(b); old },
    push |note, dot| for (((d, &a), &b), &b_dot) in dot.iter_mut().zip(note.iter()).zip(b.iter()).zip(b_dot.iter()) {
        *d = *d * b + a * b_dot;
    },
    pull |note, bar| for (((g, t), &a), &b) in bar.iter_mut().zip(b_dot.iter_mut()).zip(note.iter()).zip(b.iter()) {
        *t += *g * a;
        *g *= b;
    };

    /// `a.component_div_assign(&b)`
    ComponentDivAssign { component_div_assign_pullback_mut component_div_assign_pushforward_mut component_div_assign_scratch_0 }
    for [T, R, C, S, R2, C2, SB] Matrix<T, R, C, S>, ((lent b b_dot component_div_assign_scratch_1: B = Matrix<T, R2, C2, SB>;))
    where [
        T: Real + RealField, R: Dim, C: Dim, S: StorageMut<T, R, C>, R2: Dim, C2: Dim, SB: Storage<T, R2, C2>,
        DefaultAllocator: Allocator<R, C> + Allocator<R2, C2>, ShapeConstraint: SameNumberOfRows<R, R2> + SameNumberOfColumns<C, C2>
    ]
    forward |a| { a.component_div_assign(b); a.clone_owned() },
    push |note, dot| for (((d, &y), &b), &b_dot) in dot.iter_mut().zip(note.iter()).zip(b.iter()).zip(b_dot.iter()) {
        *d = (*d - y * b_dot) / b;
    },
    pull |note, bar| for (((g, t), &y), &b) in bar.iter_mut().zip(b_dot.iter_mut()).zip(note.iter()).zip(b.iter()) {
        *g /= b;
        *t -= *g * y;
    };

    /// `a.copy_from(&b)`
    CopyFrom { copy_from_pullback_mut copy_from_pushforward_mut copy_from_scratch_0 }
    for [T, R, C, S, R2, C2, SB] Matrix<T, R, C, S>, ((lent b b_dot copy_from_scratch_1: B = Matrix<T, R2, C2, SB>;))
    where [
        T: Real, R: Dim, C: Dim, S: StorageMut<T, R, C>, R2: Dim, C2: Dim, SB: Storage<T, R2, C2>,
        DefaultAllocator: Allocator<R, C> + Allocator<R2, C2>, ShapeConstraint: SameNumberOfRows<R, R2> + SameNumberOfColumns<C, C2>
    ]
    forward |a| a.copy_from(b),
    push |note, dot| dot.copy_from(b_dot),
    pull |note, bar| for (g, t) in bar.iter_mut().zip(b_dot.iter_mut()) {
        *t += *g;
        *g = T::ZERO;
    };

    /// `a.set_column(j, &v)`
    SetColumn { set_column_pullback_mut set_column_pushforward_mut set_column_scratch_0 }
    for [T, R, C, S, R2, SB] Matrix<T, R, C, S>, ((plain j set_column_scratch_1: usize;), (lent v v_dot set_column_scratch_2: V = Vector<T, R2, SB>;))
    where [
        T: Real, R: Dim, C: Dim, S: StorageMut<T, R, C>, R2: Dim, SB: Storage<T, R2>,
        DefaultAllocator: Allocator<R, C> + Allocator<R2>, ShapeConstraint: SameNumberOfRows<R, R2>
    ]
    forward |a| { a.set_column(j, v); j },
    push |note, dot| dot.set_column(j, v_dot),
    pull |note, bar| {
        for (i, t) in v_dot.iter_mut().enumerate() {
            *t += bar[(i, note)];
        }
        bar.column_mut(note).fill(T::ZERO);
        ((),)
    };

    /// `a.set_row(i, &v)`
    SetRow { set_row_pullback_mut set_row_pushforward_mut set_row_scratch_0 }
    for [T, R, C, S, C2, SB] Matrix<T, R, C, S>, ((plain i set_row_scratch_1: usize;), (lent v v_dot set_row_scratch_2: V = Matrix<T, U1, C2, SB>;))
    where [
        T: Real, R: Dim, C: Dim, S: StorageMut<T, R, C>, C2: Dim, SB: Storage<T, U1, C2>,
        DefaultAllocator: Allocator<R, C> + Allocator<U1, C2>, ShapeConstraint: SameNumberOfColumns<C, C2>
    ]
    forward |a| { a.set_row(i, v); i },
    push |note, dot| dot.set_row(i, v_dot),
    pull |note, bar| {
        for (j, t) in v_dot.iter_mut().enumerate() {
            *t += bar[(note, j)];
        }
        bar.row_mut(note).fill(T::ZERO);
        ((),)
    };

    /// `a.set_diagonal(&v)`
    SetDiagonal { set_diagonal_pullback_mut set_diagonal_pushforward_mut set_diagonal_scratch_0 }
    for [T, R, C, S, R2, SB] Matrix<T, R, C, S>, ((lent v v_dot set_diagonal_scratch_1: V = Vector<T, R2, SB>;))
    where [
        T: Real, R: Dim, C: Dim, S: StorageMut<T, R, C>, R2: Dim, SB: Storage<T, R2>, DefaultAllocator: Allocator<R, C> + Allocator<R2>
    ]
    forward |a| for (i, &v) in v.iter().enumerate() { a[(i, i)] = v; },
    push |note, dot| for (i, &v) in v_dot.iter().enumerate() { dot[(i, i)] = v; },
    pull |note, bar| for (i, t) in v_dot.iter_mut().enumerate() {
        *t += bar[(i, i)];
        bar[(i, i)] = T::ZERO;
    };

    /// `a.fill(k)`
    Fill { fill_pullback_mut fill_pushforward_mut fill_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, ((value k k_dot fill_scratch_1: K = T;))
    where [T: Real, R: Dim, C: Dim, S: StorageMut<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| a.fill(k),
    push |note, dot| dot.fill(k_dot),
    pull |note, bar| { let k_bar = bar.sum(); bar.fill(T::ZERO); (k_bar,) };

    /// `a.fill_diagonal(k)`
    FillDiagonal { fill_diagonal_pullback_mut fill_diagonal_pushforward_mut fill_diagonal_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, ((value k k_dot fill_diagonal_scratch_1: K = T;))
    where [T: Real, R: Dim, C: Dim, S: StorageMut<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| a.fill_diagonal(k),
    push |note, dot| dot.fill_diagonal(k_dot),
    pull |note, bar| {
        let mut k_bar = T::ZERO;
        for i in 0..bar.nrows().min(bar.ncols()) {
            k_bar += core::mem::replace(&mut bar[(i, i)], T::ZERO);
        }
        (k_bar,)
    };

    /// `a.fill_column(j, k)`
    FillColumn { fill_column_pullback_mut fill_column_pushforward_mut fill_column_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, ((plain j fill_column_scratch_1: usize;), (value k k_dot fill_column_scratch_2: K = T;))
    where [T: Real, R: Dim, C: Dim, S: StorageMut<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| { a.fill_column(j, k); j },
    push |note, dot| dot.fill_column(j, k_dot),
    pull |note, bar| { let k_bar = bar.column(note).sum(); bar.fill_column(note, T::ZERO); ((), k_bar) };

    /// `a.fill_row(i, k)`
    FillRow { fill_row_pullback_mut fill_row_pushforward_mut fill_row_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, ((plain i fill_row_scratch_1: usize;), (value k k_dot fill_row_scratch_2: K = T;))
    where [T: Real, R: Dim, C: Dim, S: StorageMut<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| { a.fill_row(i, k); i },
    push |note, dot| dot.fill_row(i, k_dot),
    pull |note, bar| { let k_bar = bar.row(note).sum(); bar.fill_row(note, T::ZERO); ((), k_bar) };

    /// `a.add_scalar_mut(k)`
    AddScalarMut { add_scalar_mut_pullback_mut add_scalar_mut_pushforward_mut add_scalar_mut_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, ((value k k_dot add_scalar_mut_scratch_1: K = T;))
    where [T: Real, R: Dim, C: Dim, S: StorageMut<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| a.add_scalar_mut(k),
    push |note, dot| dot.add_scalar_mut(k_dot),
    pull |note, bar| (bar.sum(),);

    /// `a.scale_mut(k)`
    ScaleMut { scale_mut_pullback_mut scale_mut_pushforward_mut scale_mut_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, ((value k k_dot scale_mut_scratch_1: K = T;))
    where [T: Real + RealField, R: Dim, C: Dim, S: StorageMut<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| { let old = a.clone_owned(); a.scale_mut(k); (old, k) },
    push |note, dot| dot.zip_apply(&note.0, |d, a| *d = *d * k + a * k_dot),
    pull |note, bar| { let k_bar = bar.dot(&note.0); *bar *= note.1; (k_bar,) };

    /// `a.unscale_mut(k)`
    UnscaleMut { unscale_mut_pullback_mut unscale_mut_pushforward_mut unscale_mut_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, ((value k k_dot unscale_mut_scratch_1: K = T;))
    where [T: Real + RealField, R: Dim, C: Dim, S: StorageMut<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| { a.unscale_mut(k); (a.clone_owned(), k) },
    push |note, dot| dot.zip_apply(&note.0, |d, y| *d = (*d - y * k_dot) / k),
    pull |note, bar| { *bar /= note.1; (-bar.dot(&note.0),) };

    /// `a.neg_mut()`
    NegMut { neg_mut_pullback_mut neg_mut_pushforward_mut neg_mut_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, ()
    where [T: Real, R: Dim, C: Dim, S: StorageMut<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| a.neg_mut(),
    push |note, dot| dot.neg_mut(),
    pull |note, bar| bar.neg_mut();

    /// `a.swap_rows(i, j)`
    SwapRows { swap_rows_pullback_mut swap_rows_pushforward_mut swap_rows_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, ((plain i swap_rows_scratch_1: usize;), (plain j swap_rows_scratch_2: usize;))
    where [T: Real, R: Dim, C: Dim, S: StorageMut<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| { a.swap_rows(i, j); (i, j) },
    push |note, dot| dot.swap_rows(i, j),
    pull |note, bar| { bar.swap_rows(note.0, note.1); ((), ()) };

    /// `a.swap_columns(i, j)`
    SwapColumns { swap_columns_pullback_mut swap_columns_pushforward_mut swap_columns_scratch_0 }
    for [T, R, C, S] Matrix<T, R, C, S>, ((plain i swap_columns_scratch_1: usize;), (plain j swap_columns_scratch_2: usize;))
    where [T: Real, R: Dim, C: Dim, S: StorageMut<T, R, C>, DefaultAllocator: Allocator<R, C>]
    forward |a| { a.swap_columns(i, j); (i, j) },
    push |note, dot| dot.swap_columns(i, j),
    pull |note, bar| { bar.swap_columns(note.0, note.1); ((), ()) };
}
