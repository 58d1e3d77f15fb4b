//! Traits and derivative rules behind the `autodiff` crate.
//!
//! This crate knows the mathematics and nothing of the macros. It is `no_std` throughout; the
//! feature `std` (or `libm`) brings the transcendental functions, `alloc` the heap types,
//! `nalgebra` the matrices.
//!
//! - [`Real`]: the float types, with every function of `std` as a trait method;
//! - [`Differentiable`] and [`Tangent`]: which values carry derivatives, and the vector space
//!   those derivatives live in;
//! - [`Operand`]: how generated code uses a value whose type it does not know and must keep;
//! - [`Derivatives`] and [`Gradient`]: differentiated functions as type parameters;
//! - [`Lanes`]: several tangents at once;
//! - [`Adjoint`]: a saved forward sweep that can be pulled back, as often as wanted;
//! - [`rules`]: the derivatives themselves; [`scalar_rules!`] is the table of scalar functions,
//!   [`zero_rules!`] the list of functions whose derivative is zero;
//! - activations and losses, ready to use: [`sigmoid`](fn@sigmoid),
//!   [`softmax`](fn@softmax) and their kind.
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod adjoint;
mod casts;
#[cfg(feature = "check")]
pub mod check;
mod derivatives;
mod differentiable;
#[cfg(feature = "alloc")]
pub mod jacobian;
pub mod lanes;
#[doc(hidden)]
pub mod methods;
mod operand;
#[doc(hidden)]
pub mod payload;
mod real;
pub mod rules;
pub mod save;
mod slices;
#[cfg(feature = "sparse")]
pub mod sparse;
mod steering;
mod tangent;
#[cfg(any(feature = "std", feature = "libm"))]
mod vector;
#[cfg(feature = "alloc")]
#[doc(hidden)]
pub mod vectors;

pub use adjoint::Adjoint;
#[doc(hidden)]
pub use casts::NumberTangent;
pub use derivatives::{Derivatives, Gradient};
pub use differentiable::Differentiable;
#[cfg(feature = "alloc")]
pub use differentiable::zero_slice;
pub use lanes::{InLanes, Laned, Lanes};
pub use operand::{Operand, Plain, operand, plain};
pub use real::Real;
pub use rules::detach::detach;
#[cfg(any(feature = "std", feature = "libm"))]
pub use rules::{
    activation::{elu, gelu, leaky_relu, relu, sigmoid, silu, softplus},
    loss::{binary_cross_entropy_from_logits, cross_entropy_from_logits, huber, mean_squared_error, squared_error},
    softmax::{log_softmax, log_sum_exp, softmax},
};
#[doc(hidden)]
pub use slices::unavailable;
pub use slices::{accumulate_slice, deduct_slice};
pub use steering::{Steering, steering};
pub use tangent::Tangent;
#[cfg(any(feature = "std", feature = "libm"))]
pub use vector::Vector;
