use autodiff::differentiate;

#[differentiate]
fn f(x: f64, #[cfg(all())] y: f64) -> f64 {
    x * y
}

fn main() {}
