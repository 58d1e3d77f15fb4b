//! A gradient costs what the same written by hand costs, in instructions.

use std::path::Path;
use std::process::Command;

#[path = "../benches/functions/mod.rs"]
mod functions;
mod scratch;

use functions::forward::bundle::project;
use functions::forward::{step, view};
use functions::{by_hand, neuron, rosenbrock, thirty};
use scratch::Scratch;

const CALLS: u64 = 20_000;
/// The same for forward mode against dual numbers.
const DUAL_LIMIT: f64 = 1.1;
/// How many times the instructions by hand a derived gradient may take.
const LIMIT: f64 = 1.05;

#[test]
fn derived_gradients_take_no_more_instructions_than_hand_written_ones() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("skipped: counting instructions needs valgrind, which is not installed");
        return;
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/functions/count.rs");
    let scratch = Scratch::new("count", &format!("[[bin]]\nname = \"count\"\npath = {source:?}\n"));
    scratch.cargo(&["build", "--release", "--quiet"]);
    let count = scratch.target().join("release/count");

    let mut dear = Vec::new();
    for (function, limit) in [
        ("neuron", LIMIT),
        ("rosenbrock", LIMIT),
        ("thirty", LIMIT),
        ("rosenbrock_jvp", DUAL_LIMIT),
        ("step_jvp", DUAL_LIMIT),
        ("project_jvp", DUAL_LIMIT),
    ] {
        let empty = instructions(&count, function, "empty");
        let per_call = |variant| {
            let gross = instructions(&count, function, variant);
            gross.saturating_sub(empty) as f64 / CALLS as f64
        };
        let (derived, by_hand) = (per_call("derived"), per_call("by_hand"));
        let ratio = derived / by_hand;
        println!("{function}: {derived:.1} instructions derived, {by_hand:.1} by hand: {ratio:.3}");
        // Also false where nothing was counted.
        if !(ratio <= limit && by_hand > 0.0) {
            dear.push(format!("{function} {ratio:.3}, at most {limit}"));
        }
    }
    assert!(dear.is_empty(), "too many times the instructions by hand: {dear:?}");
}

/// The instructions of a whole run. What start-up takes is in every run, `empty` included.
fn instructions(count: &Path, function: &str, variant: &str) -> u64 {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(count)
        .args([function, variant, &CALLS.to_string()])
        .output()
        .expect("valgrind starts");
    let report = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{function} {variant}:\n{report}");
    report
        .lines()
        .find_map(|line| line.split_once("Collected :"))
        .and_then(|(_, total)| total.trim().parse().ok())
        .unwrap_or_else(|| panic!("callgrind gave no total:\n{report}"))
}

/// The hand-written gradients are right, or their cost would say nothing.
#[test]
fn hand_written_gradients_agree_with_differences() {
    let h = 1e-5;
    let slope = |f: &dyn Fn(f64) -> f64| (f(h) - f(-h)) / (2.0 * h);
    for (x, y, z) in [(0.7, 1.3, -0.4), (-0.6, 0.9, 0.8), (1.5, -0.5, 0.3)] {
        let (value, (dx, dw, db)) = by_hand::neuron(x, y, z);
        assert_eq!(value, neuron(x, y, z));
        close(dx, slope(&|h| neuron(x + h, y, z)));
        close(dw, slope(&|h| neuron(x, y + h, z)));
        close(db, slope(&|h| neuron(x, y, z + h)));

        let (value, (dx, dy)) = by_hand::rosenbrock(x, y);
        assert_eq!(value, rosenbrock(x, y));
        close(dx, slope(&|h| rosenbrock(x + h, y)));
        close(dy, slope(&|h| rosenbrock(x, y + h)));

        let (value, (dx, dy, dz)) = by_hand::thirty(x, y, z);
        assert_eq!(value, thirty(x, y, z));
        close(dx, slope(&|h| thirty(x + h, y, z)));
        close(dy, slope(&|h| thirty(x, y + h, z)));
        close(dz, slope(&|h| thirty(x, y, z + h)));
    }
}

#[test]
fn derived_gradients_agree_with_hand_written_ones() {
    for (x, y, z) in [(0.7, 1.3, -0.4), (-0.6, 0.9, 0.8), (1.5, -0.5, 0.3)] {
        assert_eq!(neuron::gradient(x, y, z), by_hand::neuron(x, y, z));

        let (value, (dx, dy)) = rosenbrock::gradient(x, y);
        let (by_hand, (dx_by_hand, dy_by_hand)) = by_hand::rosenbrock(x, y);
        assert_eq!(value, by_hand);
        close(dx, dx_by_hand);
        close(dy, dy_by_hand);

        let (value, (dx, dy, dz)) = thirty::gradient(x, y, z);
        let (by_hand, (dx_by_hand, dy_by_hand, dz_by_hand)) = by_hand::thirty(x, y, z);
        assert_eq!(value, by_hand);
        close(dx, dx_by_hand);
        close(dy, dy_by_hand);
        close(dz, dz_by_hand);
    }
}

fn close(a: f64, b: f64) {
    approx::assert_relative_eq!(a, b, max_relative = 1e-7, epsilon = 1e-7);
}

/// So are the functions over dual numbers.
#[test]
fn dual_numbers_agree_with_forward_mode() {
    let number = functions::forward::dual::dual;
    let (x, y) = (0.7, 1.3);
    let (value, tangent) = rosenbrock::jvp(x, y, 0.5, -0.3);
    let dual = functions::forward::dual::rosenbrock(number(x, 0.5), number(y, -0.3));
    close(dual.re, value);
    close(dual.eps, tangent);

    let (state, tangent) = step::jvp([x, y], 0.01, [0.5, -0.3], 0.0);
    let dual = functions::forward::dual::step([number(x, 0.5), number(y, -0.3)], 0.01);
    let h = 1e-5;
    for i in 0..2 {
        close(dual[i].re, state[i]);
        close(dual[i].eps, tangent[i]);
        let along = |h: f64| step([x + 0.5 * h, y - 0.3 * h], 0.01)[i];
        close(tangent[i], (along(h) - along(-h)) / (2.0 * h));
    }

    let (camera, point, camera_dot, point_dot) = view();
    let (image, tangent) = project::jvp(&camera, &point, &camera_dot, &point_dot);
    let moved =
        |h: f64| project(&std::array::from_fn(|i| camera[i] + h * camera_dot[i]), &std::array::from_fn(|i| point[i] + h * point_dot[i]));
    let cameras = std::array::from_fn(|i| number(camera[i], camera_dot[i]));
    let dual = functions::forward::dual::project(&cameras, &std::array::from_fn(|i| number(point[i], point_dot[i])));
    for i in 0..2 {
        close(dual[i].re, image[i]);
        close(dual[i].eps, tangent[i]);
        close(tangent[i], (moved(h)[i] - moved(-h)[i]) / (2.0 * h));
    }
}
