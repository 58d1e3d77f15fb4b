//! Small functions that carry a trouble which users of other tools reported.

// One of them is about Greek letters.
#![allow(confusable_idents, mixed_script_confusables)]

#[path = "edges/cases/mod.rs"]
mod cases;
// None of these cases has a `&mut` parameter.
#[allow(dead_code)]
#[path = "corpus/support.rs"]
mod support;
