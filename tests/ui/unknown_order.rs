use autodiff::differentiate;

#[differentiate(order = 3)]
fn f(x: f64) -> f64 {
    x * x
}

fn main() {}
