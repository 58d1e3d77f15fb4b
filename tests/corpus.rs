//! Numeric functions as users write them, against values and gradients from an independent source.

#[path = "corpus/cases/mod.rs"]
mod cases;
#[path = "corpus/support.rs"]
#[allow(dead_code, reason = "each suite of recorded cases uses its part")]
mod support;
