use autodiff::differentiate;

#[differentiate]
fn f(x: f64, y: Option<f64>) -> f64 {
    if let Some(y) = y { x * y } else { x }
}

fn main() {}
