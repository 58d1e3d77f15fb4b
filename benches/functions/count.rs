//! Calls one gradient many times, for `tests/instructions.rs` to count what that takes.
//!
//! Arguments: the function, `derived`, `by_hand` or `empty`, and the number of calls. `empty`
//! does all that the loop does but for the gradient.

use std::hint::black_box;

#[path = "mod.rs"]
mod functions;

use functions::forward::bundle::project;
use functions::forward::dual::{self, dual as number};
use functions::forward::{step, view};
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
        ("rosenbrock_jvp", "derived") => repeat(calls, (x, y), |(x, y)| rosenbrock::jvp(x, y, 0.5, -0.3)),
        ("rosenbrock_jvp", "by_hand") => repeat(calls, (x, y), |(x, y)| pair(dual::rosenbrock(number(x, 0.5), number(y, -0.3)))),
        ("rosenbrock_jvp", "empty") => repeat(calls, (x, y), |at| at),
        ("step_jvp", "derived") => repeat(calls, [x, y], |state| step::jvp(state, 0.01, [0.5, -0.3], 0.0)),
        ("step_jvp", "by_hand") => repeat(calls, [x, y], |state| dual::step([number(state[0], 0.5), number(state[1], -0.3)], 0.01).map(pair)),
        ("step_jvp", "empty") => repeat(calls, [x, y], |state| (state, state)),
        ("project_jvp", "derived") => repeat(calls, view(), |(c, p, c_dot, p_dot)| project::jvp(&c, &p, &c_dot, &p_dot)),
        ("project_jvp", "by_hand") => repeat(calls, view(), |(c, p, c_dot, p_dot)| {
            let (camera, point) = (std::array::from_fn(|i| number(c[i], c_dot[i])), std::array::from_fn(|i| number(p[i], p_dot[i])));
            dual::project(&camera, &point).map(pair)
        }),
        ("project_jvp", "empty") => repeat(calls, view(), |(_, p, _, d)| ([p[0], p[1]], [d[0], d[1]])),
        _ => panic!("no {variant} {function}"),
    }
}

fn pair(number: dual::Dual) -> (f64, f64) {
    (number.re, number.eps)
}

#[inline(never)]
fn repeat<X: Copy, Y>(calls: u32, at: X, gradient: impl Fn(X) -> Y) {
    for _ in 0..calls {
        black_box(gradient(black_box(at)));
    }
}
