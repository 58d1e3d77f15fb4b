//! Jacobians, several columns at a time.

use alloc::vec::Vec;

use super::{InLanes, Laned};
use crate::Differentiable;
use crate::jacobian::units;

/// The columns of a Jacobian, `L` of them in each forward sweep: what `push` makes of unit tangents of `x`, in the order of
/// [`Tangent::flatten`](crate::Tangent::flatten). It is [`jacobian::columns`](crate::jacobian::columns) for `jvp_lanes`.
///
/// ```
/// use autodiff_core::{Lanes, lanes};
///
/// // y = a b at (2, 3), with the tangents that `#[differentiate(lanes)]` would write.
/// let push = |(a, b): (Lanes<f64, 4>, Lanes<f64, 4>)| a * 3.0 + b * 2.0;
/// assert_eq!(lanes::columns::<4, _, _>(&(2.0, 3.0), push), [3.0, 2.0]);
/// ```
///
/// # Panics
/// Where there are no lanes.
pub fn columns<const L: usize, X, D>(x: &X, mut push: impl FnMut(X::Lanes) -> D) -> Vec<D::Single>
where
    X: InLanes<L, Lanes: Laned<L, Single = <X as Differentiable>::Tangent>>,
    D: Laned<L>,
{
    assert!(L > 0, "lanes::columns: no lanes");
    let mut columns = Vec::new();
    let mut units = units(x.zero_tangent()).peekable();
    while units.peek().is_some() {
        let (mut directions, mut used) = (x.zero_lanes(), 0);
        for unit in units.by_ref().take(L) {
            directions.set_lane(used, &unit);
            used += 1;
        }
        let pushed = push(directions);
        columns.extend((0..used).map(|lane| pushed.lane(lane)));
    }
    columns
}
