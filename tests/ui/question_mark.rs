use autodiff::differentiate;

#[differentiate]
fn f(x: f64) -> Option<f64> {
    let y = Some(x)?;
    Some(y * y)
}

fn main() {}
