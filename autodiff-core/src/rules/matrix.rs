//! The rules of nalgebra's matrices and vectors, static and dynamic, owned and views.
//!
//! Every pullback adds to a shadow in place: no Jacobian and no transpose is ever formed. Source of the
//! formulas: Giles, "An extended collection of matrix derivative results for forward and reverse mode
//! algorithmic differentiation" (2008).

mod componentwise;
mod products;
mod reductions;

pub use componentwise::{component_div, component_mul, transpose};
pub use reductions::{dot, norm, norm_squared, sum};

use crate::Differentiable;

/// A matrix or vector with components `T`: what the rules ask of an operand's value.
pub trait Components: Differentiable {
    /// The float type.
    type Scalar: crate::Real;

    /// The components, column by column.
    fn components(&self) -> impl Iterator<Item = &Self::Scalar>;

    /// The components of a tangent of this value, column by column.
    fn tangent_components(tangent: &mut Self::Tangent) -> impl Iterator<Item = &mut Self::Scalar>;

    /// Rows and columns.
    fn dimensions(&self) -> (usize, usize);

    /// Rows and columns of a tangent.
    fn tangent_dimensions(tangent: &Self::Tangent) -> (usize, usize);
}

impl<T, R, C, S> Components for nalgebra::Matrix<T, R, C, S>
where
    T: crate::Real,
    R: nalgebra::Dim,
    C: nalgebra::Dim,
    S: nalgebra::RawStorage<T, R, C>,
    nalgebra::DefaultAllocator: nalgebra::allocator::Allocator<R, C>,
{
    type Scalar = T;

    #[inline]
    fn components(&self) -> impl Iterator<Item = &T> {
        self.iter()
    }

    #[inline]
    fn tangent_components(tangent: &mut Self::Tangent) -> impl Iterator<Item = &mut T> {
        tangent.iter_mut()
    }

    #[inline]
    fn dimensions(&self) -> (usize, usize) {
        self.shape()
    }

    #[inline]
    fn tangent_dimensions(tangent: &Self::Tangent) -> (usize, usize) {
        tangent.shape()
    }
}

type Shape = (usize, usize);

/// Panics unless a shadow has the shape of its value.
#[track_caller]
#[inline]
fn check_shadow<M: Components + ?Sized>(operation: &str, value: &M, shadow: &M::Tangent) {
    check_cotangent(operation, "value", value.dimensions(), M::tangent_dimensions(shadow));
}

/// Panics unless a seed has the shape of the result: iterators would stop at the shorter one.
#[track_caller]
#[inline]
fn check_seed(operation: &str, result: Shape, seed: Shape) {
    check_cotangent(operation, "result", result, seed);
}

#[track_caller]
#[inline]
fn check_cotangent(operation: &str, of: &str, (rows, columns): Shape, found: Shape) {
    assert!((rows, columns) == found, "{operation}: the {of} is {rows}x{columns} but its cotangent is {}x{}", found.0, found.1);
}

/// Panics unless two operands that are combined component by component have the same shape.
#[track_caller]
#[inline]
fn check_operands(operation: &str, left: Shape, right: Shape) {
    assert!(left == right, "{operation}: operands of shapes {}x{} and {}x{}", left.0, left.1, right.0, right.1);
}
