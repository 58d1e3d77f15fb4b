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
pub(crate) fn units<T: Tangent>(zero: T) -> impl Iterator<Item = T> {
    (0..dimension(&zero)).map(move |component| {
        let (mut unit, mut position) = (zero.clone(), 0);
        unit.for_each_mut(&mut |_| {
            position += 1;
            if position == component + 1 { 1.0 } else { 0.0 }
        });
        unit
    })
}

/// The dense Jacobian by rows, of the mode that takes fewer sweeps: `pull` for each component of `value`, or `push` for
/// each component of the arguments, whose tangents have the shape of `zero`. It is what `f::jacobian` is made of.
///
/// ```
/// use autodiff_core::jacobian::by_fewer;
///
/// // y = (x², x³, x⁴) at 2: one forward sweep instead of three reverse ones.
/// let push = |x_dot: f64| (4.0 * x_dot, 12.0 * x_dot, 32.0 * x_dot);
/// assert_eq!(by_fewer(&(4.0, 8.0, 16.0), 0.0, |_| unreachable!(), push), [4.0, 12.0, 32.0]);
/// ```
pub fn by_fewer<Y: Differentiable, C: Tangent>(
    value: &Y,
    zero: C,
    pull: impl FnMut(Y::Tangent) -> C,
    push: impl FnMut(C) -> Y::Tangent,
) -> Vec<C> {
    let height = dimension(&value.zero_tangent());
    if height <= dimension(&zero) {
        return rows(value, pull);
    }
    let columns: Vec<Vec<f64>> = units(zero.clone()).map(push).map(|column| column.flatten()).collect();
    let row = |i: usize| -> Vec<f64> { columns.iter().map(|column| column[i]).collect() };
    (0..height).map(|i| filled(&zero, &row(i))).collect()
}

/// The value, the gradient and the rows of the Hessian, from its `product` with directions of the shape of `zero`:
/// what `f::hessian` is made of. Rounding is spread evenly, so that the result is exactly symmetric.
///
/// ```
/// use autodiff_core::jacobian::hessian;
///
/// // x y² at (2, 3).
/// let product = |(x, y): (f64, f64)| (18.0, (9.0, 12.0), (6.0 * y, 6.0 * x + 4.0 * y));
/// assert_eq!(hessian((0.0, 0.0), product), (18.0, (9.0, 12.0), vec![(0.0, 6.0), (6.0, 4.0)]));
/// ```
pub fn hessian<Y, C: Tangent>(zero: C, mut product: impl FnMut(C) -> (Y, C, C)) -> (Y, C, Vec<C>) {
    let mut first = None;
    let mut row = |direction: C| {
        let (value, gradient, row) = product(direction);
        first.get_or_insert((value, gradient));
        row.flatten()
    };
    let rows: Vec<Vec<f64>> = units(zero.clone()).map(&mut row).collect();
    if rows.is_empty() {
        row(zero.clone());
    }
    let mean = |i: usize, j: usize| if i == j { rows[i][i] } else { 0.5 * (rows[i][j] + rows[j][i]) };
    let even = |i: usize| -> Vec<f64> { (0..rows.len()).map(|j| mean(i, j)).collect() };
    let rows = (0..rows.len()).map(|i| filled(&zero, &even(i))).collect();
    let (value, gradient) = first.expect("one product at least was taken");
    (value, gradient, rows)
}

/// The value, the gradient and the diagonal of the Hessian, which takes as many products as the Hessian and only the
/// memory of a gradient: what `f::hessian_diagonal` is made of.
///
/// ```
/// use autodiff_core::jacobian::hessian_diagonal;
///
/// // x y² at (2, 3).
/// let product = |(x, y): (f64, f64)| (18.0, (9.0, 12.0), (6.0 * y, 6.0 * x + 4.0 * y));
/// assert_eq!(hessian_diagonal((0.0, 0.0), product), (18.0, (9.0, 12.0), (0.0, 4.0)));
/// ```
pub fn hessian_diagonal<Y, C: Tangent>(zero: C, mut product: impl FnMut(C) -> (Y, C, C)) -> (Y, C, C) {
    let mut first = None;
    let mut diagonal = Vec::new();
    for (component, direction) in units(zero.clone()).enumerate() {
        let (value, gradient, row) = product(direction);
        first.get_or_insert((value, gradient));
        diagonal.push(row.flatten()[component]);
    }
    let (value, gradient) = first.unwrap_or_else(|| {
        let (value, gradient, _) = product(zero.clone());
        (value, gradient)
    });
    (value, gradient, filled(&zero, &diagonal))
}

fn dimension<T: Tangent>(zero: &T) -> usize {
    let mut count = 0;
    zero.for_each(&mut |_| count += 1);
    count
}

/// A tangent of the shape of `zero` with these components.
fn filled<T: Tangent>(zero: &T, components: &[f64]) -> T {
    let mut tangent = zero.clone();
    tangent.assign_flat(components);
    tangent
}
