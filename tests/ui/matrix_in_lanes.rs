//! Lanes go through arrays and slices only.

use autodiff::differentiate;
use nalgebra::{Matrix2, Vector2};

#[differentiate(lanes)]
fn form(a: Matrix2<f64>, x: f64) -> f64 {
    let v = Vector2::new(x, 1.0);
    v.dot(&(a * v))
}

fn main() {
    form::gradient(Matrix2::zeros(), 1.0);
}
