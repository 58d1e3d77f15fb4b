use autodiff::differentiate;

#[differentiate]
fn f(p: [f64; 4]) -> f64 {
    let [a, rest @ ..] = p;
    a * rest[0]
}

fn main() {}
