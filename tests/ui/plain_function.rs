use autodiff::differentiate;

fn plain(x: f64) -> f64 {
    x * x
}

#[differentiate]
fn f(x: f64) -> f64 {
    plain(x) + x
}

fn main() {}
