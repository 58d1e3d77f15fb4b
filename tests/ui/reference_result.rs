use autodiff::differentiate;

#[differentiate]
fn f(xs: &[f64]) -> &f64 {
    &xs[0]
}

fn main() {}
