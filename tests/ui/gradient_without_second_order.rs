//! The gradient inside of a differentiated function needs second derivatives.

use autodiff::differentiate;

#[differentiate]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiate]
fn slope(x: f64) -> f64 {
    square::gradient(x).1
}

fn main() {
    slope::gradient(1.0);
}
