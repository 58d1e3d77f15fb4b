use autodiff::differentiate;

#[differentiate]
fn f(x: f64) -> f64 {
    let mut y = x;
    while {
        y *= 0.5;
        y > 1.0
    } {}
    y
}

fn main() {}
