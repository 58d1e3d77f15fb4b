//! Small functions that carry a trouble which users of other tools reported.

#![allow(confusable_idents, mixed_script_confusables, reason = "one of them is about Greek letters")]

#[path = "edges/cases/mod.rs"]
mod cases;
#[path = "corpus/support.rs"]
#[allow(dead_code, reason = "each suite of recorded cases uses its part")]
mod support;
