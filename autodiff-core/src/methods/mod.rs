//! Methods of nalgebra's types, with their derivatives under the names by which generated code calls them: for `x.m(u)` it
//! calls `x.m_pullback(u)` and `x.m_pushforward(u, ..)`, so that method resolution decides whether `m` is a matrix's or the
//! user's own.
//!
//! A pullback returns the value and a function of the shared references again, the cotangent of the value and the shadows of
//! references; it returns the cotangents of the arguments that are passed by value. Decompositions have the textbook rules, and
//! the tangent of a decomposition is that of the matrix that it is of.

// By the macro's convention: closures with everything in them.
#![allow(clippy::type_complexity, clippy::too_many_arguments, clippy::missing_panics_doc, clippy::unused_unit)]

#[cfg(feature = "nalgebra")]
#[macro_use]
mod rules;
#[cfg(feature = "nalgebra")]
mod change;
#[cfg(feature = "nalgebra")]
mod cholesky;
#[cfg(feature = "nalgebra")]
mod decomposed;
#[cfg(feature = "nalgebra")]
mod lu;
#[cfg(feature = "nalgebra")]
mod product;
#[cfg(feature = "nalgebra")]
mod reduce;
#[cfg(feature = "nalgebra")]
mod shape;
#[cfg(feature = "nalgebra")]
mod view;

#[cfg(feature = "nalgebra")]
pub use view::{accumulate, clear, deduct, store};

/// The traits, for generated code: no name of theirs comes into scope.
pub mod scope {
    #[cfg(feature = "nalgebra")]
    pub use super::change::{
        AddScalarMut as _, Axpy as _, ComponentDivAssign as _, ComponentMulAssign as _, CopyFrom as _, Fill as _, FillColumn as _,
        FillDiagonal as _, FillRow as _, Gemm as _, Gemv as _, Ger as _, NegMut as _, ScaleMut as _, Scratches as _, SetColumn as _,
        SetDiagonal as _, SetRow as _, SwapColumns as _, SwapRows as _, UnscaleMut as _,
    };
    #[cfg(feature = "nalgebra")]
    pub use super::cholesky::{
        CholeskyDeterminant as _, CholeskyInverse as _, CholeskySolve as _, LFactor as _, LnDeterminant as _, Scratches as _, Unpack as _,
    };
    #[cfg(feature = "nalgebra")]
    pub use super::decomposed::{
        CholeskyOf as _, Determinant as _, LuOf as _, Scratches as _, SolveLower as _, SolveUpper as _, TryInverse as _,
    };
    #[cfg(feature = "nalgebra")]
    pub use super::lu::{LuDeterminant as _, LuInverse as _, LuSolve as _, Scratches as _};
    #[cfg(feature = "nalgebra")]
    pub use super::product::{Cross as _, Kronecker as _, Scratches as _, TrDot as _, TrMul as _};
    #[cfg(feature = "nalgebra")]
    pub use super::reduce::{
        Amax as _, Amin as _, ColumnMean as _, ColumnSum as _, Dot as _, Max as _, Mean as _, MetricDistance as _, Min as _, Norm as _,
        NormSquared as _, Product as _, RowMean as _, RowSum as _, Scratches as _, Sum as _, Trace as _, Variance as _,
    };
    #[cfg(feature = "nalgebra")]
    pub use super::shape::{
        AddScalar as _, ComponentDiv as _, ComponentMul as _, Diagonal as _, LowerTriangle as _, Normalize as _, Scale as _,
        Scratches as _, Transpose as _, Unscale as _, UpperTriangle as _,
    };
}
