use autodiff::differentiate;

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

#[differentiate]
fn f(x: f64) -> f64 {
    square!(x)
}

fn main() {}
