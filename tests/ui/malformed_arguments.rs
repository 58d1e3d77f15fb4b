use autodiff::differentiate;

#[differentiate(name =)]
fn f(x: f64) -> f64 {
    x
}

fn main() {}
