//! The derivatives.
pub mod scalar;
pub use scalar::{strong_product, strong_quotient};
