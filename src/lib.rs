#![doc = include_str!("../README.md")]
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "alloc")]
extern crate alloc;
// So that the paths in expansions are good inside this crate's own tests of them too.
extern crate self as autodiff;

pub use autodiff_core::*;
pub use autodiff_macros::{Differentiable, differentiate};
