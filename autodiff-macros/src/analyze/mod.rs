//! Analyses: facts about a body in side tables; the IR itself is not touched.

pub mod activity;

pub use activity::{Activity, activity};
