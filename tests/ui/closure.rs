use autodiff::differentiate;

#[differentiate]
fn f(x: f64) -> f64 {
    let g = |v: f64| v * x;
    g(2.0)
}

fn main() {}
