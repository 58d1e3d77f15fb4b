use autodiff::differentiate;

#[differentiate]
fn f(p: [f64; 4]) -> f64 {
    let [a, .., b] = p;
    a * b
}

fn main() {}
