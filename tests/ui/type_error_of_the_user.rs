use autodiff::differentiate;

#[differentiate]
fn f(x: f64) -> f64 {
    let n: usize = 1.5;
    x * n as f64
}

fn main() {}
