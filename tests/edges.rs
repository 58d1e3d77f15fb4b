//! Small functions that carry a trouble which users of other tools reported.

#[path = "edges/cases/mod.rs"]
mod cases;
#[path = "corpus/support.rs"]
mod support;
