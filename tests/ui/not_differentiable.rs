use autodiff::differentiate;

pub enum Mode {
    Fast,
}

#[differentiate]
fn f(x: f64, mode: Mode) -> f64 {
    let _ = mode;
    x * x
}

fn main() {}
