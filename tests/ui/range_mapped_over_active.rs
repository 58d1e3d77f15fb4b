use autodiff::differentiate;

#[differentiate]
fn f(xs: &[f64], flag: bool) -> f64 {
    let s: f64 = (0..xs.len()).map(|i| xs[i] * xs[i]).sum();
    let t = flag.then_some(s).unwrap_or(1.0);
    s * t
}

fn main() {}
