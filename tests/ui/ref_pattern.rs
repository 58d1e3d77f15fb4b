use autodiff::differentiate;

#[differentiate]
fn f(p: (f64, f64)) -> f64 {
    let (ref a, b) = p;
    a * b
}

fn main() {}
