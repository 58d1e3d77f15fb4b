use autodiff::differentiate;

#[differentiate(plan = "guess")]
fn f(x: f64) -> f64 {
    x
}

fn main() {}
