use autodiff::differentiate;

#[differentiate]
fn f(p: (f64, f64, f64)) -> f64 {
    let (a, ..) = p;
    a * a
}

fn main() {}
