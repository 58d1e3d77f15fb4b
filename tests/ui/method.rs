use autodiff::differentiate;

struct Line(f64);

impl Line {
    #[differentiate]
    fn at(self: Box<Self>, x: f64) -> f64 {
        self.0 * x
    }
}

fn main() {}
