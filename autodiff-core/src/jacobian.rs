//! Jacobians, a row or a column at a time.
//!
//! A reverse sweep gives a row: how one component of the result depends on everything. A forward sweep gives a
//! column: how everything depends on one component of an argument. Take the fewer.

use alloc::vec::Vec;

use crate::{Differentiable, Tangent};

/// The rows of a Jacobian: what `pull` makes of each unit cotangent of `value`, in the order of
/// [`Tangent::flatten`]. One forward sweep serves them all.
///
/// ```
/// use autodiff_core::jacobian::rows;
///
/// // y = (a b, a + b) at (2, 3), with the adjoint that `#[differentiate]` would write.
/// let adjoint = |seed: (f64, f64)| (3.0 * seed.0 + seed.1, 2.0 * seed.0 + seed.1);
/// assert_eq!(rows(&(6.0, 5.0), adjoint), [(3.0, 2.0), (1.0, 1.0)]);
/// ```
pub fn rows<Y: Differentiable, C>(value: &Y, pull: impl FnMut(Y::Tangent) -> C) -> Vec<C> {
    units(value.zero_tangent()).map(pull).collect()
}

/// The columns of a Jacobian: what `push` makes of each unit tangent of the argument `x`, in the order of
/// [`Tangent::flatten`].
///
/// ```
/// use autodiff_core::jacobian::columns;
///
/// // y = (x², x³) at 2, with the tangent that `#[differentiate]` would write.
/// assert_eq!(columns(&2.0, |x_dot| (4.0 * x_dot, 12.0 * x_dot)), [(4.0, 12.0)]);
/// ```
pub fn columns<X: Differentiable, D>(x: &X, push: impl FnMut(X::Tangent) -> D) -> Vec<D> {
    units(x.zero_tangent()).map(push).collect()
}

/// The unit vectors of the space of `zero`.
fn units<T: Tangent>(zero: T) -> impl Iterator<Item = T> {
    let dimension = zero.flatten().len();
    (0..dimension).map(move |component| {
        let (mut unit, mut position) = (zero.clone(), 0);
        unit.for_each_mut(&mut |_| {
            position += 1;
            if position == component + 1 { 1.0 } else { 0.0 }
        });
        unit
    })
}
