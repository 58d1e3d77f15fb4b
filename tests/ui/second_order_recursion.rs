use autodiff::differentiate;

#[differentiate(order = 2)]
fn power(x: f64, n: u32) -> f64 {
    if n == 0 { 1.0 } else { x * power(x, n - 1) }
}

fn main() {
    let (_, _, _) = power::hvp(2.0, 3, 1.0);
}
