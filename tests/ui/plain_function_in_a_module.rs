use autodiff::differentiate;

mod inner {
    pub fn plain(x: f64) -> f64 {
        x * x
    }
}

#[differentiate]
fn f(x: f64) -> f64 {
    inner::plain(x) + x
}

fn main() {}
