use autodiff::differentiate;

#[differentiate]
fn f(x: f64, #[constant] log: &mut [f64]) -> f64 {
    log[0] = x * x;
    log[0] + x
}

fn main() {}
