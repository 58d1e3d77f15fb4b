use autodiff::differentiate;

#[differentiate]
fn f(x: f64, y: Option<f64>) -> f64 {
    let Some(y) = y else { return x };
    x * y
}

fn main() {}
