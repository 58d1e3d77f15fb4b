use autodiff::differentiate;

#[differentiate]
fn f(x: f64) -> f64 {
    f64::from_bits(x.to_bits() + 1)
}

fn main() {}
