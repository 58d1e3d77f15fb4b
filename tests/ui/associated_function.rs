use std::cell::Cell;

use autodiff::differentiate;
use nalgebra::UnitQuaternion;

#[differentiate]
fn f(x: f64) -> f64 {
    let c = Cell::new(x);
    let angle = UnitQuaternion::from_euler_angles(x, 0.0, 0.0).angle();
    angle * c.get()
}

fn main() {}
