use std::cell::Cell;

use autodiff::differentiate;
use nalgebra::Vector2;

#[differentiate]
fn f(x: f64) -> f64 {
    let c = Cell::new(x);
    let v = Vector2::repeat(x);
    v.sum() * c.get()
}

fn main() {}
