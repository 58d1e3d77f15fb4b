use autodiff::differentiate;

struct Metres(f64);

#[differentiate]
fn f(x: f64) -> f64 {
    let m = Metres(x * x);
    m.0
}

fn main() {}
