use autodiff::differentiate;

trait Nudge {
    fn nudge(&mut self, by: f64);
}

#[differentiate]
impl Nudge for f64 {
    fn nudge(&mut self, by: f64) {
        *self += by * by;
    }
}

fn main() {}
