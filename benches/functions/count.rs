//! Calls one gradient many times, for `tests/instructions.rs` to count what that takes.
//!
//! Arguments: the function, `derived`, `by_hand` or `empty`, and the number of calls. `empty`
//! does all that the loop does but for the gradient.

use std::hint::black_box;

#[path = "mod.rs"]
mod functions;

use functions::{by_hand, neuron, rosenbrock, thirty};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [function, variant, calls] = arguments.as_slice() else {
        panic!("usage: count FUNCTION VARIANT CALLS");
    };
    let calls: u32 = calls.parse().expect("the number of calls");
    let (x, y, z) = (0.7, 1.3, -0.4);
    match (function.as_str(), variant.as_str()) {
        ("neuron", "derived") => repeat(calls, (x, y, z), |(x, y, z)| neuron::gradient(x, y, z)),
        ("neuron", "by_hand") => repeat(calls, (x, y, z), |(x, y, z)| by_hand::neuron(x, y, z)),
        ("rosenbrock", "derived") => repeat(calls, (x, y), |(x, y)| rosenbrock::gradient(x, y)),
        ("rosenbrock", "by_hand") => repeat(calls, (x, y), |(x, y)| by_hand::rosenbrock(x, y)),
        ("rosenbrock", "empty") => repeat(calls, (x, y), |(x, y)| (x, (x, y))),
        ("thirty", "derived") => repeat(calls, (x, y, z), |(x, y, z)| thirty::gradient(x, y, z)),
        ("thirty", "by_hand") => repeat(calls, (x, y, z), |(x, y, z)| by_hand::thirty(x, y, z)),
        ("neuron" | "thirty", "empty") => repeat(calls, (x, y, z), |(x, y, z)| (x, (x, y, z))),
        _ => panic!("no {variant} {function}"),
    }
}

#[inline(never)]
fn repeat<X: Copy, Y>(calls: u32, at: X, gradient: impl Fn(X) -> Y) {
    for _ in 0..calls {
        black_box(gradient(black_box(at)));
    }
}
