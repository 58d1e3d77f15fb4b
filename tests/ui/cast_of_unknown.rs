use autodiff::differentiate;
use nalgebra::DVector;

#[differentiate]
fn f(v: &DVector<f32>) -> f64 {
    let s = v.dot(v);
    s as f64
}

fn main() {}
