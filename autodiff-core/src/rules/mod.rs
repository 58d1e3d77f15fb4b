//! The derivatives.
//!
//! [`scalar`] is the table of scalar functions. The modules of primitives that the types of the operands
//! choose are `mul`, `div`, and with nalgebra `dot`, `norm`, `norm_squared`, `sum`, `transpose`,
//! `component_mul`, `component_div`: in each of them `pull_i` is the cotangent of operand `i`, and
//! `pull_i_into` adds it to a shadow. [`activation`], [`softmax`](mod@softmax) and [`loss`] hold functions that are ready
//! to be called in differentiated code.

#[cfg(any(feature = "std", feature = "libm"))]
#[macro_use]
mod function;

#[cfg(any(feature = "std", feature = "libm"))]
pub mod activation;
pub mod detach;
#[cfg(any(feature = "std", feature = "libm"))]
mod lanes;
#[cfg(any(feature = "std", feature = "libm"))]
pub mod loss;
#[cfg(feature = "nalgebra")]
pub mod matrix;
pub mod operators;
pub mod scalar;
#[cfg(any(feature = "std", feature = "libm"))]
mod second;
#[cfg(any(feature = "std", feature = "libm"))]
pub mod softmax;

#[cfg(feature = "nalgebra")]
pub use matrix::{component_div, component_mul, dot, norm, norm_squared, sum, transpose};
pub use operators::{AddRule, DivRule, MulRule, NegRule, SubRule, add, div, mul, neg, sub};
pub use scalar::{strong_cotangent, strong_product, strong_quotient, strong_slope};
