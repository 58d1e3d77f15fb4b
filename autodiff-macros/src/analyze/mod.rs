//! Analyses: facts about a body in side tables; the IR itself is not touched.

pub mod activity;
pub mod losses;
pub mod sign;

pub use activity::{Activity, activity};
pub use losses::losses;
pub use sign::{Signs, signs};
