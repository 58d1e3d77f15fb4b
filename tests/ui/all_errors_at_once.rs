use autodiff::differentiate;

#[differentiate]
fn f(x: f64, y: f64) -> f64 {
    let g = |v: f64| v * x;
    let a = y.odd();
    let b = square!(a);
    g(b)
}

// The derivatives have types all the same, so nothing is said here.
pub fn uses(x: f64) -> f64 {
    let (value, (dx, dy)) = f::gradient(x, 1.0);
    value + dx + dy
}

fn main() {}
