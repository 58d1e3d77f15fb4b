use autodiff::differentiate;

#[differentiate]
fn f(x: f64) -> f64 {
    #[cfg(any())]
    let x = x * x;
    x
}

fn main() {}
