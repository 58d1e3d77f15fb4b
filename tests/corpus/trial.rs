//! Runs the points of one case; what differs is printed under the point's name.

use std::panic::{catch_unwind, set_hook};
use std::time::{Duration, Instant};

/// Runs one point, which must panic with a message that contains `panics`, if any.
pub fn run(name: &str, panics: Option<&str>, point: fn()) {
    println!("{name}");
    set_hook(Box::new(|_| {}));
    let message = catch_unwind(point).err().map(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default()
    });
    match (message, panics) {
        (Some(message), None) => println!("  panics: {message}"),
        (None, Some(wanted)) => println!("  does not panic with {wanted:?}"),
        (Some(message), Some(wanted)) if !message.contains(wanted) => println!("  panics with {message:?}, not {wanted:?}"),
        _ => {}
    }
}

/// Seconds of one `call`, the least of a few measurements.
pub fn seconds(call: impl Fn()) -> f64 {
    let measure = |_| {
        let (start, mut calls) = (Instant::now(), 0);
        while start.elapsed() < Duration::from_millis(30) {
            call();
            calls += 1;
        }
        start.elapsed().as_secs_f64() / f64::from(calls)
    };
    (0..5).map(measure).fold(f64::INFINITY, f64::min)
}

/// Says so if one time is more than `limit` times another.
pub fn limit(what: &str, ratio: f64, limit: f64) {
    println!("{what}: {ratio:.2}");
    if ratio > limit {
        println!("  {ratio:.2} times, at most {limit} allowed");
    }
}
