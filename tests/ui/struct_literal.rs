use autodiff::differentiate;

struct P {
    x: f64,
}

#[differentiate]
fn f(x: f64) -> f64 {
    let p = P { x: x * x };
    p.x
}

fn main() {}
