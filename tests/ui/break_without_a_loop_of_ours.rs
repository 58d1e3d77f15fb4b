use autodiff::differentiate;

#[differentiate]
fn f(x: f64) -> f64 {
    let y = loop {
        for i in 0..3 {
            if i > 1 {
                break x;
            }
        }
    };
    y
}

fn main() {}
