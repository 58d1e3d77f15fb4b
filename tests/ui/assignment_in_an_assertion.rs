use autodiff::differentiate;

#[differentiate]
fn f(x: f64) -> f64 {
    let mut s = x;
    assert!({
        s *= x;
        s > 0.0
    });
    s
}

fn main() {}
