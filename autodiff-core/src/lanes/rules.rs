//! Strong products of lanes: see the scalar ones of the same names.

use super::Lanes;
use crate::{Real, rules};

/// `lanes * factor`, lane by lane, exactly 0 where either is.
#[inline(always)]
pub fn strong_product<T: Real, const L: usize>(lanes: Lanes<T, L>, factor: T) -> Lanes<T, L> {
    lanes.map(|x| rules::strong_product(x, factor))
}

/// `lanes * slope`, lane by lane, exactly 0 where the lane is.
#[inline(always)]
pub fn strong_cotangent<T: Real, const L: usize>(lanes: Lanes<T, L>, slope: T) -> Lanes<T, L> {
    lanes.map(|x| rules::strong_cotangent(x, slope))
}

/// `lanes * slope`, exactly 0 where the slope is.
#[inline(always)]
pub fn strong_slope<T: Real, const L: usize>(lanes: Lanes<T, L>, slope: T) -> Lanes<T, L> {
    lanes.map(|x| rules::strong_slope(x, slope))
}

/// `lanes / divisor`, lane by lane, exactly 0 where the lane is.
#[inline(always)]
pub fn strong_quotient<T: Real, const L: usize>(lanes: Lanes<T, L>, divisor: T) -> Lanes<T, L> {
    lanes.map(|x| rules::strong_quotient(x, divisor))
}
