use autodiff::differentiate;

#[differentiate(speed = "fast")]
fn f(x: f64) -> f64 {
    x
}

fn main() {}
