use autodiff::differentiate;

trait Odd {
    fn odd(self) -> f64;
}

impl Odd for f64 {
    fn odd(self) -> f64 {
        self
    }
}

#[differentiate]
fn f(x: f64) -> f64 {
    x.odd()
}

fn main() {}
