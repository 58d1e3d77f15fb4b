//! The derivatives.
//!
//! [`scalar`] is the table of scalar functions. The other modules hold the pullbacks of primitives that the
//! types of the operands choose, one module each: `mul`, `div`, and with nalgebra `dot`, `norm`,
//! `norm_squared`, `sum`, `transpose`, `component_mul`, `component_div`. In each of them `pull_i` is the
//! cotangent of operand `i`, and `pull_i_into` adds it to a shadow.

#[cfg(feature = "nalgebra")]
pub mod matrix;
pub mod operators;
pub mod scalar;

#[cfg(feature = "nalgebra")]
pub use matrix::{component_div, component_mul, dot, norm, norm_squared, sum, transpose};
pub use operators::{div, mul};
pub use scalar::{strong_cotangent, strong_product, strong_quotient, strong_slope};
