//! One neuron with the values of all its nodes and its gradient.
//!
//! ```text
//! cargo run --example neuron
//! ```

use autodiff::differentiate;

/// A weight, a bias, and `max(0, .)` on top.
#[differentiate]
fn neuron(x: f64, w: f64, b: f64) -> f64 {
    (w * x + b).max(0.0)
}

fn main() {
    show(2.0, 3.0, -4.0);
    // Below the kink the neuron is constant: nothing flows back.
    show(-1.0, 3.0, -4.0);
}

fn show(x: f64, w: f64, b: f64) {
    let (y, (dx, dw, db)) = neuron::gradient(x, w, b);
    println!("x = {x}, w = {w}, b = {b}");
    println!("  w * x             = {}", w * x);
    println!("  w * x + b         = {}", w * x + b);
    println!("  max(0, w * x + b) = {y}");
    println!("  gradient          = d/dx {dx}, d/dw {dw}, d/db {db}");
}
