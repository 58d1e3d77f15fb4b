//! Numeric functions as users write them, against values and gradients from an independent source.

#[path = "corpus/cases/mod.rs"]
mod cases;
#[path = "corpus/support.rs"]
mod support;
