//! Instructions per call, counted by callgrind.
//!
//! Without arguments it runs itself under valgrind for each line of the table.

use std::hint::black_box;
use std::process::Command;

use nalgebra::SVector;
use num_dual::{Dual64, hessian};
use peers::{dual_numbers, ours, view};

const CALLS: u64 = 5_000;
const FUNCTIONS: [&str; 4] = ["rosenbrock", "step", "project", "hessian"];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [function, library] => run(function, library),
        _ => table(),
    }
}

fn table() {
    println!("{:<12}{:>12}{:>12}{:>10}", "", "autodiff", "num-dual", "ratio");
    for function in FUNCTIONS {
        let empty = instructions(function, "none");
        let per_call = |library| (instructions(function, library) - empty) as f64 / CALLS as f64;
        let (own, other) = (per_call("autodiff"), per_call("num-dual"));
        println!("{function:<12}{own:>12.1}{other:>12.1}{:>10.2}", own / other);
    }
}

fn instructions(function: &str, library: &str) -> u64 {
    let this = std::env::current_exe().expect("this program has a path");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(this)
        .args([function, library])
        .output()
        .expect("valgrind is installed");
    let report = String::from_utf8_lossy(&output.stderr);
    let total = report.lines().find_map(|line| line.split_once("Collected :")).map(|(_, total)| total.trim().parse());
    total.and_then(Result::ok).unwrap_or_else(|| panic!("callgrind gave no total:\n{report}"))
}

fn run(function: &str, library: &str) {
    let (camera, point, camera_dot, point_dot, feature) = view();
    let (x, y, h) = (0.7, 1.3, 0.01);
    let vector = SVector::from(camera);
    let dual = |re: f64, eps: f64| Dual64::new(re, eps);
    match (function, library) {
        ("rosenbrock", "none") => repeat((x, y), |at| at),
        ("step", "none") => repeat([x, y], |state| (state, state)),
        ("project", "none") => repeat((camera, point), |(_, p)| ([p[0], p[1]], [p[0], p[1]])),
        ("hessian", "none") => repeat(camera, |c| c),
        ("rosenbrock", "autodiff") => repeat((x, y), |(x, y)| ours::rosenbrock::jvp(x, y, 0.5, -0.3)),
        ("rosenbrock", "num-dual") => repeat((x, y), |(x, y)| dual_numbers::rosenbrock(dual(x, 0.5), dual(y, -0.3))),
        ("step", "autodiff") => repeat([x, y], |state| ours::step::jvp(state, h, [0.5, -0.3], 0.0)),
        ("step", "num-dual") => repeat([x, y], |state| dual_numbers::step([dual(state[0], 0.5), dual(state[1], -0.3)], h)),
        ("project", "autodiff") => repeat((camera, point), |(c, p)| ours::project::jvp(&c, &p, &camera_dot, &point_dot)),
        ("project", "num-dual") => repeat((camera, point), |(c, p)| {
            let camera = std::array::from_fn(|i| dual(c[i], camera_dot[i]));
            dual_numbers::project(&camera, &std::array::from_fn(|i| dual(p[i], point_dot[i])))
        }),
        ("hessian", "autodiff") => repeat(camera, |c| ours::cost::hessian(&c, &point, &feature)),
        ("hessian", "num-dual") => repeat(vector, |c| hessian(|c: SVector<_, 11>| dual_numbers::cost(&c.into(), &point, &feature), &c)),
        _ => panic!("no {function} by {library}"),
    }
}

#[inline(never)]
fn repeat<X: Copy, Y>(at: X, derivative: impl Fn(X) -> Y) {
    for _ in 0..CALLS {
        black_box(derivative(black_box(at)));
    }
}
