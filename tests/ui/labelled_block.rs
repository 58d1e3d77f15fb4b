use autodiff::differentiate;

#[differentiate]
fn f(x: f64) -> f64 {
    let y = 'a: {
        if x > 1.0 {
            break 'a x;
        }
        x * x
    };
    y
}

fn main() {}
