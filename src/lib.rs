//! Exact gradients of ordinary Rust functions.
#![cfg_attr(not(feature = "std"), no_std)]
#[cfg(feature = "alloc")]
extern crate alloc;
extern crate self as autodiff;

pub use autodiff_core::*;
pub use autodiff_macros::differentiate;
