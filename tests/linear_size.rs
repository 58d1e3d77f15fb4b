//! The time to expand and check a function grows linearly with its length.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

mod scratch;

use scratch::Scratch;

/// The fastest of so many runs counts: whatever else the machine does only ever adds.
const RUNS: usize = 3;
/// How many times its cost at 500 statements one statement may cost at 2000. Quadratic is 4.
const LIMIT: f64 = 2.0;

#[test]
fn time_per_statement_does_not_grow() {
    let scratch = Scratch::new("linear", "");
    let fixed = check(&scratch, 0);
    let mut per_statement = Vec::new();
    for statements in [250, 500, 1000, 2000] {
        let time = check(&scratch, statements);
        let each = time.saturating_sub(fixed).as_secs_f64() / f64::from(statements);
        println!("{statements} statements: {time:.2?}, {:.1} µs each", 1e6 * each);
        per_statement.push(each);
    }
    let growth = per_statement[3] / per_statement[1];
    assert!(growth <= LIMIT, "a statement costs {growth:.2} times as much among 2000 as among 500");
}

/// The time cargo takes to check a package with one differentiated function.
fn check(scratch: &Scratch, statements: u32) -> Duration {
    let source = function(statements);
    (0..RUNS)
        .map(|run| {
            // Another text each time, so that nothing is reused.
            scratch.write("src/lib.rs", &format!("//! {statements}, {run}\n{source}"));
            if run == 0 {
                // Dependencies, the first time.
                scratch.cargo(&["check", "--quiet"]);
                scratch.write("src/lib.rs", &format!("//! {statements}, timed\n{source}"));
            }
            let started = Instant::now();
            scratch.cargo(&["check", "--quiet"]);
            started.elapsed()
        })
        .min()
        .expect("there are runs")
}

/// A function of so many statements: arithmetic, methods, assignments, and `if` now and then.
fn function(statements: u32) -> String {
    let mut text = String::from("#[autodiff::differentiate]\npub fn long(x: f64, y: f64) -> f64 {\n    let mut s = x;\n    let v0 = y;\n");
    let mut last = 0;
    for i in 1..=statements {
        let v = format!("v{last}");
        match i % 8 {
            0 => writeln!(text, "    if {v} > s {{ s += {v} * 0.5; }} else {{ s = s.cos(); }}"),
            1 => writeln!(text, "    let v{i} = {v} * x + 0.25;"),
            2 => writeln!(text, "    let v{i} = {v}.sin();"),
            3 => writeln!(text, "    s += {v} * y;"),
            4 => writeln!(text, "    let v{i} = {v} / (2.0 + s * s);"),
            5 => writeln!(text, "    let v{i} = ({v} - y).tanh();"),
            6 => writeln!(text, "    s *= 0.5;"),
            _ => writeln!(text, "    let v{i} = {v}.max(s) - {v}.exp().sqrt();"),
        }
        .expect("a string takes any text");
        if matches!(i % 8, 1 | 2 | 4 | 5 | 7) {
            last = i;
        }
    }
    writeln!(text, "    s + v{last}\n}}").expect("a string takes any text");
    text
}
