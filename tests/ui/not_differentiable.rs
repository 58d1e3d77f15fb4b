use autodiff::differentiate;

pub struct Mode {
    factor: f64,
}

#[differentiate]
fn f(x: f64, mode: Mode) -> f64 {
    x * x * mode.factor
}

fn main() {}
