use autodiff::differentiate;

#[differentiate]
fn f(x: f64) -> f64 {
    let p = &raw const x;
    unsafe { *p * x }
}

fn main() {}
